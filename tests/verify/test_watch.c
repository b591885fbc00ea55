/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a card is called hunting, in runaway, or its slowdown cycling: docs/theory/governor.md, "Anomalies that a result names".
 * Caps, temperatures and times are set here. */
#include <math.h>

#include "sim/control/control.h"
#include "tests/verify/workloads.h"

/* Number of events so far. */
static int events(const wsk_run *run)
{
    int n = 0;
    for (size_t i = 0; i < run->events.len; i++)
        n += run->events.data[i] == '\n';
    return n;
}

static wsk_run *start(wsk_rig **rig)
{
    return wsk_test_run_to(RIG(CARD_THAT_LEAKS("20 W", "1", ""), "<workload kind='constant' class='training'/>"), 60,
                           rig);
}

/* Ten minutes in which the cap starts at top_hz, falls by `steps` clock steps, and rises again, `turns` times. */
static void ten_minutes(wsk_run *run, int turns, double steps, double top_hz)
{
    const double step_hz = run->net->cards[0].gpu->clock_step_hz;
    for (int k = 0; k <= 60; k++) {
        run->head->t_ns += 10 * WSK_NS;
        run->cards[0].cap_hz = top_hz - (k <= turns && k % 2 ? steps * step_hz : 0);
        wsk_watch_card(run, 0);
    }
}

/* Twenty turns or more in ten minutes, over more than six clock steps. */
static void test_hunting(void **state)
{
    (void)state;
    static const struct {
        int turns[2]; /* of ten minutes, and of the next ten */
        double steps[2];
        bool hunts;
    } of[] = {{{0, 0}, {0, 0}, false},   {{30, 0}, {8, 0}, true},    {{0, 30}, {0, 8}, true},
              {{30, 30}, {5, 5}, false}, {{12, 12}, {8, 8}, false},  {{30, 30}, {6, 6}, false},
              {{1, 30}, {40, 2}, false}, {{30, 30}, {6.5, 1}, true}, {{16, 16}, {20, 20}, false},
              {{24, 0}, {8, 0}, true},   {{30, 0}, {-8, 0}, true},   {{30, 0}, {-5, 0}, false},
              {{18, 0}, {8, 0}, false}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        wsk_rig *rig;
        wsk_run *run = start(&rig);
        wsk_card_state *s = &run->cards[0];
        ten_minutes(run, 0, 0, 1500e6); /* what was before the test is past */
        s->hunts = 0;
        const int before = events(run);
        for (int k = 0; k < 2; k++)
            ten_minutes(run, of[i].turns[k], of[i].steps[k], 1500e6);
        ten_minutes(run, 0, 0, 1500e6);
        if ((s->hunts > 0) != of[i].hunts)
            fail_msg("case %zu: the card %s", i, of[i].hunts ? "is not told to hunt" : "is told to hunt");
        if (of[i].hunts)
            assert_int_equal(s->hunts, s->cap_of + 1);
        assert_int_equal(events(run) - before, of[i].hunts); /* told once */
        wsk_test_drop(run, rig);
    }
}

/* The slowdown lowers the clock within ten minutes after it had begun to release it. */
static void test_a_slowdown_that_cycles(void **state)
{
    (void)state;
    static const struct {
        double wait_s;
        bool cycles;
    } of[] = {{20, true}, {590, true}, {610, false}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        wsk_rig *rig;
        wsk_run *run = start(&rig);
        const wsk_card *c = &run->net->cards[0];
        wsk_card_state *s = &run->cards[0];
        int slowdown = -1;
        for (int g = 0; g < c->n_governors; g++)
            slowdown = c->governors[g].ops->cause == WSK_REASON_HW ? g : slowdown;
        assert_true(slowdown >= 0);
        s->hunts = 0;
        s->released_ns = 0;
        const int before = events(run);
        const double caps[] = {1800e6, 900e6, 1200e6, 1200e6, 900e6}; /* full, halved, released, halved again */
        const double wait_s[] = {1, 1, 1, of[i].wait_s - 1, 1};
        for (size_t k = 0; k < sizeof caps / sizeof *caps; k++) {
            run->head->t_ns += (int64_t)(wait_s[k] * 1e9);
            s->governor[slowdown].cap_hz = caps[k];
            wsk_watch_card(run, 0);
            if (k < 4)
                assert_int_equal(s->hunts, 0);
        }
        assert_int_equal(s->hunts, of[i].cycles ? slowdown + 1 : 0);
        assert_int_equal(events(run) - before, of[i].cycles);
        wsk_test_drop(run, rig);
    }
}

/* Runaway: more than 3 K above the target, and leakage adds more heat per kelvin than the cooler removes; or, at the
 * lowest clock, the die warms by more than 0.5 K in a minute. */
static void test_runaway(void **state)
{
    (void)state;
    static const struct {
        double above_k;    /* above the target */
        double k_a_minute; /* by which the die warms */
        bool lowest, limited;
        int64_t runaway;
    } of[] = {{4, 0.6, true, false, 2},  {4, 0.4, true, false, 0}, {2, 0.6, true, false, 0},
              {4, 0.6, false, false, 0}, {4, 0.6, true, true, 0},  {-20, 3, true, false, 0}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        wsk_rig *rig;
        wsk_run *run = start(&rig);
        const wsk_card *c = &run->net->cards[0];
        wsk_card_state *s = &run->cards[0];
        s->runaway = 0;
        const int before = events(run);
        s->stuck_ns = -1;
        s->reasons = of[i].limited ? WSK_REASON_POWER : of[i].lowest ? WSK_REASON_THERMAL : 0;
        s->clock_hz = of[i].lowest ? c->gpu->clock_min_hz : c->gpu->clock_max_hz;
        for (int t = 0; t <= 61; t++) {
            s->die_k = c->gpu->target_k + of[i].above_k + of[i].k_a_minute * t / 60;
            wsk_watch_card(run, 0);
            if (t < 60)
                assert_int_equal(s->runaway, 0);
            run->head->t_ns += WSK_NS;
        }
        if (s->runaway != of[i].runaway)
            fail_msg("case %zu: runaway is %lld", i, (long long)s->runaway);
        assert_int_equal(events(run) - before, of[i].runaway > 0);
        wsk_test_drop(run, rig);
    }
    /* leakage alone: with the inlet so cold that the die is far above it, a kelvin more adds more watts than it takes */
    wsk_rig *rig;
    wsk_run *run = start(&rig);
    const wsk_card *c = &run->net->cards[0];
    wsk_card_state *s = &run->cards[0];
    double slope;
    s->runaway = 0;
    s->reasons = 0;
    s->die_k = c->gpu->target_k + 5;
    s->power_w = c->ops->power_w(c->gpu, &c->cls, s->clock_hz, s->die_k, &slope);
    assert_true(slope > 0);
    const double breaks_k = s->power_w / slope; /* rise above the inlet at which both are equal */
    run->t[c->inlet] = s->die_k - 0.99 * breaks_k;
    wsk_watch_card(run, 0);
    assert_int_equal(s->runaway, 0);
    run->t[c->inlet] = s->die_k - 1.01 * breaks_k;
    wsk_watch_card(run, 0);
    assert_int_equal(s->runaway, 1);
    /* after a failure of a part, that is the cause */
    const int before = events(run);
    s->runaway = 0;
    run->head->failed_ns = 0;
    wsk_watch_card(run, 0);
    assert_int_equal(s->runaway, 3);
    assert_int_equal(events(run) - before, 1);
    /* once it is told, nothing changes it */
    run->head->failed_ns = -1;
    wsk_watch_card(run, 0);
    assert_int_equal(s->runaway, 3);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hunting), cmocka_unit_test(test_a_slowdown_that_cycles),
                                       cmocka_unit_test(test_runaway)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
