/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills the tokens/s and times of requests of a language model into the summary of a run. Theory:
 * docs/theory/tokens.md */
#include <math.h>

#include "sim/books/books.h"
#include "sim/control/control.h"
#include "sim/net/tokens.h"
#include "sim/results/results.h"

/* Time over which the throughput of a card is taken, s. Under a load curve, which gives the card work for only a share
 * of the time, only the time with work counts. */
static double counted_s(const wsk_run *run, const wsk_card_state *s)
{
    return run->net->workload->load_curve.count ? (double)s->served_ns / 1e9 : wsk_window_s(run);
}

/* Throughput of a card while it has work, relative to its reference. */
static double generating(const wsk_run *run, int i)
{
    const wsk_card_state *s = &run->cards[i];
    const double time_s = counted_s(run, s);
    return time_s > 0 ? wsk_sum_value(&s->work) / time_s : 0;
}

/* Share of the counted time in which a card was on. A card that is on at the end of the run counts for all of it. A
 * card that answers alone and whose power is given counts for none: its work is unknown. */
static double on_share(const wsk_run *run, int i)
{
    const wsk_card_state *s = &run->cards[i];
    const double time_s = counted_s(run, s);
    if (run->net->cards[i].group < 0 && wsk_power_is_given(run, i) && !(wsk_sum_value(&s->work) > 0))
        return 0;
    return !s->off ? 1 : time_s > 0 ? (double)s->served_ns / 1e9 / time_s : 0;
}

/* Throughput of a card when it processes prompts, at the clock that it has after generation has warmed it. If heat
 * limited the clock during generation, the clock for prompts is not higher. */
static double prompt_rel(const wsk_run *run, int i)
{
    const wsk_card *c = &run->net->cards[i];
    const wsk_card_state *s = &run->cards[i];
    if (run->net->cls == WSK_CLASS_PREFILL)
        return generating(run, i);
    wsk_gpu_class as;
    c->ops->classify(c->gpu, WSK_CLASS_PREFILL, NULL, &as);
    double hz = wsk_max(c->ops->boost_hz(c->gpu, s->die_k), c->gpu->clock_min_hz);
    if (c->ops->power_w(c->gpu, &as, hz, s->die_k, NULL) > s->held_w)
        hz = wsk_min(hz, c->ops->clock_for(c->gpu, &as, s->held_w, s->die_k, c->gpu->clock_knee_hz));
    if (!isnan(s->lock_hz))
        hz = wsk_min(hz, s->lock_hz);
    if (!s->off && s->throttle_ns[1] + s->throttle_ns[2] + s->throttle_ns[3] > 0)
        hz = wsk_min(hz, s->clock_hz);
    return on_share(run, i) * c->ops->perf_rel(&as, wsk_max(hz, c->gpu->clock_min_hz));
}

/* As prompt_rel, but for the group of cards that the card belongs to, if any. */
static double prompt_pace(const wsk_run *run, int i)
{
    const wsk_card *c = &run->net->cards[i];
    double whole = 0, now = 0;
    if (c->group < 0)
        return prompt_rel(run, i);
    for (int k = 0; k < run->net->n_card; k++)
        if (run->net->cards[k].group == c->group) {
            wsk_add_step(run, &run->net->cards[k], 1, &whole);
            wsk_add_step(run, &run->net->cards[k], prompt_rel(run, k), &now);
        }
    return whole / now;
}

/* Share of the counted time in which the copy of the model on a card answered: until the first card of its group was
 * off. */
static double answer_share(const wsk_run *run, int i)
{
    const int group = run->net->cards[i].group;
    double share = on_share(run, i);
    for (int k = 0; group >= 0 && k < run->net->n_card; k++)
        if (run->net->cards[k].group == group)
            share = wsk_min(share, on_share(run, k));
    return share;
}

void wsk_results_tokens(wsk_summary *s, const wsk_run *run)
{
    const wsk_token_rates *t = run->net->tokens;
    const wsk_workload_params *job = run->net->workload;
    double generation = 0, prompt = 0, share = 0;
    int working = 0, answering = 0;
    if (!t)
        return;
    for (int i = 0; i < run->net->n_card; i++)
        if (run->net->cards[i].works) {
            generation += generating(run, i);
            prompt += prompt_pace(run, i);
            share += answer_share(run, i);
            answering += answer_share(run, i) > 0;
            working++;
        }
    const double made = wsk_summary_number(s, WSK_R_COUNT, 0), rate = t->generation_s * generation / working;
    wsk_summary_set_flag(s, WSK_R_TOKENS_FIT, 0, t->fits);
    wsk_summary_set_number(s, WSK_R_TOKENS_MEMORY, 0, t->need_byte / WSK_GIB_BYTE);
    wsk_summary_set_number(s, WSK_R_TOKENS_MEMORY_SPREAD, 0, t->memory_rel);
    wsk_summary_set_number(s, WSK_R_TOKENS_CARDS_MEMORY, 0, t->have_byte / WSK_GIB_BYTE);
    wsk_summary_set_number(s, WSK_R_TOKENS_PROMPT, 0, t->prompt_s * prompt / working);
    wsk_summary_set_number(s, WSK_R_TOKENS_PROMPT_SPREAD, 0, isnan(t->prompt_s) ? t->prompt_s : t->prompt_rel);
    wsk_summary_set_number(s, WSK_R_TOKENS_GENERATION, 0, rate >= 0 ? rate : NAN);
    wsk_summary_set_number(s, WSK_R_TOKENS_GENERATION_SPREAD, 0, isnan(rate) ? rate : t->generation_rel);
    wsk_summary_set_number(s, WSK_R_TOKENS_COPIES, 0, t->copies * answering / working);
    wsk_summary_set_number(s, WSK_R_TOKENS_REQUESTS, 0, t->requests * answering / working);
    wsk_summary_set_number(s, WSK_R_TOKENS_EACH_REQUEST, 0,
                           rate >= 0 && share > 0 ? rate / (t->requests * share / working) : NAN);
    wsk_summary_set_number(s, WSK_R_TOKENS_ENERGY, 0,
                           made > 0 ? wsk_summary_number(s, WSK_R_WALL_KWH, 0) * 3.6e6 / made : NAN);
    wsk_summary_set_number(s, WSK_R_TOKENS_COST, 0,
                           made > 0 ? wsk_summary_number(s, WSK_R_COST, 0) * 1e6 / made : NAN);
    wsk_summary_set_number(s, WSK_R_TOKENS_PRICE, 0, job->token_price);
}
