/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads series.csv into memory. One row is one time interval, with min, mean and max of each variable over it. */
#include <math.h>
#include <string.h>

#include "draw/report.h"

static const char *next_cell(const char *p)
{
    p += strcspn(p, ",\r\n");
    return *p == ',' ? p + 1 : NULL;
}

/* Reads the head line. Each variable has three columns: NAME.min, NAME.mean, NAME.max. */
static bool read_head(wsk_report *r, const char *csv)
{
    wsk_report_series *s = &r->series;
    size_t columns = 0, k = 0;
    for (const char *p = csv; p; p = next_cell(p))
        columns++;
    if (columns % 3 != 1 || strncmp(csv, "t_s", 3) != 0)
        return false;
    s->names = wsk_alloc(r->arena, (columns / 3 + 1) * sizeof *s->names);
    for (const char *p = next_cell(csv); p && s->names; p = next_cell(p), k++) {
        size_t len = strcspn(p, ",\r\n");
        if (k % 3 == 0 && (len < 5 || strncmp(p + len - 4, ".min", 4) != 0))
            return false;
        if (k % 3 == 0 && !(s->names[s->vars++] = wsk_printf(r->arena, "%.*s", (int)len - 4, p)))
            s->names = NULL;
    }
    r->no_memory = r->no_memory || !s->names;
    return !r->no_memory;
}

bool wsk_report_read_series(wsk_report *r, const char *csv)
{
    wsk_report_series *s = &r->series;
    size_t lines = 0;
    *s = (wsk_report_series){0};
    for (const char *p = csv; (p = strchr(p, '\n')) != NULL; p++)
        lines++;
    if (!read_head(r, csv))
        return false;
    s->end_s = wsk_alloc(r->arena, (lines + 1) * sizeof *s->end_s);
    s->values = wsk_alloc(r->arena, (lines + 1) * (s->vars + 1) * 3 * sizeof *s->values);
    if (!s->end_s || !s->values) {
        r->no_memory = true;
        return false;
    }
    for (const char *row = strchr(csv, '\n'); row && row[1]; row = strchr(row + 1, '\n')) {
        const char *p = row + 1, *end;
        double *v = s->values + s->rows * s->vars * 3, t = wsk_number_at(p, &end);
        if (!(t > (s->rows ? s->end_s[s->rows - 1] : 0)))
            continue;
        for (size_t k = 0; k < 3 * s->vars; k++) {
            p = p ? next_cell(p) : NULL;
            v[k] = p ? wsk_number_at(p, &end) : NAN;
        }
        s->end_s[s->rows++] = t;
    }
    return true;
}

int wsk_report_variable(const wsk_report_series *s, const char *name)
{
    for (size_t i = 0; i < s->vars; i++)
        if (!strcmp(s->names[i], name))
            return (int)i;
    return -1;
}
