/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"

static void put(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, ",%.7g", value);
    else
        fputs(",nan", out);
}

static void put_names(FILE *out, const char *id, const wsk_log_curve *curve)
{
    static const char *const of_die[] = {"", ".model", ".low", ".high"}, *const of_memory[] = {"", ".model"};
    const char *const die = wsk_var_about(WSK_VAR_CARD_DIE_C)->name, *const memory =
                                                                         wsk_var_about(WSK_VAR_CARD_MEMORY_C)->name;
    fprintf(out, ",%s.%s", id, wsk_var_about(WSK_VAR_CARD_POWER_W)->name);
    for (int i = 0; i < 4; i++)
        fprintf(out, ",%s.%s%s", id, die, of_die[i]);
    for (int i = 0; curve->memory_k && i < 2; i++)
        fprintf(out, ",%s.%s%s", id, memory, of_memory[i]);
}

static void put_row(FILE *out, const wsk_log_curve *c, size_t row)
{
    put(out, c->power_w[row]);
    put(out, c->die_k[row] - WSK_KELVIN);
    put(out, c->die_model_k[row] - WSK_KELVIN);
    put(out, c->die_model_k[row] - c->half_k[row] - WSK_KELVIN);
    put(out, c->die_model_k[row] + c->half_k[row] - WSK_KELVIN);
    if (c->memory_k) {
        put(out, c->memory_k[row] - WSK_KELVIN);
        put(out, c->memory_model_k[row] - WSK_KELVIN);
    }
}

bool wsk_cli_curves_write(const wsk_rig *rig, const wsk_cli_logs *logs, const char *dir)
{
    char *text = NULL;
    size_t len = 0;
    const char *part;
    FILE *out = wsk_cli_text(&text, &len);
    fputs("t_s,held_out", out);
    for (size_t i = 0; i < logs->count; i++)
        put_names(out, wsk_rig_card(rig, logs->of[i].card, &part), wsk_log_curves_of(logs->curves, i));
    const wsk_log_curve *first = wsk_log_curves_of(logs->curves, 0);
    for (size_t row = 0; row < first->count; row++) {
        fprintf(out, "\n%.7g,%d", first->t_s[row], first->t_s[row] > logs->fits[0].held_from_s);
        for (size_t i = 0; i < logs->count; i++)
            put_row(out, wsk_log_curves_of(logs->curves, i), row);
    }
    fputc('\n', out);
    const bool ok = fclose(out) == 0 && wsk_cli_write(dir, "calibration.csv", text, len);
    free(text);
    return ok;
}
