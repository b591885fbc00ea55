/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How readings of a log become the means of its bins (sim/study/calibrate/thermal_bins.c), and the speeds of fans that the log
 * lacks (sim/study/calibrate/thermal_follow.c). */
#include "tests/verify/log_bench.h"

enum { MOST = 4000 };
typedef struct {
    double t_s[MOST], power_w[MOST], die_k[MOST], more[MOST];
    size_t n;
} readings;

/* Readings of a constant power and temperature, one every every_s seconds. */
static void take(readings *r, size_t n, double every_s)
{
    r->n = n;
    for (size_t i = 0; i < n; i++) {
        r->t_s[i] = (double)i * every_s;
        r->power_w[i] = 200;
        r->die_k[i] = 340;
    }
}

static wsk_readings of(const readings *r, const double *value)
{
    return (wsk_readings){r->t_s, value, r->n};
}

static wsk_calibrate_trace trace_of(const readings *r)
{
    return (wsk_calibrate_trace){.power = of(r, r->power_w), .die = of(r, r->die_k)};
}

/* A log is long enough from three minutes between its first and its last temperature on. */
static void what_a_log_needs(void **state)
{
    (void)state;
    static readings r;
    take(&r, 19, 10);
    wsk_calibrate_trace t = trace_of(&r);
    assert_null(wsk_thermal_refuses(&t));
    t.die.count = 18;
    assert_string_equal(wsk_said_code(wsk_thermal_refuses(&t)), "calibrate.brief");
    t = (wsk_calibrate_trace){.power = of(&r, r.power_w), .hot_spot = of(&r, r.die_k)};
    assert_null(wsk_thermal_refuses(&t));
    t.power.count = 0;
    assert_string_equal(wsk_said_code(wsk_thermal_refuses(&t)), "calibrate.no-power");
    t.utilisation = of(&r, r.more);
    assert_string_equal(wsk_said_code(wsk_thermal_refuses(&t)), "calibrate.no-power");
    t.clock = of(&r, r.more);
    assert_null(wsk_thermal_refuses(&t));
    t.hot_spot.count = 0;
    assert_string_equal(wsk_said_code(wsk_thermal_refuses(&t)), "calibrate.no-temperature");
}

typedef struct {
    wsk_rig *rig;
    wsk_arena *arena;
    wsk_thermal_log log;
} binned;

static binned bin_log(const char *xml, const wsk_calibrate_trace *traces, int count)
{
    binned b = {.rig = wsk_test_rig(xml, NULL), .arena = wsk_arena_new()};
    assert_true(wsk_thermal_bins(&b.log, b.arena, b.rig->net, traces, count));
    return b;
}

static void drop(binned *b)
{
    wsk_arena_free(b->arena);
    wsk_rig_free(b->rig);
}

static const char plain[] = LOG_RIG("", "", BLOWER, TRAINING);

/* At most 900 bins of less than ten seconds, else at most 4000: of ten seconds or more, or of whole hours. The later of
 * power and temperature ends the log. */
static void bins_are_as_long_as_the_log_needs(void **state)
{
    (void)state;
    static const struct {
        double end_s, bin_s;
    } cases[] = {{900, 1},       {901, 2},         {1800, 2},     {1801, 5},       {4500, 5},      {4501, 10},
                 {40e3, 10},     {40001, 20},      {80e3, 20},    {80001, 30},     {120e3, 30},    {120001, 60},
                 {240e3, 60},    {240001, 120},    {480e3, 120},  {480001, 300},   {1.2e6, 300},   {1200001, 600},
                 {2.4e6, 600},   {2400001, 1800},  {7.2e6, 1800}, {7200001, 3600}, {14.4e6, 3600}, {14400001, 7200},
                 {28.8e6, 7200}, {28800001, 10800}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int later = 0; later < 2; later++) {
            double early_s[] = {0, 500, 800}, late_s[] = {0, 500, cases[k].end_s}, watts[] = {200, 210, 220},
                   die_k[] = {340, 341, 342};
            const wsk_calibrate_trace t = {.power = {later ? early_s : late_s, watts, 3},
                                           .die = {later ? late_s : early_s, die_k, 3}};
            binned b = bin_log(plain, &t, 1);
            assert_same(b.log.bin_s, cases[k].bin_s);
            assert_int_equal(b.log.bins, (int)(cases[k].end_s / cases[k].bin_s) + 1);
            drop(&b);
        }
}

/* The first minute, the highest power, the first three seconds, and bins without a temperature at both ends. */
static void the_beginning_of_a_log(void **state)
{
    (void)state;
    static readings r;
    take(&r, 600, 1);
    for (size_t i = 0; i < r.n; i++) {
        r.power_w[i] = i < 3 ? 100 + 3.0 * (double)i : i < 60 ? 200 : i == 300 ? 290 : 150;
        r.die_k[i] = i < 3 ? 330 + 0.3 * (double)i : 345;
        r.more[i] = i < 60 ? 0.25 : 0.5;
    }
    wsk_calibrate_trace t = trace_of(&r);
    t.fan = of(&r, r.more);
    t.die = (wsk_readings){r.t_s, r.die_k, 590};
    binned b = bin_log(plain, &t, 1);
    const wsk_thermal_card *c = &b.log.cards[0];
    assert_int_equal(b.log.bins, 600);
    assert_near(c->from_w, 103, 1e-9);
    assert_near(c->from_die_k, 330.3, 1e-9);
    assert_near(c->opening_w, (3 * 103 + 57 * 200) / 60.0, 1e-9);
    assert_near(c->opening_rpm, 1000, 1e-9); /* of 4000 rpm */
    assert_near(c->rpm[599], 2000, 1e-9);
    assert_near(c->highest_w, 290, 1e-9);
    assert_int_equal(c->first, 0);
    assert_int_equal(c->last, 589);
    assert_false(c->follows);
    drop(&b);
    for (size_t i = 0; i < 5; i++)
        r.die_k[i] = NAN;
    t.fan = (wsk_readings){.count = 0};
    t.fan_speed = of(&r, r.power_w);
    b = bin_log(plain, &t, 1);
    c = &b.log.cards[0];
    assert_int_equal(c->first, 5);
    assert_near(c->rpm[599], 150, 1e-9); /* readings in rpm are taken as they are */
    drop(&b);
}

/* Gaps are bridged in a straight line, and before the first and after the last reading its value holds; temperatures
 * keep their gaps. */
static void gaps_are_bridged(void **state)
{
    (void)state;
    static readings r;
    take(&r, 600, 1);
    for (size_t i = 0; i < r.n; i++) {
        r.power_w[i] = i < 10 || i >= 590 || (i > 100 && i < 200) ? NAN : i <= 100 ? 100 : 300;
        r.die_k[i] = i == 50 ? NAN : 340;
        r.more[i] = i == 20 ? NAN : 1000 + (double)i;
    }
    wsk_calibrate_trace t = trace_of(&r);
    t.fan_speed = t.inlet = of(&r, r.more);
    binned b = bin_log(plain, &t, 1);
    const wsk_thermal_card *c = &b.log.cards[0];
    for (int i = 0; i < 600; i++) {
        assert_near(c->power_w[i], i <= 100 ? 100 : i < 200 ? 100 + 2.0 * (i - 100) : 300, 1e-9);
        assert_near(c->rpm[i], 1000 + i, 1e-9);
        assert_near(b.log.inlet_k[i], 1000 + i, 1e-9);
        assert_int_equal(isnan(c->die_k[i]), i == 50);
        assert_int_equal(isnan(c->drawn_w[i]), isnan(r.power_w[i]));
    }
    drop(&b);
}

/* Each reading becomes the mean of itself and its neighbours up to two away, as far as they differ by less than a tenth
 * of the highest power. */
static void neighbours_that_differ_little_are_averaged(void **state)
{
    (void)state;
    static readings r;
    take(&r, 600, 1);
    for (size_t i = 0; i < r.n; i++)
        r.power_w[i] = i == 300 ? 219.9 : i == 400 ? 222.4 : 200;
    const wsk_calibrate_trace t = trace_of(&r);
    binned b = bin_log(plain, &t, 1);
    for (int i = 0; i < 600; i++)
        assert_near(b.log.cards[0].power_w[i], i >= 298 && i <= 302 ? 200 + 19.9 / 5 : i == 400 ? 222.4 : 200, 1e-9);
    drop(&b);
}

/* Without power: idle power, and the utilisation's share of the power at the clock and temperature. */
static void power_is_modelled_from_clock_and_utilisation(void **state)
{
    (void)state;
    static readings r;
    static double clock_hz[MOST];
    take(&r, 600, 1);
    for (size_t i = 0; i < r.n; i++) {
        clock_hz[i] = 1e9 + 1e6 * (double)i;
        r.more[i] = i < 300 ? 0.4 : 0.9;
        r.die_k[i] = i == 10 ? NAN : 320 + 0.05 * (double)i;
    }
    const wsk_calibrate_trace t = {.die = of(&r, r.die_k), .clock = of(&r, clock_hz), .utilisation = of(&r, r.more)};
    binned b = bin_log(plain, &t, 1);
    const wsk_card *c = &b.rig->net->cards[0];
    const wsk_thermal_card *log = &b.log.cards[0];
    assert_null(log->drawn_w);
    assert_near(c->gpu->idle_w, 20, 1e-9);
    for (int i = 0; i < 600; i++) {
        const double at_k = i == 10 ? c->gpu->leakage_temp_k : r.die_k[i];
        assert_near(log->power_w[i],
                    20 + r.more[i] * (c->ops->power_w(c->gpu, &c->cls, clock_hz[i], at_k, NULL) - 20), 1e-9);
    }
    assert_near(log->from_w, log->power_w[0], 1e-9);
    drop(&b);
}

/* A log of the hot spot alone: the die is cooler by its offset and its resistance times the heat of the die. */
static void the_die_follows_from_its_hot_spot(void **state)
{
    (void)state;
    static readings r;
    take(&r, 600, 1);
    wsk_calibrate_trace t = trace_of(&r);
    t.hot_spot = t.die;
    t.die.count = 0;
    binned b = bin_log(LOG_RIG("", " hotspot-offset='4 K' hotspot-resistance='0.03 K/W'", BLOWER, TRAINING), &t, 1);
    const double die_w = wsk_die_w(&b.rig->net->cards[0], NAN, 200);
    assert_true(die_w > 100 && die_w < 200);
    assert_near(b.log.cards[0].from_die_k, 340 - 4 - 0.03 * die_w, 1e-9);
    for (int i = 0; i < 600; i++)
        assert_near(b.log.cards[0].die_k[i], 340 - 4 - 0.03 * die_w, 1e-9);
    drop(&b);
}

/* A change of the load came at any time between two readings: its heat is known to P dt / sqrt(12), which the card then
 * loses with its time constant C / G. An error of 0.3 K is there anyway. */
static void the_time_of_a_change_is_vague(void **state)
{
    (void)state;
    static readings r;
    take(&r, 400, 10); /* bins of 5 s */
    for (size_t i = 0; i < r.n; i++) {
        r.power_w[i] = i < 200 ? 100 : 200;
        r.more[i] = 4000;
    }
    wsk_calibrate_trace t = trace_of(&r);
    for (int slow = 0; slow < 3; slow++) {
        for (size_t i = 0; i < r.n; i++)
            r.more[i] = slow == 0 ? 4000 : slow == 1 ? 2000 : 100;
        t.fan_speed = of(&r, r.more);
        binned b = bin_log(plain, &t, 1);
        const wsk_card *c = &b.rig->net->cards[0];
        assert_same(b.log.bin_s, 5);
        const double share = slow == 0   ? 1
                             : slow == 1 ? 0.5
                                         : 0.1,
                     loses_s = (500 + c->gpu->board_cap_j_k + c->gpu->memory_cap_j_k) /
                               (8 * pow(share, c->cooler->ua_exponent)),
                     heat_j = 100 * 10 / sqrt(12);
        for (int i = 0; i < b.log.bins; i++) {
            const double off_k = i < 400 ? 0 : heat_j * exp(-(i - 400) * 5 / loses_s) / 500;
            assert_near(b.log.cards[0].vague[i], hypot(1, off_k / 0.3), 1e-6);
        }
        drop(&b);
    }
}

/* Shares of the memory's bandwidth are taken from the log, unless the rig states them. */
static void traffic_is_taken_unless_stated(void **state)
{
    (void)state;
    static readings r;
    take(&r, 600, 1);
    for (size_t i = 0; i < r.n; i++)
        r.more[i] = i == 7 ? NAN : 0.3;
    wsk_calibrate_trace t = trace_of(&r);
    t.traffic = of(&r, r.more);
    t.memory = of(&r, r.die_k);
    binned b = bin_log(plain, &t, 1);
    for (int i = 0; i < 600; i++) {
        assert_near(b.log.cards[0].traffic[i], 0.3, 1e-12);
        assert_near(b.log.cards[0].memory_k[i], 340, 1e-12);
    }
    drop(&b);
    b = bin_log(LOG_RIG("", "", BLOWER, "<workload kind='training' memory-traffic='40 %'/>"), &t, 1);
    assert_null(b.log.cards[0].traffic);
    drop(&b);
}

/* The inlet of the room is that of the first log that has one. */
static void the_first_inlet_is_that_of_the_room(void **state)
{
    (void)state;
    static const char two[] =
        LOG_RIG("<gpu part='gpu/generic' id='h' slot='5' tdp='250 W'>" BLOWER "</gpu>", "", BLOWER, TRAINING);
    static readings r;
    take(&r, 600, 1);
    for (size_t i = 0; i < r.n; i++)
        r.more[i] = 295;
    for (int k = 0; k < 4; k++) {
        wsk_calibrate_trace t[2] = {trace_of(&r), trace_of(&r)};
        t[1].card = 1;
        if (k & 1)
            t[0].inlet = of(&r, r.more);
        if (k & 2)
            t[1].inlet = of(&r, r.power_w);
        binned b = bin_log(two, t, 2);
        assert_int_equal(b.log.inlet_k != NULL, k > 0);
        if (k)
            assert_near(b.log.inlet_k[300], k & 1 ? 295 : 200, 1e-9);
        drop(&b);
    }
}

/* A fan whose speed is not logged follows its curve; one that its part lets turn may stop at rest: below 50 degC it
 * then stands still, from 55 degC on it follows its curve. */
static void an_own_fan_follows_the_die(void **state)
{
    (void)state;
    static readings r;
    static const double at_c[] = {40, 46, 60, 90};
    static const char turns[] = LOG_RIG("", "",
                                        "<cooler part='cooler/class-open-air-300' rpm-min='1000 rpm' "
                                        "fan-curve='40 degC:1000 rpm, 90 degC:3000 rpm'/>",
                                        TRAINING),
                      held[] = LOG_RIG("", " fan='2000 rpm'", BLOWER, TRAINING);
    take(&r, 900, 1);
    const wsk_calibrate_trace t = trace_of(&r);
    for (size_t k = 0; k < sizeof at_c / sizeof *at_c; k++) {
        for (size_t i = 0; i < r.n; i++)
            r.die_k[i] = WSK_KELVIN + at_c[k];
        binned b = bin_log(turns, &t, 1);
        const wsk_thermal_card *c = &b.log.cards[0];
        assert_true(c->follows && c->rest_rpm);
        for (int i = 0; i < b.log.bins; i++) {
            assert_near(c->rpm[i], 1000 + 40 * (at_c[k] - 40), 1);
            assert_near(c->rest_rpm[i], at_c[k] < 50 ? 0 : c->rpm[i], 1);
        }
        drop(&b);
        b = bin_log(LOG_RIG("", "", OPEN_AIR, TRAINING), &t, 1); /* stops by its part */
        assert_true(b.log.cards[0].follows && !b.log.cards[0].rest_rpm);
        drop(&b);
    }
    /* a gap on the way from 40 to 85 degC is bridged */
    for (size_t i = 0; i < r.n; i++)
        r.die_k[i] = WSK_KELVIN + 40 + 0.05 * (double)i;
    binned whole = bin_log(turns, &t, 1);
    for (size_t i = 300; i < 600; i++)
        r.die_k[i] = NAN;
    binned b = bin_log(turns, &t, 1);
    for (int i = 0; i < b.log.bins; i++) {
        assert_near(b.log.cards[0].rpm[i], whole.log.cards[0].rpm[i], 1e-6);
        assert_near(b.log.cards[0].rest_rpm[i], whole.log.cards[0].rest_rpm[i], 1e-6);
    }
    drop(&whole);
    drop(&b);
    b = bin_log(held, &t, 1);
    assert_false(b.log.cards[0].follows);
    assert_null(b.log.cards[0].rpm);
    drop(&b);
}

/* The curve of a fan that stops although its part lets it turn: none below 50 degC, from 55 degC on the part's. */
static void a_fan_that_stops_anyway_has_the_rest_of_its_curve(void **state)
{
    (void)state;
    static const double at_c[] = {30, 55, 70, 90};
    for (int with = 0; with < 2; with++) { /* with a point at 55 degC, and without */
        wsk_curve had = {.count = 0};
        for (int i = 0; i < 4; i++)
            if (i != 1 || with) {
                had.x[had.count] = WSK_KELVIN + at_c[i];
                had.y[had.count++] = 1000 + 20 * (at_c[i] - 30);
            }
        const wsk_curve out = wsk_thermal_stopping(&had);
        assert_int_equal(out.count, 4);
        static const double want_c[] = {50, 55, 70, 90}, want_rpm[] = {0, 1500, 1800, 2200};
        for (int i = 0; i < 4; i++) {
            assert_near(out.x[i], WSK_KELVIN + want_c[i], 1e-9);
            assert_near(out.y[i], want_rpm[i], 1e-9);
        }
    }
}

/* Speeds of the fan of case a, NULL if they are not known. Each card of the log has its own temperatures and power.
 * replayed: the temperatures are those of a replay, card after card. */
static const double *speeds(bench *b, int logged, double (*k)[BINS], double (*watts)[BINS], bool replayed,
                            double above_k)
{
    static wsk_thermal_card cards[3];
    for (int i = 0; i < logged; i++)
        cards[i] = (wsk_thermal_card){.card = i, .die_k = replayed ? NULL : k[i], .power_w = watts[i]};
    b->log = (wsk_thermal_log){.bins = BINS, .count = logged, .bin_s = 1, .cards = cards};
    wsk_thermal_follow_cards(&b->log, b->arena, b->rig->net, replayed ? k[0] : NULL, above_k);
    const double *found = NULL;
    for (int m = 0; m < b->rig->net->n_mover; m++) {
        const bool driven = b->rig->net->movers[m].control != NULL;
        assert_true(driven || !b->log.case_rpm[m]);
        found = driven ? b->log.case_rpm[m] : found;
    }
    return found;
}

/* Bins of a log have the speeds of such fans already. */
static void a_log_has_the_speeds_of_fans_of_its_case(void **state)
{
    (void)state;
    static readings r;
    take(&r, 600, 1);
    const wsk_calibrate_trace t = trace_of(&r);
    binned b = bin_log(DRIVEN_RIG("", PASSIVE("g", "1"), ""), &t, 1);
    int known = 0;
    for (int m = 0; m < b.rig->net->n_mover; m++)
        for (int i = 0; b.log.case_rpm[m] && i < b.log.bins; i++, known++)
            assert_near(b.log.case_rpm[m][i], 100 * (340 - WSK_KELVIN - 40 + 30), 1e-6);
    assert_int_equal(known, b.log.bins);
    drop(&b);
}

/* A fan of the case follows the hottest card of its case, whatever the cards of another do. In a bin in which one of
 * its cards has no temperature, it is between the speeds beside it; without one of them in the log it is unknown. */
static void fans_of_the_case_follow_its_cards(void **state)
{
    (void)state;
    enum { CARDS = 3, GAP = 30 };
    static bench b;
    double k[CARDS][BINS], watts[CARDS][BINS], hottest_k[BINS], rpm[BINS];
    for (int loaded = 0; loaded < 2; loaded++) {
        open_rig(&b, loaded ? DRIVEN_RIG("load-curve='200 W:20 degC, 400 W:60 degC'",
                                         PASSIVE("g", "1") PASSIVE("h", "4"), PASSIVE("o", "1"))
                            : DRIVEN_RIG("", PASSIVE("g", "1") PASSIVE("h", "4"), PASSIVE("o", "1")));
        assert_string_equal(b.rig->net->cards[2].id, "o");
        for (int i = 0; i < BINS; i++) {
            k[0][i] = WSK_KELVIN + (i < 40 ? 45 + 0.2 * i : i < 70 ? 75 : 43 + 0.03 * i);
            k[1][i] = WSK_KELVIN + (i < 20 ? 52 : i < 90 ? 48 : 95);
            k[2][i] = WSK_KELVIN + 100;
            for (int c = 0; c < CARDS; c++)
                watts[c][i] = c == 2 ? 900 : 100 + 2 * fmin(i, 50);
            const double sum_c = fmin(fmax(20 + 0.2 * (watts[0][i] + watts[1][i] - 200), 20), 60);
            hottest_k[i] = fmax(fmax(k[0][i], k[1][i]), loaded ? WSK_KELVIN + sum_c : 0);
        }
        for (int above = 0; above < 2; above++) {
            const double *found = speeds(&b, CARDS, k, watts, above, above);
            assert_non_null(found);
            drive(hottest_k, above, 1, rpm);
            for (int i = 0; i < BINS; i++)
                assert_near(found[i], rpm[i], 1e-6);
        }
        k[1][GAP] = NAN;
        hottest_k[GAP] = 0.5 * (hottest_k[GAP - 1] + hottest_k[GAP + 1]);
        drive(hottest_k, 0, 1, rpm);
        const double *found = speeds(&b, CARDS, k, watts, false, 0);
        for (int i = 0; i < BINS; i++)
            assert_near(found[i], rpm[i], 1e-6);
        assert_null(speeds(&b, 1, k, watts, false, 0));
        close_bench(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_log_needs),
                                       cmocka_unit_test(bins_are_as_long_as_the_log_needs),
                                       cmocka_unit_test(the_beginning_of_a_log),
                                       cmocka_unit_test(gaps_are_bridged),
                                       cmocka_unit_test(neighbours_that_differ_little_are_averaged),
                                       cmocka_unit_test(power_is_modelled_from_clock_and_utilisation),
                                       cmocka_unit_test(the_die_follows_from_its_hot_spot),
                                       cmocka_unit_test(the_time_of_a_change_is_vague),
                                       cmocka_unit_test(traffic_is_taken_unless_stated),
                                       cmocka_unit_test(the_first_inlet_is_that_of_the_room),
                                       cmocka_unit_test(an_own_fan_follows_the_die),
                                       cmocka_unit_test(a_fan_that_stops_anyway_has_the_rest_of_its_curve),
                                       cmocka_unit_test(fans_of_the_case_follow_its_cards),
                                       cmocka_unit_test(a_log_has_the_speeds_of_fans_of_its_case)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
