/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks whether the cards fit in their chassis: height, slots, risers, and lanes of the slots. Theory:
 * docs/theory/cooler.md, "On a riser" */
#include <math.h>

#include "sim/net/compile.h"

/* Height of a card over its slot, m. Assumed where it is not given: docs/theory/constants.md, "height of a card" */
static double height_of(const wsk_card *c)
{
    const double full_m = 0.11115, tall_m = 0.137, tall_w = 250;
    if (!isnan(c->gpu->height_m))
        return c->gpu->height_m;
    return wsk_style_of(c)->around && c->gpu->tdp_w >= tall_w ? tall_m : full_m;
}

/* Heights of cards, cable bends and lids are known to about 10 mm: a card up to 10 mm too high is a warning, a
 * higher card an error. */
static void check_height(wsk_build *b, const wsk_card *c)
{
    const wsk_gpu_params *g = c->gpu;
    const double free_m = b->net->cases[c->in].params->card_height_max_m, known_m = 0.01, height_m = height_of(c);
    bool module = !g->connector && isnan(g->height_m), top = g->plug_at < 0 ? !wsk_ducted(c) : g->plug_at == 0;
    const double bend_m = top && g->connector ? g->plug_bend_m : 0;
    if (wsk_on_riser(c) || module || !(height_m + bend_m > free_m))
        return;
    wsk_elem_diag(&b->plan->diags, height_m + bend_m > free_m + known_m ? WSK_DIAG_ERROR : WSK_DIAG_WARNING, c->elem,
                  "height",
                  bend_m > 0 ? WSK_SAID(WSK_SAY_CARD_PLUG_HEIGHT, c->id, 1e3 * height_m, 1e3 * bend_m, 1e3 * free_m)
                             : WSK_SAID(WSK_SAY_CARD_HEIGHT, c->id, 1e3 * height_m, 1e3 * free_m));
}

static bool in_bracket(const wsk_net *net, const wsk_card *c)
{
    return wsk_on_riser(c) && !wsk_hangs_outside(c) && !net->cases[c->in].open;
}

static void check_riser(wsk_build *b, int i)
{
    const wsk_net *net = b->net;
    const wsk_card *c = &net->cards[i];
    const wsk_chassis_params *ch = net->cases[c->in].params;
    const double free_m = ch->riser_depth_m - c->gpu->thickness_m;
    int hung = 0;
    if (!wsk_on_riser(c) && c->gpu->riser_at == 1)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, c->elem, "riser-at", WSK_SAID(WSK_SAY_RISER_AIR, c->id));
    if (!in_bracket(net, c))
        return;
    for (int j = 0; j <= i; j++)
        hung += net->cards[j].in == c->in && in_bracket(net, &net->cards[j]);
    if (hung > ch->riser_places)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, c->elem, "riser",
                      WSK_SAID(WSK_SAY_RISER_PLACES, ch->riser_places));
    else if (c->gpu->riser_m > free_m + 1e-9)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, c->elem, "riser",
                      WSK_SAID(WSK_SAY_RISER_DEPTH, c->id, 1e3 * c->gpu->thickness_m, 1e3 * ch->riser_depth_m,
                               1e3 * wsk_max(free_m, 0)));
}

/* Checks the number of lanes: links of PCI Express have 1, 2, 4, 8 or 16. */
static void check_lanes(wsk_build *b, const wsk_card *c)
{
    const double lanes = ((const wsk_gpu_params *)c->elem->params)->lanes;
    for (double made = 1; made <= 16; made *= 2)
        if (lanes == made)
            return;
    wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, c->elem, "lanes", WSK_SAID(WSK_SAY_CARD_LANES, lanes));
}

static double slots_of(const wsk_card *c)
{
    return wsk_on_riser(c) ? 1 : c->gpu->slots;
}

double wsk_free_slots(const wsk_net *net, int in)
{
    double left = net->cases[in].params->slots;
    for (int i = 0; i < net->n_card; i++)
        if (net->cards[i].in == in)
            left -= slots_of(&net->cards[i]);
    return wsk_max(left, 0);
}

/* Suggests a slot for a card that overlaps another one: `from`, the first slot behind the other card, else the lowest
 * free slot. */
static const wsk_said *place_for(wsk_build *b, const wsk_card *card, double from)
{
    const wsk_net *net = b->net;
    const double last = net->cases[card->in].params->slots - slots_of(card) + 1;
    if (from <= last)
        return WSK_SAY(b->plan->arena, WSK_SAY_FITS_HIGHER_SLOT, from);
    for (double slot = 1; slot <= last; slot++) {
        bool taken = false;
        for (int i = 0; i < net->n_card; i++) {
            const wsk_card *c = &net->cards[i];
            taken = taken || (c != card && c->in == card->in && c->gpu->slot < slot + slots_of(card) &&
                              slot < c->gpu->slot + slots_of(c));
        }
        if (!taken)
            return WSK_SAY(b->plan->arena, WSK_SAY_FITS_SLOT, slot);
    }
    return WSK_SAY(b->plan->arena, WSK_SAY_FITS_NOWHERE);
}

static bool assigned_slot(const wsk_card *c)
{
    const wsk_origin *o = wsk_elem_origin(c->elem, "slot");
    return o && o->from == WSK_FROM_SET;
}

/* Reports that two cards of one slot, or of slots that overlap, do not fit: at the second card, but of two in one slot
 * at that which an assignment put there. */
static void tell_taken(wsk_build *b, const wsk_card *first, const wsk_card *second)
{
    const bool turn = first->gpu->slot == second->gpu->slot && assigned_slot(first) && !assigned_slot(second);
    const wsk_card *there = turn ? second : first, *comes = turn ? first : second;
    const double slots = slots_of(there), from = there->gpu->slot;
    const wsk_said *place = place_for(b, comes, from + slots);
    wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, comes->elem, "slot",
                  slots > 1 ? WSK_SAID(WSK_SAY_SLOT_TAKEN, comes->gpu->slot, there->id, from, from + slots - 1, place)
                            : WSK_SAID(WSK_SAY_SLOT_TAKEN_ONE, comes->gpu->slot, there->id, place));
}

/* True if no card stands between card i and the wall. Cards on risers stand elsewhere. */
static bool is_last(const wsk_net *net, int i)
{
    for (int j = i + 1; j < net->n_card && net->cards[j].in == net->cards[i].in; j++)
        if (!wsk_on_riser(&net->cards[j]))
            return false;
    return true;
}

void wsk_check_place(wsk_build *b, int i)
{
    const wsk_net *net = b->net;
    const wsk_card *c = &net->cards[i], *n = c + 1;
    const wsk_chassis_params *ch = net->cases[c->in].params;
    double slots = slots_of(c);
    if (c->gpu->slot + slots - 1 > ch->slots)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, c->elem, "slot",
                      WSK_SAID(WSK_SAY_SLOT_BEYOND, slots, c->gpu->slot, ch->slots,
                               ch->slots > slots    ? WSK_SAID(WSK_SAY_FITS_LOWER_SLOT, ch->slots - slots + 1)
                               : ch->slots >= slots ? WSK_SAID(WSK_SAY_FITS_SLOT, ch->slots - slots + 1)
                                                    : WSK_SAID(WSK_SAY_FITS_CHASSIS, slots)));
    bool next = i + 1 < net->n_card && n->in == c->in;
    if (next && n->gpu->slot < c->gpu->slot + slots)
        tell_taken(b, c, n);
    else if (next && !wsk_on_riser(c) && !wsk_on_riser(n) && c->gap_m < -1e-9)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, n->elem, "slot",
                      WSK_SAID(WSK_SAY_SLOT_THICK, n->gpu->slot, c->id, c->gpu->slot, 1e3 * c->gpu->thickness_m,
                               1e3 * ch->pitch_m));
    /* a card in too high a slot is reported above */
    else if (is_last(net, i) && !wsk_on_riser(c) && c->gap_m < -1e-9 && c->gpu->slot + slots - 1 <= ch->slots)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, c->elem, "thickness",
                      WSK_SAID(WSK_SAY_SLOT_WALL, c->id, c->gpu->slot, 1e3 * c->gpu->thickness_m,
                               1e3 * ch->wall_gap_m, -1e3 * c->gap_m));
    check_height(b, c);
    check_riser(b, i);
    check_lanes(b, c);
    if ((!wsk_on_riser(c) || in_bracket(b->net, c)) && c->gpu->length_m > ch->card_length_max_m)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, c->elem, "length",
                      WSK_SAID(WSK_SAY_CARD_LENGTH,
                               c->elem->part ? wsk_arg_text(c->elem->part) : WSK_WORD("the card"),
                               c->gpu->length_m * 1e3, ch->card_length_max_m * 1e3));
}
