/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine and the charts as SVG, and the page of `wattsink report`, from the files in a run's folder. page.c
 * writes the page, a file a section: verdict.c and advice.c, chassis.c (with cards.c, fans.c, air.c), chart.c,
 * throttles.c, events.c, flow.c, tables.c, inputs.c. Every text that comes from a file is escaped where it is written;
 * nothing on the page is loaded, and no script runs. Begin with page.c. */
#ifndef WSK_DRAW_REPORT_H
#define WSK_DRAW_REPORT_H
#include <math.h>
#include <stdio.h>

#include "wattsink.h"
#include "words/words.h"

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
    wsk_lang lang;
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

/* ---- words: text.c; what they return lives in the report's arena ---- */
/* The text in the language of the report r. */
#define TR_(english) wsk_tr(r->lang, english)
/* A sentence with its arguments in place: wsk_report_format(r, "%1$s at %2$.0f W", WSK_ARG(id), WSK_ARG(watts)). "" when out of memory,
 * which the report then knows. */
#define wsk_report_format(r, english, ...) \
    wsk_report_render(r, english, (const wsk_arg[]){__VA_ARGS__}, \
                      (int)(sizeof((const wsk_arg[]){__VA_ARGS__}) / sizeof(wsk_arg)))
const char *wsk_report_render(wsk_report *r, const char *english, const wsk_arg *args, int count);
/* The same, written on the page and escaped. */
#define wsk_report_put(r, english, ...) wsk_report_text((r)->out, wsk_report_format(r, english, __VA_ARGS__))
/* "a b", in every language. */
const char *wsk_report_pair(wsk_report *r, const char *a, const char *b);
/* The beginning of a text. */
const char *wsk_report_cut(wsk_report *r, const char *text, size_t len);
/* The sentence of a message. */
const char *wsk_report_message(wsk_report *r, const wsk_said *message);
/* Label and unit of a result as the table of results names them: "GPU temperature, max", "°C"; unit "": it has none, or is a share. */
const char *wsk_report_label(const wsk_report *r, wsk_result result);
const char *wsk_report_unit(const wsk_report *r, wsk_result result);
const char *wsk_report_unit_of(const wsk_report *r, const char *unit);
/* The text with a capital letter in front, as headings and sentences have it. */
const char *wsk_report_capital(wsk_report *r, const char *text);

/* False: not a series, or out of memory, which the report then knows. What is read lives in the report's arena. */
bool wsk_report_read_series(wsk_report *r, const char *csv);

/* Text escaped for HTML; XML text has its references already and keeps them. */
void wsk_report_text(FILE *out, const char *text);
/* <figure> and its caption; both texts are translated already. */
void wsk_report_open_figure(wsk_report *r, const char *title, const char *note);
/* Opens <svg role="img"> with a title and a description; `box` holds its other attributes. */
void wsk_report_svg(wsk_report *r, const char *box, const char *title, const char *desc);
/* "12 hours", "15 min 11 s", "3:07:30", "14 d 21:43"; shares as "97.6 %"; money with its currency; amounts to so many digits,
 * but never with an exponent. */
const char *wsk_report_span(wsk_report *r, double seconds);
const char *wsk_report_amount(wsk_report *r, double amount, int digits);
const char *wsk_report_percent(wsk_report *r, double share);
const char *wsk_report_money(wsk_report *r, double amount);
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
const char *wsk_report_date(wsk_report *r, double civil_s);
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

/* ---- the verdict: an item of its list, which the caller ends with </li>; its label is English and is translated ---- */
typedef enum { WSK_GOOD, WSK_PLAIN, WSK_WARN, WSK_BAD } wsk_grade;
void wsk_report_item(wsk_report *r, wsk_grade grade, const char *label);
void wsk_report_advice(wsk_report *r); /* what the run warns of, and what would help: advice.c */

/* A table that scrolls by itself, with its head as TH elements; its title and heads are translated already. */
typedef struct {
    const char *text;
    bool left; /* of words, not of numbers */
} wsk_head;
void wsk_report_open_table(wsk_report *r, const char *title, const char *css, const wsk_head *heads, size_t count);
void wsk_report_close_table(wsk_report *r);
/* <section> and its heading, which is translated already. */
void wsk_report_open_section(wsk_report *r, const char *heading);

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
