/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the coolant loops of a rig and adds them to the network: pumps, cold plates (blocks) and radiators, of which
 * ring.c makes the coolant circuit. Theory: docs/theory/loop.md */
#include <math.h>
#include <string.h>

#include "sim/net/compile.h"

static bool in_loop(const wsk_elem *loop, const char *named)
{
    return named ? strcmp(named, loop->id) == 0 : true;
}

static void build_pump(wsk_ring *ring, const wsk_build *b, const wsk_pump_params *p)
{
    double rpm = !isnan(p->speed_rpm) ? p->speed_rpm : isnan(p->speed_share) ? p->rpm : p->speed_share * p->rpm;
    wsk_ring_mover(ring,
                   (wsk_mover){.name = p->head.elem->id,
                               .ref_rpm = p->rpm,
                               .rpm0 = rpm,
                               .power_w = p->power_w,
                               .power_exponent = p->power_exponent,
                               .noise_p = isnan(p->noise.dba) ? 0 : wsk_noise_p(b, &p->noise, 1, 0, 0, 0),
                               .control = p->control.sensor > 0 ? &p->control : NULL,
                               .fails_ns = wsk_fails_ns(p->control.fails_s)},
                   wsk_fan_curve(p->pressure_pa, p->flow_m3s, p->curvature, 1));
}

/* Flow nodes between which the next cold plate (block) of a loop is added. Parallel blocks are all added between
 * the same two flow nodes. */
typedef struct {
    wsk_ring *ring;
    bool series;
    int first, out; /* out: WSK_NO before the first block is added */
} blocks;

static void next_block(blocks *l, int *from, int *to)
{
    *from = l->series ? wsk_ring_end(l->ring) : l->first;
    if (l->series || l->out < 0)
        l->out = wsk_ring_next(l->ring);
    *to = l->out;
}

static void build_blocks(wsk_ring *ring, wsk_build *b, int in, const wsk_elem *e)
{
    wsk_net *net = b->net;
    const wsk_case *house = &net->cases[in];
    blocks l = {ring, ((const wsk_loop_params *)e->params)->series == 1, wsk_ring_end(ring), WSK_NO};
    int from, to;
    for (int i = 0; i < net->n_card; i++) {
        wsk_card *c = &net->cards[i];
        if (!wsk_style_of(c)->join || c->in != in || !in_loop(e, c->cooler->loop))
            continue;
        next_block(&l, &from, &to);
        wsk_style_of(c)->join(ring, c, from, to);
    }
    const wsk_cpu_params *p = house->cpu;
    if (p && p->loop && in_loop(e, p->loop)) {
        next_block(&l, &from, &to);
        /* 0.3: assumed exponent e of the plate's conductance ~ flow^e:
         * docs/theory/constants.md, "processor's block" */
        wsk_ring_plate(ring, house->cpu_solid, from, to, p->count * p->block_w_k, p->block_flow_m3s, 0.3,
                       p->block_drop_pa);
    }
}

static bool has_bath(const wsk_net *net, int in, const wsk_elem *e)
{
    for (int i = 0; i < net->n_card; i++)
        if (wsk_style_of(&net->cards[i])->dielectric && net->cards[i].in == in &&
            in_loop(e, net->cards[i].cooler->loop))
            return true;
    return false;
}

static void build_loop(wsk_build *b, int in, const wsk_elem *e)
{
    const wsk_loop_params *p = e->params;
    bool facility = ((const wsk_loop_ops *)e->kind->ops)->facility;
    wsk_ring *ring = wsk_ring_of_loop(b, e, in, facility ? p->supply_k + p->approach_k : 0, has_bath(b->net, in, e));
    if (!ring)
        return;
    if (facility)
        wsk_ring_supply(ring, wsk_printf(b->net->arena, "%s.cdu", e->id), p->pressure_pa);
    for (const wsk_elem *c = NULL; (c = wsk_elem_child(e, "pump", c)) != NULL;)
        build_pump(ring, b, c->params);
    build_blocks(ring, b, in, e);
    wsk_ring_warmest(ring);
    for (const wsk_elem *c = NULL; (c = wsk_elem_child(e, "radiator", c)) != NULL;)
        wsk_ring_loop_radiator(ring, c);
    wsk_ring_close(ring, p->bore_m, p->fittings);
}

static bool has_block(const wsk_net *net, int in, const wsk_elem *e)
{
    const wsk_cpu_params *cpu = net->cases[in].cpu;
    bool has = cpu && cpu->loop && in_loop(e, cpu->loop);
    for (int i = 0; i < net->n_card; i++)
        has = has || (wsk_style_of(&net->cards[i])->join && net->cards[i].in == in &&
                      in_loop(e, net->cards[i].cooler->loop));
    return has;
}

static void check_loop(wsk_build *b, int in, const wsk_elem *e, bool facility)
{
    if (!has_block(b->net, in, e))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, e, NULL,
                      WSK_SAID(WSK_SAY_NO_EFFECT_WITHOUT, e->id, "<cooler kind=\"water\">"));
    if (!facility && !wsk_elem_child(e, "pump", NULL))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_LOOP_NO_PUMP));
    if (!facility && !wsk_elem_child(e, "radiator", NULL))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_LOOP_NO_RADIATOR));
    const wsk_loop_params *p = e->params;
    if (facility && p->supply_k + p->approach_k < b->net->dew_k)
        wsk_elem_diag(
            &b->plan->diags, WSK_DIAG_WARNING, e, "supply",
            WSK_SAID(WSK_SAY_LOOP_CONDENSES, p->supply_k + p->approach_k - WSK_KELVIN, b->net->dew_k - WSK_KELVIN));
}

static int loops_in(const wsk_elem *chassis, const char *named, const char **some)
{
    int n = 0;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(chassis, "loop", e)) != NULL;) {
        *some = e->id;
        n += named ? strcmp(e->id, named) == 0 : 1;
    }
    return n;
}

static void check_member(wsk_build *b, const wsk_elem *chassis, const wsk_elem *e, const char *named)
{
    const char *some = NULL;
    int n = loops_in(chassis, named, &some);
    if (n == 1)
        return;
    if (!some)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_BLOCK_NO_LOOP));
    else if (named)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, e, "loop", WSK_SAID(WSK_SAY_NO_SUCH_LOOP, named, some));
    else
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_SEVERAL_LOOPS, some));
}

static void check_bath(wsk_build *b, const wsk_elem *chassis, const wsk_card *c)
{
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(chassis, "loop", e)) != NULL;) {
        const wsk_coolant *coolant = wsk_coolants[((const wsk_loop_params *)e->params)->coolant];
        if (in_loop(e, c->cooler->loop) && !coolant->dielectric)
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, e, "coolant",
                          WSK_SAID(WSK_SAY_NOT_DIELECTRIC, c->id, e->id, coolant->name));
    }
}

void wsk_check_loops(wsk_build *b)
{
    const wsk_net *net = b->net;
    for (int i = 0; i < net->n_case; i++) {
        wsk_check_door(b, i);
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(net->cases[i].elem, "loop", e)) != NULL;)
            check_loop(b, i, e, ((const wsk_loop_ops *)e->kind->ops)->facility);
        if (net->cases[i].cpu && net->cases[i].cpu->loop)
            check_member(b, net->cases[i].elem, net->cases[i].cpu->head.elem, net->cases[i].cpu->loop);
    }
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        if (wsk_style_of(c)->join)
            check_member(b, net->cases[c->in].elem, c->cooler->head.elem, c->cooler->loop);
        if (wsk_style_of(c)->dielectric)
            check_bath(b, net->cases[c->in].elem, c);
    }
}

void wsk_build_loop_solids(wsk_build *b)
{
    wsk_net *net = b->net;
    size_t n = (size_t)net->n_card + 1;
    for (int i = 0; i < net->n_case; i++)
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(net->cases[i].elem, "loop", e)) != NULL;)
            n++;
    net->circuits = wsk_alloc(net->arena, n * sizeof *net->circuits);
    b->cores = wsk_alloc(net->arena, WSK_ROOM_FOR * sizeof *b->cores);
    if (!net->circuits || !b->cores) {
        b->full = true;
        return;
    }
    for (int i = 0; i < net->n_case; i++)
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(net->cases[i].elem, "loop", e)) != NULL;)
            for (const wsk_elem *r = NULL; (r = wsk_elem_child(e, "radiator", r)) != NULL;)
                wsk_build_core(b, r, wsk_printf(net->arena, "%s.core", r->id),
                               ((const wsk_radiator_params *)r->params)->cap_j_k);
    for (int i = 0; i < net->n_card; i++)
        if (wsk_style_of(&net->cards[i])->masses)
            wsk_style_of(&net->cards[i])->masses(b, &net->cards[i]);
    b->n_core = 0; /* wsk_build_loops takes the cores in the order in which they were added */
}

void wsk_build_loops(wsk_build *b)
{
    const wsk_net *net = b->net;
    for (int i = 0; i < net->n_case && !b->full; i++)
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(net->cases[i].elem, "loop", e)) != NULL && !b->full;)
            build_loop(b, i, e);
    for (int i = 0; i < net->n_card && !b->full; i++)
        if (wsk_style_of(&net->cards[i])->circuit)
            wsk_style_of(&net->cards[i])->circuit(b, &net->cards[i]);
}
