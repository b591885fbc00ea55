/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice for a rig at the edge of a shutdown: whether its run shut down decides what the changes are compared with. */
#include <math.h>
#include <string.h>

#include "tests/support/bench.h"
#include "sim/books/observe.h"
#include "sim/study/kit/verdict.h"
#include "sim/control/control.h"

/* mount: thermal resistance of the die's paste, times that of a card as sold. */
#define RIG(mount) \
    "<rig><site supply='120 V' circuit='15 A'><room volume='30 m3' conductance='40 W/K'><outdoor mean='24 degC' " \
    "swing='6 K'/><air-conditioner capacity='2.0 kW' setpoint='26 degC'/></room></site>" \
    "<chassis part='chassis/full-tower-8-slot'><fan part='fan/generic-120-1500' at='front' count='3'/>" \
    "<fan part='fan/generic-120-1500' at='rear'/><psu part='psu/tier-gold-850'/><cpu part='cpu/xeon-w-2255'/>" \
    "<gpu part='gpu/rtx-4090' slot='1' mount='" mount "'/></chassis>" \
    "<workload kind='training' class='training' checkpoint-every='1 h' checkpoint-takes='90 s'/><run for='12 " \
    "h'/></rig>"
static const double span_s = 12 * 3600;

static wsk_run *run_of(const char *xml, const char *const *sets, size_t n, bool leap, wsk_rig **rig)
{
    const wsk_run_options o = {.duration_s = span_s, .leap = leap};
    wsk_run *run = NULL;
    *rig = wsk_test_rig_sets(xml, sets, n);
    assert_int_equal(wsk_run_new(&run, *rig, &o), WSK_OK);
    wsk_test_advance(run, span_s);
    return run;
}

/* The card shuts down in the first hour. The added power and noise of a change are the differences between a run with
 * the change and this run. */
static void changes_are_compared_with_the_run_that_stopped(void **state)
{
    (void)state;
    for (int leap = 0; leap < 2; leap++) {
        wsk_rig *rig, *other;
        wsk_run *run = run_of(RIG("6"), NULL, 0, leap, &rig);
        assert_true(run->cards[0].off);
        const double was_w = wsk_var_mean(run, WSK_VAR_WALL_W, 0), was_dba = wsk_var_mean(run, WSK_VAR_NOISE_DBA, 0);
        assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
        const wsk_advice *a = run->advice;
        assert_true(a->n > 0);
        for (int i = 0; i < a->n; i++) {
            const wsk_change *c = &a->changes[i];
            wsk_run *changed = run_of(RIG("6"), c->sets, c->n_sets, true, &other);
            const double more_w = wsk_var_mean(changed, WSK_VAR_WALL_W, 0) - was_w,
                         more_db = wsk_var_mean(changed, WSK_VAR_NOISE_DBA, 0) - was_dba;
            assert_true(more_w > 200 && !changed->cards[0].off && isnan(c->work_rel));
            assert_near(c->wall_w, more_w, 0.1 * more_w);
            assert_near(c->noise_db, more_db, 3);
            wsk_test_drop(changed, other);
        }
        wsk_test_drop(run, rig);
    }
}

/* This card throttles but does not shut down, so no change may be said to prevent a shutdown. */
static void no_shutdown_is_cured_that_the_run_has_not(void **state)
{
    (void)state;
    for (int leap = 0; leap < 2; leap++) {
        wsk_rig *rig;
        wsk_run *run = run_of(RIG("5.8"), NULL, 0, leap, &rig);
        char *text = NULL;
        assert_true(!run->cards[0].off && run->head->shutdowns == 0);
        assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
        assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
        const wsk_advice *a = run->advice;
        if (a->now.shuts_down || strstr(text, "no shutdown") || !strstr(text, "Advice   new thermal paste"))
            fail_msg("%s: %s", leap ? "leaps" : "no leaps", text);
        assert_true(a->n > 1 && a->changes[0].work_rel > 0.05 && a->changes[1].work_rel > 0.05);
        wsk_text_free(text);
        wsk_test_drop(run, rig);
    }
}

/* A pump that stops 5 s before the end has not shut the card down yet, but the advice is about what it leads to. */
static void a_shutdown_after_the_end_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *fails_at, *told;
    } cases[] = {{"30 min", "gpu0.pump stopped at 30 min; throttling after "},
                 {"3595 s", ", shutdown only after the end of this run."}};
    for (int i = 0; i < 2; i++) {
        char xml[1000], *text = NULL;
        snprintf(
            xml, sizeof xml,
            "<rig><site><room temperature='22 degC'/></site><chassis part='chassis/full-tower-8-slot'>"
            "<fan part='fan/generic-120-1500' at='front' count='3'/><psu part='psu/tier-gold-850'/>"
            "<cpu part='cpu/generic-desktop'/><gpu part='gpu/rtx-4090' slot='1' pump-fails-at='%s'>"
            "<cooler part='cooler/rtx-4090-aio-360'/></gpu></chassis><workload kind='constant' class='burn'/></rig>",
            cases[i].fails_at);
        wsk_rig *rig = wsk_test_rig(xml, NULL);
        wsk_run *run = NULL;
        assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = 3600}), WSK_OK);
        wsk_test_advance(run, 3600);
        assert_int_equal(run->cards[0].off, i == 0);
        assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
        assert_true(run->advice->now.shuts_down);
        assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
        if (!strstr(text, cases[i].told) || strstr(text, "no shutdown."))
            fail_msg("%s: %s", cases[i].fails_at, text);
        wsk_text_free(text);
        wsk_test_drop(run, rig);
    }
}

/* One of two machines loses its circuit, without a battery and with one. Its card has no power; heat shut
 * nothing down, neither in the run nor after it, and the steady point of `check` throttles no card. */
static void a_machine_without_power_is_no_shutdown(void **state)
{
    (void)state;
#define MACHINE(id, on) \
    "<chassis part='chassis/full-tower-8-slot' id='" id "'><fan part='fan/generic-120-1500' at='front' count='3'/>" \
    "<psu part='psu/tier-gold-850' " on "/><cpu part='cpu/generic-desktop'/><gpu part='gpu/rtx-3060' slot='1'/>" \
    "</chassis>"
#define MACHINES(branch) \
    "<rig><site supply='120 V' circuit='15 A'><room temperature='21 degC'/><branch id='b2' circuit='15 A' " branch \
    "</site>" MACHINE("a", "on='b2'") MACHINE("b", "") "<workload kind='constant' class='training'/></rig>"
    static const char *const rigs[] = {MACHINES("fails-at='%s'/>"),
                                       MACHINES("fails-at='%s'><ups rated='1500 W' battery='100 Wh'/></branch>")};
    for (size_t i = 0; i < sizeof rigs / sizeof *rigs; i++) {
        char xml[2000], *text = NULL;
        snprintf(xml, sizeof xml, rigs[i], "30 min");
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(xml, 7200, &rig);
        assert_true(run->cards[0].off && run->head->shutdowns == 0);
        assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
        assert_false(run->advice->now.shuts_down);
        assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
        if (strstr(text, "shutdown only after") || strstr(text, "ends the shutdown"))
            fail_msg("%s", text);
        wsk_text_free(text);
        wsk_test_drop(run, rig);
        snprintf(xml, sizeof xml, rigs[i], "0 s");
        rig = wsk_test_rig(xml, NULL);
        char *check = wsk_test_check(rig);
        if (!strstr(check, "no card throttles from heat"))
            fail_msg("%s", check);
        wsk_text_free(check);
        wsk_rig_free(rig);
    }
}

/* Cards that train together wait for a lost one. No change of parts brings the work back, so none is proposed, however
 * hot the cards were before. Cards that work on their own go on, and get advice against the heat. */
static void a_job_that_waits_for_a_lost_card_needs_that_card(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *fan;
        bool waits;
        const char *told;
    } cases[] = {
        {"training", "", true, "waits for the lost cards: replace gpu0, or start the job again on the other cards."},
        {"training", "fails-at='4 h'", true, "replace fan0, gpu0, or start the job again on the other cards."},
        {"constant", "", false, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char xml[1000], *text = NULL;
        snprintf(xml, sizeof xml,
                 "<rig><site><room temperature='30 degC'/></site><chassis part='chassis/full-tower-8-slot'>"
                 "<fan part='fan/generic-120-1500' at='front' count='3' %s/><psu part='psu/tier-gold-1600'/>"
                 "<cpu part='cpu/generic-desktop'/><gpu part='gpu/rtx-4090' slot='1' lost-at='6 h'/>"
                 "<gpu part='gpu/rtx-4090' slot='4'/></chassis><workload kind='%s' class='training'/></rig>",
                 cases[i].fan, cases[i].kind);
        wsk_rig *rig;
        wsk_run *run = run_of(xml, NULL, 0, true, &rig);
        assert_true(wsk_heat_throttle_s(&run->cards[0]) > 3600);
        assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
        assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
        if ((run->advice->n == 0 && run->advice->n_vain == 0) != cases[i].waits ||
            (cases[i].told && !strstr(text, cases[i].told)))
            fail_msg("%s %s: %s", cases[i].kind, cases[i].fan, text);
        wsk_text_free(text);
        wsk_test_drop(run, rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(changes_are_compared_with_the_run_that_stopped),
                                       cmocka_unit_test(no_shutdown_is_cured_that_the_run_has_not),
                                       cmocka_unit_test(a_shutdown_after_the_end_is_told),
                                       cmocka_unit_test(a_machine_without_power_is_no_shutdown),
                                       cmocka_unit_test(a_job_that_waits_for_a_lost_card_needs_that_card)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
