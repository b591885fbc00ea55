/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decimal numbers times a power of ten, rounded once, so that "20.32 mm" becomes the double nearest to 0.02032. */
#ifndef WSK_BASE_NUMBER_H
#define WSK_BASE_NUMBER_H
#include <stdbool.h>
#include <stddef.h>

/* Reads the number at s times 10^exp10, correctly rounded. False: there is no number at s (*end == s), or it
 * overflows a double (*end is behind the number). */
bool wsk_scan_scaled(const char *s, const char **end, int exp10, double *value);
/* Writes value / 10^exp10 as the shortest text from which wsk_scan_scaled with the same exp10 reads value. Returns
 * its length. */
int wsk_print_scaled(char *out, size_t size, double value, int exp10);
/* Writes value rounded to `places` (1 to 17) significant digits without trailing zeros. Returns its length. */
int wsk_print_places(char *out, size_t size, double value, int places);

#endif
