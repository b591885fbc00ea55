/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink plot. plot.c lists the pictures and their variables. Each picture is a script in plots/ that gnuplot runs
 * (gnuplot.c). data.c writes the data of one run, overlay.c that of several runs, limit.c and compare.c that of a
 * comparison; calibration.c draws the picture of a calibration. Begin with the list in plot.c. */
#ifndef WSK_CLI_PLOT_H
#define WSK_CLI_PLOT_H
#include "cli/kit/cli.h"
#include "draw/series.h"

/* True if a column of series.csv, such as "gpu0.die_c.mean", holds this variable, and its owner ("gpu0") is listed in
 * the summary, is the rig's only case, or is the rig. False where wsk_record_knows is. */
bool wsk_plot_is(const wsk_summary *summary, const wsk_column *column, wsk_var variable);
typedef bool wsk_plot_wanted(const void *ctx, const wsk_column *column);
/* Returns the period of a rig's load, s: time between checkpoints plus duration of one, else the period of a load's
 * duty cycle. 0: not periodic, or rig NULL. */
double wsk_plot_period(const wsk_elements *rig);
/* Gathers the wanted columns of a run's series into intervals. seconds: duration of the run; period: period of the
 * load, s, 0 if none. If the period is comparable to an interval, each interval is a whole number of periods. Writes
 * the rows to *csv, and the column names, each between spaces, to *names; caller frees both. Returns the length of an
 * interval, s. */
double wsk_plot_data(const wsk_record *series, double seconds, double period, wsk_plot_wanted *wanted,
                     const void *ctx, char **csv, char **names);
/* Writes one row per case of compare.json that has a power limit and does work, in ascending order of the limit, to
 * *csv, and the names of the columns with data to *names. Caller frees both. False: fewer than two different limits. */
bool wsk_plot_limit_data(wsk_summary *const *cases, size_t count, char **csv, char **names);
enum { WSK_PLOT_CASES = 40 }; /* most cases in the picture `compare` */
/* Writes one row per case of compare.json to *csv, the names of the columns with data to *columns, and the variables
 * for plots/compare.gp to *script. Caller frees all. False, with all NULL: no case, or more than WSK_PLOT_CASES. */
bool wsk_plot_compare_data(wsk_summary *const *cases, size_t count, char **csv, char **columns, char **script);
/* Draws DIR/calibration.FORMAT from the calibration.csv and calibrated.xml in DIR. optional: as in wsk_plot_table.
 * Returns the exit code, after printing a message where it is not WSK_OK. */
int wsk_plot_calibration(const char *dir, const char *format, bool quiet, bool optional);
/* A picture and its data. The script is plots/BODY.gp, or plots/NAME.gp if body is NULL. */
typedef struct {
    const char *name, *body;
    /* Text of NAME.csv; its column names, each between spaces. NULL: the script has its own data. */
    const char *csv, *columns;
    /* Texts of NAME-1.csv and so on, of a picture of several runs; NULL: it has none. */
    char *const *tables;
    size_t n_tables;
    const wsk_summary *summary; /* NULL: no summary; then rig_name is the subject of the picture */
    const char *rig_name;
    const char *script;       /* lines before the script: variables that only this picture has */
    const wsk_var *variables; /* quantities whose names the script uses, n_variables of them */
    size_t n_variables;
    double seconds; /* length of the time axis if `summary` is NULL, s */
    double interval_s;
    bool optional; /* if gnuplot is missing: print a message, but return WSK_OK */
} wsk_plot_table;
/* Writes FOLDER/NAME.FORMAT with its script and data, and prints the path. If these differ from the ones there, first
 * deletes the pictures of that name, which would show other results. Returns the exit code, after printing a message
 * where it is not WSK_OK. */
int wsk_plot_draw(const char *folder, const wsk_plot_table *table, const char *format, bool quiet);
/* Deletes the pictures FOLDER/NAME.FORMAT of an earlier call in all formats. data: also NAME.csv and NAME.gp, and the
 * folder if it is then empty. */
void wsk_plot_forget(const char *folder, const char *name, bool data);
/* Deletes the picture of that name in DIR/plots with its data, and the picture of several runs that is named after it. */
void wsk_plot_forget_in(const char *dir, const char *name);
/* Deletes the pictures in DIR/plots of a run, or of a comparison. Call it before other results replace those in DIR. */
void wsk_plot_forget_results(const char *dir, bool compared);
/* Prints pages that gnuplot drew as characters. In a terminal, asks the user before each page but the first. fine: the
 * same pages with two characters for each column and four for each row, for Braille; NULL: the locale is not UTF-8.
 * False: the user wants no more pages. */
bool wsk_plot_term(const char *text, const char *fine);
bool wsk_plot_is_format(const char *name);
/* Name of format i; NULL after the last format. */
const char *wsk_plot_format(int i);
/* Returns gnuplot lines with facts of the resolved rig (NULL: unknown). movers_title[]: titles of the summary's fans
 * and pumps. gpus_target[], gpus_memory_limit[]: limits of the cards, degC; 0: none. pause_every, pause_takes: time
 * from one checkpoint to the next, and length of a checkpoint, s; 0: no checkpoints. pause_last: start of the last
 * checkpoint in `events`, s; written only if there are checkpoints and `events` is known. events: the text of
 * events.csv; NULL: unknown. Caller frees. */
char *wsk_plot_rig(const wsk_elements *rig, const wsk_summary *summary, const char *events);
/* Groups cards with equal curves, which share a panel. Returns gnuplot lines: the number of groups `aparts`, and for
 * each group apart[], the number of its first card, counted from 1, and apart_title[]. A card without columns in the
 * CSV is in no group. Caller frees. */
char *wsk_plot_alike(const char *csv, const wsk_summary *summary);
typedef struct {
    char *name; /* name of the run's folder, without ".out" */
    const wsk_record *series;
    wsk_summary *summary;
    const wsk_elements *rig;
    char *events;    /* content of events.csv; NULL: there is no such file */
    double period_s; /* period of the run's load, s; 0: none; see wsk_plot_period */
} wsk_plot_run;
/* Returns the variables for plots/overlay.gp, and writes the CSV of run i to tables[i] (caller frees all). what: name
 * of the picture, such as "temps". NULL: no panel has data; the tables are written all the same. */
char *wsk_plot_overlay_script(const char *what, const wsk_plot_run *runs, size_t count, char **tables);
void wsk_plot_words(FILE *out, const char *picture);
/* Writes the name that a quantity has in series.csv as a gnuplot variable called like the enumerator: CARD_DIE_C =
 * 'die_c'. A script that uses an enumerator not written here stops with an error. */
void wsk_plot_name(FILE *out, wsk_var variable);
void wsk_plot_quote(FILE *out, const char *name, const char *text);
/* Joins "gpu0" and "slot 1" to "gpu0, slot 1". Frees both arguments; caller frees the result. */
char *wsk_plot_join(char *title, char *more);
const char *wsk_plot_unit(const char *unit); /* converts a table's unit for pictures: "degC" to "°C", "" to "%" */
/* The preamble of a script: the gnuplot terminal and the variables of the run. */
typedef struct {
    const char *name, *body, *format, *terminal; /* body: the script is plots/BODY.gp */
    const wsk_summary *summary;
    const char *rig_name;
    const char *columns; /* columns of NAME.csv; NULL: the script has its own data */
    double seconds;      /* seconds, interval_s: as in wsk_plot_table */
    double interval_s;
} wsk_plot_head;
void wsk_plot_preamble(FILE *out, const wsk_plot_head *head);

#endif
