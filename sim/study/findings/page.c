/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/say/say.h"
#include "sim/study/kit/checkpoints.h"
#include "sim/study/kit/failed.h"
#include "sim/study/findings/page.h"
#include "sim/study/kit/verdict.h"
#include "sim/study/kit/weather.h"
#include "sim/study/trip/trip.h"
#include "sim/study/findings/found.h"
#include "sim/books/observe.h"
#include "sim/books/books.h"
#include "sim/control/control.h"

static void add_lines(wsk_page *page, const char *label, const wsk_said_list *list)
{
    page->failed = page->failed || list->failed;
    for (size_t i = 0; i < list->count; i++)
        wsk_page_line(page, i ? NULL : label, list->items[i]);
}

static const wsk_said *join_sentences(const wsk_said_list *list, size_t from)
{
    const wsk_said_list rest = {.arena = list->arena, .items = list->items + from, .count = list->count - from};
    return wsk_said_link_all(&rest, WSK_SAY_JOIN_SENTENCES, WSK_SAY_JOIN_SENTENCES);
}

static const wsk_said *join_commas(const wsk_said_list *list)
{
    return wsk_said_link_all(list, WSK_SAY_JOINED, WSK_SAY_JOINED);
}

/* Formats v with `digits` significant digits. An integer part with more digits is printed whole, not with an exponent:
 * three digits give 14.2, 943 and 11823. */
static const char *figures(wsk_arena *a, double v, int digits)
{
    const char *text = fabs(v) < pow(10, digits) - 0.5 ? wsk_printf(a, "%.*g", digits, v) : wsk_printf(a, "%.0f", v);
    return text ? text : "";
}

static void add_heat(wsk_page *page, const wsk_facts *facts)
{
    wsk_said_list o = {.arena = page->arena};
    wsk_say_heat(facts, &o);
    const wsk_said *throughput = wsk_say_throughput(facts, page->arena);
    if (o.count && throughput)
        wsk_said_add(&o, throughput);
    wsk_page_line(page, WSK_N("Heat"), join_sentences(&o, 0));
}

/* Adds at most MOST warnings, and how many more there are; summary.json lists all. */
static void add_warnings(wsk_page *page, const wsk_run *run)
{
    enum { MOST = 3 };
    wsk_said_list found = {.arena = page->arena};
    wsk_found_parts(run, &found);
    for (size_t i = 0; i < found.count && i < MOST; i++)
        wsk_page_line(page, i ? NULL : WSK_N("Warning"), WSK_SAID(WSK_SAY_SENTENCE, found.items[i]));
    if (found.count > MOST)
        wsk_page_line(page, NULL, WSK_SAID(WSK_SAY_MORE_WARNINGS, found.count - MOST));
}

static double braked_s(const wsk_run *run)
{
    int64_t most = 0;
    for (int i = 0; i < run->net->n_card; i++)
        most = run->cards[i].throttle_ns[4] > most ? run->cards[i].throttle_ns[4] : most;
    return (double)most / 1e9;
}

/* throttle_ns[4]: time under the power brake of the chassis */
static void add_power_brake(wsk_page *page, const wsk_run *run)
{
    int n = 0;
    for (int i = 0; i < run->net->n_card; i++)
        n += run->cards[i].throttle_ns[4] > 0;
    if (n)
        wsk_page_line(page, NULL,
                      WSK_SAID(WSK_SAY_POWER_BRAKE, n, run->net->n_card, wsk_say_span(page->arena, braked_s(run))));
}

/* Message on the peak load as a share of the PSU's available output at that moment, if warm air or low mains voltage
 * makes it less than the rating; else NULL. */
static const wsk_said *say_available(const wsk_run *run, int i, wsk_arena *a)
{
    double card_w[WSK_STEP_CARDS];
    const wsk_steps s = wsk_steps_of_run(run, i, wsk_window_s(run), card_w);
    const bool low = s.line_w < 0.999 * s.rated_w, hot = s.limit_w < 0.999 * s.line_w;
    const double percent = 100 * run->supplies[i].peak_rel, inlet_c = s.inlet_k - WSK_KELVIN;
    return low && hot ? WSK_SAY(a, WSK_SAY_POWER_PSU_BOTH, percent, s.limit_w, inlet_c, s.supply_v)
           : hot      ? WSK_SAY(a, WSK_SAY_POWER_PSU_AIR, percent, s.limit_w, inlet_c)
           : low      ? WSK_SAY(a, WSK_SAY_POWER_PSU_LINE, percent, s.limit_w, s.supply_v)
                      : NULL;
}

static const wsk_said *say_psu(const wsk_run *run, int i, wsk_arena *a)
{
    const wsk_supply *s = &run->net->supplies[i];
    const double peak = run->supplies[i].peak_rel, percent = 100 * run->supplies[i].dc_peak_w / s->law.rated_w;
    const wsk_said *mark = peak > 1           ? WSK_SAY(a, WSK_SAY_POWER_TOO_SMALL)
                           : peak > WSK_TIGHT ? WSK_SAY(a, WSK_SAY_POWER_TIGHT)
                                              : NULL;
    const wsk_said *available = say_available(run, i, a);
    return run->net->n_supply == 1 ? WSK_SAY(a, WSK_SAY_POWER_THE_PSU, percent, mark, available)
                                   : WSK_SAY(a, WSK_SAY_POWER_PSU, s->elem->id, percent, mark, available);
}

static void add_circuits(const wsk_run *run, wsk_said_list *parts)
{
    for (int i = 0; i < run->net->n_line; i++) {
        const wsk_mains_line *line = &run->net->lines[i];
        if (run->net->n_line > 1 && line->used && line->limit_w > 0)
            wsk_said_add(parts, WSK_SAID(WSK_SAY_POWER_BRANCH, line->id, run->lines[i].va_peak, line->limit_w));
    }
}

static void add_line_trouble(wsk_page *page, const wsk_run *run)
{
    wsk_arena *a = page->arena;
    for (int i = 0; i < run->net->n_line && run->net->n_line > 1; i++) {
        const wsk_mains_line *line = &run->net->lines[i];
        double over = (double)run->lines[i].over_ns / 1e9, percent = 100 * over / wsk_window_s(run);
        if (run->lines[i].over_ns)
            wsk_page_line(page, NULL,
                          run->steady ? WSK_SAID(WSK_SAY_POWER_BRANCH_OVER, line->id, line->limit_w)
                                      : WSK_SAID(WSK_SAY_POWER_BRANCH_OVER_FOR, line->id, line->limit_w,
                                                 wsk_say_span(a, over), percent));
        if (run->lines[i].tripped)
            wsk_page_line(page, NULL, WSK_SAID(WSK_SAY_SENTENCE, wsk_line_said(a, run, i)));
    }
    for (int k = 0; k < run->net->n_supply; k++) {
        const wsk_said *stops = wsk_supply_said(a, run, k);
        if (stops)
            wsk_page_line(page, NULL, WSK_SAID(WSK_SAY_SENTENCE, stops));
    }
}

/* A steady point has no duration, so only the share of time is given. */
static const wsk_said *say_overload(const wsk_run *run, wsk_arena *a)
{
    double over = (double)run->lines[0].over_ns / 1e9, limit_w = run->net->lines[0].limit_w,
           percent = 100 * over / wsk_window_s(run);
    if (!run->steady)
        return WSK_SAY(a, WSK_SAY_POWER_OVER_FOR, limit_w, wsk_say_span(a, over), percent);
    return percent < 99.9 ? WSK_SAY(a, WSK_SAY_POWER_OVER_PART, limit_w, percent)
                          : WSK_SAY(a, WSK_SAY_POWER_OVER, limit_w);
}

static void add_batteries(wsk_page *page, const wsk_run *run)
{
    for (int i = 0; i < run->net->n_line; i++) {
        const wsk_mains_line *line = &run->net->lines[i];
        double spread, minutes = wsk_ups_minutes(run, i, &spread), load_w = wsk_ups_load_w(run, i);
        const wsk_said *ups = run->net->n_line > 1 ? WSK_SAY(page->arena, WSK_SAY_UPS_OF, line->id)
                                                   : WSK_SAY(page->arena, WSK_SAY_UPS_ONE);
        if (minutes > 0)
            wsk_page_line(page, NULL,
                          isnan(spread) ? WSK_SAID(WSK_SAY_POWER_UPS_LONG, wsk_say_span(page->arena, 60 * minutes),
                                                   100 * line->feeds[1]->battery_age, load_w, ups)
                                        : WSK_SAID(WSK_SAY_POWER_UPS, minutes, spread,
                                                   100 * line->feeds[1]->battery_age, load_w, ups));
    }
}

static void add_power(wsk_page *page, const wsk_run *run)
{
    enum { PSUS = 8, TRIPS = 4 };
    const wsk_net *net = run->net;
    wsk_arena *a = page->arena;
    double limit_w = net->n_line == 1 ? net->lines[0].limit_w : 0, most = 0;
    bool over = limit_w > 0 && run->lines[0].over_ns > 0;
    wsk_said_list parts = {.arena = a}, trips = {.arena = a};
    const wsk_said *off = run->steady && run->head->shutdowns ? WSK_SAY(a, WSK_SAY_POWER_ONCE_OFF) : NULL;
    wsk_said_add(&parts, WSK_SAID(WSK_SAY_POWER_WALL,
                                  wsk_printf(a, "%.*f", run->books->wall_peak_w < 10, run->books->wall_peak_w), off));
    const double meter_w = wsk_wall_meter_w(run);
    if (meter_w - run->books->wall_peak_w > 1)
        wsk_said_add(&parts, WSK_SAID(WSK_SAY_POWER_METER, meter_w));
    for (int i = 0; i < net->n_supply && i < PSUS; i++)
        wsk_said_add(&parts, say_psu(run, i, a));
    for (int i = PSUS; i < net->n_supply; i++)
        most = wsk_max(most, run->supplies[i].dc_peak_w / net->supplies[i].law.rated_w);
    if (net->n_supply > PSUS)
        wsk_said_add(&parts, WSK_SAID(WSK_SAY_POWER_MORE_PSUS, net->n_supply - PSUS, 100 * most));
    if (limit_w > 0 && !over)
        wsk_said_add(&parts, WSK_SAID(WSK_SAY_POWER_WITHIN, limit_w));
    add_circuits(run, &parts);
    wsk_page_line(page, WSK_N("Power"), WSK_SAID(WSK_SAY_SENTENCE, join_commas(&parts)));
    if (over)
        wsk_page_line(page, NULL, say_overload(run, a));
    add_line_trouble(page, run);
    add_batteries(page, run);
    add_power_brake(page, run);
    wsk_trip_say(run, &trips);
    for (size_t i = 0; i < trips.count && i < TRIPS; i++)
        wsk_page_line(page, NULL, WSK_SAID(WSK_SAY_SENTENCE, trips.items[i]));
}

static void add_bill_parts(wsk_page *page, const wsk_account *b, const wsk_billing *g)
{
    const struct {
        const char *name;
        double cost;
    } others[] = {{WSK_N("demand"), b->demand},
                  {WSK_N("standing charge"), b->standing},
                  {WSK_N("minimum charge"), b->minimum},
                  {WSK_N("feed-in lost"), b->solar}};
    wsk_said_list parts = {.arena = page->arena};
    for (int i = 0; i < g->n_names && i < 6 && b->cost > 0; i++)
        if (g->n_names > 1)
            wsk_said_add(&parts, WSK_SAID(WSK_SAY_PERCENT_OF, g->names[i],
                                          100 * b->tax * wsk_sum_value(&b->bill.period_cost[i]) / b->cost));
    for (size_t i = 0; i < sizeof others / sizeof *others && b->cost > 0; i++)
        if (others[i].cost > 0)
            wsk_said_add(&parts,
                         WSK_SAID(WSK_SAY_PERCENT_OF, WSK_WORD(others[i].name), 100 * others[i].cost / b->cost));
    if (parts.count)
        wsk_page_line(page, NULL, WSK_SAID(WSK_SAY_COST_PARTS, join_commas(&parts)));
}

static void add_cost(wsk_page *page, const wsk_run *run)
{
    wsk_arena *a = page->arena;
    wsk_account b = wsk_bill_account(run);
    bool year = b.annual_basis && strcmp(b.annual_basis, "simulated") == 0;
    const wsk_said *cost = wsk_say_money(a, b.cost, run->net->currency), *span = wsk_say_span(a, wsk_window_s(run)),
                   *carbon = run->net->carbon ? WSK_SAY(a, WSK_SAY_COST_CARBON, figures(a, b.carbon_kg, 3)) : NULL;
    wsk_page_line(page, WSK_N("Cost"),
                  year ? WSK_SAID(WSK_SAY_COST_OF_YEAR, cost, span, b.annual, carbon)
                       : WSK_SAID(WSK_SAY_COST_REPEATED, cost, span, b.annual, carbon));
    add_bill_parts(page, &b, run->net->billing);
}

/* What the rig has of UPS and PDUs (power strips); NULL: none. */
static const char *name_feeds(const wsk_net *net)
{
    bool strip = false, ups = false;
    for (int i = 0; i < net->n_line; i++) {
        strip = strip || net->lines[i].feeds[0];
        ups = ups || net->lines[i].feeds[1];
    }
    return ups && strip ? WSK_N("UPS and PDU") : ups ? WSK_N("UPS") : strip ? WSK_N("PDU") : NULL;
}

/* Message on the energy lost in the PSUs, and in UPS and PDU where there are some. NULL: the rig has no PSU. */
static const wsk_said *say_lost(wsk_arena *a, const wsk_run *run)
{
    const bool many = run->net->n_supply > 1;
    if (!wsk_supplied(run->net))
        return NULL;
    const char *psus = figures(a, wsk_sum_value(&run->books->ledger.psu_loss) / 3.6e6, 3);
    const char *name = name_feeds(run->net);
    if (!name)
        return many ? WSK_SAY(a, WSK_SAY_ENERGY_LOST_IN_PSUS, psus) : WSK_SAY(a, WSK_SAY_ENERGY_LOST_IN_PSU, psus);
    const char *feeds = figures(a, wsk_sum_value(&run->books->feed_loss) / 3.6e6, 3);
    return many ? WSK_SAY(a, WSK_SAY_ENERGY_LOST_IN_PSUS_AND_UPS, psus, feeds, WSK_WORD(name))
                : WSK_SAY(a, WSK_SAY_ENERGY_LOST_IN_PSU_AND_UPS, psus, feeds, WSK_WORD(name));
}

static void add_energy(wsk_page *page, const wsk_run *run)
{
    const wsk_ledger *l = &run->books->ledger;
    wsk_arena *a = page->arena;
    double wall = wsk_sum_value(&l->wall) + wsk_sum_value(&l->side), cooling = wsk_sum_value(&l->cooling_electric);
    const wsk_said *lost = say_lost(a, run), *room = NULL;
    if (cooling > 0)
        room = WSK_SAY(a, WSK_SAY_ENERGY_COOLING, figures(a, cooling / 3.6e6, 3));
    wsk_page_line(page, WSK_N("Energy"), WSK_SAID(WSK_SAY_ENERGY, figures(a, wall / 3.6e6, 4), lost, room));
    if (run->net->tariff)
        add_cost(page, run);
}

/* Message on the best time between checkpoints. NULL: nothing to say. */
static const wsk_said *say_checkpoints(wsk_arena *a, const wsk_workload_params *job)
{
    const double best_s = job ? wsk_checkpoint_s(job) : NAN;
    return job && wsk_checkpoints_vain(job) ? WSK_SAY(a, WSK_SAY_FAILURES_NO_CHECKPOINT)
           : isnan(best_s)                  ? NULL
                                            : WSK_SAY(a, WSK_SAY_FAILURES_CHECKPOINT, wsk_say_span(a, best_s));
}

static void add_work(wsk_page *page, const wsk_run *run)
{
    const wsk_workload_params *job = run->net->workload;
    double done = 0, wall = wsk_sum_value(&run->books->ledger.wall) + wsk_sum_value(&run->books->ledger.side);
    for (int i = 0; i < run->net->n_card; i++)
        done += wsk_sum_value(&run->cards[i].work);
    if (job && job->rate_s > 0 && !wsk_work_is_unknown(run)) {
        const double units = done * job->rate_s;
        const wsk_arg unit = wsk_arg_unit(job->unit);
        const wsk_said *each_kwh = wsk_say_count(page->arena, units / (wall / 3.6e6));
        wsk_page_line(page, WSK_N("Work"),
                      run->steady
                          ? WSK_SAID(WSK_SAY_WORK_RATE, wsk_say_rounded(page->arena, units / wsk_window_s(run), 3),
                                     unit, each_kwh)
                          : WSK_SAID(WSK_SAY_WORK_COUNTED, wsk_say_count(page->arena, units), unit, each_kwh));
    }
    if (run->head->failures)
        wsk_page_line(page, WSK_N("Failures"),
                      WSK_SAID(WSK_SAY_FAILURES, (double)run->head->failures, run->head->redone_s / 3600,
                               say_checkpoints(page->arena, job)));
}

static const wsk_said *say_rates(const wsk_facts *f, const wsk_said *cost, wsk_arena *a)
{
    const char *rate = wsk_say_rounded(a, f->tokens_s, 3), *prompt = wsk_say_rounded(a, f->prompt_s, 3);
    if (wsk_tokens_wide(f)) {
        const char *low = wsk_say_rounded(a, f->tokens_low, 2), *high = wsk_say_rounded(a, f->tokens_high, 2);
        if (!(f->prompt_s > 0))
            return WSK_SAY(a, WSK_SAY_TOKENS_LINE_SLOW_RANGE, rate, low, high, cost);
        return WSK_SAY(a, WSK_SAY_TOKENS_LINE_RANGE, prompt, wsk_say_rounded(a, f->prompt_low, 2),
                       wsk_say_rounded(a, f->prompt_high, 2),
                       WSK_SAY(a, WSK_SAY_TOKENS_GENERATED_RANGE, rate, low, high, cost));
    }
    return f->prompt_s > 0
               ? WSK_SAY(a, WSK_SAY_TOKENS_LINE, prompt, 100 * f->prompt_rel, rate, 100 * f->tokens_rel, cost)
               : WSK_SAY(a, WSK_SAY_TOKENS_LINE_SLOW, rate, 100 * f->tokens_rel, cost);
}

static void add_tokens(wsk_page *page, const wsk_run *run, const wsk_summary *s, const wsk_facts *f)
{
    const wsk_workload_params *job = run->net->workload;
    wsk_arena *a = page->arena;
    const char *each = wsk_say_rounded(a, f->token_j, 3);
    const wsk_said *cost =
        f->token_cost > 0 ? WSK_SAY(a, WSK_SAY_TOKENS_EACH_COST, each, wsk_say_money(a, f->token_cost, f->currency))
                          : WSK_SAY(a, WSK_SAY_TOKENS_EACH, each);
    if (f->tokens_s > 0)
        wsk_page_line(page, WSK_N("Tokens"), say_rates(f, cost, a));
    wsk_page_line(page, f->tokens_s > 0 ? NULL : WSK_N("Tokens"),
                  WSK_SAID(WSK_SAY_TOKENS_MEMORY_LINE, f->need_gib,
                           100 * wsk_summary_number(s, WSK_R_TOKENS_MEMORY_SPREAD, 0), f->have_gib));
    const bool old = f->tokens_s > 0 && job->engine == WSK_ENGINE_LLAMA_CPP && !job->measured_rate;
    const wsk_said *more[] = {wsk_served_said(a, run, f->tokens_s), wsk_say_requests(f, a),
                              wsk_say_tokens_elsewhere(f, a), old ? WSK_SAY(a, WSK_SAY_TOKENS_VERSION) : NULL};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (more[i])
            wsk_page_line(page, NULL, more[i]);
}

/* Lists the fans and pumps whose speed follows a sensor. `control` is NULL for one with a fixed speed, and for a card's
 * own fan, whose speed is in the table of cards. */
static void add_fans(wsk_page *page, const wsk_run *run)
{
    enum { MOST = 4 };
    const wsk_net *net = run->net;
    double time = wsk_window_s(run);
    wsk_said_list fans = {.arena = page->arena};
    for (int i = 0; i < net->n_mover && fans.count < MOST; i++) {
        const wsk_mover *m = &net->movers[i];
        const wsk_mover_state now = wsk_mover_now(run, i), *s = &now;
        if (m->power_w > 0 && m->branch >= 0 && m->control)
            wsk_said_add(&fans, WSK_SAID(WSK_SAY_FANS_ONE, m->name, m->count, s->rpm_s / time,
                                         100 * s->rpm_s / time / m->ref_rpm, s->power_j / time));
    }
    if (fans.count)
        wsk_page_line(
            page, WSK_N("Fans"),
            WSK_SAID(WSK_SAY_SENTENCE, wsk_said_link_all(&fans, WSK_SAY_JOIN_SEMICOLON, WSK_SAY_JOIN_SEMICOLON)));
}

static const wsk_said *say_coolant(const wsk_run *run, int i, wsk_arena *a)
{
    const wsk_circuit *l = &run->net->circuits[i];
    double mean = wsk_var_mean(run, WSK_VAR_LOOP_COOLANT_C, i), back = wsk_var_high(run, WSK_VAR_LOOP_RETURN_C, i),
           flow = wsk_var_mean(run, WSK_VAR_LOOP_FLOW_LPM, i);
    return l->bath ? WSK_SAY(a, WSK_SAY_COOLANT_BATH, l->id, mean, back, flow)
                   : WSK_SAY(a, WSK_SAY_COOLANT, l->id, mean, back, flow);
}

static void add_air(wsk_page *page, const wsk_run *run)
{
    const wsk_net *net = run->net;
    bool open = true;
    double hottest_c = NAN;
    wsk_said_list parts = {.arena = page->arena};
    double low_k, high_k;
    if (run->steady && wsk_weather_varies(net, &low_k, &high_k))
        wsk_said_add(&parts, WSK_SAID(WSK_SAY_AIR_OUTDOORS, run->t[net->outdoor] - WSK_KELVIN, low_k - WSK_KELVIN,
                                      high_k - WSK_KELVIN));
    wsk_said_add(&parts, WSK_SAID(WSK_SAY_AIR_ROOM, wsk_var_mean(run, WSK_VAR_ROOM_C, 0)));
    for (int i = 0; i < net->n_case; i++)
        open = open && net->cases[i].open;
    if (!open)
        wsk_said_add(&parts, WSK_SAID(WSK_SAY_AIR_CASE, wsk_case_air_c(run)));
    for (int i = 0; i < net->n_case; i++)
        if (net->cases[i].cpu)
            hottest_c = fmax(hottest_c, wsk_var_high(run, WSK_VAR_CASE_CPU_C, i));
    if (!isnan(hottest_c))
        wsk_said_add(&parts, WSK_SAID(WSK_SAY_AIR_CPU, hottest_c));
    double noise = run->books->noise_s / wsk_window_s(run);
    const wsk_said *air = join_commas(&parts);
    if (noise > 1)
        air = wsk_said_link(page->arena, WSK_SAY_JOIN_SEMICOLON, air,
                            WSK_SAID(WSK_SAY_AIR_NOISE, wsk_dba(noise), net->site->listener_m));
    wsk_page_line(page, WSK_N("Air"), WSK_SAID(WSK_SAY_SENTENCE, air));
    for (int i = 0; i < net->n_circuit && i < 4; i++)
        wsk_page_line(page, i ? NULL : WSK_N("Coolant"), say_coolant(run, i, page->arena));
    wsk_said_list water = {.arena = page->arena};
    wsk_found_water(run, &water);
    add_lines(page, WSK_N("Water"), &water);
    add_fans(page, run);
}

/* The time of failure is left out for a steady point, whose time is artificial. */
static void add_stopped(const wsk_run *run, const wsk_said *what, int64_t fails_ns, wsk_said_list *o)
{
    wsk_said_add(o, run->steady || fails_ns < 0
                        ? what
                        : WSK_SAID(WSK_SAY_FAILURE_AT, what, wsk_say_span(o->arena, (double)fails_ns / 1e9)));
}

static void add_failure(wsk_page *page, const wsk_run *run, const wsk_facts *facts)
{
    wsk_said_list failed = {.arena = page->arena};
    if (run->head->failed_ns < 0)
        return;
    size_t n;
    const wsk_failed *parts = wsk_failed_parts(page->arena, run->net, run, 0, &n);
    for (size_t i = 0; i < n; i++)
        add_stopped(run, parts[i].what, parts[i].fails_ns, &failed);
    if (!failed.count) /* all failed parts work again */
        return;
    wsk_page_line(page, WSK_N("Failure"),
                  run->steady ? WSK_SAID(WSK_SAY_FAILURE_STANDING, join_commas(&failed))
                              : wsk_say_failure(facts, &failed));
}

static void add_head(wsk_page *page, const wsk_run *run, const wsk_result_kind *kind)
{
    const char *name = run->net->plan->name;
    if (!kind || !kind->steady) {
        wsk_page_text(page, false, WSK_SAID(WSK_SAY_PAGE_RUN, name, wsk_say_span(page->arena, wsk_window_s(run))));
        return;
    }
    wsk_page_text(page, false,
                  kind->cycling ? WSK_SAID(WSK_SAY_PAGE_STEADY_CYCLING, name) : WSK_SAID(WSK_SAY_PAGE_STEADY, name));
    if (kind->drift_k > 0)
        wsk_page_text(page, false, WSK_SAID(WSK_SAY_PAGE_NOT_SETTLED, kind->drift_k));
}

static void add_verdict(wsk_page *page, const wsk_facts *facts)
{
    wsk_said_list sentences = {.arena = page->arena};
    size_t first = wsk_say_verdict(facts, &sentences), from = page->count;
    const wsk_said_list opinion = {.arena = page->arena, .items = sentences.items, .count = first};
    wsk_page_line(page, WSK_N("Verdict"), join_sentences(&opinion, 0));
    if (sentences.count > first)
        wsk_page_line(page, first ? NULL : WSK_N("Verdict"), join_sentences(&sentences, first));
    if (page->count > from)
        page->items[from].apart = true;
    const wsk_said *ranges = wsk_say_ranges(facts, page->arena);
    if (ranges)
        wsk_page_line(page, WSK_N("Range"), ranges);
}

void wsk_page_advice(wsk_page *page, const wsk_advice *advice)
{
    wsk_said_list sentences = {.arena = page->arena};
    wsk_advice_say(advice, &sentences);
    add_lines(page, WSK_N("Advice"), &sentences);
}

static void add_balance(wsk_page *page, const wsk_run *run, const wsk_summary *s)
{
    const char *residual = wsk_printf(page->arena, "%.1e", wsk_residual(run));
    const double skipped = wsk_summary_number(s, WSK_R_STRIDE_BALANCE, 0);
    wsk_page_text(page, true,
                  skipped > 0 ? WSK_SAID(WSK_SAY_PAGE_BALANCE_SKIPPED, residual, run->net->assumed,
                                         wsk_printf(page->arena, "%.1e", skipped))
                              : WSK_SAID(WSK_SAY_PAGE_BALANCE, residual, run->net->assumed));
}

void wsk_page_fill(wsk_page *page, const wsk_run *run, const wsk_summary *summary, const wsk_result_kind *kind)
{
    const wsk_facts facts = wsk_facts_of(summary);
    add_head(page, run, kind);
    if (!run->steady && !(wsk_window_s(run) > 0)) /* before the first step there are neither means nor extremes */
        return;
    add_heat(page, &facts);
    const wsk_said *links = wsk_links_said(page->arena, run->net);
    if (links)
        wsk_page_line(page, WSK_N("Links"), WSK_SAID(WSK_SAY_SENTENCE, links));
    add_warnings(page, run);
    add_power(page, run);
    if (!kind || !kind->steady)
        add_energy(page, run);
    add_work(page, run);
    if (facts.model)
        add_tokens(page, run, summary, &facts);
    add_air(page, run);
    add_failure(page, run, &facts);
    wsk_page_cards(page, run);
    add_balance(page, run, summary);
    add_verdict(page, &facts);
    if (run->advice)
        wsk_page_advice(page, run->advice);
}
