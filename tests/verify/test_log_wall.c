/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A meter at the wall whose readings are made from the machine's own numbers: with a power supply of one efficiency the
 * plug has (load + base)/efficiency, so that clock, base load and the errors of ASHRAE Guideline 14 are closed forms
 * (docs/theory/calibration.md, "The wall"). */
#include "sim/study/calibrate/wall.h"
#include "tests/support/dice.h"
#include "tests/verify/log_bench.h"

enum { METER = 100, BEGINS = 20 }; /* bins of the meter, and by how many bins it begins after the log */
static const double rest_w = 60, efficiency = 0.9, held_s = 2400;

typedef struct {
    bench b;
    double dc_w[BINS], t_s[METER], wall_w[METER];
    wsk_wall_fit out;
} machine;

/* A load whose levels of four minutes each are drawn, so that the clock of the meter can be found. */
static void open_machine(machine *m)
{
    wsk_dice dice = {.seed = 9};
    open_rig(&m->b, LOG_RIG("<cpu power='60 W' board='30 W'/>", "", BLOWER, TRAINING));
    for (int i = 0; i < BINS; i++) {
        m->b.power[i] = i % 8 ? m->b.power[i - 1] : wsk_draw(&dice, 20, 300);
        m->b.power[i] += i == BINS - 1 ? 20 : 0; /* the last bin, with which the meter ends, too */
        m->dc_w[i] = m->b.power[i] + rest_w;
    }
    for (int j = 0; j < METER; j++) {
        m->t_s[j] = j * bin_s;
        m->wall_w[j] = m->dc_w[BEGINS + j] / efficiency;
    }
}

static wsk_status fit_machine(machine *m, int readings, double after_s)
{
    const wsk_readings wall = {m->t_s, m->wall_w, (size_t)readings};
    return wsk_wall_fit_all(m->b.rig->net, m->b.arena, &m->b.log, m->dc_w, &wall, after_s, held_s, &m->out);
}

static double mean_of(const double *v, int from, int to)
{
    double sum = 0;
    for (int i = from; i < to; i++)
        sum += v[i];
    return sum / (to - from);
}

static void a_perfect_meter_moves_nothing(void **state)
{
    (void)state;
    static const double clocks_s[] = {NAN, 600, 0, 2390, -1190, 600 + 9 * 3600};
    for (size_t k = 0; k < sizeof clocks_s / sizeof *clocks_s; k++) {
        machine m;
        open_machine(&m);
        assert_int_equal(fit_machine(&m, METER, clocks_s[k]), WSK_OK);
        assert_true(m.out.clock_found);
        assert_near(m.out.begins_s, 600, 0.01);
        if (k)
            assert_near(m.out.ahead_s, clocks_s[k] - 600, 0.01);
        assert_int_equal(m.out.fit.count, 2);
        assert_near(m.out.fit.values[0].value, 30, 0.001);
        assert_near(m.out.fit.values[0].prior, 30, 1e-9);
        assert_near(m.out.fit.values[1].value, efficiency, 1e-5);
        assert_near(m.out.fit.values[1].prior, efficiency, 1e-9);
        assert_near(m.out.cards_rel, 0, 1e-5);
        assert_rel(m.out.mean_w, mean_of(m.wall_w, 0, METER), 1e-9);
        assert_rel(m.out.cards_mean_w, mean_of(m.b.power, BEGINS, BEGINS + METER), 1e-5);
        const int minutes[] = {30, 20}; /* of the meter's 50, those whose middle is before 2400 s of the log */
        for (int part = 0; part < WSK_LOG_PARTS; part++) {
            const wsk_wall_error *e = &m.out.error[part];
            assert_int_equal(e->minutes, minutes[part]);
            assert_rel(e->mean_w, mean_of(m.wall_w, part ? 60 : 0, part ? METER : 60), 1e-9);
            assert_near(e->cv_rmse, 0, 1e-5);
            assert_near(e->nmbe, 0, 1e-5);
        }
        close_bench(&m.b);
    }
}

/* Errors that the fit cannot take up: 3 W, up in one minute and down in the next, and 10 W more in the part held out. */
static void errors_are_those_of_the_guideline(void **state)
{
    (void)state;
    machine m;
    open_machine(&m);
    for (int j = 0; j < METER; j++)
        m.wall_w[j] += (j / 2 % 2 ? 3 : -3) + (j < 60 ? 0 : 10);
    assert_int_equal(fit_machine(&m, METER, 600), WSK_OK);
    const wsk_wall_error *fitted = &m.out.error[WSK_PART_FITTED], *held = &m.out.error[WSK_PART_HELD_OUT];
    assert_rel(fitted->cv_rmse, 3 * sqrt(30 / 29.0) / fitted->mean_w, 0.02);
    assert_near(fitted->nmbe, 0, 0.1 / fitted->mean_w);
    assert_rel(held->cv_rmse, sqrt(20 * (10 * 10 + 3 * 3) / 19.0) / held->mean_w, 0.02);
    assert_rel(held->nmbe, 20 * 10 / (19 * held->mean_w), 0.02);
    close_bench(&m.b);
}

/* A load that the meter shows and the cards do not is the base's. */
static void a_constant_difference_is_the_base_load(void **state)
{
    (void)state;
    static const double more_w[] = {-4, 6};
    for (int k = 0; k < 2; k++) {
        machine m;
        open_machine(&m);
        for (int j = 0; j < METER; j++)
            m.wall_w[j] += more_w[k] / efficiency;
        assert_int_equal(fit_machine(&m, METER, 600), WSK_OK);
        const wsk_calibrated *board = &m.out.fit.values[0];
        assert_near(board->value - board->prior, more_w[k], 0.5);
        assert_true(board->learnt > 0.9 && board->spread < 2);
        assert_true(fabs(m.out.fit.values[1].value - efficiency) < 0.002 && fabs(m.out.cards_rel) < 0.01);
        close_bench(&m.b);
    }
}

/* If meter and model differ in proportion to the cards' power, the fit takes the cards' own sensors to be off, not the
 * base load of the machine. */
static void a_difference_in_proportion_is_the_cards(void **state)
{
    (void)state;
    machine m;
    open_machine(&m);
    for (int j = 0; j < METER; j++)
        m.wall_w[j] += 0.06 * m.b.power[BEGINS + j] / efficiency;
    assert_int_equal(fit_machine(&m, METER, 600), WSK_OK);
    assert_near(m.out.cards_rel, 0.06, 0.01);
    assert_true(m.out.cards_sd_rel < 0.015 && m.out.cards_learnt > 0.9);
    assert_near(m.out.fit.values[0].value, 30, 1);
    close_bench(&m.b);
}

/* Readings that are no power are missing; a minute without any is none. Half a minute counts as its bin. */
static void readings_that_are_no_power_are_missing(void **state)
{
    (void)state;
    static const double none[] = {NAN, 0, -5, INFINITY};
    machine m;
    open_machine(&m);
    for (int k = 0; k < 4; k++)
        m.wall_w[10 + 2 * k] = none[k]; /* half of a minute each */
    for (int k = 0; k < 4; k++)
        m.wall_w[70 + k] = none[k]; /* two whole minutes */
    assert_int_equal(fit_machine(&m, METER, 600), WSK_OK);
    assert_true(m.out.clock_found);
    assert_int_equal(m.out.error[WSK_PART_FITTED].minutes, 30);
    assert_int_equal(m.out.error[WSK_PART_HELD_OUT].minutes, 18);
    assert_near(m.out.fit.values[0].value, 30, 0.001);
    close_bench(&m.b);
}

/* A clock is found only from half of the shorter recording; with less in common the clocks are taken as they are. */
static void half_of_the_shorter_must_be_shared(void **state)
{
    (void)state;
    static const int begins[] = {-40, -46, -54, -70};
    for (int k = 0; k < 4; k++) {
        machine m;
        wsk_dice dice = {.seed = 21};
        open_machine(&m);
        for (int i = 0; i < BINS; i++) { /* another power in each bin, so that no other clock fits by chance */
            m.b.power[i] = wsk_draw(&dice, 20, 300);
            m.dc_w[i] = m.b.power[i] + rest_w;
        }
        for (int j = 0; j < METER; j++)
            m.wall_w[j] = begins[k] + j < 0 ? wsk_draw(&dice, 100, 400) : m.dc_w[begins[k] + j] / efficiency;
        assert_int_equal(fit_machine(&m, METER, begins[k] * bin_s + 120), WSK_OK);
        const bool found = METER + begins[k] >= METER / 2;
        assert_int_equal(m.out.clock_found, found);
        assert_near(m.out.begins_s, begins[k] * bin_s + (found ? 0 : 120), 1);
        close_bench(&m.b);
    }
}

/* Ten minutes, of which five are fitted, are the least. */
static void a_brief_meter_is_refused(void **state)
{
    (void)state;
    static const struct {
        int readings;
        double after_s;
        bool refused;
    } cases[] = {{18, 600, true}, {19, 600, false}, {20, 600, false}, {METER, 2100, false}, {METER, 2160, true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        machine m;
        open_machine(&m);
        if (cases[k].after_s > 600)
            for (int i = 0; i < BINS; i++) /* without changes the clocks are taken as they are */
                m.b.power[i] = 100, m.dc_w[i] = 160;
        for (int j = 0; j < METER && cases[k].after_s > 600; j++)
            m.wall_w[j] = 160 / efficiency;
        assert_int_equal(fit_machine(&m, cases[k].readings, cases[k].after_s),
                         cases[k].refused ? WSK_EUSAGE : WSK_OK);
        assert_int_equal(m.out.refused != NULL, cases[k].refused);
        if (cases[k].after_s > 600)
            assert_false(m.out.clock_found);
        close_bench(&m.b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_perfect_meter_moves_nothing),
                                       cmocka_unit_test(errors_are_those_of_the_guideline),
                                       cmocka_unit_test(a_constant_difference_is_the_base_load),
                                       cmocka_unit_test(a_difference_in_proportion_is_the_cards),
                                       cmocka_unit_test(readings_that_are_no_power_are_missing),
                                       cmocka_unit_test(half_of_the_shorter_must_be_shared),
                                       cmocka_unit_test(a_brief_meter_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
