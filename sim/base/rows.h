/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text files of rows, such as CSV: finds their lines, the columns of byte offsets for messages, and the cells without
 * the blanks around them. */
#ifndef WSK_ROWS_H
#define WSK_ROWS_H
#include "sim/base/base.h"

/* A text that is read line by line; offsets are in bytes from its start. */
typedef struct {
    const char *text;
    size_t len, at;    /* length of the text; offset of the next line */
    size_t start, end; /* the current line; `end` is the offset of its newline, or `len` */
    int line;          /* number of the current line, from 1; 0: none has been read */
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
/* Moves both ends of a cell past the blanks around it. */
void wsk_trim(const char *text, size_t *from, size_t *to);

#endif
