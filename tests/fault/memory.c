/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library for LD_PRELOAD that makes every allocation after main() began fail from the N-th one on, where N is
 * $MEMORY_FAILS_FROM; without this variable all succeed. At the end, the file $MEMORY_COUNT gets the number of
 * allocations. The file $MEMORY_PLACES gets the numbers of the allocations that are the first of their place; two
 * allocations have one place if the twelve innermost callers are the same. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unwind.h>

enum { FRAMES = 12, SLOTS = 1 << 16 };
static _Atomic uint64_t seen[SLOTS];
static long first[SLOTS]; /* number of the allocation at the place in `seen` */
static bool noting;
static _Thread_local bool inside; /* in note_place, where the unwinder itself may allocate */
static atomic_long done;
static long fails_from;
static bool counting;

__attribute__((constructor)) static void begin(void)
{
    const char *from = getenv("MEMORY_FAILS_FROM");
    fails_from = from ? atol(from) : 0;
    noting = getenv("MEMORY_PLACES");
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
    f = noting ? fopen(getenv("MEMORY_PLACES"), "w") : NULL;
    for (int i = 0; f && i < SLOTS; i++)
        if (seen[i])
            fprintf(f, "%ld\n", first[i]);
    if (f)
        fclose(f);
}

typedef struct {
    uint64_t hash;
    int depth;
} stack;

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *user)
{
    stack *s = user;
    s->hash = (s->hash ^ (uint64_t)_Unwind_GetIP(context)) * 1099511628211u; /* FNV-1a by words */
    return ++s->depth < FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static void note_place(long n)
{
    inside = true;
    stack s = {14695981039346656037u, 0};
    _Unwind_Backtrace(add_frame, &s);
    for (int i = 0; i < SLOTS; i++) {
        const uint64_t at = (s.hash + (uint64_t)i) % SLOTS;
        uint64_t none = 0;
        if (atomic_compare_exchange_strong(&seen[at], &none, s.hash))
            first[at] = n;
        else if (none != s.hash)
            continue;
        break;
    }
    inside = false;
}

static bool fails(void)
{
    if (!counting || inside)
        return false;
    long n = atomic_fetch_add(&done, 1) + 1;
    if (noting)
        note_place(n);
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
