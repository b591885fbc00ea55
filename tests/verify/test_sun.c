/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/base/calendar.h"
#include "sim/net/sun.h"
#include "tests/support/bench.h"
#include "wattsink.h"

static int day_of(int month, int day)
{
    return (int)(wsk_days_of(2025, month, day) - wsk_days_of(2025, 1, 1)) + 1;
}

/* The lengths of 22 December 2015 are from the Finnish Meteorological Institute (as Wikipedia's
 * Template:December_solstice lists them), those of London in June 2025 from diamondgeezer.blogspot.com, those of
 * Sydney from the Powerhouse museum's Sydney Observatory, and those of Tokyo from
 * business-garden-tokyo.blogspot.com. Each city is at the latitude of its centre. */
static void days_are_as_long_as_published(void **state)
{
    (void)state;
    static const struct {
        const char *city;
        double latitude;
        int month, day;
        double minutes;
    } rows[] = {{"Helsinki", 60.17, 12, 22, 349}, {"Oslo", 59.91, 12, 21, 354},    {"Stockholm", 59.33, 12, 21, 364},
                {"Berlin", 52.52, 12, 22, 459},   {"London", 51.51, 12, 22, 469},  {"Vienna", 48.21, 12, 22, 500},
                {"Rome", 41.9, 12, 22, 547},      {"Athens", 37.98, 12, 22, 571},  {"Cairo", 30.04, 12, 22, 612},
                {"Dakar", 14.69, 12, 22, 675},    {"Murmansk", 68.97, 12, 21, 0},  {"Tokyo", 35.68, 6, 21, 875},
                {"Tokyo", 35.68, 12, 22, 585},    {"Sydney", -33.87, 12, 21, 865}, {"Sydney", -33.87, 6, 21, 594},
                {"London", 51.5, 6, 15, 997.9},   {"London", 51.5, 6, 20, 999.47}, {"London", 51.5, 6, 26, 998}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double got = wsk_sun_day_s(rows[i].latitude, day_of(rows[i].month, rows[i].day)) / 60;
        if (!(fabs(got - rows[i].minutes) <= 3))
            fail_msg("%s, month %d: %.1f min, published %.1f", rows[i].city, rows[i].month, got, rows[i].minutes);
    }
    assert_near(wsk_sun_day_s(70, day_of(6, 21)), WSK_DAY_S, 0); /* the sun does not set */
    /* At the equator day and night have the same length, except that refraction and the sun's radius lengthen the
     * day: the sun moves 2 x 50' of 360 degrees in a little less than 7 min. */
    for (int day = 1; day <= 366; day += 5)
        assert_near(wsk_sun_day_s(0, day) / 60, 12 * 60 + 7, 1);
    /* A day, and the day half a year later at the same latitude south, are nearly equally long. */
    assert_near(wsk_sun_day_s(40, day_of(3, 21)), wsk_sun_day_s(-40, day_of(9, 23)), 300);
}

/* Sunrise and sunset in London, 0.125 degrees west, by the clock in summer time (diamondgeezer.blogspot.com). The
 * tolerance is the accuracy of Spencer's series: 3' of declination and 35 s of the equation of time. */
static void the_sun_rises_as_published(void **state)
{
    (void)state;
    static const struct {
        int month, day, rise_s, set_s;
    } rows[] = {{6, 15, 16933, 76807}, {6, 20, 16946, 76914}, {6, 26, 17061, 76941}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int day = day_of(rows[i].month, rows[i].day);
        const double noon = 12 * 3600 + 3600 + 0.125 / 15 * 3600 - wsk_sun_equation_s(day),
                     half = wsk_sun_day_s(51.5, day) / 2;
        assert_near(noon - half, rows[i].rise_s, 120);
        assert_near(noon + half, rows[i].set_s, 120);
    }
}

#define TARIFF "<tariff kind='flat' price='0.30 EUR/kWh'/>"
#define CURVE "surplus='6:00:0 W, 12:00:300 W, 18:00:0 W' feed-in='0.10 EUR/kWh'"
#define MONTHS \
    "months='1:31 kWh, 2:28 kWh, 3:31 kWh, 4:30 kWh, 5:31 kWh, 6:30 kWh, 7:31 kWh, 8:31 kWh, 9:30 kWh, 10:31 kWh, " \
    "11:30 kWh, 12:31 kWh'"

/* The load of 600 W always exceeds the solar power and therefore uses all of it. */
static double solar_kwh(const char *sun, const char *from, const char *zone, double hours)
{
    wsk_buf b = {0};
    wsk_buf_printf(&b,
                   "<rig><site supply='230 V'><room temperature='25 degC'/>" TARIFF "<solar " CURVE " %s/></site>"
                   "<load name='a' ac='600 W'/><run from='%s' zone='%s' for='%g h'/></rig>",
                   sun, from, zone, hours);
    wsk_buf_put(&b, "", 1);
    wsk_rig *rig = wsk_test_rig(b.data, NULL);
    wsk_buf_free(&b);
    wsk_run *run;
    wsk_summary *s;
    assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.step_s = 50}), WSK_OK);
    assert_int_equal(wsk_run_advance(run, hours * 3600), WSK_OK);
    assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
    const double kwh = wsk_summary_number(s, WSK_R_SOLAR_KWH, 0);
    wsk_summary_free(s);
    wsk_run_free(run);
    wsk_rig_free(rig);
    return kwh;
}

static void a_day_is_stretched(void **state)
{
    (void)state;
    const double mean = solar_kwh("", "2026-06-21T00:00:00", "UTC", 24);
    assert_near(mean, 1.8, 1e-6);
    /* Without stated yields a longer day has more energy, in June in proportion to its length over the mean length. */
    double all_s = 0;
    for (int day = 1; day <= 365; day++)
        all_s += wsk_sun_day_s(52, day) / 365;
    const double june = wsk_sun_day_s(52, day_of(6, 21)) / all_s,
                 december = wsk_sun_day_s(52, day_of(12, 21)) / all_s;
    assert_true(june > 1.3 && december < 0.65);
    assert_rel(solar_kwh("latitude='52'", "2026-06-21T00:00:00", "UTC", 24), june * mean, 5e-3);
    assert_rel(solar_kwh("latitude='52'", "2026-12-21T00:00:00", "UTC", 24), december * mean, 5e-3);
    assert_rel(solar_kwh("latitude='52' " MONTHS, "2026-06-21T00:00:00", "UTC", 24), mean, 2e-3);
    assert_rel(solar_kwh("latitude='52' " MONTHS, "2026-12-21T00:00:00", "UTC", 24), mean, 2e-3);
    assert_near(solar_kwh("latitude='75' " MONTHS, "2026-12-21T00:00:00", "UTC", 24), 0, 1e-9); /* polar night */
}

/* At 60 degrees north, on 1 March, a day is 1 % longer than the day before. */
static void each_date_has_its_own_day(void **state)
{
    (void)state;
    double mean_s = 0;
    for (int day = 1; day <= 365; day++)
        mean_s += wsk_sun_day_s(60, day) / 365;
    static const struct {
        const char *from;
        int day;
    } dates[] = {{"2026-03-01T00:00:00", 60}, {"2028-03-01T00:00:00", 61}, {"2028-12-31T00:00:00", 366}};
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++)
        assert_rel(solar_kwh("latitude='60'", dates[i].from, "UTC", 24),
                   wsk_sun_day_s(60, dates[i].day) / mean_s * 1.8, 3e-3);
}

static void its_hours_follow_the_season(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const int day = i ? day_of(12, 21) : day_of(6, 21);
        double mean_s = 0;
        for (int d = 1; d <= 365; d++)
            mean_s += wsk_sun_day_s(52, d) / 365;
        const double rise = 12 - wsk_sun_equation_s(day) / 3600 - 6 * wsk_sun_day_s(52, day) / mean_s;
        const char *from = i ? "2026-12-21T00:00:00" : "2026-06-21T00:00:00";
        assert_near(solar_kwh("latitude='52'", from, "UTC", floor(4 * rise) / 4), 0, 1e-9);
        assert_true(solar_kwh("latitude='52'", from, "UTC", floor(4 * rise) / 4 + 0.5) > 1e-4);
    }
    /* The curve is stated for the mean clock of the year, which in Berlin is about 1 h 35 min ahead of UTC. In June
     * the clock is 2 h ahead, so the sun is about 25 min late by the clock, and the first half of the day has less
     * energy. */
    const double utc = solar_kwh("latitude='52'", "2026-06-21T00:00:00", "UTC", 12),
                 berlin = solar_kwh("latitude='52'", "2026-06-21T00:00:00", "Europe/Berlin", 12);
    assert_true(berlin < utc - 0.05);
    /* Japan has the same clock all year, so the curve's noon is the same by the clock there as in UTC. */
    assert_near(solar_kwh("latitude='52'", "2026-06-21T00:00:00", "Asia/Tokyo", 12), utc, 1e-9);
}

/* Spencer's series as published, and the sunrise equation, on each day. */
static void series_and_lengths(void **state)
{
    (void)state;
    const double pi = acos(-1), rad = pi / 180;
    for (int day = 1; day <= 366; day++) {
        const double y = 2 * pi * (day - 1) / 365, c1 = cos(y), s1 = sin(y), c2 = cos(2 * y), s2 = sin(2 * y),
                     declination = 0.006918 - 0.399912 * c1 + 0.070257 * s1 - 0.006758 * c2 + 0.000907 * s2 -
                                   0.002697 * cos(3 * y) + 0.00148 * sin(3 * y),
                     minutes = 229.18 * (0.000075 + 0.001868 * c1 - 0.032077 * s1 - 0.014615 * c2 - 0.040849 * s2);
        assert_near(wsk_sun_equation_s(day), 60 * minutes, 1e-6);
        for (double latitude = -80; latitude <= 80; latitude += 16) {
            const double cosine = (cos(90.833 * rad) - sin(latitude * rad) * sin(declination)) /
                                  (cos(latitude * rad) * cos(declination));
            assert_near(wsk_sun_day_s(latitude, day), acos(fmin(fmax(cosine, -1), 1)) / pi * 86400, 1e-4);
        }
    }
}

/* The solar power is a triangle with its peak at 13:00 by the clock, which is half an hour ahead of UTC in the mean of
 * the year. */
static void power_of_a_moment(void **state)
{
    (void)state;
    const double hour = 3600;
    const wsk_curve triangle = {.count = 3, .x = {7 * hour, 13 * hour, 19 * hour}, .y = {0, 600, 0}};
    double mean_s = 0;
    for (int day = 1; day <= 365; day++)
        mean_s += wsk_sun_day_s(50, day) / 365;
    for (int by_yield = 0; by_yield < 2; by_yield++) {
        wsk_sun sun;
        wsk_sun_make(&sun, &triangle, 50, by_yield, 0.5 * hour);
        for (int day = 1; day <= 366; day += 5)
            for (double offset = -hour; offset <= 2 * hour; offset += hour)
                for (double s = 0; s < 86400; s += 1700) {
                    const double noon = 13 * hour + offset - 0.5 * hour - wsk_sun_equation_s(day),
                                 longer = wsk_sun_day_s(50, day) / mean_s, from = fabs(s - noon),
                                 off = fmin(from, 86400 - from) / longer,
                                 /* with a stated yield each day has the energy of the curve */
                        most = by_yield ? 600 / longer : 600;
                    assert_near(wsk_sun_power(&sun, &triangle, day, offset, s), most * fmax(1 - off / (6 * hour), 0),
                                by_yield ? 2 : 1e-6);
                }
    }
}

/* If the months state yields, each day has the energy of the curve, summed over quarters of an hour. The curve here is
 * not 0 at night. */
static void each_day_keeps_its_energy(void **state)
{
    (void)state;
    const wsk_curve c = {.count = 3, .x = {21600, 46800, 72000}, .y = {100, 600, 100}};
    double all = 0;
    for (double s = 450; s < 86400; s += 900)
        all += wsk_sun_curve(&c, s);
    wsk_sun sun;
    wsk_sun_make(&sun, &c, 55, true, 0);
    for (int day = 1; day <= 366; day++) {
        double sum = 0;
        for (double s = 450; s < 86400; s += 900)
            sum += wsk_sun_power(&sun, &c, day, 0, sun.noon_s - wsk_sun_equation_s(day) + s);
        assert_rel(sum, all, 1e-9);
    }
}

/* In polar night there is no solar power, whatever the months state. */
static void polar_night(void **state)
{
    (void)state;
    const wsk_curve triangle = {.count = 3, .x = {21600, 43200, 64800}, .y = {0, 600, 0}};
    wsk_sun sun;
    for (int by_yield = 0; by_yield < 2; by_yield++) {
        wsk_sun_make(&sun, &triangle, 80, by_yield, 0);
        for (double s = 0; s < 86400; s += 3600)
            assert_same(wsk_sun_power(&sun, &triangle, 355, 0, s), 0);
    }
}

/* A curve that is not 0 at midnight leads from its last point to its first. */
static void curve_over_midnight(void **state)
{
    (void)state;
    const wsk_curve c = {.count = 2, .x = {21600, 64800}, .y = {100, 300}};
    static const double at[][2] = {{0, 200}, {21600, 100}, {43200, 200}, {64800, 300}, {75600, 250}, {10800, 150}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        assert_near(wsk_sun_curve(&c, at[i][0]), at[i][1], 1e-9);
    const wsk_curve step = {.count = 3, .x = {0, 43200, 43200}, .y = {100, 100, 500}};
    assert_near(wsk_sun_curve(&step, 43200 + 21600), 300, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(days_are_as_long_as_published),
                                       cmocka_unit_test(the_sun_rises_as_published),
                                       cmocka_unit_test(a_day_is_stretched),
                                       cmocka_unit_test(each_date_has_its_own_day),
                                       cmocka_unit_test(its_hours_follow_the_season),
                                       cmocka_unit_test(series_and_lengths),
                                       cmocka_unit_test(power_of_a_moment),
                                       cmocka_unit_test(each_day_keeps_its_energy),
                                       cmocka_unit_test(polar_night),
                                       cmocka_unit_test(curve_over_midnight)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
