/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formatted text with a decimal point in every locale of the caller. */
#include <errno.h>
#include <locale.h>
#include <stdarg.h>

#include "sim/base/base.h"

int wsk_vprint(char *out, size_t size, const char *fmt, va_list args)
{
    /* With glibc and musl, newlocale of "C" costs neither memory nor time: it returns one static object, which
     * freelocale does not free. */
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c == (locale_t)0) {
        errno = ENOMEM;
        return -1;
    }
    const locale_t callers = uselocale(c);
    const int len = vsnprintf(out, size, fmt, args);
    uselocale(callers);
    freelocale(c);
    return len;
}

int wsk_print(char *out, size_t size, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const int len = wsk_vprint(out, size, fmt, args);
    va_end(args);
    return len;
}
