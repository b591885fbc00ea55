/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What differs between two cases, in words. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_difference_of_0_has_no_sign)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
