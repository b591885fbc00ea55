/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences of `check` on PSUs, circuits and coolant loops. Each is tested with a rig that needs it, or with a rig
 * that must not have it. */
#include <string.h>

#include "sim/api.h"
#include "tests/support/said.h"
#include "tests/verify/supplies.h"

#define CARD(more, cooler) \
    "<gpu slot='1' tdp='250 W' clock-max='1900 MHz' clock-knee='1400 MHz' voltage-slope='0.6 1/GHz' " more \
    ">" cooler "</gpu>"
#define TWIN_PSU(id, rated, more) \
    "<psu id='" id "' kind='constant' rated='" rated "' redundant='yes' imbalance='0 %' " more "/>"
#define SOUND "efficiency='90 %'"

static void psus_without_cards(void **state)
{
    (void)state;
    static const wsk_test_checked rows[] = {
        {"a PSU at 95 %",
         RIG("supply='200 V' circuit='20 A'", PSU "/>", "<load dc='950 W'/>"),
         {"PSU 1000 W: 95 % loaded",
          "Advice: above 90 % load there is little room for load steps; a PSU of 1100 W would run at 86 %"},
         {"too small"}},
        {"a PSU at 5 %, which is no advice without a card",
         RIG("supply='200 V' circuit='20 A'", PSU "/>", "<load dc='50 W'/>"),
         {"PSU 1000 W: 5 % loaded", "Recommended PSU: 100 W"},
         {"larger than needed"}},
        {"a PSU without a load",
         RIG("supply='200 V' circuit='20 A'", PSU "/>", ""),
         {"PSU 1000 W: 0 % loaded, 0.0 % efficient at 200 V, 0 W at the wall",
          "Circuit: 4000 W continuous, 0 % used"},
         {"Recommended", "UPS from"}},
        {"a load without a PSU",
         RIG("supply='200 V' circuit='20 A'", "", "<load dc='900 W'/>"),
         {"Cards 0 W + rest 900 W = 900 W, without a PSU", "Circuit: 4000 W continuous, 22 % used (4.5 A)"},
         {"Recommended", "from the PSU"}}};
    wsk_test_check_says(rows, sizeof rows / sizeof *rows);
}

/* Redundant PSUs share one line of the output only if they would draw the same power. */
static void redundant_psus_in_one_line(void **state)
{
    (void)state;
    static const wsk_test_checked rows[] = {
        {"three equal PSUs",
         RIG("supply='200 V'",
             TWIN_PSU("a", "800 W", SOUND) TWIN_PSU("b", "800 W", SOUND) TWIN_PSU("c", "800 W", SOUND),
             "<load dc='600 W'/>"),
         {"a, b, c, each 800 W: 25 % loaded", "With one PSU lost: 300 W on each of the other 2: 38 %"},
         {"not redundant"}},
        {"another rating",
         RIG("supply='200 V'", TWIN_PSU("a", "800 W", SOUND) TWIN_PSU("b", "900 W", SOUND), "<load dc='600 W'/>"),
         {"  a 800 W: 35 % loaded", "  b 900 W: 35 % loaded", "With b lost: 600 W on a: 75 %"},
         {"each 800 W"}},
        {"ratings that differ by far",
         RIG("supply='200 V'",
             TWIN_PSU("a", "1600 W", SOUND) TWIN_PSU("b", "3200 W", SOUND) TWIN_PSU("c", "800 W", SOUND),
             "<load dc='2800 W'/>"),
         {"  a 1600 W: 50 % loaded", "  b 3200 W: 50 % loaded", "With b lost: 933 W on c: 117 %"},
         {"too small"}},
        {"a single redundant one beside a larger one, which feeds everything",
         RIG("supply='200 V'", TWIN_PSU("a", "800 W", SOUND) PSU " id='b'/>", "<load dc='600 W'/>"),
         {"  a 800 W: 0 % loaded", "  b 1000 W: 60 % loaded"},
         {"lost"}},
        {"another efficiency",
         RIG("supply='200 V'", TWIN_PSU("a", "800 W", SOUND) TWIN_PSU("b", "800 W", "efficiency='80 %'"),
             "<load dc='600 W'/>"),
         {"  a 800 W: 38 % loaded, 90.0 % efficient", "  b 800 W: 38 % loaded, 80.0 % efficient"},
         {"each 800 W"}},
        {"cables of the first",
         RIG("supply='200 V'", TWIN_PSU("a", "800 W", SOUND " cables='2'") TWIN_PSU("b", "800 W", SOUND),
             "<load dc='600 W'/>"),
         {"  a 800 W: 38 % loaded", "  b 800 W: 38 % loaded"},
         {"each 800 W"}},
        {"cables of the second",
         RIG("supply='200 V'", TWIN_PSU("a", "800 W", SOUND) TWIN_PSU("b", "800 W", SOUND " cables='2'"),
             "<load dc='600 W'/>"),
         {"  a 800 W: 38 % loaded", "  b 800 W: 38 % loaded"},
         {"each 800 W"}},
        {"a PSU that is not redundant carries none of the pool's load",
         RIG("supply='200 V'",
             TWIN_PSU("a", "800 W", SOUND) TWIN_PSU("b", "800 W", SOUND) "<psu id='z' kind='constant' rated='500 W' "
                                                                         "efficiency='90 %'/>",
             "<load dc='600 W'/>"),
         {"a and b, each 800 W: 38 % loaded", "  z 500 W: 0 % loaded",
          "With one PSU lost: 600 W on the other one: 75 %"},
         {"not redundant"}},
        {"two PSUs, one alone too small",
         RIG("supply='200 V'", TWIN_PSU("a", "800 W", SOUND) TWIN_PSU("b", "800 W", SOUND), "<load dc='1000 W'/>"),
         {"With one PSU lost: 1000 W on the other one: 125 %", "Advice: the PSUs are not redundant"},
         {"power brake"}}};
    wsk_test_check_says(rows, sizeof rows / sizeof *rows);
}

static void circuits(void **state)
{
    (void)state;
    static const wsk_test_checked rows[] = {
        {"at 200 V no higher voltage helps",
         RIG("supply='200 V' circuit='5 A'", "<psu kind='constant' rated='2000 W' efficiency='90 %'/>",
             "<load dc='1500 W'/>"),
         {"over the circuit's continuous limit by 667 VA; lower the power limits, or use a larger circuit\n"},
         {"circuit or 200 V"}},
        {"at 100 V a higher voltage helps",
         RIG("supply='100 V' circuit='20 A'", "<psu kind='constant' rated='3000 W' efficiency='90 %'/>",
             "<load dc='1850 W'/>"),
         {"over the circuit's continuous limit by 56 VA; lower the power limits, or use a larger circuit or 200 V\n"},
         {NULL}},
        {"the breaker of one branch of two, and a site of unknown rating",
         "<rig><site supply='200 V'><room temperature='21 degC'/><branch id='k' circuit='5 A'/></site><chassis>"
         "<psu id='a' on='k' kind='constant' rated='2000 W' efficiency='90 %'/><load dc='1100 W'/></chassis><run "
         "for='2 h'/></rig>",
         {"Circuit k: 1222 VA of 1000 VA continuous, 122 % used (6.1 A)",
          "26 % chance that the breaker of circuit k (IEC 60898 C) trips within an hour; it holds below 1150 VA",
          "if circuit k goes off, the machine stops"},
         {"Circuit site"}},
        {"redundant PSUs on two circuits, and another load on one of them",
         "<rig><site supply='200 V' circuit='10 A'><room temperature='21 degC'/><branch id='k' circuit='5 A'/></site>"
         "<chassis>" TWIN_PSU("a", "800 W", SOUND)
             TWIN_PSU("b", "800 W",
                      SOUND " on='k'") "<load dc='700 W'/></chassis><load ac='700 W' on='k'/><run for='2 h'/></rig>",
         {"Circuit site: 389 VA of 2000 VA continuous, 19 % used (1.9 A)",
          "circuit k is over its continuous limit by 89 VA",
          "if circuit k goes off, redundant PSUs on the others carry on: up to 88 % of a PSU, 39 % of circuit site",
          "Advice: if circuit site goes off, circuit k is 148 % used; take larger circuits or lower the power "
          "limits"},
         {"the machine stops", "if circuit site goes off, redundant PSUs"}},
        /* One circuit of two leaves two of four PSUs, and 3200 W / 0.9 = 3556 VA on the other circuit. */
        {"redundant PSUs on two circuits that are too few and too large for one of them",
         "<rig><site supply='200 V' circuit='16 A'><room temperature='21 degC'/><branch id='k' circuit='20 "
         "A'/></site>"
         "<chassis>" TWIN_PSU("a", "1400 W", SOUND) TWIN_PSU("b", "1400 W", SOUND)
             TWIN_PSU("c", "1400 W", SOUND " on='k'")
                 TWIN_PSU("d", "1400 W", SOUND " on='k'") "<load dc='3200 W'/></chassis><run for='2 h'/></rig>",
         {"Advice: if circuit site goes off, the PSUs on the others are 114 % loaded; add PSUs or lower the power "
          "limits",
          "Advice: if circuit k goes off, the PSUs on the others are 114 % loaded",
          "Advice: if circuit k goes off, circuit site is 111 % used"},
         {"carry on", "circuit k is"}},
        /* The PSUs draw 700 W / 0.9; by their imbalance of 10 %, 1.1 of the half on one circuit and 0.9 on the other:
         * 428 and 350 W. */
        {"redundant PSUs on two circuits that share unevenly, as in a run",
         "<rig><site supply='200 V' circuit='2 A'><room temperature='21 degC'/><ups rated='420 W'/><branch id='k' "
         "circuit='5 A'/></site><chassis>"
         "<psu id='a' kind='constant' rated='800 W' efficiency='90 %' redundant='yes' imbalance='10 %'/>"
         "<psu id='b' kind='constant' rated='800 W' efficiency='90 %' redundant='yes' imbalance='10 %' on='k'/>"
         "<load dc='700 W'/></chassis><run for='2 h'/></rig>",
         {"circuit site is over its continuous limit by", "Circuit site, UPS: 102 % loaded",
          "Circuit k: 350 VA of 1000 VA continuous, 35 % used"},
         {NULL}},
        {"a chassis without a PSU stops with the circuit of the site",
         "<rig><site supply='200 V' circuit='10 A'><room temperature='21 degC'/><branch id='k' circuit='5 A'/></site>"
         "<chassis><load dc='200 W'/></chassis><load ac='300 W' on='k'/><run for='2 h'/></rig>",
         {"Circuit site: 200 VA", "Circuit k: 300 VA", "if circuit site goes off, the machine stops"},
         {"if circuit k goes off"}},
        {"only the outlet has a rating",
         "<rig><site supply='200 V' outlet='4 A'><room temperature='21 degC'/></site><chassis><load dc='900 "
         "W'/></chassis><run for='2 h'/></rig>",
         {"Circuit: 800 W continuous", "over the circuit's continuous limit by 100 VA"},
         {"the breaker"}},
        {"redundant PSUs on a circuit of unknown rating",
         "<rig><site supply='200 V'><room temperature='21 degC'/><branch id='k' circuit='5 "
         "A'/></site><chassis>" TWIN_PSU("a", "800 W", SOUND)
             TWIN_PSU("b", "800 W", SOUND " on='k'") "<load dc='700 W'/></chassis><run for='2 "
                                                     "h'/></rig>",
         {"if circuit site goes off, redundant PSUs on the others carry on: up to 88 % of a PSU, 78 % of circuit k",
          "if circuit k goes off, redundant PSUs on the others carry on: up to 88 % of a PSU\n", "Circuit k: "},
         {"Circuit site:"}},
        {"a circuit without a rating",
         RIG("supply='200 V'", "", "<load dc='1000 W'/>"),
         {"UPS from 1000 VA, 1000 W"},
         {"Circuit:", "UPS battery"}},
        {"a UPS",
         "<rig><site supply='200 V'><room temperature='21 degC'/><ups rated='1500 W' battery='500 "
         "Wh'/></site><chassis>"
         "<load dc='1000 W'/></chassis><run for='2 h'/></rig>",
         {"UPS: 67 % loaded", "UPS battery: about ", " min at 1000 W"},
         {"UPS from"}}};
    wsk_test_check_says(rows, sizeof rows / sizeof *rows);
}

#define WET_RIG(inside) \
    "<rig><site supply='200 V'><room temperature='21 degC'/></site><chassis front-places='3'>" PSU "/>" inside \
    "</chassis><workload class='training'/><run for='2 h'/></rig>"
#define WATER(loop) "<cooler kind='water' " loop "/>"
#define RADIATOR(id, face, fans) \
    "<loop id='" id "'><pump part='pump/d5'/><radiator at='front' conductance='20 W/K' flow='100 CFM' face='" face \
    "'>" fans "</radiator></loop>"
#define AXIAL(at, count) "<fan " at " pressure='18 Pa' flow='55 CFM' rpm='1500 rpm' count='" count "'/>"

static void loops(void **state)
{
    (void)state;
    static const wsk_test_checked rows[] = {
        {"without a radiator, a card and a processor",
         WET_RIG("<loop kind='facility' id='L'/><cpu power='150 W' loop='L'/>" CARD("", WATER("loop='L'"))),
         {"Loop L: up to 400 W\n"},
         {"fan place"}},
        {"the card in one loop, the processor in another",
         WET_RIG("<loop kind='facility' id='L'/><loop kind='facility' id='M'/><cpu power='150 W' loop='M'/>" CARD(
             "", WATER("loop='L'"))),
         {"Loop L: up to 250 W\n", "Loop M: up to 150 W\n"},
         {NULL}},
        {"a processor in the air, and a card in the only loop",
         WET_RIG("<loop kind='facility' id='L'/><cpu power='150 W'/>" CARD("", WATER(""))),
         {"Loop L: up to 250 W\n"},
         {NULL}},
        {"a radiator large enough, whose three fans take three places",
         WET_RIG(RADIATOR("L", "450 cm2", AXIAL("", "3")) CARD("", WATER(""))),
         {"Loop L: up to 250 W on 450 cm2 of radiator (80 W a 120 mm fan place)\n"},
         {"above 150 W", "used by fans and radiators of the rig"}},
        {"a fan too many beside such a radiator",
         WET_RIG(RADIATOR("L", "450 cm2", AXIAL("", "3")) AXIAL("at='front'", "1") CARD("", WATER(""))),
         {"places for fans at the front of the chassis: 3; used by fans and radiators of the rig: 4"},
         {NULL}},
        {"a radiator without fans takes a place per 144 cm2",
         WET_RIG(RADIATOR("L", "576 cm2", "") AXIAL("at='rear'", "1") CARD("", WATER(""))),
         {"Loop L: up to 250 W on 576 cm2",
          "at the front of the chassis: 3; used by fans and radiators of the rig: 4"},
         {NULL}}};
    wsk_test_check_says(rows, sizeof rows / sizeof *rows);
}

#define BLOWER \
    "<cooler kind='blower' conductance='8 W/K' flow='16 CFM' capacity='500 J/K' fan-pressure='320 Pa' fan-flow='29 " \
    "CFM' fan-rpm='4000 rpm'/>"
#define CARD_AT(id, at, more) \
    "<gpu id='" id "' slot='" at \
    "' tdp='250 W' clock-max='1900 MHz' clock-knee='1400 MHz' voltage-slope='0.6 1/GHz' " more ">" BLOWER "</gpu>"
#define DRY_RIG(site, chassis, inside, work) \
    "<rig><site supply='200 V'" site "</site><chassis " chassis ">" AXIAL("at='front'", "3") inside \
        "</chassis><workload class='training' " work "/><run for='2 h'/></rig>"
#define GIVEN "><room temperature='21 degC'/>"

static void fans_and_doors(void **state)
{
    (void)state;
    static const wsk_test_checked rows[] = {
        {"the radiator of an AIO cooler",
         DRY_RIG(GIVEN, "top-places='1'", PSU "/>" CARD("", "<cooler kind='aio' part='cooler/aio-240' at='top'/>"),
                 ""),
         {"places for fans at the top of the chassis: 1; used by fans and radiators of the rig: 2"},
         {"Loop "}}, /* no sentence on the loop within the AIO */
        {"an AIO outside the case",
         DRY_RIG(GIVEN, "top-places='1'",
                 PSU "/>" CARD("", "<cooler kind='aio' part='cooler/aio-240' at='top' direction='outside'/>"), ""),
         {"no card throttles from heat"},
         {"used by fans and radiators of the rig"}},
        {"a rear door",
         DRY_RIG(GIVEN, "", PSU "/>" CARD_AT("a", "1", "") "<rear-door conductance='300 W/K' flow='1000 m3/h'/>", ""),
         {"Rear door: takes ", " W from the exhaust of chassis0\n"},
         {NULL}},
        {"a warm rear door",
         DRY_RIG(GIVEN, "",
                 PSU
                 "/>" CARD_AT("a", "1", "") "<rear-door conductance='300 W/K' flow='1000 m3/h' supply='70 degC'/>",
                 ""),
         {"Rear door: its water is warmer than the exhaust of chassis0, and heats the room by "},
         {"takes"}},
        {"none", DRY_RIG(GIVEN, "", PSU "/>" CARD_AT("a", "1", ""), ""), {"hottest GPU a"}, {"Rear door"}}};
    wsk_test_check_says(rows, sizeof rows / sizeof *rows);
}

static void links_between_cards(void **state)
{
    (void)state;
    static const wsk_test_checked rows[] = {
        {"a slow slot",
         DRY_RIG(GIVEN, "", PSU "/>" CARD_AT("a", "1", "pcie='4' lanes='16'") CARD_AT("b", "4", "pcie='3' lanes='4'"),
                 "communication='30 %'"),
         /* an eighth of the speed: 0.3 x 8 of 0.7 + 0.3 x 8 */
         {"Advice: b: PCI Express 3 x4 makes communication 77.4 % of a step, PCI Express 4 x16 makes "
          "it 30 "
          "%: 68 % less work; use a slot with more lanes"},
         {NULL}},
        {"fast slots",
         DRY_RIG(GIVEN, "",
                 PSU "/>" CARD_AT("a", "1", "pcie='4' lanes='16'") CARD_AT("b", "4", "pcie='4' lanes='16'"),
                 "communication='30 %'"),
         {"hottest GPU"},
         {"use a slot with more lanes"}},
        {"no communication",
         DRY_RIG(GIVEN, "", PSU "/>" CARD_AT("a", "1", "pcie='4' lanes='16'") CARD_AT("b", "4", "pcie='3' lanes='4'"),
                 ""),
         {"hottest GPU"},
         {"use a slot with more lanes"}}};
    wsk_test_check_says(rows, sizeof rows / sizeof *rows);
}

static void plugs_and_cables(void **state)
{
    (void)state;
#define WIRED(more, cards) \
    DRY_RIG(GIVEN, "", "<psu kind='constant' rated='1000 W' efficiency='90 %' " more "/>" cards, "")
    static const wsk_test_checked rows[] = {
        {"two plugs of 8 pins, and one of 6 that is too small",
         WIRED("", CARD_AT("a", "1", "connector='2x 8-pin'") CARD_AT("b", "4", "connector='1x 6-pin'")),
         {"b draws up to 250 W; its connectors (1x 6-pin) and the slot are rated for 150 W"},
         {"a draws up to"}},
        {"a blank behind the last plug, and words that are no plug",
         WIRED("cables='2'", CARD_AT("a", "1", "connector='8-pin+8-pin '") CARD_AT("b", "4", "connector='2y 8-pin'")),
         {"hottest GPU"},
         {"its connectors", "too few"}},
        {"a 12V-2x6 plug has a cable of its own",
         WIRED("cables='1' sockets-8-pin='1'",
               CARD_AT("a", "1", "connector='12V-2x6'") CARD_AT("b", "4", "connector='8-pin 8-pin'")),
         {"PCIe cables: 1 are too few for the connectors on psu0",
          "plugs for cards of psu0: 8 pins 1, 12V-2x6 0; connectors of its cards: 8 pins 2, 12V-2x6 1;"},
         {NULL}},
        {"two 12V-2x6 plugs on one cable",
         WIRED("cables='1'", CARD_AT("a", "1", "connector='12V-2x6'") CARD_AT("b", "4", "connector='12V-2x6'")),
         {"PCIe cables: 1 are too few for the connectors on psu0"},
         {NULL}},
        {"a daisy chain beyond the cable's own limit",
         WIRED("cables='2'", CARD_AT("a", "1", "connector='12V-2x6'") CARD_AT("b", "4", "connector='8-pin'")
                                 CARD_AT("c", "7", "connector='8-pin'")),
         {"psu0: 2 connectors on 1 daisy-chained cable(s), up to 333 W a cable", "a PCIe cable carries 288 W"},
         {NULL}},
        {"a daisy chain within the cable's limit",
         WIRED("cables='1'", CARD_AT("a", "1", "power-limit='200 W' connector='6-pin 6-pin'")),
         {"psu0: 2 connectors on 1 daisy-chained cable(s), up to 133 W a cable"},
         {"a PCIe cable carries", "its plug is rated"}},
        {"a stated number of 12V-2x6 plugs only",
         WIRED("sockets-12v-2x6='1'", CARD_AT("a", "1", "connector='12V-2x6'")),
         {"hottest GPU"},
         {"plugs for cards of"}}};
    wsk_test_check_says(rows, sizeof rows / sizeof *rows);
}

static void most_power_of_a_card(void **state)
{
    (void)state;
    static const wsk_test_checked rows[] = {
        {"the highest limit of a schedule",
         WIRED("", CARD_AT("a", "1", "power-limit='150 W' limit-schedule='1:00:150 W, 23:00:240 W'")),
         {"Cards 240 W + rest"},
         {NULL}},
        {"a schedule below the limit, which has no effect then",
         WIRED("", CARD_AT("a", "1", "power-limit='250 W' limit-schedule='1:00:150 W, 23:00:200 W'")),
         {"Cards 200 W + rest"},
         {NULL}},
        {"a limit below the power at the lowest clock",
         WIRED("", CARD_AT("a", "1", "power-limit='30 W' power-limit-min='30 W'")),
         {"Cards 37 W + rest"},
         {NULL}},
        {"a clock that no limit holds",
         WIRED("", CARD_AT("a", "1", "power-limit='150 W' clock='1900 MHz'")),
         {"Cards 302 W + rest"},
         {NULL}},
        {"a pinned power", WIRED("", CARD_AT("a", "1", "power='180 W'")), {"Cards 180 W + rest"}, {NULL}}};
    wsk_test_check_says(rows, sizeof rows / sizeof *rows);
}

#define COOLED(volume, conductance) \
    "><room volume='" volume "' conductance='" conductance "'><outdoor mean='15 degC' swing='0 K'/>" \
    "<air-conditioner capacity='3 kW' setpoint='18 degC'/></room>"
static void cooling_that_fails(void **state)
{
    (void)state;
    static const wsk_test_checked rows[] = {
        {"a room that the outdoors cools",
         DRY_RIG(COOLED("60 m3", "80 W/K"), "", PSU "/>" CARD_AT("a", "1", ""), ""),
         {"Room cooling off: no throttling within 4 h (room 18 \xC2\xB0"
          "C)"},
         {NULL}},
        {"a room that the outdoors hardly cool",
         DRY_RIG(COOLED("20 m3", "3 W/K"), "", PSU "/>" CARD_AT("a", "1", "") CARD_AT("b", "4", ""), ""),
         {"Room cooling off: throttling after ", " h, no shutdown (room "},
         {NULL}},
        {"a card that throttles already",
         DRY_RIG(COOLED("20 m3", "3 W/K"), "", PSU "/>" CARD_AT("a", "1", "target-temperature='50 degC'"), ""),
         {"Room cooling off: throttling already before, no shutdown within 4 h (room "},
         {"throttling after"}},
        {"an air conditioner that has nothing to do",
         DRY_RIG("><room volume='60 m3' conductance='800 W/K'><outdoor mean='5 degC' swing='0 K'/><air-conditioner "
                 "capacity='3 kW' setpoint='25 degC'/></room>",
                 "", PSU "/>" CARD_AT("a", "1", ""), ""),
         {"hottest GPU a"},
         {"Room cooling off"}}};
    wsk_test_check_says(rows, sizeof rows / sizeof *rows);
}

static void dust_that_gathers(void **state)
{
    (void)state;
    static const wsk_test_checked rows[] = {
        {"a card that is cool while its case is clean",
         DRY_RIG(GIVEN, "dust='45 %' dust-time='1 h'", PSU "/>" CARD_AT("a", "1", "target-temperature='70 degC'"),
                 ""),
         {"no card throttles from heat; hottest GPU a", "Dust blocks 90 % at the end of the run: cards throttle"},
         {NULL}},
        {"hardly any",
         DRY_RIG(GIVEN, "dust='1 %'", PSU "/>" CARD_AT("a", "1", ""), ""),
         {"hottest GPU a"},
         {"Dust blocks"}}};
    wsk_test_check_says(rows, sizeof rows / sizeof *rows);
}

static void rules_of_thumb(void **state)
{
    (void)state;
#define MODULES "<memory power='4 W' size='16 GB' count='2'/>"
#define DRIVES "<storage power='6 W' lanes='4' count='2'/><storage power='6 W'/>"
    static const wsk_test_checked rows[] = {
        {"a host that is too small",
         DRY_RIG(GIVEN, "",
                 PSU "/>" CARD_AT("a", "1", "lanes='16' memory='24 GB'")
                     CARD_AT("b", "4", "lanes='16' memory='24 GB'") MODULES DRIVES
                 "<cpu power='65 W' lanes='16' cores='2'/><board power='20 W' slots='1' "
                 "memory-slots='1' sockets='1' lanes='4'/>",
                 ""),
         {"board0 has fewer slots for cards, 1, than the rig has cards, 2",
          "two CPU cores a card: not met (cores: 2; needed: 4)",
          "cards and drives need 40 PCIe lanes and cpu0 + board0 has 20"},
         {"fewer sockets", "no processor is named"}},
        {"its memory",
         DRY_RIG(GIVEN, "",
                 PSU "/>" CARD_AT("a", "1", "memory='40 GB'") MODULES
                 "<cpu power='65 W'/><board power='20 W' slots='1' "
                 "memory-slots='1' sockets='1'/>",
                 ""),
         {"board0 has fewer places for memory modules, 1, than the rig has modules, 2",
          "system memory 1-2 times the cards' memory: not met (32 GB; cards 40 GB)"},
         {"PCIe lanes", "CPU cores"}},
        {"two processors",
         DRY_RIG(GIVEN, "",
                 PSU
                 "/>" CARD_AT("a", "1", "lanes='16' memory='24 GB'") "<cpu power='65 W' lanes='64' cores='8' "
                                                                     "memory='64 GB' count='2'/><board power='20 W' "
                                                                     "slots='4' memory-slots='4' sockets='1'/>",
                 ""),
         {"board0 has fewer sockets, 1, than the rig has processors, 2",
          "two CPU cores a card: met (cores: 16; needed: 2)", "PCIe: cards and drives need 16 lanes; cpu0 has 128"},
         {"not met"}},
        {"a board without a processor, and memory of unknown size",
         DRY_RIG(GIVEN, "",
                 PSU "/>" CARD_AT("a", "1", "memory='24 GB'") "<board power='20 W' slots='4' memory-slots='4' "
                                                              "sockets='1'/>",
                 ""),
         {"system memory 1-2 times the cards' memory: 24 to 48 GB\n"},
         {"no processor is named", "PCIe:"}},
        {"a rule that the simulation overrules",
         DRY_RIG(GIVEN, "", "<psu kind='constant' rated='590 W' efficiency='90 %'/>" CARD_AT("a", "1", ""), ""),
         {"one card needs 600 W: not met (590 W; simulation: 43 % loaded", "no load step trips it)"},
         {NULL}},
        {"a rig without a steady state",
         "<rig><site supply='200 V'><room volume='2 m3' conductance='0 W/K'><outdoor mean='30 degC'/></room></site>"
         "<chassis><vent at='front' area='900 cm2'/><psu kind='constant' rated='2000 W' efficiency='90 %'/>"
         "<load dc='1500 W'/></chassis><run for='1 h'/></rig>",
         {"Simulation (overrides the rules): no steady state: room would be at 120 °C: outside the model's range\n"},
         {"after", "uncertainty"}},
        {"cards of which one hangs on a riser have no spacing",
         DRY_RIG(GIVEN, "", PSU "/>" CARD_AT("a", "1", "riser='40 mm'") CARD_AT("b", "4", ""), ""),
         {"two or more cards need 1000 W: met (1000 W)"},
         {"mm apart"}}};
    wsk_test_check_says(rows, sizeof rows / sizeof *rows);
}

static void every_input_has_its_source(void **state)
{
    (void)state;
    static const char xml[] =
        "<rig><site supply='200 V'><room temperature='21 degC'/></site><chassis><psu part='psu/tier-gold-850'/>"
        "<fan at='rear' pressure='18 Pa' flow='55 CFM' rpm='1500 rpm'><source for='flow' kind='measured' ref='by "
        "hand' "
        "spread='+-5 %'/></fan><gpu id='g' part='gpu/rtx-3090-blower' slot='1'/></chassis><workload "
        "class='training'/>"
        "<run for='1 h'/></rig>";
    static const char *const says[] = {"g.cooler ",   "fan0 flow=\"", ": rig file; by hand; spread +-5 %\n",
                                       ": default\n", "=\"derived\"", ": assumed"};
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_findings *found;
    char *text = NULL;
    assert_int_equal(wsk_rig_check(rig, true, &found), WSK_OK);
    assert_int_equal(wsk_findings_english(found, &text), WSK_OK);
    for (size_t i = 0; i < sizeof says / sizeof *says; i++)
        if (!strstr(text, says[i]))
            fail_msg("no \"%s\" in:\n%s", says[i], text);
    wsk_text_free(text);
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(psus_without_cards),
                                       cmocka_unit_test(redundant_psus_in_one_line),
                                       cmocka_unit_test(circuits),
                                       cmocka_unit_test(loops),
                                       cmocka_unit_test(fans_and_doors),
                                       cmocka_unit_test(links_between_cards),
                                       cmocka_unit_test(plugs_and_cables),
                                       cmocka_unit_test(cooling_that_fails),
                                       cmocka_unit_test(dust_that_gathers),
                                       cmocka_unit_test(rules_of_thumb),
                                       cmocka_unit_test(most_power_of_a_card),
                                       cmocka_unit_test(every_input_has_its_source)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
