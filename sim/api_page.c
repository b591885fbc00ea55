/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/api.h"
#include "sim/control/run.h"
#include "sim/results/results.h"
#include "sim/step/step.h"
#include "sim/study/study.h"

wsk_status wsk_rig_advice(const wsk_rig *rig, char **text)
{
    return wsk_run_advice(rig, NULL, text);
}

wsk_status wsk_run_advice(const wsk_rig *rig, const wsk_run *run, char **text)
{
    wsk_buf b = {0};
    wsk_advice advice;
    wsk_page page = {.arena = wsk_arena_new()};
    wsk_status status = !page.arena ? WSK_ENOMEM
                        : rig->net  ? wsk_advise(page.arena, rig->net, run, &rig->input, NULL, &advice)
                                    : WSK_EINPUT;
    if (status == WSK_OK) {
        wsk_page_advice(&page, &advice);
        wsk_page_write(&page, NULL, &b);
    }
    wsk_arena_free(page.arena);
    return status == WSK_OK ? wsk_give(&b, true, text) : status;
}

static wsk_status summarize(wsk_summary **out, const wsk_run *run, const wsk_result_kind *kind, double wall_clock_s)
{
    wsk_status status = wsk_summary_new(out);
    if (status != WSK_OK)
        return status;
    wsk_results_gather(*out, run, kind, wall_clock_s);
    if (!wsk_summary_failed(*out))
        wsk_study_fill(*out, run);
    if (!wsk_summary_failed(*out))
        return WSK_OK;
    wsk_summary_free(*out);
    *out = NULL;
    return WSK_ENOMEM;
}

wsk_status wsk_run_summary(wsk_summary **out, const wsk_run *run, double wall_clock_s)
{
    return summarize(out, run, NULL, wall_clock_s);
}

static wsk_status give_page(const wsk_run *run, const wsk_summary *summary, const wsk_result_kind *kind,
                            const wsk_voice *voice, char **text)
{
    wsk_buf b = {0};
    wsk_page page = {.arena = wsk_arena_new()};
    if (!page.arena)
        return WSK_ENOMEM;
    wsk_page_fill(&page, run, summary, kind);
    wsk_page_write(&page, voice, &b);
    b.failed = b.failed || wsk_arena_failed(page.arena);
    wsk_arena_free(page.arena);
    return wsk_give(&b, true, text);
}

wsk_status wsk_run_page(const wsk_run *run, const wsk_voice *voice, char **text)
{
    wsk_summary *summary;
    wsk_status status = summarize(&summary, run, NULL, 0);
    if (status == WSK_OK)
        status = give_page(run, summary, NULL, voice, text);
    wsk_summary_free(summary);
    return status;
}

wsk_status wsk_summary_json(const wsk_summary *summary, char **text)
{
    wsk_buf b = {0};
    wsk_summary_write(summary, &b);
    return wsk_give(&b, true, text);
}

wsk_status wsk_summaries_json(const wsk_summary *const *cases, size_t count, char **text)
{
    wsk_buf b = {0};
    wsk_summaries_write(cases, count, &b);
    return wsk_give(&b, true, text);
}

wsk_status wsk_run_summary_json(const wsk_run *run, double wall_clock_s, char **text)
{
    wsk_summary *s;
    wsk_status status = wsk_run_summary(&s, run, wall_clock_s);
    if (status == WSK_OK)
        status = wsk_summary_json(s, text);
    wsk_summary_free(s);
    return status;
}

wsk_status wsk_run_summary_text(const wsk_run *run, char **text)
{
    return wsk_run_page(run, NULL, text);
}

/* *text receives the reason why there is no steady point. If the run has no error, *text is not changed; when out of
 * memory it is set to NULL. */
static void give_reason(const wsk_run *run, const wsk_voice *voice, char **text)
{
    wsk_buf why = {0};
    if (!text || !run || !run->failure)
        return;
    wsk_page_said(run->failure, voice, &why);
    if (wsk_give(&why, true, text) != WSK_OK)
        *text = NULL;
}

static wsk_status study_point(const wsk_rig *rig, wsk_run *run, unsigned with)
{
    wsk_status status = with & WSK_POINT_RANGES ? wsk_bands_find(run) : WSK_OK;
    wsk_advice *advice = status == WSK_OK && with & WSK_POINT_ADVICE ? wsk_alloc(run->arena, sizeof *advice) : NULL;
    if (status != WSK_OK || !(with & WSK_POINT_ADVICE))
        return status;
    status = advice ? wsk_advise(run->arena, rig->net, run, &rig->input, NULL, advice) : WSK_ENOMEM;
    run->advice = status == WSK_OK ? advice : NULL;
    return status;
}

/* *text receives the page of the steady point if `page` is set; if there is no steady point, *text receives the
 * reason. */
static wsk_status solve_steady(wsk_summary **out, const wsk_rig *rig, wsk_stepper stepper, unsigned with,
                               double spent_s, const wsk_voice *voice, bool page, char **text)
{
    wsk_run *run = NULL;
    wsk_result_kind kind = {.steady = true};
    double began = wsk_clock();
    *out = NULL;
    if (!rig->net)
        return WSK_EINPUT;
    wsk_arena *arena = wsk_arena_new();
    double *band = arena ? wsk_alloc(arena, ((size_t)rig->net->n_card + 1) * sizeof *band) : NULL;
    wsk_status status =
        band ? wsk_steady_solve(&run, rig->net, stepper, &kind.cycling, band, &kind.drift_k) : WSK_ENOMEM;
    kind.band_k = band;
    if (status == WSK_OK)
        status = study_point(rig, run, with);
    if (status == WSK_OK) {
        status = summarize(out, run, &kind, spent_s + (wsk_clock() - began));
        if (status == WSK_OK && page && text)
            status = give_page(run, *out, &kind, voice, text);
        if (status != WSK_OK) {
            wsk_summary_free(*out);
            *out = NULL;
        }
    } else {
        give_reason(run, voice, text);
    }
    wsk_run_free(run);
    wsk_arena_free(arena);
    return status;
}

wsk_status wsk_steady_summary(wsk_summary **out, const wsk_rig *rig, wsk_stepper stepper, double spent_s, char **text)
{
    return solve_steady(out, rig, stepper, WSK_POINT_RANGES, spent_s, NULL, true, text);
}

wsk_status wsk_steady_point(wsk_summary **out, const wsk_rig *rig, wsk_stepper stepper, unsigned with,
                            const wsk_voice *voice, char **why)
{
    return solve_steady(out, rig, stepper, with, 0, voice, false, why);
}

wsk_status wsk_steady_page(const wsk_rig *rig, wsk_stepper stepper, double spent_s, const wsk_voice *voice,
                           char **json, char **text)
{
    wsk_summary *s;
    wsk_status status = solve_steady(&s, rig, stepper, WSK_POINT_RANGES, spent_s, voice, true, text);
    if (status == WSK_OK && json && (status = wsk_summary_json(s, json)) != WSK_OK && text) {
        wsk_text_free(*text);
        *text = NULL;
    }
    wsk_summary_free(s);
    return status;
}
