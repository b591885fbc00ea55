/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/bench.h"
#include "sim/books/books.h"
#include "sim/study/kit/verdict.h"
#include "sim/step/step.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "tests/support/dice.h"

static wsk_run *judged(const wsk_rig *rig, double for_s)
{
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, for_s);
    wsk_test_advance(run, for_s);
    assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
    return run;
}

static const char *said(const wsk_run *run, const wsk_said *said)
{
    return wsk_said_english(run->arena, said);
}

static char *advice_of(const wsk_run *run)
{
    char *text = NULL;
    assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
    return text;
}

static const char attic[] = "<rig><site supply='230 V' circuit='16 A'><room volume='60 m3' conductance='80 "
                            "W/K'><outdoor mean='20 degC' swing='0 K'/></room>"
                            "<tariff kind='flat' price='0.3 USD/kWh'/></site><chassis "
                            "part='chassis/workstation-12-slot'><fan part='fan/generic-120-1500' count='3'/>"
                            "<fan part='fan/generic-120-1500' at='rear'/><psu part='psu/tier-gold-1600'/><gpu "
                            "part='gpu/rtx-2080' slot='1'/><gpu part='gpu/rtx-2080' slot='3'/>"
                            "</chassis><workload class='training'/><run from='2026-08-03T00:00:00' for='1 d'/></rig>";

typedef struct {
    double work, heat_share, wall_w, cooling_w;
} point;

/* c: an advised change that is applied first; NULL: none. */
static point point_of(const char *xml, double outdoors_c, const wsk_change *c)
{
    char set[40];
    const char *sets[130] = {set};
    size_t n = 1;
    snprintf(set, sizeof set, "outdoor.mean=%.9f degC", outdoors_c);
    for (size_t i = 0; c && i < c->n_sets; i++)
        sets[n++] = c->sets[i];
    wsk_rig *rig = wsk_test_rig_sets(xml, sets, n);
    wsk_run *start = wsk_test_run(rig, WSK_STEPPER_FAST, 3600), *run = NULL;
    bool cycling;
    assert_int_equal(wsk_steady_solve(&run, start->net, WSK_STEPPER_FAST, &cycling, NULL, NULL), WSK_OK);
    point p = {.wall_w = wsk_var_mean(run, WSK_VAR_WALL_W, 0),
               .cooling_w = run->net->ac ? wsk_var_mean(run, WSK_VAR_AC_W, 0) : 0};
    for (int i = 0; i < run->net->n_card; i++) {
        p.work += wsk_sum_value(&run->cards[i].work) / wsk_window_s(run);
        p.heat_share = fmax(p.heat_share, wsk_heat_throttle_s(&run->cards[i]) / wsk_window_s(run));
    }
    wsk_run_free(run);
    wsk_run_free(start);
    wsk_rig_free(rig);
    return p;
}

static point at(double outdoors_c, const wsk_change *c)
{
    return point_of(attic, outdoors_c, c);
}

/* wall_w of a change is the power of the rig only. The yearly cost of a change also includes the air conditioner,
 * which removes the rig's heat. */
static void the_wall_is_not_the_air_conditioner(void **state)
{
    (void)state;
    char xml[sizeof attic + 200], words[64];
    const char *room = strstr(attic, "</room>");
    snprintf(xml, sizeof xml, "%.*s<air-conditioner capacity='3 kW' setpoint='20 degC'/>%s", (int)(room - attic),
             attic, room);
    wsk_rig *rig = wsk_test_rig_sets(xml, NULL, 0);
    wsk_run *run = judged(rig, 4 * 3600);
    char *text = advice_of(run);
    const wsk_advice *a = run->advice;
    const point was = point_of(xml, 20, NULL);
    const wsk_ledger *l = &run->books->ledger;
    double mean_w =
        (wsk_sum_value(&l->wall) + wsk_sum_value(&l->side) + wsk_sum_value(&l->cooling_electric)) / (4 * 3600);
    double busy = fmin(1, mean_w / (was.wall_w + was.cooling_w)), moved = 0;
    for (int i = 0; i < a->n + a->n_vain; i++) {
        const wsk_change *c = i < a->n ? &a->changes[i] : &a->vain[i - a->n];
        const point is = point_of(xml, 20, c);
        assert_near(c->wall_w, is.wall_w - was.wall_w, 1e-6);
        assert_near(c->year, busy * 0.3 * 8.76 * (is.wall_w + is.cooling_w - was.wall_w - was.cooling_w),
                    0.01 * fabs(c->year) + 0.01);
        moved = fmax(moved, fabs(is.cooling_w - was.cooling_w));
        snprintf(words, sizeof words, "wall power %+.0f W", is.wall_w - was.wall_w);
        assert_true(fabs(c->wall_w) < 0.5 || strstr(text, words));
    }
    assert_true(was.cooling_w > 50 && moved > 5);
    wsk_text_free(text);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

/* The rig is cool at the mean outdoor temperature but throttles from heat in the afternoon: verdict and advice must
 * both mention the heat. */
static void the_hottest_hour_counts(void **state)
{
    (void)state;
    double mean_c = -20, swing_k = 6;
    char sine[2][48];
    /* the lowest mean temperature at which the rig throttles while outdoor air is 3 K above the mean */
    while (mean_c < 50 && !(at(mean_c + 3, NULL).heat_share > 0.01))
        mean_c += 1;
    assert_true(mean_c < 50 && at(mean_c, NULL).heat_share < 0.01);
    snprintf(sine[0], sizeof sine[0], "outdoor.mean=%.3f degC", mean_c);
    snprintf(sine[1], sizeof sine[1], "outdoor.swing=%.3f K", swing_k);
    const char *sets[] = {sine[0], sine[1]};
    wsk_rig *rig = wsk_test_rig_sets(attic, sets, 2);
    wsk_run *run = judged(rig, 86400);
    char *text = advice_of(run), *still = NULL;
    const wsk_advice *a = run->advice;
    int cures = 0;
    if (!strstr(text, "Throttling from heat: ") || !a->now.throttles || !a->basis ||
        !strstr(text, said(run, a->basis)))
        fail_msg("%s", text);
    for (int i = 0; i < a->n; i++) {
        const wsk_change *c = &a->changes[i];
        if ((at(mean_c + swing_k, c).heat_share > 0.01) != c->then.throttles)
            fail_msg("%s at %.0f degC: %s", said(run, c->what), mean_c + swing_k, text);
        cures += !c->then.throttles;
    }
    assert_true(cures > 0 && strstr(text, "no throttling"));
    /* advice without a run does not know the outdoor temperature at an hour of the day */
    assert_int_equal(wsk_rig_advice(rig, &still), WSK_OK);
    assert_null(strstr(still, "outdoors"));
    wsk_text_free(still);
    wsk_text_free(text);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static void effects_are_those_of_the_runs_weather(void **state)
{
    (void)state;
    const char *sets[] = {"outdoor.swing=12 K", "outdoor.mean=24 degC", "run.from=2026-08-03T12:00:00"};
    wsk_rig *rig = wsk_test_rig_sets(attic, sets, 3);
    wsk_run *run = judged(rig, 6 * 3600);
    const wsk_advice *a = run->advice;
    double mean_c = wsk_var_mean(run, WSK_VAR_OUTDOOR_C, 0), before = at(mean_c, NULL).work;
    assert_true(mean_c > 33 && a->n > 0);
    for (int i = 0; i < a->n; i++) {
        /* A heat-limited card settles at one of two neighbouring clock steps, half a per cent of work apart, and 0.05
         * K decide which. */
        double off = INFINITY;
        for (int k = -1; k <= 1; k++)
            off = fmin(off, fabs(a->changes[i].work_rel - (at(mean_c + 0.1 * k, &a->changes[i]).work / before - 1)));
        assert_near(off, 0, 5e-4);
    }
    assert_true(fabs(a->changes[0].work_rel - (at(24, &a->changes[0]).work / at(24, NULL).work - 1)) > 5e-3);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

/* Outdoor air is too hot for ventilation to help. With an air conditioner of the advised capacity the room stays below
 * its limit, with 0.4 of it not. */
static void the_cooling_named_is_enough(void **state)
{
    (void)state;
    char xml[sizeof attic + 200];
    const char *sets[] = {"outdoor.mean=33 degC", "outdoor.swing=4 K"};
    wsk_rig *rig = wsk_test_rig_sets(attic, sets, 2);
    wsk_run *run = judged(rig, 86400);
    char *text = advice_of(run);
    double need_w = run->advice->cooling_w;
    if (!(need_w > 0) || !strstr(text, "an air conditioner of "))
        fail_msg("%s", text);
    wsk_text_free(text);
    wsk_run_free(run);
    wsk_rig_free(rig);
    for (int less = 0; less < 2; less++) {
        const char *room = strstr(attic, "</room>");
        snprintf(xml, sizeof xml, "%.*s<air-conditioner capacity='%.0f W' setpoint='28 degC'/>%s",
                 (int)(room - attic), attic, (less ? 0.4 : 1) * need_w, room);
        rig = wsk_test_rig_sets(xml, sets, 2);
        run = judged(rig, 86400);
        const double high = wsk_var_high(run, WSK_VAR_ROOM_C, 0);
        if ((high > WSK_HOT_ROOM_C) != (less > 0))
            fail_msg("%.0f W: %.2f degC", (less ? 0.4 : 1) * need_w, high);
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
}

/* The advised ventilation, a multiple of the room's conductance, removes the unthrottled rig's heat at 14 K above
 * outdoor air, 1 K below the room's limit. A multiple smaller by one would exceed the limit. */
static void the_airing_named_is_enough(void **state)
{
    (void)state;
    const double full_w = at(-10, NULL).wall_w; /* at -10 degC outdoors no card throttles */
    for (double g = 10; g <= 14; g += 4) {
        char set[40], phrase[60];
        snprintf(set, sizeof set, "room.conductance=%g W/K", g);
        wsk_rig *rig = wsk_test_rig_sets(attic, (const char *[]){set}, 1);
        wsk_run *run = judged(rig, 86400);
        char *text = advice_of(run);
        const double times = ceil(full_w / (g * (WSK_HOT_ROOM_C - 1 - 20)));
        assert_true(times > 2 && full_w / (g * (times - 1)) > WSK_HOT_ROOM_C - 20);
        snprintf(phrase, sizeof phrase, "the room aired %g times as well", times);
        if (!strstr(text, phrase))
            fail_msg("no \"%s\" at %.0f W: %s", phrase, full_w, text);
        wsk_text_free(text);
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
}

/* The room has 31 degC in the mean and 38 degC at noon. If it is aired twice as well, it has 33 degC at noon. That
 * costs nothing, so it is advised, not listed as a trade-off, and no air conditioner is needed. */
static void a_room_hot_at_noon_is_aired(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig("<rig><site supply='230 V'><room volume='60 m3' conductance='150 W/K'>"
                                "<outdoor mean='20 degC' swing='7 K'/></room></site><chassis kind='frame'>"
                                "<psu kind='constant' rated='2000 W' efficiency='90 %'/><load dc='1500 W'/></chassis>"
                                "<run for='1 d'/></rig>",
                                NULL);
    wsk_run *run = judged(rig, 86400);
    const wsk_advice *a = run->advice;
    char *text = advice_of(run);
    if (!a->now.room_hot || a->n < 1 || a->changes[0].then.room_hot || !isnan(a->cooling_w) ||
        !strstr(text, "the room aired 2 times as well") || strstr(text, "rade-off"))
        fail_msg("%s", text);
    wsk_text_free(text);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

/* For a shed with a wall conductance of 10 kW/K no air conditioner is advised in a heat wave, because it would have
 * to cool the outdoors. */
static void nobody_cools_the_outdoors(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_sets(
        attic, (const char *[]){"outdoor.mean=40 degC", "outdoor.swing=2 K", "room.conductance=10000 W/K"}, 3);
    wsk_run *run = judged(rig, 86400);
    char *text = advice_of(run);
    if (!run->advice->now.room_hot || !isnan(run->advice->cooling_w) || strstr(text, "air conditioner of"))
        fail_msg("%s", text);
    wsk_text_free(text);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static void a_given_room_is_made_cooler(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_sets(attic, (const char *[]){"room.temperature=38 degC"}, 1);
    wsk_run *run = judged(rig, 3600);
    const wsk_advice *a = run->advice;
    char *text = advice_of(run);
    assert_true(a->now.room_hot && isnan(a->cooling_w) && !strstr(text, "air conditioner"));
    for (int i = 0; i < a->n; i++)
        assert_true(a->changes[i].then.room_hot == !strstr(said(run, a->changes[i].what), "a room 5 K cooler"));
    if (!strstr(text, "the room then stays below 35 degC"))
        fail_msg("%s", text);
    wsk_text_free(text);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static bool fails(const wsk_ills *i)
{
    return i->trip >= 0.005 || i->over_w > 0 || i->over_psu_w > 0 || i->over_feed > 0 || i->shuts_down || i->braked;
}

/* Returns true if the rig would trip and a listed change removes all of its failures. */
static bool check_told(const wsk_run *run, const char *name)
{
    const wsk_advice *a = run->advice;
    bool cured = false, untripped = false;
    for (int i = 0; i < a->n; i++) {
        cured = cured || !fails(&a->changes[i].then);
        untripped = untripped || a->changes[i].then.trip < 0.005;
    }
    char *text = advice_of(run);
    if (strstr(text, "nan") || strstr(text, " -0 "))
        fail_msg("%s:\n%s", name, text);
    for (int i = 0; i < a->n + a->n_vain; i++) {
        const wsk_change *c = i < a->n ? &a->changes[i] : &a->vain[i - a->n];
        const wsk_ills *then = &c->then, *now = &a->now;
        if (i < a->n && ((cured && fails(then)) || (untripped && then->trip >= 0.005)))
            fail_msg("%s: %s still fails beside a cure:\n%s", name, said(run, c->what), text);
        if (then->trip > now->trip + 0.005 || then->over_w > now->over_w + 1 ||
            then->over_psu_w > now->over_psu_w + 1 || (then->throttles && !now->throttles && !now->shuts_down) ||
            (then->braked && !now->braked) || then->shuts_down)
            fail_msg("%s: %s brings a new problem or leaves a shutdown:\n%s", name, said(run, c->what), text);
        if (i < a->n && then->room_hot && !(now->room_hot || fails(now) || now->throttles || now->parts_hot))
            fail_msg("%s: %s overheats the room of a rig without problems:\n%s", name, said(run, c->what), text);
        if (i < a->n && fails(now) && fails(then) &&
            !(then->trip < 0.75 * now->trip || then->over_w < 0.75 * now->over_w ||
              then->over_psu_w < 0.75 * now->over_psu_w || now->braked))
            fail_msg("%s: %s lessens no failure:\n%s", name, said(run, c->what), text);
    }
    wsk_text_free(text);
    return cured && a->now.trip >= 0.005;
}

static void check_done(const char *path, const wsk_run *run, double for_s)
{
    for (int i = 0; i < run->advice->n; i++) {
        const wsk_change *c = &run->advice->changes[i];
        const wsk_rig_options o = {.path = path, .parts_dir = "parts", .sets = c->sets, .set_count = c->n_sets};
        const wsk_run_options how = {.duration_s = for_s, .leap = true};
        wsk_rig *rig = NULL;
        wsk_run *changed = NULL;
        assert_int_equal(wsk_rig_load(&rig, &o), WSK_OK);
        assert_int_equal(wsk_run_new(&changed, rig, &how), WSK_OK);
        wsk_test_advance(changed, for_s);
        for (int k = 0; k < changed->net->n_card; k++)
            if (!c->then.throttles && wsk_heat_throttle_s(&changed->cards[k]) > 0.01 * for_s)
                fail_msg("%s: with %s %s throttles", path, said(run, c->what), changed->net->cards[k].id);
        assert_true(c->then.shuts_down || changed->head->shutdowns == 0);
        wsk_run_free(changed);
        wsk_rig_free(rig);
    }
}

static void check_scenario(const char *path)
{
    wsk_rig *rig = wsk_test_rig_file(path);
    wsk_run *run = judged(rig, 4 * 3600);
    check_told(run, path);
    check_done(path, run, 4 * 3600);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static void no_scenario_is_told_half_a_cure(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob("scenarios/*/*.xml", 0, NULL, &found), 0);
    for (size_t i = 0; i<found.gl_pathc; i += wsk_test_cases(100, 1)> 1 ? 1 : 5)
        check_scenario(found.gl_pathv[i]);
    globfree(&found);
    check_scenario("scenarios/mining-frame/rig.xml");
}

static void no_random_rig_is_told_half_a_cure(void **state)
{
    (void)state;
    static const char *const cards[] = {"gpu/rtx-3090-blower", "gpu/rtx-2080", "gpu/rtx-3090", "gpu/rtx-2080-blower"};
    static const char *const sites[] = {"supply='120 V' circuit='15 A'", "supply='230 V' circuit='10 A'",
                                        "supply='100 V' circuit='15 A'", "supply='230 V'",
                                        "supply='120 V' circuit='10 A'"};
    static const int sizes_w[] = {550, 750, 1000, 1200, 1600};
    wsk_dice d = {.seed = 7};
    int cured = 0;
    for (int k = 0; k < wsk_test_cases(40, 8); k++) {
        char xml[2000], name[40];
        int n = wsk_pick(&d, 1, 4), size = sizes_w[wsk_pick(&d, 0, 4)], card = wsk_pick(&d, 0, 3);
        int len =
            snprintf(xml, sizeof xml,
                     "<rig><site %s><room temperature='%.0f degC'/><tariff kind='flat' price='0.3 USD/kWh'/></site>"
                     "<chassis part='chassis/workstation-12-slot'><fan part='fan/generic-120-1500' count='3'/><fan "
                     "part='fan/generic-120-1500' at='rear'/>"
                     "<psu part='psu/tier-bronze-%d'/>",
                     sites[wsk_pick(&d, 0, 4)], wsk_draw(&d, 15, 40), size);
        for (int i = 0; i < n; i++)
            len += snprintf(xml + len, sizeof xml - (size_t)len, "<gpu part='%s' slot='%d'%s/>", cards[card],
                            1 + 3 * i, wsk_chance(&d, 0.1) ? " fan-fails-at='10 min'" : "");
        snprintf(xml + len, sizeof xml - (size_t)len, "</chassis><workload class='training'/><run for='1 h'/></rig>");
        snprintf(name, sizeof name, "random rig %d", k);
        wsk_rig *rig = wsk_test_rig_sets(xml, NULL, 0);
        wsk_run *run = judged(rig, 3600);
        cured += check_told(run, name);
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
    assert_true(cured >= wsk_test_cases(5, 1));
}

static void a_dead_rig_is_offered_nothing_but_cures(void **state)
{
    (void)state;
    static const char pump[] =
        "<rig><site supply='120 V' circuit='15 A'><room temperature='24 degC'/><tariff kind='flat' price='0.3 "
        "USD/kWh'/></site><chassis part='chassis/full-tower-8-slot'>"
        "<psu part='psu/tier-bronze-1200'/><cpu part='cpu/xeon-w-2255'/><fan part='fan/generic-140-1200' "
        "at='rear'/><loop><pump part='pump/d5' fails-at='10 min'/>"
        "<radiator part='radiator/generic-360' at='top' direction='exhaust'><fan "
        "part='fan/generic-120-2000-radiator' count='3'/></radiator></loop>"
        "<gpu part='gpu/rtx-3090' slot='1'><cooler part='cooler/block-rtx-3090'/></gpu></chassis><workload "
        "class='training'/><run for='2 h'/></rig>";
    wsk_rig *rig = wsk_test_rig_sets(pump, NULL, 0);
    wsk_run *run = judged(rig, 7200);
    char *text = advice_of(run);
    assert_true(run->head->shutdowns > 0);
    check_told(run, "pump");
    if (run->advice->n || run->advice->n_vain || !strstr(text, "; replace each failed part") ||
        strstr(text, " PSU ("))
        fail_msg("%s", text);
    wsk_text_free(text);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static bool said_of(const char *text, const char *what, const char *words)
{
    const char *line = strstr(text, what), *at = line ? strstr(line, words) : NULL;
    assert_non_null(line);
    return at && at < strchr(line, '\n');
}

static void cures_and_costs_are_named(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/quad-2080-openair/rig.xml");
    wsk_run *run = judged(rig, 4 * 3600);
    char *text = advice_of(run);
    int cures = 0, louder = 0;
    for (int i = 0; i < run->advice->n; i++) {
        const wsk_change *c = &run->advice->changes[i];
        double dba = wsk_dba(run->books->noise_s / wsk_window_s(run)) + c->noise_db;
        if (said_of(text, said(run, c->what), "no throttling") != (!c->then.throttles && !(c->chance > 0.2)) ||
            said_of(text, said(run, c->what), "then too loud for a desk") != (round(dba) > 55))
            fail_msg("%s at %.1f dBA:\n%s", said(run, c->what), dba, text);
        cures += !c->then.throttles;
        louder += c->then.loud;
    }
    assert_true(cures >= 2 && louder >= 1);
    wsk_text_free(text);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

/* In this scenario no card throttles from heat, and yet more air flow brings more work: the text must explain that
 * cooler cards clock higher. */
static void more_work_without_heat_is_explained(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/mining-frame/rig.xml");
    wsk_run *run = judged(rig, 86400);
    char *text = advice_of(run);
    assert_true(strstr(text, "No card throttles from heat") && !strstr(text, "heat -") && run->advice->n > 0 &&
                run->advice->changes[0].work_rel > 0.01);
    if (!strstr(text, "cooler cards clock higher") || !strstr(text, "the room then stays below 35 degC"))
        fail_msg("%s", text);
    wsk_text_free(text);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

/* Nobody sits beside a server, so no advised change for a server costs more than 1 % of the work only to lower the
 * noise: such a change must save at least three times that share of the power at the wall. */
static void no_work_is_given_for_a_servers_noise(void **state)
{
    (void)state;
    static const char *const paths[] = {"scenarios/h100-4u/rig.xml", "scenarios/sxm-air-vs-liquid/air.xml"};
    for (int k = 0; k < 2; k++) {
        wsk_rig *rig = wsk_test_rig_file(paths[k]);
        wsk_run *run = judged(rig, 3600);
        for (int i = 0; i < run->advice->n; i++) {
            const wsk_change *c = &run->advice->changes[i];
            if (c->work_rel < -0.01 && c->wall_w > 3 * c->work_rel * run->wall_w)
                fail_msg("%s: %s", paths[k], said(run, c->what));
        }
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_wall_is_not_the_air_conditioner),
        cmocka_unit_test(the_hottest_hour_counts),
        cmocka_unit_test(effects_are_those_of_the_runs_weather),
        cmocka_unit_test(the_cooling_named_is_enough),
        cmocka_unit_test(the_airing_named_is_enough),
        cmocka_unit_test(a_room_hot_at_noon_is_aired),
        cmocka_unit_test(nobody_cools_the_outdoors),
        cmocka_unit_test(a_given_room_is_made_cooler),
        cmocka_unit_test(no_scenario_is_told_half_a_cure),
        cmocka_unit_test(no_random_rig_is_told_half_a_cure),
        cmocka_unit_test(a_dead_rig_is_offered_nothing_but_cures),
        cmocka_unit_test(cures_and_costs_are_named),
        cmocka_unit_test(more_work_without_heat_is_explained),
        cmocka_unit_test(no_work_is_given_for_a_servers_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
