/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The block-exact step, for LANES rigs of one structure at once: entry i of lane l stands at [i * LANES + l]. Included
 * with LANES defined, 1 for a rig by itself; each lane sees the same operations in the same order, so the same bits.
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

/* Loops whose length the compiler knows, written out. */
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 4")
#else
#define UNROLLED
#endif

typedef struct {
    const wsk_net *net;                       /* its structure alone; all that differs between lanes stands below */
    const int *up, *down, *sense, *deposit;
    const double *mean, *a;                   /* a block's from [its table * LANES] */
    const double *lu, *store, *give, *g, *w, *x, *cond, *cap;
    double h;
    double *t, *mean_t, *heat, *rhs, *work, *media_w, *carry;
} kernel;

/* What the block would average at with its media at 0 K: x + mean (a x + heat). */
KERNEL void free_mean(int n, const double *restrict mean, const double *restrict a, const double *restrict x,
                             const double *restrict heat, double *restrict out)
{
    double s[WSK_BLOCK_MAX * LANES], w[WSK_BLOCK_MAX * LANES];
    UNROLLED for (int i = 0; i < n; i++)
        EACH_LANE
        {
            s[i * LANES + l] = x[i * LANES + l];
            w[i * LANES + l] = heat[i * LANES + l];
        }
    UNROLLED for (int j = 0; j < n; j++)
        UNROLLED for (int i = 0; i < n; i++)
            EACH_LANE w[i * LANES + l] += a[(i * n + j) * LANES + l] * x[j * LANES + l];
    UNROLLED for (int j = 0; j < n; j++)
        UNROLLED for (int i = 0; i < n; i++)
            EACH_LANE s[i * LANES + l] += mean[(i * n + j) * LANES + l] * w[j * LANES + l];
    UNROLLED for (int i = 0; i < n; i++)
        EACH_LANE out[i * LANES + l] = s[i * LANES + l];
}

/* The media's heat f added to the mean; the balance of the block over the step then gives its end. */
KERNEL void close_block(int n, const double *restrict mean, const double *restrict a, const double *restrict f,
                               const double *restrict heat, const double *restrict h_cap, double *restrict m,
                               double *restrict x)
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
            EACH_LANE s[i * LANES + l] += mean[(i * n + j) * LANES + l] * f[j * LANES + l];
    UNROLLED for (int j = 0; j < n; j++)
        UNROLLED for (int i = 0; i < n; i++)
            EACH_LANE w[i * LANES + l] += a[(i * n + j) * LANES + l] * s[j * LANES + l];
    UNROLLED for (int i = 0; i < n; i++)
        EACH_LANE
        {
            m[i * LANES + l] = s[i * LANES + l];
            x[i * LANES + l] += h_cap[i * LANES + l] * w[i * LANES + l];
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

KERNEL void solve_media(const wsk_lu *lu, const double *restrict v, double *restrict b, double *restrict work)
{
    int n = lu->n;
    for (int k = 0; k < n; k++) {
        double s[LANES];
        EACH_LANE s[l] = b[lu->order[k] * LANES + l];
        for (int p = lu->row_start[k]; p < lu->diag[k]; p++)
            EACH_LANE s[l] -= v[p * LANES + l] * work[lu->col[p] * LANES + l];
        EACH_LANE work[k * LANES + l] = s[l];
    }
    for (int k = n; k-- > 0;) {
        double s[LANES];
        EACH_LANE s[l] = work[k * LANES + l];
        for (int p = lu->diag[k] + 1; p < lu->row_start[k + 1]; p++)
            EACH_LANE s[l] -= v[p * LANES + l] * work[lu->col[p] * LANES + l];
        EACH_LANE work[k * LANES + l] = s[l] * v[lu->diag[k] * LANES + l];
    }
    for (int k = 0; k < n; k++)
        EACH_LANE b[lu->order[k] * LANES + l] = work[k * LANES + l];
}

/* Net heat into each slow medium over the step, storage not subtracted (into others: what of it came by). Streams carry what
 * they have over the room's temperature: mass balance makes the zero free. */
KERNEL void slow_heat(const kernel *c)
{
    const wsk_net *net = c->net;
    const double *restrict m = c->mean_t, *restrict zero = m + net->room * LANES;
    double *restrict to = c->media_w;
    for (int i = net->n_solid * LANES; i < net->n_node * LANES; i++)
        to[i] = 0;
    for (int k = 0; k < net->n_slow[WSK_SLOW_BRANCH]; k++) {
        int i = net->slow[WSK_SLOW_BRANCH][k];
        double q[LANES];
        EACH_LANE q[l] = fabs(c->w[i * LANES + l]) * (m[c->up[i] * LANES + l] - zero[l]);
        EACH_LANE to[c->up[i] * LANES + l] -= q[l];
        EACH_LANE to[c->down[i] * LANES + l] += q[l];
    }
    for (int k = 0; k < net->n_slow[WSK_SLOW_EXCHANGE]; k++) {
        int i = net->slow[WSK_SLOW_EXCHANGE][k], a = net->exchanges[i].a * LANES, b = net->exchanges[i].b * LANES;
        double q[LANES];
        EACH_LANE q[l] = c->x[i * LANES + l] * (m[a + l] - m[b + l]);
        EACH_LANE to[a + l] -= q[l];
        EACH_LANE to[b + l] += q[l];
    }
    for (int k = 0; k < net->n_slow[WSK_SLOW_COND]; k++) {
        int i = net->slow[WSK_SLOW_COND][k], a = net->conds[i].a * LANES, b = net->conds[i].b * LANES;
        double q[LANES];
        EACH_LANE q[l] = c->cond[i * LANES + l] * (m[a + l] - m[b + l]);
        EACH_LANE to[a + l] -= q[l];
        EACH_LANE to[b + l] += q[l];
    }
    for (int k = 0; k < net->n_slow[WSK_SLOW_PORT]; k++) {
        int i = net->slow[WSK_SLOW_PORT][k];
        EACH_LANE to[c->deposit[i] * LANES + l] +=
            c->g[i * LANES + l] * (m[net->ports[i].solid * LANES + l] - m[c->sense[i] * LANES + l]);
    }
}

/* Slow media go by the balance of the step, quasi-steady ones stand at its mean: a change is never the small
 * difference of two large numbers, so the books close to rounding. */
KERNEL void move_media(const kernel *c)
{
    const wsk_net *net = c->net;
    slow_heat(c);
    double *restrict t = c->t, *restrict carry = c->carry;
    const double *restrict m = c->mean_t, *restrict in = c->media_w, *restrict heat = c->heat, *restrict cap = c->cap;
    for (int i = net->n_solid; i < net->n_node; i++) {
        int at = i * LANES;
        if (net->nodes[i].boundary)
            continue;
        if (cap[at] > 0) /* a room's change in a second is lost in the last digits of its temperature */
            EACH_LANE
            {
                double change = c->h * (in[at + l] + heat[at + l]) / cap[at + l] + carry[at + l], next = t[at + l] + change;
                carry[at + l] = (t[at + l] - next) + change;
                t[at + l] = next;
            }
        else
            EACH_LANE t[at + l] = m[at + l];
    }
}

KERNEL void solve_means(const kernel *c)
{
    const wsk_net *net = c->net;
    double *restrict m = c->mean_t, *restrict x = c->t, *restrict rhs = c->rhs, zero[LANES];
    const double *restrict heat = c->heat;
    EACH_LANE zero[l] = x[net->room * LANES + l];
    for (int i = 0; i < net->n_solid; i++) /* solved as excess over the room: fewer digits are lost */
        EACH_LANE rhs[i * LANES + l] = x[i * LANES + l] - zero[l];
    for (int i = net->n_solid; i < net->n_node; i++) {
        int at = i * LANES;
        if (net->nodes[i].boundary)
            EACH_LANE rhs[at + l] = x[at + l] - zero[l];
        else
            EACH_LANE rhs[at + l] = heat[at + l] + c->store[at + l] * (x[at + l] - zero[l]);
    }
    for (int k = 0; k < net->n_block; k++) {
        const wsk_block *b = &net->blocks[k];
        int table = b->table * LANES, at = b->first * LANES;
        BY_SIZE(b->count, free_mean, c->mean + table, c->a + table, rhs + at, heat + at, m + at)
    }
    for (int p = 0; p < net->n_port; p++)
        EACH_LANE rhs[c->deposit[p] * LANES + l] += c->give[p * LANES + l] * m[net->ports[p].solid * LANES + l];
    solve_media(net->mean_lu, c->lu, rhs + net->n_solid * LANES, c->work);
    memcpy(m + net->n_solid * LANES, rhs + net->n_solid * LANES, (size_t)(net->n_node - net->n_solid) * LANES * sizeof *m);
    for (int k = 0; k < net->n_block; k++) {
        const wsk_block *b = &net->blocks[k];
        int table = b->table * LANES, at = b->first * LANES;
        double f[WSK_BLOCK_MAX * LANES] = {0};
        for (int p = b->first_port; p < b->first_port + b->n_ports; p++)
            EACH_LANE f[(net->ports[p].solid - b->first) * LANES + l] += c->g[p * LANES + l] * m[c->sense[p] * LANES + l];
        BY_SIZE(b->count, close_block, c->mean + table, c->a + table, f, heat + at, c->store + at, m + at, x + at)
    }
    for (int i = 0; i < net->n_node; i++)
        EACH_LANE m[i * LANES + l] += zero[l];
}

KERNEL void take_step(const kernel *c)
{
    solve_means(c);
    move_media(c);
}
