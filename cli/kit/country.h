/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values by country for rigs that a command writes: sockets, price and carbon of electricity, climate. */
#ifndef WSK_CLI_COUNTRY_H
#define WSK_CLI_COUNTRY_H
#include "cli/kit/cli.h"

/* A circuit of a country. */
typedef struct {
    const char *supply, *circuit, *words, *outlet; /* outlet: its rating where that is the smaller; NULL: it is not */
    double limit_w;                                /* continuous power, W; 1e9: taken for any larger load */
} wsk_cli_socket;
/* A country: circuits, the smallest first, price and carbon of its electricity as elements, and the outdoor air of a
 * summer month (assumed:
 * round values of a large city; swing: half of the range of a day). */
typedef struct {
    const char *code;
    const wsk_cli_socket *sockets;
    const char *tariff, *carbon, *mean, *swing;
} wsk_cli_country;

/* The country with this code, or "uk" for gb; "": a place of round values. NULL, after a message: there is none. */
const wsk_cli_country *wsk_cli_find_country(const wsk_cli_command *command, const char *code);
/* The smallest circuit of the country that carries the load, W, through a Gold PSU. */
const wsk_cli_socket *wsk_cli_choose_socket(const wsk_cli_country *land, double load_w);
/* Writes the element <site> with a room whose air conditioner carries the load, W. */
void wsk_cli_write_site(FILE *out, const wsk_cli_country *land, const wsk_cli_socket *socket, double load_w);

#endif
