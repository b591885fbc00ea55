/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes typed elements from items (merged elements whose values are text): values in SI, defaults from the parameter
 * tables, siblings in canonical order, ids. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/io/load.h"

#define ELEMENTS_NAMED 64

struct wsk_usual {
    const wsk_kind *kind;
    wsk_origin *origins;
    void *params;
    struct wsk_usual *next;
};

static const wsk_usual *usual_of(wsk_loader *l, const wsk_kind *kind)
{
    for (const wsk_usual *u = l->usual; u; u = u->next)
        if (u->kind == kind)
            return u;
    wsk_usual *u = wsk_alloc(l->arena, sizeof *u);
    wsk_origin *origins = wsk_alloc(l->arena, (wsk_kind_params(kind) + 1) * sizeof *origins);
    void *params = wsk_alloc(l->arena, kind->size);
    if (wsk_loader_full(l))
        return NULL;
    for (const wsk_param *p = kind->params; p->name; p++) {
        wsk_origin *o = &origins[p - kind->params];
        void *field = (char *)params + p->offset;
        *o = (wsk_origin){.from = WSK_FROM_DEFAULT,
                          .text = p->def,
                          .assumed = p->assumed != NULL,
                          .source = p->assumed ? "assumed" : NULL,
                          .ref = p->assumed};
        wsk_value_absent(p, field);
        if (p->def)
            wsk_value_read(l, kind, p, o, field);
    }
    *u = (wsk_usual){.kind = kind, .origins = origins, .params = params, .next = l->usual};
    return l->usual = u;
}

/* The assignment that added the element to the rig; NULL: the rig's file, or a part, has it. */
static const char *added_by(const wsk_node *node)
{
    if (!node || !node->freed || !node->attrs)
        return NULL;
    for (const wsk_attr *a = node->attrs; a; a = a->next)
        if (!a->assignment)
            return NULL;
    return node->attrs->assignment;
}

static void tell_missing(wsk_loader *l, const wsk_item *item, wsk_names *missing)
{
    char list[300];
    bool could = !item->part && strcmp(item->kind->element, "rig") != 0, rig_only = true;
    for (size_t i = 0; i < missing->count; i++)
        rig_only = rig_only && (wsk_kind_param(item->kind, missing->names[i])->flags & WSK_RIG_ONLY);
    const wsk_param *p = wsk_kind_param(item->kind, missing->names[0]);
    const wsk_said *part = could && !rig_only ? WSK_SAID(WSK_SAY_OR_PART, item->kind->element) : NULL;
    wsk_io_list(list, sizeof list, missing);
    const wsk_said *lacks = missing->count == 1
                                ? WSK_SAID(WSK_SAY_LACKS_ONE, item->kind->element, list, WSK_WORD(p->help), part)
                                : WSK_SAID(WSK_SAY_LACKS_SEVERAL, item->kind->element, list, part);
    const char *added = added_by(item->node);
    if (added)
        wsk_setting_error(l->diags, added, lacks);
    else
        wsk_io_error(l->diags, item->file, item->line, item->column, lacks);
}

/* Reports the required values that a part lacks: once for each part, at the start of its file. If the catalogue has
 * the part FAMILY/generic, the message names it as a possible base. */
static void tell_part(wsk_loader *l, const wsk_item *item, wsk_names *missing)
{
    char list[300], q[WSK_QUOTED];
    const char *family = item->kind->element, *id = wsk_printf(l->arena, "%s/generic", family);
    wsk_part_doc *part = wsk_part_open(l, item->part), *generic = id ? wsk_part_open(l, id) : NULL;
    if (!part || !part->root || part->told)
        return;
    bool usual = generic && generic->found;
    part->told = true;
    wsk_io_error(l->diags, part->root->file, part->root->line, part->root->column,
                 WSK_SAID(WSK_SAY_PART_LACKS, wsk_io_quote(q, item->part), wsk_io_list(list, sizeof list, missing),
                          family, usual ? WSK_SAID(WSK_SAY_OR_BASE, id) : NULL));
}

static bool was_meant(const wsk_item *item, const char *name)
{
    for (size_t i = 0; i < item->meant.count; i++)
        if (strcmp(item->meant.names[i], name) == 0)
            return true;
    return false;
}

static bool fill_values(wsk_loader *l, wsk_item *item, const wsk_usual *usual, bool part)
{
    wsk_elem *e = item->elem;
    wsk_names missing = {.arena = l->arena}, of_part = {.arena = l->arena};
    for (const wsk_param *p = e->kind->params; p->name; p++) {
        wsk_origin *o = &e->origins[p - e->kind->params];
        if (!o->text) {
            *o = usual->origins[p - e->kind->params];
            if ((p->flags & WSK_REQUIRED) && !p->def && !was_meant(item, p->name)) {
                wsk_names *list =
                    item->part && !(item->node && item->layer == WSK_LAYER_RIG && wsk_resolved(l, item->node)) &&
                            !(p->flags & WSK_RIG_ONLY)
                        ? &of_part
                        : &missing;
                wsk_names_add(list, p->name);
            }
        } else {
            wsk_value_read(l, e->kind, p, o, (char *)e->params + p->offset);
        }
    }
    bool told = !part && !item->broken && !l->incomplete;
    if (missing.count && told)
        tell_missing(l, item, &missing);
    if (of_part.count && told)
        tell_part(l, item, &of_part);
    /* If errors were reported, the element is filled again when wsk_elems_make is called again, after an assignment,
     * so that its errors are reported again. */
    item->filled = l->diags->errors == 0;
    return !wsk_loader_full(l);
}

static bool elem_new(wsk_loader *l, wsk_item *item, bool part)
{
    const wsk_usual *usual = usual_of(l, item->kind);
    wsk_elem *e = wsk_alloc(l->arena, sizeof *e);
    void *params = wsk_alloc(l->arena, item->kind->size);
    if (wsk_loader_full(l))
        return false;
    memcpy(params, usual->params, item->kind->size);
    *e = (wsk_elem){.kind = item->kind,
                    .params = params,
                    .origins = item->values,
                    .id = item->id,
                    .part = item->part,
                    .title = item->title,
                    .written = item->written,
                    .file = item->file,
                    .line = item->line,
                    .column = item->column,
                    .order = item->order};
    ((wsk_params *)params)->elem = e;
    item->elem = e;
    return fill_values(l, item, usual, part);
}

static uint64_t hash_text(uint64_t h, const char *text)
{
    return text ? wsk_hash(h, text, strlen(text) + 1) : wsk_hash(h, "\1", 2);
}

static uint64_t hash_number(uint64_t h, double v)
{
    if (isnan(v))
        return wsk_hash(h, "nan", 4);
    v = v == 0 ? 0 : v;
    return wsk_hash(h, &v, sizeof v);
}

static uint64_t hash_series(uint64_t h, const wsk_series *s)
{
    h = hash_number(hash_number(h, (double)s->count), s->civil);
    if (s->count == 0)
        return h;
    h = wsk_hash(h, s->t, s->count * sizeof *s->t);
    return wsk_hash(h, s->y, s->count * sizeof *s->y);
}

static uint64_t hash_values(uint64_t h, const wsk_elem *e)
{
    h = hash_text(hash_text(h, e->kind->element), e->kind->name);
    h = hash_text(h, e->part);
    for (const wsk_param *p = e->kind->params; p->name; p++) {
        const void *field = (const char *)e->params + p->offset;
        const wsk_curve *c = field;
        const wsk_series *s = field;
        h = hash_text(h, p->name);
        if (p->type == WSK_TYPE_TEXT)
            h = hash_text(h, *(const char *const *)field);
        else if (p->type == WSK_TYPE_CHOICE)
            h = hash_number(h, *(const int *)field);
        else if (p->type == WSK_TYPE_CURVE)
            for (int i = 0; i < c->count; i++)
                h = hash_number(hash_number(h, c->x[i]), c->y[i]);
        else if (p->type == WSK_TYPE_SERIES) /* the content of a data file counts, not its name */
            h = hash_series(h, s);
        else if (p->type == WSK_TYPE_LOG)
            h = wsk_hash(h, &((const wsk_recording *)field)->hash, sizeof(uint64_t));
        else
            h = hash_text(hash_number(h, *(const double *)field), e->origins[p - e->kind->params].currency);
    }
    return h;
}

static int order_of(double a, double b)
{
    if (isnan(a) || isnan(b))
        return (int)isnan(b) - (int)isnan(a);
    return (a > b) - (a < b);
}

static int by_value(const wsk_param *p, const void *a, const void *b)
{
    if (p->type == WSK_TYPE_CHOICE)
        return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
    if (p->type == WSK_TYPE_CURVE || p->type == WSK_TYPE_SERIES || p->type == WSK_TYPE_LOG)
        return 0; /* counts as equal; canonical() then compares the hash */
    if (p->type != WSK_TYPE_TEXT)
        return order_of(*(const double *)a, *(const double *)b);
    const char *s = *(const char *const *)a, *t = *(const char *const *)b;
    return s && t ? strcmp(s, t) : (s != NULL) - (t != NULL);
}

static double slot_of(const wsk_elem *e)
{
    const wsk_param *p = wsk_kind_param(e->kind, "slot");
    return p && p->type == WSK_TYPE_NUMBER ? *(const double *)(const void *)((const char *)e->params + p->offset)
                                           : NAN;
}

/* Orders elements by the ids that the file gives them: shorter ids come first, so that fan9 precedes fan10, and ids of
 * one length are in byte order. Elements without an id come last. */
static int by_given_id(const wsk_elem *a, const wsk_elem *b)
{
    if (!a->id || !b->id)
        return (a->id == NULL) - (b->id == NULL);
    size_t n = strlen(a->id), m = strlen(b->id);
    return n != m ? (n < m ? -1 : 1) : strcmp(a->id, b->id);
}

/* Canonical order of siblings: element, slot, kind, values in table order, hash of the whole content, id given by the
 * file; the order in the file only decides between elements that are equal in all of these. Chassis are ordered by id;
 * those without id keep the order of the file, because cards are numbered through all chassis. */
static int canonical(const void *x, const void *y)
{
    const wsk_item *i = *(wsk_item *const *)x, *j = *(wsk_item *const *)y;
    const wsk_elem *a = i->elem, *b = j->elem;
    int c = strcmp(a->kind->element, b->kind->element);
    if (c == 0 && strcmp(a->kind->element, "chassis") == 0)
        return (c = by_given_id(a, b)) ? c : i->order - j->order;
    if (c == 0)
        c = order_of(slot_of(a), slot_of(b));
    if (c == 0)
        c = strcmp(a->kind->name, b->kind->name);
    for (const wsk_param *p = a->kind->params; c == 0 && p->name; p++)
        c = by_value(p, (const char *)a->params + p->offset, (const char *)b->params + p->offset);
    if (c == 0)
        c = (i->hash > j->hash) - (i->hash < j->hash);
    if (c == 0)
        c = by_given_id(a, b);
    return c ? c : i->order - j->order;
}

static bool make_elem(wsk_loader *l, wsk_item *item, bool part)
{
    if (!item->filled && !elem_new(l, item, part))
        return false;
    item->elem->id = item->id; /* drops an id that an earlier call made by counting (gpu0); name_all makes it again */
    size_t n = 0, k = 0;
    for (wsk_item *c = item->child; c; c = c->next, n++)
        if (!make_elem(l, c, part))
            return false;
    const wsk_child *row;
    item->hash = hash_values(UINT64_C(14695981039346656037), item->elem);
    wsk_item **list = wsk_alloc(l->arena, (n + 1) * sizeof *list);
    if (!list)
        return false;
    for (wsk_item *c = item->child; c; c = c->next)
        if (!c->broken || !(row = wsk_kind_child(item->kind, c->kind->element)) || row->most == 1)
            /* leaves out broken elements (unknown part or kind) where several are allowed: their values are unknown */
            list[k++] = c;
    n = k;
    qsort(list, n, sizeof *list, canonical);
    wsk_elem **link = &item->elem->child;
    for (k = 0; k < n; k++) {
        wsk_elem *e = list[k]->elem;
        item->hash = wsk_hash(item->hash, &list[k]->hash, sizeof list[k]->hash);
        e->parent = item->elem;
        *link = e;
        link = &e->next;
    }
    *link = NULL;
    return true;
}

/* Appends the path of an item, "/rig0/chassis0/gpu1". The path consists of indices, because other assignments may
 * change ids. */
static void put_place(wsk_buf *o, const wsk_item *item)
{
    if (item->parent)
        put_place(o, item->parent);
    wsk_buf_printf(o, "/%s%d", item->kind->element, item->order);
}

const char *wsk_elems_tell(wsk_loader *l, wsk_item *const *items, size_t count, const char *attr)
{
    wsk_buf lines = {0};
    for (size_t i = 0; i < count; i++) {
        const wsk_param *p = wsk_kind_param(items[i]->kind, attr);
        const wsk_elem *e = items[i]->elem;
        wsk_buf_printf(&lines, "%s.%s %s ", e && e->id ? e->id : items[i]->kind->element, attr,
                       p && p->type == WSK_TYPE_NUMBER ? "number" : "text");
        put_place(&lines, items[i]);
        wsk_buf_printf(&lines, ".%s\n", attr);
    }
    wsk_buf_put(&lines, "", 1);
    const char *text = lines.failed ? NULL : wsk_strdup(l->arena, lines.data);
    if (lines.failed)
        wsk_arena_fail(l->arena);
    wsk_buf_free(&lines);
    return text;
}

typedef struct {
    wsk_loader *l;
    wsk_item **given;
    size_t count, room;
    struct {
        const char *element;
        int next;
    } named[ELEMENTS_NAMED];
} ids;

static void collect_ids(ids *s, wsk_item *item)
{
    if (item->id && s->count < s->room)
        s->given[s->count++] = item;
    for (wsk_item *c = item->child; c; c = c->next)
        collect_ids(s, c);
}

static int by_id(const void *x, const void *y)
{
    const wsk_item *a = *(wsk_item *const *)x, *b = *(wsk_item *const *)y;
    int c = strcmp(a->id, b->id);
    if (c == 0 && a->id_at && b->id_at) {
        c = a->id_at->line - b->id_at->line;
        c = c ? c : a->id_at->column - b->id_at->column;
    }
    return c;
}

static int against_id(const void *key, const void *y)
{
    return strcmp(key, (*(wsk_item *const *)y)->id);
}

static void tell_twice(ids *s)
{
    for (size_t i = 1; i < s->count; i++) {
        const wsk_item *a = s->given[i - 1], *b = s->given[i];
        if (strcmp(a->id, b->id) == 0 && b->id_at && a->id_at)
            wsk_io_error(s->l->diags, b->id_at->line ? b->file : NULL, b->id_at->line, b->id_at->column,
                         a->id_at->line ? WSK_SAID(WSK_SAY_ID_TWICE, b->id, a->kind->element, a->id_at->line)
                                        : WSK_SAID(WSK_SAY_ID_SET_TWICE, b->id, a->kind->element));
    }
}

static bool name_all(ids *s, wsk_elem *e)
{
    size_t k = 0;
    while (k < ELEMENTS_NAMED - 1 && s->named[k].element && strcmp(s->named[k].element, e->kind->element) != 0)
        k++;
    s->named[k].element = e->kind->element;
    while (!e->id) {
        char *id = wsk_printf(s->l->arena, "%s%d", e->kind->element, s->named[k].next++);
        if (!id)
            return false;
        if (!s->count || !bsearch(id, s->given, s->count, sizeof *s->given, against_id))
            e->id = id;
    }
    for (wsk_elem *c = e->child; c; c = c->next)
        if (!name_all(s, c))
            return false;
    return true;
}

wsk_elem *wsk_elems_make(wsk_loader *l, wsk_item *item, bool part)
{
    for (wsk_part_doc *p = l->parts; p; p = p->next)
        p->told = false;
    if (!make_elem(l, item, part))
        return NULL;
    ids s = {.l = l, .room = l->items + 1};
    s.given = wsk_alloc(l->arena, s.room * sizeof *s.given);
    if (s.given) {
        collect_ids(&s, item);
        qsort(s.given, s.count, sizeof *s.given, by_id);
        tell_twice(&s);
    }
    if (!s.given || !name_all(&s, item->elem)) {
        wsk_arena_fail(l->arena);
        return NULL;
    }
    return item->elem;
}

static uint64_t hash_tree(uint64_t h, const wsk_elem *e)
{
    h = hash_text(hash_values(h, e), e->id);
    for (const wsk_elem *c = e->child; c; c = c->next)
        h = hash_tree(h, c);
    return wsk_hash(h, "/", 1);
}

uint64_t wsk_elems_digest(const wsk_elem *rig)
{
    return hash_tree(UINT64_C(14695981039346656037), rig);
}
