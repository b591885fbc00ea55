/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256 (FIPS 180-4). */
#include <string.h>

#include "sim/base/base.h"

static uint32_t turned(uint32_t x, int bits)
{
    return x >> bits | x << (32 - bits);
}

static void take_block(uint32_t sum[8], const unsigned char *p)
{
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    uint32_t w[64], a = sum[0], b = sum[1], c = sum[2], d = sum[3], e = sum[4], f = sum[5], g = sum[6], h = sum[7];
    for (int i = 0; i < 16; i++, p += 4)
        w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    for (int i = 16; i < 64; i++) {
        const uint32_t x = w[i - 15], y = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (turned(x, 7) ^ turned(x, 18) ^ x >> 3) +
               (turned(y, 17) ^ turned(y, 19) ^ y >> 10);
    }
    for (int i = 0; i < 64; i++) {
        const uint32_t x = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i],
                       y = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + x;
        d = c, c = b, b = a, a = x + y;
    }
    sum[0] += a, sum[1] += b, sum[2] += c, sum[3] += d;
    sum[4] += e, sum[5] += f, sum[6] += g, sum[7] += h;
}

void wsk_sha256_start(wsk_sha256 *sum)
{
    *sum = (wsk_sha256){
        .h = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void wsk_sha256_add(wsk_sha256 *sum, const void *data, size_t len)
{
    if (len == 0)
        return;
    const unsigned char *p = data;
    const size_t used = (size_t)(sum->len % 64), first = used == 0 ? 0 : len < 64 - used ? len : 64 - used;
    sum->len += len;
    memcpy(sum->rest + used, p, first);
    if (first > 0 && used + first == 64)
        take_block(sum->h, sum->rest);
    for (p += first, len -= first; len >= 64; p += 64, len -= 64)
        take_block(sum->h, p);
    if (len > 0)
        memcpy(sum->rest, p, len);
}

void wsk_sha256_end(wsk_sha256 sum, unsigned char digest[WSK_SHA256])
{
    static const unsigned char mark[64] = {0x80};
    const uint64_t bits = 8 * sum.len;
    unsigned char length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    wsk_sha256_add(&sum, mark, 1 + (size_t)(119 - sum.len % 64) % 64);
    wsk_sha256_add(&sum, length, sizeof length);
    for (int i = 0; i < WSK_SHA256; i++)
        digest[i] = (unsigned char)(sum.h[i / 4] >> (24 - 8 * (i % 4)));
}

bool wsk_sha256_fits(const char *bytes, size_t len)
{
    unsigned char digest[WSK_SHA256];
    wsk_sha256 sum;
    if (len < sizeof digest)
        return false;
    wsk_sha256_start(&sum);
    wsk_sha256_add(&sum, bytes, len - sizeof digest);
    wsk_sha256_end(sum, digest);
    return memcmp(bytes + len - sizeof digest, digest, sizeof digest) == 0;
}
