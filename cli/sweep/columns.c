/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a summary to the values of a row: one walk over the JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sweep/inner.h"

/* ---- walking ---- */

/* A number, text, true, false or null. path: "gpus[0].slot", united: "gpus.slot"; in_unit: of an array whose members
 * have an id. */
typedef void visit_value(void *ctx, const char *path, const char *united, bool in_array, bool in_unit,
                         const char *value, size_t len);
typedef void visit_empty(void *ctx, const char *path);
enum { PATH_MAX_ = 256, NEST_MAX = 16 };
typedef struct {
    char path[PATH_MAX_], united[PATH_MAX_];
    visit_value *value;
    visit_empty *empty; /* may be NULL */
    void *ctx;
    int arrays, units, depth;
} walker;

static const char *blank(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

/* Behind the value at p that has no members; NULL: there is none. */
static const char *scalar_end(const char *p)
{
    if (*p != '"') {
        size_t len = strcspn(p, ",:[]{} \t\r\n\"");
        return len ? p + len : NULL;
    }
    for (p++; *p && *p != '"'; p++)
        if (*p == '\\' && !*++p)
            return NULL;
    return *p ? p + 1 : NULL;
}

static const char *walk(walker *w, const char *p);

static bool append(char *path, size_t used, const char *fmt, const char *text, int len)
{
    int n = snprintf(path + used, PATH_MAX_ - used, fmt, len, text);
    return n >= 0 && (size_t)n < PATH_MAX_ - used;
}

static const char *walk_object(walker *w, const char *p)
{
    size_t path = strlen(w->path), united = strlen(w->united);
    p = blank(p + 1);
    while (*p == '"') {
        const char *end = scalar_end(p);
        if (!end || !append(w->path, path, path ? ".%.*s" : "%.*s", p + 1, (int)(end - p) - 2) ||
            !append(w->united, united, united ? ".%.*s" : "%.*s", p + 1, (int)(end - p) - 2))
            return NULL;
        p = blank(end);
        if (*p != ':' || !(p = walk(w, blank(p + 1))))
            return NULL;
        w->path[path] = w->united[united] = '\0';
        p = blank(p);
        if (*p == ',')
            p = blank(p + 1);
    }
    return *p == '}' ? p + 1 : NULL;
}

static const char *walk_array(walker *w, const char *p)
{
    size_t path = strlen(w->path);
    p = blank(p + 1);
    if (*p == ']' && w->empty)
        w->empty(w->ctx, w->path);
    bool units = *p == '{' && !strncmp(blank(p + 1), "\"id\"", 4);
    w->arrays++;
    w->units += units;
    for (size_t i = 0; *p && *p != ']'; i++) {
        char index[24];
        snprintf(index, sizeof index, "[%zu]", i);
        if (!append(w->path, path, "%.*s", index, (int)strlen(index)) || !(p = walk(w, p)))
            return NULL;
        w->path[path] = '\0';
        p = blank(p);
        if (*p == ',')
            p = blank(p + 1);
    }
    w->arrays--;
    w->units -= units;
    return *p == ']' ? p + 1 : NULL;
}

static const char *walk(walker *w, const char *p)
{
    if (*p == '{' || *p == '[') {
        if (++w->depth > NEST_MAX)
            return NULL;
        p = *p == '{' ? walk_object(w, p) : walk_array(w, p);
        w->depth--;
        return p;
    }
    const char *end = scalar_end(p);
    if (end)
        w->value(w->ctx, w->path, w->united, w->arrays > 0, w->units > 0, p, (size_t)(end - p));
    return end;
}

static bool walk_all(const char *json, visit_value *value, visit_empty *empty, void *ctx)
{
    walker w = {.value = value, .empty = empty, .ctx = ctx};
    return walk(&w, blank(json)) != NULL;
}

/* ---- the keys that there are ---- */

static bool holds(const wsk_cli_list *list, const char *text)
{
    for (size_t i = list->count; i-- > 0;)
        if (!strcmp(list->items[i], text))
            return true;
    return false;
}

static void push_new(wsk_cli_list *list, const char *text)
{
    if (!holds(list, text))
        wsk_cli_push(list, wsk_cli_format("%s", text));
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

enum { UNITS_DIGITS = 3 }; /* "[99" */

/* What does not tell one case from another, and prose. */
static bool of_no_case(const char *path)
{
    static const char *const none[] = {"wattsink",      "wall_clock_s",    "verdict.text",         "verdict.advice",
                                       "verdict.basis", "verdict.changes", "verdict.tried_in_vain"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (strcmp(path, none[i]) == 0)
            return true;
    return false;
}

/* What a summary has only once it has happened, so that nothing is seen of it before a run. */
static const char *const late[] = {"failure.at_s", "failure.to_throttle_s", "failure.to_shutdown_s",
                                   "work.lost_to", "work.failures",         "work.redone"};
/* Likewise null before a run, and then an object. */
static const char *const intake[] = {"room", "case", "own_exhaust", "neighbour_exhaust"};

static void learn_key(wsk_sweep_keys *keys, const char *path, const char *united, bool in_array, bool in_unit)
{
    if (in_array && !ends_with(united, ".id") && !ends_with(united, ".part") && in_unit)
        push_new(&keys->united, united);
    const char *index = strchr(path, '[');
    if (index && strcspn(index, "]") > UNITS_DIGITS) { /* nobody reads a column for each of a hundred cards */
        char *array = wsk_cli_format("%.*s", (int)(index - path), path);
        push_new(&keys->open, array);
        free(array);
        keys->many = true;
        return;
    }
    bool is_new = !holds(&keys->exact, path);
    if (is_new)
        wsk_cli_push(&keys->exact, wsk_cli_format("%s", path));
    /* The version is told once, and the time a case took is not the same twice. */
    if (is_new && (!in_array || in_unit) && !of_no_case(path))
        wsk_cli_push(&keys->usual, wsk_cli_format("%s", path));
}

static void learn_value(void *ctx, const char *path, const char *united, bool in_array, bool in_unit,
                        const char *value, size_t len)
{
    (void)value;
    (void)len;
    if (!ends_with(united, ".intake")) {
        learn_key(ctx, path, united, in_array, in_unit);
        return;
    }
    for (size_t i = 0; i < sizeof intake / sizeof *intake; i++) {
        char *of_unit = wsk_cli_format("%s.%s", path, intake[i]),
             *of_all = wsk_cli_format("%s.%s", united, intake[i]);
        learn_key(ctx, of_unit, of_all, in_array, in_unit);
        free(of_unit);
        free(of_all);
    }
}

static void learn_empty(void *ctx, const char *path)
{
    wsk_sweep_keys *keys = ctx;
    push_new(&keys->open, path);
}

bool wsk_sweep_learn(wsk_sweep_keys *keys, const char *json)
{
    /* Money over years is told against the first case, when all are there. */
    push_new(&keys->exact, "npv");
    push_new(&keys->exact, "payback_years");
    bool ok = walk_all(json, learn_value, learn_empty, keys);
    for (size_t i = 0; ok && i < sizeof late / sizeof *late; i++)
        learn_key(keys, late[i], late[i], false, false);
    return ok;
}

void wsk_sweep_keys_free(wsk_sweep_keys *keys)
{
    wsk_cli_list_free(&keys->exact, 0);
    wsk_cli_list_free(&keys->united, 0);
    wsk_cli_list_free(&keys->open, 0);
    wsk_cli_list_free(&keys->usual, 0);
}

wsk_sweep_over wsk_sweep_split(const char *name, const char **key, size_t *len)
{
    static const struct {
        const char *word;
        wsk_sweep_over over;
    } functions[] = {
        {"max(", WSK_SWEEP_MAX}, {"min(", WSK_SWEEP_MIN}, {"mean(", WSK_SWEEP_MEAN}, {"sum(", WSK_SWEEP_SUM}};
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        size_t word = strlen(functions[i].word);
        if (!strncmp(name, functions[i].word, word) && name[n - 1] == ')') {
            *key = name + word;
            *len = n - word - 1;
            return functions[i].over;
        }
    }
    *key = name;
    *len = n;
    return WSK_SWEEP_ONE;
}

static bool open_array(const wsk_sweep_keys *keys, const char *key)
{
    for (size_t i = 0; i < keys->open.count; i++) {
        size_t n = strlen(keys->open.items[i]);
        if (!strncmp(key, keys->open.items[i], n) && key[n] == '[')
            return true;
    }
    return false;
}

/* "cost" is no key: those that begin with it, as many as fit; so are those of which "annual" is the last word. */
static bool members(const wsk_cli_list *names, const char *key, char *hint, size_t size)
{
    size_t len = strlen(key), used = 0, found = 0;
    const char *only = NULL;
    hint[0] = '\0';
    for (size_t i = 0; len && i < names->count; i++) {
        const char *name = names->items[i], *last = strrchr(name, '.');
        bool within =
            !strncmp(name, key, len) && (name[len] == '.' || name[len] == '_') && !strpbrk(name + len + 1, ".[");
        if (!within && !(last && !strcmp(last + 1, key) && !strchr(name, '[')))
            continue;
        if (used + strlen(name) + 8 > size - 20) {
            snprintf(hint + used, size - used, ", ...");
            break;
        }
        used += (size_t)snprintf(hint + used, size - used, "%s'%s'", used ? ", " : "; there is ", name);
        only = name;
        found++;
    }
    if (found == 1)
        snprintf(hint, size, "; did you mean '%s'?", only);
    return found > 0;
}

bool wsk_sweep_known(const wsk_sweep_keys *keys, const char *name, char *hint, size_t size)
{
    const char *p;
    size_t len;
    bool united = wsk_sweep_split(name, &p, &len) != WSK_SWEEP_ONE;
    char *key = wsk_cli_format("%.*s", (int)len, p);
    bool known = holds(&keys->united, key) || (!united && (holds(&keys->exact, key) || open_array(keys, key)));
    *hint = '\0';
    if (!known) {
        wsk_cli_list names = {0};
        for (size_t i = 0; i < keys->united.count; i++)
            wsk_cli_push(&names, keys->united.items[i]);
        for (size_t i = 0; !united && i < keys->exact.count; i++)
            wsk_cli_push(&names, keys->exact.items[i]);
        if (!members(&names, key, hint, size)) {
            wsk_cli_push(&names, NULL);
            wsk_cli_hint(hint, size, key, names.items, "");
        }
        free(names.items);
    }
    free(key);
    return known;
}

/* ---- columns ---- */

bool wsk_sweep_has_column(const wsk_sweep_columns *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++)
        if (!strcmp(c->items[i].name, name))
            return true;
    return false;
}

void wsk_sweep_add_column(wsk_sweep_columns *c, const char *name)
{
    if (wsk_sweep_has_column(c, name))
        return;
    wsk_sweep_column *grown = wsk_cli_alloc((c->count + 1) * sizeof *grown);
    if (c->count)
        memcpy(grown, c->items, c->count * sizeof *grown);
    free(c->items);
    c->items = grown;
    const char *key;
    size_t len;
    wsk_sweep_column *new = &grown[c->count++];
    new->over = wsk_sweep_split(name, &key, &len);
    new->name = wsk_cli_format("%s", name);
    new->key = wsk_cli_format("%.*s", (int)len, key);
}

void wsk_sweep_usual_columns(wsk_sweep_columns *c, const wsk_sweep_keys *keys, size_t most)
{
    size_t all = keys->usual.count + keys->united.count + 2;
    for (size_t i = 0; i < keys->usual.count; i++)
        if (!strchr(keys->usual.items[i], '['))
            wsk_sweep_add_column(c, keys->usual.items[i]);
    wsk_sweep_add_column(c, "payback_years");
    wsk_sweep_add_column(c, "npv");
    for (size_t i = 0; i < keys->united.count && c->count < most; i++)
        wsk_sweep_add_column(c, keys->united.items[i]);
    for (size_t i = 0; i < keys->usual.count && all <= most && !keys->many; i++)
        wsk_sweep_add_column(c, keys->usual.items[i]);
}

static int by_key(const void *a, const void *b)
{
    const wsk_sweep_column *x = *(const wsk_sweep_column *const *)a, *y = *(const wsk_sweep_column *const *)b;
    int order = strcmp(x->key, y->key);
    return order ? order : (x > y) - (x < y);
}

void wsk_sweep_sort_columns(wsk_sweep_columns *c)
{
    const wsk_sweep_column **sorted = wsk_cli_alloc(c->count * sizeof *sorted);
    free(c->by_key);
    c->by_key = wsk_cli_alloc(c->count * sizeof *c->by_key);
    for (size_t i = 0; i < c->count; i++)
        sorted[i] = &c->items[i];
    qsort(sorted, c->count, sizeof *sorted, by_key);
    for (size_t i = 0; i < c->count; i++)
        c->by_key[i] = (size_t)(sorted[i] - c->items);
    free(sorted);
}

void wsk_sweep_columns_free(wsk_sweep_columns *c)
{
    for (size_t i = 0; i < c->count; i++) {
        free(c->items[i].name);
        free(c->items[i].key);
    }
    free(c->items);
    free(c->by_key);
    *c = (wsk_sweep_columns){0};
}

/* ---- values ---- */

typedef struct {
    const char *text;
    size_t len;
    double most, least, sum;
    size_t count, seen; /* numbers; values of any kind */
} gathered;
typedef struct {
    const wsk_sweep_columns *columns;
    gathered *values;
} gathering;

static void gather(gathered *g, const char *value, size_t len)
{
    const char *end;
    double number = *value == 't' ? 1 : *value == 'f' ? 0 : wsk_number_at(value, &end);
    g->text = value;
    g->len = len;
    g->seen++;
    if (isnan(number))
        return;
    g->most = !g->count || number > g->most ? number : g->most;
    g->least = !g->count || number < g->least ? number : g->least;
    g->sum += number;
    g->count++;
}

/* The first of the columns with this key, in the order of by_key; count where there is none. */
static size_t first_with(const wsk_sweep_columns *c, const char *key)
{
    size_t low = 0, high = c->count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (strcmp(c->items[c->by_key[mid]].key, key) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void give(const gathering *g, const char *key, const char *value, size_t len)
{
    const wsk_sweep_columns *c = g->columns;
    for (size_t i = first_with(c, key); i < c->count && !strcmp(c->items[c->by_key[i]].key, key); i++)
        gather(&g->values[c->by_key[i]], value, len);
}

static void take_value(void *ctx, const char *path, const char *united, bool in_array, bool in_unit,
                       const char *value, size_t len)
{
    (void)in_unit;
    give(ctx, path, value, len);
    if (in_array)
        give(ctx, united, value, len);
}

void wsk_sweep_number(char out[32], double value)
{
    if (!isfinite(value)) {
        snprintf(out, 32, "null");
        return;
    }
    const char *end;
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, 32, "%.*g", digits, value);
        double back = wsk_number_at(out, &end);
        if (!(back < value) && !(back > value))
            return;
    }
}

static void put_value(FILE *out, const wsk_sweep_column *c, const gathered *g)
{
    char text[32];
    if (c->over == WSK_SWEEP_ONE && g->seen == 1) {
        fprintf(out, "%.*s\n", (int)g->len, g->text);
        return;
    }
    double value = !g->count                   ? NAN
                   : c->over == WSK_SWEEP_MIN  ? g->least
                   : c->over == WSK_SWEEP_MEAN ? g->sum / (double)g->count
                   : c->over == WSK_SWEEP_SUM  ? g->sum
                                               : g->most;
    wsk_sweep_number(text, value);
    fprintf(out, "%s\n", text);
}

void wsk_sweep_put_values(FILE *out, const wsk_sweep_columns *c, const char *json)
{
    gathering g = {c, wsk_cli_alloc(c->count * sizeof *g.values)};
    if (json && !walk_all(json, take_value, NULL, &g))
        memset(g.values, 0, c->count * sizeof *g.values);
    for (size_t i = 0; i < c->count; i++)
        put_value(out, &c->items[i], &g.values[i]);
    free(g.values);
}

wsk_cli_list wsk_sweep_head(const wsk_sweep *s)
{
    wsk_cli_list head = {0};
    wsk_cli_push(&head, "label");
    for (size_t m = 0; m < s->design.member_count; m++)
        wsk_cli_push(&head, s->design.members[m].path);
    wsk_cli_push(&head, "status");
    wsk_cli_push(&head, "error");
    return head;
}
