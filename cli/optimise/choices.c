/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cli/kit/rig.h"
#include "cli/kit/vary.h"
#include "cli/optimise/optimise.h"

static bool is_own(const char *name, const char *attribute)
{
    static const char *const own[] = {"id", "slot", NULL};
    bool is = !strcmp(name, attribute);
    for (size_t i = 0; own[i]; i++)
        is = is || !strcmp(name, own[i]);
    return is;
}

bool wsk_choices_equal(const wsk_elements *list, int a, int b, const char *attribute)
{
    const wsk_element *x = &list->items[a], *y = &list->items[b];
    bool same = x->attribute_count == y->attribute_count && !strcmp(x->kind, y->kind);
    for (size_t i = 0; i < x->attribute_count && same; i++)
        same = !strcmp(x->attributes[i].name, y->attributes[i].name) &&
               (is_own(x->attributes[i].name, attribute) || !strcmp(x->attributes[i].text, y->attributes[i].text));
    int i = wsk_elements_next(list, "cooler", -1, a), k = wsk_elements_next(list, "cooler", -1, b);
    return same && (i < 0 || k < 0 ? i == k : i == a || wsk_choices_equal(list, i, k, attribute));
}

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

/* Returns options with the settings of `rig`, then the assignments in `set`, which has one per line. Free with
 * free_with. */
static wsk_cli_rig_options options_with(const char *set, const wsk_cli_rig_options *rig, const wsk_rig *base)
{
    wsk_cli_rig_options with = *rig;
    with.sets = (wsk_cli_list){0};
    for (size_t i = 0; i < rig->sets.count; i++)
        wsk_cli_push(&with.sets, rig->sets.items[i]);
    for (const char *p = set; *p; p += strcspn(p, "\n") + (p[strcspn(p, "\n")] == '\n'))
        wsk_cli_push(&with.sets, wsk_cli_format("%.*s", (int)strcspn(p, "\n"), p));
    with.files_of = base;
    return with;
}

static void free_with(wsk_cli_rig_options *with, const wsk_cli_rig_options *rig)
{
    wsk_cli_list_free(&with->sets, rig->sets.count);
}

wsk_rig *wsk_choices_load(const wsk_optimise_options *o, const int *levels, const char *path,
                          const wsk_cli_rig_options *rig, const wsk_rig *base, int show, int *code)
{
    char *sets = NULL;
    *code = (int)wsk_optimise_sets(o, levels, &sets);
    if (*code != WSK_OK)
        return NULL;
    wsk_cli_rig_options with = options_with(sets, rig, base);
    wsk_rig *loaded = wsk_cli_load(path, &with, show, code);
    free_with(&with, rig);
    wsk_text_free(sets);
    return loaded;
}

/* Loads the rig with more assignments; it may have errors. *status: that of wsk_rig_load. If a file is the reason of an
 * error, prints why and sets *code. */
static wsk_rig *load_any(const char *set, const char *path, const wsk_cli_rig_options *rig, const wsk_rig *base,
                         int *status, int *code)
{
    wsk_cli_rig_options with = options_with(set, rig, base);
    wsk_rig *loaded = wsk_cli_load_quietly(path, &with, status);
    wsk_cli_check_memory(loaded && *status != WSK_ENOMEM);
    if (wsk_rig_has_bad_files(loaded)) {
        wsk_cli_tell_refusal(loaded, &with, 0);
        *code = *status;
    }
    free_with(&with, rig);
    return loaded;
}

bool wsk_choices_try(const char *set, const char *path, const wsk_cli_rig_options *rig, const wsk_rig *base,
                     wsk_rig **loaded, int *code)
{
    int status;
    *loaded = load_any(set, path, rig, base, &status, code);
    return status == WSK_OK;
}

static int look_at(const wsk_setting *setting, size_t value, const char *path, const wsk_cli_rig_options *rig,
                   const wsk_rig *base, bool quiet, uint64_t *digest)
{
    const wsk_optimise_options alone = {.settings = setting, .setting_count = 1};
    const int level = (int)value;
    char *sets = NULL;
    int status, code = WSK_OK;
    wsk_cli_check_memory(wsk_optimise_sets(&alone, &level, &sets) == WSK_OK);
    wsk_rig *loaded = load_any(sets, path, rig, base, &status, &code);
    if (digest)
        *digest = wsk_hash_more(*digest, wsk_rig_digest(loaded), strlen(wsk_rig_digest(loaded)));
    if (value == 0 && !quiet)
        wsk_cli_print_overridden(loaded, base, rig);
    wsk_rig_free(loaded);
    wsk_text_free(sets);
    return code;
}

int wsk_choices_look(const wsk_choices *c, const char *path, const wsk_cli_rig_options *rig, const wsk_rig *base,
                     bool quiet, uint64_t *digest)
{
    int code = WSK_OK;
    *digest = WSK_HASH_EMPTY;
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < (c->of[i].numbers ? 1 : c->items[i].count) && code == WSK_OK; k++)
            code = look_at(&c->items[i], k, path, rig, base, quiet, c->of[i].numbers ? NULL : digest);
    return code;
}
