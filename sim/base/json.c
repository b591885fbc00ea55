/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <json-c/json.h>
#include <string.h>

#include "sim/base/json.h"

/* Casts away const, because json-c's reading functions take pointers without const. */
static struct json_object *readable(const wsk_json *value)
{
    union {
        const wsk_json *seen;
        struct json_object *read;
    } u = {.seen = value};
    return u.read;
}

static wsk_code code_of(enum json_tokener_error error)
{
    switch (error) {
    case json_tokener_error_depth: return WSK_SAY_JSON_NESTING;
    case json_tokener_error_parse_null: return WSK_SAY_JSON_NULL;
    case json_tokener_error_parse_boolean: return WSK_SAY_JSON_BOOLEAN;
    case json_tokener_error_parse_number: return WSK_SAY_JSON_NUMBER;
    case json_tokener_error_parse_array: return WSK_SAY_JSON_ITEM_SEPARATOR;
    case json_tokener_error_parse_object_key_name: return WSK_SAY_JSON_KEY;
    case json_tokener_error_parse_object_key_sep: return WSK_SAY_JSON_KEY_SEPARATOR;
    case json_tokener_error_parse_object_value_sep: return WSK_SAY_JSON_VALUE_SEPARATOR;
    case json_tokener_error_parse_string: return WSK_SAY_JSON_STRING;
    case json_tokener_error_parse_utf8_string: return WSK_SAY_JSON_UTF8;
    default: return WSK_SAY_JSON_CHARACTER;
    }
}

/* Adds an error for the text at byte offset `at`. Its column counts bytes. */
static wsk_status refuse(wsk_diags *mistakes, const char *text, size_t at, const wsk_said *said)
{
    int line = 1, column = 1;
    for (size_t i = 0; i < at; i++) {
        line += text[i] == '\n';
        column = text[i] == '\n' ? 1 : column + 1;
    }
    wsk_diag_add(mistakes, WSK_DIAG_ERROR, NULL, line, column, said);
    return WSK_EINPUT;
}

wsk_status wsk_json_parse(wsk_json **root, const char *text, size_t len, wsk_diags *mistakes)
{
    *root = NULL;
    if (len > WSK_JSON_BYTES) {
        wsk_diag_add(mistakes, WSK_DIAG_ERROR, NULL, 0, 0, WSK_SAID(WSK_SAY_JSON_TOO_LARGE, WSK_JSON_BYTES >> 20));
        return WSK_EINPUT;
    }
    struct json_tokener *tok = json_tokener_new_ex(WSK_JSON_NEST);
    if (!tok)
        return WSK_ENOMEM;
    json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS | JSON_TOKENER_VALIDATE_UTF8);
    struct json_object *parsed = json_tokener_parse_ex(tok, text, (int)len);
    enum json_tokener_error error = json_tokener_get_error(tok);
    size_t end = json_tokener_get_parse_end(tok);
    json_tokener_free(tok);
    while (error == json_tokener_success && end < len && strchr(" \t\r\n", text[end]) && text[end])
        end++;
    bool object = json_object_is_type(parsed, json_type_object);
    if (error == json_tokener_success && end == len && object) {
        *root = parsed;
        return WSK_OK;
    }
    json_object_put(parsed);
    if (error == json_tokener_continue)
        return refuse(mistakes, text, end, WSK_SAID(WSK_SAY_JSON_ENDS));
    if (error != json_tokener_success)
        return refuse(mistakes, text, end, WSK_SAID(WSK_SAY_JSON_SYNTAX, &(const wsk_said){.code = code_of(error)}));
    return object ? refuse(mistakes, text, end, WSK_SAID(WSK_SAY_JSON_FOLLOWED))
                  : refuse(mistakes, text, 0, WSK_SAID(WSK_SAY_JSON_NO_OBJECT));
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
    *kind = at ? WSK_JSON_MISFIT : WSK_JSON_NULL; /* the members of a null object count as null */
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

void wsk_json_each(const wsk_json *object,
                   void (*visit)(void *user, const char *key, const wsk_json *value, wsk_json_kind kind), void *user)
{
    if (!json_object_is_type(object, json_type_object))
        return;
    struct json_object_iterator at = json_object_iter_begin(readable(object)), end = json_object_iter_end(object);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        const wsk_json *value = json_object_iter_peek_value(&at);
        visit(user, json_object_iter_peek_name(&at), value, kind_of(value));
    }
}
