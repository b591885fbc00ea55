/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts prices of parts to the currency of the tariff, else to that of the first price, by the <exchange> elements of
 * the site. Theory: docs/theory/money.md */
#include <math.h>
#include <string.h>

#include "sim/io/load.h"
#include "sim/io/merge.h"
#include "sim/net/site.h"

enum { CURRENCIES = 16 };
static const char OPTION[] = "--exchange"; /* given as file name to the <exchange> elements that the option adds */

/* For each currency, the value of one unit in name[0], the currency into which prices are converted. */
typedef struct {
    char name[CURRENCIES][8];
    double worth[CURRENCIES];
    int count;
} worths;

static double worth_of(const worths *w, const char *currency)
{
    for (int i = 0; i < w->count; i++)
        if (strcmp(w->name[i], currency) == 0)
            return w->worth[i];
    return NAN;
}

static void learn(worths *w, const char *currency, double worth)
{
    if (w->count == CURRENCIES || !isnan(worth_of(w, currency)))
        return;
    snprintf(w->name[w->count], sizeof w->name[0], "%s", currency);
    w->worth[w->count++] = worth;
}

static bool is_currency(const char *text)
{
    return strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3 && !text[3];
}

/* Currency of the first price; rates of exchange are none. NULL: there is no price. */
static const char *first_currency(const wsk_elem *e)
{
    if (strcmp(e->kind->element, "exchange") == 0)
        return NULL;
    for (int i = 0; e->kind->params[i].name; i++)
        if (e->origins[i].currency[0])
            return e->origins[i].currency;
    const char *found = NULL;
    for (const wsk_elem *c = e->child; c && !found; c = c->next)
        found = first_currency(c);
    return found;
}

static bool is_option(const wsk_elem *exchange)
{
    return exchange->file && strcmp(exchange->file, OPTION) == 0;
}

/* Computes the worth of each currency that the rates connect with name[0], in either direction and
 * through other currencies: through as few as possible, because a chain of rounded rates seldom gives the stated one.
 * options: by the rates of --exchange alone. */
static void learn_rates(worths *w, const wsk_elem *site, bool options)
{
    for (int known = 0; known < w->count;) {
        const worths nearer = *w;
        known = w->count;
        for (const wsk_elem *x = NULL; (x = wsk_elem_child(site, "exchange", x)) != NULL;) {
            const wsk_exchange_params *p = x->params;
            const char *other = wsk_elem_origin(x, "value")->currency;
            if ((options && !is_option(x)) || !p->currency || !is_currency(p->currency) || isnan(p->value))
                continue;
            if (!isnan(worth_of(&nearer, other)))
                learn(w, p->currency, p->value * worth_of(&nearer, other));
            if (!isnan(worth_of(&nearer, p->currency)))
                learn(w, other, worth_of(&nearer, p->currency) / p->value);
        }
    }
}

static void convert(const worths *w, wsk_elem *e)
{
    if (strcmp(e->kind->element, "tariff") == 0 || strcmp(e->kind->element, "exchange") == 0)
        return;
    for (int i = 0; e->kind->params[i].name; i++) {
        const wsk_param *p = &e->kind->params[i];
        wsk_origin *o = &e->origins[i];
        const double worth =
            p->dim == WSK_DIM_PRICE && p->type == WSK_TYPE_NUMBER && o->currency[0] ? worth_of(w, o->currency) : NAN;
        double *at = (double *)(void *)((char *)e->params + p->offset);
        if (isnan(worth) || strcmp(o->currency, w->name[0]) == 0)
            continue;
        o->own = *at;
        memcpy(o->own_currency, o->currency, sizeof o->own_currency);
        memcpy(o->currency, w->name[0], sizeof w->name[0]);
        *at *= worth;
    }
    for (wsk_elem *c = e->child; c; c = c->next)
        convert(w, c);
}

/* Finds the worth of each currency that can be converted: the value of one unit in the currency of the tariff. Without a
 * tariff it is that of the first price, if `other` is set. count 0: there is no such currency. */
static worths find_worths(const wsk_elem *rig, bool other)
{
    worths w = {.count = 0};
    const wsk_elem *site = wsk_elem_child(rig, "site", NULL),
                   *tariff = site ? wsk_elem_child(site, "tariff", NULL) : NULL;
    const char *paid = tariff ? first_currency(tariff) : NULL;
    if (!paid && other)
        paid = first_currency(rig);
    if (paid) {
        learn(&w, paid, 1);
        learn_rates(&w, site, true);
        learn_rates(&w, site, false);
    }
    return w;
}

/* An earlier rate of the same two currencies, in either direction; NULL: none. */
static const wsk_elem *earlier_of_pair(const wsk_elem *site, const wsk_elem *exchange)
{
    const wsk_exchange_params *p = exchange->params;
    const char *const other = wsk_elem_origin(exchange, "value")->currency;
    for (const wsk_elem *x = NULL; (x = wsk_elem_child(site, "exchange", x)) != NULL && x != exchange;) {
        const char *own = ((const wsk_exchange_params *)x->params)->currency,
                   *worth = wsk_elem_origin(x, "value")->currency;
        if (own && ((!strcmp(own, p->currency) && !strcmp(worth, other)) ||
                    (!strcmp(own, other) && !strcmp(worth, p->currency))))
            return x;
    }
    return NULL;
}

void wsk_exchange_prices(wsk_diags *diags, wsk_elem *rig)
{
    const wsk_elem *site = wsk_elem_child(rig, "site", NULL);
    bool any = false;
    for (const wsk_elem *x = NULL; site && (x = wsk_elem_child(site, "exchange", x)) != NULL; any = true) {
        const wsk_exchange_params *p = x->params;
        if (p->currency && !is_currency(p->currency))
            wsk_elem_diag(diags, WSK_DIAG_ERROR, x, "currency", WSK_SAID(WSK_SAY_EXCHANGE_CURRENCY, p->currency));
        else if (p->currency && !strcmp(p->currency, wsk_elem_origin(x, "value")->currency))
            wsk_elem_diag(diags, WSK_DIAG_ERROR, x, "value", WSK_SAID(WSK_SAY_EXCHANGE_ITSELF, p->currency));
        else if (p->currency && earlier_of_pair(site, x))
            wsk_elem_diag(diags, WSK_DIAG_ERROR, x, "currency",
                          WSK_SAID(WSK_SAY_EXCHANGE_AGAIN, p->currency, wsk_elem_origin(x, "value")->currency));
    }
    const worths w = any ? find_worths(rig, true) : (worths){.count = 0};
    if (w.count > 0)
        convert(&w, rig);
}

static void append(wsk_node *parent, wsk_node *node)
{
    node->parent = parent;
    node->next = NULL;
    if (parent->last)
        parent->last->next = node;
    else
        parent->child = node;
    parent->last = node;
}

static void unlink_node(wsk_node *parent, wsk_node *node)
{
    wsk_node *before = NULL;
    for (wsk_node *n = parent->child; n != node; n = n->next)
        before = n;
    *(before ? &before->next : &parent->child) = node->next;
    if (parent->last == node)
        parent->last = before;
}

/* True if the <exchange> `node` is a rate of these two currencies, in either direction. */
static bool is_of_pair(wsk_loader *l, const wsk_node *node, const char *a, const char *b)
{
    const wsk_attr *currency = wsk_node_attr(node, "currency"), *value = wsk_node_attr(node, "value");
    const char *own = currency ? wsk_trimmed(l, currency->value) : NULL;
    char other[8];
    size_t at;
    wsk_dim means;
    double si;
    if (strcmp(node->name, "exchange") != 0 || !own || !value ||
        wsk_parse_quantity(value->value, WSK_DIM_PRICE, &si, other, &at, &means) != WSK_UNIT_OK)
        return false;
    return (!strcmp(own, a) && !strcmp(other, b)) || (!strcmp(own, b) && !strcmp(other, a));
}

/* Removes the <exchange> elements of the rig file between two currencies, because a rate of --exchange replaces them.
 * False: another --exchange has the same pair of currencies. */
static bool clear_pair(wsk_loader *l, wsk_node *site, const char *a, const char *b)
{
    for (wsk_node *n = site ? site->child : NULL, *next; n; n = next) {
        next = n->next;
        if (!is_of_pair(l, n, a, b))
            continue;
        if (n->file && !strcmp(n->file, OPTION))
            return false;
        unlink_node(site, n);
    }
    return true;
}

bool wsk_exchange_add(wsk_loader *l, wsk_node *root, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *equals = strchr(texts[i], '='), *value = equals ? equals + 1 : "";
        char q[WSK_QUOTED], currency[8];
        size_t at;
        wsk_dim means;
        double si;
        if (!equals || texts[i][strcspn(texts[i], "<>&\"'")] ||
            wsk_parse_quantity(value, WSK_DIM_PRICE, &si, currency, &at, &means) != WSK_UNIT_OK) {
            wsk_io_error(l->diags, NULL, 0, 0, WSK_SAID(WSK_SAY_EXCHANGE_FORM, wsk_io_quote(q, texts[i])));
            continue;
        }
        wsk_node *made = NULL, *site = root->child;
        while (site && strcmp(site->name, "site") != 0)
            site = site->next;
        const char *option = wsk_printf(l->arena, "%.*s", (int)(equals - texts[i]), texts[i]),
                   *own = option ? wsk_trimmed(l, option) : NULL;
        if (own && !strcmp(own, currency)) {
            wsk_io_error(l->diags, NULL, 0, 0, WSK_SAID(WSK_SAY_EXCHANGE_FORM, wsk_io_quote(q, texts[i])));
            continue;
        }
        if (own && !clear_pair(l, site, own, currency)) {
            wsk_io_error(l->diags, NULL, 0, 0, WSK_SAID(WSK_SAY_EXCHANGE_TWICE, wsk_io_quote(q, texts[i])));
            continue;
        }
        const char *xml = wsk_printf(l->arena, "<site><exchange currency=\"%.*s\" value=\"%s\"/></site>",
                                     (int)(equals - texts[i]), texts[i], value);
        if (!xml || wsk_doc_parse(&made, l->arena, l->diags, OPTION, xml, strlen(xml)) == WSK_ENOMEM)
            return false;
        if (made)
            append(site ? site : root, site ? made->child : made);
    }
    return true;
}

double wsk_exchange_worth(const wsk_elem *rig, const char *currency)
{
    const worths w = find_worths(rig, false);
    return worth_of(&w, currency);
}
