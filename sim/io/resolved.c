/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The resolved rig as XML: every value in edge units, and beside it, as <source> elements, where each came from.
 * It reads back as a rig of the same digest: resolved="true" keeps part names without reading the parts. */
#include <string.h>

#include "sim/io/load.h"

static void put_escaped(wsk_buf *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&': wsk_buf_printf(out, "&amp;"); break;
        case '<': wsk_buf_printf(out, "&lt;"); break;
        case '>': wsk_buf_printf(out, "&gt;"); break;
        case '"': wsk_buf_printf(out, "&quot;"); break;
        default: wsk_buf_put(out, text, 1);
        }
}

static void put_attr(wsk_buf *out, const char *name, const char *value)
{
    if (!value)
        return;
    wsk_buf_printf(out, " %s=\"", name);
    put_escaped(out, value);
    wsk_buf_printf(out, "\"");
}

static void indent(wsk_buf *out, int depth)
{
    wsk_buf_printf(out, "%*s", 2 * depth, "");
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_origin(const wsk_origin *a, const wsk_origin *b)
{
    return a->from == b->from && same_text(a->source, b->source) && same_text(a->ref, b->ref) &&
           same_text(a->spread, b->spread);
}

static bool present(const wsk_elem *e, const wsk_param *p)
{
    wsk_buf none = {0};
    bool there = wsk_value_write(&none, p, &e->origins[p - e->kind->params], (const char *)e->params + p->offset);
    wsk_buf_free(&none);
    return there;
}

/* One <source> for each group of values of the same origin, in table order. */
static void put_sources(wsk_buf *out, const wsk_elem *e, int depth)
{
    static const char *const froms[] = {"default", "rig", "part", "set"};
    const wsk_param *params = e->kind->params;
    for (const wsk_param *p = params; p && p->name; p++) {
        const wsk_origin *o = &e->origins[p - params];
        bool first = present(e, p);
        for (const wsk_param *q = params; first && q < p; q++)
            first = !(present(e, q) && same_origin(o, &e->origins[q - params]));
        if (!first)
            continue;
        indent(out, depth);
        wsk_buf_printf(out, "<source for=\"%s", p->name);
        for (const wsk_param *q = p + 1; q->name; q++)
            if (present(e, q) && same_origin(o, &e->origins[q - params]))
                wsk_buf_printf(out, " %s", q->name);
        wsk_buf_printf(out, "\" from=\"%s\"", froms[o->from]);
        put_attr(out, "kind", o->source);
        put_attr(out, "ref", o->ref);
        put_attr(out, "spread", o->spread);
        wsk_buf_printf(out, "/>\n");
    }
}

static void put_elem(wsk_buf *out, const wsk_elem *e, int depth)
{
    indent(out, depth);
    wsk_buf_printf(out, "<%s", e->kind->element);
    if (!e->parent)
        put_attr(out, "resolved", "true");
    put_attr(out, "id", e->id);
    put_attr(out, "part", e->part);
    put_attr(out, "kind", e->kind->name);
    for (const wsk_param *p = e->kind->params; p && p->name; p++) {
        wsk_buf value = {0};
        if (wsk_value_write(&value, p, &e->origins[p - e->kind->params], (const char *)e->params + p->offset))
            put_attr(out, p->name, value.data ? value.data : "");
        out->failed = out->failed || value.failed;
        wsk_buf_free(&value);
    }
    wsk_buf_printf(out, ">\n");
    put_sources(out, e, depth + 1);
    for (const wsk_elem *c = e->child; c; c = c->next)
        put_elem(out, c, depth + 1);
    indent(out, depth);
    wsk_buf_printf(out, "</%s>\n", e->kind->element);
}

void wsk_plan_write_resolved(const wsk_plan *plan, wsk_buf *out)
{
    wsk_buf_printf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<!-- The rig with every value and its origin; wattsink reads it like any other. digest %016llx -->\n",
                   (unsigned long long)plan->digest);
    if (plan->rig)
        put_elem(out, plan->rig, 0);
}
