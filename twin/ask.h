/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A question to a twin over its control socket: a Unix socket, mode 0600, that takes a JSON object a line and answers
 * each by one. docs/twin.md, "The control socket", has all questions. Those that steer:
 *
 *     {"do": "gpu0.power-limit set 200 W"}    ->  {"ok": true, "t_s": 12.0}
 *     {"do": "gpu0.power-limit set 9 W"}      ->  {"ok": false, "code": "range", "why": "..."}
 *     {"advance_s": 1}                        ->  {"ok": true, "t_s": 13.0}
 *
 * A change is in the newest moment of the segment before its answer is sent. */
#ifndef WSK_TWIN_ASK_H
#define WSK_TWIN_ASK_H
#include <stddef.h>

typedef enum {
    WSK_ASK_OK,      /* the answer is {"ok": true, ...} */
    WSK_ASK_DENIED,  /* code "read-only": the twin was not started with --writable */
    WSK_ASK_RANGE,   /* code "range": outside what the card takes */
    WSK_ASK_UNKNOWN, /* code "unknown": no such target, or it has no such event or value */
    WSK_ASK_LOST,    /* code "lost": the card is off the bus */
    WSK_ASK_REFUSED, /* any other answer */
    WSK_ASK_GONE     /* no socket, or no answer in time */
} wsk_ask_status;

/* Sends one line (without its newline) to the socket and waits for the answer, at most `wait_ms`. answer: its line
 * without newline, cut off at size - 1. Opens a connection for itself; threads may call it at the same time. */
wsk_ask_status wsk_twin_ask(const char *socket, const char *line, int wait_ms, char *answer, size_t size);

#endif
