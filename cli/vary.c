/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --vary PATH=A,B,C and PATH=LOW:HIGH:STEP. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare.h"
#include "cli/vary.h"

enum { CASES_MAX = 10000 };

typedef enum { NO_RANGE, RANGE, BAD_RANGE } range_kind;

int wsk_cli_range(const char *text, double number[3], const char **unit, size_t *len)
{
    const char *p = text;
    int parts = 0;
    for (bool more = true; more && parts < 3; parts++) {
        const char *end;
        number[parts] = wsk_cli_number(p, &end);
        if (end == p)
            return 0;
        size_t n = strcspn(end, ":,");
        if (parts == 0)
            *unit = end, *len = n;
        else if (n != *len || memcmp(end, *unit, n) != 0)
            return 0;
        more = end[n] == ':';
        p = end + n + 1;
        if (more && parts == 2)
            return 0;
    }
    /* Times of day have no unit. */
    return parts == 3 || (parts == 2 && *len > 0) ? parts : 0;
}

/* LOW:HIGH:STEP with one unit: "200W:350W:10W". Appends the values. */
static range_kind range(const char *text, wsk_cli_list *values)
{
    double number[3];
    const char *unit;
    size_t len;
    int parts = wsk_cli_range(text, number, &unit, &len);
    if (!parts)
        return NO_RANGE;
    double steps = parts == 3 && number[2] != 0 ? floor((number[1] - number[0]) / number[2] + 1e-9) : -1;
    if (!(steps >= 0) || steps > CASES_MAX)
        return BAD_RANGE;
    for (int i = 0; i <= (int)steps; i++)
        wsk_cli_push(values, wsk_cli_format("%.10g%.*s", number[0] + i * number[2], (int)len, unit));
    return RANGE;
}

bool wsk_cli_expand(const char *text, wsk_cli_list *values)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1]) {
        wsk_cli_error("--vary '%s': expected PATH=VALUE,VALUE or PATH=LOW:HIGH:STEP", text);
        return false;
    }
    int path = (int)(equals - text);
    for (const char *p = equals + 1;; p++) {
        size_t len = strcspn(p, ",");
        char *item = wsk_cli_format("%.*s", (int)len, p);
        wsk_cli_list many = {0};
        range_kind kind = range(item, &many);
        if (kind == BAD_RANGE)
            wsk_cli_error(
                "--vary '%s': '%s' is no range; expected LOW:HIGH:STEP with a step that leads from LOW to HIGH "
                "in at most %d cases, such as 200W:350W:10W",
                text, item, CASES_MAX);
        else if (kind == NO_RANGE)
            wsk_cli_push(&many, wsk_cli_format("%s", item));
        for (size_t i = 0; i < many.count; i++) {
            wsk_cli_push(values, wsk_cli_format("%.*s=%s", path, text, many.items[i]));
        }
        wsk_cli_list_free(&many, 0);
        free(item);
        if (kind == BAD_RANGE)
            return false;
        p += len;
        if (!*p)
            break;
    }
    return true;
}

wsk_cli_case *wsk_cli_vary(const char *path, const wsk_cli_rig_options *base, const wsk_cli_list *vary, size_t *count)
{
    wsk_cli_list *values = wsk_cli_alloc(vary->count * sizeof *values);
    wsk_cli_case *cases = NULL;
    size_t n = 1;
    for (size_t v = 0; v < vary->count; v++) {
        if (!wsk_cli_expand(vary->items[v], &values[v]))
            goto out;
        n *= values[v].count;
        if (n > CASES_MAX) {
            wsk_cli_error("--vary makes more than %d cases", CASES_MAX);
            goto out;
        }
    }
    cases = wsk_cli_alloc(n * sizeof *cases);
    *count = n;
    for (size_t i = 0; i < n; i++) {
        wsk_cli_case *c = &cases[i];
        c->path = path;
        c->options = *base;
        c->options.sets = (wsk_cli_list){0};
        for (size_t s = 0; s < base->sets.count; s++)
            wsk_cli_push(&c->options.sets, base->sets.items[s]);
        c->label = wsk_cli_format("%s", "");
        c->varied = NULL;
        size_t rest = i, block = n;
        for (size_t v = 0; v < vary->count; v++) {
            block /= values[v].count;
            const char *set = values[v].items[rest / block];
            rest %= block;
            wsk_cli_push(&c->options.sets, wsk_cli_format("%s", set));
            c->varied = vary->count == 1 ? c->options.sets.items[c->options.sets.count - 1] : NULL;
            char *label = wsk_cli_format("%s%s%s", c->label, v ? ", " : "", set);
            free(c->label);
            c->label = label;
        }
    }
out:
    for (size_t v = 0; v < vary->count; v++)
        wsk_cli_list_free(&values[v], 0);
    free(values);
    return cases;
}
