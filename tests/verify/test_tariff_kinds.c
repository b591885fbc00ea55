/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The billing that is made of a tariff: blocks by season, days of standing charges, names of periods. */
#include <string.h>

#include "sim/base/calendar.h"
#include "sim/books/bill.h"
#include "sim/net/tariff.h"
#include "tests/support/bench.h"

static const wsk_billing *billing_of(const char *site, const char *spec, wsk_run **run, wsk_rig **rig)
{
    char xml[1000];
    snprintf(xml, sizeof xml, "<rig><site supply='115 V'>%s</site>%s<chassis kind='frame' slots='2'/></rig>", site,
             spec);
    *rig = wsk_test_rig(xml, NULL);
    *run = wsk_test_run(*rig, WSK_STEPPER_FAST, 0);
    return (*run)->net->billing;
}

#define RUN "<run from='2026-03-01' zone='UTC' for='1 d'/>"
#define BLOCKS(season, low, high) \
    "<block " season "up-to='1000 kWh' price='" low " USD/kWh'/><block " season "price='" high " USD/kWh'/>"

/* Blocks may end at the same energy in different seasons. Each season has its own prices. */
static void blocks_differ_by_season(void **state)
{
    (void)state;
    wsk_run *run;
    wsk_rig *rig;
    const wsk_billing *b = billing_of("<tariff kind='blocks'><season name='s' from='1-1' to='6-30'/><season name='t' "
                                      "from='7-1' to='12-31'/>" BLOCKS("season='s' ", "1", "2")
                                          BLOCKS("season='t' ", "5", "6") "</tariff>",
                                      RUN, &run, &rig);
    const double kwh = 3.6e6;
    assert_int_equal(b->n_blocks, 4);
    for (int season = 0; season < 2; season++) {
        const double low = season ? 5 : 1, high = season ? 6 : 2;
        assert_rel(wsk_blocks_cost(b, season, 0, 600 * kwh, 1), 600 * low, 1e-12);
        assert_rel(wsk_blocks_cost(b, season, 0, 2500 * kwh, 1), 1000 * low + 1500 * high, 1e-12);
        assert_rel(wsk_blocks_cost(b, season, 1800 * kwh, 2500 * kwh, 1), 700 * high, 1e-12);
        assert_rel(wsk_blocks_cost(b, season, 0, 1000 * kwh, 0.5), 500 * low + 500 * high, 1e-12);
    }
    wsk_test_drop(run, rig);
}

/* Bills a year of equal days, once at 1 kW all day and once for each hour of the day with 2 kW in this hour. */
static void each_hour_of_a_day_is_billed(void **state)
{
    (void)state;
    wsk_run *run;
    wsk_rig *rig;
    const wsk_billing *b =
        billing_of("<tariff kind='time-of-use' tax='10 %'><period from='16:00' to='21:00' price='0.5 "
                   "USD/kWh'/><period price='0.2 USD/kWh'/><demand price='3 USD/kW'/></tariff>",
                   RUN, &run, &rig);
    double watts[24];
    for (int h = -1; h < 24; h++) {
        for (int k = 0; k < 24; k++)
            watts[k] = k == h ? 2000 : 1000;
        const double energy = 365 * (5 * 0.5 + 19 * 0.2 +
                                     (h < 0               ? 0
                                      : h >= 16 && h < 21 ? 0.5
                                                          : 0.2)),
                     demand = 12 * 3 * (h < 0 ? 1 : 2);
        assert_rel(wsk_bill_of_hours(b, watts), 1.1 * (energy + demand), 1e-9);
    }
    wsk_test_drop(run, rig);
}

/* A daily standing charge counts calendar days if the run has a zone and a date, else days of 24 hours. */
static void days_of_a_standing_charge(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        bool dated;
    } cases[] = {{"<run zone='UTC' for='1 d'/>", false},
                 {"<run from='2026-03-01' for='1 d'/>", false},
                 {"<run from='2026-03-01' zone='UTC' for='1 d'/>", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_run *run;
        wsk_rig *rig;
        const wsk_billing *b =
            billing_of("<tariff kind='flat' price='1 USD/kWh' standing-day='1 USD'/>", cases[i].spec, &run, &rig);
        assert_int_equal(b->dated, cases[i].dated);
        assert_string_equal(b->names[0], "energy");
        wsk_test_drop(run, rig);
    }
}

static void nameless_periods_are_energy(void **state)
{
    (void)state;
    wsk_run *run;
    wsk_rig *rig;
    const wsk_billing *b = billing_of("<tariff kind='time-of-use'><period name='' from='6:00' to='9:00' price='1 "
                                      "USD/kWh'/><period price='2 USD/kWh'/></tariff>",
                                      RUN, &run, &rig);
    assert_int_equal(b->n_periods, 2);
    assert_int_equal(b->n_names, 1);
    assert_string_equal(b->names[0], "energy");
    wsk_test_drop(run, rig);
}

/* A demand charge with a season is due for the days of the month that lie both in its season and in the run. */
static void demand_of_a_season_is_prorated_once(void **state)
{
    (void)state;
    static const struct {
        const char *from;
        int days;
        double due;
    } cases[] = {{"2026-09-01", 30, 10},
                 {"2026-09-01", 15, 10},
                 {"2026-09-11", 10, 20 * 5 / 30.0},
                 {"2026-09-16", 15, 0},
                 {"2026-08-27", 10, 20 * 5 / 30.0},
                 {"2026-09-13", 1, 20 / 30.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char run_text[100];
        wsk_run *run;
        wsk_rig *rig;
        wsk_bill bill;
        const int64_t end = (int64_t)cases[i].days * 24 * 3600 * WSK_NS;
        snprintf(run_text, sizeof run_text, "<run from='%s' zone='Europe/Berlin' for='%d d'/>", cases[i].from,
                 cases[i].days);
        const wsk_billing *b = billing_of("<tariff kind='flat' price='0 USD/kWh'><season name='s' from='09-01' "
                                          "to='09-15'/><demand season='s' price='20 USD/kW'/></tariff>",
                                          run_text, &run, &rig);
        wsk_bill_open(&bill, b, 0, end);
        wsk_bill_add(&bill, b, 0, end, 1000);
        wsk_bill_close(&bill, b, end);
        assert_near(wsk_sum_value(&bill.demand), cases[i].due, 1e-9);
        wsk_test_drop(run, rig);
    }
}

/* A season may have several spans, which may touch and overlap, and may pass the end of the year. Both ends belong to
 * it. */
static void a_season_of_several_spans(void **state)
{
    (void)state;
    wsk_run *run;
    wsk_rig *rig;
    const wsk_billing *b = billing_of(
        "<tariff kind='time-of-use'><season name='s' from='5-1' to='6-30'/><season name='w' from='11-1' to='2-28'/>"
        "<season name='s' from='6-15' to='7-4'/><season name='s' from='9-1' to='9-30'/>"
        "<period season='s' price='3 USD/kWh'/><period season='w' price='2 USD/kWh'/><period price='1 USD/kWh'/>"
        "</tariff>",
        RUN, &run, &rig);
    int of[3] = {0};
    unsigned index[3] = {0};
    for (int64_t day = wsk_days_of(2027, 1, 1); day < wsk_days_of(2029, 1, 1); day++) {
        const wsk_date date = wsk_date_of(day * 86400);
        const int at = 100 * date.month + date.day, found = wsk_season_of(&b->seasons, &date);
        const bool summer = (at >= 501 && at <= 704) || (at >= 901 && at <= 930), winter = at >= 1101 || at <= 229;
        const char *name = found < 0 ? "none" : b->seasons.list[found].name;
        if (strcmp(name, summer ? "s" : winter ? "w" : "none") != 0)
            fail_msg("%d-%d-%d is in season %s", date.year, date.month, date.day, name);
        of[summer ? 1 : winter ? 2 : 0]++;
        index[summer ? 1 : winter ? 2 : 0] |= 1u << (found + 1);
    }
    assert_int_equal(of[1], 2 * (31 + 30 + 4 + 30));
    assert_int_equal(of[2], 2 * (30 + 31 + 31 + 28) + 1); /* 28 February stands for the end of the month */
    for (int i = 0; i < 3; i++)                           /* all spans of a season have one index */
        assert_true(index[i] != 0 && (index[i] & (index[i] - 1)) == 0);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_differ_by_season),
        cmocka_unit_test(each_hour_of_a_day_is_billed),
        cmocka_unit_test(days_of_a_standing_charge),
        cmocka_unit_test(nameless_periods_are_energy),
        cmocka_unit_test(demand_of_a_season_is_prorated_once),
        cmocka_unit_test(a_season_of_several_spans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
