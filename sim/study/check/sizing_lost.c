/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizing advice of `check` for the loss of a circuit: the redundant PSUs on the other circuits take over the load of
 * its PSUs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/check/check.h"
#include "sim/books/books.h"

typedef struct {
    double psu; /* highest load of a PSU, divided by its available output; 0: no PSU takes load over */
    /* highest load of a circuit that takes load over, divided by its continuous limit; 0: no such limit */
    double circuit;
    int line; /* the circuit with that load */
    /* the same of a UPS or strip, divided by its rating, and its circuit */
    double feed;
    int feed_line;
} burden;

double wsk_line_load_va(const wsk_net *net, int line, double wall, double va)
{
    double over, sum = va + wsk_feed_loss_w(&net->lines[line], wall, &over);
    for (int k = 0; k < net->n_load; k++)
        sum += net->load_line[k] == line ? net->loads[k]->ac_w : 0;
    return sum;
}

/* In place of a circuit: all without a battery are lost. */
enum { OUTAGE = -1 };

static bool has_battery(const wsk_mains_line *line)
{
    double spread;
    return wsk_battery_minutes(line, 1, &spread) > 0;
}

static bool is_lost(const wsk_net *net, int line, int lost)
{
    return lost == OUTAGE ? !has_battery(&net->lines[line]) : line == lost;
}

/* Moves the load of the redundant PSUs of a case to those that are not on the circuit `lost`. They share it as in a
 * run. Returns the highest load of such a PSU, with its imbalance, divided by its available output; 0: no PSU is lost,
 * or none is left. */
static double take_over(const wsk_net *net, const wsk_run *steady, const wsk_case *c, int lost,
                        const wsk_drawn *drawn, double *wall, double *va)
{
    const int end = c->first_supply + c->n_supply;
    double dc = 0, gives = 0, weights = 0, most = 0;
    int left = 0, gone = 0;
    for (int i = c->first_supply; i < end; i++) {
        const wsk_supply *s = &net->supplies[i];
        if (!s->params->redundant)
            continue;
        dc += drawn->dc[i];
        gone += is_lost(net, s->line, lost);
        left += !is_lost(net, s->line, lost);
        gives += is_lost(net, s->line, lost) ? 0 : s->law.limit_w;
    }
    if (!gone || !left)
        return 0;
    for (int i = c->first_supply, k = 0; i < end; i++)
        weights += net->supplies[i].params->redundant && !is_lost(net, net->supplies[i].line, lost)
                       ? wsk_supply_weight(&net->supplies[i], k++, left)
                       : 0;
    for (int i = c->first_supply, k = 0; i < end; i++) {
        const wsk_supply *s = &net->supplies[i];
        if (!s->params->redundant || is_lost(net, s->line, lost))
            continue;
        const double before = wsk_supply_wall_w(s, drawn->dc[i]),
                     after = wsk_supply_wall_w(s, dc * wsk_supply_weight(s, k++, left) / weights),
                     highest = dc * s->law.limit_w / gives * (left > 1 ? 1 + s->params->imbalance : 1);
        most = wsk_max(most, highest / wsk_supply_may_give_w(s, wsk_inlet_k(net, steady, s)));
        wall[s->line] += after - before;
        va[s->line] += wsk_psu_va(&s->law, after) - wsk_psu_va(&s->law, before);
    }
    return most;
}

static burden burden_without(const wsk_net *net, const wsk_run *steady, int lost, const wsk_drawn *drawn,
                             double *wall, double *va)
{
    const size_t bytes = (size_t)net->n_line * sizeof *wall;
    burden b = {0};
    memcpy(wall, drawn->wall, bytes);
    memcpy(va, drawn->va, bytes);
    for (int i = 0; i < net->n_case; i++)
        b.psu = wsk_max(b.psu, take_over(net, steady, &net->cases[i], lost, drawn, wall, va));
    for (int i = 0; i < net->n_line; i++) {
        const wsk_mains_line *line = &net->lines[i];
        const double used = wsk_line_load_va(net, i, wall[i], va[i]) / line->limit_w;
        double feed;
        if (is_lost(net, i, lost) || !(wall[i] > drawn->wall[i]))
            continue;
        if (line->limit_w > 0 && used > b.circuit) {
            b.circuit = used;
            b.line = i;
        }
        wsk_feed_loss_w(line, wall[i], &feed);
        if (feed > b.feed) {
            b.feed = feed;
            b.feed_line = i;
        }
    }
    return b;
}

/* True if a case stops in an outage of all circuits, because a PSU that no other replaces is on one without a
 * battery. */
static bool stops_in_outage(const wsk_net *net, int in)
{
    bool stops = net->cases[in].n_supply == 0 && !has_battery(net->lines);
    for (int i = 0; i < net->n_line && net->cases[in].n_supply; i++)
        stops = stops || (is_lost(net, i, OUTAGE) && wsk_line_stops(net, &net->lines[i], in) == 1);
    return stops;
}

double wsk_outage_w(const wsk_net *net, const wsk_run *steady, int line, const wsk_drawn *drawn, wsk_lines *l)
{
    double *sums = calloc(2 * (size_t)net->n_line, sizeof *sums);
    if (!sums) {
        l->failed = true;
        return drawn->wall[line];
    }
    memcpy(sums, drawn->wall, (size_t)net->n_line * sizeof *sums);
    for (int i = 0; i < net->n_case; i++)
        if (!stops_in_outage(net, i))
            take_over(net, steady, &net->cases[i], OUTAGE, drawn, sums, sums + net->n_line);
    const double w = sums[line];
    free(sums);
    return w;
}

void wsk_report_lost_line(const wsk_net *net, const wsk_run *steady, int lost, const wsk_drawn *drawn, wsk_lines *l)
{
    double *sums = calloc(2 * (size_t)net->n_line, sizeof *sums);
    if (!sums) {
        l->failed = true;
        return;
    }
    const burden b = burden_without(net, steady, lost, drawn, sums, sums + net->n_line);
    const char *id = net->lines[lost].id, *on = net->lines[b.line].id;
    free(sums);
    if (b.psu <= 1 && b.circuit <= 1 && b.feed <= 1)
        wsk_lines_add(l, 2,
                      WSK_SAID(WSK_SAY_CHECK_BRANCH_CARRIED, id,
                               b.psu > 0 ? WSK_SAID(WSK_SAY_CHECK_BRANCH_CARRIED_PSU, 100 * b.psu,
                                                    b.circuit > 0 ? WSK_SAID(WSK_SAY_CHECK_BRANCH_CARRIED_LINE,
                                                                             100 * b.circuit, on)
                                                                  : NULL)
                                         : NULL));
    if (b.psu > 1)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_BRANCH_PSUS, id, 100 * b.psu));
    if (b.circuit > 1)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_BRANCH_OTHERS, id, on, 100 * b.circuit));
    if (b.feed > 1)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_BRANCH_FEED, id, net->lines[b.feed_line].id, 100 * b.feed));
}
