/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power at the wall of whole machines against measurements, facts/walls.csv: as shipped, and with each machine left out
 * of a fit of two numbers: a factor on the watts of a host at rest, and the load of a host whose cards compute. The
 * watts of the cards are those of the measurement. Bands: docs/theory/uncertainty.md, "Bands against measurements" */
#include <math.h>
#include <string.h>

#include "sim/api.h"
#include "sim/step/step.h"
#include "sim/study/trip.h"
#include "tests/support/replay.h"
#include "tests/unit/assert.h"

enum { ROWS = 64 };

/* A row with the model's point. rest_w: processors, board, memory and drives at rest; span_w: how much more they draw
 * when busy; load: of the host; input_w(dc) is the wall power of its equal PSUs. */
typedef struct {
    const char *machine;
    double measured_w, dc_w, wall_w, above_w, rest_w, span_w, load;
    bool free_load; /* the class of the work gives the load, not the rig */
    const wsk_supply *psu;
    double psus;
    wsk_rig *rig;
} wall_row;

static double wall_of(const wall_row *r, double factor, double load)
{
    double more = (factor - 1) * r->rest_w + (r->free_load ? load - r->load : 0) * r->span_w;
    return r->psus * r->psu->ops->input_w(&r->psu->law, (r->dc_w + more) / r->psus) + r->above_w;
}

static wall_row read_row(const wsk_csv *csv, int i)
{
    const char *sets = wsk_csv_text(csv, i, "sets");
    wall_row r = {.machine = wsk_csv_text(csv, i, "machine"), .measured_w = wsk_csv_number(csv, i, "wall_w")};
    r.rig = wsk_replay_rig(wsk_csv_text(csv, i, "rig"), *sets ? sets : NULL);
    assert_non_null(r.rig);
    const wsk_net *net = r.rig->net;
    const wsk_case *c = &net->cases[0];
    wsk_run *run = NULL;
    bool cycling;
    assert_int_equal(wsk_steady_solve(&run, net, WSK_STEPPER_FAST, &cycling, NULL, NULL), WSK_OK);
    r.dc_w = run->dc_w;
    r.wall_w = run->wall_w;
    r.load = net->cls == WSK_CLASS_IDLE ? 0 : net->host_load;
    r.free_load = net->cls != WSK_CLASS_IDLE && isnan(net->workload->host_load);
    r.rest_w = c->cpu->count * c->cpu->idle_w + c->host_rest_w;
    r.span_w = c->cpu->count * (c->cpu->power_w - c->cpu->idle_w) + c->host_span_w;
    r.psu = &net->supplies[0];
    r.psus = c->n_supply;
    if (strcmp(wsk_csv_text(csv, i, "reading"), "peak") == 0)
        r.above_w = wsk_wall_meter_w(run) - r.wall_w;
    wsk_run_free(run);
    return r;
}

/* Mean of a value over machines, each of which counts once: of ln^2 (square) or |relative error|. machine: counts only
 * this one, or if `others` all but this one; NULL: all. */
static double mean_error(const wall_row *rows, int n, double factor, double load, bool square, const char *machine,
                         bool others)
{
    double sum = 0, machines = 0;
    for (int i = 0; i < n; i++) {
        double mine = 0, count = 0;
        bool counted = i > 0 && strcmp(rows[i - 1].machine, rows[i].machine) == 0;
        if (counted || (machine && (strcmp(rows[i].machine, machine) == 0) == others))
            continue;
        for (int k = i; k < n && strcmp(rows[k].machine, rows[i].machine) == 0; k++, count++) {
            double ratio = wall_of(&rows[k], factor, load) / rows[k].measured_w;
            mine += square ? log(ratio) * log(ratio) : fabs(ratio - 1);
        }
        sum += mine / count;
        machines++;
    }
    return sum / machines;
}

/* The most probable factor and load after all machines but one. Priors: factor 1 with ln-sd 0.35, load 0.2 with sd
 * 0.15 (docs/theory/cpu.md); a machine's error has ln-sd 0.1. */
static void fit_without(const wall_row *rows, int n, const char *machine, double *factor, double *load)
{
    double least = INFINITY;
    for (double f = 0.4; f < 1.8; f += 0.02)
        for (double h = 0; h < 0.6; h += 0.02) {
            double prior = log(f) * log(f) / (0.35 * 0.35) + (h - 0.2) * (h - 0.2) / (0.15 * 0.15),
                   cost = 7 * mean_error(rows, n, f, h, true, machine, true) / (0.1 * 0.1) + prior;
            if (cost < least) {
                least = cost;
                *factor = f;
                *load = h;
            }
        }
}

static void walls(void **state)
{
    (void)state;
    wsk_csv *csv = wsk_csv_read("tests/validate/facts/walls.csv");
    assert_non_null(csv);
    int n = wsk_csv_rows(csv), machines = 0;
    wall_row rows[ROWS] = {0};
    assert_true(n >= 8 && n <= ROWS);
    for (int i = 0; i < n; i++) {
        rows[i] = read_row(csv, i);
        double w = rows[i].wall_w + rows[i].above_w;
        assert_near(wall_of(&rows[i], 1, rows[i].load), w, 1e-3 * w);
        print_message("%s %s: measured %.1f, model %.1f W (%+.1f %%)\n", rows[i].machine,
                      wsk_csv_text(csv, i, "sets"), rows[i].measured_w, w, 100 * (w / rows[i].measured_w - 1));
    }
    double left_out = 0;
    for (int i = 0; i < n; i++)
        if (i == 0 || strcmp(rows[i - 1].machine, rows[i].machine) != 0) {
            double factor = 1, load = 0;
            fit_without(rows, n, rows[i].machine, &factor, &load);
            double e = mean_error(rows, n, factor, load, false, rows[i].machine, false);
            print_message("without %s: host at rest x %.2f, load %.2f; its error %.1f %%\n", rows[i].machine, factor,
                          load, 100 * e);
            left_out += e;
            machines++;
        }
    double all = 0;
    for (int i = 0; i < n; i++)
        all += fabs((rows[i].wall_w + rows[i].above_w) / rows[i].measured_w - 1) / n;
    print_message(
        "walls: %d rows of %d machines, as shipped %.1f %% (a machine %.1f %%), machines left out %.1f %%\n", n,
        machines, 100 * all, 100 * mean_error(rows, n, 1, wsk_class_host_load[WSK_CLASS_DECODE], false, NULL, false),
        100 * left_out / machines);
    assert_true(machines >= 7);
    assert_true(all <= 0.12);
    assert_true(left_out / machines <= 0.12);
    for (int i = 0; i < n; i++)
        wsk_rig_free(rows[i].rig);
    wsk_csv_free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(walls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
