/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "tests/support/bench.h"

/* Two open-air cards that nearly touch, in a case with vents. first, second: attributes of the upper and the lower
 * card. */
static void write_pair(char *xml, size_t size, const char *chassis, const char *power, const char *first,
                       const char *second)
{
    int n = snprintf(xml, size,
                     "<rig><site><room temperature='23.5 degC'/></site><chassis %s><vent at='top' area='300 "
                     "cm2'/><vent at='bottom' area='300 cm2'/>"
                     "<gpu id='a' part='gpu/rtx-3090-fe' slot='1' power='%s' fan='1700 rpm' %s/>%s</chassis></rig>",
                     chassis, power, first, second);
    assert_true(n > 0 && (size_t)n < size);
}

static const char tower[] = "kind='tower' slots='8'", frame[] = "kind='frame' slots='8'",
                  under[] = "<gpu id='b' part='gpu/rtx-3090-fe' slot='4' power='300 W' fan='1700 rpm'/>",
                  outside[] = "riser='55 mm' riser-at='room'";

static double settled_at(const char *power, const char *chassis, const char *first, const char *second,
                         const char *what)
{
    char xml[1024];
    write_pair(xml, sizeof xml, chassis, power, first, second);
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 30000);
    wsk_test_advance(run, 30000);
    double value = wsk_test_get(run, what);
    wsk_run_free(run);
    wsk_rig_free(rig);
    return value;
}

static double settled(const char *chassis, const char *first, const char *second, const char *what)
{
    return settled_at("300 W", chassis, first, second, what);
}

static void test_room_air(void **state)
{
    (void)state;
    assert_near(settled(tower, outside, under, "a.die_c"), settled(frame, "riser='55 mm'", "", "a.die_c"), 0.01);
    /* A card on a riser in the case is hotter than one outside, because the case's air is warm. A card in its slot,
     * where the other card blocks its fans, is hotter still. */
    double inside = settled(tower, "riser='55 mm'", under, "a.die_c"),
           hung = settled(tower, outside, under, "a.die_c");
    assert_true(inside > hung + 10 && settled(tower, "", under, "a.die_c") > inside + 3);
}

/* The card that stays in the case has the case's air for itself, so the power of the card outside does not matter to
 * it. */
static void test_case_air(void **state)
{
    (void)state;
    assert_near(settled(tower, outside, under, "b.die_c"), settled_at("20 W", tower, outside, under, "b.die_c"),
                0.01);
    assert_true(settled(tower, "riser='55 mm'", under, "b.die_c") > settled(tower, outside, under, "b.die_c") + 10);
}

static void test_fit(void **state)
{
    (void)state;
    static const struct {
        const char *chassis, *first, *says; /* says: part of the error message; NULL: the rig is valid */
    } rigs[] = {
        {"kind='tower' slots='8' riser-places='1' riser-depth='120 mm'", "riser='60 mm'", NULL},
        {"kind='tower' slots='8' riser-places='1' riser-depth='110 mm'", "riser='60 mm'",
         "expected at most 53 mm of free air"},
        {"kind='tower' slots='8' riser-places='0'", "riser='60 mm'", "no more cards on risers than 0"},
        {"kind='tower' slots='8' riser-places='0'", outside, NULL},
        {"kind='tower' slots='8' card-length='300 mm'", "length='312 mm' riser='60 mm'", "312 mm long"},
        {"kind='tower' slots='8' card-length='320 mm'", "length='400 mm' riser='60 mm' riser-at='room'", NULL},
        {"kind='frame' slots='8' card-length='300 mm'", "length='312 mm' riser='60 mm'", NULL},
        {"kind='tower' slots='8'", "riser-at='room'", "is on no riser"}};
    for (size_t i = 0; i < sizeof rigs / sizeof *rigs; i++) {
        char xml[1024];
        wsk_rig *rig = NULL;
        write_pair(xml, sizeof xml, rigs[i].chassis, "300 W", rigs[i].first, "");
        wsk_rig_options o = {.path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts"};
        const wsk_status status = wsk_rig_load(&rig, &o);
        assert_int_equal(status, rigs[i].says ? WSK_EINPUT : WSK_OK);
        bool told = !rigs[i].says;
        for (size_t k = 0; !told && k < wsk_rig_messages(rig); k++) {
            int level, line, column;
            const char *file, *message;
            wsk_rig_message(rig, k, &level, &file, &line, &column, &message);
            told = strstr(message, rigs[i].says) != NULL;
        }
        if (!told)
            fail_msg("%s %s: the expected message is missing", rigs[i].chassis, rigs[i].first);
        wsk_rig_free(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_room_air), cmocka_unit_test(test_case_air),
                                       cmocka_unit_test(test_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
