/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to assignments PATH=VALUE (--set): assign_path.c reads a path and finds its targets, assign.c sets them. */
#ifndef WSK_IO_ASSIGN_H
#define WSK_IO_ASSIGN_H
#include "sim/io/load.h"

#define WSK_SEGMENTS_MAX 12

typedef struct {
    /* name: element or attribute; pick: text in brackets after the name, NULL: no brackets */
    const char *name, *pick;
} wsk_segment;
typedef struct {
    const char *text;
    wsk_segment at[WSK_SEGMENTS_MAX];
    int count;
    const char *value;
    bool add; /* PATH+=PART ATTRIBUTE=VALUE...: the last name of the path is the element to add */
} wsk_assignment;
typedef struct {
    wsk_item **items;
    size_t count, room;
} wsk_item_set;

void wsk_assign_error(wsk_loader *l, const wsk_assignment *a, const wsk_said *said);
bool wsk_assign_parse(wsk_loader *l, const char *text, wsk_assignment *a);
/* True if the assignment removes the elements that its path names: PATH=none. attr: result of wsk_assign_find. */
bool wsk_assign_removes(const wsk_assignment *a, const char *attr);
/* Finds the elements to which an assignment with `add` adds a child: among the elements that the path names before
 * its last name, and all elements inside these, the outermost ones whose kind allows the child. False: an error was
 * reported. */
bool wsk_assign_holders(wsk_loader *l, wsk_item *rig, const wsk_assignment *a, wsk_item_set *out);
/* Finds the targets of an assignment. *attr: the attribute to set; NULL: the value names a part, or removes the
 * targets. False: an error was reported, or memory ran out. */
bool wsk_assign_find(wsk_loader *l, wsk_item *rig, const wsk_assignment *a, wsk_item_set *out, const char **attr);

#endif
