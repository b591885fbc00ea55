/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results: the table (table.c, include/wattsink_results.h), the summary that holds one value for each row and member
 * (summary.c), its JSON (write.c, read.c), and what fills it from a run (gather.c). What is made of runs, such as the
 * verdict, is filled in by sim/study/fill.c. */
#ifndef WSK_RESULTS_SUMMARY_H
#define WSK_RESULTS_SUMMARY_H
#include "sim/base/base.h"

/* ABSENT: its key is not written. */
typedef enum { WSK_VALUE_ABSENT, WSK_VALUE_NULL, WSK_VALUE_KNOWN } wsk_value_state;
typedef struct {
    wsk_value_state state;
    double number;            /* also a flag, 0 or 1; of a list of texts: how many */
    const char *text;         /* of a text */
    const char *const *texts; /* of a list of texts */
} wsk_value;

/* An empty summary: the rig has its rows, other scopes have no members. */
wsk_status wsk_summary_new(wsk_summary **out);
/* Gives a scope its members, with all values unknown. Once for each scope. */
wsk_status wsk_summary_members(wsk_summary *s, wsk_scope scope, size_t count);
/* The value of a row for a member; NULL: no such member. */
const wsk_value *wsk_summary_value(const wsk_summary *s, wsk_result result, size_t member);
wsk_status wsk_summary_set_null(wsk_summary *s, wsk_result result, size_t member);
wsk_status wsk_summary_set_texts(wsk_summary *s, wsk_result result, size_t member, const char *const *texts,
                                 size_t count);
/* A list of members, which is written where it is known. */
wsk_status wsk_summary_set_list(wsk_summary *s, wsk_result result);
/* Whether memory ran out since wsk_summary_new, in the summary or in what was made for it: who fills it asks once, at
 * the end. */
bool wsk_summary_failed(const wsk_summary *s);
void wsk_summary_fail(wsk_summary *s);

void wsk_summary_write(const wsk_summary *s, wsk_buf *out);

#endif
