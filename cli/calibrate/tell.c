/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"
#include "cli/kit/grid.h"

/* What was measured of a quantity, as relative errors of the model: fitted to all rows, and to all but the row. */
typedef struct {
    size_t rows, worst_row;
    double mean, worst, left_out, left_out_worst;
} errors;
enum { WORK, CLOCK, DRAW, QUANTITIES };

static double of(const wsk_calibrate_row *row, int quantity)
{
    return quantity == WORK ? row->work : quantity == CLOCK ? row->clock_hz : row->drawn_w;
}

/* ---- errors of the rows ---- */
static void judge_row(const wsk_rig *rig, const wsk_cli_task *t, size_t row, const wsk_calibration *fit,
                      double off[QUANTITIES])
{
    wsk_calibrate_row model;
    wsk_calibrate_predict(rig, t->first, fit, &t->rows[row], &model);
    for (int q = 0; q < QUANTITIES; q++)
        off[q] = fabs(of(&model, q) / of(&t->rows[row], q) - 1);
}

/* The errors of each quantity; left_out NAN: fewer than three rows. */
static void judge(const wsk_rig *rig, const wsk_cli_task *t, errors e[QUANTITIES])
{
    wsk_calibrate_row *rest = wsk_cli_alloc(t->count * sizeof *rest);
    const bool leave = t->count >= 3 && t->count <= 200; /* a fit for each row: more rows need none of it */
    memset(e, 0, QUANTITIES * sizeof *e);
    for (size_t i = 0; i < t->count; i++) {
        double off[QUANTITIES], out[QUANTITIES] = {NAN, NAN, NAN};
        wsk_calibration without;
        judge_row(rig, t, i, &t->fit, off);
        for (size_t k = 0; k + 1 < t->count; k++)
            rest[k] = t->rows[k < i ? k : k + 1];
        if (leave && wsk_calibrate_sweep(rig, t->first, rest, t->count - 1, &without) == WSK_OK)
            judge_row(rig, t, i, &without, out);
        for (int q = 0; q < QUANTITIES; q++) {
            if (isnan(off[q]))
                continue;
            e[q].rows++;
            e[q].mean += off[q];
            e[q].left_out += out[q];
            e[q].left_out_worst = out[q] > e[q].left_out_worst ? out[q] : e[q].left_out_worst;
            if (off[q] > e[q].worst)
                e[q].worst = off[q], e[q].worst_row = i + 1;
        }
    }
    for (int q = 0; q < QUANTITIES; q++) {
        e[q].mean /= (double)e[q].rows;
        e[q].left_out /= (double)e[q].rows;
        if (isnan(e[q].left_out))
            e[q].left_out_worst = NAN;
    }
    free(rest);
}

/* ---- what is told ---- */
/* Unit in which a value is shown: 1 of it is `si`. */
static const char *shown_unit(const char *name, double *si)
{
    static const struct {
        const char *name, *unit;
        double si;
    } units[] = {{"p0", "W", 1},
                 {"c", "W/GHz", 1e-9},
                 {"clock-share", "%", 0.01},
                 {"clock-knee", "MHz", 1e6},
                 {"voltage-slope", "1/GHz", 1e-9},
                 {"leakage", "W", 1}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, name) == 0) {
            *si = units[i].si;
            return units[i].unit;
        }
    *si = 1;
    return "";
}

static const char *what_it_is(const char *name)
{
    static const char *const words[][2] = {{"p0", N_("p0, fixed power")},
                                           {"c", N_("c, power per clock")},
                                           {"clock-share", N_("clock-share, work by clock")},
                                           {"clock-knee", N_("clock-knee, voltage rises")},
                                           {"voltage-slope", N_("voltage-slope")},
                                           {"leakage", N_("leakage")}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], name) == 0)
            return T_(words[i][1]);
    return name;
}

static const char *learnt(double share)
{
    return share >= 0.75 ? T_("learnt") : share >= 0.1 ? T_("partly") : T_("not told");
}

static void set_cell(wsk_cli_grid *g, size_t row, size_t column, char *text)
{
    wsk_cli_grid_set(g, row, column, text);
    free(text);
}

static void print_values(const wsk_calibration *fit)
{
    wsk_cli_grid g = wsk_cli_grid_new(fit->count + 1, 5, 1);
    wsk_cli_grid_set(&g, 0, 1, T_("catalogue"));
    wsk_cli_grid_set(&g, 0, 2, T_("this card"));
    wsk_cli_grid_set(&g, 0, 3, T_("unit"));
    wsk_cli_grid_set(&g, 0, 4, T_("by the rows"));
    for (size_t i = 0; i < fit->count; i++) {
        const wsk_calibrated *v = &fit->values[i];
        double si;
        wsk_cli_grid_set(&g, i + 1, 0, what_it_is(v->name));
        wsk_cli_grid_set(&g, i + 1, 3, shown_unit(v->name, &si));
        set_cell(&g, i + 1, 1, wsk_cli_plus_minus(v->prior / si, v->prior_spread / si));
        set_cell(&g, i + 1, 2, wsk_cli_plus_minus(v->value / si, v->spread / si));
        wsk_cli_grid_set(&g, i + 1, 4, learnt(v->learnt));
    }
    wsk_cli_grid_print(stdout, &g, wsk_cli_page(stdout, 100));
    wsk_cli_grid_free(&g);
}

static void print_errors(const errors e[QUANTITIES])
{
    static const char *const names[] = {N_("work"), N_("clock"), N_("power")};
    const bool leave = e[WORK].left_out > 0 || e[CLOCK].left_out > 0 || e[DRAW].left_out > 0;
    for (int q = 0; q < QUANTITIES; q++) {
        if (!e[q].rows)
            continue;
        if (leave)
            wsk_cli_say(
                stdout,
                T_("%1$s: %2$.1f %% off in the mean of %3$zu rows, at worst %4$.1f %% (row %5$zu); rows left out "
                   "of the fit %6$.1f %%, at worst %7$.1f %%\n"),
                T_(names[q]), 100 * e[q].mean, e[q].rows, 100 * e[q].worst, e[q].worst_row, 100 * e[q].left_out,
                100 * e[q].left_out_worst);
        else
            wsk_cli_say(stdout, T_("%1$s: %2$.1f %% off in the mean of %3$zu rows, at worst %4$.1f %% (row %5$zu)\n"),
                        T_(names[q]), 100 * e[q].mean, e[q].rows, 100 * e[q].worst, e[q].worst_row);
    }
    if (!leave)
        fputs(T_("Two rows leave none to check the fit by; a third would.\n"), stdout);
}

/* What another recording would tell that these rows do not. */
static void print_next(const wsk_cli_task *t, const errors e[QUANTITIES])
{
    double coldest = INFINITY, warmest = -INFINITY, least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < t->count; i++) {
        const wsk_calibrate_row *r = &t->rows[i];
        const double held = !isnan(r->drawn_w) ? r->drawn_w : r->limit_w;
        coldest = fmin(coldest, r->die_k), warmest = fmax(warmest, r->die_k);
        least = fmin(least, held), most = fmax(most, held);
    }
    if (!e[CLOCK].rows)
        fputs(T_("Not told without clocks: the voltage curve. Add clock_mhz, the mean of clocks.sm.\n"), stdout);
    if (!e[WORK].rows)
        fputs(T_("Not told without work: the share bound by the clock. Add work, such as tokens or steps per "
                 "second.\n"),
              stdout);
    if (most < 1.3 * least)
        fputs(T_("The rows lie close together. Add one at the lowest limit that can be set.\n"), stdout);
    if (!(warmest - coldest >= 10))
        fputs(T_("Not told: leakage. It takes temperature_c, 10 K or more apart at the same limit.\n"), stdout);
    if (t->fit.noise > 2)
        wsk_cli_say(stdout,
                    T_("The rows scatter %1$.1f times as much as the fit expects; row %2$zu stands out most.\n"),
                    t->fit.noise, t->fit.worst_row + 1);
}

void wsk_cli_task_print(const wsk_rig *rig, const wsk_cli_task *t)
{
    errors e[QUANTITIES];
    judge(rig, t, e);
    const char *part = NULL, *id = wsk_rig_card(rig, t->first, &part);
    if (t->cards > 1)
        wsk_cli_say(stdout, T_("%1$s and %2$zu alike, %3$s: %4$zu rows of %5$s\n"), id, t->cards - 1,
                    part ? part : "gpu", t->count, t->file);
    else
        wsk_cli_say(stdout, T_("%1$s, %2$s: %3$zu rows of %4$s\n"), id, part ? part : "gpu", t->count, t->file);
    print_values(&t->fit);
    print_errors(e);
    print_next(t, e);
}

/* ---- JSON ---- */
static void number(const char *key, double value, const char *after)
{
    char text[32];
    if (isfinite(value))
        wsk_format_number(text, sizeof text, value);
    printf("\"%s\": %s%s", key, isfinite(value) ? text : "null", after);
}

void wsk_cli_task_json(const wsk_rig *rig, const wsk_cli_task *t)
{
    errors e[QUANTITIES];
    judge(rig, t, e);
    static const char *const names[] = {"work", "clock", "power"};
    const char *part = NULL, *id = wsk_rig_card(rig, t->first, &part);
    printf("{\"card\": ");
    wsk_json_quote(stdout, id);
    printf(", \"cards\": %zu, \"rows\": %zu, \"file\": ", t->cards, t->count);
    wsk_json_quote(stdout, t->file);
    printf(", \"values\": [");
    for (size_t i = 0; i < t->fit.count; i++) {
        const wsk_calibrated *v = &t->fit.values[i];
        double si;
        const char *unit = shown_unit(v->name, &si);
        printf("%s{\"name\": \"%s\", \"unit\": \"%s\", ", i ? ", " : "", v->name, unit);
        number("value", v->value / si, ", ");
        number("spread", v->spread / si, ", ");
        number("prior", v->prior / si, ", ");
        number("prior_spread", v->prior_spread / si, ", ");
        number("learnt", v->learnt, "}");
    }
    printf("], \"errors\": {");
    for (int q = 0, n = 0; q < QUANTITIES; q++) {
        if (!e[q].rows)
            continue;
        printf("%s\"%s\": {\"rows\": %zu, ", n++ ? ", " : "", names[q], e[q].rows);
        number("mean_rel", e[q].mean, ", ");
        number("worst_rel", e[q].worst, ", ");
        printf("\"worst_row\": %zu, ", e[q].worst_row);
        number("left_out_rel", e[q].left_out, ", ");
        number("left_out_worst_rel", e[q].left_out_worst, "}");
    }
    printf("}, ");
    number("noise", t->fit.noise, "}");
}
