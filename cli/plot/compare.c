/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data of the picture `compare`: of a comparison, a row for each case. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare.h"
#include "cli/plot/plot.h"

#define YEAR_S (365 * 86400.0)
enum {
    LABEL = 26,
    NUMBERS = WSK_CLI_CATEGORIES + 9,
    WORK = WSK_CLI_CATEGORIES + 3,
    PER_WORK = WSK_CLI_CATEGORIES + 7
};

/* In the order of wsk_cli_category, and what else the picture shows. */
static const char *const names_[NUMBERS] = {
    "cards", "rest",      "fans", "psu",       "loads", "feed",     "cooling",  "energy_band",
    "cost",  "cost_band", "work", "work_band", "die_c", "die_band", "per_work", "per_work_band"};

/* What work is told in: hours of like cards, or a unit that all cases count, in thousands or millions. */
typedef struct {
    bool none, counted; /* none: the cases' work is not to be compared */
    wsk_cli_units units;
    bool annual;
} yardstick;

static double cell(const char *json, int column, const yardstick *y)
{
    double per = y->annual ? YEAR_S / wsk_json_number(json, "simulated_s") : 1, done = 1, price = 1;
    if (y->counted) {
        done = wsk_json_number(json, "work.count") / wsk_json_number(json, "work.done");
        price = y->units.price / done;
        done /= y->units.number;
    }
    if (y->none && (column == WORK || column == WORK + 1 || column >= PER_WORK))
        return NAN;
    if (column < WSK_CLI_CATEGORIES)
        return per * wsk_cli_category_kwh(json, (wsk_cli_category)column);
    switch (column - WSK_CLI_CATEGORIES) {
    case 0: return per * wsk_json_number(json, "spread.energy_spread");
    case 1: return per * wsk_json_number(json, "cost.run");
    case 2: return per * wsk_json_number(json, "spread.cost_spread");
    case 3: return per * done * wsk_json_number(json, "work.done");
    case 4: return per * done * wsk_json_number(json, "spread.work_spread");
    case 5: return wsk_cli_over_gpus(json, "die_max_c", WSK_CLI_MOST);
    case 6: return wsk_json_number(json, "spread.die_max_spread");
    case 7: return price * wsk_json_number(json, "cost_per_work");
    default: return price * wsk_json_number(json, "spread.cost_per_work_spread");
    }
}

/* A text for gnuplot, cut at the front, where the names of cases are alike; as a tic %% stands for %. */
static void put_text(FILE *out, const char *text, bool tic)
{
    size_t len = strlen(text), from = len > LABEL ? len - LABEL + 2 : 0;
    while (from && ((unsigned char)text[from] & 0xC0) == 0x80)
        from++; /* not within a character */
    fputs(from ? "'.." : "'", out);
    for (const char *p = text + from; *p; p++) {
        if (*p == '\'' || (*p == '%' && tic))
            fputc(*p, out);
        if ((unsigned char)*p >= 32)
            fputc(*p, out);
    }
    fputc('\'', out);
}

static yardstick find_yardstick(const char *json, size_t count, bool annual)
{
    yardstick y = {.annual = annual};
    char by[32] = "";
    const char *told = wsk_json_find(json, "work_by");
    y.none = told && !wsk_json_text(json, "work_by", by, sizeof by);
    y.counted = *by && strcmp(by, "GPU-hours") != 0;
    snprintf(y.units.number_of, sizeof y.units.number_of, "GPU-h");
    snprintf(y.units.price_of, sizeof y.units.price_of, "GPU-h");
    if (!y.counted || !count)
        return y;
    wsk_cli_case first = {.json = (char *)(uintptr_t)wsk_plot_case(json, 0)};
    first.simulated_s = wsk_json_number(first.json, "simulated_s");
    first.count = wsk_json_number(first.json, "work.count");
    first.cost = wsk_json_number(first.json, "cost.run");
    snprintf(first.counted, sizeof first.counted, "%s", by);
    y.counted = wsk_cli_find_units(&(wsk_cli_comparison){.cases = &first, .count = 1, .annual = annual}, &y.units);
    return y;
}

static char *script_of(const char *json, size_t count, const yardstick *y)
{
    char *script = NULL, *head;
    size_t len;
    FILE *out = open_memstream(&script, &len);
    wsk_cli_case *cases = wsk_cli_alloc((count + 1) * sizeof *cases);
    if (!out)
        exit(WSK_ERUN);
    for (size_t i = 0; i < count; i++) {
        char *text = wsk_cli_alloc(strlen(json) + 1);
        if (!wsk_json_text(wsk_plot_case(json, i), "label", text, strlen(json) + 1))
            text[0] = '\0';
        cases[i].label = text;
    }
    char **names = wsk_cli_short_names(cases, count, &head);
    fprintf(out, "annual = %d\ncases_shown = %zu\narray case_name[%zu]\n", y->annual, count, count);
    fprintf(out, "work_by = '%s'; work_of = ", y->counted ? "units" : "GPU-hours");
    put_text(out, y->units.number_of, false);
    fputs("; price_of = ", out);
    put_text(out, y->units.price_of, false);
    fputc('\n', out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "case_name[%zu] = ", i + 1);
        put_text(out, names[i], true);
        fputc('\n', out);
        free(names[i]);
        free(cases[i].label);
    }
    fprintf(out, "varied = ");
    put_text(out, head, false);
    fputc('\n', out);
    (void)fclose(out);
    free(head);
    free(names);
    free(cases);
    return script;
}

bool wsk_plot_compare_data(const char *json, char **csv, char **columns, char **script)
{
    size_t count = wsk_json_count(json, "cases"), len;
    bool annual = wsk_json_true(json, "annual"), known[NUMBERS] = {false};
    const yardstick y = find_yardstick(json, count, annual);
    *csv = *columns = *script = NULL;
    if (count < 1 || count > WSK_PLOT_CASES)
        return false;
    FILE *out = open_memstream(csv, &len);
    if (!out)
        exit(WSK_ERUN);
    for (int c = 0; c < NUMBERS; c++) {
        fprintf(out, "%s%s", c ? "," : "case,", names_[c]);
        for (size_t i = 0; i < count; i++)
            known[c] |= !isnan(cell(wsk_plot_case(json, i), c, &y));
    }
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "\n%zu", i + 1);
        for (int c = 0; c < NUMBERS; c++) {
            double v = cell(wsk_plot_case(json, i), c, &y);
            /* What another case has, this one has none of; so also a band. Of a sum with NaN gnuplot draws nothing. */
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
    *script = script_of(json, count, &y);
    return true;
}
