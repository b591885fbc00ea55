/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/net/tariff.h"

#include <math.h>
#include <string.h>

#include "sim/net/sun.h"
#include "sim/net/tariff_cover.h"
#include "sim/net/tariff_when.h"

typedef struct {
    wsk_billing *b;
    wsk_plan *plan;
    const wsk_elem *tariff;
    bool holidays;
    bool by_solar; /* only <solar> depends on the date, not the tariff */
} maker;

/* Value of a series at time t, which counts from the same zero as the series' times. Each row holds until the next. A
 * file of a leap year repeats after 365 days, but only once its own rows have
 * ended. *until_s: seconds until the next row. */
static double value_held(const wsk_series *s, double t, int64_t *until_s)
{
    double u = t - s->t[0], end = wsk_max(s->period_s, s->rows_s);
    if (u < 0 || u >= end) {
        end = s->period_s;
        u = fmod(u, end);
        u = u < 0 ? u + end : u;
    }
    const size_t low = wsk_series_row(s, s->count, u);
    const double next = low + 1 < s->count ? wsk_min(s->t[low + 1] - s->t[0], end) : end;
    *until_s = (int64_t)ceil(wsk_max(next - u, 1e-9));
    return s->y[low];
}

void wsk_series_rate(const wsk_series *s, int clock, const wsk_local *now, wsk_rate *out)
{
    double t = !s->civil ? now->run_s : clock == WSK_CLOCK_UTC ? (double)now->utc_s : (double)now->civil_s;
    *out = (wsk_rate){0};
    out->price = value_held(s, t, &out->until_s);
}

double wsk_blocks_cost(const wsk_billing *b, int season, double from_j, double to_j, double width)
{
    double sum = 0, low = 0;
    for (int i = 0; i < b->n_blocks; i++) {
        if (!(b->blocks[i].seasons >> (season < 0 ? WSK_SEASONS : season) & 1u))
            continue;
        double high = b->blocks[i].up_to_j * width, from = wsk_max(from_j, low), to = wsk_min(to_j, high);
        if (to > from)
            sum += (to - from) * b->blocks[i].price_j;
        low = high;
    }
    return sum;
}

static void make_blocks(maker *m)
{
    wsk_billing *b = m->b;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(m->tariff, "block", e)) != NULL;) {
        const wsk_block_params *p = e->params;
        if (b->n_blocks == WSK_BLOCKS) {
            wsk_elem_diag(&m->plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_TARIFF_BLOCKS, WSK_BLOCKS));
            return;
        }
        double up_to = isnan(p->up_to_j) ? INFINITY : p->up_to_j;
        uint32_t seasons = wsk_when_seasons(m->plan, e, &b->seasons, p->season);
        int i = b->n_blocks++;
        for (; i > 0 && b->blocks[i - 1].up_to_j > up_to; i--)
            b->blocks[i] = b->blocks[i - 1];
        b->blocks[i].up_to_j = up_to;
        b->blocks[i].price_j = p->price_j;
        b->blocks[i].seasons = seasons;
        bool twice = false;
        for (int k = i; k-- > 0 && b->blocks[k].up_to_j >= up_to;)
            twice = twice || b->blocks[k].seasons & seasons;
        if (twice)
            wsk_elem_diag(&m->plan->diags, WSK_DIAG_ERROR, e, isinf(up_to) ? NULL : "up-to",
                          isinf(up_to) ? WSK_SAID(WSK_SAY_TARIFF_BLOCK_TWICE) : WSK_SAID(WSK_SAY_TARIFF_BLOCK_SAME));
    }
}

static int name_of(maker *m, const wsk_elem *e, const char *name)
{
    wsk_billing *b = m->b;
    for (int i = 0; i < b->n_names; i++)
        if (strcmp(b->names[i], name) == 0)
            return i;
    if (b->n_names == WSK_NAMES) {
        wsk_elem_diag(&m->plan->diags, WSK_DIAG_ERROR, e, "name", WSK_SAID(WSK_SAY_TARIFF_NAMES, WSK_NAMES));
        return 0;
    }
    b->names[b->n_names] = name;
    return b->n_names++;
}

static void make_periods(maker *m)
{
    wsk_billing *b = m->b;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(m->tariff, "period", e)) != NULL;) {
        const wsk_period_params *p = e->params;
        if (b->n_periods == WSK_SPANS) {
            wsk_elem_diag(&m->plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_TARIFF_PERIODS, WSK_SPANS));
            return;
        }
        const wsk_when when = {p->from, p->to, p->days, p->season};
        int i = b->n_periods++;
        wsk_when_span(m->plan, e, &b->seasons, &when, &b->periods[i].when, &m->holidays);
        b->periods[i].price_j = p->price_j;
        b->periods[i].name = name_of(m, e, p->name && *p->name ? p->name : "energy");
    }
}

static void make_demands(maker *m)
{
    wsk_billing *b = m->b;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(m->tariff, "demand", e)) != NULL;) {
        const wsk_demand_params *p = e->params;
        if (b->n_demands == WSK_DEMANDS) {
            wsk_elem_diag(&m->plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_TARIFF_DEMANDS, WSK_DEMANDS));
            return;
        }
        const wsk_when when = {p->from, p->to, p->days, p->season};
        int i = b->n_demands++;
        wsk_when_span(m->plan, e, &b->seasons, &when, &b->demands[i].when, &m->holidays);
        b->demands[i].price_w = p->price_w;
        b->demands[i].name = p->name;
        b->demands[i].group = i;
        for (int k = i; p->name && k-- > 0;)
            if (b->demands[k].name && strcmp(b->demands[k].name, p->name) == 0)
                b->demands[i].group = k;
        /* the loader sorts elements of one name by rising price, so that only a higher price can follow */
        if (b->demands[b->demands[i].group].price_w < p->price_w)
            wsk_elem_diag(&m->plan->diags, WSK_DIAG_ERROR, e, "price", WSK_SAID(WSK_SAY_DEMAND_PRICE));
        b->demands[i].window_s = (int64_t)p->window_s;
        if (floor(p->window_s) != p->window_s || 3600 % b->demands[i].window_s != 0) {
            wsk_elem_diag(&m->plan->diags, WSK_DIAG_ERROR, e, "window", WSK_SAID(WSK_SAY_DEMAND_WINDOW));
            b->demands[i].window_s = 900;
        }
    }
}

/* If no attribute days= of the tariff names holidays, holidays count as Sundays in it; the same holds for <solar>. */
static void count_as_sunday(wsk_span *s)
{
    s->days = (s->days & 0x7fu) | (s->days & 0x40u) << 1;
}

static void settle_holidays(maker *m)
{
    wsk_billing *b = m->b;
    for (int i = 0; i < b->n_periods && !m->holidays; i++)
        count_as_sunday(&b->periods[i].when);
    for (int i = 0; i < b->n_demands && !m->holidays; i++)
        count_as_sunday(&b->demands[i].when);
}

static void check_block_end(const maker *m)
{
    const wsk_billing *b = m->b;
    for (int season = -1; season < b->seasons.n; season++) {
        bool open = !wsk_when_season_exists(&b->seasons, season);
        for (int i = 0; i < b->n_blocks; i++)
            open = open ||
                   (isinf(b->blocks[i].up_to_j) && b->blocks[i].seasons >> (season < 0 ? WSK_SEASONS : season) & 1u);
        if (open)
            continue;
        const wsk_said *each = season >= 0 ? WSK_SAID(WSK_SAY_EACH_SEASON) : NULL;
        wsk_elem_diag(&m->plan->diags, WSK_DIAG_ERROR, m->tariff, NULL,
                      b->n_blocks ? WSK_SAID(WSK_SAY_TARIFF_LAST_BLOCK, each)
                                  : WSK_SAID(WSK_SAY_TARIFF_NO_BLOCK, each));
        return;
    }
}

static bool is_price(const wsk_param *p)
{
    return p->dim == WSK_DIM_PRICE || p->dim == WSK_DIM_ENERGY_PRICE || p->dim == WSK_DIM_POWER_PRICE;
}

static void check_currency(maker *m, const wsk_elem *e)
{
    for (int i = 0; e->kind->params[i].name; i++) {
        const wsk_param *p = &e->kind->params[i];
        const char *mine = e->origins[i].currency;
        if (!is_price(p) || !*mine)
            continue;
        if (!m->b->currency)
            m->b->currency = mine;
        else if (strcmp(m->b->currency, mine) != 0)
            wsk_elem_diag(&m->plan->diags, WSK_DIAG_ERROR, e, p->name,
                          WSK_SAID(WSK_SAY_TARIFF_CURRENCY, p->name, mine, m->b->currency));
    }
    for (const wsk_elem *c = e->child; c; c = c->next)
        check_currency(m, c);
}

static void check_zone(maker *m, const wsk_runspec_params *run)
{
    wsk_zone_result r = m->plan->zone_read;
    if (r == WSK_ZONE_ABSENT || r == WSK_ZONE_DAMAGED)
        wsk_elem_diag(&m->plan->diags, m->b->dated ? WSK_DIAG_ERROR : WSK_DIAG_WARNING, run->head.elem, "zone",
                      r == WSK_ZONE_ABSENT ? WSK_SAID(WSK_SAY_ZONES_ABSENT) : WSK_SAID(WSK_SAY_ZONE_FILE, run->zone));
}

static void set_time(maker *m, const wsk_runspec_params *run)
{
    wsk_billing *b = m->b;
    const wsk_zone *zone = m->plan->zone;
    bool asked = b->dated && !m->plan->incomplete;
    const wsk_origin *from = wsk_elem_origin(run->head.elem, "from");
    /* a date that could not be read has a message of its own */
    if (asked && isnan(run->from_s) && !(from && from->text))
        wsk_elem_diag(&m->plan->diags, WSK_DIAG_ERROR, run->head.elem, "from",
                      m->by_solar ? WSK_SAID(WSK_SAY_SOLAR_NO_DATE) : WSK_SAID(WSK_SAY_TARIFF_NO_DATE));
    if (asked && !run->zone)
        wsk_elem_diag(&m->plan->diags, WSK_DIAG_ERROR, run->head.elem, "zone",
                      m->by_solar ? WSK_SAID(WSK_SAY_SOLAR_NO_ZONE) : WSK_SAID(WSK_SAY_TARIFF_NO_ZONE));
    int64_t civil = isnan(run->from_s) ? 0 : (int64_t)run->from_s;
    check_zone(m, run);
    b->zone = zone;
    /* With a known calendar a daily standing charge counts calendar days, which may have 23 or 25 hours. */
    b->dated = b->dated || (zone && b->tariff && b->tariff->standing_day > 0 && !isnan(run->from_s));
    b->start_utc_s = zone ? wsk_zone_utc(zone, civil) : civil;
}

static void make_tariff(maker *m)
{
    wsk_billing *b = m->b;
    const wsk_tariff_params *t = m->tariff->params;
    b->tariff = t;
    b->tariff_ops = m->tariff->kind->ops;
    wsk_when_seasons_make(m->plan, m->tariff, &b->seasons);
    wsk_when_holidays_make(m->plan, m->tariff, b);
    make_periods(m);
    make_demands(m);
    make_blocks(m);
    settle_holidays(m);
    if (b->n_names == 0)
        b->names[b->n_names++] = "energy";
    check_currency(m, m->tariff);
    b->dated = b->tariff_ops->dated || b->n_demands || b->n_blocks || t->standing_month > 0 || t->minimum_month > 0 ||
               t->minimum_day > 0;
    if (wsk_elem_child(m->tariff, "period", NULL) || b->tariff_ops->all_periods)
        wsk_cover_tariff(m->plan, m->tariff, b);
    if (b->tariff_ops->all_blocks)
        check_block_end(m);
}

static void make_carbon(maker *m, const wsk_elem *carbon)
{
    wsk_billing *b = m->b;
    const wsk_elem *owner[WSK_SEASONS + 1] = {NULL};
    uint32_t all = 0;
    b->carbon = carbon->params;
    b->carbon_ops = carbon->kind->ops;
    wsk_when_seasons_make(m->plan, carbon, &b->carbon_seasons);
    for (const wsk_elem *e = NULL;
         (e = wsk_elem_child(carbon, "profile", e)) != NULL && b->n_profiles < WSK_SEASONS;) {
        const wsk_profile_params *p = e->params;
        uint32_t seasons = wsk_when_seasons(m->plan, e, &b->carbon_seasons, p->season);
        if (p->curve.count == 0)
            continue; /* a missing curve was reported when the file was read */
        if (p->curve.x[0] < 0 || p->curve.x[p->curve.count - 1] >= WSK_DAY_S)
            wsk_elem_diag(&m->plan->diags, WSK_DIAG_ERROR, e, "curve", WSK_SAID(WSK_SAY_PROFILE_TIME));
        for (int k = 0, told = 0; k <= WSK_SEASONS; k++) {
            if (!(seasons >> k & 1u))
                continue;
            if (owner[k] && !told++)
                wsk_elem_diag(&m->plan->diags, WSK_DIAG_ERROR, wsk_when_later(e, owner[k]), "season",
                              WSK_SAID(WSK_SAY_PROFILE_TWICE));
            owner[k] = e;
        }
        all |= seasons;
        b->profiles[b->n_profiles].curve = &p->curve;
        b->profiles[b->n_profiles++].seasons = seasons;
    }
    for (int season = -1; ((const wsk_carbon_ops *)carbon->kind->ops)->profiles && season < b->carbon_seasons.n;
         season++)
        if (wsk_when_season_exists(&b->carbon_seasons, season) &&
            !(all >> (season < 0 ? WSK_SEASONS : season) & 1u)) {
            wsk_elem_diag(&m->plan->diags, WSK_DIAG_ERROR, carbon, NULL,
                          season < 0 ? WSK_SAID(WSK_SAY_PROFILE_GAP)
                                     : WSK_SAID(WSK_SAY_PROFILE_SEASON_GAP, b->carbon_seasons.list[season].name));
            return;
        }
}

/* Solar power and heating are worth money, and only a tariff states a currency. */
static bool has_tariff(const maker *m, const wsk_elem *e)
{
    if (!m->tariff)
        wsk_elem_diag(&m->plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_NEEDS_TARIFF, e->kind->element));
    return m->tariff != NULL;
}

/* Fills solar_month: per month, the solar surplus of a day divided by that of the mean day of the year. */
static void make_months(maker *m, const wsk_elem *solar, const wsk_curve *yields)
{
    static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    double year_j = 0;
    bool all = yields->count == 12;
    for (int i = 0; i < 12; i++) {
        m->b->solar_month[i] = 1;
        all = all && yields->x[i] == i + 1 && yields->y[i] >= 0;
        year_j += all ? yields->y[i] : 0;
    }
    if (yields->count == 0)
        return;
    if (!all || !(year_j > 0)) {
        wsk_elem_diag(&m->plan->diags, WSK_DIAG_ERROR, solar, "months", WSK_SAID(WSK_SAY_SOLAR_MONTHS));
        return;
    }
    for (int i = 0; i < 12; i++)
        m->b->solar_month[i] = yields->y[i] / days[i] / (year_j / 365);
}

static void make_solar(maker *m, const wsk_elem *solar)
{
    wsk_billing *b = m->b;
    if (!has_tariff(m, solar))
        return;
    const wsk_solar_params *p = solar->params;
    if (p->surplus.count == 0)
        return; /* a missing curve was reported when the file was read */
    if (p->surplus.x[0] < 0 || p->surplus.x[p->surplus.count - 1] > WSK_DAY_S)
        wsk_elem_diag(&m->plan->diags, WSK_DIAG_ERROR, solar, "surplus", WSK_SAID(WSK_SAY_PROFILE_TIME));
    for (int i = 0; i < p->surplus.count; i++)
        if (p->surplus.y[i] < 0)
            wsk_elem_diag(&m->plan->diags, WSK_DIAG_ERROR, solar, "surplus", WSK_SAID(WSK_SAY_SOLAR_NEGATIVE));
    bool holidays = false;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(solar, "period", e)) != NULL;) {
        const wsk_period_params *t = e->params;
        const wsk_when when = {t->from, t->to, t->days, t->season};
        if (b->n_feeds == WSK_FEEDS) {
            wsk_elem_diag(&m->plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_TARIFF_PERIODS, WSK_FEEDS));
            break;
        }
        wsk_when_span(m->plan, e, &b->seasons, &when, &b->feeds[b->n_feeds].when, &holidays);
        b->feeds[b->n_feeds++].price_j = t->price_j;
    }
    for (int i = 0; i < b->n_feeds && !holidays; i++)
        count_as_sunday(&b->feeds[i].when);
    wsk_cover_solar(m->plan, solar, b);
    check_currency(m, solar);
    make_months(m, solar, &p->months);
    b->solar = p;
    m->by_solar = !b->dated;
    b->dated = true;
}

static double mean_offset_s(const wsk_billing *b)
{
    double sum = 0;
    for (int day = 0; b->zone && day < 365; day++)
        sum += wsk_zone_offset(b->zone, b->start_utc_s + (int64_t)day * WSK_DAY_S, NULL);
    return sum / 365;
}

/* set_time must have been called before, because mean_offset_s needs the start of the run. */
static bool make_sun(maker *m, wsk_arena *arena)
{
    const wsk_solar_params *p = m->b->solar;
    if (!p || isnan(p->latitude))
        return true;
    wsk_sun *sun = wsk_alloc(arena, sizeof *sun);
    if (sun)
        wsk_sun_make(sun, &p->surplus, p->latitude, p->months.count > 0, mean_offset_s(m->b));
    m->b->sun = sun;
    return sun != NULL;
}

static void make_heating(maker *m, const wsk_elem *heating)
{
    if (!has_tariff(m, heating))
        return;
    check_currency(m, heating);
    m->b->heating = heating->params;
}

bool wsk_billing_make(const wsk_billing **out, wsk_arena *arena, wsk_plan *plan, const wsk_elem *site,
                      const wsk_runspec_params *run)
{
    const wsk_elem *tariff = wsk_elem_child(site, "tariff", NULL), *carbon = wsk_elem_child(site, "carbon", NULL),
                   *solar = wsk_elem_child(site, "solar", NULL), *heating = wsk_elem_child(site, "heating", NULL);
    *out = NULL;
    if (!tariff && !carbon && !solar && !heating)
        return true;
    wsk_billing *b = wsk_alloc(arena, sizeof *b);
    maker m = {.b = b, .plan = plan, .tariff = tariff};
    if (!b)
        return false;
    if (tariff)
        make_tariff(&m);
    if (carbon)
        make_carbon(&m, carbon);
    if (solar)
        make_solar(&m, solar);
    if (heating)
        make_heating(&m, heating);
    *out = b;
    set_time(&m, run);
    return make_sun(&m, arena);
}
