/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/api.h"
#include "sim/base/said.h"
#include "sim/control/control.h"
#include "sim/study/check/check.h"
#include "sim/study/export/export.h"
#include "sim/study/spread/spread.h"

wsk_status wsk_rig_check(const wsk_rig *rig, bool sources, wsk_findings **out)
{
    *out = NULL;
    if (!rig->net)
        return WSK_EINPUT;
    wsk_findings *f = wsk_findings_new();
    if (f)
        (sources ? wsk_check_sources : wsk_check_report)(rig->net, &f->lines);
    return wsk_findings_give(f, out);
}

wsk_status wsk_rig_export(const wsk_rig *rig, wsk_export_format format, double replay_s, char **text)
{
    return wsk_rig_export_page(rig, format, replay_s, NULL, text);
}

wsk_status wsk_rig_export_page(const wsk_rig *rig, wsk_export_format format, double replay_s, const wsk_voice *voice,
                               char **text)
{
    wsk_buf out = {0}, why = {0};
    if (!(replay_s >= 0 && replay_s <= 86400))
        return WSK_EUSAGE;
    if (!rig->net)
        return WSK_EINPUT;
    wsk_status status = wsk_export(rig->net, rig->digest, format == WSK_EXPORT_JSON, replay_s, voice, &out, &why);
    if (status == WSK_OK) {
        wsk_buf_free(&why);
        return wsk_give(&out, true, text);
    }
    wsk_buf_free(&out);
    if (wsk_give(&why, true, text) != WSK_OK)
        *text = NULL;
    return status;
}

wsk_status wsk_rig_spread(const wsk_rig *rig, wsk_stepper stepper, char **json)
{
    if (!rig->net)
        return WSK_EINPUT;
    wsk_arena *arena = wsk_arena_new();
    wsk_spreads s;
    wsk_buf b = {0};
    wsk_status status = arena ? wsk_spreads_solve(&s, arena, rig->net, stepper) : WSK_ENOMEM;
    if (status == WSK_OK) {
        wsk_spreads_json(&s, &b);
        status = wsk_give(&b, true, json);
    }
    wsk_arena_free(arena);
    return status;
}

struct wsk_uncertainty {
    wsk_spreads spreads;
};

wsk_status wsk_rig_uncertainty(wsk_uncertainty **out, const wsk_rig *rig, wsk_stepper stepper)
{
    *out = NULL;
    if (!rig->net)
        return WSK_EINPUT;
    wsk_arena *arena = wsk_arena_new();
    wsk_uncertainty *u = arena ? wsk_alloc(arena, sizeof *u) : NULL;
    const wsk_spread_how over_a_day = {.over_s = 86400};
    wsk_status status = u ? wsk_spreads_solve_with(&u->spreads, arena, rig->net, stepper, &over_a_day) : WSK_ENOMEM;
    if (status == WSK_OK)
        *out = u;
    else
        wsk_arena_free(arena);
    return status;
}

void wsk_uncertainty_free(wsk_uncertainty *u)
{
    if (u)
        wsk_arena_free(u->spreads.arena);
}

size_t wsk_uncertainty_sources(const wsk_uncertainty *u)
{
    return (size_t)u->spreads.n_source;
}

static wsk_uncertainty_effects effects_of(const wsk_effects *e)
{
    return (wsk_uncertainty_effects){e->site_rel, e->work_rel, e->die_k, e->noise_db, e->wall_rel};
}

void wsk_uncertainty_get(const wsk_uncertainty *u, size_t i, wsk_uncertainty_source *out)
{
    const wsk_spread_source *s = &u->spreads.sources[i];
    *out = (wsk_uncertainty_source){.key = s->key,
                                    .text = s->text,
                                    .where = s->where,
                                    .why = s->why,
                                    .spread = s->spread,
                                    .site_rel = s->mean.site_rel,
                                    .work_rel = s->mean.work_rel,
                                    .die_k = s->mean.die_k,
                                    .noise_db = s->mean.noise_db,
                                    .purchase = s->purchase,
                                    .name = s->name,
                                    .lowered = effects_of(&s->lowered),
                                    .raised = effects_of(&s->raised)};
}

void wsk_uncertainty_total(const wsk_uncertainty *u, wsk_uncertainty_effects *below, wsk_uncertainty_effects *above)
{
    *below = effects_of(&u->spreads.below);
    *above = effects_of(&u->spreads.above);
}

_Static_assert(WSK_FAN_POINTS == WSK_CURVE_MAX, "a curve fits into what wsk_rig_fan_curve fills");

/* count 0: no card or fan with this id has a fan curve. *unit_rpm: the speed, rpm, for which the curve's y is 1: 1 for
 * a card, whose y is in rpm. */
static wsk_curve find_fan_curve(const wsk_net *net, const char *id, double *full_rpm, double *unit_rpm)
{
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        if (c->mover >= 0 && isnan(c->pin_rpm) && strcmp(c->id, id) == 0) {
            *full_rpm = c->rpm_max;
            *unit_rpm = 1;
            return wsk_card_curve(c);
        }
    }
    for (int i = 0; i < net->n_mover; i++) {
        const wsk_mover *m = &net->movers[i];
        if (m->control && strcmp(m->name, id) == 0) {
            *full_rpm = *unit_rpm = m->ref_rpm;
            return *wsk_mover_curve(m->control);
        }
    }
    return (wsk_curve){.count = 0};
}

int wsk_rig_fan_curve(const wsk_rig *rig, const char *id, double temp_c[WSK_FAN_POINTS], double share[WSK_FAN_POINTS],
                      double *full_rpm)
{
    double unit_rpm = 1;
    *full_rpm = 0;
    const wsk_curve curve = rig->net ? find_fan_curve(rig->net, id, full_rpm, &unit_rpm) : (wsk_curve){.count = 0};
    for (int i = 0; i < curve.count; i++) {
        temp_c[i] = curve.x[i] - WSK_KELVIN;
        share[i] = curve.y[i] * unit_rpm / *full_rpm;
    }
    return curve.count;
}
