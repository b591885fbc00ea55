/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/study/trip/trip.h"
#include "tests/verify/supplies.h"

static void says(const char *xml, const char *const *words, const char *silent)
{
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    char *text = wsk_test_check(rig);
    for (; *words; words++)
        if (!strstr(text, *words))
            fail_msg("check does not say \"%s\":\n%s", *words, text);
    if (silent && strstr(text, silent))
        fail_msg("check says \"%s\":\n%s", silent, text);
    wsk_text_free(text);
    wsk_rig_free(rig);
}

#define PLUGGED(plugs, watts, more) \
    "<gpu part='gpu/generic' slot='1' slots='2' tdp='" watts "' connector='" plugs "' " more ">" \
    "<cooler kind='blower' part='cooler/generic-blower'/></gpu>"
static void advice(void **state)
{
    (void)state;
    says(RIG("supply='120 V' circuit='15 A'", PSU "/>", PLUGGED("8-pin", "300 W", "")),
         (const char *const[]){"rated for 225 W", "one card needs 600 W: met", NULL}, NULL);
    says(RIG("", PSU "/>", PLUGGED("2x 8-pin", "370 W", "")), (const char *const[]){"Load steps: up to", NULL},
         "rated for");
    says(RIG("", PSU "/>", PLUGGED("8-pin 6-pin", "301 W", "")), (const char *const[]){"rated for 300 W", NULL},
         NULL);
    says(RIG("", PSU "/>", PLUGGED("12V-2x6", "600 W", "")), (const char *const[]){"600 W", NULL}, "rated for");
    says(RIG("", PSU " cables='1'/>", PLUGGED("2x 8-pin", "370 W", "")),
         (const char *const[]){"2 connectors on 1 daisy-chained cable(s), up to 296 W a cable",
                               "use one cable a connector", NULL},
         NULL);
    says(RIG("", PSU " cables='1'/>", PLUGGED("12V-2x6", "575 W", "")), (const char *const[]){"575 W", NULL},
         "daisy-chained");
    says(RIG("", PSU " cables='0'/>", PLUGGED("12V-2x6", "575 W", "")),
         (const char *const[]){"PCIe cables: 0 are too few", NULL}, NULL);
    says(RIG("supply='120 V' circuit='15 A'", "<psu kind='constant' rated='700 W' efficiency='90 %'/>",
             "<load dc='1500 W'/>"),
         (const char *const[]){"too small by 800 W", "within the breaker's rating of 1800 VA", NULL}, NULL);
    says(
        RIG("", PSU " redundant='yes'/>" PSU " redundant='yes'/>" PSU " redundant='yes'/>", "<load dc='2400 W'/>"),
        (const char *const[]){"With one PSU lost: up to 1272 W on each of the other 2: 127 %", "not redundant", NULL},
        NULL);
}

static void sockets(void **state)
{
    (void)state;
    static const char *const none = "connectors of its cards";
#define TWO(plugs, watts) \
    PLUGGED(plugs, watts, "id='a'") \
    "<gpu part='gpu/generic' slot='4' slots='2' tdp='" watts "' connector='" plugs \
    "'><cooler kind='blower' part='cooler/generic-blower'/></gpu>"
    says(RIG("", PSU " sockets-8-pin='4'/>", TWO("2x 8-pin", "300 W")), (const char *const[]){NULL}, none);
    says(RIG("", PSU " sockets-8-pin='3'/>", TWO("8-pin 6-pin", "220 W")),
         (const char *const[]){"plugs for cards of psu0: 8 pins 3, 12V-2x6 0", "of its cards: 8 pins 4, 12V-2x6 0",
                               "with more", NULL},
         "usually");
    says(RIG("", PSU " sockets-8-pin='4'/>", TWO("12-pin", "350 W")), (const char *const[]){NULL}, none);
    /* A card of 450 W takes 400 W through its plug and needs three 8-pin plugs with an adapter. A card of 575 W
     * takes 511 W and needs four. */
    says(RIG("", PSU " sockets-8-pin='3'/>", PLUGGED("12V-2x6", "450 W", "")), (const char *const[]){NULL}, none);
    says(RIG("", PSU " sockets-8-pin='3'/>", PLUGGED("12VHPWR", "575 W", "")),
         (const char *const[]){"an adapter on 3 of them carries 450 W", NULL}, NULL);
    says(RIG("", PSU " sockets-8-pin='3' sockets-12v-2x6='1'/>", PLUGGED("12V-2x6", "575 W", "")),
         (const char *const[]){NULL}, none);
    says(RIG("", PSU " sockets-8-pin='3' sockets-12v-2x6='1'/>", TWO("12V-2x6", "450 W")),
         (const char *const[]){NULL}, none);
    says(RIG("", PSU " sockets-8-pin='2' sockets-12v-2x6='1'/>", TWO("12V-2x6", "450 W")),
         (const char *const[]){"connectors of its cards: 8 pins 0, 12V-2x6 2; an adapter on 2 of them carries 300 W",
                               NULL},
         NULL);
    says(RIG("", PSU " sockets-8-pin='1' sockets-12v-2x6='1'/>", TWO("12V-2x6", "450 W")),
         (const char *const[]){"use a PSU with more", NULL}, "an adapter");
    /* PSU p is not judged by cards that another PSU feeds */
    says(RIG("", PSU " id='p' sockets-8-pin='2'/>" PSU " feeds='a' sockets-8-pin='2'/>", TWO("2x 8-pin", "300 W")),
         (const char *const[]){NULL}, none);
#define SIZE(watts, more) "<psu kind='constant' rated='" watts "' efficiency='90 %' " more "/>"
    says(RIG("", SIZE("600 W", ""), TWO("2x 8-pin", "200 W")),
         (const char *const[]){"usual plugs for cards of a PSU of 600 W: 8 pins 2, 12V-2x6 0", NULL}, NULL);
    says(RIG("", SIZE("750 W", ""), TWO("2x 8-pin", "200 W")), (const char *const[]){NULL}, none);
    says(RIG("", SIZE("600 W", ""), PLUGGED("12V-2x6", "450 W", "")),
         (const char *const[]){"an adapter on 2 of them carries 300 W", NULL}, NULL);
    says(RIG("", SIZE("600 W", "excursions='atx3'"), PLUGGED("12V-2x6", "450 W", "")), (const char *const[]){NULL},
         none);
    says(RIG("", SIZE("1250 W", "excursions='atx3' sockets-8-pin='0'"), TWO("12V-2x6", "450 W")),
         (const char *const[]){NULL}, none);
    says(RIG("", SIZE("600 W", "redundant='yes'") SIZE("600 W", "redundant='yes'"), TWO("2x 8-pin", "200 W")),
         (const char *const[]){NULL}, none);
    says(RIG("", SIZE("600 W", "line-rating='180 V:600 W'"), TWO("2x 8-pin", "200 W")), (const char *const[]){NULL},
         none);
}

static void a_stated_rating_scales_the_line_rating_of_the_part(void **state)
{
    (void)state;
#define TITANIUM(more) RIG("supply='230 V'", "<psu part='psu/server-titanium-3300' " more "/>", "<load dc='1500 W'/>")
    says(TITANIUM("rated='1000 W'"), (const char *const[]){"150 % loaded", "too small by 500 W", NULL}, NULL);
    says(TITANIUM("rated='6000 W'"), (const char *const[]){"25 % loaded", NULL}, NULL);
    /* A power supply of 2000 W that gives 1400 W at 120 V: one of half the rating gives 700 W there. */
    says(RIG("supply='120 V'", "<psu part='psu/server-titanium-2000' rated='1000 W'/>", "<load dc='630 W'/>"),
         (const char *const[]){"At 120 V the PSU gives 700 of its 1000 W: 90 % loaded", NULL}, NULL);
    says(TITANIUM("rated='1000 W' line-rating='180 V:2000 W'"), (const char *const[]){"PSU 1000 W", NULL},
         "too small");
}

static void each_psu_that_differs_is_told(void **state)
{
    (void)state;
#define PAIR_AT(site, more) \
    RIG(site, \
        "<psu kind='constant' rated='1000 W' efficiency='90 %' redundant='yes'/><psu kind='constant' " \
        "redundant='yes' " more "/>", \
        "<load dc='900 W'/>")
#define PAIR(more) PAIR_AT("", more)
    static const char *const alike = PAIR("rated='1000 W' efficiency='90 %'");
    static const char *const differ[] = {PAIR("rated='1000 W' efficiency='90 %' cables='2'"),
                                         PAIR("rated='1200 W' efficiency='90 %'"),
                                         PAIR("rated='1000 W' efficiency='94 %'"),
                                         PAIR("rated='1000 W' efficiency='90 %' opp='150 %'"),
                                         PAIR("rated='1000 W' efficiency='90 %' excursions='atx3'"),
                                         PAIR_AT("supply='120 V'><branch id='b2' circuit='16 A' supply='240 V'/",
                                                 "rated='1000 W' efficiency='90 %' on='b2'")};
    says(alike, (const char *const[]){"\n  psu0 and psu1, each 1000 W: 45 % loaded", NULL}, "\n  psu1 ");
    for (size_t i = 0; i < sizeof differ / sizeof *differ; i++)
        says(differ[i], (const char *const[]){"\n  psu0 1000 W: ", "\n  psu1 1", NULL}, "each");
#undef PAIR
#undef PAIR_AT
}

static void certainty_is_told_in_words(void **state)
{
    (void)state;
    says(RIG("", "<psu kind='constant' rated='500 W' efficiency='90 %'/>", "<load dc='1900 W'/>"),
         (const char *const[]){"the PSU would almost certainly trip within a day", NULL}, "likely to trip");
    says(RIG("", "<psu kind='constant' rated='500 W' efficiency='90 %'/>", "<load dc='650 W'/>"),
         (const char *const[]){"% likely to trip within a day", NULL}, "almost certainly");
}

/* Limits are no cure below the lowest one that can be set on the card. */
static void no_limit_below_the_lowest(void **state)
{
    (void)state;
#define CARD(lowest) \
    RIG("", "<psu kind='constant' rated='450 W' efficiency='90 %'/>", \
        "<load dc='140 W'/>" PLUGGED("12V-2x6", "575 W", "power-limit-min='" lowest "'"))
    says(CARD("200 W"),
         (const char *const[]){"too small by 265 W; use a PSU of at least 800 W, or lower the power limits",
                               "Fix: power limits 47 % lower, ", "lower the power limit of a card on it to that",
                               NULL},
         NULL);
    says(CARD("400 W"),
         (const char *const[]){"too small by 265 W; use a PSU of at least 800 W\n", "Fix: ", "use a PSU with more",
                               NULL},
         "lower the power limit");
#undef CARD
}

static void run_says(const char *xml, const char *const *words, const char *silent)
{
    wsk_rig *rig;
    wsk_run *run = after(xml, 7200, &rig);
    wsk_said_list trips = {.arena = run->arena};
    wsk_trip_say(run, &trips);
    assert_true(trips.count > 0);
    const char *text =
        wsk_said_english(run->arena, wsk_said_link_all(&trips, WSK_SAY_JOIN_SENTENCES, WSK_SAY_JOIN_SENTENCES));
    for (; *words; words++)
        if (!strstr(text, *words))
            fail_msg("run does not say \"%s\":\n%s", *words, text);
    if (silent && strstr(text, silent))
        fail_msg("run says \"%s\":\n%s", silent, text);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

/* A DS1600SPE, a server PSU of 1600 W, with inlet air of 58 degC: its derating of 2 %/K above 50 degC leaves 1344 W,
 * and the weakest overload protection trips at 115 % of that. Another PSU of the same rating does not help. A PSU of
 * 2000 W delivers 1400 W at 120 V. `check` and `run` must state the same load. */
static void derated(void **state)
{
    (void)state;
    static const char hot[] =
        "<rig><site supply='230 V'><room temperature='58 degC'/></site><chassis><vent at='front' area='900 cm2'/>"
        "<vent at='rear' area='900 cm2'/><psu part='psu/server-platinum-1600'/><load dc='1600 W'/></chassis><run "
        "for='2 h'/></rig>";
    static const char low[] =
        RIG("supply='120 V' circuit='20 A'", "<psu part='psu/server-platinum-2000'/>", "<load dc='1500 W'/>");
    run_says(hot,
             (const char *const[]){
                 "it carries 1600 W for a second or longer, and its overload protection may trip from 1546 W",
                 "of its 1600 W it gives 1344 W with inlet air of 58 degC", "Fix: cooler inlet air, a PSU of 2150 W",
                 NULL},
             "1350");
    says(hot,
         (const char *const[]){
             "PSU 1600 W: 100 % loaded", "Inlet air of 58 °C derates the PSU to 1344 W: 119 % loaded",
             "because the load of 1600 W is then 89 % of the 1806 W that it gives here", "too small by 256 W", NULL},
         NULL);
    run_says(low,
             (const char *const[]){"of its 2000 W it gives 1400 W at 120 V",
                                   "Fix: 240 V, a PSU that gives 1700 W at 120 V", NULL},
             "one of ");
    says(low,
         (const char *const[]){"PSU 2000 W: 75 % loaded", "At 120 V the PSU gives 1400 of its 2000 W: 107 % loaded",
                               "at 240 V the PSU gives 2000 W and would run at 75 %", NULL},
         NULL);
}

#define CARDS2(a, b) PLUG(a) PLUG(b)
#define THICK2 OF_SLOTS("1", "3") OF_SLOTS("4", "3")
#define PLUG(slot) OF_SLOTS(slot, "1")
#define OF_SLOTS(slot, slots) \
    "<gpu part='gpu/generic' slot='" slot "' slots='" slots \
    "' tdp='150 W' memory='24 GB'><cooler kind='blower' part='cooler/generic-blower'/></gpu>"
#define UNIT(watts, more) "<psu kind='constant' rated='" watts "' efficiency='90 %' " more "/>"
#define FOUR PLUG("1") PLUG("3") PLUG("5") PLUG("7")
#define EIGHT FOUR PLUG("9") PLUG("11") PLUG("13") PLUG("15")
#define HOST(supplies, loads) \
    "<rig><site supply='230 V'><room temperature='21 degC'/></site><chassis id='c' slots='16'><vent at='front' " \
    "area='1900 cm2'/><vent at='rear' area='1900 cm2'/>" \
    "<fan part='fan/generic-120-1500' at='front' count='3'/>" supplies loads \
    "</chassis><workload class='burn'/><run for='2 h'/></rig>"

static void rules(void **state)
{
    (void)state;
    says(HOST(UNIT("650 W", ""), PLUG("1")),
         (const char *const[]){"one card needs 600 W: met (650 W)", "24 to 48 GB", NULL}, "60 mm apart");
    says(HOST(UNIT("500 W", ""), PLUG("1")),
         (const char *const[]){"one card needs 600 W: not met (500 W; simulation: ", "no load step trips it", NULL},
         NULL);
    says(HOST(UNIT("140 W", ""), PLUG("1")),
         (const char *const[]){"one card needs 600 W: not met (140 W)", "too small by", NULL}, "simulation:");
    says(HOST(UNIT("650 W", ""), PLUG("1") "<load dc='900 W'/>"),
         (const char *const[]){"one card needs 600 W: met (650 W; simulation: ", "and it would trip", NULL}, NULL);
    says(HOST(UNIT("1 kW", ""), CARDS2("1", "4")),
         (const char *const[]){"two or more cards need 1000 W: met",
                               "cards 60 mm apart, 20 mm of it air: met (61 mm, 43 mm air", NULL},
         NULL);
    says(HOST(UNIT("1 kW", ""), THICK2),
         (const char *const[]){"cards 60 mm apart, 20 mm of it air: not met (61 mm, 2 mm air", NULL}, NULL);
    /* Passive cards get their air from the chassis fans, so `check` does not state the rule about spacing. */
    says(HOST(UNIT("1 kW", ""), "<gpu part='gpu/h100-pcie' slot='1'/><gpu part='gpu/h100-pcie' slot='3'/>"),
         (const char *const[]){"two or more cards need 1000 W: met", NULL}, "60 mm apart");
    says(HOST(UNIT("850 W", ""), CARDS2("1", "3")),
         (const char *const[]){"two or more cards need 1000 W: not met (850 W",
                               "cards 60 mm apart, 20 mm of it air: not met (41 mm", NULL},
         NULL);
    says(HOST(UNIT("1600 W", ""), FOUR),
         (const char *const[]){"four or more cards need 1600-2000 W: met (1600 W)", NULL}, NULL);
    says(HOST(UNIT("1500 W", ""), FOUR),
         (const char *const[]){"four or more cards need 1600-2000 W: not met (1500 W; simulation", NULL}, NULL);
    says(HOST(UNIT("3 kW", ""), EIGHT),
         (const char *const[]){"eight or more cards need redundant PSUs: not met (0 redundant of 1)", NULL}, NULL);
    says(HOST(UNIT("3 kW", "redundant='yes'") UNIT("3 kW", "redundant='yes'"), EIGHT),
         (const char *const[]){"redundant PSUs: met (2 redundant of 2)", NULL}, NULL);
    says(HOST(UNIT("1 kW", "redundant='yes'") UNIT("1 kW", "redundant='yes'"), EIGHT),
         (const char *const[]){
             "redundant PSUs: met (2 redundant of 2; simulation: with one PSU lost the others would carry", NULL},
         NULL);
}

/* A card of three slots that is sold with an all-in-one covers two. */
static void slots_of_an_aio(void **state)
{
    (void)state;
#define COOLED(slot) "<gpu part='gpu/rtx-4090' slot='" slot "'><cooler part='cooler/aio-240'/></gpu>"
    says(HOST(UNIT("1600 W", ""), COOLED("1") COOLED("3")),
         (const char *const[]){"gpu0   slots 1-2 ", "gpu1   slots 3-4 ", NULL}, NULL);
}

static void rules_of_host(void **state)
{
    (void)state;
#define CPU(more) "<cpu power='150 W' idle='40 W' conductance='5 W/K' flow='40 CFM' " more "/>"
    says(HOST(UNIT("1600 W", "") CPU("cores='10' lanes='48' memory='128 GB'"), FOUR),
         (const char *const[]){"two CPU cores a card: met (cores: 10; needed: 8)",
                               "memory: met (128 GB; cards 96 GB)",
                               "Advice: cards and drives need 64 PCIe lanes and cpu0 has 48", NULL},
         NULL);
    says(HOST(UNIT("1600 W", "") CPU("cores='6' lanes='64' memory='64 GB'"), FOUR),
         (const char *const[]){"two CPU cores a card: not met (cores: 6; needed: 8)",
                               "memory: not met (64 GB; cards 96 GB)", "need 64 lanes; cpu0 has 64\n", NULL},
         "Advice: cards and drives");
    /* cards of the catalogue that have eight lanes, one of them in a slot of four */
    says(HOST(UNIT("1600 W", "") CPU("lanes='24'"),
              "<gpu part='gpu/rtx-4060' slot='1'/><gpu part='gpu/rtx-4060' slot='4' lanes='4'/>"),
         (const char *const[]){"need 12 lanes; cpu0 has 24\n", NULL}, NULL);
    says(HOST(UNIT("1600 W", "") CPU(
                  "count='2' cores='4' lanes='48'") "<board power='40 W' lanes='16' slots='3' sockets='1' "
                                                    "memory-slots='4'/><memory power='5 W' size='32 GB' count='6'/>"
                                                    "<storage power='9 W' lanes='4' count='2'/>",
              FOUR),
         (const char *const[]){"(cores: 8; needed: 8)", "memory: met (192 GB; cards 96 GB)",
                               "need 72 lanes; cpu0 + board0 has 112",
                               "board0 has fewer slots for cards, 3, than the rig has cards, 4",
                               "board0 has fewer places for memory modules, 4, than the rig has modules, 6",
                               "board0 has fewer sockets, 1, than the rig has processors, 2", NULL},
         NULL);
    says("<rig><site supply='230 V'><room temperature='21 degC'/></site><chassis id='a' slots='8'><vent at='front' "
         "area='900 cm2'/><vent at='rear' area='900 cm2'/>" UNIT("650 W", "")
             PLUG("1") "</chassis><chassis id='b' slots='8'><vent at='front' area='900 cm2'/><vent at='rear' "
                       "area='900 cm2'/>" UNIT("650 W", "") CARDS2("1", "5") "</chassis><run for='1 h'/></rig>",
         (const char *const[]){"Rule of thumb, a: one card needs 600 W: met (650 W)",
                               "Rule of thumb, b: two or more cards need 1000 W: not met (650 W",
                               "Rule of thumb, a: system memory 1-2 times the cards' memory: 24 to 48 GB",
                               "Rule of thumb, b: system memory 1-2 times the cards' memory: 48 to 96 GB", NULL},
         "Rule of thumb: ");
}

/* Redundant PSUs that share the load unevenly: the load of a single PSU may exceed its even share, but the wall power
 * follows from the load of all PSUs together. */
static void uneven_sharing_counts_once(void **state)
{
    (void)state;
    says(RIG("supply='230 V' circuit='16 A'",
             PSU " redundant='yes' imbalance='10 %'/>" PSU " redundant='yes' imbalance='10 %'/>",
             "<load dc='900 W'/>"),
         (const char *const[]){
             "psu0 and psu1, each 1000 W: 45 % loaded, up to 50 % where the PSUs share unevenly, 90.0 % "
             "efficient at 230 V, 500 W at the wall",
             "27 % used (4.3 A)", "With one PSU lost: 900 W on the other one: 90 %", NULL},
         NULL);
}

/* A PSU that load steps may trip would hold if it were built for steps twice its rating, as ATX 3 asks; one that is built
 * so is not told that. */
static void steps_are_mended_by_a_psu_built_for_them(void **state)
{
    (void)state;
#define STEPPING(watts, more) \
    "<rig><site><room temperature='21 degC'/></site><chassis><vent at='front' area='900 cm2'/><vent at='rear' " \
    "area='900 cm2'/>" SIZE(watts, more) \
        PLUGGED("12V-2x6", "600 W", \
                "power='600 W'") "</chassis><workload kind='constant' class='training'/><run for='2 h'/></rig>"
    says(STEPPING("640 W", ""),
         (const char *const[]){"likely to trip within a day: load steps of its cards (1) reach 940 W",
                               "Fix: an ATX 3 PSU of this size, a PSU of 700 W, or one more PSU", NULL},
         NULL);
    says(STEPPING("640 W", "excursions='atx3'"), (const char *const[]){"Load steps: up to 940 W", NULL},
         "an ATX 3 PSU");
}

/* Prices of a single machine stand beside its watts, those of several above the first. */
static void prices_are_told_once(void **state)
{
    (void)state;
#define FAN(price) "<fan part='fan/generic-120-1500' at='front' count='2' price='" price "'/>"
    says(RIG("supply='200 V'", PSU " price='100 USD'/>" FAN("10 USD"), "<load dc='500 W'/>"),
         (const char *const[]){"= 504 W from the PSU; all parts: 120.00 USD, without a price: chassis0", NULL},
         "Rig, all parts");
    says(RIG("supply='200 V'", PSU " price='100 USD'/>" FAN("10 USD"),
             "<load dc='500 W'/></chassis><chassis id='b'>" PSU "/><load dc='100 W'/>"),
         (const char *const[]){"Rig, all parts: 120.00 USD, without a price: b, psu0, chassis0", NULL},
         "; all parts");
    says(RIG("supply='200 V'", PSU "/>" PSU " price='100 USD'/>",
             "<load dc='500 W'/></chassis><chassis id='b'>" PSU "/><load dc='100 W'/>"),
         (const char *const[]){"all parts: 100.00 USD, without a price: b, psu0, chassis0, psu1 (--prices", NULL},
         "more");
    says(RIG("supply='200 V'", PSU " price='100 USD'/>" FAN("10 EUR"), "<load dc='500 W'/>"),
         (const char *const[]){"parts: prices in several currencies; --exchange 'USD=RATE EUR' converts them", NULL},
         "all parts");
    says(RIG("supply='200 V'", PSU "/>", "<load dc='500 W'/>"), (const char *const[]){"Cards 0 W + rest 500 W", NULL},
         "all parts");
}

/* What the loss of a circuit does to the others. Of several machines those that stop are named. */
static void lost_circuits(void **state)
{
    (void)state;
#define SITE_AND_K(ups) \
    "<rig><site supply='200 V' circuit='10 A'><room temperature='21 degC'/><branch id='k' circuit='5 A'>" ups \
    "</branch></site>"
    says(SITE_AND_K("") "<chassis id='one'><load dc='200 W'/></chassis><chassis id='two'><psu kind='constant' "
                        "rated='800 W' efficiency='90 %' on='k'/><load dc='200 W'/></chassis><chassis id='three'>"
                        "<load dc='200 W'/></chassis><run for='2 h'/></rig>",
         (const char *const[]){"if circuit site goes off, machines that stop: one, three",
                               "if circuit k goes off, machines that stop: two", NULL},
         "the machine stops");
    /* 600 W from two PSUs of 90 %: 333 W each, and 667 W on the circuit that is left. */
#define SHARING(watts) \
    SITE_AND_K("<ups rated='" watts "'/>") \
    "<chassis><psu kind='constant' rated='800 W' efficiency='90 %' redundant='yes'/><psu kind='constant' " \
    "rated='800 W' " \
    "efficiency='90 %' redundant='yes' on='k'/><load dc='600 W'/></chassis><run for='2 h'/></rig>"
    says(SHARING("500 W"),
         (const char *const[]){"if circuit site goes off, the UPS or PDU of circuit k is 133 % loaded;",
                               "if circuit k goes off, redundant PSUs on the others carry on", NULL},
         "if circuit site goes off, redundant PSUs");
    says(SHARING("670 W"),
         (const char *const[]){"if circuit site goes off, redundant PSUs on the others carry on", NULL},
         "the UPS or PDU of circuit k");
}

/* A range of names stands for all between them, so it is only told where they count up. */
static void equal_psus_are_named(void **state)
{
    (void)state;
#define NAMED(id) "<psu kind='constant' rated='800 W' efficiency='90 %' redundant='yes' id='" id "'/>"
    says(RIG("", NAMED("p2") NAMED("p1' fails-at='1 h") NAMED("p3"), "<load dc='900 W'/>"),
         (const char *const[]){"  p2, p3, p1, each 800 W: ", NULL}, " to p1");
    says(RIG("", NAMED("p8") NAMED("p9") NAMED("p10"), "<load dc='900 W'/>"),
         (const char *const[]){"  p8 to p10, each 800 W: ", NULL}, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_psu_that_differs_is_told),
        cmocka_unit_test(a_stated_rating_scales_the_line_rating_of_the_part),
        cmocka_unit_test(certainty_is_told_in_words),
        cmocka_unit_test(no_limit_below_the_lowest),
        cmocka_unit_test(advice),
        cmocka_unit_test(sockets),
        cmocka_unit_test(derated),
        cmocka_unit_test(rules),
        cmocka_unit_test(slots_of_an_aio),
        cmocka_unit_test(rules_of_host),
        cmocka_unit_test(uneven_sharing_counts_once),
        cmocka_unit_test(lost_circuits),
        cmocka_unit_test(equal_psus_are_named),
        cmocka_unit_test(prices_are_told_once),
        cmocka_unit_test(steps_are_mended_by_a_psu_built_for_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
