/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches the best settings of a rig under limits that hold with a stated probability. wattsink.h includes this
 * file. Theory: docs/theory/optimise.md */
#ifndef WATTSINK_OPTIMISE_H
#define WATTSINK_OPTIMISE_H

enum { WSK_SETTINGS_MAX = 40, WSK_OPTIMISE_GOALS = 3, WSK_OPTIMISE_LIMITS = 16 };
/* One setting that the search may change. */
typedef struct {
    /* path of the assignment PATH=VALUE; NULL: each value is a list of whole assignments, one per line */
    const char *path;
    /* the values to choose from; if `ordered`, from low to high, so that neighbouring values have similar effects */
    const char *const *values;
    size_t count;
    bool ordered;
    /* Not NULL: the setting is the y value of a curve at this x, such as "60 degC", or at several, "0 h, 22 h".
     * Consecutive settings with the same path are the points of one curve; their values never fall from one setting
     * to the next. */
    const char *at;
    bool falls; /* the value may be below that of the setting before, although both are points of one curve */
} wsk_setting;

/* Progress of a search. best: goals and limits of the best case so far; NULL: no case meets the limits yet. */
typedef struct {
    size_t tried, most; /* cases computed so far; most cases of the search */
    const double *best;
    const int *levels; /* index of each setting's value in the best case; NULL with `best` */
} wsk_optimise_progress;

/* Functions of the caller; all but `measure` may be NULL. Each is called with `ctx`. */
typedef struct {
    void *ctx;
    /* Computes from a summary the goals, for which less is better, then for each limit the margin to it (negative: by
     * how much the limit is broken). NAN: unknown. Several threads may call it at the same time. */
    void (*measure)(void *ctx, const wsk_summary *summary, double *out);
    /* Calls one(work, i) for i from 0 to count - 1, possibly in several threads; NULL: the library does so in one
     * thread. */
    void (*together)(void *ctx, size_t count, void (*one)(void *work, size_t i), void *work);
    /* Called with the progress. False: end the search with the best case so far. */
    bool (*goes_on)(void *ctx, const wsk_optimise_progress *progress);
    /* Storage of the caller, so that a search can be resumed. recall writes at most `room` numbers that were stored
     * under a key and returns their number; 0: none are stored. keep stores numbers under a key. */
    size_t (*recall)(void *ctx, const char *key, double *out, size_t room);
    void (*keep)(void *ctx, const char *key, const double *values, size_t count);
} wsk_optimise_calls;

typedef struct {
    const wsk_setting *settings;
    size_t setting_count, goals, limits;
    wsk_optimise_calls calls;            /* functions of the caller */
    double probability;                  /* probability with which each limit must hold; 0: 0.8 */
    double tighter[WSK_OPTIMISE_LIMITS]; /* by how much each limit is tightened to compute its price; 0: no price */
    /* most cases of the search; the ranges of wsk_optimum (low, high, alike) need further cases. 0: chosen by the
     * number of settings */
    size_t most;
    uint64_t seed;
    double duration_s, step_s; /* duration and step of runs over time; 0: as in the rig */
    bool over_time;            /* run all cases over time; needed if settings change over the day */
    /* The limit must hold in the computed case only: its uncertainty is taken as 0. */
    bool certain[WSK_OPTIMISE_LIMITS];
} wsk_optimise_options;

/* A case. levels: index of each setting's value; point: goals and margins to the limits, as `measure` computes them,
 * at the steady point; run: the same of a run over time (NULL: not run); sd: their standard deviations (NULL: not
 * computed). */
typedef struct {
    const int *levels;
    const double *point, *run, *sd;
} wsk_optimised;
/* The price of a limit: how the first goal changes if the limit is tightened. */
typedef struct {
    bool binds;  /* tightening the limit makes the best case worse or impossible */
    bool known;  /* a case that keeps the tightened limit was found */
    double more; /* increase of the first goal with the tightened limit */
} wsk_limit_price;
/* A limit's part in a conflict, if no case that keeps all limits was found. The amounts are the least ones if the
 * search was complete. */
typedef struct {
    bool alone; /* the other limits can hold if this one is dropped */
    /* amount by which this limit must be relaxed for the others to hold; INFINITY: no case keeps them */
    double give;
    /* If dropping no single limit is enough: amount by which this limit is broken in the case that breaks all limits
     * together the least (each relative to its range over all cases); else 0. */
    double together;
} wsk_limit_conflict;

/* How the rig as it is compares with the best case by the first goal. Unknown: no case keeps the limits, the search was
 * interrupted, or the uncertainty of the goal is not known. As good: within the uncertainty of the difference. */
typedef enum {
    WSK_AS_IS_UNKNOWN,
    WSK_AS_IS_BREAKS_LIMITS,
    WSK_AS_IS_WORSE,
    WSK_AS_IS_AS_GOOD,
    WSK_AS_IS_BETTER
} wsk_as_is;

typedef struct wsk_optimum wsk_optimum;
struct wsk_optimum {
    struct wsk_arena *arena; /* memory of the answer, used by the library only */
    bool found;              /* true: a case that meets all limits was found */
    bool interrupted;        /* true: `goes_on` ended the search */
    /* true: all cases were run over time, because over_time asked for it or steady points are too inexact or lack
     * results */
    bool by_run;
    bool complete; /* true: all combinations of the values were computed */
    /* simplest: within the uncertainty as good as the best, with values that are easiest to set; never worse than an
     * unchanged rig that keeps the limits, except where it is the best case itself */
    wsk_optimised best, simplest;
    wsk_as_is as_is;
    double now[WSK_OPTIMISE_GOALS + WSK_OPTIMISE_LIMITS]; /* goals and limits of the unchanged rig; NAN: unknown */
    /* differences of the first goal below this are within its uncertainty */
    double band;
    /* For each setting, the least and the highest index of its value with which the case is still as good as the best
     * one, within the uncertainty and with the other settings at their best values. Both are the index of the best
     * value if the setting is not ordered. NULL: not known. */
    const int *low, *high;
    /* [setting][value]: is this value as good as the best one, with the other settings at their best values? NULL for
     * an ordered setting. */
    const bool *const *alike;
    const wsk_optimised *front; /* if there are several goals: the Pareto front, sorted by the first goal */
    size_t front_count;
    wsk_limit_price prices[WSK_OPTIMISE_LIMITS];
    wsk_limit_conflict conflicts[WSK_OPTIMISE_LIMITS]; /* set if `found` is false */
    double probability;
    /* numbers of cases, of runs over time, and of cases whose uncertainty was computed */
    size_t tried, runs, spreads;
};

/* Searches the best settings. WSK_EUSAGE: no settings, goals or function `measure`, or too many settings, values,
 * goals or limits; a setting without values; a probability below 0, or 1 or more; an amount of `tighter` below 0 or
 * not finite; duration or step as wsk_run_new refuses them. WSK_EINPUT: the rig has errors, or no case could be built.
 * *out is set on WSK_OK; free it with wsk_optimum_free. The answer depends neither on `together` nor on what `recall`
 * returns. */
wsk_status wsk_rig_optimise(wsk_optimum **out, const wsk_rig *rig, const wsk_optimise_options *options);
void wsk_optimum_free(wsk_optimum *optimum);
/* The assignments of a case in the syntax of --set, one per line. Free *sets with wsk_text_free. */
wsk_status wsk_optimise_sets(const wsk_optimise_options *options, const int *levels, char **sets);

#endif
