/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cards that share each step of a model: docs/theory/workload.md, "Groups of cards" */
#include <string.h>

#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/study/findings/found.h"
#include "tests/verify/workloads.h"

static const double idle_w = 20, waiting = 0.3, p0_w = 60;
#define TWO(a, b) CARD("1", a) CARD("5", b)
#define SLOW "lock-clock='900 MHz'"
#define FAST "lock-clock='1200 MHz'"
#define SPLIT(how) "<workload kind='constant' class='training' split='" how "'/>"

typedef struct {
    double perf[2], power_w[2], cool[2], gone;
} pair;

static pair pair_of(const char *xml, double time_s)
{
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(xml, time_s, &rig);
    pair p = {.gone = run->perf_gone};
    for (int i = 0; i < 2; i++) {
        p.perf[i] = run->cards[i].perf;
        p.cool[i] = run->cards[i].perf_cool;
        p.power_w[i] = run->cards[i].power_w;
    }
    wsk_test_drop(run, rig);
    return p;
}

/* Two cards that work each on its own, for comparison; card 0 is slow. */
static pair apart(void)
{
    return pair_of(RIG(TWO(SLOW, ""), SPLIT("none")), 600);
}

static void the_slowest_of_a_tensor_split(void **state)
{
    (void)state;
    const pair own = apart(), p = pair_of(RIG(TWO(SLOW, FAST), SPLIT("tensor")), 600),
               even = pair_of(RIG(TWO(FAST, FAST), SPLIT("tensor")), 600);
    const pair slow = pair_of(RIG(TWO(SLOW, SLOW), SPLIT("tensor")), 600);
    assert_true(own.perf[0] < 0.7 && own.perf[1] > 0.95);
    for (int i = 0; i < 2; i++) {
        assert_rel(p.perf[i], slow.perf[0], 1e-9);
        assert_rel(even.power_w[i], even.power_w[0], 1e-9);
    }
    assert_rel(p.power_w[0], slow.power_w[0], 1e-6);
    /* the fast card waits for the rest of the step */
    const double busy = p.perf[1] / even.perf[1], wait_w = idle_w + waiting * (even.power_w[1] - idle_w);
    assert_rel(p.power_w[1], busy * even.power_w[1] + (1 - busy) * wait_w, 1e-6);
    assert_true(p.power_w[1] < even.power_w[1] - 20);
}

/* Firmware holds the mean power over several steps of a group, so that a card that waits for a slower one clocks higher
 * than alone: up to its highest clock, at which its limit no longer matters, or until its mean is at the limit. */
static void a_card_that_waits_below_its_limit(void **state)
{
    (void)state;
    static const struct {
        const char *slow, *limit;
        double mean_w; /* NAN: below the limit */
    } rows[] = {{"lock-clock='400 MHz'", "power-limit='250 W'", NAN},
                {"lock-clock='900 MHz'", "power-limit='250 W'", 250},
                {"power-limit='249 W'", "power-limit='250 W'", 250},
                {"power-limit='250 W'", "power-limit='250 W'", 250},
                {"power-limit='100 W'", "power-limit='240 W'", NAN}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool below = isnan(rows[i].mean_w);
        char xml[4096];
        wsk_rig *rig;
        snprintf(xml, sizeof xml, RIG(CARD("1", "%s") CARD("5", "%s"), "%s"), rows[i].slow, rows[i].limit,
                 SPLIT("none"));
        wsk_run *run = wsk_test_run_to(xml, 600, &rig);
        const double alone_hz = run->cards[1].clock_hz;
        assert_int_equal(run->cards[1].reasons, WSK_REASON_POWER);
        wsk_test_drop(run, rig);
        snprintf(xml, sizeof xml, RIG(CARD("1", "%s") CARD("5", "%s"), "%s"), rows[i].slow, rows[i].limit,
                 SPLIT("tensor"));
        run = wsk_test_run_to(xml, 600, &rig);
        const wsk_card_state *s = &run->cards[1];
        assert_int_equal(s->reasons, below ? 0 : WSK_REASON_POWER);
        assert_int_equal(wsk_card_spread(run, 1).capped, !below);
        assert_true((s->throttle_ns[0] > 0) == !below);
        if (below) {
            assert_rel(s->clock_hz, 1.8e9, 1e-9);
            assert_true(s->power_w < s->held_w - 1);
        } else {
            assert_true(s->clock_hz >= alone_hz * (1 - 1e-9));
            assert_rel(s->power_w, rows[i].mean_w, 1e-6);
        }
        wsk_test_drop(run, rig);
    }
}

static void turns_of_a_layer_split(void **state)
{
    (void)state;
    const pair p = pair_of(RIG(TWO(SLOW, ""), SPLIT("layer")), 600),
               even = pair_of(RIG(TWO("", ""), SPLIT("layer")), 600),
               slow = pair_of(RIG(TWO(SLOW, SLOW), SPLIT("layer")), 600);
    const double pace = 2 / (1 / slow.perf[0] + 1 / even.perf[0]);
    assert_true(slow.perf[0] < 0.8 && even.perf[0] > 0.95);
    for (int i = 0; i < 2; i++) {
        assert_rel(p.perf[i], pace, 1e-6);
        const pair *same = i ? &even : &slow;
        /* A card works for its part of the step, at its power in a pair of equal cards, and else draws P0 (it has no
         * leakage). */
        assert_rel(p.power_w[i] - p0_w, (same->power_w[i] - p0_w) * pace / same->perf[i], 1e-6);
    }
    assert_true(p.power_w[0] > slow.power_w[0] + 5 && p.power_w[1] < even.power_w[1] - 5);
}

/* A card whose turns take longer because of its power limit does not draw more than this limit. */
static void turns_at_a_limit(void **state)
{
    (void)state;
    const pair p = pair_of(RIG(TWO("power-limit='100 W'", ""), SPLIT("layer")), 600);
    assert_true(p.perf[0] < 0.9);
    assert_rel(p.power_w[0], 100, 1e-6);
}

/* A group that has lost a card does no work, and its other cards idle. Other groups work on. */
static void a_lost_card_stops_its_group(void **state)
{
    (void)state;
    static const char *const splits[] = {SPLIT("tensor"), SPLIT("layer")};
    for (size_t i = 0; i < 2; i++) {
        char xml[4096];
        snprintf(xml, sizeof xml, RIG("%s", "%s"), TWO("lost-at='5 min'", ""), splits[i]);
        const pair before = pair_of(xml, 299), p = pair_of(xml, 600);
        assert_true(before.perf[1] > 0.9);
        assert_rel(p.perf[0] + p.perf[1] + 1, 1, 1e-12);
        assert_rel(p.power_w[0] + 1, 1, 1e-12);
        assert_rel(p.power_w[1], idle_w, 0.001);
        assert_rel(p.gone, before.perf[0] + before.perf[1], 0.01);
    }
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(
        RIG(FOUR("", "lost-at='5 min'", "", ""), "<workload kind='constant' class='training' tensor-parallel='2'/>"),
        600, &rig);
    assert_true(run->cards[0].perf <= 0 && run->cards[1].perf <= 0);
    assert_true(run->cards[2].perf > 0.9 && run->cards[3].perf > 0.9);
    wsk_test_drop(run, rig);
}

/* A partial load is the load of the group: the group does this work if it is fast enough. */
static void a_group_with_a_partial_load(void **state)
{
    (void)state;
    static const char *const splits[] = {"tensor", "layer"};
    for (size_t i = 0; i < 2; i++) {
        double loads[] = {1, 0, 0}, speed = 0;
        for (int k = 0; k < 3; k++) {
            char xml[4096];
            snprintf(xml, sizeof xml,
                     RIG("%s", "<workload kind='constant' class='training' split='%s' load='%.9f'/>"), TWO(SLOW, ""),
                     splits[i], loads[k]);
            const pair p = pair_of(xml, 600);
            speed = k == 0 ? p.perf[0] : speed;
            loads[1] = 0.5 * speed;
            loads[2] = 0.5 * (1 + speed);
            assert_rel(p.perf[0], wsk_min(loads[k], speed), 1e-6);
            assert_rel(p.perf[1], p.perf[0], 1e-9);
        }
    }
}

/* Synchronous training needs all cards for each step, whatever `split` says. */
static void training_is_one_group(void **state)
{
    (void)state;
    const pair a = pair_of(RIG(TWO(SLOW, ""), "<workload class='training'/>"), 600),
               b = pair_of(RIG(TWO(SLOW, ""), "<workload class='training' split='layer'/>"), 600);
    assert_rel(a.perf[1], a.perf[0], 1e-9);
    assert_rel(b.perf[1], b.perf[0], 1e-9);
    assert_true(a.perf[0] < 0.7 && b.perf[0] < 0.8);
}

/* With tensor-parallel, each layer is shared and `split` does not count: the cards run together, not in turn. */
static void groups_of_tensor_cards_do_not_take_turns(void **state)
{
    (void)state;
    static const char *const splits[] = {"tensor", "layer"};
    const pair plain =
        pair_of(RIG(TWO(SLOW, ""), "<workload class='training' kind='constant' tensor-parallel='2'/>"), 600);
    for (size_t i = 0; i < 2; i++) {
        char xml[4096];
        snprintf(xml, sizeof xml,
                 RIG("%s", "<workload kind='constant' class='training' tensor-parallel='2' split='%s'/>"),
                 TWO(SLOW, ""), splits[i]);
        const pair p = pair_of(xml, 600);
        for (int k = 0; k < 2; k++) {
            assert_rel(p.power_w[k], plain.power_w[k], 1e-9);
            assert_rel(p.perf[k], plain.perf[k], 1e-9);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_slowest_of_a_tensor_split), cmocka_unit_test(a_card_that_waits_below_its_limit),
        cmocka_unit_test(turns_of_a_layer_split),        cmocka_unit_test(turns_at_a_limit),
        cmocka_unit_test(a_lost_card_stops_its_group),   cmocka_unit_test(a_group_with_a_partial_load),
        cmocka_unit_test(training_is_one_group),         cmocka_unit_test(groups_of_tensor_cards_do_not_take_turns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
