/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_WORDS_FITTED_H
#define WSK_WORDS_FITTED_H
#include "words/words.h"

/* How a fitted value is shown: as (SI value - less) / si in `unit`. label: name of the value, translated. */
typedef struct {
    char label[96];
    const char *unit;
    double si, less;
} wsk_fitted;
wsk_fitted wsk_fitted_about(wsk_lang lang, const wsk_calibrated *value);
/* Decimal places to show a value with, so that its spread (uncertainty) has two digits. */
int wsk_fitted_places(double spread);
/* The kind of measurement that a value was fitted to. ONE_POWER: a log with a single power, which determines room
 * temperature (inlet) and conductance of the cooler only together; ONE_LEVEL: a log with a single clock under load,
 * which determines fixed power (p0) and power per clock (c) only together. */
typedef enum {
    WSK_FITTED_TO_ROWS,
    WSK_FITTED_TO_LOG,
    WSK_FITTED_TO_ONE_POWER,
    WSK_FITTED_TO_ONE_LEVEL,
    WSK_FITTED_TO_METER
} wsk_fitted_to;
/* Heads of two table columns: of the fitted value, "this card", and of wsk_fitted_learnt, "by the log". */
const char *wsk_fitted_of(wsk_lang lang, wsk_fitted_to to);
const char *wsk_fitted_by(wsk_lang lang, wsk_fitted_to to);
bool wsk_fitted_is_learnt(const wsk_calibrated *value, wsk_fitted_to to);
const char *wsk_fitted_learnt(wsk_lang lang, const wsk_calibrated *value, wsk_fitted_to to);
const char *wsk_fitted_phase(wsk_lang lang, wsk_log_phase phase);
/* The following functions append sentences, one per line. wsk_fitted_proof: how well the fit predicts the part of
 * the log that was held out. */
void wsk_fitted_proof(wsk_buf *out, wsk_lang lang, const wsk_log_fit *fit);
void wsk_fitted_next(wsk_buf *out, wsk_lang lang, const wsk_log_fit *fit, wsk_calibrate_goal goal);
void wsk_fitted_unseen(wsk_buf *out, wsk_lang lang, const wsk_calibration *fit);
/* Says what the log leaves undetermined, and what makes the fitted values doubtful. */
void wsk_fitted_open(wsk_buf *out, wsk_lang lang, const wsk_log_fit *fit);
void wsk_fitted_fan(wsk_buf *out, wsk_lang lang, const wsk_log_fit *fit);
/* True if the meter reads less than the cards alone draw, which no meter at their plug does. */
bool wsk_fitted_meter_low(const wsk_wall_fit *fit);
/* True if the meter reads far more than the machine could draw by what is known of its base load. */
bool wsk_fitted_meter_high(const wsk_wall_fit *fit);
void wsk_fitted_wall(wsk_buf *out, wsk_lang lang, const wsk_wall_fit *fit);

#endif
