/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The controls of a card state bounds for the conditions within which they would give the same values, and are not
 * evaluated while conditions stay within these bounds: the card rests. The tests check that evaluating the controls
 * would not have changed anything. */
#include <math.h>
#include <string.h>

#include "sim/books/books.h"
#include "tests/support/bench.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"

static int cases(void)
{
    return wsk_test_cases(60, 6);
}

/* A governor states for how long, and within which temperatures, its clock limit holds. Evaluating the governor
 * again within these bounds must not change the limit. */
static void test_governors_rest(void **state)
{
    (void)state;
    int free = 0, held = 0, dwelt = 0, at_work = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)cases(); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed, .least_cards = 1});
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 10);
        const wsk_card *c = &run->net->cards[0];
        for (uint64_t turn = 0; turn < 200; turn++) {
            double top = run->cards[0].governor[0].cap_hz, die = 273.15 + 30 + 80 * wsk_random(seed, 1, turn);
            wsk_governor_input in = {.die_k = die,
                                     .hotspot_k = die + 20 * wsk_random(seed, 2, turn),
                                     .memory_k = die + 10,
                                     .elapsed_s = 1,
                                     .clock_hz = top,
                                     .lowest_hz = wsk_random(seed, 8, turn) < 0.2 ? 0.7 * top : 0,
                                     .brake = wsk_random(seed, 3, turn) < 0.1};
            for (int g = 0; g < c->n_governors; g++) {
                wsk_governor_state s = {.cap_hz = wsk_random(seed, 4, turn) < 0.7 ? top : 0.8 * top,
                                        .hold_s = 10 * wsk_random(seed, 5, turn),
                                        .last_k = 1000 + 20 * wsk_random(seed, 6, turn)};
                const wsk_governor_rest r = c->governors[g].ops->rest(c->governors[g].params, c->gpu, &s, &in);
                const bool rests = r.rise_k > 0 && r.fall_k > 0 && r.for_s > 0;
                const double cap = s.cap_hz;
                at_work += !rests;
                free += rests && cap == top;
                held += rests && cap < top && r.fall_k < INFINITY;
                dwelt += rests && r.for_s < INFINITY;
                for (uint64_t ask = 0; rests && ask < 20 && (double)(ask + 1) < r.for_s; ask++) {
                    double u = wsk_random(seed + turn, 7, ask),
                           by = u < 0.5 ? -1.999 * u * fmin(r.fall_k, 100) : 1.999 * (u - 0.5) * fmin(r.rise_k, 100);
                    wsk_governor_input then = in;
                    then.die_k += by;
                    then.hotspot_k += by;
                    then.memory_k += by;
                    c->governors[g].ops->next(c->governors[g].params, c->gpu, &s, &then);
                    if (s.cap_hz != cap)
                        fail_msg("seed %llu: %s moved its cap %.3f K off, after %d s, within its rest of -%.3f to "
                                 "%.3f K, %.1f s",
                                 (unsigned long long)seed, c->governors[g].ops->reason, by, (int)ask + 1, r.fall_k,
                                 r.rise_k, r.for_s);
                }
            }
        }
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
    assert_true(free > 100 && held > 10 && dwelt > 100 && at_work > 100);
}

/* Advances a run, evaluating every card at each tick. Returns false if a part left the model's range. */
static bool ask_all(wsk_run *run, double until_s)
{
    while (wsk_run_time(run) < until_s) {
        wsk_wake(run);
        if (!wsk_test_try(run, wsk_run_time(run) + 1))
            return false;
    }
    return true;
}

/* Difference of two runs in units of the tolerance: the largest of energy (1e-4 relative), mean GPU temperature (0.1
 * K) and work (1e-3 relative). */
static double parted(const wsk_run *a, const wsk_run *b)
{
    double wall = wsk_sum_value(&b->books->ledger.wall),
           far = wall > 0 ? fabs(wsk_sum_value(&a->books->ledger.wall) - wall) / wall / 1e-4 : 0;
    for (int i = 0; i < a->net->n_card; i++) {
        far = fmax(far, fabs(wsk_var_mean(a, WSK_VAR_CARD_DIE_C, i) - wsk_var_mean(b, WSK_VAR_CARD_DIE_C, i)) / 0.1);
        far = fmax(far, fabs(wsk_var_mean(a, WSK_VAR_CARD_WORK_REL, i) - wsk_var_mean(b, WSK_VAR_CARD_WORK_REL, i)) /
                            1e-3);
    }
    return far;
}

typedef struct {
    double far; /* result of parted(); 0 if a part left the model's range */
    bool hot;
    int rested;
} with_and_without;

static with_and_without rest(const wsk_rig *rig, double span_s)
{
    with_and_without w = {0};
    wsk_run *a = wsk_test_run(rig, WSK_STEPPER_FAST, span_s), *b = wsk_test_run(rig, WSK_STEPPER_FAST, span_s);
    bool whole = true;
    for (double t = 1; t <= span_s && whole; t++) {
        whole = wsk_test_try(a, t);
        w.rested += !a->now.awake;
    }
    if (whole && ask_all(b, span_s))
        w.far = parted(a, b);
    for (int i = 0; i < b->net->n_card; i++)
        w.hot = w.hot || wsk_heat_throttle_s(&b->cards[i]) > 0;
    wsk_run_free(a);
    wsk_run_free(b);
    return w;
}

static void test_rest_changes_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)cases(); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed, .least_cards = 1});
        with_and_without w = rest(rig, 3600);
        if (!(w.far <= 1))
            fail_msg("seed %llu: runs with and without rest differ by %.2g times the tolerance",
                     (unsigned long long)seed, w.far);
        wsk_rig_free(rig);
    }
}

static bool caps_agree(const wsk_run *a, const wsk_run *b)
{
    for (int i = 0; i < a->net->n_card; i++)
        if (a->cards[i].cap_hz != b->cards[i].cap_hz)
            return false;
    return true;
}

/* After its dwell a governor raises the clock unless the temperature has risen since its last decision. If rest skipped
 * that decision, the governor would compare with an older temperature and might wait for another period. */
static void test_clocks_rise_in_the_same_second(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)cases(); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed, .least_cards = 7});
        wsk_run *a = wsk_test_run(rig, WSK_STEPPER_FAST, 3600), *b = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
        for (double t = 1; t <= 3600 && wsk_test_try(a, t) && ask_all(b, t); t++)
            if (!caps_agree(a, b))
                fail_msg("seed %llu: at %.0f s a clock is limited otherwise than in a run without rest",
                         (unsigned long long)seed, t);
        wsk_run_free(a);
        wsk_run_free(b);
        wsk_rig_free(rig);
    }
}

/* Controls of random rigs seldom rest. In the rigs of this test they rest often, because the cards are at their
 * power limit, throttled by heat, idle, or off. */
static void test_settled_rigs_rest(void **state)
{
    (void)state;
    const struct {
        const char *path, *set;
        bool hot;
        double least; /* least share of ticks in which the controls of all cards rest */
    } rigs[] = {{"scenarios/quad-3090-blower/rig.xml", "gpu[*].power-limit=280W", false, 0.5},
                {"scenarios/quad-3090-blower/rig.xml", "gpu[*].power-limit=320W", true, 0.5},
                {"scenarios/h100-4u/rig.xml", NULL, false, 0.5},
                {"scenarios/time-of-use-night/night.xml", NULL, false, 0.5}, /* cards work at night, idle by day */
                {"scenarios/time-of-use-night/always.xml", "workload.load-curve=0h:30%", false,
                 0.3},                                              /* inference: the cards idle for a share of each
                                                                     * second */
                {"scenarios/fan-dies/blower.xml", NULL, true, 0.3}, /* a card shuts down after three hours */
                {"scenarios/water-3090/rig.xml", NULL, false, 0.5}};
    const double span_s = 6 * 3600;
    for (size_t i = 0; i < sizeof rigs / sizeof *rigs; i++) {
        wsk_rig *rig = NULL;
        wsk_rig_options o = {
            .path = rigs[i].path, .parts_dir = "parts", .sets = &rigs[i].set, .set_count = rigs[i].set != NULL};
        assert_int_equal(wsk_rig_load(&rig, &o), WSK_OK);
        with_and_without w = rest(rig, span_s);
        if (!(w.rested > rigs[i].least * span_s && w.far <= 0.2 && w.hot == rigs[i].hot))
            fail_msg("%s, %s: at rest for %d of %.0f s%s; %.2g times the tolerance", rigs[i].path, rigs[i].set,
                     w.rested, span_s, w.hot ? ", held by heat" : "", w.far);
        wsk_rig_free(rig);
    }
}

static void test_fan_bands_are_tight(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 20000; n++) {
        double hysteresis = wsk_random(1, 1, n) < 0.5 ? floor(6 * wsk_random(1, 2, n)) : 6 * wsk_random(1, 2, n);
        double before = WSK_KELVIN +
                        (wsk_random(1, 3, n) < 0.5 ? floor(90 * wsk_random(1, 4, n)) : 90 * wsk_random(1, 4, n)),
               low, high;
        wsk_fan_band(before, hysteresis, &low, &high);
        /* With a hysteresis below one degree there may be no band in which the fan's reference temperature stays. */
        if (!(low < high)) {
            assert_true(hysteresis < 1 && wsk_fan_reference(before, high, hysteresis) != before);
            continue;
        }
        double in = low + (high - low) * wsk_random(1, 5, n), above = high + 2e-5, below = low - 2e-5;
        assert_true(wsk_fan_reference(before, in, hysteresis) == before);
        assert_true(wsk_fan_reference(before, low, hysteresis) == before &&
                    wsk_fan_reference(before, high, hysteresis) == before);
        assert_true(wsk_fan_reference(before, above, hysteresis) > before);
        assert_true(wsk_fan_reference(before, below, hysteresis) != before);
    }
}

/* In a run of a day the processor exceeds its temperature limit while the controls of the cards rest. The processor
 * must throttle and recover as if all cards were evaluated at each tick. */
static void processor_throttles(const char *path, const char *const *sets, size_t n_sets, bool back)
{
    const double day = 86400;
    wsk_rig *rig = NULL;
    wsk_rig_options o = {.path = path, .parts_dir = "parts", .sets = sets, .set_count = n_sets};
    assert_int_equal(wsk_rig_load(&rig, &o), WSK_OK);
    wsk_run *a = wsk_test_run(rig, WSK_STEPPER_FAST, day), *b = wsk_test_run(rig, WSK_STEPPER_FAST, day);
    int rested = 0, throttled = 0, rises = 0;
    for (double t = 1; t <= day; t++) {
        const double before = a->cases[0].cpu_share;
        wsk_test_advance(a, t);
        rested += a->now.quiet;
        throttled += a->cases[0].cpu_share < 1;
        rises += a->cases[0].cpu_share > before;
        wsk_wake(b);
        wsk_test_advance(b, t);
        if (!(fabs(a->cases[0].cpu_share - b->cases[0].cpu_share) <= 1e-9))
            fail_msg("at %.0f s the processor may draw %.3f of its power; evaluated at each tick, %.3f", t,
                     a->cases[0].cpu_share, b->cases[0].cpu_share);
    }
    if (!(rested > 3600 && throttled > 3600 && (rises > 10) == back))
        fail_msg("%s: at rest for %d s, throttled for %d, %d steps back", path, rested, throttled, rises);
    wsk_run_free(a);
    wsk_run_free(b);
    wsk_rig_free(rig);
}

static void test_processor_throttles_at_rest(void **state)
{
    (void)state;
    processor_throttles("scenarios/quad-3090-blower/rig.xml",
                        (const char *const[]){"cpu.limit-temperature=54.98degC", "workload.checkpoint-every=1d"}, 2,
                        false);
}

static void test_processor_comes_back_at_rest(void **state)
{
    (void)state;
    processor_throttles(
        "scenarios/time-of-use-night/always.xml",
        (const char *const[]){"cpu.limit-temperature=50degC", "workload.load-curve=0h:100%,6h:0%,12h:80%,18h:10%"}, 2,
        true);
}

/* An idle card that warms up leaks more; its power must rise in small steps although its controls rest. */
static void test_idle_watts_follow_the_die(void **state)
{
    (void)state;
    wsk_rig *rig =
        wsk_test_rig("<rig><site><room temperature='30 degC'/></site><chassis part='chassis/full-tower-8-slot'>"
                     "<psu part='psu/evga-1600-p2'/><gpu part='gpu/rtx-3090-blower' slot='1'/></chassis></rig>",
                     NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 4 * 3600);
    wsk_test_advance(run, 1);
    const double first = run->cards[0].power_w, die_k = run->cards[0].die_k;
    double before = first;
    for (double t = 2; t <= 4 * 3600; t++) {
        wsk_test_advance(run, t);
        if (t > 10 && !(fabs(run->cards[0].power_w - before) <= 0.02))
            fail_msg("at %.0f s an idle card draws %.3f W after %.3f W", t, run->cards[0].power_w, before);
        before = run->cards[0].power_w;
    }
    assert_true(run->cards[0].die_k > die_k + 3 && before > first + 0.1);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static void test_cooling_follows_the_weather(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/quad-3090-blower/rig.xml");
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 86400);
    const wsk_net *net = run->net;
    for (double t = 3617; t < 86400; t += 3617) {
        wsk_test_advance(run, t);
        assert_true(run->ac_heat_w > 100);
        assert_near(run->ac_heat_w / run->ac_w, net->ac_ops->cop(net->ac, run->t[net->outdoor]), 1e-4);
    }
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static void test_rest_ends_when_it_must(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/quad-3090-blower/rig.xml");
    const struct {
        const char *name;
        double value;
        const char *shows;
    } acts[] = {{"gpu1.power_limit_w", 200, "gpu1.power_w"},
                {"gpu1.power_w", 50, "gpu1.power_w"},
                {"gpu1.fan_rpm", 3500, "gpu1.fan_rpm"},
                {"gpu1.clock_mhz", 900, "gpu1.clock_mhz"}};
    for (size_t k = 0; k < sizeof acts / sizeof *acts; k++) {
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 86400);
        wsk_test_advance(run, 40000);
        for (int t = 0; t < 3600 && run->now.awake; t++)
            wsk_test_advance(run, wsk_run_time(run) + 1);
        assert_false(run->now.awake);
        assert_int_equal(wsk_run_set(run, acts[k].name, acts[k].value), WSK_OK);
        wsk_test_advance(run, wsk_run_time(run) + 1);
        double before = wsk_test_get(run, "gpu0.power_w"), shows = wsk_test_get(run, acts[k].shows);
        if (!(shows <= acts[k].value * 1.001))
            fail_msg("%s = %g: still %g a tick later", acts[k].name, acts[k].value, shows);
        wsk_test_advance(run, wsk_run_time(run) + 3600);
        /* NAN removes the pin that was set before; the power limit is raised to 280 W */
        assert_int_equal(wsk_run_set(run, acts[k].name, k ? (double)NAN : 280), WSK_OK);
        wsk_test_advance(run, wsk_run_time(run) + (strstr(acts[k].name, "fan") ? 30 : 1));
        shows = wsk_test_get(run, acts[k].shows);
        if (!(shows > acts[k].value * 1.05))
            fail_msg("%s, let go: still %g (its neighbour draws %.1f W)", acts[k].name, shows, before);
        wsk_run_free(run);
    }
    wsk_rig_free(rig);
}

static void test_restored_at_rest(void **state)
{
    (void)state;
    wsk_rig *rig = NULL;
    const char *const sets[] = {"gpu[gpu1].fan-fails-at=40000s"};
    wsk_rig_options o = {
        .path = "scenarios/quad-3090-blower/rig.xml", .parts_dir = "parts", .sets = sets, .set_count = 1};
    assert_int_equal(wsk_rig_load(&rig, &o), WSK_OK);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 86400), *other = wsk_test_run(rig, WSK_STEPPER_FAST, 86400);
    int rested = 0;
    wsk_test_advance(run, 39980);
    for (double t = 39981; t < 40060; t++) {
        size_t len[2];
        char *saved = wsk_test_save(run, &len[0]), *again;
        assert_int_equal(wsk_run_restore(other, saved, len[0]), WSK_OK);
        wsk_text_free(saved);
        wsk_test_advance(run, t);
        wsk_test_advance(other, t);
        rested += !run->now.awake;
        saved = wsk_test_save(run, &len[0]);
        again = wsk_test_save(other, &len[1]);
        if (len[0] != len[1] || memcmp(saved, again, len[0]) != 0)
            fail_msg("restored a tick before %.0f s: another state", t);
        wsk_text_free(saved);
        wsk_text_free(again);
    }
    assert_true(rested > 10);
    wsk_run_free(run);
    wsk_run_free(other);
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_governors_rest),
                                       cmocka_unit_test(test_rest_changes_nothing),
                                       cmocka_unit_test(test_clocks_rise_in_the_same_second),
                                       cmocka_unit_test(test_settled_rigs_rest),
                                       cmocka_unit_test(test_fan_bands_are_tight),
                                       cmocka_unit_test(test_processor_throttles_at_rest),
                                       cmocka_unit_test(test_processor_comes_back_at_rest),
                                       cmocka_unit_test(test_idle_watts_follow_the_die),
                                       cmocka_unit_test(test_cooling_follows_the_weather),
                                       cmocka_unit_test(test_rest_ends_when_it_must),
                                       cmocka_unit_test(test_restored_at_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
