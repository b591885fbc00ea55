/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values are drawn from the range of real parts. A cooler is sized for the card's board power, so that some rigs stay
 * cool and others throttle. */
#include "tests/support/dice.h"

void wsk_settle(wsk_family *f, wsk_buf *out, uint64_t shuffle)
{
    wsk_dice d = {shuffle, 1 + (uint64_t)f->count * 1000};
    for (int i = f->count - 1; i > 0 && shuffle; i--) {
        int j = wsk_pick(&d, 0, i);
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

static void write_site(wsk_dice *d, const wsk_random_rig_spec *spec, wsk_buf *out)
{
    wsk_family room = {.count = 0}, site = {.count = 0};
    wsk_buf *b = wsk_next_piece(&site);
    bool pinned = wsk_chance(d, 0.4) || spec->pin_room;
    wsk_buf_printf(out, "<site");
    wsk_attr(out, "supply", wsk_chance(d, 0.5) ? 120 : 230, "V");
    if (wsk_chance(d, 0.6))
        wsk_attr(out, "circuit", wsk_chance(d, 0.5) ? 15 : 20, "A");
    if (wsk_chance(d, 0.5))
        wsk_attr(out, "altitude", wsk_draw(d, 0, 2500), "m");
    wsk_buf_printf(out, ">");
    wsk_buf_printf(b, "<room");
    if (pinned)
        wsk_attr_more(b, "temperature", wsk_draw(d, 15, 34), spec->warmer_k, "degC");
    wsk_attr(b, "volume", wsk_draw(d, 15, 120), "m3");
    wsk_attr(b, "conductance", wsk_draw(d, 60, 400), "W/K");
    wsk_buf_printf(b, ">");
    wsk_buf *o = wsk_next_piece(&room);
    wsk_buf_printf(o, "<outdoor");
    wsk_attr_more(o, "mean", wsk_draw(d, -5, 28), spec->warmer_k, "degC");
    wsk_attr(o, "swing", wsk_chance(d, 0.3) ? 0 : wsk_draw(d, 0.5, 9), "K");
    wsk_attr(o, "warmest", wsk_draw(d, 12, 18), "h");
    wsk_buf_printf(o, "/>");
    if (wsk_chance(d, 0.5)) {
        o = wsk_next_piece(&room);
        wsk_buf_printf(o, "<air-conditioner");
        wsk_attr(o, "capacity", wsk_draw(d, 1.5, 6), "kW");
        wsk_attr(o, "setpoint", wsk_draw(d, 21, 28), "degC");
        wsk_attr(o, "cop", wsk_draw(d, 2.2, 4.8), "");
        wsk_buf_printf(o, "/>");
    }
    wsk_settle(&room, b, spec->shuffle);
    wsk_buf_printf(b, "</room>");
    b = wsk_next_piece(&site);
    wsk_buf_printf(b, "<tariff");
    wsk_attr(b, "price", wsk_draw(d, 0.08, 0.45), "USD/kWh");
    wsk_buf_printf(b, "/>");
    if (wsk_chance(d, 0.5)) {
        b = wsk_next_piece(&site);
        wsk_buf_printf(b, "<carbon");
        wsk_attr(b, "intensity", wsk_draw(d, 0.02, 0.8), "kg/kWh");
        wsk_buf_printf(b, "/>");
    }
    wsk_settle(&site, out, spec->shuffle);
    wsk_buf_printf(out, "</site>\n");
}

void wsk_write_control(wsk_dice *d, const wsk_random_case *c, bool coolant, bool cards, wsk_buf *b)
{
    static const char *const sensors[] = {"gpu", "cpu", "inlet", "coolant"};
    int sensor = wsk_pick(d, 0, 3);
    bool there = sensor == 0 ? cards : sensor == 1 ? c->cpu : sensor == 2 || coolant;
    bool wanted = wsk_chance(d, 0.35), curve = wsk_chance(d, 0.5);
    double minimum = wsk_draw(d, 10, 40), period = wsk_draw(d, 1, 5);
    if (!wanted || !there || c->spec->pin_cards)
        return;
    wsk_buf_printf(b, " sensor=\"%s\"", sensors[sensor]);
    wsk_attr(b, "minimum", minimum, "%");
    wsk_attr(b, "period", period, "s");
    if (curve)
        wsk_buf_printf(b, sensor < 2 ? " curve=\"45 degC:25 %%, 75 degC:90 %%\""
                                     : " curve=\"22 degC:20 %%, 40 degC:100 %%\"");
}

/* Cards with pinned power cannot throttle, so fan groups 0 (front) and 1 (rear) of their chassis never stop. With
 * ducted cards, group 0 is a fan wall. */
static void write_fan(wsk_dice *d, const wsk_random_case *c, int i, bool cards, wsk_buf *b)
{
    static const char *const places[] = {"front", "rear", "top", "bottom", "side", "wall"};
    bool must = c->spec->pin_cards && i < 2, wall = c->ducted && i == 0;
    int place = wsk_pick(d, 0, 5), count = wsk_pick(d, 1, 3);
    wsk_buf_printf(b, "<fan at=\"%s\" count=\"%d\"", places[wall ? 5 : must ? i : place], wall ? count + 1 : count);
    wsk_attr(b, "diameter", wsk_chance(d, 0.5) ? 120 : 140, "mm");
    wsk_attr(b, "pressure", wsk_draw(d, 8, 60) * (wall ? 6 : 1), "Pa");
    wsk_attr(b, "flow", wsk_draw(d, 60, 220), "m3/h");
    wsk_attr(b, "rpm", floor(wsk_draw(d, 800, 3000)), "rpm");
    wsk_attr(b, "curvature", wsk_draw(d, 0, 80), "%");
    bool stopped = wsk_chance(d, 0.15), fails = wsk_chance(d, 0.08);
    if (c->still || (stopped && !must))
        wsk_attr(b, "speed", 0, "rpm");
    else if (wsk_chance(d, 0.5))
        wsk_attr(b, "duty", wsk_draw(d, 40, 110), "%");
    if (!c->still)
        wsk_write_control(d, c, c->loops > 0, cards, b);
    if (wsk_chance(d, 0.1))
        wsk_attr(b, "blocked", wsk_draw(d, 5, 90), "%");
    if (fails && !c->spec->pin_cards)
        wsk_attr(b, "fails-at", wsk_draw(d, 20, 1500), "s");
    wsk_buf_printf(b, "/>");
}

static void write_openings(wsk_dice *d, const wsk_random_case *c, bool cards, wsk_family *f)
{
    static const char *const places[] = {"front", "rear", "top", "bottom", "side"};
    int fans = wsk_pick(d, c->spec->pin_cards ? 2 : 0, 4), vents = wsk_pick(d, c->spec->pin_cards ? 1 : 0, 3);
    for (int i = 0; i < fans && !c->sealed; i++)
        write_fan(d, c, i, cards, wsk_next_piece(f));
    for (int i = 0; i < vents && !c->sealed && !c->frame; i++) {
        wsk_buf *b = wsk_next_piece(f);
        wsk_buf_printf(b, "<vent at=\"%s\"", places[wsk_pick(d, 0, 4)]);
        wsk_attr(b, "area", wsk_draw(d, 30, 300), "cm2");
        wsk_buf_printf(b, "/>");
    }
}

static void write_supply(wsk_dice *d, wsk_buf *b)
{
    double rated = floor(wsk_draw(d, 650, 3500)), top = wsk_draw(d, 87, 96);
    wsk_buf_printf(b, "<psu");
    if (wsk_chance(d, 0.25)) {
        wsk_buf_printf(b, " kind=\"constant\"");
        wsk_attr(b, "efficiency", wsk_draw(d, 80, 95), "%");
    } else {
        wsk_attr(b, "efficiency-10", top - wsk_draw(d, 3, 7), "%");
        wsk_attr(b, "efficiency-20", top - wsk_draw(d, 0.5, 2.5), "%");
        wsk_attr(b, "efficiency-50", top, "%");
        wsk_attr(b, "efficiency-100", top - wsk_draw(d, 1, 4), "%");
    }
    wsk_attr(b, "rated", rated, "W");
    wsk_attr(b, "capacity", wsk_draw(d, 600, 2500), "J/K");
    wsk_buf_printf(b, "/>");
}

static void write_load(wsk_dice *d, double most_dc_w, wsk_buf *b)
{
    wsk_buf_printf(b, "<load");
    if (wsk_chance(d, 0.5))
        wsk_attr(b, "ac", wsk_draw(d, 10, 300), "W");
    else
        wsk_attr(b, "dc", wsk_draw(d, 5, most_dc_w), "W");
    if (wsk_chance(d, 0.6)) {
        wsk_attr(b, "duty", wsk_draw(d, 10, 90), "%");
        wsk_attr(b, "period", wsk_draw(d, 120, 3000), "s");
    }
    wsk_buf_printf(b, "/>");
}

static void write_cpu(wsk_dice *d, wsk_random_case *c, wsk_buf *b)
{
    double power = wsk_draw(d, 35, 180);
    int loop = c->loops ? wsk_pick(d, 0, c->loops - 1) : 0;
    bool wet = c->loops && wsk_chance(d, 0.4);
    wsk_buf_printf(b, "<cpu");
    wsk_attr(b, "power", power, "W");
    if (wsk_chance(d, 0.5))
        wsk_attr(b, "idle", wsk_draw(d, 10, 30), "W");
    if (wet) {
        wsk_buf_printf(b, " loop=\"loop%c%d\"", 'A' + c->index, loop);
        wsk_attr(b, "block-conductance", wsk_draw(d, 10, 30), "W/K");
        c->loop_w[loop] += power;
        c->members++;
    }
    wsk_buf_printf(b, "/>");
}

static void write_walls(wsk_dice *d, const wsk_random_case *c, wsk_buf *out)
{
    wsk_attr(out, "panel-area", wsk_draw(d, 0.6, 2), "m2");
    wsk_attr(out, "panel-capacity", wsk_draw(d, 1500, 8000), "J/K");
    wsk_buf_printf(out, " psu-intake=\"%s\"", wsk_chance(d, 0.5) ? "case" : "outside");
    if (wsk_chance(d, 0.15))
        wsk_attr(out, "exhaust-return", wsk_draw(d, 3, 40), "%");
    if (wsk_chance(d, 0.1))
        wsk_buf_printf(out, " side-panel=\"open\"");
    if (wsk_chance(d, 0.2)) {
        wsk_attr(out, "dust-start", wsk_draw(d, 0, 40), "%");
        bool grows = wsk_chance(d, 0.6);
        double share = wsk_draw(d, 5, 40), hours = wsk_draw(d, 0.1, 6);
        if (grows && !c->spec->pin_cards) {
            wsk_attr(out, "dust", share, "%");
            wsk_attr(out, "dust-time", hours, "h");
        }
    }
}

static void plan_case(wsk_dice *d, wsk_random_case *c)
{
    double u = wsk_draw(d, 0, 1);
    bool frame = wsk_chance(d, 0.15), still = wsk_chance(d, 0.05), sealed = wsk_chance(d, 0.05),
         cpu = wsk_chance(d, 0.8);
    for (int i = 0; i < WSK_LOOPS_MOST; i++)
        c->facility[i] = wsk_chance(d, 0.3);
    c->cpu = cpu;
    c->loops = u < 0.15 ? 2 : u < 0.5 ? 1 : 0;
    c->frame = frame;
    c->still = still && !c->spec->pin_cards;
    c->sealed = sealed && !c->spec->pin_cards && !frame;
}

static void write_chassis(wsk_dice *d, const wsk_random_rig_spec *spec, int index, bool named, wsk_buf *out)
{
    wsk_family f = {.count = 0};
    wsk_random_case c = {.spec = spec, .index = index};
    plan_case(d, &c);
    int before = f.count, end = wsk_write_cards(d, &c, index ? 2 : 7, &f);
    bool cards = f.count > before;
    int slots = end - 1 + wsk_pick(d, 0, 2);
    write_openings(d, &c, cards, &f);
    if (wsk_chance(d, 0.9))
        write_supply(d, wsk_next_piece(&f));
    if (c.cpu)
        write_cpu(d, &c, wsk_next_piece(&f));
    wsk_write_loops(d, &c, cards, &f);
    for (int n = wsk_pick(d, 0, 2); n > 0; n--)
        write_load(d, 60, wsk_next_piece(&f));
    wsk_buf_printf(out, "<chassis kind=\"%s\" slots=\"%d\"", c.frame ? "frame" : "tower", slots < 1 ? 1 : slots);
    if (named)
        wsk_buf_printf(out, " id=\"box%c\"", 'A' + index);
    wsk_attr(out, "wall-gap", wsk_draw(d, 0, 40), "mm");
    if (!c.frame)
        write_walls(d, &c, out);
    wsk_buf_printf(out, ">\n");
    wsk_settle(&f, out, spec->shuffle);
    wsk_buf_printf(out, "</chassis>\n");
}

static void write_workload(wsk_dice *d, wsk_buf *b)
{
    static const char *const classes[] = {"burn", "training", "prefill", "decode", "moe-decode", "stream"},
                             *const splits[] = {"none", "none", "none", "layer", "tensor", "none"};
    bool training = wsk_chance(d, 0.7);
    int class = wsk_pick(d, 0, 5);
    wsk_buf_printf(b, "<workload kind=\"%s\" class=\"%s\"", training ? "training" : "constant", classes[class]);
    if (!training)
        wsk_buf_printf(b, " split=\"%s\"", splits[class]);
    if (training && wsk_chance(d, 0.7)) {
        wsk_attr(b, "checkpoint-every", wsk_draw(d, 120, 1500), "s");
        wsk_attr(b, "checkpoint-takes", wsk_draw(d, 5, 120), "s");
    }
    wsk_buf_printf(b, "/>\n");
}

char *wsk_random_rig(const wsk_random_rig_spec *spec)
{
    wsk_dice d = {spec->seed, 0};
    wsk_buf out = {0};
    wsk_family f = {.count = 0};
    wsk_buf_printf(&out, "<rig name=\"random\">\n");
    write_site(&d, spec, wsk_next_piece(&f));
    bool more = wsk_chance(&d, 0.2), third = wsk_chance(&d, 0.3);
    for (int i = 0, n = spec->identical || !more ? 1 : third ? 3 : 2; i < n; i++)
        /* With several chassis each gets an id, because default ids follow the order of the chassis, which a shuffle
         * changes. */
        write_chassis(&d, spec, i, n > 1, wsk_next_piece(&f));
    if (wsk_chance(&d, 0.9))
        write_workload(&d, wsk_next_piece(&f));
    for (int n = wsk_pick(&d, 0, 2); n > 0; n--)
        write_load(&d, 60, wsk_next_piece(&f));
    wsk_buf *b = wsk_next_piece(&f);
    int month = wsk_pick(&d, 1, 9), day = wsk_pick(&d, 0, 9), hour = wsk_pick(&d, 0, 23);
    wsk_buf_printf(b, "<run from=\"2026-0%d-1%dT%02d:00:00\" for=\"1 h\"/>\n", month, day, hour);
    wsk_settle(&f, &out, spec->shuffle);
    wsk_buf_printf(&out, "</rig>\n");
    wsk_buf_put(&out, "", 1);
    if (out.failed) {
        wsk_buf_free(&out);
        return NULL;
    }
    return out.data;
}
