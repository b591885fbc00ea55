/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carries out orders such as "gpu0.power-limit set 200 W" (docs/twin.md, "Orders"). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/twin/answer.h"

enum { ROOM_LEAST_C = -50, ROOM_MOST_C = 70 };

static const wsk_arg room_range[WSK_SAY_TWIN_ROOM_RANGE_ARGS] = {{.number = ROOM_LEAST_C}, {.number = ROOM_MOST_C}};
static const wsk_refusal done = {.code = NULL}, syntax = {"syntax", {.code = WSK_SAY_TWIN_NO_VALUE}},
                         range = {"range", {.code = WSK_SAY_TWIN_RANGE}},
                         no_target = {"unknown", {.code = WSK_SAY_TWIN_NO_TARGET}},
                         lost = {"lost", {.code = WSK_SAY_TWIN_LOST}},
                         no_event = {"unknown", {.code = WSK_SAY_TWIN_NO_EVENT}},
                         no_room = {"range", {WSK_SAY_TWIN_ROOM_RANGE, WSK_SAY_TWIN_ROOM_RANGE_ARGS, room_range}},
                         room_follows = {"unknown", {.code = WSK_SAY_TWIN_ROOM_FOLLOWS}};

/* ---- cards ---- */

static wsk_status set_variable(wsk_live *live, int card, const char *variable, double value)
{
    char *name = wsk_cli_format("%s.%s", live->moment.card[card].fixed.id, variable);
    const wsk_status status = wsk_run_set(live->run, name, value);
    free(name);
    return status;
}

static wsk_refusal order_limit(wsk_live *live, int card, const wsk_order *order)
{
    double limit_w = live->card[card].own_limit_w;
    if (order->event != WSK_ORDER_SET && order->event != WSK_ORDER_RETURNS)
        return no_event;
    if (order->event == WSK_ORDER_SET && wsk_order_quantities(order->value, WSK_DIM_POWER, &limit_w, 1) != 1)
        return syntax;
    if (set_variable(live, card, wsk_var_about(WSK_VAR_CARD_POWER_LIMIT_W)->name, limit_w) != WSK_OK)
        return range;
    return done;
}

static wsk_refusal order_fan(wsk_live *live, int card, const wsk_order *order)
{
    const wsk_twin_fixed *f = &live->moment.card[card].fixed;
    double share = NAN;
    if (order->event != WSK_ORDER_SET && order->event != WSK_ORDER_RETURNS)
        return no_event;
    if (!f->fans)
        return no_target;
    if (order->event == WSK_ORDER_SET && wsk_order_quantities(order->value, WSK_DIM_FRACTION, &share, 1) != 1)
        return syntax;
    if (share < f->fan_percent_min * 0.01 || share > 1)
        return range;
    if (set_variable(live, card, wsk_var_about(WSK_VAR_CARD_FAN_RPM)->name, share * f->fan_rpm_max) != WSK_OK)
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

static const struct {
    const char *name;
    wsk_refusal (*carry_out)(wsk_live *live, int card, const wsk_order *order);
} of_cards[] = {{"power-limit", order_limit}, {"fan", order_fan}, {"persistence", order_persistence}};

/* Finds the card whose id, followed by a dot, begins the text; *rest: the text behind the dot. -1: none. */
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

/* ---- the rig ---- */

static wsk_refusal order_room(wsk_live *live, const wsk_order *order)
{
    double room_k;
    if (order->event != WSK_ORDER_SET)
        return no_event;
    if (wsk_order_quantities(order->value, WSK_DIM_TEMPERATURE, &room_k, 1) != 1)
        return syntax;
    const double room_c = room_k - WSK_KELVIN;
    if (!(room_c >= ROOM_LEAST_C && room_c <= ROOM_MOST_C))
        return no_room;
    if (wsk_run_set(live->run, wsk_var_about(WSK_VAR_ROOM_C)->name, room_c) != WSK_OK)
        return room_follows;
    return done;
}

wsk_refusal wsk_live_do(wsk_live *live, const wsk_order *order)
{
    const char *rest;
    const int card = find_card(live, order->target, &rest);
    if (strcmp(order->target, "room") == 0)
        return order_room(live, order);
    for (size_t i = 0; card >= 0 && i < sizeof of_cards / sizeof *of_cards; i++)
        if (strcmp(rest, of_cards[i].name) == 0)
            return live->moment.card[card].now.lost ? lost : of_cards[i].carry_out(live, card, order);
    return no_target;
}
