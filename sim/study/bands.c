/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges of the results of a run from the errors of its inputs. Theory: docs/theory/uncertainty.md */
#include "sim/study/bands.h"

#include <math.h>
#include <string.h>

#include "sim/results/summary.h"
#include "sim/study/check.h"
#include "sim/study/spread.h"

static double width_of(const wsk_spread_source *src)
{
    return src->lost_up - src->lost_down;
}

static bool is_doubtful(const wsk_run *run)
{
    for (int i = 0; i < run->net->n_card; i++)
        if (run->cards[i].off || wsk_heat_throttle_s(&run->cards[i]) > 0.001 * wsk_window_s(run))
            return true;
    return run->head->shutdowns > 0;
}

static void take(const wsk_spreads *s, wsk_bands *out)
{
    const wsk_spread_source *most = NULL;
    for (int i = 0; i < s->n_source; i++)
        if (width_of(&s->sources[i]) > (most ? width_of(most) : 1e-3))
            most = &s->sources[i];
    *out = (wsk_bands){.lost_down = s->lost_down,
                       .lost_up = s->lost_up,
                       .die_k = s->die_k,
                       .wall_rel = s->wall_rel,
                       .site_rel = s->site_rel,
                       .throttles = s->throttles};
    if (most) {
        out->source = most->name;
        out->half = most->half;
        out->thickness = strstr(most->key, "thickness") != NULL;
    }
}

wsk_status wsk_bands_find(wsk_run *run, bool always)
{
    wsk_spreads s;
    if (run->bands || !run->net->n_card || (!always && !is_doubtful(run)))
        return WSK_OK;
    wsk_bands *bands = wsk_alloc(run->arena, sizeof *bands);
    wsk_status status = bands ? wsk_spreads_solve(&s, run->arena, run->net, WSK_STEPPER_FAST) : WSK_ENOMEM;
    if (status != WSK_OK) /* a rig without a steady point has results without a band */
        return status == WSK_ENOMEM ? status : WSK_OK;
    take(&s, bands);
    run->bands = bands;
    return WSK_OK;
}

/* Share of the throughput between 0 and 1. */
static double share(double v)
{
    return isnan(v) ? v : fmin(fmax(v, 0), 1);
}

void wsk_bands_fill(wsk_summary *s, const wsk_run *run, wsk_arena *arena)
{
    const wsk_bands *b = run->bands;
    if (!b)
        return;
    const double lost = share(wsk_summary_number(s, WSK_R_LOST, 0));
    wsk_said_list source = {.arena = arena};
    wsk_summary_set_number(s, WSK_R_LOST_LOW, 0, share(lost + b->lost_down));
    wsk_summary_set_number(s, WSK_R_LOST_HIGH, 0, share(lost + b->lost_up));
    wsk_summary_set_number(s, WSK_R_DIE_SPREAD, 0, b->die_k);
    wsk_summary_set_number(s, WSK_R_WALL_SPREAD, 0,
                           b->wall_rel * wsk_summary_number(s, WSK_R_WALL_KWH, 0) * 3.6e6 /
                               wsk_summary_number(s, WSK_R_SIMULATED, 0));
    wsk_summary_set_number(s, WSK_R_ANNUAL_SPREAD, 0, b->site_rel * wsk_summary_number(s, WSK_R_ANNUAL, 0));
    wsk_summary_set_number(s, WSK_R_THROTTLE_CHANCE, 0, b->throttles);
    if (!b->source)
        return;
    wsk_said_add(&source, WSK_SAID(WSK_SAY_BAND_SOURCE, b->source, b->half));
    if (b->thickness)
        wsk_said_add(&source, WSK_SAID(WSK_SAY_BAND_LEAVE_SLOT));
    if (source.failed)
        wsk_summary_fail(s);
    else
        wsk_summary_set_messages(s, WSK_R_BAND_PARTS, 0, source.items, source.count);
}
