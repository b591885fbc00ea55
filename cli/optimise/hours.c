/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hours of the day in which the work runs, as a setting: 1 to 24 hours, the cheapest first by the tariff over the run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/optimise/optimise.h"

enum { DAY = 24 };

/* The hour of the day at which the run starts. */
static int first_hour(const wsk_rig *rig)
{
    const wsk_elements *list = NULL;
    int64_t civil_s = 0;
    const char *from = wsk_rig_elements(rig, &list) == WSK_OK
                           ? wsk_elements_text(list, wsk_elements_next(list, "run", -1, -1), "from")
                           : NULL;
    return from && wsk_parse_datetime(from, &civil_s) ? (int)(civil_s / 3600 % DAY) : 0;
}

/* Mean price of a kWh in each hour of the day, over the run. False: the rig cannot be run, or has no price. */
static bool find_prices(const wsk_rig *rig, double price[DAY])
{
    wsk_run *run = NULL;
    double cost[DAY] = {0}, energy[DAY] = {0}, was_cost = 0, was_kwh = 0, now_cost, now_kwh;
    const int first = first_hour(rig);
    bool ok = wsk_run_new(&run, rig, &(wsk_run_options){.leap = true, .no_series = true}) == WSK_OK;
    for (int hour = 0; ok && wsk_run_time(run) < wsk_run_duration(run); hour++) {
        ok = wsk_run_advance(run, 3600. * (hour + 1)) == WSK_OK &&
             wsk_run_get(run, wsk_var_about(WSK_VAR_COST)->name, &now_cost) == WSK_OK &&
             wsk_run_get(run, wsk_var_about(WSK_VAR_ENERGY_KWH)->name, &now_kwh) == WSK_OK;
        if (!ok)
            break;
        cost[(first + hour) % DAY] += now_cost - was_cost;
        energy[(first + hour) % DAY] += now_kwh - was_kwh;
        was_cost = now_cost;
        was_kwh = now_kwh;
    }
    wsk_run_free(run);
    for (int h = 0; h < DAY; h++) {
        price[h] = cost[h] / energy[h];
        ok = ok && isfinite(price[h]);
    }
    return ok;
}

/* The cheapest hour in which the work does not run yet; of equal hours, one beside an hour in which it runs. */
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

/* "0 h:100 %, 5.99 h:100 %, 6 h:0 %, ..."; caller frees. */
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

/* "0-6, 22-24"; caller frees. */
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
    if (!find_prices(base, price)) {
        wsk_cli_error(
            T_("--over '%s': the hours are sorted by their price: the rig needs a tariff, work in each hour, and a "
               "run of a day or more"),
            name);
        return WSK_EINPUT;
    }
    wsk_setting *s = wsk_choices_open(c, name);
    if (!s)
        return WSK_EUSAGE;
    s->ordered = true;
    c->paths[c->count - 1] = wsk_cli_format("%s", name);
    for (int n = 0; n < DAY; n++) {
        on[next_hour(price, on)] = true;
        wsk_cli_push(&c->of[c->count - 1].values, curve_of(on));
        wsk_cli_push(&c->of[c->count - 1].shown, hours_of(on));
    }
    wsk_choices_close(c);
    return WSK_OK;
}
