/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to merging: merge.c merges elements, merge_values.c their values. assign.c sets values in what they made. */
#ifndef WSK_IO_MERGE_H
#define WSK_IO_MERGE_H
#include "sim/io/load.h"

/* The text without white space at both ends; the result may point into `text`. NULL: out of memory. */
const char *wsk_trimmed(wsk_loader *loader, const char *text);
/* Drops the date (price-date) that belongs to the value of parameter p, because the item gets another value. */
void wsk_merge_drop_date(wsk_item *item, const wsk_param *p);
void wsk_merge_values(wsk_loader *loader, wsk_item *item, wsk_node *node, wsk_layer layer);

#endif
