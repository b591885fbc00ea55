/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Visits the parameter values that a rig uses. Of siblings with the same part only the first is visited; of the
 * classes of work, only the one that is run. Values without effect in the rig are left out. */
#ifndef WSK_PROVENANCE_H
#define WSK_PROVENANCE_H
#include "sim/net/kind.h"

/* The kinds of source that <source kind=""> may name, in the order in which `check` counts them. The array ends with
 * NULL; WSK_SOURCE_KINDS is the same list as one text. */
extern const char *const wsk_source_kinds[];
#define WSK_SOURCE_KINDS "datasheet|database|log|article|measured|fitted|assumed"
enum { WSK_SOURCE_KIND_COUNT = 7 };

typedef void wsk_value_fn(void *ctx, const wsk_elem *elem, const wsk_param *param, const wsk_origin *origin);
/* Calls fn for each value. Of elements with the same part only the first counts, but what differs inside the others
 * does, too. cls: the class of work that is run, a wsk_class. */
void wsk_each_value(const wsk_elem *rig, int cls, wsk_value_fn *fn, void *ctx);
/* True if the reason given for a value is a text of the program, which can be translated. False: the reason is from a
 * file and is quoted as it is. */
static inline bool wsk_reason_is_ours(const wsk_origin *origin)
{
    return origin->from == WSK_FROM_DEFAULT || !origin->ref;
}
int wsk_count_assumed(const wsk_elem *rig, int cls);

#endif
