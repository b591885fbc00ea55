/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libwattsink: a GPU-server power and thermal simulator.
 *
 * Ownership: what a function gives through an out-parameter belongs to the caller, who frees it with the
 * matching *_free; every `const char *` belongs to the object it came from and lives as long as that object.
 * The library never prints, exits or keeps global state. A wsk_rig is immutable and may be shared by threads;
 * a wsk_run belongs to one thread at a time. All functions that can fail return wsk_status. */
#ifndef WATTSINK_H
#define WATTSINK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wattsink_variables.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WATTSINK_VERSION "0.1.0"

/* X(name, value, text): the value is the exit code of the program as well. */
#define WSK_STATUS_LIST(X) \
    X(WSK_OK, 0, "ok") \
    X(WSK_ERUN, 1, "run-time failure") \
    X(WSK_EUSAGE, 2, "usage") \
    X(WSK_EINPUT, 3, "bad input") \
    X(WSK_ENUMERIC, 4, "numeric failure") \
    X(WSK_EAUDIT, 5, "energy audit failed") \
    X(WSK_ENOMEM, 12, "out of memory") \
    X(WSK_EINTERRUPTED, 130, "interrupted")
typedef enum wsk_status {
#define WSK_STATUS_ENUM(name, value, text) name = value,
    WSK_STATUS_LIST(WSK_STATUS_ENUM)
#undef WSK_STATUS_ENUM
} wsk_status;
const char *wsk_status_text(wsk_status status);
const char *wsk_version(void);

/* ---- rigs ---- */
typedef struct wsk_rig wsk_rig;
typedef struct {
    const char *path; /* rig file; "-" with text set */
    const char *text; /* NULL: read `path` */
    size_t text_len;
    const char *parts_dir;       /* the catalogue; NULL: the built-in default */
    const char *extra_parts_dir; /* searched first; NULL: none */
    const char *data_dir;        /* NULL: the rig's folder */
    const char *const *sets;     /* PATH=VALUE assignments */
    size_t set_count;
} wsk_rig_options;
/* *out is set also on WSK_EINPUT, so that its messages can be read; free it in every case. */
wsk_status wsk_rig_load(wsk_rig **out, const wsk_rig_options *options);
void wsk_rig_free(wsk_rig *rig);
const char *wsk_rig_name(const wsk_rig *rig);
const char *
wsk_rig_digest(const wsk_rig *rig); /* 16 hex digits; the file's order, comments and spacing do not enter */
/* Messages of loading and checking: severity 0 error, 1 warning, 2 advice. line 0: it has no place in a file, or the file is not there. */
size_t wsk_rig_messages(const wsk_rig *rig);
void wsk_rig_message(const wsk_rig *rig, size_t i, int *severity, const char **file, int *line, int *column,
                     const char **text);
/* Whether it names a part that is in no part folder, and not nearly one there: one of one's own, perhaps, whose folder was not given. */
bool wsk_rig_lacks_parts(const wsk_rig *rig);
/* What the i-th of its assignments set: a line each, element and attribute, whether that holds a number, and its place in the file,
 * "gpu0.power-limit number /rig0/chassis0/gpu0.power-limit" or "psu0.part text ...". "": nothing, for its path leads nowhere. */
const char *wsk_rig_assigned(const wsk_rig *rig, size_t i);
wsk_status wsk_rig_resolved(const wsk_rig *rig, char **text); /* XML with origins; free with wsk_text_free */
/* Text of `check`, and of `check --sources`, in English (wattsink_messages.h has it as data). */
wsk_status wsk_rig_report(const wsk_rig *rig, char **text);
wsk_status wsk_rig_sources(const wsk_rig *rig, char **text);
double wsk_rig_duration(const wsk_rig *rig); /* s, from <run for=> */

/* ---- elements: a rig as a list to walk ---- */
/* Where the values of an attribute come from; equal origins of one element are one object. Texts are "" where they are not told. */
typedef struct {
    const char *from;                /* "default", "rig", "part", "set" */
    const char *kind, *ref, *spread; /* "datasheet", "assumed", ...; which; stated error */
} wsk_origin_text;
typedef struct {
    const char *name, *text; /* text as rig.resolved.xml has it: "350 W" */
    double value;            /* the number that the text begins with; NAN: none */
    const char *unit;        /* behind it; "" where there is none */
    const wsk_origin_text *origin;
} wsk_attribute;
typedef enum {                                    /* what a kind is or does beyond its parameters, one bit each */
               WSK_TRAIT_BOUGHT = 1,              /* has a purchase price */
               WSK_TRAIT_DATED = 2,               /* follows the calendar: a year is more than a week repeated */
               WSK_TRAIT_CONSTANT_EFFICIENCY = 4, /* PSU: the same at every load */
               WSK_TRAIT_OPEN = 8,                /* chassis: no case around the parts */
               WSK_TRAIT_FACILITY = 16,           /* its heat leaves with facility water, not into the room */
               WSK_TRAIT_DUCTED = 32,             /* cooler: without a fan of its own the chassis drives its air */
} wsk_trait;
/* Where a card's own fan lets its air go: nowhere near the card, out of the case at its bracket, or around the card. */
typedef enum { WSK_AIR_AWAY, WSK_AIR_OUT, WSK_AIR_AROUND } wsk_air;
/* How the drawing of a machine shows a cooler. */
typedef struct {
    const char *label; /* written on the card; NULL: nothing */
    wsk_air air;
    bool bath;     /* the card stands in its coolant */
    bool radiator; /* it brings a radiator, which its fans sit on */
} wsk_look;
typedef struct {
    const char *element;        /* "gpu" */
    const char *kind, *id;      /* "boost", "gpu0" */
    const char *part, *written; /* id of its part, and which of id, part, kind the rig wrote; NULL: none */
    unsigned traits;            /* wsk_trait */
    const wsk_look *look;       /* NULL: drawn like any other of its element */
    int parent;                 /* index in the list; -1: the rig itself, which is the first */
    const wsk_attribute *attributes;
    size_t attribute_count;
} wsk_element;
/* Parents stand before their children, elements of one name in the file's order. A list of a rig lives no longer than it. */
typedef struct {
    const wsk_element *items;
    int count;
} wsk_elements;
wsk_status wsk_rig_elements(const wsk_rig *rig, const wsk_elements **out);
/* Of the text of a rig.resolved.xml, which need not be a rig that this version could run. WSK_EINPUT: not well-formed, or no rig. */
wsk_status wsk_elements_read(const char *xml, size_t len, const wsk_elements **out);
void wsk_elements_free(const wsk_elements *list);
/* The next element of a name behind `after` (-1: from the start) somewhere below `under` (-1: anywhere); -1: none. */
int wsk_elements_next(const wsk_elements *list, const char *element, int after, int under);
int wsk_elements_find(const wsk_elements *list, const char *id); /* -1: none */
/* Of the element with this index; none where that is -1: NULL, NULL, NAN, false. */
const wsk_attribute *wsk_elements_attribute(const wsk_elements *list, int at, const char *name);
const char *wsk_elements_text(const wsk_elements *list, int at, const char *name);
double wsk_elements_number(const wsk_elements *list, int at, const char *name);
const char *wsk_elements_id(const wsk_elements *list, int at);   /* "": none */
const char *wsk_elements_kind(const wsk_elements *list, int at); /* "": none */
bool wsk_elements_is(const wsk_elements *list, int at, const char *element);

/* ---- runs ---- */
typedef struct wsk_run wsk_run;
typedef enum { WSK_STEPPER_FAST, WSK_STEPPER_REFERENCE } wsk_stepper;
typedef struct {
    double duration_s; /* 0: as the rig says */
    double step_s;     /* 0: as the rig says */
    wsk_stepper stepper;
    uint64_t seed;
    bool leap; /* calm stretches, where no control would act, in steps of up to a minute */
} wsk_run_options;
/* The rig must outlive the run. WSK_EUSAGE: step outside 0.05-60 s, or duration above 3.2e9 s. */
wsk_status wsk_run_new(wsk_run **out, const wsk_rig *rig, const wsk_run_options *options);
void wsk_run_free(wsk_run *run);
/* Advances to `until_s` of simulated time (clipped to the duration), with `leap` to the end of the leap that reaches it. WSK_ENUMERIC: wsk_run_error says which
 * component left the physical range. */
wsk_status wsk_run_advance(wsk_run *run, double until_s);
/* Several runs, as wsk_run_advance would take each by itself, to the same bits; those whose rigs differ only in numbers share
 * the work, in groups of eight. status[i]: of runs[i]. WSK_ENOMEM: those with status WSK_EUSAGE were not advanced. The runs belong to one thread. */
wsk_status wsk_runs_advance(wsk_run *const *runs, size_t count, double until_s, wsk_status *status);
double wsk_run_time(const wsk_run *run);
double wsk_run_duration(const wsk_run *run);
const char *wsk_run_error(const wsk_run *run);

/* Variables: "gpu0.die_c", "gpu0.power_w", "case.air_c", ... */
size_t wsk_run_variables(const wsk_run *run);
void wsk_run_variable(const wsk_run *run, size_t i, const char **name, const char **unit, double *value);
/* The row of the table of variables that it is one of. */
const wsk_var_row *wsk_run_variable_row(const wsk_run *run, size_t i);
wsk_status wsk_run_get(const wsk_run *run, const char *name, double *value);
/* Sets from now on a card's limit, "gpu0.power_limit_w", or a pin, "gpu0.power_w", "gpu0.fan_rpm", "gpu0.clock_mhz" (NAN frees it),
 * or "room.air_c" of a room that is held constant. WSK_EINPUT: no such name, or outside the card's range; nothing changes. */
wsk_status wsk_run_set(wsk_run *run, const char *name, double value);

/* The whole state as bytes: saving and restoring goes on with the same bits. Free with wsk_text_free. */
wsk_status wsk_run_save(const wsk_run *run, char **bytes, size_t *len);
wsk_status wsk_run_restore(wsk_run *run, const char *bytes, size_t len);

/* Results so far. Free with wsk_text_free. */
wsk_status wsk_run_summary_json(const wsk_run *run, double wall_clock_s, char **text);
wsk_status wsk_run_summary_text(const wsk_run *run, char **text);
wsk_status wsk_run_series_csv(const wsk_run *run, char **text);
/* Events since the beginning, or since the last call that cleared them; CSV lines without header. */
wsk_status wsk_run_events_csv(wsk_run *run, bool clear, char **text);
void wsk_text_free(char *text);

/* What a verdict calls loud and hot. German ASR A3.7, work places: where one must concentrate, and at other work; ASHRAE
 * TC 9.9, intake of servers: recommended, and allowed to class A2. */
#define WSK_LOUD_DBA 55
#define WSK_VERY_LOUD_DBA 70
#define WSK_WARM_ROOM_C 27
#define WSK_HOT_ROOM_C 35

/* spent_s: real time that the caller has spent already; wall_clock_s is that and the solution's own.
 * The steady operating point: as wsk_run_summary_json, with "_mean" values being that point. On WSK_ENUMERIC *text
 * says which component left the physical range; otherwise *json and *text are set on WSK_OK only. */
wsk_status wsk_steady_json(const wsk_rig *rig, wsk_stepper stepper, double spent_s, char **json, char **text);

/* The heat network for other solvers: watts, flows and temperatures of the steady point, or (replay_s > 0, to a day)
 * of every step of a run from the start. On WSK_ENUMERIC *text says which component left the physical range;
 * otherwise it is set on WSK_OK only. */
typedef enum { WSK_EXPORT_SPICE, WSK_EXPORT_JSON } wsk_export_format;
wsk_status wsk_rig_export(const wsk_rig *rig, wsk_export_format format, double replay_s, char **text);

/* A line each on the changes that would help most, three at most, found by solving the changed rigs; empty where none
 * applies. */
wsk_status wsk_rig_advice(const wsk_rig *rig, char **text);
/* The same behind a run of it: where that loaded supplies or circuit more than the steady point does, its loads count. */
wsk_status wsk_run_advice(const wsk_rig *rig, const wsk_run *run, char **text);
/* The same, kept by the run: its summaries then hold these changes in their verdict. Once only; tens of milliseconds. */
wsk_status wsk_run_judge(const wsk_rig *rig, wsk_run *run);

/* ---- designs ---- */
typedef enum { WSK_DESIGN_LHS, WSK_DESIGN_SOBOL } wsk_design;
#define WSK_DESIGN_DIMENSIONS 40
/* `count` points of [0, 1)^dimensions, point after point, into u; the same arguments give the same bits.
 * WSK_DESIGN_LHS, a Latin hypercube: each of the `count` equal strata of each dimension holds one point, at a random
 * place in it. WSK_DESIGN_SOBOL: the low-discrepancy sequence, whose first point is the centre; a seed other than 0
 * shifts it, modulo 1. WSK_EUSAGE: no dimension, or more than WSK_DESIGN_DIMENSIONS. */
wsk_status wsk_design_points(wsk_design design, uint64_t seed, size_t count, size_t dimensions, double *u);

/* How far the answer may be off because of values that are assumed, fitted or spread: each is moved by its spread, alone,
 * and the steady point solved anew (docs/theory/uncertainty.md has the JSON). Free with wsk_text_free. */
wsk_status wsk_rig_spread(const wsk_rig *rig, wsk_stepper stepper, char **json);
/* The same as data. A source is one value, or several that one error moves together; its effects are those of the value moved up
 * by its spread: relative changes of the power with the air conditioner's and of the work, of the hottest die (K), of the
 * noise (dB), of the purchase (money). NAN: none. Sources come by effect, the largest first; texts live as long as the object. */
typedef struct wsk_uncertainty wsk_uncertainty;
typedef struct {
    const char *key, *text, *where, *why, *spread; /* key: equal for the same value in another rig */
    double site_rel, work_rel, die_k, noise_db, purchase;
} wsk_uncertainty_source;
wsk_status wsk_rig_uncertainty(wsk_uncertainty **out, const wsk_rig *rig, wsk_stepper stepper);
void wsk_uncertainty_free(wsk_uncertainty *uncertainty);
size_t wsk_uncertainty_sources(const wsk_uncertainty *uncertainty);
void wsk_uncertainty_get(const wsk_uncertainty *uncertainty, size_t i, wsk_uncertainty_source *out);

/* ---- tables ---- */
wsk_status wsk_schema_text(char **text);
wsk_status wsk_kinds_text(const char *element, char **text); /* element NULL: all */
wsk_status wsk_parts_text(const char *parts_dir, const char *family, const char *search, char **text);
/* One part in full, or in *error what is wrong, a line each. */
wsk_status wsk_part_text(const char *parts_dir, const char *id, char **text, char **error);
/* The same with a folder that is searched first (NULL: none), as for a rig. *missing: the part, or one that it builds on, is in
 * neither, and not nearly one there. */
wsk_status wsk_part_text_in(const char *extra_parts_dir, const char *parts_dir, const char *id, char **text,
                            char **error, bool *missing);

#include "wattsink_messages.h"
#include "wattsink_results.h"
#include "wattsink_summary.h"

#ifdef __cplusplus
}
#endif
#endif
