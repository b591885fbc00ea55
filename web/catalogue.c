/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translations in the page; replaces words/mo.c. English texts would be a large part of a catalogue, so build.mjs
 * replaces them by hashes. A catalogue consists of the number of texts (32 bits, little-endian), a hash of 24 bits of
 * each English text (FNV-1a, folded), and the translations in the order of the hashes, each with a NUL at its end. The
 * order is the alphabetical one of the English texts, because it compresses well. build.mjs rejects texts with equal
 * hashes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "words/mo.h"

extern const unsigned char wsk_words_ja[];
extern const size_t wsk_words_ja_len;
const unsigned char wsk_words_ja[] = {0};
const size_t wsk_words_ja_len = sizeof wsk_words_ja;

typedef struct {
    uint32_t hash;
    const char *other;
} word;
enum { WORDS = 4096 };    /* build.mjs rejects a catalogue with more texts */
static word words[WORDS]; /* sorted by hash */
static size_t count;

static int by_hash(const void *a, const void *b)
{
    const uint32_t x = ((const word *)a)->hash, y = ((const word *)b)->hash;
    return (x > y) - (x < y);
}

/* The caller owns the bytes and must keep them unchanged; NULL: no catalogue. */
void wsk_web_words(const unsigned char *bytes);
void wsk_web_words(const unsigned char *bytes)
{
    count = 0;
    if (!bytes)
        return;
    count = (size_t)bytes[0] | (size_t)bytes[1] << 8;
    const unsigned char *hash = bytes + 4;
    const char *other = (const char *)hash + 3 * count;
    for (size_t i = 0; i < count; i++, hash += 3, other += strlen(other) + 1)
        words[i] = (word){(uint32_t)(hash[0] | hash[1] << 8 | hash[2] << 16), other};
    qsort(words, count, sizeof *words, by_hash);
}

const char *wsk_mo_find(const unsigned char *mo, size_t len, const char *english)
{
    (void)mo, (void)len;
    uint32_t hash = 2166136261u;
    for (const unsigned char *p = (const unsigned char *)english; *p; p++)
        hash = (hash ^ *p) * 16777619u;
    const word asked = {.hash = (hash ^ hash >> 24) & 0xffffff},
               *found = bsearch(&asked, words, count, sizeof asked, by_hash);
    return found ? found->other : NULL;
}
