/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generated logs of cards whose true values are known: a run of the engine gives temperatures, to which noise, a
 * delay and rounding are added. */
#ifndef WSK_TESTS_MADE_LOG_H
#define WSK_TESTS_MADE_LOG_H
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/bench.h"
#include "tests/support/dice.h"
#include "tests/unit/assert.h"

enum { SETS = 8, MOST_S = 3 * 3600 };

/* Rig of the made logs: one RTX 4070 Ti Super in a tower case. While the card is cool, its fan turns (turning), or
 * stops, as the catalogue's part says (stopping). */
#define TOWER(cooler) \
    "<rig name='made log'><site><room temperature='25 degC'/></site>" \
    "<chassis part='chassis/mid-tower'><fan part='fan/generic-120-1500' at='front' count='2'/>" \
    "<fan part='fan/generic-120-1500' at='rear'/><psu part='psu/tier-gold-750'/>" \
    "<cpu part='cpu/generic-desktop'/><gpu part='gpu/rtx-4070-ti-super' slot='1'>" cooler "</gpu></chassis>" \
    "<workload kind='constant' class='burn' host-load='0 %'/><run for='6 h' step='1 s' start='steady'/></rig>"
static const char turning[] =
    TOWER("<cooler part='cooler/class-open-air-300' rpm-min='1020 rpm' fan-curve='40 degC:1020 rpm, "
          "50 degC:1020 rpm, 60 degC:1310 rpm, 65 degC:1550 rpm, 72 degC:1820 rpm, "
          "80 degC:2250 rpm, 88 degC:2820 rpm, 92 degC:3000 rpm'/>"),
                  stopping[] = TOWER("");

static inline wsk_rig *load(const char *const *sets, size_t count)
{
    return wsk_test_rig_sets(turning, sets, count);
}

/* A fan with a controller of its own. Every two seconds the controller reads the temperature in whole degrees, with
 * 2 K of hysteresis, and moves the speed without steps towards `speed` times the curve below. rise_s, fall_s: time
 * constants. */
typedef struct {
    double speed, rise_s, fall_s;
} fan;
static const double curve_c[] = {30, 50, 60, 68, 74, 80, 88, 92},
                    curve_rpm[] = {1020, 1020, 1340, 1670, 1940, 2250, 2820, 3000};
enum { CURVE = (int)(sizeof curve_c / sizeof *curve_c) };

static inline double truth_rpm(const fan *f, double c)
{
    int i = 0;
    while (i < CURVE - 2 && c > curve_c[i + 1])
        i++;
    const double share = fmin(fmax((c - curve_c[i]) / (curve_c[i + 1] - curve_c[i]), 0), 1),
                 rpm = f->speed * (curve_rpm[i] + share * (curve_rpm[i + 1] - curve_rpm[i]));
    return fmin(fmax(rpm, 1020), 3000);
}

/* Fan speed after one decision of the controller. ref_c: the temperature that the controller follows, which rises at
 * once and falls 2 K behind the reading. */
static inline double drive_fan(const fan *f, double die_c, double *ref_c, double rpm)
{
    const double read_c = floor(die_c + 0.5);
    *ref_c = fmin(fmax(*ref_c, read_c), read_c + 2);
    const double goal = truth_rpm(f, *ref_c), constant_s = goal > rpm ? f->rise_s : f->fall_s;
    return goal + (rpm - goal) * exp(-2 / constant_s);
}

/* A recording. power_w: levels of power that begin at from_s; NAN ends the list. noise_k, delay_s, whole:
 * noise, delay and rounding to whole degrees of the temperature sensor. */
typedef struct {
    double from_s[6], power_w[6], noise_w, noise_k;
    int delay_s;
    bool whole, fan;
    double drift_k; /* rise of the room's temperature until the end, half a cosine wave */
    const fan *own; /* NULL: the engine controls the fan as the part states */
    size_t every;   /* only every n-th second is recorded; 0: each */
    bool stops;     /* true: the rig `stopping`, else `turning` */
} recording;
typedef struct {
    double *t_s, *power_w, *die_k, *rpm;
    size_t n;
} made;

static const recording stairs = {.from_s = {0, 600, 2400, 3900, NAN},
                                 .power_w = {25, 280, 160, 15},
                                 .noise_w = 8,
                                 .noise_k = 0.2,
                                 .delay_s = 2,
                                 .whole = true,
                                 .fan = true};
static const double stairs_s = 5400;

static inline wsk_rig *rig_of(const recording *rec, const char *const *sets, size_t count)
{
    return wsk_test_rig_sets(rec->stops ? stopping : turning, sets, count);
}

static inline double level_of(const recording *rec, double t)
{
    int i = 0;
    while (i + 1 < 6 && !isnan(rec->from_s[i + 1]) && rec->from_s[i + 1] <= t)
        i++;
    return rec->power_w[i];
}

static inline void thin(made *m, size_t every)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->n; i += every, kept++) {
        m->t_s[kept] = m->t_s[i];
        m->power_w[kept] = m->power_w[i];
        m->die_k[kept] = m->die_k[i];
        m->rpm[kept] = m->rpm[i];
    }
    m->n = kept;
}

static inline made make(const recording *rec, double for_s, const char *const *sets, size_t count, uint64_t seed)
{
    wsk_dice dice = {.seed = seed};
    made m = {.n = (size_t)for_s};
    double *all = malloc(4 * m.n * sizeof *all), *clean = malloc(m.n * sizeof *clean);
    char first[40];
    const char *with[SETS + 1];
    (void)snprintf(first, sizeof first, "gpu.power=%.1f W", rec->power_w[0]);
    with[0] = first;
    for (size_t i = 0; i < count; i++)
        with[i + 1] = sets[i];
    wsk_rig *rig = rig_of(rec, with, count + 1);
    wsk_run *run = NULL;
    assert_true(all && clean);
    assert_int_equal(
        wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = for_s + 1, .step_s = 1, .no_series = true}), WSK_OK);
    double room_c, ref_c = 0;
    assert_int_equal(wsk_run_get(run, "room.air_c", &room_c), WSK_OK);
    m.t_s = all;
    m.power_w = all + m.n;
    m.die_k = all + 2 * m.n;
    m.rpm = all + 3 * m.n;
    for (size_t i = 0; i < m.n; i++) {
        m.t_s[i] = (double)i;
        m.power_w[i] = fmax(level_of(rec, (double)i) + rec->noise_w * wsk_draw_normal(&dice), 5);
        assert_int_equal(wsk_run_set(run, "gpu0.power_w", m.power_w[i]), WSK_OK);
        if (rec->drift_k != 0)
            assert_int_equal(
                wsk_run_set(run, "room.air_c",
                            room_c + rec->drift_k * 0.5 * (1 - cos(3.14159265358979 * (double)i / for_s))),
                WSK_OK);
        assert_int_equal(wsk_run_advance(run, (double)i + 1), WSK_OK);
        assert_int_equal(wsk_run_get(run, "gpu0.die_c", &clean[i]), WSK_OK);
        assert_int_equal(wsk_run_get(run, "gpu0.fan_rpm", &m.rpm[i]), WSK_OK);
        if (!rec->own)
            continue;
        ref_c = i ? ref_c : clean[i];
        m.rpm[i] = !i      ? truth_rpm(rec->own, ref_c)
                   : i % 2 ? m.rpm[i - 1]
                           : drive_fan(rec->own, clean[i], &ref_c, m.rpm[i - 1]);
        assert_int_equal(wsk_run_set(run, "gpu0.fan_rpm", m.rpm[i]), WSK_OK);
    }
    for (size_t i = 0; i < m.n; i++) {
        const size_t late = (size_t)rec->delay_s, at = i > late ? i - late : 0;
        const double c = clean[at] + rec->noise_k * wsk_draw_normal(&dice);
        m.die_k[i] = (rec->whole ? floor(c + 0.5) : c) + WSK_KELVIN;
    }
    wsk_run_free(run);
    wsk_rig_free(rig);
    free(clean);
    if (rec->every)
        thin(&m, rec->every);
    return m;
}

static inline wsk_log_fit fit(const made *m, const recording *rec, double holdout)
{
    wsk_rig *rig = rig_of(rec, NULL, 0);
    wsk_log_fit out;
    wsk_calibrate_trace t = {.power = {m->t_s, m->power_w, m->n}, .die = {m->t_s, m->die_k, m->n}};
    if (rec->fan)
        t.fan_speed = (wsk_readings){m->t_s, m->rpm, m->n};
    assert_int_equal(wsk_calibrate_log(rig, &t, 1, holdout, &out, NULL), WSK_OK);
    assert_null(out.refused);
    wsk_rig_free(rig);
    return out;
}

static const wsk_calibrated *value_of(const wsk_calibration *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->values[i].name, name) == 0)
            return &c->values[i];
    fail_msg("no value %s", name);
    return NULL;
}

/* Number of random logs. WATTSINK_SHORT asks for few: under sanitizers no statistics are needed. */
static inline int draws(void)
{
    const char *text = getenv("WATTSINK_DRAWS");
    return text && *text ? atoi(text) : getenv("WATTSINK_SHORT") ? 4 : 12;
}

/* Three standard errors of a share of 0.9 among n draws with five values each. The five are not independent and count
 * as two. */
static inline double slack(int n)
{
    return 3 * sqrt(0.9 * 0.1 / (2.0 * n));
}

#endif
