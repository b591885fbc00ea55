/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/words.h"
#include "cli/kit/grid.h"

static const char *value_of(const wsk_cli_case *c)
{
    return strchr(c->varied, '=') + 1;
}

static double card_w(const wsk_cli_case *c)
{
    return wsk_cli_mean_of_counted(c->summary, WSK_R_GPU_POWER_MEAN);
}
static double wall_w(const wsk_cli_case *c)
{
    return c->wall_kwh * WSK_CLI_KWH_J / c->simulated_s;
}
static double clock_mhz(const wsk_cli_case *c)
{
    return wsk_summary_over(c->summary, WSK_R_GPU_CLOCK_MEAN, WSK_OVER_MEAN);
}
static double work(const wsk_cli_case *c)
{
    return 100 * c->work * 3600 / (c->simulated_s * (double)wsk_cli_counted_cards(c->summary));
}
static double counted(const wsk_cli_case *c)
{
    return c->count * 3600 / c->simulated_s;
}
/* The energy includes that of the air conditioner, here and in units_per_kwh. */
static double work_per_kwh(const wsk_cli_case *c)
{
    return wsk_cli_measured(c, WSK_CLI_BY_WORK_PER_ENERGY);
}
static double units_per_kwh(const wsk_cli_case *c)
{
    return wsk_cli_measured(c, WSK_CLI_BY_COUNTED_PER_ENERGY);
}
static double cost_per_unit(const wsk_cli_case *c)
{
    return wsk_cli_measured(c, WSK_CLI_BY_COUNT);
}
static double all_in_unit(const wsk_cli_case *c)
{
    return wsk_cli_measured(c, WSK_CLI_BY_ALL_IN_COUNT);
}
static double annual(const wsk_cli_case *c)
{
    return c->annual;
}
/* The columns of trips, psu_load and circuit appear only if a case exceeds the limit in the function shown. */
static double trips(const wsk_cli_case *c)
{
    return 100 * c->trip;
}
static double psu_load(const wsk_cli_case *c)
{
    return 100 * c->supply_peak;
}
static double circuit(const wsk_cli_case *c)
{
    return 100 * c->circuit_peak;
}
static double cloud_h(const wsk_cli_case *c)
{
    return c->cloud.asked ? c->cloud.hours : NAN;
}
static double cost_per_work(const wsk_cli_case *c)
{
    return c->cost_per_work;
}
static double all_in(const wsk_cli_case *c)
{
    return c->all_in;
}
static double die_c(const wsk_cli_case *c)
{
    return wsk_summary_over(c->summary, WSK_R_GPU_DIE_MAX, WSK_OVER_MAX);
}
static double memory_c(const wsk_cli_case *c)
{
    return wsk_summary_over(c->summary, WSK_R_GPU_MEMORY_MAX, WSK_OVER_MAX);
}
static double lost(const wsk_cli_case *c)
{
    return 100 * wsk_summary_number(c->summary, WSK_R_LOST, 0);
}
static double noise(const wsk_cli_case *c)
{
    return wsk_summary_number(c->summary, WSK_R_NOISE, 0);
}

enum { OPEN_NOT = -1 }; /* value of column.open: no uncertainty is shown */

/* A column of the table. Name, unit, decimals and the better direction (more or less) are those of the result `about`,
 * unless `own` or `unit` replaces them. */
typedef struct {
    wsk_result about;
    /* NULL: the unit of `about`. "#": the unit in which work is counted (1000 tokens); "@": the unit of work for which
     * prices are printed (million tokens) */
    const char *unit;
    const char *own;
    int digits;
    wsk_better better;
    double (*get)(const wsk_cli_case *c);
    int open; /* measure whose uncertainty the column shows, or OPEN_NOT */
    /* When the column is shown. HOURS: work is in GPU-hours; UNITS: all cases count the same unit; YEAR: with --annual. */
    enum { ALWAYS, HOURS, UNITS, YEAR } when;
} column;
#define MORE WSK_BETTER_MORE
#define LESS WSK_BETTER_LESS
static const column columns[] = {
    {WSK_R_GPU_POWER_MEAN, .get = card_w, .open = OPEN_NOT},
    {.own = N_("wall"), .unit = "W", .better = LESS, .get = wall_w, .open = WSK_CLI_BY_WALL},
    {WSK_R_GPU_CLOCK_MEAN, .get = clock_mhz, .open = OPEN_NOT},
    {.own = N_("throughput"), .unit = "%", .digits = 2, .better = MORE, .get = work, .open = WSK_CLI_BY_WORK},
    {.own = N_("rate"),
     .unit = "#/h",
     .digits = 1,
     .better = MORE,
     .get = counted,
     .open = WSK_CLI_BY_COUNTED,
     .when = UNITS},
    {.own = N_("per energy"),
     .unit = "GPU-h/kWh",
     .digits = 4,
     .better = MORE,
     .get = work_per_kwh,
     .open = WSK_CLI_BY_WORK_PER_ENERGY,
     .when = HOURS},
    {.own = N_("per energy"),
     .unit = "#/kWh",
     .digits = 1,
     .better = MORE,
     .get = units_per_kwh,
     .open = WSK_CLI_BY_COUNTED_PER_ENERGY,
     .when = UNITS},
    {WSK_R_COST_PER_WORK, .get = cost_per_work, .open = WSK_CLI_BY_PER_WORK, .when = HOURS},
    {WSK_R_COST_PER_WORK, .unit = "currency/@", .get = cost_per_unit, .open = WSK_CLI_BY_COUNT, .when = UNITS},
    {WSK_R_ALL_IN, .get = all_in, .open = WSK_CLI_BY_ALL_IN, .when = HOURS},
    {WSK_R_ALL_IN, .unit = "currency/@", .get = all_in_unit, .open = WSK_CLI_BY_ALL_IN_COUNT, .when = UNITS},
    {.own = N_("electricity"),
     .unit = "currency",
     .digits = 2,
     .better = LESS,
     .get = annual,
     .open = WSK_CLI_BY_ANNUAL,
     .when = YEAR},
    {WSK_R_GPU_DIE_MAX, .get = die_c, .open = WSK_CLI_BY_DIE},
    {WSK_R_GPU_MEMORY_MAX, .get = memory_c, .open = OPEN_NOT},
    {WSK_R_LOST, .get = lost, .open = OPEN_NOT},
    {WSK_R_NOISE, .get = noise, .open = WSK_CLI_BY_NOISE},
    {WSK_R_TRIP, .get = trips, .open = OPEN_NOT},
    {WSK_R_PSU_PEAK, .unit = N_("% of rating"), .get = psu_load, .open = OPEN_NOT},
    {WSK_R_CIRCUIT_PEAK, .unit = N_("% of limit"), .get = circuit, .open = OPEN_NOT},
    {WSK_R_CLOUD_HOURS, .get = cloud_h, .open = OPEN_NOT}};
enum { COLUMNS = sizeof columns / sizeof *columns };

static int digits_of(const column *col)
{
    const wsk_result_row *row = wsk_result_about(col->about);
    return col->own ? col->digits : row->digits - (strcmp(row->unit, "1") ? 0 : 2);
}

static const char *unit_key(const column *col)
{
    return col->unit ? col->unit : wsk_result_about(col->about)->unit;
}

static bool is_better(const column *col, double a, double b)
{
    wsk_better better = col->own ? col->better : wsk_result_about(col->about)->better;
    return (better == WSK_BETTER_MORE ? a - b : b - a) > 1e-9 * fabs(a);
}

typedef struct {
    const wsk_cli_comparison *all;
    wsk_cli_units units[COLUMNS]; /* units[k]: powers of 1000 for column k; a rate may need others than a total */
    bool counted;
} sheet;

static void find_units(sheet *s)
{
    wsk_cli_units common;
    s->counted = wsk_cli_find_units(s->all, &common);
    for (int k = 0; k < COLUMNS; k++) {
        double most = 0;
        s->units[k] = common;
        if (!s->counted || !strchr(unit_key(&columns[k]), '#'))
            continue;
        for (size_t i = 0; i < s->all->count; i++)
            most = fmax(most, columns[k].get(&s->all->cases[i]));
        wsk_cli_scale_units(&s->units[k], s->all->cases[0].counted, most, 0);
    }
}

static bool shown(const sheet *s, const column *col)
{
    double limit = col->get == trips ? 0.5 : col->get == psu_load || col->get == circuit ? 100.05 : -INFINITY;
    bool any = false;
    for (size_t i = 0; i < s->all->count; i++)
        any = any || (col->get(&s->all->cases[i]) >= limit &&
                      (col->get != circuit || wsk_cli_over_circuit(&s->all->cases[i])));
    if (!any && limit > 0)
        return false;
    return col->when == ALWAYS || (col->when == YEAR ? s->all->annual : (col->when == UNITS) == s->counted);
}

static double scale_of(const sheet *s, const column *col)
{
    const wsk_cli_units *units = &s->units[col - columns];
    return strchr(unit_key(col), '@') ? units->price : strchr(unit_key(col), '#') ? 1 / units->number : 1;
}

static wsk_cli_sides open_of(const sheet *s, const wsk_cli_case *c, const column *col)
{
    if (col->open == OPEN_NOT)
        return wsk_cli_even(NAN);
    const double value = wsk_cli_measured(c, (wsk_cli_measure)col->open);
    const wsk_cli_sides range = wsk_cli_sides_of(c, (wsk_cli_measure)col->open, &s->all->finance);
    return col->open == WSK_CLI_BY_DIE || col->open == WSK_CLI_BY_NOISE
               ? range
               : wsk_cli_scaled(range, fabs(col->get(c) / value));
}

static const wsk_cli_case *best_of(const wsk_cli_case *cases, size_t count, const column *col)
{
    const wsk_cli_case *best = NULL;
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        double v = col->get(&cases[i]);
        if (isnan(v))
            continue;
        least = fmin(least, v);
        most = fmax(most, v);
        if (!best || is_better(col, v, col->get(best)))
            best = &cases[i];
    }
    return most - least > 1e-6 * fmax(fabs(least), fabs(most)) ? best : NULL;
}

static bool seen_apart(const sheet *s, const column *col)
{
    double scale = pow(10, digits_of(col)) * scale_of(s, col), least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < s->all->count; i++) {
        double v = round(scale * col->get(&s->all->cases[i]));
        least = fmin(least, v);
        most = fmax(most, v);
    }
    return most > least;
}

static void cell(char out[48], const sheet *s, const wsk_cli_case *c, const column *col, bool star)
{
    double v = col->get(c) * scale_of(s, col);
    if (isnan(v))
        snprintf(out, 48, "%s", col->get == cloud_h && c->cloud.never ? T_("never") : "-");
    else
        wsk_cli_put_band(out, v, wsk_cli_scaled(open_of(s, c, col), scale_of(s, col)), digits_of(col));
    size_t len = strlen(out);
    snprintf(out + len, 48 - len, "%s", star ? "*" : " ");
}

/* Sets a column's name or unit, with a blank after it, because each cell below ends with a star or a blank. */
static void set_head(wsk_cli_grid *g, size_t row, size_t at, const char *text)
{
    char *wide = wsk_cli_format("%s ", text);
    wsk_cli_grid_set(g, row, at, wide);
    free(wide);
}

static void fill_column(wsk_cli_grid *g, const sheet *s, const column *col, size_t at)
{
    const wsk_cli_case *cases = s->all->cases, *best = seen_apart(s, col) ? best_of(cases, s->all->count, col) : NULL;
    char text[64];
    set_head(g, 0, at, col->own ? T_(col->own) : T_(wsk_result_brief(col->about)));
    wsk_cli_put_unit(text, unit_key(col), cases[0].currency, &s->units[col - columns]);
    if (col->when == YEAR)
        wsk_cli_put_yearly(text);
    set_head(g, 1, at, text);
    for (size_t i = 0; i < s->all->count; i++) {
        cell(text, s, &cases[i], col, &cases[i] == best);
        wsk_cli_grid_set(g, 2 + i, at, text);
    }
}

static size_t find_columns(const sheet *s, bool known[COLUMNS])
{
    size_t n = 0;
    for (int k = 0; k < COLUMNS; k++) {
        known[k] = false;
        for (size_t i = 0; i < s->all->count && shown(s, &columns[k]); i++)
            known[k] |= !isnan(columns[k].get(&s->all->cases[i])) ||
                        (columns[k].get == cloud_h && s->all->cases[i].cloud.never);
        n += known[k];
    }
    return n;
}

static void table(FILE *out, const sheet *s, const bool known[COLUMNS], size_t count)
{
    const char *name;
    size_t len, at = 1;
    wsk_cli_setting_of(&s->all->cases[0], &name, &len);
    wsk_cli_grid g = wsk_cli_grid_new(2 + s->all->count, 1 + count, 1);
    char *setting = wsk_cli_format("%.*s", (int)len, name);
    wsk_cli_grid_set(&g, 0, 0, setting);
    free(setting);
    for (size_t i = 0; i < s->all->count; i++)
        wsk_cli_grid_set(&g, 2 + i, 0, value_of(&s->all->cases[i]));
    for (int k = 0; k < COLUMNS; k++)
        if (known[k])
            fill_column(&g, s, &columns[k], at++);
    wsk_cli_grid_print(out, &g, wsk_cli_page(out, WSK_CLI_PAGE));
    wsk_cli_grid_free(&g);
    fputc('\n', out);
}

static void legend(FILE *out, const sheet *s, const bool known[COLUMNS])
{
    const wsk_cli_case *cases = s->all->cases;
    bool bought = false, open = false, cooled = false;
    double class_work = 0, class_w = 0;
    for (size_t i = 0; i < s->all->count; i++)
        cooled = cooled || wsk_summary_number(cases[i].summary, WSK_R_ROOM_COOLING_KWH, 0) > 0;
    wsk_cli_say(
        out, T_("*: best of its column. Throughput: %% of unthrottled cards at their default limit that are always "
                "busy. "));
    fputs(cooled ? T_("Energy: at the wall and for cooling the room.\n") : T_("Energy: at the wall.\n"), out);
    for (int k = 0; k < COLUMNS; k++)
        bought = bought || (known[k] && (columns[k].get == all_in || columns[k].get == all_in_unit));
    if (bought)
        wsk_cli_all_in_words(out, &s->all->finance);
    for (size_t i = 0; i < s->all->count; i++) {
        class_work = fmax(class_work, wsk_summary_over(cases[i].summary, WSK_R_GPU_WORK_SPREAD, WSK_OVER_MAX));
        class_w = fmax(class_w, wsk_summary_over(cases[i].summary, WSK_R_GPU_POWER_SPREAD, WSK_OVER_MAX));
        open |= cases[i].spread_known;
    }
    if (100 * class_w >= 0.5)
        wsk_cli_say(out,
                    T_("Loads of one class differ: by that alone a card's work is uncertain by up to %1$.0f %% "
                       "and its power by up to %2$.0f %%.\n"),
                    100 * class_work, 100 * class_w);
    else if (class_work > 0)
        wsk_cli_say(out,
                    T_("Loads of one class differ: by that alone a card's work is uncertain by up to %1$.0f %%.\n"),
                    100 * class_work);
    if (open)
        wsk_cli_band_words(out);
}

static const wsk_cli_case *best_by(const wsk_cli_case *cases, size_t count, double (*get)(const wsk_cli_case *c))
{
    for (int k = 0; k < COLUMNS; k++)
        if (columns[k].get == get)
            return best_of(cases, count, &columns[k]);
    return NULL;
}

/* True if two cases draw the same power and do the same work. At a power limit, cases of a voltage or memory offset
 * draw the same power, but do different work. */
static bool is_same_course(const wsk_cli_case *a, const wsk_cli_case *b)
{
    return fabs(card_w(a) - card_w(b)) < 0.05 && fabs(work(a) - work(b)) < 0.05;
}

static void plateaus(FILE *out, const wsk_cli_case *cases, size_t count)
{
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && is_same_course(&cases[i], &cases[end]); end++)
            continue;
        if (end - i > 1 && strcmp(value_of(&cases[i]), value_of(&cases[end - 1])) != 0)
            wsk_cli_say(out, T_("From %1$s to %2$s nothing changes: a card draws %3$.0f W.\n"), value_of(&cases[i]),
                        value_of(&cases[end - 1]), card_w(&cases[i]));
    }
}

static void in_words(FILE *out, const sheet *s)
{
    const wsk_cli_comparison *all = s->all;
    const wsk_cli_case *cases = all->cases;
    size_t count = all->count;
    char *head, **names = wsk_cli_name_cases(all, &head);
    const wsk_cli_common common = wsk_cli_common_of(all, names);
    wsk_cli_mixed_words(out, &common, false);
    plateaus(out, cases, count);
    const wsk_cli_case *most = best_by(cases, count, work), *saves = best_by(cases, count, work_per_kwh);
    if (most && saves && most != saves)
        wsk_cli_say(
            out,
            T_("%1$s does the most work. %2$s does the most work per kWh: %3$.1f %% less work, %4$.1f %% less "
               "energy for each unit of work.\n"),
            value_of(most), value_of(saves), 100 * (1 - saves->work / most->work),
            100 * (1 - work_per_kwh(most) / work_per_kwh(saves)));
    else if (most)
        wsk_cli_say(out,
                    saves == most ? T_("%1$s does the most work, and the most work per kWh.\n")
                                  : T_("%1$s does the most work.\n"),
                    value_of(most));
    wsk_cli_limit_inversions(out, cases, count, 1, names);
    wsk_cli_cloud_words(out, all, 4, names);
    wsk_cli_put_verdict(out, &common);
    wsk_cli_names_free(names, count, head);
}

void wsk_cli_sweep_text(FILE *out, const wsk_cli_comparison *all)
{
    char *text = NULL;
    size_t len;
    sheet s = {.all = all};
    find_units(&s);
    FILE *words = wsk_cli_text(&text, &len);
    bool known[COLUMNS];
    size_t shown_columns = find_columns(&s, known);
    wsk_cli_headline(out, all);
    table(out, &s, known, shown_columns);
    legend(words, &s, known);
    in_words(words, &s);
    (void)fclose(words);
    wsk_cli_wrap(out, text, wsk_cli_page(out, WSK_CLI_PAGE));
    free(text);
}
