/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cli/kit/cases.h"
#include "cli/kit/rig.h"
#include "cli/sweep/inner.h"
#include "cli/kit/vary.h"
#include "cli/kit/work.h"

/* SQLite allows 2000 columns in a table; some stay free for the columns that --best and --pareto add. */
enum { COLUMNS_MAX = 1900 };

/* Prints no messages: the errors of a case are stored in its row. */
static wsk_rig *load(const wsk_sweep *s, const wsk_cli_list *sets, int *code)
{
    wsk_cli_rig_options with = s->rig;
    with.sets = *sets;
    return wsk_cli_load_quietly(s->path, &with, code);
}

static void push_sets(const wsk_sweep *s, wsk_cli_list *sets)
{
    for (size_t i = 0; i < s->rig.sets.count; i++)
        wsk_cli_push(sets, s->rig.sets.items[i]);
}

/* Sets sim->why to the errors of the rig, joined to one line ("" without errors), and sim->messages to the same errors
 * as JSON (NULL without errors). */
static void note_mistakes(const wsk_rig *rig, wsk_cli_simulation *sim)
{
    size_t count = rig ? wsk_rig_messages(rig) : 0, n = 0;
    const wsk_said **said = wsk_cli_alloc(count * sizeof *said);
    sim->why = wsk_cli_format("%s", "");
    for (size_t i = 0; i < count; i++) {
        int severity, line, column;
        const char *file, *text;
        wsk_rig_message(rig, i, &severity, &file, &line, &column, &text);
        if (severity > 0)
            continue;
        char *longer = wsk_cli_format("%s%s%s", sim->why, n ? "; " : "", text);
        free(sim->why);
        sim->why = longer;
        said[n++] = wsk_rig_message_said(rig, i);
    }
    sim->messages = n ? wsk_cli_messages(said, n) : NULL;
    free(said);
}

static void put_head(FILE *out, const wsk_sweep *s, size_t i, char *const *values, const wsk_cli_simulation *sim)
{
    const wsk_sweep_design *d = &s->design;
    char *label = wsk_cli_format("%s", "");
    for (size_t m = 0; m < d->member_count; m++) {
        char *longer = wsk_cli_format("%s%s%s=%s", label, m ? ", " : "", d->members[m].path, values[m]);
        free(label);
        label = longer;
    }
    fprintf(out, "%zu\n", i + 1);
    wsk_sweep_put_text(out, label);
    free(label);
    for (size_t m = 0; m < d->member_count; m++) {
        const char *end = values[m];
        if (d->members[m].number) {
            wsk_number_at(values[m], &end);
            fprintf(out, "%.*s\n", (int)(end - values[m]), values[m]);
        } else {
            wsk_sweep_put_text(out, values[m]);
        }
    }
    const char *status = wsk_status_text((wsk_status)sim->code);
    wsk_sweep_put_text(out, status);
    if (sim->code == WSK_OK)
        fputs("null\n", out);
    else
        wsk_sweep_put_text(out, sim->why && *sim->why ? sim->why : status);
    if (sim->messages)
        wsk_sweep_put_text(out, sim->messages);
    else
        fputs("null\n", out);
}

typedef struct {
    char **values;
    wsk_rig *rig;
} part_way;

wsk_rig *wsk_sweep_load_case(const wsk_sweep *s, size_t i)
{
    wsk_cli_list sets = {0};
    int code;
    push_sets(s, &sets);
    for (size_t m = 0; m < s->design.member_count; m++) {
        char *value = wsk_sweep_value(&s->design, m, i);
        wsk_cli_push(&sets, wsk_cli_format("%s=%s", s->design.members[m].path, value));
        free(value);
    }
    wsk_rig *rig = load(s, &sets, &code);
    wsk_cli_list_free(&sets, s->rig.sets.count);
    if (code == WSK_OK)
        return rig;
    wsk_rig_free(rig);
    return NULL;
}

static void begin_case(const wsk_sweep *s, size_t i, part_way *p, wsk_cli_simulation *sim)
{
    const wsk_sweep_design *d = &s->design;
    wsk_cli_list sets = {0};
    p->values = wsk_cli_alloc(d->member_count * sizeof *p->values);
    push_sets(s, &sets);
    for (size_t m = 0; m < d->member_count; m++) {
        p->values[m] = wsk_sweep_value(d, m, i);
        wsk_cli_push(&sets, wsk_cli_format("%s=%s", d->members[m].path, p->values[m]));
    }
    p->rig = load(s, &sets, &sim->code);
    sim->rig = p->rig;
    wsk_cli_list_free(&sets, s->rig.sets.count);
}

static char *end_case(const wsk_sweep *s, size_t i, part_way *p, wsk_cli_simulation *sim)
{
    char *row = NULL;
    size_t len = 0;
    if (!sim->summary && !sim->why && sim->code == WSK_EINPUT)
        note_mistakes(p->rig, sim);
    if (sim->code != WSK_EINTERRUPTED) {
        FILE *out = wsk_cli_text(&row, &len);
        put_head(out, s, i, p->values, sim);
        wsk_sweep_put_values(out, &s->columns, sim->summary);
        if (fclose(out) != 0) {
            free(row);
            row = NULL;
        }
    }
    wsk_summary_free(sim->summary);
    wsk_rig_free(p->rig);
    free(sim->why);
    free(sim->told);
    free(sim->messages);
    for (size_t m = 0; m < s->design.member_count; m++)
        free(p->values[m]);
    free(p->values);
    return row;
}

void wsk_sweep_run_cases(const wsk_sweep *s, const size_t *which, size_t n, char **rows)
{
    for (size_t first = 0; first < n; first += WSK_CLI_TOGETHER) {
        wsk_cli_simulation sims[WSK_CLI_TOGETHER] = {{.code = WSK_OK}};
        part_way parts[WSK_CLI_TOGETHER];
        size_t count = n - first < WSK_CLI_TOGETHER ? n - first : WSK_CLI_TOGETHER;
        for (size_t i = 0; i < count; i++)
            begin_case(s, which[first + i], &parts[i], &sims[i]);
        wsk_cli_simulate(sims, count, &s->run);
        for (size_t i = 0; i < count; i++)
            rows[first + i] = end_case(s, which[first + i], &parts[i], &sims[i]);
    }
}

static uint64_t mix(uint64_t hash, const char *text)
{
    return wsk_hash_more(wsk_hash_more(hash, text, strlen(text)), "\n", 1);
}

static bool learn(wsk_sweep *s, const wsk_rig *rig, uint64_t *hash)
{
    wsk_run *run = NULL;
    wsk_summary *summary = NULL;
    bool ok = wsk_run_new(&run, rig, &s->run) == WSK_OK && wsk_run_summary(&summary, run, 0) == WSK_OK;
    if (ok) {
        wsk_sweep_learn(&s->keys, summary);
        *hash = mix(*hash, wsk_rig_digest(rig));
        snprintf(s->rig_name, sizeof s->rig_name, "%s", wsk_rig_name(rig));
    }
    wsk_summary_free(summary);
    wsk_run_free(run);
    return ok;
}

/* Warnings about the values of an axis that are printed: none; power limits that a card cannot hold; these, and that
 * the axis has no effect, which is said of its first value alone. */
typedef enum { NOTHING, LOW_LIMITS, ALL } warnings;

/* Loads the rig with `sets`, whose last assignments are those of the axis. Learns its results, which attributes the
 * axis sets, and whether the axis changes the cards or the rates of their work. first: cards and rates with the first
 * value of the axis, set here if empty. False: the rig cannot be built. */
static bool look_at(wsk_sweep *s, const wsk_cli_list *sets, wsk_sweep_axis *axis, wsk_cli_worker *first,
                    uint64_t *hash, warnings speak)
{
    int code;
    wsk_cli_worker worker;
    wsk_rig *rig = load(s, sets, &code);
    for (size_t i = 0; rig && i < axis->count; i++)
        wsk_sweep_take_targets(&s->design.members[axis->first + i], wsk_rig_assigned(rig, s->rig.sets.count + i));
    bool ok = code == WSK_OK && learn(s, rig, hash);
    if (ok && speak)
        wsk_cli_print_low_limit(rig, s->whole, &s->rig);
    if (ok && speak == ALL)
        wsk_cli_print_overridden(rig, s->whole, &s->rig);
    if (ok && wsk_cli_worker_of(&worker, rig)) {
        if (!*first->cards)
            *first = worker;
        axis->unlike =
            axis->unlike || strcmp(first->cards, worker.cards) != 0 || strcmp(first->rates, worker.rates) != 0;
    }
    wsk_rig_free(rig);
    return ok;
}

static void push_level(const wsk_sweep *s, wsk_cli_list *sets, size_t axis, size_t level)
{
    const wsk_sweep_axis *a = &s->design.axes[axis];
    push_sets(s, sets);
    for (size_t m = a->first; m < a->first + a->count; m++) {
        char *value = wsk_sweep_level_value(&s->design, m, level);
        wsk_cli_push(sets, wsk_cli_format("%s=%s", s->design.members[m].path, value));
        free(value);
    }
}

/* Varies one axis at a time: loads at most as many rigs as all axes together have values, not one rig per combination.
 * A value that does not fit the rig fails only in its rows. An axis without any value that fits is an error of the
 * command line. */
int wsk_sweep_look(wsk_sweep *s, bool speak)
{
    uint64_t hash = WSK_HASH_EMPTY;
    int code;
    s->whole = wsk_cli_load(s->path, &s->rig, speak && !s->quiet ? 1 : speak ? 0 : -1, &code);
    s->rig.files_of = s->whole;
    if (code != WSK_OK)
        return code;
    learn(s, s->whole, &hash);
    for (size_t a = 0; a < s->design.axis_count; a++) {
        size_t levels = s->design.axes[a].levels ? s->design.axes[a].levels : 2, good = 0;
        wsk_cli_worker worker = {{0}, {0}};
        for (size_t level = 0; level < levels; level++) {
            wsk_cli_list sets = {0};
            push_level(s, &sets, a, level);
            if (wsk_sweep_telling(&s->design, a, level))
                good += look_at(s, &sets, &s->design.axes[a], &worker, &hash,
                                !speak || s->quiet ? NOTHING
                                : level            ? LOW_LIMITS
                                                   : ALL);
            wsk_cli_list_free(&sets, s->rig.sets.count);
        }
        if (good)
            continue;
        wsk_cli_rig_options first = s->rig;
        first.sets = (wsk_cli_list){0};
        push_level(s, &first.sets, a, 0);
        wsk_rig_free(wsk_cli_load(s->path, &first, speak ? 0 : -1, &code));
        wsk_cli_list_free(&first.sets, s->rig.sets.count);
        return code != WSK_OK ? code : WSK_EINPUT;
    }
    snprintf(s->rig_digest, sizeof s->rig_digest, "%016llx", (unsigned long long)hash);
    return wsk_sweep_apart(&s->design, speak) && wsk_sweep_heeds(s, speak) ? WSK_OK : WSK_EUSAGE;
}

static void name_columns(wsk_sweep *s)
{
    size_t len = 0;
    free(s->column_names);
    s->column_names = NULL;
    FILE *out = wsk_cli_text(&s->column_names, &len);
    for (size_t i = 0; i < s->columns.count; i++)
        fprintf(out, "%s\n", s->columns.items[i].name);
    fclose(out);
}

int wsk_sweep_choose_columns(wsk_sweep *s, bool speak)
{
    if (!s->columns_text) {
        wsk_sweep_usual_columns(&s->columns, &s->keys, COLUMNS_MAX - s->design.member_count);
    } else {
        for (const char *p = s->columns_text;; p++) {
            size_t len = strcspn(p, ",");
            char *name = wsk_cli_trimmed(p, len), hint[160];
            bool known = wsk_sweep_known(&s->keys, name, hint, sizeof hint);
            if (known)
                wsk_sweep_add_column(&s->columns, name);
            else if (speak)
                wsk_cli_error(T_("--columns: the summary has no key '%s'%s"), name, hint);
            free(name);
            if (!known)
                return WSK_EUSAGE;
            p += len;
            if (!*p)
                break;
        }
    }
    /* --best and --pareto are checked before anything runs, and the columns that they need are added. */
    for (size_t goals = 1; goals <= 2; goals++) {
        wsk_sweep_asked a;
        if (!(goals == 1 ? s->best_text : s->pareto_text))
            continue;
        bool ok = wsk_sweep_read_question(s, &a, goals, true, speak);
        wsk_sweep_asked_free(&a);
        wsk_sweep_need_for_burdens(s);
        if (!ok)
            return WSK_EUSAGE;
    }
    wsk_sweep_need_for_money(s);
    if (s->columns.count + s->design.member_count > COLUMNS_MAX + 50) {
        if (speak)
            wsk_cli_error(T_("--columns: at most %d"), COLUMNS_MAX);
        return WSK_EUSAGE;
    }
    name_columns(s);
    return WSK_OK;
}

const char *wsk_sweep_column_names(const wsk_sweep *s)
{
    return s->column_names ? s->column_names : "";
}

void wsk_sweep_use_columns(wsk_sweep *s, const char *names)
{
    wsk_sweep_columns_free(&s->columns);
    for (const char *p = names; *p;) {
        size_t len = strcspn(p, "\n");
        char *name = wsk_cli_format("%.*s", (int)len, p);
        wsk_sweep_add_column(&s->columns, name);
        free(name);
        p += len + (p[len] == '\n');
    }
    name_columns(s);
}
