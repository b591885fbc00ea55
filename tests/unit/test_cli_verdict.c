/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include "tests/unit/cli_compare_cases.h"

static void test_a_locked_clock_is_no_heat(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("1500MHz, 250W", 250, 100, 20, 1000), make("900MHz, 300W", 300, 82, 18, 1000)};
    cases[0].lock_mhz = 1500;
    cases[1].lock_mhz = 900;
    char *text = words(cases, 2);
    assert_null(strstr(text, "limited by heat"));
    assert_says(text, "900MHz, 300W does 18.0 % less work than 1500MHz, 250W at a higher power limit");
    assert_says(text, "its clock is locked at 900 MHz");
    free(text);
    wsk_cli_case other[] = {make("a", 250, 100, 20, 1000), make("b", 300, 82, 18, 1000)};
    text = words(other, 2);
    assert_null(strstr(text, "higher power limit"));
    free(text);
}

static void test_what_trips_does_not_win(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("250W", 250, 80, 20, 1000), make("280W", 280, 95, 22, 1000),
                            make("350W", 350, 120, 23, 1000)};
    for (int i = 0; i < 3; i++)
        cases[i].circuit_peak = 1.07, cases[i].circuit_share = 1;
    cases[2].trip = 0.33;
    cases[2].supply_peak = 1.07;
    char *text = words(cases, 3);
    assert_says(text, "All cases exceed the circuit's continuous limit.");
    assert_says(text, "350W: 33 % chance of a PSU trip, PSU load 107 % of its available output.");
    assert_says(text, "Winner: 280W");
    assert_says(text,
                "350W is cheaper, does no less work and runs no hotter; it is not ranked: 33 % chance of a PSU trip");
    assert_says(text, "Warning: 280W overloads its PSU or its circuit, too.");
    assert_says(text, "trip risk %");
    free(text);
    wsk_cli_case two[] = {make("a", NAN, 100, 20, 1000), make("b", NAN, 100, 30, 1000)};
    two[0].circuit_peak = 1.2;
    two[0].circuit_share = 1;
    two[1].circuit_peak = 0.8;
    two[1].circuit_share = 0;
    text = words(two, 2);
    assert_says(text, "a: circuit load 120 % of the continuous limit.");
    assert_says(text, "Winner among the cases within their limits: b");
    free(text);
    /* The case within the limit wins only "among the cases within their limits", because the other case is cheaper,
     * works as much and is as cool. */
    wsk_cli_case peak[] = {make("a", NAN, 100, 20, 1000), make("b", NAN, 100, 30, 1000)};
    peak[0].circuit_peak = 1.2;
    peak[0].circuit_share = 0.001;
    peak[1].circuit_peak = 0.9;
    peak[1].circuit_share = 0;
    text = words(peak, 2);
    assert_says(text,
                "a: circuit load up to 120 % of the continuous limit, over it for 8 h 46 min (0.1 % of the time).");
    assert_null(strstr(text, "Winner: "));
    assert_says(text, "Winner among the cases within their limits: b");
    assert_says(text,
                "a is cheaper, does no less work and runs no hotter; it is not ranked: circuit load up to 120 %");
    free(text);
    wsk_cli_case both[] = {make("a", NAN, 100, 20, 1000), make("b", NAN, 100, 30, 1000)};
    both[0].circuit_peak = 1.2;
    both[0].circuit_share = 0.001;
    both[1].circuit_peak = 1.1;
    both[1].circuit_share = 1;
    text = words(both, 2);
    assert_says(text, "Winner: a");
    assert_says(text, "Warning: a overloads its PSU or its circuit, too.");
    free(text);
    /* the overloaded case is cheaper but does less work: the other case wins without a reservation */
    wsk_cli_case less[] = {make("a", NAN, 60, 10, 1000), make("b", NAN, 100, 30, 1000)};
    less[0].circuit_peak = 1.2;
    less[0].circuit_share = 0.001;
    less[1].circuit_share = 0;
    text = words(less, 2);
    assert_says(text, "Winner: b");
    free(text);
    wsk_cli_case hot[] = {make("a", NAN, 100, 20, 1000), make("b", NAN, 100, 30, 1000)};
    hot[0].shuts_down = true;
    text = words(hot, 2);
    assert_says(text, "a: shuts down from heat.");
    assert_says(text, "Winner: b");
    assert_says(text, "Cases that would trip or shut down are not ranked.");
    free(text);
    wsk_cli_case heavy[] = {make("a", NAN, 100, 20, 1000), make("b", NAN, 100, 30, 1000),
                            make("c", NAN, 100, 30, 1000)};
    heavy[0].shuts_down = true;
    heavy[2].supply_peak = 1.1;
    text = words(heavy, 3);
    assert_says(text, "Cases that are overloaded, would trip or shut down are not ranked.");
    free(text);
    wsk_cli_case same[] = {make("1A", NAN, 100, 20, 1000), make("15A", NAN, 100, 20, 1000)};
    same[0].trip = 1;
    same[0].breaker = true;
    text = words(same, 2);
    assert_says(text, "1A: the breaker would trip.");
    assert_says(text, "Winner: 15A");
    free(text);
}

static wsk_cli_work_by compared(const wsk_cli_case *cases, size_t count)
{
    return wsk_cli_compared_by(cases, count);
}

static char *words_by(wsk_cli_case *cases, size_t count)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    assert_non_null(out);
    const wsk_cli_comparison all = {
        .cases = cases, .count = count, .finance = FINANCE, .work = compared(cases, count)};
    wsk_cli_compare_text(out, &all);
    fclose(out);
    for (size_t i = 0; i < count; i++)
        free(cases[i].label);
    return text;
}

/* GPU-hours of different card models are not comparable, so there is no winner. If both cases count tokens, the case
 * with the cheaper token wins, although its GPU-hour costs more. */
static void test_unlike_cards(void **state)
{
    (void)state;
    for (int units = 0; units < 3; units++) {
        wsk_cli_case cases[] = {make("big", NAN, 100, 20, 0), make("small", NAN, 105, 15, 0)};
        snprintf(cases[0].cards, sizeof cases[0].cards, "big card");
        snprintf(cases[1].cards, sizeof cases[1].cards, "small card");
        for (int i = 0; i < 2 && units; i++) {
            snprintf(cases[i].counted, sizeof cases[i].counted, "%s", i && units == 2 ? "samples" : "tokens");
            cases[i].count = i ? 105 * 12 : 100 * 30;
        }
        assert_true(compared(cases, 2) == (units == 1 ? WSK_CLI_UNITS : WSK_CLI_UNLIKE));
        char *text = words_by(cases, 2);
        assert_null(strstr(text, "GPU-h "));
        assert_null(strstr(text, "/GPU-h"));
        if (units == 1) {
            assert_says(text, "Winner: big"); /* cost / tokens: 20/3000 against 15/1260 */
            assert_says(text, "Work: 58.0 % less.");
        } else {
            assert_says(text, "No winner: GPU-hours of big card and of small card are different amounts of work.");
            assert_null(strstr(text, "Work: "));
            assert_null(strstr(text, "Winner: "));
        }
        free(text);
    }
    /* a rate (tokens per hour) in the rig file belongs to one card model, so it cannot hold for two different
     * models */
    wsk_cli_case cases[] = {make("gpu.part=a", NAN, 100, 20, 0), make("gpu.part=b", NAN, 105, 15, 0)};
    for (int i = 0; i < 2; i++) {
        cases[i].path = "rig.xml";
        snprintf(cases[i].cards, sizeof cases[i].cards, "card %d", i);
        snprintf(cases[i].counted, sizeof cases[i].counted, "tokens");
        cases[i].count = 30 * cases[i].work;
    }
    assert_true(compared(cases, 2) == WSK_CLI_ONE_RATE);
    char *text = words_by(cases, 2);
    assert_says(text, "Both cases have the rate of one card");
    free(text);
}

static void test_kinds_of_cards(void **state)
{
    (void)state;
    static const struct {
        const char *xml, *cards;
    } rigs[] = {{"<gpu id=\"gpu0\" name=\"A\"><workload name=\"x\"/></gpu>", "A"},
                {"<gpu name=\"A\"/><gpu name=\"A\"/>", "A"},
                {"<gpu name=\"B\"/><gpu name=\"A\"/><gpu name=\"B\"/>", "1 x A and 2 x B"},
                {"<load dc=\"1 W\"/>", ""}};
    for (size_t i = 0; i < sizeof rigs / sizeof *rigs; i++) {
        char cards[WSK_CLI_CARDS_TEXT];
        const wsk_elements *rig = elements_of(rigs[i].xml);
        wsk_cli_name_cards(cards, rig);
        wsk_elements_free(rig);
        assert_string_equal(cards, rigs[i].cards);
    }
}

static void test_idleness_pays_nothing_back(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("works", NAN, 100, 500, 1000), make("idles", NAN, 2, 400, 1200)};
    for (int i = 0; i < 2; i++)
        invest(&cases[i], &cases[0], &FINANCE, WSK_CLI_HOURS);
    assert_true(isnan(cases[1].npv) && isnan(cases[1].payback_years));
    char *text = words(cases, 2);
    assert_says(text, "No payback: idles does 98 % less work");
    assert_null(strstr(text, "    Payback: "));
    free(text);
}

/* With a negative electricity price the cost per work has no meaning, because the case with the least work would seem
 * best: there is no winner. */
static void test_negative_prices(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("200W", NAN, 50, -2, NAN), make("300W", NAN, 100, -3, NAN)};
    char *text = words(cases, 2);
    assert_says(text, "No winner: the electricity of 200W has a negative cost");
    free(text);
}

static void test_mixed_purchase(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("euros", NAN, 100, 20, NAN), make("dollars", NAN, 100, 20, NAN)};
    const wsk_elements *mixed = elements_of("<chassis price=\"10 USD\"/><gpu price=\"1000 EUR\"/>"),
                       *one = elements_of("<chassis price=\"10 USD\"/><gpu price=\"1000 USD\"/>");
    sum_prices(&cases[0], &(case_list){cases, 2}, mixed);
    sum_prices(&cases[1], &(case_list){cases, 2}, one);
    wsk_elements_free(mixed);
    wsk_elements_free(one);
    assert_true(isnan(cases[0].purchase) && cases[0].mixed_purchase);
    assert_close(cases[1].purchase, 1010);
    char *text = words(cases, 2);
    assert_says(text, "The parts of euros are priced in several currencies");
    assert_says(text, "No winner: electricity costs the same, and the purchases cannot be compared.");
    free(text);
}

static void test_short_runs_have_digits(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("a", NAN, 1, 0.0676, NAN), make("b", NAN, 1, 0.0677, NAN)};
    cases[0].wall_kwh = 0.4225;
    cases[1].wall_kwh = 0.4231;
    char *text = words(cases, 2);
    assert_says(text, "0.422 0.423");
    assert_says(text, "0.0676 0.0677");
    assert_says(text, "Electricity: 0.0001 USD more.");
    free(text);
}

/* Two parts are priced in two currencies, and a third has no price. */
static void test_some_parts_have_prices(void **state)
{
    (void)state;
    static char fan[] = "fan0";
    wsk_cli_case cases[] = {make("a", NAN, 100, 20, NAN), make("b", NAN, 100, 20, NAN)};
    for (int i = 0; i < 2; i++) {
        cases[i].mixed_purchase = true;
        cases[i].unpriced = cases[i].unpriced_what = fan;
    }
    char *text = words(cases, 2);
    assert_says(text, "The parts are priced in different currencies.");
    assert_null(strstr(text, "no part has a price"));
    free(text);
}

/* The row of the efficiency is that of all PSUs, whatever their order. */
static void test_efficiency_of_all_supplies(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("one order", NAN, 100, 20, NAN), make("the other", NAN, 100, 20, NAN)};
    cases[0].summary = summary_of("{ \"psus\": [ { \"efficiency_mean\": 0.8 }, { \"efficiency_mean\": 0.9 } ] }");
    cases[1].summary = summary_of("{ \"psus\": [ { \"efficiency_mean\": 0.9 }, { \"efficiency_mean\": 0.8 } ] }");
    char *text = words(cases, 2);
    assert_says(text, "PSU efficiency % 85.0 85.0");
    free(text);
}

/* After an interrupt the cases that have ended move to the front of the array, and with them their uncertainties. Two
 * rigs with the same cards share the uncertainty of tokens/s, wherever they stand; rigs with unlike cards do not. */
static void test_moved_cases_keep_their_sources(void **state)
{
    (void)state;
    static const char tokens[] = "{ \"tokens\": { \"memory_gib\": 4, \"generation_per_s\": 100, "
                                 "\"generation_spread_rel\": 0.12816, \"prompt_spread_rel\": 0.2 } }";
    static const char *const cards[] = {"RTX 3090", "RTX 4090", "RTX 3090"};
    wsk_cli_case cases[3];
    for (int i = 0; i < 3; i++) {
        cases[i] = make("a", NAN, 100, 500, 1000);
        cases[i].summary = summary_of(tokens);
        cases[i].names = wsk_arena_new();
        cases[i].sources = wsk_cli_alloc(2 * sizeof *cases[i].sources);
        cases[i].spread_known = true;
        snprintf(cases[i].cards, sizeof cases[i].cards, "%s", cards[i]);
        wsk_cli_tokens_spread(&cases[i]);
        assert_int_equal(cases[i].n_sources, 1);
    }
    const double apart = wsk_cli_band_between(&cases[1], &cases[2], WSK_CLI_BY_TOKENS, &FINANCE, NULL);
    assert_close(apart, hypot(10, 10));
    assert_true(wsk_cli_band_between(&cases[0], &cases[2], WSK_CLI_BY_TOKENS, &FINANCE, NULL) < 1e-9);
    const wsk_cli_case first = cases[0];
    memmove(cases, cases + 1, 2 * sizeof *cases);
    cases[2] = first;
    assert_close(wsk_cli_band_between(&cases[0], &cases[1], WSK_CLI_BY_TOKENS, &FINANCE, NULL), apart);
    assert_true(wsk_cli_band_between(&cases[1], &cases[2], WSK_CLI_BY_TOKENS, &FINANCE, NULL) < 1e-9);
    for (int i = 0; i < 3; i++) {
        free(cases[i].label);
        free(cases[i].sources);
        wsk_arena_free(cases[i].names);
    }
}

/* A difference that is much smaller than its uncertainty is not told as "0 more". */
static void test_a_small_difference_is_none(void **state)
{
    (void)state;
    static const char *const keys[] = {"a", "b"};
    wsk_cli_case cases[] = {make("a", NAN, 100, 500, 1000), make("b", NAN, 100, 500.2, 1000)};
    for (int i = 0; i < 2; i++) {
        cases[i].sources = wsk_cli_alloc(sizeof *cases[i].sources);
        cases[i].sources[0] =
            (wsk_cli_source){.key = keys[i], .text = keys[i], .lowered = {.site = -0.01}, .raised = {.site = 0.01}};
        cases[i].n_sources = 1;
        cases[i].spread_known = true;
    }
    char *text = words(cases, 2);
    assert_says(text, "Electricity: the same cost.");
    assert_null(strstr(text, "Electricity: 0 "));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_locked_clock_is_no_heat),
                                       cmocka_unit_test(test_what_trips_does_not_win),
                                       cmocka_unit_test(test_unlike_cards),
                                       cmocka_unit_test(test_kinds_of_cards),
                                       cmocka_unit_test(test_idleness_pays_nothing_back),
                                       cmocka_unit_test(test_negative_prices),
                                       cmocka_unit_test(test_mixed_purchase),
                                       cmocka_unit_test(test_short_runs_have_digits),
                                       cmocka_unit_test(test_some_parts_have_prices),
                                       cmocka_unit_test(test_efficiency_of_all_supplies),
                                       cmocka_unit_test(test_moved_cases_keep_their_sources),
                                       cmocka_unit_test(test_a_small_difference_is_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
