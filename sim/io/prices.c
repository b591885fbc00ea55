/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of prices (--prices): the id of a part, a price with its currency and the day of that price in each row, as a
 * spreadsheet saves it. The listed prices replace those that the parts state. */
#include <errno.h>
#include <string.h>

#include "sim/base/rows.h"
#include "sim/io/merge.h"

struct wsk_price_row {
    const char *id, *cell, *price, *date, *ref; /* cell: the price as the list has it */
    int line;
    struct wsk_price_row *next;
};

static const char *next_cell(wsk_loader *l, const wsk_rows *in, char separator, size_t *at)
{
    size_t from = *at, to;
    bool quoted = false;
    for (to = from; to < in->end && (quoted || in->text[to] != separator); to++)
        quoted = quoted != (in->text[to] == '"');
    *at = to + (to < in->end);
    wsk_trim(in->text, &from, &to);
    if (to - from >= 2 && in->text[from] == '"' && in->text[to - 1] == '"') {
        from++;
        to--;
        wsk_trim(in->text, &from, &to);
    }
    return wsk_printf(l->arena, "%.*s", (int)(to - from), in->text + from);
}

/* True if a comma or, in rows that leave the comma to decimals, a point may separate thousands. */
static bool is_unclear(const char *price, char separator)
{
    const char *comma = strchr(price, ','), *point = strchr(price, '.'), *sign = comma ? comma : point;
    if (!sign || (!comma && separator == ','))
        return false;
    return (comma && point) || strchr(sign + 1, *sign) || strspn(sign + 1, "0123456789") == 3;
}

/* Returns a message that tells why the part of this row has no file; NULL: it has one. */
static const wsk_said *lack_of(wsk_loader *l, const struct wsk_price_row *row, const char *family)
{
    char q[WSK_QUOTED];
    for (size_t i = 0; i < 2 && wsk_part_id_valid(row->id); i++) {
        const char *path = l->dirs[i] ? wsk_printf(l->arena, "%s/%s.xml", l->dirs[i], row->id) : NULL;
        if (!path)
            continue;
        if (wsk_file_exists(path))
            return NULL;
        const int why = errno;
        if (why && wsk_file_refusal(why) == WSK_ERUN) {
            l->unread = true;
            return WSK_SAY(l->arena, WSK_SAY_FILE_UNREAD, path, WSK_SAID(WSK_SAY_FILE_STAT, WSK_WORD(strerror(why))));
        }
    }
    return WSK_SAY(l->arena, WSK_SAY_NO_PART, wsk_io_quote(q, row->id), wsk_meant_part(l, family, row->id));
}

static const struct wsk_price_row *row_of(const wsk_loader *l, const char *id)
{
    const struct wsk_price_row *row = l->prices;
    while (row && strcmp(row->id, id) != 0)
        row = row->next;
    return row;
}

/* The kind of a part; kinds of one element may differ in having a price. NULL: there is no such element or kind. */
static const wsk_kind *kind_of(wsk_loader *l, const char *id)
{
    for (int bases = 0; bases < WSK_BASES_MAX; bases++) {
        const wsk_part_doc *part = wsk_part_id_valid(id) ? wsk_part_open(l, id) : NULL;
        const wsk_node *root = part ? part->root : NULL;
        const wsk_attr *kind = root ? wsk_node_attr(root, "kind") : NULL,
                       *base = root ? wsk_node_attr(root, "base") : NULL;
        if (kind || !base)
            return root ? wsk_kind_get(root->name, kind ? wsk_trimmed(l, kind->value) : NULL) : NULL;
        id = wsk_trimmed(l, base->value);
    }
    return NULL;
}

static const wsk_said *flaw_of(wsk_loader *l, const struct wsk_price_row *row)
{
    char family[64], q[WSK_QUOTED], currency[8];
    double si;
    size_t wrong;
    wsk_dim means;
    int64_t day;
    snprintf(family, sizeof family, "%.*s", (int)strcspn(row->id, "/"), row->id);
    const wsk_kind *any = wsk_kind_get(family, NULL), *kind = NULL;
    const wsk_said *lack = lack_of(l, row, any ? family : NULL);
    if (lack)
        return lack;
    kind = any && wsk_kind_price(any) ? any : kind_of(l, row->id);
    if (!kind || !wsk_kind_price(kind))
        return WSK_SAY(l->arena, WSK_SAY_PRICES_NONE, family);
    if (wsk_parse_quantity(row->price, WSK_DIM_PRICE, &si, currency, &wrong, &means) != WSK_UNIT_OK || !(si >= 0))
        return WSK_SAY(l->arena, WSK_SAY_PRICES_PRICE, wsk_io_quote(q, row->cell));
    const double most = wsk_kind_price(kind)->max;
    if (most > 0 && si > most) {
        char bound[64];
        wsk_format_bound(bound, sizeof bound, most, WSK_DIM_PRICE, currency);
        return WSK_SAY(l->arena, WSK_SAY_AT_MOST, wsk_io_quote(q, row->cell), bound, (const wsk_said *)NULL);
    }
    if (!wsk_parse_datetime(row->date, &day))
        return WSK_SAY(l->arena, WSK_SAY_PRICES_DATE, wsk_io_quote(q, row->date));
    const struct wsk_price_row *other = row_of(l, row->id);
    return other ? WSK_SAY(l->arena, WSK_SAY_PRICES_TWICE, wsk_io_quote(q, row->id), other->line) : NULL;
}

/* True if a row has its cells, and a price that can be read in one way. Reports it if not. */
static bool check_cells(wsk_loader *l, const char *path, int line, const struct wsk_price_row *row, char separator,
                        bool more)
{
    char q[WSK_QUOTED];
    if (more)
        wsk_io_error(l->diags, path, line, 1, WSK_SAID(WSK_SAY_PRICES_MORE));
    else if (!*row->date)
        wsk_io_error(l->diags, path, line, 1, WSK_SAID(WSK_SAY_PRICES_CELLS));
    else if (is_unclear(row->cell, separator))
        wsk_io_error(l->diags, path, line, 1, WSK_SAID(WSK_SAY_PRICES_UNCLEAR, wsk_io_quote(q, row->cell)));
    else
        return true;
    return false;
}

static void take_row(wsk_loader *l, const char *path, const wsk_rows *in)
{
    struct wsk_price_row *row = wsk_alloc(l->arena, sizeof *row);
    const char separator = memchr(in->text + in->start, ';', in->end - in->start) ? ';' : ',';
    size_t at = in->start;
    if (!row || !(row->id = next_cell(l, in, separator, &at)) || !(row->cell = next_cell(l, in, separator, &at)) ||
        !(row->date = next_cell(l, in, separator, &at)))
        return;
    if (strcmp(row->id, "id") == 0 || !*row->id || !check_cells(l, path, in->line, row, separator, at < in->end))
        return;
    const size_t whole = strcspn(row->cell, ",");
    row->price = wsk_printf(l->arena, "%.*s%s%s", (int)whole, row->cell, row->cell[whole] ? "." : "",
                            row->cell + whole + (row->cell[whole] == ','));
    if (!row->price)
        return;
    const wsk_said *flaw = flaw_of(l, row);
    if (flaw) {
        wsk_io_error(l->diags, path, in->line, 1, flaw);
        return;
    }
    row->line = in->line;
    row->ref = wsk_printf(l->arena, "%s, %s", path, row->date);
    row->next = l->prices;
    l->prices = row;
}

bool wsk_prices_read(wsk_loader *l, const char *path)
{
    const wsk_file *f = wsk_files_get(l->files, NULL, path, "data");
    if (!f)
        wsk_arena_fail(l->arena);
    if (f && f->status != WSK_OK) {
        wsk_diag_add(l->diags, WSK_DIAG_ERROR, path, 0, 0, f->why);
        l->unread = f->status == WSK_ERUN;
    }
    wsk_rows in = {.text = ""};
    if (f && f->status == WSK_OK)
        in = (wsk_rows){.text = f->text, .len = f->len, .at = wsk_utf8_mark(f->text, f->len)};
    if (wsk_is_utf16(in.text, in.len))
        wsk_io_error(l->diags, path, 1, 1, WSK_SAID(WSK_SAY_UTF16));
    else
        while (!wsk_loader_full(l) && wsk_rows_next(&in))
            take_row(l, path, &in);
    return !wsk_loader_full(l);
}

/* Sets an attribute of a part to a value of the list, which becomes its source. Attribute and source live as long as
 * the part. */
static void write_over(wsk_loader *l, wsk_node *node, const char *name, const char *value, const char *ref)
{
    wsk_arena *arena = l->parts_arena ? l->parts_arena : l->arena;
    wsk_attr *a = (wsk_attr *)wsk_node_attr(node, name);
    wsk_source *source = wsk_alloc(arena, sizeof *source);
    char *value_copy = wsk_strdup(arena, value), *ref_copy = wsk_strdup(arena, ref);
    if (!a && (a = wsk_alloc(arena, sizeof *a))) {
        *a = (wsk_attr){.name = name, .line = node->line, .column = node->column};
        if (node->last_attr)
            node->last_attr->next = a;
        else
            node->attrs = a;
        node->last_attr = a;
    }
    if (wsk_loader_full(l))
        return;
    *source = (wsk_source){.kind = "database", .ref = ref_copy};
    a->value = value_copy;
    a->over = source;
}

void wsk_prices_apply(wsk_loader *l, wsk_part_doc *part)
{
    const struct wsk_price_row *row = part->root && !part->priced ? row_of(l, part->id) : NULL;
    part->priced = true;
    if (!row)
        return;
    write_over(l, part->root, "price", row->price, row->ref);
    write_over(l, part->root, "price-date", row->date, row->ref);
}
