/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the output of nvidia-smi -q: documents that follow each other, as text or, with -x, as XML (DTD versions 10
 * to 13). Text and XML have the same sections and values, with different names. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "sim/log/log.h"

/* Known values by section and name, both in lower case without blanks and underscores; section NULL: any section. */
static const struct {
    const char *section;
    wsk_log_name name;
} known[] = {{"temperature", {"gputemp", WSK_LOG_DIE, 0, NULL}},
             {"temperature", {"gpucurrenttemp", WSK_LOG_DIE, 0, NULL}},
             {"temperature", {"memorytemp", WSK_LOG_MEMORY, 0, NULL}},
             {"temperature", {"memorycurrenttemp", WSK_LOG_MEMORY, 0, NULL}},
             {"utilization", {"gpuutil", WSK_LOG_UTILISATION, 0, NULL}},
             {"utilization", {"gpu", WSK_LOG_UTILISATION, 0, NULL}},
             {"utilization", {"memoryutil", WSK_LOG_MEMORY_UTILISATION, 0, NULL}},
             {"utilization", {"memory", WSK_LOG_MEMORY_UTILISATION, 0, NULL}},
             {NULL, {"fanspeed", WSK_LOG_FAN, 0, NULL}},
             {"clocks", {"smclock", WSK_LOG_CLOCK, 0, NULL}},
             {"clocks", {"sm", WSK_LOG_CLOCK, 0, NULL}},
             {"clocks", {"graphicsclock", WSK_LOG_CLOCK, 1, NULL}},
             {"clocks", {"graphics", WSK_LOG_CLOCK, 1, NULL}},
             {"clocks", {"memclock", WSK_LOG_MEMORY_CLOCK, 0, NULL}},
             {"clocks", {"memory", WSK_LOG_MEMORY_CLOCK, 0, NULL}},
             {"powerreadings", {"powerdraw", WSK_LOG_POWER, 0, NULL}},
             {"powerreadings", {"averagepowerdraw", WSK_LOG_POWER, 1, NULL}},
             {"powerreadings", {"instantpowerdraw", WSK_LOG_POWER, 2, NULL}},
             {"powerreadings", {"instantaneouspowerdraw", WSK_LOG_POWER, 2, NULL}},
             {"powerreadings", {"enforcedpowerlimit", WSK_LOG_LIMIT, 0, NULL}},
             {"powerreadings", {"currentpowerlimit", WSK_LOG_LIMIT, 0, NULL}},
             {"powerreadings", {"powerlimit", WSK_LOG_LIMIT, 1, NULL}}};

typedef struct {
    wsk_log_reader *r;
    wsk_log_moment now;
    /* timed: a time was read, or the warning that there is none was given; open: the values of a card are being read */
    bool timed, open;
} query;

static void bare_name(const char *text, char bare[WSK_LOG_CELL])
{
    char unit[WSK_UNIT_BYTES];
    wsk_log_bare(text, bare, unit);
}

static void note_value(query *q, const char *section, const char *name, size_t at, const char *value)
{
    char place[WSK_LOG_CELL], what[WSK_LOG_CELL];
    bare_name(section, place);
    bare_name(name, what);
    if (strcmp(what, "timestamp") == 0) {
        double t;
        wsk_log_keep(q->r->log, &q->now);
        q->open = false;
        if (wsk_log_time(q->r, value, &t)) {
            q->now.t_s = t;
            q->timed = true;
        } else {
            wsk_log_tell(q->r, WSK_DIAG_WARNING, at, WSK_SAID(WSK_SAY_LOG_TIME, value));
        }
        return;
    }
    if (q->open && (strcmp(what, "gpuuuid") == 0 || (strcmp(what, "uuid") == 0 && strcmp(place, "gpu") == 0)))
        snprintf(q->now.id, sizeof q->now.id, "u%.90s", value);
    const char *section_of = strcmp(place, "gpupowerreadings") == 0 ? "powerreadings" : place;
    for (size_t i = 0; q->open && i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name.name, what) == 0 &&
            (!known[i].section || strcmp(known[i].section, section_of) == 0)) {
            wsk_log_note(q->r, &q->now, &known[i].name, at, value);
            return;
        }
}

static void begin_card(query *q, const char *bus)
{
    if (!q->timed)
        wsk_log_tell(q->r, WSK_DIAG_WARNING, q->r->start, WSK_SAID(WSK_SAY_LOG_NO_TIME));
    q->timed = true;
    wsk_log_keep(q->r->log, &q->now);
    wsk_log_open(&q->now, WSK_LOG_BY_BUS, bus);
    q->open = true;
}

/* Ends the log. If the last document is cut off, its last number may be incomplete, so that all values of its last
 * card are dropped, with a warning. */
static void end_log(query *q, bool ended)
{
    if (ended) {
        wsk_log_keep(q->r->log, &q->now);
    } else if (q->open && wsk_log_holds(&q->now)) {
        wsk_log_leave(q->r, q->r->start, WSK_SAID(WSK_SAY_LOG_CUT));
    }
}

static void copy_cell(const wsk_log_reader *r, size_t from, size_t to, char out[WSK_LOG_CELL])
{
    size_t n = 0;
    while (from < to && isspace((unsigned char)r->text[from]))
        from++;
    while (to > from && isspace((unsigned char)r->text[to - 1]))
        to--;
    for (; from < to && n < WSK_LOG_CELL - 1; from++)
        out[n++] = r->text[from] > 0x1F && r->text[from] < 0x7F ? r->text[from] : '?';
    out[n] = '\0';
}

void wsk_log_query_text(wsk_log_reader *r)
{
    query q = {.r = r};
    char section[WSK_LOG_CELL] = "", name[WSK_LOG_CELL], value[WSK_LOG_CELL];
    bool whole = true;
    r->log->format = "nvidia-smi -q";
    wsk_log_open(&q.now, WSK_LOG_BY_BUS, "");
    do {
        size_t from = r->start, colon = r->start;
        whole = r->whole;
        while (from < r->end && r->text[from] == ' ')
            from++;
        while (colon + 2 < r->end && memcmp(r->text + colon, " : ", 3) != 0)
            colon++;
        if (wsk_log_begins(r, "GPU ") && from == r->start && colon + 2 >= r->end) {
            copy_cell(r, from + 4, r->end, value);
            begin_card(&q, value);
            section[0] = '\0';
        } else if (colon + 2 >= r->end) {
            if (from - r->start <= 4)
                copy_cell(r, from, r->end, section);
        } else {
            copy_cell(r, from, colon, name);
            copy_cell(r, colon + 2, r->end, value);
            if (from - r->start <= 4)
                section[0] = '\0';
            if (whole)
                note_value(&q, section, name, colon + 3, value);
        }
    } while (wsk_log_line(r));
    end_log(&q, whole);
}

static bool is_there(wsk_log_reader *r)
{
    return r->at < r->len || wsk_log_reach(r, r->at + 1) > r->at;
}

static bool skip_to(wsk_log_reader *r, char c)
{
    while (is_there(r) && r->text[r->at] != c) {
        if (r->text[r->at] == r->ends) {
            r->line++;
            r->start = r->at + 1;
        }
        r->at++;
    }
    return r->at < r->len;
}

void wsk_log_query_xml(wsk_log_reader *r)
{
    enum { NEST = 16 };
    query q = {.r = r};
    char open[NEST][WSK_LOG_CELL] = {{0}}, tag[WSK_LOG_CELL], value[WSK_LOG_CELL];
    size_t depth = 0;
    bool ended = false;
    r->log->format = "nvidia-smi -q -x";
    wsk_log_open(&q.now, WSK_LOG_BY_BUS, "");
    r->at = r->start;
    while (skip_to(r, '<')) {
        wsk_log_pass(r);
        const size_t tag_at = r->at + 1;
        if (!skip_to(r, '>'))
            break;
        const size_t end = r->at++;
        const char first = r->text[tag_at], last = r->text[end - 1];
        if (first == '?' || first == '!' || last == '/')
            continue;
        if (first == '/') {
            copy_cell(r, tag_at + 1, end, tag);
            if (depth && strcmp(open[(depth - 1) % NEST], tag) == 0) {
                if (r->keep < SIZE_MAX && depth < NEST) {
                    copy_cell(r, r->keep, tag_at - 1, value);
                    note_value(&q, depth > 1 ? open[depth - 2] : "", tag, r->keep, value);
                }
                depth--;
            }
            r->keep = SIZE_MAX;
            ended = strcmp(tag, "nvidia_smi_log") == 0 || strcmp(tag, "gpu") == 0;
            continue;
        }
        size_t stop = tag_at;
        while (stop < end && !isspace((unsigned char)r->text[stop]))
            stop++;
        copy_cell(r, tag_at, stop, tag);
        if (strcmp(tag, "nvidia_smi_log") == 0)
            depth = 0; /* a new document begins, even if the one before was cut off */
        if (strcmp(tag, "gpu") == 0) {
            const char *quote = memchr(r->text + stop, '"', end - stop);
            const size_t id = quote ? (size_t)(quote - r->text) + 1 : end;
            const char *close = quote ? memchr(r->text + id, '"', end - id) : NULL;
            copy_cell(r, id, close ? (size_t)(close - r->text) : end, value);
            begin_card(&q, value);
        }
        memcpy(open[depth % NEST], tag, sizeof tag);
        depth++;
        r->keep = end + 1; /* the text of this element begins here */
        ended = false;
    }
    end_log(&q, ended);
}
