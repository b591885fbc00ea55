/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/compared.h"
#include "cli/kit/money.h"
#include "cli/sweep/inner.h"

/* `needs`: results from which those in `gives` are computed; a rig may lack those of work. */
enum { ANNUAL, PURCHASE, CURRENCY, BOUGHT, SIMULATED, DC, WORK, COUNT, COUNTED, NEEDS, GIVES = 2 };
static const wsk_result needs[NEEDS] = {[ANNUAL] = WSK_R_ANNUAL,       [PURCHASE] = WSK_R_PURCHASE,
                                        [CURRENCY] = WSK_R_CURRENCY,   [BOUGHT] = WSK_R_PURCHASE_CURRENCY,
                                        [SIMULATED] = WSK_R_SIMULATED, [DC] = WSK_R_DC_KWH,
                                        [WORK] = WSK_R_WORK,           [COUNT] = WSK_R_COUNT,
                                        [COUNTED] = WSK_R_COUNTED},
                        gives[GIVES] = {WSK_R_NPV, WSK_R_PAYBACK};

static const char *column_of(wsk_result r)
{
    return wsk_result_about(r)->key;
}

typedef struct {
    double annual, purchase;
    wsk_cli_pace pace;
    char currency[8], bought[8], counted[32]; /* "": none */
} account;
typedef struct {
    wsk_sweep *s;
    size_t at[NEEDS], old; /* index of the cell of needs[i], 0 without a column; of the first cell of `gives` */
    bool kept[GIVES];      /* kept[i]: gives[i] is a stored column */
    account first;
    bool ok;
} money;

static double number_of(const money *m, const wsk_cell *cells, int need)
{
    return m->at[need] ? cells[m->at[need]].number : NAN;
}

static const char *text_of(const money *m, const wsk_cell *cells, int need)
{
    const char *text = m->at[need] ? cells[m->at[need]].text : NULL;
    return text ? text : "";
}

static account account_of(const money *m, const wsk_cell *cells)
{
    const double time_s = number_of(m, cells, SIMULATED);
    account a = {.annual = number_of(m, cells, ANNUAL),
                 .purchase = number_of(m, cells, PURCHASE),
                 .pace = {.work = number_of(m, cells, WORK) / time_s,
                          .count = number_of(m, cells, COUNT) / time_s,
                          .dc = number_of(m, cells, DC) / time_s}};
    snprintf(a.currency, sizeof a.currency, "%s", text_of(m, cells, CURRENCY));
    snprintf(a.bought, sizeof a.bought, "%s", text_of(m, cells, BOUGHT));
    snprintf(a.counted, sizeof a.counted, "%s", text_of(m, cells, COUNTED));
    return a;
}

static bool same(double a, double b)
{
    return isnan(a) ? isnan(b) : a >= b && a <= b;
}

/* True if a case does the work of the first one. like_cards: it has the same cards. Unlike cards that share one
 * rate="..." cannot both have it. */
static bool same_work(const account *a, const account *b, bool like_cards)
{
    const wsk_cli_pace *x = &a->pace, *y = &b->pace;
    const bool units = x->count > 0 && y->count > 0 && !strcmp(a->counted, b->counted),
               one_rate = units && fabs(y->count / y->work * x->work / x->count - 1) < 1e-6;
    return wsk_cli_same_work(x, y, units && (like_cards || !one_rate), like_cards);
}

static bool weigh(void *ctx, size_t id, const wsk_cell *cells)
{
    money *m = ctx;
    const wsk_cli_finance finance = WSK_CLI_FINANCE;
    const bool failed = !cells[0].text || strcmp(cells[0].text, "ok") != 0;
    const account a = account_of(m, cells);
    const wsk_sweep_design *d = &m->s->design;
    if (id == 1)
        m->first = a;
    double saved = m->first.annual - a.annual, dearer = a.purchase - m->first.purchase;
    if (wsk_cli_other_currency(a.currency, m->first.currency) || wsk_cli_other_currency(a.currency, a.bought) ||
        wsk_cli_other_currency(a.bought, m->first.bought) ||
        !same_work(&m->first, &a, wsk_sweep_cards_key(d, id - 1) == wsk_sweep_cards_key(d, 0)))
        saved = NAN;
    double values[GIVES] = {failed    ? NAN
                            : id == 1 ? 0
                                      : saved * wsk_cli_annuity(&finance) - dearer,
                            id == 1 ? NAN : wsk_cli_payback_years(saved, dearer)};
    /* Values that the file has already are not written again, because the file may be read-only. */
    const wsk_cell *old = cells + m->old;
    for (size_t i = 0; m->ok && i < GIVES; i++)
        if (m->kept[i] && !same(values[i], (old++)->number)) {
            m->ok = wsk_store_set(m->s->store, id, column_of(gives[i]), values[i]);
            m->s->changed = true;
        }
    return m->ok;
}

int wsk_sweep_add_money(wsk_sweep *s)
{
    wsk_cli_list columns = {0};
    money m = {.s = s, .first = {.annual = NAN, .purchase = NAN}, .ok = true};
    wsk_cli_push(&columns, "status");
    for (size_t i = 0; i < NEEDS; i++)
        if (wsk_sweep_has_column(&s->columns, column_of(needs[i]))) {
            m.at[i] = columns.count;
            wsk_cli_push(&columns, column_of(needs[i]));
        }
    m.old = columns.count;
    for (size_t i = 0; i < GIVES; i++)
        if ((m.kept[i] = wsk_sweep_has_column(&s->columns, column_of(gives[i]))))
            wsk_cli_push(&columns, column_of(gives[i]));
    bool ok =
        columns.count == m.old || (wsk_store_begin(s->store) && wsk_store_each(s->store, 0, &columns, weigh, &m) &&
                                   m.ok && wsk_store_end(s->store));
    free(columns.items);
    return ok ? WSK_OK : WSK_ERUN;
}

void wsk_sweep_need_for_money(wsk_sweep *s)
{
    bool any = false;
    for (size_t i = 0; i < GIVES; i++)
        any = any || wsk_sweep_has_column(&s->columns, column_of(gives[i]));
    for (size_t i = 0; any && i < NEEDS; i++)
        if (i < WORK || s->keys.any[needs[i]])
            wsk_sweep_add_column(&s->columns, column_of(needs[i]));
}
