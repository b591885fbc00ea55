/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a card's power follows from the model, or is given by the rig, a caller or a recording. */
#include <math.h>

#include "sim/control/control.h"
#include "tests/support/bench.h"

#define RIG(card) \
    "<rig><site supply='230 V'><room temperature='25 degC'/></site><chassis part='chassis/mid-tower-mesh'><psu " \
    "part='psu/tier-gold-1600'/><gpu part='gpu/rtx-3090' slot='1' " card \
    "/><gpu part='gpu/rtx-3090' slot='4'/></chassis><workload kind='constant' class='training'/></rig>"

static void power_is_given_by_a_caller(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(RIG(""), NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    wsk_test_advance(run, 60);
    assert_false(wsk_power_is_given(run, 0) || wsk_power_is_given(run, 1));
    assert_true(wsk_power_limit_is_known(run, 0) && wsk_clock_is_known(run, 0));
    assert_int_equal(wsk_run_set(run, "gpu0.power_w", 150), WSK_OK);
    wsk_test_advance(run, 120);
    assert_true(wsk_power_is_given(run, 0) && !wsk_power_is_given(run, 1));
    assert_false(wsk_power_limit_is_known(run, 0) || wsk_clock_is_known(run, 0));
    assert_near(wsk_test_get(run, "gpu0.power_w"), 150, 1e-9);
    assert_int_equal(wsk_run_set(run, "gpu0.power_w", (double)NAN), WSK_OK);
    wsk_test_advance(run, 180);
    assert_false(wsk_power_is_given(run, 0));
    assert_true(wsk_test_get(run, "gpu0.power_w") > 200);
    wsk_test_drop(run, rig);
}

static void power_is_given_by_the_rig(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(RIG("power='150 W'"), NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    wsk_test_advance(run, 60);
    assert_true(wsk_power_is_given(run, 0) && !wsk_power_is_given(run, 1));
    assert_false(wsk_clock_is_known(run, 0));
    assert_true(wsk_clock_is_known(run, 1));
    assert_near(wsk_test_get(run, "gpu0.power_w"), 150, 1e-9);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(power_is_given_by_a_caller),
                                       cmocka_unit_test(power_is_given_by_the_rig)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
