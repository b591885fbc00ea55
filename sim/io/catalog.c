/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds parts by their ids and reads them. wsk_part_id_valid makes sure that an id names only files inside a part
 * folder. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/io/load.h"

#define ID_MAX 200
#define FOLDER_DEPTH 6
#define FOLDER_PARTS 5000

bool wsk_part_id_valid(const char *id)
{
    size_t len = strlen(id), segment = 0;
    if (len == 0 || len > ID_MAX)
        return false;
    for (size_t i = 0; i <= len; i++) {
        char c = id[i];
        if (c == '/' || c == '\0') {
            if (segment == 0 || id[i - segment] == '.') /* refuses empty segments, "." and "..", and hidden files */
                return false;
            segment = 0;
        } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || strchr(".-+_", c)) {
            segment++;
        } else {
            return false;
        }
    }
    return true;
}

const wsk_file *wsk_loader_file(wsk_loader *l, const char *dir, const char *path, const char *what,
                                const wsk_said **why)
{
    const wsk_file *f = wsk_files_get(l->files, dir, path, what);
    if (!f)
        wsk_arena_fail(l->arena);
    l->unread = l->unread || (f && f->status == WSK_ERUN);
    *why = f ? f->why : NULL;
    return f && f->status == WSK_OK ? f : NULL;
}

static void open_in(wsk_loader *l, wsk_part_doc *part, const char *dir)
{
    const char *path = wsk_printf(l->arena, "%s/%s.xml", dir, part->id);
    const wsk_file *f = path ? wsk_loader_file(l, dir, path, "part", &part->why) : NULL;
    part->found = f || part->why;
    if (!part->found)
        return;
    part->path = path;
    if (!f)
        return;
    wsk_status status = wsk_doc_parse(&part->root, l->arena, &part->diags, path, f->text, f->len);
    if (status == WSK_EINPUT)
        part->root = NULL;
    if (status == WSK_ENOMEM)
        wsk_arena_fail(l->arena);
}

bool wsk_loader_full(const wsk_loader *l)
{
    return wsk_arena_failed(l->arena) || wsk_arena_failed(l->parts_arena ? l->parts_arena : l->arena);
}

static wsk_part_doc *read_part(wsk_loader *l, const char *id)
{
    wsk_part_doc *part = wsk_alloc(l->arena, sizeof *part);
    if (!part || !(part->id = wsk_strdup(l->arena, id)))
        return NULL;
    wsk_diags_init(&part->diags, l->arena);
    part->next = l->parts;
    l->parts = part;
    for (size_t i = 0; i < 2 && !part->found; i++)
        if (l->dirs[i])
            open_in(l, part, l->dirs[i]);
    return wsk_loader_full(l) ? NULL : part;
}

wsk_part_doc *wsk_part_open(wsk_loader *l, const char *id)
{
    for (wsk_part_doc *p = l->parts; p; p = p->next)
        if (strcmp(p->id, id) == 0)
            return p;
    wsk_arena *own = l->arena;
    l->arena = l->parts_arena ? l->parts_arena : own;
    wsk_part_doc *part = read_part(l, id);
    l->arena = own;
    return part;
}

typedef struct {
    wsk_arena *arena;
    wsk_names *names;
    size_t count;
    bool all; /* true: also list parts that the system refuses or that have just been deleted, and report refused
               * folders */
    const wsk_said *unread;
} walk;

static void miss(walk *w, const char *path)
{
    const char *why = strerror(errno);
    if (errno == ENOMEM)
        wsk_arena_fail(w->arena);
    const bool gone = errno == ENOENT || errno == ENOTDIR;
    if (path && ((w->all && !gone) || wsk_file_refusal(errno) != WSK_EINPUT))
        w->unread = WSK_SAY(w->arena, WSK_SAY_FILE_UNREAD, path, WSK_SAID(WSK_SAY_FILE_READ, WSK_WORD(why)));
}

static void walk_folder(walk *w, const char *dir, const char *prefix, int depth)
{
    DIR *d = depth > FOLDER_DEPTH ? NULL : opendir(dir);
    if (!d && depth <= FOLDER_DEPTH)
        miss(w, dir);
    if (!d)
        return;
    for (struct dirent *e; (errno = 0, e = readdir(d)) != NULL && w->count < FOLDER_PARTS;) {
        size_t len = strlen(e->d_name);
        if (e->d_name[0] == '.')
            continue;
        struct stat st;
        char *path = wsk_printf(w->arena, "%s/%s", dir, e->d_name);
        char *id = wsk_printf(w->arena, "%s%s%s", prefix, *prefix ? "/" : "", e->d_name);
        const bool named = len > 4 && strcmp(e->d_name + len - 4, ".xml") == 0,
                   known = id && path && !stat(path, &st);
        if (!known)
            miss(w, path);
        if (known && S_ISDIR(st.st_mode)) {
            walk_folder(w, path, id, depth + 1);
        } else if (named && (known ? S_ISREG(st.st_mode) : w->all && id)) {
            id[strlen(id) - 4] = '\0';
            if (wsk_part_id_valid(id)) {
                wsk_names_add(w->names, id);
                w->count++;
            }
        }
    }
    if (errno)
        miss(w, dir);
    closedir(d);
}

const wsk_said *wsk_part_ids(wsk_arena *arena, const char *dir, const char *family, bool all, wsk_names *names)
{
    walk w = {.arena = arena, .names = names, .all = all};
    if (!dir || (family && *family && !wsk_part_id_valid(family)))
        return NULL;
    const char *from = family && *family ? wsk_printf(arena, "%s/%s", dir, family) : dir;
    if (from)
        walk_folder(&w, from, family ? family : "", 0);
    wsk_names_sort(names);
    return w.unread;
}
