/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solves the flow network by the global gradient algorithm (Todini and Pilati 1988, as in EPANET), and computes
 * the conductances of ports and the heat-capacity flows of branches from it. Theory: docs/theory/air.md */
#include <math.h>
#include <string.h>

#include "sim/net/point.h"

/* Newton steps: the first PLAIN - 1 are taken in full, the others are halved; a search ends after ITERATIONS_MAX. */
enum { PLAIN = 30, ITERATIONS_MAX = 200 };

size_t wsk_point_doubles(const wsk_net *net)
{
    size_t scratch = 10 * (size_t)net->n_branch + 3 * (size_t)net->n_flow + (size_t)net->flow_lu->nnz;
    return 2 * (size_t)net->n_branch + (size_t)net->n_flow + (size_t)net->n_port + (size_t)net->n_exchange + scratch +
           (size_t)net->n_port + (size_t)net->n_branch + 2;
}

void wsk_point_place(const wsk_net *net, wsk_point *p, double *m)
{
    p->q = m;
    p->w = p->q + net->n_branch;
    p->pressure = p->w + net->n_branch;
    p->g = p->pressure + net->n_flow;
    p->x = p->g + net->n_port;
    /* two arrays of int (sense and deposit, up and down) take the space of one of double */
    p->sense = (int *)(p->x + net->n_exchange);
    p->deposit = p->sense + net->n_port;
    p->up = p->deposit + net->n_port;
    p->down = p->up + net->n_branch;
    p->scratch = p->x + net->n_exchange + net->n_port + net->n_branch;
}

void wsk_point_copy(wsk_point *to, const wsk_point *from)
{
    memcpy(to->q, from->q, (size_t)(from->scratch - from->q) * sizeof *from->q);
    to->iterations = from->iterations;
    to->imbalance = from->imbalance;
}

/* Draught of a branch's air column, Pa, positive if the column is warmer than the room. Returns 0 without a column
 * or without temperatures. */
static double column_draught(const wsk_net *net, const wsk_branch *b, const double *t)
{
    if (b->column < 0 || !t)
        return 0;
    double inside = t[net->flow_node[b->column]], room = t[net->room];
    return WSK_RHO0 * net->rho_rel * WSK_G * b->rise_m * (inside - room) / inside;
}

static double relative_speed(const wsk_net *net, const wsk_branch *b, const double *rpm)
{
    return b->mover < 0 ? 0 : rpm[b->mover] / net->movers[b->mover].ref_rpm;
}

/* Arrays in a point's scratch memory. At flow q a branch consumes the pressure (loss x q + square x q |q| - drive),
 * Pa; below a flow of sqrt(small) the quadratic term becomes linear. Entries of the room, which is no unknown, get a
 * separate position for each branch behind the last entry of rhs and v: with one shared position each addition would
 * wait for the one before. */
typedef struct {
    double *loss, *square, *drive, *small, *y, *slope, *rhs, *work, *sum, *v;
} scratch;

static scratch lay_out(const wsk_net *net, double *m)
{
    scratch s = {.loss = m};
    s.square = s.loss + net->n_branch;
    s.drive = s.square + net->n_branch;
    s.small = s.drive + net->n_branch;
    s.y = s.small + net->n_branch;
    s.slope = s.y + net->n_branch;
    s.rhs = s.slope + net->n_branch;
    s.work = s.rhs + net->n_flow + net->n_branch;
    s.sum = s.work + net->n_flow;
    s.v = s.sum + net->n_flow;
    return s;
}

static double open_share(const wsk_net *net, const wsk_branch *b, const double *rpm)
{
    if (!(b->k1_foul > 0 || b->k2_foul > 0) || net->n_case == 0 || net->cases[b->in].dust < 0)
        return 1;
    return wsk_max(1 - rpm[net->cases[b->in].dust], 0.02);
}

static void take_speeds(const wsk_net *net, const double *rpm, const double *t, const scratch *m)
{
    for (int i = 0; i < net->n_branch; i++) {
        const wsk_branch *b = &net->branches[i];
        const double nu = relative_speed(net, b, rpm), open = open_share(net, b, rpm), rho = b->rho_rel,
                     small = 0.004 * b->usual;
        m->loss[i] = b->k1 + b->k1_foul / open + rho * (-b->b * nu);
        m->square[i] = rho * (b->k2 + b->k2_foul / (open * open) + b->d);
        m->drive[i] = rho * b->a * nu * nu + column_draught(net, b, t);
        m->small[i] = small * small;
    }
}

/* Computes for each branch, from the tangent to its pressure loss at flow q: slope, the change of flow per change of
 * pressure; y, the flow at which the tangent reaches zero pressure. */
WSK_WIDEST static void find_tangents(int n, const double *restrict q, const double *restrict loss,
                                     const double *restrict square, const double *restrict drive,
                                     const double *restrict small, double *restrict slope, double *restrict y)
{
    _Pragma("omp simd") for (int i = 0; i < n; i++)
    {
        const double root = sqrt(q[i] * q[i] + small[i]),
                     along = 1 / (loss[i] + square[i] * ((q[i] * q[i] + root * root) / root));
        slope[i] = along;
        y[i] = q[i] - (loss[i] * q[i] + square[i] * (q[i] * root) - drive[i]) * along;
    }
}

static void assemble_matrix(const wsk_net *net, const wsk_point *p, const scratch *m)
{
    memset(m->v, 0, (size_t)net->flow_lu->nnz * sizeof *m->v);
    memset(m->rhs, 0, (size_t)net->n_flow * sizeof *m->rhs);
    find_tangents(net->n_branch, p->q, m->loss, m->square, m->drive, m->small, m->slope, m->y);
    for (int i = 0; i < net->n_branch; i++) {
        const wsk_branch *b = &net->branches[i];
        const double along = m->slope[i], y = m->y[i];
        m->v[b->at[0]] += along;
        m->v[b->at[1]] += along;
        m->v[b->at[2]] -= along;
        m->v[b->at[3]] -= along;
        m->rhs[b->rhs[0]] -= y;
        m->rhs[b->rhs[1]] += y;
    }
}

/* One Newton step on all pressures and flows. Returns the largest change of a flow, or NAN for a singular matrix.
 * *largest: the largest flow after the step, at least net->least_flow, so that a rig without flow (a fan into a dead
 * end) converges, too. */
static double take_newton_step(const wsk_net *net, wsk_point *p, const scratch *m, double damping, double *largest)
{
    assemble_matrix(net, p, m);
    if (net->n_flow > 1) {
        if (!wsk_lu_factor(net->flow_lu, m->v))
            return NAN;
        wsk_lu_solve(net->flow_lu, m->v, m->rhs + 1, m->work);
    }
    double change = 0;
    *largest = net->least_flow;
    for (int i = 0; i < net->n_branch; i++) {
        const wsk_branch *b = &net->branches[i];
        const double by = m->y[i] + m->slope[i] * (m->rhs[b->from] - m->rhs[b->to]) - p->q[i];
        change = wsk_max(change, fabs(by));
        p->q[i] += damping * by;
        *largest = wsk_max(*largest, fabs(p->q[i]));
    }
    memcpy(p->pressure, m->rhs, (size_t)net->n_flow * sizeof *p->pressure);
    return change;
}

static double mass_imbalance(const wsk_net *net, const wsk_point *p, double largest, double *sum)
{
    double worst = 0;
    memset(sum, 0, (size_t)net->n_flow * sizeof *sum);
    for (int i = 0; i < net->n_branch; i++) {
        sum[net->branches[i].from] -= p->q[i];
        sum[net->branches[i].to] += p->q[i];
    }
    for (int i = 1; i < net->n_flow; i++)
        worst = wsk_max(worst, fabs(sum[i]));
    return worst / largest;
}

/* Corrects the flows so that each node is balanced to rounding, by a solution for the remaining imbalance with the
 * slopes of the last step. A weak stream beside strong pressures is then balanced to its own precision. */
static void balance_flows(const wsk_net *net, wsk_point *p, const scratch *m)
{
    if (net->n_flow < 2)
        return;
    memset(m->rhs, 0, (size_t)net->n_flow * sizeof *m->rhs);
    for (int i = 0; i < net->n_branch; i++) {
        m->rhs[net->branches[i].from] -= p->q[i];
        m->rhs[net->branches[i].to] += p->q[i];
    }
    wsk_lu_solve(net->flow_lu, m->v, m->rhs + 1, m->work);
    m->rhs[0] = 0;
    for (int i = 0; i < net->n_branch; i++)
        p->q[i] += m->slope[i] * (m->rhs[net->branches[i].from] - m->rhs[net->branches[i].to]);
}

static bool solve_flow(const wsk_net *net, const double *rpm, const double *t, wsk_point *p)
{
    scratch m = lay_out(net, p->scratch);
    double before = INFINITY, largest = net->least_flow;
    take_speeds(net, rpm, t, &m);
    for (int i = 0; i < net->n_branch; i++)
        p->q[i] = net->branches[i].start;
    for (p->iterations = 1; p->iterations <= ITERATIONS_MAX; p->iterations++) {
        /* While steps are undamped, the relative error after a step is about the square of the relative change in
         * that step, so that a change of 1e-9 suffices. */
        double change = take_newton_step(net, p, &m, p->iterations < PLAIN ? 1 : 0.5, &largest);
        if (!isfinite(change))
            return false;
        if (change < (p->iterations < PLAIN ? 1e-9 : 1e-12) * largest ||
            (change < 1e-9 * largest && change >= before))
            break;
        before = change;
    }
    balance_flows(net, p, &m);
    p->imbalance = mass_imbalance(net, p, largest, m.sum);
    return p->iterations <= ITERATIONS_MAX && p->imbalance < 1e-6;
}

bool wsk_point_prepare(wsk_net *net)
{
    double *rpm = wsk_alloc(net->arena, ((size_t)net->n_mover + 1) * sizeof *rpm),
           *memory = wsk_alloc(net->arena, (wsk_point_doubles(net) + 1) * sizeof *memory);
    wsk_point p;
    if (wsk_arena_failed(net->arena))
        return false;
    net->least_flow = 1e-12;
    for (int i = 0; i < net->n_branch; i++) {
        wsk_branch *b = &net->branches[i];
        int f = b->from - 1, t = b->to - 1;
        /* Scale of the flow in a slot gap (0.005 m3/s of air) or a hose (8e-5 m3/s of water). Below 1/250 of this
         * flow the quadratic loss becomes linear, so that its slope never vanishes. */
        b->usual = b->start = 0.17 / sqrt(b->heat_w_k_per_m3s);
        net->least_flow = wsk_max(net->least_flow, 1e-4 * b->usual);
        const int beyond = net->flow_lu->nnz + 3 * i;
        b->at[0] = f >= 0 ? wsk_lu_place(net->flow_lu, f, f) : beyond;
        b->at[1] = t >= 0 ? wsk_lu_place(net->flow_lu, t, t) : beyond;
        b->at[2] = f >= 0 && t >= 0 ? wsk_lu_place(net->flow_lu, f, t) : beyond + 1;
        b->at[3] = f >= 0 && t >= 0 ? wsk_lu_place(net->flow_lu, t, f) : beyond + 2;
        b->rhs[0] = f >= 0 ? b->from : net->n_flow + i;
        b->rhs[1] = t >= 0 ? b->to : net->n_flow + i;
    }
    for (int i = 0; i < net->n_mover; i++)
        rpm[i] = net->movers[i].rpm0;
    wsk_point_place(net, &p, memory);
    if (!solve_flow(net, rpm, NULL, &p))
        return true; /* no solution at these speeds: later searches begin from the usual flows */
    for (int i = 0; i < net->n_branch; i++)
        if (fabs(p.q[i]) > 1e-3 * net->branches[i].usual) /* a flow near 0 is a poor start of a search */
            net->branches[i].start = p.q[i];
    return true;
}

/* Conductance of a port, W/K. Fins: w (1 - exp(-UA / w)), UA ~ flow^exponent, w: heat-capacity flow. Natural
 * convection is added as (forced^3 + natural^3)^(1/3): docs/theory/cooler.md, "Fins" */
static double port_g(const wsk_net *net, const wsk_port *port, const wsk_point *p, const double *t)
{
    if (port->law == WSK_PORT_FIXED)
        return port->g;
    bool slow = port->branch < 0;
    double q = slow ? 0 : fabs(p->q[port->branch]), rel = slow ? 0 : q / port->flow_ref, forced = slow ? port->g : 0;
    double over = t ? fabs(t[port->solid] - t[port->sense]) : 10;
    double natural = port->natural * sqrt(sqrt(wsk_max(over, 0.5) / 10));
    if (rel > 1e-9) {
        double ua = port->g * pow(rel, port->exponent), w = net->branches[port->branch].heat_w_k_per_m3s * q;
        forced = port->law == WSK_PORT_SURFACE ? ua : w * -expm1(-ua / w);
    }
    double both = cbrt(forced * forced * forced + natural * natural * natural);
    if (port->law == WSK_PORT_FINS)
        return forced;
    return port->law == WSK_PORT_FINS_NATURAL ? port->share * (both - forced) : both;
}

static void place_port(const wsk_net *net, int i, wsk_point *p, const double *t)
{
    const wsk_port *port = &net->ports[i];
    bool backwards = port->law == WSK_PORT_FINS && p->q[port->branch] < 0;
    p->g[i] = port_g(net, port, p, t);
    p->sense[i] = backwards ? port->deposit : port->sense;
    p->deposit[i] = backwards ? port->sense : port->deposit;
}

static void divert_reversed_air(const wsk_net *net, wsk_point *p)
{
    for (int i = 0; i < net->n_reversal; i++) {
        const wsk_reversal *r = &net->reversals[i];
        const double w = p->w[r->opening];
        if (w >= 0)
            continue;
        p->w[r->past] -= w;
        p->w[r->face] -= w;
        p->w[r->opening] = 0;
    }
}

bool wsk_point_solve(const wsk_net *net, const double *rpm, const double *t, wsk_point *p)
{
    if (!solve_flow(net, rpm, t, p))
        return false;
    for (int i = 0; i < net->n_branch; i++)
        p->w[i] = net->branches[i].heat_w_k_per_m3s * p->q[i];
    divert_reversed_air(net, p);
    for (int i = 0; i < net->n_branch; i++) {
        const wsk_branch *b = &net->branches[i];
        const bool forward = p->w[i] != 0 ? p->w[i] > 0 : p->q[i] >= 0;
        p->up[i] = net->flow_node[forward ? b->from : b->to];
        p->down[i] = net->flow_node[forward ? b->to : b->from];
    }
    for (int i = 0; i < net->n_port; i++)
        place_port(net, i, p, t);
    for (int i = 0; i < net->n_exchange; i++) {
        const wsk_exchange *x = &net->exchanges[i];
        double dt = t ? fabs(t[x->a] - t[x->b]) : 5;
        double w = net->rho_cp * x->area_m2 * sqrt(WSK_G * x->height_m * wsk_max(dt, 0.5) / 300);
        if (x->branch >= 0)
            w += x->ratio * fabs(p->w[x->branch]);
        p->x[i] = w;
    }
    return true;
}
