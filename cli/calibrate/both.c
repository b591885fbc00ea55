/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"
#include "words/words.h"

void wsk_cli_told_at(const char *file, int line, int column, int severity, const wsk_said *said)
{
    wsk_buf b = {0};
    wsk_buf_printf(&b, "%s:%d:%d: %s", file, line, column, severity ? T_("warning: ") : "");
    wsk_words_said(&b, wsk_cli_lang, said);
    wsk_cli_check_memory(!b.failed);
    char *shown = wsk_cli_shown(b.data);
    if (!severity || !wsk_cli_quiet)
        fprintf(stderr, "%s\n", shown ? shown : b.data);
    free(shown);
    wsk_buf_free(&b);
}

bool wsk_cli_same_part(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

const char *wsk_cli_split_id(const char *text, const char **id, size_t *len)
{
    const char *equals = strchr(text, '=');
    const bool has = equals && equals > text && !memchr(text, '/', (size_t)(equals - text)) &&
                     !memchr(text, '.', (size_t)(equals - text));
    *id = has ? text : NULL;
    *len = has ? (size_t)(equals - text) : 0;
    return has ? equals + 1 : text;
}

wsk_cli_excess wsk_cli_excess_of(const wsk_rig *rig, size_t card, double limit_w)
{
    static const double rounding = 1.01;
    const wsk_elements *list = NULL;
    const char *part;
    wsk_cli_check_memory(wsk_rig_elements(rig, &list) != WSK_ENOMEM);
    const int at = wsk_elements_find(list, wsk_rig_card(rig, card, &part));
    const double stated_w = wsk_elements_number(list, at, "power-limit-max"),
                 most_w = isnan(stated_w) ? wsk_elements_number(list, at, "tdp") : stated_w;
    wsk_elements_free(list);
    return limit_w > rounding * most_w ? (wsk_cli_excess){limit_w, most_w} : (wsk_cli_excess){0, 0};
}

void wsk_cli_excess_json(const wsk_cli_excess *over, const char *before)
{
    if (!(over->limit_w > 0))
        return;
    printf("%s{\"code\": \"calibrate.limit-above\", ", before);
    wsk_cli_number_json("limit_w", over->limit_w, ", ");
    wsk_cli_number_json("most_w", over->most_w, "}");
}

static char *plus_minus(double value, double spread)
{
    const int places = wsk_fitted_places(spread);
    return wsk_cli_format("%.*f ± %.*f", places, value, places, spread);
}

void wsk_cli_set_cell(wsk_cli_grid *g, size_t row, size_t column, char *text)
{
    wsk_cli_grid_set(g, row, column, text);
    free(text);
}

void wsk_cli_values_print(const wsk_calibration *fit, wsk_fitted_to to)
{
    wsk_cli_grid g = wsk_cli_grid_new(fit->count + 1, 5, 1);
    wsk_cli_grid_set(&g, 0, 1, T_("catalogue"));
    wsk_cli_grid_set(&g, 0, 2, wsk_fitted_of(wsk_cli_lang, to));
    wsk_cli_grid_set(&g, 0, 3, T_("unit"));
    wsk_cli_grid_set(&g, 0, 4, wsk_fitted_by(wsk_cli_lang, to));
    for (size_t i = 0; i < fit->count; i++) {
        const wsk_calibrated *v = &fit->values[i];
        const wsk_fitted about = wsk_fitted_about(wsk_cli_lang, v);
        wsk_cli_grid_set(&g, i + 1, 0, about.label);
        wsk_cli_grid_set(&g, i + 1, 3, about.unit);
        wsk_cli_set_cell(&g, i + 1, 1, plus_minus((v->prior - about.less) / about.si, v->prior_spread / about.si));
        wsk_cli_set_cell(&g, i + 1, 2, plus_minus((v->value - about.less) / about.si, v->spread / about.si));
        wsk_cli_grid_set(&g, i + 1, 4, wsk_fitted_learnt(wsk_cli_lang, v, to));
    }
    wsk_cli_grid_print(stdout, &g, wsk_cli_page(stdout, 100));
    wsk_cli_grid_free(&g);
}

void wsk_cli_number_json(const char *key, double value, const char *after)
{
    printf("\"%s\": ", key);
    wsk_json_number(stdout, value);
    fputs(after, stdout);
}

void wsk_cli_values_json(const wsk_calibration *fit)
{
    printf("\"values\": [");
    for (size_t i = 0; i < fit->count; i++) {
        const wsk_calibrated *v = &fit->values[i];
        const wsk_fitted about = wsk_fitted_about(WSK_EN, v);
        printf("%s{\"name\": \"%s\", \"unit\": \"%s\", ", i ? ", " : "", v->name,
               about.less > 0 ? "degC" : about.unit);
        if (v->at > 0)
            wsk_cli_number_json("at_c", v->at - WSK_KELVIN, ", ");
        wsk_cli_number_json("value", (v->value - about.less) / about.si, ", ");
        wsk_cli_number_json("spread", v->spread / about.si, ", ");
        wsk_cli_number_json("prior", (v->prior - about.less) / about.si, ", ");
        wsk_cli_number_json("prior_spread", v->prior_spread / about.si, ", ");
        wsk_cli_number_json("learnt", v->learnt, "}");
    }
    printf("]");
}
