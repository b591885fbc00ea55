/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "sim/base/base.h"

#define IS_BAND true
#define IS_EXACT false
#define TYPE(type) ((type) > WSK_IS_MEMBERS ? WSK_IS_MEMBERS : (type))
#define MEMBERS(type) ((type) > WSK_IS_MEMBERS ? (wsk_scope)((type)-WSK_IS_MEMBERS) : WSK_SCOPE_RIG)
#define ROW(NAME, SCOPE, IS, KEY, LABEL, UNIT, DIGITS, BETTER, OVER, HAS, SHOWN, LINE) \
    {.scope = WSK_SCOPE_##SCOPE, \
     .type = TYPE(WSK_IS_##IS), \
     .members = MEMBERS(WSK_IS_##IS), \
     .name = #NAME, \
     .key = KEY, \
     .label = LABEL, \
     .unit = UNIT, \
     .digits = DIGITS, \
     .better = WSK_BETTER_##BETTER, \
     .over = WSK_OVER_##OVER, \
     .band = IS_##HAS, \
     .shown = WSK_SHOWN_##SHOWN, \
     .line = LINE},
static const wsk_result_row rows[WSK_RESULTS] = {WSK_RESULT_LIST(ROW)};

const wsk_result_row *wsk_result_about(wsk_result result)
{
    return (size_t)result < WSK_RESULTS ? &rows[result] : NULL;
}

const char *wsk_result_brief(wsk_result result)
{
#define X(NAME, TEXT) [WSK_R_##NAME] = TEXT,
    static const char *const briefs[WSK_RESULTS] = {
#include "sim/results/briefs.def"
    };
#undef X
    const wsk_result_row *row = wsk_result_about(result);
    return !row ? "" : briefs[result] ? briefs[result] : row->label;
}

static const wsk_result_row *find_list(wsk_scope scope)
{
    for (int r = 0; r < WSK_RESULTS; r++)
        if (rows[r].type == WSK_IS_MEMBERS && rows[r].members == scope)
            return &rows[r];
    return NULL;
}

int wsk_result_name(wsk_result result, char *out, size_t size)
{
    const wsk_result_row *row = wsk_result_about(result), *list = row ? find_list(row->scope) : NULL;
    if (!row)
        return snprintf(out, size, "%s", "");
    return snprintf(out, size, "%s%s%s", list ? list->key : "", list ? "." : "", row->key);
}

static bool read_index(const char **at, long *index)
{
    enum { MOST = 100000 };
    const char *p = *at + 1;
    long n = 0;
    if (**at != '[' || *p < '0' || *p > '9')
        return false;
    for (; *p >= '0' && *p <= '9' && n <= MOST; p++)
        n = 10 * n + (*p - '0');
    if (*p != ']' || n > MOST)
        return false;
    *at = p + 1;
    *index = n;
    return true;
}

/* True if the `len` bytes at `name` name this row. *member is then the index in brackets; without one, -1 (all
 * members) or, for a result outside lists, 0. */
static bool name_fits(const wsk_result_row *row, const char *name, size_t len, long *member)
{
    const size_t key = strlen(row->key);
    if (row->type != WSK_IS_TEXTS && (len < key || memcmp(name + len - key, row->key, key) != 0))
        return false;
    const wsk_result_row *list = find_list(row->scope);
    const char *at = name;
    *member = list ? -1 : 0;
    if (list) {
        size_t n = strlen(list->key);
        if (len <= n || memcmp(name, list->key, n) != 0)
            return false;
        at = name + n;
        if (*at == '[' && !read_index(&at, member))
            return false;
        if (*at++ != '.')
            return false;
    }
    size_t left = len - (size_t)(at - name);
    if ((size_t)(at - name) > len || left < key || memcmp(at, row->key, key) != 0)
        return false;
    if (row->type != WSK_IS_TEXTS)
        return left == key;
    at += key;
    return !list && read_index(&at, member) && (size_t)(at - name) == len;
}

static size_t take_function(const char **name, wsk_over *over)
{
    static const struct {
        const char *word;
        wsk_over over;
    } functions[] = {
        {"max(", WSK_OVER_MAX}, {"min(", WSK_OVER_MIN}, {"mean(", WSK_OVER_MEAN}, {"sum(", WSK_OVER_SUM}};
    size_t len = strlen(*name);
    *over = WSK_OVER_NONE;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        size_t word = strlen(functions[i].word);
        if (len > word && !strncmp(*name, functions[i].word, word) && (*name)[len - 1] == ')') {
            *over = functions[i].over;
            *name += word;
            return len - word - 1;
        }
    }
    return len;
}

bool wsk_result_find(wsk_result_place *out, const char *name)
{
    size_t len = take_function(&name, &out->over);
    for (int r = 0; r < WSK_RESULTS; r++)
        if (rows[r].type < WSK_IS_MESSAGES && rows[r].scope != WSK_SCOPE_COMPARISON &&
            name_fits(&rows[r], name, len, &out->member)) {
            out->result = (wsk_result)r;
            return true;
        }
    return false;
}
