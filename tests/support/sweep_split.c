/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures how well the values that wsk_sweep_left lists predict the measured loads. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/sweep.h"

static const wsk_gpu_ops *model(void)
{
    return wsk_gpu_boost.ops;
}

typedef struct {
    double p0, c, share;
} values;

static bool counts(const wsk_sweep *s)
{
    return s->use == WSK_SWEEP_FIT && s->cls >= 0 && s->cls != WSK_CLASS_IDLE;
}

void wsk_sweep_fit_all(wsk_sweep_card *cards, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < cards[i].n; k++)
            if (counts(&cards[i].load[k]))
                wsk_sweep_fit_load(&cards[i].gpu, &cards[i].load[k], false, NULL, &cards[i].load[k].own);
}

static bool mean_of(const wsk_sweep_card *card, int cls, int but, values *out)
{
    int n = 0;
    *out = (values){0};
    for (int k = 0; k < card->n; k++) {
        const wsk_sweep *s = &card->load[k];
        if (k == but || !counts(s) || s->cls != cls)
            continue;
        out->p0 += s->own.p0_w;
        out->c += s->own.c_w_hz;
        out->share += s->own.clock_share;
        n++;
    }
    out->p0 /= n ? n : 1;
    out->c /= n ? n : 1;
    out->share /= n ? n : 1;
    return n > 0;
}

static int rising(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Medians over the cards of P0 / TDP, c * highest clock / TDP, and the share of the work that the clock limits. A card
 * that was swept twice counts once. False: fewer than two cards remain. */
static bool medians(const wsk_sweep_card *cards, int n, int cls, const char *but, values *out)
{
    double p0[WSK_SWEEP_CARDS], c[WSK_SWEEP_CARDS], share[WSK_SWEEP_CARDS];
    int m = 0;
    for (int i = 0; i < n; i++) {
        values v;
        bool again = but && strcmp(cards[i].part, but) == 0;
        for (int k = 0; k < i && !again; k++) {
            values other;
            again = strcmp(cards[k].part, cards[i].part) == 0 && mean_of(&cards[k], cls, -1, &other);
        }
        if (again || !mean_of(&cards[i], cls, -1, &v))
            continue;
        p0[m] = v.p0 / cards[i].gpu.tdp_w;
        c[m] = v.c * cards[i].gpu.clock_max_hz / cards[i].gpu.tdp_w;
        share[m++] = v.share;
    }
    if (m < 2)
        return false;
    double *const column[] = {p0, c, share}, mid[3];
    for (int k = 0; k < 3; k++) {
        qsort(column[k], (size_t)m, sizeof *p0, rising);
        mid[k] = 0.5 * (column[k][(m - 1) / 2] + column[k][m / 2]);
    }
    *out = (values){mid[0], mid[1], mid[2]};
    return true;
}

static bool three(const wsk_sweep_card *card, const wsk_sweep *s, int row[3])
{
    int low = 0;
    while (low < s->n && s->held_w[low] < 0.98 * card->gpu.limit_min_w)
        low++;
    row[0] = low;
    row[1] = (low + s->ref) / 2;
    row[2] = s->ref;
    return s->ref - low >= 3;
}

static double value_of(const wsk_calibration *c, const char *name, double otherwise)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->values[i].name, name) == 0)
            return c->values[i].value;
    return otherwise;
}

static bool fit_three(const wsk_sweep_card *card, const wsk_sweep *s, wsk_gpu_params *g, wsk_gpu_class *cls)
{
    wsk_calibrate_row rows[3];
    wsk_calibration c;
    int row[3];
    if (!three(card, s, row))
        return false;
    for (int i = 0; i < 3; i++)
        rows[i] = (wsk_calibrate_row){.limit_w = card->limits ? s->limit_w[row[i]] : (double)NAN,
                                      .lock_hz = NAN,
                                      .drawn_w = s->drawn_w[row[i]],
                                      .clock_hz = s->clock_hz[row[i]],
                                      .work = s->perf[row[i]],
                                      .die_k = NAN};
    if (wsk_calibrate_card(g, model(), cls, rows, 3, &c) != WSK_OK)
        abort();
    cls->p0_w = value_of(&c, "p0", cls->p0_w);
    cls->c_w_hz = value_of(&c, "c", cls->c_w_hz);
    cls->clock_share = value_of(&c, "clock-share", cls->clock_share);
    wsk_gpu_add_pauses(cls, value_of(&c, "duty", 1));
    wsk_gpu_class there = wsk_gpu_between(cls);
    there.p0_w += there.traffic_w;
    there.traffic_w = 0;
    cls->ref_clock_hz = wsk_sweep_clock(g, &there, model()->held_w(g, wsk_gpu_default_limit_w(g)));
    cls->work_spread = WSK_CALIBRATED_SPREAD;
    g->clock_knee_hz = value_of(&c, "clock-knee", g->clock_knee_hz);
    g->voltage_slope_per_hz = value_of(&c, "voltage-slope", g->voltage_slope_per_hz);
    return true;
}

static bool know(const wsk_sweep_card *cards, int n, int i, int k, wsk_sweep_left how, wsk_gpu_params *g,
                 wsk_gpu_class *cls)
{
    const wsk_sweep_card *card = &cards[i];
    const wsk_sweep *s = &card->load[k];
    values v, all;
    switch (how) {
    case WSK_SWEEP_CARD_OUT:
        if (!medians(cards, n, s->cls, NULL, &all) || !medians(cards, n, s->cls, card->part, &v))
            return false;
        wsk_sweep_know(card, s, WSK_SWEEP_KNOWS_NOTHING, g, cls);
        cls->p0_w = fmin(cls->p0_w * v.p0 / all.p0, 0.75 * g->limit_min_w);
        cls->c_w_hz *= v.c / all.c;
        cls->clock_share = fmin(cls->clock_share * v.share / all.share, 1);
        return true;
    case WSK_SWEEP_LOAD_OUT:
        wsk_sweep_know(card, s, WSK_SWEEP_KNOWS_CARD, g, cls);
        if (!mean_of(card, s->cls, k, &v))
            return false;
        cls->p0_w = v.p0;
        cls->c_w_hz = v.c;
        cls->clock_share = v.share;
        cls->traffic_w = wsk_sweep_traffic(&card->gpu, s);
        return true;
    case WSK_SWEEP_SHIPPED: wsk_sweep_know(card, s, WSK_SWEEP_KNOWS_CARD, g, cls); return true;
    case WSK_SWEEP_POWER: wsk_sweep_know(card, s, WSK_SWEEP_KNOWS_POWER, g, cls); return true;
    case WSK_SWEEP_THREE: wsk_sweep_know(card, s, WSK_SWEEP_KNOWS_CARD, g, cls); return fit_three(card, s, g, cls);
    default: return false;
    }
}

static int add(const wsk_sweep_card *card, const wsk_sweep *s, wsk_sweep_left how, const wsk_gpu_params *g,
               const wsk_gpu_class *cls, wsk_sweep_split *sum, double error[3])
{
    int rows = 0, clocks = 0, used[3] = {-1, -1, -1};
    double f_ref = wsk_sweep_clock(g, cls, wsk_sweep_held(card, g, s, s->ref)),
           w_ref = model()->power_w(g, cls, f_ref, g->leakage_temp_k, NULL), work_ref = model()->perf_rel(cls, f_ref);
    if (how == WSK_SWEEP_THREE)
        three(card, s, used);
    for (int k = 0; k < 3; k++)
        error[k] = 0;
    for (int r = 0; r < s->n; r++) {
        if (r == s->ref || r == used[0] || r == used[1] || s->held_w[r] < 0.98 * card->gpu.limit_min_w)
            continue;
        const double f = wsk_sweep_clock(g, cls, wsk_sweep_held(card, g, s, r)),
                     work = model()->perf_rel(cls, f) / work_ref,
                     watts = model()->power_w(g, cls, f, g->leakage_temp_k, NULL) / w_ref,
                     measured = s->perf[r] / s->perf[s->ref], drawn = s->drawn_w[r] / s->drawn_w[s->ref],
                     off = fabs(work / measured - 1);
        rows++;
        error[0] += off;
        error[1] += fabs(watts / work * measured / drawn - 1);
        sum->inside +=
            off <= wsk_gpu_work_spread(cls, wsk_sweep_held(card, g, s, r) / wsk_sweep_held(card, g, s, s->ref));
        if (!isnan(s->clock_hz[r])) {
            error[2] += fabs(f / s->clock_hz[r] - 1);
            clocks++;
        }
        if (100 * off > sum->worst) {
            sum->worst = 100 * off;
            snprintf(sum->where, sizeof sum->where, "%s, %s, %.0f W", card->name, s->name, s->held_w[r]);
        }
    }
    error[0] *= rows ? 100.0 / rows : 0;
    error[1] *= rows ? 100.0 / rows : 0;
    error[2] = clocks ? 100 * error[2] / clocks : (double)NAN;
    return rows;
}

/* True if the load has pauses. Then its mean power is below the power to which a limit holds the card: at the lowest
 * limit that can be set, by more than 5 %. */
static bool pauses(const wsk_sweep_card *card, const wsk_sweep *s)
{
    for (int r = 0; r < s->n; r++)
        if (s->held_w[r] >= 0.98 * card->gpu.limit_min_w)
            return s->drawn_w[r] < 0.95 * s->held_w[r];
    return false;
}

void wsk_sweep_split_by(const wsk_sweep_card *cards, int n, wsk_sweep_left how, int cls, wsk_sweep_split *out)
{
    int clocked = 0;
    *out = (wsk_sweep_split){0};
    for (int i = 0; i < n; i++) {
        bool any = false;
        for (int c = 0; c < WSK_CLASS_IDLE; c++) {
            double sum[3] = {0};
            int loads = 0, clocks = 0;
            for (int k = 0; k < cards[i].n && (cls < 0 || cls == c); k++) {
                const wsk_sweep *s = &cards[i].load[k];
                wsk_gpu_params g;
                wsk_gpu_class known;
                double error[3];
                if (!counts(s) || s->cls != c || !know(cards, n, i, k, how, &g, &known))
                    continue;
                const int rows = add(&cards[i], s, how, &g, &known, out, error);
                if (!rows)
                    continue;
                out->rows += rows;
                loads++;
                sum[0] += error[0];
                sum[1] += error[1];
                const bool apart = pauses(&cards[i], s);
                out->apart[apart] += error[1];
                out->work_apart[apart] += error[0];
                out->loads_apart[apart]++;
                clocks += !isnan(error[2]);
                sum[2] += isnan(error[2]) ? 0 : error[2];
            }
            if (!loads)
                continue;
            any = true;
            out->groups++;
            out->loads += loads;
            out->work += sum[0] / loads;
            out->energy += sum[1] / loads;
            out->clock += clocks ? sum[2] / clocks : 0;
            clocked += clocks > 0;
        }
        out->cards += any;
    }
    out->work /= out->groups;
    out->energy /= out->groups;
    for (int k = 0; k < 2; k++) {
        out->apart[k] /= out->loads_apart[k];
        out->work_apart[k] /= out->loads_apart[k];
    }
    out->clock = clocked ? out->clock / clocked : (double)NAN;
}

static void cell(double x)
{
    if (isnan(x))
        printf(" |");
    else
        printf(" %.1f |", x);
}

static void line(const wsk_sweep_card *cards, int n, const char *name, wsk_sweep_left how, int cls)
{
    wsk_sweep_split s;
    wsk_sweep_split_by(cards, n, how, cls, &s);
    if (!s.groups)
        return;
    printf("| %s | %d, %d, %d |", name, s.cards, s.loads, s.rows);
    cell(s.work);
    cell(s.energy);
    cell(s.clock);
    printf(" %.0f, %s |", s.worst, s.where);
    printf(" %.0f |\n", 100.0 * s.inside / s.rows);
}

int wsk_sweep_split_report(void)
{
    static wsk_sweep_card cards[WSK_SWEEP_CARDS];
    static const char *const name[] = {"class values, the card left out", "the part, the load left out",
                                       "the part as shipped", "the same with `measured-power`",
                                       "three rows of the load's own, the others"};
    const int n = wsk_sweep_read(cards);
    if (!n)
        return 1;
    wsk_sweep_fit_all(cards, n);
    puts("## Work under a limit on a machine that was not fitted\n\n"
         "Work, energy per work and clock under limits that can be set, by what is known. Means over groups of card "
         "and "
         "class;\n"
         "work and energy relative to the default limit. A class that only one card was measured in has no class "
         "values "
         "without it, and a\n"
         "card with one load of a class none without that load; no other row is left out. The part as shipped has "
         "seen the "
         "loads.\n"
         "The last column counts rows within the 80 % band that the program states.\n\n"
         "| known | cards, loads, rows | work, % | energy per work, % | clock, % | worst row, % | inside, % |\n"
         "|---|---|---|---|---|---|---|");
    for (int how = 0; how < WSK_SWEEP_LEFTS; how++)
        line(cards, n, name[how], (wsk_sweep_left)how, -1);
    puts("\nBy class, the card left out and as shipped:\n\n"
         "| class | cards, loads, rows | work, % | energy per work, % | clock, % | worst row, % | inside, % |\n"
         "|---|---|---|---|---|---|---|");
    for (int c = 0; c < WSK_CLASS_IDLE; c++)
        for (int how = 0; how <= WSK_SWEEP_SHIPPED; how += WSK_SWEEP_SHIPPED) {
            char text[64];
            snprintf(text, sizeof text, "%s, %s", wsk_class_names[c], how ? "as shipped" : "left out");
            line(cards, n, text, (wsk_sweep_left)how, c);
        }
    puts("");
    wsk_sweep_free(cards, n);
    return 0;
}
