/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_ADVICE_H
#define WSK_ADVICE_H
#include "sim/io/plan.h"
#include "sim/net/net.h"

/* Appends one line on the one change that would help most; nothing where none applies. `input` is what the
 * network was read from. */
wsk_status wsk_advise(const wsk_net *net, const wsk_plan_input *input, wsk_buf *out);

#endif
