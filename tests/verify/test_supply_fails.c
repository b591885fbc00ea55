/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PSUs that fail. Only a redundant PSU carries the load of another one: cards cannot draw power from the cables of a
 * PSU that they are not connected to. Theory: docs/theory/psu.md, "Several in a chassis" */
#include <math.h>
#include <string.h>

#include "sim/books/books.h"
#include "sim/say/say.h"
#include "sim/step/step.h"
#include "sim/study/trip/trip.h"
#include "tests/verify/supplies.h"

#define CARD(id, slot, watts) \
    "<gpu id='" id "' slot='" slot "' slots='1' tdp='250 W' power='" watts "' part='gpu/generic' fan='100 %'>" \
    "<cooler kind='blower' part='cooler/generic-blower'/></gpu>"
#define LOADS CARD("x", "1", "200 W") "<load dc='400 W'/>"
#define SHARES " redundant='yes' imbalance='0 %'"
#define FAILS " fails-at='10 min'"

static int index_of(const wsk_run *run, const char *id)
{
    for (int i = 0; i < run->net->n_supply; i++)
        if (strcmp(run->net->supplies[i].elem->id, id) == 0)
            return i;
    fail_msg("no supply %s", id);
    return 0;
}

static double load_of(const wsk_run *run, const char *id)
{
    return run->supply_dc_w[index_of(run, id)];
}

/* Three redundant PSUs share the load in proportion to their rating, the first 7 % above and the last 7 % below its
 * share. After one fails, the other two carry the whole load. */
static void redundant_and_failing(void **state)
{
    (void)state;
    static const char xml[] =
        RIG("supply='230 V' circuit='16 A'",
            PSU " id='a' redundant='yes' imbalance='7 %'/>" PSU " id='b' redundant='yes' imbalance='7 %'/>" PSU
                " id='c' redundant='yes' imbalance='7 %' fails-at='1 h'/>",
            "<load dc='1500 W'/>");
    wsk_rig *rig;
    wsk_run *run = after(xml, 1800, &rig);
    assert_near(load_of(run, "a"), 535, 1e-9);
    assert_near(load_of(run, "b"), 500, 1e-9);
    assert_near(load_of(run, "c"), 465, 1e-9);
    wsk_test_advance(run, 7200);
    assert_near(load_of(run, "a"), 802.5, 1e-9);
    assert_near(load_of(run, "b"), 697.5, 1e-9);
    assert_near(load_of(run, "c"), 0, 1e-9);
    assert_near(run->wall_w, 1500 / 0.9, 1e-9);
    assert_true(run->supplies[index_of(run, "c")].failed && isnan(wsk_supply_trip(run, index_of(run, "c"))) &&
                run->head->failed_ns == 3600 * WSK_NS);
    assert_near(run->supplies[index_of(run, "a")].peak_rel, 0.8025, 1e-12);
    assert_true(wsk_residual(run) <= 1e-9);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static void failing_resumed(void **state)
{
    (void)state;
    static const char xml[] = RIG("supply='120 V' circuit='15 A'",
                                  "<psu part='psu/server-platinum-2000' id='a' redundant='yes'/><psu "
                                  "part='psu/server-platinum-2000' id='b' redundant='yes' fails-at='1 h'/>",
                                  "<load dc='1500 W' duty='60 %' period='37 min'/>");
    size_t len, len2;
    wsk_rig *rig;
    wsk_run *run = after(xml, 3000, &rig);
    char *half = wsk_test_save(run, &len);
    wsk_test_advance(run, 7200);
    char *whole = wsk_test_save(run, &len2);
    assert_near(run->net->supplies[0].law.limit_w, 1400, 1e-9);
    assert_true(run->supplies[0].peak_rel > 1 && wsk_supply_trip(run, 0) > 0 && run->lines[0].breaker_most > 0);
    wsk_run *again = wsk_test_run(rig, WSK_STEPPER_FAST, 7200);
    assert_int_equal(wsk_run_restore(again, half, len), WSK_OK);
    wsk_test_advance(again, 7200);
    char *resumed = wsk_test_save(again, &len);
    assert_int_equal(len, len2);
    assert_memory_equal(resumed, whole, len);
    wsk_text_free(half);
    wsk_text_free(whole);
    wsk_text_free(resumed);
    wsk_run_free(again);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

#define SITE "supply='230 V'"
/* The card x and its load draw 600 W, which any one of the PSUs could give. */
static const struct {
    const char *what, *xml;
    double stops_s; /* NAN: the machine goes on */
} machines[] = {
    {"the PSU that a card names", RIG(SITE, PSU " id='a' feeds='x'" FAILS "/>" PSU " id='b'/>", LOADS), 600},
    {"the PSU of everything else", RIG(SITE, PSU " id='a' feeds='x'/>" PSU " id='b'" FAILS "/>", LOADS), 600},
    {"a PSU that feeds nothing",
     RIG(SITE, "<psu id='a' kind='constant' rated='500 W' efficiency='90 %'" FAILS "/>" PSU " id='b'/>", LOADS), NAN},
    {"one of two redundant PSUs", RIG(SITE, PSU SHARES " id='a'" FAILS "/>" PSU SHARES " id='b'/>", LOADS), NAN},
    {"a PSU beside redundant ones",
     RIG(SITE, PSU SHARES " id='a'/>" PSU SHARES " id='b'/>" PSU " id='c' feeds='x'" FAILS "/>", LOADS), 600},
    {"the redundant PSUs beside another",
     RIG(SITE, PSU SHARES " id='a' fails-at='5 min'/>" PSU SHARES " id='b'" FAILS "/>" PSU " id='c' feeds='x'/>",
         LOADS),
     600},
    {"a PSU that is redundant alone",
     RIG(SITE, PSU SHARES " id='a'" FAILS "/><psu id='b' kind='constant' rated='900 W' efficiency='90 %' feeds='x'/>",
         LOADS),
     600},
};

/* A machine stops as soon as something in it has lost its PSU, and draws nothing from then on. No other PSU carries
 * more than before. */
static void stops_without_the_psu_of_a_load(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        for (int stepper = 0; stepper < 2; stepper++) {
            wsk_rig *rig = wsk_test_rig(machines[i].xml, NULL);
            wsk_run *run = wsk_test_run(rig, (wsk_stepper)stepper, 1200);
            const bool goes_on = isnan(machines[i].stops_s);
            wsk_test_advance(run, 1200);
            const double wall_j = wsk_sum_value(&run->books->ledger.wall),
                         told_j = 600 / 0.9 * (goes_on ? 1200 : machines[i].stops_s);
            if (fabs(wall_j - told_j) > 1 || (run->cases[0].cpu_off == WSK_DARK) == goes_on ||
                (run->cards[0].off != 0) == goes_on)
                fail_msg("%s: %.0f J, not %.0f J; off: %d", machines[i].what, wall_j, told_j,
                         (int)run->cases[0].cpu_off);
            assert_same(run->wall_w > 0, goes_on);
            for (int k = 0; k < run->net->n_supply; k++)
                assert_true(run->supplies[k].peak_rel <= 0.600001);
            assert_true(wsk_residual(run) <= 1e-9);
            wsk_test_drop(run, rig);
        }
}

/* A failure stops a run at the same time if the run takes leaps (several ticks in one step), or begins at a
 * checkpoint. */
static void stops_alike_however_it_is_computed(void **state)
{
    (void)state;
    wsk_rig *rig =
        wsk_test_rig(RIG("supply='230 V'", PSU " id='a' feeds='x' fails-at='1.5 h'/>" PSU " id='b'/>", LOADS), NULL);
    const wsk_run_options leaps = {.duration_s = 7200, .leap = true};
    wsk_run *whole = wsk_test_run(rig, WSK_STEPPER_FAST, 7200), *rest = wsk_test_run(rig, WSK_STEPPER_FAST, 7200),
            *leap;
    size_t len;
    wsk_test_advance(whole, 1800);
    char *bytes = wsk_test_save(whole, &len);
    assert_int_equal(wsk_run_restore(rest, bytes, len), WSK_OK);
    assert_int_equal(wsk_run_new(&leap, rig, &leaps), WSK_OK);
    wsk_test_advance(whole, 7200);
    wsk_test_advance(rest, 7200);
    wsk_test_advance(leap, 7200);
    assert_memory_equal(whole->t, rest->t, (size_t)whole->net->n_node * sizeof *whole->t);
    assert_near(wsk_sum_value(&whole->books->ledger.wall), 600 / 0.9 * 5400, 1);
    assert_near(wsk_sum_value(&leap->books->ledger.wall), 600 / 0.9 * 5400, 1);
    wsk_text_free(bytes);
    wsk_run_free(leap);
    wsk_run_free(rest);
    wsk_test_drop(whole, rig);
}

/* After its PSU is repaired by a command, the machine starts again and the card draws the power that the rig states. */
static void starts_with_the_repaired_psu(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run =
        after(RIG("supply='230 V'", PSU " id='a' feeds='x'" FAILS "/>" PSU " id='b'/>", LOADS), 1200, &rig);
    assert_int_equal(run->cases[0].cpu_off, WSK_DARK);
    assert_int_equal(wsk_run_set(run, "a.on", 1), WSK_OK);
    wsk_test_advance(run, 1800);
    assert_int_equal(run->cases[0].cpu_off, 0);
    assert_near(load_of(run, "b"), 400, 1e-9);
    assert_near(load_of(run, "a"), 200, 1e-9);
    wsk_test_drop(run, rig);
}

static void told(const char *xml, const char *const words[4], const char *untold)
{
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 1200);
    char *text, *events = NULL;
    wsk_test_advance(run, 1200);
    assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
    assert_int_equal(wsk_run_events_csv(run, true, &events), WSK_OK);
    for (int i = 0; i < 4 && words[i]; i++)
        if (!strstr(text, words[i]) && !strstr(events, words[i]))
            fail_msg("no '%s' in:\n%s%s", words[i], text, events);
    if (strstr(text, untold))
        fail_msg("'%s' in:\n%s", untold, text);
    wsk_text_free(text);
    wsk_text_free(events);
    wsk_test_drop(run, rig);
}

/* The text names the PSU whose failure stopped the machine and, in a rig of several machines, the machine too. */
static void what_stopped_is_told(void **state)
{
    (void)state;
#define MACHINE(id, psus) \
    "<chassis id='" id "'><vent at='front' area='900 cm2'/><vent at='rear' area='900 cm2'/>" psus \
    "<load dc='400 W'/></chassis>"
    told(RIG("supply='230 V'", PSU " id='a' feeds='x'" FAILS "/>" PSU " id='b'/>", LOADS),
         (const char *const[4]){"The machine stops after 10 min, when a fails.",
                                "a fails after 10 min; the machine stops", "600,a,fails,as scheduled",
                                ",stops,its PSU failed,stops.psu-failed"},
         "Throughput");
    told("<rig><site supply='230 V'><room temperature='21 degC'/></site>" MACHINE("one", PSU "/>")
             MACHINE("two", PSU " id='a'" FAILS "/>" PSU " id='b' feeds='x'/>" CARD("x", "1", "200 W")) "</rig>",
         (const char *const[4]){"Machine two stops after 10 min, when a fails.",
                                "a fails after 10 min; machines that stop: two", NULL},
         "The machine stops");
    told("<rig><site supply='230 V'><branch id='s' circuit='16 A' fails-at='5 min'/>"
         "<room temperature='21 degC'/></site>" MACHINE(
             "one", PSU " id='a'" FAILS "/>" PSU " id='b' feeds='x' on='s'/>" CARD("x", "1", "200 W")) "</rig>",
         (const char *const[4]){"The machine stops after 5 min, when circuit s goes off."}, "when a fails");
}

/* A PSU that a command fails after 10 min stops the machine as one that the rig fails then, also if the rig plans its
 * failure for later, or if it had failed before. */
static void what_a_command_stops_is_told(void **state)
{
    (void)state;
#define PLANNED(fails) RIG("supply='230 V'", PSU " id='a' feeds='x'" fails "/>" PSU " id='b'/>", LOADS)
    static const char *const rigs[] = {PLANNED(""), PLANNED(" fails-at='1 h'"), PLANNED(" fails-at='5 min'")};
    for (size_t i = 0; i < sizeof rigs / sizeof *rigs; i++) {
        wsk_rig *rig;
        wsk_run *run = after(rigs[i], 590, &rig);
        wsk_summary *all;
        char *text;
        assert_int_equal(wsk_run_set(run, "a.on", 1), WSK_OK);
        wsk_test_advance(run, 600);
        assert_int_equal(wsk_run_set(run, "a.on", 0), WSK_OK);
        wsk_test_advance(run, 1200);
        assert_int_equal(wsk_run_summary(&all, run, 0), WSK_OK);
        assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
        assert_string_equal(wsk_summary_text(all, WSK_R_CASE_STOPPED_PSU, 0), "a");
        assert_near(wsk_summary_number(all, WSK_R_CASE_STOPPED_AT, 0), 600, 0);
        assert_true(strstr(text, "The machine stops after 10 min, when a fails.") &&
                    strstr(text, "a stopped at 10 min"));
        wsk_text_free(text);
        wsk_summary_free(all);
        wsk_test_drop(run, rig);
    }
}

/* If a machine is on for a sixth of the run and silent afterwards, the noise is that of the time while it is on: 10
 * log10(6) dB above the mean of the run. If another machine goes on, the noise is the highest of the run. */
static void a_stopped_machine_is_not_quiet(void **state)
{
    (void)state;
    static const char *const rigs[] = {
        RIG("supply='230 V'", PSU " id='a' feeds='x'" FAILS "/>" PSU " id='b'/>", LOADS),
        "<rig><site supply='230 V'><room temperature='21 degC'/></site>" MACHINE("one", PSU "/>")
            MACHINE("two", PSU " id='a'" FAILS "/>" PSU " id='b' feeds='x'/>" CARD("x", "1", "200 W")) "</rig>"};
    for (int i = 0; i < 2; i++) {
        wsk_rig *rig;
        wsk_run *run = after(rigs[i], 3600, &rig);
        wsk_summary *all;
        assert_int_equal(wsk_run_summary(&all, run, 0), WSK_OK);
        const wsk_facts f = wsk_facts_of(all);
        const double mean = wsk_summary_number(all, WSK_R_NOISE, 0),
                     most = wsk_summary_number(all, WSK_R_NOISE_MAX, 0);
        assert_true(f.stopped && mean > 20 && most > mean + 5);
        assert_near(f.noise_dba, i ? most : mean + 10 * log10(6), 0.05);
        assert_true(f.noise_dba <= most);
        wsk_summary_free(all);
        wsk_test_drop(run, rig);
    }
}

/* A steady point has no time, so a PSU that fails at 0 s counts as failed. */
static void stands_still_at_a_steady_point(void **state)
{
    (void)state;
    wsk_rig *rig =
        wsk_test_rig(RIG("supply='230 V'", PSU " id='a' feeds='x' fails-at='0 s'/>" PSU " id='b'/>", LOADS), NULL);
    wsk_summary *s = NULL;
    assert_int_equal(wsk_steady_summary(&s, rig, WSK_STEPPER_FAST, 0, NULL), WSK_OK);
    const wsk_facts f = wsk_facts_of(s);
    wsk_said_list o = {.arena = wsk_arena_new()};
    wsk_say_verdict(&f, &o);
    assert_true(o.count > 0);
    assert_string_equal(wsk_said_english(o.arena, o.items[0]), "Without a the machine stands still.");
    assert_string_equal(wsk_summary_text(s, WSK_R_CASE_STOPPED_PSU, 0), "a");
    assert_near(wsk_summary_number(s, WSK_R_WALL_KWH, 0), 0, 1e-9);
    wsk_arena_free(o.arena);
    wsk_summary_free(s);
    wsk_rig_free(rig);
}

/* Every fan of a machine stands while the machine is without power, and turns again when it returns. */
static void fans_turn_again(void **state)
{
    (void)state;
    static const char *const rpm[] = {"f.rpm", "g.rpm"};
#define FAN(id, at) "<fan id='" id "' part='fan/generic-120-1500' at='" at "'/>"
    wsk_rig *rig =
        wsk_test_rig(RIG("supply='230 V'", PSU " id='a'/>" FAN("f", "front") FAN("g", "rear"), LOADS), NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 1800);
    double full[2];
    wsk_test_advance(run, 60);
    for (int i = 0; i < 2; i++)
        assert_true((full[i] = wsk_test_get(run, rpm[i])) > 0);
    assert_int_equal(wsk_run_set(run, "a.on", 0), WSK_OK);
    wsk_test_advance(run, 120);
    for (int i = 0; i < 2; i++)
        assert_near(wsk_test_get(run, rpm[i]), 0, 0);
    assert_int_equal(wsk_run_set(run, "a.on", 1), WSK_OK);
    wsk_test_advance(run, 180);
    for (int i = 0; i < 2; i++)
        assert_near(wsk_test_get(run, rpm[i]), full[i], 0);
    wsk_test_drop(run, rig);
}

/* A steady point costs what the energy of its window costs, without that of the time in which it settled. */
static void a_steady_point_costs_its_energy(void **state)
{
    (void)state;
    wsk_rig *rig =
        wsk_test_rig("<rig><site supply='230 V'><room temperature='21 degC'/><tariff kind='flat' price='0.25 "
                     "EUR/kWh'/></site><chassis>" PSU "/><load dc='400 W'/></chassis></rig>",
                     NULL);
    wsk_summary *all;
    assert_int_equal(wsk_steady_summary(&all, rig, WSK_STEPPER_FAST, 0, NULL), WSK_OK);
    assert_near(wsk_summary_number(all, WSK_R_COST, 0), 0.25 * wsk_summary_number(all, WSK_R_WALL_KWH, 0), 1e-9);
    wsk_summary_free(all);
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(redundant_and_failing),           cmocka_unit_test(failing_resumed),
        cmocka_unit_test(stops_without_the_psu_of_a_load), cmocka_unit_test(stops_alike_however_it_is_computed),
        cmocka_unit_test(starts_with_the_repaired_psu),    cmocka_unit_test(what_stopped_is_told),
        cmocka_unit_test(what_a_command_stops_is_told),    cmocka_unit_test(a_stopped_machine_is_not_quiet),
        cmocka_unit_test(stands_still_at_a_steady_point),  cmocka_unit_test(fans_turn_again),
        cmocka_unit_test(a_steady_point_costs_its_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
