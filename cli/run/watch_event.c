/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "cli/run/watch.h"
#include "draw/series.h"

/* True if both belong to one recurring event. The beginning and the end of an event of one component for one reason,
 * such as "throttle" and "throttle ends", do. */
static bool same_event(const wsk_watch_event *a, const wsk_watch_event *b)
{
    size_t na = strlen(a->what), nb = strlen(b->what), n = na < nb ? na : nb;
    const char *rest = na < nb ? b->what + n : a->what + n;
    return !strcmp(a->component, b->component) && !strcmp(a->why, b->why) && !strncmp(a->what, b->what, n) &&
           (!*rest || !strcmp(rest, " ends"));
}

static void copy(char out[WSK_WATCH_WORDS], const char *text, size_t len)
{
    snprintf(out, WSK_WATCH_WORDS, "%.*s", (int)(len < WSK_WATCH_WORDS ? len : WSK_WATCH_WORDS), text);
}

void wsk_watch_event_add(wsk_watch_page *page, const char *line)
{
    wsk_event read;
    if (!wsk_event_read(&line, &read))
        return;
    wsk_watch_event e = {.at_s = read.at_s, .count = 0};
    copy(e.component, read.component, read.component_len);
    copy(e.what, read.what, read.what_len);
    copy(e.why, read.why, read.why_len);
    size_t k = 0;
    while (k < page->n_events && !same_event(&page->events[k], &e))
        k++;
    if (k < page->n_events)
        e.count = page->events[k].count;
    else if (page->n_events < WSK_WATCH_EVENTS)
        page->n_events++;
    else
        k = 0;
    size_t len = strlen(e.what);
    e.count += len < 5 || strcmp(e.what + len - 5, " ends") != 0;
    for (; k + 1 < page->n_events; k++)
        page->events[k] = page->events[k + 1];
    page->events[page->n_events - 1] = e;
}
