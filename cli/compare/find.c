/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "cli/compare/words.h"

wsk_cli_payback wsk_cli_find_payback(const wsk_cli_common *all, const wsk_cli_case *a, const wsk_cli_case *b)
{
    double saved = a->annual - b->annual, dearer = b->purchase - a->purchase;
    double band = wsk_cli_band_between(a, b, WSK_CLI_BY_ANNUAL, all->f, NULL);
    wsk_cli_payback p = {.years = b->payback_years};
    if (!b->same_unpriced && all->buy && !isnan(dearer)) {
        p.kind = WSK_CLI_UNPRICED;
        p.who = b->unpriced ? b : a;
    } else if (b->other_work && fabs(dearer) >= 0.5 && wsk_cli_one_money(all)) {
        /* A case that does less work costs less electricity, which is no return on the purchase. */
        bool both = a->work > 0 && b->work > 0;
        p.work = wsk_cli_work_rate(all, b) / wsk_cli_work_rate(all, a) - 1;
        p.kind = !both ? WSK_CLI_OTHER_LOAD : isnan(p.work) ? WSK_CLI_UNKNOWN_WORK : WSK_CLI_OTHER_WORK;
    } else if (!isnan(p.years)) {
        p.kind = band >= saved ? WSK_CLI_MAY_NEVER : band > 0.02 * saved ? WSK_CLI_PAYS_BAND : WSK_CLI_PAYS;
        p.soonest = dearer / (saved + band);
        p.latest = dearer / (saved - band);
    }
    return p;
}

static double rate_of(const wsk_cli_case *c)
{
    return c->work / c->simulated_s;
}

/* True if heat explains why `hi` does less work than `lo`: hi loses a larger share of its work to heat, and if neither
 * lost work to heat, hi would do at least 99.8 % of the work of lo. */
static bool by_heat(const wsk_cli_case *hi, const wsk_cli_case *lo)
{
    double lost_hi = wsk_summary_number(hi->summary, WSK_R_LOST, 0),
           lost_lo = wsk_summary_number(lo->summary, WSK_R_LOST, 0);
    return lost_hi > 1e-4 && lost_hi > lost_lo &&
           rate_of(hi) / (1 - lost_hi) >= rate_of(lo) / (1 - lost_lo) * (1 - 2e-3);
}

static bool by_lock(const wsk_cli_case *hi, const wsk_cli_case *lo)
{
    return hi->lock_mhz > 0 && !(lo->lock_mhz <= hi->lock_mhz);
}

static const wsk_cli_case *better_with_less(const wsk_cli_case *cases, size_t count, const wsk_cli_case *hi)
{
    const wsk_cli_case *best = NULL;
    for (size_t k = 0; k < count; k++) {
        const wsk_cli_case *lo = &cases[k];
        if (lo->limit_w < hi->limit_w * (1 - 1e-9) && lo->work > 0 && rate_of(hi) < rate_of(lo) * (1 - 1e-4) &&
            !strcmp(lo->cards, hi->cards) && (by_lock(hi, lo) || by_heat(hi, lo)) &&
            wsk_summary_count(lo->summary, WSK_SCOPE_GPU) == wsk_summary_count(hi->summary, WSK_SCOPE_GPU) &&
            (!best || rate_of(lo) > rate_of(best)))
            best = lo;
    }
    return best;
}

/* A card that is limited by heat can do less work at a higher power limit. */
wsk_cli_inversion wsk_cli_find_inversion(const wsk_cli_case *cases, size_t count, double below)
{
    const wsk_cli_finance any = WSK_CLI_FINANCE; /* the uncertainty of work does not depend on interest and years */
    wsk_cli_inversion found = {.loss = 0};
    for (size_t i = 0; i < count; i++) {
        const wsk_cli_case *best = better_with_less(cases, count, &cases[i]);
        double loss = best ? 1 - rate_of(&cases[i]) / rate_of(best) : 0;
        if (loss > found.loss && loss < below)
            found = (wsk_cli_inversion){.hi = &cases[i], .lo = best, .loss = loss};
    }
    if (found.hi) {
        found.band = wsk_cli_band_ratio(found.lo, found.hi, WSK_CLI_BY_WORK, &any);
        found.locked = by_lock(found.hi, found.lo);
    }
    return found;
}
