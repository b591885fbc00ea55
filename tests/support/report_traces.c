/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/report.h"

#include <math.h>
#include <string.h>

wsk_report_cell wsk_report_number(double x, int digits, const char *none)
{
    wsk_report_cell c;
    if (isnan(x))
        snprintf(c.text, sizeof c.text, "%s", none);
    else
        snprintf(c.text, sizeof c.text, "%.*f", digits, x);
    return c;
}

void wsk_report_add(wsk_report_score *s, double error)
{
    s->abs_sum += fabs(error);
    s->sum += error;
    s->worst = fmax(s->worst, fabs(error));
    s->n++;
}

wsk_csv *wsk_report_table(const char *name)
{
    wsk_buf path = {0};
    wsk_buf_printf(&path, "tests/validate/facts/%s", name);
    wsk_csv *csv = path.data ? wsk_csv_read(path.data) : NULL;
    wsk_buf_free(&path);
    if (!csv)
        fprintf(stderr, "report: %s cannot be read\n", name);
    return csv;
}

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

bool wsk_report_at_hand(wsk_report *r, const char *file, const char *source)
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

static bool trace_at_hand(wsk_report *r, const wsk_csv *csv, int row)
{
    wsk_buf file = {0};
    wsk_buf_printf(&file, "thermal/traces/%s.csv", wsk_csv_text(csv, row, "trace"));
    bool there = file.data && wsk_report_at_hand(r, file.data, wsk_csv_text(csv, row, "source"));
    wsk_buf_free(&file);
    return there;
}

static int read_trace(const wsk_report *r, const wsk_csv *csv, int row, wsk_trace *trace)
{
    wsk_buf path = {0};
    double card = wsk_csv_number(csv, row, "node_card"), fixed_w = wsk_csv_number(csv, row, "loss_fixed_w"),
           per_w = wsk_csv_number(csv, row, "loss_per_w");
    wsk_buf_printf(&path, "%s/thermal/traces/%s.csv", r->data, wsk_csv_text(csv, row, "trace"));
    int failed = !path.data || (isnan(card) ? wsk_trace_read(trace, path.data, isnan(fixed_w) ? 0 : fixed_w,
                                                             isnan(per_w) ? 0 : per_w)
                                            : wsk_node_read(trace, path.data, (int)card));
    if (failed)
        fprintf(stderr, "report: %s cannot be read\n", path.data ? path.data : "a trace");
    wsk_buf_free(&path);
    return failed;
}

/* Rms error of the die temperature, K, with the assignment in the column warmer_case, such as "load.dc=40 W" for a
 * busier processor. NAN: the row has no such assignment, or the replay failed. */
static double warmer_case(const wsk_csv *csv, int row, wsk_trace *trace)
{
    const char *sets = wsk_csv_text(csv, row, "warmer_case");
    wsk_rig *rig = *sets ? wsk_replay_rig(wsk_csv_text(csv, row, "rig"), sets) : NULL;
    double room, rms = rig ? wsk_replay_trace_inlet(rig, trace, &room) : (double)NAN;
    wsk_rig_free(rig);
    return rms;
}

static int transient(wsk_report *r, const wsk_csv *csv, int row, wsk_report_cell sensors[4])
{
    wsk_trace trace = {0};
    const char *card = wsk_csv_text(csv, row, "card"), *run = wsk_csv_text(csv, row, "run");
    int failed = read_trace(r, csv, row, &trace);
    wsk_rig *rig = failed ? NULL : wsk_replay_rig(wsk_csv_text(csv, row, "rig"), NULL);
    double room = NAN, rms = rig ? wsk_replay_trace_inlet(rig, &trace, &room) : (double)NAN;
    bool fit = strcmp(wsk_csv_text(csv, row, "use"), "fit") == 0;
    if (!isnan(rms)) {
        printf("| %s | %s | %.1f | %s | %s | %.1f |", card, run, room, fit ? wsk_report_number(rms, 2, "").text : "",
               fit ? "" : wsk_report_number(rms, 2, "").text, wsk_csv_number(csv, row, "band_k"));
        for (int k = 0; k < 4; k++) {
            static const double edge[5] = {-300, 0, 600, 3600, 1e9};
            printf(" %+.1f |", wsk_trace_bias(&trace, WSK_SENSOR_DIE, edge[k], edge[k + 1]));
        }
        for (int k = WSK_SENSOR_MEMORY; k <= WSK_SENSOR_VRM; k++)
            sensors[k] = wsk_report_number(wsk_trace_rms(&trace, (wsk_sensor)k, -INFINITY, INFINITY), 2, "");
        wsk_report_add(fit ? &r->fitted_run : &r->other_run, rms);
        double *worst = strncmp(card, "Vega", 4) == 0 ? &r->worst_vega : &r->worst_run;
        if (!fit)
            *worst = fmax(*worst, rms);
        if (r->series)
            write_series(r->series, card, run, &trace);
        printf(" %s |\n", wsk_report_number(warmer_case(csv, row, &trace), 2, "").text);
    }
    wsk_rig_free(rig);
    wsk_trace_free(&trace);
    return isnan(rms);
}

int wsk_report_transients(wsk_report *r)
{
    wsk_csv *csv = wsk_report_table("transients.csv");
    wsk_report_cell sensors[32][4] = {0};
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

static int half(wsk_report *r, const wsk_csv *csv, int row)
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
               wsk_report_number(wsk_trace_rms(&trace, WSK_SENSOR_MEMORY, -INFINITY, split), 2, "").text,
               wsk_report_number(wsk_trace_rms(&trace, WSK_SENSOR_MEMORY, split, INFINITY), 2, "").text);
        r->worst_half = fmax(r->worst_half, wsk_trace_rms(&trace, WSK_SENSOR_DIE, split, INFINITY));
        if (r->series)
            write_series(r->series, wsk_csv_text(csv, row, "card"), "halves", &trace);
    }
    wsk_rig_free(rig);
    wsk_trace_free(&trace);
    return isnan(all);
}

int wsk_report_halves(wsk_report *r)
{
    wsk_csv *csv = wsk_report_table("halves.csv");
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
