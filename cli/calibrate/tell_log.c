/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"
#include "cli/kit/grid.h"

static const char *what_it_is(const char *name)
{
    static const char *const words[][2] = {{"inlet", N_("room, by the inlet")},
                                           {"conductance", N_("conductance, cooler")},
                                           {"block-conductance", N_("block-conductance, cooler")},
                                           {"die-resistance", N_("die-resistance")},
                                           {"capacity", N_("capacity of the heatsink")},
                                           {"board-capacity", N_("board-capacity")},
                                           {"board-conductance", N_("board-conductance")},
                                           {"memory-resistance", N_("memory-resistance")}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], name) == 0)
            return T_(words[i][1]);
    return name;
}

/* Unit of a value, and what is taken off it to show it. */
static const char *unit_of(const char *name, double *less)
{
    *less = strcmp(name, "inlet") == 0 ? WSK_KELVIN : 0;
    if (strcmp(name, "inlet") == 0)
        return "°C";
    if (strstr(name, "conductance"))
        return "W/K";
    return strstr(name, "resistance") ? "K/W" : "J/K";
}

/* together: inlet and conductance at one power */
static const char *learnt(const wsk_calibrated *v, bool together)
{
    const double share = v->learnt;
    if (together && (strcmp(v->name, "inlet") == 0 || strstr(v->name, "conductance")) &&
        strcmp(v->name, "board-conductance") != 0)
        return T_("not apart");
    return share >= 0.75 ? T_("learnt") : share >= 0.1 ? T_("partly") : T_("not seen");
}

static void set_cell(wsk_cli_grid *g, size_t row, size_t column, char *text)
{
    wsk_cli_grid_set(g, row, column, text);
    free(text);
}

static void print_values(const wsk_calibration *fit, bool together)
{
    wsk_cli_grid g = wsk_cli_grid_new(fit->count + 1, 5, 1);
    wsk_cli_grid_set(&g, 0, 1, T_("catalogue"));
    wsk_cli_grid_set(&g, 0, 2, T_("this card"));
    wsk_cli_grid_set(&g, 0, 3, T_("unit"));
    wsk_cli_grid_set(&g, 0, 4, T_("by the log"));
    for (size_t i = 0; i < fit->count; i++) {
        const wsk_calibrated *v = &fit->values[i];
        double less;
        wsk_cli_grid_set(&g, i + 1, 0, what_it_is(v->name));
        wsk_cli_grid_set(&g, i + 1, 3, unit_of(v->name, &less));
        set_cell(&g, i + 1, 1, wsk_cli_plus_minus(v->prior - less, v->prior_spread));
        set_cell(&g, i + 1, 2, wsk_cli_plus_minus(v->value - less, v->spread));
        wsk_cli_grid_set(&g, i + 1, 4, learnt(v, together));
    }
    wsk_cli_grid_print(stdout, &g, wsk_cli_page(stdout, 100));
    wsk_cli_grid_free(&g);
}

/* ---- errors ---- */
static void error_row(wsk_cli_grid *g, size_t row, const char *name, const wsk_log_error *e)
{
    wsk_cli_grid_set(g, row, 0, name);
    set_cell(g, row, 1, wsk_cli_format("%.2f", e->mae_k));
    set_cell(g, row, 2, wsk_cli_format("%.2f", e->rmse_k));
    set_cell(g, row, 3, wsk_cli_format("%+.2f", e->bias_k));
    set_cell(g, row, 4, wsk_cli_format("%+.1f", e->worst_k));
}

static void print_errors(const wsk_log_fit *f)
{
    static const char *const phases[] = {N_("  first minute of load"), N_("  warming up"), N_("  settled"),
                                         N_("  cooling down")};
    wsk_cli_grid g = wsk_cli_grid_new(5 + 2 * WSK_PHASES, 5, 1);
    size_t row = 1;
    wsk_cli_grid_set(&g, 0, 0, T_("model less log, K"));
    wsk_cli_grid_set(&g, 0, 1, T_("mean size"));
    wsk_cli_grid_set(&g, 0, 2, T_("rms"));
    wsk_cli_grid_set(&g, 0, 3, T_("mean"));
    wsk_cli_grid_set(&g, 0, 4, T_("worst"));
    for (int part = 0; part < WSK_LOG_PARTS; part++) {
        const bool held = part == WSK_PART_HELD_OUT;
        if (!f->die[part].readings)
            continue;
        error_row(&g, row++, held ? T_("held out") : T_("fitted"), &f->die[part]);
        for (int k = 0; k < WSK_PHASES; k++)
            if (f->phase[part][k].readings)
                error_row(&g, row++, T_(phases[k]), &f->phase[part][k]);
    }
    if (f->memory[WSK_PART_FITTED].readings)
        error_row(&g, row++, T_("memory, fitted"), &f->memory[WSK_PART_FITTED]);
    if (f->memory[WSK_PART_HELD_OUT].readings)
        error_row(&g, row++, T_("memory, held out"), &f->memory[WSK_PART_HELD_OUT]);
    g.rows = row;
    wsk_cli_grid_print(stdout, &g, wsk_cli_page(stdout, 100));
    wsk_cli_grid_free(&g);
}

static void print_skill(const wsk_log_fit *f)
{
    const wsk_log_error *held = &f->die[WSK_PART_HELD_OUT];
    if (held->readings) {
        wsk_cli_say(
            stdout,
            T_("Held out: the last %1$.0f of %2$.0f minutes; a fit without them is judged by them. Its rms error "
               "there "
               "is %3$.2f K; that of the last fitted temperature is %4$.1f K, that of a line in power %5$.1f K.\n"),
            (f->end_s - f->held_from_s) / 60, f->end_s / 60, held->rmse_k, held->rmse_k / (1 - f->skill_stays),
            held->rmse_k / (1 - f->skill_line));
        wsk_cli_say(stdout, T_("%1$.0f %% of the readings there are within its 80 %% band, %2$.1f K to each side.\n"),
                    100 * f->within[WSK_PART_HELD_OUT], f->band_k[WSK_PART_HELD_OUT]);
    } else {
        fputs(T_("Nothing was held out, so nothing proves the fit; --holdout 40% would.\n"), stdout);
    }
    wsk_cli_say(stdout,
                T_("The values are those of the whole log, whose readings count as %1$.0f independent ones.\n"),
                f->samples);
}

static void print_open(const wsk_log_fit *f)
{
    if (f->one_power)
        fputs(T_("One power: the log tells inlet and conductance only together. A stretch 30 % below that power, or "
                 "ten "
                 "minutes idle, would tell them apart.\n"),
              stdout);
    if (f->power_modelled)
        fputs(T_("The log has no watts: they come from clock and utilisation, and their error is in each value.\n"),
              stdout);
    if (f->residual_k > 1.5)
        wsk_cli_say(
            stdout,
            T_("The model leaves %1$.1f K rms: something of the log is not in the rig, such as another load, a "
               "door, a fan.\n"),
            f->residual_k);
}

void wsk_cli_log_print(const wsk_rig *rig, const wsk_cli_logged *of, const wsk_log_fit *f)
{
    const char *part = NULL, *id = wsk_rig_card(rig, of->card, &part);
    wsk_cli_say(stdout, T_("%1$s, %2$s: %3$.0f minutes of %4$s\n"), id, part ? part : "gpu", f->end_s / 60, of->file);
    if (of->left_out)
        wsk_cli_say(stdout, T_("%1$zu rows of the file could not be read.\n"), of->left_out);
    print_values(&f->fit, f->one_power);
    print_errors(f);
    print_skill(f);
    print_open(f);
}

/* ---- JSON ---- */
static void number(const char *key, double value, const char *after)
{
    char text[32];
    if (isfinite(value))
        wsk_format_number(text, sizeof text, value);
    printf("\"%s\": %s%s", key, isfinite(value) ? text : "null", after);
}

static void error_json(const char *key, const wsk_log_error *e, const char *after)
{
    printf("\"%s\": {\"readings\": %zu, ", key, e->readings);
    number("mae_k", e->mae_k, ", ");
    number("rmse_k", e->rmse_k, ", ");
    number("bias_k", e->bias_k, ", ");
    number("worst_k", e->worst_k, "}");
    printf("%s", after);
}

void wsk_cli_log_json(const wsk_rig *rig, const wsk_cli_logged *of, const wsk_log_fit *f)
{
    static const char *const parts[] = {"fitted", "held_out"}, *const phases[] = {"first_minute", "warm_up",
                                                                                  "settled", "cool_down"};
    const char *part = NULL, *id = wsk_rig_card(rig, of->card, &part);
    printf("{\"card\": ");
    wsk_json_quote(stdout, id);
    printf(", \"file\": ");
    wsk_json_quote(stdout, of->file);
    printf(", \"left_out\": %zu, ", of->left_out);
    number("end_s", f->end_s, ", ");
    number("held_from_s", f->held_from_s, ", \"values\": [");
    for (size_t i = 0; i < f->fit.count; i++) {
        const wsk_calibrated *v = &f->fit.values[i];
        double less;
        const char *unit = unit_of(v->name, &less);
        printf("%s{\"name\": \"%s\", \"unit\": \"%s\", ", i ? ", " : "", v->name, less > 0 ? "degC" : unit);
        number("value", v->value - less, ", ");
        number("spread", v->spread, ", ");
        number("prior", v->prior - less, ", ");
        number("prior_spread", v->prior_spread, ", ");
        number("learnt", v->learnt, "}");
    }
    printf("], \"errors\": {");
    for (int p = 0; p < WSK_LOG_PARTS; p++) {
        printf("\"%s\": {", parts[p]);
        error_json("die", &f->die[p], ", ");
        error_json("memory", &f->memory[p], ", ");
        for (int k = 0; k < WSK_PHASES; k++)
            error_json(phases[k], &f->phase[p][k], k + 1 < WSK_PHASES ? ", " : "");
        printf("}%s", p ? "" : ", ");
    }
    printf("}, ");
    number("within_80", f->within[WSK_PART_HELD_OUT], ", ");
    number("band_80_k", f->band_k[WSK_PART_HELD_OUT], ", ");
    number("skill_stays", f->skill_stays, ", ");
    number("skill_line", f->skill_line, ", ");
    number("samples", f->samples, ", ");
    number("residual_k", f->residual_k, ", ");
    printf("\"one_power\": %s, \"power_modelled\": %s}", f->one_power ? "true" : "false",
           f->power_modelled ? "true" : "false");
}
