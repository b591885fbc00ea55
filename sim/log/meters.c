/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads output of power meters at the wall that is no table, by the documented layouts. `ipmitool dcmi power reading`
 * writes a block of lines, one block after another: "Instantaneous power reading: 345 Watts" and six more. Plugs with
 * the Tasmota firmware send a line of JSON, {"Time": "2026-11-22T12:00:00", "ENERGY": {"Power": 345}}; in front of it
 * may stand its MQTT topic. */
#include <ctype.h>
#include <string.h>

#include "sim/base/json.h"
#include "sim/log/log.h"

static const char reading[] = "Instantaneous power reading";

typedef struct {
    wsk_log_reader *r;
    /* stamp: line before the block that holds only a time, such as `date -Is` writes; it is preferred to `time`, the
     * clock of the machine's controller, which may never have been set */
    char watts[WSK_LOG_CELL], time[WSK_LOG_CELL], stamp[WSK_LOG_CELL];
    bool open, off;
} block;

static void put_wall(wsk_log_reader *r, const char *watts, const char *time)
{
    wsk_log_scale scale;
    double t_s, si;
    (void)wsk_log_scale_of(WSK_LOG_WALL, "", &scale);
    if (!wsk_log_value(WSK_LOG_WALL, watts, &scale, &si))
        wsk_log_leave(r, r->start, WSK_SAID(WSK_SAY_LOG_NOTHING));
    else if (!wsk_log_time(r, time, &t_s))
        wsk_log_mistime(r, r->start, time);
    else
        wsk_log_put(r->log, 0, WSK_LOG_WALL, t_s, si);
}

static void end_block(block *b)
{
    if (b->open && b->off)
        wsk_log_leave(b->r, b->r->start, WSK_SAID(WSK_SAY_LOG_NOTHING));
    else if (b->open)
        put_wall(b->r, b->watts, *b->stamp ? b->stamp : b->time);
    if (b->open)
        *b->stamp = '\0';
    b->open = b->off = false;
    *b->time = '\0';
}

/* Copies the text between two offsets without blanks around it. False: it is empty or too long. */
static bool copy_trimmed(const wsk_log_reader *r, size_t from, size_t to, char out[WSK_LOG_CELL])
{
    const char *text = r->text;
    *out = '\0';
    while (from < to && isspace((unsigned char)text[from]))
        from++;
    while (to > from && isspace((unsigned char)text[to - 1]))
        to--;
    if (from == to || to - from >= WSK_LOG_CELL)
        return false;
    for (size_t i = from; i < to; i++)
        out[i - from] = text[i] > 0x1F && text[i] < 0x7F ? text[i] : '?';
    out[to - from] = '\0';
    return true;
}

/* The value behind the colon of a line, up to two blanks: some versions of ipmitool omit the line break. */
static void take_value(const wsk_log_reader *r, char out[WSK_LOG_CELL])
{
    const char *colon = memchr(r->text + r->start, ':', r->end - r->start);
    size_t from = colon ? (size_t)(colon - r->text) + 1 : r->end;
    while (from < r->end && isspace((unsigned char)r->text[from]))
        from++;
    size_t to = from;
    while (to < r->end && (to + 1 == r->end || r->text[to] != ' ' || r->text[to + 1] != ' '))
        to++;
    (void)copy_trimmed(r, from, to, out);
}

/* Cuts the abbreviation of a local time zone off: "10/08/2026 06:02:12 PM EDT". */
static void cut_zone(char *time)
{
    static const char *const kept[] = {"UTC", "GMT", "AM", "PM"};
    char *word = strrchr(time, ' ');
    for (size_t i = 0; word && i < sizeof kept / sizeof *kept; i++)
        word = strcmp(word + 1, kept[i]) == 0 ? NULL : word;
    if (word && isalpha((unsigned char)word[1]))
        *word = '\0';
}

static bool read_stamp(block *b, size_t from, size_t to)
{
    char cell[WSK_LOG_CELL];
    wsk_log_clock kind;
    double t_s;
    if (!copy_trimmed(b->r, from, to, cell) || !wsk_log_time_of(cell, false, &kind, &t_s))
        return false;
    end_block(b);
    memcpy(b->stamp, cell, sizeof cell);
    return true;
}

static void read_dcmi_line(block *b)
{
    wsk_log_reader *r = b->r;
    char state[WSK_LOG_CELL];
    if (wsk_log_begins(r, reading)) {
        end_block(b);
        b->open = true;
        take_value(r, b->watts);
    } else if (wsk_log_begins(r, "IPMI timestamp")) {
        take_value(r, b->time);
        cut_zone(b->time);
    } else if (wsk_log_begins(r, "Power reading state")) {
        take_value(r, state);
        b->off = strcmp(state, "deactivated") == 0;
    } else {
        (void)read_stamp(b, r->start, r->end);
    }
}

bool wsk_log_dcmi_fits(const wsk_log_reader *r)
{
    return wsk_log_begins(r, reading);
}

void wsk_log_dcmi_read(wsk_log_reader *r)
{
    block b = {.r = r};
    size_t from, to;
    bool cut = false;
    r->log->format = "ipmitool dcmi power reading";
    wsk_log_line_before(r, &from, &to);
    (void)read_stamp(&b, from, to);
    do {
        read_dcmi_line(&b);
        cut = !r->whole && !wsk_log_begins(r, "Power reading state");
    } while (wsk_log_line(r));
    if (b.open && cut) /* watts or a time that were cut off would be read as other values */
        wsk_log_leave(r, r->len, WSK_SAID(WSK_SAY_LOG_CUT));
    else
        end_block(&b);
}

/* Offset of the JSON document of a line, behind its MQTT topic; r->end: the line has no document. */
static size_t document_at(const wsk_log_reader *r)
{
    size_t at = r->start;
    while (at < r->end && isspace((unsigned char)r->text[at]))
        at++;
    while (at < r->end && r->text[at] != '{' && !isspace((unsigned char)r->text[at])) /* the topic has no blanks */
        at++;
    while (at < r->end && (r->text[at] == ' ' || r->text[at] == '\t' || r->text[at] == '='))
        at++;
    return at < r->end && r->text[at] == '{' ? at : r->end;
}

bool wsk_log_tasmota_fits(const wsk_log_reader *r)
{
    static const char *const keys[] = {"\"Time\"", "\"StatusSNS\""};
    size_t at = document_at(r);
    at += at < r->end;
    while (at < r->end && isspace((unsigned char)r->text[at]))
        at++;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (r->end - at > strlen(keys[i]) && memcmp(r->text + at, keys[i], strlen(keys[i])) == 0)
            return true;
    return false;
}

static void read_document(wsk_log_reader *r, const wsk_json *root)
{
    char watts[WSK_LOG_CELL] = "", time[WSK_LOG_CELL];
    wsk_json_kind kind;
    double power;
    const wsk_json *status = wsk_json_at(root, "StatusSNS", &kind), *of = kind == WSK_JSON_OBJECT ? status : root;
    const char *stamp = wsk_json_as_text(wsk_json_at(of, "Time", &kind));
    if (!wsk_json_at(of, "ENERGY", &kind)) /* a message about the plug's state or about other sensors */
        return;
    if (wsk_json_as_number(wsk_json_at(of, "ENERGY.Power", &kind), &power))
        wsk_print(watts, sizeof watts, "%.15g", power);
    snprintf(time, sizeof time, "%s", stamp ? stamp : "");
    for (char *c = time; *c; c++)
        *c = *c > 0x1F && *c < 0x7F ? *c : '?';
    put_wall(r, watts, time);
}

static void read_json_line(wsk_log_reader *r, size_t at)
{
    wsk_json *root = NULL;
    wsk_diags mistakes;
    wsk_arena *scratch = wsk_arena_new();
    wsk_diags_init(&mistakes, scratch);
    const wsk_status status = scratch ? wsk_json_parse(&root, r->text + at, r->end - at, &mistakes) : WSK_ENOMEM;
    if (status == WSK_OK)
        read_document(r, root);
    else if (status == WSK_EINPUT)
        wsk_log_leave(r, at, r->whole ? WSK_SAID(WSK_SAY_LOG_NOTHING) : WSK_SAID(WSK_SAY_LOG_CUT));
    else
        r->log->failed = true;
    wsk_json_free(root);
    wsk_arena_free(scratch);
}

void wsk_log_tasmota_read(wsk_log_reader *r)
{
    char first[WSK_LOG_CELL], topic[WSK_LOG_CELL];
    r->log->format = "Tasmota";
    (void)copy_trimmed(r, r->start, document_at(r), first);
    do {
        const size_t at = document_at(r);
        if (at == r->end)
            continue;
        (void)copy_trimmed(r, r->start, at, topic);
        if (strcmp(topic, first) == 0) /* of several plugs, only that of the first line is read */
            read_json_line(r, at);
        else
            wsk_log_leave(r, r->start, WSK_SAID(WSK_SAY_LOG_NOTHING));
    } while (wsk_log_line(r));
}
