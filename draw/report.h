/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink report: one page of a run's results, from the files in its folder. Every text that comes from a file is
 * escaped where it is written; nothing on the page is loaded, and no script runs. */
#ifndef WSK_DRAW_REPORT_H
#define WSK_DRAW_REPORT_H
#include <math.h>
#include <stdio.h>

#include "sim/base/base.h"
#include "wattsink.h"

/* ---- series.csv: series.c ---- */
enum { WSK_SERIES_MIN, WSK_SERIES_MEAN, WSK_SERIES_MAX };
typedef struct {
    size_t rows, vars;
    char **names;   /* of variables, without ".min" */
    double *end_s;  /* of the rows: the ends of their buckets */
    double *values; /* [row][variable][min, mean, max] */
} wsk_report_series;
int wsk_report_variable(const wsk_report_series *s, const char *name); /* -1: none */
static inline double wsk_report_value(const wsk_report_series *s, size_t row, int variable, int which)
{
    return s->values[(row * s->vars + (size_t)variable) * 3 + (size_t)which];
}
static inline double wsk_report_start(const wsk_report_series *s, size_t row)
{
    return row ? s->end_s[row - 1] : 0;
}

/* ---- the page ---- */
typedef struct {
    FILE *out;
    wsk_arena *arena;
    bool no_memory; /* what is on the page is not whole */
    const wsk_summary *summary;
    const char *events;
    const wsk_elements *rig; /* of rig.resolved.xml */
    wsk_report_series series;
    const char *currency; /* "": no tariff */
    double simulated_s;
    double period_s;             /* what the load repeats after; 0: nothing */
    double from_s;               /* civil time of the start, seconds from 1970-01-01; NAN: unknown */
    double hot_from_s, hot_to_s; /* the hottest hour; NAN: the run is too short to have one */
    char hot_why[96];            /* what was hottest in it */
    int pictures;                /* drawn so far: their titles need ids */
} wsk_report;

/* False: not a series, or out of memory, which the report then knows. What is read lives in the report's arena. */
bool wsk_report_read_series(wsk_report *r, const char *csv);

/* Text escaped for HTML; XML text has its references already and keeps them. */
void wsk_report_text(FILE *out, const char *text);
/* Opens <svg role="img"> with a title and a description; `box` holds its other attributes. */
void wsk_report_svg(wsk_report *r, const char *box, const char *title, const char *desc);
/* "12 hours", "15 min 11 s", "3:07:30", "14 d 21:43"; shares as "97.6 %"; money with its currency; amounts to so many digits,
 * but never with an exponent. */
void wsk_report_span(FILE *out, double seconds);
void wsk_report_amount(FILE *out, double amount, int digits);
void wsk_report_percent(FILE *out, double share);
void wsk_report_money(const wsk_report *r, double amount);
/* A number of the summary; NAN: not known. A text; "": none. */
static inline double wsk_report_result(const wsk_report *r, wsk_result result, size_t member)
{
    return wsk_summary_number(r->summary, result, member);
}
static inline const char *wsk_report_said(const wsk_report *r, wsk_result result, size_t member)
{
    const char *text = wsk_summary_text(r->summary, result, member);
    return text ? text : "";
}
/* "Mon 3 Aug" of civil seconds, and "09:00". */
void wsk_report_date(char out[24], double civil_s);
void wsk_report_hour(char out[16], double civil_s);

/* Fill colour of a temperature, and whether dark letters can be read on it. */
const char *wsk_report_heat(double celsius, char out[8], bool *dark_text);

/* Marks and words of the time between two moments of the run, at most so many; words only left of `room` percent. */
void wsk_report_time_axis(wsk_report *r, double from, double to, int top, int floor_y, int most, double room);

/* Moving air: an arrow from a point by (dx, dy); a hook out of x to the left and back to x further up or down. Widths are px. */
void wsk_report_arrow(FILE *out, double x, double y, double dx, double dy, double width, double celsius);
void wsk_report_hook(FILE *out, double x, double from_y, double to_y, double bulge, double width, double celsius);

extern const char *const wsk_report_css[]; /* its pieces; ends with NULL */
/* "sha256-..." of bytes, as a content security policy names a style. */
void wsk_report_digest(const char *text, size_t len, char out[64]);

/* Sections, in their order on the page; each leaves out what the run has not. */
void wsk_report_verdict(wsk_report *r);
void wsk_report_chassis(wsk_report *r);
void wsk_report_curves(wsk_report *r);
void wsk_report_throttles(wsk_report *r);
void wsk_report_sankey(wsk_report *r);
void wsk_report_cost(wsk_report *r);
void wsk_report_tables(wsk_report *r);
void wsk_report_events(wsk_report *r);
void wsk_report_inputs(wsk_report *r);
void wsk_report_balance(wsk_report *r);

#endif
