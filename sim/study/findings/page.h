/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Content of the terminal page of a run or a steady point (page.c, page_cards.c); sim/say/page.h lays it out. */
#ifndef WSK_STUDY_PAGE_H
#define WSK_STUDY_PAGE_H
#include "sim/control/run.h"
#include "sim/results/results.h"
#include "sim/say/page.h"
#include "sim/study/kit/verdict.h"

/* Fills an empty page that has an arena. summary: results of the run. kind NULL: an ordinary run, not a steady
 * point. */
void wsk_page_fill(wsk_page *page, const wsk_run *run, const wsk_summary *summary, const wsk_result_kind *kind);
void wsk_page_cards(wsk_page *page, const wsk_run *run);
void wsk_page_advice(wsk_page *page, const wsk_advice *advice);

#endif
