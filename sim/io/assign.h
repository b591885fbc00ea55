/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to assignments: assign_path.c reads a path and finds what it means, assign.c sets it. */
#ifndef WSK_IO_ASSIGN_H
#define WSK_IO_ASSIGN_H
#include "sim/io/load.h"

#define WSK_SEGMENTS_MAX 12

typedef struct {
    const char *name, *pick; /* pick NULL: all */
} wsk_segment;
typedef struct {
    const char *text; /* the whole assignment */
    wsk_segment at[WSK_SEGMENTS_MAX];
    int count;
    const char *value;
} wsk_assignment;
typedef struct {
    wsk_item **items;
    size_t count, room;
} wsk_item_set;

/* Tells what is wrong with an assignment. */
void wsk_assign_error(wsk_loader *l, const wsk_assignment *a, const wsk_said *said);
/* Reads PATH=VALUE; false: told, or out of memory. */
bool wsk_assign_parse(wsk_loader *l, const char *text, wsk_assignment *a);
/* The targets of an assignment; false: there are none, which is told. *attr: NULL when they are elements whose part is set. */
bool wsk_assign_find(wsk_loader *l, wsk_item *rig, const wsk_assignment *a, wsk_item_set *out, const char **attr);

#endif
