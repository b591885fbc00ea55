/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds and elements. A kind is a model of a device or of work, declared by a file under models/ as one const struct
 * with a table of its parameters. The table drives parsing, units, checks, defaults, the schema and `wattsink kinds`.
 * An element is one use of a kind in a rig, with its parameter values. */
#ifndef WSK_KIND_H
#define WSK_KIND_H
#include "sim/base/calendar.h"
#include "sim/base/said.h"

typedef enum {
    WSK_TYPE_NUMBER,   /* double, SI; NAN when absent and without default */
    WSK_TYPE_TEXT,     /* const char *; NULL when absent */
    WSK_TYPE_CHOICE,   /* int, index into choices; -1 when absent */
    WSK_TYPE_CURVE,    /* wsk_curve, written as "68 degC:1530 rpm, 72 degC:1716 rpm", x rising */
    WSK_TYPE_DATETIME, /* double: seconds since 1970 by the local (civil) clock */
    WSK_TYPE_SERIES,   /* wsk_series: a data file with two columns, time and value */
    WSK_TYPE_LOG,
} wsk_type;

#define WSK_CURVE_MAX 48 /* most points of a curve: enough for the start and the end of each hour of a day */
typedef struct {
    int count;
    double x[WSK_CURVE_MAX], y[WSK_CURVE_MAX];
} wsk_curve;
/* Value of a curve at x: linear between its points, constant beyond them. Needs at least one point. */
static inline double wsk_curve_at(const wsk_curve *c, double x)
{
    if (x <= c->x[0])
        return c->y[0];
    for (int i = 1; i < c->count; i++)
        if (x <= c->x[i])
            return c->y[i - 1] + (c->y[i] - c->y[i - 1]) * (x - c->x[i - 1]) / (c->x[i] - c->x[i - 1]);
    return c->y[c->count - 1];
}

extern const char *const wsk_yes_names[];

/* A data file in memory, t increasing. t is seconds since 1970, by the file's clock (local or UTC), if the file gives
 * dates; else seconds from the start of the run. The series repeats beyond its ends. */
typedef struct {
    size_t count;
    bool civil;
    double mean;      /* mean of y over time, along straight lines between rows */
    double held_mean; /* mean of y over time, where each value holds until the next row */
    double most;      /* highest y */
    double rows_s;    /* time that the rows cover; the last row holds as long as the one before it */
    double period_s;  /* time after which the series repeats: rows_s, or a year of 365 days */
    const double *t, *y;
} wsk_series;
/* Among the first `count` rows: index of the last row whose time is at most u seconds after that of row 0; u >= 0. */
static inline size_t wsk_series_row(const wsk_series *s, size_t count, double u)
{
    size_t low = 0, high = count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (s->t[middle] - s->t[0] <= u)
            low = middle;
        else
            high = middle;
    }
    return low;
}

enum {
    WSK_REQUIRED = 1,
    WSK_POSITIVE = 2,   /* the value must be above 0, even if `min` is 0 */
    WSK_RIG_ONLY = 4,   /* may be stated in a rig file only, not in a part file: slot, fails-at, ... */
    WSK_NAMES_PART = 8, /* the text names a part for the child element of the same name: model="model/..." */
    /* The date of the value in the row before. A layer that states another value, and no date, leaves none. */
    WSK_DATES_ROW_BEFORE = 16,
};

typedef struct {
    const char *name, *help;
    wsk_type type;
    wsk_dim dim, dim_y;
    const char *def; /* default, written as a user writes it; NULL: none */
    /* allowed range in SI, both ends included; both 0: unchecked. Of a curve min and max are those of x. */
    double min, max, min_y, max_y;
    const char *const *choices;
    unsigned flags;
    size_t offset;
    const char *assumed; /* reason for a default without a source; NULL: the default is a definition or convention */
} wsk_param;

typedef struct {
    const char *element;
    int most;
    /* kind that is added with its defaults if the parent has no child of this name; NULL: none is added */
    const char *implied;
} wsk_child;

/* Rows of a parameter table. S: parameter struct, f: its field, n: name, d: dimension, def_: default, min_ and max_:
 * allowed range in SI (a curve has one of x and one of y), list: choices, fl: flags, h: help, why: reason for an
 * assumed default. */
#define WSK_NUM(S, f, n, d, def_, min_, max_, fl, h) \
    { \
        .name = n, .help = h, .type = WSK_TYPE_NUMBER, .dim = d, .def = def_, .min = min_, .max = max_, .flags = fl, \
        .offset = offsetof(S, f) \
    }
#define WSK_ASSUME(S, f, n, d, def_, min_, max_, fl, h, why) \
    { \
        .name = n, .help = h, .type = WSK_TYPE_NUMBER, .dim = d, .def = def_, .min = min_, .max = max_, .flags = fl, \
        .offset = offsetof(S, f), .assumed = why \
    }
#define WSK_TXT(S, f, n, def_, fl, h) \
    { \
        .name = n, .help = h, .type = WSK_TYPE_TEXT, .def = def_, .flags = fl, .offset = offsetof(S, f) \
    }
#define WSK_CHO(S, f, n, list, def_, fl, h) \
    { \
        .name = n, .help = h, .type = WSK_TYPE_CHOICE, .def = def_, .choices = list, .flags = fl, \
        .offset = offsetof(S, f) \
    }
#define WSK_CUR(S, f, n, dx, min_x_, max_x_, dy, min_y_, max_y_, def_, fl, h) \
    { \
        .name = n, .help = h, .type = WSK_TYPE_CURVE, .dim = dx, .dim_y = dy, .def = def_, .min = min_x_, \
        .max = max_x_, .min_y = min_y_, .max_y = max_y_, .flags = fl, .offset = offsetof(S, f) \
    }
#define WSK_SER(S, f, n, d, fl, h) \
    { \
        .name = n, .help = h, .type = WSK_TYPE_SERIES, .dim = d, .flags = fl, .offset = offsetof(S, f) \
    }
#define WSK_DAT(S, f, n, fl, h) \
    { \
        .name = n, .help = h, .type = WSK_TYPE_DATETIME, .flags = fl, .offset = offsetof(S, f) \
    }
#define WSK_PRICE_ROWS(S, def_, most, h) \
    WSK_NUM(S, price, "price", WSK_DIM_PRICE, def_, 0, most, 0, h), \
        WSK_DAT(S, price_date_s, "price-date", WSK_DATES_ROW_BEFORE, \
                "day from which the price is; of a month, its first")

typedef struct wsk_elem wsk_elem;
/* First member of each parameter struct, so that code that has only the parameters finds their element. */
typedef struct {
    const wsk_elem *elem;
} wsk_params;

typedef struct wsk_kind {
    const char *element; /* name of the XML element, and of the folder under models/ */
    const char *name;    /* value of kind="...", and name of the file */
    const char *help;
    /* true: an element that is written without kind= is of this kind. Of the kinds that share an element name, exactly
     * one is the default. */
    bool is_default;
    size_t size;
    const wsk_param *params;
    const wsk_child *children;
    const void *ops;
    /* True if this parameter of the element has no effect in its rig; NULL: all parameters have an effect. */
    bool (*unheeded)(const wsk_elem *elem, const char *param);
    /* Changes parameters that the rig leaves to their default where another default follows from the element's
     * children; NULL: none. Called for children of <rig> only. */
    void (*settle)(const wsk_elem *elem);
    unsigned traits; /* bits of wsk_trait without WSK_TRAIT_BOUGHT, which wsk_kind_traits adds */
    const wsk_look *look;
} wsk_kind;

/* All kinds; the Makefile writes the table from the list of files under models/. Ends with NULL. */
extern const wsk_kind *const wsk_kinds[];

typedef enum { WSK_FROM_DEFAULT, WSK_FROM_RIG, WSK_FROM_PART, WSK_FROM_SET } wsk_from;
typedef struct {
    wsk_from from;
    const char *text; /* value as written, trimmed; NULL: not written */
    const char *file;
    int line, column;
    const char *source; /* kind of the source, a word of WSK_SOURCE_KINDS (provenance.h); NULL: no source */
    const char *ref;
    const char *spread;
    bool assumed; /* the value is an assumption; results state how many there are */
    char currency[8];
    /* own, own_currency: the price as written, if it was converted to another currency; own_currency "": not
     * converted. */
    double own;
    char own_currency[8];
} wsk_origin;

struct wsk_elem {
    const wsk_kind *kind;
    void *params;
    wsk_origin *origins;
    const char *id; /* unique in the rig: as written, else made up, such as "gpu0" */
    const char *part;
    const char *title;
    /* Names of the attributes id, part and kind that the rig file gives for this element, with blanks between ("id
     * part"; "": none of them); NULL: the element comes from a part, or it was implied. */
    const char *written;
    wsk_elem *parent, *child, *next;
    const char *file;
    int line, column;
    int order;
};

typedef struct {
    wsk_arena *arena;
    /* The root element. It exists even if diags holds errors, unless the file could not be read at all, so that
     * checks across elements can add their findings. Values that could not be read have their default or are
     * absent. */
    wsk_elem *rig;
    const char *name;
    const char *path;
    const char *parts_dir, *data_dir;
    uint64_t digest;      /* hash of the resolved values; comments and spacing of the file do not change it */
    const wsk_zone *zone; /* time zone of the run; NULL: none, or it could not be read (see zone_read) */
    wsk_zone_result zone_read;
    wsk_diags diags;
    const char *const *assigned; /* for each assignment (--set), the attributes that it set, as text; NULL: none */
    size_t n_assigned;
    bool unread;
    bool lacks_parts; /* the rig names a part that no part folder has, nor one with a similar name */
    bool bad_files;   /* a part or data file that the rig names does not exist, was refused, or has mistakes */
    bool incomplete;  /* the file ended early: an element that is missing may have stood in the lost part */
} wsk_plan;

const wsk_param *wsk_kind_price(const wsk_kind *kind);
unsigned wsk_kind_traits(const wsk_kind *kind);
double wsk_elem_count(const wsk_elem *elem);
/* Returns the next child of this element name after `after` (NULL: the first one); NULL: there are no more. */
const wsk_elem *wsk_elem_child(const wsk_elem *parent, const char *element, const wsk_elem *after);
const wsk_param *wsk_kind_param(const wsk_kind *kind, const char *name);
const wsk_origin *wsk_elem_origin(const wsk_elem *elem, const char *param);
/* Adds a diagnostic at the value of a parameter; at the element, if param is NULL, or if the value is not written in
 * a file or stands in the file of a part. */
void wsk_elem_diag(wsk_diags *diags, wsk_severity severity, const wsk_elem *elem, const char *param,
                   const wsk_said *said);

#endif
