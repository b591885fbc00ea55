/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A request to a twin (a running simulation, segment.h) over its control socket, a Unix socket of mode 0600. Each
 * request is one line with a JSON object, and so is each answer. docs/twin.md, "The control socket", lists all
 * requests. Those that change the simulation are:
 *
 *     {"do": "gpu0.power-limit set 200 W"}    ->  {"ok": true, "t_s": 12.0}
 *     {"do": "gpu0.power-limit set 9 W"}      ->  {"ok": false, "code": "range", "why": "..."}
 *     {"advance_s": 1}                        ->  {"ok": true, "t_s": 13.0}
 *
 * The answer is sent after the change is in the newest moment (state of the twin) of the segment (segment.h). */
#ifndef WSK_TWIN_ASK_H
#define WSK_TWIN_ASK_H
#include <stddef.h>

typedef enum {
    WSK_ASK_OK,
    WSK_ASK_DENIED, /* code "read-only": the twin was not started with --writable */
    WSK_ASK_RANGE,
    WSK_ASK_UNKNOWN, /* code "unknown": no such target, or it lacks this event or value */
    WSK_ASK_LOST,    /* code "lost": the card is off the bus */
    WSK_ASK_REFUSED, /* any other code */
    WSK_ASK_GONE     /* no connection, or no answer in time */
} wsk_ask_status;

/* Sends one line (without its newline) to the socket and waits for the answer, at most `wait_ms`. answer: its line
 * without newline, cut off at size - 1. Opens a connection for itself; threads may call it at the same time. */
wsk_ask_status wsk_twin_ask(const char *socket, const char *line, int wait_ms, char *answer, size_t size);

#endif
