/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checkpoint file run.ckpt: lines of text that say which run the file belongs to, then the state of the run as
 * bytes. */
#ifndef WSK_CLI_CKPT_H
#define WSK_CLI_CKPT_H
#include "cli/kit/cli.h"

typedef struct {
    char format[8];
    char version[32];
    char rig[32];     /* digest of the rig with --set, but without --for, --step and --seed */
    char digest[32];  /* digest of the rig with --set, --for, --step and --seed */
    char options[96]; /* --stepper, --leap and --full, in one line */
    double time_s;
    bool done;
    size_t events_len; /* length of events.csv when the state of the run was saved, bytes */
} wsk_cli_ckpt;

typedef enum {
    /* writes run.ckpt alone, without waiting for the disk: it survives the end of the process, not a power cut */
    WSK_CKPT_QUICK,
    /* also writes run.ckpt.safe, which is on disk when the call returns; events.csv must be on disk before the call */
    WSK_CKPT_SAFE,
    WSK_CKPT_LAST, /* run.ckpt is on disk on return, and run.ckpt.safe is deleted */
} wsk_cli_ckpt_kind;
/* Replaces DIR/run.ckpt. On failure prints a message and returns false. */
bool wsk_cli_ckpt_write(const char *dir, const wsk_cli_ckpt *head, wsk_cli_ckpt_kind kind, const char *state,
                        size_t len);
#define WSK_CLI_CKPT_FORMAT "3"
enum { WSK_CLI_CKPT_NONE = -1, WSK_CLI_CKPT_OTHER = -2 };
/* Reads DIR/run.ckpt; or DIR/run.ckpt.safe if run.ckpt is missing or damaged, or events.csv is shorter than run.ckpt
 * says, as after a power cut. *state: the bytes of the state, which the caller frees. state NULL: reads the head only.
 * Returns WSK_OK; WSK_CLI_CKPT_NONE: there is no such file; WSK_CLI_CKPT_OTHER: the file has another format or comes
 * from another version, and of *head only format, version and the rig's digest are set; WSK_ERUN, after printing a
 * message: the system could not read a file; WSK_EINPUT: the file is damaged. */
int wsk_cli_ckpt_read(const char *dir, wsk_cli_ckpt *head, char **state, size_t *len);
/* Writes to `out` the digest of the rig whose results lie in the folder, from the checkpoint, else from the summary;
 * "": neither file is there. After printing a message, WSK_ERUN: the system cannot read checkpoint or summary;
 * WSK_EINPUT: there is no checkpoint, and the summary is damaged, or another program wrote summary.json, series.csv or
 * events.csv. */
int wsk_cli_ckpt_found(const char *dir, char out[32]);
/* Compares the head of a checkpoint file with this run's. NULL: both belong to the same run. Otherwise returns the
 * difference as text; caller frees. */
char *wsk_cli_ckpt_differs(const wsk_cli_ckpt *saved, const wsk_cli_ckpt *mine);

#define WSK_CLI_EVENTS_HEAD "t_s,component,what,why,code\n" /* the first line of events.csv */

#endif
