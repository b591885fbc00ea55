/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/net/provenance.h"

#include <string.h>

#include "sim/base/said.h"
#include "sim/net/class.h"

const char *const wsk_source_kinds[WSK_SOURCE_KIND_COUNT + 1] = {
    WSK_N("datasheet"), WSK_N("database"), WSK_N("log"),     WSK_N("article"),
    WSK_N("measured"),  WSK_N("fitted"),   WSK_N("assumed"), NULL};

/* True if the element comes from the part of its parent: a part file gives it values, or all its values are
 * defaults. */
static bool is_of_part(const wsk_elem *e)
{
    bool given = false;
    for (int i = 0; e->kind->params[i].name; i++) {
        if (e->origins[i].from == WSK_FROM_PART)
            return true;
        given = given || e->origins[i].from != WSK_FROM_DEFAULT;
    }
    return !given;
}

static bool other_class(const wsk_elem *e, int cls)
{
    return strcmp(e->kind->element, "class") == 0 && ((const wsk_class_params *)e->params)->name != cls;
}

/* Finds an earlier element with the same values as e, so that each value is visited once: a sibling with the same part,
 * or, if the parent of e has such an element (`outer`), the matching child of that one. NULL: none. */
static const wsk_elem *find_twin(const wsk_elem *e, const wsk_elem *outer)
{
    for (const wsk_elem *d = e->parent ? e->parent->child : NULL; d && d != e; d = d->next)
        if (d->kind == e->kind && e->part && wsk_same_text(d->part, e->part))
            return d;
    for (const wsk_elem *d = outer ? outer->child : NULL; d; d = d->next)
        if (d->kind == e->kind && wsk_same_text(d->part, e->part) && (e->part || (is_of_part(d) && is_of_part(e))))
            return d;
    return NULL;
}

static void each_value(const wsk_elem *e, const wsk_elem *outer, int cls, wsk_value_fn *fn, void *ctx)
{
    const wsk_elem *twin = find_twin(e, outer);
    if (other_class(e, cls))
        return;
    for (int i = 0; !twin && e->kind->params[i].name; i++)
        if (!e->kind->unheeded || !e->kind->unheeded(e, e->kind->params[i].name))
            fn(ctx, e, &e->kind->params[i], &e->origins[i]);
    for (const wsk_elem *c = e->child; c; c = c->next)
        each_value(c, twin, cls, fn, ctx);
}

void wsk_each_value(const wsk_elem *rig, int cls, wsk_value_fn *fn, void *ctx)
{
    each_value(rig, NULL, cls, fn, ctx);
}

static void count(void *ctx, const wsk_elem *elem, const wsk_param *param, const wsk_origin *origin)
{
    (void)elem;
    (void)param;
    *(int *)ctx += origin->assumed;
}

int wsk_count_assumed(const wsk_elem *rig, int cls)
{
    int n = 0;
    wsk_each_value(rig, cls, count, &n);
    return n;
}
