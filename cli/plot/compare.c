/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/compared.h"
#include "cli/plot/plot.h"

/* LABEL: longest name of a case, bytes. NUMBERS: number of columns. WORK, PER_WORK: indices of "work" and "per_work" in
 * names_. Uncertainty downwards is in the columns "_band", upwards in those that begin with UP. */
enum {
    LABEL = 26,
    NUMBERS = WSK_CLI_CATEGORIES + 17,
    WORK = WSK_CLI_CATEGORIES + 3,
    PER_WORK = WSK_CLI_CATEGORIES + 9,
    UP = WSK_CLI_CATEGORIES + 11
};

static const char *const names_[NUMBERS] = {
    "cards",          "rest",         "fans",         "psu",         "loads",         "feed",
    "cooling",        "energy_band",  "cost",         "cost_band",   "work",          "work_band",
    "die_c",          "die_band",     "noise",        "noise_band",  "per_work",      "per_work_band",
    "energy_up_band", "cost_up_band", "work_up_band", "die_up_band", "noise_up_band", "per_work_up_band"};

/* What can be compared, and in which units. Unit of work: GPU-hours, or a unit that all cases count (counted), scaled to
 * thousands or millions. */
typedef struct {
    bool none, counted; /* none: the work of the cases is not comparable */
    wsk_cli_units units;
    bool annual;
    bool totals;          /* all cases have the same duration, or all totals are per year */
    const char *currency; /* of all cases that have a tariff; NULL: they have several */
} yardstick;

static double band(const wsk_summary *s, int which, bool up, const yardstick *y, double per)
{
    switch (which) {
    case 0: return per * wsk_cli_side(s, WSK_R_SPREAD_ENERGY, WSK_R_ABOVE_ENERGY, up);
    case 1: return per * wsk_cli_side(s, WSK_R_SPREAD_COST, WSK_R_ABOVE_COST, up);
    /* Counted work has a spread of its own, because its rate (units per GPU-hour) is uncertain too. */
    case 2:
        return y->counted ? per * wsk_cli_side(s, WSK_R_SPREAD_COUNT, WSK_R_ABOVE_COUNT, up) / y->units.number
                          : per * wsk_cli_side(s, WSK_R_SPREAD_WORK, WSK_R_ABOVE_WORK, up);
    case 3: return wsk_cli_side(s, WSK_R_SPREAD_DIE_MAX, WSK_R_ABOVE_DIE_MAX, up);
    case 4: return wsk_cli_side(s, WSK_R_SPREAD_NOISE, WSK_R_ABOVE_NOISE, up);
    default:
        return y->counted ? y->units.price * wsk_cli_side(s, WSK_R_SPREAD_PER_COUNT, WSK_R_ABOVE_PER_COUNT, up)
                          : wsk_cli_side(s, WSK_R_SPREAD_PER_WORK, WSK_R_ABOVE_PER_WORK, up);
    }
}

/* Checks whether the cases can be compared in this column. */
static bool comparable(int column, const yardstick *y)
{
    enum { COST = WSK_CLI_CATEGORIES + 1 };
    const bool work = column == WORK || column == WORK + 1 || column == UP + 2,
               price = column == PER_WORK || column == PER_WORK + 1 || column == UP + 5,
               cost = column == COST || column == COST + 1 || column == UP + 1,
               energy = column <= WSK_CLI_CATEGORIES || column == UP;
    return !((y->none && (work || price)) || (!y->currency && (cost || price)) ||
             (!y->totals && (energy || cost || work)));
}

static double cell(const wsk_summary *s, int column, const yardstick *y)
{
    double per = y->annual ? WSK_CLI_YEAR_S / wsk_summary_number(s, WSK_R_SIMULATED, 0) : 1, done = 1, price = 1;
    if (y->counted) {
        done = wsk_summary_number(s, WSK_R_COUNT, 0) / wsk_summary_number(s, WSK_R_WORK, 0);
        price = y->units.price / done;
        done /= y->units.number;
    }
    if (!comparable(column, y))
        return NAN;
    if (column < WSK_CLI_CATEGORIES)
        return per * wsk_cli_category_kwh(s, (wsk_cli_category)column);
    if (column >= UP)
        return band(s, column - UP, true, y, per);
    switch (column - WSK_CLI_CATEGORIES) {
    case 0: return band(s, 0, false, y, per);
    case 1: return per * wsk_summary_number(s, WSK_R_COST, 0);
    case 2: return band(s, 1, false, y, per);
    case 3: return per * done * wsk_summary_number(s, WSK_R_WORK, 0);
    case 4: return band(s, 2, false, y, per);
    case 5: return wsk_summary_over(s, WSK_R_GPU_DIE_MAX, WSK_OVER_MAX);
    case 6: return band(s, 3, false, y, per);
    case 7: return wsk_summary_number(s, WSK_R_NOISE, 0) > 1 ? wsk_summary_number(s, WSK_R_NOISE, 0) : NAN;
    case 8: return band(s, 4, false, y, per);
    case 9: return price * wsk_summary_number(s, WSK_R_COST_PER_WORK, 0);
    default: return band(s, 5, false, y, per);
    }
}

/* Writes a text as a gnuplot string. Long texts are cut at the front, where the names of cases are alike. tic: the text
 * is the label of an axis tick, in which gnuplot needs %% for %. */
static void put_text(FILE *out, const char *text, bool tic)
{
    const char *tail = strlen(text) > LABEL ? wsk_utf8_tail(text, LABEL - 2) : text;
    fputs(tail > text ? "'.." : "'", out);
    for (const char *p = tail; *p; p++) {
        if (*p == '\'' || (*p == '%' && tic))
            fputc(*p, out);
        if ((unsigned char)*p >= 32)
            fputc(*p, out);
    }
    fputc('\'', out);
}

static bool same_time(wsk_summary *const *cases, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (!wsk_cli_same_duration(wsk_summary_number(cases[i], WSK_R_SIMULATED, 0),
                                   wsk_summary_number(cases[0], WSK_R_SIMULATED, 0)))
            return false;
    return true;
}

static yardstick find_yardstick(wsk_summary *const *cases, size_t n)
{
    wsk_summary *first = cases[0];
    yardstick y = {.annual = wsk_summary_flag(first, WSK_R_COMPARE_ANNUAL, 0),
                   .currency = wsk_cli_shared_currency(cases, n)};
    y.totals = y.annual || same_time(cases, n);
    const char *by = wsk_cli_said(first, WSK_R_COMPARE_WORK_BY, 0);
    y.none = !by[0];
    y.counted = by[0] && strcmp(by, "GPU-hours") != 0;
    snprintf(y.units.number_of, sizeof y.units.number_of, "%s", T_("GPU-h"));
    snprintf(y.units.price_of, sizeof y.units.price_of, "%s", T_("GPU-h"));
    if (!y.counted)
        return y;
    double count = wsk_summary_number(first, WSK_R_COUNT, 0);
    y.counted = count > 0;
    if (y.counted)
        wsk_cli_scale_units(&y.units, by,
                            count * (y.annual ? WSK_CLI_YEAR_S / wsk_summary_number(first, WSK_R_SIMULATED, 0) : 1),
                            fabs(wsk_summary_number(first, WSK_R_COST, 0) / count));
    return y;
}

static char *script_of(wsk_summary *const *summaries, size_t count, const yardstick *y)
{
    char *script = NULL, *head;
    size_t len;
    FILE *out = wsk_cli_text(&script, &len);
    const char **labels = wsk_cli_alloc((count + 1) * sizeof *labels);
    for (size_t i = 0; i < count; i++)
        labels[i] = wsk_cli_said(summaries[i], WSK_R_LABEL, 0);
    char **names = wsk_cli_short_names(labels, count, &head);
    fprintf(out, "annual = %d\ncases_shown = %zu\narray case_name[%zu]\n", y->annual, count, count);
    fprintf(out, "gpu_hours = %d; work_of = ", !y->counted);
    put_text(out, y->units.number_of, false);
    fputs("; price_of = ", out);
    put_text(out, y->units.price_of, false);
    fputc('\n', out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "case_name[%zu] = ", i + 1);
        put_text(out, names[i], true);
        fputc('\n', out);
    }
    char *of = *head ? wsk_cli_format(T_("%1$s of: %2$s"), head, wsk_cli_said(summaries[0], WSK_R_RIG, 0))
                     : wsk_cli_format(T_("%d rigs"), (int)count);
    char *title =
        y->totals ? NULL
                  : wsk_cli_format(T_("%1$s; totals of different durations are not drawn (compare --annual)"), of);
    char time[32] = "";
    if (y->totals && !y->annual)
        wsk_cli_duration(time, wsk_summary_number(summaries[0], WSK_R_SIMULATED, 0));
    wsk_plot_quote(out, "over", time);
    wsk_plot_quote(out, "rig_name", title ? title : of);
    wsk_plot_quote(out, "currency", y->currency ? y->currency : "");
    free(title);
    free(of);
    (void)fclose(out);
    wsk_cli_names_free(names, count, head);
    free(labels);
    return script;
}

bool wsk_plot_compare_data(wsk_summary *const *cases, size_t count, char **csv, char **columns, char **script)
{
    size_t len;
    bool known[NUMBERS] = {false};
    *csv = *columns = *script = NULL;
    if (count < 1 || count > WSK_PLOT_CASES)
        return false;
    const yardstick y = find_yardstick(cases, count);
    FILE *out = wsk_cli_text(csv, &len);
    for (int c = 0; c < NUMBERS; c++) {
        fprintf(out, "%s%s", c ? "," : "case,", names_[c]);
        for (size_t i = 0; i < count; i++)
            known[c] |= !isnan(cell(cases[i], c, &y));
    }
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "\n%zu", i + 1);
        for (int c = 0; c < NUMBERS; c++) {
            double v = cell(cases[i], c, &y);
            /* A category or band that this case lacks but another case has is written as 0: gnuplot draws nothing for
             * a sum with NaN. */
            bool none = isnan(v) && known[c] && (c < WSK_CLI_CATEGORIES || strstr(names_[c], "_band"));
            if (isnan(v) && !none)
                fputs(",nan", out);
            else
                fprintf(out, ",%.7g", none ? 0 : v);
        }
    }
    fputc('\n', out);
    (void)fclose(out);
    *columns = wsk_cli_format(" ");
    for (int c = 0; c < NUMBERS; c++) {
        char *longer = known[c] ? wsk_cli_format("%s%s ", *columns, names_[c]) : NULL;
        if (longer) {
            free(*columns);
            *columns = longer;
        }
    }
    *script = script_of(cases, count, &y);
    return true;
}
