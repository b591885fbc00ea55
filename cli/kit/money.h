/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interest and currencies, for comparing purchases with electricity bills. */
#ifndef WSK_CLI_MONEY_H
#define WSK_CLI_MONEY_H
#include <math.h>
#include <stdbool.h>

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
/* True if both currencies are known and different, so that their amounts must not be added or compared. */
bool wsk_cli_other_currency(const char *a, const char *b);

#endif
