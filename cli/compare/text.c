/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/words.h"
#include "sim/base/said.h"
#include "words/words.h"

enum { EXPLAINED = 4 };

void wsk_cli_limit_inversions(FILE *out, const wsk_cli_case *cases, size_t count, size_t most, char *const *names)
{
    wsk_cli_inversion v = {.loss = INFINITY};
    for (; most > 0 && (v = wsk_cli_find_inversion(cases, count, v.loss)).hi; most--) {
        wsk_cli_say(
            out,
            T_("  %1$s does %2$.*3$f %% less work than %4$s at a higher power limit (%5$.0f W, not %6$.0f W).\n"),
            names[v.hi - cases], 100 * v.loss, v.loss < 0.001 ? 2 : 1, names[v.lo - cases], v.hi->limit_w,
            v.lo->limit_w);
        if (v.locked)
            wsk_cli_say(out, T_("    Reason: its clock is locked at %1$.0f MHz, which no limit raises.\n"),
                        v.hi->lock_mhz);
        else
            fputs(T_("    Reason: the cards are limited by heat, and a higher limit adds heat.\n"), out);
        if (v.band >= v.loss)
            wsk_cli_say(out, T_("    Likely, not certain: the uncertainty is ±%1$.0f %%.\n"), ceil(100 * v.band));
    }
}

static void no_break_even(FILE *out, const wsk_cli_case *c, const wsk_cli_finance *f)
{
    bool unlike = wsk_cli_other_currency(f->cloud_currency, c->currency);
    if (unlike || wsk_cli_other_currency(f->cloud_currency, c->purchase_currency))
        wsk_cli_say(out,
                    T_("no break-even: the own machine is paid in %1$s. --exchange '%2$s=RATE %3$s' converts.\n"),
                    unlike ? c->currency : c->purchase_currency, unlike ? f->cloud_currency : c->purchase_currency,
                    c->currency);
    else if (isnan(c->cloud.own))
        fputs(c->work > 0 ? T_("no break-even: its electricity has no price.\n")
                          : T_("no break-even: no work is counted.\n"),
              out);
    else if (c->cloud.never)
        wsk_cli_say(out, T_("never breaks even: its electricity alone costs %1$.4f %2$s per GPU-hour of work.\n"),
                    c->cloud.own, c->currency);
    else
        fputs(T_("no break-even: its parts have no price.\n"), out);
}

/* Hours of all cards at full throughput whose work the machine does in a year without idle time. Throughput that heat,
 * limits and lost cards take makes them fewer than those of the year. */
static double full_hours_of_year(const wsk_cli_case *c)
{
    const double done = wsk_summary_number(c->summary, WSK_R_WORK, 0),
                 full = wsk_summary_number(c->summary, WSK_R_WORK_UNTHROTTLED, 0) /
                        (1 - wsk_summary_number(c->summary, WSK_R_LOST_TO_LIMIT, 0));
    return WSK_CLI_YEAR_S / 3600 * (done / full > 0 ? done / full : 1);
}

void wsk_cli_cloud_words(FILE *out, const wsk_cli_comparison *all, size_t most, char *const *names)
{
    const wsk_cli_finance *f = &all->finance;
    if (isnan(f->cloud))
        return;
    wsk_cli_say(out,
                all->count > most ? T_("Own machine against cloud at %1$g %2$s per GPU-hour (see the table):\n")
                                  : T_("Own machine against cloud at %1$g %2$s per GPU-hour:\n"),
                f->cloud, f->cloud_currency);
    for (size_t i = 0; i < all->count; i++) {
        const wsk_cli_case *c = &all->cases[i];
        const wsk_cli_cloud *w = &c->cloud;
        if (all->count > most && !isnan(w->gpu_h))
            continue;
        fprintf(out, "  %s: ", names[i]);
        if (isnan(w->gpu_h)) {
            no_break_even(out, c, f);
            continue;
        }
        wsk_cli_say(
            out,
            T_("breaks even after %1$.0f hours of all its cards at full throughput, %2$.1f years at this use.\n"),
            w->hours, w->years_at_this_use);
        const double most_h = full_hours_of_year(c);
        if (w->hours_per_year <= most_h)
            wsk_cli_say(out, T_("    In a %1$d-year period at %2$g %% interest: from %3$.0f such hours a year.\n"),
                        f->years, 100 * f->rate, w->hours_per_year);
        else
            wsk_cli_say(out,
                        T_("    Not in a %1$d-year period at %2$g %% interest: that would take %3$.0f such hours a "
                           "year; a year at the throughput of its cards has %4$.0f.\n"),
                        f->years, 100 * f->rate, w->hours_per_year, most_h);
    }
}

/* Energy that the meter counts in a year, kWh, including that of the air conditioner. */
static double metered_kwh(const wsk_cli_case *c)
{
    const double cooling = wsk_summary_number(c->summary, WSK_R_ROOM_COOLING_KWH, 0);
    return (c->wall_kwh + (cooling > 0 ? cooling : 0)) * wsk_cli_per(c, true);
}

/* Explains the saving between two PSUs of constant efficiency. Often the difference of the efficiencies times the load
 * is quoted, but the saving at the wall is load x (1/e1 - 1/e2). `price` is the money saved per kWh saved, which
 * standing charges, blocks and feed-in make different from the mean price. Prints nothing if the meter also saves other
 * energy than PSU losses. */
static void efficiency_words(FILE *out, const wsk_cli_case *a, const wsk_cli_case *b)
{
    double ea = wsk_summary_number(a->summary, WSK_R_PSU_EFFICIENCY, 0);
    double eb = wsk_summary_number(b->summary, WSK_R_PSU_EFFICIENCY, 0);
    double dc = wsk_summary_number(a->summary, WSK_R_DC_KWH, 0), per = wsk_cli_per(a, true);
    if (!a->constant_psu || !b->constant_psu || !(fabs(ea - eb) > 1e-4) || !(dc > 0) ||
        wsk_cli_other_currency(a->currency, b->currency) ||
        fabs(wsk_summary_number(b->summary, WSK_R_DC_KWH, 0) * wsk_cli_per(b, true) - dc * per) > 1e-3 * dc * per)
        return;
    double lo = fmin(ea, eb), hi = fmax(ea, eb);
    double shortcut = (hi - lo) * dc * per, truth = (1 / lo - 1 / hi) * dc * per,
           less = metered_kwh(a) - metered_kwh(b);
    double saved = a->cost * per - b->cost * wsk_cli_per(b, true), price = fabs(saved) / truth;
    if (!(fabs(fabs(less) - truth) <= 0.01 * truth) || !(saved * less > 0) || fabs(saved) < 0.005)
        return;
    /* peak: highest output of the PSU, W, taken as its output while the load is on. duty: share of the time in which
     * the load is on; 1 for a constant load. */
    double peak =
        wsk_summary_number(a->summary, WSK_R_PSU_LOAD_PEAK, 0) * wsk_summary_number(a->summary, WSK_R_PSU_RATED, 0);
    double duty = dc * WSK_CLI_KWH_J / (peak * a->simulated_s);
    wsk_cli_say(out, T_("Why %1$.2f and not %2$.2f %3$s a year:\n"), truth * price, shortcut * price, a->currency);
    if (peak > 0 && duty < 1.001) {
        wsk_cli_say(out,
                    T_("  Shortcut: the difference of the efficiencies times the load:\n"
                       "    (%1$.2f - %2$.2f) x %3$.0f W x %4$.0f %% of the year x %5$.2f %6$s/kWh = %7$.2f %6$s.\n"),
                    hi, lo, peak, 100 * duty, price, a->currency, shortcut * price);
        wsk_cli_say(out,
                    T_("  But the load is the output of the PSU, and the meter counts its input:\n"
                       "    %1$.0f W/%2$.2f - %1$.0f W/%3$.2f = %4$.0f W less at the wall: %5$.2f %6$s.\n"),
                    peak, lo, hi, peak / lo - peak / hi, truth * price, a->currency);
    } else {
        wsk_cli_say(
            out,
            T_("  Shortcut: the difference of the efficiencies times the load, (%1$.2f - %2$.2f) x %3$.1f kWh.\n"
               "  But the meter counts the input of the PSU: %3$.1f/%2$.2f - %3$.1f/%1$.2f = %4$.1f kWh.\n"),
            hi, lo, dc * per, truth);
    }
}

static char *say_simulated(const wsk_cli_case *c, bool annual)
{
    (void)annual;
    char time[32];
    wsk_cli_duration(time, c->simulated_s);
    return wsk_cli_format("%s", time);
}

/* NULL: the case has no tariff. */
static char *say_cost(const wsk_cli_case *c, bool annual)
{
    return isnan(c->cost) ? NULL : wsk_cli_format("%.2f %s", c->cost * wsk_cli_per(c, annual), c->currency);
}

static char *list_first(const wsk_cli_common *all, char *(*say)(const wsk_cli_case *c, bool annual))
{
    char *items[EXPLAINED + 1] = {NULL};
    size_t n = 0;
    for (size_t i = 0; i < all->count && n <= EXPLAINED; i++)
        n += (items[n] = say(&all->cases[i], all->annual)) != NULL;
    if (n > EXPLAINED) {
        free(items[EXPLAINED]);
        items[EXPLAINED] = wsk_cli_format("...");
    }
    char *list = wsk_cli_join((const char *const *)items, n);
    while (n > 0)
        free(items[--n]);
    return list;
}

static void unequal_times(FILE *out, const wsk_cli_common *all)
{
    char *times = list_first(all, say_simulated);
    wsk_cli_say(out,
                T_("The cases have different durations (%1$s): totals are not compared. --annual compares them per "
                   "year.\n"),
                times);
    free(times);
}

static void unlike_currencies(FILE *out, const wsk_cli_common *all)
{
    char *costs = list_first(all, say_cost);
    wsk_cli_say(out,
                all->annual ? T_("Electricity is paid in different currencies: %1$s a year.\n")
                : all->time ? T_("Electricity is paid in different currencies: %1$s.\n")
                            : T_("Electricity is paid in different currencies: %1$s, each over its own duration.\n"),
                costs);
    free(costs);
    const wsk_cli_case *first = all->cases;
    for (size_t i = 1; i < all->count; i++)
        if (wsk_cli_other_currency(all->cases[i].currency, first->currency)) {
            wsk_cli_say(out, T_("--exchange '%1$s=RATE %2$s' converts.\n"), all->cases[i].currency, first->currency);
            break;
        }
}

void wsk_cli_mixed_words(FILE *out, const wsk_cli_common *all, bool payback)
{
    if (!all->time)
        unequal_times(out, all);
    if (!all->run)
        unlike_currencies(out, all);
    size_t mixed = 0;
    for (size_t i = 0; i < all->count; i++)
        mixed += all->cases[i].mixed_purchase;
    for (size_t i = 0; i < all->count && mixed < all->count; i++)
        if (all->cases[i].mixed_purchase)
            wsk_cli_say(out,
                        T_("The parts of %1$s are priced in several currencies: no purchase, no \"all in\". "
                           "--exchange converts "
                           "them, as in --exchange 'EUR=1.1 USD'.\n"),
                        all->names[i]);
    if (!all->buy || mixed == all->count)
        fputs(T_("The parts are priced in different currencies. --exchange converts them, as in --exchange 'EUR=1.1 "
                 "USD'.\n"),
              out);
    else if (all->run && !wsk_cli_one_money(all))
        wsk_cli_say(
            out,
            payback
                ? T_("Electricity is paid in %1$s and the parts in %2$s: no payback. --exchange '%2$s=RATE %1$s' "
                     "converts.\n")
                : T_("Electricity is paid in %1$s and the parts in %2$s: no \"all in\". --exchange '%2$s=RATE %1$s' "
                     "converts.\n"),
            all->run, all->buy);
}

static void unpriced_words(FILE *out, const wsk_cli_common *all, bool unlike)
{
    bool lacking = false, none = true;
    for (size_t i = 0; i < all->count; i++)
        none = none && isnan(all->cases[i].purchase) && !all->cases[i].mixed_purchase;
    for (size_t i = 0; i < all->count && all->buy; i++) {
        const wsk_cli_case *c = &all->cases[i];
        bool every = true;
        lacking |= unlike && c->unpriced && !isnan(c->purchase);
        for (size_t k = 0; k < all->count; k++)
            every = every && c->unpriced && all->cases[k].unpriced && !strcmp(all->cases[k].unpriced, c->unpriced);
        if (every && i == 0 && none)
            fputs(T_("No purchase, no payback: no part has a price=\"...\".\n"), out);
        else if (every && i == 0)
            wsk_cli_say(out, T_("The purchase lacks parts without a price=\"...\": %1$s.\n"), c->unpriced);
        else if (c->unpriced && !every)
            wsk_cli_say(out, T_("The purchase of %1$s lacks parts without a price=\"...\": %2$s.\n"), all->names[i],
                        c->unpriced);
    }
    if (lacking)
        fputs(T_(">: the purchase is higher than this number.\n"), out);
}

static void legend(FILE *out, const wsk_cli_common *all)
{
    bool priced = false, bought = false, spread = false, unlike = false;
    for (size_t i = 0; i < all->count; i++) {
        unlike |= !all->cases[i].same_unpriced;
        priced |= fabs(all->cases[i].purchase - all->cases[0].purchase) >= 0.5 && !isnan(all->cases[i].npv);
        bought |= !isnan(all->cases[i].all_in) && !isnan(wsk_cli_work_rate(all, &all->cases[i]));
        spread |= all->cases[i].spread_known;
    }
    unpriced_words(out, all, unlike);
    if (spread)
        wsk_cli_band_words(out);
    wsk_cli_notice_words(out, all);
    if (priced && wsk_cli_one_money(all))
        wsk_cli_say(out,
                    T_("Payback and NPV (net present value of a %1$d-year period at %2$g %% interest): compared with "
                       "%3$s.\n"),
                    all->f->years, 100 * all->f->rate, all->names[0]);
    if (bought && wsk_cli_one_money(all))
        wsk_cli_all_in_words(out, all->f);
}

void wsk_cli_band_words(FILE *out)
{
    fputs(T_("±: one standard deviation (-2/+1: downwards and upwards), from 80 PLUS ratings and assumed inputs; "
             "errors that all cases share cancel.\n"),
          out);
}

void wsk_cli_all_in_words(FILE *out, const wsk_cli_finance *f)
{
    wsk_cli_say(out,
                T_("All in: electricity, and the purchase spread over a %1$d-year period at %2$g %% interest.\n"),
                f->years, 100 * f->rate);
}

void wsk_cli_headline(FILE *out, const wsk_cli_comparison *all)
{
    bool year = all->annual, same = wsk_cli_same_time(all->cases, all->count);
    char time[32];
    wsk_cli_duration(time, all->cases[0].simulated_s);
    for (size_t i = 0; i < all->count; i++)
        year = year && all->cases[i].simulated_s >= WSK_CLI_YEAR_S;
    if (year)
        fputs(T_("Per year of 365 days, simulated.\n\n"), out);
    else if (all->annual && same)
        wsk_cli_say(out, T_("Per year of 365 days: %1$s simulated, repeated.\n\n"), time);
    else if (all->annual)
        fputs(T_("Per year of 365 days: the simulated time of each case, repeated.\n\n"), out);
    else if (same)
        wsk_cli_say(out, T_("Over %1$s.\n\n"), time);
}

static void in_words(FILE *out, const wsk_cli_common *all)
{
    wsk_cli_mixed_words(out, all, true);
    legend(out, all);
    if (all->count <= EXPLAINED) {
        char *words = NULL;
        size_t len = 0;
        FILE *text = wsk_cli_text(&words, &len);
        for (size_t i = 1; i < all->count; i++)
            wsk_cli_difference_words(text, all, &all->cases[0], &all->cases[i]);
        if (fclose(text) == 0 && len)
            wsk_cli_say(out, T_("What differs:\n%1$s"), words);
        free(words);
    }
    if (all->time)
        wsk_cli_limit_inversions(out, all->cases, all->count, EXPLAINED, all->names);
    for (size_t i = 1; i < all->count && all->count <= EXPLAINED && all->run && all->time; i++)
        efficiency_words(out, &all->cases[0], &all->cases[i]);
    wsk_cli_cloud_words(out, all->all, EXPLAINED, all->names);
    wsk_cli_put_verdict(out, all);
}

void wsk_cli_compare_text(FILE *out, const wsk_cli_comparison *c)
{
    char *head, **names = wsk_cli_name_cases(c, &head), *text = NULL;
    size_t len;
    const wsk_cli_common all = wsk_cli_common_of(c, names);
    wsk_cli_headline(out, c);
    wsk_cli_compare_table(out, c, names, head);
    fputc('\n', out);
    FILE *words = wsk_cli_text(&text, &len);
    in_words(words, &all);
    (void)fclose(words);
    wsk_cli_wrap(out, text, wsk_cli_page(out, WSK_CLI_PAGE));
    free(text);
    wsk_cli_names_free(names, c->count, head);
}
