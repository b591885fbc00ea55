/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_CALIBRATED_H
#define WSK_CALIBRATED_H
#include "sim/io/plan.h"
#include "sim/net/net.h"

/* Message why a card cannot be fitted (public: wsk_calibrate_refusal); NULL: it can be fitted. */
const wsk_said *wsk_calibrate_refuses(const wsk_net *net, const wsk_card *card);
/* Loads the rig again with the fitted values, each with "fitted" as its source. Free *plan with wsk_plan_free. */
wsk_status wsk_calibrated_plan(const wsk_net *net, const wsk_plan_input *input, const wsk_calibrated_card *cards,
                               size_t count, wsk_plan **plan);

#endif
