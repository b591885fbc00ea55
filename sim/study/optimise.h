/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the search for the best settings: optimise.c (rounds), optimise_case.c and optimise_try.c (compute cases), optimise_pick.c
 * (proposes them), optimise_seek.c (one search), optimise_rank.c (which case
 * is better), optimise_flat.c (plateau), optimise_why.c (prices and conflicts of
 * limits). Theory: docs/theory/optimise.md */
#ifndef WSK_STUDY_OPTIMISE_H
#define WSK_STUDY_OPTIMISE_H
#include "sim/io/plan.h"
#include "sim/control/run.h"
#include "wattsink.h"

enum { WSK_MEASURES_MAX = WSK_OPTIMISE_GOALS + WSK_OPTIMISE_LIMITS };
typedef struct {
    int *levels;
    double v[WSK_MEASURES_MAX]; /* goals, then limits; NAN: the case cannot be built */
} wsk_tried;
/* The uncertainty of a case: effects of each error on goals and limits. */
typedef struct {
    const int *levels;
    bool ok;
    double sd[WSK_MEASURES_MAX];
    size_t count;
    const uint64_t *key;                /* [count] hash of the error's key, the same in each rig; in order */
    double (*effect)[WSK_MEASURES_MAX]; /* [count] */
} wsk_doubt;

typedef struct {
    const wsk_optimise_options *o;
    const wsk_plan_input *input; /* the rig as it is */
    wsk_arena *arena;
    wsk_optimum *out;
    size_t n, m; /* numbers of settings, of goals and limits */
    double z;    /* number of standard deviations by which a limit must be kept */
    wsk_tried *all;
    size_t count, room;
    wsk_doubt **doubts;
    size_t doubt_count, doubt_room;
    wsk_tried *runs; /* cases that were run over time */
    size_t run_count, run_room;
    wsk_tried *checks; /* the same by ticks */
    size_t check_count, check_room;
    double need[WSK_OPTIMISE_LIMITS]; /* least distance from a limit at which it counts as kept */
    size_t most;                      /* cases of the main search */
    uint64_t random;
    bool by_run, stopped;
    wsk_status status; /* not WSK_OK: out of memory, or a file could not be read */
} wsk_seeker;

/* ---- one case: optimise_case.c ---- */
/* How a case is computed: at its steady point, or in a run over time, with strides or by ticks. */
typedef enum { WSK_AT_POINT, WSK_BY_STRIDES, WSK_BY_TICKS } wsk_case_way;
/* Goals and limits of a case; levels NULL: the rig as it is. A case that cannot be built or solved is all NAN. */
wsk_status wsk_case_compute(const wsk_seeker *s, const int *levels, wsk_case_way way, double *v);
enum { WSK_ERRORS_MAX = 400 };
/* Writes for each uncertain input its key, as a number, and its effect on each goal and limit. *count: numbers
 * written, at most (WSK_ERRORS_MAX + 1) (m + 1); 0: the case has no steady point. */
wsk_status wsk_case_effects(const wsk_seeker *s, const int *levels, double *out, size_t *count);
/* Raises each point of a curve to at least the point before it. */
void wsk_seek_straighten(const wsk_seeker *s, int *levels);
/* The assignments of a case; NULL: out of memory. */
const char **wsk_seek_sets(const wsk_optimise_options *o, wsk_arena *arena, const int *levels, size_t *count);

/* ---- cases: optimise_try.c ---- */
/* Computes k cases that are not known yet; levels: [k][n]. False: the search ends. */
bool wsk_seek_try(wsk_seeker *s, const int *levels, size_t k);
/* The case; NULL: it was not computed. */
const wsk_tried *wsk_seek_known(const wsk_seeker *s, const int *levels);
/* The case, run over time with strides; NULL: it cannot be run, or the search ends. */
const wsk_tried *wsk_seek_run(wsk_seeker *s, const int *levels);
/* The same by ticks, for cases of the answer. */
const wsk_tried *wsk_seek_check(wsk_seeker *s, const int *levels);
/* The uncertainty of k cases, into out. False: the search ends. */
bool wsk_seek_doubt(wsk_seeker *s, const int *levels, size_t k, const wsk_doubt **out);
/* Standard deviation of the difference in a measure between two cases: errors that both share cancel. */
double wsk_doubt_between(const wsk_doubt *a, const wsk_doubt *b, size_t measure);
/* Goals and limits of the rig as it is, at its steady point and over time; NAN: none. */
void wsk_seek_as_is(wsk_seeker *s, double *point, double *run);

/* ---- one search: optimise_seek.c ---- */
/* The objective of one search: which case is best? */
typedef struct {
    int limit; /* -1: the goals are asked for; else: the case that breaks this limit least */
    const double *
        weights; /* per goal; the search minimises the greatest weighted distance from the goal's least value, as a share of its span. NULL: the first goal alone */
    double least[WSK_OPTIMISE_GOALS], span[WSK_OPTIMISE_GOALS];
    double need[WSK_OPTIMISE_LIMITS]; /* -INFINITY: this limit does not count */
} wsk_asked;
/* optimise_rank.c */
wsk_asked wsk_seek_ask(const wsk_seeker *s);
/* The objective as a number to be minimised, from the goals and limits of a case. */
double wsk_asked_value(const wsk_seeker *s, const wsk_asked *q, const double *v);
/* Amount by which a case violates the limits, as shares of their ranges over all cases; 0: it keeps them. */
double wsk_asked_broken(const wsk_seeker *s, const wsk_asked *q, const double *v);
/* The best of the known cases; NULL: none could be built. */
const wsk_tried *wsk_seek_best(const wsk_seeker *s, const wsk_asked *q);
/* Searches on, for at most `most` further cases, and returns the best; NULL as above. */
const wsk_tried *wsk_seek(wsk_seeker *s, const wsk_asked *q, size_t most);

/* ---- proposals: optimise_pick.c ---- */
enum { WSK_PICKS = 8 }; /* cases of one batch; a constant, so that the answer does not depend on the threads */
/* Proposes at most WSK_PICKS cases that are not known, the most promising first. Returns their number. */
size_t wsk_seek_pick(wsk_seeker *s, const wsk_asked *q, int *levels);

/* ---- answers ---- */
/* Fills plateau and simplest case around the best one (optimise_flat.c). */
void wsk_seek_flat(wsk_seeker *s, const wsk_tried *best);
/* Does the case keep the limits with their probability over time, by its own uncertainty? *doubt: that uncertainty. */
bool wsk_seek_verified(wsk_seeker *s, const wsk_tried *t, const wsk_doubt **doubt);
/* A case of the answer. */
wsk_optimised wsk_seek_answer(wsk_seeker *s, const int *levels);
/* Smaller differences of a value come from clocks and fans that change in steps. */
double wsk_seek_floor(double value);
/* Fills the prices of the limits, or which of them conflict (optimise_why.c). */
void wsk_seek_prices(wsk_seeker *s, const wsk_tried *best);
void wsk_seek_conflicts(wsk_seeker *s);
void wsk_seek_front(wsk_seeker *s);

/* Does the work of wsk_rig_optimise; `arena` keeps the answer. */
wsk_status wsk_optimise(wsk_optimum **out, wsk_arena *arena, const wsk_plan_input *input,
                        const wsk_optimise_options *options);

#endif
