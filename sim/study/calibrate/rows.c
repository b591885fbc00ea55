/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the rows of a sweep tell before they are fitted. */
#include <math.h>

#include "sim/study/calibrate/calibrate.h"

/* Standard deviation of mean power divided by limit if long pauses are not known.
 * Assumed: docs/theory/constants.md, "unseen pauses" */
static const double unseen_sd = 0.15;

bool wsk_calibrate_keeps_limit(const wsk_gpu_params *g, const wsk_gpu_ops *ops, const wsk_calibrate_row *row)
{
    return !isnan(row->limit_w) && !(row->drawn_w > 1.01 * ops->held_w(g, row->limit_w));
}

bool wsk_calibrate_may_bind(const wsk_gpu_params *g, const wsk_gpu_ops *ops, const wsk_calibrate_row *row)
{
    const double near = 0.95; /* a clock this near to its lock or to the highest clock counts as equal */
    const bool locked = row->lock_hz < near * g->clock_max_hz && !(row->clock_hz < near * row->lock_hz);
    return wsk_calibrate_keeps_limit(g, ops, row) && !locked;
}

bool wsk_calibrate_may_have_bound(const wsk_gpu_params *g, const wsk_gpu_ops *ops, const wsk_calibrate_row *rows,
                                  size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (wsk_calibrate_may_bind(g, ops, &rows[i]))
            return true;
    return false;
}

bool wsk_calibrate_impossible(const wsk_gpu_params *g, const wsk_calibrate_row *r, wsk_calibration *out)
{
    const double most_w = 2 * g->limit_max_w, least_w = 0.2 * g->idle_w, least_hz = 0.25 * g->clock_min_hz,
                 most_hz = 2 * g->clock_max_hz;
    const double of[WSK_ROW_VALUES][3] = {[WSK_ROW_LIMIT] = {r->limit_w, least_w, most_w},
                                          [WSK_ROW_LOCK] = {r->lock_hz, least_hz, most_hz},
                                          [WSK_ROW_DRAWN] = {r->drawn_w, least_w, most_w},
                                          [WSK_ROW_CLOCK] = {r->clock_hz, least_hz, most_hz},
                                          [WSK_ROW_WORK] = {r->work, 1e-30, 1e30},
                                          [WSK_ROW_DIE] = {r->die_k, WSK_KELVIN - 50, WSK_KELVIN + 150}};
    for (int v = 0; v < WSK_ROW_VALUES; v++)
        if (!isnan(of[v][0]) && !(of[v][0] >= of[v][1] && of[v][0] <= of[v][2])) {
            out->impossible = (wsk_row_value)v;
            out->possible_from = of[v][1];
            out->possible_to = of[v][2];
            return true;
        }
    out->impossible = WSK_ROW_VALUES;
    return isnan(r->limit_w) && isnan(r->lock_hz) && isnan(r->drawn_w);
}

void wsk_calibrate_open_pauses(const wsk_gpu_params *g, const wsk_gpu_ops *ops, const wsk_gpu_class *cls,
                               const wsk_calibrate_row *rows, size_t count, wsk_calibration *fit)
{
    bool drawn = false, as_limit = false; /* as_limit: a row states its power alone, which then was its limit */
    for (size_t i = 0; i < count; i++) {
        drawn = drawn || !isnan(rows[i].drawn_w);
        as_limit = as_limit || (isnan(rows[i].limit_w) && isnan(rows[i].lock_hz));
    }
    if (drawn && !as_limit && !(cls->long_pause > 0) && !cls->pauses_stated &&
        !wsk_calibrate_may_have_bound(g, ops, rows, count))
        fit->values[fit->count++] =
            (wsk_calibrated){.name = "duty", .value = 1, .spread = unseen_sd, .prior = 1, .prior_spread = unseen_sd};
}
