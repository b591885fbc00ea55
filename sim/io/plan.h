/* SPDX-License-Identifier: GPL-3.0-or-later */
/* XML in: a rig file, its parts and its --set assignments become one resolved tree. */
#ifndef WSK_PLAN_H
#define WSK_PLAN_H
#include "sim/net/kind.h"

/* Parts that were read for one rig and need not be read for the next of the same folders. What a plan says of where its values
 * come from stands here, too. Those of a rig with mistakes are not to be kept: a mistake in a part is told where it is read. */
typedef struct {
    wsk_arena *arena;
    struct wsk_part_doc *first;
} wsk_parts_read;

typedef struct {
    const char *path; /* file, or "-" when text is given */
    const char *text; /* NULL: read the file */
    size_t text_len;
    const char *parts_dir;       /* catalogue */
    const char *extra_parts_dir; /* the user's own folder, searched first; may be NULL */
    const char *data_dir;        /* of data files; may be NULL: the rig's own folder, none for "-" */
    const char *const *sets;     /* "PATH=VALUE" strings */
    size_t set_count;
    wsk_parts_read *parts_read; /* which it adds to; may be NULL */
} wsk_plan_input;

/* Siblings stand in canonical order, whatever the file's: by element, then slot, then kind and values in table
 * order. Elements without an id get element name + number in that order (gpu0 is the card in the lowest slot), so
 * that the order of the file changes nothing. wsk_elem.order keeps the place in the file. Only chassis stand as they are
 * written, and numbers go on from one to the next: the cards of a second chassis follow those of the first.
 *
 * An element written with its kind alone (<cooler kind="open-air"/>) takes what it leaves open from the part
 * ELEMENT/generic-KIND, where the catalogue has one.
 *
 * An assignment names elements below the rig, joined by dots, levels left out where that is unambiguous; [n] picks
 * in file order (what a part brings comes behind what the rig writes), within the element named before it if one is,
 * else in the whole rig: gpu[9] may stand in the second chassis; [*] or nothing all, [x] by id, name or kind.
 * A part given to an element that was written out takes its place: only id, choices, counts and what belongs to rigs
 * alone stay.
 *
 * Reads everything and reports all mistakes at once in (*out)->diags. Returns WSK_OK, WSK_EINPUT (diags say
 * why) or WSK_ENOMEM. *out is set unless out of memory; free with wsk_plan_free. */
wsk_status wsk_plan_load(wsk_plan **out, const wsk_plan_input *input);
void wsk_plan_free(wsk_plan *plan);

/* The rig with every value and its origin, as XML. Read back (it needs no parts) it has the same digest. */
void wsk_plan_write_resolved(const wsk_plan *plan, wsk_buf *out);
/* Both behind the functions of wattsink.h with these names (elements.c). */
wsk_status wsk_plan_elements(const wsk_plan *plan, const wsk_elements **out);
/* The XSD generated from the tables. */
void wsk_schema_write(wsk_buf *out);
/* The kinds of an element (NULL: all kinds) with their parameters, as text; nothing when there is no such element. */
void wsk_kinds_write(wsk_buf *out, const char *element);

/* The catalogue: calls fn for each part (id without ".xml", sorted). Title may be NULL. */
typedef void wsk_part_fn(void *ctx, const char *id, const char *title);
wsk_status wsk_parts_list(const char *parts_dir, const char *family, wsk_part_fn *fn, void *ctx);
/* One part in full: each value, unit, source. WSK_EINPUT with diags when it does not exist or is broken; *missing: it, or what it
 * builds on, is in neither folder, and not nearly one there. */
wsk_status wsk_part_show(const char *extra_parts_dir, const char *parts_dir, const char *id, wsk_buf *out,
                         wsk_diags *diags, bool *missing);

#endif
