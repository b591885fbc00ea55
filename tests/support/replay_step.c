/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "sim/step/tables.h"
#include "tests/support/replay.h"
#include "tests/support/replay_run.h"

enum { QUIET_S = 21600, READINGS = 900, EVERY_S = 4, FAST = 60, SLOW = 40 };
static const double before_w = 10, after_w = 150;

static double node_tau(const wsk_run *run)
{
    const wsk_net *net = run->net;
    int sink = net->cards[0].heatsink;
    for (int i = 0; i < net->n_port; i++)
        if (net->ports[i].solid == sink && net->ports[i].law == WSK_PORT_FINS)
            return net->nodes[sink].cap_j_k / run->flows->point.g[i];
    return NAN;
}

/* Least-squares fit of y by r[0] + r[1] (1 - e^(-t/fast_s)) + r[2] (1 - e^(-t/slow_s)). Returns the squared error. */
static double fit_three(const double *y, double fast_s, double slow_s, double r[3])
{
    double a[3][4] = {{0}}, yy = 0, ef = 1, es = 1, df = exp(-EVERY_S / fast_s), ds = exp(-EVERY_S / slow_s);
    for (int i = 0; i < READINGS; i++) {
        ef *= df;
        es *= ds;
        const double v[4] = {1, 1 - ef, 1 - es, y[i]};
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++)
                a[j][k] += v[j] * v[k];
        yy += y[i] * y[i];
    }
    double b[3] = {a[0][3], a[1][3], a[2][3]};
    /* Gauss-Jordan elimination without pivoting, which suffices because the normal matrix is positive definite. */
    for (int p = 0; p < 3; p++)
        for (int j = 0; j < 3; j++) {
            double f = a[j][p] / a[p][p];
            for (int k = p; j != p && k < 4; k++)
                a[j][k] -= f * a[p][k];
        }
    for (int p = 0; p < 3; p++)
        r[p] = a[p][3] / a[p][p];
    return yy - r[0] * b[0] - r[1] * b[1] - r[2] * b[2];
}

static wsk_step_answer take_apart(const double *y)
{
    wsk_step_answer best = {.fast_s = NAN};
    double least = INFINITY, r[3];
    for (int i = 0; i < FAST; i++)
        for (int j = 0; j < SLOW; j++) {
            double fast = 8 * pow(200.0 / 8, i / (FAST - 1.0)), slow = 200 * pow(1500.0 / 200, j / (SLOW - 1.0));
            double error = fast < 0.8 * slow ? fit_three(y, fast, slow, r) : (double)INFINITY;
            if (error < least) {
                least = error;
                best = (wsk_step_answer){
                    .jump_k_w = r[0], .fast_k_w = r[1], .slow_k_w = r[2], .fast_s = fast, .slow_s = slow};
            }
        }
    return best;
}

wsk_step_answer wsk_replay_step(const wsk_rig *rig, double fan_rpm)
{
    wsk_run *run = wsk_replay_begin(rig, 25, before_w, fan_rpm);
    double y[READINGS], tau = NAN;
    bool ok = run && wsk_run_advance(run, QUIET_S) == WSK_OK;
    double start = ok ? wsk_replay_get(run, "gpu0.die_c") : (double)NAN;
    ok = ok && wsk_run_set(run, "gpu0.power_w", after_w) == WSK_OK;
    for (int i = 0; ok && i < READINGS; i++) {
        ok = wsk_run_advance(run, QUIET_S + EVERY_S * (i + 1.0)) == WSK_OK;
        y[i] = (wsk_replay_get(run, "gpu0.die_c") - start) / (after_w - before_w);
    }
    if (ok)
        tau = node_tau(run);
    wsk_run_free(run);
    if (!ok)
        return (wsk_step_answer){.fast_s = NAN, .node_s = NAN};
    wsk_step_answer answer = take_apart(y);
    answer.node_s = tau;
    return answer;
}
