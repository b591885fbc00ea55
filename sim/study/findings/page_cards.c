/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/study/findings/page.h"
#include "sim/study/findings/found.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"

enum { ROWS = 16 };

static const char *cell(wsk_arena *a, int places, double value)
{
    return isnan(value) ? NULL : wsk_printf(a, "%.*f", places, value);
}

static wsk_page_row describe(const wsk_run *run, int i, wsk_arena *a)
{
    const wsk_card *c = &run->net->cards[i];
    const wsk_card_state *s = &run->cards[i];
    double time = wsk_window_s(run), none = NAN;
    bool works = wsk_work_is_modelled(run, i), clocked = wsk_clock_is_known(run, i),
         limited = c->works && wsk_power_limit_is_known(run, i);
    return (wsk_page_row){
        .cells = {NULL, NULL, cell(a, 1, wsk_var_mean(run, WSK_VAR_CARD_DIE_C, i)),
                  cell(a, 1, wsk_var_high(run, WSK_VAR_CARD_DIE_C, i)),
                  cell(a, 1, wsk_var_high(run, WSK_VAR_CARD_MEMORY_C, i)),
                  cell(a, 1, wsk_var_mean(run, WSK_VAR_CARD_POWER_W, i)),
                  cell(a, 0, clocked ? wsk_var_mean(run, WSK_VAR_CARD_CLOCK_MHZ, i) : none),
                  cell(a, 0, c->mover >= 0 ? wsk_var_mean(run, WSK_VAR_CARD_FAN_RPM, i) : none),
                  cell(a, 3, works ? wsk_sum_value(&s->work) / time : none),
                  cell(a, 1, limited ? 100 * (double)(s->throttle_ns[0] + s->throttle_ns[4]) / 1e9 / time : none),
                  cell(a, 1, works ? 100 * wsk_heat_throttle_s(s) / time : none)},
        .off = s->off != 0};
}

static bool same_rows(const wsk_page_row *a, const wsk_page_row *b)
{
    for (int c = 2; c < WSK_PAGE_COLUMNS; c++)
        if ((a->cells[c] == NULL) != (b->cells[c] == NULL) || (a->cells[c] && strcmp(a->cells[c], b->cells[c]) != 0))
            return false;
    return a->off == b->off;
}

static const char *name_cards(const wsk_run *run, int first, int last, wsk_arena *a)
{
    const wsk_card *c = run->net->cards;
    return first == last ? c[first].id : wsk_printf(a, "%s-%s", c[first].id, c[last].id);
}

static void name_row(const wsk_run *run, int first, int last, wsk_arena *a, wsk_page_row *row)
{
    double from = run->net->cards[first].gpu->slot, to = run->net->cards[last].gpu->slot;
    row->cells[0] = name_cards(run, first, last, a);
    row->cells[1] = from == to ? wsk_printf(a, "%.0f", from) : wsk_printf(a, "%.0f-%.0f", from, to);
}

static void add_table(wsk_page *page, const wsk_run *run)
{
    wsk_arena *a = page->arena;
    int first = 0, i = 0;
    page->rows = wsk_alloc(a, ROWS * sizeof *page->rows);
    page->failed = page->failed || !page->rows;
    for (; page->rows && i < run->net->n_card; i++) {
        wsk_page_row row = describe(run, i, a);
        if (page->n_rows && same_rows(&page->rows[page->n_rows - 1], &row)) {
            name_row(run, first, i, a, &page->rows[page->n_rows - 1]);
            continue;
        }
        if (page->n_rows == ROWS)
            break;
        first = i;
        name_row(run, i, i, a, &row);
        page->rows[page->n_rows++] = row;
    }
    wsk_page_table(page);
    if (i < run->net->n_card)
        wsk_page_text(page, false, WSK_SAID(WSK_SAY_TABLE_MORE, run->net->n_card - i));
}

/* Origins of a card's intake air, in whole percent (wsk_intake_share); all 0 for a card in a coolant loop. */
typedef struct {
    int percent[WSK_INTAKES];
} mixture;

static mixture mix_of(const wsk_run *run, int i)
{
    const wsk_card_state *s = &run->cards[i];
    mixture m = {{0}};
    for (int k = 0; k < WSK_INTAKES && run->net->cards[i].exhaust >= 0; k++)
        if (s->intake_s > 0 && s->intake[k] >= 0.005 * s->intake_s)
            m.percent[k] = (int)round(fmin(100 * s->intake[k] / s->intake_s, 100));
    return m;
}

static const wsk_said *say_mixture(const char *cards, const mixture *m, wsk_arena *a)
{
    static const char *const sources[WSK_INTAKES] = {WSK_N("room"), WSK_N("case"), WSK_N("own exhaust"),
                                                     WSK_N("neighbour's exhaust")};
    wsk_said_list parts = {.arena = a};
    for (int k = 0; k < WSK_INTAKES; k++)
        if (m->percent[k] > 0)
            wsk_said_add(&parts, WSK_SAID(WSK_SAY_PERCENT_OF, WSK_WORD(sources[k]), m->percent[k]));
    if (!parts.count)
        return NULL;
    return WSK_SAY(a, WSK_SAY_INTAKE, cards, wsk_said_link_all(&parts, WSK_SAY_JOINED, WSK_SAY_JOINED));
}

static void add_intakes(wsk_page *page, const wsk_run *run)
{
    const int n = run->net->n_card;
    const wsk_said *before = NULL;
    bool begun = false;
    for (int first = 0, last, groups = 0; first < n && groups < ROWS; first = last + 1, groups++) {
        const mixture m = mix_of(run, first);
        for (last = first; last + 1 < n; last++) {
            const mixture next = mix_of(run, last + 1);
            if (memcmp(&m, &next, sizeof m) != 0)
                break;
        }
        const wsk_said *group = say_mixture(name_cards(run, first, last, page->arena), &m, page->arena);
        if (group && before) {
            wsk_page_line(page, begun ? NULL : WSK_N("Intake"), WSK_SAID(WSK_SAY_JOIN_SEMICOLON, before, group));
            begun = true;
        }
        before = group && before ? NULL : group ? group : before;
    }
    wsk_page_line(page, begun ? NULL : WSK_N("Intake"), before);
}

/* True if power and throughput of the card are computed from a class of work. False if the card has no work, or if the
 * user states both, replays a trace, or pins the power. */
static bool is_of_class(const wsk_run *run, int i)
{
    const wsk_workload_params *w = run->net->workload;
    bool told = w && !isnan(w->p0_w) && !isnan(w->c_w_hz) && !isnan(w->clock_share);
    return wsk_work_is_modelled(run, i) && !told;
}

/* True if the card's power and throughput are estimated from other cards, because neither its part file nor the
 * workload has measurements of this card. */
static bool is_guessed(const wsk_run *run, int i)
{
    const wsk_workload_params *w = run->net->workload;
    return is_of_class(run, i) && !run->net->cards[i].cls.fitted && (!w || isnan(w->measured_w));
}

/* Relative half width of the work that the clock share of a calibrated card leaves, as a log without a rate of work
 * does: 80 % are within 1.28 standard deviations. */
static double open_share_rel(const wsk_run *run, int i)
{
    const wsk_card *c = &run->net->cards[i];
    const double sd = wsk_class_share_sd(c->elem, run->net->cls), clock = run->cards[i].operating.clock_hz;
    wsk_gpu_class less = c->cls, more = c->cls;
    less.clock_share = wsk_max(less.clock_share - sd, 0);
    more.clock_share = wsk_min(more.clock_share + sd, 1);
    return 1.28 * fabs(c->ops->perf_rel(&less, clock) - c->ops->perf_rel(&more, clock)) / 2 /
           c->ops->perf_rel(&c->cls, clock);
}

/* The further a limit, heat or a locked clock keeps the card below its reference, the more uncertain is its
 * throughput. */
wsk_card_open wsk_card_spread(const wsk_run *run, int i)
{
    const wsk_card *c = &run->net->cards[i];
    const wsk_card_state *s = &run->cards[i];
    const wsk_operating *o = &s->operating;
    if (!is_of_class(run, i))
        return (wsk_card_open){NAN, NAN, false};
    if (!(o->power_w > 0)) /* the card has not worked yet */
        return (wsk_card_open){wsk_gpu_work_spread(&c->cls, 1), c->cls.power_spread_rel, false};
    double at_ref = c->ops->power_w(c->gpu, &c->cls, c->cls.ref_clock_hz, o->die_k, NULL),
           limit = s->held_w / c->default_held_w, share = o->power_w / at_ref,
           top = c->ops->boost_hz(c->gpu, o->die_k);
    if (!isnan(c->gpu->lock_clock_hz))
        top = wsk_min(top, c->gpu->lock_clock_hz);
    const double free_w = c->ops->power_w(c->gpu, &c->cls, top, o->die_k, NULL);
    const int64_t reasons = s->perf > 0 ? s->reasons : o->reasons; /* a card that waits may have no reason left */
    return (wsk_card_open){
        .work_rel = fmax(fmax(wsk_gpu_work_spread(&c->cls, share), wsk_gpu_work_spread(&c->cls, limit)),
                         open_share_rel(run, i)),
        .power_rel = reasons ? wsk_gpu_capped_spread(&c->cls, free_w, o->power_w, reasons & WSK_REASON_POWER)
                             : c->cls.power_spread_rel,
        .capped = reasons != 0};
}

static bool same_part(const wsk_card *a, const wsk_card *b)
{
    const char *p = a->elem->part, *q = b->elem->part;
    return p && q ? strcmp(p, q) == 0 : p == q;
}

void wsk_found_guesses(const wsk_run *run, wsk_said_list *o)
{
    const wsk_net *net = run->net;
    for (int i = 0; i < net->n_card; i++) {
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
                alike = alike && other.capped == s.capped && fabs(other.work_rel - s.work_rel) < 0.01 &&
                        fabs(other.power_rel - s.power_rel) < 0.01;
                s.work_rel = wsk_max(s.work_rel, other.work_rel);
                s.power_rel = wsk_max(s.power_rel, other.power_rel);
                s.capped = s.capped && other.capped;
            }
        const wsk_said *power = s.power_rel < 0.005 ? NULL
                                : s.capped          ? WSK_SAY(o->arena, WSK_SAY_GUESS_POWER_LESS, 100 * s.power_rel)
                                                    : WSK_SAY(o->arena, WSK_SAY_GUESS_POWER, 100 * s.power_rel);
        wsk_said_add(o, WSK_SAID(WSK_SAY_GUESS, c->elem->part ? c->elem->part : c->id, 100 * s.work_rel, power,
                                 alike ? NULL : WSK_SAY(o->arena, WSK_SAY_GUESS_WIDEST)));
    }
}

static void add_guesses(wsk_page *page, const wsk_run *run)
{
    enum { MOST = 3 };
    wsk_said_list guesses = {.arena = page->arena};
    wsk_found_guesses(run, &guesses);
    page->failed = page->failed || guesses.failed;
    for (size_t i = 0; i < guesses.count && i < MOST; i++)
        wsk_page_text(page, i == 0, guesses.items[i]);
}

void wsk_page_cards(wsk_page *page, const wsk_run *run)
{
    if (!run->net->n_card)
        return;
    add_table(page, run);
    size_t intakes = page->count;
    add_intakes(page, run);
    if (page->count > intakes)
        page->items[intakes].apart = true;
    add_guesses(page, run);
}
