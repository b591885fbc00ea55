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

static const double mean_k = 0.02, highest_k = 0.1, energy_rel = 1e-4, work_rel = 1e-4;

static void agree(const wsk_run *a, const wsk_run *b, const char *what)
{
    for (int i = 0; i < a->variables->n; i++) {
        const char *name = a->variables->all[i].name, *unit = a->variables->all[i].row->unit;
        double d = fabs(wsk_mean_at(a, i) - wsk_mean_at(b, i)), high[2];
        high[0] = wsk_high_at(a, i);
        high[1] = wsk_high_at(b, i);
        if (strcmp(unit, "degC") == 0 && !(d <= mean_k && fabs(high[0] - high[1]) <= highest_k))
            fail_msg("%s: %s differs by %.3f K in the mean, %.3f K at its highest", what, name, d,
                     fabs(high[0] - high[1]));
    }
    double x = wsk_test_get(a, "energy_kwh"), y = wsk_test_get(b, "energy_kwh");
    if (!(fabs(x - y) <= energy_rel * x))
        fail_msg("%s: %.6g kWh, leaping %.6g", what, x, y);
    for (int i = 0; i < a->net->n_card; i++) {
        double done = wsk_sum_value(&a->cards[i].work), leapt = wsk_sum_value(&b->cards[i].work);
        if (!(fabs(done - leapt) <= work_rel * fmax(done, 1)))
            fail_msg("%s: card %d works %.6g s, leaping %.6g", what, i, done, leapt);
    }
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
              {"scenarios/quad-2080-openair/rig.xml", 1} /* held by heat, without leaps */};
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

/* Leaps and ticks agree on random rigs too, also where heat lowers the clocks. */
static void test_random_rigs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(60, 6); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed});
        wsk_run *a = wsk_test_run(rig, WSK_STEPPER_FAST, 7200), *b = leaping(rig, 7200);
        bool whole = wsk_test_try(a, 7200);
        if (wsk_test_try(b, 7200) && whole) {
            char name[32];
            snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
            agree(a, b, name);
            assert_true(b->head->tick <= a->head->tick);
        }
        wsk_run_free(a);
        wsk_run_free(b);
        wsk_rig_free(rig);
    }
}

/* A power limit that leaves little for the work: the clock falls by a percent for each kelvin after a checkpoint. */
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
