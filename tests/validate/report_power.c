/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/sweep.h"

typedef struct {
    wsk_sweep_card cards[WSK_SWEEP_CARDS];
    int n;
    wsk_gpu_class fitted[WSK_SWEEP_CARDS][WSK_SWEEP_LOADS], left[WSK_SWEEP_CARDS][WSK_SWEEP_LOADS];
    wsk_gpu_params left_gpu[WSK_SWEEP_CARDS][WSK_SWEEP_LOADS];
} page;
typedef struct {
    /* errors in percent, of work unless the name says clock or draw. curve: the largest mean of a load; point: the
     * worst row; clock_ended: mean error of clocks over the loads counted in `ended` */
    double mean, curve, point, clock, clock_worst, clock_ended, draw, draw_worst;
    int ended;
    const char *curve_name;
} summary;

static const wsk_gpu_ops *model(void)
{
    return wsk_gpu_boost.ops;
}

static summary sum_up(const page *p, int i, bool left)
{
    summary out = {0};
    const wsk_sweep_card *c = &p->cards[i];
    int clocks = 0, draws = 0;
    out.curve_name = "";
    for (int k = 0; k < c->n; k++) {
        const wsk_sweep *s = &c->load[k];
        if (s->use != WSK_SWEEP_FIT)
            continue;
        const wsk_gpu_params *g = left ? &p->left_gpu[i][k] : &c->gpu;
        const wsk_gpu_class *cls = left ? &p->left[i][k] : &p->fitted[i][k];
        wsk_sweep_error e = wsk_sweep_compare(g, cls, s);
        double draw = wsk_sweep_uncapped(g, cls, s);
        out.mean += e.mean / c->fitted;
        out.point = fmax(out.point, e.worst);
        if (e.mean > out.curve) {
            out.curve = e.mean;
            out.curve_name = s->name;
        }
        if (!isnan(e.clock_mean)) {
            out.clock += e.clock_mean;
            out.clock_worst = fmax(out.clock_worst, e.clock_worst);
            clocks++;
            if (!isnan(s->clock_hz[0])) {
                out.clock_ended += e.clock_mean;
                out.ended++;
            }
        }
        if (!isnan(draw)) {
            out.draw += fabs(draw);
            out.draw_worst = fmax(out.draw_worst, fabs(draw));
            draws++;
        }
    }
    out.clock = clocks ? out.clock / clocks : (double)NAN;
    out.clock_ended = out.ended ? out.clock_ended / out.ended : (double)NAN;
    out.draw = draws ? out.draw / draws : (double)NAN;
    return out;
}

static void cell(double value, const char *form)
{
    char text[16] = "";
    if (!isnan(value))
        snprintf(text, sizeof text, form, value);
    printf(" %s |", text);
}

static int fit_all(page *p)
{
    p->n = wsk_sweep_read(p->cards);
    for (int i = 0; i < p->n; i++) {
        wsk_sweep_card *c = &p->cards[i];
        wsk_sweep_fit_card(c, 0, 0);
        for (int k = 0; k < c->n; k++)
            if (c->load[k].use == WSK_SWEEP_FIT)
                wsk_sweep_fit_load(&c->gpu, &c->load[k], false, NULL, &p->fitted[i][k]);
        if (c->fitted > 1)
            wsk_sweep_predict_all(c, p->left_gpu[i], p->left[i]);
    }
    return p->n ? 0 : 1;
}

static void what_was_measured(const page *p)
{
    static const char *const use[] = {"", "", "that never reached a limit", "", "too noisy"};
    puts("## Measurements\n"
         "\n"
         "| card | loads | rows | left out | method | source |\n"
         "|---|---|---|---|---|---|");
    for (int i = 0; i < p->n; i++) {
        const wsk_sweep_card *c = &p->cards[i];
        int rows = 0, apart = 0, loads[5] = {0};
        for (int k = 0; k < c->n; k++) {
            rows += c->load[k].use == WSK_SWEEP_FIT ? c->load[k].n : 0;
            apart += c->load[k].low;
            loads[c->load[k].use]++;
        }
        printf("| %s | %d | %d |", c->name, c->fitted, rows);
        if (apart)
            printf(" rows at low clocks or limits not honoured: %d;", apart);
        for (int u = WSK_SWEEP_FREE; u <= WSK_SWEEP_NOISE; u++)
            if (loads[u])
                printf(" loads %s: %d;", use[u], loads[u]);
        printf(" | %s | %s |\n", c->how, c->source);
    }
    puts("");
}

static void fitted(const page *p)
{
    double mean = 0;
    puts("## Fitted\n"
         "\n"
         "Means over rows and loads. The uncapped draw is the model's at the highest measured clock, where no limit "
         "binds.\n"
         "\n"
         "| card | knee, MHz | slope, 1/GHz | perf_rel mean, % | worst load, % | worst row, % | clock mean, % | "
         "worst row, % | uncapped draw mean, % | worst load, % |\n"
         "|---|---|---|---|---|---|---|---|---|---|");
    for (int i = 0; i < p->n; i++) {
        summary s = sum_up(p, i, false);
        printf("| %s | %.0f | %.2f | %.2f | %.2f | %.1f |", p->cards[i].name, p->cards[i].gpu.clock_knee_hz / 1e6,
               p->cards[i].gpu.voltage_slope_per_hz * 1e9, s.mean, s.curve, s.point);
        cell(s.clock, "%.2f");
        cell(isnan(s.clock) ? (double)NAN : s.clock_worst, "%.1f");
        cell(s.draw, "%.1f");
        cell(isnan(s.draw) ? (double)NAN : s.draw_worst, "%.1f");
        puts("");
        mean += s.mean / p->n;
    }
    printf(
        "\n"
        "Mean over cards %.2f %% (bands per card: 1.5 %% for work, 3 %% for the clock, 5 %% for the uncapped draw). "
        "Clocks\n"
        "count at draws that a settable limit reaches. If no clock was recorded (the two Ada cards and the training\n"
        "sweeps), the clock's scale is undetermined: knee and slope are those of the part, and the band is 3 %%. "
        "A40, bloom\n"
        "layer forward: work falls from 0.895 at 1,050 MHz to 0.823 at 1,110 MHz. No curve that rises with the draw\n"
        "comes closer to that load than 0.9 %% (worst row 5.3 %%).\n"
        "\n"
        "",
        mean);
}

static void left_out(const page *p)
{
    double mean = 0, most = 0;
    int n = 0;
    puts(
        "## Left out\n"
        "\n"
        "Knee and slope are fitted to the card's other loads (if there are more than eight, to the other three "
        "quarters of\n"
        "them). P0, c and a are fitted to the load's own lowest and highest row, with a weak prior from the other "
        "loads of the\n"
        "card for P0 and a. The errors cover all rows, including those two. If the lowest row of a load has no "
        "clock, the\n"
        "clock's scale is undetermined: the clock's band applies to the other loads, and the last column shows all.\n"
        "\n"
        "| card | perf_rel mean, % | worst load, % | load | worst row, % | loads with a clock at the low end | clock "
        "mean, % | clock of all loads, % |\n"
        "|---|---|---|---|---|---|---|---|");
    for (int i = 0; i < p->n; i++) {
        if (p->cards[i].fitted < 2)
            continue;
        summary s = sum_up(p, i, true);
        printf("| %s | %.2f | %.2f | %s | %.1f | %d |", p->cards[i].name, s.mean, s.curve, s.curve_name, s.point,
               s.ended);
        cell(s.clock_ended, "%.2f");
        cell(s.clock, "%.2f");
        puts("");
        mean += s.mean;
        most = fmax(most, s.mean);
        n++;
    }
    printf(
        "\n"
        "Mean over cards %.2f %% (band 3 %%, goal 2 %%), worst card %.2f %% (band 6 %%). On the RTX 5000 Ada a "
        "14 B\n"
        "model with one stream changes from flat to falling more sharply than the fourth power, and the two end rows "
        "do not\n"
        "show where. Clocks: of the A100 PCIe's four codes two have no clock at the highest draw, "
        "where the\n"
        "limit of 300 W held it below the lock, and two none at the lowest. The V100 PCIe did not hold locks below\n"
        "800 MHz, so thirteen of its loads have no clock at the low end. Over all loads the clock error of these two "
        "cards\n"
        "exceeds 3 %%. Eight sweeps have no clocks at all; of them only the work is validated.\n"
        "\n"
        "",
        mean / n, most);
}

/* Rows are sorted by held power. That is not the order of the limits where the firmware holds one power for several
 * limits. */
static int row_of(const wsk_sweep *s, double limit_w)
{
    int row = 0;
    while (row < s->n - 1 && fabs(s->limit_w[row] - limit_w) > 0.5)
        row++;
    return row;
}

static void decode_and_prefill(const page *p)
{
    int i = 0;
    while (i < p->n && strcmp(p->cards[i].name, "RTX 3090") != 0)
        i++;
    if (i == p->n)
        return;
    const wsk_sweep_card *c = &p->cards[i];
    puts("## RTX 3090: decode from prefill, prefill from decode\n\n"
         "| limit, W | drawn, W | decode measured | fitted | left out | prefill measured | fitted | left out |\n"
         "|---|---|---|---|---|---|---|---|");
    for (double limit = 190; limit < 391; limit += 10) {
        printf("| %.0f | ", limit);
        printf("%.0f, %.0f |", c->load[0].drawn_w[row_of(&c->load[0], limit)],
               c->load[1].drawn_w[row_of(&c->load[1], limit)]);
        for (int k = 0; k < 2; k++) {
            const wsk_sweep *s = &c->load[k];
            int row = row_of(s, limit);
            printf(" %.3f | %.3f | %.3f |", s->perf[row],
                   model()->perf_rel(&p->fitted[i][k], wsk_sweep_clock(&c->gpu, &p->fitted[i][k], s->drawn_w[row])),
                   model()->perf_rel(&p->left[i][k],
                                     wsk_sweep_clock(&p->left_gpu[i][k], &p->left[i][k], s->drawn_w[row])));
        }
        puts("");
    }
    puts("\n"
         "The draw of decode rises less steeply above the knee than that of prefill. Part of it is the memory's "
         "power, which\n"
         "follows the work and not the core's voltage. The memory's share is computed, not fitted: 936 GB/s at 10 pJ "
         "per bit is 75 W\n"
         "(docs/theory/gpu.md). Without it the errors of left-out loads were 2.2 % (worst row 6.9 %) for decode and "
         "0.9 %\n"
         "(3.7 %) for prefill.\n"
         "");
}

static void draw_row(void *user, const wsk_sweep_draw *d)
{
    (void)user;
    printf("| %s | %s | %s | %.0f | %.0f | %.0f | %+.0f |", d->part, d->what, d->cls, d->clock_hz / 1e6,
           d->measured_w, d->model_w, 100 * (d->model_w / d->measured_w - 1));
    if (d->spread_rel > 0)
        printf(" class value, +-%.0f %% |\n", 100 * d->spread_rel);
    else
        puts(" the card's own |");
}

static int one_point(void)
{
    puts("## Measured at one clock only\n"
         "\n"
         "There are no sweeps of these cards, so nothing can be left out. The card of the catalogue is compared at "
         "the measured\n"
         "clock and die temperature.\n"
         "\n"
         "| card | load | class | MHz | measured, W | model, W | error, % | values |\n"
         "|---|---|---|---|---|---|---|---|");
    int n = wsk_sweep_draws(draw_row, NULL);
    puts(
        "\n"
        "With class values whole programs on the B300 agree within 15 %. Single kernels that use half of the chip (a "
        "bare "
        "tensor loop on\n"
        "the B300, small matrices on the PRO 6000 Server) draw far less than their class, which stands for whole "
        "programs.\n"
        "The other 40 rows of the B300 are such kernels, duty cycles below a second, and precisions without measured "
        "work.\n"
        "The MI210's four programs were run at two clocks each, 500 and 1,700 MHz, too few to fit three parameters "
        "per\n"
        "load. Three of the four draw 20-35 % of its limit, so no settable limit affects them. A card whose chip is\n"
        "not fully used draws less than its class: set `p0` and `c`, or the `load`.\n"
        "");
    return n;
}

static void strangers(const page *p)
{
    double mean[WSK_SWEEP_KNOWN] = {0};
    int groups = 0;
    puts("## A stranger's card and load\n"
         "\n"
         "Work under a limit, from the lowest settable limit up, by what is known: nothing of the card but its "
         "default "
         "limit and\n"
         "highest clock; the catalogue's part (one load beside the middle of its class); the part and the load's own "
         "power at the\n"
         "default limit (`measured-power`). Mean error and stated spread in percent of the work, and percent of the "
         "rows inside it.\n"
         "\n"
         "| card | class | loads | nothing: error | spread | inside | part: error | spread | inside | power: error | "
         "spread | inside | worst row |\n"
         "|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (int i = 0; i < p->n; i++)
        for (int c = 0; c < WSK_CLASS_IDLE; c++) {
            int n = 0, rows = 0;
            double error[WSK_SWEEP_KNOWN] = {0}, spread[WSK_SWEEP_KNOWN] = {0}, inside[WSK_SWEEP_KNOWN] = {0},
                   worst = 0;
            for (int k = 0; k < p->cards[i].n; k++) {
                const wsk_sweep *s = &p->cards[i].load[k];
                if (s->use != WSK_SWEEP_FIT || s->cls != c)
                    continue;
                for (int known = 0; known < WSK_SWEEP_KNOWN; known++) {
                    wsk_sweep_cover e = wsk_sweep_predicted(&p->cards[i], s, (wsk_sweep_known)known);
                    error[known] += e.error;
                    spread[known] += e.spread;
                    inside[known] += e.inside;
                    rows += known ? 0 : e.rows;
                    worst = fmax(worst, known == WSK_SWEEP_KNOWS_POWER ? e.worst : 0);
                }
                n++;
            }
            if (!n || !rows)
                continue;
            printf("| %s | %s | %d |", p->cards[i].name, wsk_class_names[c], n);
            for (int known = 0; known < WSK_SWEEP_KNOWN; known++) {
                printf(" %.1f | %.0f | %.0f |", error[known] / n, spread[known] / n, 100 * inside[known] / rows);
                mean[known] += error[known] / n;
            }
            printf(" %.0f |\n", worst);
            groups++;
        }
    printf("\nMean of the rows of this table: %.1f %% by class values, %.1f %% by the part, %.1f %% with the load's "
           "power. The\n"
           "V100 SXM2's 33 programs belong to no class.\n\n",
           mean[0] / groups, mean[1] / groups, mean[2] / groups);
}

static void shipped(const page *p)
{
    puts("## The catalogue\n"
         "\n"
         "The catalogue's part with its own values for the class, as a user gets it, by limit where limits were set "
         "and by\n"
         "draw where clocks were locked. It is compared with the mean of the measured loads of the class, and with "
         "each load.\n"
         "\n"
         "| part | class | set by | loads | error of the mean, % | worst row, % | error of a load, mean, % | worst "
         "load, % |\n"
         "|---|---|---|---|---|---|---|---|");
    for (int i = 0; i < p->n; i++)
        for (int c = 0; c < WSK_CLASS_IDLE; c++) {
            wsk_sweep mean;
            const wsk_sweep_card *card = &p->cards[i];
            if (!wsk_sweep_mean(card, c, &mean))
                continue;
            wsk_sweep_error e = wsk_sweep_shipped(card, &mean, NAN);
            double sum = 0, worst = 0;
            int n = 0;
            for (int k = 0; k < card->n; k++)
                if (card->load[k].use == WSK_SWEEP_FIT && card->load[k].cls == c) {
                    double one = wsk_sweep_shipped(card, &card->load[k], NAN).mean;
                    sum += one;
                    worst = fmax(worst, one);
                    n++;
                }
            printf("| %s | %s | %s | %d | %.2f | %.1f | %.2f | %.1f |\n", card->part, wsk_class_names[c],
                   card->limits ? "limit" : "clock", n, e.mean, e.worst, sum / n, worst);
        }
    puts("\n"
         "The band is 3 % of the mean. The V100's burn stands for a fully used chip, not for the single small matrix "
         "product\n"
         "measured here. For the RTX 4000 and 5000 Ada the energies in the log are sums of readings times 0.1 s, "
         "without the\n"
         "time that each reading takes: they give 0.77 of the limit at every limit, with loads that reach the limit. "
         "Work\n"
         "by limit is valid; the powers of that log are not used. Epochs of training draw 0.7-0.94 of a limit that\n"
         "binds, as means that include their pauses.\n"
         "");
}

/* The columns are: limit, draw, measured work and clock, work and clock of the fit, work and clock of the prediction
 * from the other loads. */
static int series(const page *p, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return 1;
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < p->cards[i].n; k++) {
            const wsk_sweep_card *c = &p->cards[i];
            const wsk_sweep *s = &c->load[k];
            if (s->use != WSK_SWEEP_FIT)
                continue;
            fprintf(f, "# %s: %s\n", c->name, s->name);
            for (int r = 0; r < s->n; r++) {
                double w = s->held_w[r], clock = wsk_sweep_clock(&c->gpu, &p->fitted[i][k], w), left = (double)NAN,
                       at = (double)NAN;
                if (c->fitted > 1) {
                    at = wsk_sweep_clock(&p->left_gpu[i][k], &p->left[i][k], w);
                    left = model()->perf_rel(&p->left[i][k], at);
                }
                fprintf(f, "%g %g %g %g %g %g %g %g %g\n", s->limit_w[r], w, s->perf[r], s->clock_hz[r] / 1e6,
                        model()->perf_rel(&p->fitted[i][k], clock), clock / 1e6, left, at / 1e6,
                        model()->held_w(&c->gpu, s->limit_w[r]));
            }
            fputs("\n\n", f);
        }
    return fclose(f) ? 1 : 0;
}

int main(int argc, char **argv)
{
    static page p;
    if (argc < 2 || fit_all(&p) || series(&p, argv[1])) {
        fputs("report_power: no sweeps, or no file for the series\n", stderr);
        return 1;
    }
    puts("<!-- SPDX-License-Identifier: GPL-3.0-or-later -->\n"
         "# Validation: power, clocks and work\n"
         "\n"
         "Written by `make validate`, copied here by `make validation-docs`; do not edit. Measured values and "
         "sources:\n"
         "`tests/validate/facts/sweep_*.csv`; bands: theory/uncertainty.md; tests: `tests/validate/test_power.c`. "
         "For each row the\n"
         "model gets the limit, if the sweep's powers are only means over runs (the sweeps without a clock), and "
         "otherwise the\n"
         "draw. It predicts clock and work. Work is relative to the row at the default limit, or at the highest "
         "limit.\n"
         "");
    what_was_measured(&p);
    shipped(&p);
    fitted(&p);
    left_out(&p);
    puts("![Work over draw](figures/limit-work.png)\n\n![Clock over draw](figures/limit-clock.png)\n");
    decode_and_prefill(&p);
    puts("![Draw and work over the limit: plateau, floor and cliff](figures/limit-plateau.png)\n");
    strangers(&p);
    if (!one_point())
        return 1;
    wsk_sweep_free(p.cards, p.n);
    return 0;
}
