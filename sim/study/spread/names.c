/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/net/provenance.h"
#include "sim/study/spread/find.h"

/* Finds the element whose part states the value: e or one that contains e. It is the one whose name is the folder of
 * the value's file (ELEMENT/NAME.xml), else the nearest one with a part. *id: id of the part. NULL: no part. */
static const wsk_elem *part_root(const wsk_spreads *s, const wsk_elem *e, const wsk_origin *o, const char **id)
{
    const char *file = o->file, *name = file ? strrchr(file, '/') : NULL;
    size_t len = name ? strlen(name) : 0;
    if (name && strcmp(file, s->plan->path) != 0 && len > 5 && strcmp(name + len - 4, ".xml") == 0) {
        const char *family = name;
        while (family > file && family[-1] != '/')
            family--;
        for (const wsk_elem *r = e; r; r = r->parent)
            if (strlen(r->kind->element) == (size_t)(name - family) &&
                memcmp(r->kind->element, family, (size_t)(name - family)) == 0) {
                *id = wsk_printf(s->arena, "%.*s", (int)(name + len - 4 - family), family);
                return r;
            }
    }
    for (const wsk_elem *r = e; r; r = r->parent)
        if (r->part) {
            *id = r->part;
            return r;
        }
    return NULL;
}

const char *wsk_spread_part(const wsk_spreads *s, const wsk_elem *e, const wsk_origin *o)
{
    const char *id = NULL;
    return o && o->from == WSK_FROM_PART && part_root(s, e, o, &id) ? id : NULL;
}

/* Path from `root` down to `e`, without root itself: "cooler.", "fan[1]."; "" if e is root. */
static const char *path_below(const wsk_spreads *s, const wsk_elem *root, const wsk_elem *e)
{
    if (e == root || !e)
        return "";
    const char *up = path_below(s, root, e->parent), *pick = NULL;
    int index = 0, twins = 0;
    for (const wsk_elem *d = e->parent ? e->parent->child : NULL; d; d = d->next)
        if (strcmp(d->kind->element, e->kind->element) == 0) {
            index += d == e ? -twins - 1 : 0;
            twins++;
        }
    if (strcmp(e->kind->element, "governor") == 0)
        pick = e->kind->name;
    else if (twins > 1)
        pick = wsk_printf(s->arena, "%d", -index - 1);
    return pick ? wsk_printf(s->arena, "%s%s[%s].", up, e->kind->element, pick)
                : wsk_printf(s->arena, "%s%s.", up, e->kind->element);
}

wsk_arg wsk_class_words(const char *name)
{
    static const struct {
        const char *name;
        wsk_code word;
    } words[] = {{"idle share p0", WSK_SAY_WORD_FIXED_POWER},
                 {"draw", WSK_SAY_WORD_DRAW},
                 {"work by clock", WSK_SAY_WORD_WORK_BY_CLOCK},
                 {"memory traffic", WSK_SAY_WORD_MEMORY_TRAFFIC}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].name, name) == 0)
            return wsk_arg_named(words[i].word);
    return wsk_arg_text(name);
}

void wsk_spread_name(const wsk_spreads *s, wsk_spread_source *source, const wsk_said *name)
{
    source->name = wsk_said_keep(s->arena, name);
    source->text = source->name ? wsk_said_english(s->arena, name) : NULL;
}

void wsk_spread_half(const wsk_spreads *s, wsk_spread_source *source, const wsk_said *half)
{
    source->half = wsk_said_keep(s->arena, half);
    source->spread = source->half ? wsk_said_english(s->arena, half) : NULL;
}

const char *wsk_place_words(const wsk_spreads *s, const wsk_elem *e)
{
    if (!e->parent || !e->parent->parent)
        return e->kind->element;
    return wsk_printf(s->arena, "%s.%s", wsk_place_words(s, e->parent), e->kind->element);
}

/* Owner of a default value: the element's name, "gpu.NAME" for an element inside a card, or "gpu.governor.KIND" for a
 * governor. */
static const char *owner_of(const wsk_spreads *s, const wsk_elem *e)
{
    bool card = e->parent && strcmp(e->parent->kind->element, "gpu") == 0,
         governor = strcmp(e->kind->element, "governor") == 0;
    return wsk_printf(s->arena, "%s%s%s%s", card ? "gpu." : "", e->kind->element, governor ? "." : "",
                      governor ? e->kind->name : "");
}

void wsk_spread_width(const wsk_spreads *s, wsk_spread_source *src, double half, wsk_dim dim, bool relative,
                      double value)
{
    char text[80];
    if (relative || dim == WSK_DIM_FRACTION) {
        wsk_print_places(text, sizeof text, 100 * (relative ? half / fabs(value) : half), 3);
        wsk_spread_half(s, src,
                        relative ? WSK_SAID(WSK_SAY_CHECK_SPREAD, wsk_printf(s->arena, "%s %%", text))
                                 : WSK_SAID(WSK_SAY_CHECK_SPREAD_POINTS, (const char *)text));
        return;
    }
    const char *end;
    double rounded = half;
    wsk_print_places(text, sizeof text, half, 3);
    if (!wsk_parse_number(text, &end, &rounded))
        rounded = half;
    wsk_format_quantity(text, sizeof text, rounded, dim == WSK_DIM_TEMPERATURE ? WSK_DIM_TEMP_DIFF : dim, "");
    wsk_spread_half(s, src, WSK_SAID(WSK_SAY_CHECK_SPREAD, (const char *)text));
}

/* Returns the table, enlarged if needed, so that one more entry fits. count: entries used; *room: entries allocated.
 * Out of memory: sets s->failed and returns the old table. */
static void *grow(wsk_spreads *s, void *from, int count, int *room, size_t size)
{
    if (count < *room)
        return from;
    int more = *room ? 2 * *room : 256;
    void *to = wsk_alloc(s->arena, (size_t)more * size);
    if (!to) {
        s->failed = true;
        return from;
    }
    if (count)
        memcpy(to, from, (size_t)count * size);
    *room = more;
    return to;
}

void wsk_spread_member_add(wsk_spread_finder *f, const wsk_spread_source *src, double *at, double low, double high)
{
    f->list = grow(f->s, f->list, f->count, &f->room, sizeof *f->list);
    if (!f->s->failed)
        f->list[f->count++] = (wsk_spread_arrival){(int)(src - f->s->sources), {at, *at, low, high}};
}

wsk_spread_source *wsk_spreads_add(wsk_spreads *s, const char *key)
{
    if (!key) {
        s->failed = true;
        return NULL;
    }
    for (int i = 0; i < s->n_source; i++)
        if (strcmp(s->sources[i].key, key) == 0)
            return &s->sources[i];
    s->sources = grow(s, s->sources, s->n_source, &s->room_sources, sizeof *s->sources);
    if (s->failed)
        return NULL;
    s->sources[s->n_source] = (wsk_spread_source){.key = key, .first = -1};
    return &s->sources[s->n_source++];
}

static void set_reason(const wsk_spreads *s, wsk_spread_source *src, const char *kind, const char *ref, bool ours)
{
    src->why = ref ? wsk_printf(s->arena, "%s: %s", kind, ref) : kind;
    src->kind = kind;
    src->ref = ref;
    src->ours = ours;
}

void wsk_spread_explain(const wsk_spreads *s, wsk_spread_source *src, const wsk_param *p, const wsk_origin *o)
{
    const char *kind = o->assumed ? WSK_N("assumed") : o->source ? o->source : WSK_N("as written");
    set_reason(s, src, kind, o->ref ? o->ref : p->assumed, wsk_reason_is_ours(o));
}

void wsk_spread_assume(const wsk_spreads *s, wsk_spread_source *src, const char *reason)
{
    set_reason(s, src, WSK_N("assumed"), reason, true);
}

/* Keys: "gpu/rtx-3090:cooler.conductance" for a value of a part, "gpu.cooler:fan-curvature" for a default,
 * "gpu0:slots" for a value of the rig file. */
const char *wsk_spread_key(const wsk_spreads *s, const wsk_elem *e, const wsk_origin *o, const char *name,
                           const wsk_said **called)
{
    const char *id = NULL;
    const wsk_elem *root = o->from == WSK_FROM_PART ? part_root(s, e, o, &id) : NULL;
    if (root) {
        const char *path = path_below(s, root, e);
        *called = WSK_SAY(s->arena, WSK_SAY_UNCERTAIN_OF, wsk_printf(s->arena, "%s%s", path, name), id);
        return wsk_printf(s->arena, "%s:%s%s", id, path, name);
    }
    if (o->from == WSK_FROM_DEFAULT) {
        *called = WSK_SAY(s->arena, WSK_SAY_UNCERTAIN_DEFAULT, name, owner_of(s, e));
        return wsk_printf(s->arena, "%s:%s", owner_of(s, e), name);
    }
    *called = WSK_SAY(s->arena, WSK_SAY_UNCERTAIN_OF, name, e->id);
    return wsk_printf(s->arena, "%s:%s", e->id, name);
}

wsk_spread_source *wsk_spread_named(wsk_spreads *s, const wsk_elem *e, const wsk_origin *o, const char *name)
{
    const wsk_said *called;
    wsk_spread_source *src = wsk_spreads_add(s, wsk_spread_key(s, e, o, name, &called));
    if (src && !src->name)
        wsk_spread_name(s, src, called);
    if (src && !src->where)
        src->where = wsk_place_words(s, e);
    return src;
}
