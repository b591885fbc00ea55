/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to wattsink calibrate. calibrate.c: the command, and fits of sweeps; tell.c: prints fits of sweeps; log.c:
 * fits of logs; together.c: cuts logs of several files to one time; tell_log.c: prints fits of logs; pieces.c: reads
 * log files; wall.c: fits and prints data of a wall meter; curves.c: writes calibration.csv; write.c: writes rig,
 * parts, picture and page; both.c: shared functions; model.c: compares product names; plan.c: the script that records a
 * log. A sweep is a table of steady measurements at several power limits or locked clocks. Begin with calibrate.c. */
#ifndef WSK_CLI_CALIBRATE_H
#define WSK_CLI_CALIBRATE_H
#include "cli/kit/cli.h"
#include "cli/kit/grid.h"
#include "words/fitted.h"

/* A measured power limit that is above the highest which the card takes, most_w; limit_w 0: it is not above. */
typedef struct {
    double limit_w, most_w;
} wsk_cli_excess;
wsk_cli_excess wsk_cli_excess_of(const wsk_rig *rig, size_t card, double limit_w);
/* Prints `before` and the doubt, if the limit is above. */
void wsk_cli_excess_json(const wsk_cli_excess *over, const char *before);

typedef struct {
    /* file of the sweep; id of its card; id NULL: the sweep applies to all cards that can be fitted, which must have
     * the same part */
    const char *file, *id;
    size_t id_len;
    wsk_limits *sweep;
    const wsk_calibrate_row *rows;
    size_t count;
    size_t first, cards; /* first card to which the sweep applies, and number of such cards */
    wsk_calibration fit;
    wsk_cli_excess over;
} wsk_cli_task;

void wsk_cli_task_print(const wsk_rig *rig, const wsk_cli_task *task);
void wsk_cli_task_json(const wsk_rig *rig, const wsk_cli_task *task);

typedef struct {
    /* file of the log; id of its card; id NULL: the log's cards are those of the rig, in order */
    const char *file, *id;
    size_t id_len;
    wsk_log *log;
} wsk_cli_log;
typedef struct {
    const char *file, *other; /* other: product name in the log if it names another product than the rig; else NULL */
    size_t card, left_out;    /* index of the card in the rig; number of rows of the file that could not be read */
    wsk_cli_excess over;
} wsk_cli_logged;
typedef struct {
    wsk_cli_log *files;
    size_t files_count;
    wsk_calibrate_trace *traces; /* one per logged card; of[i] and fits[i] belong to traces[i] */
    wsk_cli_logged *of;
    wsk_log_fit *fits;
    wsk_log_curves *curves;
    size_t count;
    double from_s; /* time 0 of the traces, s after the start of files[0] */
    double **cut;  /* times of readings that wsk_cli_logs_align has cut */
    size_t cut_count;
} wsk_cli_logs;
/* wsk_cli_logs_read reads the logs and assigns them to cards, wsk_cli_logs_fit fits these cards. They return the exit
 * code; if it is not WSK_OK, a message has been printed. *logs: free it with wsk_cli_logs_free, also after an error.
 * path: file of the rig. */
int wsk_cli_logs_read(const wsk_rig *rig, const char *path, const wsk_cli_list *files, wsk_cli_logs *logs);
int wsk_cli_logs_fit(const wsk_rig *rig, double holdout, wsk_cli_logs *logs);
/* Cuts the traces to the time that the files of *logs have in common. Returns the exit code, after a message if it is
 * not WSK_OK. */
int wsk_cli_logs_align(wsk_cli_logs *logs);
void wsk_cli_logs_free(wsk_cli_logs *logs);
/* goal: the result that the recommended next recording shall make more certain. */
void wsk_cli_log_print(const wsk_rig *rig, const wsk_cli_logged *of, const wsk_log_fit *fit, wsk_calibrate_goal goal);
void wsk_cli_log_json(const wsk_rig *rig, const wsk_cli_logged *of, const wsk_log_fit *fit, wsk_calibrate_goal goal);

/* Writes DIR/calibration.csv. False: failed, and a message has been printed. */
bool wsk_cli_curves_write(const wsk_rig *rig, const wsk_cli_logs *logs, const char *dir);

typedef struct {
    const char *rig, *dir, *parts, *wall, *holdout, *goal;
    wsk_calibrate_goal what;
    wsk_cli_list sweeps, logs;
    wsk_cli_rig_options rig_options;
    /* share of the log's time, at its end, that is predicted instead of fitted (--holdout), 0 to 0.9; NAN: the
     * default */
    double share;
    bool json, dry;
} wsk_cli_order;

typedef struct {
    const char *file;
    wsk_log *log;
    wsk_wall_fit fit;
} wsk_cli_wall;
/* Reads the meter's file, and fits the machine's base load and PSU efficiency to it. Returns the exit code; if it is
 * not WSK_OK, a message has been printed. Logs that cannot be fitted are left to wsk_cli_logs_fit, which tells why.
 * *wall: free wall->log, also after an error. */
int wsk_cli_wall_fit(const wsk_rig *rig, const char *file, const wsk_cli_logs *logs, double holdout,
                     wsk_cli_wall *wall);
void wsk_cli_wall_print(const wsk_cli_wall *wall);
void wsk_cli_wall_json(const wsk_cli_wall *wall);

typedef struct {
    const wsk_rig *rig;
    const wsk_cli_order *order;
    const wsk_cli_task *tasks;
    const wsk_cli_logs *logs;
    const wsk_cli_wall *wall;
} wsk_cli_fitted;
/* Makes the rig with the values that were fitted so far; those of sweeps only if `sweeps`. Returns the exit code; if it
 * is not WSK_OK, a message has been printed. */
int wsk_cli_fitted_apply(const wsk_cli_fitted *fitted, bool sweeps, wsk_rig **out);
/* Writes calibrated.xml. Returns the exit code; if it is not WSK_OK, a message has been printed. */
int wsk_cli_fitted_write(const wsk_cli_fitted *fitted);
/* Writes the parts, and for logs the curves, picture and page. Prints the names of these files. Without gnuplot there
 * is a message in place of the picture, but no failure. Returns the exit code; if it is not WSK_OK, a message has been
 * printed. */
int wsk_cli_fitted_show(const wsk_cli_fitted *fitted);

/* True if two cards have the same part. A card without a part (NULL) equals no other card. */
bool wsk_cli_same_part(const char *a, const char *b);
/* True if a product name, as drivers write it, names another card than the part. False also if this is unknown, for
 * example because the part's id names no product. */
bool wsk_cli_is_other_card(const char *name, const char *part);
/* Splits "gpu0=limits.csv" at '=' if the text before '=' could be an id. Returns the file; *id NULL: there is no
 * id. */
const char *wsk_cli_split_id(const char *text, const char **id, size_t *len);
/* Reads a log file, which may be larger than memory. Returns the exit code. *log: free it, also after an error, for
 * which it has messages. *log NULL: the file could not be read, and a message has been printed. */
int wsk_cli_log_open(const char *file, wsk_log **log);
/* Prints the messages of a log, beginning with number `from`. */
void wsk_cli_log_tell(const char *file, const wsk_log *log, size_t from);
/* Prints a message about a place in a file to stderr. severity 0: an error; else a warning, which --quiet
 * suppresses. */
void wsk_cli_told_at(const char *file, int line, int column, int severity, const wsk_said *said);

/* Sets a cell to a text, and frees the text. */
void wsk_cli_set_cell(wsk_cli_grid *grid, size_t row, size_t column, char *text);
void wsk_cli_values_print(const wsk_calibration *fit, wsk_fitted_to to);
/* Says what to record if the fit leaves open whether the load has long pauses. */
void wsk_cli_pauses_print(const wsk_calibration *fit);
/* wsk_cli_values_json prints "values": [...]. wsk_cli_number_json prints "key": VALUE (null: not finite), then
 * `after`. */
void wsk_cli_values_json(const wsk_calibration *fit);
void wsk_cli_number_json(const char *key, double value, const char *after);

extern const char wsk_cli_recording[]; /* the shell command that records a log */
/* Prints the script of a recording; name NULL: the script for a first log. False: no recording has that name. */
bool wsk_cli_plan_print(const char *name);

#endif
