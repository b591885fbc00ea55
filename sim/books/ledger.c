/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ledger checks that no energy is lost. Inflow is metered, outflow is the heat through boundary nodes and by the
 * air conditioner, and storage follows from node temperatures: three independent accounts that must balance. The mass
 * balance of the flows is checked as well. Theory: docs/theory/ledger.md */
#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/num/wide.h"
#include "sim/control/run.h"
#include "sim/books/books.h"
#include "sim/control/control.h"

double wsk_stored_j(const wsk_run *run)
{
    wsk_sum s = {0};
    for (int i = 0; i < run->net->n_node; i++)
        if (!run->net->nodes[i].boundary && run->cap[i] > 0)
            wsk_sum_add(&s, run->cap[i] * (run->t[i] - run->t_start[i] + run->carry[i]));
    return wsk_sum_value(&s);
}

void wsk_ledger_start(wsk_run *run)
{
    size_t bytes = (size_t)run->net->n_node * sizeof(double);
    memcpy(run->t_start, run->t, bytes);
    memset(run->carry, 0, bytes);
    memset(run->stretch_ks, 0, bytes);
    memset(run->stretch_j, 0, bytes);
    run->books->stretch_s = run->books->stretch_ac_j = 0;
}

/* Computes the net heat into each air or coolant node, J, without storage, over the stretch (time with constant flows,
 * see wsk_ledger_close). Heat carried by flows is counted from the room temperature. */
static void find_media_heat(const wsk_run *run, const wsk_point *p, double *net_j)
{
    const wsk_net *net = run->net;
    const double *e = run->stretch_ks;
    memset(net_j, 0, (size_t)net->n_node * sizeof *net_j);
    for (int i = 0; i < net->n_branch; i++) {
        double q = fabs(p->w[i]) * e[p->up[i]];
        net_j[p->up[i]] -= q;
        net_j[p->down[i]] += q;
    }
    for (int i = 0; i < net->n_exchange; i++) {
        double q = p->x[i] * (e[net->exchanges[i].a] - e[net->exchanges[i].b]);
        net_j[net->exchanges[i].a] -= q;
        net_j[net->exchanges[i].b] += q;
    }
    for (int i = 0; i < net->n_cond; i++) {
        double q = net->conds[i].g * (e[net->conds[i].a] - e[net->conds[i].b]);
        net_j[net->conds[i].a] -= q;
        net_j[net->conds[i].b] += q;
    }
    for (int i = 0; i < net->n_port; i++)
        net_j[p->deposit[i]] += p->g[i] * (e[net->ports[i].solid] - e[p->sense[i]]);
}

/* Checks that flow into a node equals flow out of it. The heat balance cannot show this, because flow from the room
 * carries no heat in it: heat is counted from the room temperature. */
static void audit_streams(const wsk_run *run, const wsk_point *p, double *sum, wsk_ledger *l)
{
    const wsk_net *net = run->net;
    double strayed = 0, carried = 0;
    for (int i = net->n_solid; i < net->n_node; i++)
        sum[i] = 0;
    for (int i = 0; i < net->n_branch; i++) {
        double w = fabs(p->w[i]);
        sum[p->up[i]] -= w;
        sum[p->down[i]] += w;
        carried += w;
    }
    for (int i = net->n_solid; i < net->n_node; i++)
        strayed += i == net->room ? 0 : fabs(sum[i]);
    wsk_sum_add(&l->strayed, strayed * run->books->stretch_s);
    wsk_sum_add(&l->carried, carried * run->books->stretch_s);
}

/* Books the open stretch (time with constant flows, see wsk_ledger_close). Uses flows and temperatures, not the
 * tables with which the step computes, so that the audit does not depend on the step. */
static void book_stretch(const wsk_run *run, wsk_ledger *l)
{
    const wsk_net *net = run->net;
    double *net_j = run->work, out = run->books->stretch_ac_j, defect = 0;
    find_media_heat(run, &run->flows->point, net_j);
    for (int i = net->n_solid; i < net->n_node; i++) {
        if (net->nodes[i].boundary)
            out += net_j[i] + run->stretch_j[i];
        else if (!(run->cap[i] > 0))
            defect += fabs(net_j[i] + run->stretch_j[i]);
    }
    wsk_sum_add(&l->out, out);
    wsk_sum_add(&l->defect, defect);
    audit_streams(run, &run->flows->point, net_j, l);
}

void wsk_ledger_close(wsk_run *run)
{
    wsk_books *books = run->books;
    size_t bytes = (size_t)run->net->n_node * sizeof(double);
    if (!(books->stretch_s > 0) || !run->flows)
        return;
    wsk_book_repeats(run);
    book_stretch(run, &books->ledger);
    for (int i = 0; i < run->net->n_mover; i++)
        wsk_account_mover(run, i, books->stretch_s, &run->movers[i]);
    memset(run->stretch_ks, 0, bytes);
    memset(run->stretch_j, 0, bytes);
    books->stretch_s = books->stretch_ac_j = 0;
}

wsk_ledger wsk_ledger_now(const wsk_run *run)
{
    wsk_ledger l = run->books->ledger;
    if (run->books->stretch_s > 0 && run->flows)
        book_stretch(run, &l);
    return l;
}

wsk_mover_state wsk_mover_now(const wsk_run *run, int mover)
{
    wsk_mover_state s = run->movers[mover];
    if (run->books->stretch_s > 0 && run->flows)
        wsk_account_mover(run, mover, run->books->stretch_s, &s);
    return s;
}

void wsk_ledger_step(wsk_run *run, double h)
{
    wsk_books *books = run->books;
    wsk_ledger *l = &books->ledger;
    wsk_sum_over_time(run->net->n_node, run->mean_t, run->mean_t[run->net->room], h, run->stretch_ks);
    if (run->now.quiet)
        run->stretch_j[run->net->room] += run->heat[run->net->room] * h;
    else
        wsk_sum_over_time(run->net->n_node, run->heat, 0, h, run->stretch_j);
    books->stretch_s += h;
    books->stretch_ac_j += (run->ac_heat_w + run->ac_w) * h;
    wsk_sum_add(&l->wall, run->wall_w * h);
    wsk_sum_add(&l->side, run->side_w * h);
    wsk_sum_add(&l->cooling_electric, run->ac_w * h);
    wsk_sum_add(&l->cooling_heat, run->ac_heat_w * h);
}

/* Rounding error of the stored heat, J. Each step rounds the heat content of the nodes, and the errors of n steps add
 * up to about sqrt(n) times that of one step. */
static double rounding_j(const wsk_run *run)
{
    double content = 0, steps = (double)run->head->t_ns / (double)run->tick_ns;
    for (int i = 0; i < run->net->n_node; i++)
        if (!run->net->nodes[i].boundary)
            content += run->cap[i] * run->t[i];
    return content * DBL_EPSILON * sqrt(steps + 1);
}

double wsk_residual(const wsk_run *run)
{
    const wsk_ledger now = wsk_ledger_now(run), *l = &now;
    double in = wsk_sum_value(&l->wall) + wsk_sum_value(&l->side) + wsk_sum_value(&l->cooling_electric);
    double out = wsk_sum_value(&l->out) + wsk_sum_value(&l->strode);
    double total = wsk_max(wsk_max(fabs(in), fabs(out)), wsk_max(rounding_j(run) / 1e-9, 1));
    double heat = fabs(in - out - wsk_stored_j(run)) / total;
    /* With all fans off and no draught, flows are only rounding errors; the total flow is therefore taken as at least
     * 1 J/K. */
    double streams = wsk_sum_value(&l->strayed) / wsk_max(wsk_sum_value(&l->carried), 1);
    return wsk_max(heat, streams);
}

double wsk_splitting(const wsk_run *run)
{
    const wsk_ledger now = wsk_ledger_now(run), *l = &now;
    double in = wsk_sum_value(&l->wall) + wsk_sum_value(&l->side);
    return wsk_sum_value(&l->defect) / wsk_max(in, 1);
}
