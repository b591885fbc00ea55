/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translation of texts. The source holds English; other languages come from po/LANGUAGE.po, which the build compiles
 * into the program. These functions neither read nor set the locale of the process. */
#ifndef WSK_WORDS_TR_H
#define WSK_WORDS_TR_H
#include <stdbool.h>
#include <stddef.h>

#include "wattsink.h"

typedef enum { WSK_EN, WSK_JA, WSK_LANG_COUNT } wsk_lang;
extern const char *const wsk_lang_names[];

bool wsk_lang_named(const char *name, wsk_lang *out);

/* Values of the environment variables LC_ALL, LC_CTYPE, LC_MESSAGES and LANG. NULL or "": not set. */
typedef struct {
    const char *lc_all, *lc_ctype, *lc_messages, *lang;
} wsk_locale;
/* Checks whether the terminal's character encoding is UTF-8. The first variable that is set decides: LC_ALL, LC_CTYPE,
 * LANG, LC_MESSAGES. */
bool wsk_locale_utf8(const wsk_locale *locale);
/* Returns the language of the locale. The first variable that is set decides: LC_ALL, LC_MESSAGES, LANG. The language
 * is English if the character encoding is not UTF-8. */
wsk_lang wsk_locale_lang(const wsk_locale *locale);

/* Returns the translation of a text, or the English text if there is no translation. */
const char *wsk_tr(wsk_lang lang, const char *english) __attribute__((format_arg(2)));
/* Returns the language and display width with which the library writes its pages. ascii: replace symbols such as the
 * degree sign by ASCII. */
wsk_voice wsk_voice_of(wsk_lang lang, bool ascii);
#endif
