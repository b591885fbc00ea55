/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_RESULTS_READ_H
#define WSK_RESULTS_READ_H
#include "sim/base/json.h"
#include "sim/results/summary.h"

/* Reads summaries from JSON text, for wsk_summaries_read in wattsink.h. *out: array of *count summaries; the caller
 * frees it with wsk_summaries_free. Adds a message to `mistakes` only if it returns WSK_EINPUT. */
wsk_status wsk_results_read(wsk_summary ***out, size_t *count, const char *text, size_t len, wsk_diags *mistakes);

/* Reads a message from its JSON into the arena. If this version does not know the message's code, it keeps the
 * English sentence from the JSON instead. WSK_EINPUT: the value is no message; *out is then NULL. */
wsk_status wsk_message_read(const wsk_said **out, wsk_arena *arena, const wsk_json *value, wsk_json_kind kind);

#endif
