/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers the requests of clients (docs/twin.md, "The control socket"). order.c carries out what steers. */
#ifndef WSK_TWIN_ANSWER_H
#define WSK_TWIN_ANSWER_H
#include "cli/twin/live.h"
#include "cli/twin/request.h"

/* Answers a line, wsk_door_answer: `live` is the wsk_live. If the run fails meanwhile, live->status says so. */
char *wsk_live_answer(void *live, const char *line, size_t len);

/* Writes a number as JSON; null: it is none. */
void wsk_live_number(wsk_buf *out, double value);
/* Adds the scorecard, from ", \"score\": " on (score.c). */
void wsk_live_score(const wsk_live *live, wsk_buf *out);
/* Carries out an order. The code of the refusal is NULL if it was carried out. */
wsk_refusal wsk_live_do(wsk_live *live, const wsk_order *order);

#endif
