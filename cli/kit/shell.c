/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/kit/shell.h"

#include <stdlib.h>
#include <string.h>

#include "cli/kit/cli.h"

char *wsk_cli_shell_quoted(const char *text)
{
    char *quoted = NULL;
    size_t len;
    FILE *out = wsk_cli_text(&quoted, &len);
    fputc('\'', out);
    for (const char *p = text; *p; p++)
        fputs(*p == '\'' ? "'\\''" : (char[]){*p, '\0'}, out);
    fputc('\'', out);
    wsk_cli_check_memory(fclose(out) == 0);
    return quoted;
}

char *wsk_cli_shell_word(const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./+,:@%";
    return *text && !text[strspn(text, plain)] ? wsk_cli_format("%s", text) : wsk_cli_shell_quoted(text);
}
