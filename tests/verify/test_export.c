/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exported heat network: its lists are in balance, and the netlist has the same terms. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/json.h"
#include "tests/support/bench.h"

static double number_at(const wsk_json *object, const char *key)
{
    wsk_json_kind kind;
    double x = NAN;
    const wsk_json *v = wsk_json_at(object, key, &kind);
    return v && wsk_json_as_number(v, &x) ? x : (double)NAN;
}

static int count_lines(const char *text, char begins)
{
    int n = *text == begins;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL;)
        n += *++at == begins;
    return n;
}

/* Heat flow, W, out of `from` and into `to`: g x (from - to) through a conductance, else the heat that a stream
 * carries. */
static double flow_w(const wsk_json *term, const double *temp_c)
{
    wsk_json_kind kind;
    const bool conductance = strcmp(wsk_json_as_text(wsk_json_at(term, "kind", &kind)), "conductance") == 0;
    const double sense = number_at(term, "sense"), against_c = conductance    ? temp_c[(int)number_at(term, "to")]
                                                               : isnan(sense) ? 0
                                                                              : temp_c[(int)sense];
    return number_at(term, "g_w_k") * (temp_c[(int)number_at(term, "from")] - against_c);
}

/* At the steady point the heat flows into and out of each node are in balance. The netlist has a line for each term,
 * each capacity and each given temperature. */
static void settled_network(void **state)
{
    (void)state;
    static const char *const rigs[] = {"scenarios/single-3090/rig.xml", "scenarios/quad-3090-blower/rig.xml"};
    for (size_t i = 0; i < sizeof rigs / sizeof *rigs; i++) {
        wsk_rig *rig = wsk_test_rig_file(rigs[i]);
        wsk_arena *arena = wsk_arena_new();
        wsk_diags mistakes;
        wsk_json *root = NULL;
        wsk_json_kind kind;
        char *json = NULL, *spice = NULL;
        int small = 0, with_capacity = 0, of_kind[2] = {0}, given = 0;
        assert_int_equal(wsk_rig_export(rig, WSK_EXPORT_JSON, 0, &json), WSK_OK);
        assert_int_equal(wsk_rig_export(rig, WSK_EXPORT_SPICE, 0, &spice), WSK_OK);
        wsk_diags_init(&mistakes, arena);
        assert_int_equal(wsk_json_parse(&root, json, strlen(json), &mistakes), WSK_OK);
        const wsk_json *nodes = wsk_json_at(root, "nodes", &kind), *terms = wsk_json_at(root, "terms", &kind);
        const size_t n = wsk_json_length(nodes);
        double *temp_c = wsk_alloc(arena, n * sizeof *temp_c), *left_w = wsk_alloc(arena, n * sizeof *left_w);
        double all_w = 0;
        for (size_t k = 0; k < n; k++) {
            const wsk_json *node = wsk_json_item(nodes, k, &kind);
            temp_c[k] = number_at(node, "temperature_c");
            left_w[k] = number_at(node, "power_w");
            all_w += fabs(left_w[k]);
        }
        for (size_t k = 0; k < wsk_json_length(terms); k++) {
            const wsk_json *term = wsk_json_item(terms, k, &kind);
            const double g = number_at(term, "g_w_k"), w = flow_w(term, temp_c);
            assert_true(g > 0);
            left_w[(int)number_at(term, "from")] -= w;
            left_w[(int)number_at(term, "to")] += w;
            small += g < 1;
            of_kind[strcmp(wsk_json_as_text(wsk_json_at(term, "kind", &kind)), "conductance") != 0]++;
        }
        for (size_t k = 0; k < n; k++) {
            const wsk_json *node = wsk_json_item(nodes, k, &kind);
            const bool is_given = wsk_json_as_flag(wsk_json_at(node, "given", &kind));
            given += is_given;
            with_capacity += !is_given && number_at(node, "capacity_j_k") > 0;
            if (!is_given && !(fabs(left_w[k]) <= 1e-6 * all_w))
                fail_msg("%s: the heat of node %zu (%s) is off balance by %g W of %g", rigs[i], k,
                         wsk_json_as_text(wsk_json_at(node, "name", &kind)), left_w[k], all_w);
        }
        assert_true(small > 0 && of_kind[0] > 0 && of_kind[1] > 0);
        assert_int_equal(count_lines(spice, 'R'), of_kind[0]);
        assert_int_equal(count_lines(spice, 'G'), of_kind[1]);
        assert_int_equal(count_lines(spice, 'C'), with_capacity);
        assert_int_equal(count_lines(spice, 'V'), given);
        wsk_json_free(root);
        wsk_text_free(json);
        wsk_text_free(spice);
        wsk_arena_free(arena);
        wsk_rig_free(rig);
    }
}

/* ---- a replay ---- */

enum { NODES = 64 };
static double item(const wsk_json *list, size_t i)
{
    wsk_json_kind kind;
    double x = NAN;
    const wsk_json *v = wsk_json_item(list, i, &kind);
    return v && wsk_json_as_number(v, &x) ? x : (double)NAN;
}

/* Solves a x = b by elimination with pivots; the solution is left in b. */
static void solve(size_t n, double a[NODES][NODES], double *b)
{
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k; i < n; i++)
            best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
        for (size_t j = 0; j < n; j++) {
            const double swapped = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = swapped;
        }
        const double swapped = b[k];
        b[k] = b[best];
        b[best] = swapped;
        assert_true(fabs(a[k][k]) > 0);
        for (size_t i = 0; i < n; i++) {
            const double by = i == k ? 0 : a[i][k] / a[k][k];
            for (size_t j = k; j < n && by != 0; j++)
                a[i][j] -= by * a[k][j];
            b[i] -= by * b[k];
        }
    }
    for (size_t k = 0; k < n; k++)
        b[k] /= a[k][k];
}

/* The temperatures after dt_s more, by the implicit Euler method, from the lists alone. */
static void advance(const wsk_json *root, const wsk_json *step, double dt_s, double *temp_c)
{
    static double a[NODES][NODES];
    wsk_json_kind kind;
    const wsk_json *nodes = wsk_json_at(root, "nodes", &kind), *terms = wsk_json_at(root, "terms", &kind),
                   *flows = wsk_json_at(root, "flows", &kind);
    const wsk_json *set = wsk_json_item(flows, (size_t)number_at(step, "flows"), &kind);
    assert_non_null(set);
    const wsk_json *g = wsk_json_at(set, "g_w_k", &kind), *power = wsk_json_at(step, "power_w", &kind),
                   *told = wsk_json_at(step, "temperature_c", &kind);
    const size_t n = wsk_json_length(nodes), m = wsk_json_length(terms);
    double b[NODES];
    memset(a, 0, sizeof a);
    for (size_t i = 0; i < n; i++) {
        a[i][i] = number_at(wsk_json_item(nodes, i, &kind), "capacity_j_k") / dt_s;
        b[i] = a[i][i] * temp_c[i] + item(power, i);
    }
    assert_int_equal(wsk_json_length(g), m);
    for (size_t k = 0; k < m; k++) {
        const wsk_json *term = wsk_json_item(terms, k, &kind);
        const double w_k = item(g, k), sense = number_at(term, "sense");
        const size_t from = (size_t)number_at(term, "from"), to = (size_t)number_at(term, "to");
        const bool conductance = strcmp(wsk_json_as_text(wsk_json_at(term, "kind", &kind)), "conductance") == 0;
        a[from][from] += w_k;
        a[to][from] -= w_k;
        if (conductance || !isnan(sense)) {
            const size_t against = conductance ? to : (size_t)sense;
            a[from][against] -= w_k;
            a[to][against] += w_k;
        }
    }
    for (size_t i = 0; i < n; i++) {
        const bool given = wsk_json_as_flag(wsk_json_at(wsk_json_item(nodes, i, &kind), "given", &kind));
        if (given || !(fabs(a[i][i]) > 0)) {
            memset(a[i], 0, sizeof a[i]);
            a[i][i] = 1;
            b[i] = given ? item(told, i) : temp_c[i];
        }
    }
    solve(n, a, b);
    memcpy(temp_c, b, n * sizeof *b);
}

/* Another solver, which gets only the lists, finds the temperatures of the run; each set of flows is used. */
static void replayed_network(void **state)
{
    (void)state;
    enum { MINUTES = 4, PARTS = 8 };
    static const char *const rigs[] = {"scenarios/single-3090/rig.xml", "scenarios/quad-3090-blower/rig.xml"};
    for (size_t r = 0; r < sizeof rigs / sizeof *rigs; r++) {
        wsk_rig *rig = wsk_test_rig_file(rigs[r]);
        wsk_arena *arena = wsk_arena_new();
        wsk_diags mistakes;
        wsk_json *root = NULL;
        wsk_json_kind kind;
        char *json = NULL;
        assert_int_equal(wsk_rig_export(rig, WSK_EXPORT_JSON, 60 * MINUTES, &json), WSK_OK);
        wsk_diags_init(&mistakes, arena);
        assert_int_equal(wsk_json_parse(&root, json, strlen(json), &mistakes), WSK_OK);
        const wsk_json *nodes = wsk_json_at(root, "nodes", &kind), *steps = wsk_json_at(root, "steps", &kind);
        const size_t n = wsk_json_length(nodes), sets = wsk_json_length(wsk_json_at(root, "flows", &kind));
        bool used[60 * MINUTES] = {false};
        double temp_c[NODES], start_c[NODES], t_s = 0, rise_k = 0;
        assert_in_range(n, 1, NODES);
        assert_in_range(sets, 2, 60 * MINUTES);
        for (size_t i = 0; i < n; i++)
            temp_c[i] = start_c[i] = number_at(wsk_json_item(nodes, i, &kind), "start_c");
        for (size_t k = 0; k < wsk_json_length(steps); k++) {
            const wsk_json *step = wsk_json_item(steps, k, &kind), *told = wsk_json_at(step, "temperature_c", &kind);
            const double until_s = number_at(step, "until_s");
            assert_true(until_s > t_s);
            for (int part = 0; part < PARTS; part++)
                advance(root, step, (until_s - t_s) / PARTS, temp_c);
            t_s = until_s;
            used[(size_t)number_at(step, "flows")] = true;
            for (size_t i = 0; i < n; i++) {
                rise_k = fmax(rise_k, item(told, i) - start_c[i]);
                if (!(fabs(temp_c[i] - item(told, i)) < 0.15))
                    fail_msg("%s, %s at %g s: %g degC by the lists, %g in the run", rigs[r],
                             wsk_json_as_text(wsk_json_at(wsk_json_item(nodes, i, &kind), "name", &kind)), t_s,
                             temp_c[i], item(told, i));
            }
        }
        assert_same(t_s, 60.0 * MINUTES);
        assert_true(rise_k > 20);
        for (size_t k = 0; k < sets; k++)
            assert_true(used[k]);
        wsk_json_free(root);
        wsk_text_free(json);
        wsk_arena_free(arena);
        wsk_rig_free(rig);
    }
}

/* ---- the netlist against the lists ---- */

/* A line of the netlist with its continuations, split into words at blanks, brackets and "=". */
enum { WORDS = 4096 };
typedef struct {
    char *word[WORDS];
    size_t count;
} card;

/* Splits off the next line at *at, and leaves *at behind it. False: there is none. */
static bool next_card(char **at, card *out)
{
    out->count = 0;
    if (!**at)
        return false;
    char *end = *at;
    do {
        end += strcspn(end, "\n");
        end += *end == '\n';
    } while (*end == '+');
    const char last = *end;
    *end = '\0';
    for (char *word = *at + strspn(*at, " \n+()="); *word; word += strspn(word, " \n+()=")) {
        assert_true(out->count < WORDS);
        out->word[out->count++] = word;
        word += strcspn(word, " \n()=");
        if (*word)
            *word++ = '\0';
    }
    /* The first character of the next line is put back where a word of this one ended. */
    *at = end;
    **at = last;
    return true;
}

/* Value at t_s of the words from `first` on: a number, or PWL and pairs of time and value. */
static double value_of(const card *c, size_t first, double t_s)
{
    assert_true(first < c->count);
    if (strcmp(c->word[first], "PWL") != 0)
        return strtod(c->word[first], NULL);
    double before_s = 0, before = NAN;
    for (size_t i = first + 1; i + 1 < c->count; i += 2) {
        const double at_s = strtod(c->word[i], NULL), value = strtod(c->word[i + 1], NULL);
        if (at_s >= t_s)
            return isnan(before) ? value : before + (value - before) * (t_s - before_s) / (at_s - before_s);
        before_s = at_s;
        before = value;
    }
    return before;
}

typedef struct {
    const wsk_json *nodes, *terms, *flows, *steps; /* flows, steps NULL: the settled network */
    char name[NODES][64];
    size_t n;
} lists;

static double told(const lists *l, const char *row, const wsk_json *list, const char *key, size_t i, size_t step)
{
    wsk_json_kind kind;
    if (!l->steps)
        return number_at(wsk_json_item(list, i, &kind), key);
    const wsk_json *at = wsk_json_item(l->steps, step, &kind);
    const wsk_json *from = *row ? at : wsk_json_item(l->flows, (size_t)number_at(at, "flows"), &kind);
    return item(wsk_json_at(from, key, &kind), i);
}

/* The value of the netlist holds in the middle of each step. */
static void same_value(const lists *l, const card *c, size_t first, const char *row, const wsk_json *list,
                       const char *key, size_t i)
{
    wsk_json_kind kind;
    double from_s = 0;
    for (size_t k = 0; k < (l->steps ? wsk_json_length(l->steps) : 1); k++) {
        const double to_s = l->steps ? number_at(wsk_json_item(l->steps, k, &kind), "until_s") : 1,
                     value = value_of(c, first, (from_s + to_s) / 2);
        assert_rel(*c->word[0] == 'R' ? 1 / value : value, told(l, row, list, key, i, k), 1e-9);
        from_s = to_s;
    }
}

static const char *node_of(const lists *l, const wsk_json *term, const char *end)
{
    const double node = number_at(term, end);
    return isnan(node) ? "0" : l->name[(size_t)node];
}

static void check_node(const lists *l, const card *c, bool *heats)
{
    const size_t i = (size_t)strtol(c->word[0] + 1, NULL, 10);
    wsk_json_kind kind;
    assert_true(i < l->n && c->count >= 4);
    assert_string_equal(c->word[*c->word[0] == 'I' ? 2 : 1], l->name[i]);
    assert_string_equal(c->word[*c->word[0] == 'I' ? 1 : 2], "0");
    const wsk_json *node = wsk_json_item(l->nodes, i, &kind);
    if (*c->word[0] == 'C') {
        assert_int_equal(c->count, 6);
        assert_rel(strtod(c->word[3], NULL), number_at(node, "capacity_j_k"), 1e-9);
        assert_string_equal(c->word[4], "IC");
        assert_rel(strtod(c->word[5], NULL), number_at(node, l->steps ? "start_c" : "temperature_c"), 1e-9);
    } else if (*c->word[0] == 'I') {
        same_value(l, c, 3, "power", l->nodes, "power_w", i);
        heats[i] = true;
    } else {
        assert_true(wsk_json_as_flag(wsk_json_at(node, "given", &kind)));
        same_value(l, c, 3, "temperature", l->nodes, "temperature_c", i);
    }
}

/* k: number of the term among those that the lists have. */
static void check_term(const lists *l, const card *c, size_t k)
{
    wsk_json_kind kind;
    const wsk_json *term = wsk_json_item(l->terms, k, &kind);
    assert_non_null(term);
    assert_string_equal(c->word[1], node_of(l, term, "from"));
    assert_string_equal(c->word[2], node_of(l, term, "to"));
    if (*c->word[0] == 'G') {
        assert_string_equal(c->word[3], c->word[1]);
        assert_string_equal(c->word[4], node_of(l, term, "sense"));
    }
    same_value(l, c, *c->word[0] == 'G' ? 5 : 3, "", l->terms, "g_w_k", k);
}

static void check_netlist(const lists *l, char *spice)
{
    static card c, flow;
    bool heats[NODES] = {false}, ended = false;
    size_t terms = 0, moving = 0, analyses = 0;
    assert_int_equal(*spice, '*'); /* the first line is a title */
    assert_true((strstr(spice, "steady point") == NULL) == (l->steps != NULL));
    while (next_card(&spice, &c)) {
        const char *is = c.count ? c.word[0] : "*";
        assert_false(ended);
        if (strchr("CI", *is) || (*is == 'V' && is[1] != 'f')) {
            check_node(l, &c, heats);
        } else if (strchr("RG", *is)) {
            check_term(l, &c, terms++);
        } else if (*is == 'V') { /* the voltage of a node of its own is the conductance of the term below */
            flow = c;
            same_value(l, &c, 3, "", l->terms, "g_w_k", terms);
        } else if (*is == 'B') {
            wsk_json_kind kind;
            const wsk_json *term = wsk_json_item(l->terms, terms++, &kind);
            assert_string_equal(c.word[1], node_of(l, term, "from"));
            assert_string_equal(c.word[2], node_of(l, term, "to"));
            assert_string_equal(c.word[5], flow.word[1]);
            moving++;
        } else if (strcmp(is, ".tran") == 0) {
            wsk_json_kind kind;
            const size_t last = wsk_json_length(l->steps) - 1;
            assert_rel(strtod(c.word[2], NULL), number_at(wsk_json_item(l->steps, last, &kind), "until_s"), 1e-9);
            analyses++;
        } else if (strcmp(is, ".op") == 0) {
            assert_null(l->steps);
            analyses++;
        }
        ended = strcmp(is, ".end") == 0;
    }
    assert_true(ended);
    assert_int_equal(analyses, 1);
    assert_int_equal(terms, wsk_json_length(l->terms));
    assert_true((moving > 0) == (l->steps != NULL));
    for (size_t i = 0; i < l->n; i++)
        for (size_t k = 0; !heats[i] && k < (l->steps ? wsk_json_length(l->steps) : 1); k++)
            assert_same(told(l, "power", l->nodes, "power_w", i, k), 0);
}

static void the_netlist_is_the_network_of_the_lists(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/quad-3090-blower/rig.xml");
    for (int replay = 0; replay < 2; replay++) {
        static lists l;
        wsk_arena *arena = wsk_arena_new();
        wsk_diags mistakes;
        wsk_json *root = NULL;
        wsk_json_kind kind;
        char *json = NULL, *spice = NULL;
        assert_int_equal(wsk_rig_export(rig, WSK_EXPORT_JSON, 120 * replay, &json), WSK_OK);
        assert_int_equal(wsk_rig_export(rig, WSK_EXPORT_SPICE, 120 * replay, &spice), WSK_OK);
        wsk_diags_init(&mistakes, arena);
        assert_int_equal(wsk_json_parse(&root, json, strlen(json), &mistakes), WSK_OK);
        l.nodes = wsk_json_at(root, "nodes", &kind);
        l.terms = wsk_json_at(root, "terms", &kind);
        l.flows = replay ? wsk_json_at(root, "flows", &kind) : NULL;
        l.steps = replay ? wsk_json_at(root, "steps", &kind) : NULL;
        l.n = wsk_json_length(l.nodes);
        for (size_t i = 0; i < l.n; i++)
            snprintf(l.name[i], sizeof l.name[i], "%s",
                     wsk_json_as_text(wsk_json_at(wsk_json_item(l.nodes, i, &kind), "name", &kind)));
        check_netlist(&l, spice);
        wsk_json_free(root);
        wsk_text_free(json);
        wsk_text_free(spice);
        wsk_arena_free(arena);
    }
    wsk_rig_free(rig);
}

/* SPICE ignores case, so that names which differ in it alone would be one node. */
static void nodes_have_names_of_their_own(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig("<rig><chassis part='chassis/full-tower-8-slot'><psu part='psu/tier-gold-1000'/>"
                                "<gpu id='A-x' part='gpu/rtx-3090-blower' slot='1'/>"
                                "<gpu id='a-X' part='gpu/rtx-3090-blower' slot='4'/></chassis><run for='1 h'/></rig>",
                                NULL);
    char *spice = NULL, *names[NODES];
    assert_int_equal(wsk_rig_export(rig, WSK_EXPORT_SPICE, 0, &spice), WSK_OK);
    static card c;
    size_t n = 0;
    for (char *at = spice; next_card(&at, &c);)
        if (c.count && *c.word[0] == 'C') {
            assert_true(n < NODES);
            names[n++] = c.word[1];
        }
    assert_true(n >= 6);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(strspn(names[i], "abcdefghijklmnopqrstuvwxyz0123456789._"), strlen(names[i]));
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(names[i], names[k]);
    }
    wsk_text_free(spice);
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(settled_network), cmocka_unit_test(replayed_network),
                                       cmocka_unit_test(the_netlist_is_the_network_of_the_lists),
                                       cmocka_unit_test(nodes_have_names_of_their_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
