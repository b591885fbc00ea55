/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A summary: what a run or a steady point comes to, as typed results. Included by wattsink.h.
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
    X(RIG) X(PERIOD) X(MONTH) X(GPU) X(PSU) X(CASE) X(LOOP) X(FAN) X(CHANGE) X(VAIN) X(COMPARED) X(COMPARISON)
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
    WSK_IS_MEMBERS, /* a list of the members of another scope */
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

/* A row of the table; wattsink_results.h explains the columns. */
typedef struct {
    wsk_scope scope;
    wsk_result_type type; /* WSK_IS_MEMBERS for all lists of members */
    wsk_scope members;    /* of those: the scope */
    const char *name, *key, *label, *unit;
    int digits;
    wsk_better better;
    wsk_over over;
    bool band;
    wsk_shown shown;
    int line;
} wsk_result_row;
/* NULL: no such result. */
const wsk_result_row *wsk_result_about(wsk_result result);
/* The key that names it for the rig as a whole, "gpus.die_max_c"; returns its length, as snprintf does. */
int wsk_result_name(wsk_result result, char *out, size_t size);

/* What a user's name stands for: "cost.annual", "gpus[0].die_max_c", "gpus.die_max_c", "mean(gpus.power_mean_w)",
 * "warnings[0]". */
typedef struct {
    wsk_result result;
    long member;   /* -1: all members of its scope; of a list of texts: which one */
    wsk_over over; /* as the name says; WSK_OVER_NONE: the name says nothing */
} wsk_result_place;
/* False: no result has that name. */
bool wsk_result_find(wsk_result_place *out, const char *name);

/* ---- summaries ---- */
typedef struct wsk_summary wsk_summary;
wsk_status wsk_run_summary(wsk_summary **out, const wsk_run *run, double wall_clock_s);
/* The steady operating point: "_mean" values are that point. spent_s: real time that the caller has spent already.
 * *text (may be NULL): the page for a terminal; on WSK_ENUMERIC which component left the physical range. */
wsk_status wsk_steady_summary(wsk_summary **out, const wsk_rig *rig, wsk_stepper stepper, double spent_s,
                              char **text);
void wsk_summary_free(wsk_summary *summary);

/* Members of a scope; 1 for the rig. */
size_t wsk_summary_count(const wsk_summary *summary, wsk_scope scope);
/* Whether a value is there: not null, not absent. */
bool wsk_summary_known(const wsk_summary *summary, wsk_result result, size_t member);
/* Whether its key is in the JSON, though it may be null there. */
bool wsk_summary_shown(const wsk_summary *summary, wsk_result result, size_t member);
/* A flag counts as 1 or 0. NAN: not known, no such member, or no number. */
double wsk_summary_number(const wsk_summary *summary, wsk_result result, size_t member);
bool wsk_summary_flag(const wsk_summary *summary, wsk_result result, size_t member);
/* NULL: not known, no such member, or no text. */
const char *wsk_summary_text(const wsk_summary *summary, wsk_result result, size_t member);
/* The texts of a list; *count is 0 where there are none. */
const char *const *wsk_summary_texts(const wsk_summary *summary, wsk_result result, size_t member, size_t *count);
/* Over all members whose value is known; NAN where none is. WSK_OVER_NONE: as the table says. */
double wsk_summary_over(const wsk_summary *summary, wsk_result result, wsk_over over);
/* The number at a place that wsk_result_find gave; NAN where a text is there. */
double wsk_summary_at(const wsk_summary *summary, const wsk_result_place *place);

/* Replace a value; the summary keeps its own copy of a text. NAN and NULL: null. WSK_EUSAGE: no such member, or
 * another type. */
wsk_status wsk_summary_set_number(wsk_summary *summary, wsk_result result, size_t member, double value);
wsk_status wsk_summary_set_flag(wsk_summary *summary, wsk_result result, size_t member, bool value);
wsk_status wsk_summary_set_text(wsk_summary *summary, wsk_result result, size_t member, const char *value);

/* The text of summary.json. Free with wsk_text_free. */
wsk_status wsk_summary_json(const wsk_summary *summary, char **text);
/* Reads a summary.json or compare.json, or what `steady --json` prints: *out is an array of *count summaries, one a
 * case. Keys that the table lacks are ignored; those that the file lacks are not known. On WSK_EINPUT *why (may be
 * NULL) says what is wrong; free it with wsk_text_free. */
wsk_status wsk_summaries_read(wsk_summary ***out, size_t *count, const char *text, size_t len, char **why);
void wsk_summaries_free(wsk_summary **summaries, size_t count);

#endif
