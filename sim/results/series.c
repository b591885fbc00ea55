/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes series.csv: minimum, mean and maximum of each variable for each interval. */
#include <string.h>

#include "sim/base/number.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/results/results.h"

bool wsk_results_series(const wsk_run *run, wsk_buf *o)
{
    int n = run->variables->n;
    wsk_buf_printf(o, "t_s");
    for (int i = 0; i < n; i++)
        for (int k = 0; k < WSK_STATS; k++)
            wsk_buf_printf(o, ",%s.%s", run->variables->all[i].name, wsk_stat_name((wsk_stat)k));
    wsk_buf_put(o, "\n", 1);
    for (int64_t r = 0; r < run->books->n_buckets; r++) {
        const double *row = wsk_bucket(run, r);
        char t[40];
        wsk_format_number(t, sizeof t, row[0]);
        wsk_buf_put(o, t, strlen(t));
        for (int i = 0; i < n; i++)
            for (int k = 0; k < WSK_STATS; k++) {
                wsk_print_places(t, sizeof t, row[1 + k * n + i], 6);
                wsk_buf_put(o, ",", 1);
                wsk_buf_put(o, t, strlen(t));
            }
        wsk_buf_put(o, "\n", 1);
    }
    return !o->failed;
}
