/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sources are included, because the command-line program has no library to link. */
#ifndef WSK_TESTS_CLI_COMPARE_CASES_H
#define WSK_TESTS_CLI_COMPARE_CASES_H
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/kit/text.c" /* first, because later sources define file-scope names equal to local names in text.c
                           * (-Wshadow) */
#include "cli/compare/case.c"
#include "cli/compare/differs.c"
#include "cli/compare/spread.c"
#include "cli/compare/table.c"
#include "cli/compare/text.c"
#include "cli/compare/verdict.c"
#include "cli/kit/files.c"
#include "cli/kit/json.c"

static const char SUMMARY[] = "{ \"energy\": { \"dc_kwh\": 100, \"psu_loss_kwh\": 10, \"room_cooling_kwh\": null },"
                              " \"gpus\": [ { \"die_max_c\": 83 } ], \"work\": { \"lost_fraction\": 0.1 } }";

static inline const wsk_elements *elements_of(const char *xml)
{
    const wsk_elements *list = NULL;
    char *text = wsk_cli_format("<rig>%s</rig>", xml);
    assert_int_equal(wsk_elements_read(text, strlen(text), &list), WSK_OK);
    free(text);
    return list;
}

static const wsk_cli_finance FINANCE = {.rate = 0.05, .years = 5, .cloud = NAN};

/* The summary is never freed. The static array keeps a pointer to it, so that leak checkers do not report it. */
static wsk_summary *summary_of(const char *json)
{
    static wsk_summary **kept[256];
    static size_t n;
    wsk_summary **all = NULL;
    size_t count;
    assert_int_equal(wsk_summaries_read(&all, &count, json, strlen(json), NULL), WSK_OK);
    assert_true(n < sizeof kept / sizeof *kept);
    kept[n++] = all;
    return all[0];
}

static wsk_cli_case make(const char *label, double limit_w, double work, double annual, double purchase)
{
    wsk_cli_case c = {
        .elastic = 1,
        .elastic_carbon = 1,
        .site_below = NAN,
        .wall_below = NAN,
        .site_above = NAN,
        .wall_above = NAN,
        .noise_below = NAN,
        .noise_above = NAN,
        .hottest_c = NAN,
        .summary = summary_of(SUMMARY),
        .simulated_s = 365 * 86400.0,
        .wall_kwh = 110,
        .cost = annual,
        .annual = annual,
        .work = work,
        .purchase = purchase,
        .payback_years = NAN,
        .npv = NAN,
        .limit_w = limit_w,
        .lock_mhz = NAN,
        .supply_peak = NAN,
        .circuit_peak = NAN,
        .circuit_share = 0,
        .cost_per_work = annual / work,
        .worth = 1,
        .count = NAN,
        .same_unpriced = true,
        .cloud = {.own = NAN, .gpu_h = NAN, .hours = NAN, .hours_per_year = NAN, .years_at_this_use = NAN},
        .currency = "USD"};
    total(&c, &FINANCE);
    c.label = wsk_cli_format("%s", label);
    return c;
}

static char *words_with(wsk_cli_case *cases, size_t count, wsk_cli_finance finance)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    assert_non_null(out);
    const wsk_cli_comparison all = {.cases = cases, .count = count, .finance = finance};
    wsk_cli_compare_text(out, &all);
    fclose(out);
    for (size_t i = 0; i < count; i++) {
        free(cases[i].label);
        free(cases[i].sources);
    }
    return text;
}

static inline char *words(wsk_cli_case *cases, size_t count)
{
    return words_with(cases, count, FINANCE);
}

/* Line breaks do not matter, because the program wraps at 80 columns. */
static void assert_says(const char *text, const char *wanted)
{
    char *flat = wsk_cli_format("%s", text);
    size_t n = 0;
    for (const char *p = text; *p; p++)
        if (!strchr(" \n", *p) || (n && flat[n - 1] != ' '))
            flat[n++] = *p == '\n' ? ' ' : *p;
    flat[n] = '\0';
    if (!strstr(flat, wanted))
        fail_msg("no \"%s\" in: %s", wanted, text);
    free(flat);
}

static inline void assert_close(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted)))
        fail_msg("%.12g, expected %.12g", got, wanted);
}

#endif
