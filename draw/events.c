/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "draw/report.h"

typedef struct {
    wsk_event event;
    size_t times;
    double last_s;
} happening;

static bool same_event(const wsk_event *a, const wsk_event *b)
{
    size_t len = (size_t)(a->why - a->component) + a->why_len;
    return len == (size_t)(b->why - b->component) + b->why_len && !memcmp(a->component, b->component, len);
}

static size_t count_events(const wsk_report *r, happening *list, size_t most, size_t *all)
{
    size_t n = 0;
    *all = 0;
    for (const char *at = r->events; at;) {
        wsk_event e;
        size_t i = 0;
        if (!wsk_event_read(&at, &e))
            continue;
        ++*all;
        while (i < n && !same_event(&list[i].event, &e))
            i++;
        if (i == most)
            continue;
        if (i == n)
            list[n++] = (happening){.event = e};
        list[i].times++;
        list[i].last_s = e.at_s;
    }
    return n;
}

static void put_when(wsk_report *r, double t)
{
    char hour[16];
    if (isnan(r->from_s)) {
        wsk_report_text(r->out, wsk_report_span(r, t));
        return;
    }
    const double civil_s = wsk_report_local(r, t);
    wsk_report_hour(hour, civil_s);
    wsk_report_text(r->out, wsk_report_pair(r, wsk_report_date(r, civil_s), hour));
}

const char *wsk_report_reason(const char *why)
{
    static const struct {
        const char *why, *plain;
    } drivers[] = {{"sw_power_cap", WSK_N("power limit")},
                   {"sw_thermal_slowdown", WSK_N("GPU temperature")},
                   {"sw_thermal_slowdown (memory)", WSK_N("memory temperature")},
                   {"hw_slowdown", WSK_N("hardware slowdown, or power brake")},
                   {"hw_thermal_slowdown", WSK_N("heat")},
                   {"hw_power_brake_slowdown", WSK_N("power brake")}};
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
        if (!strcmp(drivers[i].why, why))
            return drivers[i].plain;
    return NULL;
}

/* The driver gives GPU and memory temperature one name. */
void wsk_report_put_reason(wsk_report *r, const char *why)
{
    const char *plain = wsk_report_reason(why);
    if (plain)
        wsk_report_put(r, "%1$s (%2$s)", WSK_WORD(plain), WSK_ARG(wsk_report_cut(r, why, strcspn(why, " "))));
    else
        wsk_report_text(r->out, TR_(why));
}

static void put_event(wsk_report *r, const happening *h)
{
    const wsk_event *e = &h->event;
    fputs("<tr><td>", r->out);
    wsk_report_text(r->out, wsk_report_cut(r, e->component, e->component_len));
    fputs("</td><td class=\"l\">", r->out);
    wsk_report_text(r->out, TR_(wsk_report_cut(r, e->what, e->what_len)));
    fputs("</td><td class=\"l\">", r->out);
    wsk_report_put_reason(r, wsk_report_cut(r, e->why, e->why_len));
    fprintf(r->out, "</td><td>%zu</td><td>", h->times);
    put_when(r, e->at_s);
    fputs("</td><td>", r->out);
    put_when(r, h->last_s);
    fputs("</td></tr>\n", r->out);
}

void wsk_report_events(wsk_report *r)
{
    enum { MOST = 400 };
    happening *list = wsk_alloc(r->arena, MOST * sizeof *list);
    r->no_memory = r->no_memory || !list;
    size_t all, n = !list ? 0 : count_events(r, list, MOST, &all);
    if (!n)
        return;
    const wsk_head heads[] = {{TR_("component"), false}, {TR_("event"), true},  {TR_("reason"), true},
                              {TR_("times"), false},     {TR_("first"), false}, {TR_("last"), false}};
    wsk_report_open_section(r, TR_("What happened"));
    fprintf(r->out, "<details%s>\n<summary>", n <= 12 ? " open=\"\"" : "");
    wsk_report_put(r, "Events: %1$d, of different kinds: %2$d", WSK_ARG(all), WSK_ARG(n));
    fputs("</summary>\n", r->out);
    const double skipped = wsk_report_result(r, WSK_R_STRIDE_SKIPPED, 0);
    if (skipped > 0) {
        fputs("<p class=\"note\">", r->out);
        wsk_report_put(r, "Events of skipped cycles are not listed (skipped: %1$.0f).", WSK_ARG(skipped));
        fputs("</p>\n", r->out);
    }
    wsk_report_open_table(r, TR_("Events"), "", heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; i < n; i++)
        put_event(r, &list[i]);
    wsk_report_close_table(r);
    fputs("</details>\n</section>\n", r->out);
}
