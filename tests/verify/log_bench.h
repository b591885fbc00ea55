/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A log of an hour of one card, at one power and speed of the fan unless a test changes them, and its replay
 * (sim/study/calibrate/thermal.h). */
#ifndef WSK_TESTS_LOG_BENCH_H
#define WSK_TESTS_LOG_BENCH_H
#include <math.h>
#include <string.h>

#include "sim/api.h"
#include "sim/study/calibrate/calibrate.h"
#include "sim/study/calibrate/thermal.h"
#include "tests/support/bench.h"

enum { BINS = 120 };
static const double bin_s = 30, power_w = 200, res_k_w = 0.05;

/* One card in an open case with three fans. host: more elements of the case; cooler: the card's. */
#define LOG_RIG(host, gpu, cooler, workload) \
    "<rig><site supply='230 V'><room temperature='22 degC'/></site><chassis><vent at='front' area='1900 cm2'/>" \
    "<vent at='rear' area='1900 cm2'/><fan part='fan/generic-120-1500' at='front' count='3'/>" \
    "<psu kind='constant' rated='1000 W' efficiency='90 %'/>" host \
    "<gpu id='g' slot='1' tdp='250 W' die-resistance='0.05 K/W' clock-max='1900 MHz' clock-knee='1400 MHz' " \
    "voltage-slope='0.6 1/GHz' idle='20 W'" gpu ">" cooler "</gpu></chassis>" workload "<run for='1 h'/></rig>"
#define BLOWER \
    "<cooler kind='blower' conductance='8 W/K' flow='16 CFM' capacity='500 J/K' fan-pressure='320 Pa' " \
    "fan-flow='29 CFM' fan-rpm='4000 rpm'/>"
#define OPEN_AIR "<cooler part='cooler/class-open-air-300'/>"
/* Passive cards behind a fan that follows them: 30 % of 10000 rpm at 40 degC, one per cent more for each kelvin up to
 * 70 %, at least 35 %; it falls 3 K behind the die. control: more of that; others: cards of another case. */
#define DRIVEN_RIG(control, cards, others) \
    "<rig><site><room temperature='22 degC'/></site><chassis id='a'><fan at='wall' count='3' pressure='400 Pa' " \
    "flow='200 m3/h' rpm='10000 rpm' sensor='gpu' curve='40 degC:30 %, 80 degC:70 %' hysteresis='3 K' " \
    "minimum='35 %' " control "/>" cards "</chassis><chassis id='b'><fan at='wall' count='3' pressure='400 Pa' " \
    "flow='200 m3/h' rpm='10000 rpm'/>" others "</chassis><workload kind='training'/><run for='1 h'/></rig>"
#define PASSIVE(id, slot) \
    "<gpu id='" id "' slot='" slot "' tdp='250 W' die-resistance='0.05 K/W' clock-max='1900 MHz' " \
    "clock-knee='1400 MHz' voltage-slope='0.6 1/GHz' idle='20 W'><cooler kind='passive' conductance='12 W/K' " \
    "flow='40 CFM' capacity='500 J/K'/></gpu>"
#define TRAINING "<workload kind='training'/>"

/* Speeds of the driven fan at these temperatures, moving by at most 5 % of full speed a second. */
static inline void drive(const double *die_k, double above_k, double a_bin_s, double *rpm)
{
    double c = 0;
    for (int i = 0; i < BINS; i++) {
        const double now = die_k[i] + above_k - WSK_KELVIN;
        c = fmin(fmax(c, now), now + 3);
        const double goal = 100 * fmin(fmax(c - 40 + 30, 35), 70), most = 500 * a_bin_s;
        rpm[i] = i ? rpm[i - 1] + fmin(fmax(goal - rpm[i - 1], -most), most) : goal;
    }
}

typedef struct {
    wsk_rig *rig;
    wsk_arena *arena;
    double power[BINS], rpm[BINS], die_k[BINS], clock_hz[BINS], busy[BINS], sd_k[BINS];
    wsk_thermal_card card;
    wsk_thermal_log log;
    wsk_thermal th;
    wsk_thermal_fit fit;
} bench;

/* The fit has no unknowns yet. */
static inline void open_sets(bench *b, const char *xml, const char *const *sets, size_t count)
{
    memset(b, 0, sizeof *b);
    b->rig = wsk_test_rig_sets(xml, sets, count);
    b->arena = wsk_arena_new();
    for (int i = 0; i < BINS; i++) {
        b->power[i] = power_w;
        b->rpm[i] = 2000;
        b->die_k[i] = 340;
    }
    b->card = (wsk_thermal_card){.power_w = b->power,
                                 .rpm = b->rpm,
                                 .die_k = b->die_k,
                                 .drawn_w = b->power,
                                 .opening_w = power_w,
                                 .opening_rpm = 2000,
                                 .highest_w = power_w,
                                 .from_die_k = 340,
                                 .from_w = power_w,
                                 .last = BINS - 1};
    b->log = (wsk_thermal_log){.bins = BINS, .count = 1, .bin_s = bin_s, .cards = &b->card};
    for (int v = 0; v < WSK_TH_UNKNOWNS; v++)
        b->fit.at[v] = -1;
}

static inline void open_rig(bench *b, const char *xml)
{
    open_sets(b, xml, NULL, 0);
}

static inline void replay(bench *b)
{
    assert_int_equal(wsk_thermal_replay(&b->th, 0), WSK_OK);
}

/* Another power in the second half of the log. */
static inline void halve(bench *b, double watts)
{
    for (int i = BINS / 2; i < BINS; i++)
        b->power[i] = watts;
}

static inline void start_bench(bench *b)
{
    assert_int_equal(wsk_thermal_make(&b->th, b->arena, b->rig->net, &b->log), WSK_OK);
    assert_int_equal(wsk_thermal_open(&b->th), WSK_OK);
    replay(b);
}

static inline void open_bench(bench *b)
{
    open_rig(b, LOG_RIG("", "", BLOWER, TRAINING));
    start_bench(b);
}

static inline void fit_value(bench *b, wsk_thermal_value value, double sd)
{
    const int k = b->fit.unknowns++;
    b->fit.at[value] = k;
    b->fit.fit.sd[k] = sd;
    b->fit.fit.covariance[k][k] = sd * sd;
}

static inline void close_bench(bench *b)
{
    wsk_arena_free(b->arena);
    wsk_rig_free(b->rig);
}

#endif
