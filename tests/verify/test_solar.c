/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/bench.h"
#include "wattsink.h"

/* Makes a rig whose loads draw 500 W and more_w. */
static wsk_rig *rig_of(const char *site, double hours, double more_w)
{
    wsk_buf b = {0};
    wsk_buf_printf(&b,
                   "<rig name=\"meter\"><site supply=\"230 V\"><room temperature=\"25 degC\"/>%s</site>"
                   "<load name=\"a\" ac=\"300 W\"/><load name=\"b\" ac=\"%g W\"/>"
                   "<run from=\"2026-06-01T00:00:00\" zone=\"Europe/Berlin\" for=\"%g h\"/></rig>",
                   site, 200 + more_w, hours);
    wsk_buf_put(&b, "", 1);
    assert_false(b.failed);
    wsk_rig *rig = wsk_test_rig(b.data, NULL);
    wsk_buf_free(&b);
    return rig;
}

typedef struct {
    double cost, solar, solar_kwh, energy, demand, carbon, heating, heating_kwh, marginal, carbon_marginal;
} bill;

static bill bill_with(const char *site, double hours, double step_s, double more_w)
{
    wsk_rig *rig = rig_of(site, hours, more_w);
    wsk_run *run;
    wsk_summary *s;
    assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.step_s = step_s}), WSK_OK);
    assert_int_equal(wsk_run_advance(run, hours * 3600), WSK_OK);
    assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
    bill b = {.cost = wsk_summary_number(s, WSK_R_COST, 0),
              .solar = wsk_summary_number(s, WSK_R_COST_SOLAR, 0),
              .solar_kwh = wsk_summary_number(s, WSK_R_SOLAR_KWH, 0),
              .energy = wsk_summary_number(s, WSK_R_COST_ENERGY, 0),
              .demand = wsk_summary_number(s, WSK_R_COST_DEMAND, 0),
              .carbon = wsk_summary_number(s, WSK_R_CARBON, 0),
              .heating = wsk_summary_number(s, WSK_R_HEATING, 0),
              .heating_kwh = wsk_summary_number(s, WSK_R_HEATING_KWH, 0),
              .marginal = wsk_summary_number(s, WSK_R_COST_MARGINAL, 0),
              .carbon_marginal = wsk_summary_number(s, WSK_R_CARBON_MARGINAL, 0)};
    double so_far;
    assert_int_equal(wsk_run_get(run, "cost", &so_far), WSK_OK);
    assert_near(so_far, b.cost, 1e-9 * (1 + fabs(b.cost)));
    wsk_summary_free(s);
    wsk_run_free(run);
    wsk_rig_free(rig);
    return b;
}

static bill bill_of(const char *site, double hours, double step_s)
{
    return bill_with(site, hours, step_s, 0);
}

#define TARIFF "<tariff kind=\"flat\" price=\"0.30 EUR/kWh\" tax=\"20 %\" surcharge=\"0.05 EUR/kWh\"/>"
#define SOLAR(SURPLUS, MORE) "<solar surplus=\"" SURPLUS "\" feed-in=\"0.08 EUR/kWh\">" MORE "</solar>"

/* The solar surplus always exceeds the rig's power: each kWh costs the feed-in price, without tax and surcharge, and
 * causes no carbon. */
static void test_all_solar(void **state)
{
    (void)state;
    bill b = bill_of(TARIFF "<carbon intensity=\"0.4 kg/kWh\"/>" SOLAR("0:00:900 W", ""), 24, 1);
    assert_near(b.solar_kwh, 12, 1e-9);
    assert_near(b.cost, 12 * 0.08, 1e-9);
    assert_near(b.solar, 12 * 0.08, 1e-9);
    assert_near(b.energy, 0, 1e-12);
    assert_near(b.carbon, 0, 1e-12);
}

static void test_no_sun(void **state)
{
    (void)state;
    bill b = bill_of(TARIFF SOLAR("0:00:0 W", ""), 24, 1), without = bill_of(TARIFF, 24, 1);
    assert_near(b.cost, 12 * 0.35 * 1.2, 1e-9);
    assert_near(b.cost, without.cost, 1e-12);
    assert_near(b.solar_kwh, 0, 1e-12);
    assert_true(isnan(without.solar_kwh) && isnan(without.solar));
}

/* The demand charge applies to power from the grid only. */
static void test_half(void **state)
{
    (void)state;
    bill b = bill_of(
        "<tariff kind=\"flat\" price=\"0.30 EUR/kWh\"><demand price=\"10 EUR/kW\"/></tariff>" SOLAR("0:00:250 W", ""),
        24 * 30, 20);
    assert_near(b.solar, 0.25 * 720 * 0.08, 1e-6);
    assert_near(b.energy, 0.25 * 720 * 0.30, 1e-6);
    assert_near(b.demand, 0.25 * 10, 1e-6);
}

/* Solar power rises from 0 at 8:00 to 2 kW at 12:00 and falls to 0 at 16:00; each quarter of an hour is billed at its
 * mean. The first four means, 62.5, 187.5, 312.5 and 437.5 W, and the last four are below the rig's 500 W; the other
 * 24 are above. From 12:00 to 13:00 feed-in is not paid. */
static void test_triangle(void **state)
{
    (void)state;
    const char *site =
        TARIFF SOLAR("8:00:0 W, 12:00:2 kW, 16:00:0 W", "<period from=\"12:00\" to=\"13:00\" price=\"0 EUR/kWh\"/>");
    const double below = 2 * (0.0625 + 0.1875 + 0.3125 + 0.4375) / 4, own = below + 6 * 0.5;
    bill b = bill_of(site, 24, 1), coarse = bill_of(site, 24, 50);
    assert_near(b.solar_kwh, own, 1e-9);
    assert_near(b.solar, (own - 0.5) * 0.08, 1e-9);
    assert_near(b.energy, (12 - own) * 0.35 * 1.2, 1e-9);
    assert_near(b.cost, b.solar + b.energy, 1e-12);
    assert_near(coarse.cost, b.cost, 1e-9);
}

/* Feed-in prices may change within a quarter of an hour; solar power is constant in it. If several periods apply, one
 * with hours overrides one with days (1 June 2026 is a Monday), and one with both overrides either. */
static void test_feed_in_periods(void **state)
{
    (void)state;
#define UNPAID "<period from=\"12:05\" to=\"12:40\" price=\"0 EUR/kWh\"/>"
    bill b = bill_of(TARIFF SOLAR("0:00:900 W", UNPAID), 24, 1);
    assert_near(b.solar_kwh, 12, 1e-9);
    assert_near(b.solar, 0.5 * (24 - 35 / 60.0) * 0.08, 1e-9);
    b = bill_of(TARIFF SOLAR("0:00:900 W", "<period days=\"mon\" price=\"0.20 EUR/kWh\"/>" UNPAID
                                           "<period days=\"mon\" from=\"12:20\" to=\"12:30\" price=\"0.60 EUR/kWh\"/>"
                                           "<period days=\"tue\" price=\"0.90 EUR/kWh\"/>"),
                24, 1);
    assert_near(b.solar, 0.5 * ((24 - 35 / 60.0) * 0.2 + 0.6 / 6), 1e-9);
    b = bill_of(TARIFF SOLAR("0:00:900 W", "<period price=\"0.30 EUR/kWh\"/>"), 24, 1);
    assert_near(b.solar, 12 * 0.30, 1e-9);
}

/* 2026-06-01, a Monday, is made a holiday. Where no <period> of the solar power names holidays they count as Sundays,
 * whatever the tariff names. */
static void test_feed_in_on_holidays(void **state)
{
    (void)state;
#define HOLIDAY(PERIODS, WORDS) \
    "<tariff kind=\"time-of-use\"><period price=\"0.30 EUR/kWh\"/>" PERIODS \
    "<holiday date=\"2026-06-01\"/></tariff>" SOLAR("0:00:900 W", \
                                                    "<period days=\"" WORDS "\" price=\"0.01 EUR/kWh\"/>")
    assert_near(bill_of(HOLIDAY("", "weekends"), 48, 1).solar, 12 * (0.01 + 0.08), 1e-9);
    assert_near(bill_of(HOLIDAY("", "weekdays"), 48, 1).solar, 12 * (0.08 + 0.01), 1e-9);
    assert_near(bill_of(HOLIDAY("", "weekends, holidays"), 48, 1).solar, 12 * (0.01 + 0.08), 1e-9);
    assert_near(bill_of(HOLIDAY("", "weekdays, holidays"), 48, 1).solar, 12 * (0.01 + 0.01), 1e-9);
    assert_near(bill_of(HOLIDAY("<period days=\"holidays\" price=\"0.20 EUR/kWh\"/>", "weekends"), 48, 1).solar,
                12 * (0.01 + 0.08), 1e-9);
}

/* Across midnight the curve is linear from its last point to its first. */
static void test_over_midnight(void **state)
{
    (void)state;
    bill b = bill_of(TARIFF SOLAR("6:00:0 W, 18:00:400 W", ""), 24, 1);
    assert_near(b.solar_kwh, 24 * 0.2, 1e-9);
}

static void test_heating(void **state)
{
    (void)state;
    bill b = bill_of(TARIFF "<heating season=\"60 %\" price=\"0.12 EUR/kWh\" efficiency=\"0.8\" used=\"50 %\"/>", 12,
                     1),
         none = bill_of(TARIFF, 12, 1);
    const double year_kwh = 0.5 * 8760;
    assert_near(b.heating_kwh, year_kwh * 0.6 * 0.5, 1e-6);
    assert_near(b.heating, year_kwh * 0.6 * 0.5 * 0.12 / 0.8, 1e-6);
    assert_near(b.cost, none.cost, 1e-12);
    assert_true(isnan(none.heating) && isnan(none.heating_kwh));
}

static void refused_run(const char *site, const char *dates, const char *words)
{
    char rig_text[1000];
    wsk_rig *rig = NULL;
    bool told = false;
    snprintf(rig_text, sizeof rig_text,
             "<rig name=\"r\"><site supply=\"230 V\">%s</site><load ac=\"1 W\"/><run %s for=\"1 h\"/></rig>", site,
             dates);
    assert_int_equal(
        wsk_rig_load(&rig, &(wsk_rig_options){.text = rig_text, .text_len = strlen(rig_text), .path = "-"}),
        WSK_EINPUT);
    for (size_t i = 0; i < wsk_rig_messages(rig); i++) {
        int severity, line, column;
        const char *file, *text;
        wsk_rig_message(rig, i, &severity, &file, &line, &column, &text);
        told = told || (severity == 0 && strstr(text, words));
    }
    assert_true(told);
    wsk_rig_free(rig);
}

static void refused(const char *site, const char *words)
{
    refused_run(site, "from=\"2026-06-01T00:00:00\" zone=\"UTC\"", words);
}

/* The list of a year's months must have all twelve, in order, none of them below zero and not all zero. */
static void test_mistaken_months(void **state)
{
    (void)state;
    static const struct {
        int at;
        const char *month, *kwh;
    } wrong[] = {{2, "2.5", "3"}, {12, "13", "3"}, {7, "7", "-3"}, {0, "", ""}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        wsk_buf b = {0};
        wsk_buf_printf(&b, "%s<solar surplus=\"0:00:200 W\" feed-in=\"0 EUR/kWh\" months=\"", TARIFF);
        for (int month = 1; month <= 12; month++) {
            char number[4];
            snprintf(number, sizeof number, "%d", month);
            wsk_buf_printf(&b, "%s%s:%s kWh", month > 1 ? ", " : "", month == wrong[i].at ? wrong[i].month : number,
                           month == wrong[i].at ? wrong[i].kwh
                           : wrong[i].at == 0   ? "0"
                                                : "30");
        }
        wsk_buf_printf(&b, "\"/>");
        refused(b.data, "months");
        wsk_buf_free(&b);
    }
}

static void test_mistakes(void **state)
{
    (void)state;
    refused(SOLAR("0:00:1 W", ""), "needs a <tariff>");
    refused("<heating season=\"60 %\" price=\"0.12 EUR/kWh\"/>", "needs a <tariff>");
    refused(TARIFF SOLAR("0:00:-1 W", ""), "below 0 W");
    refused(TARIFF SOLAR("-1 h:1 W", ""), "a time outside the day");
    refused(TARIFF SOLAR("1 h:1 W, 25 h:2 W", ""), "a time outside the day");
    refused(TARIFF "<solar feed-in=\"0.08 EUR/kWh\"/>", "lacks surplus");
    refused(TARIFF "<heating season=\"60 %\" price=\"0.12 USD/kWh\"/>", "USD");
    refused(TARIFF SOLAR("0:00:1 W", UNPAID "<period name=\"noon\" from=\"12:30\" to=\"13:00\" price=\"0.1 "
                                            "EUR/kWh\"/>"),
            "both cover 12:30 on Monday");
    refused(TARIFF SOLAR("0:00:1 W", "<period days=\"weekdays\" price=\"0.1 EUR/kWh\"/><period days=\"fri\" "
                                     "price=\"0.2 EUR/kWh\"/>"),
            "both cover 00:00 on Friday");
}

/* If the tariff itself needs no date, the message says that <solar> needs one. */
static void test_missing_dates(void **state)
{
    (void)state;
    static const char *const tariffs[] = {TARIFF, "<tariff kind=\"flat\" price=\"0.3 EUR/kWh\"><demand price=\"1 "
                                                  "EUR/kW\"/></tariff>"};
    static const char *const runs[] = {"", "from=\"2026-06-01T00:00:00\""};
    for (int i = 0; i < 4; i++) {
        char site[500];
        snprintf(site, sizeof site, "%s%s", tariffs[i % 2], SOLAR("0:00:1 W", ""));
        refused_run(site, runs[i / 2], i % 2 ? "the tariff depends on" : "<solar> depends on");
    }
}

/* June yields twice as much per day as the other months. A year then has 395 such days instead of 365: a day's
 * surplus is 365/395 of the mean day's in July, and twice that in June. */
static void test_months(void **state)
{
    (void)state;
#define YIELDS(JUNE) \
    "<solar surplus=\"0:00:200 W\" feed-in=\"0.08 EUR/kWh\" months=\"1:31 kWh, 2:28 kWh, 3:31 kWh, 4:30 kWh, 5:31 " \
    "kWh, 6:" JUNE ", 7:31 kWh, 8:31 kWh, 9:30 kWh, 10:31 kWh, 11:30 kWh, 12:31 kWh\"/>"
    const double july_w = 200 * 365 / 395.0, june_w = 2 * july_w;
    bill b = bill_of(TARIFF YIELDS("60 kWh"), 31 * 24, 50);
    assert_rel(b.solar_kwh, (30 * june_w + july_w) * 24 / 1000, 1e-9);
    assert_rel(b.solar, 0.08 * b.solar_kwh, 1e-9);
    /* if all months yield the same per day, each day is the mean day; a list of fewer than twelve months is
     * refused */
    assert_rel(bill_of(TARIFF YIELDS("30 kWh"), 31 * 24, 50).solar_kwh, 200 * 31 * 24 / 1000.0, 1e-9);
    wsk_rig *rig = NULL;
    static const char bad[] =
        "<rig><site>" TARIFF "<solar surplus=\"0:00:200 W\" feed-in=\"0 EUR/kWh\" months=\"1:31 kWh, 2:28 "
        "kWh\"/></site><run from=\"2026-06-01T00:00:00\" zone=\"Europe/Berlin\"/></rig>";
    assert_int_equal(wsk_rig_load(&rig, &(wsk_rig_options){.path = "-", .text = bad, .text_len = strlen(bad)}),
                     WSK_EINPUT);
    wsk_rig_free(rig);
}

/* One more joule costs the price where the load exceeds the solar power, else the lost feed-in payment. The marginal
 * cost is compared with the difference between the bills for 0.1 % more and 0.1 % less load. */
static void test_slope(void **state)
{
    (void)state;
#define SUN "<carbon intensity=\"0.4 kg/kWh\"/>" SOLAR("6:00:0 W, 13:00:610 W, 20:00:0 W", "")
    static const char *const sites[] = {
        TARIFF SUN, "<tariff kind=\"flat\" price=\"0.30 EUR/kWh\" minimum-month=\"300 EUR\"/>" SUN,
        "<tariff kind=\"blocks\"><block up-to=\"100 kWh\" price=\"0.10 EUR/kWh\"/><block price=\"0.60 "
        "EUR/kWh\"/></tariff>" SUN,
        "<tariff kind=\"flat\" price=\"0.30 EUR/kWh\"><demand price=\"10 EUR/kW\"/></tariff>" SUN,
        "<tariff kind=\"flat\" price=\"0.30 EUR/kWh\"><demand price=\"10 EUR/kW\" from=\"8:45\" "
        "to=\"9:15\"/></tariff>" SUN};
    for (size_t i = 0; i < sizeof sites / sizeof *sites; i++) {
        const bill less = bill_with(sites[i], 24 * 30, 50, -0.5), more = bill_with(sites[i], 24 * 30, 50, 0.5),
                   as_is = bill_of(sites[i], 24 * 30, 50);
        assert_rel(as_is.marginal, (more.cost - less.cost) / 0.002, 1e-6);
        assert_rel(as_is.carbon_marginal, (more.carbon - less.carbon) / 0.002, 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_solar),
                                       cmocka_unit_test(test_no_sun),
                                       cmocka_unit_test(test_half),
                                       cmocka_unit_test(test_triangle),
                                       cmocka_unit_test(test_feed_in_periods),
                                       cmocka_unit_test(test_feed_in_on_holidays),
                                       cmocka_unit_test(test_over_midnight),
                                       cmocka_unit_test(test_heating),
                                       cmocka_unit_test(test_mistakes),
                                       cmocka_unit_test(test_missing_dates),
                                       cmocka_unit_test(test_mistaken_months),
                                       cmocka_unit_test(test_months),
                                       cmocka_unit_test(test_slope)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
