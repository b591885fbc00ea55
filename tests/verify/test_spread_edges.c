/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Effects of errors where a limit is near: the power limit, a shutdown. Theory: docs/theory/uncertainty.md */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/books/observe.h"
#include "sim/step/step.h"
#include "sim/study/spread/bands.h"
#include "sim/study/spread/spread.h"
#include "tests/support/bench.h"

#define RIG_AT(speed, card) \
    "<rig><site supply='230 V'><room temperature='29 degC'/></site><chassis part='chassis/mid-tower-mesh'>" \
    "<fan part='fan/generic-120-1500' at='front' count='2' " speed "/>" \
    "<fan part='fan/generic-120-1500' at='rear' " speed "/>" card \
    "</chassis><workload kind='constant' class='training'/></rig>"
#define RIG(card) RIG_AT("", card)
/* A hot die on a small cooler: 84 degC, the die resistance is uncertain by 0.046 K/W. */
#define HOT "<gpu part='gpu/rtx-5070' slot='1'/>"

typedef struct {
    wsk_rig *rig;
    wsk_arena *arena;
    wsk_spreads s;
} spread_case;

static spread_case solve(const char *xml, const char *set)
{
    spread_case c = {.rig = wsk_test_rig(xml, set), .arena = wsk_arena_new()};
    wsk_run *run = wsk_test_run(c.rig, WSK_STEPPER_FAST, 10);
    assert_int_equal(wsk_spreads_solve(&c.s, c.arena, run->net, WSK_STEPPER_FAST), WSK_OK);
    wsk_run_free(run);
    return c;
}

static void read_wall(void *ctx, const wsk_run *run, double more[WSK_SPREAD_MORE])
{
    (void)ctx;
    more[0] = wsk_var_mean(run, WSK_VAR_WALL_W, 0);
}

static void drop(spread_case *c)
{
    wsk_arena_free(c->arena);
    wsk_rig_free(c->rig);
}

static const wsk_spread_source *source(const spread_case *c, const char *what)
{
    for (int i = 0; i < c->s.n_source; i++)
        if (strstr(c->s.sources[i].key, what))
            return &c->s.sources[i];
    return NULL;
}

static double work_with(const char *xml, const char *set)
{
    wsk_rig *rig = wsk_test_rig(xml, set);
    wsk_summary *s = NULL;
    assert_int_equal(wsk_steady_summary(&s, rig, WSK_STEPPER_FAST, 0, NULL), WSK_OK);
    assert_false(wsk_summary_flag(s, WSK_R_SHUTS_DOWN, 0));
    double work = wsk_summary_number(s, WSK_R_WORK, 0) / wsk_summary_number(s, WSK_R_SIMULATED, 0);
    wsk_summary_free(s);
    wsk_rig_free(rig);
    return work;
}

/* A change of die resistance acts on the die at once. Applied to the settled rig, it would push the die past its
 * shutdown temperature, whereas a rig that warms up with this resistance only throttles. */
static void test_a_jump_is_no_shutdown(void **state)
{
    (void)state;
    spread_case c = solve(RIG(HOT), NULL);
    const wsk_spread_source *die = source(&c, "die-resistance");
    assert_non_null(die);
    const double plain = work_with(RIG(HOT), NULL), more = work_with(RIG(HOT), "gpu.die-resistance=0.139K/W"),
                 less = work_with(RIG(HOT), "gpu.die-resistance=0.0513K/W");
    assert_near(die->mean.work_rel, 0.5 * (more - less) / plain, 0.01);
    assert_true(c.s.half.die_k < 12 && fmax(die->raised.lost, die->lowered.lost) < 0.1);
    drop(&c);
}

/* The class stream already uses all of the memory's bandwidth, so its error can only lower the traffic. In the class
 * decode it can lower or raise it. */
static void test_no_more_than_the_bandwidth(void **state)
{
    (void)state;
#define LIMITED "<gpu part='gpu/rtx-3090' slot='1' power-limit='280 W'/>"
    spread_case stream = solve(RIG(LIMITED), "workload.class=stream"),
                decode = solve(RIG(LIMITED), "workload.class=decode");
    const wsk_spread_source *all = source(&stream, "memory-traffic"), *part = source(&decode, "memory-traffic");
    assert_non_null(all);
    assert_near(all->raised.memory_k, 0, 0.02);
    assert_true(all->lowered.memory_k < -2);
    assert_non_null(part);
    assert_true(part->raised.memory_k > 2 && part->lowered.memory_k < -2);
    drop(&stream);
    drop(&decode);
}

/* The card draws about 225 W without a limit. At a limit of that power its draw may err downwards only, yet the
 * uncertainty of the power must not fall as the limit rises through this point. */
static void test_draw_at_the_limit(void **state)
{
    (void)state;
    static const char *const limits[] = {"gpu.power-limit=215W", "gpu.power-limit=220W", "gpu.power-limit=224W",
                                         "gpu.power-limit=225W", "gpu.power-limit=226W", "gpu.power-limit=230W"};
    double before = 0;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        spread_case c = solve(RIG("<gpu part='gpu/arc-a770' slot='1' power-limit-max='300 W'/>"), limits[i]);
        const wsk_spread_source *draw = source(&c, "draw");
        assert_non_null(draw);
        if (!(draw->mean.wall_rel * c.s.base.wall_w > 0.9 * before) || !(draw->mean.wall_rel * c.s.base.wall_w > 20))
            fail_msg("%s: %.1f W, %.1f W at the limit before", limits[i], draw->mean.wall_rel * c.s.base.wall_w,
                     before);
        before = draw->mean.wall_rel * c.s.base.wall_w;
        drop(&c);
    }
}

/* Effect of a card's uncertain draw on the wall power. Without a power limit it is about as large upwards as
 * downwards. At the limit the card can draw less but not more, so the upward uncertainty comes from other inputs
 * only. */
static void test_no_more_than_the_limit(void **state)
{
    (void)state;
    spread_case held =
                    solve(RIG("<gpu part='gpu/arc-a770' slot='1' power-limit-max='300 W'/>"), "gpu.power-limit=150W"),
                free =
                    solve(RIG("<gpu part='gpu/arc-a770' slot='1' power-limit-max='2 kW'/>"), "gpu.power-limit=2kW");
    const wsk_spread_source *at_limit = source(&held, "draw"), *without = source(&free, "draw");
    assert_true(without->raised.wall_rel > 0.1 && without->lowered.wall_rel < -0.1);
    assert_true(fabs(without->raised.wall_rel + without->lowered.wall_rel) < 0.2 * without->raised.wall_rel);
    assert_true(fabs(at_limit->raised.wall_rel) < 1e-4);
    double others = 0;
    for (int i = 0; i < held.s.n_source; i++)
        if (&held.s.sources[i] != at_limit) {
            const wsk_spread_source *src = &held.s.sources[i];
            const double most = fmax(fmax(src->raised.wall_rel, src->lowered.wall_rel), 0);
            others += most * most;
        }
    assert_near(held.s.above.wall_rel, sqrt(others), 1e-6);
    drop(&held);
    drop(&free);
}

/* The chance of throttling depends only on the uncertainty of the margin towards the throttle temperature. */
static void test_chance_takes_the_side_of_the_limit(void **state)
{
    (void)state;
    assert_near(wsk_spread_chance(0, 3, 9), 0.5, 1e-12);
    assert_near(wsk_spread_chance(5, 3, 0), 0.5 * erfc(5 / sqrt(2 * (9 + 4.0))), 1e-12);
    assert_near(wsk_spread_chance(5, 3, 50), wsk_spread_chance(5, 3, 0), 1e-12);
    assert_near(wsk_spread_chance(-5, 50, 3), 1 - wsk_spread_chance(5, 3, 50), 1e-12);
}

/* A card that has shut down is cold, but counts as having reached its shutdown temperature, not as safe from heat. */
static void test_a_rig_that_shuts_down(void **state)
{
    (void)state;
    static const char *const limits[] = {"gpu.power-limit=100W", "gpu.power-limit=350W"};
    for (size_t i = 0; i < 2; i++) {
        spread_case c = solve(RIG_AT("speed='600 rpm'", "<gpu part='gpu/l40s' slot='1'/>"), limits[i]);
        assert_true(c.s.off && c.s.base.shut == 1);
        assert_near(c.s.base.die_max_c, c.s.net->cards[0].gpu->shutdown_k - WSK_KELVIN, 1e-9);
        assert_near(c.s.above.die_k, 0, 1e-9);
        assert_true(c.s.base.margin_k < 0 && c.s.throttles > 0.5);
        char *page = wsk_test_check(c.rig);
        if (!strstr(page, "the rig shuts down from heat") || strstr(page, "within these uncertainties"))
            fail_msg("%s", page);
        wsk_text_free(page);
        drop(&c);
    }
}

/* An error that makes a card shut down counts as a hotter die, up to its shutdown temperature, not as the colder die
 * of a card that is off. The rest of the rig stays on, however many such errors there are. The chance of throttling
 * does not fall as the room gets hotter. */
static void test_a_card_that_may_shut_down(void **state)
{
    (void)state;
    static const char *const rooms[] = {"site.room.temperature=20degC", "site.room.temperature=30degC",
                                        "site.room.temperature=36degC"};
    static const char xml[] =
        "<rig><site supply='230 V'><room temperature='29 degC'/></site><chassis part='chassis/mid-tower-mesh'>"
        "<fan part='fan/generic-120-1500' at='rear' speed='600 rpm'/><gpu part='gpu/rtx-3070' slot='1'/>"
        "<gpu part='gpu/rtx-3070' slot='3'/></chassis><workload kind='constant' class='training'/></rig>";
    double before = 0;
    bool may = false;
    for (size_t i = 0; i < 3; i++) {
        spread_case c = solve(xml, rooms[i]);
        const double shut_c = c.s.net->cards[0].gpu->shutdown_k - WSK_KELVIN;
        for (int k = 0; k < c.s.n_source; k++) {
            const wsk_spread_source *src = &c.s.sources[k];
            may = may || fabs(src->lowered.die_k) > 8 || fabs(src->raised.die_k) > 8;
            assert_true(c.s.base.die_max_c + fmax(src->lowered.die_k, src->raised.die_k) < shut_c + 0.5);
            assert_true(c.s.base.die_max_c + fmin(src->lowered.die_k, src->raised.die_k) > 40);
        }
        assert_true(c.s.below.wall_rel <= c.s.base.cards + 1e-12);
        if (!(c.s.throttles > before - 0.01))
            fail_msg("%s: chance %.3f, %.3f in a cooler room", rooms[i], c.s.throttles, before);
        before = c.s.throttles;
        drop(&c);
    }
    assert_true(may);
}

/* Several uncertain inputs can each shut down the card, which draws less than half of the rig's power. Together they
 * cannot take away more than the card's power, so the range of the rig's power begins near the power without the card,
 * not near 0. */
static void test_a_minor_card_that_may_shut_down(void **state)
{
    (void)state;
    static const char xml[] =
        "<rig><site supply='230 V'><room temperature='25 degC'/></site><chassis part='chassis/full-tower-8-slot'>"
        "<fan part='fan/generic-120-1500' at='front' count='3'/><fan part='fan/generic-120-1500' at='rear'/>"
        "<psu part='psu/evga-1600-p2'/><cpu part='cpu/xeon-w-2255'/><gpu part='gpu/rtx-4090' slot='1' fan='5 %'/>"
        "</chassis><workload kind='constant' class='training'/></rig>";
    spread_case c = solve(xml, NULL), off = solve(xml, "gpu.fan=2%");
    assert_true(c.s.base.shut == 0 && c.s.base.cards < 0.5);
    assert_near(c.s.base.die_max_c + c.s.above.die_k, c.s.net->cards[0].gpu->shutdown_k - WSK_KELVIN, 1e-9);
    assert_int_equal(off.s.base.shut, 1);
    const double least_w = c.s.base.wall_w * (1 - c.s.below.wall_rel),
                 left_w = off.s.base.wall_w * (1 - off.s.below.wall_rel);
    assert_true(least_w < off.s.base.wall_w);
    if (!(least_w > left_w))
        fail_msg("down to %.0f W; without the card %.0f W are drawn, at least %.0f", least_w, off.s.base.wall_w,
                 left_w);
    drop(&c);
    drop(&off);
}

/* After a run of two hours in which fans fail: uncertainty of the results, share of work lost to heat (low, lost,
 * high) and chance of throttling. */
typedef struct {
    wsk_bands bands;
    double low, lost, high, chance;
} told;

#define CLOSED \
    "<rig><site supply='230 V'><room temperature='24 degC'/></site><chassis part='chassis/mid-tower-closed'>" \
    "<fan part='fan/generic-120-1500' at='front' count='3'/><fan part='fan/generic-120-1500' at='rear'/>" \
    "<psu part='psu/tier-gold-1600'/><cpu part='cpu/generic-workstation'/>%s</chassis><workload kind='training' " \
    "class='training'/><run for='2 h'/></rig>"

static told tell(const char *cards, const char *const *sets, size_t n)
{
    char xml[2000];
    snprintf(xml, sizeof xml, CLOSED, cards);
    wsk_rig *rig = wsk_test_rig_sets(xml, sets, n);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 7200);
    wsk_test_advance(run, 7200);
    assert_int_equal(wsk_bands_find(run), WSK_OK);
    assert_non_null(run->bands);
    wsk_summary *s = NULL;
    assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
    told t = {.bands = *run->bands,
              .low = wsk_summary_number(s, WSK_R_LOST_LOW, 0),
              .lost = wsk_summary_number(s, WSK_R_LOST, 0),
              .high = wsk_summary_number(s, WSK_R_LOST_HIGH, 0),
              .chance = wsk_summary_number(s, WSK_R_THROTTLE_CHANCE, 0)};
    wsk_summary_free(s);
    wsk_run_free(run);
    wsk_rig_free(rig);
    return t;
}

static double width(const told *t)
{
    return t->bands.below.die_k + t->bands.above.die_k;
}

static told with_fans_failing(const char *time)
{
    char front[60], rear[60];
    const char *const sets[] = {front, rear};
    snprintf(front, sizeof front, "chassis.fan[0].fails-at=%s", time);
    snprintf(rear, sizeof rear, "chassis.fan[1].fails-at=%s", time);
    return tell("<gpu part='gpu/rtx-3090' slot='1' power-limit='280 W'/>", sets, 2);
}

/* Each of several errors may cost this card, which gets little air, nearly all of its work. Together they cost no more
 * than all of it. */
static void test_no_more_than_all_of_the_work(void **state)
{
    (void)state;
    spread_case c = solve("<rig><site supply='230 V'><room temperature='25 degC'/></site>"
                          "<chassis part='chassis/mid-tower'><fan part='fan/arctic-p12' at='front'/>"
                          "<fan part='fan/arctic-p12' at='rear'/><psu part='psu/tier-gold-850'/>"
                          "<cpu part='cpu/generic-desktop'/><gpu part='gpu/v100-pcie' slot='1'/></chassis>"
                          "<workload class='prefill'/></rig>",
                          NULL);
    double sum = 0;
    for (int i = 0; i < c.s.n_source; i++) {
        const double least = fmin(fmin(c.s.sources[i].lowered.work_rel, c.s.sources[i].raised.work_rel), 0);
        sum += least * least;
    }
    assert_true(sqrt(sum) > 1);
    assert_true(c.s.below.work_rel == 1);
    assert_true(c.s.below.site_rel <= 1 && c.s.below.wall_rel <= 1 && c.s.below.per_work_rel <= 1);
    drop(&c);
}

static void test_bands_are_of_the_rig_that_ran(void **state)
{
    (void)state;
    const told first = with_fans_failing("0 s"), second = with_fans_failing("1 s"),
               half = with_fans_failing("55 min"), late = with_fans_failing("100 min"),
               last = with_fans_failing("119 min"), never = with_fans_failing("3 h");
    assert_true(first.chance > 0.9 && first.high - first.low > 0.2);
    assert_true(fabs(second.chance - first.chance) < 0.001 && fabs(width(&second) - width(&first)) < 0.001);
    assert_true(fabs(second.high - second.low - (first.high - first.low)) < 0.01);
    /* With failed fans, heat holds the card at its target temperature, so no error makes it much hotter. */
    assert_true(never.chance < 0.2 && never.bands.above.die_k > 2 * first.bands.above.die_k);
    /* fans that fail after 55 min: the lost work has about half the range, and the chance of throttling is that of
     * failed fans */
    assert_true(half.chance == first.chance && half.lost > 0.05);
    assert_true(half.high - half.low > 0.4 * (first.high - first.low) &&
                half.high - half.low < first.high - first.low);
    /* the maximum of the die comes from the time after the failure, however short it is */
    assert_near(late.bands.above.die_k, first.bands.above.die_k, 0.001);
    assert_true(last.lost == 0 && last.chance == never.chance && width(&last) == width(&never));
}

/* After one card is lost the job waits, so the other card is cold. */
static void test_bands_after_a_lost_card(void **state)
{
    (void)state;
    static const char cards[] =
        "<gpu part='gpu/rtx-3090-blower' slot='1'/><gpu part='gpu/rtx-3090-blower' slot='3'/>";
    static const char *const first[] = {"gpu[1].lost-at=0 s"}, *const second[] = {"gpu[1].lost-at=1 s"};
    const told a = tell(cards, first, 1), b = tell(cards, second, 1), whole = tell(cards, NULL, 0);
    assert_true(whole.chance > 1e-6);
    assert_true(a.chance < 1e-9 && fabs(b.chance - a.chance) < 1e-9);
    assert_true(fabs(width(&b) - width(&a)) < 0.001 && fabs(width(&b) - width(&whole)) > 0.05);
}

/* Wall power, W, as mean of a day and at the steady point, each with the upper end of its uncertainty above it. */
typedef struct {
    double day, day_above, point, point_above;
} doubt;

static doubt tell_day(const char *workload)
{
    static const char form[] =
        "<rig><site supply='230 V'><room temperature='25 degC'/></site><chassis part='chassis/mid-tower-mesh'>"
        "<fan part='fan/generic-120-1500' at='front' count='2'/><gpu part='gpu/rtx-3090' slot='1' power-limit='280 "
        "W'/>"
        "</chassis><workload class='training' %s/><run start='steady'/></rig>";
    char xml[2000];
    snprintf(xml, sizeof xml, form, workload);
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 86400);
    wsk_arena *arena = wsk_arena_new();
    wsk_spreads s;
    wsk_summary *summary = NULL;
    wsk_test_advance(run, 86400);
    assert_int_equal(wsk_bands_find(run), WSK_OK);
    assert_int_equal(wsk_run_summary(&summary, run, 0), WSK_OK);
    assert_int_equal(wsk_spreads_solve(&s, arena, run->net, WSK_STEPPER_FAST), WSK_OK);
    const double day = wsk_summary_wall_w(summary), high = wsk_summary_number(summary, WSK_R_WALL_HIGH, 0);
    const doubt d = {day, high - day, s.base.wall_w, s.above.wall_rel * s.base.wall_w};
    wsk_summary_free(summary);
    wsk_arena_free(arena);
    wsk_run_free(run);
    wsk_rig_free(rig);
    return d;
}

/* The uncertainty of a day's mean power lies between that of the working and that of the idle machine. */
static void test_a_day_that_mostly_rests(void **state)
{
    (void)state;
    const doubt six_hours = tell_day("kind='inference' load-curve='0 h:100 %, 6 h:100 %, 6.01 h:0 %, 23.99 h:0 %'"),
                always = tell_day("kind='constant'"), never = tell_day("kind='constant' load='0 %'"),
                often = tell_day("kind='inference' load-curve='0 h:95 %, 12 h:100 %'");
    assert_true(never.point < 0.2 * always.point);
    assert_near(six_hours.day, 0.25 * always.point + 0.75 * never.point, 0.01 * six_hours.day);
    assert_near(six_hours.point, always.point, 0.001 * always.point);
    /* upper bound: all errors of work and rest are common; lower bound: all are independent */
    assert_true(six_hours.day_above < 1.01 * (0.25 * always.point_above + 0.75 * never.point_above));
    assert_true(six_hours.day_above > 0.99 * hypot(0.25 * always.point_above, 0.75 * never.point_above));
    /* the relative uncertainty of the working machine alone would give little more than half of this */
    assert_true(six_hours.day_above > 1.9 * six_hours.day * always.point_above / always.point);
    assert_near(never.day_above, never.point_above, 0.01 * never.point_above);
    assert_near(always.day_above, always.point_above, 0.01 * always.point_above);
    assert_near(often.day_above / often.day, often.point_above / often.point, 1e-4);
}

/* A quantity read by the caller's function has the same effects as a built-in result, also in a rig whose card fans
 * start and stop, and for inputs with so small an effect that only one end is solved. */
static void further_quantities(void **state)
{
    (void)state;
    const wsk_spread_reader wall = {read_wall, NULL};
    wsk_rig *rig = NULL;
    wsk_spreads s;
    wsk_arena *arena = wsk_arena_new();
    int moved = 0;
    assert_int_equal(wsk_rig_load(&rig, &(wsk_rig_options){.path = "scenarios/llama-70b-2x3090/one-4090.xml",
                                                           .parts_dir = "parts"}),
                     WSK_OK);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 10);
    assert_int_equal(
        wsk_spreads_solve_with(&s, arena, run->net, WSK_STEPPER_FAST, &(wsk_spread_how){.reader = &wall}), WSK_OK);
    for (int i = 0; i < s.n_source; i++) {
        assert_near(s.sources[i].more[0] / s.base.wall_w, s.sources[i].mean.wall_rel, 1e-5);
        moved += s.sources[i].mean.wall_rel != 0;
    }
    assert_true(moved > 5);
    wsk_run_free(run);
    wsk_arena_free(arena);
    wsk_rig_free(rig);
}

/* The energy per work changes by the ratio of the changes of power and work. A rig without work has no energy per
 * work, so no input changes it. */
static void test_energy_per_work(void **state)
{
    (void)state;
    spread_case busy = solve(RIG("<gpu part='gpu/rtx-5070' slot='1' power-limit='200 W'/>"), NULL),
                none = solve(RIG("<psu part='psu/tier-gold-750'/><load dc='300 W'/>"), NULL);
    int moved = 0;
    for (int i = 0; i < busy.s.n_source; i++)
        for (int way = 0; way < 2; way++) {
            const wsk_effects *e = way ? &busy.s.sources[i].raised : &busy.s.sources[i].lowered;
            const double rel = (1 + e->wall_rel) / (1 + e->work_rel) - 1;
            assert_near(e->per_work_rel, rel, 1e-5 + 0.01 * fabs(rel));
            moved += fabs(e->work_rel) > 0.001;
        }
    assert_true(moved > 0);
    assert_true(none.s.n_source > 0 && none.s.half.wall_rel > 0.001);
    for (int i = 0; i < none.s.n_source; i++)
        assert_true(none.s.sources[i].raised.per_work_rel == 0 && none.s.sources[i].lowered.per_work_rel == 0);
    assert_true(none.s.half.per_work_rel == 0);
    drop(&busy);
    drop(&none);
}

/* In a settled rig whose die temperature cycles, the margin is the same at any time of the cycle. */
static void margin_at_any_phase(void **state)
{
    (void)state;
    double hottest = -INFINITY, coldest = INFINITY, most = -INFINITY, least = INFINITY;
    bool cycling;
    wsk_run *run = NULL;
    wsk_rig *rig = NULL;
    assert_int_equal(wsk_rig_load(&rig, &(wsk_rig_options){.path = "scenarios/side-panel/open-air-open.xml",
                                                           .parts_dir = "parts"}),
                     WSK_OK);
    wsk_run *first = wsk_test_run(rig, WSK_STEPPER_FAST, 10);
    assert_int_equal(wsk_steady_solve(&run, first->net, WSK_STEPPER_FAST, &cycling, NULL, NULL), WSK_OK);
    for (int i = 0; i < 60; i++) {
        const double margin = wsk_spread_margin_k(run);
        most = fmax(most, margin), least = fmin(least, margin);
        hottest = fmax(hottest, run->cards[0].die_k), coldest = fmin(coldest, run->cards[0].die_k);
        assert_int_equal(wsk_run_advance(run, wsk_time_s(run) + 1), WSK_OK);
    }
    assert_true(hottest - coldest > 0.2);
    assert_true(most - least < 0.02);
    wsk_run_free(run);
    wsk_run_free(first);
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(margin_at_any_phase),
        cmocka_unit_test(further_quantities),
        cmocka_unit_test(test_a_jump_is_no_shutdown),
        cmocka_unit_test(test_draw_at_the_limit),
        cmocka_unit_test(test_no_more_than_the_bandwidth),
        cmocka_unit_test(test_no_more_than_the_limit),
        cmocka_unit_test(test_chance_takes_the_side_of_the_limit),
        cmocka_unit_test(test_a_card_that_may_shut_down),
        cmocka_unit_test(test_a_minor_card_that_may_shut_down),
        cmocka_unit_test(test_a_rig_that_shuts_down),
        cmocka_unit_test(test_no_more_than_all_of_the_work),
        cmocka_unit_test(test_bands_are_of_the_rig_that_ran),
        cmocka_unit_test(test_bands_after_a_lost_card),
        cmocka_unit_test(test_a_day_that_mostly_rests),
        cmocka_unit_test(test_energy_per_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
