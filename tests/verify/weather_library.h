/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run under weather whose library of cycles is filled by hand, and the traits of its cycles, computed here from the
 * weather file. Theory: docs/theory/time.md, "Strides under weather" */
#ifndef WSK_VERIFY_WEATHER_LIBRARY_H
#define WSK_VERIFY_WEATHER_LIBRARY_H
#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/bench.h"
#include "tests/support/strides.h"
#include "sim/step/stride.h"

enum { TRAITS = 3, DAYS = 40, HOURS = 24 * DAYS };
static const int64_t hour_ns = INT64_C(3600) * WSK_NS;
static char folder[256];

/* Outdoor temperature at the time of `half` half hours, degC: days, and weather of a week. Between these times it is
 * linear. */
static inline double outdoor_c(int half)
{
    const double h = half / 2.0;
    return 16 + 4 * sin(0.261799387799149 * h - 2) + 5 * sin(h / 27.3) + 2.5 * sin(h / 11.7 + 1);
}

static inline int write_weather(void **state)
{
    (void)state;
    char path[300];
    snprintf(folder, sizeof folder, "%s/wsk-library-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/weather.csv", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "t_h,temp_c\n");
    for (int half = 0; half <= 2 * HOURS + 96; half++)
        fprintf(f, "%.1f,%.9f\n", half / 2.0, outdoor_c(half));
    return fclose(f);
}

static inline int remove_weather(void **state)
{
    (void)state;
    char path[300];
    snprintf(path, sizeof path, "%s/weather.csv", folder);
    remove(path);
    return rmdir(folder);
}

/* Conductance of the usual room, W/K. */
static const double cond_w_k = 60;

/* A run of DAYS days with strides under weather, whose cycles take an hour. */
static inline wsk_run *start_in(wsk_rig **rig, const char *room, const char *tariff, const char *from)
{
    char text[1200];
    snprintf(text, sizeof text,
             "<rig><site supply='230 V' circuit='16 A'><room %s>"
             "<outdoor kind='file' file='weather.csv'/></room>%s</site><chassis part='chassis/workstation-12-slot'>"
             "<fan part='fan/generic-120-3000' at='front' count='3'/><fan part='fan/generic-120-1500' at='rear'/>"
             "<psu part='psu/tier-gold-1600'/><gpu part='gpu/rtx-3090-blower' slot='1'/></chassis>"
             "<workload kind='constant' class='training'/><run from='%s' zone='UTC'/></rig>",
             room, tariff, from);
    const wsk_rig_options options = {
        .path = "rig.xml", .text = text, .text_len = strlen(text), .parts_dir = "parts", .data_dir = folder};
    if (wsk_rig_load(rig, &options) != WSK_OK)
        fail_msg("the rig does not load");
    wsk_run *run = wsk_test_start(*rig, DAYS * 86400, true);
    assert_non_null(run->stride);
    assert_true(run->stride->cycle.weather);
    assert_int_equal(run->stride->cycle.length_ns, hour_ns);
    assert_int_equal(run->stride->cycle.anchor_ns, 0);
    return run;
}

static inline wsk_run *start(wsk_rig **rig)
{
    return start_in(rig, "volume='150 m3' conductance='60 W/K'", "", "2026-01-05T00:00:00");
}

/* Heat capacity over conductance of the usual room, s. */
static inline double room_time_s(const wsk_run *run)
{
    return run->net->nodes[run->net->room].cap_j_k / cond_w_k;
}

/* Cycle h begins late_s seconds after the hour h. Its mean temperatures outdoors, in its halves and of the room: that
 * follows the outdoor temperature with the time constant of the room, tau_s, from the temperature at the start. */
static int late_s;
static double outdoor_mean[HOURS + 1], room_mean[HOURS + 1], later_half[HOURS + 1], first_half[HOURS + 1];

static inline void follow_room(double tau_s, int late)
{
    const int step_s = 60, steps = 3600 / step_s;
    double room = outdoor_c(0);
    late_s = late;
    for (int h = 0; h <= HOURS; h++)
        outdoor_mean[h] = room_mean[h] = later_half[h] = first_half[h] = 0;
    for (int at_s = 0; at_s < HOURS * 3600 + late; at_s += step_s) {
        const int half = at_s / 1800, h = (at_s - late + 3600) / 3600 - 1, of_hour = (at_s - late + 3600) % 3600;
        const double share = (at_s % 1800 + 0.5 * step_s) / 1800,
                     now = outdoor_c(half) + (outdoor_c(half + 1) - outdoor_c(half)) * share,
                     next = now + (room - now) * exp(-step_s / tau_s);
        if (h >= 0) {
            room_mean[h] += 0.5 * (room + next) / steps;
            outdoor_mean[h] += now / steps;
            (of_hour < 1800 ? first_half : later_half)[h] += 2 * now / steps;
        }
        room = next;
    }
}

static inline int64_t start_of(int h)
{
    return h * hour_ns + late_s * WSK_NS;
}

/* Traits of the cycle that begins at the hour h. */
static inline void traits(int h, double x[TRAITS])
{
    x[0] = room_mean[h];
    x[1] = 0.3 * (outdoor_mean[h] - room_mean[h]);
    x[2] = 0.15 * (later_half[h] - first_half[h]);
}

static inline double distance(int h, int other)
{
    double a[TRAITS], b[TRAITS];
    traits(h, a);
    traits(other, b);
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static inline int hour_of(const wsk_stride *s, int64_t entry)
{
    return (int)(s->starts[entry] / hour_ns);
}

/* Fills an entry with the account k + x0 - 2 x1 + 3 x2 of its traits x, and the time limited by heat of the card. */
static inline double account(int h, int k)
{
    double x[TRAITS];
    traits(h, x);
    return k + x[0] - 2 * x[1] + 3 * x[2];
}

static inline void put_entry(wsk_stride *s, int64_t entry, int h, double heat_s)
{
    double *x = wsk_entry(s, entry);
    s->starts[entry] = start_of(h);
    for (int k = 0; k < s->n + s->bins; k++)
        x[k] = account(h, k);
    for (int k = 0; k < 3; k++)
        x[WSK_TALLY_WORK + WSK_CARD_HEAT + k] = k == 1 ? heat_s * 1e9 : 0;
}

/* Entries of every `each`-th hour from the first on. */
static inline void fill_library(wsk_stride *s, int first, int each, int count, double heat_s)
{
    s->head->count = count;
    for (int i = 0; i < count; i++)
        put_entry(s, i, first + i * each, heat_s);
}

typedef struct {
    int n;
    int64_t entry[WSK_WEATHER_ENTRIES];
    double k[WSK_WEATHER_ENTRIES]; /* distances */
} ranking;

static inline ranking rank(const wsk_stride *s, int h)
{
    ranking r = {0};
    for (int64_t i = 0; i < s->head->count; i++) {
        const double k = distance(h, hour_of(s, i));
        int at = r.n++;
        for (; at > 0 && r.k[at - 1] > k; at--) {
            r.k[at] = r.k[at - 1];
            r.entry[at] = r.entry[at - 1];
        }
        r.k[at] = k;
        r.entry[at] = i;
    }
    return r;
}

#endif
