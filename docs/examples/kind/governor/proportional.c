/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Example of a user's own kind: a governor that lowers the clock in proportion to temperature, slope x (die - from),
 * instead of step by step at a target. A file at models/ELEMENT/KIND.c is a kind; no other file names it. In a copy
 * of the source:
 *
 *     cp docs/examples/kind/governor/proportional.c models/governor/
 *     make
 *     build/wattsink kinds governor
 *
 * In a rig it acts together with the card's other governors; the lowest clock limit wins:
 *
 *     <gpu part="gpu/rtx-3090-blower" slot="1"><governor kind="proportional" from="55 degC" slope="40 MHz/K"/></gpu> */
#include "sim/net/governor_table.h"

/* The parameters that every governor has come first, because the engine reads the period from them. */
typedef struct {
    wsk_governor_params base;
    double from_k, slope_hz_k;
} proportional;

/* One table drives parsing, units, checks, `wattsink kinds` and the schema. Values inside are SI. */
static const wsk_param params[] = {
    WSK_NUM(proportional, base.period_s, "period", WSK_DIM_TIME, "1 s", 0.01, 600, 0, "time between two decisions"),
    WSK_NUM(proportional, from_k, "from", WSK_DIM_TEMPERATURE, "60 degC", 273.15, 400, 0,
            "die temperature it begins at"),
    WSK_NUM(proportional, slope_hz_k, "slope", WSK_DIM_FREQ_PER_K, NULL, 0, 1e9, WSK_REQUIRED,
            "clock taken per kelvin"),
    {.name = NULL}};

/* All memory of the governor is in *state, which a checkpoint saves. */
static void next(const wsk_governor_params *governor, const wsk_gpu_params *gpu, wsk_governor_state *state,
                 const wsk_governor_input *in)
{
    const proportional *p = (const proportional *)governor;
    double over_k = in->die_k > p->from_k ? in->die_k - p->from_k : 0;
    double cap_hz = wsk_governor_top_hz(gpu) - p->slope_hz_k * over_k;
    state->cap_hz = cap_hz > gpu->clock_min_hz ? cap_hz : gpu->clock_min_hz;
}

/* While the die is below `from`, this governor does nothing. While all governors of a card are at rest, the engine does
 * not evaluate them. */
static wsk_governor_rest rest(const wsk_governor_params *governor, const wsk_gpu_params *gpu,
                              const wsk_governor_state *state, const wsk_governor_input *in)
{
    return wsk_governor_free_rest(gpu, state, in->die_k - ((const proportional *)governor)->from_k);
}

static const wsk_governor_ops ops = {
    .next = next, .rest = rest, .reason = "sw_thermal_slowdown", .cause = WSK_REASON_THERMAL};
const wsk_kind wsk_governor_proportional = {.element = "governor",
                                            .name = "proportional",
                                            .is_default = false,
                                            .help = "takes clock in proportion to the die's temperature",
                                            .size = sizeof(proportional),
                                            .params = params,
                                            .ops = &ops};
