/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "cli/kit/cli.h"
#include "words/width.h"

wsk_lang wsk_cli_lang;

wsk_locale wsk_cli_locale(void)
{
    return (wsk_locale){.lc_all = getenv("LC_ALL"),
                        .lc_ctype = getenv("LC_CTYPE"),
                        .lc_messages = getenv("LC_MESSAGES"),
                        .lang = getenv("LANG")};
}

bool wsk_cli_utf8(void)
{
    const wsk_locale locale = wsk_cli_locale();
    return wsk_cli_lang != WSK_EN || wsk_locale_utf8(&locale);
}

wsk_voice wsk_cli_voice(void)
{
    return wsk_voice_of(wsk_cli_lang, !wsk_cli_utf8());
}

char *wsk_cli_shown(const char *text)
{
    wsk_buf b = {0};
    if (wsk_cli_utf8())
        return NULL;
    wsk_ascii(&b, text);
    return b.data;
}
