/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run in the terminal while it goes on: what nvtop shows of a machine. Reads the run and never writes it. */
#ifndef WSK_CLI_WATCH_H
#define WSK_CLI_WATCH_H
#include "cli/kit/cli.h"

typedef struct wsk_watch wsk_watch;
/* Takes the terminal behind standard error until closed. NULL: there is none to draw on, or it is another program's
 * at the moment. The run must outlive it. */
wsk_watch *wsk_watch_open(const wsk_run *run);
/* Reads the keys, draws when it is time to, and waits where the run is ahead of the pace that was asked for. Returns how far
 * the run may go now, s, at most `until`; not beyond the run's time: nowhere yet. */
double wsk_watch_pace(wsk_watch *watch, double until_s);
/* New lines of events.csv: the last ones are shown. */
void wsk_watch_events(wsk_watch *watch, const char *lines);
/* Gives the terminal back as it was; NULL is allowed. */
void wsk_watch_close(wsk_watch *watch);

/* ---- the page: text only ---- */
enum { WSK_WATCH_EVENTS = 40, WSK_WATCH_WORDS = 64 };
/* What happened, and how often: the last time stands for the others. */
typedef struct {
    double at_s;
    char component[WSK_WATCH_WORDS], what[WSK_WATCH_WORDS], why[WSK_WATCH_WORDS];
    size_t count; /* of its beginnings */
} wsk_watch_event;
typedef struct {
    const wsk_run *run;
    wsk_summary *summary; /* of the run at its start: names, parts, currency */
    int rows, columns;    /* of the terminal */
    bool utf8, colour;
    bool paused, free;
    double speed;                             /* simulated seconds in a second, of late; 0: not known yet */
    double asked;                             /* the pace that was asked for */
    wsk_watch_event events[WSK_WATCH_EVENTS]; /* the newest last */
    size_t n_events;
} wsk_watch_page;
void wsk_watch_event_add(wsk_watch_page *page, const char *line); /* a line of events.csv */
/* The whole page as it goes to the terminal: each line ends with "erase to the end of the line"; at most rows lines of at
 * most columns columns. Caller frees. */
char *wsk_watch_draw(const wsk_watch_page *page, size_t *len);

#endif
