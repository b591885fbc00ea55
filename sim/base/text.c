/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/base.h"

#define WORD_MAX 64u

static bool reserve_bytes(wsk_buf *buf, size_t more)
{
    if (buf->failed)
        return false;
    if (more >= SIZE_MAX / 2 - buf->len) {
        buf->failed = true;
        return false;
    }
    size_t need = buf->len + more + 1;
    if (need <= buf->room)
        return true;
    size_t room = buf->room ? buf->room : 256;
    while (room < need)
        room *= 2;
    char *data = realloc(buf->data, room);
    if (!data) {
        buf->failed = true;
        return false;
    }
    buf->data = data;
    buf->room = room;
    return true;
}

void wsk_buf_put(wsk_buf *buf, const char *data, size_t len)
{
    if (!reserve_bytes(buf, len))
        return;
    if (len)
        memcpy(buf->data + buf->len, data, len);
    buf->len += len;
    buf->data[buf->len] = '\0';
}

size_t wsk_utf8_cut(const char *text, size_t most)
{
    size_t len = strlen(text);
    if (len > most)
        for (len = most; len > 0 && wsk_utf8_inside(text[len]);)
            len--;
    return len;
}

const char *wsk_utf8_tail(const char *text, size_t most)
{
    size_t len = strlen(text), from = len > most ? len - most : 0;
    while (from && wsk_utf8_inside(text[from]))
        from++;
    return text + from;
}

bool wsk_is_gzip(const char *text, size_t len)
{
    return len >= 2 && memcmp(text, "\x1F\x8B", 2) == 0;
}

bool wsk_is_utf16(const char *text, size_t len)
{
    const bool marked = len >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0);
    return marked || (len >= 4 && !text[0] == !text[2] && !text[1] == !text[3] && !text[0] != !text[1]);
}

char wsk_line_end(const char *text, size_t len)
{
    return len && !memchr(text, '\n', len) && memchr(text, '\r', len) ? '\r' : '\n';
}

size_t wsk_utf8_mark(const char *text, size_t len)
{
    return len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

size_t wsk_utf8_bytes(const char *text, size_t len)
{
    unsigned char c = len ? (unsigned char)text[0] : 0;
    size_t n = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
    if (n == 0 || c == 0 || len < n)
        return 0;
    for (size_t k = 1; k < n; k++)
        if (!wsk_utf8_inside(text[k]))
            return 0;
    if (n > 2) {
        unsigned char d = (unsigned char)text[1];
        if ((c == 0xE0 && d < 0xA0) || (c == 0xED && d >= 0xA0) || (c == 0xF0 && d < 0x90) ||
            (c == 0xF4 && d >= 0x90))
            return 0;
    }
    return n;
}

void wsk_buf_json(wsk_buf *o, const char *s)
{
    if (!s) {
        wsk_buf_put(o, "null", 4);
        return;
    }
    wsk_buf_put(o, "\"", 1);
    for (size_t rest = strlen(s), len; rest > 0; s += len, rest -= len) {
        size_t bytes = wsk_utf8_bytes(s, rest);
        unsigned char c = (unsigned char)*s;
        len = bytes ? bytes : 1;
        if (!bytes)
            wsk_buf_put(o, "\xEF\xBF\xBD", 3);
        else if (c == '"' || c == '\\')
            wsk_buf_printf(o, "\\%c", c);
        else if (c < 0x20)
            wsk_buf_printf(o, "\\u%04x", c);
        else
            wsk_buf_put(o, s, len);
    }
    wsk_buf_put(o, "\"", 1);
}

void wsk_buf_printf(wsk_buf *buf, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    size_t room = buf->failed ? 0 : buf->room - buf->len;
    int len = wsk_vprint(room ? buf->data + buf->len : NULL, room, fmt, args);
    if (len < 0) {
        buf->failed = true;
    } else if (room <= (size_t)len) {
        if (reserve_bytes(buf, (size_t)len))
            wsk_vprint(buf->data + buf->len, (size_t)len + 1, fmt, again);
    }
    if (!buf->failed)
        buf->len += (size_t)len;
    else if (buf->data)
        buf->data[buf->len] = '\0'; /* a failed write: cuts the text back to its length before this call */
    va_end(again);
    va_end(args);
}

void wsk_ascii(wsk_buf *out, const char *text)
{
    static const char *const symbols[][2] = {{"°C", "degC"}, {"°", " deg"}, {"−", "-"},   {"±", "+-"}, {"–", "-"},
                                             {"×", "x"},     {"→", "->"},   {"≤", "<="},  {"≥", ">="}, {"µ", "u"},
                                             {"²", "2"},     {"³", "3"},    {"Ω", "ohm"}, {"…", "..."}};
    while (*text) {
        size_t plain = 0, k = 0, count = sizeof symbols / sizeof *symbols;
        while ((unsigned char)text[plain] >= 1 && (unsigned char)text[plain] < 0x80)
            plain++;
        wsk_buf_put(out, text, plain);
        text += plain;
        if (!*text)
            break;
        while (k < count && strncmp(text, symbols[k][0], strlen(symbols[k][0])) != 0)
            k++;
        wsk_buf_put(out, k < count ? symbols[k][1] : text, k < count ? strlen(symbols[k][1]) : 1);
        text += k < count ? strlen(symbols[k][0]) : 1;
    }
}

void wsk_buf_free(wsk_buf *buf)
{
    free(buf->data);
    *buf = (wsk_buf){0};
}

static unsigned char lower_case(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static size_t capped_len(const char *s)
{
    size_t n = 0;
    while (n < WORD_MAX && s[n])
        n++;
    return n;
}

bool wsk_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

unsigned wsk_distance(const char *a, const char *b)
{
    size_t na = capped_len(a), nb = capped_len(b);
    unsigned rows[3][WORD_MAX + 1];
    unsigned *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= nb; j++)
        before[j] = above[j] = (unsigned)j;
    for (size_t i = 1; i <= na; i++) {
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= nb; j++) {
            unsigned other = lower_case(a[i - 1]) != lower_case(b[j - 1]);
            unsigned d = least(above[j - 1] + other, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && lower_case(a[i - 1]) == lower_case(b[j - 2]) &&
                lower_case(a[i - 2]) == lower_case(b[j - 1]))
                d = least(d, before[j - 2] + 1);
            row[j] = d;
        }
        unsigned *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[nb];
}

const char *wsk_nearest(const char *word, const char *const *list)
{
    size_t len = capped_len(word);
    unsigned limit = (unsigned)(len / 3 > 1 ? len / 3 : 1);
    if (len < 2)
        limit = 0; /* one letter: only that letter itself is near, because each other letter is one edit away */
    const char *best = NULL;
    for (; *list; list++) {
        unsigned d = wsk_distance(word, *list);
        if (d < limit || (d == limit && !best)) {
            best = *list;
            limit = d;
        }
    }
    return best;
}
