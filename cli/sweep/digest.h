/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The digest of a row of a sweep's file: FNV-1a (wsk_hash_more) over its cells in their order, from WSK_HASH_EMPTY. A
 * cell is a letter for its type, eight bytes for its value or its length, and the bytes of a text. It is the same on
 * every machine. */
#ifndef WSK_SWEEP_DIGEST_H
#define WSK_SWEEP_DIGEST_H
#include <stddef.h>
#include <stdint.h>

/* type: 'i' with a whole number, 'n' with 0 for NULL */
uint64_t wsk_digest_add(uint64_t hash, char type, uint64_t value);
/* NAN is stored as NULL. */
uint64_t wsk_digest_number(uint64_t hash, double number);
/* type: 't' for a text, 'b' for other bytes */
uint64_t wsk_digest_bytes(uint64_t hash, char type, const void *bytes, size_t len);
enum { WSK_DIGEST_TEXT = 17 };
void wsk_digest_print(char out[WSK_DIGEST_TEXT], uint64_t hash);

#endif
