/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/net/provenance.h"

#include <string.h>

#include "sim/base/said.h"
#include "sim/net/class.h"

const char *const wsk_source_kinds[WSK_SOURCE_KIND_COUNT + 1] = {
    WSK_N("datasheet"), WSK_N("database"), WSK_N("log"),     WSK_N("article"),
    WSK_N("measured"),  WSK_N("fitted"),   WSK_N("assumed"), NULL};

static bool same_part_before(const wsk_elem *e)
{
    for (const wsk_elem *d = e->parent ? e->parent->child : NULL; d && d != e; d = d->next)
        if (d->kind == e->kind && d->part && e->part && strcmp(d->part, e->part) == 0)
            return true;
    return false;
}

static bool other_class(const wsk_elem *e, int cls)
{
    return strcmp(e->kind->element, "class") == 0 && ((const wsk_class_params *)e->params)->name != cls;
}

void wsk_each_value(const wsk_elem *e, int cls, wsk_value_fn *fn, void *ctx)
{
    if (other_class(e, cls) || same_part_before(e))
        return;
    for (int i = 0; e->kind->params[i].name; i++)
        if (!e->kind->unheeded || !e->kind->unheeded(e, e->kind->params[i].name))
            fn(ctx, e, &e->kind->params[i], &e->origins[i]);
    for (const wsk_elem *c = e->child; c; c = c->next)
        wsk_each_value(c, cls, fn, ctx);
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
