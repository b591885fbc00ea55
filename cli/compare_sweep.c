/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep of one setting of the cards: what each value draws, does and costs, and which is best at what. */
#include <math.h>
#include <stdlib.h>
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

static void unit_of(char out[32], const wsk_cli_case *cases, const column *c)
{
    snprintf(out, 32, "%s%s", *c->unit == '$' ? cases[0].currency : "", *c->unit == '$' ? c->unit + 1 : c->unit);
}

static void cell(char out[32], const wsk_cli_case *c, const column *col)
{
    double v = col->get(c);
    if (isnan(v))
        snprintf(out, 32, "-");
    else
        snprintf(out, 32, "%.*f", col->digits, v);
}

/* Without the place of the star. */
static int width_of(const wsk_cli_case *cases, size_t count, const column *c)
{
    char text[32];
    unit_of(text, cases, c);
    size_t width = strlen(text) > strlen(c->head) ? strlen(text) : strlen(c->head);
    for (size_t i = 0; i < count; i++) {
        cell(text, &cases[i], c);
        width = strlen(text) > width ? strlen(text) : width;
    }
    return (int)width;
}

/* As many columns as a page has room for, from number `from` on; returns the number of the next. */
static int part_of_table(FILE *out, const wsk_cli_case *cases, size_t count, const bool *known, const wsk_cli_case *const *best,
                         int first, int from)
{
    const char *name;
    char text[32];
    size_t len;
    int to = from, used = first, width[COLUMNS];
    for (; to < COLUMNS; to++) {
        width[to] = width_of(cases, count, &columns[to]);
        if (known[to] && used > first && used + 3 + width[to] > 80)
            break;
        used += known[to] ? 3 + width[to] : 0;
    }
    setting_of(&cases[0], &name, &len);
    fprintf(out, "%-*.*s", first, (int)len, name);
    for (int k = from; k < to; k++)
        if (known[k])
            fprintf(out, "  %*s ", width[k], columns[k].head);
    fprintf(out, "\n%-*s", first, "");
    for (int k = from; k < to; k++) {
        unit_of(text, cases, &columns[k]);
        if (known[k])
            fprintf(out, "  %*s ", width[k], text);
    }
    fputc('\n', out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%-*s", first, value_of(&cases[i]));
        for (int k = from; k < to; k++) {
            cell(text, &cases[i], &columns[k]);
            if (known[k])
                fprintf(out, "  %*s%c", width[k], text, best[k] == &cases[i] ? '*' : ' ');
        }
        fputc('\n', out);
    }
    fputc('\n', out);
    return to;
}

static void table(FILE *out, FILE *words, const wsk_cli_case *cases, size_t count)
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
    for (int k = 0; k < COLUMNS;)
        k = part_of_table(out, cases, count, known, best, (int)width, k);
    fputs("* the best of its column. Work: of what the cards would do without pause at their default limit, cool; energy: at the wall", words);
    fputs(wsk_json_number(cases[0].json, "energy.room_cooling_kwh") > 0 ? ", and for cooling the room.\n" : ".\n", words);
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

/* Cases whose difference to the winner is within what is open. */
static void rivals(FILE *out, const wsk_cli_comparison *all, const wsk_cli_case *best, wsk_cli_measure by)
{
    int said = 0;
    for (size_t i = 0; i < all->count; i++) {
        const wsk_cli_case *c = &all->cases[i];
        double d = wsk_cli_measured(c, by) - wsk_cli_measured(best, by);
        if (c != best && wsk_cli_band_between(best, c, by, &all->finance, NULL) >= d)
            fprintf(out, "%s%s", said++ ? ", " : "  What badges and assumed values leave open does not tell it from ", value_of(c));
    }
    fputs(said ? ".\n" : "", out);
}

static void in_words(FILE *out, const wsk_cli_comparison *all)
{
    const wsk_cli_case *cases = all->cases;
    size_t count = all->count;
    plateaus(out, cases, count);
    const wsk_cli_case *most = best_by(cases, count, work), *saves = best_by(cases, count, work_per_kwh);
    if (most && saves && most != saves)
        fprintf(out, "%s does the most work. %s does the most with a kilowatt-hour: %.1f %% less work, %.1f %% less energy for each unit.\n",
                value_of(most), value_of(saves), 100 * (1 - saves->work / most->work),
                100 * (1 - work_per_kwh(most) / work_per_kwh(saves)));
    else if (most)
        fprintf(out, "%s does the most work%s.\n", value_of(most), saves == most ? ", and the most with a kilowatt-hour" : "");
    char *head, **names = wsk_cli_short_names(cases, count, &head);
    wsk_cli_limit_inversions(out, cases, count, 1, names);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    free(head);
    const wsk_cli_case *whole = best_by(cases, count, all_in), *bill = best_by(cases, count, cost_per_work);
    if (whole)
        fprintf(out, "Winner: %s, with %.4f %s per GPU-hour of work, electricity and purchase over %d years at %g %%.\n", value_of(whole),
                all_in(whole), whole->currency, all->finance.years, 100 * all->finance.rate);
    else if (bill)
        fprintf(out, "Winner: %s, with %.4f %s per GPU-hour of work, electricity alone.\n", value_of(bill), bill->cost_per_work, bill->currency);
    if (whole || bill)
        rivals(out, all, whole ? whole : bill, whole ? WSK_CLI_BY_ALL_IN : WSK_CLI_BY_PER_WORK);
}

void wsk_cli_sweep_text(FILE *out, const wsk_cli_comparison *all)
{
    char time[32], *text = NULL;
    size_t len;
    wsk_cli_duration(time, all->cases[0].simulated_s);
    fprintf(out, "Over %s.\n\n", time);
    FILE *words = open_memstream(&text, &len);
    if (!words)
        return;
    table(out, words, all->cases, all->count);
    in_words(words, all);
    (void)fclose(words);
    wsk_cli_wrap(out, text);
    free(text);
}
