/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/twin/answer.h"

#include <math.h>
#include <stdlib.h>

static void begin(wsk_buf *out, const wsk_live *live)
{
    wsk_buf_printf(out, "{\"ok\": true, \"t_s\": ");
    wsk_live_number(out, wsk_run_time(live->run));
}

static void refuse(wsk_buf *out, const char *code, const wsk_said *why)
{
    wsk_refusal_write(out, &(wsk_refusal){code, *why});
}

static void answer_order(wsk_live *live, const char *text, wsk_buf *out)
{
    wsk_order order;
    if (!live->writable) {
        refuse(out, "read-only", WSK_SAID(WSK_SAY_TWIN_READ_ONLY));
        return;
    }
    if (!wsk_order_read(&order, text)) {
        refuse(out, "syntax", WSK_SAID(WSK_SAY_TWIN_ORDER));
        return;
    }
    const wsk_refusal refusal = wsk_live_do(live, &order);
    if (refusal.code) {
        wsk_refusal_write(out, &refusal);
        return;
    }
    wsk_live_publish(live);
    begin(out, live);
    wsk_buf_printf(out, "}");
}

static void answer_advance(wsk_live *live, double seconds, wsk_buf *out)
{
    if (!live->lockstep) {
        refuse(out, "running", WSK_SAID(WSK_SAY_TWIN_RUNNING));
        return;
    }
    const double from_s = wsk_run_time(live->run);
    live->status = wsk_live_advance(live, seconds);
    wsk_live_publish(live);
    if (live->status != WSK_OK) {
        const wsk_said *why = wsk_run_failure(live->run);
        refuse(out, "failed", why ? why : WSK_SAID(WSK_SAY_TWIN_FAILED));
        return;
    }
    begin(out, live);
    const double advanced_s = wsk_run_time(live->run) - from_s;
    if (fabs(advanced_s - seconds) > 1e-6) { /* the asked time ends within a step, or the run ends before that time */
        wsk_buf_printf(out, ", \"advanced_s\": ");
        wsk_live_number(out, round(1e6 * advanced_s) / 1e6);
    }
    wsk_buf_printf(out, "}");
}

static void answer_values(const wsk_live *live, const wsk_request *request, wsk_buf *out)
{
    const size_t count = wsk_json_length(request->names);
    double value;
    for (size_t i = 0; i < count; i++)
        if (wsk_run_get(live->run, wsk_request_name(request, i), &value) != WSK_OK) {
            refuse(out, "unknown", WSK_SAID(WSK_SAY_TWIN_NO_VARIABLE, wsk_request_name(request, i)));
            return;
        }
    begin(out, live);
    wsk_buf_printf(out, ", \"values\": {");
    for (size_t i = 0; i < count; i++) {
        wsk_buf_printf(out, i ? ", " : "");
        wsk_buf_json(out, wsk_request_name(request, i));
        wsk_buf_printf(out, ": ");
        wsk_run_get(live->run, wsk_request_name(request, i), &value);
        wsk_live_number(out, value);
    }
    wsk_buf_printf(out, "}}");
}

static void put_variable(wsk_buf *out, const char *name, const char *unit, bool first)
{
    wsk_buf_printf(out, first ? "{\"name\": " : ", {\"name\": ");
    wsk_buf_json(out, name);
    wsk_buf_printf(out, ", \"unit\": ");
    wsk_buf_json(out, unit);
    wsk_buf_printf(out, "}");
}

static void answer_list(const wsk_live *live, wsk_buf *out)
{
    begin(out, live);
    wsk_buf_printf(out, ", \"variables\": [");
    for (size_t i = 0; i < wsk_run_variables(live->run); i++) {
        const char *name, *unit;
        double value;
        wsk_run_variable(live->run, i, &name, &unit, &value);
        put_variable(out, name, unit, i == 0);
    }
    for (int v = 0; v < WSK_VAR_COUNT; v++) {
        const wsk_var_row *row = wsk_var_about((wsk_var)v);
        for (size_t i = 0; row->change == WSK_VAR_ASKED && i < wsk_run_owners(live->run, row->owner); i++) {
            const char *id = wsk_run_owner(live->run, row->owner, i);
            char *name = wsk_cli_format("%s%s%s", id, *id ? "." : "", row->name);
            put_variable(out, name, row->unit, false);
            free(name);
        }
    }
    wsk_buf_printf(out, "]}");
}

static void answer_score(const wsk_live *live, wsk_buf *out)
{
    begin(out, live);
    wsk_live_score(live, out);
    wsk_buf_printf(out, "}");
}

static void answer_speed(wsk_live *live, double speed, wsk_buf *out)
{
    if (!live->writable) {
        refuse(out, "read-only", WSK_SAID(WSK_SAY_TWIN_READ_ONLY));
    } else if (live->lockstep) {
        refuse(out, "lockstep", WSK_SAID(WSK_SAY_TWIN_LOCKSTEP));
    } else {
        wsk_live_set_speed(live, speed);
        wsk_live_publish(live);
        begin(out, live);
        wsk_buf_printf(out, "}");
    }
}

char *wsk_live_answer(void *to, const char *line, size_t len)
{
    wsk_live *live = to;
    wsk_request request;
    wsk_buf out = {0};
    wsk_refusal refusal;
    if (!wsk_request_read(&request, line, len, &refusal)) {
        wsk_refusal_write(&out, &refusal);
    } else {
        switch (request.kind) {
        case WSK_REQUEST_DO: answer_order(live, request.text, &out); break;
        case WSK_REQUEST_ADVANCE: answer_advance(live, request.number, &out); break;
        case WSK_REQUEST_READ: answer_values(live, &request, &out); break;
        case WSK_REQUEST_LIST: answer_list(live, &out); break;
        case WSK_REQUEST_SCORE: answer_score(live, &out); break;
        case WSK_REQUEST_SPEED: answer_speed(live, request.number, &out); break;
        }
        wsk_request_free(&request);
    }
    wsk_buf_printf(&out, "\n");
    if (out.failed || !out.data)
        wsk_cli_no_memory();
    return out.data;
}
