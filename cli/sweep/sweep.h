/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink sweep: many cases of one rig, each a row of an SQLite file (store.c). axes.c makes the cases of --vary,
 * columns.c the columns of the table of results, ask.c and expr.c answer --best, front.c --pareto. Begin with
 * sweep.c.
 *
 * Whoever drives a sweep (threads here, ranks elsewhere) asks for the number of
 * cases, runs any of them anywhere, and stores the rows in one place:
 *
 *     wsk_sweep_new      in every process, with the same arguments: gives the same design everywhere
 *     wsk_sweep_open     in the one process that stores: makes the file, or with --resume reads what it has
 *     wsk_sweep_run_cases in any thread of any process: case numbers -> rows
 *     wsk_sweep_store    in the process that stores, one thread at a time
 *     wsk_sweep_report   there, at the end: what the user sees, and the exit code
 *
 * Rows do not depend on who ran them, nor on their order. */
#ifndef WSK_SWEEP_H
#define WSK_SWEEP_H
#include "cli/kit/cli.h"

typedef struct wsk_sweep wsk_sweep;

/* Reads the command line (argv[0] is the command's name), loads the rig with each value of each axis once, and lays
 * out the cases. Returns WSK_OK with *out set; -1 where --help was printed; else the exit code after messages, if
 * `speak` (one process of many is enough). Free *out in every case; it may be NULL. */
int wsk_sweep_new(wsk_sweep **out, const wsk_cli_command *command, int argc, char **argv, bool speak);
void wsk_sweep_free(wsk_sweep *sweep);

size_t wsk_sweep_cases(const wsk_sweep *sweep);
size_t wsk_sweep_jobs(const wsk_sweep *sweep);         /* --jobs; 0: not given */
size_t wsk_sweep_lanes(const wsk_sweep *sweep);        /* --lanes: cases that a thread takes at once */
bool wsk_sweep_shows_progress(const wsk_sweep *sweep); /* a terminal, and not --quiet */
/* 16 hex digits: the same for the same version, rig, axes and options that bear on the rows. */
const char *wsk_sweep_digest(const wsk_sweep *sweep);
/* The stored columns, one name a line. After wsk_sweep_open they are those of the file, which may be more than the
 * command line asks for: other processes must be told with wsk_sweep_use_columns before they run cases. */
const char *wsk_sweep_column_names(const wsk_sweep *sweep);
void wsk_sweep_use_columns(wsk_sweep *sweep, const char *names);

/* Runs cases side by side, in lanes: rows[k] is that of case which[k] (from 0), text with a NUL at its end for the caller to
 * free, or NULL when interrupted; the same bits in whatever company. A case that cannot be built or stops on its way has a row
 * as well, which says why. */
void wsk_sweep_run_cases(const wsk_sweep *sweep, const size_t *which, size_t n, char **rows);

/* WSK_OK, or the exit code after a message. A file is only replaced with --force, and only gone on with with --resume
 * and the same digest. */
int wsk_sweep_open(wsk_sweep *sweep);
bool wsk_sweep_missing(const wsk_sweep *sweep, size_t i); /* case i has no row yet */
size_t wsk_sweep_stored(const wsk_sweep *sweep);          /* cases that have one */
/* Commits the row: a process that is killed afterwards has not lost it. WSK_OK, or WSK_ERUN after a message. */
int wsk_sweep_store(wsk_sweep *sweep, const char *row);
/* Closes the file and tells what it holds: the best case, the front, the picture. `code` is how running ended: WSK_OK,
 * WSK_EINTERRUPTED or a failure. Returns the exit code of the program. */
int wsk_sweep_report(wsk_sweep *sweep, int code);

#endif
