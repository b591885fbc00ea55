/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --best and --pareto ask: "min cost.annual where gpus.die_max_c < 83 and not (noise_dba > 50)". */
#ifndef WSK_SWEEP_EXPR_H
#define WSK_SWEEP_EXPR_H
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    size_t at; /* bytes before the word that is wrong */
    char text[320];
} wsk_expr_error;
/* Gives a name ("cost.annual", "mean(gpus.power_mean_w)") the number of its variable; false: error->text says why. */
typedef bool wsk_expr_resolve(void *ctx, const char *name, size_t *variable, wsk_expr_error *error);

typedef struct wsk_expr wsk_expr;
double wsk_expr_value(const wsk_expr *e, const double *variables); /* a truth is 1 or 0; unknown numbers are NAN */

enum { WSK_GOALS_MAX = 2 };
typedef struct {
    bool most; /* the most is best */
    wsk_expr *value;
    char *text;
} wsk_goal;
typedef struct {
    wsk_goal goals[WSK_GOALS_MAX];
    size_t count;
    wsk_expr *where; /* NULL: all cases */
    char *where_text;
} wsk_question;
/* goals 1: "min|max VALUE [where CONDITION]"; 2: two of them with a comma, whose min or max may be left out: then work,
 * clocks, efficiency and npv are to be most, anything else least. False with *error set. Free in either case. */
bool wsk_question_parse(wsk_question *q, const char *text, size_t goals, wsk_expr_resolve *resolve, void *ctx,
                        wsk_expr_error *error);
void wsk_question_free(wsk_question *q);

#endif
