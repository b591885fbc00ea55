/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/cases.h"
#include "cli/suggest/suggest.h"
#include "sim/base/said.h"

/* sure_p: probability with which heat and circuit limits must hold. sure_sd: a normal value lies below mean + sure_sd
 * standard deviations with that probability. */
static const double sure_p = 0.8, sure_sd = 0.84;
static const double day_s = 86400, year_d = 365;

static double worth(const wsk_rig *rig, const char *currency, const wsk_ask *ask)
{
    const char *paid = NULL;
    if (strcmp(currency, ask->currency) == 0)
        return 1;
    return wsk_rig_exchange(rig, currency, &paid) / wsk_rig_exchange(rig, ask->currency, &paid);
}

static bool read_money(wsk_judged_machine *out, const wsk_rig *rig, const wsk_summary *s, const wsk_ask *ask)
{
    const char *bought = wsk_cli_said(s, WSK_R_PURCHASE_CURRENCY, 0), *paid = wsk_cli_said(s, WSK_R_CURRENCY, 0);
    const double buying = worth(rig, bought, ask), paying = worth(rig, paid, ask);
    out->card_price = out->machine.card->price * worth(rig, out->machine.card->currency, ask);
    out->purchase = wsk_summary_number(s, WSK_R_PURCHASE, 0) * buying;
    out->year_cost = wsk_summary_number(s, WSK_R_ANNUAL, 0) * paying;
    if (isnan(buying) || isnan(paying)) {
        const char *unknown = isnan(buying) ? bought : paid;
        if (!ask->quiet)
            wsk_cli_error(T_("the budget is in %1$s, and there are prices in %2$s; expected --exchange, such as "
                             "'%2$s=RATE %1$s'"),
                          ask->currency, unknown);
        return false;
    }
    const double tokens = out->tokens_s * day_s * year_d * ask->years;
    out->per_million = 1e6 * (out->purchase + out->year_cost * ask->years) / tokens;
    return true;
}

static bool is_hot(const wsk_summary *s)
{
    const double chance = wsk_summary_number(s, WSK_R_THROTTLE_CHANCE, 0);
    return wsk_summary_flag(s, WSK_R_THROTTLES, 0) || wsk_summary_flag(s, WSK_R_SHUTS_DOWN, 0) ||
           (isfinite(chance) && chance > 1 - sure_p);
}

/* True if a PSU, UPS or power strip is overloaded, or something may trip, more likely a PSU than the breaker. */
static bool fails_behind_circuit(const wsk_summary *s)
{
    const double breaker = wsk_summary_number(s, WSK_R_CIRCUIT_TRIP, 0);
    double stays = 1;
    for (size_t i = 0; i < wsk_summary_count(s, WSK_SCOPE_PSU); i++)
        stays *= 1 - fmax(wsk_summary_number(s, WSK_R_PSU_TRIP, i), 0); /* fmax of NAN and 0 is 0 */
    return wsk_summary_over(s, WSK_R_PSU_LOAD_PEAK, WSK_OVER_MAX) > 1 ||
           wsk_summary_over(s, WSK_R_BRANCH_FEED, WSK_OVER_MAX) > 1 ||
           (wsk_summary_flag(s, WSK_R_TRIPS, 0) && !(1 - stays <= breaker));
}

/* Compares the circuit's limit with a peak that is raised by sure_sd standard deviations of the power at the wall, so
 * that the limit holds with the probability sure_p. The range of the summary is one standard deviation wide on each
 * side; without ranges the peak itself is compared. */
static bool overloads(const wsk_summary *s, wsk_judged_machine *out)
{
    const double mean_w = wsk_summary_wall_w(s), above = wsk_summary_number(s, WSK_R_WALL_HIGH, 0) / mean_w - 1,
                 peak = wsk_summary_number(s, WSK_R_WALL_PEAK_VA, 0),
                 high = peak * (1 + (isfinite(above) ? sure_sd * above : 0)),
                 limit = wsk_summary_number(s, WSK_R_CIRCUIT_LIMIT, 0);
    out->circuit = peak / limit;
    out->psu_fails = fails_behind_circuit(s);
    return high > limit || wsk_summary_flag(s, WSK_R_OVERLOADS, 0) || wsk_summary_flag(s, WSK_R_TRIPS, 0);
}

/* Compares the purchase with the budget. Returns the first requirement that the machine fails. */
static wsk_bad ask_budget(wsk_judged_machine *m, const wsk_ask *ask)
{
    const unsigned budget = 1u << WSK_BAD_BUDGET;
    m->broken = (m->broken & ~budget) | (m->purchase > ask->budget ? budget : 0);
    for (int b = WSK_GOOD + 1; b < WSK_BADS; b++)
        if (m->broken & 1u << b)
            return (wsk_bad)b;
    return WSK_GOOD;
}

static wsk_bad find_bad(wsk_judged_machine *out, const wsk_rig *rig, const wsk_summary *s, const wsk_ask *ask,
                        int *code)
{
    out->tokens_s = wsk_summary_number(s, WSK_R_TOKENS_GENERATION, 0);
    out->spread = wsk_summary_number(s, WSK_R_TOKENS_GENERATION_SPREAD, 0);
    out->noise_dba = wsk_summary_number(s, WSK_R_NOISE, 0);
    out->wall_w = wsk_summary_number(s, WSK_R_WALL_PEAK_W, 0);
    out->power_limited =
        wsk_summary_over(s, WSK_R_GPU_LIMITED_BY_POWER, WSK_OVER_MAX) / wsk_summary_number(s, WSK_R_SIMULATED, 0);
    if (!wsk_summary_flag(s, WSK_R_TOKENS_FIT, 0) || !(out->tokens_s > 0))
        return WSK_BAD_MEMORY;
    if (!read_money(out, rig, s, ask)) {
        *code = WSK_EINPUT;
        return WSK_BAD_BUDGET;
    }
    if (isnan(out->purchase)) /* a part has no price */
        return WSK_BAD_FIT;
    const double gib = 1.073741824, model_gb = gib * wsk_summary_number(s, WSK_R_TOKENS_MEMORY, 0);
    const bool breaks[WSK_BADS] = {[WSK_BAD_POWER] = overloads(s, out),
                                   [WSK_BAD_HEAT] = is_hot(s),
                                   [WSK_BAD_NOISE] = out->noise_dba > ask->noise_dba,
                                   [WSK_BAD_HOST] = model_gb > wsk_machine_host_gb(&out->machine)};
    for (int b = WSK_GOOD + 1; b < WSK_BADS; b++)
        out->broken |= breaks[b] ? 1u << b : 0;
    return ask_budget(out, ask);
}

/* True if the inference engine does not run on the machine's cards, or cannot split the language model over them. */
static bool is_refused(const wsk_rig *rig)
{
    for (size_t i = 0; i < wsk_rig_messages(rig); i++) {
        const wsk_code code = wsk_rig_message_said(rig, i)->code;
        if (code == WSK_SAY_MODEL_HEADS || code == WSK_SAY_MODEL_HEADS_GROUP || code == WSK_SAY_MODEL_OLD_CARD)
            return true;
    }
    return false;
}

static wsk_status load(wsk_rig **rig, const wsk_machine *m, const wsk_ask *ask)
{
    char *text = wsk_machine_xml(m, ask);
    const wsk_status status = wsk_suggest_load(rig, text, ask, NULL);
    free(text);
    return status;
}

/* Loads the machine with a PSU whose plugs suffice for its cards. WSK_EINPUT: there is none, or parts do not fit. */
static wsk_status load_plugged(wsk_rig **rig, wsk_machine *m, const wsk_ask *ask)
{
    wsk_status status = load(rig, m, ask);
    while (status == WSK_OK && wsk_rig_lacks_plugs(*rig)) {
        if (!wsk_machine_psu_up(m))
            return WSK_EINPUT;
        wsk_rig_free(*rig);
        *rig = NULL;
        status = load(rig, m, ask);
    }
    return status;
}

wsk_bad wsk_suggest_judge(wsk_judged_machine *out, const wsk_machine *m, const wsk_ask *ask, bool sure, int *code)
{
    wsk_rig *rig = NULL;
    wsk_summary *summary = NULL;
    wsk_bad bad = WSK_BAD_FIT;
    *out = (wsk_judged_machine){.machine = *m};
    wsk_status status = load_plugged(&rig, &out->machine, ask);
    if (status == WSK_OK && is_refused(rig)) {
        bad = WSK_BAD_ENGINE;
        status = WSK_EINPUT;
    }
    if (status == WSK_OK)
        status =
            wsk_steady_point(&summary, rig, WSK_STEPPER_FAST, sure ? WSK_POINT_RANGES : WSK_POINT_ALONE, NULL, NULL);
    *code = WSK_OK;
    if (status == WSK_OK)
        bad = find_bad(out, rig, summary, ask, code);
    else if (status == WSK_ENUMERIC)
        bad = WSK_BAD_HEAT;
    else
        *code = (int)wsk_suggest_refusal(rig, status, ask);
    wsk_summary_free(summary);
    wsk_rig_free(rig);
    return bad;
}

/* Returns the list with room for one more entry. The room of a list is 0, 1, 3, 7, ... entries. */
static void *make_room(void *list, size_t count, size_t size)
{
    if (count & (count + 1))
        return list;
    void *more = realloc(list, (2 * count + 1) * size);
    wsk_cli_check_memory(more != NULL);
    return more;
}

static void keep(wsk_field *f, const wsk_judged_machine *one)
{
    f->list = make_room(f->list, f->count, sizeof *f->list);
    f->list[f->count++] = *one;
}

/* Work of one thread: all machines with one kind of card in one kind of box. field: the result; known: machines that
 * were solved before. */
typedef struct {
    const wsk_choice_card *card;
    int box, code;
    wsk_field field;
    wsk_solved_machines *known;
} task;

/* Judges a machine. Solves it only if t->known does not have it yet. */
static wsk_bad judge_once(wsk_judged_machine *out, const wsk_machine *m, const wsk_ask *ask, task *t)
{
    wsk_solved_machines *known = t->known;
    for (size_t i = 0; i < known->count; i++) {
        const wsk_machine *had = &known->list[i].judged.machine;
        if (had->count != m->count || had->limit_w != m->limit_w)
            continue;
        *out = known->list[i].judged;
        const wsk_bad bad = known->list[i].bad;
        return bad == WSK_GOOD || out->broken ? ask_budget(out, ask) : bad;
    }
    const wsk_bad bad = wsk_suggest_judge(out, m, ask, false, &t->code);
    if (t->code != WSK_OK)
        return bad;
    known->list = make_room(known->list, known->count, sizeof *known->list);
    known->list[known->count++] = (wsk_solved_machine){*out, bad};
    return bad;
}

/* Judges a machine at 100, 80 and 67 % of the card's default power limit (lower limits help against power, heat, noise
 * and electricity cost, and allow a smaller PSU). Returns its tokens/s at the default limit; 0: they were not found, as
 * when the rig cannot be built. */
static double judge_limits(task *t, wsk_machine m, const wsk_ask *ask)
{
    static const double shares[] = {1, 0.8, 2.0 / 3};
    wsk_field *f = &t->field;
    double at_default = 0;
    for (size_t i = 0; i < sizeof shares / sizeof *shares && t->code == WSK_OK; i++) {
        wsk_judged_machine judged;
        m.limit_w = i ? ceil(shares[i] * m.card->need.tdp_w / 5) * 5 : m.card->need.tdp_w;
        if (m.limit_w < m.card->need.limit_min_w)
            break;
        const wsk_bad bad = judge_once(&judged, &m, ask, t);
        f->looked_at++;
        f->bad[bad]++;
        if (bad == WSK_GOOD || (f->all && judged.broken))
            keep(f, &judged);
        if (!i)
            at_default = judged.tokens_s;
        if (bad == WSK_BAD_FIT || bad == WSK_BAD_ENGINE || bad == WSK_BAD_MEMORY)
            break;
    }
    return at_default;
}

/* Judges a box with 1, 2, 3, ... cards, as far as the box and the budget allow. Stops if a further card makes the
 * machine less than 2 % faster, as happens if the cards process the layers of a request in turn. */
static void judge_box(task *t, const wsk_ask *ask)
{
    const wsk_choice_card *card = t->card;
    const bool known = strcmp(card->currency, ask->currency) == 0;
    double last = 0;
    for (int n = 1; wsk_box_holds(t->box, card, n) && t->code == WSK_OK; n++) {
        if (n * card->memory_gb < ask->memory_gb)
            continue;
        if (known && n * card->price > ask->budget) {
            t->field.looked_at++;
            t->field.bad[WSK_BAD_BUDGET]++;
            return;
        }
        const double now = judge_limits(t, (wsk_machine){.card = card, .count = n, .box = t->box}, ask);
        if (now > 0 && now < 1.02 * last)
            return;
        last = fmax(last, now);
    }
}

typedef struct {
    task *tasks;
    wsk_ask ask;
} work;

static void *do_task(void *ctx, size_t i)
{
    const work *w = ctx;
    judge_box(&w->tasks[i], &w->ask);
    return &w->tasks[i];
}

static bool goes_on(void *ctx, size_t i, void *result)
{
    (void)ctx;
    (void)i;
    return ((const task *)result)->code == WSK_OK;
}

static void add_field(wsk_field *all, const wsk_field *part)
{
    for (size_t i = 0; i < part->count; i++)
        keep(all, &part->list[i]);
    for (int b = 0; b < WSK_BADS; b++)
        all->bad[b] += part->bad[b];
    all->looked_at += part->looked_at;
}

int wsk_judge_all(wsk_field *out, const wsk_choice_cards *cards, wsk_known *known, const wsk_ask *ask)
{
    const size_t boxes = (size_t)wsk_boxes(), count = cards->count * boxes;
    work w = {.tasks = wsk_cli_alloc((count + 1) * sizeof *w.tasks), .ask = *ask};
    int code = WSK_OK;
    if (!known->of)
        known->of = wsk_cli_alloc((count + 1) * sizeof *known->of);
    known->count = count;
    for (size_t i = 0; i < count; i++)
        w.tasks[i] = (task){.card = &cards->list[i / boxes],
                            .box = (int)(i % boxes),
                            .field = {.all = out->all},
                            .known = &known->of[i]};
    w.ask.quiet = true;
    wsk_cli_run_cases(&(wsk_cli_work){.count = count, .ctx = &w, .run = do_task, .done = goes_on});
    *out = (wsk_field){.all = out->all};
    for (size_t i = 0; i < count; i++) {
        task *t = &w.tasks[i];
        if (code == WSK_OK && t->code != WSK_OK) { /* judged again, now not quiet, so that the message is printed */
            code = t->code;
            t->code = WSK_OK;
            judge_box(t, ask);
        }
        add_field(out, &t->field);
        free(t->field.list);
    }
    free(w.tasks);
    return code;
}

void wsk_known_free(wsk_known *known)
{
    for (size_t i = 0; i < known->count; i++)
        free(known->of[i].list);
    free(known->of);
}
