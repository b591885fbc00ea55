/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines that do not influence each other, in a room of fixed temperature, must each have the results of one machine
 * alone, however many there are. With each number the arrays of the network grow at other moments of its build. */
#include <math.h>

#include "sim/base/base.h"
#include "tests/support/bench.h"
#include "wattsink_summary.h"

#define DESK(gpu) \
    "part='chassis/mid-tower-mesh'><fan part='fan/generic-140-1200' at='front' count='2'/>" \
    "<fan part='fan/generic-140-1200' at='rear'/><psu part='psu/tier-gold-850'/><cpu " \
    "part='cpu/generic-desktop'/>" gpu
#define LIMIT " power-limit='250 W'/>"
static const char *const machines[] = {
    DESK("<gpu part='gpu/a40' slot='1' power='60 W'/>"), /* a passive card in the jet of a front fan */
    DESK("<gpu part='gpu/rtx-3090-blower' slot='1'" LIMIT),
    DESK("<gpu part='gpu/rtx-3090-open-air' slot='1'" LIMIT "<gpu part='gpu/rtx-3090-open-air' slot='4'" LIMIT),
    DESK("<gpu part='gpu/rtx-4090' slot='1' power='250 W'><cooler part='cooler/rtx-4090-aio-360'/></gpu>"),
    "part='chassis/full-tower-8-slot'><psu part='psu/tier-gold-1200'/>"
    "<gpu part='gpu/rtx-3090-open-air' slot='1' power='250 W'><cooler part='cooler/block-rtx-3090'/></gpu>"
    "<loop part='loop/custom-2x360'/>",
    "part='chassis/server-4u-8gpu'><psu part='psu/tier-titanium-1600' rated='6400 W'/>"
    "<gpu part='gpu/a40' slot='1'" LIMIT "<gpu part='gpu/a40' slot='3'" LIMIT "<gpu part='gpu/a40' slot='5'" LIMIT,
    "part='chassis/mining-frame-8'><psu part='psu/tier-gold-1200'/><gpu part='gpu/rtx-3090-open-air' slot='1'" LIMIT
    "<gpu part='gpu/rtx-3090-open-air' slot='2'" LIMIT};
enum { KINDS = sizeof machines / sizeof *machines };

static wsk_summary *settle(const char *machine, int count)
{
    wsk_buf b = {0};
    wsk_summary *s = NULL;
    wsk_buf_printf(&b, "<rig name='room'><site supply='230 V' circuit='1000 A'><room temperature='24 degC'/></site>");
    for (int i = 0; i < count; i++)
        wsk_buf_printf(&b, "<chassis id='m%d' %s</chassis>", i, machine);
    wsk_buf_printf(&b, "<workload kind='constant' class='training'/><run for='1 h'/></rig>");
    wsk_rig *rig = wsk_test_rig(b.data, NULL);
    assert_int_equal(wsk_steady_point(&s, rig, WSK_STEPPER_FAST, WSK_POINT_ALONE, NULL, NULL), WSK_OK);
    wsk_rig_free(rig);
    wsk_buf_free(&b);
    return s;
}

static void machines_do_not_disturb_each_other(void **state)
{
    (void)state;
    static const wsk_result results[] = {WSK_R_GPU_DIE_MAX, WSK_R_GPU_MEMORY_MAX, WSK_R_GPU_POWER_MEAN};
    for (int kind = 0; kind < KINDS; kind++) {
        wsk_summary *one = settle(machines[kind], 1);
        const size_t cards = wsk_summary_count(one, WSK_SCOPE_GPU);
        for (int n = 2; n <= 24; n += n < 12 ? 1 : 4) {
            wsk_summary *all = settle(machines[kind], n);
            assert_int_equal(wsk_summary_count(all, WSK_SCOPE_GPU), cards * (size_t)n);
            for (size_t r = 0; r < sizeof results / sizeof *results; r++)
                for (size_t i = 0; i < cards * (size_t)n; i++) {
                    const double is = wsk_summary_number(all, results[r], i),
                                 alone = wsk_summary_number(one, results[r], i % cards);
                    if (!(fabs(is - alone) < 1e-3))
                        print_message("kind %d, %d machines, card %zu: %.6f, alone %.6f\n", kind, n, i, is, alone);
                    assert_true(fabs(is - alone) < 1e-3);
                }
            wsk_summary_free(all);
        }
        wsk_summary_free(one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(machines_do_not_disturb_each_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
