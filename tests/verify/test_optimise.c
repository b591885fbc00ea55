/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the search for the best settings with all cases of the same question, solved one by one: with
 * WATTSINK_SOAK six questions of at least 20,000 cases, else one question of 1,000 cases. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/bench.h"
#include "tests/support/question.h"

enum { AXES = WSK_QUESTION_AXES, LIMITS = WSK_QUESTION_LIMITS };

/* The least goal among the cases that are within each limit by at least need[i]. */
static double enumerate(const wsk_question *q, const wsk_rig *base, const wsk_question_levels *l, const double *need)
{
    double least = INFINITY;
    for (size_t i = 0; i < l->cases; i++) {
        double v[1 + LIMITS];
        int at[AXES];
        size_t rest = i;
        for (int a = 0; a < AXES; rest /= l->settings[a++].count)
            at[a] = (int)(rest % l->settings[a].count);
        if (wsk_question_solve(q, base, l, at, v) && v[1] >= need[0] && v[2] >= need[1] && v[0] < least)
            least = v[0];
    }
    return least;
}

static void check(const wsk_question *q, double coarser)
{
    wsk_rig *base = wsk_test_rig_file(q->rig);
    wsk_question_levels l;
    wsk_question_lay_out(q, coarser, &l);
    const wsk_optimise_options o = wsk_question_options(q, &l);
    wsk_optimum *answer = NULL;
    const double began = wsk_clock();
    assert_int_equal(wsk_rig_optimise(&answer, base, &o), WSK_OK);
    const double took = wsk_clock() - began;
    if (!answer->found)
        fail_msg("%s: no case was found", q->name);
    const wsk_optimised *best = &answer->best;
    double need[LIMITS];
    for (int i = 0; i < LIMITS; i++) {
        /* 0.8416: 80 % of a normal distribution are below mean + 0.8416 sd */
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
    wsk_question_drop(&l);
    wsk_rig_free(base);
}

static void test_all_cases(void **state)
{
    (void)state;
    const bool soak = wsk_test_cases(1, 1) > 1;
    for (size_t i = 0; i < (soak ? WSK_QUESTIONS_COUNTED : 1); i++)
        check(&wsk_questions[i], soak ? 1 : 3);
}

static void backwards(void *ctx, size_t count, void (*one)(void *work, size_t i), void *work)
{
    (void)ctx;
    for (size_t i = count; i-- > 0;)
        one(work, i);
}

static void test_order(void **state)
{
    (void)state;
    const wsk_question *q = &wsk_questions[0];
    wsk_rig *base = wsk_test_rig_file(q->rig);
    wsk_question_levels l;
    wsk_optimum *a, *b;
    wsk_question_lay_out(q, 4, &l);
    wsk_optimise_options o = wsk_question_options(q, &l);
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_OK);
    o.calls.together = backwards;
    assert_int_equal(wsk_rig_optimise(&b, base, &o), WSK_OK);
    assert_int_equal(a->tried, b->tried);
    assert_memory_equal(a->best.levels, b->best.levels, AXES * sizeof(int));
    assert_memory_equal(a->best.run, b->best.run, (1 + LIMITS) * sizeof(double));
    assert_memory_equal(a->simplest.levels, b->simplest.levels, AXES * sizeof(int));
    wsk_optimum_free(a);
    wsk_optimum_free(b);
    wsk_question_drop(&l);
    wsk_rig_free(base);
}

/* No setting gives work of 1.2, so there is no answer, and the search states by how much that limit must give way. */
static void test_conflict(void **state)
{
    (void)state;
    wsk_question q = wsk_questions[0];
    q.limits[0].limit = 1.2;
    q.limits[1].limit = 90;
    wsk_rig *base = wsk_test_rig_file(q.rig);
    wsk_question_levels l;
    wsk_optimum *a;
    wsk_question_lay_out(&q, 4, &l);
    const wsk_optimise_options o = wsk_question_options(&q, &l);
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_OK);
    assert_false(a->found);
    assert_true(a->conflicts[0].alone && a->conflicts[0].give > 0.15 && a->conflicts[0].give < 0.5);
    assert_false(a->conflicts[1].alone);
    wsk_optimum_free(a);
    wsk_question_drop(&l);
    wsk_rig_free(base);
}

static void test_hostile(void **state)
{
    (void)state;
    wsk_rig *base = wsk_test_rig_file(wsk_questions[0].rig);
    const char *const values[] = {"200 W", "300 W"}, *const bad[] = {"900 kW", "x"};
    wsk_setting setting = {.path = "gpu.power-limit", .values = values, .count = 2, .ordered = true};
    wsk_optimise_options o = {
        .settings = &setting,
        .setting_count = 1,
        .goals = 1,
        .limits = LIMITS,
        .calls = {.ctx = (void *)(uintptr_t)&wsk_questions[0], .measure = wsk_question_measure}};
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
