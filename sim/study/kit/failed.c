/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/study/kit/failed.h"

typedef struct {
    wsk_arena *arena;
    const wsk_net *net;
    const wsk_run *run;
    double by_s;
    wsk_failed *parts;
    size_t n;
} listing;

/* failed: the part has failed in the run l->run, if there is one; fails_ns: planned time of its failure. */
static bool is_failed(const listing *l, bool failed, int64_t fails_ns)
{
    return l->run ? failed : fails_ns >= 0 && (double)fails_ns / 1e9 < l->by_s;
}

/* Planned time of the failure of a part; -1 if the part failed by command: before that time, or after a return. */
static int64_t planned_ns(const listing *l, bool returned, int64_t fails_ns)
{
    return l->run && (returned || !wsk_fails_now(l->run, fails_ns)) ? -1 : fails_ns;
}

static const wsk_elem *find_id(const wsk_elem *e, const char *id)
{
    if (e->id && strcmp(e->id, id) == 0)
        return e;
    const wsk_elem *found = NULL;
    for (const wsk_elem *c = e->child; c && !found; c = c->next)
        found = find_id(c, id);
    return found;
}

static bool has_other_part(const wsk_elem *e, const wsk_elem *than)
{
    if (strcmp(e->kind->element, than->kind->element) == 0 && (!e->part || strcmp(e->part, than->part) != 0))
        return true;
    for (const wsk_elem *c = e->child; c; c = c->next)
        if (has_other_part(c, than))
            return true;
    return false;
}

static bool is_counted(const wsk_elem *e)
{
    const size_t n = strlen(e->kind->element);
    return strncmp(e->id, e->kind->element, n) == 0 && e->id[n + strspn(e->id + n, "0123456789")] == '\0';
}

/* Names a failed element. Default ids such as pump1 do not follow the order of the file, so the name adds the part
 * where elements of that kind have different parts. */
static const wsk_said *say_name(const listing *l, const char *id)
{
    const wsk_elem *rig = l->net->plan->rig, *e = find_id(rig, id);
    return e && e->part && is_counted(e) && has_other_part(rig, e)
               ? WSK_SAY(l->arena, WSK_SAY_FAILURE_OF_PART, id, e->part)
               : WSK_SAY(l->arena, WSK_SAY_PLAIN, id);
}

/* If only some fans of a group fail, they form a separate mover, "fan0.failing". */
static const wsk_said *say_mover(const listing *l, const wsk_mover *m)
{
    const wsk_net *net = l->net;
    const char *dot = strrchr(m->name, '.');
    double all = m->count;
    if (!dot || strcmp(dot, ".failing") != 0)
        return say_name(l, m->name);
    size_t len = (size_t)(dot - m->name);
    for (int i = 0; i < net->n_mover; i++)
        if (strlen(net->movers[i].name) == len && strncmp(net->movers[i].name, m->name, len) == 0)
            all += net->movers[i].count;
    const char *id = wsk_printf(l->arena, "%.*s", (int)len, m->name);
    return id ? WSK_SAY(l->arena, WSK_SAY_FAILURE_SOME_FANS, m->count, all, say_name(l, id)) : NULL;
}

static void list_cooling(listing *l)
{
    const wsk_net *net = l->net;
    if (is_failed(l, l->run && l->run->head->ac_failed, net->ac_fails_ns))
        l->parts[l->n++] =
            (wsk_failed){.what = WSK_SAY(l->arena, WSK_SAY_FAILURE_AC),
                         .fails_ns = planned_ns(l, l->run && l->run->head->ac_mended, net->ac_fails_ns)};
    for (int i = 0; i < net->n_mover; i++)
        if (is_failed(l, l->run && l->run->movers[i].failed, net->movers[i].fails_ns))
            l->parts[l->n++] =
                (wsk_failed){.what = say_mover(l, &net->movers[i]),
                             .fails_ns = planned_ns(l, l->run && l->run->movers[i].mended, net->movers[i].fails_ns)};
}

static void list_powered(listing *l)
{
    const wsk_net *net = l->net;
    for (int i = 0; i < net->n_card; i++)
        if (is_failed(l, l->run && l->run->cards[i].off == WSK_LOST, net->cards[i].lost_ns))
            l->parts[l->n++] =
                (wsk_failed){.what = WSK_SAY(l->arena, WSK_SAY_PLAIN, net->cards[i].id),
                             .fails_ns = planned_ns(l, l->run && l->run->cards[i].found, net->cards[i].lost_ns),
                             .card = true};
    for (int i = 0; i < net->n_supply; i++)
        if (is_failed(l, l->run && l->run->supplies[i].failed, net->supplies[i].fails_ns))
            l->parts[l->n++] =
                (wsk_failed){.what = say_name(l, net->supplies[i].elem->id),
                             .fails_ns = l->run ? l->run->supplies[i].failed_ns : net->supplies[i].fails_ns};
    for (int i = 0; i < net->n_line; i++)
        if (is_failed(l, l->run && l->run->lines[i].tripped == WSK_LINE_FAILED, net->lines[i].fails_ns))
            l->parts[l->n++] = (wsk_failed){.what = WSK_SAY(l->arena, WSK_SAY_FAILED_CIRCUIT, net->lines[i].id),
                                            .fails_ns = l->run ? l->run->lines[i].at_ns : net->lines[i].fails_ns,
                                            .circuit = true};
}

const wsk_failed *wsk_failed_parts(wsk_arena *arena, const wsk_net *net, const wsk_run *run, double by_s, size_t *n)
{
    const size_t most = (size_t)(1 + net->n_mover + net->n_card + net->n_supply + net->n_line);
    listing l = {
        .arena = arena, .net = net, .run = run, .by_s = by_s, .parts = wsk_alloc(arena, most * sizeof(wsk_failed))};
    *n = 0;
    if (!l.parts)
        return NULL;
    list_cooling(&l);
    list_powered(&l);
    *n = l.n;
    return l.parts;
}
