/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run: creation and the loop. */
#include "sim/num/wide.h"
#include "sim/control/run.h"
#include "sim/step/step.h"
#include "sim/books/observe.h"
#include "sim/books/books.h"
#include "sim/control/control.h"

#include <math.h>
#include <string.h>

/* The state block is carved from one allocation, doubles and 64-bit integers only. */
static void *carve(char **at, size_t bytes)
{
    void *p = *at;
    if (p)
        *at += (bytes + 63) & ~(size_t)63;
    return p;
}

static size_t lay_out(wsk_run *run, char *base)
{
    const wsk_net *net = run->net;
    size_t n = (size_t)net->n_node * sizeof(double), v = (size_t)run->variables->n * sizeof(double), total = 0;
    char *at = base;
#define PART(field, bytes) (run->field = carve(&at, bytes), total += ((bytes) + 63) & ~(size_t)63)
    PART(head, sizeof *run->head);
    PART(cards, ((size_t)net->n_card + 1) * sizeof *run->cards);
    PART(movers, ((size_t)net->n_mover + 1) * sizeof *run->movers);
    PART(cases, ((size_t)net->n_case + 1) * sizeof *run->cases);
    PART(supplies, ((size_t)net->n_supply + 1) * sizeof *run->supplies);
    PART(
        t,
        n); /* a step's fours reach three media beyond the solids: room, outdoors and the air of a case are always there */
    PART(carry, n);
    PART(t_start, n);
    PART(t_natural, n);
    PART(rpm, ((size_t)net->n_mover + 1) * sizeof(double));
    PART(stretch_ks, n);
    PART(stretch_j, n);
    PART(observer->value, v);
    PART(observer->sum, v);
    PART(observer->low, v);
    PART(observer->high, v);
    PART(observer->total, v);
    PART(observer->lowest, v);
    PART(observer->highest, v);
    PART(observer->node_sum, n);
    PART(observer->node_total, n);
    PART(observer->buckets, (size_t)run->observer->bucket_rows * (sizeof(double) + 3 * v));
#undef PART
    return total;
}

static double *doubles(wsk_run *run, int count)
{
    return wsk_alloc(run->arena, ((size_t)count + 1) * sizeof(double));
}

static bool make_fast(wsk_run *run)
{
    const size_t blocks = (size_t)run->net->n_block + 1;
    run->known = wsk_alloc(run->arena, blocks * WSK_KNOWN * sizeof *run->known);
    run->known_turn = wsk_alloc(run->arena, blocks * sizeof *run->known_turn);
    return run->known && run->known_turn;
}

static bool make_reference(wsk_run *run)
{
    run->full_lu = wsk_net_full_lu(run->net, run->arena);
    for (int i = 0; run->full_lu && i < WSK_CONFIGS; i++)
        if (!(run->configs[i].full = doubles(run, run->full_lu->nnz)))
            return false;
    if (run->full_lu)
        run->full_at = wsk_net_places(run->net, run->full_lu, 0, false, run->arena);
    return run->full_at.at != NULL;
}

static bool make_configs(wsk_run *run)
{
    const wsk_net *net = run->net;
    for (int i = 0; i < WSK_CONFIGS; i++) {
        wsk_config *c = &run->configs[i];
        double *point = doubles(run, (int)wsk_point_doubles(net));
        c->rpm = doubles(run, net->n_mover);
        double *numbers = doubles(run, wsk_tables_place(net, c, NULL, 1));
        c->sense = wsk_alloc(run->arena, (2 * (size_t)net->n_port + 1) * sizeof(int));
        if (!numbers || !c->sense || !point || !c->rpm)
            return false;
        c->deposit = c->sense + net->n_port;
        wsk_tables_place(net, c, numbers, 1);
        wsk_point_place(net, &c->point, point);
    }
    return run->stepper == WSK_STEPPER_REFERENCE ? make_reference(run) : make_fast(run);
}

static bool make_scratch(wsk_run *run)
{
    size_t n = ((size_t)run->net->n_node + WSK_FOUR) * sizeof(double);
    run->cap = wsk_alloc(run->arena, n);
    run->mean_t = wsk_alloc(run->arena, n);
    run->t_before = wsk_alloc(run->arena, 2 * n);
    run->absurd_k = wsk_alloc(run->arena, n);
    run->natural_low_k = wsk_alloc(run->arena, n);
    run->natural_high_k = wsk_alloc(run->arena, n);
    run->quiet_low_k = wsk_alloc(run->arena, n);
    run->quiet_high_k = wsk_alloc(run->arena, n);
    run->heat = wsk_alloc(run->arena, n);
    run->rhs = wsk_alloc(run->arena, n);
    run->work = wsk_alloc(run->arena, 3 * n);
    double *scratch = doubles(run, wsk_scratch_place(run->net, &run->scratch, NULL, 1));
    run->case_dc_w =
        wsk_alloc(run->arena, ((size_t)run->net->n_case + 4 * (size_t)run->net->n_supply + 1) * sizeof(double));
    run->mover_w = wsk_alloc(run->arena, ((size_t)run->net->n_mover + 1) * 3 * sizeof(double));
    if (!run->case_dc_w || !run->mover_w || !scratch)
        return false;
    wsk_scratch_place(run->net, &run->scratch, scratch, 1);
    run->supply_dc_w = run->case_dc_w + run->net->n_case;
    run->supply_wall_w = run->supply_dc_w + run->net->n_supply;
    run->asked_dc_w = run->supply_wall_w + run->net->n_supply;
    run->asked_wall_w = run->asked_dc_w + run->net->n_supply;
    for (int i = 0; i < run->net->n_supply; i++)
        run->asked_dc_w[i] = NAN;
    run->mover_noise_p = run->mover_w + run->net->n_mover;
    run->mover_rpm = run->mover_noise_p + run->net->n_mover;
    return run->cap && run->mean_t && run->t_before && run->absurd_k && run->natural_low_k && run->natural_high_k &&
           run->quiet_low_k && run->quiet_high_k && run->heat && run->rhs && run->work && make_configs(run);
}

/* Towards a steady point slow masses only cost time: rooms answer within ten minutes, boards and panels sooner.
 * The room keeps enough mass for its air conditioner's band to be crossed slowly. */
static void lighten(wsk_run *run)
{
    const wsk_net *net = run->net;
    double *room = &run->cap[net->room],
           least = net->ac ? 5 * net->ac_ops->capacity_w(net->ac, 0) / net->ac->band_k : 0;
    double light = wsk_min(0.01 * *room, 600 * wsk_max(net->room_params->cond_w_k, 1));
    for (int i = 0; i < net->n_card; i++)
        run->cap[net->cards[i].board] *= 0.1;
    *room = wsk_min(*room, wsk_max(light, least));
    for (int i = 0; i < net->n_case; i++) {
        if (net->cases[i].panel >= 0)
            run->cap[net->cases[i].panel] *= 0.05;
    }
    for (int i = 0; i < net->n_supply; i++)
        run->cap[net->supplies[i].solid] *= 0.2;
    const double litre_j_k = 4000;
    for (int i = 0; i < net->n_circuit; i++)
        run->cap[net->circuits[i].tank] = wsk_min(run->cap[net->circuits[i].tank], litre_j_k);
}

static void set_start(wsk_run *run)
{
    const wsk_net *net = run->net;
    double ambient = wsk_room_start_k(net);
    for (int i = 0; i < net->n_node; i++)
        run->t[i] = run->t_natural[i] = run->mean_t[i] = net->nodes[i].given_k > 0 ? net->nodes[i].given_k : ambient;
    run->t[net->outdoor] = net->outdoor_ops->mean_k(net->outdoor_params);
    for (int i = 0; i < net->n_mover; i++) {
        const wsk_mover *m = &net->movers[i];
        bool waits = m->control && m->control->sensor != WSK_SENSE_NONE;
        run->rpm[i] = waits ? wsk_min(m->control->minimum * m->ref_rpm, m->rpm0) : m->rpm0;
        run->movers[i] = (wsk_mover_state){.ref_k = ambient, .logged_rpm = run->rpm[i]};
        run->mover_rpm[i] = NAN;
    }
    for (int i = 0; i < net->n_case; i++)
        run->cases[i].cpu_share = 1;
    run->head->failed_ns = run->head->slowed_ns = run->head->shut_ns = -1;
    wsk_bill_open(&run->head->bill, net->billing, 0, run->end_ns);
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        wsk_card_state *s = &run->cards[i];
        *s = (wsk_card_state){.pin_power_w = c->gpu->pin_power_w,
                              .pin_clock_hz = c->gpu->pin_clock_hz,
                              .pin_rpm = c->pin_rpm,
                              .logged_ns = -WSK_NS * 3600,
                              .limit_w = c->limit_w,
                              .held_w = c->held_w,
                              .stuck_ns = -1,
                              .cap_low = INFINITY,
                              .die_k = ambient,
                              .fan_ref_k = ambient,
                              .fan_goal_rpm = NAN,
                              .clock_hz = c->gpu->clock_min_hz};
        for (int g = 0; g < c->n_governors; g++)
            s->governor[g].cap_hz = c->gpu->clock_max_hz + wsk_max(c->gpu->clock_offset_hz, 0);
        if (c->mover >= 0 && !isnan(c->pin_rpm))
            run->rpm[c->mover] = c->pin_rpm;
        s->logged_rpm = c->mover >= 0 ? run->rpm[c->mover] : 0;
    }
    wsk_mover_watts(run);
    wsk_ledger_start(run);
    wsk_observe_anew(run);
}

/* start="steady": the settled temperatures, speeds and caps become the state at time zero. */
static wsk_status start_settled(wsk_run *run)
{
    wsk_run *settled = NULL;
    bool cycling;
    wsk_status status = wsk_steady_solve(&settled, run->net, run->stepper, &cycling, NULL, NULL);
    if (status == WSK_OK) {
        memcpy(run->t, settled->t, (size_t)run->net->n_node * sizeof(double));
        memcpy(run->rpm, settled->rpm, (size_t)run->net->n_mover * sizeof(double));
        memcpy(run->t_natural, settled->t_natural, (size_t)run->net->n_node * sizeof(double));
        for (int i = 0; i < run->net->n_mover; i++) {
            run->movers[i].ref_k = settled->movers[i].ref_k;
            run->movers[i].logged_rpm = run->rpm[i];
        }
        for (int i = 0; i < run->net->n_case; i++)
            run->cases[i].cpu_share = settled->cases[i].cpu_share;
        wsk_mover_watts(run);
        for (int i = 0; i < run->net->n_card; i++) {
            wsk_card_state *s = &run->cards[i];
            const wsk_card_state *from = &settled->cards[i];
            memcpy(s->governor, from->governor, sizeof s->governor);
            s->power_w = from->power_w;
            wsk_split_watts(&run->net->cards[i], s);
            s->clock_hz = from->clock_hz;
            s->die_k = from->die_k;
            s->fan_ref_k = from->fan_ref_k;
            s->logged_rpm = run->net->cards[i].mover >= 0 ? run->rpm[run->net->cards[i].mover] : 0;
        }
        wsk_ledger_start(run);
    } else if (settled) {
        memcpy(run->error, settled->error, sizeof run->error);
    }
    wsk_run_free(settled);
    return status;
}

/* How far the air's excess over the room may go from there before natural convection no longer agrees with it: by three tenths and
 * 10 K. Other media may go anywhere. */
static void bound_natural(wsk_run *run)
{
    const wsk_net *net = run->net;
    const double room = run->t_natural[net->room];
    for (int i = 0; i < wsk_rows(net->n_node - net->n_solid); i++) {
        run->natural_low_k[i] = -INFINITY;
        run->natural_high_k[i] = INFINITY;
    }
    for (int k = 0; k < net->n_media[WSK_QUICK]; k++) {
        const int at = net->media[WSK_QUICK][k], i = at - net->n_solid;
        const double excess = run->t_natural[at] - room, far = 10 + 0.3 * fabs(excess);
        run->natural_low_k[i] = excess - far;
        run->natural_high_k[i] = excess + far;
    }
}

void wsk_ask_all(wsk_run *run)
{
    run->now = (wsk_now){.awake = true, .log_due = true};
    bound_natural(run);
}

wsk_status wsk_run_create(wsk_run **out, const wsk_net *net, const wsk_run_options *o, bool steady)
{
    *out = NULL;
    wsk_arena *arena = wsk_arena_new();
    wsk_run *run = arena ? wsk_alloc(arena, sizeof *run) : NULL;
    if (!run) {
        wsk_arena_free(arena);
        return WSK_ENOMEM;
    }
    *run = (wsk_run){.arena = arena,
                     .net = net,
                     .stepper = o ? o->stepper : WSK_STEPPER_FAST,
                     .leap = o && o->leap && !steady,
                     .steady = steady,
                     .seed = o && o->seed ? o->seed : (uint64_t)net->runspec->seed};
    double duration = o && o->duration_s > 0 ? o->duration_s : net->runspec->for_s;
    double step = o && o->step_s > 0 ? o->step_s : net->runspec->step_s;
    run->tick_ns = step >= 1 ? WSK_NS : (int64_t)floor(step * 1e9 + 0.5);
    run->end_ns = (int64_t)floor(duration * 1e9 + 0.5);
    int64_t ticks = run->end_ns / run->tick_ns + 1;
    wsk_status status = WSK_ENOMEM;
    if (!wsk_observer_make(run) || !wsk_movers_make(run) || !make_scratch(run))
        goto fail;
    run->observer->bucket_ticks = wsk_bucket_length(ticks, run->variables->n);
    int64_t step_ticks = (int64_t)floor(step); /* above 1 s: no shorter buckets */
    if (run->observer->bucket_ticks < step_ticks)
        run->observer->bucket_ticks = step_ticks;
    run->observer->bucket_rows =
        steady ? 2 : ticks / run->observer->bucket_ticks + 2; /* nobody reads a steady point's series */
    run->block_len = lay_out(run, NULL);
    run->block = wsk_alloc(arena, run->block_len);
    if (!run->block)
        goto fail;
    lay_out(run, run->block);
    for (int i = 0; i < net->n_node; i++) {
        run->cap[i] = net->nodes[i].boundary ? 0 : net->nodes[i].cap_j_k;
        run->absurd_k[i] = net->nodes[i].absurd_k;
    }
    for (int i = 0; i < net->n_case; i++)
        run->braked = run->braked || net->cases[i].params->power_brake;
    if (steady)
        lighten(run);
    set_start(run);
    status = !steady && net->runspec->start == 1 ? start_settled(run) : WSK_OK;
    wsk_ask_all(run);
    wsk_read_values(run);
    *out = run; /* with its error text, if any */
    return status;
fail:
    wsk_arena_free(arena);
    return status;
}

void wsk_run_free(wsk_run *run)
{
    if (!run)
        return;
    wsk_buf_free(&run->events);
    wsk_arena_free(run->arena);
}

static bool absurd(wsk_run *run, const char *name, double t_k)
{
    wsk_buf text = {0};
    wsk_buf_printf(&text, "%s would be at %.0f degC after %.0f s: outside the model's range", name, t_k - WSK_KELVIN,
                   (double)run->head->t_ns / 1e9);
    size_t len = text.len < sizeof run->error - 1 ? text.len : sizeof run->error - 1;
    if (text.data)
        memcpy(run->error, text.data, len);
    run->error[len] = 0;
    wsk_buf_free(&text);
    return false;
}

/* What stands on its node by its watts alone. */
static bool check_cards(wsk_run *run)
{
    const wsk_net *net = run->net;
    const double hottest_die_k = 473.15, hottest_spot_k = 573.15;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        const wsk_card_state *s = &run->cards[i];
        double die = wsk_die_k(run, c, s);
        if (!(die < hottest_die_k))
            return absurd(run, wsk_printf(run->arena, "%s.die", c->id), die);
        double spot = wsk_hotspot_k(run, c, s), vrm = wsk_vrm_k(run, c, s);
        if (!(spot < hottest_spot_k))
            return absurd(run, wsk_printf(run->arena, "%s.hotspot", c->id), spot);
        if (!(vrm < hottest_spot_k))
            return absurd(run, wsk_printf(run->arena, "%s.vrm", c->id), vrm);
    }
    return true;
}

bool wsk_check_state(wsk_run *run)
{
    const wsk_net *net = run->net;
    const double lowest_k = 150, *restrict t = run->t, *restrict high_k = run->absurd_k;
    if (!wsk_within(net->n_node, t, lowest_k, high_k))
        for (int i = 0; i < net->n_node; i++)
            if (!(t[i] > lowest_k && t[i] < high_k[i]))
                return absurd(run, net->nodes[i].name, t[i]);
    return check_cards(run);
}

/* How far a node's excess over the room has gone from the one that natural convection was last solved with. */
static double natural_drift(const wsk_run *run, int i, double share)
{
    int room = run->net->room;
    double old = run->t_natural[i] - run->t_natural[room], now = run->t[i] - run->t[room];
    return fabs(now - old) - share * fabs(old);
}

static void take_natural(wsk_run *run)
{
    run->now.jumps = true;
    run->now.quiet_ns = 0;
    wsk_forget_configs(run);
    memcpy(run->t_natural, run->t, (size_t)run->net->n_node * sizeof(double));
    bound_natural(run);
}

/* Natural convection follows the temperatures once a minute, where they moved by a tenth and half a kelvin. */
static void follow_natural(wsk_run *run)
{
    const int64_t minute = 60 * WSK_NS;
    if (run->head->t_ns < run->head->next_natural_ns)
        return;
    run->head->next_natural_ns = (run->head->t_ns / minute + 1) * minute;
    wsk_ledger_close(run); /* short sums round little */
    double worst = 0;
    for (int i = 0; i < run->net->n_node; i++)
        worst = wsk_max(worst, natural_drift(run, i, 0.1));
    if (worst > 0.5)
        take_natural(run);
}

void wsk_step_keep(wsk_run *run)
{
    const wsk_net *net = run->net;
    memcpy(run->t_before, run->t, (size_t)net->n_node * sizeof(double));
    for (int k = 0; k < net->n_media[WSK_SLOW]; k++) /* the others carry nothing */
        run->t_before[net->n_node + k] = run->carry[net->media[WSK_SLOW][k]];
}

void wsk_step_undo(wsk_run *run)
{
    const wsk_net *net = run->net;
    memcpy(run->t, run->t_before, (size_t)net->n_node * sizeof(double));
    for (int k = 0; k < net->n_media[WSK_SLOW]; k++)
        run->carry[net->media[WSK_SLOW][k]] = run->t_before[net->n_node + k];
}

bool wsk_step_agrees(const wsk_run *run)
{
    return wsk_between(run->net->n_node - run->net->n_solid, run->scratch.e, run->natural_low_k, run->natural_high_k);
}

/* Air without capacity jumps where watts jump. Where no fan helps, what carries it off then depends on the jump
 * itself: the step is taken again with it, until both agree (the excess goes as the flow's root, so this converges). */
bool wsk_tick_step(wsk_run *run, int64_t next_ns)
{
    double h = (double)(next_ns - run->head->t_ns) / 1e9;
    wsk_step_keep(run);
    for (int round = 0; round < 40; round++) {
        if (!wsk_step(run, h)) {
            static const char text[] = "the air flow has no solution at these fan speeds";
            memcpy(run->error, text, sizeof text);
            return false;
        }
        if (wsk_step_agrees(run) || round == 39)
            break;
        take_natural(run);
        wsk_step_undo(run);
    }
    return true;
}

int64_t wsk_tick_begin(wsk_run *run)
{
    int64_t next = (run->head->t_ns / run->tick_ns + 1) * run->tick_ns;
    run->now.jumps = false;
    run->now.quiet = false;
    if (wsk_quiet(run, next)) {
        run->now.quiet = !run->now.stirred;
        return next;
    }
    wsk_book_repeats(run);
    follow_natural(run);
    wsk_control(run);
    wsk_power_tree(run);
    wsk_log_events(run);
    int64_t event = wsk_next_event_ns(run);
    run->now.event_ns = event < run->end_ns ? event : run->end_ns;
    wsk_look_for_quiet(run);
    return run->now.event_ns < next ? run->now.event_ns : next;
}

bool wsk_tick_end(wsk_run *run, int64_t next_ns)
{
    wsk_run_head *head = run->head;
    const int64_t minute = 60 * WSK_NS;
    double h = (double)(next_ns - head->t_ns) / 1e9;
    run->now.minute = next_ns / minute != head->t_ns / minute || next_ns >= run->end_ns;
    run->now.quiet = run->now.quiet && next_ns - head->t_ns == run->tick_ns;
    if (!run->now.quiet) /* a leap that began so */
        wsk_book_repeats(run);
    wsk_ledger_step(run, h);
    wsk_book_tick(run, next_ns - head->t_ns);
    head->t_ns = next_ns;
    head->tick++;
    run->now.unread = true;
    /* Cards that rest are within their bounds, and nothing moves fast. */
    if ((run->now.jumps || run->now.minute) && !wsk_check_state(run)) {
        run->now.repeats -= run->now.quiet; /* it is not looked at */
        return false;
    }
    wsk_observe(run, h);
    return true;
}

bool wsk_tick(wsk_run *run)
{
    int64_t next = wsk_tick_begin(run), leapt = run->leap ? wsk_leap(run, run->now.event_ns) : 0;
    if (leapt > 0)
        return wsk_tick_end(run, run->head->t_ns + leapt);
    return wsk_tick_step(run, next) && wsk_tick_end(run, next);
}

void wsk_stand(wsk_run *run)
{
    wsk_book_repeats(run);
    if (!run->now.unread)
        return;
    run->now.unread = false;
    wsk_read_values(run);
    wsk_read_dies(run);
}

wsk_status wsk_run_advance(wsk_run *run, double until_s)
{
    int64_t until = until_s * 1e9 >= (double)run->end_ns ? run->end_ns : (int64_t)(until_s * 1e9);
    if (run->error[0])
        return WSK_ENUMERIC;
    bool ok = true;
    while (ok && run->head->t_ns < until)
        ok = wsk_tick(run);
    wsk_stand(run);
    if (!ok)
        return WSK_ENUMERIC;
    if (run->head->t_ns >= run->end_ns && wsk_residual(run) > 1e-9)
        return WSK_EAUDIT;
    return WSK_OK;
}
