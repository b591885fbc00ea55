/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/base/said.h"

/* Number of messages that a list keeps, so that a broken file fills neither memory nor screen. The line "and more"
 * follows them. */
#define STORED_MAX 200u

void wsk_diags_init(wsk_diags *diags, wsk_arena *arena)
{
    *diags = (wsk_diags){.arena = arena};
}

static bool make_room(wsk_diags *diags)
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

/* Called when the list is full: an error displaces the last message that is no error. Returns true if a message was
 * displaced. *dropped is the severity of the message that is lost. */
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
        if (!make_room(diags))
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

static wsk_diag *make_place(wsk_diags *diags, wsk_severity severity)
{
    if (diags->count < STORED_MAX)
        return make_room(diags) ? &diags->items[diags->count] : NULL;
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
    wsk_diag *slot = make_place(diags, severity);
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

static int compare_places(const wsk_diag *a, const wsk_diag *b)
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

/* Insertion sort: stable, and fast for at most 200 messages. The line "and more" stays last. */
void wsk_diags_sort(wsk_diags *diags)
{
    size_t count = diags->count < STORED_MAX ? diags->count : STORED_MAX;
    for (size_t i = 1; i < count; i++) {
        wsk_diag moving = diags->items[i];
        size_t j = i;
        for (; j > 0 && compare_places(&diags->items[j - 1], &moving) > 0; j--)
            diags->items[j] = diags->items[j - 1];
        diags->items[j] = moving;
    }
}
