/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds and opens parts. A part id can only name a file inside a part folder. */
#define _XOPEN_SOURCE 700 /* declares realpath */
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
            if (segment == 0 || id[i - segment] == '.') /* empty segments, "." and "..", hidden files */
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

const char *wsk_path_inside(wsk_loader *l, const char *dir, const char *path, const char *what, const wsk_said **why)
{
    char *folder = realpath(dir, NULL), *file = folder ? realpath(path, NULL) : NULL;
    const char *out = NULL;
    if (!file) {
        if (folder && errno != ENOENT && errno != ENOTDIR)
            *why = WSK_SAY(l->arena, WSK_SAY_FILE_OPEN, WSK_WORD(strerror(errno)), (const wsk_said *)NULL);
    } else {
        size_t n = strlen(folder);
        if (strncmp(file, folder, n) == 0 && (file[n] == '/' || strcmp(folder, "/") == 0)) {
            out = wsk_strdup(l->arena, file);
            l->no_memory = l->no_memory || !out;
        } else
            *why = WSK_SAY(l->arena, WSK_SAY_LINK_OUT, what);
    }
    free(file);
    free(folder);
    return out;
}

static void open_in(wsk_loader *l, wsk_part_doc *part, const char *dir)
{
    const char *path = wsk_printf(l->arena, "%s/%s.xml", dir, part->id);
    const char *real = path ? wsk_path_inside(l, dir, path, "part", &part->why) : NULL;
    l->no_memory = l->no_memory || !path;
    part->found = real || part->why;
    if (!real)
        return;
    part->path = path;
    char *text = NULL;
    size_t len = 0;
    wsk_status status = wsk_file_read(l->arena, real, true, &text, &len, &part->why);
    if (status == WSK_OK)
        status = wsk_doc_parse(&part->root, l->arena, &part->diags, path, text, len);
    if (status == WSK_EINPUT)
        part->root = NULL;
    l->no_memory = l->no_memory || status == WSK_ENOMEM;
}

static wsk_part_doc *read_part(wsk_loader *l, const char *id)
{
    wsk_part_doc *part = wsk_alloc(l->arena, sizeof *part);
    if (!part || !(part->id = wsk_strdup(l->arena, id))) {
        l->no_memory = true;
        return NULL;
    }
    wsk_diags_init(&part->diags, l->arena);
    part->next = l->parts;
    l->parts = part;
    for (size_t i = 0; i < 2 && !part->found; i++)
        if (l->dirs[i])
            open_in(l, part, l->dirs[i]);
    return l->no_memory ? NULL : part;
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

/* ---- the folder ---- */
typedef struct {
    wsk_arena *arena;
    wsk_names *names;
    size_t count;
} walk;

static void walk_folder(walk *w, const char *dir, const char *prefix, int depth)
{
    DIR *d = depth > FOLDER_DEPTH ? NULL : opendir(dir);
    if (!d)
        return;
    for (struct dirent *e; (e = readdir(d)) != NULL && w->count < FOLDER_PARTS;) {
        size_t len = strlen(e->d_name);
        if (e->d_name[0] == '.')
            continue;
        struct stat st;
        char *path = wsk_printf(w->arena, "%s/%s", dir, e->d_name);
        char *id = wsk_printf(w->arena, "%s%s%s", prefix, *prefix ? "/" : "", e->d_name);
        if (!path || !id || stat(path, &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode)) {
            walk_folder(w, path, id, depth + 1);
        } else if (S_ISREG(st.st_mode) && len > 4 && strcmp(e->d_name + len - 4, ".xml") == 0) {
            id[strlen(id) - 4] = '\0';
            if (wsk_part_id_valid(id)) {
                wsk_names_add(w->names, id);
                w->count++;
            }
        }
    }
    closedir(d);
}

void wsk_part_ids(wsk_arena *arena, const char *dir, const char *family, wsk_names *names)
{
    walk w = {.arena = arena, .names = names};
    if (!dir || (family && *family && !wsk_part_id_valid(family)))
        return;
    const char *from = family && *family ? wsk_printf(arena, "%s/%s", dir, family) : dir;
    if (from)
        walk_folder(&w, from, family ? family : "", 0);
    wsk_names_sort(names);
}
