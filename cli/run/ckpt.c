/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/run/ckpt.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char SAFE[] = "run.ckpt.safe";

enum { HEX = 2 * WSK_SHA256 };
/* The checkpoint's digest, in hexadecimal digits: over the lines before the line "hash", and over the digest at the end
 * of the state, which stands for the whole state. */
static void digest_of(char hex[HEX + 1], const char *lines, size_t lines_len, const char *state, size_t len)
{
    unsigned char digest[WSK_SHA256];
    wsk_sha256 sum;
    wsk_sha256_start(&sum);
    wsk_sha256_add(&sum, lines, lines_len);
    wsk_sha256_add(&sum, state + len - WSK_SHA256, WSK_SHA256);
    wsk_sha256_end(sum, digest);
    for (int i = 0; i < WSK_SHA256; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

bool wsk_cli_ckpt_write(const char *dir, const wsk_cli_ckpt *head, wsk_cli_ckpt_kind kind, const char *state,
                        size_t len)
{
    char hex[HEX + 1],
        *first = wsk_cli_format("wattsink-checkpoint %s\nversion %s\nrig %s\ndigest %s\noptions %s\ntime_ms %" PRId64
                                "\ndone %d\nevents %zu\nstate %zu\n",
                                head->format, head->version, head->rig, head->digest, head->options,
                                (int64_t)(head->time_s * 1e3 + 0.5), head->done, head->events_len, len);
    digest_of(hex, first, strlen(first), state, len);
    char *text = wsk_cli_format("%shash %s\n", first, hex);
    size_t lines = strlen(text);
    char *whole = wsk_cli_alloc(lines + len);
    memcpy(whole, text, lines);
    memcpy(whole + lines, state, len);
    bool ok = kind == WSK_CKPT_LAST ? wsk_cli_write(dir, "run.ckpt", whole, lines + len)
                                    : wsk_cli_write_soon(dir, "run.ckpt", whole, lines + len);
    if (ok && kind == WSK_CKPT_SAFE)
        ok = wsk_cli_write(dir, SAFE, whole, lines + len);
    if (ok && kind == WSK_CKPT_LAST)
        wsk_cli_delete(dir, SAFE);
    free(whole);
    free(text);
    free(first);
    return ok;
}

static bool line(const char **p, const char *name, char *out, size_t size)
{
    size_t n = strlen(name), len = strcspn(*p, "\n");
    if (strncmp(*p, name, n) != 0 || (*p)[n] != ' ' || !(*p)[len] || len - n - 1 >= size)
        return false;
    memcpy(out, *p + n + 1, len - n - 1);
    out[len - n - 1] = '\0';
    *p += len + 1;
    return true;
}

static bool number(const char **p, const char *name, uint64_t *out)
{
    char text[32], *end;
    if (!line(p, name, text, sizeof text) || !*text)
        return false;
    *out = strtoull(text, &end, 10);
    return !*end;
}

static int read_one(const char *dir, const char *name, wsk_cli_ckpt *head, char **state, size_t *len)
{
    char *path = wsk_cli_format("%s/%s", dir, name), hex[HEX + 1], want[HEX + 1];
    size_t size = 0;
    char *text = wsk_cli_read(path, &size);
    int why = errno;
    free(path);
    errno = why;
    if (!text)
        return errno == ENOENT || errno == ENOTDIR ? WSK_CLI_CKPT_NONE : WSK_ERUN;
    const char *p = text;
    uint64_t time_ms = 0, done = 0, events = 0, bytes = 0;
    bool ok = line(&p, "wattsink-checkpoint", head->format, sizeof head->format) &&
              line(&p, "version", head->version, sizeof head->version) &&
              line(&p, "rig", head->rig, sizeof head->rig);
    if (ok && (strcmp(head->format, WSK_CLI_CKPT_FORMAT) != 0 || strcmp(head->version, wsk_version()) != 0)) {
        free(text);
        return WSK_CLI_CKPT_OTHER;
    }
    ok = ok && line(&p, "digest", head->digest, sizeof head->digest) &&
         line(&p, "options", head->options, sizeof head->options) && number(&p, "time_ms", &time_ms) &&
         number(&p, "done", &done) && number(&p, "events", &events) && number(&p, "state", &bytes);
    const size_t lines = (size_t)(p - text);
    ok = ok && line(&p, "hash", hex, sizeof hex) && bytes == size - (size_t)(p - text) && bytes >= WSK_SHA256;
    if (ok) {
        digest_of(want, text, lines, p, (size_t)bytes);
        ok = strcmp(hex, want) == 0 && wsk_sha256_fits(p, (size_t)bytes);
    }
    if (ok) {
        head->time_s = (double)time_ms * 1e-3;
        head->done = done != 0;
        head->events_len = (size_t)events;
    }
    if (ok && state) {
        *len = (size_t)bytes;
        *state = wsk_cli_alloc(*len);
        memcpy(*state, p, *len);
    }
    free(text);
    return ok ? WSK_OK : WSK_EINPUT;
}

static bool has_events(const char *dir, const wsk_cli_ckpt *head)
{
    struct stat st;
    char *path = wsk_cli_format("%s/events.csv", dir);
    bool ok = stat(path, &st) == 0 && (uintmax_t)st.st_size >= head->events_len;
    free(path);
    return ok;
}

static int unreadable(const char *dir, const char *name)
{
    wsk_cli_error(T_("cannot read %1$s/%2$s: %3$s; nothing was changed"), dir, name, T_(strerror(errno)));
    return WSK_ERUN;
}

int wsk_cli_ckpt_read(const char *dir, wsk_cli_ckpt *head, char **state, size_t *len)
{
    wsk_cli_ckpt safe;
    char *safe_state = NULL;
    size_t safe_len = 0;
    int code = read_one(dir, "run.ckpt", head, state, len);
    if (code == WSK_ERUN)
        return unreadable(dir, "run.ckpt");
    if (code == WSK_OK && (head->done || has_events(dir, head)))
        return code;
    int second = read_one(dir, SAFE, &safe, state ? &safe_state : NULL, &safe_len);
    bool use = second == WSK_OK && has_events(dir, &safe);
    if (state && code == WSK_OK && (use || second == WSK_ERUN))
        free(*state);
    if (second == WSK_ERUN)
        return unreadable(dir, SAFE);
    if (!use) {
        free(safe_state);
        return code;
    }
    if (state) {
        *state = safe_state;
        *len = safe_len;
    }
    *head = safe;
    return WSK_OK;
}

/* True if the folder has this file, it is not empty, and its first line is not `head`. head NULL: any line counts. */
static bool is_foreign(const char *dir, const char *name, const char *head)
{
    char *path = wsk_cli_format("%s/%s", dir, name), line[64] = "";
    struct stat st;
    FILE *file = stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 ? fopen(path, "rb") : NULL;
    const bool foreign = file && fgets(line, sizeof line, file) && (!head || strcmp(line, head) != 0);
    if (file)
        fclose(file);
    free(path);
    return foreign;
}

/* Refuses the tables of another program in a folder that has no results of wattsink. An events.csv with our first line
 * is accepted: a run that ended before its first checkpoint leaves it. */
static int refuse_foreign(const char *dir)
{
    const char *name = is_foreign(dir, "series.csv", NULL)                  ? "series.csv"
                       : is_foreign(dir, "events.csv", WSK_CLI_EVENTS_HEAD) ? "events.csv"
                                                                            : NULL;
    if (!name)
        return WSK_OK;
    wsk_cli_error(T_("%s/%s was not written by wattsink, or is damaged; --force replaces it, -o FOLDER keeps both"),
                  dir, name);
    return WSK_EINPUT;
}

int wsk_cli_ckpt_found(const char *dir, char out[32])
{
    wsk_cli_ckpt head;
    int code = wsk_cli_ckpt_read(dir, &head, NULL, NULL);
    out[0] = '\0';
    if (code == WSK_ERUN)
        return code;
    if (code == WSK_OK || code == WSK_CLI_CKPT_OTHER) {
        memcpy(out, head.rig, sizeof head.rig);
        return WSK_OK;
    }
    size_t count;
    code = WSK_OK;
    wsk_summary **summaries = wsk_cli_own_summaries(dir, "summary.json", &count, &code);
    snprintf(out, 32, "%s", wsk_cli_said(count ? summaries[0] : NULL, WSK_R_DIGEST, 0));
    wsk_summaries_free(summaries, count);
    return code == WSK_OK && !out[0] ? refuse_foreign(dir) : code;
}

char *wsk_cli_ckpt_differs(const wsk_cli_ckpt *saved, const wsk_cli_ckpt *mine)
{
    if (strcmp(saved->version, mine->version) != 0)
        return wsk_cli_format(T_("it was made by wattsink %s, this is %s"), saved->version, mine->version);
    if (strcmp(saved->format, mine->format) != 0)
        return wsk_cli_format(T_("it has format %s, this wattsink reads format %s"), saved->format, mine->format);
    if (strcmp(saved->rig, mine->rig) != 0)
        return wsk_cli_format(T_("it belongs to another rig (digest %s, this one has %s)"), saved->rig, mine->rig);
    if (strcmp(saved->digest, mine->digest) != 0)
        return wsk_cli_format(T_("the run had another --for, --step or --seed"));
    if (strcmp(saved->options, mine->options) != 0)
        return wsk_cli_format(T_("the run had other options (%s, now %s)"), saved->options, mine->options);
    return NULL;
}
