/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for the best settings against all cases of the same question, solved one by one. With WATTSINK_SOAK six
 * questions of 20,000 cases and more; else one of 1,000. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/bench.h"

enum { AXES = 3, LIMITS = 2 };
typedef struct {
    const char *path, *unit;
    double low, high, step;
} axis;
typedef struct {
    wsk_result result;
    wsk_over over;
    double limit;
    bool above;
} bound;
typedef struct {
    const char *name, *rig;
    axis axes[AXES];
    bound goal; /* above: more is better */
    bound limits[LIMITS];
} question;

static const question all[] = {
    {"price of work, one card, its limit and the case fans",
     "scenarios/single-3090/rig.xml",
     {{"gpu.power-limit", "W", 150, 350, 5},
      {"fan[0].speed", "rpm", 500, 2000, 65},
      {"fan[1].speed", "rpm", 500, 2000, 65}},
     {WSK_R_COST_PER_WORK, WSK_OVER_NONE, 0, false},
     {{WSK_R_GPU_WORK, WSK_OVER_MEAN, 0.8, true}, {WSK_R_NOISE, WSK_OVER_NONE, 62, false}}},
    {"work of four blowers under a circuit",
     "scenarios/quad-3090-blower/rig.xml",
     {{"gpu[*].power-limit", "W", 150, 350, 5},
      {"fan[0].speed", "rpm", 500, 2000, 75},
      {"room.conductance", "W/K", 40, 160, 5}},
     {WSK_R_GPU_WORK, WSK_OVER_SUM, 0, true},
     {{WSK_R_WALL_PEAK_W, WSK_OVER_NONE, 1400, false}, {WSK_R_GPU_DIE_MAX, WSK_OVER_MAX, 88, false}}},
    {"noise of one card",
     "scenarios/single-3090/rig.xml",
     {{"gpu.power-limit", "W", 150, 350, 5}, {"fan[0].speed", "rpm", 500, 2000, 75}, {"gpu.fan", "%", 30, 100, 2.5}},
     {WSK_R_NOISE, WSK_OVER_NONE, 0, false},
     {{WSK_R_GPU_WORK, WSK_OVER_MEAN, 0.85, true}, {WSK_R_GPU_DIE_MAX, WSK_OVER_MAX, 84, false}}},
    {"power of a card on an all-in-one",
     "scenarios/aio-4090/rig.xml",
     {{"gpu.power-limit", "W", 200, 450, 5},
      {"fan[0].duty", "%", 20, 100, 4},
      {"room.temperature", "degC", 16, 32, 0.8}},
     {WSK_R_WALL_PEAK_W, WSK_OVER_NONE, 0, false},
     {{WSK_R_GPU_WORK, WSK_OVER_MEAN, 0.9, true}, {WSK_R_GPU_DIE_MAX, WSK_OVER_MAX, 75, false}}},
    {"price of work of two cards that differ in their limits",
     "scenarios/pair-1080/blower.xml",
     {{"gpu[0].power-limit", "W", 110, 200, 3},
      {"gpu[1].power-limit", "W", 110, 200, 3},
      {"fan[0].speed", "rpm", 500, 1500, 50}},
     {WSK_R_WALL_PEAK_W, WSK_OVER_NONE, 0, false},
     {{WSK_R_GPU_WORK, WSK_OVER_SUM, 1.6, true}, {WSK_R_GPU_DIE_MAX, WSK_OVER_MAX, 80, false}}},
    {"work of four open-air cards that choke",
     "scenarios/quad-2080-openair/rig.xml",
     {{"gpu[*].power-limit", "W", 125, 225, 2.5},
      {"fan[0].speed", "rpm", 500, 2000, 75},
      {"room.temperature", "degC", 16, 32, 0.64}},
     {WSK_R_GPU_WORK, WSK_OVER_SUM, 0, true},
     {{WSK_R_GPU_DIE_MAX, WSK_OVER_MAX, 88, false}, {WSK_R_NOISE, WSK_OVER_NONE, 75, false}}}};

/* ---- the question as the library takes it ---- */

static double read_value(const wsk_summary *s, const bound *b)
{
    return b->over == WSK_OVER_NONE ? wsk_summary_number(s, b->result, 0) : wsk_summary_over(s, b->result, b->over);
}

static void measure(void *ctx, const wsk_summary *s, double *out)
{
    const question *q = ctx;
    out[0] = (q->goal.above ? -1 : 1) * read_value(s, &q->goal);
    for (int i = 0; i < LIMITS; i++)
        out[1 + i] = (q->limits[i].above ? 1 : -1) * (read_value(s, &q->limits[i]) - q->limits[i].limit);
}

typedef struct {
    wsk_setting settings[AXES];
    char **texts[AXES];
    size_t cases;
} levels;

static void lay_out(const question *q, double coarser, levels *l)
{
    l->cases = 1;
    for (int a = 0; a < AXES; a++) {
        const axis *x = &q->axes[a];
        const size_t n = (size_t)floor((x->high - x->low) / (x->step * coarser) + 1.000001);
        l->texts[a] = calloc(n, sizeof *l->texts[a]);
        for (size_t i = 0; i < n; i++) {
            l->texts[a][i] = malloc(40);
            snprintf(l->texts[a][i], 40, "%.6g %s", x->low + (double)i * x->step * coarser, x->unit);
        }
        l->settings[a] =
            (wsk_setting){.path = x->path, .values = (const char *const *)l->texts[a], .count = n, .ordered = true};
        l->cases *= n;
    }
}

static void drop(levels *l)
{
    for (int a = 0; a < AXES; a++) {
        for (size_t i = 0; i < l->settings[a].count; i++)
            free(l->texts[a][i]);
        free(l->texts[a]);
    }
}

/* ---- all cases ---- */

static bool solve(const question *q, const wsk_rig *base, const levels *l, size_t i, double *v)
{
    char sets[AXES][80];
    const char *list[AXES];
    for (int a = 0; a < AXES; a++) {
        snprintf(sets[a], sizeof sets[a], "%s=%s", l->settings[a].path,
                 l->settings[a].values[i % l->settings[a].count]);
        i /= l->settings[a].count;
        list[a] = sets[a];
    }
    wsk_rig *rig = NULL;
    wsk_summary *s = NULL;
    const wsk_rig_options options = {
        .path = q->rig, .parts_dir = "parts", .sets = list, .set_count = AXES, .files_of = base};
    const bool ok = wsk_rig_load(&rig, &options) == WSK_OK &&
                    wsk_steady_point(&s, rig, WSK_STEPPER_FAST, WSK_POINT_ALONE, NULL, NULL) == WSK_OK;
    if (ok)
        measure((void *)(uintptr_t)q, s, v);
    wsk_summary_free(s);
    wsk_rig_free(rig);
    return ok;
}

/* The least goal of the cases that keep the distances `need` from the limits. */
static double enumerate(const question *q, const wsk_rig *base, const levels *l, const double *need)
{
    double least = INFINITY;
    for (size_t i = 0; i < l->cases; i++) {
        double v[1 + LIMITS];
        if (solve(q, base, l, i, v) && v[1] >= need[0] && v[2] >= need[1] && v[0] < least)
            least = v[0];
    }
    return least;
}

static void check(const question *q, double coarser)
{
    wsk_rig *base = wsk_test_rig_file(q->rig);
    levels l;
    lay_out(q, coarser, &l);
    const wsk_optimise_options o = {.settings = l.settings,
                                    .setting_count = AXES,
                                    .goals = 1,
                                    .limits = LIMITS,
                                    .calls = {.ctx = (void *)(uintptr_t)q, .measure = measure}};
    wsk_optimum *answer = NULL;
    const double began = wsk_clock();
    assert_int_equal(wsk_rig_optimise(&answer, base, &o), WSK_OK);
    const double took = wsk_clock() - began;
    if (!answer->found)
        fail_msg("%s: no case was found", q->name);
    const wsk_optimised *best = &answer->best;
    double need[LIMITS];
    for (int i = 0; i < LIMITS; i++) {
        /* 0.8416: 80 % of a normal distribution are below */
        need[i] = 0.8416 * best->sd[1 + i] - (best->run[1 + i] - best->point[1 + i]);
        assert_true(best->run[1 + i] >= 0.8416 * best->sd[1 + i] - 1e-3);
    }
    const double least = enumerate(q, base, &l, need), band = fmax(answer->band, 1e-3 * fabs(least));
    printf(
        "%s: %zu cases, best %.5g, found %.5g after %zu (%.2f %%), band %.2g, %zu runs, %zu uncertainties, %.1f s\n",
        q->name, l.cases, least, best->point[0], answer->tried, 100. * (double)answer->tried / (double)l.cases, band,
        answer->runs, answer->spreads, took);
    assert_true(best->point[0] <= least + band);
    assert_true(answer->simplest.point[0] <= least + 2 * band);
    if (l.cases >= 20000)
        assert_true(answer->tried <= l.cases / 50);
    wsk_optimum_free(answer);
    drop(&l);
    wsk_rig_free(base);
}

static void test_all_cases(void **state)
{
    (void)state;
    const bool soak = wsk_test_cases(1, 1) > 1;
    for (size_t i = 0; i < (soak ? sizeof all / sizeof *all : 1); i++)
        check(&all[i], soak ? 1 : 3);
}

/* ---- the same answer however it is computed ---- */

/* Computes the cases of a batch from the last to the first. */
static void backwards(void *ctx, size_t count, void (*one)(void *work, size_t i), void *work)
{
    (void)ctx;
    for (size_t i = count; i-- > 0;)
        one(work, i);
}

static void test_order(void **state)
{
    (void)state;
    const question *q = &all[0];
    wsk_rig *base = wsk_test_rig_file(q->rig);
    levels l;
    wsk_optimum *a, *b;
    lay_out(q, 4, &l);
    wsk_optimise_options o = {.settings = l.settings,
                              .setting_count = AXES,
                              .goals = 1,
                              .limits = LIMITS,
                              .calls = {.ctx = (void *)(uintptr_t)q, .measure = measure}};
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_OK);
    o.calls.together = backwards;
    assert_int_equal(wsk_rig_optimise(&b, base, &o), WSK_OK);
    assert_int_equal(a->tried, b->tried);
    assert_memory_equal(a->best.levels, b->best.levels, AXES * sizeof(int));
    assert_memory_equal(a->best.run, b->best.run, (1 + LIMITS) * sizeof(double));
    assert_memory_equal(a->simplest.levels, b->simplest.levels, AXES * sizeof(int));
    wsk_optimum_free(a);
    wsk_optimum_free(b);
    drop(&l);
    wsk_rig_free(base);
}

/* ---- limits that conflict ---- */

/* At 350 W one card does about 0.95 of its work: 0.99 cannot be kept, and the least by which it must give is told. */
static void test_conflict(void **state)
{
    (void)state;
    question q = all[0];
    q.limits[0].limit = 1.2;
    q.limits[1].limit = 90;
    wsk_rig *base = wsk_test_rig_file(q.rig);
    levels l;
    wsk_optimum *a;
    lay_out(&q, 4, &l);
    const wsk_optimise_options o = {.settings = l.settings,
                                    .setting_count = AXES,
                                    .goals = 1,
                                    .limits = LIMITS,
                                    .calls = {.ctx = &q, .measure = measure}};
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_OK);
    assert_false(a->found);
    assert_true(a->conflicts[0].alone && a->conflicts[0].give > 0.15 && a->conflicts[0].give < 0.5);
    assert_false(a->conflicts[1].alone);
    wsk_optimum_free(a);
    drop(&l);
    wsk_rig_free(base);
}

/* ---- hostile questions ---- */

static void test_hostile(void **state)
{
    (void)state;
    wsk_rig *base = wsk_test_rig_file(all[0].rig);
    const char *const values[] = {"200 W", "300 W"}, *const bad[] = {"900 kW", "x"};
    wsk_setting setting = {.path = "gpu.power-limit", .values = values, .count = 2, .ordered = true};
    wsk_optimise_options o = {.settings = &setting,
                              .setting_count = 1,
                              .goals = 1,
                              .limits = LIMITS,
                              .calls = {.ctx = (void *)(uintptr_t)&all[0], .measure = measure}};
    wsk_optimum *a;
    o.goals = 0;
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_EUSAGE);
    o.goals = WSK_OPTIMISE_GOALS + 1;
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_EUSAGE);
    o.goals = 1;
    o.probability = 1;
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_EUSAGE);
    o.probability = 0;
    setting.count = 0;
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_EUSAGE);
    setting.count = 2;
    setting.values = bad;
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_EINPUT);
    assert_null(a);
    wsk_rig_free(base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hostile), cmocka_unit_test(test_conflict),
                                       cmocka_unit_test(test_order), cmocka_unit_test(test_all_cases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
