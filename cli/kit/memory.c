/* SPDX-License-Identifier: GPL-3.0-or-later */
/* With glibc and without a sanitizer, ends the program at the first call of malloc, calloc, realloc or aligned_alloc
 * that fails, in our code or in a library. Some libraries (json-c, stdio) ignore a failed allocation and continue with
 * missing data, so that results would be wrong without a message. Files on disk are as safe as after SIGKILL. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/kit/cli.h"

void (*wsk_cli_before_error)(void);

void wsk_cli_no_memory(void)
{
    /* This function must not allocate memory, because a failed allocation calls it. */
    char line[256];
    if (wsk_cli_before_error)
        wsk_cli_before_error();
    snprintf(line, sizeof line, "wattsink: %s\n", T_("out of memory"));
    (void)!write(STDERR_FILENO, line, strlen(line));
    _exit(WSK_ENOMEM);
}

void wsk_cli_check_memory(bool enough)
{
    if (!enough)
        wsk_cli_no_memory();
}

FILE *wsk_cli_text(char **text, size_t *len)
{
    FILE *stream = open_memstream(text, len);
    wsk_cli_check_memory(stream != NULL);
    return stream;
}

/* In glibc a program may replace the functions below for itself and its libraries ("Replacing malloc" in its manual). A
 * build with a sanitizer does not, because the sanitizer replaces them. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif
#if defined(__GLIBC__) && !defined(SANITIZED)
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t align, size_t size);

static void *checked(void *p)
{
    if (!p)
        wsk_cli_no_memory();
    return p;
}

void *malloc(size_t size)
{
    return checked(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return checked(__libc_calloc(count, size));
}

void *realloc(void *old, size_t size)
{
    void *p = __libc_realloc(old, size);
    return size ? checked(p) : p; /* realloc(old, 0) frees `old` and may return NULL */
}

void *aligned_alloc(size_t align, size_t size)
{
    return checked(__libc_memalign(align, size));
}
#endif
