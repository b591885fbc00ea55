/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <float.h>
#include <string.h>

#include "sim/base/base.h"
#include "tests/unit/assert.h"

#define LEN(array) (sizeof(array) / sizeof *(array))

static double read_as(const char *text, wsk_dim dim)
{
    double si = NAN;
    size_t at = 99;
    wsk_dim means = WSK_DIM_COUNT_;
    char currency[8] = "";
    wsk_unit_result result = wsk_parse_quantity(text, dim, &si, currency, &at, &means);
    if (result != WSK_UNIT_OK)
        print_error("\"%s\" as %s: result %d at %zu\n", text, wsk_dim_about(dim)->name, (int)result, at);
    assert_int_equal(result, WSK_UNIT_OK);
    return si;
}

static void decimal_units_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        wsk_dim dim;
        double si;
    } cases[] = {
        {"350 W", WSK_DIM_POWER, 350},
        {"0.35 kW", WSK_DIM_POWER, 350},
        {"350W", WSK_DIM_POWER, 350},
        {" \t350\n W \r\n", WSK_DIM_POWER, 350},
        {"350\xC2\xA0W", WSK_DIM_POWER, 350},
        {"1.5 MW", WSK_DIM_POWER, 1.5e6},
        {"12.3 mW", WSK_DIM_POWER, 0.0123},
        {"7 \xC2\xB5W", WSK_DIM_POWER, 7e-6},
        {"-3 W", WSK_DIM_POWER, -3},
        {"300 K", WSK_DIM_TEMPERATURE, 300},
        {"4 K", WSK_DIM_TEMP_DIFF, 4},
        {"4 degC", WSK_DIM_TEMP_DIFF, 4},
        {"90 s", WSK_DIM_TIME, 90},
        {"0.7 ms", WSK_DIM_TIME, 0.0007},
        {"1 h", WSK_DIM_TIME, 3600},
        {"2.5 min", WSK_DIM_TIME, 150},
        {"7 d", WSK_DIM_TIME, 604800},
        {"1 week", WSK_DIM_TIME, 604800},
        {"2 weeks", WSK_DIM_TIME, 1209600},
        {"1 year", WSK_DIM_TIME, 365 * 86400.0},
        {"7d", WSK_DIM_TIME, 604800},
        {"20.32 mm", WSK_DIM_LENGTH, 0.02032},
        {"0.1 cm", WSK_DIM_LENGTH, 0.001},
        {"1 in", WSK_DIM_LENGTH, 0.0254},
        {"40 m", WSK_DIM_LENGTH, 40},
        {"1 ft", WSK_DIM_LENGTH, 0.3048},
        {"120 cm2", WSK_DIM_AREA, 0.012},
        {"120 cm\xC2\xB2", WSK_DIM_AREA, 0.012},
        {"3 mm^2", WSK_DIM_AREA, 3e-6},
        {"1 in2", WSK_DIM_AREA, 0.00064516},
        {"1.8 m2", WSK_DIM_AREA, 1.8},
        {"30 m3", WSK_DIM_VOLUME, 30},
        {"30 m\xC2\xB3", WSK_DIM_VOLUME, 30},
        {"1 ft3", WSK_DIM_VOLUME, 0.028316846592},
        {"2 l", WSK_DIM_VOLUME, 0.002},
        {"3 l/s", WSK_DIM_FLOW, 0.003},
        {"3 L / s", WSK_DIM_FLOW, 0.003},
        {"1.2 kPa", WSK_DIM_PRESSURE, 1200},
        {"10 mmH2O", WSK_DIM_PRESSURE, 98.0665},
        {"1 mbar", WSK_DIM_PRESSURE, 100},
        {"2 mmH\xE2\x82\x82O", WSK_DIM_PRESSURE, 19.6133},
        {"2200 rpm", WSK_DIM_SPEED, 2200},
        {"10 1/s", WSK_DIM_SPEED, 600},
        {"50 Hz", WSK_DIM_SPEED, 3000},
        {"50 Hz", WSK_DIM_FREQUENCY, 50},
        {"1.695 GHz", WSK_DIM_FREQUENCY, 1695e6},
        {"15 MHz", WSK_DIM_FREQUENCY, 15e6},
        {"40 W/K", WSK_DIM_CONDUCTANCE, 40},
        {"40 W / K", WSK_DIM_CONDUCTANCE, 40},
        {"0.04 kW/K", WSK_DIM_CONDUCTANCE, 40},
        {"0.05 K/W", WSK_DIM_RESISTANCE, 0.05},
        {"0.05 \xC2\xB0"
         "C/W",
         WSK_DIM_RESISTANCE, 0.05},
        {"4 kJ/K", WSK_DIM_CAPACITY, 4000},
        {"2 Wh/K", WSK_DIM_CAPACITY, 7200},
        {"1 kWh/K", WSK_DIM_CAPACITY, 3.6e6},
        {"120 V", WSK_DIM_VOLTAGE, 120},
        {"725 mV", WSK_DIM_VOLTAGE, 0.725},
        {"15 A", WSK_DIM_CURRENT, 15},
        {"0.041 1/K", WSK_DIM_PER_KELVIN, 0.041},
        {"4.1 %/K", WSK_DIM_PER_KELVIN, 0.041},
        {"0.89 1/GHz", WSK_DIM_PER_FREQ, 0.89e-9},
        {"105 W/GHz", WSK_DIM_POWER_PER_FREQ, 105e-9},
        {"0.105 W/MHz", WSK_DIM_POWER_PER_FREQ, 105e-9},
        {"4 MHz/K", WSK_DIM_FREQ_PER_K, 4e6},
        {"1.5 kg", WSK_DIM_MASS, 1.5},
        {"350 g", WSK_DIM_MASS, 0.35},
        {"24 GB", WSK_DIM_DATA, 24e9},
        {"24 GiB", WSK_DIM_DATA, 24 * 1073741824.0},
        {"0.82", WSK_DIM_FRACTION, 0.82},
        {"82 %", WSK_DIM_FRACTION, 0.82},
        {"82%", WSK_DIM_FRACTION, 0.82},
        {"3.2", WSK_DIM_NONE, 3.2},
        {"4", WSK_DIM_COUNT, 4},
        {"1e3", WSK_DIM_COUNT, 1000},
        {"9007199254740992", WSK_DIM_COUNT, 0x1p53},
        {"0 W", WSK_DIM_POWER, 0},
    };
    for (size_t i = 0; i < LEN(cases); i++)
        assert_same(read_as(cases[i].text, cases[i].dim), cases[i].si);
}

static void other_units_follow_their_definitions(void **state)
{
    (void)state;
    const double ulp = 2.3e-16;
    assert_rel(read_as("83 degC", WSK_DIM_TEMPERATURE), 356.15, ulp);
    assert_rel(read_as("83 \xC2\xB0"
                       "C",
                       WSK_DIM_TEMPERATURE),
               356.15, ulp);
    assert_rel(read_as("83\xE2\x84\x83", WSK_DIM_TEMPERATURE), 356.15, ulp);
    assert_rel(read_as("32 degF", WSK_DIM_TEMPERATURE), 273.15, ulp);
    assert_rel(read_as("212 degF", WSK_DIM_TEMPERATURE), 373.15, ulp);
    assert_rel(read_as("-40 degF", WSK_DIM_TEMPERATURE), read_as("-40 degC", WSK_DIM_TEMPERATURE), ulp);
    assert_near(read_as("-459.67 degF", WSK_DIM_TEMPERATURE), 0, 1e-13);
    assert_near(read_as("-273.15 degC", WSK_DIM_TEMPERATURE), 0, 1e-13);
    assert_rel(read_as("9 degF", WSK_DIM_TEMP_DIFF), 5, ulp);
    assert_rel(read_as("88 m3/h", WSK_DIM_FLOW), 88.0 / 3600, ulp);
    assert_rel(read_as("60 m3/min", WSK_DIM_FLOW), 1, ulp);
    assert_rel(read_as("60 l/min", WSK_DIM_FLOW), 1e-3, ulp);
    assert_rel(read_as("52 CFM", WSK_DIM_FLOW), 52 * 0.3048 * 0.3048 * 0.3048 / 60, 1e-15);
    assert_rel(read_as("1 inH2O", WSK_DIM_PRESSURE), 0.0254 * 1000 * 9.80665, 1e-15);
    assert_rel(read_as("1 inH2O", WSK_DIM_PRESSURE), read_as("25.4 mmH2O", WSK_DIM_PRESSURE), 1e-15);
    assert_rel(read_as("9000 BTU/h", WSK_DIM_POWER), 2637.639631550, 1e-12);
    assert_rel(read_as("1 ton", WSK_DIM_POWER), 3516.8528420667, 1e-12); /* ton of refrigeration: 12,000 BTU/h */
    assert_rel(read_as("0.24/GHz", WSK_DIM_PER_FREQ), 0.24e-9, ulp);
    assert_rel(read_as("0.005/K", WSK_DIM_PER_KELVIN), 0.005, ulp);
    assert_rel(read_as("18 USD/kW/month", WSK_DIM_POWER_PRICE), 0.018, ulp);
    assert_rel(read_as("0.369 kg/kWh", WSK_DIM_CARBON), 0.369 / 3.6e6, ulp);
    assert_rel(read_as("369 g/kWh", WSK_DIM_CARBON), 0.369 / 3.6e6, ulp);
    assert_rel(read_as("369 kg/MWh", WSK_DIM_CARBON), 0.369 / 3.6e6, ulp);
    assert_rel(read_as("369 gCO2eq/kWh", WSK_DIM_CARBON), 0.369 / 3.6e6, ulp);
    assert_rel(read_as("1 lb/MWh", WSK_DIM_CARBON), 0.45359237 / 3.6e9, 1e-15);
}

static void times_of_day_in_two_forms(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double s;
    } good[] = {{"16:00", 57600}, {"16 h", 57600}, {"8:05", 29100}, {"08:05", 29100}, {"24:00", 86400},
                {"0 h", 0},       {"0:00", 0},     {"7.5h", 27000}, {"90 min", 5400}, {"24 h", 86400}};
    static const char *const bad[] = {"",   "16",   "24:01", "25 h",  "8:5",   "8:60", ":30",
                                      "8:", "-1 h", "8:000", "8:3 h", "0.3 s", "8::0", "123:00"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double s = -1;
        assert_true(wsk_parse_day_time(good[i].text, &s));
        assert_near(s, good[i].s, 0);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double s = -1;
        assert_false(wsk_parse_day_time(bad[i], &s));
        assert_near(s, -1, 0);
    }
}

static void prices_carry_their_currency(void **state)
{
    (void)state;
    char currency[8] = "";
    double si;
    size_t at;
    wsk_dim means;
    assert_int_equal(wsk_parse_quantity("499 USD", WSK_DIM_PRICE, &si, currency, &at, &means), WSK_UNIT_OK);
    assert_same(si, 499);
    assert_string_equal(currency, "USD");
    assert_int_equal(wsk_parse_quantity("0.31 EUR/kWh", WSK_DIM_ENERGY_PRICE, &si, currency, &at, &means),
                     WSK_UNIT_OK);
    assert_rel(si, 0.31 / 3.6e6, 2.3e-16);
    assert_string_equal(currency, "EUR");
    assert_int_equal(wsk_parse_quantity("0.31EUR/kWh", WSK_DIM_ENERGY_PRICE, &si, currency, &at, &means),
                     WSK_UNIT_OK);
    assert_rel(si, 0.31 / 3.6e6, 2.3e-16);
    assert_int_equal(wsk_parse_quantity("310 CHF/MWh", WSK_DIM_ENERGY_PRICE, &si, currency, &at, &means),
                     WSK_UNIT_OK);
    assert_rel(si, 0.31 / 3.6e6, 2.3e-16);
    assert_string_equal(currency, "CHF");
    assert_int_equal(wsk_parse_quantity("1e-7 USD/J", WSK_DIM_ENERGY_PRICE, &si, NULL, &at, &means), WSK_UNIT_OK);
    assert_same(si, 1e-7);
}

static void mistakes_are_told_apart_and_pointed_at(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        wsk_dim dim;
        wsk_unit_result result;
        size_t at;
        wsk_dim means;
    } cases[] = {
        {"", WSK_DIM_POWER, WSK_UNIT_NOT_A_NUMBER, 0, 0},
        {"  W", WSK_DIM_POWER, WSK_UNIT_NOT_A_NUMBER, 2, 0},
        {"inf W", WSK_DIM_POWER, WSK_UNIT_NOT_A_NUMBER, 0, 0},
        {"nan W", WSK_DIM_POWER, WSK_UNIT_NOT_A_NUMBER, 0, 0},
        {"1,5 kW", WSK_DIM_POWER, WSK_UNIT_NOT_A_NUMBER, 1, 0},
        {"1,000 W", WSK_DIM_POWER, WSK_UNIT_NOT_A_NUMBER, 1, 0},
        {"1.2.3 W", WSK_DIM_POWER, WSK_UNIT_NOT_A_NUMBER, 3, 0},
        {"USD 499", WSK_DIM_PRICE, WSK_UNIT_NOT_A_NUMBER, 0, 0},
        {"3.5", WSK_DIM_COUNT, WSK_UNIT_NOT_A_NUMBER, 0, 0},
        {"350", WSK_DIM_POWER, WSK_UNIT_MISSING, 0, 0},
        {" 350 ", WSK_DIM_POWER, WSK_UNIT_MISSING, 1, 0},
        {"0", WSK_DIM_TEMPERATURE, WSK_UNIT_MISSING, 0, 0},
        {"0", WSK_DIM_LENGTH, WSK_UNIT_MISSING, 0, 0},
        {"499", WSK_DIM_PRICE, WSK_UNIT_MISSING, 0, 0},
        {"0.16", WSK_DIM_ENERGY_PRICE, WSK_UNIT_MISSING, 0, 0},
        {"350 w", WSK_DIM_POWER, WSK_UNIT_UNKNOWN, 4, 0},
        {"350 Watt", WSK_DIM_POWER, WSK_UNIT_UNKNOWN, 4, 0},
        {"350 W x", WSK_DIM_POWER, WSK_UNIT_UNKNOWN, 4, 0},
        {"0x10 W", WSK_DIM_POWER, WSK_UNIT_UNKNOWN, 1, 0},
        {"1 000 W", WSK_DIM_POWER, WSK_UNIT_UNKNOWN, 2, 0},
        {"350 k W", WSK_DIM_POWER, WSK_UNIT_UNKNOWN, 4, 0},
        {"40 CFN", WSK_DIM_FLOW, WSK_UNIT_UNKNOWN, 3, 0},
        {"0.041 /s", WSK_DIM_PER_KELVIN, WSK_UNIT_UNKNOWN, 6, 0},
        {"499 usd", WSK_DIM_PRICE, WSK_UNIT_UNKNOWN, 4, 0},
        {"0.3 EUR/day", WSK_DIM_ENERGY_PRICE, WSK_UNIT_UNKNOWN, 4, 0},
        {"0.3 /kWh", WSK_DIM_ENERGY_PRICE, WSK_UNIT_UNKNOWN, 4, 0},
        {"1 /kWh", WSK_DIM_POWER, WSK_UNIT_UNKNOWN, 2, 0},
        {"5 \xFF\xFE", WSK_DIM_POWER, WSK_UNIT_UNKNOWN, 2, 0},
        {"5 \xC2", WSK_DIM_POWER, WSK_UNIT_UNKNOWN, 2, 0},
        {"5 ?", WSK_DIM_POWER, WSK_UNIT_UNKNOWN, 2, 0},
        {"83 degC", WSK_DIM_POWER, WSK_UNIT_WRONG, 3, WSK_DIM_TEMPERATURE},
        {"5 kW", WSK_DIM_NONE, WSK_UNIT_WRONG, 2, WSK_DIM_POWER},
        {"4 s", WSK_DIM_COUNT, WSK_UNIT_WRONG, 2, WSK_DIM_TIME},
        {"0.5 W", WSK_DIM_FRACTION, WSK_UNIT_WRONG, 4, WSK_DIM_POWER},
        {"5 %", WSK_DIM_POWER, WSK_UNIT_WRONG, 2, WSK_DIM_FRACTION},
        {"3 Hz", WSK_DIM_POWER, WSK_UNIT_WRONG, 2, WSK_DIM_FREQUENCY},
        {"5 USD", WSK_DIM_POWER, WSK_UNIT_WRONG, 2, WSK_DIM_PRICE},
        {"52 CFM", WSK_DIM_PRICE, WSK_UNIT_WRONG, 3, WSK_DIM_FLOW},
        {"5 W", WSK_DIM_PRICE, WSK_UNIT_WRONG, 2, WSK_DIM_POWER},
        {"5 EUR", WSK_DIM_ENERGY_PRICE, WSK_UNIT_WRONG, 2, WSK_DIM_PRICE},
        {"5 EUR/kWh", WSK_DIM_PRICE, WSK_UNIT_WRONG, 2, WSK_DIM_ENERGY_PRICE},
        {"5 K/W", WSK_DIM_CONDUCTANCE, WSK_UNIT_WRONG, 2, WSK_DIM_RESISTANCE},
        {"1e400 W", WSK_DIM_POWER, WSK_UNIT_OVERFLOW, 0, 0},
        {"1e307 kW", WSK_DIM_POWER, WSK_UNIT_OVERFLOW, 0, 0},
        {"1e307 h", WSK_DIM_TIME, WSK_UNIT_OVERFLOW, 0, 0},
        {"1e17", WSK_DIM_COUNT, WSK_UNIT_OVERFLOW, 0, 0},
        {"1e400", WSK_DIM_NONE, WSK_UNIT_OVERFLOW, 0, 0},
    };
    for (size_t i = 0; i < LEN(cases); i++) {
        double si = 42;
        size_t at = 99;
        wsk_dim means = WSK_DIM_NONE;
        char currency[8] = "-";
        wsk_unit_result result = wsk_parse_quantity(cases[i].text, cases[i].dim, &si, currency, &at, &means);
        if (result != cases[i].result || at != cases[i].at || means != cases[i].means)
            print_error("\"%s\": result %d at %zu means %d\n", cases[i].text, (int)result, at, (int)means);
        assert_int_equal(result, cases[i].result);
        assert_int_equal(at, cases[i].at);
        assert_int_equal(means, cases[i].means);
        assert_same(si, 42);
        assert_string_equal(currency, "-");
    }
}

/* A number beyond the range of a double is valid if its SI value is within that range: 1e309 mW. */
static void the_scale_counts_before_the_limit(void **state)
{
    (void)state;
    assert_rel(read_as("1e309 mW", WSK_DIM_POWER), 1e306, 2.3e-16);
}

static void endless_units_do_no_harm(void **state)
{
    (void)state;
    static char text[100000];
    size_t at;
    wsk_dim means;
    double si;
    static const char *const pieces[] = {"W", " ", "\xC2\xB0", "/", "^", "\xC2\xA0"};
    for (size_t i = 0; i < LEN(pieces); i++) {
        size_t len = strlen(pieces[i]);
        memcpy(text, "1 K", 4);
        for (size_t k = 3; k + len < sizeof text; k += len)
            memcpy(text + k, pieces[i], len + 1);
        wsk_unit_result result = wsk_parse_quantity(text, WSK_DIM_POWER, &si, NULL, &at, &means);
        assert_true(result == WSK_UNIT_UNKNOWN || result == WSK_UNIT_WRONG);
    }
}

static const char *written(char text[64], double si, wsk_dim dim, const char *currency)
{
    int len = wsk_format_quantity(text, 64, si, dim, currency);
    assert_int_equal(len, strlen(text));
    return text;
}

static void quantities_are_written_as_people_write_them(void **state)
{
    (void)state;
    char t[64];
    assert_string_equal(written(t, 350, WSK_DIM_POWER, NULL), "350 W");
    assert_string_equal(written(t, 83 + 273.15, WSK_DIM_TEMPERATURE, NULL), "83 degC");
    assert_string_equal(written(t, 273.15, WSK_DIM_TEMPERATURE, NULL), "0 degC");
    assert_string_equal(written(t, 2200, WSK_DIM_SPEED, NULL), "2200 rpm");
    assert_string_equal(written(t, 15e6, WSK_DIM_FREQUENCY, NULL), "15 MHz");
    assert_string_equal(written(t, 0.02032, WSK_DIM_LENGTH, NULL), "20.32 mm");
    assert_string_equal(written(t, 0.0123, WSK_DIM_AREA, NULL), "123 cm2");
    assert_string_equal(written(t, 88.0 / 3600, WSK_DIM_FLOW, NULL), "88 m3/h");
    assert_string_equal(written(t, 0.82, WSK_DIM_FRACTION, NULL), "82 %");
    assert_string_equal(written(t, 105e-9, WSK_DIM_POWER_PER_FREQ, NULL), "105 W/GHz");
    assert_string_equal(written(t, 0.31 / 3.6e6, WSK_DIM_ENERGY_PRICE, "EUR"), "0.31 EUR/kWh");
    assert_string_equal(written(t, 499, WSK_DIM_PRICE, "USD"), "499 USD");
    assert_string_equal(written(t, 0.369 / 3.6e6, WSK_DIM_CARBON, NULL), "0.369 kg/kWh");
    assert_string_equal(written(t, 24e9, WSK_DIM_DATA, NULL), "24 GB");
    assert_string_equal(written(t, 4, WSK_DIM_COUNT, NULL), "4");
    assert_string_equal(written(t, 3.2, WSK_DIM_NONE, NULL), "3.2");
}

static void what_is_written_reads_back_as_the_same_double(void **state)
{
    (void)state;
    char text[64];
    for (int d = 0; d < WSK_DIM_COUNT_; d++) {
        wsk_dim dim = (wsk_dim)d;
        for (uint64_t i = 0; i < 3000; i++) {
            double scale = i % 3 ? pow(10, 24 * wsk_random(1, i, (uint64_t)d) - 12) : 400;
            double si = (wsk_random(2, i, (uint64_t)d) - 0.25) * scale;
            if (i < 6)
                si = (const double[]){0, DBL_MAX, -DBL_MAX, DBL_MIN, 0x1p-1074, 1}[i];
            if (dim == WSK_DIM_COUNT)
                si = fabs(si) < 1e15 ? floor(si) : 7;
            written(text, si, dim, "EUR");
            assert_same(read_as(text, dim), si);
        }
    }
}

static void each_dimension_is_described(void **state)
{
    (void)state;
    for (int d = 0; d < WSK_DIM_COUNT_; d++) {
        const wsk_dim_info *about = wsk_dim_about((wsk_dim)d);
        assert_true(*about->name && *about->fits);
        assert_non_null(about->unit);
        assert_non_null(about->edge);
        char list[64], text[80];
        if (d == WSK_DIM_NONE || d == WSK_DIM_COUNT || d == WSK_DIM_FRACTION || d == WSK_DIM_PRICE ||
            d == WSK_DIM_ENERGY_PRICE || d == WSK_DIM_POWER_PRICE)
            continue;
        snprintf(list, sizeof list, "%s", about->fits);
        char *rest = list;
        for (char *unit = strtok_r(rest, ", ", &rest); unit; unit = strtok_r(NULL, ", ", &rest)) {
            snprintf(text, sizeof text, "1 %s", unit);
            read_as(text, (wsk_dim)d);
        }
        snprintf(text, sizeof text, "1 %s", about->unit);
        assert_same(read_as(text, (wsk_dim)d), 1);
    }
    assert_non_null(wsk_dim_about((wsk_dim)1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimal_units_are_exact),
        cmocka_unit_test(other_units_follow_their_definitions),
        cmocka_unit_test(times_of_day_in_two_forms),
        cmocka_unit_test(prices_carry_their_currency),
        cmocka_unit_test(mistakes_are_told_apart_and_pointed_at),
        cmocka_unit_test(the_scale_counts_before_the_limit),
        cmocka_unit_test(endless_units_do_no_harm),
        cmocka_unit_test(quantities_are_written_as_people_write_them),
        cmocka_unit_test(what_is_written_reads_back_as_the_same_double),
        cmocka_unit_test(each_dimension_is_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
