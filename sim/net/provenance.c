/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/net/provenance.h"

#include <math.h>
#include <string.h>

#include "sim/net/chassis.h"
#include "sim/net/class.h"
#include "sim/net/cpu.h"
#include "sim/net/site.h"

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

/* A power brake that nothing pulls. */
static bool unwired(const wsk_elem *e)
{
    const wsk_elem *chassis = e->parent ? e->parent->parent : NULL;
    return strcmp(e->kind->element, "governor") == 0 && strcmp(e->kind->name, "power-brake") == 0 && chassis &&
           !((const wsk_chassis_params *)chassis->params)->power_brake;
}

/* What nothing asks for: the block of a processor on air, the air cooler of one in a loop, the walls of a room whose air is held. */
static bool unheeded(const wsk_elem *e, const wsk_param *p)
{
    if (strcmp(e->kind->element, "cpu") == 0) {
        bool block = strncmp(p->name, "block-", 6) == 0,
             air = strcmp(p->name, "conductance") == 0 || strcmp(p->name, "flow") == 0;
        return ((const wsk_cpu_params *)e->params)->loop ? air : block;
    }
    return strcmp(e->kind->element, "room") == 0 && !isnan(((const wsk_room_params *)e->params)->temp_k) &&
           (strcmp(p->name, "conductance") == 0 || strcmp(p->name, "capacity") == 0);
}

void wsk_each_value(const wsk_elem *e, int cls, wsk_value_fn *fn, void *ctx)
{
    if (other_class(e, cls) || unwired(e) || same_part_before(e))
        return;
    for (int i = 0; e->kind->params && e->kind->params[i].name; i++)
        if (!unheeded(e, &e->kind->params[i]))
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
