/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "sim/net/tariff_when.h"

const char *const wsk_clock_names[] = {"local", "utc", NULL};
const char *const wsk_weekday_names[] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun", NULL};
const char *const wsk_observed_names[] = {"no", "monday", "nearest", NULL};

const wsk_child wsk_tariff_children[] = {
    {"season", 0, NULL}, {"block", 0, NULL}, {"demand", 0, NULL}, {"holiday", 0, NULL}, {NULL, 0, NULL}};

static bool two_digits(const char **s, int most, int *value)
{
    const char *from = *s;
    *value = 0;
    while (**s >= '0' && **s <= '9' && *s - from < 2)
        *value = *value * 10 + (*(*s)++ - '0');
    return *s > from && *value <= most;
}

/* Reads "06-01" as 100 x month + day, 601. */
static bool read_month_day(const char *s, int *md)
{
    int month, day;
    if (!two_digits(&s, 12, &month) || *s++ != '-' || !two_digits(&s, 31, &day) || *s || month < 1 || day < 1 ||
        day > wsk_month_days(2000, month))
        return false;
    *md = 100 * month + day;
    return true;
}

/* Days that one word of a days= list names, one bit each (bit 0: Monday): "weekdays", "sat", "mon-thu", ...; 0: the
 * word names no days. */
static unsigned word_days(const char *word)
{
    static const struct {
        const char *word;
        unsigned days;
    } classes[] = {{"weekday", 0x1f}, {"weekdays", 0x1f}, {"weekend", 0x60}, {"weekends", 0x60},
                   {"holiday", 0x80}, {"holidays", 0x80}, {"all", 0xff}};
    static const char *const full[] = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};
    int day[2] = {-1, -1}, n = 0;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcmp(word, classes[i].word) == 0)
            return classes[i].days;
    for (const char *s = word; n < 2 && s; n++) {
        const char *dash = strchr(s, '-');
        size_t len = dash ? (size_t)(dash - s) : strlen(s);
        for (int k = 0; k < 7; k++)
            if (len >= 3 && len <= strlen(full[k]) && strncmp(s, full[k], len) == 0)
                day[n] = k;
        if (day[n] < 0 || (dash && n))
            return 0;
        s = dash ? dash + 1 : NULL;
    }
    unsigned days = 0;
    for (int k = day[0];; k = (k + 1) % 7) {
        days |= 1u << k;
        if (k == (day[1] < 0 ? day[0] : day[1]))
            return days;
    }
}

static bool next_word(const char **s, char *word, size_t size, bool lower)
{
    *s += strspn(*s, " ,");
    size_t len = strcspn(*s, " ,");
    if (!len)
        return false;
    snprintf(word, size, "%.*s", (int)(len < size ? len : size - 1), *s);
    for (char *c = word; lower && *c; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    *s += len;
    return true;
}

static unsigned read_days(wsk_plan *plan, const wsk_elem *e, const char *text, bool *holidays)
{
    unsigned days = 0;
    char word[24];
    while (text && next_word(&text, word, sizeof word, true)) {
        unsigned some = word_days(word);
        if (!some) {
            wsk_elem_diag(&plan->diags, WSK_DIAG_ERROR, e, "days", WSK_SAID(WSK_SAY_DAYS, word));
            return 0xff;
        }
        *holidays = *holidays || (some & 1u << WSK_HOLIDAY);
        days |= some;
    }
    return days ? days : 0xff;
}

uint32_t wsk_when_seasons(wsk_plan *plan, const wsk_elem *e, const wsk_seasons *seasons, const char *text)
{
    uint32_t bits = 0;
    char word[64];
    const char *const names = text;
    while (text && next_word(&text, word, sizeof word, false)) {
        int found = -1;
        for (int i = seasons->n; i-- > 0;) /* seasons of one name share the bit of the first of them */
            found = strcmp(seasons->list[i].name, word) == 0 ? i : found;
        if (found < 0) {
            const char *list[WSK_SEASONS + 1] = {NULL};
            for (int i = 0; i < seasons->n; i++)
                list[i] = seasons->list[i].name;
            const char *near = wsk_nearest(word, list);
            wsk_elem_diag(&plan->diags, WSK_DIAG_ERROR, e, "season",
                          WSK_SAID(WSK_SAY_NO_SUCH_SEASON, word, near ? WSK_SAID(WSK_SAY_MEANT, near) : NULL));
            return UINT32_MAX;
        }
        bits |= UINT32_C(1) << found;
    }
    return names && bits ? bits : UINT32_MAX;
}

static bool in_season(const wsk_season *s, int md)
{
    int to = s->to == 228 ? 229 : s->to;
    return s->from <= to ? md >= s->from && md <= to : md >= s->from || md <= to;
}

/* The first day of the year that lies in both seasons, as 100 x month + day; 0: none. It can only be January 1 or the
 * first day of season a or b. */
static int first_shared(const wsk_season *a, const wsk_season *b)
{
    const int begins[] = {101, a->from < b->from ? a->from : b->from, a->from < b->from ? b->from : a->from};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (in_season(a, begins[i]) && in_season(b, begins[i]))
            return begins[i];
    return 0;
}

void wsk_when_seasons_make(wsk_plan *plan, const wsk_elem *parent, wsk_seasons *out)
{
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(parent, "season", e)) != NULL;) {
        const wsk_season_params *p = e->params;
        int from, to;
        if (!p->name || !p->from || !p->to)
            continue; /* a missing text was reported when the file was read */
        if (out->n == WSK_SEASONS) {
            wsk_elem_diag(&plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_SEASONS, WSK_SEASONS));
            return;
        }
        if (!*p->name || strpbrk(p->name, " ,"))
            wsk_elem_diag(&plan->diags, WSK_DIAG_ERROR, e, "name", WSK_SAID(WSK_SAY_SEASON_NAME));
        bool good[2] = {read_month_day(p->from, &from), read_month_day(p->to, &to)};
        for (int k = 0; k < 2; k++)
            if (!good[k])
                wsk_elem_diag(&plan->diags, WSK_DIAG_ERROR, e, k ? "to" : "from",
                              WSK_SAID(WSK_SAY_YEAR_DAY, k ? p->to : p->from));
        if (!good[0] || !good[1])
            continue;
        const wsk_season one = {from, to, p->name};
        for (int i = 0; i < out->n; i++) {
            int day = strcmp(out->list[i].name, p->name) != 0 ? first_shared(&one, &out->list[i]) : 0;
            if (day)
                wsk_elem_diag(&plan->diags, WSK_DIAG_ERROR, e, "from",
                              WSK_SAID(WSK_SAY_SEASON_OVERLAP, day / 100, day % 100, out->list[i].name));
        }
        out->list[out->n++] = one;
    }
}

int wsk_season_of(const wsk_seasons *seasons, const wsk_date *date)
{
    for (int i = 0; i < seasons->n; i++)
        if (in_season(&seasons->list[i], 100 * date->month + date->day))
            for (int k = 0; k <= i; k++)
                if (strcmp(seasons->list[k].name, seasons->list[i].name) == 0)
                    return k;
    return -1;
}

bool wsk_when_season_exists(const wsk_seasons *s, int season)
{
    for (int month = 1; month <= 12; month++)
        for (int day = 1; day <= wsk_month_days(2000, month); day++)
            if (wsk_season_of(s, &(wsk_date){.month = month, .day = day}) == season)
                return true;
    return false;
}

const wsk_elem *wsk_when_later(const wsk_elem *a, const wsk_elem *b)
{
    return b && a && (b->line > a->line || (b->line == a->line && b->column > a->column)) ? b : a;
}

void wsk_when_span(wsk_plan *plan, const wsk_elem *e, const wsk_seasons *seasons, const wsk_when *w, wsk_span *out,
                   bool *holidays)
{
    *out = (wsk_span){.timed = w->from || w->to, .from_s = 0, .to_s = WSK_DAY_S};
    const char *const texts[2] = {w->from, w->to};
    int *const values[2] = {&out->from_s, &out->to_s};
    for (int k = 0; k < 2; k++) {
        double second = 0;
        if (!texts[k])
            continue;
        if (wsk_parse_day_time(texts[k], &second))
            *values[k] = (int)second;
        else
            wsk_elem_diag(&plan->diags, WSK_DIAG_ERROR, e, k ? "to" : "from",
                          WSK_SAID(WSK_SAY_VALUE, k ? "to" : "from", WSK_SAID(WSK_SAY_DAY_TIME, texts[k])));
    }
    if (out->timed && (out->from_s == out->to_s || out->from_s == WSK_DAY_S)) {
        wsk_elem_diag(&plan->diags, WSK_DIAG_ERROR, e, w->to ? "to" : "from", WSK_SAID(WSK_SAY_PERIOD_EMPTY));
        out->to_s = WSK_DAY_S;
        out->from_s = 0;
    }
    out->days = read_days(plan, e, w->days, holidays);
    out->seasons = wsk_when_seasons(plan, e, seasons, w->season);
    out->rank = 4 * out->timed + 2 * (w->days != NULL) + (w->season != NULL);
}

static void add_rule(wsk_plan *plan, const wsk_elem *e, wsk_billing *b, wsk_holiday_rule rule)
{
    if (b->n_holidays < WSK_HOLIDAYS)
        b->holidays[b->n_holidays++] = rule;
    else
        wsk_elem_diag(&plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_HOLIDAYS, WSK_HOLIDAYS));
}

static void add_rules(wsk_plan *plan, const wsk_elem *e, wsk_billing *b, int observed)
{
    const wsk_holiday_ops *ops = e->kind->ops;
    for (size_t i = 0; i < ops->count; i++) {
        wsk_holiday_rule r = ops->rules[i];
        r.observed = observed;
        add_rule(plan, e, b, r);
    }
}

void wsk_when_holidays_make(wsk_plan *plan, const wsk_elem *parent, wsk_billing *b)
{
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(parent, "holiday", e)) != NULL;) {
        const wsk_holiday_params *p = e->params;
        wsk_holiday_rule r = {.observed = p->observed};
        int64_t civil;
        int md;
        if (e->kind->ops) {
            add_rules(plan, e, b, p->observed);
            continue;
        }
        bool moving = p->month > 0 && p->nth > 0 && p->day >= 0;
        if (p->date && strlen(p->date) == 10 && wsk_parse_datetime(p->date, &civil)) {
            wsk_date d = wsk_date_of(civil);
            r.year = d.year;
            r.month = d.month;
            r.day = d.day;
        } else if (p->date && read_month_day(p->date, &md)) {
            r.month = md / 100;
            r.day = md % 100;
        } else if (p->date) {
            wsk_elem_diag(&plan->diags, WSK_DIAG_ERROR, e, "date", WSK_SAID(WSK_SAY_HOLIDAY_DATE, p->date));
            continue;
        } else if (moving) {
            r.month = (int)p->month;
            r.weekday = p->day;
            r.nth = (int)p->nth;
        }
        if (!p->date == !moving || (p->date && (p->month > 0 || p->nth > 0 || p->day >= 0))) {
            wsk_elem_diag(&plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_HOLIDAY));
            continue;
        }
        add_rule(plan, e, b, r);
    }
}

static bool rule_matches(const wsk_holiday_rule *r, const wsk_date *d)
{
    if ((r->year && r->year != d->year) || r->month != d->month)
        return false;
    if (r->day)
        return r->day == d->day;
    if (r->weekday != d->weekday)
        return false;
    return r->nth == 5 ? d->day + 7 > wsk_month_days(d->year, d->month) : (d->day - 1) / 7 == r->nth - 1;
}

int wsk_day_kind(const wsk_billing *b, const wsk_date *date)
{
    wsk_date before = wsk_date_of((date->days - 1) * WSK_DAY_S), behind = wsk_date_of((date->days + 1) * WSK_DAY_S);
    for (int i = 0; i < b->n_holidays; i++) {
        const wsk_holiday_rule *r = &b->holidays[i];
        if (rule_matches(r, date) ||
            (r->observed != WSK_OBSERVED_NO && date->weekday == 0 && rule_matches(r, &before)) ||
            (r->observed == WSK_OBSERVED_NEAREST && date->weekday == 4 && rule_matches(r, &behind)))
            return WSK_HOLIDAY;
    }
    return date->weekday;
}
