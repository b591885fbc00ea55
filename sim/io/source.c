/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the source of a value: <source for="tdp cooler.flow class[decode].*" kind="datasheet" ref="..."
 * spread="..."/>. A word of for= is an attribute of the element that contains the source, a path to an attribute of a
 * child, or '*' for all others. If several words name a value, those in the element nearest to the value count, and
 * among them the most exact word. */
#include <string.h>

#include "sim/io/load.h"
#include "sim/net/provenance.h"

#define WORDS_MAX 300
#define SEGMENTS_MAX 8

typedef struct {
    const char *name, *pick;
    size_t name_len, pick_len;
} segment;

static int split_path(const char *word, segment out[SEGMENTS_MAX])
{
    int n = 0;
    while (n < SEGMENTS_MAX) {
        segment *s = &out[n++];
        *s = (segment){.name = word, .name_len = strcspn(word, ".[")};
        word += s->name_len;
        if (*word == '[') {
            s->pick = word + 1;
            s->pick_len = strcspn(word + 1, "]");
            word += 1 + s->pick_len;
            if (*word++ != ']')
                return 0;
        }
        if (s->name_len == 0 || (*word && *word != '.'))
            return 0;
        if (!*word)
            return n;
        word++;
    }
    return 0;
}

static bool is_same(const char *a, size_t len, const char *b)
{
    return b && strlen(b) == len && memcmp(a, b, len) == 0;
}

static bool is_picked(const segment *s, const wsk_node *node)
{
    static const char *const keys[] = {"id", "name", "kind", "at"};
    if (!s->pick || is_same(s->pick, s->pick_len, "*"))
        return true;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const wsk_attr *a = wsk_node_attr(node, keys[k]);
        if (a && is_same(s->pick, s->pick_len, a->value))
            return true;
    }
    int index = 0;
    for (const wsk_node *n = node->parent ? node->parent->child : NULL; n && n != node; n = n->next)
        index += strcmp(n->name, node->name) == 0;
    char digits[16];
    snprintf(digits, sizeof digits, "%d", index);
    return is_same(s->pick, s->pick_len, digits);
}

/* How exactly a word in a <source> of `holder` names the attribute `attr` of `node`, which is holder or an element
 * inside it. A higher rank is more exact; 0: not at all. */
static int rank_match(const char *word, const wsk_node *holder, const wsk_node *node, const char *attr)
{
    if (strcmp(word, "*") == 0)
        return 1;
    segment s[SEGMENTS_MAX];
    int n = split_path(word, s);
    if (n == 0)
        return 0;
    const segment *last = &s[n - 1];
    bool any = is_same(last->name, last->name_len, "*");
    if (!any && !is_same(last->name, last->name_len, attr))
        return 0;
    int rank = any ? 2 : 4;
    for (int i = n - 2; i >= 0; i--, node = node->parent) {
        if (node == holder || !node || !is_same(s[i].name, s[i].name_len, node->name) || !is_picked(&s[i], node))
            return 0;
        rank += s[i].pick != NULL;
    }
    return node == holder ? rank : 0;
}

static const char *const froms[] = {"default", "rig", "part", "set", NULL};

static bool one_of(const char *word, const char *const *list)
{
    while (*list && strcmp(*list, word) != 0)
        list++;
    return *list != NULL;
}

static void check_attrs(wsk_loader *l, const wsk_node *node, wsk_layer layer)
{
    static const char *const known[] = {"for", "kind", "ref", "spread", NULL};
    char q[WSK_QUOTED];
    for (const wsk_attr *a = node->attrs; a; a = a->next)
        if (!one_of(a->name, known) && !(layer == WSK_LAYER_RIG && strcmp(a->name, "from") == 0))
            wsk_io_error(l->diags, node->file, a->name_line, a->name_column,
                         WSK_SAID(WSK_SAY_SOURCE_ATTR, wsk_io_quote(q, a->name)));
    const wsk_attr *kind = wsk_node_attr(node, "kind"), *from = wsk_node_attr(node, "from");
    if (kind && !one_of(kind->value, wsk_source_kinds))
        wsk_io_error(l->diags, node->file, kind->line, kind->column,
                     WSK_SAID(WSK_SAY_SOURCE_KIND, wsk_io_quote(q, kind->value)));
    if (from && !one_of(from->value, froms))
        wsk_io_error(l->diags, node->file, from->line, from->column,
                     WSK_SAID(WSK_SAY_SOURCE_FROM, wsk_io_quote(q, from->value)));
    const wsk_attr *ref = wsk_node_attr(node, "ref");
    if (layer == WSK_LAYER_PART && (!kind || !ref || !*ref->value))
        wsk_io_error(l->diags, node->file, node->line, node->column,
                     WSK_SAID(WSK_SAY_SOURCE_INCOMPLETE, WSK_SOURCE_KINDS));
    if (!wsk_node_attr(node, "for"))
        wsk_io_error(l->diags, node->file, node->line, node->column, WSK_SAID(WSK_SAY_SOURCE_FOR));
}

static const char *attr_text(const wsk_node *node, const char *name)
{
    const wsk_attr *a = wsk_node_attr(node, name);
    return a && *a->value ? a->value : NULL;
}

static int read_words(wsk_loader *l, wsk_node *holder, const wsk_node *node, wsk_arena *arena, int count)
{
    const wsk_attr *words = wsk_node_attr(node, "for");
    char *text = words ? wsk_strdup(arena, words->value) : NULL;
    while (text && *text) {
        text += strspn(text, " \t\r\n");
        char *word = text;
        text += strcspn(text, " \t\r\n");
        if (*text)
            *text++ = '\0';
        if (!*word)
            break;
        if (++count > WORDS_MAX) {
            wsk_io_error(l->diags, node->file, node->line, node->column,
                         WSK_SAID(WSK_SAY_SOURCE_WORDS, holder->name));
            break;
        }
        wsk_source *s = wsk_alloc(arena, sizeof *s);
        if (!s)
            break;
        *s = (wsk_source){.selector = word,
                          .from = attr_text(node, "from"),
                          .kind = attr_text(node, "kind"),
                          .ref = attr_text(node, "ref"),
                          .spread = attr_text(node, "spread"),
                          .at = words,
                          .next = holder->sources};
        holder->sources = s;
    }
    return count;
}

static void read_sources(wsk_loader *l, wsk_node *holder, wsk_layer layer)
{
    if (holder->sources_read)
        return;
    holder->sources_read = true;
    /* The sources live as long as the node: in the arena of its part or of the rig. */
    wsk_arena *arena = layer == WSK_LAYER_PART && l->parts_arena ? l->parts_arena : l->arena;
    int count = 0;
    for (const wsk_node *n = holder->child; n; n = n->next)
        if (strcmp(n->name, "source") == 0) {
            check_attrs(l, n, layer);
            if (count <= WORDS_MAX)
                count = read_words(l, holder, n, arena, count);
        }
}

static const wsk_source *best_of(wsk_loader *l, wsk_node *node, const char *attr, wsk_layer layer)
{
    const wsk_source *best = NULL;
    for (wsk_node *holder = node; holder && !best; holder = holder->parent) {
        read_sources(l, holder, layer);
        int rank = 0;
        for (wsk_source *s = holder->sources; s; s = s->next) {
            int r = rank_match(s->selector, holder, node, attr);
            if (r)
                s->used = true;
            if (r > rank) {
                rank = r;
                best = s;
            }
        }
    }
    return best;
}

bool wsk_source_find(wsk_loader *l, wsk_node *node, wsk_attr *attr, wsk_layer layer, wsk_origin *origin)
{
    const wsk_source *best = attr->source;
    if (!attr->sought)
        best = best_of(l, node, attr->name, layer);
    /* stored in the attribute, because a part may be used many times and does not change */
    if (layer == WSK_LAYER_PART) {
        attr->source = best;
        attr->sought = true;
    }
    if (attr->over && layer == WSK_LAYER_PART)
        best = attr->over;
    if (!best)
        return false;
    origin->source = best->kind;
    origin->ref = best->ref;
    origin->spread = best->spread;
    origin->assumed = best->kind && strcmp(best->kind, "assumed") == 0;
    if (best->from && layer == WSK_LAYER_RIG && origin->from == WSK_FROM_RIG)
        for (int i = 0; froms[i]; i++)
            if (strcmp(froms[i], best->from) == 0)
                origin->from = (wsk_from)i;
    return true;
}

void wsk_source_unused(wsk_loader *l, wsk_node *node)
{
    char q[WSK_QUOTED];
    for (const wsk_source *s = node->sources; s; s = s->next)
        if (!s->used && !strchr(s->selector, '*')) {
            wsk_names names = {.arena = l->arena};
            for (const wsk_attr *a = node->attrs; a; a = a->next)
                wsk_names_add(&names, a->name);
            wsk_io_error(l->diags, node->file, s->at->line, s->at->column,
                         WSK_SAID(WSK_SAY_SOURCE_UNUSED, wsk_io_quote(q, s->selector), node->name,
                                  wsk_io_hint(s->selector, &names)));
        }
    for (wsk_node *n = node->child; n; n = n->next)
        wsk_source_unused(l, n);
}
