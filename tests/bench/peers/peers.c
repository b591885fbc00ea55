/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/step/lanes.h"
#include "sim/step/step.h"
#include "sim/step/tables.h"
#include "tests/bench/peers/case.h"

static const double allowed_k = 0.05;

static const wsk_bench_peer *const peers[] = {
#ifdef WSK_PEER_NGSPICE
    wsk_peer_ngspice,
#endif
#ifdef WSK_PEER_CVODE
    wsk_peer_cvode,
#endif
#ifdef WSK_PEER_GSL
    wsk_peer_gsl,
#endif
    NULL};

static double worst(const wsk_bench_case *c, double *const *got_c)
{
    double most = 0;
    for (int k = 0; k < c->n_second; k++)
        for (int i = 0; i < c->n; i++)
            if (!isnan(got_c[k][i]))
                most = fmax(most, fabs(got_c[k][i] - c->end_c[k][i]));
    return most;
}

/* Air nodes have no heat capacity: our value is their mean over the step, so it is compared with the exact mean. */
static double worst_own(const wsk_bench_case *c, double *const *got_c)
{
    double most = 0;
    for (int k = 0; k < c->n_second; k++)
        for (int i = 0; i < c->n; i++)
            if (!c->net->given[i])
                most = fmax(most, fabs(got_c[k][i] - (c->net->cap[i] > 0 ? c->end_c[k][i] : c->mean_c[k][i])));
    return most;
}

/* The other solvers get the air flows as input, so our stepper gets them too in the comparison. */
typedef struct {
    const double *rpm; /* the address of a run's fan speeds, which identifies the run */
    int second;
} question;
static struct {
    const wsk_bench_case *of;
    wsk_point *point; /* [set of flows]: the solved flow network */
    bool known;
    question asked[WSK_LANES];
} flows;

bool __real_wsk_point_solve(const wsk_net *net, const double *rpm, const double *t, wsk_point *point);
bool __wrap_wsk_point_solve(const wsk_net *net, const double *rpm, const double *t, wsk_point *point);

/* The linker option --wrap puts this function in place of wsk_point_solve. */
bool __wrap_wsk_point_solve(const wsk_net *net, const double *rpm, const double *t, wsk_point *point)
{
    for (int l = 0; flows.known && l < WSK_LANES; l++)
        if (flows.asked[l].rpm == rpm) {
            wsk_point_copy(point, &flows.point[flows.of->set[flows.asked[l].second]]);
            return true;
        }
    return __real_wsk_point_solve(net, rpm, t, point);
}

static void solve_flows(const wsk_bench_case *c, const wsk_net *net)
{
    const size_t doubles = wsk_point_doubles(net);
    bool *seen = calloc((size_t)c->n_set, sizeof *seen);
    double *memory = calloc((size_t)c->n_set * doubles, sizeof *memory);
    flows.of = c;
    flows.point = calloc((size_t)c->n_set, sizeof *flows.point);
    for (int k = 0; seen && memory && flows.point && k < c->n_second; k++) {
        const int set = c->set[k];
        if (seen[set])
            continue;
        seen[set] = true;
        wsk_point_place(net, &flows.point[set], memory + (size_t)set * doubles);
        if (!__real_wsk_point_solve(net, c->rpm[k], c->natural_k[k], &flows.point[set]))
            exit(1);
    }
    free(seen);
}

static void forget_flows(void)
{
    if (flows.point)
        free(flows.point[0].q); /* the first q points to the memory that holds the arrays of all points */
    free(flows.point);
    memset(&flows, 0, sizeof flows);
}

/* *natural: the second whose temperatures for natural convection the run has; -1: the run has none yet. */
static void feed(const wsk_bench_case *c, wsk_run *run, int k, int *natural)
{
    const size_t nodes = (size_t)c->n * sizeof(double);
    memcpy(run->heat, c->watts[k], nodes);
    memcpy(run->rpm, c->rpm[k], (size_t)run->net->n_mover * sizeof(double));
    if (*natural != c->natural_of[k]) {
        *natural = c->natural_of[k];
        memcpy(run->t_natural, c->natural_k[k], nodes);
        wsk_forget_configs(run);
    }
    for (int i = 0; i < c->n_given; i++)
        run->t[c->given_node[i]] = c->given[k][c->given_node[i]] + WSK_KELVIN;
}

static wsk_run *begin(const wsk_bench_case *c, wsk_stepper stepper)
{
    wsk_run *run = NULL;
    if (wsk_run_new(&run, c->rig, &(wsk_run_options){.duration_s = c->n_second, .step_s = 1, .stepper = stepper}) !=
        WSK_OK) {
        fputs("bench: no run\n", stderr);
        exit(1);
    }
    return run;
}

static void keep(const wsk_bench_case *c, const wsk_run *run, double *out_c)
{
    for (int i = 0; i < c->n; i++)
        out_c[i] = run->t[i] - WSK_KELVIN;
}

static double own_pass(const wsk_bench_case *c, wsk_stepper stepper, bool known, double **got_c)
{
    wsk_run *run = begin(c, stepper);
    int natural = -1;
    flows.known = known;
    flows.asked[0].rpm = run->rpm;
    double began = wsk_bench_cpu_s();
    for (int k = 0; k < c->n_second; k++) {
        flows.asked[0].second = k;
        feed(c, run, k, &natural);
        if (!wsk_step(run, 1))
            exit(1);
        keep(c, run, got_c[k]);
    }
    double took = wsk_bench_cpu_s() - began;
    flows.known = false;
    wsk_run_free(run);
    return took;
}

/* Each lane of the vectors has a rig at another second of the recording, because the rigs of a sweep are not at the
 * same time either. Returns the CPU time per rig, s. */
static double lanes_pass(const wsk_bench_case *c, double **got_c)
{
    wsk_run *runs[WSK_LANES];
    int natural[WSK_LANES];
    for (int l = 0; l < WSK_LANES; l++) {
        runs[l] = begin(c, WSK_STEPPER_FAST);
        natural[l] = -1;
        flows.asked[l].rpm = runs[l]->rpm;
    }
    flows.known = true;
    wsk_lanes *lanes = wsk_lanes_new(runs, WSK_LANES);
    if (!lanes)
        exit(1);
    double began = wsk_bench_cpu_s();
    for (int k = 0; k < c->n_second; k++) {
        for (int l = 0; l < WSK_LANES; l++) {
            flows.asked[l].second = (k + l * c->n_second / WSK_LANES) % c->n_second;
            feed(c, runs[l], flows.asked[l].second, &natural[l]);
        }
        unsigned done = wsk_lanes_step(lanes, (1u << WSK_LANES) - 1);
        for (int l = 0; l < WSK_LANES; l++)
            if (!(done & 1u << l) && !wsk_step(runs[l], 1))
                exit(1);
        keep(c, runs[0], got_c[k]);
    }
    double took = wsk_bench_cpu_s() - began;
    flows.known = false;
    wsk_lanes_free(lanes);
    for (int l = 0; l < WSK_LANES; l++)
        wsk_run_free(runs[l]);
    return took / WSK_LANES;
}

/* Seconds per pass: with our flow network (fast), with given flows (bare), and with given flows in lanes. A pass
 * takes only milliseconds, so other load on the machine distorts its time: passes are repeated, and the shortest
 * time counts. */
typedef struct {
    double fast, bare, lanes, error_k, lanes_error_k;
} ours;

static void time_ours(const wsk_bench_case *c, int repeats, double **got, ours *we)
{
    for (int r = 0; r < repeats; r++) {
        we->fast = fmin(we->fast, own_pass(c, WSK_STEPPER_FAST, false, got));
        we->bare = fmin(we->bare, own_pass(c, WSK_STEPPER_FAST, true, got));
        we->error_k = worst_own(c, got);
        we->lanes = fmin(we->lanes, lanes_pass(c, got));
        we->lanes_error_k = worst_own(c, got);
    }
}

static void row(const char *rig, const char *solver, double per_s, double error_k, double ratio, const char *rest)
{
    printf("{\"group\": \"replay\", \"row\": \"%s: %s\", \"simulated_s_per_s\": %.4g, \"error_k\": %.2g, \"ratio\": "
           "%.4g%s}\n",
           rig, solver, per_s, error_k, ratio, rest);
    fflush(stdout);
}

/* Another solver at its loosest tolerance that meets the error bound. best: CPU time, s. tolerance: 0 if no tolerance
 * meets the bound. least_k: smallest error over all tolerances, K. */
typedef struct {
    const wsk_bench_peer *peer;
    double best, error_k, tolerance, least_k;
} theirs;

static theirs time_theirs(const wsk_bench_case *c, const wsk_bench_peer *peer, int repeats, double **got)
{
    const wsk_bench_ode *ode = peer->air_massed ? &c->massed : &c->bare;
    const char *loud = getenv("WATTSINK_BENCH_LADDER");
    theirs they = {.peer = peer, .best = INFINITY, .least_k = INFINITY};
    for (const double *t = peer->tolerances; *t > 0; t++) {
        double took = peer->solve(c, ode, *t, got), e = took < 0 ? INFINITY : worst(c, got);
        if (loud && *loud)
            fprintf(stderr, "%s tolerance %g: %.4g s, error %.3g K\n", peer->name, *t, took, e);
        they.least_k = fmin(they.least_k, e);
        if (!(e <= allowed_k))
            continue;
        if (took >= they.best)
            break; /* the rest of the list is tighter and takes longer */
        they.best = took;
        they.error_k = e;
        they.tolerance = *t;
    }
    for (int r = 1; r < repeats && they.tolerance > 0; r++)
        they.best = fmin(they.best, peer->solve(c, ode, they.tolerance, got));
    they.best += they.tolerance > 0 && !peer->itself && !peer->air_massed ? c->bare.prepare_s : 0;
    return they;
}

static void tell_theirs(const wsk_bench_case *c, const char *rig, const theirs *they, const ours *we)
{
    const wsk_bench_peer *peer = they->peer;
    char rest[200];
    int at = snprintf(rest, sizeof rest, ", \"tolerance\": %.3g, \"ratio_in_lanes\": %.4g", they->tolerance,
                      they->best / we->lanes);
    if (peer->must > 0 && (peer->itself || peer->air_massed)) /* the budget is for the network with its air */
        snprintf(rest + at, sizeof rest - (size_t)at, ", \"must\": %g, \"goal\": %g", peer->must, peer->goal);
    if (they->tolerance > 0)
        row(rig, peer->name, c->n_second / they->best, they->error_k, they->best / we->bare, rest);
    else
        fprintf(stderr, "%s: %s does not come within %.2f K (%.3f K)\n", rig, peer->name, allowed_k, they->least_k);
}

static void tell_ours(const char *rig, int seconds, const ours *we)
{
    row(rig, "wattsink, fast, with its flow network", seconds / we->fast, we->error_k, we->fast / we->bare, "");
    row(rig, "wattsink, fast", seconds / we->bare, we->error_k, 1, "");
    row(rig, "wattsink, fast, one of eight in lanes", seconds / we->lanes, we->lanes_error_k, we->lanes / we->bare,
        "");
}

static void compare(const char *rig, const char *path, int seconds, int repeats)
{
    enum { MOST = 16 };
    wsk_bench_case *c = wsk_bench_case_new(path, seconds);
    double **got = calloc((size_t)seconds, sizeof *got), reference = INFINITY;
    wsk_run *any = begin(c, WSK_STEPPER_FAST);
    ours we = {.fast = INFINITY, .bare = INFINITY, .lanes = INFINITY};
    theirs they[MOST];
    int n = 0;
    for (int k = 0; k < seconds; k++)
        got[k] = calloc((size_t)c->n, sizeof **got);
    fprintf(stderr, "%s: %d nodes (%d with a mass), %d s, %d sets of flows\n", rig, c->n, c->bare.n, seconds,
            c->n_set);
    solve_flows(c, any->net);
    wsk_run_free(any);
    for (int k = 0; peers[k]; k++)
        for (const wsk_bench_peer *p = peers[k]; p->name && n < MOST; p++) {
            time_ours(c, repeats, got, &we);
            they[n++] = time_theirs(c, p, repeats, got);
        }
    time_ours(c, 3 * repeats, got, &we);
    tell_ours(rig, seconds, &we);
    for (int r = 0; r < repeats; r++)
        reference = fmin(reference, own_pass(c, WSK_STEPPER_REFERENCE, true, got));
    row(rig, "wattsink, reference", seconds / reference, worst_own(c, got), reference / we.bare, "");
    for (int k = 0; k < n; k++)
        tell_theirs(c, rig, &they[k], &we);
    for (int k = 0; k < seconds; k++)
        free(got[k]);
    free(got);
    forget_flows();
    wsk_bench_case_free(c);
}

int main(int argc, char **argv)
{
    int seconds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 3600,
        repeats = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 3;
#ifndef WSK_PEER_NGSPICE
    puts("{\"group\": \"absent\", \"row\": \"ngspice\"}");
#endif
#ifndef WSK_PEER_CVODE
    puts("{\"group\": \"absent\", \"row\": \"SUNDIALS CVODE with KLU\"}");
#endif
#ifndef WSK_PEER_GSL
    puts("{\"group\": \"absent\", \"row\": \"GSL\"}");
#endif
    compare("rig4", "scenarios/quad-3090-blower/rig.xml", seconds, repeats);
    compare("srv8", "scenarios/h100-4u/rig.xml", seconds, repeats);
    return 0;
}
