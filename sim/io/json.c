/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <json-c/json.h>
#include <string.h>

#include "sim/io/json.h"

/* Casts away const: json-c's reading functions lack it. */
static struct json_object *readable(const wsk_json *value)
{
    union {
        const wsk_json *seen;
        struct json_object *read;
    } u = {.seen = value};
    return u.read;
}

static wsk_status explain_failure(wsk_status status, wsk_buf *why, const char *what, size_t at)
{
    wsk_buf_printf(why, "no summary in JSON: %s at byte %zu", what, at);
    return status;
}

wsk_status wsk_json_parse(wsk_json **root, const char *text, size_t len, wsk_buf *why)
{
    *root = NULL;
    if (len > WSK_JSON_BYTES)
        return explain_failure(WSK_EINPUT, why, "too long", (size_t)WSK_JSON_BYTES);
    struct json_tokener *tok = json_tokener_new_ex(WSK_JSON_NEST);
    if (!tok)
        return WSK_ENOMEM;
    json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    struct json_object *parsed = json_tokener_parse_ex(tok, text, (int)len);
    enum json_tokener_error error = json_tokener_get_error(tok);
    size_t end = json_tokener_get_parse_end(tok);
    json_tokener_free(tok);
    while (error == json_tokener_success && end < len && strchr(" \t\r\n", text[end]) && text[end])
        end++;
    if (error == json_tokener_success && end == len && json_object_is_type(parsed, json_type_object)) {
        *root = parsed;
        return WSK_OK;
    }
    json_object_put(parsed);
    return explain_failure(WSK_EINPUT, why,
                           error == json_tokener_continue  ? "the text ends too early"
                           : error != json_tokener_success ? json_tokener_error_desc(error)
                           : end < len                     ? "something follows the object"
                                                           : "not an object",
                           end);
}

void wsk_json_free(wsk_json *root)
{
    json_object_put(root);
}

static wsk_json_kind kind_of(const wsk_json *value)
{
    switch (json_object_get_type(value)) {
    case json_type_boolean: return WSK_JSON_FLAG;
    case json_type_int:
    case json_type_double: return WSK_JSON_NUMBER;
    case json_type_string: return WSK_JSON_TEXT;
    case json_type_array: return WSK_JSON_LIST;
    case json_type_object: return WSK_JSON_OBJECT;
    default: return WSK_JSON_NULL;
    }
}

const wsk_json *wsk_json_at(const wsk_json *object, const char *path, wsk_json_kind *kind)
{
    const wsk_json *at = object;
    *kind = WSK_JSON_NONE;
    while (json_object_is_type(at, json_type_object)) {
        char key[64];
        struct json_object *member;
        size_t len = strcspn(path, ".");
        if (len >= sizeof key)
            return NULL;
        memcpy(key, path, len);
        key[len] = '\0';
        if (!json_object_object_get_ex(at, key, &member))
            return NULL;
        if (!path[len]) {
            *kind = kind_of(member);
            return member;
        }
        path += len + 1;
        at = member;
    }
    *kind = at ? WSK_JSON_MISFIT : WSK_JSON_NULL; /* members of an object that is null count as null */
    return NULL;
}

/* Reads the number's original text, so that the locale does not matter. */
bool wsk_json_as_number(const wsk_json *value, double *number)
{
    const char *text = kind_of(value) == WSK_JSON_NUMBER ? json_object_get_string(readable(value)) : NULL, *end;
    return text && wsk_parse_number(text, &end, number) && *end == '\0';
}

bool wsk_json_as_flag(const wsk_json *value)
{
    return json_object_get_boolean(value);
}

const char *wsk_json_as_text(const wsk_json *value)
{
    const char *text = kind_of(value) == WSK_JSON_TEXT ? json_object_get_string(readable(value)) : NULL;
    return text && strlen(text) == (size_t)json_object_get_string_len(value) ? text : NULL;
}

size_t wsk_json_length(const wsk_json *list)
{
    return json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
}

const wsk_json *wsk_json_item(const wsk_json *list, size_t i, wsk_json_kind *kind)
{
    const wsk_json *item = json_object_array_get_idx(list, i);
    *kind = kind_of(item);
    return item;
}
