/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides a card's board power among memory, board and die, and computes parameters that a card does not state, those
 * of memory from its chips. Theory: docs/theory/card.md */
#include "sim/net/compile.h"

#include <math.h>
#include <string.h>

/* Power of memory at full clock without traffic, divided by its power at full traffic. Assumed:
 * docs/theory/constants.md, "memory without traffic" */
static const double awake_share = 0.2;
/* Share of the bandwidth in use when memory draws its parameter memory-power. Training and games use this share. */
static const double stated_at = 0.5;

/* Kinds of memory; the first kind whose name is the beginning of a card's memory type applies. j_bit: energy per bit
 * moved, in the memory itself; exponent: the power that traffic adds goes as the traffic to this exponent; most_byte:
 * size of the largest chip on cards; 0: the memory is stacked, or no card with it shows the memory temperature.
 * docs/theory/card.md, "Memory" */
static const struct {
    const char *name;
    double j_bit, exponent, most_byte;
} types[] = {{"GDDR5X", 10.5e-12, 1, 0}, {"GDDR5", 14e-12, 1, 0}, {"GDDR6", 7.25e-12, 1, 2e9},
             {"GDDR7", 5e-12, 1, 3e9},   {"HBM2e", 6e-12, 1, 0},  {"HBM3", 5.3e-12, 0.6, 0},
             {"HBM", 3.9e-12, 1, 0}};

static int type_of(const wsk_gpu_params *g)
{
    const int count = (int)(sizeof types / sizeof *types);
    for (int i = 0; g->memory_type && i < count; i++)
        if (strncmp(g->memory_type, types[i].name, strlen(types[i].name)) == 0)
            return i;
    return -1;
}

static double exponent_of(const wsk_gpu_params *g)
{
    const int type = type_of(g);
    return type < 0 ? 1 : types[type].exponent;
}

/* Power that this share of the bandwidth adds to memory, divided by the power that half the bandwidth adds. */
static double added(const wsk_gpu_params *g, double traffic)
{
    return pow(traffic / stated_at, exponent_of(g));
}

/* Memory chips beside the die. A chip has 32 data lines with two bits per clock and line. If one chip could not hold
 * the memory of its 32 lines, two chips share the lines, one on each face of the board. */
typedef struct {
    double count; /* number of chips; 0: not known, or stacks on the die's package */
    double over_k_w;
    int faces;
} memory_chips;

static memory_chips chips_of(const wsk_gpu_params *g)
{
    /* Thermal resistance from the hottest chip to the heatsink by pad and package. early_k_w: of GDDR6X below 20
     * Gbit/s, which comes in chips of 1 GB; behind: factor for chips behind the board, which the backplate cools.
     * Assumed: docs/theory/constants.md, "a memory chip over the heatsink" */
    static const double chip_k_w = 6.5, early_k_w = 9.5, behind = 1.25;
    const int type = type_of(g);
    memory_chips c = {.faces = 1};
    if (type < 0 || types[type].most_byte <= 0 || !(g->memory_byte_s > 0 && g->memory_clock_hz > 0))
        return c;
    const bool early = strcmp(g->memory_type, "GDDR6X") == 0 && g->memory_clock_hz < 10e9;
    const double places = floor(g->memory_byte_s * 8 / (2 * g->memory_clock_hz * 32) + 0.5);
    c.faces = g->memory_byte > 1.1 * (early ? 1e9 : types[type].most_byte) * places ? 2 : 1;
    c.over_k_w = (early ? early_k_w : chip_k_w) * (c.faces == 2 ? behind : 1);
    c.count = places * c.faces;
    return c;
}

static void complete_memory(wsk_gpu_params *g)
{
    const int type = type_of(g);
    const double full = type < 0 ? NAN : types[type].j_bit * 8 * g->memory_byte_s;
    const memory_chips chips = chips_of(g);
    if (isnan(g->memory_w))
        g->memory_w = full > 0 ? full * (1 / added(g, 1) + awake_share / (1 - awake_share)) : 0.12 * g->tdp_w;
    /* With chips on both faces, those behind the board are the hottest, and the sensor shows their temperature. */
    const bool derived = chips.count > 0, behind = chips.faces == 2;
    if (!(g->memory_hot_share > 0))
        g->memory_hot_share = behind ? 0.5 : 1;
    if (isnan(g->memory_heatsink_share))
        g->memory_heatsink_share = behind ? 0.2 : 0.8;
    if (isnan(g->memory_res_k_w))
        g->memory_res_k_w = derived ? chips.over_k_w * chips.faces / chips.count : 0.4;
}

void wsk_gpu_complete(wsk_gpu_params *g)
{
    /* die_k_m2_w: median of seven cards; hotspot_k: from four cards that show the hot spot.
     * docs/theory/card.md, "Magnitudes" */
    static const double die_k_m2_w = 25e-6, hotspot_k = 10;
    g->idle_w = isnan(g->idle_w) ? 0.08 * g->tdp_w : g->idle_w;
    g->leakage_w = isnan(g->leakage_w) ? 0.03 * g->tdp_w : g->leakage_w;
    g->limit_max_w = isnan(g->limit_max_w) ? g->tdp_w : g->limit_max_w;
    g->limit_min_w = isnan(g->limit_min_w) ? wsk_min(0.3 * g->tdp_w, g->limit_max_w) : g->limit_min_w;
    complete_memory(g);
    if (isnan(g->die_res_k_w))
        g->die_res_k_w = g->die_area_m2 > 0 ? die_k_m2_w / g->die_area_m2 : 0.05;
    if (isnan(g->hotspot_offset_k))
        g->hotspot_offset_k = isnan(g->hotspot_res_k_w) ? hotspot_k : 0;
    if (isnan(g->hotspot_res_k_w))
        g->hotspot_res_k_w = 0;
}

/* Prepares the division of board power among memory, board and die. Memory power follows traffic, and traffic
 * follows work, which falls less than the clock. Memory power is therefore two straight lines over board power,
 * which meet at the board power of half the reference clock. If these lines cannot be formed, memory power is one
 * line from idle to tdp. If memory's idle power is not given, its share of board power is the same at idle as at
 * tdp. */
void wsk_divide_power(wsk_card *c)
{
    const wsk_gpu_params *g = c->gpu;
    const wsk_gpu_class *cls = &c->cls;
    const double idle = isnan(g->memory_idle_w) ? g->memory_w / g->tdp_w * g->idle_w : g->memory_idle_w,
                 none = awake_share / (awake_share + (1 - awake_share) / added(g, 1)) * g->memory_w,
                 awake = wsk_max(none, wsk_min(idle, g->memory_w)), over_w = g->memory_w - awake,
                 moved_w = over_w * added(g, cls->traffic * c->ops->perf_rel(cls, cls->ref_clock_hz)),
                 warm_k = 65 + WSK_KELVIN, half_hz = wsk_max(0.5 * cls->ref_clock_hz, g->clock_min_hz),
                 half_w = c->ops->power_w(g, cls, half_hz, warm_k, NULL),
                 ref_w = c->ops->power_w(g, cls, cls->ref_clock_hz, warm_k, NULL);
    c->board_share = g->board_share;
    c->board_fixed_w = g->board_fixed * g->board_share * g->tdp_w;
    c->board_per_w = (1 - g->board_fixed) * g->board_share / g->tdp_w;
    c->die_res_k_w = g->die_res_k_w * g->mount;
    c->memory_idle_w = idle;
    c->memory_awake_w = awake;
    c->memory_traffic_w = over_w * added(g, cls->memory_speed);
    c->memory_exponent = exponent_of(g);
    c->bend_at_w = INFINITY;
    c->memory_per_w = g->tdp_w > g->idle_w ? (awake + moved_w - idle) / (g->tdp_w - g->idle_w) : 0;
    if (!(half_w > g->idle_w + 1 && ref_w > half_w + 1))
        return;
    c->bend_at_w = half_w;
    c->ref_at_w = ref_w;
    c->memory_bend_w = awake + over_w * added(g, cls->traffic * c->ops->perf_rel(cls, half_hz));
    c->memory_per_w = (c->memory_bend_w - idle) / (half_w - g->idle_w);
    c->memory_above_per_w = (awake + moved_w - c->memory_bend_w) / (ref_w - half_w);
}
