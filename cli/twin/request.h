/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses requests of clients of the control socket (docs/twin.md, "The control socket"). request.c uses neither
 * sockets nor runs, so that tests can pass it any bytes. */
#ifndef WSK_TWIN_REQUEST_H
#define WSK_TWIN_REQUEST_H
#include "sim/base/base.h"
#include "sim/base/json.h"
#include "sim/base/said.h"

/* Limits: bytes of a request without its newline; names in one {"read": [...]}; seconds in one {"advance_s": ...}. */
enum { WSK_REQUEST_BYTES = 64 * 1024, WSK_REQUEST_NAMES = 4096, WSK_REQUEST_ADVANCE_S = 86400 };

typedef enum {
    WSK_REQUEST_DO,      /* text: an order, parsed by wsk_order_read */
    WSK_REQUEST_ADVANCE, /* number: simulated time to advance, s */
    WSK_REQUEST_READ,    /* names: 1 to WSK_REQUEST_NAMES names of variables */
    WSK_REQUEST_LIST,
    WSK_REQUEST_SCORE,
    WSK_REQUEST_SPEED /* number: simulated seconds per second of real time; INFINITY: as fast as possible */
} wsk_request_kind;
typedef struct {
    wsk_request_kind kind;
    const char *text;
    double number;
    const wsk_json *names;
    wsk_json *root; /* owns `text` and `names` */
} wsk_request;
/* The reason why a request is refused: a stable code and a message. */
typedef struct {
    const char *code; /* code as in docs/twin.md, "The control socket"; NULL: the request is not refused */
    wsk_said why;
} wsk_refusal;
/* Writes the answer to a refused request, without a newline. */
void wsk_refusal_write(wsk_buf *out, const wsk_refusal *refusal);

/* Parses a line. False: the line is no valid request; *refusal says why. Free an accepted request with
 * wsk_request_free. */
bool wsk_request_read(wsk_request *out, const char *line, size_t len, wsk_refusal *refusal);
const char *wsk_request_name(const wsk_request *request, size_t i);
void wsk_request_free(wsk_request *request);

/* An order such as "gpu0.power-limit set 200 W": a target, an event, and a value. */
typedef enum { WSK_ORDER_SET, WSK_ORDER_RETURNS, WSK_ORDER_FAILS, WSK_ORDER_LOST } wsk_order_event;
typedef struct {
    char target[96];
    wsk_order_event event;
    const char *value; /* points into the parsed text, behind the event; "": no value */
} wsk_order;
/* Parses an order. False: the target is missing, the event is unknown, `set` has no value, or another event has
 * one. */
bool wsk_order_read(wsk_order *out, const char *text);
/* Parses a value as at most `most` quantities, separated by spaces, and stores them in SI units. Returns their
 * number; -1: the value contains more of them or anything else. */
int wsk_order_quantities(const char *value, wsk_dim dim, double *out, int most);

#endif
