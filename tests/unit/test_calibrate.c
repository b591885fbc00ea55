/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A card fitted to generated sweeps whose true values are known: docs/theory/gpu.md, "Calibration". */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "sim/study/calibrate/calibrate.h"
#include "tests/unit/assert.h"

extern const wsk_kind wsk_gpu_boost;

static const wsk_gpu_ops *model(void)
{
    return wsk_gpu_boost.ops;
}

enum { ROWS = 12 };
typedef struct {
    wsk_elem bare;
    wsk_gpu_params gpu;
    wsk_gpu_class cls, truth;     /* cls: the prior; truth: the values from which the rows were made */
    double knee_hz, slope_per_hz; /* true knee and slope of the rows; `gpu` has the prior's */
    wsk_calibrate_row row[ROWS];
} sample;

static double normal(uint64_t seed, uint64_t turn)
{
    /* approximately normal: the sum of twelve uniform draws less 6 */
    double sum = -6;
    for (uint64_t i = 0; i < 12; i++)
        sum += wsk_random(seed, turn, i);
    return sum;
}

/* Draws true values around those of the class. Noise: `noise` times 1 % of work and, except in the first row, 2 % of
 * power. */
static void make(sample *s, uint64_t seed, double noise)
{
    const double tdp = 300;
    *s = (sample){.bare = {.kind = &wsk_gpu_boost},
                  .gpu = {.tdp_w = tdp,
                          .limit_min_w = 100,
                          .limit_max_w = tdp,
                          .idle_w = 20,
                          .memory_w = 36,
                          .clock_min_hz = 210e6,
                          .clock_max_hz = 1.8e9,
                          .limit_draw = 1,
                          .clock_step_hz = 15e6,
                          .clock_knee_hz = 1.3e9,
                          .voltage_slope_per_hz = 0.5e-9,
                          .voltage_floor_v = 0.7,
                          .leakage_w = 9,
                          .leakage_slope_per_k = 0.041,
                          .leakage_temp_k = 60 + WSK_KELVIN,
                          .boost_temp_k = 80 + WSK_KELVIN,
                          .memory_clock_hz = NAN,
                          .plateau_draw_w = NAN,
                          .plateau_high_w = NAN}};
    s->gpu.head.elem = &s->bare;
    model()->classify(&s->gpu, WSK_CLASS_DECODE, NULL, &s->cls);
    s->truth = s->cls;
    s->truth.p0_w *= exp(0.4 * normal(seed, 1));
    s->truth.p0_w = fmin(s->truth.p0_w, 80);
    s->truth.c_w_hz *= exp(0.15 * normal(seed, 2));
    s->truth.clock_share = fmin(s->truth.clock_share + 0.15 * normal(seed, 3), 1);
    wsk_gpu_params real = s->gpu;
    s->knee_hz = real.clock_knee_hz += 0.08 * real.clock_max_hz * normal(seed, 4);
    s->slope_per_hz = real.voltage_slope_per_hz *= exp(0.4 * normal(seed, 5));
    for (int i = 0; i < ROWS; i++) {
        const double limit = 105 + 195.0 * i / (ROWS - 1),
                     f = fmin(model()->clock_for(&real, &s->truth, limit, 60 + WSK_KELVIN, 1e9), 1.8e9);
        s->row[i] = (wsk_calibrate_row){.limit_w = limit,
                                        .lock_hz = NAN,
                                        .drawn_w = model()->power_w(&real, &s->truth, f, 60 + WSK_KELVIN, NULL) *
                                                   (i ? 1 + 0.02 * noise * normal(seed, 100 + (uint64_t)i) : 1),
                                        .clock_hz = f,
                                        .work = 34.7 * model()->perf_rel(&s->truth, f) *
                                                (1 + 0.01 * noise * normal(seed, 200 + (uint64_t)i)),
                                        .die_k = NAN};
    }
}

/* The load that the program assumes if it knows nothing of the real one draws the rated power of the card at its
 * highest clock, on any card. */
static void an_unknown_load_draws_the_rating_at_the_highest_clock(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const wsk_gpu_params g = {.tdp_w = 75 + 200 * i, .clock_max_hz = (1.2 + 0.4 * i) * 1e9};
        const wsk_calibrate_load l = wsk_calibrate_any(&g);
        assert_rel(l.ref_w, g.tdp_w, 1e-12);
        assert_rel(l.cls.p0_w + l.cls.c_w_hz * g.clock_max_hz, g.tdp_w, 1e-12);
        assert_true(l.cls.p0_w > 0 && l.cls.c_w_hz > 0 && l.cls.clock_share > 0 && l.cls.clock_share < 1);
    }
}

static const wsk_calibrated *find(const wsk_calibration *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->values[i].name, name) == 0)
            return &c->values[i];
    fail_msg("no %s", name);
    return NULL;
}

static wsk_calibration calibrate(const sample *s, const wsk_calibrate_row *rows, size_t n)
{
    wsk_calibration out;
    assert_int_equal(wsk_calibrate_card(&s->gpu, model(), &s->cls, rows, n, &out), WSK_OK);
    return out;
}

/* 1.64 standard deviations on both sides hold 90 % of a normal distribution. */
static void truth_is_within(void **state)
{
    (void)state;
    int in = 0, all = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        sample s;
        make(&s, seed, 1);
        const wsk_calibration c = calibrate(&s, s.row, ROWS);
        const struct {
            const char *name;
            double truth;
        } value[] = {{"p0", s.truth.p0_w},
                     {"c", s.truth.c_w_hz},
                     {"clock-knee", s.knee_hz},
                     {"voltage-slope", s.slope_per_hz}};
        for (size_t k = 0; k < sizeof value / sizeof *value; k++) {
            const wsk_calibrated *v = find(&c, value[k].name);
            in += fabs(v->value - value[k].truth) <= 1.64 * v->spread;
            all++;
        }
        assert_true(c.noise < 2);
        make(&s, seed, 0);
        const wsk_calibration exact = calibrate(&s, s.row, ROWS);
        assert_rel(find(&exact, "c")->value, s.truth.c_w_hz, 0.05);
        assert_true(fabs(find(&exact, "p0")->value - s.truth.p0_w) <= 5);
    }
    print_message("true values within 1.64 standard deviations: %d of %d\n", in, all);
    assert_true(in >= 0.83 * all && in <= 0.99 * all);
}

static double any_of(uint64_t seed, uint64_t turn, double from, double to)
{
    return from + (to - from) * wsk_random(seed, turn, 0);
}

/* A load that computes for `duty` of the time and then waits, drawing p0, for a time that no clock changes. A limit
 * holds the power while it computes. `seen`: share of the mean power that the meter reads. */
static wsk_calibrate_row paused_row(const sample *s, double duty, double seen, double limit_w)
{
    const double f = fmin(model()->clock_for(&s->gpu, &s->truth, limit_w, s->gpu.leakage_temp_k, 1e9), 1.8e9),
                 computes_w = model()->power_w(&s->gpu, &s->truth, f, s->gpu.leakage_temp_k, NULL),
                 computes_s = duty / model()->perf_rel(&s->truth, f), waits_s = 1 - duty,
                 all_s = computes_s + waits_s;
    return (wsk_calibrate_row){.limit_w = limit_w,
                               .lock_hz = NAN,
                               .drawn_w = seen * (computes_s * computes_w + waits_s * s->truth.p0_w) / all_s,
                               .clock_hz = NAN,
                               .work = 34.7 / all_s,
                               .die_k = NAN};
}

static void pauses_are_told_from_a_meter(void **state)
{
    (void)state;
    enum { ALL = 40 };
    double power = 0, work = 0;
    int in = 0;
    for (uint64_t seed = 1; seed <= ALL; seed++) {
        sample s;
        make(&s, seed, 0);
        s.gpu.clock_knee_hz = 1.3e9;
        s.truth.ref_clock_hz = fmin(model()->clock_for(&s.gpu, &s.truth, 300, s.gpu.leakage_temp_k, 1e9), 1.8e9);
        const double duty = any_of(seed, 1, 0.5, 0.95), seen = seed % 2 ? 1 : any_of(seed, 2, 0.7, 0.95);
        wsk_calibrate_row rows[4];
        for (int i = 0; i < 4; i++)
            rows[i] = paused_row(&s, duty, seen, 120 + 60 * i);
        const wsk_calibration c = calibrate(&s, rows, 4);
        in += fabs(find(&c, "duty")->value - duty) <= 1.64 * find(&c, "duty")->spread;
        for (double limit = 150; limit < 300; limit += 60) {
            const wsk_calibrate_row truth = paused_row(&s, duty, seen, limit);
            wsk_calibrate_row told = {.limit_w = limit, .lock_hz = NAN, .drawn_w = NAN, .die_k = NAN};
            wsk_calibrate_row_of(&s.gpu, model(), &s.cls, &c, &told, &told);
            power += fabs(told.drawn_w / truth.drawn_w - 1) / (3 * ALL);
            work += fabs(told.work / truth.work - 1) / (3 * ALL);
        }
    }
    print_message(
        "duty within 1.64 standard deviations: %d of %d; power %.2f %%, work %.2f %% off between the rows\n", in, ALL,
        100 * power, 100 * work);
    assert_true(in >= 0.83 * ALL);
    assert_true(power < 0.01 && work < 0.01);
}

/* The workload states how much of the time its kernels run, but not how long its pauses are: the rows tell whether a
 * limit holds the mean power, or the power between the pauses. */
static void rows_tell_whether_stated_pauses_are_long(void **state)
{
    (void)state;
    enum { ALL = 20 };
    double power = 0, work = 0;
    for (uint64_t seed = 1; seed <= ALL; seed++) {
        sample s;
        wsk_calibrate_row rows[4];
        make(&s, seed, 0);
        s.truth.ref_clock_hz = fmin(model()->clock_for(&s.gpu, &s.truth, 300, s.gpu.leakage_temp_k, 1e9), 1.8e9);
        const double duty = any_of(seed, 1, 0.6, 0.9);
        s.cls.pause = s.cls.wait = 1 - duty;
        s.cls.pauses_stated = true;
        for (int i = 0; i < 4; i++)
            rows[i] = paused_row(&s, duty, 1, 120 + 50 * i);
        const wsk_calibration c = calibrate(&s, rows, 4);
        assert_near(find(&c, "duty")->value, duty, 1e-9);
        for (double limit = 145; limit < 270; limit += 50) {
            const wsk_calibrate_row truth = paused_row(&s, duty, 1, limit);
            wsk_calibrate_row told = {.limit_w = limit, .lock_hz = NAN, .drawn_w = NAN, .die_k = NAN};
            wsk_calibrate_row_of(&s.gpu, model(), &s.cls, &c, &told, &told);
            power += fabs(told.drawn_w / truth.drawn_w - 1) / (3 * ALL);
            work += fabs(told.work / truth.work - 1) / (3 * ALL);
        }
        s.truth.pause = s.truth.wait = 1 - duty;
        for (int i = 0; i < 4; i++) { /* short pauses, and a meter that misses a fifth of the time */
            const double limit = 120 + 50 * i,
                         f = fmin(model()->clock_for(&s.gpu, &s.truth, limit, s.gpu.leakage_temp_k, 1e9), 1.8e9);
            rows[i].work = 34.7 * model()->perf_rel(&s.truth, f);
            rows[i].drawn_w = 0.8 * model()->power_w(&s.gpu, &s.truth, f, s.gpu.leakage_temp_k, NULL);
        }
        const wsk_calibration brief = calibrate(&s, rows, 4);
        for (size_t i = 0; i < brief.count; i++)
            assert_string_not_equal(brief.values[i].name, "duty");
        assert_rel(brief.mean_share, 0.8, 0.01);
    }
    print_message("stated pauses: power %.2f %%, work %.2f %% off between the rows\n", 100 * power, 100 * work);
    assert_true(power < 0.01 && work < 0.01);
}

static bool leaves_pauses(const sample *s, const wsk_calibrate_row *rows, size_t n, wsk_calibration *fit)
{
    const size_t before = fit->count;
    wsk_calibrate_open_pauses(&s->gpu, model(), &s->cls, rows, n, fit);
    return fit->count > before;
}

/* Rows of locked clocks tell power and work at each clock, but not which clock a limit leaves: with long pauses the mean
 * power, and the work with it, stays below what the fit says of a limit. At the same mean power the fit is right, so the
 * doubt is one of the mean power at a limit. */
static void locked_clocks_leave_pauses_open(void **state)
{
    (void)state;
    double off = 0;
    int n = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        sample s;
        wsk_calibrate_row rows[6];
        make(&s, seed, 0);
        s.truth.ref_clock_hz = fmin(model()->clock_for(&s.gpu, &s.truth, 300, s.gpu.leakage_temp_k, 1e9), 1.8e9);
        const double duty = any_of(seed, 1, 0.8, 1);
        for (int i = 0; i < 6; i++) {
            const double f = (0.8 + 0.2 * i) * 1e9;
            rows[i] = paused_row(&s, duty, 1, model()->power_w(&s.gpu, &s.truth, f, s.gpu.leakage_temp_k, NULL));
            rows[i].limit_w = NAN;
            rows[i].clock_hz = rows[i].lock_hz = f;
        }
        wsk_calibration c = calibrate(&s, rows, 6);
        assert_true(leaves_pauses(&s, rows, 6, &c));
        const wsk_calibrated *open = find(&c, "duty");
        const double least = 1 - 1.28 * open->spread; /* 1.28 standard deviations to each side hold 80 % */
        assert_same(open->learnt, 0);
        for (double limit = 120; limit < 210; limit += 30) {
            const wsk_calibrate_row truth = paused_row(&s, duty, 1, limit);
            wsk_calibrate_row told = {.limit_w = limit, .lock_hz = NAN, .drawn_w = NAN, .die_k = NAN}, low = told;
            told.drawn_w = truth.drawn_w;
            told.limit_w = NAN;
            wsk_calibrate_row_of(&s.gpu, model(), &s.cls, &c, &told, &told);
            off += fabs(told.work / truth.work - 1);
            n++;
            low.limit_w *= least;
            wsk_calibrate_row_of(&s.gpu, model(), &s.cls, &c, &low, &low);
            assert_true(low.drawn_w <= truth.drawn_w && truth.drawn_w <= 1.001 * limit);
            assert_true(low.work <= 1.01 * truth.work);
        }
        const wsk_calibrate_row bound = paused_row(&s, duty, 1, 150);
        rows[0] = bound;
        assert_false(leaves_pauses(&s, rows, 6, &c));
        rows[0].lock_hz = rows[0].clock_hz = 0.7e9; /* the lock held the clock, not the limit */
        assert_true(leaves_pauses(&s, rows, 6, &c));
        rows[1].lock_hz = NAN; /* a power alone counts as the limit */
        assert_false(leaves_pauses(&s, rows, 6, &c));
        for (int i = 0; i < 6; i++)
            rows[i].drawn_w = rows[i].lock_hz = NAN;
        assert_false(leaves_pauses(&s, rows, 6, &c));
    }
    print_message("work at a limit, told by its mean power: %.2f %% off\n", 100 * off / n);
    assert_true(off < 0.02 * n);
}

static void few_rows_stay_at_the_prior(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        sample s;
        make(&s, seed, 1);
        const wsk_calibrate_row two[2] = {s.row[0], s.row[ROWS - 1]};
        const wsk_calibration one = calibrate(&s, &s.row[ROWS - 1], 1), pair = calibrate(&s, two, 2),
                              full = calibrate(&s, s.row, ROWS);
        const wsk_calibrated *p0 = find(&one, "p0");
        assert_true(p0->learnt < 0.3 && fabs(p0->value - p0->prior) <= 0.6 * p0->prior_spread);
        assert_true(find(&one, "clock-share")->learnt < 0.1);
        assert_true(find(&one, "clock-share")->learnt <= find(&pair, "clock-share")->learnt + 1e-6);
        assert_true(find(&pair, "p0")->learnt <= find(&full, "p0")->learnt + 0.05);
        assert_true(find(&full, "clock-share")->learnt > 0.8);
        for (size_t i = 0; i < pair.count; i++)
            assert_true(pair.values[i].spread <=
                        1.01 * pair.values[i].prior_spread * fmax(1, pair.values[i].value / pair.values[i].prior));
    }
}

static void misread_row_is_seen(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        sample s;
        make(&s, seed, 0.3);
        const wsk_calibration good = calibrate(&s, s.row, ROWS);
        s.row[4].work *= 1.35;
        const wsk_calibration bad = calibrate(&s, s.row, ROWS);
        assert_int_equal(bad.worst_row, 4);
        assert_true(fabs(bad.worst) > 10 && bad.noise > 1.2 && bad.noise > good.noise);
        assert_true(find(&bad, "c")->spread > find(&good, "c")->spread);
        assert_rel(find(&bad, "c")->value, s.truth.c_w_hz, 0.15);
    }
}

static void rows_are_checked(void **state)
{
    (void)state;
    sample s;
    wsk_calibration out;
    make(&s, 1, 0);
    assert_int_equal(wsk_calibrate_card(&s.gpu, model(), &s.cls, s.row, 0, &out), WSK_EUSAGE);
    s.row[1].work = -1;
    assert_int_equal(wsk_calibrate_card(&s.gpu, model(), &s.cls, s.row, 3, &out), WSK_EUSAGE);
    s.row[1] = (wsk_calibrate_row){NAN, NAN, NAN, 1e9, 1, NAN};
    assert_int_equal(wsk_calibrate_card(&s.gpu, model(), &s.cls, s.row, 3, &out), WSK_EUSAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_unknown_load_draws_the_rating_at_the_highest_clock),
                                       cmocka_unit_test(truth_is_within),
                                       cmocka_unit_test(pauses_are_told_from_a_meter),
                                       cmocka_unit_test(rows_tell_whether_stated_pauses_are_long),
                                       cmocka_unit_test(locked_clocks_leave_pauses_open),
                                       cmocka_unit_test(few_rows_stay_at_the_prior),
                                       cmocka_unit_test(misread_row_is_seen),
                                       cmocka_unit_test(rows_are_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
