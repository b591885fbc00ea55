/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page a run leaves in the terminal: does it throttle, does it trip, what does it cost. At most 40 lines. */
#include <math.h>
#include <string.h>

#include "sim/control/run.h"
#include "sim/results/results.h"
#include "sim/study/verdict.h"
#include "sim/study/trip.h"
#include "sim/study/found.h"
#include "sim/books/observe.h"
#include "sim/books/books.h"
#include "sim/control/control.h"
#include "sim/study/fill.h"

/* "1 day", "30 hours", and what is no whole number in two units: "8 h 29 min". */
static void span(wsk_buf *o, double s)
{
    static const struct {
        double s;
        const char *word, *brief;
    } units[] = {{86400, "day", "d"}, {3600, "hour", "h"}, {60, "minute", "min"}, {1, "s", "s"}};
    int k = s < 119.5 ? 3 : s < 2 * 3600 - 0.5 ? 2 : s < 2 * 86400 - 30 ? 1 : 0;
    for (int i = 0; i < 3; i++)
        k = s == units[i].s ? i : k;
    if (k == 3) {
        wsk_buf_printf(o, "%.4g s", s);
        return;
    }
    double small = floor(s / units[k + 1].s + 0.5), per = units[k].s / units[k + 1].s, whole = floor(small / per);
    if (small == whole * per)
        wsk_buf_printf(o, "%.0f %s%s", whole, units[k].word, whole == 1 ? "" : "s");
    else
        wsk_buf_printf(o, "%.0f %s %.0f %s", whole, units[k].brief, small - whole * per, units[k + 1].brief);
}

/* "The card throttles.", "2 of 4 cards throttle.", "All 8 cards throttle." */
static void how_many(wsk_buf *o, int n, int all, const char *they, const char *it)
{
    if (all == 1)
        wsk_buf_printf(o, "the card %s.", it);
    else if (n >= all && all == 2)
        wsk_buf_printf(o, "both cards %s.", they);
    else if (n >= all)
        wsk_buf_printf(o, "all %d cards %s.", all, they);
    else
        wsk_buf_printf(o, "%d of %d cards %s.", n, all, n == 1 ? it : they);
}

/* A processor that shuts down takes its machine off: its cards have not shut down themselves. */
static void shut_down(const wsk_run *run, wsk_buf *o)
{
    int processors = 0, cards = (int)run->head->shutdowns;
    bool failed = run->head->failed_ns >= 0;
    for (int i = 0; i < run->net->n_case; i++)
        processors += run->cases[i].cpu_off != 0;
    cards -= processors;
    if (cards)
        how_many(
            o, cards, run->net->n_card,
            failed ? "shut down from heat after the failure" : "shut down from heat: this rig cannot do this work",
            failed ? "shuts down from heat after the failure" : "shuts down from heat: this rig cannot do this work");
    if (processors)
        wsk_buf_printf(o, "%s%s from heat, with all cards beside.", cards ? " " : "",
                       processors == 1 ? "a processor shuts down" : "processors shut down");
}

static void verdict_heat(const wsk_run *run, wsk_buf *o)
{
    const wsk_net *net = run->net;
    double time = wsk_window_s(run), done = 0, cool = 0, unlimited = 0, worst = 0;
    int hot = 0, worst_card = 0;
    bool braked = false;
    if (!net->n_card)
        return;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card_state *s = &run->cards[i];
        double heat = wsk_heat_throttle_s(s) / time;
        done += wsk_sum_value(&s->work);
        cool += wsk_sum_value(&s->work_cool);
        unlimited += wsk_sum_value(&s->work_free);
        hot += heat > 0.001;
        braked = braked || s->throttle_ns[4] > 0;
        if (heat > worst) {
            worst = heat;
            worst_card = i;
        }
    }
    wsk_buf_printf(o, "Heat     ");
    if (run->head->shutdowns)
        shut_down(run, o);
    else if (!hot)
        wsk_buf_printf(o, "no card throttles from heat.");
    else {
        how_many(o, hot, net->n_card, "throttle from heat", "throttles from heat");
        o->len--; /* a semicolon for its full stop */
        wsk_buf_printf(o, "; %s is in thermal slowdown %.3g %% of the time.", net->cards[worst_card].id, 100 * worst);
    }
    double lost = cool > 0 ? wsk_max(0, 1 - done / cool) : 0,
           limited = cool > 0 && unlimited > 0 ? wsk_max(0, 1 - cool / unlimited) : 0;
    const char *heat = braked ? "heat and the power brake" : "heat";
    if (limited > 1e-4 && lost > 1e-4) /* heat takes from what the limits leave */
        wsk_buf_printf(o, " Work lost to %s: %.3g %%, of the rest to %s: %.3g %%", wsk_lost_to(run), 100 * limited,
                       heat, 100 * lost);
    else if (cool > 0)
        wsk_buf_printf(o, " Work lost to %s: %.3g %%", heat, 100 * lost);
    if (limited > 1e-4 && lost <= 1e-4)
        wsk_buf_printf(o, ", to %s: %.3g %%", wsk_lost_to(run), 100 * limited);
    wsk_buf_printf(o, "%s\n", cool > 0 ? "." : "");
}

static void verdict_links(const wsk_run *run, wsk_buf *o)
{
    wsk_buf words = {0};
    if (wsk_links_words(run->net, &words) && words.data && !words.failed)
        wsk_buf_printf(o, "Links    %s.\n", words.data);
    wsk_buf_free(&words);
}

/* Parts beyond their limits, a few lines of them; the JSON has all. */
static void verdict_parts(const wsk_run *run, wsk_buf *o)
{
    wsk_buf found = {0};
    wsk_found_parts(run, &found);
    const char *line = found.data && !found.failed ? found.data : "";
    int n = 0;
    for (; *line; n++) {
        size_t len = strcspn(line, "\n");
        if (n < 3)
            wsk_buf_printf(o, "%s%.*s.\n", n ? "         " : "Mind     ", (int)len, line);
        line += len + (line[len] == '\n');
    }
    if (n > 3)
        wsk_buf_printf(o, "         And %d more such lines under \"warnings\" in the JSON.\n", n - 3);
    wsk_buf_free(&found);
}

static double braked_s(const wsk_run *run)
{
    int64_t most = 0;
    for (int i = 0; i < run->net->n_card; i++)
        most = run->cards[i].throttle_ns[4] > most ? run->cards[i].throttle_ns[4] : most;
    return (double)most / 1e9;
}

/* Cards that their chassis held back because a supply had more to carry than it may give. */
static void power_brake(const wsk_run *run, wsk_buf *o)
{
    int n = 0;
    for (int i = 0; i < run->net->n_card; i++)
        n += run->cards[i].throttle_ns[4] > 0;
    if (!n)
        return;
    wsk_buf_printf(o, "         The chassis brakes ");
    if (n == run->net->n_card)
        wsk_buf_printf(o, n == 1 ? "its card" : "all %d cards", n);
    else
        wsk_buf_printf(o, "%d of %d cards", n, run->net->n_card);
    wsk_buf_printf(o, " to half their clock (hw_power_brake_slowdown) for ");
    span(o, braked_s(run));
    wsk_buf_printf(o, ": its supplies cannot carry them at full clocks.\n");
}

static void verdict_power(const wsk_run *run, wsk_buf *o)
{
    const wsk_net *net = run->net;
    wsk_buf_printf(o, "Power    at most %.*f W at the wall%s", run->books->wall_peak_w < 10, run->books->wall_peak_w,
                   run->steady && run->head->shutdowns ? " once it is shut down" : "");
    for (int i = 0; i < net->n_supply && i < 8; i++) {
        double peak = run->supplies[i].peak_rel;
        wsk_buf_printf(o, ", %.0f %% of %s's rating%s", 100 * peak,
                       net->n_supply == 1 ? "the power supply" : net->supplies[i].elem->id,
                       peak > 1     ? ": TOO SMALL"
                       : peak > 0.9 ? ": tight"
                                    : "");
    }
    if (net->circuit_w > 0) {
        double over = (double)run->books->over_limit_ns / 1e9;
        if (over > 0) {
            double share = over / wsk_window_s(run);
            wsk_buf_printf(o, ".\n         Over the circuit's continuous limit of %.0f W", net->circuit_w);
            if (!run->steady) { /* which is for as long as one likes */
                wsk_buf_printf(o, " for ");
                span(o, over);
            }
            if (!run->steady || share < 0.999)
                wsk_buf_printf(o, " (%.3g %% of the time)", 100 * share);
        } else {
            wsk_buf_printf(o, ", within the circuit's continuous limit of %.0f W", net->circuit_w);
        }
    }
    wsk_buf_printf(o, ".\n");
    power_brake(run, o);
    wsk_buf words = {0};
    wsk_trip_words(run, &words);
    const char *line = words.data ? words.data : "";
    for (int n = 0; *line && n < 4; n++) {
        size_t len = strcspn(line, "\n");
        wsk_buf_printf(o, "         It %.*s.\n", (int)len, line);
        line += len + (line[len] == '\n');
    }
    wsk_buf_free(&words);
}

/* What a bill of more than one part is made of, in percent. */
static void bill_parts(const wsk_account *a, const wsk_billing *g, wsk_buf *o)
{
    const struct {
        const char *name;
        double cost;
    } others[] = {{"demand", a->demand}, {"standing charge", a->standing}, {"minimum charge", a->minimum}};
    const char *before = ".\n         Of it ";
    for (int i = 0; i < g->n_names && i < 6 && a->cost > 0; i++)
        if (g->n_names > 1) {
            wsk_buf_printf(o, "%s%s %.3g %%", before, g->names[i],
                           100 * a->tax * wsk_sum_value(&a->bill.period_cost[i]) / a->cost);
            before = ", ";
        }
    for (size_t i = 0; i < sizeof others / sizeof *others && a->cost > 0; i++)
        if (others[i].cost > 0) {
            wsk_buf_printf(o, "%s%s %.3g %%", before, others[i].name, 100 * others[i].cost / a->cost);
            before = ", ";
        }
}

/* As many digits as count, and no exponent: 14.2, 943, 11823. */
static void put_figures(wsk_buf *o, const char *before, double v, int digits)
{
    if (fabs(v) < pow(10, digits) - 0.5)
        wsk_buf_printf(o, "%s%.*g", before, digits, v);
    else
        wsk_buf_printf(o, "%s%.0f", before, v);
}

static void verdict_money(const wsk_run *run, wsk_buf *o)
{
    const wsk_ledger *l = &run->books->ledger;
    double wall = wsk_sum_value(&l->wall) + wsk_sum_value(&l->side);
    double cooling = wsk_sum_value(&l->cooling_electric);
    put_figures(o, "Energy   ", wall / 3.6e6, 4);
    wsk_buf_printf(o, " kWh at the wall");
    if (wsk_supplied(run->net)) {
        put_figures(o, " (", wsk_sum_value(&l->psu_loss) / 3.6e6, 3);
        wsk_buf_printf(o, " kWh lost in the power %s)", run->net->n_supply > 1 ? "supplies" : "supply");
    }
    if (cooling > 0) {
        put_figures(o, " + ", cooling / 3.6e6, 3);
        wsk_buf_printf(o, " kWh for cooling the room");
    }
    wsk_buf_printf(o, ".\n");
    if (run->net->tariff) {
        wsk_account a = wsk_bill_account(run);
        const char *currency = run->net->currency ? run->net->currency : "";
        bool year = a.annual_basis && strcmp(a.annual_basis, "simulated") == 0;
        wsk_buf_printf(o, "Cost     %.*f %s, which %s %.0f %s a year", a.cost < 1000 ? 2 : 0, a.cost, currency,
                       year ? "is" : "repeated is", a.annual, currency);
        if (run->net->carbon) {
            put_figures(o, "; ", a.carbon_kg, 3);
            wsk_buf_printf(o, " kg of CO2");
        }
        bill_parts(&a, run->net->billing, o);
        wsk_buf_printf(o, ".\n");
    }
}

/* The best time between checkpoints is Young's (1974), sqrt(2 takes mtbf), where that is far from what is written; it wants a save
 * that is short against the mtbf. */
static void failures(const wsk_run *run, const wsk_workload_params *job, wsk_buf *o)
{
    wsk_buf_printf(o, "Failures %lld of the job; %.3g GPU-hours of work were done again",
                   (long long)run->head->failures, run->head->redone_s / 3600);
    double best = job ? sqrt(2 * job->checkpoint_takes_s * job->mtbf_s) : NAN,
           now = job ? job->checkpoint_every_s : NAN;
    if (job && 4 * job->checkpoint_takes_s > job->mtbf_s)
        wsk_buf_printf(o, "; it fails about as often as it can be saved: no checkpoints help");
    else if (best > 0 && (isnan(now) || now > 2 * best || now < best / 2)) {
        wsk_buf_printf(o, "; a checkpoint every ");
        span(o, best > 3600  ? 600 * floor(best / 600 + 0.5)
                : best > 120 ? 60 * floor(best / 60 + 0.5)
                             : floor(best + 0.5));
        wsk_buf_printf(o, " would lose least");
    }
    wsk_buf_printf(o, ".\n");
}

/* What the work came to, where the user gave a rate or failures struck. */
static void verdict_work(const wsk_run *run, wsk_buf *o)
{
    const wsk_workload_params *job = run->net->workload;
    double done = 0, wall = wsk_sum_value(&run->books->ledger.wall) + wsk_sum_value(&run->books->ledger.side);
    for (int i = 0; i < run->net->n_card; i++)
        done += wsk_sum_value(&run->cards[i].work);
    if (job && job->rate_s > 0)
        wsk_buf_printf(o, "Work     %.4g %s, %.4g for each kWh at the wall.\n", done * job->rate_s,
                       job->unit ? job->unit : "units", done * job->rate_s / (wall / 3.6e6));
    if (run->head->failures)
        failures(run, job, o);
}

/* Chassis and radiator fans: where the noise and their watts come from. */
static void fans(const wsk_run *run, wsk_buf *o)
{
    const wsk_net *net = run->net;
    double time = wsk_window_s(run);
    int told = 0;
    for (int i = 0; i < net->n_mover && told < 4; i++) {
        const wsk_mover *m = &net->movers[i];
        const wsk_mover_state now = wsk_mover_now(run, i), *s = &now;
        if (!(m->power_w > 0) || m->branch < 0 || !m->control)
            continue;
        wsk_buf_printf(o, "%s%s %.0f x %.0f rpm (%.0f %%), %.0f W", told++ ? "; " : "Fans     ", m->name, m->count,
                       s->rpm_s / time, 100 * s->rpm_s / time / m->ref_rpm, s->power_j / time);
    }
    wsk_buf_printf(o, "%s", told ? ".\n" : "");
}

static void verdict_air(const wsk_run *run, wsk_buf *o)
{
    const wsk_net *net = run->net;
    bool open = true;
    wsk_buf_printf(o, "Air      room %.1f degC", wsk_var_mean(run, WSK_VAR_ROOM_C, 0));
    for (int i = 0; i < net->n_case; i++)
        open = open && net->cases[i].open;
    if (!open)
        wsk_buf_printf(o, ", in the case %.1f degC", wsk_case_air_c(run));
    for (int i = 0; i < net->n_case; i++)
        if (net->cases[i].cpu && net->n_case <= 2)
            wsk_buf_printf(o, ", processor at most %.0f degC", wsk_var_high(run, WSK_VAR_CASE_CPU_C, i));
    double noise = run->books->noise_s / wsk_window_s(run);
    if (noise > 1)
        wsk_buf_printf(o, "; %.0f dBA at %.3g m", wsk_dba(noise), net->site->listener_m);
    wsk_buf_printf(o, ".\n");
    for (int i = 0; i < net->n_circuit && i < 4; i++)
        wsk_buf_printf(o, "%s %s: %.1f degC to the blocks, at most %.1f behind them, %.1f l/min.\n",
                       i ? "        " : "Coolant ", net->circuits[i].id, wsk_var_mean(run, WSK_VAR_LOOP_COOLANT_C, i),
                       wsk_var_high(run, WSK_VAR_LOOP_RETURN_C, i), wsk_var_mean(run, WSK_VAR_LOOP_FLOW_LPM, i));
    fans(run, o);
}

static void after(wsk_buf *o, const char *what, int64_t then, int64_t from)
{
    if (then < 0) {
        wsk_buf_printf(o, ", no %s", what);
        return;
    }
    wsk_buf_printf(o, ", %s after ", what);
    span(o, (double)(then - from) / 1e9);
}

/* "fan0", or "1 of the 8 fans of fan0" where only some of a group fail. */
static void failed_fan(const wsk_net *net, const wsk_mover *m, wsk_buf *o)
{
    const char *dot = strrchr(m->name, '.');
    double all = m->count;
    if (!dot || strcmp(dot, ".failing") != 0) {
        wsk_buf_printf(o, " %s", m->name);
        return;
    }
    for (int i = 0; i < net->n_mover; i++)
        if (strlen(net->movers[i].name) == (size_t)(dot - m->name) &&
            strncmp(net->movers[i].name, m->name, (size_t)(dot - m->name)) == 0)
            all += net->movers[i].count;
    wsk_buf_printf(o, " %.0f of the %.0f fans of %.*s", m->count, all, (int)(dot - m->name), m->name);
}

/* Behind a name: when it stopped. A steady point knows no times: its slow masses are taken light. */
static void stopped(const wsk_run *run, int64_t fails_ns, int *n, wsk_buf *o)
{
    if (!run->steady) {
        wsk_buf_printf(o, *n ? " at " : " stopped at ");
        span(o, (double)fails_ns / 1e9);
    }
    ++*n;
}

static void verdict_failure(const wsk_run *run, wsk_buf *o)
{
    const wsk_run_head *h = run->head;
    int n = 0;
    if (h->failed_ns < 0)
        return;
    wsk_buf_printf(o, "Failure ");
    for (int i = 0; i < run->net->n_mover; i++)
        if (run->movers[i].failed) {
            wsk_buf_printf(o, n ? "," : "");
            failed_fan(run->net, &run->net->movers[i], o);
            stopped(run, run->net->movers[i].fails_ns, &n, o);
        }
    for (int i = 0; i < run->net->n_supply; i++)
        if (run->supplies[i].failed) {
            wsk_buf_printf(o, "%s %s", n ? "," : "", run->net->supplies[i].elem->id);
            stopped(run, run->net->supplies[i].fails_ns, &n, o);
        }
    if (run->steady) {
        wsk_buf_printf(o, n > 1 ? " stand still.\n" : " stands still.\n");
        return;
    }
    wsk_buf_printf(o, n > 1 ? "; from the first on" : "");
    if (h->slowed_ns == h->failed_ns)
        wsk_buf_printf(o, ", was throttling already");
    else
        after(o, braked_s(run) > 0 ? "throttling from heat" : "throttling", h->slowed_ns, h->failed_ns);
    after(o, "shutdown", h->shut_ns, h->failed_ns);
    wsk_buf_printf(o, ".\n");
}

bool wsk_results_text(const wsk_run *run, const wsk_result_kind *kind, wsk_buf *o)
{
    const wsk_net *net = run->net;
    double time = wsk_window_s(run);
    wsk_buf_printf(o, "%s: ", net->plan->name);
    if (kind && kind->steady) {
        wsk_buf_printf(o, "steady operating point%s\n", kind->cycling ? ", cycling (means of ten minutes)" : "");
        if (kind->drift_k > 0)
            wsk_buf_printf(o, "Not settled: after six hours the means still move by %.2g K in ten minutes.\n",
                           kind->drift_k);
    } else {
        span(o, time);
        wsk_buf_printf(o, " simulated\n");
    }
    verdict_heat(run, o);
    verdict_links(run, o);
    verdict_parts(run, o);
    verdict_power(run, o);
    if (!kind || !kind->steady)
        verdict_money(run, o);
    verdict_work(run, o);
    verdict_air(run, o);
    verdict_failure(run, o);
    wsk_page_cards(run, o);
    wsk_buf_printf(
        o,
        "\nEnergy balance: residual %.1e of the input. %d assumed inputs ('wattsink check --sources' lists "
        "them).\n",
        wsk_residual(run), net->assumed);
    wsk_verdict_text(run, o);
    return !o->failed;
}
