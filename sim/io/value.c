/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "sim/base/units.h"
#include "sim/base/number.h"
#include "sim/io/load.h"

typedef struct {
    wsk_loader *l;
    const wsk_kind *kind;
    const wsk_param *p;
    const wsk_origin *o;
} place;

static bool fail(const place *at, const wsk_said *said)
{
    wsk_value_error(at->l->diags, at->o, WSK_SAID(WSK_SAY_VALUE, at->p->name, said));
    return false;
}

static const wsk_said *noun_of(wsk_arena *arena, wsk_dim dim)
{
    const char *noun = wsk_dim_about(dim)->name;
    return strchr("aeiou", noun[0]) ? WSK_SAY(arena, WSK_SAY_AN_NOUN, WSK_WORD(noun))
                                    : WSK_SAY(arena, WSK_SAY_A_NOUN, WSK_WORD(noun));
}

static const wsk_said *say_expected(wsk_arena *arena, wsk_dim dim)
{
    const wsk_dim_info *d = wsk_dim_about(dim);
    if (dim == WSK_DIM_NONE || dim == WSK_DIM_COUNT)
        return WSK_SAY(arena, WSK_SAY_WANT, WSK_WORD(d->fits));
    return WSK_SAY(arena, WSK_SAY_WANT_UNITS, noun_of(arena, dim), WSK_WORD(d->fits));
}

static const char *near_unit(const place *at, const char *unit, wsk_dim dim)
{
    char *fits = wsk_strdup(at->l->arena, wsk_dim_about(dim)->fits);
    wsk_names names = {.arena = at->l->arena};
    while (fits && *fits) {
        char *end = fits + strcspn(fits, ", ");
        bool more = *end != '\0';
        *end = '\0';
        if (*fits)
            wsk_names_add(&names, fits);
        fits = end + more;
    }
    static const struct {
        const char *said, *unit;
    } spoken[] = {
        {"watt", "W"},      {"watts", "W"},      {"kilowatt", "kW"}, {"C", "degC"},       {"\u00b0C", "degC"},
        {"\u2103", "degC"}, {"celsius", "degC"}, {"F", "degF"},      {"\u00b0F", "degF"}, {"kelvin", "K"},
        {"volt", "V"},      {"volts", "V"},      {"amp", "A"},       {"amps", "A"},       {"ampere", "A"},
        {"sec", "s"},       {"second", "s"},     {"seconds", "s"},   {"minute", "min"},   {"minutes", "min"},
        {"hour", "h"},      {"hours", "h"},      {"hr", "h"},        {"days", "d"},       {"weeks", "week"},
        {"years", "year"},  {"RPM", "rpm"},      {"inch", "in"},     {"inches", "in"},    {"meter", "m"},
        {"metre", "m"},     {"litre", "l"},      {"liter", "l"},     {"cfm", "CFM"},      {"percent", "%"},
        {"dB", "dBA"},      {"db", "dBA"}};
    for (size_t k = 0; k < sizeof spoken / sizeof *spoken; k++)
        for (size_t i = 0; i < names.count && wsk_distance(unit, spoken[k].said) == 0; i++)
            if (strcmp(names.names[i], spoken[k].unit) == 0)
                return names.names[i];
    for (size_t i = 0; i < names.count; i++) /* a unit that differs only in capitals, such as "w" for "W" */
        if (wsk_distance(unit, names.names[i]) == 0)
            return names.names[i];
    return wsk_nearest(unit, wsk_names_list(&names));
}

static const char *usual_unit(const place *at, wsk_dim dim)
{
    const char *unit =
        at->p->def && at->p->type == WSK_TYPE_NUMBER ? at->p->def + strspn(at->p->def, "+-.0123456789") : "";
    return unit[0] == ' ' && unit[1] && unit[1] != '%' ? unit + 1 : wsk_dim_about(dim)->edge;
}

static const wsk_said *hint_with_unit(wsk_arena *arena, const char *text, size_t digits, const char *between,
                                      const char *unit)
{
    if (!unit || !*unit || *unit == '/' || digits >= 40)
        return NULL;
    return WSK_SAY(arena, WSK_SAY_MEANT, wsk_printf(arena, "%.*s%s%s", (int)digits, text, between, unit));
}

static bool bad_quantity(const place *at, const char *text, wsk_dim dim, wsk_unit_result why, size_t where,
                         wsk_dim means)
{
    wsk_arena *arena = at->l->arena;
    size_t len = strlen(text);
    const wsk_said *meant = wsk_meant_value(at->l, text, dim), *want = say_expected(arena, dim), *near;
    const char *unit = text + (where < len ? where : len);
    char q[WSK_QUOTED];
    wsk_io_quote(q, text);
    if (!*text)
        return fail(at, WSK_SAID(WSK_SAY_NO_VALUE, want));
    const char *comma = strchr(text, ',');
    if (meant)
        return fail(at, comma && comma[1] != ' ' ? WSK_SAID(WSK_SAY_DECIMAL_COMMA, q, meant)
                                                 : WSK_SAID(WSK_SAY_UNREADABLE, q, want, meant));
    switch (why) {
    case WSK_UNIT_MISSING:
        near = hint_with_unit(arena, text, len, " ", usual_unit(at, dim));
        return fail(at, WSK_SAID(WSK_SAY_NO_UNIT, q, want, near));
    case WSK_UNIT_WRONG: return fail(at, WSK_SAID(WSK_SAY_WRONG_UNIT, q, noun_of(arena, means), want));
    case WSK_UNIT_UNKNOWN:
        near = hint_with_unit(arena, text, where, "", near_unit(at, unit, dim));
        return fail(at, WSK_SAID(WSK_SAY_UNKNOWN_UNIT, q, want, near));
    case WSK_UNIT_OVERFLOW: return fail(at, WSK_SAID(WSK_SAY_OVERFLOW, q, want));
    default: break;
    }
    return fail(at,
                dim == WSK_DIM_COUNT ? WSK_SAID(WSK_SAY_NOT_WHOLE, q, want) : WSK_SAID(WSK_SAY_NOT_NUMBER, q, want));
}

static bool read_quantity(const place *at, const char *text, wsk_dim dim, double *si, char currency[8])
{
    size_t where = 0;
    wsk_dim means = dim;
    char label[8] = "";
    wsk_unit_result r = wsk_parse_quantity(text, dim, si, label, &where, &means);
    if (r != WSK_UNIT_OK)
        return bad_quantity(at, text, dim, r, where, means);
    if (!isfinite(*si))
        return bad_quantity(at, text, dim, WSK_UNIT_OVERFLOW, where, means);
    if (currency)
        memcpy(currency, label, sizeof label);
    return true;
}

typedef struct {
    wsk_dim dim;
    double min, max;
    bool positive;
} range;

static bool in_range(const place *at, const range *p, const char *text, double v, const char *currency)
{
    char q[WSK_QUOTED], bound[64];
    bool bounded = p->min != 0 || p->max != 0, whole = p->dim != WSK_DIM_COUNT || floor(v) == v;
    bool positive = !p->positive || v > 0, brief = strlen(text) < 40;
    if (whole && positive && (!bounded || (v >= p->min && v <= p->max)))
        return true;
    wsk_io_quote(q, text);
    if (!whole)
        return fail(at, WSK_SAID(WSK_SAY_WHOLE_RANGE, q));
    if (!positive) {
        bool sign = v < 0 && text[0] == '-' && brief;
        return fail(at, WSK_SAID(WSK_SAY_NOT_POSITIVE, q, sign ? WSK_SAID(WSK_SAY_MEANT, text + 1) : NULL));
    }
    bool low = v < p->min,
         percent = p->dim == WSK_DIM_FRACTION && !strchr(text, '%') && v / 100 >= p->min && v / 100 <= p->max;
    const wsk_said *near =
        percent && brief ? WSK_SAY(at->l->arena, WSK_SAY_MEANT, wsk_printf(at->l->arena, "%s %%", text)) : NULL;
    wsk_format_bound(bound, sizeof bound, low ? p->min : p->max, p->dim, currency);
    return fail(at, low ? WSK_SAID(WSK_SAY_AT_LEAST, q, bound, near) : WSK_SAID(WSK_SAY_AT_MOST, q, bound, near));
}

static bool read_in_range(const place *at, const range *allowed, const char *text, double *field, char currency[8])
{
    double v = 0;
    if (!read_quantity(at, text, allowed->dim, &v, currency))
        return false;
    v = wsk_at_limit(v, allowed->min, allowed->max);
    if (!in_range(at, allowed, text, v, currency))
        return false;
    *field = v == 0 ? 0 : v; /* turns a negative zero into zero */
    return true;
}

static bool read_number(const place *at, wsk_origin *o, double *field)
{
    const wsk_param *p = at->p;
    const range allowed = {p->dim, p->min, p->max, p->flags & WSK_POSITIVE};
    return read_in_range(at, &allowed, o->text, field, o->currency);
}

/* People write "vLLM" and "q4_k_m". No two choices of a parameter differ by case alone, so case is ignored. Output
 * has the choice as the parameter table spells it. */
static bool read_choice(const place *at, const char *text, int *field)
{
    wsk_names names = {.arena = at->l->arena};
    for (int i = 0; at->p->choices[i]; i++)
        if (strcasecmp(at->p->choices[i], text) == 0) {
            *field = i;
            return true;
        }
    for (int i = 0; at->p->choices[i]; i++)
        wsk_names_add(&names, at->p->choices[i]);
    char q[WSK_QUOTED], list[160];
    return fail(at, WSK_SAID(WSK_SAY_CHOICE, wsk_io_quote(q, text), wsk_io_list(list, sizeof list, &names),
                             wsk_meant_choice(at->kind->element, text, &names)));
}

static bool is_quantity(const char *text, wsk_dim dim)
{
    double si;
    char label[8];
    size_t where;
    wsk_dim means;
    return wsk_parse_quantity(text, dim, &si, label, &where, &means) == WSK_UNIT_OK;
}

static bool read_curve(const place *at, const char *text, wsk_curve *curve)
{
    char *rest = wsk_strdup(at->l->arena, text), q[WSK_QUOTED];
    if (!rest)
        return false;
    const wsk_param *p = at->p;
    const range of_x = {p->dim, p->min, p->max, false}, of_y = {p->dim_y, p->min_y, p->max_y, false};
    wsk_curve c = {0};
    if (strchr(text, ';'))
        return fail(at, WSK_SAID(WSK_SAY_CURVE_SEMICOLONS));
    while (rest) {
        char *point = rest + strspn(rest, " \t"), *end = strchr(rest, ','), *colon;
        rest = end ? end + 1 : NULL;
        if (end)
            *end = '\0';
        colon = strrchr(point, ':'); /* the last colon stands between x and y; x may be a time of day */
        if (c.count == WSK_CURVE_MAX)
            return fail(at, WSK_SAID(WSK_SAY_CURVE_POINTS));
        if (!colon)
            return fail(at, WSK_SAID(WSK_SAY_CURVE_POINT, wsk_io_quote(q, point)));
        *colon = '\0';
        /* times in a curve are times of day: by the clock (18:30), or since midnight (18.5 h) */
        const bool by_clock = p->dim == WSK_DIM_TIME && !is_quantity(point, p->dim);
        if (by_clock && !wsk_parse_day_time(point, &c.x[c.count]))
            return fail(at, WSK_SAID(WSK_SAY_DAY_TIME, point));
        if ((!by_clock && !read_in_range(at, &of_x, point, &c.x[c.count], NULL)) ||
            !read_in_range(at, &of_y, colon + 1 + strspn(colon + 1, " \t"), &c.y[c.count], NULL))
            return false;
        if (c.count && c.x[c.count] <= c.x[c.count - 1])
            return fail(at, WSK_SAID(WSK_SAY_CURVE_ORDER, wsk_io_quote(q, point)));
        c.count++;
    }
    *curve = c;
    return true;
}

static bool read_text(const place *at, const char *text, const char **field)
{
    if (strlen(text) > 1000)
        return fail(at, WSK_SAID(WSK_SAY_TEXT_LONG));
    for (const char *c = text; *c; c++)
        if (*c == 0x7F || ((unsigned char)*c == 0xC2 && (unsigned char)c[1] < 0xA0) || (unsigned char)*c < 0x20)
            return fail(at, WSK_SAID(WSK_SAY_TEXT_CONTROL));
    *field = text;
    return true;
}

void wsk_value_absent(const wsk_param *p, void *field)
{
    if (p->type == WSK_TYPE_NUMBER || p->type == WSK_TYPE_DATETIME)
        *(double *)field = NAN;
    else if (p->type == WSK_TYPE_CHOICE)
        *(int *)field = -1;
    else if (p->type == WSK_TYPE_TEXT)
        *(const char **)field = NULL;
    else if (p->type == WSK_TYPE_SERIES)
        *(wsk_series *)field = (wsk_series){0};
    else if (p->type == WSK_TYPE_LOG)
        *(wsk_recording *)field = (wsk_recording){0};
    else
        *(wsk_curve *)field = (wsk_curve){0};
}

/* Rewrites a date in another common form: with a blank, with a time zone, with the day first, or with month and day
 * swapped. "": the text has none of these forms. */
static const char *date_meant(char out[40], const char *text)
{
    int64_t civil;
    size_t n = strlen(text);
    char day[3] = "", month[3] = "", year[5] = "";
    const char *c = text;
    snprintf(out, 40, "%s", n < 40 ? text : "");
    if (n > 10 && out[10] == ' ') {
        out[10] = 'T';
        if (wsk_parse_datetime(out, &civil))
            return out;
    }
    /* Cuts off "Z" or "+02:00": the zone is stated by the attribute zone= instead. */
    size_t offset = n > 11 && out[0] ? 11 + strcspn(out + 11, "Z+-") : n;
    if (offset < n) {
        out[offset] = '\0';
        if (wsk_parse_datetime(out, &civil))
            return out;
        snprintf(out, 40, "%s", text);
    }
    char *parts[] = {day, month, year};
    const size_t rooms[] = {2, 2, 4};
    for (int i = 0; i < 3; i++) {
        size_t len = strspn(c, "0123456789");
        if (!len || len > rooms[i] || (i < 2 && !strchr("./-", c[len])) || (i < 2 && !c[len]) ||
            (i == 2 && (len != 4 || c[len]))) {
            if (n >= 10 && text[4] == '-' && text[7] == '-' && n < 40) {
                snprintf(out, 40, "%.5s%.2s-%.2s%s", text, text + 8, text + 5, text + 10);
                return wsk_parse_datetime(out, &civil) ? out : "";
            }
            return "";
        }
        memcpy(parts[i], c, len);
        c += len + 1;
    }
    /* tries both orders of day and month: for 8/3/2026 the month first, for 3.8.2026 the day first */
    for (int k = 0; k < 2; k++) {
        bool swap = (strchr(text, '/') != NULL) == (k == 0);
        const char *m = swap ? day : month, *d = swap ? month : day;
        snprintf(out, 40, "%s-%s%s-%s%sT00:00:00", year, m[1] ? "" : "0", m, d[1] ? "" : "0", d);
        if (wsk_parse_datetime(out, &civil))
            return out;
    }
    return "";
}

bool wsk_value_read(wsk_loader *l, const wsk_kind *kind, const wsk_param *p, wsk_origin *o, void *field)
{
    place at = {l, kind, p, o};
    int64_t civil = 0;
    switch (p->type) {
    case WSK_TYPE_NUMBER: return read_number(&at, o, field);
    case WSK_TYPE_TEXT: return read_text(&at, o->text, field);
    case WSK_TYPE_CHOICE:
        if (!read_choice(&at, o->text, field))
            return false;
        o->text = p->choices[*(int *)field];
        return true;
    case WSK_TYPE_CURVE: return read_curve(&at, o->text, field);
    case WSK_TYPE_DATETIME:
        if (!wsk_parse_datetime(o->text, &civil)) {
            char q[WSK_QUOTED], date[40];
            const char *meant = date_meant(date, o->text);
            return fail(&at, WSK_SAID(WSK_SAY_DATE, wsk_io_quote(q, o->text),
                                      *meant ? WSK_SAID(WSK_SAY_MEANT, meant) : NULL));
        }
        *(double *)field = (double)civil;
        return true;
    case WSK_TYPE_SERIES: return wsk_series_read(l, p, o, field);
    case WSK_TYPE_LOG: return wsk_recording_read(l, p, o, field);
    }
    return false;
}

bool wsk_value_present(const wsk_param *p, const void *field)
{
    if (p->type == WSK_TYPE_NUMBER || p->type == WSK_TYPE_DATETIME)
        return !isnan(*(const double *)field);
    if (p->type == WSK_TYPE_CHOICE)
        return *(const int *)field >= 0;
    if (p->type == WSK_TYPE_TEXT)
        return *(const char *const *)field != NULL;
    if (p->type == WSK_TYPE_LOG)
        return ((const wsk_recording *)field)->cards > 0;
    return p->type == WSK_TYPE_SERIES ? ((const wsk_series *)field)->count > 0
                                      : ((const wsk_curve *)field)->count > 0;
}

bool wsk_value_write(wsk_buf *out, const wsk_param *p, const wsk_origin *o, const void *field)
{
    char text[96];
    const wsk_curve *c = field;
    const char *said = text;
    if (!wsk_value_present(p, field))
        return false;
    switch (p->type) {
    case WSK_TYPE_NUMBER: wsk_format_quantity(text, sizeof text, *(const double *)field, p->dim, o->currency); break;
    case WSK_TYPE_DATETIME: wsk_format_datetime(text, (int64_t) * (const double *)field); break;
    case WSK_TYPE_TEXT: said = *(const char *const *)field; break;
    case WSK_TYPE_SERIES:
    case WSK_TYPE_LOG: said = o->text; break;
    case WSK_TYPE_CHOICE: said = p->choices[*(const int *)field]; break;
    default:
        for (int i = 0; i < c->count; i++) {
            wsk_format_quantity(text, sizeof text, c->x[i], p->dim, NULL);
            wsk_buf_printf(out, "%s%s", i ? ", " : "", text);
            wsk_format_quantity(text, sizeof text, c->y[i], p->dim_y, NULL);
            wsk_buf_printf(out, ":%s", text);
        }
        return true;
    }
    wsk_buf_put(out, said, strlen(said));
    return true;
}
