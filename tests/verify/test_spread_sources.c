/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys, widths and reasons of uncertain inputs, by where their values come from. */
#include <stdio.h>
#include <string.h>

#include "sim/api.h"
#include "sim/study/findings/found.h"
#include "sim/study/spread/spread.h"
#include "tests/support/bench.h"

#define RIG_OF(site, inside, work) \
    "<rig><site supply='230 V'><room temperature='24 degC'/>" site "</site><chassis>" inside "</chassis>" work \
    "<run for='1 h'/></rig>"
#define TRAINING "<workload kind='constant' class='training'/>"
#define FAN "<fan id='x' at='front' pressure='18 Pa' flow='55 CFM' rpm='1500 rpm' "
#define CERTIFIED(more) \
    "<psu id='p' rated='900 W' efficiency-20='85 %' efficiency-50='88 %' efficiency-100='85 %' " more ">"
#define SOURCE(of, spread) "<source for='" of "' kind='measured' ref='by hand' spread='" spread "'/>"
#define BLOWER(more, inside) "<gpu id='g' part='gpu/rtx-3090-blower' slot='1' " more ">" inside "</gpu>"

typedef struct {
    const char *what, *xml, *has[4], *lacks[4];
} row;

static void check_rows(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        wsk_rig *rig = wsk_test_rig(rows[i].xml, NULL);
        char *json = NULL;
        assert_int_equal(wsk_rig_spread(rig, WSK_STEPPER_FAST, &json), WSK_OK);
        for (size_t k = 0; k < 4 && rows[i].has[k]; k++)
            if (!strstr(json, rows[i].has[k]))
                fail_msg("%s: no %s in:\n%s", rows[i].what, rows[i].has[k], json);
        for (size_t k = 0; k < 4 && rows[i].lacks[k]; k++)
            if (strstr(json, rows[i].lacks[k]))
                fail_msg("%s: %s in:\n%s", rows[i].what, rows[i].lacks[k], json);
        wsk_text_free(json);
        wsk_rig_free(rig);
    }
}
#define CHECK(rows) check_rows(rows, sizeof(rows) / sizeof *(rows))

static void supplies(void **state)
{
    (void)state;
    static const row rows[] = {
        {"points that the rig states are exact", RIG_OF("", CERTIFIED("") "</psu><load dc='300 W'/>", ""),
         .lacks = {"p:efficiency"}},
        {"a strip, of which only the loss is open",
         RIG_OF("<pdu id='s' rated='3 kW'/>", CERTIFIED("") "</psu><load dc='300 W'/>", ""),
         .has = {"\"key\": \"pdu:efficiency\"", "0.75 points"}, .lacks = {"25 %"}},
        {"a strip of the catalogue",
         RIG_OF("<pdu id='s' part='pdu/strip-16a'/>", CERTIFIED("") "</psu><load dc='300 W'/>", ""),
         .has = {"\"key\": \"pdu/strip-16a:efficiency\"", "0.75 points"}},
        {"a spread that the rig states", RIG_OF("", CERTIFIED("spread='2 %'") "</psu><load dc='300 W'/>", ""),
         .has = {"\"key\": \"p:efficiency\"", "2 points"}},
        {"the spread of a point",
         RIG_OF("", CERTIFIED("") SOURCE("efficiency-50", "+-3 points") "</psu><load dc='300 W'/>", ""),
         .has = {"\"key\": \"p:efficiency\"", "3 points"}},
        {"a spread that cannot be read is that of two specimens",
         RIG_OF("", CERTIFIED("") SOURCE("efficiency-50", "standard deviation of nothing") "</psu><load dc='300 W'/>",
                ""),
         .has = {"\"key\": \"p:efficiency\"", "0.5 points"}},
        {"deviations at other loads are not those of the points",
         RIG_OF("",
                CERTIFIED("") SOURCE("efficiency-50",
                                     "standard deviation 1, 2, 3, 4 points at 1, 2, 3, 4 %") "</psu>"
                                                                                             "<load dc='300 W'/>",
                ""),
         .lacks = {"check.spread-by-load"}},
        {"deviations at the loads of the points",
         RIG_OF("",
                CERTIFIED("")
                    SOURCE("efficiency-50",
                           "standard deviation 1, 2, 3, 4 points at 10, 20, 50, 100 %") "</psu>"
                                                                                        "<load dc='300 W'/>",
                ""),
         .has = {"\"key\": \"p:efficiency\"", "check.spread-by-load"}},
        {"a constant efficiency",
         RIG_OF("", "<psu id='p' kind='constant' rated='900 W' efficiency='90 %'/><load dc='300 W'/>", ""),
         .lacks = {"p:efficiency"}},
        {"a constant efficiency with a spread",
         RIG_OF("",
                "<psu id='p' kind='constant' rated='900 W' efficiency='90 %'>" SOURCE(
                    "efficiency", "+-1.5 points") "</psu>"
                                                  "<load dc='300 W'/>",
                ""),
         .has = {"\"key\": \"p:efficiency\"", "1.5 points"}}};
    CHECK(rows);
}

static void prices(void **state)
{
    (void)state;
    static const row rows[] = {
        {"prices in one currency",
         RIG_OF("",
                FAN "price='12 EUR'>" SOURCE("price", "+-4 EUR") "</fan>" CERTIFIED("price='100 EUR'")
                    SOURCE("price", "+-20 EUR") "</psu><load dc='300 W'/>",
                ""),
         .has = {"\"key\": \"x:price\"", "2 EUR", "\"key\": \"p:price\"", "10 EUR"}},
        {"prices without a spread",
         RIG_OF("", FAN "price='12 EUR'/>" CERTIFIED("price='100 EUR'") "</psu><load dc='300 W'/>", ""),
         .lacks = {"x:price", "p:price"}}};
    CHECK(rows);
    /* The total of the prices has one currency: of prices in two currencies, those of only one count. */
    wsk_rig *rig =
        wsk_test_rig(RIG_OF("",
                            FAN "price='12 EUR'>" SOURCE("price", "+-4 EUR") "</fan>" CERTIFIED("price='100 USD'")
                                SOURCE("price", "+-20 USD") "</psu><load dc='300 W'/>",
                            ""),
                     NULL);
    char *json = NULL;
    assert_int_equal(wsk_rig_spread(rig, WSK_STEPPER_FAST, &json), WSK_OK);
    assert_true((strstr(json, "x:price") != NULL) != (strstr(json, "p:price") != NULL));
    wsk_text_free(json);
    wsk_rig_free(rig);
}

/* Values of a class of work have no spread if the user states or fixes them. */
static void classes_of_work(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a class of the catalogue", RIG_OF("", BLOWER("", ""), TRAINING),
         .has = {"class[training].draw", "class[training].idle share p0"}},
        {"a fixed power of the workload",
         RIG_OF("", BLOWER("", ""), "<workload kind='constant' class='training' p0='90 W'/>"),
         .lacks = {"class[training].draw", "class[training].idle share p0"}},
        {"a power per clock of the workload",
         RIG_OF("", BLOWER("", ""), "<workload kind='constant' class='training' c='150 W/GHz'/>"),
         .lacks = {"class[training].draw", "class[training].idle share p0"}},
        {"a measured power: only its split is open",
         RIG_OF("", BLOWER("", ""), "<workload kind='constant' class='training' measured-power='330 W'/>"),
         .has = {"class[training].idle share p0"}, .lacks = {"class[training].draw"}},
        {"a pinned power", RIG_OF("", BLOWER("power='300 W'", ""), TRAINING), .lacks = {"class[training].draw"}},
        {"a card that does not work",
         RIG_OF("", BLOWER("", "") "<gpu id='h' part='gpu/rtx-2080' slot='5'/>",
                "<workload kind='constant' class='training' gpus='h'/>"),
         .has = {"gpu/rtx-2080:class[training].draw"}, .lacks = {"gpu/rtx-3090:class[training].draw"}},
        {"boards of one chip, to which the class is fitted",
         RIG_OF("", BLOWER("", "") "<gpu id='h' part='gpu/rtx-3090-open-air' slot='5'/>", TRAINING),
         .has = {"gpu/rtx-3090:class[training].draw"}, .lacks = {"blower:class", "open-air:class"}},
        {"boards of one chip that was not measured",
         RIG_OF("", "<gpu id='g' part='gpu/rtx-4090-blower' slot='1'/>", TRAINING),
         .has = {"gpu/rtx-4090:class[training].draw"}, .lacks = {"blower:class"}},
        {"a class that the rig states",
         RIG_OF("", BLOWER("", "<class name='training' p0='90 W' c='150 W/GHz' clock-share='85 %'/>"), TRAINING),
         .lacks = {"class[training].draw"}},
        {"memory traffic of a stream", RIG_OF("", BLOWER("", ""), "<workload kind='constant' class='stream'/>"),
         .has = {"workload:class[stream].memory-traffic", "35 %"}},
        {"memory traffic that the rig states",
         RIG_OF("", BLOWER("", ""), "<workload kind='constant' class='training' memory-traffic='40 %'/>"),
         .lacks = {"memory-traffic"}}};
    CHECK(rows);
}

#define CALIBRATED(share, source) \
    RIG_OF("", \
           BLOWER("fan='3000 rpm' power-limit='230 W'", \
                  "<class name='training' p0='90 W' c='120 W/GHz' clock-share='" share \
                  "'><source for='p0 c' kind='fitted' ref='calibrated on log.csv' spread='+-1 %'/>" source \
                  "</class>"), \
           TRAINING)
#define OPEN_SHARE "<source for='clock-share' kind='assumed' ref='not told by log.csv' spread='+-25 %'/>"

static double work_of(const char *xml)
{
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(xml, 7200, &rig);
    const double work = wsk_test_get(run, "g.work_rel");
    wsk_test_drop(run, rig);
    return work;
}

/* A log without a rate of work leaves the share of the work that the clock binds as it is known of the class. The work
 * at a lower limit is then as uncertain as this share makes it. */
static void work_of_a_card_whose_log_has_no_rate(void **state)
{
    (void)state;
    const char *const key = "gpu/rtx-3090-blower:class[training].work by clock";
    const double base = work_of(CALIBRATED("72 %", OPEN_SHARE)),
                 half =
                     (work_of(CALIBRATED("54 %", OPEN_SHARE)) - work_of(CALIBRATED("90 %", OPEN_SHARE))) / 2 / base;
    wsk_rig *rig = wsk_test_rig(CALIBRATED("72 %", OPEN_SHARE), NULL);
    wsk_arena *arena = wsk_arena_new();
    wsk_spreads s;
    int found = 0;
    assert_true(half > 0.03);
    assert_int_equal(wsk_spreads_solve(&s, arena, rig->net, WSK_STEPPER_FAST), WSK_OK);
    for (int k = 0; k < s.n_source; k++)
        if (strcmp(s.sources[k].key, key) == 0) {
            found++;
            assert_near(-s.sources[k].mean.work_rel, half, 0.1 * half);
        }
    assert_int_equal(found, 1);
    assert_true(s.half.work_rel > 0.9 * half);
    /* The card's own line tells the half width that holds 80 % of the loads, 1.28 standard deviations. It takes the clock
     * of the run for all shares, though each share would have another. */
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 7200);
    wsk_test_advance(run, 7200);
    const double said = wsk_card_spread(run, 0).work_rel;
    assert_true(said > 1.28 * half && said < 1.3 * 1.28 * half);
    wsk_run_free(run);
    wsk_arena_free(arena);
    wsk_rig_free(rig);
    static const row rows[] = {
        {"a share that the rows determined",
         CALIBRATED("72 %",
                    "<source for='clock-share' kind='fitted' ref='calibrated on limits.csv' spread='+-3 %'/>"),
         .has = {"class[training].work by clock"}},
        {"a memory that was fitted to a log of this class",
         RIG_OF("",
                "<gpu id='g' part='gpu/rtx-3090-blower' slot='1' memory-resistance='0.5 K/W'>"
                "<source for='memory-resistance' kind='fitted' ref='calibrated on log.csv' spread='+-5 %'/>"
                "<class name='training' p0='90 W' c='120 W/GHz' clock-share='80 %'>"
                "<source for='p0 c' kind='fitted' ref='calibrated on log.csv' spread='+-1 %'/></class></gpu>",
                TRAINING),
         .has = {"g:memory-resistance"}, .lacks = {"memory-traffic"}},
        {"a memory that was fitted to a log of another class",
         RIG_OF("",
                "<gpu id='g' part='gpu/rtx-3090-blower' slot='1' memory-resistance='0.5 K/W'>"
                "<source for='memory-resistance' kind='fitted' ref='calibrated on log.csv' spread='+-5 %'/></gpu>",
                TRAINING),
         .has = {"class[training].memory-traffic"}},
        {"a share whose source states no spread", CALIBRATED("72 %", ""), .lacks = {"work by clock"}}};
    CHECK(rows);
}

static void keys_by_origin(void **state)
{
    (void)state;
    static const row rows[] = {
        {"values of a part, of a default and of the rig",
         RIG_OF("", FAN ">" SOURCE("pressure", "+-20 %") "</fan>" BLOWER("", ""), TRAINING),
         .has = {"\"key\": \"x:pressure\"", "\"key\": \"gpu/rtx-3090-blower:cooler.conductance\"",
                 "\"key\": \"fan:curvature\""}},
        {"a value of a cooler that the rig puts on a card",
         RIG_OF("", BLOWER("", "<cooler part='cooler/class-blower-300'/>"), TRAINING),
         .has = {"\"key\": \"cooler/class-blower-300:conductance\""},
         .lacks = {"gpu/rtx-3090-blower:cooler.conductance"}},
        {"a value of one of two fans of a radiator",
         RIG_OF("",
                "<loop id='L'><pump part='pump/d5'/><radiator part='radiator/generic-360' at='front'><fan "
                "part='fan/generic-120-1500' count='2'/><fan part='fan/generic-120-2000-radiator'/></radiator></loop>"
                "<gpu part='gpu/rtx-3090-open-air' slot='1'><cooler kind='water'/></gpu>",
                TRAINING),
         .has = {"\"key\": \"radiator/generic-360:conductance\"", "\"key\": \"fan/generic-120-1500:"}}};
    CHECK(rows);
}

/* Uncertain inputs: the processor's load beside the cards, and card powers that were read from the card's own
 * sensor. */
static void hosts_and_readings(void **state)
{
    (void)state;
#define DESK(gpu, work) RIG_OF("", CERTIFIED("") "</psu><cpu part='cpu/generic-desktop'/>" gpu, work)
#define LOAD(more) "<workload kind='constant' " more "/>"
    static const row rows[] = {
        {"decode: the host load is uncertain", DESK(BLOWER("", ""), LOAD("class='decode'")),
         .has = {"\"key\": \"workload:class[decode].host-load\"", "15 points"}},
        {"training: the host load is not uncertain", DESK(BLOWER("", ""), TRAINING),
         .lacks = {"host-load", "stated power"}},
        {"a stated host load is exact", DESK(BLOWER("", ""), LOAD("class='decode' host-load='20 %'")),
         .lacks = {"host-load"}},
        {"idle: no uncertain host load", DESK(BLOWER("", ""), LOAD("class='idle'")), .lacks = {"host-load"}},
        {"a card's power is a sensor reading", DESK(BLOWER("power='250 W'", ""), LOAD("class='decode'")),
         .has = {"\"key\": \"gpu/rtx-3090-blower:stated power\"", "5 %"}},
        {"a workload's power is read, too", DESK(BLOWER("", ""), LOAD("class='decode' measured-power='250 W'")),
         .has = {"\"key\": \"gpu/rtx-3090-blower:stated power\"", "5 %"}},
    };
    CHECK(rows);
}

/* A card power of 250 W counts as a sensor reading that errs by 5 %: 14 W at the wall with a PSU of 88 %. This error
 * changes no temperature and no work. */
static void a_reading_moves_watts_alone(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(DESK(BLOWER("power='250 W'", ""), LOAD("class='decode'")), NULL);
    wsk_arena *arena = wsk_arena_new();
    wsk_spreads s;
    assert_int_equal(wsk_spreads_solve(&s, arena, rig->net, WSK_STEPPER_FAST), WSK_OK);
    const wsk_spread_source *reading = NULL;
    for (int i = 0; i < s.n_source; i++)
        reading = s.sources[i].reads ? &s.sources[i] : reading;
    assert_non_null(reading);
    assert_near(reading->raised.wall_rel * s.base.wall_w, 0.05 * 250 / 0.88, 1);
    assert_near(reading->lowered.wall_rel, -reading->raised.wall_rel, 1e-12);
    assert_near(reading->raised.die_k, 0, 0);
    assert_near(reading->raised.work_rel, 0, 0);
    wsk_arena_free(arena);
    wsk_rig_free(rig);
}

/* Without a PSU, the error of a card's power is the error of the power at the wall. */
static void a_reading_without_a_psu(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(RIG_OF("", BLOWER("power='250 W'", ""), LOAD("class='decode'")), NULL);
    wsk_arena *arena = wsk_arena_new();
    wsk_spreads s;
    assert_int_equal(wsk_spreads_solve(&s, arena, rig->net, WSK_STEPPER_FAST), WSK_OK);
    const wsk_spread_source *reading = NULL;
    for (int i = 0; i < s.n_source; i++)
        reading = s.sources[i].reads ? &s.sources[i] : reading;
    assert_non_null(reading);
    assert_near(reading->raised.wall_rel * s.base.wall_w, 0.05 * 250, 0.01);
    wsk_arena_free(arena);
    wsk_rig_free(rig);
}

/* The level of a fan that states none is estimated by the speed of its blade tips, within 6 dB. */
static void noise_of_fans(void **state)
{
    (void)state;
    static const row rows[] = {{"a fan without a level", RIG_OF("", FAN "/><load dc='100 W'/>", ""),
                                .has = {"\"key\": \"noise:tips\"", "\"where\": \"chassis.fan\"", "\"noise_db\": 6"}},
                               {"a fan that states its level",
                                RIG_OF("", FAN "noise='20 dBA'/><load dc='100 W'/>", ""), .lacks = {"noise:tips"}}};
    CHECK(rows);
}

static double wall_of(const char *xml)
{
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_summary *s = NULL;
    assert_int_equal(wsk_steady_summary(&s, rig, WSK_STEPPER_FAST, 0, NULL), WSK_OK);
    const double wall_w = wsk_summary_wall_w(s);
    wsk_summary_free(s);
    wsk_rig_free(rig);
    return wall_w;
}

/* The loss of a UPS rises with the power of the card, and is part of the power at the wall. */
static void a_reading_behind_a_ups(void **state)
{
    (void)state;
#define BEHIND(power) \
    RIG_OF("<ups rated='500 W' efficiency-25='80 %' efficiency-100='60 %'/>", \
           "<psu kind='constant' rated='2 kW' efficiency='90 %'/>" BLOWER("power='" power "'", ""), \
           LOAD("class='decode'"))
    wsk_rig *rig = wsk_test_rig(BEHIND("250 W"), NULL);
    wsk_arena *arena = wsk_arena_new();
    wsk_spreads s;
    assert_int_equal(wsk_spreads_solve(&s, arena, rig->net, WSK_STEPPER_FAST), WSK_OK);
    const double rise_w = wall_of(BEHIND("262.5 W")) - wall_of(BEHIND("250 W"));
    assert_true(rise_w > 1.3 * 12.5 / 0.9);
    for (int i = 0; i < s.n_source; i++)
        if (s.sources[i].reads)
            assert_near(s.sources[i].raised.wall_rel * s.base.wall_w, rise_w, 0.05);
    wsk_arena_free(arena);
    wsk_rig_free(rig);
}

/* Values of one source statement are one error, also where the statement has no number: two cards of a kind leave out
 * as many errors as one of them. */
static void errors_in_words_count_once(void **state)
{
    (void)state;
    static const char *const cards[] = {BLOWER("", ""),
                                        BLOWER("", "") "<gpu id='h' part='gpu/rtx-3090-blower' slot='4'/>"};
    int unread[2];
    for (int i = 0; i < 2; i++) {
        char xml[2000];
        snprintf(xml, sizeof xml, RIG_OF("", "%s", LOAD("class='training'")), cards[i]);
        wsk_rig *rig = wsk_test_rig(xml, NULL);
        wsk_arena *arena = wsk_arena_new();
        wsk_spreads s;
        assert_int_equal(wsk_spreads_solve(&s, arena, rig->net, WSK_STEPPER_FAST), WSK_OK);
        unread[i] = s.unread;
        wsk_arena_free(arena);
        wsk_rig_free(rig);
    }
    assert_true(unread[0] > 0);
    assert_int_equal(unread[1], unread[0]);
}

/* Sensors of equal cards share their error, so the powers of these cards change together. */
static void readings_of_several_cards(void **state)
{
    (void)state;
#define READ(id, part, slot, more) "<gpu id='" id "' part='gpu/" part "' slot='" slot "' " more "/>"
#define PAIR_OF(first, second) \
    RIG_OF("", "<psu kind='constant' rated='2 kW' efficiency='90 %'/>" first second, LOAD("class='training'"))
#define STATED READ("a", "rtx-3090-blower", "1", "power='250 W'")
    static const struct {
        const char *xml;
        int sources;
        double each_w; /* effect on the wall power */
    } rows[] = {{PAIR_OF(STATED, ""), 1, 12.5 / 0.9},
                {PAIR_OF(STATED, READ("b", "rtx-3090-blower", "4", "power='250 W'")), 1, 25 / 0.9},
                {PAIR_OF(STATED, READ("b", "rtx-3090-blower", "4", "")), 1, 12.5 / 0.9},
                {PAIR_OF(STATED, READ("b", "rtx-2080", "4", "power='250 W'")), 2, 12.5 / 0.9},
                {PAIR_OF(STATED, READ("b", "rtx-2080", "4", "")), 1, 12.5 / 0.9},
                {PAIR_OF(READ("a", "rtx-3090-blower", "1", ""), ""), 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        wsk_rig *rig = wsk_test_rig(rows[i].xml, NULL);
        wsk_arena *arena = wsk_arena_new();
        wsk_spreads s;
        int found = 0;
        assert_int_equal(wsk_spreads_solve(&s, arena, rig->net, WSK_STEPPER_FAST), WSK_OK);
        for (int k = 0; k < s.n_source; k++) {
            if (!s.sources[k].reads)
                continue;
            found++;
            assert_near(s.sources[k].raised.wall_rel * s.base.wall_w, rows[i].each_w, 0.01);
        }
        assert_int_equal(found, rows[i].sources);
        wsk_arena_free(arena);
        wsk_rig_free(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(supplies),
                                       cmocka_unit_test(prices),
                                       cmocka_unit_test(classes_of_work),
                                       cmocka_unit_test(work_of_a_card_whose_log_has_no_rate),
                                       cmocka_unit_test(keys_by_origin),
                                       cmocka_unit_test(hosts_and_readings),
                                       cmocka_unit_test(a_reading_moves_watts_alone),
                                       cmocka_unit_test(a_reading_without_a_psu),
                                       cmocka_unit_test(noise_of_fans),
                                       cmocka_unit_test(a_reading_behind_a_ups),
                                       cmocka_unit_test(errors_in_words_count_once),
                                       cmocka_unit_test(readings_of_several_cards)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
