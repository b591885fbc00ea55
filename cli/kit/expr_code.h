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

/* Converts a quantity such as "83 degC" to a number in the unit `to`. False: the units have different dimensions. If
 * `to` is K, "8 K" is a temperature difference. */
bool wsk_expr_convert(const char *quantity, const char *to, double *out);
/* True for three capital letters, the form of a currency's code. A price keeps its number, because money is not
 * converted. */
bool wsk_expr_is_currency(const char *unit, size_t len);

#endif
