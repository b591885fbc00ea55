/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_CLI_PLOT_H
#define WSK_CLI_PLOT_H
#include "cli/cli.h"

/* Does the series column belong to the picture? `column` is not ended by a NUL. */
typedef bool wsk_plot_wanted(const void *ctx, const char *column, size_t len);
/* The wanted columns of series.csv in intervals: *csv, and their names, each between spaces, in *names (caller
 * frees both). Returns the interval, s. */
double wsk_plot_data(const char *series, double seconds, wsk_plot_wanted *wanted, const void *ctx, char **csv,
                     char **names);

#endif
