/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides, from the text of a request alone, whether the HTTP server of a twin answers it. server.c is that server. */
#ifndef WSK_CLI_GATE_H
#define WSK_CLI_GATE_H
#include <stdbool.h>
#include <stddef.h>

#include "cli/twin/metrics.h"

typedef struct {
    unsigned char address[16]; /* address in network byte order; IPv4 uses the first 4 bytes */
    int family, port;          /* AF_INET or AF_INET6; port 0: the system chooses */
    bool loopback;
    const char *text;
} wsk_gate_address;
/* Parses "127.0.0.1:9400", "[::1]:9400", "localhost:9400" or "9400", which means 127.0.0.1:9400. False: the text has
 * another form. */
bool wsk_gate_listen(const char *text, wsk_gate_address *out);

/* Is the text a valid token: 16 to 256 printable ASCII characters without spaces? */
bool wsk_gate_token(const char *text);

/* A request: method, path and headers; a missing header is NULL. */
typedef struct {
    const char *method, *path;
    const char *host, *origin, *site; /* site: Sec-Fetch-Site */
    const char *authorization, *type; /* type: Content-Type */
} wsk_gate_request;
typedef struct {
    /* secret that each request must contain; NULL: no secret is needed, but Host must name this machine */
    const char *token;
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
/* Returns 200 if the request is allowed, and sets *what. Else the HTTP status of the refusal: 400 no Host; 401 no or
 * a wrong token; 403 from a page of another site, or Host does not name this machine; 404 unknown path; 405 wrong
 * method; 415 not JSON. */
int wsk_gate_judge(const wsk_gate *gate, const wsk_gate_request *request, wsk_gate_what *what);

/* The format in which a client wants metrics, according to its header Accept (NULL: the header is missing). */
wsk_metrics_form wsk_gate_form(const char *accept);

/* True if the text is one line in braces, and so can be a request to the twin, which is a JSON object (twin/ask.h). */
bool wsk_gate_line(const char *text, size_t len);

#endif
