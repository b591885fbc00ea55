/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every step of a run, as NetCDF-4. While the run goes on its rows are appended to DIR/full.part, which can be cut back to
 * any step; DIR/full.nc is written from it. HDF5 files do not survive a kill, plain rows do. */
#ifndef WSK_CLI_FULL_H
#define WSK_CLI_FULL_H
#include "cli/kit/cli.h"

typedef struct wsk_full wsk_full;
/* What lacks for NetCDF to be written; NULL: nothing. */
const char *wsk_full_missing(void);
/* Takes away what an earlier run left in the folder. */
void wsk_full_forget(const char *dir);
/* Opens the rows of a run that is at its start or was restored: those up to its time are kept, the others dropped. The run and
 * `dir` must outlive it. NULL after a message. */
wsk_full *wsk_full_open(const char *dir, const wsk_run *run);
/* Appends the run's variables as they are now. */
bool wsk_full_step(wsk_full *full); /* false after a message */
/* Hands the rows to the system, ahead of a checkpoint that counts on them. */
bool wsk_full_flush(wsk_full *full); /* false after a message */
/* Writes DIR/full.nc as a whole from the rows so far, or leaves it as it was. */
bool wsk_full_write(wsk_full *full, const wsk_rig *rig); /* false after a message */
/* With `done` the rows are not needed any more. NULL is allowed. */
void wsk_full_close(wsk_full *full, bool done);

/* ---- between full.c and full_nc.c ---- */
typedef struct {
    const char *name;       /* the run's */
    const wsk_var_row *row; /* of the table of variables */
    bool sum;               /* counts up over the whole run: kept as a double */
} wsk_full_column;
typedef struct {
    const char *path, *title, *digest;
    char since[80];    /* "seconds since 2026-08-03 09:00:00 -07:00" */
    bool dated;        /* else `since` is nominal */
    char currency[16]; /* empty: no tariff */
    const wsk_full_column *columns;
    size_t count, row_size;
    uint64_t rows;
} wsk_full_table;
/* Reads rows from `rows` (a double, the time in s, then a column each: double where `sum`, else float) and writes the file.
 * False after a message. */
bool wsk_full_netcdf(const wsk_full_table *table, FILE *rows);

#endif
