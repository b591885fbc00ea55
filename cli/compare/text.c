/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison in words: what differs, why, and which case wins, as far as what is not known well allows to say. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/words.h"

#define KWH_J 3.6e6
#define YEAR_S (365 * 86400.0)
enum { EXPLAINED = 4 }; /* more cases than these are not told one by one: the table has them */

static bool same_time(const wsk_cli_case *cases, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (fabs(cases[i].simulated_s - cases[0].simulated_s) > 1e-6)
            return false;
    return true;
}

static double per_of(const wsk_cli_case *c, bool annual)
{
    return annual ? YEAR_S / c->simulated_s : 1;
}

/* The difference of two cases and, where it is known, what is open of it: "31.43 +-3 USD". */
static void put_difference(char out[48], const wsk_cli_case *a, const wsk_cli_case *b, wsk_cli_measure by,
                           const wsk_cli_finance *f, double per_a, double per_b, int digits)
{
    double d = wsk_cli_measured(b, by) * per_b - wsk_cli_measured(a, by) * per_a;
    wsk_cli_put_band(out, fabs(d), wsk_cli_band_between(a, b, by, f, NULL) * per_a, digits);
}

/* ---- what differs ---- */

static void energy_words(FILE *out, const wsk_cli_common *all, const wsk_cli_case *a, const wsk_cli_case *b)
{
    double whole = a->wall_kwh * per_of(a, all->annual);
    const char *sep = "    ";
    int finer = wsk_cli_finer(all->all);
    for (int k = 0; k < WSK_CLI_CATEGORIES; k++) {
        double mine = wsk_cli_category_kwh(b->summary, (wsk_cli_category)k),
               its = wsk_cli_category_kwh(a->summary, (wsk_cli_category)k);
        double d =
            (isnan(mine) ? 0 : mine) * per_of(b, all->annual) - (isnan(its) ? 0 : its) * per_of(a, all->annual);
        if (fabs(d) < 0.05 * pow(10, -finer) || fabs(d) < 1e-4 * whole)
            continue;
        fprintf(out, "%s%.*f kWh %s %s", sep, 1 + finer, fabs(d), d < 0 ? "less" : "more",
                wsk_result_about(wsk_cli_category_result((wsk_cli_category)k))->label);
        sep = ", ";
    }
    fputs(*sep == ',' ? ".\n" : "", out);
}

/* What is saved by not working is no return on a price. */
static void other_work(FILE *out, const wsk_cli_common *all, const wsk_cli_case *a, const wsk_cli_case *b)
{
    double by = wsk_cli_work_rate(all, b) / wsk_cli_work_rate(all, a) - 1;
    if (a->work > 0 && b->work > 0 && !isnan(by))
        fprintf(out, "    No payback: it does %.3g %% %s work, and \"all in\" is what compares them.\n",
                100 * fabs(by), by < 0 ? "less" : "more");
    else
        fputs(a->work > 0 && b->work > 0 ? "    No payback: it is not known whether it does the same work.\n"
                                         : "    No payback: it does not do the same.\n",
              out);
}

static void payback_words(FILE *out, const wsk_cli_common *all, const wsk_cli_case *a, const wsk_cli_case *b)
{
    double saved = a->annual - b->annual, dearer = b->purchase - a->purchase;
    double band = wsk_cli_band_between(a, b, WSK_CLI_BY_ANNUAL, all->f, NULL);
    if (!b->same_unpriced && all->buy && !isnan(dearer)) {
        const wsk_cli_case *who = b->unpriced ? b : a;
        fprintf(out, "    No payback: of %s, %s ha%s no price.\n", wsk_cli_name_of(all, who), who->unpriced,
                strchr(who->unpriced, ',') ? "ve" : "s");
        return;
    }
    if (b->other_work && fabs(dearer) >= 0.5 && wsk_cli_one_money(all)) {
        other_work(out, all, a, b);
        return;
    }
    if (isnan(b->payback_years))
        return;
    if (band >= saved)
        fprintf(out,
                "    It may never pay back: %.1f years for the saving as computed, which is no larger than what is "
                "open of it.\n",
                b->payback_years);
    else if (band > 0.02 * saved)
        fprintf(out, "    Paid back after %.1f years (%.1f to %.1f with what is open of the saving).\n",
                b->payback_years, dearer / (saved + band), dearer / (saved - band));
    else
        fprintf(out, "    Paid back after %.1f years.\n", b->payback_years);
}

static void cost_words(FILE *out, const wsk_cli_common *all, const wsk_cli_case *a, const wsk_cli_case *b)
{
    double dcost = all->run ? b->cost * per_of(b, all->annual) - a->cost * per_of(a, all->annual) : NAN;
    double dprice = all->buy && b->same_unpriced ? b->purchase - a->purchase : NAN;
    bool priced = fabs(dprice) >= 0.5;
    char text[48];
    if (isnan(dcost) && !priced)
        return;
    int finer = wsk_cli_finer(all->all);
    if (fabs(dcost) < 0.005 * pow(10, -finer)) {
        fprintf(out, "    %s costs the same to run", wsk_cli_name_of(all, b));
    } else if (!isnan(dcost)) {
        put_difference(text, a, b, WSK_CLI_BY_COST, all->f, per_of(a, all->annual), per_of(b, all->annual),
                       2 + finer);
        fprintf(out, "    %s costs %s %s %s to run%s", wsk_cli_name_of(all, b), text, all->run,
                dcost < 0 ? "less" : "more", all->annual ? ", a year" : "");
    }
    if (priced)
        fprintf(out, "%s %.0f %s %s to buy", isnan(dcost) ? "    It costs" : ", and", fabs(dprice),
                *all->buy ? all->buy : b->currency, dprice < 0 ? "less" : "more");
    fputs(".\n", out);
    payback_words(out, all, a, b);
}

static void physical_words(FILE *out, const wsk_cli_common *all, const wsk_cli_case *a, const wsk_cli_case *b)
{
    double dwork = all->time ? wsk_cli_work_rate(all, b) / wsk_cli_work_rate(all, a) - 1 : NAN;
    char text[48];
    if (all->time)
        energy_words(out, all, a, b);
    if (a->work > 0 && b->work > 0 && fabs(dwork) >= 5e-4) {
        double lost_a = 100 * wsk_summary_number(a->summary, WSK_R_LOST, 0),
               lost_b = 100 * wsk_summary_number(b->summary, WSK_R_LOST, 0);
        double band =
            wsk_cli_band_ratio(a, b, all->all->work == WSK_CLI_UNITS ? WSK_CLI_BY_COUNTED : WSK_CLI_BY_WORK, all->f) *
            per_of(b, true) / per_of(a, true);
        wsk_cli_put_band(text, 100 * fabs(dwork), 100 * band, 1);
        fprintf(out, "    %s does %s %% %s work", wsk_cli_name_of(all, b), text, dwork < 0 ? "less" : "more");
        if (fabs(lost_a - lost_b) >= 0.05)
            fprintf(out, "; %s %.1f %% of it instead of %.1f %%",
                    a->braked || b->braked ? "heat and the power brake take" : "heat takes", lost_b, lost_a);
        fputs(".\n", out);
    }
    double ddie = wsk_cli_measured(b, WSK_CLI_BY_DIE) - wsk_cli_measured(a, WSK_CLI_BY_DIE);
    if (fabs(ddie) >= 0.5) {
        put_difference(text, a, b, WSK_CLI_BY_DIE, all->f, 1, 1, 1);
        fprintf(out, "    Its hottest card is %s K %s.\n", text, ddie < 0 ? "cooler" : "hotter");
    }
}

static void difference(FILE *out, const wsk_cli_common *all, const wsk_cli_case *a, const wsk_cli_case *b)
{
    char *words = NULL;
    size_t len = 0;
    FILE *text = open_memstream(&words, &len);
    if (!text)
        return;
    if (all->time && all->run)
        cost_words(text, all, a, b);
    physical_words(text, all, a, b);
    if (fclose(text) == 0 && len)
        fprintf(out, "  %s, against %s:\n%s", wsk_cli_name_of(all, b), wsk_cli_name_of(all, a), words);
    free(words);
}

/* ---- more power, less work ---- */

static double rate_of(const wsk_cli_case *c)
{
    return c->work / c->simulated_s;
}

/* Is it heat that makes the one with the higher limit do less? It loses more to heat, and without heat it would do as much. */
static bool by_heat(const wsk_cli_case *hi, const wsk_cli_case *lo)
{
    double lost_hi = wsk_summary_number(hi->summary, WSK_R_LOST, 0),
           lost_lo = wsk_summary_number(lo->summary, WSK_R_LOST, 0);
    return lost_hi > 1e-4 && lost_hi > lost_lo &&
           rate_of(hi) / (1 - lost_hi) >= rate_of(lo) / (1 - lost_lo) * (1 - 2e-3);
}

/* Or its clock, which is locked at less? */
static bool by_lock(const wsk_cli_case *hi, const wsk_cli_case *lo)
{
    return hi->lock_mhz > 0 && !(lo->lock_mhz <= hi->lock_mhz);
}

/* Of the cases with a lower limit, the one that does most more work for a reason that is known; NULL: none does. */
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

/* A heat-limited card given more power can do less: found by pairs, the worst first. */
void wsk_cli_limit_inversions(FILE *out, const wsk_cli_case *cases, size_t count, size_t most, char *const *names)
{
    const wsk_cli_finance any = WSK_CLI_FINANCE; /* work costs nothing */
    double done = INFINITY;
    for (; most > 0; most--) {
        const wsk_cli_case *worst = NULL, *than = NULL;
        double least = 0;
        for (size_t i = 0; i < count; i++) {
            const wsk_cli_case *best = better_with_less(cases, count, &cases[i]);
            double loss = best ? 1 - rate_of(&cases[i]) / rate_of(best) : 0;
            if (loss > least && loss < done) {
                least = loss;
                worst = &cases[i];
                than = best;
            }
        }
        if (!worst)
            return;
        done = least;
        const char *name = names[worst - cases], *other = names[than - cases];
        double band = wsk_cli_band_ratio(than, worst, WSK_CLI_BY_WORK, &any);
        char open[48] = "";
        if (band >= least)
            snprintf(open, sizeof open, " (+-%.0f %%: likely, not certain)", ceil(100 * band));
        fprintf(out,
                "  %s has the higher power limit (%.0f W against %.0f W) and does %.*f %% LESS work than %s%s:\n",
                name, worst->limit_w, than->limit_w, least < 0.001 ? 2 : 1, 100 * least, other, open);
        if (by_lock(worst, than))
            fprintf(out, "    its clock is locked at %.0f MHz, which no limit raises.\n", worst->lock_mhz);
        else
            fputs("    the cards are limited by heat, and a higher limit only adds to it.\n", out);
    }
}

/* ---- own against cloud ---- */

void wsk_cli_cloud_words(FILE *out, const wsk_cli_comparison *all, size_t most, char *const *names)
{
    const wsk_cli_finance *f = &all->finance;
    if (isnan(f->cloud))
        return;
    fprintf(out, "Own against cloud, at %g %s for a GPU-hour%s:\n", f->cloud, f->cloud_currency,
            all->count > most ? ", in the table" : "");
    for (size_t i = 0; i < all->count; i++) {
        const wsk_cli_case *c = &all->cases[i];
        const wsk_cli_cloud *w = &c->cloud;
        if (all->count > most && !isnan(w->gpu_h))
            continue;
        fprintf(out, "  %s: ", names[i]);
        if (wsk_cli_other_currency(f->cloud_currency, c->currency) ||
            wsk_cli_other_currency(f->cloud_currency, c->purchase_currency))
            fprintf(out, "paid in %s, which is never converted: no break-even.\n",
                    wsk_cli_other_currency(f->cloud_currency, c->currency) ? c->currency : c->purchase_currency);
        else if (isnan(w->own))
            fprintf(out, "no break-even, for %s.\n",
                    c->work > 0 ? "its electricity has no price" : "it does no work that is counted");
        else if (w->never)
            fprintf(out, "never breaks even: electricity alone costs %.4f %s for a GPU-hour of work.\n", w->own,
                    c->currency);
        else if (isnan(w->gpu_h))
            fprintf(out, "no break-even, for its parts have no price.\n");
        else {
            fprintf(out, "breaks even after %.0f hours of all its cards, %.1f years at this use; ", w->hours,
                    w->years_at_this_use);
            if (w->hours_per_year <= 8760)
                fprintf(out, "within %d years at %g %% with %.0f hours a year.\n", f->years, 100 * f->rate,
                        w->hours_per_year);
            else
                fprintf(out, "not within %d years at %g %%: that takes %.0f hours a year.\n", f->years, 100 * f->rate,
                        w->hours_per_year);
        }
    }
}

/* ---- why a saving is not what is often quoted ---- */

/* The difference of two constant efficiencies times the load is often quoted as the saving; it is not. */
static void efficiency_words(FILE *out, const wsk_cli_case *a, const wsk_cli_case *b)
{
    double ea = wsk_summary_number(a->summary, WSK_R_PSU_EFFICIENCY, 0);
    double eb = wsk_summary_number(b->summary, WSK_R_PSU_EFFICIENCY, 0);
    double cooling = wsk_summary_number(a->summary, WSK_R_ROOM_COOLING_KWH, 0),
           all = a->wall_kwh + (cooling > 0 ? cooling : 0);
    double dc = wsk_summary_number(a->summary, WSK_R_DC_KWH, 0), price = a->cost / all, per = per_of(a, true);
    if (!a->constant_psu || !b->constant_psu || !(fabs(ea - eb) > 1e-4) || !(dc > 0) || !(price > 0) ||
        fabs(wsk_summary_number(b->summary, WSK_R_DC_KWH, 0) * per_of(b, true) - dc * per) > 1e-3 * dc * per)
        return;
    double lo = fmin(ea, eb), hi = fmax(ea, eb);
    double shortcut = (hi - lo) * dc * per, truth = (1 / lo - 1 / hi) * dc * per;
    /* Power while on: the supply's peak; equal to the mean where the load never rests. */
    double peak =
        wsk_summary_number(a->summary, WSK_R_PSU_LOAD_PEAK, 0) * wsk_summary_number(a->summary, WSK_R_PSU_RATED, 0);
    double duty = dc * KWH_J / (peak * a->simulated_s);
    fprintf(out, "Why %.2f and not %.2f %s a year:\n", truth * price, shortcut * price, a->currency);
    if (peak > 0 && duty < 1.001) {
        fprintf(out,
                "  Often the difference of the efficiencies is multiplied with the load:\n"
                "    (%.2f - %.2f) x %.0f W x %.0f %% of the year x %.2f %s/kWh = %.2f %s.\n",
                hi, lo, peak, 100 * duty, price, a->currency, shortcut * price, a->currency);
        fprintf(out,
                "  But the load is what the PSU gives, and the meter counts what it takes:\n"
                "    %.0f W/%.2f - %.0f W/%.2f = %.0f W less at the wall: %.2f %s.\n",
                peak, lo, peak, hi, peak / lo - peak / hi, truth * price, a->currency);
    } else {
        fprintf(out,
                "  The difference of the efficiencies times the load, (%.2f - %.2f) x %.1f kWh, is too little:\n"
                "    the meter counts what the PSU takes, %.1f/%.2f - %.1f/%.2f = %.1f kWh.\n",
                hi, lo, dc * per, dc * per, lo, dc * per, hi, truth);
    }
}

/* ---- the whole ---- */

static void mixed_words(FILE *out, const wsk_cli_common *all)
{
    const wsk_cli_case *cases = all->cases;
    char time[32];
    if (!all->time) {
        fputs("The cases last ", out);
        for (size_t i = 0; i < all->count && i < EXPLAINED; i++) {
            wsk_cli_duration(time, cases[i].simulated_s);
            fprintf(out, "%s%s", i ? ", " : "", time);
        }
        fprintf(out, "%s: nothing that adds up over time is compared. With --annual it is, per year.\n",
                all->count > EXPLAINED ? ", ..." : "");
    }
    if (!all->run) {
        fputs("Electricity is paid in different currencies, which are never converted:", out);
        for (size_t i = 0; i < all->count && i < EXPLAINED; i++)
            fprintf(out, "%s %.2f %s", i ? "," : "", cases[i].cost, cases[i].currency);
        fprintf(out, "%s%s.\n", all->count > EXPLAINED ? ", ..." : "", all->time ? "" : ", each over its own time");
    }
    for (size_t i = 0; i < all->count; i++)
        if (cases[i].mixed_purchase)
            fprintf(out,
                    "The parts of %s are priced in several currencies, which are never converted: no purchase, "
                    "nothing all in.\n",
                    all->names[i]);
    if (!all->buy)
        fputs("The parts are priced in different currencies, which are never converted.\n", out);
    else if (all->run && !wsk_cli_one_money(all))
        fprintf(out, "Electricity is paid in %s and the parts in %s, which is never converted: no payback.\n",
                all->run, all->buy);
}

/* What the table's words mean, where it has them. */
static void legend(FILE *out, const wsk_cli_common *all)
{
    bool priced = false, bought = false, spread = false, unlike = false;
    for (size_t i = 0; i < all->count; i++) {
        unlike |= !all->cases[i].same_unpriced;
        priced |= fabs(all->cases[i].purchase - all->cases[0].purchase) >= 0.5 && !isnan(all->cases[i].npv);
        bought |= !isnan(all->cases[i].all_in) && !isnan(wsk_cli_work_rate(all, &all->cases[i]));
        spread |= all->cases[i].spread_known;
    }
    for (size_t i = 0; i < all->count && all->buy; i++) {
        const wsk_cli_case *c = &all->cases[i];
        bool every = true;
        for (size_t k = 0; k < all->count; k++)
            every = every && c->unpriced && all->cases[k].unpriced && !strcmp(all->cases[k].unpriced, c->unpriced);
        if (every && i == 0 && isnan(c->purchase))
            fputs("No purchase, no payback: no part has a price=\"...\".\n", out);
        else if (c->unpriced && (!every || i == 0))
            fprintf(out, "The purchase%s%s is without %s, for want of a price=\"...\"%s.\n", every ? "" : " of ",
                    every ? "" : all->names[i], c->unpriced, unlike ? ": it is more than that (>)" : "");
    }
    if (spread)
        fputs("+-: what badges and assumed values leave open; what cases share cancels.\n", out);
    if (priced && wsk_cli_one_money(all))
        fprintf(out, "Payback and value (net present value of %d years at %g %%) are against %s.\n", all->f->years,
                100 * all->f->rate, all->names[0]);
    if (bought && wsk_cli_one_money(all))
        fprintf(out, "All in: electricity, and the purchase spread over %d years at %g %%.\n", all->f->years,
                100 * all->f->rate);
}

void wsk_cli_headline(FILE *out, const wsk_cli_comparison *all)
{
    bool year = all->annual;
    char time[32];
    wsk_cli_duration(time, all->cases[0].simulated_s);
    for (size_t i = 0; i < all->count; i++)
        year = year && all->cases[i].simulated_s >= YEAR_S;
    if (year)
        fputs("Per year of 365 days, simulated.\n\n", out);
    else if (all->annual && same_time(all->cases, all->count))
        fprintf(out, "Per year of 365 days, from %s simulated, repeated.\n\n", time);
    else if (all->annual)
        fputs("Per year of 365 days, the time that each case simulated repeated.\n\n", out);
    else if (same_time(all->cases, all->count))
        fprintf(out, "Over %s.\n\n", time);
}

static void in_words(FILE *out, const wsk_cli_common *all)
{
    mixed_words(out, all);
    legend(out, all);
    if (all->count <= EXPLAINED) {
        char *words = NULL;
        size_t len = 0;
        FILE *text = open_memstream(&words, &len);
        for (size_t i = 1; text && i < all->count; i++)
            difference(text, all, &all->cases[0], &all->cases[i]);
        if (text && fclose(text) == 0 && len)
            fprintf(out, "What differs:\n%s", words);
        free(words);
    }
    if (all->time)
        wsk_cli_limit_inversions(out, all->cases, all->count, EXPLAINED, all->names);
    for (size_t i = 1; i < all->count && all->count <= EXPLAINED && all->run && all->time; i++)
        efficiency_words(out, &all->cases[0], &all->cases[i]);
    wsk_cli_cloud_words(out, all->all, EXPLAINED, all->names);
    wsk_cli_verdict(out, all);
}

void wsk_cli_compare_text(FILE *out, const wsk_cli_comparison *c)
{
    char *head, **names = wsk_cli_name_cases(c, &head), *text = NULL;
    size_t len;
    const wsk_cli_common all = {.all = c,
                                .cases = c->cases,
                                .count = c->count,
                                .names = names,
                                .f = &c->finance,
                                .annual = c->annual,
                                .run = wsk_cli_one_currency(c->cases, c->count, false),
                                .buy = wsk_cli_one_currency(c->cases, c->count, true),
                                .time = c->annual || same_time(c->cases, c->count)};
    wsk_cli_headline(out, c);
    wsk_cli_compare_table(out, c, names, head);
    fputc('\n', out);
    FILE *words = open_memstream(&text, &len);
    if (words) {
        in_words(words, &all);
        (void)fclose(words);
        wsk_cli_wrap(out, text, wsk_cli_page(out, WSK_CLI_PAGE));
    }
    free(text);
    for (size_t i = 0; i < c->count; i++)
        free(names[i]);
    free(names);
    free(head);
}
