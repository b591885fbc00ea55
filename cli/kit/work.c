/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/kit/work.h"

#include <stdlib.h>
#include <string.h>

#include "cli/kit/cli.h"

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void wsk_cli_name_cards(char out[WSK_CLI_CARDS_TEXT], const wsk_elements *rig)
{
    enum { MOST = 64 };
    char *all[MOST];
    size_t n = 0, used = 0;
    out[0] = '\0';
    for (int e = -1; n < MOST && (e = wsk_elements_next(rig, "gpu", e, -1)) >= 0;) {
        const char *name = wsk_elements_text(rig, e, "name"), *tdp = wsk_elements_text(rig, e, "tdp");
        if (name || tdp)
            all[n++] = wsk_cli_format("%s%s", name ? "" : "card of ", name ? name : tdp);
    }
    if (n)
        qsort(all, n, sizeof *all, by_name);
    bool one_kind = n && !strcmp(all[0], all[n - 1]);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && !strcmp(all[i], all[end]); end++)
            continue;
        char many[24] = "";
        if (!one_kind)
            snprintf(many, sizeof many, "%zu x ", end - i);
        int more = snprintf(out + used, WSK_CLI_CARDS_TEXT - used, "%s%s%s", used ? " and " : "", many, all[i]);
        used = more > 0 && used + (size_t)more < WSK_CLI_CARDS_TEXT ? used + (size_t)more : WSK_CLI_CARDS_TEXT - 1;
    }
    for (size_t i = 0; i < n; i++)
        free(all[i]);
}

static size_t add_rate(char *out, size_t size, const char *rate)
{
    const int more = snprintf(out, size, "%s;", rate);
    return more > 0 && (size_t)more < size ? (size_t)more : size - 1;
}

bool wsk_cli_worker_of(wsk_cli_worker *out, const wsk_rig *rig)
{
    static const char *const rates[] = {"rate", "measured-rate"};
    const wsk_elements *list = NULL;
    const bool ok = wsk_rig_elements(rig, &list) == WSK_OK;
    size_t used = 0;
    *out = (wsk_cli_worker){{0}, {0}};
    if (ok)
        wsk_cli_name_cards(out->cards, list);
    for (int e = -1; ok && (e = wsk_elements_next(list, "workload", e, -1)) >= 0;)
        for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
            const wsk_attribute *rate = wsk_elements_attribute(list, e, rates[i]);
            if (rate && strcmp(rate->origin->from, "default") != 0)
                used += add_rate(out->rates + used, sizeof out->rates - used, rate->text);
        }
    wsk_elements_free(list);
    return ok;
}

static const wsk_result hours[] = {WSK_R_WORK, WSK_R_WORK_UNTHROTTLED, WSK_R_REDONE, WSK_R_GPU_WORK,
                                   WSK_R_COST_PER_WORK},
                        counts[] = {WSK_R_COUNT, WSK_R_TOKENS_GENERATION, WSK_R_TOKENS_EACH_REQUEST,
                                    WSK_R_TOKENS_ENERGY, WSK_R_TOKENS_COST};

static bool is_hours(const char *goal)
{
    return wsk_cli_names_one(goal, hours, sizeof hours / sizeof *hours);
}

static bool is_count(const char *goal)
{
    return wsk_cli_names_one(goal, counts, sizeof counts / sizeof *counts);
}

bool wsk_cli_depends_on_cards(const char *goal)
{
    return is_hours(goal) || is_count(goal);
}

wsk_cli_likeness wsk_cli_compare_workers(const char *goal, const wsk_cli_worker *a, const wsk_cli_worker *b)
{
    if (!strcmp(a->cards, b->cards))
        return WSK_CLI_COMPARABLE;
    if (is_hours(goal))
        return WSK_CLI_HOURS_OF_UNLIKE;
    return is_count(goal) && *a->rates && !strcmp(a->rates, b->rates) ? WSK_CLI_RATE_OF_ONE : WSK_CLI_COMPARABLE;
}

char *wsk_cli_say_unlike(wsk_cli_likeness how, const char *goal, const wsk_cli_worker *a, const wsk_cli_worker *b)
{
    return how == WSK_CLI_HOURS_OF_UNLIKE
               ? wsk_cli_format(T_("No case is the best by %1$s: GPU-hours of %2$s and of %3$s are different amounts "
                                   "of work. Tokens compare them: with model=\"...\" in <workload>, by goals such as "
                                   "tokens.generation_per_s and tokens.cost_per_million."),
                                goal, a->cards, b->cards)
               : wsk_cli_format(T_("No case is the best by %1$s: %2$s and %3$s have the rate of one card. With "
                                   "model=\"...\" in place of the rate, each has its own."),
                                goal, a->cards, b->cards);
}

static const wsk_result prices[] = {WSK_R_COST,     WSK_R_ANNUAL, WSK_R_COST_YEAR, WSK_R_COST_WEEK,
                                    WSK_R_WALL_KWH, WSK_R_DC_KWH, WSK_R_CARBON,    WSK_R_COST_ENERGY};
static const wsk_result prices_of_work[] = {WSK_R_COST_PER_WORK, WSK_R_TOKENS_COST, WSK_R_TOKENS_ENERGY};
static const wsk_result works[] = {WSK_R_WORK,          WSK_R_GPU_WORK,       WSK_R_COUNT, WSK_R_TOKENS_GENERATION,
                                   WSK_R_TOKENS_PROMPT, WSK_R_GPU_CLOCK_MEAN, WSK_R_LOST};

bool wsk_cli_names_one(const char *text, const wsk_result *results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(text, wsk_result_about(results[i])->key))
            return true;
    return false;
}

bool wsk_cli_is_work(const char *text)
{
    return wsk_cli_names_one(text, works, sizeof works / sizeof *works);
}

bool wsk_cli_is_price_of_work(const char *text)
{
    return (strchr(text, '/') && wsk_cli_is_work(text)) ||
           wsk_cli_names_one(text, prices_of_work, sizeof prices_of_work / sizeof *prices_of_work);
}

bool wsk_cli_is_price(const char *text)
{
    return wsk_cli_names_one(text, prices, sizeof prices / sizeof *prices);
}

bool wsk_cli_is_cost_of_work(const char *text)
{
    static const wsk_result costs[] = {WSK_R_COST, WSK_R_ANNUAL, WSK_R_COST_YEAR, WSK_R_COST_WEEK, WSK_R_COST_ENERGY},
                            costs_of_work[] = {WSK_R_COST_PER_WORK, WSK_R_TOKENS_COST};
    return wsk_cli_names_one(text, costs_of_work, sizeof costs_of_work / sizeof *costs_of_work) ||
           (wsk_cli_is_price_of_work(text) && wsk_cli_names_one(text, costs, sizeof costs / sizeof *costs));
}
