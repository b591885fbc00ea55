/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The catalogue for users: a list of parts, and one part with all values and sources. */
#include <math.h>
#include <string.h>

#include "sim/io/load.h"
#include "sim/net/gpu.h"

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
        if (part && part->found && !part->why) /* links that leave the folder are not listed */
            fn(ctx, part->id, title ? title->value : NULL);
    }
    wsk_status status = l.no_memory ? WSK_ENOMEM : WSK_OK;
    wsk_arena_free(arena);
    return status;
}

/* Sources, which are long and shared by many values, are numbered notes printed once at the end. */
enum { NOTES_MAX = 256 };
typedef struct {
    const char *ref[NOTES_MAX], *spread[NOTES_MAX];
    int count;
} notes;

static int number_note(notes *n, const char *ref, const char *spread)
{
    for (int i = 0; i < n->count; i++)
        if (strcmp(n->ref[i], ref) == 0 &&
            (n->spread[i] == spread || (n->spread[i] && spread && strcmp(n->spread[i], spread) == 0)))
            return i + 1;
    if (n->count == NOTES_MAX)
        return 0;
    n->ref[n->count] = ref;
    n->spread[n->count++] = spread;
    return n->count;
}

/* The rule of a default that depends on other values, from its help: "board power doing nothing; default 0.08 tdp".
 * NULL: none. */
static const char *rule_of(const wsk_param *p)
{
    const char *at = p->help ? strstr(p->help, "; default") : NULL;
    return at ? at + strlen("; default") + strspn(at + strlen("; default"), ": ") : NULL;
}

/* Writes the value of a rule such as "tdp", "0.08 tdp" or "3 % of tdp"; false: the rule has another form. */
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

enum { NAME_WIDTH = 30, VALUE_WIDTH = 16, LINE_WIDTH = 100 };

/* Prints name and value; a curve is broken after commas. */
static void put_text(wsk_buf *out, int indent, const char *name, const char *text)
{
    wsk_buf_printf(out, "%*s%-*s ", indent, "", NAME_WIDTH - indent, name);
    const size_t room = LINE_WIDTH - NAME_WIDTH - 1;
    while (strlen(text) > room) {
        size_t cut = room;
        while (cut > 0 && !(text[cut - 1] == ',' && text[cut] == ' '))
            cut--;
        if (cut == 0)
            break;
        wsk_buf_printf(out, "%.*s\n%*s", (int)cut, text, NAME_WIDTH + 1, "");
        text += cut + 1;
    }
    wsk_buf_printf(out, "%-*s%s", VALUE_WIDTH, text, strlen(text) > VALUE_WIDTH ? " " : "");
}

static void put_source(wsk_buf *out, const char *source, int note_number)
{
    wsk_buf_printf(out, " %-10s", source);
    if (note_number)
        wsk_buf_printf(out, " [%d]", note_number);
}

static void end_line(wsk_buf *out)
{
    while (out->len && out->data[out->len - 1] == ' ')
        out->len--;
    wsk_buf_printf(out, "\n");
}

/* Values that a part cannot have, and those that the heading shows. */
static bool hidden(const wsk_param *p)
{
    return p->flags & WSK_RIG_ONLY || (p->type == WSK_TYPE_CHOICE && strcmp(p->name, "name") == 0);
}

static void put_given(wsk_buf *out, const wsk_elem *e, const wsk_param *p, int indent, notes *n)
{
    const wsk_origin *o = &e->origins[p - e->kind->params];
    if (o->from != WSK_FROM_PART || !o->text || hidden(p))
        return;
    put_text(out, indent, p->name, o->text);
    if (strcmp(p->name, "name") != 0) /* names need no source */
        put_source(out, o->source ? o->source : "", o->ref ? number_note(n, o->ref, o->spread) : 0);
    end_line(out);
}

/* Prints a value that the part leaves to the kind: a fixed default, or one by a rule, which is printed beside it. out
 * NULL: only tells whether there is one. */
static bool put_default(wsk_buf *out, const wsk_elem *e, const wsk_param *p, int indent, notes *n)
{
    const wsk_origin *o = &e->origins[p - e->kind->params];
    bool fixed = o->from == WSK_FROM_DEFAULT && o->text;
    const char *rule = fixed || o->from == WSK_FROM_PART ? NULL : rule_of(p);
    if (hidden(p) || (!fixed && !rule))
        return false;
    if (!out)
        return true;
    char value[96];
    bool number = rule && by_rule(e, p, rule, value, sizeof value);
    put_text(out, indent, p->name, number ? value : rule ? rule : o->text);
    put_source(out, p->assumed ? "assumed" : "default", p->assumed ? number_note(n, p->assumed, NULL) : 0);
    if (number)
        wsk_buf_printf(out, " %s", rule);
    end_line(out);
    return true;
}

/* Prints the class values of classes that the part does not state, because a run would use them. */
static void put_classes(wsk_buf *out, const wsk_elem *e, int indent, notes *n)
{
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
        wsk_buf_printf(out, "%*sclass %s, not stated by the part\n", indent, "", wsk_class_names[cls]);
        for (int i = 0; i < 3; i++) {
            put_text(out, indent + 2, names[i], text[i]);
            put_source(
                out, "assumed",
                number_note(
                    n, "class values: measured cards in shares of tdp; docs/theory/gpu.md has them and their spread",
                    NULL));
            end_line(out);
        }
    }
}

static void put_elem(wsk_buf *out, const wsk_elem *e, int indent, notes *n)
{
    bool defaults = false;
    for (const wsk_param *p = e->kind->params; p && p->name; p++)
        put_given(out, e, p, indent, n);
    for (const wsk_param *p = e->kind->params; p && p->name; p++)
        defaults = defaults || put_default(NULL, e, p, indent, n);
    if (defaults && indent == 2)
        wsk_buf_printf(out, "  not stated by the part\n");
    for (const wsk_param *p = e->kind->params; p && p->name; p++)
        put_default(out, e, p, indent == 2 ? 4 : indent, n);
    for (const wsk_elem *c = e->child; c; c = c->next) {
        const wsk_param *name = wsk_kind_param(c->kind, "name");
        const char *called = name && name->type == WSK_TYPE_CHOICE ? c->origins[name - c->kind->params].text : NULL;
        wsk_buf_printf(out, "%*s%s%s%s, kind %s%s%s\n", indent, "", c->kind->element, called ? " " : "",
                       called ? called : "", c->kind->name, c->part ? ", part " : "", c->part ? c->part : "");
        put_elem(out, c, indent + 2, n);
    }
    if (strcmp(e->kind->element, "gpu") == 0)
        put_classes(out, e, indent, n);
}

static void put_notes(wsk_buf *out, const notes *n)
{
    wsk_buf_printf(out, "Sources\n");
    for (int i = 0; i < n->count; i++)
        wsk_buf_printf(out, "  [%d] %s%s%s\n", i + 1, n->ref[i], n->spread[i] ? "; spread " : "",
                       n->spread[i] ? n->spread[i] : "");
}

wsk_status wsk_part_show(const char *extra_parts_dir, const char *parts_dir, const char *id, wsk_buf *out,
                         wsk_diags *diags, bool *missing)
{
    wsk_loader l = {.arena = diags->arena, .diags = diags, .dirs = {extra_parts_dir, parts_dir}};
    size_t before = diags->errors;
    wsk_item *item = wsk_merge_part(&l, id);
    wsk_elem *e = item ? wsk_elems_make(&l, item, true) : NULL;
    *missing = l.lacks_parts;
    if (l.no_memory)
        return WSK_ENOMEM;
    wsk_diags_sort(diags);
    if (diags->errors != before || !e)
        return WSK_EINPUT;
    wsk_buf_printf(out, "%s%s%s\n  %s, kind %s: %s\n", id, e->title ? ": " : "", e->title ? e->title : "",
                   e->kind->element, e->kind->name, e->kind->help);
    const wsk_part_doc *part = wsk_part_open(&l, id);
    const wsk_attr *base = part ? wsk_node_attr(part->root, "base") : NULL;
    if (base)
        wsk_buf_printf(out, "  builds on %s\n", base->value);
    notes n = {.count = 0};
    put_elem(out, e, 2, &n);
    put_notes(out, &n);
    return out->failed || l.no_memory ? WSK_ENOMEM : WSK_OK;
}
