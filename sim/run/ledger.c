/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every joule is booked. Inflow is what the meters read, outflow what crosses the boundary, storage what the
 * nodes' temperatures say: accounts that share no sum. The balance of the streams is audited beside them. Theory: docs/theory/ledger.md */
#include <math.h>
#include <string.h>

#include "sim/run/run.h"

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
    memcpy(run->t_start, run->t, (size_t)run->net->n_node * sizeof(double));
    memset(run->carry, 0, (size_t)run->net->n_node * sizeof(double));
}

/* Net heat into each medium over the step, W, from the mean temperatures; storage is not subtracted. */
static void media_heat(const wsk_run *run, const wsk_point *p, double *net_w)
{
    const wsk_net *net = run->net;
    const double *m = run->mean_t;
    double zero = m[net->room];
    memset(net_w, 0, (size_t)net->n_node * sizeof *net_w);
    for (int i = 0; i < net->n_branch; i++) {
        double q = fabs(p->w[i]) * (m[p->up[i]] - zero); /* over the room's: mass balance makes the zero free */
        net_w[p->up[i]] -= q;
        net_w[p->down[i]] += q;
    }
    for (int i = 0; i < net->n_exchange; i++) {
        double q = p->x[i] * (m[net->exchanges[i].a] - m[net->exchanges[i].b]);
        net_w[net->exchanges[i].a] -= q;
        net_w[net->exchanges[i].b] += q;
    }
    for (int i = 0; i < net->n_cond; i++) {
        double q = net->conds[i].g * (m[net->conds[i].a] - m[net->conds[i].b]);
        net_w[net->conds[i].a] -= q;
        net_w[net->conds[i].b] += q;
    }
    for (int i = 0; i < net->n_port; i++)
        net_w[p->deposit[i]] += p->g[i] * (m[net->ports[i].solid] - m[p->sense[i]]);
}

/* Streams carry heat over the room's temperature, so one that comes from the room could be doubled unseen: that
 * what flows into a node flows out of it is audited by itself. */
static void audit_streams(wsk_run *run, double h)
{
    const wsk_net *net = run->net;
    const wsk_point *p = &run->config->point;
    double *sum = run->work, strayed = 0, carried = 0;
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
    wsk_sum_add(&run->head->ledger.strayed, strayed * h);
    wsk_sum_add(&run->head->ledger.carried, carried * h);
}

void wsk_ledger_step(wsk_run *run, double h)
{
    const wsk_net *net = run->net;
    wsk_ledger *l = &run->head->ledger;
    double *net_w = run->rhs; /* anew, not the step's own: an audit does not take the other's word */
    media_heat(run, &run->config->point, net_w);
    double out = run->ac_heat_w + run->ac_w, defect = 0;
    for (int i = net->n_solid; i < net->n_node; i++) {
        if (net->nodes[i].boundary)
            out += net_w[i] + run->heat[i];
        else if (!(run->cap[i] > 0))
            defect += fabs(net_w[i] + run->heat[i]);
    }
    audit_streams(run, h);
    wsk_sum_add(&l->out, out * h);
    wsk_sum_add(&l->defect, defect * h);
    wsk_sum_add(&l->dc, run->dc_w * h);
    wsk_sum_add(&l->wall, run->wall_w * h);
    wsk_sum_add(&l->side, run->side_w * h);
    wsk_sum_add(&l->psu_loss, run->loss_w * h);
    wsk_sum_add(&l->cooling_electric, run->ac_w * h);
    wsk_sum_add(&l->cooling_heat, run->ac_heat_w * h);
}

double wsk_residual(const wsk_run *run)
{
    const wsk_ledger *l = &run->head->ledger;
    double in = wsk_sum_value(&l->wall) + wsk_sum_value(&l->side) + wsk_sum_value(&l->cooling_electric);
    double out = wsk_sum_value(&l->out);
    double heat = fabs(in - out - wsk_stored_j(run)) / wsk_max(wsk_max(fabs(in), fabs(out)), 1);
    /* Where no fan turns and nothing draws, streams are the rounding of zero: below 1 J/K in all they are none. */
    double streams = wsk_sum_value(&l->strayed) / wsk_max(wsk_sum_value(&l->carried), 1);
    return wsk_max(heat, streams);
}

double wsk_splitting(const wsk_run *run)
{
    const wsk_ledger *l = &run->head->ledger;
    double in = wsk_sum_value(&l->wall) + wsk_sum_value(&l->side);
    return wsk_sum_value(&l->defect) / wsk_max(in, 1);
}
