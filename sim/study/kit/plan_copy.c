/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/net/chassis.h"
#include "sim/study/kit/plan_copy.h"

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

static bool is_failure(const wsk_param *p)
{
    static const char fails[] = "fails-at";
    const size_t n = strlen(p->name), m = sizeof fails - 1;
    return p->type == WSK_TYPE_NUMBER &&
           ((n >= m && strcmp(p->name + n - m, fails) == 0) || strcmp(p->name, "lost-at") == 0);
}

int wsk_plan_bridge(wsk_elem *e, const wsk_run *run)
{
    int n = 0;
    for (int i = 0; i < run->net->n_line && !run->steady && strcmp(e->kind->element, "branch") == 0; i++) {
        const wsk_line_state *s = &run->lines[i];
        if (run->net->lines[i].fails_ns < 0 || s->tripped != WSK_LINE_FAILED || s->dark_ns == s->at_ns ||
            strcmp(run->net->lines[i].id, e->id) != 0)
            continue;
        ((wsk_line_params *)e->params)->fails_s = s->dark ? (double)s->dark_ns / 1e9 : (double)NAN;
        n++;
    }
    for (wsk_elem *c = e->child; c; c = c->next)
        n += wsk_plan_bridge(c, run);
    return n;
}

int wsk_plan_fail(wsk_elem *e, double by_s)
{
    int n = 0;
    for (const wsk_param *p = e->kind->params; p->name; p++) {
        double *at = (double *)(void *)((char *)e->params + p->offset);
        if (is_failure(p) && *at > 0 && *at < by_s) {
            *at = 0;
            n++;
        }
    }
    for (wsk_elem *c = e->child; c; c = c->next)
        n += wsk_plan_fail(c, by_s);
    return n;
}

int wsk_plan_gather_dust(wsk_elem *rig, double by_s)
{
    int n = 0;
    for (wsk_elem *e = rig->child; e; e = e->next) {
        wsk_chassis_params *p = strcmp(e->kind->element, "chassis") == 0 ? e->params : NULL;
        if (!p || !(p->dust > 0))
            continue;
        const double start = fmin(p->dust_start + p->dust * by_s / p->dust_time_s, 0.95);
        n += start >= p->dust_start + 0.005;
        p->dust_start = start;
    }
    return n;
}

double wsk_plan_next_failure(const wsk_elem *e, double after_s)
{
    double next = INFINITY;
    for (const wsk_param *p = e->kind->params; p->name; p++) {
        double at;
        if (!is_failure(p))
            continue;
        memcpy(&at, (const char *)e->params + p->offset, sizeof at);
        next = at > after_s ? fmin(next, at) : next;
    }
    for (const wsk_elem *c = e->child; c; c = c->next)
        next = fmin(next, wsk_plan_next_failure(c, after_s));
    return next;
}
