/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calibration: fits a card of a rig to measured rows. wattsink.h includes this file.
 *
 *     wsk_limits *sweep;
 *     wsk_calibration fit;
 *     size_t rows;
 *     if (wsk_limits_read(&sweep, "limits.csv", text, length) == WSK_OK) {
 *         const wsk_calibrate_row *row = wsk_limits_rows(sweep, &rows);
 *         if (wsk_calibrate_sweep(rig, 0, row, rows, &fit) == WSK_OK)
 *             wsk_rig_calibrated(rig, &(wsk_calibrated_card){0, &fit, "limits.csv"}, 1, &xml);
 *         wsk_limits_free(sweep);
 *     } */
#ifndef WATTSINK_CALIBRATE_H
#define WATTSINK_CALIBRATE_H
#include "wattsink_limits.h"

/* ---- the fit ---- */
/* A fitted value, named as the attribute of its part, in SI units. value, prior: after and before the fit; spread,
 * prior_spread: their standard deviations. apart: the standard deviation that value would have if the other values
 * were known. learnt: share of the prior's variance that the measured data removed, 0 to 1; near 0 the data do not
 * determine the value. */
typedef struct {
    const char *name;
    double value, spread, apart, prior, prior_spread, learnt;
    double at;    /* of a point of a fan curve: its GPU temperature, K; 0: the value is no point */
    double moved; /* change by the fit in sd of the prior (mostly of its logarithm); 0: value of a fan or PSU */
} wsk_calibrated;
/* True if the value is further from the prior than specimens of a card differ: the measurement may be of another card
 * or case, or a reading may be wrong. False for the inlet, which belongs to the room. */
bool wsk_calibrated_is_far(const wsk_calibrated *value);
typedef struct {
    size_t count; /* how many items of `values` are filled */
    wsk_calibrated values[16];
    /* Residuals are divided by their expected size (1 % of work, 2 % of clock and power). noise: their rms; if it is
     * above 1, the spreads were enlarged by this factor. worst: the largest, in row worst_row; residuals beyond 5 have
     * less weight. */
    double noise, worst;
    size_t worst_row;
    double work_unit; /* work in the rows' unit at which the model's work is 1; NAN: the rows state no work */
    /* mean power of the rows over that of the fitted model: below 1 if the meter misses a share of the time */
    double mean_share;
    /* if row worst_row is impossible: which of its values (WSK_ROW_VALUES: it states too few values), and the possible
     * range of this value, in SI units */
    wsk_row_value impossible;
    double possible_from, possible_to;
} wsk_calibration;
/* Why a card cannot be fitted: it does no work, its power or clock is fixed, or the workload states the values that
 * the rows would determine. NULL: it can be fitted, or the rig has no such card. */
const wsk_said *wsk_calibrate_refusal(const wsk_rig *rig, size_t card);
/* Fits the card with index `card` to a sweep under the rig's workload. The catalogue's values are the prior, so that
 * two rows are enough. WSK_EUSAGE: no such card, a refusal (wsk_calibrate_refusal), no row, or row out->worst_row is
 * impossible for this card: it states neither limit, clock nor power, has power or clocks above twice the card's
 * highest, or other impossible values. WSK_EINPUT: the rig has errors. */
wsk_status wsk_calibrate_sweep(const wsk_rig *rig, size_t card, const wsk_calibrate_row *rows, size_t count,
                               wsk_calibration *out);
/* Predicts the fitted card at the limit or clock and at the temperature of `row`: *out has the model's clock and
 * power, and its work in the unit of the fitted rows. Errors as those of wsk_calibrate_sweep, also of
 * an impossible value in `row`. */
wsk_status wsk_calibrate_predict(const wsk_rig *rig, size_t card, const wsk_calibration *fit,
                                 const wsk_calibrate_row *row, wsk_calibrate_row *out);

/* ---- a log ---- */
/* Samples of one quantity in SI units; t_s: rising times from the start of the log, s. count 0: the quantity was not
 * logged. */
typedef struct {
    const double *t_s, *value;
    size_t count;
} wsk_readings;
/* Samples of one card over time. power, limit: W; utilisation: share of the time with a kernel running; clock: Hz;
 * die, memory, inlet: K; fan: share of the highest speed; fan_speed: rpm; work: work per time, in any unit. power may
 * be missing if utilisation and clock are logged: it is then modelled. Without fan or inlet, the rig's fan control or
 * inlet is used. traffic: share of the time in which memory is read or written, taken for the share of its bandwidth
 * in use; without it, or if the rig states memory-traffic, the heat of the memory follows from the class of work. */
typedef struct {
    size_t card; /* number of the card in the rig */
    wsk_readings power, utilisation, clock, die, memory, fan, fan_speed, inlet, limit, work, traffic;
    wsk_readings hot_spot; /* K; used without `die`, less the card's stated difference of hot spot and die */
} wsk_calibrate_trace;
/* Errors, modelled minus measured temperature. The log is divided into time bins of 1 s to 1 h, longer ones for longer
 * logs; `readings` is the number of bin means compared. mae: mean absolute error; bias: mean. */
typedef struct {
    size_t readings;
    double mae_k, rmse_k, bias_k, worst_k; /* NAN: no reading */
} wsk_log_error;
/* Phase of a card. FIRST: the minute after its power rose by a fifth of its highest power or more; WARM_UP, COOL_DOWN:
 * within the five minutes around it becomes warmer or cooler by 1 K or more; SETTLED: none of these. */
typedef enum { WSK_PHASE_FIRST, WSK_PHASE_WARM_UP, WSK_PHASE_SETTLED, WSK_PHASE_COOL_DOWN, WSK_PHASES } wsk_log_phase;
typedef enum { WSK_PART_FITTED, WSK_PART_HELD_OUT, WSK_LOG_PARTS } wsk_log_part;
/* Relative errors: modelled value divided by measured value, minus 1. */
typedef struct {
    size_t readings;
    double mae_rel, bias_rel, worst_rel; /* NAN: no reading */
} wsk_log_share;
/* Fit of power, clock and work to a log: settled stretches under load become rows, which are fitted like those of a
 * sweep. */
typedef struct {
    /* number of rows; 0: the log lacks power, clock, or both limit and utilisation, or has no such stretch, or the
     * card cannot be fitted */
    size_t rows;
    wsk_calibration fit; /* of the whole log */
    /* rows of about one clock: they determine p0 and c of the power (docs/format.md) only by the power at that clock */
    bool one_level;
    /* Errors of a fit to the part before held_from_s, while the card works: of power and work at the logged clock,
     * and of the clock at the logged power (at the logged limit for a load with pauses). */
    wsk_log_share power[WSK_LOG_PARTS], clock[WSK_LOG_PARTS], work[WSK_LOG_PARTS],
        power_phase[WSK_LOG_PARTS][WSK_PHASES], clock_phase[WSK_LOG_PARTS][WSK_PHASES];
} wsk_log_electrical;
/* The controller of the card's own fan: up to eleven points of its curve (rpm), and how fast it rises and falls (s). */
typedef struct {
    wsk_calibration fit; /* fit to the whole log; count 0: the log does not determine the controller */
    /* why the logged fan speeds do not determine the controller; NULL: they do, or none are logged */
    const wsk_said *untold;
    /* mean |modelled - measured fan speed| / highest speed, with the measured temperature, of a fit to the part before
     * held_from_s; NAN: none */
    double error_rel[WSK_LOG_PARTS];
} wsk_log_fan;
/* Recordings from which a fit would learn more, in the order of the enumerators: half an hour of load; two hours
 * of load at four power limits; a fan held at 40 and at 80 %; an idle hour after load; a load bound by the
 * memory. */
typedef enum {
    WSK_NEXT_SOAK,
    WSK_NEXT_STAIRCASE,
    WSK_NEXT_FAN,
    WSK_NEXT_IDLE,
    WSK_NEXT_MEMORY,
    WSK_NEXTS
} wsk_calibrate_next;
/* Quantities that the fit shall predict: temperatures of GPU and memory after half an hour of full load; work at 70 %
 * of the highest power, relative to that at the highest power; power at a clock locked to 70 % of the highest. */
typedef enum { WSK_GOAL_TEMPERATURE, WSK_GOAL_MEMORY, WSK_GOAL_WORK, WSK_GOAL_WATTS, WSK_GOALS } wsk_calibrate_goal;
/* Name of a recording for `wattsink calibrate --plan NAME`, and how long the recording takes, s. */
const char *wsk_calibrate_next_name(wsk_calibrate_next which, double *for_s);
typedef struct {
    const wsk_said *refused; /* why the log cannot be fitted; NULL: it can. The members below are set on WSK_OK */
    wsk_calibration fit;     /* fit to the whole log */
    /* held_from_s, end_s: start and end of the part held out, s. Errors, per part, of a fit to the time before it. */
    double held_from_s, end_s;
    wsk_log_error die[WSK_LOG_PARTS], memory[WSK_LOG_PARTS], phase[WSK_LOG_PARTS][WSK_PHASES];
    /* The 80 % band that the fit predicts for die temperatures, per part. within: share of the measurements that lie
     * in the band; band_k: mean half width of the band; band_needed: factor on its width at which the band would hold
     * 80 % of the measurements. NAN: no measurement. */
    double within[WSK_LOG_PARTS], band_k[WSK_LOG_PARTS], band_needed[WSK_LOG_PARTS];
    /* Skill on the part held out: 1 minus the ratio of the model's rms error to that of a guess. skill_stays: the
     * guess is the last temperature of the fitted part; skill_line: a straight line in power through the fitted part.
     * NAN: nothing was held out. */
    double skill_stays, skill_line;
    /* number of independent readings to which the log is equivalent; correlation of residuals a minute apart */
    double samples, together;
    double residual_k; /* rms of the residuals of the fit to the whole log */
    bool one_power; /* the log has no two powers 30 % apart, so it determines inlet and conductance only together */
    bool power_modelled; /* the log has no power, so that power was modelled */
    bool from_hot_spot;  /* the log has no GPU temperature, so that the hot spot temperature was used */
    wsk_log_electrical electrical;
    wsk_log_fan fan;
    /* Standard deviation, K, of the predicted GPU temperature after half an hour of full load that follows a rest
     * in the room of the log. now_k: with this log; then_k: estimated with a further recording; NAN: that
     * recording cannot be made with this card. */
    double now_k, then_k[WSK_NEXTS];
    /* Standard deviation of each goal, likewise: K, or relative. NAN: not determined, or no such recording. */
    double now[WSK_GOALS], then[WSK_GOALS][WSK_NEXTS];
    bool room_free; /* the rig's room has no fixed temperature, so wsk_rig_calibrated does not write the fitted one */
    /* the card's shutdown temperature, and the temperature that the warmest twentieth of the readings reach, K; if the
     * latter is much higher, the log has another unit or sensor (wsk_calibrate_too_hot) */
    double shutdown_k, hottest_k;
    /* highest power of the log; power at full load, as the rig runs the card; mean distance of the load's rows, s */
    double highest_w, full_w, apart_s;
} wsk_log_fit;
/* True if the card was loaded in the log: its highest power is 70 % or more of that at full load. If not, the model
 * alone predicts temperatures at full load. */
bool wsk_calibrate_loaded(const wsk_log_fit *fit);
/* True if temperatures of the log are so high that the card would have shut down. */
bool wsk_calibrate_too_hot(const wsk_log_fit *fit);
/* The next recording to make for a goal: the shortest among the recordings that would reduce the goal's standard
 * deviation about as much as the best one. -1: none would reduce it much, or it is small enough. For a temperature, if
 * the card was not loaded in the log, it is always a recording with load, if any can be made. */
int wsk_calibrate_next_for(const wsk_log_fit *fit, wsk_calibrate_goal goal);
/* The name of a goal: "temperature", "memory", "work", "watts". */
const char *wsk_calibrate_goal_name(wsk_calibrate_goal goal);
/* The readings of one card in `count` bins of equal time, and the fit to the part before held_from_s
 * (die_model_k, memory_model_k). t_s: end of each bin; half_k: half the width of the 80 % band of a reading of
 * the die. NAN: no reading. memory_k, memory_model_k NULL: not logged. */
typedef struct {
    size_t count;
    const double *t_s, *power_w, *die_k, *die_model_k, *half_k, *memory_k, *memory_model_k;
} wsk_log_curve;
typedef struct wsk_log_curves wsk_log_curves;
const wsk_log_curve *wsk_log_curves_of(const wsk_log_curves *curves, size_t trace);
void wsk_log_curves_free(wsk_log_curves *curves); /* NULL is allowed */
/* Fits thermal values of cards, and their power, clock and work if the log is sufficient, to logs that began at the
 * same time; the spreads stated by the parts are the prior. holdout: share of the log's time, at its end, that is
 * not fitted but used to test the fit, 0 to 0.9; NAN: 0.4. out: one for each trace. curves: NULL, or
 * receives the curves on WSK_OK; free them with wsk_log_curves_free. WSK_EUSAGE: no trace, no such card, two traces
 * for one card, holdout outside its range, or a log is refused (out[i].refused); WSK_EINPUT: the rig has errors;
 * WSK_ENUMERIC: the model cannot simulate the log. */
wsk_status wsk_calibrate_log(const wsk_rig *rig, const wsk_calibrate_trace *traces, size_t count, double holdout,
                             wsk_log_fit *out, wsk_log_curves **curves);

/* ---- a meter at the wall ---- */
/* Errors of one-minute means of the wall power, of a log of days of means over its longer bins, measured minus modelled
 * with the cards' logged power: CV(RMSE) and NMBE of ASHRAE Guideline 14, as shares of mean_w. Both divide the sum over
 * the n means by n - 1, because the Guideline's number of model parameters, p, is taken as 1. */
typedef struct {
    size_t minutes; /* minutes that these means cover; without those in which the meter has no reading */
    double mean_w, cv_rmse, nmbe; /* NAN: fewer than two means */
} wsk_wall_error;
typedef struct {
    const wsk_said *refused; /* why the data cannot be used; NULL: they can. The members below are set on WSK_OK */
    /* fitted values: `board` of the processor, which contains the base load, and efficiency-50 of the PSUs */
    wsk_calibration fit;
    wsk_wall_error error[WSK_LOG_PARTS]; /* errors, per part, of a fit to the part that is not held out */
    /* Time of the meter's first sample, s after the start of the log, found by correlation, and its standard
     * deviation; ahead_s: how far the meter's clock is ahead of the log's (NAN: one of them has no date). clock_found
     * false: no correlation was found, and the clocks are used. */
    double begins_s, begins_sd_s, ahead_s;
    bool clock_found, power_modelled; /* power_modelled: a trace has no power, so modelled power is compared */
    /* relative excess of the cards' power according to the meter over the power that the cards logged, its standard
     * deviation, and `learnt` as in wsk_calibrated */
    double cards_rel, cards_sd_rel, cards_learnt;
    /* mean power by the meter and by the cards, in the minutes that both have; a meter at the plug reads more */
    double mean_w, cards_mean_w;
    double samples; /* number of independent minutes to which the meter's minutes are equivalent */
} wsk_wall_fit;
/* Fits base load and efficiency of a rig with one machine to the power at its plug, measured while the traces were
 * logged. Samples of the meter that are not finite, or not above 0 W, count as missing. after_s: start of the meter's
 * samples after that of the traces, s, according to their clocks; NAN: unknown. holdout: as for wsk_calibrate_log.
 * WSK_EUSAGE: the meter is refused (out->refused), after_s is infinite, or an error as for wsk_calibrate_log. */
wsk_status wsk_calibrate_wall(const wsk_rig *rig, const wsk_calibrate_trace *traces, size_t count,
                              const wsk_readings *wall, double after_s, double holdout, wsk_wall_fit *out);

/* ---- the calibrated rig ---- */
typedef struct {
    size_t card;                /* number of the card in the rig */
    const wsk_calibration *fit; /* fit of the card; or fit of the machine (wsk_wall_fit.fit), with any card */
    const char *from;           /* name of the measured data, stated as source of the values */
} wsk_calibrated_card;
/* wsk_rig_cards returns the number of cards of the rig; 0 if the rig has errors. wsk_rig_card returns the id of a card
 * and sets *part to the id of its part, or to NULL if the card has no part. It returns NULL if the rig has errors or no
 * such card. */
size_t wsk_rig_cards(const wsk_rig *rig);
const char *wsk_rig_card(const wsk_rig *rig, size_t card, const char **part);
/* The rig in the form of wsk_rig_resolved, with the fitted values in its cards, their source "fitted" and their
 * spreads. Free *text with wsk_text_free. WSK_EUSAGE: no such card. */
wsk_status wsk_rig_calibrated(const wsk_rig *rig, const wsk_calibrated_card *cards, size_t count, char **text);
/* One of these cards as a part for a folder of parts: the original part, overridden by what the rig states of the
 * card and by the fitted values. *id: id of the new part, such as "gpu/rtx-4090-gpu0"; *text: its file. Free both
 * with wsk_text_free. Errors as those of wsk_rig_calibrated. */
wsk_status wsk_rig_calibrated_part(const wsk_rig *rig, const wsk_calibrated_card *cards, size_t count, size_t card,
                                   char **id, char **text);

#endif
