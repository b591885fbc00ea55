/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep of one setting of the cards: what each value draws, does and costs, and which is best at what. */
#include <math.h>
#include <string.h>

#include "cli/compare.h"

static const char *value_of(const wsk_cli_case *c)
{
    return strchr(c->varied, '=') + 1;
}

/* The last name of the path: "power-limit". */
static void setting_of(const wsk_cli_case *c, const char **name, size_t *len)
{
    const char *end = strchr(c->varied, '='), *begin = end;
    while (begin > c->varied && begin[-1] != '.')
        begin--;
    *name = begin;
    *len = (size_t)(end - begin);
}

bool wsk_cli_is_sweep(const wsk_cli_case *cases, size_t count)
{
    static const char *const settings[] = {"power-limit", "lock-clock", "clock-offset", "voltage-offset", "memory-offset"};
    for (size_t i = 0; i < count; i++)
        if (!cases[i].varied || !strchr(cases[i].varied, '=') || !(cases[i].work > 0))
            return false;
    const char *name;
    size_t len;
    setting_of(&cases[0], &name, &len);
    bool known = false;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        known |= strlen(settings[i]) == len && !strncmp(settings[i], name, len);
    return known && count > 1;
}

static double card_w(const wsk_cli_case *c)
{
    return wsk_cli_over_gpus(c->json, "power_mean_w", WSK_CLI_MEAN);
}
static double wall_w(const wsk_cli_case *c)
{
    return c->wall_kwh * 3.6e6 / c->simulated_s;
}
static double clock_mhz(const wsk_cli_case *c)
{
    return wsk_cli_over_gpus(c->json, "clock_mean_mhz", WSK_CLI_MEAN);
}
static double work(const wsk_cli_case *c)
{
    return 100 * c->work * 3600 / (c->simulated_s * (double)wsk_json_count(c->json, "gpus"));
}
/* With the air conditioner's share, which the bill has as well. */
static double work_per_kwh(const wsk_cli_case *c)
{
    double cooling = wsk_json_number(c->json, "energy.room_cooling_kwh");
    return c->work / (c->wall_kwh + (cooling > 0 ? cooling : 0));
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
    return wsk_cli_over_gpus(c->json, "die_max_c", WSK_CLI_MOST);
}
static double memory_c(const wsk_cli_case *c)
{
    return wsk_cli_over_gpus(c->json, "memory_max_c", WSK_CLI_MOST);
}
static double lost(const wsk_cli_case *c)
{
    return 100 * wsk_json_number(c->json, "work.lost_fraction");
}
static double noise(const wsk_cli_case *c)
{
    return wsk_json_number(c->json, "noise_dba");
}

typedef struct {
    const char *head, *unit; /* unit "$...": behind the currency */
    int digits, way;         /* way: 1 more is better, -1 less is */
    double (*get)(const wsk_cli_case *c);
} column;
static const column columns[] = {{"card", "W", 1, -1, card_w},
                                 {"wall", "W", 0, -1, wall_w},
                                 {"clock", "MHz", 0, 1, clock_mhz},
                                 {"work", "%", 2, 1, work},
                                 {"per energy", "GPU-h/kWh", 4, 1, work_per_kwh},
                                 {"per work", "$/GPU-h", 4, -1, cost_per_work},
                                 {"all in", "$/GPU-h", 4, -1, all_in},
                                 {"hottest", "degC", 1, -1, die_c},
                                 {"memory", "degC", 1, -1, memory_c},
                                 {"lost", "% heat", 2, -1, lost},
                                 {"noise", "dBA", 1, -1, noise}};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* The best case, however close the next one is; of equals the first. NULL: the column does not tell the cases apart. */
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
        if (!best || col->way * (v - col->get(best)) > 1e-9 * fabs(v))
            best = &cases[i];
    }
    return most - least > 1e-6 * fmax(fabs(least), fabs(most)) ? best : NULL;
}

/* Do the printed digits differ? A star among equal numbers says nothing. */
static bool seen_apart(const wsk_cli_case *cases, size_t count, const column *col)
{
    double scale = pow(10, col->digits), least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        double v = round(scale * col->get(&cases[i]));
        least = fmin(least, v);
        most = fmax(most, v);
    }
    return most > least;
}

static void head(FILE *out, const wsk_cli_case *cases, const bool *known, int width)
{
    const char *name;
    size_t len;
    setting_of(&cases[0], &name, &len);
    fprintf(out, "%-*.*s", width, (int)len, name);
    for (int k = 0; k < COLUMNS; k++)
        if (known[k])
            fprintf(out, " %10s ", columns[k].head);
    fprintf(out, "\n%-*s", width, "");
    for (int k = 0; k < COLUMNS; k++) {
        char unit[32];
        const char *u = columns[k].unit;
        snprintf(unit, sizeof unit, "%s%s", *u == '$' ? cases[0].currency : "", *u == '$' ? u + 1 : u);
        if (known[k])
            fprintf(out, " %10s ", unit);
    }
    fputc('\n', out);
}

static void table(FILE *out, const wsk_cli_case *cases, size_t count)
{
    bool known[COLUMNS] = {false};
    const wsk_cli_case *best[COLUMNS];
    const char *name;
    size_t len, width;
    setting_of(&cases[0], &name, &width);
    for (size_t i = 0; i < count; i++)
        width = (len = strlen(value_of(&cases[i]))) > width ? len : width;
    for (int k = 0; k < COLUMNS; k++) {
        for (size_t i = 0; i < count; i++)
            known[k] |= !isnan(columns[k].get(&cases[i]));
        best[k] = seen_apart(cases, count, &columns[k]) ? best_of(cases, count, &columns[k]) : NULL;
    }
    head(out, cases, known, (int)width);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%-*s", (int)width, value_of(&cases[i]));
        for (int k = 0; k < COLUMNS; k++) {
            double v = columns[k].get(&cases[i]);
            if (known[k] && isnan(v))
                fprintf(out, " %10s ", "-");
            else if (known[k])
                fprintf(out, " %10.*f%c", columns[k].digits, v, best[k] == &cases[i] ? '*' : ' ');
        }
        fputc('\n', out);
    }
    fputs("\n* the best of its column. Work: of what the cards would do without pause at their default limit, cool; energy: at the wall", out);
    fputs(wsk_json_number(cases[0].json, "energy.room_cooling_kwh") > 0 ? ", and for cooling the room.\n" : ".\n", out);
}

static const wsk_cli_case *best_by(const wsk_cli_case *cases, size_t count, double (*get)(const wsk_cli_case *c))
{
    for (int k = 0; k < COLUMNS; k++)
        if (columns[k].get == get)
            return best_of(cases, count, &columns[k]);
    return NULL;
}

/* Settings that are not felt: neighbours in the table that draw the same. */
static void plateaus(FILE *out, const wsk_cli_case *cases, size_t count)
{
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && fabs(card_w(&cases[end]) - card_w(&cases[i])) < 0.05; end++)
            continue;
        if (end - i > 1)
            fprintf(out, "From %s to %s nothing changes: a card draws %.0f W.\n", value_of(&cases[i]), value_of(&cases[end - 1]), card_w(&cases[i]));
    }
}

void wsk_cli_sweep_text(FILE *out, const wsk_cli_comparison *all)
{
    const wsk_cli_case *cases = all->cases;
    size_t count = all->count;
    char time[32];
    wsk_cli_duration(time, cases[0].simulated_s);
    fprintf(out, "Over %s.\n\n", time);
    table(out, cases, count);
    plateaus(out, cases, count);
    const wsk_cli_case *most = best_by(cases, count, work), *saves = best_by(cases, count, work_per_kwh);
    if (most && saves && most != saves)
        fprintf(out, "%s does the most work. %s does the most with a kilowatt-hour: %.1f %% less work, %.1f %% less energy for each unit.\n",
                value_of(most), value_of(saves), 100 * (1 - saves->work / most->work),
                100 * (1 - work_per_kwh(most) / work_per_kwh(saves)));
    else if (most)
        fprintf(out, "%s does the most work%s.\n", value_of(most), saves == most ? ", and the most with a kilowatt-hour" : "");
    wsk_cli_limit_inversions(out, cases, count, 1, NULL);
    const wsk_cli_case *whole = best_by(cases, count, all_in), *bill = best_by(cases, count, cost_per_work);
    if (whole)
        fprintf(out, "Winner: %s, with %.4f %s per GPU-hour of work, electricity and purchase over %d years at %g %%.\n", value_of(whole),
                all_in(whole), whole->currency, all->finance.years, 100 * all->finance.rate);
    else if (bill)
        fprintf(out, "Winner: %s, with %.4f %s per GPU-hour of work, electricity alone.\n", value_of(bill), bill->cost_per_work, bill->currency);
}
