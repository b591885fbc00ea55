/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers the requests of clients (docs/twin.md, "The control socket"). order.c carries out the orders that steer the
 * twin. */
#ifndef WSK_TWIN_ANSWER_H
#define WSK_TWIN_ANSWER_H
#include "cli/twin/live.h"
#include "cli/twin/request.h"

/* Answers one request line. The control socket calls it as its wsk_door_answer, the server of the page directly. live:
 * a wsk_live; if its run fails, live->status is set to the error. The caller frees the answer. */
char *wsk_live_answer(void *live, const char *line, size_t len);

void wsk_live_number(wsk_buf *out, double value);
/* Appends the scorecard (score.c) to an answer, as a further JSON member: `, "score": {...}`. */
void wsk_live_score(const wsk_live *live, wsk_buf *out);
/* Carries out an order. Returns a refusal; its code is NULL if the order was carried out. */
wsk_refusal wsk_live_do(wsk_live *live, const wsk_order *order);

#endif
