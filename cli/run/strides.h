/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_CLI_RUN_STRIDES_H
#define WSK_CLI_RUN_STRIDES_H
#include "wattsink.h"

/* Prints the page of results, the number of load cycles that --leap skipped with the errors that this may cause, and
 * the folder of the result files. */
void wsk_print_page(const wsk_run *run, const char *page, const char *dir);

#endif
