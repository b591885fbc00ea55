/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "sim/base/json.h"
#include "sim/results/read.h"

enum { MEMBERS_MOST = 100000 };

typedef struct {
    wsk_summary *s;
    wsk_diags *mistakes;
} reader;

/* json-c does not say in which line a value stands, so the message names the key. */
static wsk_status refuse(wsk_diags *mistakes, const wsk_said *said)
{
    wsk_diag_add(mistakes, WSK_DIAG_ERROR, NULL, 0, 0, said);
    return WSK_EINPUT;
}

static const wsk_code expected[] = {
    [WSK_IS_NUMBER] = WSK_SAY_RESULTS_NUMBER,     [WSK_IS_TEXT] = WSK_SAY_RESULTS_TEXT,
    [WSK_IS_FLAG] = WSK_SAY_RESULTS_FLAG,         [WSK_IS_TEXTS] = WSK_SAY_RESULTS_TEXTS,
    [WSK_IS_MESSAGES] = WSK_SAY_RESULTS_MESSAGES, [WSK_IS_MEMBERS] = WSK_SAY_RESULTS_MEMBERS};

static wsk_status refuse_value(const reader *r, wsk_result result, wsk_result_type type)
{
    char name[96];
    wsk_result_name(result, name, sizeof name);
    return refuse(r->mistakes,
                  WSK_SAID(WSK_SAY_RESULTS_VALUE, (const char *)name, &(const wsk_said){.code = expected[type]}));
}

static wsk_status refuse_many(const reader *r, wsk_result result)
{
    char name[96];
    wsk_result_name(result, name, sizeof name);
    return refuse(r->mistakes, WSK_SAID(WSK_SAY_RESULTS_MANY, (const char *)name, MEMBERS_MOST));
}

static wsk_status read_number(const reader *r, wsk_result result, size_t member, const wsk_json *value)
{
    double number;
    return wsk_json_as_number(value, &number) ? wsk_summary_set_number(r->s, result, member, number)
                                              : refuse_value(r, result, WSK_IS_NUMBER);
}

static wsk_status read_text(const reader *r, wsk_result result, size_t member, const wsk_json *value)
{
    const char *text = wsk_json_as_text(value);
    return text ? wsk_summary_set_text(r->s, result, member, text) : refuse_value(r, result, WSK_IS_TEXT);
}

static wsk_status read_texts(const reader *r, wsk_result result, size_t member, const wsk_json *list)
{
    size_t count = wsk_json_length(list);
    const char **texts = malloc((count + 1) * sizeof *texts);
    wsk_status status = texts ? WSK_OK : WSK_ENOMEM;
    for (size_t i = 0; status == WSK_OK && i < count; i++) {
        wsk_json_kind kind;
        texts[i] = wsk_json_as_text(wsk_json_item(list, i, &kind));
        status = texts[i] ? WSK_OK : refuse_value(r, result, WSK_IS_TEXTS);
    }
    if (status == WSK_OK)
        status = wsk_summary_set_texts(r->s, result, member, texts, count);
    free(texts);
    return status;
}

static wsk_status read_messages(const reader *r, wsk_result result, size_t member, const wsk_json *list)
{
    size_t count = wsk_json_length(list);
    wsk_arena *arena = wsk_arena_new();
    const wsk_said **messages = arena ? wsk_alloc(arena, (count + 1) * sizeof *messages) : NULL;
    wsk_status status = messages ? WSK_OK : WSK_ENOMEM;
    for (size_t i = 0; status == WSK_OK && i < count; i++) {
        wsk_json_kind kind;
        const wsk_json *message = wsk_json_item(list, i, &kind);
        status = wsk_message_read(&messages[i], arena, message, kind);
        if (status == WSK_EINPUT)
            status = refuse_value(r, result, WSK_IS_MESSAGES);
    }
    if (status == WSK_OK)
        status = wsk_summary_set_messages(r->s, result, member, messages, count);
    wsk_arena_free(arena);
    return status;
}

static wsk_status read_scope(const reader *r, wsk_scope scope, size_t member, const wsk_json *object);

static wsk_status read_members(const reader *r, wsk_result result, const wsk_json *list)
{
    wsk_scope scope = wsk_result_about(result)->members;
    size_t count = wsk_json_length(list);
    if (count > MEMBERS_MOST)
        return refuse_many(r, result);
    wsk_status status = wsk_summary_set_list(r->s, result);
    if (status == WSK_OK)
        status = wsk_summary_members(r->s, scope, count);
    for (size_t i = 0; status == WSK_OK && i < count; i++) {
        wsk_json_kind kind;
        const wsk_json *member = wsk_json_item(list, i, &kind);
        status = kind == WSK_JSON_OBJECT ? read_scope(r, scope, i, member) : refuse_value(r, result, WSK_IS_MEMBERS);
    }
    return status;
}

static bool in_null_object(const char *key, const wsk_json *object)
{
    char parent[96];
    wsk_json_kind kind;
    const char *dot = strrchr(key, '.');
    if (!dot || (size_t)(dot - key) >= sizeof parent)
        return false;
    memcpy(parent, key, (size_t)(dot - key));
    parent[dot - key] = '\0';
    wsk_json_at(object, parent, &kind);
    return kind == WSK_JSON_NULL;
}

static wsk_status read_row(const reader *r, wsk_result result, size_t member, const wsk_json *object)
{
    static const wsk_json_kind kinds[] = {
        [WSK_IS_NUMBER] = WSK_JSON_NUMBER, [WSK_IS_TEXT] = WSK_JSON_TEXT,     [WSK_IS_FLAG] = WSK_JSON_FLAG,
        [WSK_IS_TEXTS] = WSK_JSON_LIST,    [WSK_IS_MESSAGES] = WSK_JSON_LIST, [WSK_IS_MEMBERS] = WSK_JSON_LIST};
    const wsk_result_row *row = wsk_result_about(result);
    wsk_json_kind kind;
    const wsk_json *value = wsk_json_at(object, row->key, &kind);
    if (kind == WSK_JSON_NONE)
        return WSK_OK;
    if (kind == WSK_JSON_NULL && row->shown == WSK_SHOWN_IF_SO && in_null_object(row->key, object))
        return WSK_OK;
    if (kind == WSK_JSON_NULL)
        return wsk_summary_set_null(r->s, result, member);
    if (kind != kinds[row->type])
        return refuse_value(r, result, row->type);
    switch (row->type) {
    case WSK_IS_NUMBER: return read_number(r, result, member, value);
    case WSK_IS_FLAG: return wsk_summary_set_flag(r->s, result, member, wsk_json_as_flag(value));
    case WSK_IS_TEXT: return read_text(r, result, member, value);
    case WSK_IS_TEXTS: return read_texts(r, result, member, value);
    case WSK_IS_MESSAGES: return read_messages(r, result, member, value);
    default: return read_members(r, result, value);
    }
}

static wsk_status read_scope(const reader *r, wsk_scope scope, size_t member, const wsk_json *object)
{
    wsk_status status = WSK_OK;
    for (int k = 0; status == WSK_OK && k < WSK_RESULTS; k++)
        if (wsk_result_about((wsk_result)k)->scope == scope)
            status = read_row(r, (wsk_result)k, member, object);
    return status;
}

static wsk_status read_case(wsk_summary **out, const wsk_json *head, const wsk_json *object, wsk_diags *mistakes)
{
    wsk_status status = wsk_summary_new(out);
    if (status != WSK_OK)
        return status;
    reader r = {.s = *out, .mistakes = mistakes};
    status = read_scope(&r, WSK_SCOPE_RIG, 0, object);
    if (status == WSK_OK)
        status = read_scope(&r, WSK_SCOPE_COMPARED, 0, object);
    if (status == WSK_OK && head != object)
        status = read_scope(&r, WSK_SCOPE_COMPARISON, 0, head);
    return status;
}

static wsk_status read_cases(wsk_summary ***out, size_t *count, const wsk_json *root, wsk_diags *mistakes)
{
    wsk_json_kind kind, rig;
    const wsk_json *cases = wsk_json_at(root, WSK_COMPARED_KEY, &kind);
    /* "cases" lists compared cases in compare.json, but chassis in summary.json, which alone has "rig" at the top. */
    wsk_json_at(root, "rig", &rig);
    bool one = rig != WSK_JSON_NONE || kind != WSK_JSON_LIST;
    size_t n = one ? 1 : wsk_json_length(cases);
    if (n > MEMBERS_MOST)
        return refuse(mistakes, WSK_SAID(WSK_SAY_RESULTS_MANY, WSK_COMPARED_KEY, MEMBERS_MOST));
    wsk_summary **all = calloc(n + 1, sizeof *all);
    wsk_status status = all ? WSK_OK : WSK_ENOMEM;
    for (size_t i = 0; status == WSK_OK && i < n; i++) {
        kind = WSK_JSON_OBJECT;
        const wsk_json *object = one ? root : wsk_json_item(cases, i, &kind);
        status = kind == WSK_JSON_OBJECT ? read_case(&all[i], root, object, mistakes)
                                         : refuse(mistakes, WSK_SAID(WSK_SAY_RESULTS_VALUE, WSK_COMPARED_KEY,
                                                                     WSK_SAID(WSK_SAY_RESULTS_MEMBERS)));
    }
    if (status != WSK_OK) {
        wsk_summaries_free(all, n);
        return status;
    }
    *out = all;
    *count = n;
    return WSK_OK;
}

wsk_status wsk_results_read(wsk_summary ***out, size_t *count, const char *text, size_t len, wsk_diags *mistakes)
{
    wsk_json *root;
    *out = NULL;
    *count = 0;
    wsk_status status = wsk_json_parse(&root, text, len, mistakes);
    if (status == WSK_OK)
        status = read_cases(out, count, root, mistakes);
    wsk_json_free(root);
    return status;
}
