/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs events of a run as lines of CSV: time in s, component, event, reason, code of event and reason. */
#include <math.h>

#include "sim/control/run.h"
#include "sim/control/control.h"

typedef struct {
    const char *code, *english;
} term;
static const term whats[] = {
#define WSK_WHAT(name, code, english) {code, english},
#define WSK_WHY(name, code, english)
#include "sim/control/events.def"
#undef WSK_WHAT
#undef WSK_WHY
};
static const term whys[] = {
#define WSK_WHAT(name, code, english)
#define WSK_WHY(name, code, english) {code, english},
#include "sim/control/events.def"
#undef WSK_WHAT
#undef WSK_WHY
};

void wsk_event(wsk_run *run, const char *component, wsk_what what, wsk_why why)
{
    if (run->steady)
        return;
    char t[40];
    wsk_format_number(t, sizeof t, (double)run->head->t_ns / 1e9);
    wsk_buf_printf(&run->events, "%s,%s,%s,%s,%s.%s\n", t, component, whats[what].english, whys[why].english,
                   whats[what].code, whys[why].code);
}

wsk_why wsk_why_throttled(int64_t causes)
{
    return causes & WSK_REASON_BRAKE     ? WSK_WHY_HW_BRAKE
           : causes & WSK_REASON_HW      ? WSK_WHY_HW_HEAT
           : causes & WSK_REASON_MEMORY  ? WSK_WHY_SW_MEMORY
           : causes & WSK_REASON_THERMAL ? WSK_WHY_SW_HEAT
                                         : WSK_WHY_SW_POWER;
}

static void log_card(wsk_run *run, int i)
{
    const wsk_card *c = &run->net->cards[i];
    wsk_card_state *s = &run->cards[i];
    if (s->off) { /* the logged shutdown, loss or lack of mains already tells that the throttling ended */
        s->logged_reason = s->reasons;
    } else if (s->reasons != s->logged_reason && run->head->t_ns - s->logged_ns < 30 * WSK_NS) {
        run->now.log_due = true;
    } else if (s->reasons != s->logged_reason) {
        wsk_event(run, c->id, s->reasons ? WSK_WHAT_THROTTLE : WSK_WHAT_THROTTLE_ENDS,
                  wsk_why_throttled(s->reasons ? s->reasons : s->logged_reason));
        s->logged_reason = s->reasons;
        s->logged_ns = run->head->t_ns;
    }
    double rpm = c->mover >= 0 ? run->rpm[c->mover] : 0;
    const bool told = run->cases[c->in].cpu_off; /* the logged stop of the machine already tells that its fans stop */
    if (c->mover >= 0 && !run->movers[c->mover].failed && !told && fabs(rpm - s->logged_rpm) >= 0.2 * c->rpm_max) {
        wsk_event(run, c->id, rpm > s->logged_rpm ? WSK_WHAT_FAN_FASTER : WSK_WHAT_FAN_SLOWER, WSK_WHY_DIE);
        s->logged_rpm = rpm;
    }
}

static void log_line(wsk_run *run, int i)
{
    const wsk_mains_line *line = &run->net->lines[i];
    wsk_line_state *s = &run->lines[i];
    double va = wsk_line_va(run, i), limit = line->limit_w;
    bool over = limit > 0 && va > limit, under = va < 0.98 * limit;
    if (limit > 0 && (s->logged ? under : over)) {
        wsk_event(run, wsk_line_name(run->net, i), over ? WSK_WHAT_OVER_LIMIT : WSK_WHAT_UNDER_LIMIT,
                  WSK_WHY_CURRENT);
        s->logged = !s->logged;
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
    int64_t phase = run->activity.phase == WSK_PHASE_IDLE   ? 0
                    : run->schedule.undo                    ? 3
                    : run->activity.phase == WSK_PHASE_WAIT ? 2
                    : run->schedule.idle_work               ? 1
                                                            : 0;
    static const wsk_what begins[WSK_LOGGED_PHASES] = {0, WSK_WHAT_EVALUATION, WSK_WHAT_CHECKPOINT, WSK_WHAT_FAILURE};
    static const wsk_what ends[WSK_LOGGED_PHASES] = {0, WSK_WHAT_EVALUATION_ENDS, WSK_WHAT_CHECKPOINT_ENDS,
                                                     WSK_WHAT_GOES_ON};
    if (phase != head->phase_logged) {
        if (head->phase_logged)
            wsk_event(run, "workload", ends[head->phase_logged], WSK_WHY_SCHEDULE);
        if (phase)
            wsk_event(run, "workload", begins[phase], phase == 3 ? WSK_WHY_RANDOM : WSK_WHY_SCHEDULE);
        head->phase_logged = phase;
    }
    for (int i = 0; i < run->net->n_line; i++)
        log_line(run, i);
}
