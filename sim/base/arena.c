/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/base.h"

#if defined(__SANITIZE_ADDRESS__)
#define WATCHED
#elif defined(__has_feature) /* clang */
#if __has_feature(address_sanitizer)
#define WATCHED
#endif
#endif
#ifdef WATCHED
#include <sanitizer/asan_interface.h>
#endif

#define ALIGN 64u
#define BLOCK_BYTES 65536u
/* Tests set BIG_BYTES to 1, so that each allocation calls calloc and can be made to fail. With the address sanitizer,
 * too, each allocation is one of its own: in a shared block a write behind its end would go unnoticed. */
#ifndef BIG_BYTES
#ifdef WATCHED
#define BIG_BYTES 1u
#else
#define BIG_BYTES 16384u
#endif
#endif

typedef struct block {
    struct block *next;
    void *whole;       /* start of the memory to free; the block header is at its first aligned byte */
    size_t used, size; /* bytes, including this header */
} block;
_Static_assert(sizeof(block) <= ALIGN, "the header fits before the first aligned byte");

struct wsk_arena {
    block *open; /* block from which small allocations are cut; NULL: no such block exists yet */
    block *full;
    bool failed;
};

wsk_arena *wsk_arena_new(void)
{
    return calloc(1, sizeof(wsk_arena));
}

static void free_list(block *b)
{
    while (b) {
        block *next = b->next;
        free(b->whole);
        b = next;
    }
}

void wsk_arena_free(wsk_arena *arena)
{
    if (!arena)
        return;
    free_list(arena->open);
    free_list(arena->full);
    free(arena);
}

static block *block_new(void *whole, size_t size)
{
    if (!whole)
        return NULL;
    block *b = (block *)(((uintptr_t)whole + ALIGN - 1) / ALIGN * ALIGN);
    *b = (block){.whole = whole, .used = ALIGN, .size = size};
    return b;
}

void wsk_arena_drop(const void *allocation, size_t size)
{
#ifdef WATCHED
    ASAN_POISON_MEMORY_REGION(allocation, size);
#else
    (void)allocation;
    (void)size;
#endif
}

/* Drops the rest of a block with one allocation, behind its `size` bytes. */
static void seal(const block *b, size_t size)
{
    const char *end = (const char *)b + ALIGN + size, *limit = (const char *)b->whole + size + 2 * ALIGN;
    wsk_arena_drop(end, (size_t)(limit - end));
}

static void *cut(block *b, size_t size, size_t align)
{
    size_t from = (b->used + align - 1) / align * align;
    if (from > b->size || size > b->size - from)
        return NULL;
    b->used = from + size;
    return memset((char *)b + from, 0, size);
}

static void *find(wsk_arena *arena, size_t size, size_t align)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    if (size >= BIG_BYTES) {
        block *big =
            /* calloc does not clear fresh pages of the system, which are zero already */
            block_new(calloc(1, size + 2 * ALIGN), size + ALIGN);
        if (!big)
            return NULL;
        big->next = arena->full;
        arena->full = big;
        seal(big, size);
        return (char *)big + ALIGN;
    }
    void *p = arena->open ? cut(arena->open, size, align) : NULL;
    if (p)
        return p;
    block *fresh = block_new(aligned_alloc(ALIGN, BLOCK_BYTES), BLOCK_BYTES);
    if (!fresh)
        return NULL;
    if (arena->open) {
        arena->open->next = arena->full;
        arena->full = arena->open;
    }
    arena->open = fresh;
    return cut(fresh, size, align);
}

static void *alloc(wsk_arena *arena, size_t size, size_t align)
{
    void *p = find(arena, size, align);
    arena->failed = arena->failed || !p;
    return p;
}

bool wsk_arena_failed(const wsk_arena *arena)
{
    return !arena || arena->failed;
}

void wsk_arena_fail(wsk_arena *arena)
{
    arena->failed = true;
}

void *wsk_alloc(wsk_arena *arena, size_t size)
{
    return alloc(arena, size ? size : 1, ALIGN);
}

char *wsk_strdup(wsk_arena *arena, const char *s)
{
    size_t len = strlen(s);
    char *copy = alloc(arena, len + 1, 1);
    return copy ? memcpy(copy, s, len) : NULL;
}

char *wsk_printf(wsk_arena *arena, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    char *text = NULL, brief[256]; /* most texts fit into it, and are then formatted only once */
    const int len = wsk_vprint(brief, sizeof brief, fmt, args);
    if (len >= 0 && (text = alloc(arena, (size_t)len + 1, 1)) != NULL) {
        if ((size_t)len < sizeof brief)
            memcpy(text, brief, (size_t)len + 1);
        else
            wsk_vprint(text, (size_t)len + 1, fmt, again);
    }
    va_end(again);
    va_end(args);
    return text;
}
