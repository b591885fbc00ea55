/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the lines of a terminal may break. */
#ifndef WSK_WORDS_WIDTH_H
#define WSK_WORDS_WIDTH_H
#include "sim/base/width.h"

/* Bytes of the longest beginning of the text that takes at most this many columns and is not cut inside a character. */
size_t wsk_width_cut(const char *text, int columns);

/* Whether a line may break between two characters that no blank parts: where one of them is wide, but not before closing
 * punctuation and small kana, nor behind an opening bracket (JIS X 4051). */
bool wsk_may_break(const char *before, const char *after);
#endif
