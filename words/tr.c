/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "words/tr.h"

#include <string.h>

#include "words/mo.h"
#include "words/width.h"

/* The Japanese catalogue, a .mo file in memory; the Makefile generates both symbols from po/ja.po. */
extern const unsigned char wsk_words_ja[];
extern const size_t wsk_words_ja_len;

const char *const wsk_lang_names[] = {"en", "ja", NULL};

bool wsk_lang_named(const char *name, wsk_lang *out)
{
    for (int i = 0; i < WSK_LANG_COUNT; i++)
        if (strcmp(name, wsk_lang_names[i]) == 0) {
            *out = (wsk_lang)i;
            return true;
        }
    return false;
}

static const char *first_set(const char *const *values, int count)
{
    for (int i = 0; i < count; i++)
        if (values[i] && *values[i])
            return values[i];
    return "";
}

static bool names_utf8(const char *locale)
{
    for (const char *v = locale; *v; v++)
        if ((v[0] | 32) == 'u' && (v[1] | 32) == 't' && (v[2] | 32) == 'f' && v[v[3] == '-' ? 4 : 3] == '8')
            return true;
    return false;
}

bool wsk_locale_utf8(const wsk_locale *l)
{
    const char *const by[] = {l->lc_all, l->lc_ctype, l->lang, l->lc_messages};
    return names_utf8(first_set(by, 4));
}

wsk_lang wsk_locale_lang(const wsk_locale *l)
{
    const char *const by[] = {l->lc_all, l->lc_messages, l->lang};
    const char *name = first_set(by, 3);
    size_t len = strcspn(name, "_.@");
    for (int i = 0; i < WSK_LANG_COUNT; i++)
        if (strlen(wsk_lang_names[i]) == len && strncmp(name, wsk_lang_names[i], len) == 0 && wsk_locale_utf8(l))
            return (wsk_lang)i;
    return WSK_EN;
}

const char *wsk_tr(wsk_lang lang, const char *english)
{
    /* The translation of the empty text is the catalogue's header, not a text to show. */
    const char *other = lang == WSK_JA && *english ? wsk_mo_find(wsk_words_ja, wsk_words_ja_len, english) : NULL;
    return other ? other : english;
}

static const char *translate(const void *language, const char *english)
{
    return wsk_tr(*(const wsk_lang *)language, english);
}

wsk_voice wsk_voice_of(wsk_lang lang, bool ascii)
{
    static const wsk_lang all[] = {WSK_EN, WSK_JA};
    _Static_assert(sizeof all / sizeof *all == WSK_LANG_COUNT, "a language is missing");
    return (wsk_voice){.translate = translate, .language = &all[lang], .width = wsk_width, .ascii = ascii};
}
