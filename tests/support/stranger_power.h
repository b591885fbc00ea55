/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_TESTS_STRANGER_POWER_H
#define WSK_TESTS_STRANGER_POWER_H
#include <stdbool.h>

/* A row of facts/stranger_power.csv: a published measurement of a card under a power limit, and the value of the
 * catalogue's part for it. watts: the value is mean power, W; otherwise work relative to that at ref_w. spread: half
 * width of the 80 % band that the program states, relative. use: "held", the row was used for no value of the
 * catalogue; "chose", a class value of this card was chosen by it; "apart", no class describes its load. */
typedef struct {
    const char *series, *part, *cls, *load, *use;
    bool watts;
    double limit_w, ref_w, measured, model, spread;
} wsk_stranger_row;
typedef struct {
    struct wsk_csv *csv; /* owns the texts of the rows */
    wsk_stranger_row *row;
    int n;
} wsk_strangers;
/* Reads the file and computes the catalogue's value for each row. False: the file or a row failed. Free with
 * wsk_strangers_free in both cases. */
bool wsk_strangers_read(wsk_strangers *all);
void wsk_strangers_free(wsk_strangers *all);

/* error: mean over series of their mean absolute error, %; bias: mean over rows of the error, %; worst: largest error,
 * %, of the row that `where` names; inside: rows within the band. */
typedef struct {
    int rows, series, cards, inside;
    double error, bias, worst;
    char where[128];
} wsk_stranger_sum;
/* Sums up the rows of one use (NULL: "held" and "chose"), one class (NULL: all) and one quantity. */
void wsk_stranger_sums(const wsk_strangers *all, const char *use, const char *cls, bool watts, wsk_stranger_sum *sum);
/* Prints the section of the validation page. *work: sum of the "held" rows of work. Returns nonzero on failure. */
int wsk_stranger_report(wsk_stranger_sum *work);
#endif
