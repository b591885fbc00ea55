/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api.h"
#include "sim/study/calibrate/calibrate.h"
#include "sim/study/calibrate/calibrated.h"
#include "sim/study/calibrate/electrical.h"
#include "sim/study/calibrate/fan_fit.h"
#include "sim/study/calibrate/thermal.h"
#include "sim/study/calibrate/wall.h"

/* Returns NULL, with the reason in *status, if the rig has mistakes or there is no such card. */
static const wsk_card *find(const wsk_rig *rig, size_t card, wsk_status *status)
{
    *status = !rig->net ? WSK_EINPUT : card < (size_t)rig->net->n_card ? WSK_OK : WSK_EUSAGE;
    return *status == WSK_OK ? &rig->net->cards[card] : NULL;
}

const wsk_said *wsk_calibrate_refusal(const wsk_rig *rig, size_t card)
{
    wsk_status status;
    const wsk_card *c = find(rig, card, &status);
    return c ? wsk_calibrate_refuses(rig->net, c) : NULL;
}

wsk_status wsk_calibrate_sweep(const wsk_rig *rig, size_t card, const wsk_calibrate_row *rows, size_t count,
                               wsk_calibration *out)
{
    wsk_status status;
    const wsk_card *c = find(rig, card, &status);
    if (!c)
        return status;
    if (wsk_calibrate_refuses(rig->net, c))
        return WSK_EUSAGE;
    status = wsk_calibrate_card(c->gpu, c->ops, &c->cls, rows, count, out);
    if (status == WSK_OK)
        wsk_calibrate_open_pauses(c->gpu, c->ops, &c->cls, rows, count, out);
    return status;
}

wsk_status wsk_calibrate_predict(const wsk_rig *rig, size_t card, const wsk_calibration *fit,
                                 const wsk_calibrate_row *row, wsk_calibrate_row *out)
{
    wsk_status status;
    const wsk_card *c = find(rig, card, &status);
    if (!c)
        return status;
    wsk_calibration unused;
    if (wsk_calibrate_refuses(rig->net, c) || wsk_calibrate_impossible(c->gpu, row, &unused))
        return WSK_EUSAGE;
    wsk_calibrate_row_of(c->gpu, c->ops, &c->cls, fit, row, out);
    return WSK_OK;
}

/* Sets out[i].refused. WSK_EUSAGE: there is no trace, or one is refused, names no card of the rig, or names the card
 * of another trace. WSK_EINPUT: the rig has mistakes. */
static wsk_status check_traces(const wsk_rig *rig, const wsk_calibrate_trace *traces, size_t count, wsk_log_fit *out)
{
    wsk_status status = count ? WSK_OK : WSK_EUSAGE;
    for (size_t i = 0; i < count; i++) {
        wsk_status found;
        out[i] = (wsk_log_fit){.skill_stays = NAN, .skill_line = NAN};
        if (!find(rig, traces[i].card, &found))
            return found;
        out[i].refused = wsk_thermal_refuses(&traces[i]);
        for (size_t k = 0; k < i; k++)
            status = traces[k].card == traces[i].card ? WSK_EUSAGE : status;
        status = out[i].refused ? WSK_EUSAGE : status;
    }
    return status;
}

struct wsk_log_curves {
    wsk_arena *arena;
    wsk_log_curve *of;
};

const wsk_log_curve *wsk_log_curves_of(const wsk_log_curves *curves, size_t trace)
{
    return &curves->of[trace];
}

void wsk_log_curves_free(wsk_log_curves *curves)
{
    if (curves)
        wsk_arena_free(curves->arena);
}

static wsk_log_curves *make_curves(size_t count)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_log_curves *out = arena ? wsk_alloc(arena, sizeof *out) : NULL;
    if (out)
        *out = (wsk_log_curves){arena, wsk_alloc(arena, count * sizeof *out->of)};
    if (!out || !out->of)
        wsk_arena_free(arena);
    return out && out->of ? out : NULL;
}

static wsk_status fit_fan(const wsk_thermal *th, int i, const wsk_calibrate_trace *trace, int held, wsk_log_fan *out)
{
    const wsk_card *c = &th->net->cards[trace->card];
    const bool own = c->mover >= 0 && th->net->movers[c->mover].control == NULL;
    return wsk_fan_fit(c, own, trace, th->parts[i].x[WSK_TH_DELAY], held * th->log->bin_s, out);
}

/* A goal is a quantity that the fitted rig should predict. For each goal: its uncertainty now, and the uncertainty that
 * each possible next recording would leave; NAN: not known. */
static wsk_status find_next(const wsk_thermal *th, int i, const wsk_thermal_fit *fit, wsk_log_fit *out)
{
    for (int goal = 0; goal < WSK_GOALS; goal++) {
        out->now[goal] = NAN;
        for (int which = 0; which < WSK_NEXTS; which++)
            out->then[goal][which] = NAN;
    }
    wsk_status status = wsk_thermal_next(th, i, fit, out);
    if (status == WSK_OK)
        status = wsk_electrical_next(th, i, out);
    out->now_k = out->now[WSK_GOAL_TEMPERATURE];
    memcpy(out->then_k, out->then[WSK_GOAL_TEMPERATURE], sizeof out->then_k);
    return status;
}

/* Fits to the bins of the log before `held`, judges that fit by the other bins, then fits to all bins. curves: receives
 * the curves of the judged fit, or NULL. */
static wsk_status fit_log(wsk_thermal *th, const wsk_calibrate_trace *traces, int held, wsk_thermal_fit *fits,
                          wsk_log_fit *out, wsk_log_curves *curves)
{
    double *sd_k = wsk_alloc(th->arena, (size_t)(th->log->bins + 1) * sizeof *sd_k);
    wsk_status status = sd_k ? wsk_thermal_fit_all(th, held, fits) : WSK_ENOMEM;
    for (int i = 0; i < th->log->count && status == WSK_OK; i++) {
        status = wsk_thermal_doubt(th, i, held, &fits[i], sd_k);
        if (status == WSK_OK)
            wsk_thermal_judge(th, i, held, sd_k, &out[i]);
        if (status == WSK_OK && curves && !wsk_thermal_curve(th, i, sd_k, curves->arena, &curves->of[i]))
            status = WSK_ENOMEM;
    }
    if (status == WSK_OK && held < th->log->bins)
        status = wsk_thermal_fit_all(th, th->log->bins, fits);
    if (status == WSK_OK)
        status = wsk_thermal_doubt_all(th, fits);
    for (int i = 0; i < th->log->count && status == WSK_OK; i++) {
        wsk_thermal_tell(th, i, &fits[i], &out[i].fit);
        out[i].samples = fits[i].samples;
        out[i].together = fits[i].together;
        out[i].residual_k = fits[i].residual_k;
        out[i].one_power = wsk_thermal_one_power(th, i);
        out[i].hottest_k = wsk_thermal_hottest_k(th, i);
        out[i].shutdown_k = th->net->cards[th->log->cards[i].card].gpu->shutdown_k;
        status = wsk_electrical_fit(th, i, held, &out[i].electrical);
        if (status == WSK_OK)
            status = fit_fan(th, i, &traces[i], held, &out[i].fan);
        if (status == WSK_OK)
            status = find_next(th, i, &fits[i], &out[i]);
    }
    return status;
}

wsk_status wsk_calibrate_log(const wsk_rig *rig, const wsk_calibrate_trace *traces, size_t count, double holdout,
                             wsk_log_fit *out, wsk_log_curves **curves)
{
    wsk_log_curves *kept = NULL;
    const double share = isnan(holdout) ? 0.4 : holdout;
    wsk_status status = check_traces(rig, traces, count, out);
    if (status != WSK_OK || !(share >= 0 && share <= 0.9))
        return status != WSK_OK ? status : WSK_EUSAGE;
    wsk_arena *arena = wsk_arena_new();
    wsk_thermal_log log;
    wsk_thermal th;
    wsk_thermal_fit *fits = arena ? wsk_alloc(arena, count * sizeof *fits) : NULL;
    status = fits && wsk_thermal_bins(&log, arena, rig->net, traces, (int)count) ? WSK_OK : WSK_ENOMEM;
    if (status == WSK_OK)
        status = wsk_thermal_make(&th, arena, rig->net, &log);
    if (status == WSK_OK && curves && !(kept = make_curves(count)))
        status = WSK_ENOMEM;
    if (status == WSK_OK)
        status = fit_log(&th, traces, (int)((1 - share) * log.bins + 0.5), fits, out, kept);
    for (size_t i = 0; i < count; i++)
        out[i].power_modelled = !traces[i].power.count, out[i].from_hot_spot = !traces[i].die.count,
        out[i].room_free = isnan(rig->net->room_params->temp_k);
    if (status == WSK_OK && curves)
        *curves = kept;
    else
        wsk_log_curves_free(kept);
    wsk_arena_free(arena);
    return status;
}

static double step_s(const wsk_readings *r)
{
    return r->count > 1 ? (r->t_s[r->count - 1] - r->t_s[0]) / (double)(r->count - 1) : 0;
}

wsk_status wsk_calibrate_wall(const wsk_rig *rig, const wsk_calibrate_trace *traces, size_t count,
                              const wsk_readings *wall, double after_s, double holdout, wsk_wall_fit *out)
{
    const double share = isnan(holdout) ? 0.4 : holdout;
    wsk_log_fit *unused = calloc(count + 1, sizeof *unused);
    wsk_status status = unused ? check_traces(rig, traces, count, unused) : WSK_ENOMEM;
    free(unused);
    *out = (wsk_wall_fit){.refused = status == WSK_OK ? wsk_wall_refuses(rig->net) : NULL};
    if (status != WSK_OK || out->refused || !(share >= 0 && share <= 0.9) || isinf(after_s))
        return status != WSK_OK ? status : WSK_EUSAGE;
    wsk_arena *arena = wsk_arena_new();
    wsk_thermal_log log;
    wsk_thermal th;
    status = arena && wsk_thermal_bins(&log, arena, rig->net, traces, (int)count) ? WSK_OK : WSK_ENOMEM;
    if (status == WSK_OK)
        status = wsk_thermal_make(&th, arena, rig->net, &log);
    if (status == WSK_OK) {
        const size_t each = rig->net->n_supply ? (size_t)rig->net->n_supply : 1;
        th.dc_w = wsk_alloc(arena, (size_t)log.bins * each * sizeof *th.dc_w);
        status = th.dc_w ? wsk_thermal_open(&th) : WSK_ENOMEM;
    }
    if (status == WSK_OK)
        status = wsk_thermal_replay(&th, 0);
    if (status == WSK_OK)
        status =
            wsk_wall_fit_all(rig->net, arena, &log, th.dc_w, wall, after_s, (1 - share) * log.bins * log.bin_s, out);
    for (size_t i = 0; i < count; i++)
        out->power_modelled = out->power_modelled || !traces[i].power.count;
    /* a meter averages or samples at an unknown time since its last reading: uniform distribution, variance interval^2
     * / 12 */
    const double ours_s = step_s(traces[0].power.count ? &traces[0].power : &traces[0].clock), its_s = step_s(wall);
    out->begins_sd_s = sqrt(out->begins_sd_s * out->begins_sd_s + (ours_s * ours_s + its_s * its_s) / 12);
    wsk_arena_free(arena);
    return status;
}

size_t wsk_rig_cards(const wsk_rig *rig)
{
    return rig->net ? (size_t)rig->net->n_card : 0;
}

const char *wsk_rig_card(const wsk_rig *rig, size_t card, const char **part)
{
    wsk_status status;
    const wsk_card *c = find(rig, card, &status);
    *part = c ? c->elem->part : NULL;
    return c ? c->id : NULL;
}

/* The caller frees *plan, which is NULL unless WSK_OK is returned. */
static wsk_status load_calibrated(const wsk_rig *rig, const wsk_calibrated_card *cards, size_t count, wsk_plan **plan)
{
    wsk_status status = WSK_OK;
    *plan = NULL;
    for (size_t i = 0; i < count && status == WSK_OK; i++)
        find(rig, cards[i].card, &status);
    if (status == WSK_OK)
        status = wsk_calibrated_plan(rig->net, &rig->input, cards, count, plan);
    return status;
}

wsk_status wsk_rig_calibrated(const wsk_rig *rig, const wsk_calibrated_card *cards, size_t count, char **text)
{
    wsk_plan *plan;
    wsk_buf b = {0};
    wsk_status status = load_calibrated(rig, cards, count, &plan);
    if (status == WSK_OK) {
        wsk_plan_write_resolved(plan, &b);
        status = wsk_give(&b, true, text);
    }
    wsk_plan_free(plan);
    return status;
}

static void name_part(const wsk_card *c, wsk_buf *out)
{
    const char *part = c->elem->part, *name = part && strchr(part, '/') ? strchr(part, '/') + 1 : part;
    wsk_buf_printf(out, "gpu/%s%s%s", name ? name : "", name ? "-" : "", c->id);
}

wsk_status wsk_rig_calibrated_part(const wsk_rig *rig, const wsk_calibrated_card *cards, size_t count, size_t card,
                                   char **id, char **text)
{
    wsk_plan *plan = NULL;
    wsk_buf name = {0}, b = {0};
    wsk_status status;
    const wsk_card *c = find(rig, card, &status);
    *id = *text = NULL;
    if (c)
        status = load_calibrated(rig, cards, count, &plan);
    if (status == WSK_OK) {
        const wsk_elem *gpu = wsk_plan_gpu(plan->rig, c->id);
        wsk_plan_write_part(gpu, wsk_printf(plan->arena, "%s, calibrated", gpu->title ? gpu->title : gpu->id), &b);
        name_part(c, &name);
        status = wsk_give(&b, !wsk_arena_failed(plan->arena), text);
        const wsk_status named = wsk_give(&name, true, id);
        status = status == WSK_OK ? named : status;
    }
    wsk_plan_free(plan);
    return status;
}
