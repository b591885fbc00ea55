/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_BASE_WIDTH_H
#define WSK_BASE_WIDTH_H
#include "sim/base/base.h"

/* Returns the length in bytes of the first character; an invalid byte counts as one character. *columns: 0, 1 or
 * 2. */
size_t wsk_char_width(const char *text, size_t len, int *columns);
int wsk_width(const char *text);
int wsk_width_n(const char *text, size_t len);
/* Appends the text padded with blanks to |columns| columns: blanks follow the text if columns > 0, and precede it if
 * columns < 0. */
void wsk_pad(wsk_buf *out, const char *text, int columns);

#endif
