/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "sim/base/base.h"
#include "tests/support/log_fit.h"

void wsk_log_fit_file(wsk_buf *name, const wsk_csv *facts, int row)
{
    wsk_buf_printf(name, "thermal/traces/%s.csv", wsk_csv_text(facts, row, "trace"));
}

bool wsk_log_fit_read(wsk_trace *trace, const char *data, const wsk_csv *facts, int row)
{
    wsk_buf path = {0};
    wsk_buf_printf(&path, "%s/", data);
    wsk_log_fit_file(&path, facts, row);
    FILE *f = path.data ? fopen(path.data, "rb") : NULL;
    const bool there = f && wsk_trace_read(trace, path.data, wsk_csv_number(facts, row, "loss_fixed_w"),
                                           wsk_csv_number(facts, row, "loss_per_w")) == 0;
    if (f)
        (void)fclose(f);
    wsk_buf_free(&path);
    return there;
}

wsk_status wsk_log_fit_trace(const wsk_rig *rig, const wsk_trace *t, double holdout, wsk_log_fit *out)
{
    const size_t n = (size_t)t->count;
    double *time = malloc(3 * n * sizeof *time), *die = time + n, *memory = die + n;
    if (!time)
        return WSK_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        time[i] = t->t_s[i] - t->t_s[0];
        die[i] = t->measured[WSK_SENSOR_DIE][i] + WSK_KELVIN;
        memory[i] = t->measured[WSK_SENSOR_MEMORY][i] + WSK_KELVIN;
    }
    const wsk_calibrate_trace log = {.power = {time, t->power_w, n},
                                     .die = {time, die, n},
                                     .memory = {time, memory, isnan(memory[n / 2]) ? 0 : n},
                                     .fan_speed = {time, t->fan_rpm, isnan(t->fan_rpm[n / 2]) ? 0 : n}};
    const wsk_status status = wsk_calibrate_log(rig, &log, 1, holdout, out, NULL);
    free(time);
    return status;
}
