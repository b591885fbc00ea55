/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A setting during a run (wsk_run_set) must have the same effect as the same statement in the rig. */
#include <stdio.h>
#include <string.h>

#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/step/step.h"
#include "tests/support/bench.h"

#define COOLER \
    "<cooler kind='blower' conductance='18 W/K' flow='60 m3/h' drop='120 Pa' diameter='65 mm' fan-pressure='400 " \
    "Pa' " \
    "fan-flow='80 m3/h' fan-rpm='3000 rpm' rpm-min='1000 rpm' capacity='600 J/K'/>"
#define CARD(id, slot, more) \
    "<gpu id='" id "' slot='" slot "' tdp='300 W' clock-max='1900 MHz' clock-min='300 MHz' clock-knee='1300 MHz' " \
    "voltage-slope='0.5 1/GHz' " more ">" COOLER "</gpu>"
#define FAN(more) "<fan id='rear' at='rear' pressure='40 Pa' flow='180 m3/h' rpm='1600 rpm' power='5 W' " more "/>"
#define PSU(id, more) \
    "<psu kind='constant' id='" id "' rated='1200 W' efficiency='90 %' redundant='yes' imbalance='0 %' " more "/>"
#define RIG(card, fan, psu, branch, work) \
    "<rig><site supply='230 V' circuit='16 A'><room temperature='25 degC'/><branch id='b' circuit='16 A' " branch \
    "/></site><chassis>" FAN(fan) "<fan at='front' count='2' pressure='40 Pa' flow='180 m3/h' rpm='1600 rpm'/>" PSU( \
        "p", psu) PSU("q", "on='b'") CARD("x", "1", card) CARD("y", "4", "") "</chassis>" work \
                                                                             "<run for='2 h' step='1 s'/></rig>"
#define BURN "<workload kind='constant' class='burn'/>"
#define PLAIN RIG("", "", "", "", BURN)

static wsk_run *steer(const char *xml, const char *name, double value, double until_s, wsk_rig **rig)
{
    *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(*rig, WSK_STEPPER_FAST, until_s);
    wsk_test_advance(run, 600);
    if (name)
        assert_int_equal(wsk_run_set(run, name, value), WSK_OK);
    wsk_test_advance(run, until_s);
    assert_true(wsk_residual(run) <= 1e-9);
    return run;
}

/* Checks that all variables of `b` have the same bits in `a`, which may have more variables. */
static void check_same(const wsk_run *a, const wsk_run *b, const char *what)
{
    for (int i = 0; i < b->variables->n; i++) {
        const double other = wsk_test_get(a, b->variables->all[i].name);
        if (memcmp(&other, &b->observer->value[i], sizeof other) != 0)
            fail_msg("%s: %s is %.17g and %.17g", what, b->variables->all[i].name, other, b->observer->value[i]);
    }
}

static void test_failures_as_scheduled(void **state)
{
    (void)state;
    static const struct {
        const char *xml, *name;
        double failed;
    } cases[] = {{RIG("fan-fails-at='10 min'", "", "", "", BURN), "x.fan_failed", 1},
                 {RIG("lost-at='10 min'", "", "", "", BURN), "x.off", 1},
                 {RIG("lost-at='10 min'", "", "", "", "<workload kind='training'/>"), "x.off", 1},
                 {RIG("", "fails-at='10 min'", "", "", BURN), "rear.failed", 1},
                 {RIG("", "", "fails-at='10 min'", "", BURN), "p.on", 0},
                 {RIG("", "", "", "fails-at='10 min'", BURN), "b.on", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_rig *scheduled, *commanded;
        const char *plain =
            strstr(cases[i].xml, "training") ? RIG("", "", "", "", "<workload kind='training'/>") : PLAIN;
        wsk_run *a = steer(cases[i].xml, NULL, 0, 1800, &scheduled);
        wsk_run *b = steer(plain, cases[i].name, cases[i].failed, 1800, &commanded);
        assert_near(wsk_test_get(a, cases[i].name), cases[i].failed, 0);
        check_same(a, b, cases[i].name);
        wsk_test_drop(a, scheduled);
        wsk_test_drop(b, commanded);
    }
}

static void test_returns(void **state)
{
    (void)state;
    static const struct {
        const char *xml, *name;
        double well;
    } cases[] = {{RIG("fan-fails-at='10 min'", "", "", "", BURN), "x.fan_failed", 0},
                 {RIG("lost-at='10 min'", "", "", "", BURN), "x.off", 0},
                 {RIG("", "fails-at='10 min'", "", "", BURN), "rear.failed", 0},
                 {RIG("", "", "fails-at='10 min'", "", BURN), "p.on", 1},
                 {RIG("", "", "", "fails-at='10 min'", BURN), "b.on", 1}};
    wsk_rig *rig, *well_rig;
    wsk_run *well = steer(PLAIN, NULL, 0, 9000, &well_rig);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rig = wsk_test_rig(cases[i].xml, NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 9000);
        wsk_test_advance(run, 610);
        assert_near(wsk_test_get(run, cases[i].name), 1 - cases[i].well, 0);
        assert_int_equal(wsk_run_set(run, cases[i].name, cases[i].well), WSK_OK);
        wsk_test_advance(run, 9000);
        assert_near(wsk_test_get(run, cases[i].name), cases[i].well, 0);
        static const char *const told[] = {"x.die_c", "y.die_c", "wall_w", "case.air_c"};
        for (size_t k = 0; k < sizeof told / sizeof *told; k++)
            assert_near(wsk_test_get(run, told[k]), wsk_test_get(well, told[k]), 0.5);
        assert_true(wsk_residual(run) <= 1e-9);
        wsk_test_drop(run, rig);
    }
    wsk_test_drop(well, well_rig);
}

static void test_mains_returns(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(PLAIN, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    wsk_test_advance(run, 600);
    assert_int_equal(wsk_run_set(run, "p.on", 0), WSK_OK);
    assert_int_equal(wsk_run_set(run, "b.on", 0), WSK_OK);
    wsk_test_advance(run, 610);
    assert_near(wsk_test_get(run, "wall_w"), 0, 0);
    assert_near(wsk_test_get(run, "x.off"), 1, 0);
    assert_near(wsk_test_get(run, "rear.rpm"), 0, 0);
    assert_int_equal(wsk_run_set(run, "x.off", 0), WSK_EINPUT); /* a card cannot be switched on without mains */
    assert_int_equal(wsk_run_set(run, "p.on", 1), WSK_OK);
    wsk_test_advance(run, 700);
    assert_near(wsk_test_get(run, "x.off"), 0, 0);
    assert_near(wsk_test_get(run, "rear.rpm"), 1600, 0);
    assert_true(wsk_test_get(run, "x.power_w") > 200);
    assert_true(wsk_residual(run) <= 1e-9);
    wsk_test_drop(run, rig);
}

#define COOLED \
    "<rig><site supply='230 V' circuit='16 A'><room volume='60 m3' temperature='25 degC' conductance='50 W/K'>" \
    "<air-conditioner capacity='3 kW' setpoint='24 degC'/></room></site><chassis>" FAN("") \
        CARD("x", "1", "") "</chassis>" BURN "<run for='2 h' step='1 s'/></rig>"

/* An order that sets a variable to the value that it has already changes nothing: if each order is given twice, the run
 * has the same bits. */
static void test_orders_twice(void **state)
{
    (void)state;
    static const struct {
        const char *xml, *name;
        double first, second;
    } cases[] = {{PLAIN, "rear.failed", 1, 0}, {PLAIN, "p.on", 0, 1},   {PLAIN, "b.on", 0, 1},
                 {PLAIN, "x.off", 1, 0},       {COOLED, "ac_on", 0, 1}, {COOLED, "circuit.on", 0, 1},
                 {PLAIN, "rear.failed", 0, 1}, {PLAIN, "p.on", 1, 0},   {COOLED, "ac_on", 1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_run *runs[2];
        wsk_rig *rig = wsk_test_rig(cases[i].xml, NULL);
        for (int twice = 0; twice < 2; twice++) {
            runs[twice] = wsk_test_run(rig, WSK_STEPPER_FAST, 1800);
            for (int k = 0; k < 2; k++) {
                wsk_test_advance(runs[twice], 300 * (k + 1));
                for (int n = 0; n <= twice; n++)
                    assert_int_equal(wsk_run_set(runs[twice], cases[i].name, k ? cases[i].second : cases[i].first),
                                     WSK_OK);
                wsk_test_advance(runs[twice], 300 * (k + 1) + 60);
                assert_near(wsk_test_get(runs[twice], cases[i].name), k ? cases[i].second : cases[i].first, 0);
            }
            wsk_test_advance(runs[twice], 1200);
        }
        check_same(runs[0], runs[1], cases[i].name);
        assert_int_equal(runs[0]->events.len, runs[1]->events.len);
        wsk_run_free(runs[0]);
        wsk_test_drop(runs[1], rig);
    }
}

/* A fan keeps its set speed through a failure. A fan that is repaired while the machine has no mains turns again when
 * the mains return; a fan that is still broken does not. */
static void test_fan_returns(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = steer(PLAIN, "rear.percent", 50, 700, &rig);
    const double rpm[] = {0, 800};
    for (int well = 0; well < 2; well++) {
        assert_int_equal(wsk_run_set(run, "rear.failed", !well), WSK_OK);
        wsk_test_advance(run, 800 + 100 * well);
        assert_near(wsk_test_get(run, "rear.rpm"), rpm[well], 1e-9);
    }
    for (int well = 0; well < 2; well++) {
        assert_int_equal(wsk_run_set(run, "rear.failed", 1), WSK_OK);
        assert_int_equal(wsk_run_set(run, "p.on", 0), WSK_OK);
        assert_int_equal(wsk_run_set(run, "q.on", 0), WSK_OK);
        wsk_test_advance(run, 1000 + 200 * well);
        if (well)
            assert_int_equal(wsk_run_set(run, "rear.failed", 0), WSK_OK);
        assert_near(wsk_test_get(run, "rear.rpm"), 0, 0);
        assert_int_equal(wsk_run_set(run, "q.on", 1), WSK_OK);
        wsk_test_advance(run, 1100 + 200 * well);
        assert_near(wsk_test_get(run, "rear.rpm"), rpm[well], 1e-9);
        assert_near(wsk_test_get(run, "x.off"), 0, 0);
    }
    wsk_test_drop(run, rig);
}

/* A machine is on if its PSUs and their circuits give it mains; it starts as soon as they do again. */
static void test_circuits_return(void **state)
{
    (void)state;
    static const struct {
        const char *orders; /* pairs of a name and 0 or 1 */
        double off;
    } steps[] = {{"circuit.on 0 b.on 0", 1},
                 {"b.on 1", 0},
                 {"circuit.on 1 p.on 0 q.on 0", 1},
                 {"b.on 0", 1},
                 {"b.on 1", 1}, /* the circuit is well again, its PSU is not */
                 {"q.on 1", 0},
                 {"p.on 1 b.on 0", 0},
                 {"p.on 0", 1},
                 {"p.on 1", 0}};
    wsk_rig *rig = wsk_test_rig(PLAIN, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    double at_s = 60;
    wsk_test_advance(run, at_s);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        char name[32];
        int value, used;
        for (const char *o = steps[i].orders; sscanf(o, "%31s %d%n", name, &value, &used) == 2; o += used)
            assert_int_equal(wsk_run_set(run, name, value), WSK_OK);
        wsk_test_advance(run, at_s += 20);
        if (wsk_test_get(run, "x.off") != steps[i].off)
            fail_msg("%s: the card is %s", steps[i].orders, steps[i].off ? "on" : "off");
        assert_true((wsk_test_get(run, "wall_w") > 0) == !steps[i].off);
    }
    assert_true(wsk_residual(run) <= 1e-9);
    wsk_test_drop(run, rig);
}

#define MACHINE(id, more) "<chassis id='" id "'><vent at='front' area='200 cm2'/>" more "</chassis>"

/* The machine that loses its mains stops, the other runs on, also if the stopped one has no PSU: it is then fed by the
 * first circuit. */
static void test_one_of_two(void **state)
{
    (void)state;
    static const struct {
        const char *xml, *circuit;
    } cases[] = {{"<rig><site supply='230 V' circuit='16 A'><room temperature='25 degC'/><branch id='b' circuit='16 "
                  "A'/></site>" MACHINE("m", PSU("p", "on='b'") CARD("x", "1", ""))
                      MACHINE("n", PSU("q", "") CARD("y", "1", "")) BURN "<run for='2 h' step='1 s'/></rig>",
                  "b.on"},
                 {"<rig><site supply='230 V' circuit='16 A'><room temperature='25 degC'/><branch id='b' circuit='16 "
                  "A'/></site>" MACHINE("m", CARD("x", "1", "")) MACHINE("n", PSU("q", "on='b'") CARD("y", "1", ""))
                      BURN "<run for='2 h' step='1 s'/></rig>",
                  "circuit.on"}};
    for (size_t i = 0; i < 2; i++) {
        wsk_rig *rig = wsk_test_rig(cases[i].xml, NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
        wsk_test_advance(run, 300);
        const double wall_w = wsk_test_get(run, "wall_w");
        assert_int_equal(wsk_run_set(run, cases[i].circuit, 0), WSK_OK);
        wsk_test_advance(run, 310);
        assert_near(wsk_test_get(run, "x.off"), 1, 0);
        assert_near(wsk_test_get(run, "x.power_w"), 0, 0);
        assert_near(wsk_test_get(run, "y.off"), 0, 0);
        assert_near(wsk_test_get(run, "wall_w"), wall_w / 2, 0.1 * wall_w);
        assert_int_equal(wsk_run_set(run, cases[i].circuit, 1), WSK_OK);
        wsk_test_advance(run, 3600);
        assert_near(wsk_test_get(run, "x.off"), 0, 0);
        assert_near(wsk_test_get(run, "wall_w"), wall_w, 0.02 * wall_w);
        assert_true(wsk_residual(run) <= 1e-9);
        wsk_test_drop(run, rig);
    }
}

static void test_lock(void **state)
{
    (void)state;
    wsk_rig *of_rig, *free_rig;
    wsk_run *rigs = wsk_test_run_to(RIG("lock-clock='1000 MHz'", "", "", "", BURN), 1200, &of_rig);
    free_rig = wsk_test_rig(PLAIN, NULL);
    wsk_run *set = wsk_test_run(free_rig, WSK_STEPPER_FAST, 9000);
    assert_int_equal(wsk_run_set(set, "x.lock_high_mhz", 1000), WSK_OK);
    wsk_test_advance(set, 1200);
    assert_near(wsk_test_get(set, "x.clock_mhz"), 1000, 1e-6);
    assert_near(wsk_test_get(set, "x.power_w"), wsk_test_get(rigs, "x.power_w"), 0.05);
    assert_int_equal((int)wsk_test_get(set, "x.reasons"), 2);
    assert_int_equal(wsk_run_set(set, "x.lock_high_mhz", NAN), WSK_OK);
    wsk_test_advance(set, 1201);
    assert_true(wsk_test_get(set, "x.clock_mhz") > 1010);
    assert_true(isnan(wsk_test_get(set, "x.lock_high_mhz")));
    wsk_test_drop(rigs, of_rig);
    wsk_test_drop(set, free_rig);
}

static void test_jobs(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(PLAIN, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 9000);
    wsk_test_advance(run, 600);
    const double full_w = wsk_test_get(run, "x.power_w"), full = wsk_test_get(run, "x.work_rel");
    assert_int_equal(wsk_run_set(run, "x.utilisation", 0), WSK_OK);
    wsk_test_advance(run, 601);
    const double idle_w = wsk_test_get(run, "x.power_w");
    assert_true(idle_w < 0.2 * full_w);
    assert_near(wsk_test_get(run, "x.work_rel"), 0, 0);
    assert_near(wsk_test_get(run, "x.utilisation"), 0, 0);
    assert_near(wsk_test_get(run, "y.work_rel"), full, 0.02);
    assert_int_equal(wsk_run_set(run, "x.utilisation", 0.5), WSK_OK);
    wsk_test_advance(run, 602);
    assert_near(wsk_test_get(run, "x.work_rel"), 0.5 * full, 0.02);
    assert_near(wsk_test_get(run, "x.power_w"), 0.5 * (idle_w + full_w), 0.05 * full_w);
    assert_int_equal(wsk_run_set(run, "x.utilisation", NAN), WSK_OK);
    wsk_test_advance(run, 700);
    assert_near(wsk_test_get(run, "x.work_rel"), full, 0.02);
    assert_true(wsk_residual(run) <= 1e-9);
    wsk_test_drop(run, rig);
}

static void test_case_fan(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = steer(PLAIN, "rear.percent", 50, 1200, &rig);
    assert_near(wsk_test_get(run, "rear.rpm"), 800, 1e-9);
    assert_int_equal(wsk_run_set(run, "rear.percent", NAN), WSK_OK);
    wsk_test_advance(run, 1201);
    assert_near(wsk_test_get(run, "rear.rpm"), 1600, 1e-9);
    wsk_test_drop(run, rig);
}

static void test_restored(void **state)
{
    (void)state;
    static const char *const names[] = {"x.lock_high_mhz", "y.utilisation", "rear.percent", "p.on", "x.fan_failed"};
    static const double values[] = {1100, 0.3, 40, 0, 1};
    wsk_rig *rig = wsk_test_rig(PLAIN, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600), *again = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    wsk_test_advance(run, 300);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(wsk_run_set(run, names[i], values[i]), WSK_OK);
    wsk_test_advance(run, 900);
    size_t len;
    char *bytes = wsk_test_save(run, &len);
    assert_int_equal(wsk_run_restore(again, bytes, len), WSK_OK);
    wsk_text_free(bytes);
    wsk_test_advance(run, 1800);
    wsk_test_advance(again, 1800);
    check_same(run, again, "restored");
    wsk_run_free(again);
    wsk_test_drop(run, rig);
}

/* A run is saved in the middle of a minute, right after a setting. Energy since the last full minute is not booked yet
 * and must be booked with the speeds before the setting. With leaps the next one must begin at the same tick. */
static void check_restored_at_once(const char *name, double value, bool leap)
{
    wsk_rig *rig = wsk_test_rig(PLAIN, NULL);
    const wsk_run_options options = {.duration_s = 3600, .leap = leap};
    wsk_run *run = NULL, *again = NULL;
    size_t len, more;
    assert_int_equal(wsk_run_new(&run, rig, &options), WSK_OK);
    assert_int_equal(wsk_run_new(&again, rig, &options), WSK_OK);
    wsk_test_advance(run, 625);
    assert_int_equal(wsk_run_set(run, name, value), WSK_OK);
    char *bytes = wsk_test_save(run, &len);
    assert_int_equal(wsk_run_restore(again, bytes, len), WSK_OK);
    wsk_text_free(bytes);
    wsk_test_advance(run, 1800);
    wsk_test_advance(again, 1800);
    assert_true(wsk_residual(again) <= 1e-9);
    bytes = wsk_test_save(run, &len);
    char *other = wsk_test_save(again, &more);
    if (len != more || memcmp(bytes, other, len) != 0)
        fail_msg("%s = %g%s: the restored run differs", name, value, leap ? ", with leaps" : "");
    wsk_text_free(bytes);
    wsk_text_free(other);
    wsk_run_free(again);
    wsk_test_drop(run, rig);
}

static void test_restored_at_once(void **state)
{
    (void)state;
    for (int leap = 0; leap <= 1; leap++) {
        check_restored_at_once("rear.percent", 30, leap);
        check_restored_at_once("rear.failed", 1, leap);
        check_restored_at_once("x.fan_failed", 1, leap);
        check_restored_at_once("p.on", 0, leap);
        check_restored_at_once("circuit.on", 0, leap);
    }
}

/* Setting NAN restores the power limit of the rig, or of its limit-schedule. */
static void test_limit_released(void **state)
{
    (void)state;
    static const struct {
        const char *xml;
        double before_w, after_w;
    } rigs[] = {{PLAIN, 300, 300}, {RIG("limit-schedule='0:00:200 W, 0:20:250 W'", "", "", "", BURN), 200, 250}};
    for (size_t i = 0; i < sizeof rigs / sizeof *rigs; i++) {
        wsk_rig *rig = wsk_test_rig(rigs[i].xml, NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
        wsk_test_advance(run, 60);
        assert_near(wsk_test_get(run, "x.power_limit_w"), rigs[i].before_w, 1e-9);
        assert_int_equal(wsk_run_set(run, "x.power_limit_w", 160), WSK_OK);
        wsk_test_advance(run, 120);
        assert_near(wsk_test_get(run, "x.power_limit_w"), 160, 1e-9);
        assert_int_equal(wsk_run_set(run, "x.power_limit_w", NAN), WSK_OK);
        assert_near(wsk_test_get(run, "x.power_limit_w"), rigs[i].before_w, 1e-9);
        wsk_test_advance(run, 180);
        assert_near(wsk_test_get(run, "x.power_limit_w"), rigs[i].before_w, 1e-9);
        wsk_test_advance(run, 1500);
        assert_near(wsk_test_get(run, "x.power_limit_w"), rigs[i].after_w, 1e-9);
        wsk_test_drop(run, rig);
    }
}

/* A card that was switched off starts again without the clock limits that its governors had set before. */
static void test_returns_cold(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(PLAIN, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 7200);
    wsk_test_advance(run, 600);
    assert_int_equal(wsk_run_set(run, "x.fan_failed", 1), WSK_OK);
    double t = 600;
    while (wsk_test_get(run, "x.off") == 0 && t < 5000)
        wsk_test_advance(run, t += 5);
    assert_true(t < 5000);
    assert_int_equal(wsk_run_set(run, "x.fan_failed", 0), WSK_OK);
    wsk_test_advance(run, t += 120);
    assert_int_equal(wsk_run_set(run, "x.off", 0), WSK_OK);
    wsk_test_advance(run, t += 3);
    assert_true(wsk_test_get(run, "x.die_c") < 70);
    assert_int_equal((int)wsk_test_get(run, "x.reasons") & 0x60, 0);
    char *page;
    assert_int_equal(wsk_run_summary_text(run, &page), WSK_OK);
    assert_null(strstr(page, "Failure")); /* all failed parts work again */
    wsk_text_free(page);
    wsk_test_drop(run, rig);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double value;
    } wrong[] = {{"x.lock_high_mhz", 200},
                 {"x.lock_high_mhz", 5000},
                 {"x.utilisation", 1.1},
                 {"x.utilisation", -0.1},
                 {"x.clock_mhz", 1e6},
                 {"x.clock_mhz", INFINITY},
                 {"x.fan_rpm", 1e6},
                 {"x.fan_rpm", INFINITY},
                 {"x.power_w", 1e9},
                 {"x.power_limit_w", INFINITY},
                 {"room.air_c", -300},
                 {"room.air_c", 500},
                 {"x.off", 0.5},
                 {"x.off", NAN},
                 {"x.fan_failed", 2},
                 {"rear.percent", 101},
                 {"rear.percent", -1},
                 {"rear.failed", NAN},
                 {"p.on", 2},
                 {"p.on", NAN},
                 {"p.load", 1},
                 {"circuit.on", 0.5},
                 {"ac_on", 0},
                 {"room.air_c", NAN},
                 {"z.off", 1},
                 {"x.die_c", 50},
                 {"wall_w", 1},
                 {"", 1}};
    wsk_rig *rig = wsk_test_rig(PLAIN, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 600), *other = wsk_test_run(rig, WSK_STEPPER_FAST, 600);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (wsk_run_set(run, wrong[i].name, wrong[i].value) != WSK_EINPUT)
            fail_msg("%s = %g is not refused", wrong[i].name, wrong[i].value);
    wsk_test_advance(run, 600);
    wsk_test_advance(other, 600);
    check_same(run, other, "refused");
    wsk_run_free(other);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_failures_as_scheduled),
                                       cmocka_unit_test(test_returns),
                                       cmocka_unit_test(test_mains_returns),
                                       cmocka_unit_test(test_orders_twice),
                                       cmocka_unit_test(test_fan_returns),
                                       cmocka_unit_test(test_circuits_return),
                                       cmocka_unit_test(test_one_of_two),
                                       cmocka_unit_test(test_lock),
                                       cmocka_unit_test(test_jobs),
                                       cmocka_unit_test(test_case_fan),
                                       cmocka_unit_test(test_restored),
                                       cmocka_unit_test(test_restored_at_once),
                                       cmocka_unit_test(test_limit_released),
                                       cmocka_unit_test(test_returns_cold),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
