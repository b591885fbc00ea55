/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/step/tables.h"
#include "tests/bench/peers/ode.h"

double wsk_bench_cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void drive(wsk_run *run, int second)
{
    for (int i = 0; i < run->net->n_card; i++) {
        const wsk_card *card = &run->net->cards[i];
        bool rests = wsk_random(7, (uint64_t)i, (uint64_t)second / 60) < 0.1;
        double share = rests ? 0.15 : 0.8 + 0.2 * wsk_random(8, (uint64_t)i, (uint64_t)second);
        run->cards[i].pin_power_w = share * card->limit_w;
    }
}

static int known_set(const wsk_bench_case *c, const double *g)
{
    for (int k = c->n_set - 1; k >= 0; k--)
        if (memcmp(c->g[k], g, (size_t)c->net->n_term * sizeof *g) == 0)
            return k;
    return -1;
}

static bool record(wsk_bench_case *c, wsk_run *run)
{
    const wsk_net *net = run->net;
    int wide = c->net->n_node;
    double *g = wsk_bench_take((size_t)c->net->n_term, sizeof *g), *heat = wsk_bench_take((size_t)wide, sizeof *heat),
           *temp = wsk_bench_take((size_t)wide, sizeof *temp), *start = wsk_bench_take((size_t)wide, sizeof *start);
    for (int i = 0; i < c->n; i++)
        start[i] = run->t[i] - WSK_KELVIN;
    c->start_c = start;
    bool ok = true;
    for (int k = 0; ok && k < c->n_second; k++) {
        drive(run, k);
        ok = wsk_run_advance(run, k + 1) == WSK_OK && run->stepping->config->h >= 1;
        if (!ok)
            break;
        wsk_heat_net_read(c->net, run, g, heat, temp);
        for (int i = 0; i < net->n_card; i++)
            heat[net->cards[i].heatsink] += heat[net->n_node + i];
        memcpy(c->watts[k], heat, (size_t)c->n * sizeof *heat);
        memcpy(c->given[k], temp, (size_t)c->n * sizeof *temp);
        memcpy(c->rpm[k], run->rpm, (size_t)net->n_mover * sizeof *run->rpm);
        memcpy(c->natural_k[k], run->t_natural, (size_t)c->n * sizeof *run->t_natural);
        const bool as_before =
            k > 0 && memcmp(c->natural_k[k], c->natural_k[k - 1], (size_t)c->n * sizeof **c->natural_k) == 0;
        c->natural_of[k] = as_before ? c->natural_of[k - 1] : k;
        c->set[k] = known_set(c, g);
        if (c->set[k] < 0) {
            c->set[k] = c->n_set;
            memcpy(c->g[c->n_set++], g, (size_t)c->net->n_term * sizeof *g);
        }
    }
    free(g);
    free(heat);
    free(temp);
    return ok;
}

wsk_bench_case *wsk_bench_case_new(const char *path, int seconds)
{
    wsk_bench_case *c = wsk_bench_take(1, sizeof *c);
    wsk_run *run = NULL;
    if (wsk_rig_load(&c->rig, &(wsk_rig_options){.path = path, .parts_dir = "parts"}) != WSK_OK ||
        wsk_run_new(&run, c->rig, &(wsk_run_options){.duration_s = seconds, .step_s = 1}) != WSK_OK ||
        !(c->net = wsk_heat_net_new(run))) {
        fprintf(stderr, "%s: cannot be loaded\n", path);
        exit(1);
    }
    c->n = run->net->n_node;
    c->n_second = seconds;
    c->set = wsk_bench_take((size_t)seconds, sizeof *c->set);
    c->g = wsk_bench_rows(seconds, c->net->n_term);
    c->watts = wsk_bench_rows(seconds, c->n);
    c->given = wsk_bench_rows(seconds, c->n);
    c->natural_k = wsk_bench_rows(seconds, c->n);
    c->natural_of = wsk_bench_take((size_t)seconds, sizeof *c->natural_of);
    c->given_node = wsk_bench_take((size_t)c->n, sizeof *c->given_node);
    for (int i = 0; i < c->n; i++)
        if (c->net->given[i])
            c->given_node[c->n_given++] = i;
    c->rpm = wsk_bench_rows(seconds, run->net->n_mover + 1);
    c->end_c = wsk_bench_rows(seconds, c->n);
    c->mean_c = wsk_bench_rows(seconds, c->n);
    if (!record(c, run)) {
        fprintf(stderr, "%s: %s\n", path, *wsk_run_error(run) ? wsk_run_error(run) : "a step is not a second");
        exit(1);
    }
    wsk_run_free(run);
    if (c->n > 256) {
        fprintf(stderr, "%s: more nodes than this program holds\n", path);
        exit(1);
    }
    double **full = wsk_bench_ode_new(c, 0, &c->bare);
    wsk_bench_solve(c, full);
    wsk_bench_rows_free(full);
    const double quarter_of_a_litre_j_k = 0.3;
    wsk_bench_rows_free(wsk_bench_ode_new(c, quarter_of_a_litre_j_k, &c->massed));
    return c;
}

void wsk_bench_case_free(wsk_bench_case *c)
{
    wsk_bench_ode_free(&c->bare);
    wsk_bench_ode_free(&c->massed);
    wsk_bench_rows_free(c->g);
    wsk_bench_rows_free(c->watts);
    wsk_bench_rows_free(c->given);
    wsk_bench_rows_free(c->natural_k);
    wsk_bench_rows_free(c->rpm);
    wsk_bench_rows_free(c->end_c);
    wsk_bench_rows_free(c->mean_c);
    free((void *)(uintptr_t)c->start_c);
    free(c->set);
    free(c->natural_of);
    free(c->given_node);
    wsk_heat_net_free(c->net);
    wsk_rig_free(c->rig);
    free(c);
}
