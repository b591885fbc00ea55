/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink plot: the list of pictures and what each draws (plot.c); each is a script in plots/ that gnuplot runs
 * (gnuplot.c). data.c makes the rows of a run's picture, overlay.c of several runs, limit.c and compare.c of a
 * comparison. Begin with the list in plot.c. */
#ifndef WSK_CLI_PLOT_H
#define WSK_CLI_PLOT_H
#include "cli/kit/cli.h"

/* Does the series column belong to the picture? `column` is not ended by a NUL. */
typedef bool wsk_plot_wanted(const void *ctx, const char *column, size_t len);
/* What comes back in a rig (NULL: unknown): the checkpoints of its work, else a load's duty; s, 0: nothing does. */
double wsk_plot_period(const wsk_elements *rig);
/* The wanted columns of series.csv in intervals, of whole periods where one is given: *csv, and their names, each between
 * spaces, in *names (caller frees both). Returns the interval, s. */
double wsk_plot_data(const char *series, double seconds, double period, wsk_plot_wanted *wanted, const void *ctx,
                     char **csv, char **names);
/* Of compare.json: a row for each power limit. False: the cases have no power limits that differ. */
bool wsk_plot_limit_data(wsk_summary *const *cases, size_t count, char **csv, char **names);
/* Of compare.json: a row for each case, and what the script has to know of them ahead. False: too many of them. */
enum { WSK_PLOT_CASES = 40 };
bool wsk_plot_compare_data(wsk_summary *const *cases, size_t count, char **csv, char **columns, char **script);
/* A picture: what plots/NAME.gp, or plots/BODY.gp, draws. */
typedef struct {
    const char *name, *body;
    const char *csv, *columns;  /* names of the columns, each between spaces; NULL: the script has its own data */
    const wsk_summary *summary; /* NULL: none, and rig_name says what it is of */
    const char *rig_name;
    const char *script; /* lines ahead of the script: what only this picture knows */
    double interval_s;  /* between rows */
} wsk_plot_table;
/* Leaves FOLDER/NAME.FORMAT with its script and data, and prints where. WSK_OK, or WSK_ERUN after a message. */
int wsk_plot_draw(const char *folder, const wsk_plot_table *table, const char *format, bool quiet);
bool wsk_plot_is_format(const char *name);
/* The name of the i-th format; NULL behind the last. */
const char *wsk_plot_format(int i);
/* "movers_title[1] = '...'" for the fans and pumps of a summary that the resolved rig knows: how many, what size, where.
 * Caller frees. */
char *wsk_plot_mover_titles(const wsk_elements *rig, const wsk_summary *summary);
/* What cards stand for others whose curves are the same, "apart[1] = 1" and their titles. Caller frees. */
char *wsk_plot_alike(const char *csv, const wsk_summary *summary);
/* A run among several in one picture. */
typedef struct {
    char *name, *series;
    wsk_summary *summary;
    double period_s; /* as wsk_plot_period tells */
} wsk_plot_run;
/* What plots/overlay.gp has to know, and in tables[i] the CSV of run i (caller frees all); NULL: nothing to draw. */
char *wsk_plot_overlay_script(const char *what, const wsk_plot_run *runs, size_t count, char **tables);
/* The texts that a picture shows, as gnuplot's variables, in the program's language; picture: as in plots/PICTURE.gp. */
void wsk_plot_words(FILE *out, const char *picture);
/* name = 'text', as gnuplot reads it. */
void wsk_plot_quote(FILE *out, const char *name, const char *text);
/* "gpu0, slot 1" of "gpu0" and "slot 1", both of which it frees. Caller frees. */
char *wsk_plot_join(char *title, char *more);
const char *wsk_plot_unit(const char *unit); /* of the tables, as pictures show it: "°C"; "%" of what has none */
/* The beginning of a script: its terminal, and what it has to know of the run. */
typedef struct {
    const char *name, *body, *format, *terminal; /* body: what plots/BODY.gp draws */
    const wsk_summary *summary;                  /* NULL: none */
    const char *rig_name;
    const char *columns; /* of NAME.csv; NULL: the script has its own data */
    double interval_s;
} wsk_plot_head;
void wsk_plot_preamble(FILE *out, const wsk_plot_head *head);

#endif
