/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types and functions that the files of cli/sweep share. */
#ifndef WSK_SWEEP_INNER_H
#define WSK_SWEEP_INNER_H
#include "cli/sweep/sweep.h"
#include "cli/kit/burden.h"
#include "cli/kit/expr.h"

/* One varied path of an axis, and its values. */
typedef struct {
    char *path;
    wsk_cli_list values; /* one text per level, as typed, without the path; empty if continuous */
    bool continuous;     /* true: values between the ends of a range are sampled */
    double low, high;    /* ends of the sampled range, in `unit` */
    /* attributes that the path sets, lines such as "gpu0.power-limit number /rig0/..."; NULL: unknown */
    char *targets;
    bool number;   /* the attributes hold numbers, and all values have one unit */
    char unit[24]; /* the unit of all values; "": none, or not numbers */
} wsk_sweep_member;
/* An axis, one --vary. Its `count` members, from `first` on, change together. Level i of the axis is value i of each
 * member. */
typedef struct {
    size_t first, count, levels; /* levels: number of values; 0: continuous */
    bool unlike;                 /* its values change the cards of the rig, or the rate of its work */
} wsk_sweep_axis;
typedef struct {
    wsk_sweep_member *members;
    wsk_sweep_axis *axes;
    size_t member_count, axis_count, cases;
    /* position of each sampled case on each axis, [case][axis], 0 to 1; NULL: all combinations, the first axis
     * slowest */
    double *points;
} wsk_sweep_design;
enum { WSK_SWEEP_CASES_MAX = 10000000 };
/* Reads the axes. sample: number of cases; 0: all combinations. On failure prints a message and returns false. */
bool wsk_sweep_lay_out(wsk_sweep_design *d, const wsk_cli_list *vary, size_t sample, wsk_design how, uint64_t seed);
void wsk_sweep_design_free(wsk_sweep_design *d);
/* Adds the attributes that the member sets in a rig, as wsk_rig_assigned lists them. The type of the attributes decides
 * whether the values are numbers, because a text may begin with digits. */
void wsk_sweep_take_targets(wsk_sweep_member *m, const char *targets);
/* False if two members set the same attribute: one would override the other, and rows would show the wrong value. With
 * `speak` it prints a message. */
bool wsk_sweep_apart(const wsk_sweep_design *d, bool speak);
/* False if a --set would have no effect, because the axes set the same attributes. With `speak` it prints a message. */
bool wsk_sweep_heeds(const wsk_sweep *s, bool speak);
/* The value of a member in case i (from 0), or at a level of its axis; if continuous, level 0 is the low end and 1 the
 * high end. Caller frees. */
char *wsk_sweep_value(const wsk_sweep_design *d, size_t member, size_t i);
char *wsk_sweep_level_value(const wsk_sweep_design *d, size_t member, size_t level);
size_t wsk_sweep_level(const wsk_sweep_design *d, size_t axis, size_t i);
/* Made from the levels of case i (from 0) that change cards or rates: cases with equal keys have equal cards. */
size_t wsk_sweep_cards_key(const wsk_sweep_design *d, size_t i);
/* True for a level to try, to learn what an axis changes: the first, the last, and each whose value is no number. */
bool wsk_sweep_telling(const wsk_sweep_design *d, size_t axis, size_t level);

typedef struct {
    char *name; /* as typed: "gpus[0].die_max_c", "gpus.die_max_c", "mean(gpus.power_mean_w)" */
    bool known; /* true: `name` is a result, and `place` says which */
    wsk_result_place place;
} wsk_sweep_column;
typedef struct {
    wsk_sweep_column *items;
    size_t count;
} wsk_sweep_columns;
/* Most components of a kind (cards, PSUs, ...) that get columns of their own. If a kind has more, or if the table would
 * be too wide, only columns over all components of a kind are stored, unless --columns names others. */
enum { WSK_SWEEP_UNITS_MAX = 100 };
/* Results that the summaries of the cases can have. */
typedef struct {
    size_t members[WSK_SCOPES];                /* largest number of members of each scope */
    bool any[WSK_RESULTS];                     /* any[r]: some summary has result r, or may get it during the run */
    bool of[WSK_RESULTS][WSK_SWEEP_UNITS_MAX]; /* of[r][i]: component i, such as card i, has result r */
} wsk_sweep_keys;
void wsk_sweep_learn(wsk_sweep_keys *keys, const wsk_summary *summary);
/* True if the name can be a column. False: `hint` gets a suggestion such as "; did you mean 'cost.annual'?", or "". */
bool wsk_sweep_known(const wsk_sweep_keys *keys, const char *name, char *hint, size_t size);
/* Adds the columns that are stored without --columns, at most `most`. */
void wsk_sweep_usual_columns(wsk_sweep_columns *c, const wsk_sweep_keys *keys, size_t most);
bool wsk_sweep_has_column(const wsk_sweep_columns *c, const char *name);
/* Appends a column unless it is there already. */
void wsk_sweep_add_column(wsk_sweep_columns *c, const char *name);
void wsk_sweep_columns_free(wsk_sweep_columns *c);
/* Writes one line per column: a number, true, false, null, or a text after a quotation mark. summary NULL: all null. */
void wsk_sweep_put_values(FILE *out, const wsk_sweep_columns *c, const wsk_summary *summary);
/* Writes a line of text: a quotation mark, then the text, in which \\ and \n stand for backslash and newline. */
void wsk_sweep_put_text(FILE *out, const char *text);
char *wsk_sweep_get_text(const char *line); /* the text of such a line; caller frees */
/* Writes the text in quotation marks, and doubles the quotation marks in it: a field of CSV, a name in SQL. */
void wsk_sweep_put_quoted(FILE *out, const char *text);
/* Writes a number with 15 to 17 digits, as few as give the same number when read back; "null" if it is not finite. */
void wsk_sweep_number(char out[32], double value);

typedef struct wsk_store wsk_store;
typedef struct {
    const char *text; /* NULL: the cell is no text */
    double number;    /* NAN: the cell is a text, or SQL's NULL */
} wsk_cell;
/* Opens the file; make: creates a new one in place of an old one. On failure prints a message and returns NULL. */
wsk_store *wsk_store_open(const char *path, bool make);
void wsk_store_close(wsk_store *store);
/* Checks the file. WSK_EINPUT: it is damaged or no database; WSK_ERUN: the system cannot read it. Both print a
 * message. */
int wsk_store_sound(wsk_store *store);
/* True if the file has no rows of a sweep and no tables of another program: the sweep ended before it stored a row. */
bool wsk_store_empty(wsk_store *store);
typedef struct {
    const char *key, *value;
} wsk_store_fact;
/* Prepares the file for rows with these columns, behind "id". facts: `count` rows of table meta for a new sweep, whose
 * tables are made in one transaction. count 0: the sweep is resumed, and its tables exist. On failure prints a message
 * and returns false. */
bool wsk_store_make(wsk_store *store, const wsk_cli_list *columns, const wsk_store_fact *facts, size_t count);
/* Checks a file that is resumed, before its rows are used. WSK_EINPUT: its columns are not these. WSK_ERUN: the system
 * cannot read it. Both print a message. */
int wsk_store_check(wsk_store *store, const wsk_cli_list *columns);
/* Counts the rows that do not fit their digests, and deletes them if asked to. *first: the id of the first of them.
 * False: after a message. Rows without digests, of an earlier version, are not looked at. */
bool wsk_store_verify(wsk_store *store, bool delete, size_t *damaged, long long *first);
/* The value of a key in table meta. NULL: there is no such key, or wsk_store_unread is true. Caller frees. */
char *wsk_store_said(wsk_store *store, const char *key);
/* True, after printing a message, if an earlier wsk_store_empty or wsk_store_said could not read the file. */
bool wsk_store_unread(wsk_store *store);
/* Stores a row, a text with one line for the id and one for each column. True: the row is committed. On failure prints
 * a message and returns false. */
bool wsk_store_put(wsk_store *store, const char *row);
/* wsk_store_set changes a number of a row; NAN is stored as NULL. Several changes between begin and end are one
 * transaction. */
bool wsk_store_begin(wsk_store *store);
bool wsk_store_set(wsk_store *store, size_t id, const char *column, double value);
bool wsk_store_end(wsk_store *store);
/* Calls visit with the cells of these columns: for the row with the id `only`; if `only` is 0, for each row in order of
 * id, until visit returns false. On failure prints a message and returns false. */
typedef bool wsk_store_visit(void *ctx, size_t id, const wsk_cell *cells);
bool wsk_store_each(wsk_store *store, size_t only, const wsk_cli_list *columns, wsk_store_visit *visit, void *ctx);

/* A name in an expression. It stands for one stored column, or for several whose values `over` turns into one. */
typedef struct {
    char *name;
    wsk_over over;
    wsk_cli_list columns; /* names of the stored columns; the term owns them */
} wsk_sweep_term;

struct wsk_sweep {
    const char *path, *out, *columns_text, *best_text, *pareto_text, *format;
    wsk_cli_rig_options rig;
    size_t own_sets; /* number of assignments at the end of rig.sets whose texts the sweep owns */
    wsk_run_options run;
    wsk_rig *whole; /* the rig without varied values; all cases use the files that it has read */
    char *label;    /* the text of `out`, owned, if -o is not given; else NULL */
    bool resume, force, json, quiet, csv; /* csv: the file `out` is a CSV file */
    size_t jobs;                          /* value of --jobs; 0: not given */
    size_t lanes;                         /* value of --lanes: cases that a thread simulates side by side */
    wsk_sweep_design design;
    wsk_sweep_keys keys;
    wsk_sweep_columns columns;
    char *column_names; /* the names in `columns`, one per line */
    /* Hash values of 16 hex digits. rig_digest: of the rig as given and with the values of each axis. digest: of
     * rig_digest, version, axes and options. */
    char rig_name[256], rig_digest[17], digest[17];
    /* Texts that the file stores and --resume compares. settings_text: the values of --set, --for and --step. */
    char *axes_text, *options_text, *settings_text;
    char *db;
    wsk_store *store;
    unsigned char *has;    /* has[i]: 1 if case i (from 0) is stored */
    size_t stored, failed; /* number of stored cases, and of those that failed */
    bool changed;          /* true: this process has written to the rows */
};
/* Names of the columns behind id: label, the axes, status, error, error_messages, then the results. The list does not
 * own its items. */
wsk_cli_list wsk_sweep_all_columns(const wsk_sweep *s);
enum { WSK_SWEEP_HEAD = 4 }; /* number of columns before the results besides the axes */

/* Loads the rig as it is and with values of each axis; finds the results that it can have, its name and its digest.
 * WSK_OK, or the exit code; with `speak`, after printing messages. */
int wsk_sweep_look(wsk_sweep *s, bool speak);
/* Loads the rig of case i (from 0) without messages. NULL: it is invalid. */
wsk_rig *wsk_sweep_load_case(const wsk_sweep *s, size_t i);
/* Chooses the columns to store: those of --columns, or the usual ones, and those that --best and --pareto need. WSK_OK,
 * or the exit code; with `speak`, after printing a message. */
int wsk_sweep_choose_columns(wsk_sweep *s, bool speak);
/* If npv or payback_years is a column, adds the columns from which they are computed (money.c). */
void wsk_sweep_need_for_money(wsk_sweep *s);
/* Computes npv and payback_years for all rows. Returns WSK_OK, or WSK_ERUN after printing a message. */
int wsk_sweep_add_money(wsk_sweep *s);
/* Adds the columns from which the burden of a case is read. */
void wsk_sweep_need_for_burdens(wsk_sweep *s);

typedef struct {
    wsk_question question;
    wsk_sweep_term *terms;
    size_t term_count;
    wsk_cli_list columns; /* "status", then the columns of each term; items are not owned */
    /* Index 0: currency of electricity; 1: of purchases. paid[i]: `columns` has the column of currency i, behind those
     * of the terms. currency[i]: its name in the first row visited. In a row with another currency, terms in money are
     * NAN, because money of different currencies is not compared. */
    bool paid[2];
    char currency[2][8];
    double *values;        /* values[t]: value of term t in the row that was visited last */
    bool ranked;           /* overloaded cases are ranked last: the flags that mark them are in `columns` */
    bool serves;           /* cases that lack memory are ranked last: their flag is the last of `columns` */
    wsk_cli_burden burden; /* overload of the row that was visited last, by the flags in `columns` */
} wsk_sweep_asked;
/* Sets a->ranked and a->serves, so that overloaded cases, and cases whose cards lack memory for the language model, are
 * ranked last. Both stay false if the condition itself names the flags of such cases, or the file lacks the flags. */
void wsk_sweep_rank_burdens(const wsk_sweep *s, wsk_sweep_asked *a);
/* Reads the burden of a case from the cells of the flags, which are the last ones of `columns`. */
wsk_cli_burden wsk_sweep_burden(const wsk_sweep_asked *a, const wsk_cell *cells);
/* Prints what is wrong with the best case if it is overloaded, and that `left` cases are not ranked. lacks: the cards
 * of some cases lack memory for the language model. */
void wsk_sweep_tell_burdens(FILE *out, wsk_cli_burden best, size_t left, bool lacks);
/* Reads --best (goals 1) or --pareto (goals 2). add: a name without a stored column becomes a new column, else it is an
 * error. False: an error; with `speak`, after printing a message. Free *a in either case. */
bool wsk_sweep_read_question(wsk_sweep *s, wsk_sweep_asked *a, size_t goals, bool add, bool speak);
/* Prepares *a for a table of the results with these names, at most `most`, without a question. Names without a stored
 * column are left out. */
void wsk_sweep_read_names(wsk_sweep *s, wsk_sweep_asked *a, const wsk_cli_list *names, size_t most);
void wsk_sweep_asked_free(wsk_sweep_asked *a);
/* Computes a->values from the cells of a->columns. False: the case failed, or does not meet the condition. */
bool wsk_sweep_meets(wsk_sweep_asked *a, const wsk_cell *cells);
/* Why no case is the best, although some meet the condition, by the rules of `compare`. RANKED: one is the best. */
typedef enum {
    WSK_SWEEP_RANKED,
    WSK_SWEEP_UNLIKE_CARDS,
    WSK_SWEEP_ONE_RATE,
    WSK_SWEEP_NEGATIVE_COST
} wsk_sweep_outcome;
/* Finds the best case by --best; *best is its id, 0: none, for the reason *why if it is not WSK_SWEEP_RANKED. Prints it
 * with its neighbours, unless out is NULL. Returns WSK_OK, or the exit code after printing a message. */
int wsk_sweep_best(wsk_sweep *s, FILE *out, size_t *best, wsk_sweep_outcome *why);
/* Simulates a case once more without --leap (confirm.c). *value: the goal; *met: whether the condition is met. False:
 * the goal has no value. */
bool wsk_sweep_confirm(wsk_sweep *s, size_t best, double *value, bool *met);
/* Prints the first cases with some of their results, for a sweep without a question. Returns WSK_OK, or WSK_ERUN after
 * printing a message. */
int wsk_sweep_overview(wsk_sweep *s, FILE *out);
/* Prints a table of these cases. marks[i] stands before case i; NULL: no marks. Returns WSK_OK, or WSK_ERUN after
 * printing a message. */
int wsk_sweep_table(wsk_sweep *s, wsk_sweep_asked *a, FILE *out, const size_t *ids, const char *const *marks,
                    size_t count);

typedef struct {
    size_t *ids; /* ids of the cases on the front, the best by the first goal first; caller frees */
    size_t count;
    wsk_sweep_outcome why; /* why there is no front; WSK_SWEEP_RANKED: there is one */
} wsk_sweep_front;
/* Finds the front of --pareto; prints and draws it, unless out is NULL. best: id of the case that --best found, or 0.
 * Returns WSK_OK, or the exit code after printing a message. */
int wsk_sweep_pareto(wsk_sweep *s, FILE *out, size_t best, wsk_sweep_front *front);

#endif
