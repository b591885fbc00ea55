/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of a run as one HTML page. */
#ifndef WSK_DRAW_PAGE_H
#define WSK_DRAW_PAGE_H
#include <stdio.h>

#include "wattsink.h"
#include "words/tr.h"

/* The contents of a run's folder: the summary, the texts of series.csv and events.csv, and the elements of
 * rig.resolved.xml. rig NULL: rig.resolved.xml is damaged. */
typedef struct {
    const wsk_summary *summary;
    const char *series, *events;
    const wsk_elements *rig;
    double period_s; /* period of the load, s; 0: not periodic */
    wsk_lang lang;   /* language of the page */
} wsk_report_files;
/* Writes the page to `out`. On WSK_EINPUT *damaged is the name of the file that is missing or damaged. */
wsk_status wsk_report_write(FILE *out, const wsk_report_files *files, const char **damaged);

#endif
