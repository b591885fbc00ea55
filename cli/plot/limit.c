/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "cli/kit/compared.h"
#include "cli/plot/plot.h"
#include "sim/say/say.h"

typedef struct {
    const wsk_summary *summary;
    double limit_w;
} row;

static int by_limit(const void *a, const void *b)
{
    double x = ((const row *)a)->limit_w, y = ((const row *)b)->limit_w;
    return x < y ? -1 : x > y;
}

static bool is_over(const wsk_summary *s)
{
    return wsk_summary_number(s, WSK_R_CIRCUIT_PEAK, 0) > 1 || wsk_summary_number(s, WSK_R_PSU_PEAK, 0) > 1 ||
           wsk_summary_number(s, WSK_R_FEED_PEAK, 0) > 1 || wsk_summary_number(s, WSK_R_TRIP, 0) >= WSK_TELLS;
}

/* The cost per GPU-hour of work: of electricity and purchase, or of electricity alone if the former is not known. */
static double price(const wsk_summary *s)
{
    const double all = wsk_summary_number(s, WSK_R_ALL_IN, 0);
    return isnan(all) ? wsk_summary_number(s, WSK_R_COST_PER_WORK, 0) : all;
}

/* priced: all cases pay in one currency. */
static double cell(const wsk_summary *s, int column, bool priced)
{
    double gpu_h = wsk_summary_number(s, WSK_R_SIMULATED, 0) / 3600 * (double)wsk_cli_counted_cards(s),
           done = wsk_summary_number(s, WSK_R_WORK, 0), kwh = wsk_summary_number(s, WSK_R_WALL_KWH, 0),
           cooling = wsk_summary_number(s, WSK_R_ROOM_COOLING_KWH, 0);
    if (!priced && (column == 6 || column == 11 || column == 15 || column == 19))
        return NAN;
    switch (column) {
    case 0: return wsk_summary_number(s, WSK_R_POWER_LIMIT, 0);
    case 1: return wsk_cli_mean_of_counted(s, WSK_R_GPU_POWER_MEAN);
    case 2: return wsk_summary_over(s, WSK_R_GPU_CLOCK_MEAN, WSK_OVER_MEAN);
    case 3: return 100 * done / gpu_h;
    case 4: return 100 * wsk_summary_number(s, WSK_R_WORK_UNTHROTTLED, 0) / gpu_h;
    case 5: return done / (kwh + (cooling > 0 ? cooling : 0));
    case 6: return wsk_summary_number(s, WSK_R_COST_PER_WORK, 0);
    case 7: return wsk_summary_over(s, WSK_R_GPU_DIE_MAX, WSK_OVER_MAX);
    case 8: return wsk_summary_over(s, WSK_R_GPU_MEMORY_MAX, WSK_OVER_MAX);
    case 9: return wsk_summary_number(s, WSK_R_NOISE, 0);
    case 10: return 100 * wsk_cli_side(s, WSK_R_SPREAD_WORK, WSK_R_ABOVE_WORK, false) / gpu_h;
    case 11: return wsk_cli_side(s, WSK_R_SPREAD_PER_WORK, WSK_R_ABOVE_PER_WORK, false);
    case 12: return wsk_cli_side(s, WSK_R_SPREAD_DIE_MAX, WSK_R_ABOVE_DIE_MAX, false);
    case 13: return wsk_cli_side(s, WSK_R_SPREAD_NOISE, WSK_R_ABOVE_NOISE, false);
    case 14: return 100 * wsk_cli_side(s, WSK_R_SPREAD_WORK, WSK_R_ABOVE_WORK, true) / gpu_h;
    case 15: return wsk_cli_side(s, WSK_R_SPREAD_PER_WORK, WSK_R_ABOVE_PER_WORK, true);
    case 16: return wsk_cli_side(s, WSK_R_SPREAD_DIE_MAX, WSK_R_ABOVE_DIE_MAX, true);
    case 17: return wsk_cli_side(s, WSK_R_SPREAD_NOISE, WSK_R_ABOVE_NOISE, true);
    case 18: return is_over(s);
    default: return price(s);
    }
}

/* Uncertainty downwards is in the columns "_band", upwards in "_up_band". */
static const char *const names_[] = {"limit_w",       "power_w",           "clock_mhz",    "work",
                                     "unthrottled",   "per_kwh",           "per_work",     "die_c",
                                     "memory_c",      "noise_dba",         "work_band",    "per_work_band",
                                     "die_c_band",    "noise_dba_band",    "work_up_band", "per_work_up_band",
                                     "die_c_up_band", "noise_dba_up_band", "over",         "price"};
enum { COLUMNS = sizeof names_ / sizeof *names_ };

bool wsk_plot_limit_data(wsk_summary *const *cases, size_t count, char **csv, char **names)
{
    size_t len, kept = 0;
    const bool priced = wsk_cli_shared_currency(cases, count) != NULL;
    row *rows = wsk_cli_alloc((count + 1) * sizeof *rows);
    for (size_t i = 0; i < count; i++) {
        rows[kept].summary = cases[i];
        rows[kept].limit_w = wsk_summary_number(cases[i], WSK_R_POWER_LIMIT, 0);
        kept += !isnan(rows[kept].limit_w) && wsk_summary_number(cases[i], WSK_R_WORK, 0) > 0;
    }
    qsort(rows, kept, sizeof *rows, by_limit);
    bool differ = kept > 1 && rows[kept - 1].limit_w > rows[0].limit_w;
    FILE *out = wsk_cli_text(csv, &len);
    *names = wsk_cli_format(" ");
    for (int c = 0; c < COLUMNS; c++) {
        fprintf(out, "%s%s", c ? "," : "", names_[c]);
        bool any = false;
        for (size_t i = 0; i < kept; i++)
            any |= !isnan(cell(rows[i].summary, c, priced));
        char *longer = any ? wsk_cli_format("%s%s ", *names, names_[c]) : NULL;
        if (longer) {
            free(*names);
            *names = longer;
        }
    }
    fputc('\n', out);
    for (size_t i = 0; i < kept; i++)
        for (int c = 0; c < COLUMNS; c++) {
            double v = cell(rows[i].summary, c, priced);
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
