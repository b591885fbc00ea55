/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/results/results.h"

typedef struct {
    wsk_summary *s;
    const wsk_run *run;
    size_t member;
} gathering;

static void put_number(const gathering *g, wsk_result result, double value)
{
    wsk_summary_set_number(g->s, result, g->member, value);
}

static void put_if(const gathering *g, wsk_result result, bool known, double value)
{
    put_number(g, result, known ? value : NAN);
}

static void put_text(const gathering *g, wsk_result result, const char *text)
{
    wsk_summary_set_text(g->s, result, g->member, text);
}

static double kwh(const wsk_sum *s)
{
    return wsk_sum_value(s) / 3.6e6;
}

/* Energy of fans and pumps, kWh. The fans of cards and PSUs add 0: sim/net sets their power_w to 0, because the power
 * of the card or the loss of the PSU includes it. */
static double movers_kwh(const wsk_run *run)
{
    double sum = 0;
    for (int i = 0; i < run->net->n_mover; i++)
        sum += wsk_mover_now(run, i).power_j / 3.6e6;
    return sum;
}

static bool has_feed(const wsk_net *net)
{
    bool any = false;
    for (int i = 0; i < net->n_line; i++)
        any = any || net->lines[i].feeds[0] || net->lines[i].feeds[1];
    return any;
}

static void gather_energy(const gathering *g)
{
    const wsk_run *run = g->run;
    const wsk_ledger now = wsk_ledger_now(run), *l = &now;
    wsk_sum wall = l->wall;
    wsk_sum_add(&wall, wsk_sum_value(&l->side));
    put_number(g, WSK_R_DC_KWH, kwh(&l->dc));
    put_number(g, WSK_R_WALL_KWH, kwh(&wall));
    put_number(g, WSK_R_PSU_LOSS_KWH, run->net->n_supply > 0 ? kwh(&l->psu_loss) : NAN);
    put_number(g, WSK_R_FEED_LOSS_KWH, has_feed(run->net) ? kwh(&run->books->feed_loss) : NAN);
    put_number(g, WSK_R_ROOM_COOLING_KWH, run->net->ac ? kwh(&l->cooling_electric) : NAN);
    if (run->head->ac_failed)
        wsk_summary_set_flag(g->s, WSK_R_AC_FAILED, 0, true);
    put_number(g, WSK_R_ROOM_COOLING_HEAT_KWH, run->net->ac ? kwh(&l->cooling_heat) : NAN);
    put_number(g, WSK_R_FANS_KWH, movers_kwh(run));
    put_number(g, WSK_R_HEAT_OUT_KWH, kwh(&l->out));
    put_number(g, WSK_R_STORED_KWH, wsk_stored_j(run) / 3.6e6);
    put_number(g, WSK_R_RESIDUAL, wsk_residual(run));
    put_number(g, WSK_R_SPLITTING, wsk_splitting(run));
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

static double lost_share(double done, double against)
{
    return against > 0 ? 1 - done / against : NAN;
}

static void gather_work(const gathering *g)
{
    const wsk_run *run = g->run;
    work_sum w = work_of(run);
    const double gone = wsk_sum_value(&run->head->work_gone) / 3600,
                 dark = wsk_sum_value(&run->head->work_dark) / 3600;
    put_text(g, WSK_R_WORK_UNIT, "reference GPU-hours");
    put_number(g, WSK_R_WORK, w.unlimited > 0 ? w.done : NAN);
    put_number(g, WSK_R_WORK_UNTHROTTLED, w.unlimited > 0 ? w.cool : NAN);
    put_number(g, WSK_R_LOST, wsk_max(lost_share(w.done + gone, w.cool), 0)); /* heat adds no work; NAN stays */
    put_number(g, WSK_R_LOST_TO_FAILURE, gone > 0 ? gone / w.cool : NAN);
    put_number(g, WSK_R_LOST_TO_OUTAGE, dark > 0 ? dark / (w.cool + dark) : NAN);
    put_number(g, WSK_R_LOST_TO_LIMIT, lost_share(w.cool, w.unlimited));
    const wsk_workload_params *job = run->net->workload;
    if (job && job->rate_s > 0 && !wsk_work_is_unknown(run)) {
        put_text(g, WSK_R_COUNTED, job->unit ? job->unit : "units");
        put_number(g, WSK_R_COUNT, w.done * 3600 * job->rate_s);
    }
    if (run->head->failures) {
        put_number(g, WSK_R_FAILURES, (double)run->head->failures);
        put_number(g, WSK_R_REDONE, run->head->redone_s / 3600);
    }
}

/* Purchase price of an element and all elements inside. NAN: the price of one of them is unknown, or currencies differ;
 * a partial sum would mislead. *currency: currency of the prices so far; NULL: no price yet. */
static double purchase_of(const wsk_elem *e, const char **currency)
{
    double sum = 0;
    const wsk_param *p = wsk_kind_price(e->kind);
    double v = 0;
    if (p)
        memcpy(&v, (const char *)e->params + p->offset, sizeof v);
    if (isnan(v))
        return NAN;
    if (v > 0) { /* price 0: the element comes with another one and needs no currency */
        const char *mine = e->origins[p - e->kind->params].currency;
        if (*currency && strcmp(*currency, mine) != 0)
            return NAN;
        *currency = mine;
        sum = v * wsk_elem_count(e);
    }
    for (const wsk_elem *c = e->child; c; c = c->next)
        sum += purchase_of(c, currency);
    return sum;
}

static void gather_periods(gathering g, const wsk_account *a)
{
    const wsk_billing *b = g.run->net->billing;
    wsk_summary_set_list(g.s, WSK_R_PERIODS);
    wsk_summary_members(g.s, WSK_SCOPE_PERIOD, (size_t)b->n_names);
    for (int i = 0; i < b->n_names; i++) {
        g.member = (size_t)i;
        put_text(&g, WSK_R_PERIOD_NAME, b->names[i]);
        put_number(&g, WSK_R_PERIOD_KWH, kwh(&a->bill.period_j[i]));
        put_number(&g, WSK_R_PERIOD_COST, wsk_sum_value(&a->bill.period_cost[i]) * a->tax);
    }
}

static void gather_months(gathering g, const wsk_account *a)
{
    size_t n = (size_t)(a->bill.n_months < WSK_BILL_MONTHS ? a->bill.n_months : WSK_BILL_MONTHS);
    wsk_summary_set_list(g.s, WSK_R_MONTHS);
    wsk_summary_members(g.s, WSK_SCOPE_MONTH, n);
    for (g.member = 0; g.member < n; g.member++) {
        const wsk_bill_month *m = &a->bill.months[g.member];
        char date[24];
        wsk_format_datetime(date, m->from_civil_s);
        date[10] = '\0';
        put_text(&g, WSK_R_MONTH_FROM, date);
        put_number(&g, WSK_R_MONTH_SHARE, m->share);
        put_number(&g, WSK_R_MONTH_KWH, m->energy_j / 3.6e6);
        put_number(&g, WSK_R_MONTH_COST, m->cost);
        put_number(&g, WSK_R_MONTH_PEAK, g.run->net->billing->n_demands ? m->peak_w / 1000 : NAN);
    }
}

static void gather_money(const gathering *g)
{
    const wsk_run *run = g->run;
    const char *currency = NULL;
    double purchase = purchase_of(run->net->plan->rig, &currency), done = work_of(run).done;
    wsk_account a = wsk_bill_account(run);
    put_text(g, WSK_R_CURRENCY, run->net->currency && run->net->currency[0] ? run->net->currency : NULL);
    put_number(g, WSK_R_COST, a.cost);
    put_number(g, WSK_R_ANNUAL, a.annual);
    put_text(g, WSK_R_ANNUAL_BASIS, a.annual_basis);
    if (a.annual_partial)
        wsk_summary_set_flag(g->s, WSK_R_ANNUAL_PARTIAL, 0, true);
    if (!isnan(a.cost)) {
        put_number(g, WSK_R_COST_ENERGY, a.energy);
        put_number(g, WSK_R_COST_DEMAND, a.demand);
        put_number(g, WSK_R_COST_STANDING, a.standing);
        put_number(g, WSK_R_COST_MINIMUM, a.minimum);
        put_number(g, WSK_R_COST_MARGINAL, a.marginal);
        if (!isnan(a.solar))
            put_number(g, WSK_R_COST_SOLAR, a.solar), put_number(g, WSK_R_SOLAR_KWH, a.solar_j / 3.6e6);
        if (!isnan(a.heating))
            put_number(g, WSK_R_HEATING_KWH, a.heating_j / 3.6e6), put_number(g, WSK_R_HEATING, a.heating);
        gather_periods(*g, &a);
        gather_months(*g, &a);
    }
    put_number(g, WSK_R_CARBON, a.carbon_kg);
    if (run->net->billing && run->net->billing->solar)
        put_number(g, WSK_R_CARBON_MARGINAL, a.carbon_marginal_kg);
    put_number(g, WSK_R_PURCHASE, currency ? purchase : NAN);
    put_text(g, WSK_R_PURCHASE_CURRENCY, isfinite(purchase) ? currency : NULL);
    put_number(g, WSK_R_COST_PER_WORK, done > 0 ? a.cost / done : NAN);
}

/* A card whose heat a coolant takes (water block, AIO, bath) has no intake air and gets no values. */
static void gather_intake(const gathering *g, int i)
{
    static const wsk_result from[WSK_INTAKES] = {WSK_R_GPU_FROM_ROOM, WSK_R_GPU_FROM_CASE, WSK_R_GPU_FROM_OWN,
                                                 WSK_R_GPU_FROM_NEIGHBOUR};
    const wsk_card_state *s = &g->run->cards[i];
    if (g->run->net->cards[i].exhaust >= 0 && s->intake_s > 0)
        for (int k = 0; k < WSK_INTAKES; k++)
            put_number(g, from[k], s->intake[k] / s->intake_s);
}

static void gather_throttling(const gathering *g, int i)
{
    const wsk_card_state *s = &g->run->cards[i];
    const bool known = !wsk_power_is_given(g->run, i), senses = !isnan(g->run->net->cards[i].gpu->memory_limit_k);
    put_if(g, WSK_R_GPU_LIMITED_BY_POWER, wsk_power_limit_is_known(g->run, i), (double)s->throttle_ns[0] / 1e9);
    put_if(g, WSK_R_GPU_LIMITED_BY_HEAT, known, (double)s->throttle_ns[1] / 1e9);
    put_if(g, WSK_R_GPU_LIMITED_BY_MEMORY, known && senses, (double)s->throttle_ns[3] / 1e9);
    put_if(g, WSK_R_GPU_SLOWDOWN, known, (double)(s->throttle_ns[2] + s->throttle_ns[4]) / 1e9);
    put_if(g, WSK_R_GPU_BRAKED, known, (double)s->throttle_ns[4] / 1e9);
    wsk_summary_set_flag(g->s, WSK_R_GPU_RUNAWAY, g->member, s->runaway == 1 || s->runaway == 2);
}

static void gather_card(const gathering *g, const wsk_result_kind *kind, int i)
{
    const wsk_run *run = g->run;
    const wsk_card *c = &run->net->cards[i];
    put_text(g, WSK_R_GPU_ID, c->id);
    put_text(g, WSK_R_GPU_PART, c->elem->part);
    put_number(g, WSK_R_GPU_SLOT, c->gpu->slot);
    put_number(g, WSK_R_GPU_DIE_MEAN, wsk_var_mean(run, WSK_VAR_CARD_DIE_C, i));
    put_number(g, WSK_R_GPU_DIE_MAX, wsk_var_high(run, WSK_VAR_CARD_DIE_C, i));
    put_number(g, WSK_R_GPU_HOTSPOT_MAX, wsk_var_high(run, WSK_VAR_CARD_HOTSPOT_C, i));
    put_number(g, WSK_R_GPU_MEMORY_MAX, wsk_var_high(run, WSK_VAR_CARD_MEMORY_C, i));
    put_number(g, WSK_R_GPU_VRM_MAX, wsk_var_high(run, WSK_VAR_CARD_VRM_C, i));
    put_number(g, WSK_R_GPU_INLET_MEAN, wsk_var_mean(run, WSK_VAR_CARD_INLET_C, i));
    put_number(g, WSK_R_GPU_POWER_MEAN, wsk_var_mean(run, WSK_VAR_CARD_POWER_W, i));
    put_if(g, WSK_R_GPU_CLOCK_MEAN, wsk_clock_is_known(run, i), wsk_var_mean(run, WSK_VAR_CARD_CLOCK_MHZ, i));
    put_number(g, WSK_R_GPU_FAN_MEAN, c->mover >= 0 ? wsk_var_mean(run, WSK_VAR_CARD_FAN_RPM, i) : NAN);
    put_if(g, WSK_R_GPU_WORK, wsk_work_is_modelled(run, i), wsk_sum_value(&run->cards[i].work) / wsk_window_s(run));
    if (kind && kind->band_k)
        put_number(g, WSK_R_GPU_DIE_BAND, kind->band_k[i]);
    gather_throttling(g, i);
    gather_intake(g, i);
}

static void gather_supplies(gathering g)
{
    const wsk_run *run = g.run;
    wsk_summary_members(g.s, WSK_SCOPE_PSU, (size_t)run->net->n_supply);
    for (int i = 0; i < run->net->n_supply; i++) {
        const wsk_supply *p = &run->net->supplies[i];
        const wsk_supply_state *c = &run->supplies[i];
        const double dc_j = wsk_sum_value(&c->dc);
        g.member = (size_t)i;
        put_text(&g, WSK_R_PSU_ID, p->elem->id);
        put_text(&g, WSK_R_PSU_PART, p->elem->part);
        put_number(&g, WSK_R_PSU_RATED, p->law.rated_w);
        put_number(&g, WSK_R_PSU_LINE_LIMIT, p->law.limit_w);
        put_number(&g, WSK_R_PSU_LOAD_MEAN, wsk_var_mean(run, WSK_VAR_SUPPLY_LOAD, i));
        put_number(&g, WSK_R_PSU_LOAD_PEAK, c->peak_rel);
        put_number(&g, WSK_R_PSU_OVER_LIMIT, (double)c->over_ns / 1e9);
        put_number(&g, WSK_R_PSU_EFFICIENCY, dc_j > 0 ? dc_j / wsk_sum_value(&c->wall) : NAN);
        wsk_summary_set_flag(g.s, WSK_R_PSU_FAILED, g.member, c->failed);
    }
}

static void gather_circuit(const gathering *g)
{
    const wsk_run *run = g->run;
    int full = wsk_fullest_line(run);
    double limit_w = run->net->lines[full].limit_w;
    put_number(g, WSK_R_CIRCUIT_LIMIT, limit_w > 0 ? limit_w : NAN);
    put_number(g, WSK_R_WALL_PEAK_W, run->books->wall_peak_w);
    put_number(g, WSK_R_WALL_PEAK_VA, run->lines[full].va_peak);
    put_number(g, WSK_R_CIRCUIT_OVER_LIMIT, limit_w > 0 ? (double)run->lines[full].over_ns / 1e9 : NAN);
}

static void gather_line(const gathering *g, int i, double site_j)
{
    const wsk_run *run = g->run;
    const wsk_mains_line *line = &run->net->lines[i];
    const wsk_line_state *s = &run->lines[i];
    double wall_j = wsk_sum_value(&s->wall), spread, minutes = wsk_ups_minutes(run, i, &spread);
    bool named = line->limit_w > 0, off = s->tripped && !run->steady;
    put_text(g, WSK_R_BRANCH_ID, line->id);
    put_number(g, WSK_R_BRANCH_SUPPLY, line->supply_v);
    put_number(g, WSK_R_BRANCH_LIMIT, named ? line->limit_w : NAN);
    put_number(g, WSK_R_BRANCH_MEAN, wall_j / wsk_window_s(run));
    put_number(g, WSK_R_BRANCH_PEAK, s->wall_peak_w);
    put_number(g, WSK_R_BRANCH_PEAK_VA, s->va_peak);
    put_number(g, WSK_R_BRANCH_LOAD, named ? s->va_peak / line->limit_w : NAN);
    put_number(g, WSK_R_BRANCH_FEED, line->feeds[0] || line->feeds[1] ? s->feed_peak_rel : NAN);
    put_number(g, WSK_R_BRANCH_SHARE, site_j > 0 ? wall_j / site_j : NAN);
    put_number(g, WSK_R_BRANCH_OVER, named ? (double)s->over_ns / 1e9 : NAN);
    wsk_summary_set_flag(g->s, WSK_R_BRANCH_TRIPPED, g->member, s->tripped == WSK_LINE_TRIPPED);
    wsk_summary_set_flag(g->s, WSK_R_BRANCH_FAILED, g->member, s->tripped == WSK_LINE_FAILED);
    if (off && !s->dark)
        wsk_summary_set_flag(g->s, WSK_R_BRANCH_ON_BATTERY, g->member, true);
    put_number(g, WSK_R_BRANCH_OFF_AT, off ? (double)s->at_ns / 1e9 : NAN);
    put_number(g, WSK_R_BRANCH_UPS, minutes);
    put_number(g, WSK_R_BRANCH_UPS_SPREAD, spread);
}

static void gather_lines(gathering g)
{
    const wsk_net *net = g.run->net;
    size_t n = 0;
    double site_j = 0, shortest = INFINITY, shortest_spread = NAN;
    for (int i = 0; i < net->n_line; i++) {
        double spread, minutes = wsk_ups_minutes(g.run, i, &spread);
        n += net->lines[i].used || net->n_line == 1;
        site_j += wsk_sum_value(&g.run->lines[i].wall);
        shortest_spread = minutes < shortest ? spread : shortest_spread;
        shortest = wsk_min(shortest, minutes);
    }
    wsk_summary_members(g.s, WSK_SCOPE_CIRCUIT, n);
    for (int i = 0; i < net->n_line; i++)
        if (net->lines[i].used || net->n_line == 1) {
            gather_line(&g, i, site_j);
            g.member++;
        }
    g.member = 0;
    if (isfinite(shortest)) {
        put_number(&g, WSK_R_UPS_MINUTES, shortest);
        put_number(&g, WSK_R_UPS_SPREAD, shortest_spread);
    }
    int stopped = 0;
    for (int i = 0; i < net->n_case; i++)
        stopped += g.run->cases[i].cpu_off == WSK_DARK;
    if (stopped)
        put_number(&g, WSK_R_MACHINES_STOPPED, stopped);
}

static double noise_of(double p)
{
    return p > 1 ? wsk_dba(p) : NAN;
}

static void gather_cases(gathering g)
{
    const wsk_net *net = g.run->net;
    wsk_summary_members(g.s, WSK_SCOPE_CASE, (size_t)net->n_case);
    for (int i = 0; i < net->n_case; i++) {
        const wsk_case *c = &net->cases[i];
        const wsk_case_state *s = &g.run->cases[i];
        g.member = (size_t)i;
        put_text(&g, WSK_R_CASE_ID, c->elem->id);
        put_text(&g, WSK_R_CASE_PART, c->elem->part);
        put_number(&g, WSK_R_CASE_AIR, wsk_var_mean(g.run, WSK_VAR_CASE_AIR_C, i));
        put_number(&g, WSK_R_CASE_PRESSURE, c->open ? NAN : s->pressure_s / s->sampled_s);
        put_number(&g, WSK_R_CASE_AIR_CHANGES, c->open ? NAN : 60 * s->fresh_s / s->sampled_s / c->params->volume_m3);
        if (c->door)
            put_number(&g, WSK_R_CASE_DOOR, wsk_door_w(g.run, i));
        put_number(&g, WSK_R_CASE_FRESH_AIR, c->open ? NAN : 3600 * s->fresh_s / s->sampled_s);
        const wsk_stop by = wsk_stopped_by(g.run, i);
        if (by.line >= 0)
            put_text(&g, WSK_R_CASE_STOPPED_BY, net->lines[by.line].id);
        if (by.supply >= 0)
            put_text(&g, WSK_R_CASE_STOPPED_PSU, net->supplies[by.supply].elem->id);
        if ((by.line >= 0 || by.supply >= 0) && !g.run->steady)
            put_number(&g, WSK_R_CASE_STOPPED_AT, (double)by.at_ns / 1e9);
    }
}

static void gather_loops(gathering g)
{
    const wsk_net *net = g.run->net;
    wsk_summary_members(g.s, WSK_SCOPE_LOOP, (size_t)net->n_circuit);
    for (int i = 0; i < net->n_circuit; i++) {
        g.member = (size_t)i;
        put_text(&g, WSK_R_LOOP_ID, net->circuits[i].id);
        put_number(&g, WSK_R_LOOP_COOLANT_MEAN, wsk_var_mean(g.run, WSK_VAR_LOOP_COOLANT_C, i));
        put_number(&g, WSK_R_LOOP_COOLANT_MAX, wsk_var_high(g.run, WSK_VAR_LOOP_COOLANT_C, i));
        put_number(&g, WSK_R_LOOP_RETURN_MAX, wsk_var_high(g.run, WSK_VAR_LOOP_RETURN_C, i));
        put_number(&g, WSK_R_LOOP_FLOW, wsk_var_mean(g.run, WSK_VAR_LOOP_FLOW_LPM, i));
    }
}

static void gather_mover(const gathering *g, int i)
{
    const wsk_mover *m = &g->run->net->movers[i];
    const wsk_mover_state now = wsk_mover_now(g->run, i), *s = &now;
    double time = wsk_window_s(g->run);
    bool water = g->run->net->branches[m->branch].heat_w_k_per_m3s > 1e5;
    put_text(g, WSK_R_FAN_ID, m->name);
    put_number(g, WSK_R_FAN_COUNT, m->count);
    put_number(g, WSK_R_FAN_RPM, s->rpm_s / time);
    put_number(g, water ? WSK_R_PUMP_FLOW : WSK_R_FAN_FLOW, (water ? 60000 : 3600) * s->flow_s / time);
    put_number(g, WSK_R_FAN_POWER, m->power_w > 0 ? s->power_j / time : NAN);
    put_number(g, WSK_R_FAN_NOISE, noise_of(s->noise_s / time));
    wsk_summary_set_flag(g->s, WSK_R_FAN_FAILED, g->member, s->failed);
}

/* Left out are movers (fans, pumps and the like) that drive no branch of the flow network: the fans inside PSUs, and
 * the dust of a case, which is stored as a mover. */
static void gather_movers(gathering g)
{
    const wsk_net *net = g.run->net;
    size_t n = 0;
    for (int i = 0; i < net->n_mover; i++)
        n += net->movers[i].branch >= 0;
    wsk_summary_members(g.s, WSK_SCOPE_FAN, n);
    for (int i = 0; i < net->n_mover; i++)
        if (net->movers[i].branch >= 0) {
            gather_mover(&g, i);
            g.member++;
        }
}

/* head->shutdowns counts cards and CPUs that shut down from heat. Cards that are off only because the CPU of their case
 * shut down are not in it. */
static void gather_shutdowns(const gathering *g)
{
    const wsk_run *run = g->run;
    int64_t cpus = 0;
    for (int i = 0; i < run->net->n_case; i++)
        cpus += run->cases[i].shutdowns;
    put_number(g, WSK_R_CARDS_OFF, (double)(run->head->shutdowns - cpus));
    put_number(g, WSK_R_CPUS_OFF, (double)cpus);
}

static void gather_failure(const gathering *g)
{
    const wsk_run_head *h = g->run->head;
    if (h->failed_ns < 0 || g->run->steady) /* a steady point does not simulate the times of events */
        return;
    put_number(g, WSK_R_FAILED_AT, (double)h->failed_ns / 1e9);
    put_number(g, WSK_R_FAILED_TO_THROTTLE, h->slowed_ns < 0 ? NAN : (double)(h->slowed_ns - h->failed_ns) / 1e9);
    put_number(g, WSK_R_FAILED_TO_SHUTDOWN, h->shut_ns < 0 ? NAN : (double)(h->shut_ns - h->failed_ns) / 1e9);
}

static void gather_room(const gathering *g)
{
    const wsk_run *run = g->run;
    const wsk_net *net = run->net;
    double cpu = NAN;
    put_number(g, WSK_R_ROOM_MEAN, wsk_var_mean(run, WSK_VAR_ROOM_C, 0));
    put_number(g, WSK_R_ROOM_MAX, wsk_var_high(run, WSK_VAR_ROOM_C, 0));
    put_number(g, WSK_R_DEW_POINT, net->dew_k > 0 ? net->dew_k - WSK_KELVIN : NAN);
    put_number(g, WSK_R_CASE_AIR_MEAN, wsk_case_air_c(run));
    for (int i = 0; i < net->n_case; i++)
        if (net->cases[i].cpu)
            cpu = fmax(cpu, wsk_var_high(run, WSK_VAR_CASE_CPU_C, i));
    put_number(g, WSK_R_CPU_MAX, cpu);
    put_number(g, WSK_R_NOISE, noise_of(run->books->noise_s / wsk_window_s(run)));
    put_number(g, WSK_R_NOISE_MAX, noise_of(run->books->noise_peak));
    put_number(g, WSK_R_NOISE_DISTANCE, net->site->listener_m);
    put_text(g, WSK_R_NOISE_PLACE, wsk_stand_names[net->stand]);
    put_number(g, WSK_R_NOISE_LIMIT, wsk_loud_at[net->stand].dba);
}

static void gather_head(const gathering *g, const wsk_result_kind *kind, double wall_clock_s)
{
    const wsk_net *net = g->run->net;
    char digest[24];
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)net->digest);
    put_text(g, WSK_R_VERSION, WATTSINK_VERSION);
    put_text(g, WSK_R_RIG, net->plan->name);
    put_text(g, WSK_R_DIGEST, digest);
    put_number(g, WSK_R_SIMULATED, wsk_window_s(g->run));
    put_number(g, WSK_R_WALL_CLOCK, wall_clock_s);
    put_number(g, WSK_R_STEPS, (double)g->run->head->tick);
    put_number(g, WSK_R_ASSUMED, net->assumed);
    if (kind && kind->steady) {
        wsk_summary_set_flag(g->s, WSK_R_STEADY, 0, true);
        wsk_summary_set_flag(g->s, WSK_R_SETTLED, 0, !(kind->drift_k > 0));
        wsk_summary_set_flag(g->s, WSK_R_CYCLING, 0, kind->cycling);
    }
}

void wsk_results_gather(wsk_summary *s, const wsk_run *run, const wsk_result_kind *kind, double wall_clock_s)
{
    gathering g = {.s = s, .run = run};
    gather_head(&g, kind, wall_clock_s);
    wsk_results_strides(s, run);
    gather_energy(&g);
    gather_money(&g);
    gather_work(&g);
    wsk_results_tokens(s, run);
    gather_supplies(g);
    gather_circuit(&g);
    gather_lines(g);
    gather_cases(g);
    gather_loops(g);
    gather_movers(g);
    gather_shutdowns(&g);
    gather_failure(&g);
    gather_room(&g);
    wsk_summary_members(s, WSK_SCOPE_GPU, (size_t)run->net->n_card);
    for (int i = 0; i < run->net->n_card; i++) {
        g.member = (size_t)i;
        gather_card(&g, kind, i);
    }
}
