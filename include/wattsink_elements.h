/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rig as a list of its XML elements with all values, made from a loaded rig or from the text of a rig.resolved.xml.
 * That file is among the results of each run and contains the rig with all values, those of parts and defaults too.
 * wattsink.h includes this file. */
#ifndef WATTSINK_ELEMENTS_H
#define WATTSINK_ELEMENTS_H

/* The origin of an attribute's value; attributes of one element may share one origin. "": not stated. */
typedef struct {
    const char *from;                /* where the value was given: "default", "rig", "part", "set" */
    const char *kind, *ref, *spread; /* kind of source, such as "datasheet"; reference; stated error */
} wsk_origin_text;
typedef struct {
    const char *name, *text; /* name, and value as text as in rig.resolved.xml: "350 W" */
    double value;            /* the number at the beginning of `text`; NAN: `text` begins with none */
    const char *unit;        /* the unit after the number in `text`; "": no unit */
    const wsk_origin_text *origin;
} wsk_attribute;
typedef enum {
    WSK_TRAIT_BOUGHT = 1, /* has a purchase price */
    /* its values depend on the date, so results of one week cannot be scaled to a year */
    WSK_TRAIT_DATED = 2,
    WSK_TRAIT_CONSTANT_EFFICIENCY = 4, /* PSU: the same efficiency at each load */
    WSK_TRAIT_OPEN = 8,                /* chassis: open frame without a case around the parts */
    WSK_TRAIT_FACILITY = 16, /* coolant loop or rear door: heat leaves with facility water, not into the room */
    WSK_TRAIT_DUCTED = 32,   /* cooler: unless it has a fan, the chassis fans drive air through it */
} wsk_trait;                 /* properties of a kind of element, one bit each */
/* Where a card's warm air goes. OUT: out of the case through the card's bracket (blower). AROUND: into the air around
 * the card (open fans). AWAY: any other way. */
typedef enum { WSK_AIR_AWAY, WSK_AIR_OUT, WSK_AIR_AROUND } wsk_air;
/* How the drawing of a rig shows a cooler. */
typedef struct {
    const char *label; /* text drawn on the card; NULL: none */
    wsk_air air;
    bool bath;     /* the card is immersed in its coolant */
    bool radiator; /* the cooler has a radiator that carries its fans */
} wsk_look;
typedef struct {
    const char *element;   /* name of the XML element: "gpu" */
    const char *kind, *id; /* such as "boost"; such as "gpu0" */
    /* part: id of the element's part; NULL: none. written: which of the attributes id, part and kind the rig file
     * states, such as "id part"; NULL: the element is not in the rig file. */
    const char *part, *written;
    unsigned traits;      /* bits of wsk_trait */
    const wsk_look *look; /* how a cooler is drawn; NULL: a cooler that is drawn as a plain card, or no cooler */
    int parent;           /* index of the parent in the list; -1 for the rig, which is the first element */
    const wsk_attribute *attributes;
    size_t attribute_count;
} wsk_element;
/* The elements of a rig: parents before children, elements of one name in file order. A list from wsk_rig_elements must
 * not outlive its rig. */
typedef struct {
    const wsk_element *items;
    int count;
} wsk_elements;
/* Lists all elements of a rig; of a rig with errors those that could be read. WSK_EINPUT: the file is empty or no rig.
 * Free *out with wsk_elements_free. */
wsk_status wsk_rig_elements(const wsk_rig *rig, const wsk_elements **out);
/* Makes the list from the text of a rig.resolved.xml. The rig is not checked, so the file may come from another version
 * of the program whose rigs this one cannot run. WSK_EINPUT: the text is not well-formed XML, or not a rig.
 * Free *out with wsk_elements_free. */
wsk_status wsk_elements_read(const char *xml, size_t len, const wsk_elements **out);
void wsk_elements_free(const wsk_elements *list);
/* Index of the next element with this element name after index `after` (-1: from the start), inside the element
 * `under` at any depth (-1: in the whole rig). Returns -1 if there is none. */
int wsk_elements_next(const wsk_elements *list, const char *element, int after, int under);
int wsk_elements_find(const wsk_elements *list, const char *id); /* index of the element with this id; -1: none */
/* An attribute of the element with index `at`, its text, or its number. If there is no such element or attribute,
 * they return NULL, NULL and NAN. */
const wsk_attribute *wsk_elements_attribute(const wsk_elements *list, int at, const char *name);
const char *wsk_elements_text(const wsk_elements *list, int at, const char *name);
double wsk_elements_number(const wsk_elements *list, int at, const char *name);
/* id of the element with index `at`; "": no such element */
const char *wsk_elements_id(const wsk_elements *list, int at);
bool wsk_elements_is(const wsk_elements *list, int at, const char *element);
#endif
