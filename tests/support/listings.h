/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cards at work in listings of nvidia-smi that strangers published (facts/listings.csv), simulated as by a user who knows
 * the card alone: class values, and power as read. */
#ifndef WSK_TESTS_LISTINGS_H
#define WSK_TESTS_LISTINGS_H
#include <stdbool.h>

#include "tests/support/report.h"

typedef struct {
    bool kept;         /* set aside for the check: wsk_listing_kept */
    bool fan_read;     /* the listing shows the fan's duty */
    double die_c;      /* mean of the cards that the row names */
    double own_k;      /* model less listing, K, with the fan by the model's own curve */
    double pinned_k;   /* the same with the fan as read; own_k if it was not */
    double sd_k;       /* one standard deviation of own_k: inputs, model and guessed room */
    const char *part;  /* start of the part's name in the row's settings */
    const char *style; /* blower, open-air, passive or module */
} wsk_listing;

/* The rows, simulated, in the table's order; *n: how many. They point into the table. NULL: failed. Caller frees. */
wsk_listing *wsk_listing_all(const wsk_csv *csv, int *n);
/* The last digit of the first number in a row's source is odd. */
bool wsk_listing_kept(const char *source);

typedef struct {
    int n;
    double mean_abs, bias, median, worst; /* K */
} wsk_listing_errors;
typedef enum { WSK_LISTING_SEEN, WSK_LISTING_KEPT, WSK_LISTING_BOTH } wsk_listing_half;
/* Errors of the rows of one half and style (NULL: all): with the model's own fan, or with the fan as read. */
wsk_listing_errors wsk_listing_sum(const wsk_listing *rows, int n, const char *style, wsk_listing_half half,
                                   bool fan_as_read);
/* Share of the rows whose reading is within 1.28 standard deviations. */
double wsk_listing_inside(const wsk_listing *rows, int n, const char *style);
/* Mean |error|, K, of parts with three rows and more, and *scaled, the same with the rise over 24 degC scaled by what the
 * part's other rows ask for. */
double wsk_listing_by_part(const wsk_listing *rows, int n, int *counted, double *scaled);
/* Rows that read 83 degC or more; *expected: their number by the model's chances. */
int wsk_listing_hot(const wsk_listing *rows, int n, double *expected);

/* Writes the section of the validation page, and adds the errors with the model's own fan to `all`. Returns nonzero if it
 * failed. */
int wsk_listing_report(wsk_report_score *all);

#endif
