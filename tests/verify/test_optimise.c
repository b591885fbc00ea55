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

/* Returns the least goal among all cases that keep each limit i by at least need[i]. */
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

/* Questions about the power limit of one card. work: less is more work; gone: work above this is unknown. */
typedef struct {
    size_t goals;
    double least_work, most_w, gone;
    int calls, end; /* the search ends at this call of goes_on; 0: it does not */
} task;

static void measure(void *ctx, const wsk_summary *summary, double *out)
{
    const task *t = ctx;
    const double work = wsk_summary_over(summary, WSK_R_GPU_WORK, WSK_OVER_SUM),
                 watts = wsk_summary_over(summary, WSK_R_GPU_POWER_MEAN, WSK_OVER_SUM);
    const double goals[] = {work > t->gone ? (double)NAN : -work, watts, 7};
    for (size_t g = 0; g < t->goals; g++)
        out[g] = goals[g];
    out[t->goals] = work - t->least_work;
    out[t->goals + 1] = t->most_w - watts;
}

static bool goes_on(void *ctx, const wsk_optimise_progress *progress)
{
    task *t = ctx;
    assert_true((progress->best == NULL) == (progress->levels == NULL));
    return ++t->calls != t->end;
}

enum { WATTS = 12, STEP_W = 20, LEAST_W = 140 };
static char watts_text[WATTS][16];
static const char *watts_of[WATTS];
static const wsk_setting limit_setting = {
    .path = "gpu.power-limit", .values = watts_of, .count = WATTS, .ordered = true};

static wsk_optimise_options ask(task *t, const wsk_setting *settings, size_t count)
{
    for (int i = 0; i < WATTS; i++) {
        snprintf(watts_text[i], sizeof watts_text[i], "%d W", LEAST_W + STEP_W * i);
        watts_of[i] = watts_text[i];
    }
    return (wsk_optimise_options){.settings = settings,
                                  .setting_count = count,
                                  .goals = t->goals,
                                  .limits = 2,
                                  .calls = {.ctx = t, .measure = measure, .goes_on = goes_on}};
}

static const char single[] = "scenarios/single-3090/rig.xml";

/* The card draws exactly its limit, so that a limit of watts holds up to the power limit of the same watts. */
static wsk_rig *exact_limits(void)
{
    static const char *const sets[] = {"gpu.limit-draw=100%"};
    wsk_rig *rig = NULL;
    const wsk_rig_options o = {.path = single, .parts_dir = "parts", .sets = sets, .set_count = 1};
    assert_int_equal(wsk_rig_load(&rig, &o), WSK_OK);
    return rig;
}

/* The most work within 260 W: the highest limit at which the card draws no more. */
static void test_one_setting(void **state)
{
    (void)state;
    wsk_rig *base = exact_limits();
    for (int ordered = 0; ordered < 2; ordered++) {
        task t = {.goals = 1, .most_w = 260, .gone = INFINITY};
        wsk_setting s = limit_setting;
        s.ordered = ordered != 0;
        wsk_optimise_options o = ask(&t, &s, 1);
        o.tighter[1] = 30;
        wsk_optimum *a;
        assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_OK);
        assert_true(a->found && !a->interrupted);
        assert_int_equal(LEAST_W + STEP_W * a->best.levels[0], 260);
        assert_true(a->best.run[2] >= -1e-6 && a->best.run[2] < STEP_W);
        assert_true(a->prices[1].binds && a->prices[1].known && a->prices[1].more > 0);
        assert_false(a->prices[0].binds);
        wsk_optimum_free(a);
    }
    wsk_rig_free(base);
}

/* A case with an unknown value is never the answer, however good its neighbours are. */
static void test_unknown_goals(void **state)
{
    (void)state;
    wsk_rig *base = exact_limits();
    task t = {.goals = 1, .most_w = 1000, .gone = 0.9};
    const wsk_optimise_options o = ask(&t, &limit_setting, 1);
    wsk_optimum *a;
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_OK);
    assert_true(a->found && -a->best.point[0] <= 0.9 && -a->best.point[0] > 0.7);
    wsk_optimum_free(a);
    t.gone = -1;
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_EINPUT);
    assert_null(a);
    wsk_rig_free(base);
}

/* Work and power are in conflict, so that each case is on the front; the third goal is the same everywhere. */
static void test_front(void **state)
{
    (void)state;
    wsk_rig *base = exact_limits();
    task t = {.goals = 3, .most_w = 1000, .gone = INFINITY};
    const wsk_optimise_options o = ask(&t, &limit_setting, 1);
    wsk_optimum *a;
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_OK);
    assert_true(a->found && a->front_count >= 5);
    for (size_t i = 1; i < a->front_count; i++) {
        assert_true(a->front[i].point[0] > a->front[i - 1].point[0]);
        assert_true(a->front[i].point[1] < a->front[i - 1].point[1]);
    }
    wsk_optimum_free(a);
    wsk_rig_free(base);
}

/* If all limits are certain, or there are none, cases of the front need no computed uncertainty to be on it. Limits far
 * away do not change the front. */
static void test_front_without_uncertain_limits(void **state)
{
    (void)state;
    static const size_t limits[] = {2, 2, 0};
    wsk_rig *base = exact_limits();
    wsk_optimum *a[3];
    for (int k = 0; k < 3; k++) {
        task t = {.goals = 2, .least_work = -1, .most_w = 1000, .gone = INFINITY};
        wsk_optimise_options o = ask(&t, &limit_setting, 1);
        o.limits = limits[k];
        o.certain[0] = o.certain[1] = k == 1;
        assert_int_equal(wsk_rig_optimise(&a[k], base, &o), WSK_OK);
        print_message("front of %zu, uncertainty of %zu cases\n", a[k]->front_count, a[k]->spreads);
    }
    for (int k = 1; k < 3; k++) {
        assert_int_equal(a[k]->front_count, a[0]->front_count);
        for (size_t i = 0; i < a[0]->front_count; i++)
            assert_int_equal(a[k]->front[i].levels[0], a[0]->front[i].levels[0]);
        assert_true(a[k]->spreads < a[0]->spreads && a[k]->spreads < a[k]->front_count);
    }
    assert_true(a[0]->spreads >= a[0]->front_count);
    for (int k = 0; k < 3; k++)
        wsk_optimum_free(a[k]);
    wsk_rig_free(base);
}

static void test_interrupted(void **state)
{
    (void)state;
    wsk_rig *base = exact_limits();
    task t = {.goals = 2, .most_w = 260, .gone = INFINITY};
    const wsk_optimise_options o = ask(&t, &limit_setting, 1);
    wsk_optimum *a;
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_OK);
    const int all = t.calls;
    const size_t tried = a->tried;
    assert_true(all > 1);
    wsk_optimum_free(a);
    for (int end = 1; end <= all; end += 1 + end / 2) {
        t.calls = 0;
        t.end = end;
        assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_OK);
        assert_true(a->interrupted && a->tried <= tried);
        assert_int_equal(t.calls, end); /* after an interrupt no further case is computed */
        if (a->found)
            assert_true(a->best.point[3] > -10);
        wsk_optimum_free(a);
    }
    wsk_rig_free(base);
}

/* Two limits that cannot be kept together, although each alone can: at least 0.9 of the work, and at most 150 W. */
static void test_two_limits_in_conflict(void **state)
{
    (void)state;
    wsk_rig *base = exact_limits();
    task t = {.goals = 1, .least_work = 0.9, .most_w = 150, .gone = INFINITY};
    const wsk_optimise_options o = ask(&t, &limit_setting, 1);
    wsk_optimum *a;
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_OK);
    assert_false(a->found);
    assert_true(a->conflicts[0].alone && a->conflicts[1].alone);
    assert_true(a->conflicts[0].give > 0.2 && a->conflicts[1].give > 50);
    wsk_optimum_free(a);
    t.least_work = 2; /* no case reaches it, whatever the other limit */
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_OK);
    assert_false(a->found);
    assert_true(a->conflicts[0].alone && !a->conflicts[1].alone);
    wsk_optimum_free(a);
    wsk_rig_free(base);
}

/* A space too large to list: limits in steps of 1 W, and a fan by its name. */
static void test_large_space(void **state)
{
    (void)state;
    enum { MANY = 400 };
    static char text[MANY][16];
    static const char *many[MANY], *const speeds[] = {"1500 rpm", "2000 rpm", "2500 rpm", "3000 rpm"},
                                          *const one[] = {"25 degC"};
    for (int i = 0; i < MANY; i++) {
        snprintf(text[i], sizeof text[i], "%d W", 101 + i / 2);
        many[i] = text[i];
    }
    const wsk_setting settings[] = {{.path = "gpu.power-limit", .values = many, .count = MANY, .ordered = true},
                                    {.path = "gpu.fan", .values = speeds, .count = 4},
                                    {.path = "room.temperature", .values = one, .count = 1, .ordered = true}};
    wsk_rig *base = exact_limits();
    task t = {.goals = 1, .most_w = 180, .gone = INFINITY};
    wsk_optimise_options o = ask(&t, settings, 3);
    o.most = 60;
    wsk_optimum *a;
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_OK);
    assert_true(a->found && a->tried < 200);
    assert_true(a->best.run[2] >= -1e-6 && a->best.run[2] < 15);
    wsk_optimum_free(a);
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
    setting.count = 100001;
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_EUSAGE);
    setting.count = 2;
    o.probability = -0.1;
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_EUSAGE);
    o.probability = 0;
    o.limits = WSK_OPTIMISE_LIMITS + 1;
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_EUSAGE);
    o.limits = LIMITS;
    o.setting_count = 0;
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_EUSAGE);
    o.setting_count = WSK_SETTINGS_MAX + 1;
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_EUSAGE);
    o.setting_count = 1;
    o.calls.measure = NULL;
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_EUSAGE);
    o.calls.measure = wsk_question_measure;
    setting.count = 2;
    setting.values = bad;
    assert_int_equal(wsk_rig_optimise(&a, base, &o), WSK_EINPUT);
    assert_null(a);
    wsk_rig_free(base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hostile),
                                       cmocka_unit_test(test_one_setting),
                                       cmocka_unit_test(test_unknown_goals),
                                       cmocka_unit_test(test_front),
                                       cmocka_unit_test(test_front_without_uncertain_limits),
                                       cmocka_unit_test(test_interrupted),
                                       cmocka_unit_test(test_two_limits_in_conflict),
                                       cmocka_unit_test(test_large_space),
                                       cmocka_unit_test(test_conflict),
                                       cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_all_cases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
