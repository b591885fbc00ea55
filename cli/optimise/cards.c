/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The number of cards as a setting of the search. For fewer cards, the last ones of the rig are removed; for more,
 * the last card is copied. The cards are spread evenly over the slots. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/card.h"
#include "cli/optimise/optimise.h"

typedef struct {
    const wsk_elements *list;
    int last;
    size_t cards, slots, wide;
} row;

static bool read_row(row *r, const wsk_elements *list)
{
    const int chassis = wsk_elements_next(list, "chassis", -1, -1);
    *r = (row){.list = list, .last = -1, .wide = 1};
    r->slots = (size_t)fmax(wsk_elements_number(list, chassis, "slots"), 0);
    for (int i = -1; (i = wsk_elements_next(list, "gpu", i, -1)) >= 0; r->cards++) {
        const double wide = wsk_cli_slots_covered(list, i, chassis);
        if (!(wsk_elements_number(list, i, "riser") > 0))
            r->wide = wide > (double)r->wide ? (size_t)ceil(wide) : r->wide;
        r->last = i;
    }
    return r->cards > 0 && list->items[r->last].part && wsk_elements_next(list, "chassis", chassis, -1) < 0;
}

/* Writes assignments of the values that the rig file or --set states for an element; path: that of the copy. */
static void put_stated(FILE *out, const wsk_elements *list, int element, const char *path)
{
    const wsk_element *e = &list->items[element];
    for (size_t i = 0; i < e->attribute_count; i++) {
        const wsk_attribute *a = &e->attributes[i];
        if (strcmp(a->name, "id") != 0 && strcmp(a->name, "slot") != 0 &&
            (strcmp(a->origin->from, "rig") == 0 || strcmp(a->origin->from, "set") == 0))
            fprintf(out, "%s.%s=%s\n", path, a->name, a->text);
    }
}

static void put_copy(FILE *out, const row *r, size_t card)
{
    const int cooler = wsk_elements_next(r->list, "cooler", -1, r->last);
    char *path = wsk_cli_format("gpu[%zu]", card), *of_cooler = wsk_cli_format("%s.cooler", path);
    fprintf(out, "gpu+=%s\n", r->list->items[r->last].part);
    put_stated(out, r->list, r->last, path);
    if (cooler >= 0) {
        const wsk_element *c = &r->list->items[cooler];
        if (c->part && c->written && strstr(c->written, "part"))
            fprintf(out, "%s=%s\n", of_cooler, c->part);
        if (c->written && strstr(c->written, "kind"))
            fprintf(out, "%s.kind=%s\n", of_cooler, c->kind);
        put_stated(out, r->list, cooler, of_cooler);
    }
    free(of_cooler);
    free(path);
}

static char *lines_for(const row *r, size_t n)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = wsk_cli_text(&text, &len);
    for (size_t i = r->cards; i-- > n;)
        fprintf(out, "gpu[%zu]=none\n", i);
    for (size_t i = r->cards; i < n; i++)
        put_copy(out, r, i);
    const size_t room = r->slots > r->wide ? r->slots - r->wide : 0, step = n > 1 ? room / (n - 1) : 0;
    for (size_t i = 0; i < n && r->slots; i++)
        fprintf(out, "gpu[%zu].slot=%zu\n", i, 1 + i * step);
    fclose(out);
    return text;
}

bool wsk_choices_counts(const char *path)
{
    return wsk_choices_ends(path, "gpu[*].count");
}

int wsk_choices_add_counts(wsk_choices *c, const char *name, const wsk_cli_list *values, const char *path,
                           const wsk_cli_rig_options *rig, const wsk_rig *base)
{
    const wsk_elements *list = wsk_cli_elements(base);
    row r;
    const bool readable = read_row(&r, list);
    if (!readable)
        wsk_cli_error(T_("--over '%s': the number can be chosen for cards of the catalogue in one chassis"), name);
    wsk_setting *s = readable ? wsk_choices_open(c, name) : NULL;
    if (!s) {
        wsk_elements_free(list);
        return WSK_EUSAGE;
    }
    s->ordered = true;
    int code = WSK_OK;
    for (size_t i = 0; i < values->count && code == WSK_OK; i++) {
        const char *end;
        const double n = wsk_number_at(values->items[i], &end);
        char *lines = n >= 1 && n <= 64 && n <= floor(n) && !*end ? lines_for(&r, (size_t)n) : NULL;
        wsk_rig *loaded = NULL;
        if (lines && wsk_choices_try(lines, path, rig, base, &loaded, &code)) {
            wsk_cli_push(&c->of[c->count - 1].values, wsk_cli_format("%s", lines));
            wsk_cli_push(&c->of[c->count - 1].shown, wsk_cli_format("%.0f", n));
        }
        wsk_rig_free(loaded);
        free(lines);
    }
    wsk_elements_free(list);
    wsk_choices_close(c);
    if (s->count || code != WSK_OK)
        return code;
    wsk_cli_error(T_("--over '%s': the rig takes none of these numbers"), name);
    return WSK_EINPUT;
}
