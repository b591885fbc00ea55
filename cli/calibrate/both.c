/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What fits of sweeps and of logs share. */
#include <stdlib.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"
#include "words/words.h"

void wsk_cli_told_at(const char *file, int line, int column, int severity, const wsk_said *said)
{
    wsk_buf b = {0};
    wsk_buf_printf(&b, "%s:%d:%d: %s", file, line, column, severity ? T_("warning: ") : "");
    wsk_words_said(&b, wsk_cli_lang, said);
    if (b.failed)
        wsk_cli_no_memory();
    char *shown = wsk_cli_shown(b.data);
    if (!severity || !wsk_cli_quiet)
        fprintf(stderr, "%s\n", shown ? shown : b.data);
    free(shown);
    wsk_buf_free(&b);
}

const char *wsk_cli_split_id(const char *text, const char **id, size_t *len)
{
    const char *equals = strchr(text, '=');
    const bool has = equals && equals > text && !memchr(text, '/', (size_t)(equals - text)) &&
                     !memchr(text, '.', (size_t)(equals - text));
    *id = has ? text : NULL;
    *len = has ? (size_t)(equals - text) : 0;
    return has ? equals + 1 : text;
}

char *wsk_cli_plus_minus(double value, double spread)
{
    int places = 0;
    for (double least = 10; places < 6 && spread > 0 && spread < least; least /= 10)
        places++;
    return wsk_cli_format("%.*f ± %.*f", places, value, places, spread);
}
