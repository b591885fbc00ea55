/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The language of a text. English is what the source holds; other languages come from po/LANGUAGE.po, which the build
 * compiles into the program. No locale of the process is read or set here. */
#ifndef WSK_WORDS_TR_H
#define WSK_WORDS_TR_H
#include <stdbool.h>
#include <stddef.h>

#include "wattsink.h"

typedef enum { WSK_EN, WSK_JA, WSK_LANG_COUNT } wsk_lang;
extern const char *const wsk_lang_names[]; /* "en", "ja", NULL */

/* False: the name is none of wsk_lang_names. */
bool wsk_lang_named(const char *name, wsk_lang *out);

/* Values of the variables that the locale is read from; NULL or "" where one is not set. */
typedef struct {
    const char *lc_all, *lc_ctype, *lc_messages, *lang;
} wsk_locale;
/* Whether the terminal's codeset is UTF-8: by LC_ALL, else LC_CTYPE, else LANG, else LC_MESSAGES. */
bool wsk_locale_utf8(const wsk_locale *locale);
/* By LC_ALL, else LC_MESSAGES, else LANG. English where the codeset is not UTF-8. */
wsk_lang wsk_locale_lang(const wsk_locale *locale);

/* The text in a language; the English one where there is no translation. */
const char *wsk_tr(wsk_lang lang, const char *english) __attribute__((format_arg(2)));
/* For pages that the library writes; ascii: without symbols such as the degree sign. */
wsk_voice wsk_voice_of(wsk_lang lang, bool ascii);
#endif
