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

/* What the cases are compared by: not at all, because they pay in several currencies; the cost of electricity per
 * GPU-hour of work; that of electricity and purchase, which all cases know. */
typedef enum { BY_NOTHING, BY_ELECTRICITY, BY_ALL } price;

static price price_of(wsk_summary *const *cases, size_t count, const row *rows, size_t kept)
{
    bool all = true;
    for (size_t i = 0; i < kept; i++)
        all = all && !isnan(wsk_summary_number(rows[i].summary, WSK_R_ALL_IN, 0));
    return !wsk_cli_shared_currency(cases, count) ? BY_NOTHING : all ? BY_ALL : BY_ELECTRICITY;
}

static double cell(const wsk_summary *s, int column, price by)
{
    double gpu_h = wsk_summary_number(s, WSK_R_SIMULATED, 0) / 3600 * (double)wsk_cli_counted_cards(s),
           done = wsk_summary_number(s, WSK_R_WORK, 0), kwh = wsk_summary_number(s, WSK_R_WALL_KWH, 0),
           cooling = wsk_summary_number(s, WSK_R_ROOM_COOLING_KWH, 0);
    if (by == BY_NOTHING && (column == 6 || column == 11 || column == 15 || column == 21))
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
    case 19: return wsk_cli_side(s, WSK_R_SPREAD_PER_KWH, WSK_R_ABOVE_PER_KWH, false);
    case 20: return wsk_cli_side(s, WSK_R_SPREAD_PER_KWH, WSK_R_ABOVE_PER_KWH, true);
    case 21: return wsk_summary_number(s, by == BY_ALL ? WSK_R_ALL_IN : WSK_R_COST_PER_WORK, 0);
    default: return by == BY_ALL ? wsk_summary_number(s, WSK_R_ALL_IN, 0) : NAN;
    }
}

/* Uncertainty downwards is in the columns "_band", upwards in "_up_band". */
static const char *const names_[] = {"limit_w",
                                     "power_w",
                                     "clock_mhz",
                                     "work",
                                     "unthrottled",
                                     "per_kwh",
                                     "per_work",
                                     "die_c",
                                     "memory_c",
                                     "noise_dba",
                                     "work_band",
                                     "per_work_band",
                                     "die_c_band",
                                     "noise_dba_band",
                                     "work_up_band",
                                     "per_work_up_band",
                                     "die_c_up_band",
                                     "noise_dba_up_band",
                                     "over",
                                     "per_kwh_band",
                                     "per_kwh_up_band",
                                     "price",
                                     "all_in"};
enum { COLUMNS = sizeof names_ / sizeof *names_ };

bool wsk_plot_limit_data(wsk_summary *const *cases, size_t count, char **csv, char **names)
{
    size_t len, kept = 0;
    row *rows = wsk_cli_alloc((count + 1) * sizeof *rows);
    for (size_t i = 0; i < count; i++) {
        rows[kept].summary = cases[i];
        rows[kept].limit_w = wsk_summary_number(cases[i], WSK_R_POWER_LIMIT, 0);
        kept += !isnan(rows[kept].limit_w) && wsk_summary_number(cases[i], WSK_R_WORK, 0) > 0;
    }
    qsort(rows, kept, sizeof *rows, by_limit);
    const price by = price_of(cases, count, rows, kept);
    bool differ = kept > 1 && rows[kept - 1].limit_w > rows[0].limit_w;
    FILE *out = wsk_cli_text(csv, &len);
    *names = wsk_cli_format(" ");
    for (int c = 0; c < COLUMNS; c++) {
        fprintf(out, "%s%s", c ? "," : "", names_[c]);
        bool any = false;
        for (size_t i = 0; i < kept; i++)
            any |= !isnan(cell(rows[i].summary, c, by));
        char *longer = any ? wsk_cli_format("%s%s ", *names, names_[c]) : NULL;
        if (longer) {
            free(*names);
            *names = longer;
        }
    }
    fputc('\n', out);
    for (size_t i = 0; i < kept; i++)
        for (int c = 0; c < COLUMNS; c++) {
            double v = cell(rows[i].summary, c, by);
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
