/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How badly a machine is overloaded. compare, optimise and sweep rank a case that is less overloaded before all others,
 * whatever they cost (docs/theory/money.md). */
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
/* Distance from being worse than `most`, which is WSK_CLI_RUNS or WSK_CLI_OVERLOADS, in % of the rating that is nearest
 * to being exceeded; negative: it is worse. NAN: a steady point does not tell, because trips take time. */
double wsk_cli_burden_margin(const wsk_summary *s, wsk_cli_burden most);

#endif
