/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_BASE_UNITS_H
#define WSK_BASE_UNITS_H
#include "sim/base/base.h"

#define WSK_UNIT_BYTES 16 /* bytes that hold each unit text, NUL included */

/* SI = (number x 10^exp10 + before) x mul / div + after */
typedef struct {
    const char *text; /* name in plain ASCII: "u" for micro, "deg" for the degree sign, no "^" */
    wsk_dim dim;
    int exp10;
    double mul, div, before, after;
} wsk_unit;

/* Prices have no entry, because their units are currency labels such as "EUR". The entry of an energy price is the
 * part after the label, "/kWh". If one text has several entries, error messages name the dimension of the first. */
extern const wsk_unit wsk_units[];
extern const size_t wsk_unit_count;

/* Returns low or high if the value differs from this limit only by rounding, else the value. */
double wsk_at_limit(double value, double low, double high);

#endif
