/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Equal fans are the same machine, whether a rig lists them one by one or as one element with a count: those of a
 * radiator, each of which has its share of the core, and those of a chassis. */
#include <math.h>
#include <stdio.h>

#include "tests/support/bench.h"
#include "sim/books/books.h"

#define FAN(more) "<fan diameter='120 mm' pressure='25 Pa' flow='100 m3/h' rpm='1800 rpm' power='3 W' " more "/>"
#define CASE_FAN(more) \
    "<fan at='front' diameter='120 mm' pressure='20 Pa' flow='90 m3/h' rpm='1500 rpm' power='2 W' " more "/>"

/* A card cooled by water, with these fans at its radiator and at the front of its chassis. */
static wsk_run *start(const char *radiator, const char *front, wsk_rig **rig)
{
    char text[3000];
    snprintf(
        text, sizeof text,
        "<rig><site supply='230 V'><room temperature='22 degC'/></site><chassis part='chassis/workstation-12-slot'>"
        "%s<fan at='rear' diameter='120 mm' pressure='20 Pa' flow='90 m3/h' rpm='1500 rpm'/>"
        "<psu part='psu/tier-gold-1000'/><loop hose='1 m'><pump part='pump/d5'/>"
        "<radiator at='top' conductance='40 W/K' flow='80 l/s' natural='1 W/K' drop='12 Pa'>%s</radiator></loop>"
        "<gpu part='gpu/rtx-3090' slot='1' power='300 W'><cooler kind='water' part='cooler/block-full-cover'/></gpu>"
        "<gpu part='gpu/rtx-3060' slot='5' power='120 W' fan='50 %%'/></chassis><run for='2 h'/></rig>",
        front, radiator);
    return wsk_test_run_to(text, 7200, rig);
}

static void test_fans_one_by_one(void **state)
{
    (void)state;
    static const char *const radiators[] = {FAN("count='3'"), FAN("") FAN("") FAN(""), FAN("count='2'") FAN("")},
                             *const fronts[] = {CASE_FAN("count='3'"), CASE_FAN("") CASE_FAN("") CASE_FAN(""),
                                                CASE_FAN("") CASE_FAN("count='2'")};
    static const char *const temperatures[] = {"gpu0.die_c",   "gpu0.memory_c",   "gpu1.die_c",
                                               "gpu1.inlet_c", "loop0.coolant_c", "case.air_c"};
    enum { COUNT = sizeof temperatures / sizeof *temperatures };
    double first[COUNT], noise = 0, wall = 0;
    for (size_t i = 0; i < sizeof radiators / sizeof *radiators; i++) {
        wsk_rig *rig;
        wsk_run *run = start(radiators[i], fronts[i], &rig);
        for (int k = 0; k < COUNT; k++) {
            const double now = wsk_test_get(run, temperatures[k]);
            if (i == 0)
                first[k] = now;
            else
                assert_near(now, first[k], 0.002);
        }
        if (i == 0) {
            noise = wsk_test_get(run, "noise_dba");
            wall = wsk_test_get(run, "wall_w");
        } else {
            assert_near(wsk_test_get(run, "noise_dba"), noise, 1e-6);
            assert_rel(wsk_test_get(run, "wall_w"), wall, 1e-6);
        }
        wsk_test_drop(run, rig);
    }
    assert_true(first[0] > first[4] + 1 && first[4] > 24); /* the loop is warm, the die warmer */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fans_one_by_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
