/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of the page of a run and of a steady point: each line is tested with a rig whose page must have it, or with a
 * rig whose page must not have it. */
#include <string.h>

#include "tests/support/said.h"
#include "tests/verify/supplies.h"
#include "wattsink_messages.h"

#define COOLER \
    "<cooler kind='blower' conductance='8 W/K' flow='16 CFM' capacity='500 J/K' fan-pressure='320 Pa' fan-flow='29 " \
    "CFM' fan-rpm='4000 rpm'/></gpu>"
#define CARD(id, slot, more) \
    "<gpu id='" id "' slot='" slot "' tdp='250 W' clock-max='1900 MHz' clock-knee='1400 MHz' voltage-slope='0.6 " \
    "1/GHz' " more ">" COOLER
#define FANS(more) "<fan id='f' at='front' pressure='18 Pa' flow='55 CFM' rpm='1500 rpm' " more "/>"
#define SITE(more, inside) "<site supply='200 V' " more "><room temperature='21 degC'/>" inside "</site>"
#define RIG_OF(site, inside, work) "<rig>" site "<chassis>" inside "</chassis>" work "<run for='1 h'/></rig>"
#define BIG_PSU(more) "<psu kind='constant' rated='2000 W' efficiency='90 %' " more "/>"
#define POOL(id) "<psu id='" id "' kind='constant' rated='200 W' efficiency='90 %' redundant='yes' imbalance='0 %'/>"
#define TRAINING "<workload kind='training'/>"

typedef struct {
    const char *what, *xml;
    double run_s;    /* 0: the page of the steady point */
    const char *set; /* variable set to 0 at half of the run; NULL: none */
    const char *says[WSK_TEST_SAYS];
    const char *omits[WSK_TEST_OMITS];
} row;

static char *page_of(const row *r)
{
    wsk_rig *rig = wsk_test_rig(r->xml, NULL);
    char *json = NULL, *text = NULL;
    if (r->run_s > 0) {
        const bool long_run = r->run_s > 86400;
        const wsk_run_options o = {.duration_s = r->run_s, .leap = long_run, .stride = long_run};
        wsk_run *run = NULL;
        assert_int_equal(wsk_run_new(&run, rig, &o), WSK_OK);
        wsk_test_advance(run, r->run_s / 2);
        if (r->set)
            assert_int_equal(wsk_run_set(run, r->set, strstr(r->set, "on") ? 0 : 1), WSK_OK);
        wsk_test_advance(run, r->run_s);
        assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
        wsk_run_free(run);
    } else {
        assert_int_equal(wsk_steady_page(rig, WSK_STEPPER_FAST, 0, NULL, &json, &text), WSK_OK);
    }
    wsk_text_free(json);
    wsk_rig_free(rig);
    return text;
}

static void check_rows(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *text = page_of(&rows[i]);
        wsk_test_said(rows[i].what, text, rows[i].says, rows[i].omits);
        wsk_text_free(text);
    }
}

static void overloaded_circuits(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a branch in a run",
         RIG_OF(SITE("", "<branch id='k' circuit='5 A'/>"), FANS("") BIG_PSU("on='k'") "<load dc='1100 W'/>", ""),
         600,
         NULL,
         {"PSU 55 % of its rating, circuit k 1224 of 1000 VA",
          "Circuit k is over its continuous limit of 1000 VA for 10 min (100 % of the time)."},
         {"circuit site"}},
        {"a branch at the steady point, which has no duration",
         RIG_OF(SITE("", "<branch id='k' circuit='5 A'/>"), FANS("") BIG_PSU("on='k'") "<load dc='1100 W'/>", ""),
         0,
         NULL,
         {"Circuit k is over its continuous limit of 1000 VA.\n"},
         {"of the time"}},
        {"the only circuit at the steady point",
         RIG_OF(SITE("circuit='5 A'", ""), FANS("") BIG_PSU("") "<load dc='1100 W'/>", ""),
         0,
         NULL,
         {"Over the circuit's continuous limit of 1000 W.\n"},
         {"of the time"}},
        {"a PSU in hot air at low voltage: shares of its rating and of what it gives",
         "<rig><site supply='120 V'><room temperature='58 degC'/></site>"
         "<chassis><vent at='front' area='900 cm2'/><vent at='rear' area='900 cm2'/>"
         "<psu part='psu/server-platinum-2000'/><load dc='900 W'/></chassis><run for='1 h'/></rig>",
         600,
         NULL,
         {"PSU 45 % of its rating (73 % of the 1232 W that it gives at 120 V with inlet air of 58 degC)"},
         {"tight"}},
        {"a PSU in hot air",
         "<rig><site supply='230 V'><room temperature='58 degC'/></site>"
         "<chassis><vent at='front' area='900 cm2'/><vent at='rear' area='900 cm2'/>"
         "<psu part='psu/server-platinum-1600'/><load dc='1400 W'/></chassis><run for='1 h'/></rig>",
         600,
         NULL,
         {"PSU 88 % of its rating (104 % of the 1344 W that it gives with inlet air of 58 degC): TOO SMALL"},
         {NULL}},
        {"a PSU at low voltage",
         "<rig><site supply='120 V'><room temperature='21 degC'/></site>"
         "<chassis><vent at='front' area='900 cm2'/><vent at='rear' area='900 cm2'/>"
         "<psu part='psu/server-platinum-2000'/><load dc='700 W'/></chassis><run for='1 h'/></rig>",
         600,
         NULL,
         {"PSU 35 % of its rating (50 % of the 1400 W that it gives at 120 V)"},
         {"inlet"}},
        {"a branch on which nothing hangs",
         RIG_OF(SITE("circuit='10 A'", "<branch id='k' circuit='5 A'/><branch id='spare' circuit='6 A'/>"),
                FANS("") BIG_PSU("on='k'") "<load dc='500 W'/>", ""),
         600,
         NULL,
         {"circuit k 558 of 1000 VA"},
         {"spare", "limit"}}};
    check_rows(rows, sizeof rows / sizeof *rows);
}

/* A steady point has no duration, so it has a rate of work and no amount. */
static void work_is_counted(void **state)
{
    (void)state;
#define COUNTED \
    RIG_OF(SITE("", ""), FANS("") BIG_PSU("") CARD("g", "1", ""), \
           "<workload kind='constant' class='burn' rate='50' unit='images'/>")
#define MEASURED(rate) \
    RIG_OF(SITE("", ""), FANS("") BIG_PSU("") CARD("g", "1", "") CARD("h", "4", ""), \
           "<workload kind='constant' class='burn' measured-rate='" rate "' gpus='g'/>")
    static const row rows[] = {
        {"work of a run", COUNTED, 600, NULL, {" images, ", " per kWh at the wall."}, {"images a second"}},
        {"work of a steady point", COUNTED, 0, NULL, {"Work     49.6 images a second, "}, {"30000 images", "window"}},
        {"a measured rate, in its unit", MEASURED("50 images/s"), 0, NULL, {" images a second, "}, {"tok"}},
        {"a measured rate with blanks", MEASURED(" 50  km/h/s"), 0, NULL, {" km/h a second, "}, {"/s"}}};
    check_rows(rows, sizeof rows / sizeof *rows);
}

/* The page has a line about a model's tokens only if the rig gives cause for that line. */
static void tokens_are_told(void **state)
{
    (void)state;
#define SERVES(site, cards, work) \
    RIG_OF(SITE("", site), FANS("") BIG_PSU("") cards, \
           "<workload kind='inference' model='model/llama-3.1-8b' " work "/>")
#define SERVER(id, slot) "<gpu id='" id "' part='gpu/rtx-3090-blower' slot='" slot "'/>"
#define PRICED "<tariff kind='flat' price='0.3 EUR/kWh'/>"
    static const char version[] = "llama.cpp in May 2024", at_a_time[] = "at a time", elsewhere[] = "Elsewhere";
    static const row rows[] = {{"one request of llama.cpp",
                                SERVES("", SERVER("g", "1"), ""),
                                600,
                                NULL,
                                {"Tokens   ", version},
                                {at_a_time, elsewhere}},
                               {"several requests",
                                SERVES("", SERVER("g", "1"), "streams='8' engine='vllm'"),
                                600,
                                NULL,
                                {"Tokens   ", "Requests answered at a time: 8, each with "},
                                {version, elsewhere}},
                               {"several copies",
                                SERVES("", SERVER("g", "1") SERVER("h", "4"), "streams='8' engine='vllm'"),
                                600,
                                NULL,
                                {"2 copies of the model answer 8 requests at a time, each with "},
                                {version, elsewhere}},
                               {"a price elsewhere",
                                SERVES(PRICED, SERVER("g", "1"), "engine='vllm' token-price='100 EUR'"),
                                600,
                                NULL,
                                {"Elsewhere a million tokens cost 100.00 EUR, "},
                                {version, at_a_time}},
                               {"a measured rate",
                                SERVES("", SERVER("g", "1"), "measured-rate='100 tok/s'"),
                                600,
                                NULL,
                                {"Tokens   "},
                                {version, at_a_time}},
                               {"no model", COUNTED, 600, NULL, {"Work     "}, {"Tokens", version}}};
    check_rows(rows, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = page_of(&rows[i]);
        assert_null(strstr(text, "\n\n\n"));
        wsk_text_free(text);
    }
}

static void long_lists_are_cut(void **state)
{
    (void)state;
    static const row rows[] = {
        {"eight PSUs of nine",
         RIG_OF(SITE("", ""),
                FANS("") POOL("p0") POOL("p1") POOL("p2") POOL("p3") POOL("p4") POOL("p5") POOL("p6") POOL("p7")
                    POOL("p8") "<load dc='900 W'/>",
                ""),
         600,
         NULL,
         {"p0 50 % of its rating", "p7 50 % of its rating, further PSUs (1) at most 50 % of theirs."},
         {"p8"}},
        {"eight PSUs of ten",
         RIG_OF(SITE("", ""),
                FANS("") POOL("p0") POOL("p1") POOL("p2") POOL("p3") POOL("p4") POOL("p5") POOL("p6") POOL("p7")
                    POOL("p8") POOL("p9") "<load dc='1000 W'/>",
                ""),
         600,
         NULL,
         {"p0 50 % of its rating", "p7 50 % of its rating, further PSUs (2) at most 50 % of theirs."},
         {"p8"}},
        {"four trips of five",
         RIG_OF(SITE("", ""), FANS("") POOL("p0") POOL("p1") POOL("p2") POOL("p3") POOL("p4") "<load dc='1500 W'/>",
                ""),
         600,
         NULL,
         {"p0 150 % of its rating: TOO SMALL", "p4 150 % of its rating", "p3 would trip"},
         {"p4 would trip"}},
        {"three warnings of five",
         RIG_OF(SITE("", "<ups rated='200 W'/>"),
                FANS("count='2'") BIG_PSU("")
                    CARD("g", "1",
                         "memory-limit='20 degC' memory-power='30 W' hotspot-limit='20 degC' "
                         "vrm-limit='20 degC'") "<cpu power='150 W' "
                                                "limit-temperature='20 degC'/>",
                TRAINING),
         600,
         NULL,
         {"Warning  g: memory ", "         g: VRM ", "2 more under \"notices\" in summary.json."},
         {"cpu0: "}}};
    check_rows(rows, sizeof rows / sizeof *rows);
}

static void failures_are_told(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a card and some fans of a group",
         RIG_OF(SITE("", ""),
                FANS("count='3' fails='2' fails-at='1 min'") BIG_PSU("") CARD("g", "1", "lost-at='5 min'")
                    CARD("h", "4", ""),
                TRAINING),
         600,
         NULL,
         {"Failure  2 of the 3 fans of f stopped at 1 min, g stopped at 5 min"},
         {NULL}},
        {"fans standing still at the steady point",
         RIG_OF(SITE("", ""),
                FANS("count='3' fails='2' fails-at='0 s'") BIG_PSU("") CARD("g", "1", "lost-at='5 min'")
                    CARD("h", "4", ""),
                TRAINING),
         0,
         NULL,
         {"Failure  Standing still: 2 of the 3 fans of f"},
         {"stopped at"}},
        {"a steered failure of a fan",
         RIG_OF(SITE("", ""), FANS("count='2'") BIG_PSU("") "<load dc='100 W'/>", ""),
         600,
         "f.failed",
         {"Failure  f"},
         {NULL}},
        {"a steered failure of a branch",
         RIG_OF(SITE("", "<branch id='k' circuit='9 A'/>"), FANS("") BIG_PSU("on='k'") "<load dc='100 W'/>", ""),
         600,
         "k.on",
         {"Failure  circuit k stopped at 5 min; "},
         {NULL}},
        {"a steered failure of a PSU",
         RIG_OF(SITE("", ""), FANS("") POOL("p") POOL("q") "<load dc='100 W'/>", ""),
         600,
         "q.on",
         {"Failure  q stopped at 5 min; "},
         {NULL}},
        {"a steered failure of a fan that the rig fails later",
         RIG_OF(SITE("", ""), FANS("count='2' fails-at='1 h'") BIG_PSU("") "<load dc='100 W'/>", ""),
         600,
         "f.failed",
         {"Failure  f"},
         {"stopped at"}}};
    check_rows(rows, sizeof rows / sizeof *rows);
}

#define OF_PART(part, more) "<psu part='psu/" part "' redundant='yes' " more "/>"
/* The program numbers PSUs by their values, not by their order in the rig file, so an id like psu0 does not tell which
 * PSU has failed. The page names the part instead if the PSUs have different parts. */
static void failed_ones_of_several_are_told_apart(void **state)
{
    (void)state;
    static const row rows[] = {
        {"the first of two unlike PSUs",
         RIG_OF(SITE("", ""),
                FANS("") OF_PART("tier-platinum-1600", "fails-at='1 min'") OF_PART("tier-gold-1000", ""), ""),
         600,
         NULL,
         {" (psu/tier-platinum-1600) stopped at 1 min; "},
         {"(psu/tier-gold-1000) stopped"}},
        {"the second of them",
         RIG_OF(SITE("", ""),
                FANS("") OF_PART("tier-platinum-1600", "") OF_PART("tier-gold-1000", "fails-at='1 min'"), ""),
         600,
         NULL,
         {" (psu/tier-gold-1000) stopped at 1 min; "},
         {"(psu/tier-platinum-1600) stopped"}},
        {"one of two PSUs of the same part",
         RIG_OF(SITE("", ""), FANS("") OF_PART("tier-gold-1000", "") OF_PART("tier-gold-1000", "fails-at='1 min'"),
                ""),
         600,
         NULL,
         {"Failure  psu"},
         {"(psu/tier"}},
        {"a PSU with an id of its own",
         RIG_OF(SITE("", ""),
                FANS("") OF_PART("tier-platinum-1600", "id='left' fails-at='1 min'") OF_PART("tier-gold-1000", ""),
                ""),
         600,
         NULL,
         {"Failure  left stopped at 1 min; "},
         {"(psu/tier"}}};
    check_rows(rows, sizeof rows / sizeof *rows);
}

#define FLAT(price, work) \
    RIG_OF(SITE("", "<tariff kind='flat' price='" price "'/>"), FANS("") BIG_PSU("") "<load dc='900 W'/>", work)
#define LOOP_OF(id) "<loop kind='facility' id='" id "'/>"
static void the_hottest_processor_is_told(void **state)
{
    (void)state;
#define MACHINE(id, watts) \
    "<chassis id='" id "'>" \
    "<fan at='front' pressure='18 Pa' flow='55 CFM' rpm='1500 rpm'/>" BIG_PSU("") "<cpu power='" watts \
                                                                                  "'/><load dc='100 W'/></chassis>"
    static const row rows[] = {{"the processors of two machines",
                                "<rig>" SITE("", "") MACHINE("a", "60 W")
                                    MACHINE("b", "120 W") "<run for='1 h'/></rig>",
                                600,
                                NULL,
                                {"processor max "},
                                {NULL}}};
    char *text = page_of(&rows[0]);
    const char *first = strstr(text, "processor max ");
    assert_non_null(first);
    assert_null(strstr(first + 1, "processor max "));
    wsk_text_free(text);
}

#define WET(id, slot) \
    "<gpu id='g" id "' slot='" slot "' slots='1' tdp='250 W' clock-max='1900 MHz' clock-knee='1400 MHz' " \
    "voltage-slope='0.6 1/GHz'><cooler kind='water' loop='" id "' slots='1' thickness='19 mm'/></gpu>"
static void coolants_are_told(void **state)
{
    (void)state;
    static const row rows[] = {
        {"four loops of five",
         RIG_OF(SITE("", ""),
                FANS("") BIG_PSU("") LOOP_OF("a") LOOP_OF("b") LOOP_OF("c") LOOP_OF("d") LOOP_OF("e") WET("a", "1")
                    WET("b", "2") WET("c", "3") WET("d", "4") WET("e", "5"),
                TRAINING),
         0,
         NULL,
         {"Coolant  a: ", "         d: "},
         {"         e: "}}};
    check_rows(rows, sizeof rows / sizeof *rows);
}

static void costs_are_told(void **state)
{
    (void)state;
    static const row rows[] = {
        {"electricity without a price",
         FLAT("0 EUR/kWh", ""),
         3600,
         NULL,
         {"Cost     0.00 EUR for 1 h (about 0 a year if repeated)."},
         {"demand"}},
        {"an hour, repeated for a year", FLAT("0.3 EUR/kWh", ""), 3600, NULL, {"a year if repeated"}, {NULL}},
        {"a run of a year", FLAT("0.3 EUR/kWh", ""), 366 * 86400.0, NULL, {"Cost     2"}, {"if repeated"}},
        {"a run without a tariff",
         RIG_OF(SITE("", ""), FANS("") BIG_PSU("") "<load dc='900 W'/>", ""),
         3600,
         NULL,
         {"Energy   1.0"},
         {"Cost"}}};
    check_rows(rows, sizeof rows / sizeof *rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(overloaded_circuits),
                                       cmocka_unit_test(work_is_counted),
                                       cmocka_unit_test(tokens_are_told),
                                       cmocka_unit_test(long_lists_are_cut),
                                       cmocka_unit_test(failures_are_told),
                                       cmocka_unit_test(failed_ones_of_several_are_told_apart),
                                       cmocka_unit_test(the_hottest_processor_is_told),
                                       cmocka_unit_test(coolants_are_told),
                                       cmocka_unit_test(costs_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
