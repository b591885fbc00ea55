/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exported heat network: its lists are in balance, and the netlist has the same terms. */
#include <math.h>
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(settled_network)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
