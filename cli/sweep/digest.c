/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/sweep/digest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/base.h"

uint64_t wsk_digest_add(uint64_t hash, char type, uint64_t value)
{
    unsigned char bytes[9] = {(unsigned char)type};
    for (int i = 0; i < 8; i++)
        bytes[1 + i] = (unsigned char)(value >> 8 * i);
    return wsk_hash_more(hash, bytes, sizeof bytes);
}

uint64_t wsk_digest_number(uint64_t hash, double number)
{
    uint64_t bits;
    number += 0; /* SQLite may store -0 as 0 */
    memcpy(&bits, &number, sizeof bits);
    return isnan(number) ? wsk_digest_add(hash, 'n', 0) : wsk_digest_add(hash, 'r', bits);
}

uint64_t wsk_digest_bytes(uint64_t hash, char type, const void *bytes, size_t len)
{
    hash = wsk_digest_add(hash, type, len);
    return len ? wsk_hash_more(hash, bytes, len) : hash;
}

void wsk_digest_print(char out[WSK_DIGEST_TEXT], uint64_t hash)
{
    snprintf(out, WSK_DIGEST_TEXT, "%016llx", (unsigned long long)hash);
}
