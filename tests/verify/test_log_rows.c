/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which stretches of a log become rows of its electrical fit, and how that fit is judged (docs/theory/calibration.md,
 * "Watts, clocks and work"; the limits are those of constants.md, "stretches of a log"). */
#include "sim/study/calibrate/electrical.h"
#include "tests/verify/log_bench.h"

typedef struct {
    bench b;
    double limit[BINS], work[BINS];
    wsk_log_electrical out;
} sample;

/* Bins of 10 s under load at 1.5 GHz, 200 W, 60 degC. */
static void open_log(sample *s)
{
    open_rig(&s->b, LOG_RIG("", "", BLOWER, TRAINING));
    s->b.log.bin_s = 10;
    for (int i = 0; i < BINS; i++) {
        s->b.power[i] = 200;
        s->b.clock_hz[i] = 1.5e9;
        s->b.busy[i] = 0.95;
        s->b.die_k[i] = 333;
        s->limit[i] = 250;
        s->work[i] = 1;
    }
    s->b.card.clock_hz = s->b.clock_hz;
    s->b.card.busy = s->b.busy;
    s->b.card.limit_w = s->limit;
    s->b.th = (wsk_thermal){.arena = s->b.arena, .net = s->b.rig->net, .log = &s->b.log};
}

static int rows(sample *s)
{
    assert_int_equal(wsk_electrical_fit(&s->b.th, 0, BINS, &s->out), WSK_OK);
    return (int)s->out.rows;
}

typedef enum { CLOCK, LIMIT, DIE, BUSY, POWER } quantity;

static double *values_of(sample *s, quantity q)
{
    return q == CLOCK   ? s->b.clock_hz
           : q == LIMIT ? s->limit
           : q == DIE   ? s->b.die_k
           : q == BUSY  ? s->b.busy
                        : s->b.power;
}

/* What is alike in clock, limit and temperature is one row, whatever its power: a second level from the middle on. */
static void levels_alike_are_one_row(void **state)
{
    (void)state;
    static const struct {
        quantity of;
        double value;
        int rows;
    } cases[] = {{CLOCK, 1.5e9, 1},   {CLOCK, 1.03 * 1.5e9, 1}, {CLOCK, 1.032 * 1.5e9, 2},
                 {CLOCK, 1.457e9, 1}, {CLOCK, 1.455e9, 2},      {LIMIT, 252.4, 1},
                 {LIMIT, 252.7, 2},   {LIMIT, 247.6, 1},        {LIMIT, 247.4, 2},
                 {DIE, 339.9, 1},     {DIE, 340.1, 2},          {DIE, 326.1, 1},
                 {DIE, 325.9, 2},     {POWER, 120, 1},          {BUSY, 0.91, 1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sample s;
        open_log(&s);
        for (int i = BINS / 2; i < BINS; i++)
            values_of(&s, cases[k].of)[i] = cases[k].value;
        assert_int_equal(rows(&s), cases[k].rows);
        close_bench(&s.b);
    }
}

/* A level counts only under load: at 90 % utilisation, or without it from 30 % of the way from rest, 20 W, to the highest
 * power, 200 W. */
static void only_work_makes_rows(void **state)
{
    (void)state;
    static const struct {
        bool utilisation;
        double value;
        int rows;
    } cases[] = {{true, 0.901, 2}, {true, 0.899, 1}, {false, 74.5, 2}, {false, 73.5, 1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sample s;
        open_log(&s);
        s.b.card.busy = cases[k].utilisation ? s.b.busy : NULL;
        for (int i = BINS / 2; i < BINS; i++) {
            s.b.clock_hz[i] = 1e9;
            s.b.busy[i] = cases[k].utilisation ? cases[k].value : 0.95;
            s.b.power[i] = cases[k].utilisation ? 120 : cases[k].value;
        }
        assert_int_equal(rows(&s), cases[k].rows);
        close_bench(&s.b);
    }
}

/* Of a level only what is half a minute from its ends is settled, and a minute of that is a row: 12 bins of 10 s. */
static void a_row_lasts_a_minute(void **state)
{
    (void)state;
    for (int bins = 11; bins <= 12; bins++)
        for (int end = 0; end < 2; end++) {
            sample s;
            open_log(&s);
            for (int i = 0; i < bins; i++)
                s.b.clock_hz[end ? BINS - 1 - i : 50 + i] = 1e9;
            assert_int_equal(rows(&s), bins == 12 ? 2 : 1);
            close_bench(&s.b);
        }
}

/* Half a minute before and after a settled bin are within 2 % in clock, 5 % in power and 1 K, and their limits within
 * 1 %. Here the log rises all the time, by `each` from one half minute to the next. */
static void what_still_changes_is_no_row(void **state)
{
    (void)state;
    static const struct {
        quantity of;
        double each;
        bool settled;
    } cases[] = {{CLOCK, 0.0195, true}, {CLOCK, 0.0205, false}, {POWER, 0.049, true},  {POWER, 0.053, false},
                 {DIE, 0.95, true},     {DIE, 1.05, false},     {LIMIT, 0.0045, true}, {LIMIT, 0.0055, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sample s;
        open_log(&s);
        s.b.log.bin_s = 30; /* one bin before and after */
        for (int i = 0; i < BINS; i++) {
            const double by =
                i % 20 * cases[k].each; /* from the beginning again, so that values stay in their range */
            double *v = &values_of(&s, cases[k].of)[i];
            *v = cases[k].of == DIE ? *v - 10 + by : *v * 0.8 * exp(by);
        }
        assert_int_equal(rows(&s) > 0, cases[k].settled);
        close_bench(&s.b);
    }
}

/* Rows of about one clock, within 10 %, tell p0 and c together only. */
static void clocks_within_a_tenth_are_one_level(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        sample s;
        open_log(&s);
        for (int i = BINS / 2; i < BINS; i++)
            s.b.clock_hz[i] = (k ? 1.105 : 1.095) * 1.5e9;
        assert_int_equal(rows(&s), 2);
        assert_int_equal(s.out.one_level, !k);
        close_bench(&s.b);
    }
}

/* A log that agrees with the card until 70 % of its time, and then draws 10 % more and does 5 % more work at the same
 * clocks: the errors of power and work are known, and so are those of the clock at the logged power. */
static void the_part_held_out_is_judged_by_the_part_before(void **state)
{
    (void)state;
    enum { HELD = 84, STRETCH = 21 };
    sample s;
    open_log(&s);
    const wsk_card *c = &s.b.rig->net->cards[0];
    double clock_off = 0;
    for (int i = 0; i < BINS; i++) {
        const double hz = (1 + 0.15 * (i / STRETCH % 3)) * 1e9;
        s.b.clock_hz[i] = hz;
        s.b.power[i] = c->ops->power_w(c->gpu, &c->cls, hz, 333, NULL) * (i < HELD ? 1 : 1.1);
        s.work[i] = 7 * c->ops->perf_rel(&c->cls, hz) * (i < HELD ? 1 : 1.05);
        clock_off = i < HELD ? 0 : c->ops->clock_for(c->gpu, &c->cls, s.b.power[i], 333, hz) / hz - 1;
    }
    s.b.card.work = s.work;
    s.b.card.limit_w = NULL;
    s.b.busy[10] = 0.5; /* a bin at rest, and those beside it, are not judged */
    s.b.die_k[BINS - 20] = NAN;
    assert_int_equal(wsk_electrical_fit(&s.b.th, 0, HELD, &s.out), WSK_OK);
    assert_true(s.out.rows >= 3);
    const wsk_log_share *fitted[] = {&s.out.power[0], &s.out.work[0]}, *held[] = {&s.out.power[1], &s.out.work[1]};
    assert_int_equal(s.out.power[0].readings, HELD - 1 - 3);
    assert_int_equal(s.out.power[1].readings, BINS - HELD - 1);
    assert_int_equal(s.out.work[1].readings, BINS - HELD - 1);
    assert_int_equal(s.out.clock[1].readings, BINS - HELD - 1);
    for (int k = 0; k < 2; k++) {
        const double off = 1 / (k ? 1.05 : 1.1) - 1;
        assert_true(fitted[k]->mae_rel < 0.02);
        assert_near(held[k]->bias_rel, off, 0.01);
        assert_near(held[k]->mae_rel, -off, 0.01);
        assert_near(held[k]->worst_rel, off, k ? 0.06 : 0.02);
    }
    assert_near(s.out.clock[1].bias_rel, clock_off, 0.02);
    assert_true(clock_off > 0.05);
    size_t readings = 0;
    for (int k = 0; k < WSK_PHASES; k++)
        readings += s.out.power_phase[1][k].readings;
    assert_int_equal(readings, s.out.power[1].readings);
    close_bench(&s.b);
}

/* Without clock, or without both utilisation and limits, there are no rows. */
static void what_a_log_must_have(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        sample s;
        open_log(&s);
        if (k == 1)
            s.b.card.clock_hz = NULL;
        if (k == 2)
            s.b.card.drawn_w = NULL;
        if (k == 3 || k == 5)
            s.b.card.busy = NULL;
        if (k == 4 || k == 5)
            s.b.card.limit_w = NULL;
        assert_int_equal(rows(&s), k == 0 || k == 3 || k == 4);
        close_bench(&s.b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(levels_alike_are_one_row),
                                       cmocka_unit_test(only_work_makes_rows),
                                       cmocka_unit_test(a_row_lasts_a_minute),
                                       cmocka_unit_test(what_still_changes_is_no_row),
                                       cmocka_unit_test(clocks_within_a_tenth_are_one_level),
                                       cmocka_unit_test(the_part_held_out_is_judged_by_the_part_before),
                                       cmocka_unit_test(what_a_log_must_have)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
