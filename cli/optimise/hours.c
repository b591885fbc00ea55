/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schedules as settings of the search: the hours of the day in which the work runs (1 to 24 hours, the cheapest
 * first, by the tariff or by carbon dioxide over the run), and a load or power limit for each group of hours with
 * about the same price. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/optimise/optimise.h"
#include "sim/base/calendar.h"

enum { DAY = 24 };

/* The local clock of a run. zone NULL: no time zone is known, and the clock never changes. */
typedef struct {
    wsk_arena *arena;
    const wsk_zone *zone;
    int64_t start_s; /* start of the run, s since 1970, in UTC; without a zone, by the local clock */
} local_clock;

static local_clock clock_of(const wsk_rig *rig)
{
    local_clock c = {.arena = wsk_arena_new()};
    const wsk_elements *list = wsk_cli_elements(rig);
    const char *from = wsk_elements_text(list, wsk_elements_next(list, "run", -1, -1), "from");
    c.zone = wsk_cli_zone(c.arena, list);
    if (!from || !wsk_parse_datetime(from, &c.start_s))
        c = (local_clock){.arena = c.arena};
    if (c.zone)
        c.start_s = wsk_zone_utc(c.zone, c.start_s);
    wsk_elements_free(list);
    return c;
}

/* Seconds since midnight by the local clock, t_s after the start of the run. */
static double time_of_day(const local_clock *c, double t_s)
{
    const int64_t now_s = c->start_s + (int64_t)t_s;
    return (double)wsk_date_of(now_s + (c->zone ? wsk_zone_offset(c->zone, now_s, NULL) : 0)).second;
}

/* Sets *spent to the cost of energy so far, without demand and standing charges; carbon true: to the carbon dioxide so
 * far, kg. */
static bool read_spent(const wsk_run *run, bool carbon, double *spent)
{
    if (!carbon) {
        double other = 0; /* stays 0 if the tariff has no such charges: the run then lacks the variable */
        (void)wsk_run_get(run, wsk_var_about(WSK_VAR_COST_OTHER)->name, &other);
        return wsk_run_get(run, wsk_var_about(WSK_VAR_COST)->name, spent) == WSK_OK && isfinite(*spent -= other);
    }
    wsk_summary *now = NULL;
    const bool ok = wsk_run_summary(&now, run, 0) == WSK_OK;
    *spent = ok ? wsk_summary_number(now, WSK_R_CARBON, 0) : NAN;
    wsk_summary_free(now);
    return ok;
}

static bool find_prices(const wsk_rig *rig, bool carbon, double price[DAY])
{
    wsk_run *run = NULL;
    double spent[DAY] = {0}, energy[DAY] = {0}, was = 0, was_kwh = 0, now, now_kwh;
    local_clock clock = clock_of(rig);
    bool ok = wsk_run_new(&run, rig, &(wsk_run_options){.leap = true, .no_series = true}) == WSK_OK;
    while (ok && wsk_run_time(run) < wsk_run_duration(run)) {
        const double since_s = time_of_day(&clock, wsk_run_time(run));
        const int hour = (int)since_s / 3600;
        ok = wsk_run_advance(run, wsk_run_time(run) + 3600 * (hour + 1) - since_s) == WSK_OK &&
             read_spent(run, carbon, &now) &&
             wsk_run_get(run, wsk_var_about(WSK_VAR_ENERGY_KWH)->name, &now_kwh) == WSK_OK;
        if (!ok)
            break;
        spent[hour] += now - was;
        energy[hour] += now_kwh - was_kwh;
        was = now;
        was_kwh = now_kwh;
    }
    wsk_arena_free(clock.arena);
    wsk_run_free(run);
    for (int h = 0; h < DAY; h++) {
        price[h] = spent[h] / energy[h];
        ok = ok && isfinite(price[h]);
    }
    return ok;
}

static bool know_prices(const wsk_choices *c, const char *name, const wsk_rig *base, double price[DAY])
{
    if (find_prices(base, c->by_carbon, price))
        return true;
    wsk_cli_error(
        T_("--over '%s': the hours are sorted by their price: the rig needs a tariff, work in each hour, and a "
           "run of a day or more"),
        name);
    return false;
}

static int next_hour(const double price[DAY], const bool on[DAY])
{
    int best = -1;
    bool best_beside = false;
    for (int h = 0; h < DAY; h++) {
        const bool beside = on[(h + 1) % DAY] || on[(h + DAY - 1) % DAY];
        const double gap = best < 0 ? -1 : price[h] - price[best];
        if (on[h] || gap > 1e-9 * fabs(price[h]) ||
            (gap > -1e-9 * fabs(price[h]) && best >= 0 && (best_beside || !beside)))
            continue;
        best = h;
        best_beside = beside;
    }
    return best;
}

/* Formats the hours as a load curve: "0 h:100 %, 5.98 h:100 %, 6 h:0 %, ...". A load curve is interpolated between
 * its points, so each block of hours also gets a point just before its end. Caller frees. */
static char *curve_of(const bool on[DAY])
{
    char *text = wsk_cli_format("0 h:%d %%", on[0] ? 100 : 0);
    for (int h = 1; h <= DAY; h++) {
        if (on[h - 1] == on[h % DAY])
            continue;
        char *longer = h < DAY ? wsk_cli_format("%s, %d.98 h:%d %%, %d h:%d %%", text, h - 1, on[h - 1] ? 100 : 0, h,
                                                on[h] ? 100 : 0)
                               : wsk_cli_format("%s, %d.98 h:%d %%", text, h - 1, on[h - 1] ? 100 : 0);
        free(text);
        text = longer;
    }
    return text;
}

static char *hours_of(const bool on[DAY])
{
    char *text = wsk_cli_format("%s", "");
    for (int h = 0; h < DAY; h++) {
        const int from = h;
        while (h < DAY && on[h])
            h++;
        if (h == from)
            continue;
        char *longer = wsk_cli_format("%s%s%d-%d h", text, *text ? " " : "", from, h);
        free(text);
        text = longer;
    }
    return text;
}

int wsk_choices_hours(wsk_choices *c, const char *name, const wsk_rig *base)
{
    double price[DAY];
    bool on[DAY] = {false};
    if (!know_prices(c, name, base, price))
        return WSK_EINPUT;
    wsk_setting *s = wsk_choices_open(c, name);
    if (!s)
        return WSK_EUSAGE;
    s->ordered = c->over_time = true;
    c->paths[c->count - 1] = wsk_cli_format("%s", name);
    for (int n = 0; n < DAY; n++) {
        on[next_hour(price, on)] = true;
        wsk_cli_push(&c->of[c->count - 1].values, curve_of(on));
        wsk_cli_push(&c->of[c->count - 1].shown, hours_of(on));
    }
    wsk_choices_close(c);
    return WSK_OK;
}

/* Hours to which the same demand charges apply are divided by price into at most GROUPS groups. */
enum { GROUPS = 4 };

/* Sets charges[h] for each hour h: a bit for each demand charge that applies only in certain hours and applies in
 * this one or a part of it. */
static void find_charges(const wsk_rig *rig, unsigned charges[DAY])
{
    const wsk_elements *list = wsk_cli_elements(rig);
    unsigned bit = 1;
    for (int i = -1; (i = wsk_elements_next(list, "demand", i, -1)) >= 0 && bit; bit <<= 1) {
        const char *from = wsk_elements_text(list, i, "from"), *to = wsk_elements_text(list, i, "to");
        double from_s, to_s;
        if (!from || !to || !wsk_parse_day_time(from, &from_s) || !wsk_parse_day_time(to, &to_s))
            continue;
        const int first = (int)(from_s / 3600) % DAY, last = (int)ceil(to_s / 3600) % DAY,
                  hours = (last - first + DAY - 1) % DAY + 1;
        for (int k = 0; k < hours; k++)
            charges[(first + k) % DAY] |= bit;
    }
    wsk_elements_free(list);
}

typedef struct {
    int of[DAY];
    int count;
    bool falls[DAY]; /* falls[g]: other demand charges apply to the hours of group g than to those of group g - 1 */
} hour_groups;

/* Sorts the hours: hours with the same demand charges stand together, the dearest of them first. */
static void sort_hours(const double price[DAY], const unsigned charges[DAY], int order[DAY])
{
    for (int h = 0; h < DAY; h++) {
        int at = h;
        for (; at > 0; at--) {
            const int before = order[at - 1];
            if (charges[before] > charges[h] || (charges[before] == charges[h] && price[before] >= price[h]))
                break;
            order[at] = before;
        }
        order[at] = h;
    }
}

/* Divides hours with the same demand charges into groups at the largest gaps between their prices. A gap of at most 2 %
 * of the highest price divides nothing. */
static hour_groups part_hours(const double price[DAY], const unsigned charges[DAY])
{
    hour_groups g = {.count = 1};
    int order[DAY];
    bool cut[DAY] = {false};
    double highest = 0;
    sort_hours(price, charges, order);
    for (int k = 0; k < DAY; k++)
        highest = fmax(highest, fabs(price[k]));
    for (int k = 1, first = 0; k <= DAY; k++) {
        if (k < DAY && charges[order[k]] == charges[order[k - 1]])
            continue;
        for (int parts = 1, widest = 1; parts < GROUPS && widest; parts++) {
            double gap = 0.02 * highest;
            widest = 0;
            for (int i = first + 1; i < k; i++)
                if (!cut[i] && price[order[i - 1]] - price[order[i]] > gap) {
                    gap = price[order[i - 1]] - price[order[i]];
                    widest = i;
                }
            cut[widest] = cut[widest] || widest;
        }
        first = k;
    }
    for (int k = 1; k < DAY; k++) {
        const bool other = charges[order[k]] != charges[order[k - 1]];
        g.count += cut[k] || other;
        g.of[order[k]] = g.count - 1;
        g.falls[g.count - 1] = g.falls[g.count - 1] || other;
    }
    g.of[order[0]] = 0;
    return g;
}

/* Lists the times of the points of a group's curve. steps: a limit holds from its time on, so one point per block of
 * hours is enough; a load is interpolated, so the end of the block needs a point too. Caller frees. */
static char *places_of(const bool in[DAY], bool steps)
{
    char *text = wsk_cli_format("%s", "");
    for (int h = 0; h < DAY; h++) {
        const bool starts = in[h] && (h == 0 || !in[h - 1]), ends = in[h] && (h == DAY - 1 || !in[h + 1]) && !steps;
        char *longer = wsk_cli_format("%s%s", text, *text && (starts || ends) ? ", " : "");
        free(text);
        text = starts && ends ? wsk_cli_format("%s%d h, %d.98 h", longer, h, h)
               : starts       ? wsk_cli_format("%s%d h", longer, h)
               : ends         ? wsk_cli_format("%s%d.98 h", longer, h)
                              : wsk_cli_format("%s", longer);
        free(longer);
    }
    return text;
}

bool wsk_choices_by_hour(const char *path)
{
    return wsk_choices_ends(path, "limit-schedule") || wsk_choices_ends(path, "load-curve");
}

int wsk_choices_add_by_hour(wsk_choices *c, const char *name, const wsk_cli_list *values, const wsk_rig *base)
{
    double price[DAY];
    unsigned charges[DAY] = {0};
    if (!know_prices(c, name, base, price))
        return WSK_EINPUT;
    if (!c->by_carbon)
        find_charges(base, charges);
    const hour_groups groups = part_hours(price, charges);
    for (int g = 0; g < groups.count; g++) {
        bool in[DAY];
        for (int h = 0; h < DAY; h++)
            in[h] = groups.of[h] == g;
        char *hours = hours_of(in), *shown = wsk_cli_format("%s@%s", name, hours);
        wsk_setting *s = wsk_choices_open(c, shown);
        free(hours);
        free(shown);
        if (!s)
            return WSK_EUSAGE;
        s->ordered = c->over_time = true;
        s->falls = groups.falls[g];
        c->paths[c->count - 1] = wsk_cli_format("%s", name);
        c->places[c->count - 1] = places_of(in, wsk_choices_ends(name, "limit-schedule"));
        for (size_t i = 0; i < values->count; i++)
            wsk_cli_push(&c->of[c->count - 1].values, wsk_cli_format("%s", values->items[i]));
        wsk_choices_close(c);
    }
    return WSK_OK;
}
