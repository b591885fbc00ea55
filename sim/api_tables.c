/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of wattsink.h that needs no rig: designs, the schema, kinds, parts. */
#include <string.h>

#include "sim/api.h"
#include "sim/io/plan.h"
#include "sim/num/design.h"

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

wsk_status wsk_kinds_text(const char *element, char **text)
{
    wsk_buf b = {0};
    wsk_kinds_write(&b, element);
    return wsk_give(&b, true, text);
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

wsk_status wsk_parts_text(const char *parts_dir, const char *family, const char *search, char **text)
{
    wsk_buf b = {0};
    listing l = {&b, search};
    wsk_status status = wsk_parts_list(wsk_catalogue(parts_dir), family, list_part, &l);
    if (status != WSK_OK) {
        wsk_buf_free(&b);
        return status;
    }
    return wsk_give(&b, true, text);
}

wsk_status wsk_part_text_in(const char *extra_parts_dir, const char *parts_dir, const char *id, char **text,
                            char **error, bool *missing)
{
    wsk_arena *arena = wsk_arena_new();
    *missing = false;
    if (!arena)
        return WSK_ENOMEM;
    wsk_diags diags;
    wsk_diags_init(&diags, arena);
    wsk_buf b = {0}, e = {0};
    wsk_status status = wsk_part_show(extra_parts_dir, wsk_catalogue(parts_dir), id, &b, &diags, missing);
    if (status == WSK_OK) {
        status = wsk_give(&b, true, text);
    } else {
        for (size_t i = 0; i < diags.count; i++) {
            const wsk_diag *d = &diags.items[i];
            if (d->file && d->line > 0)
                wsk_buf_printf(&e, "%s:%d:%d: ", d->file, d->line, d->column);
            wsk_buf_printf(&e, "%s\n", d->message);
        }
        wsk_buf_free(&b);
        wsk_status s = wsk_give(&e, true, error);
        status = s == WSK_OK ? status : s;
    }
    wsk_arena_free(arena);
    return status;
}

wsk_status wsk_part_text(const char *parts_dir, const char *id, char **text, char **error)
{
    bool missing;
    return wsk_part_text_in(NULL, parts_dir, id, text, error, &missing);
}
