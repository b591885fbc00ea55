/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the sweep share among themselves. */
#ifndef WSK_SWEEP_INNER_H
#define WSK_SWEEP_INNER_H
#include "cli/sweep/sweep.h"
#include "cli/sweep/expr.h"

/* ---- axes and cases: axes.c ---- */
typedef struct {
    char *path;
    wsk_cli_list values; /* as typed, without the path */
    bool continuous;     /* sampled between the ends of one range */
    double low, high;
    char *targets; /* attributes that it sets, from wsk_rig_assigned; NULL: not known yet */
    bool number;   /* its targets hold numbers, and all values have one unit */
    char unit[24];
} wsk_sweep_member;
/* Members first to first + count - 1 move together. */
typedef struct {
    size_t first, count, levels; /* levels 0: continuous */
} wsk_sweep_axis;
typedef struct {
    wsk_sweep_member *members;
    wsk_sweep_axis *axes;
    size_t member_count, axis_count, cases;
    double *points; /* of a sample: cases x axes in [0, 1); NULL: every combination, the first axis slowest */
} wsk_sweep_design;
enum { WSK_SWEEP_CASES_MAX = 10000000 };
/* False after a message. `sample` 0: every combination. */
bool wsk_sweep_lay_out(wsk_sweep_design *d, const wsk_cli_list *vary, size_t sample, wsk_design how, uint64_t seed);
void wsk_sweep_design_free(wsk_sweep_design *d);
/* Takes what a rig with the member set says that it sets: whether it has numbers is told by that, not by how a text begins. */
void wsk_sweep_take_targets(wsk_sweep_member *m, const char *targets);
/* False, after a message if `speak`, where two members set the same attribute, so that the rows would name a value that another hides. */
bool wsk_sweep_apart(const wsk_sweep_design *d, bool speak);
/* The value that a member has in case i, or at a level of its axis (of a continuous one: 0 its low end, 1 the high
 * one). Caller frees. */
char *wsk_sweep_value(const wsk_sweep_design *d, size_t member, size_t i);
char *wsk_sweep_level_value(const wsk_sweep_design *d, size_t member, size_t level);
size_t wsk_sweep_level(const wsk_sweep_design *d, size_t axis, size_t i);
/* Levels that show what an axis can do to a rig: the ends of numbers, all of the other values. */
bool wsk_sweep_telling(const wsk_sweep_design *d, size_t axis, size_t level);

/* ---- columns: columns.c ---- */
typedef struct {
    char *name; /* as typed: "gpus[0].die_max_c", "gpus.die_max_c", "mean(gpus.power_mean_w)" */
    bool known; /* names a result */
    wsk_result_place place;
} wsk_sweep_column;
typedef struct {
    wsk_sweep_column *items;
    size_t count;
} wsk_sweep_columns;
/* Units of a kind that get a column each, if there are not more. */
enum { WSK_SWEEP_UNITS_MAX = 100 };
/* Which results the summaries of a rig have. */
typedef struct {
    size_t members[WSK_SCOPES];                /* the most that were seen */
    bool any[WSK_RESULTS];                     /* of the rig, or of some unit; or it may come */
    bool of[WSK_RESULTS][WSK_SWEEP_UNITS_MAX]; /* of each unit */
} wsk_sweep_keys;
void wsk_sweep_learn(wsk_sweep_keys *keys, const wsk_summary *summary);
/* Does the name stand for a column? A hint at the nearest name is put into `hint` where not. */
bool wsk_sweep_known(const wsk_sweep_keys *keys, const char *name, char *hint, size_t size);
void wsk_sweep_usual_columns(wsk_sweep_columns *c, const wsk_sweep_keys *keys, size_t most);
bool wsk_sweep_has_column(const wsk_sweep_columns *c, const char *name);
/* Appends a column unless it is there already. */
void wsk_sweep_add_column(wsk_sweep_columns *c, const char *name);
void wsk_sweep_columns_free(wsk_sweep_columns *c);
/* The lines of a row, one a column: a number, true, false, null, or a text behind a quotation mark. summary NULL: all
 * are null. */
void wsk_sweep_put_values(FILE *out, const wsk_sweep_columns *c, const wsk_summary *summary);
/* Such a line of text: \\ and \n stand for a backslash and an end of line. */
void wsk_sweep_put_text(FILE *out, const char *text);
/* The text in quotation marks, those in it doubled: a field of CSV, a name of SQL. */
void wsk_sweep_put_quoted(FILE *out, const char *text);
/* Shortest text that wsk_number_at reads back as the same number; "null" for NAN. */
void wsk_sweep_number(char out[32], double value);

/* ---- the file: store.c, the only one that knows SQLite ---- */
typedef struct wsk_store wsk_store;
typedef struct {
    const char *text; /* NULL: none */
    double number;    /* NAN where it is text or NULL */
} wsk_cell;
/* NULL after a message. make: a new file, whatever was there before. */
wsk_store *wsk_store_open(const char *path, bool make);
void wsk_store_close(wsk_store *store);
bool wsk_store_make(wsk_store *store, const wsk_cli_list *columns); /* the tables; "id" comes first of itself */
bool wsk_store_say(wsk_store *store, const char *key, const char *value);
char *wsk_store_said(wsk_store *store, const char *key); /* NULL: nothing, or no sweep's file. Caller frees. */
/* A row: its id and then the values, one a line. Committed when it returns true. */
bool wsk_store_put(wsk_store *store, const char *row);
/* Sets a number of a row; several between begin and end. */
bool wsk_store_begin(wsk_store *store);
bool wsk_store_set(wsk_store *store, size_t id, const char *column, double value);
bool wsk_store_end(wsk_store *store);
/* Calls visit with the cells of these columns for each row by id (first == 0), or for one row. Stops where it says
 * false. */
typedef bool wsk_store_visit(void *ctx, size_t id, const wsk_cell *cells);
bool wsk_store_each(wsk_store *store, size_t only, const wsk_cli_list *columns, wsk_store_visit *visit, void *ctx);

/* ---- the whole ---- */
/* A name in an expression: a stored column, or several that are aggregated to one number. */
typedef struct {
    char *name;
    wsk_over over;
    wsk_cli_list columns; /* owned */
} wsk_sweep_term;

struct wsk_sweep {
    const char *path, *out, *columns_text, *best_text, *pareto_text, *format;
    wsk_cli_rig_options rig;
    size_t own_sets; /* so many at the end of rig.sets are owned by the sweep */
    wsk_run_options run;
    wsk_rig *whole; /* the rig without any axis; it holds the files that all cases are made from */
    char *label;
    bool resume, force, json, quiet, csv;
    size_t jobs; /* 0: not given */
    size_t lanes;
    wsk_sweep_design design;
    wsk_sweep_keys keys;
    wsk_sweep_columns columns;
    char *column_names;
    char rig_name[256], rig_digest[17], digest[17];
    char *axes_text, *options_text,
        *settings_text; /* as they are kept in the file; settings: --set, --for and --step */
    char *db;           /* the SQLite file */
    wsk_store *store;
    unsigned char *has; /* a byte a case */
    size_t stored, failed;
    bool changed; /* the rows, by this process */
};
/* Names of the columns before those of the summary: label, the axes, status, error, its messages. Items are not owned. */
wsk_cli_list wsk_sweep_head(const wsk_sweep *s);
enum { WSK_SWEEP_HEAD = 4 }; /* label, status, error, its messages, besides the axes */

/* Loads the rig as it is and with the values of each axis: keys, digest. WSK_OK, or the exit code after messages. */
int wsk_sweep_look(wsk_sweep *s, bool speak);
/* The columns to store, from --columns, --best and --pareto. */
int wsk_sweep_choose_columns(wsk_sweep *s, bool speak);
/* Where npv or payback_years is a column, those that they are made of become some: report.c. */
void wsk_sweep_need_for_money(wsk_sweep *s);

/* ---- what is asked: ask.c ---- */
typedef struct {
    wsk_question question;
    wsk_sweep_term *terms;
    size_t term_count;
    wsk_cli_list columns; /* status, and those of all terms one after the other; not owned */
    double *values;       /* of the terms, for the row that was read last */
} wsk_sweep_asked;
/* Reads --best (goals 1) or --pareto (2). A name that no stored column gives becomes a column where `add`. False after
 * a message, if `speak`. Free in either case. */
bool wsk_sweep_read_question(wsk_sweep *s, wsk_sweep_asked *a, size_t goals, bool add, bool speak);
void wsk_sweep_asked_free(wsk_sweep_asked *a);
/* Computes a->values from the cells of a->columns; false where the case failed or the condition is not met. */
bool wsk_sweep_meets(wsk_sweep_asked *a, const wsk_cell *cells);
/* The best case by --best, with its neighbours; NULL out: only its number. WSK_OK, or the exit code after a message. */
int wsk_sweep_best(wsk_sweep *s, FILE *out, size_t *best);
/* A table of cases; marks may be NULL. */
int wsk_sweep_table(wsk_sweep *s, wsk_sweep_asked *a, FILE *out, const size_t *ids, const char *const *marks,
                    size_t count);
/* {"id": ..., every column}. */
int wsk_sweep_row_json(wsk_sweep *s, FILE *out, size_t id);

/* ---- the front of two goals: front.c ---- */
typedef struct {
    size_t *ids; /* cases of the Pareto front, the best by the first goal first */
    size_t count;
} wsk_sweep_front;
/* WSK_OK, or the exit code after a message. best: the case that --best found, or 0. Draws unless --json. */
int wsk_sweep_pareto(wsk_sweep *s, FILE *out, size_t best, wsk_sweep_front *front);

#endif
