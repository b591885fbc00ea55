/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_ADVICE_H
#define WSK_ADVICE_H
#include "sim/io/plan.h"
#include "sim/run/run.h"

/* Appends one line on the one change that would help most; nothing where none applies. `input` is what the
 * network was read from. `run`: a run of it, whose loads count where they are above those of the steady point; or NULL. */
wsk_status wsk_advise(const wsk_net *net, const wsk_run *run, const wsk_plan_input *input, wsk_buf *out);

#endif
