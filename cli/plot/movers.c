/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Titles of fans and pumps in pictures: count, size and position from the resolved rig. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot/plot.h"

/* Copies a text without quotes and control characters, which would end gnuplot's string. "" if text is NULL. */
static const char *plain(const char *text, char *out, size_t size)
{
    size_t n = 0;
    for (; text && *text && n + 1 < size; text++)
        if (*text != '\'' && (unsigned char)*text >= 32)
            out[n++] = *text;
    out[n] = '\0';
    return out;
}

/* Returns "3 x 120 mm at the front radiator". Caller frees. */
static char *describe_fan(const wsk_elements *rig, int e)
{
    char count[16], size[24], at[32];
    int up = rig->items[e].parent;
    bool radiator = wsk_elements_is(rig, up, "radiator");
    plain(wsk_elements_text(rig, e, "count"), count, sizeof count);
    plain(wsk_elements_text(rig, e, "diameter"), size, sizeof size);
    plain(wsk_elements_text(rig, radiator ? up : e, "at"), at, sizeof at);
    char *fans =
        *count && strcmp(count, "1") != 0 ? wsk_cli_format("%s x %s", count, size) : wsk_cli_format("%s", size);
    if (!*at)
        return fans;
    char *placed = wsk_cli_format(radiator ? T_("%1$s at the %2$s radiator") : T_("%1$s at the %2$s"), fans, T_(at));
    free(fans);
    return placed;
}

static char *make_title(const wsk_elements *rig, int e)
{
    char part[80], *title = wsk_cli_format("%s", wsk_elements_id(rig, e));
    if (wsk_elements_is(rig, e, "fan"))
        title = wsk_plot_join(title, describe_fan(rig, e));
    if (*plain(rig->items[e].part, part, sizeof part))
        title = wsk_plot_join(title, wsk_cli_format("%s", strchr(part, '/') ? strchr(part, '/') + 1 : part));
    return title;
}

char *wsk_plot_mover_titles(const wsk_elements *rig, const wsk_summary *summary)
{
    char *script = NULL;
    size_t len;
    FILE *out = wsk_cli_text(&script, &len);
    for (size_t i = 0; i < wsk_summary_count(summary, WSK_SCOPE_FAN); i++) {
        const char *id = wsk_cli_said(summary, WSK_R_FAN_ID, i);
        int e = rig && id[0] && !strchr(id, '\'') ? wsk_elements_find(rig, id) : -1;
        if (!wsk_elements_is(rig, e, "fan") && !wsk_elements_is(rig, e, "pump"))
            continue;
        char *title = make_title(rig, e);
        fprintf(out, "movers_title[%zu] = '%s'\n", i + 1, title);
        free(title);
    }
    fclose(out);
    return script;
}
