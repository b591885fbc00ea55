/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs events of a run as lines of CSV: time in s, component, event, reason. */
#include <math.h>

#include "sim/control/run.h"
#include "sim/control/control.h"

void wsk_event(wsk_run *run, const char *component, const char *what, const char *why)
{
    if (run->steady)
        return;
    char t[40];
    wsk_format_number(t, sizeof t, (double)run->head->t_ns / 1e9);
    wsk_buf_printf(&run->events, "%s,%s,%s,%s\n", t, component, what, why);
}

static const char *reason_name(int64_t cause)
{
    return cause & WSK_REASON_BRAKE     ? "hw_power_brake_slowdown"
           : cause & WSK_REASON_HW      ? "hw_thermal_slowdown"
           : cause & WSK_REASON_MEMORY  ? "sw_thermal_slowdown (memory)"
           : cause & WSK_REASON_THERMAL ? "sw_thermal_slowdown"
                                        : "sw_power_cap";
}

/* Logs a change of a card's throttle reason, at most once in 30 s, and changes of its fan by 20 % of full speed. */
static void log_card(wsk_run *run, int i)
{
    const wsk_card *c = &run->net->cards[i];
    wsk_card_state *s = &run->cards[i];
    if (s->reasons != s->logged_reason && run->head->t_ns - s->logged_ns < 30 * WSK_NS) {
        run->now.log_due = true;
    } else if (s->reasons != s->logged_reason) {
        wsk_event(run, c->id, s->reasons ? "throttle" : "throttle ends",
                  reason_name(s->reasons ? s->reasons : s->logged_reason));
        s->logged_reason = s->reasons;
        s->logged_ns = run->head->t_ns;
    }
    double rpm = c->mover >= 0 ? run->rpm[c->mover] : 0;
    if (c->mover >= 0 && !run->movers[c->mover].failed && fabs(rpm - s->logged_rpm) >= 0.2 * c->rpm_max) {
        wsk_event(run, c->id, rpm > s->logged_rpm ? "fan faster" : "fan slower", "die temperature");
        s->logged_rpm = rpm;
    }
}

void wsk_log_events(wsk_run *run)
{
    wsk_run_head *head = run->head;
    if (run->steady)
        return;
    if (run->now.awake || run->now.log_due) {
        run->now.log_due = false;
        for (int i = 0; i < run->net->n_card; i++)
            log_card(run, i);
    }
    int64_t phase = run->schedule.undo                      ? 3
                    : run->activity.phase == WSK_PHASE_WAIT ? 2
                    : run->schedule.idle_work               ? 1
                                                            : 0;
    static const char *const begins[WSK_LOGGED_PHASES] = {"", "evaluation", "checkpoint", "failure"};
    static const char *const ends[WSK_LOGGED_PHASES] = {"", "evaluation ends", "checkpoint ends", "work goes on"};
    if (phase != head->phase_logged) {
        if (head->phase_logged)
            wsk_event(run, "workload", ends[head->phase_logged], "schedule");
        if (phase)
            wsk_event(run, "workload", begins[phase], phase == 3 ? "at random" : "schedule");
        head->phase_logged = phase;
    }
    double va = run->va + run->side_w, limit = run->net->circuit_w;
    bool over = limit > 0 && va > limit, under = va < 0.98 * limit;
    if (limit > 0 && (head->over_logged ? under : over)) {
        wsk_event(run, "circuit", over ? "over continuous limit" : "under continuous limit", "current");
        head->over_logged = !head->over_logged;
    }
}
