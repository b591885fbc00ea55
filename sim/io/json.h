/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON from a file that anybody may have written: the only door to json-c. Without memory json-c 0.16 itself may crash
 * while it parses; all else here reports it. */
#ifndef WSK_IO_JSON_H
#define WSK_IO_JSON_H
#include "sim/base/base.h"

/* A value of a parsed text; it lives as long as the text's root. */
typedef struct json_object wsk_json;
typedef enum {
    WSK_JSON_NULL,
    WSK_JSON_FLAG,
    WSK_JSON_NUMBER,
    WSK_JSON_TEXT,
    WSK_JSON_LIST,
    WSK_JSON_OBJECT,
    WSK_JSON_NONE,  /* no such key */
    WSK_JSON_MISFIT /* a key on the way is no object */
} wsk_json_kind;

enum { WSK_JSON_BYTES = 1 << 28, WSK_JSON_NEST = 16 };

/* WSK_EINPUT after writing into `why`: no JSON, not UTF-8, nested deeper than WSK_JSON_NEST, longer than
 * WSK_JSON_BYTES, or NaN and the like, which JSON has not. Free the root with wsk_json_free. */
wsk_status wsk_json_parse(wsk_json **root, const char *text, size_t len, wsk_buf *why);
void wsk_json_free(wsk_json *root);

/* The value at a path of keys, "energy.wall_kwh"; *kind says what it is. Of a null value the result is NULL, too. */
const wsk_json *wsk_json_at(const wsk_json *object, const char *path, wsk_json_kind *kind);
/* False: no number, or one beyond a double. */
bool wsk_json_as_number(const wsk_json *value, double *number);
bool wsk_json_as_flag(const wsk_json *value);
/* NULL: no text, or one with a NUL in it. */
const char *wsk_json_as_text(const wsk_json *value);
size_t wsk_json_length(const wsk_json *list);
const wsk_json *wsk_json_item(const wsk_json *list, size_t i, wsk_json_kind *kind);

#endif
