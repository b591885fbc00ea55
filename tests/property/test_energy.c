/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/support/bench.h"
#include "sim/books/observe.h"
#include "sim/books/books.h"

static const double span_s = 600;

static void check_numbers(const wsk_run *run, uint64_t seed)
{
    for (int i = 0; i < run->net->n_node; i++)
        if (!isfinite(run->t[i]))
            fail_msg("seed %llu, %.0f s: %s has no temperature", (unsigned long long)seed, wsk_run_time(run),
                     run->net->nodes[i].name);
    if (run->flows && !(run->flows->point.imbalance <= 1e-9))
        fail_msg("seed %llu, %.0f s: the flows of a node are off balance by %.3g", (unsigned long long)seed,
                 wsk_run_time(run), run->flows->point.imbalance);
}

static void check_books(const wsk_run *run, uint64_t seed)
{
    const wsk_ledger *l = &run->books->ledger;
    double residual = wsk_residual(run), splitting = wsk_splitting(run);
    double wall = wsk_sum_value(&l->wall), dc = wsk_sum_value(&l->dc), loss = wsk_sum_value(&l->psu_loss);
    if (!(residual <= 1e-9))
        fail_msg("seed %llu, stepper %d: residual %.3g", (unsigned long long)seed, (int)run->stepper, residual);
    if (!(splitting <= (run->stepper == WSK_STEPPER_FAST ? 1e-3 : 1e-6)))
        fail_msg("seed %llu, stepper %d: splitting %.3g", (unsigned long long)seed, (int)run->stepper, splitting);
    assert_near(wall, dc + loss, 1e-9 * wall);
    assert_true(loss >= 0 && (dc <= 0 || (run->net->n_supply > 0) == (loss > 0)));
}

static bool follow(wsk_run *run, uint64_t seed)
{
    for (int t = 1;; t = t < 10 ? t + 1 : t * 2) {
        bool going = wsk_test_try(run, t < span_s ? t : span_s);
        check_books(run, seed);
        check_numbers(run, seed);
        if (!going || t >= span_s)
            return going;
    }
}

static void test_residual_on_random_rigs(void **state)
{
    (void)state;
    double worst[2] = {0, 0}, split[2] = {0, 0};
    int shut = 0, ended = 0, rigs = wsk_test_cases(1000, 60);
    for (uint64_t seed = 1; seed <= (uint64_t)rigs; seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed});
        for (int stepper = 0; stepper < 2; stepper++) {
            wsk_run *run = wsk_test_run(rig, (wsk_stepper)stepper, span_s);
            ended += !follow(run, seed);
            shut += run->head->shutdowns > 0;
            worst[stepper] = fmax(worst[stepper], wsk_residual(run));
            split[stepper] = fmax(split[stepper], wsk_splitting(run));
            wsk_run_free(run);
        }
        wsk_rig_free(rig);
    }
    print_message("%d rigs: largest residual: fast %.2g, reference %.2g; splitting %.2g, %.2g; %d runs with a "
                  "shutdown, %d out of range\n",
                  rigs, worst[0], worst[1], split[0], split[1], shut, ended);
}

/* The room stores far more energy than the rig uses: rounding of the stored heat must not enlarge the residual of the
 * energy balance. */
static void test_residual_in_a_large_room(void **state)
{
    (void)state;
    wsk_rig *rig =
        wsk_test_rig("<rig><site><room volume='20000 m3' conductance='60 W/K'/></site><chassis>"
                     "<fan at='front' pressure='20 Pa' flow='80 m3/h' rpm='1000 rpm'/><cpu power='40 W' board='5 W'/>"
                     "</chassis></rig>",
                     NULL);
    for (int stepper = 0; stepper < 2; stepper++) {
        wsk_run *run = wsk_test_run(rig, (wsk_stepper)stepper, 43200);
        wsk_test_advance(run, 43200);
        check_books(run, 0);
        wsk_run_free(run);
    }
    wsk_rig_free(rig);
}

static void test_books_against_observation(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(200, 20); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed});
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, span_s);
        if (!wsk_test_try(run, span_s)) {
            wsk_run_free(run);
            wsk_rig_free(rig);
            continue;
        }
        const wsk_ledger *l = &run->books->ledger;
        double wall = wsk_sum_value(&l->wall) + wsk_sum_value(&l->side);
        assert_near(wsk_var_mean(run, WSK_VAR_WALL_W, 0) * span_s, wall, 1e-9 * wall + 1e-9);
        assert_near(wsk_var_mean(run, WSK_VAR_DC_W, 0) * span_s, wsk_sum_value(&l->dc), 1e-9 * wall + 1e-9);
        assert_near(wsk_test_get(run, "energy_kwh") * 3.6e6, wall, 1e-9 * wall + 1e-9);
        double bill = wall + wsk_sum_value(&l->cooling_electric),
               price = run->net->tariff ? run->net->tariff->price_j : 0;
        assert_near(wsk_test_get(run, "cost"), price * bill, 1e-9 * price * bill + 1e-12);
        double stored = 0;
        for (int i = 0; i < run->net->n_node; i++)
            stored += run->net->nodes[i].boundary ? 0 : run->net->nodes[i].cap_j_k * (run->t[i] - run->t_start[i]);
        assert_near(wsk_stored_j(run), stored, 1e-6 + 1e-9 * wall);
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_residual_on_random_rigs),
        cmocka_unit_test(test_residual_in_a_large_room),
        cmocka_unit_test(test_books_against_observation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
