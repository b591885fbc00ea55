/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.json: of each case its summary, and what the comparison adds. */
#include <math.h>
#include <string.h>

#include "cli/compare/compare.h"

/* The object without its closing brace, to which more is added. */
static int open_object(const char *json)
{
    size_t len = strlen(json);
    while (len && json[len - 1] != '}')
        len--;
    len -= len > 0;
    while (len && strchr(" \t\r\n", json[len - 1]))
        len--;
    return (int)len;
}

static void put(FILE *out, const char *before, const char *name, double value)
{
    fprintf(out, "%s\"%s\": ", before, name);
    wsk_json_put_number(out, value);
}

static void json_categories(FILE *out, const wsk_cli_case *c)
{
    static const char *const keys[WSK_CLI_CATEGORIES] = {
        "cards_kwh", "rest_kwh", "fans_kwh", "psu_loss_kwh", "loads_kwh", "feed_loss_kwh", "room_cooling_kwh"};
    for (int k = 0; k < WSK_CLI_CATEGORIES; k++)
        put(out, k ? ", " : ",\n  \"where\": { ", keys[k], wsk_cli_category_kwh(c->json, (wsk_cli_category)k));
    put(out, ", ", "psu_cooling_kwh", wsk_cli_psu_cooling_kwh(c->json));
    fputs(" }", out);
}

static void json_spread(FILE *out, const wsk_cli_case *c, const wsk_cli_comparison *all)
{
    static const struct {
        const char *key;
        wsk_cli_measure by;
    } bands[] = {{"cost", WSK_CLI_BY_COST},        {"annual", WSK_CLI_BY_ANNUAL},
                 {"work", WSK_CLI_BY_WORK},        {"cost_per_work", WSK_CLI_BY_PER_WORK},
                 {"all_in", WSK_CLI_BY_ALL_IN},    {"energy", WSK_CLI_BY_ENERGY},
                 {"die_max", WSK_CLI_BY_DIE},      {"noise", WSK_CLI_BY_NOISE},
                 {"purchase", WSK_CLI_BY_PURCHASE}};
    const wsk_cli_case *first = all->cases;
    if (!c->spread_known) {
        fputs(",\n  \"spread\": null", out);
        return;
    }
    char key[40];
    for (size_t k = 0; k < sizeof bands / sizeof *bands; k++) {
        snprintf(key, sizeof key, "%s_spread", bands[k].key);
        put(out, k ? ", " : ",\n  \"spread\": { ", key, wsk_cli_band(c, bands[k].by, &all->finance));
    }
    for (size_t k = 1; k < 5; k++) {
        double by = wsk_cli_measured(c, bands[k].by) - wsk_cli_measured(first, bands[k].by);
        double band = wsk_cli_band_between(c, first, bands[k].by, &all->finance, NULL);
        bool apart = bands[k].by != WSK_CLI_BY_WORK && wsk_cli_other_currency(c->currency, first->currency);
        apart = apart || (k > 1 && strcmp(c->cards, first->cards) != 0); /* hours of unlike cards */
        snprintf(key, sizeof key, "%s_difference", bands[k].key);
        put(out, k > 1 ? ", " : ",\n    \"against_first\": { ", key, apart ? NAN : by);
        snprintf(key, sizeof key, "%s_spread", bands[k].key);
        put(out, ", ", key, apart ? NAN : band);
    }
    fputs(" } }", out);
}

static void json_cloud(FILE *out, const wsk_cli_case *c, const wsk_cli_finance *f)
{
    if (!c->cloud.asked)
        return;
    put(out, ",\n  \"cloud\": { ", "price", f->cloud);
    fputs(", \"currency\": ", out);
    wsk_json_quote(out, f->cloud_currency);
    put(out, ", ", "own_per_gpu_h", c->cloud.own);
    fprintf(out, ", \"never\": %s", c->cloud.never ? "true" : "false");
    put(out, ", ", "breakeven_gpu_h", c->cloud.gpu_h);
    put(out, ", ", "breakeven_h", c->cloud.hours);
    put(out, ", ", "breakeven_h_per_year", c->cloud.hours_per_year);
    put(out, ", ", "breakeven_years", c->cloud.years_at_this_use);
    fputs(" }", out);
}

void wsk_cli_compare_json(FILE *out, const wsk_cli_comparison *all)
{
    fputs("{\"cases\": [\n", out);
    for (size_t i = 0; i < all->count; i++) {
        const wsk_cli_case *c = &all->cases[i];
        fprintf(out, "%.*s,\n  \"label\": ", open_object(c->json), c->json);
        wsk_json_quote(out, c->label);
        const struct {
            const char *name;
            double value;
        } more[] = {{"purchase", c->purchase},
                    {"payback_years", c->payback_years},
                    {"npv", c->npv},
                    {"power_limit_w", c->limit_w / (double)wsk_json_count(c->json, "gpus")},
                    {"cost_per_work", c->cost_per_work}};
        for (size_t m = 0; m < sizeof more / sizeof *more; m++) {
            char key[32];
            snprintf(key, sizeof key, "\"%s\":", more[m].name);
            if (!strstr(c->json, key)) /* the summary may have it already */
                put(out, ", ", more[m].name, more[m].value);
        }
        put(out, ",\n  ", "rate", all->finance.rate);
        fprintf(out, ", \"years\": %d, \"unpriced\": ", all->finance.years);
        wsk_json_quote(out, c->unpriced ? c->unpriced : "");
        put(out, ", ", "purchase_priced", c->purchase);
        put(out, ", ", "all_in", c->all_in);
        put(out, ", ", "trip_probability", c->trip);
        put(out, ", ", "supply_peak", c->supply_peak);
        put(out, ", ", "circuit_peak", c->circuit_peak);
        json_categories(out, c);
        json_spread(out, c, all);
        json_cloud(out, c, &all->finance);
        fputs(i + 1 < all->count ? "},\n" : "}\n", out);
    }
    fprintf(out, "], \"annual\": %s, \"work_by\": ", all->annual ? "true" : "false");
    if (all->work == WSK_CLI_HOURS || all->work == WSK_CLI_UNITS)
        wsk_json_quote(out, all->work == WSK_CLI_UNITS ? all->cases[0].counted : "GPU-hours");
    else
        fputs("null", out);
    fputs("}\n", out);
}
