/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/num/wide.h"
#include "sim/step/step.h"
#include "sim/step/stride.h"
#include "sim/step/tables.h"

/* Takes an array from the block at *at. Each array begins at a multiple of 64 bytes. *at NULL: the caller only
 * counts. */
static void *carve(char **at, size_t bytes)
{
    void *p = *at;
    if (p)
        *at += (bytes + 63) & ~(size_t)63;
    return p;
}

/* The powers of PSUs and circuits lie behind supply_dc_w. */
static void place_delivered(wsk_run *run)
{
    const wsk_net *net = run->net;
    run->supply_wall_w = run->supply_dc_w + net->n_supply;
    run->line_wall_w = run->supply_wall_w + net->n_supply;
    run->line_va = run->line_wall_w + net->n_line;
    run->line_side_w = run->line_va + net->n_line;
}

/* Lays out the block of state that checkpoints save, and returns its size in bytes. base NULL: only counts. */
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
    PART(lines, (size_t)net->n_line * sizeof *run->lines);
    PART(books, sizeof *run->books);
    /* The step reads and writes solids in vectors of four, so a vector of the last block of solids may reach up to
     * three entries behind the solids. It writes back the values that it found there. */
    PART(t, n);
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
    PART(supply_dc_w, wsk_count_delivered(net) * sizeof(double));
    if (base)
        place_delivered(run);
    if (run->stride) {
        const size_t accounts = (size_t)run->stride->n * sizeof(double),
                     bins = (size_t)run->stride->bins * sizeof(double), entries = (size_t)run->stride->entries;
        PART(stride->head, sizeof *run->stride->head);
        PART(stride->starts, entries * sizeof(int64_t));
        PART(stride->mark, accounts);
        PART(stride->trend, accounts);
        PART(stride->heights, v);
        PART(stride->open_j, bins);
        PART(stride->library, entries * (accounts + bins));
    }
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
    wsk_stepping *own = run->stepping;
    own->known = wsk_alloc(run->arena, blocks * WSK_KNOWN * sizeof *own->known);
    own->known_turn = wsk_alloc(run->arena, blocks * sizeof *own->known_turn);
    return !wsk_arena_failed(run->arena);
}

static bool make_reference(wsk_run *run)
{
    wsk_stepping *own = run->stepping;
    own->full_lu = wsk_net_full_lu(run->net, run->arena);
    for (int i = 0; own->full_lu && i < WSK_CONFIGS; i++)
        if (!(own->configs[i].full = doubles(run, own->full_lu->nnz)))
            return false;
    if (own->full_lu)
        own->full_at = wsk_net_places(run->net, own->full_lu, 0, false, run->arena);
    return own->full_at.at != NULL;
}

static bool make_configs(wsk_run *run)
{
    const wsk_net *net = run->net;
    for (int i = 0; i < WSK_CONFIGS; i++) {
        wsk_config *c = &run->stepping->configs[i];
        double *point = doubles(run, (int)wsk_point_doubles(net));
        c->flows.rpm = doubles(run, net->n_mover);
        double *numbers = doubles(run, wsk_tables_place(net, c, NULL, 1));
        c->sense = wsk_alloc(run->arena, (2 * (size_t)net->n_port + 1) * sizeof(int));
        if (wsk_arena_failed(run->arena))
            return false;
        c->deposit = c->sense + net->n_port;
        wsk_tables_place(net, c, numbers, 1);
        wsk_point_place(net, &c->flows.point, point);
    }
    return run->stepper == WSK_STEPPER_REFERENCE ? make_reference(run) : make_fast(run);
}

static bool make_stepping(wsk_run *run)
{
    const size_t n = ((size_t)run->net->n_node + WSK_FOUR) * sizeof(double);
    wsk_stepping *own = run->stepping = wsk_alloc(run->arena, sizeof *own);
    if (!own)
        return false;
    own->t_before = wsk_alloc(run->arena, 2 * n);
    own->absurd_k = wsk_alloc(run->arena, n);
    own->natural_low_k = wsk_alloc(run->arena, n);
    own->natural_high_k = wsk_alloc(run->arena, n);
    own->quiet_low_k = wsk_alloc(run->arena, n);
    own->quiet_high_k = wsk_alloc(run->arena, n);
    own->rhs = wsk_alloc(run->arena, n);
    double *scratch = doubles(run, wsk_scratch_place(run->net, &own->scratch, NULL, 1));
    if (wsk_arena_failed(run->arena))
        return false;
    wsk_scratch_place(run->net, &own->scratch, scratch, 1);
    return make_configs(run);
}

static bool make_watts(wsk_run *run)
{
    const wsk_net *net = run->net;
    run->case_dc_w = doubles(run, net->n_case + 2 * net->n_supply);
    run->mover_w = doubles(run, 3 * net->n_mover);
    if (wsk_arena_failed(run->arena))
        return false;
    run->asked_dc_w = run->case_dc_w + net->n_case;
    run->asked_wall_w = run->asked_dc_w + net->n_supply;
    for (int i = 0; i < net->n_supply; i++)
        run->asked_dc_w[i] = NAN;
    run->mover_noise_p = run->mover_w + net->n_mover;
    run->mover_rpm = run->mover_noise_p + net->n_mover;
    return true;
}

static bool make_scratch(wsk_run *run)
{
    const size_t n = ((size_t)run->net->n_node + WSK_FOUR) * sizeof(double);
    run->cap = wsk_alloc(run->arena, n);
    run->mean_t = wsk_alloc(run->arena, n);
    run->heat = wsk_alloc(run->arena, n);
    run->work = wsk_alloc(run->arena, 3 * n);
    run->fresh_m3s = wsk_alloc(run->arena, ((size_t)run->net->n_case + 1) * sizeof(double));
    run->fresh_q = wsk_alloc(run->arena, ((size_t)run->net->n_branch + 1) * sizeof(double));
    return make_watts(run) && make_stepping(run);
}

/* Reduces the heat capacities of slow nodes, which would only cost time in the search of a steady point. A room with
 * an air conditioner keeps enough for stable control. */
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
    const double litre_j_k = 4000; /* about the heat capacity of a litre of water, J/K */
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
        run->movers[i] = (wsk_mover_state){.ref_k = ambient, .logged_rpm = run->rpm[i], .pin_rpm = NAN};
        run->mover_rpm[i] = NAN;
    }
    for (int i = 0; i < net->n_case; i++)
        run->cases[i].cpu_share = 1;
    run->head->failed_ns = run->head->slowed_ns = run->head->shut_ns = -1;
    wsk_bill_open(&run->books->bill, net->billing, 0, run->end_ns);
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        wsk_card_state *s = &run->cards[i];
        *s = (wsk_card_state){.pin_power_w = c->gpu->pin_power_w,
                              .pin_clock_hz = c->gpu->pin_clock_hz,
                              .pin_rpm = c->pin_rpm,
                              .traffic = NAN,
                              .load = NAN,
                              .lock_low_hz = c->gpu->lock_clock_hz > 0 ? c->gpu->clock_min_hz : (double)NAN,
                              .lock_hz = c->gpu->lock_clock_hz,
                              .logged_ns = -WSK_NS * 3600,
                              .limit_w = c->limit_w,
                              .held_w = c->held_w,
                              .stuck_ns = -1,
                              .cap_low = INFINITY,
                              .die_k = ambient,
                              .fan_ref_k = ambient,
                              .fan_goal_rpm = NAN,
                              .clock_hz = c->gpu->clock_min_hz};
        wsk_boot_card(run, i);
        if (c->mover >= 0 && !isnan(c->pin_rpm))
            run->rpm[c->mover] = c->pin_rpm;
        s->logged_rpm = c->mover >= 0 ? run->rpm[c->mover] : 0;
    }
    wsk_mover_watts(run);
    wsk_ledger_start(run);
    wsk_observe_anew(run);
}

wsk_status wsk_run_make(wsk_run **out, const wsk_net *net, const wsk_run_options *o, bool steady)
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
                     .error = "",
                     .stepper = o ? o->stepper : WSK_STEPPER_FAST,
                     .leap = o && o->leap && !steady,
                     .close_leaps = o && o->leap && !steady,
                     .steady = steady,
                     .seed = o && o->seed ? o->seed : (uint64_t)net->runspec->seed};
    double duration = o && o->duration_s > 0 ? o->duration_s : net->runspec->for_s;
    double step = o && o->step_s > 0 ? o->step_s : net->runspec->step_s;
    run->tick_ns = step >= 1 ? WSK_NS : (int64_t)floor(step * 1e9 + 0.5);
    run->end_ns = (int64_t)floor(duration * 1e9 + 0.5);
    int64_t ticks = run->end_ns / run->tick_ns + 1;
    if (!wsk_observer_make(run) || !wsk_movers_make(run) || !make_scratch(run))
        goto fail;
    run->observer->bucket_ticks = wsk_bucket_length(ticks, run->variables->n);
    /* A tick is at most 1 s long. If the user asks for a longer step, that step only sets the least length of a bucket
     * (interval of the recorded series). */
    int64_t step_ticks = (int64_t)floor(step);
    if (run->observer->bucket_ticks < step_ticks)
        run->observer->bucket_ticks = step_ticks;
    run->observer->bucket_rows = steady ? 2 : ticks / run->observer->bucket_ticks + 2;
    const bool series = !steady && !(o && o->no_series);
    if (series)
        run->observer->buckets = wsk_alloc(arena, (size_t)run->observer->bucket_rows *
                                                      wsk_bucket_doubles(run->variables) * sizeof(double));
    if (run->leap && o->stride && !wsk_stride_make(run))
        goto fail;
    run->block_len = lay_out(run, NULL);
    run->block = wsk_alloc(arena, run->block_len);
    if (wsk_arena_failed(arena))
        goto fail;
    lay_out(run, run->block);
    for (int i = 0; i < net->n_node; i++) {
        run->cap[i] = net->nodes[i].boundary ? 0 : net->nodes[i].cap_j_k;
        run->stepping->absurd_k[i] = net->nodes[i].absurd_k;
    }
    for (int i = 0; i < net->n_case; i++)
        run->braked = run->braked || net->cases[i].params->power_brake;
    if (steady)
        lighten(run);
    set_start(run);
    wsk_ask_all(run);
    wsk_read_values(run);
    wsk_stride_start(run);
    *out = run;
    return WSK_OK;
fail:
    wsk_arena_free(arena);
    return WSK_ENOMEM;
}

void wsk_run_free(wsk_run *run)
{
    if (!run)
        return;
    wsk_buf_free(&run->events);
    free(run->kept);
    wsk_arena_free(run->arena);
}
