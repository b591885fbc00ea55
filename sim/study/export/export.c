/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the list of heat flows (terms) of the network, and records their conductances at each step of a run. Theory:
 * docs/theory/time.md */
#include "sim/study/export/export.h"
#include "sim/study/findings/page.h"
#include "sim/step/step.h"
#include "sim/step/tables.h"

#include <math.h>
#include <string.h>

enum { SETTLED_S = 600 };

static void add(wsk_heat_net *x, wsk_term_kind kind, int from, int sense, int to)
{
    x->terms[x->n_term++] = (wsk_term){kind, from, sense, to};
}

static int terms_of(const wsk_net *net)
{
    int n = 2 * net->n_branch + 2 * net->n_port + net->n_exchange + net->n_cond + net->n_card;
    for (int k = 0; k < net->n_block; k++)
        n += net->blocks[k].count * (net->blocks[k].count - 1) / 2;
    return n;
}

/* Adds the terms in the same order in which read_terms stores their conductances. */
static void lay_terms(wsk_heat_net *x)
{
    const wsk_net *net = x->net;
    for (int k = 0; k < net->n_block; k++)
        for (int i = 0; i < net->blocks[k].count; i++)
            for (int j = 0; j < i; j++)
                add(x, WSK_TERM_CONDUCTANCE, net->blocks[k].first + i, net->blocks[k].first + j,
                    net->blocks[k].first + j);
    for (int i = 0; i < net->n_card; i++)
        add(x, WSK_TERM_CONDUCTANCE, net->n_node + i, net->cards[i].heatsink, net->cards[i].heatsink);
    for (int i = 0; i < net->n_cond; i++)
        add(x, WSK_TERM_CONDUCTANCE, net->conds[i].a, net->conds[i].b, net->conds[i].b);
    for (int i = 0; i < net->n_exchange; i++)
        add(x, WSK_TERM_CONDUCTANCE, net->exchanges[i].a, net->exchanges[i].b, net->exchanges[i].b);
    for (int i = 0; i < net->n_port; i++) {
        const wsk_port *p = &net->ports[i];
        wsk_term_kind kind = p->sense == p->deposit ? WSK_TERM_CONDUCTANCE : WSK_TERM_PORT;
        add(x, kind, p->solid, p->sense, p->deposit);
        add(x, kind, p->solid, p->deposit, p->sense);
    }
    for (int i = 0; i < net->n_branch; i++) {
        int from = net->flow_node[net->branches[i].from], to = net->flow_node[net->branches[i].to];
        add(x, WSK_TERM_STREAM, from, WSK_NO, to);
        add(x, WSK_TERM_STREAM, to, WSK_NO, from);
    }
}

wsk_heat_net *wsk_heat_net_new(const wsk_run *run)
{
    const wsk_net *net = run->net;
    wsk_arena *arena = wsk_arena_new();
    wsk_heat_net *x = arena ? wsk_alloc(arena, sizeof *x) : NULL;
    size_t n = (size_t)(net->n_node + net->n_card);
    double *cap = x ? wsk_alloc(arena, (n + 1) * sizeof *cap) : NULL;
    if (cap) {
        *x = (wsk_heat_net){.net = net, .arena = arena, .n_node = (int)n, .cap = cap};
        x->name = wsk_alloc(arena, (n + 1) * sizeof *x->name);
        x->given = wsk_alloc(arena, (n + 1) * sizeof *x->given);
        x->terms = wsk_alloc(arena, ((size_t)terms_of(net) + 1) * sizeof *x->terms);
    }
    if (!cap || !x->name || !x->given || !x->terms)
        goto fail;
    for (int i = 0; i < net->n_node; i++) {
        x->name[i] = net->nodes[i].name;
        x->given[i] = net->nodes[i].boundary;
        cap[i] = net->nodes[i].boundary ? 0 : net->nodes[i].cap_j_k;
    }
    for (int i = 0; i < net->n_card; i++)
        if (!(x->name[net->n_node + i] = wsk_printf(arena, "%s.die", net->cards[i].id)))
            goto fail;
    lay_terms(x);
    return x;
fail:
    wsk_arena_free(arena);
    return NULL;
}

void wsk_heat_net_free(wsk_heat_net *x)
{
    if (x)
        wsk_arena_free(x->arena);
}

static void read_terms(const wsk_heat_net *x, const wsk_run *run, double *g)
{
    const wsk_net *net = x->net;
    const wsk_point *p = &run->flows->point;
    for (int k = 0; k < net->n_block; k++)
        for (int i = 0; i < net->blocks[k].count; i++)
            for (int j = 0; j < i; j++)
                *g++ = net->blocks[k].inner[i][j];
    for (int i = 0; i < net->n_card; i++) /* 1e-6 K/W replaces a resistance of 0 */
        *g++ = 1 / wsk_max(net->cards[i].die_res_k_w, 1e-6);
    for (int i = 0; i < net->n_cond; i++)
        *g++ = net->conds[i].g;
    for (int i = 0; i < net->n_exchange; i++)
        *g++ = p->x[i];
    for (int i = 0; i < net->n_port; i++) {
        bool forth = p->sense[i] == net->ports[i].sense;
        *g++ = forth ? p->g[i] : 0;
        *g++ = forth ? 0 : p->g[i];
    }
    for (int i = 0; i < net->n_branch; i++) {
        *g++ = p->w[i] > 0 ? p->w[i] : 0;
        *g++ = p->w[i] < 0 ? -p->w[i] : 0;
    }
}

void wsk_heat_net_read(const wsk_heat_net *x, const wsk_run *run, double *g, double *heat_w, double *temp_c)
{
    const wsk_net *net = x->net;
    read_terms(x, run, g);
    for (int i = 0; i < net->n_node; i++) {
        heat_w[i] = x->given[i] ? 0 : run->heat[i];
        temp_c[i] = run->t[i] - WSK_KELVIN;
    }
    for (int i = 0; i < net->n_card; i++) {
        double die_w = wsk_die_w(&net->cards[i], run->cards[i].traffic, run->cards[i].power_w);
        heat_w[net->n_node + i] = die_w;
        heat_w[net->cards[i].heatsink] -= die_w;
        temp_c[net->n_node + i] = wsk_die_k(run, &net->cards[i], &run->cards[i]) - WSK_KELVIN;
    }
}

typedef struct {
    double *g, *heat_w, *temp_c;
} row;

static bool new_row(const wsk_exported *e, row *r)
{
    wsk_arena *a = e->heat_net->arena;
    size_t n = (size_t)e->heat_net->n_node * sizeof(double), m = (size_t)e->heat_net->n_term * sizeof(double);
    *r = (row){r->g ? r->g : wsk_alloc(a, m), wsk_alloc(a, n), wsk_alloc(a, n)};
    return r->g && r->heat_w && r->temp_c;
}

/* An array stored for one of the last BACK steps that equals g; NULL: none does. Such arrays recur where fans alternate
 * between two speeds. */
static const double *known_flows(const wsk_exported *e, const double *g)
{
    enum { BACK = 256 };
    for (int k = e->n_step - 1; k >= 0 && k >= e->n_step - BACK; k--)
        if (memcmp(e->steps[k].g, g, (size_t)e->heat_net->n_term * sizeof *g) == 0)
            return e->steps[k].g;
    return NULL;
}

static bool keep(wsk_exported *e, double until_s, row *r)
{
    if (e->n_step == e->room) {
        int room = e->room ? 2 * e->room : 64;
        wsk_exported_step *steps = wsk_alloc(e->heat_net->arena, (size_t)room * sizeof *steps);
        if (!steps)
            return false;
        if (e->n_step)
            memcpy(steps, e->steps, (size_t)e->n_step * sizeof *steps);
        e->steps = steps;
        e->room = room;
    }
    const double *g = known_flows(e, r->g);
    e->steps[e->n_step++] = (wsk_exported_step){until_s, g ? g : r->g, r->heat_w, r->temp_c};
    return true;
}

static wsk_status one_step(wsk_run *run)
{
    wsk_status status = wsk_run_advance(run, wsk_time_s(run) + 1e-6);
    /* WSK_EAUDIT: the energy accounts do not balance. A settled run may return this, because its accounts cover only
     * a part of it. */
    return status == WSK_EAUDIT ? WSK_OK : status;
}

static wsk_status record_settled(wsk_run *run, wsk_exported *e)
{
    row r = {0}, mean = {0};
    int n = e->heat_net->n_node, m = e->heat_net->n_term;
    if (!new_row(e, &r) || !new_row(e, &mean))
        return WSK_ENOMEM;
    double end = wsk_time_s(run) + SETTLED_S, steps = 0;
    while (wsk_time_s(run) < end && wsk_time_s(run) < (double)run->end_ns / 1e9) {
        wsk_status status = one_step(run);
        if (status != WSK_OK)
            return status;
        wsk_heat_net_read(e->heat_net, run, r.g, r.heat_w, r.temp_c);
        steps++;
        for (int i = 0; i < m; i++) {
            e->moving = e->moving || (steps > 1 && fabs(r.g[i] - mean.g[i]) > 1e-9 * fabs(mean.g[i]));
            mean.g[i] += (r.g[i] - mean.g[i]) / steps;
        }
        for (int i = 0; i < n; i++) {
            mean.heat_w[i] += (r.heat_w[i] - mean.heat_w[i]) / steps;
            mean.temp_c[i] += (r.temp_c[i] - mean.temp_c[i]) / steps;
        }
    }
    e->start_c = mean.temp_c;
    return keep(e, 0, &mean) ? WSK_OK : WSK_ENOMEM;
}

static wsk_status record_run(wsk_run *run, wsk_exported *e)
{
    row r = {0};
    const wsk_net *net = run->net;
    e->replay = true;
    e->start_c = wsk_alloc(e->heat_net->arena, (size_t)e->heat_net->n_node * sizeof *e->start_c);
    if (!e->start_c)
        return WSK_ENOMEM;
    for (int i = 0; i < e->heat_net->n_node; i++)
        e->start_c[i] = run->t[i < net->n_node ? i : net->cards[i - net->n_node].heatsink] - WSK_KELVIN;
    while (wsk_time_s(run) < (double)run->end_ns / 1e9) {
        wsk_status status = one_step(run);
        if (status != WSK_OK)
            return status;
        if (e->n_step && e->steps[e->n_step - 1].g == r.g)
            r.g = NULL; /* the array belongs to the last stored step */
        if (!new_row(e, &r))
            return WSK_ENOMEM;
        wsk_heat_net_read(e->heat_net, run, r.g, r.heat_w, r.temp_c);
        if (!keep(e, wsk_time_s(run), &r))
            return WSK_ENOMEM;
    }
    return WSK_OK;
}

wsk_status wsk_export(const wsk_net *net, const char *digest, bool json, double replay_s, const wsk_voice *voice,
                      wsk_buf *out, wsk_buf *why)
{
    wsk_run *run = NULL;
    wsk_exported e = {.rig = net->plan->name, .digest = digest};
    bool cycling;
    wsk_status status = replay_s > 0
                            ? wsk_run_create(&run, net, &(wsk_run_options){.duration_s = replay_s, .no_series = true})
                            : wsk_steady_solve(&run, net, WSK_STEPPER_FAST, &cycling, NULL, NULL);
    if (status == WSK_OK) {
        e.heat_net = wsk_heat_net_new(run);
        status = !e.heat_net ? WSK_ENOMEM : replay_s > 0 ? record_run(run, &e) : record_settled(run, &e);
    }
    if (status == WSK_OK)
        status = (json ? wsk_export_json(&e, out) : wsk_export_spice(&e, out)) ? WSK_OK : WSK_ENOMEM;
    else if (run && run->failure)
        wsk_page_said(run->failure, voice, why);
    wsk_heat_net_free(e.heat_net);
    wsk_run_free(run);
    return status;
}
