/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "sim/base/calendar.h"
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

void wsk_log_pass(wsk_log_reader *r)
{
    const size_t step = (size_t)16 << 20;
    if (!r->passed || r->start < r->told_at)
        return;
    r->passed(r->user, r->start);
    r->told_at = r->start + step;
}

bool wsk_log_line(wsk_log_reader *r)
{
    wsk_log_pass(r);
    while (r->at < r->len) {
        const char *newline = memchr(r->text + r->at, '\n', r->len - r->at);
        r->start = r->at;
        r->end = newline ? (size_t)(newline - r->text) : r->len;
        r->at = r->end + (newline != NULL);
        r->whole = newline != NULL;
        r->line++;
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

static int digits(const char **s, int most)
{
    int value = 0, n = 0;
    for (; n < most && digit(**s); n++, ++*s)
        value = 10 * value + (**s - '0');
    return n ? value : -1;
}

static bool read_clock(const char **s, double *second)
{
    const char *c = *s;
    const int hour = digits(&c, 2);
    if (hour < 0 || hour > 23 || *c++ != ':')
        return false;
    const int minute = digits(&c, 2);
    if (minute < 0 || minute > 59)
        return false;
    *second = 3600.0 * hour + 60.0 * minute;
    if (*c == ':') {
        c++;
        if (!digit(*c))
            return false;
        double rest = digits(&c, 2), place = 0.1;
        if ((*c == '.' || *c == ',' || *c == ':') && digit(c[1]))
            for (c++; digit(*c); c++, place *= 0.1)
                rest += place * (*c - '0');
        if (!(rest < 61))
            return false;
        *second += rest;
    }
    *s = c;
    return true;
}

static bool read_date(const char **s, double *day_s)
{
    const char *c = *s;
    int year = 0, month, day;
    size_t n = 0;
    while (digit(c[n]))
        n++;
    if (n == 8) {
        year = digits(&c, 4);
        month = digits(&c, 2);
        day = digits(&c, 2);
    } else {
        const bool first = n == 4;
        const char mark = c[n];
        if ((n != 4 && n != 2 && n != 1) || (mark != '/' && mark != '-' && mark != '.'))
            return false;
        int a = digits(&c, 4);
        if (*c++ != mark)
            return false;
        month = digits(&c, 2);
        if (*c++ != mark)
            return false;
        int b = digits(&c, 4);
        year = first ? a : b;
        day = first ? b : a;
        if (!first && mark == '/') { /* the month comes first, as in US dates */
            const int swap = month;
            month = day;
            day = swap;
        }
    }
    if (year < 1970 || year > 9999 || month < 1 || month > 12 || day < 1 || day > wsk_month_days(year, month))
        return false;
    *day_s = (double)(wsk_days_of(year, month, day) * WSK_DAY_S);
    *s = c;
    return true;
}

static bool read_long_date(const char *s, double *t)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const char *c = s;
    double clock;
    while (isalpha((unsigned char)*c))
        c++;
    while (*c == ' ')
        c++;
    int month = 0;
    for (int m = 0; m < 12; m++)
        if (strncmp(c, months + 3 * (size_t)m, 3) == 0)
            month = m + 1;
    if (!month)
        return false;
    for (c += 3; *c == ' ';)
        c++;
    const int day = digits(&c, 2);
    while (*c == ' ')
        c++;
    if (!read_clock(&c, &clock))
        return false;
    while (*c == ' ')
        c++;
    const int year = digits(&c, 4);
    if (year < 1970 || day < 1 || day > wsk_month_days(year, month) || *c)
        return false;
    *t = (double)(wsk_days_of(year, month, day) * WSK_DAY_S) + clock;
    return true;
}

/* Reads a time zone, such as "Z", "+02:00", "-0500" or " UTC". False: something else follows. */
static bool read_zone(const char *c, wsk_log_clock *kind, double *t)
{
    while (*c == ' ')
        c++;
    if (!*c)
        return true;
    if (strcmp(c, "Z") == 0 || strcmp(c, "UTC") == 0 || strcmp(c, "GMT") == 0) {
        *kind = WSK_LOG_UTC;
        return true;
    }
    if (*c != '+' && *c != '-')
        return false;
    const double sign = *c++ == '-' ? 1 : -1;
    const int hour = digits(&c, 2);
    c += *c == ':';
    const int minute = digits(&c, 2);
    if (hour < 0 || hour > 15 || *c)
        return false;
    *kind = WSK_LOG_UTC;
    *t += sign * (3600.0 * hour + 60.0 * (minute < 0 ? 0 : minute));
    return true;
}

/* Reads a number: seconds since the start, or by its size a time since 1970 in s, ms, us or ns. */
static bool read_number(const char *cell, wsk_log_clock *kind, double *t)
{
    const char *end;
    double x = wsk_number_at(cell, &end);
    if (end == cell || !isfinite(x))
        return false;
    while (*end == ' ')
        end++;
    if (strcmp(end, "ms") == 0)
        x *= 1e-3;
    else if (*end && strcmp(end, "s") != 0)
        return false;
    *kind = fabs(x) < 3e8 ? WSK_LOG_SINCE : WSK_LOG_UTC;
    if (*kind == WSK_LOG_UTC)
        x *= x > 1e17 ? 1e-9 : x > 1e14 ? 1e-6 : x > 1e11 ? 1e-3 : 1;
    *t = x;
    return fabs(x) < 1e12;
}

static bool read_time(const char *cell, wsk_log_clock *kind, double *t)
{
    const char *c = cell;
    double day, clock = 0;
    if (read_date(&c, &day)) {
        *kind = WSK_LOG_CIVIL;
        while (*c == ' ' || *c == 'T' || *c == ',')
            c++;
        if (*c && !read_clock(&c, &clock))
            return false;
        *t = day + clock;
        return read_zone(c, kind, t);
    }
    if (read_clock(&c, &clock) && !*c) {
        *kind = WSK_LOG_OF_DAY;
        *t = clock;
        return true;
    }
    *kind = WSK_LOG_CIVIL;
    return read_long_date(cell, t) || read_number(cell, kind, t);
}

bool wsk_log_time(wsk_log_reader *r, const char *cell, double *t_s)
{
    wsk_log_clock kind;
    double t;
    if (!read_time(cell, &kind, &t) || (r->dated && kind != r->log->clock))
        return false;
    if (!r->dated) {
        r->dated = true;
        r->log->clock = kind;
        r->last_s = t;
    }
    if (kind == WSK_LOG_OF_DAY) { /* a time of day that falls far back: midnight has passed */
        t += r->day_s;
        if (t < r->last_s - 0.5 * WSK_DAY_S) {
            r->day_s += WSK_DAY_S;
            t += WSK_DAY_S;
        }
    }
    if (t < r->last_s - 1)
        wsk_log_tell(r, WSK_DIAG_WARNING, r->start, WSK_SAID(WSK_SAY_LOG_BACK, r->last_s - t));
    r->last_s = t;
    *t_s = t;
    return true;
}

static const struct {
    wsk_dim dim;
    const char *unit;
    double min, max; /* limits of SI values; sensors without a reading report values outside */
} quantities[WSK_LOG_WALL + 1] = {
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
    } others[] = {{"C", "degC"},    {"?C", "degC"}, {"F", "degF"},       {"Watt", "W"},    {"Watts", "W"},
                  {"percent", "%"}, {"pct", "%"},   {"celsius", "degC"}, {"deg C", "degC"}};
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
    snprintf(text, sizeof text, "%s", cell);
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
