/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scorecard of a controller (a program that steers the twin): results since the start of the twin, such as energy,
 * cost, work, and the time for which limits were exceeded. */
#include <math.h>

#include "cli/twin/answer.h"

void wsk_live_number(wsk_buf *out, double value)
{
    char text[32] = "null";
    if (isfinite(value))
        wsk_format_number(text, sizeof text, value);
    wsk_buf_printf(out, "%s", text);
}

static double sum_of(const wsk_run *run, wsk_var variable)
{
    const wsk_owner owner = wsk_var_about(variable)->owner;
    double sum = 0;
    for (size_t i = 0; i < wsk_run_owners(run, owner); i++) {
        const double value = wsk_run_value(run, variable, i);
        sum += isnan(value) ? 0 : value;
    }
    return sum;
}

/* Sums over all cards, PSUs or circuits, in the order of the scorecard's keys. */
static const struct {
    const char *key;
    wsk_var variable;
} sums[] = {{"power_s", WSK_VAR_CARD_HELD_POWER_S},    {"thermal_s", WSK_VAR_CARD_HELD_THERMAL_S},
            {"memory_s", WSK_VAR_CARD_HELD_MEMORY_S},  {"hardware_s", WSK_VAR_CARD_HELD_HW_S},
            {"brake_s", WSK_VAR_CARD_HELD_BRAKE_S},    {"psu_over_s", WSK_VAR_SUPPLY_OVER_S},
            {"circuit_over_s", WSK_VAR_CIRCUIT_OVER_S}};

/* variables of the rig, written under their own names */
static const wsk_var of_rig[] = {WSK_VAR_ENERGY_KWH, WSK_VAR_COST, WSK_VAR_WORK_DONE, WSK_VAR_TRIPS,
                                 WSK_VAR_SHUTDOWNS};

static void put(wsk_buf *out, const char *key, double value)
{
    wsk_buf_printf(out, ", \"%s\": ", key);
    wsk_live_number(out, value);
}

void wsk_live_score(const wsk_live *live, wsk_buf *out)
{
    wsk_summary *summary = NULL;
    const wsk_run *run = live->run;
    wsk_cli_check_memory(wsk_run_summary(&summary, run, 0) == WSK_OK);
    const char *currency = wsk_summary_text(summary, WSK_R_CURRENCY, 0);
    wsk_buf_printf(out, ", \"score\": {\"rig\": ");
    wsk_buf_json(out, live->moment.rig);
    put(out, "seed", (double)live->seed);
    wsk_buf_printf(out, ", \"currency\": ");
    wsk_buf_json(out, currency ? currency : "");
    put(out, "work_gpu_h", wsk_summary_number(summary, WSK_R_WORK, 0));
    put(out, "work_unthrottled_gpu_h", wsk_summary_number(summary, WSK_R_WORK_UNTHROTTLED, 0));
    wsk_buf_printf(out, ", \"violations\": {\"wall_peak_w\": ");
    wsk_live_number(out, wsk_summary_number(summary, WSK_R_WALL_PEAK_W, 0));
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        put(out, sums[i].key, sum_of(run, sums[i].variable));
    wsk_buf_printf(out, "}");
    for (size_t i = 0; i < sizeof of_rig / sizeof *of_rig; i++)
        put(out, wsk_var_about(of_rig[i])->name, wsk_run_value(run, of_rig[i], 0));
    put(out, "cards_off", sum_of(run, WSK_VAR_CARD_OFF));
    wsk_buf_printf(out, "}");
    wsk_summary_free(summary);
}
