/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rear door is an air-to-water coil behind a server. */
#include <stdio.h>
#include <string.h>

#include "tests/support/bench.h"

/* A server with four passive cards; first %s: attributes of the room; second %s: elements of the chassis. */
static const char server[] =
    "<rig><site><room %s/></site><chassis part='chassis/server-4u-8gpu'>%s"
    "<psu part='psu/server-platinum-1600'/><psu part='psu/server-platinum-1600'/>"
    "<gpu part='gpu/h100-pcie-duct' slot='1'/><gpu part='gpu/h100-pcie-duct' slot='5'/>"
    "<gpu part='gpu/h100-pcie-duct' slot='9'/><gpu part='gpu/h100-pcie-duct' slot='13'/></chassis>"
    "<workload kind='constant' class='training'/></rig>";
static const char pinned[] = "temperature='24 degC'";
enum { SETTLED_S = 14400 };

typedef struct {
    double before, behind, coil, case_air, room, taken_w, wall_w; /* temperatures in degC, before and behind the door;
                                                                   * taken_w, wall_w: W */
} seen;

static seen settle(const char *room, const char *door)
{
    char xml[2048];
    assert_true(snprintf(xml, sizeof xml, server, room, door) < (int)sizeof xml);
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, SETTLED_S + 3600);
    wsk_test_advance(run, SETTLED_S);
    seen s = {.case_air = wsk_test_get(run, "case.air_c"),
              .room = wsk_test_get(run, "room.air_c"),
              .wall_w = wsk_test_get(run, "wall_w")};
    if (*door) {
        s.before = wsk_test_get(run, "before-door");
        s.behind = wsk_test_get(run, "behind-door");
        s.coil = wsk_test_get(run, "case.door_c");
        wsk_test_advance(run, SETTLED_S + 3600);
        wsk_summary *summary;
        assert_int_equal(wsk_run_summary(&summary, run, 0), WSK_OK);
        s.taken_w = wsk_summary_number(summary, WSK_R_CASE_DOOR, 0);
        wsk_summary_free(summary);
    }
    wsk_run_free(run);
    wsk_rig_free(rig);
    return s;
}

static void write_door(char *out, size_t size, double ua, double supply_c, double water_lpm, double share)
{
    int n = snprintf(out, size,
                     "<rear-door conductance='%g W/K' flow='4300 m3/h' exponent='0.55' supply='%g degC'"
                     " water-flow='%g l/min' share='%g %%' natural='0 W/K'/>",
                     ua, supply_c, water_lpm, 100 * share);
    assert_true(n > 0 && (size_t)n < size);
}

/* The heat capacity flow w of the air follows from the heat that the water takes and from the temperature drop of
 * the air. The effectiveness of the coil must be that of its UA at this flow. Water at 20 degC: 998.2 kg/m3 and
 * 4,184 J/kg K (IAPWS). */
static void test_coil_by_its_effectiveness(void **state)
{
    (void)state;
    const double ua = 1300, share = 0.3, air_j_m3k = 1.2041 * 1006;
    for (int k = 0; k < 3; k++) {
        char door[256];
        const double lpm = (double[]){12, 38, 90}[k];
        write_door(door, sizeof door, ua, 20, lpm, share);
        seen s = settle(pinned, door);
        const double water_w_k = 998.2 * 4184 * share * lpm / 60000, q_w = 2 * water_w_k * (s.coil - 20),
                     w = q_w / (s.before - s.behind), q_ref = share * 4300 / 3600,
                     g = share * ua * pow(w / air_j_m3k / q_ref, 0.55);
        assert_true(q_w > 500);
        assert_near((s.before - s.behind) / (s.before - s.coil), 1 - exp(-g / w), 0.01);
        /* The panels and the seams of the chassis lose the rest of the heat. */
        assert_near(w * (s.before - 24) / s.wall_w, 1, 0.06);
    }
}

static void test_summary_has_the_heat(void **state)
{
    (void)state;
    char door[256];
    write_door(door, sizeof door, 1300, 18, 38, 0.25);
    seen s = settle(pinned, door);
    const double now_w = 2 * 998.6 * 4184 * 0.25 * 38 / 60000 * (s.coil - 18);
    /* taken_w is a mean that includes the warm-up, so it is somewhat less than the present heat */
    assert_true(s.taken_w > 0.95 * now_w && s.taken_w < 1.005 * now_w);
}

static void test_what_grows_with_what(void **state)
{
    (void)state;
    static const struct {
        double ua, supply_c, lpm, share;
    } better[] = {
        {700, 22, 10, 0.15}, {1300, 22, 10, 0.15}, {1300, 18, 10, 0.15}, {1300, 18, 38, 0.15}, {1300, 18, 38, 0.3}};
    double before = 0;
    for (size_t i = 0; i < sizeof better / sizeof *better; i++) {
        char door[256];
        write_door(door, sizeof door, better[i].ua, better[i].supply_c, better[i].lpm, better[i].share);
        const double w = settle(pinned, door).taken_w;
        assert_true(w > before * 1.02);
        before = w;
    }
}

/* A door makes a room without fixed temperature cooler by the heat that it takes, divided by the conductance of the
 * room, after a correction for the different power of the machine. */
static void test_room_keeps_the_rest(void **state)
{
    (void)state;
    static const char room[] = "volume='60 m3' conductance='250 W/K' capacity='60 kJ/K'";
    char door[256];
    write_door(door, sizeof door, 1300, 18, 38, 0.3);
    seen bare = settle(room, ""), with = settle(room, door);
    const double door_w = 2 * 998.6 * 4184 * 0.3 * 38 / 60000 * (with.coil - 18);
    assert_true(door_w > 500);
    assert_near((bare.room - with.room) * 250 - (bare.wall_w - with.wall_w), door_w, 0.02 * door_w);
}

static void test_returned_air_is_cooled(void **state)
{
    (void)state;
    char with[2048], xml[2048], door[256];
    double air_c[2];
    write_door(door, sizeof door, 1300, 18, 38, 0.3);
    for (int k = 0; k < 2; k++) {
        snprintf(xml, sizeof xml, server, pinned, k ? door : "");
        char *at = strstr(xml, "server-4u-8gpu'");
        assert_non_null(at);
        const int head = (int)(at - xml) + (int)strlen("server-4u-8gpu'");
        snprintf(with, sizeof with, "%.*s exhaust-return='20 %%'%s", head, xml, xml + head);
        wsk_rig *rig = wsk_test_rig(with, NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, SETTLED_S);
        wsk_test_advance(run, SETTLED_S);
        air_c[k] = wsk_test_get(run, "intake");
        if (k)
            assert_near(wsk_test_get(run, "intake") - 24, 0.2 * (wsk_test_get(run, "behind-door") - 24), 0.35);
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
    assert_true(air_c[0] > 24.5 && air_c[1] < air_c[0] - 0.3);
}

static void assert_told(const char *xml, int severity, const char *text)
{
    wsk_rig *rig = NULL;
    wsk_rig_load(&rig, &(wsk_rig_options){.text = xml, .text_len = strlen(xml), .parts_dir = "parts"});
    bool told = false;
    assert_non_null(rig);
    for (size_t i = 0; i < wsk_rig_messages(rig); i++) {
        int is, line, column;
        const char *file, *message;
        wsk_rig_message(rig, i, &is, &file, &line, &column, &message);
        told = told || (is == severity && strstr(message, text));
    }
    wsk_rig_free(rig);
    assert_true(told);
}

static void test_mistakes(void **state)
{
    (void)state;
    char xml[2048];
    assert_told(
        "<rig><chassis kind='frame'><rear-door part='rear-door/ibm-19in'/><gpu part='gpu/rtx-3090-fe' slot='1'/>"
        "</chassis></rig>",
        0, "open frame");
    snprintf(xml, sizeof xml, server, "temperature='27 degC' humidity='60 %'",
             "<rear-door part='rear-door/ibm-19in'/>");
    assert_told(xml, 1, "dew point"); /* the dew point is 18.6 degC */
}

/* The processor is too hot at once, so that the machine is off from the start: all air has the temperature of the room
 * and none flows. */
static void test_machine_that_is_off(void **state)
{
    (void)state;
    for (int room_c = 20; room_c <= 28; room_c++) {
        char xml[1024];
        snprintf(xml, sizeof xml,
                 "<rig><site><room temperature='%d degC'/></site><chassis part='chassis/server-4u-sxm-liquid'>"
                 "<rear-door part='rear-door/ibm-19in' supply='24 degC'/><psu part='psu/tier-titanium-1600'/>"
                 "<cpu power='300 W' limit-temperature='30 degC'/></chassis></rig>",
                 room_c);
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(xml, 600, &rig);
        assert_near(wsk_test_get(run, "before-door"), wsk_test_get(run, "case.air_c"), 0.5);
        wsk_test_drop(run, rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coil_by_its_effectiveness), cmocka_unit_test(test_summary_has_the_heat),
        cmocka_unit_test(test_what_grows_with_what),      cmocka_unit_test(test_room_keeps_the_rest),
        cmocka_unit_test(test_returned_air_is_cooled),    cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_machine_that_is_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
