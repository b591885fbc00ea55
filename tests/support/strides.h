/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs with strides, compared with runs that simulate every tick. */
#ifndef WSK_TESTS_STRIDES_H
#define WSK_TESTS_STRIDES_H
#include "sim/control/run.h"

wsk_run *wsk_test_start(const wsk_rig *rig, double duration_s, bool stride);
/* Compares the rig with and without strides. Returns the number of cycles skipped. Differences that are too large are
 * printed and counted; wsk_test_none_wrong fails if there were any. */
int64_t wsk_test_hold(const char *what, const wsk_rig *rig, double duration_s);
/* load: the rig in weather that is warmer by warmer_k; NULL if it does not load. */
typedef struct {
    wsk_rig *(*load)(const void *of, double warmer_k);
    const void *of;
} wsk_test_weather;
/* As wsk_test_hold, for a rig whose fans, governors or shutdowns are near a threshold: energy, cost, carbon, time
 * limited by heat and highest temperatures may also differ as much as between two tick-by-tick runs in slightly
 * different weather. */
int64_t wsk_test_hold_in(const char *what, const wsk_rig *rig, double duration_s, const wsk_test_weather *weather);
void wsk_test_none_wrong(void);
/* Prints the largest differences since the last call. */
void wsk_test_print_worst(const char *what);
/* Fails if in more than a twentieth of the runs an estimated error is below a third of the true one. */
void wsk_test_estimates(bool print);

/* Index of the account that is stored at this place of the run. Fails the test if there is none. */
int wsk_test_account_at(const wsk_run *run, const void *place);
/* Starts a run with strides of a rig with two cards whose room follows the time of day. workload: attributes. */
wsk_run *wsk_test_start_by_day(wsk_rig **rig, const char *workload, int days);
/* Runs the rig with strides, whole and in pieces that are saved and restored, and fails the test if it takes no stride
 * or both do not end with the same bytes. Returns these, *n of them; caller frees by wsk_text_free. */
char *wsk_test_pieces(const wsk_rig *rig, double end_s, double piece_s, size_t *n);
#endif
