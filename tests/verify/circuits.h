/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rigs on circuits of 120 V, with a PSU without losses, so that their powers are known. */
#ifndef WSK_TESTS_CIRCUITS_H
#define WSK_TESTS_CIRCUITS_H
#include "tests/support/bench.h"

#define GRID "<vent at='front' area='900 cm2'/>"
#define SITE(circuits) \
    "<rig><site supply='120 V' circuit='15 A'><room temperature='21 degC'/>" circuits "</site><chassis>" GRID
#define IDEAL(more) "<psu kind='constant' rated='3 kW' efficiency='100 %' power-factor='100 %' " more "/>"
#define END "</chassis><run for='2 h'/></rig>"

#endif
