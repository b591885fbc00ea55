/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/study/plan_copy.h"

static wsk_elem *copy_elem(wsk_arena *a, const wsk_elem *from, wsk_elem *parent)
{
    wsk_elem *e = wsk_alloc(a, sizeof *e);
    void *params = wsk_alloc(a, from->kind->size);
    if (!e || !params)
        return NULL;
    *e = *from;
    memcpy(params, from->params, from->kind->size);
    ((wsk_params *)params)->elem = e;
    e->params = params;
    e->parent = parent;
    e->child = e->next = NULL;
    wsk_elem **link = &e->child;
    for (const wsk_elem *c = from->child; c; c = c->next) {
        if ((*link = copy_elem(a, c, e)) == NULL)
            return NULL;
        link = &(*link)->next;
    }
    return e;
}

wsk_plan *wsk_plan_copy(wsk_arena *a, const wsk_plan *from)
{
    wsk_plan *plan = wsk_alloc(a, sizeof *plan);
    if (!plan)
        return NULL;
    *plan = *from;
    plan->arena = a;
    wsk_diags_init(&plan->diags, a);
    plan->rig = copy_elem(a, from->rig, NULL);
    return plan->rig ? plan : NULL;
}

wsk_elem *wsk_plan_gpu(wsk_elem *e, const char *id)
{
    if (strcmp(e->kind->element, "gpu") == 0 && e->id && strcmp(e->id, id) == 0)
        return e;
    for (wsk_elem *c = e->child; c; c = c->next) {
        wsk_elem *found = wsk_plan_gpu(c, id);
        if (found)
            return found;
    }
    return NULL;
}
