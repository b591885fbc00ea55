/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The power that a rig states of a card (`power`, `measured-power`, the watts of a replay) was read from the card's own
 * sensor, and the true power may differ. This error changes the power at the wall. It does not change temperatures and
 * work, because coolers and classes were fitted to readings of the same sensors. Theory: docs/theory/uncertainty.md */
#include <math.h>
#include <string.h>

#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/control/run.h"
#include "sim/study/spread/find.h"

/* Error of a card's power that the rig states, 5 %, at least 5 W: docs/theory/constants.md, "stated watts of a card" */
static const double reading_rel = 0.05, reading_w = 5;

static const char *kind_of(const wsk_card *c)
{
    const wsk_elem *e = c->gpu->head.elem;
    return e->part ? e->part : e->id;
}

static bool is_replayed(const wsk_workload_params *w, const wsk_card *c)
{
    return w->power.count > 0 ||
           (w->log.cards > 0 && c->logged >= 0 && wsk_recorded_of(&w->log, c->logged, WSK_LOG_POWER)->count > 0);
}

static bool is_stated(const wsk_net *net, const wsk_card *c)
{
    const wsk_workload_params *w = net->workload;
    return !isnan(c->gpu->pin_power_w) || (c->works && w && (!isnan(w->measured_w) || is_replayed(w, c)));
}

static bool is_known(const wsk_spreads *s, const char *kind)
{
    for (int i = 0; i < s->n_source; i++)
        if (s->sources[i].reads && strcmp(s->sources[i].reads, kind) == 0)
            return true;
    return false;
}

void wsk_spread_readings_find(wsk_spreads *s)
{
    for (int i = 0; i < s->net->n_card; i++) {
        const wsk_card *c = &s->net->cards[i];
        const char *kind = kind_of(c);
        if (!is_stated(s->net, c) || is_known(s, kind))
            continue;
        wsk_spread_source *src = wsk_spreads_add(s, wsk_printf(s->arena, "%s:stated power", kind));
        if (!src)
            return;
        wsk_spread_name(s, src, WSK_SAID(WSK_SAY_UNCERTAIN_READING, kind));
        src->reads = kind;
        src->where = wsk_place_words(s, c->gpu->head.elem);
        src->from = WSK_SPREAD_STATED;
        wsk_spread_assume(s, src, WSK_N("sensors of cards are true within 5 %, or 5 W"));
        wsk_spread_half(s, src, WSK_SAID(WSK_SAY_CHECK_SPREAD, "5 %"));
    }
}

/* Increase of the loss of a circuit's UPS and power strip, W, if its PSUs draw more_w more. */
static double at_feed_w(const wsk_run *run, int line, double more_w)
{
    const wsk_mains_line *l = &run->net->lines[line];
    return wsk_feed_loss_w(l, run->line_wall_w[line] + more_w, NULL) -
           wsk_feed_loss_w(l, run->line_wall_w[line], NULL);
}

/* Increase of the mains power of case `in`, W, if its cards draw more_w more. Without a PSU it is more_w. */
static double at_wall_w(const wsk_run *run, int in, double more_w)
{
    const wsk_net *net = run->net;
    double dc_w = 0, wall_w = net->cases[in].n_supply ? 0 : more_w;
    for (int i = 0; i < net->n_supply; i++)
        if (net->supplies[i].in == in)
            dc_w += run->supply_dc_w[i];
    for (int i = 0; i < net->n_supply && dc_w > 0; i++) {
        const wsk_supply *s = &net->supplies[i];
        const double own_w = run->supply_dc_w[i];
        if (s->in == in) {
            const double psu_w =
                s->ops->input_w(&s->law, own_w * (1 + more_w / dc_w)) - s->ops->input_w(&s->law, own_w);
            wall_w += psu_w + at_feed_w(run, s->line, psu_w);
        }
    }
    return wall_w;
}

void wsk_spread_readings_follow(const wsk_spreads *s, wsk_spread_source *src, const wsk_run *run)
{
    const wsk_net *net = run->net;
    double wall_w = 0;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        if (!is_stated(net, c) || strcmp(kind_of(c), src->reads) != 0 || run->cards[i].off ||
            (s->resting && isnan(c->gpu->pin_power_w)))
            continue; /* a card without work draws the idle power of its part, whatever power is stated */
        wall_w += at_wall_w(run, c->in, wsk_max(reading_rel * wsk_var_mean(run, WSK_VAR_CARD_POWER_W, i), reading_w));
    }
    /* the air conditioner needs the same share of all heat, so the power of the site rises by the same share */
    const double rel = s->base.wall_w > 0 ? wall_w / s->base.wall_w : 0, per_work_rel = s->base.work > 0 ? rel : 0;
    src->raised = (wsk_effects){.site_rel = rel, .wall_rel = rel, .per_work_rel = per_work_rel};
    src->lowered = (wsk_effects){.site_rel = -rel, .wall_rel = -rel, .per_work_rel = -per_work_rel};
    src->mean = src->raised;
}
