/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every text of a picture, as gnuplot variables before its script; the scripts have no texts. Labels and units of
 * quantities come from the tables of variables and results. */
#include <stdlib.h>
#include <string.h>

#include "cli/plot/plot.h"

/* Texts of a picture; picture "": of all pictures. name: gnuplot variable. The script fills in %s, %d and %g. */
static const struct {
    const char *picture, *name, *english;
} texts[] = {
    {"", "w_mean", N_("mean")},
    {"", "w_range", N_("90 % of the time")},
    {"", "w_pauses", N_("| checkpoint, each %.3g %s")},
    {"", "w_pauses_many", N_("checkpoint: each %.3g %s")},
    {"", "w_min", N_("min")},
    {"", "w_hours", N_("h")},
    {"", "w_best", N_("best")},
    {"", "w_axis_from", N_("axis from %g")},
    {"", "w_with_means", N_("%s, means")},
    {"", "w_with_bands", N_("%s: mean, and band of 90 %% of the time")},
    {"temps", "w_title", N_("Temperatures")},
    {"temps", "w_die", N_("GPU")},
    {"temps", "w_memory", N_("memory")},
    {"temps", "w_hotspot", N_("GPU hot spot")},
    {"temps", "w_target", N_("GPU target")},
    {"temps", "w_memory_limit", N_("memory limit")},
    {"temps", "w_air_in", N_("intake air")},
    {"temps", "w_coolant_in", N_("intake coolant")},
    {"temps", "w_coolants", N_("coolant: in the tank a line, warmest dashed")},
    {"temps", "w_coolant", N_("%s: coolant")},
    {"temps", "w_back", N_("warmest")},
    {"temps", "w_to_blocks", N_("in the tank")},
    {"temps", "w_air", N_("air")},
    {"temps", "w_room", N_("room")},
    {"temps", "w_outdoors", N_("outdoors")},
    {"temps", "w_case", N_("case")},
    {"power", "w_title", N_("Power at the wall and of each card")},
    {"power", "w_rest", N_("rest of the rig")},
    {"power", "w_psu", N_("lost in the PSU")},
    {"power", "w_cooling", N_("air conditioner, mean")},
    {"power", "w_rest_short", N_("+ rest of rig")},
    {"power", "w_psu_short", N_("+ PSU loss")},
    {"power", "w_psu_wall_short", N_("+ PSU = the wall")},
    {"power", "w_cards", N_("%d cards")},
    {"power", "w_at_wall", N_("at the wall, mean")},
    {"power", "w_at_wall_stacked", N_("at the wall, mean, each line on top of the one below")},
    {"power", "w_wall", N_("rig at the wall")},
    {"power", "w_max", N_("its maximum")},
    {"power", "w_max_wall", N_("max at the wall")},
    {"power", "w_limit", N_("circuit limit")},
    {"clocks", "w_title", N_("GPU clock, and the share of time for which it is limited")},
    {"clocks", "w_by_power", N_("power limit")},
    {"clocks", "w_by_heat", N_("GPU temperature")},
    {"clocks", "w_by_memory", N_("memory temp.")},
    {"clocks", "w_by_hardware", N_("hw slowdown")},
    {"clocks", "w_unknown", N_("clock unknown: the power of the card is given")},
    {"clocks", "w_limited", N_("%s: share of time limited")},
    {"fans", "w_title", N_("Fans and pumps")},
    {"fans", "w_coolant", N_("%s: coolant")},
    {"cost", "w_title", N_("Electricity cost")},
    {"cost", "w_title_energy", N_("Energy at the wall")},
    {"cost", "w_by_part", N_("since the start, by use")},
    {"cost", "w_by_hour", N_("energy charges per hour")},
    {"cost", "w_per_hour", N_("%s/h")},
    {"cost", "w_cards", N_("cards")},
    {"cost", "w_rest", N_("rest of the rig")},
    {"cost", "w_psu", N_("lost in the PSU")},
    {"cost", "w_cooling", N_("air conditioner")},
    {"cost", "w_other", N_("other charges")},
    {"cost", "w_all", N_("all: %s %s")},
    {"psu", "w_title", N_("PSUs")},
    {"psu", "w_of_psu", N_("%s: %s")},
    {"compare", "w_title", N_("Comparison of the cases")},
    {"compare", "w_title_over", N_("Comparison of the cases over %s")},
    {"compare", "w_title_year", N_("Comparison of the cases, per year")},
    {"compare", "w_year", N_("%s/year")},
    {"compare", "w_with_unit", N_("%s (%s)")},
    {"compare", "w_cards", N_("cards")},
    {"compare", "w_rest", N_("rest of the rig")},
    {"compare", "w_fans", N_("fans, pumps")},
    {"compare", "w_psu", N_("PSU losses")},
    {"compare", "w_loads", N_("at the outlet")},
    {"compare", "w_feed", N_("feed losses")},
    {"compare", "w_cooling", N_("room cooling")},
    {"compare", "w_energy", N_("energy")},
    {"compare", "w_cost", N_("electricity cost")},
    {"compare", "w_per_work", N_("electricity cost of work")},
    {"compare", "w_work", N_("work")},
    {"limit", "w_title", N_("Throughput, energy, cost, temperature and noise by power limit")},
    {"limit", "w_throughput", N_("throughput, relative to an unthrottled card at its default limit")},
    {"limit", "w_done", N_("throughput")},
    {"limit", "w_unthrottled", N_("without heat")},
    {"limit", "w_per_kwh", N_("work per kilowatt-hour at the wall")},
    {"limit", "w_work", N_("work")},
    {"limit", "w_cost", N_("cost")},
    {"limit", "w_power", N_("power")},
    {"limit", "w_limit", N_("limit")},
    {"limit", "w_temperature", N_("max temperature of the cards")},
    {"limit", "w_die", N_("GPU")},
    {"limit", "w_memory", N_("memory")},
    {"limit", "w_rig", N_("rig")},
    {"limit", "w_band", N_("uncertainty")},
    {"limit", "w_cheapest", N_("cheapest, all in")},
    {"limit", "w_cheapest_electricity", N_("cheapest to run")},
    {"limit", "w_over", N_("overloaded")},
    {"limit", "w_limit_axis", N_("power limit of each card (W)")},
    {"calibration", "w_title", N_("Calibration: temperatures of the log, and of the fit to its first part")},
    {"calibration", "w_die", N_("GPU, log")},
    {"calibration", "w_die_model", N_("GPU, fit")},
    {"calibration", "w_memory", N_("memory, log")},
    {"calibration", "w_memory_model", N_("memory, fit")},
    {"calibration", "w_band", N_("80 % band")},
    {"calibration", "w_held", N_("held out")},
    {"calibration", "w_off", N_("fit less log")},
    {"calibration", "w_die_short", N_("GPU")},
    {"calibration", "w_memory_short", N_("memory")},
    {"overlay", "w_temps", N_("%d runs: temperatures")},
    {"overlay", "w_power", N_("%d runs: power")},
    {"overlay", "w_clocks", N_("%d runs: GPU clock, and what limits it")},
    {"overlay", "w_fans", N_("%d runs: fans, pumps and noise")},
    {"overlay", "w_cost", N_("%d runs: electricity cost")},
    {"overlay", "w_psu", N_("%d runs: PSUs")},
    {"pareto", "w_title", N_("Pareto front: %s against %s")},
    {"pareto", "w_more", N_("%s, more is better")},
    {"pareto", "w_less", N_("%s, less is better")},
    {"pareto", "w_unmet", N_("grey: not %s")},
    {"pareto", "w_front", N_("Pareto front")},
};

/* Quantities with label and unit from the table of variables. name, unit: gnuplot variables for label and unit; NULL:
 * not used. */
static const struct {
    const char *picture, *name, *unit;
    wsk_var variable;
} variables[] = {
    {"temps", NULL, "u_temperature", WSK_VAR_CARD_DIE_C}, {"calibration", NULL, "u_temperature", WSK_VAR_CARD_DIE_C},
    {"power", NULL, "u_power", WSK_VAR_CARD_POWER_W},     {"clocks", NULL, "u_clock", WSK_VAR_CARD_CLOCK_MHZ},
    {"fans", NULL, "u_speed", WSK_VAR_CARD_FAN_RPM},      {"fans", NULL, "u_flow", WSK_VAR_LOOP_FLOW_LPM},
    {"fans", "w_noise", "u_noise", WSK_VAR_NOISE_DBA},    {"cost", "w_energy", "u_energy", WSK_VAR_ENERGY_KWH},
    {"psu", "w_load", "u_load", WSK_VAR_SUPPLY_LOAD},     {"psu", "w_efficiency", NULL, WSK_VAR_SUPPLY_EFFICIENCY},
    {"psu", "w_loss", "u_loss", WSK_VAR_PSU_LOSS_W}};

static const struct {
    const char *picture, *name, *unit;
    wsk_result result;
} results[] = {
    {"compare", "w_die", "u_die", WSK_R_GPU_DIE_MAX},      {"compare", "w_per_gpu_hour", NULL, WSK_R_COST_PER_WORK},
    {"compare", "w_noise", "u_noise", WSK_R_NOISE},        {"compare", NULL, "u_energy", WSK_R_WALL_KWH},
    {"limit", "w_per_work", NULL, WSK_R_COST_PER_WORK},    {"limit", "w_board", "u_power", WSK_R_GPU_POWER_MEAN},
    {"limit", "w_clock", "u_clock", WSK_R_GPU_CLOCK_MEAN}, {"limit", NULL, "u_die", WSK_R_GPU_DIE_MAX},
    {"limit", "w_noise", "u_noise", WSK_R_NOISE}};

const char *wsk_plot_unit(const char *unit)
{
    return !strcmp(unit, "degC") ? "°C" : *unit ? unit : "%";
}

char *wsk_plot_join(char *title, char *more)
{
    char *both = wsk_cli_format(T_("%1$s, %2$s"), title, more);
    free(title);
    free(more);
    return both;
}

void wsk_plot_quote(FILE *out, const char *name, const char *text)
{
    fprintf(out, "%s = '", name);
    for (const char *p = text; *p; p++) {
        if (*p == '\'')
            fputc('\'', out);
        if ((unsigned char)*p >= 32)
            fputc(*p, out);
    }
    fputs("'\n", out);
}

static bool belongs(const char *picture, const char *to)
{
    return !picture[0] || !strcmp(picture, to);
}

void wsk_plot_name(FILE *out, wsk_var variable)
{
#define NAME(handle, ...) [WSK_VAR_##handle] = #handle,
    static const char *const handles[WSK_VAR_COUNT] = {WSK_VARIABLES(NAME)};
#undef NAME
    wsk_plot_quote(out, handles[variable], wsk_var_about(variable)->name);
}

void wsk_plot_words(FILE *out, const char *picture)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (belongs(texts[i].picture, picture))
            wsk_plot_quote(out, texts[i].name, T_(texts[i].english));
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const wsk_var_row *row = wsk_var_about(variables[i].variable);
        if (!belongs(variables[i].picture, picture))
            continue;
        if (variables[i].name)
            wsk_plot_quote(out, variables[i].name, T_(row->label));
        if (variables[i].unit)
            wsk_plot_quote(out, variables[i].unit, wsk_plot_unit(row->unit));
    }
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        const wsk_result_row *row = wsk_result_about(results[i].result);
        if (!belongs(results[i].picture, picture))
            continue;
        if (results[i].name)
            wsk_plot_quote(out, results[i].name, T_(row->label));
        if (results[i].unit)
            wsk_plot_quote(out, results[i].unit, wsk_plot_unit(row->unit));
    }
}
