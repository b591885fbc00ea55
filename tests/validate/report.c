/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes docs/validation.md on stdout from the facts here and the measured traces.
 *   report DATA [SERIES]    SERIES: a file for the time series that transients.gp draws */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/base.h"
#include "tests/support/replay.h"
#include "tests/support/sweep.h"

enum { STYLES = 8 };
typedef struct {
    const char *style;
    double abs_sum, sum, worst;
    int n;
} style_error;

static const char *signed_text(char out[16], double x)
{
    snprintf(out, 16, "%+.1f", x);
    return out;
}

static void score(style_error *styles, const char *style, double error)
{
    for (int i = 0; i < STYLES; i++) {
        if (styles[i].style && strcmp(styles[i].style, style) != 0)
            continue;
        styles[i].style = style;
        styles[i].abs_sum += fabs(error);
        styles[i].sum += error;
        styles[i].worst = fmax(styles[i].worst, fabs(error));
        styles[i].n++;
        return;
    }
}

static wsk_rig *open_rig(const char *name)
{
    wsk_buf path = {0};
    wsk_buf_printf(&path, "tests/validate/rigs/%s.xml", name);
    wsk_rig *rig = path.data ? wsk_replay_rig(path.data, NULL) : NULL;
    wsk_buf_free(&path);
    return rig;
}

static void steady_head(void)
{
    puts("## Steady operating points\n\n"
         "Power and fan speed are pinned to the measured values. One inlet (the room's temperature) per card and day is\n"
         "fitted on one row and held for the others; where the room is stated, it is used and the conductance of the\n"
         "cooler is what the first row fitted. Rows of a trace that still rises are replayed in time with the power of\n"
         "that trace, because the steady point of such a row is another quantity.\n\n"
         "| card | style | W | rpm | state | inlet, degC | measured, degC | fitted, degC | predicted, degC | error, K |\n"
         "|---|---|---|---|---|---|---|---|---|---|");
}

static int steady_row(const wsk_csv *rows, int i, const wsk_csv *segments, double *inlet, style_error *styles)
{
    wsk_steady_row row = wsk_steady_read(rows, i);
    wsk_rig *rig = open_rig(row.rig);
    if (!rig)
        return 1;
    bool fit = strcmp(row.use, "fit") == 0;
    if (fit)
        *inlet = isnan(row.room_c) ? wsk_replay_inlet(rig, &row, segments) : row.room_c;
    double die = wsk_replay_row(rig, &row, segments, *inlet);
    char rpm[16] = "curve", state[32] = "settled", value[16], error[16];
    if (!isnan(row.fan_rpm))
        snprintf(rpm, sizeof rpm, "%.0f", row.fan_rpm);
    else if (strcmp(row.style, "passive") == 0)
        snprintf(rpm, sizeof rpm, "fixed");
    if (!isnan(row.from_s))
        snprintf(state, sizeof state, "%.0f-%.0f s", row.from_s, row.to_s);
    snprintf(value, sizeof value, "%.1f", die);
    printf("| %s | %s | %.1f | %s | %s | %.1f%s | %.1f | %s | %s | %s%s |\n", row.card, row.style, row.power_w, rpm, state, *inlet,
           isnan(row.room_c) ? "" : " stated", row.die_c, fit ? value : "", fit ? "" : value, signed_text(error, die - row.die_c),
           strcmp(row.use, "report") == 0 ? " (6 K band)" : "");
    if (!fit)
        score(styles, row.style, die - row.die_c);
    wsk_rig_free(rig);
    return isnan(die);
}

static int steady(void)
{
    wsk_csv *rows = wsk_csv_read("tests/validate/facts/steady.csv"), *segments = wsk_csv_read("tests/validate/facts/h100_segments.csv");
    style_error styles[STYLES] = {0};
    double inlet = NAN;
    int failed = !rows || !segments;
    if (!failed)
        steady_head();
    for (int i = 0; !failed && i < wsk_csv_rows(rows); i++)
        failed = steady_row(rows, i, segments, &inlet, styles);
    puts("\nPredicted rows only:\n\n| style | rows | mean abs. error, K | bias, K | worst, K |\n|---|---|---|---|---|");
    for (int i = 0; i < STYLES && styles[i].style; i++)
        printf("| %s | %d | %.1f | %+.1f | %.1f |\n", styles[i].style, styles[i].n, styles[i].abs_sum / styles[i].n,
               styles[i].sum / styles[i].n, styles[i].worst);
    puts("\nThe RTX 3090 rows come from a limit sweep of 23 s a limit on a card that warms meanwhile, with its fan not\n"
         "recorded: they are compared at the settled point with the part's own fan curve, in a band of 6 K. The second\n"
         "RTX 2080 row was taken the next morning and is predicted with the inlet of the evening.\n");
    wsk_csv_free(rows);
    wsk_csv_free(segments);
    return failed;
}

/* ---- transients ---- */

typedef struct {
    const char *card, *rig, *run, *trace;
    bool fitted;
    double cpu_power_w;
} transient_case;
static const transient_case transients[] = {
    {"GTX 1080 FE", "gtx-1080", "Fire Strike", "occ_gtx_1080_3dmark_fire_strike_extreme_loop_20210315_1227", true, 140.5},
    {"GTX 1080 FE", "gtx-1080", "Time Spy", "occ_gtx_1080_3dmark_time_spy_loop_20210315_1434", false, 0},
    {"RTX 2080 FE", "rtx-2080", "Fire Strike", "occ_rtx_2080_3dmark_fire_strike_extreme_loop_20210316_2140", true, 213.1},
    {"RTX 2080 FE", "rtx-2080", "Time Spy", "occ_rtx_2080_3dmark_time_spy_loop_20210317_0916", false, 0},
};
enum { TRANSIENTS = sizeof transients / sizeof *transients };

static void write_series(FILE *f, const transient_case *c, const wsk_trace *trace)
{
    fprintf(f, "# %s, %s: t_s measured_c model_c power_w fan_rpm\n", c->card, c->run);
    for (int i = 0; i < trace->count; i += 5)
        fprintf(f, "%.0f %.0f %.2f %.1f %.0f\n", trace->t_s[i], trace->die_c[i], trace->model_c[i], trace->power_w[i], trace->fan_rpm[i]);
    fputs("\n\n", f);
}

static double bias(const wsk_trace *trace, double from_s, double to_s)
{
    return wsk_trace_mean(trace, trace->model_c, from_s, to_s) - wsk_trace_mean(trace, trace->die_c, from_s, to_s);
}

static int transient(const char *data, const transient_case *c, FILE *series)
{
    wsk_trace trace = {0};
    wsk_buf path = {0};
    wsk_buf_printf(&path, "%s/thermal/traces/%s.csv", data, c->trace);
    int failed = !path.data || wsk_trace_read(&trace, path.data);
    wsk_buf_free(&path);
    wsk_rig *rig = failed ? NULL : open_rig(c->rig);
    double room = NAN, rms = rig ? wsk_replay_trace_inlet(rig, &trace, &room) : (double)NAN;
    if (isnan(rms)) {
        fprintf(stderr, "report: the trace %s could not be replayed\n", c->trace);
    } else {
        char value[16];
        snprintf(value, sizeof value, "%.2f", rms);
        printf("| %s | %s | %.1f | %s | %s | %+.1f | %+.1f | %+.1f | %+.1f |\n", c->card, c->run, room, c->fitted ? value : "",
               c->fitted ? "" : value, bias(&trace, -300, 0), bias(&trace, 0, 600), bias(&trace, 600, 3600), bias(&trace, 3600, 1e9));
        if (series)
            write_series(series, c, &trace);
    }
    wsk_rig_free(rig);
    wsk_trace_free(&trace);
    return isnan(rms);
}

static int all_transients(const char *data, const char *series_path)
{
    FILE *series = series_path ? fopen(series_path, "w") : NULL;
    int failed = series_path && !series;
    puts("## Two hours: idle, load, cool-down\n\n"
         "Power and fan speed follow the trace each second. The parameters of the card were fitted on its Fire Strike run;\n"
         "for the Time Spy run only the inlet is fitted. The whole trace from -300 s to 7,200 s counts. What went on before\n"
         "it is not recorded: the machine starts as warm as the first reading says. The sensor gives whole degrees.\n\n"
         "| card | run | inlet, degC | rms fitted, K | rms predicted, K | bias before, K | 0-10 min, K | 10-60 min, K | after, K |\n"
         "|---|---|---|---|---|---|---|---|---|");
    for (int i = 0; i < TRANSIENTS && !failed; i++)
        failed = transient(data, &transients[i], series);
    puts("\n![Measured and modelled die temperature](figures/transients.png)\n");
    if (series)
        fclose(series);
    return failed;
}

/* ---- time constants, recirculation ---- */

static int constants(void)
{
    static const struct {
        const char *card, *rig;
        double rpm, tau_s;
    } row[] = {{"GTX 1080 FE", "gtx-1080", 2200, 70}, {"RTX 2080 FE", "rtx-2080", 2200, 100}, {"H100 PCIe", "h100-pcie", NAN, 59.5}};
    int failed = 0;
    puts("## Heatsink time constants\n\n"
         "Capacity over conductance to the air at 2,200 rpm (H100: at the server's speed), against the fits of `coolers.csv`,\n"
         "which give all of the board power to one heatsink. Band 35 %.\n\n"
         "| card | measured, s | model, s | error |\n|---|---|---|---|");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        wsk_rig *rig = open_rig(row[i].rig);
        double tau = rig ? wsk_replay_tau(rig, row[i].rpm) : (double)NAN;
        printf("| %s | %.0f | %.0f | %+.0f %% |\n", row[i].card, row[i].tau_s, tau, 100 * (tau / row[i].tau_s - 1));
        failed |= isnan(tau);
        wsk_rig_free(rig);
    }
    puts("");
    return failed;
}

static int recirculation(void)
{
    wsk_rig *blower = open_rig("gtx-1080"), *open = open_rig("rtx-2080");
    double b = blower ? wsk_replay_cpu_rise(blower, 140.5, 2302.5) : (double)NAN;
    double o = open ? wsk_replay_cpu_rise(open, 213.1, 2547.3) : (double)NAN;
    puts("## What a card does to its case\n\n"
         "Rise of the processor from 40-90 s to the end of an hour, in the same case (`recirculation.csv`). The measured rise\n"
         "contains the own warm-up of the processor's cooler; in the model its power is constant and only the case warms.\n"
         "The case's intake was fitted once to both cards.\n\n"
         "| card | style | measured, K | model, K | measured, K/W | model, K/W |\n|---|---|---|---|---|---|");
    printf("| GTX 1080 FE | blower | 7.0 | %.1f | 0.050 | %.3f |\n| RTX 2080 FE | open-air | 21.8 | %.1f | 0.102 | %.3f |\n\n", b, b / 140.5,
           o, o / 213.1);
    printf("Blower over open-air, per watt: measured 0.49, model %.2f (band 0.25-0.6).\n", (b / 140.5) / (o / 213.1));
    wsk_rig_free(blower);
    wsk_rig_free(open);
    return isnan(b) || isnan(o);
}

/* ---- work under a power limit ---- */

static int limits(void)
{
    static const char *const name[2] = {"decode", "prefill"};
    static const wsk_class cls[2] = {WSK_CLASS_DECODE, WSK_CLASS_PREFILL};
    const wsk_gpu_params *card = NULL;
    wsk_plan *plan = wsk_sweep_card(&card);
    wsk_sweep s[2];
    if (!plan || !wsk_sweep_read(&s[0], name[0]) || !wsk_sweep_read(&s[1], name[1]) || s[0].n != s[1].n) {
        wsk_plan_free(plan);
        return 1;
    }
    wsk_gpu_class fitted[2], predicted[2];
    wsk_gpu_params gpu[2];
    for (int k = 0; k < 2; k++) {
        ((const wsk_gpu_ops *)card->head.elem->kind->ops)->classify(card, cls[k], NULL, &fitted[k]);
        wsk_sweep_predict(card, &s[1 - k], &s[k], &gpu[k], &predicted[k]);
    }
    puts("\n## Work under a power limit, RTX 3090\n\n"
         "perf_rel, relative to 350 W. Fitted: the catalogue's values, from both loads. Predicted: knee and slope of the voltage\n"
         "from the other load alone, P0, c and the clock-bound share from the load's own highest and lowest limit.\n\n"
         "| limit, W | decode measured | fitted | predicted | prefill measured | fitted | predicted |\n|---|---|---|---|---|---|---|");
    for (int i = 0; i < s[0].n; i++) {
        printf("| %.0f |", s[0].limit_w[i]);
        for (int k = 0; k < 2; k++)
            printf(" %.3f | %.3f | %.3f |", s[k].perf[i], wsk_sweep_perf(card, &fitted[k], s[k].limit_w[i]),
                   wsk_sweep_perf(&gpu[k], &predicted[k], s[k].limit_w[i]));
        puts("");
    }
    puts("\n| load | | mean error, % | worst, % | at, W | clock, mean error, % |\n|---|---|---|---|---|---|");
    for (int k = 0; k < 4; k++) {
        wsk_sweep_error e = k & 1 ? wsk_sweep_compare(&gpu[k / 2], &predicted[k / 2], &s[k / 2]) : wsk_sweep_compare(card, &fitted[k / 2], &s[k / 2]);
        printf("| %s | %s | %.2f | %.1f | %.0f | %.1f |\n", name[k / 2], k & 1 ? "predicted" : "fitted", e.mean, e.worst, e.worst_limit_w, e.clock_mean);
    }
    puts("\nBands: fitted 1.5 % mean and 4 % at worst; predicted 3 % mean over cards, none above 6 %. The prediction of\ndecode misses the 6 %: the other load draws less at the same clock and shows little of the low clocks where decode runs\nat its lowest limits, and one load is all there is to learn the voltage of this card from.");
    wsk_plan_free(plan);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: report DATA [SERIES]\n", stderr);
        return 2;
    }
    puts("<!-- SPDX-License-Identifier: GPL-3.0-or-later -->\n# Validation\n\n"
         "Written by `make validate`; do not edit. Measured values and their sources: `tests/validate/facts/`; the rigs:\n"
         "`tests/validate/rigs/`; the raw traces are read from the measured data, which are not part of this tree. What was\n"
         "fitted and what was predicted stand in separate columns.\n");
    if (steady() || all_transients(argv[1], argc > 2 ? argv[2] : NULL) || constants() || recirculation() || limits()) {
        fputs("report: incomplete\n", stderr);
        return 1;
    }
    return 0;
}
