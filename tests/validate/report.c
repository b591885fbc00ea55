/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes docs/validation.md to stdout. Results that need a missing trace are left out, and the page lists the missing
 * traces.
 * Usage: report DATA [SERIES]. DATA: folder of traces. SERIES: output file for the time series of the figures; the
 * settled points go to SERIES.points. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/listings.h"
#include "tests/support/report.h"
#include "tests/support/sweep.h"
#include "tests/support/tokens.h"
#include "tests/support/throttles.h"
#include "tests/support/walls.h"

static const char *const style_name[WSK_REPORT_STYLES] = {"blower", "open-air", "passive", "aio", "custom-loop"};

static int style_of(const char *style)
{
    int i = 0;
    while (i < WSK_REPORT_STYLES - 1 && strcmp(style_name[i], style) != 0)
        i++;
    return i;
}

static void point(wsk_report *r, const char *group, const char *style, double measured, double model)
{
    if (r->points)
        fprintf(r->points, "%s %s %.2f %.2f\n", group, style, measured, model);
}

static int steady_row(wsk_report *r, const wsk_csv *rows, int i, const wsk_csv *segments, double *inlet,
                      wsk_row_temps *temps)
{
    wsk_steady_row row = wsk_steady_read(rows, i);
    wsk_rig *rig = wsk_replay_rig(row.rig, row.sets);
    if (!rig)
        return 1;
    bool fit = strcmp(row.use, "fit") == 0, passive = strcmp(row.style, "passive") == 0;
    if (fit)
        *inlet = isnan(row.room_c) ? wsk_replay_inlet(rig, &row, segments) : row.room_c;
    *temps = wsk_replay_row(rig, &row, segments, *inlet);
    double die = temps->die_c;
    char state[32] = "settled";
    if (!isnan(row.from_s))
        snprintf(state, sizeof state, "%.0f-%.0f s", row.from_s, row.to_s);
    printf("| %s | %s | %.1f | %s | %s | %.1f%s | %.1f | %s | %s | %+.1f%s |\n", row.card, row.style, row.power_w,
           wsk_report_number(row.fan_rpm, 0, passive ? "fixed" : "by its curve").text, state, *inlet,
           isnan(row.room_c) ? "" : " stated", row.die_c, fit ? wsk_report_number(die, 1, "").text : "",
           fit ? "" : wsk_report_number(die, 1, "").text, die - row.die_c,
           strcmp(row.use, "report") == 0 ? " (6 K band)" : "");
    point(r, fit ? "fitted" : "predicted", row.style, row.die_c, die);
    if (!fit)
        wsk_report_add(&r->style[style_of(row.style)], die - row.die_c);
    wsk_rig_free(rig);
    return isnan(die);
}

static void style_scores(const wsk_report_score *s)
{
    puts("\n"
         "| style | predicted rows | mean abs. error, K | bias, K | worst, K |\n"
         "|---|---|---|---|---|");
    for (int i = 0; i < WSK_REPORT_STYLES; i++)
        if (s[i].n)
            printf("| %s | %d | %.1f | %+.1f | %.1f |\n", style_name[i], s[i].n, s[i].abs_sum / s[i].n,
                   s[i].sum / s[i].n, s[i].worst);
}

static void settled_sensors(const wsk_csv *rows, const wsk_row_temps *temps)
{
    puts("Memory and hot spot of the same rows, with the same inlets (V100: peak readings of its log):\n\n"
         "| card | W | memory measured, degC | model, degC | error, K | hot spot measured, degC | "
         "model, degC | error, K |\n"
         "|---|---|---|---|---|---|---|---|");
    for (int i = 0; i < wsk_csv_rows(rows); i++) {
        wsk_steady_row row = wsk_steady_read(rows, i);
        if (isnan(row.memory_c))
            continue;
        printf("| %s | %.1f | %.1f | %.1f | %+.1f |", row.card, row.power_w, row.memory_c, temps[i].memory_c,
               temps[i].memory_c - row.memory_c);
        if (isnan(row.hotspot_c))
            puts(" | | |");
        else
            printf(" %.1f | %.1f | %+.1f |\n", row.hotspot_c, temps[i].hotspot_c, temps[i].hotspot_c - row.hotspot_c);
    }
    puts("");
}

static int memory_heat(void)
{
    wsk_csv *rows = wsk_report_table("memory.csv");
    int failed = !rows;
    wsk_report_score held = {0};
    puts("## Memory over the die\n\n"
         "Cards with GDDR on an open bench, with power and fan as measured. Traffic is that of the hashes, 8 kB "
         "each. No source\n"
         "states the room, so the difference to the die is compared. The rows \"chose\" were there when the "
         "constants of\n"
         "[the model](theory/card.md#memory) were chosen. Those \"held\" were found afterwards; \"report\" are "
         "readings that their\n"
         "authors doubt, or loads of unknown traffic.\n\n"
         "| card | use | measured, K | model, K | error, K |\n"
         "|---|---|---|---|---|");
    for (int i = 0; !failed && i < wsk_csv_rows(rows); i++) {
        wsk_rig *rig = wsk_replay_memory_rig(rows, i, true);
        const double over = wsk_replay_memory_over(rig),
                     measured = wsk_csv_number(rows, i, "memory_c") - wsk_csv_number(rows, i, "die_c");
        failed += isnan(over);
        wsk_rig_free(rig);
        printf("| %s | %s | %.0f | %.1f | %+.1f |\n", wsk_csv_text(rows, i, "card"), wsk_csv_text(rows, i, "use"),
               measured, over, over - measured);
        if (strcmp(wsk_csv_text(rows, i, "use"), "held") == 0)
            wsk_report_add(&held, over - measured);
    }
    if (held.n)
        printf("\nHeld rows: mean absolute error %.1f K, bias %+.1f, worst %.1f, of %d.\n\n", held.abs_sum / held.n,
               held.sum / held.n, held.worst, held.n);
    wsk_csv_free(rows);
    return failed;
}

static int steady(wsk_report *r)
{
    wsk_csv *rows = wsk_report_table("steady.csv"), *segments = wsk_report_table("h100_segments.csv");
    double inlet = NAN;
    wsk_row_temps temps[64];
    int failed = !rows || !segments || wsk_csv_rows(rows) > 64, n = failed ? 0 : wsk_csv_rows(rows);
    puts("## Settled operating points\n\n"
         "Power and fan speed are pinned to the measured values. For each card and day one inlet temperature (the\n"
         "room's) is fitted on one row and used for the others. If the room's temperature is stated, it is used,\n"
         "and the first row fits the cooler's conductance instead. Rows from a trace that still rises are replayed\n"
         "over time with the power of that trace, because they are not settled. Vega 64 reports its power without\n"
         "the losses of its voltage converters; they are added, 1.5 W and the square of the reading up to 43.5 W at "
         "246.5. Rows with Time Spy have 10 W more for the\n"
         "processor, as its own temperature shows.\n\n"
         "| card | style | W | rpm | state | inlet, degC | measured, degC | fitted, degC | "
         "predicted, degC | error, K |\n"
         "|---|---|---|---|---|---|---|---|---|---|");
    for (int i = 0; !failed && i < n; i++)
        failed = steady_row(r, rows, i, segments, &inlet, &temps[i]);
    style_scores(r->style);
    puts("\nRTX 3090 in air: a sweep with 23 s per limit on a card that was still warming; its fan speed was not\n"
         "recorded. RTX 3090 on water and RTX 4090: radiators, pumps, fans and rooms are not stated, so class\n"
         "values are used. The band of all these rows is 6 K. The Time Spy rows of GTX 1070 and RTX 2080 were\n"
         "measured the next morning and use the inlet of the evening before.\n\n"
         "![Predicted over measured](figures/one-to-one.png)\n");
    if (!failed)
        settled_sensors(rows, temps);
    wsk_csv_free(rows);
    wsk_csv_free(segments);
    return failed;
}

static void card_score(const wsk_report_score *s)
{
    if (s->n)
        printf(" %.1f of %d | %+.1f |", s->abs_sum / s->n, s->n, s->sum / s->n);
    else
        printf(" | |");
}

static int by_card(wsk_report *r)
{
    wsk_csv *csv = wsk_report_table("by_card.csv");
    wsk_report_score own_score[WSK_REPORT_STYLES] = {{0}};
    int failed = !csv;
    puts("## Split by card\n\n"
         "The inlet temperature is fitted to the idle hour after the load, when the cooler has little effect (2 to\n"
         "13 W), or it is stated. The hour of load is then predicted twice: with the card's own values, and without "
         "any that\n"
         "were fitted to it: with the complete cooler of another card of the same style, or with the values of its "
         "class,\n"
         "which follow from its size (open-air) or its power (blower), as the program has for a card that nobody "
         "fitted.\n"
         "A card's own cooler was fitted on its Fire Strike run. The last column is the inlet of the second "
         "prediction.\n\n"
         "| card | style | run | measured, degC | own cooler, degC | error, K | cooler of | degC | "
         "error, K | inlet, degC |\n"
         "|---|---|---|---|---|---|---|---|---|---|");
    for (int i = 0; !failed && i < wsk_csv_rows(csv); i++) {
        const char *style = wsk_csv_text(csv, i, "style");
        const char *of = wsk_csv_text(csv, i, "of");
        const bool by_class = strcmp(of, "class") == 0;
        const double measured = wsk_csv_number(csv, i, "load_c");
        const wsk_by_card own = wsk_replay_by_card(csv, i, true), other = wsk_replay_by_card(csv, i, false);
        printf("| %s | %s | %s | %.1f | %.1f | %+.1f | %s | %.1f | %+.1f | %.1f |\n", wsk_csv_text(csv, i, "card"),
               style, wsk_csv_text(csv, i, "run"), measured, own.load_c, own.error_k, of, other.load_c, other.error_k,
               other.room_c);
        wsk_report_add(&own_score[style_of(style)], own.error_k);
        wsk_report_add(by_class ? &r->by_class[style_of(style)] : &r->other[style_of(style)], other.error_k);
        point(r, "by-card", style, measured, other.load_c);
        failed = isnan(own.error_k) || isnan(other.error_k);
    }
    puts("\n"
         "| style | own cooler: mean abs. error, K | bias, K | another card's: mean abs. error, K | bias, K | class: "
         "mean "
         "abs. error, K | bias, K |\n"
         "|---|---|---|---|---|---|---|");
    for (int i = 0; i < WSK_REPORT_STYLES; i++)
        if (own_score[i].n) {
            printf("| %s |", style_name[i]);
            card_score(&own_score[i]);
            card_score(&r->other[i]);
            card_score(&r->by_class[i]);
            puts("");
        }
    puts("\nBlowers of one maker and generation agree within 4 K. Open-air coolers differ by design (0.26 K/W from\n"
         "case to die on GTX 770, 0.13 on Vega 64), so another card's cooler says little of a card; its size says "
         "more.\n");
    wsk_csv_free(csv);
    return failed;
}

static int constants(wsk_report *r)
{
    wsk_csv *csv = wsk_report_table("time_constants.csv");
    int failed = !csv;
    puts("## Heatsink time constants\n\n"
         "[Fits of the traces](theory/sources.md#fits-of-one-hour-traces) describe the response of a card as a jump, "
         "the\n"
         "heatsink and a slow part. The model's response to a step from 10 to 150 W at 2,200 rpm (H100: at the\n"
         "server's speed) is fitted in the same form. Band 35 %. The last column is the time constant of the\n"
         "heatsink's node alone, heat capacity divided by conductance. It differs where the board is coupled to\n"
         "the heatsink (Vega 64).\n\n"
         "| card | measured, s | model, s | error | jump, K/W | heatsink, K/W | slow, K/W | slow, s | "
         "node alone, s |\n"
         "|---|---|---|---|---|---|---|---|---|");
    for (int i = 0; !failed && i < wsk_csv_rows(csv); i++) {
        wsk_rig *rig = wsk_replay_rig(wsk_csv_text(csv, i, "rig"), NULL);
        wsk_step_answer a = {.fast_s = NAN};
        if (rig)
            a = wsk_replay_step(rig, wsk_csv_number(csv, i, "fan_rpm"));
        double tau = wsk_csv_number(csv, i, "tau_s");
        printf("| %s | %.0f | %.0f | %+.0f %% | %.3f | %.3f | %.3f | %.0f | %.0f |\n", wsk_csv_text(csv, i, "card"),
               tau, a.fast_s, 100 * (a.fast_s / tau - 1), a.jump_k_w, a.fast_k_w, a.slow_k_w, a.slow_s, a.node_s);
        r->worst_tau = fmax(r->worst_tau, 100 * fabs(a.fast_s / tau - 1));
        failed = isnan(a.fast_s);
        wsk_rig_free(rig);
    }
    puts("");
    wsk_csv_free(csv);
    return failed;
}

static int recirculation(wsk_report *r)
{
    wsk_csv *csv = wsk_report_table("recirculation.csv");
    double sum[2][2] = {{0}}, n[2] = {0};
    int failed = !csv;
    puts("## Effect of a card on its case\n\n"
         "Temperature rise of the processor from 40-90 s to the end of an hour, in one case\n"
         "(`recirculation.csv`), per watt of board power. The measured rise includes the warm-up of the processor's\n"
         "cooler; in the model the processor's power is constant and only the case warms. The case's intake was\n"
         "fitted once, to GTX 1080 and RTX 2080; the others are predicted.\n\n"
         "| card | style | run | measured, K | model, K | measured, K/W | model, K/W |\n"
         "|---|---|---|---|---|---|---|");
    for (int i = 0; !failed && i < wsk_csv_rows(csv); i++) {
        double power = wsk_csv_number(csv, i, "power_w"), measured = wsk_csv_number(csv, i, "rise_k");
        const char *style = wsk_csv_text(csv, i, "style");
        wsk_rig *rig = wsk_replay_rig(wsk_csv_text(csv, i, "rig"), NULL);
        double rise = rig ? wsk_replay_cpu_rise(rig, power, wsk_csv_number(csv, i, "fan_rpm")) : (double)NAN;
        printf("| %s | %s | %s | %.1f | %.1f | %.3f | %.3f |\n", wsk_csv_text(csv, i, "card"), style,
               wsk_csv_text(csv, i, "run"), measured, rise, measured / power, rise / power);
        int k = strcmp(style, "open-air") == 0;
        sum[k][0] += measured / power;
        sum[k][1] += rise / power;
        n[k]++;
        failed = isnan(rise);
        wsk_rig_free(rig);
    }
    r->ratio = sum[0][1] / n[0] / (sum[1][1] / n[1]);
    if (!failed)
        printf("\nBlower divided by open-air, per watt, means over the rows: measured %.2f, model %.2f (band "
               "0.25-0.6).\n\n",
               sum[0][0] / n[0] / (sum[1][0] / n[1]), sum[0][1] / n[0] / (sum[1][1] / n[1]));
    wsk_csv_free(csv);
    return failed;
}

static int lacking(wsk_report *r)
{
    wsk_csv *csv = wsk_report_table("lacking.csv");
    int failed = !csv;
    puts("## A stranger's machine: rows that lack an input\n\n"
         "Power, room, fans or case are not stated for these rows. The last column lists the assumptions; all else "
         "has\n"
         "class values, and the accepted range is wide. Nothing was fitted to these rows unless that column says "
         "so.\n\n"
         "| quantity | style | measured | predicted | accepted | assumed |\n"
         "|---|---|---|---|---|---|");
    for (int i = 0; !failed && i < wsk_csv_rows(csv); i++) {
        wsk_rig *rig = wsk_replay_rig(wsk_csv_text(csv, i, "rig"), wsk_csv_text(csv, i, "sets"));
        const char *unit = wsk_csv_text(csv, i, "unit");
        double value = rig ? wsk_replay_quantity(rig, wsk_csv_text(csv, i, "quantity")) : (double)NAN,
               measured = wsk_csv_number(csv, i, "measured");
        printf("| %s | %s | %.4g %s | %.4g %s | %.4g to %.4g | %s |\n", wsk_csv_text(csv, i, "what"),
               wsk_csv_text(csv, i, "style"), measured, unit, value, unit, wsk_csv_number(csv, i, "low"),
               wsk_csv_number(csv, i, "high"), wsk_csv_text(csv, i, "assumed"));
        if (strcmp(unit, "degC") == 0) {
            point(r, "lacking", wsk_csv_text(csv, i, "style"), measured, value);
            wsk_report_add(&r->guessed, value - measured);
        }
        failed = isnan(value);
        wsk_rig_free(rig);
    }
    puts("");
    wsk_csv_free(csv);
    return failed;
}

static int at_rest(void)
{
    wsk_csv *rows = wsk_report_table("at_rest.csv");
    int failed = !rows;
    wsk_report_score all = {0};
    puts("## Fans at rest\n\n"
         "Idle open-air cards whose fan stands still, power as read. Machine and room are not stated: a case with "
         "three "
         "slow\n"
         "fans in a room of 24 degC, or a bench in one of 23. Some of the cards had worked shortly before. No value "
         "was "
         "fitted to\n"
         "these rows ([A fan at rest](theory/cooler.md#a-fan-at-rest)).\n\n"
         "| card | measured, degC | model, degC | error, K |\n"
         "|---|---|---|---|");
    for (int i = 0; !failed && i < wsk_csv_rows(rows); i++) {
        wsk_rig *rig = wsk_replay_rig(wsk_csv_text(rows, i, "rig"), wsk_csv_text(rows, i, "sets"));
        const double die = rig ? wsk_replay_quantity(rig, "gpu0.die_c") : (double)NAN,
                     measured = wsk_csv_number(rows, i, "die_c");
        failed += isnan(die);
        printf("| %s | %.0f | %.1f | %+.1f |\n", wsk_csv_text(rows, i, "card"), measured, die, die - measured);
        wsk_report_add(&all, die - measured);
        wsk_rig_free(rig);
    }
    if (all.n)
        printf("\nMean absolute error %.1f K, bias %+.1f, worst %.1f, of %d.\n\n", all.abs_sum / all.n,
               all.sum / all.n, all.worst, all.n);
    wsk_csv_free(rows);
    return failed;
}

/* Bands: docs/theory/uncertainty.md, "Bands against measurements" */
static void in_short(const wsk_report *r)
{
    puts("\n## In short\n\n| quantity, not fitted | band | result |\n|---|---|---|");
    if (r->guessed.n)
        printf("| a stranger's machine: settled GPU temperature, room, case or power guessed, mean abs. error (some "
               "class "
               "values were chosen on these rows) | 4.5 K | "
               "%.1f K, worst %.1f, rows: %d |\n",
               r->guessed.abs_sum / r->guessed.n, r->guessed.worst, r->guessed.n);
    printf("| the same by strangers' listings, which chose no value | 4.5 K | %.1f K, worst %.1f, rows: %d |\n",
           r->listed.abs_sum / r->listed.n, r->listed.worst, r->listed.n);
    for (int i = 0; i < WSK_REPORT_STYLES; i++)
        if (r->by_class[i].n)
            printf("| a never-fitted card by the values of its class, inlet and power known, %s | 3 K (goal 2) | "
                   "%.1f K, worst "
                   "%.1f, rows: %d |\n",
                   style_name[i], r->by_class[i].abs_sum / r->by_class[i].n, r->by_class[i].worst, r->by_class[i].n);
    for (int i = 0; i < WSK_REPORT_STYLES; i++)
        if (r->other[i].n)
            printf(
                "| a never-fitted card with another card's cooler, inlet and power known, %s | 3 K (goal 2) | %.1f "
                "K, worst %.1f, rows: %d |\n",
                style_name[i], r->other[i].abs_sum / r->other[i].n, r->other[i].worst, r->other[i].n);
    printf("| work under a limit that strangers measured, which chose no value | 6 %% | %.1f %%, worst %+.0f, "
           "series: %d, "
           "rows: %d |\n",
           r->strangers.error, r->strangers.worst, r->strangers.series, r->strangers.rows);
    printf("| whether heat slows a card, yes or no | 16 of 20 | %d of %d |\n", r->throttles_right, r->throttles);
    printf("| power at the wall of whole machines, as shipped; each machine left out | 12 %% | %.1f %%; %.1f %% |\n",
           100 * r->walls, 100 * r->walls_left_out);
    for (int i = 0; i < WSK_REPORT_STYLES; i++)
        if (r->style[i].n)
            printf(
                "| a fitted card: settled die temperature, %s, mean abs. error | 3 K (goal 2) | %.1f K, rows: %d |\n",
                style_name[i], r->style[i].abs_sum / r->style[i].n, r->style[i].n);
    if (r->other_run.n) {
        printf("| two-hour run, only the inlet refitted, worst rms | 1.5 K (goal 1) | %.2f K, mean of all %.2f K |\n",
               r->worst_run, r->other_run.abs_sum / r->other_run.n);
        printf("| the same, Vega 64 | 2.2 K | %.2f K |\n", r->worst_vega);
    }
    if (r->halves)
        printf("| second half of a trace, worst rms | 1.5 K | %.2f K |\n", r->worst_half);
    if (r->logs.n)
        printf("| class values fitted to 60 %% of a log, the rest, mean abs. error | 1.0 K | %.2f K, worst run %.2f, "
               "runs: "
               "%d |\n"
               "| readings of that rest within the band of 80 %% | 75-90 %% | %.0f %% |\n",
               r->logs.abs_sum / r->logs.n, r->logs.worst, r->logs.n,
               100 * r->logs_within.abs_sum / r->logs_within.n);
    printf("| heatsink time constant, worst | 35 %% | %.0f %% |\n", r->worst_tau);
    printf("| processor's rise per watt, blower divided by open-air | 0.25-0.6 | %.2f |\n", r->ratio);
}

static int what_is_not_here(wsk_report *r)
{
    wsk_csv *psus = wsk_report_table("psu_points.csv");
    int failed = !psus;
    if (psus)
        wsk_report_at_hand(r, "psu/80plus_115v.csv", wsk_csv_text(psus, 0, "source"));
    wsk_csv_free(psus);
    if (!r->lacking.data)
        return failed;
    printf(
        "\n## Raw data that is not here\n\n"
        "Complete recordings belong to their authors and are not part of this repository. `WATTSINK_DATA` names\n"
        "the folder that contains them, here `%s`. These files were not found in it, and results\n"
        "that need them are left out. All other results on this page use `tests/validate/facts/`.\n\n"
        "| file | made from |\n|---|---|\n%s\n"
        "Each is a CSV file with a header line. Columns of traces: `t_s` from the start of the load, `gpu_temp_c`,\n"
        "`power_w` or `power_inst_w`, and, if the card has the sensor, `fan_rpm`, `mem_temp_c`, `hotspot_c`,\n"
        "`vrm_temp_c`, `cpu_temp_c`; for the node `temp0_c` to `temp3_c` and `gflops0` to `gflops3`. Columns of the\n"
        "list of PSUs: `model`, `rated_w`, `tier`, and as shares of 1 `eff_10`, `eff_20`, `eff_50`, `eff_100`.\n",
        r->data, r->lacking.data);
    return failed;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: report DATA [SERIES]\n", stderr);
        return 2;
    }
    wsk_buf points = {0};
    if (argc > 2)
        wsk_buf_printf(&points, "%s.points", argv[2]);
    wsk_report r = {.data = argv[1],
                    .series = argc > 2 ? fopen(argv[2], "w") : NULL,
                    .points = points.data ? fopen(points.data, "w") : NULL};
    wsk_buf_free(&points);
    puts("<!-- SPDX-License-Identifier: GPL-3.0-or-later -->\n# Validation\n\n"
         "Written by `make validate`, copied here by `make validation-docs`; do not edit. Measured values and "
         "sources:\n"
         "`tests/validate/facts/`; the rigs: `tests/validate/rigs/`; the raw traces are not part of this\n"
         "repository. Fitted and predicted values are in separate columns. Cards and machines that were never fitted "
         "come first. [In short](#in-short) compares the\n"
         "results with their bands.\n");
    int failed = wsk_sweep_split_report() || wsk_stranger_report(&r.strangers) ||
                 wsk_throttles_report(&r.throttles_right, &r.throttles) || lacking(&r) ||
                 wsk_listing_report(&r.listed) || at_rest() || by_card(&r) ||
                 wsk_walls_report(&r.walls, &r.walls_left_out) || wsk_tokens_report() || steady(&r) ||
                 memory_heat() || wsk_report_transients(&r) || wsk_report_halves(&r) || wsk_report_logs(&r) ||
                 constants(&r) || recirculation(&r) || wsk_sweep_report();
    if (!failed)
        in_short(&r);
    failed = failed || what_is_not_here(&r);
    wsk_buf_free(&r.lacking);
    if (r.series)
        failed |= fclose(r.series) != 0;
    if (r.points)
        failed |= fclose(r.points) != 0;
    if (failed || (argc > 2 && (!r.series || !r.points))) {
        fputs("report: incomplete\n", stderr);
        return 1;
    }
    return 0;
}
