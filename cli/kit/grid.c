/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/kit/grid.h"

#include <stdlib.h>
#include <string.h>

#include "words/width.h"

enum { GAP = 2 };

wsk_cli_grid wsk_cli_grid_new(size_t rows, size_t columns, size_t left)
{
    return (wsk_cli_grid){rows, columns, left, wsk_cli_alloc(rows * columns * sizeof(char *))};
}

void wsk_cli_grid_set(wsk_cli_grid *g, size_t row, size_t column, const char *text)
{
    char **cell = &g->cells[row * g->columns + column], *shown = wsk_cli_shown(text);
    free(*cell);
    *cell = shown ? shown : wsk_cli_format("%s", text);
}

static const char *cell_of(const wsk_cli_grid *g, size_t row, size_t column)
{
    const char *text = g->cells[row * g->columns + column];
    return text ? text : "";
}

static int column_width(const wsk_cli_grid *g, size_t column)
{
    int most = 0;
    for (size_t r = 0; r < g->rows; r++) {
        int width = wsk_width(cell_of(g, r, column));
        most = width > most ? width : most;
    }
    return most;
}

int wsk_cli_grid_width(const wsk_cli_grid *g)
{
    int width = 0;
    for (size_t c = 0; c < g->columns; c++)
        width += column_width(g, c) + (c ? GAP : 0);
    return width;
}

static void end_line(wsk_buf *line, FILE *out)
{
    while (line->len && line->data[line->len - 1] == ' ')
        line->len--;
    fwrite(line->data ? line->data : "", 1, line->len, out);
    fputc('\n', out);
    line->len = 0;
}

static void print_part(FILE *out, const wsk_cli_grid *g, const int *widths, size_t from, size_t to)
{
    wsk_buf line = {0};
    for (size_t r = 0; r < g->rows; r++) {
        for (size_t c = 0; c < to; c = c ? c + 1 : from) {
            if (c)
                wsk_pad(&line, "", GAP);
            wsk_pad(&line, cell_of(g, r, c), c < g->left ? widths[c] : -widths[c]);
        }
        end_line(&line, out);
    }
    wsk_buf_free(&line);
}

void wsk_cli_grid_print(FILE *out, const wsk_cli_grid *g, int page)
{
    int *widths = wsk_cli_alloc((g->columns + 1) * sizeof *widths);
    for (size_t c = 0; c < g->columns; c++)
        widths[c] = column_width(g, c);
    for (size_t from = 1, to; from < g->columns || from == 1; from = to) {
        int used = widths[0];
        for (to = from; to < g->columns && (to == from || used + GAP + widths[to] <= page); to++)
            used += GAP + widths[to];
        if (from > 1)
            fputc('\n', out);
        print_part(out, g, widths, from, to);
        if (to == from)
            break;
    }
    free(widths);
}

void wsk_cli_grid_free(wsk_cli_grid *g)
{
    for (size_t i = 0; i < g->rows * g->columns; i++)
        free(g->cells[i]);
    free(g->cells);
    *g = (wsk_cli_grid){0};
}

char *wsk_cli_shorten(const char *name, int columns)
{
    int width = wsk_width(name), one;
    if (width <= columns)
        return wsk_cli_format("%s", name);
    while (*name && width > columns - 2) {
        size_t n = wsk_char_width(name, strlen(name), &one);
        width -= one;
        name += n;
    }
    return wsk_cli_format("..%s", name);
}
