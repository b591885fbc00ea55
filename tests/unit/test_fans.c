/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/assert.h"
#include "wattsink.h"

static wsk_status load(wsk_rig **rig, const char *before)
{
    char text[800];
    snprintf(text, sizeof text,
             "<rig name=\"s\"><site supply=\"230 V\"/><chassis part=\"chassis/server-4u-8gpu\">%s"
             "<psu part=\"psu/tier-titanium-1600\"/><gpu part=\"gpu/rtx-3090-blower\" slot=\"1\" plug-bend=\"0 mm\" "
             "height=\"111 mm\"/></chassis>"
             "<workload class=\"burn\"/></rig>",
             before);
    return wsk_rig_load(
        rig, &(wsk_rig_options){.path = "-", .text = text, .text_len = strlen(text), .parts_dir = "parts"});
}

static void test_curves(void **state)
{
    (void)state;
    wsk_rig *rig = NULL;
    double temp_c[WSK_FAN_POINTS], share[WSK_FAN_POINTS], full_rpm;
    assert_int_equal(load(&rig, ""), WSK_OK);
    /* curve of chassis/server-4u-8gpu: 58 degC:35 %, 66 degC:58 %, 75 degC:82 %, 83 degC:100 % of 11500 rpm */
    assert_int_equal(wsk_rig_fan_curve(rig, "fan0", temp_c, share, &full_rpm), 4);
    assert_true(fabs(temp_c[0] - 58) < 1e-4);
    assert_true(fabs(share[3] - 1) < 1e-3);
    assert_true(fabs(full_rpm - 11500) < 1e-3);
    /* curve of gpu/rtx-3090-blower: 40 degC:1400 rpm, ... 88 degC:4800 rpm */
    assert_int_equal(wsk_rig_fan_curve(rig, "gpu0", temp_c, share, &full_rpm), 7);
    assert_true(fabs(temp_c[0] - 40) < 1e-4);
    assert_true(fabs(share[0] * full_rpm - 1400) < 1e-3);
    assert_true(fabs(share[6] * full_rpm - 4800) < 1e-3);
    assert_int_equal(wsk_rig_fan_curve(rig, "psu0", temp_c, share, &full_rpm), 0);
    assert_int_equal(wsk_rig_fan_curve(rig, "", temp_c, share, &full_rpm), 0);
    wsk_rig_free(rig);
}

static void test_fan_of_part(void **state)
{
    (void)state;
    double temp_c[WSK_FAN_POINTS], share[WSK_FAN_POINTS], full_rpm;
    static const char *const same[] = {"<fan curve=\"40 degC:50 %, 80 degC:60 %\"/>",
                                       "<fan at=\"wall\" curve=\"40 degC:50 %, 80 degC:60 %\"/>"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        wsk_rig *rig = NULL;
        const wsk_elements *list = NULL;
        assert_int_equal(load(&rig, same[i]), WSK_OK);
        assert_int_equal(wsk_rig_fan_curve(rig, "fan0", temp_c, share, &full_rpm), 2);
        assert_true(fabs(share[1] - 0.6) < 1e-3);
        assert_int_equal(wsk_rig_elements(rig, &list), WSK_OK);
        int fan = wsk_elements_next(list, "fan", -1, -1);
        assert_true(wsk_elements_number(list, fan, "count") == 8);
        assert_int_equal(wsk_elements_next(list, "fan", fan, -1), -1);
        wsk_elements_free(list);
        wsk_rig_free(rig);
    }
    /* A fixed speed has no curve. Two of the rigs are refused: the part has no fan at the rear, and the part has one
     * fan, so that it is unclear which of two <fan> elements changes it. */
    static const struct {
        const char *text;
        wsk_status status;
    } others[] = {{"<fan sensor=\"none\" duty=\"70 %\"/>", WSK_OK},
                  {"<fan at=\"rear\" duty=\"70 %\"/>", WSK_EINPUT},
                  {"<fan duty=\"70 %\"/><fan duty=\"60 %\"/>", WSK_EINPUT}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        wsk_rig *rig = NULL;
        assert_int_equal(load(&rig, others[i].text), others[i].status);
        assert_int_equal(wsk_rig_fan_curve(rig, "fan0", temp_c, share, &full_rpm), 0);
        wsk_rig_free(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_curves), cmocka_unit_test(test_fan_of_part)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
