/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/study/failed.h"

typedef struct {
    wsk_arena *arena;
    const wsk_net *net;
    const wsk_run *run;
    wsk_failed *parts;
    size_t n;
} listing;

/* failed: whether it has failed in the run, if there is one. */
static bool is_failed(const listing *l, bool failed, int64_t fails_ns)
{
    return l->run ? failed : fails_ns >= 0 && (double)fails_ns / 1e9 < l->net->runspec->for_s;
}

/* If only some fans of a group fail, they form a separate mover, "fan0.failing". */
static const wsk_said *say_failed_fan(const wsk_net *net, const wsk_mover *m, wsk_arena *a)
{
    const char *dot = strrchr(m->name, '.');
    double all = m->count;
    if (!dot || strcmp(dot, ".failing") != 0)
        return WSK_SAY(a, WSK_SAY_PLAIN, m->name);
    size_t len = (size_t)(dot - m->name);
    for (int i = 0; i < net->n_mover; i++)
        if (strlen(net->movers[i].name) == len && strncmp(net->movers[i].name, m->name, len) == 0)
            all += net->movers[i].count;
    return WSK_SAY(a, WSK_SAY_FAILURE_SOME_FANS, m->count, all, wsk_printf(a, "%.*s", (int)len, m->name));
}

static void list_cooling(listing *l)
{
    const wsk_net *net = l->net;
    if (is_failed(l, l->run && l->run->head->ac_failed, net->ac_fails_ns))
        l->parts[l->n++] = (wsk_failed){.what = WSK_SAY(l->arena, WSK_SAY_FAILURE_AC), .fails_ns = net->ac_fails_ns};
    for (int i = 0; i < net->n_mover; i++)
        if (is_failed(l, l->run && l->run->movers[i].failed, net->movers[i].fails_ns))
            l->parts[l->n++] = (wsk_failed){.what = say_failed_fan(net, &net->movers[i], l->arena),
                                            .fails_ns = net->movers[i].fails_ns};
}

static void list_powered(listing *l)
{
    const wsk_net *net = l->net;
    for (int i = 0; i < net->n_card; i++)
        if (is_failed(l, l->run && l->run->cards[i].off == WSK_LOST, net->cards[i].lost_ns))
            l->parts[l->n++] = (wsk_failed){.what = WSK_SAY(l->arena, WSK_SAY_PLAIN, net->cards[i].id),
                                            .fails_ns = net->cards[i].lost_ns,
                                            .card = true};
    for (int i = 0; i < net->n_supply; i++)
        if (is_failed(l, l->run && l->run->supplies[i].failed, net->supplies[i].fails_ns))
            l->parts[l->n++] = (wsk_failed){.what = WSK_SAY(l->arena, WSK_SAY_PLAIN, net->supplies[i].elem->id),
                                            .fails_ns = net->supplies[i].fails_ns};
    for (int i = 0; i < net->n_line; i++)
        if (is_failed(l, l->run && l->run->lines[i].tripped == WSK_LINE_FAILED, net->lines[i].fails_ns))
            l->parts[l->n++] = (wsk_failed){.what = WSK_SAY(l->arena, WSK_SAY_FAILED_CIRCUIT, net->lines[i].id),
                                            .fails_ns = net->lines[i].fails_ns,
                                            .circuit = true};
}

const wsk_failed *wsk_failed_parts(wsk_arena *arena, const wsk_net *net, const wsk_run *run, size_t *n)
{
    const size_t most = (size_t)(1 + net->n_mover + net->n_card + net->n_supply + net->n_line);
    listing l = {.arena = arena, .net = net, .run = run, .parts = wsk_alloc(arena, most * sizeof(wsk_failed))};
    *n = 0;
    if (!l.parts)
        return NULL;
    list_cooling(&l);
    list_powered(&l);
    *n = l.n;
    return l.parts;
}
