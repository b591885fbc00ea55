/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured sweeps of power limits and locked clocks (facts/sweep_*.csv) against the engine's model of a card: watts,
 * clocks and work. Die temperatures are seldom recorded, so the die stays at the reference of its leakage. */
#ifndef WSK_TESTS_SWEEP_H
#define WSK_TESTS_SWEEP_H
#include "sim/io/plan.h"
#include "sim/net/roles.h"

enum { WSK_SWEEP_ROWS = 64, WSK_SWEEP_LOADS = 72, WSK_SWEEP_CARDS = 16 };
typedef enum {
    WSK_SWEEP_FIT,   /* compared and fitted */
    WSK_SWEEP_LOW,   /* below 45 % of the highest clock, where no settable limit leads */
    WSK_SWEEP_FREE,  /* the load never meets a limit */
    WSK_SWEEP_FLOOR, /* a limit that is not honoured */
    WSK_SWEEP_NOISE, /* runs of equal draw differ by more than 1.5 % */
} wsk_sweep_use;
/* One load of one card, by rising power held. */
typedef struct {
    char name[64];
    int cls; /* wsk_class; -1: none of them */
    wsk_sweep_use use;
    int n, low, ref; /* rows to compare; further rows of use low and floor; the row that work is relative to */
    double limit_w[WSK_SWEEP_ROWS], drawn_w[WSK_SWEEP_ROWS], clock_hz[WSK_SWEEP_ROWS],
        perf[WSK_SWEEP_ROWS];      /* or NAN */
    double held_w[WSK_SWEEP_ROWS]; /* what the model is told: the limit, or the draw at a locked clock */
    double share;                  /* of the limit that a mean over the run reads while it binds; 1 by draw */
} wsk_sweep;
typedef struct {
    char name[32], part[32], source[160], how[160];
    wsk_plan *plan;
    const wsk_gpu_params *shipped; /* the card of the catalogue; the plan owns it */
    wsk_gpu_params gpu;            /* the same, with knee and slope as fitted here */
    bool limits, by_limit; /* swept by limits; and fitted by them, its draws being no more than means over runs */
    bool fit_knee;         /* knee and slope fitted, not taken from the part */
    int n, fitted;         /* loads; of them used */
    wsk_sweep *load;
} wsk_sweep_card;
typedef struct {
    double mean, worst, worst_w;    /* percent */
    double clock_mean, clock_worst; /* of the rows that a settable limit reaches; NAN: none with a clock */
} wsk_sweep_error;
/* What the other loads of a card say about P0, as a share of the highest draw, and about a. */
typedef struct {
    double p0_share, p0_sd, clock_share, clock_sd;
} wsk_sweep_prior;

extern const wsk_kind wsk_gpu_boost;

/* A card of the catalogue; the plan, NULL on failure, owns it. */
const wsk_gpu_params *wsk_sweep_part(const char *name, wsk_plan **plan);
/* All cards of facts/sweep_cards.csv; their number, 0 on failure. */
int wsk_sweep_read(wsk_sweep_card cards[WSK_SWEEP_CARDS]);
void wsk_sweep_free(wsk_sweep_card *cards, int n);

/* Clock and work, relative to the row `ref`, at a draw. The class' reference must be set. */
double wsk_sweep_clock(const wsk_gpu_params *gpu, const wsk_gpu_class *cls, double held_w);
void wsk_sweep_refer(const wsk_gpu_params *gpu, wsk_gpu_class *cls, const wsk_sweep *sweep);
wsk_sweep_error wsk_sweep_compare(const wsk_gpu_params *gpu, const wsk_gpu_class *cls, const wsk_sweep *sweep);

/* Draw at the highest clock that was measured, the limit no bound: percent off; NAN: no clock was measured. */
double wsk_sweep_uncapped(const wsk_gpu_params *gpu, const wsk_gpu_class *cls, const wsk_sweep *sweep);

/* The memory's power that follows the work, at the reference, of a load bound by the clock to the share a: memory_w of the
 * card times the class' share; 1 - a^4 where the load is of no class. Never fitted. */
double wsk_sweep_traffic(const wsk_gpu_params *gpu, const wsk_sweep *sweep, double clock_share);
/* P0, c and a of a load by least squares of the relative errors of work and, at 0.4 of the weight, of clocks; bounded;
 * over all rows, or the lowest and the highest alone (ends). Returns the mean square per row. */
double wsk_sweep_fit_load(const wsk_gpu_params *gpu, const wsk_sweep *sweep, bool ends, const wsk_sweep_prior *prior,
                          wsk_gpu_class *out);
/* Knee and slope of the card from its loads but those with index % folds == skip (folds 0: from all). */
void wsk_sweep_fit_card(wsk_sweep_card *card, int folds, int skip);
/* The load, predicted: knee and slope from the other loads (left in *gpu), the rest from its two ends. */
void wsk_sweep_predict(const wsk_sweep_card *card, int load, wsk_gpu_params *gpu, wsk_gpu_class *out);
/* All its loads; out[] and cls[] hold card->n. Quicker than one by one: knee and slope are fitted once a fold. */
void wsk_sweep_predict_all(const wsk_sweep_card *card, wsk_gpu_params *gpu, wsk_gpu_class *out);
/* The mean of a card's loads of one class, row by row (their steps are the same); false: none. */
bool wsk_sweep_mean(const wsk_sweep_card *card, int cls, wsk_sweep *out);
/* Mean and worst error, in percent, of the work of a load on the card of the catalogue, class and all as a user gets it. */
wsk_sweep_error wsk_sweep_shipped(const wsk_sweep_card *card, const wsk_sweep *sweep);
/* A card of which only the default limit and the highest clock are known, all else from its class; how many of a load's
 * rows (the reference and limits that cannot be set left out) are within the spread that the engine states. */
typedef struct {
    int rows, inside;
    double error,
        spread; /* means over the rows, percent of work: how far off, and how far the engine says it may be */
} wsk_sweep_cover;
wsk_sweep_cover wsk_sweep_unknown(const wsk_sweep_card *card, const wsk_sweep *sweep);

/* Draws of facts/natural_draw.csv against the cards of the catalogue. Calls row() for each; measured and model in W. Returns the rows, 0 on failure. */
typedef struct {
    const char *part, *what, *cls;
    double clock_hz, measured_w, model_w, spread_rel; /* spread_rel: one sd, 0 where the card has values of its own */
} wsk_sweep_draw;
int wsk_sweep_draws(void (*row)(void *user, const wsk_sweep_draw *draw), void *user);

/* The section on power limits of docs/validation.md, on stdout. 0: done */
int wsk_sweep_report(void);

#endif
