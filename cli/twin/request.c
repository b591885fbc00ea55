/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/twin/request.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *key;
    wsk_request_kind kind;
} keys[] = {{"do", WSK_REQUEST_DO},     {"advance_s", WSK_REQUEST_ADVANCE}, {"read", WSK_REQUEST_READ},
            {"list", WSK_REQUEST_LIST}, {"score", WSK_REQUEST_SCORE},       {"speed", WSK_REQUEST_SPEED}};

static bool holds_names(const wsk_json *list, wsk_json_kind kind)
{
    const size_t count = kind == WSK_JSON_LIST ? wsk_json_length(list) : 0;
    for (size_t i = 0; i < count; i++)
        if (!wsk_json_as_text(wsk_json_item(list, i, &kind)))
            return false;
    return count > 0 && count <= WSK_REQUEST_NAMES;
}

/* Means "no error": a value that is no message code. */
static const wsk_code FINE = WSK_SAY_COUNT_;

static wsk_code read_value(wsk_request *r, const wsk_json *value, wsk_json_kind kind)
{
    switch (r->kind) {
    case WSK_REQUEST_DO: r->text = wsk_json_as_text(value); return r->text ? FINE : WSK_SAY_TWIN_DO;
    case WSK_REQUEST_ADVANCE:
        return wsk_json_as_number(value, &r->number) && r->number > 0 ? FINE : WSK_SAY_TWIN_ADVANCE;
    case WSK_REQUEST_READ: r->names = value; return holds_names(value, kind) ? FINE : WSK_SAY_TWIN_READ;
    case WSK_REQUEST_SPEED:
        r->text = wsk_json_as_text(value);
        if (r->text && strcmp(r->text, "max") == 0) {
            r->number = INFINITY;
            return FINE;
        }
        return wsk_json_as_number(value, &r->number) ? FINE : WSK_SAY_TWIN_SPEED;
    default:
        if (kind == WSK_JSON_FLAG && wsk_json_as_flag(value))
            return FINE;
        return r->kind == WSK_REQUEST_LIST ? WSK_SAY_TWIN_LIST : WSK_SAY_TWIN_SCORE;
    }
}

static wsk_code find_key(wsk_request *r)
{
    wsk_code why = WSK_SAY_TWIN_REQUEST;
    bool found = false;
    wsk_json_kind kind;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const wsk_json *value = wsk_json_at(r->root, keys[i].key, &kind);
        if (kind == WSK_JSON_NONE || kind == WSK_JSON_MISFIT || !value)
            continue;
        if (found)
            return WSK_SAY_TWIN_ONE_QUESTION;
        found = true;
        r->kind = keys[i].kind;
        why = read_value(r, value, kind);
    }
    return why;
}

static wsk_code check_range(const wsk_request *r)
{
    if (r->kind == WSK_REQUEST_ADVANCE && r->number > WSK_REQUEST_ADVANCE_S)
        return WSK_SAY_TWIN_AT_ONCE;
    if (r->kind == WSK_REQUEST_SPEED && !(r->number > 0 && (r->number <= 1e6 || isinf(r->number))))
        return WSK_SAY_TWIN_SPEED_RANGE;
    return FINE;
}

bool wsk_request_read(wsk_request *out, const char *line, size_t len, wsk_refusal *refusal)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_diags mistakes;
    wsk_diags_init(&mistakes, arena);
    *out = (wsk_request){.number = NAN};
    const wsk_status status = wsk_json_parse(&out->root, line, len, &mistakes);
    wsk_arena_free(arena);
    const wsk_code syntax = status == WSK_ENOMEM ? WSK_SAY_TWIN_NO_MEMORY
                            : status != WSK_OK   ? WSK_SAY_TWIN_NO_JSON
                                                 : find_key(out),
                   range = syntax == FINE ? check_range(out) : FINE;
    if (syntax == FINE && range == FINE)
        return true;
    *refusal = (wsk_refusal){syntax == FINE ? "range" : "syntax", {.code = syntax == FINE ? range : syntax}};
    wsk_request_free(out);
    return false;
}

void wsk_refusal_write(wsk_buf *out, const wsk_refusal *refusal)
{
    const wsk_said *why = &refusal->why;
    wsk_arena *arena = wsk_arena_new();
    char *messages = NULL;
    wsk_buf_printf(out, "{\"ok\": false, \"code\": \"%s\", \"why\": ", refusal->code);
    wsk_buf_json(out, arena ? wsk_said_english(arena, why) : "");
    if (wsk_said_json(&why, 1, &messages) == WSK_OK)
        wsk_buf_printf(out, ", \"messages\": %s", messages);
    wsk_buf_printf(out, "}");
    wsk_text_free(messages);
    wsk_arena_free(arena);
}

const char *wsk_request_name(const wsk_request *request, size_t i)
{
    wsk_json_kind kind;
    return wsk_json_as_text(wsk_json_item(request->names, i, &kind));
}

void wsk_request_free(wsk_request *request)
{
    wsk_json_free(request->root);
    request->root = NULL;
}

/* names of the events, indexed by wsk_order_event */
static const char *const events[] = {"set", "returns", "fails", "lost", NULL};

static const char *skip_blanks(const char *s)
{
    return s + strspn(s, " ");
}

bool wsk_order_read(wsk_order *out, const char *text)
{
    text = skip_blanks(text);
    const size_t len = strcspn(text, " ");
    if (!len || len >= sizeof out->target)
        return false;
    memcpy(out->target, text, len);
    out->target[len] = '\0';
    const char *event = skip_blanks(text + len);
    const size_t event_len = strcspn(event, " ");
    out->value = skip_blanks(event + event_len);
    for (int e = 0; events[e]; e++)
        if (strlen(events[e]) == event_len && strncmp(events[e], event, event_len) == 0) {
            out->event = (wsk_order_event)e;
            return (e == WSK_ORDER_SET) == (*out->value != '\0');
        }
    return false;
}

int wsk_order_quantities(const char *value, wsk_dim dim, double *out, int most)
{
    int count = 0;
    for (const char *s = skip_blanks(value); *s; s = skip_blanks(s)) {
        char one[64], currency[8];
        const char *end;
        double number;
        size_t at;
        wsk_dim means;
        if (count == most || !wsk_parse_number(s, &end, &number))
            return -1;
        const char *unit = skip_blanks(end);
        size_t len = (size_t)(unit - s) + strcspn(unit, " ");
        if (*unit == '\0' || strchr("+-.0123456789", *unit)) /* no unit: the text ends, or another number follows */
            len = (size_t)(end - s);
        if (len >= sizeof one)
            return -1;
        memcpy(one, s, len);
        one[len] = '\0';
        if (wsk_parse_quantity(one, dim, &out[count], currency, &at, &means) != WSK_UNIT_OK || !isfinite(out[count]))
            return -1;
        count++;
        s += len;
    }
    return count;
}
