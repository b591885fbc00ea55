/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The questions of `sweep` and `optimise`, such as "min cost.annual where gpus.die_max_c < 83 degC and not (noise_dba >
 * 50)": parses them, and computes their expressions for a case. A key is the name of a result, such as "cost.annual".
 * A number with a unit is converted to the unit of the key that it is compared with. */
#ifndef WSK_CLI_EXPR_H
#define WSK_CLI_EXPR_H
#include <stdbool.h>
#include <stddef.h>

#include "wattsink.h"

/* True for a result that expressions can use: a number, or a flag, whose value is 1 or 0. */
bool wsk_expr_takes(wsk_result result);

typedef struct {
    /* Set by the caller: currency of the tariff; NULL: not known. A number compared with a key in the tariff's currency
     * must be in that currency too, because money is not converted. */
    const char *money;
    const char *paid; /* set by the caller: currency of the parts' prices; NULL: not known */
    size_t at;        /* offset of the error in the text, bytes */
    char text[320];
} wsk_expr_error;
/* Sets *variable to the index under which wsk_expr_value finds the value of a name, such as "cost.annual" or
 * "mean(gpus.power_mean_w)", and *unit to its unit if the table of results does not know the name. False: no such name;
 * error->text says why. */
typedef bool wsk_expr_resolve(void *ctx, const char *name, size_t *variable, const char **unit,
                              wsk_expr_error *error);

typedef struct wsk_expr wsk_expr;
/* Value of an expression; a condition gives 1 or 0. variables[i]: value of variable i; NAN: unknown. */
double wsk_expr_value(const wsk_expr *e, const double *variables);
/* Margin of a condition, in the unit of its comparison: "x < 83" has margin 3 at x = 80, and -2 at x = 85, where it
 * fails. "and" has the smaller margin of its two sides, "or" the larger. */
double wsk_expr_margin(const wsk_expr *e, const double *variables);

enum { WSK_GOALS_MAX = 2 };
typedef struct {
    bool most; /* true: maximize the value; false: minimize it */
    wsk_expr *value;
    char *text;       /* as typed */
    const char *unit; /* as the table of results writes units; "": not known, or none */
} wsk_goal;
typedef struct {
    wsk_goal goals[WSK_GOALS_MAX];
    size_t count;
    wsk_expr *where;
    char *where_text;
} wsk_question;
/* goals 1: parses "min|max VALUE [where CONDITION]". goals 2: parses "VALUE,VALUE [where CONDITION]", each VALUE with
 * or without min or max before it; a VALUE without one must be a single key, and the table of results says whether more
 * of it is better. False: *error is set. Free *q in either case. */
bool wsk_question_parse(wsk_question *q, const char *text, size_t goals, wsk_expr_resolve *resolve, void *ctx,
                        wsk_expr_error *error);
void wsk_question_free(wsk_question *q);

/* Parses one expression, without "min" or "max" before it. False: *error is set. Free *goal in either case. */
bool wsk_goal_parse(wsk_goal *goal, const char *text, bool most, wsk_expr_resolve *resolve, void *ctx,
                    wsk_expr_error *error);
void wsk_goal_free(wsk_goal *goal);
/* One of several conditions that must all hold. */
typedef struct {
    wsk_expr *condition;
    char *text;       /* as typed */
    const char *unit; /* unit of its two sides, as the table of results writes units; "": not known, or none */
} wsk_clause;
/* Splits a text "A and B and C" into the conditions A, B and C; a text with an outermost "or" is one condition. False:
 * *error is set. Free the *count clauses in either case. */
bool wsk_clauses_parse(wsk_clause *out, size_t most, size_t *count, const char *text, wsk_expr_resolve *resolve,
                       void *ctx, wsk_expr_error *error);
void wsk_clauses_free(wsk_clause *clauses, size_t count);
/* Writes into `hint` which results an unknown key may mean, such as "; did you mean 'cost.run'?"; empty: none is near.
 * names: all results; NULL ends them. */
void wsk_hint_key(char *hint, size_t size, const char *key, const char *const *names);

#endif
