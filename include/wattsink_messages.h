/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages as data. wattsink.h includes this file. */
#ifndef WATTSINK_MESSAGES_H
#define WATTSINK_MESSAGES_H

/* A message: a stable code, such as "card.slot-taken", and its arguments. It belongs to the object that returned it
 * (a rig, a run, findings, ...). */
typedef struct wsk_said wsk_said;
/* The message whose text wsk_rig_message gives for index i (0 to wsk_rig_messages - 1). */
const wsk_said *wsk_rig_message_said(const wsk_rig *rig, size_t i);
/* The code of a message; "" for NULL. */
const char *wsk_said_code(const wsk_said *said);
/* Gets argument k (from 0) of a message. For a text, *text is set; for a message inside the message (a hint, a
 * reason), *inner is set; for a number, both are NULL and *number is set. False: the message has no argument k. */
bool wsk_said_argument(const wsk_said *said, size_t k, double *number, const char **text, const wsk_said **inner);

/* Messages as a JSON list like `notices` in summary.json: code, English sentence and values of each message. Free
 * *json with wsk_text_free. */
wsk_status wsk_said_json(const wsk_said *const *messages, size_t count, char **json);

/* The findings of `check`, one message per line: fit, sizing, the largest uncertainties, and the number of inputs by
 * kind of source. With `sources`, the lines are instead all inputs, each with value, kind of source, reference and
 * spread, assumed inputs first. Free *out with wsk_findings_free. WSK_EINPUT: the rig has errors. */
typedef struct wsk_findings wsk_findings;
wsk_status wsk_rig_check(const wsk_rig *rig, bool sources, wsk_findings **out);
/* wsk_kinds_lines: the page of wsk_kinds_text as messages, one per line. wsk_part_lines: one part in full.
 * extra_parts_dir is searched first (NULL: none). If the part has errors, the lines are the errors and the status is
 * WSK_EINPUT, or WSK_ERUN if the system could not read a file. *missing: true if the part, or a part on which it is
 * based, is in no folder, and no part there has a similar name. *out is NULL when out of memory. */
wsk_status wsk_kinds_lines(const char *element, wsk_findings **out);
wsk_status wsk_part_lines(const char *extra_parts_dir, const char *parts_dir, const char *id, wsk_findings **out,
                          bool *missing);
/* True if a part or data file that the rig names does not exist, cannot be read or has mistakes: the rig then has
 * errors, and they do not mean that its parts do not fit. */
bool wsk_rig_has_bad_files(const wsk_rig *rig);
/* As wsk_parts_text, of the rig's catalogue. The files are read once and stored with those of the rig, for rigs loaded
 * with `files_of`. Parts that cannot be read are listed, too. WSK_ERUN: *text names a file or folder that could not be
 * read. */
wsk_status wsk_rig_parts_text(const wsk_rig *rig, const char *family, char **text);
size_t wsk_findings_count(const wsk_findings *findings);
/* The message of line i, owned by the findings; *indent: number of spaces before the line. */
const wsk_said *wsk_findings_line(const wsk_findings *findings, size_t i, int *indent);
void wsk_findings_free(wsk_findings *findings);
/* Parses the output of wsk_said_json, or an object that has it at the key "messages", into messages, one per line. A
 * message whose code this version does not know becomes its English sentence. WSK_EINPUT: the text is neither. */
wsk_status wsk_findings_read(const char *json, size_t len, wsk_findings **out);

/* A function that translates an English text; it returns the text itself if there is no translation. */
typedef const char *wsk_translate(const void *language, const char *english);
/* The language and the character set in which a page is written. */
typedef struct {
    wsk_translate *translate; /* translator; NULL: English */
    const void *language;     /* argument of `translate` */
    /* columns that a text takes on a terminal, for tables; NULL: one for each character */
    int (*width)(const char *text);
    bool ascii; /* true: write "degC" and "+-" instead of "°C" and "±" */
} wsk_voice;
/* Why a run cannot continue, as a message that belongs to the run; NULL: the run can continue. wsk_run_error gives
 * the message in English. */
const wsk_said *wsk_run_failure(const wsk_run *run);
/* The page that `wattsink run` prints at the end of a run. voice NULL: English in ASCII. Free *text with
 * wsk_text_free. */
wsk_status wsk_run_page(const wsk_run *run, const wsk_voice *voice, char **text);
/* The steady operating point as JSON and as a page in the language of `voice` (NULL: English in ASCII); json and text
 * may be NULL. The JSON has the keys of wsk_run_summary_json; keys with "_mean" contain the values of the steady
 * point. spent_s: real time, s, that the caller has spent already; it is added to wall_clock_s in the JSON. On
 * WSK_ENUMERIC, *text names the component that left the physical range; otherwise *json and *text are set on WSK_OK
 * only. */
wsk_status wsk_steady_page(const wsk_rig *rig, wsk_stepper stepper, double spent_s, const wsk_voice *voice,
                           char **json, char **text);
/* Like wsk_rig_export, but the reason of a failure in *text is in the language of `voice`. */
wsk_status wsk_rig_export_page(const wsk_rig *rig, wsk_export_format format, double replay_s, const wsk_voice *voice,
                               char **text);
#endif
