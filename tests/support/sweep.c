/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/replay.h"

static void copy(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from);
}

static int index_of(const char *const *names, const char *name)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

/* Rows are sorted by held power. Of rows equally near to a work of 1, this takes the last. */
static int reference_row(const wsk_sweep *s)
{
    int best = 0;
    for (int i = 1; i < s->n; i++)
        if (fabs(s->perf[i] - 1) <= fabs(s->perf[best] - 1) + 1e-6)
            best = i;
    return best;
}

static const wsk_gpu_ops *model(void)
{
    return wsk_gpu_boost.ops;
}

static void swap(double *v, int i, int k)
{
    double t = v[i];
    v[i] = v[k];
    v[k] = t;
}

static void hold(const wsk_sweep_card *card, wsk_sweep *s)
{
    s->by_limit = card->by_limit;
    for (int i = 0; i < s->n; i++)
        s->held_w[i] = card->by_limit ? model()->held_w(&card->gpu, s->limit_w[i]) : s->drawn_w[i];
    for (int i = 1; i < s->n; i++)
        for (int k = i; k > 0 && s->held_w[k] < s->held_w[k - 1]; k--) {
            double *const column[] = {s->limit_w, s->drawn_w, s->clock_hz, s->perf, s->held_w};
            for (size_t c = 0; c < sizeof column / sizeof *column; c++)
                swap(column[c], k, k - 1);
        }
}

static bool read_loads(wsk_sweep_card *card, const char *file)
{
    static const char *const use[] = {"fit", "low", "free", "floor", "noise", NULL};
    char path[128];
    snprintf(path, sizeof path, "tests/validate/facts/sweep_%s.csv", file);
    wsk_csv *csv = wsk_csv_read(path);
    card->load = calloc(WSK_SWEEP_LOADS, sizeof *card->load);
    bool ok = csv && card->load;
    for (int i = 0; ok && i < wsk_csv_rows(csv); i++) {
        const char *load = wsk_csv_text(csv, i, "load");
        wsk_sweep *s = card->n ? &card->load[card->n - 1] : NULL;
        if (!s || strcmp(s->name, load) != 0) {
            if (card->n == WSK_SWEEP_LOADS)
                ok = false;
            else
                s = &card->load[card->n++];
            copy(s->name, sizeof s->name, load);
            s->cls = index_of(wsk_class_names, wsk_csv_text(csv, i, "class"));
            s->bits = wsk_csv_number(csv, i, "bits");
        }
        int u = index_of(use, wsk_csv_text(csv, i, "use"));
        ok = ok && u >= 0 && s->n < WSK_SWEEP_ROWS;
        bool apart = u == WSK_SWEEP_LOW || u == WSK_SWEEP_FLOOR;
        s->low += apart;
        if (!ok || apart)
            continue;
        s->use = (wsk_sweep_use)u;
        s->limit_w[s->n] = wsk_csv_number(csv, i, "limit_w");
        s->drawn_w[s->n] = wsk_csv_number(csv, i, "drawn_w");
        s->clock_hz[s->n] = wsk_csv_number(csv, i, "clock_mhz") * 1e6;
        s->perf[s->n++] = wsk_csv_number(csv, i, "perf_rel");
    }
    for (int k = 0; k < card->n; k++) {
        hold(card, &card->load[k]);
        card->load[k].ref = reference_row(&card->load[k]);
        card->fitted += card->load[k].use == WSK_SWEEP_FIT;
    }
    wsk_csv_free(csv);
    return ok && card->fitted > 0;
}

const wsk_gpu_params *wsk_sweep_part(const char *name, wsk_plan **plan)
{
    char text[160];
    int len = snprintf(text, sizeof text, "<rig><chassis><gpu part='gpu/%s' slot='1'/></chassis></rig>", name);
    wsk_plan_input input = {.path = "-", .text = text, .text_len = (size_t)len, .parts_dir = "parts"};
    if (wsk_plan_load(plan, &input) != WSK_OK)
        return NULL;
    return wsk_elem_child(wsk_elem_child((*plan)->rig, "chassis", NULL), "gpu", NULL)->params;
}

int wsk_sweep_class(const char *part, const char *cls, const wsk_load *load, wsk_plan **plan, wsk_gpu_params *gpu,
                    wsk_gpu_class *out)
{
    const wsk_gpu_ops *ops = wsk_gpu_boost.ops;
    const int c = index_of(wsk_class_names, cls);
    const wsk_gpu_params *shipped = c < 0 ? NULL : wsk_sweep_part(part, plan);
    if (!shipped)
        return -1;
    *gpu = *shipped;
    wsk_gpu_complete(gpu);
    ops->classify(gpu, (wsk_class)c, load, out);
    return c;
}

int wsk_sweep_read(wsk_sweep_card cards[WSK_SWEEP_CARDS])
{
    wsk_csv *csv = wsk_csv_read("tests/validate/facts/sweep_cards.csv");
    int n = csv ? wsk_csv_rows(csv) : 0, i;
    bool ok = n > 0 && n <= WSK_SWEEP_CARDS;
    memset(cards, 0, WSK_SWEEP_CARDS * sizeof *cards);
    for (i = 0; ok && i < n; i++) {
        wsk_sweep_card *c = &cards[i];
        copy(c->part, sizeof c->part, wsk_csv_text(csv, i, "part"));
        c->shipped = wsk_sweep_part(c->part, &c->plan);
        if (!c->shipped) {
            ok = false;
            break;
        }
        c->gpu = *c->shipped;
        wsk_gpu_complete(&c->gpu);
        c->gpu.memory_w = wsk_csv_number(csv, i, "memory_w");
        c->by_limit = strcmp(wsk_csv_text(csv, i, "by"), "limit") == 0;
        c->limits = c->by_limit || strcmp(wsk_csv_text(csv, i, "by"), "both") == 0;
        c->fit_knee = strcmp(wsk_csv_text(csv, i, "knee"), "fit") == 0;
        copy(c->name, sizeof c->name, wsk_csv_text(csv, i, "card"));
        copy(c->source, sizeof c->source, wsk_csv_text(csv, i, "source"));
        copy(c->how, sizeof c->how, wsk_csv_text(csv, i, "how"));
        ok = read_loads(c, wsk_csv_text(csv, i, "file"));
    }
    wsk_csv_free(csv);
    if (!ok)
        wsk_sweep_free(cards, i < WSK_SWEEP_CARDS ? i + 1 : i);
    return ok ? n : 0;
}

void wsk_sweep_free(wsk_sweep_card *cards, int n)
{
    for (int i = 0; i < n; i++) {
        free(cards[i].load);
        wsk_plan_free(cards[i].plan);
    }
}

double wsk_sweep_clock(const wsk_gpu_params *g, const wsk_gpu_class *cls, double held_w)
{
    double f = model()->clock_for(g, cls, wsk_gpu_held_mean_w(model(), g, cls, held_w), g->leakage_temp_k,
                                  0.9 * g->clock_max_hz);
    return f < g->clock_max_hz ? f : g->clock_max_hz;
}

wsk_sweep_error wsk_sweep_compare(const wsk_gpu_params *g, const wsk_gpu_class *cls, const wsk_sweep *s)
{
    wsk_sweep_error e = {0};
    int clocks = 0;
    for (int i = 0; i < s->n; i++) {
        double f = wsk_sweep_clock(g, cls, s->held_w[i]),
               err = fabs(model()->perf_rel(cls, f) / s->perf[i] - 1) * 100,
               clock = fabs(f / s->clock_hz[i] - 1) * 100;
        e.mean += err / s->n;
        if (err > e.worst) {
            e.worst = err;
            e.worst_w = s->held_w[i];
        }
        if (isnan(clock) || s->held_w[i] < 0.98 * g->limit_min_w)
            continue;
        clocks++;
        e.clock_mean += clock;
        e.clock_worst = fmax(e.clock_worst, clock);
    }
    e.clock_mean /= clocks; /* 0/0 gives NAN if no row was counted */
    return e;
}

double wsk_sweep_uncapped(const wsk_gpu_params *g, const wsk_gpu_class *cls, const wsk_sweep *s)
{
    int top = s->n - 1;
    while (top > 0 && isnan(s->clock_hz[top]))
        top--;
    return 100 * (model()->power_w(g, cls, s->clock_hz[top], g->leakage_temp_k, NULL) / s->drawn_w[top] - 1);
}

int wsk_sweep_report(void)
{
    puts("\n## Work under a power limit\n\nNineteen cards, fitted and predicted, and what a stranger gets: "
         "[validation-power.md](validation-power.md).");
    return 0;
}
