/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/net/compile.h"

/* Doubles a full table; it begins with WSK_ROOM_FIRST rows, because most rigs are small. Sets b->full if the table
 * cannot grow further. */
static void *grow_table(wsk_build *b, void *table, int count, size_t size)
{
    if (count < WSK_ROOM_FIRST || count & (count - 1))
        return table;
    void *more = count < WSK_ROOM_FOR ? wsk_alloc(b->net->arena, 2 * (size_t)count * size) : NULL;
    if (!more) {
        b->full = true;
        return table;
    }
    memcpy(more, table, (size_t)count * size);
    wsk_arena_drop(table, (size_t)count * size);
    return more;
}
#define ROOM(b, table, count) \
    ((b)->net->table = grow_table(b, (b)->net->table, (b)->net->count, sizeof *(b)->net->table), !(b)->full)

int wsk_build_node(wsk_build *b, const char *name, const wsk_elem *elem, double cap_j_k, double absurd_k)
{
    if (!ROOM(b, nodes, n_node) || !name) {
        b->full = true;
        return 0;
    }
    b->net->nodes[b->net->n_node] = (wsk_node){.name = name, .elem = elem, .cap_j_k = cap_j_k, .absurd_k = absurd_k};
    return b->net->n_node++;
}

int wsk_build_flow_node(wsk_build *b, int node)
{
    if (!ROOM(b, flow_node, n_flow))
        return 0;
    b->net->flow_node[b->net->n_flow] = node;
    return b->net->n_flow++;
}

int wsk_build_block(wsk_build *b, int first, int count)
{
    if (!ROOM(b, blocks, n_block))
        return 0;
    b->net->blocks[b->net->n_block] = (wsk_block){.first = first, .count = count};
    return b->net->n_block++;
}

void wsk_build_inner(wsk_build *b, int block, int i, int j, double g)
{
    b->net->blocks[block].inner[i][j] += g;
    b->net->blocks[block].inner[j][i] += g;
}

int wsk_build_port(wsk_build *b, wsk_port port)
{
    if (!ROOM(b, ports, n_port))
        return 0;
    b->net->ports[b->net->n_port] = port;
    return b->net->n_port++;
}

void wsk_build_fins(wsk_build *b, wsk_port port, int still)
{
    wsk_port natural = port;
    port.law = WSK_PORT_FINS;
    wsk_build_port(b, port);
    natural.law = WSK_PORT_FINS_NATURAL;
    natural.sense = natural.deposit = still;
    natural.share = 1 - port.share;
    wsk_build_port(b, natural);
    natural.sense = natural.deposit = port.sense;
    natural.share = port.share;
    if (port.share > 0)
        wsk_build_port(b, natural);
}

int wsk_build_branch(wsk_build *b, wsk_branch branch)
{
    if (!ROOM(b, branches, n_branch))
        return 0;
    if (branch.heat_w_k_per_m3s == 0) {
        branch.heat_w_k_per_m3s = b->net->rho_cp;
        branch.rho_rel = b->net->rho_rel;
    }
    b->net->branches[b->net->n_branch] = branch;
    return b->net->n_branch++;
}

void wsk_build_reversal(wsk_build *b, wsk_reversal reversal)
{
    if (ROOM(b, reversals, n_reversal))
        b->net->reversals[b->net->n_reversal++] = reversal;
}

int wsk_build_mover(wsk_build *b, wsk_mover mover)
{
    if (!ROOM(b, movers, n_mover) || !mover.name) {
        b->full = true;
        return 0;
    }
    b->net->movers[b->net->n_mover] = mover;
    return b->net->n_mover++;
}

void wsk_build_exchange(wsk_build *b, int a, int c, int branch, double ratio, double area_m2, double height_m)
{
    if (!ROOM(b, exchanges, n_exchange))
        return;
    b->net->exchanges[b->net->n_exchange++] = (wsk_exchange){a, c, branch, ratio, area_m2, height_m};
}

void wsk_build_cond(wsk_build *b, int a, int c, double g)
{
    if (g > 0 && ROOM(b, conds, n_cond))
        b->net->conds[b->net->n_cond++] = (wsk_conductance){a, c, g};
}

double wsk_loss_k2(double loss, double area_m2)
{
    return loss * WSK_RHO0 / 2 / (area_m2 * area_m2);
}

wsk_fan_law wsk_fan_curve(double pressure_pa, double flow_m3s, double curvature, double n)
{
    double q = flow_m3s * n;
    return (wsk_fan_law){
        .a = pressure_pa, .b = -curvature * pressure_pa / q, .d = (1 - curvature) * pressure_pa / (q * q)};
}

double wsk_noise_p(const wsk_build *b, const wsk_noise_params *noise, double count, double diameter_m, double rpm,
                   double more)
{
    /* If no level is stated, it follows from the speed of the blade tips: 19.8 dBA at 8.17 m/s and 1 m (NF-P12 at
     * 1,300 rpm). docs/theory/mover.md, "Noise" */
    double tip = 3.141592653589793 * diameter_m * rpm / 60, level = noise->dba, distance = noise->distance_m;
    if (isnan(level)) {
        if (!(tip > 0))
            return 0;
        level = 19.8 + 55 * log10(tip / 8.17) + more;
        distance = 1;
    }
    double there = level + 20 * log10(distance / b->net->site->listener_m);
    return count * pow(10, there / 10);
}

int64_t wsk_fails_ns(double fails_s)
{
    return isnan(fails_s) ? -1 : (int64_t)floor(fails_s * 1e9 + 0.5);
}

const char *wsk_build_name(const wsk_build *b, int in, const char *prefix)
{
    const wsk_net *net = b->net;
    return net->n_case == 1 ? prefix : wsk_printf(net->arena, "%s.%s", net->cases[in].elem->id, prefix);
}
