/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes of slots, risers, fans, coolers and loops that advice proposes where cards are hot, or the rig is loud. */
#include "tests/verify/proposals.h"

#define SITE "supply='200 V'>" ROOM
#define FRONT "<fan id='f' part='fan/generic-120-1500' at='front'/>"
#define REAR "<fan id='r' part='fan/generic-120-1500' at='rear'/>"
#define OPEN_AIR(id, slot) CARD(id, slot, "rtx-3090-open-air")
#define OWN(id, slot) \
    "<gpu id='" id "' slot='" slot "' tdp='250 W' idle='20 W' clock-max='1900 MHz' clock-knee='1400 MHz' " \
    "voltage-slope='0.6 1/GHz'><cooler kind='open-air' conductance='8 W/K' flow='50 CFM' capacity='500 J/K' " \
    "fan-pressure='30 Pa' fan-flow='90 CFM' fan-rpm='3000 rpm'/></gpu>"
#define HOT(inside, chassis) RIG_OF(SITE, PSU("") inside, chassis), {.throttles = true}, .heat = true

#define NAMED(gpus, inside) \
    "<rig><site " SITE "</site><chassis slots='6'>" PSU("") inside \
        "</chassis><workload class='training' gpus='" gpus "'/><run for='2 h'/></rig>", \
        {.throttles = true}, .heat = true

static void slots(void **state)
{
    (void)state;
#define TI(id, slot) CARD(id, slot, "rtx-2080-ti")
    static const row rows[] = {
        {"two cards with room for two free slots", HOT(TI("a", "1") TI("b", "3"), "slots='8'"),
         .says = {"one free slot between the cards: gpu[a].slot=1; gpu[b].slot=4\n",
                  "2 free slots between the cards: gpu[a].slot=1; gpu[b].slot=5\n"}},
        {"two cards that are already apart", HOT(TI("a", "1") TI("b", "5"), "slots='6'"),
         .says = {"one free slot between the cards: gpu[a].slot=1; gpu[b].slot=4\n"}, .omits = {"2 free slots"}},
        {"three cards with one slot to spare", HOT(TI("a", "1") TI("b", "3") TI("c", "5"), "slots='7'"),
         .says = {"the free slot below b: gpu[a].slot=1; gpu[b].slot=3; gpu[c].slot=6\n"},
         .omits = {"free slots between the cards"}},
        {"four cards with two to spare", HOT(TI("a", "1") TI("b", "3") TI("c", "5") TI("d", "7"), "slots='10'"),
         .says = {"a free slot each below c and b: gpu[a].slot=1; gpu[b].slot=3; gpu[c].slot=6; gpu[d].slot=9\n"},
         .omits = {"free slots between the cards"}},
        {"no slot to spare", HOT(TI("a", "1") TI("b", "3"), "slots='4'"), .omits = {"free slot"}},
        {"a card alone", HOT(TI("a", "1"), "slots='8'"), .omits = {"free slot", "one card fewer"}},
        {"a card on a riser",
         HOT("<gpu id='a' slot='1' part='gpu/rtx-2080-ti' riser='40 mm'/>" TI("b", "3"), "slots='8'"),
         .omits = {"free slot", "one card fewer", "below the other cards"}},
        {"cool and quiet cards",
         RIG_OF(SITE, PSU("") TI("a", "1") TI("b", "3"), "slots='8'"),
         {.noise_dba = 30},
         .omits = {"free slot", "riser", "fan"}}};
    CHECK(rows);
}

static void fewer_and_other_places(void **state)
{
    (void)state;
    static const row rows[] = {
        {"three alike, spread over eight slots", HOT(TI("a", "1") TI("b", "3") TI("c", "5"), "slots='8'"),
         .says = {"one card fewer (without c); free slots between the others: 2: gpu[c]=none; gpu[a].slot=1; "
                  "gpu[b].slot=5\n"},
         .omits = {"below the other cards"}},
        {"two alike, of which one stays", HOT(TI("a", "1") TI("b", "3"), "slots='4'"),
         .says = {"one card fewer (without b): gpu[b]=none; gpu[a].slot=1\n"}},
        {"three that the workload names", NAMED("a b c", TI("a", "1") TI("b", "3") TI("c", "5")),
         .says = {"gpu[c]=none; workload.gpus=a b; gpu[a].slot=1; "}},
        {"one without work below", NAMED("a", TI("a", "1") TI("b", "3")),
         .says = {"one card fewer (without b): gpu[b]=none; gpu[a].slot=1\n"}},
        {"one without work above", NAMED("b", TI("a", "1") TI("b", "3")), .omits = {"one card fewer"}},
        {"two unlike, the hotter one above",
         RIG_OF(SITE, PSU("") OPEN_AIR("a", "1") CARD("b", "5", "rtx-2080-ti-blower"), "slots='8'"),
         {.throttles = true, .die_c = {80, 60}},
         .heat = true,
         .says = {"a below the other cards, which move up: gpu[b].slot=1; gpu[a].slot="},
         .omits = {"one card fewer"}},
        {"two alike, the hotter one above",
         RIG_OF(SITE, PSU("") OPEN_AIR("a", "1") OPEN_AIR("b", "5"), "slots='8'"),
         {.throttles = true, .die_c = {80, 60}},
         .heat = true,
         .omits = {"below the other cards"}},
        {"two without parts, the hotter one above",
         RIG_OF(SITE, PSU("") OWN("a", "1") OWN("b", "5"), "slots='8'"),
         {.throttles = true, .die_c = {80, 60}},
         .heat = true,
         .says = {"a below the other cards, which move up: gpu[b].slot=1; gpu[a].slot="}},
        {"one with a part and one without, which is hotter and above",
         RIG_OF(SITE, PSU("") OWN("a", "1") TI("b", "5"), "slots='8'"),
         {.throttles = true, .die_c = {80, 60}},
         .heat = true,
         .says = {"a below the other cards, which move up: gpu[b].slot=1; gpu[a].slot="}},
        {"two unlike, the hotter one below",
         RIG_OF(SITE, PSU("") OPEN_AIR("a", "1") TI("b", "5"), "slots='8'"),
         {.throttles = true, .die_c = {60, 80}},
         .heat = true,
         .omits = {"below the other cards"}},
        {"cards that blow out of the case",
         HOT(CARD("a", "1", "rtx-2080-blower") CARD("b", "5", "rtx-2080-ti-blower"), "slots='8'"),
         .omits = {"below the other cards", "riser"}}};
    CHECK(rows);
}

static void risers(void **state)
{
    (void)state;
    static const row rows[] = {
        {"two cards in a case with a riser place, the hotter one first",
         RIG_OF(SITE, PSU("") TI("a", "1") TI("b", "3"), "slots='8' riser-places='1' riser-depth='95 mm'"),
         {.throttles = true, .die_c = {70, 80}},
         .heat = true,
         .says = {"b on a riser, with 56 mm of free air under its fans: "
                  "gpu[b].riser-cable+=riser-cable/pcie4-x16-200; gpu[b].riser=56 mm\n",
                  "a on a riser outside the case, with 60 mm of free air under its fans: "
                  "gpu[a].riser-cable+=riser-cable/pcie4-x16-600; gpu[a].riser=60 mm; gpu[a].riser-at=room\n"},
         .omits = {"on risers outside"}},
        {"a riser place that is too shallow", HOT(TI("a", "1"), "slots='8' riser-places='1' riser-depth='45 mm'"),
         .says = {"a on a riser outside the case"}, .omits = {"a on a riser, with"}},
        {"a riser place that is taken",
         HOT("<gpu id='a' slot='1' part='gpu/rtx-2080-ti' riser='40 mm'/>" TI("b", "3"),
             "slots='8' riser-places='1' riser-depth='95 mm'"),
         .says = {"b on a riser outside the case"}, .omits = {"b on a riser, with", "a on a riser"}},
        {"a riser place left beside a card outside the case",
         HOT("<gpu id='a' slot='1' part='gpu/rtx-2080-ti' riser='40 mm' riser-at='room'/>" TI("b", "3"),
             "slots='8' riser-places='1' riser-depth='95 mm'"),
         .says = {"b on a riser, with 56 mm"}},
        {"a case without a riser place", HOT(TI("a", "1"), "slots='8' riser-places='0' riser-depth='95 mm'"),
         .omits = {"a on a riser, with"}},
        {"five cards", HOT(TI("a", "1") TI("b", "3") TI("c", "5") TI("d", "7") TI("e", "9"), "slots='12'"),
         .says = {"b and d on risers outside the case, each with 60 mm of free air under its fans: "
                  "gpu[b].riser-cable+=riser-cable/pcie4-x16-600; gpu[b].riser=60 mm; gpu[b].riser-at=room; gpu[d]."},
         .omits = {"\na on a riser outside"}}, /* a is the coolest of five */
        {"PCI Express 5", HOT(CARD("a", "1", "rtx-5090"), "slots='8' riser-places='1' riser-depth='130 mm'"),
         .says = {"gpu[a].riser-cable+=riser-cable/pcie5-x16-200"}},
        {"a riser without a catalogue",
         RIG_OF(SITE, PSU("") TI("a", "1"), "slots='8'"),
         {.throttles = true},
         .heat = true,
         .bare = true,
         .says = {"gpu[a].riser=60 mm; gpu[a].riser-at=room (at an unknown price)"},
         .omits = {"riser-cable+="}},
        {"an open frame", HOT(TI("a", "1") TI("b", "3") TI("c", "5") TI("d", "7"), "kind='frame' slots='8'"),
         .says = {"a on a riser, with 60 mm of free air"},
         .omits = {"outside", "fans at the front", "more intake fan"}}};
    CHECK(rows);
}

static void case_fans(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a case without fans", HOT(TI("a", "1"), ""),
         .says = {"3 case fans at the front and one at the rear (fan/generic-120-1500): "
                  "chassis.fan+=fan/generic-120-1500 at=front count=3; chassis.fan+=fan/generic-120-1500 at=rear\n",
                  "the side panel off: chassis.side-panel=open"},
         .omits = {"one more"}},
        {"two places at the front, none at the rear", HOT(TI("a", "1"), "front-places='2' rear-places='0'"),
         .says = {"2 case fans at the front (fan/generic-120-1500)"}, .omits = {"at the rear"}},
        {"one place at the front and one at the rear", HOT(TI("a", "1"), "front-places='1' rear-places='1'"),
         .says = {"1 case fans at the front and one at the rear (fan/generic-120-1500): "
                  "chassis.fan+=fan/generic-120-1500 at=front count=1; chassis.fan+=fan/generic-120-1500 at=rear\n"}},
        {"no place for a fan", HOT(TI("a", "1"), "front-places='0' rear-places='0'"),
         .omits = {"fans at the front", "at the rear"}},
        {"a fan at the front", HOT(FRONT TI("a", "1"), ""),
         .says = {"a case fan at the rear (fan/generic-120-1500): chassis.fan+=fan/generic-120-1500 at=rear\n",
                  "one more intake fan of the same kind: fan[f].count=2\n",
                  "case fans of 3000 rpm (fan/generic-120-3000): fan[f]=fan/generic-120-3000\n"}},
        {"a fan at the rear", HOT(REAR TI("a", "1"), ""),
         .says = {"3 case fans at the front (fan/generic-120-1500)",
                  "one more exhaust fan of the same kind: fan[r]"}},
        {"all fan places taken", HOT(FRONT REAR TI("a", "1"), "front-places='1' rear-places='1'"),
         .says = {"fan[f]=fan/generic-120-3000; fan[r]=fan/generic-120-3000"},
         .omits = {"one more", "case fans at", "a case fan"}},
        {"fans that are fast, or of another size",
         HOT("<fan id='f' part='fan/generic-120-3000' at='front'/><fan id='r' part='fan/generic-140-1500' "
             "at='rear'/>" TI("a", "1"),
             ""),
         .omits = {"case fans of 3000 rpm"}},
        {"the side panel already off", HOT(FRONT TI("a", "1"), "side-panel='open'"), .omits = {"side panel"}},
        {"case fans without a catalogue",
         RIG_OF(SITE, PSU("") TI("a", "1"), ""),
         {.throttles = true},
         .heat = true,
         .bare = true,
         .omits = {"fans at the front", "blowers"}},
        {"a loud case",
         RIG_OF(SITE, PSU("") FRONT TI("a", "1"), ""),
         {.noise_dba = 70},
         .says = {"one more intake fan",
                  "the cards' own fans 15 % slower at every temperature: gpu[a].cooler.fan-curve="},
         .omits = {"3000 rpm", "side panel", "riser", "20 % faster"}},
        {"a loud case with a card's fan at a fixed speed",
         RIG_OF(SITE, PSU("") FRONT "<gpu id='a' slot='1' part='gpu/rtx-2080-ti' fan='2000 rpm'/>", ""),
         {.noise_dba = 70},
         .says = {"the cards' own fans 15 % slower at every temperature: gpu[a].fan=1700 rpm\n",
                  "the case fans 25 % slower: ", "the case fans 50 % slower: "},
         .omits = {"at full speed"}}};
    CHECK(rows);
}

static void coolers(void **state)
{
    (void)state;
    static const row rows[] = {
        {"cards with a blower version, and the curve of their fans",
         HOT(TI("a", "1") OPEN_AIR("b", "4"), "slots='8'"),
         .says = {"blowers instead of open-air coolers (gpu/rtx-2080-ti-blower): gpu[a].part=gpu/rtx-2080-ti-blower; "
                  "gpu[b].part=gpu/rtx-3090-blower (at an unknown price)",
                  "the cards' own fans 20 % faster at every temperature: gpu[a].cooler.fan-curve="}},
        {"a card alone", HOT(TI("a", "1"), "slots='8'"), .omits = {"blowers"}},
        {"cards without a blower version, by their power",
         HOT(CARD("a", "1", "rtx-3080") CARD("b", "4", "rtx-3060"), "slots='8'"),
         .says = {"blowers instead of open-air coolers (cooler/class-blower-"}},
        {"cards that have blowers",
         HOT(CARD("a", "1", "rtx-2080-blower") CARD("b", "5", "rtx-2080-ti-blower"), "slots='8'"),
         .omits = {"blowers"}},
        {"a fan at a fixed speed", HOT("<gpu id='a' slot='1' part='gpu/rtx-2080-ti' fan='1500 rpm'/>", "slots='8'"),
         .says = {"the cards' own fans 20 % faster at every temperature: gpu[a].fan=1800 rpm\n",
                  "the cards' own fans at full speed instead of a fixed one: gpu[a].fan=100 %\n"}},
        {"a fan close to its full speed",
         HOT("<gpu id='a' slot='1' part='gpu/rtx-2080-ti' fan='90 %'/>", "slots='8'"),
         .says = {"the cards' own fans at full speed instead of a fixed one: gpu[a].fan=100 %\n"},
         .omits = {"20 % faster"}},
        {"a fan at its full speed", HOT("<gpu id='a' slot='1' part='gpu/rtx-2080-ti' fan='100 %'/>", "slots='8'"),
         .omits = {"own fans"}},
        {"passive cards in a tower",
         HOT(FRONT CARD("a", "1", "a100-pcie-40gb") CARD("b", "4", "a100-pcie-40gb"),
             "slots='8' card-length='400 mm'"),
         .says = {"a fan in a printed duct for each passive card (cooler/shroud-92): gpu[a].cooler=cooler/shroud-92; "
                  "gpu[b].cooler=cooler/shroud-92 (at an unknown price)"},
         .omits = {"own fans", "blowers", "riser"}}};
    CHECK(rows);
}

static void loops(void **state)
{
    (void)state;
#define WET(part) "<gpu id='g' slot='1' part='gpu/" part "'><cooler kind='water' loop='L'/></gpu>"
#define LOOP(fan) \
    "<loop id='L'><pump part='pump/d5'/><radiator part='radiator/generic-360' at='front'>" fan "</radiator></loop>"
    static const row rows[] = {
        {"slow fans of 120 mm on a radiator",
         HOT(LOOP("<fan id='s' part='fan/generic-120-1500' count='3'/>") WET("rtx-3090-open-air"), "slots='8'"),
         .says =
             {"faster fans on the radiators (fan/generic-120-2000-radiator): fan[s]=fan/generic-120-2000-radiator"},
         .omits = {"colder", "fans at the front"}},
        {"fast fans on a radiator",
         HOT(LOOP("<fan id='s' part='fan/generic-120-2000-radiator' count='3'/>") WET("rtx-3090-open-air"),
             "slots='8'"),
         .omits = {"faster fans on the radiators"}},
        {"facility water",
         HOT("<loop kind='facility' id='L' supply='30 degC'/>" WET("rtx-3090-open-air"), "slots='8'"),
         .says = {"facility water 5 K colder: loop[L].supply=25 degC"}, .omits = {"faster fans on the radiators"}},
        {"facility water near the dew point",
         RIG_OF("supply='200 V'><room temperature='27 degC' humidity='80 %'/>",
                PSU("") "<loop kind='facility' id='L' supply='23 degC' approach='1 K'/>" WET("rtx-3090-open-air"),
                "slots='8'"),
         {.throttles = true},
         .heat = true,
         .omits = {"colder"}},
        {"a loop without a card in it",
         HOT("<loop kind='facility' id='L'/><cpu power='100 W' loop='L'/>" TI("a", "1"), "slots='8'"),
         .omits = {"colder"}}};
    CHECK(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slots),   cmocka_unit_test(fewer_and_other_places),
                                       cmocka_unit_test(risers),  cmocka_unit_test(case_fans),
                                       cmocka_unit_test(coolers), cmocka_unit_test(loops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
