/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work and power that other people measured under power limits and published, against the values of the catalogue. Rows
 * whose use is "held" did not influence these values. */
#include <math.h>

#include "tests/support/stranger_power.h"
#include "tests/unit/assert.h"

static void tell(const wsk_stranger_row *r)
{
    const double error = 100 * (r->model / r->measured - 1);
    print_message("%s %s %s %s at %g W (%s): measured %.4g, model %.4g +-%.0f %%, %+.1f %%%s\n", r->use,
                  r->watts ? "watts" : "work", r->part, r->cls, r->limit_w, r->load, r->measured, r->model,
                  100 * r->spread, error, fabs(error) > 100 * r->spread + 0.5 ? " outside" : "");
}

static void held_rows(void **state)
{
    (void)state;
    wsk_strangers all;
    assert_true(wsk_strangers_read(&all));
    assert_true(all.n >= 150);
    for (int i = 0; i < all.n; i++)
        tell(&all.row[i]);
    static const char *const uses[] = {"held", "chose", "untold", "apart"};
    wsk_stranger_sum s[4][2];
    for (int u = 0; u < 4; u++)
        for (int watts = 0; watts < 2; watts++) {
            wsk_stranger_sums(&all, uses[u], NULL, watts, &s[u][watts]);
            const wsk_stranger_sum *x = &s[u][watts];
            print_message("%s, %s: %d rows of %d series and %d cards: error %.1f %%, bias %+.1f, worst %+.0f (%s), "
                          "inside %d %%\n",
                          uses[u], watts ? "watts" : "work", x->rows, x->series, x->cards, x->error, x->bias,
                          x->worst, x->where, x->rows ? 100 * x->inside / x->rows : 0);
        }
    for (int watts = 0; watts < 2; watts++)
        assert_true(s[0][watts].inside >= 0.65 * s[0][watts].rows && s[0][watts].inside <= 0.95 * s[0][watts].rows);
    assert_true(s[0][0].error <= 6);
    wsk_strangers_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(held_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
