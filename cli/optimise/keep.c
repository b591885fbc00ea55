/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes the file of --cases: a head, then one line for each computed case, "KEY = NUMBER NUMBER ...". The
 * numbers are exact: the bits of a double as 16 hex digits. A last line without its end, left by a program that was
 * killed, is ignored. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/optimise/optimise.h"
#include "sim/base/base.h"

typedef struct {
    char *key;
    double *values;
    size_t count;
} entry;
struct wsk_keeping {
    const char *path;
    FILE *file;
    entry *items;
    size_t count, room;
    bool failed;
};

static void add(wsk_keeping *k, const char *key, size_t len, const double *values, size_t count)
{
    if (k->count == k->room) {
        k->room = 2 * k->room + 64;
        entry *grown = wsk_cli_alloc(k->room * sizeof *grown);
        if (k->count)
            memcpy(grown, k->items, k->count * sizeof *grown);
        free(k->items);
        k->items = grown;
    }
    entry *e = &k->items[k->count++];
    e->key = wsk_cli_format("%.*s", (int)len, key);
    e->values = wsk_cli_alloc((count + 1) * sizeof *e->values);
    memcpy(e->values, values, count * sizeof *values);
    e->count = count;
}

static bool read_bits(const char *text, double *out)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t bits = 0;
    for (int i = 0; i < 16; i++) {
        const char *d = text[i] ? strchr(digits, text[i]) : NULL;
        if (!d)
            return false;
        bits = bits << 4 | (uint64_t)(d - digits);
    }
    memcpy(out, &bits, sizeof bits);
    return true;
}

static bool read_line(wsk_keeping *k, const char *line, size_t len)
{
    const char *equals = strstr(line, " = ");
    if (!equals || equals >= line + len)
        return false;
    const char *p = equals + 3;
    const size_t count = (size_t)(line + len - p + 1) / 17;
    double *values = wsk_cli_alloc((count + 1) * sizeof *values);
    bool ok = (size_t)(line + len - p + 1) == 17 * count;
    for (size_t i = 0; ok && i < count; i++)
        ok = read_bits(p + 17 * i, &values[i]);
    if (ok)
        add(k, line, (size_t)(equals - line), values, count);
    free(values);
    return ok;
}

static size_t read_lines(wsk_keeping *k, const char *text, size_t at)
{
    for (const char *end; (end = strchr(text + at, '\n')); at = (size_t)(end - text) + 1)
        if (!read_line(k, text + at, (size_t)(end - text) - at))
            break;
    return at;
}

int wsk_keeping_open(wsk_keeping **out, const char *path, const char *head, bool resume, bool force)
{
    size_t len = 0, head_len = strlen(head), kept = 0;
    char *text = wsk_cli_read(path, &len);
    wsk_keeping *k = *out = wsk_cli_alloc(sizeof *k);
    k->path = path;
    if (text && !resume && !force) {
        wsk_cli_error(T_("%s exists; --resume goes on with it, --force replaces it"), path);
        free(text);
        return WSK_EINPUT;
    }
    if (text && resume && (len < head_len || memcmp(text, head, head_len) != 0)) {
        wsk_cli_error(T_("%s is of another version, rig or question; --force replaces it"), path);
        free(text);
        return WSK_EINPUT;
    }
    if (text && resume)
        kept = read_lines(k, text, head_len);
    bool ok = (kept && kept == len) || wsk_cli_write_path(path, kept ? text : head, kept ? kept : head_len);
    free(text);
    if (ok && !(k->file = fopen(path, "ab"))) {
        wsk_cli_error("%s: %s", path, strerror(errno));
        ok = false;
    }
    return ok ? WSK_OK : WSK_ERUN;
}

bool wsk_keeping_close(wsk_keeping *k)
{
    if (!k)
        return true;
    bool ok = !k->failed && (!k->file || fclose(k->file) == 0);
    if (k->failed && k->file)
        fclose(k->file);
    if (!ok)
        wsk_cli_error(T_("%s: not all cases could be kept"), k->path);
    for (size_t i = 0; i < k->count; i++) {
        free(k->items[i].key);
        free(k->items[i].values);
    }
    free(k->items);
    free(k);
    return ok;
}

size_t wsk_keeping_recall(const wsk_keeping *k, const char *key, double *out, size_t room)
{
    for (size_t i = 0; i < k->count; i++)
        if (!strcmp(k->items[i].key, key) && k->items[i].count <= room) {
            memcpy(out, k->items[i].values, k->items[i].count * sizeof *out);
            return k->items[i].count;
        }
    return 0;
}

void wsk_keeping_add(wsk_keeping *k, const char *key, const double *values, size_t count)
{
    char *line = NULL;
    size_t len = 0;
    FILE *text = wsk_cli_text(&line, &len);
    fprintf(text, "%s =", key);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        fprintf(text, " %016llx", (unsigned long long)bits);
    }
    fputc('\n', text);
    fclose(text);
    k->failed = k->failed || fwrite(line, 1, len, k->file) != len || fflush(k->file) != 0;
    free(line);
}
