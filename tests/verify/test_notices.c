/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notices of a summary: parts that shut down or receive more than they can pass on. Each is tested with a rig that
 * needs it and with one that must not have it. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/said.h"
#include "tests/verify/supplies.h"

#define CARD(id, slot, more) \
    "<gpu id='" id "' slot='" slot "' tdp='250 W' clock-max='1900 MHz' clock-knee='1400 MHz' voltage-slope='0.6 " \
    "1/GHz' " more "><cooler kind='blower' conductance='8 W/K' flow='16 CFM' capacity='500 J/K' fan-pressure='320 " \
    "Pa' fan-flow='29 CFM' fan-rpm='4000 rpm'/></gpu>"
#define COLD "shutdown-temperature='45 degC'"                                         /* soon reached under load */
#define HOT_CPU "<cpu id='c' power='400 W' conductance='0.5 W/K' capacity='20 J/K'/>" /* too small a cooler */
#define MACHINE(inside, work) \
    "<rig><site supply='200 V'><room temperature='21 degC'/></site><chassis><fan at='front' pressure='18 Pa' " \
    "flow='55 CFM' rpm='1500 rpm'/><psu kind='constant' rated='2000 W' efficiency='90 %'/>" inside "</chassis>" work \
    "<run for='1 h'/></rig>"
#define TRAINING "<workload kind='training'/>"
#define BURN "<workload kind='constant' class='burn'/>"

typedef struct {
    const char *what, *xml, *says[WSK_TEST_SAYS], *omits[WSK_TEST_OMITS];
} row;

static void check_rows(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(rows[i].xml, 3600, &rig);
        char *json = wsk_test_summary(run);
        wsk_test_said(rows[i].what, json, rows[i].says, rows[i].omits);
        wsk_text_free(json);
        wsk_test_drop(run, rig);
    }
}

static void shutdowns(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a card whose work others wait for",
         MACHINE(CARD("g", "1", COLD) CARD("h", "5", ""), TRAINING),
         {"\"A card reached its shutdown temperature; synchronous work stopped there\""},
         {"took its machine off"}},
        {"a card that works alone",
         MACHINE(CARD("g", "1", COLD) CARD("h", "5", ""), BURN),
         {"\"A card reached its shutdown temperature\""},
         {"synchronous", "took its machine off"}},
        {"a processor, which takes its cool card off",
         MACHINE(CARD("g", "1", "") HOT_CPU, BURN),
         {"\"c reached its shutdown temperature and took its machine off\""},
         {"A card reached"}},
        {"a processor and a card before it",
         MACHINE(CARD("g", "1", "shutdown-temperature='30 degC'") HOT_CPU, TRAINING),
         {"\"c reached its shutdown temperature and took its machine off; synchronous work stopped there\"",
          "\"A card reached its shutdown temperature; synchronous work stopped there\""},
         {NULL}},
        {"no part",
         MACHINE(CARD("g", "1", "") "<cpu id='c' power='60 W'/>", TRAINING),
         {"\"notices\": "},
         {"shutdown temperature"}}};
    check_rows(rows, sizeof rows / sizeof *rows);
}

#define ON_CDU(capacity) \
    MACHINE( \
        "<loop id='w' kind='facility' supply='25 degC' approach='4 K' " capacity \
        "/><gpu slot='1' tdp='300 W' clock-max='1.9 GHz' clock-knee='1.4 GHz' voltage-slope='0.6 1/GHz' " \
        "power='300 W' board-share='0 %'><cooler kind='water' conductance='50 W/K' flow='4 l/min' drop='12 kPa'/>" \
        "</gpu>", \
        "")
/* All heat of a card without air cooling reaches the CDU, but for what its block gives to the air. */
static void overloaded_cdu(void **state)
{
    (void)state;
    static const row rows[] = {{"half of the heat",
                                ON_CDU("capacity='150 W'"),
                                {"w: the CDU receives ", " W and can pass on 150 W"},
                                {NULL}},
                               {"twice the heat", ON_CDU("capacity='600 W'"), {"\"notices\": "}, {"CDU receives"}},
                               {"any heat", ON_CDU(""), {"\"notices\": "}, {"CDU receives"}}};
    check_rows(rows, sizeof rows / sizeof *rows);
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(rows[0].xml, 3600, &rig);
    char *json = wsk_test_summary(run);
    const double w = strtod(strstr(json, "CDU receives ") + strlen("CDU receives "), NULL);
    assert_true(w > 0.8 * 300 && w <= 300);
    wsk_text_free(json);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shutdowns), cmocka_unit_test(overloaded_cdu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
