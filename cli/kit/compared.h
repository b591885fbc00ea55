/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `compare` and the picture of its results have in common: where energy goes, units of work, short names of cases. */
#ifndef WSK_CLI_COMPARED_H
#define WSK_CLI_COMPARED_H
#include "cli/kit/cli.h"

/* Where the energy goes. All but the last add up to the energy at the wall; the air conditioner's comes on top. */
typedef enum {
    WSK_CLI_CARDS,
    WSK_CLI_REST, /* processor, board, drives, loads: what the PSUs feed besides cards and fans */
    WSK_CLI_FANS,
    WSK_CLI_PSU,   /* losses */
    WSK_CLI_LOADS, /* at the outlet, beside the PSUs */
    WSK_CLI_FEED,  /* losses of UPS and power strip */
    WSK_CLI_COOLING,
    WSK_CLI_CATEGORIES
} wsk_cli_category;
/* kWh of a summary; NAN: the rig has no such consumer. */
double wsk_cli_category_kwh(const wsk_summary *summary, wsk_cli_category which);
/* The result that holds it in compare.json. */
wsk_result wsk_cli_category_result(wsk_cli_category which);

/* A thousand, a million ... of a counted unit of work, so that its number and its price can be read. */
typedef struct {
    double number, price;             /* units in one: of the number, of the price */
    char number_of[56], price_of[56]; /* "million tokens", in the program's language */
} wsk_cli_units;
/* counted: the unit's name; number: how many of them; price: of one. */
void wsk_cli_scale_units(wsk_cli_units *u, const char *counted, double number, double price);

/* Names of cases without what they have in common, for columns: "82%" of "psu.efficiency=82%". Caller frees each and the
 * array; *head, for the corner of the table, is the common part or "". */
char **wsk_cli_short_names(const char *const *labels, size_t count, char **head);

#endif
