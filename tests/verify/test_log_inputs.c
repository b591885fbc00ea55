/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far fitted values may be off because an input of the replay is wrong (docs/theory/calibration.md, "Method"). With
 * one unknown, the room, the fit with a wrong input is known without the fit's method: the room moves until the squares
 * of what the wrong input adds to the die are least. */
#include "tests/verify/log_bench.h"

static const double die_sd = 5, room_sd = 10;

/* Takes the replayed temperatures for those of the log, and leaves the room alone to be fitted. */
static void fit_room(bench *b)
{
    memcpy(b->die_k, b->th.die_k, sizeof b->die_k);
    fit_value(b, WSK_TH_INLET, 0.01);
    b->fit.prior[0] = (wsk_prior){0, room_sd, -15, 15};
    b->fit.die_sd = die_sd;
    b->fit.memory_sd = 1;
}

/* The room that fits the log best, K above the rig's: least squares with the prior as a further row, by the effect of
 * one kelvin. */
static double best_room(bench *b)
{
    double *x = &b->th.parts[0].x[WSK_TH_INLET], off_k[BINS];
    for (int pass = 0; pass < 4; pass++) {
        double squares = pow(die_sd / room_sd, 2), product = squares * *x;
        replay(b);
        for (int i = 0; i < BINS; i++)
            off_k[i] = b->th.die_k[i] - b->die_k[i];
        *x += 1;
        replay(b);
        *x -= 1;
        for (int i = 0; i < BINS; i++) {
            const double by_k = b->th.die_k[i] - b->die_k[i] - off_k[i];
            squares += by_k * by_k;
            product += by_k * off_k[i];
        }
        *x -= product / squares;
    }
    const double best_k = *x;
    *x = 0;
    return best_k;
}

static void doubt_inputs(bench *b)
{
    double power[BINS], base_k[BINS], *x = b->th.parts[0].x, before[WSK_TH_UNKNOWNS];
    replay(b);
    memcpy(base_k, b->th.die_k, sizeof base_k);
    memcpy(power, b->power, sizeof power);
    memcpy(before, x, sizeof before);
    assert_int_equal(wsk_thermal_doubt_inputs(&b->th, 0, &b->fit), WSK_OK);
    for (int i = 0; i < BINS; i++) {
        assert_same(b->power[i], power[i]); /* the log, the values and the replay are as before */
        assert_rel(b->th.die_k[i], base_k[i], 1e-12);
    }
    for (int v = 0; v < WSK_TH_UNKNOWNS; v++)
        assert_same(x[v], before[v]);
}

/* A log of utilisation and clock: power is idle + utilisation (P(clock) - idle). */
static void take_modelled(bench *b, double clock_hz, double busy)
{
    b->card.drawn_w = NULL;
    b->card.clock_hz = b->clock_hz;
    b->card.busy = b->busy;
    const wsk_card *c = &b->rig->net->cards[0];
    for (int i = 0; i < BINS; i++) {
        b->clock_hz[i] = clock_hz;
        b->busy[i] = i < BINS / 2 ? busy : 0.5 * busy;
        b->power[i] = c->gpu->idle_w +
                      b->busy[i] * (c->ops->power_w(c->gpu, &c->cls, clock_hz, b->die_k[i], NULL) - c->gpu->idle_w);
        b->card.highest_w = fmax(b->card.highest_w, b->power[i]);
    }
    b->card.opening_w = b->card.from_w = b->power[0];
}

typedef enum { IDLE, DRAW, FIXED, INPUTS } input;

/* Powers of the log with one of the inputs off by its standard deviation: idle power by idle_rel, what follows the
 * clock, or fixed power at the cost of what follows the clock, so that power at the reference clock stays. */
static void watts_off(const bench *b, input which, double idle_rel, double *watts)
{
    const wsk_card *c = &b->rig->net->cards[0];
    const wsk_calibrate_load l = wsk_calibrate_of_class(c->gpu, c->ops, &c->cls);
    wsk_gpu_class cls = c->cls;
    double idle_w = c->gpu->idle_w;
    cls.c_w_hz = 0;
    const double ref_w = c->ops->power_w(c->gpu, &c->cls, cls.ref_clock_hz, c->gpu->leakage_temp_k, NULL),
                 follows_w = ref_w - c->ops->power_w(c->gpu, &cls, cls.ref_clock_hz, c->gpu->leakage_temp_k, NULL),
                 moves_w = fmin(l.p0_sd * cls.p0_w, 0.8 * follows_w);
    cls.c_w_hz = c->cls.c_w_hz;
    if (which == IDLE)
        idle_w *= 1 + idle_rel;
    if (which == DRAW)
        cls.c_w_hz *= 1 + l.c_sd;
    if (which == FIXED) {
        cls.p0_w += moves_w;
        cls.c_w_hz *= (follows_w - moves_w) / follows_w;
        assert_rel(c->ops->power_w(c->gpu, &cls, cls.ref_clock_hz, c->gpu->leakage_temp_k, NULL), ref_w, 1e-9);
    }
    for (int i = 0; i < BINS; i++)
        watts[i] = b->power[i] + (1 - b->busy[i]) * (idle_w - c->gpu->idle_w) +
                   b->busy[i] * (c->ops->power_w(c->gpu, &cls, b->clock_hz[i], b->die_k[i], NULL) -
                                 c->ops->power_w(c->gpu, &c->cls, b->clock_hz[i], b->die_k[i], NULL));
}

/* Each error of modelled power moves the room by what makes up for it. The second class of work has so much fixed power
 * that four fifths of what follows the clock are less than the spread of the fixed power. The third is the owner's own,
 * whose fixed power is not in doubt, and its idle power has a stated spread. */
static void modelled_watts_may_be_off(void **state)
{
    (void)state;
    static const char *const rigs[] = {
        LOG_RIG("", "", BLOWER, TRAINING),
        LOG_RIG("", "", "<class name='training' p0='150 W' c='40 W/GHz' clock-share='0.8'/>" BLOWER, TRAINING),
        LOG_RIG("", "",
                "<source for='idle' kind='measured' ref='a meter' spread='+-40 %'/>"
                "<class name='training' p0='60 W' c='80 W/GHz' clock-share='0.8'>"
                "<source for='p0 c' kind='fitted' ref='a sweep'/></class>" BLOWER,
                TRAINING)};
    for (int r = 0; r < 3; r++)
        for (int at = 0; at < 2; at++) {
            bench b;
            double watts[BINS];
            open_rig(&b, rigs[r]);
            const wsk_gpu_class *cls = &b.rig->net->cards[0].cls;
            assert_int_equal(cls->own, r == 2);
            take_modelled(&b, (at ? 0.7 : 1) * cls->ref_clock_hz, 0.8);
            start_bench(&b);
            fit_room(&b);
            doubt_inputs(&b);
            for (int k = 0; k < INPUTS; k++) {
                const double found_k = b.fit.by_error[WSK_TH_IDLE_WATTS + k][0];
                watts_off(&b, (input)k, r == 2 ? 0.4 : 0.25, watts);
                b.card.power_w = watts;
                const double want_k = r == 2 && k == FIXED ? 0 : best_room(&b);
                b.card.power_w = b.power;
                assert_near(found_k, want_k, 0.005 + 0.02 * fabs(want_k));
                assert_true(k == FIXED && (!at || r == 2) ? fabs(found_k) < 0.05 : fabs(found_k) > 0.1);
            }
            for (int k = WSK_TH_HOST; k < WSK_TH_ERRORS; k++)
                assert_near(b.fit.by_error[k][0], 0, 1e-9);
            close_bench(&b);
        }
}

/* The host may work as much at low power as at full power, if the log has two levels of work: the lower one above a
 * fifth of the highest power, and at least a tenth below it. A host whose load the rig states as 0 % does not matter. */
static void the_load_of_the_host_may_be_off(void **state)
{
    (void)state;
#define HOST "<cpu power='250 W' idle='50 W' conductance='20 W/K'/>"
    static const char works[] = LOG_RIG(HOST, "", BLOWER, "<workload kind='training' host-load='100 %'/>"),
                      rests[] = LOG_RIG(HOST, "", BLOWER, "<workload kind='training' host-load='0 %'/>");
    static const struct {
        const char *xml;
        double low;
        bool doubted;
    } cases[] = {{works, 0.5, true},   {works, 0.895, true}, {works, 0.905, false}, {works, 0.21, true},
                 {works, 0.19, false}, {works, 1, false},    {rests, 0.5, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench b;
        open_rig(&b, cases[k].xml);
        halve(&b, cases[k].low * power_w);
        start_bench(&b);
        fit_room(&b);
        doubt_inputs(&b);
        b.th.full_host = true;
        const double want_k = cases[k].doubted ? best_room(&b) : 0;
        b.th.full_host = false;
        assert_near(b.fit.by_error[WSK_TH_HOST][0], want_k, 0.02 * fabs(want_k));
        assert_true(!cases[k].doubted || want_k < -0.02); /* a host that works more warms the case */
        for (int error = 0; error < WSK_TH_ERRORS; error++)
            assert_true(error == WSK_TH_HOST || b.fit.by_error[error][0] == 0);
        close_bench(&b);
    }
}

/* How much a card cools without its fan is in doubt only if its speeds are not logged, it stands still at some time,
 * and the card cools by what its size gives. The fan of the last two rigs turns by its part, and may stop
 * nevertheless. */
static void cooling_without_the_fan_may_be_off(void **state)
{
    (void)state;
    static const char stops[] = LOG_RIG("", "", OPEN_AIR, TRAINING),
                      known[] =
                          LOG_RIG("", "", "<cooler part='cooler/class-open-air-300' natural='1 W/K'/>", TRAINING),
                      turns[] = LOG_RIG("", "",
                                        "<cooler part='cooler/class-open-air-300' rpm-min='1020 rpm' "
                                        "fan-curve='40 degC:1020 rpm, 92 degC:3000 rpm'/>",
                                        TRAINING);
    static const struct {
        const char *xml;
        bool follows, doubted;
        double rpm, rest; /* the speed in the second half of the log */
    } cases[] = {{stops, true, true, 0, -0.5}, {stops, true, true, 1200, -0.5}, {stops, false, false, 0, -0.5},
                 {stops, true, false, 0, 0.1}, {known, true, false, 0, -0.5},   {turns, true, true, 0, -0.5},
                 {turns, true, false, 0, 0.5}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench b;
        double turning[BINS];
        open_rig(&b, cases[k].xml);
        for (int i = 0; i < BINS; i++) {
            b.power[i] = 30;
            b.rpm[i] = i < BINS / 2 ? 0 : cases[k].rpm;
            turning[i] = 1020;
        }
        b.card.follows = cases[k].follows;
        b.card.opening_w = b.card.from_w = b.card.highest_w = 30;
        b.card.opening_rpm = 0;
        if (cases[k].xml == turns) {
            b.card.rpm = turning;
            b.card.rest_rpm = b.rpm;
        }
        start_bench(&b);
        b.th.parts[0].x[WSK_TH_REST] = cases[k].rest;
        replay(&b);
        fit_room(&b);
        doubt_inputs(&b);
        b.th.parts[0].x[WSK_TH_STILL] = 0.4; /* spread of natural-factor: sixteen idle cards in facts/at_rest.csv */
        const double want_k = cases[k].doubted ? best_room(&b) : 0;
        assert_near(b.fit.by_error[WSK_TH_STILL_AIR][0], want_k, 0.02 * fabs(want_k));
        assert_true(!cases[k].doubted || want_k > 0.5); /* a card that cools better was in a warmer room */
        close_bench(&b);
    }
}

/* A fit with the other behaviour of the fan at rest counts by its share. */
static void another_fit_is_an_error_by_its_share(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    fit_room(&b);
    fit_value(&b, WSK_TH_DIE, 0.01);
    b.fit.prior[1] = (wsk_prior){0, 0.3, -2.3, 2.3};
    b.fit.fit.x[0] = 0.5;
    b.fit.fit.x[1] = -0.2;
    b.fit.other_x[0] = 2.5;
    b.fit.other_x[1] = 0.3;
    doubt_inputs(&b);
    assert_same(b.fit.by_error[WSK_TH_FAN_RESTS][0], 0);
    b.fit.other_share = 0.6;
    doubt_inputs(&b);
    assert_rel(b.fit.by_error[WSK_TH_FAN_RESTS][0], 0.6 * (2.5 - 0.5), 1e-12);
    assert_rel(b.fit.by_error[WSK_TH_FAN_RESTS][1], 0.6 * (0.3 + 0.2), 1e-12);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modelled_watts_may_be_off), cmocka_unit_test(the_load_of_the_host_may_be_off),
        cmocka_unit_test(cooling_without_the_fan_may_be_off), cmocka_unit_test(another_fit_is_an_error_by_its_share)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
