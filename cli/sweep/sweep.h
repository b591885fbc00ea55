/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink sweep: many cases of one rig, each stored as a row of an SQLite file (store.c). axes.c makes the cases from
 * --vary, columns.c finds the columns; question.c reads --best and --pareto, ask.c and front.c answer them, burdens.c
 * ranks overloaded cases last, rule.c tells whether cases can be compared, table.c prints them. Begin with sweep.c.
 *
 * Two programs drive a sweep: sweep.c with threads, extras/mpi with MPI ranks. They run the cases in any thread or
 * process, and store the rows in one process:
 *
 *     wsk_sweep_new      in every process, with the same arguments: gives the same design everywhere
 *     wsk_sweep_open     in the one process that stores: makes the file, or with --resume reads what it has
 *     wsk_sweep_run_cases in any thread of any process: case numbers -> rows
 *     wsk_sweep_store    in the process that stores, one thread at a time
 *     wsk_sweep_report   in the process that stores, at the end: prints the answers, returns the exit code
 *
 * A row does not depend on the thread or process that ran its case, nor on the order of the cases. */
#ifndef WSK_SWEEP_H
#define WSK_SWEEP_H
#include "cli/kit/cli.h"

typedef struct wsk_sweep wsk_sweep;

/* Reads the command line (argv[0] is the command's name), tries the values of each axis on the rig, and lays out the
 * cases. Returns WSK_OK, -1 if --help was printed, else the exit code. speak: print messages about the rig; one process
 * of many is enough. Free *out in every case. */
int wsk_sweep_new(wsk_sweep **out, const wsk_cli_command *command, int argc, char **argv, bool speak);
void wsk_sweep_free(wsk_sweep *sweep);

size_t wsk_sweep_cases(const wsk_sweep *sweep);
size_t wsk_sweep_jobs(const wsk_sweep *sweep); /* value of --jobs, threads; 0: not given */
/* value of --lanes: cases that a thread simulates side by side */
size_t wsk_sweep_lanes(const wsk_sweep *sweep);
bool wsk_sweep_shows_progress(const wsk_sweep *sweep);
/* A hash of 16 hex digits. Sweeps with equal version, rig, axes and options that affect the rows have equal hashes. */
const char *wsk_sweep_digest(const wsk_sweep *sweep);
/* The stored columns, one name a line. After wsk_sweep_open they are those of the file, which may be more than the
 * command line asks for: other processes must be told with wsk_sweep_use_columns before they run cases. */
const char *wsk_sweep_column_names(const wsk_sweep *sweep);
void wsk_sweep_use_columns(wsk_sweep *sweep, const char *names);

/* Simulates n cases side by side. rows[k] is the row of case which[k] (from 0), which the caller frees; NULL:
 * interrupted. A row does not depend on the cases beside it. A case that fails has a row with its error. */
void wsk_sweep_run_cases(const wsk_sweep *sweep, const size_t *which, size_t n, char **rows);

/* Opens the file. An existing file is replaced only with --force, and continued only with --resume and the same
 * version, rig, axes and options. Returns WSK_OK, or the exit code after printing a message. */
int wsk_sweep_open(wsk_sweep *sweep);
/* Deletes the picture of a front of other cases or of another question. */
void wsk_sweep_forget_front(const wsk_sweep *sweep);
bool wsk_sweep_missing(const wsk_sweep *sweep, size_t i);
size_t wsk_sweep_stored(const wsk_sweep *sweep);
/* Stores and commits a row: it is kept even if the process is killed later. Returns WSK_OK, or WSK_ERUN after printing
 * a message. */
int wsk_sweep_store(wsk_sweep *sweep, const char *row);
/* Ends a sweep: adds NPV and payback to the rows if all cases are stored, writes the CSV file, prints the answers to
 * --best and --pareto, and closes the file. code: how the cases ended, WSK_OK, WSK_EINTERRUPTED or a failure. Returns
 * the exit code of the program. */
int wsk_sweep_report(wsk_sweep *sweep, int code);

#endif
