/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The other side of a running twin: `wattsink twin --do`, `--read`, and a client that is run with the stand-in for NVIDIA's
 * library. */
#ifndef WSK_TWIN_CLIENT_H
#define WSK_TWIN_CLIENT_H
#include <signal.h>
#include <sys/types.h>

#include "cli/kit/cli.h"

/* Questions to a running twin, asked in this order. Lists of texts. */
typedef struct {
    wsk_cli_list orders; /* such as "gpu0.power-limit set 200 W"; nothing is printed */
    wsk_cli_list lines;  /* requests as JSON; the answers are printed */
    wsk_cli_list reads;  /* names of values; printed as "NAME VALUE" */
} wsk_client_questions;
/* Asks the twin of that name. Returns the exit code: WSK_EINPUT after a refusal, WSK_ERUN if there is no twin. */
int wsk_client_ask(const char *name, const wsk_client_questions *questions);

/* The sentence of a twin's refusal, in the user's language; the answer itself if it has none. Caller frees. */
char *wsk_client_refusal(const char *answer);

/* The folder of the stand-in, libnvidia-ml.so.1: build/twin/ or PREFIX/lib/wattsink/. Caller frees. NULL: it is in
 * neither. */
char *wsk_client_library(void);
/* Starts COMMAND, which ends with NULL, with LD_LIBRARY_PATH and WATTSINK_TWIN for that twin. -1 after a message. */
pid_t wsk_client_start(char *const *command, const char *library, const char *name);
/* Has it ended? Then *code is its exit code, 128 and the signal if one ended it. */
bool wsk_client_ended(pid_t client, int *code);

#endif
