/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/lock.h"
#include "cli/kit/rig.h"
#include "cli/suggest/suggest.h"
#include "sim/base/said.h"
#include "words/words.h"

static double read_amount(const char *text, const char *unit, const char *other)
{
    const char *end;
    const double v = wsk_number_at(text, &end);
    while (*end == ' ')
        end++;
    return end != text && v > 0 && isfinite(v) && (!*end || !strcmp(end, unit) || !strcmp(end, other)) ? v : NAN;
}

static bool read_budget(const char *text, wsk_ask *ask)
{
    const char *end;
    ask->budget = wsk_number_at(text, &end);
    const bool number = end != text && ask->budget > 0 && isfinite(ask->budget);
    while (*end == ' ')
        end++;
    snprintf(ask->currency, sizeof ask->currency, "%.3s", end);
    if (number && strlen(end) == 3 && strspn(end, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3)
        return true;
    wsk_cli_usage(&wsk_cli_suggest, T_("--budget '%s': expected an amount with its currency, such as 6000USD"), text);
    return false;
}

static bool read_circuit(const char *text, wsk_ask *ask)
{
    const char *end;
    const double volts = wsk_number_at(text, &end);
    const bool v = end != text;
    end += strspn(end, " ");
    const char *second = end + (*end == 'V');
    const double amps = wsk_number_at(second + strspn(second, " "), &end);
    end += strspn(end, " ");
    if (!v || *second == '\0' || second[-1] != 'V' || !(volts >= 90 && volts <= 480) ||
        !(amps >= 1 && amps <= 1000) || strcmp(end, "A") != 0) {
        wsk_cli_usage(&wsk_cli_suggest, T_("--circuit '%s': expected volts and amperes, such as '120 V 15 A'"), text);
        return false;
    }
    snprintf(ask->volts, sizeof ask->volts, "%g V", volts);
    snprintf(ask->amps, sizeof ask->amps, "%g A", amps);
    ask->socket = (wsk_cli_socket){.supply = ask->volts, .circuit = ask->amps, .words = "as asked"};
    return true;
}

static bool read_amounts(wsk_ask *ask, const char *memory, const char *noise, const char *years)
{
    ask->memory_gb = memory ? read_amount(memory, "GB", "GiB") : 0;
    ask->noise_dba = noise ? read_amount(noise, "dBA", "dB(A)") : INFINITY;
    ask->years = years ? read_amount(years, "years", "year") : 3;
    if (isnan(ask->memory_gb))
        wsk_cli_usage(&wsk_cli_suggest, T_("--memory '%s': expected an amount such as 48GB"), memory);
    else if (isnan(ask->noise_dba))
        wsk_cli_usage(&wsk_cli_suggest, T_("--noise '%s': expected a level such as 45dBA"), noise);
    else if (isnan(ask->years))
        wsk_cli_usage(&wsk_cli_suggest, T_("--years '%s': expected a number of years"), years);
    else
        return true;
    return false;
}

/* True if a text can be the value of an XML attribute: it has no characters that would end the value. */
static bool is_plain(const char *option, const char *text)
{
    if (!text || !text[strcspn(text, "<>&\"'")])
        return true;
    wsk_cli_usage(&wsk_cli_suggest, T_("--%s '%s': expected a name"), option, text);
    return false;
}

static int answer(wsk_ask *ask, const char *dir, bool json, bool force)
{
    wsk_choice_cards cards;
    wsk_field field = {0};
    wsk_known known = {0};
    wsk_chosen chosen[WSK_TOLD];
    wsk_relaxed relaxed;
    int count = 0, code = wsk_list_cards(&cards, ask);
    if (code == WSK_OK)
        code = wsk_judge_all(&field, &cards, &known, ask);
    if (code == WSK_OK && (count = wsk_suggest_choose(chosen, &field, ask)) < 0)
        code = WSK_ERUN;
    if (code == WSK_OK)
        code = wsk_suggest_relax(&relaxed, &cards, &known, ask, count ? chosen[0].best->tokens_s : 0);
    wsk_cli_lock *lock = NULL;
    if (code == WSK_OK && dir && count && !(lock = wsk_cli_lock_results(dir, "suggest")))
        code = WSK_ERUN;
    if (code == WSK_OK && dir && !force)
        code = wsk_suggest_check(chosen, count, ask, dir);
    if (code == WSK_OK)
        code = json ? wsk_tell_json(chosen, count, &field, &cards, ask, &relaxed)
                    : wsk_tell_text(chosen, count, &field, &cards, ask, &relaxed, dir);
    if (code == WSK_OK && dir)
        code = wsk_suggest_write(chosen, count, ask, dir);
    wsk_cli_lock_drop(lock);
    if (code == WSK_OK && !count)
        code = WSK_EINPUT;
    free(field.list);
    wsk_known_free(&known);
    wsk_free_cards(&cards);
    return code;
}

/* Tries the value of an option in the workload of a rig with one card. False, after a message: the value is wrong, or
 * the engine cannot load weights of this quantization. */
static bool is_taken(const wsk_ask *ask, const char *name, const char *value)
{
    bool taken = true, loaded = true;
    wsk_rig *rig = NULL;
    if (!value)
        return true;
    char *text = wsk_cli_format("<rig><chassis part=\"chassis/test-bench\"><gpu part=\"gpu/rtx-4090\" slot=\"1\"/>"
                                "</chassis><workload kind=\"inference\" model=\"%s\" engine=\"%s\"/></rig>",
                                ask->model, ask->engine && strcmp(name, "quant") == 0 ? ask->engine : "llama.cpp"),
         *option = wsk_cli_format("--%s", name), *path = wsk_cli_format("workload.%s", name);
    wsk_cli_rig_options by = {0};
    wsk_cli_set_by(&by, option, path, value);
    wsk_cli_check_memory(wsk_suggest_load(&rig, text, ask, &by.sets) != WSK_ENOMEM);
    for (size_t i = 0; rig && i < wsk_rig_messages(rig); i++) {
        const wsk_said *said = wsk_rig_message_said(rig, i);
        const char *file, *message;
        int severity, line, column;
        wsk_rig_message(rig, i, &severity, &file, &line, &column, &message);
        taken = taken && !(said && said->code == WSK_SAY_SETTING && severity == 0);
        if (said && said->code == WSK_SAY_MODEL_QUANT) {
            wsk_buf why = {0};
            wsk_words_said(&why, wsk_cli_lang, said);
            fprintf(stderr, "wattsink: %s: %s\n", option, why.data ? why.data : "");
            wsk_buf_free(&why);
            loaded = false;
        }
    }
    if (!taken)
        wsk_cli_print_messages(rig, &by, 0);
    wsk_cli_print_long_context(rig, &by);
    wsk_rig_free(rig);
    wsk_cli_list_free(&by.sets, 0);
    free(text);
    free(option);
    free(path);
    return taken && loaded;
}

/* Checks that the catalogue has the language model. Returns the exit code, after printing a message if it is not
 * WSK_OK. */
static int find_model(const wsk_ask *ask)
{
    int code;
    wsk_findings *shown = wsk_cli_part("wattsink: --model: ", ask->options.parts, ask->parts, ask->model, &code);
    wsk_findings_free(shown);
    return code;
}

static int main_suggest(int argc, char **argv)
{
    const char *budget = NULL, *memory = NULL, *circuit = NULL, *noise = NULL, *model = NULL, *land = "",
               *years = NULL, *dir = NULL;
    bool json = false, force = false;
    wsk_ask ask = {0};
    wsk_cli_list words = {0};
    const wsk_cli_option options[] = {{.name = "budget", .value = &budget},
                                      {.name = "model", .value = &model},
                                      {.name = "memory", .value = &memory},
                                      {.name = "circuit", .value = &circuit},
                                      {.name = "noise", .value = &noise},
                                      {.name = "country", .value = &land},
                                      {.name = "years", .value = &years},
                                      {.name = "quant", .value = &ask.quant},
                                      {.name = "engine", .value = &ask.engine},
                                      {.name = "streams", .value = &ask.streams},
                                      {.name = "context", .value = &ask.context},
                                      {.name = "out", .letter = 'o', .value = &dir},
                                      {.name = "force", .flag = &force},
                                      {.name = "json", .flag = &json},
                                      {.name = "parts", .value = &ask.options.parts},
                                      {.name = "prices", .value = &ask.options.prices},
                                      {.name = "exchange", .list = &ask.options.exchanges},
                                      {.name = NULL}};
    int code = wsk_cli_parse(&wsk_cli_suggest, argc, argv, options, &words);
    char *id = NULL;
    if (code != WSK_OK) {
        code = code < 0 ? WSK_OK : code;
    } else if (words.count) {
        code = wsk_cli_usage(&wsk_cli_suggest, T_("'%s': suggest takes options only"), words.items[0]);
    } else if (!budget || !model) {
        code = wsk_cli_usage(&wsk_cli_suggest, T_("--%s is missing"), budget ? "model" : "budget");
    } else if (!read_budget(budget, &ask) || !read_amounts(&ask, memory, noise, years) ||
               (circuit && !read_circuit(circuit, &ask)) || !is_plain("model", model) ||
               !is_plain("quant", ask.quant) || !is_plain("engine", ask.engine) ||
               !is_plain("streams", ask.streams) || !is_plain("context", ask.context) ||
               !(ask.land = wsk_cli_find_country(&wsk_cli_suggest, land))) {
        code = WSK_EUSAGE;
    } else {
        ask.model = id = wsk_cli_format("%s%s", strchr(model, '/') ? "" : "model/", model);
        ask.parts = wsk_cli_parts_dir(ask.options.parts);
        if (!circuit)
            ask.socket = ask.land->sockets[0];
        code = find_model(&ask);
        if (code == WSK_OK)
            code = (int)wsk_suggest_hold(&ask);
        if (code == WSK_OK)
            code = is_taken(&ask, "quant", ask.quant) && is_taken(&ask, "engine", ask.engine) &&
                           is_taken(&ask, "streams", ask.streams) && is_taken(&ask, "context", ask.context)
                       ? answer(&ask, dir, json, force)
                       : WSK_EINPUT;
    }
    wsk_rig_free(ask.held);
    free(id);
    free(ask.parts);
    wsk_cli_list_free(&ask.options.exchanges, ask.options.exchanges.count);
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_suggest = {
    .name = "suggest",
    .usage = "--budget AMOUNT --model MODEL",
    .summary = N_("whole machines from the catalogue for a model and a budget"),
    .options =
        N_("  --budget AMOUNT     highest price of the machine, such as 6000USD\n"
           "  --model MODEL       language model that it serves; 'wattsink parts model' lists them\n"
           "  --memory SIZE       lowest total memory of all cards, such as 48GB\n"
           "  --circuit CIRCUIT   volts and amperes, such as '120 V 15 A' (default: the country's usual socket)\n"
           "  --noise LEVEL       highest sound level at 1 m, such as 45dBA\n"
           "  --country CODE      one of us, jp, de, fr, it, dk, gb; price of electricity, socket, summer\n"
           "  --years N           years over which the purchase is written off (default 3), without resale\n"
           "  --quant NAME        quantization of the weights (default Q4_K_M)\n"
           "  --engine NAME       llama.cpp (cards take turns at the layers) or vllm (all cards work on each layer)\n"
           "  --streams N         requests at the same time (default 1)\n"
           "  --context N         tokens of a request (default 8192)\n"
           "  -o DIR              write each machine as a rig into this folder\n"
           "  --force             replace rigs in DIR that differ, such as edited ones\n"
           "  --json              print the answer as JSON\n"
           "  --parts DIR         your own parts, searched before the catalogue\n"
           "  --prices FILE       prices of parts: id, price with its currency, date in each row\n"
           "  --exchange RATE     such as EUR=1.08 USD\n"
           "Prices are those of the catalogue, some of them years old: --prices FILE gives yours.\n"),
    .example = "wattsink suggest --budget 6000USD --model llama-3.1-70b --country us",
    .run = main_suggest};
