/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads scrapes of dcgm-exporter that follow each other in one file, in the text format of Prometheus:
 * name{gpu="0",...} value [time in ms]. */
#include <math.h>
#include <string.h>

#include "sim/log/log.h"

static const wsk_log_name names[] = {{"DCGM_FI_DEV_POWER_USAGE", WSK_LOG_POWER, 0, NULL},
                                     {"DCGM_FI_DEV_POWER_USAGE_INSTANT", WSK_LOG_POWER, 1, NULL},
                                     {"DCGM_FI_DEV_ENFORCED_POWER_LIMIT", WSK_LOG_LIMIT, 0, NULL},
                                     {"DCGM_FI_DEV_POWER_MGMT_LIMIT", WSK_LOG_LIMIT, 1, NULL},
                                     {"DCGM_FI_DEV_GPU_UTIL", WSK_LOG_UTILISATION, 0, NULL},
                                     {"DCGM_FI_DEV_MEM_COPY_UTIL", WSK_LOG_MEMORY_UTILISATION, 0, NULL},
                                     {"DCGM_FI_DEV_SM_CLOCK", WSK_LOG_CLOCK, 0, NULL},
                                     {"DCGM_FI_DEV_MEM_CLOCK", WSK_LOG_MEMORY_CLOCK, 0, NULL},
                                     {"DCGM_FI_DEV_GPU_TEMP", WSK_LOG_DIE, 0, NULL},
                                     {"DCGM_FI_DEV_MEMORY_TEMP", WSK_LOG_MEMORY, 0, NULL},
                                     {"DCGM_FI_DEV_FAN_SPEED", WSK_LOG_FAN, 0, NULL},
                                     {NULL, 0, 0, NULL}};

const wsk_log_name *wsk_log_dcgm_name(const char *text, size_t len)
{
    for (const wsk_log_name *n = names; n->name; n++)
        if (strlen(n->name) == len && memcmp(n->name, text, len) == 0)
            return n;
    return NULL;
}

bool wsk_log_dcgm_fits(const wsk_log_reader *r)
{
    return wsk_log_begins(r, "DCGM_FI_") || wsk_log_begins(r, "# HELP DCGM_") || wsk_log_begins(r, "# TYPE DCGM_");
}

static bool label_of(const wsk_log_reader *r, size_t from, size_t to, const char *name, char out[WSK_LOG_CELL])
{
    const size_t len = strlen(name);
    for (size_t i = from; i + len + 2 < to; i++) {
        if ((i > from && r->text[i - 1] != ',' && r->text[i - 1] != ' ' && r->text[i - 1] != '{') ||
            memcmp(r->text + i, name, len) != 0 || memcmp(r->text + i + len, "=\"", 2) != 0)
            continue;
        size_t n = 0;
        for (size_t k = i + len + 2; k < to && r->text[k] != '"' && n < WSK_LOG_CELL - 1; k++)
            out[n++] = r->text[k] > 0x1F && r->text[k] < 0x7F ? r->text[k] : '?';
        out[n] = '\0';
        return true;
    }
    return false;
}

void wsk_log_dcgm_read(wsk_log_reader *r)
{
    enum { METRICS = sizeof names / sizeof *names };
    wsk_log *log = r->log;
    unsigned char seen[WSK_LOG_CARDS][METRICS] = {{0}};
    double scrape = 0;
    bool told = false;
    log->format = "dcgm-exporter";
    do {
        size_t end = r->start;
        char card[WSK_LOG_CELL], uuid[WSK_LOG_CELL] = "", cell[WSK_LOG_CELL], time[WSK_LOG_CELL];
        wsk_log_moment now;
        while (end < r->end && r->text[end] != '{' && r->text[end] != ' ')
            end++;
        const wsk_log_name *name = wsk_log_dcgm_name(r->text + r->start, end - r->start);
        if (!name)
            continue;
        const char *close = memchr(r->text + end, '}', r->end - end);
        if (!close || !label_of(r, end, r->end, "gpu", card)) {
            wsk_log_leave(r, end, WSK_SAID(WSK_SAY_LOG_CUT));
            continue;
        }
        wsk_log_reader rest = *r;
        size_t at = (size_t)(close - r->text) + 1;
        while (at < r->end && r->text[at] == ' ')
            at++;
        rest.separator = ' ';
        const size_t from = wsk_log_cell(&rest, &at, cell);
        wsk_log_cell(&rest, &at, time);
        wsk_log_open(&now, WSK_LOG_BY_INDEX, card);
        wsk_log_note(r, &now, name, from, cell);
        if (label_of(r, end, r->end, "UUID", uuid) && *uuid)
            snprintf(now.id, sizeof now.id, "u%.90s", uuid);
        const size_t k = wsk_log_card_with(log, WSK_LOG_BY_INDEX, card, now.id), metric = (size_t)(name - names);
        if (k >= WSK_LOG_CARDS)
            continue;
        if (seen[k][metric]) { /* a metric that comes again begins a new scrape */
            memset(seen, 0, sizeof seen);
            scrape++;
        }
        seen[k][metric] = 1;
        now.t_s = scrape;
        if (*time && !wsk_log_time(r, time, &now.t_s)) {
            wsk_log_mistime(r, from, time);
            continue;
        }
        if (!*time && !told) {
            told = true;
            wsk_log_tell(r, WSK_DIAG_WARNING, from, WSK_SAID(WSK_SAY_LOG_NO_TIME));
        }
        if (r->whole || *time)
            wsk_log_keep(log, &now);
    } while (wsk_log_line(r));
}
