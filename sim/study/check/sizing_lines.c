/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizing advice of `check` for circuits, their breakers, UPS and power strips. */
#include <math.h>

#include "sim/study/check/check.h"
#include "sim/study/trip/trip.h"
#include "sim/books/books.h"
#include "sim/books/breaker.h"

static void report_breaker(const wsk_net *net, const wsk_mains_line *line, double va, wsk_lines *l)
{
    double rating = wsk_line_rating_w(line), m = va / rating,
           p = isnan(rating) ? 0 : wsk_breaker_trip(&line->breaker, m * m, m),
           holds = line->breaker.hold_low * rating;
    if (p >= WSK_TELLS && net->n_line == 1)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_BREAKER, 100 * p, line->breaker.name, holds));
    else if (p >= WSK_TELLS)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_BRANCH_BREAKER, line->id, 100 * p, line->breaker.name, holds));
}

static void report_circuit(const wsk_net *net, double va, const wsk_said *ups, wsk_lines *l)
{
    const wsk_mains_line *line = &net->lines[0];
    if (!(line->limit_w > 0)) {
        if (ups)
            wsk_lines_add(l, 2, ups);
        return;
    }
    double rating = isnan(line->circuit_a) ? line->limit_w : wsk_line_rating_w(line), volt = line->supply_v;
    const wsk_said *used =
        WSK_SAY(l->arena, WSK_SAY_CHECK_CIRCUIT, line->limit_w, 100 * va / line->limit_w, va / volt);
    wsk_lines_add(l, 2, ups ? WSK_SAID(WSK_SAY_JOIN_SEMICOLON, used, ups) : used);
    if (va > line->limit_w)
        wsk_check_advise(
            l, WSK_SAID(WSK_SAY_CHECK_OVER_CIRCUIT, va - line->limit_w,
                        va <= rating ? WSK_SAID(WSK_SAY_CHECK_WITHIN_RATING, rating) : NULL,
                        volt < 180 ? WSK_SAID(WSK_SAY_CHECK_OR_VOLTS, (double)wsk_high_line_v(volt)) : NULL));
    report_breaker(net, line, va, l);
}

static void report_branch(const wsk_net *net, const wsk_run *steady, int index, const wsk_drawn *drawn, double va,
                          wsk_lines *l)
{
    const wsk_mains_line *line = &net->lines[index];
    bool carried = false;
    wsk_said_list stops = {.arena = l->arena};
    if (!line->used)
        return;
    if (line->limit_w > 0)
        wsk_lines_add(l, 2,
                      WSK_SAID(WSK_SAY_CHECK_BRANCH, line->id, va, line->limit_w, 100 * va / line->limit_w,
                               va / line->supply_v));
    if (line->limit_w > 0 && va > line->limit_w)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_BRANCH_OVER, line->id, va - line->limit_w));
    report_breaker(net, line, va, l);
    for (int i = 0; i < net->n_case; i++) {
        int of_case = net->cases[i].n_supply ? wsk_line_stops(net, line, i) : line == net->lines ? 1 : -1;
        carried = carried || of_case == 0;
        if (of_case == 1)
            wsk_said_add(&stops, WSK_SAID(WSK_SAY_PLAIN, net->cases[i].elem->id));
    }
    l->failed = l->failed || stops.failed;
    if (stops.count)
        wsk_lines_add(l, 2,
                      net->n_case == 1 ? WSK_SAID(WSK_SAY_CHECK_BRANCH_LOST, line->id)
                                       : WSK_SAID(WSK_SAY_CHECK_BRANCH_LOST_THESE, line->id,
                                                  wsk_said_link_all(&stops, WSK_SAY_JOINED, WSK_SAY_JOINED)));
    if (carried)
        wsk_report_lost_line(net, steady, index, drawn, l);
}

/* Name of the feed: "UPS", "PDU" (power strip) or both, with the circuit's id if there are several circuits. */
static const wsk_said *say_feed(const wsk_net *net, const wsk_mains_line *line, wsk_arena *a)
{
    const char *name = line->feeds[1] && line->feeds[0] ? WSK_N("UPS and PDU")
                       : line->feeds[1]                 ? WSK_N("UPS")
                                                        : WSK_N("PDU");
    return net->n_line > 1 ? WSK_SAY(a, WSK_SAY_CHECK_FEED_OF, line->id, WSK_WORD(name))
                           : WSK_SAY(a, WSK_SAY_PLAIN, WSK_WORD(name));
}

/* The load of an outage is told where it is more than `wall`, the load with mains on all circuits. */
static void report_battery(const wsk_net *net, const wsk_run *steady, int index, const wsk_drawn *drawn, wsk_lines *l)
{
    const wsk_mains_line *line = &net->lines[index];
    const double wall = drawn->wall[index];
    double spread, over, minutes = wsk_battery_minutes(line, wall, &spread);
    if (!(minutes > 0))
        return;
    wsk_lines_add(l, 2,
                  isnan(spread) ? WSK_SAID(WSK_SAY_CHECK_UPS_LONG, wsk_say_span(l->arena, 60 * minutes), wall)
                                : WSK_SAID(WSK_SAY_CHECK_UPS, minutes, spread, wall));
    const double outage_w = wsk_outage_w(net, steady, index, drawn, l);
    if (!(outage_w > 1.005 * wall))
        return;
    wsk_feed_loss_w(line, outage_w, &over);
    minutes = wsk_battery_minutes(line, outage_w, &spread);
    wsk_lines_add(l, 2,
                  over > 1 ? WSK_SAID(WSK_SAY_CHECK_OUTAGE_OVER, 100 * over, outage_w)
                  : isnan(spread)
                      ? WSK_SAID(WSK_SAY_CHECK_OUTAGE_LONG, wsk_say_span(l->arena, 60 * minutes), outage_w)
                      : WSK_SAID(WSK_SAY_CHECK_OUTAGE, minutes, spread, outage_w));
}

void wsk_report_lines(const wsk_net *net, const wsk_run *steady, const wsk_drawn *drawn, wsk_lines *l)
{
    for (int i = 0; i < net->n_line; i++) {
        const wsk_mains_line *line = &net->lines[i];
        double over, wall = drawn->wall[i], lost = wsk_feed_loss_w(line, wall, &over);
        const double supplies_va = drawn->va[i] + lost, va = wsk_line_load_va(net, i, wall, drawn->va[i]);
        if (over > 0)
            wsk_lines_add(l, 2, WSK_SAID(WSK_SAY_CHECK_FEED, 100 * over, lost, say_feed(net, line, l->arena)));
        if (over > 1)
            wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_FEED_SMALL));
        report_battery(net, steady, i, drawn, l);
        if (net->n_line > 1)
            report_branch(net, steady, i, drawn, va, l);
        else
            report_circuit(
                net, va,
                wall > 0 && !line->feeds[1] ? WSK_SAY(l->arena, WSK_SAY_CHECK_UPS_SIZE, supplies_va, wall) : NULL, l);
    }
}
