/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run --watch: the history of each card as strips of characters, one strip for each quantity. The width of a strip
 * stands for the whole run, so it fills from the left. Its values are the rows of the run's series. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/watch_sheet.h"

enum { QUANTITIES = 3, STRIP_LEAST = 14, STRIP_MOST = 60 };
static const char FAINT[] = "2", NORMAL[] = "";

static const struct {
    wsk_var variable;
    wsk_stat stat;
    const char *unit;
} quantities[QUANTITIES] = {{WSK_VAR_CARD_DIE_C, WSK_STAT_MAX, "C"},
                            {WSK_VAR_CARD_POWER_W, WSK_STAT_MEAN, "W"},
                            {WSK_VAR_CARD_CLOCK_MHZ, WSK_STAT_MEAN, "MHz"}};

/* A quantity of all cards: a value for each column of a strip, NAN for times that are not simulated yet. */
typedef struct {
    double *value;    /* value[card * columns + column] */
    double low, high; /* ends of the scale, which all cards share; NAN: no value is known */
} history;

bool wsk_watch_knows_clock(const wsk_watch_page *page, size_t card)
{
    return wsk_summary_known(page->summary, WSK_R_GPU_LIMITED_BY_HEAT, card) ||
           wsk_summary_known(page->summary, WSK_R_GPU_CLOCK_MEAN, card);
}

static size_t find(const wsk_run *run, const char *id, wsk_var variable)
{
    size_t count = wsk_run_variables(run), len = strlen(id);
    for (size_t i = 0; i < count; i++) {
        const char *name, *unit;
        double now;
        wsk_run_variable(run, i, &name, &unit, &now);
        if (wsk_run_variable_row(run, i)->row == variable && !strncmp(name, id, len) && name[len] == '.')
            return i;
    }
    return count;
}

static void add(double *cell, int *rows, double v, wsk_stat stat)
{
    if (isnan(v))
        return;
    *cell = !(*rows)++ ? v : stat == WSK_STAT_MAX ? fmax(*cell, v) : *cell + (v - *cell) / *rows;
}

/* Fills the strip of a card and quantity q from the rows of the series. Columns after the last row, up to the present
 * time, get the present value. */
static void fill(double *cells, int columns, const wsk_run *run, const char *id, int q)
{
    size_t variable = find(run, id, quantities[q].variable);
    int *rows = wsk_cli_alloc((size_t)columns * sizeof *rows);
    double from = 0, per_s = columns / wsk_run_duration(run), now = wsk_run_time(run);
    for (int c = 0; c < columns; c++)
        cells[c] = NAN, rows[c] = 0;
    for (size_t r = 0; r < wsk_run_series_rows(run) && variable < wsk_run_variables(run); r++) {
        double to = wsk_run_series_end(run, r);
        for (int c = (int)(from * per_s); c < columns && c < to * per_s; c++)
            add(&cells[c], &rows[c], wsk_run_series_value(run, r, variable, quantities[q].stat), quantities[q].stat);
        from = to;
    }
    if (variable < wsk_run_variables(run)) {
        const char *name, *unit;
        double v;
        wsk_run_variable(run, variable, &name, &unit, &v);
        for (int c = (int)(from * per_s); c < columns && c <= now * per_s; c++)
            add(&cells[c], &rows[c], v, quantities[q].stat);
    }
    free(rows);
}

static history gather(const wsk_sheet *s, size_t cards, int columns, int q)
{
    const wsk_watch_page *p = s->page;
    history h = {wsk_cli_alloc((cards * (size_t)columns + 1) * sizeof(double)), INFINITY, -INFINITY};
    for (size_t i = 0; i < cards * (size_t)columns; i++)
        h.value[i] = NAN;
    for (size_t i = 0; i < cards; i++)
        if (quantities[q].variable != WSK_VAR_CARD_CLOCK_MHZ || wsk_watch_knows_clock(p, i))
            fill(h.value + i * (size_t)columns, columns, p->run, wsk_cli_said(p->summary, WSK_R_GPU_ID, i), q);
    for (size_t i = 0; i < cards * (size_t)columns; i++) {
        h.low = fmin(h.low, h.value[i]);
        h.high = fmax(h.high, h.value[i]);
    }
    /* The scale of a strip spans at least 10 K, or for other quantities a tenth of the highest value, so that small
     * ripples look small. */
    double least = q == 0 ? 10 : 0.1 * fmax(h.high, 1), middle = (h.low + h.high) / 2;
    if (!isfinite(middle))
        h.low = h.high = NAN;
    else if (h.high - h.low < least)
        h.low = q == 0 ? middle - least / 2 : fmax(middle - least / 2, 0), h.high = middle + least / 2;
    return h;
}

static void strip(wsk_sheet *s, const history *h, size_t card, int columns)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const signs[] = {"_", ".", ":", "-", "=", "+", "*", "#"};
    wsk_sheet_say(s, NORMAL, "  ");
    for (int c = 0; c < columns; c++) {
        double v = h->value[card * (size_t)columns + (size_t)c];
        int level = isnan(v) ? 0 : (int)(7.999 * (v - h->low) / (h->high - h->low));
        wsk_sheet_say(s, isnan(v) ? FAINT : NORMAL, "%s",
                      isnan(v)        ? s->page->utf8 ? "·" : " "
                      : s->page->utf8 ? blocks[level]
                                      : signs[level]);
    }
}

static void put_scales(wsk_sheet *s, const history *all, int strips, int columns, int names)
{
    wsk_sheet_aligned(s, FAINT, T_("history"), names);
    for (int q = 0; q < strips; q++) {
        const char *unit = q == 0 && s->page->utf8 ? "°C" : quantities[q].unit;
        char *scale = isnan(all[q].low) ? wsk_cli_format("  %s", unit)
                                        : wsk_cli_format("  %.0f-%.0f %s", all[q].low, all[q].high, unit);
        wsk_sheet_aligned(s, FAINT, scale, columns + 2);
        free(scale);
    }
    wsk_sheet_next(s);
}

void wsk_watch_past(wsk_sheet *s, int rows, int names)
{
    size_t cards = wsk_summary_count(s->page->summary, WSK_SCOPE_GPU), shown = rows < 2 ? 0
                                                                               : cards < (size_t)rows
                                                                                   ? cards
                                                                                   : (size_t)rows - 1;
    int strips = (s->page->columns - names) / (STRIP_LEAST + 2), columns = 0;
    strips = strips > QUANTITIES ? QUANTITIES : strips;
    if (strips < 1)
        shown = 0;
    s->missing.past = strips < QUANTITIES ? cards : cards - shown;
    if (!shown)
        return;
    columns = (s->page->columns - names) / strips - 2;
    columns = columns > STRIP_MOST ? STRIP_MOST : columns;
    history all[QUANTITIES];
    for (int q = 0; q < strips; q++)
        all[q] = gather(s, cards, columns, q);
    put_scales(s, all, strips, columns, names);
    for (size_t i = 0; i < shown; i++) {
        wsk_sheet_aligned(s, NORMAL, wsk_cli_said(s->page->summary, WSK_R_GPU_ID, i), names);
        for (int q = 0; q < strips; q++)
            strip(s, &all[q], i, columns);
        wsk_sheet_next(s);
    }
    for (int q = 0; q < strips; q++)
        free(all[q].value);
}
