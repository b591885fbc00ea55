/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warnings and advice of the report. A summary.json of an older version has them only as English sentences, not as
 * messages that can be translated. */
#include <stdlib.h>
#include <string.h>

#include "draw/report.h"

/* Sentences of the summary are in ASCII; here they get a typographic minus and apostrophe. */
static void set_type(wsk_report *r, const char *text)
{
    char *typeset = wsk_alloc(r->arena, 3 * strlen(text) + 1), *o = typeset;
    r->no_memory = r->no_memory || !typeset;
    if (!typeset)
        return;
    for (const char *p = text; *p; p++) {
        bool minus = *p == '-' && p[1] >= '0' && p[1] <= '9' && p > text && p[-1] == ' ';
        const char *as = minus ? "−" : *p == '\'' ? "’" : (char[]){*p, '\0'};
        memcpy(o, as, strlen(as));
        o += strlen(as);
    }
    wsk_report_text(r->out, typeset);
}

static void sentence(wsk_report *r, const char *before, const char *text)
{
    size_t n = strlen(text);
    /* An id keeps its case: one with a digit, such as "psu0", and any in a warning of the form "water: ...". */
    const size_t word = strcspn(text, " ");
    bool named = strcspn(text, "0123456789") < word || (word && text[word - 1] == ':');
    bool capital = !before[0] && !named && text[0] >= 'a' && text[0] <= 'z';
    fputs(before, r->out);
    if (capital)
        fputc(text[0] - 'a' + 'A', r->out);
    set_type(r, text + capital);
    if (n && !strchr(".!?:", text[n - 1]) && (n < 3 || strcmp(text + n - 3, "。") != 0))
        fputs(r->lang == WSK_JA ? "。" : ".", r->out);
}

static bool any_ill(const wsk_report *r)
{
    static const wsk_result ills[] = {WSK_R_THROTTLES, WSK_R_SHUTS_DOWN, WSK_R_TRIPS,
                                      WSK_R_OVERLOADS, WSK_R_TOO_HOT,    WSK_R_TOO_LOUD};
    bool ill = false;
    for (size_t k = 0; k < sizeof ills / sizeof *ills; k++)
        ill = ill || wsk_summary_flag(r->summary, ills[k], 0);
    return ill;
}

typedef struct {
    wsk_result text, parts, trip, over_circuit, over_feed, over_psu, throttles, shuts_down, too_hot, too_loud;
} change_results;
#define CHANGE_RESULTS(P) \
    { \
        WSK_R_##P##_TEXT, WSK_R_##P##_PARTS, WSK_R_##P##_TRIP, WSK_R_##P##_OVER_CIRCUIT, WSK_R_##P##_OVER_FEED, \
            WSK_R_##P##_OVER_PSU, WSK_R_##P##_THROTTLES, WSK_R_##P##_SHUTS_DOWN, WSK_R_##P##_TOO_HOT, \
            WSK_R_##P##_TOO_LOUD \
    }
static const change_results of_changes = CHANGE_RESULTS(CHANGE), of_vain = CHANGE_RESULTS(VAIN);

static bool cures_all(const wsk_report *r, const change_results *c, size_t i)
{
    const wsk_result flags[] = {c->throttles, c->shuts_down, c->too_hot, c->too_loud};
    bool ill = wsk_report_result(r, c->trip, i) >= 0.005 || wsk_report_result(r, c->over_circuit, i) > 0 ||
               wsk_report_result(r, c->over_feed, i) > 0 || wsk_report_result(r, c->over_psu, i) > 0;
    for (int k = 0; k < 4; k++)
        ill = ill || wsk_summary_flag(r->summary, flags[k], i);
    return !ill;
}

static const char *change_text(wsk_report *r, const change_results *c, size_t i)
{
    size_t n;
    const wsk_said *const *parts = wsk_summary_messages(r->summary, c->parts, i, &n);
    const char *effects = "";
    if (r->lang == WSK_EN || n < 2)
        return wsk_report_said(r, c->text, i);
    for (size_t k = 1; k < n; k++) {
        const char *effect = wsk_report_message(r, parts[k]);
        effects = *effects ? wsk_report_format(r, "%1$s, %2$s", WSK_ARG(effects), WSK_ARG(effect)) : effect;
    }
    return wsk_report_format(r, "%1$s: %2$s", WSK_ARG(wsk_report_message(r, parts[0])), WSK_ARG(effects));
}

static void changes(wsk_report *r, const change_results *c, const char *label, bool numbered, const char *before)
{
    for (size_t i = 0, n = wsk_summary_count(r->summary, wsk_result_about(c->text)->scope); i < n; i++) {
        const char *name = numbered ? wsk_report_format(r, label, WSK_ARG(i + 1)) : TR_(label);
        wsk_report_item(r, any_ill(r) && cures_all(r, c, i) ? WSK_GOOD : WSK_PLAIN, name);
        sentence(r, before, change_text(r, c, i));
        fputs("</li>\n", r->out);
    }
}

static bool is_join(const wsk_said *said)
{
    return said && said->code == WSK_SAY_JOIN_SENTENCES && said->args[0].said && said->args[1].said;
}

/* The sentences of the advice before its changes, without a heading such as "Trade-offs:", because the report writes
 * each change as an item. Moves a last sentence that leads on to the changes, "After the failure:", to *lead. NULL: no
 * sentence is left. */
static const wsk_said *sentences(wsk_report *r, const wsk_said *said, const wsk_said **lead)
{
    static const wsk_code headings[] = {WSK_SAY_ADVICE_TRADE_OFFS, WSK_SAY_ADVICE_ONLY_TRADE_OFFS,
                                        WSK_SAY_ADVICE_BEST_OF_THEM};
    if (is_join(said)) {
        const wsk_said *first = said->args[0].said, *last = sentences(r, said->args[1].said, lead);
        if (!last)
            return *lead ? first : sentences(r, first, lead);
        const wsk_said *both = wsk_said_link(r->arena, WSK_SAY_JOIN_SENTENCES, first, last);
        r->no_memory = r->no_memory || !both;
        return both;
    }
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        if (said->code == headings[i])
            return NULL;
    if (said->code != WSK_SAY_ADVICE_AFTER_FAILURE)
        return said;
    *lead = said;
    return NULL;
}

/* Returns the text before the changes; "": there is none. Sets *lead to the words that begin each change, or to "". */
static const char *first_words(wsk_report *r, const char **lead)
{
    size_t n;
    const wsk_said *const *parts = wsk_summary_messages(r->summary, WSK_R_ADVICE_PARTS, 0, &n), *after = NULL;
    const char *text = wsk_report_said(r, WSK_R_ADVICE, 0);
    *lead = "";
    if (!*text || !n || !parts[0]) {
        const size_t len = strlen(text);
        if (!len || text[len - 1] != ':')
            return wsk_report_capital(r, text);
        *lead = wsk_report_pair(r, text, "");
        return "";
    }
    const wsk_said *said = sentences(r, parts[0], &after);
    *lead = after ? wsk_report_pair(r, wsk_report_message(r, after), "") : "";
    return said ? wsk_report_message(r, said) : "";
}

static void times(wsk_report *r)
{
    size_t n;
    const wsk_said *const *parts = wsk_summary_messages(r->summary, WSK_R_ADVICE_PARTS, 0, &n);
    for (size_t i = 0; i < n; i++) {
        const wsk_code code = parts[i]->code;
        const bool saves = code == WSK_SAY_ADVICE_CHECKPOINT, idle = code == WSK_SAY_ADVICE_IDLE;
        if (saves || idle || code == WSK_SAY_ADVICE_LATER || code == WSK_SAY_ADVICE_EARLIER) {
            wsk_report_item(r, WSK_PLAIN, saves ? TR_("Checkpoints") : idle ? TR_("Idle") : TR_("Hours"));
            sentence(r, "", wsk_report_message(r, parts[i]));
            fputs("</li>\n", r->out);
        }
    }
}

static void advice(wsk_report *r)
{
    const char *before, *text = first_words(r, &before);
    size_t n;
    if (*text) {
        wsk_report_item(r, WSK_PLAIN, TR_("Advice"));
        sentence(r, "", text);
        fputs("</li>\n", r->out);
    }
    changes(r, &of_changes, WSK_N("Change %1$d"), true, before);
    changes(r, &of_vain, WSK_N("Trade-off"), false, before);
    double cooling_w = wsk_report_result(r, WSK_R_COOLING, 0);
    if (cooling_w > 0) {
        wsk_report_item(r, WSK_PLAIN, TR_("Room"));
        wsk_report_put(r,
                       "No change that was tried keeps the room below %1$d °C; an air conditioner of %2$.1f kW does.",
                       WSK_ARG(WSK_HOT_ROOM_C), WSK_ARG(cooling_w / 1000));
        fputs("</li>\n", r->out);
    }
    times(r);
    if (wsk_summary_known(r->summary, WSK_R_ADVICE_BASIS, 0)) {
        wsk_report_item(r, WSK_PLAIN, TR_("Basis"));
        const wsk_said *const *parts = wsk_summary_messages(r->summary, WSK_R_ADVICE_PARTS, 0, &n);
        sentence(r, "", n ? wsk_report_message(r, parts[n - 1]) : wsk_report_said(r, WSK_R_ADVICE_BASIS, 0));
        fputs("</li>\n", r->out);
    }
}

static void put_warning(wsk_report *r, const char *text)
{
    wsk_report_item(r, WSK_WARN, TR_("Warning"));
    sentence(r, "", text);
    fputs("</li>\n", r->out);
}

/* The warning that a PSU is overloaded is left out, because the power item of the verdict tells it already. */
static bool is_overload(const wsk_said *notice)
{
    return notice->code == WSK_SAY_FOUND_PSU_OVER || notice->code == WSK_SAY_FOUND_THE_PSU_OVER;
}

void wsk_report_advice(wsk_report *r)
{
    size_t n, known;
    const char *const *warnings = wsk_summary_texts(r->summary, WSK_R_WARNINGS, 0, &n);
    const wsk_said *const *notices = wsk_summary_messages(r->summary, WSK_R_NOTICES, 0, &known);
    for (size_t i = 0; i < n; i++)
        if (known == n && notices[i]) {
            if (!is_overload(notices[i]))
                put_warning(r, wsk_report_message(r, notices[i]));
        } else if (warnings[i][0]) {
            put_warning(r, warnings[i]);
        }
    advice(r);
}
