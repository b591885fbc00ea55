/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/shell.h"
#include "cli/suggest/suggest.h"

static const char *const titles[WSK_TITLES] = {N_("Fastest"), N_("Cheapest to buy"), N_("Least cost per token"),
                                               N_("Another card")};
static const char *const title_keys[WSK_TITLES] = {"fastest", "cheapest", "least-per-token", "another"};
static const char *const bads[WSK_BADS] = {[WSK_BAD_FIT] = N_("do not fit together, or a part has no price"),
                                           [WSK_BAD_ENGINE] = N_("have cards on which the engine does not run, or "
                                                                 "over which it cannot split the model"),
                                           [WSK_BAD_MEMORY] = N_("have too little memory for the model"),
                                           [WSK_BAD_BUDGET] = N_("cost more than the budget"),
                                           [WSK_BAD_POWER] = N_("overload the circuit or a PSU, or may trip one"),
                                           [WSK_BAD_HEAT] = N_("throttle from heat"),
                                           [WSK_BAD_NOISE] = N_("are too loud"),
                                           [WSK_BAD_HOST] =
                                               N_("have too little memory of the host to load the weights")};
static const char *const bad_keys[WSK_BADS] = {
    [WSK_BAD_ENGINE] = "engine", [WSK_BAD_FIT] = "fit",         [WSK_BAD_MEMORY] = "memory",
    [WSK_BAD_BUDGET] = "budget", [WSK_BAD_POWER] = "power",     [WSK_BAD_HEAT] = "heat",
    [WSK_BAD_NOISE] = "noise",   [WSK_BAD_HOST] = "host-memory"};

static void tell_machine(FILE *out, const wsk_chosen *c, const wsk_ask *ask)
{
    const wsk_judged_machine *m = c->best;
    const wsk_machine *what = &m->machine;
    wsk_cli_say(out, "%s: %d x %s (%s)\n", T_(titles[c->title]), what->count, what->card->title, what->card->id);
    for (int k = 0; k < WSK_TITLES; k++)
        if (c->also & 1u << k)
            wsk_cli_say(out, T_("  Also: %s\n"), T_(titles[k]));
    wsk_cli_say(
        out, T_("  %1$.1f tokens a second (±%2$.0f %%), %3$.0f W at the wall, %4$.0f dBA, circuit %5$.0f %% used\n"),
        m->tokens_s, 100 * m->spread, m->wall_w, m->noise_dba, 100 * m->circuit);
    wsk_cli_say(
        out,
        T_("  To buy: %1$.0f %2$s. Electricity, working all day: %3$.0f %2$s a year. A million tokens, with the "
           "purchase over %5$g years: %4$.2f %2$s\n"),
        m->purchase, ask->currency, m->year_cost, m->per_million, ask->years);
    wsk_cli_say(out, T_("  In %1$s, power limit %2$.0f W (default %3$.0f W)\n"), wsk_box_chassis(what->box),
                what->limit_w, what->card->need.tdp_w);
    wsk_cli_say(
        out, "%s",
        T_("  No PSU or circuit is overloaded and no card throttles from heat, with a probability of 80 %\n"));
    wsk_cli_say(out, "%s",
                m->power_limited > 0.01 ? T_("  Its speed is limited by the power limit of the cards\n")
                                        : T_("  Its speed is limited by the memory bandwidth of the cards\n"));
    if (isfinite(c->holds_below))
        wsk_cli_say(out, T_("  It stays so while a card costs less than %1$.0f %2$s; counted: %3$.0f %4$s%5$s%6$s\n"),
                    c->holds_below, ask->currency, m->card_price, ask->currency, *what->card->dated ? ", " : "",
                    what->card->dated);
    if (c->next)
        wsk_cli_say(out, T_("  Next with another card: %1$d x %2$s, %3$.1f tokens a second, %4$.0f %5$s\n"),
                    c->next->machine.count, c->next->machine.card->title, c->next->tokens_s, c->next->purchase,
                    ask->currency);
    if (c->next && fabs(c->next->tokens_s - m->tokens_s) < m->spread * m->tokens_s)
        wsk_cli_say(out, "%s", T_("  Their speeds are alike within the ±\n"));
    fputc('\n', out);
}

static void tell_more(FILE *out, const wsk_judged_machine *m, const wsk_ask *ask)
{
    wsk_cli_say(out, T_("  %1$d x %2$s, %3$.1f tokens a second: %4$.0f %5$s, %6$.0f dBA, circuit %7$.0f %% used\n"),
                m->machine.count, m->machine.card->title, m->tokens_s, m->purchase, ask->currency, m->noise_dba,
                100 * m->circuit);
}

/* Prints for each limit the machine that would meet the requirements if this limit alone were relaxed. any: other
 * machines meet all limits, and those printed here are faster. If there is no machine to print and `any` is false,
 * prints the machine for which several limits must be relaxed least. */
static void tell_relaxed(FILE *out, const wsk_relaxed *r, bool any, const wsk_ask *ask)
{
    static const char *const names[WSK_BADS] = {
        [WSK_BAD_BUDGET] = N_("budget"), [WSK_BAD_POWER] = N_("circuit"), [WSK_BAD_NOISE] = N_("noise")};
    bool told = false;
    for (int b = WSK_GOOD + 1; b < WSK_BADS; b++) {
        if (!names[b] || !r->by[b].machine.count)
            continue;
        told = true;
        wsk_cli_say(out,
                    any ? T_("Faster, if this limit alone is relaxed (%s):\n")
                        : T_("Possible, if this limit alone is relaxed (%s):\n"),
                    T_(names[b]));
        tell_more(out, &r->by[b], ask);
    }
    if (told || any || !r->together.machine.count)
        return;
    wsk_cli_say(out, "%s", T_("Relaxing one limit is not enough. The least that several must be relaxed by:\n"));
    tell_more(out, &r->together, ask);
}

static void tell_rest(FILE *out, const wsk_field *f, const wsk_choice_cards *cards)
{
    if (f->bad[WSK_GOOD])
        wsk_cli_say(
            out, "%s",
            T_("Electricity includes cooling of the room at the mean outdoor temperature. run counts that of warm "
               "hours, too.\n"));
    wsk_cli_say(out, T_("Machines: %1$zu looked at, of %2$zu cards; %3$zu meet all that is asked. Of the others:\n"),
                f->looked_at, cards->count, f->bad[WSK_GOOD]);
    for (int b = WSK_GOOD + 1; b < WSK_BADS; b++)
        if (f->bad[b])
            wsk_cli_say(out, "  %zu %s\n", f->bad[b], T_(bads[b]));
    if (!cards->unpriced.count) {
        wsk_cli_say(out,
                    T_("Not looked at: %d modules for server boards, used machines as a whole, cards on water.\n"),
                    cards->modules);
        return;
    }
    char *ids = wsk_cli_join(cards->unpriced.items, cards->unpriced.count);
    wsk_cli_say(
        out,
        T_("Not looked at: %1$d modules for server boards, used machines as a whole, cards on water, and cards "
           "without a price: %2$s.\n"),
        cards->modules, ids);
    free(ids);
}

/* Prints the work for which all machines were solved, with its defaults. */
static void tell_work(FILE *out, const wsk_chosen *c, const wsk_ask *ask)
{
    wsk_rig *rig = NULL;
    const wsk_elements *all = NULL;
    char *text = wsk_machine_xml(&c->best->machine, ask);
    wsk_status status = wsk_suggest_load(&rig, text, ask, NULL);
    if (status == WSK_OK)
        status = wsk_rig_elements(rig, &all);
    wsk_cli_check_memory(status != WSK_ENOMEM);
    if (status == WSK_OK) {
        const int at = wsk_elements_next(all, "workload", -1, -1);
        wsk_cli_say(out,
                    T_("Work: %1$s, engine %2$s, weights %3$s, requests at the same time: %4$s, tokens of each: %5$s "
                       "(--engine, --quant, --streams, --context).\n"),
                    ask->model, wsk_elements_text(all, at, "engine"), wsk_elements_text(all, at, "quant"),
                    wsk_elements_text(all, at, "streams"), wsk_elements_text(all, at, "context"));
    }
    wsk_elements_free(all);
    wsk_rig_free(rig);
    free(text);
}

static char *rig_path(const wsk_chosen *c, const char *dir)
{
    return wsk_cli_format("%s/%s.xml", dir, title_keys[c->title]);
}

/* WSK_OK: the file does not exist or is the rig that would be written. Else prints a message. */
static int check_rig(const wsk_chosen *c, const wsk_ask *ask, const char *dir)
{
    char *path = rig_path(c, dir), *text = wsk_machine_xml(&c->best->machine, ask);
    char *old = wsk_cli_read(path, NULL);
    int code = WSK_OK;
    if (!old && errno != ENOENT && errno != ENOTDIR) {
        wsk_cli_error(T_("cannot read %s: %s"), path, T_(strerror(errno)));
        code = WSK_ERUN;
    } else if (old && strcmp(old, text) != 0) {
        wsk_cli_error(T_("%s was edited, or is of another question; --force replaces it, -o FOLDER keeps both"),
                      path);
        code = WSK_EINPUT;
    }
    free(old);
    free(text);
    free(path);
    return code;
}

int wsk_suggest_check(const wsk_chosen *chosen, int count, const wsk_ask *ask, const char *dir)
{
    int code = WSK_OK;
    for (int i = 0; code == WSK_OK && i < count; i++)
        code = check_rig(&chosen[i], ask, dir);
    return code;
}

int wsk_suggest_write(const wsk_chosen *chosen, int count, const wsk_ask *ask, const char *dir)
{
    bool ok = !count || wsk_cli_mkdirs(dir);
    for (int i = 0; ok && i < count; i++) {
        char *path = rig_path(&chosen[i], dir), *text = wsk_machine_xml(&chosen[i].best->machine, ask);
        ok = wsk_cli_write_path(path, text, strlen(text));
        free(text);
        free(path);
    }
    return ok ? WSK_OK : WSK_ERUN;
}

int wsk_tell_text(const wsk_chosen *chosen, int count, const wsk_field *field, const wsk_choice_cards *cards,
                  const wsk_ask *ask, const wsk_relaxed *relaxed, const char *dir)
{
    char *text = NULL;
    size_t len;
    FILE *out = wsk_cli_text(&text, &len);
    for (int i = 0; i < count; i++)
        tell_machine(out, &chosen[i], ask);
    if (!count)
        wsk_cli_say(out, "%s", T_("No machine meets all that is asked.\n"));
    tell_relaxed(out, relaxed, count > 0, ask);
    if (count)
        tell_work(out, &chosen[0], ask);
    tell_rest(out, field, cards);
    if (count && dir) {
        char *path = rig_path(&chosen[0], dir), *word = wsk_cli_shell_word(path);
        wsk_cli_say(out, T_("Next: wattsink run %s\n"), word);
        free(word);
        free(path);
    } else if (count)
        wsk_cli_say(out, "%s", T_("-o DIR writes each as a rig, to run and to change.\n"));
    wsk_cli_check_memory(fclose(out) == 0);
    wsk_cli_print(stdout, text);
    free(text);
    return WSK_OK;
}

static void put_number(FILE *out, const char *key, double value)
{
    fprintf(out, ", \"%s\": ", key);
    wsk_json_number(out, value);
}

static void put_result(FILE *out, wsk_result which, double value)
{
    const char *key = wsk_result_about(which)->key, *dot = strrchr(key, '.');
    put_number(out, dot ? dot + 1 : key, value);
}

static void put_machine(FILE *out, const wsk_judged_machine *m)
{
    fputs("{ \"card\": ", out);
    wsk_json_quote(out, m->machine.card->id);
    fputs(", \"chassis\": ", out);
    wsk_json_quote(out, wsk_box_chassis(m->machine.box));
    put_number(out, "cards", m->machine.count);
    put_result(out, WSK_R_POWER_LIMIT, m->machine.limit_w);
    put_result(out, WSK_R_TOKENS_GENERATION, m->tokens_s);
    put_result(out, WSK_R_TOKENS_GENERATION_SPREAD, m->spread);
    put_result(out, WSK_R_PURCHASE, m->purchase);
    put_number(out, "year", m->year_cost);
    put_number(out, "per_million", m->per_million);
    put_result(out, WSK_R_WALL_PEAK_W, m->wall_w);
    put_result(out, WSK_R_NOISE, m->noise_dba);
    put_number(out, "circuit_load", m->circuit);
    fprintf(out, ", \"limited_by\": \"%s\"", m->power_limited > 0.01 ? "power-limit" : "memory-bandwidth");
}

/* Writes the machines that break only one limit, by limit (if there is an answer, they are faster than its first
 * machine). If no machine breaks only one limit, writes the machine that breaks several limits by the least. */
static void put_relaxed(const wsk_relaxed *r)
{
    bool any = false;
    fputs("],\n  \"if_only\": {", stdout);
    for (int b = WSK_GOOD + 1; b < WSK_BADS; b++) {
        if (!r->by[b].machine.count)
            continue;
        printf("%s \"%s\": ", any ? "," : "", bad_keys[b]);
        put_machine(stdout, &r->by[b]);
        fputs(" }", stdout);
        any = true;
    }
    fputs(" },\n  \"if_together\": ", stdout);
    if (!any && r->together.machine.count) {
        put_machine(stdout, &r->together);
        fputs(" }", stdout);
    } else {
        fputs("null", stdout);
    }
}

int wsk_tell_json(const wsk_chosen *chosen, int count, const wsk_field *field, const wsk_choice_cards *cards,
                  const wsk_ask *ask, const wsk_relaxed *relaxed)
{
    printf("{ \"currency\": \"%s\", \"looked_at\": %zu, \"good\": %zu,\n  \"refused\": { ", ask->currency,
           field->looked_at, field->bad[WSK_GOOD]);
    for (int b = WSK_GOOD + 1; b < WSK_BADS; b++)
        printf("%s\"%s\": %zu", b > WSK_GOOD + 1 ? ", " : "", bad_keys[b], field->bad[b]);
    fputs(" },\n  \"unpriced\": [", stdout);
    for (size_t i = 0; i < cards->unpriced.count; i++) {
        fputs(i ? ", " : "", stdout);
        wsk_json_quote(stdout, cards->unpriced.items[i]);
    }
    put_relaxed(relaxed);
    fputs(",\n  \"machines\": [", stdout);
    for (int i = 0; i < count; i++) {
        printf("%s\n    { \"title\": \"%s\", \"machine\": ", i ? "," : "", title_keys[chosen[i].title]);
        put_machine(stdout, chosen[i].best);
        fputs(" }", stdout);
        fputs(", \"also\": [", stdout);
        for (int k = 0, told = 0; k < WSK_TITLES; k++)
            if (chosen[i].also & 1u << k)
                printf("%s\"%s\"", told++ ? ", " : "", title_keys[k]);
        fputs("]", stdout);
        put_number(stdout, "holds_below", chosen[i].holds_below);
        fputs(", \"next\": ", stdout);
        if (chosen[i].next) {
            put_machine(stdout, chosen[i].next);
            fputs(" }", stdout);
        } else {
            fputs("null", stdout);
        }
        fputs(" }", stdout);
    }
    fputs("] }\n", stdout);
    return WSK_OK;
}
