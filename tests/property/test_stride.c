/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stride skips whole cycles of the rig's inputs, such as days, when the rig's state repeats. Runs with strides are
 * compared with runs that simulate every tick: scenarios, random rigs and rigs made to fool strides must agree in
 * energy, money, carbon, work, time limited by heat, extremes and failures. With WATTSINK_SOAK all scenarios run for
 * 30 days, twelve for a year, and 300 random rigs; the largest differences are printed. Rigs whose inputs do not
 * repeat use leaps instead, which compute several ticks as one step: tests/property/test_leap.c. */
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/bench.h"
#include "tests/support/strides.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/step/stride.h"

static const double day_s = 86400;

static bool soak(void)
{
    return getenv("WATTSINK_SOAK") != NULL;
}

static void test_scenarios(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        double days;
        /* Least number of cycles that must be skipped. */
        int64_t least;
    } of[] = {{"scenarios/h100-4u/rig.xml", 7, 100},        {"scenarios/quad-3090-blower/rig.xml", 7, 100},
              {"scenarios/spacing/two-blower.xml", 7, 100}, {"scenarios/two-circuits/rig.xml", 7, 100},
              {"scenarios/fan-dies/blower.xml", 7, 100},    {"scenarios/time-of-use-night/night.xml", 10, 100},
              {"scenarios/bench-1080/blower.xml", 14, 20}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        wsk_rig *rig = wsk_test_rig_file(of[i].path);
        int64_t skipped = wsk_test_hold(of[i].path, rig, of[i].days * day_s);
        if (skipped < of[i].least)
            fail_msg("%s: only %lld cycles skipped", of[i].path, (long long)skipped);
        wsk_rig_free(rig);
    }
    wsk_test_none_wrong();
}

static const char *const twelve[] = {
    "h100-4u/rig",       "quad-3090-blower/rig", "two-circuits/rig",      "time-of-use-night/night",
    "bench-1080/blower", "spacing/four-water",   "quad-2080-openair/rig", "fan-dies/server-one",
    "own-card/rig",      "home-100v-jp/rig",     "bronze-vs-gold/tokyo",  "immersion-3090/rig"};

static void test_all_scenarios(void **state)
{
    (void)state;
    glob_t found;
    if (!soak())
        skip();
    wsk_test_print_worst("some scenarios");
    assert_int_equal(glob("scenarios/*/*.xml", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        wsk_rig *rig = wsk_test_rig_file(found.gl_pathv[i]);
        wsk_test_hold(found.gl_pathv[i], rig, 30 * day_s);
        wsk_rig_free(rig);
    }
    globfree(&found);
    wsk_test_print_worst("all scenarios for 30 days");
    for (size_t i = 0; i < sizeof twelve / sizeof *twelve; i++) {
        char path[64];
        snprintf(path, sizeof path, "scenarios/%s.xml", twelve[i]);
        wsk_rig *rig = wsk_test_rig_file(path);
        wsk_test_hold(path, rig, 365 * day_s);
        wsk_rig_free(rig);
    }
    wsk_test_print_worst("twelve scenarios for a year");
    wsk_test_none_wrong();
}

static void test_traps(void **state)
{
    (void)state;
    static const struct {
        const char *what, *path, *set;
        double days;
        bool strides; /* true: some cycles must be skipped */
    } of[] = {
        {"a fan that fails at night, on the sixth day", "scenarios/h100-4u/rig.xml", "gpu[0].fan-fails-at=5.1 d", 8,
         true},
        {"dust", "scenarios/spacing/two-blower.xml", "chassis.dust=30 %", 14, true},
        {"failures of the job", "scenarios/spacing/two-blower.xml", "workload.mtbf=40 h", 14, true},
        {"evaluations that beat with checkpoints", "scenarios/spacing/two-blower.xml",
         "workload.evaluate-every=3511 s", 4, false},
        {"evaluations that beat with checkpoints, at a clock held by heat", "scenarios/quad-2080-openair/rig.xml",
         "workload.evaluate-every=3511 s", 1, false},
        {"a demand charge by period, with summer time's end and a holiday", "scenarios/time-of-use-night/night.xml",
         "tariff=tariff/pge-commercial-tou-legacy", 20, true},
        {"power limits by the hour, with summer time's end", "scenarios/time-of-use-night/peak-limit.xml",
         "run.for=16 d", 16, true},
        {"outdoor air by the hour, with summer time's end", "scenarios/quad-3090-blower/rig.xml",
         "run.from=2026-10-26T09:17:00", 12, true},
        {"a demand charge for the highest half hour", "scenarios/time-of-use-night/evening.xml",
         "tariff=tariff/chubu-high-voltage", 10, true},
        {"a target where the clock is held by heat at times", "scenarios/spacing/two-blower.xml",
         "gpu[*].target-temperature=77 degC", 10, true},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        wsk_rig *rig = NULL;
        const char *sets[] = {of[i].set};
        const wsk_rig_options options = {.path = of[i].path, .parts_dir = "parts", .sets = sets, .set_count = 1};
        if (wsk_rig_load(&rig, &options) != WSK_OK)
            fail_msg("%s: does not load", of[i].what);
        int64_t skipped = wsk_test_hold(of[i].what, rig, of[i].days * day_s);
        if ((skipped > 0) != of[i].strides)
            fail_msg("%s: %lld cycles skipped", of[i].what, (long long)skipped);
        wsk_rig_free(rig);
    }
    if (soak())
        wsk_test_print_worst("rigs made to fool strides");
    wsk_test_none_wrong();
}

/* A stride ends at the failure, which then must not be skipped by the next one. */
static void test_failures_where_cycles_meet(void **state)
{
    (void)state;
    static const char *const sets[] = {"gpu[1].lost-at=6 h", "fan[0].fails-at=9 h", "gpu[0].fan-fails-at=6 h"};
    int64_t skipped = 0;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        wsk_rig *rig = wsk_test_rig("<rig><site supply='230 V' circuit='16 A'><room temperature='20 degC'/></site>"
                                    "<chassis part='chassis/workstation-12-slot'>"
                                    "<fan part='fan/generic-140-1500' at='front' count='3'/>"
                                    "<fan part='fan/generic-140-1500' at='rear'/><psu part='psu/tier-gold-1000'/>"
                                    "<gpu part='gpu/rtx-3060' slot='1'/><gpu part='gpu/rtx-3060' slot='6'/></chassis>"
                                    "<workload kind='constant' class='training'/></rig>",
                                    sets[i]);
        skipped += wsk_test_hold(sets[i], rig, day_s);
        wsk_rig_free(rig);
    }
    assert_true(skipped > 0);
    wsk_test_none_wrong();
}

/* A load switches with a period of 37 minutes, which has no short common multiple with the time between checkpoints. A
 * card is limited by its memory temperature, and a schedule changes power limits. */
static void test_beats(void **state)
{
    (void)state;
    wsk_rig *rig =
        wsk_test_rig("<rig><site supply='120 V' circuit='10 A'><room temperature='26 degC'/></site>"
                     "<chassis part='chassis/full-tower-8-slot'>"
                     "<fan part='fan/generic-120-1500' at='front' count='3' fails-at='48 h'/>"
                     "<fan part='fan/generic-120-1500' at='rear'/><psu part='psu/tier-bronze-850'/>"
                     "<cpu part='cpu/generic-workstation'/><gpu part='gpu/rtx-3090' slot='1' lock-clock='1200 MHz'/>"
                     "<gpu part='gpu/rtx-3090' slot='4' limit-schedule='7:00:220 W, 22:00:245 W'/>"
                     "<load ac='200 W' dc='40 W' duty='50 %' period='37 min'/></chassis>"
                     "<workload kind='training' class='training' checkpoint-every='45 min' checkpoint-takes='30 s'"
                     " evaluate-every='1 d'/></rig>",
                     NULL);
    assert_int_equal(wsk_test_hold("a load that beats with checkpoints", rig, 4 * day_s), 0);
    wsk_rig_free(rig);
    wsk_test_none_wrong();
}

/* After a failure of the job, checkpoints count from the end of the restart. Other inputs keep fixed times: limits and
 * demand windows by the clock, a switching load from the start of the run. So cycles begin at other phases of these
 * inputs after a failure. */
static void test_restarts_among_fixed_times(void **state)
{
    (void)state;
    static const struct {
        const char *what, *room, *demand, *card, *load, *from;
        double days;
    } of[] = {{"restarts under limits by the hour", "temperature='24 degC'/>", "from='16:00' to='21:00'",
               "limit-schedule='0 h:350 W, 16 h:150 W, 21 h:350 W'", "", "2026-08-03T00:00:00", 18},
              {"restarts beside a load that switches", "temperature='24 degC'/>", "", "power-limit='250 W'",
               "<load ac='500 W' duty='50 %' period='1 h'/>", "2026-08-24T00:00:00", 16},
              {"restarts beside a load that switches, outdoor air by the hour",
               "><outdoor mean='15 degC' swing='4 K'/></room>", "", "power-limit='250 W'",
               "<load ac='500 W' duty='50 %' period='1 h'/>", "2026-08-03T00:00:07", 16}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char text[1600];
        snprintf(text, sizeof text,
                 "<rig><site supply='230 V' circuit='16 A'><room %s<tariff kind='time-of-use'>"
                 "<period name='peak' price='0.9 USD/kWh' from='16:30' to='17:00'/>"
                 "<period name='off' price='0.1 USD/kWh'/>"
                 "<demand price='20 USD/kW/month' window='15 min' %s/></tariff></site>"
                 "<chassis part='chassis/workstation-12-slot'>"
                 "<fan part='fan/generic-120-3000' at='front' count='3'/>"
                 "<fan part='fan/generic-120-1500' at='rear'/><psu part='psu/tier-gold-1600'/>"
                 "<gpu part='gpu/rtx-3090-blower' slot='1' %s/>%s</chassis>"
                 "<workload kind='training' class='training' checkpoint-every='50 min' checkpoint-takes='10 min'"
                 " mtbf='100 h' restart-takes='12 min'/><run from='%s' zone='America/Los_Angeles'/></rig>",
                 of[i].room, of[i].demand, of[i].card, of[i].load, of[i].from);
        wsk_rig *rig = wsk_test_rig(text, NULL);
        const int64_t skipped = wsk_test_hold(of[i].what, rig, of[i].days * day_s);
        if (skipped == 0)
            fail_msg("%s: no cycle skipped", of[i].what);
        wsk_rig_free(rig);
    }
    wsk_test_none_wrong();
}

/* changes: changes of the clock in the second year. Before and after each about a day and a half is simulated, because
 * strides take whole days and the times of the day shift. */
static void second_year_is_short(const wsk_rig *rig, const char *name, double most_steps, double changes)
{
    double steps[2], cycles[2];
    for (int years = 1; years <= 2; years++) {
        wsk_run *run = wsk_test_start(rig, years * 365 * day_s, true);
        wsk_test_advance(run, years * 365 * day_s);
        steps[years - 1] = (double)run->head->tick;
        cycles[years - 1] = (double)run->stride->head->simulated;
        assert_true(wsk_residual(run) <= 1e-9);
        wsk_run_free(run);
    }
    const double by_change = changes * 40 / cycles[0];
    if (!(steps[1] < (1.3 + by_change) * steps[0]) || !(steps[0] < most_steps))
        fail_msg("%s: a year takes %.0f steps, two take %.0f", name, steps[0], steps[1]);
}

/* Cycles of 60 min and 7 to 105 s are no whole minutes, at which natural convection is updated. */
static void test_length_of_uneven_cycles(void **state)
{
    (void)state;
    static const char *const takes[] = {"90 s", "45 s", "20 s", "105 s", "10 s", "7 s"}, *const limits[] = {"300 W",
                                                                                                            "250 W",
                                                                                                            "350 W"};
    for (size_t i = 0; i < sizeof takes / sizeof *takes; i++)
        for (size_t k = 0; k < (getenv("WATTSINK_SHORT") ? 1 : sizeof limits / sizeof *limits); k++) {
            char checkpoint[64], limit[64], name[64];
            snprintf(checkpoint, sizeof checkpoint, "workload.checkpoint-takes=%s", takes[i]);
            snprintf(limit, sizeof limit, "gpu[*].power-limit=%s", limits[k]);
            snprintf(name, sizeof name, "checkpoints of %s at %s", takes[i], limits[k]);
            const char *const sets[] = {checkpoint, limit};
            wsk_rig *rig = NULL;
            assert_int_equal(wsk_rig_load(&rig, &(wsk_rig_options){.path = "scenarios/h100-4u/rig.xml",
                                                                   .parts_dir = "parts",
                                                                   .sets = sets,
                                                                   .set_count = 2}),
                             WSK_OK);
            second_year_is_short(rig, name, 1e6, 0);
            wsk_rig_free(rig);
        }
}

/* Where the room's temperature is given, outdoor air matters to no part, but its temperature is among the results: with
 * a daily swing a day must be simulated, and no more of the cycles after it than without. */
static void test_air_that_reaches_no_part(void **state)
{
    (void)state;
    int64_t simulated[2];
    for (int k = 0; k < 2; k++) {
        const char *const swing = k ? "room.outdoor.swing=8 K" : "room.outdoor.swing=0 K";
        const char text[] =
            "<rig><site supply='120 V'><room temperature='24 degC'><outdoor mean='18 degC'/></room></site>"
            "<chassis part='chassis/mid-tower'><fan part='fan/generic-120-1500' at='front' count='2'/>"
            "<psu part='psu/tier-gold-850'/><cpu part='cpu/generic-desktop'/>"
            "<gpu part='gpu/rtx-3090-blower' slot='1'/></chassis>"
            "<workload kind='training' checkpoint-every='1 h' checkpoint-takes='90 s'/></rig>";
        wsk_rig *rig = wsk_test_rig_sets(text, &swing, 1);
        wsk_run *run = wsk_test_start(rig, 30 * day_s, true);
        wsk_test_advance(run, 30 * day_s);
        simulated[k] = run->stride->head->simulated;
        wsk_test_drop(run, rig);
    }
    assert_true(simulated[0] < 30 && simulated[1] < 100);
}

/* A second year takes few more steps, because repeated cycles are skipped. */
static void test_length(void **state)
{
    (void)state;
    for (size_t i = 0; i < (getenv("WATTSINK_SHORT") ? 2 : sizeof twelve / sizeof *twelve); i++) {
        char path[64];
        snprintf(path, sizeof path, "scenarios/%s.xml", twelve[i]);
        wsk_rig *rig = wsk_test_rig_file(path);
        second_year_is_short(rig, path, 1e6, strstr(path, "night") ? 2 : 0); /* California */
        wsk_rig_free(rig);
    }
}

/* Outdoor air follows the time of day, but the fan's hysteresis or heat at the clock's edge makes each day a little
 * different. Such days are then compared by their weather. */
static void test_days_that_do_not_repeat(void **state)
{
    (void)state;
    static const char *const paths[] = {"scenarios/single-3090/rig.xml", "scenarios/home-100v-jp/four-200v.xml",
                                        "scenarios/home-100v-jp/four-100v.xml"};
    for (size_t i = 0; i < (getenv("WATTSINK_SHORT") ? 1 : sizeof paths / sizeof *paths); i++) {
        wsk_rig *rig = wsk_test_rig_file(paths[i]);
        second_year_is_short(rig, paths[i], 6e6, 0); /* no leaps while heat limits clocks */
        if (i == 0 || soak()) {
            const int64_t skipped = wsk_test_hold(paths[i], rig, 100 * day_s);
            if (skipped < 1000)
                fail_msg("%s: only %lld cycles skipped", paths[i], (long long)skipped);
        }
        if (i == 0) {
            size_t n;
            wsk_text_free(wsk_test_pieces(rig, 95 * day_s, 3.3 * day_s, &n));
        }
        wsk_rig_free(rig);
    }
    wsk_test_none_wrong();
}

static void test_pieces_and_resume(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/time-of-use-night/peak-limit.xml"); /* summer time ends in this run */
    const double end = 7 * day_s;
    size_t n;
    wsk_text_free(wsk_test_pieces(rig, 12 * day_s, 12345, &n));
    wsk_rig_free(rig);
    rig = wsk_test_rig_file("scenarios/titan-positions/bottom.xml"); /* its fans hunt, so that cycles are merged */
    wsk_text_free(wsk_test_pieces(rig, 8 * day_s, 12345, &n));
    wsk_rig_free(rig);
    rig = wsk_test_rig_file("scenarios/quad-3090-blower/rig.xml");
    char *a = wsk_test_pieces(rig, end, 12345, &n);
    wsk_run *leaps = NULL;
    assert_int_equal(wsk_run_new(&leaps, rig, &(wsk_run_options){.duration_s = end, .leap = true}), WSK_OK);
    assert_int_equal(wsk_run_restore(leaps, a, n), WSK_EINPUT);
    wsk_text_free(a);
    wsk_run_free(leaps);
    wsk_rig_free(rig);
}

static void test_series(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/quad-3090-blower/rig.xml");
    const double end = 7 * day_s;
    wsk_run *a = wsk_test_start(rig, end, false), *b = wsk_test_start(rig, end, true);
    wsk_test_advance(a, end);
    wsk_test_advance(b, end);
    assert_int_equal(a->books->n_buckets, b->books->n_buckets);
    const int n = a->variables->n, energy = wsk_variable_at(a->variables, WSK_VAR_ENERGY_KWH, 0),
              cost = wsk_variable_at(a->variables, WSK_VAR_COST, 0),
              wall = wsk_variable_at(a->variables, WSK_VAR_WALL_W, 0);
    for (int64_t r = 0; r < a->books->n_buckets; r++) {
        const double *x = wsk_bucket(a, r), *y = wsk_bucket(b, r);
        assert_true(x[0] == y[0]);
        assert_rel(y[1 + n + wall], x[1 + n + wall], 0.1);
        for (int k = 0; k < 2; k++) {
            /* indices of minimum, mean and maximum in a row, which may be partly skipped */
            const int least = 1 + (k ? cost : energy), mean = least + n, most = mean + n;
            for (int at = least; at <= most; at += n)
                if (!(fabs(x[at] - y[at]) <= 0.01 * x[at] + 0.05))
                    fail_msg("row %lld: %g, with strides %g", (long long)r, x[at], y[at]);
            const double before = r ? wsk_bucket(b, r - 1)[most] : 0, rounding = 1e-9 * (1 + y[most]);
            if (y[least] < before - rounding || y[mean] < y[least] - rounding || y[most] < y[mean] - rounding)
                fail_msg("row %lld: %g after %g, mean %g, most %g", (long long)r, y[least], before, y[mean], y[most]);
        }
    }
    char *csv = NULL;
    assert_int_equal(wsk_run_series_csv(b, &csv), WSK_OK);
    assert_non_null(strstr(csv, ",skipped.min,skipped.mean,skipped.max\n"));
    assert_non_null(strstr(csv, ",1,1,1\n"));
    wsk_text_free(csv);
    wsk_run_free(a);
    wsk_run_free(b);
    wsk_rig_free(rig);
}

/* Skipped rows, whole or in part, must have the energy and room temperature of their own time of the day. Tested with
 * power that follows the time of the day, and with strides that begin within a row. */
static void test_series_of_uneven_days(void **state)
{
    (void)state;
    static const char *const of[][2] = {
        {"limit-schedule='0 h:350 W, 16 h:150 W, 21 h:350 W'", "kind='constant'"},
        {"lost-at='7.13 d'", "kind='training' checkpoint-every='1 h' checkpoint-takes='90 s'"}};
    int64_t in_part = 0;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char text[1200];
        snprintf(text, sizeof text,
                 "<rig><site supply='230 V' circuit='16 A'><room volume='40 m3' conductance='60 W/K'>"
                 "<outdoor mean='22 degC' swing='5 K'/><air-conditioner capacity='2.8 kW' setpoint='26 degC'/></room>"
                 "</site><chassis part='chassis/workstation-12-slot'>"
                 "<fan part='fan/generic-120-3000' at='front' count='3'/>"
                 "<fan part='fan/generic-120-1500' at='rear'/><psu part='psu/tier-gold-1600'/>"
                 "<gpu part='gpu/rtx-3090-blower' slot='1'/><gpu part='gpu/rtx-3090-blower' slot='5' %s/></chassis>"
                 "<workload class='training' %s/><run from='2026-08-03T09:17:00' zone='Europe/Berlin'/></rig>",
                 of[i][0], of[i][1]);
        wsk_rig *rig = wsk_test_rig(text, NULL);
        const double end = 14 * day_s;
        wsk_run *a = wsk_test_start(rig, end, false), *b = wsk_test_start(rig, end, true);
        wsk_test_advance(a, end);
        wsk_test_advance(b, end);
        const int n = a->variables->n, energy = 1 + n + wsk_variable_at(a->variables, WSK_VAR_ENERGY_KWH, 0),
                  room = 1 + n + wsk_variable_at(a->variables, WSK_VAR_ROOM_C, 0);
        int64_t whole = 0;
        for (int64_t r = 0; r < a->books->n_buckets; r++) {
            const double *x = wsk_bucket(a, r), *y = wsk_bucket(b, r), from = r ? wsk_bucket(a, r - 1)[0] : 0,
                         share = wsk_skipped_share(b, (int64_t)(from * 1e9), (int64_t)(x[0] * 1e9));
            in_part += share > 0.01 && share < 0.99;
            whole += share >= 0.99;
            if (!(fabs(x[energy] - y[energy]) <= 1e-3 * x[energy] + 0.05) || !(fabs(x[room] - y[room]) <= 0.1))
                fail_msg("row %lld, skipped to %.0f %%: %g kWh and %g degC, with strides %g and %g", (long long)r,
                         100 * share, x[energy], x[room], y[energy], y[room]);
        }
        assert_true(whole > 0);
        wsk_run_free(a);
        wsk_run_free(b);
        wsk_rig_free(rig);
    }
    assert_true(in_part > 0);
}

static wsk_rig *load_warmer(const void *seed, double warmer_k)
{
    return wsk_test_random(&(wsk_random_rig_spec){.seed = *(const uint64_t *)seed, .warmer_k = warmer_k});
}

static void test_random_rigs(void **state)
{
    (void)state;
    int64_t skipped = 0;
    const uint64_t last = soak() ? 300 : getenv("WATTSINK_SHORT") ? 4 : 20;
    /* Random rigs that are hard for strides: in rig 123 a fan rests at either of two speeds, in rig 190 the solver
     * finds another air flow a bit later each day for five days, and in rig 267 governors are at their thresholds
     * all the time. */
    static const uint64_t odd[] = {123, 190, 267};
    for (uint64_t k = 1; k <= last + (soak() ? 0 : sizeof odd / sizeof *odd); k++) {
        const uint64_t seed = k <= last ? k : odd[k - last - 1];
        char what[32];
        wsk_rig *rig = load_warmer(&seed, 0);
        snprintf(what, sizeof what, "seed %llu", (unsigned long long)seed);
        skipped += wsk_test_hold_in(what, rig, 10 * day_s, &(wsk_test_weather){load_warmer, &seed});
        wsk_rig_free(rig);
    }
    if (soak())
        wsk_test_print_worst("random rigs for 10 days");
    assert_true(skipped > 0);
    wsk_test_none_wrong();
    wsk_test_estimates(soak());
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scenarios),
                                       cmocka_unit_test(test_all_scenarios),
                                       cmocka_unit_test(test_traps),
                                       cmocka_unit_test(test_failures_where_cycles_meet),
                                       cmocka_unit_test(test_beats),
                                       cmocka_unit_test(test_restarts_among_fixed_times),
                                       cmocka_unit_test(test_air_that_reaches_no_part),
                                       cmocka_unit_test(test_length),
                                       cmocka_unit_test(test_length_of_uneven_cycles),
                                       cmocka_unit_test(test_days_that_do_not_repeat),
                                       cmocka_unit_test(test_pieces_and_resume),
                                       cmocka_unit_test(test_series),
                                       cmocka_unit_test(test_series_of_uneven_days),
                                       cmocka_unit_test(test_random_rigs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
