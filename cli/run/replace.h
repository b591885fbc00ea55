/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of an earlier run in the folder of a new one. */
#ifndef WSK_CLI_REPLACE_H
#define WSK_CLI_REPLACE_H
#include <stdbool.h>

/* Deletes what `plot` and `report` made of the run whose results are in the folder, as these results will be replaced.
 * anew: also deletes the results, which are not of the rig and the events that the new run writes at its start. */
void wsk_run_replaces(const char *dir, bool anew);

#endif
