/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sweep/inner.h"

/* Results that are stored only if --columns names them: version, real time of the run, verdict and advice. */
static bool is_of_no_case(wsk_result r)
{
    static const wsk_result none[] = {WSK_R_VERSION, WSK_R_WALL_CLOCK, WSK_R_VERDICT, WSK_R_ADVICE,
                                      WSK_R_ADVICE_BASIS};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (none[i] == r)
            return true;
    return false;
}

/* NPV and payback compare with the first case, so money.c computes them when all cases have run. */
static bool is_of_all_cases(wsk_result r)
{
    return r == WSK_R_NPV || r == WSK_R_PAYBACK;
}

/* True if the members of a scope are parts of the rig, which exist before the run. Months and periods of a bill appear
 * during the run. */
static bool is_unit(wsk_scope scope)
{
    return scope == WSK_SCOPE_GPU || scope == WSK_SCOPE_PSU || scope == WSK_SCOPE_CASE || scope == WSK_SCOPE_LOOP ||
           scope == WSK_SCOPE_FAN || scope == WSK_SCOPE_CIRCUIT;
}

static bool is_value(const wsk_result_row *row)
{
    return row->type == WSK_IS_NUMBER || row->type == WSK_IS_TEXT || row->type == WSK_IS_FLAG;
}

/* True if the values of all members (cards, PSUs) can be combined to one, such as their maximum. Texts and slot numbers
 * have no meaningful maximum. */
static bool is_united(const wsk_result_row *row, wsk_over over)
{
    return row->type != WSK_IS_TEXT &&
           (row->scope == WSK_SCOPE_RIG || row->over != WSK_OVER_NONE || over != WSK_OVER_NONE);
}

/* True if a run of this rig may produce the result, although the summary before the run lacks its key. */
static bool comes_later(const wsk_summary *s, wsk_result r)
{
    const wsk_result_row *row = wsk_result_about(r);
    return row->shown == WSK_SHOWN_LATE || (row->scope == WSK_SCOPE_RIG && row->type == WSK_IS_TEXTS) ||
           is_of_all_cases(r) || (row->scope == WSK_SCOPE_MONTH && wsk_summary_shown(s, WSK_R_MONTHS, 0)) ||
           (row->scope == WSK_SCOPE_PERIOD && wsk_summary_shown(s, WSK_R_PERIODS, 0));
}

void wsk_sweep_learn(wsk_sweep_keys *keys, const wsk_summary *s)
{
    for (int scope = 0; scope < WSK_SCOPES; scope++) {
        size_t count = wsk_summary_count(s, (wsk_scope)scope);
        keys->members[scope] = count > keys->members[scope] ? count : keys->members[scope];
    }
    for (int r = 0; r < WSK_RESULTS; r++) {
        wsk_scope scope = wsk_result_about((wsk_result)r)->scope;
        keys->any[r] = keys->any[r] || comes_later(s, (wsk_result)r);
        for (size_t i = 0; i < wsk_summary_count(s, scope); i++) {
            bool shown = wsk_summary_shown(s, (wsk_result)r, i);
            keys->any[r] = keys->any[r] || shown;
            if (i < WSK_SWEEP_UNITS_MAX)
                keys->of[r][i] = keys->of[r][i] || shown;
        }
    }
}

static char *name_result(wsk_result r)
{
    char name[96];
    wsk_result_name(r, name, sizeof name);
    return wsk_cli_format("%s", name);
}

static void push_united(const wsk_sweep_keys *keys, wsk_cli_list *names)
{
    for (int r = 0; r < WSK_RESULTS; r++) {
        const wsk_result_row *row = wsk_result_about((wsk_result)r);
        if (keys->any[r] && is_unit(row->scope) && is_value(row) && is_united(row, WSK_OVER_NONE))
            wsk_cli_push(names, name_result((wsk_result)r));
    }
}

static void push_members(const wsk_sweep_keys *keys, const wsk_result_row *list, wsk_cli_list *names)
{
    for (size_t i = 0; i < keys->members[list->members] && i < WSK_SWEEP_UNITS_MAX; i++)
        for (int r = 0; r < WSK_RESULTS; r++) {
            const wsk_result_row *row = wsk_result_about((wsk_result)r);
            if (row->scope == list->members && is_value(row) && keys->of[r][i])
                wsk_cli_push(names, wsk_cli_format("%s[%zu].%s", list->key, i, row->key));
        }
}

static void push_single(const wsk_sweep_keys *keys, wsk_cli_list *names)
{
    for (int r = 0; r < WSK_RESULTS; r++) {
        const wsk_result_row *row = wsk_result_about((wsk_result)r);
        if (row->type == WSK_IS_MEMBERS && is_unit(row->members))
            push_members(keys, row, names);
    }
}

/* Appends the names of results of the rig as a whole. late true: only results of an event, such as a failure, which the
 * summary lacks until the event happens; false: only the others. */
static void push_rig(const wsk_sweep_keys *keys, bool late, wsk_cli_list *names)
{
    for (int r = 0; r < WSK_RESULTS; r++) {
        const wsk_result_row *row = wsk_result_about((wsk_result)r);
        bool ours = row->scope == WSK_SCOPE_RIG && is_value(row) && keys->any[r];
        if (ours && (row->shown == WSK_SHOWN_LATE) == late)
            wsk_cli_push(names, name_result((wsk_result)r));
    }
}

static bool take_function(const char *name, char **key)
{
    size_t len = strlen(name);
    const char *open = strchr(name, '(');
    bool has = open && len && name[len - 1] == ')';
    *key = has ? wsk_cli_format("%.*s", (int)(name + len - 2 - open), open + 1) : wsk_cli_format("%s", name);
    return has;
}

static void hint_at_name(const wsk_sweep_keys *keys, const char *name, char *hint, size_t size)
{
    wsk_cli_list names = {0};
    char *key;
    bool united = take_function(name, &key);
    push_united(keys, &names);
    if (!united) {
        wsk_cli_push(&names, name_result(WSK_R_NPV));
        wsk_cli_push(&names, name_result(WSK_R_PAYBACK));
        push_rig(keys, false, &names);
        push_rig(keys, true, &names);
        push_single(keys, &names);
    }
    wsk_cli_push(&names, NULL);
    wsk_hint_key(hint, size, key, names.items);
    wsk_cli_list_free(&names, 0);
    free(key);
}

bool wsk_sweep_known(const wsk_sweep_keys *keys, const char *name, char *hint, size_t size)
{
    wsk_result_place p;
    bool known = wsk_result_find(&p, name) && keys->any[p.result];
    *hint = '\0';
    if (known) {
        const wsk_result_row *row = wsk_result_about(p.result);
        wsk_scope scope = row->scope;
        size_t i = p.member < 0 ? 0 : (size_t)p.member;
        if (is_unit(scope) && p.member >= 0)
            known = i < WSK_SWEEP_UNITS_MAX ? keys->of[p.result][i] : i < keys->members[scope];
        known = known && (p.member < 0 ? is_united(row, p.over) : p.over == WSK_OVER_NONE);
    }
    if (!known)
        hint_at_name(keys, name, hint, size);
    return known;
}

bool wsk_sweep_has_column(const wsk_sweep_columns *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++)
        if (!strcmp(c->items[i].name, name))
            return true;
    return false;
}

void wsk_sweep_add_column(wsk_sweep_columns *c, const char *name)
{
    if (wsk_sweep_has_column(c, name))
        return;
    wsk_sweep_column *grown = wsk_cli_alloc((c->count + 1) * sizeof *grown);
    if (c->count)
        memcpy(grown, c->items, c->count * sizeof *grown);
    free(c->items);
    c->items = grown;
    wsk_sweep_column *new = &grown[c->count++];
    new->name = wsk_cli_format("%s", name);
    new->known = wsk_result_find(&new->place, name);
}

static void add_columns(wsk_sweep_columns *c, wsk_cli_list *names, size_t most)
{
    for (size_t i = 0; i < names->count && c->count < most; i++) {
        wsk_result_place p;
        if (wsk_result_find(&p, names->items[i]) && !is_of_no_case(p.result))
            wsk_sweep_add_column(c, names->items[i]);
    }
    wsk_cli_list_free(names, 0);
}

static bool has_many_units(const wsk_sweep_keys *keys)
{
    for (int scope = 0; scope < WSK_SCOPES; scope++)
        if (is_unit((wsk_scope)scope) && keys->members[scope] > WSK_SWEEP_UNITS_MAX)
            return true;
    return false;
}

void wsk_sweep_usual_columns(wsk_sweep_columns *c, const wsk_sweep_keys *keys, size_t most)
{
    wsk_cli_list rig = {0}, united = {0}, single = {0};
    push_rig(keys, false, &rig);
    push_rig(keys, true, &rig);
    push_united(keys, &united);
    push_single(keys, &single);
    bool all = !has_many_units(keys) && rig.count + united.count + single.count + 2 <= most;
    add_columns(c, &rig, most);
    wsk_sweep_add_column(c, wsk_result_about(WSK_R_PAYBACK)->key);
    wsk_sweep_add_column(c, wsk_result_about(WSK_R_NPV)->key);
    add_columns(c, &united, most);
    add_columns(c, &single, all ? most : 0);
}

void wsk_sweep_columns_free(wsk_sweep_columns *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->items[i].name);
    free(c->items);
    *c = (wsk_sweep_columns){0};
}

void wsk_sweep_number(char out[32], double value)
{
    if (isfinite(value))
        wsk_format_number(out, 32, value);
    else
        snprintf(out, 32, "null");
}

char *wsk_sweep_get_text(const char *line)
{
    char *text = wsk_cli_alloc(strlen(line) + 1), *to = text;
    for (const char *p = line + 1; *p; p++) {
        bool escaped = *p == '\\' && p[1];
        p += escaped;
        *to++ = escaped && *p == 'n' ? '\n' : *p;
    }
    *to = '\0';
    return text;
}

void wsk_sweep_put_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *p = text; *p; p++) {
        if (*p == '"')
            fputc('"', out);
        fputc(*p, out);
    }
    fputc('"', out);
}

void wsk_sweep_put_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *p = text; *p; p++)
        if (*p == '\n')
            fputs("\\n", out);
        else if (*p == '\\')
            fputs("\\\\", out);
        else
            fputc(*p, out);
    fputc('\n', out);
}

static bool find_only_member(const wsk_summary *s, wsk_result r, size_t *member)
{
    size_t found = 0;
    for (size_t i = 0; i < wsk_summary_count(s, wsk_result_about(r)->scope); i++)
        if (wsk_summary_shown(s, r, i)) {
            *member = i;
            found++;
        }
    return found == 1;
}

static void put_one(FILE *out, const wsk_summary *s, wsk_result r, size_t member)
{
    char number[32];
    size_t count;
    const wsk_result_row *row = wsk_result_about(r);
    const char *const *texts = wsk_summary_texts(s, r, 0, &count);
    const char *text = row->type != WSK_IS_TEXTS ? wsk_summary_text(s, r, member)
                       : member < count          ? texts[member]
                                                 : NULL;
    if (text) {
        wsk_sweep_put_text(out, text);
    } else if (row->type == WSK_IS_FLAG && wsk_summary_known(s, r, member)) {
        fprintf(out, "%s\n", wsk_summary_flag(s, r, member) ? "true" : "false");
    } else {
        wsk_sweep_number(number, wsk_summary_number(s, r, member));
        fprintf(out, "%s\n", number);
    }
}

static void put_value(FILE *out, const wsk_sweep_column *c, const wsk_summary *s)
{
    char number[32];
    const wsk_result_place *p = &c->place;
    size_t member = p->member < 0 ? 0 : (size_t)p->member;
    if (!s || !c->known) {
        fputs("null\n", out);
    } else if (p->member >= 0 || (p->over == WSK_OVER_NONE && find_only_member(s, p->result, &member))) {
        put_one(out, s, p->result, member);
    } else {
        wsk_sweep_number(number, wsk_summary_over(s, p->result, p->over));
        fprintf(out, "%s\n", number);
    }
}

void wsk_sweep_put_values(FILE *out, const wsk_sweep_columns *c, const wsk_summary *summary)
{
    for (size_t i = 0; i < c->count; i++)
        put_value(out, &c->items[i], summary);
}

wsk_cli_list wsk_sweep_all_columns(const wsk_sweep *s)
{
    wsk_cli_list all = {0};
    wsk_cli_push(&all, "label");
    for (size_t m = 0; m < s->design.member_count; m++)
        wsk_cli_push(&all, s->design.members[m].path);
    wsk_cli_push(&all, "status");
    wsk_cli_push(&all, "error");
    wsk_cli_push(&all, "error_messages");
    for (size_t i = 0; i < s->columns.count; i++)
        wsk_cli_push(&all, s->columns.items[i].name);
    return all;
}
