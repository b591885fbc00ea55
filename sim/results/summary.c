/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/results/summary.h"

struct wsk_summary {
    wsk_arena *arena; /* also holds the summary itself */
    bool failed;
    /* column: column of each result in the table of its scope; columns: number of columns of each scope */
    int column[WSK_RESULTS], columns[WSK_SCOPES];
    size_t count[WSK_SCOPES];
    wsk_value *values[WSK_SCOPES]; /* one table for each scope: [member][column] */
};

static wsk_value unknown_value(const wsk_result_row *row)
{
    bool absent = row->shown == WSK_SHOWN_IF_SO || row->shown == WSK_SHOWN_LATE || row->scope == WSK_SCOPE_COMPARED;
    wsk_value_state state = absent                        ? WSK_VALUE_ABSENT
                            : row->type == WSK_IS_MEMBERS ? WSK_VALUE_KNOWN
                                                          : WSK_VALUE_NULL;
    return (wsk_value){.state = state, .number = NAN};
}

static wsk_status fail_summary(wsk_summary *s)
{
    wsk_summary_fail(s);
    return WSK_ENOMEM;
}

wsk_status wsk_summary_members(wsk_summary *s, wsk_scope scope, size_t count)
{
    size_t columns = (size_t)s->columns[scope];
    wsk_value *values = wsk_alloc(s->arena, (count * columns + 1) * sizeof *values);
    if (!values)
        return fail_summary(s);
    for (int r = 0; r < WSK_RESULTS; r++) {
        const wsk_result_row *row = wsk_result_about((wsk_result)r);
        for (size_t i = 0; row->scope == scope && i < count; i++)
            values[i * columns + (size_t)s->column[r]] = unknown_value(row);
    }
    s->values[scope] = values;
    s->count[scope] = count;
    return WSK_OK;
}

wsk_status wsk_summary_new(wsk_summary **out)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_summary *s = arena ? wsk_alloc(arena, sizeof *s) : NULL;
    *out = NULL;
    if (!s) {
        wsk_arena_free(arena);
        return WSK_ENOMEM;
    }
    s->arena = arena;
    for (int r = 0; r < WSK_RESULTS; r++)
        s->column[r] = s->columns[wsk_result_about((wsk_result)r)->scope]++;
    static const wsk_scope once[] = {WSK_SCOPE_RIG, WSK_SCOPE_COMPARED, WSK_SCOPE_COMPARISON};
    for (size_t i = 0; i < sizeof once / sizeof *once; i++)
        if (wsk_summary_members(s, once[i], 1) != WSK_OK) {
            wsk_arena_free(arena);
            return WSK_ENOMEM;
        }
    *out = s;
    return WSK_OK;
}

void wsk_summary_free(wsk_summary *summary)
{
    if (summary)
        wsk_arena_free(summary->arena);
}

void wsk_summaries_free(wsk_summary **summaries, size_t count)
{
    for (size_t i = 0; summaries && i < count; i++)
        wsk_summary_free(summaries[i]);
    wsk_buf b = {.data = (char *)summaries};
    wsk_buf_free(&b);
}

void wsk_summary_fail(wsk_summary *s)
{
    s->failed = true;
}

bool wsk_summary_failed(const wsk_summary *s)
{
    return s->failed;
}

static wsk_value *find_value(const wsk_summary *s, wsk_result result, size_t member)
{
    const wsk_result_row *row = wsk_result_about(result);
    if (!row || member >= s->count[row->scope])
        return NULL;
    return &s->values[row->scope][member * (size_t)s->columns[row->scope] + (size_t)s->column[result]];
}

const wsk_value *wsk_summary_value(const wsk_summary *s, wsk_result result, size_t member)
{
    return find_value(s, result, member);
}

size_t wsk_summary_count(const wsk_summary *s, wsk_scope scope)
{
    return (size_t)scope < WSK_SCOPES ? s->count[scope] : 0;
}

static const wsk_value *find_known(const wsk_summary *s, wsk_result result, size_t member, wsk_result_type type)
{
    const wsk_value *v = find_value(s, result, member);
    return v && v->state == WSK_VALUE_KNOWN && wsk_result_about(result)->type == type ? v : NULL;
}

bool wsk_summary_known(const wsk_summary *s, wsk_result result, size_t member)
{
    const wsk_value *v = find_value(s, result, member);
    return v && v->state == WSK_VALUE_KNOWN;
}

bool wsk_summary_shown(const wsk_summary *s, wsk_result result, size_t member)
{
    const wsk_value *v = find_value(s, result, member);
    return v && v->state != WSK_VALUE_ABSENT;
}

double wsk_summary_number(const wsk_summary *s, wsk_result result, size_t member)
{
    const wsk_value *v = find_known(s, result, member, WSK_IS_NUMBER);
    v = v ? v : find_known(s, result, member, WSK_IS_FLAG);
    return v ? v->number : NAN;
}

bool wsk_summary_flag(const wsk_summary *s, wsk_result result, size_t member)
{
    const wsk_value *v = find_known(s, result, member, WSK_IS_FLAG);
    return v && v->number > 0;
}

const char *wsk_summary_text(const wsk_summary *s, wsk_result result, size_t member)
{
    const wsk_value *v = find_known(s, result, member, WSK_IS_TEXT);
    return v ? v->text : NULL;
}

const char *const *wsk_summary_texts(const wsk_summary *s, wsk_result result, size_t member, size_t *count)
{
    const wsk_value *v = find_known(s, result, member, WSK_IS_TEXTS);
    *count = v ? (size_t)v->number : 0;
    return v ? v->texts : NULL;
}

const wsk_said *const *wsk_summary_messages(const wsk_summary *s, wsk_result result, size_t member, size_t *count)
{
    const wsk_value *v = find_known(s, result, member, WSK_IS_MESSAGES);
    *count = v ? (size_t)v->number : 0;
    return v ? v->messages : NULL;
}

double wsk_summary_wall_w(const wsk_summary *s)
{
    return wsk_summary_number(s, WSK_R_WALL_KWH, 0) * 3.6e6 / wsk_summary_number(s, WSK_R_SIMULATED, 0);
}

double wsk_summary_over(const wsk_summary *s, wsk_result result, wsk_over over)
{
    const wsk_result_row *row = wsk_result_about(result);
    double most = NAN, least = NAN, sum = 0, known = 0;
    if (!row)
        return NAN;
    over = over == WSK_OVER_NONE ? row->over : over;
    for (size_t i = 0; i < s->count[row->scope]; i++) {
        double v = wsk_summary_number(s, result, i);
        if (isnan(v))
            continue;
        most = fmax(most, v);
        least = fmin(least, v);
        sum += v;
        known++;
    }
    if (!(known > 0))
        return NAN;
    switch (over) {
    case WSK_OVER_MIN: return least;
    case WSK_OVER_MEAN: return sum / known;
    case WSK_OVER_SUM: return sum;
    default: return most;
    }
}

static wsk_value *find_to_set(wsk_summary *s, wsk_result result, size_t member, wsk_result_type type)
{
    return (size_t)result < WSK_RESULTS && wsk_result_about(result)->type == type ? find_value(s, result, member)
                                                                                  : NULL;
}

wsk_status wsk_summary_set_null(wsk_summary *s, wsk_result result, size_t member)
{
    wsk_value *v = find_value(s, result, member);
    if (!v)
        return WSK_EUSAGE;
    *v = (wsk_value){.state = WSK_VALUE_NULL, .number = NAN};
    return WSK_OK;
}

wsk_status wsk_summary_set_number(wsk_summary *s, wsk_result result, size_t member, double value)
{
    wsk_value *v = find_to_set(s, result, member, WSK_IS_NUMBER);
    if (!v)
        return WSK_EUSAGE;
    value += 0.0; /* turns -0 into 0, so that the value equals the one that is read back from a file */
    *v = isfinite(value) ? (wsk_value){.state = WSK_VALUE_KNOWN, .number = value}
                         : (wsk_value){.state = WSK_VALUE_NULL, .number = NAN};
    return WSK_OK;
}

wsk_status wsk_summary_set_flag(wsk_summary *s, wsk_result result, size_t member, bool value)
{
    wsk_value *v = find_to_set(s, result, member, WSK_IS_FLAG);
    if (!v)
        return WSK_EUSAGE;
    *v = (wsk_value){.state = WSK_VALUE_KNOWN, .number = value};
    return WSK_OK;
}

wsk_status wsk_summary_set_text(wsk_summary *s, wsk_result result, size_t member, const char *value)
{
    wsk_value *v = find_to_set(s, result, member, WSK_IS_TEXT);
    if (!v)
        return WSK_EUSAGE;
    const char *text = value ? wsk_strdup(s->arena, value) : NULL;
    if (value && !text)
        return fail_summary(s);
    *v = (wsk_value){.state = text ? WSK_VALUE_KNOWN : WSK_VALUE_NULL, .number = NAN, .text = text};
    return WSK_OK;
}

wsk_status wsk_summary_set_texts(wsk_summary *s, wsk_result result, size_t member, const char *const *texts,
                                 size_t count)
{
    wsk_value *v = find_to_set(s, result, member, WSK_IS_TEXTS);
    if (!v)
        return WSK_EUSAGE;
    const char **copy = wsk_alloc(s->arena, (count + 1) * sizeof *copy);
    bool ok = copy != NULL;
    for (size_t i = 0; ok && i < count; i++)
        ok = (copy[i] = wsk_strdup(s->arena, texts[i])) != NULL;
    if (!ok)
        return fail_summary(s);
    *v = (wsk_value){.state = WSK_VALUE_KNOWN, .number = (double)count, .texts = copy};
    return WSK_OK;
}

wsk_status wsk_summary_set_messages(wsk_summary *s, wsk_result result, size_t member, const wsk_said *const *messages,
                                    size_t count)
{
    wsk_value *v = find_to_set(s, result, member, WSK_IS_MESSAGES);
    if (!v)
        return WSK_EUSAGE;
    const wsk_said **copy = wsk_alloc(s->arena, (count + 1) * sizeof *copy);
    bool ok = copy != NULL;
    for (size_t i = 0; ok && i < count; i++)
        ok = (copy[i] = wsk_said_keep(s->arena, messages[i])) != NULL;
    if (!ok)
        return fail_summary(s);
    *v = (wsk_value){.state = WSK_VALUE_KNOWN, .number = (double)count, .messages = copy};
    return WSK_OK;
}

wsk_status wsk_summary_set_list(wsk_summary *s, wsk_result result)
{
    wsk_value *v = find_to_set(s, result, 0, WSK_IS_MEMBERS);
    if (!v)
        return WSK_EUSAGE;
    v->state = WSK_VALUE_KNOWN;
    return WSK_OK;
}
