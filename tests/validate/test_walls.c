/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power at the wall of whole machines against measurements. Bands: docs/theory/uncertainty.md, "Bands against
 * measurements" */
#include <math.h>

#include "tests/support/walls.h"
#include "tests/unit/assert.h"

static void walls(void **state)
{
    (void)state;
    wsk_walls w;
    assert_true(wsk_walls_read(&w));
    for (int i = 0; i < w.n; i++)
        print_message("%s %s: measured %.1f, model %.1f W (%+.1f %%), %.0f to %.0f W\n", w.rows[i].machine,
                      w.rows[i].sets, w.rows[i].measured_w, w.rows[i].model_w,
                      100 * (w.rows[i].model_w / w.rows[i].measured_w - 1), w.rows[i].low_w, w.rows[i].high_w);
    print_message("%d rows of %d machines: as shipped %.1f %%, machines left out %.1f %%\n", w.n, w.machines,
                  100 * w.shipped, 100 * w.left_out);
    print_message("%d means: %.0f %% inside the printed range, %.0f %% inside 1.28 times it; peaks %.0f %%\n",
                  w.means, 100 * w.inside, 100 * w.inside80, 100 * w.peaks_inside);
    assert_true(w.n >= 16 && w.machines >= 7);
    assert_true(w.shipped <= 0.12);
    assert_true(w.left_out <= 0.12);
    assert_in_range((int)lround(100 * w.inside), 65, 95);
    wsk_walls_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(walls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
