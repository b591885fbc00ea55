/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time. Both steppers give the temperatures at the end of the step and their mean over it, from which every
 * flux of the step follows exactly; so one ledger serves both. Theory: docs/theory/time.md */
#include <math.h>
#include <string.h>

#define LANES 1
#include "sim/run/kernel.h"

enum { BB = WSK_BLOCK_MAX * WSK_BLOCK_MAX, SUBSTEPS = 4 };
static const double gamma_ = 0.29289321881345254; /* 1 - sqrt(1/2): SDIRK2, L-stable (Alexander 1977) */

void wsk_forget_configs(wsk_run *run)
{
    wsk_ledger_close(run);
    for (int i = 0; i < WSK_CONFIGS; i++)
        run->configs[i].used = false;
    run->config = NULL;
}

/* ---- block-exact: the tables of kernel.h ---- */

/* phi2 changes little with what ports take from a block: z's diagonal moves by some hundredths over all flows there are. So it
 * is known at the crossings of a grid, with its slopes there, and straight between: an error of some span^2/100 = 3e-5 of what a
 * step changes; steady points and the books do not depend on it. Which crossing it is from is a matter of z alone, so history
 * leaves no trace. */
static const double span = 0.05, widest = 2;

static void know(wsk_known *k, int n, const double *z, double h)
{
    int nn = n * n;
    double at[BB], phi1[BB], low[BB];
    memcpy(at, z, (size_t)nn * sizeof *at);
    for (int i = 0; i < n; i++)
        at[i * n + i] = k->at[i];
    wsk_phi(n, at, phi1, k->phi2);
    for (int i = 0; i < n; i++) {
        double *slope = k->phi2 + (i + 1) * nn;
        at[i * n + i] = k->at[i] + span / 2;
        wsk_phi(n, at, phi1, slope);
        at[i * n + i] = k->at[i] - span / 2;
        wsk_phi(n, at, phi1, low);
        at[i * n + i] = k->at[i];
        for (int j = 0; j < nn; j++)
            slope[j] = (slope[j] - low[j]) / span;
    }
    k->h = h;
}

/* Of a large block, or one that a long step carries far, anew. */
static void find_phi2(wsk_run *run, int block, int n, const double *z, double h, double *phi2)
{
    double at[WSK_KNOWN_NODES], phi1[BB];
    bool near = n <= WSK_KNOWN_NODES;
    for (int i = 0; near && i < n; i++) {
        near = z[i * n + i] > -widest;
        at[i] = floor(z[i * n + i] / span + 0.5) * span;
    }
    if (!near) {
        wsk_phi(n, z, phi1, phi2);
        return;
    }
    wsk_known *all = run->known + (size_t)block * WSK_KNOWN, *k = NULL;
    for (int i = 0; i < WSK_KNOWN && !k; i++)
        if (all[i].h == h && memcmp(all[i].at, at, (size_t)n * sizeof *at) == 0)
            k = &all[i];
    if (!k) {
        k = &all[run->known_turn[block]++ % WSK_KNOWN];
        memcpy(k->at, at, (size_t)n * sizeof *at);
        know(k, n, z, h);
    }
    memcpy(phi2, k->phi2, (size_t)(n * n) * sizeof *phi2);
    for (int i = 0; i < n; i++) {
        double off = z[i * n + i] - at[i];
        const double *slope = k->phi2 + (i + 1) * n * n;
        for (int j = 0; j < n * n; j++)
            phi2[j] += off * slope[j];
    }
}

static void prepare_block(wsk_run *run, const wsk_block *b, wsk_config *c, int k)
{
    const wsk_net *net = run->net;
    int n = b->count;
    double z[BB], phi2[BB], *a = c->a + b->table, *mean = c->mean + b->table;
    for (int i = 0; i < n; i++) {
        a[i * n + i] = 0;
        for (int j = 0; j < n; j++)
            if (i != j) {
                a[i * n + j] = b->inner[i][j];
                a[i * n + i] -= b->inner[i][j];
            }
    }
    for (int p = b->first_port; p < b->first_port + b->n_ports; p++) {
        int i = net->ports[p].solid - b->first;
        a[i * n + i] -= c->point.g[p];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            z[i * n + j] = a[i * n + j] * c->store[b->first + i];
    find_phi2(run, k, n, z, c->h, phi2);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            mean[i * n + j] = c->store[b->first + j] * phi2[i * n + j];
}

/* A matrix that is being filled: v[at[row * n + col]], rows of boundaries going nowhere; nodes counted from `shift`. */
typedef struct {
    const int *at;
    int n, shift;
    double *v;
} filling;

static inline void add(const filling *f, int row, int col, double x)
{
    f->v[f->at[(row - f->shift) * f->n + col - f->shift]] += x;
}

/* Streams, exchanges and conductances between media: rows of heat out minus heat in. */
static void add_media(const wsk_run *run, const wsk_config *c, const filling *f)
{
    const wsk_net *net = run->net;
    for (int i = 0; i < net->n_branch; i++) {
        double w = fabs(c->point.w[i]);
        int up = c->point.up[i], down = c->point.down[i];
        add(f, up, up, w);
        add(f, down, up, -w);
    }
    for (int i = 0; i < net->n_exchange + net->n_cond; i++) {
        bool x = i < net->n_exchange;
        int a = x ? net->exchanges[i].a : net->conds[i - net->n_exchange].a;
        int b = x ? net->exchanges[i].b : net->conds[i - net->n_exchange].b;
        double w = x ? c->point.x[i] : net->conds[i - net->n_exchange].g;
        add(f, a, a, w);
        add(f, a, b, -w);
        add(f, b, b, w);
        add(f, b, a, -w);
    }
}

/* Begins with what boundaries are: themselves. */
static filling fill(const wsk_net *net, const wsk_lu *lu, const int *at, int shift, double *v)
{
    memset(v, 0, ((size_t)lu->nnz + 1) * sizeof *v);
    for (int i = net->n_solid; i < net->n_node; i++)
        if (net->nodes[i].boundary)
            v[wsk_lu_place(lu, i - shift, i - shift)] = 1;
    return (filling){at, lu->n, shift, v};
}

/* Per node h/C of a solid or 2C/h of a slow medium; per port its conductance, 0 where a boundary takes the heat. */
static void prepare_gains(const wsk_run *run, wsk_config *c)
{
    const wsk_net *net = run->net;
    for (int i = 0; i < net->n_node; i++)
        c->store[i] = i < net->n_solid ? c->h / run->cap[i] : 2 * run->cap[i] / c->h;
    for (int p = 0; p < net->n_port; p++)
        c->give[p] = net->nodes[c->point.deposit[p]].boundary ? 0 : c->point.g[p];
}

/* Where the ports stand in the elimination, and the ports of each medium that they give to, in order. */
static void sort_ports(const wsk_net *net, wsk_config *c)
{
    const int n = net->mean_lu->n;
    int *into = c->into;
    memset(into, 0, (size_t)(n + 1) * sizeof *into);
    for (int p = 0; p < net->n_port; p++) {
        c->sense[p] = net->medium_at[c->point.sense[p] - net->n_solid];
        c->deposit[p] = net->medium_at[c->point.deposit[p] - net->n_solid];
        into[c->deposit[p] + 1]++;
    }
    for (int k = 0; k < n; k++)
        into[k + 1] += into[k];
    for (int p = 0; p < net->n_port; p++)
        c->ports[into[c->deposit[p]]++] = p;
    for (int k = n; k > 0; k--) /* each was counted up to where the next begins */
        into[k] = into[k - 1];
    into[0] = 0;
}

/* What media exchange with one another, as a matrix; of the slow ones its rows are kept, and where the ports stand in it. */
static filling prepare_media(const wsk_run *run, wsk_config *c)
{
    const wsk_net *net = run->net;
    const filling f = fill(net, net->mean_lu, net->mean_at, net->n_solid, c->lu);
    double *row = c->rows;
    add_media(run, c, &f);
    for (int k = 0; k < net->n_media[WSK_SLOW]; k++) {
        int from = net->mean_lu->row_start[net->media[WSK_SLOW][k].at], to = net->mean_lu->row_start[net->media[WSK_SLOW][k].at + 1];
        memcpy(row, c->lu + from, (size_t)(to - from) * sizeof *row);
        row += to - from;
    }
    sort_ports(net, c);
    return f;
}

static bool prepare_mean(const wsk_run *run, wsk_config *c)
{
    const wsk_net *net = run->net;
    const filling f = prepare_media(run, c);
    for (int k = 0; k < net->n_media[WSK_SLOW]; k++) { /* trapezoidal storage, mean = (start + end) / 2 */
        int i = net->media[WSK_SLOW][k].node;
        add(&f, i, i, c->store[i]);
    }
    for (int k = 0; k < net->n_block; k++) {
        const wsk_block *b = &net->blocks[k];
        const double *mean = c->mean + b->table, *g = c->point.g;
        for (int p = b->first_port; p < b->first_port + b->n_ports; p++) {
            const double *row = mean + (net->ports[p].solid - b->first) * b->count;
            int to = c->point.deposit[p];
            add(&f, to, c->point.sense[p], g[p]);
            for (int q = b->first_port; q < b->first_port + b->n_ports; q++)
                add(&f, to, c->point.sense[q], -g[p] * row[net->ports[q].solid - b->first] * g[q]);
        }
    }
    return wsk_lu_factor_to_tail(net->mean_lu, c->lu, c->tail);
}

/* What the kernel sees of a rig by itself. */
static inline void view(kernel *k, wsk_run *run, const wsk_config *c)
{
    take_tables(k, run, c);
    k->t = run->t;
    k->mean_t = run->mean_t;
    k->heat = run->heat;
    k->work = run->work;
    k->carry = run->carry;
}

/* ---- reference: SDIRK2 on all nodes, no structure assumed ---- */

static bool prepare_full(const wsk_run *run, wsk_config *c)
{
    const wsk_net *net = run->net;
    prepare_media(run, c);
    const filling f = fill(net, run->full_lu, run->full_at, 0, c->full);
    add_media(run, c, &f);
    for (int k = 0; k < net->n_block; k++) {
        const wsk_block *b = &net->blocks[k];
        for (int i = 0; i < b->count; i++)
            for (int j = 0; j < b->count; j++)
                if (i != j) {
                    add(&f, b->first + i, b->first + i, b->inner[i][j]);
                    add(&f, b->first + i, b->first + j, -b->inner[i][j]);
                }
    }
    for (int p = 0; p < net->n_port; p++) {
        int solid = net->ports[p].solid, sense = c->point.sense[p], deposit = c->point.deposit[p];
        double g = c->point.g[p];
        add(&f, solid, solid, g);
        add(&f, solid, sense, -g);
        add(&f, deposit, solid, -g);
        add(&f, deposit, sense, g);
    }
    for (int i = 0; i < net->n_node; i++)
        if (run->cap[i] > 0)
            add(&f, i, i, run->cap[i] / (gamma_ * c->h / SUBSTEPS));
    return wsk_lu_factor(run->full_lu, c->full);
}

/* The end of the step from the balance of each solid at the stage means: what SDIRK2's last stage is, without its
 * rounding. */
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
            w[net->ports[p].solid - b->first] -= c->point.g[p] * (m[net->ports[p].solid] - m[c->point.sense[p]]);
        for (int i = 0; i < b->count; i++)
            run->t[b->first + i] += c->h * w[i] / run->cap[b->first + i];
    }
}

static void step_reference(wsk_run *run, const wsk_config *c)
{
    const wsk_net *net = run->net;
    int n = net->n_node;
    double *m = run->mean_t, *x = run->t, *b = run->rhs, *first = run->work + n,
           rate = 1 / (gamma_ * c->h / SUBSTEPS), zero = x[net->room];
    memset(m, 0, (size_t)n * sizeof *m);
    memcpy(first + n, x, (size_t)n * sizeof *x); /* the step's start */
    for (int i = 0; i < n; i++) /* solved as excess over the room: fewer digits are lost */
        x[i] -= zero;
    for (int s = 0; s < SUBSTEPS; s++) {
        for (int i = 0; i < n; i++)
            b[i] = net->nodes[i].boundary ? x[i] : run->cap[i] * rate * x[i] + run->heat[i];
        wsk_lu_solve(run->full_lu, c->full, b, run->work);
        memcpy(first, b, (size_t)n * sizeof *b);
        for (int i = 0; i < n; i++)
            b[i] = net->nodes[i].boundary
                       ? x[i]
                       : run->cap[i] * rate * (x[i] + (1 - gamma_) / gamma_ * (first[i] - x[i])) + run->heat[i];
        wsk_lu_solve(run->full_lu, c->full, b, run->work);
        for (int i = 0; i < n; i++) {
            m[i] += ((1 - gamma_) * first[i] + gamma_ * b[i]) / SUBSTEPS;
            x[i] = b[i];
        }
    }
    memcpy(x, first + n, (size_t)n * sizeof *x);
    for (int k = net->n_solid; k < n; k++)
        b[k] = m[net->n_solid + net->mean_lu->order[k - net->n_solid]];
    kernel k;
    view(&k, run, c);
    move_media(&k, &zero, b + net->n_solid, run->work);
    for (int i = 0; i < net->n_solid; i++)
        m[i] += zero;
    move_solids(run, c);
}

/* ---- the point for the present speeds, from memory or anew ---- */

/* The flows at these speeds, where another step length has solved them. */
static bool take_point(const wsk_run *run, wsk_config *c)
{
    size_t bytes = (size_t)run->net->n_mover * sizeof(double);
    for (int i = 0; i < WSK_CONFIGS; i++) {
        const wsk_config *other = &run->configs[i];
        if (other->used && memcmp(other->rpm, c->rpm, bytes) == 0) {
            wsk_point_copy(&c->point, &other->point);
            return true;
        }
    }
    return false;
}

const wsk_config *wsk_config_for(wsk_run *run, double h)
{
    size_t bytes = (size_t)run->net->n_mover * sizeof(double);
    const wsk_config *now = run->config;
    bool same = now && memcmp(now->rpm, run->rpm, bytes) == 0;
    if (same && now->h == h)
        return now;
    if (!same)
        wsk_ledger_close(run);
    for (int i = 0; i < WSK_CONFIGS; i++) {
        wsk_config *c = &run->configs[i];
        if (c->used && c->h == h && memcmp(c->rpm, run->rpm, bytes) == 0)
            return run->config = c;
    }
    wsk_config *c = &run->configs[run->config_turn];
    if (now == c)
        run->config = NULL;
    run->config_turn = (run->config_turn + 1) % WSK_CONFIGS;
    c->used = false;
    c->h = h;
    memcpy(c->rpm, run->rpm, bytes);
    if (!take_point(run, c) && !wsk_point_solve(run->net, run->rpm, run->t_natural, &c->point))
        return NULL;
    prepare_gains(run, c);
    if (run->stepper == WSK_STEPPER_REFERENCE) {
        if (!prepare_full(run, c))
            return NULL;
    } else {
        for (int k = 0; k < run->net->n_block; k++)
            prepare_block(run, &run->net->blocks[k], c, k);
        if (!prepare_mean(run, c))
            return NULL;
    }
    c->used = true;
    c->serial = ++run->config_serial;
    return run->config = c;
}

/* Whether these tables are those of the step before, or their speeds at least. */
static bool as_before(const wsk_run *run, const wsk_config *c)
{
    return c->serial == run->step_serial || memcmp(run->step_rpm, c->rpm, (size_t)run->net->n_mover * sizeof(double)) == 0;
}

/* All watts but the room's, which an air conditioner changes at each step. */
static bool watts_as_before(const wsk_run *run)
{
    const size_t to = (size_t)run->net->room, from = to + 1, n = (size_t)run->net->n_node;
    if (run->climbs > 0 && run->climbs == run->step_climb)
        return true;
    return memcmp(run->step_heat, run->heat, to * sizeof(double)) == 0 &&
           memcmp(run->step_heat + from, run->heat + from, (n - from) * sizeof(double)) == 0;
}

/* Its columns cost as much as a dozen steps; new watts as much as a step, or half of one in a small rig. */
static const int64_t patience = 8, long_patience = 32;

bool wsk_whole_due(const wsk_run *run, const wsk_config *c)
{
    const int64_t steps = run->head->same_steps;
    return run->whole && steps >= patience && c->h == (double)run->tick_ns / 1e9 && as_before(run, c) &&
           (watts_as_before(run) || (steps >= long_patience && wsk_whole_small(run)));
}

void wsk_step_done(wsk_run *run, const wsk_config *c)
{
    run->head->same_steps = as_before(run, c) ? run->head->same_steps + 1 : 0;
    if (c->serial != run->step_serial)
        memcpy(run->step_rpm, c->rpm, (size_t)run->net->n_mover * sizeof(double));
    run->step_serial = c->serial;
    if (run->head->same_steps >= patience && (run->climbs == 0 || run->climbs != run->step_climb || run->head->same_steps == patience))
        memcpy(run->step_heat, run->heat, (size_t)run->net->n_node * sizeof(double));
    run->step_heat[run->net->room] = 0;
    run->now.by_whole = false;
    run->step_climb = run->climbs;
}

bool wsk_step(wsk_run *run, double h)
{
    const bool stands = run->now.quiet && run->config && run->config->h == h; /* no fan or pump has been asked */
    const wsk_config *c = stands ? run->config : wsk_config_for(run, h);
    if (!c)
        return false;
    if (stands && run->now.by_whole) {
        run->head->same_steps++;
        return wsk_whole_step(run, c);
    }
    const bool whole = wsk_whole_due(run, c);
    if (whole) {
        if (!wsk_whole_step(run, c))
            return false;
    } else if (run->stepper == WSK_STEPPER_REFERENCE) {
        step_reference(run, c);
    } else {
        kernel k;
        view(&k, run, c);
        take_step(&k);
    }
    wsk_step_done(run, c);
    run->now.by_whole = whole;
    return true;
}
