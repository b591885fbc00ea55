/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the electricity bill. Time is cut into segments in which price, carbon intensity, solar power, day, month,
 * demand window and the offset of the local clock are constant. The energy of a step goes to the open segment; a step
 * that crosses the end of the segment is split there. A segment is priced as a whole when it ends, so the bill does
 * not depend on the step length.
 * Theory: docs/theory/money.md */
#include "sim/books/bill.h"

#include <math.h>
#include <string.h>

#include "sim/net/sun.h"
#include "sim/net/tariff.h"
#include "sim/books/books.h"

static int offset_of(const wsk_billing *g, int64_t utc_s, int64_t *until_s)
{
    if (g->zone)
        return wsk_zone_offset(g->zone, utc_s, until_s);
    *until_s = INT64_MAX;
    return 0;
}

static int64_t utc_of(const wsk_billing *g, int64_t civil_s)
{
    return g->zone ? wsk_zone_utc(g->zone, civil_s) : civil_s;
}

static int64_t utc_at(const wsk_billing *g, int64_t t_ns)
{
    return g->start_utc_s + t_ns / WSK_NS;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static double tax_of(const wsk_billing *g)
{
    return g->tariff ? 1 + g->tariff->tax : 1;
}

static wsk_local local_at(const wsk_billing *g, int64_t t_ns, wsk_date *date, int64_t *offset_until_s)
{
    int64_t utc = utc_at(g, t_ns), civil = utc + offset_of(g, utc, offset_until_s);
    *date = wsk_date_of(civil);
    return (wsk_local){.day_kind = wsk_day_kind(g, date),
                       .season = wsk_season_of(&g->seasons, date),
                       .second = date->second,
                       .civil_s = civil,
                       .utc_s = utc,
                       .run_s = (double)(t_ns / WSK_NS)};
}

/* first, next: first day of the billing month of the date and of the one after it, as days since 1970-01-01. */
static void month_of(const wsk_billing *g, const wsk_date *d, int64_t *first, int64_t *next)
{
    int first_day = (int)g->tariff->billing_day, year = d->year, month = d->month;
    if (d->day < first_day) {
        year -= month == 1;
        month = month == 1 ? 12 : month - 1;
    }
    *first = wsk_days_of(year, month, first_day);
    *next = wsk_days_of(year + (month == 12), month == 12 ? 1 : month + 1, first_day);
}

static void open_month(wsk_bill *b, const wsk_billing *g, int64_t start_ns, const wsk_date *date)
{
    int64_t first, next;
    month_of(g, date, &first, &next);
    b->month_civil_s = first * WSK_DAY_S;
    b->month_from_s = utc_of(g, first * WSK_DAY_S);
    b->month_to_s = utc_of(g, next * WSK_DAY_S);
    int64_t end = utc_at(g, b->end_ns) + (b->end_ns % WSK_NS != 0);
    int64_t covered = earlier(end, b->month_to_s) - later(utc_at(g, start_ns), b->month_from_s);
    b->month_share = (double)covered / (double)(b->month_to_s - b->month_from_s);
    b->month_share = wsk_max(wsk_min(b->month_share, 1), 0);
    b->month_j = b->month_cost = b->month_minimum = b->month_rise_j = b->month_rated = (wsk_sum){0};
    b->month_peak_w = b->demand_open = 0;
    memset(b->peak_w, 0, sizeof b->peak_w);
    memset(b->peak_rise_w, 0, sizeof b->peak_rise_w);
}

/* Returns the share of the open billing month, as far as the run covers it, that lies in the seasons of a demand
 * charge. Entries of g->demands with the same name are one charge; `demand` is the index of the first of them, which
 * is the `group` of all. */
static double season_share(const wsk_bill *b, const wsk_billing *g, int demand)
{
    uint32_t seasons = 0;
    for (int i = demand; i < g->n_demands; i++)
        seasons |= g->demands[i].group == demand ? g->demands[i].when.seasons : 0;
    if (seasons == UINT32_MAX)
        return 1;
    const int64_t to_s = earlier(utc_at(g, b->end_ns) + (b->end_ns % WSK_NS != 0), b->month_to_s),
                  from_s = to_s - llround(b->month_share * (double)(b->month_to_s - b->month_from_s));
    int64_t unused, mine = 0;
    const int64_t from = from_s + offset_of(g, from_s, &unused), to = to_s + offset_of(g, to_s, &unused);
    for (int64_t day = wsk_date_of(from).days * WSK_DAY_S; day < to; day += WSK_DAY_S) {
        const wsk_date date = wsk_date_of(day);
        const int season = wsk_season_of(&g->seasons, &date);
        if (seasons >> (season < 0 ? WSK_SEASONS : season) & 1u)
            mine += earlier(day + WSK_DAY_S, to) - later(day, from);
    }
    return to > from ? (double)mine / (double)(to - from) : 0;
}

/* watts[i], at the first entry i of each demand charge: highest window mean of the open month, W, or the rise of that
 * mean (wsk_bill.peak_rise_w). */
static double demand_cost(const wsk_bill *b, const wsk_billing *g, const double watts[WSK_DEMANDS])
{
    double sum = 0;
    for (int i = 0; i < g->n_demands; i++)
        if (watts[i] > 0)
            sum += watts[i] * g->demands[i].price_w * season_share(b, g, i);
    return sum * b->month_share;
}

/* Block price, per J, at the energy that the open month has reached: the mean over 1 % of that energy below and above
 * it. Blocks are price steps by monthly energy. */
static double last_block(const wsk_bill *b, const wsk_billing *g)
{
    const double own = wsk_sum_value(&b->month_j), at = own + g->tariff->other_use_j * b->month_share,
                 near = 0.01 * own;
    if (!g->n_blocks || !(own > 0))
        return 0;
    return wsk_blocks_cost(g, (int)b->season, at - near, at + near, b->month_share) / (2 * near);
}

static void close_month(wsk_bill *b, const wsk_billing *g)
{
    double demand = demand_cost(b, g, b->peak_w), cost = wsk_sum_value(&b->month_cost) + demand;
    double least = wsk_sum_value(&b->month_minimum), lacks = least > 0 ? wsk_max(least - cost, 0) : 0;
    wsk_sum_add(&b->demand, demand);
    wsk_sum_add(&b->minimum, lacks);
    if (!(lacks > 0))
        wsk_sum_add(&b->marginal, wsk_sum_value(&b->month_rated) +
                                      wsk_sum_value(&b->month_rise_j) * last_block(b, g) +
                                      demand_cost(b, g, b->peak_rise_w));
    b->demand_open = 0;
    if (b->n_months >= WSK_BILL_MONTHS)
        memmove(b->months, b->months + 1, (WSK_BILL_MONTHS - 1) * sizeof *b->months);
    wsk_bill_month *m = &b->months[b->n_months < WSK_BILL_MONTHS ? b->n_months : WSK_BILL_MONTHS - 1];
    *m = (wsk_bill_month){.from_civil_s = b->month_civil_s,
                          .share = b->month_share,
                          .energy_j = wsk_sum_value(&b->month_j),
                          .cost = (cost + lacks) * tax_of(g),
                          .peak_w = b->month_peak_w};
    b->n_months++;
}

/* A demand window is a period over which power is averaged. */

static void close_window(wsk_bill *b, const wsk_billing *g, int i)
{
    double mean = b->window_j[i] / (double)g->demands[i].window_s;
    if (b->window_counts[i]) {
        const int group = g->demands[i].group;
        if (mean > b->peak_w[group]) {
            b->peak_w[group] = mean;
            b->peak_rise_w[group] = b->window_rise_j[i] / (double)g->demands[i].window_s;
        }
        b->month_peak_w = wsk_max(b->month_peak_w, mean);
    }
    b->window_j[i] = b->window_rise_j[i] = 0;
    b->window_end_s[i] = 0;
}

static void close_windows(wsk_bill *b, const wsk_billing *g, int64_t utc_s)
{
    bool any = false;
    for (int i = 0; i < g->n_demands; i++)
        if (b->window_end_s[i] && utc_s >= b->window_end_s[i]) {
            close_window(b, g, i);
            any = true;
        }
    if (any)
        b->demand_open = demand_cost(b, g, b->peak_w);
}

static int64_t open_windows(wsk_bill *b, const wsk_billing *g, const wsk_local *now)
{
    int64_t until = INT64_MAX;
    for (int i = 0; i < g->n_demands; i++) {
        int64_t window = g->demands[i].window_s;
        if (!b->window_end_s[i]) {
            b->window_end_s[i] = now->utc_s + window - now->second % window;
            b->window_counts[i] = wsk_span_holds(&g->demands[i].when, now);
        }
        until = earlier(until, b->window_end_s[i]);
    }
    return until;
}

static void set_rates(wsk_bill *b, const wsk_billing *g, const wsk_local *now, const wsk_date *date, int64_t *hold_s)
{
    wsk_rate price = {.until_s = INT64_MAX}, carbon = price;
    if (g->tariff) {
        const wsk_tariff_params *t = g->tariff;
        g->tariff_ops->at(g, now, &price);
        b->price_j = price.price + (t->surcharge_j > 0 || t->surcharge_j < 0 ? t->surcharge_j : 0);
        double day = g->dated ? (double)(utc_of(g, (date->days + 1) * WSK_DAY_S) - utc_of(g, date->days * WSK_DAY_S))
                              : WSK_DAY_S;
        double month = g->dated ? (double)(b->month_to_s - b->month_from_s) : 1;
        b->standing_s = (t->standing_day > 0 ? t->standing_day / day : 0) +
                        (t->standing_month > 0 ? t->standing_month / month : 0);
        b->minimum_s =
            (t->minimum_day > 0 ? t->minimum_day / day : 0) + (t->minimum_month > 0 ? t->minimum_month / month : 0);
    }
    if (g->carbon) {
        wsk_local green = *now;
        green.season = wsk_season_of(&g->carbon_seasons, date);
        g->carbon_ops->at(g, &green, &carbon);
        b->carbon_kg_j = carbon.price;
    }
    b->period = price.period;
    *hold_s = earlier(price.until_s, carbon.until_s);
}

enum { SOLAR_HOLDS_S = 900 }; /* solar power is taken as constant over each quarter of an hour */

/* The solar power of a quarter of an hour is the one at its middle. Shortens *hold_s, the time for which the rates
 * hold, s, if solar power or feed-in price change sooner. */
static void set_solar(wsk_bill *b, const wsk_billing *g, const wsk_local *now, const wsk_date *date, int64_t *hold_s)
{
    const wsk_curve *c = &g->solar->surplus;
    int quarter = now->second - now->second % SOLAR_HOLDS_S, rank = -1,
        day = (int)(date->days - wsk_days_of(date->year, 1, 1)) + 1;
    double middle = quarter + SOLAR_HOLDS_S / 2.0;
    b->solar_w = g->solar_month[date->month - 1] *
                 (g->sun ? wsk_sun_power(g->sun, c, day, (double)(now->civil_s - now->utc_s), middle)
                         : wsk_sun_curve(c, middle));
    b->feed_in_j = g->solar->feed_in_j;
    for (int i = 0; i < g->n_feeds; i++)
        if (wsk_span_holds(&g->feeds[i].when, now) && g->feeds[i].when.rank > rank) {
            rank = g->feeds[i].when.rank;
            b->feed_in_j = g->feeds[i].price_j;
        }
    *hold_s = earlier(*hold_s, quarter + SOLAR_HOLDS_S - now->second);
    for (int i = 0; i < g->n_feeds; i++) {
        const wsk_span *s = &g->feeds[i].when;
        for (int k = 0; s->timed && k < 2; k++)
            if ((k ? s->to_s : s->from_s) > now->second)
                *hold_s = earlier(*hold_s, (k ? s->to_s : s->from_s) - now->second);
    }
}

/* Begins a segment at t_ns: closes the windows and the month that have ended, and sets the rates and the end of the
 * segment. If nothing depends on time, the segment never ends. */
static void open_segment(wsk_bill *b, const wsk_billing *g, int64_t t_ns)
{
    int64_t hold, until = INT64_MAX, clock_until;
    wsk_date date;
    wsk_local now = local_at(g, t_ns, &date, &clock_until);
    if (g->dated) {
        close_windows(b, g, now.utc_s);
        if (b->month_to_s && now.utc_s >= b->month_to_s)
            close_month(b, g);
        if (!b->month_to_s || now.utc_s >= b->month_to_s)
            open_month(b, g, t_ns, &date);
        until = earlier(open_windows(b, g, &now), b->month_to_s);
    }
    b->season = now.season;
    set_rates(b, g, &now, &date, &hold);
    if (g->solar)
        set_solar(b, g, &now, &date, &hold);
    if (hold < INT64_MAX || g->dated) {
        until = earlier(until, earlier(clock_until, now.utc_s + later(earlier(hold, WSK_DAY_S - now.second), 1)));
        until = later(until, now.utc_s + 1); /* a segment lasts at least one second, whatever the time zone says */
    }
    b->began_ns = t_ns;
    bool never = until == INT64_MAX || until - g->start_utc_s > INT64_MAX / WSK_NS;
    b->until_ns = never ? INT64_MAX : (until - g->start_utc_s) * WSK_NS;
}

static double block_part(const wsk_bill *b, const wsk_billing *g, double more_j)
{
    if (!g->n_blocks)
        return 0;
    double from = wsk_sum_value(&b->month_j) + g->tariff->other_use_j * b->month_share;
    return wsk_blocks_cost(g, (int)b->season, from, from + more_j, b->month_share);
}

/* Energy from the site's own solar power passes no meter, so no charge of the tariff applies to it. One joule more is
 * bought from the grid while power is at or above solar power; otherwise it costs the lost feed-in payment. */
static void price_segment(wsk_bill *b, const wsk_billing *g, int64_t t_ns)
{
    const double own = wsk_sum_value(&b->open_own_j), joule = wsk_sum_value(&b->open_j) - own;
    const double time = (double)(t_ns - b->began_ns) / 1e9;
    const double rise = b->solar_w > 0 ? wsk_sum_value(&b->open_above_j) : joule;
    b->open_j = b->open_own_j = b->open_above_j = (wsk_sum){0};
    b->began_ns = t_ns;
    wsk_sum_add(&b->total_j, joule + own);
    wsk_sum_add(&b->own_j, own);
    wsk_sum_add(&b->feed_in, own * b->feed_in_j);
    wsk_sum_add(&b->feed_in_rise, (joule + own - rise) * b->feed_in_j);
    wsk_sum_add(&b->carbon, joule * b->carbon_kg_j);
    wsk_sum_add(&b->carbon_rise, rise * b->carbon_kg_j);
    if (!g->tariff)
        return;
    double cost = joule * b->price_j + block_part(b, g, joule);
    wsk_sum_add(&b->energy, cost);
    wsk_sum_add(&b->period_j[b->period], joule);
    wsk_sum_add(&b->period_cost[b->period], cost);
    wsk_sum_add(&b->standing, b->standing_s * time);
    wsk_sum_add(&b->month_j, joule);
    wsk_sum_add(&b->month_cost, cost + b->standing_s * time);
    wsk_sum_add(&b->month_rise_j, rise);
    wsk_sum_add(&b->month_rated, rise * b->price_j);
    wsk_sum_add(&b->month_minimum, b->minimum_s * time);
    for (int i = 0; i < g->n_demands; i++) {
        b->window_j[i] += joule;
        b->window_rise_j[i] += rise;
    }
}

void wsk_bill_open(wsk_bill *b, const wsk_billing *g, int64_t start_ns, int64_t end_ns)
{
    *b = (wsk_bill){.end_ns = end_ns, .began_ns = start_ns, .until_ns = INT64_MAX};
    if (g)
        open_segment(b, g, start_ns);
}

static void add_open(wsk_bill *b, double power_w, double time)
{
    wsk_sum_add(&b->open_j, power_w * time);
    if (b->solar_w > 0) {
        wsk_sum_add(&b->open_own_j, wsk_min(power_w, b->solar_w) * time);
        wsk_sum_add(&b->open_above_j, power_w < b->solar_w ? 0 : power_w * time);
    }
}

void wsk_bill_add(wsk_bill *b, const wsk_billing *g, int64_t from_ns, int64_t to_ns, double power_w)
{
    while (to_ns >= b->until_ns) {
        int64_t cut = b->until_ns;
        add_open(b, power_w, (double)(cut - from_ns) / 1e9);
        price_segment(b, g, cut);
        open_segment(b, g, cut);
        from_ns = cut;
    }
    if (to_ns > from_ns)
        add_open(b, power_w, (double)(to_ns - from_ns) / 1e9);
}

double wsk_bill_cost(const wsk_bill *b, const wsk_billing *g, int64_t now_ns)
{
    const double own = wsk_sum_value(&b->open_own_j), open = wsk_sum_value(&b->open_j) - own,
                 energy = wsk_sum_value(&b->energy) + open * b->price_j + block_part(b, g, open);
    return energy * tax_of(g) + wsk_sum_value(&b->feed_in) + own * b->feed_in_j + wsk_bill_other(b, g, now_ns);
}

double wsk_bill_other(const wsk_bill *b, const wsk_billing *g, int64_t now_ns)
{
    const double standing = wsk_sum_value(&b->standing) + b->standing_s * ((double)(now_ns - b->began_ns) / 1e9);
    return (standing + wsk_sum_value(&b->demand) + b->demand_open + wsk_sum_value(&b->minimum)) * tax_of(g);
}

bool wsk_bill_has_other(const wsk_billing *g)
{
    const wsk_tariff_params *t = g->tariff;
    return g->n_demands > 0 || t->standing_day > 0 || t->standing_month > 0 || t->minimum_day > 0 ||
           t->minimum_month > 0;
}

void wsk_bill_close(wsk_bill *b, const wsk_billing *g, int64_t now_ns)
{
    price_segment(b, g, now_ns);
    if (!g->dated || utc_at(g, now_ns) <= b->month_from_s) /* a month of which the run covers no time is left out */
        return;
    for (int i = 0; i < g->n_demands; i++)
        if (b->window_j[i] > 0)
            close_window(b, g, i);
    close_month(b, g);
}

double wsk_bill_marginal(const wsk_bill *b, const wsk_billing *g)
{
    /* a tariff without dates has no months, so the rise of its energy cost was never added to `marginal` */
    const double sum = wsk_sum_value(&b->marginal) + (g->dated ? 0 : wsk_sum_value(&b->month_rated));
    return sum * tax_of(g) + wsk_sum_value(&b->feed_in_rise);
}

/* Heat that the run puts into the building, J: all energy that the rig and the other loads draw. NAN: facility water
 * carries part of the heat away. */
static double room_heat_j(const wsk_run *run)
{
    const wsk_ledger *l = &run->books->ledger;
    for (int i = 0; i < run->net->n_circuit; i++)
        if (run->net->circuits[i].facility)
            return NAN;
    for (int i = 0; i < run->net->n_case; i++)
        if (run->net->cases[i].door)
            return NAN;
    return wsk_sum_value(&l->wall) + wsk_sum_value(&l->side);
}

/* Sets *hours if the span is limited to some hours, *days if it is limited to some days of the week. Limits to
 * holidays or seasons do not count, because even a whole week may contain none of them. */
static void take_span(const wsk_span *s, bool *hours, bool *days)
{
    *hours = *hours || s->timed;
    *days = *days || (s->days & 0x7fu) != 0x7fu;
}

/* True if a run of this time, s, lacks hours or days of the week for which the tariff has other prices. */
static bool is_partial(const wsk_billing *g, double time)
{
    const wsk_series *file = &g->tariff->file;
    bool hours = file->count > 0 || (g->solar && g->solar->surplus.count > 1),
         days = file->count > 0 && (file->civil || file->period_s > WSK_DAY_S);
    for (int i = 0; i < g->n_periods; i++)
        take_span(&g->periods[i].when, &hours, &days);
    for (int i = 0; i < g->n_demands; i++)
        take_span(&g->demands[i].when, &hours, &days);
    for (int i = 0; i < g->n_feeds; i++)
        take_span(&g->feeds[i].when, &hours, &days);
    return time < 7 * WSK_DAY_S && (days || (hours && fmod(time, WSK_DAY_S) > 0));
}

wsk_account wsk_bill_account(const wsk_run *run)
{
    const wsk_billing *g = run->net->billing;
    const double year_s = 365.0 * WSK_DAY_S;
    double time = wsk_window_s(run);
    wsk_account a = {.tax = 1, .bill = run->books->bill};
    a.cost = a.annual = a.marginal = a.energy = a.demand = a.standing = a.minimum = a.carbon_kg =
        a.carbon_marginal_kg = NAN;
    a.solar = a.solar_j = a.heating_j = a.heating = NAN;
    if (!g)
        return a;
    wsk_bill_close(&a.bill, g, run->head->t_ns);
    if (g->carbon && !(run->steady && g->carbon_ops->dated))
        a.carbon_kg = wsk_sum_value(&a.bill.carbon), a.carbon_marginal_kg = wsk_sum_value(&a.bill.carbon_rise);
    if (!g->tariff || (run->steady && g->dated))
        return a;
    a.tax = tax_of(g);
    a.energy = wsk_sum_value(&a.bill.energy) * a.tax;
    a.demand = wsk_sum_value(&a.bill.demand) * a.tax;
    a.standing = wsk_sum_value(&a.bill.standing) * a.tax;
    a.minimum = wsk_sum_value(&a.bill.minimum) * a.tax;
    a.solar = g->solar ? wsk_sum_value(&a.bill.feed_in) : NAN;
    a.solar_j = g->solar ? wsk_sum_value(&a.bill.own_j) : NAN;
    a.cost = a.energy + a.demand + a.standing + a.minimum + (g->solar ? a.solar : 0);
    a.annual = a.cost * year_s / time;
    a.marginal = wsk_bill_marginal(&a.bill, g);
    a.annual_basis = time >= year_s ? "simulated" : "repeated";
    a.annual_partial = is_partial(g, time);
    if (g->heating) {
        const wsk_heating_params *h = g->heating;
        a.heating_j = room_heat_j(run) * year_s / time * h->season * h->used;
        a.heating = a.heating_j * h->price_j / h->efficiency;
    }
    return a;
}

double wsk_bill_of_hours(const wsk_billing *g, const double watts[24])
{
    const int64_t year = INT64_C(365) * WSK_DAY_S * WSK_NS;
    wsk_bill b;
    bool constant = true;
    for (int h = 1; h < 24; h++)
        constant = constant && watts[h] == watts[0];
    wsk_bill_open(&b, g, 0, year);
    if (constant)
        wsk_bill_add(&b, g, 0, year, watts[0]);
    for (int64_t t = constant ? year : 0, to; t < year; t = to) {
        wsk_date date;
        int64_t unused;
        const wsk_local now = local_at(g, t, &date, &unused);
        to = earlier(t + (3600 - now.second % 3600) * WSK_NS, year);
        wsk_bill_add(&b, g, t, to, watts[now.second / 3600]);
    }
    wsk_bill_close(&b, g, year);
    return (wsk_sum_value(&b.energy) + wsk_sum_value(&b.demand) + wsk_sum_value(&b.minimum)) * tax_of(g) +
           wsk_sum_value(&b.feed_in);
}
