/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot/plot.h"

/* Returns the column names of a calibration.csv, each between spaces; NULL: the text is no calibration.csv. *end_s:
 * time of the last row, s. */
static char *read_head(const char *csv, double *end_s)
{
    const size_t head = strcspn(csv, "\n"), len = strlen(csv);
    const char *last = csv + (len ? len - 1 : 0), *stop;
    while (last > csv && last[-1] != '\n')
        last--;
    *end_s = wsk_number_at(last, &stop);
    if (strncmp(csv, "t_s,held_out,", 13) != 0 || last == csv || stop == last || !(*end_s > 0))
        return NULL;
    char *names = wsk_cli_format(" %.*s ", (int)head, csv);
    for (char *p = names; *p; p++)
        *p = *p == ',' || *p == '\r' ? ' ' : *p;
    return names;
}

static char *title_of(const wsk_elements *rig, const char *id)
{
    char *title = wsk_cli_format("%s", id);
    const int at = rig ? wsk_elements_find(rig, id) : -1;
    const double slot = at < 0 ? (double)NAN : wsk_elements_number(rig, at, "slot");
    const char *part = at < 0 ? NULL : rig->items[at].part;
    if (!isnan(slot))
        title = wsk_plot_join(title, wsk_cli_format(T_("slot %.0f"), slot));
    if (part && !strchr(part, '\''))
        title = wsk_plot_join(title, wsk_cli_format("%s", strchr(part, '/') ? strchr(part, '/') + 1 : part));
    return title;
}

static char *list_cards(const char *names, const wsk_elements *rig)
{
    char *text = NULL, *mark = wsk_cli_format(".%s.model ", wsk_var_about(WSK_VAR_CARD_DIE_C)->name);
    size_t len = 0;
    wsk_cli_list ids = {0};
    for (const char *at = names, *found; (found = strstr(at, mark)) != NULL; at = found + strlen(mark) - 1) {
        const char *from = found;
        while (from > names && from[-1] != ' ')
            from--;
        wsk_cli_push(&ids, wsk_cli_format("%.*s", (int)(found - from), from));
    }
    FILE *out = wsk_cli_text(&text, &len);
    fputs("gpus = '", out);
    for (size_t i = 0; i < ids.count; i++)
        fprintf(out, "%s%s", i ? " " : "", ids.items[i]);
    fprintf(out, "'\narray gpus_title[%zu]\n", ids.count + 1);
    for (size_t i = 0; i < ids.count; i++) {
        char *title = title_of(rig, ids.items[i]), *name = wsk_cli_format("gpus_title[%zu]", i + 1);
        wsk_plot_quote(out, name, title);
        free(name);
        free(title);
    }
    fclose(out);
    wsk_cli_list_free(&ids, 0);
    free(mark);
    return text;
}

static const wsk_elements *read_calibrated(const char *dir, int *code)
{
    const wsk_elements *rig = NULL;
    char *xml = wsk_cli_read_in(dir, "calibrated.xml", NULL, code);
    if (xml && wsk_elements_read(xml, strlen(xml), &rig) == WSK_ENOMEM)
        wsk_cli_no_memory();
    free(xml);
    return rig;
}

static int draw(const char *dir, const char *csv, const char *as, bool quiet, bool optional)
{
    int code = WSK_OK;
    double end_s;
    char *names = read_head(csv, &end_s);
    if (!names) {
        wsk_cli_error(T_("%s/%s is damaged"), dir, "calibration.csv");
        return WSK_EINPUT;
    }
    const wsk_elements *rig = read_calibrated(dir, &code);
    char *cards = list_cards(names, rig);
    const char *rig_name = rig ? wsk_elements_text(rig, 0, "name") : NULL;
    const wsk_plot_table t = {.name = "calibration",
                              .csv = csv,
                              .columns = names,
                              .rig_name = rig_name ? rig_name : "",
                              .script = cards,
                              .variables = (const wsk_var[]){WSK_VAR_CARD_DIE_C, WSK_VAR_CARD_MEMORY_C},
                              .n_variables = 2,
                              .seconds = end_s,
                              .optional = optional,
                              .interval_s = wsk_number_at(strchr(csv, '\n') + 1, &(const char *){NULL})};
    if (code == WSK_OK)
        code = wsk_plot_draw(dir, &t, as, quiet);
    free(cards);
    free(names);
    wsk_elements_free(rig);
    return code;
}

int wsk_plot_calibration(const char *dir, const char *as, bool quiet, bool optional)
{
    int code = WSK_OK;
    char *csv = wsk_cli_read_in(dir, "calibration.csv", NULL, &code);
    if (csv) {
        code = draw(dir, csv, as, quiet, optional);
    } else if (code == WSK_OK) {
        wsk_cli_error(T_("%s/%s is missing: 'wattsink calibrate RIG.xml --log FILE -o %s' leaves it"), dir,
                      "calibration.csv", dir);
        code = WSK_EINPUT;
    }
    free(csv);
    return code;
}
