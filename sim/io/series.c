/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads data files: comma-separated text with two columns, time and value, below a header line whose names end in the
 * unit: "time,temp_c" with civil dates, or "t_h,temp_f". Comments begin with #. */
#include <math.h>
#include <string.h>

#include "sim/base/calendar.h"
#include "sim/base/rows.h"
#include "sim/base/units.h"
#include "sim/io/load.h"

#define ROWS_MAX 1100000 /* most rows; a year of half minutes has 1,051,200 */
#define TIME_MAX 1e11    /* largest time, s: about 3,000 years */
#define CELL 64
#define TOLD_MAX 20
#define PATH_BYTES 200
#define YEAR_S (365.0 * WSK_DAY_S)

typedef struct {
    size_t from, to;
} cell;
typedef struct {
    wsk_loader *l;
    const wsk_param *p;
    wsk_series_doc *doc;
    wsk_rows in;
    int told;
    char time_unit[WSK_UNIT_BYTES], unit[WSK_UNIT_BYTES]; /* units of the columns; "": civil dates, plain values */
    double *t, *y;
    size_t count;
} reader;

static cell trim_cell(const reader *r, size_t from, size_t to)
{
    wsk_trim(r->in.text, &from, &to);
    bool quoted = to - from >= 2 && r->in.text[from] == '"' && r->in.text[to - 1] == '"';
    return (cell){from + quoted, to - quoted};
}

static void report_error(reader *r, size_t at, const wsk_said *said)
{
    r->told++;
    wsk_io_error(&r->doc->diags, r->doc->path, r->in.line ? r->in.line : 1,
                 wsk_rows_column(r->in.text, r->in.start, at), said);
}

static bool cell_text(const reader *r, cell c, char out[CELL])
{
    size_t n = c.to - c.from < CELL - 1 ? c.to - c.from : CELL - 1;
    for (size_t i = 0; i < n; i++) {
        char b = r->in.text[c.from + i];
        out[i] = b > 0x1F && b < 0x7F ? b : '?';
    }
    out[n] = '\0';
    return c.to - c.from < CELL - 1;
}

static bool two_cells(reader *r, cell *first, cell *second)
{
    const char *line = r->in.text + r->in.start;
    const char *comma = memchr(line, ',', r->in.end - r->in.start);
    if (!comma) {
        bool other = memchr(line, ';', r->in.end - r->in.start) || memchr(line, '\t', r->in.end - r->in.start);
        report_error(r, trim_cell(r, r->in.start, r->in.end).from,
                     other ? WSK_SAID(WSK_SAY_OTHER_SEPARATOR) : WSK_SAID(WSK_SAY_ONE_COLUMN));
        return false;
    }
    size_t at = (size_t)(comma - r->in.text);
    const char *third = memchr(comma + 1, ',', r->in.end - at - 1);
    if (third) {
        report_error(r, (size_t)(third - r->in.text), WSK_SAID(WSK_SAY_MORE_COLUMNS));
        return false;
    }
    *first = trim_cell(r, r->in.start, at);
    *second = trim_cell(r, at + 1, r->in.end);
    return true;
}

static char lower_case(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The form of a unit at the end of a column name: "W_per_K" for "W/K", "percent" for "%". */
static void unit_name(char out[CELL], const char *unit)
{
    size_t n = 0;
    for (; *unit && n < CELL - 10; unit++) {
        char one[2] = {*unit, '\0'};
        const char *piece = *unit == '/'                   ? "_per_"
                            : *unit == '%'                 ? "percent"
                            : *unit == '(' || *unit == ')' ? ""
                                                           : one;
        n += (size_t)snprintf(out + n, CELL - n, "%s", piece);
    }
    out[n] = '\0';
}

/* How well a column name ends in this unit: a higher value for a longer unit, and if capitals match; 0: the name does
 * not end in the unit. label: a currency label stands before the unit. */
static size_t ends_in(const char *name, const char *unit, bool label)
{
    char tail[CELL];
    unit_name(tail, unit);
    size_t n = strlen(name), k = strlen(tail);
    size_t lead = label ? 3 : 0;
    if (k + lead > n || (n > k + lead && name[n - k - lead - 1] != '_') || (n == k + lead && !label))
        return 0;
    bool same = true;
    for (size_t i = 0; i < k; i++) {
        if (lower_case(name[n - k + i]) != lower_case(tail[i]))
            return 0;
        same = same && name[n - k + i] == tail[i];
    }
    for (size_t i = 0; i < lead; i++) {
        char c = lower_case(name[n - k - lead + i]);
        if (c < 'a' || c > 'z')
            return 0;
    }
    return 2 * (k + lead) + same;
}

static bool same_unit(const wsk_unit *a, const wsk_unit *b)
{
    return a->exp10 == b->exp10 && !(a->mul < b->mul) && !(a->mul > b->mul) && !(a->div < b->div) &&
           !(a->div > b->div);
}

/* Finds the unit of a dimension at the end of a column name: "temp_c". False: no unit although the dimension needs
 * one, or several, as _mw may be mW or MW. */
static bool unit_of(const char *name, wsk_dim dim, char out[WSK_UNIT_BYTES])
{
    size_t len = strlen(name);
    if (dim == WSK_DIM_FRACTION && len > 4 && wsk_distance(name + len - 4, "_pct") == 0) {
        snprintf(out, WSK_UNIT_BYTES, "%%");
        return true;
    }
    static const wsk_unit plain_price = {"", WSK_DIM_PRICE, 0, 1, 1, 0, 0};
    bool label = dim == WSK_DIM_PRICE || dim == WSK_DIM_ENERGY_PRICE, several = false;
    const wsk_unit *best = NULL;
    size_t most = 0, n = strlen(name);
    if (dim == WSK_DIM_PRICE && (most = ends_in(name, "", true)) > 0)
        best = &plain_price;
    for (size_t i = 0; i < wsk_unit_count; i++) {
        const wsk_unit *u = &wsk_units[i];
        size_t fit = u->dim == dim ? ends_in(name, u->text, label) : 0;
        if (fit == 0 || fit < most)
            continue;
        several = fit == most && (several || !same_unit(best, u));
        best = u;
        most = fit;
    }
    out[0] = '\0';
    if (!best)
        return dim == WSK_DIM_NONE || dim == WSK_DIM_COUNT || dim == WSK_DIM_FRACTION;
    if (several)
        return false;
    size_t lead = label ? n - most / 2 : 0;
    for (size_t i = 0; label && i < 3; i++)
        out[i] = (char)(lower_case(name[lead + i]) - 'a' + 'A');
    snprintf(out + 3 * label, WSK_UNIT_BYTES - 3 * (size_t)label, "%s", best->text);
    return true;
}

static const char *endings(const reader *r, wsk_dim dim, char *out, size_t size)
{
    char *fits = wsk_strdup(r->l->arena, wsk_dim_about(dim)->fits), tail[CELL];
    wsk_names names = {.arena = r->l->arena};
    if (dim == WSK_DIM_PRICE || dim == WSK_DIM_ENERGY_PRICE)
        return dim == WSK_DIM_PRICE ? "_eur or another currency" : "_eur_per_kwh or another currency";
    while (fits && *fits) {
        char *word = fits;
        fits += strcspn(fits, ", ");
        if (*fits)
            *fits++ = '\0';
        unit_name(tail, strncmp(word, "deg", 3) == 0 ? word + 3 : word);
        for (char *c = tail; *c; c++)
            *c = lower_case(*c);
        char *name = *word ? wsk_printf(r->l->arena, "_%s", tail) : NULL;
        if (name)
            wsk_names_add(&names, name);
    }
    return wsk_io_list(out, size, &names);
}

static bool read_header(reader *r)
{
    cell first, second;
    char time[CELL], value[CELL], q[WSK_QUOTED], list[160];
    if (!wsk_rows_next(&r->in)) {
        report_error(r, r->in.end, WSK_SAID(WSK_SAY_DATA_EMPTY));
        return false;
    }
    if (!two_cells(r, &first, &second))
        return false;
    cell_text(r, first, time);
    cell_text(r, second, value);
    if (*time >= '0' && *time <= '9') {
        report_error(r, first.from, WSK_SAID(WSK_SAY_NO_HEADER, wsk_io_quote(q, time)));
        return false;
    }
    r->doc->series.civil = wsk_distance(time, "time") == 0;
    bool good = r->doc->series.civil || unit_of(time, WSK_DIM_TIME, r->time_unit);
    if (!good)
        report_error(r, first.from, WSK_SAID(WSK_SAY_TIME_COLUMN, wsk_io_quote(q, time)));
    if (unit_of(value, r->p->dim, r->unit))
        return good;
    report_error(r, second.from,
                 WSK_SAID(WSK_SAY_VALUE_COLUMN, wsk_io_quote(q, value), WSK_WORD(wsk_dim_about(r->p->dim)->name),
                          endings(r, r->p->dim, list, sizeof list)));
    return false;
}

static bool read_time(reader *r, cell c, double *t)
{
    char text[CELL], q[WSK_QUOTED], full[CELL + WSK_UNIT_BYTES];
    bool fits = cell_text(r, c, text);
    if (r->doc->series.civil) {
        int64_t civil = 0;
        if (strlen(text) > 10 && text[10] == ' ')
            text[10] = 'T';
        if (!fits || !wsk_parse_datetime(text, &civil)) {
            cell_text(r, c, text); /* restores the text, in which a blank may have become T, for the message */
            report_error(r, c.from, WSK_SAID(WSK_SAY_DATA_DATE, wsk_io_quote(q, text)));
            return false;
        }
        *t = (double)civil;
        return true;
    }
    snprintf(full, sizeof full, "%s %s", text, r->time_unit);
    if (!fits || wsk_parse_quantity(full, WSK_DIM_TIME, t, NULL, NULL, NULL) != WSK_UNIT_OK ||
        !(fabs(*t) <= TIME_MAX)) {
        report_error(r, c.from, WSK_SAID(WSK_SAY_DATA_TIME, wsk_io_quote(q, text), r->time_unit));
        return false;
    }
    return true;
}

static bool in_range(reader *r, cell c, const char *text, double y)
{
    const wsk_param *p = r->p;
    char q[WSK_QUOTED], bound[64];
    bool low = (p->flags & WSK_POSITIVE) && !(y > 0);
    if (low) {
        report_error(r, c.from, WSK_SAID(WSK_SAY_NOT_POSITIVE, wsk_io_quote(q, text), (const wsk_said *)NULL));
        return false;
    }
    if ((!(p->min < 0) && !(p->min > 0) && !(p->max < 0) && !(p->max > 0)) || (y >= p->min && y <= p->max))
        return true;
    low = y < p->min;
    wsk_format_bound(bound, sizeof bound, low ? p->min : p->max, p->dim, r->doc->currency);
    bool bare = p->dim == WSK_DIM_FRACTION && !*r->unit;
    if (bare)
        wsk_format_number(bound, sizeof bound, low ? p->min : p->max);
    const wsk_said *why = bare ? WSK_SAID(WSK_SAY_COLUMN_PERCENT) : NULL;
    wsk_io_quote(q, text);
    report_error(r, c.from,
                 low ? WSK_SAID(WSK_SAY_AT_LEAST, q, bound, why) : WSK_SAID(WSK_SAY_AT_MOST, q, bound, why));
    return false;
}

static bool read_value(reader *r, cell c, double *y)
{
    char text[CELL], q[WSK_QUOTED], full[CELL + WSK_UNIT_BYTES], currency[8] = "";
    bool fits = cell_text(r, c, text);
    snprintf(full, sizeof full, "%s %s", text, r->unit);
    if (c.from == c.to) {
        report_error(r, c.from, WSK_SAID(WSK_SAY_DATA_NO_VALUE));
        return false;
    }
    if (!fits || wsk_parse_quantity(full, r->p->dim, y, currency, NULL, NULL) != WSK_UNIT_OK || !isfinite(*y)) {
        wsk_io_quote(q, text);
        report_error(r, c.from,
                     *r->unit ? WSK_SAID(WSK_SAY_DATA_NOT_NUMBER, q, r->unit) : WSK_SAID(WSK_SAY_DATA_NOT_PLAIN, q));
        return false;
    }
    memcpy(r->doc->currency, currency, sizeof currency);
    *y = wsk_at_limit(*y, r->p->min, r->p->max);
    return in_range(r, c, text, *y);
}

static void read_row(reader *r)
{
    cell first, second;
    double t = 0, y = 0;
    if (!two_cells(r, &first, &second))
        return;
    bool timed = read_time(r, first, &t), valued = read_value(r, second, &y);
    if (!timed)
        return;
    if (r->count && t <= r->t[r->count - 1]) {
        char text[CELL], q[WSK_QUOTED];
        cell_text(r, first, text);
        report_error(r, first.from, WSK_SAID(WSK_SAY_DATA_ORDER, wsk_io_quote(q, text)));
        return;
    }
    r->t[r->count] = t + 0.0; /* + 0.0 turns a negative zero into zero */
    r->y[r->count++] = valued ? y + 0.0 : 0;
}

static bool make_room(reader *r)
{
    size_t rows = 1;
    for (const char *c = r->in.text + r->in.at, *end = r->in.text + r->in.len;
         (c = memchr(c, r->in.ends, (size_t)(end - c))) != NULL; c++)
        rows++;
    if (rows > ROWS_MAX) {
        report_error(r, r->in.start, WSK_SAID(WSK_SAY_DATA_ROWS));
        return false;
    }
    r->t = wsk_alloc(r->l->arena, rows * sizeof *r->t);
    r->y = wsk_alloc(r->l->arena, rows * sizeof *r->y);
    return r->t && r->y;
}

/* Completes a series. Its period is its length plus the spacing of its last two rows. A series of dates whose period
 * is within two days of a year gets a period of 365 days, so that hours of the day are kept. The means include the
 * time from the last row to the first row of the next period. */
static void finish_series(wsk_series *s, double *t, double *y, size_t n)
{
    double span = t[n - 1] - t[0], mean = 0, held = 0;
    s->count = n;
    s->t = t;
    s->y = y;
    s->rows_s = s->period_s = span + (t[n - 1] - t[n - 2]);
    if (s->civil && fabs(s->period_s - YEAR_S) <= 2 * WSK_DAY_S)
        s->period_s = YEAR_S;
    double all = s->period_s > span ? s->period_s : span;
    for (size_t i = 0; i + 1 < n; i++) {
        double share = (t[i + 1] - t[i]) / all;
        mean += share * (0.5 * y[i] + 0.5 * y[i + 1]);
        held += share * y[i];
    }
    s->mean = mean + (all - span) / all * (0.5 * y[n - 1] + 0.5 * y[0]);
    s->held_mean = held + (all - span) / all * y[n - 1];
    s->most = y[0];
    for (size_t i = 1; i < n; i++)
        s->most = y[i] > s->most ? y[i] : s->most;
}

void wsk_series_parse(wsk_loader *l, const wsk_param *p, wsk_series_doc *doc, const char *text, size_t len)
{
    reader r = {.l = l, .p = p, .doc = doc, .in = {.text = text, .len = len}};
    doc->series = (wsk_series){0};
    r.in.at = wsk_utf8_mark(text, len);
    if (memchr(text, '\0', len)) {
        r.in.line = 1;
        report_error(&r, 0, wsk_is_utf16(text, len) ? WSK_SAID(WSK_SAY_UTF16) : WSK_SAID(WSK_SAY_DATA_BINARY));
        return;
    }
    if (!read_header(&r) || !make_room(&r))
        return;
    while (r.told < TOLD_MAX && wsk_rows_next(&r.in))
        read_row(&r);
    if (r.told == 0 && r.count < 2)
        report_error(&r, r.in.start, WSK_SAID(WSK_SAY_DATA_FEW_ROWS));
    if (r.told == 0)
        finish_series(&doc->series, r.t, r.y, r.count);
}

static bool name_valid(const char *name)
{
    size_t len = strlen(name);
    if (len == 0 || len > PATH_BYTES || name[len - 1] == '/')
        return false;
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)name[i] < 0x20 || name[i] == 0x7F || name[i] == '\\')
            return false;
        if ((i == 0 || name[i - 1] == '/') && (name[i] == '/' || name[i] == '.'))
            return false;
    }
    return true;
}

bool wsk_data_path(wsk_loader *l, const char *name, const char **path, const wsk_said **why)
{
    if (!name_valid(name) || !l->data_dir) {
        *why = name_valid(name) ? WSK_SAY(l->arena, WSK_SAY_DATA_STDIN) : WSK_SAY(l->arena, WSK_SAY_DATA_NAME);
        return false;
    }
    bool here = strcmp(l->data_dir, ".") == 0;
    *path = here ? name : wsk_printf(l->arena, "%s/%s", l->data_dir, name);
    return *path;
}

static const wsk_file *open_data(wsk_loader *l, const char *name, const char **path, const wsk_said **why)
{
    if (!wsk_data_path(l, name, path, why))
        return NULL;
    const wsk_file *f = wsk_loader_file(l, l->data_dir, *path, "data", why);
    if (!f && !*why)
        *why = WSK_SAY(l->arena, WSK_SAY_DATA_MISSING, *path);
    return f;
}

static wsk_series_doc *open_doc(wsk_loader *l, const wsk_param *p, const char *name)
{
    for (wsk_series_doc *d = l->series; d; d = d->next)
        if (d->param == p && strcmp(d->name, name) == 0)
            return d;
    wsk_series_doc *doc = wsk_alloc(l->arena, sizeof *doc);
    if (!doc)
        return NULL;
    *doc = (wsk_series_doc){.name = name, .param = p, .next = l->series};
    wsk_diags_init(&doc->diags, l->arena);
    l->series = doc;
    const wsk_file *f = open_data(l, name, &doc->path, &doc->why);
    if (f)
        wsk_series_parse(l, p, doc, f->text, f->len);
    return doc;
}

bool wsk_series_read(wsk_loader *l, const wsk_param *p, wsk_origin *o, wsk_series *out)
{
    const wsk_series_doc *doc = open_doc(l, p, o->text);
    if (wsk_loader_full(l))
        return false;
    if (doc->why) {
        char q[WSK_QUOTED];
        l->bad_files = true;
        wsk_value_error(l->diags, o, WSK_SAID(WSK_SAY_DATA_WHY, p->name, wsk_io_quote(q, o->text), doc->why));
    }
    for (size_t i = 0; i < doc->diags.count; i++)
        wsk_io_error(l->diags, doc->diags.items[i].file, doc->diags.items[i].line, doc->diags.items[i].column,
                     doc->diags.items[i].said);
    if (doc->why || doc->diags.errors)
        return false;
    memcpy(o->currency, doc->currency, sizeof o->currency);
    *out = doc->series;
    return true;
}
