/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/walls.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/step/step.h"
#include "sim/study/spread/spread.h"
#include "sim/study/trip/trip.h"

static double wall_of(const wsk_wall_row *r, double factor, double load)
{
    double more = (factor - 1) * r->rest_w + (r->free_load ? load - r->load : 0) * r->span_w;
    return r->psus * r->psu->ops->input_w(&r->psu->law, (r->dc_w + more) / r->psus) + r->above_w;
}

static bool read_range(wsk_wall_row *r)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_spreads s;
    const bool solved = arena && wsk_spreads_solve(&s, arena, r->rig->net, WSK_STEPPER_FAST) == WSK_OK;
    if (solved) {
        r->low_w = (1 - s.below.wall_rel) * s.base.wall_w + r->above_w;
        r->high_w = (1 + s.above.wall_rel) * s.base.wall_w + r->above_w;
    }
    wsk_arena_free(arena);
    return solved;
}

static wsk_wall_row read_row(const wsk_csv *csv, int i)
{
    const char *sets = wsk_csv_text(csv, i, "sets");
    wsk_wall_row r = {.machine = wsk_csv_text(csv, i, "machine"),
                      .sets = sets,
                      .reading = wsk_csv_text(csv, i, "reading"),
                      .measured_w = wsk_csv_number(csv, i, "wall_w")};
    r.rig = wsk_replay_rig(wsk_csv_text(csv, i, "rig"), *sets ? sets : NULL);
    if (!r.rig)
        return r;
    const wsk_net *net = r.rig->net;
    const wsk_case *c = &net->cases[0];
    wsk_run *run = NULL;
    bool cycling;
    if (wsk_steady_solve(&run, net, WSK_STEPPER_FAST, &cycling, NULL, NULL) != WSK_OK) {
        wsk_rig_free(r.rig);
        r.rig = NULL;
        return r;
    }
    r.dc_w = run->dc_w;
    r.load = net->cls == WSK_CLASS_IDLE ? 0 : net->host_load;
    r.free_load = net->cls != WSK_CLASS_IDLE && isnan(net->workload->host_load);
    r.rest_w = c->cpu->count * c->cpu->idle_w + c->host_rest_w;
    r.span_w = c->cpu->count * (c->cpu->power_w - c->cpu->idle_w) + c->host_span_w;
    r.psu = &net->supplies[0];
    r.psus = c->n_supply;
    if (strcmp(wsk_csv_text(csv, i, "reading"), "peak") == 0)
        r.above_w = wsk_wall_meter_w(run) - run->wall_w;
    r.model_w = run->wall_w + r.above_w;
    wsk_run_free(run);
    if (!read_range(&r)) {
        wsk_rig_free(r.rig);
        r.rig = NULL;
    }
    return r;
}

static bool holds(const wsk_wall_row *r, double times)
{
    return r->measured_w >= r->model_w - times * (r->model_w - r->low_w) &&
           r->measured_w <= r->model_w + times * (r->high_w - r->model_w);
}

static void count_inside(wsk_walls *w)
{
    const double eighty = 1.2816;
    int peaks = 0;
    for (int i = 0; i < w->n; i++) {
        const bool peak = strcmp(w->rows[i].reading, "peak") == 0;
        peaks += peak;
        w->means += !peak;
        *(peak ? &w->peaks_inside : &w->inside) += holds(&w->rows[i], 1);
        w->inside80 += !peak && holds(&w->rows[i], eighty);
    }
    w->inside /= fmax(w->means, 1);
    w->inside80 /= fmax(w->means, 1);
    w->peaks_inside /= fmax(peaks, 1);
}

/* Mean over machines, each of which counts once, of ln^2(model / measured) (square) or of |relative error|. Counts
 * only `machine`, or with `others` all machines but that one. */
static double mean_error(const wsk_wall_row *rows, int n, double factor, double load, bool square,
                         const char *machine, bool others)
{
    double sum = 0, machines = 0;
    for (int i = 0; i < n; i++) {
        double mine = 0, count = 0;
        bool counted = i > 0 && strcmp(rows[i - 1].machine, rows[i].machine) == 0;
        if (counted || (strcmp(rows[i].machine, machine) == 0) == others)
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

/* Priors: factor 1 with ln-sd 0.35, load 0.2 with sd 0.15 (docs/theory/cpu.md); a machine's error has ln-sd 0.1. */
double wsk_walls_without(const wsk_walls *walls, const char *machine, double *factor, double *load)
{
    const wsk_wall_row *rows = walls->rows;
    const int n = walls->n;
    double least = INFINITY;
    for (double f = 0.4; f < 1.8; f += 0.02)
        for (double h = 0; h < 0.6; h += 0.02) {
            double prior = log(f) * log(f) / (0.35 * 0.35) + (h - 0.2) * (h - 0.2) / (0.15 * 0.15),
                   cost =
                       (walls->machines - 1) * mean_error(rows, n, f, h, true, machine, true) / (0.1 * 0.1) + prior;
            if (cost < least) {
                least = cost;
                *factor = f;
                *load = h;
            }
        }
    return mean_error(rows, n, *factor, *load, false, machine, false);
}

static bool new_machine(const wsk_walls *w, int i)
{
    return i == 0 || strcmp(w->rows[i - 1].machine, w->rows[i].machine) != 0;
}

bool wsk_walls_read(wsk_walls *w)
{
    *w = (wsk_walls){.csv = wsk_csv_read("tests/validate/facts/walls.csv")};
    int n = w->csv ? wsk_csv_rows(w->csv) : 0;
    if (n < 1 || n > WSK_WALL_ROWS)
        return false;
    for (; w->n < n; w->n++) {
        w->rows[w->n] = read_row(w->csv, w->n);
        if (!w->rows[w->n].rig)
            return false;
        w->shipped += fabs(w->rows[w->n].model_w / w->rows[w->n].measured_w - 1) / n;
    }
    count_inside(w);
    for (int i = 0; i < n; i++)
        w->machines += new_machine(w, i);
    for (int i = 0; i < n; i++)
        if (new_machine(w, i)) {
            double factor, load;
            w->left_out += wsk_walls_without(w, w->rows[i].machine, &factor, &load) / w->machines;
        }
    return true;
}

void wsk_walls_free(wsk_walls *w)
{
    for (int i = 0; i < w->n; i++)
        wsk_rig_free(w->rows[i].rig);
    wsk_csv_free(w->csv);
}

int wsk_walls_report(double *shipped, double *left_out)
{
    wsk_walls w;
    bool read = wsk_walls_read(&w);
    puts("## Whole machines at the wall\n\n"
         "Readings of meters and management controllers (`walls.csv`). Where the settings name watts of the cards, "
         "these are "
         "measured;\nelse the card draws what its class of work says. What the source does not state of a host has "
         "class "
         "values. \"Peak\" is a\nmeter's highest reading, beside what the program tells as \"up to ... W on a "
         "meter\". Range: the printed one, a\nstandard deviation to each side.\n\n"
         "| machine | settings | reading | measured, W | model, W | range, W | error "
         "|\n|---|---|---|---|---|---|---|");
    for (int i = 0; read && i < w.n; i++)
        printf("| %s | %s | %s | %.4g | %.4g | %.4g-%.4g | %+.1f %% |\n", w.rows[i].machine, w.rows[i].sets,
               w.rows[i].reading, w.rows[i].measured_w, w.rows[i].model_w, w.rows[i].low_w, w.rows[i].high_w,
               100 * (w.rows[i].model_w / w.rows[i].measured_w - 1));
    printf(
        "\nOf the %d means %.0f %% lie in the range (65-95 %% are due; of a normal distribution 68), and %.0f %% in "
        "its band of 80 %%, 1.28\ntimes as wide; of the %d peaks %.0f %%.\n",
        w.means, 100 * w.inside, 100 * w.inside80, w.n - w.means, 100 * w.peaks_inside);
    puts("\nEach machine left out of a fit of two numbers, a factor on the watts of a host at rest and the load of a "
         "host "
         "(shipped: 1 and\n0.2), with priors (docs/theory/cpu.md):\n\n"
         "| machine left out | factor | load | its error |\n|---|---|---|---|");
    for (int i = 0; read && i < w.n; i++)
        if (new_machine(&w, i)) {
            double factor, load, e = wsk_walls_without(&w, w.rows[i].machine, &factor, &load);
            printf("| %s | %.2f | %.2f | %.1f %% |\n", w.rows[i].machine, factor, load, 100 * e);
        }
    puts("");
    *shipped = w.shipped;
    *left_out = w.left_out;
    wsk_walls_free(&w);
    return !read;
}
