/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "sim/log/log.h"

enum { LOOK = 40 }; /* the header must be within this many first lines, which may also hold remarks and errors */

static const wsk_log_table *table_of(const wsk_log_reader *r)
{
    static const wsk_log_table *const tables[] = {&wsk_log_own, &wsk_log_smi, &wsk_log_windows, &wsk_log_amd,
                                                  &wsk_log_common};
    const wsk_log_table *best = NULL;
    int most = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const int fits = wsk_log_table_fits(r, tables[i]);
        if (fits > most) {
            most = fits;
            best = tables[i];
        }
    }
    return best;
}

static bool read_other(wsk_log_reader *r)
{
    if (wsk_log_begins(r, "<nvidia_smi_log") || wsk_log_begins(r, "<!DOCTYPE nvidia_smi_log") ||
        wsk_log_begins(r, "<?xml"))
        wsk_log_query_xml(r);
    else if (wsk_log_begins(r, "==============NVSMI LOG"))
        wsk_log_query_text(r);
    else if (wsk_log_dmon_fits(r))
        wsk_log_dmon_read(r);
    else if (wsk_log_dcgm_fits(r))
        wsk_log_dcgm_read(r);
    else if (wsk_log_telegraf_fits(r))
        wsk_log_telegraf_read(r);
    else if (wsk_log_amd_json_fits(r))
        wsk_log_amd_json_read(r);
    else if (wsk_log_dcmi_fits(r))
        wsk_log_dcmi_read(r);
    else if (wsk_log_tasmota_fits(r))
        wsk_log_tasmota_read(r);
    else if (wsk_log_begins(r, "{"))
        wsk_log_prometheus_read(r);
    else
        return false;
    return true;
}

/* A file with times and watts alone does not say whether a card or the wall was measured, so the log stores the watts
 * as both. */
static void copy_wall(wsk_log *log)
{
    if (log->count != 1 || log->wall.count || log->format != wsk_log_common.format)
        return;
    const wsk_log_track *of = log->cards[0]->of;
    for (int q = WSK_LOG_POWER + 1; q < WSK_LOG_QUANTITIES; q++)
        if (of[q].count)
            return;
    for (size_t i = 0; i < of[WSK_LOG_POWER].count; i++)
        wsk_log_put(log, 0, WSK_LOG_WALL, of[WSK_LOG_POWER].t[i], of[WSK_LOG_POWER].value[i]);
}

static bool lacks_header(const wsk_log_reader *r)
{
    char cell[WSK_LOG_CELL];
    wsk_log_clock kind;
    double t;
    size_t at = r->start;
    wsk_log_cell(r, &at, cell);
    return at < r->end && (wsk_log_time_of(cell, false, &kind, &t) || wsk_log_time_of(cell, true, &kind, &t));
}

static void read_log(wsk_log_reader *r)
{
    wsk_log_reader first = {.line = 0};
    bool values = false;
    for (int i = 0; i < LOOK && wsk_log_line(r); i++) {
        if (!i) {
            first = *r;
            values = lacks_header(r);
        }
        if (read_other(r))
            return;
        const wsk_log_table *table = table_of(r);
        if (table) {
            wsk_log_table_read(r, table);
            return;
        }
    }
    if (first.line)
        wsk_log_tell(&first, WSK_DIAG_ERROR, first.start,
                     values ? WSK_SAID(WSK_SAY_LOG_NO_HEADER) : WSK_SAID(WSK_SAY_LOG_UNKNOWN));
    else
        wsk_log_tell(r, WSK_DIAG_ERROR, 0, WSK_SAID(WSK_SAY_LOG_EMPTY));
}

/* Removes the byte order mark with which a UTF-8 text may begin, and finds the ends of lines. The first piece tells
 * both. */
static void read_head(wsk_log_reader *r)
{
    const size_t len = wsk_log_reach(r, WSK_LOG_PIECE), mark = r->window ? wsk_utf8_mark(r->text, len) : 0;
    r->ends = wsk_line_end(r->text, len < WSK_LOG_PIECE ? len : WSK_LOG_PIECE);
    if (mark) {
        memmove(r->window, r->window + mark, len - mark);
        r->len -= mark;
    }
}

static wsk_status read_all(wsk_log **out, const char *path, wsk_log_reader *r)
{
    *out = NULL;
    wsk_arena *arena = wsk_arena_new();
    wsk_log *log = arena ? wsk_alloc(arena, sizeof *log) : NULL;
    if (!log) {
        wsk_arena_free(arena);
        return WSK_ENOMEM;
    }
    log->arena = arena;
    log->format = "";
    log->path = wsk_strdup(arena, path);
    wsk_diags_init(&log->diags, arena);
    r->log = log;
    r->path = path;
    r->separator = ',';
    r->keep = SIZE_MAX;
    read_head(r);
    if (wsk_is_gzip(r->text, r->len))
        wsk_log_tell(r, WSK_DIAG_ERROR, 0, WSK_SAID(WSK_SAY_GZIP));
    else if (wsk_is_utf16(r->text, r->len))
        wsk_log_tell(r, WSK_DIAG_ERROR, 0, WSK_SAID(WSK_SAY_UTF16));
    else
        read_log(r);
    copy_wall(log);
    wsk_log_close(log);
    if (!log->diags.errors && !log->count && !log->wall.count) {
        r->start = r->end = r->len;
        wsk_log_tell(r, WSK_DIAG_ERROR, r->len,
                     r->untimed && !r->dated ? WSK_SAID(WSK_SAY_LOG_NO_TIMES) : WSK_SAID(WSK_SAY_LOG_NO_ROWS));
    }
    if (r->told > WSK_LOG_TOLD)
        wsk_diag_add(&log->diags, WSK_DIAG_WARNING, path, r->line, 1,
                     log->left_out ? WSK_SAID(WSK_SAY_LOG_LEFT_OUT, log->left_out)
                                   : WSK_SAID(WSK_SAY_LOG_MORE, r->told - WSK_LOG_TOLD));
    if (log->twice && !log->diags.errors)
        wsk_diag_add(&log->diags, WSK_DIAG_WARNING, path, r->line, 1, WSK_SAID(WSK_SAY_LOG_TWICE, log->twice));
    if (log->crowded)
        wsk_diag_add(&log->diags, WSK_DIAG_WARNING, path, r->line, 1,
                     WSK_SAID(WSK_SAY_LOG_MANY_CARDS, WSK_LOG_CARDS));
    if (log->thinned)
        wsk_diag_add(&log->diags, WSK_DIAG_WARNING, path, r->line, 1, WSK_SAID(WSK_SAY_LOG_THINNED, WSK_LOG_SAMPLES));
    if (log->failed || wsk_arena_failed(arena)) {
        wsk_log_free(log);
        return WSK_ENOMEM;
    }
    *out = log;
    return log->diags.errors ? WSK_EINPUT : WSK_OK;
}

wsk_status wsk_log_read(wsk_log **out, const char *path, const char *text, size_t len)
{
    const size_t mark = wsk_utf8_mark(text, len);
    wsk_log_reader r = {.text = text + mark, .len = len - mark, .ended = true};
    return read_all(out, path, &r);
}

wsk_status wsk_log_read_pieces(wsk_log **out, const char *path, size_t (*read)(void *user, char *to, size_t room),
                               void *user)
{
    wsk_log_reader r = {.read = read, .user = user};
    const wsk_status status = read_all(out, path, &r);
    free(r.window);
    return status;
}
