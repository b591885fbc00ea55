/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Both steppers against an independent integration: the heat network of a run is written as a dense system, air nodes
 * (without heat capacity) are eliminated, and RK4 advances the system in steps of 20 ms. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/bench.h"
#include "sim/step/step.h"
#include "sim/books/books.h"
#include "sim/control/control.h"

enum { MOST = 128, SUBSTEPS = 50, SPAN_S = 900 };

/* dx/dt = m x + b for the temperatures x of nodes with heat capacity; e x + c are the temperatures of air nodes. */
typedef struct {
    int n_state, n_air, state[MOST], air[MOST];
    double k[MOST][MOST];       /* heat leaving the node of row i, W = sum over j of k[i][j] T[j] */
    double inverse[MOST][MOST]; /* inverse of the part of k whose rows and columns are air nodes */
    double m[MOST][MOST], e[MOST][MOST];
    double cap[MOST];
} dense;

static void flow(dense *d, int up, int down, double w)
{
    d->k[up][up] += w;
    d->k[down][up] -= w;
}

static void tie(dense *d, int a, int b, double g)
{
    d->k[a][a] += g;
    d->k[a][b] -= g;
    d->k[b][b] += g;
    d->k[b][a] -= g;
}

static void assemble(dense *d, const wsk_run *run)
{
    const wsk_net *net = run->net;
    const wsk_point *p = &run->flows->point;
    memset(d->k, 0, sizeof d->k);
    for (int i = 0; i < net->n_branch; i++) {
        int from = net->flow_node[net->branches[i].from], to = net->flow_node[net->branches[i].to];
        double w = p->w[i];
        /* A stream carries the temperature of its upstream node. The same mass flow enters the upstream node through
         * other branches, so that its row balances. */
        if (w > 0)
            flow(d, from, to, w);
        else
            flow(d, to, from, -w);
    }
    for (int i = 0; i < net->n_exchange; i++)
        tie(d, net->exchanges[i].a, net->exchanges[i].b, p->x[i]);
    for (int i = 0; i < net->n_cond; i++)
        tie(d, net->conds[i].a, net->conds[i].b, net->conds[i].g);
    for (int k = 0; k < net->n_block; k++)
        for (int i = 0; i < net->blocks[k].count; i++)
            for (int j = i + 1; j < net->blocks[k].count; j++)
                tie(d, net->blocks[k].first + i, net->blocks[k].first + j, net->blocks[k].inner[i][j]);
    for (int i = 0; i < net->n_port; i++) {
        int solid = net->ports[i].solid;
        d->k[solid][solid] += p->g[i];
        d->k[solid][p->sense[i]] -= p->g[i];
        d->k[p->deposit[i]][solid] -= p->g[i];
        d->k[p->deposit[i]][p->sense[i]] += p->g[i];
    }
}

static void invert(int n, double a[MOST][MOST], double out[MOST][MOST])
{
    static double w[MOST][2 * MOST];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            w[i][j] = a[i][j];
            w[i][n + j] = i == j;
        }
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int i = c; i < n; i++)
            best = fabs(w[i][c]) > fabs(w[best][c]) ? i : best;
        assert_true(fabs(w[best][c]) > 1e-12);
        for (int j = 0; j < 2 * n; j++) {
            double t = w[c][j];
            w[c][j] = w[best][j];
            w[best][j] = t;
        }
        double pivot = w[c][c];
        for (int j = 0; j < 2 * n; j++)
            w[c][j] /= pivot;
        for (int i = 0; i < n; i++)
            if (i != c && w[i][c] != 0) {
                double f = w[i][c];
                for (int j = 0; j < 2 * n; j++)
                    w[i][j] -= f * w[c][j];
            }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[i][j] = w[i][n + j];
}

static void prepare(dense *d, const wsk_run *run)
{
    static double air[MOST][MOST];
    const wsk_net *net = run->net;
    assert_true(net->n_node <= MOST);
    d->n_state = d->n_air = 0;
    for (int i = 0; i < net->n_node; i++)
        if (net->nodes[i].boundary || net->nodes[i].cap_j_k > 0) {
            d->cap[d->n_state] = net->nodes[i].boundary ? 0 : net->nodes[i].cap_j_k;
            d->state[d->n_state++] = i;
        } else {
            d->air[d->n_air++] = i;
        }
    assemble(d, run);
    for (int i = 0; i < d->n_air; i++)
        for (int j = 0; j < d->n_air; j++)
            air[i][j] = d->k[d->air[i]][d->air[j]];
    invert(d->n_air, air, d->inverse);
    /* The temperatures of air nodes are -K_aa^-1 (K_as x - heat). Index a: air nodes; index s: nodes with heat
     * capacity. */
    for (int i = 0; i < d->n_air; i++)
        for (int j = 0; j < d->n_state; j++) {
            d->e[i][j] = 0;
            for (int l = 0; l < d->n_air; l++)
                d->e[i][j] -= d->inverse[i][l] * d->k[d->air[l]][d->state[j]];
        }
    for (int i = 0; i < d->n_state; i++)
        for (int j = 0; j < d->n_state; j++) {
            double s = d->k[d->state[i]][d->state[j]];
            for (int l = 0; l < d->n_air; l++)
                s += d->k[d->state[i]][d->air[l]] * d->e[l][j];
            d->m[i][j] = d->cap[i] > 0 ? -s / d->cap[i] : 0;
        }
}

static void load(const dense *d, const double *heat, double *b, double *c)
{
    for (int i = 0; i < d->n_air; i++) {
        c[i] = 0;
        for (int l = 0; l < d->n_air; l++)
            c[i] += d->inverse[i][l] * heat[d->air[l]];
    }
    for (int i = 0; i < d->n_state; i++) {
        double s = heat[d->state[i]];
        for (int l = 0; l < d->n_air; l++)
            s -= d->k[d->state[i]][d->air[l]] * c[l];
        b[i] = d->cap[i] > 0 ? s / d->cap[i] : 0;
    }
}

static void slope(const dense *d, const double *b, const double *x, double *out)
{
    for (int i = 0; i < d->n_state; i++) {
        double s = b[i];
        for (int j = 0; j < d->n_state; j++)
            s += d->m[i][j] * x[j];
        out[i] = s;
    }
}

static void integrate(const dense *d, const double *b, double *x, double *mean)
{
    double k1[MOST], k2[MOST], k3[MOST], k4[MOST], y[MOST], h = 1.0 / SUBSTEPS;
    int n = d->n_state;
    memset(mean, 0, (size_t)n * sizeof *mean);
    for (int s = 0; s < SUBSTEPS; s++) {
        slope(d, b, x, k1);
        for (int i = 0; i < n; i++)
            y[i] = x[i] + h / 2 * k1[i];
        slope(d, b, y, k2);
        for (int i = 0; i < n; i++)
            y[i] = x[i] + h / 2 * k2[i];
        slope(d, b, y, k3);
        for (int i = 0; i < n; i++)
            y[i] = x[i] + h * k3[i];
        slope(d, b, y, k4);
        for (int i = 0; i < n; i++) {
            double next = x[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
            mean[i] += (x[i] + next) / 2 / SUBSTEPS;
            x[i] = next;
        }
    }
}

/* Steps the run and RK4 second by second with the same heat. Returns the largest temperature difference, K; *where:
 * the name of its node. *share: the largest ratio of a node's difference to 0.01 K plus the most that this node has
 * moved within a second (for air nodes: that any node has moved). */
static double compare(const wsk_rig *rig, wsk_stepper stepper, uint64_t seed, const char **where, double *share)
{
    dense *d = calloc(1, sizeof *d);
    wsk_run *run = wsk_test_run(rig, stepper, SPAN_S);
    double x[MOST], mean[MOST], b[MOST], c[MOST], heat[MOST], before[MOST], moved[MOST] = {0}, most = 0, worst = 0;
    assert_non_null(d);
    for (int t = 0; t < SPAN_S; t++) {
        /* Every 100 s the power of one card changes abruptly. */
        if (t % 100 == 50 && run->net->n_card)
            run->cards[t / 100 % run->net->n_card].pin_power_w = 250 * wsk_random(seed, 3, (uint64_t)t);
        wsk_control(run);
        wsk_power_tree(run);
        memcpy(heat, run->heat, (size_t)run->net->n_node * sizeof *heat);
        double outdoor = run->t[run->net->outdoor];
        if (t == 0)
            for (int i = 0; i < run->net->n_node; i++)
                mean[i] = run->t[i];
        assert_true(wsk_step(run, 1));
        if (t == 0) {
            prepare(d, run);
            for (int i = 0; i < d->n_state; i++)
                x[i] = mean[d->state[i]];
        }
        for (int i = 0; i < d->n_state; i++)
            x[i] = d->state[i] == run->net->outdoor ? outdoor : x[i];
        load(d, heat, b, c);
        memcpy(before, x, sizeof before);
        integrate(d, b, x, mean);
        for (int i = 0; i < d->n_state; i++) {
            moved[i] = fmax(moved[i], fabs(x[i] - before[i]));
            most = fmax(most, moved[i]);
        }
        run->head->t_ns += WSK_NS;
        for (int i = 0; i < d->n_state + d->n_air; i++) {
            bool air = i >= d->n_state;
            int node = air ? d->air[i - d->n_state] : d->state[i];
            double want = air ? c[i - d->n_state] : x[i];
            for (int j = 0; air && j < d->n_state; j++)
                want += d->e[i - d->n_state][j] * mean[j];
            double gap = fabs(run->t[node] - want);
            *share = fmax(*share, gap / ((air ? most : moved[i]) + 0.01));
            if (!(gap <= worst)) {
                worst = gap;
                *where = run->net->nodes[node].name;
            }
        }
    }
    wsk_run_free(run);
    free(d);
    return worst;
}

static void test_steppers_against_rk4(void **state)
{
    (void)state;
    double worst[2] = {0, 0};
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(24, 3); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed, .pin_cards = true, .pin_room = seed % 2});
        for (int k = 0; k < 2; k++) {
            const char *where = "";
            double share = 0, gap = compare(rig, (wsk_stepper)k, seed, &where, &share);
            if (!(gap <= 5e-3) || (k == 1 && !(share <= 1e-3)))
                fail_msg("seed %llu, stepper %d: %s is off by %.5f K, or one by %.5f of its change",
                         (unsigned long long)seed, k, where, gap, share);
            worst[k] = fmax(worst[k], gap);
        }
        wsk_rig_free(rig);
    }
    print_message("largest error: fast %.1e K, reference %.1e K\n", worst[0], worst[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steppers_against_rk4)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
