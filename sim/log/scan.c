/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/rows.h"
#include "sim/log/log.h"

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\0';
}

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

static void remove_before(wsk_log_reader *r, size_t offset)
{
    memmove(r->window, r->window + offset, r->len - offset);
    r->len -= offset;
    r->at -= offset;
    r->start -= offset;
    r->end -= r->end < offset ? r->end : offset;
    r->keep -= r->keep < SIZE_MAX ? offset : 0;
}

void wsk_log_pass(wsk_log_reader *r)
{
    const size_t needed = r->keep < r->start ? r->keep : r->start;
    if (r->window && needed >= WSK_LOG_PIECE && needed >= r->len / 2)
        remove_before(r, needed);
}

static bool make_room(wsk_log_reader *r)
{
    const size_t room = r->room ? 2 * r->room : (size_t)4 * WSK_LOG_PIECE;
    char *window = realloc(r->window, room);
    r->log->failed = r->log->failed || !window;
    if (window) {
        r->text = r->window = window;
        r->room = room;
    }
    return window != NULL;
}

size_t wsk_log_reach(wsk_log_reader *r, size_t offset)
{
    while (r->len < offset && !r->ended) {
        const bool able = r->room - r->len >= WSK_LOG_PIECE || make_room(r);
        const size_t got = able ? r->read(r->user, r->window + r->len, r->room - r->len) : 0;
        r->len += got;
        r->ended = got == 0;
    }
    return r->len;
}

static const char *find_newline(wsk_log_reader *r)
{
    const char *newline = NULL;
    for (size_t from = r->at, to; !newline && (to = wsk_log_reach(r, from + 1)) > from; from = to)
        newline = memchr(r->text + from, r->ends, to - from);
    return newline;
}

bool wsk_log_line(wsk_log_reader *r)
{
    wsk_log_pass(r);
    while (wsk_log_reach(r, r->at + 1) > r->at) {
        const char *newline = find_newline(r);
        r->start = r->at;
        r->end = newline ? (size_t)(newline - r->text) : r->len;
        r->at = r->end + (newline != NULL);
        r->whole = newline != NULL;
        r->log->line = ++r->line;
        for (size_t i = r->start; i < r->end; i++)
            if (!blank(r->text[i]))
                return true;
    }
    r->start = r->end = r->len;
    return false;
}

bool wsk_log_begins(const wsk_log_reader *r, const char *text)
{
    size_t i = r->start;
    const size_t n = strlen(text);
    while (i < r->end && blank(r->text[i]))
        i++;
    return r->end - i >= n && memcmp(r->text + i, text, n) == 0;
}

void wsk_log_tell(wsk_log_reader *r, wsk_severity severity, size_t at, const wsk_said *said)
{
    if (r->told++ < WSK_LOG_TOLD || severity == WSK_DIAG_ERROR)
        wsk_diag_add(&r->log->diags, severity, r->path, r->line ? r->line : 1,
                     wsk_rows_column(r->text, r->start, at < r->len ? at : r->len), said);
}

void wsk_log_leave(wsk_log_reader *r, size_t at, const wsk_said *said)
{
    r->log->left_out++;
    wsk_log_tell(r, WSK_DIAG_WARNING, at, said);
}

size_t wsk_log_cell(const wsk_log_reader *r, size_t *at, char out[WSK_LOG_CELL])
{
    size_t from = *at, to, n = 0;
    while (from < r->end && blank(r->text[from]) && r->text[from] != r->separator)
        from++;
    const bool quoted = from < r->end && r->text[from] == '"';
    from += quoted;
    for (to = from; to < r->end && r->text[to] != (quoted ? '"' : r->separator); to++) {
    }
    *at = to;
    while (*at < r->end && r->text[*at] != r->separator)
        ++*at;
    *at += *at < r->end;
    while (from < to && blank(r->text[from]))
        from++;
    while (to > from && blank(r->text[to - 1]))
        to--;
    for (size_t i = from; i < to && n < WSK_LOG_CELL - 1; i++) {
        const unsigned char c = (unsigned char)r->text[i];
        if (c == 0xC2 || c == 0xB0) /* the degree sign in UTF-8 and in code pages */
            continue;
        out[n++] = c > 0x1F && c < 0x7F ? (char)c : '?';
    }
    out[n] = '\0';
    return from;
}

bool wsk_log_absent(const char *cell)
{
    static const char *const words[] = {"",     "-",    "n/a",           "nan",           "none", "null",
                                        "err!", "+nan", "not supported", "unknown error", "no"};
    char low[WSK_LOG_CELL];
    size_t n = 0;
    for (; cell[n] && n < sizeof low - 1; n++)
        low[n] = (char)tolower((unsigned char)cell[n]);
    low[n] = '\0';
    if (*cell == '[')
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(low, words[i]) == 0)
            return true;
    return false;
}

static const struct {
    wsk_dim dim;
    const char *unit;
    double min, max; /* least and greatest plausible SI value; sensors without a reading report values outside */
} quantities[WSK_LOG_TIME + 1] = {
    [WSK_LOG_POWER] = {WSK_DIM_POWER, "W", 0, 1e5},
    [WSK_LOG_LIMIT] = {WSK_DIM_POWER, "W", 0, 1e5},
    [WSK_LOG_UTILISATION] = {WSK_DIM_FRACTION, "%", 0, 1.005},
    [WSK_LOG_MEMORY_UTILISATION] = {WSK_DIM_FRACTION, "%", 0, 1.005},
    [WSK_LOG_CLOCK] = {WSK_DIM_FREQUENCY, "MHz", 0, 1e10},
    [WSK_LOG_MEMORY_CLOCK] = {WSK_DIM_FREQUENCY, "MHz", 0, 1e11},
    [WSK_LOG_DIE] = {WSK_DIM_TEMPERATURE, "degC", 200, 500},
    [WSK_LOG_MEMORY] = {WSK_DIM_TEMPERATURE, "degC", 200, 500},
    [WSK_LOG_HOT_SPOT] = {WSK_DIM_TEMPERATURE, "degC", 200, 500},
    [WSK_LOG_FAN] = {WSK_DIM_FRACTION, "%", 0, 2.55},
    [WSK_LOG_FAN_SPEED] = {WSK_DIM_SPEED, "rpm", 0, 1e5},
    [WSK_LOG_INLET] = {WSK_DIM_TEMPERATURE, "degC", 200, 500},
    [WSK_LOG_WORK] = {WSK_DIM_NONE, "", 0, 1e15},
    [WSK_LOG_WALL] = {WSK_DIM_POWER, "W", 0, 1e6},
    [WSK_LOG_TIME] = {WSK_DIM_TIME, "s", 0, INFINITY},
};

static bool same_text(const char *a, const char *b)
{
    for (; *a && tolower((unsigned char)*a) == tolower((unsigned char)*b); a++, b++) {
    }
    return !*a && !*b;
}

bool wsk_log_scale_of(int quantity, const char *unit, wsk_log_scale *scale)
{
    static const struct {
        const char *log, *unit;
    } others[] = {{"C", "degC"},    {"?C", "degC"},     {"F", "degF"},       {"Watt", "W"},     {"Watts", "W"},
                  {"percent", "%"}, {"pct", "%"},       {"celsius", "degC"}, {"deg C", "degC"}, {"sec", "s"},
                  {"seconds", "s"}, {"minutes", "min"}, {"hours", "h"},      {"days", "d"}};
    const char *real = *unit ? unit : quantities[quantity].unit;
    *scale = (wsk_log_scale){.mul = 1};
    snprintf(scale->unit, sizeof scale->unit, "%s", unit);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (same_text(real, others[i].log))
            real = others[i].unit;
    if (quantities[quantity].dim == WSK_DIM_NONE || strcmp(real, "1") == 0)
        return true;
    for (size_t i = 0; i < wsk_unit_count; i++) {
        const wsk_unit *u = &wsk_units[i];
        /* Case matters for power only, where mW and MW differ. For other quantities logs also write MHZ, RPM or c. */
        if (u->dim != quantities[quantity].dim || (strcmp(u->text, real) != 0 && (*real == 'm' || *real == 'M') &&
                                                   quantities[quantity].dim == WSK_DIM_POWER))
            continue;
        if (!same_text(u->text, real))
            continue;
        scale->mul = pow(10, u->exp10) * u->mul / u->div;
        scale->add = u->before * u->mul / u->div + u->after;
        return true;
    }
    return false;
}

bool wsk_log_value(int quantity, const char *cell, wsk_log_scale *scale, double *si)
{
    char text[WSK_LOG_CELL], unit[WSK_UNIT_BYTES];
    const char *end;
    const bool framed = *cell == '('; /* as rocm-smi writes clocks: (800Mhz) */
    snprintf(text, sizeof text, "%.*s", framed ? (int)strcspn(cell + 1, ")") : WSK_LOG_CELL, cell + framed);
    for (char *c = text; *c; c++) /* a comma inside a cell is a decimal comma */
        *c = *c == ',' ? '.' : *c;
    *si = wsk_number_at(text, &end);
    if (end == text || !isfinite(*si))
        return false;
    while (*end == ' ')
        end++;
    snprintf(unit, sizeof unit, "%s", end);
    if (*unit && strcmp(unit, scale->unit) != 0 && !wsk_log_scale_of(quantity, unit, scale))
        return false;
    *si = *si * scale->mul + scale->add;
    return *si >= quantities[quantity].min && *si <= quantities[quantity].max;
}

void wsk_log_bare(const char *cell, char bare[WSK_LOG_CELL], char unit[WSK_UNIT_BYTES])
{
    size_t n = 0;
    const char *bracket = NULL; /* the last bracket with a unit: "GPU [#0]: GPU Power [W]" */
    for (const char *c = cell; *c; c++)
        if ((*c == '[' || *c == '(') && !digit(c[1]) && c[1] != '#')
            bracket = c;
    unit[0] = '\0';
    for (const char *c = cell; *c && c != bracket; c++)
        if (isalnum((unsigned char)*c))
            bare[n++] = (char)tolower((unsigned char)*c);
    bare[n] = '\0';
    if (bracket)
        snprintf(unit, WSK_UNIT_BYTES, "%.*s", (int)wsk_min(WSK_UNIT_BYTES - 1, (double)strcspn(bracket + 1, "])")),
                 bracket + 1);
    if (strncmp(unit, "us", 2) == 0 || strncmp(unit, "MiB", 3) == 0)
        unit[0] = '\0';
}
