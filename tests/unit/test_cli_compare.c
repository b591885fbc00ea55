/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of a comparison, on cases made by hand. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/compare_text.c"
#include "cli/files.c"
#include "cli/json.c"

static const char SUMMARY[] = "{ \"energy\": { \"dc_kwh\": 100, \"psu_loss_kwh\": 10, \"room_cooling_kwh\": null },"
                              " \"gpus\": [ { \"die_max_c\": 83 } ], \"work\": { \"lost_fraction\": 0.1 } }";

static wsk_cli_case make(const char *label, double limit_w, double work, double annual, double purchase)
{
    static char json[sizeof SUMMARY];
    memcpy(json, SUMMARY, sizeof json);
    wsk_cli_case c = {.json = json,
                      .simulated_s = 365 * 86400.0,
                      .wall_kwh = 110,
                      .cost = annual,
                      .annual = annual,
                      .work = work,
                      .purchase = purchase,
                      .payback_years = NAN,
                      .npv = NAN,
                      .limit_w = limit_w,
                      .cost_per_work = annual / work,
                      .currency = "USD"};
    c.label = wsk_cli_format("%s", label);
    return c;
}

static char *words(wsk_cli_case *cases, size_t count)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    assert_non_null(out);
    wsk_cli_compare_text(out, cases, count, false);
    fclose(out);
    for (size_t i = 0; i < count; i++)
        free(cases[i].label);
    return text;
}

/* Measured on a V100: 250 W did less than 175 W. */
static void test_more_power_less_work(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("175W", 175, 100, 20, 1000), make("200W", 200, 104, 22, 1000),
                            make("250W", 250, 80, 26, 1000)};
    char *text = words(cases, 3);
    assert_non_null(strstr(text, "250W has the higher power limit (250 W against 200 W)"));
    assert_non_null(strstr(text, "LESS work than 200W"));
    assert_null(strstr(text, "200W has the higher"));
    assert_non_null(strstr(text, "Winner: 200W"));
    free(text);
}

static void test_order_does_not_matter(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("250W", 250, 80, 26, 1000), make("175W", 175, 100, 20, 1000)};
    char *text = words(cases, 2);
    assert_non_null(strstr(text, "250W has the higher power limit"));
    free(text);
}

static void test_more_work_is_no_inversion(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("175W", 175, 100, 20, 1000), make("250W", 250, 120, 26, 1000)};
    char *text = words(cases, 2);
    assert_null(strstr(text, "LESS"));
    free(text);
}

/* Cheap electricity does not win over a machine that stands still. */
static void test_purchase_counts(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("throttled", NAN, 100, 20, 5000), make("cool", NAN, 150, 33, 5000)};
    char *text = words(cases, 2);
    assert_non_null(strstr(text, "Winner: cool"));
    free(text);
    wsk_cli_case unpriced[] = {make("throttled", NAN, 100, 20, NAN), make("cool", NAN, 150, 33, NAN)};
    text = words(unpriced, 2);
    assert_non_null(strstr(text, "Winner: throttled"));
    assert_non_null(strstr(text, "electricity alone"));
    assert_non_null(strstr(text, "cool does the most work, 50.0 % more"));
    free(text);
}

/* What nobody knows has no column. */
static void test_unknown_columns(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("a", NAN, NAN, 20, NAN), make("b", NAN, NAN, 19, NAN)};
    char *text = words(cases, 2);
    assert_null(strstr(text, "purchase"));
    assert_null(strstr(text, "noise"));
    assert_null(strstr(text, "nan"));
    assert_non_null(strstr(text, "Winner: b"));
    free(text);
}

/* Prices are never converted, and times never mixed. */
static void test_currencies_apart(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("dollars", NAN, 100, 20, 1000), make("euros", NAN, 100, 30, 1000)};
    strcpy(cases[1].currency, "EUR");
    char *text = words(cases, 2);
    assert_non_null(strstr(text, "never converted: 20.00 USD, 30.00 EUR."));
    assert_non_null(strstr(text, "No winner: the cases are paid in different currencies"));
    assert_null(strstr(text, "per work"));
    assert_null(strstr(text, "more to run"));
    assert_null(strstr(text, "All in"));
    free(text);
}

static void test_parts_in_another_currency(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("a", NAN, 100, 20, 1000), make("b", NAN, 100, 30, 1200)};
    strcpy(cases[0].purchase_currency, "EUR");
    strcpy(cases[1].purchase_currency, "EUR");
    char *text = words(cases, 2);
    assert_non_null(strstr(text, "no payback"));
    assert_non_null(strstr(text, "200 EUR more to buy"));
    assert_null(strstr(text, "all in"));
    assert_non_null(strstr(text, "electricity alone"));
    free(text);
}

static void test_times_apart(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("year", NAN, 100, 20, 1000), make("two", NAN, 200, 20, 1000)};
    cases[1].simulated_s *= 2;
    char *text = words(cases, 2);
    assert_null(strstr(text, "Over "));
    assert_null(strstr(text, "energy"));
    assert_null(strstr(text, "more work"));
    assert_non_null(strstr(text, "The cases last 365.0 d, 730.0 d"));
    assert_non_null(strstr(text, "No winner: the cases last differently long"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_more_power_less_work),      cmocka_unit_test(test_order_does_not_matter),
        cmocka_unit_test(test_more_work_is_no_inversion), cmocka_unit_test(test_purchase_counts),
        cmocka_unit_test(test_unknown_columns),           cmocka_unit_test(test_currencies_apart),
        cmocka_unit_test(test_parts_in_another_currency), cmocka_unit_test(test_times_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
