/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One time step of LANES rigs of the same structure at once. Entry i of an array is at [i * LANES + l] for the rig in
 * lane l. With one rig a vector holds WSK_FOUR rows of a matrix column (padded to wsk_rows(n) entries); with several
 * rigs it holds one row of all rigs. Each number is computed by the same operations in both cases, so that results are
 * equal to the bit. Block: solids that conduct heat to each other; media: nodes of air or coolant; port: link of a
 * solid to a medium. A block with C dx/dt = A x + f (x: temperatures; C: heat capacities; A: conductances; f: heat put
 * in, and heat from media at their mean temperatures) has, over a step of h s, the mean temperatures
 * x + h phi2(C^-1 A h) C^-1 (A x + f), phi2(z) = (e^z - 1 - z)/z^2. Theory: docs/theory/time.md */
#include "sim/num/wide.h"
#include "sim/step/blocks.h"
#include "sim/step/tables.h"

#if LANES > 1
typedef double vec __attribute__((vector_size(LANES * sizeof(double)), aligned(8), may_alias));
typedef vec one;
#define ROWS 1
#else
typedef wsk_four vec;
typedef double one;
#define ROWS WSK_FOUR
#endif
/* VEC is the vector of ROWS rows from row i on, ONE is row i alone, each in all lanes. */
#define VEC(p, i) (*(vec *)(uintptr_t)((p) + (ptrdiff_t)(i)*LANES))
#define ONE(p, i) (*(one *)(uintptr_t)((p) + (ptrdiff_t)(i)*LANES))

typedef struct {
    const wsk_net *net; /* only its structure is used, which all lanes share; each lane has its own numbers */
    const wsk_config *tables;
    double *t, *mean_t, *heat, *carry;
    wsk_scratch s;
} kernel;

/* Computes the free means m of a block: its mean temperatures over the step, relative to the room (*zero), if all its
 * media were at room temperature. x gets a copy of the temperatures at the start of the step. p is the table of the
 * block, which begins with its matrices P and Q (wsk_block.table). */
WSK_INLINE void free_mean(int n, const double *p, const double *t, const one *zero, const double *heat, double *x,
                          double *m)
{
    const int rows = wsk_rows(n);
    const double *q = p + n * rows * LANES;
    WSK_UNROLLED for (int i = 0; i < n; i += ROWS)
    {
        vec s = VEC(p, i) * (ONE(t, 0) - *zero);
        WSK_UNROLLED for (int j = 1; j < n; j++) s += VEC(p, j * rows + i) * (ONE(t, j) - *zero);
        WSK_UNROLLED for (int j = 0; j < n; j++) s += VEC(q, j * rows + i) * ONE(heat, j);
        VEC(m, i) = s;
        VEC(x, i) = VEC(t, i);
    }
}

/* Adds the effect of the media (e, relative to the room) to the means m, then computes the block's temperatures t at
 * the end of the step from its heat balance. */
WSK_INLINE void close_block(int n, int ports, const double *a, const int *sense, const double *e, const double *heat,
                            const double *gain, const double *x, const one *zero, double *m, double *mean, double *t)
{
    const int rows = wsk_rows(n);
    const double *s = a + n * rows * LANES, *f = s + ports * rows * LANES;
    vec w[WSK_BLOCK_MAX];
    WSK_UNROLLED for (int i = 0; i < n; i += ROWS)
    {
        vec by = VEC(m, i), to = VEC(heat, i);
        WSK_UNROLLED for (int k = 0; k < ports; k++)
        {
            const one at = ONE(e, sense[k]);
            by += VEC(s, k * rows + i) * at;
            to += VEC(f, k * rows + i) * at;
        }
        VEC(m, i) = by;
        VEC(mean, i) = by + *zero;
        w[i % WSK_BLOCK_MAX] = to;
    }
    WSK_UNROLLED for (int i = 0; i < n; i += ROWS)
    {
        vec to = w[i % WSK_BLOCK_MAX];
        WSK_UNROLLED for (int j = 0; j < n; j++) to += VEC(a, j * rows + i) * ONE(m, j);
        VEC(t, i) = VEC(x, i) + VEC(gain, i) * to;
    }
}

/* Calls free_mean for all blocks, which are consecutive in all arrays. A vector may reach into the next block:
 * therefore the temperatures at the start are kept in x, and those at the end are written from the first block on. */
WSK_INLINE void free_means(const kernel *c, const one *zero)
{
    const wsk_net *net = c->net;
    const double *p = c->tables->blocks, *t = c->t, *heat = c->heat;
    double *m = c->s.m, *x = c->s.x;
#define FREE_MEAN(n, ports) \
    free_mean(n, p, t, zero, heat, x, m); \
    p += wsk_table_size(n, ports) * LANES; \
    t += (n)*LANES; \
    heat += (n)*LANES; \
    x += wsk_rows(n) * LANES; \
    m += wsk_rows(n) * LANES;
    EACH_BLOCK(FREE_MEAN)
#undef FREE_MEAN
}

WSK_INLINE void close_blocks(const kernel *c, const one *zero)
{
    const wsk_net *net = c->net;
    const int *sense = c->tables->sense;
    const double *p = c->tables->blocks, *heat = c->heat, *gain = c->tables->gain, *x = c->s.x, *e = c->s.e;
    double *m = c->s.m, *mean = c->mean_t, *t = c->t;
#define CLOSE_BLOCK(n, ports) \
    close_block(n, ports, p + 2 * (n)*wsk_rows(n) * LANES, sense, e, heat, gain, x, zero, m, mean, t); \
    p += wsk_table_size(n, ports) * LANES; \
    sense += ports; \
    heat += (n)*LANES; \
    gain += wsk_rows(n) * LANES; \
    x += wsk_rows(n) * LANES; \
    m += wsk_rows(n) * LANES; \
    mean += (n)*LANES; \
    t += (n)*LANES;
    EACH_BLOCK(CLOSE_BLOCK)
#undef CLOSE_BLOCK
}

/* x = a y, where a has n columns of `rows` rows. `vecs` vectors of the result stay in registers during the loop over
 * columns. */
WSK_INLINE void multiply(int n, int rows, int vecs, const double *a, const double *y, double *x)
{
    for (int i = 0; i < rows; i += vecs * ROWS) {
        vec s[4] = {{0}};
        WSK_UNROLLED for (int j = 0; j < n; j++)
        {
            const one by = ONE(y, j);
            WSK_UNROLLED for (int k = 0; k < vecs; k++) s[k] += VEC(a, j * rows + i + k * ROWS) * by;
        }
        WSK_UNROLLED for (int k = 0; k < vecs; k++) VEC(x, i + k * ROWS) = s[k];
    }
}

/* Begins the right sides r of the media's heat balances: heat put in, plus stored heat for slow media (those with heat
 * capacity). For boundaries (nodes of given temperature) r is their temperature. All temperatures are relative to the
 * room, which reduces rounding errors. */
WSK_INLINE void begin_media(const kernel *c, const one *zero)
{
    const wsk_net *net = c->net;
    const int from = net->n_solid, n = net->n_node - from, *slow = net->media[WSK_SLOW],
              *given = net->media[WSK_GIVEN];
    const double *x = c->t, *heat = c->heat + from * LANES, *store = c->tables->store;
    double *r = c->s.r;
    for (int i = 0; i < n; i += ROWS)
        VEC(r, i) = VEC(heat, i);
    for (int k = 0, count = net->n_media[WSK_SLOW]; k < count; k++)
        ONE(r, slow[k] - from) += ONE(store, k) * (ONE(x, slow[k]) - *zero);
    for (int k = 0, count = net->n_media[WSK_GIVEN]; k < count; k++)
        ONE(r, given[k] - from) = ONE(x, given[k]) - *zero;
}

WSK_INLINE void give_heat(const kernel *c)
{
    const int *deposit = c->tables->deposit, *slot = c->net->port_slot, ports = c->net->n_port;
    const double *give = c->tables->give, *m = c->s.m;
    double *r = c->s.r;
    int to = deposit[0];
    one w = {0};
    for (int p = 0; p < ports; p++) {
        if (deposit[p] != to) { /* sums in a register, because an addition to memory waits for the one before */
            ONE(r, to) += w;
            w = (one){0};
            to = deposit[p];
        }
        w += ONE(give, p) * ONE(m, slot[p]);
    }
    ONE(r, to) += w;
}

/* Solves for the media's mean temperatures e by LU. A small system is solved by its inverse instead, where no row
 * waits for the row before. */
WSK_INLINE void solve_media(const kernel *c)
{
    const wsk_lu *lu = c->net->mean_lu;
    const double *v = c->tables->media;
    const int *start = lu->row_start, *diag = lu->diag, *col = lu->col, *order = lu->order, n = lu->n;
    double *r = c->s.r, *e = c->s.e, *y = r + n * LANES;
    if (n <= WSK_INVERSE_MAX) {
        if (LANES == 1 && wsk_inverse_rows(n) == 2 * ROWS)
            multiply(n, 2 * ROWS, 2, v, r, e);
        else
            multiply(n, wsk_inverse_rows(n), 4, v, r, e);
        return;
    }
    for (int k = 0; k < n; k++) {
        one s = ONE(r, order[k]);
        for (int p = start[k], end = diag[k]; p < end; p++)
            s -= ONE(v, p) * ONE(y, col[p]);
        ONE(y, k) = s;
    }
    for (int k = n; k-- > 0;) {
        one s = ONE(y, k);
        const int at = diag[k], end = start[k + 1];
        for (int p = at + 1; p < end; p++)
            s -= ONE(v, p) * ONE(y, col[p]);
        ONE(e, order[k]) = ONE(y, k) = s * ONE(v, at);
    }
}

/* Writes the media's temperatures at the end of the step. Slow media (with heat capacity) follow from their heat
 * balance, so that energy is kept; quick media (without) are at their mean; boundaries keep theirs. m[solid[p]]: mean
 * temperature of the solid of port p, relative to the room. */
WSK_INLINE void move_media(const kernel *c, const double *m, const int *solid, const one *zero)
{
    const wsk_net *net = c->net;
    const wsk_config *tables = c->tables;
    const int from = net->n_solid, n = net->n_node - from, n_slow = net->n_media[WSK_SLOW],
              n_given = net->n_media[WSK_GIVEN], *slow = net->media[WSK_SLOW], *given = net->media[WSK_GIVEN];
    double *t = c->t, *mean = c->mean_t, *carry = c->carry, *in = c->s.r, *out = c->s.x,
           *kept = out + wsk_rows(n_slow) * LANES;
    const double *heat = c->heat, *e = c->s.e, *give = tables->give;
    for (int k = 0; k < n_slow; k++)
        ONE(in, slow[k] - from) = ONE(heat, slow[k]);
    for (int k = 0; k < net->n_slow_port; k++) {
        const int p = net->slow_port[k];
        ONE(in, tables->deposit[p]) += ONE(give, p) * (ONE(m, solid[p]) - ONE(e, tables->sense[p]));
    }
    multiply(n, wsk_rows(n_slow), 1, tables->rows, e, out);
    /* carry keeps the rounding error of t: a room's temperature changes very little in a second */
    for (int k = 0; k < n_slow; k++) {
        const int at = slow[k];
        const one change = ONE(tables->slow_gain, k) * (ONE(in, at - from) - ONE(out, k)) + ONE(carry, at),
                  next = ONE(t, at) + change;
        ONE(carry, at) = (ONE(t, at) - next) + change;
        ONE(out, k) = next;
    }
    for (int k = 0; k < n_given; k++)
        ONE(kept, k) = ONE(t, given[k]);
    t += from * LANES;
    mean += from * LANES;
    int i = 0;
    for (; i + ROWS <= n; i += ROWS)
        VEC(t, i) = VEC(mean, i) = VEC(e, i) + *zero;
    for (; i < n; i++)
        ONE(t, i) = ONE(mean, i) = ONE(e, i) + *zero;
    for (int k = 0; k < n_slow; k++)
        ONE(t, slow[k] - from) = ONE(out, k);
    for (int k = 0; k < n_given; k++)
        ONE(t, given[k] - from) = ONE(mean, given[k] - from) = ONE(kept, k);
}

WSK_INLINE void take_step(const kernel *c)
{
    const one zero = ONE(c->t, c->net->room);
    begin_media(c, &zero);
    free_means(c, &zero);
    give_heat(c);
    solve_media(c);
    close_blocks(c, &zero);
    move_media(c, c->s.m, c->net->port_slot, &zero);
}
