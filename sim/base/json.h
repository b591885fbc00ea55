/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads JSON from files of any origin; only json.c includes json-c. json-c 0.16 itself may crash when memory runs out
 * while it parses; all other failures are reported. */
#ifndef WSK_BASE_JSON_H
#define WSK_BASE_JSON_H
#include "sim/base/said.h"

/* A value of a parsed text; it lives as long as the root of the text. */
typedef struct json_object wsk_json;
typedef enum {
    WSK_JSON_NULL,
    WSK_JSON_FLAG,
    WSK_JSON_NUMBER,
    WSK_JSON_TEXT,
    WSK_JSON_LIST,
    WSK_JSON_OBJECT,
    WSK_JSON_NONE,
    WSK_JSON_MISFIT /* the path leads through a value that is no object and so has no keys */
} wsk_json_kind;

enum { WSK_JSON_BYTES = 1 << 28, WSK_JSON_NEST = 16 };

/* WSK_EINPUT, with the mistake and its line and column in `mistakes`: the text is no JSON object, is not UTF-8, nests
 * deeper than WSK_JSON_NEST, is longer than WSK_JSON_BYTES, or contains NaN or infinity, which JSON lacks. Free the
 * root with wsk_json_free. */
wsk_status wsk_json_parse(wsk_json **root, const char *text, size_t len, wsk_diags *mistakes);
void wsk_json_free(wsk_json *root);

/* The value at a path of keys, such as "energy.wall_kwh"; *kind is its kind. NULL: there is no such value, or the
 * value is null. */
const wsk_json *wsk_json_at(const wsk_json *object, const char *path, wsk_json_kind *kind);
bool wsk_json_as_number(const wsk_json *value, double *number);
bool wsk_json_as_flag(const wsk_json *value);
/* A text; NULL: the value is no text, or contains a NUL. */
const char *wsk_json_as_text(const wsk_json *value);
size_t wsk_json_length(const wsk_json *list);
const wsk_json *wsk_json_item(const wsk_json *list, size_t i, wsk_json_kind *kind);
void wsk_json_each(const wsk_json *object,
                   void (*visit)(void *user, const char *key, const wsk_json *value, wsk_json_kind kind), void *user);

#endif
