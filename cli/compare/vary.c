/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare.h"
#include "cli/kit/vary.h"

wsk_cli_case *wsk_cli_vary(const char *path, const wsk_cli_rig_options *base, const wsk_cli_list *vary, size_t *count)
{
    wsk_cli_list *values = wsk_cli_alloc(vary->count * sizeof *values);
    wsk_cli_case *cases = NULL;
    size_t n = 1;
    for (size_t v = 0; v < vary->count; v++) {
        if (!wsk_cli_expand(vary->items[v], &values[v]) || !wsk_cli_values_differ(&values[v], vary->items[v]))
            goto out;
        n *= values[v].count;
        if (n > WSK_CLI_CASES_MAX) {
            wsk_cli_error(T_("--vary makes more than %d cases"), WSK_CLI_CASES_MAX);
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

bool wsk_cli_vary_apart(const wsk_rig *rig, const wsk_cli_list *vary, const wsk_cli_list *sets)
{
    char *varied = wsk_cli_format("%s", "");
    bool ok = true;
    for (size_t v = 0; ok && v < vary->count; v++) {
        const char *lines = wsk_rig_assigned(rig, sets->count + v), *shared = wsk_cli_shared_place(lines, varied);
        if (shared)
            wsk_cli_error(T_("--vary '%1$s': another --vary changes %2$.*3$s too"), vary->items[v], shared,
                          (int)strcspn(shared, " "));
        ok = !shared;
        char *longer = wsk_cli_format("%s%s", varied, lines);
        free(varied);
        varied = longer;
    }
    ok = ok && wsk_cli_sets_heeded(rig, sets, varied, true);
    free(varied);
    return ok;
}
