/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values are drawn within what real parts show; a card's cooler is sized by its watts, so that rigs range from
 * roomy to throttling without leaving the physical range. */
#include "tests/support/random_rig.h"

#include <math.h>
#include <string.h>

enum { PIECES = 48 };

typedef struct {
    uint64_t seed, turn;
} dice;

/* Siblings before they are put in order. */
typedef struct {
    wsk_buf piece[PIECES];
    int count;
} family;

static double draw(dice *d, double low, double high)
{
    return low + (high - low) * wsk_random(d->seed, 0x7269675f, d->turn++);
}

static bool chance(dice *d, double p)
{
    return draw(d, 0, 1) < p;
}

static int pick(dice *d, int low, int high)
{
    return low + (int)draw(d, 0, high - low + 1);
}

static void attr(wsk_buf *b, const char *name, double value, const char *unit)
{
    char text[40];
    double grid = pow(10, floor(log10(fabs(value) + 1e-30)) - 3);
    wsk_format_number(text, sizeof text, value == 0 ? 0 : floor(value / grid + 0.5) * grid);
    wsk_buf_printf(b, " %s=\"%s%s%s\"", name, text, *unit && *unit != '%' ? " " : "", unit);
}

static wsk_buf *next_piece(family *f)
{
    return &f->piece[f->count < PIECES - 1 ? f->count++ : PIECES - 1];
}

/* Moves all pieces into `out`, in order or shuffled. */
static void settle(family *f, wsk_buf *out, uint64_t shuffle)
{
    dice d = {shuffle, 1 + (uint64_t)f->count * 1000};
    for (int i = f->count - 1; i > 0 && shuffle; i--) {
        int j = pick(&d, 0, i);
        wsk_buf t = f->piece[i];
        f->piece[i] = f->piece[j];
        f->piece[j] = t;
    }
    for (int i = 0; i < f->count; i++) {
        if (f->piece[i].data)
            wsk_buf_put(out, f->piece[i].data, f->piece[i].len);
        out->failed = out->failed || f->piece[i].failed;
        wsk_buf_free(&f->piece[i]);
    }
    f->count = 0;
}

static void write_site(dice *d, const wsk_random_rig_spec *spec, wsk_buf *out)
{
    family room = {.count = 0}, site = {.count = 0};
    wsk_buf *b = next_piece(&site);
    bool pinned = chance(d, 0.4) || spec->pin_room;
    wsk_buf_printf(out, "<site");
    attr(out, "supply", chance(d, 0.5) ? 120 : 230, "V");
    if (chance(d, 0.6))
        attr(out, "circuit", chance(d, 0.5) ? 15 : 20, "A");
    if (chance(d, 0.5))
        attr(out, "altitude", draw(d, 0, 2500), "m");
    wsk_buf_printf(out, ">");
    wsk_buf_printf(b, "<room");
    if (pinned)
        attr(b, "temperature", draw(d, 15, 34), "degC");
    attr(b, "volume", draw(d, 15, 120), "m3");
    attr(b, "conductance", draw(d, 60, 400), "W/K");
    wsk_buf_printf(b, ">");
    wsk_buf *o = next_piece(&room);
    wsk_buf_printf(o, "<outdoor");
    attr(o, "mean", draw(d, -5, 28), "degC");
    attr(o, "swing", chance(d, 0.3) ? 0 : draw(d, 0.5, 9), "K");
    attr(o, "warmest", draw(d, 12, 18), "h");
    wsk_buf_printf(o, "/>");
    if (chance(d, 0.5)) {
        o = next_piece(&room);
        wsk_buf_printf(o, "<air-conditioner");
        attr(o, "capacity", draw(d, 1.5, 6), "kW");
        attr(o, "setpoint", draw(d, 21, 28), "degC");
        attr(o, "cop", draw(d, 2.2, 4.8), "");
        wsk_buf_printf(o, "/>");
    }
    settle(&room, b, spec->shuffle);
    wsk_buf_printf(b, "</room>");
    b = next_piece(&site);
    wsk_buf_printf(b, "<tariff");
    attr(b, "price", draw(d, 0.08, 0.45), "USD/kWh");
    wsk_buf_printf(b, "/>");
    if (chance(d, 0.5)) {
        b = next_piece(&site);
        wsk_buf_printf(b, "<carbon");
        attr(b, "intensity", draw(d, 0.02, 0.8), "kg/kWh");
        wsk_buf_printf(b, "/>");
    }
    settle(&site, out, spec->shuffle);
    wsk_buf_printf(out, "</site>\n");
}

/* Fin stack for `watts`: 30-55 K over its inlet at the reference flow, 8-14 K of air warming. */
static void write_cooler(dice *d, double watts, double rpm_max, wsk_buf *b)
{
    static const char *const styles[] = {"blower", "open-air", "passive"};
    int style = pick(d, 0, 2), fans = style == 1 ? pick(d, 1, 3) : 1;
    double flow = watts / (1190 * draw(d, 8, 14)), w = 1190 * flow, g = fmin(watts / draw(d, 30, 55), 0.8 * w);
    double pressure = style == 0 ? draw(d, 150, 400) : style == 1 ? draw(d, 45, 120) : draw(d, 80, 250);
    wsk_buf_printf(b, "<cooler kind=\"%s\"", styles[style]);
    attr(b, "conductance", -w * log1p(-g / w), "W/K");
    attr(b, "flow", flow * 1e3, "l/s");
    attr(b, "exponent", draw(d, 0.5, 0.8), "");
    attr(b, "capacity", watts * draw(d, 1.2, 4), "J/K");
    attr(b, "drop", pressure * draw(d, 0.2, 0.45), "Pa");
    wsk_buf_printf(b, " fans=\"%d\"", fans);
    attr(b, "diameter", style == 0 ? draw(d, 60, 75) : draw(d, 75, 100), "mm");
    attr(b, "fan-pressure", pressure, "Pa");
    attr(b, "fan-flow", flow * draw(d, 1.3, 2.2) / fans * 1e3, "l/s");
    attr(b, "fan-rpm", rpm_max, "rpm");
    attr(b, "rpm-min", chance(d, 0.2) ? 0 : floor(rpm_max * draw(d, 0.2, 0.45)), "rpm");
    attr(b, "outlet", style == 1 ? draw(d, 120, 260) : draw(d, 20, 60), "cm2");
    if (style == 1)
        attr(b, "recirculation", draw(d, 20, 60), "%");
    else
        attr(b, "leak", draw(d, 5, 20), "%");
    if (chance(d, 0.3) && style != 2)
        attr(b, "recess", draw(d, 0.5, 8), "mm");
    wsk_buf_printf(b, "/>");
}

static void write_card(dice *d, const wsk_random_rig_spec *spec, int slot, int slots, char name, wsk_buf *b)
{
    family inner = {.count = 0};
    double tdp = floor(draw(d, 75, 450)), clock = floor(draw(d, 1200, 2600)), rpm = floor(draw(d, 2000, 5000));
    wsk_buf_printf(b, "<gpu slot=\"%d\" slots=\"%d\"", slot, slots);
    if (spec->rotate)
        wsk_buf_printf(b, " id=\"%c\"", name);
    attr(b, "tdp", tdp, "W");
    attr(b, "clock-max", clock, "MHz");
    attr(b, "clock-knee", clock * draw(d, 0.55, 0.85), "MHz");
    attr(b, "voltage-slope", draw(d, 0.3, 0.9), "1/GHz");
    attr(b, "length", draw(d, 170, 330), "mm");
    if (chance(d, 0.7))
        attr(b, "power-limit", tdp * draw(d, 0.4, 0.98), "W");
    if (chance(d, 0.5))
        attr(b, "leakage", tdp * draw(d, 0.02, 0.12), "W");
    attr(b, "target-temperature", draw(d, 72, 87), "degC");
    attr(b, "die-resistance", draw(d, 2, 12) / tdp, "K/W");
    attr(b, "board-capacity", draw(d, 150, 600), "J/K");
    attr(b, "board-conductance", draw(d, 0.5, 2), "W/K");
    attr(b, "board-to-heatsink", draw(d, 0.3, 2), "W/K");
    attr(b, "memory-capacity", draw(d, 8, 60), "J/K");
    attr(b, "memory-resistance", draw(d, 0.2, 0.9), "K/W");
    attr(b, "memory-to-heatsink", draw(d, 20, 100), "%");
    bool by_power = chance(d, 0.15), by_fan = chance(d, 0.15);
    double power = tdp * draw(d, 0.15, 0.6), fan = floor(rpm * draw(d, 0.5, 1));
    if (by_power || spec->pin_cards)
        attr(b, "power", power, "W");
    if (by_power || by_fan || spec->pin_cards)
        attr(b, "fan", fan, "rpm");
    /* Pinned watts know no governor: they need air. */
    if (chance(d, 0.5))
        attr(b, "thickness", slots * 20.32 - draw(d, by_power || spec->pin_cards ? 4 : 0.2, 9), "mm");
    else if (by_power || spec->pin_cards)
        attr(b, "thickness", slots * 20.32 - 5, "mm");
    wsk_buf_printf(b, ">");
    write_cooler(d, tdp, rpm, next_piece(&inner));
    if (chance(d, 0.4)) {
        wsk_buf *c = next_piece(&inner);
        wsk_buf_printf(c, "<class name=\"training\"");
        attr(c, "p0", tdp * draw(d, 0.2, 0.4), "W");
        attr(c, "c", tdp * draw(d, 0.25, 0.5) / clock * 1e3, "W/GHz");
        attr(c, "clock-share", draw(d, 30, 95), "%");
        wsk_buf_printf(c, "/>");
    }
    settle(&inner, b, spec->shuffle);
    wsk_buf_printf(b, "</gpu>\n");
}

static int write_cards(dice *d, const wsk_random_rig_spec *spec, family *f)
{
    int n = pick(d, spec->least_cards, 7), slot = 1, all_slots = pick(d, 1, 3), skip = pick(d, 0, 2);
    uint64_t seed = (uint64_t)draw(d, 0, 1e15);
    for (int i = 0; i < n; i++) {
        int slots = spec->identical ? all_slots : pick(d, 1, 3);
        dice own = {seed, spec->identical ? 0 : 1000 * ((uint64_t)i + 1)};
        slot += i ? spec->identical ? skip : pick(d, 0, 2) : 0;
        write_card(&own, spec, slot, slots, (char)('a' + (i + spec->rotate) % n), next_piece(f));
        slot += slots;
    }
    return slot;
}

static void write_fans(dice *d, const wsk_random_rig_spec *spec, family *f)
{
    static const char *const places[] = {"front", "rear", "top", "bottom", "side"};
    int n = pick(d, spec->pin_cards ? 2 : 0, 4);
    for (int i = 0; i < n; i++) {
        wsk_buf *b = next_piece(f);
        double rpm = floor(draw(d, 800, 3000));
        wsk_buf_printf(b, "<fan at=\"%s\" count=\"%d\"", places[spec->pin_cards && i < 2 ? i : pick(d, 0, 4)], pick(d, 1, 3));
        attr(b, "diameter", chance(d, 0.5) ? 120 : 140, "mm");
        attr(b, "pressure", draw(d, 8, 60), "Pa");
        attr(b, "flow", draw(d, 60, 220), "m3/h");
        attr(b, "rpm", rpm, "rpm");
        attr(b, "curvature", draw(d, 0, 80), "%");
        bool stopped = chance(d, 0.2) && !(spec->pin_cards && i < 2);
        if (stopped)
            attr(b, "speed", 0, "rpm");
        else if (chance(d, 0.5))
            attr(b, "duty", draw(d, 40, 110), "%");
        wsk_buf_printf(b, "/>");
    }
    n = pick(d, spec->pin_cards ? 1 : 0, 3);
    for (int i = 0; i < n; i++) {
        wsk_buf *b = next_piece(f);
        wsk_buf_printf(b, "<vent at=\"%s\"", places[pick(d, 0, 4)]);
        attr(b, "area", draw(d, 30, 300), "cm2");
        wsk_buf_printf(b, "/>");
    }
}

static void write_supply(dice *d, wsk_buf *b)
{
    double rated = floor(draw(d, 650, 3500)), top = draw(d, 87, 96);
    wsk_buf_printf(b, "<psu");
    if (chance(d, 0.25)) {
        wsk_buf_printf(b, " kind=\"constant\"");
        attr(b, "efficiency", draw(d, 80, 95), "%");
    } else {
        attr(b, "efficiency-10", top - draw(d, 3, 7), "%");
        attr(b, "efficiency-20", top - draw(d, 0.5, 2.5), "%");
        attr(b, "efficiency-50", top, "%");
        attr(b, "efficiency-100", top - draw(d, 1, 4), "%");
    }
    attr(b, "rated", rated, "W");
    attr(b, "capacity", draw(d, 600, 2500), "J/K");
    wsk_buf_printf(b, "/>");
}

static void write_load(dice *d, double most_dc_w, wsk_buf *b)
{
    wsk_buf_printf(b, "<load");
    if (chance(d, 0.5))
        attr(b, "ac", draw(d, 10, 300), "W");
    else
        attr(b, "dc", draw(d, 5, most_dc_w), "W");
    if (chance(d, 0.6)) {
        attr(b, "duty", draw(d, 10, 90), "%");
        attr(b, "period", draw(d, 120, 3000), "s");
    }
    wsk_buf_printf(b, "/>");
}

static void write_chassis(dice *d, const wsk_random_rig_spec *spec, wsk_buf *out)
{
    family f = {.count = 0};
    int slots = write_cards(d, spec, &f) - 1 + pick(d, 0, 2);
    write_fans(d, spec, &f);
    if (chance(d, 0.9))
        write_supply(d, next_piece(&f));
    if (chance(d, 0.8)) {
        wsk_buf *b = next_piece(&f);
        wsk_buf_printf(b, "<cpu");
        attr(b, "power", draw(d, 35, 180), "W");
        if (chance(d, 0.5))
            attr(b, "idle", draw(d, 10, 30), "W");
        wsk_buf_printf(b, "/>");
    }
    for (int n = pick(d, 0, 2); n > 0; n--)
        write_load(d, 60, next_piece(&f));
    wsk_buf_printf(out, "<chassis slots=\"%d\"", slots < 1 ? 1 : slots);
    attr(out, "wall-gap", draw(d, 0, 40), "mm");
    attr(out, "panel-area", draw(d, 0.6, 2), "m2");
    attr(out, "panel-capacity", draw(d, 1500, 8000), "J/K");
    wsk_buf_printf(out, " psu-intake=\"%s\">\n", chance(d, 0.5) ? "case" : "outside");
    settle(&f, out, spec->shuffle);
    wsk_buf_printf(out, "</chassis>\n");
}

static void write_workload(dice *d, wsk_buf *b)
{
    static const char *const classes[] = {"burn", "training", "prefill", "decode", "moe-decode", "stream"};
    bool training = chance(d, 0.7);
    wsk_buf_printf(b, "<workload kind=\"%s\" class=\"%s\"", training ? "training" : "constant", classes[pick(d, 0, 5)]);
    if (training && chance(d, 0.7)) {
        attr(b, "checkpoint-every", draw(d, 120, 1500), "s");
        attr(b, "checkpoint-takes", draw(d, 5, 120), "s");
    }
    wsk_buf_printf(b, "/>\n");
}

char *wsk_random_rig(const wsk_random_rig_spec *spec)
{
    dice d = {spec->seed, 0};
    wsk_buf out = {0};
    family f = {.count = 0};
    wsk_buf_printf(&out, "<rig name=\"random\">\n");
    write_site(&d, spec, next_piece(&f));
    write_chassis(&d, spec, next_piece(&f));
    if (chance(&d, 0.9))
        write_workload(&d, next_piece(&f));
    for (int n = pick(&d, 0, 2); n > 0; n--)
        write_load(&d, 60, next_piece(&f));
    wsk_buf *b = next_piece(&f);
    wsk_buf_printf(b, "<run from=\"2026-0%d-1%dT%02d:00:00\" for=\"1 h\"/>\n", pick(&d, 1, 9), pick(&d, 0, 9), pick(&d, 0, 23));
    settle(&f, &out, spec->shuffle);
    wsk_buf_printf(&out, "</rig>\n");
    wsk_buf_put(&out, "", 1);
    if (out.failed) {
        wsk_buf_free(&out);
        return NULL;
    }
    return out.data;
}
