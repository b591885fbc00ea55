/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The block-exact step, for LANES rigs of one structure at once: entry i of lane l stands at [i * LANES + l]. Included
 * with LANES defined, 1 for a rig by itself, and SETS as 1 where they share their tables; each lane sees the same operations in the same order, so the same bits.
 * x_mean = x + h phi2(Ah) C^-1 (A x + f), with the media at their step means. Theory: docs/theory/time.md */
#include <string.h>

#include "sim/run/run.h"

#if LANES > 1 && defined(__GNUC__) /* for whichever vectors the caller is compiled */
#define KERNEL static inline __attribute__((always_inline))
#else
#define KERNEL static inline
#endif
#if LANES > 1
#define EACH_LANE _Pragma("omp simd") for (int l = 0; l < LANES; l++)
#else
#define EACH_LANE for (int l = 0; l < LANES; l++)
#endif

/* Each lane has tables of its own, or all go by one set. */
#ifndef SETS
#define SETS LANES
#endif
#define OF(i) ((i) * SETS + (SETS > 1 ? l : 0))

/* Loops whose length the compiler knows, written out. */
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 4")
#else
#define UNROLLED
#endif

typedef struct {
    const wsk_net *net;          /* its structure alone; all that differs between lanes stands below */
    const int *sense, *deposit;  /* per port: media, by their place in the elimination */
    const int *into, *ports;     /* per medium, by that place: where its ports begin among those sorted by it */
    const double *mean, *a;      /* a block's from [its table * SETS] */
    const double *lu, *tail;     /* factored matrix of the media; inverse of its tail */
    const double *rows;          /* of the slow media, before elimination */
    const double *store, *give, *g, *cap;
    double h;
    double *t, *mean_t, *heat, *work, *carry; /* work: 2 n_node */
} kernel;

/* The tables of a rig by itself. In place: a copy of what was just written singly would wait for it. */
static inline void take_tables(kernel *k, const wsk_run *run, const wsk_config *c)
{
    k->net = run->net;
    k->sense = c->sense;
    k->deposit = c->deposit;
    k->into = c->into;
    k->ports = c->ports;
    k->mean = c->mean;
    k->a = c->a;
    k->lu = c->lu;
    k->tail = c->tail;
    k->rows = c->rows;
    k->store = c->store;
    k->give = c->give;
    k->g = c->point.g;
    k->cap = run->cap;
    k->h = c->h;
}

/* What the block would average at with its media at 0 K: x + mean (a x + heat). */
KERNEL void free_mean(int n, const double *restrict mean, const double *restrict a, const double *restrict x,
                      const double *restrict zero, const double *restrict heat, double *restrict out)
{
    double s[WSK_BLOCK_MAX * LANES], w[WSK_BLOCK_MAX * LANES], over[WSK_BLOCK_MAX * LANES];
    UNROLLED for (int i = 0; i < n; i++)
        EACH_LANE
        {
            s[i * LANES + l] = over[i * LANES + l] = x[i * LANES + l] - zero[l];
            w[i * LANES + l] = heat[i * LANES + l];
        }
    UNROLLED for (int j = 0; j < n; j++)
        UNROLLED for (int i = 0; i < n; i++)
            EACH_LANE w[i * LANES + l] += a[OF(i * n + j)] * over[j * LANES + l];
    UNROLLED for (int j = 0; j < n; j++)
        UNROLLED for (int i = 0; i < n; i++)
            EACH_LANE s[i * LANES + l] += mean[OF(i * n + j)] * w[j * LANES + l];
    UNROLLED for (int i = 0; i < n; i++)
        EACH_LANE out[i * LANES + l] = s[i * LANES + l];
}

/* The media's heat f added to the mean; the balance of the block over the step then gives its end. */
KERNEL void close_block(int n, const double *restrict mean, const double *restrict a, const double *restrict f,
                        const double *restrict heat, const double *restrict h_cap, double *restrict m, double *restrict x)
{
    double s[WSK_BLOCK_MAX * LANES], w[WSK_BLOCK_MAX * LANES];
    UNROLLED for (int i = 0; i < n; i++)
        EACH_LANE
        {
            s[i * LANES + l] = m[i * LANES + l];
            w[i * LANES + l] = f[i * LANES + l] + heat[i * LANES + l];
        }
    UNROLLED for (int j = 0; j < n; j++)
        UNROLLED for (int i = 0; i < n; i++)
            EACH_LANE s[i * LANES + l] += mean[OF(i * n + j)] * f[j * LANES + l];
    UNROLLED for (int j = 0; j < n; j++)
        UNROLLED for (int i = 0; i < n; i++)
            EACH_LANE w[i * LANES + l] += a[OF(i * n + j)] * s[j * LANES + l];
    UNROLLED for (int i = 0; i < n; i++)
        EACH_LANE
        {
            m[i * LANES + l] = s[i * LANES + l];
            x[i * LANES + l] += h_cap[OF(i)] * w[i * LANES + l];
        }
}

/* The usual sizes get loops of known length; the order of operations is the same. */
#define BY_SIZE(n, call, ...) \
    switch (n) { \
    case 1: call(1, __VA_ARGS__); break; \
    case 2: call(2, __VA_ARGS__); break; \
    case 3: call(3, __VA_ARGS__); break; \
    default: call(n, __VA_ARGS__); \
    }

/* What the blocks give joins the right sides x, then both halves of the elimination, in place; the tail, where each row would
 * wait for the one before, by its inverse. */
KERNEL void solve_media(const kernel *c, double *restrict x)
{
    const wsk_lu *lu = c->net->mean_lu;
    const double *restrict v = c->lu, *restrict inverse = c->tail, *restrict give = c->give, *restrict m_solid = c->mean_t;
    const int *restrict solid = c->net->port_solid, *restrict into = c->into, *restrict ports = c->ports;
    const int n = lu->n, tail = lu->tail, m = n - tail, *restrict start = lu->row_start, *restrict diag = lu->diag, *restrict col = lu->col,
              *restrict cut = lu->cut;
    double y[WSK_TAIL * LANES];
    for (int k = 0; k < n; k++) {
        double s[LANES];
        const int end = k < tail ? diag[k] : cut[k];
        EACH_LANE s[l] = x[k * LANES + l];
        for (int q = into[k]; q < into[k + 1]; q++)
            EACH_LANE s[l] += give[OF(ports[q])] * m_solid[solid[ports[q]] * LANES + l];
        for (int p = start[k]; p < end; p++)
            EACH_LANE s[l] -= v[OF(p)] * x[col[p] * LANES + l];
        double *to = k < tail ? x + k * LANES : y + (k - tail) * LANES;
        EACH_LANE to[l] = s[l];
    }
    for (int i = 0; i < m; i++) {
        double s[LANES];
        EACH_LANE s[l] = 0;
        for (int j = 0; j < m; j++)
            EACH_LANE s[l] += inverse[OF(i * m + j)] * y[j * LANES + l];
        EACH_LANE x[(tail + i) * LANES + l] = s[l];
    }
    for (int k = tail; k-- > 0;) {
        double s[LANES];
        const int at = diag[k], end = start[k + 1];
        EACH_LANE s[l] = x[k * LANES + l];
        for (int p = at + 1; p < end; p++)
            EACH_LANE s[l] -= v[OF(p)] * x[col[p] * LANES + l];
        EACH_LANE x[k * LANES + l] = s[l] * v[OF(at)];
    }
}

/* Right sides of the media: what they are given, store, or are (boundaries). All as excess over the room: fewer digits are lost. */
KERNEL void begin_media(const kernel *c, const double *restrict zero, double *restrict e)
{
    const wsk_net *net = c->net;
    const double *restrict x = c->t, *restrict heat = c->heat;
    for (const wsk_medium *m = net->media[WSK_QUICK], *end = m + net->n_media[WSK_QUICK]; m < end; m++)
        EACH_LANE e[m->at * LANES + l] = heat[m->node * LANES + l];
    for (const wsk_medium *m = net->media[WSK_SLOW], *end = m + net->n_media[WSK_SLOW]; m < end; m++)
        EACH_LANE e[m->at * LANES + l] = heat[m->node * LANES + l] + c->store[OF(m->node)] * (x[m->node * LANES + l] - zero[l]);
    for (const wsk_medium *m = net->media[WSK_GIVEN], *end = m + net->n_media[WSK_GIVEN]; m < end; m++)
        EACH_LANE e[m->at * LANES + l] = x[m->node * LANES + l] - zero[l];
}

/* Slow media go by the balance of the step, quasi-steady ones stand at its mean: a change is never the small
 * difference of two large numbers, so the books close to rounding. e: media means over `zero`; solids' stand in c->mean_t. */
KERNEL void move_media(const kernel *c, const double *restrict zero, const double *restrict e, double *restrict in)
{
    const wsk_net *net = c->net;
    const wsk_lu *lu = net->mean_lu;
    double *restrict t = c->t, *restrict mean = c->mean_t, *restrict carry = c->carry;
    const double *restrict heat = c->heat, *restrict row = c->rows;
    if (net->n_slow_port > 0) {
        memset(in, 0, (size_t)lu->n * LANES * sizeof *in);
        for (int k = 0; k < net->n_slow_port; k++) {
            int p = net->slow_port[k], s = net->port_solid[p] * LANES, a = c->sense[p] * LANES, b = c->deposit[p] * LANES;
            EACH_LANE in[b + l] += c->g[OF(p)] * (mean[s + l] - e[a + l]);
        }
    }
    for (const wsk_medium *m = net->media[WSK_SLOW], *end = m + net->n_media[WSK_SLOW]; m < end; m++) {
        const int at = m->node * LANES;
        double w[LANES];
        EACH_LANE w[l] = heat[at + l] + (net->n_slow_port > 0 ? in[m->at * LANES + l] : 0);
        for (int p = lu->row_start[m->at]; p < lu->row_start[m->at + 1]; p++, row += SETS)
            EACH_LANE w[l] -= row[OF(0)] * e[lu->col[p] * LANES + l];
        EACH_LANE /* a room's change in a second is lost in the last digits of its temperature */
        {
            double change = c->h * w[l] / c->cap[OF(m->node)] + carry[at + l], next = t[at + l] + change;
            carry[at + l] = (t[at + l] - next) + change;
            t[at + l] = next;
            mean[at + l] = e[m->at * LANES + l] + zero[l];
        }
    }
    for (const wsk_medium *m = net->media[WSK_QUICK], *end = m + net->n_media[WSK_QUICK]; m < end; m++)
        EACH_LANE t[m->node * LANES + l] = mean[m->node * LANES + l] = e[m->at * LANES + l] + zero[l];
    for (const wsk_medium *m = net->media[WSK_GIVEN], *end = m + net->n_media[WSK_GIVEN]; m < end; m++)
        EACH_LANE mean[m->node * LANES + l] = t[m->node * LANES + l];
}

KERNEL void take_step(const kernel *c)
{
    const wsk_net *net = c->net;
    const int *restrict solid = net->port_solid, *restrict sense = c->sense;
    const double *restrict heat = c->heat, *restrict g = c->g;
    double *restrict m = c->mean_t, *restrict x = c->t, *restrict e = c->work, zero[LANES];
    EACH_LANE zero[l] = x[net->room * LANES + l];
    begin_media(c, zero, e);
    for (const wsk_block *b = net->blocks, *end = b + net->n_block; b < end; b++) {
        int table = b->table * SETS, at = b->first * LANES;
        BY_SIZE(b->count, free_mean, c->mean + table, c->a + table, x + at, zero, heat + at, m + at)
    }
    solve_media(c, e);
    for (const wsk_block *b = net->blocks, *end = b + net->n_block; b < end; b++) {
        int table = b->table * SETS, at = b->first * LANES;
        double f[WSK_BLOCK_MAX * LANES] = {0};
        for (int p = b->first_port; p < b->first_port + b->n_ports; p++)
            EACH_LANE f[(solid[p] - b->first) * LANES + l] += g[OF(p)] * e[sense[p] * LANES + l];
        BY_SIZE(b->count, close_block, c->mean + table, c->a + table, f, heat + at, c->store + b->first * SETS, m + at, x + at)
    }
    move_media(c, zero, e, e + net->n_node * LANES);
    for (int i = 0; i < net->n_solid; i++)
        EACH_LANE m[i * LANES + l] += zero[l];
}
