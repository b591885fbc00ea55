/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_DRAW_PAGE_H
#define WSK_DRAW_PAGE_H
#include <stdio.h>

#include "wattsink.h"
#include "words/tr.h"

/* series, events: the texts of series.csv and events.csv. rig NULL: rig.resolved.xml is damaged. */
typedef struct {
    const wsk_summary *summary;
    const char *series, *events;
    const wsk_elements *rig;
    double period_s;             /* period of the load, s; 0: not periodic */
    const struct wsk_zone *zone; /* time zone of the run (sim/base/calendar.h); NULL: none */
    wsk_lang lang;
} wsk_report_files;
/* Writes the page to `out`. On WSK_EINPUT *damaged is the name of the file that is missing or damaged. */
wsk_status wsk_report_write(FILE *out, const wsk_report_files *files, const char **damaged);

typedef struct {
    const char *id, *part;
    const wsk_calibration *fit;
    /* both are NULL if the card was fitted to measured power limits (rows of --sweep), not to a log */
    const wsk_log_fit *log;
    const wsk_log_curve *curve;
    bool further;   /* the entry has fan or power values of a card whose log another entry has; `log` is NULL */
    bool one_level; /* with `further`: the log has about one clock, so it determines some values only together */
} wsk_report_fitted;
typedef struct {
    const char *rig, *from;
    const wsk_report_fitted *cards;
    size_t count;
    const wsk_wall_fit *wall;
    wsk_lang lang;
} wsk_report_calibration;
wsk_status wsk_report_calibrated(FILE *out, const wsk_report_calibration *what);

/* A rig at one time: its steady point, for the page in the browser, or a run now. narrow: the drawing is the one for
 * phones. */
typedef struct {
    const wsk_summary *summary; /* from wsk_steady_point, or with present values of `run` */
    const wsk_run *run;         /* NULL: a steady point */
    const wsk_elements *rig;
    wsk_lang lang;
    bool narrow;
} wsk_report_point;
wsk_status wsk_report_point_machine(FILE *out, const wsk_report_point *point);
wsk_status wsk_report_point_verdict(FILE *out, const wsk_report_point *point);
void wsk_report_point_style(FILE *out);

#endif
