/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes decimal numbers with a point in every locale. The C library converts between digits and doubles
 * without a decimal sign: strtod gets digits and an exponent, and from snprintf only digits and exponent are used. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/base.h"
#include "sim/base/number.h"

#define DIGITS_MAX 800 /* digits kept; the midpoint between two doubles has fewer than 770 significant digits */
#define EXPONENT_MAX 1000000000L /* far beyond the range of a double; keeps sums inside a long long */

typedef struct {
    bool negative, tail; /* tail: nonzero digits after the first DIGITS_MAX were dropped */
    int count;
    long long exp10;
    char digits[DIGITS_MAX];
} decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *scan_exponent(const char *p, long long *exp10)
{
    if (*p != 'e' && *p != 'E')
        return p;
    const char *q = p + 1;
    bool negative = *q == '-';
    if (*q == '-' || *q == '+')
        q++;
    if (!is_digit(*q))
        return p;
    long long e = 0;
    for (; is_digit(*q); q++)
        if (e < EXPONENT_MAX)
            e = e * 10 + (*q - '0');
    *exp10 += negative ? -e : e;
    return q;
}

static const char *scan_decimal(const char *p, decimal *d)
{
    bool any = false, point = false;
    d->negative = *p == '-';
    d->tail = false;
    d->count = 0;
    d->exp10 = 0;
    if (*p == '-' || *p == '+')
        p++;
    for (;; p++) {
        if (*p == '.' && !point) {
            point = true;
            continue;
        }
        if (!is_digit(*p))
            break;
        any = true;
        bool kept = d->count < DIGITS_MAX, leading = d->count == 0 && *p == '0';
        if (kept && !leading)
            d->digits[d->count++] = *p;
        if (!kept)
            d->tail = d->tail || *p != '0';
        d->exp10 += (!kept ? 1 : 0) - (point ? 1 : 0);
    }
    return any ? scan_exponent(p, &d->exp10) : NULL;
}

/* Converts numbers of at most 15 digits and |exp10| <= 22: digits and power of ten are exact doubles, so the one
 * multiplication or division rounds correctly (Clinger 1990). False: the number is not of this kind. */
static bool convert_small(const decimal *d, double *value)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (FLT_EVAL_METHOD != 0 || d->count > 15 || d->exp10 > 22 || d->exp10 < -22)
        return false;
    int64_t m = 0;
    for (int i = 0; i < d->count; i++)
        m = m * 10 + (d->digits[i] - '0');
    *value = d->exp10 < 0 ? (double)m / tens[-d->exp10] : (double)m * tens[d->exp10];
    return true;
}

static double convert_decimal(const decimal *d)
{
    double value = 0;
    if (d->count == 0 || d->exp10 + d->count < -400)
        return 0;
    if (d->exp10 + d->count > 400)
        return HUGE_VAL;
    if (convert_small(d, &value))
        return value;
    char text[DIGITS_MAX + 32];
    memcpy(text, d->digits, (size_t)d->count);
    snprintf(text + d->count, sizeof text - (size_t)d->count, "%se%lld", d->tail ? "1" : "", d->exp10 - d->tail);
    return strtod(text, NULL);
}

bool wsk_scan_scaled(const char *s, const char **end, int exp10, double *value)
{
    decimal d;
    const char *behind = scan_decimal(s, &d);
    *end = behind ? behind : s;
    if (!behind)
        return false;
    d.exp10 += exp10;
    double v = convert_decimal(&d);
    if (isinf(v))
        return false;
    *value = d.negative ? -v : v;
    return true;
}

bool wsk_parse_number(const char *s, const char **end, double *value)
{
    return wsk_scan_scaled(s, end, 0, value);
}

double wsk_number_at(const char *s, const char **end)
{
    double value = NAN;
    *end = s;
    if (*s == '+' || wsk_parse_number(s, end, &value) || *end == s)
        return value;
    return *s == '-' ? -INFINITY : INFINITY;
}

/* Significant decimal digits DDD of a value, without trailing zeros; the value is 0.DDD x 10^exp. */
typedef struct {
    char digits[24];
    int count, exp;
} figures;

static figures figures_of(double value, int places)
{
    char text[64];
    figures f = {.count = 0};
    snprintf(text, sizeof text, "%.*e", places - 1, fabs(value));
    const char *p = text;
    for (; *p && *p != 'e'; p++)
        if (is_digit(*p) && f.count < places)
            f.digits[f.count++] = *p;
    f.exp = *p ? (int)strtol(p + 1, NULL, 10) + 1 : 0;
    while (f.count > 1 && f.digits[f.count - 1] == '0')
        f.count--;
    return f;
}

static double value_of(const figures *f)
{
    decimal d = {.count = f->count, .exp10 = f->exp - f->count};
    memcpy(d.digits, f->digits, (size_t)f->count);
    return convert_decimal(&d);
}

/* The shortest digits that read back as value. Fifteen digits reproduce each decimal text of up to fifteen digits,
 * seventeen reproduce each double. A subnormal value is less precise, so that fewer than fifteen may do. */
static figures find_shortest(double value)
{
    double size = fabs(value);
    for (int places = size < DBL_MIN ? 1 : 15; places < 17; places++) {
        figures f = figures_of(size, places);
        if (value_of(&f) == size)
            return f;
    }
    return figures_of(size, 17);
}

static void append_bytes(char *text, int *len, const char *bytes, int count)
{
    memcpy(text + *len, bytes, (size_t)count);
    *len += count;
}

static int print_figures(char *out, size_t size, bool negative, const figures *f)
{
    static const char zeros[] = "0000000000000000";
    char text[64];
    int len = 0, exp = f->exp;
    if (negative)
        text[len++] = '-';
    if (exp > 16 || exp < -4) {
        append_bytes(text, &len, f->digits, 1);
        if (f->count > 1) {
            text[len++] = '.';
            append_bytes(text, &len, f->digits + 1, f->count - 1);
        }
        len += snprintf(text + len, sizeof text - (size_t)len, "e%d", exp - 1);
    } else if (exp <= 0) {
        append_bytes(text, &len, "0.", 2);
        append_bytes(text, &len, zeros, -exp);
        append_bytes(text, &len, f->digits, f->count);
    } else if (exp >= f->count) {
        append_bytes(text, &len, f->digits, f->count);
        append_bytes(text, &len, zeros, exp - f->count);
    } else {
        append_bytes(text, &len, f->digits, exp);
        text[len++] = '.';
        append_bytes(text, &len, f->digits + exp, f->count - exp);
    }
    return snprintf(out, size, "%.*s", len, text);
}

int wsk_print_scaled(char *out, size_t size, double value, int exp10)
{
    if (!isfinite(value))
        return snprintf(out, size, "%s", isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    if (value == 0)
        return snprintf(out, size, "%s", signbit(value) ? "-0" : "0");
    figures f = find_shortest(value);
    f.exp -= exp10;
    return print_figures(out, size, signbit(value), &f);
}

/* Does the work of wsk_print_places, with `places` significant digits, for usual values. It avoids snprintf, which is
 * slow, because result tables may have several 100,000 numbers. False, and nothing is written: |value| is outside
 * [1e-4, 1e9), `places` exceeds 9, or `out` has less than 24 bytes. */
static bool print_quickly(char *out, size_t size, double value, int places)
{
    static const double ten[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13};
    double v = fabs(value);
    if (!(v >= 1e-4 && v < 1e9) || places > 9 || size < 24)
        return false;
    int whole = 0; /* digits before the point; for values below 1: minus the number of zeros after the point */
    while (v >= ten[whole])
        whole++;
    for (double w = v; whole <= 0 && w * 10 < 1; w *= 10)
        whole--;
    int behind = places - whole;
    uint64_t n = (uint64_t)(behind >= 0 ? v * ten[behind] + 0.5 : v / ten[-behind] + 0.5);
    for (; behind > 0 && n % 10 == 0; behind--)
        n /= 10;
    for (; behind < 0; behind++)
        n *= 10;
    char text[24];
    int at = (int)sizeof text, digits = 0;
    for (; n || digits <= behind; digits++) {
        if (digits == behind && behind > 0)
            text[--at] = '.';
        text[--at] = (char)('0' + n % 10);
        n /= 10;
    }
    if (value < 0)
        text[--at] = '-';
    memcpy(out, text + at, sizeof text - (size_t)at);
    out[sizeof text - (size_t)at] = 0;
    return true;
}

int wsk_print_places(char *out, size_t size, double value, int places)
{
    if (print_quickly(out, size, value, places))
        return (int)strlen(out);
    if (!isfinite(value) || value == 0)
        return wsk_print_scaled(out, size, value, 0);
    figures f = figures_of(value, places);
    return print_figures(out, size, signbit(value), &f);
}

int wsk_format_number(char *out, size_t size, double value)
{
    return wsk_print_scaled(out, size, value, 0);
}
