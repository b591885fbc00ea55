/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several cards of one room (docs/theory/calibration.md, "Method"), and what a further recording would tell ("What to
 * record next"): with one unknown, both are closed forms. */
#include "sim/control/control.h"
#include "tests/support/dice.h"
#include "tests/verify/log_bench.h"

#define ANOTHER(id, slot) \
    "<gpu id='" id "' slot='" slot "' tdp='250 W' die-resistance='0.05 K/W' clock-max='1900 MHz' " \
    "clock-knee='1400 MHz' voltage-slope='0.6 1/GHz' idle='20 W'>" BLOWER "</gpu>"
enum { CARDS = 3 };

/* Cards alike, with logs of their own. */
typedef struct {
    bench b;
    wsk_thermal_card cards[CARDS];
    double die_k[CARDS][BINS];
    wsk_thermal_fit fits[CARDS];
} group;

/* off_k: temperatures of the log less those of the rig as it is stated, per card. */
static void open_group(group *p, const double (*off_k)[BINS])
{
    open_rig(&p->b, LOG_RIG(ANOTHER("h", "3") ANOTHER("i", "5"), "", BLOWER, TRAINING));
    halve(&p->b, 100);
    for (int i = 0; i < CARDS; i++) {
        p->cards[i] = p->b.card;
        p->cards[i].card = i;
        p->cards[i].die_k = p->die_k[i];
    }
    p->b.log.cards = p->cards;
    p->b.log.count = CARDS;
    start_bench(&p->b);
    for (int i = 0; i < CARDS; i++)
        for (int k = 0; k < BINS; k++)
            p->die_k[i][k] = p->b.th.die_k[i * BINS + k] + off_k[i][k];
}

static const double *inlet_of(const double *values, const wsk_thermal_fit *f)
{
    return &values[f->at[WSK_TH_INLET]];
}

/* Fits each card alone, all but the first beginning with the values of the first, and again in the room that is the mean
 * of theirs by weight. */
static void fit_alone(group *p, wsk_thermal_fit *alone, wsk_thermal_fit *again)
{
    wsk_thermal *th = &p->b.th;
    double fresh[WSK_TH_UNKNOWNS], first[WSK_TH_UNKNOWNS], found[CARDS][WSK_TH_UNKNOWNS], weight = 0, sum = 0;
    memcpy(fresh, th->parts[0].x, sizeof fresh);
    memcpy(first, fresh, sizeof first);
    th->known_until = BINS;
    for (int i = 0; i < CARDS; i++) {
        wsk_thermal_list(th, i, &alone[i]);
        for (int k = 0; k < CARDS; k++)
            memcpy(th->parts[k].x, first, sizeof first);
        assert_int_equal(wsk_thermal_fit_card(th, i, BINS, &alone[i]), WSK_OK);
        memcpy(found[i], th->parts[i].x, sizeof found[i]);
        memcpy(first, found[0], sizeof first);
        const double by = pow(*inlet_of(alone[i].fit.sd, &alone[i]), -2);
        weight += by;
        sum += by * found[i][WSK_TH_INLET];
    }
    for (int i = 0; i < CARDS; i++) {
        for (int k = 0; k < CARDS; k++) {
            memcpy(th->parts[k].x, found[k], sizeof found[k]);
            th->parts[k].x[WSK_TH_INLET] = sum / weight;
        }
        again[i] = alone[i];
        again[i].prior[again[i].at[WSK_TH_INLET]] = (wsk_prior){sum / weight, 0.02, -15, 15};
        assert_int_equal(wsk_thermal_fit_card(th, i, BINS, &again[i]), WSK_OK);
        again[i].fit.x[again[i].at[WSK_TH_INLET]] = sum / weight;
    }
    for (int i = 0; i < CARDS; i++)
        memcpy(th->parts[i].x, fresh, sizeof fresh);
}

/* Mean residual of each minute (two bins), K. */
static double minute_off(const group *p, int card, int minute)
{
    double sum = 0;
    for (int k = 2 * minute; k < 2 * minute + 2; k++)
        sum += p->b.th.die_k[card * BINS + k] - p->die_k[card][k];
    return sum / 2;
}

/* The mean by weight; its spread is larger if the cards contradict each other, and if their errors go together, up to
 * that of a single card. */
static void the_room_is_the_mean_of_what_its_cards_tell(void **state)
{
    (void)state;
    wsk_dice dice = {.seed = 3};
    for (int k = 0; k < 2; k++) { /* residuals that the cards share, and rooms that differ by 6 K */
        static group p;
        double off_k[CARDS][BINS];
        wsk_thermal_fit alone[CARDS], again[CARDS];
        for (int i = 0; i < BINS; i++) {
            const double common = 0.5 * wsk_draw_normal(&dice);
            for (int c = 0; c < CARDS; c++) {
                const double own = 0.5 * wsk_draw_normal(&dice);
                off_k[c][i] = 2 + (k == 0 ? common + 0.2 * own : 3 * c + own);
            }
        }
        open_group(&p, (const double(*)[BINS])off_k);
        fit_alone(&p, alone, again);
        assert_int_equal(wsk_thermal_fit_all(&p.b.th, BINS, p.fits), WSK_OK);
        double weight = 0, sum = 0, scatter = 0;
        for (int c = 0; c < CARDS; c++) {
            const double by = pow(*inlet_of(alone[c].fit.sd, &alone[c]), -2);
            weight += by;
            sum += by * *inlet_of(alone[c].fit.x, &alone[c]);
        }
        for (int c = 0; c < CARDS; c++)
            scatter +=
                pow((*inlet_of(alone[c].fit.x, &alone[c]) - sum / weight) / *inlet_of(alone[c].fit.sd, &alone[c]),
                    2) /
                (CARDS - 1);
        double products = 0, squares = 0;
        for (int m = 0; m < BINS / 2; m++)
            for (int c = 0; c < CARDS; c++)
                for (int d = 0; d < CARDS; d++) {
                    const double z2 =
                        minute_off(&p, c, m) / p.fits[c].residual_k * minute_off(&p, d, m) / p.fits[d].residual_k;
                    *(c == d ? &squares : &products) += z2;
                }
        /* of each card with each of the two others */
        const double shared = fmax(products / (CARDS - 1) / squares, 0),
                     sd = sqrt(fmax(scatter, 1) / weight * (1 + (CARDS - 1) * shared));
        for (int c = 0; c < CARDS; c++) {
            assert_near(*inlet_of(p.fits[c].fit.x, &p.fits[c]), sum / weight, 1e-3);
            assert_near(p.b.th.parts[c].x[WSK_TH_INLET], sum / weight, 1e-3);
            assert_rel(*inlet_of(p.fits[c].fit.sd, &p.fits[c]), sd, 2e-3);
            /* the other values are known as well as alone, or, where the common room is known better than one card
             * tells it, as in a normal distribution whose inlet has that variance */
            const int die = p.fits[c].at[WSK_TH_DIE], inlet = p.fits[c].at[WSK_TH_INLET];
            const double single = alone[c].fit.covariance[inlet][inlet], with = alone[c].fit.covariance[die][inlet],
                         left = fmin(sd * sd / single, 1);
            assert_rel(p.fits[c].fit.sd[die],
                       sqrt(alone[c].fit.covariance[die][die] - with * with / single * (1 - left)), 2e-3);
            assert_near(p.fits[c].prior[p.fits[c].at[WSK_TH_INLET]].sd, 3, 1e-9);
            for (int v = 0; v < p.fits[c].unknowns; v++)
                assert_near(p.fits[c].fit.x[v], again[c].fit.x[v], 1e-3);
        }

        assert_true(shared > 0.2 && shared < 1 && (scatter > 1) == (k == 1));
        close_bench(&p.b);
    }
}

/* An input that is wrong for one card is wrong for the room of all: each gets the largest error of the room. */
static void the_room_is_as_uncertain_as_its_worst_card(void **state)
{
    (void)state;
    static group p;
    static const double none[CARDS][BINS];
    wsk_thermal_fit each[CARDS];
    double clock_hz[BINS], busy[CARDS][BINS];
    open_group(&p, none);
    for (int i = 0; i < BINS; i++) {
        clock_hz[i] = 1.2e9;
        busy[0][i] = 0.9;
        busy[1][i] = 0.2;
        busy[2][i] = 0.5;
    }
    for (int i = 0; i < CARDS; i++) {
        p.cards[i].drawn_w = NULL;
        p.cards[i].clock_hz = clock_hz;
        p.cards[i].busy = busy[i];
        p.cards[i].power_w = wsk_alloc(p.b.arena, sizeof p.b.power);
        memcpy(p.cards[i].power_w, p.b.power, sizeof p.b.power);
        p.fits[i] = (wsk_thermal_fit){.die_sd = 5, .memory_sd = 1, .unknowns = 2};
        for (int v = 0; v < WSK_TH_UNKNOWNS; v++)
            p.fits[i].at[v] = -1;
        p.fits[i].at[WSK_TH_INLET] = 1;
        p.fits[i].at[WSK_TH_DIE] = 0;
        p.fits[i].prior[1] = (wsk_prior){0, 10, -15, 15};
        p.fits[i].prior[0] = (wsk_prior){0, 0.3, -2, 2};
        p.fits[i].fit.sd[0] = p.fits[i].fit.sd[1] = 0.1;
        each[i] = p.fits[i];
        assert_int_equal(wsk_thermal_doubt_inputs(&p.b.th, i, &each[i]), WSK_OK);
    }
    assert_int_equal(wsk_thermal_doubt_all(&p.b.th, p.fits), WSK_OK);
    for (int error = 0; error < WSK_TH_ERRORS; error++) {
        const double most_k = fmax(fmax(fabs(each[0].by_error[error][1]), fabs(each[1].by_error[error][1])),
                                   fabs(each[2].by_error[error][1]));
        assert_true(error > WSK_TH_FIXED_WATTS || most_k > 0.01);
        for (int i = 0; i < CARDS; i++) {
            assert_near(p.fits[i].by_error[error][1], most_k, 1e-9);
            assert_near(p.fits[i].by_error[error][0], each[i].by_error[error][0], 1e-9);
        }
    }
    assert_true(fabs(each[1].by_error[WSK_TH_IDLE_WATTS][1]) > 2 * fabs(each[0].by_error[WSK_TH_IDLE_WATTS][1]));
    assert_true(fabs(each[0].by_error[WSK_TH_DRAW][1]) > 2 * fabs(each[1].by_error[WSK_TH_DRAW][1]));
    close_bench(&p.b);
}

/* ---- the next recording ---- */

static const double minutes[WSK_NEXTS] = {35, 125, 35, 80, 35};

/* What is known of the room alone: each minute of a recording is a measurement of it, with the residual of the log and
 * its correlation. A memory sensor measures it once more. */
static void a_recording_measures_the_room_once_more(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        bench b;
        wsk_log_fit out;
        double memory_k[BINS];
        const bool memory = k & 1, small = k & 2, errors = k & 4;
        for (int i = 0; i < BINS; i++)
            memory_k[i] = 350;
        open_rig(&b, LOG_RIG("", "", BLOWER, TRAINING));
        b.card.memory_k = memory ? memory_k : NULL;
        start_bench(&b);
        const double sd = 1.1, rho = small ? -0.2 : 0.6, residual_k = small ? 0.03 : 0.5, memory_residual_k = 0.9,
                     memory_sd = 4, samples = small ? 55 : 12, moved_k = errors ? 0.7 : 0;
        fit_value(&b, WSK_TH_INLET, sd);
        b.fit.together = rho;
        b.fit.samples = samples;
        b.fit.residual_k = residual_k;
        b.fit.memory_residual_k = memory_residual_k;
        b.fit.memory_sd = memory_sd;
        b.fit.by_error[WSK_TH_HOST][0] = moved_k;
        b.fit.by_error[WSK_TH_DRAW][0] = -moved_k;
        for (int goal = 0; goal < WSK_GOALS; goal++)
            for (int i = 0; i < WSK_NEXTS; i++)
                out.now[goal] = out.then[goal][i] = NAN;
        assert_int_equal(wsk_thermal_next(&b.th, 0, &b.fit, &out), WSK_OK);
        assert_rel(out.highest_w, power_w, 1e-12);
        const double rest_k2 = 2 * moved_k * moved_k, off_k[2] = {residual_k, memory_residual_k};
        for (int goal = 0; goal < 2; goal++) {
            if (goal && !memory) {
                assert_true(isnan(out.now[goal]));
                continue;
            }
            assert_rel(out.now[goal], sqrt(sd * sd + off_k[goal] * off_k[goal] + rest_k2), 0.01);
            for (int i = 0; i < WSK_NEXTS; i++) {
                const double independent = minutes[i] * (1 - fmax(rho, 0)) / (1 + fmax(rho, 0)),
                             die = independent / pow(fmax(residual_k, 0.07), 2),
                             chips = memory ? independent / (memory_sd * memory_sd * samples / BINS) : 0,
                             then_k = sqrt(1 / (1 / (sd * sd) + die + chips) + off_k[goal] * off_k[goal] + rest_k2);
                if (i == WSK_NEXT_MEMORY && !memory)
                    assert_true(isnan(out.then[goal][i]));
                else
                    assert_rel(out.then[goal][i], then_k, 0.02);
            }
        }
        close_bench(&b);
    }
}

/* The die's resistance counts with the heat of the die at full load. A recording at rest alone hardly tells it; the state
 * at the start of a log, and the delay of its sensor, are new in each recording. */
static void the_resistance_counts_with_the_heat_at_full_load(void **state)
{
    (void)state;
    bench b;
    wsk_log_fit out;
    open_rig(&b, LOG_RIG("", " power='240 W'", BLOWER, TRAINING));
    start_bench(&b);
    const wsk_card *c = &b.rig->net->cards[0];
    const double sd = 0.02, full_k = res_k_w * wsk_die_w(c, NAN, 240);
    fit_value(&b, WSK_TH_DIE, sd);
    fit_value(&b, WSK_TH_START_DIE, 0.001);
    fit_value(&b, WSK_TH_START_BOARD, 0.001);
    fit_value(&b, WSK_TH_DELAY, 0.001);
    b.fit.prior[1].sd = 1.5;
    b.fit.prior[2].sd = 8;
    b.fit.prior[3].sd = 1.5;
    b.fit.residual_k = 1e-6;
    b.fit.samples = 10;
    assert_int_equal(wsk_thermal_next(&b.th, 0, &b.fit, &out), WSK_OK);
    assert_rel(out.full_w, 240, 1e-12);
    assert_rel(out.now[WSK_GOAL_TEMPERATURE], sd * full_k, 0.02);
    /* three tenths of a kelvin at rest, where the die's heat is a twelfth, and the start is open */
    for (int i = 0; i < WSK_NEXTS; i++)
        assert_true(isnan(out.then[0][i]) || i == WSK_NEXT_MEMORY || out.then[0][i] < 0.5 * out.now[0]);
    /* one reading after the other of the soak: 60 at full load, with 0.07 K in a minute of two */
    const double at_load = 60 * pow(full_k, 2) / (2 * 0.07 * 0.07);
    assert_near(out.then[0][WSK_NEXT_SOAK], full_k / sqrt(1 / (sd * sd) + at_load), 0.003);
    close_bench(&b);
}

/* A load bound by the memory heats it more than any other, and so tells more of its resistance in the same time. */
static void a_load_bound_by_the_memory_tells_most_of_it(void **state)
{
    (void)state;
    bench b;
    wsk_log_fit out;
    double memory_k[BINS];
    for (int i = 0; i < BINS; i++)
        memory_k[i] = 350;
    open_rig(&b, LOG_RIG("", " memory-resistance='0.3 K/W'", BLOWER, TRAINING));
    b.card.memory_k = memory_k;
    start_bench(&b);
    fit_value(&b, WSK_TH_MEMORY, 0.25);
    b.fit.residual_k = 0.3;
    b.fit.memory_sd = 2;
    b.fit.samples = 20;
    assert_int_equal(wsk_thermal_next(&b.th, 0, &b.fit, &out), WSK_OK);
    assert_int_equal(minutes[WSK_NEXT_MEMORY], minutes[WSK_NEXT_SOAK]);
    assert_true(out.now[WSK_GOAL_MEMORY] > 1);
    assert_true(out.then[WSK_GOAL_MEMORY][WSK_NEXT_MEMORY] < 0.9 * out.then[WSK_GOAL_MEMORY][WSK_NEXT_SOAK]);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_room_is_the_mean_of_what_its_cards_tell),
                                       cmocka_unit_test(the_room_is_as_uncertain_as_its_worst_card),
                                       cmocka_unit_test(a_recording_measures_the_room_once_more),
                                       cmocka_unit_test(a_load_bound_by_the_memory_tells_most_of_it),
                                       cmocka_unit_test(the_resistance_counts_with_the_heat_at_full_load)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
