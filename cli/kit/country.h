/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values by country for rigs that a command writes: sockets, price and carbon of electricity, climate. */
#ifndef WSK_CLI_COUNTRY_H
#define WSK_CLI_COUNTRY_H
#include "cli/kit/cli.h"

/* A kind of circuit in a country. supply: mains voltage; circuit: rating of the breaker; words: description. */
typedef struct {
    /* outlet: rating of the outlet if it is below the circuit's, else NULL */
    const char *supply, *circuit, *words, *outlet;
    /* largest continuous load at the mains, VA; 1e9 for the last circuit, which is chosen for any larger load */
    double limit_w;
} wsk_cli_socket;
/* A country: its circuits, the smallest first; attributes of the elements <tariff> and <carbon> for its electricity;
 * mean and swing of the outdoor temperature in a summer month. The temperatures are assumed: round values of a large
 * city. swing: half of the daily range. */
typedef struct {
    const char *code;
    const wsk_cli_socket *sockets;
    const char *tariff, *carbon, *mean, *swing;
} wsk_cli_country;

/* Returns the country with this code; "uk" means gb, and "" a made-up place with round values. NULL, after printing a
 * message: there is no such code. */
const wsk_cli_country *wsk_cli_find_country(const wsk_cli_command *command, const char *code);
/* The smallest circuit of the country that carries a PSU (80 PLUS Gold) with the DC load load_w, W. */
const wsk_cli_socket *wsk_cli_choose_socket(const wsk_cli_country *land, double load_w);
/* Writes the element <site> with a circuit and a room whose air conditioner can remove 1.5 times the load, W. */
void wsk_cli_write_site(FILE *out, const wsk_cli_country *land, const wsk_cli_socket *socket, double load_w);

#endif
