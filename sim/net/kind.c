/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/net/kind.h"

#include <string.h>

const wsk_elem *wsk_elem_child(const wsk_elem *parent, const char *element, const wsk_elem *after)
{
    const wsk_elem *e = after ? after->next : parent ? parent->child : NULL;
    while (e && strcmp(e->kind->element, element) != 0)
        e = e->next;
    return e;
}

/* Most names differ in their first character, and loading a rig compares millions of names. */
static inline bool is_named(const wsk_param *p, const char *name)
{
    return p->name[0] == name[0] && strcmp(p->name, name) == 0;
}

const wsk_param *wsk_kind_param(const wsk_kind *kind, const char *name)
{
    for (const wsk_param *p = kind->params; p->name; p++)
        if (is_named(p, name))
            return p;
    return NULL;
}

const wsk_param *wsk_kind_price(const wsk_kind *kind)
{
    for (const wsk_param *p = kind->params; p->name; p++)
        if (p->dim == WSK_DIM_PRICE && strcmp(p->name, "price") == 0)
            return p;
    return NULL;
}

double wsk_elem_count(const wsk_elem *elem)
{
    double n = 1;
    for (const wsk_param *p = elem->kind->params; p->name; p++)
        if (p->dim == WSK_DIM_COUNT && strcmp(p->name, "count") == 0)
            memcpy(&n, (const char *)elem->params + p->offset, sizeof n);
    return n;
}

unsigned wsk_kind_traits(const wsk_kind *kind)
{
    return kind->traits | (wsk_kind_price(kind) ? WSK_TRAIT_BOUGHT : 0);
}

const wsk_origin *wsk_elem_origin(const wsk_elem *elem, const char *param)
{
    if (!elem || !elem->origins)
        return NULL;
    for (const wsk_param *p = elem->kind->params; p->name; p++)
        if (is_named(p, param))
            return &elem->origins[p - elem->kind->params];
    return NULL;
}

/* One assignment (--set) may set several elements; an equal diagnostic is then added only once. */
static void setting_diag(wsk_diags *diags, wsk_severity severity, const char *setting, const wsk_said *said)
{
    const wsk_said *all = WSK_SAID(WSK_SAY_SETTING, setting, said);
    const char *text = wsk_said_english(diags->arena, all);
    for (size_t i = 0; i < diags->count; i++)
        if (!diags->items[i].file && strcmp(diags->items[i].message, text) == 0)
            return;
    wsk_diag_add(diags, severity, NULL, 0, 0, all);
}

void wsk_elem_diag(wsk_diags *diags, wsk_severity severity, const wsk_elem *elem, const char *param,
                   const wsk_said *said)
{
    const wsk_origin *o = param ? wsk_elem_origin(elem, param) : NULL;
    if (o && o->text && o->from == WSK_FROM_SET && !o->line)
        setting_diag(diags, severity, o->ref ? o->ref : param, said);
    else if (o && o->text && o->file && (o->from != WSK_FROM_PART || !elem->file || strcmp(o->file, elem->file) == 0))
        /* A value from a part file is reported at the element that uses the part, unless the element itself stands
         * in that file. */
        wsk_diag_add(diags, severity, o->file, o->line, o->column, said);
    else
        wsk_diag_add(diags, severity, elem ? elem->file : NULL, elem ? elem->line : 0, elem ? elem->column : 0, said);
}
