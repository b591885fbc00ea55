/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "sim/base/number.h"
#include "sim/say/say.h"

double wsk_half_width(const wsk_ranged *r)
{
    return (r->high - r->low) / 2;
}

bool wsk_is_uneven(const wsk_ranged *r, double unit)
{
    static const double much = 1.5; /* longer distance from the value to an end, divided by the shorter */
    const double below = r->value - r->low, above = r->high - r->value;
    return fabs(above - below) >= unit && fmax(above, below) > much * fmin(above, below);
}

const wsk_said *wsk_say_ranged(wsk_arena *a, const wsk_ranged *r, double unit, wsk_code even, wsk_code uneven)
{
    const wsk_arg ends[] = {wsk_arg_number(r->value), wsk_arg_number(r->low), wsk_arg_number(r->high)},
                  half[] = {wsk_arg_number(r->value), wsk_arg_number(wsk_half_width(r))};
    return wsk_said_keep(a, wsk_is_uneven(r, unit) ? &(wsk_said){uneven, 3, ends} : &(wsk_said){even, 2, half});
}

const wsk_said *wsk_say_money(wsk_arena *a, double amount, const char *currency)
{
    return amount < 1000 ? WSK_SAY(a, WSK_SAY_MONEY_CENTS, amount, currency)
                         : WSK_SAY(a, WSK_SAY_MONEY_WHOLE, amount, currency);
}

const char *wsk_say_rounded(wsk_arena *a, double value, int places)
{
    char text[32];
    wsk_print_places(text, sizeof text, value, places);
    return wsk_printf(a, "%s", text);
}

const wsk_said *wsk_say_count(wsk_arena *a, double value)
{
    return value < 1e6   ? WSK_SAY(a, WSK_SAY_PLAIN, wsk_say_rounded(a, value, 4))
           : value < 1e9 ? WSK_SAY(a, WSK_SAY_MILLION, wsk_say_rounded(a, value / 1e6, 4))
                         : WSK_SAY(a, WSK_SAY_BILLION, wsk_say_rounded(a, value / 1e9, 4));
}
