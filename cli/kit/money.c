/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/kit/money.h"

#include <stdio.h>
#include <string.h>

#include "cli/kit/cli.h"

bool wsk_cli_other_currency(const char *a, const char *b)
{
    return *a && *b && strcmp(a, b) != 0;
}

const char *wsk_cli_common_currency(const char *one, const char *mine)
{
    return wsk_cli_other_currency(one, mine) ? NULL : *mine ? mine : one;
}

double wsk_cli_payback_years(double saved, double dearer)
{
    return saved > 0 && dearer >= 0.005 ? dearer / saved : NAN;
}

double wsk_cli_annuity(const wsk_cli_finance *f)
{
    double factor = 0;
    for (int year = 1; year <= f->years; year++)
        factor += pow(1 + f->rate, -year);
    return factor;
}

void wsk_cli_find_currencies(wsk_cli_currencies *out, const wsk_rig *rig)
{
    const wsk_elements *all = NULL;
    const char *paid = NULL;
    *out = (wsk_cli_currencies){0};
    (void)wsk_rig_exchange(rig, "", &paid);
    snprintf(out->electricity, sizeof out->electricity, "%s", paid ? paid : "");
    const int count = wsk_rig_elements(rig, &all) == WSK_OK ? all->count : 0;
    for (int e = 0; e < count; e++) {
        const wsk_attribute *price = wsk_elements_attribute(all, e, "price");
        if (!(all->items[e].traits & WSK_TRAIT_BOUGHT) || !price || !(price->value > 0))
            continue;
        char mine[8];
        snprintf(mine, sizeof mine, "%.3s", price->unit);
        out->mixed = out->mixed || wsk_cli_other_currency(out->purchase, mine);
        if (!*out->purchase || !strcmp(out->purchase, out->electricity))
            memcpy(out->purchase, mine, sizeof mine);
    }
    wsk_elements_free(all);
}

char *wsk_cli_say_currencies(const wsk_cli_currencies *c)
{
    if (wsk_cli_other_currency(c->electricity, c->purchase))
        return wsk_cli_format(T_("parts are priced in %1$s and the electricity in %2$s; --exchange '%1$s=RATE %2$s' "
                                 "converts them"),
                              c->purchase, c->electricity);
    return c->mixed ? wsk_cli_format("%s", T_("parts are priced in several currencies; --exchange converts them"))
                    : NULL;
}

static const double day_s = 86400;

/* True if prices of the element depend on the hour and the run is no whole number of days, or on the day of the week
 * and the run is no whole number of weeks. Repeated over a year, such a run has some hours or days too often. */
static bool is_cut(const wsk_elements *list, int e, double duration_s)
{
    const char *element = list->items[e].element;
    const bool hours = wsk_elements_text(list, e, "surplus") ||
                       ((strcmp(element, "period") == 0 || strcmp(element, "demand") == 0) &&
                        (wsk_elements_text(list, e, "from") || wsk_elements_text(list, e, "to")));
    return (hours && fmod(duration_s, day_s) > 0) ||
           (wsk_elements_text(list, e, "days") && fmod(duration_s, 7 * day_s) > 0);
}

static bool is_dated(const wsk_elements *list, int e)
{
    return (list->items[e].traits & WSK_TRAIT_DATED) || wsk_elements_text(list, e, "months") ||
           !isnan(wsk_elements_number(list, e, "latitude"));
}

wsk_cli_repeated wsk_cli_repeats(const wsk_rig *rig)
{
    const wsk_elements *list = NULL;
    const double duration_s = wsk_rig_duration(rig);
    wsk_cli_repeated found = WSK_CLI_AS_A_YEAR;
    const int count = duration_s < 365 * day_s && wsk_rig_elements(rig, &list) == WSK_OK ? list->count : 0;
    for (int e = 0; e < count && found != WSK_CLI_DATED; e++)
        found = is_dated(list, e) ? WSK_CLI_DATED : is_cut(list, e, duration_s) ? WSK_CLI_CUT : found;
    wsk_elements_free(list);
    return found;
}
