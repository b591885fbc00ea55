/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns that text takes on a terminal. */
#ifndef WSK_BASE_WIDTH_H
#define WSK_BASE_WIDTH_H
#include "sim/base/base.h"

/* Bytes of the character that begins a text of `len` bytes (1 where none does), and its columns: 0, 1 or 2. */
size_t wsk_char_width(const char *text, size_t len, int *columns);
/* Columns of a whole text, or of its first `len` bytes. */
int wsk_width(const char *text);
int wsk_width_n(const char *text, size_t len);
/* Appends the text, with blanks behind it (columns > 0) or before it (columns < 0) up to so many columns. */
void wsk_pad(wsk_buf *out, const char *text, int columns);

#endif
