/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A summary: the results of a run or of a steady point, with types. wattsink.h includes this file.
 *
 *     wsk_summary *s;
 *     if (wsk_run_summary(&s, run, 0) == WSK_OK) {
 *         double hottest_c = wsk_summary_over(s, WSK_R_GPU_DIE_MAX, WSK_OVER_MAX);
 *         double first_c = wsk_summary_number(s, WSK_R_GPU_DIE_MAX, 0);
 *         wsk_summary_free(s);
 *     } */
#ifndef WATTSINK_SUMMARY_H
#define WATTSINK_SUMMARY_H

#define WSK_SCOPE_LIST(X) \
    X(RIG) \
    X(PERIOD) X(MONTH) X(GPU) X(PSU) X(CIRCUIT) X(CASE) X(LOOP) X(FAN) X(CHANGE) X(VAIN) X(COMPARED) X(COMPARISON)
typedef enum {
#define WSK_SCOPE_ENUM(name) WSK_SCOPE_##name,
    WSK_SCOPE_LIST(WSK_SCOPE_ENUM)
#undef WSK_SCOPE_ENUM
        WSK_SCOPES
} wsk_scope;

typedef enum {
    WSK_IS_NUMBER,
    WSK_IS_TEXT,
    WSK_IS_FLAG,
    WSK_IS_TEXTS,
    WSK_IS_MESSAGES, /* a list of codes with values: wattsink_messages.h */
    WSK_IS_MEMBERS,  /* a list of the members of another scope, such as the cards */
#define WSK_SCOPE_ENUM(name) WSK_IS_OF_##name = WSK_IS_MEMBERS + WSK_SCOPE_##name,
    WSK_SCOPE_LIST(WSK_SCOPE_ENUM)
#undef WSK_SCOPE_ENUM
} wsk_result_type;

typedef enum { WSK_BETTER_NEITHER, WSK_BETTER_LESS, WSK_BETTER_MORE } wsk_better;
typedef enum { WSK_OVER_NONE, WSK_OVER_MAX, WSK_OVER_MIN, WSK_OVER_MEAN, WSK_OVER_SUM } wsk_over;
typedef enum { WSK_SHOWN_ALWAYS, WSK_SHOWN_IF_SO, WSK_SHOWN_LATE, WSK_SHOWN_OBJECT } wsk_shown;

typedef enum {
#define WSK_RESULT_ENUM(name, ...) WSK_R_##name,
    WSK_RESULT_LIST(WSK_RESULT_ENUM)
#undef WSK_RESULT_ENUM
        WSK_RESULTS
} wsk_result;

/* A row of the table of results; wattsink_results.h explains the columns. */
typedef struct {
    wsk_scope scope;
    wsk_result_type type; /* WSK_IS_MEMBERS for each list of members */
    wsk_scope members;    /* if type is WSK_IS_MEMBERS: the scope of the members */
    const char *name, *key, *label, *unit;
    int digits;
    wsk_better better;
    wsk_over over;
    bool band;
    wsk_shown shown;
    int line;
} wsk_result_row;
/* The row of a result; NULL: no such result. */
const wsk_result_row *wsk_result_about(wsk_result result);
/* The short label of a result for narrow tables, or its label if that is short already; "" for an unknown result. */
const char *wsk_result_brief(wsk_result result);
/* Writes the full name of a result, such as "cost.annual" or "gpus.die_max_c", into out. Returns its length, as
 * snprintf does. */
int wsk_result_name(wsk_result result, char *out, size_t size);

/* The result that a name typed by a user refers to: "cost.annual", "gpus[0].die_max_c", "gpus.die_max_c",
 * "mean(gpus.power_mean_w)", "warnings[0]". */
typedef struct {
    wsk_result result;
    long member;   /* index of the member, or of the text in a list of texts; -1: all members of the scope */
    wsk_over over; /* the function in the name, such as mean(); WSK_OVER_NONE: the name has none */
} wsk_result_place;
/* Finds the number, flag or text with this name, or the text of a list by its index. Lists as a whole, texts of a list
 * in members (`set`) and results of the scope COMPARISON are not found. False: no result has the name. */
bool wsk_result_find(wsk_result_place *out, const char *name);

/* ---- summaries ----
 * wsk_run_summary: the results of a run so far. wall_clock_s: real time that the run took, for the summary. Free
 * *out with wsk_summary_free. */
typedef struct wsk_summary wsk_summary;
wsk_status wsk_run_summary(wsk_summary **out, const wsk_run *run, double wall_clock_s);
/* The steady operating point of a rig; the results with "_mean" in their keys are the values at this point. spent_s:
 * real time in seconds that the caller has spent already, added to the result WALL_CLOCK. *text (may be NULL)
 * receives the page for a terminal, or on WSK_ENUMERIC the component that left the physical range; free it with
 * wsk_text_free. */
wsk_status wsk_steady_summary(wsk_summary **out, const wsk_rig *rig, wsk_stepper stepper, double spent_s,
                              char **text);
/* The steady operating point with the extras that the caller needs; `with`: the sum of these bits. The point alone
 * takes milliseconds; ranges (uncertainty) and advice take tens of milliseconds. *why (may be NULL): on WSK_ENUMERIC,
 * the component that left the physical range, in the language of `voice`; free it with wsk_text_free. */
typedef enum { WSK_POINT_ALONE = 0, WSK_POINT_RANGES = 1, WSK_POINT_ADVICE = 2 } wsk_point_parts;
wsk_status wsk_steady_point(wsk_summary **out, const wsk_rig *rig, wsk_stepper stepper, unsigned with,
                            const wsk_voice *voice, char **why);
void wsk_summary_free(wsk_summary *summary);

/* Number of members of a scope; 1 for the rig. */
size_t wsk_summary_count(const wsk_summary *summary, wsk_scope scope);
/* True if the value is known: neither null nor absent. */
bool wsk_summary_known(const wsk_summary *summary, wsk_result result, size_t member);
/* True if summary.json has the key of the result, even if its value is null. */
bool wsk_summary_shown(const wsk_summary *summary, wsk_result result, size_t member);
/* The value of a number, or 1 or 0 for a flag. NAN, and false of wsk_summary_flag: unknown, no such member, or the
 * result has another type. */
double wsk_summary_number(const wsk_summary *summary, wsk_result result, size_t member);
bool wsk_summary_flag(const wsk_summary *summary, wsk_result result, size_t member);
/* The value of a text. NULL: unknown, no such member, or the result has another type. */
const char *wsk_summary_text(const wsk_summary *summary, wsk_result result, size_t member);
/* The texts of a list, which belong to the summary; *count is their number, 0 for an empty or unknown list. */
const char *const *wsk_summary_texts(const wsk_summary *summary, wsk_result result, size_t member, size_t *count);
/* The messages of a list, which belong to the summary; *count is their number, 0 for an empty or unknown list. */
const wsk_said *const *wsk_summary_messages(const wsk_summary *summary, wsk_result result, size_t member,
                                            size_t *count);
/* Aggregates a result over all members whose value is known; NAN: no value is known. WSK_OVER_NONE: aggregate as
 * the table of results says. */
double wsk_summary_over(const wsk_summary *summary, wsk_result result, wsk_over over);
/* Mean power at the wall, W; NAN: unknown. */
double wsk_summary_wall_w(const wsk_summary *summary);

/* Replace a value; the summary copies texts. NAN and NULL stand for null. WSK_EUSAGE: no such member, or the
 * result has another type. */
wsk_status wsk_summary_set_number(wsk_summary *summary, wsk_result result, size_t member, double value);
wsk_status wsk_summary_set_flag(wsk_summary *summary, wsk_result result, size_t member, bool value);
wsk_status wsk_summary_set_text(wsk_summary *summary, wsk_result result, size_t member, const char *value);
wsk_status wsk_summary_set_messages(wsk_summary *summary, wsk_result result, size_t member,
                                    const wsk_said *const *messages, size_t count);

/* Writes the text of summary.json into *text. Free it with wsk_text_free. */
wsk_status wsk_summary_json(const wsk_summary *summary, char **text);
/* Writes the text of compare.json into *text: the summaries as cases, and the results of the comparison (scope
 * COMPARISON) that the first one has. Free it with wsk_text_free. */
wsk_status wsk_summaries_json(const wsk_summary *const *cases, size_t count, char **text);
/* An error in a file: one message, and its position. Free `why` with wsk_findings_free. */
typedef struct {
    wsk_findings *why;
    int line, column; /* position from 1, a column is a byte; 0: unknown, and the message names a key instead */
} wsk_file_mistake;
/* Parses summary.json, compare.json or the output of `steady --json`. *out is an array of *count summaries, one per
 * case; free it with wsk_summaries_free. Unknown keys are ignored; results that the file lacks are unknown.
 * WSK_EINPUT: *mistake (may be NULL) is set; otherwise its `why` is NULL. */
wsk_status wsk_summaries_read(wsk_summary ***out, size_t *count, const char *text, size_t len,
                              wsk_file_mistake *mistake);
void wsk_summaries_free(wsk_summary **summaries, size_t count);

#endif
