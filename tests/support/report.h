/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the validation page, which goes to stdout. Functions that return an int return nonzero if a file cannot be
 * read or a run fails. */
#ifndef WSK_TESTS_REPORT_H
#define WSK_TESTS_REPORT_H
#include <stdio.h>

#include "sim/base/base.h"
#include "tests/support/replay.h"
#include "tests/support/stranger_power.h"

enum { WSK_REPORT_STYLES = 5 }; /* the kinds of cooler: blower, open-air, passive, AIO, custom loop */
typedef struct {
    double abs_sum, sum, worst;
    int n;
} wsk_report_score;
typedef struct {
    const char *data;
    FILE *series, *points;
    wsk_buf lacking;
    int halves;
    /* Errors of predicted die temperatures, by kind of cooler. style: the card is predicted with its own values. other:
     * its cooler is replaced by that of another card. by_class: its cooler has the values that the program assumes for
     * a card that nobody measured, from the card's size or power. */
    wsk_report_score style[WSK_REPORT_STYLES], other[WSK_REPORT_STYLES], by_class[WSK_REPORT_STYLES];
    wsk_report_score fitted_run, other_run;
    wsk_report_score logs, logs_within;
    wsk_report_score guessed;
    wsk_report_score listed;
    /* Largest errors. worst_run, worst_vega: rms over a whole trace that was not fitted, K, of other cards and of Vega
     * cards. worst_half: rms over the second part of a trace, K. worst_tau: of a time constant, %. ratio: rise of the
     * CPU temperature with a blower / rise with an open-air card */
    double worst_run, worst_vega, worst_half, worst_tau, ratio;
    wsk_stranger_sum strangers;     /* held rows of work */
    int throttles_right, throttles; /* machines for which the model says rightly whether heat slows a card; all */
    double walls, walls_left_out;   /* mean |relative error| of power at the wall: with the shipped values, and with
                                   * each machine left out of the fit */
} wsk_report;
typedef struct {
    char text[24];
} wsk_report_cell;

/* The number with this many digits after the point; the text `none` if the number is NAN. */
wsk_report_cell wsk_report_number(double x, int digits, const char *none);
void wsk_report_add(wsk_report_score *s, double error);
/* A table of tests/validate/facts, or NULL after a message on stderr; free with wsk_csv_free. */
wsk_csv *wsk_report_table(const char *name);
/* True if `file` can be opened in the folder r->data. Otherwise it is added once to the list of missing files. */
bool wsk_report_at_hand(wsk_report *r, const char *file, const char *source);

int wsk_report_transients(wsk_report *r);
int wsk_report_halves(wsk_report *r);
int wsk_report_logs(wsk_report *r);

#endif
