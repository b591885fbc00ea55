/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the path of an assignment PATH=VALUE, such as chassis.gpu[1].power-limit: element names below the rig joined
 * by dots, then an attribute; without an attribute VALUE is a part. Levels may be left out if that is unambiguous.
 * [n] picks an element by its index in file order, from 0, counted over all chassis unless the path names one before
 * it; [*] picks all, [x] picks by id, name or kind. */
#include <string.h>

#include "sim/io/assign.h"

void wsk_assign_error(wsk_loader *l, const wsk_assignment *a, const wsk_said *said)
{
    wsk_setting_error(l->diags, a->text, said);
}

static bool add_item(wsk_loader *l, wsk_item_set *set, wsk_item *item)
{
    /* If the path leaves out levels, an item may be found twice, through two of these levels. */
    for (size_t i = set->count; i-- > 0 && set->count - i < 4;)
        if (set->items[i] == item)
            return true;
    if (set->count == set->room) {
        size_t room = set->room ? 2 * set->room : 16;
        wsk_item **more = wsk_alloc(l->arena, room * sizeof *more);
        if (!more)
            return false;
        for (size_t i = 0; i < set->count; i++)
            more[i] = set->items[i];
        set->items = more;
        set->room = room;
    }
    set->items[set->count++] = item;
    return true;
}

/* The value is later written into XML and JSON, so it must be valid UTF-8 without control characters such as
 * newlines. */
static bool is_text(const char *text)
{
    size_t len = strlen(text), n;
    for (size_t i = 0; i < len; i += n)
        if ((n = wsk_utf8_bytes(text + i, len - i)) == 0 || (unsigned char)text[i] < ' ')
            return false;
    return true;
}

bool wsk_assign_parse(wsk_loader *l, const char *text, wsk_assignment *a)
{
    *a = (wsk_assignment){.text = text};
    if (text && !is_text(text)) {
        char q[WSK_QUOTED];
        wsk_io_error(l->diags, NULL, 0, 0, WSK_SAID(WSK_SAY_SET_BYTES, wsk_io_quote(q, text)));
        return false;
    }
    char *s = text ? wsk_strdup(l->arena, text) : NULL;
    if (!s)
        return false;
    s += strspn(s, " ");
    char *equals = strchr(s, '=');
    if (!equals || equals == s) {
        wsk_assign_error(l, a, WSK_SAID(WSK_SAY_SET_FORM));
        return false;
    }
    *equals = '\0';
    a->add = equals > s && equals[-1] == '+';
    for (char *end = equals - a->add; end > s && (*end = '\0', end[-1] == ' ');)
        end--;
    char *value = equals + 1, *end = value + strlen(value);
    while (*value == ' ')
        value++;
    while (end > value && end[-1] == ' ')
        *--end = '\0';
    a->value = value;
    for (char *p = strncmp(s, "rig.", 4) == 0 ? s + 4 : s; p;) { /* paths begin below the rig; "rig." is allowed */
        wsk_segment *g = &a->at[a->count++];
        g->name = p;
        p += strcspn(p, ".[");
        if (*p == '[') {
            *p++ = '\0';
            g->pick = p;
            p += strcspn(p, "]");
            if (*p)
                *p++ = '\0';
            else
                g->pick = "";
        }
        char next = *p;
        *p = '\0';
        bool bad =
            !*g->name || (g->pick && !*g->pick) || (next && next != '.') || (next && a->count == WSK_SEGMENTS_MAX);
        if (bad) {
            wsk_assign_error(l, a, WSK_SAID(WSK_SAY_SET_PATH));
            return false;
        }
        p = next == '.' ? p + 1 : NULL;
    }
    return true;
}

static bool is_picked(const wsk_item *item, const char *pick)
{
    if (!pick || strcmp(pick, "*") == 0)
        return true;
    const wsk_param *name = wsk_kind_param(item->kind, "name");
    const char *text = name ? item->values[name - item->kind->params].text : NULL;
    const char *id = item->id ? item->id : item->elem ? item->elem->id : NULL;
    return (id && strcmp(id, pick) == 0) || (text && strcmp(text, pick) == 0) || strcmp(item->kind->name, pick) == 0;
}

static bool find_all(wsk_loader *l, const wsk_item *from, const char *name, const char *pick, wsk_item_set *out)
{
    for (wsk_item *c = from->child; c; c = c->next) {
        if (strcmp(c->kind->element, name) == 0 && is_picked(c, pick) && !add_item(l, out, c))
            return false;
        if (!find_all(l, c, name, pick, out))
            return false;
    }
    return true;
}

static bool same_path(const wsk_item *a, const wsk_item *b)
{
    for (; a && b; a = a->parent, b = b->parent)
        if (strcmp(a->kind->element, b->kind->element) != 0)
            return false;
    return !a && !b;
}

/* Picks the n-th item (from 0) of each element path in `all`: fans of a chassis and fans of its radiators have
 * different paths and are counted separately. Items of the rig come before those of parts. *most: number of items of
 * the path with the most items. */
static bool pick_nth(wsk_loader *l, const wsk_item_set *all, long n, wsk_item_set *out, long *most)
{
    struct {
        const wsk_item *first;
        long count;
    } groups[16] = {{NULL, 0}};
    for (int own = 1; own >= 0; own--)
        for (size_t i = 0; i < all->count; i++) {
            size_t k = 0;
            if ((all->items[i]->written != NULL) != own)
                continue;
            while (k < 15 && groups[k].first && !same_path(groups[k].first, all->items[i]))
                k++;
            groups[k].first = groups[k].first ? groups[k].first : all->items[i];
            if (groups[k].count++ == n && !add_item(l, out, all->items[i]))
                return false;
            *most = groups[k].count > *most ? groups[k].count : *most;
        }
    return true;
}

static bool is_number(const char *pick)
{
    return pick && *pick && strspn(pick, "0123456789") == strlen(pick);
}

static bool find_below(wsk_loader *l, const wsk_item *from, const wsk_segment *g, wsk_item_set *out)
{
    if (!is_number(g->pick))
        return find_all(l, from, g->name, g->pick, out);
    wsk_item_set all = {0};
    long n = 0, most = 0;
    for (const char *c = g->pick; *c; c++)
        n = n < WSK_ITEMS_MAX ? 10 * n + (*c - '0') : n;
    return find_all(l, from, g->name, NULL, &all) && pick_nth(l, &all, n, out, &most);
}

static bool find_owners(wsk_loader *l, wsk_item *from, const char *attr, wsk_item_set *out)
{
    if (wsk_kind_param(from->kind, attr) && !add_item(l, out, from))
        return false;
    for (wsk_item *c = from->child; c; c = c->next)
        if (!find_owners(l, c, attr, out))
            return false;
    return true;
}

static bool holds_item(const wsk_item_set *set, const wsk_item *item)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i] == item)
            return true;
    return false;
}

static int depth_of(const wsk_item *item)
{
    int n = 0;
    while ((item = item->parent) != NULL)
        n++;
    return n;
}

static void path_text(const wsk_item *item, char *out, size_t size)
{
    if (!item->parent) {
        out[0] = '\0';
        return;
    }
    path_text(item->parent, out, size);
    size_t n = strlen(out);
    if (n + strlen(item->kind->element) + 2 < size)
        snprintf(out + n, size - n, "%s%s", n ? "." : "", item->kind->element);
}

static void keep_only(wsk_item_set *set, const wsk_item_set *among, int depth)
{
    size_t n = 0;
    for (size_t i = 0; i < set->count; i++)
        if ((!among || holds_item(among, set->items[i])) && (depth < 0 || depth_of(set->items[i]) == depth))
            set->items[n++] = set->items[i];
    set->count = n;
}

static bool one_path(const wsk_item_set *set)
{
    for (size_t i = 1; i < set->count; i++)
        if (!same_path(set->items[0], set->items[i]))
            return false;
    return true;
}

static bool any_at(const wsk_item_set *set, const wsk_item_set *among, int depth)
{
    for (size_t i = 0; i < set->count; i++)
        if ((!among || holds_item(among, set->items[i])) && (depth < 0 || depth_of(set->items[i]) == depth))
            return true;
    return false;
}

/* Chooses between items of several element paths. Preferred are first the items in `named`, the elements that the path
 * itself names (NULL: none), then items at `depth`, for which the path leaves out no level. False: still ambiguous,
 * which was reported. */
static bool choose_path(wsk_loader *l, const wsk_assignment *a, wsk_item_set *set, const wsk_item_set *named,
                        int depth)
{
    if (named && any_at(set, named, -1))
        keep_only(set, named, -1);
    if (!one_path(set) && any_at(set, NULL, depth))
        keep_only(set, NULL, depth);
    if (one_path(set))
        return true;
    wsk_names names = {.arena = l->arena};
    char list[300], path[120];
    for (size_t i = 0; i < set->count; i++) {
        path_text(set->items[i], path, sizeof path);
        char *name = wsk_printf(l->arena, "%s%s%s", path, named ? "." : "", named ? a->at[a->count - 1].name : "");
        if (name)
            wsk_names_add(&names, name);
    }
    wsk_assign_error(l, a, WSK_SAID(WSK_SAY_SET_SEVERAL, wsk_io_list(list, sizeof list, &names)));
    return false;
}

static void names_below(const wsk_item *item, bool values, wsk_names *names)
{
    if (values)
        wsk_names_params(names, item->kind);
    for (const wsk_item *c = item->child; c; c = c->next) {
        wsk_names_add(names, c->kind->element);
        names_below(c, values, names);
    }
}

static const wsk_item *with_id(const wsk_item *item, const char *id)
{
    if (item->elem && item->elem->id && strcmp(item->elem->id, id) == 0)
        return item;
    const wsk_item *found = NULL;
    for (const wsk_item *c = item->child; c && !found; c = c->next)
        found = with_id(c, id);
    return found;
}

/* The hint "; did you mean PATH": the path of the assignment with the name at `which` replaced by `near`. If that name
 * is the id of an item, it is replaced by the item's element with the id in brackets. */
static const wsk_said *hint_path(wsk_arena *arena, const wsk_assignment *a, int which, const char *near,
                                 const wsk_item *id)
{
    char path[WSK_QUOTED] = "";
    size_t n = 0;
    for (int i = 0; i < a->count && n < sizeof path - 1; i++) {
        const char *name = i != which ? a->at[i].name
                           : id       ? id->kind->element
                                      : near,
                   *pick = i == which && id ? a->at[i].name : a->at[i].pick;
        n += (size_t)snprintf(path + n, sizeof path - n, "%s%.60s%s%.20s%s", i ? "." : "", name, pick ? "[" : "",
                              pick ? pick : "", pick ? "]" : "");
    }
    return WSK_SAY(arena, WSK_SAY_MEANT, path);
}

static void tell_nothing(wsk_loader *l, const wsk_assignment *a, const wsk_item_set *from, int which)
{
    const wsk_segment *g = &a->at[which];
    wsk_names names = {.arena = l->arena};
    char q[WSK_QUOTED], list[200];
    long most = 0;
    for (size_t i = 0; i < from->count && i < 8; i++)
        names_below(from->items[i], which + 1 == a->count, &names);
    for (size_t i = 0; i < from->count; i++) {
        wsk_item_set all = {0}, none = {0};
        find_all(l, from->items[i], g->name, NULL, &all);
        pick_nth(l, &all, -1, &none, &most);
    }
    const char *in = from->count ? from->items[0]->kind->element : "rig";
    bool bare = which > 0 && *g->name && !g->name[strspn(g->name, "0123456789")];
    if (g->pick && most) {
        wsk_assign_error(l, a, WSK_SAID(WSK_SAY_SET_INDEX, g->name, g->pick, most - 1));
    } else if (bare) {
        wsk_assign_error(l, a, WSK_SAID(WSK_SAY_SET_BRACKETS, a->at[which - 1].name, g->name));
    } else if (wsk_kind_get(g->name, NULL)) {
        wsk_assign_error(l, a, WSK_SAID(WSK_SAY_SET_NO_ELEMENT, g->name, in));
    } else {
        const char *near = wsk_meant_attr(in, g->name, &names);
        const wsk_item *id = NULL;
        for (size_t i = 0; i < from->count && !id && !g->pick; i++)
            id = with_id(from->items[i], g->name);
        const wsk_said *hint = near || id ? hint_path(l->arena, a, which, near, id) : NULL;
        wsk_assign_error(l, a,
                         WSK_SAID(WSK_SAY_SET_NOTHING, in, wsk_io_quote(q, g->name),
                                  near || id ? WSK_WORD("an element or attribute")
                                             : wsk_arg_text(wsk_io_list(list, sizeof list, &names)),
                                  hint));
    }
}

static bool find_parents(wsk_loader *l, wsk_item *rig, const wsk_assignment *a, wsk_item_set *out)
{
    *out = (wsk_item_set){0};
    add_item(l, out, rig);
    for (int i = 0; i + 1 < a->count; i++) {
        wsk_item_set next = {0};
        for (size_t k = 0; k < out->count; k++)
            if (!find_below(l, out->items[k], &a->at[i], &next))
                return false;
        if (next.count == 0) {
            tell_nothing(l, a, out, i);
            return false;
        }
        *out = next;
    }
    return true;
}

bool wsk_assign_find(wsk_loader *l, wsk_item *rig, const wsk_assignment *a, wsk_item_set *out, const char **attr)
{
    wsk_item_set from;
    if (!find_parents(l, rig, a, &from))
        return false;
    const wsk_segment *last = &a->at[a->count - 1];
    bool tree = strcmp(last->name, "part") == 0 || strcmp(last->name, "kind") == 0 || strcmp(last->name, "id") == 0;
    wsk_item_set owners = {0}, elements = {0};
    for (size_t k = 0; k < from.count; k++) {
        if (tree ? !add_item(l, &owners, from.items[k])
                 : !last->pick && !find_owners(l, from.items[k], last->name, &owners))
            return false;
        if (!tree && !find_below(l, from.items[k], last, &elements))
            return false;
    }
    bool part = elements.count && (!owners.count || strchr(a->value, '/') || strcmp(a->value, "none") == 0);
    if (!part && !owners.count) {
        tell_nothing(l, a, &from, a->count - 1);
        return false;
    }
    *out = part ? elements : owners;
    *attr = part ? NULL : last->name;
    return !wsk_loader_full(l) && choose_path(l, a, out, part ? NULL : &from, part ? a->count : a->count - 1);
}

bool wsk_assign_removes(const wsk_assignment *a, const char *attr)
{
    return !attr && !a->add && strcmp(a->value, "none") == 0;
}

static bool find_holders(wsk_loader *l, wsk_item *from, const char *element, wsk_item_set *out)
{
    if (wsk_kind_child(from->kind, element) && !add_item(l, out, from))
        return false;
    for (wsk_item *c = from->child; c; c = c->next)
        if (!find_holders(l, c, element, out))
            return false;
    return true;
}

bool wsk_assign_holders(wsk_loader *l, wsk_item *rig, const wsk_assignment *a, wsk_item_set *out)
{
    const char *element = a->at[a->count - 1].name;
    wsk_item_set from;
    if (!find_parents(l, rig, a, &from))
        return false;
    for (size_t k = 0; k < from.count; k++)
        if (!find_holders(l, from.items[k], element, out))
            return false;
    if (out->count == 0) {
        wsk_assign_error(l, a, WSK_SAID(WSK_SAY_SET_ADD, element));
        return false;
    }
    int least = depth_of(out->items[0]);
    for (size_t k = 1; k < out->count; k++)
        least = depth_of(out->items[k]) < least ? depth_of(out->items[k]) : least;
    keep_only(out, NULL, least); /* the outermost holders: a fan is added to the chassis, not to its radiator */
    return !wsk_loader_full(l);
}
