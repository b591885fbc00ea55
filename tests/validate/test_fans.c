/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The controller of a card's fan gets measured temperatures, and its speeds are compared with the measured ones while
 * the card cools. Theory: docs/theory/governor.md, "Fans" */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/control/control.h"
#include "tests/support/bench.h"
#include "tests/support/replay.h"

static double error_rpm(const wsk_csv *csv, const char *part, const char *fall)
{
    char xml[500];
    snprintf(
        xml, sizeof xml,
        "<rig><chassis slots='8'><vent area='1 m2'/><gpu part='gpu/%s' slot='1'/></chassis><run for='1 h'/></rig>",
        part);
    wsk_rig *rig = wsk_test_rig(xml, fall);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    const wsk_card *c = &run->net->cards[0];
    wsk_card_state *s = &run->cards[0];
    double *rpm = &run->rpm[c->mover], square = 0;
    int rows = 0;
    for (int i = 0; i + 1 < wsk_csv_rows(csv); i++) {
        if (strcmp(wsk_csv_text(csv, i, "part"), part) != 0 || strcmp(wsk_csv_text(csv, i + 1, "part"), part) != 0)
            continue;
        const double from = wsk_csv_number(csv, i, "t_s"), span = wsk_csv_number(csv, i + 1, "t_s") - from,
                     warm = wsk_csv_number(csv, i, "gpu_c"), next = wsk_csv_number(csv, i + 1, "gpu_c");
        if (rows == 0) {
            *rpm = wsk_csv_number(csv, i, "fan_rpm");
            s->fan_ref_k = warm + WSK_KELVIN;
        }
        for (int k = 0; k < (int)span; k++) {
            run->head->t_ns = ((int64_t)from + k) * WSK_NS;
            s->die_k = warm + (next - warm) * k / span + WSK_KELVIN;
            wsk_control_fan(run, 0);
        }
        square += pow(*rpm - wsk_csv_number(csv, i + 1, "fan_rpm"), 2);
        rows++;
    }
    assert_true(rows >= 25);
    wsk_test_drop(run, rig);
    return sqrt(square / rows);
}

static void test_fans_fall_slowly(void **state)
{
    (void)state;
    static const char *const parts[] = {"gtx-1070", "gtx-1080", "rtx-2080"};
    wsk_csv *csv = wsk_csv_read("tests/validate/facts/fan_fall.csv");
    assert_non_null(csv);
    for (int i = 0; i < 3; i++) {
        const double own = error_rpm(csv, parts[i], NULL),
                     class = error_rpm(csv, parts[i], "gpu[0].cooler.fan-fall=75s"),
                     none = error_rpm(csv, parts[i], "gpu[0].cooler.fan-fall=0s");
        print_message("%s: %.0f rpm, class value %.0f, without %.0f\n", parts[i], own, class, none);
        assert_true(own <= 110 && class <= 180 && none >= 2 * own);
    }
    wsk_csv_free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fans_fall_slowly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
