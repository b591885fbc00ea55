/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interest, currencies and the year, for comparing purchases with electricity bills. */
#ifndef WSK_CLI_MONEY_H
#define WSK_CLI_MONEY_H
#include <math.h>
#include <stdbool.h>

#include "wattsink.h"

/* The user's financial assumptions. */
typedef struct {
    double rate;  /* interest per year: 0.05 is 5 % */
    int years;    /* years over which a purchase is judged */
    double cloud; /* price of a rented GPU-hour, in cloud_currency; NAN: not given */
    char cloud_currency[8];
} wsk_cli_finance;
#define WSK_CLI_FINANCE ((wsk_cli_finance){.rate = 0.05, .years = 5, .cloud = NAN})
/* Present value of a payment of 1 at the end of each of f->years years, at the interest f->rate. */
double wsk_cli_annuity(const wsk_cli_finance *f);
/* Years after which savings of `saved` a year have paid a purchase that is `dearer` than another; NAN: nothing is saved,
 * or the purchase is not dearer. Less than half a hundredth is no difference, as from rounded exchange rates. */
double wsk_cli_payback_years(double saved, double dearer);
/* True if both currencies are known and different, so that their amounts must not be added or compared. */
bool wsk_cli_other_currency(const char *a, const char *b);
/* The currency of both, where "" is unknown and agrees with any; NULL: they are different. */
const char *wsk_cli_common_currency(const char *one, const char *mine);
/* How a real year differs from the rig's run when that is repeated for a year. AS_A_YEAR: it does not. CUT: the run is
 * no whole number of the days or weeks by which prices differ. DATED: prices, weather or sun depend on the date, and
 * the run is shorter than a year. */
typedef enum { WSK_CLI_AS_A_YEAR, WSK_CLI_CUT, WSK_CLI_DATED } wsk_cli_repeated;
wsk_cli_repeated wsk_cli_repeats(const wsk_rig *rig);
/* The currencies of a rig after its exchange rates have converted what they can. "": none is known. */
typedef struct {
    char electricity[8];
    /* of the priced parts: the first currency that is not the electricity's, else the electricity's */
    char purchase[8];
    bool mixed; /* the parts are priced in several currencies, so their prices cannot be added */
} wsk_cli_currencies;
void wsk_cli_find_currencies(wsk_cli_currencies *out, const wsk_rig *rig);
/* Says why amounts of this rig cannot be added, and the option that converts them. Caller frees. NULL: they can. */
char *wsk_cli_say_currencies(const wsk_cli_currencies *c);

#endif
