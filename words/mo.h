/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_WORDS_MO_H
#define WSK_WORDS_MO_H
#include <stddef.h>

/* Returns the translation of `msgid`, an English text. The result points into the catalogue `mo`. NULL: there is no
 * translation, or `mo` is not a valid catalogue. Every offset is checked, so a damaged catalogue cannot cause a read
 * outside `mo`. */
const char *wsk_mo_find(const unsigned char *mo, size_t len, const char *msgid);
#endif
