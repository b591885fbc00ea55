/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep of one setting of the cards: what each value draws, does and costs, and which is best at what. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/words.h"

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
    static const char *const settings[] = {"power-limit", "lock-clock", "clock-offset", "voltage-offset",
                                           "memory-offset"};
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
    return wsk_summary_over(c->summary, WSK_R_GPU_POWER_MEAN, WSK_OVER_MEAN);
}
static double wall_w(const wsk_cli_case *c)
{
    return c->wall_kwh * 3.6e6 / c->simulated_s;
}
static double clock_mhz(const wsk_cli_case *c)
{
    return wsk_summary_over(c->summary, WSK_R_GPU_CLOCK_MEAN, WSK_OVER_MEAN);
}
static double work(const wsk_cli_case *c)
{
    return 100 * c->work * 3600 / (c->simulated_s * (double)wsk_summary_count(c->summary, WSK_SCOPE_GPU));
}
static double counted(const wsk_cli_case *c)
{
    return c->count * 3600 / c->simulated_s;
}
/* With the air conditioner's share, which the bill has as well. */
static double work_per_kwh(const wsk_cli_case *c)
{
    return wsk_cli_measured(c, WSK_CLI_BY_WORK_PER_ENERGY);
}
static double units_per_kwh(const wsk_cli_case *c)
{
    return c->count / wsk_cli_measured(c, WSK_CLI_BY_ENERGY);
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
/* Of what asks too much, where some case does. */
static double trips(const wsk_cli_case *c)
{
    return 100 * c->trip;
}
static double supply(const wsk_cli_case *c)
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

/* What is open of a column's number: that of a measure, in proportion; or a difference of sums that is known by both. */
enum { OPEN_NOT = -1, OPEN_PER_KWH = -2 };

typedef struct {
    const char *head,
        *unit; /* unit "$...": behind the currency; "#", "@": the counted unit, of its number and of its price */
    int digits, way; /* way: 1 more is better, -1 less is */
    double (*get)(const wsk_cli_case *c);
    int open; /* wsk_cli_measure whose band it has, in proportion */
    enum { ALWAYS, HOURS, UNITS, YEAR } when;
} column;
static const column columns[] = {{"card", "W", 1, -1, card_w, OPEN_NOT, ALWAYS},
                                 {"wall", "W", 0, -1, wall_w, WSK_CLI_BY_ENERGY, ALWAYS},
                                 {"clock", "MHz", 0, 1, clock_mhz, OPEN_NOT, ALWAYS},
                                 {"work", "%", 2, 1, work, WSK_CLI_BY_WORK, ALWAYS},
                                 {"done", "#/h", 1, 1, counted, WSK_CLI_BY_COUNTED, UNITS},
                                 {"per energy", "GPU-h/kWh", 4, 1, work_per_kwh, OPEN_PER_KWH, HOURS},
                                 {"per energy", "#/kWh", 1, 1, units_per_kwh, OPEN_PER_KWH, UNITS},
                                 {"per work", "$/GPU-h", 4, -1, cost_per_work, WSK_CLI_BY_PER_WORK, HOURS},
                                 {"per work", "$/@", 4, -1, cost_per_unit, WSK_CLI_BY_COUNT, UNITS},
                                 {"all in", "$/GPU-h", 4, -1, all_in, WSK_CLI_BY_ALL_IN, HOURS},
                                 {"all in", "$/@", 4, -1, all_in_unit, WSK_CLI_BY_ALL_IN_COUNT, UNITS},
                                 {"cost", "$/yr", 2, -1, annual, WSK_CLI_BY_ANNUAL, YEAR},
                                 {"hottest", "degC", 1, -1, die_c, WSK_CLI_BY_DIE, ALWAYS},
                                 {"memory", "degC", 1, -1, memory_c, OPEN_NOT, ALWAYS},
                                 {"lost", "% heat", 2, -1, lost, OPEN_NOT, ALWAYS},
                                 {"noise", "dBA", 1, -1, noise, WSK_CLI_BY_NOISE, ALWAYS},
                                 {"trips", "in 100", 0, -1, trips, OPEN_NOT, ALWAYS},
                                 {"supply", "% rated", 0, -1, supply, OPEN_NOT, ALWAYS},
                                 {"circuit", "% allowed", 0, -1, circuit, OPEN_NOT, ALWAYS},
                                 {"cloud", "h", 0, -1, cloud_h, OPEN_NOT, ALWAYS}};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef struct {
    const wsk_cli_comparison *all;
    wsk_cli_units units; /* one of each where nothing is counted */
    bool counted;
} sheet;

static bool shown(const sheet *s, const column *col)
{
    double limit = col->get == trips ? 0.5 : col->get == supply || col->get == circuit ? 100.05 : -INFINITY;
    bool any = false;
    for (size_t i = 0; i < s->all->count; i++)
        any = any || (col->get(&s->all->cases[i]) >= limit &&
                      (col->get != circuit || wsk_cli_over_circuit(&s->all->cases[i])));
    if (!any && limit > 0)
        return false;
    return col->when == ALWAYS || (col->when == YEAR ? s->all->annual : (col->when == UNITS) == s->counted);
}

/* What is counted is told in thousands or millions where it is many. */
static double scale_of(const sheet *s, const column *col)
{
    return strchr(col->unit, '@') ? s->units.price : strchr(col->unit, '#') ? 1 / s->units.number : 1;
}

static double open_of(const sheet *s, const wsk_cli_case *c, const column *col)
{
    const wsk_cli_finance *f = &s->all->finance;
    if (col->open == OPEN_NOT)
        return NAN;
    /* Units for an energy move as the energy for a unit does: what raises both alike leaves it. */
    if (col->open == OPEN_PER_KWH)
        return wsk_cli_band(c, WSK_CLI_BY_WORK_PER_ENERGY, f) / wsk_cli_measured(c, WSK_CLI_BY_WORK_PER_ENERGY) *
               col->get(c);
    double value = wsk_cli_measured(c, (wsk_cli_measure)col->open),
           band = wsk_cli_band(c, (wsk_cli_measure)col->open, f);
    return col->open == WSK_CLI_BY_DIE || col->open == WSK_CLI_BY_NOISE ? band : fabs(band / value * col->get(c));
}

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
static bool seen_apart(const sheet *s, const column *col)
{
    double scale = pow(10, col->digits) * scale_of(s, col), least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < s->all->count; i++) {
        double v = round(scale * col->get(&s->all->cases[i]));
        least = fmin(least, v);
        most = fmax(most, v);
    }
    return most > least;
}

static void unit_of(char out[64], const sheet *s, const column *c)
{
    const char *rest = c->unit + (*c->unit == '$'), *hash = strpbrk(rest, "#@");
    snprintf(out, 64, "%.8s%.*s%.40s%s", *c->unit == '$' ? s->all->cases[0].currency : "",
             hash ? (int)(hash - rest) : 40, rest,
             hash ? (*hash == '@' ? s->units.price_of : s->units.number_of) : "", hash ? hash + 1 : "");
}

static void cell(char out[48], const sheet *s, const wsk_cli_case *c, const column *col)
{
    double v = col->get(c) * scale_of(s, col);
    if (isnan(v))
        snprintf(out, 48, col->get == cloud_h && c->cloud.never ? "never" : "-");
    else
        wsk_cli_put_band(out, v, open_of(s, c, col) * scale_of(s, col), col->digits);
}

/* Without the place of the star. */
static int width_of(const sheet *s, const column *c)
{
    char text[64];
    unit_of(text, s, c);
    size_t width = strlen(text) > strlen(c->head) ? strlen(text) : strlen(c->head);
    for (size_t i = 0; i < s->all->count; i++) {
        cell(text, s, &s->all->cases[i], c);
        width = strlen(text) > width ? strlen(text) : width;
    }
    return (int)width;
}

/* As many columns as a page has room for, from number `from` on; returns the number of the next. */
static int part_of_table(FILE *out, const sheet *s, const bool *known, const wsk_cli_case *const *best, int first,
                         int from)
{
    const wsk_cli_case *cases = s->all->cases;
    const char *name;
    char text[64];
    size_t len, count = s->all->count;
    int to = from, used = first, width[COLUMNS], last = from, page = wsk_cli_page(out, WSK_CLI_PAGE);
    for (; to < COLUMNS; to++) {
        width[to] = width_of(s, &columns[to]);
        if (known[to] && used > first && used + 3 + width[to] > page)
            break;
        used += known[to] ? 3 + width[to] : 0;
        last = known[to] ? to : last;
    }
    setting_of(&cases[0], &name, &len);
    fprintf(out, "%-*.*s", first, (int)len, name);
    for (int k = from; k < to; k++)
        if (known[k])
            fprintf(out, "  %*s%s", width[k], columns[k].head, k == last ? "" : " ");
    fprintf(out, "\n%-*s", first, "");
    for (int k = from; k < to; k++) {
        unit_of(text, s, &columns[k]);
        if (known[k])
            fprintf(out, "  %*s%s", width[k], text, k == last ? "" : " ");
    }
    fputc('\n', out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%-*s", first, value_of(&cases[i]));
        for (int k = from; k < to; k++) {
            cell(text, s, &cases[i], &columns[k]);
            if (known[k])
                fprintf(out, "  %*s%s", width[k], text, best[k] == &cases[i] ? "*" : k == last ? "" : " ");
        }
        fputc('\n', out);
    }
    fputc('\n', out);
    return to;
}

static void table(FILE *out, FILE *words, const sheet *s)
{
    const wsk_cli_case *cases = s->all->cases;
    bool known[COLUMNS] = {false};
    const wsk_cli_case *best[COLUMNS];
    const char *name;
    size_t len, width, count = s->all->count;
    bool open = false;
    setting_of(&cases[0], &name, &width);
    for (size_t i = 0; i < count; i++)
        width = (len = strlen(value_of(&cases[i]))) > width ? len : width;
    for (int k = 0; k < COLUMNS; k++) {
        for (size_t i = 0; i < count && shown(s, &columns[k]); i++)
            known[k] |= !isnan(columns[k].get(&cases[i])) || (columns[k].get == cloud_h && cases[i].cloud.never);
        best[k] = seen_apart(s, &columns[k]) ? best_of(cases, count, &columns[k]) : NULL;
    }
    bool bought = false;
    for (int k = 0; k < COLUMNS; k++)
        bought = bought || (known[k] && (columns[k].get == all_in || columns[k].get == all_in_unit));
    for (int k = 0; k < COLUMNS;)
        k = part_of_table(out, s, known, best, (int)width, k);
    fputs("* the best of its column. Work: of what the cards would do without pause at their default limit, cool; "
          "energy: at the wall",
          words);
    fputs(wsk_summary_number(cases[0].summary, WSK_R_ROOM_COOLING_KWH, 0) > 0 ? ", and for cooling the room.\n"
                                                                              : ".\n",
          words);
    if (bought)
        fprintf(words, "All in: electricity, and the purchase spread over %d years at %g %%.\n",
                s->all->finance.years, 100 * s->all->finance.rate);
    double class_work = 0, class_w = 0;
    for (size_t i = 0; i < count; i++) {
        class_work = fmax(class_work, wsk_summary_over(cases[i].summary, WSK_R_GPU_WORK_SPREAD, WSK_OVER_MAX));
        class_w = fmax(class_w, wsk_summary_over(cases[i].summary, WSK_R_GPU_POWER_SPREAD, WSK_OVER_MAX));
    }
    if (class_work > 0 || class_w > 0)
        fprintf(words,
                "There are no measurements of this card: those of its class leave its work open by up to +-%.0f %% "
                "and its watts by up to +-%.0f %%.\n",
                100 * class_work, 100 * class_w);
    for (size_t i = 0; i < count; i++)
        open |= cases[i].spread_known;
    if (open)
        fputs(
            "+-: what badges and assumed values leave open of one case; what the cases share cancels between them.\n",
            words);
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
        if (end - i > 1 && strcmp(value_of(&cases[i]), value_of(&cases[end - 1])) != 0)
            fprintf(out, "From %s to %s nothing changes: a card draws %.0f W.\n", value_of(&cases[i]),
                    value_of(&cases[end - 1]), card_w(&cases[i]));
    }
}

/* The best of those that ask least of what feeds them. */
static const wsk_cli_case *winner_by(const wsk_cli_comparison *all, wsk_cli_measure by)
{
    const wsk_cli_case *best = NULL;
    bool apart = false;
    for (size_t i = 0; i < all->count; i++) {
        const wsk_cli_case *c = &all->cases[i];
        double v = wsk_cli_measured(c, by), b = best ? wsk_cli_measured(best, by) : INFINITY;
        if (isnan(v) || v < 0) /* paid for what it draws, it earns the more for a unit the less it does */
            return NULL;
        apart = apart || fabs(v - wsk_cli_measured(all->cases, by)) > 1e-6 * v;
        if (wsk_cli_case_burden(c) == wsk_cli_least_burden(all->cases, all->count) && v < b - 1e-9 * b)
            best = c;
        else if (wsk_cli_case_burden(c) == wsk_cli_least_burden(all->cases, all->count) && !best)
            best = c;
    }
    return apart ? best : NULL;
}

static void winner(FILE *out, const sheet *s, char *const *names)
{
    const wsk_cli_comparison *all = s->all;
    wsk_cli_measure whole = s->counted ? WSK_CLI_BY_ALL_IN_COUNT : WSK_CLI_BY_ALL_IN,
                    bill = s->counted ? WSK_CLI_BY_COUNT : WSK_CLI_BY_PER_WORK;
    const wsk_cli_case *best = winner_by(all, whole);
    wsk_cli_yardstick y = {.by = best ? whole : bill, .scale = s->counted ? s->units.price : 1};
    if (!best && !(best = winner_by(all, bill))) {
        for (size_t i = 0; i < all->count; i++)
            if (all->cases[i].cost < 0) {
                fprintf(
                    out,
                    "No winner: %s is paid for what it draws, and earns the more for each unit the less it does.\n",
                    value_of(&all->cases[i]));
                return;
            }
        fputs(
            isnan(all->cases[0].cost)
                ? "No winner: no case has a tariff, so electricity has no price. A <tariff> in <site> gives it one.\n"
                : "No winner: the cases cost the same.\n",
            out);
        return;
    }
    const wsk_cli_common common = {.all = all,
                                   .cases = all->cases,
                                   .count = all->count,
                                   .names = names,
                                   .f = &all->finance,
                                   .run = best->currency,
                                   .annual = all->annual,
                                   .time = true};
    snprintf(y.text, sizeof y.text, "per %s", s->counted ? s->units.price_of : "GPU-hour of work");
    wsk_cli_crown(out, &common, best, &y);
    if (wsk_cli_case_burden(best) != WSK_CLI_RUNS)
        fputs(wsk_cli_case_burden(best) == WSK_CLI_STOPS ? "  But every case would trip or shut down.\n"
                                                         : "  But it overloads what feeds it, too.\n",
              out);
}

static void in_words(FILE *out, const sheet *s)
{
    const wsk_cli_comparison *all = s->all;
    const wsk_cli_case *cases = all->cases;
    size_t count = all->count;
    plateaus(out, cases, count);
    const wsk_cli_case *most = best_by(cases, count, work), *saves = best_by(cases, count, work_per_kwh);
    if (most && saves && most != saves)
        fprintf(out,
                "%s does the most work. %s does the most with a kilowatt-hour: %.1f %% less work, %.1f %% less "
                "energy for each unit.\n",
                value_of(most), value_of(saves), 100 * (1 - saves->work / most->work),
                100 * (1 - work_per_kwh(most) / work_per_kwh(saves)));
    else if (most)
        fprintf(out, "%s does the most work%s.\n", value_of(most),
                saves == most ? ", and the most with a kilowatt-hour" : "");
    char *head, **names = wsk_cli_name_cases(all, &head);
    wsk_cli_limit_inversions(out, cases, count, 1, names);
    wsk_cli_cloud_words(out, all, 4, names);
    wsk_cli_burden_words(out, all, names);
    winner(out, s, names);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    free(head);
}

void wsk_cli_sweep_text(FILE *out, const wsk_cli_comparison *all)
{
    char *text = NULL;
    size_t len;
    sheet s = {.all = all};
    s.counted = wsk_cli_find_units(all, &s.units);
    FILE *words = open_memstream(&text, &len);
    if (!words)
        return;
    wsk_cli_headline(out, all);
    table(out, words, &s);
    in_words(words, &s);
    (void)fclose(words);
    wsk_cli_wrap(out, text, wsk_cli_page(out, WSK_CLI_PAGE));
    free(text);
}
