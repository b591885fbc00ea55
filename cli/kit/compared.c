/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/kit/compared.h"
#include "cli/kit/money.h"
#include "words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

wsk_result wsk_cli_category_result(wsk_cli_category which)
{
    static const wsk_result results[WSK_CLI_CATEGORIES] = {WSK_R_WHERE_CARDS,  WSK_R_WHERE_REST,  WSK_R_WHERE_FANS,
                                                           WSK_R_WHERE_PSU,    WSK_R_WHERE_LOADS, WSK_R_WHERE_FEED,
                                                           WSK_R_WHERE_COOLING};
    return results[which];
}

static double number_or_0(double v)
{
    return isnan(v) ? 0 : v;
}

double wsk_cli_category_kwh(const wsk_summary *s, wsk_cli_category which)
{
    double wall = wsk_summary_number(s, WSK_R_WALL_KWH, 0), dc = wsk_summary_number(s, WSK_R_DC_KWH, 0),
           fans = wsk_summary_number(s, WSK_R_FANS_KWH, 0), psu = wsk_summary_number(s, WSK_R_PSU_LOSS_KWH, 0),
           feed = wsk_summary_number(s, WSK_R_FEED_LOSS_KWH, 0),
           cards = wsk_summary_over(s, WSK_R_GPU_POWER_MEAN, WSK_OVER_SUM) *
                   wsk_summary_number(s, WSK_R_SIMULATED, 0) / WSK_CLI_KWH_J,
           left = NAN;
    switch (which) {
    case WSK_CLI_CARDS: return cards;
    case WSK_CLI_REST: left = dc - number_or_0(cards) - number_or_0(fans); break;
    case WSK_CLI_FANS: return fans > 0 ? fans : NAN;
    case WSK_CLI_PSU: return psu;
    case WSK_CLI_LOADS: left = wall - dc - number_or_0(psu) - number_or_0(feed); break;
    case WSK_CLI_FEED: return feed;
    default: return wsk_summary_number(s, WSK_R_ROOM_COOLING_KWH, 0);
    }
    return left > 1e-6 * wall ? left : NAN; /* a smaller remainder is rounding of the sums */
}

/* True if the work of the card is known, or if that of no card is known. */
static bool is_counted(const wsk_summary *s, size_t card)
{
    return !isnan(wsk_summary_number(s, WSK_R_GPU_WORK, card)) ||
           isnan(wsk_summary_over(s, WSK_R_GPU_WORK, WSK_OVER_MAX));
}

size_t wsk_cli_counted_cards(const wsk_summary *s)
{
    size_t n = 0;
    for (size_t i = 0; i < wsk_summary_count(s, WSK_SCOPE_GPU); i++)
        n += is_counted(s, i);
    return n;
}

double wsk_cli_mean_of_counted(const wsk_summary *s, wsk_result result)
{
    double sum = 0;
    for (size_t i = 0; i < wsk_summary_count(s, WSK_SCOPE_GPU); i++)
        sum += is_counted(s, i) ? wsk_summary_number(s, result, i) : 0;
    return sum / (double)wsk_cli_counted_cards(s);
}

double wsk_cli_side(const wsk_summary *summary, wsk_result spread, wsk_result above, bool up)
{
    const double half = wsk_summary_number(summary, spread, 0), high = wsk_summary_number(summary, above, 0);
    return isnan(high) ? half : up ? high : 2 * half - high;
}

bool wsk_cli_same_duration(double a_s, double b_s)
{
    return !(fabs(a_s - b_s) > 1e-6);
}

const char *wsk_cli_shared_currency(wsk_summary *const *cases, size_t count)
{
    const char *one = "";
    for (size_t i = 0; i < count && one; i++)
        one = wsk_cli_common_currency(one, wsk_cli_said(cases[i], WSK_R_CURRENCY, 0));
    return one;
}

bool wsk_cli_same_work(const wsk_cli_pace *a, const wsk_cli_pace *b, bool units, bool hours)
{
    const bool counts = a->work > 0;
    if (counts != (b->work > 0))
        return false;
    if (!counts)
        return !(fabs(b->dc / a->dc - 1) > 0.02);
    return (units || hours) && fabs((units ? b->count / a->count : b->work / a->work) - 1) <= 0.01;
}

/* scales[i]: the message that names 1000^i units of work; its argument is the unit's name. */
static const wsk_code scales[] = {WSK_SAY_PLAIN, WSK_SAY_SCALE_THOUSAND, WSK_SAY_SCALE_MILLION, WSK_SAY_SCALE_BILLION,
                                  WSK_SAY_SCALE_TRILLION};
enum { LAST_SCALE = sizeof scales / sizeof *scales - 1 };

static void name_scale(char *out, size_t size, int scale, const char *counted)
{
    wsk_buf text = {0};
    wsk_words_said(&text, wsk_cli_lang,
                   &(const wsk_said){scales[scale], 1, (const wsk_arg[]){wsk_arg_unit(counted)}});
    snprintf(out, size, "%.*s", (int)text.len, text.data ? text.data : "");
    wsk_buf_free(&text);
}

void wsk_cli_scale_units(wsk_cli_units *u, const char *counted, double number, double price)
{
    int of_number = 0, of_price = 0;
    *u = (wsk_cli_units){.number = 1, .price = 1};
    for (; of_number < LAST_SCALE && number / u->number >= 20000; of_number++)
        u->number *= 1000;
    for (; of_price < LAST_SCALE && price > 0 && price * u->price < 0.01; of_price++)
        u->price *= 1000;
    name_scale(u->number_of, sizeof u->number_of, of_number, counted);
    name_scale(u->price_of, sizeof u->price_of, of_price, counted);
    u->priced_by = scales[of_price];
}

/* The paths (path true) or the values of a label "PATH=VALUE, PATH=VALUE", with ", " between them; NULL for any other
 * label. Caller frees. */
static char *half_of(const char *label, bool path)
{
    char *text = wsk_cli_format("%s", "");
    for (const char *p = label; *p;) {
        int len = (int)strcspn(p, ",");
        const char *equals = memchr(p, '=', (size_t)len);
        if (!equals) {
            free(text);
            return NULL;
        }
        int before = (int)(equals - p);
        char *longer = wsk_cli_format("%s%s%.*s", text, *text ? ", " : "", path ? before : len - before - 1,
                                      path ? p : equals + 1);
        free(text);
        text = longer;
        p += len + (int)strspn(p + len, ", ");
    }
    return text;
}

static size_t common_folder(char *const *names, size_t count)
{
    size_t len = strlen(names[0]);
    for (size_t i = 1; i < count; i++) {
        size_t same = 0;
        while (same < len && names[i][same] == names[0][same])
            same++;
        len = same;
    }
    while (len && names[0][len - 1] != '/')
        len--;
    return len;
}

char **wsk_cli_short_names(const char *const *labels, size_t count, char **head)
{
    char **names = wsk_cli_alloc((count + 1) * sizeof *names);
    bool alike = count > 0;
    *head = count ? half_of(labels[0], true) : NULL;
    for (size_t i = 0; i < count && alike; i++) {
        char *paths = half_of(labels[i], true);
        alike = paths && *head && !strcmp(*head, paths);
        free(paths);
    }
    for (size_t i = 0; i < count; i++)
        names[i] = alike ? half_of(labels[i], false) : wsk_cli_format("%s", labels[i]);
    if (!alike) {
        free(*head);
        *head = wsk_cli_format("%s", "");
    }
    size_t cut = count > 1 ? common_folder(names, count) : 0;
    for (size_t i = 0; i < count; i++)
        memmove(names[i], names[i] + cut, strlen(names[i] + cut) + 1);
    return names;
}

void wsk_cli_names_free(char **names, size_t count, char *head)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    free(head);
}
