/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `check` says of the loss of one circuit of several, and of the battery of a UPS in an outage of all. */
#include "sim/api.h"
#include "tests/support/said.h"
#include "tests/verify/supplies.h"

#define PSU_OF(id, more) \
    "<psu id='" id "' kind='constant' rated='1500 W' efficiency='90 %' imbalance='0 %' " more "/>"
#define UPS_OF(rated) "<ups rated='" rated "' battery='500 Wh'/>"
#define TWO_CIRCUITS(ups, other, psus) \
    "<rig><site supply='200 V'><room temperature='21 degC'/>" ups "<branch id='k' circuit='20 A'>" other \
    "</branch></site><chassis>" psus "<load dc='1000 W'/></chassis><run for='2 h'/></rig>"
#define REDUNDANT PSU_OF("a", "redundant='yes'") PSU_OF("b", "redundant='yes' on='k'")
#define CARD \
    "<gpu id='g' slot='1' tdp='250 W' clock-max='1900 MHz' clock-knee='1400 MHz' voltage-slope='0.6 1/GHz'><cooler " \
    "kind='open-air'/></gpu>"

/* The efficiency is constant: 500 W / 0.9 from each PSU, and 1000 W / 0.9 from the one on the battery when the other
 * circuit has no mains, either. */
static void outages(void **state)
{
    (void)state;
    static const wsk_test_checked rows[] = {
        {"a UPS on one of two circuits with redundant PSUs",
         TWO_CIRCUITS(UPS_OF("1500 W"), "", REDUNDANT),
         {"UPS battery: about ", " min at 556 W", "UPS battery in an outage of all circuits: about ",
          " min at 1111 W"},
         {"overloaded"}},
        {"a UPS that an outage overloads",
         TWO_CIRCUITS(UPS_OF("1000 W"), "", REDUNDANT),
         {" min at 556 W", "UPS in an outage of all circuits: overloaded, 111 % of its rating at 1111 W"},
         {"outage of all circuits: about "}},
        {"a UPS whose machine stops in an outage, because the PSU of its card is on the other circuit",
         TWO_CIRCUITS(UPS_OF("1500 W"), "", REDUNDANT PSU_OF("c", "on='k' feeds='g'") CARD),
         {" min at "},
         {"an outage"}},
        {"a UPS on each circuit",
         TWO_CIRCUITS(UPS_OF("1500 W"), UPS_OF("1500 W"), REDUNDANT),
         {" min at 556 W"},
         {"an outage"}}};
    wsk_test_check_says(rows, sizeof rows / sizeof *rows);
}

/* Circuit k stops one machine. The other goes on with 900 W / 0.9 from the site's circuit, of 800 VA. */
static void stops_one_of_two(void **state)
{
    (void)state;
#define TWO_MACHINES(amperes) \
    "<rig><site supply='200 V' circuit='" amperes \
    "'><room temperature='21 degC'/><branch id='k' circuit='20 A'/></site>" \
    "<chassis id='m'>" REDUNDANT "<load dc='900 W'/></chassis><chassis id='n'>" PSU_OF( \
        "c", "on='k'") "<load dc='300 W'/></chassis><run for='2 h'/></rig>"
    static const wsk_test_checked rows[] = {
        {"one machine stops and the other overloads its circuit",
         TWO_MACHINES("4 A"),
         {"if circuit k goes off, machines that stop: n\n",
          "Advice: if circuit k goes off, circuit site is 125 % used"},
         {"machines that stop: m"}},
        {"one machine stops and the other carries on",
         TWO_MACHINES("10 A"),
         {"if circuit k goes off, machines that stop: n\n",
          "if circuit k goes off, redundant PSUs on the others carry on: up to 60 % of a PSU, 50 % of circuit site"},
         {"Advice"}}};
    wsk_test_check_says(rows, sizeof rows / sizeof *rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(outages), cmocka_unit_test(stops_one_of_two)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
