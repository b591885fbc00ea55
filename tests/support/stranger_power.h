/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_TESTS_STRANGER_POWER_H
#define WSK_TESTS_STRANGER_POWER_H
#include <stdbool.h>

/* A row of facts/stranger_power.csv: what strangers measured on their cards under a power limit, and what the
 * catalogue's part says. watts: mean power, W; otherwise work relative to that at ref_w. spread: half width of the
 * 80 % band that the program states, relative. use: "held", no value was chosen by the row; "chose", a class value
 * of this card was; "apart", a load that no class describes. */
typedef struct {
    const char *series, *part, *cls, *load, *use, *source;
    bool watts;
    double limit_w, ref_w, measured, model, spread;
} wsk_stranger_row;
/* Calls row() for each row. Returns the number of rows; 0: failed. */
int wsk_stranger_rows(void (*row)(void *user, const wsk_stranger_row *row), void *user);

/* error: mean over series of their mean absolute error, %; bias: mean over rows of the error, %; worst: largest error,
 * %, of the row that `where` names; inside: rows within the band. */
typedef struct {
    int rows, series, cards, inside;
    double error, bias, worst;
    char where[128];
} wsk_stranger_sum;
/* Sums up the rows of one use (NULL: held and chosen ones), one class (NULL: all) and one quantity. */
void wsk_stranger_sums(const char *use, const char *cls, bool watts, wsk_stranger_sum *sum);
int wsk_stranger_report(void);
#endif
