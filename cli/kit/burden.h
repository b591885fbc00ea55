/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How badly a machine is overloaded. compare, optimise and sweep rank a less overloaded case before a more overloaded
 * one, whatever they cost (docs/theory/money.md). */
#ifndef WSK_CLI_BURDEN_H
#define WSK_CLI_BURDEN_H
#include <stdbool.h>

#include "wattsink.h"

/* OVERLOADS: a PSU, UPS or strip above its rating, or the circuit above its continuous limit. LACKS_MEMORY: the model
 * that the rig serves does not fit into the memory of its cards. STOPS: a PSU or the breaker would trip, or a card or
 * CPU shuts down from heat. */
typedef enum { WSK_CLI_RUNS, WSK_CLI_OVERLOADS, WSK_CLI_LACKS_MEMORY, WSK_CLI_STOPS } wsk_cli_burden;
wsk_cli_burden wsk_cli_burden_by(bool stops, bool lacks_memory, bool overloads);
bool wsk_cli_lacks_memory(const wsk_summary *s);
/* Margin of a case to a burden worse than `most`. Negative: the burden is worse. most WSK_CLI_RUNS: % of the rating
 * that is nearest to being exceeded. most WSK_CLI_OVERLOADS: 100 or -1. NAN: unknown, because the case is a steady
 * state, and trips take time. */
double wsk_cli_burden_margin(const wsk_summary *s, wsk_cli_burden most);

#endif
