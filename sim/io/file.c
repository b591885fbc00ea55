/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the file of a rig or part, and suggests a file for a path that does not exist. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/io/load.h"

bool wsk_file_exists(const char *path)
{
    struct stat st;
    return path && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* The .xml file of a folder with the most similar name. */
static const char *nearest_file(wsk_arena *arena, const char *dir, const char *name)
{
    DIR *d = opendir(*dir ? dir : ".");
    wsk_names names = {.arena = arena};
    for (struct dirent *e; d && names.count < 1000 && (e = readdir(d)) != NULL;) {
        size_t len = strlen(e->d_name);
        char *copy = len > 4 && strcmp(e->d_name + len - 4, ".xml") == 0 && strcmp(e->d_name, name) != 0
                         ? wsk_strdup(arena, e->d_name)
                         : NULL;
        if (copy)
            wsk_names_add(&names, copy);
    }
    if (d)
        closedir(d);
    wsk_names_sort(&names); /* readdir gives names in no fixed order */
    return wsk_io_meant(name, &names);
}

static const char *file_meant(wsk_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t len = strlen(path);
    const char *slashed = len && path[len - 1] == '/' ? "" : "/";
    char *within = wsk_printf(arena, "%s%srig.xml", path, slashed), *longer = wsk_printf(arena, "%s.xml", path);
    /* the resolved rig in a folder with results */
    char *results = wsk_printf(arena, "%s%srig.resolved.xml", path, slashed);
    struct stat st;
    if (wsk_file_exists(within) || wsk_file_exists(results))
        return wsk_file_exists(within) ? within : results;
    if (wsk_file_exists(longer))
        return longer;
    if (stat(path, &st) == 0)
        return NULL;
    char *dir = wsk_printf(arena, "%.*s", (int)(name - path), path);
    const char *near = dir && *name ? nearest_file(arena, dir, name) : NULL;
    return near ? wsk_printf(arena, "%s%s", dir, near) : NULL;
}

static const wsk_said *meant_file(wsk_arena *arena, const char *path)
{
    const char *near = file_meant(arena, path);
    return near ? WSK_SAY(arena, WSK_SAY_MEANT, near) : NULL;
}

static wsk_status read_descriptor(wsk_arena *arena, int fd, size_t expect, char **text, size_t *len,
                                  const wsk_said **why)
{
    size_t room = expect + 1 < 4096 ? 4096 : expect + 1, n = 0;
    char *data = wsk_alloc(arena, room + 1);
    if (!data)
        return WSK_ENOMEM;
    for (;;) {
        ssize_t got = read(fd, data + n, room - n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            *why = WSK_SAY(arena, WSK_SAY_FILE_READ, WSK_WORD(strerror(errno)));
            return WSK_EINPUT;
        }
        if (got == 0)
            break;
        n += (size_t)got;
        if (n > WSK_FILE_MAX) {
            *why = WSK_SAY(arena, WSK_SAY_FILE_TOO_LARGE);
            return WSK_EINPUT;
        }
        if (n == room) { /* a pipe, or a growing file */
            char *more = wsk_alloc(arena, 2 * room + 1);
            if (!more)
                return WSK_ENOMEM;
            memcpy(more, data, n);
            data = more;
            room *= 2;
        }
    }
    data[n] = '\0';
    *text = data;
    *len = n;
    return WSK_OK;
}

wsk_status wsk_file_read(wsk_arena *arena, const char *path, bool part, char **text, size_t *len,
                         const wsk_said **why)
{
    *why = NULL;
    /* The path of a part is already resolved, so a link there was created since and is refused. A rig may be read
     * from a pipe. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (part ? O_NOFOLLOW | O_NONBLOCK : 0));
    if (fd < 0) {
        int code = errno;
        const wsk_said *near = part || code != ENOENT ? NULL : meant_file(arena, path);
        *why = !*path ? WSK_SAY(arena, WSK_SAY_FILE_NO_NAME)
                      : WSK_SAY(arena, WSK_SAY_FILE_OPEN, WSK_WORD(strerror(code)), near);
        return WSK_EINPUT;
    }
    struct stat st;
    wsk_status status = WSK_EINPUT;
    if (fstat(fd, &st) != 0)
        *why = WSK_SAY(arena, WSK_SAY_FILE_STAT);
    else if (S_ISDIR(st.st_mode))
        *why = WSK_SAY(arena, WSK_SAY_FILE_FOLDER, meant_file(arena, path));
    else if (part && !S_ISREG(st.st_mode))
        *why = WSK_SAY(arena, WSK_SAY_FILE_SPECIAL);
    else if (S_ISREG(st.st_mode) && (uintmax_t)st.st_size > WSK_FILE_MAX)
        *why = WSK_SAY(arena, WSK_SAY_FILE_TOO_LARGE);
    else
        status = read_descriptor(arena, fd, S_ISREG(st.st_mode) ? (size_t)st.st_size : 0, text, len, why);
    close(fd);
    if (status == WSK_EINPUT && !*why)
        status = WSK_ENOMEM;
    return status;
}
