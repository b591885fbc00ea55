/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_CHECK_H
#define WSK_CHECK_H
#include "sim/base/said.h"
#include "sim/control/run.h"

/* Appends what `check` prints of a compiled rig: fit, sizing, the largest uncertainties, a count of its inputs by source. */
void wsk_check_report(const wsk_net *net, wsk_lines *out);
/* Appends the inputs by source, and each assumed one with its reason and spread. */
void wsk_check_sources(const wsk_net *net, wsk_lines *out);
/* Appends a line of advice. */
static inline void wsk_check_advise(wsk_lines *out, const wsk_said *advice)
{
    wsk_lines_add(out, 2, WSK_SAID(WSK_SAY_CHECK_ADVICE, advice));
}

/* Its section on supplies, plugs, circuit and rules of thumb (sizing.c). */
void wsk_sizing_report(const wsk_net *net, wsk_lines *out);

/* What sizing finds of a chassis: what its supplies may give together, the largest load of one over what it may give, the
 * chance that one trips within a day; redundant ones, and the load of those that are left when one is lost. */
typedef struct {
    double rated_w, load, trip, lost;
    int redundant;
} wsk_sized;
/* The rules of thumb for chassis `in`; steady: the solved steady point, NULL where there is none (rules.c). */
void wsk_rules_report(const wsk_net *net, const wsk_run *steady, int in, const wsk_sized *sized, wsk_lines *out);
/* Of a solved steady point: heat slows or stops that card. */
bool wsk_held_by_heat(const wsk_run *steady, int card);

#endif
