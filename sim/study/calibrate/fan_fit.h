/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the controller of a card's own fan to a log of speeds: docs/theory/calibration.md, "The fan". */
#ifndef WSK_FAN_FIT_H
#define WSK_FAN_FIT_H
#include "sim/net/net.h"

/* Fits the fan of a card to a trace. own: the card's own controller sets the speed of the fan. delay_s: expected delay
 * of the temperature readings, which is fitted, too. held_s: a second fit, to the readings before this time, is judged
 * by those after it. out->fit.count 0: the trace does not determine the fan; out->untold may say why. */
wsk_status wsk_fan_fit(const wsk_card *card, bool own, const wsk_calibrate_trace *trace, double delay_s,
                       double held_s, wsk_log_fan *out);
/* The fan curve through the fitted points. Outside the fitted points it continues with the card's former curve: below
 * the first point at most at the speed of the first point, above the last point at least at the speed of the last
 * point. */
wsk_curve wsk_fan_fit_curve(const wsk_card *card, const wsk_calibration *fit);

/* Speeds, rpm, that the card's own fan has with its curve at these die temperatures, means over cells of cell_s: as in
 * sim/control/fans.c, but without rounding. No temperature may be NAN. */
void wsk_fan_follow(const wsk_card *card, double *die_k, int cells, double cell_s, double *rpm);
/* The lowest speed, rpm, at which the card's fan turns, if the fan stops while the card is cool; 0: it never stops. */
double wsk_fan_slowest(const wsk_card *card);

#endif
