/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the temperatures of a fitted card may be off (docs/theory/calibration.md, "Method"): the spread of the fitted
 * values, carried through the replay. At a constant power and speed of the fan the effects of two values are known:
 * the die follows the inlet degree by degree, and its own resistance by its heat. */
#include "tests/verify/log_bench.h"

/* The standard deviation of the temperature at the end of the log. */
static double doubt(bench *b)
{
    double before[BINS];
    memcpy(before, b->th.die_k, sizeof before);
    assert_int_equal(wsk_thermal_doubt(&b->th, 0, BINS / 2, &b->fit, b->sd_k), WSK_OK);
    for (int i = 0; i < BINS; i++)
        assert_rel(b->th.die_k[i], before[i], 1e-12); /* the log is replayed with the fitted values again */
    return b->sd_k[BINS - 1];
}

static void the_spread_of_values_is_carried_on(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    assert_near(doubt(&b), 0, 1e-12);
    const wsk_card *c = &b.rig->net->cards[0];
    const double die_k = res_k_w * wsk_die_w(c, NAN, power_w), inlet_sd = 0.7, die_sd = 0.1;
    assert_rel(c->die_res_k_w, res_k_w, 1e-9);
    fit_value(&b, WSK_TH_INLET, inlet_sd);
    assert_rel(doubt(&b), inlet_sd, 0.01);
    for (int i = 1; i < BINS; i++)
        assert_true(b.sd_k[i] >= b.sd_k[i - 1] - 1e-9); /* the sink begins at the temperature of the log */
    fit_value(&b, WSK_TH_DIE, die_sd);
    const double effect_k = die_k * (exp(die_sd / 2) - 1) / (die_sd / 2) * die_sd;
    assert_rel(doubt(&b), hypot(inlet_sd, effect_k), 0.01);
    /* If the two go together, their effects add up; if they go against each other, they cancel out. */
    for (int way = -1; way <= 1; way += 2) {
        b.fit.fit.covariance[0][1] = b.fit.fit.covariance[1][0] = way * inlet_sd * die_sd;
        assert_near(doubt(&b), fabs(inlet_sd + way * effect_k), 0.01);
    }
    /* What the model leaves unexplained adds to it, more where the time of a change is vague. */
    double vague[BINS];
    for (int i = 0; i < BINS; i++)
        vague[i] = i < BINS - 1 ? 1 : 3;
    b.fit.fit.covariance[0][1] = b.fit.fit.covariance[1][0] = 0;
    b.fit.left_k = 0.4;
    assert_rel(doubt(&b), hypot(hypot(inlet_sd, effect_k), 0.4), 0.01);
    b.card.vague = vague;
    assert_rel(doubt(&b), hypot(hypot(inlet_sd, effect_k), 3 * 0.4), 0.01);
    close_bench(&b);
}

/* A fan that may do the opposite at rest: the change that this would make, in proportion to how well it fits. */
static void another_fit_counts_by_its_share(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    fit_value(&b, WSK_TH_INLET, 0);
    b.fit.fit.sd[0] = 0.01; /* the step of the derivative; the covariance stays 0 */
    b.fit.other_x[0] = 2;
    for (int k = 0; k <= 2; k++) {
        b.fit.other_share = 0.5 * k;
        assert_near(doubt(&b), 0.5 * k * 2, 0.02);
    }
    close_bench(&b);
}

/* While the fan stands still, the rise over the room may be off by a quarter, or by a tenth if the log has determined
 * how the card cools without its fan; only in the part held out. */
static void cooling_without_the_fan(void **state)
{
    (void)state;
    bench b;
    double inlet_k[BINS];
    open_rig(&b, LOG_RIG("", "", OPEN_AIR, TRAINING));
    for (int i = 0; i < BINS; i++) {
        inlet_k[i] = WSK_KELVIN + (i < BINS / 2 ? 24 : 20);
        b.power[i] = 30;
        b.rpm[i] = i == BINS - 2 ? 1200 : 0;
    }
    b.card.opening_w = b.card.from_w = b.card.highest_w = 30;
    for (int logged = 0; logged < 2; logged++) {
        b.log.inlet_k = logged ? inlet_k : NULL;
        start_bench(&b);
        for (int moved = 0; moved < 2; moved++) {
            const double inlet = b.th.parts[0].x[WSK_TH_INLET] = 1.5 * moved;
            b.fit.at[WSK_TH_STILL] = -1;
            b.fit.unknowns = 0;
            replay(&b);
            for (int fitted = 0; fitted < 2; fitted++) {
                if (fitted)
                    fit_value(&b, WSK_TH_STILL, 1e-6);
                (void)doubt(&b);
                for (int i = 0; i < BINS; i++) {
                    const double room_k = (logged ? inlet_k[i] : WSK_KELVIN + 22) + inlet,
                                 share = i < BINS / 2 || i == BINS - 2 ? 0
                                         : fitted                      ? 0.1
                                                                       : 0.25;
                    assert_near(b.sd_k[i], share * (b.th.die_k[i] - room_k), 1e-4);
                }
            }
        }
    }
    close_bench(&b);
}

/* Controllers of chassis fans read whole degrees: the prediction of each card may be off by what a reading higher by
 * 0.4 K of the hottest does. In the bins that were not fitted, the model's own controller turns the fan meanwhile. */
static void readings_of_controllers_are_rounded(void **state)
{
    (void)state;
    enum { CARDS = 2 };
    for (int known = BINS / 2; known <= BINS; known += BINS / 2) {
        bench b;
        double die_k[2][CARDS][BINS], *rpm = NULL, logged[BINS], hottest_k[BINS], sd_k[CARDS][BINS], cooler_w[BINS];
        open_rig(&b, DRIVEN_RIG("", PASSIVE("g", "1") PASSIVE("h", "4"), ""));
        b.card.rpm = NULL;
        b.card.opening_rpm = NAN;
        b.card.from_die_k = 305;
        wsk_thermal_card cards[CARDS] = {b.card, b.card};
        cards[1].card = 1;
        cards[1].power_w = cooler_w;
        for (int i = 0; i < BINS; i++) {
            b.die_k[i] = 350 - 45 * exp(-i / 10.0);
            cooler_w[i] = 150;
        }
        b.log.cards = cards;
        b.log.count = CARDS;
        wsk_thermal_follow_cards(&b.log, b.arena, b.rig->net, NULL, 0);
        start_bench(&b);
        b.th.known_until = known;
        replay(&b);
        for (int m = 0; m < b.rig->net->n_mover; m++)
            rpm = b.log.case_rpm[m] ? b.log.case_rpm[m] : rpm;
        assert_non_null(rpm);
        memcpy(logged, rpm, sizeof logged);
        for (int i = 0; i < BINS; i++)
            hottest_k[i] = fmax(b.th.die_k[i], b.th.die_k[BINS + i]);
        for (int c = 0; c < CARDS; c++)
            assert_int_equal(wsk_thermal_doubt(&b.th, c, BINS / 2, &b.fit, sd_k[c]), WSK_OK);
        for (int i = 0; i < BINS; i++)
            assert_same(rpm[i], logged[i]);
        b.th.known_until = BINS;
        for (int more = 0; more < 2; more++) {
            drive(hottest_k, 0.4 * more, bin_s, rpm);
            replay(&b);
            memcpy(die_k[more], b.th.die_k, sizeof die_k[more]);
        }
        for (int c = 0; c < CARDS; c++) {
            for (int i = 0; i < BINS; i++)
                assert_near(sd_k[c][i], i < BINS / 2 ? 0 : fabs(die_k[0][c][i] - die_k[1][c][i]), 1e-3);
            assert_true(sd_k[c][BINS - 1] > 0.05);
        }
        assert_true(fabs(sd_k[0][BINS - 1] - sd_k[1][BINS - 1]) > 0.01);
        close_bench(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_spread_of_values_is_carried_on), cmocka_unit_test(another_fit_counts_by_its_share),
        cmocka_unit_test(cooling_without_the_fan), cmocka_unit_test(readings_of_controllers_are_rounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
