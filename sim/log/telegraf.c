/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads telegraf's line protocol, from its inputs nvidia_smi and amd_rocm_smi, by the documented layout:
 * measurement,tag=...,tag=... field=...,field=... time in ns. A backslash precedes blanks, commas and equals signs in
 * tags. */
#include <string.h>

#include "sim/log/log.h"

static const wsk_log_name names[] = {{"power_draw", WSK_LOG_POWER, 0, NULL},
                                     {"power_limit", WSK_LOG_LIMIT, 0, NULL},
                                     {"temperature_gpu", WSK_LOG_DIE, 0, NULL},
                                     {"temperature_sensor_edge", WSK_LOG_DIE, 0, NULL},
                                     {"temperature_sensor_junction", WSK_LOG_HOT_SPOT, 0, NULL},
                                     {"temperature_sensor_memory", WSK_LOG_MEMORY, 0, NULL},
                                     {"utilization_gpu", WSK_LOG_UTILISATION, 0, NULL},
                                     {"utilization_memory", WSK_LOG_MEMORY_UTILISATION, 0, NULL},
                                     {"clocks_current_sm", WSK_LOG_CLOCK, 0, NULL},
                                     {"clocks_current_memory", WSK_LOG_MEMORY_CLOCK, 0, NULL},
                                     {"fan_speed", WSK_LOG_FAN, 0, NULL},
                                     {NULL, 0, 0, NULL}};

bool wsk_log_telegraf_fits(const wsk_log_reader *r)
{
    return wsk_log_begins(r, "nvidia_smi,") || wsk_log_begins(r, "amd_rocm_smi,");
}

/* Copies a text up to one of the characters `stops` that has no backslash before it and is not in quotes. Moves *at
 * there. */
static void take(const wsk_log_reader *r, size_t *at, const char *stops, char out[WSK_LOG_CELL])
{
    size_t n = 0;
    bool quoted = false;
    for (; *at < r->end && (quoted || !strchr(stops, r->text[*at])); ++*at) {
        char c = r->text[*at];
        quoted = c == '"' ? !quoted : quoted;
        if (c == '\\' && *at + 1 < r->end)
            c = r->text[++*at];
        if (n < WSK_LOG_CELL - 1)
            out[n++] = c > 0x1F && c < 0x7F ? c : '?';
    }
    out[n] = '\0';
}

static bool take_pair(const wsk_log_reader *r, size_t *at, char key[WSK_LOG_CELL], size_t *from,
                      char value[WSK_LOG_CELL])
{
    if (*at >= r->end || r->text[*at] != ',')
        return false;
    ++*at;
    take(r, at, "=, ", key);
    *at += *at < r->end && r->text[*at] == '=';
    *from = *at;
    take(r, at, ", ", value);
    return true;
}

static const char *number_of(const char *name)
{
    const char *c = name + strlen(name);
    while (c > name && c[-1] >= '0' && c[-1] <= '9')
        c--;
    return *c ? c : "0";
}

static void read_line(wsk_log_reader *r)
{
    char key[WSK_LOG_CELL], value[WSK_LOG_CELL], card[WSK_LOG_CELL] = "", id[WSK_LOG_CELL] = "", time[WSK_LOG_CELL];
    wsk_log_moment now = {.t_s = 0};
    size_t at = r->start, from;
    const bool amd = wsk_log_begins(r, "amd_rocm_smi,");
    take(r, &at, ", ", value);
    while (take_pair(r, &at, key, &from, value))
        if (strcmp(key, "index") == 0 || (amd && strcmp(key, "name") == 0))
            snprintf(card, sizeof card, "%s", number_of(value));
        else if (*value && strcmp(key, amd ? "gpu_unique_id" : "uuid") == 0)
            snprintf(id, sizeof id, "u%.90s", value);
    wsk_log_open(&now, WSK_LOG_BY_INDEX, *card ? card : "0");
    memcpy(now.id, id, sizeof now.id);
    for (bool first = true; at < r->end && (first || r->text[at] == ','); first = false) {
        at++;
        take(r, &at, "=, ", key);
        at += at < r->end && r->text[at] == '=';
        from = at;
        take(r, &at, ", ", value);
        const size_t len = strlen(value);
        if (len && (value[len - 1] == 'i' || value[len - 1] == 'u')) /* a suffix i or u marks a whole number */
            value[len - 1] = '\0';
        for (const wsk_log_name *n = names; n->name; n++)
            if (strcmp(n->name, key) == 0)
                wsk_log_note(r, &now, n, from, value);
    }
    from = at += at < r->end;
    take(r, &at, " \r", time);
    if (!wsk_log_holds(&now))
        wsk_log_leave(r, r->start, WSK_SAID(WSK_SAY_LOG_NOTHING));
    else if (!r->whole) /* a time that was cut off would be read as another time */
        wsk_log_leave(r, from, WSK_SAID(WSK_SAY_LOG_CUT));
    else if (!wsk_log_time(r, time, &now.t_s))
        wsk_log_mistime(r, from, time);
    else
        wsk_log_keep(r->log, &now);
}

void wsk_log_telegraf_read(wsk_log_reader *r)
{
    r->log->format = "telegraf";
    do {
        if (wsk_log_telegraf_fits(r)) /* other inputs write into the same file */
            read_line(r);
    } while (wsk_log_line(r));
}
