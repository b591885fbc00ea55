/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/log/sweep.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "sim/base/rows.h"
#include "sim/base/units.h"
#include "sim/log/log.h"

enum { CELL = 64, COLUMNS = 64, ROWS_MAX = 10000, TOLD_MAX = 20 };

/* CARD and HIDDEN name the card of a row; a HIDDEN name, such as a serial number, is never shown. All rows must be of
 * one card. The other quantities are in the order of wsk_row_value. */
enum { LIMIT, LOCK, DRAWN, CLOCK, WORK, DIE, CARD, HIDDEN, QUANTITIES };
static const struct {
    wsk_dim dim;
    const char *unit; /* unit of a number if neither its cell nor the column's name states one */
} quantities[QUANTITIES] = {{WSK_DIM_POWER, "W"},       {WSK_DIM_FREQUENCY, "MHz"}, {WSK_DIM_POWER, "W"},
                            {WSK_DIM_FREQUENCY, "MHz"}, {WSK_DIM_NONE, ""},         {WSK_DIM_TEMPERATURE, "degC"},
                            {WSK_DIM_NONE, ""},         {WSK_DIM_NONE, ""}};
/* Known names of columns, reduced to lower-case letters and digits and without units: those of nvidia-smi, and common
 * ones. */
static const struct {
    const char *name;
    int quantity;
} known[] = {{"limit", LIMIT},
             {"powerlimit", LIMIT},
             {"enforcedpowerlimit", LIMIT},
             {"cap", LIMIT},
             {"powercap", LIMIT},
             {"lock", LOCK},
             {"setclock", LOCK},
             {"lockedclock", LOCK},
             {"clocklock", LOCK},
             {"power", DRAWN},
             {"watts", DRAWN},
             {"draw", DRAWN},
             {"powerdraw", DRAWN},
             {"powerdrawaverage", DRAWN},
             {"powerdrawinstant", DRAWN},
             {"measuredpower", DRAWN},
             {"boardpower", DRAWN},
             {"clock", CLOCK},
             {"smclock", CLOCK},
             {"coreclock", CLOCK},
             {"clockssm", CLOCK},
             {"clocksgr", CLOCK},
             {"clockscurrentsm", CLOCK},
             {"clockscurrentgraphics", CLOCK},
             {"work", WORK},
             {"perf", WORK},
             {"rate", WORK},
             {"throughput", WORK},
             {"speed", WORK},
             {"toks", WORK},
             {"tokspers", WORK},
             {"tokenss", WORK},
             {"tokenspers", WORK},
             {"tokenspersecond", WORK},
             {"its", WORK},
             {"iterationss", WORK},
             {"iterationspers", WORK},
             {"sampless", WORK},
             {"samplespers", WORK},
             {"perfrel", WORK},
             {"workrel", WORK},
             {"temperature", DIE},
             {"temp", DIE},
             {"die", DIE},
             {"gputemp", DIE},
             {"dietemp", DIE},
             {"temperaturegpu", DIE},
             {"index", CARD},
             {"gpuindex", CARD},
             {"gpu", CARD},
             {"gpuid", CARD},
             {"uuid", HIDDEN},
             {"gpuuuid", HIDDEN},
             {"serial", HIDDEN},
             {"gpuserial", HIDDEN},
             {"pcibusid", CARD},
             {"gpubusid", CARD}};

/* Counts by which a log (readings over time) that is given as a sweep is recognised: its rows are seconds apart and
 * have the same setting (power limit or locked clock). */
typedef struct {
    int column;         /* index of the first column with times; -1: there is none */
    size_t start, from; /* offsets of the header's line and of the column's name */
    int line;
    size_t rows, near;               /* rows with a time; rows soon after the row before, with the same setting */
    bool since;                      /* the times are numbers, which may also say how long a row took */
    double last_s, limit_w, lock_hz; /* time and setting of the row before */
} pace;
typedef struct {
    wsk_limits *s;
    const char *path;
    wsk_rows in;
    int told;
    char separator;
    size_t columns;
    int quantity[COLUMNS];
    char unit[COLUMNS][WSK_UNIT_BYTES];
    bool has[QUANTITIES];
    char card[2][CELL]; /* name of the card in the first row that has one: [0] CARD, [1] HIDDEN; "": none yet */
    char first[CELL];   /* name of the first column: a line that begins with it is a repeated header */
    pace pace;
} reader;

static void tell(reader *r, wsk_severity severity, size_t at, const wsk_said *said)
{
    if (r->told++ < TOLD_MAX || severity == WSK_DIAG_ERROR)
        wsk_diag_add(&r->s->diags, severity, r->path, r->in.line ? r->in.line : 1,
                     wsk_rows_column(r->in.text, r->in.start, at), said);
}

static size_t next_cell(const reader *r, size_t *at, char out[CELL])
{
    size_t from = *at, to = from, n = 0;
    const bool quoted = from < r->in.end && r->in.text[from] == '"';
    if (quoted)
        to++;
    while (to < r->in.end && (quoted ? r->in.text[to] != '"' : r->in.text[to] != r->separator))
        to++;
    *at = to;
    while (*at < r->in.end && r->in.text[*at] != r->separator)
        ++*at;
    *at += *at < r->in.end;
    from += quoted;
    wsk_trim(r->in.text, &from, &to);
    for (size_t i = from; i < to && n < CELL - 1; i++) {
        const char c = r->in.text[i];
        out[n++] = c > 0x1F && c < 0x7F ? c : '?';
    }
    out[n] = '\0';
    return from;
}

static bool absent(const char *cell)
{
    static const char *const words[] = {"",    "-",        "n/a",  "[n/a]", "[not supported]", "[unknown error]",
                                        "nan", "[notset]", "none", "null"};
    char low[CELL];
    size_t n = 0;
    for (; n < CELL - 1 && cell[n]; n++)
        low[n] = (char)tolower((unsigned char)cell[n]);
    low[n] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(low, words[i]) == 0)
            return true;
    return false;
}

/* Finds the quantity and the unit of a column by its name, such as "power.draw [W]" or "power_draw_w". *quantity -1:
 * the name is not known; unit "": the name states none. */
static void split_name(const char *cell, int *quantity, char unit[WSK_UNIT_BYTES])
{
    char bare[CELL];
    size_t n = 0;
    const char *bracket = strpbrk(cell, "[(");
    unit[0] = '\0';
    for (const char *c = cell; *c && c != bracket; c++)
        if (isalnum((unsigned char)*c))
            bare[n++] = (char)tolower((unsigned char)*c);
    bare[n] = '\0';
    if (bracket)
        snprintf(unit, WSK_UNIT_BYTES, "%.*s", (int)strcspn(bracket + 1, "])"), bracket + 1);
    *quantity = -1;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        static const char *const tails[] = {"", "w", "kw", "mhz", "ghz", "c", "degc", "k", "f"},
                                 *const units[] = {"", "W", "kW", "MHz", "GHz", "degC", "degC", "K", "degF"};
        const size_t whole = strlen(known[i].name);
        if (strncmp(bare, known[i].name, whole) != 0)
            continue;
        for (size_t t = 0; t < sizeof tails / sizeof *tails; t++) {
            double si;
            char currency[8], text[8 + WSK_UNIT_BYTES];
            size_t wrong;
            wsk_dim means;
            if (strcmp(bare + whole, tails[t]) != 0)
                continue;
            snprintf(text, sizeof text, "1 %s", units[t]);
            if (t && wsk_parse_quantity(text, quantities[known[i].quantity].dim, &si, currency, &wrong, &means) !=
                         WSK_UNIT_OK)
                continue;
            *quantity = known[i].quantity;
            if (t)
                snprintf(unit, WSK_UNIT_BYTES, "%s", units[t]);
            return;
        }
    }
}

static char separator_of(const reader *r)
{
    for (const char *c = "\t;,"; *c; c++)
        if (memchr(r->in.text + r->in.start, *c, r->in.end - r->in.start))
            return *c;
    return ',';
}

static bool is_time(const char *name)
{
    char unit[WSK_UNIT_BYTES];
    const wsk_log_name *n = wsk_log_table_name(&wsk_log_common, name, unit);
    return n && n->role == WSK_LOG_TIME;
}

static bool is_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 0.01 * fabs(b);
}

static void follow_time(pace *p, const char *cell, const double value[QUANTITIES])
{
    static const double near_s = 15;
    wsk_log_clock kind;
    double t;
    if (!wsk_log_time_of(cell, false, &kind, &t) && !wsk_log_time_of(cell, true, &kind, &t))
        return;
    p->near += p->rows && fabs(t - p->last_s) <= near_s && is_same(value[LIMIT], p->limit_w) &&
               is_same(value[LOCK], p->lock_hz);
    p->rows++;
    p->since = kind == WSK_LOG_SINCE;
    p->last_s = t;
    p->limit_w = value[LIMIT];
    p->lock_hz = value[LOCK];
}

static bool is_log(const pace *p)
{
    enum { FEW = 20, FEW_NUMBERS = 60 }; /* fewer rows than these, seconds apart, may be a sweep of short runs */
    return p->rows >= (p->since ? FEW_NUMBERS : FEW) && 2 * p->near > p->rows;
}

static void refuse_log(reader *r)
{
    r->in.line = r->pace.line;
    r->in.start = r->pace.start;
    tell(r, WSK_DIAG_ERROR, r->pace.from, WSK_SAID(WSK_SAY_SWEEP_LOG));
}

static bool read_header(reader *r)
{
    char cell[CELL];
    if (!wsk_rows_next(&r->in)) {
        tell(r, WSK_DIAG_ERROR, 0, WSK_SAID(WSK_SAY_SWEEP_EMPTY));
        return false;
    }
    r->separator = separator_of(r);
    for (size_t at = r->in.start; at < r->in.end && r->columns < COLUMNS; r->columns++) {
        const size_t from = next_cell(r, &at, cell);
        int *q = &r->quantity[r->columns];
        if (r->columns == 0)
            memcpy(r->first, cell, CELL);
        if (r->pace.column < 0 && is_time(cell))
            r->pace = (pace){.column = (int)r->columns, .start = r->in.start, .from = from, .line = r->in.line};
        split_name(cell, q, r->unit[r->columns]);
        if (*q >= 0 && r->has[*q])
            *q = -1;
        if (*q >= 0)
            r->has[*q] = true;
        else
            tell(r, WSK_DIAG_WARNING, from, WSK_SAID(WSK_SAY_SWEEP_COLUMN, (const char *)cell));
    }
    if (!r->has[LIMIT] && !r->has[LOCK] && !r->has[DRAWN])
        tell(r, WSK_DIAG_ERROR, r->in.start, WSK_SAID(WSK_SAY_SWEEP_NO_SETTING));
    else if (!r->has[DRAWN] && !r->has[CLOCK] && !r->has[WORK])
        tell(r, WSK_DIAG_ERROR, r->in.start, WSK_SAID(WSK_SAY_SWEEP_NO_RESULT));
    return r->s->diags.errors == 0;
}

static double read_value(reader *r, size_t column, size_t from, char cell[CELL])
{
    char text[CELL + WSK_UNIT_BYTES + 1], currency[8];
    const int q = r->quantity[column];
    const char *end;
    double si = NAN;
    size_t wrong;
    wsk_dim means;
    if (absent(cell))
        return NAN;
    if (r->separator != ',')
        for (char *c = cell; *c; c++)
            *c = *c == ',' ? '.' : *c;
    (void)wsk_number_at(cell, &end);
    snprintf(text, sizeof text, "%s%s%s", cell, *end || q == WORK ? "" : " ",
             *end || q == WORK  ? ""
             : *r->unit[column] ? r->unit[column]
                                : quantities[q].unit);
    if (end == cell || wsk_parse_quantity(text, quantities[q].dim, &si, currency, &wrong, &means) != WSK_UNIT_OK ||
        !(si > 0)) {
        tell(r, WSK_DIAG_ERROR, from, WSK_SAID(WSK_SAY_SWEEP_CELL, (const char *)text));
        return NAN;
    }
    return si;
}

static bool keep_row(wsk_limits *s, const double value[QUANTITIES], const struct wsk_limits_place *place)
{
    if (s->count == s->room) {
        const size_t room = s->room ? 2 * s->room : 64;
        wsk_calibrate_row *more = wsk_alloc(s->arena, room * sizeof *more);
        struct wsk_limits_place *places = wsk_alloc(s->arena, room * sizeof *places);
        if (!more || !places)
            return false;
        if (s->count) {
            memcpy(more, s->rows, s->count * sizeof *more);
            memcpy(places, s->places, s->count * sizeof *places);
            wsk_arena_drop(s->rows, s->count * sizeof *more);
            wsk_arena_drop(s->places, s->count * sizeof *places);
        }
        s->rows = more;
        s->places = places;
        s->room = room;
    }
    s->places[s->count] = *place;
    s->rows[s->count++] = (wsk_calibrate_row){.limit_w = value[LIMIT],
                                              .lock_hz = value[LOCK],
                                              .drawn_w = value[DRAWN],
                                              .clock_hz = value[CLOCK],
                                              .work = value[WORK],
                                              .die_k = value[DIE]};
    return true;
}

static void check_card(reader *r, bool hidden, size_t from, const char *cell)
{
    char *card = r->card[hidden];
    if (absent(cell) || strcmp(card, cell) == 0)
        return;
    if (!*card)
        memcpy(card, cell, CELL);
    else
        tell(r, WSK_DIAG_ERROR, from, WSK_SAID(WSK_SAY_SWEEP_CARDS, hidden ? "0" : card, hidden ? "1" : cell));
}

/* Reports text behind the last column. It may come from a number with a decimal comma, which makes two cells, so that
 * all values behind the number are in wrong columns. */
static void check_end(reader *r, size_t at)
{
    char cell[CELL];
    while (at < r->in.end) {
        const size_t from = next_cell(r, &at, cell);
        if (!*cell)
            continue;
        tell(r, WSK_DIAG_ERROR, from, WSK_SAID(WSK_SAY_SWEEP_CELLS, (unsigned long)r->columns));
        return;
    }
}

static bool read_row(reader *r)
{
    double value[QUANTITIES] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    struct wsk_limits_place place = {.line = r->in.line};
    char cell[CELL], time[CELL] = "";
    size_t at = r->in.start;
    const size_t errors = r->s->diags.errors;
    for (size_t column = 0; column < r->columns && (at < r->in.end || !column); column++) {
        const size_t from = next_cell(r, &at, cell);
        if (!column && strcmp(cell, r->first) == 0)
            return true;
        if ((int)column == r->pace.column)
            memcpy(time, cell, CELL);
        const int q = r->quantity[column];
        if (q == CARD || q == HIDDEN) {
            check_card(r, q == HIDDEN, from, cell);
        } else if (q >= 0) {
            value[q] = read_value(r, column, from, cell);
            place.column[q] = wsk_rows_column(r->in.text, r->in.start, from);
        }
    }
    check_end(r, at);
    follow_time(&r->pace, time, value);
    const bool set = !isnan(value[LIMIT]) || !isnan(value[LOCK]) || !isnan(value[DRAWN]),
               told = !isnan(value[DRAWN]) || !isnan(value[CLOCK]) || !isnan(value[WORK]);
    if (set && told)
        return keep_row(r->s, value, &place);
    if (r->s->diags.errors == errors)
        tell(r, WSK_DIAG_WARNING, r->in.start, WSK_SAID(WSK_SAY_SWEEP_ROW));
    return true;
}

wsk_status wsk_limits_read(wsk_limits **out, const char *path, const char *text, size_t len)
{
    *out = NULL;
    wsk_arena *arena = wsk_arena_new();
    wsk_limits *s = arena ? wsk_alloc(arena, sizeof *s) : NULL;
    if (!s) {
        wsk_arena_free(arena);
        return WSK_ENOMEM;
    }
    s->arena = arena;
    wsk_diags_init(&s->diags, arena);
    const size_t mark = wsk_utf8_mark(text, len);
    reader r = {.s = s, .path = path, .in = {.text = text + mark, .len = len - mark}, .pace = {.column = -1}};
    if (wsk_is_gzip(text, len))
        tell(&r, WSK_DIAG_ERROR, 0, WSK_SAID(WSK_SAY_GZIP));
    else if (wsk_is_utf16(text, len))
        tell(&r, WSK_DIAG_ERROR, 0, WSK_SAID(WSK_SAY_UTF16));
    else if (read_header(&r))
        while (s->count <= ROWS_MAX && s->diags.errors < TOLD_MAX && wsk_rows_next(&r.in) && read_row(&r)) {
        }
    if (is_log(&r.pace)) {
        refuse_log(&r);
    } else if (!s->diags.errors && s->count < 2) {
        r.in.start = r.in.end = r.in.len;
        tell(&r, WSK_DIAG_ERROR, r.in.len, WSK_SAID(WSK_SAY_SWEEP_FEW_ROWS, (unsigned long)s->count));
    } else if (!s->diags.errors && s->count > ROWS_MAX) {
        tell(&r, WSK_DIAG_ERROR, r.in.start, WSK_SAID(WSK_SAY_SWEEP_MANY_ROWS, ROWS_MAX));
    }
    if (wsk_arena_failed(arena)) {
        wsk_arena_free(arena);
        return WSK_ENOMEM;
    }
    *out = s;
    return s->diags.errors ? WSK_EINPUT : WSK_OK;
}

void wsk_limits_free(wsk_limits *s)
{
    if (s)
        wsk_arena_free(s->arena);
}

const wsk_calibrate_row *wsk_limits_rows(const wsk_limits *s, size_t *count)
{
    *count = s->count;
    return s->rows;
}

void wsk_limits_place(const wsk_limits *s, size_t row, wsk_row_value value, int *line, int *column)
{
    const bool stated = row < s->count && value < WSK_ROW_VALUES && s->places[row].column[value] > 0;
    *line = row < s->count ? s->places[row].line : 1;
    *column = stated ? s->places[row].column[value] : 1;
}

size_t wsk_limits_messages(const wsk_limits *s)
{
    return s->diags.count;
}

const wsk_said *wsk_limits_message(const wsk_limits *s, size_t i, int *severity, int *line, int *column)
{
    const wsk_diag *d = &s->diags.items[i];
    *severity = (int)d->severity;
    *line = d->line;
    *column = d->column;
    return d->said;
}
