/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes docs/validation-power.md (watts, clocks and work) to stdout, and the series of its figures to the given
 * file. */
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
    double mean, curve, point, clock, clock_worst, clock_ended, draw, draw_worst; /* errors, percent */
    int ended; /* number of loads with a clock at their lowest row */
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
    static const char *const use[] = {"", "", "never met a limit", "", "too noisy"};
    puts("## What was measured\n\n| card | loads | rows | set aside | how | source |\n|---|---|---|---|---|---|");
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
    puts("## Fitted\n\nMean over rows and loads. The draw is the model's at the highest measured clock, where no "
         "limit binds.\n\n"
         "| card | knee, MHz | slope, 1/GHz | perf_rel mean, % | worst load, % | worst row, % | clock mean, % | "
         "worst row, % | "
         "uncapped draw mean, % | worst load, % |\n|---|---|---|---|---|---|---|---|---|---|");
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
    printf("\nMean over cards %.2f %% (band 1.5 %% for each card, 3 %% for its clock, 5 %% for its uncapped draw). "
           "Clocks "
           "are counted at draws that a\n"
           "settable limit reaches. Where no clock was recorded (the two Ada cards and the training sweeps) "
           "the scale of f is open:\n"
           "knee and slope are the part's, held, and the band is 3 %%. A40, bloom layer forward: work falls from "
           "0.895 at "
           "1,050 MHz to 0.823\n"
           "at 1,110 MHz; no curve that rises with the draw comes closer to that load than 0.9 %% (worst row 5.3 "
           "%%).\n\n",
           mean);
}

static void left_out(const page *p)
{
    double mean = 0, most = 0;
    int n = 0;
    puts("## Left out\n\nKnee and slope from the other loads (from the other three quarters of them where there are "
         "more than eight);\n"
         "P0, c and a from the load's own lowest and highest row, with a weak pull to what the other loads of the "
         "card show for P0\n"
         "and a. All rows count, the two used too. A load whose lowest row carries no clock leaves the scale of f "
         "open; "
         "the clock's\n"
         "band holds for the others, and the last column has all.\n\n"
         "| card | perf_rel mean, % | worst load, % | which | worst row, % | loads with a clock at the low end | "
         "clock "
         "mean, % | clock of all loads, % |\n|---|---|---|---|---|---|---|---|");
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
    printf("\nMean over cards %.2f %% (band 3 %%, goal 2 %%), the worst card %.2f %% (band 6 %%). One load passes 6 "
           "%%: on the RTX 5000 "
           "Ada a 14 B\n"
           "model at one stream turns from flat to falling more sharply than the fourth power, and its two ends say "
           "nothing of where. "
           "Clocks: of\n"
           "the A100 PCIe's four codes two have no clock at the highest draw, where 300 W held it below the lock, "
           "two none at the lowest; "
           "the\n"
           "V100 PCIe did not hold locks below 800 MHz, so that thirteen of its loads have none at their low end. "
           "Over all loads the clock "
           "of these\n"
           "two cards is outside 3 %%. Five cards have no clocks at all: of theirs only work is validated.\n\n",
           mean / n, most);
}

/* Index of the row with this limit. Rows are sorted by draw, which differs from the order of limits on a plateau. */
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
    puts("\nDecode's draw rises less steeply above the knee than prefill's: a part of it is the memory's, which "
         "follows the "
         "work and\n"
         "not the core's voltage. That part is not fitted: 936 GB/s at 10 pJ a bit is 75 W (docs/theory/gpu.md). "
         "Without "
         "it the left-out\n"
         "errors were 2.2 % (worst row 6.9 %) for decode and 0.9 % (3.7 %) for prefill.\n");
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
    puts("## Measured at one clock alone\n\nNo sweeps, so that nothing can be left out: the card of the catalogue at "
         "the "
         "measured clock and die temperature.\n\n"
         "| card | load | class | MHz | measured, W | model, W | off, % | values "
         "|\n|---|---|---|---|---|---|---|---|");
    int n = wsk_sweep_draws(draw_row, NULL);
    puts("\nThe loads that a class of a card was fitted to agree; single kernels that leave the chip half empty (a "
         "bare tensor "
         "loop on the\n"
         "B300, small matrices on the PRO 6000 Server) draw far less than a class that stands for whole programs. "
         "The other "
         "40 rows of\n"
         "the B300 are such kernels, duty cycles below a second and precisions, without work. The MI210's four "
         "programs were "
         "run at two\n"
         "clocks each, 500 and 1,700 MHz: three numbers a load cannot be fitted to that, and three of the four draw "
         "20-35 "
         "% of its limit,\n"
         "so that no limit that can be set meets them. A card whose chip is not full draws less than its class says: "
         "state "
         "`p0` and `c`,\n"
         "or the `load`.\n");
    return n;
}

static void unknown(const page *p)
{
    int curves[WSK_CLASS_COUNT + 1] = {0}, whole[WSK_CLASS_COUNT + 1] = {0};
    puts("## A card that nobody has measured\n\nEach card taken as unknown: its default limit and highest clock, all "
         "else from the "
         "class. The\n"
         "spread is the figure that the program prints, of the work that it predicts (docs/theory/gpu.md). Curves "
         "are card by load, "
         "from\n"
         "the lowest limit that can be set up; whole: every row is inside.\n\n"
         "| card | class | curves | error of perf_rel, mean, % | stated, mean, % | rows inside, % | curves whole, % "
         "|\n"
         "|---|---|---|---|---|---|---|");
    for (int i = 0; i < p->n; i++)
        for (int c = 0; c < WSK_CLASS_IDLE; c++) {
            double n = 0, inside = 0, rows = 0, error = 0, stated = 0, held = 0;
            for (int k = 0; k < p->cards[i].n; k++) {
                const wsk_sweep *s = &p->cards[i].load[k];
                if (s->use != WSK_SWEEP_FIT || s->cls != c)
                    continue;
                wsk_sweep_cover e = wsk_sweep_unknown(&p->cards[i], s);
                if (!e.rows)
                    continue;
                n++;
                held += e.inside == e.rows;
                inside += e.inside;
                rows += e.rows;
                error += e.error * e.rows;
                stated += e.spread * e.rows;
            }
            if (n <= 0)
                continue;
            printf("| %s | %s | %.0f | %.1f | %.0f | %.0f | %.0f |\n", p->cards[i].name, wsk_class_names[c], n,
                   error / rows, stated / rows, 100 * inside / rows, 100 * held / n);
            curves[c] += (int)n, curves[WSK_CLASS_COUNT] += (int)n;
            whole[c] += (int)held, whole[WSK_CLASS_COUNT] += (int)held;
        }
    puts("");
    for (int c = 0; c < WSK_CLASS_IDLE; c++)
        if (curves[c])
            printf("%s: %.0f %% of %d curves. ", wsk_class_names[c], 100.0 * whole[c] / curves[c], curves[c]);
    printf("All: %.0f %% of %d (band 80 %% for each class).\n"
           "By card it is less even: the P100's loads and the 3090's decode fall off sooner than the class. The V100 "
           "SXM2's 33 programs "
           "belong to no class.\n\n",
           100.0 * whole[WSK_CLASS_COUNT] / curves[WSK_CLASS_COUNT], curves[WSK_CLASS_COUNT]);
}

/* ---- cards and classes of the catalogue, as a user gets them ---- */
static void shipped(const page *p)
{
    puts("## The catalogue\n\nThe part that a user gets, its own values for the class, by the limit where limits "
         "were set and by the "
         "draw where clocks\n"
         "were locked: against the mean of the measured loads of the class, and against each load by itself.\n\n"
         "| part | class | set by | loads | of the mean, % | worst row, % | of a load, mean, % | worst load, % |\n"
         "|---|---|---|---|---|---|---|---|");
    for (int i = 0; i < p->n; i++)
        for (int c = 0; c < WSK_CLASS_IDLE; c++) {
            wsk_sweep mean;
            const wsk_sweep_card *card = &p->cards[i];
            if (!wsk_sweep_mean(card, c, &mean))
                continue;
            wsk_sweep_error e = wsk_sweep_shipped(card, &mean);
            double sum = 0, worst = 0;
            int n = 0;
            for (int k = 0; k < card->n; k++)
                if (card->load[k].use == WSK_SWEEP_FIT && card->load[k].cls == c) {
                    double one = wsk_sweep_shipped(card, &card->load[k]).mean;
                    sum += one;
                    worst = fmax(worst, one);
                    n++;
                }
            printf("| %s | %s | %s | %d | %.2f | %.1f | %.2f | %.1f |\n", card->part, wsk_class_names[c],
                   card->limits ? "limit" : "clock", n, e.mean, e.worst, sum / n, worst);
        }
    puts("\nThe band is 3 % of the mean. The V100's burn stands for a chip that is full, and not for the one small "
         "matrix product "
         "measured\n"
         "here. Of the RTX 4000 and 5000 Ada the log's joules are sums of readings times 0.1 s that leave out the "
         "time each reading "
         "takes:\n"
         "0.77 of the limit at every limit, on loads that the limit holds. Work by the limit is what was measured; "
         "the watts of that "
         "log are\n"
         "not used. Epochs of training draw 0.7-0.94 of a limit that binds, as means with their pauses.\n");
}

/* Writes one block per load: limit, draw, measured work and clock, then work and clock fitted, and predicted when
 * left out. */
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
    puts("<!-- SPDX-License-Identifier: GPL-3.0-or-later -->\n# Validation: watts, clocks and work\n\n"
         "Written by `make validate`, brought here by `make validation-docs`; do not edit. Measured values and their "
         "sources: "
         "`tests/validate/facts/sweep_*.csv`; the bands:\n"
         "theory/uncertainty.md; tests: `tests/validate/test_power.c`. Of each row the model gets the limit where "
         "the watts of\n"
         "the sweep are means over runs (Ada, the training sweeps), the draw elsewhere, and answers with clock and "
         "work. Work is relative to the row at the default limit, or at the "
         "highest.\n");
    what_was_measured(&p);
    shipped(&p);
    fitted(&p);
    left_out(&p);
    puts("![Work over draw](figures/limit-work.png)\n\n![Clock over draw](figures/limit-clock.png)\n");
    decode_and_prefill(&p);
    puts("![Draw and work over the limit: plateau, floor and cliff](figures/limit-plateau.png)\n");
    unknown(&p);
    if (!one_point())
        return 1;
    wsk_sweep_free(p.cards, p.n);
    return 0;
}
