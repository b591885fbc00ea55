/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cli/compare/words.h"

static void set(wsk_summary *s, wsk_result result, double value)
{
    wsk_cli_check_memory(wsk_summary_set_number(s, result, 0, value) != WSK_ENOMEM);
}

static void set_text(wsk_summary *s, wsk_result result, const char *text)
{
    wsk_cli_check_memory(wsk_summary_set_text(s, result, 0, text) != WSK_ENOMEM);
}

static void set_energy(wsk_summary *s)
{
    for (int k = 0; k < WSK_CLI_CATEGORIES; k++)
        set(s, wsk_cli_category_result((wsk_cli_category)k), wsk_cli_category_kwh(s, (wsk_cli_category)k));
    set(s, WSK_R_WHERE_PSU_COOLING, wsk_cli_psu_cooling_kwh(s));
}

static void set_spread(const wsk_cli_case *c, const wsk_cli_comparison *all)
{
    static const struct {
        wsk_result spread, above; /* above: WSK_RESULTS: none */
        wsk_cli_measure by;
    } bands[] = {{WSK_R_SPREAD_COST, WSK_R_ABOVE_COST, WSK_CLI_BY_COST},
                 {WSK_R_SPREAD_ANNUAL, WSK_RESULTS, WSK_CLI_BY_ANNUAL},
                 {WSK_R_SPREAD_WORK, WSK_R_ABOVE_WORK, WSK_CLI_BY_WORK},
                 {WSK_R_SPREAD_PER_WORK, WSK_R_ABOVE_PER_WORK, WSK_CLI_BY_PER_WORK},
                 {WSK_R_SPREAD_ALL_IN, WSK_RESULTS, WSK_CLI_BY_ALL_IN},
                 {WSK_R_SPREAD_ENERGY, WSK_R_ABOVE_ENERGY, WSK_CLI_BY_ENERGY},
                 {WSK_R_SPREAD_DIE_MAX, WSK_R_ABOVE_DIE_MAX, WSK_CLI_BY_DIE},
                 {WSK_R_SPREAD_NOISE, WSK_R_ABOVE_NOISE, WSK_CLI_BY_NOISE},
                 {WSK_R_SPREAD_PURCHASE, WSK_RESULTS, WSK_CLI_BY_PURCHASE},
                 {WSK_R_SPREAD_COUNT, WSK_R_ABOVE_COUNT, WSK_CLI_BY_COUNTED},
                 {WSK_R_SPREAD_PER_COUNT, WSK_R_ABOVE_PER_COUNT, WSK_CLI_BY_COUNT},
                 {WSK_R_SPREAD_PER_KWH, WSK_R_ABOVE_PER_KWH, WSK_CLI_BY_WORK_PER_ENERGY}};
    for (size_t k = 0; k < sizeof bands / sizeof *bands; k++) {
        set(c->summary, bands[k].spread, c->spread_known ? wsk_cli_band(c, bands[k].by, &all->finance) : NAN);
        if (bands[k].above != WSK_RESULTS && c->spread_known)
            set(c->summary, bands[k].above, wsk_cli_sides_of(c, bands[k].by, &all->finance).above);
    }
}

/* Sets the differences from the first case. The difference of work is that of the runs, and null if their durations
 * differ; with --annual it is that of a year. A difference of money is null if the currencies of electricity differ; a
 * difference of GPU-hours, or of a cost per GPU-hour, is null if the cards differ. */
static void set_against_first(const wsk_cli_case *c, const wsk_cli_comparison *all)
{
    static const struct {
        wsk_result difference, spread;
        wsk_cli_measure by;
        bool money, per_hour;
    } rows[] = {{WSK_R_MORE_ANNUAL, WSK_R_MORE_ANNUAL_SPREAD, WSK_CLI_BY_ANNUAL, true, false},
                {WSK_R_MORE_WORK, WSK_R_MORE_WORK_SPREAD, WSK_CLI_BY_WORK, false, true},
                {WSK_R_MORE_PER_WORK, WSK_R_MORE_PER_WORK_SPREAD, WSK_CLI_BY_PER_WORK, true, true},
                {WSK_R_MORE_ALL_IN, WSK_R_MORE_ALL_IN_SPREAD, WSK_CLI_BY_ALL_IN, true, true}};
    const wsk_cli_case *first = all->cases;
    bool unlike_money = wsk_cli_other_currency(c->currency, first->currency),
         unlike_cards = strcmp(c->cards, first->cards) != 0;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const bool total = rows[k].by == WSK_CLI_BY_WORK,
                   apart = (rows[k].money && unlike_money) || (rows[k].per_hour && unlike_cards) ||
                           (total && !all->annual && !wsk_cli_same_time((const wsk_cli_case[]){*first, *c}, 2));
        const double mine = wsk_cli_per(c, total && all->annual), its = wsk_cli_per(first, total && all->annual);
        set(c->summary, rows[k].difference,
            apart ? NAN : mine * wsk_cli_measured(c, rows[k].by) - its * wsk_cli_measured(first, rows[k].by));
        set(c->summary, rows[k].spread,
            apart ? NAN : wsk_cli_band_scaled(first, its, c, mine, rows[k].by, &all->finance));
    }
}

static void set_cloud(const wsk_cli_case *c, const wsk_cli_finance *f)
{
    wsk_summary *s = c->summary;
    if (!c->cloud.asked)
        return;
    set(s, WSK_R_CLOUD_PRICE, f->cloud);
    set_text(s, WSK_R_CLOUD_CURRENCY, f->cloud_currency);
    set(s, WSK_R_CLOUD_OWN, c->cloud.own);
    wsk_cli_check_memory(wsk_summary_set_flag(s, WSK_R_CLOUD_NEVER, 0, c->cloud.never) != WSK_ENOMEM);
    set(s, WSK_R_CLOUD_GPU_HOURS, c->cloud.gpu_h);
    set(s, WSK_R_CLOUD_HOURS, c->cloud.hours);
    set(s, WSK_R_CLOUD_HOURS_PER_YEAR, c->cloud.hours_per_year);
    set(s, WSK_R_CLOUD_YEARS, c->cloud.years_at_this_use);
}

static void set_case(const wsk_cli_case *c, const wsk_cli_comparison *all)
{
    wsk_summary *s = c->summary;
    set_text(s, WSK_R_LABEL, c->label);
    set(s, WSK_R_PAYBACK, c->payback_years);
    set(s, WSK_R_NPV, c->npv);
    set(s, WSK_R_POWER_LIMIT, c->limit_w / (double)wsk_summary_count(s, WSK_SCOPE_GPU));
    set(s, WSK_R_RATE, all->finance.rate);
    set(s, WSK_R_YEARS, all->finance.years);
    set_text(s, WSK_R_UNPRICED, c->unpriced ? c->unpriced : "");
    set(s, WSK_R_PURCHASE_PRICED, c->purchase);
    set(s, WSK_R_ALL_IN, c->all_in);
    set(s, WSK_R_TRIP, c->trip);
    set(s, WSK_R_PSU_PEAK, c->supply_peak);
    set(s, WSK_R_CIRCUIT_PEAK, c->circuit_peak);
    set(s, WSK_R_FEED_PEAK, c->feed_peak);
    set_energy(s);
    set_spread(c, all);
    if (c->spread_known)
        set_against_first(c, all);
    set_cloud(c, &all->finance);
}

static void set_head(wsk_summary *s, const wsk_cli_comparison *all)
{
    const char *by = all->work == WSK_CLI_UNITS   ? all->cases[0].counted
                     : all->work == WSK_CLI_HOURS ? "GPU-hours"
                                                  : NULL;
    wsk_cli_check_memory(wsk_summary_set_flag(s, WSK_R_COMPARE_ANNUAL, 0, all->annual) != WSK_ENOMEM);
    set_text(s, WSK_R_COMPARE_WORK_BY, by);
    set_text(s, WSK_R_COMPARE_DIGESTS, all->digests);
}

static void set_verdict(wsk_summary *s, const wsk_cli_comparison *all)
{
    char *head, **names = wsk_cli_name_cases(all, &head);
    const wsk_cli_common common = wsk_cli_common_of(all, names);
    wsk_lines lines = {.arena = wsk_arena_new()};
    wsk_said_list parts = {.arena = lines.arena};
    wsk_cli_verdict_say(&common, &lines);
    for (size_t i = 0; i < lines.count; i++)
        wsk_said_add(&parts, lines.items[i].said);
    set_text(
        s, WSK_R_COMPARE_VERDICT,
        wsk_said_english(parts.arena, wsk_said_link_all(&parts, WSK_SAY_JOIN_SENTENCES, WSK_SAY_JOIN_SENTENCES)));
    if (lines.failed || parts.failed ||
        wsk_summary_set_messages(s, WSK_R_COMPARE_VERDICT_PARTS, 0, parts.items, parts.count) == WSK_ENOMEM)
        wsk_cli_no_memory();
    wsk_arena_free(lines.arena);
    wsk_cli_names_free(names, all->count, head);
}

bool wsk_cli_compare_json(FILE *out, const wsk_cli_comparison *all)
{
    char *text = NULL;
    const wsk_summary **cases = wsk_cli_alloc((all->count + 1) * sizeof *cases);
    for (size_t i = 0; i < all->count; i++) {
        set_case(&all->cases[i], all);
        cases[i] = all->cases[i].summary;
    }
    set_head(all->cases[0].summary, all);
    set_verdict(all->cases[0].summary, all);
    bool ok = wsk_summaries_json(cases, all->count, &text) == WSK_OK;
    if (ok)
        fputs(text, out);
    wsk_text_free(text);
    free(cases);
    return ok;
}
