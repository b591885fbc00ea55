/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes the file of --cases: a head, then one line for each computed case, "KEY = NUMBER NUMBER ... # SUM".
 * The numbers are exact: the bits of a double as 16 hex digits. SUM is a checksum of the head and of the line up to the
 * blank before the number sign. If the last line is incomplete or damaged, as after a program was killed, its case is
 * computed again; any other damage is refused. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    uint64_t head; /* hash of the head, with which each checksum begins */
    double synced; /* wsk_clock() when the rows were last put on disk */
    int failed;    /* errno of a write that failed; 0: none did */
};
enum { SUM = 19 }; /* length of " # " and the checksum */

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

static uint64_t sum_of(const wsk_keeping *k, const char *line, size_t len)
{
    return wsk_hash_more(k->head, line, len);
}

static bool is_whole(const wsk_keeping *k, const char *line, size_t len)
{
    char sum[SUM + 1];
    if (len <= SUM)
        return false;
    snprintf(sum, sizeof sum, " # %016llx", (unsigned long long)sum_of(k, line, len - SUM));
    return memcmp(line + len - SUM, sum, SUM) == 0;
}

static bool read_line(wsk_keeping *k, const char *line, size_t len)
{
    if (!is_whole(k, line, len))
        return false;
    len -= SUM;
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

/* Reads the lines behind the head. *kept: in: length of the head; out: length of the text without a damaged last line.
 * False: another line is damaged, and a message has been printed. */
static bool read_lines(wsk_keeping *k, const char *text, size_t len, size_t *kept)
{
    size_t line = 1, at = 0;
    for (; at < *kept; at++)
        line += text[at] == '\n';
    for (const char *end; at < len && (end = memchr(text + at, '\n', len - at)); line++) {
        const size_t next = (size_t)(end - text) + 1;
        if (!read_line(k, text + at, next - 1 - at)) {
            if (next == len)
                break;
            wsk_cli_error(T_("%1$s is damaged: line %2$zu is not as it was written; --force replaces the file"),
                          k->path, line);
            return false;
        }
        at = next;
    }
    *kept = at;
    return true;
}

static int refuse_unread(const char *path)
{
    wsk_cli_error(T_("cannot read %s: %s"), path, T_(strerror(errno)));
    return WSK_ERUN;
}

/* Checks the file for a new search: a file that exists is replaced only with --force, and is not read. */
static int check_new(const char *path, bool force)
{
    struct stat st;
    if (!force && stat(path, &st) == 0) {
        wsk_cli_error(T_("%s exists; --resume goes on with it, --force replaces it"), path);
        return WSK_EINPUT;
    }
    return force || errno == ENOENT || errno == ENOTDIR ? WSK_OK : refuse_unread(path);
}

/* Reads the file that is resumed. *kept: length of its part that can be used, which *text begins with; 0: there is no
 * file yet. */
static int read_old(wsk_keeping *k, const char *head, char **text, size_t *len, size_t *kept)
{
    *text = wsk_cli_read(k->path, len);
    if (!*text)
        return errno == ENOENT || errno == ENOTDIR ? WSK_OK : refuse_unread(k->path);
    *kept = strlen(head);
    if (*len < *kept || memcmp(*text, head, *kept) != 0) {
        wsk_cli_error(T_("%s is of another version, rig, part or question; --force replaces it"), k->path);
        return WSK_EINPUT;
    }
    return read_lines(k, *text, *len, kept) ? WSK_OK : WSK_EINPUT;
}

int wsk_keeping_open(wsk_keeping **out, const char *path, const char *head, bool resume, bool force)
{
    size_t len = 0, kept = 0;
    char *text = NULL;
    wsk_keeping *k = *out = wsk_cli_alloc(sizeof *k);
    k->path = path;
    k->head = wsk_hash_more(WSK_HASH_EMPTY, head, strlen(head));
    k->synced = wsk_clock();
    int code = resume ? read_old(k, head, &text, &len, &kept) : check_new(path, force);
    if (code == WSK_OK && (!kept || kept != len) &&
        !wsk_cli_write_path(path, kept ? text : head, kept ? kept : strlen(head)))
        code = WSK_ERUN;
    free(text);
    if (code == WSK_OK && !(k->file = fopen(path, "ab"))) {
        wsk_cli_error(T_("cannot open %s: %s"), path, T_(strerror(errno)));
        code = WSK_ERUN;
    }
    return code;
}

/* Waits until the rows are on disk (fsync). A pipe or a device cannot be synced (EINVAL), which is no error. */
static void sync_rows(wsk_keeping *k)
{
    if (!k->failed && fsync(fileno(k->file)) != 0 && errno != EINVAL)
        k->failed = errno;
    k->synced = wsk_clock();
}

bool wsk_keeping_close(wsk_keeping *k)
{
    if (!k)
        return true;
    if (k->file)
        sync_rows(k);
    if (k->file && fclose(k->file) != 0 && !k->failed)
        k->failed = errno;
    const bool ok = !k->failed;
    if (!ok)
        wsk_cli_error(T_("%1$s: not all cases could be kept: %2$s"), k->path, T_(strerror(k->failed)));
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
    fflush(text);
    fprintf(text, " # %016llx\n", (unsigned long long)sum_of(k, line, len));
    fclose(text);
    /* after a row that could not be written whole, no further row is written */
    if (!k->failed && (fwrite(line, 1, len, k->file) != len || fflush(k->file) != 0))
        k->failed = errno;
    free(line);
    if (wsk_clock() - k->synced > WSK_CLI_SYNC_S)
        sync_rows(k);
}
