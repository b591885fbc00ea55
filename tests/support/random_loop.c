/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/dice.h"

static void write_pump(wsk_dice *d, const wsk_random_case *c, bool cards, wsk_buf *b)
{
    wsk_buf_printf(b, "<pump");
    wsk_attr(b, "pressure", wsk_draw(d, 25, 60), "kPa");
    wsk_attr(b, "flow", wsk_draw(d, 12, 25), "l/min");
    wsk_attr(b, "rpm", floor(wsk_draw(d, 2500, 5000)), "rpm");
    wsk_attr(b, "curvature", wsk_draw(d, 0, 60), "%");
    wsk_attr(b, "power", wsk_draw(d, 5, 22), "W");
    if (wsk_chance(d, 0.5))
        wsk_attr(b, "duty", wsk_draw(d, 40, 100), "%");
    wsk_write_control(d, c, true, cards, b);
    bool fails = wsk_chance(d, 0.08);
    if (fails && !c->spec->pin_cards)
        wsk_attr(b, "fails-at", wsk_draw(d, 20, 1500), "s");
    wsk_buf_printf(b, "/>");
}

static void write_radiator_fan(wsk_dice *d, const wsk_random_case *c, double flow, bool cards, bool must, wsk_buf *b)
{
    wsk_buf_printf(b, "<fan count=\"%d\"", wsk_pick(d, 1, 2));
    wsk_attr(b, "pressure", wsk_draw(d, 20, 45), "Pa");
    wsk_attr(b, "flow", flow * wsk_draw(d, 0.9, 2) * 3600, "m3/h");
    wsk_attr(b, "rpm", floor(wsk_draw(d, 1200, 2600)), "rpm");
    bool stopped = wsk_chance(d, 0.1), fails = wsk_chance(d, 0.1);
    if (c->still || (stopped && !must))
        wsk_attr(b, "speed", 0, "rpm");
    else if (wsk_chance(d, 0.4))
        wsk_attr(b, "duty", wsk_draw(d, 50, 100), "%");
    if (!c->still)
        wsk_write_control(d, c, true, cards, b);
    if (wsk_chance(d, 0.2))
        wsk_attr(b, "blocked", wsk_draw(d, 5, 50), "%");
    if (fails && !c->spec->pin_cards)
        wsk_attr(b, "fails-at", wsk_draw(d, 20, 1500), "s");
    wsk_buf_printf(b, "/>");
}

/* Writes a radiator that gives off `watts` when its coolant is 8-16 K warmer than its intake air. At the radiator's
 * rated air flow the air then warms by 6-10 K. */
static void write_radiator(wsk_dice *d, const wsk_random_case *c, double watts, bool cards, bool first, wsk_buf *b)
{
    static const char *const places[] = {"top", "front", "side", "bottom", "rear"}, *const ways[] = {"exhaust",
                                                                                                     "intake",
                                                                                                     "outside"};
    wsk_family fans = {.count = 0};
    double flow = watts / (1190 * wsk_draw(d, 6, 10)), w = 1190 * flow,
           g = fmin(watts / wsk_draw(d, 8, 16), 0.85 * w);
    int place = wsk_pick(d, 0, 4), way = wsk_pick(d, 0, 2);
    wsk_buf_printf(b, "<radiator at=\"%s\" direction=\"%s\"", places[place], ways[way]);
    wsk_attr(b, "conductance", -w * log1p(-g / w), "W/K");
    wsk_attr(b, "flow", flow * 1e3, "l/s");
    wsk_attr(b, "exponent", wsk_draw(d, 0.5, 0.7), "");
    wsk_attr(b, "drop", wsk_draw(d, 5, 20), "Pa");
    wsk_attr(b, "coolant-conductance", wsk_draw(d, 80, 250), "W/K");
    wsk_attr(b, "coolant-drop", wsk_draw(d, 2, 8), "kPa");
    wsk_attr(b, "capacity", wsk_draw(d, 250, 900), "J/K");
    wsk_buf_printf(b, ">");
    int n = wsk_pick(d, first ? 1 : 0, 2);
    for (int i = 0; i < n; i++)
        write_radiator_fan(d, c, flow / n, cards, first && i == 0, wsk_next_piece(&fans));
    wsk_settle(&fans, b, c->spec->shuffle);
    wsk_buf_printf(b, "</radiator>");
}

static void write_loop(wsk_dice *d, const wsk_random_case *c, int loop, bool cards, wsk_buf *b)
{
    wsk_family inner = {.count = 0};
    bool facility = c->facility[loop], water = wsk_chance(d, 0.5), series = wsk_chance(d, 0.5);
    wsk_buf_printf(b, "<loop kind=\"%s\" id=\"loop%c%d\" coolant=\"%s\" blocks=\"%s\"",
                   facility ? "facility" : "closed", 'A' + c->index, loop, water ? "water" : "glycol-30",
                   series ? "series" : "parallel");
    wsk_attr(b, "hose", wsk_draw(d, 0.5, 6), "m");
    wsk_attr(b, "bore", wsk_draw(d, 8, 13), "mm");
    if (facility) {
        wsk_attr(b, "supply", wsk_draw(d, 18, 42), "degC");
        wsk_attr(b, "approach", wsk_draw(d, 1, 6), "K");
        wsk_attr(b, "pressure", wsk_draw(d, 8, 70), "kPa");
        wsk_buf_printf(b, "/>\n");
        return;
    }
    wsk_attr(b, "volume", wsk_draw(d, 0.2, 2), "l");
    wsk_buf_printf(b, ">");
    for (int n = wsk_pick(d, 1, 2); n > 0; n--)
        write_pump(d, c, cards, wsk_next_piece(&inner));
    int n = wsk_pick(d, 1, 3);
    for (int i = 0; i < n; i++)
        write_radiator(d, c, fmax(c->loop_w[loop], 60) / n, cards, i == 0, wsk_next_piece(&inner));
    wsk_settle(&inner, b, c->spec->shuffle);
    wsk_buf_printf(b, "</loop>\n");
}

void wsk_write_loops(wsk_dice *d, wsk_random_case *c, bool cards, wsk_family *f)
{
    for (int i = 0; i < c->loops; i++)
        write_loop(d, c, i, cards, wsk_next_piece(f));
}
