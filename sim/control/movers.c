/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fans and pumps (movers) of the machine, the dust of a case, and the failure of the air conditioner. Theory:
 * docs/theory/mover.md */
#include <math.h>
#include <string.h>

#include "sim/control/run.h"
#include "sim/control/control.h"

static double hottest_die_k(const wsk_run *run, int in)
{
    double k = 0;
    for (int i = 0; i < run->net->n_card; i++)
        if (run->net->cards[i].in == in)
            k = wsk_max(k, run->cards[i].die_k);
    return k;
}

static double sensed_gpu_k(const wsk_run *run, const wsk_mover *m)
{
    double hottest_k = hottest_die_k(run, m->in), total_w = 0;
    if (m->control->load_curve.count == 0)
        return hottest_k;
    for (int i = 0; i < run->net->n_card; i++)
        if (run->net->cards[i].in == m->in)
            total_w += run->cards[i].power_w;
    return wsk_max(hottest_k, wsk_curve_at(&m->control->load_curve, total_w));
}

static double sensed_k(const wsk_run *run, const wsk_mover *m)
{
    const wsk_case *c = &run->net->cases[m->in];
    double k;
    switch (m->control->sensor) {
    case WSK_SENSE_GPU: k = sensed_gpu_k(run, m); break;
    case WSK_SENSE_CPU: k = wsk_cpu_k(run, c); break;
    case WSK_SENSE_COOLANT: k = run->t[m->coolant]; break;
    default: k = run->t[run->net->flow_node[c->flow_in]];
    }
    return k;
}

/* Returns the controller's curve, or an assumed one if the rig gives none:
 * docs/theory/constants.md, "chassis fan without a curve" */
const wsk_curve *wsk_mover_curve(const wsk_control_params *p)
{
    static const wsk_curve chips = {.count = 2, .x = {40 + WSK_KELVIN, 80 + WSK_KELVIN}, .y = {0.3, 1}},
                           streams = {.count = 2, .x = {25 + WSK_KELVIN, 45 + WSK_KELVIN}, .y = {0.3, 1}};
    if (p->curve.count > 0)
        return &p->curve;
    return p->sensor == WSK_SENSE_GPU || p->sensor == WSK_SENSE_CPU ? &chips : &streams;
}

static double find_goal(const wsk_mover *m, double ref_k)
{
    double share = wsk_max(wsk_curve_at(wsk_mover_curve(m->control), ref_k), m->control->minimum);
    return wsk_min(floor(100 * share + 0.5) * (m->ref_rpm / 100), m->rpm0);
}

bool wsk_mover_rests(const wsk_run *run, int i)
{
    const wsk_mover *m = &run->net->movers[i];
    const wsk_mover_state *s = &run->movers[i];
    if (i == run->net->cases[m->in].dust || !m->control || s->failed || !isnan(s->pin_rpm) ||
        run->cases[m->in].cpu_off)
        return true;
    double ref = wsk_fan_reference(s->ref_k, sensed_k(run, m), m->control->hysteresis_k);
    return ref == s->ref_k && run->rpm[i] == find_goal(m, ref);
}

static bool follow_sensor(wsk_run *run, int i)
{
    const wsk_mover *m = &run->net->movers[i];
    wsk_mover_state *s = &run->movers[i];
    const wsk_control_params *p = m->control;
    if (!isnan(s->pin_rpm))
        run->rpm[i] = s->pin_rpm;
    if (!isnan(s->pin_rpm) || run->head->t_ns < s->next_ns)
        return false;
    s->next_ns = run->head->t_ns + (int64_t)(p->period_s * 1e9);
    s->ref_k = wsk_fan_reference(s->ref_k, sensed_k(run, m), p->hysteresis_k);
    double target = find_goal(m, s->ref_k);
    bool moves = target != run->rpm[i];
    run->rpm[i] = wsk_fan_ramp(run->rpm[i], target, m->ref_rpm / 100, p->period_s);
    return moves;
}

void wsk_book_failure(wsk_run *run, const char *component, wsk_what what, wsk_why why)
{
    if (run->head->failed_ns < 0)
        run->head->failed_ns = run->head->t_ns;
    wsk_event(run, component, what, why);
}

void wsk_fail_mover(wsk_run *run, int i, wsk_why why)
{
    if (run->movers[i].failed)
        return;
    run->movers[i].failed = 1;
    run->rpm[i] = 0;
    wsk_book_failure(run, run->net->movers[i].name, WSK_WHAT_FAILS, why);
}

static double plain_rpm(const wsk_run *run, int i)
{
    return isnan(run->movers[i].pin_rpm) ? run->net->movers[i].rpm0 : run->movers[i].pin_rpm;
}

void wsk_mend_mover(wsk_run *run, int i)
{
    if (!run->movers[i].failed)
        return;
    run->movers[i].failed = 0;
    run->movers[i].mended = wsk_fails_now(run, run->net->movers[i].fails_ns);
    if (!run->cases[run->net->movers[i].in].cpu_off)
        run->rpm[i] = plain_rpm(run, i);
    wsk_event(run, run->net->movers[i].name, WSK_WHAT_RETURNS, WSK_WHY_COMMAND);
}

void wsk_start_movers(wsk_run *run, int in)
{
    for (int i = 0; i < run->net->n_mover; i++)
        if (run->net->movers[i].in == in && i != run->net->cases[in].dust && !run->movers[i].failed)
            run->rpm[i] = plain_rpm(run, i);
}

static void fail_mover(wsk_run *run, int i)
{
    if (!run->movers[i].mended && wsk_fails_now(run, run->net->movers[i].fails_ns))
        wsk_fail_mover(run, i, WSK_WHY_SCHEDULED);
}

void wsk_fail_cooling(wsk_run *run, wsk_why why)
{
    if (run->head->ac_failed)
        return;
    run->head->ac_failed = 1;
    wsk_book_failure(run, "air-conditioner", WSK_WHAT_FAILS, why);
}

void wsk_mend_cooling(wsk_run *run)
{
    if (!run->head->ac_failed)
        return;
    run->head->ac_failed = 0;
    run->head->ac_mended = wsk_fails_now(run, run->net->ac_fails_ns);
    wsk_event(run, "air-conditioner", WSK_WHAT_RETURNS, WSK_WHY_COMMAND);
}

static void fail_cooling(wsk_run *run)
{
    if (!run->head->ac_mended && wsk_fails_now(run, run->net->ac_fails_ns))
        wsk_fail_cooling(run, WSK_WHY_SCHEDULED);
}

/* Updates the share of filters and fins that dust blocks. The share is stored in run->rpm[], where the dust of a case
 * has an entry like a mover. It changes in steps of 0.5 %, so that the flow is rarely solved again. */
static void gather_dust(wsk_run *run, const wsk_case *c)
{
    const wsk_chassis_params *p = c->params;
    double share = p->dust_start + (run->steady ? 0 : p->dust * (double)run->head->t_ns / 1e9 / p->dust_time_s);
    run->rpm[c->dust] = wsk_min(floor(share * 200 + 1e-9) / 200, 0.95);
}

static void tell_change(wsk_run *run, int i)
{
    static const wsk_why by_sensor[] = {[WSK_SENSE_GPU] = WSK_WHY_SENSOR_GPU,
                                        [WSK_SENSE_CPU] = WSK_WHY_SENSOR_CPU,
                                        [WSK_SENSE_INLET] = WSK_WHY_SENSOR_INLET,
                                        [WSK_SENSE_COOLANT] = WSK_WHY_SENSOR_COOLANT};
    const wsk_mover *m = &run->net->movers[i];
    wsk_mover_state *s = &run->movers[i];
    if (s->failed || fabs(run->rpm[i] - s->logged_rpm) < 0.2 * m->ref_rpm)
        return;
    wsk_event(run, m->name, run->rpm[i] > s->logged_rpm ? WSK_WHAT_FAN_FASTER : WSK_WHAT_FAN_SLOWER,
              by_sensor[m->control->sensor]);
    s->logged_rpm = run->rpm[i];
}

static void stop_movers(wsk_run *run)
{
    const wsk_net *net = run->net;
    for (int c = 0; c < net->n_case; c++)
        for (int i = 0; run->cases[c].cpu_off && i < net->n_mover; i++)
            if (net->movers[i].in == c && i != net->cases[c].dust) /* the "speed" of dust is a blocked share */
                run->rpm[i] = 0;
}

bool wsk_movers_make(wsk_run *run)
{
    const wsk_net *net = run->net;
    size_t bytes = ((size_t)net->n_mover + 1) * sizeof(int);
    run->driven = wsk_alloc(run->arena, bytes);
    run->powered = wsk_alloc(run->arena, bytes);
    for (int i = 0; run->driven && run->powered && i < net->n_mover; i++) {
        const wsk_mover *m = &net->movers[i];
        if (i != net->cases[m->in].dust && (m->control || m->fails_ns >= 0))
            run->driven[run->n_driven++] = i;
        if (m->power_w > 0)
            run->powered[run->n_powered++] = i;
    }
    run->moving = run->n_driven > 0;
    for (int i = 0; i < net->n_case; i++)
        run->moving = run->moving || net->cases[i].dust >= 0;
    return run->driven && run->powered;
}

void wsk_control_movers(wsk_run *run)
{
    const wsk_net *net = run->net;
    fail_cooling(run);
    for (int i = 0; i < net->n_case; i++)
        if (net->cases[i].dust >= 0)
            gather_dust(run, &net->cases[i]);
    for (int k = 0; k < run->n_driven; k++) {
        int i = run->driven[k];
        fail_mover(run, i);
        if (net->movers[i].control && !run->movers[i].failed && !run->cases[net->movers[i].in].cpu_off &&
            follow_sensor(run, i))
            tell_change(run, i);
    }
    stop_movers(run);
    wsk_mover_watts(run);
}

/* Factor of the sound power at relative speed nu: 55 log10(nu) dB is nu^5.5. The factor is computed by products and a
 * square root, because these give the same bits on each machine. */
static double loudness(double nu)
{
    double n2 = nu * nu;
    return n2 * n2 * nu * sqrt(nu);
}

static double mover_watts(const wsk_mover *m, double rpm)
{
    return m->power_w > 0 && rpm > 0 ? m->power_w * pow(rpm / m->ref_rpm, m->power_exponent) : 0;
}

static double mover_noise(const wsk_mover *m, double rpm)
{
    return m->noise_p > 0 ? m->noise_p * loudness(rpm / m->ref_rpm) : 0;
}

void wsk_mover_watts(wsk_run *run)
{
    const wsk_net *net = run->net;
    double noise_p = 0;
    if (memcmp(run->rpm, run->mover_rpm, (size_t)net->n_mover * sizeof(double)) == 0)
        return;
    run->now.stirred = true;
    for (int i = 0; i < net->n_mover; i++) {
        const wsk_mover *m = &net->movers[i];
        double rpm = run->rpm[i];
        if (rpm != run->mover_rpm[i]) {
            run->mover_rpm[i] = rpm;
            run->mover_w[i] = mover_watts(m, rpm);
            run->mover_noise_p[i] = mover_noise(m, rpm);
        }
        noise_p += run->mover_noise_p[i];
    }
    if (noise_p == run->noise_p)
        return;
    run->noise_p = noise_p;
    run->noise_dba = wsk_dba(noise_p);
}

double wsk_dba(double noise_p)
{
    return noise_p > 1 ? 10 * log10(noise_p) : 0;
}

/* Uses the speed of the steps that are booked, run->flows->rpm, not run->rpm, which the controls of the next tick may
 * already have changed. */
void wsk_account_mover(const wsk_run *run, int i, double time_s, wsk_mover_state *s)
{
    const wsk_mover *m = &run->net->movers[i];
    double rpm = run->flows->rpm[i];
    s->rpm_s += rpm * time_s;
    s->power_j += mover_watts(m, rpm) * time_s;
    s->noise_s += mover_noise(m, rpm) * time_s;
    s->flow_s += m->branch < 0 ? 0 : run->flows->point.q[m->branch] * time_s;
}
