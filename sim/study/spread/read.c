/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads from a solved rig the quantities on which errors have effects, and mixes effects. Theory:
 * docs/theory/uncertainty.md */
#include "sim/study/spread/spread.h"

#include <math.h>

#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/control/run.h"

/* Distance, K, of die, hot spot or memory (whichever is nearest) from the temperature at which a governor lowers the
 * clock. Temperatures and power are means, because at one moment they depend on the phase of an oscillation. If heat
 * slows the card, temperatures are extrapolated to full power: the rise over the room is proportional to power. */
static double margin_of(const wsk_run *run, int i)
{
    const wsk_card *c = &run->net->cards[i];
    const wsk_card_state *s = &run->cards[i];
    const double power_w = wsk_var_mean(run, WSK_VAR_CARD_POWER_W, i), room = run->t[run->net->room],
                 full = wsk_heat_throttle_s(s) > 0 && power_w > 0 ? wsk_max(s->full_w / power_w, 1) : 1,
                 here[] = {WSK_KELVIN + wsk_var_mean(run, WSK_VAR_CARD_DIE_C, i),
                           WSK_KELVIN + wsk_var_mean(run, WSK_VAR_CARD_HOTSPOT_C, i),
                           WSK_KELVIN + wsk_var_mean(run, WSK_VAR_CARD_MEMORY_C, i)},
                 limit[] = {c->gpu->target_k, c->gpu->hotspot_limit_k, c->gpu->memory_limit_k};
    double least = INFINITY;
    if (s->off) /* the card is cold now, but its die reached the shutdown temperature */
        return limit[0] > 0 ? wsk_min(limit[0] - c->gpu->shutdown_k, 0) : 0;
    for (int k = 0; k < 3; k++)
        if (limit[k] > 0) /* limit[k] is 0 or NAN if the card has no such limit */
            least = wsk_min(least, limit[k] - room - full * (here[k] - room));
    return least;
}

double wsk_spread_margin_k(const wsk_run *run)
{
    double least = NAN;
    for (int i = 0; i < run->net->n_card; i++)
        if (run->net->cards[i].works && isnan(run->cards[i].pin_power_w) && run->cards[i].off != WSK_LOST &&
            run->cases[run->net->cards[i].in].cpu_off != WSK_DARK) {
            const double margin = margin_of(run, i);
            least = isnan(least) ? margin : wsk_min(least, margin);
        }
    return least;
}

double wsk_spread_chance(double margin_k, double below_k, double above_k)
{
    const double error_k = margin_k > 0 ? below_k : above_k;
    return 0.5 * erfc(margin_k / (sqrt(2 * (error_k * error_k + WSK_SPREAD_MODEL_K * WSK_SPREAD_MODEL_K))));
}

/* Electric power of the air conditioner, W, at which the room would store no heat. A steady point is known to 0.01 K,
 * and that much of a degree is several per cent of the power of an air conditioner that is much larger than its load. */
static double cooling_w(const wsk_run *run)
{
    const wsk_ledger *l = &run->books->ledger;
    const double electric_j = wsk_sum_value(&l->cooling_electric), heat_j = wsk_sum_value(&l->cooling_heat),
                 needed = heat_j > 0 ? 1 + wsk_stored_j(run) / heat_j : 1;
    return electric_j * wsk_max(needed, 0) / wsk_window_s(run);
}

void wsk_spread_read(const wsk_run *run, wsk_spread_base *out)
{
    const wsk_net *net = run->net;
    const wsk_ledger *l = &run->books->ledger;
    double time = wsk_window_s(run), noise = run->books->noise_s / time, cool = 0,
           gone = wsk_sum_value(&run->head->work_gone) / time;
    const double rig_w = wsk_sum_value(&l->wall) / time;
    *out = (wsk_spread_base){.wall_w = rig_w + wsk_sum_value(&l->side) / time,
                             .noise_dba = noise > 1 ? wsk_dba(noise) : NAN,
                             .die_max_c = NAN,
                             .memory_max_c = NAN,
                             .margin_k = wsk_spread_margin_k(run),
                             .room_c = run->t[net->room] - WSK_KELVIN};
    out->site_w = out->wall_w + cooling_w(run);
    for (int i = 0; i < net->n_card; i++) {
        double die = wsk_var_mean(run, WSK_VAR_CARD_DIE_C, i), memory = wsk_var_mean(run, WSK_VAR_CARD_MEMORY_C, i);
        const bool shut = wsk_is_shut_down(run, i);
        if (shut)
            die = net->cards[i].gpu->shutdown_k - WSK_KELVIN;
        if (!run->cards[i].off || shut)
            out->die_max_c = isnan(out->die_max_c) ? die : wsk_max(out->die_max_c, die);
        if (!run->cards[i].off)
            out->memory_max_c = isnan(out->memory_max_c) ? memory : wsk_max(out->memory_max_c, memory);
        out->shut += shut;
        out->cards += wsk_var_mean(run, WSK_VAR_CARD_POWER_W, i);
        out->work += net->cards[i].works ? wsk_sum_value(&run->cards[i].work) / time : 0;
        cool += net->cards[i].works ? wsk_sum_value(&run->cards[i].work_cool) / time : 0;
    }
    for (int i = 0; i < net->n_mover && noise > 1; i++)
        if (net->movers[i].by_tips)
            out->tips_share += wsk_mover_now(run, i).noise_s / time / noise;
    out->cards /= wsk_max(wsk_sum_value(&l->dc) / time, 1e-9);
    out->cards *= out->wall_w > 0 ? rig_w / out->wall_w : 1;
    out->lost = cool > 0 ? 1 - (out->work + gone) / cool : 0;
    out->gone = cool > 0 ? gone / cool : 0;
}

wsk_effects wsk_effects_mix(const wsk_effects *a, double part_a, const wsk_effects *b, double part_b)
{
    const wsk_effects_list x = {*a}, y = {*b};
    wsk_effects_list out;
    for (int i = 0; i < WSK_EFFECTS; i++)
        out.v[i] = part_a * x.v[i] + part_b * y.v[i];
    return out.of;
}
