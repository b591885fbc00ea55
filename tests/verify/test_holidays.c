/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holidays of a tariff, compared day by day with the calendar of the C library and with published dates. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "sim/base/calendar.h"
#include "sim/net/tariff.h"
#include "tests/support/bench.h"

static const int64_t from_s = 1704067200, to_s = 1924992000, day_s = 86400; /* 2024 to 2030 */

typedef struct {
    wsk_rig *rig;
    wsk_run *run;
    const wsk_billing *billing;
} bench;

static bench begin(const char *holidays)
{
    char xml[1000];
    bench b;
    snprintf(xml, sizeof xml,
             "<rig><site supply='230 V'><tariff kind='time-of-use'><period price='1 EUR/kWh'/>%s</tariff></site>"
             "<run from='2026-01-01' zone='UTC' for='1 d'/><chassis kind='frame' slots='2'/></rig>",
             holidays);
    b.rig = wsk_test_rig(xml, NULL);
    b.run = wsk_test_run(b.rig, WSK_STEPPER_FAST, 0);
    b.billing = b.run->net->billing;
    return b;
}

static struct tm day_of(int64_t at_s)
{
    const time_t t = (time_t)at_s;
    struct tm tm;
    assert_non_null(gmtime_r(&t, &tm));
    return tm;
}

static bool is_holiday(const bench *b, int64_t at_s)
{
    const wsk_date date = wsk_date_of(at_s);
    const int kind = wsk_day_kind(b->billing, &date), weekday = (day_of(at_s).tm_wday + 6) % 7;
    assert_true(kind == WSK_HOLIDAY || kind == weekday);
    return kind == WSK_HOLIDAY;
}

/* The nth such weekday of a month, and the last one, for each weekday, in seven years. */
static void holidays_by_weekday(void **state)
{
    static const char *const names[] = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
    (void)state;
    for (int weekday = 0; weekday < 7; weekday++)
        for (int nth = 1; nth <= 5; nth++) {
            char text[100];
            const int month = 1 + (weekday * 5 + nth) % 12;
            int found = 0;
            snprintf(text, sizeof text, "<holiday month='%d' day='%s' nth='%d'/>", month, names[weekday], nth);
            bench b = begin(text);
            for (int64_t t = from_s; t < to_s; t += day_s) {
                const struct tm day = day_of(t), later = day_of(t + 7 * day_s);
                const bool last = later.tm_mon != day.tm_mon,
                           wanted = day.tm_mon == month - 1 && day.tm_wday == weekday &&
                                    (nth == 5 ? last : (day.tm_mday + 6) / 7 == nth);
                if (is_holiday(&b, t) != wanted)
                    fail_msg("%s: %d-%02d-%02d", text, day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
                found += wanted;
            }
            assert_int_equal(found, 7);
            wsk_test_drop(b.run, b.rig);
        }
}

/* A date of each year, and a date of one year: alone, moved from a Sunday to Monday, or from a Saturday to Friday. */
static void holidays_by_date(void **state)
{
    static const struct {
        const char *date;
        int year, month, day;
    } dates[] = {{"12-25", 0, 12, 25}, {"03-01", 0, 3, 1},         {"01-01", 0, 1, 1},
                 {"02-29", 0, 2, 29},  {"2027-05-01", 2027, 5, 1}, {"2028-01-02", 2028, 1, 2}};
    static const char *const observed[] = {"no", "monday", "nearest"};
    (void)state;
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++)
        for (int how = 0; how < 3; how++) {
            char text[100];
            int moved = 0;
            snprintf(text, sizeof text, "<holiday date='%s' observed='%s'/>", dates[i].date, observed[how]);
            bench b = begin(text);
            for (int64_t t = from_s; t < to_s; t += day_s) {
                bool at[3];
                for (int k = 0; k < 3; k++) {
                    const struct tm d = day_of(t + (k - 1) * day_s);
                    at[k] = d.tm_mday == dates[i].day && d.tm_mon == dates[i].month - 1 &&
                            (!dates[i].year || d.tm_year == dates[i].year - 1900);
                }
                const struct tm day = day_of(t);
                const bool shifted = (how > 0 && at[0] && day.tm_wday == 1) || (how > 1 && at[2] && day.tm_wday == 5);
                if (is_holiday(&b, t) != (at[1] || shifted))
                    fail_msg("%s: %d-%02d-%02d", text, day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
                moved += shifted;
            }
            assert_true(how > 0 || moved == 0);
            wsk_test_drop(b.run, b.rig);
        }
}

/* Working days that are federal holidays, as the Office of Personnel Management publishes them for 2026 and 2027. */
static void federal_holidays(void **state)
{
    static const char *const published[] = {"2026-01-01", "2026-01-19", "2026-02-16", "2026-05-25", "2026-06-19",
                                            "2026-07-03", "2026-09-07", "2026-10-12", "2026-11-11", "2026-11-26",
                                            "2026-12-25", "2027-01-01", "2027-01-18", "2027-02-15", "2027-05-31",
                                            "2027-06-18", "2027-07-05", "2027-09-06", "2027-10-11", "2027-11-11",
                                            "2027-11-25", "2027-12-24", "2027-12-31"};
    size_t next = 0;
    (void)state;
    bench b = begin("<holiday kind='us-federal'/>");
    for (int64_t t = 1767225600; t < 1830297600; t += day_s) {
        char text[16];
        const struct tm day = day_of(t);
        strftime(text, sizeof text, "%Y-%m-%d", &day);
        if (day.tm_wday == 0 || day.tm_wday == 6 || !is_holiday(&b, t))
            continue;
        assert_true(next < sizeof published / sizeof *published);
        assert_string_equal(text, published[next++]);
    }
    assert_int_equal(next, sizeof published / sizeof *published);
    wsk_test_drop(b.run, b.rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(holidays_by_weekday), cmocka_unit_test(holidays_by_date),
                                       cmocka_unit_test(federal_holidays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
