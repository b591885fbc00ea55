/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the validation page while report.c writes it to stdout, and its sections about traces. Functions that
 * return an int return nonzero if a file cannot be read or a run fails. */
#ifndef WSK_TESTS_REPORT_H
#define WSK_TESTS_REPORT_H
#include <stdio.h>

#include "sim/base/base.h"
#include "tests/support/replay.h"

enum { WSK_REPORT_STYLES = 5 }; /* kinds of cooler told apart: blower, open-air, passive, AIO, custom loop */
typedef struct {
    double abs_sum, sum, worst;
    int n;
} wsk_report_score;
typedef struct {
    const char *data;
    FILE *series, *points;
    wsk_buf lacking; /* Markdown rows of missing files: name and source */
    int halves;      /* number of traces fitted on one half and predicted on the other */
    /* errors of settled points for each kind of cooler; other: with the cooler fitted to another card;
     * by_class: with class values */
    wsk_report_score style[WSK_REPORT_STYLES], other[WSK_REPORT_STYLES], by_class[WSK_REPORT_STYLES];
    wsk_report_score fitted_run, other_run;
    wsk_report_score logs, logs_within; /* fans that turn at rest: K; share of readings in the band */
    wsk_report_score guessed;           /* GPU temperatures of rows that lack an input */
    wsk_report_score listed;            /* GPU temperatures of strangers' listings */
    /* largest errors for the closing table: K rms, worst_tau in %; worst_vega: of the Vega cards, which worst_run
     * leaves out. ratio: rise of the CPU temperature with a blower / with an open-air card */
    double worst_run, worst_vega, worst_half, worst_tau, ratio;
    double walls, walls_left_out; /* mean |relative error| at the wall: as shipped; machines left out */
} wsk_report;
typedef struct {
    char text[24];
} wsk_report_cell; /* a number or text for one cell of a table */

/* The number with this many digits; the text `none` for NAN. */
wsk_report_cell wsk_report_number(double x, int digits, const char *none);
void wsk_report_add(wsk_report_score *s, double error);
/* A table of tests/validate/facts, or NULL after a message on stderr; free with wsk_csv_free. */
wsk_csv *wsk_report_table(const char *name);
/* True if DATA/FILE can be opened. Otherwise it is added once to the list of missing files. */
bool wsk_report_at_hand(wsk_report *r, const char *file, const char *source);

/* The section on runs of two hours, and that on traces of which one half is fitted. */
int wsk_report_transients(wsk_report *r);
int wsk_report_halves(wsk_report *r);
/* The section on logs of which the first part is fitted. */
int wsk_report_logs(wsk_report *r);

#endif
