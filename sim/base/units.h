/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of units. */
#ifndef WSK_BASE_UNITS_H
#define WSK_BASE_UNITS_H
#include "sim/base/base.h"

#define WSK_UNIT_BYTES 16 /* the longest unit text with its NUL fits */

/* SI = (number x 10^exp10 + before) x mul / div + after. Integers in mul and div keep it to one or two roundings. */
typedef struct {
    const char *text; /* plain ASCII: "u" for micro, "deg" for the degree sign, no "^" */
    wsk_dim dim;
    int exp10;
    double mul, div, before, after;
} wsk_unit;

/* Prices have no entry: their units are currency labels. The entry of an energy price is what follows the label,
 * "/kWh". The first entry of a text names the dimension that messages speak of. */
extern const wsk_unit wsk_units[];
extern const size_t wsk_unit_count;

#endif
