/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An allocator in place of glibc's, as in cli/kit/memory.c. It counts allocations, and those with the numbers fail_from
 * to fail_to fail. A program includes this file once. Each allocation from an arena becomes an allocation of its own,
 * which can fail. */
#ifndef WSK_TESTS_STARVED_H
#define WSK_TESTS_STARVED_H
#include <errno.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BIG_BYTES 1u
#include "sim/base/arena.c"
#include "wattsink.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(SANITIZED)
#define STARVED 1 /* the allocator is in place */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t align, size_t size);

static long made, fail_from, fail_to; /* number of allocations so far; allocations number fail_from to fail_to (from
                                       * 1) fail */
static void (*each_allocation)(void); /* called at each allocation, unless NULL */

static bool fails(void)
{
    made++;
    if (each_allocation)
        each_allocation();
    if (made < fail_from || made > fail_to)
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t align, size_t size)
{
    return fails() ? NULL : __libc_memalign(align, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    return memalign(align, size);
}

#else

static void skipped(void **state)
{
    (void)state;
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(skipped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
#endif
