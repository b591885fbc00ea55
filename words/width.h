/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_WORDS_WIDTH_H
#define WSK_WORDS_WIDTH_H
#include "sim/base/width.h"

/* Returns the length, in bytes, of the longest prefix of the text that takes at most `columns` columns. The prefix ends
 * at a character boundary. */
size_t wsk_width_cut(const char *text, int columns);

/* Checks whether a line may break between two characters without a blank between them. One of the two must be wide.
 * A line does not break before a character that may not begin a line, nor after an opening bracket (JIS X 4051). */
bool wsk_may_break(const char *before, const char *after);
#endif
