/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations shared by the files of sim/io, which turn the XML of a rig and its parts into the resolved tree.
 * doc.c parses XML into nodes. catalog.c finds parts. merge.c merges rig, part and base part into items, whose values
 * are still text with their origins. assign.c applies PATH=VALUE. elems.c makes typed elements from items, with
 * value.c (text to SI) and series.c (data files). plan.c runs these steps. */
#ifndef WSK_IO_LOAD_H
#define WSK_IO_LOAD_H
#include "sim/io/doc.h"
#include "sim/net/recording.h"
#include "sim/io/plan.h"

#define WSK_ITEMS_MAX 5000
#define WSK_BASES_MAX 8 /* longest chain of parts, each of which is the base of the next */

typedef struct wsk_part_doc {
    const char *id, *path;
    wsk_node *root; /* root of the document; NULL: broken or missing */
    const wsk_said *why;
    bool found, open; /* found: a part folder has it; open: it is being merged, so that a use of it inside itself is a
                       * cycle */
    bool told;
    bool priced;
    /* The report that this part is missing: its text, its index in diags, the number of places that name the part,
     * and the last of these places. */
    const char *missing;
    size_t missing_at;
    int places;
    const wsk_attr *last_place;
    wsk_diags diags;
    struct wsk_part_doc *next;
} wsk_part_doc;

typedef struct wsk_series_doc {
    const char *name, *path;
    const wsk_param *param;
    const wsk_said *why;
    wsk_series series;
    char currency[8];
    wsk_diags diags;
    struct wsk_series_doc *next;
} wsk_series_doc;

typedef struct wsk_usual wsk_usual;

typedef struct {
    wsk_arena *arena;
    wsk_diags *diags;
    const char *dirs[2];
    const char *data_dir;
    wsk_files *files;
    wsk_part_doc *parts;
    wsk_arena *parts_arena; /* arena for parts; NULL: `arena` is used */
    wsk_series_doc *series;
    struct wsk_price_row *prices; /* rows of the list of prices, the last one first; NULL: none */
    wsk_usual *usual;
    size_t items;
    const char **assigned; /* for each assignment, the lines of wsk_elems_tell; NULL: none yet */
    const wsk_node *place; /* element of the rig that is being merged, for messages */
    bool unread;           /* a file could not be read because of a temporary failure (WSK_ERUN) */
    bool lacks_parts;      /* the rig names a part that no part folder has, nor one with a similar name */
    bool bad_files;        /* a part or data file that the rig names does not exist, was refused, or has mistakes */
    bool incomplete;       /* the file ended early: an element that is missing may have been in the lost rest */
    bool resolved;         /* the rig is a rig.resolved.xml: part names are kept, parts are not read */
} wsk_loader;

/* A set of names for wsk_nearest and messages. `names` has a NULL after the last one. When out of memory,
 * wsk_names_add adds nothing. */
typedef struct {
    const char **names;
    size_t count, room;
    wsk_arena *arena;
} wsk_names;

typedef enum { WSK_LAYER_PART, WSK_LAYER_RIG } wsk_layer;
/* An element merged from rig, part and base part, with its values as text. */
typedef struct wsk_item wsk_item;
struct wsk_item {
    const wsk_kind *kind;
    wsk_origin *values; /* one for each parameter; text NULL: not written */
    const char *id, *part, *title;
    const char *written; /* those of id, part and kind that the rig gives here; NULL: the element is not in the rig */
    const wsk_attr *id_at;
    wsk_node *node; /* the item's XML node, in the rig or else in the part; NULL: implied by its parent's kind */
    wsk_layer layer;
    const char *file;
    int line, column;
    int order;       /* index among siblings of one name: first those in the rig, then those in the part */
    bool broken;     /* the item's part or kind is unknown: values that it lacks are not reported */
    wsk_names meant; /* attributes that misspelt attributes probably mean; these are not reported as missing */
    wsk_elem *elem;
    bool filled;   /* all values of elem are read and correct */
    uint64_t hash; /* hash of its values and its children, without ids */
    wsk_item *parent, *child, *tail, *next;
};

/* Adds an error of an assignment. The message shows only the start of a long assignment, so that the reason has
 * room. */
void wsk_setting_error(wsk_diags *diags, const char *assignment, const wsk_said *said);
/* Reports an error in the value of an attribute. The message shows the value's place in the file, or the assignment
 * that set the value. */
void wsk_attr_error(wsk_loader *l, const wsk_node *node, const wsk_attr *a, const wsk_said *said);
/* Reports an error in the name of an attribute. The message shows the name's place in the file, or the assignment
 * that added the attribute. */
void wsk_name_error(wsk_loader *l, const wsk_node *node, const wsk_attr *a, const wsk_said *said);
void wsk_value_error(wsk_diags *diags, const wsk_origin *origin, const wsk_said *said);

/* The kind `name` of an element; name NULL: the default kind of the element. NULL: no such element or kind. */
const wsk_kind *wsk_kind_get(const char *element, const char *name);
size_t wsk_kind_params(const wsk_kind *kind);
const wsk_child *wsk_kind_child(const wsk_kind *kind, const char *element);
void wsk_names_elements(wsk_names *names);
void wsk_names_kinds(wsk_names *names, const char *element);
void wsk_names_params(wsk_names *names, const wsk_kind *kind);
void wsk_names_children(wsk_names *names, const wsk_kind *kind);

void wsk_names_add(wsk_names *names, const char *name);
const char *const *wsk_names_list(wsk_names *names);
void wsk_names_sort(wsk_names *names);
const char *wsk_io_meant(const char *word, wsk_names *names);
/* The part id that a misspelt word probably means. Wrong digits count more than wrong letters. NULL: no id is near. */
const char *wsk_io_meant_part(const char *word, const wsk_names *names);
/* The part whose name contains all words of `word` (joined by '-'), exactly or nearly and in any order:
 * radeon-pro-w7900 for w7800. NULL: no part. */
const char *wsk_io_part_by_words(const char *word, const wsk_names *names);
const wsk_said *wsk_io_hint(const char *word, wsk_names *names);
const char *wsk_io_list(char *out, size_t size, wsk_names *names);

/* Hint for a missing part: "; did you mean X", "; there is X, Y", or where a misplaced file of the part lies. NULL: no
 * part is near. family NULL: parts of all families. */
const wsk_said *wsk_meant_part(wsk_loader *loader, const char *family, const char *id);
/* Hint for a product name given as a part: "RTX 3090" means gpu/rtx-3090. NULL: no part is near. */
const wsk_said *wsk_meant_product(wsk_loader *loader, const char *family, const char *text);
/* Hint for a text that is no value of the dimension: "; did you mean X" in the form that is accepted, or two such
 * forms if the text is ambiguous. NULL: no known form. */
const wsk_said *wsk_meant_value(wsk_loader *loader, const char *text, wsk_dim dim);
const wsk_said *wsk_meant_element(wsk_arena *arena, const char *word);
/* The attribute of an element that a word means, by a synonym or similar spelling; NULL: none. `names`: the
 * attributes allowed. */
const char *wsk_meant_attr(const char *element, const char *word, wsk_names *names);
/* Hint for a word that is none of the names: a synonym, a kind of the element, or a similar name. NULL: no hint. */
const wsk_said *wsk_meant_choice(const char *element, const char *word, wsk_names *names);
/* Hint for an attribute that only another kind of the element has: "; kind=OTHER has it". If names of attributes of
 * this kind begin with the name of that attribute, as efficiency-20 with efficiency, they are listed, too. */
const wsk_said *wsk_meant_kind(wsk_loader *loader, wsk_item *item, const wsk_kind *other, const char *name);

bool wsk_part_id_valid(const char *id);
/* Reports a part that cannot exist under any name: the name is empty, no folder has any part, or none has a part of
 * this element. False: the part may exist. */
bool wsk_part_unnamed(wsk_loader *l, const wsk_node *node, const wsk_attr *a, const char *id);
void wsk_part_missing(wsk_loader *l, wsk_part_doc *part, const wsk_node *node, const wsk_attr *a);
bool wsk_loader_full(const wsk_loader *loader);
wsk_part_doc *wsk_part_open(wsk_loader *loader, const char *id);
/* Adds the ids of the parts of a family (NULL: all families) in a folder, and sorts all names. Returns a message
 * about a file or folder that could not be read because of a temporary failure (if `all`: because of any failure);
 * NULL: the list is complete. */
const wsk_said *wsk_part_ids(wsk_arena *arena, const char *dir, const char *family, bool all, wsk_names *names);
/* The file of a part or of data, read through loader->files. NULL: there is none; it was refused (*why: the reason);
 * or out of memory (the loader is full). Sets `unread` if the file could not be read because of a temporary
 * failure. */
const wsk_file *wsk_loader_file(wsk_loader *loader, const char *dir, const char *path, const char *what,
                                const wsk_said **why);

struct wsk_source {
    const char *selector;
    const char *from, *kind, *ref, *spread;
    const wsk_attr *at;
    bool used;
    struct wsk_source *next;
};
/* Fills source, ref, spread and assumed of a value's origin (in a resolved rig also `from`) from the <source> that
 * names the attribute of `node`. False: no <source> names it. */
bool wsk_source_find(wsk_loader *loader, wsk_node *node, wsk_attr *attr, wsk_layer layer, wsk_origin *origin);
/* Reports the words in for= that contain no '*' and name no value of this document. Call it after all values were
 * looked up. */
void wsk_source_unused(wsk_loader *loader, wsk_node *node);

/* Converts prices of parts to the tariff's currency, or without a tariff to that of the first price, by the rates of
 * <exchange>; prices without a rate stay. Invalid rates are reported. */
void wsk_exchange_prices(wsk_diags *diags, wsk_elem *rig);
/* Adds an <exchange> to the site for each text such as "EUR=1.08 USD". It replaces an <exchange> of the rig between
 * the same two currencies. False: out of memory; mistakes go to the diags. */
bool wsk_exchange_add(wsk_loader *loader, wsk_node *root, const char *const *texts, size_t count);

/* Reads the list of prices at `path`; must be called before any part is opened. Errors go to loader->diags. False: out
 * of memory. */
bool wsk_prices_read(wsk_loader *loader, const char *path);
/* Sets price and date of a part to those of the list, if the list has the part. A second call for the part does
 * nothing. */
void wsk_prices_apply(wsk_loader *loader, wsk_part_doc *part);

/* Merges a rig with its parts. NULL: out of memory, or the root has no valid kind, or there are too many elements;
 * the last two are reported. */
wsk_item *wsk_merge_rig(wsk_loader *loader, wsk_node *root);
wsk_item *wsk_merge_part(wsk_loader *loader, const char *id);

bool wsk_same_origin(const wsk_origin *a, const wsk_origin *b);
/* The child of `parent` that rig.resolved.xml lists after `last` (NULL: the first one); NULL: no more children.
 * Children with the same element name keep the order of the rig file, so that an index in a path, as in gpu[1], means
 * the same element. */
const wsk_elem *wsk_resolved_next(const wsk_elem *parent, const wsk_elem *last);
/* True if a node of a resolved rig is taken as it is: its part= is kept as a name, and the part's file is not read. */
bool wsk_resolved(const wsk_loader *loader, const wsk_node *node);
/* Which of the attributes id, part and kind the rig file gives at this node, such as "id part". NULL: the element
 * comes from a part or is implied by its parent's kind, or out of memory. */
const char *wsk_resolved_written(wsk_loader *loader, const wsk_node *node);
/* Removes from a node of a resolved rig, and from all below it, the values that came from parts and defaults, so that
 * the node is read like a node of an ordinary rig file. Elements below it with a part of their own are kept as they
 * are. */
void wsk_resolved_free(wsk_loader *loader, wsk_node *node);

/* Applies `count` assignments ("gpu0.part=..."). Assignments that change the structure are written into `root` before
 * it is merged with its parts. Assignments of values then change the merged tree, which is returned. NULL: out of
 * memory, or an error, which is reported. */
wsk_item *wsk_assign(wsk_loader *loader, wsk_node *root, const char *const *sets, size_t count);

/* Parses one value into `field`; reports errors at the place of the value. False: it could not be read. */
bool wsk_value_read(wsk_loader *loader, const wsk_kind *kind, const wsk_param *param, wsk_origin *origin,
                    void *field);
void wsk_value_absent(const wsk_param *param, void *field);
bool wsk_value_present(const wsk_param *param, const void *field);
/* Writes a value in the unit used in files ("degC", "W"); false: the value is absent. */
bool wsk_value_write(wsk_buf *out, const wsk_param *param, const wsk_origin *origin, const void *field);

bool wsk_series_read(wsk_loader *loader, const wsk_param *param, wsk_origin *origin, wsk_series *out);
/* Parses a data file into doc->series, errors into doc->diags. The caller has set path and diags. */
void wsk_series_parse(wsk_loader *loader, const wsk_param *param, wsk_series_doc *doc, const char *text, size_t len);

/* The path of a data file or log that a rig names. False: *why has the reason, or out of memory. */
bool wsk_data_path(wsk_loader *loader, const char *name, const char **path, const wsk_said **why);

bool wsk_recording_read(wsk_loader *loader, const wsk_param *param, wsk_origin *origin, wsk_recording *out);

/* Makes the elements of an item and of all items below it: typed values, siblings in canonical order (see
 * wsk_plan_load), each with an id. part: the item is a part by itself, without a rig, so no value is required. NULL:
 * out of memory. */
wsk_elem *wsk_elems_make(wsk_loader *loader, wsk_item *item, bool part);
/* Writes a line for the attribute of each item: id and attribute, "number" or "text", and the path by indices, such as
 * "gpu0.power-limit number /rig0/chassis0/gpu0.power-limit". NULL: out of memory. */
const char *wsk_elems_tell(wsk_loader *loader, wsk_item *const *items, size_t count, const char *attr);
/* Hash of all values and ids, independent of order, comments and spacing of the file. */
uint64_t wsk_elems_digest(const wsk_elem *rig);
#endif
