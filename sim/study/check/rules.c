/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports rules of thumb for multi-GPU machines: whether each chassis meets them, and where the simulation overrules
 * them. The rules: docs/theory/trip.md, "Sizing in `check`" */
#include <math.h>
#include <string.h>

#include "sim/study/check/check.h"
#include "sim/control/run.h"
#include "sim/study/trip/trip.h"
#include "sim/books/observe.h"

static const wsk_said *chassis_of(const wsk_net *net, int in, wsk_arena *arena)
{
    return net->n_case > 1 ? WSK_SAY(arena, WSK_SAY_CHECK_RULE_CHASSIS, net->cases[in].elem->id) : NULL;
}

static void add_rule(wsk_lines *l, const wsk_net *net, int in, const char *rule, bool met, const wsk_said *found,
                     const wsk_said *overruled)
{
    wsk_lines_add(l, 2,
                  WSK_SAID(WSK_SAY_CHECK_RULE, chassis_of(net, in, l->arena), WSK_WORD(rule),
                           WSK_WORD(met ? WSK_N("met") : WSK_N("not met")), found, overruled));
}

bool wsk_held_by_heat(const wsk_run *steady, int card)
{
    const wsk_card_state *s = &steady->cards[card];
    return wsk_heat_throttle_s(s) > 0.01 * wsk_window_s(steady) || wsk_is_shut_down(steady, card);
}

/* Message if the simulation overrules the rule: only if both ends of the load's uncertainty range agree. Else a
 * message that the load is too uncertain; NULL: the simulation agrees with the rule. */
static const wsk_said *overrule_watts(const wsk_sized *s, bool met, wsk_arena *arena)
{
    const bool trips = s->trip >= WSK_TELLS, bad = trips || s->load > (met ? 1 : WSK_TIGHT),
               open = met ? s->trip_low < WSK_TELLS && s->load_low <= 1
                          : s->trip_high >= WSK_TELLS || s->load_high > WSK_TIGHT;
    if (bad != met)
        return NULL;
    if (open)
        return WSK_SAY(arena, WSK_SAY_CHECK_STILL_OPEN, 100 * s->load_low, 100 * s->load_high);
    if (trips)
        return WSK_SAY(arena, WSK_SAY_CHECK_STILL_TRIPS, 100 * s->load);
    return met ? WSK_SAY(arena, WSK_SAY_CHECK_STILL_SMALL, 100 * s->load)
               : WSK_SAY(arena, WSK_SAY_CHECK_STILL_ENOUGH, 100 * s->load);
}

static void rule_of_watts(const wsk_net *net, int in, int cards, const wsk_sized *s, wsk_lines *l)
{
    static const struct {
        int cards;
        double watts;
        const char *rule;
    } rules[] = {{4, 1600, WSK_N("four or more cards need 1600-2000 W")},
                 {2, 1000, WSK_N("two or more cards need 1000 W")},
                 {1, 600, WSK_N("one card needs 600 W")}};
    if (!net->cases[in].n_supply)
        return;
    if (cards >= 8) {
        bool met = s->redundant > 1;
        add_rule(l, net, in, WSK_N("eight or more cards need redundant PSUs"), met,
                 WSK_SAID(WSK_SAY_CHECK_REDUNDANT, (double)s->redundant, (double)net->cases[in].n_supply),
                 met && s->lost > 1 ? WSK_SAID(WSK_SAY_CHECK_LOST_OVERLOADS, 100 * s->lost) : NULL);
        return;
    }
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (cards >= rules[i].cards) {
            bool met = s->rated_w >= rules[i].watts;
            add_rule(l, net, in, rules[i].rule, met, WSK_SAID(WSK_SAY_CHECK_RATED, s->rated_w),
                     overrule_watts(s, met, l->arena));
            return;
        }
}

/* Returns the smallest distance between two cards of a chassis, mm. *air: the smallest air gap between two cards, mm.
 * A pair counts if both cards are in slots and one draws its air from the gap: water blocks, cold plates, immersion
 * and ducts need no gap. INFINITY: no such pair. */
static double closest_mm(const wsk_net *net, int in, double *air)
{
    double least = INFINITY;
    *air = INFINITY;
    for (int i = 0; i < net->n_card; i++)
        for (int k = 0; k < i; k++) {
            const wsk_card *a = &net->cards[i], *b = &net->cards[k];
            if (a->in == in && b->in == in && (a->gap != WSK_NO || b->gap != WSK_NO) && isnan(a->gpu->riser_m) &&
                isnan(b->gpu->riser_m) && a->gpu->slot != b->gpu->slot) {
                least = wsk_min(least, 1e3 * fabs(a->gpu->slot - b->gpu->slot) * net->cases[in].params->pitch_m);
                *air = wsk_min(*air, 1e3 * (a->gpu->slot < b->gpu->slot ? a->gap_m : b->gap_m));
            }
        }
    return least;
}

static void rule_of_spacing(const wsk_net *net, const wsk_run *steady, int in, wsk_lines *l)
{
    double air, mm = closest_mm(net, in, &air);
    const char *held = NULL;
    if (!isfinite(mm))
        return;
    bool met = mm >= 60 && air >= 20; /* 60 mm is three slots: a card two slots thick leaves one free */
    for (int i = 0; steady && i < net->n_card; i++)
        if (net->cards[i].in == in)
            held = !held && wsk_held_by_heat(steady, i) ? net->cards[i].id : held;
    const wsk_said *said = held && met ? WSK_SAID(WSK_SAY_CHECK_STILL_HELD, held)
                           : held      ? WSK_SAID(WSK_SAY_CHECK_HELD, held)
                                       : NULL;
    add_rule(l, net, in, WSK_N("cards 60 mm apart, 20 mm of it air"), met,
             WSK_SAID(WSK_SAY_CHECK_APART, mm, wsk_max(0, air)), said);
}

/* modules: number of memory modules; byte: their size; both are 0 if the chassis has no <memory> */
typedef struct {
    double modules, byte, drive_lanes;
} host_sums;

static host_sums sum_host(const wsk_elem *chassis)
{
    host_sums s = {0};
    for (const wsk_elem *e = chassis->child; e; e = e->next) {
        bool drive = strcmp(e->kind->element, "storage") == 0;
        if (!drive && strcmp(e->kind->element, "memory") != 0)
            continue;
        const wsk_host_params *p = e->params;
        if (drive) {
            s.drive_lanes += isnan(p->lanes) ? 0 : p->count * p->lanes;
        } else {
            s.modules += p->count;
            s.byte += p->count * p->size_byte;
        }
    }
    return s;
}

static void rules_of_board(const wsk_net *net, int in, int cards, const host_sums *has, wsk_lines *l)
{
    const wsk_elem *e = wsk_elem_child(net->cases[in].elem, "board", NULL);
    const wsk_host_params *b = e ? e->params : NULL;
    const wsk_cpu_params *cpu = net->cases[in].cpu;
    if (b && cards > b->slots)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_FEW_SLOTS, e->id, b->slots, cards));
    if (b && has->modules > b->modules)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_FEW_MEMORY_SLOTS, e->id, b->modules, has->modules));
    if (b && cpu && cpu->count > b->sockets)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_FEW_SOCKETS, e->id, b->sockets, cpu->count));
}

static bool is_of_rig(const wsk_elem *e, const char *param)
{
    const wsk_origin *o = wsk_elem_origin(e, param);
    return o && (o->from == WSK_FROM_RIG || o->from == WSK_FROM_SET);
}

/* Advises to state the size of a card whose cooler the rig exchanged for an open-air cooler. The model computes the
 * fins of such a cooler from the size of the card, but cards sold with such a cooler are mostly larger.
 * docs/theory/cooler.md, "Open-air coolers by size" */
static void rule_of_size(const wsk_card *c, wsk_lines *l)
{
    const wsk_elem *cooler = wsk_elem_child(c->elem, "cooler", NULL);
    const wsk_cooler_params *given = cooler ? cooler->params : NULL;
    if (!given || !wsk_style_of(c)->complete || !isnan(given->ua_w_k) || !cooler->part || !cooler->written ||
        !strstr(cooler->written, "part") || !c->elem->part)
        return;
    if (is_of_rig(c->elem, "slots") || is_of_rig(c->elem, "length") || is_of_rig(c->elem, "thickness"))
        return;
    wsk_check_advise(l,
                     WSK_SAID(WSK_SAY_CHECK_COOLER_SIZE, c->id, cooler->part, c->gpu->slots, 1e3 * c->gpu->length_m));
}

static void rules_of_host(const wsk_net *net, int in, int cards, wsk_lines *l)
{
    const wsk_cpu_params *cpu = net->cases[in].cpu;
    const host_sums has = sum_host(net->cases[in].elem);
    double memory = 0, lanes = has.drive_lanes, byte = has.modules > 0 ? has.byte : cpu ? cpu->memory_byte : NAN;
    rules_of_board(net, in, cards, &has, l);
    if (!cpu && !(net->cases[in].host_rest_w > 0))
        wsk_lines_add(l, 2, WSK_SAID(WSK_SAY_CHECK_NO_HOST, chassis_of(net, in, l->arena)));
    for (int k = 0; k < net->n_card; k++)
        if (net->cards[k].in == in) {
            const wsk_gpu_params *g = net->cards[k].gpu;
            memory += isnan(g->memory_byte) ? 0 : g->memory_byte / 1e9;
            lanes += isnan(g->lanes) ? 0 : g->lanes;
        }
    if (cpu && !isnan(cpu->cores))
        add_rule(l, net, in, WSK_N("two CPU cores a card"), cpu->count * cpu->cores >= 2 * cards,
                 WSK_SAID(WSK_SAY_CHECK_CORES, cpu->count * cpu->cores, 2.0 * cards), NULL);
    if (!isnan(byte) && memory > 0)
        add_rule(l, net, in, WSK_N("system memory 1-2 times the cards' memory"), byte / 1e9 >= 0.99 * memory,
                 WSK_SAID(WSK_SAY_CHECK_MEMORY, byte / 1e9, memory), NULL);
    else if (memory > 0)
        wsk_lines_add(l, 2, WSK_SAID(WSK_SAY_CHECK_MEMORY_RULE, chassis_of(net, in, l->arena), memory, 2 * memory));
    if (!cpu || isnan(cpu->lanes) || !(lanes > 0))
        return;
    const wsk_elem *e = wsk_elem_child(net->cases[in].elem, "board", NULL);
    const double more = e ? ((const wsk_host_params *)e->params)->lanes : NAN,
                 offered = cpu->count * cpu->lanes + (isnan(more) ? 0 : more);
    const char *id = cpu->head.elem->id, *who = more > 0 ? wsk_printf(l->arena, "%s + %s", id, e->id) : id;
    if (lanes > offered)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_FEW_LANES, lanes, who, offered));
    else
        wsk_lines_add(l, 2, WSK_SAID(WSK_SAY_CHECK_LANES, lanes, who, offered));
}

void wsk_rules_report(const wsk_net *net, const wsk_run *steady, int in, const wsk_sized *sized, wsk_lines *l)
{
    /* without soldered cards: a machine that is sold with its card has the PSU and memory of its maker */
    int cards = 0;
    for (int i = 0; i < net->n_card; i++)
        cards += net->cards[i].in == in && !net->cards[i].gpu->soldered;
    if (!cards)
        return;
    rule_of_watts(net, in, cards, sized, l);
    rule_of_spacing(net, steady, in, l);
    for (int i = 0; i < net->n_card; i++)
        if (net->cards[i].in == in)
            rule_of_size(&net->cards[i], l);
    rules_of_host(net, in, cards, l);
}
