/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares measured sweeps of power limits and locked clocks (facts/sweep_*.csv) with the engine's model of a card:
 * power, clock and work. Most sources record no die temperature, so the model stays at the reference temperature of
 * leakage. */
#ifndef WSK_TESTS_SWEEP_H
#define WSK_TESTS_SWEEP_H
#include "sim/io/plan.h"
#include "sim/net/gpu.h"
#include "sim/study/calibrate/calibrate.h"

enum { WSK_SWEEP_ROWS = 64, WSK_SWEEP_LOADS = 72, WSK_SWEEP_CARDS = 24 };
typedef enum {
    WSK_SWEEP_FIT,
    WSK_SWEEP_LOW,   /* the row is left out: its clock is below 45 % of the maximum, which no settable power limit
                      * reaches */
    WSK_SWEEP_FREE,  /* the load is left out: its power never reaches a limit */
    WSK_SWEEP_FLOOR, /* the row is left out: its limit is below the lowest power that the firmware enforces */
    WSK_SWEEP_NOISE, /* the load is left out: repeated runs at the same draw differ by more than 1.5 % */
} wsk_sweep_use;
typedef struct {
    char name[64];
    int cls;
    wsk_sweep_use use;
    /* low: number of rows left out as LOW or FLOOR. ref: index of the reference row, relative to which work is
     * stated */
    int n, low, ref;
    double limit_w[WSK_SWEEP_ROWS], drawn_w[WSK_SWEEP_ROWS], clock_hz[WSK_SWEEP_ROWS],
        perf[WSK_SWEEP_ROWS]; /* work per time, relative to a reference; NAN in any of these arrays: not measured */
    /* input of the model, W: with by_limit the power that the firmware holds at the row's limit, else the measured
     * draw */
    double held_w[WSK_SWEEP_ROWS];
    double bits; /* bits of a weight of its language model; NAN: unknown, or those of the class */
    bool by_limit;
    wsk_gpu_class own;
} wsk_sweep;
typedef struct {
    char name[32], part[32], source[160], how[160];
    wsk_plan *plan;
    const wsk_gpu_params *shipped;
    /* The values of `shipped` with the memory power of facts/sweep_cards.csv. wsk_sweep_fit_card fits knee and slope of
     * the voltage curve to the loads if fit_knee is true. */
    wsk_gpu_params gpu;
    /* limits: the sweep set power limits. by_limit: held_w comes from these limits, because the source states draws
     * only as means over runs */
    bool limits, by_limit;
    bool fit_knee; /* knee and slope of the voltage curve are fitted; false: taken from the catalogue's part */
    int n, fitted;
    wsk_sweep *load;
} wsk_sweep_card;
typedef struct {
    double mean, worst, worst_w; /* error of work in percent, mean and largest; power in W at which the largest
                                  * occurs */
    /* error of the clock in percent, mean and largest, over rows that a settable limit reaches; NAN: no clock was
     * measured */
    double clock_mean, clock_worst;
} wsk_sweep_error;
/* Expected values of a load, from the card's other loads: p0_share, P0 / highest held power (p0_sd: standard deviation
 * of its logarithm); clock_share, share of the work that the clock limits, and its standard deviation. */
typedef struct {
    double p0_share, p0_sd, clock_share, clock_sd;
} wsk_sweep_prior;

extern const wsk_kind wsk_gpu_boost;

/* Loads a card of the catalogue into *plan, which owns it. NULL on failure. */
const wsk_gpu_params *wsk_sweep_part(const char *name, wsk_plan **plan);
/* Fills *gpu with the completed values of a card of the catalogue, and *out with those of its class of that name under
 * `load` (NULL: the class's own). *plan owns what they point to. Returns the class; -1: no such card or class, and no
 * plan. */
int wsk_sweep_class(const char *part, const char *cls, const wsk_load *load, wsk_plan **plan, wsk_gpu_params *gpu,
                    wsk_gpu_class *out);
/* Reads all cards of facts/sweep_cards.csv. Returns their number; 0: failed. */
int wsk_sweep_read(wsk_sweep_card cards[WSK_SWEEP_CARDS]);
void wsk_sweep_free(wsk_sweep_card *cards, int n);

double wsk_sweep_clock(const wsk_gpu_params *gpu, const wsk_gpu_class *cls, double held_w);
wsk_sweep_error wsk_sweep_compare(const wsk_gpu_params *gpu, const wsk_gpu_class *cls, const wsk_sweep *sweep);

/* Error in percent of the model's power at the clock of the last row that has a measured clock. Rows are sorted by held
 * power. NAN: no clock was measured. */
double wsk_sweep_uncapped(const wsk_gpu_params *gpu, const wsk_gpu_class *cls, const wsk_sweep *sweep);

/* Power of memory traffic, W, in the reference row: memory_w of the card times the memory traffic that its class
 * assumes (0 to 1). It is never fitted. */
double wsk_sweep_traffic(const wsk_gpu_params *gpu, const wsk_sweep *sweep);
/* Fits three values of a load by the library's fitter: P0 (power that does not depend on the clock), c (power per
 * clock) and a (share of the work that the clock limits). ends: uses only the rows with the lowest and the highest
 * power. prior NULL: uses the library's prior for any load. */
void wsk_sweep_fit_load(const wsk_gpu_params *gpu, const wsk_sweep *sweep, bool ends, const wsk_sweep_prior *prior,
                        wsk_gpu_class *out);
/* Fits knee and slope of the card's voltage curve to its loads, except those whose index % folds == skip (folds 0: to
 * all loads). */
void wsk_sweep_fit_card(wsk_sweep_card *card, int folds, int skip);
/* Predicts a load: *gpu gets the voltage curve fitted without this load and the others of its fold (a group of loads
 * left out together); *out is fitted to the load's lowest and highest row. */
void wsk_sweep_predict(const wsk_sweep_card *card, int load, wsk_gpu_params *gpu, wsk_gpu_class *out);
/* Predicts all loads of the card into gpu[] and out[], card->n entries each. This is faster than one load after the
 * other, because knee and slope are fitted once per fold. */
void wsk_sweep_predict_all(const wsk_sweep_card *card, wsk_gpu_params *gpu, wsk_gpu_class *out);
/* Averages row by row the card's fitted loads of one class that have as many rows as the first of them. False: the card
 * has no fitted load of this class. */
bool wsk_sweep_mean(const wsk_sweep_card *card, int cls, wsk_sweep *out);
/* kernels: share of a step in which the kernels of the load's model run; NAN: the model is not named. */
wsk_sweep_error wsk_sweep_shipped(const wsk_sweep_card *card, const wsk_sweep *sweep, double kernels);
typedef enum {
    WSK_SWEEP_KNOWS_NOTHING, /* only the values that the program assumes for any card, also for the voltage curve */
    WSK_SWEEP_KNOWS_CARD,    /* the values of the catalogue's part */
    WSK_SWEEP_KNOWS_POWER,   /* the part's values, and the load's own power at the default limit */
    WSK_SWEEP_KNOWN
} wsk_sweep_known;
/* Errors of one predicted load. rows: number of rows compared, without the reference row and rows below the lowest
 * settable limit. inside: number of compared rows whose error is within the spread that the engine states. */
typedef struct {
    int rows, inside;
    double error, spread, worst; /* percent of work; error, spread: means over the compared rows of |error| and of
                                   * the stated spread */
    /* [compared row]: (|error| - s) / (stated spread - s), at least 0, where s is the stated spread at full power; NAN:
     * the stated spread is at most 1.2 s */
    double ratio[WSK_SWEEP_ROWS];
} wsk_sweep_cover;
wsk_sweep_cover wsk_sweep_predicted(const wsk_sweep_card *card, const wsk_sweep *sweep, wsk_sweep_known known);

/* Power that the firmware holds in a row, W: from the power limit if the sweep set limits, else the measured draw. */
double wsk_sweep_held(const wsk_sweep_card *card, const wsk_gpu_params *gpu, const wsk_sweep *sweep, int row);
/* Fills *gpu and *cls with the values that the program would use if it knew only `known`. */
void wsk_sweep_know(const wsk_sweep_card *card, const wsk_sweep *sweep, wsk_sweep_known known, wsk_gpu_params *gpu,
                    wsk_gpu_class *cls);

/* Which values predict a load. CARD_OUT: the values assumed for any card, each multiplied by the ratio of the fitted
 * cards' medians without this card and with it. LOAD_OUT: the card's part, with the mean fitted values of the card's
 * other loads of the same class. SHIPPED: the part as shipped, which was fitted to this load too. POWER: the part as
 * shipped and the load's power. THREE: the library's fit to three of the load's rows, which are then not compared. */
typedef enum {
    WSK_SWEEP_CARD_OUT,
    WSK_SWEEP_LOAD_OUT,
    WSK_SWEEP_SHIPPED,
    WSK_SWEEP_POWER,
    WSK_SWEEP_THREE,
    WSK_SWEEP_LEFTS
} wsk_sweep_left;
/* Errors in percent of work, of energy per work and of the clock (NAN: no clock was measured), as means over groups
 * of card and class. Work and energy are relative to the row at the default limit. worst: largest error of work.
 * rows: number of rows, without the row at the default limit and without limits that cannot be set; inside: number
 * of these rows whose error is within the stated 80 % spread. apart, work_apart: errors of energy per work and of
 * work, as means over loads: [0] loads that draw the power that a limit holds, [1] loads with pauses. */
typedef struct {
    double work, energy, clock, worst, apart[2], work_apart[2];
    int cards, groups, loads, rows, inside, loads_apart[2];
    char where[128];
} wsk_sweep_split;
void wsk_sweep_fit_all(wsk_sweep_card *cards, int n);
void wsk_sweep_split_by(const wsk_sweep_card *cards, int n, wsk_sweep_left how, int cls, wsk_sweep_split *out);
int wsk_sweep_split_report(void);

/* Compares the powers of facts/natural_draw.csv with those of the catalogue's cards: calls row() for each row of the
 * file. Returns the number of rows; 0: failed. */
typedef struct {
    const char *part, *what, *cls;
    /* spread_rel: relative spread of the power that the engine states; 0 if the card has fitted values */
    double clock_hz, measured_w, model_w, spread_rel;
} wsk_sweep_draw;
int wsk_sweep_draws(void (*row)(void *user, const wsk_sweep_draw *draw), void *user);

int wsk_sweep_report(void);

#endif
