/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of a comparison: the cases side by side, or below each other where they are many; as wide as the page. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare.h"

#define YEAR_S (365 * 86400.0)
enum { LABEL = 24, SIDE_BY_SIDE = 4, FULL = 12 };

/* ---- text ---- */

/* As many digits as mean something, at most `digits`: one of the band, two where it begins with 1. */
static int places_of(double band, int digits)
{
    if (!(fabs(band) > 0) || isinf(band))
        return digits;
    int place = (int)floor(log10(band) + 1e-9), shown = (band < 1.95 * pow(10, place)) - place;
    return shown < 0 ? 0 : shown > digits ? digits : shown;
}

static void put_places(char out[48], double value, double band, int places)
{
    if (!(fabs(band) > 0) || isinf(band) || band < 0.5 * pow(10, -places))
        snprintf(out, 48, "%.*f", places, value);
    else
        snprintf(out, 48, "%.*f +-%.*f", places, value, places, band);
}

void wsk_cli_put_band(char out[48], double value, double band, int digits)
{
    put_places(out, value, band, places_of(band, digits));
}

int wsk_cli_finer(const wsk_cli_comparison *all)
{
    double most = 0;
    for (size_t i = 0; i < all->count; i++)
        most = fmax(most, all->cases[i].wall_kwh * (all->annual ? YEAR_S / all->cases[i].simulated_s : 1));
    return most >= 20 || !(most > 0) ? 0 : most >= 2 ? 1 : most >= 0.2 ? 2 : 3;
}

/* The end of a long name tells more than its beginning. */
static void put_name(FILE *out, const char *name, int width, bool right)
{
    int len = (int)strlen(name);
    if (len > width)
        fprintf(out, "..%s", name + len - width + 2);
    else
        fprintf(out, right ? "%*s" : "%-*s", width, name);
}

/* In the corner where it has room, else on a line of its own. */
static void put_head(FILE *out, const char *head, int width)
{
    bool fits = (int)strlen(head) <= width;
    if (!fits)
        fprintf(out, "%s\n", head);
    fprintf(out, "%-*s", width, fits ? head : "");
}

/* ---- what is measured ---- */

typedef struct {
    const char *name, *brief; /* beside its row, and above its column */
    const char *unit;         /* "$": the currency; "#", "@": the counted unit, of its number and of its price */
    int digits;
    bool per, key; /* of the simulated time or of a year; shown however many the cases are */
    enum { NO_MONEY, RUN, BUY, RUN_AND_BUY } money;
    int what; /* see get() */
} quantity;
/* Numbers that have a band are named by their measure, the others from here on; energy by category is negative. */
enum {
    PAYBACK = 100,
    VALUE,
    EFFICIENCY,
    HOT,
    LOST,
    LOST_BRAKED,
    CLOUD,
    CLOUD_YEAR,
    PSU_COOLING,
    TRIP,
    SUPPLY,
    CIRCUIT
};
#define CATEGORY(k) (-1 - (k))
static const quantity lines[] = {
    {"cards", "cards", "kWh", 1, true, false, NO_MONEY, CATEGORY(WSK_CLI_CARDS)},
    {"processor, board, loads", "rest", "kWh", 1, true, false, NO_MONEY, CATEGORY(WSK_CLI_REST)},
    {"fans and pumps", "fans", "kWh", 1, true, false, NO_MONEY, CATEGORY(WSK_CLI_FANS)},
    {"PSU losses", "PSU", "kWh", 1, true, false, NO_MONEY, CATEGORY(WSK_CLI_PSU)},
    {"loads at the outlet", "outlet", "kWh", 1, true, false, NO_MONEY, CATEGORY(WSK_CLI_LOADS)},
    {"feed losses", "feed", "kWh", 1, true, false, NO_MONEY, CATEGORY(WSK_CLI_FEED)},
    {"room cooling", "cooling", "kWh", 1, true, false, NO_MONEY, CATEGORY(WSK_CLI_COOLING)},
    {"  for the PSU losses", "for PSU", "kWh", 1, true, false, NO_MONEY, PSU_COOLING},
    {"all energy", "all", "kWh", 1, true, true, NO_MONEY, WSK_CLI_BY_ENERGY},
    {"cost", "cost", "$", 2, true, true, RUN, WSK_CLI_BY_ANNUAL},
    {"electricity for work", "per work", "$/GPU-h", 4, false, true, RUN, WSK_CLI_BY_PER_WORK},
    {"electricity for work", "per unit", "$/@", 4, false, true, RUN, WSK_CLI_BY_COUNT},
    {"purchase", "purchase", "$", 0, false, true, BUY, WSK_CLI_BY_PURCHASE},
    {"all in", "all in", "$/GPU-h", 4, false, true, RUN_AND_BUY, WSK_CLI_BY_ALL_IN},
    {"all in", "all in", "$/@", 4, false, true, RUN_AND_BUY, WSK_CLI_BY_ALL_IN_COUNT},
    {"payback", "payback", "years", 1, false, false, RUN_AND_BUY, PAYBACK},
    {"value", "value", "$", 0, false, false, RUN_AND_BUY, VALUE},
    {"PSU efficiency", "PSU eff.", "%", 1, false, false, NO_MONEY, EFFICIENCY},
    {"would trip", "trips", "in 100", 0, false, true, NO_MONEY, TRIP},
    {"supply at most", "supply", "% rated", 0, false, true, NO_MONEY, SUPPLY},
    {"circuit at most", "circuit", "% allowed", 0, false, true, NO_MONEY, CIRCUIT},
    {"hottest die", "hottest", "degC", 1, false, true, NO_MONEY, WSK_CLI_BY_DIE},
    {"throttled by heat", "throttled", "% of time", 1, false, false, NO_MONEY, HOT},
    {"work", "work", "GPU-h", 1, true, true, NO_MONEY, WSK_CLI_BY_WORK},
    {"work", "work", "#", 1, true, true, NO_MONEY, WSK_CLI_BY_COUNTED},
    {"lost to heat", "lost", "%", 2, false, false, NO_MONEY, LOST},
    {"lost to heat and brake", "lost", "%", 2, false, false, NO_MONEY, LOST_BRAKED},
    {"carbon", "carbon", "kg", 1, true, false, NO_MONEY, WSK_CLI_BY_CARBON},
    {"noise", "noise", "dBA", 1, false, false, NO_MONEY, WSK_CLI_BY_NOISE},
    {"beats the cloud from", "cloud", "h", 0, false, false, RUN_AND_BUY, CLOUD},
    {"  within the years, from", "cloud", "h/yr", 0, false, false, RUN_AND_BUY, CLOUD_YEAR}};
enum { LINES = sizeof lines / sizeof *lines };

typedef struct {
    const wsk_cli_comparison *all;
    const char *run, *buy; /* currencies; NULL: several */
    bool time;             /* what adds up over time can be compared */
    bool counted;          /* in one unit by all cases */
    bool unlike;           /* the parts without a price are not the same in all cases */
    wsk_cli_units units;
    int finer;         /* digits more than usual, where little energy is drawn */
    int places[LINES]; /* of a line's numbers that have a band, alike in all cases; -1: not known yet */
} frame;

/* Share of the cards' time with a thermal reason active, %. */
static double too_hot(const wsk_cli_case *c)
{
    static const wsk_result reasons[] = {WSK_R_GPU_LIMITED_BY_HEAT, WSK_R_GPU_LIMITED_BY_MEMORY, WSK_R_GPU_SLOWDOWN};
    double sum = NAN, cards = (double)wsk_summary_count(c->summary, WSK_SCOPE_GPU);
    for (int i = 0; i < 3; i++) {
        double s = wsk_summary_over(c->summary, reasons[i], WSK_OVER_SUM);
        if (!isnan(s))
            sum = (isnan(sum) ? 0 : sum) + s;
    }
    double brake =
        wsk_summary_over(c->summary, WSK_R_GPU_BRAKED, WSK_OVER_SUM); /* hw_slowdown holds it, and it is no heat */
    return 100 * (sum - (brake > 0 ? brake : 0)) / (cards * c->simulated_s);
}

static double get(const wsk_cli_case *c, int what)
{
    if (what < 0)
        return wsk_cli_category_kwh(c->summary, (wsk_cli_category)(-1 - what));
    switch (what) {
    case PSU_COOLING: return wsk_cli_psu_cooling_kwh(c->summary);
    case WSK_CLI_BY_ANNUAL: return c->cost; /* brought to a year by whoever asks */
    case PAYBACK: return c->payback_years;
    case VALUE: return c->npv;
    case EFFICIENCY: return 100 * wsk_summary_number(c->summary, WSK_R_PSU_EFFICIENCY, 0);
    case HOT: return too_hot(c);
    case LOST:
    case LOST_BRAKED: return c->work > 0 ? 100 * wsk_summary_number(c->summary, WSK_R_LOST, 0) : NAN;
    case TRIP: return 100 * c->trip;
    case SUPPLY: return 100 * c->supply_peak;
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

/* Shown where some case asks too much. */
static bool too_much(const quantity *l, const wsk_cli_case *c)
{
    return l->what == TRIP     ? wsk_cli_would_trip(c)
           : l->what == SUPPLY ? c->supply_peak > 1.0005
                               : wsk_cli_over_circuit(c);
}

static bool comparable(const quantity *l, const frame *f)
{
    bool one_money = f->run && f->buy && !wsk_cli_other_currency(f->run, f->buy);
    bool money = l->money == NO_MONEY || (l->money == RUN   ? f->run != NULL
                                          : l->money == BUY ? f->buy != NULL
                                                            : one_money);
    if (l->what == WSK_CLI_BY_WORK || l->what == WSK_CLI_BY_PER_WORK || l->what == WSK_CLI_BY_ALL_IN)
        money = money && like_cards(f); /* hours of unlike cards are not the same work */
    return (f->time || !l->per) && money &&
           (!strpbrk(l->unit, "#@") || (f->counted && f->all->work == WSK_CLI_UNITS));
}

static bool known(const quantity *l, const frame *f)
{
    bool any = false, differ = false, braked = false, against_first = l->what == PAYBACK || l->what == VALUE;
    for (size_t i = 0; i < f->all->count; i++) {
        const wsk_cli_case *c = &f->all->cases[i];
        if (l->what == TRIP || l->what == SUPPLY || l->what == CIRCUIT)
            any |= too_much(l, c);
        else
            any |= (i || !against_first) && !isnan(get(c, l->what));
        braked |= c->braked;
        differ |= fabs(c->purchase - f->all->cases[0].purchase) >= 0.5;
    }
    /* Without a price difference there is no investment to judge. */
    if (against_first && !differ)
        return false;
    if (l->what == LOST || l->what == LOST_BRAKED)
        any = any && braked == (l->what == LOST_BRAKED);
    return any && comparable(l, f);
}

/* A number's digits at most; scales it and its band. */
static int scale(const wsk_cli_case *c, const quantity *l, const frame *f, double *value, double *band)
{
    double per = l->per && f->all->annual ? YEAR_S / c->simulated_s : 1, all_band = NAN;
    if (l->what >= 0 && l->what < PAYBACK)
        all_band = wsk_cli_band(c, l->what == WSK_CLI_BY_ANNUAL ? WSK_CLI_BY_COST : (wsk_cli_measure)l->what,
                                &f->all->finance);
    if (l->what == VALUE)
        all_band = wsk_cli_annuity(&f->all->finance) *
                   wsk_cli_band_between(f->all->cases, c, WSK_CLI_BY_TOTAL, &f->all->finance, NULL);
    if (l->what == WSK_CLI_BY_COUNT || l->what == WSK_CLI_BY_ALL_IN_COUNT)
        per = f->units.price;
    else if (l->what == WSK_CLI_BY_COUNTED)
        per /= f->units.number;
    *value = get(c, l->what) * per;
    *band = all_band * per;
    return l->digits + (l->per && l->what != WSK_CLI_BY_COUNTED ? f->finer : 0);
}

/* The finest that a case of the line needs: 83 +-2 beside 83.0 +-1.7 reads as two kinds of number. */
static void find_places(frame *f, const quantity *l)
{
    int most = -1;
    for (size_t i = 0; i < f->all->count; i++) {
        double value, band;
        int digits = scale(&f->all->cases[i], l, f, &value, &band), places = places_of(band, digits);
        if (fabs(band) > 0 && !isinf(band) && !isnan(value))
            most = places > most ? places : most;
    }
    f->places[l - lines] = most;
}

static void cell(char out[48], const wsk_cli_case *c, const quantity *l, const frame *f)
{
    double value, band;
    int digits = scale(c, l, f, &value, &band), places = f->places[l - lines];
    bool part = l->what == WSK_CLI_BY_PURCHASE || l->what == WSK_CLI_BY_ALL_IN || l->what == WSK_CLI_BY_ALL_IN_COUNT;
    bool never = (l->what == CLOUD || l->what == CLOUD_YEAR) && c->cloud.never;
    if (never || isnan(value))
        snprintf(out, 48, "%s", never ? "never" : "-");
    else
        put_places(out, value, band, places >= 0 && fabs(band) > 0 && !isinf(band) ? places : digits);
    if (part && f->unlike && c->unpriced && !isnan(value) &&
        strlen(out) < 47) { /* without the parts that have no price it is more than this */
        memmove(out + 1, out, strlen(out) + 1);
        out[0] = '>';
    }
}

static void unit_of(char out[64], const quantity *l, const frame *f)
{
    const char *currency = l->unit[0] != '$' ? ""
                           : l->money == BUY ? f->buy
                                             : f->run,
               *rest = l->unit + (l->unit[0] == '$');
    const char *hash = strpbrk(rest, "#@");
    snprintf(out, 64, "%.8s%.*s%.32s%s", currency, hash ? (int)(hash - rest) : 16, rest,
             hash ? (*hash == '@' ? f->units.price_of : f->units.number_of) : "",
             f->all->annual && l->per ? "/yr" : "");
}

static int longer(int width, const char *text)
{
    int len = (int)strlen(text);
    return len > width ? len : width;
}

/* Width of a case's column. */
static int case_width(const frame *f, const quantity *const *shown, int rows, const char *name, size_t i)
{
    char text[48];
    int width = longer(0, name);
    width = width > LABEL ? LABEL : width;
    for (int k = 0; k < rows; k++) {
        cell(text, &f->all->cases[i], shown[k], f);
        width = longer(width, text);
    }
    return width;
}

/* Few cases stand side by side, each in a column, where the page is wide enough for all of them. */
static bool side_by_side(FILE *out, const frame *f, const quantity *const *shown, int rows, char *const *names,
                         const char *head)
{
    int name = 0, unit = 0, width[SIDE_BY_SIDE] = {0}, used = 0;
    char text[64];
    if (f->all->count > SIDE_BY_SIDE)
        return false;
    for (int k = 0; k < rows; k++) {
        name = longer(name, shown[k]->name);
        unit_of(text, shown[k], f);
        unit = longer(unit, text);
    }
    for (size_t i = 0; i < f->all->count; i++)
        used += 2 + (width[i] = case_width(f, shown, rows, names[i], i));
    if (name + 2 + unit + used > wsk_cli_page(out, WSK_CLI_PAGE))
        return false;
    put_head(out, head, name + 2 + unit);
    for (size_t i = 0; i < f->all->count; i++) {
        fputs("  ", out);
        put_name(out, names[i], width[i], true);
    }
    fputc('\n', out);
    for (int k = 0; k < rows; k++) {
        unit_of(text, shown[k], f);
        fprintf(out, "%-*s  %-*s", name, shown[k]->name, unit, text);
        for (size_t i = 0; i < f->all->count; i++) {
            cell(text, &f->all->cases[i], shown[k], f);
            fprintf(out, "  %*s", width[i], text);
        }
        fputc('\n', out);
    }
    return true;
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

/* What does not tell the cases apart takes no column: it is said once, and left out of `shown`. */
static int say_once(FILE *out, const frame *f, const quantity **shown, int rows)
{
    char *words = NULL, value[48], unit[64];
    size_t len;
    int left = 0;
    FILE *text = open_memstream(&words, &len);
    if (!text)
        exit(WSK_ERUN);
    for (int k = 0, said = 0; k < rows; k++) {
        if (!the_same(shown[k], f)) {
            shown[left++] = shown[k];
            continue;
        }
        cell(value, &f->all->cases[0], shown[k], f);
        unit_of(unit, shown[k], f);
        fprintf(text, "%s%s %s %s", said++ ? "; " : "All cases: ", shown[k]->name + strspn(shown[k]->name, " "),
                value, unit);
    }
    if (fclose(text) == 0 && *words) {
        wsk_cli_wrap(out, words, wsk_cli_page(out, WSK_CLI_PAGE));
        fputc('\n', out);
    }
    free(words);
    return left;
}

/* Many cases stand below each other, as many columns at a time as a page has room for. */
static void one_below_the_other(FILE *out, const frame *f, const quantity **shown, int rows, char *const *names,
                                const char *head)
{
    size_t count = f->all->count;
    rows = say_once(out, f, shown, rows);
    int first = 4, page = wsk_cli_page(out, WSK_CLI_PAGE);
    char text[64];
    for (size_t i = 0; i < count; i++)
        first = longer(first, names[i]);
    first = first > LABEL ? LABEL : first;
    for (int from = 0, to; from < rows; from = to) {
        int width[LINES] = {0}, used = first;
        for (to = from; to < rows; to++) {
            unit_of(text, shown[to], f);
            int w = longer(longer(0, shown[to]->brief), text);
            for (size_t i = 0; i < count; i++) {
                cell(text, &f->all->cases[i], shown[to], f);
                w = longer(w, text);
            }
            if (to > from && used + 2 + w > page)
                break;
            used += 2 + w;
            width[to] = w;
        }
        put_head(out, head, first);
        for (int k = from; k < to; k++)
            fprintf(out, "  %*s", width[k], shown[k]->brief);
        fprintf(out, "\n%-*s", first, "");
        for (int k = from; k < to; k++) {
            unit_of(text, shown[k], f);
            fprintf(out, "  %*s", width[k], text);
        }
        fputc('\n', out);
        for (size_t i = 0; i < count; i++) {
            put_name(out, names[i], first, false);
            for (int k = from; k < to; k++) {
                cell(text, &f->all->cases[i], shown[k], f);
                fprintf(out, "  %*s", width[k], text);
            }
            fputc('\n', out);
        }
        fputs(to < rows ? "\n" : "", out);
    }
}

void wsk_cli_compare_table(FILE *out, const wsk_cli_comparison *all, char *const *names, const char *head)
{
    frame f = {.all = all,
               .run = wsk_cli_one_currency(all->cases, all->count, false),
               .buy = wsk_cli_one_currency(all->cases, all->count, true),
               .time = true};
    const quantity *shown[LINES];
    int rows = 0;
    for (size_t i = 1; i < all->count && !all->annual; i++)
        f.time = f.time && !(fabs(all->cases[i].simulated_s - all->cases[0].simulated_s) > 1e-6);
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
