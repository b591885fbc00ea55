/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "draw/series.h"

#include <math.h>
#include <string.h>

/* A run takes at most 3.2e9 s (wsk_run_new), and larger times would overflow in calendars or make loops over time too
 * long. */
static const double LAST_S = 4e9;

static const char *next_cell(const char *p)
{
    p += strcspn(p, ",\r\n");
    return *p == ',' ? p + 1 : NULL;
}

static wsk_status read_head(wsk_arena *arena, const char *csv, wsk_record *s)
{
    size_t columns = 0, k = 0;
    for (const char *p = csv; p; p = next_cell(p))
        columns++;
    if (columns % WSK_STATS != 1 || strncmp(csv, "t_s", 3) != 0)
        return WSK_EINPUT;
    if (!(s->columns = wsk_alloc(arena, (columns / WSK_STATS + 1) * sizeof *s->columns)))
        return WSK_ENOMEM;
    for (const char *p = next_cell(csv); p; p = next_cell(p), k++) {
        wsk_column c;
        if (!wsk_column_read(p, strcspn(p, ",\r\n"), &c) || c.stat != (wsk_stat)(k % WSK_STATS))
            return WSK_EINPUT;
        if (c.stat != WSK_STAT_MIN)
            continue;
        if (!(c.name = wsk_printf(arena, "%.*s", (int)c.len, p)))
            return WSK_ENOMEM;
        s->columns[s->vars++] = c;
    }
    return s->vars ? WSK_OK : WSK_EINPUT;
}

/* Each row ends with a newline, has a cell for each column, and is later than the row before. */
static bool read_row(const char *row, wsk_record *s)
{
    const char *p = row, *end;
    double *v = s->values + s->rows * s->vars * WSK_STATS, t = wsk_number_at(p, &end);
    if (!(t > (s->rows ? s->end_s[s->rows - 1] : 0) && t <= LAST_S) || !strchr(row, '\n'))
        return false;
    for (size_t k = 0; k < WSK_STATS * s->vars; k++) {
        if (!(p = next_cell(p)))
            return false;
        v[k] = wsk_number_at(p, &end);
    }
    s->end_s[s->rows++] = t;
    return !next_cell(p);
}

wsk_status wsk_record_read(wsk_arena *arena, const char *csv, const wsk_record **out)
{
    size_t lines = 0;
    wsk_record *s = wsk_alloc(arena, sizeof *s);
    if (!s)
        return WSK_ENOMEM;
    *s = (wsk_record){0};
    for (const char *p = csv; (p = strchr(p, '\n')) != NULL; p++)
        lines++;
    wsk_status status = read_head(arena, csv, s);
    if (status != WSK_OK)
        return status;
    s->end_s = wsk_alloc(arena, (lines + 1) * sizeof *s->end_s);
    s->values = wsk_alloc(arena, (lines + 1) * (s->vars + 1) * WSK_STATS * sizeof *s->values);
    if (!s->end_s || !s->values)
        return WSK_ENOMEM;
    for (const char *end = strchr(csv, '\n'); end && end[1]; end = strchr(end + 1, '\n'))
        if (!read_row(end + 1, s))
            return WSK_EINPUT;
    *out = s;
    return WSK_OK;
}

bool wsk_record_reaches(const wsk_record *s, double simulated_s, const wsk_elements *rig)
{
    const double end_s = s->rows ? s->end_s[s->rows - 1] : 0;
    const double rounding_s = 1e-3 + 1e-9 * simulated_s; /* the files have decimal numbers */
    const double duration_s = rig ? wsk_elements_number(rig, wsk_elements_next(rig, "run", -1, -1), "for") : NAN;
    if (!(end_s < simulated_s - rounding_s))
        return true;
    return !(simulated_s > duration_s - rounding_s) && !(s->rows && simulated_s - end_s > s->end_s[0] + rounding_s);
}

int wsk_record_find(const wsk_record *s, wsk_var variable, const char *id)
{
    for (size_t i = 0; i < s->vars; i++) {
        const wsk_column *c = &s->columns[i];
        if (wsk_column_is(c, variable) && strlen(id) == c->id_len && !memcmp(c->name, id, c->id_len))
            return (int)i;
    }
    return -1;
}

bool wsk_record_knows(const wsk_summary *summary, const wsk_column *column)
{
    static const struct {
        wsk_var variable;
        wsk_result result;
    } facts[] = {{WSK_VAR_CARD_CLOCK_MHZ, WSK_R_GPU_CLOCK_MEAN},
                 {WSK_VAR_CARD_THROTTLE_POWER, WSK_R_GPU_LIMITED_BY_POWER},
                 {WSK_VAR_CARD_THROTTLE_THERMAL, WSK_R_GPU_LIMITED_BY_HEAT},
                 {WSK_VAR_CARD_THROTTLE_MEMORY, WSK_R_GPU_LIMITED_BY_MEMORY},
                 {WSK_VAR_CARD_THROTTLE_HW, WSK_R_GPU_SLOWDOWN}};
    size_t k = 0, cards = wsk_summary_count(summary, WSK_SCOPE_GPU);
    while (k < sizeof facts / sizeof *facts && !wsk_column_is(column, facts[k].variable))
        k++;
    for (size_t i = 0; k < sizeof facts / sizeof *facts && i < cards; i++) {
        const char *id = wsk_summary_text(summary, WSK_R_GPU_ID, i);
        if (id && strlen(id) == column->id_len && !memcmp(id, column->name, column->id_len))
            return wsk_summary_known(summary, facts[k].result, i);
    }
    return true;
}

static const char *read_field(const char **p, size_t *len)
{
    const char *from = *p;
    *len = strcspn(from, ",\r\n");
    *p = from + *len + (from[*len] == ',');
    return from;
}

bool wsk_event_read(const char **at, wsk_event *out)
{
    const char *p;
    out->at_s = wsk_number_at(*at, &p);
    bool is = *p == ',' && out->at_s >= 0 && out->at_s <= LAST_S;
    p += is;
    out->component = read_field(&p, &out->component_len);
    out->what = read_field(&p, &out->what_len);
    out->why = read_field(&p, &out->why_len);
    p = strchr(p, '\n');
    *at = p && p[1] ? p + 1 : NULL;
    return is;
}
