/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"
#include "words/words.h"

void wsk_cli_log_tell(const char *file, const wsk_log *log, size_t from)
{
    for (size_t i = from; i < wsk_log_messages(log); i++) {
        int severity, line, column;
        const wsk_said *said = wsk_log_message(log, i, &severity, &line, &column);
        wsk_cli_told_at(file, line, column, severity, said);
    }
}

static void take_stretch(wsk_cli_log *l)
{
    const size_t told = wsk_log_messages(l->log);
    wsk_cli_check_memory(wsk_log_take_stretch(l->log) == WSK_OK);
    wsk_cli_log_tell(l->file, l->log, told);
}

static bool named(const wsk_cli_log *l, const char *id)
{
    return l->id && strlen(id) == l->id_len && strncmp(id, l->id, l->id_len) == 0;
}

static bool card_of_log(const wsk_cli_log *l, size_t *out)
{
    const size_t cards = wsk_log_cards(l->log);
    const char *number = l->id + l->id_len;
    while (number > l->id && number[-1] >= '0' && number[-1] <= '9')
        number--;
    *out = 0;
    if (cards == 1)
        return true;
    const size_t len = (size_t)(l->id + l->id_len - number);
    for (size_t i = 0; i < cards; i++) {
        const char *name = wsk_log_card(l->log, i);
        if (len && strlen(name) == len && strncmp(name, number, len) == 0) {
            *out = i;
            return true;
        }
    }
    return false;
}

static wsk_readings readings(const wsk_cli_log *l, size_t of, wsk_log_quantity quantity)
{
    const wsk_log_series s = wsk_log_of(l->log, of, quantity);
    return (wsk_readings){s.t_s, s.value, s.count};
}

static double highest(wsk_log_series s)
{
    double most = 0;
    for (size_t i = 0; i < s.count; i++)
        most = fmax(most, s.value[i]);
    return most;
}

static void add(const wsk_rig *rig, wsk_cli_logs *logs, const wsk_cli_log *l, size_t of, size_t card)
{
    const char *part = NULL, *id = wsk_rig_card(rig, card, &part), *model = wsk_log_model(l->log, of);
    const bool other = part && wsk_cli_is_other_card(model, part);
    if (other)
        wsk_cli_note(
            T_("--log %1$s: its rows name the card %2$s, but %3$s of the rig is %4$s: is it the log of another "
               "card?"),
            l->file, model, id, part);
    logs->of[logs->count] = (wsk_cli_logged){
        .file = l->file, .other = other ? model : NULL, .card = card, .left_out = wsk_log_left_out(l->log)};
    wsk_cli_excess *over = &logs->of[logs->count].over;
    *over = wsk_cli_excess_of(rig, card, highest(wsk_log_of(l->log, of, WSK_LOG_LIMIT)));
    if (over->limit_w > 0)
        wsk_cli_note(
            T_("--log %1$s: its power limit is up to %2$.0f W, but %3$s of the rig takes %4$.0f W at most: is "
               "it the log of another card?"),
            l->file, over->limit_w, id, over->most_w);
    logs->traces[logs->count++] = (wsk_calibrate_trace){.card = card,
                                                        .power = readings(l, of, WSK_LOG_POWER),
                                                        .utilisation = readings(l, of, WSK_LOG_UTILISATION),
                                                        .clock = readings(l, of, WSK_LOG_CLOCK),
                                                        .die = readings(l, of, WSK_LOG_DIE),
                                                        .memory = readings(l, of, WSK_LOG_MEMORY),
                                                        .fan = readings(l, of, WSK_LOG_FAN),
                                                        .fan_speed = readings(l, of, WSK_LOG_FAN_SPEED),
                                                        .inlet = readings(l, of, WSK_LOG_INLET),
                                                        .limit = readings(l, of, WSK_LOG_LIMIT),
                                                        .work = readings(l, of, WSK_LOG_WORK),
                                                        .traffic = readings(l, of, WSK_LOG_MEMORY_UTILISATION),
                                                        .hot_spot = readings(l, of, WSK_LOG_HOT_SPOT)};
}

/* Assigns the cards of a log to the cards of the rig: in order if the log has all of them, else by the index that the
 * log states for each card. */
static int find_by_index(const wsk_rig *rig, const char *path, const wsk_cli_log *l, wsk_cli_logs *logs)
{
    const size_t cards = wsk_rig_cards(rig), logged = wsk_log_cards(l->log);
    for (size_t i = 0; i < logged; i++) {
        size_t card = i;
        if (logged < cards && (!wsk_log_index(l->log, i, &card) || card >= cards)) {
            wsk_cli_error(T_("--log %1$s: %2$s has %3$zu cards, and no index below that tells which of them the card "
                             "%4$s of the log is; expected --log ID=%1$s"),
                          l->file, path, cards, wsk_log_card(l->log, i));
            return WSK_EINPUT;
        }
        add(rig, logs, l, i, card);
    }
    return WSK_OK;
}

/* Prints the ids of the cards that are in no log: those that work, whose load the fit has to guess, and, if a log was
 * given without a card's id and so should have all cards of the rig, the others. */
static void tell_unlogged(const wsk_rig *rig, const wsk_cli_logs *logs)
{
    const char *part;
    bool by_order = false;
    wsk_buf list[3] = {{0}}; /* [1]: of cards that work; [2]: of those in a log, separated by spaces */
    for (size_t i = 0; i < logs->files_count; i++)
        by_order = by_order || !logs->files[i].id;
    for (size_t i = 0; i < wsk_rig_cards(rig); i++) {
        size_t k = 0;
        while (k < logs->count && logs->of[k].card != i)
            k++;
        wsk_buf *to = &list[wsk_calibrate_refusal(rig, i) == NULL];
        if (k == logs->count)
            wsk_buf_printf(to, "%s%s", to->len ? ", " : "", wsk_rig_card(rig, i, &part));
        else
            wsk_buf_printf(&list[2], "%s%s", list[2].len ? " " : "", wsk_rig_card(rig, i, &part));
    }
    wsk_cli_check_memory(!list[0].failed && !list[1].failed && !list[2].failed);
    if (list[0].len && by_order)
        wsk_cli_note(T_("not in the log, so not fitted: %s"), list[0].data);
    if (list[1].len)
        wsk_cli_note(
            T_("not in the log, so not fitted, and taken to work as the logged cards do: %1$s; if they rested, "
               "name those that worked: --set 'workload.gpus=%2$s'"),
            list[1].data, list[2].data);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        wsk_buf_free(&list[k]);
}

static int find_cards(const wsk_rig *rig, const char *path, const wsk_cli_log *l, wsk_cli_logs *logs)
{
    const size_t cards = wsk_rig_cards(rig), logged = wsk_log_cards(l->log);
    const char *part;
    if (!l->id) {
        if (logged > cards) {
            wsk_cli_error(T_("--log %1$s has %2$zu cards, %3$s has %4$zu; expected --log ID=%1$s for one of them"),
                          l->file, logged, path, cards);
            return WSK_EINPUT;
        }
        return find_by_index(rig, path, l, logs);
    }
    for (size_t i = 0; i < cards; i++) {
        size_t of;
        if (!named(l, wsk_rig_card(rig, i, &part)))
            continue;
        if (card_of_log(l, &of)) {
            add(rig, logs, l, of, i);
            if (logged > 1)
                wsk_cli_note(T_("--log %1$.*2$s: card %3$s of the %4$zu in %5$s is used"), l->id, (int)l->id_len,
                             wsk_log_card(l->log, of), logged, l->file);
            return WSK_OK;
        }
        wsk_cli_error(T_("--log %1$.*2$s: %3$s has %4$zu cards and none of that number; the first is %5$s"), l->id,
                      (int)l->id_len, l->file, logged, wsk_log_card(l->log, 0));
        return WSK_EINPUT;
    }
    wsk_cli_error(T_("--log %1$.*2$s: %3$s has no such card; expected an id such as %4$s"), l->id, (int)l->id_len,
                  path, cards ? wsk_rig_card(rig, 0, &part) : "gpu0");
    return WSK_EINPUT;
}

/* Prints why the logs were refused. If no fit names a reason, two logs are for the same card. Returns the exit code. */
static int refuse(const wsk_rig *rig, const wsk_cli_logs *logs)
{
    const char *part;
    for (size_t i = 0; i < logs->count; i++) {
        if (!logs->fits[i].refused)
            continue;
        wsk_buf b = {0};
        wsk_words_said(&b, wsk_cli_lang, logs->fits[i].refused);
        wsk_cli_check_memory(!b.failed);
        wsk_cli_error("%s: %s: %s", logs->of[i].file, wsk_rig_card(rig, logs->of[i].card, &part), b.data);
        wsk_buf_free(&b);
        wsk_cli_note(T_("a log is recorded by: %s"), wsk_cli_recording);
        return WSK_EINPUT;
    }
    wsk_cli_error("%s", T_("two logs for one card; expected one of each, as gpu0=FILE"));
    return WSK_EUSAGE;
}

int wsk_cli_logs_read(const wsk_rig *rig, const char *path, const wsk_cli_list *files, wsk_cli_logs *logs)
{
    const size_t cards = wsk_rig_cards(rig), room = files->count * (cards + 1);
    int code = WSK_OK;
    *logs = (wsk_cli_logs){.files = wsk_cli_alloc((files->count + 1) * sizeof *logs->files),
                           .traces = wsk_cli_alloc((room + 1) * sizeof *logs->traces),
                           .of = wsk_cli_alloc((room + 1) * sizeof *logs->of),
                           .fits = wsk_cli_alloc((room + 1) * sizeof *logs->fits),
                           .cut = wsk_cli_alloc((room + 1) * WSK_LOG_QUANTITIES * sizeof *logs->cut)};
    for (size_t i = 0; i < files->count && code == WSK_OK; i++) {
        wsk_cli_log *l = &logs->files[logs->files_count++];
        *l = (wsk_cli_log){.file = files->items[i]};
        l->file = wsk_cli_split_id(files->items[i], &l->id, &l->id_len);
        code = wsk_cli_log_open(l->file, &l->log);
        if (l->log)
            wsk_cli_log_tell(l->file, l->log, 0);
        if (code == WSK_OK)
            take_stretch(l);
        if (code == WSK_OK)
            code = find_cards(rig, path, l, logs);
    }
    if (code == WSK_OK && files->count)
        tell_unlogged(rig, logs);
    return code == WSK_OK ? wsk_cli_logs_align(logs) : code;
}

int wsk_cli_logs_fit(const wsk_rig *rig, double holdout, wsk_cli_logs *logs)
{
    if (!logs->count)
        return WSK_OK;
    const int code = (int)wsk_calibrate_log(rig, logs->traces, logs->count, holdout, logs->fits, &logs->curves);
    wsk_cli_check_memory(code != WSK_ENOMEM);
    if (code == WSK_EUSAGE)
        return refuse(rig, logs);
    if (code != WSK_OK)
        wsk_cli_error(
            T_("%1$s: the model cannot follow the log; are its watts, degrees and fan speeds those of this card?"),
            logs->files[0].file);
    return code;
}

void wsk_cli_logs_free(wsk_cli_logs *logs)
{
    for (size_t i = 0; i < logs->files_count; i++)
        wsk_log_free(logs->files[i].log);
    wsk_log_curves_free(logs->curves);
    for (size_t i = 0; i < logs->cut_count; i++)
        free(logs->cut[i]);
    free(logs->cut);
    free(logs->files);
    free(logs->traces);
    free(logs->of);
    free(logs->fits);
}
