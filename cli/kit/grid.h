/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables on the terminal, aligned by the display width of their cells. */
#ifndef WSK_CLI_GRID_H
#define WSK_CLI_GRID_H
#include "cli/kit/cli.h"

typedef struct {
    size_t rows, columns;
    size_t left;  /* number of left-aligned first columns; the others are aligned right */
    char **cells; /* rows * columns texts, row by row, owned; NULL: empty */
} wsk_cli_grid;
wsk_cli_grid wsk_cli_grid_new(size_t rows, size_t columns, size_t left);
/* Sets a cell to a copy of the text, in ASCII for a terminal without UTF-8. */
void wsk_cli_grid_set(wsk_cli_grid *g, size_t row, size_t column, const char *text);
int wsk_cli_grid_width(const wsk_cli_grid *g);
/* Prints the table. Table columns that do not fit into `page` terminal columns follow in blocks below; each block
 * repeats the first table column. */
void wsk_cli_grid_print(FILE *out, const wsk_cli_grid *g, int page);
void wsk_cli_grid_free(wsk_cli_grid *g);

/* Returns the name; of a name wider than `columns` terminal columns, ".." and its end. Caller frees. */
char *wsk_cli_shorten(const char *name, int columns);

#endif
