/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Public price tables against the catalogue's tariffs. SDG&E's table has no rows for weekends; their hours are from its
 * tariff sheet. */
#include <string.h>

#include "sim/books/books.h"
#include "tests/support/bench.h"
#include "tests/support/replay.h"

static void prices_are_those_of_the_tables(void **state)
{
    (void)state;
    wsk_csv *csv = wsk_csv_read("tests/validate/facts/tariff_prices.csv");
    assert_non_null(csv);
    int n = wsk_csv_rows(csv), wrong = 0;
    assert_true(n >= 200);
    for (int i = 0; i < n; i++) {
        char xml[600];
        const char *part = wsk_csv_text(csv, i, "part"), *at = wsk_csv_text(csv, i, "moment");
        snprintf(xml, sizeof xml,
                 "<rig name=\"x\"><site supply=\"115 V\"><tariff part=\"tariff/%s\"/></site><chassis kind=\"frame\" "
                 "slots=\"2\"/>"
                 "<run from=\"%s\" zone=\"%s\" for=\"1 h\"/></rig>",
                 part, at, wsk_csv_text(csv, i, "zone"));
        wsk_rig *rig = wsk_test_rig(xml, NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 0);
        const wsk_billing *g = run->net->billing;
        double surcharge = g->tariff->surcharge_j > 0 ? g->tariff->surcharge_j : 0;
        double price = (run->books->bill.price_j - surcharge) * 3.6e6, want = wsk_csv_number(csv, i, "price");
        if (!(fabs(price - want) <= 1e-9 * want) || strncmp(g->currency, wsk_csv_text(csv, i, "unit"), 3) != 0) {
            print_error("%s at %s: %.9g, in the table %.9g %s\n", part, at, price, want,
                        wsk_csv_text(csv, i, "unit"));
            wrong++;
        }
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
    wsk_csv_free(csv);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(prices_are_those_of_the_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
