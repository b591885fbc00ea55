/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"
#include "cli/kit/grid.h"

static void error_row(wsk_cli_grid *g, size_t row, const char *name, const wsk_log_error *e)
{
    wsk_cli_grid_set(g, row, 0, name);
    wsk_cli_set_cell(g, row, 1, wsk_cli_format("%.2f", e->mae_k));
    wsk_cli_set_cell(g, row, 2, wsk_cli_format("%.2f", e->rmse_k));
    wsk_cli_set_cell(g, row, 3, wsk_cli_format("%+.2f", e->bias_k));
    wsk_cli_set_cell(g, row, 4, wsk_cli_format("%+.1f", e->worst_k));
}

static void phase_row(wsk_cli_grid *g, size_t row, wsk_log_phase phase, const wsk_log_error *e)
{
    char *name = wsk_cli_format("  %s", wsk_fitted_phase(wsk_cli_lang, phase));
    error_row(g, row, name, e);
    free(name);
}

static void print_errors(const wsk_log_fit *f)
{
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
                phase_row(&g, row++, (wsk_log_phase)k, &f->phase[part][k]);
    }
    if (f->memory[WSK_PART_FITTED].readings)
        error_row(&g, row++, T_("memory, fitted"), &f->memory[WSK_PART_FITTED]);
    if (f->memory[WSK_PART_HELD_OUT].readings)
        error_row(&g, row++, T_("memory, held out"), &f->memory[WSK_PART_HELD_OUT]);
    g.rows = row;
    wsk_cli_grid_print(stdout, &g, wsk_cli_page(stdout, 100));
    wsk_cli_grid_free(&g);
}

typedef void sentences(wsk_buf *out, wsk_lang lang, const wsk_log_fit *fit);
static void print_sentences(const wsk_log_fit *f, sentences *say)
{
    wsk_buf b = {0};
    say(&b, wsk_cli_lang, f);
    wsk_cli_check_memory(!b.failed);
    if (b.len)
        wsk_cli_say(stdout, "%s", b.data);
    wsk_buf_free(&b);
}

static void share_row(wsk_cli_grid *g, size_t *row, const char *name, const wsk_log_share *e)
{
    if (!e->readings)
        return;
    wsk_cli_grid_set(g, *row, 0, name);
    wsk_cli_set_cell(g, *row, 1, wsk_cli_format("%.1f", 100 * e->mae_rel));
    wsk_cli_set_cell(g, *row, 2, wsk_cli_format("%+.1f", 100 * e->bias_rel));
    wsk_cli_set_cell(g, (*row)++, 3, wsk_cli_format("%+.1f", 100 * e->worst_rel));
}

static void share_rows(wsk_cli_grid *g, size_t *row, const char *const names[WSK_LOG_PARTS], const wsk_log_share *all,
                       const wsk_log_share (*phase)[WSK_PHASES])
{
    for (int part = 0; part < WSK_LOG_PARTS; part++) {
        share_row(g, row, T_(names[part]), &all[part]);
        for (int k = 0; phase && k < WSK_PHASES; k++) {
            char *name = wsk_cli_format("  %s", wsk_fitted_phase(wsk_cli_lang, (wsk_log_phase)k));
            share_row(g, row, name, &phase[part][k]);
            free(name);
        }
    }
}

static void print_electrical(const wsk_log_electrical *e)
{
    static const char *const power[] = {N_("power, fitted"), N_("power, held out")},
                             *const clock[] = {N_("clock, fitted"), N_("clock, held out")},
                             *const work[] = {N_("work, fitted"), N_("work, held out")};
    wsk_buf b = {0};
    if (!e->rows)
        return;
    if (e->rows == 1)
        wsk_cli_say(stdout, T_("Watts, clocks and work, by one settled stretch under load:\n"));
    else
        wsk_cli_say(stdout, T_("Watts, clocks and work, by %1$zu settled stretches under load:\n"), e->rows);
    wsk_cli_values_print(&e->fit, e->one_level ? WSK_FITTED_TO_ONE_LEVEL : WSK_FITTED_TO_LOG);
    wsk_fitted_unseen(&b, wsk_cli_lang, &e->fit);
    wsk_cli_check_memory(!b.failed);
    if (b.len)
        wsk_cli_say(stdout, "%s", b.data);
    wsk_buf_free(&b);
    wsk_cli_pauses_print(&e->fit);
    wsk_cli_grid g = wsk_cli_grid_new(1 + 2 * (3 + 2 * WSK_PHASES), 4, 1);
    size_t row = 1;
    wsk_cli_grid_set(&g, 0, 0, T_("model less log, %"));
    wsk_cli_grid_set(&g, 0, 1, T_("mean size"));
    wsk_cli_grid_set(&g, 0, 2, T_("mean"));
    wsk_cli_grid_set(&g, 0, 3, T_("worst"));
    share_rows(&g, &row, power, e->power, e->power_phase);
    share_rows(&g, &row, clock, e->clock, e->clock_phase);
    share_rows(&g, &row, work, e->work, NULL);
    g.rows = row;
    if (row > 1)
        wsk_cli_grid_print(stdout, &g, wsk_cli_page(stdout, 100));
    else
        wsk_cli_say(stdout, T_("Before the part held out no stretch is settled under load, so no errors of power and "
                               "clock are known.\n"));
    wsk_cli_grid_free(&g);
}

void wsk_cli_log_print(const wsk_rig *rig, const wsk_cli_logged *of, const wsk_log_fit *f, wsk_calibrate_goal goal)
{
    const char *part = NULL, *id = wsk_rig_card(rig, of->card, &part);
    wsk_cli_say(stdout, T_("%1$s, %2$s: %3$.0f minutes of %4$s\n"), id, part ? part : "gpu", f->end_s / 60, of->file);
    if (of->left_out)
        wsk_cli_say(stdout, T_("Rows of the file that could not be read: %1$zu.\n"), of->left_out);
    wsk_cli_values_print(&f->fit, f->one_power ? WSK_FITTED_TO_ONE_POWER : WSK_FITTED_TO_LOG);
    print_errors(f);
    print_sentences(f, wsk_fitted_proof);
    print_sentences(f, wsk_fitted_open);
    if (f->fan.fit.count)
        wsk_cli_values_print(&f->fan.fit, WSK_FITTED_TO_LOG);
    print_sentences(f, wsk_fitted_fan);
    print_electrical(&f->electrical);
    wsk_buf b = {0};
    wsk_fitted_next(&b, wsk_cli_lang, f, goal);
    wsk_cli_check_memory(!b.failed);
    wsk_cli_say(stdout, "%s", b.data);
    wsk_buf_free(&b);
}

static void error_json(const char *key, const wsk_log_error *e, const char *after)
{
    printf("\"%s\": {\"readings\": %zu, ", key, e->readings);
    wsk_cli_number_json("mae_k", e->mae_k, ", ");
    wsk_cli_number_json("rmse_k", e->rmse_k, ", ");
    wsk_cli_number_json("bias_k", e->bias_k, ", ");
    wsk_cli_number_json("worst_k", e->worst_k, "}");
    printf("%s", after);
}

static void share_json(const char *key, const wsk_log_share *e, const char *after)
{
    printf("\"%s\": {\"readings\": %zu, ", key, e->readings);
    wsk_cli_number_json("mae_rel", e->mae_rel, ", ");
    wsk_cli_number_json("bias_rel", e->bias_rel, ", ");
    wsk_cli_number_json("worst_rel", e->worst_rel, "}");
    printf("%s", after);
}

static const char *const part_keys[] = {"fitted", "held_out"}, *const phase_keys[] = {"first_minute", "warm_up",
                                                                                      "settled", "cool_down"};

static void fan_json(const wsk_log_fan *f)
{
    if (!f->fit.count) {
        printf(", \"fan\": null");
        return;
    }
    printf(", \"fan\": {");
    wsk_cli_values_json(&f->fit);
    printf(", ");
    wsk_cli_number_json("fitted_rel", f->error_rel[WSK_PART_FITTED], ", ");
    wsk_cli_number_json("held_out_rel", f->error_rel[WSK_PART_HELD_OUT], "}");
}

static void electrical_json(const wsk_log_electrical *e)
{
    if (!e->rows) {
        printf(", \"electrical\": null");
        return;
    }
    printf(", \"electrical\": {\"rows\": %zu, \"one_level\": %s, ", e->rows, e->one_level ? "true" : "false");
    wsk_cli_values_json(&e->fit);
    printf(", ");
    wsk_cli_number_json("noise", e->fit.noise, ", \"errors\": {");
    for (int p = 0; p < WSK_LOG_PARTS; p++) {
        printf("\"%s\": {", part_keys[p]);
        share_json("power", &e->power[p], ", ");
        share_json("clock", &e->clock[p], ", ");
        share_json("work", &e->work[p], "");
        for (int k = 0; k < WSK_PHASES; k++) {
            printf(", \"%s\": {", phase_keys[k]);
            share_json("power", &e->power_phase[p][k], ", ");
            share_json("clock", &e->clock_phase[p][k], "}");
        }
        printf("}%s", p ? "" : ", ");
    }
    printf("}}");
}

static void then_json(const char *key, const double *then, const char *after)
{
    double for_s;
    printf("\"%s\": {", key);
    for (int i = 0; i < WSK_NEXTS; i++)
        wsk_cli_number_json(wsk_calibrate_next_name((wsk_calibrate_next)i, &for_s), then[i],
                            i + 1 < WSK_NEXTS ? ", " : "}");
    printf("%s", after);
}

static void next_json(const wsk_log_fit *f, wsk_calibrate_goal goal)
{
    const int which = wsk_calibrate_next_for(f, goal);
    double for_s = NAN;
    printf(", \"next\": {\"recording\": ");
    if (which < 0)
        printf("null, ");
    else
        printf("\"%s\", ", wsk_calibrate_next_name((wsk_calibrate_next)which, &for_s));
    wsk_cli_number_json("takes_s", for_s, ", ");
    wsk_cli_number_json("now_k", f->now_k, ", ");
    then_json("then_k", f->then_k, ", ");
    printf("\"goal\": \"%s\", ", wsk_calibrate_goal_name(goal));
    wsk_cli_number_json("now", f->now[goal], ", ");
    then_json("then", f->then[goal], ", ");
    wsk_cli_number_json("highest_w", f->highest_w, ", ");
    wsk_cli_number_json("full_w", f->full_w, "}");
}

static void far_json(const wsk_calibration *fit, const char **before)
{
    for (size_t i = 0; i < fit->count; i++) {
        if (!wsk_calibrated_is_far(&fit->values[i]))
            continue;
        printf("%s{\"code\": \"calibrate.far\", \"value\": \"%s\", ", *before, fit->values[i].name);
        wsk_cli_number_json("moved", fit->values[i].moved, "}");
        *before = ", ";
    }
}

static void doubts_json(const wsk_cli_logged *of, const wsk_log_fit *f)
{
    const char *before = "";
    printf(", \"doubts\": [");
    if (of->other) {
        printf("{\"code\": \"calibrate.other-card\", \"name\": ");
        wsk_json_quote(stdout, of->other);
        printf("}");
        before = ", ";
    }
    if (wsk_calibrate_too_hot(f)) {
        printf("%s{\"code\": \"calibrate.too-hot\", ", before);
        wsk_cli_number_json("hottest_c", f->hottest_k - WSK_KELVIN, ", ");
        wsk_cli_number_json("shutdown_c", f->shutdown_k - WSK_KELVIN, "}");
        before = ", ";
    }
    far_json(&f->fit, &before);
    if (f->electrical.rows)
        far_json(&f->electrical.fit, &before);
    wsk_cli_excess_json(&of->over, before);
    printf("]");
}

void wsk_cli_log_json(const wsk_rig *rig, const wsk_cli_logged *of, const wsk_log_fit *f, wsk_calibrate_goal goal)
{
    const char *part = NULL, *id = wsk_rig_card(rig, of->card, &part);
    printf("{\"card\": ");
    wsk_json_quote(stdout, id);
    printf(", \"file\": ");
    wsk_json_quote(stdout, of->file);
    printf(", \"left_out\": %zu, ", of->left_out);
    wsk_cli_number_json("end_s", f->end_s, ", ");
    wsk_cli_number_json("held_from_s", f->held_from_s, ", ");
    wsk_cli_values_json(&f->fit);
    printf(", \"errors\": {");
    for (int p = 0; p < WSK_LOG_PARTS; p++) {
        printf("\"%s\": {", part_keys[p]);
        error_json("die", &f->die[p], ", ");
        error_json("memory", &f->memory[p], ", ");
        for (int k = 0; k < WSK_PHASES; k++)
            error_json(phase_keys[k], &f->phase[p][k], k + 1 < WSK_PHASES ? ", " : "");
        printf("}%s", p ? "" : ", ");
    }
    printf("}, ");
    wsk_cli_number_json("within_80", f->within[WSK_PART_HELD_OUT], ", ");
    wsk_cli_number_json("band_80_k", f->band_k[WSK_PART_HELD_OUT], ", ");
    wsk_cli_number_json("skill_stays", f->skill_stays, ", ");
    wsk_cli_number_json("skill_line", f->skill_line, ", ");
    wsk_cli_number_json("samples", f->samples, ", ");
    wsk_cli_number_json("residual_k", f->residual_k, ", ");
    printf("\"one_power\": %s, \"power_modelled\": %s, \"from_hot_spot\": %s", f->one_power ? "true" : "false",
           f->power_modelled ? "true" : "false", f->from_hot_spot ? "true" : "false");
    doubts_json(of, f);
    fan_json(&f->fan);
    electrical_json(&f->electrical);
    next_json(f, goal);
    printf("}");
}
