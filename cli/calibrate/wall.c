/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"
#include "words/words.h"

/* Seconds from the start of the log to the start of the meter's samples: by UTC if both files state it, else by their
 * local times. NAN: neither is known of both files. */
static double after_s(const wsk_log *log, const wsk_log *meter)
{
    const double utc = wsk_log_start_utc_s(meter) - wsk_log_start_utc_s(log);
    return isnan(utc) ? wsk_log_start_civil_s(meter) - wsk_log_start_civil_s(log) : utc;
}

static int refuse(const wsk_cli_wall *w)
{
    wsk_buf b = {0};
    wsk_words_said(&b, wsk_cli_lang, w->fit.refused);
    wsk_cli_check_memory(!b.failed);
    wsk_cli_error("--wall %s: %s", w->file, b.data);
    wsk_buf_free(&b);
    return WSK_EINPUT;
}

static int say_no_watts(const char *file)
{
    wsk_cli_error(T_("%s:1:1: no column of watts at the wall; expected a column of times and one of watts, such as "
                     "time,wall_w"),
                  file);
    return WSK_EINPUT;
}

/* True if the reader of logs found no known column in the file. The reader's message then asks for the log of a card,
 * which is wrong for the file of a meter, so it is not printed. */
static bool is_unknown(const wsk_log *log)
{
    static const char *const codes[] = {"log.unknown", "log.no-header", "log.empty"};
    int severity, line, column;
    const char *first =
        wsk_log_messages(log) ? wsk_said_code(wsk_log_message(log, 0, &severity, &line, &column)) : "";
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strcmp(first, codes[i]) == 0)
            return true;
    return false;
}

int wsk_cli_wall_fit(const wsk_rig *rig, const char *file, const wsk_cli_logs *logs, double holdout, wsk_cli_wall *w)
{
    *w = (wsk_cli_wall){.file = file};
    int code = wsk_cli_log_open(file, &w->log);
    if (w->log && is_unknown(w->log))
        return say_no_watts(file);
    if (w->log)
        wsk_cli_log_tell(file, w->log, 0);
    if (code != WSK_OK)
        return code;
    const wsk_log_series s = wsk_log_wall(w->log);
    if (!s.count)
        return say_no_watts(file);
    const wsk_readings wall = {s.t_s, s.value, s.count};
    code = (int)wsk_calibrate_wall(rig, logs->traces, logs->count, &wall,
                                   after_s(logs->files[0].log, w->log) - logs->from_s, holdout, &w->fit);
    wsk_cli_check_memory(code != WSK_ENOMEM);
    if (w->fit.refused)
        return refuse(w);
    if (code == WSK_EUSAGE)
        return WSK_OK;
    if (code != WSK_OK)
        wsk_cli_error(T_("%1$s: the model cannot follow the log; are its watts, degrees and fan speeds those of this "
                         "card?"),
                      logs->files[0].file);
    return code;
}

void wsk_cli_wall_print(const wsk_cli_wall *w)
{
    wsk_buf b = {0};
    wsk_cli_say(stdout, T_("the machine, by %s\n"), w->file);
    wsk_cli_values_print(&w->fit.fit, WSK_FITTED_TO_METER);
    wsk_fitted_wall(&b, wsk_cli_lang, &w->fit);
    wsk_cli_check_memory(!b.failed);
    wsk_cli_say(stdout, "%s", b.data);
    wsk_buf_free(&b);
}

void wsk_cli_wall_json(const wsk_cli_wall *w)
{
    static const char *const parts[] = {"fitted", "held_out"};
    printf("\"wall\": {\"file\": ");
    wsk_json_quote(stdout, w->file);
    printf(", ");
    wsk_cli_values_json(&w->fit.fit);
    printf(", \"clock_found\": %s, ", w->fit.clock_found ? "true" : "false");
    wsk_cli_number_json("clock_ahead_s", w->fit.ahead_s, ", ");
    wsk_cli_number_json("begins_s", w->fit.begins_s, ", ");
    wsk_cli_number_json("begins_spread_s", w->fit.begins_sd_s, ", ");
    wsk_cli_number_json("cards_rel", w->fit.cards_rel, ", ");
    wsk_cli_number_json("cards_spread_rel", w->fit.cards_sd_rel, ", ");
    wsk_cli_number_json("cards_learnt", w->fit.cards_learnt, ", \"errors\": {");
    for (int i = 0; i < WSK_LOG_PARTS; i++) {
        const wsk_wall_error *e = &w->fit.error[i];
        printf("%s\"%s\": {\"minutes\": %zu, ", i ? ", " : "", parts[i], e->minutes);
        wsk_cli_number_json("mean_w", e->mean_w, ", ");
        wsk_cli_number_json("cv_rmse", e->cv_rmse, ", ");
        wsk_cli_number_json("nmbe", e->nmbe, "}");
    }
    printf("}, ");
    wsk_cli_number_json("samples", w->fit.samples, ", \"doubts\": [");
    const bool low = wsk_fitted_meter_low(&w->fit);
    if (low || wsk_fitted_meter_high(&w->fit)) {
        printf("{\"code\": \"calibrate.meter-%s\", ", low ? "low" : "high");
        wsk_cli_number_json("meter_w", w->fit.mean_w, ", ");
        wsk_cli_number_json("cards_w", w->fit.cards_mean_w, "}");
    }
    printf("]}");
}
