/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/kit/files.c"
#include "cli/kit/json.c"
#include "cli/kit/expr.c"
#include "cli/kit/expr_unit.c"
#include "cli/kit/expr_value.c"

static const char *const names[] = {"a",
                                    "b",
                                    "cost.annual",
                                    "gpus[0].die_max_c",
                                    "none",
                                    "mean(gpus.power_w)",
                                    "max-power",
                                    "work.lost_fraction",
                                    "work.done",
                                    "gpus[0].throttles",
                                    "room.max_c",
                                    "own.cost",
                                    "max(gpus.die_max_c)",
                                    "min(gpus.die_max_c)",
                                    "sum(gpus.die_max_c)"};
static const double values[] = {2, 3, 500, 81, NAN, 250, 7, 0.04, 90, 1, 30, 8, 81, 70, 151};

static bool look_up(void *ctx, const char *name, size_t *variable, const char **unit, wsk_expr_error *error)
{
    (void)ctx;
    if (!strcmp(name, "own.cost"))
        *unit = "currency";
    for (*variable = 0; *variable < sizeof names / sizeof *names; ++*variable)
        if (!strcmp(names[*variable], name))
            return true;
    snprintf(error->text, sizeof error->text, "no '%s'", name);
    return false;
}

static double value(const char *expression)
{
    char text[256];
    wsk_question q;
    wsk_expr_error error = {0};
    snprintf(text, sizeof text, "min %s", expression);
    if (!wsk_question_parse(&q, text, 1, look_up, NULL, &error))
        fail_msg("%s: %s at %zu", expression, error.text, error.at);
    double v = wsk_expr_value(q.goals[0].value, values);
    wsk_question_free(&q);
    return v;
}

/* An amount in another currency than the known one of the results (error.money) is refused. */
static void test_other_money(void **state)
{
    (void)state;
    wsk_question q;
    wsk_expr_error error = {.money = "USD"};
    bool same = wsk_question_parse(&q, "min a where cost.annual < 900 USD", 1, look_up, NULL, &error);
    wsk_question_free(&q);
    assert_true(same);
    bool other = wsk_question_parse(&q, "min a where cost.annual < 900 JPY", 1, look_up, NULL, &error);
    wsk_question_free(&q);
    assert_false(other);
    assert_int_equal(error.at, 30);
    assert_non_null(strstr(error.text, "USD"));
}

static bool holds(const char *condition)
{
    char text[256];
    wsk_question q;
    wsk_expr_error error = {0};
    snprintf(text, sizeof text, "min a where %s", condition);
    if (!wsk_question_parse(&q, text, 1, look_up, NULL, &error))
        fail_msg("%s: %s at %zu", condition, error.text, error.at);
    bool v = wsk_expr_value(q.where, values) > 0;
    wsk_question_free(&q);
    return v;
}

static void near(double got, double want)
{
    if (!(fabs(got - want) < 1e-12 * (1 + fabs(want))))
        fail_msg("%.17g, not %.17g", got, want);
}

static void test_precedence(void **state)
{
    (void)state;
    near(value("a + b * 4"), 14);
    near(value("(a + b) * 4"), 20);
    near(value("a - b - 4"), -5);
    near(value("12 / a / b"), 2);
    near(value("-a * b"), -6);
    near(value("- -a"), 2);
    near(value("2 * -b + 1e1"), 4);
    near(value("cost.annual/a"), 250);
    near(value("mean( gpus.power_w )*2"), 500);
    near(value("\"max-power\" - 1"), 6);
    assert_true(isnan(value("none + 1")));
}

static void test_conditions(void **state)
{
    (void)state;
    assert_true(holds("a < b and gpus[0].die_max_c<83"));
    assert_true(holds("a > b or b > a and b = 3")); /* `and` binds more tightly than `or` */
    assert_true(holds("(a > b or b > a) and b == 3"));
    assert_false(holds("(a > b or b > a) and b != 3"));
    assert_true(holds("not a > b"));
    assert_false(holds("not a > b and a > b"));
    assert_true(holds("not (a > b and a < b)"));
    assert_true(holds("a + 1 >= b and a * 2 <= b + 1"));
    assert_true(holds("a <> b"));
    assert_true(holds("b > a or a > b"));
    assert_false(holds("a > b or b = a"));
    assert_false(holds("a = b"));
    assert_false(holds("a > b and a < b"));
}

/* In this test gpus[0].die_max_c is 81 degC = 354.15 K = 177.8 degF; cost.annual is 500, without a stated currency. */
static void test_units(void **state)
{
    (void)state;
    assert_true(holds("gpus[0].die_max_c < 83 degC and gpus[0].die_max_c<83degC"));
    assert_true(holds("gpus[0].die_max_c > 177.7 degF and gpus[0].die_max_c < 177.9 degF"));
    assert_true(holds("354.1 K < gpus[0].die_max_c and gpus[0].die_max_c < 354.2 K"));
    assert_true(holds("cost.annual < 500.5 USD and cost.annual > 499 USD"));
    assert_true(holds("a < 3 and (gpus[0].die_max_c < 80 degC or cost.annual <= 500 EUR)"));
    near(value("cost.annual - 100 USD"), 400);
    assert_true(holds("work.lost_fraction < 5 % and work.lost_fraction > 3%"));
    assert_true(holds("gpus[0].die_max_c < 83 \u00b0C and gpus[0].die_max_c > 80\u00b0C"));
    assert_true(holds("work.done < 91 GPU-h and not work.done < 89 GPU-h"));
}

/* gpus[0].die_max_c is 81 degC and room.max_c 30 degC. A difference of temperatures is in K; a number in K in a sum of
 * temperatures is a difference. */
static void test_differences_of_temperatures(void **state)
{
    (void)state;
    assert_true(holds("gpus[0].die_max_c - room.max_c < 52 K and gpus[0].die_max_c - room.max_c > 50 K"));
    assert_true(holds("50 K < gpus[0].die_max_c - room.max_c"));
    assert_true(holds("gpus[0].die_max_c < room.max_c + 52 K and gpus[0].die_max_c > room.max_c + 50 K"));
    assert_true(holds("max(gpus.die_max_c) - min(gpus.die_max_c) < 20 K"));
    assert_true(holds("gpus[0].die_max_c - 5 K < 349.2 K and gpus[0].die_max_c - 5 K > 349.1 K"));
    assert_true(holds("(gpus[0].die_max_c + room.max_c) / 2 < 56 degC"));
    assert_true(holds("(gpus[0].die_max_c + room.max_c) / 2 > 328 K"));
    assert_true(holds("gpus[0].die_max_c - 5 < 77 degC"));
    assert_true(holds("gpus[0].die_max_c - 25 degC < 57 K and gpus[0].die_max_c - 25 degC > 55 K"));
    assert_true(holds("room.max_c > -40 degF and room.max_c - 60 < -4 degF and not room.max_c - 60 < -30 degC"));
    assert_true(holds("work.done / 2 < 46 GPU-h and 2 * work.done > 179 GPU-h"));
    assert_true(holds("2 * (3 - 1) * work.done > 359 GPU-h"));
}

static void has_unit(const char *expression, const char *unit)
{
    wsk_goal one;
    wsk_expr_error error = {0};
    assert_true(wsk_goal_parse(&one, expression, true, look_up, NULL, &error));
    assert_string_equal(one.unit, unit);
    wsk_goal_free(&one);
}

static void test_units_of_expressions(void **state)
{
    (void)state;
    has_unit("work.done", "GPU-h");
    has_unit("2 * work.done - 1", "GPU-h");
    has_unit("work.done / cost.annual", "");
    has_unit("work.done / work.done", "");
    has_unit("work.done + cost.annual", "");
    has_unit("gpus[0].die_max_c - 5", "degC");
    has_unit("gpus[0].die_max_c - room.max_c", "K");
    has_unit("gpus[0].die_max_c + room.max_c", "");
    has_unit("own.cost / 2", "currency");
    has_unit("a", "");
    wsk_clause all[2];
    size_t n;
    wsk_expr_error error = {0};
    assert_true(wsk_clauses_parse(all, 2, &n, "work.done > 3 and work.done / a > 2", look_up, NULL, &error));
    assert_string_equal(all[0].unit, "GPU-h");
    assert_string_equal(all[1].unit, "");
    wsk_clauses_free(all, n);
}

static const char *expects(const char *text, bool goal)
{
    static char said[400];
    wsk_goal one;
    wsk_clause all[4] = {{0}};
    size_t n = 0;
    wsk_expr_error error = {0};
    if (goal ? wsk_goal_parse(&one, text, true, look_up, NULL, &error)
             : wsk_clauses_parse(all, 4, &n, text, look_up, NULL, &error))
        fail_msg("'%s' is accepted", text);
    if (goal)
        wsk_goal_free(&one);
    else
        wsk_clauses_free(all, n);
    snprintf(said, sizeof said, "%zu: %s", error.at, error.text);
    return said;
}

static void test_parts_of_questions(void **state)
{
    (void)state;
    wsk_goal one;
    wsk_expr_error error = {0};
    assert_true(wsk_goal_parse(&one, " a * 2 ", true, look_up, NULL, &error));
    assert_true(one.most);
    assert_string_equal(one.text, "a * 2");
    wsk_goal_free(&one);
    assert_string_equal(expects("a b", true), "2: expected an operator or the end");
    assert_non_null(strstr(expects("a < b", true), "0: this is a condition"));
    assert_non_null(strstr(expects("a < 1 and b", false), "10: this is a number"));
    assert_non_null(strstr(expects("a < 1 or b", false), "9: this is a number"));
    assert_string_equal(expects("a < 1 or 2 < b b", false), "15: expected 'and', 'or', an operator or the end");
    assert_string_equal(expects("1 < a orb", false), "6: expected 'and', 'or', an operator or the end");
}

static double margin(const char *condition)
{
    wsk_clause all[4];
    size_t n;
    wsk_expr_error error = {0};
    if (!wsk_clauses_parse(all, 4, &n, condition, look_up, NULL, &error) || n != 1)
        fail_msg("%s: %zu clauses, %s at %zu", condition, n, error.text, error.at);
    const double v = wsk_expr_margin(all[0].condition, values);
    wsk_clauses_free(all, n);
    return v;
}

/* The margin of a condition is in the unit of the comparison, and is above 0 if the condition holds. */
static void test_margins(void **state)
{
    (void)state;
    near(margin("gpus[0].die_max_c < 83 degC"), 2);
    near(margin("gpus[0].die_max_c > 83 degC"), -2);
    near(margin("not gpus[0].die_max_c > 83 degC"), 2);
    near(margin("a < 10 or b < 1"), 8);
    near(margin("(a < 10 and b < 1)"), -2);
    near(margin("a = b"), -1);
    near(margin("a <> b"), 1);
    near(margin("a >= b"), -1);
    near(margin("a <= b"), 1);
    near(margin("(a < 3 and b < 10)"), 1);
    near(margin("b < 1 or a < 10"), 8);
    /* the margin of "or" with an unknown side is that of the other side */
    near(margin("a < 10 or none < 1"), 8);
    near(margin("none < 1 or a < 10"), 8);
    assert_true(isnan(margin("none < 1")));
    assert_true(isnan(margin("(none < 1 and a < 10)")) && isnan(margin("(a < 10 and none < 1)")));
    wsk_clause all[2];
    size_t n;
    wsk_expr_error error = {0};
    assert_true(wsk_clauses_parse(all, 2, &n, "a < 1 and b > 2", look_up, NULL, &error));
    assert_int_equal(n, 2);
    assert_string_equal(all[0].text, "a < 1");
    assert_string_equal(all[1].text, "b > 2");
    wsk_clauses_free(all, n);
    assert_false(wsk_clauses_parse(all, 2, &n, "a < 1 and b > 2 and a > 0", look_up, NULL, &error));
    wsk_clauses_free(all, n);
}

static void test_unknown_numbers(void **state)
{
    (void)state;
    static const char *const all[] = {"none < 1", "none > 1",  "none <= 1",  "none >= 1",
                                      "none = 1", "none != 1", "none = none"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_false(holds(all[i]));
}

static void refuses(const char *text, size_t goals, size_t at, const char *what)
{
    wsk_question q;
    wsk_expr_error error = {0};
    bool ok = wsk_question_parse(&q, text, goals, look_up, NULL, &error);
    wsk_question_free(&q);
    if (ok)
        fail_msg("'%s' is accepted", text);
    if (error.at != at || !strstr(error.text, what))
        fail_msg("'%s': '%s' at %zu, not '%s' at %zu", text, error.text, error.at, what, at);
}

static void test_mistakes_have_a_place(void **state)
{
    (void)state;
    refuses("cost.annual", 1, 0, "'min' or 'max'");
    refuses("min", 1, 3, "here it ends");
    refuses("min cost.anual where a < b", 1, 4, "no 'cost.anual'");
    refuses("min a where", 1, 11, "here it ends");
    refuses("min a where b", 1, 12, "condition");
    refuses("min a < b", 1, 4, "number belongs");
    refuses("min a where a < b < 3", 1, 18, "'and' or 'or'");
    refuses("min a where a < b b", 1, 18, "expected");
    refuses("min (a + b", 1, 10, "')'");
    refuses("min a where a < 83 degC", 1, 19, "whose unit is known");
    refuses("min a where a < 83degC", 1, 18, "whose unit is known");
    refuses("min a where cost.annual < 83 degC", 1, 29, "does not fit");
    refuses("min a where gpus[0].die_max_c < 83 W", 1, 35, "does not fit");
    refuses("min a where cost.annual < gpus[0].die_max_c + 3 K", 1, 48, "whose unit is known");
    /* a product or a quotient of quantities, and a sum of temperatures, have no unit that is known */
    refuses("min a where work.done * work.done > 36 GPU-h", 1, 39, "whose unit is known");
    refuses("min a where work.done / work.done > 36 GPU-h", 1, 39, "whose unit is known");
    refuses("min a where 1 / work.done > 36 GPU-h", 1, 31, "whose unit is known");
    refuses("min a where 2 h * work.done > 36", 1, 14, "whose unit is known");
    refuses("min a where gpus[0].die_max_c + room.max_c < 50 K", 1, 48, "whose unit is known");
    refuses("min a where sum(gpus.die_max_c) < 50 K", 1, 37, "whose unit is known");
    refuses("min a where 2 * gpus[0].die_max_c < 90 degC", 1, 39, "whose unit is known");
    refuses("min a where gpus[0].die_max_c - 25 < 50 K", 1, 40, "whose unit is known");
    refuses("min a where gpus[0].die_max_c - room.max_c < 50 degC", 1, 48, "whose unit is known");
    refuses("min a where a + cost.annual < 50 USD", 1, 33, "whose unit is known");
    refuses("min a where a + (a < b) > 1", 1, 16, "number belongs");
    refuses("min a where \"max-power < 3", 1, 12, "not closed");
    refuses("min median(gpus.power_w)", 1, 4, "no function 'median'");
    refuses("min mean(a + b)", 1, 9, "one key");
    refuses("min a b", 1, 6, "where");
    refuses("min a where a < 83%", 1, 18, "whose unit is known");
    refuses("min _x", 1, 4, "no '_x'");
    refuses("min and", 1, 4, "expected a key or a number");
    refuses("min a + or", 1, 8, "expected a key or a number");
    refuses("min ()", 1, 5, "expected a key or a number");
    refuses("min mean()", 1, 9, "one key");
    refuses("min max(a", 1, 8, "one key");
    refuses("min max a", 1, 4, "no 'max'");
    refuses("min not a", 1, 8, "condition belongs");
    refuses("min a where -(a < b) > 1", 1, 13, "number belongs");
    refuses("a", 2, 1, "comma");
    refuses("a, b * 2", 2, 3, "before an expression");
    refuses("min a, max b, a", 2, 12, "expected");
    refuses("min a where gpus[0].throttles < 1 W", 1, 34, "whose unit is known");
    refuses("min a where work.lost_fraction < 5 W", 1, 35, "does not fit a key in shares of 1");
    refuses("min a where gpus[0].die_max_c < 83 W/2", 1, 35, "'W' does not fit");
    refuses("min a where gpus[0].die_max_c < 83 W/K", 1, 35, "'W/K' does not fit");
    refuses("min 5 W", 1, 6, "whose unit is known");
    refuses("sum a", 1, 0, "'min' or 'max'");
    refuses("max(a)", 1, 0, "'min' or 'max'");
    refuses("min a where a < b order", 1, 18, "expected 'and'");
}

static void test_hostile(void **state)
{
    (void)state;
    char text[4096];
    memset(text, '(', 2000);
    memcpy(text, "min ", 4);
    text[2000] = '\0';
    wsk_question q;
    wsk_expr_error error = {0};
    assert_false(wsk_question_parse(&q, text, 1, look_up, NULL, &error));
    assert_non_null(strstr(error.text, "deeply"));
    wsk_question_free(&q);
    strcpy(text, "min a");
    for (size_t i = 0; i < 500; i++)
        memcpy(text + 5 + 2 * i, "+a", 3);
    assert_false(wsk_question_parse(&q, text, 1, look_up, NULL, &error));
    assert_non_null(strstr(error.text, "too long"));
    wsk_question_free(&q);
    memset(text + 4, '-', 2000);
    text[2004] = '\0';
    assert_false(wsk_question_parse(&q, text, 1, look_up, NULL, &error));
    wsk_question_free(&q);
    /* 17 numbers with units beside one key */
    strcpy(text, "min a where cost.annual < 1 USD");
    for (size_t i = 0; i < 16; i++)
        strcat(text, " + 1 USD");
    assert_false(wsk_question_parse(&q, text, 1, look_up, NULL, &error));
    assert_string_equal(error.text, "this is too long");
    wsk_question_free(&q);
    text[strlen(text) - strlen(" + 1 USD")] = '\0';
    assert_true(wsk_question_parse(&q, text, 1, look_up, NULL, &error));
    wsk_question_free(&q);
}

/* An expression has room for 256 steps: 128 keys that are added are 255, with a sign before them 256. */
static void test_the_longest_expression(void **state)
{
    (void)state;
    static const struct {
        const char *before, *behind;
        bool fits;
    } all[] = {
        {"-", "", true}, {"- -", "", false}, {"-", " + 1", false}, {"-", " + a", false}, {"- ", " < 1", false}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char text[512];
        wsk_goal one;
        wsk_expr_error error = {0};
        snprintf(text, sizeof text, "%s(a", all[i].before);
        for (int k = 1; k < 128; k++)
            strcat(text, "+a");
        strcat(strcat(text, ")"), all[i].behind);
        assert_int_equal(wsk_goal_parse(&one, text, false, look_up, NULL, &error), all[i].fits);
        if (all[i].fits)
            near(wsk_expr_value(one.value, values), -256);
        else
            assert_string_equal(error.text, "this is too long");
        wsk_goal_free(&one);
    }
}

static void test_directions(void **state)
{
    (void)state;
    wsk_question q;
    wsk_expr_error error = {0};
    assert_true(wsk_question_parse(&q, "cost.annual, max a*2 where a<b", 2, look_up, NULL, &error));
    assert_false(q.goals[0].most);
    assert_true(q.goals[1].most);
    assert_string_equal(q.goals[1].text, "a*2");
    assert_string_equal(q.where_text, "a<b");
    wsk_question_free(&q);
    assert_true(is_gain("work.done"));
    assert_true(is_gain("gpus.clock_mean_mhz"));
    assert_false(is_gain("work.lost_fraction"));
    assert_false(is_gain("gpus.die_max_c"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_precedence),
                                       cmocka_unit_test(test_other_money),
                                       cmocka_unit_test(test_conditions),
                                       cmocka_unit_test(test_unknown_numbers),
                                       cmocka_unit_test(test_units),
                                       cmocka_unit_test(test_differences_of_temperatures),
                                       cmocka_unit_test(test_units_of_expressions),
                                       cmocka_unit_test(test_margins),
                                       cmocka_unit_test(test_mistakes_have_a_place),
                                       cmocka_unit_test(test_hostile),
                                       cmocka_unit_test(test_the_longest_expression),
                                       cmocka_unit_test(test_parts_of_questions),
                                       cmocka_unit_test(test_directions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
