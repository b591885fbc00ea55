/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interest and currencies, where purchases are weighed against bills. */
#ifndef WSK_CLI_MONEY_H
#define WSK_CLI_MONEY_H
#include <math.h>
#include <stdbool.h>

/* What money costs, and what others ask for the same work. Stated in every report, because it is a choice. */
typedef struct {
    double rate;            /* interest, 1/year */
    int years;              /* that a purchase is judged over */
    double cloud;           /* price of a rented GPU-hour; NAN: none asked about */
    char cloud_currency[8]; /* "" where cloud is NAN */
} wsk_cli_finance;
#define WSK_CLI_FINANCE ((wsk_cli_finance){.rate = 0.05, .years = 5, .cloud = NAN})
/* What 1 a year over these years is worth today. */
double wsk_cli_annuity(const wsk_cli_finance *f);
/* Are both known, and not the same? Prices are never converted. */
bool wsk_cli_other_currency(const char *a, const char *b);

#endif
