/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700 /* declares realpath */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/io/load.h"

bool wsk_file_exists(const char *path)
{
    struct stat st;
    errno = 0;
    return path && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static const char *nearest_entry(wsk_arena *arena, const char *dir, const char *name, const char *suffix)
{
    const size_t end = strlen(suffix);
    DIR *d = opendir(*dir ? dir : ".");
    if (!d && errno == ENOMEM)
        wsk_arena_fail(arena);
    wsk_names names = {.arena = arena};
    for (struct dirent *e; d && names.count < 1000 && (e = readdir(d)) != NULL;) {
        size_t len = strlen(e->d_name);
        char *copy = len > end && strcmp(e->d_name + len - end, suffix) == 0 && strcmp(e->d_name, name) != 0
                         ? wsk_strdup(arena, e->d_name)
                         : NULL;
        if (copy)
            wsk_names_add(&names, copy);
    }
    if (d)
        closedir(d);
    wsk_names_sort(&names); /* sorted, because readdir gives names in no fixed order */
    return wsk_io_meant(name, &names);
}

/* Path of the file `name` in the folder beside `dir` whose name is most similar to that of `dir`; NULL: there is
 * none. */
static const char *in_near_folder(wsk_arena *arena, const char *dir, const char *name)
{
    const char *slash = strrchr(dir, '/'), *last = slash ? slash + 1 : dir;
    char *parent = wsk_printf(arena, "%.*s", (int)(last - dir), dir);
    const char *near = parent && *last ? nearest_entry(arena, parent, last, "") : NULL;
    const char *path = near ? wsk_printf(arena, "%s%s/%s", parent, near, name) : NULL;
    return wsk_file_exists(path) ? path : NULL;
}

static const char *file_meant(wsk_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t len = strlen(path);
    const char *slashed = len && path[len - 1] == '/' ? "" : "/";
    char *within = wsk_printf(arena, "%s%srig.xml", path, slashed), *longer = wsk_printf(arena, "%s.xml", path);
    /* `path` may be the folder of a run's results. */
    char *results = wsk_printf(arena, "%s%srig.resolved.xml", path, slashed);
    struct stat st;
    if (wsk_file_exists(within) || wsk_file_exists(results))
        return wsk_file_exists(within) ? within : results;
    if (wsk_file_exists(longer))
        return longer;
    if (stat(path, &st) == 0)
        return NULL;
    char *dir = wsk_printf(arena, "%.*s", (int)(name - path), path);
    const char *near = dir && *name ? nearest_entry(arena, dir, name, ".xml") : NULL;
    if (near || !dir || !*dir || stat(dir, &st) == 0)
        return near ? wsk_printf(arena, "%s%s", dir, near) : NULL;
    dir[name - path - 1] = '\0';
    return in_near_folder(arena, dir, name);
}

static const wsk_said *meant_file(wsk_arena *arena, const char *path)
{
    const char *near = file_meant(arena, path);
    return near ? WSK_SAY(arena, WSK_SAY_MEANT, near) : NULL;
}

wsk_status wsk_file_refusal(int code)
{
    static const int lasting[] = {EBADF, ENOENT,       ENOTDIR, EISDIR, EACCES, EPERM,
                                  ELOOP, ENAMETOOLONG, EINVAL,  ENXIO,  EILSEQ};
    for (size_t i = 0; i < sizeof lasting / sizeof *lasting; i++)
        if (code == lasting[i])
            return WSK_EINPUT;
    return code == ENOMEM ? WSK_ENOMEM : WSK_ERUN;
}

/* why NULL: there was no memory for the reason, so the status is WSK_ENOMEM. */
static void refuse(wsk_file *f, wsk_status status, const wsk_said *why)
{
    f->status = why ? status : WSK_ENOMEM;
    f->why = why;
}

/* Limits of reading a file. most: largest size, bytes. log: reading stops at the file's present end, because a log
 * may be growing. */
typedef struct {
    size_t most;
    bool log;
} bound;
static const bound of_file = {WSK_FILE_MAX, false}, of_log = {WSK_LOG_FILE_MAX, true};

static void refuse_large(wsk_arena *arena, const bound *b, wsk_file *f)
{
    refuse(f, WSK_EINPUT, b->log ? WSK_SAY(arena, WSK_SAY_LOG_TOO_LARGE) : WSK_SAY(arena, WSK_SAY_FILE_TOO_LARGE));
}

static void read_descriptor(wsk_arena *arena, int fd, size_t expect, const bound *b, wsk_file *f)
{
    size_t room = expect + 1 < 4096 ? 4096 : expect + 1, n = 0;
    char *data = wsk_alloc(arena, room + 1);
    while (data) {
        ssize_t got = read(fd, data + n, (b->log ? expect : room) - n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            int code = errno;
            refuse(f, wsk_file_refusal(code), WSK_SAY(arena, WSK_SAY_FILE_READ, WSK_WORD(strerror(code))));
            return;
        }
        if (got == 0)
            break;
        n += (size_t)got;
        if (n > b->most) {
            refuse_large(arena, b, f);
            return;
        }
        if (n == room) { /* the file is longer than its size in stat: a pipe, or a growing file */
            char *more = wsk_alloc(arena, 2 * room + 1);
            if (more)
                memcpy(more, data, n);
            data = more;
            room *= 2;
        }
    }
    f->status = data ? WSK_OK : WSK_ENOMEM;
    if (data)
        data[n] = '\0';
    f->text = data;
    f->len = n;
}

/* Reads a file into *f. inside: `path` is in a part or data folder, and realpath has resolved its links, so that a
 * link at `path` must have been put there since then and is refused. If inside is false, the file may be a pipe, and
 * "-" is standard input. */
static void read_path(wsk_arena *arena, const char *path, bool inside, const bound *b, wsk_file *f)
{
    bool standard_input = !inside && !strcmp(path, "-");
    int fd = standard_input ? dup(STDIN_FILENO)
                            : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (inside ? O_NOFOLLOW | O_NONBLOCK : 0));
    if (fd < 0) {
        int code = errno;
        const wsk_said *near = inside || code != ENOENT ? NULL : meant_file(arena, path);
        refuse(f, wsk_file_refusal(code),
               !*path ? WSK_SAY(arena, WSK_SAY_FILE_NO_NAME)
                      : WSK_SAY(arena, WSK_SAY_FILE_OPEN, WSK_WORD(strerror(code)), near));
        return;
    }
    struct stat st;
    if (fstat(fd, &st) != 0)
        refuse(f, WSK_ERUN, WSK_SAY(arena, WSK_SAY_FILE_STAT, WSK_WORD(strerror(errno))));
    else if (S_ISDIR(st.st_mode))
        refuse(f, WSK_EINPUT, WSK_SAY(arena, WSK_SAY_FILE_FOLDER, meant_file(arena, path)));
    else if (inside && !S_ISREG(st.st_mode))
        refuse(f, WSK_EINPUT, WSK_SAY(arena, WSK_SAY_FILE_SPECIAL));
    else if (S_ISREG(st.st_mode) && (uintmax_t)st.st_size > b->most)
        refuse_large(arena, b, f);
    else
        read_descriptor(arena, fd, S_ISREG(st.st_mode) ? (size_t)st.st_size : 0, b, f);
    close(fd);
}

static void read_inside(wsk_arena *arena, const char *dir, const char *path, const char *what, const bound *b,
                        wsk_file *f)
{
    char *folder = realpath(dir, NULL), *real = folder ? realpath(path, NULL) : NULL;
    int code = errno;
    size_t n = folder ? strlen(folder) : 0;
    f->status = WSK_EINPUT; /* a status without a reason: the file does not exist */
    if (!real && code != ENOENT && code != ENOTDIR)
        refuse(f, wsk_file_refusal(code),
               WSK_SAY(arena, WSK_SAY_FILE_OPEN, WSK_WORD(strerror(code)), (const wsk_said *)NULL));
    else if (real && strncmp(real, folder, n) == 0 && (real[n] == '/' || strcmp(folder, "/") == 0))
        read_path(arena, real, true, b, f);
    else if (real)
        refuse(f, WSK_EINPUT, WSK_SAY(arena, WSK_SAY_LINK_OUT, what));
    free(real);
    free(folder);
}

void wsk_log_file_read(wsk_arena *arena, const char *dir, const char *path, wsk_file *f)
{
    read_inside(arena, dir, path, "data", &of_log, f);
}

void wsk_files_init(wsk_files *files, wsk_arena *arena)
{
    *files = (wsk_files){.arena = arena, .lock = PTHREAD_MUTEX_INITIALIZER};
}

wsk_files *wsk_files_new(void)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_files *files = arena ? wsk_alloc(arena, sizeof *files) : NULL;
    if (files)
        wsk_files_init(files, arena);
    else
        wsk_arena_free(arena);
    return files;
}

void wsk_files_free(wsk_files *files)
{
    if (files)
        wsk_arena_free(files->arena);
}

static bool same_folder(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

bool wsk_files_miss(wsk_files *files, const char *path, const wsk_said *why)
{
    files->unread = WSK_SAY(files->arena, WSK_SAY_FILE_UNREAD, path, why);
    return files->unread != NULL;
}

static const wsk_file *get(wsk_files *files, const char *dir, const char *path, const char *what)
{
    for (const wsk_file *f = files->first; f; f = f->next)
        if (strcmp(f->path, path) == 0 && same_folder(f->dir, dir))
            return f;
    wsk_arena *a = files->arena;
    wsk_file *f = wsk_alloc(a, sizeof *f);
    if (!f || !(f->path = wsk_strdup(a, path)) || (dir && !(f->dir = wsk_strdup(a, dir))))
        return NULL;
    if (dir)
        read_inside(a, dir, f->path, what, &of_file, f);
    else
        read_path(a, f->path, false, &of_file, f);
    if (f->status == WSK_ENOMEM)
        return NULL;
    if (f->status == WSK_ERUN)
        return wsk_files_miss(files, f->path, f->why) ? f : NULL;
    f->next = files->first;
    files->first = f;
    return f;
}

const wsk_file *wsk_files_get(wsk_files *files, const char *dir, const char *path, const char *what)
{
    pthread_mutex_lock(&files->lock);
    const wsk_file *f = get(files, dir, path, what);
    pthread_mutex_unlock(&files->lock);
    return f;
}

const wsk_said *wsk_files_unread(wsk_files *files)
{
    pthread_mutex_lock(&files->lock);
    const wsk_said *unread = files->unread;
    files->unread = NULL;
    pthread_mutex_unlock(&files->lock);
    return unread;
}

bool wsk_files_keep(wsk_files *files, const char *path, const char *text, size_t len)
{
    pthread_mutex_lock(&files->lock);
    wsk_file *f = wsk_alloc(files->arena, sizeof *f);
    char *copy = f ? wsk_alloc(files->arena, len + 1) : NULL;
    bool ok = copy && (f->path = wsk_strdup(files->arena, path)) != NULL;
    if (ok) {
        memcpy(copy, text, len);
        f->text = copy;
        f->len = len;
        f->next = files->first;
        files->first = f;
    }
    pthread_mutex_unlock(&files->lock);
    return ok;
}
