/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/optimise/optimise.h"
#include "cli/plot/plot.h"

/* The quantity that colours the points. goal true: the third goal; false: the first setting. number true: all values
 * of that quantity are numbers. */
typedef struct {
    bool number, goal;
} colours;

static colours choose_colours(const wsk_optimising *o)
{
    colours c = {.goal = o->aims.goal_count > 2, .number = true};
    const char *end;
    for (size_t k = 0; !c.goal && k < o->choices.items[0].count; k++)
        c.number = c.number && !isnan(wsk_number_at(wsk_choices_shown(&o->choices, 0, (int)k), &end));
    return c;
}

static const char *shown_unit(const char *unit)
{
    return !strcmp(unit, "degC") ? "°C" : unit;
}

static const char *label_of(const wsk_optimising *o, size_t goal)
{
    const char *text = o->aims.goals[goal].text;
    const wsk_result_row *row = strpbrk(text, "()[]<>=!+-*/ ") ? NULL : wsk_aims_about(text);
    return row ? T_(row->label) : text;
}

static char *axis_of(const wsk_optimising *o, size_t goal)
{
    char unit[24];
    wsk_aims_unit(&o->aims, o->aims.goals[goal].unit, unit);
    return wsk_cli_format(*unit ? "%s (%s)" : "%s", label_of(o, goal), shown_unit(unit));
}

static double shown_value(const wsk_optimising *o, size_t goal, const double *v)
{
    return o->aims.goals[goal].most ? -v[goal] : v[goal];
}

static char *script_lines(const wsk_optimising *o, colours c)
{
    static const char *const names[] = {"x_name", "y_name"};
    const wsk_setting *first = &o->choices.items[0];
    char *text = NULL, unit[24] = "";
    size_t len = 0;
    FILE *out = wsk_cli_text(&text, &len);
    for (size_t i = 0; i < 2; i++) {
        char *axis = axis_of(o, i);
        wsk_plot_quote(out, names[i], axis);
        free(axis);
    }
    if (c.goal)
        wsk_aims_unit(&o->aims, o->aims.goals[2].unit, unit);
    wsk_plot_quote(out, "condition", "");
    wsk_plot_quote(out, "axis_name", c.goal ? label_of(o, 2) : o->choices.of[0].name);
    const char *end = "";
    if (!c.goal && c.number)
        wsk_number_at(wsk_choices_shown(&o->choices, 0, 0), &end);
    wsk_plot_quote(out, "axis_unit", c.goal ? shown_unit(unit) : end + strspn(end, " "));
    const size_t levels = c.number ? 0 : first->count;
    fprintf(out, "x_most = %d\ny_most = %d\naxis_number = %d\nlevels = %zu\narray level[%zu]\nlevel[1] = ''\n",
            o->aims.goals[0].most, o->aims.goals[1].most, c.number, levels, levels ? levels : 1);
    for (size_t i = 0; i < levels; i++) {
        char name[32];
        snprintf(name, sizeof name, "level[%zu]", i + 1);
        wsk_plot_quote(out, name, wsk_choices_shown(&o->choices, 0, (int)i));
    }
    fclose(out);
    return text;
}

static void put_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *p = text; *p; p++)
        if (*p != '"' && (unsigned char)*p >= 32)
            fputc(*p, out);
    fputc('"', out);
}

/* With a third goal, the column `front` is 0, so that no staircase is drawn: the front is then no line. Caller
 * frees. */
static char *data_rows(const wsk_optimising *o, colours c)
{
    const wsk_optimum *a = o->answer;
    const size_t settings = o->choices.count;
    char *text = NULL;
    size_t len = 0;
    FILE *out = wsk_cli_text(&text, &len);
    fputs("id,x,y,met,front,best,axis,label\n", out);
    for (size_t i = 0; i < a->front_count; i++) {
        const wsk_optimised *f = &a->front[i];
        const char *first = wsk_choices_shown(&o->choices, 0, f->levels[0]), *end;
        const bool best = !memcmp(f->levels, a->best.levels, settings * sizeof *f->levels);
        fprintf(out, "%zu,%.10g,%.10g,1,%d,%d,", i + 1, shown_value(o, 0, f->point), shown_value(o, 1, f->point),
                !c.goal, best);
        if (c.number)
            fprintf(out, "%.10g", c.goal ? shown_value(o, 2, f->point) : wsk_number_at(first, &end));
        else
            put_text(out, first);
        fputc(',', out);
        put_text(out, first);
        fputc('\n', out);
    }
    fclose(out);
    return text;
}

static char *folder_of(const char *path)
{
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    const size_t len = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
    return wsk_cli_format("%.*s.plots", (int)len, path);
}

int wsk_optimise_draw(wsk_optimising *o)
{
    char *folder = folder_of(o->out);
    if (!o->format || !o->answer->front_count) {
        wsk_plot_forget(folder, "pareto", true);
        free(folder);
        return WSK_OK;
    }
    const colours c = choose_colours(o);
    char *lines = script_lines(o, c), *rows = data_rows(o, c);
    const wsk_plot_table table = {.name = "pareto",
                                  .csv = rows,
                                  .columns = " id x y met front best axis label ",
                                  .rig_name = wsk_rig_name(o->base),
                                  .script = lines,
                                  .interval_s = 1};
    const int code = wsk_plot_draw(folder, &table, o->format, o->quiet || o->json);
    free(rows);
    free(lines);
    free(folder);
    return code;
}
