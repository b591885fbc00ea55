/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The units of expressions: which unit a sum or a product has, and the conversion of numbers with a unit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/cli.h"
#include "cli/kit/expr_code.h"
#include "sim/base/base.h"

static const char PURCHASE[] = "purchase currency";

static bool is_money(const char *unit)
{
    return !strncmp(unit, "currency", strlen("currency"));
}

const char *wsk_measure_money(const char *unit, const wsk_expr_error *error)
{
    const bool one = error->money && error->paid && !strcmp(error->money, error->paid);
    return unit && one && !strcmp(unit, PURCHASE) ? "currency" : unit;
}

bool wsk_measure_mixes(op o, const wsk_measure *a, const wsk_measure *b, const wsk_expr_error *error)
{
    const bool adds = o == ADD || o == SUBTRACT || (o >= LESS && o <= DIFFER);
    if (!adds || !error->money || !error->paid || !strcmp(error->money, error->paid) || !a->unit || !b->unit)
        return false;
    return (is_money(a->unit) && !strcmp(b->unit, PURCHASE)) || (is_money(b->unit) && !strcmp(a->unit, PURCHASE));
}

static bool is_one_unit(const wsk_measure *a, const wsk_measure *b)
{
    return !a->unit || !b->unit || !strcmp(a->unit, b->unit);
}

static double compute_plain(op o, double a, double b)
{
    return o == ADD ? a + b : o == SUBTRACT ? a - b : o == MULTIPLY ? a * b : a / b;
}

wsk_measure wsk_measure_of(op o, const wsk_measure *a, const wsk_measure *b)
{
    wsk_measure m = {.unit = a->unit ? a->unit : b->unit,
                     .unknown = a->unknown || b->unknown || !is_one_unit(a, b),
                     .plain = a->plain && b->plain,
                     .vague = a->vague || b->vague};
    if (m.plain)
        m.number = compute_plain(o, a->number, b->number);
    else if (o == ADD || o == SUBTRACT)
        m.weight = compute_plain(o, a->weight, b->weight);
    else if (o == MULTIPLY)
        m.weight = a->plain ? a->number * b->weight : a->weight * b->number;
    else if (o == DIVIDE)
        m.weight = a->weight / b->number;
    else
        m.weight = a->weight;
    if (o == MULTIPLY)
        m.unknown = m.unknown || (!a->plain && !b->plain);
    else if (o == DIVIDE)
        m.unknown = m.unknown || !b->plain;
    else if (o == ADD || o == SUBTRACT)
        m.vague = m.vague || (a->plain != b->plain && fabs(m.weight) > 1e-9);
    return m;
}

const char *wsk_measure_unit(const wsk_measure *m)
{
    if (m->unknown || !m->unit)
        return "";
    if (strcmp(m->unit, "degC") != 0 || fabs(m->weight - 1) < 1e-9)
        return m->unit;
    return fabs(m->weight) < 1e-9 ? "K" : "";
}

static bool refuse(const char *text, const char *at, wsk_expr_error *error, const char *why)
{
    snprintf(error->text, sizeof error->text, "%s", why);
    error->at = (size_t)(at - text);
    return false;
}

static bool is_kelvin(const wsk_waiting *w, size_t i)
{
    return w->of[i].end - w->of[i].unit == 1 && *w->of[i].unit == 'K';
}

/* Weight of one side of a comparison: its rise, K, if all temperatures in it rise by 1 K. A side that is only a number
 * in K gets the other side's weight, if that is 1 (a temperature) or 0 (a difference). */
static double weigh(const wsk_waiting *w, const wsk_measure *side, const wsk_measure *other)
{
    const double weight = other->weight;
    const bool may_be = fabs(weight) < 1e-9 || fabs(weight - 1) < 1e-9;
    return side->lone && is_kelvin(w, side->lone - 1) && may_be && !other->vague ? weight : side->weight;
}

static bool convert_one(const wsk_waiting *w, size_t i, const char *to, wsk_expr *out, const char *text,
                        wsk_expr_error *error)
{
    const char *number = w->of[i].number, *unit = w->of[i].unit;
    const size_t len = (size_t)(w->of[i].end - unit);
    char *why = NULL;
    if (strlen(to) == len && !memcmp(unit, to, len))
        return true;
    if (strstr(to, "currency") && wsk_expr_is_currency(unit, len)) {
        const bool of_tariff = is_money(to), of_purchase = !strcmp(to, PURCHASE);
        const char *money = of_tariff ? error->money : of_purchase ? error->paid : NULL;
        if (!money || !memcmp(unit, money, len))
            return true;
        why = wsk_cli_format(of_tariff ? T_("the tariff's currency is %s, and money is not converted")
                                       : T_("the parts are priced in %s, and a limit is not converted"),
                             money);
    } else {
        char *quantity = wsk_cli_format("%.*s", (int)(w->of[i].end - number), number);
        if (!wsk_expr_convert(quantity, to, &out->code[w->of[i].code].number))
            why = wsk_cli_format(T_("'%.*s' does not fit a key in %s"), (int)len, unit,
                                 strcmp(to, "1") ? to : T_("shares of 1"));
        free(quantity);
    }
    if (why)
        refuse(text, unit, error, why);
    free(why);
    return !why;
}

bool wsk_waiting_convert(wsk_waiting *w, const wsk_measure *left, const wsk_measure *right, wsk_expr *out,
                         const char *text, wsk_expr_error *error)
{
    const wsk_measure both = wsk_measure_of(LESS, left, right);
    const bool temperature = both.unit && !strcmp(both.unit, "degC");
    const double weight = weigh(w, left, right);
    const bool fits = !temperature || fabs(weight - weigh(w, right, left)) < 1e-9;
    const char *unknown =
        T_("a unit needs one key beside it whose unit is known; elsewhere write the number alone, in "
           "the unit of the key");
    for (size_t i = 0; i < w->count; i++) {
        if (!both.unit || !*both.unit || both.unknown)
            return refuse(text, w->of[i].unit, error, unknown);
        /* A number in K within a sum is a difference. A number that is a whole side is of the kind of the other side: a
         * temperature or a difference. */
        const bool lone = left->lone == i + 1 || right->lone == i + 1,
                   difference = temperature && (lone ? fabs(weight) < 1e-9 : is_kelvin(w, i));
        if (!convert_one(w, i, difference ? "K" : both.unit, out, text, error))
            return false;
    }
    if (w->count && !fits)
        return refuse(text, w->of[0].unit, error, unknown);
    w->count = 0;
    return true;
}

bool wsk_expr_convert(const char *quantity, const char *to, double *out)
{
    char currency[8], none[32], one[32];
    size_t at;
    wsk_dim means;
    double zero_si, one_si, si;
    snprintf(none, sizeof none, "0 %s", to);
    snprintf(one, sizeof one, "1 %s", to);
    for (int d = strcmp(to, "K") ? 0 : WSK_DIM_TEMP_DIFF; d < WSK_DIM_COUNT_; d++) {
        const wsk_dim dim = strcmp(to, "1") ? (wsk_dim)d : WSK_DIM_FRACTION;
        if (wsk_parse_quantity(strcmp(to, "1") ? none : "0", dim, &zero_si, currency, &at, &means) == WSK_UNIT_OK &&
            wsk_parse_quantity(strcmp(to, "1") ? one : "1", dim, &one_si, currency, &at, &means) == WSK_UNIT_OK &&
            wsk_parse_quantity(quantity, dim, &si, currency, &at, &means) == WSK_UNIT_OK) {
            *out = (si - zero_si) / (one_si - zero_si);
            return true;
        }
    }
    return false;
}

bool wsk_expr_is_currency(const char *unit, size_t len)
{
    return len == 3 && strspn(unit, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") >= 3;
}
