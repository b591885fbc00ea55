/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the rows whose values a skipped row of the series gets: docs/theory/time.md, "Strides". */
#include <math.h>

#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/step/alike.h"
#include "sim/step/stride.h"

double wsk_skipped_share(const wsk_run *run, int64_t from_ns, int64_t to_ns)
{
    int64_t sum = 0;
    for (int64_t i = 0; run->stride && i < run->stride->head->skips; i++) {
        const int64_t a = run->stride->head->skip_from_ns[i], b = run->stride->head->skip_to_ns[i];
        const int64_t from = a > from_ns ? a : from_ns, to = b < to_ns ? b : to_ns;
        sum += to > from ? to - from : 0;
    }
    return to_ns > from_ns ? (double)sum / (double)(to_ns - from_ns) : 0;
}

static int64_t row_ns_of(const wsk_run *run)
{
    return run->observer->bucket_ticks * run->tick_ns;
}

/* Start of the first cycle in the library, which is emptied when a part fails. In rows before it a part may have worked
 * that has failed since. */
static int64_t find_oldest(const wsk_stride *s)
{
    int64_t oldest = s->head->count > 0 ? s->starts[0] : 0;
    for (int64_t i = 1; i < s->head->count; i++)
        oldest = s->starts[i] < oldest ? s->starts[i] : oldest;
    return oldest;
}

/* How unlike the rows at at_ns are, as a share of a row: by how much they begin at another time of the cycle; more in a
 * row of which a part was skipped, and most in rows from before the library. */
static double find_unlike(const wsk_run *run, int64_t at_ns, int64_t first_row, wsk_likeness *like)
{
    const double worse = 0.25, foreign = 1;
    const int64_t row_ns = row_ns_of(run), row = at_ns / row_ns;
    const double late = (double)(at_ns - row * row_ns) / (double)row_ns;
    const bool blend = late > 0.02 && late < 0.98 && row + 1 < first_row;
    *like = blend ? (wsk_likeness){row, late} : (wsk_likeness){row + (late > 0.5), 0};
    if (like->row >= first_row)
        return INFINITY;
    const int64_t from_ns = like->row * row_ns, to_ns = from_ns + (like->next > 0 ? 2 : 1) * row_ns;
    const double part = wsk_skipped_share(run, from_ns, to_ns);
    return wsk_min(late, 1 - late) + (part > 0 && part < 1 ? worse : 0) +
           (from_ns < find_oldest(run->stride) ? foreign : 0);
}

/* Under weather (outdoor air from a file): the row at the same time in the cycle of the library whose weather is most
 * alike. Otherwise the latest rows, but earlier ones if these are less unlike. */
wsk_likeness wsk_like_rows(const wsk_run *run, int64_t row, int64_t first_row, int64_t alike_ns)
{
    enum { CYCLES = 64 };      /* that are tried; periods of rows and cycles rarely meet later */
    const double close = 0.02; /* unlikeness that does not count */
    const wsk_cycle *c = &run->stride->cycle;
    const int64_t row_ns = row_ns_of(run), middle = row * row_ns + row_ns / 2,
                  since = (middle - c->anchor_ns) % c->length_ns;
    if (c->weather)
        return (wsk_likeness){(wsk_like_weather(run, middle - since) + since) / row_ns, 0};
    const int64_t first = (row - first_row + 1) * row_ns / alike_ns;
    wsk_likeness best = {first_row, 0};
    double least = INFINITY;
    for (int64_t back = first > 0 ? first : 1;
         least > close && back < first + CYCLES && back * alike_ns <= row * row_ns; back++) {
        wsk_likeness like;
        const double unlike = find_unlike(run, row * row_ns - back * alike_ns, first_row, &like);
        best = unlike < least ? like : best;
        least = wsk_min(unlike, least);
    }
    if (c->by_clock) { /* clocks may have been set between the two rows: their times of the day must be the same */
        int64_t until_ns;
        const double by_s = wsk_start_civil_s(run->net, middle, &until_ns) -
                            wsk_start_civil_s(run->net, best.row * row_ns, &until_ns);
        const int64_t set = best.row + (int64_t)(by_s * 1e9) / row_ns;
        best.row = set + (best.next > 0) < first_row ? set : best.row;
    }
    return best.row < 0 ? (wsk_likeness){first_row, 0} : best;
}

double wsk_like_value(const wsk_run *run, wsk_likeness like, wsk_stat stat, int i)
{
    const int at = 1 + (int)stat * run->variables->n + i;
    const double a = wsk_bucket(run, like.row)[at], b = like.next > 0 ? wsk_bucket(run, like.row + 1)[at] : a;
    return stat == WSK_STAT_MIN ? wsk_min(a, b) : stat == WSK_STAT_MAX ? wsk_max(a, b) : a + like.next * (b - a);
}
