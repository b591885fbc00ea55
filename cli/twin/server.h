/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The HTTP server of a twin: /metrics, and the page at /. It has no thread: the loop that advances the run calls it, so
 * that a request sees a whole moment. */
#ifndef WSK_CLI_TWIN_SERVER_H
#define WSK_CLI_TWIN_SERVER_H
#include "cli/twin/gate.h"

typedef struct wsk_server wsk_server;
/* The content that the server shows. All of it outlives the server. */
typedef struct {
    const wsk_twin_moment *moment; /* the newest */
    const wsk_run *run;
    const wsk_elements *rig;
    /* Answers a line as the control socket does (twin/ask.h). The server frees the answer; NULL: none. */
    char *(*answer)(void *to, const char *line, size_t len);
    void *to;
} wsk_served;

/* Starts to listen. token_file (NULL: none): a file whose first line each request must show. Returns WSK_OK, or
 * WSK_ERUN after a message. */
int wsk_server_start(wsk_server **out, const wsk_gate_address *on, const char *token_file, const wsk_served *served);
const char *wsk_server_url(const wsk_server *server); /* "http://127.0.0.1:9400/" */
int wsk_server_fd(const wsk_server *server);          /* readable when there is something to do */
void wsk_server_run(wsk_server *server);              /* does it, without waiting; call it every 100 ms at least */
void wsk_server_show(wsk_server *server);             /* tells open pages that there is a new moment */
void wsk_server_stop(wsk_server *server);             /* NULL is allowed */

#endif
