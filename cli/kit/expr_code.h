/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code of an expression, for a stack machine: expr.c writes it, expr_value.c runs it. */
#ifndef WSK_CLI_EXPR_CODE_H
#define WSK_CLI_EXPR_CODE_H
#include "cli/kit/expr.h"

typedef enum {
    PUSH,
    LOAD,
    NEGATE,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    LESS,
    MOST, /* MOST: a <= b */
    MORE,
    LEAST, /* LEAST: a >= b */
    EQUAL,
    DIFFER,
    NOT,
    AND,
    OR
} op;
typedef struct {
    op op;
    double number;   /* operand of PUSH */
    size_t variable; /* operand of LOAD: index into the variables */
} instruction;
enum { CODE_MAX = 256, DEPTH_MAX = 64 };
struct wsk_expr {
    size_t count;
    instruction code[CODE_MAX];
};

/* The unit of a part of an expression, as far as it is known. The numbers with a unit in that part are converted when
 * the other side of the comparison is known (wsk_waiting_convert). */
typedef struct {
    const char *unit; /* unit of its keys; NULL: it has no key */
    bool unknown;     /* its keys have several units, or it is a product or a quotient of quantities */
    bool plain;       /* a number without a unit */
    double number;    /* if plain: its value */
    /* change of the value, K, if all temperatures in it rise by 1 K: 1 for a temperature, 0 for a difference of two.
     * It tells how a value in degC becomes K, because the zero of degC is not that of K. */
    double weight;
    bool vague;  /* a plain number was added, which may be a temperature or a difference */
    size_t lone; /* if the part is only a number with a unit: 1 + its index in wsk_waiting.of; else 0 */
} wsk_measure;
enum { WAITING_MAX = 16 };
typedef struct {
    struct {
        size_t code; /* index of the number's PUSH in wsk_expr.code */
        const char *number, *unit, *end;
    } of[WAITING_MAX];
    size_t count;
} wsk_waiting;
/* Measure of `a o b`. o: ADD to DIVIDE, a comparison, AND or OR. */
wsk_measure wsk_measure_of(op o, const wsk_measure *a, const wsk_measure *b);
/* The unit of a key from its unit in the table of results. "purchase currency", that of the parts, becomes "currency",
 * that of the electricity, if parts and electricity are paid in one currency. */
const char *wsk_measure_money(const char *unit, const wsk_expr_error *error);
/* True if `a o b` adds or compares a cost of electricity and a price of parts that are paid in different currencies. */
bool wsk_measure_mixes(op o, const wsk_measure *a, const wsk_measure *b, const wsk_expr_error *error);
/* The unit of the value, as the table of results writes units; "": not known, or none. */
const char *wsk_measure_unit(const wsk_measure *m);
/* Converts the waiting numbers of the two sides of a comparison to the unit of its keys, in the code of `out`. A goal
 * has no comparison; its measure is passed as both sides. False: *error is set; text: the text of the whole
 * question. */
bool wsk_waiting_convert(wsk_waiting *w, const wsk_measure *left, const wsk_measure *right, wsk_expr *out,
                         const char *text, wsk_expr_error *error);

/* Converts a quantity such as "83 degC" to a number in the unit `to`. False: the units have different dimensions. If
 * `to` is K, "8 K" is a temperature difference. */
bool wsk_expr_convert(const char *quantity, const char *to, double *out);
/* True for three capital letters, the form of a currency's code. Expressions do not convert money, so a number with
 * such a unit stays as it is. */
bool wsk_expr_is_currency(const char *unit, size_t len);

#endif
