/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/net/compile.h"
#include "sim/net/point.h"
#include "sim/num/wide.h"

static void link_pair(unsigned char *p, int n, int i, int j)
{
    p[i * n + j] = p[j * n + i] = 1;
}

const wsk_lu *wsk_net_full_lu(const wsk_net *net, wsk_arena *arena)
{
    int n = net->n_node;
    unsigned char *full = wsk_alloc(arena, (size_t)n * (size_t)n);
    if (!full)
        return NULL;
    for (int i = 0; i < net->n_branch; i++)
        link_pair(full, n, net->flow_node[net->branches[i].from], net->flow_node[net->branches[i].to]);
    for (int i = 0; i < net->n_exchange; i++)
        link_pair(full, n, net->exchanges[i].a, net->exchanges[i].b);
    for (int i = 0; i < net->n_cond; i++)
        link_pair(full, n, net->conds[i].a, net->conds[i].b);
    for (int k = 0; k < net->n_block; k++)
        for (int i = 0; i < net->blocks[k].count; i++)
            for (int j = 0; j < net->blocks[k].count; j++)
                full[(net->blocks[k].first + i) * n + net->blocks[k].first + j] = 1;
    /* A port links its solid with the media `sense` and `deposit`, which swap if the stream reverses. All three
     * pairs are therefore linked. */
    for (int p = 0; p < net->n_port; p++) {
        const wsk_port *a = &net->ports[p];
        link_pair(full, n, a->solid, a->sense);
        link_pair(full, n, a->solid, a->deposit);
        link_pair(full, n, a->deposit, a->sense);
    }
    return wsk_lu_analyse(arena, n, full);
}

wsk_places wsk_net_places(const wsk_net *net, const wsk_lu *lu, int shift, bool inverted, wsk_arena *arena)
{
    const int n = lu->n, pairs = net->n_branch + net->n_exchange + net->n_cond;
    int *at = wsk_alloc(arena, ((size_t)n * (size_t)n + 1) * sizeof *at),
        (*pair)[4] = wsk_alloc(arena, ((size_t)pairs + 1) * sizeof *pair);
    int *own = wsk_alloc(arena, ((size_t)n + 1) * sizeof *own), given = 0;
    if (wsk_arena_failed(arena))
        return (wsk_places){0};
    const int rows = wsk_inverse_rows(n), size = inverted ? n * rows : lu->nnz;
    for (int i = 0; i < n * n; i++)
        at[i] = net->nodes[i / n + shift].boundary ? size : inverted ? i % n * rows + i / n : lu->place[i];
    for (int i = 0; i < n; i++)
        if (net->nodes[i + shift].boundary)
            own[given++] = inverted ? i * rows + i : lu->place[i * n + i];
    for (int i = 0; i < pairs; i++) {
        const int x = i - net->n_branch, c = x - net->n_exchange;
        int a = x < 0 ? net->flow_node[net->branches[i].from] : c < 0 ? net->exchanges[x].a : net->conds[c].a;
        int b = x < 0 ? net->flow_node[net->branches[i].to] : c < 0 ? net->exchanges[x].b : net->conds[c].b;
        a -= shift;
        b -= shift;
        const int of[4] = {at[a * n + a], at[b * n + a], at[b * n + b], at[a * n + b]};
        memcpy(pair[i], of, sizeof of);
    }
    return (wsk_places){n, shift, size, at, own, (const int(*)[4])pair};
}

static wsk_answer classify_node(const wsk_net *net, int node)
{
    const wsk_node *n = &net->nodes[node];
    return n->boundary ? WSK_GIVEN : n->cap_j_k > 0 ? WSK_SLOW : WSK_QUICK;
}

static bool is_slow(const wsk_net *net, int node)
{
    return node >= net->n_solid && classify_node(net, node) == WSK_SLOW;
}

static bool sort_media(wsk_net *net)
{
    size_t n = (size_t)(net->n_node - net->n_solid) + 1, ports = (size_t)net->n_port + 1;
    net->port_solid = wsk_alloc(net->arena, ports * sizeof(int));
    net->port_slot = wsk_alloc(net->arena, ports * sizeof(int));
    net->port_row = wsk_alloc(net->arena, ports * sizeof(int));
    net->slow_port = wsk_alloc(net->arena, ports * sizeof(int));
    for (int kind = 0; kind < WSK_MEDIA; kind++)
        net->media[kind] = wsk_alloc(net->arena, n * sizeof(int));
    if (wsk_arena_failed(net->arena))
        return false;
    for (int node = net->n_solid; node < net->n_node; node++) {
        wsk_answer kind = classify_node(net, node);
        net->media[kind][net->n_media[kind]++] = node;
    }
    for (int k = 0; k < net->n_block; k++) {
        const wsk_block *b = &net->blocks[k];
        for (int p = b->first_port; p < b->first_port + b->n_ports; p++) {
            net->port_row[p] = net->ports[p].solid - b->first;
            net->port_slot[p] = b->slot + net->port_row[p];
        }
    }
    for (int p = 0; p < net->n_port; p++) {
        net->port_solid[p] = net->ports[p].solid;
        /* lists ports whose sense or deposit is slow: the two media swap if the stream reverses */
        if (is_slow(net, net->ports[p].sense) || is_slow(net, net->ports[p].deposit))
            net->slow_port[net->n_slow_port++] = p;
    }
    return true;
}

static void place_block(wsk_net *net, wsk_block *b)
{
    const int n = b->count, rows = wsk_rows(n);
    b->table = net->n_table;
    b->slot = net->n_slot;
    net->n_table += wsk_table_size(n, b->n_ports);
    net->n_slot += rows;
    wsk_alike *last = net->n_alike > 0 ? &net->alike[net->n_alike - 1] : NULL;
    if (last && last->count == n && last->ports == b->n_ports)
        last->blocks++;
    else
        net->alike[net->n_alike++] = (wsk_alike){1, n, b->n_ports};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j) {
                b->base[j * rows + i] = b->inner[i][j];
                b->base[i * rows + i] -= b->inner[i][j];
            }
}

/* Returns the analysis of a pattern: `of`, if that is the analysis of an equal pattern, else a new one. `of` may be
 * NULL. */
static const wsk_lu *analyse(wsk_net *net, int n, const unsigned char *pattern, const wsk_lu *of)
{
    return of && of->n == n && memcmp(of->pattern, pattern, (size_t)n * (size_t)n) == 0
               ? of
               : wsk_lu_analyse(net->arena, n, pattern);
}

bool wsk_net_analyse(wsk_net *net, const wsk_net *of)
{
    int n = net->n_node, m = n - net->n_solid, s0 = net->n_solid, u = net->n_flow - 1;
    size_t nn = (size_t)n * (size_t)n;
    unsigned char *mean = wsk_alloc(net->arena, nn), *flow = wsk_alloc(net->arena, nn);
    net->alike = wsk_alloc(net->arena, ((size_t)net->n_block + 1) * sizeof *net->alike);
    if (wsk_arena_failed(net->arena))
        return false;
    for (int i = 0; i < net->n_branch; i++) {
        const wsk_branch *b = &net->branches[i];
        link_pair(mean, m, net->flow_node[b->from] - s0, net->flow_node[b->to] - s0);
        if (b->from && b->to)
            link_pair(flow, u, b->from - 1, b->to - 1);
    }
    for (int i = 0; i < net->n_exchange; i++)
        link_pair(mean, m, net->exchanges[i].a - s0, net->exchanges[i].b - s0);
    for (int i = 0; i < net->n_cond; i++)
        link_pair(mean, m, net->conds[i].a - s0, net->conds[i].b - s0);
    for (int k = 0; k < net->n_block; k++) {
        wsk_block *b = &net->blocks[k];
        place_block(net, b);
        for (int p = b->first_port; p < b->first_port + b->n_ports; p++) {
            const wsk_port *a = &net->ports[p];
            for (int q = b->first_port; q < b->first_port + b->n_ports; q++) {
                const wsk_port *c = &net->ports[q];
                const int mine[2] = {a->deposit - s0, a->sense - s0}, other[2] = {c->deposit - s0, c->sense - s0};
                for (int i = 0; i < 4; i++)
                    mean[mine[i & 1] * m + other[i >> 1]] = 1;
            }
        }
    }
    net->flow_lu = analyse(net, u, flow, of ? of->flow_lu : NULL);
    net->mean_lu = analyse(net, m, mean, of ? of->mean_lu : NULL);
    if (net->mean_lu)
        net->mean_at = wsk_net_places(net, net->mean_lu, s0, m <= WSK_INVERSE_MAX, net->arena);
    return net->flow_lu && net->mean_at.at && sort_media(net) && wsk_point_prepare(net);
}
