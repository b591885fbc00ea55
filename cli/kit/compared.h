/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by `compare` and the plot of its results: energy by consumer, units of work, short names of cases. */
#ifndef WSK_CLI_COMPARED_H
#define WSK_CLI_COMPARED_H
#include "cli/kit/cli.h"
#include "sim/base/said.h"

#define WSK_CLI_KWH_J 3.6e6
#define WSK_CLI_YEAR_S (365 * 86400.0)

/* Consumers of energy. All but COOLING add up to the energy at the wall. */
typedef enum {
    WSK_CLI_CARDS,
    WSK_CLI_REST,    /* other DC loads of the PSUs: processor, board, drives, <load dc> */
    WSK_CLI_FANS,    /* fans and pumps; the cards' own fans are part of CARDS */
    WSK_CLI_PSU,     /* losses of the PSUs */
    WSK_CLI_LOADS,   /* AC loads on the same circuit, beside the PSUs: <load ac> */
    WSK_CLI_FEED,    /* losses of UPS and power strip */
    WSK_CLI_COOLING, /* air conditioner of the room; not in the energy at the wall */
    WSK_CLI_CATEGORIES
} wsk_cli_category;
/* Energy of a consumer, kWh; NAN: the rig has no such consumer. */
double wsk_cli_category_kwh(const wsk_summary *summary, wsk_cli_category which);
wsk_result wsk_cli_category_result(wsk_cli_category which);

/* Number of cards whose work is known, and the mean of a result over these cards. Unknown is the work of cards outside
 * of the workload and of cards whose power is pinned or replayed. If no card's work is known, all cards count. */
size_t wsk_cli_counted_cards(const wsk_summary *summary);
double wsk_cli_mean_of_counted(const wsk_summary *summary, wsk_result result);

/* Uncertainty of a result of a comparison downwards, or upwards (up). spread: the result with the mean of both; above:
 * that with the upper one, which files of earlier versions do not have. */
double wsk_cli_side(const wsk_summary *summary, wsk_result spread, wsk_result above, bool up);

/* True if two runs last equally long, so that their totals can be compared; s. */
bool wsk_cli_same_duration(double a_s, double b_s);

/* The currency of all cases that have a tariff, "" if none has; NULL: they have several. */
const char *wsk_cli_shared_currency(wsk_summary *const *cases, size_t count);

/* Work of a case per second in GPU-hours and in units such as tokens, and DC energy per second. 0 or NAN: none. */
typedef struct {
    double work, count, dc;
} wsk_cli_pace;
/* True if two cases do the same work per time within 1 % or, if neither counts work, have mean DC loads within 2 %.
 * Only then is a lower cost a saving. units, hours: their units of work, their GPU-hours can be compared. */
bool wsk_cli_same_work(const wsk_cli_pace *a, const wsk_cli_pace *b, bool units, bool hours);

/* Powers of 1000 by which units of work, such as tokens, are counted and priced in tables: "million tokens". */
typedef struct {
    double number, price;             /* units of work per counted unit and per priced unit, e.g. 1e6 */
    char number_of[56], price_of[56]; /* names of counted and priced unit, in the program's language */
    /* WSK_SAY_SCALE_*: the message that makes the priced unit's name ("million tokens") from the unit's name */
    wsk_code priced_by;
} wsk_cli_units;
/* Chooses the powers. counted: name of the unit, "tokens"; number: units of work done; price: money per unit. */
void wsk_cli_scale_units(wsk_cli_units *u, const char *counted, double number, double price);

/* Short names of cases for columns of a table. If all labels set the same paths, only the values: "82%" of
 * "psu.efficiency=82%"; *head: the paths, for the table's corner. Else the labels without the folders that all share;
 * *head: "". Free with wsk_cli_names_free. */
char **wsk_cli_short_names(const char *const *labels, size_t count, char **head);
void wsk_cli_names_free(char **names, size_t count, char *head);

#endif
