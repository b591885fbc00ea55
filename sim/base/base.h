/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory, diagnostics, text, units, exact time and hashes, for all folders. Begin with this header. Other headers of
 * this folder: said.h and codes.def (messages), units.h (table of units), number.h (decimal numbers), rows.h (text
 * files of rows), json.h (JSON), width.h (columns on a terminal), calendar.h (dates and time zones), loud.h (limits
 * of noise), psychro.h (humid air), slots.h (slots of PCI Express cards). */
#ifndef WSK_BASE_H
#define WSK_BASE_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "wattsink.h"

#define WSK_NS INT64_C(1000000000)
#define WSK_KELVIN 273.15

/* ---- arena: memory of objects that live as long as their owner, freed in one call ---- */
typedef struct wsk_arena wsk_arena;
wsk_arena *wsk_arena_new(void);
void wsk_arena_free(wsk_arena *arena);
/* True if an allocation in the arena failed, or if wsk_arena_fail was called because another allocation for its
 * objects failed. True for NULL. */
bool wsk_arena_failed(const wsk_arena *arena);
void wsk_arena_fail(wsk_arena *arena);
void *wsk_alloc(wsk_arena *arena, size_t size); /* zeroed, 64-byte aligned; NULL when out of memory */
/* Tells the address sanitizer that an allocation of `size` bytes is no longer used, such as a table that has grown into
 * a larger one. Its memory stays until the end of the arena. */
void wsk_arena_drop(const void *allocation, size_t size);
char *wsk_strdup(wsk_arena *arena, const char *s);
char *wsk_printf(wsk_arena *arena, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- diagnostics: messages about input; the library collects them and prints none ---- */
typedef enum { WSK_DIAG_ERROR, WSK_DIAG_WARNING, WSK_DIAG_ADVICE } wsk_severity;
typedef struct {
    wsk_severity severity;
    const char *file;
    int line, column; /* counted from 1; 0: unknown */
    const wsk_said *said;
    const char *message;
} wsk_diag;
typedef struct {
    wsk_arena *arena;
    wsk_diag *items;
    size_t count, room, errors;
} wsk_diags;
void wsk_diags_init(wsk_diags *diags, wsk_arena *arena);
/* Copies the message and the file name. */
void wsk_diag_add(wsk_diags *diags, wsk_severity severity, const char *file, int line, int column,
                  const wsk_said *said);
/* Sorts by file, line and column; equal places keep the order in which they were added. */
void wsk_diags_sort(wsk_diags *diags);

typedef struct {
    char *data;
    size_t len, room;
    bool failed;
} wsk_buf;
/* After each successful call buf->data ends with a NUL, which `len` does not count. */
void wsk_buf_put(wsk_buf *buf, const char *data, size_t len);
/* Length in bytes of the UTF-8 character at the start of a text of `len` bytes; 0: no valid character, or a zero
 * byte. */
size_t wsk_utf8_bytes(const char *text, size_t len);
bool wsk_is_gzip(const char *text, size_t len); /* judged by the first bytes */
/* Judged by the byte order mark or, without one, by the zero bytes of the first two characters (RFC 4627, 3). */
bool wsk_is_utf16(const char *text, size_t len);
/* The byte that ends the lines of a text: LF, or CR where it has no LF, as files of old Macs. */
char wsk_line_end(const char *text, size_t len);
/* True for a byte that continues a UTF-8 character. */
static inline bool wsk_utf8_inside(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}
size_t wsk_utf8_mark(const char *text, size_t len); /* length of a leading UTF-8 byte order mark, else 0 */
/* Length of the longest beginning of a text that has at most `most` bytes and does not end within a UTF-8
 * character. */
size_t wsk_utf8_cut(const char *text, size_t most);
const char *wsk_utf8_tail(const char *text, size_t most);
/* Appends text as a JSON string in quotes; NULL: null. Bytes that are not UTF-8, as in a file name, become U+FFFD. */
void wsk_buf_json(wsk_buf *buf, const char *text);
void wsk_buf_printf(wsk_buf *buf, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void wsk_buf_free(wsk_buf *buf);
/* Appends the text with the symbols that our sentences use replaced by ASCII: "degC" for "°C", "-" for "−", "+-" for
 * "±". Other characters, such as those of file names, are kept. */
void wsk_ascii(wsk_buf *out, const char *text);
/* True if both texts are equal, or both are NULL. */
bool wsk_same_text(const char *a, const char *b);
/* Edit distance (insert, delete, replace, swap of neighbours) of the first 64 bytes; ASCII case is ignored. */
unsigned wsk_distance(const char *a, const char *b);
const char *wsk_nearest(const char *word, const char *const *list);

/* ---- numbers and units: independent of the C locale ---- */
/* snprintf and vsnprintf with a decimal point in every locale; -1 also without memory. */
int wsk_print(char *out, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int wsk_vprint(char *out, size_t size, const char *fmt, va_list args) __attribute__((format(printf, 3, 0)));
/* Parses a decimal number at s (no hex, inf or nan) and sets *end behind it. False: s does not begin with a number
 * (*end == s), or the number overflows a double. */
bool wsk_parse_number(const char *s, const char **end, double *value);
/* The number at s; a leading '+' is no number. No number: returns NAN and sets *end to s. Overflow: +-infinity. */
double wsk_number_at(const char *s, const char **end);
/* Writes the shortest text that reads back as the same double, with a point in each locale; at most 32 bytes with the
 * NUL. */
int wsk_format_number(char *out, size_t size, double value);

/* Dimensions. Values are in SI units, except where a comment here names another unit. */
typedef enum {
    WSK_DIM_NONE,
    WSK_DIM_FRACTION, /* "82 %" or plain 0.82 */
    WSK_DIM_COUNT,
    WSK_DIM_POWER,
    WSK_DIM_TEMPERATURE, /* K inside the program; degC, degF, K in files and output */
    WSK_DIM_TEMP_DIFF,
    WSK_DIM_TIME,
    WSK_DIM_LENGTH,
    WSK_DIM_AREA,
    WSK_DIM_VOLUME,
    WSK_DIM_FLOW,
    WSK_DIM_PRESSURE,
    WSK_DIM_SPEED, /* rpm */
    WSK_DIM_FREQUENCY,
    WSK_DIM_CONDUCTANCE,
    WSK_DIM_RESISTANCE,
    WSK_DIM_CAPACITY,
    WSK_DIM_VOLTAGE,
    WSK_DIM_CURRENT,
    WSK_DIM_PER_KELVIN,
    WSK_DIM_PER_FREQ,
    WSK_DIM_POWER_PER_FREQ,
    WSK_DIM_FREQ_PER_K,
    WSK_DIM_MASS,
    WSK_DIM_DATA,
    WSK_DIM_DATA_RATE,
    WSK_DIM_PRICE,
    WSK_DIM_ENERGY_PRICE, /* currency per J */
    WSK_DIM_CARBON,       /* kg per J */
    WSK_DIM_SOUND,        /* dBA */
    WSK_DIM_ENERGY,
    WSK_DIM_POWER_PRICE, /* currency per W: "28.44 USD/kW" */
    WSK_DIM_COUNT_
} wsk_dim;
typedef struct {
    const char *unit; /* text of the SI unit in which values are kept: "K" */
    const char *name;
    const char *fits;
    const char *edge; /* unit in which files and output state values: "W", "degC" */
} wsk_dim_info;
const wsk_dim_info *wsk_dim_about(wsk_dim dim);

typedef enum {
    WSK_UNIT_OK,
    WSK_UNIT_NOT_A_NUMBER,
    WSK_UNIT_MISSING,
    WSK_UNIT_UNKNOWN,
    WSK_UNIT_WRONG,
    WSK_UNIT_OVERFLOW
} wsk_unit_result;
/* Reads a quantity such as "350 W" (the space may be missing) and converts it to SI. `currency` (8 bytes) receives
 * the ISO label of a price. On failure *at is the offset in `text` of the mistake; on WSK_UNIT_WRONG *means is the
 * dimension of the unit found. `currency`, `at` and `means` may be NULL. */
wsk_unit_result wsk_parse_quantity(const char *text, wsk_dim dim, double *si, char currency[8], size_t *at,
                                   wsk_dim *means);
/* Reads a time of day, "16:00" or "16 h", as seconds from midnight: a whole number from 0 to 86400. */
bool wsk_parse_day_time(const char *text, double *second);
/* Writes an SI value in the unit wsk_dim_info.edge, or in the SI unit if only that reads back as the same double. */
int wsk_format_quantity(char *out, size_t size, double si, wsk_dim dim, const char *currency);
/* Writes a limit for people: temperatures in degC and lengths of a metre or more in m, with at most six digits; other
 * values as wsk_format_quantity does. */
void wsk_format_bound(char *out, size_t size, double si, wsk_dim dim, const char *currency);

/* Reads "2026-08-03T09:00:00", "2026-08-03T09:00" or "2026-08-03" as seconds since 1970 by the local clock; false: no
 * valid date. */
bool wsk_parse_datetime(const char *s, int64_t *civil_s);
void wsk_format_datetime(char out[24], int64_t civil_s);

uint64_t wsk_hash(uint64_t seed, const void *data, size_t len);
#define WSK_HASH_EMPTY UINT64_C(0xcbf29ce484222325)
uint64_t wsk_hash_more(uint64_t hash, const void *data, size_t len);
uint64_t wsk_hash_words(const void *data, size_t len); /* by words of 8 bytes: faster than the other two (FNV-1a) */
/* SHA-256 (FIPS 180-4) of bytes that are added in pieces. wsk_sha256_end gives the digest of the bytes added so far;
 * further bytes may be added after it. */
enum { WSK_SHA256 = 32 };
typedef struct {
    uint32_t h[8];
    uint64_t len;
    unsigned char rest[64];
} wsk_sha256;
void wsk_sha256_start(wsk_sha256 *sum);
void wsk_sha256_add(wsk_sha256 *sum, const void *data, size_t len);
void wsk_sha256_end(wsk_sha256 sum, unsigned char digest[WSK_SHA256]);
/* True if the last WSK_SHA256 bytes are the digest of the bytes before them. */
bool wsk_sha256_fits(const char *bytes, size_t len);
/* exp(x) by a polynomial of our own: the same bits with each compiler and C library. 0 below -746, infinite above
 * 710. */
double wsk_exp(double x);
/* Compensated (Neumaier) sum: comp collects the rounding errors of the additions. */
typedef struct {
    double sum, comp;
} wsk_sum;
static inline void wsk_sum_add(wsk_sum *s, double x)
{
    double t = s->sum + x, of_x = t - s->sum;
    s->comp += (s->sum - (t - of_x)) + (x - of_x);
    s->sum = t;
}
static inline double wsk_sum_value(const wsk_sum *s)
{
    return s->sum + s->comp;
}
/* Minimum and maximum, inlined because calls of fmin and fmax cost time. If b is NaN, the result is a. */
static inline double wsk_min(double a, double b)
{
    return b < a ? b : a;
}
static inline double wsk_max(double a, double b)
{
    return b > a ? b : a;
}
/* Pseudorandom number in [0, 1): depends on (seed, a, b) only, not on earlier calls. */
double wsk_random(uint64_t seed, uint64_t a, uint64_t b);

/* Real time since a fixed moment, s. Results never depend on it. */
double wsk_clock(void);

#endif
