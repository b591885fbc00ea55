/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/base/said.h"

#define STORED_MAX 200u /* a broken file must not fill memory or the screen; behind these comes one line */

void wsk_diags_init(wsk_diags *diags, wsk_arena *arena)
{
    *diags = (wsk_diags){.arena = arena};
}

static bool grow(wsk_diags *diags)
{
    if (diags->count < diags->room)
        return true;
    size_t room = diags->room ? 2 * diags->room : 16;
    wsk_diag *items = wsk_alloc(diags->arena, room * sizeof *items);
    if (!items)
        return false;
    if (diags->count)
        memcpy(items, diags->items, diags->count * sizeof *items);
    diags->items = items;
    diags->room = room;
    return true;
}

/* Neighbouring messages mostly speak of one file: share its name. */
static const char *keep_name(const wsk_diags *diags, const char *file)
{
    if (!file)
        return NULL;
    if (diags->count) {
        const char *last = diags->items[diags->count - 1].file;
        if (last && strcmp(last, file) == 0)
            return last;
    }
    return wsk_strdup(diags->arena, file);
}

/* When full, an error takes the place of the last message that is none. Says whether there is a place, and what
 * was dropped for it. */
static bool displace(wsk_diags *diags, wsk_severity severity, wsk_severity *dropped)
{
    *dropped = severity;
    for (size_t i = severity == WSK_DIAG_ERROR ? STORED_MAX : 0; i-- > 0;)
        if (diags->items[i].severity != WSK_DIAG_ERROR) {
            *dropped = diags->items[i].severity;
            memmove(&diags->items[i], &diags->items[i + 1], (STORED_MAX - 1 - i) * sizeof *diags->items);
            return true;
        }
    return false;
}

static void note_more(wsk_diags *diags, wsk_severity dropped)
{
    if (diags->count == STORED_MAX) {
        if (!grow(diags))
            return;
        const wsk_said *said = WSK_SAID(WSK_SAY_MORE);
        diags->items[diags->count++] = (wsk_diag){.severity = dropped,
                                                  .said = wsk_said_keep(diags->arena, said),
                                                  .message = wsk_said_english(diags->arena, said)};
    }
    wsk_diag *more = &diags->items[STORED_MAX];
    if (dropped < more->severity)
        more->severity = dropped;
}

/* Where to store the next message, or NULL when it is dropped. */
static wsk_diag *place(wsk_diags *diags, wsk_severity severity)
{
    if (diags->count < STORED_MAX)
        return grow(diags) ? &diags->items[diags->count] : NULL;
    wsk_severity dropped;
    bool placed = displace(diags, severity, &dropped);
    note_more(diags, dropped);
    return placed ? &diags->items[STORED_MAX - 1] : NULL;
}

void wsk_diag_add(wsk_diags *diags, wsk_severity severity, const char *file, int line, int column,
                  const wsk_said *said)
{
    if (severity == WSK_DIAG_ERROR)
        diags->errors++;
    wsk_diag *slot = place(diags, severity);
    if (!slot)
        return;
    *slot = (wsk_diag){.severity = severity,
                       .file = keep_name(diags, file),
                       .line = line,
                       .column = column,
                       .said = wsk_said_keep(diags->arena, said),
                       .message = wsk_said_english(diags->arena, said)};
    if (diags->count < STORED_MAX)
        diags->count++;
}

static int compare(const wsk_diag *a, const wsk_diag *b)
{
    if (!a->file != !b->file)
        return a->file ? 1 : -1;
    int files = a->file ? strcmp(a->file, b->file) : 0;
    if (files)
        return files;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

/* Insertion: stable, and there are few. The line that says "and more" stays last. */
void wsk_diags_sort(wsk_diags *diags)
{
    size_t count = diags->count < STORED_MAX ? diags->count : STORED_MAX;
    for (size_t i = 1; i < count; i++) {
        wsk_diag moving = diags->items[i];
        size_t j = i;
        for (; j > 0 && compare(&diags->items[j - 1], &moving) > 0; j--)
            diags->items[j] = diags->items[j - 1];
        diags->items[j] = moving;
    }
}
