/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A power strip between circuit and rig, whose wires and contacts lose power with the square of the current.
 *   P_loss = rated (1/efficiency - 1) x^2, x = P_out/rated.   Theory: docs/theory/power.md */
#include "sim/net/feed.h"

#define P wsk_feed_params
static const wsk_param params[] = {
    WSK_NUM(P, rated_w, "rated", WSK_DIM_POWER, NULL, 1, 1e7, WSK_REQUIRED, "rated load"),
    WSK_ASSUME(P, eff_full, "efficiency", WSK_DIM_FRACTION, "99 %", 0.5, 1, 0, "output over input at rated load",
               "contacts and 2 m of cord: 98-99.5 %"),
    WSK_PRICE_ROWS(P, NULL, 1e6, "purchase price"),
    {.name = NULL}};

static double loss_w(const wsk_feed_params *pdu, double output_w)
{
    return (1 / pdu->eff_full - 1) * output_w * output_w / pdu->rated_w;
}

static const wsk_feed_ops ops = {.loss_w = loss_w};
const wsk_kind wsk_pdu_strip = {.element = "pdu",
                                .name = "strip",
                                .is_default = true,
                                .help = "power strip before the rig",
                                .size = sizeof(P),
                                .params = params,
                                .ops = &ops};
