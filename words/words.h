/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The room of words: facts and diagnostics in, sentences out. The library gives numbers, codes and arguments; what
 * people read is made of them here and in the program, in English or in another language. The sentences of the
 * library stand in sim/base/codes.def, those of a command where it prints them, and all of them in po/ja.po. tr.c
 * finds translations, width.c measures text on a terminal. Begin with words.c.
 *
 * A new sentence
 * - of the library (a mistake in a rig): a line in sim/base/codes.def, and WSK_SAID(WSK_SAY_NAME, arguments) where it is told.
 *   Words of ours among the arguments are WSK_WORD("..."), hints and reasons are messages of their own (WSK_SAY).
 * - of the program: T_("English") in cli, wsk_tr(lang, "English") below it; in a table WSK_N("English") and T_(table.text) where
 *   it is printed.
 * - One text is one whole sentence or label. Sentences are not put together of halves: other languages have another order. Where
 *   there are several arguments they are numbered, "%1$s has %2$d slots". Avoid plurals ("slots: %d").
 * - The English has the terminal's symbols (°C, −, ±); wsk_ascii replaces them where the terminal cannot show them, and in
 *   files, which programs read: those are English and the same bytes in every locale.
 * - `make po`, then write its translation in po/ja.po; tests/arch/words.sh fails until it is there.
 *
 * A new language: po/xx.po (msginit -l xx -i build/po/wattsink.pot), its name in wsk_lang and wsk_lang_names (tr.h, tr.c), and its
 * catalogue beside wsk_words_ja in tr.c. The Makefile compiles every .po file. */
#ifndef WSK_WORDS_H
#define WSK_WORDS_H
#include "sim/base/said.h"
#include "words/tr.h"

/* Appends the sentence of a message in a language; NULL says nothing. */
void wsk_words_said(wsk_buf *out, wsk_lang lang, const wsk_said *said);
/* Appends a sentence of the program with its arguments. */
void wsk_words_render(wsk_buf *out, wsk_lang lang, const char *english, const wsk_arg *args, int count);
#endif
