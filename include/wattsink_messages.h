/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages as data; part of wattsink.h, which includes this file. */
#ifndef WATTSINK_MESSAGES_H
#define WATTSINK_MESSAGES_H

/* What a message says: a code that stays, such as "card.slot-taken", and its arguments. It belongs to the rig. */
typedef struct wsk_said wsk_said;
/* That of wsk_rig_message. */
const wsk_said *wsk_rig_message_said(const wsk_rig *rig, size_t i);
const char *wsk_said_code(const wsk_said *said);
/* The k-th argument: *text, or *inner, a message within this one (a hint, a reason), or where both are NULL *number. False: there
 * are no more. */
bool wsk_said_argument(const wsk_said *said, size_t k, double *number, const char **text, const wsk_said **inner);

/* What `check` finds, line by line: fit, sizing, the largest uncertainties, inputs by kind of source; `sources`: instead each input
 * with its value, kind of source, reference and spread, the assumed ones first. WSK_EINPUT: the rig has mistakes. */
typedef struct wsk_findings wsk_findings;
wsk_status wsk_rig_check(const wsk_rig *rig, bool sources, wsk_findings **out);
size_t wsk_findings_count(const wsk_findings *findings);
/* The message belongs to the findings; *indent: columns. */
const wsk_said *wsk_findings_line(const wsk_findings *findings, size_t i, int *indent);
void wsk_findings_free(wsk_findings *findings);
#endif
