/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimated errors of strides, by the rules of docs/theory/time.md, "Strides". Differences between cycles are made up
 * here. */
#include <math.h>
#include <string.h>

#include "tests/support/bench.h"
#include "tests/support/strides.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/step/stride.h"

static const int64_t day_ns = INT64_C(86400) * WSK_NS;

/* A rig with two cards whose room follows the time of day. */
static wsk_run *start(wsk_rig **rig, const char *workload)
{
    return wsk_test_start_by_day(rig, workload, 20);
}

/* The headlines of a run: accounts that are summed, and the share of each sum that is counted. */
static void check_headlines(const wsk_run *run)
{
    const wsk_stride *s = run->stride;
    double *x = s->fresh, found[WSK_HEADLINES], wanted[WSK_HEADLINES] = {0};
    for (int k = 0; k < s->n; k++)
        x[k] = 1000 + 37 * k + k * k;
    wanted[WSK_OF_ENERGY] = x[wsk_test_account_at(run, &run->books->ledger.wall)] +
                            x[wsk_test_account_at(run, &run->books->ledger.side)] +
                            x[wsk_test_account_at(run, &run->books->ledger.cooling_electric)];
    for (int i = 0; i < run->net->n_card; i++) {
        const wsk_card_state *c = &run->cards[i];
        wanted[WSK_OF_WORK] += x[wsk_test_account_at(run, &c->work)];
        for (int k = 0; k < WSK_REASONS; k++) /* 1 << k is the reason */
            if ((1 << k) & (WSK_REASON_THERMAL | WSK_REASON_HW | WSK_REASON_MEMORY))
                wanted[WSK_OF_HEAT] += x[wsk_test_account_at(run, &c->throttle_ns[k])] / 1e9;
    }
    wsk_take_headlines(run, x, found);
    for (int k = 0; k < WSK_HEADLINES; k++)
        assert_rel(found[k], wanted[k], 1e-14);
}

static void test_headlines(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig, "kind='constant'");
    check_headlines(run);
    /* a cycle of more than half a day needs one agreeing cycle, a shorter one two */
    run->stride->cycle.length_ns = day_ns / 2;
    assert_int_equal(wsk_cycles_needed(run->stride), 2);
    run->stride->cycle.length_ns = day_ns / 2 + 1;
    assert_int_equal(wsk_cycles_needed(run->stride), 1);
    wsk_test_drop(run, rig);
}

/* Every account of a list is another place, the nodes' come last, and each card's begin where estimates read them. */
static void test_list_of_accounts(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed});
        wsk_run *run = wsk_test_start(rig, 30 * 86400, true);
        const wsk_stride *s = run->stride;
        if (s) {
            assert_int_equal(s->n, wsk_count_accounts(run));
            assert_int_equal(s->nodes, s->n - run->net->n_node);
            for (int i = 0; i < run->net->n_card; i++)
                assert_int_equal(wsk_test_account_at(run, &run->cards[i].work),
                                 WSK_TALLY_WORK + WSK_CARD_ACCOUNTS * i);
            for (int k = 0; k < s->n; k++) {
                assert_int_equal(wsk_test_account_at(run, s->places[k].at), k);
                assert_true((s->places[k].open != NULL) == (k >= s->nodes - run->variables->n));
            }
        }
        wsk_test_drop(run, rig);
    }
}

/* Sets amounts of the last cycle, their trend and noise. All other accounts are 0. */
typedef struct {
    double energy_j, work, heat_s;               /* amounts of a cycle */
    double energy_trend, work_trend, heat_trend; /* differences of agreeing cycles from their reference */
    double energy_noise, work_noise, heat_noise;
} evidence;

static void put(wsk_run *run, const evidence *e, double apart)
{
    wsk_stride *s = run->stride;
    const int wall = wsk_test_account_at(run, &run->books->ledger.wall),
              work = wsk_test_account_at(run, &run->cards[1].work),
              heat = wsk_test_account_at(run, &run->cards[0].throttle_ns[1]);
    memset(s->fresh, 0, (size_t)s->n * sizeof *s->fresh);
    memset(s->trend, 0, (size_t)s->n * sizeof *s->trend);
    s->fresh[wall] = e->energy_j;
    s->fresh[work] = e->work;
    s->fresh[heat] = e->heat_s * 1e9;
    s->trend[wall] = e->energy_trend;
    s->trend[work] = e->work_trend;
    s->trend[heat] = e->heat_trend * 1e9;
    s->head->noise[WSK_OF_ENERGY] = e->energy_noise;
    s->head->noise[WSK_OF_WORK] = e->work_noise;
    s->head->noise[WSK_OF_HEAT] = e->heat_noise;
    s->head->apart = apart;
}

/* A stride of `periods` is allowed while trend x periods / 2 and the largest difference over the root of the number of
 * compared cycles stay within 5e-5 of energy and of work, and within 0.4 % of the time limited by heat or 30 s over the
 * run. */
static void test_allowed(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig, "kind='constant'");
    wsk_stride *s = run->stride;
    const double run_s = 20 * 86400, energy = 3e6, work = 3600;
    for (int slots = 0; slots < 2; slots++)
        for (int count = 2; count <= 7; count += 5)
            for (int headline = 0; headline < 4; headline++)
                for (int k = 0; k < 40; k++) {
                    const double apart = 1 + 0.3 * (k % 4), periods = 1 + k, heat_s = headline == 3 ? 0 : 2000,
                                 heat = headline == 3 ? 30 * 3600 / run_s : 4e-3 * heat_s,
                                 most = headline == 0   ? 5e-5 * energy
                                        : headline == 1 ? 5e-5 * work
                                                        : heat,
                                 share = k % 3 / 2.0; /* of the trend in the error */
                    const double root = sqrt(slots ? 3 : count), sign = k % 2 ? 1 : -1;
                    const double trend = sign * share * most * 2 * apart / periods, noise = (1 - share) * most * root;
                    s->cycle.slow_ns = slots ? day_ns : 0;
                    s->head->count = count;
                    for (int over = 0; over < 2; over++) {
                        const double by = over ? 1.001 : 0.999;
                        evidence e = {energy, work, heat_s, 0, 0, 0, 0, 0, 0};
                        double *const trends[] = {&e.energy_trend, &e.work_trend, &e.heat_trend, &e.heat_trend};
                        double *const noises[] = {&e.energy_noise, &e.work_noise, &e.heat_noise, &e.heat_noise};
                        *trends[headline] = by * trend;
                        *noises[headline] = by * noise;
                        put(run, &e, apart);
                        if (wsk_stride_allowed(run, periods) != !over)
                            fail_msg("headline %d, case %d: a stride is %s", headline, k,
                                     over ? "allowed" : "refused");
                    }
                }
    wsk_test_drop(run, rig);
}

/* No mean temperature of a node with heat capacity may drift by more than 0.02 K in a stride. */
static void test_limit_by_drift(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig, "kind='constant'");
    wsk_stride *s = run->stride;
    put(run, &(evidence){.energy_j = 1}, 1.7);
    assert_same(wsk_limit_by_heat(run, 1e6), 1e6);
    for (int i = 0; i < run->net->n_node; i++) {
        const double drift_k = (i % 2 ? -1 : 1) * (1e-4 + 1e-5 * i); /* each period */
        s->trend[s->nodes + i] = drift_k * 1.7 * 3600;
        const double found = wsk_limit_by_heat(run, 1e6);
        if (run->cap[i] > 0)
            assert_rel(found, 0.02 / fabs(drift_k), 1e-9);
        else
            assert_same(found, 1e6);
        assert_same(wsk_limit_by_heat(run, 3), 3);
        s->trend[s->nodes + i] = 0;
    }
    /* the largest difference of a mean temperature from the reference, for the check of a cycle */
    memset(s->wanted, 0, (size_t)s->n * sizeof *s->wanted);
    s->fresh[s->nodes] = 3600 * 0.03;
    s->fresh[s->n - 1] = -3600 * 0.04;
    assert_rel(wsk_apart_k(run), 0.04, 1e-12);
    s->fresh[s->nodes] = 3600 * 0.05;
    assert_rel(wsk_apart_k(run), 0.05, 1e-12);
    wsk_test_drop(run, rig);
}

/* The stated errors of a stride: the estimate and 5e-6 for each cycle skipped, those of cost and carbon as that of
 * energy; after a later cycle that differs by more, half the difference for each cycle skipped. */
static void test_stated_errors(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig, "kind='constant'");
    wsk_stride *s = run->stride;
    wsk_stride_head *h = s->head;
    const double energy = 3.6e6, work = 3000, heat = 900, cycles = 24, periods = 8;
    wsk_test_advance(run, 3600); /* the bill begins */
    const wsk_account now = wsk_bill_account(run);
    /* as if the skipped energy, which is half a day's, had cost 7 and emitted 3 kg */
    wsk_account before = now;
    before.cost -= 7;
    before.carbon_kg -= 3;
    s->cycle.slow_ns = 0;
    h->count = 4;
    put(run, &(evidence){energy, work, heat, 40, -0.3, 0.5, 20, 0.1, 2}, 2);
    memset(s->sum, 0, (size_t)s->n * sizeof *s->sum);
    memset(s->drift_k, 0, (size_t)run->net->n_node * sizeof *s->drift_k);
    s->sum[wsk_test_account_at(run, &run->books->ledger.wall)] = 12 * energy;
    s->drift_k[1] = -0.008;
    s->drift_k[run->net->n_node - 1] = 0.006;
    h->noise_k = 0.015;
    const double of_energy = 0.5 * periods * 40 / 2 + 20 / 2.0 + 5e-6 * energy,
                 of_work = 0.5 * periods * 0.3 / 2 + 0.1 / 2 + 5e-6 * work, of_heat = 0.5 * periods * 0.5 / 2 + 1;
    for (int turn = 1; turn <= 2; turn++) { /* errors of two such strides add up */
        wsk_expect_errors(run, (int64_t)cycles, periods, &before);
        assert_rel(h->error[WSK_OF_ENERGY], turn * cycles * of_energy, 1e-12);
        assert_rel(h->error[WSK_OF_WORK], turn * cycles * of_work, 1e-12);
        assert_rel(h->error[WSK_OF_HEAT], turn * cycles * of_heat, 1e-12);
        assert_rel(h->error_cost, turn * cycles * of_energy * 7 / (12 * energy), 1e-9);
        assert_rel(h->error_carbon_kg, turn * cycles * of_energy * 3 / (12 * energy), 1e-9);
        assert_rel(h->error_peak_rel, of_energy / energy, 1e-12);
        assert_rel(h->error_k, 0.5 * 0.008 + 0.015, 1e-12);
    }
    /* a cycle after the stride that differs by less changes nothing, one that differs by more does */
    h->pending = (int64_t)cycles;
    h->reach = 8;
    h->agreeing = 0;
    memset(s->wanted, 0, (size_t)s->n * sizeof *s->wanted);
    wsk_settle_stride(run, (double[]){of_energy, -of_work, 0}, true);
    assert_rel(h->error[WSK_OF_ENERGY], 2 * cycles * of_energy, 1e-12);
    assert_rel(h->error[WSK_OF_WORK], 2 * cycles * of_work, 1e-12);
    assert_rel(h->error_k, 0.5 * 0.008 + 0.015, 1e-12);
    s->fresh[s->nodes + 2] = 3600 * 0.07;
    for (int again = 0; again < 2; again++) { /* counted once, however often it is found */
        wsk_settle_stride(run, (double[]){-6 * of_energy, 4 * of_work, 10 * of_heat}, true);
        assert_rel(h->error[WSK_OF_ENERGY], (1 + 3) * cycles * of_energy, 1e-12);
        assert_rel(h->error[WSK_OF_WORK], (1 + 2) * cycles * of_work, 1e-12);
        assert_rel(h->error[WSK_OF_HEAT], (1 + 5) * cycles * of_heat, 1e-12);
        assert_rel(h->error_cost, (1 + 3) * cycles * of_energy * 7 / (12 * energy), 1e-9);
        assert_rel(h->error_carbon_kg, (1 + 3) * cycles * of_energy * 3 / (12 * energy), 1e-9);
        assert_rel(h->error_k, 0.07, 1e-12);
    }
    wsk_test_drop(run, rig);
}

/* After two cycles that agree the next stride may be four times as long, up to about a million periods; after one
 * that does not agree, eight periods. */
static void test_reach(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig, "kind='constant'");
    wsk_stride *s = run->stride;
    wsk_stride_head *h = s->head;
    const double none[WSK_HEADLINES] = {0};
    memset(s->wanted, 0, (size_t)s->n * sizeof *s->wanted);
    memset(s->fresh, 0, (size_t)s->n * sizeof *s->fresh);
    int64_t reach = h->reach;
    assert_int_equal(reach, 8);
    for (int k = 0; k < 12; k++) {
        for (int cycle = 0; cycle < 2; cycle++) {
            h->pending = 5;
            h->agreeing = cycle;
            wsk_settle_stride(run, none, true);
            assert_int_equal(h->pending, cycle < 1 ? 5 : 0);
            assert_int_equal(h->reach, cycle < 1 ? reach : reach < 1 << 20 ? 4 * reach : reach);
        }
        reach = h->reach;
    }
    assert_true(reach >= 1 << 20 && reach < 4 << 20);
    h->pending = 5;
    h->agreeing = 0;
    wsk_settle_stride(run, none, false);
    assert_int_equal(h->reach, 8);
    assert_int_equal(h->pending, 0);
    wsk_test_drop(run, rig);
}

/* Under weather every compared cycle is a sample. The estimated error of a skipped cycle is the samples' mean
 * difference and its standard error; a sample's weight falls by 0.002 with each later one, and a difference counts as
 * at most 2e-3 of energy and work, and a tenth of the time. Strides are allowed while that is within 6e-5 of energy and
 * work, and 0.4 % of time limited by heat. */
static void test_samples(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig, "kind='constant'");
    wsk_stride *s = run->stride;
    wsk_stride_head *h = s->head;
    enum { SAMPLES = 60 };
    double differ[SAMPLES][WSK_HEADLINES], of[SAMPLES][WSK_HEADLINES], apart_k[SAMPLES];
    int allowed[WSK_HEADLINES] = {0};
    s->cycle.weather = true;
    memset(h->checks, 0, sizeof h->checks);
    h->apart_k = 0;
    memset(s->wanted, 0, (size_t)s->n * sizeof *s->wanted);
    for (int k = 0; k < WSK_HEADLINES; k++)
        assert_false(wsk_checks_allow(h, k) && h->checks[k].of > 0);
    for (int n = 0; n < SAMPLES; n++) {
        const evidence e = {.energy_j = 3e6 + 1e4 * n, .work = 3000 + n, .heat_s = n % 4 ? 500 + 5 * n : 0};
        const double scale = n % 7 == 3 ? 9 : 3e-3;
        put(run, &e, 1);
        apart_k[n] = 0.01 + 0.001 * n;
        s->fresh[s->nodes + 1] = 3600 * apart_k[n];
        of[n][0] = e.energy_j;
        of[n][1] = e.work;
        of[n][2] = e.heat_s;
        for (int k = 0; k < WSK_HEADLINES; k++) {
            const double size = of[n][k] * 5e-3 * (1 + 0.2 * k);
            differ[n][k] = scale * size * sin(3 * n + k);
        }
        wsk_count_check(run, differ[n]);
        for (int k = 0; k < WSK_HEADLINES; k++) {
            double w = 0, bias = 0, spread = 0, amount = 0, all_k = 0, count = 0;
            for (int i = 0; i <= n; i++) {
                if (k == WSK_OF_HEAT && !(of[i][k] > 0) && differ[i][k] == 0)
                    continue;
                const double most = k == WSK_OF_HEAT ? 360 : 2e-3 * of[i][k],
                             d = fmin(fmax(differ[i][k], -most), most);
                int later = 0; /* samples after it */
                for (int j = i + 1; j <= n; j++)
                    later += k != WSK_OF_HEAT || of[j][k] > 0 || differ[j][k] != 0;
                const double weight = pow(0.998, later);
                w += weight;
                bias += weight * d;
                spread += weight * d * d;
                amount += weight * of[i][k];
                count++;
            }
            for (int i = 0; i <= n; i++)
                all_k += pow(0.998, n - i) * apart_k[i];
            if (count == 0)
                continue;
            const double most = k == WSK_OF_HEAT ? 4e-3 : 6e-5, error = (fabs(bias) + sqrt(spread)) / w;
            assert_rel(h->checks[k].n, w, 1e-12);
            assert_rel(h->apart_k, all_k, 1e-12);
            if (fabs(error / (most * amount / w) - 1) < 1e-6)
                continue;
            assert_int_equal(wsk_checks_allow(h, k), error <= most * amount / w);
            allowed[k] += error <= most * amount / w;
            /* what is stated of a stride of ten cycles: this error, and 5e-6 of energy and work that no comparison
             * shows; of heat only if the skipped cycles have such time */
            memset(h->error, 0, sizeof h->error);
            h->error_k = h->error_peak_rel = 0;
            memset(s->sum, 0, (size_t)s->n * sizeof *s->sum);
            s->sum[wsk_test_account_at(run, &run->cards[0].throttle_ns[1])] = n % 2 ? 1e12 : 0;
            const wsk_account before = wsk_bill_account(run);
            wsk_expect_errors(run, 10, 10, &before);
            const double unseen = k == WSK_OF_HEAT ? 0 : 5e-6 * of[n][k];
            assert_rel(h->error[k], k == WSK_OF_HEAT && n % 2 == 0 ? 0 : 10 * (error + unseen), 1e-9);
            assert_rel(h->error_k, 0.01 + all_k / h->checks[0].n, 1e-9);
        }
    }
    for (int k = 0; k < WSK_HEADLINES; k++)
        assert_true(allowed[k] > 0 && allowed[k] < SAMPLES);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_headlines),     cmocka_unit_test(test_list_of_accounts),
                                       cmocka_unit_test(test_allowed),       cmocka_unit_test(test_limit_by_drift),
                                       cmocka_unit_test(test_stated_errors), cmocka_unit_test(test_reach),
                                       cmocka_unit_test(test_samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
