/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_TESTS_SUPPLIES_H
#define WSK_TESTS_SUPPLIES_H
#include "tests/support/bench.h"

#define PSU "<psu kind='constant' rated='1000 W' efficiency='90 %'"
#define RIG(site, supplies, loads) \
    "<rig><site " site "><room temperature='21 degC'/></site><chassis><vent at='front' area='900 cm2'/><vent " \
    "at='rear' area='900 cm2'/>" supplies loads "</chassis><run for='2 h'/></rig>"

static inline wsk_run *after(const char *xml, double seconds, wsk_rig **rig)
{
    *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(*rig, WSK_STEPPER_FAST, 7200);
    wsk_test_advance(run, seconds);
    return run;
}

#endif
