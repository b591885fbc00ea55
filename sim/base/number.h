/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decimal numbers times a power of ten, rounded once: how "20.32 mm" becomes the double nearest to 0.02032. */
#ifndef WSK_BASE_NUMBER_H
#define WSK_BASE_NUMBER_H
#include <stdbool.h>
#include <stddef.h>

/* The number at s times 10^exp10, correctly rounded. False: no number (*end == s), or it overflows (*end behind it). */
bool wsk_scan_scaled(const char *s, const char **end, int exp10, double *value);
/* value / 10^exp10 as the shortest text from which wsk_scan_scaled with the same exp10 gets value back. */
int wsk_print_scaled(char *out, size_t size, double value, int exp10);
/* value rounded to `places` (1 to 17) significant digits, trailing zeros dropped. */
int wsk_print_places(char *out, size_t size, double value, int places);

#endif
