/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step as one matrix is the step of blocks and media, and what a quiet tick is spared changes nothing. */
#include <math.h>
#include <string.h>

#include "tests/support/bench.h"

static int cases(void)
{
    return wsk_test_cases(60, 6);
}

/* Largest difference of a node between a run that may go by the matrix and one that may not, K; *by counts its steps. */
static double parted(const wsk_rig *rig, double span_s, int *by)
{
    wsk_run *a = wsk_test_run(rig, WSK_STEPPER_FAST, span_s), *b = wsk_test_run(rig, WSK_STEPPER_FAST, span_s);
    double far = 0;
    b->whole = NULL;
    for (double t = 1; t <= span_s; t++) {
        if (!wsk_test_try(a, t) || !wsk_test_try(b, t))
            break;
        *by += a->config && wsk_whole_due(a, a->config);
        for (int i = 0; i < a->net->n_node; i++)
            far = fmax(far, fabs(a->t[i] - b->t[i]));
    }
    assert_true(wsk_residual(a) <= 1e-9 && wsk_splitting(a) <= 1e-9);
    wsk_run_free(a);
    wsk_run_free(b);
    return far;
}

static void test_matrix_is_the_kernel(void **state)
{
    (void)state;
    int by = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)cases(); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed, .least_cards = 1});
        double far = parted(rig, 1800, &by);
        if (!(far <= 1e-6))
            fail_msg("seed %llu: a node %.2g K off", (unsigned long long)seed, far);
        wsk_rig_free(rig);
    }
    assert_true(by > 300 * cases());
}

static void test_matrix_on_scenarios(void **state)
{
    (void)state;
    const char *const paths[] = {"scenarios/quad-3090-blower/rig.xml", "scenarios/h100-4u/rig.xml", "scenarios/water-3090/rig.xml",
                                 "scenarios/fan-dies/server-one.xml", "scenarios/mining-frame/rig.xml"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        wsk_rig *rig = wsk_test_rig_file(paths[i]);
        int by = 0;
        double far = parted(rig, 3 * 3600, &by);
        if (!(far <= 1e-6 && by > 3600))
            fail_msg("%s: %d steps by the matrix, a node %.2g K off", paths[i], by, far);
        wsk_rig_free(rig);
    }
}

/* To the byte the same at the end, however it is cut: at once, tick by tick, in odd pieces. */
static void same_in_pieces(const wsk_rig *rig, double span_s, const char *what)
{
    const double pieces_s[] = {span_s, 1, 37.3};
    char *saved[3];
    size_t len[3];
    for (int k = 0; k < 3; k++) {
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, span_s);
        for (double t = 0; t < span_s && wsk_test_try(run, fmin(t + pieces_s[k], span_s));)
            t = fmin(t + pieces_s[k], span_s);
        saved[k] = wsk_test_save(run, &len[k]);
        wsk_run_free(run);
    }
    for (int k = 1; k < 3; k++)
        if (len[k] != len[0] || memcmp(saved[k], saved[0], len[0]) != 0)
            fail_msg("%s: another state in pieces of %g s", what, pieces_s[k]);
    for (int k = 0; k < 3; k++)
        wsk_text_free(saved[k]);
}

static void test_pieces_are_the_whole(void **state)
{
    (void)state;
    const char *const paths[] = {"scenarios/quad-3090-blower/rig.xml", "scenarios/h100-4u/rig.xml", "scenarios/time-of-use-night/night.xml"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        wsk_rig *rig = wsk_test_rig_file(paths[i]);
        same_in_pieces(rig, 3 * 3600, paths[i]);
        wsk_rig_free(rig);
    }
    for (uint64_t seed = 1; seed <= (uint64_t)cases(); seed++) {
        char what[40];
        snprintf(what, sizeof what, "seed %llu", (unsigned long long)seed);
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed, .least_cards = 1});
        same_in_pieces(rig, 1200, what);
        wsk_rig_free(rig);
    }
}

/* A room that jumps at rest: the next step knows. */
static void test_room_jumps_at_rest(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/aio-4090/rig.xml");
    wsk_run *a = wsk_test_run(rig, WSK_STEPPER_FAST, 86400), *b = wsk_test_run(rig, WSK_STEPPER_FAST, 86400);
    b->whole = NULL;
    for (int t = 1; t <= 9000; t++) {
        if (t == 7200) {
            assert_int_equal(wsk_run_set(a, "room.air_c", 35), WSK_OK);
            assert_int_equal(wsk_run_set(b, "room.air_c", 35), WSK_OK);
        }
        wsk_test_advance(a, t);
        wsk_test_advance(b, t);
        for (int i = 0; i < a->net->n_node; i++)
            assert_true(fabs(a->t[i] - b->t[i]) <= 1e-6);
    }
    assert_true(wsk_test_get(a, "gpu0.inlet_c") >= 35);
    wsk_run_free(a);
    wsk_run_free(b);
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_matrix_is_the_kernel), cmocka_unit_test(test_matrix_on_scenarios),
                                       cmocka_unit_test(test_pieces_are_the_whole), cmocka_unit_test(test_room_jumps_at_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
