/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads XML text into a tree of elements and attributes with their places in the file. Private to sim/io. */
#ifndef WSK_IO_DOC_H
#define WSK_IO_DOC_H
#include <pthread.h>

#include "sim/io/plan.h"

#define WSK_FILE_MAX ((size_t)16000000)      /* larger files are refused before parsing */
#define WSK_LOG_FILE_MAX ((size_t)256000000) /* limit for logs; it is higher, because their text is not stored */
#define WSK_DEPTH_MAX 64
#define WSK_ELEMENTS_MAX 20000
#define WSK_ATTRIBUTES_MAX 200

typedef struct wsk_source wsk_source;
typedef struct wsk_attr wsk_attr;
typedef struct wsk_node wsk_node;

struct wsk_attr {
    const char *name, *value;
    int name_line, name_column, line, column;
    const char *assignment;   /* "PATH=VALUE" if an assignment wrote the attribute; else NULL */
    const wsk_source *source; /* <source> of a part's value; valid after a search (sought); NULL: none */
    bool sought;
    /* source of the value, if the list of prices replaced the value that the part states; else NULL */
    const wsk_source *over;
    wsk_attr *next;
};

struct wsk_node {
    const char *name, *file;
    int line, column;
    wsk_attr *attrs, *last_attr;
    wsk_node *parent, *child, *last, *next;
    wsk_source *sources;
    bool sources_read;
    /* In a resolved rig: the file of this node's part is read, because an assignment added the node or changed its
     * part. wsk_resolved_free has reduced the node to the values that the rig wrote. */
    bool freed;
};

typedef struct {
    const char *text;
    size_t len, at;
    int line, column;
} wsk_cursor;
/* Moves the cursor to a byte offset; line and column (in characters) count from 1. Fast when offsets increase. */
void wsk_cursor_move(wsk_cursor *cursor, size_t offset);

typedef struct {
    const char *file, *text;
    size_t len;
    uint32_t *tags;
    size_t tag_count, tag_room;
    wsk_cursor cursor;
    size_t hyphens; /* number of "--" found inside comments */
    wsk_arena *arena;
    wsk_diags *diags;
} wsk_scan;
/* Finds the start tags. Refuses texts that are empty, are not UTF-8, have a document type, are nested too deep, or
 * have too many elements or attributes; reports text between elements. */
wsk_status wsk_scan_text(wsk_scan *scan);
typedef struct {
    size_t name, name_len, value, value_len;
} wsk_scan_attr;
/* Finds the next attribute at or after the offset *at, and moves *at behind it. False: end of the tag, or malformed
 * text. */
bool wsk_scan_attribute(const wsk_scan *scan, size_t *at, wsk_scan_attr *out);

/* Parses a text into a tree in the arena. WSK_EINPUT: diags has the reasons; *root may then hold the tree up to the
 * first error. WSK_OK: diags may still have errors, such as an attribute that is given twice. */
wsk_status wsk_doc_parse(wsk_node **root, wsk_arena *arena, wsk_diags *diags, const char *file, const char *text,
                         size_t len);
const wsk_attr *wsk_node_attr(const wsk_node *node, const char *name);

typedef struct wsk_file {
    const char *path, *dir;
    const char *text; /* content of the file, with a NUL after it; NULL: the status is not WSK_OK */
    size_t len;
    /* WSK_OK; WSK_EINPUT: the file does not exist, or is refused; WSK_ERUN: a temporary failure */
    wsk_status status;
    const wsk_said *why; /* reason of a status other than WSK_OK; NULL: the file does not exist */
    struct wsk_file *next;
} wsk_file;
struct wsk_files {
    wsk_arena *arena; /* holds all texts and logs; used only while `lock` is held */
    wsk_file *first;
    struct wsk_logged *logs;
    const wsk_said *unread;
    pthread_mutex_t lock;
};
void wsk_files_init(wsk_files *files, wsk_arena *arena); /* the texts of the files live as long as the arena */
/* The file at `path`, of at most WSK_FILE_MAX bytes, as it was when first asked for. After a temporary failure
 * (WSK_ERUN) the next call reads it again. dir: the file must be a regular one inside this folder, also after
 * following links; NULL: any file. what: "part" or "data", for the message. Returns NULL when out of memory. */
const wsk_file *wsk_files_get(wsk_files *files, const char *dir, const char *path, const char *what);
/* Notes a file that could not be read because of a temporary failure: the file is reported but not stored. `lock`
 * must be held. False: out of memory. */
bool wsk_files_miss(wsk_files *files, const char *path, const wsk_said *why);
/* Reads a log of at most WSK_LOG_FILE_MAX bytes from inside the folder `dir` into *f, up to the log's present end. *f
 * is not stored in wsk_files. f->status WSK_ENOMEM: out of memory. */
void wsk_log_file_read(wsk_arena *arena, const char *dir, const char *path, wsk_file *f);
/* The status for a file that the system refuses with this errno. WSK_EINPUT: a mistake of the input, such as a
 * missing file. WSK_ERUN: a failure that may be gone at the next attempt, such as too many open files. WSK_ENOMEM: no
 * memory. */
wsk_status wsk_file_refusal(int code);
bool wsk_file_exists(const char *path); /* false: errno says why; errno 0: it is no regular file, or path is NULL */

/* Adds an error, unless the same error at this place was added before: a part may be used, and read, many times. */
void wsk_io_error(wsk_diags *diags, const char *file, int line, int column, const wsk_said *said);
/* Quotes a text for messages: control characters replaced, cut to a readable length. */
#define WSK_QUOTED 96
const char *wsk_io_quote(char out[WSK_QUOTED], const char *text);
#endif
