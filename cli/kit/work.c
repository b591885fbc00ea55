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
