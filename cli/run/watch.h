/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run --watch: shows the run in the terminal while it goes on, as nvtop shows a machine. Watching never changes the
 * results. */
#ifndef WSK_CLI_WATCH_H
#define WSK_CLI_WATCH_H
#include "cli/kit/cli.h"

typedef struct wsk_watch wsk_watch;
/* Takes over the terminal at standard error until wsk_watch_close. NULL: standard error is no terminal or one without
 * escape sequences, or the program is in the background. The run must outlive the result. */
wsk_watch *wsk_watch_open(const wsk_run *run);
/* Reads keys, draws if a frame is due, and waits up to a frame if the run is paused or ahead of the chosen speed.
 * Returns the simulated time, s, to which the run may advance, at most until_s. If that is the run's present time, call
 * wsk_watch_pace again. */
double wsk_watch_pace(wsk_watch *watch, double until_s);
void wsk_watch_events(wsk_watch *watch, const char *lines);
/* Restores the terminal and frees `watch`, which may be NULL. */
void wsk_watch_close(wsk_watch *watch);

enum { WSK_WATCH_EVENTS = 40, WSK_WATCH_WORDS = 64 };
/* A recurring event, with the time of its last occurrence. */
typedef struct {
    double at_s;
    char component[WSK_WATCH_WORDS], what[WSK_WATCH_WORDS], why[WSK_WATCH_WORDS];
    size_t count; /* number of times that the event began */
} wsk_watch_event;
typedef struct {
    const wsk_run *run;
    wsk_summary *summary; /* summary of the start, for names, parts, currency and whether clocks are known; owned */
    int rows, columns;
    bool utf8, colour;
    bool paused, free;                        /* free: as fast as possible, without a chosen speed */
    double speed;                             /* actual speed, simulated s per real s; 0: not known yet */
    double asked;                             /* chosen speed, simulated s per real s */
    wsk_watch_event events[WSK_WATCH_EVENTS]; /* the first n_events items are used, the newest last */
    size_t n_events;
} wsk_watch_page;
void wsk_watch_event_add(wsk_watch_page *page, const char *line);
/* The page as bytes for the terminal, with escape sequences, at most page->rows lines of page->columns columns. Caller
 * frees. */
char *wsk_watch_draw(const wsk_watch_page *page, size_t *len);

#endif
