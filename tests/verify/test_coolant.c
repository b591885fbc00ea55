/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A closed water loop, built by hand from the solver's branches, against its closed form: the flow network computes
 * liquid coolant as it computes air. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sim/net/point.h"
#include "tests/unit/assert.h"

/* Pump from A to B, two water blocks in parallel from B to C, radiator from C to A, and a pressure reference
 * (breather) from A to the room. */
enum { ROOM, A, B, C, FLOW_NODES };

static void test_closed_loop(void **state)
{
    (void)state;
    /* water: heat capacity, J/(m3 K); shut_off: Pa; k2: Pa/(m3/s)^2 */
    const double water = 4.15e6, shut_off = 38000, k2 = 3.1e11;
    wsk_arena *arena = wsk_arena_new();
    assert_non_null(arena);
    wsk_branch branches[] = {
        {.from = A,
         .to = B,
         .mover = 0,
         .column = WSK_NO,
         .a = shut_off,
         .d = 0.4e11,
         .heat_w_k_per_m3s = water,
         .rho_rel = 1},
        {.from = B, .to = C, .mover = WSK_NO, .column = WSK_NO, .k2 = k2, .heat_w_k_per_m3s = water, .rho_rel = 1},
        {.from = B, .to = C, .mover = WSK_NO, .column = WSK_NO, .k2 = k2, .heat_w_k_per_m3s = water, .rho_rel = 1},
        {.from = C,
         .to = A,
         .mover = WSK_NO,
         .column = WSK_NO,
         .k2 = 0.6e11,
         .heat_w_k_per_m3s = water,
         .rho_rel = 1},
        {.from = A,
         .to = ROOM,
         .mover = WSK_NO,
         .column = WSK_NO,
         .k1 = 1e6,
         .heat_w_k_per_m3s = water,
         .rho_rel = 1}};
    wsk_mover mover = {.name = "pump", .ref_rpm = 4800};
    wsk_node nodes[FLOW_NODES] = {{.name = "room"}, {.name = "a"}, {.name = "b"}, {.name = "c"}};
    int flow_node[FLOW_NODES] = {0, 1, 2, 3};
    const unsigned char pattern[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    wsk_net net = {.n_node = FLOW_NODES,
                   .n_branch = 5,
                   .n_mover = 1,
                   .n_flow = FLOW_NODES,
                   .branches = branches,
                   .movers = &mover,
                   .nodes = nodes,
                   .flow_node = flow_node,
                   .rho_rel = 0.8,
                   .rho_cp = 900,
                   .flow_lu = wsk_lu_analyse(arena, 3, pattern),
                   .arena = arena};
    assert_true(wsk_point_prepare(&net));
    double *memory = wsk_alloc(arena, wsk_point_doubles(&net) * sizeof(double));
    wsk_point p;
    wsk_point_place(&net, &p, memory);
    for (double rpm = 1200; rpm <= 4800; rpm += 1200) {
        assert_true(wsk_point_solve(&net, &rpm, NULL, &p));
        /* the flow q by hand: shut_off nu^2 = (0.4e11 + k2/4 + 0.6e11) q^2 */
        double q = rpm / 4800 * sqrt(shut_off / (1.0e11 + k2 / 4));
        assert_rel(p.q[0], q, 1e-3);
        assert_rel(p.q[1], q / 2, 1e-3);
        assert_rel(p.q[1], p.q[2], 1e-9);
        assert_rel(p.w[3], water * p.q[3], 1e-12);
        assert_near(p.q[4], 0, 1e-12);
        assert_near(p.q[0] - p.q[3], 0, 1e-9 * q);
    }
    wsk_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_closed_loop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
