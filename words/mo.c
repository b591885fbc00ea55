/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds a translation in a catalogue by binary search. Format: GNU gettext manual, "The Format of GNU MO Files". The
 * header holds the magic number, the revision, the number of texts and the offsets of two tables of (length, offset).
 * The first table lists the English texts in ascending order, the second their translations. */
#include "words/mo.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { HEADER_BYTES = 28, ENTRY_BYTES = 8 };

typedef struct {
    const unsigned char *bytes;
    size_t len;
    bool big_endian;
    uint32_t count, english, translated;
} catalogue;

static uint32_t read_u32(const catalogue *c, size_t at)
{
    const unsigned char *b = c->bytes + at;
    return c->big_endian ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]
                         : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

static bool table_fits(const catalogue *c, uint32_t at)
{
    return at <= c->len && c->count <= (c->len - at) / ENTRY_BYTES;
}

static bool open_catalogue(catalogue *c, const unsigned char *mo, size_t len)
{
    static const unsigned char little[] = {0xde, 0x12, 0x04, 0x95}, big[] = {0x95, 0x04, 0x12, 0xde};
    *c = (catalogue){.bytes = mo, .len = len};
    if (!mo || len < HEADER_BYTES)
        return false;
    c->big_endian = memcmp(mo, big, sizeof big) == 0;
    if (!c->big_endian && memcmp(mo, little, sizeof little) != 0)
        return false;
    c->count = read_u32(c, 8);
    c->english = read_u32(c, 12);
    c->translated = read_u32(c, 16);
    return read_u32(c, 4) >> 16 == 0 && table_fits(c, c->english) && table_fits(c, c->translated);
}

static const char *text_at(const catalogue *c, uint32_t table, uint32_t i)
{
    size_t entry = table + (size_t)i * ENTRY_BYTES;
    uint32_t len = read_u32(c, entry), at = read_u32(c, entry + 4);
    if (at >= c->len || len >= c->len - at || c->bytes[at + len] != '\0')
        return NULL;
    return (const char *)c->bytes + at;
}

const char *wsk_mo_find(const unsigned char *mo, size_t len, const char *msgid)
{
    catalogue c;
    if (!open_catalogue(&c, mo, len))
        return NULL;
    for (uint32_t low = 0, high = c.count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        const char *english = text_at(&c, c.english, middle);
        if (!english)
            return NULL;
        int order = strcmp(msgid, english);
        if (order == 0)
            return text_at(&c, c.translated, middle);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
