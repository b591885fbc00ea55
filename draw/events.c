/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of events: one row per kind of event, with its count and its first and last time. */
#include <math.h>
#include <string.h>

#include "draw/report.h"

typedef struct {
    const char *text; /* component,what,why */
    size_t len, times;
    double first_s, last_s;
} happening;

static size_t count_events(const wsk_report *r, happening *list, size_t most, size_t *all)
{
    size_t n = 0;
    *all = 0;
    for (const char *row = strchr(r->events, '\n'); row && row[1]; row = strchr(row + 1, '\n')) {
        const char *p;
        double t = wsk_number_at(row + 1, &p);
        if (*p++ != ',' || isnan(t))
            continue;
        size_t len = strcspn(p, "\r\n"), i = 0;
        ++*all;
        while (i < n && (list[i].len != len || memcmp(list[i].text, p, len) != 0))
            i++;
        if (i == most)
            continue;
        if (i == n)
            list[n++] = (happening){.text = p, .len = len, .first_s = t};
        list[i].times++;
        list[i].last_s = t;
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
    wsk_report_hour(hour, r->from_s + t);
    wsk_report_text(r->out, wsk_report_pair(r, wsk_report_date(r, r->from_s + t), hour));
}

/* Returns plain words for a GPU driver's name of a throttle reason, such as "heat" for "sw_thermal_slowdown". NULL: no
 * such name. */
static const char *in_words(const char *why)
{
    static const char *const words[][2] = {{"sw_power_cap", WSK_N("power limit")},
                                           {"sw_thermal_slowdown", WSK_N("heat")},
                                           {"hw_slowdown", WSK_N("hardware slowdown")},
                                           {"hw_thermal_slowdown", WSK_N("heat")},
                                           {"hw_power_brake_slowdown", WSK_N("power brake")}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i][0], why))
            return words[i][1];
    return NULL;
}

static void put_event(wsk_report *r, const happening *event)
{
    const char *p = event->text, *end = p + event->len;
    fputs("<tr>", r->out);
    for (int k = 0; k < 3; k++) { /* component, what, why */
        size_t len = k < 2 ? strcspn(p, ",\r\n") : (size_t)(end - p);
        char text[1024];
        snprintf(text, sizeof text, "%.*s", (int)len, p);
        fputs(k ? "<td class=\"l\">" : "<td>", r->out);
        const char *plain = k == 2 ? in_words(text) : NULL;
        if (plain)
            wsk_report_put(r, "%1$s (%2$s)", WSK_WORD(plain), WSK_ARG(text));
        else
            wsk_report_text(r->out, k ? TR_(text) : text);
        fputs("</td>", r->out);
        p += len + (p + len < end);
    }
    fprintf(r->out, "<td>%zu</td><td>", event->times);
    put_when(r, event->first_s);
    fputs("</td><td>", r->out);
    put_when(r, event->last_s);
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
    wsk_report_open_table(r, TR_("Events"), "", heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; i < n; i++)
        put_event(r, &list[i]);
    wsk_report_close_table(r);
    fputs("</details>\n</section>\n", r->out);
}
