/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/io/load.h"
#include "sim/io/plan.h"

/* `list` is the first member, because wsk_elements_free casts the address of `list` to listing *. */
typedef struct {
    wsk_elements list;
    wsk_arena *arena;
    wsk_element *items;
    int room;
} listing;

typedef struct {
    listing *l;
    wsk_attribute *attributes;
    wsk_origin_text *origins;
    size_t count, n_origins;
} gathering;

static listing *new_listing(int room)
{
    wsk_arena *arena = wsk_arena_new();
    listing *l = arena ? wsk_alloc(arena, sizeof *l) : NULL;
    wsk_element *items = l ? wsk_alloc(arena, (size_t)room * sizeof *items) : NULL;
    if (!items) {
        wsk_arena_free(arena);
        return NULL;
    }
    *l = (listing){.list = {.items = items}, .arena = arena, .items = items, .room = room};
    return l;
}

static bool begin_element(gathering *g, listing *l, size_t attributes)
{
    *g = (gathering){.l = l,
                     .attributes = wsk_alloc(l->arena, (attributes + 1) * sizeof *g->attributes),
                     .origins = wsk_alloc(l->arena, (attributes + 1) * sizeof *g->origins)};
    return g->attributes && g->origins && l->list.count < l->room;
}

static void add_attribute(gathering *g, const char *name, const char *text)
{
    wsk_attribute *a = &g->attributes[g->count++];
    const char *end = text;
    double value = NAN;
    *a = (wsk_attribute){.name = name, .text = text, .value = NAN, .unit = ""};
    if (wsk_parse_number(text, &end, &value)) {
        a->value = value;
        a->unit = end + (*end == ' ');
    }
}

static int end_element(const gathering *g, wsk_element e)
{
    e.attributes = g->attributes;
    e.attribute_count = g->count;
    g->l->items[g->l->list.count] = e;
    return g->l->list.count++;
}

static int count_elems(const wsk_elem *e)
{
    int n = 1;
    for (const wsk_elem *c = e->child; c; c = c->next)
        n += count_elems(c);
    return n;
}

static const char *value_text(listing *l, const wsk_elem *e, const wsk_param *p)
{
    wsk_buf b = {0};
    const char *text = NULL;
    if (wsk_value_write(&b, p, &e->origins[p - e->kind->params], (const char *)e->params + p->offset) && !b.failed)
        text = wsk_printf(l->arena, "%.*s", (int)b.len, b.data ? b.data : "");
    wsk_buf_free(&b);
    return text;
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static bool add_elem(listing *l, const wsk_elem *e, int parent)
{
    static const char *const froms[] = {"default", "rig", "part", "set"};
    gathering g;
    size_t most = 0;
    for (const wsk_param *p = e->kind->params; p->name; p++)
        most++;
    const wsk_origin **seen = wsk_alloc(l->arena, (most + 1) * sizeof *seen);
    if (!begin_element(&g, l, most) || !seen)
        return false;
    for (const wsk_param *p = e->kind->params; p->name; p++) {
        const wsk_origin *o = &e->origins[p - e->kind->params];
        if (!wsk_value_present(p, (const char *)e->params + p->offset))
            continue;
        const char *text = value_text(l, e, p);
        if (!text)
            return false;
        add_attribute(&g, p->name, text);
        size_t k = 0;
        while (k < g.n_origins && !wsk_same_origin(seen[k], o))
            k++;
        if (k == g.n_origins) {
            seen[g.n_origins++] = o;
            g.origins[k] = (wsk_origin_text){.from = froms[o->from],
                                             .kind = or_empty(o->source),
                                             .ref = or_empty(o->ref),
                                             .spread = or_empty(o->spread)};
        }
        g.attributes[g.count - 1].origin = &g.origins[k];
    }
    int at = end_element(&g, (wsk_element){.element = e->kind->element,
                                           .kind = e->kind->name,
                                           .id = or_empty(e->id),
                                           .part = e->part,
                                           .written = e->written,
                                           .traits = wsk_kind_traits(e->kind),
                                           .look = e->kind->look,
                                           .parent = parent});
    for (const wsk_elem *c = NULL; (c = wsk_resolved_next(e, c)) != NULL;)
        if (!add_elem(l, c, at))
            return false;
    return true;
}

wsk_status wsk_plan_elements(const wsk_plan *plan, const wsk_elements **out)
{
    *out = NULL;
    if (!plan->rig)
        return WSK_EINPUT;
    listing *l = new_listing(count_elems(plan->rig));
    if (l && !add_elem(l, plan->rig, -1)) {
        wsk_arena_free(l->arena);
        l = NULL;
    }
    *out = l ? &l->list : NULL;
    return l ? WSK_OK : WSK_ENOMEM;
}

static int count_nodes(const wsk_node *node)
{
    int n = 1;
    for (const wsk_node *c = node->child; c; c = c->next)
        n += count_nodes(c);
    return n;
}

static const char *node_text(const wsk_node *node, const char *name)
{
    const wsk_attr *a = wsk_node_attr(node, name);
    return a ? a->value : NULL;
}

static bool names_hold(const char *names, const char *name)
{
    size_t len = strlen(name);
    for (const char *p = names; *p; p += strcspn(p, " ")) {
        p += strspn(p, " ");
        if (strncmp(p, name, len) == 0 && strchr(" ", p[len]))
            return true;
    }
    return false;
}

static void take_origins(gathering *g, const wsk_node *node)
{
    for (const wsk_node *s = node->child; s; s = s->next) {
        const char *names = node_text(s, "for");
        if (strcmp(s->name, "source") != 0 || !names)
            continue;
        wsk_origin_text *o = &g->origins[g->n_origins];
        *o = (wsk_origin_text){.from = or_empty(node_text(s, "from")),
                               .kind = or_empty(node_text(s, "kind")),
                               .ref = or_empty(node_text(s, "ref")),
                               .spread = or_empty(node_text(s, "spread"))};
        bool used = false;
        for (size_t i = 0; i < g->count; i++)
            if (!g->attributes[i].origin && names_hold(names, g->attributes[i].name)) {
                g->attributes[i].origin = o;
                used = true;
            }
        g->n_origins += used;
    }
}

static bool add_node(listing *l, const wsk_node *node, int parent)
{
    static const char *const own[] = {"resolved", "id", "part", "written", "kind", NULL};
    static const wsk_origin_text untold = {"", "", "", ""};
    gathering g;
    size_t most = 0;
    for (const wsk_attr *a = node->attrs; a; a = a->next)
        most++;
    if (!begin_element(&g, l, most))
        return false;
    for (const wsk_attr *a = node->attrs; a; a = a->next) {
        int k = 0;
        while (own[k] && strcmp(own[k], a->name) != 0)
            k++;
        if (!own[k])
            add_attribute(&g, a->name, a->value);
    }
    take_origins(&g, node);
    for (size_t i = 0; i < g.count; i++)
        if (!g.attributes[i].origin)
            g.attributes[i].origin = &untold;
    const wsk_kind *kind = wsk_kind_get(node->name, node_text(node, "kind"));
    int at = end_element(&g, (wsk_element){.element = node->name,
                                           .kind = or_empty(node_text(node, "kind")),
                                           .id = or_empty(node_text(node, "id")),
                                           .part = node_text(node, "part"),
                                           .written = node_text(node, "written"),
                                           .traits = kind ? wsk_kind_traits(kind) : 0,
                                           .look = kind ? kind->look : NULL,
                                           .parent = parent});
    for (const wsk_node *c = node->child; c; c = c->next)
        if (strcmp(c->name, "source") != 0 && !add_node(l, c, at))
            return false;
    return true;
}

/* The document is parsed into the arena of the list, so that its texts live as long as the list. */
wsk_status wsk_elements_read(const char *xml, size_t len, const wsk_elements **out)
{
    *out = NULL;
    listing *l = new_listing(1);
    if (!l)
        return WSK_ENOMEM;
    wsk_node *root = NULL;
    wsk_diags diags;
    wsk_diags_init(&diags, l->arena);
    wsk_status status = wsk_doc_parse(&root, l->arena, &diags, "rig.resolved.xml", xml, len);
    if (status == WSK_OK && (!root || strcmp(root->name, "rig") != 0))
        status = WSK_EINPUT;
    if (status == WSK_OK) {
        l->room = count_nodes(root);
        l->list.items = l->items = wsk_alloc(l->arena, (size_t)l->room * sizeof *l->items);
        status = l->items && add_node(l, root, -1) ? WSK_OK : WSK_ENOMEM;
    }
    if (status == WSK_OK)
        *out = &l->list;
    else
        wsk_arena_free(l->arena);
    return status;
}

void wsk_elements_free(const wsk_elements *list)
{
    if (list)
        wsk_arena_free(((const listing *)(const void *)list)->arena);
}

static bool exists(const wsk_elements *list, int at)
{
    return at >= 0 && at < list->count;
}

bool wsk_elements_is(const wsk_elements *list, int at, const char *element)
{
    return exists(list, at) && strcmp(list->items[at].element, element) == 0;
}

int wsk_elements_next(const wsk_elements *list, const char *element, int after, int under)
{
    for (int i = after < 0 ? 0 : after < list->count ? after + 1 : list->count; i < list->count; i++) {
        if (!wsk_elements_is(list, i, element))
            continue;
        int up = list->items[i].parent;
        while (under >= 0 && up >= 0 && up != under)
            up = list->items[up].parent;
        if (under < 0 || up == under)
            return i;
    }
    return -1;
}

int wsk_elements_find(const wsk_elements *list, const char *id)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->items[i].id, id) == 0)
            return i;
    return -1;
}

const wsk_attribute *wsk_elements_attribute(const wsk_elements *list, int at, const char *name)
{
    const wsk_element *e = exists(list, at) ? &list->items[at] : NULL;
    for (size_t i = 0; e && i < e->attribute_count; i++)
        if (strcmp(e->attributes[i].name, name) == 0)
            return &e->attributes[i];
    return NULL;
}

const char *wsk_elements_text(const wsk_elements *list, int at, const char *name)
{
    const wsk_attribute *a = wsk_elements_attribute(list, at, name);
    return a ? a->text : NULL;
}

const char *wsk_elements_id(const wsk_elements *list, int at)
{
    return exists(list, at) ? list->items[at].id : "";
}

double wsk_elements_number(const wsk_elements *list, int at, const char *name)
{
    const wsk_attribute *a = wsk_elements_attribute(list, at, name);
    return a ? a->value : NAN;
}
