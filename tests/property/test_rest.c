/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rest is no shortcut: a card that is not asked would have answered what it answered last. */
#include <math.h>
#include <string.h>

#include "tests/support/bench.h"

static int cases(void)
{
    return wsk_test_cases(60, 6);
}

/* While temperatures rise by less than the margin that it tells, or fall, no governor moves its cap, however often it is asked. */
static void test_margins_hold(void **state)
{
    (void)state;
    int told = 0, at_work = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)cases(); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed, .least_cards = 1});
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 10);
        const wsk_card *c = &run->net->cards[0];
        for (uint64_t turn = 0; turn < 200; turn++) {
            double top = run->cards[0].governor[0].cap_hz, die = 273.15 + 30 + 80 * wsk_random(seed, 1, turn);
            wsk_governor_input in = {.die_k = die, .hotspot_k = die + 20 * wsk_random(seed, 2, turn), .memory_k = die + 10, .elapsed_s = 1,
                                     .clock_hz = top, .brake = wsk_random(seed, 3, turn) < 0.1};
            for (int g = 0; g < c->n_governors; g++) {
                wsk_governor_state s = {.cap_hz = wsk_random(seed, 4, turn) < 0.7 ? top : 0.8 * top,
                                        .hold_s = 10 * wsk_random(seed, 5, turn),
                                        .last_k = 1000 + 20 * wsk_random(seed, 6, turn)};
                double margin = c->governors[g].ops->margin_k(c->governors[g].params, c->gpu, &s, &in), cap = s.cap_hz;
                told += margin > 0;
                at_work += !(margin > 0);
                for (uint64_t ask = 0; margin > 0 && ask < 20; ask++) {
                    double by = fmin(margin, 100) * (1.999 * wsk_random(seed + turn, 7, ask) - 1);
                    wsk_governor_input then = in;
                    then.die_k += by;
                    then.hotspot_k += by;
                    then.memory_k += by;
                    c->governors[g].ops->next(c->governors[g].params, c->gpu, &s, &then);
                    if (s.cap_hz != cap)
                        fail_msg("seed %llu: %s moved its cap %.3f K off, within its margin of %.3f K", (unsigned long long)seed,
                                 c->governors[g].ops->reason, by, margin);
                }
            }
        }
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
    assert_true(told > 100 && at_work > 100);
}

/* A run whose cards are all asked at each tick. False where a part left the model's range. */
static bool ask_all(wsk_run *run, double until_s)
{
    while (wsk_run_time(run) < until_s) {
        wsk_wake(run);
        if (!wsk_test_try(run, wsk_run_time(run) + 1))
            return false;
    }
    return true;
}

/* Fans then decide a tick earlier or later; beyond that nothing may differ. */
static void compare(const wsk_rig *rig, uint64_t seed, double span_s, int *rested)
{
    wsk_run *a = wsk_test_run(rig, WSK_STEPPER_FAST, span_s), *b = wsk_test_run(rig, WSK_STEPPER_FAST, span_s);
    bool whole = true;
    for (double t = 1; t <= span_s && whole; t++) {
        whole = wsk_test_try(a, t);
        *rested += !a->awake;
    }
    if (whole && ask_all(b, span_s)) {
        double wall = wsk_sum_value(&b->head->ledger.wall);
        if (fabs(wsk_sum_value(&a->head->ledger.wall) - wall) > 1e-4 * wall)
            fail_msg("seed %llu: %.1f J with rest, %.1f J without", (unsigned long long)seed, wsk_sum_value(&a->head->ledger.wall), wall);
        for (int i = 0; i < a->net->n_card; i++) {
            const char *id = a->net->cards[i].id;
            double die = wsk_stat_of(b, id, "die_c", 0), work = wsk_stat_of(b, id, "work_rel", 0);
            if (fabs(wsk_stat_of(a, id, "die_c", 0) - die) > 0.1 || fabs(wsk_stat_of(a, id, "work_rel", 0) - work) > 1e-3)
                fail_msg("seed %llu, %s: %.3f degC and %.5f of work with rest, %.3f and %.5f without", (unsigned long long)seed, id,
                         wsk_stat_of(a, id, "die_c", 0), wsk_stat_of(a, id, "work_rel", 0), die, work);
            assert_int_equal(a->cards[i].off, b->cards[i].off);
        }
    }
    wsk_run_free(a);
    wsk_run_free(b);
}

static void test_rest_changes_nothing(void **state)
{
    (void)state;
    int rested = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)cases(); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed, .least_cards = 1});
        compare(rig, seed, 3600, &rested);
        wsk_rig_free(rig);
    }
    assert_true(rested > 100 * cases()); /* else nothing was compared */
}

/* What ends a rest from outside: a limit, a pin, a room. All act at the next tick. */
static void test_rest_ends_when_it_must(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/quad-3090-blower/rig.xml");
    const struct {
        const char *name;
        double value;
        const char *shows;
    } acts[] = {{"gpu1.power_limit_w", 200, "gpu1.power_w"}, {"gpu1.power_w", 50, "gpu1.power_w"}, {"gpu1.fan_rpm", 1500, "gpu1.fan_rpm"},
                {"gpu1.clock_mhz", 900, "gpu1.clock_mhz"}};
    for (size_t k = 0; k < sizeof acts / sizeof *acts; k++) {
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 86400);
        wsk_test_advance(run, 40000);
        for (int t = 0; t < 3600 && run->awake; t++)
            wsk_test_advance(run, wsk_run_time(run) + 1);
        assert_false(run->awake);
        assert_int_equal(wsk_run_set(run, acts[k].name, acts[k].value), WSK_OK);
        wsk_test_advance(run, wsk_run_time(run) + 1);
        double shows = wsk_test_get(run, acts[k].shows);
        if (!(shows <= acts[k].value * 1.001))
            fail_msg("%s = %g: still %g a tick later", acts[k].name, acts[k].value, shows);
        wsk_run_free(run);
    }
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_margins_hold), cmocka_unit_test(test_rest_changes_nothing),
                                       cmocka_unit_test(test_rest_ends_when_it_must)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
