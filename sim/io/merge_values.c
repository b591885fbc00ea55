/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/io/merge.h"
#include "sim/net/provenance.h"

const char *wsk_trimmed(wsk_loader *l, const char *text)
{
    static const char space[] = " \t\r\n";
    size_t first = strspn(text, space), len = strlen(text);
    while (len > first && strchr(space, text[len - 1]))
        len--;
    if (!text[len])
        return text + first;
    return wsk_printf(l->arena, "%.*s", (int)(len - first), text + first);
}

static const wsk_kind *find_kind_with(const char *element, const char *attr)
{
    for (const wsk_kind *const *k = wsk_kinds; *k; k++)
        if (strcmp((*k)->element, element) == 0 && wsk_kind_param(*k, attr))
            return *k;
    return NULL;
}

/* Names other elements that have this attribute. NULL: none, or too many to tell which is meant. */
static const wsk_said *hint_element(wsk_arena *arena, const char *attr)
{
    enum { FEW = 3 };
    wsk_names have = {.arena = arena};
    char list[120];
    for (const wsk_kind *const *k = wsk_kinds; *k; k++)
        if (wsk_kind_param(*k, attr))
            wsk_names_add(&have, wsk_printf(arena, "<%s>", (*k)->element));
    return have.count && have.count <= FEW
               ? WSK_SAY(arena, WSK_SAY_ATTR_BELONGS, wsk_io_list(list, sizeof list, &have))
               : NULL;
}

/* Hint for an attribute that no kind of the element has. *guess: there is a hint. The attribute that it suggests is
 * noted in item->meant, so that it is not reported as missing. */
static const wsk_said *hint_attr(wsk_loader *l, wsk_item *item, const char *name, bool root_of_part, bool *guess)
{
    wsk_names all = {.arena = l->arena};
    wsk_names_params(&all, item->kind);
    wsk_names_add(&all, "part");
    wsk_names_add(&all, "kind");
    wsk_names_add(&all, "id");
    if (root_of_part) {
        wsk_names_add(&all, "title");
        wsk_names_add(&all, "base");
    }
    *guess = strcmp(name, "count") == 0;
    if (*guess)
        return WSK_SAY(l->arena, WSK_SAY_ONE_EACH, item->kind->element);
    const char *near = wsk_meant_attr(item->kind->element, name, &all);
    if (!near)
        return hint_element(l->arena, name);
    *guess = true;
    wsk_names_add(&item->meant, near);
    if (strcmp(near, "part") == 0 || strcmp(near, "kind") == 0)
        item->broken = true; /* a misspelt part or kind: the values that it would give are missing too */
    return WSK_SAY(l->arena, WSK_SAY_MEANT, near);
}

static void unknown_attr(wsk_loader *l, wsk_item *item, const wsk_node *node, const wsk_attr *a, wsk_layer layer)
{
    const wsk_attr *kind = wsk_node_attr(node, "kind");
    bool switched = kind && kind->assignment; /* --set changed the kind: attributes of the old kind are ignored */
    const wsk_kind *other = find_kind_with(item->kind->element, a->name);
    if ((item->broken || switched) && other)
        return;
    char q[WSK_QUOTED], list[160];
    const char *element = item->kind->element;
    wsk_names names = {.arena = l->arena};
    wsk_names_params(&names, item->kind);
    wsk_io_list(list, sizeof list, &names);
    item->meant.arena = l->arena;
    bool guess = false;
    const wsk_said *hint = other ? wsk_meant_kind(l, item, other, a->name)
                                 : hint_attr(l, item, a->name, layer == WSK_LAYER_PART && !node->parent, &guess);
    wsk_name_error(l, node, a,
                   WSK_SAID(WSK_SAY_UNKNOWN_ATTR, wsk_io_quote(q, a->name),
                            other ? WSK_SAID(WSK_SAY_ATTR_OF_KIND, element, item->kind->name)
                                  : WSK_SAID(WSK_SAY_ATTR_OF, element),
                            guess                   ? WSK_SAID(WSK_SAY_ONE_LISTED, element)
                            : strstr(list, ", ...") ? WSK_SAID(WSK_SAY_LIST_MORE, list, element)
                                                    : WSK_SAID(WSK_SAY_PLAIN, list),
                            hint));
}

static bool structural(const wsk_loader *l, const wsk_node *node, const wsk_attr *a, wsk_layer layer)
{
    if (strcmp(a->name, "id") == 0 || strcmp(a->name, "part") == 0 || strcmp(a->name, "kind") == 0 ||
        (layer == WSK_LAYER_RIG && l->resolved && strcmp(a->name, "written") == 0) ||
        strncmp(a->name, "xsi:", 4) == 0 || strncmp(a->name, "xml:", 4) == 0)
        return true;
    if (node->parent)
        return false;
    return layer == WSK_LAYER_PART ? strcmp(a->name, "title") == 0 || strcmp(a->name, "base") == 0
                                   : strcmp(a->name, "resolved") == 0;
}

static void take_value(wsk_loader *l, wsk_item *item, wsk_node *node, wsk_attr *a, wsk_layer layer)
{
    const wsk_param *p = wsk_kind_param(item->kind, a->name);
    if (!p) {
        unknown_attr(l, item, node, a, layer);
        return;
    }
    wsk_origin o = {.from = a->assignment            ? WSK_FROM_SET
                            : layer == WSK_LAYER_RIG ? WSK_FROM_RIG
                                                     : WSK_FROM_PART,
                    .text = wsk_trimmed(l, a->value),
                    .file = node->file,
                    .line = a->line,
                    .column = a->column};
    bool sourced = wsk_source_find(l, node, a, layer, &o);
    if (layer == WSK_LAYER_PART && (p->flags & WSK_RIG_ONLY))
        wsk_name_error(l, node, a, WSK_SAID(WSK_SAY_RIG_ONLY, a->name));
    else if (layer == WSK_LAYER_PART && !sourced && strcmp(p->name, "name") != 0)
        wsk_name_error(l, node, a, WSK_SAID(WSK_SAY_NO_SOURCE, a->name, WSK_SOURCE_KINDS));
    /* only numbers and curves are counted as assumed values */
    o.assumed = o.assumed && (p->type == WSK_TYPE_NUMBER || p->type == WSK_TYPE_CURVE);
    if (a->assignment)
        o.ref = a->assignment;
    item->values[p - item->kind->params] = o;
}

void wsk_merge_drop_date(wsk_item *item, const wsk_param *p)
{
    const wsk_param *date = p + 1;
    wsk_origin *o = &item->values[date - item->kind->params];
    if (date->name && date->flags & WSK_DATES_ROW_BEFORE && o->from != WSK_FROM_SET)
        *o = (wsk_origin){0};
}

void wsk_merge_values(wsk_loader *l, wsk_item *item, wsk_node *node, wsk_layer layer)
{
    char q[WSK_QUOTED];
    for (const wsk_param *p = item->kind->params; p->name; p++)
        if (wsk_node_attr(node, p->name))
            wsk_merge_drop_date(item, p);
    for (wsk_attr *a = node->attrs; a; a = a->next) {
        if (!structural(l, node, a, layer)) {
            take_value(l, item, node, a, layer);
        } else if (strcmp(a->name, "id") == 0) {
            bool own = a->assignment || (item->written && strstr(item->written, "id"));
            if (layer == WSK_LAYER_RIG && l->resolved && !own)
                continue; /* an id that an earlier run of the program made by counting is not kept */
            item->id = wsk_trimmed(l, a->value);
            item->id_at = a;
            size_t ok =
                item->id ? strspn(item->id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") : 0;
            if (item->id && (ok == 0 || item->id[ok] || ok > 64)) {
                wsk_attr_error(l, node, a, WSK_SAID(WSK_SAY_BAD_ID, wsk_io_quote(q, a->value)));
                item->id = NULL;
            }
        } else if (strcmp(a->name, "title") == 0) {
            item->title = wsk_trimmed(l, a->value);
        } else if (strcmp(a->name, "part") == 0 && layer == WSK_LAYER_RIG && wsk_resolved(l, node)) {
            item->part = wsk_trimmed(l, a->value);
        }
    }
}
