/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The HTML page of `wattsink report`, with the machine and charts as SVG, from the files in a run's folder. page.c
 * writes the page; each section has its file: verdict.c and advice.c, tokens.c, chassis.c (with cards.c, fans.c,
 * air.c), chart.c, throttles.c, events.c, flow.c, tables.c, inputs.c. calibration.c writes the page of a calibration,
 * frame.c the axes of charts. Every text from a file is escaped when it is written. The page loads no other file and
 * runs no script. Begin with page.c. */
#ifndef WSK_DRAW_REPORT_H
#define WSK_DRAW_REPORT_H
#include <math.h>
#include <stdio.h>

#include "draw/series.h"
#include "sim/say/say.h"
#include "words/words.h"

typedef struct wsk_report wsk_report;
/* True if column v of r->series holds this variable. Its name is not enough, because cards and CPUs both have a
 * "die_c": for a variable of a card or a CPU, the owner of the column must be a card or a CPU of the rig. */
bool wsk_report_is(const wsk_report *r, size_t v, wsk_var variable);

struct wsk_report {
    FILE *out;
    wsk_lang lang;
    wsk_arena *arena;
    bool no_memory;
    const wsk_summary *summary;
    const wsk_run *run; /* of the page of a run at one time; else NULL */
    const char *events;
    const wsk_elements *rig;
    const wsk_record *series;
    const char *currency; /* "": the rig has no tariff */
    double simulated_s;
    double period_s;             /* period of the load, s; 0: not periodic */
    double from_s;               /* local time of the start, s since 1970-01-01; NAN: unknown */
    const struct wsk_zone *zone; /* time zone of the run; NULL: it has none, or from_s is unknown */
    /* start and end of the hottest hour, s from the start; NAN: the run is shorter than 3 h, or its series has no
     * temperature */
    double hot_from_s, hot_to_s;
    char hot_why[96];
    /* point: the page shows the steady point of a rig that is being edited, not a run. It has no values over time, and
     * the user can focus cards and PSUs of the drawing. narrow: the drawing is the one for phones. */
    bool point, narrow;
    int pictures;
};

/* Opens the page up to <body>; the title must be translated already. */
void wsk_report_open_page(wsk_report *r, const char *title);
void wsk_report_close_page(wsk_report *r);

/* The functions below return texts that are constant or in the report's arena. */
/* Uses the variable r of the calling function, the report. */
#define TR_(english) wsk_tr(r->lang, english)
/* Translates a sentence and fills in its arguments: wsk_report_format(r, "%1$s at %2$.0f W", WSK_ARG(id), WSK_ARG(w)).
 * When out of memory, returns "" and sets no_memory. */
#define wsk_report_format(r, english, ...) \
    wsk_report_render(r, english, (const wsk_arg[]){__VA_ARGS__}, \
                      (int)(sizeof((const wsk_arg[]){__VA_ARGS__}) / sizeof(wsk_arg)))
const char *wsk_report_render(wsk_report *r, const char *english, const wsk_arg *args, int count);
#define wsk_report_put(r, english, ...) wsk_report_text((r)->out, wsk_report_format(r, english, __VA_ARGS__))
const char *wsk_report_pair(wsk_report *r, const char *a, const char *b);
const char *wsk_report_cut(wsk_report *r, const char *text, size_t len);
const char *wsk_report_message(wsk_report *r, const wsk_said *message);
const char *wsk_report_label(const wsk_report *r, wsk_result result);
const char *wsk_report_unit(const wsk_report *r, wsk_result result);
const char *wsk_report_unit_of(const wsk_report *r, const char *unit);
const char *wsk_report_capital(wsk_report *r, const char *text);

/* Escapes the text for HTML, and writes " degC" as " °C". */
void wsk_report_text(FILE *out, const char *text);
/* Opens a <figure> with a caption. Both texts must be translated already. */
void wsk_report_open_figure(wsk_report *r, const char *title, const char *note);
/* `box`: the attributes of the <svg> element besides role and title. */
void wsk_report_svg(wsk_report *r, const char *box, const char *title, const char *desc);
/* span: "12 hours", "15 min 11 s", "3:07:30", "14 d 21:43". amount: with `digits` significant digits; large amounts as
 * whole numbers without an exponent. percent: a share as "97.6 %". */
const char *wsk_report_span(wsk_report *r, double seconds);
const char *wsk_report_amount(wsk_report *r, double amount, int digits);
const char *wsk_report_percent(wsk_report *r, double share);
const char *wsk_report_money(wsk_report *r, double amount);
/* Sign before an amount of money whose size is printed with at most two digits after the point: "" or a minus. */
static inline const char *wsk_report_minus(double amount)
{
    return amount <= -0.005 ? "−" : "";
}
static inline double wsk_report_result(const wsk_report *r, wsk_result result, size_t member)
{
    return wsk_summary_number(r->summary, result, member);
}
static inline const char *wsk_report_said(const wsk_report *r, wsk_result result, size_t member)
{
    const char *text = wsk_summary_text(r->summary, result, member);
    return text ? text : "";
}
/* Returns the local time at `t` seconds from the start, s since 1970-01-01; `t` itself if the start is unknown. */
double wsk_report_local(const wsk_report *r, double t);
/* Format a local time, s since 1970-01-01, as a date ("Mon 3 Aug") or as an hour ("09:00"). */
const char *wsk_report_date(wsk_report *r, double civil_s);
void wsk_report_hour(char out[16], double civil_s);

void wsk_report_open_part(wsk_report *r, const char *id, const char *name);

/* *dark_text: dark letters are legible on the returned colour. */
const char *wsk_report_heat(double celsius, char out[8], bool *dark_text);

/* Draws a time axis from `from` to `to`, s from the start, with at most `most` ticks that reach from `top` to
 * `floor_y`, px. Ticks right of `room` percent of the width have no label. */
void wsk_report_time_axis(wsk_report *r, double from, double to, int top, int floor_y, int most, double room);

/* `width` is in px. The arrow goes from (x, y) to (x + dx, y + dy). The hook starts at (from_x, from_y), bulges to the
 * left of both ends and ends at (to_x, to_y). */
void wsk_report_arrow(FILE *out, double x, double y, double dx, double dy, double width, double celsius);
void wsk_report_hook(FILE *out, double from_x, double from_y, double to_x, double to_y, double bulge, double width,
                     double celsius);

extern const char *const wsk_report_css[]; /* the style sheet in pieces; the last is NULL */
/* Writes the SHA-256 digest as "sha256-...", the form that a content security policy uses. */
void wsk_report_digest(const char *text, size_t len, char out[64]);

/* Opens a list item of the verdict and translates its English label; the caller writes </li>. */
typedef enum { WSK_GOOD, WSK_PLAIN, WSK_WARN, WSK_BAD } wsk_grade;
void wsk_report_item(wsk_report *r, wsk_grade grade, const char *label);
void wsk_report_advice(wsk_report *r);

/* The heads' `text` and the table's title must be translated already. */
typedef struct {
    const char *text;
    bool left;
} wsk_head;
void wsk_report_open_table(wsk_report *r, const char *title, const char *css, const wsk_head *heads, size_t count);
void wsk_report_close_table(wsk_report *r);
/* The heading must be translated already. */
void wsk_report_open_section(wsk_report *r, const char *heading);

/* Write a tile: a name and a value in large print. A value of NAN gets no tile. If the ends of a range are unequally
 * far from the value, they stand after its unit, "399 W (322 to 415)"; otherwise "±" precedes the unit. */
void wsk_report_tile(wsk_report *r, const char *name, int places, double value, const char *unit);
void wsk_report_ranged_tile(wsk_report *r, const char *name, int places, const wsk_ranged *value, const char *unit);

/* Words for the GPU driver's name of a throttle reason, in English; NULL: `why` begins with no such name. */
const char *wsk_report_reason(const char *why);
/* Writes a reason of an event: one of the driver's as "power limit (sw_power_cap)". */
void wsk_report_put_reason(wsk_report *r, const char *why);

/* The sections are in their order on the page. A section without data for this run is omitted. */
void wsk_report_verdict(wsk_report *r);
void wsk_report_tokens(wsk_report *r);
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
