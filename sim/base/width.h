/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Number of columns that a text takes on a terminal. */
#ifndef WSK_BASE_WIDTH_H
#define WSK_BASE_WIDTH_H
#include "sim/base/base.h"

/* Returns the length in bytes of the first character of a text of `len` bytes, 1 if it is invalid; *columns: its
 * width, 0, 1 or 2. */
size_t wsk_char_width(const char *text, size_t len, int *columns);
/* Width in columns of a whole text, or of its first `len` bytes. */
int wsk_width(const char *text);
int wsk_width_n(const char *text, size_t len);
/* Appends the text padded with blanks to |columns| columns: behind it if columns > 0, before it if columns < 0. */
void wsk_pad(wsk_buf *out, const char *text, int columns);

#endif
