/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simple forms of two functions of the C library, which themselves would add 13 kB of arithmetic with 128-bit numbers
 * to the page's engine. */
#include <emscripten.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

EM_JS(double, wsk_web_decimal, (const char *text), { return parseFloat(UTF8ToString(text)); })

static const char digits[] = "0123456789";

/* JavaScript rounds as exactly as the C library. Hexadecimal numbers, "inf" and "nan" are not read, because neither
 * sim/base/number.c nor json-c passes them. */
double strtod(const char *restrict text, char **restrict end)
{
    const char *p = text + strspn(text, " \t\n\v\f\r");
    p += *p == '+' || *p == '-';
    const size_t whole = strspn(p, digits), part = p[whole] == '.' ? strspn(p + whole + 1, digits) : 0;
    if (whole + part == 0) {
        if (end)
            *end = (char *)text;
        return 0;
    }
    p += whole + (p[whole] == '.') + part;
    if (*p == 'e' || *p == 'E') {
        const char *power = p + 1 + (p[1] == '+' || p[1] == '-');
        if (strspn(power, digits))
            p = power + strspn(power, digits);
    }
    if (end)
        *end = (char *)p;
    return wsk_web_decimal(text);
}

/* Only libxml2 calls sscanf, for two settings of its debugger in environment variables, which the page does not
 * have. */
int sscanf(const char *restrict text, const char *restrict format, ...)
{
    (void)text, (void)format;
    return 0;
}
