/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers the requests of clients (docs/twin.md, "The control socket"). order.c carries out the orders that steer the
 * twin. */
#ifndef WSK_TWIN_ANSWER_H
#define WSK_TWIN_ANSWER_H
#include "cli/twin/live.h"
#include "cli/twin/request.h"

/* A wsk_door_answer that answers one line; `live`: a wsk_live. If the run fails, live->status is set to the error. */
char *wsk_live_answer(void *live, const char *line, size_t len);

void wsk_live_number(wsk_buf *out, double value);
/* Appends the scorecard: , "score": {...} (score.c). */
void wsk_live_score(const wsk_live *live, wsk_buf *out);
/* Carries out an order. Returns a refusal; its code is NULL if the order was carried out. */
wsk_refusal wsk_live_do(wsk_live *live, const wsk_order *order);

#endif
