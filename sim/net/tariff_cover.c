/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/net/tariff_cover.h"

/* The periods of one element: <tariff> or <solar>. */
typedef struct {
    wsk_plan *plan;
    const wsk_elem *owner;
    const wsk_billing *b;
    const wsk_span *spans[WSK_SPANS];
    int n;
    bool gaps; /* hours without a period are fine */
} cover;

static const char *const day_words[] = {WSK_N("Monday"), WSK_N("Tuesday"),  WSK_N("Wednesday"), WSK_N("Thursday"),
                                        WSK_N("Friday"), WSK_N("Saturday"), WSK_N("Sunday"),    WSK_N("a holiday")};

static const wsk_elem *period_elem(const cover *c, int i)
{
    const wsk_elem *e = wsk_elem_child(c->owner, "period", NULL);
    while (e && i-- > 0)
        e = wsk_elem_child(c->owner, "period", e);
    return e;
}

static const char *name_of(const cover *c, int i)
{
    const wsk_period_params *p = period_elem(c, i)->params;
    return p->name && *p->name ? p->name : "energy";
}

static void tell_hour(const cover *c, int season, int day, int second, int one, int two)
{
    const wsk_said *in = !c->b->seasons.n ? NULL
                         : season >= 0    ? WSK_SAID(WSK_SAY_IN_SEASON, c->b->seasons.list[season].name)
                                          : WSK_SAID(WSK_SAY_OUTSIDE_SEASONS);
    if (two < 0)
        wsk_elem_diag(&c->plan->diags, WSK_DIAG_ERROR, c->owner, NULL,
                      WSK_SAID(WSK_SAY_TARIFF_GAP, second / 3600, second / 60 % 60, WSK_WORD(day_words[day]), in));
    if (two < 0)
        return;
    const wsk_elem *here = wsk_when_later(period_elem(c, one), period_elem(c, two));
    int other = here == period_elem(c, two) ? one : two;
    wsk_elem_diag(&c->plan->diags, WSK_DIAG_ERROR, here, NULL,
                  WSK_SAID(WSK_SAY_TARIFF_OVERLAP, name_of(c, other), second / 3600, second / 60 % 60,
                           WSK_WORD(day_words[day]), in));
}

static bool check_moment(const cover *c, int season, int day, int second)
{
    const wsk_local now = {.day_kind = day, .season = season, .second = second};
    int best = -1, twin = -1;
    for (int i = 0; i < c->n; i++) {
        if (!wsk_span_holds(c->spans[i], &now))
            continue;
        int rank = best < 0 ? -1 : c->spans[best]->rank;
        twin = c->spans[i]->rank > rank ? -1 : c->spans[i]->rank == rank ? i : twin;
        best = c->spans[i]->rank > rank ? i : best;
    }
    if (twin < 0 && (best >= 0 || c->gaps))
        return true;
    tell_hour(c, season, day, second, best, best < 0 ? -1 : twin);
    return false;
}

/* Within a day, only midnight and the times at which a period begins or ends need checking. */
static void check(const cover *c)
{
    const wsk_billing *b = c->b;
    for (int season = -1; season < b->seasons.n; season++) {
        int days = !wsk_when_season_exists(&b->seasons, season) ? 0 : b->n_holidays ? WSK_DAY_KINDS : WSK_HOLIDAY;
        for (int day = 0; day < days; day++) {
            if (!check_moment(c, season, day, 0))
                return;
            for (int i = 0; i < c->n; i++) {
                const wsk_span *s = c->spans[i];
                if ((s->timed && !check_moment(c, season, day, s->from_s)) ||
                    (s->timed && s->to_s < WSK_DAY_S && !check_moment(c, season, day, s->to_s)))
                    return;
            }
        }
    }
}

void wsk_cover_tariff(wsk_plan *plan, const wsk_elem *tariff, const wsk_billing *billing)
{
    cover c = {.plan = plan, .owner = tariff, .b = billing};
    for (; c.n < billing->n_periods; c.n++)
        c.spans[c.n] = &billing->periods[c.n].when;
    check(&c);
}

void wsk_cover_solar(wsk_plan *plan, const wsk_elem *solar, const wsk_billing *billing)
{
    cover c = {.plan = plan, .owner = solar, .b = billing, .gaps = true};
    for (; c.n < billing->n_feeds; c.n++)
        c.spans[c.n] = &billing->feeds[c.n].when;
    check(&c);
}
