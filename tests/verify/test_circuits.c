/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hand calculations are those of docs/theory/power.md, "Branch: circuit". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/books/books.h"
#include "sim/say/say.h"
#include "sim/step/step.h"
#include "sim/study/findings/found.h"
#include "tests/support/trip.h"
#include "tests/verify/circuits.h"

#define CARD(id, slot, watts) \
    "<gpu id='" id "' slot='" slot "' slots='1' tdp='250 W' power='" watts "' part='gpu/generic' fan='100 %'>" \
    "<cooler kind='blower' part='cooler/generic-blower'/></gpu>"

static double number(const wsk_run *run, wsk_result result, size_t member)
{
    wsk_summary *all = NULL;
    assert_int_equal(wsk_run_summary(&all, run, 0), WSK_OK);
    const double x = wsk_summary_number(all, result, member);
    wsk_summary_free(all);
    return x;
}

static double joule(const wsk_run *run, int line)
{
    return wsk_sum_value(&run->lines[line].wall);
}

static int line_of(const wsk_run *run, const char *id)
{
    for (int i = 0; i < run->net->n_line; i++)
        if (strcmp(run->net->lines[i].id, id) == 0)
            return i;
    fail_msg("no circuit %s", id);
    return 0;
}

#define SWINGING(swing) \
    SITE("") \
    IDEAL("") \
    CARD("x", "1", "1000 W") \
    CARD("y", "5", "1000 W") "</chassis><workload class='training' " swing "/><run for='2 h'/></rig>"

/* Breaker heat relative to that of the mean power. A short swing counts with its mean square; a swing of an hour with
 * the square of its high, because the breaker then heats fully. */
static void breaker_heated_by_a_swing(void **state)
{
    (void)state;
    static const struct {
        const char *xml;
        double heat; /* breaker heat / square of the mean load */
    } of[] = {{SWINGING(""), 1},
              {SWINGING("swing-low='50 %'"), 1},
              {SWINGING("swing-high='150 %' swing-low='100 %'"), 1},
              {SWINGING("swing-high='150 %' swing-low='50 %'"), 1 + 0.5 * 0.5},
              {SWINGING("swing-high='150 %' swing-low='90 %'"), 1 + 0.5 * 0.1},
              {SWINGING("swing-high='150 %' swing-low='50 %' swing-period='1 h'"), 1.5 * 1.5}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(of[i].xml, 7200, &rig);
        const double m = sqrt(of[i].heat) * 2000 / 1800;
        assert_near(wsk_circuit_trip(run), wsk_min(wsk_max((m - 1.05) / (1.32 - 1.05), 0), 1), 5e-3);
        wsk_test_drop(run, rig);
    }
}

/* Two cards that swing independently heat the breaker in the same way whether one PSU feeds them, two PSUs on the same
 * circuit share them, or there is none. */
static void breaker_heated_through_shared_psus(void **state)
{
    (void)state;
#define INDEPENDENT(psus) \
    SITE("") \
    psus CARD("x", "1", "1000 W") \
        CARD("y", "5", "1000 W") "</chassis><workload kind='constant' class='training' swing-high='150 %' " \
                                 "swing-low='50 %'/><run for='2 h'/></rig>"
    static const char *const of[] = {INDEPENDENT(IDEAL("")), INDEPENDENT(""),
                                     INDEPENDENT(IDEAL("redundant='yes'") IDEAL("redundant='yes'"))};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(of[i], 7200, &rig);
        const double m = sqrt(1 + 0.5 * 0.5 / 2) * 2000 / 1800;
        assert_near(wsk_circuit_trip(run), (m - 1.05) / (1.32 - 1.05), 5e-3);
        wsk_test_drop(run, rig);
    }
}

/* The UPS on the site's circuit has losses although it feeds nothing: all PSUs are on circuit b2. */
static void loss_of_a_ups_alone(void **state)
{
    (void)state;
    wsk_rig *rig;
    static const char xml[] =
        SITE("<ups rated='5 kW'/><branch id='b2' circuit='15 A'/>") IDEAL("on='b2'") "<load dc='600 W'/>" END;
    wsk_run *run = wsk_test_run_to(xml, 600, &rig);
    const double lost = number(run, WSK_R_BRANCH_MEAN, 0), carried = number(run, WSK_R_BRANCH_MEAN, 1);
    assert_true(lost > 20);
    assert_near(carried, 600, 1e-9);
    assert_near(lost + carried, number(run, WSK_R_WALL_PEAK_W, 0), 1e-6);
    wsk_test_drop(run, rig);
    rig = wsk_test_rig(xml, NULL);
    char *text = wsk_test_check(rig);
    assert_non_null(strstr(text, "Circuit site: "));
    assert_non_null(strstr(text, "Circuit b2: 600 VA"));
    wsk_text_free(text);
    wsk_rig_free(rig);
}

static void sum_of_branches(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(
        SITE("<pdu rated='2 kW' efficiency='98 %'/><branch id='b2' circuit='20 A' supply='240 V'/>"
             "<branch id='b3' circuit='10 A'><ups rated='1500 W'/></branch>") IDEAL("id='a' feeds='x'")
            IDEAL("id='b' on='b2'") IDEAL("id='c' on='b3' feeds='y'") CARD("x", "1", "131 W") CARD("y", "3", "117 W")
                CARD("z", "5", "83 W") "<load dc='47 W'/><load ac='60 W' on='b2'/><load ac='31 W'/>" END,
        3600, &rig);
    double side = wsk_sum_value(&run->books->ledger.side), wall = wsk_sum_value(&run->books->ledger.wall);
    assert_near(joule(run, 0) + joule(run, 1) + joule(run, 2), wall + side, 1e-12 * (wall + side));
    double strip_w = (1 / 0.98 - 1) * 131 * 131 / 2000;
    assert_near(joule(run, 0) / 3600, 131 + strip_w + 31, 1e-9);
    assert_near(joule(run, line_of(run, "b2")) / 3600, 83 + 47 + 60, 1e-9);
    assert_true(joule(run, line_of(run, "b3")) / 3600 > 117);
    assert_near(run->net->lines[0].limit_w, 0.8 * 1800, 1e-9);
    assert_near(run->net->lines[line_of(run, "b2")].limit_w, 0.8 * 4800, 1e-9);
    assert_near(run->net->lines[line_of(run, "b3")].limit_w, 0.8 * 1200, 1e-9);
    assert_true(wsk_residual(run) <= 1e-9);
    wsk_test_drop(run, rig);
}

static void equal_halves(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(SITE("<branch id='b2' circuit='15 A'/>") IDEAL("redundant='yes' imbalance='0 %'")
                                       IDEAL("redundant='yes' imbalance='0 %' on='b2'") "<load dc='1234.5 W'/>" END,
                                   600, &rig);
    assert_same(joule(run, 0), joule(run, 1));
    assert_near(joule(run, 0), 1234.5 / 2 * 600, 1e-6);
    assert_near(run->lines[1].va_peak, 1234.5 / 2, 1e-9);
    wsk_test_drop(run, rig);
}

/* A UL 489 breaker carries m = 1.6 times its rating. Every such breaker has tripped when its heat reaches 1.32^2,
 * which takes tau ln(m^2 / (m^2 - 1.32^2)), where tau = 150 s is the breaker's time constant. From then on the
 * redundant PSU on the other circuit carries the whole load. */
static void trips_apart(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(SITE("<branch id='small' circuit='5 A'/>") IDEAL("redundant='yes' imbalance='0 %'")
                                       IDEAL("redundant='yes' imbalance='0 %' on='small'") "<load dc='1920 W'/>" END,
                                   3600, &rig);
    double m2 = 1.6 * 1.6, after_s = 150 * log(m2 / (m2 - 1.32 * 1.32));
    assert_int_equal(run->lines[1].tripped, WSK_LINE_TRIPPED);
    assert_near((double)run->lines[1].at_ns / 1e9, after_s, 1e-6);
    assert_int_equal(run->lines[0].tripped, WSK_LINE_ON);
    assert_near(joule(run, 1), 960 * after_s, 1e-3);
    assert_near(joule(run, 0), 960 * after_s + 1920 * (3600 - after_s), 1e-2);
    assert_same(wsk_line_trip(run, 1), 1);
    assert_int_equal(run->cases[0].cpu_off, 0);
    assert_true(wsk_residual(run) <= 1e-9);
    wsk_test_drop(run, rig);
}

static void trips_in_turn(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(SITE("<branch id='small' circuit='5 A'/>") IDEAL("redundant='yes' imbalance='0 %'")
                                       IDEAL("redundant='yes' imbalance='0 %' on='small'") "<load dc='2700 W'/>" END,
                                   3600, &rig);
    double small = 1350.0 / 600, first_s = 150 * log(small * small / (small * small - 1.32 * 1.32)),
           before = 1350.0 / 1800, heat = before * before * (1 - exp(-first_s / 150)), then = 2700.0 / 1800,
           second_s = first_s + 150 * log((then * then - heat) / (then * then - 1.32 * 1.32));
    assert_near((double)run->lines[1].at_ns / 1e9, first_s, 1e-6);
    assert_near((double)run->lines[0].at_ns / 1e9, second_s, 1e-6);
    /* Each is above its continuous limit (480 W, 1440 W) until it trips, the other one once it has the whole load. */
    assert_near((double)run->lines[1].over_ns / 1e9, first_s, 1e-6);
    assert_near((double)run->lines[0].over_ns / 1e9, second_s - first_s, 1e-6);
    assert_int_equal(run->cases[0].cpu_off, WSK_DARK);
    assert_same(run->wall_w, 0);
    assert_near(joule(run, 0) + joule(run, 1), 2700 * second_s, 1e-2);
    assert_true(wsk_residual(run) <= 1e-9);
    wsk_test_drop(run, rig);
}

static void stops_the_machine(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(SITE("<branch id='b2' circuit='15 A' fails-at='10 min'/>")
                                       IDEAL("id='a' standby='0 W'") IDEAL("id='b' on='b2' feeds='x'")
                                           CARD("x", "1", "131 W") CARD("y", "3", "117 W") "<load dc='47 W'/>" END,
                                   3600, &rig);
    assert_int_equal(run->lines[1].tripped, WSK_LINE_FAILED);
    assert_int_equal(run->cases[0].cpu_off, WSK_DARK);
    assert_near(joule(run, 0), 164 * 600, 1e-6);
    assert_near(joule(run, 1), 131 * 600, 1e-6);
    assert_same(run->dc_w, 0);
    assert_near(wsk_line_trip(run, 1), 0, 1e-12);
    wsk_test_drop(run, rig);
}

static wsk_facts facts_of(const wsk_run *run, wsk_summary **all)
{
    assert_int_equal(wsk_run_summary(all, run, 0), WSK_OK);
    return wsk_facts_of(*all);
}

static void assert_line(const wsk_run *run, int line, const char *told)
{
    wsk_arena *a = wsk_arena_new();
    const char *text = wsk_said_english(a, wsk_line_said(a, run, line));
    if (!strstr(text, told))
        fail_msg("'%s' lacks '%s'", text, told);
    wsk_arena_free(a);
}

/* Redundant PSUs are on two circuits that fail one after the other; only the second failure stops the machine. */
static void second_stops_the_machine(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_summary *all;
    wsk_run *run =
        wsk_test_run_to(SITE("<branch id='b2' circuit='15 A' fails-at='10 min'/>"
                             "<branch id='b3' circuit='15 A' fails-at='20 min'/>") IDEAL("redundant='yes' on='b2'")
                            IDEAL("redundant='yes' on='b3'") CARD("x", "1", "131 W") END,
                        3600, &rig);
    const wsk_facts f = facts_of(run, &all);
    assert_string_equal(f.off_circuit, "b3");
    assert_near(f.off_s, 1200, 1e-9);
    assert_near(wsk_summary_number(all, WSK_R_CASE_STOPPED_AT, 0), 1200, 1e-9);
    assert_line(run, 1, "10 min; the other circuits carry on");
    assert_line(run, 2, "20 min; the machine stops");
    wsk_summary_free(all);
    wsk_test_drop(run, rig);
}

/* A battery of 131 Wh at 100 % carries 131 W for an hour; the machine stops then. */
static void stops_when_the_ups_is_empty(void **state)
{
    (void)state;
    wsk_summary *all;
    wsk_rig *rig =
        wsk_test_rig(SITE("<branch id='b2' circuit='15 A' fails-at='10 min'><ups rated='1500 W' battery='131 Wh' "
                          "battery-age='100 %' battery-efficiency='100 %' peukert='1'/></branch>") IDEAL("on='b2'")
                         CARD("x", "1", "131 W") END,
                     NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 7200);
    wsk_test_advance(run, 3600);
    assert_line(run, 1, "10 min; its UPS carries its load");
    wsk_test_advance(run, 7200);
    const wsk_facts f = facts_of(run, &all);
    assert_near(f.off_s, 4200, 1);
    assert_true(f.empty);
    assert_line(run, 1, "the machine stops after 70 min, when the UPS is empty");
    wsk_summary_free(all);
    wsk_test_drop(run, rig);
}

/* One of two machines stops, and the sentence names it. */
static void stops_one_machine(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_summary *all;
    wsk_run *run = wsk_test_run_to(
        "<rig><site supply='120 V' circuit='15 A'><room temperature='21 degC'/>"
        "<branch id='b2' circuit='15 A' fails-at='10 min'/></site><chassis id='one'>" GRID IDEAL("")
            CARD("x", "1", "131 W") "</chassis><chassis id='two'>" GRID IDEAL("on='b2'") CARD("y", "1", "131 W") END,
        3600, &rig);
    const wsk_facts f = facts_of(run, &all);
    assert_int_equal(f.machines, 2);
    assert_int_equal(f.stops, 1);
    assert_string_equal(f.stops_id, "two");
    assert_line(run, 1, "10 min; machines that stop: two");
    wsk_summary_free(all);
    wsk_test_drop(run, rig);
}

/* Machine two loses its mains; the card of machine one shuts down from heat. The lost work of this card is counted for
 * the whole hour, also if the work is synchronous and machine two has no part in it. */
static void heat_counts_beside_a_dark_machine(void **state)
{
    (void)state;
#define BESIDE(work) \
    "<rig><site supply='120 V' circuit='15 A'><room temperature='35 degC'/>" \
    "<branch id='b2' circuit='15 A' fails-at='10 min'/></site><chassis id='one'>" GRID IDEAL( \
        "") "<gpu id='x' slot='1' part='gpu/a40'/></chassis><chassis id='two'>" GRID IDEAL("on='b2'") \
        CARD("y", "1", "131 W") "</chassis>" work "<run for='1 h'/></rig>"
    static const char *const of[] = {BESIDE("<workload kind='constant'/>"),
                                     BESIDE("<workload kind='training' gpus='x'/>")};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(of[i], 3600, &rig);
        assert_int_equal(run->cases[1].cpu_off, WSK_DARK);
        assert_true(run->head->shutdowns > 0 && run->head->shut_ns < 1800 * WSK_NS);
        assert_true(run->cards[0].off);
        assert_near(wsk_sum_value(&run->cards[0].work_cool), 3600, 360);
        wsk_test_drop(run, rig);
    }
}

static void spare_may_go(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run =
        wsk_test_run_to(SITE("<branch id='b2' circuit='15 A' fails-at='10 min'/>")
                            IDEAL("id='a'") "<psu id='b' kind='constant' rated='500 W' efficiency='100 %' on='b2'/>"
                                            "<load dc='470 W'/>" END,
                        1200, &rig);
    assert_int_equal(run->cases[0].cpu_off, 0);
    assert_near(joule(run, 0), 470 * 1200, 1e-6);
    assert_near(wsk_test_get(run, "a.load"), 470 / 3000.0, 1e-9);
    assert_near(wsk_test_get(run, "a.efficiency"), 1, 1e-12);
    assert_same(wsk_test_get(run, "b.load"), 0);
    assert_same(wsk_test_get(run, "b.efficiency"), 0);
    wsk_test_drop(run, rig);
}

static void single_circuit_goes_on(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(SITE("") IDEAL("") "<load dc='2700 W'/>" END, 3600, &rig);
    assert_int_equal(run->lines[0].tripped, WSK_LINE_ON);
    assert_near(joule(run, 0), 2700.0 * 3600, 1e-3);
    assert_true(wsk_circuit_trip(run) > 0.99);
    wsk_test_drop(run, rig);
}

static const char *const tripping =
    "<rig><site supply='120 V' circuit='15 A'><branch id='small' circuit='2 A'/><room temperature='21 degC'/></site>"
    "<chassis part='chassis/full-tower-8-slot'><fan part='fan/generic-120-1500' at='front' count='3'/>"
    "<psu id='a' part='psu/tier-gold-1000' redundant='yes'/><psu id='b' part='psu/tier-gold-1000' redundant='yes' "
    "on='small'/><cpu part='cpu/generic-desktop'/><gpu part='gpu/rtx-3090-blower' slot='1'/>"
    "<gpu part='gpu/rtx-3090-blower' slot='4'/></chassis><workload class='training'/><run for='1 h'/></rig>";

static void same_by_each_stepper(void **state)
{
    (void)state;
    double at_s[3], kwh[3];
    for (int how = 0; how < 3; how++) {
        wsk_rig *rig = wsk_test_rig(tripping, NULL);
        const wsk_run_options o = {
            .duration_s = 3600, .stepper = how == 2 ? WSK_STEPPER_REFERENCE : WSK_STEPPER_FAST, .leap = how == 1};
        wsk_run *run;
        assert_int_equal(wsk_run_new(&run, rig, &o), WSK_OK);
        wsk_test_advance(run, 3600);
        int line = line_of(run, "small");
        assert_int_equal(run->lines[line].tripped, WSK_LINE_TRIPPED);
        assert_int_equal(run->lines[1 - line].tripped, WSK_LINE_ON);
        at_s[how] = (double)run->lines[line].at_ns / 1e9;
        kwh[how] = joule(run, line) / 3.6e6;
        wsk_test_drop(run, rig);
    }
    assert_true(at_s[0] > 20 && at_s[0] < 1800);
    for (int how = 1; how < 3; how++) {
        assert_near(at_s[how], at_s[0], 0.5);
        assert_near(kwh[how], kwh[0], 0.005 * kwh[0]);
    }
}

static void restored(void **state)
{
    (void)state;
    const double saved_s[] = {30, 1800};
    for (size_t i = 0; i < 2; i++) {
        wsk_rig *rig = wsk_test_rig(tripping, NULL);
        wsk_run *whole = wsk_test_run(rig, WSK_STEPPER_FAST, 3600), *rest = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
        char *bytes;
        size_t len;
        wsk_test_advance(whole, saved_s[i]);
        assert_int_equal(wsk_run_save(whole, &bytes, &len), WSK_OK);
        assert_int_equal(wsk_run_restore(rest, bytes, len), WSK_OK);
        free(bytes);
        wsk_test_advance(whole, 3600);
        wsk_test_advance(rest, 3600);
        assert_memory_equal(whole->lines, rest->lines, (size_t)whole->net->n_line * sizeof *whole->lines);
        assert_memory_equal(whole->t, rest->t, (size_t)whole->net->n_node * sizeof *whole->t);
        wsk_run_free(whole);
        wsk_test_drop(rest, rig);
    }
}

static void steady_circuits(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *first = wsk_test_run_to(SITE("<branch id='b2' circuit='5 A'/>") IDEAL("id='a' feeds='x'")
                                         IDEAL("on='b2'") CARD("x", "1", "131 W") "<load dc='900 W'/>" END,
                                     1, &rig);
    wsk_run *run;
    bool cycling;
    assert_int_equal(wsk_steady_solve(&run, first->net, WSK_STEPPER_FAST, &cycling, NULL, NULL), WSK_OK);
    assert_near(run->lines[1].va_peak, 900, 1e-9);
    assert_near(run->lines[0].va_peak, 131, 1e-9);
    assert_near(run->lines[1].breaker_most, 2.25, 1e-9);
    /* At a steady point no time passes in which a breaker could trip. */
    assert_int_equal(run->lines[1].tripped, WSK_LINE_ON);
    assert_int_equal(wsk_fullest_line(run), 1);
    wsk_run_free(first);
    wsk_test_drop(run, rig);
}

/* Power of a circuit / rating of its only strip or UPS; without either there is no such number. */
static void load_of_one_feed(void **state)
{
    (void)state;
    static const struct {
        const char *feed;
        double peak;
    } feeds[] = {{"<pdu rated='2 kW' efficiency='98 %'/>", 0.5}, {"<ups rated='1500 W'/>", 1 / 1.5}, {"", NAN}};
    for (size_t i = 0; i < sizeof feeds / sizeof *feeds; i++) {
        char xml[600];
        snprintf(xml, sizeof xml,
                 "<rig><site supply='230 V' circuit='16 A'><room temperature='21 degC'/>%s</site><chassis><vent "
                 "at='front' area='900 cm2'/>%s<load dc='900 W'/></chassis><run for='1 h'/></rig>",
                 feeds[i].feed, "<psu kind='constant' rated='1000 W' efficiency='90 %'/>");
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(xml, 3600, &rig);
        wsk_summary *s;
        assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
        const double peak = wsk_summary_number(s, WSK_R_BRANCH_FEED, 0);
        if (isnan(feeds[i].peak) ? !isnan(peak) : !(fabs(peak - feeds[i].peak) < 1e-12))
            fail_msg("%s: %g", feeds[i].feed, peak);
        wsk_summary_free(s);
        wsk_test_drop(run, rig);
    }
}

/* A PSU without load draws its standby power from the start; a PSU with a load draws only this load. One whose only
 * card is lost stays on while the machine runs. */
#define LOST CARD("x", "1", "131 W' lost-at='0 s")
static void standby_of_unloaded_psus(void **state)
{
    (void)state;
    static const struct {
        const char *xml;
        double wall_w;
    } rows[] = {{SITE("") IDEAL("standby='4 W'") END, 4},
                {SITE("") IDEAL("standby='4 W'") "<load dc='100 W'/>" END, 100},
                {SITE("") IDEAL("id='a' standby='4 W'") IDEAL("id='b' standby='7 W' feeds='x'")
                     CARD("x", "1", "131 W") END,
                 4 + 131},
                {SITE("") IDEAL("standby='4 W'") IDEAL("standby='7 W' feeds='x'") "<load dc='100 W'/>" LOST END, 100},
                {SITE("") IDEAL("standby='4 W'") IDEAL("standby='7 W' feeds='x'") LOST END, 4 + 7},
                {SITE("") IDEAL("id='a' standby='7 W'") END, 7}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (double span_s = 1; span_s < 4000; span_s *= 60) {
            wsk_rig *rig;
            wsk_run *run = wsk_test_run_to(rows[i].xml, span_s, &rig);
            assert_near(joule(run, 0), rows[i].wall_w * span_s, 1e-6 * span_s);
            assert_near(run->wall_w, rows[i].wall_w, 1e-9);
            assert_true(wsk_residual(run) <= 1e-9);
            wsk_test_drop(run, rig);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_of_one_feed),
        cmocka_unit_test(loss_of_a_ups_alone),
        cmocka_unit_test(breaker_heated_by_a_swing),
        cmocka_unit_test(breaker_heated_through_shared_psus),
        cmocka_unit_test(sum_of_branches),
        cmocka_unit_test(equal_halves),
        cmocka_unit_test(trips_apart),
        cmocka_unit_test(trips_in_turn),
        cmocka_unit_test(standby_of_unloaded_psus),
        cmocka_unit_test(stops_the_machine),
        cmocka_unit_test(second_stops_the_machine),
        cmocka_unit_test(stops_when_the_ups_is_empty),
        cmocka_unit_test(stops_one_machine),
        cmocka_unit_test(heat_counts_beside_a_dark_machine),
        cmocka_unit_test(spare_may_go),
        cmocka_unit_test(single_circuit_goes_on),
        cmocka_unit_test(steady_circuits),
        cmocka_unit_test(same_by_each_stepper),
        cmocka_unit_test(restored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
