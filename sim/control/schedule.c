/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the activity of the workload at each tick, and undoes the work that is lost when the job fails. Theory:
 * docs/theory/workload.md */
#include <math.h>

#include "sim/net/load.h"
#include "sim/control/control.h"

/* True if synchronous work has stopped because one of its cards is off. */
static bool work_stands(const wsk_run *run)
{
    return run->net->workload && run->net->workload_ops->synchronous && wsk_group_stands(run, WSK_NO, 0);
}

/* A failure during such a stop is not counted. It undoes only the work that the job would have done since its last
 * checkpoint without heat and limits. */
static void keep_or_undo(wsk_run *run)
{
    wsk_run_head *head = run->head;
    bool saved = run->schedule.saved_ns != head->saved_ns, undo = run->schedule.undo && !head->undone;
    for (int i = 0; i < run->net->n_card; i++) {
        wsk_card_state *s = &run->cards[i];
        if (undo) {
            head->redone_s += wsk_sum_value(&s->work) - wsk_sum_value(&s->safe[0]);
            head->redone_cool_s += wsk_sum_value(&s->work_cool) - wsk_sum_value(&s->safe[1]);
            s->work = s->safe[0];
            s->work_cool = s->safe[1];
            s->work_free = s->safe[2];
        } else if (saved) {
            s->safe[0] = s->work;
            s->safe[1] = s->work_cool;
            s->safe[2] = s->work_free;
        }
    }
    if (undo) {
        head->work_gone = head->safe_gone;
        head->work_dark = head->safe_dark;
    } else if (saved) {
        head->safe_gone = head->work_gone;
        head->safe_dark = head->work_dark;
    }
    head->failures += undo && !work_stands(run);
    head->undone = run->schedule.undo;
    head->saved_ns = run->schedule.saved_ns;
}

/* Changes an activity to the one of a steady point: the main phase at its highest load, or the mean of a trace. For
 * the steady point from which a run starts (opening), load and trace have their value at the start. */
static void main_phase(const wsk_workload_params *w, bool synchronous, bool opening, wsk_activity *a)
{
    a->until_ns = INT64_MAX;
    a->in_ns = opening ? WSK_RECORDED_OPENING : WSK_RECORDED_MEAN;
    a->undo = a->idle_work = false;
    for (int i = 0; i < w->load_curve.count && !opening; i++)
        a->load = wsk_max(a->load, w->load_curve.y[i]);
    if (w->power.count > 0 && !opening)
        a->power_w = w->power.held_mean;
    else if (w->utilisation.count > 0 && !opening)
        a->load = w->utilisation.held_mean;
    a->phase = synchronous || a->load > 0 ? WSK_PHASE_RUN : WSK_PHASE_IDLE;
}

/* Load of a card by its power: 0 at idle power, 1 at the highest power of the recording. */
static double load_by_power(const wsk_card *c, double power_w, double highest_w)
{
    const double idle_w = c->gpu->idle_w;
    return highest_w > idle_w ? wsk_min(wsk_max((power_w - idle_w) / (highest_w - idle_w), 0), 1) : 0;
}

/* The load of the host (CPU and mainboard) is the mean load of the working cards by the power of the trace. */
static void take_trace(const wsk_run *run, wsk_activity *a)
{
    const double highest = run->net->workload->power.most;
    double busy = 0;
    int working = 0;
    for (int i = 0; i < run->net->n_card; i++) {
        const wsk_card *c = &run->net->cards[i];
        if (!c->works || !isnan(run->cards[i].pin_power_w))
            continue;
        busy += load_by_power(c, a->power_w, highest);
        working++;
    }
    a->load = working ? busy / working : 1;
}

/* The load of the host is the mean utilisation of the logged cards or, if the log has power, their mean load by their
 * logged power. */
static void take_log(wsk_run *run, wsk_activity *a)
{
    const wsk_net *net = run->net;
    const bool all = net->workload->take == WSK_TAKE_ALL;
    double busy = 0, inlet = 0;
    int working = 0, inlets = 0;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        if (c->logged < 0 || !isnan(run->cards[i].pin_power_w))
            continue;
        const double highest = wsk_recorded_of(a->log, c->logged, WSK_LOG_POWER)->most,
                     power = wsk_recorded_at(a->log, c->logged, WSK_LOG_POWER, a->in_ns),
                     used = wsk_recorded_at(a->log, c->logged, WSK_LOG_UTILISATION, a->in_ns),
                     air = wsk_recorded_at(a->log, c->logged, WSK_LOG_INLET, a->in_ns),
                     share = wsk_recorded_at(a->log, c->logged, WSK_LOG_FAN, a->in_ns) * c->rpm_max,
                     speed = wsk_recorded_at(a->log, c->logged, WSK_LOG_FAN_SPEED, a->in_ns),
                     rpm = isnan(speed) ? share : speed;
        if (!wsk_traffic_stated(net->workload))
            wsk_set_traffic(&run->cards[i], wsk_recorded_at(a->log, c->logged, WSK_LOG_MEMORY_UTILISATION, a->in_ns));
        busy += isnan(a->power_w) ? used : load_by_power(c, power, highest);
        working++;
        inlet += isnan(air) ? 0 : air;
        inlets += !isnan(air);
        if (all && !isnan(rpm) && isnan(c->pin_rpm) && !(fabs(rpm - run->cards[i].pin_rpm) < 0.01 * c->rpm_max))
            run->cards[i].pin_rpm = floor(rpm / 10 + 0.5) * 10;
    }
    a->load = working ? busy / working : 1;
    if (all && inlets && net->nodes[net->room].boundary)
        run->t[net->room] = inlet / inlets;
}

wsk_moment wsk_moment_at(const wsk_run *run, int64_t t_ns)
{
    wsk_moment now = {.t_ns = t_ns, .seed = run->seed};
    now.start_civil_s = wsk_start_civil_s(run->net, t_ns, &now.clock_until_ns);
    return now;
}

static void take_activity(wsk_run *run)
{
    run->activity = run->schedule;
    if (work_stands(run))
        run->activity.phase = WSK_PHASE_IDLE;
}

void wsk_work_schedule(wsk_run *run)
{
    const wsk_net *net = run->net;
    const wsk_activity at_rest = {.phase = WSK_PHASE_IDLE, .until_ns = INT64_MAX, .name = "idle", .power_w = NAN};
    if (!net->workload || run->resting) {
        run->schedule = at_rest;
    } else if (!run->now.scheduled || run->head->t_ns >= run->schedule.until_ns) {
        wsk_moment now = wsk_moment_at(run, run->head->t_ns);
        net->workload_ops->at(net->workload, &now, &run->schedule);
        if (run->steady)
            main_phase(net->workload, net->workload_ops->synchronous, run->opening, &run->schedule);
        if (run->schedule.log)
            take_log(run, &run->schedule);
        else if (!isnan(run->schedule.power_w))
            take_trace(run, &run->schedule);
        run->now.scheduled = true;
        keep_or_undo(run);
        run->now.awake = true;
    }
    take_activity(run);
}

void wsk_recall_activity(wsk_run *run)
{
    const wsk_net *net = run->net;
    const int64_t t_ns = run->head->t_ns > 0 ? run->head->t_ns - 1 : 0; /* at t_ns the next activity may begin */
    const wsk_moment now = wsk_moment_at(run, t_ns);
    run->schedule = (wsk_activity){.phase = WSK_PHASE_IDLE};
    if (net->workload && t_ns > 0)
        net->workload_ops->at(net->workload, &now, &run->schedule);
    take_activity(run);
}
