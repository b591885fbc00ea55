/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What differs between two cases, in words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/words.h"
#include "sim/base/said.h"
#include "words/words.h"

static void put_difference(char out[48], const wsk_cli_case *a, const wsk_cli_case *b, wsk_cli_measure by,
                           const wsk_cli_finance *f, double per_a, double per_b, int digits)
{
    double d = wsk_cli_measured(b, by) * per_b - wsk_cli_measured(a, by) * per_a;
    wsk_cli_put_band(out, fabs(d), wsk_cli_even(wsk_cli_band_scaled(a, per_a, b, per_b, by, f)), digits);
}

static void energy_words(FILE *out, const wsk_cli_common *all, const wsk_cli_case *a, const wsk_cli_case *b)
{
    double whole = a->wall_kwh * wsk_cli_per(a, all->annual);
    char *items[WSK_CLI_CATEGORIES];
    size_t n = 0;
    int finer = wsk_cli_finer(all->all);
    for (int k = 0; k < WSK_CLI_CATEGORIES; k++) {
        double mine = wsk_cli_category_kwh(b->summary, (wsk_cli_category)k),
               its = wsk_cli_category_kwh(a->summary, (wsk_cli_category)k);
        double d = (isnan(mine) ? 0 : mine) * wsk_cli_per(b, all->annual) -
                   (isnan(its) ? 0 : its) * wsk_cli_per(a, all->annual);
        if (fabs(d) >= 0.05 * pow(10, -finer) && fabs(d) >= 1e-4 * whole)
            items[n++] = wsk_cli_format("%s%.*f kWh %s", d < 0 ? "−" : "+", 1 + finer, fabs(d),
                                        T_(wsk_result_brief(wsk_cli_category_result((wsk_cli_category)k))));
    }
    char *list = wsk_cli_join((const char *const *)items, n);
    if (n)
        wsk_cli_say(out, T_("    Energy: %1$s.\n"), list);
    free(list);
    while (n > 0)
        free(items[--n]);
}

static void payback_words(FILE *out, const wsk_cli_common *all, const wsk_cli_case *b, const wsk_cli_payback *p)
{
    switch (p->kind) {
    case WSK_CLI_PAYS: wsk_cli_say(out, T_("    Payback: %1$.1f years.\n"), p->years); break;
    case WSK_CLI_PAYS_BAND:
        wsk_cli_say(out, T_("    Payback: %1$.1f years (%2$.1f to %3$.1f by the uncertainty of the saving).\n"),
                    p->years, p->soonest, p->latest);
        break;
    case WSK_CLI_MAY_NEVER:
        wsk_cli_say(out, T_("    Payback: %1$.1f years, or never: the saving is within its uncertainty.\n"),
                    p->years);
        break;
    case WSK_CLI_UNPRICED:
        wsk_cli_say(out, T_("    No payback: parts of %1$s have no price (%2$s).\n"), wsk_cli_name_of(all, p->who),
                    p->who->unpriced);
        break;
    case WSK_CLI_OTHER_WORK:
        wsk_cli_say(out,
                    p->work < 0
                        ? T_("    No payback: %1$s does %2$.3g %% less work; \"all in\" compares the cases.\n")
                        : T_("    No payback: %1$s does %2$.3g %% more work; \"all in\" compares the cases.\n"),
                    wsk_cli_name_of(all, b), 100 * fabs(p->work));
        break;
    case WSK_CLI_UNKNOWN_WORK: fputs(T_("    No payback: the work of these cases cannot be compared.\n"), out); break;
    case WSK_CLI_OTHER_LOAD: fputs(T_("    No payback: the cases have different loads.\n"), out); break;
    default: break;
    }
}

/* True for a difference that is told as 0, for example "0 ±6", which is neither less nor more. */
static bool is_zero(const char *difference)
{
    const char rest = difference[strspn(difference, "0.")];
    return rest == ' ' || !rest;
}

static void cost_words(FILE *out, const wsk_cli_common *all, const wsk_cli_case *a, const wsk_cli_case *b)
{
    double dcost = all->run ? b->cost * wsk_cli_per(b, all->annual) - a->cost * wsk_cli_per(a, all->annual) : NAN;
    double dprice = all->buy && b->same_unpriced ? b->purchase - a->purchase : NAN;
    int finer = wsk_cli_finer(all->all);
    char text[48];
    if (isnan(dcost) && !(fabs(dprice) >= 0.5))
        return;
    put_difference(text, a, b, WSK_CLI_BY_COST, all->f, wsk_cli_per(a, all->annual), wsk_cli_per(b, all->annual),
                   2 + finer);
    if (fabs(dcost) < 0.005 * pow(10, -finer) || is_zero(text))
        fputs(T_("    Electricity: the same cost.\n"), out);
    else if (!isnan(dcost) && all->annual)
        wsk_cli_say(out,
                    dcost < 0 ? T_("    Electricity: %1$s %2$s less a year.\n")
                              : T_("    Electricity: %1$s %2$s more a year.\n"),
                    text, all->run);
    else if (!isnan(dcost))
        wsk_cli_say(out,
                    dcost < 0 ? T_("    Electricity: %1$s %2$s less.\n") : T_("    Electricity: %1$s %2$s more.\n"),
                    text, all->run);
    if (fabs(dprice) >= 0.5)
        wsk_cli_say(out,
                    dprice < 0 ? T_("    Purchase: %1$.0f %2$s less.\n") : T_("    Purchase: %1$.0f %2$s more.\n"),
                    fabs(dprice), *all->buy ? all->buy : b->currency);
    const wsk_cli_payback p = wsk_cli_find_payback(all, a, b);
    payback_words(out, all, b, &p);
}

/* A share of the work that is lost, %. */
static double lost_by(const wsk_cli_case *c, wsk_result result)
{
    const double share = wsk_summary_number(c->summary, result, 0);
    return isnan(share) ? 0 : 100 * share;
}

static void work_words(FILE *out, const wsk_cli_common *all, const wsk_cli_case *a, const wsk_cli_case *b)
{
    double dwork = all->time ? wsk_cli_work_rate(all, b) / wsk_cli_work_rate(all, a) - 1 : NAN;
    double lost_a = 100 * wsk_summary_number(a->summary, WSK_R_LOST, 0),
           lost_b = 100 * wsk_summary_number(b->summary, WSK_R_LOST, 0);
    char text[48];
    if (!(a->work > 0 && b->work > 0 && fabs(dwork) >= 5e-4))
        return;
    double band =
        wsk_cli_band_ratio(a, b, all->all->work == WSK_CLI_UNITS ? WSK_CLI_BY_COUNTED : WSK_CLI_BY_WORK, all->f) *
        wsk_cli_per(b, true) / wsk_cli_per(a, true);
    wsk_cli_put_band(text, 100 * fabs(dwork), wsk_cli_even(100 * band), 1);
    wsk_cli_say(out,
                is_zero(text) ? T_("    Work: %1$s %%.\n")
                : dwork < 0   ? T_("    Work: %1$s %% less.\n")
                              : T_("    Work: %1$s %% more.\n"),
                text);
    if (fabs(lost_a - lost_b) >= 0.05)
        wsk_cli_say(out,
                    a->braked || b->braked
                        ? T_("    Lost to heat and power brake: %1$.1f %% of the throughput instead of %2$.1f %%.\n")
                        : T_("    Lost to heat: %1$.1f %% of the throughput instead of %2$.1f %%.\n"),
                    lost_b, lost_a);
    const double gone_a = lost_by(a, WSK_R_LOST_TO_FAILURE), gone_b = lost_by(b, WSK_R_LOST_TO_FAILURE),
                 dark_a = lost_by(a, WSK_R_LOST_TO_OUTAGE), dark_b = lost_by(b, WSK_R_LOST_TO_OUTAGE);
    if (fabs(gone_b - gone_a) >= 0.05)
        wsk_cli_say(out, T_("    Lost with lost cards: %1$.1f %% of the work instead of %2$.1f %%.\n"), gone_b,
                    gone_a);
    if (fabs(dark_b - dark_a) >= 0.05)
        wsk_cli_say(out, T_("    Lost without mains: %1$.1f %% of the work instead of %2$.1f %%.\n"), dark_b, dark_a);
}

static void physical_words(FILE *out, const wsk_cli_common *all, const wsk_cli_case *a, const wsk_cli_case *b)
{
    char text[48];
    if (all->time)
        energy_words(out, all, a, b);
    work_words(out, all, a, b);
    double ddie = wsk_cli_measured(b, WSK_CLI_BY_DIE) - wsk_cli_measured(a, WSK_CLI_BY_DIE);
    if (fabs(ddie) >= 0.5) {
        put_difference(text, a, b, WSK_CLI_BY_DIE, all->f, 1, 1, 1);
        wsk_cli_say(out, ddie < 0 ? T_("    %1$s: %2$s K lower.\n") : T_("    %1$s: %2$s K higher.\n"),
                    T_(wsk_result_about(WSK_R_GPU_DIE_MAX)->label), text);
    }
}

void wsk_cli_difference_words(FILE *out, const wsk_cli_common *all, const wsk_cli_case *a, const wsk_cli_case *b)
{
    char *words = NULL;
    size_t len = 0;
    FILE *text = wsk_cli_text(&words, &len);
    if (all->time && all->run)
        cost_words(text, all, a, b);
    physical_words(text, all, a, b);
    if (fclose(text) == 0 && len)
        wsk_cli_say(out, T_("  %1$s compared with %2$s:\n%3$s"), wsk_cli_name_of(all, b), wsk_cli_name_of(all, a),
                    words);
    free(words);
}
