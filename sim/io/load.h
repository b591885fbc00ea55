/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From located XML to the resolved tree. Private to sim/io.
 *
 * doc.c parses; catalog.c finds parts; merge.c lays rig over part over base part as items, still text, each value
 * with its origin; assign.c applies PATH=VALUE to them; value.c turns text into SI, series.c data files into numbers;
 * plan.c makes the elements. */
#ifndef WSK_IO_LOAD_H
#define WSK_IO_LOAD_H
#include "sim/io/doc.h"
#include "sim/io/plan.h"

#define WSK_ITEMS_MAX 5000 /* elements of a rig with all that its parts bring */
#define WSK_BASES_MAX 8    /* parts built on parts */

typedef struct wsk_part_doc {
    const char *id, *path;
    wsk_node *root;      /* NULL: broken or missing */
    const wsk_said *why; /* set when it could not be found or opened */
    bool found, open;    /* open: being resolved now, so that a cycle is seen */
    bool told;           /* that it lacks values */
    const char *missing; /* what was told of its absence; by which message; in how many places, the last of them */
    size_t missing_at;
    int places;
    const wsk_attr *last_place;
    wsk_diags diags;
    struct wsk_part_doc *next;
} wsk_part_doc;

typedef struct wsk_series_doc {
    const char *name, *path;
    const wsk_param *param;
    const wsk_said *why; /* set when it could not be found or opened */
    wsk_series series;
    char currency[8];
    wsk_diags diags;
    struct wsk_series_doc *next;
} wsk_series_doc;

typedef struct wsk_usual wsk_usual;

typedef struct {
    wsk_arena *arena;
    wsk_diags *diags;
    const char *dirs[2];  /* where parts are looked for, in order; NULL: none */
    const char *data_dir; /* where data files are; NULL: there is no such folder */
    wsk_part_doc *parts;
    wsk_arena *parts_arena; /* NULL: as arena */
    wsk_series_doc *series; /* data files read so far */
    wsk_usual *usual;       /* defaults read so far */
    size_t items;
    const char **assigned; /* of each assignment what it set; NULL: nothing yet */
    const wsk_node *place; /* the rig's element being laid out */
    bool no_memory;
    bool lacks_parts; /* one was named that is in no folder and is not nearly the name of one there */
    bool incomplete;  /* the file broke off: what is missing may have stood in the rest */
    bool resolved;    /* a resolved rig: part names are kept, parts are not read */
} wsk_loader;

/* List of names that ends with NULL, for wsk_nearest and messages; empty when out of memory. */
typedef struct {
    const char **names;
    size_t count, room;
    wsk_arena *arena;
} wsk_names;

typedef enum { WSK_LAYER_PART, WSK_LAYER_RIG } wsk_layer;
typedef struct wsk_item wsk_item;
struct wsk_item {
    const wsk_kind *kind;
    wsk_origin *values; /* one per parameter; text NULL: not written */
    const char *id, *part, *title;
    const char *written; /* see wsk_elem */
    const wsk_attr *id_at;
    wsk_node *node;  /* where it is written: in the rig if there, else in the part; NULL: implied */
    wsk_layer layer; /* of node */
    const char *file;
    int line, column;
    int order;       /* among the equal elements beside it: the rig's first, then the part's */
    bool broken;     /* its part or kind is unknown: what is missing is not told again */
    wsk_names meant; /* what misspelt attributes were meant to be: not told as missing */
    wsk_elem *elem;  /* made from it */
    bool filled;     /* elem has all its values, and none is wrong */
    uint64_t hash;   /* of its content and its children's, ids left out */
    wsk_item *parent, *child, *tail, *next;
};

/* ---- place.c ---- */
/* At an attribute's value, or named after the assignment that wrote it. */
void wsk_attr_error(wsk_loader *l, const wsk_node *node, const wsk_attr *a, const wsk_said *said);
/* At a value of an element. */
void wsk_value_error(wsk_diags *diags, const wsk_origin *origin, const wsk_said *said);

/* ---- kinds.c ---- */
const wsk_kind *wsk_kind_get(const char *element, const char *name); /* name NULL: the default one */
size_t wsk_kind_params(const wsk_kind *kind);
const wsk_param *wsk_kind_param(const wsk_kind *kind, const char *name);
const wsk_child *wsk_kind_child(const wsk_kind *kind, const char *element);
void wsk_names_elements(wsk_names *names);                   /* all elements */
void wsk_names_kinds(wsk_names *names, const char *element); /* kinds of an element */
void wsk_names_params(wsk_names *names, const wsk_kind *kind);
void wsk_names_children(wsk_names *names, const wsk_kind *kind);

/* ---- names.c ---- */
void wsk_names_add(wsk_names *names, const char *name);
const char *const *wsk_names_list(wsk_names *names);
void wsk_names_sort(wsk_names *names);
/* The name that the word was meant to be; NULL: none is near. */
const char *wsk_io_meant(const char *word, wsk_names *names);
/* The same among part ids: their digits say more than the words around them. */
const char *wsk_io_meant_part(const char *word, const wsk_names *names);
/* The part in whose name each word of this one is found again, or nearly, in any order: of w7800 radeon-pro-w7900. */
const char *wsk_io_part_by_words(const char *word, const wsk_names *names);
/* "; did you mean X"; NULL: nothing is near. */
const wsk_said *wsk_io_hint(const char *word, wsk_names *names);
/* "a, b, c" cut to a readable length. */
const char *wsk_io_list(char *out, size_t size, wsk_names *names);

/* ---- meant.c ---- */
/* What a missing part was meant to be, or where there are such: "; did you mean X", "; there is X, Y". NULL: nothing is near.
 * family NULL: of all. */
const wsk_said *wsk_meant_part(wsk_loader *loader, const char *family, const char *id);
/* The same of a product's name: "RTX 3090" is gpu/rtx-3090. */
const wsk_said *wsk_meant_product(wsk_loader *loader, const char *family, const char *text);
/* What a text that is no value of the dimension was meant to be, written as it is read: "; did you mean X", or two where it may be
 * either. NULL: nothing that is known. */
const wsk_said *wsk_meant_value(wsk_loader *loader, const char *text, wsk_dim dim);
/* The attribute of an element that a word was meant to be, by its sense or its letters; NULL: none. `names`: those that may stand. */
const char *wsk_meant_attr(const char *element, const char *word, wsk_names *names);
/* The hint for a word that none of the names is: one by its sense, a kind of the element, or one nearly so written. */
const wsk_said *wsk_meant_choice(const char *element, const char *word, wsk_names *names);
/* "; kind=OTHER has it" of an attribute, and those of this kind that say it more closely: efficiency-20, efficiency-50. */
const wsk_said *wsk_meant_kind(wsk_loader *loader, wsk_item *item, const wsk_kind *other, const char *name);

/* ---- catalog.c ---- */
bool wsk_part_id_valid(const char *id);
/* Where no name of a part would do, this is told: there is none, or the folders have no parts of this element (missing.c). */
bool wsk_part_unnamed(wsk_loader *l, const wsk_node *node, const wsk_attr *a, const char *id);
/* Tells that the part of this name is in no folder. */
void wsk_part_missing(wsk_loader *l, wsk_part_doc *part, const wsk_node *node, const wsk_attr *a);
/* The document of a part, from the cache or the disk; NULL when out of memory. */
wsk_part_doc *wsk_part_open(wsk_loader *loader, const char *id);
void wsk_part_ids(wsk_arena *arena, const char *dir, const char *family, wsk_names *names);
/* The file's real path when it lies inside the folder; NULL and no word: there is none. Links that leave it are refused.
 * what: "part" or "data", for messages. */
const char *wsk_path_inside(wsk_loader *l, const char *dir, const char *path, const char *what, const wsk_said **why);

/* ---- source.c ---- */
#define WSK_SOURCE_KINDS "datasheet|database|log|article|measured|fitted|assumed"
struct wsk_source {
    const char *selector; /* one word of for="" */
    const char *from, *kind, *ref, *spread;
    const wsk_attr *at;
    bool used;
    struct wsk_source *next;
};
/* Fills source, ref, spread, assumed (and from, in a rig) of a value written at node; false: no source says. */
bool wsk_source_find(wsk_loader *loader, wsk_node *node, wsk_attr *attr, wsk_layer layer, wsk_origin *origin);
/* Errors for the words that match nothing in this document. Called after its values were looked up. */
void wsk_source_unused(wsk_loader *loader, wsk_node *node);

/* ---- merge.c ---- */
/* The whole tree below (and with) a rig's root, parts laid under it; NULL: out of memory or no known root. */
wsk_item *wsk_merge_rig(wsk_loader *loader, wsk_node *root);
/* A part alone. */
wsk_item *wsk_merge_part(wsk_loader *loader, const char *id);

/* ---- resolved.c ---- */
/* Whether two values of one element share their <source>. */
bool wsk_same_origin(const wsk_origin *a, const wsk_origin *b);
/* Below `parent`, the element that rig.resolved.xml writes behind `last` (NULL: the first); NULL: none. Equal elements stand as they
 * did in the file, so that [n] means the same. */
const wsk_elem *wsk_resolved_next(const wsk_elem *parent, const wsk_elem *last);
/* Whether a rig's node stands as it was resolved: its part's name is kept and the part not read. */
bool wsk_resolved(const wsk_loader *loader, const wsk_node *node);
/* Which of id, part and kind the rig wrote at this node; NULL: a part or the tables brought it. NULL also without memory. */
const char *wsk_resolved_written(wsk_loader *loader, const wsk_node *node);
/* Takes from a node of a resolved rig, and from what stands below it, all that parts and defaults gave: what is left is
 * what the rig wrote, and is read like any other. Elements with a part of their own stay resolved. */
void wsk_resolved_free(wsk_loader *loader, wsk_node *node);

/* ---- assign.c ---- */
/* Applies the assignments: structure first (part, kind), which changes `root`, then values. Returns the tree. */
wsk_item *wsk_assign(wsk_loader *loader, wsk_node *root, const char *const *sets, size_t count);

/* ---- value.c ---- */
/* Parses one value into `field`; errors go to where it was written. False: it could not be read. */
bool wsk_value_read(wsk_loader *loader, const wsk_kind *kind, const wsk_param *param, wsk_origin *origin,
                    void *field);
void wsk_value_absent(const wsk_param *param, void *field);
bool wsk_value_present(const wsk_param *param, const void *field);
/* Text of a value in edge units; false when absent. */
bool wsk_value_write(wsk_buf *out, const wsk_param *param, const wsk_origin *origin, const void *field);

/* ---- series.c ---- */
/* Reads the data file that the value names. False: it could not be read, which is told. */
bool wsk_series_read(wsk_loader *loader, const wsk_param *param, wsk_origin *origin, wsk_series *out);
/* Its text into doc->series, mistakes into doc->diags; doc has its path and diags. */
void wsk_series_parse(wsk_loader *loader, const wsk_param *param, wsk_series_doc *doc, const char *text, size_t len);

/* ---- elems.c ---- */
/* Typed elements from items, sorted, with ids. part: nothing is required. NULL: out of memory. */
wsk_elem *wsk_elems_make(wsk_loader *loader, wsk_item *item, bool part);
/* "gpu0.power-limit number PLACE": a line for the attribute of each of these items, which have their elements. NULL: out of memory. */
const char *wsk_elems_tell(wsk_loader *loader, wsk_item *const *items, size_t count, const char *attr);
/* Of the whole content with ids; the file's order, comments and spacing do not enter. */
uint64_t wsk_elems_digest(const wsk_elem *rig);
#endif
