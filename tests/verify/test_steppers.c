/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fast stepper against the reference stepper. Temperatures are compared in replay: the fast run's power and fan
 * speeds are set in the reference run at every step, because otherwise a controller sooner or later makes a different
 * decision for a difference of 0.01 K. Means are compared with controllers active in both runs. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "sim/books/books.h"
#include "tests/support/bench.h"
#include "sim/books/observe.h"

static const double trajectory_k = 0.05, statistic_k = 0.1, energy_rel = 1e-4;

typedef struct {
    double worst_k, at_s;
    const char *node;
} gap;

/* Prepares `to` for the step that `from` has just taken: fixes the power of its cards and the speed of its fans and
 * pumps at those of `from`. A fan or pump marked as failed is not controlled, so it keeps that speed. cpu_share[]: for
 * each case, the share of its power that the processor used before the step (less than 1 if heat throttles it). `to`
 * starts from this share and makes its own decision about throttling; a shutdown of the processor is copied from
 * `from`. */
static void set_pins(wsk_run *to, const wsk_run *from, const double *cpu_share)
{
    const wsk_net *net = to->net;
    for (int i = 0; i < net->n_card; i++) {
        to->cards[i].pin_power_w = from->cards[i].power_w;
        to->cards[i].pin_rpm = net->cards[i].mover < 0 ? (double)NAN : from->rpm[net->cards[i].mover];
    }
    for (int i = 0; i < net->n_mover; i++) {
        to->movers[i].failed = 1;
        to->rpm[i] = from->rpm[i];
    }
    for (int i = 0; i < net->n_case; i++) {
        to->cases[i].cpu_share = cpu_share[i];
        to->cases[i].cpu_off = from->cases[i].cpu_off;
    }
}

static void compare(const wsk_run *a, const wsk_run *b, gap *g)
{
    for (int i = 0; i < a->net->n_node; i++) {
        double d = fabs(a->t[i] - b->t[i]);
        if (!(d <= g->worst_k))
            *g = (gap){d, wsk_run_time(a), a->net->nodes[i].name};
    }
}

/* Makes abrupt load changes that no workload has: with a probability of 1/400 per step, a card is pinned to a random
 * power or released. */
static void jolt(wsk_run *run, uint64_t seed, uint64_t step)
{
    uint64_t n = (uint64_t)run->net->n_card;
    if (n == 0 || wsk_random(seed, 11, step) > 1.0 / 400)
        return;
    uint64_t card = (uint64_t)(wsk_random(seed, 12, step) * (double)n);
    const wsk_card *c = &run->net->cards[card];
    double u = wsk_random(seed, 13, step);
    if (isnan(c->gpu->pin_power_w))
        run->cards[card].pin_power_w = u < 0.4 ? (double)NAN : u * c->limit_w;
}

/* Returns the largest temperature difference. seed 0: no random load changes. */
static gap replay(const wsk_rig *rig, double span_s, uint64_t seed)
{
    gap g = {0};
    wsk_run *fast = wsk_test_run(rig, WSK_STEPPER_FAST, span_s),
            *reference = wsk_test_run(rig, WSK_STEPPER_REFERENCE, span_s);
    for (uint64_t step = 0; wsk_run_time(fast) < span_s; step++) {
        if (seed)
            jolt(fast, seed, step);
        double share[8];
        assert_true(fast->net->n_case <= 8);
        for (int i = 0; i < fast->net->n_case; i++)
            share[i] = fast->cases[i].cpu_share;
        if (!wsk_test_try(fast, wsk_run_time(fast) + 1e-6))
            break;
        set_pins(reference, fast, share);
        wsk_test_advance(reference, wsk_run_time(fast));
        assert_true(reference->head->t_ns == fast->head->t_ns);
        compare(fast, reference, &g);
    }
    wsk_run_free(fast);
    wsk_run_free(reference);
    return g;
}

static void test_replay_on_random_rigs(void **state)
{
    (void)state;
    gap worst = {0};
    uint64_t at = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(200, 10); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed});
        gap g = replay(rig, 1200, seed);
        if (!(g.worst_k <= trajectory_k))
            fail_msg("seed %llu: %s differs by %.4f K at %.3f s", (unsigned long long)seed, g.node, g.worst_k,
                     g.at_s);
        if (g.worst_k > worst.worst_k) {
            worst = g;
            at = seed;
        }
        wsk_rig_free(rig);
    }
    print_message("random rigs: largest difference %.1e K (seed %llu)\n", worst.worst_k, (unsigned long long)at);
}

static void test_statistics_on_random_rigs(void **state)
{
    (void)state;
    double worst = 0, energy = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(150, 10); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed});
        wsk_run *run[2];
        bool whole = true;
        for (int k = 0; k < 2; k++) {
            run[k] = wsk_test_run(rig, (wsk_stepper)k, 3600);
            whole = wsk_test_try(run[k], 3600) && whole;
        }
        for (int i = 0; whole && i < run[0]->variables->n; i++) {
            const char *name = run[0]->variables->all[i].name;
            double d = fabs(wsk_mean_at(run[0], i) - wsk_mean_at(run[1], i));
            if (strcmp(run[0]->variables->all[i].row->unit, "degC") != 0)
                continue;
            worst = fmax(worst, d);
            if (!(d <= statistic_k))
                fail_msg("seed %llu: the means of %s differ by %.4f K", (unsigned long long)seed, name, d);
        }
        /* tolerance: a shutdown one tick earlier or later changes the energy by the rig's power over that tick */
        double a = wsk_test_get(run[0], "energy_kwh"), b = wsk_test_get(run[1], "energy_kwh"),
               tick = (double)run[0]->head->shutdowns * run[0]->books->wall_peak_w / 3.6e6;
        energy = whole && a > 0 ? fmax(energy, fmax(fabs(a - b) - tick, 0) / a) : energy;
        for (int k = 0; k < 2; k++)
            wsk_run_free(run[k]);
        wsk_rig_free(rig);
    }
    print_message("random rigs: statistics within %.1e K, energy within %.1e\n", worst, energy);
    assert_true(energy <= energy_rel);
}

static void test_replay_of_the_same_stepper_is_exact(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed, .least_cards = 1});
        wsk_run *a = wsk_test_run(rig, WSK_STEPPER_FAST, 600), *b = wsk_test_run(rig, WSK_STEPPER_FAST, 600);
        char name[64];
        while (wsk_run_time(a) < 600) {
            wsk_test_advance(a, wsk_run_time(a) + 1e-6);
            for (int i = 0; i < a->net->n_card; i++) {
                static const char *const what[] = {"power_w", "fan_rpm"};
                for (int k = 0; k < 2; k++) {
                    snprintf(name, sizeof name, "%s.%s", a->net->cards[i].id, what[k]);
                    assert_int_equal(wsk_run_set(b, name, wsk_test_get(a, name)), WSK_OK);
                }
            }
            wsk_test_advance(b, wsk_run_time(a));
            assert_memory_equal(a->t, b->t, (size_t)a->net->n_node * sizeof *a->t);
        }
        wsk_run_free(a);
        wsk_run_free(b);
        wsk_rig_free(rig);
    }
}

typedef void scenario_fn(const char *path);

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The caller frees each name and the list. */
static size_t list(const char *folder, const char *ending, char ***out)
{
    size_t n = 0, room = 64;
    DIR *dir = opendir(folder);
    *out = calloc(room, sizeof **out);
    assert_non_null(*out);
    for (struct dirent *e; dir && n < room && (e = readdir(dir)) != NULL;) {
        size_t len = strlen(e->d_name), tail = strlen(ending);
        if (e->d_name[0] == '.' || len < tail || strcmp(e->d_name + len - tail, ending) != 0)
            continue;
        (*out)[n] = malloc(len + strlen(folder) + 2);
        assert_non_null((*out)[n]);
        snprintf((*out)[n++], len + strlen(folder) + 2, "%s/%s", folder, e->d_name);
    }
    if (dir)
        closedir(dir);
    qsort(*out, n, sizeof **out, by_name);
    return n;
}

static void each_scenario(scenario_fn *fn)
{
    char **folders, **files;
    size_t n = list("scenarios", "", &folders), count = 0;
    for (size_t i = 0; i < n; i++) {
        size_t m = list(folders[i], ".xml", &files);
        for (size_t k = 0; k < m; k++) {
            if (!strstr(files[k], "resolved")) {
                fn(files[k]);
                count++;
            }
            free(files[k]);
        }
        free(files);
        free(folders[i]);
    }
    free(folders);
    if (count == 0)
        skip();
}

/* Six hours, because the start is where the steppers differ most. compare_days has the rest of the day. */
static void replay_scenario(const char *path)
{
    wsk_rig *rig = wsk_test_rig_file(path);
    gap g = replay(rig, wsk_test_cases(6, 1) * 3600.0, 0);
    print_message("%s: largest difference %.1e K (%s)\n", path, g.worst_k, g.node ? g.node : "none");
    if (!(g.worst_k <= trajectory_k))
        fail_msg("%s: %s differs by %.4f K at %.3f s", path, g.node, g.worst_k, g.at_s);
    wsk_rig_free(rig);
}

static void test_replay_on_scenarios(void **state)
{
    (void)state;
    each_scenario(replay_scenario);
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* p99: 99th percentile of each card's die temperature, K. `samples`: space for one value per second and card. */
static void run_day(wsk_run *run, double span_s, float *samples, double *p99)
{
    int n = run->net->n_card;
    size_t count = (size_t)span_s;
    for (size_t k = 0; k < count; k++) {
        wsk_test_advance(run, (double)(k + 1));
        for (int i = 0; i < n; i++)
            samples[(size_t)i * count + k] = (float)run->cards[i].die_k;
    }
    for (int i = 0; i < n; i++) {
        qsort(samples + (size_t)i * count, count, sizeof *samples, by_value);
        p99[i] = (double)samples[(size_t)i * count + count * 99 / 100];
    }
}

static void compare_days(const char *path)
{
    wsk_rig *rig = wsk_test_rig_file(path);
    double span_s = wsk_test_cases(24, 1) * 3600.0, p99[2][64] = {{0}};
    wsk_run *run[2];
    for (int k = 0; k < 2; k++) {
        run[k] = wsk_test_run(rig, (wsk_stepper)k, span_s);
        float *samples = malloc((size_t)(span_s * (run[k]->net->n_card + 1)) * sizeof *samples);
        assert_non_null(samples);
        assert_true(run[k]->net->n_card <= 64);
        run_day(run[k], span_s, samples, p99[k]);
        free(samples);
    }
    double worst = 0;
    for (int i = 0; i < run[0]->variables->n; i++) {
        const char *name = run[0]->variables->all[i].name;
        double d = fabs(wsk_mean_at(run[0], i) - wsk_mean_at(run[1], i));
        if (strcmp(run[0]->variables->all[i].row->unit, "degC") != 0)
            continue;
        worst = fmax(worst, d);
        if (!(d <= statistic_k))
            fail_msg("%s: the means of %s differ by %.4f K", path, name, d);
    }
    for (int i = 0; i < run[0]->net->n_card; i++) {
        double d = fabs(p99[0][i] - p99[1][i]);
        worst = fmax(worst, d);
        if (!(d <= statistic_k))
            fail_msg("%s: the 99th percentiles of %s differ by %.4f K", path, run[0]->net->cards[i].id, d);
    }
    double a = wsk_test_get(run[0], "energy_kwh"), b = wsk_test_get(run[1], "energy_kwh");
    print_message("%s: statistics within %.1e K, energy within %.1e\n", path, worst, a > 0 ? fabs(a - b) / a : 0);
    assert_true(fabs(a - b) <= energy_rel * a);
    wsk_run_free(run[0]);
    wsk_run_free(run[1]);
    wsk_rig_free(rig);
}

static void test_statistics_on_scenarios(void **state)
{
    (void)state;
    each_scenario(compare_days);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replay_of_the_same_stepper_is_exact),
        cmocka_unit_test(test_replay_on_random_rigs),
        cmocka_unit_test(test_statistics_on_random_rigs),
        cmocka_unit_test(test_replay_on_scenarios),
        cmocka_unit_test(test_statistics_on_scenarios),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
