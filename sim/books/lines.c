/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The accounts of the branch circuits: peaks, breakers, and the time at which the next breaker trips. Theory:
 * docs/theory/power.md, "Branch: circuit"; docs/theory/trip.md */
#include <math.h>

#include "sim/books/breaker.h"
#include "sim/books/books.h"
#include "sim/control/control.h"

/* True if breakers act. They do so only where the rig describes several circuits. With a single circuit the run goes
 * on as if the breaker held, so that it has results, which state the probability of a trip. */
static bool acts(const wsk_run *run)
{
    return run->net->n_line > 1 && !run->steady;
}

/* A breaker trips when its heat reaches this share of the heat at the current that it holds for ever. The share is
 * slightly below 1, to allow for rounding errors. */
static const double reached = 1 - 1e-12;

void wsk_account_lines(wsk_run *run, double h, int64_t dt_ns)
{
    const wsk_net *net = run->net;
    run->books->va_peak = wsk_max(run->books->va_peak, run->va + run->side_w);
    for (int i = 0; i < net->n_line; i++) {
        const wsk_mains_line *line = &net->lines[i];
        const wsk_breaker *b = &line->breaker;
        wsk_line_state *s = &run->lines[i];
        double va = wsk_line_va(run, i), m = va / wsk_line_rating_w(line);
        s->va_peak = wsk_max(s->va_peak, va);
        s->wall_peak_w = wsk_max(s->wall_peak_w, run->line_wall_w[i] + run->line_side_w[i]);
        if (isnan(line->circuit_a))
            continue;
        if (h != s->breaker_h)
            s->breaker_keeps = wsk_breaker_keeps(b, s->breaker_h = h);
        s->breaker_heat = run->steady ? m * m : wsk_breaker_heat(s->breaker_heat, m, s->breaker_keeps);
        s->breaker_most = wsk_max(s->breaker_most, s->breaker_heat);
        if (acts(run) && !s->tripped &&
            (s->breaker_heat >= b->hold_high * b->hold_high * reached || m > b->instant_high))
            wsk_trip_line(run, i, dt_ns);
    }
}

/* Time at which the breaker of a circuit trips if its load stays as it is, ns; INT64_MAX: it holds. */
static int64_t trip_ns(const wsk_run *run, int i)
{
    const wsk_mains_line *line = &run->net->lines[i];
    const double m = wsk_line_va(run, i) / wsk_line_rating_w(line), hold = line->breaker.hold_high,
                 heat = run->lines[i].breaker_heat;
    return m > hold && heat < hold * hold
               ? run->head->t_ns +
                     (int64_t)ceil(line->breaker.tau_s * log((m * m - heat) / (m * m - hold * hold)) * 1e9)
               : INT64_MAX;
}

int64_t wsk_next_line_ns(const wsk_run *run)
{
    int64_t next = INT64_MAX, t = run->head->t_ns;
    for (int i = 0; i < run->net->n_line; i++) {
        const wsk_mains_line *line = &run->net->lines[i];
        const wsk_line_state *s = &run->lines[i];
        const int64_t at = s->tripped ? s->dark ? INT64_MAX : s->dark_ns : acts(run) ? trip_ns(run, i) : INT64_MAX;
        next = at > t && at < next ? at : next;
        next = !s->tripped && line->fails_ns > t && line->fails_ns < next ? line->fails_ns : next;
    }
    return next;
}

int wsk_fullest_line(const wsk_run *run)
{
    int fullest = 0;
    double most = -1;
    for (int i = 0; i < run->net->n_line; i++) {
        const wsk_mains_line *line = &run->net->lines[i];
        double share = line->limit_w > 0 ? run->lines[i].va_peak / line->limit_w : 0;
        if (share > most && line->limit_w > 0) {
            most = share;
            fullest = i;
        }
    }
    return fullest;
}

/* Energy, J, that the machines without a PSU element took from the site's own circuit, which feeds them. */
static double without_supply_j(const wsk_run *run)
{
    bool any = false;
    for (int i = 0; i < run->net->n_case; i++)
        any = any || run->net->cases[i].n_supply == 0;
    double sum_j = any ? wsk_sum_value(&run->books->ledger.dc) : 0;
    for (int i = 0; i < run->net->n_supply && any; i++)
        sum_j -= wsk_sum_value(&run->supplies[i].dc);
    return wsk_max(sum_j, 0);
}

double wsk_ups_load_w(const wsk_run *run, int line)
{
    double sum_j = line == 0 ? without_supply_j(run) : 0;
    const wsk_line_state *s = &run->lines[line];
    const int64_t until_ns = s->dark ? s->dark_ns : run->head->t_ns;
    const double time = (double)(until_ns - run->head->window_ns) / 1e9 - (double)s->was_dark_ns / 1e9;
    for (int i = 0; i < run->net->n_supply; i++)
        if (run->net->supplies[i].line == line)
            sum_j += wsk_sum_value(&run->supplies[i].wall);
    return time > 0 ? sum_j / time : 0;
}

double wsk_ups_minutes(const wsk_run *run, int line, double *spread)
{
    return wsk_battery_minutes(&run->net->lines[line], wsk_ups_load_w(run, line), spread);
}

/* Time at which a PSU lost its power, ns; INT64_MAX: it has power. */
static int64_t out_ns(const wsk_run *run, int supply)
{
    const wsk_supply_state *s = &run->supplies[supply];
    const wsk_line_state *l = &run->lines[run->net->supplies[supply].line];
    int64_t at = l->dark ? l->dark_ns : INT64_MAX;
    return s->failed && s->failed_ns < at ? s->failed_ns : at;
}

typedef struct {
    const wsk_run *run;
    int64_t t_ns;
} moment;

static bool was_out(const void *of, int supply)
{
    const moment *then = of;
    return out_ns(then->run, supply) <= then->t_ns;
}

/* Time at which the machine lost its power, ns: the earliest time at which the PSUs still working could not feed
 * it. */
static int64_t stopped_ns(const wsk_run *run, int in)
{
    const wsk_case *c = &run->net->cases[in];
    int64_t first = INT64_MAX;
    for (int k = c->first_supply; k < c->first_supply + c->n_supply; k++) {
        const moment then = {run, out_ns(run, k)};
        first = then.t_ns < first && !wsk_case_fed(run->net, in, was_out, &then) ? then.t_ns : first;
    }
    return first;
}

wsk_stop wsk_stopped_by(const wsk_run *run, int in)
{
    const wsk_net *net = run->net;
    const wsk_case *c = &net->cases[in];
    if (run->cases[in].cpu_off != WSK_DARK)
        return (wsk_stop){.line = -1, .supply = -1};
    if (!c->n_supply)
        return (wsk_stop){.line = 0, .supply = -1, .at_ns = run->lines[0].dark_ns};
    wsk_stop by = {.line = -1, .supply = -1, .at_ns = stopped_ns(run, in)};
    for (int k = c->first_supply; k < c->first_supply + c->n_supply && by.line < 0; k++) {
        const int line = net->supplies[k].line;
        if (out_ns(run, k) != by.at_ns)
            continue;
        if (run->lines[line].dark && run->lines[line].dark_ns == by.at_ns)
            by.line = line;
        else if (by.supply < 0 && run->supplies[k].failed && run->supplies[k].failed_ns == by.at_ns)
            by.supply = k;
    }
    by.supply = by.line < 0 ? by.supply : -1;
    return by;
}
