/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/say/say.h"
#include "sim/study/check/check.h"

enum { TOLD = 4 };
typedef struct {
    double sum;
    const char *paid; /* currency of the tariff, else of the first price; NULL: neither is known */
    char currency[8]; /* currency of the first price that is not in `paid`, else `paid` */
    bool any, mixed;
    const wsk_elem *unpriced[TOLD]; /* the first of each part */
    bool several[TOLD];             /* there are more of that part */
    int missing;                    /* number of parts without a price; elements without a part count each */
} prices;

static void add_unpriced(prices *p, const wsk_elem *e)
{
    for (int i = 0; i < p->missing && i < TOLD; i++)
        if (e->part && p->unpriced[i]->part && strcmp(p->unpriced[i]->part, e->part) == 0) {
            p->several[i] = true;
            return;
        }
    if (p->missing++ < TOLD)
        p->unpriced[p->missing - 1] = e;
}

static void add_price(prices *p, const wsk_elem *e)
{
    const wsk_param *price = wsk_kind_price(e->kind);
    double v = NAN;
    if (price)
        memcpy(&v, (const char *)e->params + price->offset, sizeof v);
    if (v > 0) {
        const char *currency = e->origins[price - e->kind->params].currency;
        p->mixed = p->mixed || (p->any && strcmp(p->currency, currency) != 0);
        p->paid = p->paid ? p->paid : currency;
        if (!p->any || strcmp(p->currency, p->paid) == 0)
            memcpy(p->currency, currency, sizeof p->currency);
        p->sum += v * wsk_elem_count(e);
        p->any = true;
    } else if (price && isnan(v)) {
        add_unpriced(p, e);
    }
    for (const wsk_elem *c = e->child; c; c = c->next)
        add_price(p, c);
}

const wsk_said *wsk_say_prices(const wsk_net *net, wsk_arena *a)
{
    prices p = {.paid = net->currency && net->currency[0] ? net->currency : NULL};
    add_price(&p, net->plan->rig);
    if (!p.any)
        return NULL;
    if (p.mixed)
        return WSK_SAY(a, WSK_SAY_CHECK_PRICES_MIXED, p.currency, p.paid);
    wsk_said_list unpriced = {.arena = a};
    for (int i = 0; i < p.missing && i < TOLD; i++) {
        const wsk_elem *e = p.unpriced[i];
        wsk_said_add(&unpriced, WSK_SAID(WSK_SAY_PLAIN, p.several[i] ? e->part : e->id ? e->id : e->kind->element));
    }
    const wsk_said *names = wsk_said_link_all(&unpriced, WSK_SAY_JOINED, WSK_SAY_JOINED),
                   *more = p.missing > TOLD ? WSK_SAY(a, WSK_SAY_FOUND_MORE, p.missing - TOLD) : NULL;
    return WSK_SAY(a, WSK_SAY_CHECK_PRICES, wsk_say_money(a, p.sum, p.currency),
                   p.missing ? WSK_SAID(WSK_SAY_CHECK_UNPRICED, names, more) : NULL);
}
