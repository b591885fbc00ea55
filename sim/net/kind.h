/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model interface: what a file under models/ declares, and how the engine sees it.
 * A kind is one const struct with its parameter table; the table drives parsing, units, checks, defaults,
 * the schema, `wattsink kinds` and the resolved rig. */
#ifndef WSK_KIND_H
#define WSK_KIND_H
#include "sim/base/said.h"

typedef enum {
    WSK_TYPE_NUMBER,   /* double, SI, NAN when absent and without default */
    WSK_TYPE_TEXT,     /* const char *, NULL when absent */
    WSK_TYPE_CHOICE,   /* int index into choices, -1 when absent */
    WSK_TYPE_CURVE,    /* wsk_curve: "68 degC:1530 rpm, 72 degC:1716 rpm", x rising */
    WSK_TYPE_DATETIME, /* double: civil seconds since 1970 */
    WSK_TYPE_SERIES,   /* wsk_series: the name of a data file of two columns, time and value */
} wsk_type;

#define WSK_CURVE_MAX 24
typedef struct {
    int count; /* 0 when absent */
    double x[WSK_CURVE_MAX], y[WSK_CURVE_MAX];
} wsk_curve;
/* Straight between its points, constant beyond them; it must have some. */
static inline double wsk_curve_at(const wsk_curve *c, double x)
{
    if (x <= c->x[0])
        return c->y[0];
    for (int i = 1; i < c->count; i++)
        if (x <= c->x[i])
            return c->y[i - 1] + (c->y[i] - c->y[i - 1]) * (x - c->x[i - 1]) / (c->x[i] - c->x[i - 1]);
    return c->y[c->count - 1];
}

/* Choices of a parameter that is a question. */
extern const char *const wsk_yes_names[]; /* ends with NULL */

/* A data file, read whole: t rising. Civil seconds since 1970 where the file gives dates, else seconds from the start
 * of the run; beyond its ends it repeats. */
typedef struct {
    size_t count; /* 0 when absent */
    bool civil;
    double mean;         /* over its time */
    double period_s;     /* after which it repeats */
    const double *t, *y; /* in the plan's arena */
} wsk_series;
/* Of the first `count` rows, the last that lies no more than u behind the first; u >= 0. */
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
    WSK_REQUIRED = 1, /* must be given by rig or part */
    WSK_POSITIVE = 2, /* > 0 (min is inclusive otherwise) */
    WSK_RIG_ONLY = 4, /* makes no sense in a part: slot, pins */
};

typedef struct {
    const char *name, *help;
    wsk_type type;
    wsk_dim dim, dim_y;         /* dim_y: second dimension of a curve */
    const char *def;            /* default, written as a user would; NULL: none */
    double min, max;            /* SI, inclusive; both 0: unchecked */
    const char *const *choices; /* WSK_TYPE_CHOICE, ends with NULL; points to static storage */
    unsigned flags;
    size_t offset;       /* in the kind's parameter struct */
    const char *assumed; /* why the default is what it is when it has no source; NULL: definition or convention */
} wsk_param;

typedef struct {
    const char *element;
    int most;            /* how many may stand here; 0: any number */
    const char *implied; /* an element of this kind is made from its defaults when none of that kind is
                          * written; NULL: may be absent */
} wsk_child;

/* Rows of a parameter table. S: struct, f: field. */
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
#define WSK_CUR(S, f, n, dx, dy, def_, fl, h) \
    { \
        .name = n, .help = h, .type = WSK_TYPE_CURVE, .dim = dx, .dim_y = dy, .def = def_, .flags = fl, \
        .offset = offsetof(S, f) \
    }
#define WSK_SER(S, f, n, d, fl, h) \
    { \
        .name = n, .help = h, .type = WSK_TYPE_SERIES, .dim = d, .flags = fl, .offset = offsetof(S, f) \
    }
#define WSK_DAT(S, f, n, fl, h) \
    { \
        .name = n, .help = h, .type = WSK_TYPE_DATETIME, .flags = fl, .offset = offsetof(S, f) \
    }

/* Every parameter struct begins with this. */
typedef struct wsk_elem wsk_elem;
typedef struct {
    const wsk_elem *elem;
} wsk_params;

typedef struct wsk_kind {
    const char *element; /* XML element = folder under models/ */
    const char *name;    /* value of kind="..." = file name */
    const char *help;
    bool is_default;           /* used when kind= is not written; one per element */
    size_t size;               /* of the parameter struct */
    const wsk_param *params;   /* ends with name == NULL */
    const wsk_child *children; /* ends with element == NULL; NULL: none */
    const void *ops;           /* the role's function table; NULL: pure data */
    /* Whether nothing asks for that value of an element where it stands; NULL: all values are asked for. */
    bool (*unheeded)(const wsk_elem *elem, const char *param);
    unsigned traits;      /* wsk_trait, but WSK_TRAIT_BOUGHT, which wsk_kind_traits finds */
    const wsk_look *look; /* a cooler's; NULL: nothing of its own */
} wsk_kind;

/* Written by the Makefile from the list of files under models/; ends with NULL. */
extern const wsk_kind *const wsk_kinds[];

/* ---- the plan: a rig read, checked and resolved; const after loading ---- */
typedef enum { WSK_FROM_DEFAULT, WSK_FROM_RIG, WSK_FROM_PART, WSK_FROM_SET } wsk_from;
typedef struct {
    wsk_from from;
    const char *text;   /* as written (trimmed), NULL when absent */
    const char *file;   /* where it was written, NULL for defaults */
    int line, column;   /* of the value's first character */
    const char *source; /* part values: kind of source, a word of WSK_SOURCE_KINDS */
    const char *ref;    /* where it comes from, one line */
    const char *spread; /* stated error or spread, may be NULL */
    bool assumed;       /* counts in assumed_values */
    char currency[8];   /* prices */
} wsk_origin;

struct wsk_elem {
    const wsk_kind *kind;
    void *params;        /* kind->size bytes, starts with wsk_params */
    wsk_origin *origins; /* one per parameter, in table order */
    const char *id;      /* unique in the rig: "gpu0", "psu0", or as given */
    const char *part;    /* part id, NULL when written out */
    const char *title;   /* the part's title= */
    const char *written; /* which of id, part, kind the rig wrote; NULL: a part or the tables brought the element */
    wsk_elem *parent, *child, *next;
    const char *file;
    int line, column; /* of the element's name */
    int order;        /* position in the file among equal elements */
};

typedef struct {
    wsk_arena *arena; /* owns everything below */
    wsk_elem *rig;    /* root; also there when diags holds errors, unless the file could not be read at all:
                         * values that could not be read then have their default or are absent,
                         * and one of several elements whose part is missing is left out. So the checks that concern
                         * several elements can add what they find. */
    const char *name; /* rig's name attribute, or the file's name */
    const char *path; /* as given */
    const char *parts_dir, *data_dir;
    uint64_t digest; /* of the resolved content: order, comments and spacing of the file do not enter */
    wsk_diags diags;
    const char *const *assigned; /* of each assignment, as wsk_rig_assigned tells it; NULL where there are none */
    size_t n_assigned;
    bool lacks_parts; /* it names one that is in no part folder and is not nearly the name of one there */
    bool incomplete;  /* the file broke off: what is missing may have stood in the rest */
} wsk_plan;

/* The parameter that says what it costs to buy; NULL: it costs nothing by itself. */
const wsk_param *wsk_kind_price(const wsk_kind *kind);
/* Its traits, and WSK_TRAIT_BOUGHT where it has a price. */
unsigned wsk_kind_traits(const wsk_kind *kind);
/* How many of it an element stands for: its parameter "count", 1 where it has none. */
double wsk_elem_count(const wsk_elem *elem);
/* First child of that element name, or the next one after `after` (NULL: start). */
const wsk_elem *wsk_elem_child(const wsk_elem *parent, const char *element, const wsk_elem *after);
/* Origin of the parameter with this name; NULL when the kind has none such. */
const wsk_origin *wsk_elem_origin(const wsk_elem *elem, const char *param);
/* Adds a diagnostic at the value of a parameter (or at the element when it was not written). */
void wsk_elem_diag(wsk_diags *diags, wsk_severity severity, const wsk_elem *elem, const char *param,
                   const wsk_said *said);

#endif
