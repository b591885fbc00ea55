/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run --full: every step of a run as NetCDF-4. During the run a row per step is appended to DIR/full.part; DIR/full.nc
 * is written from it at the end. Plain rows survive a killed process and can be cut back to a checkpoint; an open HDF5
 * file, the format below NetCDF-4, may become unreadable. */
#ifndef WSK_CLI_FULL_H
#define WSK_CLI_FULL_H
#include "cli/kit/cli.h"

typedef struct wsk_full wsk_full;
/* Returns the message why NetCDF cannot be written, such as a missing library; NULL: NetCDF can be written. */
const char *wsk_full_missing(void);
/* Deletes full.part of an earlier run. all true: also deletes full.nc. */
void wsk_full_forget(const char *dir, bool all);
/* Opens DIR/full.part for a run at its start or restored from a checkpoint; rows later than the run's time are dropped.
 * The run must outlive the result. On failure prints a message and returns NULL. */
wsk_full *wsk_full_open(const char *dir, const wsk_run *run);
bool wsk_full_step(wsk_full *full); /* on failure prints a message and returns false */
/* Hands the rows to the system. sync: waits until they are on disk. Call it before a checkpoint is written: --resume
 * needs all rows up to the checkpoint. On failure prints a message and returns false. */
bool wsk_full_flush(wsk_full *full, bool sync);
/* Replaces DIR/full.nc by a file of all rows up to this call. */
bool wsk_full_write(wsk_full *full, const wsk_rig *rig); /* on failure prints a message and returns false */
/* Frees `full`, which may be NULL. done true: also deletes full.part, which only a resumed run needs. */
void wsk_full_close(wsk_full *full, bool done);

typedef struct {
    const char *name; /* name of the variable in the run, "gpu0.die_c" */
    const wsk_var_row *row;
    /* true: grows over the whole run, like an energy; stored as a double, other columns as a float */
    bool sum;
} wsk_full_column;
typedef struct {
    const char *path, *rows_path; /* path: file to write; rows_path: file with the rows, for messages */
    const char *title, *digest;
    char since[80];    /* "seconds since 2026-08-03 09:00:00 -07:00" */
    bool dated;        /* false: the rig has no date and `since` is 1970-01-01 */
    char currency[16]; /* currency of the cost; "": no tariff */
    const wsk_full_column *columns;
    size_t count, row_size;
    uint64_t rows;
} wsk_full_table;
/* Reads all rows from `rows` and writes the file. A row is the time in s, a double, then the columns: a double if
 * `sum`, else a float. On failure prints a message and returns false. */
bool wsk_full_netcdf(const wsk_full_table *table, FILE *rows);

#endif
