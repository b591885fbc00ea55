/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a picture calls fans and pumps: how many of which size where, from the resolved rig. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot/plot.h"

/* A copy of a text without what gnuplot would take for its end; "" where there is none. */
static const char *plain(const char *text, char *out, size_t size)
{
    size_t n = 0;
    for (; text && *text && n + 1 < size; text++)
        if (*text != '\'' && (unsigned char)*text >= 32)
            out[n++] = *text;
    out[n] = '\0';
    return out;
}

static void title(FILE *out, const wsk_elements *rig, int e)
{
    char text[80];
    fputs(wsk_elements_id(rig, e), out);
    if (wsk_elements_is(rig, e, "fan")) {
        int up = rig->items[e].parent;
        bool radiator = wsk_elements_is(rig, up, "radiator");
        const char *count = plain(wsk_elements_text(rig, e, "count"), text, 16);
        if (*count && strcmp(count, "1") != 0)
            fprintf(out, ", %s x ", count);
        else
            fputs(", ", out);
        fputs(plain(wsk_elements_text(rig, e, "diameter"), text, 24), out);
        if (*plain(wsk_elements_text(rig, radiator ? up : e, "at"), text, 32))
            fprintf(out, " at the %s%s", text, radiator ? " radiator" : "");
    }
    if (*plain(rig->items[e].part, text, sizeof text))
        fprintf(out, ", %s", strchr(text, '/') ? strchr(text, '/') + 1 : text);
}

char *wsk_plot_mover_titles(const wsk_elements *rig, const wsk_summary *summary)
{
    char *script = NULL;
    size_t len;
    FILE *out = open_memstream(&script, &len);
    if (!out)
        exit(WSK_ERUN);
    for (size_t i = 0; i < wsk_summary_count(summary, WSK_SCOPE_FAN); i++) {
        const char *id = wsk_cli_said(summary, WSK_R_FAN_ID, i);
        int e = rig && id[0] && !strchr(id, '\'') ? wsk_elements_find(rig, id) : -1;
        if (!wsk_elements_is(rig, e, "fan") && !wsk_elements_is(rig, e, "pump"))
            continue;
        fprintf(out, "movers_title[%zu] = '", i + 1);
        title(out, rig, e);
        fputs("'\n", out);
    }
    fclose(out);
    return script;
}
