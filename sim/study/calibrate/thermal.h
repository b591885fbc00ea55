/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits thermal values of cards to a log: thermal.c replays a log with changed values of the cards, thermal_bins.c
 * averages a log over equal bins of time, thermal_follow.c finds the speeds of fans that are not logged, thermal_fit.c
 * fits a card, thermal_doubt.c finds how far its values and predictions may be off, thermal_cards.c fits several cards
 * in threads, thermal_judge.c computes the errors of the fit. Method: docs/theory/calibration.md, "Method". */
#ifndef WSK_THERMAL_H
#define WSK_THERMAL_H
#include "sim/net/net.h"
#include "sim/num/fit.h"
#include "sim/study/kit/plan_copy.h"

/* The measurements of one card: arrays of bin means. NAN: no measurement in that bin. */
typedef struct {
    int card;
    double *power_w; /* no NAN: gaps are interpolated */
    double *rpm;     /* no NAN; NULL: the model's fan controller is used */
    /* true: rpm was not logged; it holds the speeds that the controller would set at the logged die temperatures, and
     * is used before the bin `known_until` of the replay */
    bool follows;
    double *rest_rpm; /* as rpm, for a fan that stops while the card is cool although its part lets it turn then;
                       * NULL: it cannot stop */
    double *traffic;  /* share of the memory's bandwidth in use, no NAN; NULL: by the class of work */
    double *die_k, *memory_k;
    /* per bin: error of the modelled temperature, divided by its error far from a change of the load; at least 1. It is
     * larger near a change, whose exact time is unknown. NULL: 1 everywhere */
    double *vague;
    /* NULL: not logged. NAN: gap. If drawn_w is NULL, power is computed from clock_hz and busy, whose gaps are then
     * interpolated. busy: utilisation, 0 to 1 */
    double *drawn_w, *clock_hz, *limit_w, *busy, *work;
    /* power and fan speed of the first minute (opening_rpm NAN: not logged); highest power of a bin */
    double opening_w, opening_rpm, highest_w;
    double apart_s;            /* mean distance of the rows of power, or of utilisation, s */
    double from_die_k, from_w; /* mean die temperature, K, and power, W, of the first three seconds */
    int first, last;           /* first and last bin with a die temperature */
} wsk_thermal_card;
typedef struct {
    int bins, count;
    double bin_s;
    double *inlet_k; /* inlet air, no NAN; NULL: not logged */
    wsk_thermal_card *cards;
    /* per mover (fan or pump) of the network: its speed in each bin, rpm, used before the bin `known_until` of the
     * replay; NULL: it is not a fan that follows the cards, or not all cards of its case are logged */
    double **case_rpm;
} wsk_thermal_log;

/* Averages `count` traces over equal bins: of 1 to 30 s in a log of up to 7.5 h, of 1 min to 1 h in a longer one, of
 * whole hours in one of more than 166 days. False: out of memory. */
bool wsk_thermal_bins(wsk_thermal_log *out, wsk_arena *arena, const wsk_net *net, const wsk_calibrate_trace *traces,
                      int count);
/* Sets rpm and rest_rpm of a card's own fan, if `out` has no speeds, to the speeds that its controller sets at these
 * die temperatures, one per bin. In the fitted bins of a replay the controller does not run: it changes the speed in
 * steps, so that the replayed temperatures would not be a smooth function of the fitted values. */
void wsk_thermal_follow(const wsk_thermal_log *log, wsk_arena *arena, const wsk_net *net, const double *die_k,
                        wsk_thermal_card *out);
/* Sets case_rpm to the speeds of chassis and radiator fans whose controllers follow the cards. die_k: die temperatures,
 * card after card, log->bins values each; NULL: those of the log. above_k: by how much the temperatures that the
 * controllers read are higher than these, K. */
void wsk_thermal_follow_cards(wsk_thermal_log *log, wsk_arena *arena, const wsk_net *net, const double *die_k,
                              double above_k);
/* Power in a bin of a log that has no power, W, computed from utilisation and clock. */
double wsk_thermal_modelled_w(const wsk_card *card, const wsk_gpu_class *cls, double idle_w,
                              const wsk_thermal_card *log, int bin);
const wsk_said *wsk_thermal_refuses(const wsk_calibrate_trace *trace);

/* Unknowns of a card's fit. INLET: K above the rig's room temperature, or above the logged inlet; START_DIE: K above
 * the logged die temperature of the first three seconds; START_BOARD: K above the state settled at the powers of the
 * first minute; DELAY: delay of the die sensor, s; REST: see there; all others: natural logarithm of a factor on the
 * value. */
typedef enum {
    WSK_TH_INLET,
    WSK_TH_FINS,
    WSK_TH_DIE,
    WSK_TH_FIN_HEAT,
    WSK_TH_BOARD_HEAT,
    WSK_TH_BOARD, /* scales both conductances of the board: to its air and to the heatsink */
    WSK_TH_MEMORY,
    WSK_TH_STILL, /* natural-factor of the cooler (cooling without fan); only if the fan stands still in the log */
    /* What a fan whose speeds are not logged does while the card is cool. If the part lets the fan stop then: x + 0.5
     * is its speed, divided by the slowest turning speed. If the part lets it turn: x below 0 means that it stops
     * nevertheless. */
    WSK_TH_REST,
    WSK_TH_VALUES,
    WSK_TH_START_DIE = WSK_TH_VALUES,
    WSK_TH_START_BOARD,
    WSK_TH_DELAY,
    WSK_TH_UNKNOWNS
} wsk_thermal_value;
typedef struct {
    wsk_elem *gpu, *cooler;
    const char *fins; /* name of the cooler's attribute for its conductance */
    /* true: the rig or part states this conductance; false: it is derived from the card's size */
    bool stated;
    double *at[WSK_TH_VALUES]; /* addresses of the values in the copied plan; NULL: the card has no such value */
    double base[WSK_TH_VALUES];
    double *link,
        link_base; /* link: address of the conductance from board to heatsink; link_base: its unfitted value */
    /* rpm_min: address of the cooler's rpm-min; slowest_rpm: slowest turning speed of a fan that stops while the card
     * is cool, 0: the fan never stops */
    double *rpm_min, slowest_rpm;
    double x[WSK_TH_UNKNOWNS], settled_x[WSK_TH_UNKNOWNS]; /* settled_x: the values of the initial state */
} wsk_thermal_part;
typedef struct {
    wsk_arena *arena;
    const wsk_net *net;
    wsk_plan *plan;
    const wsk_thermal_log *log;
    bool full_host;   /* the host works as much at low power as at full power */
    bool others_rest; /* working cards that are not logged rest; false: they work as the logged ones do */
    int known_until;  /* first bin whose logged temperatures the replay may not use, because it was not fitted */
    double room_k, *room_at;
    wsk_thermal_part *parts;
    /* initial state: settled at the powers of the first minute. settled: it was computed, for settled_inlet_k and
     * settled_x of the parts; rest_known: with WSK_TH_REST as fitted, not as the part states */
    double *t, *t_natural, *rpm, *ref_k, settled_inlet_k;
    bool settled, rest_known;
    double *die_k, *memory_k; /* modelled bin means: card after card, log->bins values each */
    /* DC power at the end of each bin, W: output of each PSU, [bin][PSU]; without PSUs, power of the first case,
     * [bin]; NULL: not wanted */
    double *dc_w;
    long runs;
} wsk_thermal;
wsk_status wsk_thermal_make(wsk_thermal *out, wsk_arena *arena, const wsk_net *net, const wsk_thermal_log *log);
/* Computes the initial state before the log with the present values of the parts. wsk_thermal_replay does so, too, where
 * values have changed: a state settled with other values would relax in the replay, as no card of a steady log does. */
wsk_status wsk_thermal_open(wsk_thermal *thermal);
/* Replays the log with the present values: writes die_k and memory_k, NAN for bins that could not be simulated.
 * inlet_of: index of the card whose fitted inlet temperature is used for the room. */
wsk_status wsk_thermal_replay(wsk_thermal *thermal, int inlet_of);

/* Possible errors of inputs that a fit takes as exact: modelled power (the first three), the load of the host, and that
 * of cards that are not logged (OTHERS). If fan speeds are not logged, also the cooling while the fan stands still
 * (STILL_AIR), and whether the fan stops while the card is cool (FAN_RESTS). */
enum {
    WSK_TH_IDLE_WATTS,
    WSK_TH_DRAW,
    WSK_TH_FIXED_WATTS,
    WSK_TH_HOST,
    WSK_TH_OTHERS,
    WSK_TH_STILL_AIR,
    WSK_TH_FAN_RESTS,
    WSK_TH_ERRORS
};
typedef struct {
    int unknowns, at[WSK_TH_UNKNOWNS]; /* at: index of each unknown in fit and prior; -1: not fitted */
    wsk_prior prior[WSK_TH_UNKNOWNS];
    wsk_fit fit;
    /* samples: number of independent minutes among the residuals; together: correlation of one minute's residual with
     * the next; residual_k, memory_residual_k: rms of the residuals' one-minute means */
    double samples, together, residual_k, memory_residual_k;
    double left_k;            /* rms of the residuals of the die in single bins, K */
    double die_sd, memory_sd; /* standard deviation assigned to a residual, K; die_sd 0: not determined yet */
    /* A fan whose speeds are not logged may stop while the card is cool, or turn. other_x: values of the fit with the
     * other assumption; other_share: square of residual_k divided by the residual_k of that fit, at most 1; 0: there is
     * no such fit */
    double other_x[WSK_FIT_UNKNOWNS], other_share;
    /* change of each unknown by one standard deviation of each input error; 0 for modelled power if power is logged */
    double by_error[WSK_TH_ERRORS][WSK_FIT_UNKNOWNS];
} wsk_thermal_fit;
/* Fits every card to its bins before bin `until` and stores the fitted values in thermal->parts; fits: one per
 * card. */
wsk_status wsk_thermal_fit_all(wsk_thermal *thermal, int until, wsk_thermal_fit *fits);
void wsk_thermal_list(const wsk_thermal *thermal, int card, wsk_thermal_fit *fit);
/* Prior standard deviation of the logarithm of a value, from the spread that its source states, limited to 0.05 to 0.6;
 * `otherwise` if the source states none. */
double wsk_thermal_prior_rel(const wsk_elem *elem, const char *name, double value, double otherwise);
#define WSK_TH_UNKNOWN_REL 0.25 /* for most values that state no spread: docs/theory/uncertainty.md */
/* True for an open-air cooler whose part lets the fan turn while the card is cool. A card of that part may nevertheless
 * stop its fan. */
bool wsk_thermal_may_stop(const wsk_card *card);
/* The curve of a fan that follows `had`, but stops while the card is cool. */
wsk_curve wsk_thermal_stopping(const wsk_curve *had);
/* True if, by the present values, a fan stops while the card is cool although its part lets it turn then. */
bool wsk_thermal_stops_anyway(const wsk_thermal *thermal, int card);
/* True for a card of the rig that works, by a power that nobody states, and is not logged. */
bool wsk_thermal_is_other(const wsk_thermal *thermal, int card);
/* True if the speed in the bin is below 60 rpm; false if rpm is NULL (no speeds are known). */
bool wsk_thermal_stands_still(const double *rpm, int bin);
double wsk_thermal_vague(const wsk_thermal_card *card, int bin); /* the value of card->vague, or 1 */
/* Fits one card, starting from the present values of its part. If `fit` has no weights yet (die_sd is 0), a first fit
 * finds them and a second fit uses them. */
wsk_status wsk_thermal_fit_card(wsk_thermal *thermal, int card, int until, wsk_thermal_fit *fit);
/* Sets fit->by_error: fits the card again with the inputs of the replay changed by each of their errors. On return,
 * the log has been replayed. docs/theory/calibration.md, "Method" */
wsk_status wsk_thermal_doubt_inputs(wsk_thermal *thermal, int card, wsk_thermal_fit *fit);
/* wsk_thermal_doubt_inputs for every card. Cards in one room get the largest error of its temperature. */
wsk_status wsk_thermal_doubt_all(wsk_thermal *thermal, wsk_thermal_fit *fits);
/* Writes, per bin, the standard deviation of the predicted die temperature of a fit to the bins before `until`, K. It
 * combines the uncertainty of the fitted values, the fit's residuals, and that a fan whose speeds are not logged may
 * turn or stop while the card is cool. From bin `until` on it also contains the model's error for a still fan, and the
 * rounding of temperatures by controllers of chassis fans. On return, the log has been replayed. */
wsk_status wsk_thermal_doubt(wsk_thermal *thermal, int card, int until, const wsk_thermal_fit *fit, double *sd_k);

/* Writes the fitted values under the names of their attributes; the inlet, K, is named "inlet". */
void wsk_thermal_tell(const wsk_thermal *thermal, int card, const wsk_thermal_fit *fit, wsk_calibration *out);
/* True if the log does not contain two levels of power that differ by 30 % and each last a twentieth of the time. */
bool wsk_thermal_one_power(const wsk_thermal *thermal, int card);
/* The die temperature, K, that the hottest twentieth of the bins reach or exceed. */
double wsk_thermal_hottest_k(const wsk_thermal *thermal, int card);
/* Sets out->now and out->then of the die's and the memory's temperature by a fit to the whole log: their uncertainty
 * now, and after each recording that may follow. */
wsk_status wsk_thermal_next(const wsk_thermal *thermal, int card, const wsk_thermal_fit *fit, wsk_log_fit *out);
/* Phase of a bin (first minute, warm-up, settled, cool-down), from the measurements alone. */
wsk_log_phase wsk_thermal_phase(const wsk_thermal *thermal, int card, int bin);
/* Sets the errors in `out`, which must be zero before, from the last replay. held: the first bin that was not fitted;
 * sd_k: standard deviation of the prediction in each bin. */
void wsk_thermal_judge(const wsk_thermal *thermal, int card, int held, const double *sd_k, wsk_log_fit *out);
bool wsk_thermal_curve(const wsk_thermal *thermal, int card, const double *sd_k, wsk_arena *arena,
                       wsk_log_curve *out);

#endif
