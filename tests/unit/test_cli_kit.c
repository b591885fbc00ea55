/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small parts of the program: values of --vary, quantities in the units of keys, short names of cases, scales of
 * numbers. */
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/kit/compared.h"
#include "cli/kit/expr_code.h"
#include "cli/kit/vary.h"

/* Output of wsk_cli_expand for a wrong value of --vary. */
static char said[1000];
static bool expand(const char *text, wsk_cli_list *values)
{
    char file[] = "/tmp/wattsink-kit-XXXXXX";
    const int to = mkstemp(file), before = dup(STDERR_FILENO);
    assert_true(to >= 0 && before >= 0);
    fflush(stderr);
    dup2(to, STDERR_FILENO);
    const bool ok = wsk_cli_expand(text, values);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    const ssize_t len = pread(to, said, sizeof said - 1, 0);
    said[len > 0 ? len : 0] = '\0';
    close(before);
    close(to);
    unlink(file);
    return ok;
}

static void check_values(const char *text, const char *expected)
{
    wsk_cli_list values = {0};
    if (!expand(text, &values))
        fail_msg("'%s' is refused: %s", text, said);
    char all[2000] = "";
    for (size_t i = 0; i < values.count; i++) {
        strncat(all, i ? "|" : "", sizeof all - strlen(all) - 1);
        strncat(all, values.items[i], sizeof all - strlen(all) - 1);
    }
    assert_string_equal(all, expected);
    wsk_cli_list_free(&values, 0);
}

static void values_and_ranges(void **state)
{
    (void)state;
    check_values("a=1", "a=1");
    check_values("a= x , y ", "a=x|a=y");
    check_values("a=200W:350W:50W", "a=200W|a=250W|a=300W|a=350W");
    check_values("a=350W:200W:-50W", "a=350W|a=300W|a=250W|a=200W");
    check_values("a=1:2:0.5", "a=1|a=1.5|a=2");
    check_values("a=200 W : 300 W : 50 W,1W", "a=200W|a=250W|a=300W|a=1W");
    /* the step of temperatures may be a difference: 9 degF are 5 K */
    check_values("a=18degC:22degC:2K", "a=18degC|a=20degC|a=22degC");
    check_values("a=50degF:68degF:5K", "a=50degF|a=59degF|a=68degF");
    /* times of day, dates and curves in quotes are no ranges */
    check_values("a=08:00,16:00", "a=08:00|a=16:00");
    check_values("a=2026-08-03", "a=2026-08-03");
    check_values("a=30degC:1000rpm", "a=30degC:1000rpm");
    check_values("a=\"30degC:1000rpm,80degC:3000rpm\",\"x\"", "a=30degC:1000rpm,80degC:3000rpm|a=x");
    check_values("a=7:00:250W", "a=7:00:250W");
    check_values("a=\"", "a=\"");
    check_values("a=\"x,y", "a=\"x,y"); /* never closed: the rest is one value */
    check_values("a=1:2-3", "a=1:2-3");
    /* steps that do not meet the end of the range stop before it, with a message */
    check_values("a=1W:2W:0.3W", "a=1W|a=1.3W|a=1.6W|a=1.9W");
    assert_non_null(strstr(said, "the steps end at 1.9W, before 2W"));
    check_values("a=1W:1W:1W", "a=1W");
}

static void refuses(const char *text, const char *why)
{
    wsk_cli_list values = {0};
    if (expand(text, &values))
        fail_msg("'%s' is accepted", text);
    if (!strstr(said, why))
        fail_msg("'%s': no '%s' in: %s", text, why, said);
    wsk_cli_list_free(&values, 0);
}

static void values_that_are_none(void **state)
{
    (void)state;
    refuses("a", "expected PATH=VALUE,VALUE");
    refuses("=1", "expected PATH=VALUE,VALUE");
    refuses("a=", "expected PATH=VALUE,VALUE");
    refuses("a=1,,2", "a value is missing beside a comma");
    refuses("a=1,", "a value is missing beside a comma");
    refuses("a=200W:350W", "it has no step; expected such as 200W:350W:37.5W");
    refuses("a=200W:200W", "its ends are the same; expected such as 200W alone");
    refuses("a=200W:350W:0W", "its step is 0");
    refuses("a=200W:350W:-10W", "its step leads away from 350W; expected 200W:350W:10W");
    refuses("a=200W:350W:10", "a unit is missing; did you mean 200W:350W:10W");
    refuses("a=200:350:10W", "a unit is missing; did you mean 200W:350W:10W");
    refuses("a=200:350W:10", "a unit is missing; did you mean 200W:350W:10W");
    refuses("a=200W:350V:10W", "its units differ");
    refuses("a=18degC:22degF:2K", "its units differ");
    refuses("a=18degC:22degC:2W", "its units differ");
    refuses("a=18degC:22W:2K", "its units differ");
    refuses("a=0W:1e6W:1W", "it makes more than 10000 cases");
    refuses("a=200W-350W", "ranges are LOW:HIGH:STEP; expected such as 200W:350W:37.5W");
    refuses("a=200 - 350 W", "ranges are LOW:HIGH:STEP; expected such as 200W:350W:37.5W");
    refuses("a=30degC:1000rpm,80degC:3000rpm", "a point of a curve; expected each curve in double quotes");
    refuses("a=7:00:250W,19:00:350W", "a point of a curve; expected each curve in double quotes");
}

static void check_converted(const char *quantity, const char *to, double expected)
{
    double is = NAN;
    if (!wsk_expr_convert(quantity, to, &is))
        fail_msg("%s is not converted to %s", quantity, to);
    if (!(fabs(is - expected) <= 1e-9 * fmax(1, fabs(expected))))
        fail_msg("%s is %.12g %s, expected %.12g", quantity, is, to, expected);
}

static void quantities_in_the_unit_of_a_key(void **state)
{
    (void)state;
    double is;
    check_converted("50 %", "1", 0.5);
    check_converted("0.25", "1", 0.25);
    check_converted("1.5kW", "W", 1500);
    check_converted("212 degF", "degC", 100);
    check_converted("9 degF", "K", 5); /* kelvin are differences of temperatures */
    check_converted("2 h", "s", 7200);
    assert_false(wsk_expr_convert("5 W", "degC", &is));
    assert_false(wsk_expr_convert("5", "W", &is));
    assert_false(wsk_expr_convert("five W", "W", &is));
    assert_true(wsk_expr_is_currency("USD", 3));
    assert_false(wsk_expr_is_currency("Usd", 3) || wsk_expr_is_currency("US", 2) || wsk_expr_is_currency("USDT", 4));
}

static void check_names(const char *const *labels, size_t count, const char *head, const char *expected)
{
    char *is_head, all[500] = "";
    char **names = wsk_cli_short_names(labels, count, &is_head);
    for (size_t i = 0; i < count; i++) {
        strncat(all, i ? "|" : "", sizeof all - strlen(all) - 1);
        strncat(all, names[i], sizeof all - strlen(all) - 1);
    }
    assert_string_equal(is_head ? is_head : "", head);
    assert_string_equal(all, expected);
    wsk_cli_names_free(names, count, is_head);
}
#define CHECK_NAMES(head, expected, ...) \
    check_names((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), \
                head, expected)

static void names_without_what_they_share(void **state)
{
    (void)state;
    CHECK_NAMES("a", "1|2", "a=1", "a=2");
    CHECK_NAMES("a, b", "1, x|2, y", "a=1, b=x", "a=2, b=y");
    CHECK_NAMES("", "a=1|b=2", "a=1", "b=2");
    CHECK_NAMES("", "a=1|rig.xml", "a=1", "rig.xml");
    CHECK_NAMES("", "one.xml|two.xml", "rigs/one.xml", "rigs/two.xml");
    CHECK_NAMES("", "rigs/one.xml", "rigs/one.xml");
    CHECK_NAMES("", "rigs/one.xml|rig.xml", "rigs/one.xml", "rig.xml");
    CHECK_NAMES("a", "1", "a=1");
}

static void scales_of_numbers(void **state)
{
    (void)state;
    static const struct {
        double number, price, of_number, of_price;
    } all[] = {{19999, 1, 1, 1},    {20000, 1, 1e3, 1},  {3e9, 1, 1e6, 1}, {1e30, 1, 1e12, 1}, /* the largest scale */
               {1, 0.0099, 1, 1e3}, {1, 1e-30, 1, 1e12}, {1, 0, 1, 1}, /* a price of nothing has no scale */
               {1, 0.01, 1, 1}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        wsk_cli_units u;
        wsk_cli_scale_units(&u, "tokens", all[i].number, all[i].price);
        assert_true(fabs(u.number / all[i].of_number - 1) < 1e-12);
        assert_true(fabs(u.price / all[i].of_price - 1) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_ranges),
        cmocka_unit_test(values_that_are_none),
        cmocka_unit_test(quantities_in_the_unit_of_a_key),
        cmocka_unit_test(names_without_what_they_share),
        cmocka_unit_test(scales_of_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
