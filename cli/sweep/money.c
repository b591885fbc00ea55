/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/money.h"
#include "cli/sweep/inner.h"

/* `needs`: results from which those in `gives` are computed. */
enum { NEEDS = 4, GIVES = 2 };
static const wsk_result needs[NEEDS] = {WSK_R_ANNUAL, WSK_R_PURCHASE, WSK_R_CURRENCY, WSK_R_PURCHASE_CURRENCY},
                        gives[GIVES] = {WSK_R_NPV, WSK_R_PAYBACK};

static const char *column_of(wsk_result r)
{
    return wsk_result_about(r)->key;
}

typedef struct {
    wsk_sweep *s;
    bool kept[GIVES];            /* kept[i]: gives[i] is a stored column */
    double annual, purchase;     /* annual cost of electricity and purchase price of the first case */
    char currency[8], bought[8]; /* currencies of electricity and of the parts in the first case */
    bool ok;
} money;

static bool same(double a, double b)
{
    return isnan(a) ? isnan(b) : a >= b && a <= b;
}

static bool weigh(void *ctx, size_t id, const wsk_cell *cells)
{
    money *m = ctx;
    const wsk_cli_finance finance = WSK_CLI_FINANCE;
    bool failed = !cells[0].text || strcmp(cells[0].text, "ok") != 0;
    double annual = cells[1].number, purchase = cells[2].number;
    const char *run = cells[3].text ? cells[3].text : "", *buy = cells[4].text ? cells[4].text : "";
    if (id == 1) {
        m->annual = annual;
        m->purchase = purchase;
        snprintf(m->currency, sizeof m->currency, "%s", run);
        snprintf(m->bought, sizeof m->bought, "%s", buy);
    }
    double saved = m->annual - annual, dearer = purchase - m->purchase;
    if (wsk_cli_other_currency(run, m->currency) || wsk_cli_other_currency(run, buy) ||
        wsk_cli_other_currency(buy, m->bought))
        saved = NAN;
    double values[GIVES] = {failed    ? NAN
                            : id == 1 ? 0
                                      : saved * wsk_cli_annuity(&finance) - dearer,
                            id != 1 && saved > 0 && dearer > 0 ? dearer / saved : NAN};
    /* Values that the file has already are not written again, because the file may be read-only. */
    const wsk_cell *old = cells + 1 + NEEDS;
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
    money m = {.s = s, .annual = NAN, .purchase = NAN, .ok = true};
    wsk_cli_push(&columns, "status");
    for (size_t i = 0; i < NEEDS; i++)
        wsk_cli_push(&columns, column_of(needs[i]));
    for (size_t i = 0; i < GIVES; i++)
        if ((m.kept[i] = wsk_sweep_has_column(&s->columns, column_of(gives[i]))))
            wsk_cli_push(&columns, column_of(gives[i]));
    bool ok = columns.count == 1 + NEEDS ||
              (wsk_store_begin(s->store) && wsk_store_each(s->store, 0, &columns, weigh, &m) && m.ok &&
               wsk_store_end(s->store));
    free(columns.items);
    return ok ? WSK_OK : WSK_ERUN;
}

void wsk_sweep_need_for_money(wsk_sweep *s)
{
    bool any = false;
    for (size_t i = 0; i < GIVES; i++)
        any = any || wsk_sweep_has_column(&s->columns, column_of(gives[i]));
    for (size_t i = 0; any && i < NEEDS; i++)
        wsk_sweep_add_column(&s->columns, column_of(needs[i]));
}
