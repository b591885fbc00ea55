/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a summary as JSON: results in the order of the table of results. Each dot in a key opens an object. */
#include <math.h>
#include <string.h>

#include "sim/results/summary.h"

/* Layout of lists: `first` for the first member, `next` for each further one. A value above 0: the member begins a
 * new line, indented by so many blanks. 0: the member continues the line. */
static const struct {
    int first, next;
} member_lines[WSK_SCOPES] = {[WSK_SCOPE_GPU] = {4, 4},    [WSK_SCOPE_PSU] = {4, 4},     [WSK_SCOPE_CASE] = {4, 4},
                              [WSK_SCOPE_LOOP] = {4, 4},   [WSK_SCOPE_CIRCUIT] = {4, 4}, [WSK_SCOPE_FAN] = {4, 4},
                              [WSK_SCOPE_MONTH] = {0, 14}, [WSK_SCOPE_VAIN] = {6, 6},    [WSK_SCOPE_CHANGE] = {6, 6}};

typedef struct {
    const wsk_summary *s;
    wsk_buf *out;
    const char *open; /* key of the last row; its first open_len bytes name the objects that are open */
    size_t open_len;
    bool begun;     /* a separator is needed before the next value */
    bool null_list; /* the last row was a null list; a further null list goes in the same line */
} writer;

static void put_line(wsk_buf *out, int blanks)
{
    if (blanks > 0)
        wsk_buf_printf(out, "\n%*s", blanks, "");
}

static void put_separator(writer *w, int line)
{
    if (w->begun)
        wsk_buf_printf(w->out, line > 0 ? "," : ", ");
    if (w->begun)
        put_line(w->out, line);
    w->begun = true;
}

static size_t object_length(const char *key)
{
    const char *dot = strrchr(key, '.');
    return dot ? (size_t)(dot - key) : 0;
}

static bool is_within(const writer *w, const char *key)
{
    return w->open_len == 0 ||
           (object_length(key) >= w->open_len && memcmp(w->open, key, w->open_len) == 0 && key[w->open_len] == '.');
}

static void close_objects(writer *w, const char *key)
{
    while (w->open_len > 0 && !(key && is_within(w, key))) {
        wsk_buf_printf(w->out, " }");
        while (w->open_len > 0 && w->open[w->open_len - 1] != '.')
            w->open_len--;
        w->open_len -= w->open_len > 0;
    }
}

static void open_objects(writer *w, const wsk_result_row *row)
{
    size_t whole = object_length(row->key);
    while (w->open_len < whole) {
        size_t from = w->open_len ? w->open_len + 1 : 0, len = strcspn(row->key + from, ".");
        put_separator(w, row->line);
        wsk_buf_printf(w->out, "\"%.*s\": { ", (int)len, row->key + from);
        w->begun = false;
        w->open_len = from + len;
    }
    w->open = row->key;
}

static void put_number(wsk_buf *out, double value)
{
    char text[40];
    wsk_format_number(text, sizeof text, value);
    wsk_buf_put(out, text, strlen(text));
}

static void put_members(const wsk_summary *s, wsk_scope scope, wsk_buf *out);

static void put_value(const writer *w, const wsk_result_row *row, const wsk_value *v)
{
    wsk_buf *out = w->out;
    if (v->state != WSK_VALUE_KNOWN) {
        wsk_buf_put(out, "null", 4);
        return;
    }
    switch (row->type) {
    case WSK_IS_NUMBER: put_number(out, v->number); break;
    case WSK_IS_FLAG: wsk_buf_printf(out, "%s", v->number > 0 ? "true" : "false"); break;
    case WSK_IS_TEXT: wsk_buf_json(out, v->text); break;
    case WSK_IS_TEXTS:
        wsk_buf_put(out, "[", 1);
        for (size_t i = 0; i < (size_t)v->number; i++) {
            wsk_buf_printf(out, "%s", i ? ", " : "");
            wsk_buf_json(out, v->texts[i]);
        }
        wsk_buf_put(out, "]", 1);
        break;
    case WSK_IS_MESSAGES:
        wsk_buf_put(out, "[", 1);
        for (size_t i = 0; i < (size_t)v->number; i++) {
            wsk_buf_printf(out, "%s", i ? ", " : "");
            wsk_message_write(v->messages[i], out);
        }
        wsk_buf_put(out, "]", 1);
        break;
    default: put_members(w->s, row->members, out);
    }
}

/* True if the object of row r (its key up to the last dot) is written as null, because all values in it are unknown.
 * Only then *first is valid: true if r is the first row of that object. */
static bool object_is_null(const writer *w, int r, size_t member, bool *first)
{
    const wsk_result_row *row = wsk_result_about((wsk_result)r);
    size_t len = object_length(row->key);
    *first = true;
    if (row->shown != WSK_SHOWN_OBJECT)
        return false;
    for (int k = 0; k < WSK_RESULTS; k++) {
        const wsk_result_row *other = wsk_result_about((wsk_result)k);
        if (other->scope != row->scope || object_length(other->key) != len || memcmp(other->key, row->key, len) != 0)
            continue;
        if (wsk_summary_known(w->s, (wsk_result)k, member))
            return false;
        *first = *first && k >= r;
    }
    return true;
}

static void put_row(writer *w, int r, size_t member)
{
    const wsk_result_row *row = wsk_result_about((wsk_result)r);
    const wsk_value *v = wsk_summary_value(w->s, (wsk_result)r, member);
    bool first;
    if (!v || v->state == WSK_VALUE_ABSENT)
        return;
    close_objects(w, row->key);
    if (object_is_null(w, r, member, &first)) {
        if (first) {
            put_separator(w, row->line);
            wsk_buf_printf(w->out, "\"%.*s\": null", (int)object_length(row->key), row->key);
        }
        return;
    }
    open_objects(w, row);
    bool null_list = row->type == WSK_IS_MEMBERS && v->state == WSK_VALUE_NULL;
    put_separator(w, null_list && w->null_list ? 0 : row->line);
    w->null_list = null_list;
    size_t from = object_length(row->key);
    wsk_buf_printf(w->out, "\"%s\": ", row->key + from + (from > 0));
    put_value(w, row, v);
}

static void put_object(const wsk_summary *s, wsk_scope scope, wsk_scope also, size_t member, wsk_buf *out)
{
    writer w = {.s = s, .out = out};
    wsk_buf_put(out, "{ ", 2);
    for (int r = 0; r < WSK_RESULTS; r++) {
        wsk_scope of = wsk_result_about((wsk_result)r)->scope;
        if (of == scope || of == also)
            put_row(&w, r, member);
    }
    close_objects(&w, NULL);
}

static void put_members(const wsk_summary *s, wsk_scope scope, wsk_buf *out)
{
    wsk_buf_put(out, "[", 1);
    for (size_t i = 0; i < wsk_summary_count(s, scope); i++) {
        int line = i ? member_lines[scope].next : member_lines[scope].first;
        if (i)
            wsk_buf_printf(out, line > 0 ? "," : ", ");
        put_line(out, line);
        put_object(s, scope, scope, i, out);
        wsk_buf_put(out, " }", 2);
    }
    wsk_buf_put(out, "]", 1);
}

void wsk_summary_write(const wsk_summary *s, wsk_buf *out)
{
    put_object(s, WSK_SCOPE_RIG, WSK_SCOPE_COMPARED, 0, out);
    wsk_buf_put(out, "\n}\n", 3);
}

void wsk_summaries_write(const wsk_summary *const *cases, size_t count, wsk_buf *out)
{
    wsk_buf_printf(out, "{\"%s\": [\n", WSK_COMPARED_KEY);
    for (size_t i = 0; i < count; i++) {
        put_object(cases[i], WSK_SCOPE_RIG, WSK_SCOPE_COMPARED, 0, out);
        wsk_buf_printf(out, "\n}%s\n", i + 1 < count ? "," : "");
    }
    wsk_buf_put(out, "]", 1);
    for (int r = 0; count && r < WSK_RESULTS; r++) {
        const wsk_result_row *row = wsk_result_about((wsk_result)r);
        const wsk_value *v =
            row->scope == WSK_SCOPE_COMPARISON ? wsk_summary_value(cases[0], (wsk_result)r, 0) : NULL;
        if (!v || v->state == WSK_VALUE_ABSENT)
            continue;
        wsk_buf_printf(out, ", \"%s\": ", row->key);
        put_value(&(writer){.s = cases[0], .out = out}, row, v);
    }
    wsk_buf_put(out, "}\n", 2);
}
