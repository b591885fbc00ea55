/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/net/compile.h"

#include <math.h>
#include <string.h>

#include "sim/base/calendar.h"

static void check_zone(wsk_build *b)
{
    /* Time zones with large populations, from which the hint "did you mean" is chosen; the system knows hundreds of
     * zones. */
    static const char *const usual[] = {"UTC",
                                        "Europe/London",
                                        "Europe/Berlin",
                                        "Europe/Paris",
                                        "Europe/Madrid",
                                        "Europe/Rome",
                                        "Europe/Warsaw",
                                        "Europe/Amsterdam",
                                        "Europe/Stockholm",
                                        "Europe/Zurich",
                                        "Europe/Vienna",
                                        "Europe/Kyiv",
                                        "Europe/Istanbul",
                                        "America/New_York",
                                        "America/Chicago",
                                        "America/Denver",
                                        "America/Los_Angeles",
                                        "America/Toronto",
                                        "America/Vancouver",
                                        "America/Mexico_City",
                                        "America/Sao_Paulo",
                                        "America/Phoenix",
                                        "Asia/Tokyo",
                                        "Asia/Seoul",
                                        "Asia/Shanghai",
                                        "Asia/Hong_Kong",
                                        "Asia/Taipei",
                                        "Asia/Singapore",
                                        "Asia/Kolkata",
                                        "Asia/Dubai",
                                        "Asia/Jakarta",
                                        "Asia/Jerusalem",
                                        "Australia/Sydney",
                                        "Australia/Perth",
                                        "Pacific/Auckland",
                                        "Africa/Johannesburg",
                                        "Africa/Lagos",
                                        "Africa/Cairo",
                                        NULL};
    const wsk_runspec_params *r = b->net->runspec;
    if (b->plan->zone_read != WSK_ZONE_UNKNOWN || !r->zone)
        return;
    char name[64];
    snprintf(name, sizeof name, "%s", r->zone);
    for (char *c = name; *c; c++)
        *c = *c == ' ' ? '_' : *c; /* New York is New_York */
    const char *near = wsk_nearest(name, usual);
    /* finds a city that is written without its continent, such as "Berlin" */
    for (size_t i = 0; !near && usual[i]; i++) {
        const char *city = strrchr(usual[i], '/');
        near = city && wsk_distance(city + 1, name) == 0 ? usual[i] : NULL;
    }
    wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, r->head.elem, "zone",
                  WSK_SAID(WSK_SAY_ZONE_UNKNOWN, r->zone, near ? WSK_SAID(WSK_SAY_MEANT, near) : NULL));
}

/* Warns of a start in the hour that the clocks skip in spring. */
static void check_start(wsk_build *b)
{
    const wsk_runspec_params *r = b->net->runspec;
    const wsk_zone *zone = b->plan->zone;
    if (!zone || isnan(r->from_s))
        return;
    const int64_t civil_s = (int64_t)r->from_s, utc_s = wsk_zone_utc(zone, civil_s),
                  shown_s = utc_s + wsk_zone_offset(zone, utc_s, NULL);
    char stated[24], shown[24];
    wsk_format_datetime(stated, civil_s);
    wsk_format_datetime(shown, shown_s);
    if (shown_s != civil_s)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, r->head.elem, "from",
                      WSK_SAID(WSK_SAY_START_SKIPPED, stated, r->zone, shown));
}

static bool is_written(const wsk_elem *e, const char *name)
{
    const wsk_origin *o = wsk_elem_origin(e, name);
    return o && o->text && (o->from == WSK_FROM_RIG || o->from == WSK_FROM_SET);
}

/* Warns of attributes that do nothing without another one. */
static void check_needed(wsk_build *b, const wsk_elem *e)
{
    static const struct {
        const char *name, *needs, *as; /* as: the value that it needs; NULL: any that is not "none" */
    } pairs[] = {{"curve", "sensor", NULL},
                 {"load-curve", "sensor", "gpu"},
                 {"hysteresis", "sensor", NULL},
                 {"period", "sensor", NULL},
                 {"minimum", "sensor", NULL},
                 {"fails", "fails-at", NULL},
                 {"side-area", "side-panel", "open"},
                 {"restart-takes", "mtbf", NULL},
                 {"evaluate-takes", "evaluate-every", NULL},
                 {"micro-batches", "parallel", "pipeline"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const wsk_origin *o = wsk_elem_origin(e, pairs[i].needs);
        const char *as = pairs[i].as;
        if (!o || !is_written(e, pairs[i].name) ||
            (o->text && strcmp(o->text, "none") != 0 && (!as || strcmp(o->text, as) == 0)))
            continue;
        const char *needed = as ? wsk_printf(b->plan->arena, "%s=\"%s\"", pairs[i].needs, as) : pairs[i].needs;
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, e, pairs[i].name,
                      WSK_SAID(WSK_SAY_NO_EFFECT_WITHOUT, pairs[i].name, needed));
    }
    for (const wsk_elem *c = e->child; c; c = c->next)
        check_needed(b, c);
}

/* Checks values of fans and pumps that contradict each other. */
static void check_movers(wsk_build *b, const wsk_elem *e)
{
    static const wsk_order_rule rules[] = {{"fails", "count", WSK_DIAG_ERROR}, {NULL, NULL, WSK_DIAG_ERROR}};
    const bool fan = strcmp(e->kind->element, "fan") == 0;
    if (fan)
        wsk_check_order(b, e, rules);
    if ((fan || strcmp(e->kind->element, "pump") == 0) && is_written(e, "speed") && is_written(e, "duty"))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, e, "duty",
                      WSK_SAID(WSK_SAY_OVERRIDDEN, "duty", "speed", e->id));
    for (const wsk_elem *c = e->child; c; c = c->next)
        check_movers(b, c);
}

/* Checks settings of the cards' own fans. */
static void check_card_fans(wsk_build *b)
{
    for (int i = 0; i < b->net->n_card; i++) {
        const wsk_card *c = &b->net->cards[i];
        const wsk_elem *cooler = c->cooler->head.elem;
        const char *highest = isnan(c->cooler->rpm_max) ? "fan-rpm" : "rpm-max";
        if (c->gpu->pin_fan && !wsk_fan_can_fail(c))
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, c->elem, "fan", WSK_SAID(WSK_SAY_NO_FAN_TO_PIN, c->id));
        if (wsk_ducted(c) && c->cooler->intake)
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, cooler, "intake",
                          WSK_SAID(WSK_SAY_NO_EFFECT_WITHOUT, "intake=\"outside\"", "fan-pressure"));
        if (wsk_fan_can_fail(c) && c->rpm_min > c->rpm_max * (1 + 1e-12))
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, cooler, "rpm-min",
                          WSK_SAID(WSK_SAY_ABOVE, "rpm-min", wsk_elem_origin(cooler, "rpm-min")->text, highest,
                                   wsk_elem_origin(cooler, highest)->text));
    }
}

static void check_liquid(wsk_build *b)
{
    for (int i = 0; i < b->net->n_card; i++) {
        const wsk_card *c = &b->net->cards[i];
        const wsk_cooler_ops *style = wsk_style_of(c);
        if (c->gpu->liquid_only && !style->join && !style->circuit)
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, c->elem, NULL, WSK_SAID(WSK_SAY_LIQUID_ONLY, c->id));
    }
}

static void check_vents(wsk_build *b)
{
    for (int i = 0; i < b->net->n_case; i++) {
        const wsk_elem *chassis = b->net->cases[i].elem;
        for (const wsk_elem *e = NULL; b->net->cases[i].open && (e = wsk_elem_child(chassis, "vent", e)) != NULL;)
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, e, NULL,
                          WSK_SAID(WSK_SAY_OVERRIDDEN, e->id, "kind", chassis->id));
    }
}

/* Warns of settings of the air conditioner that have no effect, and if it is so strong that it cools the room through
 * its whole control band within 1 s, the interval at which its power is set: it would switch on and off all the
 * time. */
static void check_conditioner(wsk_build *b)
{
    const wsk_net *net = b->net;
    if (net->ac && !isnan(net->room_params->temp_k))
        wsk_elem_diag(
            &b->plan->diags, WSK_DIAG_WARNING, net->ac->head.elem, NULL,
            WSK_SAID(WSK_SAY_OVERRIDDEN, net->ac->head.elem->id, "temperature", net->room_params->head.elem->id));
    if (net->ac && net->ac->cop_curve.count && is_written(net->ac->head.elem, "cop"))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, net->ac->head.elem, "cop",
                      WSK_SAID(WSK_SAY_OVERRIDDEN, "cop", "cop-curve", net->ac->head.elem->id));
    if (net->ac && !net->nodes[net->room].boundary &&
        net->ac_ops->capacity_w(net->ac, 0) > net->ac->band_k * net->nodes[net->room].cap_j_k)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, net->ac->head.elem, "capacity", WSK_SAID(WSK_SAY_AC_CYCLES));
}

/* Warns if step= is above 1 s: a tick of the simulation (controls act between ticks) is at most 1 s, and a larger
 * step= only sets the interval of the recorded series. */
static void check_step(wsk_build *b)
{
    const wsk_runspec_params *r = b->net->runspec;
    if (r->step_s > 1)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, r->head.elem, "step",
                      WSK_SAID(WSK_SAY_STEP_LONG, r->step_s));
}

/* Warns if swing-low is given without swing-high: the power swing is then not known. */
static void check_swing(wsk_build *b)
{
    const wsk_workload_params *w = b->net->workload;
    if (w && !isnan(w->swing_low) && !(w->swing_high > 1))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, w->head.elem, "swing-low", WSK_SAID(WSK_SAY_SWING_NO_HIGH));
}

static void check_weather(wsk_build *b)
{
    const wsk_net *net = b->net;
    if (net->outdoor_params->file.civil && isnan(net->runspec->from_s))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, net->outdoor_params->head.elem, "file",
                      WSK_SAID(WSK_SAY_WEATHER_DATES));
}

static int clock_of(const wsk_elem *e)
{
    const wsk_param *p = wsk_kind_param(e->kind, "clock");
    return p ? *(const int *)(const void *)((const char *)e->params + p->offset) : WSK_CLOCK_LOCAL;
}

/* First and last second of the run by a clock. The local clock may be changed in between. */
static void span_of_run(const wsk_build *b, int clock, double *first_s, double *last_s)
{
    const wsk_zone *zone = b->plan->zone;
    const double from_s = b->net->runspec->from_s, for_s = b->net->runspec->for_s;
    *first_s = from_s;
    *last_s = from_s + for_s - 1;
    if (!zone || isnan(from_s) || !(for_s < 1e11))
        return;
    const int64_t start = wsk_zone_utc(zone, (int64_t)from_s), end = start + (int64_t)for_s - 1;
    *first_s = (double)(start + (clock == WSK_CLOCK_UTC ? 0 : wsk_zone_offset(zone, start, NULL)));
    *last_s = (double)(end + (clock == WSK_CLOCK_UTC ? 0 : wsk_zone_offset(zone, end, NULL)));
}

/* Warns if a data file of less than about a year does not cover the whole run: the file then repeats, which is
 * rarely intended. */
static void check_dates(wsk_build *b, const wsk_elem *e)
{
    const double whole_year_s = 363 * 86400.0;
    for (const wsk_param *p = e->kind->params; p->name; p++) {
        const wsk_series *s = (const wsk_series *)(const void *)((const char *)e->params + p->offset);
        double first_s, last_s;
        char begins[24], ends[24];
        if (p->type != WSK_TYPE_SERIES || !s->count || !s->civil || s->period_s > whole_year_s)
            continue;
        span_of_run(b, clock_of(e), &first_s, &last_s);
        if (isnan(first_s) || (first_s >= s->t[0] - 1 && last_s <= s->t[0] + s->period_s))
            continue;
        wsk_format_datetime(begins, (int64_t)s->t[0]);
        wsk_format_datetime(ends, (int64_t)s->t[s->count - 1]);
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, e, p->name, WSK_SAID(WSK_SAY_FILE_DATES, begins, ends));
    }
    for (const wsk_elem *c = e->child; c; c = c->next)
        check_dates(b, c);
}

static void check_workers(wsk_build *b)
{
    static const char between[] = " ,\t\n";
    const wsk_net *net = b->net;
    const char *list = net->workload ? net->workload->gpus : NULL;
    if (!list || strcmp(list, "all") == 0 || !net->n_card)
        return;
    const char *s = list + strspn(list, between);
    do { /* an empty list has one name, which is that of no card */
        int len = (int)strcspn(s, between), i = 0;
        while (i < net->n_card && (strncmp(net->cards[i].id, s, (size_t)len) != 0 || net->cards[i].id[len]))
            i++;
        if (i == net->n_card)
            wsk_elem_diag(
                &b->plan->diags, WSK_DIAG_ERROR, net->workload->head.elem, "gpus",
                WSK_SAID(WSK_SAY_WORKLOAD_CARD, wsk_printf(b->plan->arena, "%.*s", len, s), net->cards[0].id));
        s += len;
        s += strspn(s, between);
    } while (*s);
}

/* NAN if the parameter is not given. */
static double value_of(const wsk_elem *e, const char *name)
{
    double value;
    memcpy(&value, (const char *)e->params + wsk_kind_param(e->kind, name)->offset, sizeof value);
    return value;
}

void wsk_check_order(wsk_build *b, const wsk_elem *e, const wsk_order_rule *rules)
{
    const char *reported = "";
    for (const wsk_order_rule *r = rules; r->low; r++) {
        if (!(value_of(e, r->low) > value_of(e, r->high) * (1 + 1e-12)) || strcmp(r->low, reported) == 0)
            continue;
        wsk_elem_diag(&b->plan->diags, r->severity, e, r->low,
                      WSK_SAID(WSK_SAY_ABOVE, r->low, wsk_elem_origin(e, r->low)->text, r->high,
                               wsk_elem_origin(e, r->high)->text));
        reported = r->low;
    }
}

static void check_model(wsk_build *b)
{
    static const wsk_order_rule rules[] = {{"active-parameters", "parameters", WSK_DIAG_ERROR},
                                           {"experts-used", "experts", WSK_DIAG_ERROR},
                                           {"kv-heads", "heads", WSK_DIAG_ERROR},
                                           {"window-layers", "layers", WSK_DIAG_ERROR},
                                           {NULL, NULL, WSK_DIAG_ERROR}};
    static const char *const pairs[][2] = {{"window-layers", "window"},
                                           {"window", "window-layers"},
                                           {"experts", "active-parameters"},
                                           {"experts", "experts-used"},
                                           {"experts-used", "experts"}};
    const wsk_workload_params *w = b->net->workload;
    const wsk_elem *e = w ? wsk_elem_child(w->head.elem, "model", NULL) : NULL;
    const wsk_model_params *m = wsk_params_of(e);
    if (!m)
        return;
    wsk_check_order(b, e, rules);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (value_of(e, pairs[i][0]) > 0 && !(value_of(e, pairs[i][1]) > 0))
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, e, pairs[i][0],
                          WSK_SAID(WSK_SAY_NEEDS, pairs[i][0], pairs[i][1]));
    if (m->experts_used == m->experts && m->active < m->parameters)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, e, "experts-used", WSK_SAID(WSK_SAY_MODEL_ALL_EXPERTS));
    if (w->context > m->context_max)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, w->head.elem, "context",
                      WSK_SAID(WSK_SAY_MODEL_CONTEXT, w->context, m->context_max, m->name ? m->name : e->id));
}

/* Checks measured-power, which may be up to 5 % above what the card can draw: sensors show up to 5 % more than the limit
 * that holds the card. The limit of a card of a group holds the mean over its waits, which therefore take nothing. */
static void check_measured(wsk_build *b)
{
    const double w = b->net->workload ? b->net->workload->measured_w : NAN;
    bool told = false;
    for (int i = 0; i < b->net->n_card; i++) {
        const wsk_card *c = &b->net->cards[i];
        if (!c->works)
            continue;
        const double most = c->group >= 0 ? INFINITY : wsk_mean_w(b->net, c, c->default_limit_w);
        if (w <= c->gpu->idle_w || w > 1.05 * c->limit_max_w) {
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, b->net->workload->head.elem, "measured-power",
                          WSK_SAID(WSK_SAY_MEASURED_POWER, w, c->id, c->gpu->idle_w, c->limit_max_w));
        } else if (w > 1.05 * c->default_limit_w && !told) {
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, b->net->workload->head.elem, "measured-power",
                          WSK_SAID(WSK_SAY_MEASURED_OVER, w, c->id, c->default_limit_w));
            told = true;
        } else if (w > 1.05 * most && !told) {
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, b->net->workload->head.elem, "measured-power",
                          WSK_SAID(WSK_SAY_MEASURED_WAITS, w, c->id, wsk_mean_w(b->net, c, c->default_held_w)));
            told = true;
        }
    }
}

static void check_class(wsk_build *b)
{
    static const struct {
        const char *name;
        bool of_requests;
    } needing[] = {{"streams", true}, {"batch", true}, {"log", false}, {"power", false}, {"utilisation", false}};
    const wsk_net *net = b->net;
    const wsk_elem *e = net->workload ? net->workload->head.elem : NULL;
    const bool serves = net->cls == WSK_CLASS_DECODE || net->cls == WSK_CLASS_MOE_DECODE || wsk_only(e, "model"),
               works = net->cls != WSK_CLASS_IDLE;
    for (size_t i = 0; e && i < sizeof needing / sizeof *needing; i++)
        if (is_written(e, needing[i].name) &&
            !(needing[i].of_requests ? serves || !(value_of(e, needing[i].name) > 1) : works))
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, e, needing[i].name,
                          WSK_SAID(WSK_SAY_NO_EFFECT_IN, needing[i].name, wsk_class_names[net->cls],
                                   needing[i].of_requests ? "decode, moe-decode" : "training, decode"));
    if (e && is_written(e, "batch") && is_written(e, "streams"))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, e, "streams",
                      WSK_SAID(WSK_SAY_OVERRIDDEN, "streams", "batch", e->id));
}

/* Checks attributes of the workload that need others, and shares of a step that leave no time for its work. */
static void check_job(wsk_build *b)
{
    static const char *const of_model[] = {"quant", "engine", "context", "token-price"};
    const double most = 1 - WSK_LEAST_COMPUTE;
    const wsk_workload_params *w = b->net->workload;
    const wsk_elem *e = w ? w->head.elem : NULL;
    wsk_diags *diags = &b->plan->diags;
    if (!e)
        return;
    if (w->data_share + w->talk_share > most + 1e-9)
        wsk_elem_diag(diags, WSK_DIAG_ERROR, e, "data-share",
                      WSK_SAID(WSK_SAY_STEP_FULL, 100 * (w->data_share + w->talk_share), 100 * most));
    if (wsk_kind_param(e->kind, "utilisation") && !w->power.count && !w->utilisation.count && !w->log.cards &&
        !diags->errors)
        wsk_elem_diag(diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_REPLAY_NOTHING));
    if (is_written(e, "checkpoint-takes") && isnan(w->checkpoint_every_s) && isnan(w->mtbf_s))
        wsk_elem_diag(diags, WSK_DIAG_WARNING, e, "checkpoint-takes",
                      WSK_SAID(WSK_SAY_NO_EFFECT_WITHOUT, "checkpoint-takes", "checkpoint-every"));
    for (size_t i = 0; i < sizeof of_model / sizeof *of_model; i++)
        if (is_written(e, of_model[i]) && !wsk_only(e, "model"))
            wsk_elem_diag(diags, WSK_DIAG_WARNING, e, of_model[i],
                          WSK_SAID(WSK_SAY_NO_EFFECT_WITHOUT, of_model[i], "model"));
    if (is_written(e, "unit") && w->measured_rate)
        wsk_elem_diag(diags, WSK_DIAG_WARNING, e, "unit",
                      WSK_SAID(WSK_SAY_OVERRIDDEN, "unit", "measured-rate", e->id));
    else if (is_written(e, "unit") && wsk_only(e, "model"))
        wsk_elem_diag(diags, WSK_DIAG_WARNING, e, "unit", WSK_SAID(WSK_SAY_OVERRIDDEN, "unit", "model", e->id));
    else if (is_written(e, "unit") && isnan(w->rate_s))
        wsk_elem_diag(diags, WSK_DIAG_WARNING, e, "unit", WSK_SAID(WSK_SAY_NO_EFFECT_WITHOUT, "unit", "rate"));
}

static void check_workload(wsk_build *b)
{
    const wsk_net *net = b->net;
    check_workers(b);
    check_class(b);
    check_job(b);
    /* No warning if there are errors: the missing PSU may be an element that could not be read. */
    for (int i = 0; i < net->n_case && !b->plan->diags.errors; i++)
        if (!net->cases[i].n_supply && (wsk_only(net->cases[i].elem, "gpu") || net->cases[i].cpu))
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, net->cases[i].elem, NULL, WSK_SAID(WSK_SAY_NO_PSU));
}

/* A controlled fan or pump without a coolant node of its own gets that of the first coolant circuit in its case.
 * Reports a control sensor that the case does not have. */
static void check_sensors(wsk_build *b)
{
    wsk_net *net = b->net;
    for (int i = 0; i < net->n_mover; i++) {
        wsk_mover *m = &net->movers[i];
        bool found = true;
        if (!m->control)
            continue;
        for (int k = 0; k < net->n_circuit && m->coolant < 0; k++)
            if (net->circuits[k].in == m->in)
                m->coolant = net->circuits[k].tank;
        if (m->control->sensor == WSK_SENSE_GPU)
            found = wsk_only(net->cases[m->in].elem, "gpu") != NULL;
        else if (m->control->sensor == WSK_SENSE_CPU)
            found = net->cases[m->in].cpu != NULL;
        else if (m->control->sensor == WSK_SENSE_COOLANT)
            found = m->coolant >= 0;
        if (!found)
            wsk_diag_add(&b->plan->diags, WSK_DIAG_ERROR, b->plan->path, net->cases[m->in].elem->line,
                         net->cases[m->in].elem->column,
                         WSK_SAID(WSK_SAY_NO_SENSOR, m->name, WSK_WORD(wsk_sense_names[m->control->sensor])));
    }
}

/* Reports each solid whose heat cannot leave it. A solid reaches air or coolant by a port (a link from solid to
 * medium) of its own, or by conduction to a solid that has a port. */
static void check_paths(wsk_build *b)
{
    const wsk_net *net = b->net;
    for (int k = 0; k < net->n_block; k++) {
        const wsk_block *block = &net->blocks[k];
        bool reached[WSK_BLOCK_MAX] = {false};
        for (int p = block->first_port; p < block->first_port + block->n_ports; p++)
            if (net->ports[p].g > 0 || net->ports[p].natural > 0)
                reached[net->ports[p].solid - block->first] = true;
        for (int round = 0; round < block->count; round++)
            for (int i = 0; i < block->count; i++)
                for (int j = 0; j < block->count; j++)
                    reached[i] = reached[i] || (reached[j] && block->inner[i][j] > 0);
        for (int i = 0; i < block->count; i++)
            if (!reached[i])
                wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, net->nodes[block->first + i].elem, NULL,
                              WSK_SAID(WSK_SAY_NO_HEAT_PATH, net->nodes[block->first + i].name));
    }
}

void wsk_check_plan(wsk_build *b)
{
    check_measured(b);
    check_workload(b);
    check_model(b);
    check_zone(b);
    check_start(b);
    check_step(b);
    check_swing(b);
    check_weather(b);
    check_dates(b, b->plan->rig);
    check_needed(b, b->plan->rig);
    check_movers(b, b->plan->rig);
    check_card_fans(b);
    check_vents(b);
}

void wsk_check_network(wsk_build *b)
{
    check_paths(b);
    check_liquid(b);
    check_conditioner(b);
    check_sensors(b);
}
