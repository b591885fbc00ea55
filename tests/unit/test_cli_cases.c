/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/kit/cases.h"

#define RIG(time) \
    "<rig><chassis><psu kind='constant' rated='900 W' efficiency='90 %'/></chassis><run for='" time "' step='1 s'/>" \
    "</rig>"

static wsk_rig *load(const char *text)
{
    wsk_rig *rig = NULL;
    wsk_rig_options o = {.path = "-", .text = text, .text_len = strlen(text), .parts_dir = "parts"};
    assert_int_equal(wsk_rig_load(&rig, &o), WSK_OK);
    return rig;
}

static void an_interrupt_keeps_what_has_ended(void **state)
{
    (void)state;
    wsk_cli_simulation all[] = {{.rig = load(RIG("10 min"))}, {.rig = load(RIG("900 d"))}};
    wsk_run_options options = {.seed = 1};
    wsk_cli_catch_interrupts();
    raise(SIGINT);
    wsk_cli_simulate(all, 2, &options);
    assert_int_equal(all[0].code, WSK_OK);
    assert_non_null(all[0].summary);
    assert_int_equal(all[1].code, WSK_EINTERRUPTED);
    assert_null(all[1].summary);
    for (int i = 0; i < 2; i++) {
        wsk_summary_free(all[i].summary);
        wsk_rig_free((wsk_rig *)(uintptr_t)all[i].rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_interrupt_keeps_what_has_ended)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
