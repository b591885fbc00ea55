/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asserts for doubles, which cmocka 1.1.5 lacks. */
#ifndef WSK_TESTS_ASSERT_H
#define WSK_TESTS_ASSERT_H
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static inline void assert_close_at(double a, double b, double within, const char *what, const char *file, int line)
{
    if (a == b || fabs(a - b) <= within) /* false for NaN, so that NaN is never close */
        return;
    print_error("%s: %.17g is not within %.3g of %.17g\n", what, a, within, b);
    _fail(file, line);
}

#define assert_near(a, b, abs) assert_close_at((a), (b), (abs), #a, __FILE__, __LINE__)
#define assert_rel(a, b, rel) assert_close_at((a), (b), (rel)*fabs((double)(b)), #a, __FILE__, __LINE__)
/* Asserts a == b: -0 equals 0, and NaN equals nothing. */
#define assert_same(a, b) assert_close_at((a), (b), 0, #a, __FILE__, __LINE__)

#endif
