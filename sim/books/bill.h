/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The electricity bill: integrals of energy and money over time, independent of the step length. Plain data without
 * pointers, part of the saved state of a run. */
#ifndef WSK_BILL_H
#define WSK_BILL_H
#include "sim/net/tariff_table.h"

enum { WSK_BILL_MONTHS = 36 };

/* A billing month, or the part of it that the run covers. Money includes tax. */
typedef struct {
    int64_t from_civil_s; /* start of the month by the local clock, s */
    double share;         /* share of the month that the run covers */
    /* peak_w: highest mean power over a demand window; 0 if there is no demand charge */
    double energy_j, cost, peak_w;
} wsk_bill_month;

typedef struct {
    int64_t end_ns;             /* end of the run; the last month may be cut there */
    int64_t began_ns, until_ns; /* start and end of the open segment, in which all rates are constant */
    wsk_sum open_j, open_own_j; /* open segment: its energy, J, and the part of it from own solar power */
    wsk_sum open_above_j; /* open segment: energy, J, while power is at or above solar power; 0 without solar power */
    /* open segment: price and kg CO2 per J of energy; standing and minimum charges per s */
    double price_j, carbon_kg_j, standing_s, minimum_s;
    /* open segment: available solar power, W; price that the grid pays for solar energy, per J */
    double solar_w, feed_in_j;
    int64_t period, season; /* open segment: index of its tariff period; index of its season */
    /* Per entry of the tariff's demands: UTC end of its open window, s (0: no window is open); window_counts is 1 if
     * the entry applies to that window. */
    int64_t window_end_s[WSK_DEMANDS], window_counts[WSK_DEMANDS];
    /* window_j, per entry: energy in its open window, J. peak_w, at the first entry of each demand charge: highest
     * window mean of the open month, W. */
    double window_j[WSK_DEMANDS], peak_w[WSK_DEMANDS];
    /* "Rise" means the derivative by a factor that scales all power. window_rise_j: rise of window_j, J; peak_rise_w:
     * rise of peak_w, W. */
    double window_rise_j[WSK_DEMANDS], peak_rise_w[WSK_DEMANDS];
    int64_t month_from_s, month_to_s, month_civil_s; /* open month: start and end in UTC; start by the local clock */
    double month_share, month_peak_w;
    /* open month: energy, cost without demand charges, minimum bill */
    wsk_sum month_j, month_cost, month_minimum;
    /* open month, per relative rise of all power: rise of its energy, J; rise of its energy cost, without the block
     * prices (price steps by monthly energy) */
    wsk_sum month_rise_j, month_rated;
    /* demand charges of the open month, from its peaks so far */
    double demand_open;
    /* Charges so far, money without tax. Up to the open segment: energy, standing; carbon, kg CO2; total_j, energy, J.
     * Of closed months: demand; minimum, the amount added to reach the minimum bill. */
    wsk_sum energy, demand, standing, minimum, carbon, total_j;
    /* closed months: rise of their cost per relative rise of all power, without tax: energy at the price of the last
     * block, and demand charges; 0 in a month in which the minimum bill applies */
    wsk_sum marginal;
    /* per relative rise of all power: rise of the feed-in payment lost, and of the carbon, kg */
    wsk_sum feed_in_rise, carbon_rise;
    /* totals of the solar power used: energy, J, and the feed-in payment lost by its use, which bears no tax */
    wsk_sum own_j, feed_in;
    wsk_sum period_j[WSK_NAMES], period_cost[WSK_NAMES]; /* per tariff period: energy and its charges */
    /* number of closed months; months[] keeps only the last ones */
    int64_t n_months;
    wsk_bill_month months[WSK_BILL_MONTHS];
} wsk_bill;

void wsk_bill_open(wsk_bill *bill, const wsk_billing *billing, int64_t start_ns, int64_t end_ns);
/* Adds power_w from from_ns to to_ns. Calls must follow each other in time without gaps. */
void wsk_bill_add(wsk_bill *bill, const wsk_billing *billing, int64_t from_ns, int64_t to_ns, double power_w);
/* Returns the cost so far, with tax. The open segment and the open month count with their values so far, except that
 * a shortfall below the minimum charge is added only when the month closes. */
double wsk_bill_cost(const wsk_bill *bill, const wsk_billing *billing, int64_t now_ns);
/* Returns the charges of the bill that do not depend on energy: demand, standing and minimum charges, with tax. */
double wsk_bill_other(const wsk_bill *bill, const wsk_billing *billing, int64_t now_ns);
/* True if the tariff has charges that wsk_bill_other sums. billing->tariff must not be NULL. */
bool wsk_bill_has_other(const wsk_billing *billing);
/* Closes all windows and months, as if the run ended at now_ns. */
void wsk_bill_close(wsk_bill *bill, const wsk_billing *billing, int64_t now_ns);
/* Returns the rise of a closed bill per relative rise of all power, with tax: 1 % more power costs 0.01 times
 * this. */
double wsk_bill_marginal(const wsk_bill *bill, const wsk_billing *billing);
/* The bill of a run. Money includes tax; `tax` is the factor 1 + tax rate. Amounts of money are NAN without a tariff,
 * and for a steady point whose bill would depend on the date. */
typedef struct {
    double cost, annual, energy, demand, standing, minimum, tax, carbon_kg;
    /* rise of cost and of carbon of the run per relative rise of all power */
    double marginal, carbon_marginal_kg;
    /* feed-in payment lost by the use of solar power; energy of that power, J; both NAN: no solar power or no
     * tariff */
    double solar, solar_j;
    /* Heat of the rig that replaces heating, J a year, and the yearly cost of the heating that it replaces; NAN: the
     * rig states no heating or no tariff, or facility water carries part of the heat away. */
    double heating_j, heating;
    const char *annual_basis; /* "repeated" or "simulated"; NULL: no cost */
    bool annual_partial;      /* the run lacks hours or days of the week for which the tariff has other prices */
    wsk_bill bill;            /* the bill, closed as if the run ended now */
} wsk_account;
wsk_account wsk_bill_account(const wsk_run *run);
/* Returns the bill of a year from the start of the run, with tax and the lost feed-in payment, but without standing
 * charges, for a load that draws watts[h] in hour h of each day by the local clock. */
double wsk_bill_of_hours(const wsk_billing *billing, const double watts[24]);

#endif
