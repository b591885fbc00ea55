/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <float.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/base.h"
#include "tests/unit/assert.h"

#define LEN(array) (sizeof(array) / sizeof *(array))

static double number(const char *s)
{
    const char *end;
    double v = NAN;
    assert_true(wsk_parse_number(s, &end, &v));
    assert_int_equal(*end, 0);
    return v;
}

static void numbers_are_correctly_rounded(void **state)
{
    (void)state;
    assert_same(number("0.1"), 0x1.999999999999ap-4);
    assert_same(number("+350"), 350);
    assert_same(number("-.5"), -0.5);
    assert_same(number("2."), 2);
    assert_same(number("1E3"), 1000);
    assert_same(number("1e-3"), 0.001);
    assert_same(number("9007199254740993"), 0x1p53);
    assert_same(number("9007199254740993.00001"), 0x1.0000000000001p53);
    assert_same(number("2.2250738585072011e-308"), 0x0.fffffffffffffp-1022);
    assert_same(number("2.2250738585072012e-308"), 0x1p-1022);
    assert_same(number("1.7976931348623158e308"), DBL_MAX);
    assert_same(number("2.4703282292062327e-324"), 0);
    assert_same(number("2.4703282292062328e-324"), 0x1p-1074);
    assert_same(number("1e-400"), 0);
    assert_same(number("0e999999999999"), 0);
    assert_true(signbit(number("-0")));
    assert_same(number("1e23"), 0x1.52d02c7e14af6p+76); /* 10^23 is not a double; the nearest one is below it */
}

static void numbers_of_many_digits_round_at_the_tie(void **state)
{
    (void)state;
    static char text[20000];
    strcpy(text, "1.00000000000000011102230246251565404236316680908203125"); /* 1 + 2^-53: halfway between doubles */
    assert_same(number(text), 1);
    memset(text + strlen(text), '0', 5000);
    assert_same(number(text), 1);
    strcat(text, "1");
    assert_same(number(text), 1 + DBL_EPSILON);
    /* 10,000 zeros before or after the digits, which the exponent cancels */
    memset(text, 0, sizeof text);
    strcpy(text, "0.");
    memset(text + 2, '0', 10000);
    strcat(text, "25e10002");
    assert_same(number(text), 25);
    memset(text, 0, sizeof text);
    text[0] = '7';
    memset(text + 1, '0', 10000);
    strcat(text, "e-10000");
    assert_same(number(text), 7);
}

static void numbers_stop_where_they_end(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
        size_t len;
    } cases[] = {{"350 W", 350, 3},    {"0x10", 0, 1},    {"1e", 1, 1},  {"1e+", 1, 1},     {"1eV", 1, 1},
                 {"0.31EUR", 0.31, 4}, {"1.2.3", 1.2, 3}, {"1,5", 1, 1}, {"1e2e3", 100, 3}, {"5-3", 5, 1}};
    for (size_t i = 0; i < LEN(cases); i++) {
        const char *end;
        double v;
        assert_true(wsk_parse_number(cases[i].text, &end, &v));
        assert_same(v, cases[i].value);
        assert_int_equal(end - cases[i].text, cases[i].len);
    }
}

static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    static const char *const not [] = {"",    "inf", "-inf", "nan", "NAN(1)", "infinity", ".",   "+",       "-",
                                       "+-1", "e5",  ".e5",  ",5",  " 1",     "W",        "--1", "\xD9\xA1"};
    static const char *const over[] = {"1e400", "-1e400", "1.7976931348623159e308", "1e999999999999999999999"};
    const char *end;
    double v;
    for (size_t i = 0; i < LEN(not ); i++) {
        assert_false(wsk_parse_number(not [i], &end, &v));
        assert_ptr_equal(end, not [i]);
    }
    for (size_t i = 0; i < LEN(over); i++) {
        assert_false(wsk_parse_number(over[i], &end, &v));
        assert_int_equal(*end, 0);
    }
}

static void format_is_short_and_plain(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.0, "-0"},
                 {350, "350"},
                 {0.1, "0.1"},
                 {-2.5, "-2.5"},
                 {1e15, "1000000000000000"},
                 {1e22, "1e22"},
                 {123456789012345, "123456789012345"},
                 {1e-4, "0.0001"},
                 {1e-7, "1e-7"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {1.0 / 3, "0.3333333333333333"},
                 {5e-324, "5e-324"},
                 {DBL_MAX, "1.7976931348623157e308"},
                 {DBL_MIN, "2.2250738585072014e-308"},
                 {6.02e23, "6.02e23"}};
    char text[32];
    for (size_t i = 0; i < LEN(cases); i++) {
        assert_int_equal(wsk_format_number(text, sizeof text, cases[i].value), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
    assert_int_equal(wsk_format_number(text, 3, 12345), 5);
    assert_string_equal(text, "12");
}

static double any_double(uint64_t i)
{
    uint64_t bits = (uint64_t)(wsk_random(1, i, 0) * 0x1p32) << 32 | (uint64_t)(wsk_random(1, i, 1) * 0x1p32);
    double v;
    memcpy(&v, &bits, sizeof v);
    return isfinite(v) ? v : 1;
}

static void every_double_reads_back(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        double v = i % 2 ? any_double(i) : ldexp(wsk_random(2, i, 0) - 0.5, (int)(i % 60) - 20);
        char text[32];
        assert_true(wsk_format_number(text, sizeof text, v) < 32);
        assert_same(number(text), v);
    }
}

/* strtod() of the C library, in the locale "C", is the reference. */
static void random_texts_read_as_the_c_library_reads_them(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        char text[64], *p = text;
        int digits = 1 + (int)(wsk_random(3, i, 0) * 25), point = (int)(wsk_random(3, i, 1) * 25);
        for (int k = 0; k < digits; k++) {
            if (k == point)
                *p++ = '.';
            *p++ = (char)('0' + (int)(wsk_random(4, i, (uint64_t)k) * 10));
        }
        snprintf(p, 16, "e%d", (int)(wsk_random(3, i, 2) * 600) - 320);
        double expected = strtod(text, NULL);
        if (isfinite(expected))
            assert_same(number(text), expected);
    }
}

static void numbers_ignore_the_locale(void **state)
{
    (void)state;
    static const char *const comma[] = {"de_DE.UTF-8", "de_DE.utf8",  "fr_FR.UTF-8",
                                        "de_DE",       "nl_NL.UTF-8", "pl_PL.UTF-8"};
    const char *set = NULL;
    for (size_t i = 0; i < LEN(comma) && !set; i++)
        set = setlocale(LC_ALL, comma[i]);
    if (!set)
        skip();
    char text[64];
    wsk_format_number(text, sizeof text, 1.0 / 3);
    double read = number("0.30000000000000004"), si = 0;
    wsk_unit_result result = wsk_parse_quantity("20.32 mm", WSK_DIM_LENGTH, &si, NULL, NULL, NULL);
    setlocale(LC_ALL, "C");
    assert_string_equal(text, "0.3333333333333333");
    assert_same(read, 0.1 + 0.2);
    assert_int_equal(result, WSK_UNIT_OK);
    assert_same(si, 0.02032);
}

static void test_number_at(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
        size_t used;
    } rows[] = {{"200W", 200, 3}, {"-0.5 K", -0.5, 4}, {"1e3x", 1000, 3}, {"2.385e-2", 0.02385, 8},
                {"3E", 3, 1},     {"7.", 7, 2},        {".25", 0.25, 3},  {"1.2.3", 1.2, 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *end;
        assert_same(wsk_number_at(rows[i].text, &end), rows[i].value);
        assert_int_equal(end - rows[i].text, rows[i].used);
    }
    static const char *const none[] = {"", "W", "-", ".", "nan", "inf", "null", "+5", "+", "+-5", "-+5", "-W", " 5"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        const char *end = NULL;
        assert_true(isnan(wsk_number_at(none[i], &end)));
        assert_ptr_equal(end, none[i]);
    }
    const char *end, *large = "-1e999 W";
    assert_true(isinf(wsk_number_at(large, &end)));
    assert_string_equal(end, " W");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number_at),
        cmocka_unit_test(numbers_are_correctly_rounded),
        cmocka_unit_test(numbers_of_many_digits_round_at_the_tie),
        cmocka_unit_test(numbers_stop_where_they_end),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(format_is_short_and_plain),
        cmocka_unit_test(every_double_reads_back),
        cmocka_unit_test(random_texts_read_as_the_c_library_reads_them),
        cmocka_unit_test(numbers_ignore_the_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
