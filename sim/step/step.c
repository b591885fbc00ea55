/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes one time step by one of two steppers: the fast one (kernel.h) or the reference. Each gives the temperatures
 * at the end of the step and their means over the step. The means determine each heat flow of the step exactly, so
 * that the energy accounts need not know the stepper. Theory: docs/theory/time.md */
#include <math.h>
#include <string.h>

#define LANES 1
#include "sim/step/kernel.h"
#include "sim/step/step.h"

static inline void make_view(kernel *k, wsk_run *run, const wsk_config *c)
{
    *k = (kernel){run->net, c, run->t, run->mean_t, run->heat, run->carry, run->stepping->scratch};
}

/* The reference stepper: SDIRK2 (diagonally implicit Runge-Kutta method of order 2) on all nodes at once. */

/* Computes the temperatures of solids at the end of the step from their heat balances at the mean temperatures. The
 * result equals that of SDIRK2's last stage, but with less rounding. */
static void move_solids(wsk_run *run, const wsk_config *c)
{
    const wsk_net *net = run->net;
    const double *m = run->mean_t;
    for (int k = 0; k < net->n_block; k++) {
        const wsk_block *b = &net->blocks[k];
        double w[WSK_BLOCK_MAX] = {0};
        for (int i = 0; i < b->count; i++) {
            w[i] += run->heat[b->first + i];
            for (int j = 0; j < b->count; j++)
                w[i] += i == j ? 0 : b->inner[i][j] * (m[b->first + j] - m[b->first + i]);
        }
        for (int p = b->first_port; p < b->first_port + b->n_ports; p++)
            w[net->ports[p].solid - b->first] -=
                c->flows.point.g[p] * (m[net->ports[p].solid] - m[c->flows.point.sense[p]]);
        for (int i = 0; i < b->count; i++)
            run->t[b->first + i] += c->h * w[i] / run->cap[b->first + i];
    }
}

static void step_reference(wsk_run *run, const wsk_config *c)
{
    const wsk_net *net = run->net;
    int n = net->n_node;
    double *m = run->mean_t, *x = run->t, *b = run->stepping->rhs, *first = run->work + n,
           rate = wsk_reference_rate(c->h), zero = x[net->room];
    memset(m, 0, (size_t)n * sizeof *m);
    memcpy(first + n, x, (size_t)n * sizeof *x);
    /* temperatures relative to the room, which reduces rounding errors */
    for (int i = 0; i < n; i++)
        x[i] -= zero;
    for (int s = 0; s < WSK_SUBSTEPS; s++) {
        for (int i = 0; i < n; i++)
            b[i] = net->nodes[i].boundary ? x[i] : run->cap[i] * rate * x[i] + run->heat[i];
        wsk_lu_solve(run->stepping->full_lu, c->full, b, run->work);
        memcpy(first, b, (size_t)n * sizeof *b);
        for (int i = 0; i < n; i++)
            b[i] = net->nodes[i].boundary
                       ? x[i]
                       : run->cap[i] * rate * (x[i] + (1 - WSK_GAMMA) / WSK_GAMMA * (first[i] - x[i])) + run->heat[i];
        wsk_lu_solve(run->stepping->full_lu, c->full, b, run->work);
        for (int i = 0; i < n; i++) {
            m[i] += ((1 - WSK_GAMMA) * first[i] + WSK_GAMMA * b[i]) / WSK_SUBSTEPS;
            x[i] = b[i];
        }
    }
    memcpy(x, first + n, (size_t)n * sizeof *x);
    kernel k;
    make_view(&k, run, c);
    for (int i = net->n_solid; i < n; i++)
        k.s.e[i - net->n_solid] = m[i];
    move_media(&k, m, net->port_solid, &zero);
    for (int i = 0; i < net->n_solid; i++)
        m[i] += zero;
    move_solids(run, c);
}

WSK_WIDEST static void step_fast(const kernel *k)
{
    take_step(k);
}

bool wsk_step(wsk_run *run, double h)
{
    const wsk_config *last = run->stepping->config;
    /* in a quiet tick no fan or pump has changed its speed */
    const bool stands = run->now.quiet && last && last->h == h;
    const wsk_config *c = stands ? last : wsk_config_for(run, h);
    if (!c)
        return false;
    if (run->stepper == WSK_STEPPER_REFERENCE) {
        step_reference(run, c);
        return true;
    }
    kernel k;
    make_view(&k, run, c);
    step_fast(&k);
    return true;
}
