/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The catalogue as users see it: a list, and one part with every value and where it comes from. */
#include <string.h>

#include "sim/io/load.h"

wsk_status wsk_parts_list(const char *parts_dir, const char *family, wsk_part_fn *fn, void *ctx)
{
    wsk_arena *arena = wsk_arena_new();
    if (!arena)
        return WSK_ENOMEM;
    wsk_diags diags;
    wsk_diags_init(&diags, arena);
    wsk_loader l = {.arena = arena, .diags = &diags, .dirs = {parts_dir, NULL}};
    wsk_names ids = {.arena = arena};
    wsk_part_ids(arena, parts_dir, family, &ids);
    for (size_t i = 0; i < ids.count && !l.no_memory; i++) {
        wsk_part_doc *part = wsk_part_open(&l, ids.names[i]);
        const wsk_attr *title = part ? wsk_node_attr(part->root, "title") : NULL;
        if (part && part->found && !part->why) /* a link that leads out is no part */
            fn(ctx, part->id, title ? title->value : NULL);
    }
    wsk_status status = l.no_memory ? WSK_ENOMEM : WSK_OK;
    wsk_arena_free(arena);
    return status;
}

/* Sources are long and shared by many values: each is told once, below, under its number. */
enum { NOTES_MAX = 256 };
typedef struct {
    const char *ref[NOTES_MAX], *spread[NOTES_MAX];
    int count;
} notes;

static int note(notes *n, const char *ref, const char *spread)
{
    for (int i = 0; i < n->count; i++)
        if (strcmp(n->ref[i], ref) == 0 && (n->spread[i] == spread || (n->spread[i] && spread && strcmp(n->spread[i], spread) == 0)))
            return i + 1;
    if (n->count == NOTES_MAX)
        return 0;
    n->ref[n->count] = ref;
    n->spread[n->count++] = spread;
    return n->count;
}

static void put_value(wsk_buf *out, const wsk_elem *e, const wsk_param *p, int indent, notes *n)
{
    const wsk_origin *o = &e->origins[p - e->kind->params];
    bool key = strcmp(p->name, "name") == 0; /* what a thing is called needs no source */
    if (!o->text || (p->flags & WSK_RIG_ONLY) || (key && p->type == WSK_TYPE_CHOICE))
        return;
    bool given = o->from == WSK_FROM_PART;
    const char *source = given ? (o->source ? o->source : "") : p->assumed ? "assumed" : "default";
    const char *ref = given ? o->ref : p->assumed;
    int name = 30 - indent;
    wsk_buf_printf(out, "%*s%-*s %-16s", indent, "", name, p->name, o->text);
    if (!key)
        wsk_buf_printf(out, " %-10s", source);
    if (!key && ref)
        wsk_buf_printf(out, " [%d]", note(n, ref, given ? o->spread : NULL));
    while (out->len && out->data[out->len - 1] == ' ')
        out->len--;
    wsk_buf_printf(out, "\n");
}

static void put_elem(wsk_buf *out, const wsk_elem *e, int indent, notes *n)
{
    for (const wsk_param *p = e->kind->params; p && p->name; p++)
        if (e->origins[p - e->kind->params].from == WSK_FROM_PART)
            put_value(out, e, p, indent, n);
    for (const wsk_param *p = e->kind->params; p && p->name; p++)
        if (e->origins[p - e->kind->params].from == WSK_FROM_DEFAULT)
            put_value(out, e, p, indent, n);
    for (const wsk_elem *c = e->child; c; c = c->next) {
        const wsk_param *name = wsk_kind_param(c->kind, "name");
        const char *called = name && name->type == WSK_TYPE_CHOICE ? c->origins[name - c->kind->params].text : NULL;
        wsk_buf_printf(out, "%*s%s%s%s, kind %s%s%s\n", indent, "", c->kind->element, called ? " " : "",
                       called ? called : "", c->kind->name, c->part ? ", part " : "", c->part ? c->part : "");
        put_elem(out, c, indent + 2, n);
    }
}

static void put_notes(wsk_buf *out, const notes *n)
{
    wsk_buf_printf(out, "Sources\n");
    for (int i = 0; i < n->count; i++)
        wsk_buf_printf(out, "  [%d] %s%s%s\n", i + 1, n->ref[i], n->spread[i] ? "; spread " : "", n->spread[i] ? n->spread[i] : "");
}

wsk_status wsk_part_show(const char *parts_dir, const char *id, wsk_buf *out, wsk_diags *diags)
{
    wsk_loader l = {.arena = diags->arena, .diags = diags, .dirs = {parts_dir, NULL}};
    size_t before = diags->errors;
    wsk_item *item = wsk_merge_part(&l, id);
    wsk_elem *e = item ? wsk_elems_make(&l, item, true) : NULL;
    if (l.no_memory)
        return WSK_ENOMEM;
    wsk_diags_sort(diags);
    if (diags->errors != before || !e)
        return WSK_EINPUT;
    wsk_buf_printf(out, "%s%s%s\n  %s, kind %s: %s\n", id, e->title ? ": " : "", e->title ? e->title : "", e->kind->element,
                   e->kind->name, e->kind->help);
    const wsk_part_doc *part = wsk_part_open(&l, id);
    const wsk_attr *base = part ? wsk_node_attr(part->root, "base") : NULL;
    if (base)
        wsk_buf_printf(out, "  builds on %s\n", base->value);
    notes n = {.count = 0};
    put_elem(out, e, 2, &n);
    put_notes(out, &n);
    return out->failed || l.no_memory ? WSK_ENOMEM : WSK_OK;
}
