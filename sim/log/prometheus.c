/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the answer of a Prometheus server to query_range, {"data": {"result": [{"metric": {"__name__": ..., "gpu":
 * "0"}, "values": [[time, "value"], ...]}, ...]}}, with the metrics of dcgm-exporter. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/json.h"
#include "sim/log/log.h"

static const char *read_sample(const wsk_json *pair, double *t_s)
{
    wsk_json_kind kind;
    if (wsk_json_length(pair) != 2 || !wsk_json_as_number(wsk_json_item(pair, 0, &kind), t_s))
        return NULL;
    return wsk_json_as_text(wsk_json_item(pair, 1, &kind));
}

static const char *label(const wsk_json *series, const char *path)
{
    wsk_json_kind kind = WSK_JSON_NULL;
    const wsk_json *metric = wsk_json_at(series, "metric", &kind);
    const char *text = kind == WSK_JSON_OBJECT ? wsk_json_as_text(wsk_json_at(metric, path, &kind)) : NULL;
    return text ? text : "";
}

/* The machine whose card a series is of; "": not stated. The name of the host stays when an exporter is started anew
 * at another address. */
static const char *host_of(const wsk_json *series)
{
    const char *name = label(series, "Hostname");
    return *name ? name : label(series, "instance");
}

/* NULL: no series of a card, or of a metric that is not read. */
static const wsk_log_name *name_of(const wsk_json *series, wsk_json_kind kind)
{
    const char *metric = kind == WSK_JSON_OBJECT ? label(series, "__name__") : "";
    return *metric ? wsk_log_dcgm_name(metric, strlen(metric)) : NULL;
}

static bool has_hosts(const wsk_json *result, size_t series)
{
    wsk_json_kind kind;
    const char *first = NULL;
    for (size_t i = 0; i < series; i++) {
        const wsk_json *one = wsk_json_item(result, i, &kind);
        const char *host = name_of(one, kind) ? host_of(one) : "";
        if (*host && first && strcmp(first, host) != 0)
            return true;
        first = *host ? host : first;
    }
    return false;
}

/* host: the machine of the card, if the answer has several; else "". */
static void read_values(wsk_log_reader *r, const wsk_log_name *name, const wsk_json *series, const char *host,
                        const wsk_json *values)
{
    wsk_log_moment now;
    wsk_json_kind kind;
    const char *card = *label(series, "gpu") ? label(series, "gpu") : "0", *uuid = label(series, "UUID");
    wsk_log_open(&now, WSK_LOG_BY_INDEX, card);
    if (*uuid)
        snprintf(now.id, sizeof now.id, "u%.90s", uuid);
    else if (*host)
        snprintf(now.id, sizeof now.id, "u%.60s/%.20s", host, card);
    r->anew = true;
    for (size_t i = 0; i < wsk_json_length(values); i++) {
        char time[WSK_LOG_CELL];
        double t_s;
        const char *value = read_sample(wsk_json_item(values, i, &kind), &t_s);
        if (value && fabs(t_s) < 1e12)
            wsk_print(time, sizeof time, "%.3f", t_s);
        if (!value || !(fabs(t_s) < 1e12) || !wsk_log_time(r, time, &now.t_s)) {
            wsk_log_leave(r, r->start, WSK_SAID(WSK_SAY_LOG_NOTHING));
            continue;
        }
        wsk_log_note(r, &now, name, r->start, value);
        wsk_log_keep(r->log, &now);
    }
}

void wsk_log_prometheus_read(wsk_log_reader *r)
{
    wsk_json *root;
    wsk_json_kind kind;
    r->log->format = "Prometheus query_range";
    r->at = r->end = wsk_log_reach(r, SIZE_MAX);
    const wsk_status status = wsk_json_parse(&root, r->text + r->start, r->len - r->start, &r->log->diags);
    r->log->failed = r->log->failed || status == WSK_ENOMEM;
    if (status != WSK_OK)
        return;
    const wsk_json *result = wsk_json_at(root, "data.result", &kind);
    const size_t series = kind == WSK_JSON_LIST ? wsk_json_length(result) : 0;
    const bool hosts = has_hosts(result, series);
    for (size_t i = 0; i < series; i++) {
        const wsk_json *one = wsk_json_item(result, i, &kind);
        const wsk_log_name *name = name_of(one, kind);
        const wsk_json *values = name ? wsk_json_at(one, "values", &kind) : NULL;
        if (values && kind == WSK_JSON_LIST)
            read_values(r, name, one, hosts ? host_of(one) : "", values);
    }
    wsk_json_free(root);
}
