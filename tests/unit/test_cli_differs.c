/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What differs between two cases, in words, and limits of the range of one. */
#define _XOPEN_SOURCE 700
#include "tests/unit/cli_compare_cases.h"

static void add_band(wsk_cli_case *c, const char *key, double work)
{
    c->sources = wsk_cli_alloc(sizeof *c->sources);
    c->sources[0] = (wsk_cli_source){.key = key, .text = key, .lowered = {.work = -work}, .raised = {.work = work}};
    c->n_sources = 1;
    c->spread_known = true;
}

/* A difference that is told as 0 is neither less nor more. */
static void a_difference_of_0_has_no_sign(void **state)
{
    (void)state;
    static const struct {
        double work;
        const char *says;
    } rows[] = {{100.1, "Work: 0 +-3 %. "}, {99.9, "Work: 0 +-3 %. "}, {104, "Work: 4 +-3 % more."}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        wsk_cli_case cases[] = {make("a", 10, 100, 20, NAN), make("b", 10, 100, 20, NAN)};
        cases[1].work = rows[i].work;
        add_band(&cases[0], "x", 0.02);
        add_band(&cases[1], "y", 0.02);
        char *text = words(cases, 2);
        assert_says(text, rows[i].says);
        free(text);
    }
}

/* Three inputs may each keep on a card that the case shuts down, which adds three times the power, once. */
static void test_cards_kept_on_once(void **state)
{
    (void)state;
    static const char *const keys[] = {"x", "y", "z"};
    wsk_cli_case c = make("a", NAN, 100, 500, 1000);
    c.sources = wsk_cli_alloc(3 * sizeof *c.sources);
    for (c.n_sources = 0; c.n_sources < 3; c.n_sources++)
        c.sources[c.n_sources] =
            (wsk_cli_source){.key = keys[c.n_sources], .text = keys[c.n_sources], .raised = {.site = 3, .wall = 3}};
    c.spread_known = true;
    c.site_above = c.wall_above = 3;
    assert_close(wsk_cli_sides_of(&c, WSK_CLI_BY_COST, &FINANCE).above, 1500);
    assert_close(wsk_cli_sides_of(&c, WSK_CLI_BY_COST, &FINANCE).below, 0);
    free(c.sources);
    free(c.label);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_difference_of_0_has_no_sign),
                                       cmocka_unit_test(test_cards_kept_on_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
