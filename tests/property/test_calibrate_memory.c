/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A log with the memory's temperature and utilisation tells what the memory of the fitted card gets warm: the run of
 * the fitted rig meets the log, and its ± is that of the log. docs/theory/calibration.md */
#include "sim/api.h"
#include "sim/study/spread/spread.h"
#include "tests/property/made_log.h"
#include "wattsink_calibrate.h"

static const double share = 0.45; /* of the bandwidth; the class `burn` takes 20 % */
static const char *const truth[] = {"gpu.memory-resistance=0.65 K/W", "workload.memory-traffic=45 %",
                                    "room.temperature=27 degC", "gpu.power=280 W"};

typedef struct {
    made log;
    double *memory_k, *traffic;
} memory_log;

static memory_log make_memory_log(void)
{
    const char *sets[] = {truth[0], truth[1], truth[2], "gpu.power=25 W"};
    const size_t n = (size_t)stairs_s;
    wsk_dice dice = {.seed = 11};
    wsk_rig *rig = load(sets, 4);
    wsk_run *run = NULL;
    memory_log m = {.log = {.n = n, .t_s = malloc(6 * n * sizeof(double))}};
    assert_non_null(m.log.t_s);
    m.log.power_w = m.log.t_s + n;
    m.log.die_k = m.log.t_s + 2 * n;
    m.log.rpm = m.log.t_s + 3 * n;
    m.memory_k = m.log.t_s + 4 * n;
    m.traffic = m.log.t_s + 5 * n;
    assert_int_equal(
        wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = stairs_s + 1, .step_s = 1, .no_series = true}),
        WSK_OK);
    for (size_t i = 0; i < n; i++) {
        double c, memory_c;
        m.log.t_s[i] = (double)i;
        m.log.power_w[i] = fmax(level_of(&stairs, (double)i) + 8 * wsk_draw_normal(&dice), 5);
        m.traffic[i] = share;
        assert_int_equal(wsk_run_set(run, "gpu0.power_w", m.log.power_w[i]), WSK_OK);
        assert_int_equal(wsk_run_advance(run, (double)i + 1), WSK_OK);
        assert_int_equal(wsk_run_get(run, "gpu0.die_c", &c), WSK_OK);
        assert_int_equal(wsk_run_get(run, "gpu0.memory_c", &memory_c), WSK_OK);
        assert_int_equal(wsk_run_get(run, "gpu0.fan_rpm", &m.log.rpm[i]), WSK_OK);
        m.log.die_k[i] = floor(c + 0.2 * wsk_draw_normal(&dice) + 0.5) + WSK_KELVIN;
        m.memory_k[i] = floor(memory_c + 0.2 * wsk_draw_normal(&dice) + 0.5) + WSK_KELVIN;
    }
    wsk_run_free(run);
    wsk_rig_free(rig);
    return m;
}

static wsk_log_fit fit_memory(const wsk_rig *rig, const memory_log *m)
{
    const made *l = &m->log;
    const wsk_calibrate_trace t = {.power = {l->t_s, l->power_w, l->n},
                                   .die = {l->t_s, l->die_k, l->n},
                                   .fan_speed = {l->t_s, l->rpm, l->n},
                                   .memory = {l->t_s, m->memory_k, l->n},
                                   .traffic = {l->t_s, m->traffic, l->n}};
    wsk_log_fit out;
    assert_int_equal(wsk_calibrate_log(rig, &t, 1, 0, &out, NULL), WSK_OK);
    return out;
}

/* Settled temperature of the memory, and by how much its ± is larger than that of the die, whose errors it has too. */
static double memory_c(const wsk_rig *rig, double *over_die_k)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_spreads s;
    assert_int_equal(wsk_spreads_solve(&s, arena, rig->net, WSK_STEPPER_FAST), WSK_OK);
    *over_die_k = s.half.memory_k - s.half.die_k;
    const double c = s.base.memory_max_c;
    wsk_arena_free(arena);
    return c;
}

static void a_run_meets_the_memory_of_the_log(void **state)
{
    (void)state;
    double before_k, after_k, unused;
    const char *const full = truth[3];
    memory_log m = make_memory_log();
    wsk_rig *known = load(truth, 4), *class_values = load(&full, 1), *rig = load(NULL, 0);
    wsk_log_fit f = fit_memory(rig, &m);
    const wsk_calibrated *traffic = value_of(&f.fit, "memory-traffic");
    const wsk_calibrated_card card = {0, &f.fit, "log.csv"};
    char *text = NULL;
    assert_near(traffic->value, share, 0.001);
    assert_true(traffic->spread > 0 && traffic->spread < 0.02);
    assert_int_equal(wsk_rig_calibrated(rig, &card, 1, &text), WSK_OK);
    wsk_rig *fitted = wsk_test_rig_sets(text, &full, 1);
    const double truth_c = memory_c(known, &unused), c = memory_c(fitted, &after_k);
    (void)memory_c(class_values, &before_k);
    print_message("memory %.1f degC, fitted %.1f; its +- less that of the die %.1f K, by the class %.1f\n", truth_c,
                  c, after_k, before_k);
    assert_near(c, truth_c, 1.5);
    assert_true(after_k < 0.7);
    /* what a log told gives way to what another log tells */
    for (size_t i = 0; i < m.log.n; i++)
        m.traffic[i] = 0.7;
    f = fit_memory(fitted, &m);
    assert_near(value_of(&f.fit, "memory-traffic")->value, 0.7, 0.001);
    wsk_text_free(text);
    wsk_rig_free(fitted);
    wsk_rig_free(rig);
    wsk_rig_free(class_values);
    wsk_rig_free(known);
    free(m.log.t_s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_run_meets_the_memory_of_the_log)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
