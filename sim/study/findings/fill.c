/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/findings/fill.h"
#include "sim/study/spread/bands.h"
#include "sim/study/findings/found.h"
#include "sim/study/trip/trip.h"

/* A power or clock limit is named if it costs more than this share of the full throughput. */
#define LIMITS_TELL 1e-4
/* Half width of the range that holds 80 % of a normal distribution, in standard deviations. */
#define EIGHTY 1.2816

static void fill_work(wsk_summary *s, const wsk_run *run)
{
    if (wsk_summary_number(s, WSK_R_LOST_TO_LIMIT, 0) > LIMITS_TELL)
        wsk_summary_set_text(s, WSK_R_LOST_TO, 0, wsk_lost_to(run));
    for (int i = 0; i < run->net->n_card; i++) {
        wsk_card_open open = wsk_card_spread(run, i);
        wsk_summary_set_number(s, WSK_R_GPU_WORK_SPREAD, (size_t)i, open.work_rel);
        wsk_summary_set_number(s, WSK_R_GPU_POWER_SPREAD, (size_t)i, open.power_rel);
    }
}

/* Half width of the range in which a card's mean power lies with a probability of 80 %, W; 0: unknown. A card at its
 * power limit can only draw less. */
static double open_power_w(const wsk_summary *s, const wsk_run *run, int card)
{
    const double w = wsk_summary_number(s, WSK_R_GPU_POWER_MEAN, (size_t)card),
                 rel = wsk_summary_number(s, WSK_R_GPU_POWER_SPREAD, (size_t)card),
                 most = fmax(fmin(w * (1 + rel), run->cards[card].held_w), w);
    return isnan(rel) ? 0 : (most - w * (1 - rel)) / 2;
}

/* A rate of tokens is the throughput of the cards times the tokens of the language model per unit of work. `spread`
 * holds the relative uncertainty of the latter, and gets the root of the sum of squares of it and of that of the
 * throughput, both as 80 % bands. `low` and `high` lie at different distances from the rate, because heat can lower
 * throughput but never raise it. */
static void widen_rate(wsk_summary *s, const wsk_bands *b, wsk_result rate, wsk_result spread, wsk_result low,
                       wsk_result high)
{
    const double value = wsk_summary_number(s, rate, 0), rel = wsk_summary_number(s, spread, 0),
                 lost = wsk_summary_number(s, WSK_R_LOST, 0),
                 gone = fmax(wsk_summary_number(s, WSK_R_LOST_TO_FAILURE, 0), 0), /* fmax of NAN and 0 is 0 */
        part = EIGHTY / (1 - lost - gone);
    if (isnan(rel))
        return;
    wsk_summary_set_number(s, spread, 0, hypot(rel, EIGHTY * (b->below.work_rel + b->above.work_rel) / 2));
    if (!(lost + gone < 1))
        return;
    const double down = hypot(rel, part * (wsk_summary_number(s, WSK_R_LOST_HIGH, 0) - lost)),
                 up = hypot(rel, part * (lost - wsk_summary_number(s, WSK_R_LOST_LOW, 0)));
    wsk_summary_set_number(s, low, 0, value * fmax(1 - down, 0));
    wsk_summary_set_number(s, high, 0, value * (1 + up));
}

/* The relative uncertainty of energy and cost per token is the root of the sum of squares of two parts, each a band
 * that holds 80 % of cases: tokens per unit of work, and power at the wall per unit of work. If the bands of the rig
 * are not known, the second part assumes that the powers of all cards err in the same direction and the rest of the
 * rig is exact. */
static void fill_tokens(wsk_summary *s, const wsk_run *run)
{
    const wsk_bands *bands = run->bands;
    if (!run->net->tokens)
        return;
    const double model = wsk_summary_number(s, WSK_R_TOKENS_GENERATION_SPREAD, 0);
    if (bands) {
        widen_rate(s, bands, WSK_R_TOKENS_GENERATION, WSK_R_TOKENS_GENERATION_SPREAD, WSK_R_TOKENS_GENERATION_LOW,
                   WSK_R_TOKENS_GENERATION_HIGH);
        widen_rate(s, bands, WSK_R_TOKENS_PROMPT, WSK_R_TOKENS_PROMPT_SPREAD, WSK_R_TOKENS_PROMPT_LOW,
                   WSK_R_TOKENS_PROMPT_HIGH);
    }
    double wall = 0, bill = 0, open_w = 0;
    for (int i = 0; i < run->net->n_card; i++)
        open_w += open_power_w(s, run, i);
    const double dc_kwh = wsk_summary_number(s, WSK_R_WALL_KWH, 0) - wsk_summary_number(s, WSK_R_PSU_LOSS_KWH, 0);
    if (bands) {
        const wsk_effects half = wsk_effects_mix(&bands->below, 0.5, &bands->above, 0.5);
        const double elastic = fabs(wsk_bands_elastic(s));
        wall = EIGHTY * half.per_work_rel;
        /* Cost per token: the part of the bill that does not depend on the power, such as standing charges, is divided
         * by the tokens, so it varies only with the work. */
        bill = EIGHTY * (elastic * half.per_work_rel + fmax(1 - elastic, 0) * half.work_rel);
    } else if (dc_kwh > 0) {
        wall = bill = open_w * wsk_summary_number(s, WSK_R_SIMULATED, 0) / 3.6e6 / dc_kwh;
    }
    wsk_summary_set_number(s, WSK_R_TOKENS_ENERGY_SPREAD, 0, hypot(model, wall));
    wsk_summary_set_number(s, WSK_R_TOKENS_COST_SPREAD, 0,
                           isnan(wsk_summary_number(s, WSK_R_TOKENS_COST, 0)) ? NAN : hypot(model, bill));
}

static void fill_trips(wsk_summary *s, const wsk_run *run)
{
    for (int i = 0; i < run->net->n_supply; i++)
        wsk_summary_set_number(s, WSK_R_PSU_TRIP, (size_t)i, wsk_supply_trip(run, i));
    wsk_summary_set_number(s, WSK_R_CIRCUIT_TRIP, 0, wsk_circuit_trip(run));
    const wsk_net *net = run->net;
    for (int i = 0, at = 0; i < net->n_line; i++)
        if (net->lines[i].used || net->n_line == 1)
            wsk_summary_set_number(s, WSK_R_BRANCH_TRIP, (size_t)at++, wsk_line_trip(run, i));
    wsk_summary_set_number(s, WSK_R_WALL_METER, 0, wsk_wall_meter_w(run));
}

static int by_words(const void *a, const void *b)
{
    return strcmp((*(const wsk_diag *const *)a)->message, (*(const wsk_diag *const *)b)->message);
}

/* Adds the rig's warnings, sorted by text so that the order of the rig file does not matter. */
static void list_warnings(const wsk_diags *d, wsk_said_list *out)
{
    size_t n = 0;
    const wsk_diag **sorted = wsk_alloc(out->arena, (d->count + 1) * sizeof *sorted);
    out->failed = out->failed || !sorted;
    for (size_t i = 0; sorted && i < d->count; i++)
        if (d->items[i].severity == WSK_DIAG_WARNING)
            sorted[n++] = &d->items[i];
    if (n)
        qsort(sorted, n, sizeof *sorted, by_words);
    for (size_t i = 0; i < n; i++)
        wsk_said_add(out, sorted[i]->said);
}

static wsk_status fill_warnings(wsk_summary *s, const wsk_run *run, wsk_arena *arena)
{
    wsk_said_list found = {.arena = arena};
    list_warnings(&run->net->plan->diags, &found);
    wsk_found(run, &found);
    const char **texts = found.failed ? NULL : wsk_alloc(arena, (found.count + 1) * sizeof *texts);
    if (!texts)
        return WSK_ENOMEM;
    for (size_t i = 0; i < found.count; i++)
        texts[i] = wsk_said_english(arena, found.items[i]);
    wsk_status status = wsk_summary_set_texts(s, WSK_R_WARNINGS, 0, texts, found.count);
    return status == WSK_OK ? wsk_summary_set_messages(s, WSK_R_NOTICES, 0, found.items, found.count) : status;
}

void wsk_study_fill(wsk_summary *s, const wsk_run *run)
{
    wsk_arena *arena = wsk_arena_new();
    fill_work(s, run);
    if (arena)
        wsk_bands_fill(s, run, arena);
    fill_tokens(s, run);
    fill_trips(s, run);
    if (arena)
        wsk_verdict_fill(run, s, arena);
    if (!arena || fill_warnings(s, run, arena) != WSK_OK || wsk_arena_failed(arena))
        wsk_summary_fail(s);
    wsk_arena_free(arena);
}
