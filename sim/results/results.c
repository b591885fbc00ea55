/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run says: JSON by the keys of interface.md, the page in the terminal, the series. */
#include <math.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/control/run.h"
#include "sim/results/results.h"
#include "sim/study/verdict.h"
#include "sim/study/trip.h"
#include "sim/study/found.h"
#include "sim/books/observe.h"
#include "sim/books/books.h"
#include "sim/control/control.h"

static double simulated_s(const wsk_run *run)
{
    return wsk_window_s(run);
}

static double kwh(const wsk_sum *s)
{
    return wsk_sum_value(s) / 3.6e6;
}

/* ---- JSON ---- */

static void json_number(wsk_buf *o, double v)
{
    char t[40];
    if (!isfinite(v)) {
        wsk_buf_put(o, "null", 4);
        return;
    }
    wsk_format_number(t, sizeof t, v);
    wsk_buf_put(o, t, strlen(t));
}

static void key(wsk_buf *o, const char *before, const char *name)
{
    wsk_buf_printf(o, "%s\"%s\": ", before, name);
}

static void pair(wsk_buf *o, const char *before, const char *name, double v)
{
    key(o, before, name);
    json_number(o, v);
}

typedef struct {
    double done, cool, unlimited;
} work_sum;

static work_sum work_of(const wsk_run *run)
{
    work_sum w = {0};
    for (int i = 0; i < run->net->n_card; i++) {
        w.done += wsk_sum_value(&run->cards[i].work) / 3600;
        w.cool += wsk_sum_value(&run->cards[i].work_cool) / 3600;
        w.unlimited += wsk_sum_value(&run->cards[i].work_free) / 3600;
    }
    return w;
}

static double lost(double done, double against)
{
    return against > 0 ? 1 - done / against : NAN;
}

/* Fans and pumps that the supplies feed; a card's own are part of its board power. */
static double movers_kwh(const wsk_run *run)
{
    double sum = 0;
    for (int i = 0; i < run->net->n_mover; i++)
        sum += wsk_mover_now(run, i).power_j / 3.6e6;
    return sum;
}

static void json_energy(const wsk_run *run, wsk_buf *o)
{
    const wsk_ledger now = wsk_ledger_now(run), *l = &now;
    wsk_sum wall = l->wall;
    wsk_sum_add(&wall, wsk_sum_value(&l->side));
    pair(o, "  \"energy\": { ", "dc_kwh", kwh(&l->dc));
    pair(o, ", ", "wall_kwh", kwh(&wall));
    pair(o, ", ", "psu_loss_kwh", wsk_supplied(run->net) ? kwh(&l->psu_loss) : NAN);
    pair(o, ", ", "feed_loss_kwh", run->net->feeds[0] || run->net->feeds[1] ? kwh(&run->head->feed_loss) : NAN);
    pair(o, ", ", "room_cooling_kwh", run->net->ac ? kwh(&l->cooling_electric) : NAN);
    pair(o, ", ", "room_cooling_heat_kwh", run->net->ac ? kwh(&l->cooling_heat) : NAN);
    pair(o, ", ", "fans_kwh", movers_kwh(run));
    pair(o, ",\n              ", "heat_out_kwh", kwh(&l->out));
    pair(o, ", ", "stored_kwh", wsk_stored_j(run) / 3.6e6);
    pair(o, ", ", "residual_rel", wsk_residual(run));
    pair(o, ", ", "splitting_rel", wsk_splitting(run));
    wsk_buf_printf(o, " },\n");
}

/* Shares of the intake air by where it was last; null for a block in a loop. */
static void json_intake(const wsk_run *run, int i, wsk_buf *o)
{
    static const char *const names[WSK_INTAKES] = {"room", "case", "own_exhaust", "neighbour_exhaust"};
    const wsk_card_state *s = &run->cards[i];
    bool any = run->net->cards[i].exhaust >= 0 && s->intake_s > 0;
    if (!any) {
        wsk_buf_printf(o, "\"intake\": null");
        return;
    }
    for (int k = 0; k < WSK_INTAKES; k++)
        pair(o, k ? ", " : "\"intake\": { ", names[k], s->intake[k] / s->intake_s);
    wsk_buf_printf(o, " }");
}

static void json_gpu(const wsk_run *run, const wsk_result_kind *kind, int i, wsk_buf *o)
{
    const wsk_card *c = &run->net->cards[i];
    const wsk_card_state *s = &run->cards[i];
    double time = simulated_s(run);
    key(o, i ? ",\n    { " : "\n    { ", "id");
    wsk_buf_json(o, c->id);
    key(o, ", ", "part");
    wsk_buf_json(o, c->elem->part);
    pair(o, ", ", "slot", c->gpu->slot);
    pair(o, ", ", "die_mean_c", wsk_var_mean(run, WSK_VAR_CARD_DIE_C, i));
    pair(o, ", ", "die_max_c", wsk_var_high(run, WSK_VAR_CARD_DIE_C, i));
    pair(o, ", ", "hotspot_max_c", wsk_var_high(run, WSK_VAR_CARD_HOTSPOT_C, i));
    pair(o, ", ", "memory_max_c", wsk_var_high(run, WSK_VAR_CARD_MEMORY_C, i));
    pair(o, ", ", "vrm_max_c", wsk_var_high(run, WSK_VAR_CARD_VRM_C, i));
    pair(o, ", ", "inlet_mean_c", wsk_var_mean(run, WSK_VAR_CARD_INLET_C, i));
    pair(o, ",\n      ", "power_mean_w", wsk_var_mean(run, WSK_VAR_CARD_POWER_W, i));
    pair(o, ", ", "clock_mean_mhz", c->works ? wsk_var_mean(run, WSK_VAR_CARD_CLOCK_MHZ, i) : NAN);
    pair(o, ", ", "fan_mean_rpm", c->mover >= 0 ? wsk_var_mean(run, WSK_VAR_CARD_FAN_RPM, i) : NAN);
    pair(o, ", ", "work_rel", c->works ? wsk_sum_value(&s->work) / time : NAN);
    pair(o, ", ", "work_spread_rel", wsk_card_spread(run, i).work_rel);
    pair(o, ", ", "power_spread_rel", wsk_card_spread(run, i).power_rel);
    if (kind && kind->band_k)
        pair(o, ", ", "die_band_c", kind->band_k[i]);
    pair(o, ",\n      \"throttle_s\": { ", "power", (double)s->throttle_ns[0] / 1e9);
    pair(o, ", ", "thermal", (double)s->throttle_ns[1] / 1e9);
    pair(o, ", ", "memory", isnan(c->gpu->memory_limit_k) ? NAN : (double)s->throttle_ns[3] / 1e9);
    pair(o, ", ", "hw_slowdown", (double)(s->throttle_ns[2] + s->throttle_ns[4]) / 1e9);
    pair(o, ", ", "power_brake", (double)s->throttle_ns[4] / 1e9);
    wsk_buf_printf(o, " }, \"thermal_runaway\": %s,\n      ", s->runaway == 1 || s->runaway == 2 ? "true" : "false");
    json_intake(run, i, o);
    wsk_buf_printf(o, " }");
}

static void json_supply(const wsk_run *run, wsk_buf *o)
{
    const wsk_net *net = run->net;
    const char *before = "\n    { ";
    wsk_buf_printf(o, "  \"psus\": [");
    for (int i = 0; i < net->n_supply; i++) {
        const wsk_supply *p = &net->supplies[i];
        const wsk_supply_state *c = &run->supplies[i];
        key(o, before, "id");
        wsk_buf_json(o, p->elem->id);
        key(o, ", ", "part");
        wsk_buf_json(o, p->elem->part);
        pair(o, ", ", "rated_w", p->law.rated_w);
        pair(o, ", ", "line_limit_w", p->law.limit_w);
        pair(o, ", ", "load_mean", wsk_var_mean(run, WSK_VAR_SUPPLY_LOAD, i));
        pair(o, ", ", "load_peak", c->peak_rel);
        pair(o, ", ", "over_limit_s", (double)c->over_ns / 1e9);
        pair(o, ", ", "efficiency_mean",
             wsk_sum_value(&c->wall) > 0 ? wsk_sum_value(&c->dc) / wsk_sum_value(&c->wall) : NAN);
        pair(o, ", ", "trip_probability", wsk_supply_trip(run, i));
        wsk_buf_printf(o, ", \"failed\": %s }", c->failed ? "true" : "false");
        before = ",\n    { ";
    }
    pair(o, "],\n  \"circuit\": { ", "continuous_limit_w", net->circuit_w > 0 ? net->circuit_w : NAN);
    pair(o, ", ", "wall_peak_w", run->head->wall_peak_w);
    pair(o, ", ", "wall_peak_va", run->head->va_peak);
    pair(o, ", ", "over_limit_s", net->circuit_w > 0 ? (double)run->head->over_limit_ns / 1e9 : NAN);
    pair(o, ", ", "trip_probability", wsk_circuit_trip(run));
    wsk_buf_printf(o, " },\n");
}

/* What a rig costs to buy: NAN where a part that costs something has no price, or where currencies
 * differ, for half a sum is none. */
static double purchase_of(const wsk_elem *e, const char **currency)
{
    double sum = 0;
    if (strcmp(e->kind->element, "tariff") == 0) /* its prices are not paid once */
        return 0;
    for (int i = 0; e->kind->params && e->kind->params[i].name; i++) {
        const wsk_param *p = &e->kind->params[i];
        bool fan = strcmp(e->kind->element, "fan") == 0;
        double v;
        if (p->dim != WSK_DIM_PRICE || p->type != WSK_TYPE_NUMBER)
            continue;
        memcpy(&v, (const char *)e->params + p->offset, sizeof v);
        if (!isnan(v) && !(v > 0)) /* comes with another part: nothing in any currency */
            continue;
        if (isnan(v) || (*currency && strcmp(*currency, e->origins[i].currency) != 0))
            return NAN;
        *currency = e->origins[i].currency;
        sum += fan ? v * ((const wsk_fan_params *)e->params)->count : v;
    }
    for (const wsk_elem *c = e->child; c; c = c->next)
        sum += purchase_of(c, currency);
    return sum;
}

/* ---- the machine: cases, loops, fans and pumps ---- */

static double noise_of(double p)
{
    return p > 1 ? wsk_dba(p) : NAN;
}

static void json_cases(const wsk_run *run, wsk_buf *o)
{
    const wsk_net *net = run->net;
    wsk_buf_printf(o, "  \"cases\": [");
    for (int i = 0; i < net->n_case; i++) {
        const wsk_case *c = &net->cases[i];
        const wsk_case_state *s = &run->cases[i];
        key(o, i ? ",\n    { " : "\n    { ", "id");
        wsk_buf_json(o, c->elem->id);
        key(o, ", ", "part");
        wsk_buf_json(o, c->elem->part);
        pair(o, ", ", "air_mean_c", wsk_var_mean(run, WSK_VAR_CASE_AIR_C, i));
        pair(o, ", ", "pressure_pa", c->open ? NAN : s->pressure_s / s->sampled_s);
        pair(o, ", ", "air_changes_per_min", c->open ? NAN : 60 * s->fresh_s / s->sampled_s / c->params->volume_m3);
        pair(o, ", ", "fresh_air_m3h", c->open ? NAN : 3600 * s->fresh_s / s->sampled_s);
        wsk_buf_printf(o, " }");
    }
    wsk_buf_printf(o, "],\n  \"loops\": [");
    for (int i = 0; i < net->n_circuit; i++) {
        const char *id = net->circuits[i].id;
        key(o, i ? ",\n    { " : "\n    { ", "id");
        wsk_buf_json(o, id);
        pair(o, ", ", "coolant_mean_c", wsk_var_mean(run, WSK_VAR_LOOP_COOLANT_C, i));
        pair(o, ", ", "coolant_max_c", wsk_var_high(run, WSK_VAR_LOOP_COOLANT_C, i));
        pair(o, ", ", "return_max_c", wsk_var_high(run, WSK_VAR_LOOP_RETURN_C, i));
        pair(o, ", ", "flow_lpm", wsk_var_mean(run, WSK_VAR_LOOP_FLOW_LPM, i));
        wsk_buf_printf(o, " }");
    }
    wsk_buf_printf(o, "],\n");
}

/* Fans and pumps that have a place in the flow; a supply's own fan has none that is known. */
static void json_movers(const wsk_run *run, wsk_buf *o)
{
    const wsk_net *net = run->net;
    double time = simulated_s(run);
    const char *before = "\n    { ";
    wsk_buf_printf(o, "  \"fans\": [");
    for (int i = 0; i < net->n_mover; i++) {
        const wsk_mover *m = &net->movers[i];
        const wsk_mover_state now = wsk_mover_now(run, i), *s = &now;
        if (m->branch < 0)
            continue;
        bool water = net->branches[m->branch].heat_w_k_per_m3s > 1e5;
        key(o, before, "id");
        wsk_buf_json(o, m->name);
        pair(o, ", ", "count", m->count);
        pair(o, ", ", "rpm_mean", s->rpm_s / time);
        pair(o, ", ", water ? "flow_lpm" : "flow_m3h", (water ? 60000 : 3600) * s->flow_s / time);
        pair(o, ", ", "power_mean_w", m->power_w > 0 ? s->power_j / time : NAN);
        pair(o, ", ", "noise_dba", noise_of(s->noise_s / time));
        wsk_buf_printf(o, ", \"failed\": %s }", s->failed ? "true" : "false");
        before = ",\n    { ";
    }
    wsk_buf_printf(o, "],\n");
}

/* Seconds from the first failure to what followed. */
static void json_failure(const wsk_run *run, wsk_buf *o)
{
    const wsk_run_head *h = run->head;
    if (h->failed_ns < 0 || run->steady) /* in a steady point times mean nothing */
        return;
    pair(o, "  \"failure\": { ", "at_s", (double)h->failed_ns / 1e9);
    pair(o, ", ", "to_throttle_s", h->slowed_ns < 0 ? NAN : (double)(h->slowed_ns - h->failed_ns) / 1e9);
    pair(o, ", ", "to_shutdown_s", h->shut_ns < 0 ? NAN : (double)(h->shut_ns - h->failed_ns) / 1e9);
    wsk_buf_printf(o, " },\n");
}

static void json_machine(const wsk_run *run, wsk_buf *o)
{
    json_cases(run, o);
    json_movers(run, o);
    json_failure(run, o);
}

/* What the bill is made of. */
static void json_bill(const wsk_run *run, const wsk_account *a, wsk_buf *o)
{
    const wsk_billing *g = run->net->billing;
    if (isnan(a->cost))
        return;
    pair(o, ",\n            ", "energy", a->energy);
    pair(o, ", ", "demand", a->demand);
    pair(o, ", ", "standing", a->standing);
    pair(o, ", ", "minimum", a->minimum);
    wsk_buf_printf(o, ",\n            \"periods\": [");
    for (int i = 0; i < g->n_names; i++) {
        key(o, i ? ", { " : "{ ", "name");
        wsk_buf_json(o, g->names[i]);
        pair(o, ", ", "kwh", kwh(&a->bill.period_j[i]));
        pair(o, ", ", "cost", wsk_sum_value(&a->bill.period_cost[i]) * a->tax);
        wsk_buf_printf(o, " }");
    }
    wsk_buf_printf(o, "],\n            \"months\": [");
    int64_t n = a->bill.n_months < WSK_BILL_MONTHS ? a->bill.n_months : WSK_BILL_MONTHS;
    for (int64_t i = 0; i < n; i++) {
        const wsk_bill_month *m = &a->bill.months[i];
        char date[24];
        wsk_format_datetime(date, m->from_civil_s);
        wsk_buf_printf(o, "%s{ \"from\": \"%.10s\"", i ? ",\n              " : "", date);
        pair(o, ", ", "share", m->share);
        pair(o, ", ", "kwh", m->energy_j / 3.6e6);
        pair(o, ", ", "cost", m->cost);
        pair(o, ", ", "peak_kw", g->n_demands ? m->peak_w / 1000 : NAN);
        wsk_buf_printf(o, " }");
    }
    wsk_buf_printf(o, "]");
}

static void json_money(const wsk_run *run, wsk_buf *o)
{
    const char *currency = NULL;
    double purchase = purchase_of(run->net->plan->rig, &currency);
    work_sum w = work_of(run);
    wsk_account a = wsk_bill_account(run);
    key(o, "  \"cost\": { ", "currency");
    wsk_buf_json(o, run->net->currency && run->net->currency[0] ? run->net->currency : NULL);
    pair(o, ", ", "run", a.cost);
    pair(o, ", ", "annual", a.annual);
    key(o, ", ", "annual_basis");
    wsk_buf_json(o, a.annual_basis);
    json_bill(run, &a, o);
    pair(o, " },\n  ", "carbon_kg", a.carbon_kg);
    pair(o, ", ", "purchase", currency ? purchase : NAN);
    key(o, ", ", "purchase_currency");
    wsk_buf_json(o, isfinite(purchase) ? currency : NULL);
    pair(o, ", ", "cost_per_work", w.done > 0 ? a.cost / w.done : NAN);
    wsk_buf_printf(o, ",\n");
}

static void json_work(const wsk_run *run, wsk_buf *o)
{
    work_sum w = work_of(run);
    bool any = w.unlimited > 0;
    key(o, "  \"work\": { ", "unit");
    wsk_buf_json(o, "reference GPU-hours");
    pair(o, ", ", "done", any ? w.done : NAN);
    pair(o, ", ", "unthrottled", any ? w.cool : NAN);
    pair(o, ", ", "lost_fraction", lost(w.done, w.cool));
    pair(o, ", ", "lost_to_limit_fraction", lost(w.cool, w.unlimited));
    if (lost(w.cool, w.unlimited) > 1e-4) {
        key(o, ", ", "lost_to");
        wsk_buf_json(o, wsk_lost_to(run));
    }
    const wsk_workload_params *job = run->net->workload;
    if (job && job->rate_s > 0) {
        key(o, ",\n            ", "counted");
        wsk_buf_json(o, job->unit ? job->unit : "units");
        pair(o, ", ", "count", w.done * 3600 * job->rate_s);
    }
    if (run->head->failures) {
        pair(o, ",\n            ", "failures", (double)run->head->failures);
        pair(o, ", ", "redone", run->head->redone_s / 3600);
    }
    wsk_buf_printf(o, " },\n");
}

/* Warnings by their words, for the file's order must not show; the first one after `before`, NULL: at all. */
static const wsk_diag *next_warning(const wsk_diags *d, const wsk_diag *before)
{
    const wsk_diag *best = NULL;
    for (size_t i = 0; i < d->count; i++) {
        const wsk_diag *w = &d->items[i];
        int after = before ? strcmp(w->message, before->message) : 1;
        if (w->severity != WSK_DIAG_WARNING || after < 0 || (after == 0 && w <= before))
            continue;
        int better = best ? strcmp(w->message, best->message) : -1;
        if (better < 0)
            best = w;
    }
    return best;
}

static void json_warnings(const wsk_run *run, wsk_buf *o)
{
    const wsk_diags *d = &run->net->plan->diags;
    int n = 0;
    key(o, "  ", "warnings");
    wsk_buf_put(o, "[", 1);
    for (const wsk_diag *w = NULL; (w = next_warning(d, w)) != NULL;) {
        wsk_buf_printf(o, "%s", n++ ? ", " : "");
        wsk_buf_json(o, w->message);
    }
    wsk_buf found = {0};
    wsk_found(run, &found);
    for (const char *line = found.data; line && *line;) {
        size_t len = strcspn(line, "\n");
        wsk_buf text = {0};
        wsk_buf_put(&text, line, len);
        wsk_buf_put(&text, "", 1);
        wsk_buf_printf(o, "%s", n++ ? ", " : "");
        wsk_buf_json(o, text.data);
        wsk_buf_free(&text);
        line += len + (line[len] == '\n');
    }
    wsk_buf_free(&found);
    wsk_buf_printf(o, "]\n");
}

bool wsk_results_json(const wsk_run *run, const wsk_result_kind *kind, double wall_clock_s, wsk_buf *o)
{
    const wsk_net *net = run->net;
    double high;
    key(o, "{ ", "wattsink");
    wsk_buf_json(o, WATTSINK_VERSION);
    key(o, ", ", "rig");
    wsk_buf_json(o, net->plan->name);
    wsk_buf_printf(o, ", \"digest\": \"%016llx\",\n", (unsigned long long)net->digest);
    pair(o, "  ", "simulated_s", simulated_s(run));
    pair(o, ", ", "wall_clock_s", wall_clock_s);
    pair(o, ", ", "steps", (double)run->head->tick);
    if (kind && kind->steady)
        wsk_buf_printf(o, ", \"steady\": true, \"settled\": %s, \"cycling\": %s",
                       kind->drift_k > 0 ? "false" : "true", kind->cycling ? "true" : "false");
    wsk_buf_printf(o, ",\n");
    json_energy(run, o);
    json_money(run, o);
    json_work(run, o);
    wsk_buf_printf(o, "  \"gpus\": [");
    for (int i = 0; i < net->n_card; i++)
        json_gpu(run, kind, i, o);
    wsk_buf_printf(o, "],\n");
    json_supply(run, o);
    json_machine(run, o);
    high = wsk_var_high(run, WSK_VAR_ROOM_C, 0);
    pair(o, "  \"room\": { ", "mean_c", wsk_var_mean(run, WSK_VAR_ROOM_C, 0));
    pair(o, ", ", "max_c", high);
    pair(o, ", ", "dew_point_c", net->dew_k > 0 ? net->dew_k - WSK_KELVIN : NAN);
    pair(o, " }, ", "case_air_mean_c", wsk_case_air_c(run));
    double cpu = NAN;
    for (int i = 0; i < net->n_case; i++)
        if (net->cases[i].cpu)
            cpu = fmax(cpu, wsk_var_high(run, WSK_VAR_CASE_CPU_C, i));
    pair(o, ", ", "cpu_max_c", cpu);
    pair(o, ",\n  ", "noise_dba", noise_of(run->head->noise_s / simulated_s(run)));
    pair(o, ", ", "noise_max_dba", noise_of(run->head->noise_peak));
    pair(o, ", ", "noise_distance_m", net->site->listener_m);
    pair(o, ", ", "assumed_values", net->assumed);
    wsk_buf_printf(o, ",\n");
    wsk_verdict_json(run, o);
    json_warnings(run, o);
    wsk_buf_printf(o, "}\n");
    return !o->failed;
}

/* ---- series ---- */

bool wsk_results_series(const wsk_run *run, wsk_buf *o)
{
    int n = run->variables->n;
    static const char *const part[3] = {"min", "mean", "max"};
    wsk_buf_printf(o, "t_s");
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            wsk_buf_printf(o, ",%s.%s", run->variables->all[i].name, part[k]);
    wsk_buf_put(o, "\n", 1);
    for (int64_t r = 0; r < run->head->n_buckets; r++) {
        const double *row = run->observer->buckets + (size_t)r * (1 + 3 * (size_t)n);
        char t[40];
        wsk_format_number(t, sizeof t, row[0]);
        wsk_buf_put(o, t, strlen(t));
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 3; k++) {
                wsk_print_places(t, sizeof t, row[1 + k * n + i], 6);
                wsk_buf_put(o, ",", 1);
                wsk_buf_put(o, t, strlen(t));
            }
        wsk_buf_put(o, "\n", 1);
    }
    return !o->failed;
}
