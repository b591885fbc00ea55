/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole step of a small rig as one matrix: what the blocks and media of kernel.h do between them is linear in temperatures
 * and watts, so their answers to a unit of each, found once for a set of speeds, are its columns. Theory: docs/theory/time.md */
#include <string.h>

#include "sim/num/wide.h"
#include "sim/run/run.h"

#define LANES 8
#define SETS 1
#include "sim/run/kernel.h"

/* Of a set of speeds. */
typedef struct {
    uint64_t serial;     /* of the tables that it was made of; 0: none yet */
    bool states;         /* their columns stand */
    bool *watts;         /* per node: that one does */
    double *m;
    double *heat, *b;    /* watts but the room's, and what they come to */
    uint64_t climb;      /* which climb of the power tree they are of; 0: unknown */
} table;

/* Rows: mean of each node; from `change` on by how much each solid, then each slow medium, changes. Columns: what each node of `state`
 * exceeds the room by; the watts of each node; the room itself, which all means stand on. */
struct wsk_whole {
    int rows, n_state, change;
    int *state;           /* solids in their order, slow media but the room, given media */
    int *quick, n_quick;  /* media that stand at their means */
    int *at, *watts_at;   /* where columns begin: of the states, the room's watts, the room; of watts, as find_b lists them */
    double *u;            /* what multiplies them */
    double *lanes[5];     /* room for eight answers at once */
    table tables[WSK_CONFIGS];
};

static double *doubles(const wsk_run *run, int count)
{
    return wsk_alloc(run->arena, ((size_t)count + 1) * sizeof(double));
}

bool wsk_whole_make(wsk_run *run)
{
    const wsk_net *net = run->net;
    const int most = 64; /* nodes: with more, blocks are quicker */
    if (net->n_node > most || run->stepper != WSK_STEPPER_FAST)
        return true;
    wsk_whole *w = wsk_alloc(run->arena, sizeof *w);
    if (!w)
        return false;
    w->change = (net->n_node + WSK_FOUR - 1) / WSK_FOUR * WSK_FOUR; /* loads stay within what was stored at once */
    w->rows = (w->change + net->n_solid + net->n_media[WSK_SLOW] + WSK_ROWS - 1) / WSK_ROWS * WSK_ROWS;
    w->state = wsk_alloc(run->arena, (size_t)net->n_node * sizeof *w->state);
    w->quick = wsk_alloc(run->arena, (size_t)net->n_node * sizeof *w->quick);
    w->at = wsk_alloc(run->arena, (2 * (size_t)net->n_node + 2) * sizeof *w->at);
    w->u = doubles(run, net->n_node + 2);
    for (int i = 0; i < 5; i++)
        if (!(w->lanes[i] = doubles(run, (i < 4 ? 1 : 2) * LANES * net->n_node)))
            return false;
    if (!w->state || !w->quick || !w->at || !w->u)
        return false;
    for (int k = 0; k < net->n_media[WSK_QUICK]; k++)
        w->quick[w->n_quick++] = net->media[WSK_QUICK][k].node;
    for (int i = 0; i < net->n_node; i++) {
        bool slow = i >= net->n_solid && !net->nodes[i].boundary && net->nodes[i].cap_j_k > 0;
        if (i != net->room && (i < net->n_solid || slow || net->nodes[i].boundary))
            w->state[w->n_state++] = i;
    }
    for (int j = 0; j < w->n_state; j++)
        w->at[j] = j * w->rows;
    w->at[w->n_state] = (w->n_state + net->room) * w->rows;
    w->at[w->n_state + 1] = (w->n_state + net->n_node) * w->rows;
    w->watts_at = w->at + w->n_state + 2;
    run->whole = w;
    return true;
}

bool wsk_whole_small(const wsk_run *run)
{
    const wsk_whole *w = run->whole;
    return w->rows * (w->n_state + run->net->n_solid) <= 2048;
}

/* Room for it is taken when it is first wanted; NULL: there is none. */
static table *table_of(const wsk_run *run, const wsk_config *c)
{
    wsk_whole *w = run->whole;
    const int n = run->net->n_node;
    table *t = &w->tables[c - run->configs];
    if (!t->m && (!(t->watts = wsk_alloc(run->arena, (size_t)n * sizeof *t->watts)) || !(t->heat = doubles(run, n)) ||
                  !(t->b = doubles(run, w->rows)) || !(t->m = doubles(run, w->rows * (w->n_state + n + 1)))))
        return NULL;
    if (t->serial != c->serial) {
        t->serial = c->serial;
        t->states = false;
        t->climb = 0;
        memset(t->watts, 0, (size_t)n * sizeof *t->watts);
    }
    return t;
}

/* ---- columns ---- */

/* Its name is its own among those cloned for several machines: clang's choice between them is seen by all files. */
WSK_WIDEST static void answer_all(const kernel *k)
{
    take_step(k);
}

/* The answers to a kelvin or a watt at each of these nodes, as columns m + to[l]. */
static void answer(const wsk_run *run, const wsk_config *c, int count, const int *node, bool watt, const int *to, double *m)
{
    const wsk_net *net = run->net;
    const wsk_whole *w = run->whole;
    const size_t bytes = (size_t)net->n_node * LANES * sizeof(double);
    double *const *at = w->lanes;
    kernel k;
    take_tables(&k, run, c);
    k.t = at[0];
    k.heat = at[1];
    k.mean_t = at[2];
    k.carry = at[3];
    k.work = at[4];
    for (int i = 0; i < 4; i++)
        memset(at[i], 0, bytes);
    double *unit = watt ? k.heat : k.t;
    for (int l = 0; l < count; l++)
        unit[node[l] * LANES + l] = 1;
    answer_all(&k);
    for (int l = 0; l < count; l++) {
        double *out = m + to[l];
        int r = 0;
        for (int i = 0; i < net->n_node; i++)
            out[r++] = k.mean_t[i * LANES + l];
        while (r < w->change)
            out[r++] = 0;
        for (int i = 0; i < net->n_solid; i++)
            out[r++] = k.t[i * LANES + l] - (!watt && i == node[l]);
        for (int s = 0; s < net->n_media[WSK_SLOW]; s++) {
            int i = net->media[WSK_SLOW][s].node;
            out[r++] = k.t[i * LANES + l] - (!watt && i == node[l]) + k.carry[i * LANES + l];
        }
        while (r < w->rows)
            out[r++] = 0;
    }
}

static void answer_states(const wsk_run *run, const wsk_config *c, table *t)
{
    const wsk_whole *w = run->whole;
    for (int j = 0; j < w->n_state; j += LANES)
        answer(run, c, w->n_state - j < LANES ? w->n_state - j : LANES, w->state + j, false, w->at + j, t->m);
    double *room = t->m + w->at[w->n_state + 1];
    for (int r = 0; r < w->rows; r++)
        room[r] = r < run->net->n_node;
    t->states = true;
}

/* Of the nodes that have watts now, and the room, those that have none yet. */
static void answer_watts(const wsk_run *run, const wsk_config *c, table *t)
{
    const wsk_whole *w = run->whole;
    int node[LANES], to[LANES], n = 0;
    for (int i = 0; i < run->net->n_node; i++) {
        if ((t->heat[i] != 0 || i == run->net->room) && !t->watts[i]) {
            t->watts[i] = true;
            node[n] = i;
            to[n++] = (w->n_state + i) * w->rows;
        }
        if (n == LANES || (n > 0 && i == run->net->n_node - 1)) {
            answer(run, c, n, node, true, to, t->m);
            n = 0;
        }
    }
}

/* ---- the step ---- */

static void find_b(const wsk_run *run, const wsk_config *c, table *t)
{
    const wsk_whole *w = run->whole;
    const int n = run->net->n_node;
    int *at = w->watts_at, count = 0;
    answer_watts(run, c, t);
    for (int i = 0; i < n; i++)
        if (t->heat[i] != 0) {
            at[count] = (w->n_state + i) * w->rows;
            w->u[count++] = t->heat[i];
        }
    memset(t->b, 0, (size_t)w->rows * sizeof *t->b);
    wsk_add_columns(w->rows, count, at, w->u, t->m, t->b, t->b);
}

/* Watts hardly change while all rest, but those of the room, where an air conditioner is at work. */
static void follow_watts(wsk_run *run, const wsk_config *c, table *t)
{
    const wsk_net *net = run->net;
    const size_t bytes = (size_t)net->n_node * sizeof(double);
    if (t->climb > 0 && t->climb == run->climbs)
        return;
    t->climb = run->climbs;
    const double room_w = run->heat[net->room];
    run->heat[net->room] = 0;
    if (!t->states || memcmp(t->heat, run->heat, bytes) != 0) {
        memcpy(t->heat, run->heat, bytes);
        if (!t->states)
            answer_states(run, c, t);
        find_b(run, c, t);
    }
    run->heat[net->room] = room_w;
}

/* As at the end of the kernel's. */
static void move(wsk_run *run)
{
    const wsk_net *net = run->net;
    const int *restrict quick = run->whole->quick, n_quick = run->whole->n_quick, n_solid = net->n_solid;
    double *restrict t = run->t, *restrict mean_t = run->mean_t, *restrict change = mean_t + run->whole->change;
    _Pragma("omp simd") for (int i = 0; i < n_solid; i++) t[i] += change[i];
    for (int k = 0; k < n_quick; k++)
        t[quick[k]] = mean_t[quick[k]];
    for (const wsk_medium *m = net->media[WSK_GIVEN], *end = m + net->n_media[WSK_GIVEN]; m < end; m++)
        mean_t[m->node] = t[m->node];
    change += n_solid;
    for (const wsk_medium *m = net->media[WSK_SLOW], *end = m + net->n_media[WSK_SLOW]; m < end; m++) {
        double by = *change++ + run->carry[m->node], next = t[m->node] + by;
        run->carry[m->node] = (t[m->node] - next) + by;
        t[m->node] = next;
    }
}

bool wsk_whole_step(wsk_run *run, const wsk_config *c)
{
    const wsk_net *net = run->net;
    const wsk_whole *w = run->whole;
    const double *restrict x = run->t, zero = x[net->room];
    double *restrict u = w->u;
    table *t = table_of(run, c);
    if (!t)
        return false;
    follow_watts(run, c, t);
    const int n_solid = net->n_solid;
    _Pragma("omp simd") for (int i = 0; i < n_solid; i++) u[i] = x[i] - zero;
    for (int j = net->n_solid; j < w->n_state; j++)
        u[j] = x[w->state[j]] - zero;
    u[w->n_state] = run->heat[net->room];
    u[w->n_state + 1] = zero;
    wsk_add_columns(w->rows, w->n_state + 2, w->at, u, t->m, t->b, run->mean_t);
    move(run);
    return true;
}
