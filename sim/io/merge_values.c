/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes the attributes of a node over those of its part: each value keeps where it is from; what no table knows is told. */
#include <string.h>

#include "sim/io/merge.h"

const char *wsk_trimmed(wsk_loader *l, const char *text)
{
    static const char space[] = " \t\r\n";
    size_t first = strspn(text, space), len = strlen(text);
    while (len > first && strchr(space, text[len - 1]))
        len--;
    if (!text[len])
        return text + first;
    char *out = wsk_printf(l->arena, "%.*s", (int)(len - first), text + first);
    l->no_memory = l->no_memory || !out;
    return out;
}

/* The first kind of the element that has this attribute; NULL: none. */
static const wsk_kind *knows(const char *element, const char *attr)
{
    for (const wsk_kind *const *k = wsk_kinds; *k; k++)
        if (strcmp((*k)->element, element) == 0 && wsk_kind_param(*k, attr))
            return *k;
    return NULL;
}

static void unknown_attr(wsk_loader *l, wsk_item *item, const wsk_node *node, const wsk_attr *a, wsk_layer layer)
{
    const wsk_attr *kind = wsk_node_attr(node, "kind");
    bool switched = kind && kind->assignment; /* --set kind: what only the old kind knew goes with it */
    const wsk_kind *other = knows(item->kind->element, a->name);
    if ((item->broken || switched) && other)
        return;
    char q[WSK_QUOTED], list[160], hint[WSK_QUOTED];
    wsk_names names = {.arena = l->arena}, all = {.arena = l->arena};
    item->meant.arena = l->arena;
    wsk_names_params(&names, item->kind);
    wsk_names_params(&all, item->kind);
    wsk_names_add(&all, "part");
    wsk_names_add(&all, "kind");
    wsk_names_add(&all, "id");
    if (layer == WSK_LAYER_PART && !node->parent) {
        wsk_names_add(&all, "title");
        wsk_names_add(&all, "base");
    }
    if (other)
        wsk_meant_kind(l, item, other, a->name, hint);
    else if (strcmp(a->name, "count") == 0)
        snprintf(hint, sizeof hint, "; write one <%.40s> for each", item->kind->element);
    else {
        const char *near = wsk_meant_attr(item->kind->element, a->name, &all);
        if (near)
            wsk_names_add(&item->meant, near);
        if (near && (strcmp(near, "part") == 0 || strcmp(near, "kind") == 0))
            item->broken = true; /* and lacks what that gives */
        snprintf(hint, sizeof hint, "%s%.70s%s", near ? "; did you mean \"" : "", near ? near : "", near ? "\"" : "");
    }
    wsk_io_list(list, sizeof list, &names);
    bool guess = *hint && !other, more = guess || strstr(list, ", ...");
    wsk_io_error(l->diags, node->file, a->name_line, a->name_column,
                 "unknown attribute %s of <%s>%s%s; expected %s%s%s%s%s%s", wsk_io_quote(q, a->name),
                 item->kind->element, other ? " of kind " : "", other ? item->kind->name : "",
                 guess ? "one that " : list, more && !guess ? " (" : "", more ? "'wattsink kinds " : "",
                 more ? item->kind->element : "",
                 guess  ? "' lists"
                 : more ? "' has all)"
                        : "",
                 hint);
}

/* Attributes that belong to the file's structure and not to a table. */
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
        wsk_io_error(l->diags, node->file, a->name_line, a->name_column,
                     "attribute %s in a part; expected in a rig only", a->name);
    else if (layer == WSK_LAYER_PART && !sourced && strcmp(p->name, "name") != 0)
        wsk_io_error(l->diags, node->file, a->name_line, a->name_column,
                     "%s has no source; expected a <source for=\"%s\" kind=\"" WSK_SOURCE_KINDS "\" "
                     "ref=\"where it is from\"/> "
                     "in this part, or one for=\"*\"",
                     a->name, a->name);
    o.assumed = o.assumed && (p->type == WSK_TYPE_NUMBER || p->type == WSK_TYPE_CURVE); /* names are no values */
    if (a->assignment)
        o.ref = a->assignment;
    item->values[p - item->kind->params] = o;
}

void wsk_merge_values(wsk_loader *l, wsk_item *item, wsk_node *node, wsk_layer layer)
{
    char q[WSK_QUOTED];
    for (wsk_attr *a = node->attrs; a; a = a->next) {
        if (!structural(l, node, a, layer)) {
            take_value(l, item, node, a, layer);
        } else if (strcmp(a->name, "id") == 0) {
            bool own = a->assignment || (item->written && strstr(item->written, "id"));
            if (layer == WSK_LAYER_RIG && l->resolved && !own)
                continue; /* a number, which is counted again */
            item->id = wsk_trimmed(l, a->value);
            item->id_at = a;
            size_t ok =
                item->id ? strspn(item->id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") : 0;
            if (item->id && (ok == 0 || item->id[ok] || ok > 64)) {
                wsk_attr_error(l, node, a, "%s cannot be an id; expected up to 64 letters, digits, - and _",
                               wsk_io_quote(q, a->value));
                item->id = NULL;
            }
        } else if (strcmp(a->name, "title") == 0) {
            item->title = wsk_trimmed(l, a->value);
        } else if (strcmp(a->name, "part") == 0 && layer == WSK_LAYER_RIG && wsk_resolved(l, node)) {
            item->part = wsk_trimmed(l, a->value);
        }
    }
}
