/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Base load and clock of a machine fitted to readings of a wall meter whose true values are known. The model runs
 * with a base load and an efficiency drawn from the prior; its wall power gets a gain, noise, rounding and another
 * clock; the fit must find base load and clock within the errors that it states. See docs/theory/calibration.md,
 * "The wall". WATTSINK_DRAWS: number of draws (default 40). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/bench.h"
#include "tests/support/dice.h"
#include "tests/unit/assert.h"

enum { LOG_S = 5400, BEFORE_S = 1500 };

static const char tower[] =
    "<rig name='made meter'><site supply='230 V'><room temperature='25 degC'/></site>"
    "<chassis part='chassis/mid-tower'><fan part='fan/generic-120-1500' at='front' count='2'/>"
    "<fan part='fan/generic-120-1500' at='rear'/><psu part='psu/tier-gold-750'/>"
    "<cpu part='cpu/generic-desktop'/><gpu part='gpu/rtx-4070-ti-super' slot='1'/></chassis>"
    "<workload kind='constant' class='burn' host-load='0 %'/><run for='6 h' step='1 s' start='steady'/></rig>";
/* The prior: board power of the catalogue part, and standard deviation of a common shift of all efficiencies of the
 * PSU. */
static const double catalogue_board_w = 16, level_sd = 0.0052;

/* Power of the card: idle, at full power, at two lower limits, idle. The changes let the fit align the meter's clock
 * with the log's. */
static double card_w(double t, wsk_dice *dice)
{
    const double level = t < 600 ? 20 : t < 2400 ? 285 : t < 3300 ? 228 : t < 4200 ? 171 : 18;
    return fmax(level + 4 * wsk_draw_normal(dice), 5);
}

typedef struct {
    double board_w, level; /* true values: power of the host's board, and a shift of all PSU efficiencies */
    double begins_s;       /* time of the meter's first reading, s from the start of the log */
    /* gain: relative gain error of the meter; cards: relative error of the card's own power reading; noise_w: noise
     * of the meter, W. */
    double gain, cards, noise_w;
    int every_s;   /* s between the meter's readings, each of which is a mean */
    double change; /* above 0: the card's power changes as in card_w; 0: the card is idle all the time */
} truth;
typedef struct {
    double t_s[LOG_S], power_w[LOG_S], die_k[LOG_S], meter_t_s[LOG_S + 2 * BEFORE_S], meter_w[LOG_S + 2 * BEFORE_S];
    size_t meter_n;
} made;

static void make(made *m, const truth *is, wsk_dice *dice)
{
    static double wall_w[LOG_S + 2 * BEFORE_S];
    static const double points[] = {0.8584, 0.8993, 0.9119, 0.8837};
    static const char *const names[] = {"10", "20", "50", "100"};
    char texts[5][60];
    const char *sets[5];
    for (int i = 0; i < 4; i++)
        (void)snprintf(texts[i], sizeof texts[i], "psu.efficiency-%s=%.6f", names[i], points[i] + is->level);
    (void)snprintf(texts[4], sizeof texts[4], "cpu.board=%.4f W", is->board_w);
    for (int i = 0; i < 5; i++)
        sets[i] = texts[i];
    wsk_rig *rig = wsk_test_rig_sets(tower, sets, 5);
    wsk_run *run = NULL;
    const int all = LOG_S + 2 * BEFORE_S;
    assert_int_equal(
        wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = all + 1, .step_s = 1, .no_series = true}), WSK_OK);
    for (int i = 0; i < all; i++) {
        const double t = i - BEFORE_S;
        double w = card_w(t, dice);
        w = is->change > 0 ? w : 20 + 0.3 * wsk_draw_normal(dice);
        assert_int_equal(wsk_run_set(run, "gpu0.power_w", w), WSK_OK);
        assert_int_equal(wsk_run_advance(run, i + 1), WSK_OK);
        assert_int_equal(wsk_run_get(run, "wall_w", &wall_w[i]), WSK_OK);
        if (t < 0 || t >= LOG_S)
            continue;
        const size_t k = (size_t)t;
        m->t_s[k] = t;
        m->power_w[k] = w / (1 + is->cards);
        assert_int_equal(wsk_run_get(run, "gpu0.die_c", &m->die_k[k]), WSK_OK);
        m->die_k[k] += WSK_KELVIN;
    }
    m->meter_n = 0;
    for (int at = (int)floor(is->begins_s) + BEFORE_S; at + is->every_s < all && at >= 0; at += is->every_s) {
        double sum = 0;
        for (int k = 0; k < is->every_s; k++)
            sum += wall_w[at + k] / is->every_s;
        m->meter_t_s[m->meter_n] = (double)m->meter_n * is->every_s;
        m->meter_w[m->meter_n++] =
            floor(10 * ((1 + is->gain) * sum + is->noise_w * wsk_draw_normal(dice)) + 0.5) / 10;
    }
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static wsk_status fit(const made *m, const char *text, double after_s, wsk_wall_fit *out)
{
    wsk_rig *rig = wsk_test_rig_sets(text, NULL, 0);
    const wsk_calibrate_trace t = {.power = {m->t_s, m->power_w, LOG_S}, .die = {m->t_s, m->die_k, LOG_S}};
    const wsk_readings wall = {m->meter_t_s, m->meter_w, m->meter_n};
    const wsk_status status = wsk_calibrate_wall(rig, &t, 1, &wall, after_s, NAN, out);
    wsk_rig_free(rig);
    return status;
}

static int draws(void)
{
    const char *text = getenv("WATTSINK_DRAWS");
    return text ? (int)strtol(text, NULL, 10) : 40;
}

static void base_and_clock_are_found_within_their_errors(void **state)
{
    (void)state;
    static made m;
    wsk_dice dice = {.seed = 77};
    const int n = draws();
    int base = 0, clock = 0, level = 0;
    for (int i = 0; i < n; i++) {
        const truth is = {.board_w = fmax(catalogue_board_w + 6 * wsk_draw_normal(&dice), 2),
                          .level = level_sd * wsk_draw_normal(&dice),
                          .begins_s = wsk_draw(&dice, -900, 900),
                          .gain = 0.01 * wsk_draw_normal(&dice),
                          .cards = 0.05 * wsk_draw_normal(&dice),
                          .noise_w = 1,
                          .every_s = i % 3 == 0   ? 1
                                     : i % 3 == 1 ? 5
                                                  : 10,
                          .change = 1};
        const double ahead = wsk_draw(&dice, -600, 600); /* how far the meter's clock is ahead of the log's, s */
        wsk_wall_fit out;
        make(&m, &is, &dice);
        assert_int_equal(fit(&m, tower, i % 2 ? is.begins_s + ahead : (double)NAN, &out), WSK_OK);
        assert_true(out.clock_found);
        const wsk_calibrated *b = &out.fit.values[0], *e = &out.fit.values[1];
        assert_string_equal(b->name, "board");
        assert_string_equal(e->name, "efficiency-50");
        base += fabs(b->value - is.board_w) <= 1.645 * b->spread;
        level += fabs(e->value - e->prior - is.level) <= 1.645 * e->spread;
        clock += fabs(out.begins_s - floor(is.begins_s)) <= fmax(3 * out.begins_sd_s, 1);
        if (i % 2)
            assert_near(out.ahead_s, is.begins_s + ahead - out.begins_s, 1e-6);
        assert_near(out.begins_s, floor(is.begins_s), 5);
        assert_true(b->spread < 0.6 * b->prior_spread);
        assert_true(out.error[WSK_PART_HELD_OUT].minutes > 20 && out.error[WSK_PART_FITTED].minutes > 20);
        assert_true(out.error[WSK_PART_HELD_OUT].cv_rmse < 0.2);
    }
    print_message("of %d draws: base %d, efficiency %d in their 90 %%; clock %d in 3 sd or 1 s\n", n, base, level,
                  clock);
    assert_true(base >= 0.8 * n);
    assert_true(level >= 0.8 * n);
    assert_true(clock >= 0.9 * n);
}

/* Drives, pumps or a second machine at the meter: base loads that no prior expects. */
static void a_high_base_load_is_found(void **state)
{
    (void)state;
    static made m;
    static const double board_w[] = {120, 180, 250};
    wsk_dice dice = {.seed = 8};
    for (size_t i = 0; i < sizeof board_w / sizeof *board_w; i++) {
        const truth is = {.board_w = board_w[i], .noise_w = 1, .every_s = 5, .change = 1};
        wsk_wall_fit out;
        make(&m, &is, &dice);
        assert_int_equal(fit(&m, tower, 0, &out), WSK_OK);
        const wsk_calibrated *b = &out.fit.values[0];
        print_message("base of %.0f W: %.1f +-%.1f W\n", board_w[i], b->value, b->spread);
        assert_near(b->value, board_w[i], 2 * b->spread);
        assert_true(b->spread < 5 && b->learnt > 0.9);
    }
}

#define MACHINE(chassis, psu, cpu) \
    "<rig><site supply='230 V'><room temperature='25 degC'/></site>" chassis \
    "<fan part='fan/generic-120-1500' at='front' count='2'/><fan part='fan/generic-120-1500' at='rear'/>" psu cpu \
    "<gpu part='gpu/rtx-4070-ti-super' slot='1'/></chassis>" \
    "<workload kind='constant' class='burn' host-load='0 %'/><run for='6 h' step='1 s' start='steady'/></rig>"
#define TOWER "<chassis part='chassis/mid-tower'>"
#define DESKTOP "<cpu part='cpu/generic-desktop'/>"
#define BESIDE "<chassis id='two' part='chassis/mid-tower'><load dc='50 W'/></chassis>"

/* The base load is fitted whatever feeds the machine; an efficiency only if a PSU does. */
static void every_kind_of_supply_has_its_efficiency(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
        double sd; /* standard deviation of the efficiency before the fit; NAN: not compared */
    } machines[] = {
        {MACHINE(TOWER, "<psu kind='constant' rated='750 W' efficiency='90 %'/>", DESKTOP), "efficiency", 0.005},
        {MACHINE(TOWER, "<psu part='psu/tier-gold-750' spread='1.5 %'/>", DESKTOP), "efficiency-50", 0.015},
        {MACHINE(
             TOWER,
             "<psu kind='constant' rated='750 W' efficiency='90 %'><source for='efficiency' kind='measured' ref='by "
             "hand' spread='+-2 points'/></psu>",
             DESKTOP),
         "efficiency", 0.02},
        {MACHINE(TOWER, "<psu part='psu/tier-gold-750'/>", "<cpu power='60 W' board='30 W'/>"), "efficiency-50", NAN},
        {MACHINE(TOWER, "", DESKTOP), NULL, NAN},
        {MACHINE(
             TOWER,
             "<psu kind='constant' rated='750 W' efficiency='90 %' redundant='yes'/><psu kind='constant' rated='750 "
             "W' efficiency='90 %' redundant='yes'/>",
             DESKTOP),
         "efficiency", 0.005},
        {MACHINE(TOWER,
                 "<psu kind='constant' rated='750 W' efficiency='90 %'/><psu kind='constant' rated='400 W' "
                 "efficiency='90 %' feeds='gpu0'/>",
                 DESKTOP),
         "efficiency", 0.005},
        {MACHINE(TOWER, "<psu part='psu/tier-gold-750'/>", "<cpu power='60 W' idle='20 W' board='30 W'/>"),
         "efficiency-50", NAN}};
    static made m;
    wsk_dice dice = {.seed = 5};
    const truth is = {.board_w = 22, .begins_s = 120, .noise_w = 1, .every_s = 5, .change = 1};
    make(&m, &is, &dice);
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        wsk_wall_fit out;
        if (fit(&m, machines[i].text, 120, &out) != WSK_OK)
            fail_msg("machine %zu is refused", i);
        assert_true(out.clock_found && fabs(out.begins_s - 120) < 10);
        assert_int_equal(out.fit.count, machines[i].name ? 2 : 1);
        assert_string_equal(out.fit.values[0].name, "board");
        if (machines[i].name)
            assert_string_equal(out.fit.values[1].name, machines[i].name);
        if (!isnan(machines[i].sd))
            assert_rel(out.fit.values[1].prior_spread, machines[i].sd, 1e-9);
    }
}

static void a_clock_in_another_zone_is_found(void **state)
{
    (void)state;
    static made m;
    /* errors of the meter's clock: time zones, and 1900 s, with which meter and log still overlap by their clocks */
    static const double zone_s[] = {9 * 3600, -8 * 3600, 3600, -3600, 1900};
    wsk_dice dice = {.seed = 6};
    const truth is = {.board_w = 16, .begins_s = 300, .noise_w = 1, .every_s = 5, .change = 1};
    make(&m, &is, &dice);
    for (size_t i = 0; i < sizeof zone_s / sizeof *zone_s; i++) {
        wsk_wall_fit out;
        assert_int_equal(fit(&m, tower, 300 + zone_s[i], &out), WSK_OK);
        assert_true(out.clock_found);
        assert_near(out.begins_s, 300, 5);
        assert_near(out.ahead_s, zone_s[i], 5);
    }
}

/* A constant load does not show the error of the meter's clock. A stated start of the readings is then used as it is;
 * without one they are assumed to begin with the log. */
static void a_constant_load_has_no_clock(void **state)
{
    (void)state;
    static made m;
    wsk_dice dice = {.seed = 7};
    const truth is = {.board_w = 16, .begins_s = 60, .noise_w = 0.2, .every_s = 5, .change = 0};
    make(&m, &is, &dice);
    for (int known = 0; known < 2; known++) {
        wsk_wall_fit out;
        assert_int_equal(fit(&m, tower, known ? 60 : (double)NAN, &out), WSK_OK);
        assert_false(out.clock_found);
        assert_near(out.begins_s, known ? 60 : 0, 0.01);
    }
}

static void meters_that_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t readings;
        const char *code;
    } cases[] = {{MACHINE(TOWER, "", ""), 1000, "calibrate.wall-no-base"},
                 {MACHINE(BESIDE TOWER, "", DESKTOP), 1000, "calibrate.wall-machines"},
                 {tower, 60, "calibrate.wall-brief"},
                 {tower, 0, "calibrate.wall-brief"}};
    static made m;
    wsk_dice dice = {.seed = 8};
    const truth is = {.board_w = 16, .begins_s = 60, .noise_w = 1, .every_s = 5, .change = 1};
    make(&m, &is, &dice);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_wall_fit out;
        m.meter_n = cases[i].readings;
        assert_int_equal(fit(&m, cases[i].text, 60, &out), WSK_EUSAGE);
        assert_non_null(out.refused);
        assert_string_equal(wsk_said_code(out.refused), cases[i].code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(base_and_clock_are_found_within_their_errors),
                                       cmocka_unit_test(every_kind_of_supply_has_its_efficiency),
                                       cmocka_unit_test(a_high_base_load_is_found),
                                       cmocka_unit_test(a_clock_in_another_zone_is_found),
                                       cmocka_unit_test(a_constant_load_has_no_clock),
                                       cmocka_unit_test(meters_that_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
