/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "cli/kit/cli.h"
#include "sim/base/base.h"

void wsk_json_quote(FILE *out, const char *text)
{
    wsk_buf quoted = {0};
    wsk_buf_json(&quoted, text);
    fwrite(quoted.data, 1, quoted.len, out);
    wsk_buf_free(&quoted);
}

void wsk_json_number(FILE *out, double value)
{
    char text[32] = "null";
    if (isfinite(value))
        wsk_format_number(text, sizeof text, value);
    fputs(text, out);
}
