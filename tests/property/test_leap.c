/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A leap computes several ticks as one step while conditions are constant. A run with leaps takes fewer steps, and
 * must agree with a run without leaps in means, maxima, energy, energy balance and cost. The bits of its result do
 * not depend on how the run is divided into pieces. */
#include <math.h>
#include <string.h>

#include "tests/support/bench.h"
#include "sim/books/observe.h"
#include "sim/books/books.h"

static wsk_run *leaping(const wsk_rig *rig, double duration_s)
{
    wsk_run *run = NULL;
    assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = duration_s, .leap = true}), WSK_OK);
    return run;
}

static const double mean_k = 0.012, highest_k = 0.1, energy_rel = 1e-4, work_rel = 1e-4;

/* Returns true if the runs differ by more than a tolerance, and writes into `how` which value differs. */
static bool differ(const wsk_run *a, const wsk_run *b, char *how, size_t size)
{
    for (int i = 0; i < a->variables->n; i++) {
        const double mean = fabs(wsk_mean_at(a, i) - wsk_mean_at(b, i)),
                     high = fabs(wsk_high_at(a, i) - wsk_high_at(b, i));
        snprintf(how, size, "%s differs by %.3f K in the mean, %.3f K at its highest", a->variables->all[i].name,
                 mean, high);
        if (strcmp(a->variables->all[i].row->unit, "degC") == 0 && !(mean <= mean_k && high <= highest_k))
            return true;
    }
    const double x = wsk_test_get(a, "energy_kwh"), y = wsk_test_get(b, "energy_kwh");
    snprintf(how, size, "%.6g kWh, leaping %.6g", x, y);
    if (!(fabs(x - y) <= energy_rel * x))
        return true;
    for (int i = 0; i < a->net->n_card; i++) {
        const double done = wsk_sum_value(&a->cards[i].work), leapt = wsk_sum_value(&b->cards[i].work);
        snprintf(how, size, "card %d works %.6g s, leaping %.6g", i, done, leapt);
        if (!(fabs(done - leapt) <= work_rel * fmax(done, 1)))
            return true;
    }
    return false;
}

static void agree(const wsk_run *a, const wsk_run *b, const char *what)
{
    char how[160];
    if (differ(a, b, how, sizeof how))
        fail_msg("%s: %s", what, how);
    assert_true(wsk_residual(b) <= 1e-9);
}

static void test_scenarios(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        double fewer; /* the run with leaps takes at most 1/fewer of the steps */
    } of[] = {{"scenarios/quad-3090-blower/rig.xml", 5},    {"scenarios/h100-4u/rig.xml", 5},
              {"scenarios/mining-frame/rig.xml", 5},        {"scenarios/water-3090/rig.xml", 5},
              {"scenarios/time-of-use-night/night.xml", 3}, {"scenarios/redundant-8gpu/rig.xml", 5},
              {"scenarios/quad-2080-openair/rig.xml", 1} /* heat controls its clocks, so no leaps */};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const double day = 86400;
        wsk_rig *rig = wsk_test_rig_file(of[i].path);
        wsk_run *a = wsk_test_run(rig, WSK_STEPPER_FAST, day), *b = leaping(rig, day);
        wsk_test_advance(a, day);
        wsk_test_advance(b, day);
        agree(a, b, of[i].path);
        double fewer = (double)a->head->tick / (double)b->head->tick;
        if (!(fewer >= of[i].fewer))
            fail_msg("%s: only %.1f times fewer steps", of[i].path, fewer);
        wsk_run_free(a);
        wsk_run_free(b);
        wsk_rig_free(rig);
    }
}

static bool controls_agree(const wsk_run *a, const wsk_run *b)
{
    for (int i = 0; i < a->net->n_mover; i++)
        if (a->movers[i].ref_k != b->movers[i].ref_k)
            return false;
    for (int i = 0; i < a->net->n_card; i++)
        if (a->cards[i].fan_ref_k != b->cards[i].fan_ref_k)
            return false;
    for (int i = 0; i < a->net->n_card; i++)
        for (int g = 0; g < WSK_GOVERNORS; g++)
            if (a->cards[i].governor[g].cap_hz != b->cards[i].governor[g].cap_hz)
                return false;
    return true;
}

/* Time of the last full minute at which all fans have the same readings, with their hysteresis, and all governors the
 * same clocks in both runs, s. */
static double last_common_s(const wsk_rig *rig, double end_s)
{
    wsk_run *a = wsk_test_run(rig, WSK_STEPPER_FAST, end_s), *b = leaping(rig, end_s);
    double common_s = 0;
    for (double t = 60; t <= end_s && wsk_test_try(a, t) && wsk_test_try(b, t); t += 60)
        common_s = controls_agree(a, b) ? t : common_s;
    wsk_run_free(a);
    wsk_run_free(b);
    return common_s;
}

/* Runs with and without leaps to end_s. Returns true if the results differ, and writes into `how` which value does.
 * Returns false if a part leaves the model's range. */
static bool differ_at(const wsk_rig *rig, double end_s, char *how, size_t size)
{
    wsk_run *a = wsk_test_run(rig, WSK_STEPPER_FAST, end_s), *b = leaping(rig, end_s);
    const bool whole = wsk_test_try(a, end_s), both = wsk_test_try(b, end_s) && whole;
    const bool apart = both && differ(a, b, how, size);
    assert_true(!both || (b->head->tick <= a->head->tick && wsk_residual(b) <= 1e-9));
    wsk_run_free(a);
    wsk_run_free(b);
    return apart;
}

/* Leaps and ticks agree on random rigs too, also where heat lowers the clocks. A fan whose sensor stands at the edge
 * of its hysteresis takes its next step, or not, by microkelvins: of two fans that follow one sensor, the first to
 * read it above the edge cools it, and the other keeps its speed for hours. A governor at its threshold takes its
 * next clock in the same way. Either course is right. Runs that have parted like this must agree up to the last
 * minute before, and few rigs may do so. */
static void test_random_rigs(void **state)
{
    (void)state;
    const int cases = wsk_test_cases(60, 6);
    const double end_s = 7200;
    int parted = 0;
    for (int seed = 1; seed <= cases; seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = (uint64_t)seed});
        char how[160], before[160];
        if (differ_at(rig, end_s, how, sizeof how)) {
            const double common_s = last_common_s(rig, end_s);
            if (common_s == 0 || common_s == end_s)
                fail_msg("seed %d: %s", seed, how);
            if (differ_at(rig, common_s, before, sizeof before))
                fail_msg("seed %d: %s, and at %.0f s, before their controls part, %s", seed, how, common_s, before);
            parted++;
        }
        wsk_rig_free(rig);
    }
    assert_true(parted <= cases / 60);
}

/* Under such low power limits little power is left for the work: as the card warms after a checkpoint, its clock falls
 * by a percent per kelvin. */
static void test_low_power_limits(void **state)
{
    (void)state;
    static const struct {
        const char *gpu, *limit;
        double checkpoint_min, takes_min;
    } of[] = {{"rtx-3090-blower", "142 W", 8, 4}, {"rtx-3090", "150 W", 8, 4}, {"rtx-3090-blower", "150 W", 30, 10}};
    const double end = 43200;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char text[800];
        snprintf(text, sizeof text,
                 "<rig><site supply='230 V' circuit='16 A'><room temperature='24 degC'/></site>"
                 "<chassis part='chassis/workstation-12-slot'>"
                 "<fan part='fan/generic-120-3000' at='front' count='3'/>"
                 "<fan part='fan/generic-120-1500' at='rear'/><psu part='psu/tier-gold-1600'/>"
                 "<gpu part='gpu/%s' slot='1' power-limit='%s'/></chassis><workload kind='training' class='training'"
                 " checkpoint-every='%g min' checkpoint-takes='%g min'/></rig>",
                 of[i].gpu, of[i].limit, of[i].checkpoint_min, of[i].takes_min);
        wsk_rig *rig = wsk_test_rig(text, NULL);
        wsk_run *a = wsk_test_run(rig, WSK_STEPPER_FAST, end), *b = leaping(rig, end);
        wsk_test_advance(a, end);
        wsk_test_advance(b, end);
        agree(a, b, of[i].limit);
        assert_rel(wsk_sum_value(&b->cards[0].work), wsk_sum_value(&a->cards[0].work), 0.4 * work_rel);
        assert_true((double)a->head->tick > 1.3 * (double)b->head->tick);
        wsk_run_free(a);
        wsk_run_free(b);
        wsk_rig_free(rig);
    }
}

static void test_pieces_and_resume(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/quad-3090-blower/rig.xml");
    const double end = 5 * 3600;
    wsk_run *whole = leaping(rig, end), *pieces = leaping(rig, end);
    size_t n, m;
    wsk_test_advance(whole, end);
    for (double t = 0; t < end; t += 333.3) {
        wsk_test_advance(pieces, t);
        if (t > 3600 && t < 3600 + 400) {
            char *state_bytes = wsk_test_save(pieces, &n);
            wsk_run_free(pieces);
            pieces = leaping(rig, end);
            assert_int_equal(wsk_run_restore(pieces, state_bytes, n), WSK_OK);
            wsk_text_free(state_bytes);
        }
    }
    wsk_test_advance(pieces, end);
    char *a = wsk_test_save(whole, &n), *b = wsk_test_save(pieces, &m);
    assert_true(n == m && memcmp(a, b, n) == 0);
    wsk_run *plain = wsk_test_run(rig, WSK_STEPPER_FAST, end);
    assert_int_equal(wsk_run_restore(plain, a, n), WSK_EINPUT);
    wsk_text_free(a);
    wsk_text_free(b);
    wsk_run_free(whole);
    wsk_run_free(pieces);
    wsk_run_free(plain);
    wsk_rig_free(rig);
}

static void test_events_are_met(void **state)
{
    (void)state;
    wsk_rig *rig = NULL;
    const char *sets[] = {"gpu[0].fan-fails-at=4021 s"};
    assert_int_equal(wsk_rig_load(&rig, &(wsk_rig_options){.path = "scenarios/mining-frame/rig.xml",
                                                           .parts_dir = "parts",
                                                           .sets = sets,
                                                           .set_count = 1}),
                     WSK_OK);
    wsk_run *run = leaping(rig, 7200);
    wsk_test_advance(run, 4021);
    double before = wsk_test_get(run, "gpu0.die_c");
    assert_true(wsk_run_time(run) == 4021);
    wsk_test_advance(run, 4051);
    assert_true(wsk_test_get(run, "gpu0.die_c") > before + 3);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenarios), cmocka_unit_test(test_random_rigs), cmocka_unit_test(test_low_power_limits),
        cmocka_unit_test(test_pieces_and_resume), cmocka_unit_test(test_events_are_met)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
