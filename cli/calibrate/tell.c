/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"

/* Least and greatest number of rows for cross-validation: each row is left out once, with all rows that repeat its
 * setting, and predicted by a fit of the other rows. A fit needs two rows, and each row left out costs the time of a
 * fit. */
enum { LEAST_TO_LEAVE = 3, MOST_TO_LEAVE = 200 };

/* Relative errors of the model for one measured quantity. mean, worst: over all rows, by the fit of all rows. left_out,
 * left_out_worst: mean and worst error of a row by a fit without this row; NAN: not computed. rows: number of rows with
 * the quantity; worst_row counts from 1. */
typedef struct {
    size_t rows, worst_row;
    double mean, worst, left_out, left_out_worst;
} errors;
enum { WORK, CLOCK, DRAW, QUANTITIES };

/* The row without which the other rows scatter least; counts from 1, 0: none was left out. noise: their scatter; off:
 * its greatest error by a fit to them. Rows of one setting are left out together: `off` tells which of them it is. */
typedef struct {
    size_t row;
    double noise, off;
} outlier;

static double of(const wsk_calibrate_row *row, int quantity)
{
    return quantity == WORK ? row->work : quantity == CLOCK ? row->clock_hz : row->drawn_w;
}

/* A row that states a limit is judged at that limit, as the calibrated rig runs, also if the card drew more. */
static void judge_row(const wsk_rig *rig, const wsk_cli_task *t, size_t row, const wsk_calibration *fit,
                      double off[QUANTITIES])
{
    wsk_calibrate_row model, set = t->rows[row];
    if (!isnan(set.limit_w))
        set.drawn_w = NAN;
    wsk_calibrate_predict(rig, t->first, fit, &set, &model);
    for (int q = 0; q < QUANTITIES; q++)
        off[q] = fabs(of(&model, q) / of(&t->rows[row], q) - 1);
}

static bool same(double a, double b, double within)
{
    return isnan(a) ? isnan(b) : fabs(a - b) <= within;
}

/* True if b repeats the measurement of a: the same setting at about the same temperature. */
static bool repeats(const wsk_calibrate_row *a, const wsk_calibrate_row *b)
{
    const double alike_k = 5;
    const bool set = !isnan(a->limit_w) || !isnan(a->lock_hz);
    return same(a->limit_w, b->limit_w, 0) && same(a->lock_hz, b->lock_hz, 0) &&
           (set || same(a->drawn_w, b->drawn_w, 0)) && same(a->die_k, b->die_k, alike_k);
}

static void judge(const wsk_rig *rig, const wsk_cli_task *t, errors e[QUANTITIES], outlier *odd)
{
    wsk_calibrate_row *rest = wsk_cli_alloc(t->count * sizeof *rest);
    const bool leave = t->count >= LEAST_TO_LEAVE && t->count <= MOST_TO_LEAVE;
    memset(e, 0, QUANTITIES * sizeof *e);
    *odd = (outlier){0, INFINITY, 0};
    for (size_t i = 0; i < t->count; i++) {
        double off[QUANTITIES], out[QUANTITIES] = {NAN, NAN, NAN};
        wsk_calibration without;
        judge_row(rig, t, i, &t->fit, off);
        size_t others = 0;
        for (size_t k = 0; k < t->count; k++)
            if (!repeats(&t->rows[i], &t->rows[k]))
                rest[others++] = t->rows[k];
        if (leave && others > 1 && wsk_calibrate_sweep(rig, t->first, rest, others, &without) == WSK_OK) {
            judge_row(rig, t, i, &without, out);
            const double most = fmax(fmax(out[WORK], out[CLOCK]), out[DRAW]);
            if (without.noise < odd->noise || (same(without.noise, odd->noise, 1e-9) && most > odd->off))
                *odd = (outlier){i + 1, without.noise, most};
        }
        for (int q = 0; q < QUANTITIES; q++) {
            if (isnan(off[q]))
                continue;
            e[q].rows++;
            e[q].mean += off[q];
            e[q].left_out += out[q];
            e[q].left_out_worst = out[q] > e[q].left_out_worst ? out[q] : e[q].left_out_worst;
            if (!e[q].worst_row || off[q] > e[q].worst)
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

static void print_errors(const wsk_cli_task *t, const errors e[QUANTITIES])
{
    static const char *const names[] = {N_("work"), N_("clock"), N_("power")};
    for (int q = 0; q < QUANTITIES; q++) {
        if (!e[q].rows)
            continue;
        if (e[q].rows == 1)
            wsk_cli_say(stdout, T_("%1$s: %2$.1f %% off in row %3$zu, the only one with it\n"), T_(names[q]),
                        100 * e[q].mean, e[q].worst_row);
        else if (!isnan(e[q].left_out))
            wsk_cli_say(stdout,
                        T_("%1$s: mean error of %3$zu rows %2$.1f %%, largest %4$.1f %% (row %5$zu); of rows left "
                           "out of the fit %6$.1f %%, largest %7$.1f %%\n"),
                        T_(names[q]), 100 * e[q].mean, e[q].rows, 100 * e[q].worst, e[q].worst_row,
                        100 * e[q].left_out, 100 * e[q].left_out_worst);
        else
            wsk_cli_say(stdout, T_("%1$s: mean error of %3$zu rows %2$.1f %%, largest %4$.1f %% (row %5$zu)\n"),
                        T_(names[q]), 100 * e[q].mean, e[q].rows, 100 * e[q].worst, e[q].worst_row);
    }
    if (t->count > MOST_TO_LEAVE)
        wsk_cli_say(stdout, T_("More than %1$d rows: the fit is not checked by leaving out a row.\n"), MOST_TO_LEAVE);
    else if (t->count < LEAST_TO_LEAVE)
        fputs(T_("Two rows leave none to check the fit by; a third would.\n"), stdout);
}

void wsk_cli_pauses_print(const wsk_calibration *fit)
{
    for (size_t i = 0; i < fit->count; i++)
        if (strcmp(fit->values[i].name, "duty") == 0 && !(fit->values[i].learnt > 0))
            wsk_cli_say(stdout,
                        T_("Not determined: long pauses of the load, because no power limit lowered its clock. With "
                           "them it draws and does less under a limit than told, by some %1$.0f %%. Record it at the "
                           "lowest limit as well, with limit_w or power.limit.\n"),
                        100 * fit->values[i].spread);
}

/* True if the rows' work falls where their power or clock rises, which work per time never does. */
static bool work_falls(const wsk_cli_task *t)
{
    int down = 0, up = 0;
    for (size_t i = 0; i < t->count; i++)
        for (size_t k = 0; k < t->count; k++) {
            const wsk_calibrate_row *a = &t->rows[i], *b = &t->rows[k];
            const bool rises = a->drawn_w > 1.05 * b->drawn_w || a->clock_hz > 1.05 * b->clock_hz;
            down += rises && a->work < 0.95 * b->work;
            up += rises && a->work > 1.05 * b->work;
        }
    return down > 0 && down > 3 * up;
}

static void print_next(const wsk_cli_task *t, const errors e[QUANTITIES], const outlier *odd)
{
    double coldest = INFINITY, warmest = -INFINITY, least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < t->count; i++) {
        const wsk_calibrate_row *r = &t->rows[i];
        const double held = !isnan(r->drawn_w) ? r->drawn_w : r->limit_w;
        coldest = fmin(coldest, r->die_k), warmest = fmax(warmest, r->die_k);
        least = fmin(least, held), most = fmax(most, held);
    }
    if (!e[CLOCK].rows)
        fputs(T_("Not determined without clocks: the voltage curve. Add clock_mhz, the mean of clocks.sm.\n"),
              stdout);
    if (!e[WORK].rows)
        fputs(T_("Not determined without work: the share bound by the clock. Add work, such as tokens or steps per "
                 "second.\n"),
              stdout);
    if (most > 0 && most < 1.3 * least)
        fputs(T_("The rows lie close together. Add one at the lowest limit that can be set.\n"), stdout);
    if (!(warmest - coldest >= 10))
        fputs(T_("Not determined: leakage. It needs rows at one limit with temperature_c at least 10 K apart.\n"),
              stdout);
    wsk_cli_pauses_print(&t->fit);
    if (work_falls(t))
        fputs(T_("Work falls where watts or clock rise, so it may be a time, such as that of a step: give work per "
                 "time.\n"),
              stdout);
    else if (t->fit.noise > 2 && odd->row && odd->noise < 0.5 * t->fit.noise)
        wsk_cli_say(
            stdout,
            T_("The rows scatter %1$.1f times as much as the fit expects, without row %2$zu %3$.1f times: leave it "
               "out if it is of another load, or of a card at rest.\n"),
            t->fit.noise, odd->row, odd->noise);
    else if (t->fit.noise > 2)
        wsk_cli_say(stdout,
                    T_("The rows scatter %1$.1f times as much as the fit expects; row %2$zu stands out most.\n"),
                    t->fit.noise, t->fit.worst_row + 1);
}

void wsk_cli_task_print(const wsk_rig *rig, const wsk_cli_task *t)
{
    errors e[QUANTITIES];
    outlier odd;
    judge(rig, t, e, &odd);
    const char *part = NULL, *id = wsk_rig_card(rig, t->first, &part);
    if (t->cards > 1)
        wsk_cli_say(stdout, T_("%1$s and %2$zu alike, %3$s: %4$zu rows of %5$s\n"), id, t->cards - 1,
                    part ? part : "gpu", t->count, t->file);
    else
        wsk_cli_say(stdout, T_("%1$s, %2$s: %3$zu rows of %4$s\n"), id, part ? part : "gpu", t->count, t->file);
    wsk_cli_values_print(&t->fit, WSK_FITTED_TO_ROWS);
    print_errors(t, e);
    print_next(t, e, &odd);
}

void wsk_cli_task_json(const wsk_rig *rig, const wsk_cli_task *t)
{
    errors e[QUANTITIES];
    outlier odd;
    judge(rig, t, e, &odd);
    static const char *const names[] = {"work", "clock", "power"};
    const char *part = NULL, *id = wsk_rig_card(rig, t->first, &part);
    printf("{\"card\": ");
    wsk_json_quote(stdout, id);
    printf(", \"cards\": %zu, \"rows\": %zu, \"file\": ", t->cards, t->count);
    wsk_json_quote(stdout, t->file);
    printf(", ");
    wsk_cli_values_json(&t->fit);
    printf(", \"errors\": {");
    for (int q = 0, n = 0; q < QUANTITIES; q++) {
        if (!e[q].rows)
            continue;
        printf("%s\"%s\": {\"rows\": %zu, ", n++ ? ", " : "", names[q], e[q].rows);
        wsk_cli_number_json("mean_rel", e[q].mean, ", ");
        wsk_cli_number_json("worst_rel", e[q].worst, ", ");
        printf("\"worst_row\": %zu, ", e[q].worst_row);
        wsk_cli_number_json("left_out_rel", e[q].left_out, ", ");
        wsk_cli_number_json("left_out_worst_rel", e[q].left_out_worst, "}");
    }
    printf("}, ");
    wsk_cli_number_json("noise", t->fit.noise, ", \"doubts\": [");
    wsk_cli_excess_json(&t->over, "");
    printf("]}");
}
