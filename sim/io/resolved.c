/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the resolved rig as XML: all values with units, and their origins as <source> elements. Read as a rig it has
 * the same digest: resolved="true" keeps part names without reading the parts. If an assignment gives an element
 * another part or kind, the element is first reduced to the values that the rig itself wrote. Writes one element as a
 * part, too. */
#include <limits.h>
#include <string.h>

#include "sim/io/load.h"

static void put_escaped(wsk_buf *out, const char *text)
{
    for (size_t n; *text; text += n) {
        n = strcspn(text, "&<>\"");
        wsk_buf_put(out, text, n);
        if (!text[n])
            break;
        switch (text[n++]) {
        case '&': wsk_buf_printf(out, "&amp;"); break;
        case '<': wsk_buf_printf(out, "&lt;"); break;
        case '>': wsk_buf_printf(out, "&gt;"); break;
        default: wsk_buf_printf(out, "&quot;");
        }
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

static void put_indent(wsk_buf *out, int depth)
{
    wsk_buf_printf(out, "%*s", 2 * depth, "");
}

bool wsk_same_origin(const wsk_origin *a, const wsk_origin *b)
{
    return a->from == b->from && wsk_same_text(a->source, b->source) && wsk_same_text(a->ref, b->ref) &&
           wsk_same_text(a->spread, b->spread);
}

static bool present(const wsk_elem *e, const wsk_param *p)
{
    return wsk_value_present(p, (const char *)e->params + p->offset);
}

/* True if a part made from this element states the value: the rig or an assignment gave the value, and parts may
 * state it. A power limit without a source is left out, because it tells how a card is run, not what the card is. */
static bool of_part(const wsk_elem *e, const wsk_param *p)
{
    const wsk_origin *o = &e->origins[p - e->kind->params];
    const bool given = o->from == WSK_FROM_RIG || o->from == WSK_FROM_SET;
    return present(e, p) && given && !(p->flags & WSK_RIG_ONLY) && (o->source || strcmp(p->name, "power-limit") != 0);
}

typedef bool has_value(const wsk_elem *e, const wsk_param *p);

/* Writes one <source> for each group of values with the same origin, in the order of the parameter table. part: only
 * for values that a part states (of_part), without from=. */
static void put_sources(wsk_buf *out, const wsk_elem *e, int depth, bool part)
{
    static const char *const froms[] = {"default", "rig", "part", "set"};
    has_value *has = part ? of_part : present;
    const wsk_param *params = e->kind->params;
    for (const wsk_param *p = params; p->name; p++) {
        const wsk_origin *o = &e->origins[p - params];
        bool first = has(e, p);
        for (const wsk_param *q = params; first && q < p; q++)
            first = !(has(e, q) && wsk_same_origin(o, &e->origins[q - params]));
        if (!first)
            continue;
        put_indent(out, depth);
        wsk_buf_printf(out, "<source for=\"%s", p->name);
        for (const wsk_param *q = p + 1; q->name; q++)
            if (has(e, q) && wsk_same_origin(o, &e->origins[q - params]))
                wsk_buf_printf(out, " %s", q->name);
        wsk_buf_printf(out, "\"");
        if (!part)
            put_attr(out, "from", froms[o->from]);
        /* A rig may state a value without a source and without its spread. A part must name a kind of source, and
         * "measured" is the kind that needs no spread. */
        put_attr(out, "kind", part && !o->source ? "measured" : o->source);
        put_attr(out, "ref", part && !o->source ? "as the owner of a rig states it there" : o->ref);
        put_attr(out, "spread", o->spread);
        wsk_buf_printf(out, "/>\n");
    }
}

static void put_value(wsk_buf *out, const wsk_elem *e, const wsk_param *p)
{
    wsk_buf value = {0};
    wsk_origin o = e->origins[p - e->kind->params];
    const bool converted = o.own_currency[0]; /* the price as written, because its exchange rate is written, too */
    if (converted)
        memcpy(o.currency, o.own_currency, sizeof o.currency);
    if (wsk_value_write(&value, p, &o, converted ? (const void *)&o.own : (const char *)e->params + p->offset))
        put_attr(out, p->name, value.data ? value.data : "");
    out->failed = out->failed || value.failed;
    wsk_buf_free(&value);
}

static void put_elem(wsk_buf *out, const wsk_elem *e, int depth);

/* Among the siblings with the element name of `first`: the one with the lowest wsk_elem.order (place in the file)
 * that is at least `order`; NULL: none. *end: the first sibling with another name. */
static const wsk_elem *lowest_from(const wsk_elem *first, int order, const wsk_elem **end)
{
    const wsk_elem *found = NULL, *e = first;
    for (; e && strcmp(e->kind->element, first->kind->element) == 0; e = e->next)
        if (e->order >= order && (!found || e->order < found->order))
            found = e;
    *end = e;
    return found;
}

const wsk_elem *wsk_resolved_next(const wsk_elem *parent, const wsk_elem *last)
{
    const wsk_elem *first = last ? wsk_elem_child(parent, last->kind->element, NULL) : parent->child, *end = NULL;
    const wsk_elem *found = lowest_from(first, last ? last->order + 1 : INT_MIN, &end);
    return found || !end ? found : lowest_from(end, INT_MIN, &first);
}

static void put_children(wsk_buf *out, const wsk_elem *e, int depth)
{
    for (const wsk_elem *c = NULL; (c = wsk_resolved_next(e, c)) != NULL;)
        put_elem(out, c, depth);
}

static void put_elem(wsk_buf *out, const wsk_elem *e, int depth)
{
    put_indent(out, depth);
    wsk_buf_printf(out, "<%s", e->kind->element);
    if (!e->parent)
        put_attr(out, "resolved", "true");
    put_attr(out, "id", e->id);
    put_attr(out, "part", e->part);
    put_attr(out, "written", e->written);
    put_attr(out, "kind", e->kind->name);
    for (const wsk_param *p = e->kind->params; p->name; p++)
        put_value(out, e, p);
    wsk_buf_printf(out, ">\n");
    put_sources(out, e, depth + 1, false);
    put_children(out, e, depth + 1);
    put_indent(out, depth);
    wsk_buf_printf(out, "</%s>\n", e->kind->element);
}

void wsk_plan_write_resolved(const wsk_plan *plan, wsk_buf *out)
{
    wsk_buf_printf(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<!-- The rig with every value and its origin; wattsink reads it like any other. digest %016llx -->\n",
        (unsigned long long)plan->digest);
    if (plan->rig)
        put_elem(out, plan->rig, 0);
}

static bool wrote(const wsk_elem *e, const char *what)
{
    return e->written && strstr(e->written, what);
}

/* The parameter that tells which of several elements of the base part this element overrides; NULL: its kind tells
 * that, or there is only one. */
static const wsk_param *name_of(const wsk_elem *e)
{
    const wsk_param *name = wsk_kind_param(e->kind, "name");
    return name && name->type == WSK_TYPE_CHOICE ? name : NULL;
}

static bool says_anything(const wsk_elem *e)
{
    bool any = wrote(e, "part") || wrote(e, "kind");
    for (const wsk_param *p = e->kind->params; p->name && !any; p++)
        any = p != name_of(e) && of_part(e, p);
    for (const wsk_elem *c = e->child; c && !any; c = c->next)
        any = says_anything(c);
    return any;
}

static void put_part_elem(wsk_buf *out, const wsk_elem *e, int depth)
{
    const wsk_child *row = depth ? wsk_kind_child(e->parent->kind, e->kind->element) : NULL;
    const wsk_param *name = depth ? name_of(e) : NULL;
    if (depth) {
        put_indent(out, depth);
        wsk_buf_printf(out, "<%s", e->kind->element);
        put_attr(out, "part", wrote(e, "part") ? e->part : NULL);
    }
    if (wrote(e, "kind") || (row && row->most == 0 && row->implied))
        put_attr(out, "kind", e->kind->name);
    if (name)
        put_value(out, e, name);
    for (const wsk_param *p = e->kind->params; p->name; p++)
        if (p != name && of_part(e, p))
            put_value(out, e, p);
    wsk_buf_printf(out, ">\n");
    put_sources(out, e, depth + 1, true);
    for (const wsk_elem *c = NULL; (c = wsk_resolved_next(e, c)) != NULL;)
        if (says_anything(c))
            put_part_elem(out, c, depth + 1);
    put_indent(out, depth);
    wsk_buf_printf(out, "</%s>\n", e->kind->element);
}

void wsk_plan_write_part(const wsk_elem *e, const char *title, wsk_buf *out)
{
    wsk_buf_printf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<%s", e->kind->element);
    put_attr(out, "title", title);
    put_attr(out, "base", e->part);
    put_part_elem(out, e, 0);
}

bool wsk_resolved(const wsk_loader *l, const wsk_node *node)
{
    return l->resolved && !node->freed;
}

const char *wsk_resolved_written(wsk_loader *l, const wsk_node *node)
{
    const wsk_node *root = node;
    while (root->parent)
        root = root->parent;
    const wsk_attr *a = wsk_node_attr(node, "written");
    const bool told = l->resolved && wsk_node_attr(root, "written");
    static const char *const names[] = {"id", "part", "kind"};
    char words[16];
    size_t n = 0;
    words[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const wsk_attr *own = wsk_node_attr(node, names[i]);
        if (own && (!told || own->assignment || (a && strstr(a->value, names[i]))))
            n += (size_t)snprintf(words + n, sizeof words - n, "%s%s", n ? " " : "", names[i]);
    }
    return told && !a && !n ? NULL : wsk_strdup(l->arena, words);
}

static bool given(const char *from)
{
    return from && (strcmp(from, "part") == 0 || strcmp(from, "default") == 0);
}

/* True if wsk_resolved_free keeps an attribute: an id, part or kind that the rig or an assignment wrote, or a value
 * that is not from a part or default. */
static bool stays(wsk_loader *l, wsk_node *node, wsk_attr *a, const char *written)
{
    if (strcmp(a->name, "id") == 0 || strcmp(a->name, "part") == 0 || strcmp(a->name, "kind") == 0)
        return a->assignment || (written && strstr(written, a->name));
    wsk_origin o = {.from = WSK_FROM_RIG};
    wsk_source_find(l, node, a, WSK_LAYER_RIG, &o);
    return o.from == WSK_FROM_RIG || o.from == WSK_FROM_SET;
}

static void drop_sources(wsk_node *node)
{
    for (wsk_source **s = &node->sources; *s;)
        if (given((*s)->from))
            *s = (*s)->next;
        else
            s = &(*s)->next;
    node->last = NULL;
    for (wsk_node **c = &node->child; *c;) {
        const wsk_attr *from = strcmp((*c)->name, "source") == 0 ? wsk_node_attr(*c, "from") : NULL;
        if (from && given(from->value)) {
            *c = (*c)->next;
        } else {
            node->last = *c;
            c = &(*c)->next;
        }
    }
}

static bool own_values(wsk_loader *l, wsk_node *node)
{
    for (wsk_attr *a = node->attrs; a; a = a->next)
        if (strcmp(a->name, "written") != 0 && stays(l, node, a, NULL))
            return true;
    for (wsk_node *c = node->child; c; c = c->next)
        if (strcmp(c->name, "source") != 0 && own_values(l, c))
            return true;
    return false;
}

static const wsk_child *row_of(const wsk_node *node)
{
    const wsk_attr *kind = node->parent ? wsk_node_attr(node->parent, "kind") : NULL;
    const wsk_kind *parent = node->parent ? wsk_kind_get(node->parent->name, kind ? kind->value : NULL) : NULL;
    return parent ? wsk_kind_child(parent, node->name) : NULL;
}

/* The attribute, "kind" or "name", that tells which of several elements of the part this node overrides. NULL: only
 * one element of this name is allowed, or each node of this name is one more element and overrides none. */
static const char *key_of(const wsk_node *node)
{
    const wsk_child *row = row_of(node);
    const wsk_kind *kind = wsk_kind_get(node->name, NULL);
    const wsk_param *name = kind ? wsk_kind_param(kind, "name") : NULL;
    if (row && row->most == 0 && row->implied)
        return "kind";
    return name && name->type == WSK_TYPE_CHOICE ? "name" : NULL;
}

static bool adds_up(const wsk_node *node)
{
    const wsk_child *row = row_of(node);
    return row && row->most != 1 && !key_of(node);
}

static void free_children(wsk_loader *l, wsk_node *node)
{
    node->last = NULL;
    for (wsk_node **link = &node->child; *link;) {
        wsk_node *c = *link;
        const char *written = strcmp(c->name, "source") == 0 ? "" : wsk_resolved_written(l, c);
        if (!written && (adds_up(c) || !own_values(l, c))) {
            *link = c->next;
            continue;
        }
        if (strcmp(c->name, "source") != 0 && !(written && strstr(written, "part")))
            wsk_resolved_free(l, c);
        node->last = c;
        link = &c->next;
    }
}

void wsk_resolved_free(wsk_loader *l, wsk_node *node)
{
    if (!wsk_resolved(l, node))
        return;
    const char *written = wsk_resolved_written(l, node), *key = key_of(node);
    free_children(l, node);
    node->last_attr = NULL;
    for (wsk_attr **link = &node->attrs; *link;) {
        bool keep = strcmp((*link)->name, "written") == 0 || (key && strcmp((*link)->name, key) == 0) ||
                    stays(l, node, *link, written);
        if (keep) {
            node->last_attr = *link;
            link = &(*link)->next;
        } else {
            *link = (*link)->next;
        }
    }
    drop_sources(node);
    node->freed = true;
}
