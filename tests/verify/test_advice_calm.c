/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice for rigs with one problem or none, and its sentence on the conditions for which the effects were computed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/said.h"
#include "tests/support/bench.h"
#include "sim/study/kit/verdict.h"

#define CARD(more) \
    "<gpu id='a' slot='1' tdp='250 W' clock-max='1900 MHz' clock-knee='1400 MHz' voltage-slope='0.6 1/GHz' " more \
    "><cooler kind='blower' conductance='8 W/K' flow='16 CFM' capacity='500 J/K' fan-pressure='320 Pa' " \
    "fan-flow='29 " \
    "CFM' fan-rpm='4000 rpm'/></gpu>"
#define RIG_OF(site, inside, work) \
    "<rig><site supply='200 V'>" site "</site><chassis>" inside "</chassis>" work "<run for='2 h'/></rig>"
#define GIVEN "<room temperature='21 degC'/>"
#define WEATHER "<room volume='60 m3' conductance='80 W/K'><outdoor mean='15 degC' swing='8 K'/></room>"
#define PSU(rated, more) "<psu id='p' kind='constant' rated='" rated "' efficiency='90 %' " more "/>"
#define FANS(more) "<fan at='front' pressure='18 Pa' flow='55 CFM' rpm='1500 rpm' count='3' " more "/>"
#define TRAINING "<workload class='training'/>"

typedef struct {
    const char *what, *xml, *says[WSK_TEST_SAYS], *omits[WSK_TEST_OMITS];
} row;

static char *advice_of(const char *xml)
{
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 7200);
    char *text = NULL;
    wsk_test_advance(run, 7200);
    assert_int_equal(wsk_run_advice(rig, run, &text), WSK_OK);
    wsk_test_drop(run, rig);
    return text;
}

static void check_rows(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *text = advice_of(rows[i].xml);
        wsk_test_said(rows[i].what, text, rows[i].says, rows[i].omits);
        wsk_text_free(text);
    }
}
#define CHECK(rows) check_rows(rows, sizeof(rows) / sizeof *(rows))

static void one_problem_or_none(void **state)
{
    (void)state;
    static const row rows[] = {
        {"nothing",
         RIG_OF(GIVEN, PSU("1000 W", "") FANS("") "<load dc='300 W'/>", ""),
         {"Nothing needs help."},
         {"noise"}},
        {"noise of a fan, with no card to slow",
         RIG_OF(GIVEN, PSU("1000 W", "") FANS("noise='75 dBA'") "<load dc='300 W'/>", ""),
         {"Only noise is a problem. Trade-offs:\n         the case fans 50 % slower: ", "still too loud"},
         {"lower power limits"}},
        {"noise of a fan that follows the card",
         RIG_OF(GIVEN,
                PSU("1000 W", "") FANS("noise='75 dBA' sensor='gpu' curve='20 degC:100 %, 90 degC:100 %'") CARD(""),
                TRAINING),
         {"Only noise is a problem.", "Tried: lower power limits, more or faster case fans."},
         {"Nothing needs help"}},
        {"failures of the job",
         RIG_OF(GIVEN, PSU("1000 W", "") FANS("") CARD(""),
                "<workload kind='training' mtbf='10 min' checkpoint-every='2 h' checkpoint-takes='60 s'/>"),
         {"Only the failures of the job are a problem, and no change of the rig prevents them.",
          "A checkpoint every 4 min would lose least"},
         {"Nothing needs help"}},
        {"a circuit for which there is no larger one",
         RIG_OF(GIVEN "<branch id='k' circuit='10 A'/>", PSU("3000 W", "on='k'") FANS("") "<load dc='2500 W'/>", ""),
         {"No change was found that could help."},
         {"Tried", "Nothing needs help"}},
        {"a UPS too small",
         RIG_OF(GIVEN "<ups rated='200 W'/>", PSU("1000 W", "") FANS("") CARD(""), TRAINING),
         {"a power limit of ", "a UPS of 1500 W (ups/online-1500)", "within the rating of the UPS or power strip"},
         {"Only"}},
        {"no card and no PSU: nothing can be changed",
         RIG_OF(GIVEN, FANS("") "<load dc='300 W'/>", ""),
         {NULL},
         {" ", "."}}};
    CHECK(rows);
}

static void effects_have_a_basis(void **state)
{
    (void)state;
    static const row rows[] = {
        {"always busy in the weather",
         RIG_OF(WEATHER, PSU("1000 W", "") FANS("") CARD("target-temperature='60 degC'"), TRAINING),
         {"Effects at ", " outdoors; heat was checked at "},
         {"with all cards busy"}},
        {"often idle in the weather",
         RIG_OF(WEATHER, PSU("1000 W", "") FANS("") CARD("target-temperature='60 degC'"),
                "<workload kind='training' mtbf='10 min' checkpoint-every='2 h' checkpoint-takes='60 s'/>"),
         {"Effects with all cards busy, at "},
         {"Effects at "}},
        {"often idle in a given room",
         RIG_OF(GIVEN, PSU("1000 W", "") FANS("") CARD("target-temperature='60 degC'"),
                "<workload kind='training' mtbf='10 min' checkpoint-every='2 h' checkpoint-takes='60 s'/>"),
         {"Effects with all cards busy.\n"},
         {"outdoors"}}};
    CHECK(rows);
}

/* Case fans of 3000 rpm make most of the noise of a machine whose card is cool. The fan law makes them 15 dB quieter at
 * half of the speed, 50 dB x log10 of 2. The card's own fan stays as loud, so the machine gains less. */
static void loud_case_fans_are_slowed(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig("<rig><site supply='230 V' place='room'><room temperature='22 degC'/></site>"
                                "<chassis part='chassis/full-tower-8-slot'>"
                                "<fan id='f' part='fan/generic-120-3000' at='front' count='3'/>"
                                "<fan id='r' part='fan/generic-120-3000' at='rear' duty='90 %'/>"
                                "<psu part='psu/tier-gold-850'/><gpu part='gpu/rtx-4070' slot='1'/></chassis>"
                                "<workload kind='training' class='training'/><run for='2 h'/></rig>",
                                NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 7200);
    wsk_test_advance(run, 7200);
    assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
    const wsk_advice *a = run->advice;
    assert_true(a->now.loud && a->n == 1);
    assert_string_equal(wsk_said_english(run->arena, a->changes[0].what), "the case fans 50 % slower");
    assert_true(a->changes[0].n_sets == 2 && strcmp(a->changes[0].sets[0], "fan[f].duty=50%") == 0 &&
                strcmp(a->changes[0].sets[1], "fan[r].duty=45%") == 0);
    assert_true(a->changes[0].noise_db < -8 && a->changes[0].noise_db > -15.1 && !a->changes[0].then.loud);
    wsk_test_drop(run, rig);
}

/* A run with leaps (several ticks in one step) gets its advice from runs with leaps. Advice has the same first change
 * as without leaps, at the mean temperature and at the hottest hour. From a day on, advice is that of runs. */
static void leaps_do_not_change_the_cure(void **state)
{
    (void)state;
    static const char xml[] =
        RIG_OF("<room volume='30 m3' conductance='20 W/K'><outdoor mean='24 degC' swing='8 K'/></room>",
               PSU("1000 W", "") FANS("") CARD(""), TRAINING);
    char *text[2];
    for (int leap = 0; leap < 2; leap++) {
        wsk_rig *rig = wsk_test_rig(xml, NULL);
        const double span_s = 86400 - 300;
        const wsk_run_options o = {.duration_s = span_s, .leap = leap != 0};
        wsk_run *run = NULL;
        assert_int_equal(wsk_run_new(&run, rig, &o), WSK_OK);
        wsk_test_advance(run, span_s);
        assert_int_equal(wsk_run_advice(rig, run, &text[leap]), WSK_OK);
        wsk_test_drop(run, rig);
        if (!strstr(text[leap], "Effects at 24 degC outdoors; heat was checked at 32 degC too."))
            fail_msg("%s", text[leap]);
    }
    const size_t first = strcspn(text[0], ":");
    assert_true(first > 5 && strncmp(text[0], text[1], first + 1) == 0);
    wsk_text_free(text[0]);
    wsk_text_free(text[1]);
}

static void more_settings_than_advice_can_repeat(void **state)
{
    (void)state;
    const char *sets[129];
    for (int n = 128; n <= 129; n++) {
        for (int i = 0; i < n; i++)
            sets[i] = "room.temperature=22 degC";
        wsk_rig *rig =
            wsk_test_rig_sets(RIG_OF(GIVEN, PSU("1000 W", "") FANS("") "<load dc='300 W'/>", ""), sets, (size_t)n);
        char *text = NULL;
        assert_int_equal(wsk_rig_advice(rig, &text), WSK_OK);
        assert_int_equal(strstr(text, "Nothing needs help") != NULL, n == 128);
        wsk_text_free(text);
        wsk_rig_free(rig);
    }
}

#define BILL "<tariff kind='flat' price='0.3 USD/kWh'/>"
#define LOSSY(price) \
    "<psu id='p' rated='850 W' efficiency-20='80 %' efficiency-50='82 %' efficiency-100='80 %' price='" price "'/>"
static void purchases_have_one_currency(void **state)
{
    (void)state;
    static const row rows[] = {{"one currency",
                                RIG_OF(GIVEN BILL, LOSSY("60 USD") FANS("price='10 USD'") CARD(""), TRAINING),
                                {" PSU (psu/tier-", " USD to buy"},
                                {NULL}},
                               {"two currencies",
                                RIG_OF(GIVEN BILL, LOSSY("60 USD") FANS("price='10 EUR'") CARD(""), TRAINING),
                                {" PSU (psu/tier-"},
                                {" to buy", "paid back"}}};
    CHECK(rows);
}

/* A failure just after the start is judged as one at the start, also on the card that a change takes out. */
static void failures_count_at_any_time(void **state)
{
    (void)state;
#define BLOWER(slot, more) "<gpu part='gpu/rtx-3090-blower' slot='" slot "' " more "/>"
#define FOUR(last, work) \
    "<rig><site supply='230 V'><room temperature='24 degC'/></site><chassis part='chassis/full-tower-8-slot'>" \
    "<fan part='fan/generic-120-1500' at='front' count='3'/><fan part='fan/generic-120-1500' at='rear'/>" \
    "<psu part='psu/tier-titanium-1600'/>" BLOWER("1", "") BLOWER("3", "") BLOWER("5", "") \
        BLOWER("7", last) "</chassis>" work "<run for='2 h'/></rig>"
    static const row rows[] = {
        {"fan at 0 s",
         FOUR("fan-fails-at='0 s'", TRAINING),
         {"one card fewer (without gpu3)", "no shutdown"},
         {"After the"}},
        {"fan at 1 s",
         FOUR("fan-fails-at='1 s'", TRAINING),
         {"After the failure:", "one card fewer (without gpu3)", "no shutdown"},
         {"replace each failed part"}},
        {"fan at 0 s, and the workload names the cards",
         FOUR("fan-fails-at='0 s'", "<workload class='training' gpus='gpu0 gpu1 gpu2 gpu3'/>"),
         {"one card fewer (without gpu3)", "no shutdown"},
         {"No change that was tried"}},
        {"fan at 0 s, and a PSU names the card, so that no rig without it can be judged",
         FOUR("fan-fails-at='0 s'/><psu part='psu/tier-titanium-1600' feeds='gpu3'", TRAINING),
         {"No change that was tried ends the shutdown.", "Tried: lower power limits, "},
         {"one card"}},
        {"pump that is not there", FOUR("pump-fails-at='1 s'", TRAINING), {"a room 5 K cooler"}, {"After the"}},
        {"lost at 0 s",
         FOUR("lost-at='0 s'", TRAINING),
         {"The job waits for the lost cards: replace gpu3, or start the job again on the other cards."},
         {"shutdown"}},
        {"lost at 1 s",
         FOUR("lost-at='1 s'", TRAINING),
         {"The job waits for the lost cards: replace gpu3, or start the job again on the other cards."},
         {"shutdown", "throttling"}},
        {"lost at 0 s, and the others work on",
         FOUR("lost-at='0 s'", "<workload kind='inference' load-curve='0:00:10 %, 12:00:10 %'/>"),
         {"Only the lost cards are a problem: replace them."},
         {"The job waits"}},
        {"the only card is lost",
         RIG_OF(GIVEN, PSU("1000 W", "") FANS("") CARD("lost-at='0 s'"), TRAINING),
         {"No card is left to work: replace a."},
         {"The job waits"}},
    };
    CHECK(rows);
}

#define SHARED(more) "<psu kind='constant' rated='1 kW' efficiency='90 %' redundant='yes' " more "/>"
#define PAIR(more, fan) RIG_OF(GIVEN, SHARED("id='a' " more) SHARED("id='b'") FANS(fan) "<load dc='300 W'/>", "")
/* Advice names each failed part to be replaced, although the other parts carry on without harm. */
static void what_failed_is_named(void **state)
{
    (void)state;
    static const row rows[] = {
        {"one of two redundant PSUs",
         PAIR("fails-at='1 s'", ""),
         {"After the failure: Replace a; until then nothing else needs help."},
         {"Nothing needs help"}},
        {"one of two redundant PSUs, at the start",
         PAIR("fails-at='0 s'", ""),
         {"Replace a; until then nothing else needs help."},
         {"After the failure", "Nothing needs help"}},
        {"a fan of a group, and a PSU",
         PAIR("fails-at='1 s'", "fails='1' fails-at='2 s'"),
         {"After the failure: Replace 1 of the 3 fans of fan0, a; until then nothing else needs help."},
         {"Nothing needs help"}},
        {"a PSU of a rig that is loud",
         PAIR("fails-at='1 s'", "noise='70 dBA'"),
         {"After the failure: Replace a. Apart from that: Only noise is a problem."},
         {"until then nothing"}},
        {"a PSU that would fail after the run", PAIR("fails-at='3 h'", ""), {"Nothing needs help."}, {"Replace"}}};
    CHECK(rows);
}

/* It is named where other changes help as well, or none does, before their effects, which are those without it. No
 * other air conditioner is advised where one that is large enough has failed. */
static void what_failed_is_named_before_changes(void **state)
{
    (void)state;
#define COOLED(capacity, fails) \
    "<rig><site supply='230 V'><room volume='30 m3' conductance='40 W/K'><outdoor mean='29 degC'/>" \
    "<air-conditioner capacity='" capacity "' setpoint='26 degC' " fails "/></room></site>" \
    "<chassis part='chassis/full-tower-8-slot'><fan part='fan/generic-120-1500' at='front' count='3'/>" \
    "<fan part='fan/generic-120-1500' at='rear'/><psu part='psu/tier-titanium-1600'/>" BLOWER("1", "") \
        BLOWER("3", "") BLOWER("5", "") BLOWER("7", "") "</chassis>" TRAINING "<run for='2 h'/></rig>"
    static const row rows[] = {
        {"an air conditioner",
         COOLED("2.8 kW", "fails-at='1 s'"),
         {"First replace the air conditioner. After the failure:\n", "the room aired "},
         {"an air conditioner of"}},
        {"an air conditioner, at the start",
         COOLED("2.8 kW", "fails-at='0 s'"),
         {"First replace the air conditioner.\n", "the room aired "},
         {"After the failure", "an air conditioner of"}},
        {"one that was too small",
         COOLED("300 W", "fails-at='1 s'"),
         {"First replace the air conditioner. After the failure:\n", "an air conditioner of "},
         {"Nothing"}},
        {"an air conditioner that works", COOLED("2.8 kW", ""), {": "}, {"eplace"}},
        {"a card's fan",
         FOUR("fan-fails-at='1 s'", TRAINING),
         {"First replace gpu3.fan. After the failure:\n"},
         {"Nothing"}},
        {"a card",
         FOUR("lost-at='1 s'", "<workload kind='inference' load-curve='0:00:10 %, 12:00:10 %'/>"),
         {"Only the lost cards are a problem: replace them."},
         {"First replace"}}};
    CHECK(rows);
}

/* Mean power at the wall of the steady point of FOUR without work and without its last card, W. */
static double idle_without_last_w(void)
{
    wsk_rig *rig = wsk_test_rig(FOUR("lost-at='0 s'", "<workload class='idle'/>"), NULL);
    wsk_summary *s = NULL;
    assert_int_equal(wsk_steady_summary(&s, rig, WSK_STEPPER_FAST, 0, NULL), WSK_OK);
    const double w = wsk_summary_number(s, WSK_R_WALL_KWH, 0) * 3.6e6 / wsk_summary_number(s, WSK_R_SIMULATED, 0);
    wsk_summary_free(s);
    wsk_rig_free(rig);
    return w;
}

/* A card that shuts down under work after a failure also draws nothing in the hours without work. The time after a
 * machine has lost its mains does not count as time without work. */
static void what_is_off_stays_off_without_work(void **state)
{
    (void)state;
    char *text =
        advice_of(FOUR("fan-fails-at='1 s'", "<workload kind='inference' load-curve='0:00:10 %, 12:00:10 %'/>"));
    const char *draws = strstr(text, "the rig draws ");
    assert_non_null(draws);
    const double w = strtod(draws + strlen("the rig draws "), NULL);
    if (!(fabs(w - idle_without_last_w()) <= 1))
        fail_msg("%g W, not %g W", w, idle_without_last_w());
    wsk_text_free(text);
    static const row rows[] = {
        {"a machine whose UPS is empty after 20 min",
         RIG_OF(GIVEN
                "<branch id='b2' circuit='10 A' fails-at='1 s'><ups rated='1500 W' battery='130 Wh' peukert='1' "
                "battery-age='100 %'/></branch>",
                PSU("1000 W", "on='b2'") FANS("") CARD(""), TRAINING),
         {"After the failure:"},
         {"Without work"}}};
    CHECK(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_problem_or_none),
                                       cmocka_unit_test(effects_have_a_basis),
                                       cmocka_unit_test(loud_case_fans_are_slowed),
                                       cmocka_unit_test(leaps_do_not_change_the_cure),
                                       cmocka_unit_test(more_settings_than_advice_can_repeat),
                                       cmocka_unit_test(purchases_have_one_currency),
                                       cmocka_unit_test(what_is_off_stays_off_without_work),
                                       cmocka_unit_test(failures_count_at_any_time),
                                       cmocka_unit_test(what_failed_is_named),
                                       cmocka_unit_test(what_failed_is_named_before_changes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
