/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translations in the page; replaces words/mo.c. English texts would be half of a catalogue, so build.mjs replaces
 * them by hashes. A catalogue consists of the number of texts, the FNV-1a hashes of the English texts in ascending
 * order, the offset of each translation behind these tables (all 32 bits, little-endian), and the translations.
 * build.mjs rejects texts with equal hashes. */
#include <stdint.h>
#include <string.h>

#include "words/mo.h"

extern const unsigned char wsk_words_ja[];
extern const size_t wsk_words_ja_len;
const unsigned char wsk_words_ja[] = {0};
const size_t wsk_words_ja_len = sizeof wsk_words_ja;

static const unsigned char *table;

/* Sets the catalogue. The caller owns it and must keep it unchanged; NULL: no catalogue. */
void wsk_web_words(const unsigned char *bytes);
void wsk_web_words(const unsigned char *bytes)
{
    table = bytes;
}

static uint32_t word_at(size_t i)
{
    uint32_t v;
    memcpy(&v, table + 4 * i, sizeof v); /* WebAssembly is little-endian, as the catalogue */
    return v;
}

const char *wsk_mo_find(const unsigned char *mo, size_t len, const char *english)
{
    (void)mo, (void)len;
    uint32_t hash = 2166136261u;
    if (!table)
        return NULL;
    for (const unsigned char *p = (const unsigned char *)english; *p; p++)
        hash = (hash ^ *p) * 16777619u;
    size_t count = word_at(0), low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (word_at(1 + middle) < hash)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == count || word_at(1 + low) != hash)
        return NULL;
    return (const char *)table + 4 * (1 + 2 * count) + word_at(1 + count + low);
}
