/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics of a twin for a monitoring system. Cards have the names and labels of NVIDIA's dcgm-exporter; everything
 * else is named wattsink_...: each variable of the run (wattsink_variables.h) and some results
 * (wattsink_results.h). */
#ifndef WSK_CLI_METRICS_H
#define WSK_CLI_METRICS_H
#include <stdio.h>

#include "twin/segment.h"
#include "wattsink.h"

/* Data from which metrics are written; all belong to the same simulated time. */
typedef struct {
    const wsk_twin_moment *moment;
    const wsk_run *run;
    const wsk_summary *summary; /* from wsk_run_summary; NULL: no results */
    const char *host;           /* value of the label Hostname; "": no such label */
} wsk_metrics_of;

/* The text format of Prometheus, version 0.0.4, or OpenMetrics 1.0.0. In OpenMetrics a counter must end in _total.
 * The counters of dcgm-exporter do not end so; they keep their names and get the type "unknown" there. */
typedef enum { WSK_METRICS_TEXT, WSK_METRICS_OPEN } wsk_metrics_form;
typedef enum { WSK_METRIC_GAUGE, WSK_METRIC_COUNTER } wsk_metric_type;

typedef struct {
    const char *name, *help;
    wsk_metric_type type;
    int digits; /* decimal places; -1: as many as the value needs, at most 10 significant digits */
} wsk_metric;

/* Passes every sample to the visitor; the samples of one metric follow one another. labels: "" or `{...}`; value NAN:
 * the sample is absent at present. Samples come in the same order at every time of a run, but a client's orders can add
 * and remove jobs. The pointers are valid until the visitor returns. */
typedef void wsk_metrics_visitor(void *to, const wsk_metric *metric, const char *labels, double value);
void wsk_metrics_visit(const wsk_metrics_of *of, wsk_metrics_visitor *visitor, void *to);

/* Writes parts of the text: the lines with the help and the type of a metric, and a value. */
void wsk_metrics_head(FILE *out, const wsk_metric *metric, wsk_metrics_form form);
void wsk_metrics_value(FILE *out, const wsk_metric *metric, double value);
void wsk_metrics_write(FILE *out, const wsk_metrics_of *of, wsk_metrics_form form);
const char *wsk_metrics_type(wsk_metrics_form form);

#endif
