/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "words/words.h"

static const char *translate(const void *language, const char *english)
{
    const wsk_lang *lang = language;
    return wsk_tr(*lang, english);
}

void wsk_words_said(wsk_buf *out, wsk_lang lang, const wsk_said *said)
{
    wsk_said_write(out, said, translate, &lang);
}

void wsk_words_render(wsk_buf *out, wsk_lang lang, const char *english, const wsk_arg *args, int count)
{
    wsk_render(out, wsk_tr(lang, english), args, count, translate, &lang);
}
