/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run --watch: the page while it is composed, line by line. */
#ifndef WSK_CLI_WATCH_SHEET_H
#define WSK_CLI_WATCH_SHEET_H
#include "cli/run/watch.h"

typedef struct {
    const wsk_watch_page *page;
    FILE *out;
    int left; /* columns left in this line */
    int rows; /* lines left, including this one */
    bool cut; /* some text after wsk_sheet_begin() did not fit */
    /* Items that do not fit the terminal; the page states them above its keys. cards, events: numbers of cards and
     * events that are not shown; past: number of cards whose history is not shown or not complete; values: true if
     * some values are left out. */
    struct {
        size_t cards, past, events;
        bool values;
    } missing;
} wsk_sheet;
/* Texts that are printed together or not at all: wsk_sheet_begin() marks the start, and wsk_sheet_end() removes the
 * whole part if it did not fit. */
typedef struct {
    long at;
    int left;
} wsk_sheet_part;

/* style: parameters of the escape sequence "ESC [ ... m" */
void wsk_sheet_say(wsk_sheet *s, const char *style, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Prints as many whole words of the text as fit the line. */
void wsk_sheet_words(wsk_sheet *s, const char *style, const char *text);
/* Begins a part, behind `gap` blanks unless it is the first of its line. */
wsk_sheet_part wsk_sheet_begin(wsk_sheet *s, int gap);
bool wsk_sheet_end(wsk_sheet *s, wsk_sheet_part p);
void wsk_sheet_next(wsk_sheet *s); /* ends a line and erases the rest of it */
/* Prints text cut or padded to a width of |columns|: aligned left, or right if columns is negative. */
void wsk_sheet_aligned(wsk_sheet *s, const char *style, const char *text, int columns);

/* Prints the history of the cards, a line for each card and a title line, in at most `rows` lines (watch_past.c).
 * names: width of the cards' ids, columns. */
void wsk_watch_past(wsk_sheet *s, int rows, int names);
/* False for a card whose power is given: its clock is then known only if it is given too. The run has a number for it
 * that says nothing. */
bool wsk_watch_knows_clock(const wsk_watch_page *page, size_t card);

#endif
