/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Client side of a running twin: `wattsink twin --do`, `--ask` and `--read`, and a program that is started with the
 * replacement for NVIDIA's library. */
#ifndef WSK_TWIN_CLIENT_H
#define WSK_TWIN_CLIENT_H
#include <signal.h>
#include <sys/types.h>

#include "cli/kit/cli.h"

/* Lists of requests to a running twin, sent in this order. */
typedef struct {
    wsk_cli_list orders; /* orders such as "gpu0.power-limit set 200 W"; answers are not printed */
    wsk_cli_list lines;  /* requests as JSON; their answers are printed */
    wsk_cli_list reads;  /* names of variables; each value is printed as "NAME VALUE" */
} wsk_client_questions;
/* Sends the requests to the twin named `name`. Returns the exit code: WSK_EINPUT after a refusal, WSK_ERUN if the twin
 * is not running, does not answer or is of another version. */
int wsk_client_ask(const char *name, const wsk_client_questions *questions);

/* True if the answer of a twin is a JSON object with "ok": true. */
bool wsk_client_accepted(const char *answer);
/* The sentence of a twin's refusal, in the user's language; the whole answer if it contains no message. Caller
 * frees. */
char *wsk_client_refusal(const char *answer);

/* Finds the folder of the replacement library libnvidia-ml.so.1: build/twin/ or PREFIX/lib/wattsink/. Caller frees.
 * NULL: the library is in neither. */
char *wsk_client_library(void);
/* Starts `command` (arguments, then NULL) with LD_LIBRARY_PATH and WATTSINK_TWIN set so that the program uses that
 * twin. Returns its process id; -1: failed, and a message has been printed. */
pid_t wsk_client_start(char *const *command, const char *library, const char *name);
/* Has the client ended? If so, *code is its exit code, or 128 + the number of the signal that ended it. */
bool wsk_client_ended(pid_t client, int *code);

#endif
