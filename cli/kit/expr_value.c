/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/expr_code.h"

static double margin_of(op o, double a, double b)
{
    switch (o) {
    case LESS:
    case MOST: return b - a;
    case MORE:
    case LEAST: return a - b;
    case EQUAL: return -fabs(a - b);
    case DIFFER: return fabs(a - b);
    case NOT: return -b;
    case AND: return a < b || isnan(a) ? a : b;
    case OR: return a > b || isnan(b) ? a : b;
    default: return NAN;
    }
}

static double compute(const wsk_expr *e, const double *variables, bool margins)
{
    double stack[CODE_MAX], *top = stack;
    for (size_t i = 0; i < e->count; i++) {
        const instruction *in = &e->code[i];
        if (in->op == PUSH || in->op == LOAD) {
            *top++ = in->op == PUSH ? in->number : variables[in->variable];
            continue;
        }
        double b = *--top;
        if (in->op == NEGATE || in->op == NOT) {
            *top++ = in->op == NEGATE ? -b : margins ? -b : !(b > 0);
            continue;
        }
        double a = *--top, r = NAN;
        if (margins && in->op >= LESS) {
            *top++ = margin_of(in->op, a, b);
            continue;
        }
        switch (in->op) {
        case ADD: r = a + b; break;
        case SUBTRACT: r = a - b; break;
        case MULTIPLY: r = a * b; break;
        case DIVIDE: r = a / b; break;
        case LESS: r = a < b; break;
        case MOST: r = a <= b; break;
        case MORE: r = a > b; break;
        case LEAST: r = a >= b; break;
        case EQUAL: r = !(a < b) && !(a > b) && !isnan(a) && !isnan(b); break;
        case DIFFER: r = a < b || a > b; break;
        case AND: r = a > 0 && b > 0; break;
        case OR: r = a > 0 || b > 0; break;
        default: break;
        }
        *top++ = r;
    }
    return stack[0];
}

double wsk_expr_value(const wsk_expr *e, const double *variables)
{
    return compute(e, variables, false);
}

double wsk_expr_margin(const wsk_expr *e, const double *variables)
{
    return compute(e, variables, true);
}
