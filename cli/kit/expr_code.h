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
    MOST, /* a <= b */
    MORE,
    LEAST, /* a >= b */
    EQUAL,
    DIFFER,
    NOT,
    AND,
    OR
} op;
typedef struct {
    op op;
    double number;   /* of PUSH */
    size_t variable; /* of LOAD: index into the variables */
} instruction;
enum { CODE_MAX = 256, DEPTH_MAX = 64 };
struct wsk_expr {
    size_t count;
    instruction code[CODE_MAX];
};

/* A quantity as a number of another unit of its dimension. False: the units do not fit. "8 K" of a key in K is a
 * difference. */
bool wsk_expr_convert(const char *quantity, const char *to, double *out);
/* Money is not converted: its label must be one of three capital letters. */
bool wsk_expr_is_currency(const char *unit, size_t len);

#endif
