/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/base/said.h"
#include "sim/io/load.h"

static void add_fact(wsk_arena *arena, const wsk_said **facts, const wsk_said *fact)
{
    *facts = *facts ? WSK_SAY(arena, WSK_SAY_JOIN_SEMICOLON, *facts, fact) : wsk_said_keep(arena, fact);
}

/* Adds the allowed range of a number, or of the values of a curve. An upper limit above 1e9 s for times, or 1e11 for
 * other quantities, only catches nonsense and is not printed; that of a price is never printed. */
static void add_range(wsk_arena *arena, const wsk_said **facts, const wsk_param *p)
{
    char low[64], high[64];
    const bool curve = p->type == WSK_TYPE_CURVE;
    const wsk_dim dim = curve ? p->dim_y : p->dim;
    const double least = curve ? p->min_y : p->min, most = curve ? p->max_y : p->max;
    bool money = dim == WSK_DIM_PRICE || dim == WSK_DIM_ENERGY_PRICE || dim == WSK_DIM_POWER_PRICE;
    bool open = money || most > (dim == WSK_DIM_TIME ? 1e9 : 1e11), above = p->flags & WSK_POSITIVE && least <= 0;
    bool bounded = least < 0 || least > 0 || most < 0 || most > 0;
    if ((p->type != WSK_TYPE_NUMBER && !curve) || (!bounded && !above) || (money && least < 0))
        return;
    wsk_format_bound(low, sizeof low, least, dim, "");
    wsk_format_bound(high, sizeof high, most, dim, "");
    if (above && bounded && !open)
        add_fact(arena, facts, WSK_SAID(WSK_SAY_KINDS_ABOVE_0_TO, high));
    else if (above)
        add_fact(arena, facts, WSK_SAID(WSK_SAY_KINDS_ABOVE_0));
    else if (open)
        add_fact(arena, facts, WSK_SAID(WSK_SAY_KINDS_AT_LEAST, money ? "0" : low));
    else
        add_fact(arena, facts, WSK_SAID(WSK_SAY_KINDS_FROM_TO, low, high));
}

static void add_choices(wsk_arena *arena, const wsk_said **facts, const wsk_param *p)
{
    const char *all = NULL;
    for (const char *const *c = p->choices; c && *c; c++)
        all = all ? wsk_printf(arena, "%s, %s", all, *c) : *c;
    if (all)
        add_fact(arena, facts, WSK_SAID(WSK_SAY_KINDS_ONE_OF, all));
}

static void add_type(wsk_arena *arena, const wsk_said **facts, const wsk_param *p)
{
    const wsk_dim_info *d = wsk_dim_about(p->dim);
    wsk_arg name = wsk_arg_word(d->name), fits = wsk_arg_word(d->fits);
    switch (p->type) {
    case WSK_TYPE_NUMBER:
        if (p->dim > WSK_DIM_COUNT)
            add_fact(arena, facts, WSK_SAID(WSK_SAY_KINDS_UNITS, name, fits));
        else
            add_fact(arena, facts,
                     WSK_SAID(WSK_SAY_PLAIN, p->dim == WSK_DIM_NONE    ? WSK_WORD("number")
                                             : p->dim == WSK_DIM_COUNT ? WSK_WORD("whole number")
                                                                       : name));
        break;
    case WSK_TYPE_CURVE:
        add_fact(arena, facts, WSK_SAID(WSK_SAY_KINDS_CURVE, wsk_arg_word(wsk_dim_about(p->dim_y)->name), name));
        break;
    case WSK_TYPE_SERIES: add_fact(arena, facts, WSK_SAID(WSK_SAY_KINDS_SERIES, name)); break;
    case WSK_TYPE_LOG: add_fact(arena, facts, WSK_SAID(WSK_SAY_PLAIN, WSK_WORD("log"))); break;
    case WSK_TYPE_DATETIME: add_fact(arena, facts, WSK_SAID(WSK_SAY_PLAIN, WSK_WORD("date and time"))); break;
    case WSK_TYPE_CHOICE: add_choices(arena, facts, p); break;
    case WSK_TYPE_TEXT: break;
    }
}

static void tell_param(wsk_lines *out, const wsk_param *p)
{
    wsk_arena *arena = out->arena;
    const wsk_said *facts = WSK_SAY(arena, WSK_SAY_PLAIN, wsk_arg_word(p->help));
    add_type(arena, &facts, p);
    add_range(arena, &facts, p);
    if (p->def)
        add_fact(arena, &facts, WSK_SAID(WSK_SAY_KINDS_DEFAULT, p->def));
    if (p->assumed)
        facts = WSK_SAY(arena, WSK_SAY_KINDS_ASSUMED, facts, wsk_arg_word(p->assumed));
    if (p->flags & WSK_REQUIRED && !p->def)
        add_fact(arena, &facts, WSK_SAID(WSK_SAY_KINDS_REQUIRED));
    if (p->flags & WSK_RIG_ONLY)
        add_fact(arena, &facts, WSK_SAID(WSK_SAY_KINDS_RIG_ONLY));
    wsk_lines_add(out, 2, WSK_SAID(WSK_SAY_KINDS_ATTRIBUTE, p->name, facts));
}

static void tell_children(wsk_lines *out, const wsk_kind *k)
{
    const wsk_said *all = NULL;
    for (const wsk_child *c = k->children; c && c->element; c++) {
        const wsk_said *one = c->most == 1 ? WSK_SAY(out->arena, WSK_SAY_KINDS_CHILD_ONCE, c->element)
                                           : WSK_SAY(out->arena, WSK_SAY_KINDS_CHILD, c->element);
        if (c->implied)
            one = WSK_SAY(out->arena, WSK_SAY_KINDS_IMPLIED, one, c->implied);
        all = wsk_said_join(out->arena, all, one);
    }
    if (all)
        wsk_lines_add(out, 2, WSK_SAID(WSK_SAY_KINDS_HOLDS, all));
}

void wsk_kinds_tell(wsk_lines *out, const char *element)
{
    for (const wsk_kind *const *k = wsk_kinds; *k; k++) {
        wsk_arg help = wsk_arg_word((*k)->help);
        if (element && strcmp((*k)->element, element) != 0)
            continue;
        if (out->count)
            wsk_lines_add(out, 0, NULL);
        wsk_lines_add(out, 0,
                      (*k)->is_default ? WSK_SAID(WSK_SAY_KINDS_KIND_DEFAULT, (*k)->element, (*k)->name, help)
                                       : WSK_SAID(WSK_SAY_KINDS_KIND, (*k)->element, (*k)->name, help));
        tell_children(out, *k);
        for (const wsk_param *p = (*k)->params; p->name; p++)
            tell_param(out, p);
    }
}
