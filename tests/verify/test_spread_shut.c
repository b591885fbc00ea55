/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Effects of errors that keep on a card which the unchanged rig shuts down. Theory: docs/theory/uncertainty.md */
#include <math.h>

#include "sim/step/step.h"
#include "sim/study/spread/spread.h"
#include "tests/support/bench.h"

/* Two cards 3 mm apart in a warm room: one shuts down from heat, and the job stops. Dozens of errors each keep it on. */
static const char closet[] =
    "<rig><site supply='230 V'><room volume='8 m3' conductance='15 W/K'><outdoor mean='22 degC'/></room></site>"
    "<chassis part='chassis/mid-tower'><fan part='fan/generic-120-1500' at='front' count='3'/>"
    "<fan part='fan/generic-120-1500' at='rear'/><psu part='psu/tier-gold-1000'/><cpu part='cpu/generic-desktop'/>"
    "<gpu part='gpu/rtx-3090' slot='1'/><gpu part='gpu/rtx-3090' slot='4'/></chassis>"
    "<workload kind='training' class='training'/></rig>";

/* All of them together add the power and the noise of the working cards once, not once for each error. */
static void test_cards_come_back_once(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(closet, NULL);
    wsk_arena *arena = wsk_arena_new();
    wsk_spreads s;
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 10);
    assert_int_equal(wsk_spreads_solve(&s, arena, run->net, WSK_STEPPER_FAST), WSK_OK);
    assert_true(s.base.shut > 0);
    int back = 0;
    double loudest_db = 0, most_rel = 0;
    for (int i = 0; i < s.n_source; i++) {
        const wsk_spread_source *src = &s.sources[i];
        back += fmax(src->lowered.site_rel, src->raised.site_rel) > 1;
        most_rel = fmax(most_rel, fmax(src->lowered.site_rel, src->raised.site_rel));
        loudest_db = fmax(loudest_db, fmax(src->lowered.noise_db, src->raised.noise_db));
    }
    assert_true(back > 5 && loudest_db > 10);
    if (!(s.above.site_rel >= most_rel && s.above.site_rel < 1.5 * most_rel))
        fail_msg("one error adds %.3f of the power, all together %.3f", most_rel, s.above.site_rel);
    if (!(s.above.noise_db >= loudest_db && s.above.noise_db < loudest_db + 6))
        fail_msg("one error adds %.1f dB, all together %.1f", loudest_db, s.above.noise_db);
    wsk_run_free(run);
    wsk_arena_free(arena);
    wsk_rig_free(rig);
}

/* Where each of several errors shuts a card down, the noise falls once. */
static void test_cards_fall_silent_once(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(closet, "gpu[*].power-limit=300 W");
    wsk_arena *arena = wsk_arena_new();
    wsk_spreads s;
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 10);
    assert_int_equal(wsk_spreads_solve(&s, arena, run->net, WSK_STEPPER_FAST), WSK_OK);
    assert_int_equal(s.base.shut, 0);
    int silent = 0;
    double most_db = 0;
    for (int i = 0; i < s.n_source; i++) {
        const double by_db = -fmin(s.sources[i].lowered.noise_db, s.sources[i].raised.noise_db);
        silent += by_db > 10;
        most_db = fmax(most_db, by_db);
    }
    assert_true(silent > 5);
    if (!(s.below.noise_db >= most_db && s.below.noise_db < most_db + 6))
        fail_msg("one error takes %.1f dB, all together %.1f", most_db, s.below.noise_db);
    wsk_run_free(run);
    wsk_arena_free(arena);
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cards_come_back_once),
                                       cmocka_unit_test(test_cards_fall_silent_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
