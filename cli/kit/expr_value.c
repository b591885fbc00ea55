/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/cli.h"
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

/* Writes into `hint`, as many as fit, the names that an incomplete key may stand for: those that begin with it
 * ("cost.run" for "cost") and those that end with it ("cost.annual" for "annual"). False: there are none. */
static bool name_members(char *hint, size_t size, const char *key, const char *const *names)
{
    size_t len = strlen(key), used = 0, found = 0;
    const char *only = NULL;
    for (; len && *names; names++) {
        const char *name = *names, *last = strrchr(name, '.');
        bool within =
            !strncmp(name, key, len) && (name[len] == '.' || name[len] == '_') && !strpbrk(name + len + 1, ".[");
        if (!within && !(last && !strcmp(last + 1, key) && !strchr(name, '[')))
            continue;
        if (used + strlen(name) + 8 > size - 20) {
            snprintf(hint + used, size - used, ", ...");
            break;
        }
        used += (size_t)snprintf(hint + used, size - used, used ? ", '%s'" : T_("; there is '%s'"), name);
        only = name;
        found++;
    }
    if (found == 1)
        snprintf(hint, size, T_("; did you mean '%s%s'?"), "", only);
    return found > 0;
}

void wsk_hint_key(char *hint, size_t size, const char *key, const char *const *names)
{
    hint[0] = '\0';
    if (!name_members(hint, size, key, names))
        wsk_cli_hint(hint, size, key, names, "");
}
