/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of cases in the search for the best settings, with cases made up here: which is better under goals and
 * limits of different units, which are listed, and how far two are apart. */
#include <math.h>
#include <string.h>

#include "sim/study/optimise/optimise.h"
#include "tests/unit/assert.h"

enum { ONE_GOAL = 1, TWO_LIMITS = 2, MOST = 40 };

typedef struct {
    wsk_optimise_options o;
    wsk_seeker s;
    wsk_tried all[MOST];
} bench;

static void begin(bench *b, size_t goals, size_t limits)
{
    *b = (bench){.o = {.goals = goals, .limits = limits}};
    b->s = (wsk_seeker){.o = &b->o, .all = b->all, .arena = wsk_arena_new()};
}

static const wsk_tried *add(bench *b, double x, double y, double z)
{
    wsk_tried *t = &b->all[b->s.count++];
    t->v[0] = x;
    t->v[1] = y;
    t->v[2] = z;
    return t;
}

/* The first limit is in watts, and spans 1000 W over the known cases; the second is a share, and spans 0.1. */
static void violations_are_shares_of_their_range(void **state)
{
    (void)state;
    bench b;
    begin(&b, ONE_GOAL, TWO_LIMITS);
    const wsk_tried *far = add(&b, 1, -400, 0.05), *keeps = add(&b, 3, 600, 0.05), *near = add(&b, 2, 600, -0.05);
    wsk_asked q = wsk_seek_ask(&b.s);
    assert_near(wsk_asked_broken(&b.s, &q, far->v), 0.4, 1e-12);
    assert_near(wsk_asked_broken(&b.s, &q, keeps->v), 0, 0);
    assert_near(wsk_asked_broken(&b.s, &q, near->v), 0.5, 1e-12);
    assert_true(wsk_asked_better(&b.s, &q, far, near) && !wsk_asked_better(&b.s, &q, near, far));
    assert_ptr_equal(wsk_seek_best(&b.s, &q), keeps);
    b.s.need[0] = 700; /* each case now violates the first limit */
    q = wsk_seek_ask(&b.s);
    assert_near(wsk_asked_broken(&b.s, &q, keeps->v), 0.1, 1e-12);
    assert_near(wsk_asked_broken(&b.s, &q, near->v), 0.1 + 0.5, 1e-12);
    q.need[0] = -INFINITY; /* and now the first limit does not count */
    assert_near(wsk_asked_broken(&b.s, &q, far->v), 0, 0);
    assert_ptr_equal(wsk_seek_best(&b.s, &q), far);
    wsk_arena_free(b.s.arena);
}

/* If all known cases have one value of a measure, violations of its limit count as they are. */
static void a_range_of_nothing_is_one(void **state)
{
    (void)state;
    bench b;
    begin(&b, ONE_GOAL, 1);
    const wsk_tried *t = add(&b, 1, -7, 0);
    add(&b, 2, -7, 0);
    const wsk_asked q = wsk_seek_ask(&b.s);
    assert_near(wsk_asked_broken(&b.s, &q, t->v), 7, 0);
    wsk_arena_free(b.s.arena);
}

static void unknown_values_are_worst(void **state)
{
    (void)state;
    bench b;
    begin(&b, ONE_GOAL, 1);
    const wsk_tried *unbuilt = add(&b, NAN, 1, 0), *unmeasured = add(&b, 1, NAN, 0), *bad = add(&b, 9, -5, 0);
    const wsk_asked q = wsk_seek_ask(&b.s);
    assert_near(wsk_asked_broken(&b.s, &q, unmeasured->v), 100, 0);
    assert_true(wsk_asked_better(&b.s, &q, bad, unmeasured) && !wsk_asked_better(&b.s, &q, unmeasured, bad));
    assert_true(wsk_asked_better(&b.s, &q, bad, unbuilt) && !wsk_asked_better(&b.s, &q, unbuilt, bad));
    assert_false(wsk_asked_better(&b.s, &q, unbuilt, unbuilt));
    assert_ptr_equal(wsk_seek_best(&b.s, &q), bad);
    b.s.count = 1;
    assert_null(wsk_seek_best(&b.s, &q));
    wsk_arena_free(b.s.arena);
}

/* Among cases that keep all limits the goal decides; equal cases are not better than each other. */
static void the_goal_decides_among_equals(void **state)
{
    (void)state;
    bench b;
    begin(&b, ONE_GOAL, 1);
    const wsk_tried *cheap = add(&b, 1, 0, 0), *dear = add(&b, 2, 5, 0), *same = add(&b, 1, 3, 0);
    const wsk_asked q = wsk_seek_ask(&b.s);
    assert_true(wsk_asked_better(&b.s, &q, cheap, dear) && !wsk_asked_better(&b.s, &q, dear, cheap));
    assert_false(wsk_asked_better(&b.s, &q, cheap, same) || wsk_asked_better(&b.s, &q, same, cheap));
    assert_ptr_equal(wsk_seek_best(&b.s, &q), cheap);
    wsk_arena_free(b.s.arena);
}

/* If a limit is asked for, the case farthest within it, or closest to it, is best, whatever the goal. */
static void a_limit_can_be_the_goal(void **state)
{
    (void)state;
    bench b;
    begin(&b, ONE_GOAL, TWO_LIMITS);
    add(&b, 1, 5, -9);
    const wsk_tried *close = add(&b, 2, -5, -1);
    wsk_asked q = wsk_seek_ask(&b.s);
    q.limit = 1;
    q.need[0] = q.need[1] = -INFINITY;
    assert_near(wsk_asked_value(&b.s, &q, close->v), 1, 0);
    assert_ptr_equal(wsk_seek_best(&b.s, &q), close);
    wsk_arena_free(b.s.arena);
}

/* Two goals: the greatest of weight x (goal - least) / span, and 0.05 of their sum. */
static void two_goals_are_weighed(void **state)
{
    (void)state;
    static const double weights[] = {1, 0.25};
    bench b;
    begin(&b, 2, 0);
    const wsk_tried *t = add(&b, 12, 300, 0), *unknown = add(&b, NAN, 300, 0);
    wsk_asked q = wsk_seek_ask(&b.s);
    q.weights = weights;
    q.least[0] = 10;
    q.least[1] = 100;
    q.span[0] = 4;
    q.span[1] = 50;
    assert_near(wsk_asked_value(&b.s, &q, t->v), 1 + 0.05 * (0.5 + 1), 1e-12);
    assert_true(isnan(wsk_asked_value(&b.s, &q, unknown->v)));
    wsk_arena_free(b.s.arena);
}

/* The list has the cases below a bound of the goal that keep all limits, by their goals, and those of equal goals in the
 * order in which they were found. If there is too little room, it has every second one, or fewer, and always the best. */
static void the_list_is_sorted_and_thinned(void **state)
{
    (void)state;
    bench b;
    begin(&b, ONE_GOAL, 1);
    for (int i = 0; i < 30; i++)
        add(&b, (i * 7) % 30, i == 3 ? -1 : 1, 0); /* goals 0 to 29 in mixed order; the goal 21 breaks its limit */
    const wsk_asked q = wsk_seek_ask(&b.s);
    const wsk_tried *out[MOST];
    assert_int_equal(wsk_seek_list(&b.s, &q, 24, out, MOST), 23);
    for (int i = 0; i < 23; i++)
        assert_near(out[i]->v[0], i < 21 ? i : i + 1, 0);
    assert_int_equal(wsk_seek_list(&b.s, &q, 20, out, 10), 10);
    for (int i = 0; i < 10; i++)
        assert_near(out[i]->v[0], 2 * i, 0);
    assert_int_equal(wsk_seek_list(&b.s, &q, 0, out, MOST), 0);
    for (int i = 0; i < 30; i++)
        b.all[i].v[0] = i % 2;
    assert_int_equal(wsk_seek_list(&b.s, &q, 1, out, MOST), 15);
    for (int i = 0; i < 15; i++)
        assert_ptr_equal(out[i], &b.all[2 * i]);
    assert_near(wsk_seek_floor(-50), 0.05, 1e-15);
    wsk_arena_free(b.s.arena);
}

/* Settings in order count by how far their values are apart, others by whether they differ. */
static void cases_lie_apart(void **state)
{
    (void)state;
    static const wsk_setting settings[] = {
        {.count = 5, .ordered = true}, {.count = 3}, {.count = 1, .ordered = true}};
    bench b;
    begin(&b, ONE_GOAL, 0);
    b.o.settings = settings;
    b.s.n = 3;
    assert_near(wsk_seek_size(&b.s), 15, 0);
    const int a[] = {0, 1, 0}, near[] = {1, 1, 0}, other[] = {0, 2, 0}, far[] = {4, 0, 0};
    assert_near(wsk_seek_apart(&b.s, a, a), 0, 0);
    assert_near(wsk_seek_apart(&b.s, a, near), 0.25 / sqrt(3), 1e-12);
    assert_near(wsk_seek_apart(&b.s, a, other), 1 / sqrt(3), 1e-12);
    assert_near(wsk_seek_apart(&b.s, far, a), sqrt(2. / 3), 1e-12);
    wsk_arena_free(b.s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(violations_are_shares_of_their_range),
                                       cmocka_unit_test(a_range_of_nothing_is_one),
                                       cmocka_unit_test(unknown_values_are_worst),
                                       cmocka_unit_test(the_goal_decides_among_equals),
                                       cmocka_unit_test(a_limit_can_be_the_goal),
                                       cmocka_unit_test(two_goals_are_weighed),
                                       cmocka_unit_test(the_list_is_sorted_and_thinned),
                                       cmocka_unit_test(cases_lie_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
