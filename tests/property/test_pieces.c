/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run gives the same result however it is divided into pieces and restored: values that the engine caches between
 * ticks must not affect it. */
#include <math.h>
#include <string.h>

#include "sim/control/control.h"
#include "tests/support/bench.h"

static int cases(void)
{
    return wsk_test_cases(60, 6);
}

/* Final state of a run that is advanced in pieces of piece_s. With `restore`, each piece is run by another run
 * object, which was at a different time before and is restored from a checkpoint. */
static char *state_of(const wsk_rig *rig, bool leap, double span_s, double piece_s, bool restore, size_t *len)
{
    const wsk_run_options o = {.duration_s = span_s, .leap = leap};
    wsk_run *run[2] = {NULL, NULL};
    int at = 0;
    for (int k = 0; k < 2; k++)
        assert_int_equal(wsk_run_new(&run[k], rig, &o), WSK_OK);
    for (double t = 0; t < span_s && wsk_test_try(run[at], fmin(t + piece_s, span_s));) {
        t = fmin(t + piece_s, span_s);
        if (!restore)
            continue;
        char *saved = wsk_test_save(run[at], len);
        at = 1 - at;
        assert_int_equal(wsk_run_restore(run[at], saved, *len), WSK_OK);
        wsk_text_free(saved);
    }
    char *saved = wsk_test_save(run[at], len);
    for (int k = 0; k < 2; k++)
        wsk_run_free(run[k]);
    return saved;
}

static void same_in_pieces(const wsk_rig *rig, bool leap, double span_s, double restore_s, const char *what)
{
    const struct {
        double piece_s;
        bool restore;
    } of[] = {{1, false}, {37.3, false}, {restore_s, true}};
    size_t len, length;
    char *once = state_of(rig, leap, span_s, span_s, false, &len);
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        char *saved = state_of(rig, leap, span_s, of[k].piece_s, of[k].restore, &length);
        if (length != len || memcmp(saved, once, len) != 0)
            fail_msg("%s: another state in pieces of %g s%s%s", what, of[k].piece_s,
                     of[k].restore ? ", restored" : "", leap ? ", leaping" : "");
        wsk_text_free(saved);
    }
    wsk_text_free(once);
}

/* One card shuts down while both cards wait for a checkpoint. */
static const char dies_waiting[] =
    "<rig><site supply='230 V' circuit='16 A'><room temperature='24 degC'/></site><chassis "
    "part='chassis/full-tower-8-slot'>"
    "<fan part='fan/generic-120-1500' at='front' count='3'/><fan part='fan/generic-120-1500' at='rear'/><psu "
    "part='psu/evga-1600-p2'/>"
    "<cpu part='cpu/xeon-w-2255'/><gpu part='gpu/rtx-3090-blower' slot='1' power-limit='200 W' "
    "target-temperature='95 degC' "
    "slowdown-temperature='96 degC' shutdown-temperature='90 degC' fan-fails-at='7600 s'/>"
    "<gpu part='gpu/rtx-3090-blower' slot='5' power-limit='200 W'/></chassis>"
    "<workload kind='training' class='training' checkpoint-every='2 h' checkpoint-takes='2 h'/><run for='4 h' "
    "step='1 s'/></rig>";

static void test_pieces_are_the_whole(void **state)
{
    (void)state;
    wsk_rig *dies = wsk_test_rig(dies_waiting, NULL);
    same_in_pieces(dies, false, 4 * 3600, 7, "a card goes off while all wait");
    wsk_rig_free(dies);
    const char *const paths[] = {"scenarios/quad-3090-blower/rig.xml", "scenarios/h100-4u/rig.xml",
                                 "scenarios/time-of-use-night/night.xml", "scenarios/bronze-vs-gold/gold-tier.xml",
                                 "scenarios/quad-3090-15a/280.xml"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        wsk_rig *rig = wsk_test_rig_file(paths[i]);
        same_in_pieces(rig, false, 3 * 3600, 41, paths[i]);
        same_in_pieces(rig, true, 3 * 3600, 41, paths[i]);
        wsk_rig_free(rig);
    }
    for (uint64_t seed = 1; seed <= (uint64_t)cases(); seed++) {
        char what[40];
        snprintf(what, sizeof what, "seed %llu", (unsigned long long)seed);
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed, .least_cards = 1});
        same_in_pieces(rig, seed % 3 == 0, 1200, 41, what);
        wsk_rig_free(rig);
    }
}

/* Impossible fan speeds end a run with an error. Restored to an earlier state, the run must continue as if the error
 * had not happened. Checkpoints of the workload at odd intervals give steps of many lengths, for each of which the
 * engine caches tables. */
static void test_no_solution_leaves_no_trace(void **state)
{
    (void)state;
    const char *sets[] = {"workload.kind=training", "workload.checkpoint-every=37.4 s",
                          "workload.checkpoint-takes=5.3 s"};
    wsk_rig *rig = NULL;
    assert_int_equal(wsk_rig_load(&rig, &(wsk_rig_options){.path = "scenarios/mining-frame/rig.xml",
                                                           .parts_dir = "parts",
                                                           .sets = sets,
                                                           .set_count = 3}),
                     WSK_OK);
    for (double at_s = 600; at_s < 620; at_s++) {
        wsk_run *run[2];
        char *before, *end[2];
        size_t len, length[2];
        for (int k = 0; k < 2; k++)
            run[k] = wsk_test_run(rig, WSK_STEPPER_FAST, 7200);
        wsk_test_advance(run[0], at_s);
        before = wsk_test_save(run[0], &len);
        run[0]->cards[0].pin_rpm = 1.43193e156;
        wsk_wake(run[0]);
        assert_int_equal(wsk_run_advance(run[0], at_s + 100), WSK_ENUMERIC);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(wsk_run_restore(run[k], before, len), WSK_OK);
            wsk_test_advance(run[k], at_s + 30);
            end[k] = wsk_test_save(run[k], &length[k]);
        }
        if (length[0] != length[1] || memcmp(end[0], end[1], length[0]) != 0)
            fail_msg("at %g s: another state after a failure", at_s);
        for (int k = 0; k < 2; k++) {
            wsk_text_free(end[k]);
            wsk_run_free(run[k]);
        }
        wsk_text_free(before);
    }
    wsk_rig_free(rig);
}

/* The room temperature is set while the controls of all cards are skipped. The run must continue like a run that was
 * just restored, which evaluates all controls anew. */
static void test_room_jumps_at_rest(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(dies_waiting, NULL);
    wsk_run *run[2];
    char *before, *end[2];
    size_t len, length[2];
    for (int k = 0; k < 2; k++)
        run[k] = wsk_test_run(rig, WSK_STEPPER_FAST, 86400);
    wsk_test_advance(run[0], 6030);
    assert_true(run[0]->now.quiet);
    before = wsk_test_save(run[0], &len);
    assert_int_equal(wsk_run_restore(run[1], before, len), WSK_OK);
    for (int k = 0; k < 2; k++) {
        const double inlet_c = wsk_test_get(run[k], "gpu0.inlet_c");
        assert_int_equal(wsk_run_set(run[k], "room.air_c", wsk_test_get(run[k], "room.air_c") + 10), WSK_OK);
        wsk_test_advance(run[k], 6031);
        assert_true(wsk_test_get(run[k], "gpu0.inlet_c") > inlet_c + 5);
        wsk_test_advance(run[k], 6300);
        end[k] = wsk_test_save(run[k], &length[k]);
    }
    assert_true(length[0] == length[1] && memcmp(end[0], end[1], length[0]) == 0);
    for (int k = 0; k < 2; k++) {
        wsk_text_free(end[k]);
        wsk_run_free(run[k]);
    }
    wsk_text_free(before);
    wsk_rig_free(rig);
}

static void test_restored_and_not_advanced(void **state)
{
    (void)state;
    wsk_rig *rig = NULL;
    assert_int_equal(
        wsk_rig_load(&rig, &(wsk_rig_options){.path = "scenarios/quad-3090-blower/rig.xml", .parts_dir = "parts"}),
        WSK_OK);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 7200), *other = wsk_test_run(rig, WSK_STEPPER_FAST, 7200);
    size_t len, length;
    wsk_test_advance(run, 3600);
    char *saved = wsk_test_save(run, &len);
    assert_int_equal(wsk_run_restore(other, saved, len), WSK_OK);
    assert_int_equal(wsk_run_advance(other, 3600), WSK_OK);
    assert_true(wsk_test_get(other, "wall_w") > 500 && wsk_test_get(other, "wall_w") == wsk_test_get(run, "wall_w"));
    char *again = wsk_test_save(other, &length);
    assert_true(length == len && memcmp(saved, again, len) == 0);
    wsk_text_free(saved);
    wsk_text_free(again);
    wsk_run_free(run);
    wsk_run_free(other);
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_are_the_whole), cmocka_unit_test(test_no_solution_leaves_no_trace),
        cmocka_unit_test(test_room_jumps_at_rest), cmocka_unit_test(test_restored_and_not_advanced)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
