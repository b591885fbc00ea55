/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libwattsink: a GPU-server power and thermal simulator.
 *
 * Ownership: the caller owns what a function returns through an out-parameter and frees it with the matching
 * *_free. Each `const char *` belongs to the object that gave it and lives as long as that object.
 * The library never prints, exits or keeps global state. A wsk_rig is immutable and may be shared by threads; a
 * wsk_run belongs to one thread at a time. A function that can fail returns wsk_status. */
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

/* X(name, value, text): status name, its number, which is also the program's exit code, English text. */
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
    const char *path; /* rig file, or "-" for standard input; if `text` is set, its name in messages */
    const char *text; /* the rig as XML; NULL: read `path` */
    size_t text_len;
    const char *parts_dir;       /* folder of the part catalogue; NULL: built-in default */
    const char *extra_parts_dir; /* folder searched before parts_dir; NULL: none */
    const char *data_dir;        /* folder of data files; NULL: the rig's folder */
    const char *prices;          /* file of prices that replace the prices of parts (docs/format.md); NULL: none */
    const char *const *sets;     /* PATH=VALUE assignments, applied in order */
    size_t set_count;
    /* Exchange rates such as "EUR=1.08 USD", like <exchange> in the site: they convert prices of parts to the
     * tariff's currency. */
    const char *const *exchanges;
    size_t exchange_count;
    /* A rig that has loaded the same files: the new rig uses their stored content and must not outlive that rig.
     * NULL: all files are read. */
    const wsk_rig *files_of;
    int threads; /* threads in which a call may solve steady points or fit cards, always with the same results; 0: one */
} wsk_rig_options;
/* Loads a rig. Each file (rig, parts, data) is read once and its content stored: advice, and rigs loaded with
 * `files_of`, see the same bytes even if the file changes. *out is also set on WSK_EINPUT and on WSK_ERUN (a file
 * could not be read, for a reason that may pass), so that its messages can be read; free it in these cases too. */
wsk_status wsk_rig_load(wsk_rig **out, const wsk_rig_options *options);
void wsk_rig_free(wsk_rig *rig);
const char *wsk_rig_name(const wsk_rig *rig);
const char *wsk_rig_digest(const wsk_rig *rig); /* 16 hex digits: hash of all values */
/* Value of one unit of a currency such as "EUR" in the tariff's currency, by <exchange> elements and exchanges of the
 * options; NAN: unknown. *paid: the tariff's currency, valid as long as the rig; NULL: none is known. */
double wsk_rig_exchange(const wsk_rig *rig, const char *currency, const char **paid);
/* True if the cards have more power connectors than their PSU has plugs (stated, or usual for its rating), as `check`
 * tells. False for a rig with errors. */
bool wsk_rig_lacks_plugs(const wsk_rig *rig);
/* Number of messages of loading and checking, and message i. *severity: 0 error, 1 warning, 2 advice. *line 0: the
 * message refers to no place in a file. */
size_t wsk_rig_messages(const wsk_rig *rig);
void wsk_rig_message(const wsk_rig *rig, size_t i, int *severity, const char **file, int *line, int *column,
                     const char **text);
/* True if the rig names a part that is in no part folder and has no similar name there. */
bool wsk_rig_lacks_parts(const wsk_rig *rig);
/* The attributes that assignment sets[i] changed, one per line: name, type ("number" or "text") and path, such as
 * "gpu0.power-limit number /rig0/chassis0/gpu0.power-limit". "": the assignment's path matches nothing in the rig. */
const char *wsk_rig_assigned(const wsk_rig *rig, size_t i);
/* The curve of a chassis fan or a pump with this id, or of the fan of a card with this id, also if the rig leaves the
 * curve to the default: temperatures, degC, and speeds as shares of *full_rpm. Returns the number of points, at most
 * WSK_FAN_POINTS; 0: there is no such fan or pump, or its speed is fixed. */
enum { WSK_FAN_POINTS = 48 };
int wsk_rig_fan_curve(const wsk_rig *rig, const char *id, double temp_c[WSK_FAN_POINTS], double share[WSK_FAN_POINTS],
                      double *full_rpm);
/* the rig as XML with all values and their origins; free with wsk_text_free */
wsk_status wsk_rig_resolved(const wsk_rig *rig, char **text);
double wsk_rig_duration(const wsk_rig *rig); /* duration of a run, s, from the attribute for= of <run> */

/* ---- runs ---- */
typedef struct wsk_run wsk_run;
typedef enum { WSK_STEPPER_FAST, WSK_STEPPER_REFERENCE } wsk_stepper;
typedef struct {
    double duration_s; /* simulated time, s; 0: as in the rig */
    double step_s;     /* time step, s; 0: as in the rig */
    wsk_stepper stepper;
    uint64_t seed;
    /* leap: use steps of up to 60 s while no control (fan, governor, limit) would act. stride, with leap: if the rig's
     * inputs repeat in cycles, such as days or the time between checkpoints, skip cycles that would be alike */
    bool leap, stride;
    /* no_series: store no rows for wsk_run_series_csv, which take most of a run's memory and saved bytes. ready: compute
     * the powers and clocks of the start, so that they can be read before the first step */
    bool no_series, ready;
} wsk_run_options;
/* Starts a run; the rig must outlive it. WSK_EUSAGE: step outside 0.05-60 s, duration outside 1e-9 to 3.2e9 s, or no
 * such stepper. WSK_EINPUT: the rig has errors. WSK_ENUMERIC: there is no steady point to start from; *out is set (free
 * it), and wsk_run_error tells why. */
wsk_status wsk_run_new(wsk_run **out, const wsk_rig *rig, const wsk_run_options *options);
void wsk_run_free(wsk_run *run);
/* Advances to the end of the time step that reaches `until_s` of simulated time, at most to the run's duration; steps
 * with `leap` are longer. With `stride`, to the end of the skipped cycles. On WSK_ENUMERIC, wsk_run_error names the
 * component that left the physical range. WSK_EUSAGE: until_s is NAN. */
wsk_status wsk_run_advance(wsk_run *run, double until_s);
/* Advances several runs, with the same bits as wsk_run_advance. Runs whose rigs differ only in numbers are computed
 * together, in groups of eight, which is faster. status[i] is the status of runs[i]. If the function returns
 * WSK_ENOMEM, or WSK_EUSAGE because until_s is NAN, runs with status WSK_EUSAGE were not advanced. All runs must belong
 * to the calling thread. */
wsk_status wsk_runs_advance(wsk_run *const *runs, size_t count, double until_s, wsk_status *status);
double wsk_run_time(const wsk_run *run);
double wsk_run_duration(const wsk_run *run);
const char *wsk_run_error(const wsk_run *run); /* why the run cannot continue, in English; "": it can */

/* The number of variables ("gpu0.die_c"); name, unit and present value of variable i: "" and NAN if there is none. */
size_t wsk_run_variables(const wsk_run *run);
void wsk_run_variable(const wsk_run *run, size_t i, const char **name, const char **unit, double *value);
/* The row of variable i in the table of variables (wattsink_variables.h); NULL: no such variable. */
const wsk_var_row *wsk_run_variable_row(const wsk_run *run, size_t i);
/* The value of any variable by its name at the end of the last step; before the first step powers are 0, except of a run
 * that is `ready`. Any: also variables computed only when asked for ("gpu0.energy_j"), and nodes, degC. WSK_EINPUT: no
 * such name. *value NAN: the variable has no number, such as "gpu0.fan_percent" of a card without a fan. */
wsk_status wsk_run_get(const wsk_run *run, const char *name, double *value);
/* wsk_run_value: the present value of a variable by its row and the index of its owner, as fast as an array access;
 * NAN: the rig has no such variable. wsk_run_owners: how many cards, PSUs, ... the rig has. wsk_run_owner: the id of
 * owner i, with which the names of its variables begin, except that of a case's processor, which has the processor's
 * id ("cpu0.die_c"); "": the rig, or no such owner. */
double wsk_run_value(const wsk_run *run, wsk_var variable, size_t owner);
size_t wsk_run_owners(const wsk_run *run, wsk_owner owner);
const char *wsk_run_owner(const wsk_run *run, wsk_owner owner, size_t i);
/* Sets a variable from the present time on: a card's power limit ("gpu0.power_limit_w"), locks of its clock
 * ("gpu0.lock_low_mhz", "gpu0.lock_high_mhz"), a job that keeps it busy for a fraction of the time
 * ("gpu0.utilisation"), a pinned value ("gpu0.power_w", "gpu0.fan_rpm", "gpu0.clock_mhz", "rear.percent"), the air of
 * a room of constant temperature ("room.air_c"), or the failure and return of parts ("gpu0.fan_failed", "gpu0.off",
 * "rear.failed", "psu1.on", "circuit.on", "ac_on": 0 or 1). NAN releases a limit, a lock, a job or a pinned value.
 * docs/data.md, "Variables that can be set". WSK_EINPUT: no such name or value; nothing changes. WSK_ENOMEM. */
wsk_status wsk_run_set(wsk_run *run, const char *name, double value);

/* The whole state of a run as bytes, without its events: take these with wsk_run_events_csv before saving. A restored
 * run continues bit-identically. Free *bytes with wsk_text_free. The last 32 bytes are the SHA-256 of the bytes before
 * them. wsk_run_restore: WSK_EINPUT if the bytes belong to another run or a number is out of range; the run can then
 * only be freed. */
wsk_status wsk_run_save(const wsk_run *run, char **bytes, size_t *len);
wsk_status wsk_run_restore(wsk_run *run, const char *bytes, size_t len);

/* Results of the run so far. Free *text with wsk_text_free. */
wsk_status wsk_run_summary_json(const wsk_run *run, double wall_clock_s, char **text);
wsk_status wsk_run_summary_text(const wsk_run *run, char **text); /* the page for a terminal, in English and ASCII */
wsk_status wsk_run_series_csv(const wsk_run *run, char **text);   /* WSK_EUSAGE: the run was started with no_series */
/* The rows of the series: their number (0 with no_series), the time at the end of a row, s, and the value of a
 * variable in a row. NAN: no such row or variable. */
size_t wsk_run_series_rows(const wsk_run *run);
double wsk_run_series_end(const wsk_run *run, size_t row);
double wsk_run_series_value(const wsk_run *run, size_t row, size_t variable, wsk_stat stat);
/* Events since the start, or since the last call with `clear` true: CSV lines without header (time in s, component,
 * event, reason, code of event and reason). */
wsk_status wsk_run_events_csv(wsk_run *run, bool clear, char **text);
void wsk_text_free(char *text);

/* Limits of the verdict. Noise at a desk, dBA, by the German workplace rule ASR A3.7: 55 for work that needs
 * concentration, 70 for other work; at other places the site's `place` decides (docs/theory/mover.md, "Too loud").
 * Server intake air, degC, by ASHRAE TC 9.9: 27 recommended, 35 allowed for class A2. */
#define WSK_LOUD_DBA 55
#define WSK_VERY_LOUD_DBA 70
#define WSK_WARM_ROOM_C 27
#define WSK_HOT_ROOM_C 35

/* The heat network as input for other solvers (SPICE, JSON). replay_s 0: with the powers, flows and temperatures of
 * the steady point; replay_s > 0: with those of each step of a run over replay_s seconds (WSK_EUSAGE: above a day). On
 * WSK_ENUMERIC, *text names the component that left the physical range; otherwise *text is set on WSK_OK only. */
typedef enum { WSK_EXPORT_SPICE, WSK_EXPORT_JSON } wsk_export_format;
wsk_status wsk_rig_export(const wsk_rig *rig, wsk_export_format format, double replay_s, char **text);

/* The advice on a rig as lines of English text: the changes that help most, found by solving the changed rigs, with
 * an introduction and notes. */
wsk_status wsk_rig_advice(const wsk_rig *rig, char **text);
/* Like wsk_rig_advice, but after a run: PSUs and circuit are judged by the higher of the run's and the steady point's
 * load. */
wsk_status wsk_run_advice(const wsk_rig *rig, const wsk_run *run, char **text);
/* Finds the changes of wsk_run_advice and stores them in the run, so that its summaries contain them; a second call
 * does nothing. It takes tens of milliseconds. WSK_ERUN: a file of the catalogue could not be read for a reason that
 * may pass; wsk_run_failure names it, and the run cannot continue. */
wsk_status wsk_run_judge(const wsk_rig *rig, wsk_run *run);

/* ---- designs ---- */
typedef enum { WSK_DESIGN_LHS, WSK_DESIGN_SOBOL } wsk_design;
#define WSK_DESIGN_DIMENSIONS 40
/* Writes `count` points of [0, 1)^dimensions into u, one point after another; the same arguments give the same bits.
 * WSK_DESIGN_LHS, Latin hypercube: each of the `count` equal strata of each dimension contains one point at a random
 * position. WSK_DESIGN_SOBOL: the low-discrepancy sequence, which starts at the centre; a seed other than 0 shifts it
 * modulo 1. WSK_EUSAGE: no dimension, or more than WSK_DESIGN_DIMENSIONS. */
wsk_status wsk_design_points(wsk_design design, uint64_t seed, size_t count, size_t dimensions, double *u);

/* The uncertainty of the steady point as JSON (docs/theory/uncertainty.md): each input that is assumed, is fitted or
 * states a spread is changed by its spread, one input at a time, and the steady point is solved again. Free *json
 * with wsk_text_free. */
wsk_status wsk_rig_spread(const wsk_rig *rig, wsk_stepper stepper, char **json);
/* The uncertainty as data, the source with the largest effect first. A source is one input, or several with one error.
 * NAN: unknown. Texts are valid as long as the object. With a load curve, changes of power are those of a day's mean. */
typedef struct wsk_uncertainty wsk_uncertainty;
/* Relative changes of wall power (site_rel: with room cooling) and throughput; changes of die temperature and noise. */
typedef struct {
    double site_rel, work_rel, die_k, noise_db, wall_rel;
} wsk_uncertainty_effects;
typedef struct {
    /* key: identifies the input; it is the same for the same input of another rig. purchase: change of the purchase
     * price. The other numbers: half of the difference of `raised` and `lowered`. */
    const char *key, *text, *where, *why, *spread;
    double site_rel, work_rel, die_k, noise_db, purchase;
    const struct wsk_said *name;             /* text, as a message */
    wsk_uncertainty_effects lowered, raised; /* effects of lowering and of raising the input by its spread */
} wsk_uncertainty_source;
wsk_status wsk_rig_uncertainty(wsk_uncertainty **out, const wsk_rig *rig, wsk_stepper stepper);
void wsk_uncertainty_free(wsk_uncertainty *uncertainty);
size_t wsk_uncertainty_sources(const wsk_uncertainty *uncertainty);
void wsk_uncertainty_get(const wsk_uncertainty *uncertainty, size_t i, wsk_uncertainty_source *out);
/* How far all errors together lower and raise each result, both 0 or more. */
void wsk_uncertainty_total(const wsk_uncertainty *u, wsk_uncertainty_effects *below, wsk_uncertainty_effects *above);

/* ---- tables ---- */
wsk_status wsk_schema_text(char **text);
wsk_status wsk_kinds_text(const char *element, char **text); /* all kinds of an element; NULL: of every element */
/* One line for each part of a family (NULL: of all families). search: only parts whose id or title contains this
 * text; NULL: all. *text "": no such folder. WSK_ERUN: *text names a file that could not be read this time. */
wsk_status wsk_parts_text(const char *parts_dir, const char *family, const char *search, char **text);

#include "wattsink_calibrate.h"
#include "wattsink_elements.h"
#include "wattsink_log.h"
#include "wattsink_messages.h"
#include "wattsink_results.h"
#include "wattsink_summary.h"
#include "wattsink_optimise.h"

#ifdef __cplusplus
}
#endif
#endif
