/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of a run as one page of HTML. */
#ifndef WSK_DRAW_PAGE_H
#define WSK_DRAW_PAGE_H
#include <stdio.h>

#include "wattsink.h"
#include "words/tr.h"

/* The results in a run's folder: its summary, the texts of series.csv and events.csv, and the elements of its rig.resolved.xml;
 * rig NULL: that file is damaged. */
typedef struct {
    const wsk_summary *summary;
    const char *series, *events;
    const wsk_elements *rig;
    double period_s; /* what the load repeats after; 0: nothing */
    wsk_lang lang;   /* of the page */
} wsk_report_files;
/* WSK_EINPUT: *damaged is the name of the file that is not what a run leaves. */
wsk_status wsk_report_write(FILE *out, const wsk_report_files *files, const char **damaged);

#endif
