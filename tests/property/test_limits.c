/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "tests/property/governors.h"

/* At the minimum clock, below which the clock cannot go, a card may exceed its limit. */
static void test_power_keeps_its_limit(void **state)
{
    (void)state;
    int bound = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(60, 10); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed, .least_cards = 1});
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 1800);
        for (double t = 1; t <= 1800 && wsk_test_try(run, t); t++)
            for (int i = 0; i < run->net->n_card; i++) {
                const wsk_card *c = &run->net->cards[i];
                const wsk_card_state *s = &run->cards[i];
                if (!isnan(s->pin_power_w) || !isnan(s->pin_clock_hz) || s->clock_hz <= c->gpu->clock_min_hz ||
                    s->off)
                    continue;
                if (!(s->power_w <= s->held_w * (1 + 1e-9)))
                    fail_msg("seed %llu, %s at %.0f s: %.9f W over its %.9f W", (unsigned long long)seed, c->id, t,
                             s->power_w, s->held_w);
                bound += s->reasons == WSK_REASON_POWER;
            }
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
    assert_true(bound > 1000);
}

static void test_work_falls_with_the_limit(void **state)
{
    (void)state;
    glob_t parts;
    int compared = 0;
    assert_int_equal(glob("parts/gpu/*.xml", 0, NULL, &parts), 0);
    for (size_t p = 0; p < parts.gl_pathc; p++) {
        char xml[512], id[128];
        snprintf(id, sizeof id, "%s", parts.gl_pathv[p] + strlen("parts/"));
        id[strlen(id) - strlen(".xml")] = '\0';
        bool generic = strstr(id, "generic") != NULL;
        for (int cls = 0; cls < WSK_CLASS_IDLE; cls++) {
            snprintf(xml, sizeof xml,
                     "<rig><chassis slots='8'><gpu part='%s' slot='1'%s/></chassis><workload class='%s'/></rig>", id,
                     generic ? " tdp='317 W'" : "", wsk_class_names[cls]);
            wsk_rig *rig = wsk_test_rig(xml, NULL);
            wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 10);
            const wsk_card *c = &run->net->cards[0];
            for (double die = 40 + WSK_KELVIN; die < 100 + WSK_KELVIN; die += 22) {
                double before = 0;
                for (double limit = c->limit_min_w; limit <= c->limit_max_w; limit += 1.7) {
                    double f =
                        c->ops->clock_for(c->gpu, &c->cls, c->ops->held_w(c->gpu, limit), die, c->gpu->clock_knee_hz);
                    double work = c->ops->perf_rel(&c->cls, wsk_min(f, c->ops->boost_hz(c->gpu, die)));
                    if (work < before * (1 - 1e-9))
                        fail_msg("%s, %s, %.0f K: %.6f of work at %.1f W, %.6f with less", id, wsk_class_names[cls],
                                 die, work, limit, before);
                    before = work;
                    compared++;
                }
            }
            wsk_test_drop(run, rig);
        }
    }
    globfree(&parts);
    assert_true(compared > 10000);
}

/* Work per joule of an RTX 3090 was measured as best at 290 W for decode and at 250 W for prefill
 * (noonghunna/club-3090, 190-390 W in steps of 10 W). The model must agree within two steps, at the reference
 * temperature of the fit. */
static void test_the_best_limit_is_where_it_was_measured(void **state)
{
    (void)state;
    static const struct {
        const char *cls;
        double best_w;
    } sweeps[] = {{"decode", 290}, {"prefill", 250}};
    for (int i = 0; i < 2; i++) {
        char xml[256];
        snprintf(xml, sizeof xml,
                 "<rig><chassis slots='8'><gpu part='gpu/rtx-3090-open-air' slot='1'/></chassis><workload "
                 "class='%s'/></rig>",
                 sweeps[i].cls);
        wsk_rig *rig = wsk_test_rig(xml, NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 10);
        const wsk_card *c = &run->net->cards[0];
        double die = c->gpu->leakage_temp_k, best = 0, at = 0;
        for (double limit = 190; limit <= 390; limit += 10) {
            double held = c->ops->held_w(c->gpu, limit),
                   f = wsk_min(c->ops->clock_for(c->gpu, &c->cls, held, die, 1e9), c->ops->boost_hz(c->gpu, die));
            double each = c->ops->perf_rel(&c->cls, f) / c->ops->power_w(c->gpu, &c->cls, f, die, NULL);
            at = each > best ? limit : at;
            best = wsk_max(best, each);
        }
        assert_near(at, sweeps[i].best_w, 20);
        wsk_test_drop(run, rig);
    }
}

static void test_a_schedule_switches_on_the_second(void **state)
{
    (void)state;
#define SCHEDULED(by) \
    RIG(CARD("limit-schedule='" by "'", BLOWER("20 W/K")), WORK, "<run from='2026-08-03T06:59:30' for='2 d'/>")
    static const char *const xml[] = {SCHEDULED("7 h:150 W, 22.5 h:240 W"), SCHEDULED("7:00:150 W, 22:30:240 W")};
#undef SCHEDULED
    static const struct {
        double at_s, limit_w;
    } want[] = {{30, 240},
                {31, 150},
                {15.5 * 3600 + 30, 150},
                {15.5 * 3600 + 31, 240},
                {17 * 3600 + 31, 240}, /* 00:00:01 of the next day: the evening's limit holds across midnight */
                {86400 + 30, 240},
                {86400 + 31, 150},
                {86400 + 15.5 * 3600 + 31, 240}};
    for (int form = 0; form < 2; form++) {
        wsk_rig *rig = wsk_test_rig(xml[form], NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 2 * 86400);
        for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
            wsk_test_advance(run, want[i].at_s);
            assert_same(run->cards[0].limit_w, want[i].limit_w);
            assert_true(run->cards[0].power_w <= want[i].limit_w * (1 + 1e-9));
        }
        assert_true(told(run, "gpu0,power limit,schedule"));
        wsk_test_drop(run, rig);
    }
}

static void test_a_limit_that_drops_is_kept_at_once(void **state)
{
    (void)state;
    static const char xml[] =
        RIG(CARD("limit-schedule='7.004 h:150 W, 7.01 h:240 W, 7.2 h:90 W, 7.3 h:300 W'", BLOWER("20 W/K")), WORK,
            "<run from='2026-08-03T07:00:00' for='1 h'/>");
    for (int stepper = 0; stepper < 2; stepper++) {
        wsk_rig *rig = wsk_test_rig(xml, NULL);
        wsk_run *run = wsk_test_run(rig, (wsk_stepper)stepper, 3600);
        double most = 0, least = INFINITY;
        for (double t = 1; t <= 3600; t++) {
            if (t == 2000)
                assert_true(wsk_set_limit(run, 0, 110));
            wsk_test_advance(run, t);
            const wsk_card_state *s = &run->cards[0];
            if (!(s->power_w <= s->limit_w * (1 + 1e-9)))
                fail_msg("%.1f s: %.6f W over the limit of %.1f W", t, s->power_w, s->limit_w);
            most = wsk_max(most, s->power_w);
            least = wsk_min(least, s->power_w);
        }
        assert_true(most > 220 && least <= 90 * (1 + 1e-9));
        assert_true(wsk_var_high(run, WSK_VAR_CARD_POWER_W, 0) <= 300 * (1 + 1e-9));
        wsk_test_drop(run, rig);
    }
}

/* A steady point cannot follow a limit schedule; its page states the mean limit that it used, (15.5 h x 150 W + 8.5
 * h x 240 W)/24 h. */
static void test_steady_names_the_limit_it_took(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(
        RIG(CARD("power-limit='180 W' limit-schedule='7 h:150 W, 22.5 h:240 W'", BLOWER("20 W/K")), WORK, HOUR),
        NULL);
    char *json = NULL, *page = NULL;
    assert_int_equal(wsk_steady_page(rig, WSK_STEPPER_FAST, 0, NULL, &json, &page), WSK_OK);
    assert_non_null(strstr(
        page,
        "gpu0: a steady point does not follow limit-schedule; the limit taken is its mean over the day, 181.875 W"));
    assert_non_null(strstr(strstr(json, "\"warnings\""), "mean over the day, 181.875 W"));
    wsk_text_free(json);
    wsk_text_free(page);
    wsk_rig_free(rig);
}

static void test_limits_outside_the_range(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(PLAIN(""), 60, &rig);
    double before = run->cards[0].limit_w;
    assert_false(wsk_set_limit(run, 0, 89));
    assert_false(wsk_set_limit(run, 0, 301));
    assert_same(run->cards[0].limit_w, before);
    assert_true(wsk_set_limit(run, 0, 90));
    assert_true(wsk_set_limit(run, 0, NAN));
    assert_same(run->cards[0].limit_w, before);
    wsk_test_drop(run, rig);
}

static void test_floor_and_plateau(void **state)
{
    (void)state;
    static const struct {
        const char *xml;
        double power_w;
    } cases[] = {{PLAIN("power-limit='150 W'"), 150},
                 {PLAIN("power-limit='150 W' power-floor='180 W'"), 180},
                 {PLAIN("power-limit='150 W' plateau-draw='140 W' plateau-high='170 W'"), 140},
                 {PLAIN("power-limit='171 W' plateau-draw='140 W' plateau-high='170 W'"), 171},
                 {PLAIN("power-limit='139 W' plateau-draw='140 W' plateau-high='170 W'"), 139}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(cases[i].xml, 600, &rig);
        assert_rel(run->cards[0].power_w, cases[i].power_w, 1e-9);
        assert_int_equal(run->cards[0].reasons, WSK_REASON_POWER);
        wsk_test_drop(run, rig);
    }
}

typedef struct {
    double watts, clock_mhz, work;
} point;

static point point_of(const char *xml)
{
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(xml, 1800, &rig);
    point p = {run->cards[0].power_w, run->cards[0].clock_hz * 1e-6, run->cards[0].perf};
    wsk_test_drop(run, rig);
    return p;
}

static void test_lock_clock(void **state)
{
    (void)state;
    point locked = point_of(PLAIN("lock-clock='1300 MHz' leakage='0 W'"));
    assert_rel(locked.clock_mhz, 1300, 1e-12);
    assert_rel(locked.watts, 60 + 110 * 1.3 * 1.05 * 1.05, 1e-9);
    /* A locked clock above the clock that boost or the power limit allows has no effect. Work lost to a locked clock
     * counts as lost to limits, not to heat. */
    point high = point_of(PLAIN("lock-clock='5000 MHz'")), free = point_of(PLAIN(""));
    assert_same(high.clock_mhz, free.clock_mhz);
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(PLAIN("lock-clock='1300 MHz'"), 600, &rig);
    assert_same(wsk_sum_value(&run->cards[0].work), wsk_sum_value(&run->cards[0].work_cool));
    assert_true(wsk_sum_value(&run->cards[0].work) < 0.95 * wsk_sum_value(&run->cards[0].work_free));
    assert_int_equal(run->cards[0].reasons, 0);
    wsk_test_drop(run, rig);
}

static void test_undervolt(void **state)
{
    (void)state;
    const double v = 1 + 0.5 * 0.3, less = v - 0.07 / 0.7;
    point before = point_of(PLAIN("lock-clock='1500 MHz' leakage='0 W' voltage-floor='0.7 V'"));
    point after =
        point_of(PLAIN("lock-clock='1500 MHz' leakage='0 W' voltage-floor='0.7 V' voltage-offset='-70 mV'"));
    assert_same(before.clock_mhz, after.clock_mhz);
    assert_rel(before.watts - 60, 110 * 1.5 * v * v, 1e-9);
    assert_rel(after.watts - 60, 110 * 1.5 * less * less, 1e-9);
    point tight = point_of(PLAIN("power-limit='170 W'")),
          under = point_of(PLAIN("power-limit='170 W' voltage-offset='-70 mV'"));
    assert_true(under.clock_mhz > tight.clock_mhz + 50 && under.work > tight.work);
    assert_rel(under.watts, 170, 1e-9);
}

/* A clock offset shifts the whole voltage curve: at each voltage the clock is higher, also above the card's normal
 * maximum. */
static void test_clock_offset(void **state)
{
    (void)state;
    point before = point_of(PLAIN("leakage='0 W' boost-loss='0 MHz/K' lock-clock='1500 MHz'"));
    point after = point_of(PLAIN("leakage='0 W' boost-loss='0 MHz/K' lock-clock='1500 MHz' clock-offset='100 MHz'"));
    assert_rel(before.watts - 60, 110 * 1.5 * 1.15 * 1.15, 1e-9);
    assert_rel(after.watts - 60, 110 * 1.5 * 1.1 * 1.1, 1e-9);
    point cold = point_of(RIG(
        CARD("leakage='0 W' boost-loss='0 MHz/K' clock-offset='90 MHz' power-limit-max='600 W' power-limit='600 W'",
             BLOWER("90 W/K")),
        WORK, HOUR));
    assert_rel(cold.clock_mhz, 1890, 1e-12);
    static const char xml[] = RIG(
        CARD("leakage='0 W' boost-loss='0 MHz/K' clock-offset='90 MHz' power-limit-max='600 W' power-limit='600 W'",
             BLOWER("90 W/K")),
        WORK, HOUR);
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 7200);
    wsk_test_advance(run, 60);
    assert_int_equal(wsk_run_set(run, "room.air_c", 80), WSK_OK);
    wsk_test_advance(run, 660);
    assert_true(run->cards[0].clock_hz < 1.7e9);
    assert_int_equal(wsk_run_set(run, "room.air_c", 25), WSK_OK);
    wsk_test_advance(run, 7200);
    assert_rel(run->cards[0].clock_hz, 1.89e9, 1e-12);
    wsk_test_drop(run, rig);
}

/* Memory-bound work rises with the memory clock, though less than in proportion; compute-bound work hardly changes. */
static void test_memory_offset(void **state)
{
    (void)state;
    static const char *const classes[] = {"stream", "burn"};
    double gain[2];
    for (int i = 0; i < 2; i++) {
        char xml[2048];
        snprintf(xml, sizeof xml,
                 RIG(CARD("lock-clock='1300 MHz' memory-clock='9500 MHz' memory-offset='%s'", BLOWER("20 W/K")),
                     "<workload kind='constant' class='%s'/>", HOUR),
                 "0 MHz", classes[i]);
        point before = point_of(xml);
        snprintf(xml, sizeof xml,
                 RIG(CARD("lock-clock='1300 MHz' memory-clock='9500 MHz' memory-offset='%s'", BLOWER("20 W/K")),
                     "<workload kind='constant' class='%s'/>", HOUR),
                 "950 MHz", classes[i]);
        gain[i] = point_of(xml).work / before.work;
    }
    assert_true(gain[0] > 1.06 && gain[0] < 1.1);
    assert_true(gain[1] > 1 && gain[1] < 1.03);
}

static bool says(wsk_run *run, const char *on_page, const char *in_json)
{
    char *page = NULL, *json = wsk_test_summary(run);
    assert_int_equal(wsk_run_summary_text(run, &page), WSK_OK);
    bool both = strstr(page, on_page) && strstr(json, in_json);
    wsk_text_free(page);
    wsk_text_free(json);
    return both;
}

/* With fitted values the power still has a spread, because loads of a class differ; with the user's values it has
 * none. */
static void test_a_guess_is_named(void **state)
{
    (void)state;
    static const char *const work[] = {"<workload class='decode'/>", "<workload class='training'/>",
                                       "<workload class='decode' p0='60 W' c='100 W/GHz' clock-share='0.7'/>"};
    for (int i = 0; i < 3; i++) {
        char xml[4096];
        snprintf(xml, sizeof xml, RIG(CARD("", BLOWER("20 W/K")), "%s", "<run for='10 min'/>"), work[i]);
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(xml, 600, &rig);
        assert_true(
            says(run, i == 0 ? "no measurements of this card in this kind of work: throughput +-" : "Energy balance",
                 i < 2 ? "\"power_spread_rel\": 0." : "\"power_spread_rel\": null"));
        assert_true(i == 0 || !says(run, "no measurements", ""));
        wsk_test_drop(run, rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_power_keeps_its_limit),
        cmocka_unit_test(test_work_falls_with_the_limit),
        cmocka_unit_test(test_the_best_limit_is_where_it_was_measured),
        cmocka_unit_test(test_a_schedule_switches_on_the_second),
        cmocka_unit_test(test_a_limit_that_drops_is_kept_at_once),
        cmocka_unit_test(test_steady_names_the_limit_it_took),
        cmocka_unit_test(test_limits_outside_the_range),
        cmocka_unit_test(test_floor_and_plateau),
        cmocka_unit_test(test_lock_clock),
        cmocka_unit_test(test_undervolt),
        cmocka_unit_test(test_clock_offset),
        cmocka_unit_test(test_memory_offset),
        cmocka_unit_test(test_a_guess_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
