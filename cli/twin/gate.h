/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides which requests the page's server answers, by the text of the request alone; server.c speaks HTTP. */
#ifndef WSK_CLI_GATE_H
#define WSK_CLI_GATE_H
#include <stdbool.h>
#include <stddef.h>

#include "cli/twin/metrics.h"

/* The address to listen on, read from the value of --listen. */
typedef struct {
    unsigned char address[16]; /* IPv4: the first 4 bytes */
    int family, port;          /* AF_INET or AF_INET6; port 0: the system chooses */
    bool loopback;
    const char *text; /* as it was typed */
} wsk_gate_address;
/* "127.0.0.1:9400", "[::1]:9400", "localhost:9400" or "9400", which means 127.0.0.1. False: none of these. */
bool wsk_gate_listen(const char *text, wsk_gate_address *out);

/* 16 to 256 signs of ASCII without blanks. */
bool wsk_gate_token(const char *text);

/* A request; headers that it lacks are NULL. */
typedef struct {
    const char *method, *path;
    const char *host, *origin, *site; /* site: Sec-Fetch-Site */
    const char *authorization, *type; /* type: Content-Type */
} wsk_gate_request;
typedef struct {
    const char *token; /* secret that each request must show; NULL: none is needed, but Host must be this machine */
    int port;
} wsk_gate;

typedef enum {
    WSK_GATE_PAGE,
    WSK_GATE_STYLE,
    WSK_GATE_SCRIPT,
    WSK_GATE_LIVE,
    WSK_GATE_METRICS,
    WSK_GATE_DO
} wsk_gate_what;
/* 200: let it in, *what is asked for. Else the status of the refusal: 400 no Host, 401 no or a wrong token, 403 from a
 * page of another site, or by a name that is not this machine's, 404, 405, 415 not JSON. */
int wsk_gate_judge(const wsk_gate *gate, const wsk_gate_request *request, wsk_gate_what *what);

/* The form in which a client wants metrics, by its header Accept (NULL: none). */
wsk_metrics_form wsk_gate_form(const char *accept);

/* True if the text is one line that may be passed on as a question of twin/ask.h. */
bool wsk_gate_line(const char *text, size_t len);

#endif
