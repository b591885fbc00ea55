/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tests/support/bench.h"
#include "sim/books/bill.h"

#define HOUR (3600 * WSK_NS)

static wsk_rig *rig_of(const char *tariff, const char *from, const char *zone, double days)
{
    wsk_buf b = {0};
    wsk_buf_printf(&b,
                   "<rig name=\"meter\"><site supply=\"115 V\"><room temperature=\"25 degC\"/>%s</site><chassis "
                   "kind=\"frame\" slots=\"2\"/>"
                   "<run from=\"%s\" zone=\"%s\" for=\"%d h\"/></rig>",
                   tariff, from, zone, (int)(days * 24 + 0.5));
    wsk_buf_put(&b, "", 1);
    assert_false(b.failed);
    wsk_rig *rig = wsk_test_rig(b.data, NULL);
    wsk_buf_free(&b);
    return rig;
}

typedef struct {
    wsk_rig *rig;
    wsk_run *run;
    const wsk_billing *g;
    wsk_bill bill;
    int64_t end;
} meter;

static meter open_meter(const char *tariff, const char *from, const char *zone, double hours)
{
    meter m = {.rig = rig_of(tariff, from, zone, hours / 24)};
    m.run = wsk_test_run(m.rig, WSK_STEPPER_FAST, 0);
    m.g = m.run->net->billing;
    m.end = (int64_t)(hours * 3600 + 0.5) * WSK_NS;
    assert_non_null(m.g);
    wsk_bill_open(&m.bill, m.g, 0, m.end);
    return m;
}

static void close_meter(meter *m)
{
    wsk_run_free(m->run);
    wsk_rig_free(m->rig);
}

static double total(const wsk_bill *b, const wsk_billing *g)
{
    double sum = wsk_sum_value(&b->energy) + wsk_sum_value(&b->demand) + wsk_sum_value(&b->standing) +
                 wsk_sum_value(&b->minimum);
    return g->tariff ? sum * (1 + g->tariff->tax) : sum;
}

typedef struct {
    double until_h, watts;
} stretch;

static void feed(meter *m, const stretch *s, int n)
{
    int64_t t = 0;
    for (int i = 0; i < n; i++) {
        int64_t end = (int64_t)(s[i].until_h * 3600 + 0.5) * WSK_NS;
        wsk_bill_add(&m->bill, m->g, t, end, s[i].watts);
        t = end;
    }
    wsk_bill_close(&m->bill, m->g, t);
}

typedef struct {
    const char *part, *from, *zone;
    double hours, cost; /* hours: of the month; cost: the bill by hand, in the tariff's currency */
} month;

/* Weekdays: March 2026 22, April 22, July 23, October 22, November 21, February 20. Clocks go forward in March (the
 * night is an hour shorter), and back on November 1st (America) or October 25th (Europe). */
static const month months[] = {
    /* peak price: 5 h on each of 31 days; baseline credit for 300 kWh */
    {"pge-e-tou-c", "2026-03-01", "America/Los_Angeles", 743, 155 * 0.559 + 588 * 0.53232 - 300 * 0.09566},
    {"pge-e-tou-c", "2026-07-01", "America/Los_Angeles", 744, 155 * 0.61949 + 589 * 0.53605 - 300 * 0.09566},
    /* peak price: 3 h on 19 weekdays, which are the 21 weekdays without Veterans Day and Thanksgiving */
    {"pge-e-tou-d", "2026-11-01", "America/Los_Angeles", 721, 57 * 0.49913 + 664 * 0.46052},
    {"pge-ev2-a", "2026-11-01", "America/Los_Angeles", 721, 150 * 0.53117 + 120 * 0.51447 + 451 * 0.34578},
    {"pge-ev2-a", "2026-03-01", "America/Los_Angeles", 743, 155 * 0.53117 + 124 * 0.51447 + 464 * 0.34578},
    /* super off-peak price: 6 h a night on 19 weekdays; 14 h on 9 weekend days, Veterans Day and Thanksgiving; one
     * hour more on November 1st, when clocks go back */
    {"sdge-tou-dr1", "2026-11-01", "America/Los_Angeles", 721,
     269 * 0.47999 + 150 * 0.56348 + 302 * 0.49877 - 400 * 0.10544},
    /* super off-peak price in March: 10 h on 22 weekdays, 14 h on 9 weekend days, one hour less on the 8th, when
     * clocks go forward */
    {"sdge-tou-dr1", "2026-03-01", "America/Los_Angeles", 743,
     345 * 0.47999 + 155 * 0.56348 + 243 * 0.49877 - 400 * 0.10544},
    {"sdge-tou-dr1", "2026-07-01", "America/Los_Angeles", 744,
     250 * 0.34812 + 155 * 0.71412 + 339 * 0.47416 - 400 * 0.10544},
    {"sdge-dr", "2026-07-01", "America/Los_Angeles", 744, 400 * 0.40692 + 344 * 0.51236},
    {"puget-sound-7", "2026-03-01", "America/Los_Angeles", 743,
     600 * 0.145171 + 143 * 0.164588 + 743 * 0.046581 + 7.49},
    {"tepco-juryo-b", "2026-01-01", "Asia/Tokyo", 744, 120 * 29.8 + 180 * 36.4 + 444 * 40.49 + 744 * 3.49 + 1870.5},
    {"tepco-smart-life-s", "2026-02-01", "Asia/Tokyo", 672, 140 * 27.86 + 532 * 35.76 + 672 * 3.49 + 1870.5},
    {"chubu-smart-life", "2026-02-01", "Asia/Tokyo", 672,
     280 * 16.52 + 140 * 38.8 + 252 * 28.61 + 672 * 3.49 + 1838.44},
    {"kansai-high-voltage-as", "2026-02-01", "Asia/Tokyo", 672, 672 * 13.1 + 672 * 3.49 + 1911.8},
    {"kansai-high-voltage-as", "2026-09-01", "Asia/Tokyo", 720, 720 * 14.17 + 720 * 3.49 + 1911.8},
    {"chubu-high-voltage", "2026-07-01", "Asia/Tokyo", 744, 744 * 18.97 + 744 * 4.18 + 2002.26},
    {"chubu-high-voltage", "2026-10-01", "Asia/Tokyo", 744, 744 * 18 + 744 * 4.18 + 2002.26},
    {"de-low-voltage-demand", "2026-10-01", "Europe/Berlin", 745, 745 * 0.17031 + 148.82 / 12},
    {"uk-price-cap", "2026-03-01", "Europe/London", 743, 743 * 0.2611 + 31 * 0.5719},
    {"uk-economy-7", "2026-03-01", "Europe/London", 743, 216 * 0.14 + 527 * 0.34 + 31 * 0.538},
    {"uk-economy-7", "2026-10-01", "Europe/London", 745, 218 * 0.14 + 527 * 0.34 + 31 * 0.538},
    {"fr-tarif-bleu-base", "2026-10-01", "Europe/Paris", 745, 745 * 0.1952 + 15.47},
    {"fr-tarif-bleu-hc", "2026-10-01", "Europe/Paris", 745, 249 * 0.1635 + 496 * 0.2081 + 15.74},
    {"ontario-tou", "2026-11-01", "America/Toronto", 721, 126 * 0.158 + 126 * 0.122 + 469 * 0.076},
    /* 23 weekdays less Canada Day, which is a Wednesday */
    {"ontario-tou", "2026-07-01", "America/Toronto", 744, 132 * 0.158 + 132 * 0.122 + 480 * 0.076},
    {"ontario-ulo", "2026-03-01", "America/Toronto", 743, 247 * 0.028 + 242 * 0.122 + 110 * 0.284 + 144 * 0.076},
    {"ontario-tiers", "2026-07-01", "America/Toronto", 744, 600 * 0.093 + 144 * 0.11},
    {"ontario-tiers", "2026-11-01", "America/Toronto", 721, 721 * 0.093},
    /* July 4th is a Saturday, and this tariff does not move the holiday to another day */
    {"pge-commercial-tou-legacy", "2026-07-01", "America/Los_Angeles", 744,
     161 * 0.1196 + 138 * 0.16299 + 445 * 0.08981 + 21.3 + 21.19 + 5.88 + 1352.6313},
    {"pge-commercial-tou-legacy", "2026-11-01", "America/Los_Angeles", 721,
     247 * 0.1133 + 474 * 0.09716 + 21.3 + 0.06 + 1352.6313},
    {"pnm-4b", "2026-11-01", "America/Denver", 721,
     189 * 0.015203 + 126 * 0.0262503 + 406 * 0.0189944 + 28.44 + 19.79 + 666.65},
    {"pnm-4b", "2026-07-01", "America/Denver", 744,
     207 * 0.0169081 + 115 * 0.0436952 + 422 * 0.0254538 + 28.44 + 19.79 + 666.65},
    {"flat-de", "2026-10-01", "Europe/Berlin", 745, 745 * 0.372},
};

static void each_tariff_has_its_month_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof months / sizeof *months; i++) {
        const month *k = &months[i];
        char tariff[80];
        snprintf(tariff, sizeof tariff, "<tariff part=\"tariff/%s\"/>", k->part);
        meter m = open_meter(tariff, k->from, k->zone, k->hours);
        wsk_bill_add(&m.bill, m.g, 0, m.end, 1000);
        wsk_bill_close(&m.bill, m.g, m.end);
        double sum = total(&m.bill, m.g);
        if (!(fabs(sum - k->cost) <= 1e-9 * k->cost))
            fail_msg("%s from %s: %.9g, by hand %.9g", k->part, k->from, sum, k->cost);
        assert_rel(wsk_sum_value(&m.bill.total_j), k->hours * 3.6e6, 1e-12);
        if (m.g->dated) {
            assert_int_equal(m.bill.n_months, 1);
            assert_near(m.bill.months[0].share, 1, 0);
            assert_rel(m.bill.months[0].cost, k->cost, 1e-9);
        }
        close_meter(&m);
    }
}

static void a_block_may_end_inside_an_hour(void **state)
{
    (void)state;
    static const char tariff[] = "<tariff kind=\"blocks\"><block up-to=\"5 kWh\" price=\"1 EUR/kWh\"/><block "
                                 "up-to=\"7 kWh\" price=\"10 EUR/kWh\"/>"
                                 "<block price=\"100 EUR/kWh\"/></tariff>";
    meter m = open_meter(tariff, "2026-04-01", "Europe/Berlin", 720);
    /* 4.9 kWh in the first 10 h and 2.7 kWh after that: the three blocks get 5, 2 and 0.6 kWh. */
    const stretch s[] = {{10, 490}, {10.9, 3000}, {720, 0}};
    feed(&m, s, 3);
    assert_rel(total(&m.bill, m.g), 5 + 20 + 60, 1e-12);
    close_meter(&m);
    /* the blocks start again at the end of the month, although the power is constant */
    m = open_meter(tariff, "2026-04-30T20:00:00", "Europe/Berlin", 720);
    wsk_bill_add(&m.bill, m.g, 0, 8 * HOUR, 1000);
    /* Shares of the months that the run covers: 4 of 720 and 716 of 744 hours. The widths of a month's blocks are
     * multiplied by its share. */
    double april = 4.0 / 720, may = 716.0 / 744;
    assert_rel(wsk_bill_cost(&m.bill, m.g, 8 * HOUR),
               5 * april + 10 * 2 * april + 100 * (4 - 7 * april) + (4 < 5 * may ? 4 : 5 * may), 1e-12);
    close_meter(&m);
    /* other-use: 4 kWh of other consumption take the first 4 kWh of the first block */
    m = open_meter("<tariff kind=\"blocks\" other-use=\"4 kWh\"><block up-to=\"5 kWh\" price=\"1 EUR/kWh\"/><block "
                   "price=\"2 EUR/kWh\"/></tariff>",
                   "2026-04-01", "Europe/Berlin", 720);
    const stretch other[] = {{1, 3000}, {720, 0}};
    feed(&m, other, 2);
    assert_rel(total(&m.bill, m.g), 1 + 2 * 2, 1e-12);
    close_meter(&m);
}

static void a_peak_may_straddle_a_window(void **state)
{
    (void)state;
    const struct {
        const char *window;
        /* The load is 9 kW from minute from_min to minute to_min after ten o'clock. kw: highest mean power of a
         * demand window. */
        double from_min, to_min, kw;
    } cases[] = {{"15 min", 5, 20, 6},   {"15 min", 10, 20, 3}, {"15 min", 15, 30, 9},
                 {"30 min", 5, 20, 4.5}, {"30 min", 20, 40, 3}, {"1 h", 50, 70, 1.5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char tariff[200];
        snprintf(tariff, sizeof tariff,
                 "<tariff kind=\"flat\" price=\"0 USD/kWh\"><demand price=\"10 USD/kW\" window=\"%s\"/></tariff>",
                 cases[i].window);
        meter m = open_meter(tariff, "2026-06-01T00:00:00", "America/New_York", 720);
        const stretch s[] = {{10 + cases[i].from_min / 60, 0}, {10 + cases[i].to_min / 60, 9000}, {720, 0}};
        feed(&m, s, 3);
        assert_rel(total(&m.bill, m.g), 10 * cases[i].kw, 1e-12);
        assert_rel(m.bill.months[0].peak_w, 1000 * cases[i].kw, 1e-12);
        close_meter(&m);
    }
    /* Demand windows start at full quarters of the clock, not at the start of the run: a load from 10:07 to 10:22
     * lies 8 minutes in one window and 7 in the next. */
    meter m = open_meter("<tariff kind=\"flat\" price=\"0 USD/kWh\"><demand price=\"10 USD/kW\"/></tariff>",
                         "2026-06-01T10:07:00", "America/New_York", 709.8833333333333);
    const stretch s[] = {{0.25, 15000}, {709.8833333333333, 0}};
    feed(&m, s, 2);
    assert_rel(total(&m.bill, m.g), 10 * 8 * m.bill.months[0].share, 1e-12);
    close_meter(&m);
}

/* Commercial tariffs of the catalogue use their own demand windows: 9 kW from 10:20 to 10:40 of one day, and no power
 * for the rest of the month. */
static void parts_bill_their_own_windows(void **state)
{
    (void)state;
    const struct {
        const char *part, *zone;
        double hours, cost;
    } cases[] = {{"kansai-high-voltage-as", "Asia/Tokyo", 720,
                  /* the load lies in two half hours, ten minutes in each: the mean of each is 3 kW */
                  3 * (13.1 + 3.49) + 3 * 1911.8},
                 {"chubu-high-voltage", "Asia/Tokyo", 720, 3 * (18 + 4.18) + 3 * 2002.26},
                 {"de-low-voltage-demand", "Europe/Berlin", 720,
                  /* the load lies in two quarters of an hour, ten minutes in each: the mean of each is 6 kW */
                  3 * 0.17031 + 6 * 148.82 / 12}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char tariff[80];
        snprintf(tariff, sizeof tariff, "<tariff part=\"tariff/%s\"/>", cases[i].part);
        meter m = open_meter(tariff, "2026-06-01", cases[i].zone, cases[i].hours);
        const stretch s[] = {{10 + 20 / 60.0, 0}, {10 + 40 / 60.0, 9000}, {cases[i].hours, 0}};
        feed(&m, s, 3);
        assert_rel(total(&m.bill, m.g), cases[i].cost, 1e-7);
        close_meter(&m);
    }
}

static void demand_counts_when_it_says(void **state)
{
    (void)state;
    static const char tariff[] =
        "<tariff kind=\"flat\" price=\"0 USD/kWh\">"
        "<demand name=\"peak\" price=\"10 USD/kW\" from=\"12:00\" to=\"18:00\" days=\"weekdays\"/>"
        "<demand name=\"edge\" price=\"1 USD/kW\" from=\"08:00\" to=\"12:00\"/>"
        "<demand name=\"edge\" price=\"1 USD/kW\" from=\"18:00\" to=\"22:00\"/>"
        "<holiday date=\"06-19\"/></tariff>";
    meter m = open_meter(tariff, "2026-06-01", "America/New_York", 720); /* 2026-06-01 is a Monday */
    /* first load: 11:30 to 12:30 on Monday, half of it in `edge` and half in `peak` */
    const stretch s[] = {{11.5, 0}, {12.5, 2000}, {20, 0}, {21, 5000}, /* Monday evening: within `edge` */
                         {134, 0},  {135, 30000},                      /* Saturday 14:00: no charge */
                         {446, 0},  {447, 40000},                      /* Friday the 19th, a holiday: no charge */
                         {720, 0}};
    feed(&m, s, 9);
    assert_rel(wsk_sum_value(&m.bill.demand), 10 * 2 + 1 * 5, 1e-12);
    close_meter(&m);
    /* The season covers 15 of the 31 days of the billing month, for which 15/31 of the monthly charge is due. */
    m = open_meter("<tariff kind=\"flat\" price=\"0 USD/kWh\" billing-day=\"16\"><season name=\"summer\" "
                   "from=\"06-01\" to=\"09-30\"/>"
                   "<demand price=\"31 USD/kW\" season=\"summer\"/></tariff>",
                   "2026-05-16", "America/New_York", 744);
    const stretch flat[] = {{744, 1000}};
    feed(&m, flat, 1);
    assert_rel(wsk_sum_value(&m.bill.demand), 15, 1e-12);
    close_meter(&m);
}

static void holidays_are_sundays_or_their_own(void **state)
{
    (void)state;
    static const char as_sunday[] =
        "<tariff kind=\"time-of-use\"><period days=\"mon-fri\" price=\"1 USD/kWh\"/><period days=\"sat\" price=\"10 "
        "USD/kWh\"/>"
        "<period days=\"sunday\" price=\"100 USD/kWh\"/><holiday kind=\"us-federal\"/></tariff>";
    static const char own[] =
        "<tariff kind=\"time-of-use\"><period name=\"work\" days=\"mon-fri\" price=\"1 USD/kWh\"/><period price=\"10 "
        "USD/kWh\"/>"
        "<period days=\"holidays\" price=\"1000 USD/kWh\"/><holiday kind=\"us-federal\"/></tariff>";
    /* July 2026 has 23 weekdays and 4 Sundays. Independence Day is Saturday the 4th, and Friday the 3rd is a holiday
     * too. */
    meter m = open_meter(as_sunday, "2026-07-01", "America/New_York", 744);
    const stretch s[] = {{744, 1000}};
    feed(&m, s, 1);
    assert_rel(total(&m.bill, m.g), 24 * (22 * 1.0 + 3 * 10 + (4 + 2) * 100), 1e-12);
    close_meter(&m);
    m = open_meter(own, "2026-07-01", "America/New_York", 744);
    feed(&m, s, 1);
    assert_rel(total(&m.bill, m.g), 24 * (22 * 1.0 + 7 * 10 + 2 * 1000), 1e-12);
    close_meter(&m);
    /* All eleven US federal holidays of 2026, on the day on which they are observed. */
    static const char *const days[] = {"2026-01-01", "2026-01-19", "2026-02-16", "2026-05-25",
                                       "2026-06-19", "2026-07-03", "2026-09-07", "2026-10-12",
                                       "2026-11-11", "2026-11-26", "2026-12-25"};
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        m = open_meter(own, days[i], "America/New_York", 24);
        const stretch day[] = {{24, 1000}};
        feed(&m, day, 1);
        assert_rel(total(&m.bill, m.g), 24000, 1e-12);
        close_meter(&m);
    }
}

static void fixed_parts_and_least_bills(void **state)
{
    (void)state;
    /* March in Berlin has 743 hours and 31 days. */
    meter m = open_meter("<tariff kind=\"flat\" price=\"0.5 EUR/kWh\" standing-day=\"2 EUR\" standing-month=\"10 "
                         "EUR\" tax=\"20 %\" surcharge=\"0.1 EUR/kWh\"/>",
                         "2026-03-01", "Europe/Berlin", 743);
    const stretch s[] = {{743, 100}};
    feed(&m, s, 1);
    assert_rel(total(&m.bill, m.g), 1.2 * (74.3 * 0.6 + 62 + 10), 1e-12);
    close_meter(&m);
    m = open_meter("<tariff kind=\"flat\" price=\"0.5 EUR/kWh\" minimum-month=\"100 EUR\"/>", "2026-03-01",
                   "Europe/Berlin", 743 + 720);
    /* the bill of March, 37.15 EUR, is raised to the minimum of 100 EUR; the bill of April is 360 EUR */
    const stretch two[] = {{743, 100}, {743 + 720, 1000}};
    feed(&m, two, 2);
    assert_rel(total(&m.bill, m.g), 100 + 360, 1e-12);
    assert_rel(wsk_sum_value(&m.bill.minimum), 100 - 37.15, 1e-12);
    assert_int_equal(m.bill.n_months, 2);
    close_meter(&m);
    /* Billing months start on the 15th: of the ten days, 5 belong to a billing month of 31 days and 5 to one of 30
     * days. */
    m = open_meter("<tariff kind=\"flat\" price=\"0 EUR/kWh\" standing-month=\"30 EUR\" billing-day=\"15\"/>",
                   "2026-04-10", "UTC", 240);
    const stretch ten[] = {{240, 0}};
    feed(&m, ten, 1);
    assert_rel(total(&m.bill, m.g), 30 * 5.0 / 31 + 30 * 5.0 / 30, 1e-12);
    close_meter(&m);
}

static void run_series(meter *m, int64_t step_ns)
{
    for (int64_t t = 0; t < m->end;) {
        int64_t minute = 60 * WSK_NS,
                next = t + step_ns < (t / minute + 1) * minute ? t + step_ns : (t / minute + 1) * minute;
        next = next < m->end ? next : m->end;
        double r = wsk_random(7, (uint64_t)(t / minute), 1);
        wsk_bill_add(&m->bill, m->g, t, next, r < 0.3 ? 80 : 2500 * r * r);
        t = next;
    }
    wsk_bill_close(&m->bill, m->g, m->end);
}

static void the_step_makes_no_difference(void **state)
{
    (void)state;
    static const char tariff[] =
        "<tariff kind=\"time-of-use\" standing-day=\"0.5 USD\" minimum-month=\"20 USD\" billing-day=\"7\" tax=\"8 "
        "%\">"
        "<season name=\"summer\" from=\"06-01\" to=\"10-31\"/>"
        "<period name=\"peak\" from=\"16:00\" to=\"21:00\" days=\"weekdays\" season=\"summer\" price=\"0.7 "
        "USD/kWh\"/>"
        "<period name=\"peak\" from=\"16:00\" to=\"21:00\" days=\"weekdays\" price=\"0.5 USD/kWh\"/>"
        "<period name=\"night\" from=\"23:10\" to=\"05:50\" price=\"0.2 USD/kWh\"/><period name=\"rest\" price=\"0.3 "
        "USD/kWh\"/>"
        "<block up-to=\"150 kWh\" price=\"-0.1 USD/kWh\"/><block up-to=\"311.1 kWh\" price=\"0.05 USD/kWh\"/>"
        "<demand price=\"12 USD/kW\" window=\"15 min\"/><demand price=\"3 USD/kW\" window=\"30 min\" "
        "days=\"weekends\"/>"
        "<holiday kind=\"us-federal\"/></tariff>"
        "<carbon part=\"carbon/us-hourly\"/>";
    const double steps[] = {60, 10, 1, 7, 13.7, 0.9};
    double first = 0, kwh = 0, kg = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        meter m = open_meter(tariff, "2026-10-20T11:23:00", "America/Los_Angeles", 24 * 35);
        run_series(&m, (int64_t)(steps[i] * 1e9 + 0.5));
        double sum = total(&m.bill, m.g);
        if (i == 0) {
            first = sum;
            kwh = wsk_sum_value(&m.bill.total_j);
            kg = wsk_sum_value(&m.bill.carbon);
            assert_true(sum > 100 && wsk_sum_value(&m.bill.demand) > 1 && kg > 10);
        }
        assert_rel(sum, first, 1e-10);
        assert_rel(wsk_sum_value(&m.bill.total_j), kwh, 1e-12);
        assert_rel(wsk_sum_value(&m.bill.carbon), kg, 1e-10);
        close_meter(&m);
    }
}

/* In April at 2 kW the energy costs 144 EUR, the standing charge is 30 EUR and the demand charge 20 EUR, and a tax
 * of 20 % is added to all three. Half of the month costs half of the energy and of the standing charge, and the
 * whole demand charge. */
static void other_charges_are_apart(void **state)
{
    (void)state;
    meter m = open_meter("<tariff kind=\"flat\" price=\"0.1 EUR/kWh\" standing-month=\"30 EUR\" tax=\"20 %\">"
                         "<demand price=\"10 EUR/kW\" window=\"15 min\"/></tariff>",
                         "2026-04-01", "Europe/Berlin", 720);
    assert_true(wsk_bill_has_other(m.g));
    wsk_bill_add(&m.bill, m.g, 0, m.end / 2, 2000);
    assert_rel(wsk_bill_other(&m.bill, m.g, m.end / 2), 1.2 * (15 + 20), 1e-9);
    wsk_bill_add(&m.bill, m.g, m.end / 2, m.end, 2000);
    assert_rel(wsk_bill_other(&m.bill, m.g, m.end), 1.2 * (30 + 20), 1e-9);
    assert_rel(wsk_bill_cost(&m.bill, m.g, m.end), 1.2 * (144 + 30 + 20), 1e-9);
    close_meter(&m);
    m = open_meter("<tariff kind=\"flat\" price=\"0.1 EUR/kWh\"/>", "2026-04-01", "Europe/Berlin", 720);
    assert_false(wsk_bill_has_other(m.g));
    wsk_bill_add(&m.bill, m.g, 0, m.end, 2000);
    assert_true(wsk_bill_other(&m.bill, m.g, m.end) == 0);
    close_meter(&m);
}

static void the_parts_add_up(void **state)
{
    (void)state;
    meter m =
        open_meter("<tariff part=\"tariff/sdge-tou-dr1\"/>", "2026-02-11T05:00:00", "America/Los_Angeles", 24 * 100);
    wsk_bill_add(&m.bill, m.g, 0, m.end, 777);
    double now = wsk_bill_cost(&m.bill, m.g, m.end), periods = 0, kwh = 0, all = 0;
    wsk_bill_close(&m.bill, m.g, m.end);
    for (int i = 0; i < m.g->n_names; i++) {
        periods += wsk_sum_value(&m.bill.period_cost[i]);
        kwh += wsk_sum_value(&m.bill.period_j[i]) / 3.6e6;
    }
    for (int i = 0; i < m.bill.n_months; i++)
        all += m.bill.months[i].cost;
    assert_int_equal(m.bill.n_months, 4);
    assert_rel(kwh, 0.777 * 2400, 1e-12);
    assert_rel(periods, wsk_sum_value(&m.bill.energy), 1e-12);
    assert_rel(all, total(&m.bill, m.g), 1e-12);
    assert_rel(now, total(&m.bill, m.g), 1e-12);
    close_meter(&m);
    m = open_meter("<tariff part=\"tariff/tepco-juryo-b\"/>", "2026-04-10", "Asia/Tokyo", 24 * 7);
    wsk_bill_add(&m.bill, m.g, 0, m.end, 1000);
    wsk_bill_close(&m.bill, m.g, m.end);
    double week = total(&m.bill, m.g) * 365 / 7;
    close_meter(&m);
    m = open_meter("<tariff part=\"tariff/tepco-juryo-b\"/>", "2026-04-10", "Asia/Tokyo", 24 * 365);
    wsk_bill_add(&m.bill, m.g, 0, m.end, 1000);
    wsk_bill_close(&m.bill, m.g, m.end);
    assert_rel(week, total(&m.bill, m.g), 0.005);
    close_meter(&m);
}

/* wsk_bill_marginal: slope of the bill over a common factor of all powers, here from bills of 0.2 % more and less. */
static void the_margin_is_the_slope_of_the_bill(void **state)
{
    (void)state;
#define FLAT "<tariff kind='flat' price='0.2 USD/kWh' "
    static const char *const tariffs[] = {
        FLAT "standing-month='40 USD' tax='10 %'/>", FLAT "minimum-month='300 USD'/>",
        "<tariff kind='blocks' other-use='400 kWh'><block up-to='280 kWh' price='0.05 USD/kWh'/>"
        "<block up-to='2000 kWh' price='0.6 USD/kWh'/><block price='1 USD/kWh'/></tariff>",
        "<tariff part='tariff/pge-commercial-tou-legacy'/>", "<tariff part='tariff/chubu-high-voltage'/>"};
    double cost[3], margin[3];
    for (size_t i = 0; i < sizeof tariffs / sizeof *tariffs; i++) {
        for (int k = 0; k < 3; k++) {
            meter m = open_meter(tariffs[i], "2026-03-05T00:00:00", "America/Los_Angeles", 24. * 70);
            for (int64_t t = 0; t < m.end; t += HOUR)
                wsk_bill_add(&m.bill, m.g, t, t + HOUR, (0.998 + 0.002 * k) * (500 + 300 * (double)(t / HOUR % 5)));
            wsk_bill_close(&m.bill, m.g, m.end);
            cost[k] = total(&m.bill, m.g), margin[k] = wsk_bill_marginal(&m.bill, m.g);
            close_meter(&m);
        }
        if (!(fabs(margin[1] - (cost[2] - cost[0]) / 0.004) <= 1e-6 * cost[1]))
            fail_msg("%s: %.9g, not %.9g", tariffs[i], margin[1], (cost[2] - cost[0]) / 0.004);
    }
}

static void the_last_months_are_kept(void **state)
{
    (void)state;
    const char *tariff = "<tariff kind=\"time-of-use\"><period price=\"0.3 USD/kWh\"/></tariff>";
    meter m = open_meter(tariff, "2023-01-01", "UTC", 24 * (3 * 365 + 1 + 130)); /* the run ends on 2026-05-11 */
    wsk_bill_add(&m.bill, m.g, 0, m.end, 1000);
    wsk_bill_close(&m.bill, m.g, m.end);
    assert_int_equal(m.bill.n_months, 41);
    for (int i = 0; i < WSK_BILL_MONTHS; i++) {
        const wsk_bill_month *kept = &m.bill.months[i];
        assert_rel(kept->cost, kept->energy_j / 3.6e6 * 0.3, 1e-12);
        if (i > 0)
            assert_rel((double)(kept->from_civil_s - kept[-1].from_civil_s) * 1000, kept[-1].energy_j, 1e-12);
    }
    assert_rel(m.bill.months[WSK_BILL_MONTHS - 1].energy_j, 10 * 86400e3, 1e-12);
    close_meter(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_tariff_has_its_month_by_hand),
                                       cmocka_unit_test(a_block_may_end_inside_an_hour),
                                       cmocka_unit_test(a_peak_may_straddle_a_window),
                                       cmocka_unit_test(parts_bill_their_own_windows),
                                       cmocka_unit_test(demand_counts_when_it_says),
                                       cmocka_unit_test(holidays_are_sundays_or_their_own),
                                       cmocka_unit_test(fixed_parts_and_least_bills),
                                       cmocka_unit_test(the_step_makes_no_difference),
                                       cmocka_unit_test(other_charges_are_apart),
                                       cmocka_unit_test(the_parts_add_up),
                                       cmocka_unit_test(the_margin_is_the_slope_of_the_bill),
                                       cmocka_unit_test(the_last_months_are_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
