/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns that text takes on a terminal, where its lines may break, and what stands for symbols that it cannot show. */
#ifndef WSK_WORDS_WIDTH_H
#define WSK_WORDS_WIDTH_H
#include "sim/base/base.h"

/* Bytes of the character that begins a text of `len` bytes (1 where none does), and its columns: 0, 1 or 2. */
size_t wsk_char_width(const char *text, size_t len, int *columns);
/* Columns of a whole text, or of its first `len` bytes. */
int wsk_width(const char *text);
int wsk_width_n(const char *text, size_t len);
/* Bytes of the longest beginning of the text that takes at most this many columns and is not cut inside a character. */
size_t wsk_width_cut(const char *text, int columns);
/* Appends the text, with blanks behind it (columns > 0) or before it (columns < 0) up to so many columns. */
void wsk_pad(wsk_buf *out, const char *text, int columns);

/* Whether a line may break between two characters that no blank parts: where one of them is wide, but not before closing
 * punctuation and small kana, nor behind an opening bracket (JIS X 4051). */
bool wsk_may_break(const char *before, const char *after);
#endif
