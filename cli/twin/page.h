/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a twin: its HTML, and the events that update the page while the twin runs. */
#ifndef WSK_CLI_TWIN_PAGE_H
#define WSK_CLI_TWIN_PAGE_H
#include <stdio.h>

#include "cli/twin/metrics.h"

/* Writes the whole page without values; the first event fills them in. The page has sliders if moment.writable is
 * set. */
void wsk_page_html(FILE *out, const wsk_metrics_of *of);
void wsk_page_style(FILE *out);
/* Writes the present state as JSON, in one line: {"values": {KEY: TEXT}, "sliders": {KEY: NUMBER}, "machine": HTML}.
 * Replaces means in the summary by present values. */
void wsk_page_event(FILE *out, const wsk_metrics_of *of, const wsk_elements *rig, wsk_summary *summary);

#endif
