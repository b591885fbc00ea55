/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/kit/country.h"

#include <math.h>
#include <string.h>

static const wsk_cli_socket anywhere[] = {
    {"120 V", "15 A", "15 A at 120 V carry 1440 W all day", NULL, 1440},
    {"230 V", "16 A", "16 A at 230 V; a 120 V, 15 A circuit carries 1440 W all day", NULL, 3680},
    {"230 V", "32 A", "32 A at 230 V carry 7360 W all day", NULL, 7360},
    {"230 V", "63 A", "63 A at 230 V carry 14.5 kW all day", NULL, 1e9}};
static const wsk_cli_socket american[] = {{"120 V", "15 A", "15 A at 120 V carry 1440 W all day", NULL, 1440},
                                          {"120 V", "20 A", "20 A at 120 V carry 1920 W all day", NULL, 1920},
                                          {"240 V", "30 A", "30 A at 240 V carry 5760 W all day", NULL, 5760},
                                          {"240 V", "50 A", "50 A at 240 V carry 9600 W all day", NULL, 9600},
                                          {"240 V", "100 A", "100 A at 240 V carry 19.2 kW all day", NULL, 1e9}};
static const wsk_cli_socket japanese[] = {
    {"100 V", "20 A", "an outlet of 15 A at 100 V, on a breaker of 20 A, carries 1500 W", "15 A", 1500},
    {"200 V", "20 A", "20 A at 200 V carry 4000 W", NULL, 4000},
    {"200 V", "30 A", "30 A at 200 V carry 6000 W", NULL, 6000},
    {"200 V", "60 A", "60 A at 200 V carry 12 kW", NULL, 1e9}};
static const wsk_cli_socket european[] = {{"230 V", "16 A", "16 A at 230 V carry 3680 W", NULL, 3680},
                                          {"230 V", "32 A", "32 A at 230 V carry 7360 W", NULL, 7360},
                                          {"230 V", "63 A", "63 A at 230 V carry 14.5 kW", NULL, 1e9}};
static const wsk_cli_socket british[] = {
    {"230 V", "32 A", "a fused plug of 13 A at 230 V carries 2990 W", "13 A", 2990},
    {"230 V", "32 A", "32 A at 230 V carry 7360 W", NULL, 7360},
    {"230 V", "63 A", "63 A at 230 V carry 14.5 kW", NULL, 1e9}};
#define OF_PARTS(code) "part=\"tariff/flat-" code "\"", "part=\"carbon/" code "\""
static const wsk_cli_country countries[] = {
    {"", anywhere, "kind=\"flat\" price=\"0.16 USD/kWh\"", "intensity=\"0.369 kg/kWh\"", "20 degC", "5 K"},
    {"us", american, OF_PARTS("us"), "24 degC", "6 K"},
    {"jp", japanese, OF_PARTS("jp"), "27 degC", "4 K"},
    {"de", european, OF_PARTS("de"), "20 degC", "5 K"},
    {"fr", european, OF_PARTS("fr"), "21 degC", "5 K"},
    {"it", european, OF_PARTS("it"), "26 degC", "6 K"},
    {"dk", european, OF_PARTS("dk"), "18 degC", "4 K"},
    {"gb", british, OF_PARTS("gb"), "19 degC", "5 K"}};
enum { COUNTRIES = sizeof countries / sizeof *countries };

const wsk_cli_socket *wsk_cli_choose_socket(const wsk_cli_country *land, double load_w)
{
    /* mains VA per W of DC load, from the efficiency of a Gold PSU and its power factor */
    const double va_per_w = 1.18;
    const wsk_cli_socket *s = land->sockets;
    while (load_w * va_per_w > s->limit_w)
        s++;
    return s;
}

void wsk_cli_write_site(FILE *out, const wsk_cli_country *land, const wsk_cli_socket *s, double load_w)
{
    fprintf(out, "  <!-- The socket: %s. -->\n  <site supply=\"%s\" circuit=\"%s\"", s->words, s->supply, s->circuit);
    if (s->outlet)
        fprintf(out, " outlet=\"%s\"", s->outlet);
    fprintf(out,
            ">\n"
            "    <!-- What the rig's heat goes into. Leave the air conditioner out if there is none. -->\n"
            "    <room volume=\"30 m3\" conductance=\"40 W/K\">\n"
            "      <outdoor mean=\"%s\" swing=\"%s\"/>\n"
            "      <air-conditioner capacity=\"%.1f kW\" setpoint=\"26 degC\"/>\n"
            "    </room>\n"
            "    <tariff %s/>\n"
            "    <carbon %s/>\n"
            "  </site>\n",
            land->mean, land->swing, ceil(load_w * 1.5 / 500) * 0.5, land->tariff, land->carbon);
}

const wsk_cli_country *wsk_cli_find_country(const wsk_cli_command *command, const char *code)
{
    const char *codes[COUNTRIES] = {0};
    char hint[80];
    code = strcmp(code, "uk") ? code : "gb";
    for (size_t i = 0; i < COUNTRIES; i++)
        if (!strcmp(countries[i].code, code))
            return &countries[i];
    for (size_t i = 1; i < COUNTRIES; i++)
        codes[i - 1] = countries[i].code;
    wsk_cli_usage(command, T_("--country '%s': expected us, jp, de, fr, it, dk or gb%s"), code,
                  wsk_cli_hint(hint, sizeof hint, code, codes, ""));
    return NULL;
}
