/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to wattsink calibrate: calibrate.c is the command and fits sweeps, tell.c prints what they taught; log.c fits
 * logs, tell_log.c prints, wall.c does both for a meter, curves.c writes calibration.csv; write.c writes rig, parts, picture and page; both.c is what they share, plan.c has the script that records a log. Begin with calibrate.c. */
#ifndef WSK_CLI_CALIBRATE_H
#define WSK_CLI_CALIBRATE_H
#include "cli/kit/cli.h"
#include "cli/kit/grid.h"
#include "words/fitted.h"

/* ---- sweeps ---- */
/* One sweep and the cards that it is for. */
typedef struct {
    const char *file, *id; /* id: of the card; NULL: all cards alike */
    size_t id_len;
    wsk_limits *sweep;
    const wsk_calibrate_row *rows;
    size_t count;
    size_t first, cards; /* the first card, and how many have the same part */
    wsk_calibration fit;
} wsk_cli_task;

/* Prints the values fitted to a sweep, their errors, and which further rows would determine more. */
void wsk_cli_task_print(const wsk_rig *rig, const wsk_cli_task *task);
/* The same as a JSON object. */
void wsk_cli_task_json(const wsk_rig *rig, const wsk_cli_task *task);

/* ---- logs ---- */
typedef struct {
    const char *file, *id; /* id: of the card; NULL: the cards in their order */
    size_t id_len;
    wsk_log *log;
} wsk_cli_log;
/* The card of a log. */
typedef struct {
    const char *file;
    size_t card, left_out; /* number in the rig; rows of the file that could not be read */
} wsk_cli_logged;
typedef struct {
    wsk_cli_log *files;
    size_t files_count;
    wsk_calibrate_trace *traces; /* one a card of the logs; of[i] and fits[i] belong to traces[i] */
    wsk_cli_logged *of;
    wsk_log_fit *fits;
    wsk_log_curves *curves; /* NULL: there are no logs */
    size_t count;
} wsk_cli_logs;
/* Reads the logs and fits their cards. Returns the exit code, after a message where it is not WSK_OK. *logs: free it with
 * wsk_cli_logs_free in each case. path: of the rig. */
int wsk_cli_logs_fit(const wsk_rig *rig, const char *path, const wsk_cli_list *files, double holdout,
                     wsk_cli_logs *logs);
void wsk_cli_logs_free(wsk_cli_logs *logs);
void wsk_cli_log_print(const wsk_rig *rig, const wsk_cli_logged *of, const wsk_log_fit *fit);
void wsk_cli_log_json(const wsk_rig *rig, const wsk_cli_logged *of, const wsk_log_fit *fit);

/* Writes DIR/calibration.csv. False after a message. */
bool wsk_cli_curves_write(const wsk_rig *rig, const wsk_cli_logs *logs, const char *dir);

/* ---- a meter at the wall: wall.c ---- */
typedef struct {
    const char *file; /* NULL: none */
    wsk_log *log;
    wsk_wall_fit fit;
} wsk_cli_wall;
/* Reads the meter's file and fits it. Returns the exit code, after a message where it is not WSK_OK. *wall: free wall->log
 * in each case. */
int wsk_cli_wall_fit(const wsk_rig *rig, const char *file, const wsk_cli_logs *logs, double holdout,
                     wsk_cli_wall *wall);
void wsk_cli_wall_print(const wsk_cli_wall *wall);
void wsk_cli_wall_json(const wsk_cli_wall *wall); /* "wall": {...} */

/* ---- what is written: write.c ---- */
typedef struct {
    const char *rig, *dir, *parts, *wall, *holdout; /* parts, wall: of --parts-out, --wall; NULL: none */
    wsk_cli_list sweeps, logs;
    double
        share; /* share of the log's time, at its end, that is not fitted but predicted (--holdout); NAN: the default */
    bool json, dry;
} wsk_cli_order;
typedef struct {
    const wsk_rig *rig;
    const wsk_cli_order *order;
    const wsk_cli_task *tasks; /* as many as order->sweeps */
    const wsk_cli_logs *logs;
    const wsk_cli_wall *wall;
} wsk_cli_fitted;
/* Writes calibrated.xml. Returns the exit code, after a message where it is not WSK_OK. */
int wsk_cli_fitted_write(const wsk_cli_fitted *fitted);
/* Writes the parts, and curves, picture and page of logs, and names them. A picture that cannot be drawn is told and is no
 * failure. Returns the exit code as above. */
int wsk_cli_fitted_show(const wsk_cli_fitted *fitted);

/* ---- both ---- */
/* Cards without a part (NULL) are alike with none. */
bool wsk_cli_same_part(const char *a, const char *b);
/* Splits "gpu0=limits.csv" where the part before '=' could be an id: returns the file; *id NULL: none. */
const char *wsk_cli_split_id(const char *text, const char **id, size_t *len);
/* Reads a log and prints its messages. Returns the exit code; *log: free it in each case. */
int wsk_cli_log_read(const char *file, wsk_log **log);
/* Prints a message about a place in a file to stderr. */
void wsk_cli_told_at(const char *file, int line, int column, int severity, const wsk_said *said);

/* Sets a cell to a text, and frees the text. */
void wsk_cli_set_cell(wsk_cli_grid *grid, size_t row, size_t column, char *text);
/* Prints the fitted values as a table. */
void wsk_cli_values_print(const wsk_calibration *fit, wsk_fitted_to to);
/* Print "values": [...]; "key": VALUE, or null, and `after`. */
void wsk_cli_values_json(const wsk_calibration *fit);
void wsk_cli_number_json(const char *key, double value, const char *after);

/* ---- the recording ---- */
extern const char wsk_cli_recording[]; /* the command that records a log */
/* Prints the script of a recording; NULL: of a first one. False: no recording has that name. */
bool wsk_cli_plan_print(const char *name);

#endif
