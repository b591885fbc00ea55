/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The HTTP server of a twin: /metrics, and the page at /. It has no thread; the loop that advances the run calls it,
 * so that all values of an answer belong to the same simulated time. */
#ifndef WSK_CLI_TWIN_SERVER_H
#define WSK_CLI_TWIN_SERVER_H
#include "cli/twin/gate.h"

typedef struct wsk_server wsk_server;
/* The content that the server shows. All of it must outlive the server. */
typedef struct {
    const wsk_twin_moment *moment; /* the newest published state */
    const wsk_run *run;
    const wsk_elements *rig;
    /* Answers a request line as the control socket does (twin/ask.h); the server frees the answer. NULL: there is no
     * such function, and requests are refused. */
    char *(*answer)(void *to, const char *line, size_t len);
    void *to;
} wsk_served;

/* Starts to listen. token_file: a file whose first line is the token that each request must contain; NULL: no token.
 * Returns WSK_OK, or WSK_ERUN if a message has been printed. */
int wsk_server_start(wsk_server **out, const wsk_gate_address *on, const char *token_file, const wsk_served *served);
const char *wsk_server_url(const wsk_server *server); /* "http://127.0.0.1:9400/" */
int wsk_server_fd(const wsk_server *server);          /* readable when wsk_server_run has something to do */
int wsk_server_wait(const wsk_server *server);        /* ms until wsk_server_run is due in any case */
bool wsk_server_watched(const wsk_server *server);    /* true: a page is open */
void wsk_server_run(wsk_server *server);              /* handles what has arrived, without waiting */
/* sends the present state to the open pages, unless they got one less than 0.5 s ago */
void wsk_server_show(wsk_server *server);
void wsk_server_stop(wsk_server *server); /* NULL is allowed */

#endif
