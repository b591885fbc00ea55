/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "sim/base/number.h"
#include "sim/control/run.h"
#include "sim/results/summary.h"
#include "sim/study/findings/fill.h"
#include "sim/say/say.h"
#include "sim/study/findings/found.h"
#include "sim/study/kit/verdict.h"

/* Rounds to seven significant digits, because the last digits may differ between compilers. NAN: v is not finite. */
static double told(double v)
{
    char text[40];
    const char *end;
    double value = NAN;
    if (isfinite(v))
        wsk_print_places(text, sizeof text, v, 7);
    return isfinite(v) && wsk_parse_number(text, &end, &value) ? value : NAN;
}

typedef struct {
    wsk_scope scope;
    wsk_result what, text, parts, set, work, wall, die, room, noise, annual, purchase, currency, trip, over_circuit,
        over_feed, over_psu, lost, throttles, shuts_down, too_hot, too_loud;
} change_rows;
#define CHANGE_ROWS(P) \
    { \
        WSK_SCOPE_##P, WSK_R_##P##_WHAT, WSK_R_##P##_TEXT, WSK_R_##P##_PARTS, WSK_R_##P##_SET, WSK_R_##P##_WORK, \
            WSK_R_##P##_WALL, WSK_R_##P##_DIE_MAX, WSK_R_##P##_ROOM, WSK_R_##P##_NOISE, WSK_R_##P##_ANNUAL, \
            WSK_R_##P##_PURCHASE, WSK_R_##P##_CURRENCY, WSK_R_##P##_TRIP, WSK_R_##P##_OVER_CIRCUIT, \
            WSK_R_##P##_OVER_FEED, WSK_R_##P##_OVER_PSU, WSK_R_##P##_LOST, WSK_R_##P##_THROTTLES, \
            WSK_R_##P##_SHUTS_DOWN, WSK_R_##P##_TOO_HOT, WSK_R_##P##_TOO_LOUD \
    }

static void set_said(wsk_summary *s, wsk_result result, size_t member, wsk_arena *arena, const wsk_said *said)
{
    wsk_summary_set_text(s, result, member, said ? wsk_said_english(arena, said) : NULL);
}

static void set_parts(wsk_summary *s, wsk_result result, size_t member, const wsk_said_list *parts)
{
    if (parts->failed)
        wsk_summary_fail(s);
    else
        wsk_summary_set_messages(s, result, member, parts->items, parts->count);
}

static void fill_change(wsk_summary *s, const change_rows *r, size_t i, const wsk_advice *a, const wsk_change *c,
                        wsk_arena *arena)
{
    const wsk_ills *then = &c->then;
    set_said(s, r->what, i, arena, c->what);
    set_said(s, r->text, i, arena, wsk_change_said(arena, a, c));
    wsk_said_list parts = {.arena = arena};
    wsk_said_add(&parts, c->what);
    wsk_change_effects(a, c, &parts);
    set_parts(s, r->parts, i, &parts);
    wsk_summary_set_texts(s, r->set, i, c->sets, c->n_sets);
    wsk_summary_set_number(s, r->work, i, told(c->work_rel));
    wsk_summary_set_number(s, r->wall, i, told(c->wall_w));
    wsk_summary_set_number(s, r->die, i, told(c->die_k));
    wsk_summary_set_number(s, r->room, i, told(c->room_k));
    wsk_summary_set_number(s, r->noise, i, told(c->noise_db));
    wsk_summary_set_number(s, r->annual, i, told(c->year));
    wsk_summary_set_number(s, r->purchase, i, told(c->purchase));
    wsk_summary_set_text(s, r->currency, i, c->currency[0] ? c->currency : NULL);
    wsk_summary_set_number(s, r->trip, i, told(then->trip));
    wsk_summary_set_number(s, r->over_circuit, i, told(then->over_w));
    wsk_summary_set_number(s, r->over_feed, i, told(then->over_feed));
    wsk_summary_set_number(s, r->over_psu, i, told(then->over_psu_w));
    wsk_summary_set_number(s, r->lost, i, told(then->lost));
    wsk_summary_set_flag(s, r->throttles, i, then->throttles);
    wsk_summary_set_flag(s, r->shuts_down, i, then->shuts_down);
    wsk_summary_set_flag(s, r->too_hot, i, then->throttles || then->shuts_down || then->parts_hot || then->room_hot);
    wsk_summary_set_flag(s, r->too_loud, i, then->loud);
}

static void fill_changes(wsk_summary *s, const change_rows *rows, const wsk_advice *a, const wsk_change *list, int n,
                         wsk_arena *arena)
{
    if (wsk_summary_members(s, rows->scope, (size_t)n) != WSK_OK)
        return;
    for (int i = 0; i < n; i++)
        fill_change(s, rows, (size_t)i, a, &list[i], arena);
}

static void fill_advice(wsk_summary *s, const wsk_advice *a, wsk_arena *arena)
{
    static const change_rows changes = CHANGE_ROWS(CHANGE), vain = CHANGE_ROWS(VAIN);
    if (!a) {
        wsk_summary_set_null(s, WSK_R_CHANGES, 0);
        wsk_summary_set_null(s, WSK_R_VAIN, 0);
        return;
    }
    set_said(s, WSK_R_ADVICE, 0, arena, a->before);
    set_said(s, WSK_R_ADVICE_BASIS, 0, arena, a->basis);
    wsk_said_list parts = {.arena = arena};
    if (a->before)
        wsk_said_add(&parts, a->before);
    if (a->checkpoint)
        wsk_said_add(&parts, a->checkpoint);
    if (a->idle)
        wsk_said_add(&parts, a->idle);
    if (a->hours)
        wsk_said_add(&parts, a->hours);
    if (a->basis)
        wsk_said_add(&parts, a->basis);
    set_parts(s, WSK_R_ADVICE_PARTS, 0, &parts);
    wsk_summary_set_number(s, WSK_R_COOLING, 0, told(a->cooling_w));
    fill_changes(s, &changes, a, a->changes, a->n, arena);
    fill_changes(s, &vain, a, a->vain, a->n_vain, arena);
}

static void fill_flags(wsk_summary *s, const wsk_facts *f)
{
    wsk_summary_set_flag(s, WSK_R_THROTTLES, 0, f->hot > 0);
    wsk_summary_set_flag(s, WSK_R_SHUTS_DOWN, 0, f->off);
    wsk_summary_set_flag(s, WSK_R_TRIPS, 0, f->trip >= WSK_TELLS);
    wsk_summary_set_flag(s, WSK_R_OVERLOADS, 0, f->over_s > 0 || f->load > 1 || f->feed > 1);
    wsk_summary_set_flag(s, WSK_R_TOO_HOT, 0, f->hot || f->off || f->parts_hot || wsk_facts_room_hot(f));
    wsk_summary_set_flag(s, WSK_R_TOO_LOUD, 0, wsk_facts_loud(f));
    wsk_summary_set_number(s, WSK_R_COST_WEEK, 0, told(f->week));
    wsk_summary_set_number(s, WSK_R_COST_YEAR, 0, told(f->year));
}

void wsk_verdict_fill(const wsk_run *run, wsk_summary *s, wsk_arena *arena)
{
    wsk_summary_set_flag(s, WSK_R_PARTS_HOT, 0, wsk_parts_too_hot(run));
    if (!run->steady && run->head->failed_ns >= 0 && run->head->shut_ns < 0 && run->advice &&
        run->advice->now.shuts_down)
        wsk_summary_set_flag(s, WSK_R_FAILED_SHUTS_LATER, 0, true);
    const wsk_facts facts = wsk_facts_of(s);
    if (!wsk_put_verdict(s, &facts, arena))
        wsk_summary_fail(s);
    fill_flags(s, &facts);
    fill_advice(s, run->advice, arena);
}
