/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "cli/kit/cli.h"

static int refuse(const char *name)
{
    char hint[64];
    wsk_cli_error(T_("--lang '%1$s': expected en or ja%2$s"), name,
                  wsk_cli_hint(hint, sizeof hint, name, wsk_lang_names, ""));
    return WSK_EUSAGE;
}

int wsk_cli_language(int *argc, char **argv)
{
    static const char option[] = "--lang";
    const size_t len = sizeof option - 1;
    const wsk_locale locale = wsk_cli_locale();
    wsk_cli_lang = wsk_locale_lang(&locale);
    int kept = 1;
    for (int i = 1; i < *argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--") == 0) {
            while (i < *argc)
                argv[kept++] = argv[i++];
            break;
        }
        if (strncmp(word, option, len) != 0 || (word[len] && word[len] != '=')) {
            argv[kept++] = argv[i];
            continue;
        }
        const char *name = word[len] ? word + len + 1 : i + 1 < *argc ? argv[++i] : "";
        if (!wsk_lang_named(name, &wsk_cli_lang))
            return refuse(name);
    }
    *argc = kept;
    argv[kept] = NULL;
    return WSK_OK;
}
