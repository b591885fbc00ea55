/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's table of cards, and where their air comes from. Equal neighbours share a line. */
#include <math.h>
#include <string.h>

#include "sim/control/run.h"
#include "sim/study/found.h"
#include "sim/books/observe.h"

enum { LINES = 16, ROW = 160, LABEL = 40 };
typedef struct {
    int first, last; /* cards */
    char text[ROW];
} row;

static void put(char *text, size_t size, const wsk_buf *b)
{
    size_t len = b->failed || !b->data ? 0 : b->len < size - 1 ? b->len : size - 1;
    if (len)
        memcpy(text, b->data, len);
    text[len] = 0;
}

static void cell(wsk_buf *o, int width, int places, double value)
{
    if (isnan(value))
        wsk_buf_printf(o, " %*s", width, "-");
    else
        wsk_buf_printf(o, " %*.*f", width, places, value);
}

/* All of a card's line but its name and slot. */
static void describe(const wsk_run *run, int i, char text[ROW])
{
    const wsk_card *c = &run->net->cards[i];
    const wsk_card_state *s = &run->cards[i];
    double time = wsk_window_s(run);
    bool works = c->works && isnan(s->pin_power_w);
    wsk_buf o = {0};
    cell(&o, 10, 1, wsk_var_mean(run, WSK_VAR_CARD_DIE_C, i));
    cell(&o, 8, 1, wsk_var_high(run, WSK_VAR_CARD_DIE_C, i));
    cell(&o, 7, 1, wsk_var_high(run, WSK_VAR_CARD_MEMORY_C, i));
    cell(&o, 9, 1, wsk_var_mean(run, WSK_VAR_CARD_POWER_W, i));
    cell(&o, 10, 0, works || !isnan(s->pin_clock_hz) ? wsk_var_mean(run, WSK_VAR_CARD_CLOCK_MHZ, i) : (double)NAN);
    cell(&o, 8, 0, c->mover >= 0 ? wsk_var_mean(run, WSK_VAR_CARD_FAN_RPM, i) : (double)NAN);
    cell(&o, 6, 3, works ? wsk_sum_value(&s->work) / time : (double)NAN);
    if (works)
        wsk_buf_printf(&o, "  %5.1f %% / %.1f %%", 100 * (double)(s->throttle_ns[0] + s->throttle_ns[4]) / 1e9 / time,
                       100 * wsk_heat_throttle_s(s) / time);
    if (s->off)
        wsk_buf_printf(&o, "  off");
    put(text, ROW, &o);
    wsk_buf_free(&o);
}

/* Shares of the intake air; empty for a block in a loop. */
static void describe_air(const wsk_run *run, int i, char text[ROW])
{
    static const char *const words[WSK_INTAKES] = {"room", "case", "own exhaust", "neighbour's exhaust"};
    const wsk_card_state *s = &run->cards[i];
    const char *before = "";
    wsk_buf o = {0};
    for (int k = 0; k < WSK_INTAKES && run->net->cards[i].exhaust >= 0; k++)
        if (s->intake_s > 0 && s->intake[k] >= 0.005 * s->intake_s) {
            wsk_buf_printf(&o, "%s%s %.0f", before, words[k], 100 * s->intake[k] / s->intake_s);
            before = ", ";
        }
    put(text, ROW, &o);
    wsk_buf_free(&o);
}

/* Equal neighbours into one row each; returns how many rows, at most LINES, and in *seen how many cards they hold. */
static int fold(const wsk_run *run, void (*text_of)(const wsk_run *, int, char[ROW]), row rows[LINES], int *seen)
{
    int n = 0;
    for (*seen = 0; *seen < run->net->n_card; ++*seen) {
        char text[ROW];
        text_of(run, *seen, text);
        if (n > 0 && strcmp(rows[n - 1].text, text) == 0) {
            rows[n - 1].last = *seen;
            continue;
        }
        if (n == LINES)
            break;
        rows[n] = (row){.first = *seen, .last = *seen};
        memcpy(rows[n++].text, text, ROW);
    }
    return n;
}

static void name_of(const wsk_run *run, const row *r, char label[LABEL])
{
    wsk_buf o = {0};
    wsk_buf_printf(&o, r->first == r->last ? "%s" : "%s-%s", run->net->cards[r->first].id,
                   run->net->cards[r->last].id);
    put(label, LABEL, &o);
    wsk_buf_free(&o);
}

static void slots_of(const wsk_run *run, const row *r, char label[LABEL])
{
    wsk_buf o = {0};
    wsk_buf_printf(&o, r->first == r->last ? "%.0f" : "%.0f-%.0f", run->net->cards[r->first].gpu->slot,
                   run->net->cards[r->last].gpu->slot);
    put(label, LABEL, &o);
    wsk_buf_free(&o);
}

static void table(const wsk_run *run, wsk_buf *o)
{
    row rows[LINES];
    char name[LABEL], slot[LABEL];
    int seen, n = fold(run, describe, rows, &seen), width = 6;
    for (int i = 0; i < n; i++) {
        name_of(run, &rows[i], name);
        width = (int)strlen(name) > width ? (int)strlen(name) : width;
    }
    wsk_buf_printf(o, "\n%-*s %5s %10s %8s %7s %9s %10s %8s %6s  %s\n", width, "card", "slot", "die, degC", "at most",
                   "memory", "power, W", "clock MHz", "fan rpm", "work", "limited by power / heat");
    for (int i = 0; i < n; i++) {
        name_of(run, &rows[i], name);
        slots_of(run, &rows[i], slot);
        wsk_buf_printf(o, "%-*s %5s%s\n", width, name, slot, rows[i].text);
    }
    if (seen < run->net->n_card)
        wsk_buf_printf(o, "... and %d more cards\n", run->net->n_card - seen);
}

static void intakes(const wsk_run *run, wsk_buf *o)
{
    row rows[LINES];
    char name[LABEL];
    int seen, n = fold(run, describe_air, rows, &seen);
    size_t line = o->len;
    bool any = false;
    for (int i = 0; i < n; i++) {
        if (!rows[i].text[0])
            continue;
        bool wrap = any && o->len - line > 75;
        wsk_buf_printf(o, !any ? "\nIntake air, %%:" : wrap ? ";\n              " : ";");
        line = wrap ? o->len : line;
        any = true;
        name_of(run, &rows[i], name);
        wsk_buf_printf(o, " %s %s", name, rows[i].text);
    }
    wsk_buf_printf(o, "%s", any ? ".\n" : "");
}

const char *wsk_lost_to(const wsk_run *run)
{
    bool locked = false, held = false;
    for (int i = 0; i < run->net->n_card; i++) {
        const wsk_card *c = &run->net->cards[i];
        locked = locked || (c->works && !isnan(c->gpu->lock_clock_hz));
        held = held || (c->works && run->cards[i].throttle_ns[0] > 0 &&
                        (c->held_w < c->default_held_w || c->gpu->limit_schedule.count > 0));
    }
    return !locked ? "power limits" : held ? "power limits and a locked clock" : "a locked clock";
}

bool wsk_links_words(const wsk_net *net, wsk_buf *o)
{
    const wsk_workload_params *w = net->workload;
    const wsk_card *slow = NULL;
    if (!w || net->talk_share <= w->talk_share * (1 + 1e-9))
        return false;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_gpu_params *g = net->cards[i].gpu;
        if (net->cards[i].works && !g->nvlink &&
            (!slow || g->lanes * exp2(g->pcie) < slow->gpu->lanes * exp2(slow->gpu->pcie)))
            slow = &net->cards[i];
    }
    double step = 1 - w->talk_share + net->talk_share; /* in steps of the reference */
    wsk_buf_printf(o,
                   "%s's %.0f lanes of PCI Express %.0f make communication %.3g %% of a step, 16 of PCI Express 4 "
                   "%.3g %%: %.2g %% less work",
                   slow ? slow->id : "the", slow ? slow->gpu->lanes : 0, slow ? slow->gpu->pcie : 0,
                   100 * net->talk_share / step, 100 * w->talk_share, 100 * (1 - 1 / step));
    return true;
}

/* Its watts and work are those of other cards: nothing is known of it in this class of work, nor told by the user. */
static bool is_guessed(const wsk_run *run, int i)
{
    const wsk_card *c = &run->net->cards[i];
    const wsk_workload_params *w = run->net->workload;
    bool told = w && (w->power.count > 0 || (!isnan(w->p0_w) && !isnan(w->c_w_hz) && !isnan(w->clock_share)));
    return c->works && !told && !c->cls.fitted && isnan(run->cards[i].pin_power_w);
}

/* What holds a card back, be it a limit, heat or a lock, sets how far below its reference it runs; and watts that a limit or heat
 * holds are open only as far as the card might not come up to them. */
wsk_card_open wsk_card_spread(const wsk_run *run, int i)
{
    const wsk_card *c = &run->net->cards[i];
    const wsk_card_state *s = &run->cards[i];
    const wsk_operating *o = &s->operating;
    if (!is_guessed(run, i))
        return (wsk_card_open){NAN, NAN};
    if (!(o->power_w > 0)) /* has not worked yet */
        return (wsk_card_open){wsk_gpu_work_spread(&c->cls, 1), c->cls.power_spread_rel};
    double at_ref = c->ops->power_w(c->gpu, &c->cls, c->cls.ref_clock_hz, o->die_k, NULL),
           limit = s->held_w / c->default_held_w, share = o->power_w / at_ref,
           top = c->ops->boost_hz(c->gpu, o->die_k);
    if (!isnan(c->gpu->lock_clock_hz))
        top = wsk_min(top, c->gpu->lock_clock_hz);
    double least = c->ops->power_w(c->gpu, &c->cls, top, o->die_k, NULL) * (1 - c->cls.power_spread_rel);
    return (wsk_card_open){.work_rel = fmax(wsk_gpu_work_spread(&c->cls, share), wsk_gpu_work_spread(&c->cls, limit)),
                           .power_rel = o->reasons ? 1 - wsk_min(least / o->power_w, 1) : c->cls.power_spread_rel};
}

static bool same_part(const wsk_card *a, const wsk_card *b)
{
    const char *p = a->elem->part, *q = b->elem->part;
    return p && q ? strcmp(p, q) == 0 : p == q;
}

/* Parts whose watts and work are those of other cards; a line each, a few of them. */
static void guessed(const wsk_run *run, wsk_buf *o)
{
    enum { MOST = 3 };
    const wsk_net *net = run->net;
    for (int i = 0, told = 0; i < net->n_card && told < MOST; i++) {
        const wsk_card *c = &net->cards[i];
        bool before = false;
        for (int k = 0; k < i && !before; k++)
            before = is_guessed(run, k) && same_part(&net->cards[k], c);
        if (before || !is_guessed(run, i))
            continue;
        wsk_card_open s = wsk_card_spread(run, i);
        bool alike = true;
        for (int k = i + 1; k < net->n_card; k++)
            if (is_guessed(run, k) && same_part(&net->cards[k], c)) {
                wsk_card_open other = wsk_card_spread(run, k);
                alike =
                    alike && fabs(other.work_rel - s.work_rel) < 0.01 && fabs(other.power_rel - s.power_rel) < 0.01;
                s.work_rel = wsk_max(s.work_rel, other.work_rel);
                s.power_rel = wsk_max(s.power_rel, other.power_rel);
            }
        wsk_buf_printf(o, "%s%s: no measurements of this card in this kind of work: work +-%.0f %%",
                       told++ ? "" : "\n", c->elem->part ? c->elem->part : c->id, 100 * s.work_rel);
        if (s.power_rel >= 0.005)
            wsk_buf_printf(o, ", watts +-%.0f %%", 100 * s.power_rel);
        wsk_buf_printf(o, alike ? ".\n" : ", for the card where that is widest.\n");
    }
}

void wsk_page_cards(const wsk_run *run, wsk_buf *o)
{
    if (!run->net->n_card)
        return;
    table(run, o);
    intakes(run, o);
    guessed(run, o);
}
