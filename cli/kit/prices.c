/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/kit/cli.h"
#include "sim/base/base.h"

/* The current time in seconds since 1970. SOURCE_DATE_EPOCH replaces it, so that outputs can be reproduced. */
static double now_s(void)
{
    const char *fixed = getenv("SOURCE_DATE_EPOCH"), *end;
    double s;
    return fixed && wsk_parse_number(fixed, &end, &s) ? s : (double)time(NULL);
}

/* True if an earlier rig, or an earlier element of rigs[in], has the same part, so that the part's price is already
 * counted. */
static bool seen(const wsk_elements *const *rigs, size_t in, int at)
{
    const char *part = rigs[in]->items[at].part;
    for (size_t r = 0; part && r <= in; r++)
        for (int e = 0; e < (r < in ? rigs[r]->count : at); e++)
            if (rigs[r]->items[e].part && strcmp(rigs[r]->items[e].part, part) == 0)
                return true;
    return false;
}

typedef struct {
    int all, old, undated;
    int64_t oldest;
    char part[80];
} ages;

static void count_age(ages *a, const wsk_elements *rig, int e, double now)
{
    const double year_s = 365.25 * 86400;
    const char *text = wsk_elements_text(rig, e, "price-date");
    int64_t day = INT64_MAX;
    bool dated = text && wsk_parse_datetime(text, &day);
    a->all++;
    a->undated += !dated;
    a->old += dated && (double)day < now - year_s;
    if (day < a->oldest) {
        a->oldest = day;
        snprintf(a->part, sizeof a->part, "%s", rig->items[e].part ? rig->items[e].part : rig->items[e].id);
    }
}

void wsk_cli_tell_prices(const wsk_rig *const *rigs, size_t count)
{
    const wsk_elements **lists = wsk_cli_alloc(count * sizeof *lists);
    ages a = {.oldest = INT64_MAX};
    double now = now_s();
    char date[24];
    size_t n = 0;
    for (size_t r = 0; r < count; r++) {
        if (!rigs[r] || wsk_rig_elements(rigs[r], &lists[n]) != WSK_OK)
            continue;
        for (int e = 0; e < lists[n]->count; e++)
            if (lists[n]->items[e].traits & WSK_TRAIT_BOUGHT && wsk_elements_number(lists[n], e, "price") > 0 &&
                !seen(lists, n, e))
                count_age(&a, lists[n], e, now);
        n++;
    }
    if (a.old) {
        wsk_format_datetime(date, a.oldest);
        date[7] = '\0'; /* cuts the date after the month */
        char *text =
            wsk_cli_format(T_("prices older than a year: %1$d of %2$d (oldest: %3$s, %4$s), without a date: %5$d; "
                              "--prices FILE gives newer ones"),
                           a.old, a.all, a.part, date, a.undated);
        fprintf(stderr, "%s%s\n", T_("advice: "), text);
        free(text);
    }
    while (n > 0)
        wsk_elements_free(lists[--n]);
    free(lists);
}
