/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cli/optimise/optimise.h"

bool wsk_choices_ends(const char *path, const char *end)
{
    const size_t n = strlen(path), m = strlen(end);
    return n >= m && !strcmp(path + n - m, end);
}

wsk_setting *wsk_choices_open(wsk_choices *c, const char *name)
{
    if (c->count == WSK_SETTINGS_MAX) {
        wsk_cli_error(T_("--over: more than %d settings"), WSK_SETTINGS_MAX);
        return NULL;
    }
    c->of[c->count].name = wsk_cli_format("%s", name);
    return &c->items[c->count++];
}

void wsk_choices_close(wsk_choices *c)
{
    wsk_setting *last = &c->items[c->count - 1];
    last->path = c->paths[c->count - 1];
    last->at = c->places[c->count - 1];
    last->values = c->of[c->count - 1].values.items;
    last->count = c->of[c->count - 1].values.count;
}

void wsk_choices_free(wsk_choices *c)
{
    for (size_t i = 0; i < c->count; i++) {
        free(c->of[i].name);
        wsk_cli_list_free(&c->of[i].values, 0);
        wsk_cli_list_free(&c->of[i].shown, 0);
        free(c->paths[i]);
        free(c->places[i]);
    }
}

const char *wsk_choices_shown(const wsk_choices *c, size_t setting, int level)
{
    const wsk_chosen *of = &c->of[setting];
    return (of->shown.count ? of->shown : of->values).items[level];
}

wsk_rig *wsk_choices_load(const wsk_optimise_options *o, const int *levels, const char *path,
                          const wsk_cli_rig_options *rig, const wsk_rig *base, int show, int *code)
{
    wsk_cli_rig_options with = *rig;
    char *sets = NULL;
    *code = (int)wsk_optimise_sets(o, levels, &sets);
    if (*code != WSK_OK)
        return NULL;
    with.sets = (wsk_cli_list){0};
    for (size_t i = 0; i < rig->sets.count; i++)
        wsk_cli_push(&with.sets, rig->sets.items[i]);
    for (char *p = sets, *end; *p && (end = strchr(p, '\n')); p = end + 1) {
        *end = '\0';
        wsk_cli_push(&with.sets, p);
    }
    with.files_of = base;
    wsk_rig *loaded = wsk_cli_load(path, &with, show, code);
    free(with.sets.items);
    wsk_text_free(sets);
    return loaded;
}
