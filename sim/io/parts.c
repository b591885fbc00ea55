/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/io/load.h"
#include "sim/net/gpu.h"

static wsk_status list(wsk_arena *arena, const char *dir, const char *family, wsk_files *held, wsk_part_fn *fn,
                       void *ctx, wsk_buf *why)
{
    wsk_diags diags;
    wsk_diags_init(&diags, arena);
    wsk_files own;
    wsk_files_init(&own, arena);
    wsk_loader l = {.arena = arena, .diags = &diags, .dirs = {dir, NULL}, .files = held ? held : &own};
    wsk_names ids = {.arena = arena};
    const wsk_said *unread = wsk_part_ids(arena, dir, family, held != NULL, &ids), *file;
    for (size_t i = 0; i < ids.count && !wsk_loader_full(&l); i++) {
        wsk_part_doc *part = wsk_part_open(&l, ids.names[i]);
        const wsk_attr *title = part ? wsk_node_attr(part->root, "title") : NULL;
        /* without `held`, refused files, such as links that leave the folder, are not listed */
        if (part && (held || (part->found && !part->why)))
            fn(ctx, part->id, title ? title->value : NULL);
    }
    file = wsk_files_unread(l.files);
    unread = unread ? unread : file;
    if (unread && why)
        wsk_buf_printf(why, "%s", wsk_said_english(arena, unread));
    return wsk_loader_full(&l) ? WSK_ENOMEM : unread ? WSK_ERUN : WSK_OK;
}

wsk_status wsk_parts_list(const char *parts_dir, const char *family, wsk_files *held, wsk_part_fn *fn, void *ctx,
                          wsk_buf *why)
{
    wsk_arena *arena = wsk_arena_new();
    const wsk_status status = arena ? list(arena, parts_dir, family, held, fn, ctx, why) : WSK_ENOMEM;
    wsk_arena_free(arena);
    return status;
}

/* Sources, which are long and shared by many values, are numbered notes printed once at the end. */
enum { NOTES_MAX = 256 };
typedef struct {
    const char *ref[NOTES_MAX], *spread[NOTES_MAX];
    bool ours[NOTES_MAX]; /* the reference is a sentence of the program (translated), not a text of the part's file */
    int count;
} notes;

static int number_note(notes *n, const char *ref, bool ours, const char *spread)
{
    for (int i = 0; i < n->count; i++)
        if (strcmp(n->ref[i], ref) == 0 &&
            (n->spread[i] == spread || (n->spread[i] && spread && strcmp(n->spread[i], spread) == 0)))
            return i + 1;
    if (n->count == NOTES_MAX)
        return 0;
    n->ref[n->count] = ref;
    n->ours[n->count] = ours;
    n->spread[n->count++] = spread;
    return n->count;
}

/* The rule of a default that depends on other values, cut from the parameter's help: "board power doing nothing;
 * default 0.08 tdp" gives "0.08 tdp". NULL: none. */
static const char *rule_of(const wsk_param *p)
{
    const char *at = p->help ? strstr(p->help, "; default") : NULL;
    return at ? at + strlen("; default") + strspn(at + strlen("; default"), ": ") : NULL;
}

static bool by_rule(const wsk_elem *e, const wsk_param *p, const char *rule, char *out, size_t size)
{
    double share = 1;
    const char *rest = rule;
    if (wsk_parse_number(rule, &rest, &share)) {
        rest += strspn(rest, " ");
        if (strncmp(rest, "% of ", 5) == 0) {
            share /= 100;
            rest += 5;
        }
    }
    const wsk_param *of = wsk_kind_param(e->kind, rest);
    if (!of || of->type != WSK_TYPE_NUMBER || of->dim != p->dim)
        return false;
    double base = *(const double *)((const char *)e->params + of->offset);
    if (isnan(base))
        return false;
    wsk_format_quantity(out, size, share * base, p->dim, NULL);
    return true;
}

/* Widths of a line of the list and of its columns, characters. VALUE_WIDTH must equal the column width in the format of
 * the message PARTS_VALUE_SOURCE (codes.def); a longer value is printed by PARTS_VALUE_LONG, without padding. */
enum { NAME_WIDTH = 30, VALUE_WIDTH = 16, LINE_WIDTH = 100 };

typedef struct {
    wsk_lines *out;
    notes notes;
} page;

static const wsk_said *say_source(const page *to, const char *source, int number, const char *rule)
{
    wsk_arena *arena = to->out->arena;
    wsk_arg kind = wsk_arg_word(source);
    if (number && rule)
        return WSK_SAY(arena, WSK_SAY_PARTS_SOURCE_NOTE_RULE, kind, (double)number, wsk_arg_word(rule));
    if (number)
        return WSK_SAY(arena, WSK_SAY_PARTS_SOURCE_NOTE, kind, (double)number);
    return rule ? WSK_SAY(arena, WSK_SAY_PARTS_SOURCE_RULE, kind, wsk_arg_word(rule))
                : WSK_SAY(arena, WSK_SAY_PLAIN, kind);
}

static void tell_value(page *to, int indent, const char *name, wsk_arg value, const wsk_said *source)
{
    wsk_arena *arena = to->out->arena;
    const char *text = value.text;
    const char *begin = wsk_printf(arena, "%-*s", NAME_WIDTH - indent, name);
    const size_t room = LINE_WIDTH - NAME_WIDTH - 1;
    while (begin && text && strlen(text) > room) {
        size_t cut = room;
        while (cut > 0 && !(text[cut - 1] == ',' && text[cut] == ' '))
            cut--;
        if (cut == 0)
            break;
        wsk_lines_add(to->out, indent, WSK_SAID(WSK_SAY_PLAIN, wsk_printf(arena, "%s %.*s", begin, (int)cut, text)));
        begin = wsk_printf(arena, "%*s", NAME_WIDTH - indent, "");
        text += cut + 1;
    }
    value.text = text;
    const wsk_said *line = !source ? WSK_SAID(WSK_SAY_PLAIN, wsk_printf(arena, "%s %s", begin, text ? text : ""))
                           : text && strlen(text) > VALUE_WIDTH
                               ? WSK_SAID(WSK_SAY_PARTS_VALUE_LONG, begin, value, source)
                               : WSK_SAID(WSK_SAY_PARTS_VALUE_SOURCE, begin, value, source);
    wsk_lines_add(to->out, indent, line);
}

/* True for values that are not listed, because a part cannot have them or the heading shows them. */
static bool hidden(const wsk_param *p)
{
    return p->flags & WSK_RIG_ONLY || (p->type == WSK_TYPE_CHOICE && strcmp(p->name, "name") == 0);
}

static void tell_given(page *to, const wsk_elem *e, const wsk_param *p, int indent)
{
    const wsk_origin *o = &e->origins[p - e->kind->params];
    if (o->from != WSK_FROM_PART || !o->text || hidden(p))
        return;
    const wsk_said *source = NULL;
    if (strcmp(p->name, "name") != 0 && (o->source || o->ref))
        source = say_source(to, o->source ? o->source : "",
                            o->ref ? number_note(&to->notes, o->ref, false, o->spread) : 0, NULL);
    tell_value(to, indent, p->name, wsk_arg_text(o->text), source);
}

/* True if the part leaves the value to the default of its kind. *rule: how this default is computed; NULL: it is
 * fixed. */
static bool left_open(const wsk_elem *e, const wsk_param *p, const char **rule)
{
    const wsk_origin *o = &e->origins[p - e->kind->params];
    bool fixed = o->from == WSK_FROM_DEFAULT && o->text;
    *rule = fixed || o->from == WSK_FROM_PART ? NULL : rule_of(p);
    return !hidden(p) && (fixed || *rule);
}

static void tell_default(page *to, const wsk_elem *e, const wsk_param *p, int indent)
{
    const char *rule;
    char value[96];
    if (!left_open(e, p, &rule))
        return;
    bool number = rule && by_rule(e, p, rule, value, sizeof value);
    const wsk_said *source =
        say_source(to, p->assumed ? WSK_N("assumed") : WSK_N("default"),
                   p->assumed ? number_note(&to->notes, p->assumed, true, NULL) : 0, number ? rule : NULL);
    tell_value(to, indent, p->name,
               number ? wsk_arg_text(value)
               : rule ? wsk_arg_word(rule)
                      : wsk_arg_text(e->origins[p - e->kind->params].text),
               source);
}

static void tell_classes(page *to, const wsk_elem *e, int indent)
{
    static const char classes[] =
        WSK_N("class values: measured cards in shares of tdp; docs/theory/gpu.md has them and their spread");
    for (int cls = 0; cls < WSK_CLASS_IDLE; cls++) {
        bool stated = false;
        for (const wsk_elem *c = NULL; (c = wsk_elem_child(e, "class", c)) != NULL;)
            stated = stated || ((const wsk_class_params *)c->params)->name == cls;
        if (stated)
            continue;
        wsk_gpu_class is;
        ((const wsk_gpu_ops *)e->kind->ops)->classify(e->params, (wsk_class)cls, NULL, &is);
        const long c = lround(is.c_w_hz * 1e10);
        char text[3][32];
        snprintf(text[0], sizeof text[0], "%ld W", lround(is.p0_w));
        snprintf(text[1], sizeof text[1], "%ld.%ld W/GHz", c / 10, c % 10);
        snprintf(text[2], sizeof text[2], "%ld %%", lround(is.clock_share * 100));
        static const char *const names[] = {"p0", "c", "clock-share"};
        wsk_lines_add(to->out, indent, WSK_SAID(WSK_SAY_PARTS_CLASS_OPEN, wsk_class_names[cls]));
        for (int i = 0; i < 3; i++)
            tell_value(to, indent + 2, names[i], wsk_arg_text(text[i]),
                       say_source(to, WSK_N("assumed"), number_note(&to->notes, classes, true, NULL), NULL));
    }
}

static void tell_elem(page *to, const wsk_elem *e, int indent);

static void tell_child(page *to, const wsk_elem *c, int indent)
{
    const wsk_param *name = wsk_kind_param(c->kind, "name");
    const char *called = name && name->type == WSK_TYPE_CHOICE ? c->origins[name - c->kind->params].text : NULL;
    const char *element = called ? wsk_printf(to->out->arena, "%s %s", c->kind->element, called) : c->kind->element;
    wsk_lines_add(to->out, indent,
                  c->part ? WSK_SAID(WSK_SAY_PARTS_CHILD_PART, element, c->kind->name, c->part)
                          : WSK_SAID(WSK_SAY_PARTS_CHILD, element, c->kind->name));
    tell_elem(to, c, indent + 2);
}

static void tell_elem(page *to, const wsk_elem *e, int indent)
{
    bool defaults = false;
    const char *rule;
    for (const wsk_param *p = e->kind->params; p->name; p++)
        tell_given(to, e, p, indent);
    for (const wsk_param *p = e->kind->params; p->name; p++)
        defaults = defaults || left_open(e, p, &rule);
    if (defaults && indent == 2)
        wsk_lines_add(to->out, 2, WSK_SAID(WSK_SAY_PARTS_OPEN));
    for (const wsk_param *p = e->kind->params; p->name; p++)
        tell_default(to, e, p, indent == 2 ? 4 : indent);
    for (const wsk_elem *c = e->child; c; c = c->next)
        tell_child(to, c, indent);
    if (strcmp(e->kind->element, "gpu") == 0)
        tell_classes(to, e, indent);
}

static void tell_notes(page *to)
{
    const notes *n = &to->notes;
    wsk_lines_add(to->out, 0, WSK_SAID(WSK_SAY_PARTS_SOURCES));
    for (int i = 0; i < n->count; i++) {
        wsk_arg ref = n->ours[i] ? wsk_arg_word(n->ref[i]) : wsk_arg_text(n->ref[i]);
        wsk_lines_add(to->out, 2,
                      n->spread[i] ? WSK_SAID(WSK_SAY_PARTS_NOTE_SPREAD, i + 1.0, ref, n->spread[i])
                                   : WSK_SAID(WSK_SAY_PARTS_NOTE, i + 1.0, ref));
    }
}

wsk_status wsk_part_tell(const char *extra_parts_dir, const char *parts_dir, const char *id, wsk_lines *out,
                         wsk_diags *diags, bool *missing)
{
    wsk_files files;
    wsk_files_init(&files, diags->arena);
    wsk_loader l = {.arena = diags->arena, .diags = diags, .dirs = {extra_parts_dir, parts_dir}, .files = &files};
    size_t before = diags->errors;
    wsk_item *item = wsk_merge_part(&l, id);
    wsk_elem *e = item ? wsk_elems_make(&l, item, true) : NULL;
    *missing = l.lacks_parts;
    if (wsk_loader_full(&l))
        return WSK_ENOMEM;
    wsk_diags_sort(diags);
    if (diags->errors != before || !e)
        return l.unread ? WSK_ERUN : WSK_EINPUT;
    wsk_lines_add(out, 0, WSK_SAID(WSK_SAY_PLAIN, e->title ? wsk_printf(out->arena, "%s: %s", id, e->title) : id));
    wsk_lines_add(out, 2, WSK_SAID(WSK_SAY_PARTS_KIND, e->kind->element, e->kind->name, wsk_arg_word(e->kind->help)));
    const wsk_part_doc *part = wsk_part_open(&l, id);
    const wsk_attr *base = part ? wsk_node_attr(part->root, "base") : NULL;
    if (base)
        wsk_lines_add(out, 2, WSK_SAID(WSK_SAY_PARTS_BASE, base->value));
    page to = {.out = out};
    tell_elem(&to, e, 2);
    tell_notes(&to);
    return out->failed || wsk_loader_full(&l) ? WSK_ENOMEM : WSK_OK;
}
