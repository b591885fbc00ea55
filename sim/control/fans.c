/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets the speed of each card's own fan by its fan curve. movers.c, which controls the other fans and pumps, uses
 * some of these functions. Theory: docs/theory/mover.md */
#include "sim/control/control.h"

#include <math.h>

double wsk_fan_reference(double before_k, double sensor_k, double hysteresis_k)
{
    double k = floor(sensor_k - WSK_KELVIN + 0.5) + WSK_KELVIN;
    return k > before_k ? k : k < before_k - hysteresis_k ? k + hysteresis_k : before_k;
}

void wsk_fan_band(double before_k, double hysteresis_k, double *low_k, double *high_k)
{
    const double edge_k = 1e-6, before = before_k - WSK_KELVIN;
    *low_k = ceil(before - hysteresis_k - edge_k) - 0.5 + edge_k + WSK_KELVIN;
    *high_k = floor(before + edge_k) + 0.5 - edge_k + WSK_KELVIN;
}

/* The rate of 5 % of full speed per second is assumed:
 * docs/theory/constants.md, "fan's ramp" */
double wsk_fan_ramp(double rpm, double target_rpm, double percent_rpm, double period_s)
{
    double most = floor(wsk_max(5 * period_s, 1)) * percent_rpm, change = target_rpm - rpm;
    return fabs(change) <= most ? target_rpm : rpm + (change > 0 ? most : -most);
}

/* The fan curve assumed for a cooler that has none: docs/theory/constants.md, "card fan without a curve" */
static wsk_curve plain_curve(const wsk_card *c)
{
    double quiet = wsk_max(c->rpm_min, 0.3 * c->rpm_max), target = c->gpu->target_k;
    return (wsk_curve){.count = 4,
                       .x = {50 + WSK_KELVIN, target - 8, target, target + 4},
                       .y = {quiet, 0.6 * c->rpm_max, 0.8 * c->rpm_max, c->rpm_max}};
}

wsk_curve wsk_card_curve(const wsk_card *c)
{
    return c->cooler->curve.count > 0 ? c->cooler->curve : plain_curve(c);
}

static double fan_target(const wsk_card *c, double die_k)
{
    if (c->cooler->curve.count > 0)
        return wsk_curve_at(&c->cooler->curve, die_k);
    const wsk_curve plain = plain_curve(c);
    return wsk_curve_at(&plain, die_k);
}

static double fan_goal(const wsk_card *c, double ref_k)
{
    double target = wsk_min(wsk_max(fan_target(c, ref_k), c->rpm_min), c->rpm_max), percent = c->rpm_max / 100;
    return floor(target / percent + 0.5) * percent;
}

/* Returns the next speed, rpm, on the way to the goal. The speed follows the goal with a first-order lag. It rises in
 * steps of 1 % of full speed and falls in steps of 3 %, because each step costs a solution of the flow network. The
 * search of a steady point has no lag.
 * docs/theory/governor.md, "Fans" */
static double slew(const wsk_run *run, const wsk_card *c, wsk_card_state *s, double rpm)
{
    const double percent = c->rpm_max / 100, goal = s->fan_goal_rpm, period = c->cooler->period_s;
    if (run->steady)
        return wsk_fan_ramp(rpm, goal, percent, period);
    if (fabs(s->fan_rpm - rpm) > 1.51 * percent)
        s->fan_rpm = rpm;
    s->fan_rpm +=
        (goal - s->fan_rpm) * period / (period + (goal > s->fan_rpm ? c->cooler->rise_s : c->cooler->fall_s));
    if (fabs(goal - s->fan_rpm) < percent / 2)
        s->fan_rpm = goal;
    const double step = goal < s->fan_rpm ? 3 * percent : percent;
    return s->fan_rpm == goal ? goal : floor(s->fan_rpm / step + 0.5) * step;
}

void wsk_control_fan(wsk_run *run, int i)
{
    const wsk_card *c = &run->net->cards[i];
    wsk_card_state *s = &run->cards[i];
    if (c->mover < 0 || run->movers[c->mover].failed || run->cases[c->in].cpu_off)
        return;
    double *rpm = &run->rpm[c->mover];
    if (!isnan(s->pin_rpm)) {
        *rpm = s->pin_rpm;
        return;
    }
    s->fan_next_ns = wsk_in_step(run, s->fan_next_ns, c->fan_period_ns);
    if (run->head->t_ns < s->fan_next_ns)
        return;
    s->fan_next_ns = wsk_next_decision_ns(run->head->t_ns, c->fan_period_ns);
    double ref = wsk_fan_reference(s->fan_ref_k, s->die_k, c->cooler->hysteresis_k);
    if (ref != s->fan_ref_k || isnan(s->fan_goal_rpm))
        s->fan_goal_rpm = fan_goal(c, ref);
    s->fan_ref_k = ref;
    if (*rpm != s->fan_goal_rpm)
        *rpm = slew(run, c, s, *rpm);
}

bool wsk_fan_rests(const wsk_run *run, int card)
{
    const wsk_card *c = &run->net->cards[card];
    const wsk_card_state *s = &run->cards[card];
    if (c->mover < 0 || run->movers[c->mover].failed || !isnan(s->pin_rpm))
        return true;
    double ref = wsk_fan_reference(s->fan_ref_k, wsk_die_k(run, c, s), c->cooler->hysteresis_k);
    return ref == s->fan_ref_k && run->rpm[c->mover] == fan_goal(c, ref);
}
