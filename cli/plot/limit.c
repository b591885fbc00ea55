/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data of the picture `limit`: of a comparison, a row for each power limit, in rising order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare.h"
#include "cli/plot/plot.h"

/* One case as its JSON object. */
typedef struct {
    const char *json;
    double limit_w;
} row;

static int by_limit(const void *a, const void *b)
{
    double x = ((const row *)a)->limit_w, y = ((const row *)b)->limit_w;
    return x < y ? -1 : x > y;
}

static double cell(const char *json, int column)
{
    double hours = wsk_json_number(json, "simulated_s") / 3600, done = wsk_json_number(json, "work.done"),
           kwh = wsk_json_number(json, "energy.wall_kwh"), cooling = wsk_json_number(json, "energy.room_cooling_kwh");
    switch (column) {
    case 0: return wsk_json_number(json, "power_limit_w");
    case 1: return wsk_cli_over_gpus(json, "power_mean_w", WSK_CLI_MEAN);
    case 2: return wsk_cli_over_gpus(json, "clock_mean_mhz", WSK_CLI_MEAN);
    case 3: return 100 * done / (hours * (double)wsk_json_count(json, "gpus"));
    case 4: return 100 * wsk_json_number(json, "work.unthrottled") / (hours * (double)wsk_json_count(json, "gpus"));
    case 5: return done / (kwh + (cooling > 0 ? cooling : 0));
    case 6: return wsk_json_number(json, "cost_per_work");
    case 7: return wsk_cli_over_gpus(json, "die_max_c", WSK_CLI_MOST);
    case 8: return wsk_cli_over_gpus(json, "memory_max_c", WSK_CLI_MOST);
    default: return wsk_json_number(json, "noise_dba");
    }
}

static const char *const names_[] = {"limit_w", "power_w",  "clock_mhz", "work",     "unthrottled",
                                     "per_kwh", "per_work", "die_c",     "memory_c", "noise_dba"};
enum { COLUMNS = sizeof names_ / sizeof *names_ };

const char *wsk_plot_case(const char *json, size_t i)
{
    char path[32];
    snprintf(path, sizeof path, "cases[%zu]", i);
    return wsk_json_find(json, path);
}

bool wsk_plot_limit_data(const char *json, char **csv, char **names)
{
    size_t count = wsk_json_count(json, "cases"), len, kept = 0;
    row *rows = wsk_cli_alloc((count + 1) * sizeof *rows);
    for (size_t i = 0; i < count; i++) {
        rows[kept].json = wsk_plot_case(json, i);
        rows[kept].limit_w = wsk_json_number(rows[kept].json, "power_limit_w");
        kept += !isnan(rows[kept].limit_w) && wsk_json_number(rows[kept].json, "work.done") > 0;
    }
    qsort(rows, kept, sizeof *rows, by_limit);
    bool differ = kept > 1 && rows[kept - 1].limit_w > rows[0].limit_w;
    FILE *out = open_memstream(csv, &len);
    if (!out)
        exit(WSK_ERUN);
    *names = wsk_cli_format(" ");
    for (int c = 0; c < COLUMNS; c++) {
        fprintf(out, "%s%s", c ? "," : "", names_[c]);
        bool any = false;
        for (size_t i = 0; i < kept; i++)
            any |= !isnan(cell(rows[i].json, c));
        char *longer = any ? wsk_cli_format("%s%s ", *names, names_[c]) : NULL;
        if (longer) {
            free(*names);
            *names = longer;
        }
    }
    fputc('\n', out);
    for (size_t i = 0; i < kept; i++)
        for (int c = 0; c < COLUMNS; c++) {
            double v = cell(rows[i].json, c);
            fputs(c ? "," : "", out);
            if (isnan(v))
                fputs("nan", out);
            else
                fprintf(out, "%.7g", v);
            fputs(c + 1 == COLUMNS ? "\n" : "", out);
        }
    fclose(out);
    free(rows);
    return differ;
}
