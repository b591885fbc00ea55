/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rigs and runs for tests: what cannot be made fails the test and says why. */
#ifndef WSK_TESTS_BENCH_H
#define WSK_TESTS_BENCH_H
#include "sim/control/run.h"
#include "tests/support/random_rig.h"
#include "tests/unit/assert.h"

/* A rig from text, with one assignment or NULL. The rig is also a valid argument after a failure of loading. */
wsk_rig *wsk_test_rig(const char *xml, const char *set);
wsk_rig *wsk_test_rig_file(const char *path);
wsk_rig *wsk_test_random(const wsk_random_rig_spec *spec);
wsk_run *wsk_test_run(const wsk_rig *rig, wsk_stepper stepper, double duration_s);
/* Advances and fails with the engine's words when that is not WSK_OK. */
void wsk_test_advance(wsk_run *run, double until_s);
/* The same, but false where the run ended as it may: a part left the model's range, and the engine says which. */
bool wsk_test_try(wsk_run *run, double until_s);
/* Value of a variable or node; fails when there is none. */
double wsk_test_get(const wsk_run *run, const char *name);
/* The state as bytes, freed with wsk_text_free. */
char *wsk_test_save(const wsk_run *run, size_t *len);
/* The summary with every number but wall_clock_s, which is 0. */
char *wsk_test_summary(const wsk_run *run);
/* Number of cases: `full`, or `few` when WATTSINK_SHORT is set (slow builds), or `full` so many times as WATTSINK_SOAK says. */
int wsk_test_cases(int full, int few);

#endif
