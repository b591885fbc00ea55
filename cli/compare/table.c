/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/words.h"
#include "cli/kit/grid.h"
#include "words/width.h"

/* LABEL: terminal columns of a name. SIDE_BY_SIDE: most cases shown as columns. FULL: with more cases than this, only
 * the most important quantities are shown. */
enum { LABEL = 24, SIDE_BY_SIDE = 4, FULL = 12 };

/* A quantity of the table. Name, unit and decimals are those of the result `about`, unless `own` or `unit` replaces
 * them. */
typedef struct {
    wsk_result about;
    /* NULL: the unit of `about`. "#": the unit in which work is counted (1000 tokens); "@": the unit of work for which
     * prices are printed (million tokens) */
    const char *unit;
    const char *own;
    int digits;
    enum { RATE, SUM } per; /* SUM: grows with the simulated time, so --annual scales it to a year */
    bool key;
    /* Currencies in which all cases must agree, else the quantity is not shown. RUN: that of electricity; BUY: that of
     * the parts; RUN_AND_BUY: both, which must also be the same currency. */
    enum { NO_MONEY, RUN, BUY, RUN_AND_BUY } money;
    int what;
} quantity;
/* Values of quantity.what. Below 0: CATEGORY(k), energy of category k. Below 100: a wsk_cli_measure, which has an
 * uncertainty. From 100: other numbers. LOST and BRAKED are one number under two names. */
enum { PAYBACK = 100, VALUE, EFFICIENCY, HOT, LOST, BRAKED, CLOUD, CLOUD_YEAR, PSU_COOLING, TRIP, PSU_LOAD, CIRCUIT };
#define CATEGORY(k) (-1 - (k))
static const quantity lines[] = {
    {.about = WSK_R_WHERE_CARDS, .per = SUM, .what = CATEGORY(WSK_CLI_CARDS)},
    {.about = WSK_R_WHERE_REST, .per = SUM, .what = CATEGORY(WSK_CLI_REST)},
    {.about = WSK_R_WHERE_FANS, .per = SUM, .what = CATEGORY(WSK_CLI_FANS)},
    {.about = WSK_R_WHERE_PSU, .per = SUM, .what = CATEGORY(WSK_CLI_PSU)},
    {.about = WSK_R_WHERE_LOADS, .per = SUM, .what = CATEGORY(WSK_CLI_LOADS)},
    {.about = WSK_R_WHERE_FEED, .per = SUM, .what = CATEGORY(WSK_CLI_FEED)},
    {.about = WSK_R_WHERE_COOLING, .per = SUM, .what = CATEGORY(WSK_CLI_COOLING)},
    {.about = WSK_R_WHERE_PSU_COOLING, .per = SUM, .what = PSU_COOLING},
    {.own = N_("all energy"), .unit = "kWh", .digits = 1, .per = SUM, .key = true, .what = WSK_CLI_BY_ENERGY},
    {.about = WSK_R_COST, .per = SUM, .key = true, .money = RUN, .what = WSK_CLI_BY_ANNUAL},
    {.about = WSK_R_COST_PER_WORK, .key = true, .money = RUN, .what = WSK_CLI_BY_PER_WORK},
    {.about = WSK_R_COST_PER_WORK, .unit = "currency/@", .key = true, .money = RUN, .what = WSK_CLI_BY_COUNT},
    {.about = WSK_R_PURCHASE, .key = true, .money = BUY, .what = WSK_CLI_BY_PURCHASE},
    {.about = WSK_R_ALL_IN, .key = true, .money = RUN_AND_BUY, .what = WSK_CLI_BY_ALL_IN},
    {.about = WSK_R_ALL_IN, .unit = "currency/@", .key = true, .money = RUN_AND_BUY, .what = WSK_CLI_BY_ALL_IN_COUNT},
    {.about = WSK_R_PAYBACK, .unit = N_("years"), .money = RUN_AND_BUY, .what = PAYBACK},
    {.about = WSK_R_NPV, .money = RUN_AND_BUY, .what = VALUE},
    {.about = WSK_R_PSU_EFFICIENCY, .what = EFFICIENCY},
    {.about = WSK_R_TRIP, .key = true, .what = TRIP},
    {.about = WSK_R_PSU_PEAK, .unit = N_("% of rating"), .key = true, .what = PSU_LOAD},
    {.about = WSK_R_CIRCUIT_PEAK, .unit = N_("% of limit"), .key = true, .what = CIRCUIT},
    {.about = WSK_R_GPU_DIE_MAX, .key = true, .what = WSK_CLI_BY_DIE},
    {.own = N_("throttled by heat"), .unit = N_("% of time"), .digits = 1, .what = HOT},
    {.about = WSK_R_WORK, .per = SUM, .key = true, .what = WSK_CLI_BY_WORK},
    {.about = WSK_R_COUNT, .unit = "#", .per = SUM, .key = true, .what = WSK_CLI_BY_COUNTED},
    {.about = WSK_R_TOKENS_GENERATION, .key = true, .what = WSK_CLI_BY_TOKENS},
    {.about = WSK_R_TOKENS_PROMPT, .key = true, .what = WSK_CLI_BY_PROMPT},
    {.about = WSK_R_LOST, .what = LOST},
    {.own = N_("lost to heat and power brake"), .unit = "%", .digits = 2, .what = BRAKED},
    {.about = WSK_R_CARBON, .per = SUM, .what = WSK_CLI_BY_CARBON},
    {.about = WSK_R_NOISE, .what = WSK_CLI_BY_NOISE},
    {.about = WSK_R_CLOUD_HOURS, .money = RUN_AND_BUY, .what = CLOUD},
    {.about = WSK_R_CLOUD_HOURS_PER_YEAR, .unit = N_("h/year"), .money = RUN_AND_BUY, .what = CLOUD_YEAR}};
enum { LINES = sizeof lines / sizeof *lines };

typedef struct {
    const wsk_cli_comparison *all;
    const char *run, *buy;
    bool time; /* totals can be compared: equal simulated times, or --annual */
    bool counted;
    bool unlike; /* the cases differ in the parts that lack a price, so purchases are not comparable */
    wsk_cli_units units;
    int finer;
    int places[LINES]; /* decimals of a quantity's numbers that have an uncertainty; -1: none has one */
} frame;

/* Time for which cards are throttled by GPU temperature, memory temperature or hardware slowdown, without the power
 * brake, % of the simulated time, mean of the cards. */
static double too_hot(const wsk_cli_case *c)
{
    static const wsk_result reasons[] = {WSK_R_GPU_LIMITED_BY_HEAT, WSK_R_GPU_LIMITED_BY_MEMORY, WSK_R_GPU_SLOWDOWN};
    double sum = NAN, cards = (double)wsk_summary_count(c->summary, WSK_SCOPE_GPU);
    for (int i = 0; i < 3; i++) {
        double s = wsk_summary_over(c->summary, reasons[i], WSK_OVER_SUM);
        if (!isnan(s))
            sum = (isnan(sum) ? 0 : sum) + s;
    }
    /* The power brake counts as hardware slowdown, but is not caused by heat. */
    double brake = wsk_summary_over(c->summary, WSK_R_GPU_BRAKED, WSK_OVER_SUM);
    return 100 * (sum - (brake > 0 ? brake : 0)) / (cards * c->simulated_s);
}

static double get(const wsk_cli_case *c, int what)
{
    if (what < 0)
        return wsk_cli_category_kwh(c->summary, (wsk_cli_category)(-1 - what));
    switch (what) {
    case PSU_COOLING: return wsk_cli_psu_cooling_kwh(c->summary);
    case WSK_CLI_BY_ANNUAL: return c->cost; /* cost of the run; with --annual, scale() converts it to a year */
    case PAYBACK: return c->payback_years;
    case VALUE: return c->npv;
    case EFFICIENCY: return 100 * wsk_summary_over(c->summary, WSK_R_PSU_EFFICIENCY, WSK_OVER_MEAN);
    case HOT: return too_hot(c);
    case LOST:
    case BRAKED: return c->work > 0 ? 100 * wsk_summary_number(c->summary, WSK_R_LOST, 0) : NAN;
    case TRIP: return 100 * c->trip;
    case PSU_LOAD: return 100 * c->supply_peak;
    case CIRCUIT: return 100 * c->circuit_peak;
    case CLOUD: return c->cloud.hours;
    case CLOUD_YEAR: return c->cloud.hours_per_year;
    default: return wsk_cli_measured(c, (wsk_cli_measure)what);
    }
}

static bool like_cards(const frame *f)
{
    for (size_t i = 1; i < f->all->count; i++)
        if (strcmp(f->all->cases[i].cards, f->all->cases[0].cards) != 0)
            return false;
    return true;
}

static bool too_much(const quantity *l, const wsk_cli_case *c)
{
    return l->what == TRIP       ? wsk_cli_would_trip(c)
           : l->what == PSU_LOAD ? c->supply_peak > 1.0005
                                 : wsk_cli_over_circuit(c);
}

static bool comparable(const quantity *l, const frame *f)
{
    bool one_money = f->run && f->buy && !wsk_cli_other_currency(f->run, f->buy);
    bool money = l->money == NO_MONEY || (l->money == RUN   ? f->run != NULL
                                          : l->money == BUY ? f->buy != NULL
                                                            : one_money);
    if (l->what == WSK_CLI_BY_WORK || l->what == WSK_CLI_BY_PER_WORK || l->what == WSK_CLI_BY_ALL_IN)
        money = money && like_cards(f); /* GPU-hours of unlike cards are different amounts of work */
    return (f->time || !l->per) && money &&
           (!l->unit || !strpbrk(l->unit, "#@") || (f->counted && f->all->work == WSK_CLI_UNITS));
}

static bool known(const quantity *l, const frame *f)
{
    bool any = false, differ = false, braked = false, against_first = l->what == PAYBACK || l->what == VALUE;
    for (size_t i = 0; i < f->all->count; i++) {
        const wsk_cli_case *c = &f->all->cases[i];
        if (l->what == TRIP || l->what == PSU_LOAD || l->what == CIRCUIT)
            any |= too_much(l, c);
        else
            any |= (i || !against_first) && !isnan(get(c, l->what));
        braked |= c->braked;
        differ |= fabs(c->purchase - f->all->cases[0].purchase) >= 0.5;
    }
    /* Payback and NPV refer to a difference of purchases; without a difference they are not shown. */
    if (against_first && !differ)
        return false;
    if (l->what == LOST || l->what == BRAKED)
        any = any && braked == (l->what == BRAKED);
    return any && comparable(l, f);
}

static int digits_of(const quantity *l)
{
    const wsk_result_row *row = wsk_result_about(l->about);
    return l->own ? l->digits : row->digits - (strcmp(row->unit, "1") ? 0 : 2);
}

/* Computes a number and its band (uncertainty; NAN: none) in the quantity's unit. Returns the decimals for a number
 * that has no band. */
static int scale(const wsk_cli_case *c, const quantity *l, const frame *f, double *value, wsk_cli_sides *band)
{
    double per = l->per && f->all->annual ? WSK_CLI_YEAR_S / c->simulated_s : 1;
    wsk_cli_sides all_band = wsk_cli_even(NAN);
    if (l->what >= 0 && l->what < PAYBACK)
        all_band = wsk_cli_sides_of(c, l->what == WSK_CLI_BY_ANNUAL ? WSK_CLI_BY_COST : (wsk_cli_measure)l->what,
                                    &f->all->finance);
    if (l->what == VALUE)
        all_band = wsk_cli_even(wsk_cli_annuity(&f->all->finance) *
                                wsk_cli_band_between(f->all->cases, c, WSK_CLI_BY_TOTAL, &f->all->finance, NULL));
    if (l->what == WSK_CLI_BY_COUNT || l->what == WSK_CLI_BY_ALL_IN_COUNT)
        per = f->units.price;
    else if (l->what == WSK_CLI_BY_COUNTED)
        per /= f->units.number;
    *value = get(c, l->what) * per;
    *band = wsk_cli_scaled(all_band, per);
    return digits_of(l) + (l->per && l->what != WSK_CLI_BY_COUNTED ? f->finer : 0);
}

/* Finds the decimals of a quantity: the most that any case needs, so that 83 ±2 does not stand beside 83.0 ±1.7. */
static void find_places(frame *f, const quantity *l)
{
    int most = -1;
    for (size_t i = 0; i < f->all->count; i++) {
        double value;
        wsk_cli_sides sides;
        int digits = scale(&f->all->cases[i], l, f, &value, &sides);
        const double band = wsk_cli_half(sides);
        int places = wsk_cli_places(band, digits);
        if (band > 0 && !isinf(band) && !isnan(value))
            most = places > most ? places : most;
    }
    f->places[l - lines] = most;
}

static void cell(char out[48], const wsk_cli_case *c, const quantity *l, const frame *f)
{
    double value;
    wsk_cli_sides sides;
    int digits = scale(c, l, f, &value, &sides), places = f->places[l - lines];
    const double band = wsk_cli_half(sides);
    bool part = l->what == WSK_CLI_BY_PURCHASE || l->what == WSK_CLI_BY_ALL_IN || l->what == WSK_CLI_BY_ALL_IN_COUNT;
    bool never = (l->what == CLOUD || l->what == CLOUD_YEAR) && c->cloud.never;
    if (never || isnan(value))
        snprintf(out, 48, "%s", never ? T_("never") : "-");
    else
        wsk_cli_put_places(out, value, sides, places >= 0 && band > 0 && !isinf(band) ? places : digits);
    /* ">": the true number is higher, because parts without a price are missing in it. */
    if (part && f->unlike && c->unpriced && !isnan(value) && strlen(out) < 47) {
        memmove(out + 1, out, strlen(out) + 1);
        out[0] = '>';
    }
}

static void unit_of(char out[64], const quantity *l, const frame *f)
{
    const char *currency = l->money == BUY ? f->buy : f->run;
    wsk_cli_put_unit(out, l->unit ? l->unit : wsk_result_about(l->about)->unit, currency ? currency : "", &f->units);
    if (f->all->annual && l->per == SUM)
        wsk_cli_put_yearly(out);
}

static const char *name_of(const quantity *l, bool brief)
{
    bool energy = l->what < 0 || l->what == PSU_COOLING; /* rows of energy stand together, so short names are clear */
    return l->own ? T_(l->own) : brief || energy ? T_(wsk_result_brief(l->about)) : wsk_cli_row_name(l->about);
}

static void put_head(FILE *out, wsk_cli_grid *g, const char *head, int room)
{
    if (wsk_width(head) <= room)
        wsk_cli_grid_set(g, 0, 0, head);
    else
        fprintf(out, "%s\n", head);
}

static void set_name(wsk_cli_grid *g, size_t row, size_t column, const char *name)
{
    char *cut = wsk_cli_shorten(name, LABEL);
    wsk_cli_grid_set(g, row, column, cut);
    free(cut);
}

static bool side_by_side(FILE *out, const frame *f, const quantity *const *shown, int rows, char *const *names,
                         const char *head)
{
    char text[64];
    size_t count = f->all->count;
    if (count > SIDE_BY_SIDE)
        return false;
    wsk_cli_grid g = wsk_cli_grid_new((size_t)rows + 1, 2 + count, 2);
    for (size_t i = 0; i < count; i++)
        set_name(&g, 0, 2 + i, names[i]);
    int room = 0;
    for (int k = 0; k < rows; k++) {
        wsk_cli_grid_set(&g, (size_t)k + 1, 0, name_of(shown[k], false));
        unit_of(text, shown[k], f);
        wsk_cli_grid_set(&g, (size_t)k + 1, 1, text);
        room = wsk_width(name_of(shown[k], false)) > room ? wsk_width(name_of(shown[k], false)) : room;
        for (size_t i = 0; i < count; i++) {
            cell(text, &f->all->cases[i], shown[k], f);
            wsk_cli_grid_set(&g, (size_t)k + 1, 2 + i, text);
        }
    }
    int page = wsk_cli_page(out, WSK_CLI_PAGE);
    bool fits = wsk_cli_grid_width(&g) <= page;
    if (fits) {
        put_head(out, &g, head, room);
        wsk_cli_grid_print(out, &g, page);
    }
    wsk_cli_grid_free(&g);
    return fits;
}

static bool the_same(const quantity *l, const frame *f)
{
    char first[48], other[48];
    cell(first, &f->all->cases[0], l, f);
    for (size_t i = 1; i < f->all->count; i++) {
        cell(other, &f->all->cases[i], l, f);
        if (strcmp(first, other) != 0)
            return false;
    }
    return true;
}

static int say_once(FILE *out, const frame *f, const quantity **shown, int rows)
{
    char *words = NULL, value[48], unit[64];
    size_t len;
    int left = 0;
    FILE *text = wsk_cli_text(&words, &len);
    for (int k = 0, said = 0; k < rows; k++) {
        if (!the_same(shown[k], f)) {
            shown[left++] = shown[k];
            continue;
        }
        cell(value, &f->all->cases[0], shown[k], f);
        unit_of(unit, shown[k], f);
        fprintf(text, "%s%s %s %s", said++ ? "; " : T_("All cases: "), name_of(shown[k], false), value, unit);
    }
    if (fclose(text) == 0 && *words) {
        wsk_cli_wrap(out, words, wsk_cli_page(out, WSK_CLI_PAGE));
        fputc('\n', out);
    }
    free(words);
    return left;
}

static void one_below_the_other(FILE *out, const frame *f, const quantity **shown, int rows, char *const *names,
                                const char *head)
{
    char text[64];
    rows = say_once(out, f, shown, rows);
    wsk_cli_grid g = wsk_cli_grid_new(f->all->count + 2, (size_t)rows + 1, 1);
    for (size_t i = 0; i < f->all->count; i++)
        set_name(&g, i + 2, 0, names[i]);
    put_head(out, &g, head, LABEL);
    for (int k = 0; k < rows; k++) {
        wsk_cli_grid_set(&g, 0, (size_t)k + 1, name_of(shown[k], true));
        unit_of(text, shown[k], f);
        wsk_cli_grid_set(&g, 1, (size_t)k + 1, text);
        for (size_t i = 0; i < f->all->count; i++) {
            cell(text, &f->all->cases[i], shown[k], f);
            wsk_cli_grid_set(&g, i + 2, (size_t)k + 1, text);
        }
    }
    wsk_cli_grid_print(out, &g, wsk_cli_page(out, WSK_CLI_PAGE));
    wsk_cli_grid_free(&g);
}

void wsk_cli_compare_table(FILE *out, const wsk_cli_comparison *all, char *const *names, const char *head)
{
    frame f = {.all = all,
               .run = wsk_cli_one_currency(all->cases, all->count, false),
               .buy = wsk_cli_one_currency(all->cases, all->count, true),
               .time = all->annual || wsk_cli_same_time(all->cases, all->count)};
    const quantity *shown[LINES];
    int rows = 0;
    for (size_t i = 0; i < all->count; i++)
        f.unlike = f.unlike || !all->cases[i].same_unpriced;
    f.counted = wsk_cli_find_units(all, &f.units);
    f.finer = wsk_cli_finer(all);
    for (int k = 0; k < LINES; k++)
        if (known(&lines[k], &f) && (lines[k].key || all->count <= FULL))
            find_places(&f, shown[rows++] = &lines[k]);
    if (!side_by_side(out, &f, shown, rows, names, head))
        one_below_the_other(out, &f, shown, rows, names, head);
}
