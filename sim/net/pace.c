/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares of a step in which cards that work together wait, at the reference. Theory: docs/theory/workload.md */
#include <math.h>

#include "sim/net/compile.h"

/* Computes, for cards that work together, the shares of a step that go into communication and into idle time of a
 * pipeline. The slowest link counts. The speed of 16 lanes of PCI Express 4 is 1; it is proportional to the number
 * of lanes and doubles with each generation. NVLink has 8, assumed:
 * docs/theory/constants.md, "NVLink over PCI Express" */
void wsk_build_links(wsk_build *b)
{
    wsk_net *net = b->net;
    double slowest = INFINITY, n = 0;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_gpu_params *g = net->cards[i].gpu;
        if (!net->cards[i].works)
            continue;
        slowest = wsk_min(slowest, g->nvlink ? 8 : g->lanes / 16 * exp2(g->pcie - 4));
        n++;
    }
    if (!net->workload || n == 0)
        return;
    net->talk_share = n > 1 ? net->workload->talk_share / slowest : 0;
    net->bubble_share = net->workload->parallel == 1 ? (n - 1) / (net->workload->micro_batches + n - 1) : 0;
}

/* Share of a step in which the card works if all cards have their reference performance; it waits for the rest. The
 * pauses of cards that work in turn are part of their class. */
static double working_share(const wsk_net *net, const wsk_card *c)
{
    double least = INFINITY, longest = 0;
    for (int i = 0; i < net->n_card; i++)
        if (net->cards[i].works && net->cards[i].group == c->group) {
            least = wsk_min(least, net->cards[i].gpu->speed);
            longest = wsk_max(longest, net->cards[i].step);
        }
    if (net->workload_ops->synchronous)
        return (1 - net->bubble_share) * wsk_pace(net->workload, net->talk_share, least) *
               wsk_compute_share(net->workload) / c->gpu->speed;
    return c->group >= 0 && !net->turns ? c->step / longest : 1;
}

/* Share of its dynamic power that a working card draws as a mean over its work and its waits. */
static double mean_share(const wsk_net *net, const wsk_card *c)
{
    const double share = wsk_min(working_share(net, c), 1);
    return share + (1 - share) * c->gpu->waiting_share;
}

double wsk_running_w(const wsk_net *net, const wsk_card *c, double mean_w)
{
    const double idle = c->gpu->idle_w;
    return net->workload && c->works && mean_w > idle ? idle + (mean_w - idle) / mean_share(net, c) : mean_w;
}

double wsk_mean_w(const wsk_net *net, const wsk_card *c, double running_w)
{
    const double idle = c->gpu->idle_w;
    return net->workload && c->works && running_w > idle ? idle + (running_w - idle) * mean_share(net, c) : running_w;
}
