/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_TESTS_THROTTLES_H
#define WSK_TESTS_THROTTLES_H
#include "tests/support/replay.h"

enum { WSK_THROTTLE_ROWS = 64 };
/* A row of facts/throttles.csv: a machine of which a report states whether heat slowed its cards. chance: the program's
 * probability of that; 1 if a card shuts down from heat. */
typedef struct {
    const char *machine, *style, *assumed;
    bool measured; /* heat slowed a card */
    bool fitted;   /* a value of the card or its cooler was fitted to a measurement of this machine */
    double chance;
} wsk_throttle_row;
/* yes, no: rows in which heat slowed a card, or did not; *_right: of these, the rows in which the chance is above one
 * half, or below. brier: mean of (chance - measured)^2. free: the rows that are not fitted; free_right: of these. */
typedef struct {
    wsk_csv *csv;
    int n, yes, no, yes_right, no_right, free, free_right;
    double brier;
    wsk_throttle_row rows[WSK_THROTTLE_ROWS];
} wsk_throttles;

/* Reads the file and solves all rows; false: the file or a rig failed. Free with wsk_throttles_free in both cases. */
bool wsk_throttles_read(wsk_throttles *all);
void wsk_throttles_free(wsk_throttles *all);
/* Prints the section of the validation page. Returns nonzero if a row failed. right, rows: set to the counts. */
int wsk_throttles_report(int *right, int *rows);

#endif
