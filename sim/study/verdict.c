/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict: does it throttle, trip, run too hot or too loud; what is lost, what it costs; what would help most. */
#include "sim/books/books.h"
#include "sim/study/verdict.h"

#include <math.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/control/run.h"
#include "sim/books/bill.h"
#include "sim/study/trip.h"
#include "sim/study/found.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/results/summary.h"

static const double surely = 0.995, least_share = 1e-4; /* of the work: less is none */

typedef struct {
    int cards, throttle, dead;
    double trip, over_s, load, lost, limited, noise, room_c, week, year; /* NAN: unknown */
    bool braked;
    bool beyond;                  /* parts over their limits of temperature */
    const char *currency, *limit; /* limit: what took `limited` */
} facts;

static double chance(const wsk_run *run)
{
    double stay = 1, p = wsk_circuit_trip(run);
    bool known = !isnan(p);
    stay *= known ? 1 - p : 1;
    for (int i = 0; i < run->net->n_supply; i++) {
        p = wsk_supply_trip(run, i);
        known = known || !isnan(p);
        stay *= isnan(p) ? 1 : 1 - p;
    }
    return known ? 1 - stay : NAN;
}

static facts facts_of(const wsk_run *run)
{
    const wsk_net *net = run->net;
    facts f = {.cards = net->n_card,
               .dead = (int)run->head->shutdowns,
               .trip = chance(run),
               .over_s = (double)run->books->over_limit_ns / 1e9,
               .noise = wsk_dba(run->books->noise_s / wsk_window_s(run)),
               .week = NAN,
               .year = NAN,
               .lost = NAN,
               .limited = NAN};
    double done = 0, cool = 0, unlimited = 0, time = wsk_window_s(run);
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card_state *s = &run->cards[i];
        done += wsk_sum_value(&s->work);
        cool += wsk_sum_value(&s->work_cool);
        unlimited += wsk_sum_value(&s->work_free);
        f.braked = f.braked || s->throttle_ns[4] > 0;
        f.throttle += wsk_heat_throttle_s(s) > 0.001 * time;
    }
    for (int i = 0; i < net->n_supply; i++)
        f.load = wsk_max(f.load, run->supplies[i].peak_rel);
    if (cool > 0) {
        f.lost = wsk_max(0, 1 - done / cool);
        f.limited = unlimited > 0 ? wsk_max(0, 1 - cool / unlimited) : NAN;
        f.limit = wsk_lost_to(run);
    }
    f.beyond = wsk_parts_too_hot(run);
    f.room_c = wsk_var_high(run, WSK_VAR_ROOM_C, 0);
    if (net->tariff && !run->steady) {
        f.year = wsk_bill_account(run).annual;
        f.week = f.year * 7 / 365;
        f.currency = net->currency;
    }
    return f;
}

/* ---- words ---- */

/* As it is printed: 55 is not over 55. */
static bool too_loud(const facts *f)
{
    return round(f->noise) > WSK_LOUD_DBA;
}

/* "; " between what is said, a capital before all. */
static void say(wsk_buf *o, size_t from, const char *text)
{
    wsk_buf_printf(o, "%s%s", o->len > from ? "; " : "", text);
    if (!o->failed && o->data[from] >= 'a' && o->data[from] <= 'z')
        o->data[from] = (char)(o->data[from] - 'a' + 'A');
}

/* Told beside what takes it; where limits take some as well, with their share instead. */
static bool heat_told(const facts *f)
{
    return (f->dead || f->throttle) && !f->braked && f->lost >= least_share && !(f->limited > least_share);
}

static void say_throttling(const facts *f, size_t from, wsk_buf *o)
{
    char text[120];
    if (f->throttle < f->cards)
        snprintf(text, sizeof text, "%d of its %d cards throttle%s from heat", f->throttle, f->cards,
                 f->throttle == 1 ? "s" : "");
    else if (f->cards > 2)
        snprintf(text, sizeof text, "all its %d cards throttle from heat", f->cards);
    else
        snprintf(text, sizeof text,
                 f->cards == 1 ? "its card throttles from heat" : "both its cards throttle from heat");
    say(o, from, text);
}

static void say_ills(const wsk_run *run, const facts *f, wsk_buf *o)
{
    size_t from = o->len;
    char text[120];
    if (f->trip >= WSK_TELLS) {
        snprintf(text, sizeof text, f->trip > surely ? "it would almost surely trip" : "it would trip (%.0f in 100)",
                 wsk_max(1, 100 * f->trip));
        say(o, from, text);
    }
    if (f->over_s > 0)
        say(o, from, "its circuit is overloaded");
    if (f->load > 1)
        say(o, from, run->net->n_supply == 1 ? "its power supply is too small" : "a power supply is too small");
    if (f->braked)
        say(o, from, "its chassis brakes its cards, which its supplies cannot carry");
    if (f->dead)
        say(o, from, "it shuts down from heat");
    else if (f->throttle)
        say_throttling(f, from, o);
    if (heat_told(f))
        wsk_buf_printf(o, ", which takes %.3g %% of its work", 100 * f->lost);
    if (f->beyond)
        say(o, from, "parts get hotter than their limits");
    if (f->room_c > WSK_HOT_ROOM_C) {
        snprintf(text, sizeof text,
                 f->room_c < WSK_HOT_ROOM_C + 0.5 ? "the room gets too hot (%.1f degC)"
                                                  : "the room gets too hot (%.0f degC)",
                 f->room_c);
        say(o, from, text);
    }
    if (too_loud(f)) {
        snprintf(text, sizeof text, "it is too loud %s (%.0f dBA at %.3g m)",
                 round(f->noise) > WSK_VERY_LOUD_DBA ? "to work beside" : "for a desk", f->noise,
                 run->net->site->listener_m);
        say(o, from, text);
    }
    wsk_buf_printf(o, o->len > from ? ". " : "");
}

/* "Nothing trips, gets too hot or throttles from heat": of these what is true. */
static void say_goods(const wsk_run *run, const facts *f, wsk_buf *o)
{
    size_t from = o->len;
    const char *is[3];
    char text[120];
    int n = 0;
    bool cool = !f->throttle && !f->dead && !f->beyond && f->room_c <= WSK_HOT_ROOM_C;
    if (f->trip < WSK_TELLS && !(f->over_s > 0) && f->load <= 1)
        is[n++] = "trips";
    if (cool)
        is[n++] = "gets too hot";
    if (f->cards && !f->throttle && !f->dead)
        is[n++] = "throttles from heat";
    if (n) {
        snprintf(text, sizeof text, "nothing %s%s%s%s%s", is[0], n > 2 ? ", " : "", n > 2 ? is[1] : "",
                 n > 1 ? " or " : "", n > 1 ? is[n - 1] : "");
        say(o, from, text);
    }
    if (f->noise > 1 && !too_loud(f) && !f->dead && f->room_c <= WSK_HOT_ROOM_C) {
        snprintf(text, sizeof text, "one can work beside it (%.0f dBA at %.3g m)", f->noise,
                 run->net->site->listener_m);
        say(o, from, text);
    }
    wsk_buf_printf(o, o->len > from ? "." : "");
}

/* What limits and heat take of the work; heat takes from what the limits leave. */
static void say_losses(const facts *f, wsk_buf *o)
{
    bool none = f->lost<least_share, limited = f->limited> least_share;
    const char *heat = !f->braked ? "heat" : f->throttle || f->dead ? "heat and the brake" : "the brake";
    if (none)
        wsk_buf_printf(o, "None of its work is lost to heat");
    if (none && limited)
        wsk_buf_printf(o, ", %.3g %% to %s", 100 * f->limited, f->limit);
    else if (limited)
        wsk_buf_printf(o, "%.3g %% of its work is lost to %s, %.3g %% of the rest to %s", 100 * f->limited, f->limit,
                       100 * f->lost, heat);
    else if (!none)
        wsk_buf_printf(o, "%.3g %% of its work is lost to %s", 100 * f->lost, heat);
}

/* False where there is nothing to tell. */
static bool say_figures(const facts *f, wsk_buf *o)
{
    bool losses = !isnan(f->lost) && !heat_told(f), money = !isnan(f->year);
    if (losses)
        say_losses(f, o);
    if (money)
        wsk_buf_printf(o, "%s %.*f %s a week, %.0f a year",
                       losses ? "; its electricity costs" : "Its electricity costs", f->week < 1000 ? 2 : 0, f->week,
                       f->currency ? f->currency : "", f->year);
    wsk_buf_printf(o, losses || money ? "." : "");
    return losses || money;
}

static void sentences(const wsk_run *run, const char *between, wsk_buf *o)
{
    facts f = facts_of(run);
    size_t from = o->len;
    say_ills(run, &f, o);
    say_goods(run, &f, o);
    if (o->len > from && o->data[o->len - 1] == ' ')
        o->len--;
    size_t end = o->len;
    if (o->len > from)
        wsk_buf_printf(o, "%s", between);
    if (!say_figures(&f, o))
        o->len = end;
}

static void effect(wsk_buf *o, const char **before, const char *name, const char *format, double v, double least,
                   const char *unit)
{
    if (!(fabs(v) >= least))
        return;
    wsk_buf_printf(o, "%s%s", *before, name);
    wsk_buf_printf(o, format, v);
    wsk_buf_printf(o, "%s%s", unit[0] ? " " : "", unit);
    *before = ", ";
}

static void clause(wsk_buf *o, const char **sep, const char *format, double v)
{
    wsk_buf_printf(o, "%s", *sep);
    wsk_buf_printf(o, format, v);
    *sep = "; ";
}

static void say_effects(const wsk_advice *a, const wsk_change *c, const char **before, wsk_buf *o)
{
    effect(o, before, "work ", fabs(c->work_rel) < 0.1 ? "%+.1f %%" : "%+.0f %%", 100 * c->work_rel, 0.05, "");
    if (c->cooler_clocks)
        wsk_buf_printf(o, " (cooler, the cards clock higher)");
    effect(o, before, "wall power ", "%+.0f W", c->wall_w, 0.5, "");
    effect(o, before, "hottest die ", "%+.0f K", c->die_k, 0.5, "");
    effect(o, before, "room ", "%+.0f K", c->room_k, 0.5, "");
    effect(o, before, "noise ", "%+.0f dBA", c->noise_db, 0.5, "");
    effect(o, before, "", "%+.0f", c->year, 0.5, a->currency ? a->currency : "");
    if (fabs(c->year) >= 0.5)
        wsk_buf_printf(o, "%sa year", a->currency ? " " : "");
    effect(o, before, "", "%+.0f", c->purchase, 0.5, c->currency);
    if (fabs(c->purchase) >= 0.5)
        wsk_buf_printf(o, "%sto buy", c->currency[0] ? " " : "");
    if (c->purchase > 0 && c->year < -0.5 && strcmp(c->currency, a->currency ? a->currency : "") == 0)
        wsk_buf_printf(o, ", paid back in %.2g years", -c->purchase / c->year);
}

/* What feeds it. */
static void say_delivery(const wsk_ills *now, const wsk_ills *then, const char **sep, wsk_buf *o)
{
    if (then->over_w > 0)
        clause(o, sep, now->over_w > 0 ? "still %.0f W over the circuit" : "%.0f W over the circuit", then->over_w);
    else if (now->over_w > 0)
        clause(o, sep, "within the circuit", 0);
    if (then->trip >= WSK_TELLS) {
        clause(o, sep, then->trip_psu >= WSK_TELLS ? "it would" : "the breaker would", 0);
        wsk_buf_printf(o, then->trip > surely ? "%s trip, almost surely" : "%s trip, %.0f in 100",
                       now->trip >= WSK_TELLS ? " still" : "", wsk_max(1, 100 * then->trip));
    } else if (then->over_psu_w > 0)
        clause(o, sep,
               now->over_psu_w > 0 ? "still %.0f W over the supply's rating" : "%.0f W over the supply's rating",
               then->over_psu_w);
    else if (now->over_psu_w > 0 && now->trip < WSK_TELLS)
        clause(o, sep, "within the supply's rating", 0);
    if (then->braked || now->braked)
        clause(o, sep,
               !now->braked   ? "its cards would be braked"
               : then->braked ? "its cards are still braked"
                              : "no card is braked then",
               0);
}

/* What it still suffers from, or would: heat and noise. What the change has no part in is not said to be still there. */
static void say_heat(const wsk_advice *a, const wsk_change *c, const char **sep, wsk_buf *o)
{
    const wsk_ills *now = &a->now, *then = &c->then;
    bool idle = fabs(c->work_rel) < 0.003 && !(fabs(c->die_k) >= 0.5) && !(now->over_w > then->over_w) &&
                !(now->trip > then->trip + WSK_TELLS);
    if (then->shuts_down)
        clause(o, sep, now->shuts_down ? "it still shuts down" : "it would shut down from heat", 0);
    else if (then->throttles && !now->throttles)
        clause(o, sep, "cards would throttle from heat", 0);
    else if (then->throttles && then->lost >= 0.0005 && !idle)
        clause(o, sep, "heat still takes %.1f %%", 100 * then->lost);
    else if (then->throttles && !idle)
        clause(o, sep, "cards still throttle", 0);
    if (then->parts_hot != now->parts_hot)
        clause(o, sep,
               then->parts_hot ? "parts would get hotter than their limits" : "parts stay within their limits", 0);
    if (then->room_hot != now->room_hot)
        clause(o, sep, then->room_hot ? "the room would get too hot" : "the room then stays below %.0f degC",
               WSK_HOT_ROOM_C);
    else if (now->room_hot && c->room_k <= -0.5)
        clause(o, sep, "the room still gets too hot", 0);
    if (then->loud && !now->loud)
        clause(o, sep, "then too loud for a desk", 0);
    else if (now->loud && c->noise_db <= -0.5)
        clause(o, sep, then->loud ? "still too loud" : "then quiet enough for a desk", 0);
}

/* "it would then not trip, shut down or throttle": of these what is cured. */
static void say_cures(const wsk_ills *now, const wsk_ills *then, const char **sep, wsk_buf *o)
{
    const char *is[3];
    int n = 0;
    if (now->trip >= WSK_TELLS && then->trip < WSK_TELLS)
        is[n++] = "trip";
    if (now->shuts_down && !then->shuts_down)
        is[n++] = "shut down";
    if (now->throttles && !then->throttles && !then->shuts_down)
        is[n++] = "throttle";
    if (n) {
        clause(o, sep, "it would then not ", 0);
        wsk_buf_printf(o, "%s%s%s%s%s", is[0], n > 2 ? ", " : "", n > 2 ? is[1] : "", n > 1 ? " or " : "",
                       n > 1 ? is[n - 1] : "");
    }
}

/* "power limits of 271 W: work -6.9 %, wall power -160 W; within the circuit." */
static void change_text(const wsk_advice *a, const wsk_change *c, wsk_buf *o)
{
    const char *before = ": ";
    wsk_buf_printf(o, "%s", c->what);
    say_effects(a, c, &before, o);
    const char *sep = *before == ':' ? before : "; ";
    say_delivery(&a->now, &c->then, &sep, o);
    say_cures(&a->now, &c->then, &sep, o);
    say_heat(a, c, &sep, o);
    wsk_buf_printf(o, ".");
}

static void lines(const wsk_advice *a, const wsk_change *list, int n, bool begun, wsk_buf *o)
{
    for (int i = 0; i < n; i++) {
        wsk_buf_printf(o, i || !begun ? "         " : "");
        change_text(a, &list[i], o);
        wsk_buf_printf(o, "\n");
    }
}

void wsk_advice_text(const wsk_advice *a, wsk_buf *o)
{
    if (a->n || a->before[0])
        wsk_buf_printf(o, "Advice   %s%s", a->before, !a->n ? "\n" : a->before[0] ? " " : "");
    lines(a, a->changes, a->n, true, o);
    if (a->n && a->n_vain)
        wsk_buf_printf(o, "         Nothing tried against its noise is worth it; the best of it:\n");
    lines(a, a->vain, a->n_vain, false, o);
    if (a->stays_loud && !a->n_vain)
        wsk_buf_printf(o, "         Nothing that was tried makes it quieter.\n");
    if (a->cooling_w > 0)
        wsk_buf_printf(o,
                       "         Nothing tried keeps the room below %d degC: an air conditioner of %.1f kW would.\n",
                       WSK_HOT_ROOM_C, a->cooling_w / 1000);
    if (a->basis)
        wsk_buf_printf(o, "         (%s.)\n", a->basis);
}

void wsk_verdict_text(const wsk_run *run, wsk_buf *o)
{
    size_t from = o->len + strlen("\nVerdict  ");
    wsk_buf_printf(o, "\nVerdict  ");
    sentences(run, "\n         ", o);
    if (o->failed || o->len == from)
        o->len = o->failed ? o->len : from - strlen("\nVerdict  ");
    else
        wsk_buf_printf(o, "\n");
    if (run->advice)
        wsk_advice_text(run->advice, o);
}

/* ---- as results ---- */

/* To seven digits: steady points of builds that differ only in their compiler agree to these. */
static double told(double v)
{
    char text[40];
    const char *end;
    double value = NAN;
    if (isfinite(v))
        wsk_print_places(text, sizeof text, v, 7);
    return isfinite(v) && wsk_parse_number(text, &end, &value) ? value : NAN;
}

/* Takes the text, which may have failed: then the summary has, too. */
static void fill_text(wsk_summary *s, wsk_result result, size_t member, wsk_buf *text)
{
    wsk_buf_put(text, "", 1);
    if (text->failed)
        wsk_summary_fail(s);
    else
        wsk_summary_set_text(s, result, member, text->data);
    wsk_buf_free(text);
}

/* One row of the table stands for a change worth telling and for one that was tried in vain. */
typedef struct {
    wsk_scope scope;
    wsk_result what, text, set, work, wall, die, room, noise, annual, purchase, currency, trip, over_circuit,
        over_psu, lost, throttles, shuts_down, too_hot, too_loud;
} change_rows;
#define CHANGE_ROWS(P) \
    { \
        WSK_SCOPE_##P, WSK_R_##P##_WHAT, WSK_R_##P##_TEXT, WSK_R_##P##_SET, WSK_R_##P##_WORK, WSK_R_##P##_WALL, \
            WSK_R_##P##_DIE_MAX, WSK_R_##P##_ROOM, WSK_R_##P##_NOISE, WSK_R_##P##_ANNUAL, WSK_R_##P##_PURCHASE, \
            WSK_R_##P##_CURRENCY, WSK_R_##P##_TRIP, WSK_R_##P##_OVER_CIRCUIT, WSK_R_##P##_OVER_PSU, \
            WSK_R_##P##_LOST, WSK_R_##P##_THROTTLES, WSK_R_##P##_SHUTS_DOWN, WSK_R_##P##_TOO_HOT, \
            WSK_R_##P##_TOO_LOUD \
    }

static void fill_change(wsk_summary *s, const change_rows *r, size_t i, const wsk_advice *a, const wsk_change *c)
{
    const wsk_ills *then = &c->then;
    wsk_buf text = {0};
    change_text(a, c, &text);
    wsk_summary_set_text(s, r->what, i, c->what);
    fill_text(s, r->text, i, &text);
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
    wsk_summary_set_number(s, r->over_psu, i, told(then->over_psu_w));
    wsk_summary_set_number(s, r->lost, i, told(then->lost));
    wsk_summary_set_flag(s, r->throttles, i, then->throttles);
    wsk_summary_set_flag(s, r->shuts_down, i, then->shuts_down);
    wsk_summary_set_flag(s, r->too_hot, i, then->throttles || then->shuts_down || then->parts_hot || then->room_hot);
    wsk_summary_set_flag(s, r->too_loud, i, then->loud);
}

static void fill_changes(wsk_summary *s, const change_rows *rows, const wsk_advice *a, const wsk_change *list, int n)
{
    if (wsk_summary_members(s, rows->scope, (size_t)n) != WSK_OK)
        return;
    for (int i = 0; i < n; i++)
        fill_change(s, rows, (size_t)i, a, &list[i]);
}

static void fill_advice(wsk_summary *s, const wsk_advice *a)
{
    static const change_rows changes = CHANGE_ROWS(CHANGE), vain = CHANGE_ROWS(VAIN);
    if (!a) {
        wsk_summary_set_null(s, WSK_R_CHANGES, 0);
        wsk_summary_set_null(s, WSK_R_VAIN, 0);
        return;
    }
    wsk_summary_set_text(s, WSK_R_ADVICE, 0, a->before[0] ? a->before : NULL);
    wsk_summary_set_text(s, WSK_R_ADVICE_BASIS, 0, a->basis);
    wsk_summary_set_number(s, WSK_R_COOLING, 0, told(a->cooling_w));
    fill_changes(s, &changes, a, a->changes, a->n);
    fill_changes(s, &vain, a, a->vain, a->n_vain);
}

void wsk_verdict_fill(const wsk_run *run, wsk_summary *s)
{
    facts f = facts_of(run);
    wsk_buf text = {0};
    sentences(run, " ", &text);
    fill_text(s, WSK_R_VERDICT, 0, &text);
    wsk_summary_set_flag(s, WSK_R_THROTTLES, 0, f.throttle > 0);
    wsk_summary_set_flag(s, WSK_R_SHUTS_DOWN, 0, f.dead > 0);
    wsk_summary_set_flag(s, WSK_R_TRIPS, 0, f.trip >= WSK_TELLS);
    wsk_summary_set_flag(s, WSK_R_OVERLOADS, 0, f.over_s > 0 || f.load > 1);
    wsk_summary_set_flag(s, WSK_R_TOO_HOT, 0, f.throttle || f.dead || f.beyond || f.room_c > WSK_HOT_ROOM_C);
    wsk_summary_set_flag(s, WSK_R_TOO_LOUD, 0, too_loud(&f));
    wsk_summary_set_number(s, WSK_R_COST_WEEK, 0, told(f.week));
    wsk_summary_set_number(s, WSK_R_COST_YEAR, 0, told(f.year));
    fill_advice(s, run->advice);
}
