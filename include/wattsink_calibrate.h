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
#include "wattsink_messages.h"

/* A row of a sweep of power limits or locked clocks with one load. NAN: not known. */
typedef struct {
    double limit_w, lock_hz;  /* the limit and the highest clock that were set; neither: the limit was the draw */
    double drawn_w, clock_hz; /* mean board power and core clock */
    double work;              /* work per time, in any unit */
    double die_k;             /* GPU temperature */
} wsk_calibrate_row;

/* ---- rows from a file ---- */
typedef struct wsk_limits wsk_limits;
/* Reads a sweep from text with columns, separated by commas, semicolons or tabs, below a line with their names
 * (docs/format.md, "Sweeps"). path: for messages. *out is also set on WSK_EINPUT, so that its messages can be read; free
 * it in each case. */
wsk_status wsk_limits_read(wsk_limits **out, const char *path, const char *text, size_t len);
void wsk_limits_free(wsk_limits *limits);
const wsk_calibrate_row *wsk_limits_rows(const wsk_limits *limits, size_t *count);
size_t wsk_limits_messages(const wsk_limits *limits);
/* Message i. *severity: 0 error, 1 warning. *line and *column count from 1. */
const wsk_said *wsk_limits_message(const wsk_limits *limits, size_t i, int *severity, int *line, int *column);

/* ---- the fit ---- */
/* A value of a card, named as the attribute of its part, SI: before and after, each with its standard deviation. apart:
 * that after the fit if the other values were known. learnt: share of the prior's variance that the rows removed; near 0,
 * they do not tell the value. */
typedef struct {
    const char *name;
    double value, spread, apart, prior, prior_spread, learnt;
} wsk_calibrated;
typedef struct {
    size_t count; /* number of values */
    wsk_calibrated values[8];
    /* noise: rms of the residuals over what is expected (1 % of work, 2 % of clock and draw); above 1 the spreads were
     * enlarged by it. worst: largest residual, so counted, in row worst_row; beyond 5 it has lost weight. */
    double noise, worst;
    size_t worst_row;
    double work_unit;  /* what the rows state as work where the model's work is 1; NAN: they state none */
    double mean_share; /* mean draw over the power held, below 1 for runs with pauses */
} wsk_calibration;
/* Why the rows cannot be fitted: the card does no work, its power or clock is fixed, or the workload states what the rows
 * would tell. NULL: they can. */
const wsk_said *wsk_calibrate_refusal(const wsk_rig *rig, size_t card);
/* Fits the card that is the number `card` of the rig to a sweep under the work of the rig: what the catalogue knows is the
 * prior, so that two rows are enough. WSK_EUSAGE: no such card, a refusal as above, no row, or out->worst_row cannot be of
 * this card: it lacks limit, clock and draw, or has watts or clocks above twice the card's highest, or other impossible
 * values. WSK_EINPUT: the rig has mistakes. */
wsk_status wsk_calibrate_sweep(const wsk_rig *rig, size_t card, const wsk_calibrate_row *rows, size_t count,
                               wsk_calibration *out);
/* What the fitted card does at the limit or clock and at the temperature of `row`: *out has work in the unit of the fitted
 * rows, clock and draw of the model. Errors as above. */
wsk_status wsk_calibrate_predict(const wsk_rig *rig, size_t card, const wsk_calibration *fit,
                                 const wsk_calibrate_row *row, wsk_calibrate_row *out);

/* ---- a log ---- */
/* Readings of one quantity, SI: t_s rises from the start of the log. count 0: it was not logged. */
typedef struct {
    const double *t_s, *value;
    size_t count;
} wsk_readings;
/* Readings of one card over time: W; busy share and clock, Hz; K; fan as a share of its highest speed, or in rpm; power limit
 * in force, W; work per time, in any unit. power may be absent if utilisation and clock are there: the model then gives it. Without fan and inlet the model's own act. */
typedef struct {
    size_t card; /* number of the card in the rig */
    wsk_readings power, utilisation, clock, die, memory, fan, fan_speed, inlet, limit, work;
} wsk_calibrate_trace;
/* Model less measured: readings are means of a bin of 10 to 60 s. */
typedef struct {
    size_t readings;
    double mae_k, rmse_k, bias_k, worst_k; /* NAN: no reading */
} wsk_log_error;
/* What the card did: a minute after its power rose by a fifth of the highest or more; warmer or cooler by 1 K or more over
 * five minutes; neither. */
typedef enum { WSK_PHASE_FIRST, WSK_PHASE_WARM_UP, WSK_PHASE_SETTLED, WSK_PHASE_COOL_DOWN, WSK_PHASES } wsk_log_phase;
typedef enum { WSK_PART_FITTED, WSK_PART_HELD_OUT, WSK_LOG_PARTS } wsk_log_part;
/* Model over measured, less 1. */
typedef struct {
    size_t readings;
    double mae_rel, bias_rel, worst_rel; /* NAN: no reading */
} wsk_log_share;
/* Watts, clocks and work: settled stretches under load are rows, which are fitted as those of a sweep. */
typedef struct {
    size_t
        rows; /* 0: the log lacks power, clock, or both limit and utilisation, or has no such stretch; or a refusal */
    wsk_calibration fit; /* of the whole log */
    /* Of a fit to the part before held_from_s alone, while the card works: power and work at the logged clock, the clock at
     * the logged power, or at the logged limit for a load with pauses. */
    wsk_log_share power[WSK_LOG_PARTS], clock[WSK_LOG_PARTS], work[WSK_LOG_PARTS],
        power_phase[WSK_LOG_PARTS][WSK_PHASES], clock_phase[WSK_LOG_PARTS][WSK_PHASES];
} wsk_log_electrical;
/* Recordings that would tell more, by the name that `wattsink calibrate --plan NAME` has for them: half an hour of load; two
 * hours of load at four power limits; a fan held at 40 and 80 %; an hour at rest after load; a load bound by the memory. */
typedef enum {
    WSK_NEXT_SOAK,
    WSK_NEXT_STAIRCASE,
    WSK_NEXT_FAN,
    WSK_NEXT_IDLE,
    WSK_NEXT_MEMORY,
    WSK_NEXTS
} wsk_calibrate_next;
/* Its name, and how long it takes. */
const char *wsk_calibrate_next_name(wsk_calibrate_next which, double *for_s);
typedef struct {
    const wsk_said *refused; /* why the log does not tell of this card; NULL: it does, and the rest is set */
    wsk_calibration fit;     /* of the whole log */
    /* Of a fit to the part before held_from_s alone. */
    double held_from_s, end_s;
    wsk_log_error die[WSK_LOG_PARTS], memory[WSK_LOG_PARTS], phase[WSK_LOG_PARTS][WSK_PHASES];
    /* Of the die's readings, of each part: share within the band of 80 % that the fit states for a reading, half its width in
     * the mean, and the factor on its width with which it would hold 80 %. NAN: no reading. */
    double within[WSK_LOG_PARTS], band_k[WSK_LOG_PARTS], band_needed[WSK_LOG_PARTS];
    /* Skill on the part held out: 1 less the ratio of the model's rms error to that of a guess. The guesses: the last
     * fitted temperature stays; a line in power through the fitted part. NAN: nothing was held out. */
    double skill_stays, skill_line;
    double samples,
        together;        /* independent readings that the log counts as; correlation of residuals a minute apart */
    double residual_k;   /* rms of the residuals of the fit to the whole log */
    bool one_power;      /* no two levels of power 30 % apart: inlet and conductance are told together only */
    bool power_modelled; /* the log has no power */
    wsk_log_electrical electrical;
    /* Standard deviation of the GPU temperature at full load, half an hour after a rest in the room of the log: as the log
     * leaves it, and about what each recording would leave. NAN: it cannot be recorded of this card. */
    double now_k, then_k[WSK_NEXTS];
} wsk_log_fit;
/* The recording that would tell most in the least time; -1: none tells much more. */
int wsk_calibrate_next_of(const wsk_log_fit *fit);
/* What was read of one card, and what the fit to the part before held_from_s says of it, in `count` bins of equal time; t_s:
 * end of each. NAN: no reading. half_k: half the width of the 80 % band of a reading of the die. memory_k and
 * memory_model_k NULL: not logged. */
typedef struct {
    size_t count;
    const double *t_s, *power_w, *die_k, *die_model_k, *half_k, *memory_k, *memory_model_k;
} wsk_log_curve;
typedef struct wsk_log_curves wsk_log_curves;
const wsk_log_curve *wsk_log_curves_of(const wsk_log_curves *curves, size_t trace);
void wsk_log_curves_free(wsk_log_curves *curves); /* NULL is allowed */
/* Fits cards to logs that began together, their thermal side and, where rows allow it, their electrical one: the spreads of their parts are the prior. holdout: share of
 * the time, at the end, that proves the fit, 0 to 0.9; NAN: 0.4. out: one for each trace. curves: NULL, or set on WSK_OK, to
 * be freed. WSK_EUSAGE: no such card, two traces for one, or out[i].refused says why; WSK_EINPUT: the rig has mistakes;
 * WSK_ENUMERIC: the model cannot follow. */
wsk_status wsk_calibrate_log(const wsk_rig *rig, const wsk_calibrate_trace *traces, size_t count, double holdout,
                             wsk_log_fit *out, wsk_log_curves **curves);

/* ---- a meter at the wall ---- */
/* Measured less modelled with the cards' own watts, of means of minutes, by ASHRAE Guideline 14 with p = 1: CV(RMSE) and NMBE,
 * shares of the mean. */
typedef struct {
    size_t minutes;
    double mean_w, cv_rmse, nmbe; /* NAN: less than two minutes */
} wsk_wall_error;
typedef struct {
    const wsk_said *refused; /* why the meter tells nothing; NULL: it does, and the rest is set */
    wsk_calibration fit;     /* `board` of the processor, which carries the base load; efficiency-50 of the PSUs */
    wsk_wall_error error[WSK_LOG_PARTS]; /* of a fit to the part before the one held out */
    /* The meter's first reading, s from the start of the log, with its standard deviation, and how far the meter's clock is
     * ahead of the log's (NAN: one has no date); found by correlation. clock_found false: the watts do not tell, and the
     * clocks count. */
    double begins_s, begins_sd_s, ahead_s;
    bool clock_found;
    double cards_rel, cards_sd_rel; /* what the cards drew over what they read, less 1, by the meter */
    double samples;                 /* independent minutes that the meter's count as */
} wsk_wall_fit;
/* Fits base load and efficiency of a rig with one machine to watts at its plug, while its cards drew what the traces say.
 * after_s: the meter's first reading after the logs' start, s, by their clocks; NAN: unknown. holdout: as above.
 * WSK_EUSAGE: out->refused says why, or a mistake as above. */
wsk_status wsk_calibrate_wall(const wsk_rig *rig, const wsk_calibrate_trace *traces, size_t count,
                              const wsk_readings *wall, double after_s, double holdout, wsk_wall_fit *out);

/* ---- the calibrated rig ---- */
typedef struct {
    size_t card;                /* number of the card in the rig */
    const wsk_calibration *fit; /* of the card, or of the machine, with any card */
    const char *from;           /* name of the rows, for the source of the values */
} wsk_calibrated_card;
/* Number of cards of the rig, and the id and part of one (part NULL: none); 0 and NULL for a rig with mistakes. */
size_t wsk_rig_cards(const wsk_rig *rig);
const char *wsk_rig_card(const wsk_rig *rig, size_t card, const char **part);
/* The rig in the form of wsk_rig_resolved with the fitted values as those of its cards: source "fitted", with their
 * spreads. Free with wsk_text_free. WSK_EUSAGE: no such card. */
wsk_status wsk_rig_calibrated(const wsk_rig *rig, const wsk_calibrated_card *cards, size_t count, char **text);
/* One of these cards as a part for a folder of parts: the fitted values, and what the rig states of the card, over its own
 * part. *id: the part's, "gpu/rtx-4090-gpu0"; *text: its file. Free both with wsk_text_free. Errors as above. */
wsk_status wsk_rig_calibrated_part(const wsk_rig *rig, const wsk_calibrated_card *cards, size_t count, size_t card,
                                   char **id, char **text);

#endif
