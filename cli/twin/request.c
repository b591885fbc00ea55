/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads requests of clients. */
#include "cli/twin/request.h"

#include <math.h>
#include <string.h>

/* ---- requests ---- */

static const struct {
    const char *key;
    wsk_request_kind kind;
} keys[] = {{"do", WSK_REQUEST_DO},
            {"advance_s", WSK_REQUEST_ADVANCE},
            {"read", WSK_REQUEST_READ},
            {"list", WSK_REQUEST_LIST},
            {"speed", WSK_REQUEST_SPEED}};

static bool holds_names(const wsk_json *list, wsk_json_kind kind)
{
    const size_t count = kind == WSK_JSON_LIST ? wsk_json_length(list) : 0;
    for (size_t i = 0; i < count; i++)
        if (!wsk_json_as_text(wsk_json_item(list, i, &kind)))
            return false;
    return count > 0 && count <= WSK_REQUEST_NAMES;
}

/* Reads the value of the request's key. Returns why it does not fit; NULL: it does. */
static const char *read_value(wsk_request *r, const wsk_json *value, wsk_json_kind kind)
{
    switch (r->kind) {
    case WSK_REQUEST_DO: r->text = wsk_json_as_text(value); return r->text ? NULL : "\"do\" takes a text";
    case WSK_REQUEST_ADVANCE:
        return wsk_json_as_number(value, &r->number) && r->number > 0 ? NULL : "\"advance_s\" takes a number above 0";
    case WSK_REQUEST_READ:
        r->names = value;
        return holds_names(value, kind) ? NULL : "\"read\" takes a list of 1 to 4096 names";
    case WSK_REQUEST_SPEED:
        r->text = wsk_json_as_text(value);
        if (r->text && strcmp(r->text, "max") == 0) {
            r->number = INFINITY;
            return NULL;
        }
        return wsk_json_as_number(value, &r->number) ? NULL : "\"speed\" takes a number or \"max\"";
    default: return kind == WSK_JSON_FLAG && wsk_json_as_flag(value) ? NULL : "\"list\" takes true";
    }
}

/* The one key of the request that is known. Returns why there is none. */
static const char *find_key(wsk_request *r)
{
    const char *why = "a request is an object with one of do, read, advance_s, list, speed";
    bool found = false;
    wsk_json_kind kind;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const wsk_json *value = wsk_json_at(r->root, keys[i].key, &kind);
        if (kind == WSK_JSON_NONE || kind == WSK_JSON_MISFIT || !value)
            continue;
        if (found)
            return "one question a line";
        found = true;
        r->kind = keys[i].kind;
        why = read_value(r, value, kind);
    }
    return why;
}

bool wsk_request_read(wsk_request *out, const char *line, size_t len, const char **code, const char **why)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_diags mistakes;
    wsk_diags_init(&mistakes, arena);
    *out = (wsk_request){.number = NAN};
    *code = "syntax";
    const wsk_status status = wsk_json_parse(&out->root, line, len, &mistakes);
    *why = status == WSK_ENOMEM ? "out of memory" : status != WSK_OK ? "no JSON" : find_key(out);
    if (!*why && out->kind == WSK_REQUEST_ADVANCE && out->number > WSK_REQUEST_ADVANCE_S) {
        *code = "range";
        *why = "at most 86400 s at once";
    }
    if (!*why && out->kind == WSK_REQUEST_SPEED && !(out->number > 0 && (out->number <= 1e6 || isinf(out->number)))) {
        *code = "range";
        *why = "a speed is above 0 and at most 1000000, or \"max\"";
    }
    wsk_arena_free(arena);
    if (*why)
        wsk_request_free(out);
    return !*why;
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

/* ---- orders ---- */

/* In the order of wsk_order_event. */
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
        /* A number, blanks, and its unit up to the next blank. */
        char one[64], currency[8];
        const char *end;
        double number;
        size_t at;
        wsk_dim means;
        if (count == most || !wsk_parse_number(s, &end, &number))
            return -1;
        const char *unit = skip_blanks(end);
        size_t len = (size_t)(unit - s) + strcspn(unit, " ");
        if (*unit == '\0' || strchr("+-.0123456789", *unit)) /* no unit: another number follows */
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
