/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which changes advice proposes for a rig with given problems, and with which assignments. */
#include "tests/verify/proposals.h"

static void circuits(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a circuit for 700 VA more than 2000 VA",
         RIG_OF("supply='200 V' circuit='10 A'>" ROOM, PSU("") ONE, ""),
         {.over_w = 700},
         .says = {"a circuit of 16 A: site.circuit=16 A (at an unknown price)"},
         .omits = {"V circuit"}},
        {"a circuit whose outlet is the limit",
         RIG_OF("supply='200 V' circuit='16 A' outlet='10 A'>" ROOM, PSU("") ONE, ""),
         {.over_w = 700},
         .omits = {"circuit"}},
        {"a load above the largest circuit",
         RIG_OF("supply='200 V' circuit='10 A'>" ROOM, PSU("") ONE, ""),
         {.over_w = 12000},
         .omits = {"circuit"}},
        {"a circuit without a rating",
         RIG_OF("supply='200 V'>" ROOM, PSU("") ONE, ""),
         {.over_w = 700},
         .omits = {"circuit"}},
        {"no problem",
         RIG_OF("supply='200 V' circuit='10 A'>" ROOM, PSU("") ONE, ""),
         {.work = 1},
         .omits = {"circuit", "PSU"}},
        {"120 V and lower limits",
         RIG_OF("supply='120 V' circuit='15 A'>" ROOM, PSU("") ONE, ""),
         {.over_w = 300, .cure_psu = 0.75},
         .says = {"a 240 V circuit: site.supply=240 V (at an unknown price)",
                  "a 240 V circuit and a power limit of 195 W: site.supply=240 V; gpu[g].power-limit=195 W"},
         .omits = {"a circuit of"}},
        {"120 V, a breaker that trips, and a larger PSU",
         RIG_OF("supply='120 V' circuit='15 A'>" ROOM, PSU("id='p'") ONE, ""),
         {.trip = 0.5, .cure_rated = {2000}},
         .says = {"a 240 V circuit and a PSU of 2000 W: site.supply=240 V; psu[p].rated=2000 W",
                  "\na PSU of 2000 W: psu[p].rated=2000 W"}},
        {"120 V, where the PSU itself trips and would not give more at a higher voltage",
         RIG_OF("supply='120 V' circuit='15 A'>" ROOM, PSU("") ONE, ""),
         {.trip = 0.5, .trip_psu = 0.5},
         .omits = {"circuit"}},
        {"120 V, where the PSU gives more at a higher voltage",
         RIG_OF("supply='120 V' circuit='15 A'>" ROOM,
                PSU("id='p' line-rating='100 V:1000 W, 180 V:1000 W, 200 V:1600 W'") ONE, ""),
         {.trip = 0.5, .trip_psu = 0.5, .cure_rated = {2000}},
         .says = {"a 240 V circuit: site.supply=240 V", "psu[p].line-rating=120 V:1250 W, 121 V:1250 W"}},
        {"120 V and a PSU that brakes the cards",
         RIG_OF("supply='120 V' circuit='15 A'>" ROOM,
                PSU("id='p' line-rating='100 V:1000 W, 180 V:1000 W, 200 V:1600 W'") ONE, "power-brake='yes'"),
         {.braked = true},
         .says = {"a 240 V circuit: site.supply=240 V", "\na PSU of 2400 W: psu[p].rated=2400 W",
                  "a power limit of 182 W: gpu[g].power-limit=182 W"}},
        {"120 V and an overloaded PSU",
         RIG_OF("supply='120 V' circuit='15 A'>" ROOM,
                PSU("id='p' line-rating='100 V:1000 W, 180 V:1000 W, 200 V:1600 W'") ONE, ""),
         {.over_psu_w = 100},
         .says = {"a 240 V circuit: site.supply=240 V"}}};
    CHECK(rows);
}

#define TWO_PSUS(more) \
    PSU("id='p'") "<psu id='q' kind='constant' rated='1600 W' efficiency='90 %' feeds='g' " more "/>"
/* The cards draw 100 W, so a proposed limit in W is also the percentage of that. */
static void limits(void **state)
{
    (void)state;
    static const char plain[] =
        RIG_OF("supply='230 V'>" ROOM, PSU("") "<gpu id='g' slot='1' part='gpu/rtx-2080-ti'/>", "");
#define OF_100_W .card_w = { 100 }
    static const struct {
        const char *what;
        wsk_outcome base;
        const char *shares; /* limits in W, in their order */
    } rows[] = {
        {"a rig without problems", {OF_100_W}, "90 80"},
        {"a PSU or circuit that a share of the power cures",
         {OF_100_W, .cure_psu = 0.65, .cure_circuit = 0.75},
         "90 80 65"},
        {"a circuit that a share of the power cures", {OF_100_W, .cure_psu = 0.95, .cure_circuit = 0.75}, "90 80 75"},
        {"a circuit that is overloaded while the cards are cold and draw half as much again",
         {OF_100_W, .cure_circuit = 0.6, .peak_rel = 1.5},
         "90 80 90"},
        {"a loud rig", {OF_100_W, .noise_dba = 70}, "90 80 95 85"},
        /* without the brake or the shutdown the card would draw its limit, 260 W */
        {"a braked rig", {OF_100_W, .braked = true}, "234 208 221 182"},
        {"a rig that shut down", {OF_100_W, .dead = 1}, "234 208 182 130"},
        {"a loud rig with a small PSU", {OF_100_W, .noise_dba = 70, .cure_psu = 0.6}, "90 80 60 95 85"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static char text[1 << 16];
        char found[100] = "";
        const row r = {.what = rows[i].what, .base = rows[i].base};
        wsk_rig *rig = wsk_test_rig(plain, NULL);
        write_list(text, sizeof text, &r, rig);
        wsk_rig_free(rig);
        for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
            int watts, again, used = 0;
            if (sscanf(line, "a power limit of %d W: gpu[g].power-limit=%d W%n", &watts, &again, &used) < 2 ||
                line[used] != '\n')
                continue;
            assert_int_equal(watts, again);
            const size_t n = strlen(found);
            snprintf(found + n, sizeof found - n, "%s%d", n ? " " : "", watts);
        }
        if (strcmp(found, rows[i].shares) != 0)
            fail_msg("%s: limits %s, expected %s", rows[i].what, found, rows[i].shares);
    }
}

/* Cards of one limit get one limit, by the card that draws most; others each by its own draw. */
static void limits_of_unlike_cards(void **state)
{
    (void)state;
    static const row rows[] = {
        {.what = "two alike",
         .xml =
             RIG_OF("supply='230 V'>" ROOM, PSU("") CARD("g", "1", "rtx-2080-ti") CARD("h", "5", "rtx-2080-ti"), ""),
         .base = {.card_w = {100, 80}},
         .says = {"gpu[g].power-limit=90 W; gpu[h].power-limit=90 W"}},
        {.what = "two unlike",
         .xml = RIG_OF("supply='230 V'>" ROOM, PSU("") CARD("g", "1", "rtx-2080-ti") CARD("h", "5", "rtx-3090"), ""),
         .base = {.card_w = {100, 200}},
         .says = {"gpu[g].power-limit=90 W; gpu[h].power-limit=180 W"}},
        {.what = "two alike and one unlike",
         .xml = RIG_OF("supply='230 V'>" ROOM,
                       PSU("") CARD("g", "1", "rtx-2080-ti") CARD("h", "5", "rtx-3090") CARD("i", "9", "rtx-2080-ti"),
                       "slots='12'"),
         .base = {.card_w = {100, 200, 80}},
         .says = {"gpu[g].power-limit=90 W; gpu[h].power-limit=180 W; gpu[i].power-limit=72 W"}}};
    CHECK(rows);
}

/* A schedule or a given power overrides the limit of a card, so that no change of the limit is proposed for it. */
static void overridden_limits(void **state)
{
    (void)state;
#define TWO_CARDS(one, two) \
    RIG_OF("supply='230 V'>" ROOM, \
           PSU("") "<gpu id='g' slot='1' part='gpu/rtx-2080-ti' " one \
                   "/><gpu id='h' slot='4' part='gpu/rtx-2080-ti' " two "/>", \
           "")
#define BOTH_100_W .card_w = { 100, 100 }
    static const row rows[] = {{.what = "one card of two has a schedule",
                                .xml = TWO_CARDS("limit-schedule='0:00:150 W, 8:00:250 W'", "power-limit='200 W'"),
                                .base = {BOTH_100_W},
                                .says = {"a power limit of 90 W (h): gpu[h].power-limit=90 W\n",
                                         "a power limit of 230 W (h): gpu[h].power-limit=230 W\n"},
                                .omits = {"gpu[g].power-limit"}},
                               {.what = "the power of one is given",
                                .xml = TWO_CARDS("", "power='100 W'"),
                                .base = {BOTH_100_W},
                                .says = {"a power limit of 90 W (g): gpu[g].power-limit=90 W\n"},
                                .omits = {"gpu[h].power-limit"}},
                               {.what = "none of both",
                                .xml = TWO_CARDS("", ""),
                                .base = {BOTH_100_W},
                                .says = {"power limits of 90 W: gpu[g].power-limit=90 W"},
                                .omits = {"("}},
                               {.what = "both have a schedule",
                                .xml = TWO_CARDS("limit-schedule='0:00:150 W'", "limit-schedule='0:00:150 W'"),
                                .base = {BOTH_100_W},
                                .omits = {"power-limit", "limit-schedule"}}};
    CHECK(rows);
}

/* Where the peak of the run overloads a circuit or a PSU, the limits of a schedule above the cure are lowered to it: cards
 * of 200 W on average, 250 W at the peak, of which 80 % is no overload. */
static void schedules_are_capped(void **state)
{
    (void)state;
#define BOTH_200_W .card_w = {200, 200}, .peak_rel = 1.25
#define DAY "limit-schedule='0:00:150 W, 8:20:250 W, 22.0125 h:180 W'"
    static const row rows[] = {
        {.what = "both have a schedule",
         .xml = TWO_CARDS(DAY, DAY),
         .base = {BOTH_200_W, .cure_circuit = 0.8, .over_w = 100},
         .says = {"power limits of at most 200 W in limit-schedule: gpu[g].limit-schedule=0:00:150 W, 8:20:200 W, "
                  "22.0125 h:180 W; gpu[h].limit-schedule=0:00:150 W, 8:20:200 W, 22.0125 h:180 W\n"},
         .omits = {"power-limit", "nan"}},
        {.what = "one has a schedule",
         .xml = TWO_CARDS(DAY, ""),
         .base = {BOTH_200_W, .cure_psu = 0.8, .over_psu_w = 100},
         .says = {"a power limit of 200 W (h) and power limits of at most 200 W in limit-schedule: "
                  "gpu[h].power-limit=200 W; gpu[g].limit-schedule=0:00:150 W, 8:20:200 W, 22.0125 h:180 W\n",
                  "a power limit of 180 W (h): gpu[h].power-limit=180 W\n"}},
        {.what = "the schedules differ",
         .xml = TWO_CARDS(DAY, "limit-schedule='0 h:200 W'"),
         .base = {.card_w = {200, 160}, .peak_rel = 1.25, .cure_circuit = 0.8, .over_w = 100},
         .says =
             {"the highest power limits of limit-schedule 20 % lower: gpu[g].limit-schedule=0:00:150 W, 8:20:200 W, "
              "22.0125 h:180 W; gpu[h].limit-schedule=0:00:160 W\n"}},
        {.what = "with mains of 240 V as well",
         .xml = RIG_OF("supply='120 V' circuit='15 A'>" ROOM,
                       PSU("") "<gpu id='g' slot='1' part='gpu/rtx-2080-ti' " DAY "/>", ""),
         .base = {.card_w = {200}, .peak_rel = 1.25, .cure_psu = 0.8, .over_w = 100},
         .says = {"a 240 V circuit and power limits of at most 200 W in limit-schedule: site.supply=240 V; "
                  "gpu[g].limit-schedule=0:00:150 W, 8:20:200 W, 22.0125 h:180 W (at an unknown price)\n"},
         .omits = {"nan"}}};
    CHECK(rows);
}

static void several_circuits(void **state)
{
    (void)state;
    static const row rows[] = {
        {"two PSUs on one circuit",
         RIG_OF("supply='200 V' circuit='10 A'>" ROOM, TWO_PSUS("") ONE, ""),
         {.over_w = 700},
         .says =
             {"q on a second circuit of 10 A: site.branch+=id=b2 circuit=10A; psu[q].on=b2 (at an unknown price)"}},
        {"two PSUs on a circuit with an outlet",
         RIG_OF("supply='200 V' circuit='16 A' outlet='10 A'>" ROOM, TWO_PSUS("") ONE, ""),
         {.over_w = 700},
         .says = {"site.branch+=id=b2 circuit=16A outlet=10A; psu[q].on=b2"}},
        {"two PSUs on a circuit without a rating",
         RIG_OF("supply='200 V'>" ROOM, TWO_PSUS("") ONE, ""),
         {.over_feed = 0.2},
         .omits = {"second circuit"}},
        {"two PSUs on two circuits",
         RIG_OF("supply='200 V' circuit='10 A'><branch id='k' circuit='10 A'/>" ROOM, TWO_PSUS("on='k'") ONE, ""),
         {.over_w = 700},
         .says = {"p on circuit k: psu[p].on=k", "q on circuit site: psu[q].on=site"},
         .omits = {"second circuit", "a circuit of"}},
        {"two circuits, one without a rating, which may not bear more",
         RIG_OF("supply='200 V'><branch id='k' circuit='10 A'/>" ROOM, TWO_PSUS("on='k'") ONE, ""),
         {.trip = 0.3},
         .says = {"p on circuit k: psu[p].on=k"},
         .omits = {"q on circuit site"}},
        {"two circuits, one with too low a voltage for a PSU",
         RIG_OF("supply='230 V' circuit='10 A'><branch id='k' supply='120 V' circuit='10 A'/>" ROOM,
                PSU("id='p' supply-min='200 V'") "<psu id='q' kind='constant' rated='1600 W' efficiency='90 %' "
                                                 "feeds='g' "
                                                 "on='k'/>" ONE,
                ""),
         {.over_w = 300},
         .says = {"q on circuit site: psu[q].on=site"},
         .omits = {"p on circuit k"}},
        {"two circuits, one with too high a voltage for a PSU",
         RIG_OF("supply='230 V' circuit='10 A'><branch id='k' supply='277 V' circuit='10 A'/>" ROOM,
                PSU("id='p'") "<psu id='q' kind='constant' rated='1600 W' efficiency='90 %' supply-max='305 V' "
                              "feeds='g' on='k'/>" ONE,
                ""),
         {.over_w = 300},
         .says = {"q on circuit site: psu[q].on=site"},
         .omits = {"p on circuit k"}}};
    CHECK(rows);
}

static void feeds(void **state)
{
    (void)state;
#define FED(feeds) RIG_OF("supply='200 V'>" ROOM feeds, PSU("") ONE, "")
    static const row rows[] = {
        {"a UPS of the catalogue",
         FED("<ups id='u' rated='500 W'/>"),
         {.over_feed = 0.5, .feed_w = {1000}},
         .says = {"a UPS of 1500 W (ups/online-1500): ups[u]=ups/online-1500; ups[u].rated=1500 W\n"}},
        {"a UPS without a catalogue",
         FED("<ups id='u' rated='500 W'/>"),
         {.over_feed = 0.5, .feed_w = {1000}},
         .bare = true,
         .says = {"a UPS of 1500 W: ups[u].rated=1500 W (at an unknown price)"}},
        {"a UPS larger than those of the catalogue",
         FED("<ups id='u' rated='500 W'/>"),
         {.over_feed = 0.5, .feed_w = {4000}},
         .says = {"a UPS of 4500 W: ups[u].rated=4500 W (at an unknown price)"}},
        {"a UPS larger than any",
         FED("<ups id='u' rated='500 W'/>"),
         {.over_feed = 0.5, .feed_w = {40000}},
         .omits = {"UPS"}},
        {"a power strip before a UPS that carries it",
         FED("<ups id='u' rated='2000 W'/><pdu id='s' rated='500 W'/>"),
         {.over_feed = 0.5, .feed_w = {1000}},
         .says = {"the PSU in an outlet of its own instead of the power strip: pdu[s]=none\n"},
         .omits = {"UPS"}},
        {"a power strip and a UPS that are both too small",
         FED("<ups id='u' rated='500 W'/><pdu id='s' rated='500 W'/>"),
         {.over_feed = 0.5, .feed_w = {1000}},
         .says = {"instead of the power strip and a UPS of 1500 W"}}};
    CHECK(rows);
}

static void ratings(void **state)
{
    (void)state;
#define BILLED "supply='200 V'>" ROOM "<tariff kind='flat' price='0.3 EUR/kWh'/>"
#define CERTIFIED(rated, more) \
    "<psu id='p' rated='" rated "' efficiency-20='85 %' efficiency-50='88 %' efficiency-100='85 %' " more "/>"
    static const row rows[] = {
        {"a PSU without an efficiency rating",
         RIG_OF(BILLED, CERTIFIED("850 W", "") ONE, ""),
         {.work = 1},
         .says = {"a Gold PSU (psu/tier-gold-850): psu[p]=psu/tier-gold-850", "a Titanium PSU"},
         .omits = {"instead of"}},
        {"a PSU with 80 PLUS Gold",
         RIG_OF(BILLED, CERTIFIED("840 W", "tier='80 PLUS Gold'") ONE, ""),
         {.work = 1},
         .says = {"a Platinum PSU (psu/tier-platinum-850) instead of 80 PLUS Gold: psu[p]=psu/tier-platinum-850"},
         .omits = {"a Gold PSU"}},
        {"a PSU with the best 80 PLUS rating",
         RIG_OF(BILLED, CERTIFIED("850 W", "tier='80 PLUS Ruby'") ONE, ""),
         {.work = 1},
         .omits = {"Gold", "Platinum", "Titanium"}},
        {"a PSU with the best Cybenetics rating",
         RIG_OF(BILLED, CERTIFIED("850 W", "tier='Cybenetics Diamond'") ONE, ""),
         {.work = 1},
         .omits = {"Gold", "Platinum", "Titanium"}},
        {"a PSU larger than those of the catalogue",
         RIG_OF(BILLED, CERTIFIED("1700 W", "") ONE, ""),
         {.work = 1},
         .omits = {"Gold", "Titanium"}},
        {"a PSU of the smallest size of the catalogue",
         RIG_OF(BILLED, CERTIFIED("450 W", "") ONE, ""),
         {.work = 1},
         .says = {"a Gold PSU (psu/tier-gold-450): psu[p]=psu/tier-gold-450", "psu[p]=psu/tier-titanium-450"}},
        {"a PSU between the two smallest sizes",
         RIG_OF(BILLED, CERTIFIED("500 W", "") ONE, ""),
         {.work = 1},
         .says = {"psu[p]=psu/tier-gold-550", "psu[p]=psu/tier-titanium-550"}},
        {"two PSUs", RIG_OF(BILLED, TWO_PSUS("") ONE, ""), {.work = 1}, .omits = {"Gold", "Titanium"}},
        {"the PSU of a machine that is sold whole",
         RIG_OF(BILLED, CERTIFIED("850 W", "") ONE "<gpu id='h' slot='5' part='gpu/rtx-2080-ti' soldered='yes'/>",
                ""),
         {.work = 1},
         .omits = {"Gold", "Titanium"}},
        {"a PSU in a rig without a tariff",
         RIG_OF("supply='200 V'>" ROOM, CERTIFIED("850 W", "") ONE, ""),
         {.work = 1},
         .omits = {"Gold"}},
        {"a PSU without a catalogue",
         RIG_OF(BILLED, CERTIFIED("850 W", "") ONE, ""),
         {.work = 1},
         .bare = true,
         .omits = {"Gold", "Titanium"}}};
    CHECK(rows);
}

static void rooms(void **state)
{
    (void)state;
#define SHED(more) \
    "supply='200 V'><room volume='60 m3' conductance='80 W/K'><outdoor mean='20 degC' swing='0 K'/>" more "</room>"
    static const row rows[] = {
        {"a hot room, aired three times as well",
         RIG_OF(SHED(""), PSU("") ONE, ""),
         {.room_c = 55, .hot_room_c = 62, .hot_outdoor_c = 20},
         .says = {"the room aired 2 times as well: room.conductance=160 W/K",
                  "the room aired 3 times as well: room.conductance=240 W/K"}},
        {"a hot room, where heat has taken half of the work",
         RIG_OF(SHED(""), PSU("") ONE, ""),
         {.room_c = 55, .hot_room_c = 62, .hot_outdoor_c = 20, .lost = 0.5},
         .says = {"the room aired 6 times as well"},
         .omits = {"aired 3 times"}},
        {"a hot room that is cool enough if aired twice as well",
         RIG_OF(SHED(""), PSU("") ONE, ""),
         {.room_c = 38, .hot_room_c = 40, .hot_outdoor_c = 20},
         .says = {"aired 2 times"},
         .omits = {"aired 3 times"}},
        {"a hot room with too hot outdoor air",
         RIG_OF(SHED(""), PSU("") ONE, ""),
         {.room_c = 45, .hot_room_c = 50, .hot_outdoor_c = 36},
         .says = {"aired 2 times"},
         .omits = {"aired 3 times", "aired 0 times"}},
        {"a hot room that no airing cools enough",
         RIG_OF(SHED(""), PSU("") ONE, ""),
         {.room_c = 45, .hot_room_c = 50, .hot_outdoor_c = 33},
         .says = {"aired 2 times"},
         .omits = {"aired 1"}},
        {"a cool room whose cards are hot",
         RIG_OF(SHED(""), PSU("") ONE, ""),
         {.room_c = 22, .hot_room_c = 25, .hot_outdoor_c = 20},
         .heat = true,
         .omits = {"the room"}},
        {"a room above 30 degC whose cards are not hot",
         RIG_OF(SHED(""), PSU("") ONE, ""),
         {.room_c = 30.1, .hot_room_c = 32, .hot_outdoor_c = 20},
         .says = {"aired 2 times"},
         .omits = {"aired 3 times", "cooler", "conditioner"}},
        {"a room below 30 degC",
         RIG_OF(SHED(""), PSU("") ONE, ""),
         {.room_c = 29.9, .hot_room_c = 32, .hot_outdoor_c = 20},
         .omits = {"aired"}},
        {"a room that is hot at the hottest hour alone",
         RIG_OF(SHED(""), PSU("") ONE, ""),
         {.room_c = 25, .hot_room_c = 35.1, .hot_outdoor_c = 20},
         .says = {"aired 2 times"}},
        {"a warm room of given temperature whose cards are not hot",
         RIG_OF("supply='200 V'><room temperature='33 degC'/>", PSU("") ONE, ""),
         {.room_c = 33, .hot_room_c = 33},
         .omits = {"the room", "cooler"}},
        {"a room with an air conditioner",
         RIG_OF(SHED("<air-conditioner capacity='3 kW' setpoint='24 degC'/>"), PSU("") ONE, ""),
         {.room_c = 24, .hot_room_c = 25, .hot_outdoor_c = 20},
         .heat = true,
         .says = {"the air conditioner set 3 K lower: air-conditioner.setpoint=21 degC"}},
        {"a room of given temperature",
         RIG_OF("supply='200 V'>" ROOM, PSU("") ONE, ""),
         {.room_c = 21},
         .heat = true,
         .says = {"a room 5 K cooler: room.temperature=16 degC"}}};
    CHECK(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(circuits),
                                       cmocka_unit_test(limits),
                                       cmocka_unit_test(limits_of_unlike_cards),
                                       cmocka_unit_test(overridden_limits),
                                       cmocka_unit_test(schedules_are_capped),
                                       cmocka_unit_test(several_circuits),
                                       cmocka_unit_test(feeds),
                                       cmocka_unit_test(ratings),
                                       cmocka_unit_test(rooms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
