/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bands: docs/theory/uncertainty.md, "Bands against measurements" */
#include "tests/support/walls.h"
#include "tests/unit/assert.h"

static void walls(void **state)
{
    (void)state;
    wsk_walls w;
    assert_true(wsk_walls_read(&w));
    for (int i = 0; i < w.n; i++)
        print_message("%s %s: measured %.1f, model %.1f W (%+.1f %%)\n", w.rows[i].machine, w.rows[i].sets,
                      w.rows[i].measured_w, w.rows[i].model_w, 100 * (w.rows[i].model_w / w.rows[i].measured_w - 1));
    print_message("%d rows of %d machines: as shipped %.1f %%, machines left out %.1f %%\n", w.n, w.machines,
                  100 * w.shipped, 100 * w.left_out);
    assert_true(w.n >= 16 && w.machines >= 7);
    assert_true(w.shipped <= 0.12);
    assert_true(w.left_out <= 0.12);
    wsk_walls_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(walls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
