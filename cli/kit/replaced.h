/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders in which a run that replaces the results of another rig has not ended. */
#ifndef WSK_CLI_REPLACED_H
#define WSK_CLI_REPLACED_H
#include <stdbool.h>

#include "wattsink.h"

/* A run writes rig.resolved.xml when it begins, and summary.json when it ends. True if `xml`, that rig, has another
 * digest than the summary of the folder `dir`; prints a message. */
bool wsk_cli_half_replaced(const char *dir, const char *xml, const wsk_summary *summary);

#endif
