/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Effects of uncertain inputs on the result. find.c, find_load.c and readings.c find the inputs, names.c names them,
 * follow.c solves the rig with them changed, read.c reads the effects, spread.c combines them, words.c words them,
 * bands.c gives the results of a run their uncertainty. Theory: docs/theory/uncertainty.md. Begin with follow.c. */
#ifndef WSK_STUDY_SPREAD_H
#define WSK_STUDY_SPREAD_H
#include "sim/base/said.h"
#include "sim/net/net.h"
#include "sim/net/spread.h"
#include "sim/control/run.h"

/* Callback with which a caller reads further quantities from each solved steady point. The effects of errors on these
 * quantities are found, too. */
enum { WSK_SPREAD_MORE = 24 };
typedef struct {
    void (*read)(void *ctx, const wsk_run *run, double more[WSK_SPREAD_MORE]);
    void *ctx;
} wsk_spread_reader;

/* How the effects of errors are found. reader: reads further quantities from each solved rig; NULL: none. over_s: time
 * from the start of the run, s, at most a day, for whose mean power the effects on powers are found; the cards may have
 * no work for a part of it. 0: they are found for the steady point at full load. */
typedef struct {
    const wsk_spread_reader *reader;
    double over_s;
} wsk_spread_how;

typedef struct {
    double *at;
    double base, low, high;
} wsk_spread_member;

/* Changes of results. site_rel, wall_rel, work_rel: relative to site_w, wall_w and work of the base; per_work_rel:
 * relative change of wall_w divided by work; lost: change of wsk_spread_base.lost; die_k: hottest die, K; memory_k:
 * hottest memory, K; noise_db: dB; margin_k: as in wsk_spread_base. */
typedef struct {
    double site_rel, wall_rel, work_rel, per_work_rel, lost, die_k, memory_k, noise_db, margin_k;
} wsk_effects;
/* The same as an array of numbers, so that a loop can treat all results alike. */
enum { WSK_EFFECTS = sizeof(wsk_effects) / sizeof(double) };
_Static_assert(sizeof(wsk_effects) == WSK_EFFECTS * sizeof(double), "wsk_effects has no gaps");
typedef union {
    wsk_effects of;
    double v[WSK_EFFECTS];
} wsk_effects_list;
/* Returns part_a x a + part_b x b for each result. */
wsk_effects wsk_effects_mix(const wsk_effects *a, double part_a, const wsk_effects *b, double part_b);

/* One independent error: the values that it changes together, and its effects. */
typedef struct {
    const wsk_said *name;
    /* key: identifies the error; a value of a part has the same key in every rig. text: name in English. where: path
     * of the value's element. why: reason of the uncertainty. spread: `half` in English, "+-5 %". */
    const char *key, *text, *where, *why, *spread;
    const wsk_said *half;
    const char *kind, *ref; /* the two parts of `why`: kind of source; reference or reason, NULL: none */
    /* true: `ref` is a sentence of the program and can be translated; false: it comes from a file */
    bool ours;
    wsk_spread_from from;
    int first, count; /* the source's values: wsk_spreads.members[first] to [first + count - 1] */
    /* true: raising and lowering the values may have different effects, so both are computed. It is set for points of
     * curves, for temperatures, speeds, powers and clocks, which may be limits or be compared with one, and for values
     * that a limit cuts off, such as the power of a card at its power limit. */
    bool threshold;
    /* Effects of lowering and of raising the values by the error. They are not opposite where only one direction has
     * an effect: a card at its power limit can draw less, but not more. mean: half of their difference. */
    wsk_effects lowered, raised, mean;
    /* Error of a power reading that the rig states: part or id of the cards whose power was read; NULL: another kind
     * of error. Such an error changes no value of the rig (sim/study/spread/readings.c). */
    const char *reads;
    double purchase; /* uncertainty of the purchase price, money */
    double more[WSK_SPREAD_MORE];
    /* combined effect on power, throughput and die temperature, by which the list is sorted */
    double size;
} wsk_spread_source;

typedef struct {
    /* site_w: wall_w and the power of the room's cooling. wall_w: power at the wall: of the rig, UPS, power strip and
     * other AC loads. work: throughput summed over the cards. lost: throughput lost to heat, as a share of the
     * throughput without that loss. die_max_c: hottest die, degC; a card that shut down from heat counts with its
     * shutdown temperature; NAN: no card, or all are lost or without mains. memory_max_c: hottest memory of the cards
     * that are on, degC; NAN: none. noise_dba NAN: no sound source. margin_k: least distance, K, of a working card from
     * the temperature that lowers its clock; negative if heat already lowers the clock (then the temperature at full
     * power is extrapolated); NAN: no card has work and mains, or the power of all is pinned. room_c: air of the room,
     * degC. */
    double site_w, wall_w, work, lost, die_max_c, memory_max_c, noise_dba, margin_k, room_c;
    /* Part of the total sound power that comes from fans whose noise is estimated from the speed of their blade tips,
     * 0 to 1. */
    double tips_share;
    int shut;     /* number of cards that shut down from heat */
    double cards; /* share of wall_w that the cards and their part of the PSU losses take */
    double gone;  /* throughput missing because cards are lost, as a share of that without losses */
    double more[WSK_SPREAD_MORE];
} wsk_spread_base;

typedef struct {
    wsk_arena *arena;
    const wsk_net *net;
    wsk_plan *plan;
    wsk_spread_member *members;
    wsk_spread_source *sources;
    int n_member, n_source, room_sources;
    int unread; /* number of errors that are stated only in words */
    bool failed;
    const char *currency;
    wsk_spread_how how;
    bool resting; /* the cards have no work in the rigs that are solved now */
    bool off;     /* a card or processor shuts down in the unchanged rig */
    wsk_spread_base base;
    double mean_site_w, mean_wall_w; /* mean powers over wsk_spread_how.over_s; without rest those of the base */
    /* How far the results may lie below and above the base, as one standard deviation, both 0 or more. below: root of
     * the sum of squares of all decreases by errors; above: the same of all increases; half: half of the width of the
     * range. */
    wsk_effects below, above, half;
    double purchase;
    double throttles; /* probability that heat lowers a card's clock, 0 to 1; NAN: no card has work */
} wsk_spreads;

/* Reads the results of a solved rig; `more` becomes 0. */
void wsk_spread_read(const wsk_run *run, wsk_spread_base *out);
/* Least distance, K, of a working card from the temperature that lowers its clock (wsk_spread_base.margin_k). */
double wsk_spread_margin_k(const wsk_run *run);
/* Probability that heat lowers a clock. margin_k: distance as above, K; below_k, above_k: standard deviations of the
 * distance from errors of the inputs, downwards and upwards. The model's own error (WSK_SPREAD_MODEL_K) is added. */
double wsk_spread_chance(double margin_k, double below_k, double above_k);
/* Moves the values of one error to their upper ends (way 1), lower ends (way -1) or back (way 0). */
void wsk_spreads_move(wsk_spreads *s, const wsk_spread_source *source, int way);
bool wsk_spreads_find(wsk_spreads *s, wsk_arena *arena, const wsk_net *net);
/* Sets the effects (raised, lowered, mean) of the error of a power reading (source->reads). run: the solved rig. */
void wsk_spread_readings_follow(const wsk_spreads *s, wsk_spread_source *source, const wsk_run *run);
/* Solves the steady points with each error applied, in net->threads threads, and sets the base and the effects of each
 * source. */
wsk_status wsk_spreads_follow(wsk_spreads *s, wsk_stepper stepper);
wsk_spread_source *wsk_spreads_add(wsk_spreads *s, const char *key);
/* States that a value is uncertain because it is assumed, and why. reason: English; it is translated when it is
 * shown. */
void wsk_spread_assume(const wsk_spreads *s, wsk_spread_source *source, const char *reason);
/* wsk_spread_name and wsk_spread_half also store the text in English. */
void wsk_spread_name(const wsk_spreads *s, wsk_spread_source *source, const wsk_said *name);
void wsk_spread_half(const wsk_spreads *s, wsk_spread_source *source, const wsk_said *half);
/* Finds the errors, solves the steady point with each error applied, and sorts them by size, largest first. Errors
 * without effect are left out. WSK_ENUMERIC: the unchanged rig has no steady point. */
wsk_status wsk_spreads_solve(wsk_spreads *s, wsk_arena *arena, const wsk_net *net, wsk_stepper stepper);
wsk_status wsk_spreads_solve_with(wsk_spreads *s, wsk_arena *arena, const wsk_net *net, wsk_stepper stepper,
                                  const wsk_spread_how *how);
/* Error of settled temperatures in addition to the errors of the inputs, K (docs/validation.md). */
#define WSK_SPREAD_MODEL_K 2.0

void wsk_spreads_json(const wsk_spreads *s, wsk_buf *out);
void wsk_spreads_report(const wsk_spreads *s, wsk_lines *out);

#endif
