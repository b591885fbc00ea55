/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best settings of a rig: search, with limits that hold with a stated probability. wattsink.h includes this file.
 * Theory: docs/theory/optimise.md */
#ifndef WATTSINK_OPTIMISE_H
#define WATTSINK_OPTIMISE_H

enum { WSK_SETTINGS_MAX = 40, WSK_OPTIMISE_GOALS = 3, WSK_OPTIMISE_LIMITS = 16 };
/* One thing to choose. */
typedef struct {
    const char *path;          /* of the assignments PATH=VALUE; NULL: each value is whole assignments, one a line */
    const char *const *values; /* ordered: from low to high, so that neighbours are alike */
    size_t count;
    bool ordered;
    /* Not NULL: the value of a curve at this place, such as "60 degC", or at each of several, "0 h, 22 h". Settings of one path
     * in a row are the points of one curve, whose values do not fall from setting to setting. */
    const char *at;
} wsk_setting;

/* How far a search is. `best` has the goals and limits of the best case so far; NULL: none meets the limits. */
typedef struct {
    size_t tried, most; /* cases */
    const double *best;
    const int *levels; /* of its settings */
} wsk_optimise_progress;

/* Functions of the caller; NULL where it has none. Each gets `ctx`. */
typedef struct {
    void *ctx;
    /* Computes, for less is better, the goals of a summary, then for each limit how far it is from being broken (negative:
     * by how much it is). NAN: not known. Several threads may call it. */
    void (*measure)(void *ctx, const wsk_summary *summary, double *out);
    /* Calls one(work, i) for i from 0 to count - 1, in threads if it likes. */
    void (*together)(void *ctx, size_t count, void (*one)(void *work, size_t i), void *work);
    /* False: end with the best so far. */
    bool (*goes_on)(void *ctx, const wsk_optimise_progress *progress);
    /* Writes at most `room` numbers that were kept under a key, and returns how many were; 0: nothing yet. And keeps some. */
    size_t (*recall)(void *ctx, const char *key, double *out, size_t room);
    void (*keep)(void *ctx, const char *key, const double *values, size_t count);
} wsk_optimise_calls;

typedef struct {
    const wsk_setting *settings;
    size_t setting_count, goals, limits;
    wsk_optimise_calls calls;            /* `measure` is required */
    double probability;                  /* with which each limit holds; 0: 0.8 */
    double tighter[WSK_OPTIMISE_LIMITS]; /* by how much a limit is tightened for its price; 0: no price */
    size_t most;                         /* cases of one search; 0: by the number of settings */
    uint64_t seed;
    double duration_s, step_s; /* of runs; 0: as in the rig */
    bool over_time;            /* all cases are run over time: settings change over the day, as those of hours do */
} wsk_optimise_options;

/* A case: the index of each setting's value; goals and limits at the steady point, in a run over time (NULL: none was made)
 * and their standard deviations (NULL: not computed). */
typedef struct {
    const int *levels;
    const double *point, *run, *sd;
} wsk_optimised;
/* What a limit costs: the first goal when it is tightened. */
typedef struct {
    bool binds;  /* without it, another case would be the best */
    bool known;  /* a best case was found with it tightened */
    double more; /* by how much the first goal grows */
} wsk_limit_price;
/* Where the limits cannot all hold. */
typedef struct {
    bool alone;  /* the others can hold without it */
    double give; /* by how much it must give at least for the others to hold; INFINITY: they do not */
    /* No limit is the reason alone: by how much this one gives in the case that breaks all limits least, in shares of what each can
     * be changed; else 0. */
    double together;
} wsk_limit_conflict;

typedef struct wsk_optimum wsk_optimum;
struct wsk_optimum {
    struct wsk_arena *arena; /* of the library */
    bool found;              /* a case meets all limits */
    bool interrupted;        /* `goes_on` ended the search */
    bool by_run;             /* all cases were run over time, because their steady points tell too little */
    wsk_optimised best,
        simplest; /* simplest: as good as the best, as far as the uncertainty tells, and easiest to set */
    double
        now[WSK_OPTIMISE_GOALS + WSK_OPTIMISE_LIMITS]; /* the rig as it is, judged as the cases are; NAN: not known */
    double band;                                       /* of the first goal: differences below it say nothing */
    const int *low, *high; /* plateau: for each setting, the least and highest index that is as good */
    /* [setting][value]: is this value of a setting without order as good, with the other settings at the best? NULL for an
     * ordered setting. */
    const bool *const *alike;
    const wsk_optimised *front; /* goals > 1: the Pareto front, the best by the first goal first */
    size_t front_count;
    wsk_limit_price prices[WSK_OPTIMISE_LIMITS];
    wsk_limit_conflict conflicts[WSK_OPTIMISE_LIMITS]; /* if not found */
    double probability;
    size_t tried, runs, spreads; /* cases, runs over time, cases whose uncertainty was computed */
};

/* Searches. WSK_EUSAGE: no settings, no goals, or too many. WSK_EINPUT: no case could be built. *out is set on WSK_OK; free it
 * with wsk_optimum_free. The answer does not depend on `together`, nor on what `recall` knows. */
wsk_status wsk_rig_optimise(wsk_optimum **out, const wsk_rig *rig, const wsk_optimise_options *options);
void wsk_optimum_free(wsk_optimum *optimum);
/* The assignments of a case, for --set, one a line. Free *sets with wsk_text_free. */
wsk_status wsk_optimise_sets(const wsk_optimise_options *options, const int *levels, char **sets);

#endif
