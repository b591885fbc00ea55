/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured sweeps of power limits and locked clocks (facts/sweep_*.csv), compared with the engine's model of a card:
 * watts, clocks and work. Die temperatures are seldom recorded, so the die is kept at the reference temperature of
 * its leakage. */
#ifndef WSK_TESTS_SWEEP_H
#define WSK_TESTS_SWEEP_H
#include "sim/io/plan.h"
#include "sim/net/gpu.h"

enum { WSK_SWEEP_ROWS = 64, WSK_SWEEP_LOADS = 72, WSK_SWEEP_CARDS = 16 };
typedef enum {
    WSK_SWEEP_FIT,   /* compared and fitted */
    WSK_SWEEP_LOW,   /* clock below 45 % of the maximum, lower than any settable limit leads */
    WSK_SWEEP_FREE,  /* the load never reaches a limit */
    WSK_SWEEP_FLOOR, /* the limit is below the firmware's power floor and not honoured */
    WSK_SWEEP_NOISE, /* repeated runs at the same draw differ by more than 1.5 % */
} wsk_sweep_use;
/* Measurements of one load on one card, sorted by the power held. */
typedef struct {
    char name[64];
    int cls; /* wsk_class, or -1: none */
    wsk_sweep_use use;
    /* n: rows to compare. low: further rows with use LOW or FLOOR. ref: index of the row to which work is relative. */
    int n, low, ref;
    double limit_w[WSK_SWEEP_ROWS], drawn_w[WSK_SWEEP_ROWS], clock_hz[WSK_SWEEP_ROWS],
        perf[WSK_SWEEP_ROWS];      /* NAN: not measured */
    double held_w[WSK_SWEEP_ROWS]; /* the model's input: the limit, or the draw at a locked clock */
    double share; /* mean reading over the run as a share of the limit that binds; 1 for sweeps by draw */
} wsk_sweep;
typedef struct {
    char name[32], part[32], source[160], how[160];
    wsk_plan *plan;
    const wsk_gpu_params *shipped; /* the catalogue's values; the plan owns them */
    wsk_gpu_params gpu;            /* the same, with the knee and slope fitted here */
    /* limits: swept by power limits. by_limit: also fitted by them, because its draws are only means over runs */
    bool limits, by_limit;
    bool fit_knee; /* knee and slope are fitted, not taken from the part */
    int n, fitted; /* number of loads, and of those with use FIT */
    wsk_sweep *load;
} wsk_sweep_card;
typedef struct {
    double mean, worst, worst_w;    /* percent of work: mean and largest error, and the power of the largest */
    double clock_mean, clock_worst; /* percent, over the rows that a settable limit reaches; NAN: no clock measured */
} wsk_sweep_error;
/* Prior from the other loads of the card: P0 as a share of the highest draw, and the clock share a; each with its
 * sd. */
typedef struct {
    double p0_share, p0_sd, clock_share, clock_sd;
} wsk_sweep_prior;

extern const wsk_kind wsk_gpu_boost;

/* Loads a card of the catalogue into *plan, which owns it. NULL on failure. */
const wsk_gpu_params *wsk_sweep_part(const char *name, wsk_plan **plan);
/* Reads all cards of facts/sweep_cards.csv. Returns their number, 0 on failure. */
int wsk_sweep_read(wsk_sweep_card cards[WSK_SWEEP_CARDS]);
void wsk_sweep_free(wsk_sweep_card *cards, int n);

/* Model's clock at a draw; and its work relative to row `ref`, once wsk_sweep_refer has set the class' reference. */
double wsk_sweep_clock(const wsk_gpu_params *gpu, const wsk_gpu_class *cls, double held_w);
void wsk_sweep_refer(const wsk_gpu_params *gpu, wsk_gpu_class *cls, const wsk_sweep *sweep);
wsk_sweep_error wsk_sweep_compare(const wsk_gpu_params *gpu, const wsk_gpu_class *cls, const wsk_sweep *sweep);

/* Draw at the highest measured clock, without a limit: error in percent; NAN if no clock was measured. */
double wsk_sweep_uncapped(const wsk_gpu_params *gpu, const wsk_gpu_class *cls, const wsk_sweep *sweep);

/* Memory power that follows the work, at the reference point, W, for a load whose clock-bound share is a: the card's
 * memory_w times the class' memory share, or times 1 - a^4 for a load without a class. Never fitted. */
double wsk_sweep_traffic(const wsk_gpu_params *gpu, const wsk_sweep *sweep, double clock_share);
/* Fits P0, c and a of a load by least squares, within bounds. Errors: relative error of work, and of clocks with
 * weight 0.4. Uses all rows, or (ends) only the lowest and the highest. Returns the mean square per row. */
double wsk_sweep_fit_load(const wsk_gpu_params *gpu, const wsk_sweep *sweep, bool ends, const wsk_sweep_prior *prior,
                          wsk_gpu_class *out);
/* Fits knee and slope of the card from its loads, without those with index % folds == skip (folds 0: from all). */
void wsk_sweep_fit_card(wsk_sweep_card *card, int folds, int skip);
/* Predicts a load that was left out: knee and slope from the card's other loads (left in *gpu), the rest from the
 * load's lowest and highest row. */
void wsk_sweep_predict(const wsk_sweep_card *card, int load, wsk_gpu_params *gpu, wsk_gpu_class *out);
/* Predicts all loads of the card; out[] and cls[] hold card->n entries. Faster than one by one, because knee and
 * slope are fitted once per fold. */
void wsk_sweep_predict_all(const wsk_sweep_card *card, wsk_gpu_params *gpu, wsk_gpu_class *out);
/* Mean of the card's loads of one class, row by row (all have the same limits). Returns false if there is none. */
bool wsk_sweep_mean(const wsk_sweep_card *card, int cls, wsk_sweep *out);
/* Mean and largest error of the work, percent, for a load on the catalogue's card and class, as a user gets it. */
wsk_sweep_error wsk_sweep_shipped(const wsk_sweep_card *card, const wsk_sweep *sweep);
/* Result for a card of which only the default limit and the highest clock are known; the rest are class values.
 * Counts the rows that lie within the spread that the engine states, without the reference row and limits that cannot
 * be set. */
typedef struct {
    int rows, inside;
    double error, spread; /* means over the rows, percent of work: the error, and the spread that the engine states */
} wsk_sweep_cover;
wsk_sweep_cover wsk_sweep_unknown(const wsk_sweep_card *card, const wsk_sweep *sweep);

/* Compares the draws of facts/natural_draw.csv with the cards of the catalogue. Calls row() for each, with W. Returns
 * the number of rows, 0 on failure. */
typedef struct {
    const char *part, *what, *cls;
    /* spread_rel: one standard deviation; 0 where the card has fitted values */
    double clock_hz, measured_w, model_w, spread_rel;
} wsk_sweep_draw;
int wsk_sweep_draws(void (*row)(void *user, const wsk_sweep_draw *draw), void *user);

/* Writes the section on power limits of docs/validation.md to stdout. Returns 0 if it succeeded. */
int wsk_sweep_report(void);

#endif
