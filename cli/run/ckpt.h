/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checkpoint file run.ckpt: lines of text that say which run it belongs to, then the state of the run as bytes. */
#ifndef WSK_CLI_CKPT_H
#define WSK_CLI_CKPT_H
#include "cli/kit/cli.h"

typedef struct {
    char version[32];  /* of the program */
    char rig[32];      /* digest of the rig with --set, but without --for, --step and --seed */
    char digest[32];   /* digest with these options, too */
    char options[96];  /* --stepper, --leap and --full, in one line */
    double time_s;     /* simulated time */
    bool done;         /* the run was finished */
    size_t events_len; /* length of events.csv when the state was saved, bytes */
} wsk_cli_ckpt;

/* Replaces DIR/run.ckpt. False after a message. */
bool wsk_cli_ckpt_write(const char *dir, const wsk_cli_ckpt *head, const char *state, size_t len);
enum { WSK_CLI_CKPT_NONE = -1 };
/* Reads DIR/run.ckpt. `state` may be NULL (head only); the caller frees it. Prints nothing. Returns WSK_OK;
 * WSK_CLI_CKPT_NONE: there is no such file; WSK_ERUN: the system could not read it (errno); WSK_EINPUT: it is damaged. */
int wsk_cli_ckpt_read(const char *dir, wsk_cli_ckpt *head, char **state, size_t *len);
/* NULL if both belong to the same run, else the difference in words, which the caller frees. */
char *wsk_cli_ckpt_differs(const wsk_cli_ckpt *saved, const wsk_cli_ckpt *mine);

#endif
