/* SPDX-License-Identifier: GPL-3.0-or-later */
/* XML text to a tree of located elements and attributes. Private to sim/io. */
#ifndef WSK_IO_DOC_H
#define WSK_IO_DOC_H
#include "sim/base/said.h"

#define WSK_FILE_MAX ((size_t)16000000) /* 16 MB; anything larger is refused before parsing */
#define WSK_DEPTH_MAX 64
#define WSK_ELEMENTS_MAX 20000
#define WSK_ATTRIBUTES_MAX 200 /* in one start tag */

typedef struct wsk_source wsk_source;
typedef struct wsk_attr wsk_attr;
typedef struct wsk_node wsk_node;

struct wsk_attr {
    const char *name, *value;
    int name_line, name_column, line, column; /* of the name's and the value's first character */
    const char *assignment;                   /* "PATH=VALUE" when an assignment wrote it */
    const wsk_source *source;                 /* of a part's value, once it was looked for */
    bool sought;
    wsk_attr *next;
};

struct wsk_node {
    const char *name, *file;
    int line, column; /* of the name's first character */
    wsk_attr *attrs, *last_attr;
    wsk_node *parent, *child, *last, *next;
    wsk_source *sources; /* <source> children, read on first use */
    bool sources_read;
    bool freed; /* of a resolved rig: read like any other again, with its parts */
};

/* A text and how far its lines have been counted. */
typedef struct {
    const char *text;
    size_t len, at;
    int line, column;
} wsk_cursor;
/* 1-based line and column (in characters) of a byte offset; cheap when offsets rise. */
void wsk_cursor_move(wsk_cursor *cursor, size_t offset);

/* Start tags of a text in order, found before any parser sees it. */
typedef struct {
    const char *file, *text;
    size_t len;
    uint32_t *tags; /* offset of each '<' of a start tag */
    size_t tag_count, tag_room;
    wsk_cursor cursor;
    size_t hyphens; /* in comments */
    wsk_arena *arena;
    wsk_diags *diags;
} wsk_scan;
/* Refuses what is not to be parsed: not UTF-8, a document type, too deep, too many; reports stray text. */
wsk_status wsk_scan_text(wsk_scan *scan);
/* The next attribute of a start tag at or behind *at; false at the end of the tag. */
typedef struct {
    size_t name, name_len, value, value_len;
} wsk_scan_attr;
bool wsk_scan_attribute(const wsk_scan *scan, size_t *at, wsk_scan_attr *out);

/* WSK_EINPUT: diags say why; *root may hold what could be read up to the first flaw. */
wsk_status wsk_doc_parse(wsk_node **root, wsk_arena *arena, wsk_diags *diags, const char *file, const char *text,
                         size_t len);
const wsk_attr *wsk_node_attr(const wsk_node *node, const char *name);

/* ---- file.c ---- */
/* Reads a whole file of at most WSK_FILE_MAX bytes. On failure WSK_EINPUT and *why says what was wrong. */
wsk_status wsk_file_read(wsk_arena *arena, const char *path, bool part, char **text, size_t *len,
                         const wsk_said **why);
bool wsk_file_exists(const char *path); /* a regular one; NULL: there is none */

/* ---- place.c ---- */
/* Adds an error unless the same one stands there already (a part may be used many times). */
void wsk_io_error(wsk_diags *diags, const char *file, int line, int column, const wsk_said *said);
/* Text for messages: in quotes, control characters masked, cut to a readable length. */
#define WSK_QUOTED 96
const char *wsk_io_quote(char out[WSK_QUOTED], const char *text);
#endif
