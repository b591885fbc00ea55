/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proposes to restore parts that the rig file states as slow, dirty or worn: fans and pumps below their full speed,
 * blocked filters, dried paste and pads. */
#include <math.h>

#include "sim/study/advice/propose.h"

/* Sets a fan or pump that runs below its full speed `rpm`, or follows a sensor, to its full speed. element: "fan" or
 * "pump". */
static void speed_up(wsk_maker *m, wsk_variant *v, const wsk_elem *e, const char *element, double rpm,
                     double speed_rpm, double share, int sensor)
{
    if (speed_rpm < rpm)
        wsk_variant_set(m->arena, v, wsk_printf(m->arena, "%s[%s].speed", element, e->id), rpm, " rpm");
    else if (isnan(speed_rpm) && share < 1)
        wsk_variant_put(v, wsk_printf(m->arena, "%s[%s].duty=100%%", element, e->id));
    if (sensor != WSK_SENSE_NONE)
        wsk_variant_put(v, wsk_printf(m->arena, "%s[%s].sensor=none", element, e->id));
}

static void speed_up_fans(wsk_maker *m, wsk_variant *v, const wsk_elem *in)
{
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(in, "fan", e)) != NULL;) {
        const wsk_fan_params *f = e->params;
        speed_up(m, v, e, "fan", f->rpm, f->speed_rpm, f->speed_share, f->control.sensor);
    }
}

static void propose_speeds(wsk_maker *m)
{
    wsk_variant *v = wsk_variant_open(m, WSK_BY_SPEED, WSK_SAID(WSK_SAY_CHANGE_FULL_FANS));
    for (int i = 0; i < m->net->n_case; i++)
        speed_up_fans(m, v, m->net->cases[i].elem);
    wsk_variant_close(m);
    v = wsk_variant_open(m, WSK_BY_SPEED, WSK_SAID(WSK_SAY_CHANGE_FULL_LOOP));
    for (int i = 0; i < m->net->n_circuit; i++) {
        const wsk_elem *loop = m->net->circuits[i].params ? m->net->circuits[i].elem : NULL;
        for (const wsk_elem *e = NULL; loop && (e = wsk_elem_child(loop, "pump", e)) != NULL;) {
            const wsk_pump_params *p = e->params;
            speed_up(m, v, e, "pump", p->rpm, p->speed_rpm, p->speed_share, p->control.sensor);
        }
        for (const wsk_elem *r = NULL; loop && (r = wsk_elem_child(loop, "radiator", r)) != NULL;)
            speed_up_fans(m, v, r);
    }
    wsk_variant_close(m);
}

static void propose_cleaning(wsk_maker *m)
{
    wsk_variant *v = wsk_variant_open(m, WSK_BY_CARE, WSK_SAID(WSK_SAY_CHANGE_CLEAN));
    for (int i = 0; i < m->net->n_case; i++)
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(m->net->cases[i].elem, "fan", e)) != NULL;)
            if (((const wsk_fan_params *)e->params)->blocked > 0)
                wsk_variant_put(v, wsk_printf(m->arena, "fan[%s].blocked=0%%", e->id));
    wsk_variant_close(m);
}

/* Time between two cleanings that is proposed, s: this one, or half of a run that is shorter than two
 * (docs/theory/constants.md, "cleaning in advice") */
static const double clean_every_s = 90 * 86400.0;

/* Cleans cases that are dusty at the start of the run, and those in which dust gathers. Dust then rises from 0 at the
 * start to what gathers between two cleanings at the end of the run, so that its mean and its end are those of a case
 * cleaned at that interval. */
static void propose_dusting(wsk_maker *m)
{
    const double every_s = fmin(clean_every_s, m->dust_s / 2);
    wsk_variant *v = wsk_variant_open(m, WSK_BY_CARE,
                                      every_s > 0 ? WSK_SAID(WSK_SAY_CHANGE_DUST_OFTEN, ceil(every_s / 86400))
                                                  : WSK_SAID(WSK_SAY_CHANGE_DUST_OUT));
    for (int i = 0; i < m->net->n_case; i++) {
        const wsk_chassis_params *p = m->net->cases[i].params;
        const char *id = m->net->cases[i].elem->id;
        const bool gathers = every_s > 0 && p->dust > 0;
        if (p->dust_start > 0 || gathers)
            wsk_variant_put(v, wsk_printf(m->arena, "chassis[%s].dust-start=0%%", id));
        if (gathers)
            wsk_variant_set(m->arena, v, wsk_printf(m->arena, "chassis[%s].dust", id),
                            100 * p->dust * every_s / m->dust_s, "%");
    }
    wsk_variant_close(m);
}

static void propose_paste(wsk_maker *m)
{
    wsk_variant *v = wsk_variant_open(m, WSK_BY_PASTE, WSK_SAID(WSK_SAY_CHANGE_PASTE));
    for (int i = 0; i < m->net->n_card; i++) {
        const wsk_card *c = &m->net->cards[i];
        if (c->gpu->mount > 1)
            wsk_variant_put(v, wsk_printf(m->arena, "gpu[%s].mount=1", c->id));
        if (c->gpu->pads > 1)
            wsk_variant_put(v, wsk_printf(m->arena, "gpu[%s].pads=1", c->id));
    }
    wsk_variant_close(m);
}

void wsk_propose_restore(wsk_maker *m)
{
    propose_speeds(m);
    propose_cleaning(m);
    propose_dusting(m);
    propose_paste(m);
}
