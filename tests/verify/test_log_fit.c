/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a fit to a log knows before (docs/theory/calibration.md, "What is an input, what is fitted"), how it weighs its
 * readings ("Method"), and how it tells its values. */
#include "tests/support/dice.h"
#include "tests/verify/log_bench.h"

/* ---- weights ---- */

/* A fit that can move nothing: its only unknown, the room, is known. Its residuals are those that are put into the log:
 * the replayed temperatures less off_k. */
static void fit_nothing(bench *b, const double *off_k, const double *memory_off_k, int until)
{
    static double memory_k[BINS];
    replay(b);
    memcpy(b->die_k, b->th.die_k, sizeof b->die_k);
    memcpy(memory_k, b->th.memory_k, sizeof memory_k);
    b->card.memory_k = memory_off_k ? memory_k : NULL;
    for (int i = 0; i < BINS; i++) {
        b->die_k[i] -= off_k[i];
        memory_k[i] -= memory_off_k ? memory_off_k[i] : 0;
    }
    for (int v = 0; v < WSK_TH_UNKNOWNS; v++)
        b->fit.at[v] = -1;
    b->fit.unknowns = 0;
    fit_value(b, WSK_TH_INLET, 1e-9);
    b->fit.prior[0] = (wsk_prior){0, 1e-9, -1e-6, 1e-6};
    b->fit.die_sd = b->fit.memory_sd = 0;
    assert_int_equal(wsk_thermal_fit_card(&b->th, 0, until, &b->fit), WSK_OK);
}

typedef struct {
    double rms, rms_row, together, samples;
    int minutes, rows;
} scatter;

/* The rms of the minutes' means, of the bins, the correlation from one minute to the next, and the number of independent
 * minutes, n (1 - rho)/(1 + rho). */
static scatter scatter_of(const double *off_k, const double *vague, int until, int bins)
{
    scatter s = {0};
    double mean[BINS], same = 0, first = 0, second = 0;
    for (int i = 0; i < until; i += bins) {
        double sum = 0;
        int n = 0;
        for (int k = i; k < i + bins && k < until; k++)
            if (!isnan(off_k[k])) {
                sum += off_k[k] / vague[k];
                s.rms_row += pow(off_k[k] / vague[k], 2);
                n++;
            }
        s.rows += n;
        if (n)
            mean[s.minutes++] = sum / n;
    }
    for (int m = 0; m < s.minutes; m++) {
        s.rms += mean[m] * mean[m] / s.minutes;
        if (m > 0) {
            same += mean[m] * mean[m - 1];
            first += mean[m] * mean[m];
            second += mean[m - 1] * mean[m - 1];
        }
    }
    s.rms = sqrt(s.rms);
    s.rms_row = sqrt(s.rms_row / s.rows);
    s.together = same / sqrt(first * second);
    const double rho = fmin(fmax(s.together, 0), 0.98);
    s.samples = fmin(fmax(s.minutes * (1 - rho) / (1 + rho), 1), 100);
    return s;
}

enum { NOISE, SLOW, CONSTANT, SMALL, PATTERNS };

static void residuals_are_weighed_by_independent_minutes(void **state)
{
    (void)state;
    static const double bins_s[] = {20, 30, 60, 120};
    static const int of_minute[] = {3, 2, 1, 1};
    wsk_dice dice = {.seed = 11};
    for (int k = 0; k < 4 * PATTERNS; k++) {
        bench b;
        double off_k[BINS], memory_off_k[BINS], vague[BINS];
        const int pattern = k % PATTERNS, until = k % 2 ? BINS : 101;
        for (int i = 0; i < BINS; i++) {
            const double slow = i ? 0.9 * off_k[i - 1] : 0;
            off_k[i] = pattern == SLOW       ? (isnan(slow) ? 0 : slow) + 0.3 * wsk_draw_normal(&dice)
                       : pattern == CONSTANT ? 0.8
                                             : (pattern == SMALL ? 0.01 : 1) * wsk_draw_normal(&dice);
            memory_off_k[i] = (pattern == SMALL ? 0.1 : 2) * wsk_draw_normal(&dice);
            vague[i] = 1 + (i % 5 == 2) * 1.5;
        }
        open_rig(&b, LOG_RIG("", "", BLOWER, TRAINING));
        b.log.bin_s = bins_s[k / PATTERNS];
        b.card.vague = vague;
        start_bench(&b);
        off_k[3] = off_k[40] = memory_off_k[50] = NAN;
        fit_nothing(&b, off_k, memory_off_k, until);
        const scatter die = scatter_of(off_k, vague, until, of_minute[k / PATTERNS]),
                      memory = scatter_of(memory_off_k, vague, until, of_minute[k / PATTERNS]);
        assert_rel(b.fit.residual_k, die.rms, 1e-6);
        assert_rel(b.fit.left_k, die.rms_row, 1e-6);
        assert_near(b.fit.together, die.together, 1e-6);
        assert_rel(b.fit.samples, die.samples, 1e-5);
        assert_rel(b.fit.die_sd, fmax(die.rms, 0.07) * sqrt(die.rows / die.samples), 1e-5);
        assert_rel(b.fit.memory_residual_k, memory.rms, 1e-6);
        assert_rel(b.fit.memory_sd, fmax(memory.rms, 0.5) * sqrt(memory.rows / memory.samples), 1e-5);
        close_bench(&b);
    }
}

/* ---- what is known before ---- */

typedef struct {
    wsk_thermal_value value;
    double mean, sd;
} known;

static void check_known(const char *xml, void (*change)(bench *), const known *want, int count)
{
    bench b;
    open_rig(&b, xml);
    if (change)
        change(&b);
    start_bench(&b);
    wsk_thermal_list(&b.th, 0, &b.fit);
    assert_int_equal(b.fit.unknowns, count);
    for (int k = 0; k < count; k++) {
        const int at = b.fit.at[want[k].value];
        assert_true(at >= 0 && at < count);
        assert_near(b.fit.prior[at].mean, want[k].mean, 1e-9);
        assert_near(b.fit.prior[at].sd, want[k].sd, 1e-9);
        assert_true(b.fit.prior[at].low < want[k].mean + 1e-9 && b.fit.prior[at].high > want[k].mean - 1e-9);
    }
    close_bench(&b);
}

static double memory_or_inlet_k[BINS];
static void log_memory_and_inlet(bench *b)
{
    for (int i = 0; i < BINS; i++)
        memory_or_inlet_k[i] = 300;
    b->card.memory_k = b->log.inlet_k = memory_or_inlet_k;
}
static void stand_still(bench *b) /* for two bins: a minute */
{
    b->rpm[5] = b->rpm[50] = 59;
    b->rpm[60] = 60;
}
static void stand_still_briefly(bench *b)
{
    b->rpm[5] = 59;
}
static void follow(bench *b)
{
    b->card.follows = true;
    memset(b->rpm, 0, sizeof b->rpm);
}
static void may_rest(bench *b)
{
    b->card.follows = true;
    b->card.rest_rpm = b->power;
}

#define KNOWN(...) (const known[]){__VA_ARGS__}, (int)(sizeof((const known[]){__VA_ARGS__}) / sizeof(known))
#define START \
    {WSK_TH_START_DIE, 0, 1.5}, {WSK_TH_START_BOARD, 0, 8}, \
    { \
        WSK_TH_DELAY, 1, 1.5 \
    }
#define STATED(name, spread) "<source for='" name "' kind='measured' ref='a bench' spread='+-" spread "'/>"

/* The table of docs/theory/calibration.md, for values that state no spread and for values that do. */
static void what_is_known_before_is_as_documented(void **state)
{
    (void)state;
    check_known(LOG_RIG("", "", BLOWER, TRAINING), NULL,
                KNOWN({WSK_TH_INLET, 0, 3}, START, {WSK_TH_FINS, 0, 0.25}, {WSK_TH_DIE, 0, 0.45},
                      {WSK_TH_FIN_HEAT, 0, 0.25}, {WSK_TH_BOARD_HEAT, 0, 0.35}, {WSK_TH_BOARD, 0, 0.8}));
    check_known(LOG_RIG("", " memory-resistance='0.3 K/W'", BLOWER, TRAINING), log_memory_and_inlet,
                KNOWN({WSK_TH_INLET, 0, 1.5}, START, {WSK_TH_FINS, 0, 0.25}, {WSK_TH_DIE, 0, 0.45},
                      {WSK_TH_FIN_HEAT, 0, 0.25}, {WSK_TH_BOARD_HEAT, 0, 0.35}, {WSK_TH_BOARD, 0, 0.8},
                      {WSK_TH_MEMORY, 0, 0.25}));
    /* stated spreads: of the fins at least 10 %, of other values 5 to 60 % */
    check_known(LOG_RIG("", " board-capacity='300 J/K' board-conductance='1 W/K'",
                        STATED("die-resistance", "20 %") STATED("board-capacity", "90 %") STATED(
                            "board-conductance",
                            "1 %") "<cooler kind='blower' conductance='8 W/K' flow='16 CFM' capacity='500 J/K' "
                                   "fan-pressure='320 Pa' fan-flow='29 CFM' fan-rpm='4000 rpm'>" STATED(
                                       "conductance", "3 %") STATED("capacity", "15 %") "</cooler>",
                        TRAINING),
                NULL,
                KNOWN({WSK_TH_INLET, 0, 3}, START, {WSK_TH_FINS, 0, 0.1}, {WSK_TH_DIE, 0, 0.2},
                      {WSK_TH_FIN_HEAT, 0, 0.15}, {WSK_TH_BOARD_HEAT, 0, 0.6}, {WSK_TH_BOARD, 0, 0.05}));
    /* the air of a passive card is its server's: at least 30 % */
    check_known(DRIVEN_RIG("", PASSIVE("g", "1"), ""), NULL,
                KNOWN({WSK_TH_INLET, 0, 3}, START, {WSK_TH_FINS, 0, 0.3}, {WSK_TH_DIE, 0, 0.45},
                      {WSK_TH_FIN_HEAT, 0, 0.25}, {WSK_TH_BOARD_HEAT, 0, 0.35}, {WSK_TH_BOARD, 0, 0.8}));
}

#define LOADED \
    {WSK_TH_INLET, 0, 3}, START, {WSK_TH_FINS, 0, 0.25}, {WSK_TH_DIE, 0, 0.45}, {WSK_TH_FIN_HEAT, 0, 0.25}, \
        {WSK_TH_BOARD_HEAT, 0, 0.35}, \
    { \
        WSK_TH_BOARD, 0, 0.8 \
    }

/* Cooling without the fan is fitted if the logged speeds show the fan at rest for a minute, and the card cools by what
 * its size gives. Whether a fan rests is asked only if its speeds are not logged. */
static void a_still_fan_has_unknowns_of_its_own(void **state)
{
    (void)state;
    static const char stops[] = LOG_RIG("", "", OPEN_AIR, TRAINING),
                      natural[] =
                          LOG_RIG("", "", "<cooler part='cooler/class-open-air-300' natural='1 W/K'/>", TRAINING);
    check_known(stops, NULL, KNOWN(LOADED));
    check_known(stops, stand_still_briefly, KNOWN(LOADED));
    check_known(stops, stand_still, KNOWN(LOADED, {WSK_TH_STILL, 0, 0.4}));
    check_known(natural, stand_still, KNOWN(LOADED));
    check_known(stops, follow, KNOWN(LOADED, {WSK_TH_REST, 0, 0.5}));
    check_known(LOG_RIG("", "", "<cooler part='cooler/class-open-air-300' rpm-min='1020 rpm'/>", TRAINING), may_rest,
                KNOWN(LOADED, {WSK_TH_REST, 0.5, 0.02}));
}

/* ---- values told ---- */

static const wsk_calibrated *value_of(const wsk_calibration *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->values[i].name, name) == 0)
            return &c->values[i];
    return NULL;
}

/* Values are factors on what was known before, the room kelvins above it. Errors of inputs are added as squares, and no
 * value becomes less certain than it was. */
static void values_are_told_with_all_their_errors(void **state)
{
    (void)state;
    bench b;
    wsk_calibration out;
    double inlet_k[BINS];
    for (int i = 0; i < BINS; i++)
        inlet_k[i] = 295 + 4.0 * i / (BINS - 1);
    for (int logged = 0; logged < 2; logged++) {
        open_rig(&b, LOG_RIG("", "", BLOWER, TRAINING));
        b.log.inlet_k = logged ? inlet_k : NULL;
        start_bench(&b);
        wsk_thermal_list(&b.th, 0, &b.fit);
        static const struct {
            wsk_thermal_value value;
            const char *name;
            double x, sd, apart, error[2];
        } set[] = {{WSK_TH_INLET, "inlet", 1.4, 0.3, 0.1, {0.4, 1.2}},
                   {WSK_TH_FINS, "conductance", -0.2, 0.05, 0.02, {0, 0}},
                   {WSK_TH_DIE, "die-resistance", 0.3, 0.4, 0.3, {0.3, 0}},
                   {WSK_TH_FIN_HEAT, "capacity", 0.1, 0.03, 0.05, {0, 0.04}},
                   {WSK_TH_BOARD_HEAT, "board-capacity", 0, 0.1, 0.1, {0, 0}},
                   {WSK_TH_BOARD, "board-conductance", -0.5, 0.6, 0.1, {0.1, 0.2}}};
        const wsk_card *c = &b.rig->net->cards[0];
        const double base[] = {logged ? 297 : WSK_KELVIN + 22, 8, 0.05, 500, c->gpu->board_cap_j_k,
                               c->gpu->board_cond_w_k};
        enum { SET = (int)(sizeof set / sizeof *set) };
        for (int k = 0; k < SET; k++) {
            const int at = b.fit.at[set[k].value];
            b.fit.fit.x[at] = set[k].x;
            b.fit.fit.sd[at] = set[k].sd;
            b.fit.fit.apart[at] = set[k].apart;
            b.fit.by_error[WSK_TH_IDLE_WATTS][at] = set[k].error[0];
            b.fit.by_error[WSK_TH_ERRORS - 1][at] = -set[k].error[1];
        }
        b.fit.fit.noise = 1.7;
        b.fit.fit.worst_r = -4.5;
        wsk_thermal_tell(&b.th, 0, &b.fit, &out);
        assert_int_equal(out.count, SET);
        assert_same(out.noise, 1.7);
        assert_same(out.worst, -4.5);
        assert_true(isnan(out.work_unit) && isnan(out.mean_share));
        for (int k = 0; k < SET; k++) {
            const wsk_calibrated *v = value_of(&out, set[k].name);
            const wsk_prior *p = &b.fit.prior[b.fit.at[set[k].value]];
            const bool inlet = k == 0;
            assert_non_null(v);
            const double value = inlet ? base[k] + set[k].x : base[k] * exp(set[k].x), unit = inlet ? 1 : value,
                         sd =
                             fmin(sqrt(pow(set[k].sd, 2) + pow(set[k].error[0], 2) + pow(set[k].error[1], 2)), p->sd);
            assert_rel(v->value, value, 1e-9);
            assert_rel(v->spread, sd * unit, 1e-9);
            assert_rel(v->apart, fmin(set[k].apart, sd) * unit, 1e-9);
            assert_rel(v->prior, base[k], 1e-9);
            assert_rel(v->prior_spread, p->sd * (inlet ? 1 : base[k]), 1e-9);
            assert_near(v->learnt, 1 - pow(sd / p->sd, 2), 1e-9);
            assert_near(v->moved, set[k].x / p->sd, 1e-9);
        }
        close_bench(&b);
    }
}

/* The speed at rest is told if it is another than the part's: of a fan that stops by its part, if the log tells that it
 * turns (two fifths of what was open is learnt); of one that turns by its part, that it stops, with the beginning of its
 * curve. */
static void another_speed_at_rest_is_told(void **state)
{
    (void)state;
    static const struct {
        bool stops_by_part;
        double x, sd;
        bool told;
    } cases[] = {{true, 0.2, 0.3, true},     {true, 0.2, 0.05, true},   {true, 0, 0.3, true},
                 {true, -0.01, 0.05, false}, {true, 0.2, 0.39, false},  {true, 0.2, 0.38, true},
                 {false, -0.3, 0.02, true},  {false, 0.3, 0.02, false}, {false, -0.3, 0.4, true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench b;
        wsk_calibration out;
        double rest_rpm[BINS] = {0};
        const bool by_part = cases[k].stops_by_part;
        open_rig(&b, by_part ? LOG_RIG("", "", OPEN_AIR, TRAINING)
                             : LOG_RIG("", "",
                                       "<cooler part='cooler/class-open-air-300' rpm-min='1000 rpm' "
                                       "fan-curve='40 degC:1000 rpm, 90 degC:3000 rpm'/>",
                                       TRAINING));
        b.card.follows = true;
        b.card.rest_rpm = by_part ? NULL : rest_rpm;
        start_bench(&b);
        fit_value(&b, WSK_TH_REST, cases[k].sd);
        b.fit.fit.x[0] = b.th.parts[0].x[WSK_TH_REST] = cases[k].x;
        b.fit.fit.apart[0] = 0.04;
        wsk_thermal_tell(&b.th, 0, &b.fit, &out);
        assert_int_equal(out.count, !cases[k].told ? 0 : by_part ? 1 : 3);
        const double slowest_rpm = by_part ? 1020 : 1000, /* the part's curve begins there */
            sd = by_part ? fmax(cases[k].sd, 0.1) : cases[k].sd, learnt = fmax(1 - pow(sd / 0.5, 2), 0);
        for (size_t i = 0; i < out.count; i++) {
            const wsk_calibrated *v = &out.values[i];
            assert_near(v->learnt, learnt, 1e-9);
            if (i + 1 == out.count) {
                assert_string_equal(v->name, "rpm-min");
                assert_near(v->value, by_part ? (0.5 + cases[k].x) * slowest_rpm : 0, 1e-9);
                assert_near(v->spread, sd * slowest_rpm, 1e-9);
                assert_near(v->apart, fmin(0.04, sd) * slowest_rpm, 1e-9);
                assert_near(v->prior, by_part ? 0 : 1000, 1e-9);
                assert_near(v->prior_spread, 0.5 * slowest_rpm, 1e-9);
                continue;
            }
            assert_string_equal(v->name, "fan-curve");
            assert_near(v->at - WSK_KELVIN, i ? 55 : 50, 1e-9);
            assert_near(v->value, i ? 1600 : 0, 1e-9); /* at 55 degC as its curve has it */
            assert_near(v->prior, i ? 1600 : 1400, 1e-9);
            assert_near(v->spread, 500, 1e-9);
            assert_near(v->prior_spread, 1000, 1e-9);
        }
        close_bench(&b);
    }
}

/* A card whose fan stops, with a part that lets it turn: the fit asks both ways, keeps the one with the smaller
 * residuals, and counts the other by the square of their ratio. */
static void both_answers_about_the_fan_are_tried(void **state)
{
    (void)state;
    wsk_dice dice = {.seed = 5};
    bench b;
    double stops_rpm[BINS], residual_k[2];
    open_rig(&b, LOG_RIG("", "",
                         "<cooler part='cooler/class-open-air-300' rpm-min='1000 rpm' "
                         "fan-curve='40 degC:1000 rpm, 90 degC:3000 rpm'/>",
                         TRAINING));
    for (int i = 0; i < BINS; i++) {
        b.power[i] = i < 40 || i >= 80 ? 25 : 180;
        b.rpm[i] = i < 40 || i >= 84 ? 1000 : 1700;
        stops_rpm[i] = i < 40 || i >= 84 ? 0 : 1700;
    }
    b.card.follows = true;
    b.card.rest_rpm = stops_rpm;
    b.card.opening_w = b.card.from_w = 25;
    b.card.opening_rpm = 0;
    b.card.highest_w = 180;
    b.card.from_die_k = 315;
    start_bench(&b);
    b.th.parts[0].x[WSK_TH_REST] = -0.5;
    replay(&b);
    for (int i = 0; i < BINS; i++)
        b.die_k[i] = b.th.die_k[i] + 0.2 * wsk_draw_normal(&dice);
    double fresh[WSK_TH_UNKNOWNS];
    memcpy(fresh, b.th.parts[0].x, sizeof fresh);
    wsk_thermal_list(&b.th, 0, &b.fit);
    assert_int_equal(wsk_thermal_fit_card(&b.th, 0, BINS, &b.fit), WSK_OK);
    const int rest = b.fit.at[WSK_TH_REST];
    assert_near(b.fit.fit.x[rest], -0.5, 0.05);
    assert_near(b.fit.other_x[rest], 0.5, 0.05);
    assert_true(wsk_thermal_stops_anyway(&b.th, 0));
    for (int turns = 0; turns < 2; turns++) { /* each answer alone, with the weights of the kept fit */
        wsk_thermal_fit one = b.fit;
        memcpy(b.th.parts[0].x, fresh, sizeof fresh);
        b.th.parts[0].x[WSK_TH_REST] = turns ? 0.5 : -0.5;
        one.prior[rest] = (wsk_prior){turns ? 0.5 : -0.5, 0.02, -0.5, 0.5};
        assert_int_equal(wsk_thermal_fit_card(&b.th, 0, BINS, &one), WSK_OK);
        residual_k[turns] = one.residual_k;
    }
    assert_rel(b.fit.residual_k, residual_k[0], 0.05);
    assert_true(residual_k[1] > 4 * residual_k[0]);
    assert_true(b.fit.other_share > 0 && b.fit.other_share < 1.0 / 16);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(residuals_are_weighed_by_independent_minutes),
                                       cmocka_unit_test(what_is_known_before_is_as_documented),
                                       cmocka_unit_test(a_still_fan_has_unknowns_of_its_own),
                                       cmocka_unit_test(values_are_told_with_all_their_errors),
                                       cmocka_unit_test(another_speed_at_rest_is_told),
                                       cmocka_unit_test(both_answers_about_the_fan_are_tried)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
