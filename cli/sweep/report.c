/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/sweep/rule.h"

typedef struct {
    FILE *out;
    size_t columns;
} csv;

static void put_csv(FILE *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n"))
        wsk_sweep_put_quoted(out, text);
    else
        fputs(text, out);
}

static bool put_row(void *ctx, size_t id, const wsk_cell *cells)
{
    const csv *c = ctx;
    fprintf(c->out, "%zu", id);
    for (size_t i = 0; i < c->columns; i++) {
        char number[32];
        fputc(',', c->out);
        if (cells[i].text) {
            put_csv(c->out, cells[i].text);
        } else if (!isnan(cells[i].number)) {
            wsk_sweep_number(number, cells[i].number);
            fputs(number, c->out);
        }
    }
    fputc('\n', c->out);
    return !ferror(c->out);
}

static int write_csv(wsk_sweep *s)
{
    wsk_cli_output to;
    size_t damaged;
    long long first;
    if (!wsk_store_verify(s->store, false, &damaged, &first))
        return WSK_ERUN;
    if (damaged) {
        wsk_cli_error(T_("%1$s: the row of case %2$lld is damaged; --resume runs the case again"), s->db, first);
        return WSK_EINPUT;
    }
    wsk_cli_list columns = wsk_sweep_all_columns(s);
    FILE *out = wsk_cli_output_open(&to, s->out);
    bool ok = out != NULL;
    if (ok) {
        fputs("id", out);
        for (size_t i = 0; i < columns.count; i++) {
            fputc(',', out);
            put_csv(out, columns.items[i]);
        }
        fputc('\n', out);
        csv c = {out, columns.count};
        ok = wsk_store_each(s->store, 0, &columns, put_row, &c) && !ferror(out);
    }
    ok = wsk_cli_output_close(&to, out, ok);
    free(columns.items);
    return ok ? WSK_OK : WSK_ERUN;
}

static bool first_failure(void *ctx, size_t id, const wsk_cell *cells)
{
    const wsk_sweep *s = ctx;
    if (cells[0].text && !strcmp(cells[0].text, "ok"))
        return true;
    char *told = cells[3].text ? wsk_cli_told(cells[3].text) : NULL;
    wsk_cli_error(T_("%zu of %zu cases failed, and their rows say why; the first is case %zu (%s): %s"), s->failed,
                  s->stored, id, cells[2].text ? cells[2].text : "",
                  told            ? told
                  : cells[1].text ? T_(cells[1].text)
                                  : "");
    free(told);
    return false;
}

static void tell_failures(wsk_sweep *s)
{
    wsk_cli_list columns = {0};
    wsk_cli_push(&columns, "status");
    wsk_cli_push(&columns, "error");
    wsk_cli_push(&columns, "label");
    wsk_cli_push(&columns, "error_messages");
    wsk_store_each(s->store, 0, &columns, first_failure, s);
    free(columns.items);
}

static void tell_confirmed(wsk_sweep *s, size_t best)
{
    double value;
    bool met;
    if (!s->run.leap || !best || !wsk_sweep_confirm(s, best, &value, &met))
        return;
    if (s->json)
        printf(",\n \"best_by_ticks\": {\"value\": %.9g, \"met\": %s}", value, met ? "true" : "false");
    else
        wsk_cli_say(stdout,
                    met ? T_("The best case, simulated by ticks: %.6g\n\n")
                        : T_("The best case, simulated by ticks: %.6g; it does not meet the condition\n\n"),
                    value);
}

typedef struct {
    FILE *out;
    const wsk_cli_list *columns;
} object;

static bool put_object(void *ctx, size_t id, const wsk_cell *cells)
{
    const object *o = ctx;
    fprintf(o->out, "{\"id\": %zu", id);
    for (size_t i = 0; i < o->columns->count; i++) {
        char number[32];
        fputs(", ", o->out);
        wsk_json_quote(o->out, o->columns->items[i]);
        fputs(": ", o->out);
        wsk_sweep_number(number, cells[i].number);
        if (cells[i].text)
            wsk_json_quote(o->out, cells[i].text);
        else
            fputs(number, o->out);
    }
    fputc('}', o->out);
    return true;
}

static int put_case(wsk_sweep *s, FILE *out, size_t id)
{
    wsk_cli_list columns = wsk_sweep_all_columns(s);
    object o = {out, &columns};
    bool ok = wsk_store_each(s->store, id, &columns, put_object, &o);
    free(columns.items);
    return ok ? WSK_OK : WSK_ERUN;
}

static int tell_json(wsk_sweep *s)
{
    size_t best = 0;
    wsk_sweep_outcome why;
    wsk_sweep_front front = {0};
    int code = WSK_OK;
    printf("{\"wattsink\": \"%s\", \"rig\": ", wsk_version());
    wsk_json_quote(stdout, s->rig_name);
    printf(", \"digest\": \"%s\", \"file\": ", s->digest);
    wsk_json_quote(stdout, s->out);
    printf(", \"cases\": %zu, \"failed\": %zu", s->design.cases, s->failed);
    if (s->best_text && (code = wsk_sweep_best(s, NULL, &best, &why)) == WSK_OK) {
        fputs(",\n \"best\": ", stdout);
        if (best)
            code = put_case(s, stdout, best);
        else
            fputs("null", stdout);
        if (why != WSK_SWEEP_RANKED)
            printf(",\n \"no_best\": \"%s\"", wsk_sweep_outcome_code(why));
        tell_confirmed(s, best);
    }
    if (code == WSK_OK && s->pareto_text && (code = wsk_sweep_pareto(s, NULL, best, &front)) == WSK_OK) {
        fputs(",\n \"pareto\": [", stdout);
        for (size_t i = 0; code == WSK_OK && i < front.count; i++) {
            fputs(i ? ",\n  " : "\n  ", stdout);
            code = put_case(s, stdout, front.ids[i]);
        }
        fputs("]", stdout);
        if (front.why != WSK_SWEEP_RANKED)
            printf(",\n \"no_pareto\": \"%s\"", wsk_sweep_outcome_code(front.why));
    }
    fputs("}\n", stdout);
    free(front.ids);
    return code;
}

static int tell(wsk_sweep *s)
{
    size_t best = 0;
    wsk_sweep_outcome why;
    int code = WSK_OK;
    if (s->json)
        return tell_json(s);
    if (!s->best_text && !s->pareto_text && !s->quiet)
        code = wsk_sweep_overview(s, stdout);
    if (s->best_text && (code = wsk_sweep_best(s, stdout, &best, &why)) == WSK_OK)
        tell_confirmed(s, best);
    if (code == WSK_OK && s->pareto_text) {
        wsk_sweep_front front;
        code = wsk_sweep_pareto(s, stdout, best, &front);
        free(front.ids);
    }
    if (!s->quiet)
        wsk_cli_say(stdout,
                    s->stored == 1 ? T_("%1$zu case with %2$zu columns in %3$s\n")
                                   : T_("%1$zu cases with %2$zu columns each in %3$s\n"),
                    s->stored, s->columns.count + s->design.member_count + WSK_SWEEP_HEAD + 1, s->out);
    return code;
}

int wsk_sweep_report(wsk_sweep *s, int code)
{
    bool whole = s->store && s->stored == s->design.cases;
    if (code == WSK_EINTERRUPTED && s->store)
        wsk_cli_error(T_("interrupted; %zu of %zu cases are in %s, --resume goes on from there"), s->stored,
                      s->design.cases, s->db);
    if (code == WSK_OK && whole)
        code = wsk_sweep_add_money(s);
    /* A read-only CSV file is left as it is if no row has changed. */
    const bool stays = s->csv && !s->changed && access(s->out, F_OK) == 0 && access(s->out, W_OK) != 0;
    if (code == WSK_OK && s->csv && !stays)
        code = write_csv(s);
    if (code == WSK_OK && (code = tell(s)) == WSK_OK && s->failed) {
        tell_failures(s);
        code = WSK_ERUN;
    }
    wsk_store_close(s->store);
    s->store = NULL;
    return code;
}
