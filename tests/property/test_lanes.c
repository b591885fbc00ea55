/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run that is computed together with others, each in one lane of a vector, gives the same bits as the run alone,
 * whatever the other lanes contain. */
#include <string.h>

#include "sim/step/lanes.h"
#include "tests/support/bench.h"

enum { MANY = 11 }; /* more runs than one group of lanes holds (WSK_LANES) */

static wsk_rig *limited(const char *path, const char *assign)
{
    const char *sets[] = {assign};
    wsk_rig *rig = NULL;
    assert_int_equal(
        wsk_rig_load(&rig, &(wsk_rig_options){.path = path, .parts_dir = "parts", .sets = sets, .set_count = 1}),
        WSK_OK);
    return rig;
}

static void same_state(const wsk_run *a, const wsk_run *b, const char *what)
{
    char *x, *y;
    size_t n, m;
    assert_int_equal(wsk_run_save(a, &x, &n), WSK_OK);
    assert_int_equal(wsk_run_save(b, &y, &m), WSK_OK);
    if (n != m || memcmp(x, y, n) != 0)
        fail_msg("%s: other bits in lanes than alone", what);
    wsk_text_free(x);
    wsk_text_free(y);
}

static void compare(wsk_rig *const *rigs, int n, double seconds, const char *what)
{
    wsk_run *alone[MANY], *lane[MANY];
    wsk_status status[MANY], want[MANY];
    for (int i = 0; i < n; i++) {
        alone[i] = wsk_test_run(rigs[i], WSK_STEPPER_FAST, seconds);
        lane[i] = wsk_test_run(rigs[i], WSK_STEPPER_FAST, seconds);
        want[i] = wsk_run_advance(alone[i], seconds);
    }
    for (double t = 0; t < seconds; t += 777.5)
        assert_int_equal(wsk_runs_advance(lane, (size_t)n, t, status), WSK_OK);
    assert_int_equal(wsk_runs_advance(lane, (size_t)n, seconds, status), WSK_OK);
    for (int i = 0; i < n; i++) {
        assert_int_equal(status[i], want[i]);
        same_state(alone[i], lane[i], what);
        wsk_run_free(alone[i]);
        wsk_run_free(lane[i]);
    }
}

static void test_limits(void **state)
{
    (void)state;
    static const char *const paths[] = {"scenarios/quad-3090-blower/rig.xml", "scenarios/water-3090/rig.xml",
                                        "scenarios/single-3090/rig.xml", "scenarios/side-panel/open-air-open.xml"};
    for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
        wsk_rig *rigs[MANY];
        for (int i = 0; i < MANY; i++) {
            char assign[64];
            snprintf(assign, sizeof assign, "gpu[*].power-limit=%dW", 220 + 3 * i);
            rigs[i] = limited(paths[p], i == 3 ? "room.temperature=31 degC" : assign);
        }
        wsk_run *a = wsk_test_run(rigs[0], WSK_STEPPER_FAST, 10), *b = wsk_test_run(rigs[1], WSK_STEPPER_FAST, 10);
        assert_true(wsk_lanes_alike(a, b));
        wsk_run_free(a);
        wsk_run_free(b);
        compare(rigs, MANY, 2 * 3600, paths[p]);
        for (int i = 0; i < MANY; i++)
            wsk_rig_free(rigs[i]);
    }
}

/* Something happens in a single lane only: a fan fails and air flows backwards; a phase of the workload divides
 * ticks; a card shuts down. */
static void test_a_lane_that_goes_its_own_way(void **state)
{
    (void)state;
    static const char *const assigns[] = {"gpu[0].fan-fails-at=20 min",
                                          "gpu[1].fan-fails-at=1250.25 s",
                                          "workload.checkpoint-every=400.4 s",
                                          "gpu[0].mount=9",
                                          "gpu[2].power=340W",
                                          "gpu[*].power-limit=300W"};
    wsk_rig *rigs[6];
    for (int i = 0; i < 6; i++)
        rigs[i] = limited("scenarios/quad-3090-blower/rig.xml", assigns[i]);
    compare(rigs, 6, 3 * 3600, "lanes of unlike fate");
    for (int i = 0; i < 6; i++)
        wsk_rig_free(rigs[i]);
}

static void test_a_lane_that_fails(void **state)
{
    (void)state;
    static const char *const assigns[] = {"gpu[*].power-limit=300W", "gpu[1].power=1500W", "gpu[*].power-limit=250W",
                                          "gpu[0].power=1100W"};
    wsk_rig *rigs[4];
    wsk_run *runs[4];
    wsk_status status[4];
    for (int i = 0; i < 4; i++) {
        rigs[i] = limited("scenarios/quad-3090-blower/rig.xml", assigns[i]);
        runs[i] = wsk_test_run(rigs[i], WSK_STEPPER_FAST, 3600);
    }
    assert_int_equal(wsk_runs_advance(runs, 4, 3600, status), WSK_OK);
    assert_true(status[0] == WSK_OK && status[1] == WSK_ENUMERIC && wsk_run_time(runs[1]) > 10 &&
                status[3] == WSK_ENUMERIC);
    for (int i = 0; i < 4; i++)
        wsk_run_free(runs[i]);
    compare(rigs, 4, 3600, "lanes that fail");
    for (int i = 0; i < 4; i++)
        wsk_rig_free(rigs[i]);
}

static void test_random_company(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(20, 4); seed++) {
        wsk_rig *rigs[MANY];
        for (int i = 0; i < MANY; i++)
            rigs[i] = wsk_test_random(&(wsk_random_rig_spec){.seed = seed + (uint64_t)(i / 4) * 1000});
        compare(rigs, MANY, 900, "random company");
        for (int i = 0; i < MANY; i++)
            wsk_rig_free(rigs[i]);
    }
}

static void test_who_is_alike(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/water-3090/rig.xml");
    wsk_run *a = wsk_test_run(rig, WSK_STEPPER_FAST, 600), *b;
    static const wsk_run_options others[] = {{.duration_s = 600, .stepper = WSK_STEPPER_REFERENCE},
                                             {.duration_s = 600, .leap = true},
                                             {.duration_s = 600, .step_s = 0.5}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(wsk_run_new(&b, rig, &others[i]), WSK_OK);
        assert_false(wsk_lanes_alike(a, b));
        assert_false(wsk_lanes_alike(b, a));
        wsk_run_free(b);
    }
    b = wsk_test_run(rig, WSK_STEPPER_FAST, 600);
    assert_true(wsk_lanes_alike(a, b));
    b->steady = true;
    assert_false(wsk_lanes_alike(a, b));
    assert_false(wsk_lanes_alike(b, a));
    b->steady = false;
    wsk_test_advance(b, 60);
    assert_false(wsk_lanes_alike(a, b));
    wsk_run_free(b);

    b = wsk_test_run(rig, WSK_STEPPER_FAST, 600);
    const wsk_net *same = b->net;
    wsk_net net = *same;
    wsk_lu lu = *net.mean_lu;
    net.mean_lu = &lu;
    b->net = &net;
    assert_true(wsk_lanes_alike(a, b));
    int *const counts[] = {&net.n_solid, &net.n_node,     &net.n_block, &net.n_port, &net.n_branch,
                           &net.n_cond,  &net.n_exchange, &net.room,    &lu.n,       &lu.nnz};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        ++*counts[i];
        assert_false(wsk_lanes_alike(a, b));
        --*counts[i];
    }
    int *const entries[] = {lu.order,
                            lu.diag,
                            lu.row_start,
                            lu.col,
                            &net.blocks[0].first,
                            &net.blocks[0].count,
                            &net.blocks[0].first_port,
                            &net.blocks[0].n_ports,
                            &net.ports[0].solid,
                            &net.exchanges[0].a,
                            &net.exchanges[0].b,
                            &net.conds[0].a,
                            &net.conds[0].b};
    /* Loaded again, because the loop below changes arrays that runs of `rig` share. */
    wsk_rig *twin = wsk_test_rig_file("scenarios/water-3090/rig.xml");
    wsk_run *c = wsk_test_run(twin, WSK_STEPPER_FAST, 600);
    assert_true(wsk_lanes_alike(c, b));
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        ++*entries[i];
        assert_false(wsk_lanes_alike(c, b));
        --*entries[i];
    }
    const double cap = net.nodes[0].cap_j_k;
    net.nodes[0].cap_j_k = cap > 0 ? 0 : 1;
    assert_false(wsk_lanes_alike(c, b));
    net.nodes[0].cap_j_k = cap;
    net.nodes[0].boundary = !net.nodes[0].boundary;
    assert_false(wsk_lanes_alike(c, b));
    net.nodes[0].boundary = !net.nodes[0].boundary;
    assert_true(wsk_lanes_alike(c, b));
    b->net = same;
    wsk_test_drop(c, twin);
    wsk_run_free(b);
    wsk_test_drop(a, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_a_lane_that_goes_its_own_way),
                                       cmocka_unit_test(test_a_lane_that_fails), cmocka_unit_test(test_who_is_alike),
                                       cmocka_unit_test(test_random_company)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
