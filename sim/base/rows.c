/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/base/rows.h"

#include <string.h>

bool wsk_rows_next(wsk_rows *r)
{
    if (!r->ends)
        r->ends = wsk_line_end(r->text, r->len);
    while (r->at < r->len) {
        const char *newline = memchr(r->text + r->at, r->ends, r->len - r->at);
        r->start = r->at;
        r->end = newline ? (size_t)(newline - r->text) : r->len;
        r->at = r->end + (newline != NULL);
        r->line++;
        size_t i = r->start;
        while (i < r->end && wsk_blank(r->text[i]))
            i++;
        if (i < r->end && r->text[i] != '#')
            return true;
    }
    return false;
}

int wsk_rows_column(const char *text, size_t start, size_t at)
{
    int column = 1;
    for (size_t i = start; i < at; i++)
        column += !wsk_utf8_inside(text[i]);
    return column;
}

void wsk_trim(const char *text, size_t *from, size_t *to)
{
    while (*from < *to && wsk_blank(text[*from]))
        ++*from;
    while (*to > *from && wsk_blank(text[*to - 1]))
        --*to;
}
