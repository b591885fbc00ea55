/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes series.csv: minimum, mean and maximum of each variable for each interval. If the run skipped cycles
 * (strides), the columns skipped.* have the share of the interval that was skipped. */
#include <string.h>

#include "sim/base/number.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/results/results.h"
#include "sim/step/stride.h"

/* Adds the statistics of n variables. A value that equals the value before it, as for a variable that did not change,
 * is not formatted again. */
static void put_values(wsk_buf *o, const double *values, int n)
{
    char text[40] = ",";
    int len = 0;
    double last = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < WSK_STATS; k++) {
            const double x = values[k * n + i];
            if (!len || memcmp(&x, &last, sizeof x) != 0)
                len = 1 + wsk_print_places(text + 1, sizeof text - 1, x, 6);
            last = x;
            wsk_buf_put(o, text, (size_t)len);
        }
}

bool wsk_results_series(const wsk_run *run, wsk_buf *o)
{
    int n = run->variables->n;
    wsk_buf_printf(o, "t_s");
    for (int i = 0; i < n; i++)
        for (int k = 0; k < WSK_STATS; k++)
            wsk_buf_printf(o, ",%s.%s", run->variables->all[i].name, wsk_stat_name((wsk_stat)k));
    const bool strides = run->stride && run->stride->head->skips > 0;
    wsk_buf_printf(o, strides ? ",skipped.min,skipped.mean,skipped.max\n" : "\n");
    int64_t before_ns = 0;
    for (int64_t r = 0; r < run->books->n_buckets; r++) {
        const double *row = wsk_bucket(run, r);
        char t[40];
        wsk_format_number(t, sizeof t, row[0]);
        wsk_buf_put(o, t, strlen(t));
        put_values(o, row + 1, n);
        const int64_t end_ns = (int64_t)(row[0] * 1e9 + 0.5);
        if (strides) {
            wsk_print_places(t, sizeof t, wsk_skipped_share(run, before_ns, end_ns), 6);
            wsk_buf_printf(o, ",%s,%s,%s", t, t, t);
        }
        before_ns = end_ns;
        wsk_buf_put(o, "\n", 1);
    }
    return !o->failed;
}
