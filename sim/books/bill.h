/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The meter's bill: exact integrals of energy and money over time, whatever the step. Plain data, a part of a run's state. */
#ifndef WSK_BILL_H
#define WSK_BILL_H
#include "sim/net/tariff_table.h"

enum { WSK_BILL_MONTHS = 36 };

/* One billing month, or the part of one that the run covers. Money is with tax. */
typedef struct {
    int64_t from_civil_s;          /* its first day, local */
    double share;                  /* of the month that the run covers */
    double energy_j, cost, peak_w; /* highest mean over the shortest window; 0 without a demand charge */
} wsk_bill_month;

typedef struct {
    int64_t end_ns;             /* of the run: the last month may be cut */
    int64_t began_ns, until_ns; /* of the open segment, in which nothing changes but the energy */
    wsk_sum open_j;
    double price_j, carbon_kg_j, standing_s, minimum_s; /* per joule; per second */
    int64_t period, season;
    int64_t window_end_s[WSK_DEMANDS], window_counts[WSK_DEMANDS]; /* UTC */
    double window_j[WSK_DEMANDS], peak_w[WSK_DEMANDS];
    int64_t month_from_s, month_to_s, month_civil_s; /* UTC; local */
    double month_share, month_peak_w;
    wsk_sum month_j, month_cost, month_minimum;                 /* of the open month, without demand */
    double demand_open;                                         /* of the open month, by its peaks so far */
    wsk_sum energy, demand, standing, minimum, carbon, total_j; /* money without tax */
    wsk_sum period_j[WSK_NAMES], period_cost[WSK_NAMES];
    int64_t n_months; /* closed; the last WSK_BILL_MONTHS are kept */
    wsk_bill_month months[WSK_BILL_MONTHS];
} wsk_bill;

/* An empty bill from start_ns of a run that ends at end_ns. */
void wsk_bill_open(wsk_bill *bill, const wsk_billing *billing, int64_t start_ns, int64_t end_ns);
/* power_w from from_ns to to_ns. Times must follow one another. */
void wsk_bill_add(wsk_bill *bill, const wsk_billing *billing, int64_t from_ns, int64_t to_ns, double power_w);
/* Money so far, with tax. A window or month that is still open counts by what it has. */
double wsk_bill_cost(const wsk_bill *bill, const wsk_billing *billing, int64_t now_ns);
/* The bill as if the run ended now: all windows and months closed. */
void wsk_bill_close(wsk_bill *bill, const wsk_billing *billing, int64_t now_ns);
/* A run's bill: NAN where it has none, and in a steady state whose bill would depend on the date. Money is with tax. */
typedef struct {
    double cost, annual, energy, demand, standing, minimum, tax, carbon_kg;
    const char *annual_basis; /* "repeated", "simulated"; NULL: no cost */
    wsk_bill bill;            /* closed */
} wsk_account;
wsk_account wsk_bill_account(const wsk_run *run);
/* Money per joule, with tax and demand but without what is paid anyway, of one kilowatt all year from the start of the run. */
double wsk_bill_yearly_price(const wsk_billing *billing);

#endif
