/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rendering of messages. The library gives numbers, codes and arguments. This folder and the program turn them into
 * sentences, in English or in another language. The library's sentences are in sim/base/codes.def; a command prints its
 * own sentences; all translations are in po/ja.po. tr.c finds translations, width.c measures text on a terminal,
 * fitted.c makes the sentences of the command calibrate. Begin with words.c.
 *
 * A new sentence
 * - of the library (a mistake in a rig): a line in sim/base/codes.def, and WSK_SAID(WSK_SAY_NAME, arguments) where it
 *   is reported. Arguments that must be translated are WSK_WORD("..."); hints and reasons are messages of their own.
 * - of the program: T_("English") in cli, wsk_tr(lang, "English") below it. In a table: N_("English") in cli,
 *   WSK_N("English") below it, and T_ or wsk_tr where it is printed.
 * - One text is one whole sentence or label. Do not join parts of sentences: the word order differs between languages.
 *   Number the arguments if there are several, "%1$s has %2$d slots". Avoid plurals ("slots: %d").
 * - The English text has symbols (°C, −, ±). wsk_ascii replaces them for terminals without UTF-8 and in files that
 *   programs read. Those files are English, with the same bytes in every locale.
 * - `make po`, then write the translation of the sentence in po/ja.po; tests/arch/words.sh fails until it is
 *   there.
 *
 * A new language: CONTRIBUTING.md, "A new language". */
#ifndef WSK_WORDS_H
#define WSK_WORDS_H
#include "sim/base/said.h"
#include "words/tr.h"

/* A NULL message appends nothing. */
void wsk_words_said(wsk_buf *out, wsk_lang lang, const wsk_said *said);
void wsk_words_render(wsk_buf *out, wsk_lang lang, const char *english, const wsk_arg *args, int count);
#endif
