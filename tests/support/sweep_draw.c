/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>

#include "tests/support/replay.h"
#include "tests/support/sweep.h"

static double model_w(const char *part, const char *cls, double clock_hz, double die_k, double *spread)
{
    wsk_plan *plan;
    wsk_gpu_params g;
    wsk_gpu_class out;
    const wsk_gpu_ops *ops = wsk_gpu_boost.ops;
    const int c = wsk_sweep_class(part, cls, NULL, &plan, &g, &out);
    if (c < 0)
        return (double)NAN;
    *spread = out.power_spread_rel;
    double watts = c == WSK_CLASS_IDLE ? g.idle_w : ops->power_w(&g, &out, clock_hz, die_k, NULL);
    wsk_plan_free(plan);
    return watts;
}

int wsk_sweep_draws(void (*row)(void *user, const wsk_sweep_draw *draw), void *user)
{
    wsk_csv *csv = wsk_csv_read("tests/validate/facts/natural_draw.csv");
    int n = csv ? wsk_csv_rows(csv) : 0;
    for (int i = 0; i < n; i++) {
        wsk_sweep_draw d = {.part = wsk_csv_text(csv, i, "part"),
                            .what = wsk_csv_text(csv, i, "what"),
                            .cls = wsk_csv_text(csv, i, "class"),
                            .clock_hz = wsk_csv_number(csv, i, "clock_mhz") * 1e6,
                            .measured_w = wsk_csv_number(csv, i, "power_w")};
        d.model_w = model_w(d.part, d.cls, d.clock_hz, wsk_csv_number(csv, i, "die_c") + WSK_KELVIN, &d.spread_rel);
        row(user, &d);
    }
    wsk_csv_free(csv);
    return n;
}
