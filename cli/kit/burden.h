/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The burden of a case: how badly its machine is overloaded. compare, optimise and sweep rank a case with less burden
 * before one with more, whatever they cost (docs/theory/money.md). */
#ifndef WSK_CLI_BURDEN_H
#define WSK_CLI_BURDEN_H
#include <stdbool.h>

#include "wattsink.h"

/* From none (RUNS) to the worst. OVERLOADS: a PSU, UPS or strip above its rating, or the circuit above its continuous
 * limit. LACKS_MEMORY: the language model that the rig serves does not fit into the memory of its cards. STOPS: a PSU
 * or the breaker may trip, or a card or CPU shuts down from heat. */
typedef enum { WSK_CLI_RUNS, WSK_CLI_OVERLOADS, WSK_CLI_LACKS_MEMORY, WSK_CLI_STOPS } wsk_cli_burden;
wsk_cli_burden wsk_cli_burden_by(bool stops, bool lacks_memory, bool overloads);
bool wsk_cli_lacks_memory(const wsk_summary *s);
/* Margin, %, of a case to a burden worse than `most`. Negative: the burden is worse. most WSK_CLI_RUNS: distance to the
 * rating that is nearest to being exceeded, % of that rating. Any other `most`: 100 or -1, or NAN (unknown) for a case
 * computed as a steady state, because trips take time. */
double wsk_cli_burden_margin(const wsk_summary *s, wsk_cli_burden most);

#endif
