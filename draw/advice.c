/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the run warns of and what would help, as items of the verdict, in the run's own sentences. */
#include <stdlib.h>
#include <string.h>

#include "draw/report.h"

/* The run's sentences are in ASCII: here they have minus signs and apostrophes. */
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
    bool named = strcspn(text, "0123456789") < strcspn(text, " "); /* "psu0" stays as it is written */
    bool capital = !before[0] && !named && text[0] >= 'a' && text[0] <= 'z';
    fputs(before, r->out);
    if (capital)
        fputc(text[0] - 'a' + 'A', r->out);
    set_type(r, text + capital);
    if (n && !strchr(".!?:", text[n - 1]))
        fputc('.', r->out);
}

/* Whether the run has any of the ills that changes are made against. */
static bool any_ill(const wsk_report *r)
{
    static const wsk_result ills[] = {WSK_R_THROTTLES, WSK_R_SHUTS_DOWN, WSK_R_TRIPS,
                                      WSK_R_OVERLOADS, WSK_R_TOO_HOT,    WSK_R_TOO_LOUD};
    bool ill = false;
    for (size_t k = 0; k < sizeof ills / sizeof *ills; k++)
        ill = ill || wsk_summary_flag(r->summary, ills[k], 0);
    return ill;
}

/* The results of a list of changes. */
typedef struct {
    wsk_result text, trip, over_circuit, over_psu, throttles, shuts_down, too_hot, too_loud;
} change_results;
static const change_results of_changes = {WSK_R_CHANGE_TEXT,     WSK_R_CHANGE_TRIP,      WSK_R_CHANGE_OVER_CIRCUIT,
                                          WSK_R_CHANGE_OVER_PSU, WSK_R_CHANGE_THROTTLES, WSK_R_CHANGE_SHUTS_DOWN,
                                          WSK_R_CHANGE_TOO_HOT,  WSK_R_CHANGE_TOO_LOUD},
                            of_vain = {WSK_R_VAIN_TEXT,     WSK_R_VAIN_TRIP,      WSK_R_VAIN_OVER_CIRCUIT,
                                       WSK_R_VAIN_OVER_PSU, WSK_R_VAIN_THROTTLES, WSK_R_VAIN_SHUTS_DOWN,
                                       WSK_R_VAIN_TOO_HOT,  WSK_R_VAIN_TOO_LOUD};

static bool cures_all(const wsk_report *r, const change_results *c, size_t i)
{
    const wsk_result flags[] = {c->throttles, c->shuts_down, c->too_hot, c->too_loud};
    bool ill = wsk_report_result(r, c->trip, i) >= 0.005 || wsk_report_result(r, c->over_circuit, i) > 0 ||
               wsk_report_result(r, c->over_psu, i) > 0;
    for (int k = 0; k < 4; k++)
        ill = ill || wsk_summary_flag(r->summary, flags[k], i);
    return !ill;
}

/* Each change of a list, in the run's own words; marked good where it leaves none of the ills that there are. */
static void changes(wsk_report *r, const change_results *c, const char *label, bool numbered, const char *before)
{
    for (size_t i = 0, n = wsk_summary_count(r->summary, wsk_result_about(c->text)->scope); i < n; i++) {
        const char *name = numbered ? wsk_report_format(r, label, WSK_ARG(i + 1)) : TR_(label);
        wsk_report_item(r, any_ill(r) && cures_all(r, c, i) ? WSK_GOOD : WSK_PLAIN, name);
        sentence(r, before, wsk_report_said(r, c->text, i));
        fputs("</li>\n", r->out);
    }
}

/* What would help most, and what was tried in vain. */
static void advice(wsk_report *r)
{
    char text[1024];
    snprintf(text, sizeof text, "%s", wsk_report_said(r, WSK_R_ADVICE, 0));
    char *lead = strstr(text, ". "); /* "What could be traded:" is the label of each */
    if (lead)
        lead[1] = '\0';
    size_t len = strlen(text);
    if (len && text[len - 1] == ':') { /* what they are for stands ahead of each */
        if (text[0] >= 'a' && text[0] <= 'z')
            text[0] = (char)(text[0] - 'a' + 'A');
        snprintf(text + len, sizeof text - len, " ");
    } else if (len) {
        wsk_report_item(r, WSK_PLAIN, TR_("Advice"));
        sentence(r, "", text);
        fputs("</li>\n", r->out);
        text[0] = '\0';
    }
    changes(r, &of_changes, WSK_N("Change %1$d"), true, text);
    changes(r, &of_vain, WSK_N("Trade-off"), false, text);
    double cooling_w = wsk_report_result(r, WSK_R_COOLING, 0);
    if (cooling_w > 0) {
        wsk_report_item(r, WSK_PLAIN, TR_("Room"));
        wsk_report_put(r,
                       "No change that was tried keeps the room below %1$d °C; an air conditioner of %2$.1f kW does.",
                       WSK_ARG(WSK_HOT_ROOM_C), WSK_ARG(cooling_w / 1000));
        fputs("</li>\n", r->out);
    }
    if (wsk_summary_known(r->summary, WSK_R_ADVICE_BASIS, 0)) {
        wsk_report_item(r, WSK_PLAIN, TR_("Basis"));
        sentence(r, "", wsk_report_said(r, WSK_R_ADVICE_BASIS, 0));
        fputs("</li>\n", r->out);
    }
}

void wsk_report_advice(wsk_report *r)
{
    size_t n;
    const char *const *warnings = wsk_summary_texts(r->summary, WSK_R_WARNINGS, 0, &n);
    for (size_t i = 0; i < n; i++) {
        const char *text = warnings[i];
        if (!text[0] || strstr(text, "is loaded beyond its rating")) /* Power says so */
            continue;
        wsk_report_item(r, WSK_WARN, TR_("Warning"));
        sentence(r, "", text);
        fputs("</li>\n", r->out);
    }
    advice(r);
}
