/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a fit to a log is judged: errors, phases, band and skill of temperatures that are made up here, so that each of
 * them has a value that follows from its definition (docs/theory/calibration.md, "Method"). */
#include <math.h>
#include <string.h>

#include "sim/study/calibrate/thermal.h"
#include "tests/support/dice.h"
#include "tests/unit/assert.h"

enum { BINS = 120, HELD = 70 };
static const double half_80 = 1.2815515655446004; /* of the normal distribution: P(|x| < half_80) = 0.8 */

/* A log of two cards and a replay of it. The second card is judged; the first has no temperatures but 0 K. */
typedef struct {
    wsk_thermal_card cards[2];
    wsk_thermal_log log;
    wsk_thermal th;
    double power_w[BINS], die_k[BINS], memory_k[BINS], sd_k[BINS];
    double both_k[2 * BINS], memory_both_k[2 * BINS], *model_k, *memory_model_k;
} made;

static void make(made *m, double bin_s)
{
    memset(m, 0, sizeof *m);
    m->model_k = m->both_k + BINS;
    m->memory_model_k = m->memory_both_k + BINS;
    m->cards[0] = (wsk_thermal_card){.power_w = m->both_k, .die_k = m->both_k, .memory_k = m->both_k};
    m->cards[1] = (wsk_thermal_card){
        .power_w = m->power_w, .die_k = m->die_k, .memory_k = m->memory_k, .highest_w = 300, .last = BINS - 1};
    m->log = (wsk_thermal_log){.bins = BINS, .count = 2, .bin_s = bin_s, .cards = m->cards};
    m->th = (wsk_thermal){.arena = wsk_arena_new(), .log = &m->log, .die_k = m->both_k, .memory_k = m->memory_both_k};
    assert_non_null(m->th.arena);
    for (int i = 0; i < BINS; i++) {
        m->power_w[i] = 300;
        m->die_k[i] = m->model_k[i] = 340;
        m->memory_k[i] = m->memory_model_k[i] = 360;
        m->sd_k[i] = 1;
    }
}

static wsk_log_fit judge(made *m)
{
    wsk_log_fit out;
    memset(&out, 0, sizeof out);
    wsk_thermal_judge(&m->th, 1, HELD, m->sd_k, &out);
    return out;
}

static void drop(made *m)
{
    wsk_arena_free(m->th.arena);
}

/* If the error of the model is the same at all times of a part (fitted or held out), each measure gives this error. */
static void a_constant_error_is_found_by_each_measure(void **state)
{
    (void)state;
    static const double off[WSK_LOG_PARTS] = {-0.75, 2}, memory_off[WSK_LOG_PARTS] = {3, -1.5};
    made m;
    make(&m, 30);
    for (int i = 0; i < BINS; i++) {
        m.model_k[i] += off[i >= HELD];
        m.memory_model_k[i] += memory_off[i >= HELD];
        m.sd_k[i] = i >= HELD ? 4 : 0.5;
    }
    m.die_k[3] = m.die_k[HELD] = m.memory_k[BINS - 1] = NAN; /* gaps */
    const wsk_log_fit f = judge(&m);
    for (int part = 0; part < WSK_LOG_PARTS; part++) {
        const wsk_log_error *e[] = {&f.die[part], &f.memory[part], &f.phase[part][WSK_PHASE_SETTLED]};
        for (int k = 0; k < 3; k++) {
            const double b = k == 1 ? memory_off[part] : off[part];
            const int bins = part ? BINS - HELD : HELD, gaps = k != 1 || part;
            assert_int_equal(e[k]->readings, bins - gaps);
            assert_rel(e[k]->bias_k, b, 1e-9);
            assert_rel(e[k]->worst_k, b, 1e-9);
            assert_rel(e[k]->mae_k, fabs(b), 1e-9);
            assert_rel(e[k]->rmse_k, fabs(b), 1e-9);
        }
        const double half_k = half_80 * (part ? 4 : 0.5);
        assert_rel(f.band_k[part], half_k, 1e-4);
        assert_same(f.within[part], fabs(off[part]) <= half_k);
        assert_rel(f.band_needed[part], fabs(off[part]) / half_k, 1e-4);
        assert_int_equal(f.phase[part][WSK_PHASE_FIRST].readings, 0);
        assert_true(isnan(f.phase[part][WSK_PHASE_FIRST].rmse_k));
    }
    assert_same(f.held_from_s, HELD * 30.0);
    assert_same(f.end_s, BINS * 30.0);
    drop(&m);
}

/* The straight line in power is the line of least squares through the fitted part, computed here about the means. */
static void skill_compares_with_a_line_and_with_the_last_temperature(void **state)
{
    (void)state;
    wsk_dice dice = {7, 0};
    for (int c = 0; c < 20; c++) {
        made m;
        make(&m, 30);
        for (int i = 0; i < BINS; i++) {
            m.power_w[i] = wsk_draw(&dice, 50, 300);
            m.die_k[i] = wsk_draw(&dice, 310, 350) + 0.1 * m.power_w[i];
            m.model_k[i] = m.die_k[i] + wsk_draw(&dice, -5, 5);
            m.sd_k[i] = wsk_draw(&dice, 1, 3);
            if (i % 11 == 5 + c % 3 || i == HELD - 1)
                m.die_k[i] = NAN;
        }
        double n = 0, w = 0, t = 0, across = 0, along = 0, off = 0, line = 0, stays = 0, held = 0;
        for (int i = 0; i < HELD; i++)
            if (!isnan(m.die_k[i]))
                n++, w += m.power_w[i], t += m.die_k[i];
        w /= n, t /= n;
        for (int i = 0; i < HELD; i++)
            if (!isnan(m.die_k[i])) {
                across += (m.power_w[i] - w) * (m.die_k[i] - t);
                along += (m.power_w[i] - w) * (m.power_w[i] - w);
            }
        int last = HELD - 1;
        while (isnan(m.die_k[last]))
            last--;
        for (int i = HELD; i < BINS; i++)
            if (!isnan(m.die_k[i])) {
                held++;
                off += pow(m.model_k[i] - m.die_k[i], 2);
                line += pow(t + across / along * (m.power_w[i] - w) - m.die_k[i], 2);
                stays += pow(m.die_k[last] - m.die_k[i], 2);
            }
        const wsk_log_fit f = judge(&m);
        assert_rel(f.die[WSK_PART_HELD_OUT].rmse_k, sqrt(off / held), 1e-9);
        assert_near(f.skill_line, 1 - sqrt(off / line), 1e-6);
        assert_near(f.skill_stays, 1 - sqrt(off / stays), 1e-9);
        /* Each reading is counted in exactly one phase. */
        for (int part = 0; part < WSK_LOG_PARTS; part++) {
            size_t readings = 0;
            double squares = 0;
            for (int k = 0; k < WSK_PHASES; k++) {
                const wsk_log_error *e = &f.phase[part][k];
                readings += e->readings;
                squares += e->readings ? (double)e->readings * e->rmse_k * e->rmse_k : 0;
            }
            assert_int_equal(readings, f.die[part].readings);
            assert_rel(squares, (double)readings * pow(f.die[part].rmse_k, 2), 1e-9);
        }
        drop(&m);
    }
}

/* A fit states the factor by which its band must be widened to contain 80 % of the readings. The band that is widened
 * so contains 80 %. */
static void a_band_of_the_needed_width_holds_80_percent(void **state)
{
    (void)state;
    wsk_dice dice = {3, 0};
    made m;
    make(&m, 30);
    for (int i = 0; i < BINS; i++) {
        m.sd_k[i] = wsk_draw(&dice, 0.2, 3);
        m.model_k[i] += (i < HELD ? 1 : 4) * wsk_draw(&dice, -3, 3);
    }
    const wsk_log_fit f = judge(&m);
    for (int part = 0; part < WSK_LOG_PARTS; part++) {
        const int from = part ? HELD : 0, to = part ? BINS : HELD;
        int within = 0, needed = 0;
        double wide = 0;
        for (int i = from; i < to; i++) {
            const double off = fabs(m.model_k[i] - m.die_k[i]), half = half_80 * m.sd_k[i];
            within += off <= half;
            needed += off <= (1 + 1e-9) * f.band_needed[part] * half;
            wide += half;
        }
        assert_rel(f.within[part], within / (double)(to - from), 1e-9);
        assert_rel(f.band_k[part], wide / (to - from), 1e-4);
        assert_in_range(needed, (8 * (to - from)) / 10, (8 * (to - from)) / 10 + 1);
    }
    drop(&m);
}

/* Rest; a step of power, after which the card warms up and settles; another step down, after which it cools. Bins are
 * half minutes, so a minute has two and the five minutes around a bin have ten. */
static void phases_follow_the_power_and_the_temperature(void **state)
{
    (void)state;
    enum { UP = 30, HOT = 60, DOWN = 90 };
    made m;
    make(&m, 30);
    for (int i = 0; i < BINS; i++) {
        m.power_w[i] = i >= UP && i < DOWN ? 300 : 40;
        m.die_k[i] = i < UP     ? 310
                     : i < HOT  ? 310 + (double)(i - UP + 1)
                     : i < DOWN ? 310 + HOT - UP
                                : fmax(310, 310 + HOT - UP - (double)(i - DOWN + 1));
    }
    for (int i = 10; i < BINS - 10; i++) {
        const wsk_log_phase is = wsk_thermal_phase(&m.th, 1, i);
        if (i == UP || i == UP + 1)
            assert_int_equal(is, WSK_PHASE_FIRST);
        else if (i > UP + 2 && i < HOT)
            assert_int_equal(is, WSK_PHASE_WARM_UP);
        else if (i >= DOWN)
            assert_int_equal(is, WSK_PHASE_COOL_DOWN);
        else if (i < UP - 5 || (i >= HOT + 5 && i < DOWN - 5))
            assert_int_equal(is, WSK_PHASE_SETTLED);
    }
    /* Five minutes around a bin: two and a half before and after it. Changes of 1 K and of a little less: */
    for (int k = 0; k < 4; k++) {
        const double change_k = (k % 2 ? -1 : 1) * (k < 2 ? 1 : 0.99);
        for (int i = 0; i < BINS; i++) {
            m.power_w[i] = 300;
            m.die_k[i] = i < BINS / 2 ? 330 : 330 + change_k;
        }
        m.die_k[BINS / 2 - 5 - 1] = m.die_k[BINS / 2 + 5 + 1] = 0; /* just outside */
        assert_int_equal(wsk_thermal_phase(&m.th, 1, BINS / 2), k >= 2  ? WSK_PHASE_SETTLED
                                                                : k % 2 ? WSK_PHASE_COOL_DOWN
                                                                        : WSK_PHASE_WARM_UP);
    }
    /* Steps of a fifth of the highest power, 60 W, and of a little less: */
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < BINS; i++) {
            m.die_k[i] = 330;
            m.power_w[i] = i < BINS / 2 ? 200 : 200 + (k ? 60 : 59.9);
        }
        assert_int_equal(wsk_thermal_phase(&m.th, 1, BINS / 2), k ? WSK_PHASE_FIRST : WSK_PHASE_SETTLED);
        assert_int_equal(wsk_thermal_phase(&m.th, 1, BINS / 2 - 1), WSK_PHASE_SETTLED);
        assert_int_equal(wsk_thermal_phase(&m.th, 1, BINS / 2 + 2), WSK_PHASE_SETTLED);
    }
    drop(&m);
}

/* Powers 30 % apart, each in a twentieth of the minutes, count as two; the hottest twentieth is found in any order. */
static void levels_of_a_log_are_told(void **state)
{
    (void)state;
    made m;
    make(&m, 30);
    for (int k = 0; k < 4; k++) { /* more than a twentieth of 60 minutes or just that; a ratio above 1.3 or below */
        const double low_w = k & 1 ? 230 : 232;
        const int minutes = k & 2 ? 4 : 3;
        for (int i = 0; i < BINS; i++)
            m.power_w[i] = i / 2 % 7 == 3 && i / 14 < minutes ? low_w : 300;
        assert_int_equal(wsk_thermal_one_power(&m.th, 1), k != 3);
        for (int i = 0; i < BINS; i++)
            m.power_w[i] = i / 2 % 7 == 3 && i / 14 < minutes ? 300 : low_w;
        assert_int_equal(wsk_thermal_one_power(&m.th, 1), k != 3);
    }
    /* A pulse within each minute is no level. */
    for (int i = 0; i < BINS; i++)
        m.power_w[i] = i % 2 ? 300 : 40;
    assert_true(wsk_thermal_one_power(&m.th, 1));
    for (int i = 0; i < BINS; i++)
        m.die_k[i] = 300 + (i * 7) % 100;
    for (int i = 100; i < BINS; i++)
        m.die_k[i] = NAN;
    const double hottest_k = wsk_thermal_hottest_k(&m.th, 1);
    int reach = 0;
    for (int i = 0; i < 100; i++)
        reach += m.die_k[i] >= hottest_k;
    assert_in_range(reach, 5, 6); /* a twentieth of 100 bins, each with a temperature of its own */
    drop(&m);
}

/* ---- the next recording ---- */

/* The advised recording is the shortest of those that leave nearly as little uncertainty as the best one. None is
 * advised if the best one leaves hardly less than there is now, or if the uncertainty is small enough now. For a card
 * that was never loaded, a recording under load is advised in any case. */
static void the_shortest_of_the_good_recordings_is_advised(void **state)
{
    (void)state;
    static const double fine[WSK_GOALS] = {
        [WSK_GOAL_TEMPERATURE] = 0.5, [WSK_GOAL_MEMORY] = 1, [WSK_GOAL_WORK] = 0.01, [WSK_GOAL_WATTS] = 0.02};
    static const int minutes[WSK_NEXTS] = {[WSK_NEXT_SOAK] = 5 + 30,
                                           [WSK_NEXT_STAIRCASE] = 5 + 4 * 30,
                                           [WSK_NEXT_FAN] = 5 + 2 * 15,
                                           [WSK_NEXT_IDLE] = 5 + 15 + 60,
                                           [WSK_NEXT_MEMORY] = 5 + 30};
    wsk_dice dice = {11, 0};
    int advised[WSK_NEXTS] = {0}, none = 0;
    for (int i = 0; i < WSK_NEXTS; i++) {
        double for_s;
        assert_non_null(wsk_calibrate_next_name((wsk_calibrate_next)i, &for_s));
        assert_same(for_s, 60.0 * minutes[i]);
    }
    for (int c = 0; c < 4000; c++) {
        const wsk_calibrate_goal goal = (wsk_calibrate_goal)wsk_pick(&dice, 0, WSK_GOALS - 1);
        wsk_log_fit f = {.full_w = 300, .highest_w = wsk_chance(&dice, 0.5) ? 211 : 209}; /* 70 % are 210 W */
        const bool thermal = goal == WSK_GOAL_TEMPERATURE || goal == WSK_GOAL_MEMORY,
                   far = thermal && f.highest_w < 210;
        double best = INFINITY;
        int least = INT32_MAX;
        f.now[goal] = fine[goal] * wsk_draw(&dice, 0.5, 4);
        for (int i = 0; i < WSK_NEXTS; i++) {
            f.then[goal][i] = wsk_chance(&dice, 0.3) ? (double)NAN : f.now[goal] * wsk_draw(&dice, 0.7, 1);
            if (!isnan(f.then[goal][i]) && !(far && i == WSK_NEXT_IDLE))
                best = fmin(best, f.then[goal][i]);
        }
        for (int i = 0; i < WSK_NEXTS; i++)
            if (f.then[goal][i] <= 1.1 * best && !(far && i == WSK_NEXT_IDLE) && minutes[i] < least)
                least = minutes[i];
        const int is = wsk_calibrate_next_for(&f, goal);
        const bool helps = isfinite(best) && (far || (f.now[goal] >= fine[goal] && best <= 0.9 * f.now[goal]));
        assert_int_equal(is >= 0, helps);
        if (is < 0) {
            none++;
            continue;
        }
        assert_int_equal(minutes[is], least);
        assert_true(f.then[goal][is] <= 1.1 * best && !(far && is == WSK_NEXT_IDLE));
        advised[is]++;
    }
    assert_true(none > 0);
    for (int i = 0; i < WSK_NEXTS; i++)
        assert_true(advised[i] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_constant_error_is_found_by_each_measure),
                                       cmocka_unit_test(skill_compares_with_a_line_and_with_the_last_temperature),
                                       cmocka_unit_test(a_band_of_the_needed_width_holds_80_percent),
                                       cmocka_unit_test(phases_follow_the_power_and_the_temperature),
                                       cmocka_unit_test(levels_of_a_log_are_told),
                                       cmocka_unit_test(the_shortest_of_the_good_recordings_is_advised)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
