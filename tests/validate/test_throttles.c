/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program's probability that heat slows a card, against machines whose owners or reviewers say whether it does. */
#include "tests/support/throttles.h"
#include "tests/unit/assert.h"

static void throttles(void **state)
{
    (void)state;
    wsk_throttles t;
    assert_true(wsk_throttles_read(&t));
    for (int i = 0; i < t.n; i++)
        print_message("%s%s: %s, probability %.2f\n", t.rows[i].machine, t.rows[i].fitted ? " (fitted)" : "",
                      t.rows[i].measured ? "yes" : "no", t.rows[i].chance);
    print_message("right: %d of %d yes, %d of %d no, %d of %d not fitted; Brier score %.3f\n", t.yes_right, t.yes,
                  t.no_right, t.no, t.free_right, t.free, t.brier);
    assert_true(t.yes >= 10 && t.no >= 14);
    /* The goal is 16 of 20 right. A forecast that always gives the share of slowed cards would have a score of 0.24. */
    assert_true(t.yes_right + t.no_right >= 0.8 * t.n);
    assert_true(t.free_right >= 0.8 * t.free);
    assert_true(t.brier <= 0.1);
    wsk_throttles_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(throttles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
