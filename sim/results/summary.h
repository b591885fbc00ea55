/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a wsk_summary: values and functions that set them (summary.c), and its JSON (write.c). The summary has
 * one value for each row of the table of results (include/wattsink_results.h) and each member of the row's scope,
 * such as each card; the scope of the rig has one member.
 * gather.c fills it from a run; sim/study/findings/fill.c adds results that need several runs, such as the verdict. */
#ifndef WSK_RESULTS_SUMMARY_H
#define WSK_RESULTS_SUMMARY_H
#include "sim/base/said.h"

/* State of a value. In JSON an ABSENT value has no key, a NULL value is null. */
typedef enum { WSK_VALUE_ABSENT, WSK_VALUE_NULL, WSK_VALUE_KNOWN } wsk_value_state;
typedef struct {
    wsk_value_state state;
    double number; /* number; flag as 0 or 1; number of texts or messages in a list */
    const char *text;
    const char *const *texts;
    const wsk_said *const *messages;
} wsk_value;

/* Makes an empty summary: all results of the rig are unknown, all lists have no members. Free it with
 * wsk_summary_free. */
wsk_status wsk_summary_new(wsk_summary **out);
/* Sets the number of members of a scope, all values unknown. Call it once per scope. */
wsk_status wsk_summary_members(wsk_summary *s, wsk_scope scope, size_t count);
const wsk_value *wsk_summary_value(const wsk_summary *s, wsk_result result, size_t member);
wsk_status wsk_summary_set_null(wsk_summary *s, wsk_result result, size_t member);
wsk_status wsk_summary_set_texts(wsk_summary *s, wsk_result result, size_t member, const char *const *texts,
                                 size_t count);
/* Marks a list of members as known, so that it is written. */
wsk_status wsk_summary_set_list(wsk_summary *s, wsk_result result);
/* True if memory ran out since wsk_summary_new, in the summary or in code that fills it, which then calls
 * wsk_summary_fail. */
bool wsk_summary_failed(const wsk_summary *s);
void wsk_summary_fail(wsk_summary *s);

void wsk_message_write(const wsk_said *said, wsk_buf *out);
void wsk_summary_write(const wsk_summary *s, wsk_buf *out);
#define WSK_COMPARED_KEY "cases"
void wsk_summaries_write(const wsk_summary *const *cases, size_t count, wsk_buf *out);

#endif
