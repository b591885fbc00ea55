/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "sim/api.h"
#include "sim/books/books.h"
#include "sim/io/plan.h"
#include "sim/control/run.h"
#include "sim/results/results.h"
#include "sim/step/step.h"
#include "sim/study/study.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/results/read.h"

void wsk_text_free(char *text)
{
    wsk_buf b = {.data = text};
    wsk_buf_free(&b);
}

/* The rig keeps copies, because the caller may free its strings after loading. */
static bool keep_input(wsk_rig *rig, const wsk_plan_input *from)
{
    wsk_arena *a = rig->plan->arena;
    const char **sets = wsk_alloc(a, (from->set_count + 1) * sizeof *sets),
               **rates = wsk_alloc(a, (from->exchange_count + 1) * sizeof *rates);
    if (!sets || !rates)
        return false;
    rig->input = *from;
#define KEEP(f) (rig->input.f = from->f ? wsk_strdup(a, from->f) : NULL, !from->f || rig->input.f)
    char *text = from->text ? wsk_alloc(a, from->text_len + 1) : NULL;
    if (text)
        memcpy(text, from->text, from->text_len);
    rig->input.text = text;
    bool ok = (text || !from->text) && KEEP(path) && KEEP(parts_dir) && KEEP(extra_parts_dir) && KEEP(data_dir) &&
              KEEP(prices);
#undef KEEP
    for (size_t i = 0; i < from->set_count; i++)
        ok = (sets[i] = wsk_strdup(a, from->sets[i])) && ok;
    for (size_t i = 0; i < from->exchange_count; i++)
        ok = (rates[i] = wsk_strdup(a, from->exchanges[i])) && ok;
    rig->input.sets = sets;
    rig->input.exchanges = rates;
    return ok;
}

/* A rig with mistakes in its file is compiled too, if it has a root element, so that mistakes found in compiling, such
 * as overlapping cards, are reported with the others. */
static wsk_status load(wsk_rig **out, const wsk_plan_input *input, wsk_files *own)
{
    wsk_plan *plan = NULL;
    wsk_status status = wsk_plan_load(&plan, input);
    if (!plan)
        return status;
    wsk_rig *rig = wsk_alloc(plan->arena, sizeof *rig);
    if (!rig) {
        wsk_plan_free(plan);
        return WSK_ENOMEM;
    }
    rig->plan = plan;
    rig->own_files = own;
    *out = rig;
    snprintf(rig->digest, sizeof rig->digest, "%016llx", (unsigned long long)plan->digest);
    if (!keep_input(rig, input))
        return WSK_ENOMEM;
    if (status == WSK_OK || (status == WSK_EINPUT && plan->rig)) {
        wsk_status fit = wsk_net_compile(&rig->net, plan);
        status = status == WSK_OK ? fit : status;
    }
    wsk_diags_sort(&plan->diags);
    return wsk_arena_failed(plan->arena) ? WSK_ENOMEM : status;
}

wsk_status wsk_rig_load(wsk_rig **out, const wsk_rig_options *o)
{
    *out = NULL;
    if (!o)
        return WSK_EUSAGE;
    wsk_files *own = o->files_of ? NULL : wsk_files_new();
    wsk_plan_input input = {.path = o->path ? o->path : "-",
                            .text = o->files_of ? o->text : NULL, /* without files_of, `own` holds the text */
                            .text_len = o->files_of ? o->text_len : 0,
                            .files = o->files_of ? o->files_of->input.files : own,
                            .parts_dir = wsk_catalogue(o->parts_dir),
                            .extra_parts_dir = o->extra_parts_dir,
                            .data_dir = o->data_dir,
                            .prices = o->prices,
                            .sets = o->sets,
                            .set_count = o->set_count,
                            .exchanges = o->exchanges,
                            .exchange_count = o->exchange_count};
    wsk_status status = WSK_ENOMEM;
    if (input.files && (!own || !o->text || wsk_files_keep(own, input.path, o->text, o->text_len)))
        status = load(out, &input, own);
    if (!*out)
        wsk_files_free(own);
    else if ((*out)->net && o->threads > 0)
        (*out)->net->threads = o->threads;
    return status;
}

void wsk_rig_free(wsk_rig *rig)
{
    if (!rig)
        return;
    wsk_files *own = rig->own_files;
    wsk_net_free(rig->net);
    wsk_plan_free(rig->plan); /* also frees the rig, which lies in the plan's arena */
    wsk_files_free(own);
}

const char *wsk_rig_assigned(const wsk_rig *rig, size_t i)
{
    const wsk_plan *p = rig->plan;
    return p->assigned && i < p->n_assigned && p->assigned[i] ? p->assigned[i] : "";
}

bool wsk_rig_lacks_parts(const wsk_rig *rig)
{
    return rig->plan->lacks_parts;
}

bool wsk_rig_has_bad_files(const wsk_rig *rig)
{
    return rig->plan->bad_files;
}

bool wsk_rig_lacks_plugs(const wsk_rig *rig)
{
    return rig->net && wsk_lacks_sockets(rig->net);
}

double wsk_rig_exchange(const wsk_rig *rig, const char *currency, const char **paid)
{
    *paid = rig->net ? rig->net->currency : NULL;
    return wsk_exchange_worth(rig->plan->rig, currency);
}

const char *wsk_rig_digest(const wsk_rig *rig)
{
    return rig->digest;
}

wsk_status wsk_run_judge(const wsk_rig *rig, wsk_run *run)
{
    wsk_advice *advice = run->advice ? NULL : wsk_alloc(run->arena, sizeof *advice);
    if (run->advice || !rig->net)
        return run->advice ? WSK_OK : WSK_EINPUT;
    wsk_bands_work *bands = advice ? wsk_bands_begin(run) : NULL;
    wsk_status status = bands ? wsk_advise(run->arena, rig->net, run, &rig->input, bands, advice) : WSK_ENOMEM;
    if (status == WSK_OK)
        run->advice = advice;
    else if (status == WSK_ERUN)
        wsk_run_fail(run, advice->before);
    return status;
}

const char *wsk_rig_name(const wsk_rig *rig)
{
    return rig->plan->name;
}

size_t wsk_rig_messages(const wsk_rig *rig)
{
    return rig->plan->diags.count;
}

void wsk_rig_message(const wsk_rig *rig, size_t i, int *severity, const char **file, int *line, int *column,
                     const char **text)
{
    const wsk_diag *d = &rig->plan->diags.items[i];
    *severity = (int)d->severity;
    *file = d->file;
    *line = d->line;
    *column = d->column;
    *text = d->message;
}

const wsk_said *wsk_rig_message_said(const wsk_rig *rig, size_t i)
{
    return rig->plan->diags.items[i].said;
}

wsk_status wsk_rig_resolved(const wsk_rig *rig, char **text)
{
    wsk_buf b = {0};
    wsk_plan_write_resolved(rig->plan, &b);
    return wsk_give(&b, true, text);
}

wsk_status wsk_rig_elements(const wsk_rig *rig, const wsk_elements **out)
{
    return wsk_plan_elements(rig->plan, out);
}

double wsk_rig_duration(const wsk_rig *rig)
{
    return rig->net ? rig->net->runspec->for_s : 0;
}

wsk_status wsk_run_new(wsk_run **out, const wsk_rig *rig, const wsk_run_options *options)
{
    *out = NULL;
    if (options && !wsk_run_options_fit(options))
        return WSK_EUSAGE;
    const wsk_status status = rig->net ? wsk_run_create(out, rig->net, options) : WSK_EINPUT;
    if (status != WSK_OK || !options || !options->ready || wsk_show_start(*out))
        return status;
    wsk_run_free(*out);
    *out = NULL;
    return WSK_ENOMEM;
}

double wsk_run_time(const wsk_run *run)
{
    return wsk_time_s(run);
}

double wsk_run_duration(const wsk_run *run)
{
    return (double)run->end_ns / 1e9;
}

const char *wsk_run_error(const wsk_run *run)
{
    return run->error;
}

const wsk_said *wsk_run_failure(const wsk_run *run)
{
    return run->failure;
}

size_t wsk_run_variables(const wsk_run *run)
{
    return (size_t)run->variables->n;
}

void wsk_run_variable(const wsk_run *run, size_t i, const char **name, const char **unit, double *value)
{
    const bool known = i < wsk_run_variables(run);
    *name = known ? run->variables->all[i].name : "";
    *unit = known ? run->variables->all[i].row->unit : "";
    *value = known ? run->observer->value[i] : (double)NAN;
}

const wsk_var_row *wsk_run_variable_row(const wsk_run *run, size_t i)
{
    return i < wsk_run_variables(run) ? run->variables->all[i].row : NULL;
}

size_t wsk_run_owners(const wsk_run *run, wsk_owner owner)
{
    return (unsigned)owner < WSK_OWNERS ? (size_t)wsk_count_owners(run->net, owner) : 0;
}

const char *wsk_run_owner(const wsk_run *run, wsk_owner owner, size_t i)
{
    const char *id = i < wsk_run_owners(run, owner) ? wsk_owner_id(run->net, owner, (int)i) : NULL;
    return id ? id : "";
}

double wsk_run_value(const wsk_run *run, wsk_var variable, size_t owner)
{
    return owner <= INT_MAX ? wsk_read_variable(run, variable, (int)owner) : (double)NAN;
}

wsk_status wsk_run_get(const wsk_run *run, const char *name, double *value)
{
    wsk_var row;
    int which;
    if (wsk_variable_named(run->net, name, &row, &which)) {
        *value = wsk_read_variable(run, row, which);
        return WSK_OK;
    }
    for (int n = 0; n < run->net->n_node; n++)
        if (strcmp(run->net->nodes[n].name, name) == 0) {
            *value = run->t[n] - WSK_KELVIN;
            return WSK_OK;
        }
    return WSK_EINPUT;
}

wsk_status wsk_run_set(wsk_run *run, const char *name, double value)
{
    wsk_var row;
    int which;
    const bool shown = run->kept;
    wsk_hide_start(run);
    const bool set = wsk_variable_named(run->net, name, &row, &which) && wsk_set_variable(run, row, which, value);
    if (shown && !wsk_show_start(run))
        return WSK_ENOMEM;
    return set ? WSK_OK : WSK_EINPUT;
}

wsk_status wsk_summaries_read(wsk_summary ***out, size_t *count, const char *text, size_t len,
                              wsk_file_mistake *mistake)
{
    wsk_diags mistakes;
    wsk_findings *f = wsk_findings_new();
    *out = NULL;
    *count = 0;
    if (mistake)
        *mistake = (wsk_file_mistake){.why = NULL};
    if (!f)
        return WSK_ENOMEM;
    wsk_diags_init(&mistakes, f->lines.arena);
    wsk_status status = wsk_results_read(out, count, text, len, &mistakes);
    if (status != WSK_EINPUT || !mistake) {
        wsk_findings_free(f);
        return status;
    }
    const wsk_diag *first = mistakes.items;
    f->lines.failed = !mistakes.count || !first->said;
    if (mistakes.count) {
        wsk_lines_add(&f->lines, 0, first->said);
        *mistake = (wsk_file_mistake){.line = first->line, .column = first->column};
    }
    return wsk_findings_give(f, &mistake->why) == WSK_OK ? WSK_EINPUT : WSK_ENOMEM;
}

wsk_status wsk_run_series_csv(const wsk_run *run, char **text)
{
    wsk_buf b = {0};
    if (!run->observer->buckets)
        return WSK_EUSAGE;
    return wsk_give(&b, wsk_results_series(run, &b), text);
}

size_t wsk_run_series_rows(const wsk_run *run)
{
    return run->observer->buckets ? (size_t)run->books->n_buckets : 0;
}

double wsk_run_series_end(const wsk_run *run, size_t row)
{
    return row < wsk_run_series_rows(run) ? *wsk_bucket(run, (int64_t)row) : NAN;
}

double wsk_run_series_value(const wsk_run *run, size_t row, size_t variable, wsk_stat stat)
{
    if (!(row < wsk_run_series_rows(run) && variable < (size_t)run->variables->n && stat < WSK_STATS))
        return NAN;
    return wsk_bucket(run, (int64_t)row)[1 + (size_t)stat * (size_t)run->variables->n + variable];
}

wsk_status wsk_run_events_csv(wsk_run *run, bool clear, char **text)
{
    wsk_buf b = {0};
    if (run->events.len)
        wsk_buf_put(&b, run->events.data, run->events.len);
    wsk_status status = run->events.failed ? WSK_ENOMEM : wsk_give(&b, true, text);
    if (clear && status == WSK_OK)
        wsk_buf_free(&run->events);
    return status;
}
