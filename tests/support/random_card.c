/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/dice.h"

typedef enum { BLOWER, OPEN_AIR, SHROUDED, DUCTED, AIO, WATER, STYLES } style;

/* Writes the attributes of a fin stack that is 30-55 K warmer than its inlet air when it gives `watts` to an air flow
 * of `flow` m3/s. */
static void write_fins(wsk_dice *d, double watts, double flow, double drop, wsk_buf *b)
{
    double w = 1190 * flow, g = fmin(watts / wsk_draw(d, 30, 55), 0.8 * w);
    wsk_attr(b, "conductance", -w * log1p(-g / w), "W/K");
    wsk_attr(b, "flow", flow * 1e3, "l/s");
    wsk_attr(b, "exponent", wsk_draw(d, 0.5, 0.8), "");
    wsk_attr(b, "drop", drop, "Pa");
}

static void write_fans(wsk_dice *d, int fans, double pressure, double flow, double rpm_max, wsk_buf *b)
{
    wsk_buf_printf(b, " fans=\"%d\"", fans);
    wsk_attr(b, "fan-pressure", pressure, "Pa");
    wsk_attr(b, "fan-flow", flow * wsk_draw(d, 1.3, 2.2) / fans * 1e3, "l/s");
    wsk_attr(b, "fan-rpm", rpm_max, "rpm");
    wsk_attr(b, "rpm-min", wsk_chance(d, 0.2) ? 0 : floor(rpm_max * wsk_draw(d, 0.2, 0.45)), "rpm");
    if (wsk_chance(d, 0.15))
        wsk_buf_printf(b, " fan-curve=\"48 degC:0 rpm, 52 degC:%.0f rpm, 82 degC:%.0f rpm\"", floor(rpm_max * 0.3),
                       rpm_max);
    if (wsk_chance(d, 0.2))
        wsk_attr(b, "noise", wsk_draw(d, 30, 60), "dBA");
}

static void write_air_cooler(wsk_dice *d, style s, double watts, double rpm_max, wsk_buf *b)
{
    static const char *const names[] = {"blower", "open-air", "passive", "passive"};
    double flow = watts / (1190 * wsk_draw(d, 8, 14)), through = wsk_chance(d, 0.4) ? wsk_draw(d, 5, 60) : 0;
    double pressure = s == BLOWER     ? wsk_draw(d, 150, 400)
                      : s == OPEN_AIR ? wsk_draw(d, 45, 120)
                                      : wsk_draw(d, 80, 250);
    wsk_buf_printf(b, "<cooler kind=\"%s\"", names[s]);
    write_fins(d, watts, flow, pressure * wsk_draw(d, 0.2, 0.45), b);
    wsk_attr(b, "capacity", watts * wsk_draw(d, 1.2, 4), "J/K");
    wsk_attr(b, "diameter", s == BLOWER ? wsk_draw(d, 60, 75) : wsk_draw(d, 75, 100), "mm");
    if (s != DUCTED)
        write_fans(d, s == OPEN_AIR ? wsk_pick(d, 1, 3) : 1, pressure, flow, rpm_max, b);
    wsk_attr(b, "outlet", s == OPEN_AIR ? wsk_draw(d, 120, 260) : wsk_draw(d, 20, 60), "cm2");
    if (s == OPEN_AIR) {
        wsk_attr(b, "recirculation", wsk_draw(d, 20, 60), "%");
        if (through > 0)
            wsk_attr(b, "through", through, "%");
        if (wsk_chance(d, 0.3))
            wsk_attr(b, "bracket", wsk_draw(d, 5, 35), "%");
    } else {
        wsk_attr(b, "leak", wsk_draw(d, 5, 20), "%");
    }
    if (wsk_chance(d, 0.3) && s <= OPEN_AIR)
        wsk_attr(b, "recess", wsk_draw(d, 0.5, 8), "mm");
    wsk_buf_printf(b, "/>");
}

static void write_aio(wsk_dice *d, double watts, double rpm_max, wsk_buf *b)
{
    static const char *const places[] = {"top", "front", "side", "bottom", "rear"}, *const ways[] = {"exhaust",
                                                                                                     "intake",
                                                                                                     "outside"};
    double flow = watts / (1190 * wsk_draw(d, 6, 12)), pressure = wsk_draw(d, 20, 60);
    int place = wsk_pick(d, 0, 4), way = wsk_pick(d, 0, 2);
    wsk_buf_printf(b, "<cooler kind=\"aio\" at=\"%s\" direction=\"%s\"", places[place], ways[way]);
    write_fins(d, watts, flow, pressure * wsk_draw(d, 0.2, 0.5), b);
    wsk_attr(b, "capacity", wsk_draw(d, 150, 500), "J/K");
    wsk_attr(b, "diameter", 120, "mm");
    write_fans(d, wsk_pick(d, 1, 3), pressure, flow, rpm_max * 0.6, b);
    wsk_attr(b, "block-conductance", watts / wsk_draw(d, 8, 20), "W/K");
    wsk_attr(b, "block-drop", wsk_draw(d, 3, 15), "kPa");
    wsk_attr(b, "pump-flow", wsk_draw(d, 1, 4), "l/min");
    wsk_attr(b, "radiator-capacity", wsk_draw(d, 300, 900), "J/K");
    wsk_attr(b, "volume", wsk_draw(d, 0.15, 0.5), "l");
    wsk_buf_printf(b, "/>");
}

static void write_block(wsk_dice *d, wsk_random_case *c, double watts, wsk_buf *b)
{
    int loop = wsk_pick(d, 0, c->loops - 1);
    c->loop_w[loop] += watts;
    c->members++;
    wsk_buf_printf(b, "<cooler kind=\"water\" covers=\"%s\" loop=\"loop%c%d\"", wsk_chance(d, 0.3) ? "die" : "all",
                   'A' + c->index, loop);
    wsk_attr(b, "conductance", watts / wsk_draw(d, 8, 20), "W/K");
    wsk_attr(b, "exponent", wsk_draw(d, 0.2, 0.4), "");
    wsk_attr(b, "drop", wsk_draw(d, 5, 20), "kPa");
    wsk_attr(b, "capacity", wsk_draw(d, 150, 500), "J/K");
    wsk_buf_printf(b, "/>");
}

static void write_chip(wsk_dice *d, const wsk_random_case *c, double tdp, double clock, wsk_buf *b)
{
    wsk_attr(b, "tdp", tdp, "W");
    wsk_attr(b, "clock-max", clock, "MHz");
    wsk_attr(b, "clock-knee", clock * wsk_draw(d, 0.55, 0.85), "MHz");
    wsk_attr(b, "voltage-slope", wsk_draw(d, 0.3, 0.9), "1/GHz");
    wsk_attr(b, "length", wsk_draw(d, 170, 330), "mm");
    if (wsk_chance(d, 0.7))
        wsk_attr(b, "power-limit", tdp * wsk_draw(d, 0.4, 0.98), "W");
    if (wsk_chance(d, 0.5))
        wsk_attr(b, "leakage", tdp * wsk_draw(d, 0.02, 0.12), "W");
    wsk_attr(b, "target-temperature", wsk_draw(d, 72, 87), "degC");
    wsk_attr(b, "die-resistance", wsk_draw(d, 2, 12) / tdp, "K/W");
    wsk_attr(b, "board-capacity", wsk_draw(d, 150, 600), "J/K");
    wsk_attr(b, "board-conductance", wsk_draw(d, 0.5, 2), "W/K");
    wsk_attr(b, "board-to-heatsink", wsk_draw(d, 0.3, 2), "W/K");
    wsk_attr(b, "memory-capacity", wsk_draw(d, 8, 60), "J/K");
    /* At its default power, 12 % of tdp, the memory is at most 20 K warmer than heatsink and board, or 80 K with
     * pads of up to four times the resistance. */
    wsk_attr(b, "memory-resistance", fmin(wsk_draw(d, 0.2, 0.9), 20 / (0.12 * tdp)), "K/W");
    wsk_attr(b, "memory-to-heatsink", wsk_draw(d, 20, 100), "%");
    if (wsk_chance(d, 0.4))
        wsk_buf_printf(b, " memory-type=\"%s\"", wsk_chance(d, 0.5) ? "HBM2e" : "GDDR6X");
    if (wsk_chance(d, 0.1))
        wsk_attr(b, "mount", wsk_draw(d, 1.1, 3), "");
    if (wsk_chance(d, 0.1))
        wsk_attr(b, "pads", wsk_draw(d, 1.2, 4), "");
    bool fan = wsk_chance(d, 0.08), pump = wsk_chance(d, 0.08);
    if (fan && !c->spec->pin_cards)
        wsk_attr(b, "fan-fails-at", wsk_draw(d, 20, 1500), "s");
    if (pump && !c->spec->pin_cards)
        wsk_attr(b, "pump-fails-at", wsk_draw(d, 20, 1500), "s");
}

/* Only a chassis with a coolant loop gets water blocks: 60 % of its cards on average. */
static style pick_style(wsk_dice *d, const wsk_random_case *c)
{
    double u = wsk_draw(d, 0, 1);
    style s = (style)wsk_pick(d, 0, AIO);
    return c->loops && u < 0.6 ? WATER : s;
}

static style write_card(wsk_dice *d, wsk_random_case *c, int slot, int slots, const char *id, const char *behind,
                        bool riser, wsk_buf *b)
{
    const wsk_random_rig_spec *spec = c->spec;
    wsk_family inner = {.count = 0};
    style s = behind ? DUCTED : pick_style(d, c);
    double tdp = floor(wsk_draw(d, 75, 450)), clock = floor(wsk_draw(d, 1200, 2600)),
           rpm = floor(wsk_draw(d, 2000, 5000));
    wsk_buf_printf(b, "<gpu slot=\"%d\" slots=\"%d\"", slot, slots);
    if (id)
        wsk_buf_printf(b, " id=\"%s\"", id);
    if (behind)
        wsk_buf_printf(b, " behind=\"%s\"", behind);
    if (riser)
        wsk_attr(b, "riser", wsk_draw(d, 15, 80), "mm");
    if (riser && slot % 2 == 0)
        wsk_buf_printf(b, " riser-at=\"room\"");
    write_chip(d, c, tdp, clock, b);
    bool by_power = wsk_chance(d, 0.15) && !c->sealed && !c->still, by_fan = wsk_chance(d, 0.15);
    double most = s == DUCTED ? 0.25 : 0.6, power = tdp * wsk_draw(d, 0.1, most),
           fan = floor(rpm * wsk_draw(d, 0.5, 1));
    if (by_power || spec->pin_cards)
        wsk_attr(b, "power", power, "W");
    if (c->still)
        wsk_buf_printf(b, " fan=\"0 rpm\"");
    else if (by_power || by_fan || spec->pin_cards)
        wsk_attr(b, "fan", fan * (s == AIO ? 0.6 : 1), "rpm");
    /* A card with pinned power cannot throttle. To keep its air inlet open, it is at least 4 mm thinner than its
     * slots. */
    if (wsk_chance(d, 0.5))
        wsk_attr(b, "thickness", slots * 20.32 - wsk_draw(d, by_power || spec->pin_cards ? 4 : 0.2, 9), "mm");
    else if (by_power || spec->pin_cards)
        wsk_attr(b, "thickness", slots * 20.32 - 5, "mm");
    wsk_buf_printf(b, ">");
    wsk_buf *cooler = wsk_next_piece(&inner);
    if (s == AIO)
        write_aio(d, tdp, rpm, cooler);
    else if (s == WATER)
        write_block(d, c, tdp, cooler);
    else
        write_air_cooler(d, s, tdp, rpm, cooler);
    if (wsk_chance(d, 0.4)) {
        wsk_buf *o = wsk_next_piece(&inner);
        wsk_buf_printf(o, "<class name=\"training\"");
        wsk_attr(o, "p0", tdp * wsk_draw(d, 0.2, 0.4), "W");
        wsk_attr(o, "c", tdp * wsk_draw(d, 0.25, 0.5) / clock * 1e3, "W/GHz");
        wsk_attr(o, "clock-share", wsk_draw(d, 30, 95), "%");
        wsk_buf_printf(o, "/>");
    }
    wsk_settle(&inner, b, spec->shuffle);
    wsk_buf_printf(b, "</gpu>\n");
    c->ducted = c->ducted || s == DUCTED;
    return s;
}

int wsk_write_cards(wsk_dice *d, wsk_random_case *c, int most, wsk_family *f)
{
    const wsk_random_rig_spec *spec = c->spec;
    int n = wsk_pick(d, c->index ? 0 : spec->least_cards, most), slot = 1, all_slots = wsk_pick(d, 1, 3),
        skip = wsk_pick(d, 0, 2);
    uint64_t seed = (uint64_t)wsk_draw(d, 0, 1e15);
    char name[2][16] = {"", ""};
    bool may_follow = false;
    for (int i = 0; i < n; i++) {
        int slots = spec->identical ? all_slots : wsk_pick(d, 1, 3);
        wsk_dice own = {seed, spec->identical ? 0 : 1000 * ((uint64_t)i + 1)};
        slot += i ? spec->identical ? skip : wsk_pick(d, 0, 2) : 0;
        bool follows = may_follow && wsk_chance(d, 0.5), riser = wsk_chance(d, 0.12) && !spec->identical;
        const char *id = NULL;
        if (spec->rotate) {
            name[i % 2][0] = (char)('a' + (i + spec->rotate) % n);
            id = name[i % 2];
        } else if (!spec->identical && (follows || wsk_chance(d, 0.5))) {
            wsk_buf b = {0};
            wsk_buf_printf(&b, "card%c%d", 'A' + c->index, i);
            for (size_t k = 0; k <= b.len && k < sizeof *name; k++)
                name[i % 2][k] = k < b.len ? b.data[k] : 0;
            wsk_buf_free(&b);
            id = name[i % 2];
        }
        style s = write_card(&own, c, slot, slots, id, follows ? name[(i + 1) % 2] : NULL, riser, wsk_next_piece(f));
        may_follow = s == DUCTED && id && !spec->identical;
        slot += riser ? 1 : slots;
    }
    return slot;
}
