/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include "tests/unit/cli_compare_cases.h"

/* Four own cards cost 6,000 USD and 0.10 USD of electricity per GPU-hour; a rented GPU-hour costs 2.50 USD. Each own
 * GPU-hour saves 2.40 USD, so the purchase is paid after 2,500 GPU-hours: 625 hours of all four cards. Over five
 * years without interest these are 125 hours a year; at 5 % interest (annuity factor 4.3294767) 144.36 hours a
 * year. */
static void test_cloud(void **state)
{
    (void)state;
    static char json[] = "{ \"gpus\": [ {}, {}, {}, {} ] }";
    wsk_cli_case c = make("own", NAN, 10000, 1000, 6000);
    wsk_cli_finance f = FINANCE;
    c.summary = summary_of(json);
    f.cloud = 2.5;
    strcpy(f.cloud_currency, "USD");
    rent(&c, &f);
    assert_close(c.cloud.gpu_h, 2500);
    assert_close(c.cloud.hours, 625);
    assert_close(c.cloud.years_at_this_use, 0.25);
    assert_true(fabs(c.cloud.hours_per_year - 144.36) < 0.01);
    f.rate = 0;
    rent(&c, &f);
    assert_close(c.cloud.hours_per_year, 125);
    f.cloud = 0.09;
    rent(&c, &f);
    assert_true(c.cloud.never && isnan(c.cloud.gpu_h));
    f.cloud = 2.5;
    strcpy(f.cloud_currency, "EUR");
    rent(&c, &f);
    assert_true(!c.cloud.never && isnan(c.cloud.gpu_h));
    free(c.label);
}

static void test_cloud_words(void **state)
{
    (void)state;
    wsk_cli_finance f = FINANCE;
    f.cloud = 0.15;
    strcpy(f.cloud_currency, "USD");
    wsk_cli_case cases[] = {make("good", NAN, 1000, 100, 60000), make("bad", NAN, 100, 100, 6000)};
    for (int i = 0; i < 2; i++)
        rent(&cases[i], &f);
    char *text = words_with(cases, 2, f);
    assert_says(
        text, "good: breaks even after 1200000 hours of all its cards at full throughput, 1200.0 years at this use. "
              "Not in a 5-year period at 5 % interest: that would take 277170 such hours a year; a year at the "
              "throughput of its cards has 8760.");
    assert_says(text, "bad: never breaks even: its electricity alone costs 1.0000 USD per GPU-hour of work.");
    free(text);
}

/* A card at half of the full throughput, by its limit and by heat, costs 0.10 USD of electricity per GPU-hour of work.
 * Over five years without interest its purchase is paid back by 5,000 GPU-hours a year. A year of its work has 4,380:
 * it never does so much. 4,000 it does. */
static void test_hours_that_a_slow_machine_has(void **state)
{
    (void)state;
    static char json[] = "{ \"gpus\": [ {} ], \"work\": { \"done\": 4380, \"unthrottled\": 7008, \"lost_fraction\": "
                         "0.375, \"lost_to_limit_fraction\": 0.2 } }";
    wsk_cli_finance f = {.rate = 0, .years = 5, .cloud = 1.1};
    strcpy(f.cloud_currency, "USD");
    wsk_cli_case cases[] = {make("dear", NAN, 4380, 438, 25000), make("cheap", NAN, 4380, 438, 20000)};
    for (int i = 0; i < 2; i++) {
        cases[i].summary = summary_of(json);
        rent(&cases[i], &f);
    }
    char *text = words_with(cases, 2, f);
    assert_says(text,
                "dear: breaks even after 25000 hours of all its cards at full throughput, 5.7 years at this use. "
                "Not in a 5-year period at 0 % interest: that would take 5000 such hours a year; a year at the "
                "throughput of its cards has 4380.");
    assert_says(text,
                "cheap: breaks even after 20000 hours of all its cards at full throughput, 4.6 years at this use. "
                "In a 5-year period at 0 % interest: from 4000 such hours a year.");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cloud), cmocka_unit_test(test_cloud_words),
                                       cmocka_unit_test(test_hours_that_a_slow_machine_has)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
