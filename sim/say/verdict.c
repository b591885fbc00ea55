/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "sim/say/say.h"

bool wsk_facts_loud(const wsk_facts *f)
{
    return wsk_loud(f->stand, f->noise_dba);
}

bool wsk_facts_room_hot(const wsk_facts *f)
{
    return f->room_c > WSK_HOT_ROOM_C;
}

const wsk_said *wsk_say_trip(const wsk_facts *f, wsk_arena *a)
{
    const double trip = f->off_circuit ? f->trip_left : f->trip;
    return trip >= WSK_SURELY  ? WSK_SAY(a, WSK_SAY_VERDICT_TRIPS_SURELY)
           : trip >= WSK_TELLS ? WSK_SAY(a, WSK_SAY_VERDICT_TRIPS, fmax(1, 100 * trip))
                               : NULL;
}

const wsk_said *wsk_say_feed(const wsk_facts *f, wsk_arena *a)
{
    return f->feed > 1 ? WSK_SAY(a, WSK_SAY_VERDICT_FEED, 100 * f->feed) : NULL;
}

static void say_power(const wsk_facts *f, wsk_said_list *o)
{
    const wsk_said *trip = wsk_say_trip(f, o->arena), *feed = wsk_say_feed(f, o->arena);
    const bool stopped_by_circuit = f->stopped && f->off_circuit;
    if (trip && !stopped_by_circuit)
        wsk_said_add(o, trip);
    if (f->over_s > 0 && !stopped_by_circuit)
        wsk_said_add(o, f->over > 0 && f->over < 0.9995
                            ? WSK_SAID(WSK_SAY_VERDICT_CIRCUIT_FOR, wsk_say_span(o->arena, f->over_s), 100 * f->over)
                            : WSK_SAID(WSK_SAY_VERDICT_CIRCUIT));
    if (feed)
        wsk_said_add(o, feed);
    if (f->load > 1)
        wsk_said_add(o, f->psus == 1 ? WSK_SAID(WSK_SAY_VERDICT_THE_PSU) : WSK_SAID(WSK_SAY_VERDICT_A_PSU));
    if (f->braked)
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_BRAKED));
}

const wsk_said *wsk_say_burdens(const wsk_burdens *b, wsk_arena *a)
{
    wsk_said_list o = {.arena = a};
    if (b->off)
        wsk_said_add(&o, WSK_SAID(WSK_SAY_BURDEN_OFF));
    if (b->no_room)
        wsk_said_add(&o, WSK_SAID(WSK_SAY_BURDEN_NO_ROOM));
    if (b->trip >= WSK_SURELY)
        wsk_said_add(&o, b->breaker ? WSK_SAID(WSK_SAY_BURDEN_BREAKER_SURELY) : WSK_SAID(WSK_SAY_BURDEN_PSU_SURELY));
    else if (b->trip >= WSK_TELLS)
        wsk_said_add(&o, b->breaker ? WSK_SAID(WSK_SAY_BURDEN_BREAKER, 100 * b->trip)
                                    : WSK_SAID(WSK_SAY_BURDEN_PSU_TRIP, 100 * b->trip));
    if (b->psu > 0)
        wsk_said_add(&o, WSK_SAID(WSK_SAY_BURDEN_PSU_LOAD, 100 * b->psu));
    if (b->feed > 0)
        wsk_said_add(&o, WSK_SAID(WSK_SAY_BURDEN_FEED_LOAD, 100 * b->feed));
    if (b->circuit > 0 && !(b->share > 0 && b->share < 0.9995))
        wsk_said_add(&o, WSK_SAID(WSK_SAY_BURDEN_CIRCUIT_LOAD, 100 * b->circuit));
    else if (b->circuit > 0)
        wsk_said_add(&o, WSK_SAID(WSK_SAY_BURDEN_CIRCUIT_LOAD_FOR, 100 * b->circuit, wsk_say_span(a, b->over_s),
                                  100 * b->share));
    return wsk_said_link_all(&o, WSK_SAY_JOINED, WSK_SAY_JOINED);
}

/* The ends of a wide range, in percent, as multiples of 5, because more digits would pretend precision. They are
 * rounded outwards, so that the range contains the value. */
static double low_of(double share)
{
    return 5 * floor(20 * share + 1e-9);
}

static double high_of(double share)
{
    return 5 * ceil(20 * share - 1e-9);
}

static const double doubtful = 0.05; /* a chance below 5 % or above 95 % is no doubt */

/* A failure (of a fan, for example) may lead to throttling only after the end of the run. The chance of throttling is
 * then not in doubt, and the sentence on the failure says it. */
static bool is_heat_doubtful(const wsk_facts *f)
{
    return f->cards && !f->hot && !f->off && f->throttles > 0.2 && !(f->failed && f->throttles > 1 - doubtful);
}

const wsk_said *wsk_say_heat_doubt(const wsk_facts *f, wsk_arena *a)
{
    return !is_heat_doubtful(f) ? NULL
           : f->given           ? WSK_SAY(a, WSK_SAY_VERDICT_HEAT_DOUBTFUL_GIVEN, 100 * f->throttles)
                                : WSK_SAY(a, WSK_SAY_VERDICT_HEAT_DOUBTFUL, 100 * f->throttles);
}

const wsk_said *wsk_say_ranges(const wsk_facts *f, wsk_arena *a)
{
    wsk_said_list o = {.arena = a};
    const wsk_ranged *die = &f->die_c, *wall = &f->wall_w, *year = &f->annual;
    if (wsk_half_width(die) >= 0.05)
        wsk_said_add(&o, wsk_say_ranged(a, die, 0.1, WSK_SAY_BAND_DIE, WSK_SAY_BAND_DIE_RANGE));
    if (wsk_half_width(wall) >= 0.5)
        wsk_said_add(&o, wsk_say_ranged(a, wall, 1, WSK_SAY_BAND_WALL, WSK_SAY_BAND_WALL_RANGE));
    if (wsk_half_width(year) >= 0.5 && f->currency && !isnan(year->value))
        wsk_said_add(&o, wsk_is_uneven(year, 1)
                             ? WSK_SAID(WSK_SAY_BAND_YEAR_RANGE, year->value, year->low, year->high, f->currency)
                             : WSK_SAID(WSK_SAY_BAND_YEAR, year->value, wsk_half_width(year), f->currency));
    if (!o.count)
        return NULL;
    const wsk_said *all = WSK_SAY(a, WSK_SAY_SENTENCE, wsk_said_link_all(&o, WSK_SAY_JOINED, WSK_SAY_JOINED));
    /* of a run that throttles, one half is only the least chance */
    const bool told = f->hot && !f->steady && f->throttles <= 0.5;
    if (!f->off && !told && (f->steady || !is_heat_doubtful(f)) && f->throttles >= doubtful &&
        f->throttles <= 1 - doubtful)
        all = wsk_said_link(a, WSK_SAY_JOIN_SENTENCES, all, WSK_SAID(WSK_SAY_BAND_CHANCE, 100 * f->throttles));
    for (size_t i = 0; i < f->n_doubts && wsk_loss_wide(f); i++)
        all = wsk_said_link(a, WSK_SAY_JOIN_SENTENCES, all, f->doubts[i]);
    return all;
}

/* True if the sentence on throttling names the throughput lost to heat. If limits, the power brake or a lost card cost
 * throughput too, the sentence on throughput names the losses instead. */
static bool heat_told(const wsk_facts *f)
{
    return (f->off || f->hot) && !f->braked && f->lost >= WSK_LEAST_LOSS && !(f->limited > WSK_LEAST_LOSS) &&
           f->gone < WSK_LEAST_LOSS && (f->stopped || f->dark < WSK_LEAST_LOSS);
}

static void say_hot_cards(const wsk_facts *f, wsk_said_list *o)
{
    const wsk_said *loss = !heat_told(f)      ? NULL
                           : wsk_loss_wide(f) ? WSK_SAY(o->arena, WSK_SAY_VERDICT_HEAT_TAKES_RANGE,
                                                        low_of(f->lost_low), high_of(f->lost_high))
                                              : WSK_SAY(o->arena, WSK_SAY_VERDICT_HEAT_TAKES, 100 * f->lost);
    int off = f->cards_off + f->cpus_off;
    /* all cards or a processor are off, or the number is not known: the rig is off */
    if (f->off && (!off || off >= f->cards || f->cpus_off))
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_SHUTS_DOWN, loss));
    else if (f->off)
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_CARDS_SHUT_DOWN, off, f->cards, loss));
    else if (f->hot)
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_THROTTLES, f->hot, f->cards, loss));
}

void wsk_say_heat(const wsk_facts *f, wsk_said_list *o)
{
    if (!f->cards)
        return;
    if (f->cards_off)
        wsk_said_add(o, f->failed ? WSK_SAID(WSK_SAY_HEAT_SHUT_DOWN_AFTER, f->cards_off, f->cards)
                                  : WSK_SAID(WSK_SAY_HEAT_SHUT_DOWN, f->cards_off, f->cards));
    if (f->cpus_off)
        wsk_said_add(o, WSK_SAID(WSK_SAY_HEAT_CPU_SHUT_DOWN));
    if (f->off && !f->cards_off && !f->cpus_off)
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_SHUTS_DOWN, (const wsk_said *)NULL));
    else if (!f->off && !f->hot)
        wsk_said_add(o, f->given ? WSK_SAID(WSK_SAY_HEAT_GIVEN) : WSK_SAID(WSK_SAY_HEAT_NONE));
    else if (!f->off)
        wsk_said_add(o, WSK_SAID(WSK_SAY_HEAT_THROTTLES, f->hot, f->cards, f->worst_id, 100 * f->worst_share));
}

/* Says the chance in words below 1 % and above 99 %, where a number would pretend precision. */
const wsk_said *wsk_say_throttle_chance(double p, wsk_arena *a)
{
    return p < 0.01   ? WSK_SAY(a, WSK_SAY_CHECK_THROTTLES_NOT)
           : p > 0.99 ? WSK_SAY(a, WSK_SAY_CHECK_THROTTLES_SURELY)
                      : WSK_SAY(a, WSK_SAY_CHECK_THROTTLES, 100 * p);
}

static void add_after(wsk_said_list *o, wsk_code what, double after_s)
{
    wsk_said_add(o, isnan(after_s)
                        ? WSK_SAID(WSK_SAY_FAILURE_NO, wsk_arg_named(what))
                        : WSK_SAID(WSK_SAY_FAILURE_AFTER, wsk_arg_named(what), wsk_say_span(o->arena, after_s)));
}

static const wsk_said *say_consequences(const wsk_facts *f, wsk_arena *a)
{
    wsk_said_list then = {.arena = a};
    if (f->slowed_s <= 0 && f->failed_s > 0) /* before a failure at time 0 no card can have throttled */
        wsk_said_add(&then, WSK_SAID(WSK_SAY_FAILURE_THROTTLED_ALREADY));
    else if (!f->given)
        add_after(&then, f->braked ? WSK_SAY_WORD_THROTTLING_HEAT : WSK_SAY_WORD_THROTTLING, f->slowed_s);
    if (f->shuts_later)
        wsk_said_add(&then, WSK_SAID(WSK_SAY_FAILURE_SHUTDOWN_LATER));
    else
        add_after(&then, f->stopped ? WSK_SAY_WORD_SHUTDOWN_HEAT : WSK_SAY_WORD_SHUTDOWN, f->shut_s);
    return wsk_said_link_all(&then, WSK_SAY_JOINED, WSK_SAY_JOINED);
}

const wsk_said *wsk_say_failure(const wsk_facts *f, const wsk_said_list *parts)
{
    const wsk_said *all = wsk_said_link_all(parts, WSK_SAY_JOINED, WSK_SAY_JOINED),
                   *then = say_consequences(f, parts->arena);
    return parts->count > 1 ? WSK_SAY(parts->arena, WSK_SAY_FAILURE_SEVERAL, all, then)
                            : WSK_SAY(parts->arena, WSK_SAY_FAILURE_ONE, all, then);
}

/* Returns true if the loss is below one percentage point; the caller then shows the throughput with more digits
 * too. */
static bool add_loss(wsk_said_list *losses, const char *cause, double points)
{
    bool small = points < 1;
    wsk_said_add(losses, small ? WSK_SAID(WSK_SAY_THROUGHPUT_SMALL_LOSS, WSK_WORD(cause), points)
                               : WSK_SAID(WSK_SAY_THROUGHPUT_LOSS, WSK_WORD(cause), points));
    return small;
}

/* Each loss is shown in percentage points of the throughput without limits, heat and outages. */
const wsk_said *wsk_say_throughput(const wsk_facts *f, wsk_arena *a)
{
    const wsk_code heat = !f->braked         ? WSK_SAY_WORD_HEAT
                          : f->hot || f->off ? WSK_SAY_WORD_HEAT_AND_BRAKE
                                             : WSK_SAY_WORD_BRAKE;
    if (f->stopped) /* a machine has stopped, so that the throughput of the run means nothing */
        return NULL;
    wsk_said_list losses = {.arena = a};
    const double dark = f->dark >= WSK_LEAST_LOSS ? f->dark : 0,
                 limited = f->limited > WSK_LEAST_LOSS ? f->limited : 0, left = (1 - dark) * (1 - limited),
                 rest = 100 * left * (1 - f->lost - f->gone);
    bool fine = rest < 1;
    if (isnan(f->lost))
        return NULL;
    if (dark > 0)
        fine |= add_loss(&losses, wsk_code_english(WSK_SAY_WORD_NO_MAINS), 100 * dark);
    if (limited > 0)
        fine |= add_loss(&losses, f->limits, 100 * (1 - dark) * limited);
    if (f->lost >= WSK_LEAST_LOSS)
        fine |= add_loss(&losses, wsk_code_english(heat), 100 * left * f->lost);
    if (f->gone >= WSK_LEAST_LOSS)
        fine |= add_loss(&losses, wsk_code_english(WSK_SAY_WORD_LOST_CARDS), 100 * left * f->gone);
    if (!losses.count)
        return WSK_SAY(a, WSK_SAY_THROUGHPUT_FULL);
    const wsk_said *all = wsk_said_link_all(&losses, WSK_SAY_JOINED, WSK_SAY_JOINED);
    if (wsk_loss_wide(f))
        return WSK_SAY(a, WSK_SAY_THROUGHPUT_RANGE, low_of(left * fmax(1 - f->gone - f->lost_high, 0)),
                       high_of(left * fmax(1 - f->gone - f->lost_low, 0)), rest, all);
    return fine ? WSK_SAY(a, WSK_SAY_THROUGHPUT_BARELY, rest, all) : WSK_SAY(a, WSK_SAY_THROUGHPUT, rest, all);
}

/* For each place the sentences on noise: quiet enough, too loud, and so loud that nobody stays beside the machine. */
static const wsk_code noises[WSK_STANDS][3] = {
    [WSK_STANDS_DESK] = {WSK_SAY_VERDICT_QUIET, WSK_SAY_VERDICT_LOUD, WSK_SAY_VERDICT_TOO_LOUD},
    [WSK_STANDS_ROOM] = {WSK_SAY_VERDICT_QUIET_ROOM, WSK_SAY_VERDICT_LOUD_ROOM, WSK_SAY_VERDICT_TOO_LOUD_ROOM},
    [WSK_STANDS_SERVER_ROOM] = {WSK_SAY_VERDICT_QUIET_SERVER_ROOM, WSK_SAY_VERDICT_LOUD_SERVER_ROOM,
                                WSK_SAY_VERDICT_TOO_LOUD_SERVER_ROOM}};

const wsk_said *wsk_say_noise(const wsk_facts *f, wsk_arena *a)
{
    if (!(f->noise_dba > 1))
        return NULL;
    const wsk_arg args[] = {wsk_arg_number(f->noise_dba), wsk_arg_number(f->listener_m)};
    const int how = wsk_facts_loud(f) + wsk_very_loud(f->stand, f->noise_dba);
    return wsk_said_keep(a, &(wsk_said){noises[f->stand][how], 2, args});
}

/* Adds "Nothing trips, gets too hot or throttles from heat.", with only those of the three verbs that are true. If the
 * absence of throttling is in doubt, that verb is left out and the chance of throttling is added instead. */
static void say_goods(const wsk_facts *f, wsk_said_list *o)
{
    wsk_said_list is = {.arena = o->arena};
    const wsk_said *doubt = wsk_say_heat_doubt(f, o->arena);
    if (f->trip < WSK_TELLS && !(f->over_s > 0) && !(f->load > 1) && !(f->feed > 1))
        wsk_said_add(&is, WSK_SAID(WSK_SAY_VERDICT_TRIPPING));
    if (!f->hot && !f->off && !f->parts_hot && !wsk_facts_room_hot(f))
        wsk_said_add(&is, WSK_SAID(WSK_SAY_VERDICT_HEATS));
    if (f->cards && !f->given && !f->hot && !f->off && !doubt)
        wsk_said_add(&is, WSK_SAID(WSK_SAY_VERDICT_SLOWS));
    if (is.count)
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_NOTHING, wsk_said_link_all(&is, WSK_SAY_JOINED, WSK_SAY_JOIN_OR)));
    if (doubt)
        wsk_said_add(o, doubt);
}

static void say_some_stop(const wsk_facts *f, const wsk_said *after, wsk_said_list *o)
{
    const char *by = f->off_circuit, *id = f->stops_id;
    if (id)
        wsk_said_add(o, isnan(f->off_s) ? WSK_SAID(WSK_SAY_VERDICT_STOPPED_ONE_STEADY, by, id)
                        : f->empty      ? WSK_SAID(WSK_SAY_VERDICT_STOPPED_ONE_UPS, after, by, id)
                                        : WSK_SAID(WSK_SAY_VERDICT_STOPPED_ONE, after, by, id));
    else
        wsk_said_add(o, isnan(f->off_s) ? WSK_SAID(WSK_SAY_VERDICT_STOPPED_OF_STEADY, by, f->stops, f->machines)
                        : f->empty      ? WSK_SAID(WSK_SAY_VERDICT_STOPPED_OF_UPS, after, by, f->stops, f->machines)
                                        : WSK_SAID(WSK_SAY_VERDICT_STOPPED_OF, after, by, f->stops, f->machines));
}

static void say_psu_failed(const wsk_facts *f, wsk_said_list *o)
{
    const wsk_said *after = wsk_say_span(o->arena, f->off_s);
    const char *by = f->off_psu, *id = f->stops_id;
    const bool steady = isnan(f->off_s);
    if (f->machines > 1 && id)
        wsk_said_add(o, steady ? WSK_SAID(WSK_SAY_VERDICT_STOPPED_ONE_PSU_STEADY, by, id)
                               : WSK_SAID(WSK_SAY_VERDICT_STOPPED_ONE_PSU, after, by, id));
    else if (f->machines > 1)
        wsk_said_add(o, steady ? WSK_SAID(WSK_SAY_VERDICT_STOPPED_OF_PSU_STEADY, by, f->stops, f->machines)
                               : WSK_SAID(WSK_SAY_VERDICT_STOPPED_OF_PSU, after, by, f->stops, f->machines));
    else
        wsk_said_add(o, steady ? WSK_SAID(WSK_SAY_VERDICT_STOPPED_PSU_STEADY, by)
                               : WSK_SAID(WSK_SAY_VERDICT_STOPPED_PSU, after, by));
}

static void say_circuit_off(const wsk_facts *f, wsk_said_list *o)
{
    if (f->off_psu)
        say_psu_failed(f, o);
    if (!f->off_circuit)
        return;
    const wsk_said *after = wsk_say_span(o->arena, f->off_s);
    if (f->stopped && f->machines > 1 && f->stops)
        say_some_stop(f, after, o);
    else if (f->stopped)
        wsk_said_add(o, isnan(f->off_s) ? WSK_SAID(WSK_SAY_VERDICT_STOPPED_STEADY, f->off_circuit)
                        : f->empty      ? WSK_SAID(WSK_SAY_VERDICT_STOPPED_UPS, after, f->off_circuit)
                                        : WSK_SAID(WSK_SAY_VERDICT_STOPPED, after, f->off_circuit));
    else if (!isnan(f->off_s))
        wsk_said_add(o, f->on_battery ? WSK_SAID(WSK_SAY_VERDICT_ON_BATTERY, after, f->off_circuit)
                        : f->load > 1 || f->over_s > 0 || f->trip_left >= WSK_TELLS
                            ? WSK_SAID(WSK_SAY_VERDICT_TAKEN_OVER, after, f->off_circuit)
                            : WSK_SAID(WSK_SAY_VERDICT_CARRIED, after, f->off_circuit));
}

/* If failures of the job undo a larger share of its work than this, the verdict says so. */
static const double told_undone = 0.05;
/* If room and machine store a larger share of the heat of a run than this, the verdict says so. Both are assumed:
 * docs/theory/constants.md, "verdict" */
static const double told_stored = 0.1;

const wsk_said *wsk_say_warming(const wsk_facts *f, wsk_arena *a)
{
    return !isnan(f->year) && f->stored > told_stored ? WSK_SAY(a, WSK_SAY_VERDICT_WARMING, 100 * fmin(f->stored, 1))
                                                      : NULL;
}

size_t wsk_say_verdict(const wsk_facts *f, wsk_said_list *o)
{
    const wsk_said *noise = wsk_say_noise(f, o->arena),
                   *throughput = heat_told(f) ? NULL : wsk_say_throughput(f, o->arena),
                   *warming = wsk_say_warming(f, o->arena);
    say_circuit_off(f, o);
    say_hot_cards(f, o);
    say_power(f, o);
    if (f->undone > told_undone)
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_UNDONE, 100 * f->undone));
    if (f->parts_hot)
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_PARTS_HOT));
    if (wsk_facts_room_hot(f))
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_ROOM_HOT, f->room_c));
    say_goods(f, o);
    if (noise && (wsk_facts_loud(f) || (!f->off && !wsk_facts_room_hot(f))))
        wsk_said_add(o, noise);
    size_t opinions = o->count;
    const wsk_said *tokens = wsk_say_tokens(f, o->arena);
    if (tokens)
        wsk_said_add(o, tokens);
    if (throughput)
        wsk_said_add(o, throughput);
    if (!isnan(f->year))
        wsk_said_add(
            o, f->partial
                   ? WSK_SAID(WSK_SAY_VERDICT_COST_PARTIAL, wsk_say_money(o->arena, f->week, f->currency), f->year)
                   : WSK_SAID(WSK_SAY_VERDICT_COST, wsk_say_money(o->arena, f->week, f->currency), f->year));
    if (warming)
        wsk_said_add(o, warming);
    if (!isnan(f->year) && !isnan(f->solar))
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_SOLAR, 100 * f->solar));
    if (!isnan(f->year) && !isnan(f->heating))
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_HEATING, f->heating, f->currency));
    return opinions;
}

bool wsk_put_verdict(wsk_summary *s, const wsk_facts *f, wsk_arena *arena)
{
    wsk_said_list sentences = {.arena = arena};
    wsk_say_verdict(f, &sentences);
    const wsk_said *all = wsk_said_link_all(&sentences, WSK_SAY_JOIN_SENTENCES, WSK_SAY_JOIN_SENTENCES);
    wsk_summary_set_text(s, WSK_R_VERDICT, 0, all ? wsk_said_english(arena, all) : NULL);
    if (!sentences.failed)
        wsk_summary_set_messages(s, WSK_R_VERDICT_PARTS, 0, sentences.items, sentences.count);
    return !sentences.failed;
}
