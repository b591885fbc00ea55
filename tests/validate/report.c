/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes docs/validation.md to stdout, from facts/ and the measured traces that are available. Results that need a
 * missing trace are left out; the page ends with a list of the missing traces.
 * Usage: report DATA [SERIES]. DATA: folder of traces. SERIES: output file for the figures' time series; the settled
 * points go to SERIES.points. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/base.h"
#include "tests/support/replay.h"
#include "tests/support/sweep.h"

static const char *const style_name[] = {"blower", "open-air", "passive", "aio", "custom-loop"};
enum { STYLES = sizeof style_name / sizeof *style_name };
typedef struct {
    double abs_sum, sum, worst;
    int n;
} score;
typedef struct {
    const char *data;
    FILE *series, *points;
    wsk_buf lacking; /* Markdown rows of missing files: name and source */
    int halves;      /* number of traces fitted on one half and predicted on the other */
    score style[STYLES], other[STYLES], fitted_run, other_run; /* `other`: with the cooler fitted to another card */
    /* largest errors for the closing table: K rms (tau: %); ratio: CPU rise, blower over open-air */
    double worst_run, worst_vega, worst_half, worst_tau, ratio;
} report;
typedef struct {
    char text[24];
} cell; /* a number or text for one cell of a table */

static cell number(double x, int digits, const char *none)
{
    cell c;
    if (isnan(x))
        snprintf(c.text, sizeof c.text, "%s", none);
    else
        snprintf(c.text, sizeof c.text, "%.*f", digits, x);
    return c;
}

static void add(score *s, double error)
{
    s->abs_sum += fabs(error);
    s->sum += error;
    s->worst = fmax(s->worst, fabs(error));
    s->n++;
}

static int style_of(const char *style)
{
    int i = 0;
    while (i < STYLES - 1 && strcmp(style_name[i], style) != 0)
        i++;
    return i;
}

static wsk_csv *table(const char *name)
{
    wsk_buf path = {0};
    wsk_buf_printf(&path, "tests/validate/facts/%s", name);
    wsk_csv *csv = path.data ? wsk_csv_read(path.data) : NULL;
    wsk_buf_free(&path);
    if (!csv)
        fprintf(stderr, "report: %s cannot be read\n", name);
    return csv;
}

/* ---- settled points ---- */

static void point(report *r, const char *group, const char *style, double measured, double model)
{
    if (r->points)
        fprintf(r->points, "%s %s %.2f %.2f\n", group, style, measured, model);
}

static int steady_row(report *r, const wsk_csv *rows, int i, const wsk_csv *segments, double *inlet,
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
           number(row.fan_rpm, 0, passive ? "fixed" : "by its curve").text, state, *inlet,
           isnan(row.room_c) ? "" : " stated", row.die_c, fit ? number(die, 1, "").text : "",
           fit ? "" : number(die, 1, "").text, die - row.die_c, strcmp(row.use, "report") == 0 ? " (6 K band)" : "");
    point(r, fit ? "fitted" : "predicted", row.style, row.die_c, die);
    if (!fit)
        add(&r->style[style_of(row.style)], die - row.die_c);
    wsk_rig_free(rig);
    return isnan(die);
}

static void style_scores(const score *s)
{
    puts("\n"
         "| style | predicted rows | mean abs. error, K | bias, K | worst, K |\n"
         "|---|---|---|---|---|");
    for (int i = 0; i < STYLES; i++)
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

static int steady(report *r)
{
    wsk_csv *rows = table("steady.csv"), *segments = table("h100_segments.csv");
    double inlet = NAN;
    wsk_row_temps temps[64];
    int failed = !rows || !segments || wsk_csv_rows(rows) > 64, n = failed ? 0 : wsk_csv_rows(rows);
    puts("## Settled operating points\n\n"
         "Power and fan speed are pinned to the measured values. For each card and day one inlet temperature (the\n"
         "room's) is fitted on one row and used for the others. If the room's temperature is stated, it is used,\n"
         "and the first row fits the cooler's conductance instead. Rows from a trace that still rises are replayed\n"
         "over time with the power of that trace, because they are not settled. Vega 64 reports its power without\n"
         "the losses of its voltage converters, so 15 % are added. Rows with Time Spy have 10 W more for the\n"
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

static int by_card(report *r)
{
    wsk_csv *csv = table("by_card.csv");
    score own_score[STYLES] = {{0}}, other_score[STYLES] = {{0}};
    int failed = !csv;
    puts("## Split by card\n\n"
         "The inlet temperature is fitted to the idle hour after the load, when the cooler has little effect (2 to\n"
         "13 W), or it is stated. The hour of load is then predicted twice: with the card's own cooler, and with\n"
         "the complete cooler of another card of the same style, so that nothing of the predicted card is fitted.\n"
         "A card's own cooler was fitted on its Fire Strike run.\n\n"
         "| card | style | run | measured, degC | own cooler, degC | error, K | cooler of | degC | "
         "error, K |\n"
         "|---|---|---|---|---|---|---|---|---|");
    for (int i = 0; !failed && i < wsk_csv_rows(csv); i++) {
        const char *style = wsk_csv_text(csv, i, "style");
        double own, other, measured = wsk_csv_number(csv, i, "load_c");
        double a = wsk_replay_by_card(csv, i, wsk_csv_text(csv, i, "own"), &own),
               b = wsk_replay_by_card(csv, i, wsk_csv_text(csv, i, "other"), &other);
        printf("| %s | %s | %s | %.1f | %.1f | %+.1f | %s | %.1f | %+.1f |\n", wsk_csv_text(csv, i, "card"), style,
               wsk_csv_text(csv, i, "run"), measured, own, a, wsk_csv_text(csv, i, "of"), other, b);
        add(&own_score[style_of(style)], a);
        add(&other_score[style_of(style)], b);
        point(r, "by-card", style, measured, other);
        add(&r->other[style_of(style)], b);
        failed = isnan(a) || isnan(b);
    }
    puts("\n"
         "| style | rows | own cooler: mean abs. error, K | bias, K | another card's: mean abs. error, K | "
         "bias, K |\n"
         "|---|---|---|---|---|---|");
    for (int i = 0; i < STYLES; i++)
        if (own_score[i].n)
            printf("| %s | %d | %.1f | %+.1f | %.1f | %+.1f |\n", style_name[i], own_score[i].n,
                   own_score[i].abs_sum / own_score[i].n, own_score[i].sum / own_score[i].n,
                   other_score[i].abs_sum / other_score[i].n, other_score[i].sum / other_score[i].n);
    puts("\nBlowers of one maker and generation agree within 4 K. Open-air coolers differ by design (0.26 K/W from\n"
         "case to die on GTX 770, 0.13 on Vega 64). So the temperature of an unmeasured card, with a class cooler\n"
         "or another card's, is uncertain by 10-15 K at full power, and its part has a spread of 25 %.\n");
    wsk_csv_free(csv);
    return failed;
}

/* ---- traces ---- */

/* Writes the trace for the figures, with one reading every 1, 5 or 30 s, depending on its length. */
static void write_series(FILE *f, const char *card, const char *run, const wsk_trace *t)
{
    fprintf(f, "# %s, %s: t_s power_w fan_rpm, then measured and model: die, memory, hot spot, VRM, processor\n",
            card, run);
    double last = -INFINITY, every = t->t_s[t->count - 1] > 20000 ? 30 : t->t_s[t->count - 1] > 1000 ? 5 : 1;
    for (int i = 0; i < t->count; i++) {
        if (t->t_s[i] < last + every)
            continue;
        last = t->t_s[i];
        fprintf(f, "%.0f %.1f %.0f", t->t_s[i], t->power_w[i], t->fan_rpm[i]);
        for (int k = 0; k < WSK_SENSORS; k++)
            fprintf(f, " %.1f %.2f", t->measured[k][i], t->model[k][i]);
        fputs("\n", f);
    }
    fputs("\n\n", f);
}

/* True if DATA/FILE can be opened. Otherwise it is added once to the list of missing files. */
static bool at_hand(report *r, const char *file, const char *source)
{
    wsk_buf path = {0};
    wsk_buf_printf(&path, "%s/%s", r->data, file);
    FILE *f = path.data ? fopen(path.data, "rb") : NULL;
    wsk_buf_free(&path);
    if (f)
        return fclose(f) == 0;
    if (!r->lacking.data || !strstr(r->lacking.data, file))
        wsk_buf_printf(&r->lacking, "| `%s` | %s |\n", file, source);
    return false;
}

static bool trace_at_hand(report *r, const wsk_csv *csv, int row)
{
    wsk_buf file = {0};
    wsk_buf_printf(&file, "thermal/traces/%s.csv", wsk_csv_text(csv, row, "trace"));
    bool there = file.data && at_hand(r, file.data, wsk_csv_text(csv, row, "source"));
    wsk_buf_free(&file);
    return there;
}

static int read_trace(const report *r, const wsk_csv *csv, int row, wsk_trace *trace)
{
    wsk_buf path = {0};
    double card = wsk_csv_number(csv, row, "node_card"), factor = wsk_csv_number(csv, row, "power_factor");
    wsk_buf_printf(&path, "%s/thermal/traces/%s.csv", r->data, wsk_csv_text(csv, row, "trace"));
    int failed = !path.data || (isnan(card) ? wsk_trace_read(trace, path.data, isnan(factor) ? 1 : factor)
                                            : wsk_node_read(trace, path.data, (int)card));
    if (failed)
        fprintf(stderr, "report: %s cannot be read\n", path.data ? path.data : "a trace");
    wsk_buf_free(&path);
    return failed;
}

/* Rms error in K of the run repeated with the processor heat of column warmer_case, chosen from the processor's
 * measured temperature; NAN if the row has none. */
static double warmer_case(const wsk_csv *csv, int row, wsk_trace *trace)
{
    const char *sets = wsk_csv_text(csv, row, "warmer_case");
    wsk_rig *rig = *sets ? wsk_replay_rig(wsk_csv_text(csv, row, "rig"), sets) : NULL;
    double room, rms = rig ? wsk_replay_trace_inlet(rig, trace, &room) : (double)NAN;
    wsk_rig_free(rig);
    return rms;
}

static int transient(report *r, const wsk_csv *csv, int row, cell sensors[4])
{
    wsk_trace trace = {0};
    const char *card = wsk_csv_text(csv, row, "card"), *run = wsk_csv_text(csv, row, "run");
    int failed = read_trace(r, csv, row, &trace);
    wsk_rig *rig = failed ? NULL : wsk_replay_rig(wsk_csv_text(csv, row, "rig"), NULL);
    double room = NAN, rms = rig ? wsk_replay_trace_inlet(rig, &trace, &room) : (double)NAN;
    bool fit = strcmp(wsk_csv_text(csv, row, "use"), "fit") == 0;
    if (!isnan(rms)) {
        printf("| %s | %s | %.1f | %s | %s | %.1f |", card, run, room, fit ? number(rms, 2, "").text : "",
               fit ? "" : number(rms, 2, "").text, wsk_csv_number(csv, row, "band_k"));
        for (int k = 0; k < 4; k++) {
            static const double edge[5] = {-300, 0, 600, 3600, 1e9};
            printf(" %+.1f |", wsk_trace_bias(&trace, WSK_SENSOR_DIE, edge[k], edge[k + 1]));
        }
        for (int k = WSK_SENSOR_MEMORY; k <= WSK_SENSOR_VRM; k++)
            sensors[k] = number(wsk_trace_rms(&trace, (wsk_sensor)k, -INFINITY, INFINITY), 2, "");
        add(fit ? &r->fitted_run : &r->other_run, rms);
        double *worst = strncmp(card, "Vega", 4) == 0 ? &r->worst_vega : &r->worst_run;
        if (!fit)
            *worst = fmax(*worst, rms);
        if (r->series)
            write_series(r->series, card, run, &trace);
        printf(" %s |\n", number(warmer_case(csv, row, &trace), 2, "").text);
    }
    wsk_rig_free(rig);
    wsk_trace_free(&trace);
    return isnan(rms);
}

static int transients(report *r)
{
    wsk_csv *csv = table("transients.csv");
    cell sensors[32][4] = {0};
    int failed = !csv || wsk_csv_rows(csv) > 32, n = failed ? 0 : wsk_csv_rows(csv);
    puts("## Two hours: idle, load, cool-down\n\n"
         "Power and fan speed follow the trace each second. The parameters of a card were fitted on its Fire\n"
         "Strike run; for the other runs only the inlet temperature is fitted. Both settings of the Vega 64 use\n"
         "one set of parameters; the undervolted runs were not used in its fit. The errors cover the whole trace\n"
         "from -300 s to 7,200 s. The time before is not recorded; the start temperature is fitted to the idle\n"
         "minutes before the load. The sensor gives whole degrees. Time Spy loads the processor more than Fire\n"
         "Strike (5 K more with all five cards). The last column allows for this with 10 W more in the case,\n"
         "derived from the processor's temperature only.\n\n"
         "| card | run | inlet, degC | rms fitted, K | rms predicted, K | band, K | bias before, K | "
         "0-10 min, K | 10-60 min, K | after, K | rms with 10 W, K |\n"
         "|---|---|---|---|---|---|---|---|---|---|---|");
    int read = 0;
    for (int i = 0; i < n && !failed; i++)
        if (trace_at_hand(r, csv, i)) {
            failed = transient(r, csv, i, sensors[i]);
            read++;
        }
    if (r->fitted_run.n && r->other_run.n)
        printf("\nMean rms: fitted %.2f K over %d runs, predicted %.2f K over %d runs.\n",
               r->fitted_run.abs_sum / r->fitted_run.n, r->fitted_run.n, r->other_run.abs_sum / r->other_run.n,
               r->other_run.n);
    if (read < n)
        printf("\n%d of %d runs are left out: [their traces](#raw-data-that-is-not-here) are missing.\n", n - read,
               n);
    else
        puts("\n![Measured and modelled die temperature](figures/transients.png)");
    puts(
        "\n## Memory, hot spot, VRM\n\n"
        "The same runs with the same inlets. The resistances of the three were fitted on the first run of a card.\n\n"
        "| card | run | memory rms, K | hot spot rms, K | VRM rms, K |\n"
        "|---|---|---|---|---|");
    for (int i = 0; i < n && !failed; i++)
        if (*sensors[i][WSK_SENSOR_MEMORY].text)
            printf("| %s | %s (%s) | %s | %s | %s |\n", wsk_csv_text(csv, i, "card"), wsk_csv_text(csv, i, "run"),
                   strcmp(wsk_csv_text(csv, i, "use"), "fit") == 0 ? "fitted" : "predicted",
                   sensors[i][WSK_SENSOR_MEMORY].text, sensors[i][WSK_SENSOR_HOTSPOT].text,
                   sensors[i][WSK_SENSOR_VRM].text);
    puts(read < n ? "" : "\n![Four sensors of one card](figures/sensors.png)\n");
    wsk_csv_free(csv);
    return failed;
}

static int half(report *r, const wsk_csv *csv, int row)
{
    wsk_trace trace = {0};
    double split = wsk_csv_number(csv, row, "split_s"), all = NAN, inlet = wsk_csv_number(csv, row, "inlet_c");
    int failed = read_trace(r, csv, row, &trace);
    trace.before_w = wsk_csv_number(csv, row, "before_w");
    wsk_rig *rig = failed ? NULL : wsk_replay_rig(wsk_csv_text(csv, row, "rig"), wsk_csv_text(csv, row, "sets"));
    if (rig)
        all = wsk_replay_trace(rig, &trace, inlet);
    if (!isnan(all)) {
        printf("| %s | %.1f | %.2f | %.2f | %s | %s |\n", wsk_csv_text(csv, row, "card"), inlet,
               wsk_trace_rms(&trace, WSK_SENSOR_DIE, -INFINITY, split),
               wsk_trace_rms(&trace, WSK_SENSOR_DIE, split, INFINITY),
               number(wsk_trace_rms(&trace, WSK_SENSOR_MEMORY, -INFINITY, split), 2, "").text,
               number(wsk_trace_rms(&trace, WSK_SENSOR_MEMORY, split, INFINITY), 2, "").text);
        r->worst_half = fmax(r->worst_half, wsk_trace_rms(&trace, WSK_SENSOR_DIE, split, INFINITY));
        if (r->series)
            write_series(r->series, wsk_csv_text(csv, row, "card"), "halves", &trace);
    }
    wsk_rig_free(rig);
    wsk_trace_free(&trace);
    return isnan(all);
}

static int halves(report *r)
{
    wsk_csv *csv = table("halves.csv");
    int failed = !csv;
    puts(
        "## First half fitted, second half predicted\n\n"
        "H100 PCIe: eight minutes of three GEMM loads, split at 234 s. The memory's power is constant in the model,\n"
        "which agrees with idle and the first two loads. The third load uses the memory less, and its simulated\n"
        "memory temperature is 4 K too high. The node: 18 hours of gpu-burn on four cards of one server, split at\n"
        "9 h. Its log has temperatures and work, but neither power nor fan speeds. Assumed are 55 W before the\n"
        "work and 260 W during it (Quadro RTX 6000 class, at its limit), and fans that keep 87 % of their speed\n"
        "for 200 s and reach it at 600 s. Each slot has its own fitted inlet temperature and conductance, which\n"
        "include air that neighbours warmed.\n\n"
        "| card | inlet, degC | first half rms, K | second half rms, K | memory first, K | "
        "memory second, K |\n"
        "|---|---|---|---|---|---|");
    int n = failed ? 0 : wsk_csv_rows(csv);
    for (int i = 0; !failed && i < n; i++)
        if (trace_at_hand(r, csv, i)) {
            failed = half(r, csv, i);
            r->halves++;
        }
    if (r->halves < n)
        printf("\n%d of %d are left out: [their traces](#raw-data-that-is-not-here) are missing.\n\n", n - r->halves,
               n);
    else
        puts("\n![H100 PCIe and the node](figures/halves.png)\n");
    wsk_csv_free(csv);
    return failed;
}

/* ---- time constants, effect of the card on its case, measurements that lack an input ---- */

static int constants(report *r)
{
    wsk_csv *csv = table("time_constants.csv");
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

static int recirculation(report *r)
{
    wsk_csv *csv = table("recirculation.csv");
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

static int lacking(report *r)
{
    wsk_csv *csv = table("lacking.csv");
    int failed = !csv;
    puts("## Rows that lack an input\n\n"
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
        if (strcmp(unit, "degC") == 0)
            point(r, "lacking", wsk_csv_text(csv, i, "style"), measured, value);
        failed = isnan(value);
        wsk_rig_free(rig);
    }
    puts("");
    wsk_csv_free(csv);
    return failed;
}

/* Writes the closing table: each error beside the band that it must keep. Bands: docs/theory/uncertainty.md, "Bands
 * against measurements" */
static void in_short(const report *r)
{
    puts("\n## In short\n\n| quantity, not fitted | band | result |\n|---|---|---|");
    for (int i = 0; i < STYLES; i++)
        if (r->style[i].n)
            printf("| settled die temperature, %s, mean abs. error | 3 K (goal 2) | %.1f K, rows: %d |\n",
                   style_name[i], r->style[i].abs_sum / r->style[i].n, r->style[i].n);
    for (int i = 0; i < STYLES; i++)
        if (r->other[i].n)
            printf("| the same with another card's cooler, nothing of the card fitted, %s | 3 K (goal 2) | %.1f "
                   "K, worst %.1f, rows: %d |\n",
                   style_name[i], r->other[i].abs_sum / r->other[i].n, r->other[i].worst, r->other[i].n);
    if (r->other_run.n) {
        printf("| two-hour run, only the inlet refitted, worst rms | 1.5 K (goal 1) | %.2f K, mean of all %.2f K |\n",
               r->worst_run, r->other_run.abs_sum / r->other_run.n);
        printf("| the same, Vega 64 | 2.2 K | %.2f K |\n", r->worst_vega);
    }
    if (r->halves)
        printf("| second half of a trace, worst rms | 1.5 K | %.2f K |\n", r->worst_half);
    printf("| heatsink time constant, worst | 35 %% | %.0f %% |\n", r->worst_tau);
    printf("| processor's rise per watt, blower divided by open-air | 0.25-0.6 | %.2f |\n", r->ratio);
}

/* Writes the list of missing raw data files, or nothing if there are none. Returns nonzero if a table cannot be
 * read. */
static int what_is_not_here(report *r)
{
    wsk_csv *psus = table("psu_points.csv");
    int failed = !psus;
    if (psus)
        at_hand(r, "psu/80plus_115v.csv", wsk_csv_text(psus, 0, "source"));
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
    report r = {.data = argv[1],
                .series = argc > 2 ? fopen(argv[2], "w") : NULL,
                .points = points.data ? fopen(points.data, "w") : NULL};
    wsk_buf_free(&points);
    puts("<!-- SPDX-License-Identifier: GPL-3.0-or-later -->\n# Validation\n\n"
         "Written by `make validate`, copied here by `make validation-docs`; do not edit. Measured values and "
         "sources:\n"
         "`tests/validate/facts/`; the rigs: `tests/validate/rigs/`; the raw traces are not part of this\n"
         "repository. Fitted and predicted values are in separate columns. [In short](#in-short) compares the\n"
         "results with their bands.\n");
    int failed = steady(&r) || by_card(&r) || transients(&r) || halves(&r) || constants(&r) || recirculation(&r) ||
                 lacking(&r) || wsk_sweep_report();
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
