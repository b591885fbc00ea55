/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.ckpt: a few lines that say what it belongs to, then the state of the run as bytes. */
#ifndef WSK_CLI_CKPT_H
#define WSK_CLI_CKPT_H
#include "cli/kit/cli.h"

typedef struct {
    char version[32];
    char rig[32];     /* digest of the rig as the file and --set say */
    char digest[32];  /* digest with --for, --step and --seed in it */
    char options[96]; /* of the run, in one line */
    double time_s;
    bool done;
    size_t events_len; /* of events.csv when the state was saved */
} wsk_cli_ckpt;

bool wsk_cli_ckpt_write(const char *dir, const wsk_cli_ckpt *head, const char *state, size_t len);
/* Reads DIR/run.ckpt. `state` may be NULL (head only); the caller frees it. Returns WSK_OK, WSK_ERUN when there is
 * none, WSK_EINPUT when it is damaged (silent). */
int wsk_cli_ckpt_read(const char *dir, wsk_cli_ckpt *head, char **state, size_t *len);
/* NULL when both belong to the same run, else why not, in words (caller frees). */
char *wsk_cli_ckpt_differs(const wsk_cli_ckpt *saved, const wsk_cli_ckpt *mine);

#endif
