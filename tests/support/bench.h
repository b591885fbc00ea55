/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_TESTS_BENCH_H
#define WSK_TESTS_BENCH_H
#include "sim/control/run.h"
#include "tests/support/random_rig.h"
#include "tests/unit/assert.h"

wsk_rig *wsk_test_rig(const char *xml, const char *set);
wsk_rig *wsk_test_rig_sets(const char *xml, const char *const *sets, size_t count);
wsk_rig *wsk_test_rig_file(const char *path);
wsk_rig *wsk_test_random(const wsk_random_rig_spec *spec);
wsk_run *wsk_test_run(const wsk_rig *rig, wsk_stepper stepper, double duration_s);
void wsk_test_advance(wsk_run *run, double until_s);
/* Loads a rig from XML text and runs it to span_s. Free the run and the rig with wsk_test_drop. */
wsk_run *wsk_test_run_to(const char *xml, double span_s, wsk_rig **rig);
void wsk_test_drop(wsk_run *run, wsk_rig *rig);
/* Number of times that a text occurs in the run's events.csv. */
int wsk_test_events(wsk_run *run, const char *what);
/* Returns false if the run stopped because a part left the range of the model. */
bool wsk_test_try(wsk_run *run, double until_s);
/* A variable of the run by name, else the temperature of the node with this name; the test fails if there is
 * neither. */
double wsk_test_get(const wsk_run *run, const char *name);
/* The run's checkpoint as bytes; free with wsk_text_free. */
char *wsk_test_save(const wsk_run *run, size_t *len);
/* The run's JSON summary with wall_clock_s set to 0, since the computing time differs between equal runs. */
char *wsk_test_summary(const wsk_run *run);
/* Free with wsk_text_free. */
char *wsk_test_check(const wsk_rig *rig);
/* The page of a catalogue part in English; free with wsk_text_free. The test fails if the part has mistakes. */
char *wsk_test_part(const char *id);
/* Number of random cases: `few` if WATTSINK_SHORT is set (slow builds), else `full` times WATTSINK_SOAK (1 if not
 * set). */
int wsk_test_cases(int full, int few);

#endif
