/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages as data. wattsink.h includes this file. */
#ifndef WATTSINK_MESSAGES_H
#define WATTSINK_MESSAGES_H

/* A message: a stable code, such as "card.slot-taken", and its arguments. It belongs to the rig or the findings
 * that gave it. */
typedef struct wsk_said wsk_said;
/* The message whose text wsk_rig_message gives for index i (0 to wsk_rig_messages - 1). */
const wsk_said *wsk_rig_message_said(const wsk_rig *rig, size_t i);
/* The code of a message; "" for NULL. */
const char *wsk_said_code(const wsk_said *said);
/* Reads argument k (from 0) of a message. A text argument sets *text; a message inside the message (a hint, a
 * reason) sets *inner; for a number both are NULL and *number is set. False: the message has no argument k. */
bool wsk_said_argument(const wsk_said *said, size_t k, double *number, const char **text, const wsk_said **inner);

/* Messages as JSON, a list like `notices` in summary.json: code, English sentence and values of each. Free with
 * wsk_text_free. */
wsk_status wsk_said_json(const wsk_said *const *messages, size_t count, char **json);

/* The findings of `check`, one message a line: fit, sizing, the largest uncertainties, and the number of inputs by
 * kind of source. With `sources` they are instead all inputs, each with value, kind of source, reference and
 * spread, assumed inputs first. Free *out with wsk_findings_free. WSK_EINPUT: the rig has errors. */
typedef struct wsk_findings wsk_findings;
wsk_status wsk_rig_check(const wsk_rig *rig, bool sources, wsk_findings **out);
/* The page of wsk_kinds_text, and one part in full, as messages, one a line. extra_parts_dir is searched first (NULL:
 * none). If the part has mistakes, the lines are the mistakes and the status is WSK_EINPUT. *missing: no folder has the
 * part, or a part that it builds on, and none has a similar name. *out is NULL when out of memory. */
wsk_status wsk_kinds_lines(const char *element, wsk_findings **out);
wsk_status wsk_part_lines(const char *extra_parts_dir, const char *parts_dir, const char *id, wsk_findings **out,
                          bool *missing);
size_t wsk_findings_count(const wsk_findings *findings);
/* The message of line i, owned by the findings; *indent: blank columns before the line. */
const wsk_said *wsk_findings_line(const wsk_findings *findings, size_t i, int *indent);
void wsk_findings_free(wsk_findings *findings);
/* Reads the messages of wsk_said_json back, one a line. A message whose code this version does not know is read as its
 * English sentence. WSK_EINPUT: not such a list. */
wsk_status wsk_findings_read(const char *json, size_t len, wsk_findings **out);

/* A function that translates an English text; it returns the text itself if there is no translation. */
typedef const char *wsk_translate(const void *language, const char *english);
/* The language and the character set in which a page is written. */
typedef struct {
    wsk_translate *translate;       /* translator; NULL: English */
    const void *language;           /* argument of `translate` */
    int (*width)(const char *text); /* columns on a terminal, for tables; NULL: one for each character */
    bool ascii;                     /* "degC", "+-" instead of "°C", "±" */
} wsk_voice;
/* Why a run cannot go on, as a message that belongs to the run; NULL: the run can go on. wsk_run_error gives its
 * English sentence. */
const wsk_said *wsk_run_failure(const wsk_run *run);
/* The page that a run leaves in the terminal. voice NULL: English in ASCII. Free with wsk_text_free. */
wsk_status wsk_run_page(const wsk_run *run, const wsk_voice *voice, char **text);
/* The steady operating point as JSON and as a page in the language of `voice` (NULL: English in ASCII); json and text
 * may be NULL. The keys are those of wsk_run_summary_json; keys with "_mean" hold the values of that point. spent_s: real
 * time that the caller has spent already; wall_clock_s in the JSON includes it. On WSK_ENUMERIC *text names the component
 * that left the physical range; otherwise *json and *text are set on WSK_OK only. */
wsk_status wsk_steady_page(const wsk_rig *rig, wsk_stepper stepper, double spent_s, const wsk_voice *voice,
                           char **json, char **text);
/* Does the work of wsk_rig_export; the reason of a failure in *text is in the language of `voice`. */
wsk_status wsk_rig_export_page(const wsk_rig *rig, wsk_export_format format, double replay_s, const wsk_voice *voice,
                               char **text);
#endif
