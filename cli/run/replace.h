/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of an earlier run in the folder of a new one. */
#ifndef WSK_CLI_REPLACE_H
#define WSK_CLI_REPLACE_H

/* Deletes what `plot` and `report` made of the run whose results are in the folder. Call it before other results
 * replace them. */
void wsk_run_replaces(const char *dir);

#endif
