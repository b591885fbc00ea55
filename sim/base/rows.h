/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text files of rows, such as CSV. Offsets are in bytes from the start of the text. */
#ifndef WSK_ROWS_H
#define WSK_ROWS_H
#include "sim/base/base.h"

typedef struct {
    const char *text;
    size_t len, at;    /* at: offset of the next line */
    size_t start, end; /* the current line; `end` is the offset of its newline, or `len` */
    int line;          /* counted from 1; 0: no line has been read */
    char ends;         /* the byte that ends lines; 0: not known before the first line */
} wsk_rows;
/* Moves to the next line that is neither blank nor a comment that begins with #. False: there is none. */
bool wsk_rows_next(wsk_rows *rows);
/* The column, counted from 1, of byte offset `at` in the line that begins at `start`. Each UTF-8 character is one
 * column. */
int wsk_rows_column(const char *text, size_t start, size_t at);

static inline bool wsk_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}
void wsk_trim(const char *text, size_t *from, size_t *to);

#endif
