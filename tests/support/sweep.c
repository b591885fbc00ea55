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

/* The row whose work is nearest to 1; of several, the one that draws most. */
static int reference_row(const wsk_sweep *s)
{
    int best = 0;
    for (int i = 1; i < s->n; i++)
        if (fabs(s->perf[i] - 1) <= fabs(s->perf[best] - 1) + 1e-6)
            best = i;
    return best;
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
        card->load[k].ref = reference_row(&card->load[k]);
        card->fitted += card->load[k].use == WSK_SWEEP_FIT;
    }
    wsk_csv_free(csv);
    return ok && card->fitted > 0;
}

/* A card by its limits and clocks alone, the die pinned to the reference of its leakage. */
static wsk_gpu_params plain_card(double tdp_w, double clock_max_hz)
{
    return (wsk_gpu_params){.name = "sweep",
                            .tdp_w = tdp_w,
                            .limit_w = tdp_w,
                            .limit_max_w = tdp_w,
                            .clock_min_hz = 100e6,
                            .clock_max_hz = clock_max_hz,
                            .clock_step_hz = 15e6,
                            .clock_knee_hz = 0.75 * clock_max_hz,
                            .voltage_slope_per_hz = 0.85 / clock_max_hz,
                            .boost_temp_k = 65 + WSK_KELVIN,
                            .leakage_slope_per_k = 0.041,
                            .leakage_temp_k = 65 + WSK_KELVIN,
                            .voltage_floor_v = 0.7};
}

int wsk_sweep_read(wsk_sweep_card cards[WSK_SWEEP_CARDS])
{
    wsk_csv *csv = wsk_csv_read("tests/validate/facts/sweep_cards.csv");
    int n = csv ? wsk_csv_rows(csv) : 0, i;
    bool ok = n > 0 && n <= WSK_SWEEP_CARDS;
    memset(cards, 0, WSK_SWEEP_CARDS * sizeof *cards);
    for (i = 0; ok && i < n; i++) {
        wsk_sweep_card *c = &cards[i];
        c->gpu = plain_card(wsk_csv_number(csv, i, "tdp_w"), wsk_csv_number(csv, i, "clock_max_mhz") * 1e6);
        c->gpu.limit_min_w = wsk_csv_number(csv, i, "limit_min_w");
        c->gpu.memory_w = wsk_csv_number(csv, i, "memory_w");
        c->gpu.plateau_draw_w = wsk_csv_number(csv, i, "plateau_draw_w");
        c->gpu.plateau_high_w = wsk_csv_number(csv, i, "plateau_high_w");
        copy(c->name, sizeof c->name, wsk_csv_text(csv, i, "card"));
        copy(c->source, sizeof c->source, wsk_csv_text(csv, i, "source"));
        copy(c->how, sizeof c->how, wsk_csv_text(csv, i, "how"));
        ok = read_loads(c, wsk_csv_text(csv, i, "file"));
    }
    wsk_csv_free(csv);
    if (!ok)
        wsk_sweep_free(cards, i);
    return ok ? n : 0;
}

void wsk_sweep_free(wsk_sweep_card *cards, int n)
{
    for (int i = 0; i < n; i++)
        free(cards[i].load);
}

static const wsk_gpu_ops *model(void)
{
    return wsk_gpu_boost.ops;
}

double wsk_sweep_clock(const wsk_gpu_params *g, const wsk_gpu_class *cls, double drawn_w)
{
    double f = model()->clock_for(g, cls, drawn_w, g->leakage_temp_k, 0.9 * g->clock_max_hz);
    return f < g->clock_max_hz ? f : g->clock_max_hz;
}

void wsk_sweep_refer(const wsk_gpu_params *g, wsk_gpu_class *cls, const wsk_sweep *s)
{
    wsk_gpu_class there = *cls; /* at the reference the traffic is whole */
    there.p0_w += cls->traffic_w;
    there.traffic_w = 0;
    there.memory_speed = cls->memory_speed = 1;
    cls->ref_clock_hz = wsk_sweep_clock(g, &there, s->drawn_w[s->ref]);
}

wsk_sweep_error wsk_sweep_compare(const wsk_gpu_params *g, const wsk_gpu_class *cls, const wsk_sweep *s)
{
    wsk_sweep_error e = {0};
    int clocks = 0;
    for (int i = 0; i < s->n; i++) {
        double f = wsk_sweep_clock(g, cls, s->drawn_w[i]),
               err = fabs(model()->perf_rel(cls, f) / s->perf[i] - 1) * 100,
               clock = fabs(f / s->clock_hz[i] - 1) * 100;
        e.mean += err / s->n;
        if (err > e.worst) {
            e.worst = err;
            e.worst_w = s->drawn_w[i];
        }
        if (isnan(clock) || s->drawn_w[i] < 0.98 * g->limit_min_w)
            continue;
        clocks++;
        e.clock_mean += clock;
        e.clock_worst = fmax(e.clock_worst, clock);
    }
    e.clock_mean /= clocks; /* NAN where no clock was measured */
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
    puts("\n## Work under a power limit\n\nFifteen cards, fitted and predicted: "
         "[validation-power.md](validation-power.md).");
    return 0;
}
