/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of a fit in the rig that it calibrates: which attributes get them, with which source and spread. */
#include <string.h>

#include "tests/support/bench.h"
#include "wattsink_calibrate.h"

#define CARD(more, inside) \
    "<gpu id='g' slot='1' tdp='250 W' clock-max='1900 MHz' clock-knee='1400 MHz' voltage-slope='0.6 1/GHz' " more \
    "><cooler kind='blower' conductance='8 W/K' flow='16 CFM' capacity='500 J/K' fan-pressure='320 Pa' " \
    "fan-flow='29 CFM' fan-rpm='4000 rpm' fan-curve='30 degC:1000 rpm, 80 degC:3000 rpm'/>" inside "</gpu>"
#define RIG_OF(room, inside) \
    "<rig><site supply='200 V'>" room "</site><chassis>" inside "</chassis><workload class='training'/><run for='1 " \
    "h'/></rig>"
#define GIVEN "<room temperature='25 degC'/>"
#define CONSTANT "<psu id='p' kind='constant' rated='900 W' efficiency='90 %'/>"
#define CERTIFIED \
    "<psu id='p' rated='900 W' efficiency-20='85 %' efficiency-50='88 %' efficiency-100='85 %' " \
    "efficiency-50-230='90 %'/>"
#define CPU "<cpu id='c' power='65 W' board='30 W'/>"

#define FITTED(names, more) \
    "<source for=\"" names "\" from=\"rig\" kind=\"fitted\" ref=\"calibrated on log.csv\"" more "/>"

typedef struct {
    const char *what, *xml;
    wsk_calibrated value[3];
    double mean_share; /* mean power / power limit; 0 stands for 1 */
    const char *says[6], *omits[3];
} row;

static void check_rows(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        wsk_rig *rig = wsk_test_rig(rows[i].xml, NULL);
        wsk_calibration fit = {
            .mean_share = rows[i].mean_share > 0 ? rows[i].mean_share : 1, .noise = NAN, .work_unit = NAN};
        for (; fit.count < 3 && rows[i].value[fit.count].name; fit.count++)
            fit.values[fit.count] = rows[i].value[fit.count];
        const wsk_calibrated_card card = {0, &fit, "log.csv"};
        char *text = NULL;
        assert_int_equal(wsk_rig_calibrated(rig, &card, 1, &text), WSK_OK);
        for (size_t k = 0; k < 6 && rows[i].says[k]; k++)
            if (!strstr(text, rows[i].says[k]))
                fail_msg("%s: no \"%s\" in:\n%s", rows[i].what, rows[i].says[k], text);
        for (size_t k = 0; k < 3 && rows[i].omits[k]; k++)
            if (strstr(text, rows[i].omits[k]))
                fail_msg("%s: \"%s\" in:\n%s", rows[i].what, rows[i].omits[k], text);
        wsk_text_free(text);
        wsk_rig_free(rig);
    }
}
#define CHECK(rows) check_rows(rows, sizeof(rows) / sizeof *(rows))

/* learnt: share of the prior's uncertainty that the log removed; below 0.1 the value is not written */
static void a_fit_of_the_machine(void **state)
{
    (void)state;
    static const wsk_calibrated board = {.name = "board", .value = 42, .spread = 4.2, .prior = 30, .learnt = 0.6};
    const row rows[] = {
        {"the board",
         RIG_OF(GIVEN, CPU CONSTANT CARD("", "")),
         {board},
         .says = {"board=\"42 W\"", "kind=\"fitted\" ref=\"calibrated on log.csv\"", "spread=\"+-10 %\""}},
        {"the idle power of processors, of which the meter tells only the sum with the board",
         RIG_OF(GIVEN, "<cpu id='c' part='cpu/epyc-7302' board='30 W'/>" CONSTANT CARD("", "")),
         {board},
         .says = {FITTED("idle", ""), FITTED("board", " spread=\"+-10 %\"")},
         .omits = {"45-80 W"}},
        {"a board of which the meter told nothing",
         RIG_OF(GIVEN, CPU CONSTANT CARD("", "")),
         {{.name = "board", .value = 42, .spread = 4.2, .prior = 30, .learnt = 0.05}},
         .omits = {"42 W", "log.csv"}},
        {"an efficiency at every load",
         RIG_OF(GIVEN, CPU CONSTANT CARD("", "")),
         {{.name = "efficiency", .value = 0.93, .spread = 0.004, .prior = 0.9, .learnt = 0.5}},
         .says = {"efficiency=\"93 %\"", "+-0.4 points", "kind=\"fitted\" ref=\"calibrated on log.csv\""}},
        {"all points of a certified PSU move by the same step",
         RIG_OF(GIVEN, CPU CERTIFIED CARD("", "")),
         {{.name = "efficiency-50", .value = 0.9, .spread = 0.004, .prior = 0.88, .learnt = 0.5}},
         .says = {"efficiency-20=\"87 %\"", "efficiency-50=\"90 %\"", "efficiency-100=\"87 %\"",
                  "efficiency-50-230=\"92 %\""},
         .omits = {"efficiency-10="}},
        {"an efficiency is kept below one",
         RIG_OF(GIVEN, CPU CERTIFIED CARD("", "")),
         {{.name = "efficiency-50", .value = 0.98, .spread = 0.004, .prior = 0.88, .learnt = 0.5}},
         .says = {"efficiency-50-230=\"99.5 %\""}},
        {"an efficiency of which the meter told nothing",
         RIG_OF(GIVEN, CPU CERTIFIED CARD("", "")),
         {{.name = "efficiency-50", .value = 0.9, .spread = 0.004, .prior = 0.88, .learnt = 0}},
         .says = {"efficiency-50=\"88 %\""},
         .omits = {"log.csv"}}};
    CHECK(rows);
}

static void a_fit_of_a_card(void **state)
{
    (void)state;
    const row rows[] = {
        {"a room of given temperature",
         RIG_OF(GIVEN, CONSTANT CARD("", "")),
         {{.name = "inlet", .value = 301.15, .spread = 1.5, .prior = 298.15, .learnt = 0.5}},
         .says = {"temperature=\"28 degC\"", "+-1.5 K"}},
        {"a room that the rig warms",
         RIG_OF("<room volume='60 m3' conductance='80 W/K'><outdoor mean='20 degC' swing='0 K'/></room>",
                CONSTANT CARD("", "")),
         {{.name = "inlet", .value = 301.15, .spread = 1.5, .prior = 298.15, .learnt = 0.5}},
         .omits = {"28 degC", "log.csv"}},
        {"both conductances of the board",
         RIG_OF(GIVEN, CONSTANT CARD("board-conductance='1 W/K' board-to-heatsink='2 W/K'", "")),
         {{.name = "board-conductance", .value = 1.5, .spread = 0.15, .prior = 1, .learnt = 0.5}},
         .says = {"board-conductance=\"1.5 W/K\"", "board-to-heatsink=\"3 W/K\"", "+-10 %"}},
        {"times of the fan",
         RIG_OF(GIVEN, CONSTANT CARD("", "")),
         {{.name = "fan-rise", .value = 5, .spread = 0.5, .prior = 2, .learnt = 0.5},
          {.name = "fan-fall", .value = 33, .spread = 3, .prior = 75, .learnt = 0.01}},
         .says = {"fan-rise=\"5 s\"", FITTED("fan-rise", " spread=\"+-10 %\"")},
         .omits = {"fan-fall=\"33 s\"", "for=\"fan-fall\" kind=\"fitted\""}},
        {"a fan curve between the card's points",
         RIG_OF(GIVEN, CONSTANT CARD("", "")),
         {{.name = "fan-curve", .value = 1200, .spread = 30, .at = 313.15, .learnt = 0.5},
          {.name = "fan-curve", .value = 2100, .spread = 40, .at = 333.15, .learnt = 0.5}},
         .says = {"fan-curve=\"30 degC:1000 rpm, 40 degC:1200 rpm, 60 degC:2100 rpm, 80 degC:3000 rpm\"",
                  FITTED("fan-curve", " spread=\"+-35.4 rpm\"")}},
        {"a fan curve that never falls",
         RIG_OF(GIVEN, CONSTANT CARD("", "")),
         {{.name = "fan-curve", .value = 800, .spread = 30, .at = 313.15, .learnt = 0.5},
          {.name = "fan-curve", .value = 3300, .spread = 30, .at = 333.15, .learnt = 0.5}},
         .says = {"fan-curve=\"30 degC:800 rpm, 40 degC:800 rpm, 60 degC:3300 rpm, 80 degC:3300 rpm\"",
                  FITTED("fan-curve", " spread=\"+-30 rpm\"")}},
        {"a fan curve whose points replace those within a degree",
         RIG_OF(GIVEN, CONSTANT CARD("", "")),
         {{.name = "fan-curve", .value = 1200, .spread = 30, .at = 304.15, .learnt = 0.5},
          {.name = "fan-curve", .value = 2800, .spread = 30, .at = 352.15, .learnt = 0.5}},
         .says = {"fan-curve=\"31 degC:1200 rpm, 79 degC:2800 rpm\""}},
        {"a conductance of which the log told nothing",
         RIG_OF(GIVEN, CONSTANT CARD("", "")),
         {{.name = "conductance", .value = 8.5, .spread = 1.7, .prior = 8, .learnt = 0.01}},
         .says = {"conductance=\"8.5 W/K\"", FITTED("conductance", " spread=\"+-20 %\"")}},
        {"a class that the card does not state",
         RIG_OF(GIVEN, CONSTANT CARD("", "")),
         {{.name = "p0", .value = 55, .spread = 5.5, .apart = 2, .prior = 60, .learnt = 0.5},
          {.name = "c", .value = 0.1e-6, .spread = 0.01e-6, .apart = 0.002e-6, .prior = 0.11e-6, .learnt = 0.5}},
         .says = {"p0=\"55 W\"", "c=\"100 W/GHz\"", "kind=\"fit\" name=\"training\" p0=\"55 W\" c=\"100 W/GHz\"",
                  FITTED("p0", " spread=\"+-10 %\""), FITTED("c", " spread=\"+-2 %\""),
                  FITTED("traffic-power duty long-pauses limit-share", "")}},
        {"a load whose mean power is 80 % of its limit",
         RIG_OF(GIVEN, CONSTANT CARD("", "")),
         {{.name = "p0", .value = 55, .spread = 5.5, .apart = 2, .prior = 60, .learnt = 0.5},
          {.name = "c", .value = 0.1e-6, .spread = 0.01e-6, .apart = 0.002e-6, .prior = 0.11e-6, .learnt = 0.5},
          {.name = "clock-share", .value = 0.7, .spread = 0.05, .prior = 0.8, .learnt = 0.5}},
         .mean_share = 0.8,
         .says = {"p0=\"44 W\"", "c=\"80 W/GHz\"", "clock-share=\"70 %\"", "limit-share=\"80 %\"",
                  FITTED("clock-share", " spread=\"+-7.14 %\"")}},
        {"a card in a bath, whose p0 contains the power of its fans",
         RIG_OF(
             GIVEN, CONSTANT
             "<loop id='bath' coolant='pao' volume='60 l' blocks='parallel' hose='4 m' bore='32 mm'>"
             "<pump part='pump/class-tank-circulator'/><radiator part='radiator/class-dry-cooler-4kw' "
             "direction='outside'><fan part='fan/generic-140-1200' count='8'/></radiator></loop>"
             "<gpu id='g' slot='1' tdp='250 W' clock-max='1900 MHz' clock-knee='1400 MHz' voltage-slope='0.6 1/GHz'>"
             "<cooler part='cooler/class-immersed-350' loop='bath' fan-power='12 W'/></gpu>"),
         {{.name = "p0", .value = 55, .spread = 5.5, .apart = 2, .prior = 60, .learnt = 0.5}},
         .says = {"p0=\"67 W\""}},
        {"a class that the card states",
         RIG_OF(GIVEN, CONSTANT CARD("", "<class name='prefill' p0='40 W' c='120 W/GHz' clock-share='90 %'/>"
                                         "<class name='training' p0='60 W' c='110 W/GHz' clock-share='85 %'/>")),
         {{.name = "p0", .value = 55, .spread = 5.5, .apart = 2, .prior = 60, .learnt = 0.5}},
         .says = {"p0=\"55 W\"", "c=\"110 W/GHz\"", "p0=\"40 W\""},
         .omits = {"p0=\"60 W\""}}};
    CHECK(rows);
}

/* Decode of a model with 8.5 bits: the values of a card whose class has a kernel-share become those of 4.9 bits. Without a
 * kernel-share no bits are applied to them, so that they stay those of the load. A load without a model may have any
 * bits: its class gets no kernel-share from the card's part. */
static void a_fit_of_a_model(void **state)
{
    (void)state;
#define DECODE(gpu, work) \
    "<rig><site supply='200 V'>" GIVEN "</site><chassis kind='frame'>" CONSTANT gpu \
    "</chassis><workload kind='inference' " work "/><run for='1 h'/></rig>"
#define LLAMA "model='model/llama-3.1-8b' context='4096' quant='Q8_0'"
    static const wsk_calibrated
        p0 = {.name = "p0", .value = 55, .spread = 5.5, .apart = 2, .prior = 60, .learnt = 0.5},
        c = {.name = "c", .value = 50e-9, .spread = 5e-9, .prior = 60e-9, .learnt = 0.5},
        share = {.name = "clock-share", .value = 0.5, .spread = 0.1, .prior = 0.6, .learnt = 0.5};
    const row rows[] = {
        {"a card of which too little is known for tokens",
         DECODE(CARD("", ""), LLAMA),
         {p0, c, share},
         .says = {"c=\"50 W/GHz\"", "clock-share=\"50 %\""},
         .omits = {"kernel-share"}},
        {"a model that the rig names",
         DECODE("<gpu id='g' slot='1' part='gpu/rtx-3090'/>", LLAMA),
         {p0, c, share},
         .says = {"c=\"71.5793", "clock-share=\"78.38", "kernel-share=\"72.5 %\"",
                  FITTED("clock-share", " spread=\"+-13.3 %\"")}},
        {"a load of which nobody knows the model",
         DECODE("<gpu id='g' slot='1' part='gpu/rtx-3090'/>", "class='decode'"),
         {p0, c, share},
         .says = {"c=\"50 W/GHz\"", "clock-share=\"50 %\""},
         .omits = {"kernel-share"}},
        {"the same where the rig tells the loads of its class",
         DECODE("<gpu id='g' slot='1' part='gpu/rtx-3090'><class name='decode' kernel-share='60 %'/></gpu>",
                "class='decode'"),
         {p0, c, share},
         .says = {"c=\"50 W/GHz\"", "kernel-share=\"60 %\""}}};
    CHECK(rows);
}

static void cards_that_cannot_be_fitted(void **state)
{
    (void)state;
    static const struct {
        const char *xml;
        bool refused;
    } cases[] = {
        {RIG_OF(GIVEN, CONSTANT CARD("", "")), false},
        {RIG_OF(GIVEN, CONSTANT CARD("power='200 W'", "")), true},
        {RIG_OF(GIVEN, CONSTANT CARD("clock='1200 MHz'", "")), true},
        {"<rig><site supply='200 V'>" GIVEN
         "</site><chassis>" CONSTANT CARD("", "") "</chassis><workload "
                                                  "class='training' p0='50 W'/></rig>",
         true},
        {"<rig><site supply='200 V'>" GIVEN
         "</site><chassis>" CONSTANT CARD("", "") "</chassis><workload "
                                                  "class='training' c='90 W/GHz'/></rig>",
         true},
        {"<rig><site supply='200 V'>" GIVEN
         "</site><chassis>" CONSTANT CARD("", "") "</chassis><workload "
                                                  "class='training' clock-share='50 %'/></rig>",
         true},
        {"<rig><site supply='200 V'>" GIVEN "</site><chassis>" CONSTANT CARD("", "") "</chassis></rig>", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_rig *rig = wsk_test_rig(cases[i].xml, NULL);
        if ((wsk_calibrate_refusal(rig, 0) != NULL) != cases[i].refused)
            fail_msg("%s", cases[i].xml);
        wsk_rig_free(rig);
    }
}

/* A value outside the range of its attribute is refused, as the rig with it would be. */
static void a_value_that_no_card_has_is_refused(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(RIG_OF(GIVEN, CONSTANT CARD("", "")), NULL);
    static const double conductance_w_k[] = {10, 1e12, -1, NAN};
    for (int i = 0; i < 4; i++) {
        wsk_calibration fit = {.count = 1, .mean_share = 1};
        fit.values[0] = (wsk_calibrated){
            .name = "conductance", .value = conductance_w_k[i], .spread = 1, .prior = 8, .learnt = 0.5};
        const wsk_calibrated_card card = {0, &fit, "log.csv"};
        char *text = NULL;
        assert_int_equal(wsk_rig_calibrated(rig, &card, 1, &text), i ? WSK_EINPUT : WSK_OK);
        assert_int_equal(text != NULL, !i);
        wsk_text_free(text);
    }
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fit_of_the_machine), cmocka_unit_test(a_fit_of_a_card), cmocka_unit_test(a_fit_of_a_model),
        cmocka_unit_test(cards_that_cannot_be_fitted), cmocka_unit_test(a_value_that_no_card_has_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
