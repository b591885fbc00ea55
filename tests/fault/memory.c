/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library for LD_PRELOAD that makes every allocation after main() began fail from the N-th one on, where N is
 * $MEMORY_FAILS_FROM; without this variable all succeed. At the end, the file $MEMORY_COUNT gets the number of
 * allocations. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_long done;
static long fails_from;
static bool counting;

__attribute__((constructor)) static void begin(void)
{
    const char *from = getenv("MEMORY_FAILS_FROM");
    fails_from = from ? atol(from) : 0;
    unsetenv("LD_PRELOAD"); /* programs that this process starts must have memory */
    counting = true;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("MEMORY_COUNT");
    long n = done;
    counting = false;
    FILE *f = path ? fopen(path, "w") : NULL;
    if (f) {
        fprintf(f, "%ld\n", n);
        fclose(f);
    }
}

static bool fails(void)
{
    if (!counting)
        return false;
    long n = atomic_fetch_add(&done, 1) + 1;
    return fails_from && n >= fails_from;
}

#define REAL(name, ...) ((void *(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

void *__libc_malloc(size_t size)
{
    return fails() ? NULL : REAL("__libc_malloc", size_t)(size);
}

void *__libc_calloc(size_t count, size_t size)
{
    return fails() ? NULL : REAL("__libc_calloc", size_t, size_t)(count, size);
}

void *__libc_realloc(void *old, size_t size)
{
    return fails() ? NULL : REAL("__libc_realloc", void *, size_t)(old, size);
}

void *__libc_memalign(size_t align, size_t size)
{
    return fails() ? NULL : REAL("__libc_memalign", size_t, size_t)(align, size);
}
