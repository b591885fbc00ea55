/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the flows and matrices of a time step for the present speeds of fans and pumps, natural convection and step
 * length.
 * Theory: docs/theory/time.md */
#include <math.h>
#include <string.h>

#include "sim/num/wide.h"
#include "sim/control/run.h"
#include "sim/step/tables.h"
#include "sim/books/books.h"

enum { BB = WSK_BLOCK_MAX * WSK_BLOCK_MAX };

/* One of several arrays that lie one after another in memory. Each begins at a multiple of 8 entries, so that no
 * vector crosses a cache line. */
typedef struct {
    double **at;
    int count;
} part;

static int place(size_t n, const part *all, double *memory, int lanes)
{
    int count = 0;
    for (size_t i = 0; i < n; i++) {
        if (memory)
            *all[i].at = memory + (ptrdiff_t)count * lanes;
        count += (all[i].count + 7) / 8 * 8;
    }
    return count;
}

int wsk_tables_place(const wsk_net *net, wsk_config *c, double *memory, int lanes)
{
    const int slow = net->n_media[WSK_SLOW];
    const part all[] = {{&c->gain, net->n_slot},
                        {&c->store, slow},
                        {&c->slow_gain, slow},
                        {&c->blocks, net->n_table},
                        {&c->media, net->mean_at.size + 1},
                        {&c->give, net->n_port},
                        {&c->rows, net->mean_at.n * wsk_rows(slow)}};
    return place(sizeof all / sizeof *all, all, memory, lanes);
}

int wsk_scratch_place(const wsk_net *net, wsk_scratch *s, double *memory, int lanes)
{
    /* WSK_INVERSE_MAX more entries, because a product with an inverse matrix writes all its padded rows */
    const int media = wsk_rows(net->n_node - net->n_solid) + WSK_INVERSE_MAX;
    const part all[] = {{&s->m, net->n_slot}, {&s->x, net->n_slot + media}, {&s->r, 2 * media}, {&s->e, media}};
    return place(sizeof all / sizeof *all, all, memory, lanes);
}

static const wsk_config *use_config(wsk_run *run, const wsk_config *c)
{
    run->flows = c ? &c->flows : NULL;
    return run->stepping->config = c;
}

void wsk_forget_configs(wsk_run *run)
{
    wsk_ledger_close(run);
    for (int i = 0; i < WSK_CONFIGS; i++)
        run->stepping->configs[i].used = false;
    use_config(run, NULL);
}

/* phi2(z) = (e^z - 1 - z)/z^2 with z = C^-1 A h (C: heat capacities, A: conductances of a block, h: step length).
 * Flows change only the diagonal of z. phi2 and its slopes are therefore computed on a grid of the diagonal, with
 * points `span` apart down to -`widest`, and interpolated linearly. The error is about span^2/100 = 3e-5 of a step's
 * change. Steady points and the energy balance are not affected. The grid point depends on z alone, so that the
 * history of a run has no influence. */
static const double span = 0.05, widest = 2;

/* Computes the gains h phi2(z) C^-1, stored by columns, from z, stored by rows, and gain = h/C. */
static void gains_of(int n, const double *z, const double *gain, double *mean)
{
    double phi1[BB], phi2[BB];
    wsk_phi(n, z, phi1, phi2);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < wsk_rows(n); i++)
            mean[j * wsk_rows(n) + i] = i < n ? phi2[i * n + j] * gain[j] : 0;
}

/* Computes z = C^-1 A h, stored by rows, from A, stored by columns, and gain = h/C. */
static void find_rates(int n, const double *a, const double *gain, double *z)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            z[i * n + j] = a[j * wsk_rows(n) + i] * gain[i];
}

/* Computes the gains h phi2(z) C^-1 and their slopes at the grid point k->at, for a block with inner conductances a,
 * stored by columns. */
static void fill_known(wsk_known *k, int n, const double *a, const double *gain)
{
    const int size = n * WSK_FOUR;
    double z[BB] = {0}, low[BB];
    find_rates(n, a, gain, z);
    for (int i = 0; i < n; i++)
        z[i * n + i] = k->at[i];
    gains_of(n, z, gain, k->mean);
    for (int i = 0; i < n; i++) {
        double *slope = k->mean + (i + 1) * size;
        z[i * n + i] = k->at[i] + span / 2;
        gains_of(n, z, gain, slope);
        z[i * n + i] = k->at[i] - span / 2;
        gains_of(n, z, gain, low);
        z[i * n + i] = k->at[i];
        for (int j = 0; j < size; j++)
            slope[j] = (slope[j] - low[j]) / span;
    }
}

static inline bool is_known(const wsk_known *k, int n, double h, const double *at)
{
    bool same = k->h == h;
    for (int i = 0; i < n; i++)
        same = same && k->at[i] == at[i];
    return same;
}

/* Returns the grid point nearest to the diagonal of z, which is computed if it is not remembered. off gets the
 * distance of each diagonal entry from it. NULL: the block has too many solids, or z is outside the grid because the
 * step is long. */
static const wsk_known *find_nearest(wsk_run *run, int block, int n, const double *a, double h, const double *gain,
                                     double *off)
{
    double at[WSK_KNOWN_NODES];
    if (n > WSK_KNOWN_NODES)
        return NULL;
    for (int i = 0; i < n; i++) {
        const double to = a[i * WSK_FOUR + i] * gain[i];
        if (!(to > -widest))
            return NULL;
        /* `to` is at most 0, so subtracting 0.5 and truncating in the cast rounds to the nearest grid point */
        at[i] = (double)(int64_t)(to / span - 0.5) * span;
        off[i] = to - at[i];
    }
    wsk_known *all = run->stepping->known + (size_t)block * WSK_KNOWN;
    for (int i = 0; i < WSK_KNOWN; i++)
        if (is_known(&all[i], n, h, at))
            return &all[i];
    wsk_known *k = &all[run->stepping->known_turn[block]++ % WSK_KNOWN];
    memcpy(k->at, at, (size_t)n * sizeof *at);
    k->h = h;
    fill_known(k, n, a, gain);
    return k;
}

/* Fills the matrix P of a block (p) and the columns of its ports (s) from its conductances a and its gains q, all
 * stored by columns, in the layout described at wsk_block.table. n and rows are compile-time constants for usual
 * blocks. */
WSK_INLINE void fill_block(int n, int rows, int ports, const int *solid, const double *g, const double *a,
                           const double *q, double *p, double *s)
{
    double *f = s + ports * rows;
    WSK_UNROLLED for (int j = 0; j < n; j++) for (int i = 0; i < rows; i += WSK_FOUR)
    {
        wsk_four x = {0};
        WSK_UNROLLED for (int k = 0; k < n; k++) x += WSK_FOUR_AT(q + k * rows + i, 0) * a[j * rows + k];
        WSK_FOUR_AT(p + j * rows + i, 0) = x;
    }
    for (int j = 0; j < n; j++)
        p[j * rows + j] += 1;
    WSK_UNROLLED for (int k = 0; k < ports; k++) for (int i = 0; i < rows; i += WSK_FOUR)
    {
        WSK_FOUR_AT(s + k * rows + i, 0) = WSK_FOUR_AT(q + solid[k] * rows + i, 0) * g[k];
        WSK_FOUR_AT(f + k * rows + i, 0) = (wsk_four){0};
    }
    WSK_UNROLLED for (int k = 0; k < ports; k++) f[k * rows + solid[k]] = g[k];
}

WSK_INLINE void interpolate(int n, int size, const double *known, const double *off, double *mean)
{
    WSK_UNROLLED for (int j = 0; j < size; j += WSK_FOUR)
    {
        wsk_four x = WSK_FOUR_AT(known + j, 0);
        WSK_UNROLLED for (int i = 0; i < n; i++) x += WSK_FOUR_AT(known + (i + 1) * size + j, 0) * off[i];
        WSK_FOUR_AT(mean + j, 0) = x;
    }
}

WSK_WIDEST static void make_block(int n, int ports, const int *solid, const double *g, const double *a,
                                  const double *known, const double *off, double *p, double *q, double *s)
{
    if (known && n == 3)
        interpolate(3, 3 * WSK_FOUR, known, off, q);
    else if (known)
        interpolate(n, n * WSK_FOUR, known, off, q);
    if (n == 3 && ports == 3)
        fill_block(3, WSK_FOUR, 3, solid, g, a, q, p, s);
    else
        fill_block(n, wsk_rows(n), ports, solid, g, a, q, p, s);
}

static void prepare_block(wsk_run *run, const wsk_block *b, wsk_config *c, int k)
{
    const int n = b->count, rows = wsk_rows(n), *solid = run->net->port_row + b->first_port;
    double *p = c->blocks + b->table, *q = p + n * rows, *a = q + n * rows, *s = a + n * rows, off[WSK_KNOWN_NODES];
    const double *g = c->flows.point.g + b->first_port, *gain = c->gain + b->slot;
    memcpy(a, b->base, (size_t)(n * rows) * sizeof *a);
    for (int i = 0; i < b->n_ports; i++)
        a[solid[i] * rows + solid[i]] -= g[i];
    const wsk_known *known = find_nearest(run, k, n, a, c->h, gain, off);
    if (!known) {
        double z[BB] = {0};
        find_rates(n, a, gain, z);
        gains_of(n, z, gain, q);
    }
    make_block(n, b->n_ports, solid, g, a, known ? known->mean : NULL, off, p, q, s);
}

void wsk_known_take(wsk_run *run, const wsk_run *from)
{
    const wsk_stepping *own = run->stepping, *other = from->stepping;
    for (int k = 0; own->known && other->known && k < run->net->n_block && k < from->net->n_block; k++) {
        const wsk_block *a = &run->net->blocks[k], *b = &from->net->blocks[k];
        const size_t n = (size_t)a->count, matrix = n * (size_t)wsk_rows(a->count) * sizeof *a->base;
        if (a->first != b->first || a->count != b->count || memcmp(a->base, b->base, matrix) != 0 ||
            memcmp(run->cap + a->first, from->cap + b->first, n * sizeof *run->cap) != 0)
            continue;
        memcpy(own->known + (size_t)k * WSK_KNOWN, other->known + (size_t)k * WSK_KNOWN,
               WSK_KNOWN * sizeof *own->known);
        own->known_turn[k] = other->known_turn[k];
    }
}

typedef struct {
    const wsk_places *places;
    double *v;
} filling;

static inline void add_entry(const filling *f, int row, int col, double x)
{
    const wsk_places *p = f->places;
    f->v[p->at[(row - p->shift) * p->n + col - p->shift]] += x;
}

/* Each row of the matrix gives a medium's heat out minus its heat in. */
static void add_media(const wsk_run *run, const wsk_config *c, const filling *f)
{
    const wsk_net *net = run->net;
    const int(*pair)[4] = f->places->pair, *forward = c->flows.point.up;
    double *v = f->v;
    for (int i = 0; i < net->n_branch; i++, pair++) {
        const double w = fabs(c->flows.point.w[i]);
        const int *to = *pair + (forward[i] == net->flow_node[net->branches[i].from] ? 0 : 2);
        v[to[0]] += w;
        v[to[1]] -= w;
    }
    for (int i = 0; i < net->n_exchange + net->n_cond; i++, pair++) {
        const double w = i < net->n_exchange ? c->flows.point.x[i] : net->conds[i - net->n_exchange].g;
        v[(*pair)[0]] += w;
        v[(*pair)[1]] -= w;
        v[(*pair)[2]] += w;
        v[(*pair)[3]] -= w;
    }
}

/* Rows of boundaries, whose temperatures are given, are those of the identity matrix. */
static filling begin_filling(const wsk_net *net, const wsk_places *places, double *v)
{
    memset(v, 0, ((size_t)places->size + 1) * sizeof *v);
    for (int k = 0; k < net->n_media[WSK_GIVEN]; k++)
        v[places->own[k]] = 1;
    return (filling){places, v};
}

/* Fills h/C of solids, and 2C/h and h/C of slow media, those with a heat capacity C. `like`: a config of the same
 * step length, whose values are copied; NULL: none. */
static void prepare_gains(const wsk_run *run, wsk_config *c, const wsk_config *like)
{
    const wsk_net *net = run->net;
    const int slow = net->n_media[WSK_SLOW];
    if (like) {
        memcpy(c->gain, like->gain, (size_t)(c->blocks - c->gain) * sizeof *c->gain);
        return;
    }
    for (int k = 0; k < net->n_block; k++)
        for (int i = 0; i < net->blocks[k].count; i++)
            c->gain[net->blocks[k].slot + i] = c->h / run->cap[net->blocks[k].first + i];
    for (int k = 0; k < slow; k++) {
        double cap = run->cap[net->media[WSK_SLOW][k]];
        c->store[k] = 2 * cap / c->h;
        c->slow_gain[k] = c->h / cap;
    }
}

static void prepare_ports(const wsk_net *net, wsk_config *c)
{
    for (int p = 0; p < net->n_port; p++) {
        const int to = c->flows.point.deposit[p];
        c->sense[p] = c->flows.point.sense[p] - net->n_solid;
        c->deposit[p] = to - net->n_solid;
        c->give[p] = net->nodes[to].boundary ? 0 : c->flows.point.g[p];
    }
}

static filling prepare_media(const wsk_run *run, wsk_config *c)
{
    const wsk_net *net = run->net;
    const int slow = net->n_media[WSK_SLOW], rows = wsk_rows(slow), n = net->mean_at.n;
    const filling f = begin_filling(net, &net->mean_at, c->media);
    add_media(run, c, &f);
    for (int k = 0; k < slow; k++) {
        const int *at = net->mean_at.at + (net->media[WSK_SLOW][k] - net->n_solid) * n;
        for (int j = 0; j < n; j++)
            c->rows[j * rows + k] = at[j] < 0 ? 0 : c->media[at[j]];
    }
    return f;
}

/* Fills the matrix of the media's mean temperatures and factors or inverts it. The matrix contains the exchange
 * between media, storage in slow media, and the response of blocks through their ports. False: the matrix is
 * singular. */
static bool prepare_mean(const wsk_run *run, wsk_config *c)
{
    const wsk_net *net = run->net;
    const filling f = prepare_media(run, c);
    /* Heat stored in slow media: 2 C/h, because the mean temperature of a step is taken as (start + end) / 2. */
    for (int k = 0; k < net->n_media[WSK_SLOW]; k++) {
        int i = net->media[WSK_SLOW][k];
        add_entry(&f, i, i, c->store[k]);
    }
    for (int k = 0; k < net->n_block; k++) {
        const wsk_block *b = &net->blocks[k];
        const int rows = wsk_rows(b->count), *row = net->port_row + b->first_port,
                  *to = c->flows.point.deposit + b->first_port, *sense = c->flows.point.sense + b->first_port;
        const double *s = c->blocks + b->table + 3 * b->count * rows, *g = c->flows.point.g + b->first_port;
        for (int p = 0; p < b->n_ports; p++) {
            add_entry(&f, to[p], sense[p], g[p]);
            for (int q = 0; q < b->n_ports; q++)
                add_entry(&f, to[p], sense[q], -g[p] * s[q * rows + row[p]]);
        }
    }
    const wsk_lu *lu = net->mean_lu;
    return lu->n <= WSK_INVERSE_MAX ? wsk_invert(lu->n, lu->order, c->media) : wsk_lu_factor(lu, c->media);
}

static bool prepare_full(const wsk_run *run, wsk_config *c)
{
    const wsk_net *net = run->net;
    prepare_media(run, c);
    const filling f = begin_filling(net, &run->stepping->full_at, c->full);
    add_media(run, c, &f);
    for (int k = 0; k < net->n_block; k++) {
        const wsk_block *b = &net->blocks[k];
        for (int i = 0; i < b->count; i++)
            for (int j = 0; j < b->count; j++)
                if (i != j) {
                    add_entry(&f, b->first + i, b->first + i, b->inner[i][j]);
                    add_entry(&f, b->first + i, b->first + j, -b->inner[i][j]);
                }
    }
    for (int p = 0; p < net->n_port; p++) {
        int solid = net->ports[p].solid, sense = c->flows.point.sense[p], deposit = c->flows.point.deposit[p];
        double g = c->flows.point.g[p];
        add_entry(&f, solid, solid, g);
        add_entry(&f, solid, sense, -g);
        add_entry(&f, deposit, solid, -g);
        add_entry(&f, deposit, sense, g);
    }
    for (int i = 0; i < net->n_node; i++)
        if (run->cap[i] > 0)
            add_entry(&f, i, i, run->cap[i] * wsk_reference_rate(c->h));
    return wsk_lu_factor(run->stepping->full_lu, c->full);
}

static bool prepare_config(wsk_run *run, wsk_config *c, const wsk_config *last)
{
    prepare_gains(run, c, last->has_gains && last->h == c->h ? last : NULL);
    prepare_ports(run->net, c);
    if (run->stepper == WSK_STEPPER_REFERENCE)
        return prepare_full(run, c);
    for (int k = 0; k < run->net->n_block; k++)
        prepare_block(run, &run->net->blocks[k], c, k);
    return prepare_mean(run, c);
}

const wsk_config *wsk_config_for(wsk_run *run, double h)
{
    const size_t bytes = (size_t)run->net->n_mover * sizeof(double);
    const wsk_config *now = run->stepping->config, *flows = NULL;
    const bool same = now && memcmp(now->flows.rpm, run->rpm, bytes) == 0;
    if (same && now->h == h)
        return now;
    if (!same)
        wsk_ledger_close(run);
    const uint64_t hash = wsk_hash_words(run->rpm, bytes);
    for (int i = 0; i < WSK_CONFIGS; i++) {
        wsk_config *c = &run->stepping->configs[i];
        if (!c->used || c->hash != hash || memcmp(c->flows.rpm, run->rpm, bytes) != 0)
            continue;
        if (c->h == h)
            return use_config(run, c);
        flows = c; /* the flows hold for these speeds, but the matrices of c are for another step length */
    }
    wsk_config *c = &run->stepping->configs[run->stepping->config_turn],
               *last = &run->stepping->configs[(run->stepping->config_turn + WSK_CONFIGS - 1) % WSK_CONFIGS];
    if (now == c)
        use_config(run, NULL);
    run->stepping->config_turn = (run->stepping->config_turn + 1) % WSK_CONFIGS;
    c->used = c->has_gains = false; /* stay false if these speeds have no solution */
    c->h = h;
    c->hash = hash;
    memcpy(c->flows.rpm, run->rpm, bytes);
    if (flows && flows != c)
        wsk_point_copy(&c->flows.point, &flows->flows.point);
    if ((!flows && !wsk_point_solve(run->net, run->rpm, run->t_natural, &c->flows.point)) ||
        !prepare_config(run, c, last))
        return NULL;
    c->used = c->has_gains = true;
    c->serial = ++run->stepping->config_serial;
    return use_config(run, c);
}
