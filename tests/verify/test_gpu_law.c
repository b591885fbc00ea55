/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power, clock and work of a card, number by number, from the formulas and tables of docs/theory/gpu.md. */
#include <math.h>
#include <stdio.h>

#include "sim/net/machine.h"
#include "tests/support/bench.h"

/* boost_hz: 20 K x 4 MHz/K below 1,900 MHz, rounded down to a step of 15 MHz */
static const double mhz = 1e6, warm_k = 65 + 273.15, boost_hz = 1810e6;
enum { TDP = 400, KNEE = 1400 };

/* A card whose fits hold at 65 degC, where its boost clock is therefore 1,810 MHz. */
static wsk_run *card(const char *more, const char *inside, const char *work, wsk_rig **rig)
{
    char xml[2000];
    snprintf(xml, sizeof xml,
             "<rig><site><room temperature='25 degC'/></site><chassis kind='frame' slots='4'>"
             "<psu kind='constant' rated='2 kW' efficiency='90 %%'/><gpu slot='1' tdp='400 W' clock-max='1900 MHz' "
             "clock-min='210 MHz' clock-step='15 MHz' clock-knee='1400 MHz' voltage-slope='0.6 1/GHz' "
             "boost-loss='4 MHz/K' boost-temperature='45 degC' leakage='20 W' leakage-slope='0.03 1/K' "
             "leakage-temperature='65 degC' %s>%s<cooler kind='blower' conductance='8 W/K' flow='16 CFM' "
             "capacity='500 J/K' fan-pressure='320 Pa' fan-flow='29 CFM' fan-rpm='4000 rpm'/></gpu></chassis>"
             "<workload kind='constant' %s/><run for='1 h'/></rig>",
             more, inside, work);
    return wsk_test_run_to(xml, 0, rig);
}

static double voltage(double f)
{
    return f > KNEE * mhz ? 1 + 0.6e-9 * (f - KNEE * mhz) : 1;
}

/* Work at clock f, relative to the reference clock, by the formula of docs/theory/gpu.md. */
static double perf(const wsk_gpu_class *c, double f)
{
    const double x = f / c->ref_clock_hz, a4 = pow(c->clock_share, 4), y = c->memory_speed;
    return 1 / ((1 - c->wait) * pow(a4 / pow(x, 4) + (1 - a4) / pow(y, 4), 0.25) + c->wait);
}

static double power(const wsk_gpu_class *c, double f, double die_k)
{
    const double v = voltage(f), dyn = (1 - c->wait * perf(c, f)) * c->c_w_hz * f,
                 leak = 20 * (exp(0.03 * (die_k - warm_k)) - 1);
    return c->p0_w + c->traffic_w * perf(c, f) + v * v * fmax(dyn + leak, 0.1 * dyn);
}

static const wsk_gpu_class kinds[] = {
    {.p0_w = 60, .c_w_hz = 150e-9, .clock_share = 0.8, .ref_clock_hz = 1500e6, .memory_speed = 1},
    {.p0_w = 60, .c_w_hz = 120e-9, .clock_share = 0.6, .ref_clock_hz = 1600e6, .memory_speed = 1.1, .traffic_w = 70},
    {.p0_w = 40,
     .c_w_hz = 170e-9,
     .clock_share = 0.9,
     .ref_clock_hz = 1700e6,
     .memory_speed = 0.9,
     .traffic_w = 30,
     .wait = 0.3},
    {.p0_w = 80, .c_w_hz = 4e-9, .clock_share = 0.9, .ref_clock_hz = 1700e6, .memory_speed = 1}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void power_and_work(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = card("", "", "class='training'", &rig);
    const wsk_card *c = &run->net->cards[0];
    for (int k = 0; k < KINDS; k++)
        for (double f = 210e6; f < 2000e6; f += 97e6)
            for (double die = 30 + 273.15; die < 95 + 273.15; die += 11) {
                double slope;
                assert_rel(c->ops->power_w(c->gpu, &kinds[k], f, die, &slope), power(&kinds[k], f, die), 1e-9);
                assert_rel(c->ops->perf_rel(&kinds[k], f), perf(&kinds[k], f), 1e-9);
                const double by = 1e-3;
                assert_near(slope, (power(&kinds[k], f, die + by) - power(&kinds[k], f, die - by)) / (2 * by), 1e-4);
            }
    assert_same(c->ops->perf_rel(&kinds[0], 0), 0);
    for (double k = 20; k < 100; k += 0.7) { /* full boost to 45 degC, then 4 MHz less for each kelvin, in bins */
        const double loss = fmax(k - 45, 0) * 4, got = (1900 * mhz - c->ops->boost_hz(c->gpu, k + 273.15)) / mhz;
        assert_near(got, 15 * ceil(loss / 15 - 1e-6), 1e-6);
    }
    wsk_test_drop(run, rig);
}

/* A power limit holds the card at the clock at which it draws this limit. */
static void clock_of_a_power(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = card("", "", "class='training'", &rig);
    const wsk_card *c = &run->net->cards[0];
    for (int k = 0; k < KINDS; k++)
        for (double die = 30 + 273.15; die < 95 + 273.15; die += 13)
            for (double f = 215e6; f < 2000e6; f += 93e6)
                for (double guess = 210e6; guess < 2500e6; guess += 700e6)
                    assert_near(c->ops->clock_for(c->gpu, &kinds[k], power(&kinds[k], f, die), die, guess), f, 2e4);
    for (int k = 0; k < KINDS; k++)
        assert_same(c->ops->clock_for(c->gpu, &kinds[k], power(&kinds[k], 210e6, warm_k) - 1, warm_k, 1500e6), 210e6);
    const wsk_gpu_class flat = {.p0_w = 60, .clock_share = 0.8, .ref_clock_hz = 1500e6, .memory_speed = 1};
    /* the power of this class does not depend on the clock, so a lower clock would not help */
    assert_same(c->ops->clock_for(c->gpu, &flat, 50, warm_k, 1500e6), 1900e6);
    wsk_test_drop(run, rig);
}

static void plateaus_and_floors(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = card("plateau-draw='334 W' plateau-high='370 W' limit-draw='97 %' power-floor='150 W'", "",
                        "class='training'", &rig);
    const wsk_card *c = &run->net->cards[0];
    static const double held[][2] = {{400, 388},    {371, 359.87}, {370, 334}, {350, 334}, {334, 334},
                                     {333, 323.01}, {160, 155.2},  {150, 150}, {100, 150}};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        assert_rel(c->ops->held_w(c->gpu, held[i][0]), held[i][1], 1e-9);
    wsk_test_drop(run, rig);
}

/* The tables in docs/theory/gpu.md, "Class: fit". work, draw: spreads [0] with class values, [1] with a fit to the
 * card, [2] with measured power. */
static const struct {
    const char *name;
    wsk_class of;
    double p0, drawn, a, work[3], draw[3];
} classes[] = {{"burn", WSK_CLASS_BURN, 0.09, 1.35, 0.98, {0.49, 0.20, 0.10}, {0.46, 0.30, 0.05}},
               {"training", WSK_CLASS_TRAINING, 0.15, 1.00, 0.80, {0.16, 0.09, 0.05}, {0.36, 0.21, 0.05}},
               {"prefill", WSK_CLASS_PREFILL, 0.25, 1.30, 0.85, {0.22, 0.10, 0.10}, {0.35, 0.20, 0.05}},
               {"decode", WSK_CLASS_DECODE, 0.20, 1.20, 0.75, {0.22, 0.13, 0.13}, {0.35, 0.20, 0.06}},
               {"moe-decode", WSK_CLASS_MOE_DECODE, 0.25, 0.90, 0.65, {0.22, 0.13, 0.13}, {0.45, 0.20, 0.06}},
               {"stream", WSK_CLASS_STREAM, 0.20, 0.60, 0.50, {0.10, 0.08, 0.08}, {0.30, 0.12, 0.05}}};
enum { CLASSES = sizeof classes / sizeof *classes };

static wsk_gpu_class class_of(int i, const char *more, const char *fit, const char *measured)
{
    char inside[200], work[100];
    wsk_rig *rig;
    snprintf(inside, sizeof inside, fit, classes[i].name);
    snprintf(work, sizeof work, "class='%s' %s", classes[i].name, measured);
    wsk_run *run = card(more, inside, work, &rig);
    const wsk_gpu_class cls = run->net->cards[0].cls;
    wsk_test_drop(run, rig);
    return cls;
}

static const char fit[] = "<class name='%s' p0='70 W' c='0.15 W/MHz' clock-share='70 %%' traffic-power='20 W'/>";

static void class_values(void **state)
{
    (void)state;
    for (int i = 0; i < CLASSES; i++) {
        const wsk_gpu_class c = class_of(i, "power-limit-min='390 W'", "", "");
        assert_rel(c.p0_w, classes[i].p0 * TDP, 1e-9);
        assert_rel(c.clock_share, classes[i].a, 1e-9);
        assert_rel(power(&c, boost_hz, warm_k), classes[i].drawn * TDP, 1e-9);
        assert_same(c.work_spread, classes[i].work[0]);
        assert_same(c.power_spread_rel, classes[i].draw[0]);
        /* the reference is the highest clock of the grid that the default limit, the tdp, allows */
        assert_true(power(&c, c.ref_clock_hz, warm_k) <= TDP * (1 + 1e-9));
        assert_true(c.ref_clock_hz == boost_hz || power(&c, c.ref_clock_hz + 15e6, warm_k) > TDP);
        assert_near(remainder(boost_hz - c.ref_clock_hz, 15e6), 0, 1);
        const wsk_gpu_class own = class_of(i, "", fit, "");
        assert_same(own.work_spread, classes[i].work[1]);
        assert_same(own.power_spread_rel, classes[i].draw[1]);
        assert_true(own.p0_w == 70 && own.traffic_w == 20 && own.clock_share == 0.7);
    }
}

/* P0 (p0_w) is the part of the board power that does not depend on clock and temperature. It is at most 3/4 of the
 * lowest power limit. If the card would draw more than that limit at 35 % of its boost clock, P0 is lowered further,
 * down to idle power. The power at the boost clock stays. At its lowest clock, at 30 degC, no card draws less than idle
 * power. */
static void lowest_limit_and_rest(void **state)
{
    (void)state;
    static const char *const more[] = {"power-limit-min='80 W' idle='10 W'", "power-limit-min='200 W' idle='10 W'",
                                       "power-limit-min='100 W' idle='70 W'", "power-limit-min='390 W' idle='60 W'"};
    static const double least[] = {80, 200, 100, 390}, idle[] = {10, 10, 70, 60};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < CLASSES; i++) {
            const wsk_gpu_class c = class_of(i, more[k], "", "");
            const double low_hz = 0.35 * boost_hz, table = classes[i].p0 * TDP,
                         at_rest = power(&c, 210e6, 30 + 273.15), drawn = classes[i].drawn * TDP;
            assert_rel(power(&c, boost_hz, warm_k), drawn, 1e-9);
            const double v = voltage(boost_hz), share = low_hz / (boost_hz * v * v),
                         p0 = fmin(fmin(table, 0.75 * least[k]),
                                   fmax((least[k] - drawn * share) / (1 - share), idle[k]));
            if (at_rest > idle[k] + 1e-6)
                assert_rel(c.p0_w, p0, 1e-9);
            else
                assert_true(c.p0_w >= p0 * (1 - 1e-9) && at_rest > idle[k] - 1e-6);
        }
}

/* Power of the kernels between the pauses of c, in which the card draws p0. */
static double kernels(const wsk_gpu_class *c, double f)
{
    return c->p0_w + (power(c, f, warm_k) - c->p0_w) / (1 - c->wait * perf(c, f));
}

/* Between long pauses a limit holds the power of the kernels. The pauses last as long at any clock, so that their share
 * of the time grows with the clock. */
static void long_pauses(void **state)
{
    (void)state;
    for (double duty = 0.3; duty < 1; duty += 0.2)
        for (double limit = 150; limit < 400; limit += 50) {
            char inside[200];
            wsk_rig *rig;
            snprintf(inside, sizeof inside,
                     "<class name='training' p0='70 W' c='0.15 W/MHz' clock-share='70 %%' traffic-power='%.0f W' "
                     "duty='%.1f' long-pauses='yes'/>",
                     limit / 10, duty);
            wsk_run *run = card("", inside, "class='training'", &rig);
            const wsk_card *c = &run->net->cards[0];
            const double mean = wsk_card_held_w(c, limit), f = c->ops->clock_for(c->gpu, &c->cls, mean, warm_k, 1e9),
                         busy = 1 - (1 - duty) * perf(&c->cls, f), ref = c->cls.ref_clock_hz;
            assert_rel(power(&c->cls, f, warm_k), mean, 1e-4);
            if (f < 1900e6)
                assert_rel(kernels(&c->cls, f), limit, 1e-4);
            assert_near(mean, 70 + busy * (limit - 70), 1e-4 * limit);
            assert_true(wsk_card_held_w(c, limit + 1) > mean && mean < limit);
            /* the default limit, 400 W, holds the kernels at the reference clock */
            assert_true(kernels(&c->cls, ref) <= TDP * (1 + 1e-9));
            assert_true(ref == boost_hz || kernels(&c->cls, ref + 15e6) > TDP);
            wsk_test_drop(run, rig);
        }
}

static void measured_power(void **state)
{
    (void)state;
    for (int i = 0; i < CLASSES; i++) {
        const wsk_gpu_class c = class_of(i, "", fit, ""), m = class_of(i, "", fit, "measured-power='200 W'");
        assert_same(m.work_spread, classes[i].work[2]);
        assert_same(m.power_spread_rel, classes[i].draw[2]);
        const double v = voltage(boost_hz), per = boost_hz * v * v;
        if (classes[i].of == WSK_CLASS_TRAINING) {
            /* The measured power is below that of the class by a factor. Pauses account for its square root, less
             * power per clock for the rest. */
            const double now = 200 - 90, duty = sqrt(now / (c.c_w_hz * per));
            assert_rel(1 - m.wait, duty, 1e-9);
            assert_rel(m.c_w_hz, duty * c.c_w_hz, 1e-9);
            assert_rel(m.limit_share, 200 / (90 + now / duty), 1e-9);
        } else {
            assert_rel(power(&m, boost_hz, warm_k), 200, 1e-9);
            assert_same(m.wait, 0);
        }
        /* at least a quarter of the measured power depends on the clock */
        const wsk_gpu_class less = class_of(i, "", fit, "measured-power='100 W'");
        assert_rel(less.p0_w + less.traffic_w, 75, 1e-9);
        assert_rel(less.p0_w / less.traffic_w, 3.5, 1e-9);
        /* A measured power of 95 % of the limit or more may have been cut by the limit, so it does not change the
         * class. */
        const wsk_gpu_class cut = class_of(i, "", fit, "measured-power='381 W'"),
                            uncut = class_of(i, "", fit, "measured-power='379 W'");
        assert_same(cut.c_w_hz, c.c_w_hz);
        assert_true(uncut.c_w_hz < c.c_w_hz);
    }
}

/* Memory over board power is two lines: from rest to the power at half of the reference clock, and on to the power at
 * the reference; above it is constant. docs/theory/card.md, "Memory" */
static void memory_of_board_power(void **state)
{
    (void)state;
    static const struct {
        const char *more;
        double at_rest, full, exponent;
    } of[] = {{"memory-type='GDDR6' memory-power='48 W'", 48 * 0.08, 48, 1},
              {"memory-type='GDDR6' memory-power='48 W' memory-idle='20 W'", 20, 48, 1},
              {"memory-type='HBM3' memory-power='60 W' memory-idle='10 W'", 10, 60, 0.6},
              {"memory-type='HBM3' memory-bandwidth='2000 GB/s' memory-idle='10 W'", 10,
               2000e9 * 8 * 5.3e-12 * (0.65975395538644721 + 0.25), 0.6}, /* 0.6597... is 2^-0.6 */
              {"memory-type='GDDR7' memory-bandwidth='1000 GB/s'", 0.08 * 1000e9 * 8 * 5e-12 * 0.75,
               1000e9 * 8 * 5e-12 * 0.75, 1}};
    static const double traffic[] = {0.2, 0.5, 0.3, 0.7, 0.65, 1}; /* traffic of each class */
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        for (int i = 0; i < CLASSES; i++) {
            char work[60], inside[200];
            wsk_rig *rig;
            snprintf(inside, sizeof inside, fit, classes[i].name);
            snprintf(work, sizeof work, "class='%s'", classes[i].name);
            wsk_run *run = card(of[k].more, inside, work, &rig);
            const wsk_card *c = &run->net->cards[0];
            const wsk_gpu_class *cls = &c->cls;
            /* without traffic the memory draws a fifth of its power at full traffic */
            const double e = of[k].exponent, most = of[k].full / (pow(2, -e) + 0.25),
                         awake = fmax(of[k].at_rest, 0.25 * most), over = of[k].full - awake,
                         half_hz = 0.5 * cls->ref_clock_hz, half = power(cls, half_hz, warm_k),
                         top = power(cls, cls->ref_clock_hz, warm_k), rest = 0.08 * TDP,
                         at_half = awake + over * pow(2 * traffic[i] * perf(cls, half_hz), e),
                         at_top = awake + over * pow(2 * traffic[i], e);
            const double at[][2] = {{rest, of[k].at_rest}, {0.5 * (rest + half), 0.5 * (of[k].at_rest + at_half)},
                                    {half, at_half},       {0.5 * (half + top), 0.5 * (at_half + at_top)},
                                    {top, at_top},         {1.1 * top, at_top}};
            for (size_t n = 0; n < sizeof at / sizeof *at; n++)
                assert_rel(wsk_memory_w(c, NAN, at[n][0]), fmin(at[n][1], 0.5 * 0.88 * at[n][0]), 1e-9);
            for (double u = 0; u <= 1; u += 0.25) /* u: traffic read from a log */
                assert_rel(wsk_memory_w(c, u, top), fmin(awake + over * pow(2 * u, e), 0.5 * 0.88 * top), 1e-9);
            assert_rel(wsk_board_w(c, 250), 0.12 * 250, 1e-9);
            wsk_test_drop(run, rig);
        }
    wsk_rig *rig;
    wsk_run *run = card("board-fixed='10 %'", "", "class='burn'", &rig);
    for (double w = 10; w < 500; w += 60)
        assert_rel(wsk_board_w(&run->net->cards[0], w), fmin(0.12 * (0.1 * TDP + 0.9 * w * w / TDP), w / 2), 1e-9);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_and_work),        cmocka_unit_test(clock_of_a_power),
        cmocka_unit_test(plateaus_and_floors),   cmocka_unit_test(class_values),
        cmocka_unit_test(lowest_limit_and_rest), cmocka_unit_test(long_pauses),
        cmocka_unit_test(measured_power),        cmocka_unit_test(memory_of_board_power)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
