/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages as JSON: {"code": "found.too-hot", "text": "gpu0: memory 85.4 degC, limit 85 degC", "values": ["gpu0",
 * null, {"code": "word.memory", "word": "memory"}, 85.4, 85]}. A value is a number, a text, an English word to
 * translate, a message within the message, or null. Messages that are joined pairwise, ((a, b), c), are written as
 * one list of values [a, b, c]. */
#include <math.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/results/read.h"

/* DIGITS: significant digits with which numbers are written; builds by different compilers agree to 7 digits.
 * VALUES_MOST: most values that a message may have when it is read. */
enum { DIGITS = 7, VALUES_MOST = 1000 };

static bool is_chain(wsk_code code)
{
    return code == WSK_SAY_JOINED || code == WSK_SAY_JOIN_SEMICOLON || code == WSK_SAY_JOIN_SENTENCES;
}

static void put_values(const wsk_said *said, wsk_buf *out);

static void put_number(double number, wsk_buf *out)
{
    char text[40];
    if (isfinite(number))
        wsk_print_places(text, sizeof text, number, DIGITS);
    else
        snprintf(text, sizeof text, "null");
    wsk_buf_printf(out, "%s", text);
}

static void put_inner(const wsk_said *said, wsk_buf *out)
{
    if (!said) {
        wsk_buf_printf(out, "null");
        return;
    }
    wsk_buf_printf(out, "{ \"code\": \"%s\", \"values\": [", wsk_code_name(said->code));
    put_values(said, out);
    wsk_buf_printf(out, "] }");
}

static void put_value(const wsk_arg *arg, wsk_buf *out)
{
    wsk_code word;
    switch (arg->type) {
    case WSK_ARG_NUMBER: put_number(arg->number, out); break;
    case WSK_ARG_TEXT: wsk_buf_json(out, arg->text); break;
    case WSK_ARG_WORD:
        wsk_buf_printf(out, "{ ");
        if (wsk_word_code(arg->text, &word))
            wsk_buf_printf(out, "\"code\": \"%s\", ", wsk_code_name(word));
        wsk_buf_printf(out, "\"word\": ");
        wsk_buf_json(out, arg->text);
        wsk_buf_printf(out, " }");
        break;
    case WSK_ARG_SAID: put_inner(arg->said, out); break;
    }
}

static void put_values(const wsk_said *said, wsk_buf *out)
{
    for (int i = 0; i < said->count; i++) {
        const wsk_said *inner = said->args[i].type == WSK_ARG_SAID ? said->args[i].said : NULL;
        wsk_buf_printf(out, "%s", i ? ", " : "");
        if (i == 0 && inner && inner->code == said->code && is_chain(said->code))
            put_values(inner, out);
        else
            put_value(&said->args[i], out);
    }
}

void wsk_message_write(const wsk_said *said, wsk_buf *out)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_buf_printf(out, "{ \"code\": \"%s\", \"text\": ", wsk_code_name(said->code));
    wsk_buf_json(out, arena ? wsk_said_english(arena, said) : "");
    out->failed = out->failed || wsk_arena_failed(arena);
    wsk_buf_printf(out, ", \"values\": [");
    put_values(said, out);
    wsk_buf_printf(out, "] }");
    wsk_arena_free(arena);
}

static wsk_status read_text(wsk_arg *out, wsk_arena *arena, const char *text, bool word)
{
    const char *copy = text ? wsk_strdup(arena, text) : NULL;
    *out = word ? wsk_arg_word(copy) : wsk_arg_text(copy);
    return !text ? WSK_EINPUT : copy ? WSK_OK : WSK_ENOMEM;
}

static wsk_status read_object(wsk_arg *out, wsk_arena *arena, const wsk_json *object)
{
    wsk_json_kind kind;
    const wsk_said *said;
    const wsk_json *word = wsk_json_at(object, "word", &kind);
    if (kind == WSK_JSON_TEXT)
        return read_text(out, arena, wsk_json_as_text(word), true);
    wsk_status status = wsk_message_read(&said, arena, object, WSK_JSON_OBJECT);
    *out = wsk_arg_said(said);
    return status;
}

static wsk_status read_value(wsk_arg *out, wsk_arena *arena, const wsk_json *value, wsk_json_kind kind)
{
    double number;
    switch (kind) {
    case WSK_JSON_NULL: *out = wsk_arg_said(NULL); return WSK_OK;
    case WSK_JSON_NUMBER:
        if (!wsk_json_as_number(value, &number))
            return WSK_EINPUT;
        *out = wsk_arg_number(number);
        return WSK_OK;
    case WSK_JSON_TEXT: return read_text(out, arena, wsk_json_as_text(value), false);
    case WSK_JSON_OBJECT: return read_object(out, arena, value);
    default: return WSK_EINPUT;
    }
}

static const wsk_said *fold_chain(wsk_arena *arena, wsk_code code, const wsk_arg *args, size_t count)
{
    const wsk_said *said = wsk_said_keep(arena, &(wsk_said){code, 2, args});
    for (size_t i = 2; said && i < count; i++)
        said = wsk_said_keep(arena, &(wsk_said){code, 2, (const wsk_arg[]){wsk_arg_said(said), args[i]}});
    return said;
}

static wsk_status read_values(const wsk_said **out, wsk_arena *arena, wsk_code code, const wsk_json *list)
{
    size_t count = wsk_json_length(list), wanted = (size_t)wsk_code_args(code);
    bool chain = is_chain(code) && count > wanted;
    if ((count != wanted && !chain) || count > VALUES_MOST)
        return WSK_EINPUT;
    wsk_arg *args = wsk_alloc(arena, (count + 1) * sizeof *args);
    wsk_status status = args ? WSK_OK : WSK_ENOMEM;
    for (size_t i = 0; status == WSK_OK && i < count; i++) {
        wsk_json_kind kind;
        const wsk_json *value = wsk_json_item(list, i, &kind);
        status = read_value(&args[i], arena, value, kind);
    }
    if (status != WSK_OK)
        return status;
    *out = chain ? fold_chain(arena, code, args, count) : wsk_said_keep(arena, &(wsk_said){code, (int)count, args});
    return *out ? WSK_OK : WSK_ENOMEM;
}

wsk_status wsk_message_read(const wsk_said **out, wsk_arena *arena, const wsk_json *value, wsk_json_kind kind)
{
    wsk_json_kind named, told, listed;
    wsk_code code;
    *out = NULL;
    if (kind != WSK_JSON_OBJECT)
        return WSK_EINPUT;
    const wsk_json *name = wsk_json_at(value, "code", &named), *text = wsk_json_at(value, "text", &told),
                   *list = wsk_json_at(value, "values", &listed);
    if (named != WSK_JSON_TEXT || !wsk_json_as_text(name) || listed != WSK_JSON_LIST)
        return WSK_EINPUT;
    if (wsk_code_named(wsk_json_as_text(name), &code))
        return read_values(out, arena, code, list);
    *out = WSK_SAY(arena, WSK_SAY_PLAIN, wsk_json_as_text(told == WSK_JSON_TEXT ? text : name));
    return *out ? WSK_OK : WSK_ENOMEM;
}
