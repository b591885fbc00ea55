/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvidia-smi outputs of working cards that strangers published (facts/listings.csv), simulated with the values that the
 * program assumes for a card that nobody measured, and with the power that the listing shows. */
#ifndef WSK_TESTS_LISTINGS_H
#define WSK_TESTS_LISTINGS_H
#include <stdbool.h>

#include "tests/support/report.h"

typedef struct {
    bool kept; /* the row was used for checking only, not while the model was made */
    bool fan_read;
    double die_c;
    double own_k;    /* model less listing, K, with the fan at the speed of the model's own fan curve */
    double pinned_k; /* model less listing, K, with the fan duty of the listing; own_k if the listing shows none */
    double sd_k;     /* standard deviation of own_k, from the errors of inputs, model and room */
    const char *part;
    const char *style;
} wsk_listing;

/* The result points into `csv`, and the caller frees it. NULL: a simulation failed. */
wsk_listing *wsk_listing_all(const wsk_csv *csv, int *n);
/* True if the last digit of the first number in a row's source is odd: this splits the rows into two halves. */
bool wsk_listing_kept(const char *source);

typedef struct {
    int n;
    double mean_abs, bias, median, worst;
} wsk_listing_errors;
typedef enum { WSK_LISTING_SEEN, WSK_LISTING_KEPT, WSK_LISTING_BOTH } wsk_listing_half;
/* style NULL: all styles. fan_as_read: pinned_k of the rows that show the fan; false: own_k of all rows. */
wsk_listing_errors wsk_listing_sum(const wsk_listing *rows, int n, const char *style, wsk_listing_half half,
                                   bool fan_as_read);
/* Share of the rows of the style for which |own_k| is within 1.28 standard deviations, which would be 80 % if the
 * errors were normally distributed. */
double wsk_listing_inside(const wsk_listing *rows, int n, const char *style);
/* Mean |own_k|, K, of the rows whose part has three rows or more. *counted: number of these rows. *scaled: the same
 * mean after each modelled rise over a room of 24 degC is multiplied by the geometric mean of measured / modelled rise
 * of the part's other rows. */
double wsk_listing_by_part(const wsk_listing *rows, int n, int *counted, double *scaled);
int wsk_listing_hot(const wsk_listing *rows, int n, double *expected);

int wsk_listing_report(wsk_report_score *all);

#endif
