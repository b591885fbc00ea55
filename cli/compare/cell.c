/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare.h"
#include "sim/say/say.h"
#include "words/width.h"

enum { LABEL = 24 }; /* terminal columns that a row name may take */

double wsk_cli_per(const wsk_cli_case *c, bool annual)
{
    return annual ? WSK_CLI_YEAR_S / c->simulated_s : 1;
}

int wsk_cli_places(double band, int digits)
{
    if (!(fabs(band) > 0) || isinf(band))
        return digits;
    int place = (int)floor(log10(band) + 1e-9), shown = (band < 1.95 * pow(10, place)) - place;
    return shown < 0 ? 0 : shown > digits ? digits : shown;
}

double wsk_cli_half(wsk_cli_sides band)
{
    return (band.below + band.above) / 2;
}

wsk_cli_sides wsk_cli_even(double band)
{
    return (wsk_cli_sides){band, band};
}

/* A negative factor exchanges the sides. */
wsk_cli_sides wsk_cli_scaled(wsk_cli_sides band, double factor)
{
    return factor < 0 ? (wsk_cli_sides){-factor * band.above, -factor * band.below}
                      : (wsk_cli_sides){factor * band.below, factor * band.above};
}

void wsk_cli_put_places(char out[48], double value, wsk_cli_sides band, int places)
{
    const double half = wsk_cli_half(band);
    if (!(half > 0) || isinf(half) || half < 0.5 * pow(10, -places))
        snprintf(out, 48, "%.*f", places, value);
    else if (wsk_is_uneven(&(wsk_ranged){value, value - band.below, value + band.above}, pow(10, -places)))
        snprintf(out, 48, "%.*f -%.*f/+%.*f", places, value, places, band.below, places, band.above);
    else
        snprintf(out, 48, "%.*f ±%.*f", places, value, places, half);
}

void wsk_cli_put_band(char out[48], double value, wsk_cli_sides band, int digits)
{
    wsk_cli_put_places(out, value, band, wsk_cli_places(wsk_cli_half(band), digits));
}

int wsk_cli_finer(const wsk_cli_comparison *all)
{
    double most = 0;
    for (size_t i = 0; i < all->count; i++)
        most = fmax(most, all->cases[i].wall_kwh * (all->annual ? WSK_CLI_YEAR_S / all->cases[i].simulated_s : 1));
    return most >= 20 || !(most > 0) ? 0 : most >= 2 ? 1 : most >= 0.2 ? 2 : 3;
}

void wsk_cli_put_unit(char out[64], const char *unit, const char *currency, const wsk_cli_units *units)
{
    static const char word[] = "currency";
    const char *money = strstr(unit, word), *rest = money ? money + sizeof word - 1 : unit;
    size_t before = strcspn(rest, "#@");
    const char *of = rest[before] == '@' ? units->price_of : rest[before] ? units->number_of : "";
    if (!strcmp(unit, "degC"))
        snprintf(out, 64, "°C");
    else if (!strcmp(unit, "1"))
        snprintf(out, 64, "%%");
    else if (money || rest[before])
        snprintf(out, 64, "%.8s%.*s%.40s%.8s", money ? currency : "", (int)before, rest, of,
                 rest[before] ? rest + before + 1 : "");
    else
        snprintf(out, 64, "%s", T_(unit));
}

void wsk_cli_put_yearly(char unit[64])
{
    char *yearly = wsk_cli_format(T_("%1$s/year"), unit);
    snprintf(unit, 64, "%s", yearly);
    free(yearly);
}

const char *wsk_cli_row_name(wsk_result result)
{
    const char *label = T_(wsk_result_about(result)->label);
    return wsk_width(label) <= LABEL ? label : T_(wsk_result_brief(result));
}
