/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured sweeps of power limits and locked clocks (facts/sweep_*.csv) against the engine's model of a card:
 * watts, clocks and work. Most sources record no die temperature, so it is kept at the reference temperature of
 * leakage. */
#ifndef WSK_TESTS_SWEEP_H
#define WSK_TESTS_SWEEP_H
#include "sim/io/plan.h"
#include "sim/net/gpu.h"
#include "sim/study/calibrate.h"

enum { WSK_SWEEP_ROWS = 64, WSK_SWEEP_LOADS = 72, WSK_SWEEP_CARDS = 24 };
typedef enum {
    WSK_SWEEP_FIT,   /* the load is fitted and compared */
    WSK_SWEEP_LOW,   /* the row is left out: clock below 45 % of the maximum, which no settable limit reaches */
    WSK_SWEEP_FREE,  /* the load is left out: it never reaches a limit */
    WSK_SWEEP_FLOOR, /* the row is left out: the limit is below the lowest power that the firmware enforces */
    WSK_SWEEP_NOISE, /* the load is left out: repeated runs at the same draw differ by more than 1.5 % */
} wsk_sweep_use;
/* Measurements of one load on one card, sorted by held_w. Arrays have n rows. */
typedef struct {
    char name[64];
    int cls; /* wsk_class; -1: no class of the program */
    wsk_sweep_use use;
    /* low: number of rows left out as LOW or FLOOR. ref: index of the reference row, whose work counts as 1 */
    int n, low, ref;
    double limit_w[WSK_SWEEP_ROWS], drawn_w[WSK_SWEEP_ROWS], clock_hz[WSK_SWEEP_ROWS],
        perf[WSK_SWEEP_ROWS]; /* perf: work per time. NAN: not measured */
    /* input of the model: power that the firmware holds at the limit, or the measured draw */
    double held_w[WSK_SWEEP_ROWS];
    bool by_limit;     /* held_w comes from the limits */
    wsk_gpu_class own; /* values of its own fit, after wsk_sweep_fit_all */
} wsk_sweep;
typedef struct {
    char name[32], part[32], source[160], how[160];
    wsk_plan *plan;
    const wsk_gpu_params *shipped; /* the catalogue's values; the plan owns them */
    /* the catalogue's values, with knee and slope of the voltage curve fitted to the loads */
    wsk_gpu_params gpu;
    /* limits: the sweep set power limits. by_limit: held_w comes from them, as draws are only means over runs */
    bool limits, by_limit;
    bool fit_knee; /* knee and slope are fitted; false: taken from the catalogue's part */
    int n, fitted; /* number of loads, and of loads with use FIT */
    wsk_sweep *load;
} wsk_sweep_card;
typedef struct {
    double mean, worst, worst_w; /* error of work in percent: mean and largest, and the power in W at the largest */
    /* error of the clock in percent, over rows that a settable limit reaches; NAN: no clock measured */
    double clock_mean, clock_worst;
} wsk_sweep_error;
/* Prior of a load from the card's other loads: P0 as a share of the highest draw, and the clock-bound share of the
 * work (a); each with its standard deviation. */
typedef struct {
    double p0_share, p0_sd, clock_share, clock_sd;
} wsk_sweep_prior;

extern const wsk_kind wsk_gpu_boost;

/* Loads a card of the catalogue into *plan, which owns it. NULL on failure. */
const wsk_gpu_params *wsk_sweep_part(const char *name, wsk_plan **plan);
/* Reads all cards of facts/sweep_cards.csv. Returns their number, 0 on failure. */
int wsk_sweep_read(wsk_sweep_card cards[WSK_SWEEP_CARDS]);
void wsk_sweep_free(wsk_sweep_card *cards, int n);

/* wsk_sweep_clock: the model's clock, Hz, at a draw. wsk_sweep_compare: errors over all rows. */
double wsk_sweep_clock(const wsk_gpu_params *gpu, const wsk_gpu_class *cls, double held_w);
wsk_sweep_error wsk_sweep_compare(const wsk_gpu_params *gpu, const wsk_gpu_class *cls, const wsk_sweep *sweep);

/* Draw at the highest measured clock, where no limit binds: error in percent; NAN if no clock was measured. */
double wsk_sweep_uncapped(const wsk_gpu_params *gpu, const wsk_gpu_class *cls, const wsk_sweep *sweep);

/* Power of memory traffic, W, at the reference point: memory_w of the card times the class' share of memory
 * traffic. Never fitted. */
double wsk_sweep_traffic(const wsk_gpu_params *gpu, const wsk_sweep *sweep);
/* Fits P0, c and a of a load by the library's fitter. ends: only the lowest and the highest row. prior: NULL: that of any
 * load. */
void wsk_sweep_fit_load(const wsk_gpu_params *gpu, const wsk_sweep *sweep, bool ends, const wsk_sweep_prior *prior,
                        wsk_gpu_class *out);
/* Fits knee and slope of the card to its loads, except those with index % folds == skip (folds 0: to all). */
void wsk_sweep_fit_card(wsk_sweep_card *card, int folds, int skip);
/* Predicts a load that is left out of the fit: knee and slope from the card's other loads (into *gpu), the rest
 * from the load's lowest and highest row. */
void wsk_sweep_predict(const wsk_sweep_card *card, int load, wsk_gpu_params *gpu, wsk_gpu_class *out);
/* Predicts all loads of the card into gpu[] and out[], card->n entries each. Faster than one by one, because knee
 * and slope are fitted once per fold. */
void wsk_sweep_predict_all(const wsk_sweep_card *card, wsk_gpu_params *gpu, wsk_gpu_class *out);
/* Mean of the card's loads of one class, row by row (all have the same limits). False: no such load. */
bool wsk_sweep_mean(const wsk_sweep_card *card, int cls, wsk_sweep *out);
/* Errors of a load's work with the catalogue's card and class values, as a user gets them. */
wsk_sweep_error wsk_sweep_shipped(const wsk_sweep_card *card, const wsk_sweep *sweep);
/* What is known beside the card's limits and clocks. */
typedef enum {
    WSK_SWEEP_KNOWS_NOTHING, /* class values, also for the voltage curve */
    WSK_SWEEP_KNOWS_CARD,    /* the catalogue's part; one load beside the middle of the card's others */
    WSK_SWEEP_KNOWS_POWER,   /* the same, and the load's own power at the default limit */
    WSK_SWEEP_KNOWN
} wsk_sweep_known;
/* Prediction of a load. rows: number of rows compared, without the reference row and limits that cannot be set. inside:
 * number of those rows whose error is within the spread that the engine states. */
typedef struct {
    int rows, inside;
    double error, spread, worst;  /* percent of work; means over the rows: error, and stated spread */
    double ratio[WSK_SWEEP_ROWS]; /* error over stated spread, without the part of the spread that is always there */
} wsk_sweep_cover;
wsk_sweep_cover wsk_sweep_predicted(const wsk_sweep_card *card, const wsk_sweep *sweep, wsk_sweep_known known);

/* Power that the firmware holds in a row: from the limit where the sweep set limits, else as measured. */
double wsk_sweep_held(const wsk_sweep_card *card, const wsk_gpu_params *gpu, const wsk_sweep *sweep, int row);
/* Card and class of a load as the program has them by what is known. */
void wsk_sweep_know(const wsk_sweep_card *card, const wsk_sweep *sweep, wsk_sweep_known known, wsk_gpu_params *gpu,
                    wsk_gpu_class *cls);

/* How a load is predicted: by class values, moved as their medians move when its card is left out; by the card's part, its
 * class the mean of the card's other loads; by the part as shipped, which has seen the load; the same with the load's power;
 * by the library's fit to three of its rows, which then do not count. */
typedef enum {
    WSK_SWEEP_CARD_OUT,
    WSK_SWEEP_LOAD_OUT,
    WSK_SWEEP_SHIPPED,
    WSK_SWEEP_POWER,
    WSK_SWEEP_THREE,
    WSK_SWEEP_LEFTS
} wsk_sweep_left;
/* Errors in percent, means over groups of card and class: of work, of energy per work and of the clock (NAN: none measured).
 * Work and energy are relative to the row at the default limit. rows: without that one and limits that cannot be set; inside:
 * those of them within the stated 80 % spread. worst: of work. */
typedef struct {
    double work, energy, clock, worst;
    int cards, groups, loads, rows, inside;
    char where[128];
} wsk_sweep_split;
/* Fits all loads of all cards, each by itself, for wsk_sweep_split_by. */
void wsk_sweep_fit_all(wsk_sweep_card *cards, int n);
/* cls: the class of the loads, -1: all. */
void wsk_sweep_split_by(const wsk_sweep_card *cards, int n, wsk_sweep_left how, int cls, wsk_sweep_split *out);
/* Writes the section of docs/validation.md about work on machines that were not fitted. Returns 0 if it succeeded. */
int wsk_sweep_split_report(void);

/* Compares the draws of facts/natural_draw.csv with the catalogue's cards: calls row() for each row of the file.
 * Returns the number of rows, 0 on failure. */
typedef struct {
    const char *part, *what, *cls;
    /* spread_rel: stated relative spread of the power; 0 where the card has fitted values */
    double clock_hz, measured_w, model_w, spread_rel;
} wsk_sweep_draw;
int wsk_sweep_draws(void (*row)(void *user, const wsk_sweep_draw *draw), void *user);

/* Writes the section on power limits of docs/validation.md to stdout. Returns 0 if it succeeded. */
int wsk_sweep_report(void);

#endif
