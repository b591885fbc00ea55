/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/base/base.h"

#define PRIME UINT64_C(0x100000001b3)

/* FNV-1a by Fowler, Noll and Vo, 64 bits (RFC 9923). The published hash starts from WSK_HASH_EMPTY. */
uint64_t wsk_hash_more(uint64_t hash, const void *data, size_t len)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ p[i]) * PRIME;
    return hash;
}

uint64_t wsk_hash(uint64_t seed, const void *data, size_t len)
{
    return wsk_hash_more(WSK_HASH_EMPTY ^ seed, data, len);
}

static uint64_t mix_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * PRIME;
    return hash ^ (hash >> 32);
}

uint64_t wsk_hash_words(const void *data, size_t len)
{
    const char *bytes = data;
    uint64_t hash = WSK_HASH_EMPTY, word;
    size_t whole = len - len % sizeof word;
    for (size_t i = 0; i < whole; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        hash = mix_word(hash, word);
    }
    if (whole < len) {
        word = 0;
        memcpy(&word, bytes + whole, len - whole);
        hash = mix_word(hash, word);
    }
    return hash ^ len;
}

static double power_of_two(int k)
{
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Splits x = k ln 2 + r with |r| <= ln(2)/2 and takes the Taylor series of exp(r) to degree 13, whose remainder is
 * below 5e-18. ln 2 is split into head and tail so that k times the head is exact. Adding and subtracting 1.5 x 2^52
 * rounds to an integer. The build forbids fused multiply-add, so that each operation is one IEEE rounding. */
double wsk_exp(double x)
{
    static const double rounder = 0x1.8p52;
    static const double log2_e = 0x1.71547652b82fep+0, ln2_head = 0x1.62e42feep-1, ln2_tail = 0x1.a39ef35793c76p-33;
    static const double c[12] = {1.0 / 2,         1.0 / 6,          1.0 / 24,          1.0 / 120,
                                 1.0 / 720,       1.0 / 5040,       1.0 / 40320,       1.0 / 362880,
                                 1.0 / 3628800.0, 1.0 / 39916800.0, 1.0 / 479001600.0, 1.0 / 6227020800.0};
    if (isnan(x))
        return x;
    if (x > 710)
        return INFINITY;
    if (x < -746)
        return 0;
    double k = (x * log2_e + rounder) - rounder;
    double r = (x - k * ln2_head) - k * ln2_tail;
    double r2 = r * r, even = c[10], odd = c[11];
    for (int i = 8; i >= 0; i -= 2) {
        even = even * r2 + c[i];
        odd = odd * r2 + c[i + 1];
    }
    double y = 1 + (r + r2 * (even + r * odd));
    int n = (int)k, half = n / 2;
    return y * power_of_two(half) * power_of_two(n - half);
}

/* Finaliser of splitmix64 (Steele, Lea and Flood 2014) with the constants of Stafford's variant 13. */
static uint64_t mix_bits(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

double wsk_random(uint64_t seed, uint64_t a, uint64_t b)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t h = mix_bits(seed + golden);
    h = mix_bits((h ^ a) + golden);
    h = mix_bits((h ^ b) + golden);
    return (double)(h >> 11) * 0x1p-53;
}
