/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fast stepper's tables agree with their definitions: gains of blocks with phi2 itself, and slow media (air or
 * water with heat capacity) with the trapezoidal rule. */
#include <math.h>
#include <string.h>

#include "sim/step/tables.h"
#include "tests/support/bench.h"

static int cases(void)
{
    return wsk_test_cases(200, 20);
}

/* The matrix h phi2(h C^-1 A) C^-1 of a block, computed without the tables, stored by columns. */
static void series_of(const wsk_block *b, const double *a, const double *gain, double *q)
{
    double z[WSK_BLOCK_MAX * WSK_BLOCK_MAX] = {0}, phi1[WSK_BLOCK_MAX * WSK_BLOCK_MAX],
                             phi2[WSK_BLOCK_MAX * WSK_BLOCK_MAX];
    const int n = b->count, rows = wsk_rows(n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            z[i * n + j] = a[j * rows + i] * gain[i];
    wsk_phi(n, z, phi1, phi2);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            q[j * rows + i] = phi2[i * n + j] * gain[j];
}

static void check_block(const wsk_run *run, const wsk_block *b, uint64_t seed)
{
    const wsk_config *c = run->stepping->config;
    const int n = b->count, rows = wsk_rows(n);
    const double *p = c->blocks + b->table, *q = p + n * rows, *a = q + n * rows, *s = a + n * rows,
                 *f = s + b->n_ports * rows, *gain = c->gain + b->slot;
    double want[WSK_BLOCK_MAX * WSK_BLOCK_MAX];
    series_of(b, a, gain, want);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < rows; i++) {
            const double *at = q + j * rows + i;
            double sum = i == j;
            if (i >= n && (*at != 0 || p[j * rows + i] != 0 || a[j * rows + i] != 0))
                fail_msg("seed %llu: a value after the last row is not 0", (unsigned long long)seed);
            if (i >= n)
                continue;
            if (!(fabs(*at - want[j * rows + i]) <= 1e-4 * want[j * rows + j]))
                fail_msg("seed %llu: %.17g of the grid, %.17g by the series", (unsigned long long)seed, *at,
                         want[j * rows + i]);
            for (int k = 0; k < n; k++)
                sum += q[k * rows + i] * a[j * rows + k];
            assert_near(p[j * rows + i], sum, 1e-13);
        }
    for (int k = 0; k < b->n_ports; k++) {
        const int solid = run->net->ports[b->first_port + k].solid - b->first;
        const double g = c->flows.point.g[b->first_port + k];
        for (int i = 0; i < n; i++) {
            assert_true(f[k * rows + i] == (i == solid ? g : 0));
            assert_near(s[k * rows + i], q[solid * rows + i] * g, 1e-13);
        }
    }
}

static void test_blocks_are_their_series(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)cases(); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed, .least_cards = 1});
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 600);
        for (double t = 60; t <= 600 && wsk_test_try(run, t); t += 60)
            for (int k = 0; run->stepping->config && k < run->net->n_block; k++)
                check_block(run, &run->net->blocks[k], seed);
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
}

/* The mean of a slow medium (air or water with heat capacity) over a step is the average of its start and end
 * temperature. */
static void test_slow_media_stand_at_their_mean(void **state)
{
    (void)state;
    int seen = 0;
    double most = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)cases(); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed, .least_cards = 1});
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 600);
        double before[512];
        assert_true(run->net->n_node <= 512);
        for (int t = 1; t <= 120; t++) {
            memcpy(before, run->t, (size_t)run->net->n_node * sizeof *before);
            if (!wsk_test_try(run, t))
                break;
            if (run->stepping->config->h < 1) /* the last step was shorter than a tick, because an event divided it */
                continue;
            for (int k = 0; k < run->net->n_media[WSK_SLOW]; k++, seen++) {
                const int i = run->net->media[WSK_SLOW][k];
                const double mean = 0.5 * (before[i] + run->t[i]);
                most = fmax(most, fabs(run->t[i] - before[i]));
                if (!(fabs(run->mean_t[i] - mean) <= 1e-11))
                    fail_msg("seed %llu, %d s: %s at %.17g, its ends' mean is %.17g", (unsigned long long)seed, t,
                             run->net->nodes[i].name, run->mean_t[i], mean);
            }
        }
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
    assert_true(seen > 100 * cases() && most > 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks_are_their_series),
                                       cmocka_unit_test(test_slow_media_stand_at_their_mean)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
