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

/* What strerror says of the mistakes that people make with files, marked for translation: it is WSK_WORD where it is told. */
const char *const wsk_words_of_system[] = {
    WSK_N("No such file or directory"), WSK_N("Permission denied"),
    WSK_N("Not a directory"),           WSK_N("Is a directory"),
    WSK_N("No space left on device"),   WSK_N("Read-only file system"),
    WSK_N("File name too long"),        WSK_N("Too many levels of symbolic links"),
    WSK_N("Input/output error"),        NULL};
