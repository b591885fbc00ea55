/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables on the terminal: cells of text, aligned by the columns that they take there. */
#ifndef WSK_CLI_GRID_H
#define WSK_CLI_GRID_H
#include "cli/kit/cli.h"

typedef struct {
    size_t rows, columns;
    size_t left;  /* so many first columns are aligned left, the others right */
    char **cells; /* row by row, as the terminal shows them; NULL: empty */
} wsk_cli_grid;
wsk_cli_grid wsk_cli_grid_new(size_t rows, size_t columns, size_t left);
/* Copies the text. */
void wsk_cli_grid_set(wsk_cli_grid *g, size_t row, size_t column, const char *text);
/* Columns that the whole table takes. */
int wsk_cli_grid_width(const wsk_cli_grid *g);
/* As many columns side by side as a page has room for, the others below them; the first one stands before each part. */
void wsk_cli_grid_print(FILE *out, const wsk_cli_grid *g, int page);
void wsk_cli_grid_free(wsk_cli_grid *g);

/* A name that takes at most so many columns; of a longer one the end, behind "..". Caller frees. */
char *wsk_cli_shorten(const char *name, int columns);

#endif
