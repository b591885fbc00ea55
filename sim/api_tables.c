/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/api.h"
#include "sim/io/plan.h"
#include "sim/num/design.h"
#include "sim/results/read.h"

wsk_status wsk_give(wsk_buf *buf, bool ok, char **text)
{
    if (!ok || buf->failed) {
        wsk_buf_free(buf);
        return WSK_ENOMEM;
    }
    wsk_buf_put(buf, "", 1);
    if (buf->failed) {
        wsk_buf_free(buf);
        return WSK_ENOMEM;
    }
    *text = buf->data;
    return WSK_OK;
}

wsk_findings *wsk_findings_new(void)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_findings *f = arena ? wsk_alloc(arena, sizeof *f) : NULL;
    if (f)
        f->lines = (wsk_lines){.arena = arena};
    else
        wsk_arena_free(arena);
    return f;
}

wsk_status wsk_findings_give(wsk_findings *f, wsk_findings **out)
{
    if (f && (f->lines.failed || wsk_arena_failed(f->lines.arena))) {
        wsk_findings_free(f);
        f = NULL;
    }
    *out = f;
    return f ? WSK_OK : WSK_ENOMEM;
}

wsk_status wsk_findings_english(wsk_findings *f, char **text)
{
    wsk_buf b = {0};
    wsk_lines_write(&b, &f->lines, NULL, NULL);
    b.failed = b.failed || wsk_arena_failed(f->lines.arena);
    wsk_findings_free(f);
    return wsk_give(&b, true, text);
}

size_t wsk_findings_count(const wsk_findings *f)
{
    return f->lines.count;
}

const wsk_said *wsk_findings_line(const wsk_findings *f, size_t i, int *indent)
{
    *indent = f->lines.items[i].indent;
    return f->lines.items[i].said;
}

wsk_status wsk_said_json(const wsk_said *const *messages, size_t count, char **json)
{
    wsk_buf b = {0};
    wsk_buf_printf(&b, "[");
    for (size_t i = 0; i < count; i++) {
        wsk_buf_printf(&b, "%s", i ? ", " : "");
        wsk_message_write(messages[i], &b);
    }
    wsk_buf_printf(&b, "]");
    return wsk_give(&b, true, json);
}

static wsk_status read_messages(wsk_lines *lines, const wsk_json *list)
{
    for (size_t i = 0; i < wsk_json_length(list); i++) {
        wsk_json_kind kind;
        const wsk_said *said;
        const wsk_json *item = wsk_json_item(list, i, &kind);
        wsk_status status = wsk_message_read(&said, lines->arena, item, kind);
        if (status != WSK_OK)
            return status;
        wsk_lines_add(lines, 0, said);
    }
    return WSK_OK;
}

wsk_status wsk_findings_read(const char *json, size_t len, wsk_findings **out)
{
    wsk_json *root = NULL;
    wsk_json_kind kind = WSK_JSON_NONE;
    wsk_diags mistakes;
    wsk_buf wrapped = {0};
    *out = NULL;
    /* wsk_json_at tells the kind only of a value that has a key, so the list is wrapped in an object. */
    wsk_buf_printf(&wrapped, "{\"list\": ");
    wsk_buf_put(&wrapped, json, len);
    wsk_buf_printf(&wrapped, "}");
    wsk_findings *f = wrapped.failed ? NULL : wsk_findings_new();
    if (f)
        wsk_diags_init(&mistakes, f->lines.arena);
    wsk_status status = f ? wsk_json_parse(&root, wrapped.data, wrapped.len, &mistakes) : WSK_ENOMEM;
    const wsk_json *list = status == WSK_OK ? wsk_json_at(root, "list", &kind) : NULL;
    if (kind == WSK_JSON_OBJECT)
        list = wsk_json_at(root, "list.messages", &kind);
    if (status == WSK_OK)
        status = kind == WSK_JSON_LIST ? read_messages(&f->lines, list) : WSK_EINPUT;
    wsk_json_free(root);
    wsk_buf_free(&wrapped);
    if (status == WSK_OK)
        return wsk_findings_give(f, out);
    wsk_findings_free(f);
    return status;
}

void wsk_findings_free(wsk_findings *f)
{
    if (f)
        wsk_arena_free(f->lines.arena);
}

const char *wsk_catalogue(const char *parts_dir)
{
    return parts_dir ? parts_dir : WSK_SHARE_DIR "/parts";
}

wsk_status wsk_design_points(wsk_design design, uint64_t seed, size_t count, size_t dimensions, double *u)
{
    return wsk_design_fill(design, seed, count, dimensions, u);
}

wsk_status wsk_schema_text(char **text)
{
    wsk_buf b = {0};
    wsk_schema_write(&b);
    return wsk_give(&b, true, text);
}

wsk_status wsk_kinds_lines(const char *element, wsk_findings **out)
{
    wsk_findings *f = wsk_findings_new();
    if (f)
        wsk_kinds_tell(&f->lines, element);
    return wsk_findings_give(f, out);
}

wsk_status wsk_kinds_text(const char *element, char **text)
{
    wsk_findings *f;
    wsk_status status = wsk_kinds_lines(element, &f);
    return status == WSK_OK ? wsk_findings_english(f, text) : status;
}

typedef struct {
    wsk_buf *out;
    const char *search;
} listing;

static bool holds(const char *text, const char *word)
{
    for (; text && *text; text++) {
        size_t i = 0;
        while (word[i] && text[i] && (text[i] | 32) == (word[i] | 32))
            i++;
        if (!word[i])
            return true;
    }
    return false;
}

static void list_part(void *ctx, const char *id, const char *title)
{
    listing *l = ctx;
    if (!l->search || holds(id, l->search) || holds(title, l->search))
        wsk_buf_printf(l->out, "%-32s %s\n", id, title ? title : "");
}

static wsk_status list_parts(const char *parts_dir, const char *family, const char *search, wsk_files *held,
                             char **text)
{
    wsk_buf b = {0};
    listing l = {&b, search};
    wsk_buf why = {0};
    wsk_status status = wsk_parts_list(parts_dir, family, held, list_part, &l, &why), given = WSK_OK;
    *text = NULL;
    if (status == WSK_OK || status == WSK_ERUN)
        given = wsk_give(status == WSK_OK ? &b : &why, true, text);
    wsk_buf_free(status == WSK_OK ? &why : &b);
    return given == WSK_OK ? status : given;
}

wsk_status wsk_parts_text(const char *parts_dir, const char *family, const char *search, char **text)
{
    return list_parts(wsk_catalogue(parts_dir), family, search, NULL, text);
}

wsk_status wsk_rig_parts_text(const wsk_rig *rig, const char *family, char **text)
{
    return list_parts(rig->input.parts_dir, family, NULL, rig->input.files, text);
}

static void tell_mistakes(const wsk_diags *diags, wsk_lines *out)
{
    for (size_t i = 0; i < diags->count; i++) {
        const wsk_diag *d = &diags->items[i];
        wsk_lines_add(out, 0,
                      d->file && d->line > 0
                          ? WSK_SAID(WSK_SAY_PLACED, d->file, (double)d->line, (double)d->column, d->said)
                          : d->said);
    }
}

wsk_status wsk_part_lines(const char *extra_parts_dir, const char *parts_dir, const char *id, wsk_findings **out,
                          bool *missing)
{
    wsk_findings *f = wsk_findings_new();
    wsk_diags diags;
    *out = NULL;
    *missing = false;
    if (!f)
        return WSK_ENOMEM;
    wsk_diags_init(&diags, f->lines.arena);
    wsk_status status = wsk_part_tell(extra_parts_dir, wsk_catalogue(parts_dir), id, &f->lines, &diags, missing);
    if (status == WSK_EINPUT || status == WSK_ERUN)
        tell_mistakes(&diags, &f->lines);
    wsk_status given = wsk_findings_give(f, out);
    return given == WSK_OK ? status : given;
}
