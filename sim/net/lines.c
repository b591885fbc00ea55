/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds the branch circuits to the network: the site's own and each <branch>, with breaker, UPS and power strip. Theory:
 * docs/theory/power.md, "Branch: circuit"; docs/theory/trip.md */
#include <math.h>
#include <string.h>

#include "sim/net/compile.h"

static bool is_american(double volt)
{
    return volt == 120 || volt == 208 || volt == 240 || volt == 277;
}

/* continuous: allowed continuous current divided by rated current; NAN: chosen by the voltage. */
static void fill_line(wsk_mains_line *line, double outlet_a, double continuous, int breaker)
{
    double volt = line->supply_v, rule = continuous;
    if (isnan(rule)) /* NEC 210.20(A), 80 % continuous load, applies to North American voltages */
        rule = is_american(volt) ? 0.8 : 1;
    double amp = isnan(line->circuit_a) ? INFINITY : line->circuit_a * rule;
    amp = isnan(outlet_a) ? amp : wsk_min(amp, outlet_a);
    line->limit_w = isfinite(amp) ? amp * volt : 0;
    int kind = volt == 100 ? WSK_BREAKER_JAPAN : is_american(volt) ? WSK_BREAKER_UL : WSK_BREAKER_C;
    line->breaker = wsk_breaker_of(breaker < 0 ? kind : breaker);
    static const char *const feeds[2] = {"pdu", "ups"};
    for (int i = 0; i < 2; i++) {
        const wsk_elem *feed = wsk_only(line->elem, feeds[i]);
        line->feeds[i] = wsk_params_of(feed);
        line->feed_ops[i] = feed ? feed->kind->ops : NULL;
    }
}

void wsk_build_lines(wsk_build *b, const wsk_elem *site)
{
    wsk_net *net = b->net;
    const wsk_site_params *own = net->site;
    size_t n = 1;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(site, "branch", e)) != NULL;)
        n++;
    net->lines = wsk_alloc(net->arena, n * sizeof *net->lines);
    if (!net->lines) {
        b->full = true;
        return;
    }
    net->lines[0] = (wsk_mains_line){
        .elem = site, .id = "site", .supply_v = own->supply_v, .circuit_a = own->circuit_a, .fails_ns = -1};
    fill_line(&net->lines[net->n_line++], own->outlet_a, own->continuous, own->breaker);
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(site, "branch", e)) != NULL;) {
        const wsk_line_params *p = e->params;
        wsk_mains_line *line = &net->lines[net->n_line++];
        *line = (wsk_mains_line){.elem = e,
                                 .id = e->id,
                                 .supply_v = isnan(p->supply_v) ? own->supply_v : p->supply_v,
                                 .circuit_a = p->circuit_a,
                                 .fails_ns = wsk_fails_ns(p->fails_s)};
        fill_line(line, p->outlet_a, isnan(p->continuous) ? own->continuous : p->continuous, p->breaker);
    }
}

int wsk_build_on_line(wsk_build *b, const wsk_elem *elem, const char *on)
{
    wsk_net *net = b->net;
    int found = on ? WSK_NO : 0;
    wsk_said_list known = {.arena = b->plan->arena};
    for (int i = 0; i < net->n_line && on; i++) {
        if (strcmp(net->lines[i].id, on) == 0)
            found = i;
        wsk_said_add(&known, WSK_SAID(WSK_SAY_PLAIN, net->lines[i].id));
    }
    if (found < 0)
        wsk_elem_diag(
            &b->plan->diags, WSK_DIAG_ERROR, elem, "on",
            WSK_SAID(WSK_SAY_ON_NO_BRANCH, on, wsk_said_link_all(&known, WSK_SAY_JOINED, WSK_SAY_JOIN_COMMA_OR)));
    found = found < 0 ? 0 : found;
    net->lines[found].used = true;
    return found;
}

static bool loses_unloaded(const wsk_mains_line *line)
{
    bool loses = false;
    for (int i = 0; i < 2; i++)
        loses = loses || (line->feeds[i] && line->feed_ops[i]->loss_w(line->feeds[i], 0) > 0);
    return loses;
}

/* Reports each <branch> that feeds nothing, and each whose id is that of the site's own circuit, or "circuit", under
 * which variables and events name the site's own circuit. A machine without a PSU element uses the site's own circuit.
 * A circuit that feeds only a UPS is reported, but carries the UPS's loss. */
void wsk_check_lines(wsk_build *b)
{
    wsk_net *net = b->net;
    for (int i = 0; i < net->n_case; i++)
        net->lines[0].used = net->lines[0].used || !net->cases[i].n_supply;
    for (int i = 0; i < net->n_line; i++) {
        wsk_mains_line *line = &net->lines[i];
        if (i > 0 && (strcmp(line->id, net->lines[0].id) == 0 || strcmp(line->id, "circuit") == 0))
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, line->elem, "id", WSK_SAID(WSK_SAY_BRANCH_SITE, line->id));
        if (i > 0 && !line->used)
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, line->elem, NULL,
                          WSK_SAID(WSK_SAY_BRANCH_EMPTY, line->id));
        line->used = line->used || loses_unloaded(line);
    }
}

/* Data of each kind of breaker, in the order of the members of wsk_breaker. The standard demands one current that a
 * breaker must hold and one at which it must trip; hold currents lie between these. With tau_s every breaker in that
 * range meets the standard's trip times. Instant trip of UL 489 and Japan is assumed:
 * docs/theory/constants.md, "instant trip" */
wsk_breaker wsk_breaker_of(int kind)
{
    static const wsk_breaker known[] = {[WSK_BREAKER_UL] = {"UL 489", 1.05, 1.32, 150, 8, 15},
                                        [WSK_BREAKER_B] = {"IEC 60898 B", 1.15, 1.43, 120, 3.05, 4.95},
                                        [WSK_BREAKER_C] = {"IEC 60898 C", 1.15, 1.43, 120, 5.05, 9.95},
                                        [WSK_BREAKER_D] = {"IEC 60898 D", 1.15, 1.43, 120, 10.05, 19.95},
                                        [WSK_BREAKER_JAPAN] = {"Japan, article 33", 1.02, 1.22, 150, 5.05, 9.95}};
    return known[kind];
}

double wsk_battery_minutes(const wsk_mains_line *line, double wall_w, double *spread)
{
    const wsk_feed_params *ups = line->feeds[1];
    const wsk_feed_params *strip = line->feeds[0];
    double out_w = wall_w + (strip ? line->feed_ops[0]->loss_w(strip, wall_w) : 0),
           minutes = ups && line->feed_ops[1]->runtime_s ? line->feed_ops[1]->runtime_s(ups, out_w) / 60 : 0;
    const double most = ups ? ups->battery_s / 60 : 0; /* the battery's law holds up to this time, min */
    *spread = minutes > 0 && minutes < most ? minutes * ups->battery_spread : NAN;
    return minutes > 0 ? wsk_min(minutes, most) : (double)NAN;
}
