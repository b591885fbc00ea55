/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a rig file, its parts and its --set assignments into one resolved tree. scan.c and doc.c read XML with its
 * places; catalog.c finds parts, merge.c lays rig over part over base part, assign.c applies PATH=VALUE, value.c
 * converts text to SI, elems.c makes the elements. resolved.c writes them as XML again, schema.c and kinds_told.c
 * print the parameter tables. Only doc.c includes libxml2. Begin with plan.c. */
#ifndef WSK_PLAN_H
#define WSK_PLAN_H
#include "sim/net/kind.h"

/* Parts that were read for one rig, kept for the next rig with the same folders. Texts of plans may live in this
 * arena, too: free it after the plans. Do not keep the parts of a rig with errors, because errors in a part are
 * reported only when it is read. */
typedef struct {
    wsk_arena *arena;
    struct wsk_part_doc *first;
} wsk_parts_read;

/* A store of file contents: each file is read once, and all rigs loaded with the same store see the same bytes.
 * Threads may share a store. Free it after those rigs. */
typedef struct wsk_files wsk_files;
wsk_files *wsk_files_new(void);
void wsk_files_free(wsk_files *files);
/* Keeps a copy of the text as the content of `path`. False: out of memory. */
bool wsk_files_keep(wsk_files *files, const char *path, const char *text, size_t len);
/* Message about the last file that could not be read because of a temporary failure, since the previous call; NULL:
 * none. The message lives as long as the store. */
const wsk_said *wsk_files_unread(wsk_files *files);

typedef struct {
    const char *path; /* rig file; "-": standard input; with `text`: gives only the name of the rig and its folder */
    const char *text; /* the rig as XML; NULL: read `path` */
    size_t text_len;
    const char *parts_dir;
    const char *extra_parts_dir; /* the user's folder of parts, searched first; NULL: none */
    const char *data_dir;        /* folder of data files; NULL: the rig's folder, none for "-" */
    const char *prices;
    const char *const *sets;
    size_t set_count;
    const char *const *exchanges;
    size_t exchange_count;
    wsk_parts_read *parts_read; /* store of parts, used and added to; NULL: none */
    wsk_files *files;           /* store of files, used and added to; NULL: all files are read anew */
} wsk_plan_input;

/* Loads a rig. Siblings are put in canonical order, independent of the file: by element, slot, kind, then values in
 * table order. Elements without id get element name and number in that order (gpu0 is the card in the lowest slot).
 * wsk_elem.order keeps the place in the file. Chassis are ordered by the ids that the file gives them, chassis without
 * such an id by their place in the file; numbers continue from one chassis to the next.
 *
 * An element with only its kind, such as <cooler kind="open-air"/>, takes missing values from the part
 * ELEMENT/generic-KIND if the catalogue has it.
 *
 * An assignment names elements below the rig, joined by dots; levels may be left out if that is unambiguous. Brackets
 * pick among elements of one name: [n] by index, [x] by id, name or kind; [*] or no brackets: all. Indices start at 0
 * and count inside the element named before; without one, in the whole rig, so that gpu[9] may be in the second
 * chassis. They follow the order of the file, with elements of the rig before those of parts. If an assignment gives a
 * part to an element, the part replaces the element's own values, except id, choices, counts and values that only a
 * rig can have.
 *
 * All mistakes are reported in (*out)->diags. Returns WSK_OK, WSK_EINPUT (diags has the reasons), WSK_ERUN (the system
 * could not read a file now; diags has the reason) or WSK_ENOMEM. *out is set unless out of memory; free it with
 * wsk_plan_free. */
wsk_status wsk_plan_load(wsk_plan **out, const wsk_plan_input *input);
/* Value of one unit of a currency in the currency of the tariff, by the rates of <exchange>; NAN: no rate is known,
 * or there is no tariff. */
double wsk_exchange_worth(const wsk_elem *rig, const char *currency);
bool wsk_plan_has_part(const wsk_plan_input *input, const char *id);
void wsk_plan_free(wsk_plan *plan);

/* Writes the rig with all values and origins as XML. Read again, without parts, it has the same digest. */
void wsk_plan_write_resolved(const wsk_plan *plan, wsk_buf *out);
/* Writes an element as a part whose base is the element's own part. The new part has the values that the rig and the
 * assignments state, except a power limit without a source, and values that only a rig can state. */
void wsk_plan_write_part(const wsk_elem *elem, const char *title, wsk_buf *out);
wsk_status wsk_plan_elements(const wsk_plan *plan, const wsk_elements **out);
void wsk_schema_write(wsk_buf *out);
void wsk_kinds_tell(wsk_lines *out, const char *element);

/* Calls fn for each part of a family (NULL: all), sorted. id has no ".xml"; title may be NULL. WSK_ERUN: a file or
 * folder could not be read because of a temporary failure; the reason is appended in English to `why`, unless `why`
 * is NULL. held: the store through which the files are read; parts whose files cannot be read are then listed, too,
 * and a folder that cannot be read is WSK_ERUN. NULL: the files are read anew, and parts and folders that the system
 * refuses are left out. */
typedef void wsk_part_fn(void *ctx, const char *id, const char *title);
wsk_status wsk_parts_list(const char *parts_dir, const char *family, wsk_files *held, wsk_part_fn *fn, void *ctx,
                          wsk_buf *why);
/* Adds to *out one part in full: each value with unit and source. WSK_EINPUT, with diags: the part is missing or
 * broken. WSK_ERUN, with diags: a file could not be read because of a temporary failure. *missing: no folder has the
 * part, or a part that it builds on, and none has a similar name. */
wsk_status wsk_part_tell(const char *extra_parts_dir, const char *parts_dir, const char *id, wsk_lines *out,
                         wsk_diags *diags, bool *missing);

#endif
