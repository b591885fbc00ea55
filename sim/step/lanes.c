/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advances several runs of the same structure (a group) at once: their time steps are taken together, one run in each
 * lane of the vectors. Controls, accounts and observation are separate for each run.
 * Theory: docs/theory/time.md */
#include "sim/step/lanes.h"
#include "sim/step/step.h"
#include "sim/step/tables.h"

#include <math.h>
#include <string.h>

#include "sim/num/wide.h"

#define LANES WSK_LANES
#include "sim/step/kernel.h"

struct wsk_lanes {
    wsk_arena *arena;
    kernel k;
    int n;
    double h;
    wsk_run *runs[WSK_LANES];
    /* The tables of all runs, one lane each. All lanes share `sense` and `deposit` (the media of each port), because
     * only runs whose streams flow in the same directions step together. */
    wsk_config tables;
    unsigned begun;             /* bit l: the tables of lane l have been filled before */
    uint64_t loaded[WSK_LANES]; /* serial number of the tables that each lane holds; 0: none */
};

static bool is_same(const void *a, const void *b, size_t bytes)
{
    return bytes == 0 || memcmp(a, b, bytes) == 0;
}

static bool same_lu(const wsk_lu *a, const wsk_lu *b)
{
    size_t n = (size_t)a->n * sizeof(int);
    return a->n == b->n && a->nnz == b->nnz && is_same(a->order, b->order, n) && is_same(a->diag, b->diag, n) &&
           is_same(a->row_start, b->row_start, n + sizeof(int)) &&
           is_same(a->col, b->col, (size_t)a->nnz * sizeof(int));
}

static bool same_links(const wsk_net *a, const wsk_net *b)
{
    for (int i = 0; i < a->n_block; i++)
        if (a->blocks[i].first != b->blocks[i].first || a->blocks[i].count != b->blocks[i].count ||
            a->blocks[i].first_port != b->blocks[i].first_port || a->blocks[i].n_ports != b->blocks[i].n_ports)
            return false;
    for (int i = 0; i < a->n_port; i++)
        if (a->ports[i].solid != b->ports[i].solid)
            return false;
    for (int i = 0; i < a->n_exchange; i++)
        if (a->exchanges[i].a != b->exchanges[i].a || a->exchanges[i].b != b->exchanges[i].b)
            return false;
    for (int i = 0; i < a->n_cond; i++)
        if (a->conds[i].a != b->conds[i].a || a->conds[i].b != b->conds[i].b)
            return false;
    for (int i = 0; i < a->n_node; i++)
        if (a->nodes[i].boundary != b->nodes[i].boundary || (a->nodes[i].cap_j_k > 0) != (b->nodes[i].cap_j_k > 0))
            return false;
    return true;
}

bool wsk_lanes_alike(const wsk_run *x, const wsk_run *y)
{
    const wsk_net *a = x->net, *b = y->net;
    return x->stepper == WSK_STEPPER_FAST && y->stepper == WSK_STEPPER_FAST && !x->leap && !y->leap && !x->steady &&
           !y->steady && x->tick_ns == y->tick_ns && x->head->t_ns == y->head->t_ns && a->n_solid == b->n_solid &&
           a->n_node == b->n_node && a->n_block == b->n_block && a->n_port == b->n_port &&
           a->n_branch == b->n_branch && a->n_exchange == b->n_exchange && a->n_cond == b->n_cond &&
           a->room == b->room && same_lu(a->mean_lu, b->mean_lu) && same_links(a, b);
}

static double *alloc_vectors(wsk_lanes *g, int count)
{
    return wsk_alloc(g->arena, ((size_t)count + 1) * LANES * sizeof(double));
}

static bool make_room(wsk_lanes *g)
{
    const wsk_net *net = g->k.net;
    const int nodes = net->n_node, ports = net->n_port + 1;
    double *numbers = alloc_vectors(g, wsk_tables_place(net, &g->tables, NULL, LANES)),
           *scratch = alloc_vectors(g, wsk_scratch_place(net, &g->k.s, NULL, LANES));
    g->tables.sense = wsk_alloc(g->arena, (size_t)ports * sizeof(int));
    g->tables.deposit = wsk_alloc(g->arena, (size_t)ports * sizeof(int));
    g->k.t = alloc_vectors(g, nodes);
    g->k.mean_t = alloc_vectors(g, nodes);
    g->k.heat = alloc_vectors(g, nodes);
    g->k.carry = alloc_vectors(g, nodes);
    if (wsk_arena_failed(g->arena))
        return false;
    wsk_scratch_place(net, &g->k.s, scratch, LANES);
    wsk_tables_place(net, &g->tables, numbers, LANES);
    return true;
}

wsk_lanes *wsk_lanes_new(wsk_run *const *runs, int n)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_lanes *g = arena ? wsk_alloc(arena, sizeof *g) : NULL;
    if (!g) {
        wsk_arena_free(arena);
        return NULL;
    }
    *g = (wsk_lanes){.arena = arena, .n = n, .h = (double)runs[0]->tick_ns / 1e9, .k = {.net = runs[0]->net}};
    if (!make_room(g)) {
        wsk_arena_free(arena);
        return NULL;
    }
    g->k.tables = &g->tables;
    memcpy(g->runs, runs, (size_t)n * sizeof *runs);
    return g;
}

void wsk_lanes_free(wsk_lanes *g)
{
    if (g)
        wsk_arena_free(g->arena);
}

static bool same_ways(const wsk_lanes *g, const wsk_config *c)
{
    const size_t bytes = (size_t)g->k.net->n_port * sizeof(int);
    return is_same(g->tables.sense, c->sense, bytes) && is_same(g->tables.deposit, c->deposit, bytes);
}

static void take_ways(wsk_lanes *g, const wsk_config *c)
{
    const size_t bytes = (size_t)g->k.net->n_port * sizeof(int);
    memcpy(g->tables.sense, c->sense, bytes);
    memcpy(g->tables.deposit, c->deposit, bytes);
}

static void fill_lane(double *lanes, int l, const double *from, ptrdiff_t count)
{
    for (ptrdiff_t i = 0; i < count; i++)
        lanes[i * LANES + l] = from[i];
}

static void load_tables(wsk_lanes *g, int l, const wsk_config *c)
{
    const ptrdiff_t count = wsk_tables_place(g->k.net, &(wsk_config){0}, NULL, 1),
                    skip = !(g->begun & 1u << l) ? 0 : c->blocks - c->gain;
    fill_lane(g->tables.gain + skip * LANES, l, c->gain + skip,
              /* the first `skip` entries depend only on heat capacities and step length, which do not change */
              count - skip);
    g->begun |= 1u << l;
    g->loaded[l] = c->serial;
}

/* Fills the tables of the lanes in `who`, and returns the lanes whose streams flow in the directions of the group.
 * If more than half of the lanes in `who` have other directions, the group first adopts the directions of one of
 * them. */
static unsigned make_ready(wsk_lanes *g, unsigned who)
{
    unsigned ready = 0;
    int asked = 0, odd = 0;
    const wsk_config *other = NULL;
    for (int l = 0; l < g->n; l++) {
        if (!(who & 1u << l))
            continue;
        const wsk_config *c = wsk_config_for(g->runs[l], g->h);
        asked++;
        if (c && c->serial == g->loaded[l]) {
            ready |= 1u << l;
        } else if (c && same_ways(g, c)) {
            load_tables(g, l, c);
            ready |= 1u << l;
        } else if (c) {
            odd++;
            other = c;
        }
    }
    if (2 * odd <= asked)
        return ready;
    take_ways(g, other);
    memset(g->loaded, 0, sizeof g->loaded);
    ready = 0;
    for (int l = 0; l < g->n; l++) {
        const wsk_config *c = who & 1u << l ? wsk_config_for(g->runs[l], g->h) : NULL;
        if (!c || !same_ways(g, c))
            continue;
        load_tables(g, l, c);
        ready |= 1u << l;
    }
    return ready;
}

WSK_WIDEST static void step_all(const kernel *k)
{
    take_step(k);
}

static void gather_lanes(const wsk_lanes *g, unsigned who)
{
    for (int l = 0; l < g->n; l++)
        if (who & 1u << l) {
            fill_lane(g->k.t, l, g->runs[l]->t, g->k.net->n_node);
            fill_lane(g->k.heat, l, g->runs[l]->heat, g->k.net->n_node);
            fill_lane(g->k.carry, l, g->runs[l]->carry, g->k.net->n_node);
        }
}

static void scatter_lanes(const wsk_lanes *g, unsigned who)
{
    const int n = g->k.net->n_node, media = n - g->k.net->n_solid;
    for (int l = 0; l < g->n; l++) {
        wsk_run *run = g->runs[l];
        for (int i = 0; (who & 1u << l) && i < media; i++)
            run->stepping->scratch.e[i] = g->k.s.e[i * LANES + l];
        for (int i = 0; (who & 1u << l) && i < n; i++) {
            run->t[i] = g->k.t[i * LANES + l];
            run->mean_t[i] = g->k.mean_t[i * LANES + l];
            run->carry[i] = g->k.carry[i * LANES + l];
        }
    }
}

unsigned wsk_lanes_step(wsk_lanes *g, unsigned who)
{
    unsigned ready = make_ready(g, who);
    if (ready) {
        gather_lanes(g, ready);
        step_all(&g->k);
        scatter_lanes(g, ready);
    }
    return ready;
}

static void advance_alone(wsk_run *run, int64_t until_ns, wsk_status *status)
{
    while (*status == WSK_OK && run->head->t_ns < until_ns)
        if (!wsk_tick(run))
            *status = WSK_ENUMERIC;
}

/* A run with an event inside the tick takes the tick alone. */
static void tick_together(wsk_lanes *g, int64_t end_ns, int64_t until_ns, wsk_status *status)
{
    unsigned together = 0;
    for (int l = 0; l < g->n; l++) {
        wsk_run *run = g->runs[l];
        if (status[l] != WSK_OK)
            continue;
        int64_t next = wsk_tick_begin(run);
        if (next == end_ns && run->head->t_ns == end_ns - run->tick_ns) {
            together |= 1u << l;
            wsk_step_keep(run);
        } else {
            status[l] = wsk_tick_step(run, next) && wsk_tick_end(run, next) ? WSK_OK : WSK_ENUMERIC;
            advance_alone(run, until_ns < end_ns ? until_ns : end_ns, &status[l]);
        }
    }
    unsigned done = wsk_lanes_step(g, together);
    for (int l = 0; l < g->n; l++) {
        wsk_run *run = g->runs[l];
        if (!(together & 1u << l))
            continue;
        bool ok = (done & 1u << l) && wsk_step_agrees(run);
        if (!ok) {
            if (done & 1u << l)
                wsk_step_undo(run);
            ok = wsk_tick_step(run, end_ns);
        }
        status[l] = ok && wsk_tick_end(run, end_ns) ? WSK_OK : WSK_ENUMERIC;
    }
}

static void advance_group(wsk_lanes *g, double until_s, wsk_status *status)
{
    for (int l = 0; l < g->n; l++) {
        status[l] = g->runs[l]->failure ? WSK_ENUMERIC : WSK_OK;
        wsk_hide_start(g->runs[l]);
    }
    int64_t tick = g->runs[0]->tick_ns, t = g->runs[0]->head->t_ns,
            until = until_s >= 9e9 ? INT64_MAX / 2 : (int64_t)(wsk_max(until_s, 0) * 1e9);
    int64_t shortest = INT64_MAX;
    for (int l = 0; l < g->n; l++)
        shortest = g->runs[l]->end_ns < shortest ? g->runs[l]->end_ns : shortest;
    for (; t % tick == 0 && t < until && t + tick <= shortest; t += tick)
        tick_together(g, t + tick, until, status);
    for (int l = 0; l < g->n; l++) {
        if (status[l] == WSK_OK)
            status[l] = wsk_run_advance(g->runs[l], until_s);
        else
            wsk_stand(g->runs[l]);
    }
}

wsk_status wsk_runs_advance(wsk_run *const *runs, size_t count, double until_s, wsk_status *status)
{
    for (size_t i = 0; i < count; i++)
        status[i] = WSK_EUSAGE; /* marks a run that has not been advanced yet */
    if (isnan(until_s))
        return WSK_EUSAGE;
    for (size_t first = 0; first < count; first++) {
        wsk_run *together[WSK_LANES];
        size_t which[WSK_LANES];
        wsk_status result[WSK_LANES];
        int n = 0;
        for (size_t i = first; i < count && n < WSK_LANES && status[first] == WSK_EUSAGE; i++)
            if (status[i] == WSK_EUSAGE && (i == first || wsk_lanes_alike(runs[first], runs[i]))) {
                together[n] = runs[i];
                which[n++] = i;
            }
        if (n == 1)
            status[first] = wsk_run_advance(runs[first], until_s);
        if (n < 2)
            continue;
        wsk_lanes *lanes = wsk_lanes_new(together, n);
        if (!lanes)
            return WSK_ENOMEM;
        advance_group(lanes, until_s, result);
        wsk_lanes_free(lanes);
        for (int l = 0; l < n; l++)
            status[which[l]] = result[l];
    }
    return WSK_OK;
}
