/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the uncertain values of a class of work on a card, and of a load that the rig does not state. Theory:
 * docs/theory/uncertainty.md */
#include <math.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/num/root.h"
#include "sim/study/spread/find.h"

static const wsk_kind *class_kind(void)
{
    for (const wsk_kind *const *k = wsk_kinds; *k; k++)
        if (strcmp((*k)->element, "class") == 0 && (*k)->is_default)
            return *k;
    return NULL;
}

/* What the errors of a class belong to: the part that states the class, else the part that states the chip's size, so
 * that boards of one chip share them; the card itself if no part states either. own: the card's class, or NULL. */
static const char *owner_of_class(const wsk_spreads *s, const wsk_elem *e, const wsk_elem *own)
{
    const wsk_origin *o = own ? wsk_elem_origin(own, "p0") : wsk_elem_origin(e, "compute-units");
    const char *part = wsk_spread_part(s, own ? own : e, o);
    return part ? part : e->part ? e->part : e->id;
}

static wsk_spread_source *class_source(wsk_spread_finder *f, const wsk_elem *e, const wsk_elem *own, const char *what,
                                       double share_of_tdp, const wsk_gpu_class *cls_of)
{
    wsk_spreads *s = f->s;
    const char *cls = wsk_class_names[s->net->cls], *card = e->part ? e->part : e->id;
    char text[40];
    wsk_spread_source *src =
        wsk_spreads_add(s, wsk_printf(s->arena, "%s:class[%s].%s", owner_of_class(s, e, own), cls, what));
    if (!src)
        return NULL;
    wsk_print_places(text, sizeof text, 100 * share_of_tdp, 3);
    wsk_spread_name(s, src, WSK_SAID(WSK_SAY_UNCERTAIN_CLASS, wsk_class_words(what), cls, card));
    src->where = wsk_place_words(s, e);
    src->from = WSK_SPREAD_STATED;
    wsk_spread_assume(s, src,
                      cls_of->own      ? WSK_N("uncertainty that the calibration leaves")
                      : cls_of->fitted ? WSK_N("loads of one class differ from its middle on this card")
                                       : WSK_N("no measurements of this card in this kind of work"));
    wsk_spread_half(s, src, WSK_SAID(WSK_SAY_CHECK_SPREAD_TDP, (const char *)text));
    src->threshold = true; /* at its power limit a card can draw less, but not more */
    return src;
}

/* Adds the class's values to the card as an element <class>, so that they can be changed; NULL: out of memory. */
static wsk_class_params *add_class(wsk_spreads *s, wsk_elem *e, const wsk_gpu_class *plain)
{
    const wsk_kind *kind = class_kind();
    if (!kind)
        return NULL;
    size_t n = 0;
    while (kind->params[n].name)
        n++;
    wsk_elem *c = wsk_alloc(s->arena, sizeof *c);
    wsk_class_params *p = wsk_alloc(s->arena, kind->size);
    wsk_origin *origins = wsk_alloc(s->arena, n * sizeof *origins);
    if (!c || !p || !origins) {
        s->failed = true;
        return NULL;
    }
    *p = (wsk_class_params){.head = {c},
                            .name = (int)s->net->cls,
                            .p0_w = plain->p0_w,
                            .c_w_hz = plain->c_w_hz,
                            .clock_share = plain->clock_share,
                            .traffic_w = plain->traffic_w,
                            .duty = 1 - plain->pause,
                            .kernels = plain->kernels,
                            .limit_share = wsk_gpu_limit_share(plain),
                            .long_pauses = plain->long_pause > 0};
    *c = (wsk_elem){.kind = kind,
                    .params = p,
                    .origins = origins,
                    .id = e->id,
                    .parent = e,
                    .next = e->child,
                    .file = e->file,
                    .line = e->line};
    e->child = c;
    return p;
}

typedef struct {
    const wsk_card *card;
    const wsk_gpu_class *plain;
    double per_c, held_w, work;
} idle_share;

/* Work of the card at its limit minus s->work, if p0 is higher by more_w and the power at the boost clock is
 * the same. */
static double work_with_p0(double more_w, void *of)
{
    const idle_share *s = of;
    wsk_gpu_class moved = *s->plain;
    moved.p0_w += more_w;
    moved.c_w_hz -= more_w / s->per_c;
    return s->card->ops->perf_rel(&moved, s->card->ops->clock_for(s->card->gpu, &moved, s->held_w,
                                                                  s->card->gpu->leakage_temp_k, moved.ref_clock_hz)) -
           s->work;
}

/* Finds the increase of p0, at constant power at the boost clock, that reduces the work by the fraction `lost` when
 * the card is limited to 70 % of its reference power. The increase is at most 80 % of the dynamic power at the boost
 * clock, because take_class takes no more. */
static double rise_of_p0(const wsk_card *card, const wsk_gpu_class *plain, double per_c, double lost)
{
    const double die = card->gpu->leakage_temp_k;
    idle_share s = {card, plain, per_c,
                    .held_w = 0.7 * card->ops->power_w(card->gpu, plain, plain->ref_clock_hz, die, NULL)};
    s.work = (1 - lost) * work_with_p0(0, &s);
    return wsk_root(work_with_p0, &s, 0, 0.8 * plain->c_w_hz * per_c);
}

static double stated_half(const wsk_elem *cls, const char *name, double value)
{
    const wsk_param *p = cls->kind->params;
    while (strcmp(p->name, name) != 0)
        p++;
    return wsk_spread_of(cls, p, wsk_elem_origin(cls, name), value).half;
}

/* Adds the error of the clock share of a calibrated class. A log without a rate of work leaves it as it was known. */
static void take_share(wsk_spread_finder *f, const wsk_elem *e, const wsk_elem *own, wsk_class_params *p,
                       const wsk_gpu_class *cls)
{
    wsk_spreads *s = f->s;
    const double sd = wsk_class_share_sd(e, s->net->cls);
    wsk_spread_source *src = sd > 0 ? class_source(f, e, own, "work by clock", 0, cls) : NULL;
    char text[40];
    if (!src)
        return;
    wsk_print_places(text, sizeof text, 100 * sd, 3);
    wsk_spread_half(s, src, WSK_SAID(WSK_SAY_CHECK_SPREAD_POINTS, (const char *)text));
    wsk_spread_member_add(f, src, &p->clock_share, wsk_max(p->clock_share - sd, 0), wsk_min(p->clock_share + sd, 1));
}

/* Adds two errors of a class: p0 (fixed power) changes at constant total power at the boost clock, and the total power
 * changes at constant p0. Half widths that hold 80 % of cards are 1.28 standard deviations. */
void wsk_spread_take_class(wsk_spread_finder *f, wsk_elem *e)
{
    wsk_spreads *s = f->s;
    wsk_class cls = s->net->cls;
    const wsk_card *card = NULL;
    const wsk_workload_params *w = s->net->workload;
    wsk_class_params *p = NULL;
    const wsk_elem *own = NULL;
    for (int i = 0; i < s->net->n_card; i++)
        if (strcmp(s->net->cards[i].id, e->id) == 0)
            card = &s->net->cards[i];
    if (!card || !card->works || !isnan(card->gpu->pin_power_w) || (w && (!isnan(w->p0_w) || !isnan(w->c_w_hz))))
        return;
    for (wsk_elem *c = e->child; c; c = c->next)
        if (strcmp(c->kind->element, "class") == 0 && ((wsk_class_params *)c->params)->name == (int)cls) {
            p = c->params;
            if (wsk_elem_origin(c, "p0")->from != WSK_FROM_PART && !wsk_class_calibrated(p))
                return; /* given by the user: taken as exact */
            own = c;
        }
    const wsk_gpu_class *plain = &card->cls;
    wsk_gpu_class bare;
    card->ops->classify(card->gpu, cls, NULL, &bare);
    p = p ? p : add_class(s, e, &bare);
    if (!p)
        return;
    const double tdp = card->gpu->tdp_w, boost = card->ops->boost_hz(card->gpu, 65 + WSK_KELVIN),
                 draw = card->ops->power_w(card->gpu, &bare, boost, card->gpu->leakage_temp_k, NULL),
                 per_c = (draw - bare.p0_w) / bare.c_w_hz, sigmas = 1.28,
                 lost = plain->work_spread * (1 / 0.7 - 1) / sigmas,
                 dp = bare.own ? stated_half(own, "p0", p->p0_w) : rise_of_p0(card, &bare, per_c, lost),
                 dd = bare.own ? stated_half(own, "c", p->c_w_hz) * per_c : plain->power_spread_rel / sigmas * draw;
    wsk_spread_source *src = class_source(f, e, own, "idle share p0", dp / tdp, &bare);
    if (src) {
        wsk_spread_member_add(f, src, &p->p0_w, wsk_max(p->p0_w - dp, 0), p->p0_w + dp);
        wsk_spread_member_add(f, src, &p->c_w_hz, p->c_w_hz + wsk_min(dp, p->p0_w) / per_c,
                              wsk_max(p->c_w_hz - dp / per_c, 0.2 * p->c_w_hz));
    }
    if (bare.own)
        take_share(f, e, own, p, &bare);
    if (w && !isnan(w->measured_w))
        return; /* the user states the measured power, so it is exact */
    if ((src = class_source(f, e, own, "draw", dd / tdp, &bare)) != NULL)
        wsk_spread_member_add(f, src, &p->c_w_hz, wsk_max(p->c_w_hz - dd / per_c, 0.2 * p->c_w_hz),
                              p->c_w_hz + dd / per_c);
}

/* Adds the error of a value of the load that the rig does not state, so that the value of its class of work is used.
 * at: address of the unset value; low, high: the values to which it is changed. */
static void take_load(wsk_spread_finder *f, const wsk_elem *e, double *at, double low, double high,
                      const wsk_said *name, const char *key, const char *why, const wsk_said *half)
{
    wsk_spreads *s = f->s;
    wsk_spread_source *src =
        wsk_spreads_add(s, wsk_printf(s->arena, "workload:class[%s].%s", wsk_class_names[s->net->cls], key));
    if (!src)
        return;
    wsk_spread_name(s, src, name);
    src->where = wsk_place_words(s, e);
    src->from = WSK_SPREAD_STATED;
    wsk_spread_assume(s, src, why);
    wsk_spread_half(s, src, half);
    src->threshold = true; /* no load takes more than the whole bandwidth, but loads may take less */
    wsk_spread_member_add(f, src, at, low, high);
}

/* True if the memory temperatures of all working cards were fitted with the traffic of this class: memory-resistance has
 * taken up its error. A part may have been fitted to a log of other traffic. */
static bool traffic_is_fitted(const wsk_net *net)
{
    for (int i = 0; i < net->n_card; i++) {
        const wsk_elem *gpu = net->cards[i].elem;
        const wsk_origin *o = wsk_elem_origin(gpu, "memory-resistance");
        if (net->cards[i].works && !(net->cards[i].cls.own && o->from == WSK_FROM_RIG && wsk_origin_calibrated(o)))
            return false;
    }
    return true;
}

/* Loads of one class take different shares of the memory's bandwidth (docs/theory/uncertainty.md, "How far a value may
 * be off") and of the host. In training the load of the processors is part of the meaning of their `power`, whose
 * spread covers it; so only other classes get an error of the host's load. */
void wsk_spread_take_loads(wsk_spread_finder *f, wsk_elem *e)
{
    static const double host_spread = 0.15; /* docs/theory/uncertainty.md, "How far a value may be off" */
    const wsk_net *net = f->s->net;
    const char *cls = wsk_class_names[net->cls];
    wsk_workload_params *w = e->params;
    const wsk_card *card = NULL;
    for (int i = 0; i < net->n_card && !card; i++)
        card = net->cards[i].works ? &net->cards[i] : NULL;
    if (!card)
        return;
    const double spread = wsk_class_traffic_rel(net->cls), share = card->cls.traffic;
    if (isnan(w->traffic) && !traffic_is_fitted(net))
        take_load(f, e, &w->traffic, (1 - spread) * share, wsk_min((1 + spread) * share, 1),
                  WSK_SAID(WSK_SAY_UNCERTAIN_CLASS, wsk_class_words("memory traffic"), cls, card->id),
                  "memory-traffic", WSK_N("loads of one class use different shares of the memory's bandwidth"),
                  WSK_SAID(WSK_SAY_CHECK_SPREAD, net->cls == WSK_CLASS_STREAM ? "35 %" : "30 %"));
    if (isnan(w->host_load) && net->cls != WSK_CLASS_IDLE && net->cls != WSK_CLASS_TRAINING)
        take_load(f, e, &w->host_load, wsk_max(net->host_load - host_spread, 0),
                  wsk_min(net->host_load + host_spread, 1), WSK_SAID(WSK_SAY_UNCERTAIN_HOST, cls), "host-load",
                  WSK_N("loads of one class keep the processors busy in different degrees"),
                  WSK_SAID(WSK_SAY_CHECK_SPREAD_POINTS, "15"));
}
