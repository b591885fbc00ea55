/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Applies assignments PATH=VALUE (--set). A new part, kind or id changes the structure: the assignment is written
 * into the XML nodes of the rig, from which the tree of items (merged elements) is made again. Other values are set
 * in that tree. assign_path.c explains paths. */
#include <string.h>

#include "sim/io/assign.h"
#include "sim/io/merge.h"

static wsk_attr *attr_new(wsk_loader *l, wsk_node *node, const char *name)
{
    wsk_attr *a = (wsk_attr *)wsk_node_attr(node, name);
    if (a)
        return a;
    a = wsk_alloc(l->arena, sizeof *a);
    if (!a)
        return NULL;
    a->name = name;
    if (node->last_attr)
        node->last_attr->next = a;
    else
        node->attrs = a;
    node->last_attr = a;
    return a;
}

static wsk_node *new_node(wsk_loader *l, wsk_node *parent)
{
    wsk_node *node = wsk_alloc(l->arena, sizeof *node);
    if (!node)
        return NULL;
    *node = (wsk_node){.file = parent->file, .line = parent->line, .column = parent->column, .parent = parent};
    if (parent->last)
        parent->last->next = node;
    else
        parent->child = node;
    parent->last = node;
    return node;
}

/* The XML node of an item in the rig file. If the item comes from a part, or is implied by its parent's kind, a node
 * is added for it. NULL: out of memory, or a new node would add one more element instead of overriding the item. */
static wsk_node *own_node(wsk_loader *l, wsk_item *item)
{
    if (item->node && item->written)
        return item->node;
    const wsk_child *row = item->parent ? wsk_kind_child(item->parent->kind, item->kind->element) : NULL;
    wsk_node *parent = row && (row->most == 1 || row->implied) ? own_node(l, item->parent) : NULL;
    /* A resolved rig (rig.resolved.xml of an earlier run) has a node for each element; the attribute written= marks
     * this node as one that the rig itself gives. */
    if (parent && item->node && item->layer == WSK_LAYER_RIG) {
        wsk_attr *written = attr_new(l, item->node, "written");
        if (written)
            written->value = "";
        return written ? item->node : NULL;
    }
    wsk_node *node = parent ? new_node(l, parent) : NULL;
    if (node)
        node->name = item->kind->element;
    return node;
}

/* Removes the attributes that describe an element, because a part replaces it. Its id, choices, counts and values
 * that only a rig can state remain. */
static void drop_description(wsk_node *node, const wsk_kind *kind)
{
    wsk_attr **link = &node->attrs;
    node->last_attr = NULL;
    while (*link) {
        const wsk_param *p = wsk_kind_param(kind, (*link)->name);
        bool keep = strcmp((*link)->name, "id") == 0 ||
                    (p && ((p->flags & WSK_RIG_ONLY) || p->type == WSK_TYPE_CHOICE || p->dim == WSK_DIM_COUNT));
        if (keep) {
            node->last_attr = *link;
            link = &(*link)->next;
        } else {
            *link = (*link)->next;
        }
    }
}

/* Finds the element of the rig file whose part must be read again when the kind of `item` changes: `item` itself. If
 * `item` overrides an element of its parent's part, it is the parent or, for the same reason, an element further
 * out. */
static wsk_item *lowest_layer(wsk_item *item)
{
    const wsk_child *row = item->parent ? wsk_kind_child(item->parent->kind, item->kind->element) : NULL;
    bool over = row && (row->most == 1 || (row->implied && row->most == 0)) && item->parent->node &&
                item->parent->layer == WSK_LAYER_RIG;
    return over ? lowest_layer(item->parent) : item;
}

static bool remove_nodes(wsk_loader *l, const wsk_assignment *a, const wsk_item_set *targets)
{
    for (size_t i = 0; i < targets->count; i++) {
        wsk_node *node = targets->items[i]->node, *parent = node ? node->parent : NULL;
        if (!parent || !targets->items[i]->written || targets->items[i]->layer != WSK_LAYER_RIG) {
            wsk_assign_error(l, a, WSK_SAID(WSK_SAY_SET_PART_ELEMENT));
            return false;
        }
        wsk_node *before = NULL;
        for (wsk_node *n = parent->child; n != node; n = n->next)
            before = n;
        *(before ? &before->next : &parent->child) = node->next;
        parent->last = parent->last == node ? before : parent->last;
    }
    return true;
}

/* Sets the attributes of a new element from the words of the assignment's value: each is ATTRIBUTE=VALUE, and one
 * word without '=' may name the element's part. False: an error was reported, or memory ran out. */
static bool describe_node(wsk_loader *l, const wsk_assignment *a, wsk_node *node)
{
    for (char *word = wsk_strdup(l->arena, a->value), *next; word && *word; word = next) {
        next = word + strcspn(word, " ");
        next += *next ? (*next = '\0', 1 + strspn(next + 1, " ")) : 0;
        char *equals = strchr(word, '=');
        if (!equals && wsk_node_attr(node, "part")) {
            wsk_assign_error(l, a, WSK_SAID(WSK_SAY_SET_ADD_FORM, a->at[a->count - 1].name));
            return false;
        }
        if (equals)
            *equals = '\0';
        wsk_attr *attr = attr_new(l, node, equals ? word : "part");
        if (!attr)
            return false;
        attr->value = equals ? equals + 1 : word;
        attr->assignment = a->text;
    }
    return !wsk_loader_full(l);
}

static bool add_nodes(wsk_loader *l, const wsk_assignment *a, const wsk_item_set *targets)
{
    for (size_t i = 0; i < targets->count; i++) {
        wsk_node *parent = own_node(l, targets->items[i]), *node = parent ? new_node(l, parent) : NULL;
        if (!node && !wsk_loader_full(l))
            wsk_assign_error(l, a, WSK_SAID(WSK_SAY_SET_PART_ELEMENT));
        if (!node)
            return false;
        node->name = a->at[a->count - 1].name;
        node->freed = true; /* the part is read, even in a resolved rig */
        if (!describe_node(l, a, node))
            return false;
    }
    return true;
}

static bool is_part_name(const wsk_item *item, const char *attr)
{
    const wsk_param *p = item && attr ? wsk_kind_param(item->kind, attr) : NULL;
    return p && p->flags & WSK_NAMES_PART;
}

static void drop_children(wsk_node *node, const char *name)
{
    node->last = NULL;
    for (wsk_node **link = &node->child; *link;)
        if (strcmp((*link)->name, name) == 0) {
            *link = (*link)->next;
        } else {
            node->last = *link;
            link = &(*link)->next;
        }
}

static bool restructure(wsk_loader *l, const wsk_assignment *a, wsk_item_set *targets, const char *attr)
{
    for (size_t i = 0; i < targets->count; i++) {
        wsk_item *item = targets->items[i];
        const char *set = attr;
        /* an attribute of the parent names the item's part */
        if (!set && is_part_name(item->parent, item->kind->element)) {
            set = item->kind->element;
            item = item->parent;
        }
        wsk_node *node = own_node(l, item);
        if (!node && !wsk_loader_full(l))
            wsk_assign_error(l, a, WSK_SAID(WSK_SAY_SET_PART_ELEMENT));
        if (!node)
            return false;
        bool kind = set && strcmp(set, "kind") == 0;
        if (set && is_part_name(item, set))
            drop_children(node, set);
        if (kind && strcmp(a->value, item->kind->name) != 0)
            wsk_resolved_free(l, lowest_layer(item)->node);
        if (kind ? strcmp(a->value, item->kind->name) != 0 : !set || strcmp(set, "part") == 0)
            wsk_resolved_free(l, node);
        if (!set && !wsk_node_attr(node, "part"))
            drop_description(node, item->kind);
        wsk_attr *w = attr_new(l, node, set ? set : "part");
        if (!w)
            return false;
        w->value = a->value;
        w->line = w->column = 0;
        w->assignment = a->text;
    }
    return true;
}

static void set_values(const wsk_assignment *a, const wsk_item_set *targets, const char *attr)
{
    for (size_t i = 0; i < targets->count; i++) {
        wsk_item *item = targets->items[i];
        const wsk_param *p = wsk_kind_param(item->kind, attr);
        wsk_merge_drop_date(item, p);
        item->values[p - item->kind->params] = (wsk_origin){.from = WSK_FROM_SET, .text = a->value, .ref = a->text};
        item->filled = false;
    }
}

static bool is_structure(const wsk_item_set *targets, const char *attr)
{
    return !attr || (targets->count && is_part_name(targets->items[0], attr)) || strcmp(attr, "part") == 0 ||
           strcmp(attr, "kind") == 0 || strcmp(attr, "id") == 0;
}

/* Merges rig and parts into the tree of items, and gives the items ids. Errors of the structure go to `diags` (NULL:
 * ignored). Errors of values are ignored, because assignments may still replace the values. *clean: no error was
 * ignored. */
static wsk_item *lay_out(wsk_loader *l, wsk_node *root, wsk_diags *diags, bool *clean)
{
    wsk_diags *real = l->diags, scratch;
    wsk_diags_init(&scratch, l->arena);
    l->diags = diags ? diags : &scratch;
    wsk_item *rig = wsk_merge_rig(l, root);
    l->diags = &scratch;
    if (rig && !wsk_elems_make(l, rig, false))
        rig = NULL;
    l->diags = real;
    *clean = scratch.count == 0;
    return rig;
}

static bool change(wsk_loader *l, const wsk_assignment *a, wsk_item_set *targets, const char *attr)
{
    if (a->add)
        return add_nodes(l, a, targets);
    return wsk_assign_removes(a, attr) ? remove_nodes(l, a, targets) : restructure(l, a, targets, attr);
}

static bool is_within(const wsk_item *item, const wsk_item_set *removed)
{
    for (; item; item = item->parent)
        for (size_t i = 0; i < removed->count; i++)
            if (removed->items[i] == item)
                return true;
    return false;
}

/* Marks as done those of the first n assignments that give values only to the elements in `removed`. A later
 * assignment is about to remove these elements; the paths would then name no element, or another one. */
static void skip_removed(wsk_loader *l, wsk_item *rig, const char *const *sets, size_t n, const wsk_item_set *removed,
                         bool *done)
{
    wsk_diags *real = l->diags, scratch;
    wsk_diags_init(&scratch, l->arena);
    l->diags = &scratch;
    for (size_t i = 0; i < n; i++) {
        wsk_assignment a;
        wsk_item_set targets = {0};
        const char *attr = NULL;
        bool within = !done[i] && wsk_assign_parse(l, wsk_strdup(l->arena, sets[i]), &a) && !a.add &&
                      wsk_assign_find(l, rig, &a, &targets, &attr) && !is_structure(&targets, attr);
        for (size_t k = 0; within && k < targets.count; k++)
            within = is_within(targets.items[k], removed);
        if (within) {
            l->assigned[i] = wsk_elems_tell(l, targets.items, targets.count, attr);
            done[i] = true;
        }
    }
    l->diags = real;
}

/* Applies the assignments of one sort: those that change the structure (part, kind, id, elements added or removed),
 * or those of other values. After each change of the structure the tree is merged again. done[i]: assignment i has
 * changed the structure, or its elements were removed. */
static wsk_item *pass(wsk_loader *l, wsk_node *root, const char *const *sets, size_t count, bool structure,
                      wsk_item *rig, bool *done, bool *clean)
{
    wsk_diags *real = l->diags, scratch;
    wsk_diags_init(&scratch, l->arena);
    for (size_t i = 0; i < count && rig && !wsk_loader_full(l); i++) {
        wsk_assignment a;
        wsk_item_set targets = {0};
        const char *attr = NULL;
        if (done[i])
            continue;
        /* While the structure changes, errors are ignored: a later assignment may add the element that is still
         * missing. */
        l->diags = structure ? &scratch : real;
        bool found =
            wsk_assign_parse(l, wsk_strdup(l->arena, sets[i]), &a) &&
            (a.add ? wsk_assign_holders(l, rig, &a, &targets) : wsk_assign_find(l, rig, &a, &targets, &attr));
        l->diags = real;
        if (!found || (a.add || is_structure(&targets, attr)) != structure)
            continue;
        l->assigned[i] = a.add ? "" : wsk_elems_tell(l, targets.items, targets.count, attr ? attr : "part");
        done[i] = structure;
        if (structure && wsk_assign_removes(&a, attr))
            skip_removed(l, rig, sets, i, &targets, done);
        if (!structure)
            set_values(&a, &targets, attr);
        else if (change(l, &a, &targets, attr))
            rig = lay_out(l, root, NULL, clean);
    }
    return rig;
}

wsk_item *wsk_assign(wsk_loader *l, wsk_node *root, const char *const *sets, size_t count)
{
    if (count == 0)
        return wsk_merge_rig(l, root);
    bool clean, *done = wsk_alloc(l->arena, count * sizeof *done);
    wsk_item *rig = lay_out(l, root, NULL, &clean);
    l->assigned = wsk_alloc(l->arena, count * sizeof *l->assigned);
    if (rig && done && l->assigned)
        rig = pass(l, root, sets, count, true, rig, done, &clean);
    if (wsk_loader_full(l))
        return NULL;
    if (!rig || !clean)
        rig = lay_out(l, root, l->diags, &clean);
    return rig ? pass(l, root, sets, count, false, rig, done, &clean) : NULL;
}
