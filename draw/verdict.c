/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the run says in plain words, the gravest in the headline; every number is one of the summary's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/report.h"

typedef enum { GOOD, PLAIN, WARN, BAD } grade;

static void item(wsk_report *r, grade g, const char *what)
{
    static const char *const css[] = {"good", "", "warn", "bad"}, *const mark[] = {"✓", "·", "!", "✗"},
                             *const said[] = {"good", "note", "mind", "bad"};
    fprintf(r->out, "<li class=\"%s\"><span class=\"mark\" role=\"img\" aria-label=\"%s\">%s</span><b>%s</b> ",
            css[g], said[g], mark[g], what);
}

/* ---- heat and work ---- */

/* By a chassis whose supplies cannot carry its cards: hw_slowdown holds it, and it is no heat. */
static double brake_s(const wsk_report *r, size_t i)
{
    double s = wsk_report_result(r, WSK_R_GPU_BRAKED, i);
    return isfinite(s) ? s : 0;
}

static bool braked(const wsk_report *r)
{
    double sum = 0;
    for (size_t i = 0; i < wsk_summary_count(r->summary, WSK_SCOPE_GPU); i++)
        sum += brake_s(r, i);
    return sum > 0;
}

static double heat_s(const wsk_report *r, size_t i)
{
    double sum = 0;
    static const wsk_result times[] = {WSK_R_GPU_LIMITED_BY_HEAT, WSK_R_GPU_LIMITED_BY_MEMORY, WSK_R_GPU_SLOWDOWN};
    for (int k = 0; k < 3; k++) {
        double t = wsk_report_result(r, times[k], i);
        sum += isfinite(t) ? t : 0;
    }
    return sum - brake_s(r, i);
}

static void heat(wsk_report *r)
{
    size_t n = wsk_summary_count(r->summary, WSK_SCOPE_GPU), hot = 0, worst = 0, top = 0;
    double most = 0, die = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        double share = heat_s(r, i) / r->simulated_s, t = wsk_report_result(r, WSK_R_GPU_DIE_MAX, i);
        hot += share > 0.001;
        if (share > most)
            most = share, worst = i;
        if (t > die)
            die = t, top = i;
    }
    if (!n)
        return;
    bool dead = wsk_summary_flag(r->summary, WSK_R_SHUTS_DOWN, 0);
    item(r, hot || dead ? BAD : GOOD, "Heat");
    if (dead) {
        fputs("It shuts down from heat. ", r->out);
    } else if (!hot) {
        fputs("No card throttles from heat. ", r->out);
    } else {
        fprintf(r->out, "%zu of %zu card%s throttle%s from heat; ", hot, n, n == 1 ? "" : "s", hot == 1 ? "s" : "");
        wsk_report_text(r->out, wsk_report_said(r, WSK_R_GPU_ID, worst));
        fputs(" is slowed by it ", r->out);
        wsk_report_percent(r->out, most);
        fputs(" of the time. ", r->out);
    }
    if (isfinite(die)) {
        fprintf(r->out, "The hottest die reaches %.1f °C (", die);
        wsk_report_text(r->out, wsk_report_said(r, WSK_R_GPU_ID, top));
        fputs(").", r->out);
    }
    fputs("</li>\n", r->out);
}

static void work(wsk_report *r)
{
    double heat_lost = wsk_report_result(r, WSK_R_LOST, 0), limit = wsk_report_result(r, WSK_R_LOST_TO_LIMIT, 0);
    double done = wsk_report_result(r, WSK_R_WORK, 0), counted = wsk_report_result(r, WSK_R_COUNT, 0);
    if (!isfinite(done))
        return;
    item(r, heat_lost > 0.05 ? BAD : heat_lost > 0.005 ? WARN : GOOD, "Work");
    wsk_report_amount(r->out, done, 4);
    fputs(" GPU-hours of work done", r->out);
    if (isfinite(counted)) {
        fputs(" (", r->out);
        wsk_report_amount(r->out, counted, 4);
        fputc(' ', r->out);
        wsk_report_text(r->out, wsk_report_said(r, WSK_R_COUNTED, 0));
        fputc(')', r->out);
    }
    const char *heat = braked(r) ? "heat and the brake" : "heat", *by = wsk_report_said(r, WSK_R_LOST_TO, 0);
    if (limit > 1e-4 && heat_lost > 1e-4) { /* heat takes from what the limits leave */
        fprintf(r->out, "; lost to %s: ", by);
        wsk_report_percent(r->out, limit);
        fprintf(r->out, ", of the rest to %s: ", heat);
        wsk_report_percent(r->out, heat_lost);
    } else if (isfinite(heat_lost)) {
        fprintf(r->out, "; lost to %s: ", heat);
        wsk_report_percent(r->out, fmax(heat_lost, 0));
        if (limit > 1e-4) {
            fprintf(r->out, ", to %s: ", by);
            wsk_report_percent(r->out, limit);
        }
    }
    fputs(".", r->out);
    double failures = wsk_report_result(r, WSK_R_FAILURES, 0);
    if (failures > 0)
        fprintf(r->out, " The job failed %.0f times; %.3g GPU-hours were done again.", failures,
                wsk_report_result(r, WSK_R_REDONE, 0));
    fputs("</li>\n", r->out);
}

/* ---- power ---- */

static void trip(wsk_report *r, const char *what, double p)
{
    if (p > 0.001) {
        fputc(' ', r->out);
        wsk_report_text(r->out, what);
        fprintf(r->out, " would trip with a probability of %.3g %%.", 100 * p);
    }
}

static void supplies(wsk_report *r, const char *before, size_t n)
{
    for (size_t i = 0; i < n && i < 8; i++) {
        double load = wsk_report_result(r, WSK_R_PSU_LOAD_PEAK, i);
        if (!isfinite(load))
            continue;
        fputs(before, r->out);
        wsk_report_text(r->out, n == 1 ? "the power supply" : wsk_report_said(r, WSK_R_PSU_ID, i));
        fputs(*before == ',' ? " to " : " is loaded to at most ", r->out);
        wsk_report_percent(r->out, load);
        fprintf(r->out, "%s%s", *before == ',' ? "" : " of its rating",
                load > 1     ? " (too small)"
                : load > 0.9 ? " (tight)"
                             : "");
        before = ", ";
    }
}

static void power(wsk_report *r)
{
    size_t n = wsk_summary_count(r->summary, WSK_SCOPE_PSU);
    double limit = wsk_report_result(r, WSK_R_CIRCUIT_LIMIT, 0), wall = wsk_report_result(r, WSK_R_WALL_PEAK_W, 0);
    double over = wsk_report_result(r, WSK_R_CIRCUIT_OVER_LIMIT, 0),
           risk = wsk_report_result(r, WSK_R_CIRCUIT_TRIP, 0), peak = 0, any = risk > 0 ? risk : 0;
    for (size_t i = 0; i < n; i++) {
        double p = wsk_report_result(r, WSK_R_PSU_TRIP, i);
        peak = fmax(peak, wsk_report_result(r, WSK_R_PSU_LOAD_PEAK, i));
        any = fmax(any, isfinite(p) ? p : 0);
    }
    bool bad = any >= 0.005 || peak > 1 || over > 0;
    item(r, bad ? BAD : peak > 0.9 || any > 0.001 ? WARN : GOOD, "Power");
    if (isfinite(wall))
        fprintf(r->out, "At most %.0f W at the wall", wall);
    if (isfinite(limit) && over > 0) {
        fprintf(r->out, ", over the circuit’s continuous limit of %.0f W for ", limit);
        wsk_report_span(r->out, over);
    } else if (isfinite(limit)) {
        fprintf(r->out, ", within the circuit’s continuous limit of %.0f W", limit);
    }
    supplies(r, isfinite(wall) ? "; " : "", n);
    fputs(".", r->out);
    trip(r, "The circuit breaker", risk);
    for (size_t i = 0; i < n; i++)
        trip(r, n == 1 ? "The power supply" : wsk_report_said(r, WSK_R_PSU_ID, i),
             wsk_report_result(r, WSK_R_PSU_TRIP, i));
    fputs("</li>\n", r->out);
}

/* ---- noise and room ---- */

static bool any_closed(const wsk_report *r)
{
    for (int c = -1; (c = wsk_elements_next(r->rig, "chassis", c, -1)) >= 0;)
        if (!(r->rig->items[c].traits & WSK_TRAIT_OPEN))
            return true;
    return false;
}

static void noise(wsk_report *r)
{
    double dba = wsk_report_result(r, WSK_R_NOISE, 0), at = wsk_report_result(r, WSK_R_NOISE_DISTANCE, 0);
    if (!isfinite(dba))
        return;
    bool loud = round(dba) > WSK_LOUD_DBA, very = round(dba) > WSK_VERY_LOUD_DBA;
    item(r, very ? BAD : loud ? WARN : GOOD, "Noise");
    fprintf(r->out, "%.0f dBA at %.3g m: %s (%d dBA, ASR A3.7).</li>\n", dba, at,
            very   ? "too loud for any lasting work beside it"
            : loud ? "too loud where one must concentrate"
                   : "quiet enough to work beside",
            very ? WSK_VERY_LOUD_DBA : WSK_LOUD_DBA);
}

static void air(wsk_report *r)
{
    double room = wsk_report_result(r, WSK_R_ROOM_MAX, 0), mean = wsk_report_result(r, WSK_R_ROOM_MEAN, 0);
    if (isfinite(room)) {
        double cpu = wsk_report_result(r, WSK_R_CPU_MAX, 0), in = wsk_report_result(r, WSK_R_CASE_AIR_MEAN, 0);
        item(r, room > WSK_HOT_ROOM_C ? BAD : room > WSK_WARM_ROOM_C ? WARN : GOOD, "Air");
        fprintf(r->out, "The room is at %.1f °C", mean);
        if (room - mean >= 0.05)
            fprintf(r->out, " on average and at most at %.1f °C", room);
        if (room > WSK_HOT_ROOM_C)
            fprintf(r->out, ", hotter than servers are rated for (%d °C, ASHRAE A2)", WSK_HOT_ROOM_C);
        else if (room > WSK_WARM_ROOM_C)
            fprintf(r->out, ", over the %d °C that ASHRAE recommends", WSK_WARM_ROOM_C);
        if (isfinite(in) && any_closed(r))
            fprintf(r->out, "; the air in the case at %.1f °C", in);
        if (isfinite(cpu))
            fprintf(r->out, "; the processor at most at %.1f °C", cpu);
        fputs(".</li>\n", r->out);
    }
}

/* ---- money ---- */

static void amount(wsk_report *r, const char *before, double value, int digits, const char *of)
{
    if (!isfinite(value))
        return;
    fputs(before, r->out);
    wsk_report_amount(r->out, value, digits);
    fputs(of, r->out);
}

static void money(wsk_report *r)
{
    double cost = wsk_report_result(r, WSK_R_COST, 0), year = wsk_report_result(r, WSK_R_ANNUAL, 0),
           carbon = wsk_report_result(r, WSK_R_CARBON, 0);
    double wall = wsk_report_result(r, WSK_R_WALL_KWH, 0), cooling = wsk_report_result(r, WSK_R_ROOM_COOLING_KWH, 0);
    const char *basis = wsk_report_said(r, WSK_R_ANNUAL_BASIS, 0);
    item(r, PLAIN, isfinite(cost) ? "Cost" : "Energy");
    if (isfinite(cost)) {
        wsk_report_money(r, cost);
        fputs(" for ", r->out);
        wsk_report_span(r->out, r->simulated_s);
        if (isfinite(year) && fabs(r->simulated_s - 7 * 86400) > 1) {
            fputs("; ", r->out);
            wsk_report_money(r, year * 7 / 365);
            fputs(" a week", r->out);
        }
        if (isfinite(year)) {
            fputs(!strcmp(basis, "simulated") ? "; " : "; repeated, ", r->out);
            wsk_report_money(r, year);
            fputs(" a year", r->out);
        }
        fputs(". ", r->out);
    }
    amount(r, "", wall, 4, " kWh at the wall");
    amount(r, " and ", cooling > 0 ? cooling : NAN, 4, " kWh for cooling the room");
    amount(r, "; ", carbon, 3, " kg of CO₂");
    fputs(".</li>\n", r->out);
}

/* "psu2 fails", "3 fans of fan0 fail". */
static void what_fails(wsk_report *r, const char *id)
{
    const char *rest = strstr(id, ".failing");
    double count = 1;
    char other[256];
    for (size_t i = 0; rest && i < wsk_summary_count(r->summary, WSK_SCOPE_FAN); i++) {
        if (!strcmp(wsk_report_said(r, WSK_R_FAN_ID, i), id))
            count = wsk_report_result(r, WSK_R_FAN_COUNT, i);
    }
    if (!rest) {
        wsk_report_text(r->out, id);
        fputs(" fails", r->out);
        return;
    }
    snprintf(other, sizeof other, "%.*s", (int)(rest - id), id);
    fprintf(r->out, "%.0f fan%s of ", count, count > 1 ? "s" : "");
    wsk_report_text(r->out, other);
    fputs(count > 1 ? " fail" : " fails", r->out);
}

static void failure(wsk_report *r)
{
    double at = wsk_report_result(r, WSK_R_FAILED_AT, 0), slow = wsk_report_result(r, WSK_R_FAILED_TO_THROTTLE, 0),
           off = wsk_report_result(r, WSK_R_FAILED_TO_SHUTDOWN, 0);
    if (!isfinite(at))
        return;
    item(r, isfinite(off) ? BAD : WARN, "Failure");
    const char *fails = strstr(r->events, ",fails,"), *row = fails;
    while (row && row > r->events && row[-1] != ',')
        row--;
    if (fails) {
        char id[256];
        snprintf(id, sizeof id, "%.*s", (int)(fails - row), row);
        what_fails(r, id);
    } else {
        fputs("A part fails", r->out);
    }
    fputs(" after ", r->out);
    wsk_report_span(r->out, at);
    fputs(slow < 0.5       ? "; heat throttled its cards already"
          : isfinite(slow) ? "; throttling from heat begins "
                           : "; no throttling from heat follows",
          r->out);
    if (slow >= 0.5) {
        wsk_report_span(r->out, slow);
        fputs(" later", r->out);
    }
    fputs(isfinite(off) ? ", the shutdown comes " : ", no shutdown.", r->out);
    if (isfinite(off)) {
        wsk_report_span(r->out, off);
        fputs(" after the failure.", r->out);
    }
    fputs("</li>\n", r->out);
}

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
        char name[64];
        snprintf(name, sizeof name, numbered ? "%s %zu" : "%s", label, i + 1);
        item(r, any_ill(r) && cures_all(r, c, i) ? GOOD : PLAIN, name);
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
        item(r, PLAIN, "Advice");
        sentence(r, "", text);
        fputs("</li>\n", r->out);
        text[0] = '\0';
    }
    changes(r, &of_changes, "Change", true, text);
    changes(r, &of_vain, "Trade", false, text);
    double cooling_w = wsk_report_result(r, WSK_R_COOLING, 0);
    if (cooling_w > 0) {
        item(r, PLAIN, "Room");
        fprintf(r->out, "Nothing tried keeps it below %d °C: an air conditioner of %.1f kW would.</li>\n",
                WSK_HOT_ROOM_C, cooling_w / 1000);
    }
    if (wsk_summary_known(r->summary, WSK_R_ADVICE_BASIS, 0)) {
        item(r, PLAIN, "Basis");
        sentence(r, "", wsk_report_said(r, WSK_R_ADVICE_BASIS, 0));
        fputs("</li>\n", r->out);
    }
}

/* What the run warns of, and what would help. */
static void words(wsk_report *r)
{
    size_t n;
    const char *const *warnings = wsk_summary_texts(r->summary, WSK_R_WARNINGS, 0, &n);
    for (size_t i = 0; i < n; i++) {
        const char *text = warnings[i];
        if (!text[0] || strstr(text, "is loaded beyond its rating")) /* Power says so */
            continue;
        item(r, WARN, "Mind");
        sentence(r, strncmp(text, "would ", 6) ? "" : "It ", text); /* trips are told of the rig */
        fputs("</li>\n", r->out);
    }
    advice(r);
}

static void tile(wsk_report *r, const char *name, int places, double value, const char *unit)
{
    if (!isfinite(value))
        return;
    fprintf(r->out, "<div><dt>%s</dt><dd>%.*f", name, places, value);
    if (unit[0])
        fputc(' ', r->out);
    wsk_report_text(r->out, unit);
    fputs("</dd></div>\n", r->out);
}

static void tiles(wsk_report *r)
{
    double die = NAN, hours = r->simulated_s / 3600, year = wsk_report_result(r, WSK_R_ANNUAL, 0),
           lost = wsk_report_result(r, WSK_R_LOST, 0);
    for (size_t i = 0; i < wsk_summary_count(r->summary, WSK_SCOPE_GPU); i++)
        die = fmax(die, wsk_report_result(r, WSK_R_GPU_DIE_MAX, i));
    fputs("<dl class=\"tiles\">\n", r->out);
    tile(r, "hottest die", 1, die, "°C");
    tile(r, "wall, mean", 0, wsk_report_result(r, WSK_R_WALL_KWH, 0) / hours * 1000, "W");
    tile(r, "wall, at most", 0, wsk_report_result(r, WSK_R_WALL_PEAK_W, 0), "W");
    tile(r, braked(r) ? "work lost to heat and brake" : "work lost to heat", 1, lost < 0 ? 0 : 100 * lost, "%");
    tile(r, "noise", 0, wsk_report_result(r, WSK_R_NOISE, 0), "dBA");
    tile(r, "a week", year * 7 / 365 >= 1000 ? 0 : 2, year * 7 / 365, r->currency);
    tile(r, "a year", 0, year, r->currency);
    fputs("</dl>\n", r->out);
}

void wsk_report_verdict(wsk_report *r)
{
    char head[600];
    snprintf(head, sizeof head, "%s", wsk_report_said(r, WSK_R_VERDICT, 0));
    char *end = strstr(head, ". "); /* its first sentence: what ails, or that nothing does */
    if (end)
        end[1] = '\0';
    fputs("<section aria-label=\"Verdict\">\n", r->out);
    if (head[0]) {
        fputs("<p class=\"headline\">", r->out);
        wsk_report_text(r->out, head);
        fputs("</p>\n", r->out);
    }
    tiles(r);
    fputs("<ul class=\"verdict\">\n", r->out);
    heat(r);
    work(r);
    power(r);
    noise(r);
    air(r);
    money(r);
    failure(r);
    words(r);
    fputs("</ul>\n</section>\n", r->out);
}
