/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* declares realpath */
#endif
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/kit/cli.h"

void *wsk_cli_alloc(size_t size)
{
    void *p = calloc(1, size ? size : 1);
    wsk_cli_check_memory(p != NULL);
    return p;
}

static char *format_list(const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, fmt, args);
    char *text = wsk_cli_alloc((size_t)(len < 0 ? 0 : len) + 1);
    if (len > 0)
        vsnprintf(text, (size_t)len + 1, fmt, again);
    va_end(again);
    return text;
}

char *(wsk_cli_format)(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    char *text = format_list(fmt, args);
    va_end(args);
    return text;
}

void(wsk_cli_say)(FILE *out, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    char *text = format_list(fmt, args), *shown = out == stdout || out == stderr ? wsk_cli_shown(text) : NULL;
    va_end(args);
    fputs(shown ? shown : text, out);
    free(shown);
    free(text);
}

char *wsk_cli_join(const char *const *items, size_t count)
{
    char *all = wsk_cli_format("%s", count ? items[0] : "");
    for (size_t i = 1; i < count; i++) {
        char *longer = wsk_cli_format(T_("%1$s, %2$s"), all, items[i]);
        free(all);
        all = longer;
    }
    return all;
}

bool wsk_cli_quiet;

/* Prints "wattsink: ..." in one call, so that lines of several processes do not mix. */
static void write_line(const char *fmt, va_list args)
{
    char line[8192];
    if (wsk_cli_before_error)
        wsk_cli_before_error();
    /* truncated: an incomplete last character is cut off */
    if (vsnprintf(line, sizeof line, fmt, args) >= (int)sizeof line)
        line[wsk_utf8_cut(line, sizeof line - 2)] = '\0';
    char *shown = wsk_cli_shown(line);
    fprintf(stderr, "wattsink: %s\n", shown ? shown : line);
    free(shown);
}

void(wsk_cli_error)(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    write_line(fmt, args);
    va_end(args);
}

void(wsk_cli_note)(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (!wsk_cli_quiet)
        write_line(fmt, args);
    va_end(args);
}

/* Puts the entries of a file's folder on disk (fsync). A file system that cannot do that for a folder reports
 * EINVAL. */
static bool sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *dir = slash ? wsk_cli_format("%.*s", (int)(slash - path) + 1, path) : wsk_cli_format(".");
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL);
    int why = errno;
    if (fd >= 0)
        close(fd);
    free(dir);
    errno = why;
    return ok;
}

bool wsk_cli_replace(FILE *file, bool ok, const char *temp, const char *path, bool sync)
{
    ok = file && ok && fflush(file) == 0 && (!sync || fsync(fileno(file)) == 0);
    int why = errno;
    if (file && fclose(file) != 0 && ok)
        ok = false, why = errno;
    if (ok && temp && (rename(temp, path) != 0 || (sync && !sync_folder(path))))
        ok = false, why = errno;
    if (!ok) {
        wsk_cli_error(T_("cannot write %s: %s"), path, T_(strerror(why)));
        if (temp)
            unlink(temp);
    }
    return ok;
}

bool wsk_cli_follow_links(const char *path, char **target)
{
    enum { MOST = 40 }; /* as many as Linux follows */
    char *at = *target = wsk_cli_format("%s", path), link[4096];
    for (int i = 0; i <= MOST; i++) {
        const bool open_file = strncmp(at, "/proc/", 6) == 0;
        ssize_t len = open_file ? -1 : readlink(at, link, sizeof link - 1);
        if (len < 0)
            return open_file || errno == EINVAL || errno == ENOENT || errno == ENOTDIR;
        link[len] = '\0';
        const char *slash = strrchr(at, '/');
        const int folder = slash && link[0] != '/' ? (int)(slash - at) + 1 : 0;
        *target = wsk_cli_format("%.*s%s", folder, at, link);
        free(at);
        at = *target;
    }
    errno = ELOOP;
    return false;
}

bool wsk_cli_is_stream(const char *path)
{
    struct stat st;
    char *target;
    bool is = wsk_cli_follow_links(path, &target) &&
              (strncmp(target, "/proc/", 6) == 0 ||
               (stat(target, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)));
    free(target);
    return is;
}

FILE *wsk_cli_output_open(wsk_cli_output *out, const char *path)
{
    *out = (wsk_cli_output){.path = NULL};
    if (!wsk_cli_follow_links(path, &out->path))
        return NULL;
    const char *slash = strrchr(out->path, '/');
    const int folder = slash ? (int)(slash - out->path) + 1 : 0;
    if (!wsk_cli_is_stream(out->path))
        out->temp = wsk_cli_format("%.*s.%s.new", folder, out->path, out->path + folder);
    return fopen(out->temp ? out->temp : out->path, "wb");
}

void wsk_cli_output_delete(const char *path)
{
    char *target;
    if (wsk_cli_follow_links(path, &target) && !wsk_cli_is_stream(target))
        unlink(target);
    free(target);
}

bool wsk_cli_output_close(wsk_cli_output *out, FILE *file, bool ok)
{
    ok = wsk_cli_replace(file, ok, out->temp, out->path, out->temp != NULL);
    free(out->temp);
    free(out->path);
    return ok;
}

static bool replace(const char *dir, const char *name, const char *data, size_t len, bool sync)
{
    char *temp = wsk_cli_format("%s/.%s.new", dir, name), *path = wsk_cli_format("%s/%s", dir, name);
    FILE *file = fopen(temp, "wb");
    bool ok = wsk_cli_replace(file, file && fwrite(data, 1, len, file) == len, temp, path, sync);
    free(temp);
    free(path);
    return ok;
}

bool wsk_cli_write(const char *dir, const char *name, const char *data, size_t len)
{
    return replace(dir, name, data, len, true);
}

bool wsk_cli_write_soon(const char *dir, const char *name, const char *data, size_t len)
{
    return replace(dir, name, data, len, false);
}

bool wsk_cli_write_path(const char *path, const char *data, size_t len)
{
    wsk_cli_output out;
    FILE *file = wsk_cli_output_open(&out, path);
    return wsk_cli_output_close(&out, file, file && fwrite(data, 1, len, file) == len);
}

bool wsk_cli_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

void wsk_cli_delete(const char *dir, const char *name)
{
    char *path = wsk_cli_format("%s/%s", dir, name);
    if (unlink(path) == 0)
        sync_folder(path);
    free(path);
}

char *wsk_cli_read(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    return file ? wsk_cli_read_stream(file, len) : NULL;
}

char *wsk_cli_read_stream(FILE *file, size_t *len)
{
    char *text = NULL;
    size_t used = 0, room = 0;
    for (;;) {
        if (used + 1 >= room) {
            room = room ? 2 * room : 65536;
            char *grown = realloc(text, room);
            if (!grown)
                break;
            text = grown;
        }
        size_t got = fread(text + used, 1, room - used - 1, file);
        used += got;
        if (!got)
            break;
    }
    bool ok = text && !ferror(file);
    int why = errno;
    fclose(file);
    if (!ok) {
        free(text);
        errno = why;
        return NULL;
    }
    text[used] = '\0';
    if (len)
        *len = used;
    return text;
}

char *wsk_cli_read_in(const char *dir, const char *name, size_t *len, int *code)
{
    char *path = wsk_cli_format("%s/%s", dir, name), *text = wsk_cli_read(path, len);
    if (!text && errno != ENOENT && errno != ENOTDIR) {
        wsk_cli_error(T_("cannot read %s: %s"), path, T_(strerror(errno)));
        *code = WSK_ERUN;
    }
    free(path);
    return text;
}

bool wsk_cli_is_dir(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? S_ISDIR(st.st_mode) : errno != ENOENT && errno != ENOTDIR;
}

bool wsk_cli_results(const char *command, const char *dir)
{
    struct stat st;
    size_t n = strlen(dir);
    if (stat(dir, &st) != 0)
        wsk_cli_error(T_("%s: %s; %s wants the folder that 'wattsink run' leaves"), dir, T_(strerror(errno)),
                      command);
    else if (!S_ISDIR(st.st_mode) && n > 4 && !strcmp(dir + n - 4, ".xml"))
        wsk_cli_error(T_("%s is a rig: 'wattsink run %s' leaves a folder of results, and %s wants that"), dir, dir,
                      command);
    else if (!S_ISDIR(st.st_mode))
        wsk_cli_error(T_("%s is a file; %s wants the folder that 'wattsink run' leaves"), dir, command);
    else
        return true;
    return false;
}

/* Waits until a new folder's entry in its parent is on disk. Else a power cut could lose the folder, also with files
 * that are on disk. A parent that may be written to but not read (EACCES) cannot be synced; this is no error. */
static bool keep_entry(const char *path)
{
    return sync_folder(path) || errno == EACCES;
}

bool wsk_cli_mkdirs(const char *dir)
{
    char *path = wsk_cli_format("%s", dir);
    bool ok = true;
    for (char *p = path + 1; ok && *p; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        ok = mkdir(path, 0777) == 0 ? keep_entry(path) : errno == EEXIST || wsk_cli_is_dir(path);
        *p = '/';
    }
    ok = ok && (mkdir(path, 0777) == 0 ? keep_entry(path) : errno == EEXIST);
    if (ok && !wsk_cli_is_dir(path)) {
        ok = false;
        errno = ENOTDIR;
    }
    if (!ok)
        wsk_cli_error(T_("cannot make the folder %s: %s"), dir,
                      errno == ENOTDIR ? T_("a file has that name") : T_(strerror(errno)));
    free(path);
    return ok;
}

char *wsk_cli_share(const char *what)
{
    /* Relative to the folder of the program: build/, build/MODE/, or PREFIX/bin/. */
    static const char *const beside[] = {"../", "../../", "../share/wattsink/"};
    char exe[4096];
    ssize_t len = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (len > 0) {
        exe[len] = '\0';
        char *slash = strrchr(exe, '/');
        if (slash)
            slash[1] = '\0';
        for (size_t i = 0; slash && i < sizeof beside / sizeof *beside; i++) {
            char *path = wsk_cli_format("%s%s%s", exe, beside[i], what), *clean = realpath(path, NULL);
            if (!clean && errno != ENOENT && errno != ENOTDIR && errno != EACCES) {
                wsk_cli_error(T_("cannot open %s: %s"), path, T_(strerror(errno)));
                exit(WSK_ERUN);
            }
            free(path);
            if (clean && wsk_cli_is_dir(clean))
                return clean;
            free(clean);
        }
    }
    return wsk_cli_format("%s/%s", WSK_SHARE_DIR, what);
}

char *wsk_cli_parts_dir(const char *extra)
{
    const char *env = getenv("WATTSINK_PARTS");
    if (env && *env)
        return wsk_cli_format("%s", env);
    char *found = wsk_cli_share("parts");
    if (wsk_cli_is_dir(found) || !extra)
        return found;
    free(found);
    return wsk_cli_format("%s", extra);
}

void wsk_cli_duration(char out[32], double s)
{
    const double per = s < 60 ? 1 : s < 3600 ? 60 : s < 86400 ? 3600 : 86400;
    char number[24];
    snprintf(number, sizeof number, "%.*f", fmod(s, per) == 0 ? 0 : 1, s / per);
    snprintf(out, 32, s < 60 ? T_("%s s") : s < 3600 ? T_("%s min") : s < 86400 ? T_("%s h") : T_("%s d"), number);
}

double wsk_cli_started;

static volatile sig_atomic_t interrupted;
static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

void wsk_cli_catch_interrupts(void)
{
    struct sigaction action = {.sa_handler = on_signal}, old;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN) /* under nohup, SIGHUP stays ignored */
        sigaction(SIGHUP, &action, NULL);
}

bool wsk_cli_interrupted(void)
{
    return interrupted != 0;
}
