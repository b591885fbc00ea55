/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A checkpoint with absurd numbers is refused. Each word of the state of a run is overwritten in turn: no time, sum or
 * temperature may be out of range, whatever the file says. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "tests/support/bench.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/results/results.h"
#include "sim/step/stride.h"

static wsk_run *start(wsk_rig **rig)
{
    *rig = wsk_test_rig("<rig><site supply='230 V'><branch id='b2' circuit='16 A'/><room volume='40 m3' "
                        "conductance='60 W/K'/><tariff kind='flat' price='0.3 EUR/kWh'>"
                        "<demand price='9 EUR/kW/month' window='15 min'/></tariff></site>"
                        "<chassis part='chassis/workstation-12-slot'>"
                        "<fan part='fan/generic-120-3000' at='front' count='3'/><psu part='psu/tier-gold-1600'/>"
                        "<cpu part='cpu/generic-workstation'/><gpu part='gpu/rtx-3090-blower' slot='1'/>"
                        "<gpu part='gpu/rtx-3090-blower' slot='5'/></chassis><workload class='training'/>"
                        "<run from='2026-03-02T00:00:00' zone='UTC'/></rig>",
                        NULL);
    wsk_run *run = wsk_test_run(*rig, WSK_STEPPER_FAST, 7200);
    wsk_test_advance(run, 3700);
    assert_true(wsk_state_sound(run));
    return run;
}

/* Words from the offset `at` on that may hold any number. */
typedef struct {
    size_t at, words;
} any;

/* Some bytes of the state. `free`: flags, of which each number but 0 counts as true, and numbers that are only compared,
 * as bounds within which nothing is computed anew. */
typedef struct {
    const char *what;
    void *at;
    size_t size;
    any free[6];
} part;

static bool is_free(const part *p, size_t at)
{
    for (size_t i = 0; i < sizeof p->free / sizeof *p->free; i++)
        if (at >= p->free[i].at && at < p->free[i].at + 8 * p->free[i].words)
            return true;
    return false;
}

/* 1e250: as a whole number, it is beyond 2^62, to which no time can be added. INFINITY only stands for "none yet" in
 * some bounds, so it is not tried here. */
static void check_part(const wsk_run *run, const part *p)
{
    const double absurd = 1e250;
    for (size_t at = 0; at + sizeof absurd <= p->size; at += sizeof absurd) {
        char *word = (char *)p->at + at, kept[sizeof absurd];
        memcpy(kept, word, sizeof kept);
        memcpy(word, &absurd, sizeof absurd);
        if (wsk_state_sound(run) != is_free(p, at))
            fail_msg("%s: an absurd number at byte %zu is %s", p->what, at, is_free(p, at) ? "refused" : "accepted");
        memcpy(word, kept, sizeof kept);
    }
    assert_true(wsk_state_sound(run));
}

#define FREE(type, member, words) \
    { \
        offsetof(type, member), words \
    }

static void test_each_word(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig);
    const wsk_net *net = run->net;
    const wsk_observer *o = run->observer;
    const size_t word = sizeof(double), n = (size_t)run->variables->n * word, nodes = (size_t)net->n_node * word;
    const size_t bill = offsetof(struct wsk_books, bill), solved = offsetof(wsk_card_state, operating);
    const part parts[] = {
        {"head", run->head, sizeof *run->head, {FREE(wsk_run_head, ac_mended, 1)}},
        {"card",
         &run->cards[1],
         sizeof *run->cards,
         {FREE(wsk_card_state, found, 1),
          FREE(wsk_card_state, rest_low_k, 6),
          {solved, 3}, /* inputs of the solution */
          {solved + offsetof(wsk_operating, bound_free), 1},
          FREE(wsk_card_state, cap_before, 4), /* and rising */
          FREE(wsk_card_state, stuck_k, 1)}},
        {"fan", &run->movers[0], sizeof *run->movers, {FREE(wsk_mover_state, mended, 1)}},
        {"PSU", &run->supplies[0], sizeof *run->supplies, {FREE(wsk_supply_state, mended, 2)}}, /* and logged */
        {"circuit", &run->lines[1], sizeof *run->lines, {FREE(wsk_line_state, mended, 1)}},
        {"chassis",
         &run->cases[0],
         sizeof *run->cases,
         {FREE(wsk_case_state, logged, 1), FREE(wsk_case_state, brake, 1)}},
        {"books",
         run->books,
         sizeof *run->books,
         {{bill + offsetof(wsk_bill, until_ns), 1}, {bill + offsetof(wsk_bill, window_counts), WSK_DEMANDS}}},
        {"speeds", run->rpm, (size_t)net->n_mover * word, {{0, 0}}},
        {"temperatures", run->t, nodes, {{0, 0}}},
        {"rounding of temperatures", run->carry, nodes, {{0, 0}}},
        {"temperatures at the start", run->t_start, nodes, {{0, 0}}},
        {"temperatures of natural convection", run->t_natural, nodes, {{0, 0}}},
        {"stretch", run->stretch_ks, nodes, {{0, 0}}},
        {"energy of the stretch", run->stretch_j, nodes, {{0, 0}}},
        {"sums of nodes", o->node_sum, nodes, {{0, 0}}},
        {"totals of nodes", o->node_total, nodes, {{0, 0}}},
        {"powers of PSUs and circuits", run->supply_dc_w, wsk_count_delivered(net) * word, {{0, 0}}},
        {"values", o->value, n, {{0, 0}}},
        {"sums", o->sum, n, {{0, 0}}},
        {"totals", o->total, n, {{0, 0}}},
        {"lows", o->low, n, {{0, 0}}},
        {"highs", o->high, n, {{0, 0}}},
        {"lowest", o->lowest, n, {{0, 0}}},
        {"highest", o->highest, n, {{0, 0}}},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        check_part(run, &parts[i]);
    wsk_test_drop(run, rig);
}

/* Also the state of strides. The library's entries beyond the last one are not in use. */
static void test_each_word_of_strides(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig("<rig><site supply='230 V'><room temperature='22 degC'/></site>"
                                "<chassis part='chassis/workstation-12-slot'>"
                                "<fan part='fan/generic-120-3000' at='front' count='3'/>"
                                "<psu part='psu/tier-gold-1600'/><gpu part='gpu/rtx-3090-blower' slot='1'/></chassis>"
                                "<workload class='training'/></rig>",
                                NULL);
    wsk_run *run = NULL;
    const wsk_run_options options = {.duration_s = 20 * 86400.0, .leap = true, .stride = true};
    assert_int_equal(wsk_run_new(&run, rig, &options), WSK_OK);
    wsk_test_advance(run, 10 * 86400.0);
    const wsk_stride *s = run->stride;
    const wsk_stride_head *h = s->head;
    assert_true(h->skips > 0 && h->count > 0 && wsk_state_sound(run));
    const size_t word = sizeof(double), skips = (size_t)(WSK_SKIPS - h->skips);
    const part parts[] = {
        {"strides",
         s->head,
         sizeof *s->head,
         {{offsetof(wsk_stride_head, skip_from_ns) + word * (size_t)h->skips, skips},
          {offsetof(wsk_stride_head, skip_to_ns) + word * (size_t)h->skips, skips}}},
        {"starts of cycles", s->starts, (size_t)h->count * word, {{0, 0}}},
        {"accounts at the start of a cycle", s->mark, (size_t)s->n * word, {{0, 0}}},
        {"trend", s->trend, (size_t)s->n * word, {{0, 0}}},
        {"open cycle", s->open_j, (size_t)s->bins * word, {{0, 0}}},
        {"library", s->library, (size_t)h->count * (size_t)(s->n + s->bins) * word, {{0, 0}}},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        check_part(run, &parts[i]);
    const struct {
        int64_t *at, low, high;
    } of[] = {{&s->head->from_ns, 0, run->head->t_ns},      {&s->head->count, 0, s->entries},
              {&s->head->oldest, 0, s->entries - 1},        {&s->head->reach, 1, INT64_C(1) << 40},
              {&s->head->merged, 1, s->most_merged},        {&s->head->skips, 0, WSK_SKIPS},
              {&s->head->pending, 0, INT64_C(1) << 40},     {&s->head->agreeing, 0, INT64_C(1) << 40},
              {&s->head->unproven, 0, INT64_C(1) << 40},    {&s->starts[0], 0, run->head->t_ns},
              {&s->head->skip_to_ns[0], 0, run->head->t_ns}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const int64_t kept = *of[i].at;
        *of[i].at = of[i].low;
        const bool low = wsk_state_sound(run);
        *of[i].at = of[i].low - 1;
        const bool below = wsk_state_sound(run);
        *of[i].at = of[i].high + 1;
        const bool above = wsk_state_sound(run);
        *of[i].at = kept;
        if (!low || below || above)
            fail_msg("number %zu of strides: %d, below %d, above %d", i, low, below, above);
    }
    wsk_test_drop(run, rig);
}

/* Whole numbers are accepted from low to high only, as indices and kinds; INT64_MAX is `never` where the end is free. */
static void test_ranges(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig);
    wsk_card_state *c = &run->cards[1];
    wsk_bill *b = &run->books->bill;
    const int governors = run->net->cards[1].n_governors;
    const int64_t most_ns = INT64_C(1) << 62, most_s = 9000000000, causes = (1 << WSK_REASONS) - 1;
    assert_true(governors > 1);
    const struct {
        const char *what;
        int64_t *at, low, high;
    } of[] = {{"time", &run->head->t_ns, run->books->bucket_ns, run->end_ns},
              {"window", &run->head->window_ns, 0, run->head->t_ns},
              {"tick", &run->head->tick, 0, most_ns},
              {"shutdowns", &run->head->shutdowns, 0, INT32_MAX},
              {"phase", &run->head->phase_logged, 0, WSK_LOGGED_PHASES - 1},
              {"job", &run->head->undone, 0, 1},
              {"failures", &run->head->failures, 0, INT32_MAX},
              {"leap", &run->head->leap_level, 0, INT32_MAX},
              {"air conditioner", &run->head->ac_failed, 0, 1},
              {"start of a row", &run->books->bucket_ns, 0, run->head->t_ns},
              {"rows", &run->books->n_buckets, 0, run->observer->bucket_rows},
              {"cap", &c->cap_of, 0, governors - 1},
              {"cap of the solution", &c->operating.heat_of, 0, governors - 1},
              {"hunting governor", &c->hunts, 0, governors},
              {"runaway", &c->runaway, 0, 3},
              {"card", &c->off, 0, WSK_LOST},
              {"causes", &c->reasons, 0, causes},
              {"causes of the solution", &c->operating.reasons, 0, causes},
              {"logged cause", &c->logged_reason, 0, causes},
              {"time of a governor", &c->governor_next_ns[1], -most_ns, most_ns},
              {"last time of a governor", &c->governor_last_ns[1], -most_ns, most_ns},
              {"time of the fan", &c->fan_next_ns, -most_ns, most_ns},
              {"time limited", &c->throttle_ns[4], -most_ns, most_ns},
              {"time served", &c->served_ns, -most_ns, most_ns},
              {"processor", &run->cases[0].cpu_off, 0, WSK_DARK},
              {"shutdowns of the processor", &run->cases[0].shutdowns, 0, INT32_MAX},
              {"PSU", &run->supplies[0].failed, 0, 1},
              {"circuit", &run->lines[1].tripped, WSK_LINE_ON, WSK_LINE_FAILED},
              {"dark circuit", &run->lines[1].dark, 0, 1},
              {"logged circuit", &run->lines[1].logged, 0, 1},
              {"fan", &run->movers[0].failed, 0, 1},
              {"tariff period", &b->period, 0, WSK_NAMES - 1},
              {"season", &b->season, -1, WSK_SEASONS - 1},
              {"months", &b->n_months, 0, INT32_MAX},
              {"start of a segment", &b->began_ns, 0, run->head->t_ns},
              {"end of a segment", &b->until_ns, run->head->t_ns, INT64_MAX},
              {"start of a month", &b->month_from_s, -most_s, most_s},
              {"end of a month", &b->month_to_s, -most_s, most_s},
              {"civil start of a month", &b->month_civil_s, -most_s, most_s},
              {"window of a demand charge", &b->window_end_s[WSK_DEMANDS - 1], -most_s, most_s},
              {"closed month", &b->months[WSK_BILL_MONTHS - 1].from_civil_s, -most_s, most_s}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const int64_t kept = *of[i].at;
        for (int k = 0; k < 4; k++) {
            if (k == 3 && of[i].high == INT64_MAX)
                continue;
            *of[i].at = k == 0 ? of[i].low - 1 : k == 1 ? of[i].low : k == 2 ? of[i].high : of[i].high + 1;
            /* the present time bounds other times */
            if (of[i].at != &run->head->t_ns || k == 3)
                if (wsk_state_sound(run) != (k == 1 || k == 2))
                    fail_msg("%s: %lld is %s", of[i].what, (long long)*of[i].at, k % 3 ? "refused" : "accepted");
        }
        *of[i].at = kept;
    }
    int64_t *const never[] = {&c->rest_until_ns, &c->schedule_ns};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        const int64_t kept = *never[i];
        *never[i] = INT64_MAX;
        assert_true(wsk_state_sound(run));
        *never[i] = INT64_MAX - 1;
        assert_false(wsk_state_sound(run));
        *never[i] = kept;
    }
    wsk_test_drop(run, rig);
}

/* NaN says that a value is not set, where it may. Shares are from 0 to 1. */
static void test_unknown(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig);
    wsk_card_state *c = &run->cards[1];
    const struct {
        double *at;
        bool unknown, share;
    } of[] = {
        {&c->pin_power_w, true, false},      {&c->pin_rpm, true, false},   {&c->pin_clock_hz, true, false},
        {&c->lock_low_hz, true, false},      {&c->lock_hz, true, false},   {&c->fan_goal_rpm, true, false},
        {&c->traffic, true, true},           {&c->load, true, true},       {&run->movers[0].pin_rpm, true, false},
        {&c->power_w, false, false},         {&c->die_k, false, false},    {&c->busy, false, false},
        {&c->fan_rpm, false, false},         {&c->cap_hz, false, false},   {&c->limit_w, false, false},
        {&run->t[1], false, false},          {&run->rpm[0], false, false}, {&run->observer->sum[0], false, false},
        {&run->books->noise_s, false, false}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const double kept = *of[i].at;
        static const double tried[] = {NAN, 0, 1, 1.01, -0.01, -INFINITY};
        const bool ok[] = {of[i].unknown, true, true, !of[i].share, !of[i].share, false};
        for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
            *of[i].at = tried[k];
            if (wsk_state_sound(run) != ok[k])
                fail_msg("number %zu: %g is %s", i, tried[k], ok[k] ? "refused" : "accepted");
        }
        *of[i].at = kept;
    }
    /* without a governor there is no cap; without a value there are no extremes */
    double *const low = run->observer->low, *const high = run->observer->high;
    c->cap_hz = INFINITY;
    low[0] = INFINITY;
    high[0] = -INFINITY;
    assert_true(wsk_state_sound(run));
    high[0] = 20;
    assert_false(wsk_state_sound(run));
    low[0] = -INFINITY;
    high[0] = -INFINITY;
    assert_false(wsk_state_sound(run));
    low[0] = 20;
    assert_false(wsk_state_sound(run));
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_word), cmocka_unit_test(test_each_word_of_strides),
                                       cmocka_unit_test(test_ranges), cmocka_unit_test(test_unknown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
