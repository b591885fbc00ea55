/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A card that no other part warms. Governors are the controls that lower its clock. */
#ifndef WSK_TESTS_GOVERNORS_H
#define WSK_TESTS_GOVERNORS_H
#include <string.h>

#include "tests/support/bench.h"

/* Cards far apart in free air: only its own cooler affects a card's temperature. */
#define RIG(cards, workload, run) \
    "<rig><site><room temperature='25 degC'/></site><chassis slots='20' intake-loss='0' wall-gap='1 m'>" \
    "<vent at='side' area='100 m2'/><vent at='side' area='100 m2'/><vent at='front' area='100 m2'/>" \
    "<fan at='front' diameter='1 m' pressure='10 Pa' flow='20 m3/s' rpm='100 rpm' power='0 W'/>" cards \
    "</chassis>" workload run "</rig>"
#define BLOWER(conductance) \
    "<cooler kind='blower' conductance='" conductance \
    "' flow='60 m3/h' drop='120 Pa' fan-pressure='400 Pa' fan-flow='80 m3/h'" \
    " fan-rpm='3000 rpm' rpm-min='2900 rpm' capacity='200 J/K'/>"
#define CARD(more, inside) \
    "<gpu slot='1' tdp='300 W' power-limit-min='90 W' idle='20 W' clock-max='1800 MHz' clock-knee='1200 MHz'" \
    " voltage-slope='0.5 1/GHz' " more "><class name='training' p0='60 W' c='110 W/GHz' clock-share='0.83'/>" inside \
    "</gpu>"
#define WORK "<workload kind='constant' class='training'/>"
#define HOUR "<run for='1 h'/>"
#define PLAIN(more) RIG(CARD(more, BLOWER("20 W/K")), WORK, HOUR)

static inline bool told(wsk_run *run, const char *what)
{
    char *text = NULL;
    assert_int_equal(wsk_run_events_csv(run, false, &text), WSK_OK);
    bool found = strstr(text, what) != NULL;
    wsk_text_free(text);
    return found;
}

#endif
