/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_TESTS_WORKLOADS_H
#define WSK_TESTS_WORKLOADS_H
#include "tests/support/bench.h"

/* A chassis with no effect on temperatures, so that cards do not warm each other. CARD: a card whose power depends on
 * its clock only. */
#define RIG(cards, workload) RIG_AT("25 degC", cards, workload)
#define RIG_AT(room, cards, workload) \
    "<rig><site><room temperature='" room "'/></site><chassis slots='20' intake-loss='0' wall-gap='1 m'>" \
    "<vent at='side' area='100 m2'/><vent at='side' area='100 m2'/><vent at='front' area='100 m2'/>" \
    "<fan at='front' diameter='1 m' pressure='10 Pa' flow='20 m3/s' rpm='100 rpm' power='0 W'/>" cards \
    "</chassis>" workload "<run for='1 h'/></rig>"
#define CARD(slot, more) CARD_THAT_LEAKS("0 W", slot, more)
#define CARD_THAT_LEAKS(leakage, slot, more) \
    "<gpu slot='" slot "' tdp='300 W' power-limit-min='90 W' idle='20 W' clock-max='1800 MHz' clock-knee='1200 MHz'" \
    " voltage-slope='0.5 1/GHz' leakage='" leakage \
    "' boost-loss='0 MHz/K' target-temperature='80 degC' waiting='0.3' " more \
    "><class name='training' p0='60 W' c='110 W/GHz' clock-share='0.83'/>" \
    "<cooler kind='blower' conductance='20 W/K' flow='60 m3/h' drop='120 Pa' fan-pressure='400 Pa' fan-flow='80 " \
    "m3/h'" \
    " fan-rpm='3000 rpm' rpm-min='2900 rpm' capacity='200 J/K'/></gpu>"
#define FOUR(a, b, c, d) CARD("1", a) CARD("5", b) CARD("9", c) CARD("13", d)

static inline double work_s(const wsk_run *run, int card)
{
    return wsk_sum_value(&run->cards[card].work);
}

#endif
