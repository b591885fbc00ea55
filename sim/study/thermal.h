/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the thermal side of cards to a log: thermal.c replays a log with moved values of the cards, thermal_bins.c brings
 * a log onto equal bins of time, thermal_fit.c fits a card, thermal_cards.c several side by side, thermal_judge.c says how far off it is. Method:
 * docs/theory/calibration.md, "Method". */
#ifndef WSK_THERMAL_H
#define WSK_THERMAL_H
#include "sim/net/net.h"
#include "sim/num/fit.h"
#include "sim/study/plan_copy.h"

/* ---- a log in equal bins of time ---- */
/* The readings of one card, means of each bin. NAN: none in that bin. */
typedef struct {
    int card;                 /* number in the network */
    double *power_w;          /* in every bin */
    double *rpm;              /* in every bin; NULL: not logged, the model's own controller acts */
    double *die_k, *memory_k; /* memory_k NULL: not logged */
    double *drawn_w, *clock_hz, *limit_w, *busy, *work; /* as logged; NULL: not logged */
    double opening_w, opening_rpm, highest_w;           /* means of the first minute; opening_rpm NAN: not logged */
    double from_die_k, from_w;                          /* temperature and power of the first three seconds */
    int first, last;                                    /* bins of the first and last temperature */
} wsk_thermal_card;
typedef struct {
    int bins, count; /* count: of cards */
    double bin_s;
    double *inlet_k; /* in every bin; NULL: not logged */
    wsk_thermal_card *cards;
} wsk_thermal_log;

/* Brings traces onto equal bins: of 1 to 30 s, at most 900; of longer logs, of 1 min to 1 h, at most 4000. `cards`
 * traces. False: out of memory. */
bool wsk_thermal_bins(wsk_thermal_log *out, wsk_arena *arena, const wsk_net *net, const wsk_calibrate_trace *traces,
                      int count);
/* Reason why a trace cannot be fitted; NULL: it can. */
const wsk_said *wsk_thermal_refuses(const wsk_calibrate_trace *trace);

/* ---- the model ---- */
/* Parameters of a card that a fit may move. INLET: K over the room of the rig, or over the logged inlet; START_DIE,
 * START_BOARD: K over the state that the first minute tells; DELAY: s by which the readings lag; all others: natural
 * logarithm of a factor. */
typedef enum {
    WSK_TH_INLET,
    WSK_TH_FINS,
    WSK_TH_DIE,
    WSK_TH_FIN_HEAT,
    WSK_TH_BOARD_HEAT,
    WSK_TH_BOARD, /* both paths of the board: to its air and to the heatsink */
    WSK_TH_MEMORY,
    WSK_TH_VALUES,
    WSK_TH_START_DIE = WSK_TH_VALUES,
    WSK_TH_START_BOARD,
    WSK_TH_DELAY,
    WSK_TH_UNKNOWNS
} wsk_thermal_value;
typedef struct {
    wsk_elem *gpu, *cooler;
    const char *fins;          /* name of the cooler's attribute of its conductance */
    bool stated;               /* the rig or part states that value; false: it follows from the card's size */
    double *at[WSK_TH_VALUES]; /* the values in the copied plan; NULL: the card has none */
    double base[WSK_TH_VALUES];
    double *link, link_base;   /* board to heatsink */
    double x[WSK_TH_UNKNOWNS]; /* where the card stands now */
} wsk_thermal_part;
typedef struct {
    wsk_arena *arena;
    const wsk_net *net; /* the rig's own */
    wsk_plan *plan;     /* a copy, whose values are moved */
    const wsk_thermal_log *log;
    double room_k, *room_at;
    wsk_thermal_part *parts;             /* of log->cards */
    double *t, *t_natural, *rpm, *ref_k; /* settled at the powers of the first minute */
    double *die_k, *memory_k;            /* modelled means: card after card, log->bins each */
    double *
        dc_w; /* output of each PSU at the end of each bin, [bin][PSU], of the first case without PSUs; NULL: not wanted */
    long runs; /* how often the log was replayed */
} wsk_thermal;
/* Prepares the model. All memory is in `arena`. */
wsk_status wsk_thermal_make(wsk_thermal *out, wsk_arena *arena, const wsk_net *net, const wsk_thermal_log *log);
/* Finds the state before the log for the present values. */
wsk_status wsk_thermal_open(wsk_thermal *thermal);
/* Replays the log with the present values: writes die_k and memory_k, NAN where the model could not go on. */
wsk_status wsk_thermal_replay(wsk_thermal *thermal, int inlet_of);

/* ---- the fit ---- */
/* Fits every card to its bins before `until` (a bin). The values of thermal->parts are then those of the fit; fits: one
 * for each card; priors: WSK_TH_UNKNOWNS for each. */
typedef struct {
    int unknowns, at[WSK_TH_UNKNOWNS]; /* at: index in fit and prior; -1: not fitted */
    wsk_prior prior[WSK_TH_UNKNOWNS];
    wsk_fit fit;
    double samples, together, residual_k; /* residual_k: rms of means of minutes */
    double left_k;                        /* rms of the bins of the die */
    double die_sd, memory_sd;             /* of a row */
} wsk_thermal_fit;
wsk_status wsk_thermal_fit_all(wsk_thermal *thermal, int until, wsk_thermal_fit *fits);
/* Lists the unknowns of a card with their prior knowledge. */
void wsk_thermal_list(const wsk_thermal *thermal, int card, wsk_thermal_fit *fit);
/* Fits one card, starting at the present values of its part. If `fit` has no weights yet, a first fit finds them and
 * a second uses them. */
wsk_status wsk_thermal_fit_card(wsk_thermal *thermal, int card, int until, wsk_thermal_fit *fit);
/* Standard deviation of what a fit to the bins before `until` says of a reading of the die in each bin: that of the fitted
 * values, by their effects, and what the fit left; from `until` on that of a still fan. Leaves the log replayed. */
wsk_status wsk_thermal_doubt(wsk_thermal *thermal, int card, int until, const wsk_thermal_fit *fit, double *sd_k);

/* ---- what came out ---- */
/* The fitted values by the names of their attributes; the inlet, K, as "inlet". */
void wsk_thermal_tell(const wsk_thermal *thermal, int card, const wsk_thermal_fit *fit, wsk_calibration *out);
/* True if the log has no two levels of power 30 % apart, of which each lasts a twentieth of the time. */
bool wsk_thermal_one_power(const wsk_thermal *thermal, int card);
/* Sets out->now_k and then_k by a fit to the whole log. */
wsk_status wsk_thermal_next(const wsk_thermal *thermal, int card, const wsk_thermal_fit *fit, wsk_log_fit *out);
/* Phase of a bin (first minute, warm-up, settled, cool-down), from the readings alone. */
wsk_log_phase wsk_thermal_phase(const wsk_thermal *thermal, int card, int bin);
/* Sets the errors of `out`, which are zero, from the last replay; held: the first bin that was not fitted; sd_k: doubt of
 * each bin. */
void wsk_thermal_judge(const wsk_thermal *thermal, int card, int held, const double *sd_k, wsk_log_fit *out);
/* Copies readings and what the last replay says of them into `arena`. False: out of memory. */
bool wsk_thermal_curve(const wsk_thermal *thermal, int card, const double *sd_k, wsk_arena *arena,
                       wsk_log_curve *out);

#endif
