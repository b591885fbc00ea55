/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for the best settings: optimise.c (rounds), case.c and try.c (compute cases), pick.c (proposes cases),
 * seek.c (one search), rank.c (compares cases), flat.c (cases as good as the best), why.c (prices and conflicts of
 * limits, Pareto front). A case is one choice of all settings. Theory: docs/theory/optimise.md. Begin with
 * optimise.c. */
#ifndef WSK_STUDY_OPTIMISE_H
#define WSK_STUDY_OPTIMISE_H
#include "sim/io/plan.h"
#include "sim/control/run.h"
#include "wattsink.h"

enum { WSK_MEASURES_MAX = WSK_OPTIMISE_GOALS + WSK_OPTIMISE_LIMITS, WSK_RUN_RESULTS = 15 };
/* A computed case. levels: per setting, the index of its value. */
typedef struct {
    int *levels;
    /* goals (smaller is better), then distances from the limits (negative: violated); NAN: the case could not be built,
     * or the value is unknown */
    double v[WSK_MEASURES_MAX];
    double results[WSK_RUN_RESULTS]; /* results that the uncertainty needs; set only if all cases are run over time */
} wsk_tried;
/* Uncertainty of a case. ok: it could be computed; sd: standard deviation of each goal and limit. */
typedef struct {
    const int *levels;
    bool ok;
    double sd[WSK_MEASURES_MAX];
    size_t count;
    /* [count] ascending hashes of the inputs' keys; an input has the same key in every case */
    const uint64_t *key;
    /* [count]: change of each goal and limit by the error of that input (one standard deviation) */
    double (*effect)[WSK_MEASURES_MAX];
} wsk_doubt;

typedef struct {
    const wsk_optimise_options *o;
    const wsk_plan_input *input;
    wsk_arena *arena;
    wsk_optimum *out;
    size_t n, m; /* n: number of settings; m: number of goals plus limits */
    double z;    /* a limit must be kept by this many standard deviations of its measure */
    wsk_tried *all;
    size_t count, room;
    wsk_doubt **doubts;
    size_t doubt_count, doubt_room;
    wsk_tried *runs;
    size_t run_count, run_room;
    wsk_tried *checks;
    size_t check_count, check_room;
    wsk_tried as_is;                  /* the rig as it is, run with strides; levels: NULL */
    double need[WSK_OPTIMISE_LIMITS]; /* least distance from each limit at which the limit counts as kept */
    /* planned number of known cases; if the caller states no limit (o->most), late rounds may exceed it */
    size_t most;
    uint64_t random;
    bool by_run, stopped;
    wsk_status status;
} wsk_seeker;

/* How a case is computed: at its steady point, or in a run over time with strides (cycles of inputs that repeat are
 * skipped) or tick by tick. */
typedef enum { WSK_AT_POINT, WSK_BY_STRIDES, WSK_BY_TICKS } wsk_case_way;
/* Number of values of a case: its goals and limits, and, if all cases are run over time, the results that its
 * uncertainty needs. */
size_t wsk_case_numbers(const wsk_seeker *s);
/* Writes the values of a case to v; levels NULL: the rig as it is. A case that cannot be built or solved is all NAN. */
wsk_status wsk_case_compute(const wsk_seeker *s, const int *levels, wsk_case_way way, double *v);
enum { WSK_ERRORS_MAX = 400 };
/* Writes for each uncertain input, and for the model's own error, its key, as a number, and its effect on each goal and
 * limit. *count: numbers written, at most (WSK_ERRORS_MAX + 1) x (m + 1); 0: the case cannot be built or has no steady
 * point. run: the results of the case over time; NULL: the case is judged by its steady point. */
wsk_status wsk_case_effects(const wsk_seeker *s, const int *levels, const double *run, double *out, size_t *count);
/* Raises each point of a curve that must not fall to at least the point before it. */
void wsk_seek_straighten(const wsk_seeker *s, int *levels);
const char **wsk_seek_sets(const wsk_optimise_options *o, wsk_arena *arena, const int *levels, size_t *count);

/* Computes the cases that are not known yet among the k cases of `levels`, [k][n]. False: the search must end. */
bool wsk_seek_try(wsk_seeker *s, const int *levels, size_t k);
const wsk_tried *wsk_seek_known(const wsk_seeker *s, const int *levels);
const wsk_tried *wsk_seek_run(wsk_seeker *s, const int *levels);
/* Runs the case over time tick by tick. wsk_seek_run above runs it with strides. Both return its values. */
const wsk_tried *wsk_seek_check(wsk_seeker *s, const int *levels);
bool wsk_seek_doubt(wsk_seeker *s, const int *levels, size_t k, const wsk_doubt **out);
/* Standard deviation of the difference in a measure between two cases: errors that both share cancel. */
double wsk_doubt_between(const wsk_doubt *a, const wsk_doubt *b, size_t measure);
/* Computes the rig as it is: its goals and limits at the steady point, into `point`, and s->as_is. */
void wsk_seek_as_is(wsk_seeker *s, double *point);
/* Uncertainty of the rig as it is; NULL: the search must end. */
const wsk_doubt *wsk_seek_doubt_as_is(wsk_seeker *s);

typedef struct {
    int limit; /* -1: optimise the goals; else: index of a limit that the search tries to violate least */
    /* per goal: the search minimises the greatest of weight x (goal - least) / span, plus a small share of their sum;
     * NULL: it minimises the first goal alone */
    const double *weights;
    double least[WSK_OPTIMISE_GOALS], span[WSK_OPTIMISE_GOALS];
    double need[WSK_OPTIMISE_LIMITS]; /* -INFINITY: this limit does not count */
    bool rough;                       /* the search leaves out the neighbours of the best case, if they are costly */
} wsk_asked;
/* The objective of the main search: the first goal, with all limits kept. rank.c defines the functions from
 * here to wsk_seek_best. */
wsk_asked wsk_seek_ask(const wsk_seeker *s);
double wsk_asked_value(const wsk_seeker *s, const wsk_asked *q, const double *v);
/* Sum over the limits: the amount by which the case violates a limit, divided by the range of that limit's measure over
 * the known cases (100 if the measure is unknown). 0: the case keeps all limits. */
double wsk_asked_broken(const wsk_seeker *s, const wsk_asked *q, const double *v);
bool wsk_asked_better(const wsk_seeker *s, const wsk_asked *q, const wsk_tried *a, const wsk_tried *b);
const wsk_tried *wsk_seek_best(const wsk_seeker *s, const wsk_asked *q);
/* Number of combinations of all values. */
double wsk_seek_size(const wsk_seeker *s);
/* Most cases that the search may still compute; SIZE_MAX: the caller states no limit. */
size_t wsk_seek_left(const wsk_seeker *s);
/* True if all cases are run over time and there are so many settings that computing the neighbours of one case takes a
 * whole batch or more. */
bool wsk_seek_is_costly(const wsk_seeker *s);
bool wsk_seek_all(wsk_seeker *s); /* computes all cases; false: the search must end */
/* Searches from known cases that are far from the best one and from each other, until no start is left or `most` cases
 * are known. */
void wsk_seek_elsewhere(wsk_seeker *s, const wsk_asked *q, size_t most);
/* Continues the search by at most `most` cases, or computes all cases if there are few. Returns the best known
 * case; NULL: none could be built. */
const wsk_tried *wsk_seek(wsk_seeker *s, const wsk_asked *q, size_t most);

enum { WSK_PICKS = 8 }; /* cases per batch; a constant, so that the answer does not depend on the number of threads */
/* Proposes at most WSK_PICKS cases that are not known, the most promising first. Returns their number. */
size_t wsk_seek_pick(wsk_seeker *s, const wsk_asked *q, int *levels);
/* Distance between two cases: 1 if all settings are at opposite ends. */
double wsk_seek_apart(const wsk_seeker *s, const int *a, const int *b);

/* Finds cases that are as good as the best within the uncertainty (flat.c). Sets in the answer `low`, `high`
 * and `alike` (the values of each setting that are as good), `band`, `simplest` (the case whose values are easiest
 * to set), and `as_is`. */
void wsk_seek_flat(wsk_seeker *s, const wsk_tried *best);
/* True if the case, run with strides, keeps the limits with the required probability, given its own uncertainty.
 * *doubt receives that uncertainty. wsk_seek_verified: the case must keep them also when run tick by tick. */
bool wsk_seek_keeps(wsk_seeker *s, const wsk_tried *t, const wsk_doubt **doubt);
bool wsk_seek_verified(wsk_seeker *s, const wsk_tried *t, const wsk_doubt **doubt);
/* Least distances from the limits that the steady point of this case needs, so that its run over time keeps them with
 * the required probability. If they cannot be computed, `need` stays as it is. */
void wsk_seek_needs(wsk_seeker *s, const wsk_tried *t, double need[WSK_OPTIMISE_LIMITS]);
wsk_optimised wsk_seek_answer(wsk_seeker *s, const int *levels);
/* Least difference from a value that counts. Smaller differences may come from clocks and fans that change in
 * steps. */
double wsk_seek_floor(double value);
/* Lists the known cases that keep the distances of `q` from the limits and whose first goal is less than `below`, best
 * first; if there are more than `room`, `room` of them at equal intervals. Returns their number. */
size_t wsk_seek_list(wsk_seeker *s, const wsk_asked *q, double below, const wsk_tried **out, size_t room);
void wsk_seek_prices(wsk_seeker *s, const wsk_tried *best);
void wsk_seek_conflicts(wsk_seeker *s);
/* Finds the Pareto front: of the cases that keep the limits by their own uncertainty, the cases that no other case
 * beats in all goals. best: the best case by the first goal before the search. Returns the best case by the first goal
 * after it. */
const wsk_tried *wsk_seek_front(wsk_seeker *s, const wsk_tried *best);

wsk_status wsk_optimise(wsk_optimum **out, wsk_arena *arena, const wsk_plan_input *input,
                        const wsk_optimise_options *options);

#endif
