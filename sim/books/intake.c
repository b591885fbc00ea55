/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the origins of a card's intake air in the solved network: each flow into its inlet node counts to the place
 * that it comes from (room, case, own exhaust, other cards). Theory: docs/theory/air.md */
#include <math.h>
#include <string.h>

#include "sim/control/run.h"
#include "sim/books/books.h"

static wsk_intake_share place_of(const wsk_net *net, int card, int node)
{
    const wsk_card *c = &net->cards[card];
    const wsk_case *house = &net->cases[c->in];
    /* The air of the case or of its intake counts as no card's air, even if its node is another card's inlet. */
    bool common = node == house->air || node == net->flow_node[house->flow_in];
    if (node == c->exhaust)
        return WSK_FROM_OWN;
    for (int i = 0; i < net->n_card && !common; i++)
        if (i != card && (node == net->cards[i].exhaust || node == net->cards[i].inlet) && node != net->room)
            return WSK_FROM_NEIGHBOUR;
    return house->open || node != house->air || wsk_hangs_outside(c) ? WSK_FROM_ROOM : WSK_FROM_CASE;
}

/* True if the card draws from a node where air mixes, such as room or case. An inlet node of its own, such as the gap
 * between two cards, only passes air on, so there the origins of its inflows count. */
static bool is_mixed(const wsk_net *net, int card)
{
    const wsk_card *c = &net->cards[card];
    int in = c->inlet;
    return in == net->room || in == net->cases[c->in].air || in == net->flow_node[net->cases[c->in].flow_in] ||
           (c->behind >= 0 && in == net->cards[c->behind].exhaust);
}

void wsk_intake_shares(const wsk_run *run, int card, double share[WSK_INTAKES])
{
    const wsk_net *net = run->net;
    const wsk_point *p = &run->flows->point;
    int in = net->cards[card].inlet;
    double sum = 0;
    memset(share, 0, WSK_INTAKES * sizeof *share);
    if (net->cards[card].exhaust < 0)
        return;
    if (is_mixed(net, card)) {
        share[place_of(net, card, in)] = 1;
        return;
    }
    for (int i = 0; i < net->n_branch; i++)
        if (p->down[i] == in)
            share[place_of(net, card, p->up[i])] += fabs(p->w[i]);
    for (int i = 0; i < net->n_exchange; i++) {
        const wsk_exchange *x = &net->exchanges[i];
        if (x->a == in || x->b == in)
            share[place_of(net, card, x->a == in ? x->b : x->a)] += p->x[i];
    }
    for (int k = 0; k < WSK_INTAKES; k++)
        sum += share[k];
    for (int k = 0; k < WSK_INTAKES; k++)
        share[k] = sum > 0 ? share[k] / sum : 0;
}
