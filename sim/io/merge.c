/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges a rig with its parts, and parts with the parts that they build on, into a tree of items (elements whose
 * values are still text, with their origins). */
#include <string.h>
#include <strings.h>

#include "sim/io/merge.h"

static wsk_item *make_item(wsk_loader *l, wsk_node *node, wsk_layer layer, int bases);

static wsk_item *item_new(wsk_loader *l, const wsk_kind *kind)
{
    const wsk_node *node = l->place;
    if (++l->items > WSK_ITEMS_MAX) {
        if (l->items == WSK_ITEMS_MAX + 1)
            wsk_io_error(l->diags, node ? node->file : NULL, node ? node->line : 0, node ? node->column : 0,
                         WSK_SAID(WSK_SAY_TOO_MANY_ELEMENTS));
        return NULL;
    }
    wsk_item *item = wsk_alloc(l->arena, sizeof *item);
    wsk_origin *values = item ? wsk_alloc(l->arena, (wsk_kind_params(kind) + 1) * sizeof *values) : NULL;
    if (!values)
        return NULL;
    item->kind = kind;
    item->values = values;
    return item;
}

static void append_item(wsk_item *parent, wsk_item *item)
{
    item->parent = parent;
    if (parent->tail)
        parent->tail->next = item;
    else
        parent->child = item;
    parent->tail = item;
}

static void replace_item(wsk_item *parent, wsk_item *old, wsk_item *item)
{
    wsk_item **link = &parent->child;
    while (*link != old)
        link = &(*link)->next;
    item->next = old->next;
    item->parent = parent;
    *link = item;
    if (parent->tail == old)
        parent->tail = item;
}

static wsk_item *part_item(wsk_loader *l, const wsk_node *node, const wsk_attr *a, int bases)
{
    const char *id = wsk_trimmed(l, a->value);
    char q[WSK_QUOTED];
    if (!id)
        return NULL;
    if (!wsk_part_id_valid(id)) {
        l->bad_files = true;
        if (wsk_part_unnamed(l, node, a, id))
            return NULL;
        wsk_attr_error(l, node, a,
                       WSK_SAID(WSK_SAY_PART_NAME, wsk_io_quote(q, id),
                                wsk_meant_product(l, wsk_kind_get(node->name, NULL) ? node->name : NULL, id)));
        return NULL;
    }
    wsk_part_doc *part = wsk_part_open(l, id);
    if (!part)
        return NULL;
    wsk_prices_apply(l, part);
    if (part->why)
        wsk_attr_error(l, node, a, WSK_SAID(WSK_SAY_PART_WHY, wsk_io_quote(q, id), part->why));
    else if (!part->found)
        wsk_part_missing(l, part, node, a);
    else if (!part->root || part->diags.errors > 0)
        for (size_t i = 0; i < part->diags.count; i++)
            wsk_io_error(l->diags, part->diags.items[i].file, part->diags.items[i].line, part->diags.items[i].column,
                         part->diags.items[i].said);
    else if (strcmp(part->root->name, node->name) != 0)
        wsk_attr_error(l, node, a, WSK_SAID(WSK_SAY_PART_OTHER, wsk_io_quote(q, id), part->root->name, node->name));
    else if (part->open || bases >= WSK_BASES_MAX)
        wsk_attr_error(l, node, a,
                       part->open ? WSK_SAID(WSK_SAY_PART_CYCLE, wsk_io_quote(q, id))
                                  : WSK_SAID(WSK_SAY_PART_CHAIN, wsk_io_quote(q, id)));
    else {
        part->open = true;
        size_t errors = l->diags->errors;
        wsk_item *item = make_item(l, part->root, WSK_LAYER_PART, bases + 1);
        part->open = false;
        if (l->diags->errors == errors)
            wsk_source_unused(l, part->root);
        if (item)
            item->part = id;
        return item;
    }
    l->bad_files = true;
    return NULL;
}

static const wsk_kind *kind_of(wsk_loader *l, const wsk_node *node, bool *guessed)
{
    const wsk_attr *a = wsk_node_attr(node, "kind");
    const wsk_kind *kind = wsk_kind_get(node->name, a ? a->value : NULL);
    if (kind || !a)
        return kind;
    char q[WSK_QUOTED], list[160];
    wsk_names names = {.arena = l->arena};
    wsk_names_kinds(&names, node->name);
    wsk_attr_error(l, node, a,
                   WSK_SAID(WSK_SAY_UNKNOWN_KIND, wsk_io_quote(q, a->value), node->name,
                            wsk_io_list(list, sizeof list, &names), wsk_io_hint(a->value, &names)));
    *guessed = true;
    const char *near = wsk_nearest(a->value, wsk_names_list(&names));
    return wsk_kind_get(node->name, near);
}

/* True if a node gives a required value of this kind: it then describes the element itself instead of naming a
 * part. */
static bool written_out(const wsk_node *node, const wsk_kind *kind)
{
    for (const wsk_param *p = kind->params; p->name; p++)
        if ((p->flags & WSK_REQUIRED) && !(p->flags & WSK_RIG_ONLY) && wsk_node_attr(node, p->name))
            return true;
    return false;
}

/* The fan of the item's part that a node such as <fan at="rear" duty="60 %"/> overrides: the fan at that place, or
 * the only fan. The node must not name a part or describe a fan of its own. NULL: no such fan, or several. */
static wsk_item *fan_of_part(const wsk_item *item, const wsk_node *node)
{
    const wsk_kind *usual = wsk_kind_get("fan", NULL);
    const wsk_attr *at = wsk_node_attr(node, "at");
    wsk_item *found = NULL;
    int count = 0;
    if (strcmp(node->name, "fan") != 0 || !usual || wsk_node_attr(node, "part") || written_out(node, usual))
        return NULL;
    for (wsk_item *c = item->child; c; c = c->next) {
        const wsk_param *place = wsk_kind_param(c->kind, "at");
        if (strcmp(c->kind->element, "fan") != 0 || !c->node || c->node->parent == node->parent || !place)
            continue;
        const char *text = c->values[place - c->kind->params].text;
        if (at && strcmp(text ? text : place->def, at->value) != 0)
            continue;
        found = c;
        count++;
    }
    return count == 1 ? found : NULL;
}

/* The child of `item` that a node merges into: the element of the node's name if only one is allowed, the <class> with
 * the same name=, the <governor> of the same kind, or a fan of the part. NULL: none, so the node adds a child. */
static wsk_item *counterpart(const wsk_item *item, const wsk_node *node, const wsk_child *row)
{
    const wsk_kind *usual = wsk_kind_get(node->name, NULL);
    const wsk_param *named = usual ? wsk_kind_param(usual, "name") : NULL;
    bool one_a_kind = row->implied && row->most == 0; /* one element of each kind, such as governors */
    if (row->most != 1 && !one_a_kind && !(named && named->type == WSK_TYPE_CHOICE))
        return fan_of_part(item, node);
    const wsk_attr *name = wsk_node_attr(node, "name"), *kind = wsk_node_attr(node, "kind");
    for (wsk_item *c = item->child; c; c = c->next) {
        if (strcmp(c->kind->element, node->name) != 0)
            continue;
        if (row->most == 1)
            return c;
        const wsk_param *key = wsk_kind_param(c->kind, "name");
        if (key && key->type == WSK_TYPE_CHOICE) {
            const char *text = c->values[key - c->kind->params].text;
            if (text && name && strcasecmp(text, name->value) == 0)
                return c;
        } else if (one_a_kind) {
            const wsk_kind *own = wsk_kind_get(node->name, kind ? kind->value : NULL);
            if (own == c->kind)
                return c;
        }
    }
    return NULL;
}

static void report_misplaced(wsk_loader *l, const wsk_item *item, const wsk_node *node)
{
    char q[WSK_QUOTED], list[160];
    wsk_names here = {.arena = l->arena}, all = {.arena = l->arena}, homes = {.arena = l->arena};
    wsk_names_children(&here, item->kind);
    wsk_names_elements(&all);
    for (const wsk_kind *const *k = wsk_kinds; *k; k++)
        /* If another kind of this element allows the child, the message names that kind. */
        if (wsk_kind_child(*k, node->name)) {
            bool here_too = strcmp((*k)->element, item->kind->element) == 0;
            const char *home =
                here_too ? wsk_printf(l->arena, "%s kind=\"%s\"", (*k)->element, (*k)->name) : (*k)->element;
            if (home)
                wsk_names_add(&homes, home);
        }
    const wsk_kind *around =
        l->incomplete && node->parent && node->parent->parent ? wsk_kind_get(node->parent->parent->name, NULL) : NULL;
    /* the end tag before this node is missing, which was reported */
    if (around && wsk_kind_child(around, node->name))
        return;
    if (homes.count) {
        wsk_io_error(
            l->diags, node->file, node->line, node->column,
            WSK_SAID(WSK_SAY_MISPLACED, node->name, item->kind->element, wsk_io_list(list, sizeof list, &homes)));
        return;
    }
    if (wsk_kind_get(node->name, NULL)) {
        wsk_io_error(l->diags, node->file, node->line, node->column,
                     WSK_SAID(WSK_SAY_OUTERMOST, node->name, item->kind->element));
        return;
    }
    const wsk_said *hint = wsk_meant_element(l->arena, node->name);
    if (!hint)
        hint = wsk_io_hint(node->name, here.count ? &here : &all);
    if (!hint)
        hint = wsk_io_hint(node->name, &all);
    wsk_io_error(
        l->diags, node->file, node->line, node->column,
        WSK_SAID(WSK_SAY_UNKNOWN_ELEMENT, wsk_io_quote(q, node->name), item->kind->element,
                 here.count ? wsk_arg_text(wsk_io_list(list, sizeof list, &here)) : WSK_WORD("no elements inside"),
                 hint));
}

/* True if a node gives all required values of this kind, so that none is left to a part. */
static bool all_given(const wsk_node *node, const wsk_kind *kind)
{
    for (const wsk_param *p = kind->params; p->name; p++)
        if ((p->flags & WSK_REQUIRED) && !(p->flags & WSK_RIG_ONLY) && !wsk_node_attr(node, p->name))
            return false;
    return true;
}

static bool replaces(const wsk_item *old, const wsk_node *node, const wsk_child *row)
{
    const wsk_attr *kind = wsk_node_attr(node, "kind");
    const wsk_param *name = wsk_kind_param(old->kind, "name");
    if (wsk_node_attr(node, "part"))
        return true;
    if (row->most != 1) /* a class, whose name alone is no value of its own */
        return kind && name && name->type == WSK_TYPE_CHOICE && all_given(node, old->kind);
    return kind && (strcmp(kind->value, old->kind->name) != 0 || written_out(node, old->kind));
}

static bool overlay_node(wsk_loader *l, wsk_item *item, wsk_node *node, wsk_layer layer, int bases);

static bool too_many(wsk_loader *l, const wsk_item *item, const wsk_node *node, const wsk_child *row)
{
    int there = 0;
    for (const wsk_item *c = row->most > 1 ? item->child : NULL; c; c = c->next)
        there += strcmp(c->kind->element, node->name) == 0;
    if (row->most <= 1 || there < row->most)
        return false;
    wsk_io_error(l->diags, node->file, node->line, node->column,
                 WSK_SAID(WSK_SAY_MORE_THAN, row->most, node->name, item->kind->element));
    return true;
}

static bool take_child(wsk_loader *l, wsk_item *item, wsk_node *node, wsk_layer layer, int bases)
{
    const wsk_child *row = wsk_kind_child(item->kind, node->name);
    if (!row) {
        report_misplaced(l, item, node);
        return true;
    }
    if (too_many(l, item, node, row))
        return true;
    wsk_item *old = counterpart(item, node, row);
    if (old && old->node && old->node->parent == node->parent) {
        wsk_io_error(l->diags, node->file, node->line, node->column,
                     row->most == 1 ? WSK_SAID(WSK_SAY_SECOND, node->name, item->kind->element, old->line)
                                    : WSK_SAID(WSK_SAY_SECOND_ALIKE, node->name, item->kind->element, old->line));
        return true;
    }
    if (old && !replaces(old, node, row))
        return overlay_node(l, old, node, layer, bases);
    wsk_item *child = make_item(l, node, layer, bases);
    if (!child)
        return !wsk_loader_full(l);
    if (old)
        replace_item(item, old, child);
    else
        append_item(item, child);
    return true;
}

/* An attribute such as model="model/..." stands for a child of that name with that part. A resolved rig has both,
 * and there the attribute is ignored; in any other file both are a mistake. */
static bool take_named_parts(wsk_loader *l, wsk_item *item, wsk_node *node, wsk_layer layer, int bases)
{
    for (const wsk_param *p = item->kind->params; p->name; p++) {
        const wsk_attr *a = p->flags & WSK_NAMES_PART ? wsk_node_attr(node, p->name) : NULL;
        bool written = false;
        for (const wsk_node *n = node->child; a && n; n = n->next)
            written = written || strcmp(n->name, p->name) == 0;
        if (a && written && !l->resolved)
            wsk_io_error(l->diags, node->file, a->line, a->column, WSK_SAID(WSK_SAY_PART_TWICE, p->name));
        if (!a || written)
            continue;
        wsk_attr *part = wsk_alloc(l->arena, sizeof *part);
        wsk_node *child = part ? wsk_alloc(l->arena, sizeof *child) : NULL;
        if (!child)
            return false;
        *part = *a;
        part->name = "part";
        part->next = NULL;
        *child = (wsk_node){.name = p->name,
                            .file = node->file,
                            .line = a->line,
                            .column = a->column,
                            .attrs = part,
                            .last_attr = part,
                            .parent = node,
                            .freed = true}; /* the part is read, even in a resolved rig */
        if (!take_child(l, item, child, layer, bases))
            return false;
    }
    return true;
}

static bool overlay_node(wsk_loader *l, wsk_item *item, wsk_node *node, wsk_layer layer, int bases)
{
    item->node = node;
    item->layer = layer;
    item->file = node->file;
    item->line = node->line;
    item->column = node->column;
    item->written = layer == WSK_LAYER_RIG ? wsk_resolved_written(l, node) : NULL;
    wsk_merge_values(l, item, node, layer);
    if (!take_named_parts(l, item, node, layer, bases))
        return false;
    for (wsk_node *n = node->child; n && !wsk_loader_full(l); n = n->next)
        if (strcmp(n->name, "source") != 0 && !take_child(l, item, n, layer, bases))
            return false;
    return !wsk_loader_full(l);
}

/* For an element that states its kind and no required value, such as <cooler kind="open-air"/>: a copy of the
 * attribute kind whose value is the id of the part cooler/generic-open-air. NULL: another element, or no part. */
static const wsk_attr *generic_part(wsk_loader *l, const wsk_node *node, const wsk_kind *kind)
{
    const wsk_attr *named = wsk_node_attr(node, "kind");
    bool open = false;
    for (const wsk_param *p = kind->params; p->name; p++)
        open = open || ((p->flags & WSK_REQUIRED) && !(p->flags & WSK_RIG_ONLY));
    if (!named || !open || written_out(node, kind))
        return NULL;
    char *id = wsk_printf(l->arena, "%s/generic-%s", kind->element, kind->name);
    const wsk_part_doc *part = id ? wsk_part_open(l, id) : NULL;
    wsk_attr *a = part && part->found ? wsk_alloc(l->arena, sizeof *a) : NULL;
    if (a) {
        *a = *named;
        a->value = id;
    }
    return a;
}

static wsk_item *make_item(wsk_loader *l, wsk_node *node, wsk_layer layer, int bases)
{
    if (layer == WSK_LAYER_RIG)
        l->place = node;
    bool root = layer == WSK_LAYER_PART && !node->parent, guessed = false;
    const wsk_attr *a = wsk_node_attr(node, root ? "base" : "part");
    bool resolved = layer == WSK_LAYER_RIG && wsk_resolved(l, node);
    if (resolved)
        a = NULL;
    const wsk_kind *kind = kind_of(l, node, &guessed);
    if (!kind)
        return NULL;
    if (!a && layer == WSK_LAYER_RIG && !resolved && !guessed)
        a = generic_part(l, node, kind);
    wsk_item *item = a ? part_item(l, node, a, bases) : NULL;
    bool broken = guessed || (a && !item);
    if (item && wsk_node_attr(node, "kind") && item->kind != kind && !guessed) {
        const wsk_attr *k = wsk_node_attr(node, "kind");
        char q[WSK_QUOTED];
        wsk_attr_error(l, node, k,
                       WSK_SAID(WSK_SAY_KIND_OF_PART, wsk_io_quote(q, k->value), item->part, item->kind->name));
        broken = true;
    }
    if (!item && !(item = item_new(l, kind)))
        return NULL;
    item->broken = item->broken || broken;
    return overlay_node(l, item, node, layer, bases) ? item : NULL;
}

static bool add_implied(wsk_loader *l, wsk_item *item)
{
    for (const wsk_child *row = item->kind->children; row && row->element; row++) {
        bool there = false;
        for (const wsk_item *c = item->child; c && !there; c = c->next)
            there = strcmp(c->kind->element, row->element) == 0 &&
                    (row->most != 0 || !row->implied || strcmp(c->kind->name, row->implied) == 0);
        const wsk_kind *kind = row->implied && !there ? wsk_kind_get(row->element, row->implied) : NULL;
        wsk_item *child = kind ? item_new(l, kind) : NULL;
        if (kind && !child)
            return false;
        if (child) {
            child->file = item->file;
            child->line = item->line;
            child->column = item->column;
            append_item(item, child);
        }
    }
    for (wsk_item *c = item->child; c; c = c->next)
        if (!add_implied(l, c))
            return false;
    return true;
}

static void number_items(wsk_item *item)
{
    for (wsk_item *first = item->child; first; first = first->next) {
        bool seen = false;
        for (wsk_item *c = item->child; c != first && !seen; c = c->next)
            seen = strcmp(c->kind->element, first->kind->element) == 0;
        if (seen)
            continue;
        int order = 0;
        for (int own = 1; own >= 0; own--)
            for (wsk_item *c = item->child; c; c = c->next)
                if ((c->written != NULL) == own && strcmp(c->kind->element, first->kind->element) == 0)
                    c->order = order++;
    }
    for (wsk_item *c = item->child; c; c = c->next)
        number_items(c);
}

wsk_item *wsk_merge_rig(wsk_loader *l, wsk_node *root)
{
    l->items = 0;
    wsk_item *item = make_item(l, root, WSK_LAYER_RIG, 0);
    if (!item || !add_implied(l, item))
        return NULL;
    number_items(item);
    return item;
}

wsk_item *wsk_merge_part(wsk_loader *l, const char *id)
{
    char family[64];
    size_t n = strcspn(id, "/");
    snprintf(family, sizeof family, "%.*s", (int)(n < sizeof family ? n : sizeof family - 1), id);
    wsk_part_doc *part = wsk_part_id_valid(id) ? wsk_part_open(l, id) : NULL;
    if (wsk_loader_full(l))
        return NULL;
    wsk_node node = {.name = part && part->root ? part->root->name : family};
    wsk_attr a = {.name = "part", .value = id};
    wsk_item *item = part_item(l, &node, &a, 0);
    if (item)
        number_items(item);
    return item;
}
