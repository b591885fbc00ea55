/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/words.h"
#include "sim/say/say.h"
#include "words/words.h"

static const wsk_said *say_burdens(const wsk_cli_case *c, bool circuit, wsk_arena *a)
{
    const wsk_burdens burdens = {.off = c->shuts_down,
                                 .breaker = c->breaker,
                                 .trip = c->trip,
                                 .no_room = c->no_room,
                                 .psu = c->supply_peak > 1.0005 ? c->supply_peak : 0,
                                 .feed = c->feed_peak > 1.0005 ? c->feed_peak : 0,
                                 .circuit = circuit && wsk_cli_over_circuit(c) ? c->circuit_peak : 0,
                                 .over_s = c->circuit_share * c->simulated_s,
                                 .share = c->circuit_share};
    return wsk_say_burdens(&burdens, a);
}

enum { TOLD = 4 }; /* most lines of one kind; a further line says that there are more */

/* True for a notice that a circuit or a PSU went off, and what that stopped. */
static bool is_off(const wsk_said *notice)
{
    return notice->code == WSK_SAY_LINE_FAILED || notice->code == WSK_SAY_LINE_TRIPPED ||
           notice->code == WSK_SAY_FOUND_PSU_STOPS;
}

static void say_all_off(const wsk_cli_common *all, wsk_lines *out)
{
    size_t told = 0;
    for (size_t i = 0; i < all->count; i++) {
        size_t n;
        const wsk_said *const *notices = wsk_summary_messages(all->cases[i].summary, WSK_R_NOTICES, 0, &n);
        for (size_t k = 0; k < n; k++)
            if (notices[k] && is_off(notices[k]) && told++ < TOLD)
                wsk_lines_add(out, 0, WSK_SAID(WSK_SAY_COMPARE_BURDENS, all->names[i], notices[k]));
    }
    if (told > TOLD)
        wsk_lines_add(out, 0, WSK_SAID(WSK_SAY_COMPARE_MORE_OFF));
}

static void say_all_burdens(const wsk_cli_common *all, wsk_lines *out)
{
    size_t told = 0, over = 0;
    for (size_t i = 0; i < all->count; i++)
        over += wsk_cli_over_circuit(&all->cases[i]);
    if (over == all->count)
        wsk_lines_add(out, 0, WSK_SAID(WSK_SAY_COMPARE_CIRCUIT));
    for (size_t i = 0; i < all->count && told <= TOLD; i++) {
        const wsk_said *burdens = say_burdens(&all->cases[i], over < all->count, out->arena);
        if (burdens && told++ < TOLD)
            wsk_lines_add(out, 0, WSK_SAID(WSK_SAY_COMPARE_BURDENS, all->names[i], burdens));
        else if (burdens)
            wsk_lines_add(out, 0, WSK_SAID(WSK_SAY_COMPARE_MORE_BURDENS));
    }
}

/* True for a notice that parts of the case are above their temperature limits. */
static bool is_hot(const wsk_said *notice)
{
    return notice->code == WSK_SAY_FOUND_TOO_HOT || notice->code == WSK_SAY_FOUND_CPU_HOT ||
           notice->code == WSK_SAY_FOUND_COOLANT_HOT;
}

/* Such cases are ranked nevertheless, so the reader must know them. */
static void say_all_hot(const wsk_cli_common *all, wsk_lines *out)
{
    size_t told = 0;
    for (size_t i = 0; i < all->count; i++) {
        size_t n;
        const wsk_summary *s = all->cases[i].summary;
        const wsk_said *const *notices = wsk_summary_messages(s, WSK_R_NOTICES, 0, &n);
        const double room_c = wsk_summary_number(s, WSK_R_ROOM_MAX, 0);
        const wsk_said *hot = NULL;
        if (room_c > WSK_HOT_ROOM_C)
            hot = WSK_SAY(out->arena, WSK_SAY_COMPARE_ROOM_HOT, room_c);
        for (size_t k = 0; k < n; k++)
            if (notices[k] && is_hot(notices[k]))
                hot = hot ? WSK_SAY(out->arena, WSK_SAY_JOIN_SEMICOLON, hot, notices[k]) : notices[k];
        if (hot && told++ < TOLD)
            wsk_lines_add(out, 0, WSK_SAID(WSK_SAY_COMPARE_BURDENS, all->names[i], hot));
    }
    if (told > TOLD)
        wsk_lines_add(out, 0, WSK_SAID(WSK_SAY_COMPARE_MORE_HOT));
}

static int price_digits(double value)
{
    return value >= 10000 ? 0 : value >= 10 ? 2 : 4;
}

static const wsk_said *say_price(const wsk_cli_yardstick *y, double value, int digits, const char *currency,
                                 wsk_arena *a)
{
    const char *number = wsk_printf(a, "%.*f", digits, value);
    const wsk_arg counted = wsk_arg_unit(y->counted);
    const wsk_said unit = {y->per, 1, &counted};
    const wsk_said *amount = y->counted ? WSK_SAY(a, WSK_SAY_COMPARE_PER, number, currency, &unit)
                             : y->work  ? WSK_SAY(a, WSK_SAY_COMPARE_PER_WORK, number, currency)
                                        : WSK_SAY(a, WSK_SAY_COMPARE_PER_YEAR, number, currency);
    return y->buy ? WSK_SAY(a, WSK_SAY_COMPARE_WITH_PURCHASE, amount)
                  : WSK_SAY(a, WSK_SAY_COMPARE_ELECTRICITY, amount);
}

static const wsk_said *say_case_price(const wsk_cli_yardstick *y, const wsk_cli_case *c, wsk_arena *a)
{
    double value = y->scale * wsk_cli_measured(c, y->by);
    return say_price(y, value, price_digits(value), c->currency, a);
}

static const wsk_said *say_uncertain_price(const wsk_cli_common *all, const wsk_cli_yardstick *y,
                                           const wsk_cli_case *c, wsk_arena *a)
{
    const double value = y->scale * wsk_cli_measured(c, y->by), band = y->scale * wsk_cli_band(c, y->by, all->f);
    return say_price(y, value, wsk_cli_places(band, price_digits(value)), c->currency, a);
}

static void say_no_winner(const wsk_cli_common *all, const wsk_cli_ruling *r, wsk_lines *out)
{
    wsk_arena *a = out->arena;
    const wsk_said *why;
    switch (r->outcome) {
    case WSK_CLI_ONE_CASE: why = WSK_SAY(a, WSK_SAY_NO_WINNER_ONE_CASE); break;
    case WSK_CLI_CURRENCIES: why = WSK_SAY(a, WSK_SAY_NO_WINNER_CURRENCIES); break;
    case WSK_CLI_UNEQUAL_TIMES: why = WSK_SAY(a, WSK_SAY_NO_WINNER_TIMES); break;
    case WSK_CLI_NO_TARIFFS: why = WSK_SAY(a, WSK_SAY_NO_WINNER_NO_TARIFFS); break;
    case WSK_CLI_NO_TARIFF: why = WSK_SAY(a, WSK_SAY_NO_WINNER_NO_TARIFF, wsk_cli_name_of(all, r->who)); break;
    case WSK_CLI_UNLIKE_CARDS:
        why =
            WSK_SAY(a, WSK_SAY_NO_WINNER_UNLIKE, r->who->cards, r->other->cards, WSK_SAID(WSK_SAY_NO_WINNER_NO_RATE));
        break;
    case WSK_CLI_UNLIKE_RATES:
        why = WSK_SAY(a, WSK_SAY_NO_WINNER_UNLIKE, r->who->cards, r->other->cards,
                      WSK_SAID(WSK_SAY_NO_WINNER_ONE_RATE));
        break;
    case WSK_CLI_NEGATIVE_COST: why = WSK_SAY(a, WSK_SAY_NO_WINNER_NEGATIVE, wsk_cli_name_of(all, r->who)); break;
    case WSK_CLI_UNLIKE_LOADS: why = WSK_SAY(a, WSK_SAY_NO_WINNER_LOADS); break;
    case WSK_CLI_SAME_COST: why = WSK_SAY(a, WSK_SAY_NO_WINNER_SAME); break;
    default: why = WSK_SAY(a, WSK_SAY_NO_WINNER_PURCHASES);
    }
    wsk_lines_add(out, 0, why);
}

static void say_close_pair(const wsk_cli_common *all, const wsk_cli_ruling *r, const wsk_cli_case *rival,
                           wsk_lines *out)
{
    const wsk_cli_yardstick *y = &r->y;
    const wsk_cli_source *most;
    double band = y->scale * wsk_cli_band_between(r->best, rival, y->by, all->f, &most),
           difference = y->scale * (wsk_cli_measured(rival, y->by) - wsk_cli_measured(r->best, y->by));
    int places = wsk_cli_places(band, y->work ? 4 : 2);
    bool shown = fabs(band) > 0 && !isinf(band) && band >= 0.5 * pow(10, -places);
    const char *width = wsk_printf(out->arena, "%.*f", shown ? places : 0, shown ? band : 0);
    wsk_lines_add(out, 0,
                  WSK_SAID(WSK_SAY_COMPARE_CLOSE, wsk_cli_name_of(all, r->best), wsk_cli_name_of(all, rival),
                           say_price(y, difference, places, all->run, out->arena)));
    wsk_lines_add(out, 2,
                  !most        ? WSK_SAID(WSK_SAY_COMPARE_UNCERTAIN, width, all->run)
                  : most->name ? WSK_SAID(WSK_SAY_COMPARE_UNCERTAIN_MOSTLY, width, all->run, most->name)
                               : WSK_SAID(WSK_SAY_COMPARE_UNCERTAIN_MOSTLY, width, all->run, most->text));
}

/* Names the cases that may win: with `group` the best one and its rivals, else the cases that the best one beats. */
static const wsk_said *say_names(const wsk_cli_common *all, const wsk_cli_ruling *r, bool group, wsk_arena *a)
{
    wsk_said_list names = {.arena = a};
    if (group)
        wsk_said_add(&names, WSK_SAID(WSK_SAY_PLAIN, wsk_cli_name_of(all, r->best)));
    for (size_t i = 0; i < all->count; i++) {
        const wsk_cli_case *c = &all->cases[i];
        if (c != r->best && wsk_cli_may_win(all, c) && wsk_cli_is_rival(all, r->best, c, r->y.by) == group)
            wsk_said_add(&names, WSK_SAID(WSK_SAY_PLAIN, all->names[i]));
    }
    return wsk_said_link_all(&names, WSK_SAY_JOINED, WSK_SAY_JOIN_AND);
}

/* Names the case with the most work, or if `work` is false the coolest one, and the cases that differ from it by no
 * more than the uncertainty. */
static void say_top(const wsk_cli_common *all, const wsk_cli_ruling *r, bool work, wsk_lines *out)
{
    const wsk_cli_case *top = work ? r->works : r->cool;
    const char *name = wsk_cli_name_of(all, top);
    wsk_said_list close = {.arena = out->arena};
    for (size_t i = 0; i < all->count; i++)
        if (wsk_cli_is_close(all, r, top, &all->cases[i], work))
            wsk_said_add(&close, WSK_SAID(WSK_SAY_PLAIN, all->names[i]));
    const wsk_said *others = close.count ? wsk_said_link_all(&close, WSK_SAY_JOINED, WSK_SAY_JOIN_OR) : NULL;
    if (others)
        wsk_lines_add(out, 2,
                      work ? WSK_SAID(WSK_SAY_COMPARE_MOST_WORK_CLOSE, name, others)
                           : WSK_SAID(WSK_SAY_COMPARE_COOLEST_CLOSE, name, others));
    else
        wsk_lines_add(out, 2,
                      work ? WSK_SAID(WSK_SAY_COMPARE_MOST_WORK, name) : WSK_SAID(WSK_SAY_COMPARE_COOLEST, name));
}

static void say_group(const wsk_cli_common *all, const wsk_cli_ruling *r, wsk_lines *out)
{
    wsk_arena *a = out->arena;
    for (size_t i = 0; i < all->count && r->rivals == 1; i++)
        if (wsk_cli_is_rival(all, r->best, &all->cases[i], r->y.by))
            say_close_pair(all, r, &all->cases[i], out);
    if (r->rivals > 1)
        wsk_lines_add(out, 0, WSK_SAID(WSK_SAY_COMPARE_GROUP, say_names(all, r, true, a)));
    wsk_lines_add(out, 2,
                  WSK_SAID(WSK_SAY_COMPARE_CHEAPEST, wsk_cli_name_of(all, r->best),
                           say_uncertain_price(all, &r->y, r->best, a)));
    if (r->works)
        say_top(all, r, true, out);
    if (r->cool)
        say_top(all, r, false, out);
}

static void say_beaten(const wsk_cli_common *all, const wsk_cli_ruling *r, wsk_lines *out)
{
    enum { NAMED = 3 };
    if (r->beaten > NAMED)
        wsk_lines_add(out, 2, WSK_SAID(WSK_SAY_COMPARE_BEATS_OTHERS, wsk_cli_name_of(all, r->best), r->beaten));
    else if (r->beaten)
        wsk_lines_add(
            out, 2,
            WSK_SAID(WSK_SAY_COMPARE_BEATS, wsk_cli_name_of(all, r->best), say_names(all, r, false, out->arena)));
}

static void say_warnings(const wsk_cli_common *all, const wsk_cli_ruling *r, wsk_lines *out)
{
    const wsk_cli_case *best = r->best;
    const char *name = wsk_cli_name_of(all, best);
    bool lack = false, over = false, stop = false;
    for (size_t i = 0; i < all->count; i++)
        if (!wsk_cli_may_win(all, &all->cases[i])) {
            const wsk_cli_burden burden = wsk_cli_case_burden(&all->cases[i]);
            lack = lack || all->cases[i].no_room;
            over = over || burden == WSK_CLI_OVERLOADS;
            stop = stop || burden == WSK_CLI_STOPS;
        }
    if (r->left_out)
        wsk_lines_add(out, 2,
                      r->burden != WSK_CLI_RUNS ? WSK_SAID(WSK_SAY_COMPARE_STOPPED_NOT_RANKED)
                      : lack                    ? WSK_SAID(WSK_SAY_COMPARE_MEMORY_NOT_RANKED)
                      : stop && over            ? WSK_SAID(WSK_SAY_COMPARE_BOTH_NOT_RANKED)
                      : stop                    ? WSK_SAID(WSK_SAY_COMPARE_STOPPED_NOT_RANKED)
                                                : WSK_SAID(WSK_SAY_COMPARE_NOT_RANKED));
    if (r->burden == WSK_CLI_STOPS)
        wsk_lines_add(out, 2, WSK_SAID(WSK_SAY_COMPARE_ALL_STOP));
    else if (r->burden == WSK_CLI_OVERLOADS)
        wsk_lines_add(out, 2, WSK_SAID(WSK_SAY_COMPARE_OVERLOADED, name));
    if (r->unearned)
        wsk_lines_add(
            out, 2,
            WSK_SAID(WSK_SAY_COMPARE_UNEARNED, name, all->f->years, 100 * all->f->rate, best->npv, best->currency));
    if (r->most)
        wsk_lines_add(out, 2,
                      WSK_SAID(WSK_SAY_COMPARE_MOST, wsk_cli_name_of(all, r->most),
                               100 * (wsk_cli_work_rate(all, r->most) / wsk_cli_work_rate(all, best) - 1), name));
}

static void say_ruling(const wsk_cli_common *all, const wsk_cli_ruling *r, wsk_lines *out)
{
    if (r->outcome != WSK_CLI_RANKED) {
        say_no_winner(all, r, out);
        return;
    }
    if (r->rivals) {
        say_group(all, r, out);
        say_beaten(all, r, out);
    } else {
        const wsk_said *price = say_case_price(&r->y, r->best, out->arena);
        const char *name = wsk_cli_name_of(all, r->best);
        wsk_lines_add(out, 0,
                      r->better && wsk_cli_case_burden(r->better) < WSK_CLI_STOPS
                          ? WSK_SAID(WSK_SAY_COMPARE_LEAST_LOADED, name, price)
                          : WSK_SAID(WSK_SAY_COMPARE_WINNER, name, price));
    }
    if (r->better)
        wsk_lines_add(out, 2,
                      WSK_SAID(WSK_SAY_COMPARE_BETTER_EXCLUDED, wsk_cli_name_of(all, r->better),
                               say_burdens(r->better, true, out->arena)));
    say_warnings(all, r, out);
}

void wsk_cli_verdict_say(const wsk_cli_common *all, wsk_lines *out)
{
    const wsk_cli_ruling ruling = wsk_cli_rule(all);
    say_all_off(all, out);
    say_all_burdens(all, out);
    say_all_hot(all, out);
    say_ruling(all, &ruling, out);
}

void wsk_cli_put_verdict(FILE *out, const wsk_cli_common *all)
{
    wsk_lines said = {.arena = wsk_arena_new()};
    wsk_buf text = {0};
    wsk_cli_verdict_say(all, &said);
    for (size_t i = 0; i < said.count; i++) {
        wsk_buf_printf(&text, "%*s", said.items[i].indent, "");
        wsk_words_said(&text, wsk_cli_lang, said.items[i].said);
        wsk_buf_put(&text, "\n", 1);
    }
    if (said.failed || text.failed)
        wsk_cli_no_memory();
    fwrite(text.data, 1, text.len, out);
    wsk_buf_free(&text);
    wsk_arena_free(said.arena);
}
