/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/kit/money.h"

#include <string.h>

bool wsk_cli_other_currency(const char *a, const char *b)
{
    return *a && *b && strcmp(a, b) != 0;
}

double wsk_cli_annuity(const wsk_cli_finance *f)
{
    double factor = 0;
    for (int year = 1; year <= f->years; year++)
        factor += pow(1 + f->rate, -year);
    return factor;
}
