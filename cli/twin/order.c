/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/twin/answer.h"

enum { ROOM_LEAST_C = -50, ROOM_MOST_C = 70 };

static const wsk_arg room_range[WSK_SAY_TWIN_ROOM_RANGE_ARGS] = {{.number = ROOM_LEAST_C}, {.number = ROOM_MOST_C}};
static const wsk_refusal done = {.code = NULL}, syntax = {"syntax", {.code = WSK_SAY_TWIN_NO_VALUE}},
                         range = {"range", {.code = WSK_SAY_TWIN_RANGE}},
                         fan_range = {"range", {.code = WSK_SAY_TWIN_FAN_RANGE}},
                         no_target = {"unknown", {.code = WSK_SAY_TWIN_NO_TARGET}},
                         unknown_target = {"unknown", {.code = WSK_SAY_TWIN_UNKNOWN_TARGET}},
                         lost = {"lost", {.code = WSK_SAY_TWIN_LOST}},
                         no_event = {"unknown", {.code = WSK_SAY_TWIN_NO_EVENT}},
                         no_room = {"range", {WSK_SAY_TWIN_ROOM_RANGE, WSK_SAY_TWIN_ROOM_RANGE_ARGS, room_range}},
                         no_mains = {"lost", {.code = WSK_SAY_TWIN_NO_MAINS}};

static wsk_status set_variable(wsk_live *live, const char *id, wsk_var variable, double value)
{
    char *name = wsk_cli_format("%s%s%s", id, *id ? "." : "", wsk_var_about(variable)->name);
    const wsk_status status = wsk_run_set(live->run, name, value);
    wsk_cli_check_memory(status != WSK_ENOMEM);
    free(name);
    return status;
}

static wsk_status set_of_card(wsk_live *live, int card, wsk_var variable, double value)
{
    return set_variable(live, live->moment.card[card].fixed.id, variable, value);
}

/* A refusal that tells the range; its arguments live as long as `live`. */
static wsk_refusal beyond(wsk_live *live, wsk_code code, double least, double most)
{
    live->ends[0] = (wsk_arg){.number = least};
    live->ends[1] = (wsk_arg){.number = most};
    return (wsk_refusal){"range", {code, 2, live->ends}};
}

static wsk_refusal order_limit(wsk_live *live, int card, const wsk_order *order)
{
    double limit_w = NAN; /* the limit of the rig, or of its limit-schedule */
    if (order->event != WSK_ORDER_SET && order->event != WSK_ORDER_RETURNS)
        return no_event;
    if (order->event == WSK_ORDER_SET && wsk_order_quantities(order->value, WSK_DIM_POWER, &limit_w, 1) != 1)
        return syntax;
    const wsk_twin_fixed *f = &live->moment.card[card].fixed;
    if (set_of_card(live, card, WSK_VAR_CARD_POWER_LIMIT_W, limit_w) != WSK_OK)
        return beyond(live, WSK_SAY_TWIN_LIMIT_RANGE, 1e-3 * f->limit_min_mw, 1e-3 * f->limit_max_mw);
    return done;
}

static wsk_refusal order_fan(wsk_live *live, int card, const wsk_order *order)
{
    const wsk_twin_fixed *f = &live->moment.card[card].fixed;
    double share = NAN;
    if (order->event == WSK_ORDER_LOST)
        return no_event;
    if (!f->fans)
        return no_target;
    if (order->event != WSK_ORDER_SET) {
        const double failed = order->event == WSK_ORDER_FAILS;
        if (set_of_card(live, card, WSK_VAR_CARD_FAN_FAILED, failed) != WSK_OK)
            return no_target;
        if (order->event == WSK_ORDER_FAILS)
            return done;
    }
    if (order->event == WSK_ORDER_SET && wsk_order_quantities(order->value, WSK_DIM_FRACTION, &share, 1) != 1)
        return syntax;
    if (share < f->fan_percent_min * 0.01 || share > 1)
        return beyond(live, WSK_SAY_TWIN_CARD_FAN_RANGE, f->fan_percent_min, 100);
    if (set_of_card(live, card, WSK_VAR_CARD_FAN_RPM, share * f->fan_rpm_max) != WSK_OK)
        return range;
    return done;
}

static wsk_refusal order_persistence(wsk_live *live, int card, const wsk_order *order)
{
    if (order->event != WSK_ORDER_SET)
        return no_event;
    const bool on = strcmp(order->value, "on") == 0;
    if (!on && strcmp(order->value, "off") != 0)
        return syntax;
    live->moment.card[card].now.persistence = on;
    return done;
}

/* Locks the clock by "set LOW MHz HIGH MHz" or "set HIGH MHz"; "returns" unlocks it. */
static wsk_refusal order_clock(wsk_live *live, int card, const wsk_order *order)
{
    const wsk_twin_fixed *f = &live->moment.card[card].fixed;
    double hz[2] = {NAN, NAN};
    int count = 0;
    if (order->event != WSK_ORDER_SET && order->event != WSK_ORDER_RETURNS)
        return no_event;
    if (order->event == WSK_ORDER_SET && (count = wsk_order_quantities(order->value, WSK_DIM_FREQUENCY, hz, 2)) < 1)
        return syntax;
    /* Real drivers replace a value beyond the card's clocks by the nearest clock; so does the twin. */
    const double low = f->clock_min_mhz, most = f->clock_max_mhz;
    double from = count ? low : (double)NAN, to = NAN;
    if (count == 2 && hz[0] > hz[1])
        return range;
    if (count == 2)
        from = wsk_min(wsk_max(hz[0] * 1e-6, low), most);
    if (count)
        to = wsk_min(wsk_max(hz[count - 1] * 1e-6, low), most);
    if (set_of_card(live, card, WSK_VAR_CARD_LOCK_LOW_MHZ, from) != WSK_OK ||
        set_of_card(live, card, WSK_VAR_CARD_LOCK_HIGH_MHZ, to) != WSK_OK)
        return range;
    return done;
}

static bool is_name(const char *text, size_t len)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    return len > 0 && strspn(text, letters) >= len;
}

/* "set NAME" or "set NAME 60 %" gives the card a job, "set idle" removes it; "returns" restores the rig's work. */
static wsk_refusal order_job(wsk_live *live, int card, const wsk_order *order)
{
    wsk_live_card *c = &live->card[card];
    const size_t len = strcspn(order->value, " ");
    double share = 1;
    if (order->event != WSK_ORDER_SET && order->event != WSK_ORDER_RETURNS)
        return no_event;
    if (order->event == WSK_ORDER_RETURNS) {
        (void)set_of_card(live, card, WSK_VAR_CARD_UTILISATION, NAN);
        memcpy(c->job, c->own_job, sizeof c->job);
        c->pid = 0;
        return done;
    }
    if (len >= sizeof c->job || !is_name(order->value, len) ||
        (order->value[len] && wsk_order_quantities(order->value + len, WSK_DIM_FRACTION, &share, 1) != 1))
        return syntax;
    const bool idle = len == 4 && memcmp(order->value, "idle", 4) == 0;
    if (!(share > 0 && share <= 1))
        return range;
    if (set_of_card(live, card, WSK_VAR_CARD_UTILISATION, idle ? 0 : share) != WSK_OK)
        return range;
    memset(c->job, 0, sizeof c->job);
    if (!idle)
        memcpy(c->job, order->value, len);
    c->pid = ++live->jobs;
    return done;
}

static const struct {
    const char *name;
    wsk_refusal (*carry_out)(wsk_live *live, int card, const wsk_order *order);
} of_cards[] = {{"power-limit", order_limit},
                {"fan", order_fan},
                {"clock-lock", order_clock},
                {"job", order_job},
                {"persistence", order_persistence}};

/* True for an order about a fan that fails or returns. It needs no driver and so also works on a card that is off the
 * bus. */
static bool is_by_hand(size_t target, const wsk_order *order)
{
    return of_cards[target].carry_out == order_fan && order->event != WSK_ORDER_SET;
}

static int find_card(const wsk_live *live, const char *text, const char **rest)
{
    for (int i = 0; i < live->moment.count; i++) {
        const char *id = live->moment.card[i].fixed.id;
        const size_t len = strlen(id);
        if (strncmp(text, id, len) == 0 && text[len] == '.') {
            *rest = text + len + 1;
            return i;
        }
    }
    return -1;
}

static wsk_refusal order_room(wsk_live *live, const wsk_order *order)
{
    double room_k;
    if (order->event != WSK_ORDER_SET)
        return no_event;
    if (wsk_order_quantities(order->value, WSK_DIM_TEMPERATURE, &room_k, 1) != 1)
        return syntax;
    const double room_c = room_k - WSK_KELVIN;
    if (!(room_c >= ROOM_LEAST_C && room_c <= ROOM_MOST_C) ||
        set_variable(live, "", WSK_VAR_ROOM_C, room_c) != WSK_OK)
        return no_room;
    return done;
}

/* Parts that can fail and return: their kind, the variable that holds their state, and its value after a failure. */
static const struct {
    wsk_owner owner;
    wsk_var variable;
    double failed;
} parts[] = {{WSK_OF_MOVER, WSK_VAR_MOVER_FAILED, 1},
             {WSK_OF_SUPPLY, WSK_VAR_SUPPLY_ON, 0},
             {WSK_OF_CIRCUIT, WSK_VAR_CIRCUIT_ON, 0}};

/* Sets the speed of a fan or pump, "rear set 60 %"; "returns" gives it back to its controller. */
static wsk_refusal order_mover(wsk_live *live, const wsk_order *order)
{
    double share = NAN;
    if (order->event == WSK_ORDER_SET && wsk_order_quantities(order->value, WSK_DIM_FRACTION, &share, 1) != 1)
        return syntax;
    return set_variable(live, order->target, WSK_VAR_MOVER_PERCENT, 100 * share) == WSK_OK ? done : fan_range;
}

static wsk_refusal order_part(wsk_live *live, const wsk_order *order)
{
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        for (size_t i = 0; i < wsk_run_owners(live->run, parts[k].owner); i++) {
            if (strcmp(wsk_run_owner(live->run, parts[k].owner, i), order->target) != 0)
                continue;
            const bool mover = parts[k].owner == WSK_OF_MOVER, fails = order->event == WSK_ORDER_FAILS;
            if (order->event == WSK_ORDER_LOST || (order->event == WSK_ORDER_SET && !mover))
                return no_event;
            if (order->event != WSK_ORDER_SET &&
                set_variable(live, order->target, parts[k].variable, fails ? parts[k].failed : 1 - parts[k].failed) !=
                    WSK_OK)
                return no_target;
            return mover && !fails ? order_mover(live, order) : done;
        }
    return unknown_target;
}

static wsk_refusal order_cooling(wsk_live *live, const wsk_order *order)
{
    if (order->event != WSK_ORDER_FAILS && order->event != WSK_ORDER_RETURNS)
        return no_event;
    return set_variable(live, "", WSK_VAR_AC_ON, order->event == WSK_ORDER_RETURNS) == WSK_OK ? done : no_target;
}

static wsk_refusal order_card(wsk_live *live, const wsk_order *order)
{
    if (order->event != WSK_ORDER_LOST && order->event != WSK_ORDER_RETURNS)
        return no_event;
    return set_variable(live, order->target, WSK_VAR_CARD_OFF, order->event == WSK_ORDER_LOST) == WSK_OK ? done
                                                                                                         : no_mains;
}

wsk_refusal wsk_live_do(wsk_live *live, const wsk_order *order)
{
    const char *rest;
    const int card = find_card(live, order->target, &rest);
    if (strcmp(order->target, "room") == 0)
        return order_room(live, order);
    if (strcmp(order->target, "air-conditioner") == 0)
        return order_cooling(live, order);
    for (int i = 0; i < live->moment.count; i++)
        if (strcmp(order->target, live->moment.card[i].fixed.id) == 0)
            return order_card(live, order);
    for (size_t i = 0; card >= 0 && i < sizeof of_cards / sizeof *of_cards; i++)
        if (strcmp(rest, of_cards[i].name) == 0)
            return live->moment.card[card].now.lost && !is_by_hand(i, order)
                       ? lost
                       : of_cards[i].carry_out(live, card, order);
    return order_part(live, order);
}
