/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads JSON of AMD's programs, one document after another, by their documented layouts. `rocm-smi --json` writes an
 * object with one object a card, {"card0": {"Average Graphics Package Power (W)": "38.0", ...}}. `amd-smi monitor
 * --json` and `amd-smi metric --json` write a list with an object a card, {"gpu": 0, "power": {"socket_power":
 * {"value": 38, "unit": "W"}}}; the list may be the member gpu_data of an object. Only amd-smi in watch mode writes
 * times. For other documents, a line before the document that holds only a time gives its time. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/json.h"
#include "sim/log/log.h"

enum { MOST_BYTES = 4 << 20, LEAD = 256 };

typedef struct {
    wsk_log_reader *r;
    int line, depth; /* line on which the document starts; number of open braces, 0: outside of a document */
    bool stamped, warned;
    /* stamp_s: time of the last line that holds only a time; row: in a log without times, number of the document, used
     * as its time in s */
    double stamp_s, row;
    char first[WSK_LOG_CELL];
} reader;

typedef struct {
    reader *of;
    wsk_log_moment m;
    char path[WSK_LOG_CELL], time[WSK_LOG_CELL];
} card;

/* Writes a value as a cell: 38, "38.0", "(800Mhz)", {"value": 38, "unit": "W"}. False: the value has another form. */
static bool write_cell(const wsk_json *value, wsk_json_kind kind, char cell[WSK_LOG_CELL])
{
    double number;
    const char *text = wsk_json_as_text(value);
    if (kind == WSK_JSON_OBJECT) {
        wsk_json_kind of;
        const wsk_json *inner = wsk_json_at(value, "value", &of);
        const char *unit = wsk_json_as_text(wsk_json_at(value, "unit", &kind));
        if (of == WSK_JSON_OBJECT || !write_cell(inner, of, cell))
            return false;
        const size_t n = strlen(cell);
        snprintf(cell + n, WSK_LOG_CELL - n, " %s", unit ? unit : "");
        return true;
    }
    if (wsk_json_as_number(value, &number)) {
        wsk_print(cell, WSK_LOG_CELL, "%.15g", number);
        return true;
    }
    if (!text)
        return false;
    snprintf(cell, WSK_LOG_CELL, "%s", text);
    for (char *c = cell; *c; c++)
        *c = *c > 0x1F && *c < 0x7F ? *c : '?';
    return true;
}

static bool has_unit(const char *cell)
{
    for (const char *c = cell; *c; c++)
        if (isalpha((unsigned char)*c) || *c == '%')
            return true;
    return false;
}

static void take_cell(card *k, const wsk_log_name *name, const char *unit, char cell[WSK_LOG_CELL])
{
    wsk_log_reader *r = k->of->r;
    const size_t n = strlen(cell);
    if (strncmp(cell, "N/A", 3) == 0 || wsk_log_absent(cell))
        return;
    if (name->role == WSK_LOG_TIME) {
        snprintf(k->time, sizeof k->time, "%s", cell);
    } else if (name->role == WSK_LOG_INDEX) {
        snprintf(k->m.card, sizeof k->m.card, "%s", cell);
    } else if (name->role < WSK_LOG_WALL) {
        if (*unit && !has_unit(cell))
            snprintf(cell + n, WSK_LOG_CELL - n, " %s", unit);
        wsk_log_note(r, &k->m, name, k->of->r->keep, cell);
    }
}

/* Looks a member up in the table of names. The name of a nested member lists the members from the inside out:
 * "socket_power of power". */
static void visit_value(void *user, const char *key, const wsk_json *value, wsk_json_kind kind)
{
    card *k = user;
    char unit[WSK_UNIT_BYTES], cell[WSK_LOG_CELL], around[WSK_LOG_CELL];
    memcpy(around, k->path, sizeof around);
    snprintf(k->path, sizeof k->path, "%.50s%s%.40s", key, *around ? " of " : "", around);
    const wsk_log_name *name = wsk_log_table_name(&wsk_log_amd, k->path, unit);
    if (name && write_cell(value, kind, cell))
        take_cell(k, name, unit, cell);
    else if (kind == WSK_JSON_OBJECT)
        wsk_json_each(value, visit_value, k);
    memcpy(k->path, around, sizeof around);
}

/* If neither the document nor the line before it has a time, the n-th document has the time n seconds. */
static bool time_of(reader *s, const card *k, double *t_s)
{
    if (*k->time)
        return wsk_log_time(s->r, k->time, t_s);
    if (!s->stamped) {
        if (!s->warned)
            wsk_log_tell(s->r, WSK_DIAG_WARNING, s->r->start, WSK_SAID(WSK_SAY_LOG_JSON_NO_TIME));
        if (!s->warned)
            memcpy(s->first, k->m.card, sizeof s->first);
        s->warned = true;
        s->row += strcmp(s->first, k->m.card) == 0;
    }
    *t_s = s->stamped ? s->stamp_s : s->row;
    return true;
}

static void read_card(reader *s, const wsk_json *value, const char *number)
{
    card k = {.of = s};
    wsk_log_open(&k.m, WSK_LOG_BY_INDEX, number);
    wsk_json_each(value, visit_value, &k);
    if (!wsk_log_holds(&k.m))
        return;
    if (time_of(s, &k, &k.m.t_s))
        wsk_log_keep(s->r->log, &k.m);
    else
        wsk_log_mistime(s->r, s->r->start, k.time);
}

static void visit_member(void *user, const char *key, const wsk_json *value, wsk_json_kind kind)
{
    if (strncmp(key, "card", 4) == 0 && isdigit((unsigned char)key[4]) && kind == WSK_JSON_OBJECT)
        read_card(user, value, key + 4);
}

static void read_root(reader *s, const wsk_json *root)
{
    wsk_json_kind kind;
    const wsk_json *cards = wsk_json_at(root, "gpu_data", &kind);
    for (size_t i = 0; kind == WSK_JSON_LIST && i < wsk_json_length(cards); i++) {
        wsk_json_kind of;
        const wsk_json *one = wsk_json_item(cards, i, &of);
        if (of == WSK_JSON_OBJECT)
            read_card(s, one, "0");
    }
    if (kind != WSK_JSON_LIST && wsk_json_at(root, "gpu", &kind))
        read_card(s, root, "0");
    else
        wsk_json_each(root, visit_member, s);
}

static void read_document(reader *s, size_t to)
{
    wsk_json *root = NULL;
    wsk_diags mistakes;
    wsk_arena *scratch = wsk_arena_new();
    const int line = s->r->line;
    wsk_diags_init(&mistakes, scratch);
    s->depth = 0;
    if (!scratch) {
        s->r->log->failed = true;
        return;
    }
    const size_t from = s->r->keep;
    const wsk_status status =
        to - from <= MOST_BYTES ? wsk_json_parse(&root, s->r->text + from, to - from, &mistakes) : WSK_EINPUT;
    if (status == WSK_ENOMEM || wsk_arena_failed(scratch)) {
        s->r->log->failed = true;
        wsk_json_free(root);
        wsk_arena_free(scratch);
        return;
    }
    if (status == WSK_OK) {
        read_root(s, root);
        wsk_json_free(root);
        wsk_arena_free(scratch);
        return;
    }
    const wsk_said *why = mistakes.count ? mistakes.items[0].said : NULL;
    s->r->line = s->line + (why && mistakes.items[0].line > 0 ? mistakes.items[0].line - 1 : 0);
    wsk_log_leave(s->r, s->r->start, why ? why : WSK_SAID(WSK_SAY_LOG_NOTHING));
    s->r->line = line;
    wsk_arena_free(scratch);
}

static bool read_stamp(reader *s, size_t from, size_t to)
{
    char cell[WSK_LOG_CELL];
    const char *text = s->r->text;
    while (from < to && isspace((unsigned char)text[from]))
        from++;
    while (to > from && isspace((unsigned char)text[to - 1]))
        to--;
    if (from == to || to - from >= sizeof cell || memchr(text + from, '\0', to - from))
        return false;
    memcpy(cell, text + from, to - from);
    cell[to - from] = '\0';
    double t_s;
    if (!wsk_log_time(s->r, cell, &t_s))
        return false;
    s->stamp_s = t_s;
    return s->stamped = true;
}

static void scan_line(reader *s)
{
    bool quoted = false;
    for (size_t i = s->r->start; i < s->r->end; i++) {
        const char c = s->r->text[i];
        if (quoted) {
            i += c == '\\';
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' && s->depth++ == 0) {
            s->r->keep = i;
            s->line = s->r->line;
        } else if (c == '}' && s->depth > 0 && s->depth-- == 1) {
            read_document(s, i + 1);
            s->r->keep = SIZE_MAX;
        }
    }
}

void wsk_log_line_before(const wsk_log_reader *r, size_t *from, size_t *to)
{
    size_t at = *to = r->start ? r->start - 1 : 0;
    while (at > 0 && *to - at < LEAD && r->text[at - 1] != r->ends)
        at--;
    *from = at;
    if (*to - at >= LEAD)
        *from = *to = 0;
}

bool wsk_log_amd_json_fits(wsk_log_reader *r)
{
    static const char *const keys[] = {"\"card", "\"gpu\"", "\"gpu_data\"", "\"timestamp\"", "\"system\""};
    size_t i = r->start;
    if (!wsk_log_begins(r, "[") && !wsk_log_begins(r, "{"))
        return false;
    const size_t len = wsk_log_reach(r, i + 2 * LEAD), most = len - i < LEAD ? len : i + LEAD;
    while (i < most && (isspace((unsigned char)r->text[i]) || r->text[i] == '[' || r->text[i] == '{'))
        i++;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (len - i >= strlen(keys[k]) && memcmp(r->text + i, keys[k], strlen(keys[k])) == 0)
            return true;
    return false;
}

void wsk_log_amd_json_read(wsk_log_reader *r)
{
    reader s = {.r = r};
    size_t from, to;
    r->log->format = "rocm-smi or amd-smi, JSON";
    wsk_log_line_before(r, &from, &to);
    (void)read_stamp(&s, from, to);
    do {
        const char begins = r->text[r->start];
        const bool cut = s.depth && (begins == '{' || begins == '[' || r->start - r->keep > MOST_BYTES);
        if (cut) {
            wsk_log_leave(r, r->start, WSK_SAID(WSK_SAY_LOG_JSON_CUT, (double)s.line));
            s.depth = 0;
            r->keep = SIZE_MAX;
        }
        if (s.depth || !read_stamp(&s, r->start, r->end))
            scan_line(&s);
    } while (wsk_log_line(r));
    if (s.depth)
        wsk_log_leave(r, r->len, WSK_SAID(WSK_SAY_LOG_JSON_CUT, (double)s.line));
}
