/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long the battery of a UPS lasts: docs/theory/power.md, "UPS battery". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/books/books.h"
#include "sim/step/step.h"
#include "sim/study/spread/bands.h"
#include "tests/verify/circuits.h"

/* The UPS runs for (E age eff / (P H))^k H hours, where E is the battery's energy in Wh, age the share of it that is
 * left, eff the efficiency, P the load in W, H the hours at which E is rated and k Peukert's exponent. A new battery
 * of 500 Wh at 90 % lasts 500 * 0.9 / P with k = 1, and 20 (450 / 20 P)^1.25 with k = 1.25 and H = 20. The machine
 * runs for that time after its circuit has failed. */
static void battery(void **state)
{
    (void)state;
    wsk_rig *rig;
    double spread;
    wsk_run *run = wsk_test_run_to(
        SITE("<branch id='b2' circuit='15 A' fails-at='10 min'><ups rated='1500 W' battery='500 Wh' "
             "battery-age='100 %' battery-efficiency='90 %' peukert='1' battery-spread='20 %'/></branch>")
            IDEAL("on='b2'") "<load dc='900 W'/>" END,
        7200, &rig);
    assert_near((double)run->lines[1].dark_ns / 1e9, 600 + 0.5 * 3600, 1e-6);
    assert_near(wsk_sum_value(&run->supplies[0].wall), 900 * 2400.0, 1e-3);
    assert_near(wsk_ups_minutes(run, 1, &spread), 30, 1e-6);
    assert_near(spread, 6, 1e-6);
    assert_true(wsk_residual(run) <= 1e-9);
    wsk_test_drop(run, rig);
    /* Between UPS and machine a strip of 90 % takes a tenth of what the battery gives. */
    run = wsk_test_run_to(
        SITE("<branch id='b2' circuit='15 A' fails-at='10 min'><ups rated='1500 W' battery='500 Wh' "
             "battery-age='100 %' battery-efficiency='90 %' peukert='1'/>"
             "<pdu rated='900 W' efficiency='90 %'/></branch>") IDEAL("on='b2'") "<load dc='900 W'/>" END,
        7200, &rig);
    assert_near((double)run->lines[1].dark_ns / 1e9, 600 + 0.45 * 3600, 1e-6);
    assert_near(wsk_ups_minutes(run, 1, &spread), 27, 1e-6);
    wsk_test_drop(run, rig);
    run = wsk_test_run_to(
        "<rig><site><room temperature='21 degC'/><ups rated='1500 W' battery='500 Wh' battery-age='100 %' "
        "battery-efficiency='90 %' peukert='1.25'/></site><chassis>" GRID IDEAL("") "<load dc='225 W'/>" END,
        60, &rig);
    assert_near(wsk_ups_minutes(run, 0, &spread), 60 * 20 * pow(450.0 / (225 * 20), 1.25), 1e-6);
    wsk_test_drop(run, rig);
    /* A machine without a PSU element draws what its parts draw. */
    run = wsk_test_run_to(
        "<rig><site><room temperature='21 degC'/><ups rated='1500 W' battery='500 Wh' battery-age='100 %' "
        "battery-efficiency='90 %' peukert='1.25'/></site><chassis>" GRID "<load dc='225 W'/>" END,
        60, &rig);
    assert_near(wsk_ups_minutes(run, 0, &spread), 60 * 20 * pow(450.0 / (225 * 20), 1.25), 1e-6);
    wsk_test_drop(run, rig);
    /* The runtime is limited to the 20 h for which the battery is rated; 10 W would last 58 h by Peukert's law. */
    run = wsk_test_run_to(
        "<rig><site><room temperature='21 degC'/><ups rated='1500 W' battery='500 Wh' battery-age='100 %' "
        "battery-efficiency='90 %' peukert='1.25'/></site><chassis>" GRID IDEAL("") "<load dc='10 W'/>" END,
        60, &rig);
    assert_near(wsk_ups_minutes(run, 0, &spread), 60 * 20, 1e-6);
    assert_true(isnan(spread));
    wsk_test_drop(run, rig);
    run =
        wsk_test_run_to(SITE("<branch id='b2' circuit='15 A' fails-at='10 min'><ups rated='1500 W' battery='500 Wh' "
                             "battery-age='100 %' battery-efficiency='90 %' peukert='1.25'/></branch>")
                            IDEAL("on='b2'") "<load dc='10 W'/>" END,
                        3600, &rig);
    assert_near((double)run->lines[1].dark_ns / 1e9, 600 + 20 * 3600, 1e-6);
    wsk_test_drop(run, rig);
}

/* A machine on the only circuit stops when the battery is empty, not at the next full minute. */
static void battery_of_the_only_circuit(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig("<rig><site supply='120 V'><room temperature='21 degC'/><ups rated='1500 W' "
                                "battery='500 Wh' battery-age='100 %' battery-efficiency='90 %' "
                                "peukert='1'/></site><chassis>" GRID IDEAL("") "<load dc='910 W'/>" END,
                                NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    wsk_test_advance(run, 600);
    assert_int_equal(wsk_run_set(run, "circuit.on", 0), WSK_OK);
    wsk_test_advance(run, 3600);
    assert_near(wsk_sum_value(&run->supplies[0].wall), 910 * 600 + 0.9 * 500 * 3600, 1e-3);
    wsk_test_drop(run, rig);
}

/* The computed runtimes differ by at most battery-spread from a maker's table of runtimes by load
 * (docs/theory/power.md, "UPS battery"). */
static void published_runtimes(void **state)
{
    (void)state;
    static const struct {
        double label_wh, load_w, minutes;
    } rows[] = {{408, 143, 99}, {408, 286, 42}, {288, 143, 47}, {288, 286, 19}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char xml[1024];
        wsk_rig *rig;
        double spread;
        char load[32];
        snprintf(load, sizeof load, "<load dc='%g W'/>", rows[i].load_w);
        snprintf(xml, sizeof xml,
                 "<rig><site><room temperature='21 degC'/><ups rated='1500 W' battery='%g Wh' battery-age='100 %%'/>"
                 "</site><chassis>%s%s%s",
                 rows[i].label_wh, GRID IDEAL(""), load, END);
        wsk_run *run = wsk_test_run_to(xml, 60, &rig);
        double minutes = wsk_ups_minutes(run, 0, &spread);
        if (!(fabs(minutes - rows[i].minutes) <= spread))
            fail_msg("%g Wh at %g W: %.1f +- %.1f min; the maker says %g", rows[i].label_wh, rows[i].load_w, minutes,
                     spread, rows[i].minutes);
        wsk_test_drop(run, rig);
    }
}

/* Two redundant PSUs share 131 W. Circuit b2 has a battery of 131 Wh. After b3 has failed too, the rest of the battery
 * carries the whole load. */
static void battery_follows_its_load(void **state)
{
    (void)state;
#define LOST_AT(b2, b3) \
    SITE("<branch id='b2' circuit='15 A' fails-at='" b2 \
         "'><ups rated='1500 W' battery='131 Wh' battery-age='100 %' " \
         "battery-efficiency='100 %' peukert='1'/></branch><branch id='b3' circuit='15 A' fails-at='" b3 "'/>") \
    IDEAL("redundant='yes' imbalance='0 %' on='b2'") \
    IDEAL("redundant='yes' imbalance='0 %' on='b3'") "<load dc='131 W'/>" END
    static const struct {
        const char *xml;
        double stops_min;
    } of[] = {{LOST_AT("0 s", "0 s"), 60},
              {LOST_AT("10 min", "10 min"), 70},
              {LOST_AT("10 min", "40 min"), 40 + (131 - 131.0 / 4) / 131 * 60}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(of[i].xml, 7200, &rig);
        assert_int_equal(run->cases[0].cpu_off, WSK_DARK);
        assert_near((double)wsk_stopped_by(run, 0).at_ns / 1e9, of[i].stops_min * 60, 0.1);
        assert_near(wsk_sum_value(&run->books->ledger.wall), 131 * of[i].stops_min * 60, 20);
        wsk_test_drop(run, rig);
    }
}

/* A run with start="steady" whose circuit has no mains from the beginning. With the battery of a UPS it begins with the
 * same temperatures as with mains, because the machine works. Without a battery it begins with those of a machine that
 * is off. */
static void settled_on_the_battery(void **state)
{
    (void)state;
#define SETTLED(fails, ups) \
    SITE("<branch id='b2' circuit='15 A' " fails ">" ups "</branch>") \
    IDEAL("on='b2'") \
    "<gpu id='x' slot='1' slots='1' tdp='250 W' power='200 W' part='gpu/generic' fan='100 %'>" \
    "<cooler kind='blower' part='cooler/generic-blower'/></gpu></chassis><run for='2 h' start='steady'/></rig>"
#define BATTERY "<ups rated='1500 W' battery='500 Wh'/>"
    static const char *const of[] = {SETTLED("", BATTERY), SETTLED("fails-at='0 s'", BATTERY),
                                     SETTLED("fails-at='0 s'", "")};
    double die_c[3];
    for (size_t i = 0; i < 3; i++) {
        wsk_rig *rig = wsk_test_rig(of[i], NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 7200);
        wsk_test_advance(run, 1);
        die_c[i] = wsk_test_get(run, "x.die_c");
        wsk_test_drop(run, rig);
    }
    assert_near(die_c[1], die_c[0], 1e-3);
    assert_true(die_c[2] < die_c[0] - 10);
}

typedef struct {
    wsk_bands bands;
    bool on_battery, stopped;
    double below_w; /* mean power at the wall less the lower end of its range */
    char verdict[2000];
} outcome;

static outcome run_with(const char *branch)
{
    char xml[2000];
    snprintf(
        xml, sizeof xml,
        "<rig><site supply='230 V' circuit='16 A'><room temperature='25 degC'/>%s</site>"
        "<chassis part='chassis/full-tower-8-slot'><fan part='fan/generic-120-1500' at='front' count='3'/>"
        "<psu part='psu/tier-gold-1600' on='b2'/><cpu part='cpu/generic-desktop'/>"
        "<gpu part='gpu/rtx-3090-blower' slot='1'/></chassis><workload class='training'/><run for='20 min'/></rig>",
        branch);
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 1200);
    wsk_summary *s = NULL;
    wsk_test_advance(run, 1200);
    assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
    assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
    outcome o = {.bands = *run->bands,
                 .on_battery = wsk_summary_flag(s, WSK_R_BRANCH_ON_BATTERY, 0),
                 .stopped = wsk_summary_number(s, WSK_R_MACHINES_STOPPED, 0) > 0,
                 .below_w = wsk_summary_wall_w(s) - wsk_summary_number(s, WSK_R_WALL_LOW, 0)};
    snprintf(o.verdict, sizeof o.verdict, "%s", wsk_summary_text(s, WSK_R_VERDICT, 0));
    wsk_summary_free(s);
    wsk_test_drop(run, rig);
    return o;
}

/* While the battery of a UPS carries a machine, the ranges of its run are those of a run with mains, and the machine
 * does not count as stopped. Once a machine is off, its power is certain, which halves the range in watts if it is off
 * for half of the run. */
static void ranges_on_the_battery(void **state)
{
    (void)state;
#define LOST(at, more) "<branch id='b2' circuit='16 A' fails-at='" at "'>" more "</branch>"
    const outcome never = run_with("<branch id='b2' circuit='16 A'><ups rated='2 kW' battery='5 kWh'/></branch>"),
                  first = run_with(LOST("0 s", "<ups rated='2 kW' battery='5 kWh'/>")),
                  later = run_with(LOST("5 min", "<ups rated='2 kW' battery='5 kWh'/>")),
                  mains = run_with("<branch id='b2' circuit='16 A'/>"), none = run_with(LOST("10 min", ""));
    const outcome *const on[] = {&first, &later};
    assert_true(never.bands.below.wall_rel > 0.01 && never.bands.throttles < 0.5);
    assert_false(never.on_battery);
    for (int i = 0; i < 2; i++) {
        assert_true(on[i]->on_battery && !on[i]->stopped);
        assert_near(on[i]->bands.below.wall_rel, never.bands.below.wall_rel, 1e-9);
        assert_near(on[i]->bands.throttles, never.bands.throttles, 1e-9);
        assert_non_null(strstr(on[i]->verdict, "its UPS carries its load"));
    }
    assert_true(none.stopped && !none.on_battery);
    assert_near(none.below_w, 0.5 * mains.below_w, 0.1 * mains.below_w);
    assert_near(none.bands.throttles, never.bands.throttles, 1e-9);
}

/* The mean load counts only the times with mains, also after the mains have returned. */
static void minutes_after_a_return(void **state)
{
    (void)state;
    double spread;
    wsk_rig *rig =
        wsk_test_rig(SITE("<ups rated='1500 W' battery='500 Wh' battery-age='100 %' battery-efficiency='90 %' "
                          "peukert='1'/>") IDEAL("") "<load dc='900 W'/>" END,
                     NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 5400);
    wsk_test_advance(run, 600);
    assert_int_equal(wsk_run_set(run, "circuit.on", 0), WSK_OK);
    wsk_test_advance(run, 3600);
    assert_int_equal(run->lines[0].dark, 1);
    assert_near(wsk_ups_minutes(run, 0, &spread), 30, 1e-6);
    assert_int_equal(wsk_run_set(run, "circuit.on", 1), WSK_OK);
    wsk_test_advance(run, 5400);
    assert_near(wsk_ups_minutes(run, 0, &spread), 30, 1e-6);
    wsk_test_drop(run, rig);
}

/* Of 500 W a strip of 95 % at 1000 W takes 1000 (1/0.95 - 1) 0.5^2 W, which the page tells beside the PSU, as that of
 * a UPS of a constant 90 %. */
static void losses_before_the_psu_are_told(void **state)
{
    (void)state;
#define BEHIND(feeds) \
    "<rig><site supply='120 V'><room temperature='21 degC'/>" feeds \
    "</site><chassis>" GRID IDEAL("") "<load dc='500 W'/>" END
#define STRIP "<pdu rated='1000 W' efficiency='95 %'/>"
#define EVEN_UPS "<ups rated='1000 W' efficiency-25='90 %' efficiency-100='90 %'/>"
    const double strip_w = 1000 * (1 / 0.95 - 1) / 4, ups_w = 500 / 0.9 - 500, both_w = (500 + strip_w) / 0.9 - 500;
    const struct {
        const char *xml, *name;
        double lost_w;
    } of[] = {{BEHIND(STRIP), "PDU)", strip_w},
              {BEHIND(EVEN_UPS), "UPS)", ups_w},
              {BEHIND(EVEN_UPS STRIP), "UPS and PDU)", both_w}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(of[i].xml, 7200, &rig);
        char *page, told[80];
        assert_int_equal(wsk_run_summary_text(run, &page), WSK_OK);
        snprintf(told, sizeof told, "kWh lost in the PSU, %.3g in the %s", of[i].lost_w * 2 / 1000, of[i].name);
        if (!strstr(page, told))
            fail_msg("no \"%s\" in:\n%s", told, page);
        wsk_text_free(page);
        wsk_test_drop(run, rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_before_the_psu_are_told), cmocka_unit_test(battery),
        cmocka_unit_test(battery_of_the_only_circuit),    cmocka_unit_test(published_runtimes),
        cmocka_unit_test(battery_follows_its_load),       cmocka_unit_test(settled_on_the_battery),
        cmocka_unit_test(ranges_on_the_battery),          cmocka_unit_test(minutes_after_a_return)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
