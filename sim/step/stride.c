/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides which cycles are skipped. A cycle is one period of inputs that repeat, such as a day, or the time from one
 * checkpoint of a training job to the next. Earlier simulated cycles are kept in the library. Each simulated cycle is
 * compared with its reference, an estimate made from the library. After cycles that agree with their references, a
 * stride is taken: some cycles are skipped. Then cycles are simulated again and compared.
 * Theory: docs/theory/time.md, "Strides" */
#include "sim/step/stride.h"

#include <math.h>
#include <string.h>

#include "sim/books/books.h"
#include "sim/books/observe.h"

/* Largest differences between a cycle and its reference at which they agree: energy and work, as shares; mean
 * temperatures, K; by how much a highest temperature may rise, K, and a highest power, as a share. same_k: change of
 * temperatures, K, up to which governors need no time to adjust. Assumed: docs/theory/constants.md, "strides" */
static const double alike_rel = 3e-4, alike_k = 0.05, higher_k = 0.03, higher_rel = 1e-3, same_k = 0.1;
/* As alike_rel and alike_k, under weather (outdoor air from a file). There fans and governors differ from cycle to
 * cycle, and only the mean of many cycles counts. Assumed: docs/theory/constants.md, "agreement under weather" */
static const double weather_rel = 2e-3, weather_k = 0.5;
/* Most days that may be skipped before a whole day has agreed: most_unproven days, or unproven_share times the days
 * since the start if that is more. Slow changes show early in a run. Assumed, as above */
static const double most_unproven = 6, unproven_share = 1.5;
static const double forget = 0.7; /* decay of the weights of earlier agreeing cycles in trend and noise */

/* Counts the events that change the rig for good: failed parts, shutdowns, tripped circuits, 0.5 % steps of dust. */
static int64_t count_once(const wsk_run *run)
{
    const wsk_net *net = run->net;
    int64_t n = run->head->shutdowns + run->head->ac_failed;
    for (int i = 0; i < net->n_card; i++)
        n += run->cards[i].off == WSK_LOST;
    for (int i = 0; i < net->n_mover; i++)
        n += run->movers[i].failed;
    for (int i = 0; i < net->n_supply; i++)
        n += run->supplies[i].failed;
    for (int i = 0; i < net->n_line; i++)
        n += run->lines[i].tripped + run->lines[i].dark;
    for (int i = 0; i < net->n_case; i++)
        n += run->cases[i].cpu_off +
             (net->cases[i].dust < 0 ? 0 : (int64_t)(run->rpm[net->cases[i].dust] * 200 + 0.5));
    return n;
}

static double breaker_most(const wsk_run *run)
{
    double most = 0;
    for (int i = 0; i < run->net->n_line; i++)
        most = wsk_max(most, run->lines[i].breaker_most);
    return most;
}

static void open_cycle(wsk_run *run)
{
    wsk_stride *s = run->stride;
    wsk_stride_head *h = s->head;
    const wsk_observer *o = run->observer;
    const int64_t t = run->head->t_ns, since = t - s->cycle.anchor_ns, length = s->cycle.length_ns;
    h->from_ns = t;
    h->anchor_ns = s->cycle.anchor_ns;
    h->next_ns = since < 0 ? s->cycle.anchor_ns : s->cycle.anchor_ns + (since / length + 1) * length;
    h->once = count_once(run);
    h->failures = run->head->failures + run->head->undone;
    h->wall_peak_w = run->books->wall_peak_w;
    h->breaker_most = breaker_most(run);
    for (int i = 0; i < s->n; i++)
        s->mark[i] = wsk_account_value(&s->places[i]);
    for (int i = 0; i < run->variables->n; i++)
        s->heights[i] = wsk_max(o->highest[i], o->high[i]);
    memset(s->open_j, 0, (size_t)s->bins * sizeof *s->open_j);
}

static void forget_cycles(wsk_stride *s)
{
    s->head->count = s->head->oldest = s->head->agreeing = 0;
}

static void keep_cycle(wsk_run *run)
{
    wsk_stride *s = run->stride;
    wsk_stride_head *h = s->head;
    int64_t at = h->count;
    if (s->cycle.weather) {
        if (h->from_ns < s->warm_ns)
            return;
        at = wsk_place_in_library(run, h->from_ns);
    } else if (h->count < s->entries) {
        h->count++;
    } else {
        at = h->oldest;
        h->oldest = (h->oldest + 1) % s->entries;
    }
    s->starts[at] = h->from_ns;
    memcpy(wsk_entry(s, at), s->fresh, (size_t)(s->n + s->bins) * sizeof *s->fresh);
}

/* Removes the entries of other days from which the reference at this time of the day was made, because the rig has
 * changed since then, for example has warmed up after its start. */
static void drop_near(wsk_stride *s, int64_t t_ns)
{
    const int64_t day = s->cycle.slow_ns, near = day % s->cycle.length_ns ? s->cycle.length_ns / 4 * 9 : WSK_NS;
    for (int64_t i = 0; i < s->head->count; i++) {
        const int64_t ago = t_ns - s->starts[i], by = (ago % day + day) % day;
        if (ago >= day / 2 && (by < near || by > day - near))
            s->starts[i] = WSK_DROPPED;
    }
}

/* The oscillations of governors and fans need not repeat with the cycle of the inputs. After PATIENCE cycles without
 * a stride, two cycles are therefore taken as one longer cycle. */
static void merge_cycles(wsk_stride *s)
{
    enum { PATIENCE = 16 };
    if (++s->head->vain < PATIENCE || s->cycle.slow_ns || s->cycle.weather || s->head->merged >= s->most_merged)
        return;
    s->head->vain = 0;
    s->head->merged *= 2;
    forget_cycles(s);
}

/* Where fans have hysteresis, a day need not repeat although its outdoor air does: each cycle then differs a little
 * from the one a day earlier, and strides stay short. After WSK_DAYS_TRIED days' worth of simulated cycles, cycles are
 * therefore compared by their weather, by which only the mean of many cycles counts. */
static void turn_to_weather(wsk_run *run)
{
    wsk_stride *s = run->stride;
    wsk_stride_head *h = s->head;
    if (!s->may_weather || h->by_weather || h->pending ||
        h->simulated * s->cycle.length_ns < WSK_DAYS_TRIED * s->cycle.slow_ns)
        return;
    h->by_weather = 1;
    wsk_weather_read(run);
    h->reach = WSK_FIRST_REACH;
    forget_cycles(s);
}

static bool stays_below(const wsk_run *run)
{
    const wsk_stride *s = run->stride;
    const wsk_observer *o = run->observer;
    if (run->books->wall_peak_w > s->head->wall_peak_w * (1 + higher_rel) ||
        breaker_most(run) > s->head->breaker_most * (1 + higher_rel))
        return false;
    for (int k = 0; k < run->variables->n_probe; k++) {
        const int i = run->variables->probes[k].variable;
        if (wsk_max(o->highest[i], o->high[i]) > s->heights[i] + higher_k)
            return false;
    }
    return true;
}

static bool agrees(const wsk_run *run, double differ[WSK_HEADLINES])
{
    const wsk_stride *s = run->stride;
    const double rel = s->cycle.weather ? weather_rel : alike_rel, most_k = s->cycle.weather ? weather_k : alike_k;
    const double length_s = (double)s->cycle.length_ns / 1e9;
    double found[WSK_HEADLINES], wanted[WSK_HEADLINES];
    wsk_take_headlines(run, s->fresh, found);
    wsk_take_headlines(run, s->wanted, wanted);
    bool ok = s->cycle.weather || stays_below(run);
    for (int k = 0; k < WSK_HEADLINES; k++)
        differ[k] = found[k] - wanted[k];
    ok = ok && fabs(differ[WSK_OF_ENERGY]) <= rel * wanted[WSK_OF_ENERGY] &&
         fabs(differ[WSK_OF_WORK]) <= rel * wanted[WSK_OF_WORK] &&
         fabs(differ[WSK_OF_HEAT]) <= wsk_max(0.05 * wanted[WSK_OF_HEAT], 2e-3 * length_s);
    const bool after_stride = s->head->skips && s->head->from_ns == s->head->skip_to_ns[s->head->skips - 1];
    return ok && wsk_apart_k(run) <= (after_stride ? 2 * most_k : most_k);
}

static void judge_cycle(wsk_run *run)
{
    wsk_stride *s = run->stride;
    wsk_stride_head *h = s->head;
    double differ[WSK_HEADLINES];
    const double apart = wsk_reference(run, h->from_ns);
    const bool ok = apart > 0 && agrees(run, differ);
    if (apart > 0 && h->pending)
        wsk_settle_stride(run, differ, ok);
    if (apart > 0 && s->cycle.weather)
        wsk_count_check(run, differ);
    if (!ok) {
        if (!s->cycle.slow_ns && !s->cycle.weather)
            forget_cycles(s);
        else if (apart > 0 && !s->cycle.weather)
            drop_near(s, h->from_ns);
        h->agreeing = 0;
        keep_cycle(run);
        return;
    }
    const double keep = h->agreeing ? forget : 0;
    h->agreeing++;
    h->apart = keep * h->apart + apart;
    for (int k = 0; k < WSK_HEADLINES; k++)
        h->noise[k] = wsk_max(keep * h->noise[k], fabs(differ[k]));
    h->noise_k = wsk_max(keep * h->noise_k, wsk_apart_k(run));
    for (int i = 0; i < s->n; i++)
        s->trend[i] = keep * s->trend[i] + (s->fresh[i] - s->wanted[i]);
    keep_cycle(run);
}

static bool knows_a_day(const wsk_run *run)
{
    const wsk_cycle *c = &run->stride->cycle;
    for (int64_t at = 0; c->slow_ns && at < c->slow_ns; at += c->length_ns)
        if (!(wsk_reference(run, run->head->t_ns + at) > 0))
            return false;
    return true;
}

/* Limits the length of a stride, `most` periods, by the evidence that days repeat. Hours that agree with those of
 * another day may hide a slow change at other hours, such as a natural air flow whose next change comes a bit later
 * each day. */
static double limit_by_evidence(const wsk_run *run, double most)
{
    const wsk_stride *s = run->stride;
    const int64_t slots = s->cycle.slow_ns ? (s->cycle.slow_ns + s->cycle.length_ns - 1) / s->cycle.length_ns : 0;
    if (s->head->agreeing >= slots)
        return most;
    const double days = (double)run->head->t_ns / (double)s->cycle.slow_ns,
                 unproven = floor(wsk_max(most_unproven, unproven_share * days)),
                 left = unproven - (double)s->head->unproven;
    return left < 0.25 * unproven ? 0 : wsk_min(most, left);
}

static bool is_free_of_heat(const wsk_run *run, const double *accounts)
{
    double of[WSK_HEADLINES];
    wsk_take_headlines(run, accounts, of);
    return !(of[WSK_OF_HEAT] > 0);
}

/* Fills shift_k for a stride to a later time of the day: the difference of temperatures between both times on other
 * days. The library has only the mean temperatures of cycles. A cubic through the integrals of four cycles gives the
 * temperature at the time where the second cycle ends. */
static void find_shift(wsk_run *run, int64_t cycles)
{
    wsk_stride *s = run->stride;
    const int n = run->net->n_node;
    const int64_t from = run->head->t_ns, by = cycles * s->cycle.length_ns;
    const double length_s = (double)s->cycle.length_ns / 1e9;
    memset(s->shift_k, 0, (size_t)n * sizeof *s->shift_k);
    if (s->cycle.weather)
        wsk_shift_by_weather(run, cycles);
    if (!s->cycle.slow_ns || by % s->cycle.slow_ns == 0)
        return;
    for (int k = 0; k < 8; k++) {
        static const double weight[] = {-1.0 / 12, 7.0 / 12, 7.0 / 12, -1.0 / 12};
        const bool end = k >= 4;
        wsk_reference(run, from + end * by + (k % 4 - 2) * s->cycle.length_ns);
        for (int i = 0; i < n; i++)
            s->shift_k[i] +=
                (end ? weight[k % 4] : -weight[k % 4]) * (run->cap[i] > 0 ? s->wanted[s->nodes + i] / length_s : 0);
    }
}

/* Largest change of a temperature in a stride that ends at another time of the day, K. */
static double find_most_shift_k(wsk_run *run, int64_t cycles)
{
    double most = 0;
    find_shift(run, cycles);
    for (int i = 0; i < run->net->n_node; i++)
        most = wsk_max(most, fabs(run->stride->shift_k[i]));
    return most;
}

/* True if a stride of so many cycles may end at another time of the day. No input may change at times of the day.
 * Also, either temperatures must be nearly the same at both ends, or heat must limit no clock at either end: otherwise
 * a governor would start with the clock of another time of the day, and temperatures would overshoot. */
static bool may_part_day(wsk_run *run, const wsk_cycle *c, int64_t cycles)
{
    const wsk_stride *s = run->stride;
    if (c->daily)
        return false;
    if (find_most_shift_k(run, cycles) <= same_k)
        return true;
    if (!is_free_of_heat(run, s->fresh))
        return false;
    wsk_reference(run, run->head->t_ns + cycles * s->cycle.length_ns);
    return is_free_of_heat(run, s->wanted);
}

/* Number of cycles to skip now; 0: none. */
static int64_t find_stride(wsk_run *run)
{
    enum { LEAST = 4 }; /* fewest cycles worth a stride */
    wsk_stride *s = run->stride;
    const wsk_stride_head *h = s->head;
    const wsk_cycle c = wsk_find_cycle(run, run->head->t_ns);
    const int64_t room = (wsk_repeats_until(run, &c) - run->head->t_ns) / s->cycle.length_ns - wsk_cycles_needed(s);
    if (h->agreeing < wsk_cycles_needed(s) || room < LEAST || h->skips == WSK_SKIPS || run->head->undone ||
        !knows_a_day(run))
        return 0;
    if (s->cycle.weather) {
        const int64_t cycles = wsk_limit_by_weather(run, room);
        return cycles >= LEAST ? cycles : 0;
    }
    double most = wsk_limit_by_heat(run, (double)h->reach);
    if (s->cycle.slow_ns) {
        const double days = (double)room * (double)s->cycle.length_ns / (double)s->cycle.slow_ns;
        const bool to_the_end = may_part_day(run, &c, room);
        if (!to_the_end || days >= 1)
            most = limit_by_evidence(run, most);
        if (to_the_end && wsk_max(days, 1) <= most && wsk_stride_allowed(run, wsk_max(days, 1)))
            return room;
    }
    while (most >= 1 && !wsk_stride_allowed(run, most))
        most = floor(most / 2);
    const int64_t periods = (int64_t)most;
    const int64_t cycles = s->cycle.slow_ns  ? wsk_whole_days(&s->cycle, periods, room)
                           : periods >= room ? room
                                             : wsk_whole_minutes(&s->cycle, periods);
    return periods > 0 && cycles >= LEAST ? cycles : 0;
}

static void stride(wsk_run *run, int64_t cycles)
{
    wsk_stride *s = run->stride;
    wsk_stride_head *h = s->head;
    const double length_s = (double)s->cycle.length_ns / 1e9,
                 periods =
                     s->cycle.slow_ns ? (double)cycles * length_s / ((double)s->cycle.slow_ns / 1e9) : (double)cycles;
    for (int i = 0; i < run->net->n_node; i++)
        s->drift_k[i] =
            run->cap[i] > 0 && !s->cycle.weather ? periods * s->trend[s->nodes + i] / h->apart / length_s : 0;
    find_shift(run, cycles);
    h->skip_from_ns[h->skips] = run->head->t_ns;
    const wsk_account before = wsk_bill_account(run);
    wsk_skip(run, cycles);
    wsk_expect_errors(run, cycles, periods, &before);
    h->skip_to_ns[h->skips++] = run->head->t_ns;
    h->skipped += cycles;
    h->pending = cycles;
    h->vain = 0;
    h->unproven = limit_by_evidence(run, INFINITY) < INFINITY ? h->unproven + (int64_t)(periods + 0.5) : 0;
    h->agreeing = 0;
}

static void note_energy(wsk_run *run, int64_t from_ns)
{
    wsk_stride *s = run->stride;
    const int64_t bin = s->bin_ns, start = wsk_first_bin_ns(s, s->head->from_ns), end = run->head->t_ns;
    const double power = run->wall_w + run->side_w + run->ac_w;
    for (int64_t at = from_ns, to; at < end; at = to) {
        const int64_t i = (at - start) / bin;
        to = start + (i + 1) * bin < end ? start + (i + 1) * bin : end;
        if (i < s->bins)
            s->open_j[i] += power * ((double)(to - at) / 1e9);
    }
}

/* Discards the highest values of the cycle after a stride to another time of the day or to other weather. Fans then
 * still have the speed of the time before the stride, so that dies overshoot. The true highest values were counted on
 * other days. */
static void forget_overshoot(wsk_run *run)
{
    const wsk_stride *s = run->stride;
    const wsk_stride_head *h = s->head;
    wsk_observer *o = run->observer;
    const int64_t to = h->skips ? h->skip_to_ns[h->skips - 1] : -1,
                  by = h->skips ? to - h->skip_from_ns[h->skips - 1] : 0;
    if (h->from_ns != to || !(s->cycle.weather || (s->cycle.slow_ns && by % s->cycle.slow_ns != 0)))
        return;
    for (int i = 0; i < run->variables->n; i++) {
        o->highest[i] = wsk_min(o->highest[i], s->heights[i]);
        o->high[i] = wsk_min(o->high[i], s->heights[i]);
    }
}

static void end_cycle(wsk_run *run)
{
    wsk_stride *s = run->stride;
    wsk_stride_head *h = s->head;
    forget_overshoot(run);
    const bool whole = run->head->t_ns == h->next_ns && h->next_ns - h->from_ns == s->cycle.length_ns;
    for (int i = 0; i < s->n; i++)
        s->fresh[i] = wsk_account_value(&s->places[i]) - s->mark[i];
    memcpy(s->fresh + s->n, s->open_j, (size_t)s->bins * sizeof *s->open_j);
    const int64_t later_ns = wsk_clock_set_back_ns(run, h->from_ns);
    if (count_once(run) != h->once || wsk_phase_changed(run, &s->cycle) || (later_ns && !s->cycle.slow_ns))
        forget_cycles(s);
    else if (later_ns)
        wsk_follow_clock(run, later_ns);
    else if (!whole || run->head->failures + run->head->undone != h->failures)
        h->agreeing = 0;
    else
        judge_cycle(run);
    h->simulated++;
    const int64_t cycles = find_stride(run);
    if (cycles)
        stride(run, cycles);
    else
        merge_cycles(s);
    turn_to_weather(run);
}

static void find_cycle(wsk_run *run)
{
    run->stride->cycle = wsk_find_cycle(run, run->head->t_ns);
    run->stride->cycle.length_ns *= run->stride->head->merged;
}

void wsk_stride_on(wsk_run *run, int64_t from_ns)
{
    wsk_stride *s = run->stride;
    if (!s)
        return;
    note_energy(run, from_ns);
    if (run->head->t_ns < s->head->next_ns || run->head->t_ns >= run->end_ns)
        return;
    wsk_book_repeats(run);
    wsk_ledger_close(run);
    end_cycle(run);
    find_cycle(run);
    open_cycle(run);
}

void wsk_stride_start(wsk_run *run)
{
    if (!run->stride)
        return;
    run->stride->head->reach = WSK_FIRST_REACH;
    run->stride->head->merged = 1;
    wsk_list_accounts(run);
    open_cycle(run);
}

void wsk_stride_restore(wsk_run *run)
{
    wsk_stride *s = run->stride;
    if (!s)
        return;
    find_cycle(run);
    s->cycle.anchor_ns = s->head->anchor_ns;
    if (s->head->by_weather)
        wsk_weather_read(run);
}
