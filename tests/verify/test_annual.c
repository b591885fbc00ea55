/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a year costs by a run: docs/theory/money.md. When a run lacks hours or days that have other prices, heat that
 * replaces heating, and a year of days that are alike. */
#include <math.h>
#include <stdio.h>

#include "sim/books/books.h"
#include "tests/support/bench.h"

#define RIG(site) \
    "<rig><site supply='115 V'><room temperature='25 degC'/>" site "</site><chassis kind='frame' slots='2'/>" \
    "<load ac='1 kW'/><run from='2026-03-02T00:00:00' zone='UTC' for='20 d'/></rig>"
#define HOURS \
    "<period name='day' price='0.4 EUR/kWh' from='7:00' to='21:00'/><period name='night' price='0.1 EUR/kWh'/>"
#define DAYS "<period name='week' price='0.4 EUR/kWh' days='weekdays'/><period name='end' price='0.1 EUR/kWh'/>"

static void test_hours_and_days_that_a_run_lacks(void **state)
{
    (void)state;
    static const struct {
        const char *site;
        double hours;
        bool partial;
    } of[] = {
        {RIG("<tariff kind='flat' price='0.3 EUR/kWh'/>"), 5, false},
        {RIG("<tariff kind='time-of-use'>" HOURS "</tariff>"), 5, true},
        {RIG("<tariff kind='time-of-use'>" HOURS "</tariff>"), 24, false},
        {RIG("<tariff kind='time-of-use'>" HOURS "</tariff>"), 36, true},
        {RIG("<tariff kind='time-of-use'>" HOURS "</tariff>"), 48, false},
        {RIG("<tariff kind='time-of-use'>" HOURS "</tariff>"), 180, false},
        {RIG("<tariff kind='time-of-use'>" DAYS "</tariff>"), 24, true},
        {RIG("<tariff kind='time-of-use'>" DAYS "</tariff>"), 167, true},
        {RIG("<tariff kind='time-of-use'>" DAYS "</tariff>"), 168, false},
        {RIG("<tariff kind='flat' price='0.3 EUR/kWh'><demand price='9 EUR/kW' from='7:00' to='9:00'/></tariff>"), 5,
         true},
        {RIG("<tariff kind='flat' price='0.3 EUR/kWh'><demand price='9 EUR/kW' from='7:00' to='9:00'/></tariff>"), 24,
         false},
        {RIG("<tariff kind='flat' price='0.3 EUR/kWh'><demand price='9 EUR/kW' days='weekdays'/></tariff>"), 24,
         true},
        {RIG("<tariff kind='flat' price='0.3 EUR/kWh'><demand price='9 EUR/kW'/></tariff>"), 5, false},
        {RIG("<tariff kind='flat' price='0.3 EUR/kWh'/><solar surplus='0:00:200 W' feed-in='0.08 EUR/kWh'/>"), 5,
         false},
        {RIG("<tariff kind='flat' price='0.3 EUR/kWh'/><solar surplus='8:00:0 W, 12:00:500 W, 16:00:0 W' "
             "feed-in='0.08 EUR/kWh'/>"),
         5, true},
        {RIG("<tariff kind='flat' price='0.3 EUR/kWh'/><solar surplus='8:00:0 W, 12:00:500 W, 16:00:0 W' "
             "feed-in='0.08 EUR/kWh'/>"),
         24, false},
        {RIG("<tariff kind='flat' price='0.3 EUR/kWh'/><solar surplus='0:00:200 W' "
             "feed-in='0.05 EUR/kWh'><period price='0.1 EUR/kWh' days='weekdays'/></solar>"),
         24, true},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(of[i].site, of[i].hours * 3600, &rig);
        if (wsk_bill_account(run).annual_partial != of[i].partial)
            fail_msg("case %zu: %g h are %s", i, of[i].hours, of[i].partial ? "enough" : "too few");
        wsk_test_drop(run, rig);
    }
}

/* Of the rig's heat, here that of 1 kW, a year brings 8,760 kWh. In the season the used share of it replaces heating,
 * whose fuel costs price over efficiency. */
static void test_heat_that_replaces_heating(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(RIG("<tariff kind='flat' price='0.3 EUR/kWh'/>"
                                       "<heating season='40 %' price='0.12 EUR/kWh' efficiency='0.8' used='70 %'/>"),
                                   7200, &rig);
    const wsk_account a = wsk_bill_account(run);
    assert_rel(a.heating_j / 3.6e6, 8760 * 0.4 * 0.7, 1e-9);
    assert_rel(a.heating, 8760 * 0.4 * 0.7 * 0.12 / 0.8, 1e-9);
    assert_rel(a.cost, 2 * 0.3, 1e-9);
    assert_rel(a.annual, 8760 * 0.3, 1e-9);
    wsk_test_drop(run, rig);
}

/* Of 1 kW, 200 W come from own solar power, for which the grid would have paid 0.05 EUR/kWh, and 0.1 on workdays
 * between 6:00 and 18:00. The run begins on a Monday. */
static void test_own_power_by_the_hour(void **state)
{
    (void)state;
    static const char site[] = RIG("<tariff kind='flat' price='0.3 EUR/kWh'/><solar surplus='0:00:200 W' "
                                   "feed-in='0.05 EUR/kWh'><period price='0.1 EUR/kWh' days='weekdays' from='6:00' "
                                   "to='18:00'/></solar>");
    for (int days = 1; days <= 8; days++) {
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(site, days * 86400.0, &rig);
        const wsk_account a = wsk_bill_account(run);
        const int workdays = days <= 5 ? days : days <= 7 ? 5 : 6;
        const double lost = 0.2 * (24 * 0.05 * days + 12 * (0.1 - 0.05) * workdays), bought = 0.8 * 24 * 0.3 * days;
        assert_rel(a.solar_j / 3.6e6, 0.2 * 24 * days, 1e-9);
        assert_rel(a.solar, lost, 1e-9);
        assert_rel(a.energy, bought, 1e-9);
        assert_rel(a.cost, bought + lost, 1e-9);
        wsk_test_drop(run, rig);
    }
}

/* A year of days with 2 kW at night, from 21:00 to 7:00, and 1 kW by day. */
static void test_a_year_of_hours(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(RIG("<tariff kind='time-of-use' tax='20 %'>" HOURS "</tariff>"), 60, &rig);
    double watts[24];
    for (int h = 0; h < 24; h++)
        watts[h] = h >= 7 && h < 21 ? 1000 : 2000;
    assert_rel(wsk_bill_of_hours(run->net->billing, watts), 365 * 1.2 * (14 * 0.4 + 20 * 0.1), 1e-9);
    for (int h = 0; h < 24; h++)
        watts[h] = 1000;
    assert_rel(wsk_bill_of_hours(run->net->billing, watts), 365 * 1.2 * (14 * 0.4 + 10 * 0.1), 1e-9);
    watts[23] = 0;
    assert_rel(wsk_bill_of_hours(run->net->billing, watts), 365 * 1.2 * (14 * 0.4 + 9 * 0.1), 1e-9);
    watts[23] = 1000;
    watts[0] = 0;
    assert_rel(wsk_bill_of_hours(run->net->billing, watts), 365 * 1.2 * (14 * 0.4 + 9 * 0.1), 1e-9);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hours_and_days_that_a_run_lacks), cmocka_unit_test(test_heat_that_replaces_heating),
        cmocka_unit_test(test_own_power_by_the_hour), cmocka_unit_test(test_a_year_of_hours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
