/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The places in the source that allocate, told apart by their callers. Include tests/fault/starved.h before. */
#ifndef WSK_TESTS_PLACES_H
#define WSK_TESTS_PLACES_H
#include <unwind.h>

enum { FRAMES = 6, SLOTS = 1 << 14, PLACES = 4096 };
static uint64_t seen[SLOTS];
static long places[PLACES]; /* for each place that no earlier study reached: number of its first allocation */
static int n_places;
static bool with_libraries; /* note places where libraries allocate, too */

extern const char __executable_start[], etext[]; /* from the linker: begin and end of the program's code */

typedef struct {
    uint64_t hash;
    int depth;
    bool foreign; /* a library allocates: json-c 0.16 takes a failed allocation for a mistake in the text */
} stack;

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *user)
{
    enum { OURS = 2, NEAR = 6 }; /* frames of note_place and the allocator; most frames of these and the arena */
    stack *s = user;
    const uintptr_t at = (uintptr_t)_Unwind_GetIP(context);
    if (++s->depth > OURS)
        s->hash = (s->hash ^ at) * 1099511628211u; /* FNV-1a by words */
    if (s->depth <= NEAR && (at < (uintptr_t)__executable_start || at > (uintptr_t)etext))
        s->foreign = true;
    return s->depth < OURS + FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static void note_place(void)
{
    stack s = {.hash = 14695981039346656037u};
    _Unwind_Backtrace(add_frame, &s);
    size_t at = s.hash % SLOTS;
    while (seen[at] && seen[at] != s.hash)
        at = (at + 1) % SLOTS;
    if ((s.foreign && !with_libraries) || seen[at] || n_places == PLACES)
        return;
    seen[at] = s.hash;
    places[n_places++] = made;
}

#endif
