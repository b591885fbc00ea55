/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to merging: merge.c lays out the elements, merge_values.c takes what is written on them. */
#ifndef WSK_IO_MERGE_H
#define WSK_IO_MERGE_H
#include "sim/io/load.h"

/* Without white space at both ends; NULL: out of memory. */
const char *wsk_trimmed(wsk_loader *loader, const char *text);
/* The attributes of a node over those that its item has already. */
void wsk_merge_values(wsk_loader *loader, wsk_item *item, wsk_node *node, wsk_layer layer);

#endif
