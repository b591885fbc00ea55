/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a catalogue of translations as msgfmt writes it (GNU gettext's .mo file), from memory. */
#ifndef WSK_WORDS_MO_H
#define WSK_WORDS_MO_H
#include <stddef.h>

/* The translation of `msgid`, a text within `mo`; NULL: there is none, or the bytes are no such catalogue. Every offset is
 * checked, so that a damaged catalogue gives NULL as well. */
const char *wsk_mo_find(const unsigned char *mo, size_t len, const char *msgid);
#endif
