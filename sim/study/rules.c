/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The field's rules of thumb, chassis by chassis, each with its number, and what the simulation knows better. */
#include <math.h>

#include "sim/study/check.h"
#include "sim/control/run.h"
#include "sim/study/trip.h"
#include "sim/books/observe.h"

/* "  rule of thumb: ", with the chassis where there are several. */
static void open_rule(const wsk_net *net, int in, const char *rule, bool met, wsk_buf *o)
{
    wsk_buf_printf(o, "  Rule of thumb");
    if (net->n_case > 1)
        wsk_buf_printf(o, ", %s", net->cases[in].elem->id);
    wsk_buf_printf(o, ": %s: %s (", rule, met ? "met" : "not met");
}

bool wsk_held_by_heat(const wsk_run *steady, int card)
{
    const wsk_card_state *s = &steady->cards[card];
    return wsk_heat_throttle_s(s) > 0.01 * wsk_window_s(steady) || s->off;
}

/* ---- watts ---- */

static void overrule_watts(const wsk_sized *s, bool met, wsk_buf *o)
{
    bool trips = s->trip >= WSK_TELLS;
    if (met && trips)
        wsk_buf_printf(o, "; simulation: %.0f %% loaded, and it would trip", 100 * s->load);
    else if (met && s->load > 1)
        wsk_buf_printf(o, "; simulation: too small, %.0f %% loaded", 100 * s->load);
    else if (!met && s->load <= 0.9 && !trips)
        wsk_buf_printf(o,
                       "; simulation: %.0f %% loaded with all cards at their power limits, and no load step trips it",
                       100 * s->load);
}

static void rule_of_watts(const wsk_net *net, int in, int cards, const wsk_sized *s, wsk_buf *o)
{
    static const struct {
        int cards;
        double watts;
        const char *rule;
    } rules[] = {{4, 1600, "four cards need 1600-2000 W"},
                 {2, 1000, "two cards need 1000 W"},
                 {1, 600, "one card needs 600 W"}};
    if (!net->cases[in].n_supply)
        return;
    if (cards >= 8) {
        bool met = s->redundant > 1;
        open_rule(net, in, "eight or more cards need redundant PSUs", met, o);
        wsk_buf_printf(o, "%d redundant of %d", s->redundant, net->cases[in].n_supply);
        if (met && s->lost > 1)
            wsk_buf_printf(o, "; simulation: with one PSU lost the others would carry %.0f %%", 100 * s->lost);
        wsk_buf_printf(o, ")\n");
        return;
    }
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (cards >= rules[i].cards) {
            bool met = s->rated_w >= rules[i].watts;
            open_rule(net, in, rules[i].rule, met, o);
            wsk_buf_printf(o, "%.0f W", s->rated_w);
            overrule_watts(s, met, o);
            wsk_buf_printf(o, ")\n");
            return;
        }
}

/* ---- spacing ---- */

/* From card to card, and the least air between two. */
static double closest_mm(const wsk_net *net, int in, double *air)
{
    double least = INFINITY;
    *air = INFINITY;
    for (int i = 0; i < net->n_card; i++)
        for (int k = 0; k < i; k++) {
            const wsk_card *a = &net->cards[i], *b = &net->cards[k];
            if (a->in == in && b->in == in && isnan(a->gpu->riser_m) && isnan(b->gpu->riser_m) &&
                a->gpu->slot != b->gpu->slot) {
                least = wsk_min(least, 1e3 * fabs(a->gpu->slot - b->gpu->slot) * net->cases[in].params->pitch_m);
                *air = wsk_min(*air, 1e3 * (a->gpu->slot < b->gpu->slot ? a->gap_m : b->gap_m));
            }
        }
    return least;
}

static void rule_of_spacing(const wsk_net *net, const wsk_run *steady, int in, wsk_buf *o)
{
    double air, mm = closest_mm(net, in, &air), hottest = -INFINITY;
    const char *held = NULL;
    if (!isfinite(mm))
        return;
    bool met = mm >= 60 && air >= 20; /* the rule is of cards of two slots: one is free */
    open_rule(net, in, "cards 60 mm apart, 20 mm of it air", met, o);
    wsk_buf_printf(o, "%.0f mm, %.0f mm of it air", mm, wsk_max(0, air));
    for (int i = 0; steady && i < net->n_card; i++)
        if (net->cards[i].in == in) {
            hottest = wsk_max(hottest, wsk_var_mean(steady, WSK_VAR_CARD_DIE_C, i));
            held = !held && wsk_held_by_heat(steady, i) ? net->cards[i].id : held;
        }
    if (held)
        wsk_buf_printf(
            o, met ? "; simulation: %s throttles from heat all the same" : "; simulation: %s throttles from heat",
            held);
    else if (steady && !met)
        wsk_buf_printf(o, "; simulation: no card throttles from heat, hottest GPU %.0f degC", hottest);
    wsk_buf_printf(o, ")\n");
}

/* ---- the host ---- */

static void rules_of_host(const wsk_net *net, int in, int cards, wsk_buf *o)
{
    const wsk_cpu_params *cpu = net->cases[in].cpu;
    double memory = 0, lanes = 0;
    for (int k = 0; k < net->n_card; k++)
        if (net->cards[k].in == in) {
            const wsk_gpu_params *g = net->cards[k].gpu;
            memory += isnan(g->memory_byte) ? 0 : g->memory_byte / 1e9;
            lanes += isnan(g->lanes) ? 0 : g->lanes;
        }
    if (cpu && !isnan(cpu->cores)) {
        open_rule(net, in, "two CPU cores a card", cpu->cores >= 2 * cards, o);
        wsk_buf_printf(o, "%.0f cores; %d needed)\n", cpu->cores, 2 * cards);
    }
    if (cpu && !isnan(cpu->memory_byte) && memory > 0) {
        open_rule(net, in, "system memory 1-2 times the cards' memory", cpu->memory_byte / 1e9 >= 0.99 * memory, o);
        wsk_buf_printf(o, "%.0f GB; cards %.0f GB)\n", cpu->memory_byte / 1e9, memory);
    } else if (memory > 0) {
        wsk_buf_printf(o, "  Rule of thumb%s%s: system memory 1-2 times the cards' memory: %.0f to %.0f GB\n",
                       net->n_case > 1 ? ", " : "", net->n_case > 1 ? net->cases[in].elem->id : "", memory,
                       2 * memory);
    }
    if (cpu && !isnan(cpu->lanes) && lanes > 0)
        wsk_buf_printf(o,
                       lanes > cpu->lanes ? "  Advice: the slots of the cards need %.0f PCIe lanes and %s has %.0f; "
                                            "without a PCIe switch set lanes=\"8\" on some cards\n"
                                          : "  PCIe: the slots of the cards need %.0f lanes; %s has %.0f\n",
                       lanes, cpu->head.elem->id, cpu->lanes);
}

void wsk_rules_report(const wsk_net *net, const wsk_run *steady, int in, const wsk_sized *sized, wsk_buf *o)
{
    int cards = 0;
    for (int i = 0; i < net->n_card; i++)
        cards += net->cards[i].in == in;
    if (!cards)
        return;
    rule_of_watts(net, in, cards, sized, o);
    rule_of_spacing(net, steady, in, o);
    rules_of_host(net, in, cards, o);
}
