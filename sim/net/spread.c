/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the spread (uncertainty) of a value, such as "+-40 %", from the text of its source, as a number. Theory:
 * docs/theory/uncertainty.md */
#include "sim/net/spread.h"

#include <math.h>
#include <string.h>

/* One amount in the text of a spread, such as "+-40 %", "+-5 K", "+-1 point", "3-12 K over the die", or each of the
 * two in "conductance +-15 %, fan +-20 %". */
typedef struct {
    double low, high;       /* ends of a range, or amounts below and above the value */
    const char *unit, *end; /* unit: text from the unit on; end: text after the last number */
    bool range, bare;       /* range: "3-12"; bare: one number without sign, "0.9" */
} amount;

static const char *skip_blanks(const char *s)
{
    return s + strspn(s, " ");
}

static bool read_number(const char *s, const char **end, double *v)
{
    if (!wsk_parse_number(s, end, v))
        return false;
    while (**end == ',' && strspn(*end + 1, "0123456789") == 3 && *v < 1e12) {
        const char *next;
        double more;
        if (!wsk_parse_number(*end + 1, &next, &more))
            break;
        *v = *v * 1000 + more;
        *end = next;
    }
    return true;
}

/* Reads an amount with different sides: "-8, +4 W", "-30 % +10 %". */
static bool read_sides(const char *s, amount *out)
{
    const char *end;
    double less, more;
    if (*s != '-' || !read_number(s + 1, &end, &less))
        return false;
    *out = (amount){.low = less, .high = 0, .unit = skip_blanks(end), .end = end};
    const char *next = end + strcspn(end, "+;");
    if (*next == '+' && next[1] != '-' && read_number(next + 1, &end, &more)) {
        const char *unit = skip_blanks(end);
        *out = (amount){.low = less, .high = more, .unit = unit, .end = end};
    }
    return true;
}

static bool read_amount(const char *s, amount *out)
{
    const char *end;
    double a, b;
    if (s[0] == '+' && s[1] == '-') {
        if (!read_number(s + 2, &end, &a))
            return false;
        *out = (amount){.low = a, .high = a, .unit = skip_blanks(end), .end = end};
        return true;
    }
    if (*s == '-')
        return read_sides(s, out);
    if (!read_number(s, &end, &a))
        return false;
    bool dash = *end == '-' && read_number(end + 1, &end, &b);
    *out =
        (amount){.low = a, .high = dash ? b : a, .unit = skip_blanks(end), .end = end, .range = dash, .bare = !dash};
    return !dash || b >= a;
}

static bool in_unit(double number, const char *unit, wsk_dim dim, double *si)
{
    char text[80], currency[8];
    size_t at, len = strcspn(unit, " ,;:()");
    wsk_dim means;
    int n = wsk_format_number(text, sizeof text, number);
    if (n < 0 || (size_t)n + len + 2 > sizeof text)
        return false;
    snprintf(text + n, sizeof text - (size_t)n, "%s%.*s", len ? " " : "", (int)len, unit);
    return wsk_parse_quantity(text, dim, si, currency, &at, &means) == WSK_UNIT_OK;
}

static double number_of(const wsk_elem *e, const char *element, const char *name)
{
    while (e && strcmp(e->kind->element, element) != 0)
        e = e->parent;
    for (const wsk_param *p = e ? e->kind->params : NULL; p && p->name; p++)
        if (strcmp(p->name, name) == 0)
            return *(const double *)(const void *)((const char *)e->params + p->offset);
    return NAN;
}

/* The factor by which an amount in this unit becomes a value of the card: its tdp for "of tdp", its highest clock for
 * "of the highest clock", 1 mm2K/W divided by its die area for "mm2K/W". NAN: the unit is none of these. */
static double share_of(const wsk_elem *e, const char *unit)
{
    if (strncmp(unit, "of tdp", 6) == 0)
        return number_of(e, "gpu", "tdp");
    if (strncmp(unit, "of the highest clock", 20) == 0)
        return number_of(e, "gpu", "clock-max");
    if (strncmp(unit, "mm2K/W", 6) == 0)
        return 1e-6 / number_of(e, "gpu", "die-area");
    return NAN;
}

static bool starts_with(const char *s, const char *word)
{
    return strncmp(s, word, strlen(word)) == 0;
}

/* Sets half and relative of *out from an amount. False: its unit does not fit a value of dimension dim. */
static bool half_of(const wsk_elem *e, wsk_dim dim, double value, const amount *a, wsk_spread *out)
{
    double low, high, whole = share_of(e, a->unit), mid = 0.5 * (a->low + a->high);
    wsk_dim step = dim == WSK_DIM_TEMPERATURE ? WSK_DIM_TEMP_DIFF : dim;
    if (a->range && isfinite(whole)) {
        out->half = 0.5 * (a->high - a->low) * whole;
    } else if (starts_with(a->unit, "point") && dim == WSK_DIM_FRACTION) {
        out->half = mid / 100;
    } else if (*a->unit == '%' && (a->unit[1] == ' ' || strchr(",;:)", a->unit[1])) &&
               !(a->range && dim == WSK_DIM_FRACTION)) {
        if (dim == WSK_DIM_TEMPERATURE || dim == WSK_DIM_SOUND || a->range)
            return false;
        out->half = mid / 100 * fabs(value);
        out->relative = true;
    } else if (a->range && in_unit(a->low, a->unit, dim, &low) && in_unit(a->high, a->unit, dim, &high)) {
        out->half = 0.5 * fabs(high - low);
    } else if (!a->range && starts_with(a->unit, "dB") && dim == WSK_DIM_SOUND) {
        out->half = mid;
    } else if (!a->range && in_unit(mid, a->unit, step, &high)) {
        out->half = fabs(high);
    } else if (a->range && a->low > 0 && dim != WSK_DIM_TEMPERATURE && dim != WSK_DIM_SOUND && *a->unit &&
               *a->unit != '%') {
        /* a range in another unit, such as "2-3 kg of copper": the value is taken as proportional to the amount */
        out->half = 0.5 * (a->high - a->low) / mid * fabs(value);
        out->relative = true;
    } else {
        return false;
    }
    return out->half > 0;
}

/* True if the words before an amount ("fan" in "conductance +-15 %, fan +-20 %") name this parameter: one of them is a
 * whole word of the parameter's name, as "fan" of fan-pressure, or has at least three letters and is the beginning of
 * such a word. The word "fan" also fits all names that begin with "rpm-". */
static bool label_fits(const char *label, size_t len, const char *name)
{
    for (const char *w = label; w < label + len;) {
        size_t n = strcspn(w, " "), left = (size_t)(label + len - w);
        n = n > left ? left : n;
        if (n == 3 && memcmp(w, "fan", 3) == 0 && strncmp(name, "rpm-", 4) == 0)
            return true;
        for (const char *t = name; n > 0 && *t; t += strcspn(t, "-"), t += *t == '-') {
            size_t k = 0;
            while (k < n && t[k] && (t[k] | 32) == (w[k] | 32))
                k++;
            if (k == n && (!t[k] || t[k] == '-' || n >= 3))
                return true;
        }
        w += n + 1;
    }
    return false;
}

static bool is_general(const char *label, size_t len)
{
    static const char *const words[] = {"", "single values ", "standard deviation "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (len == strlen(words[i]) && memcmp(label, words[i], len) == 0)
            return true;
    return false;
}

static const char *first_number(const char *s, const char *end)
{
    for (bool start = true; s < end; start = *s == ' ', s++) {
        const char *d = s + (*s == '+' || *s == '-');
        d += d > s && *d == '-';
        if (start && *d >= '0' && *d <= '9')
            return s;
    }
    return NULL;
}

/* End of the clause at s: the next semicolon, or comma (not the comma in "-8, +4 W"), else the end of the text. */
static const char *clause_end(const char *s)
{
    for (; *s; s++)
        if (*s == ';' || (*s == ',' && s[1] == ' ' && !(s[2] == '+' && s[3] != '-')))
            return s;
    return s;
}

static bool read_clause(const wsk_elem *e, const wsk_param *p, wsk_dim dim, double value, const char *s,
                        const char *end, bool named, bool first, wsk_spread *out)
{
    const char *at = first_number(s, end);
    amount a;
    if (!at || !read_amount(at, &a))
        return false;
    bool all = is_general(s, (size_t)(at - s)) && (first || !a.bare);
    if (named ? !label_fits(s, (size_t)(at - s), p->name) || a.bare : !all)
        return false;
    /* "5 % in power", the spread of a class's whole power, counts for values in W and W/GHz (p0, c) only */
    if (starts_with(a.unit, "% in ") &&
        (!starts_with(a.unit, "% in power") || strcmp(e->kind->element, "class") != 0 ||
         (dim != WSK_DIM_POWER && dim != WSK_DIM_POWER_PER_FREQ)))
        return false;
    return half_of(e, dim, value, &a, out);
}

static bool read_spread(const wsk_elem *e, const wsk_param *p, wsk_dim dim, double value, const char *text,
                        wsk_spread *out)
{
    for (int named = 1; named >= 0; named--)
        for (const char *s = text, *end; *s; s = skip_blanks(end + (*end != '\0'))) {
            end = clause_end(s);
            if (read_clause(e, p, dim, value, s, end, named, s == text, out))
                return true;
            *out = (wsk_spread){0};
        }
    return false;
}

/* Finds, in the reason for an assumed value, a range that has the value's unit and contains the value, or an amount
 * such as "+-1 mm". */
static bool read_reason(const wsk_elem *e, wsk_dim dim, double value, const char *text, wsk_spread *out)
{
    const char *end = text + strlen(text);
    for (const char *s = text; (s = first_number(s, end)) != NULL;) {
        amount a;
        double low, high, whole;
        bool is_amount = read_amount(s, &a);
        if (is_amount && *s == '+' && *a.unit != '%' && half_of(e, dim, value, &a, out))
            return true;
        if (!is_amount || !a.range) {
            s += strcspn(s, " ");
            continue;
        }
        whole = share_of(e, a.unit);
        bool bare = *a.end == '\0' || strchr(",;:)", *a.end) || starts_with(a.end, " in ") ||
                    starts_with(a.end, " over "),
             fits = true;
        if (isfinite(whole)) {
            low = a.low * whole;
            high = a.high * whole;
        } else if (bare && (dim == WSK_DIM_NONE || dim == WSK_DIM_FRACTION || dim == WSK_DIM_RESISTANCE ||
                            dim == WSK_DIM_CONDUCTANCE)) {
            low = a.low;
            high = a.high;
        } else {
            fits = dim != WSK_DIM_NONE && in_unit(a.low, a.unit, dim, &low) && in_unit(a.high, a.unit, dim, &high);
        }
        if (fits && value >= low && value <= high && high > low) {
            out->half = 0.5 * (high - low);
            return true;
        }
        s = a.end;
        s += strcspn(s, " ");
    }
    return false;
}

wsk_spread wsk_spread_of(const wsk_elem *e, const wsk_param *p, const wsk_origin *o, double value)
{
    wsk_spread s = {0};
    wsk_dim dim = p->type == WSK_TYPE_CURVE ? p->dim_y : p->dim;
    const double worth =
        /* the spread is in the price's own currency; worth: value of one unit of it in the tariff's currency */
        o->own_currency[0] && o->own > 0 ? value / o->own : 1;
    value = worth != 1 ? o->own : value;
    const char *reason = o->ref ? o->ref : p->assumed, *said = reason ? strstr(reason, "spread +-") : NULL;
    if (isnan(value))
        return s;
    if (o->spread && read_spread(e, p, dim, value, o->spread, &s)) {
        s.from = WSK_SPREAD_STATED;
    } else if (o->assumed && said && read_spread(e, p, dim, value, said + strlen("spread "), &s)) {
        s.from = WSK_SPREAD_REASON;
    } else if (!o->assumed) {
        s.from = o->spread ? WSK_SPREAD_UNREAD : WSK_SPREAD_NONE;
    } else if (reason && read_reason(e, dim, value, reason, &s)) {
        s.from = WSK_SPREAD_REASON;
    } else {
        s.from = WSK_SPREAD_RULE;
        s.relative = dim != WSK_DIM_TEMPERATURE && dim != WSK_DIM_SOUND;
        s.half = !s.relative ? 5 : (dim == WSK_DIM_LENGTH ? 0.1 : 0.25) * fabs(value);
    }
    s.half *= worth;
    return s;
}

bool wsk_spread_by_point(const char *text, double half[4])
{
    static const char before[] = "standard deviation";
    if (!text || strncmp(text, before, sizeof before - 1) != 0)
        return false;
    const char *at = text + sizeof before - 1;
    for (int i = 0; i < 4; i++) {
        at += strspn(at, ", ");
        if (!wsk_parse_number(at, &at, &half[i]))
            return false;
        half[i] /= 100;
    }
    return strncmp(at, " points at 10, 20, 50, 100 %", 28) == 0;
}
