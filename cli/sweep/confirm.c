/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates the best case of a sweep with --leap (long time steps, skipped cycles) once more without it, so that the
 * user sees how much --leap changed the value of the goal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sweep/inner.h"

static const char *line_of(const wsk_sweep *s, char **lines, const char *column)
{
    const char *found = NULL;
    wsk_cli_list names = wsk_sweep_all_columns(s);
    for (size_t i = 0; i < names.count && !found; i++)
        if (!strcmp(names.items[i], column))
            found = lines[i + 1]; /* lines[0] is the id */
    free(names.items);
    return found;
}

static wsk_cell cell_of(const char *line)
{
    const char *end = line;
    if (line && *line == '"')
        return (wsk_cell){line + 1, NAN};
    const double v = line ? wsk_number_at(line, &end) : NAN;
    return (wsk_cell){NULL, end != line ? v : NAN};
}

static char **split(const wsk_sweep *s, char *row)
{
    const size_t most = 1 + WSK_SWEEP_HEAD + s->design.member_count + s->columns.count;
    char **lines = wsk_cli_alloc((most + 1) * sizeof *lines);
    for (size_t i = 0; i < most; i++) {
        lines[i] = row;
        row += strcspn(row, "\n");
        if (*row)
            *row++ = '\0';
    }
    return lines;
}

bool wsk_sweep_confirm(wsk_sweep *s, size_t best, double *value, bool *met)
{
    wsk_sweep by_ticks = *s;
    wsk_sweep_asked a;
    char *row = NULL;
    const size_t which = best - 1;
    *value = NAN;
    *met = false;
    by_ticks.run.leap = by_ticks.run.stride = false;
    if (wsk_sweep_read_question(s, &a, 1, false, false)) {
        wsk_sweep_run_cases(&by_ticks, &which, 1, &row);
        if (row) {
            char **lines = split(s, row);
            wsk_cell *cells = wsk_cli_alloc((a.columns.count + 1) * sizeof *cells);
            for (size_t i = 0; i < a.columns.count; i++)
                cells[i] = cell_of(line_of(s, lines, a.columns.items[i]));
            *met = wsk_sweep_meets(&a, cells);
            *value = wsk_expr_value(a.question.goals[0].value, a.values);
            free(cells);
            free(lines);
        }
    }
    free(row);
    wsk_sweep_asked_free(&a);
    return isfinite(*value);
}
