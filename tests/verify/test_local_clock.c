/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inputs by the time of day follow the local clock, also over its changes. In New York the clock goes back at 2:00 on
 * 2026-11-01 and forward at 2:00 on 2027-03-14. */
#include "sim/books/books.h"
#include "tests/verify/workloads.h"

static const double hour_s = 3600;

#define ROOM(room, inside, cards, work, from, zone) \
    "<rig><site supply='120 V' circuit='15 A'>" room inside \
    "</site><chassis slots='20' intake-loss='0' wall-gap='1 m'>" \
    "<vent at='side' area='100 m2'/><vent at='side' area='100 m2'/><vent at='front' area='100 m2'/>" \
    "<fan at='front' diameter='1 m' pressure='10 Pa' flow='20 m3/s' rpm='100 rpm' power='0 W'/>" cards \
    "</chassis>" work "<run from='" from "T00:00:00' zone='" zone "' for='2 d'/></rig>"
#define COOL "<room temperature='25 degC'/>"
#define NIGHT \
    "<workload kind='inference' class='training' load-curve='0 h:100 %, 5.999 h:100 %, 6 h:0 %, 23.999 h:0 %'/>"
#define STEADY "<workload kind='constant' class='training'/>"
#define LIMITS "limit-schedule='0:00:250 W, 6:00:150 W'"

#define CHANGE(from, zone, six_h) \
    { \
        ROOM(COOL, "", CARD("1", ""), NIGHT, from, zone), ROOM(COOL, "", CARD("1", LIMITS), STEADY, from, zone), \
            ROOM("<room volume='30 m3'><outdoor mean='10 degC' swing='8 K' warmest='15 h'/></room>", "", \
                 CARD("1", ""), STEADY, from, zone), \
            six_h \
    }
/* six_h: 6:00 on the day of the change, in hours from 0:00 of the day before */
static const struct {
    const char *work, *limit, *outdoor;
    double six_h;
} changes[] = {CHANGE("2026-10-31", "America/New_York", 31), CHANGE("2027-03-13", "America/New_York", 29),
               CHANGE("2026-10-31", "America/Phoenix", 30)};
enum { CHANGES = sizeof changes / sizeof *changes };

static void test_hours_of_work(void **state)
{
    (void)state;
    for (size_t i = 0; i < CHANGES; i++) {
        wsk_rig *rig = wsk_test_rig(changes[i].work, NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 48 * hour_s);
        wsk_test_advance(run, 24 * hour_s);
        const double before = work_s(run, 0);
        wsk_test_advance(run, 46 * hour_s);
        assert_rel((work_s(run, 0) - before) / before, (changes[i].six_h - 24) / 6, 1e-3);
        wsk_test_drop(run, rig);
    }
}

static void test_limits_by_the_hour(void **state)
{
    (void)state;
    for (size_t i = 0; i < CHANGES; i++) {
        wsk_rig *rig = wsk_test_rig(changes[i].limit, NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 48 * hour_s);
        const double times[] = {6, 24, changes[i].six_h};
        for (int k = 0; k < 3; k++) {
            wsk_test_advance(run, times[k] * hour_s - 1);
            assert_near(run->cards[0].limit_w, k % 2 ? 150 : 250, 1e-9);
            wsk_test_advance(run, times[k] * hour_s + 1);
            assert_near(run->cards[0].limit_w, k % 2 ? 250 : 150, 1e-9);
        }
        wsk_test_drop(run, rig);
    }
}

static void test_outdoor_air(void **state)
{
    (void)state;
    for (size_t i = 0; i < CHANGES; i++) {
        wsk_rig *rig = wsk_test_rig(changes[i].outdoor, NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 48 * hour_s);
        const double warmest_h[] = {15, changes[i].six_h + 9};
        for (int k = 0; k < 2; k++)
            assert_near(wsk_outdoor_k(run, (int64_t)(warmest_h[k] * hour_s) * WSK_NS), 273.15 + 18, 1e-6);
        wsk_test_drop(run, rig);
    }
}

#define NIGHT_PRICE \
    "<tariff kind='time-of-use'><period name='night' from='0:00' to='6:00' price='0.05 USD/kWh'/>" \
    "<period name='day' price='0.50 USD/kWh'/></tariff>"

static double year_cost(const char *xml)
{
    wsk_run *run = NULL;
    wsk_summary *all = NULL;
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = 365 * 24 * hour_s, .leap = true}),
                     WSK_OK);
    wsk_test_advance(run, wsk_run_duration(run));
    assert_int_equal(wsk_run_summary(&all, run, 0), WSK_OK);
    const double cost = wsk_summary_number(all, WSK_R_COST, 0);
    wsk_summary_free(all);
    wsk_test_drop(run, rig);
    return cost;
}

/* Work in the hours of the night tariff costs the same in a year, on whichever day the year begins. */
static void test_bill_of_a_year(void **state)
{
    (void)state;
    const double winter = year_cost(ROOM(COOL, NIGHT_PRICE, CARD("1", ""), NIGHT, "2026-12-01", "America/New_York")),
                 summer = year_cost(ROOM(COOL, NIGHT_PRICE, CARD("1", ""), NIGHT, "2026-07-01", "America/New_York")),
                 never = year_cost(ROOM(COOL, NIGHT_PRICE, CARD("1", ""), NIGHT, "2026-07-01", "America/Phoenix"));
    assert_rel(winter, never, 1e-4);
    assert_rel(summer, never, 1e-4);
}

/* A carbon profile without seasons begins anew at each midnight, also under a tariff without dates. */
static void test_carbon_of_each_day(void **state)
{
    (void)state;
    static const char xml[] =
        "<rig><site supply='230 V'><room temperature='25 degC'/><tariff kind='flat' price='0.3 EUR/kWh'/><carbon "
        "kind='daily'><profile curve='0 h:100 g/kWh, 12 h:300 g/kWh'/></carbon></site><load ac='1000 W'/><run "
        "from='2026-04-01T00:00:00' zone='Europe/Berlin' for='7 d'/></rig>";
    const double span_s = 7 * 24 * hour_s;
    for (int leap = 0; leap < 2; leap++) {
        wsk_rig *rig = wsk_test_rig(xml, NULL);
        wsk_run *run;
        assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = span_s, .leap = leap != 0}), WSK_OK);
        wsk_test_advance(run, span_s);
        assert_rel(wsk_bill_account(run).carbon_kg, 7 * (12 * 0.1 + 12 * 0.3), 1e-9);
        wsk_test_drop(run, rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hours_of_work),
                                       cmocka_unit_test(test_limits_by_the_hour), cmocka_unit_test(test_outdoor_air),
                                       cmocka_unit_test(test_bill_of_a_year),
                                       cmocka_unit_test(test_carbon_of_each_day)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
