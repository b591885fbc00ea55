/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_TESTS_CATALOGUE_H
#define WSK_TESTS_CATALOGUE_H
#include <stdlib.h>
#include <string.h>

#include "sim/io/plan.h"
#include "tests/unit/assert.h"
#include "wattsink.h"

enum { PARTS_MAX = 1024 };
typedef struct {
    char ids[PARTS_MAX][128];
    int count;
} list;

static inline void take(void *ctx, const char *id, const char *title)
{
    list *l = ctx;
    assert_true(l->count < PARTS_MAX);
    if (!title || !*title)
        fail_msg("%s has no title", id);
    snprintf(l->ids[l->count++], sizeof l->ids[0], "%s", id);
}

static inline list *parts_of(const char *family)
{
    list *l = calloc(1, sizeof *l);
    assert_non_null(l);
    assert_int_equal(wsk_parts_list("parts", family, NULL, take, l, NULL), WSK_OK);
    return l;
}

/* A coolant loop that suits every cooler of the catalogue: immersion coolers need a dielectric such as PAO. */
#define LOOP \
    "<loop coolant='pao'><pump part='pump/d5'/><radiator part='radiator/generic-360'><fan " \
    "part='fan/generic-120-1500' " \
    "count='3'/></radiator></loop>"
#define WET "<gpu part='gpu/generic' tdp='250 W' slots='2' slot='1'><cooler kind='water'/></gpu>"
static const struct {
    const char *family, *before, *after; /* the rig's XML before and after the tested part */
} scenes[] = {
    {"fan", "<rig><chassis>", "</chassis></rig>"},
    {"psu", "<rig><site supply='230 V'/><chassis>", "</chassis></rig>"},
    {"cpu", "<rig><chassis>", "</chassis></rig>"},
    {"board", "<rig><chassis>", "</chassis></rig>"},
    {"memory", "<rig><chassis>", "</chassis></rig>"},
    {"storage", "<rig><chassis>", "</chassis></rig>"},
    {"ups", "<rig><site>", "</site><chassis/></rig>"},
    {"pdu", "<rig><site>", "</site><chassis/></rig>"},
    {"loop", "<rig><chassis>" WET, "</chassis></rig>"},
    {"radiator", "<rig><chassis>" WET "<loop><pump part='pump/d5'/>", "</loop></chassis></rig>"},
    {"pump", "<rig><chassis>" WET "<loop><radiator part='radiator/generic-360'/>", "</loop></chassis></rig>"},
    {"cooler", "<rig><chassis>" LOOP "<gpu part='gpu/generic' tdp='250 W' slots='2' slot='1'>",
     "</gpu></chassis></rig>"},
};

static inline bool scene(const char *id, char *text, size_t size)
{
    size_t n = strcspn(id, "/");
    /* the rig gives gpu/generic its power and slots, which the part does not state; the chassis has room for the
     * largest card */
    if (strncmp(id, "gpu/", 4) == 0) {
        snprintf(text, size,
                 "<rig><chassis slots='8' pitch='100 mm' card-length='2 m'>" LOOP
                 "<gpu part='%s' slot='1'%s/></chassis></rig>",
                 id, strcmp(id, "gpu/generic") == 0 ? " tdp='250 W' slots='2'" : "");
        return true;
    }
    /* A chassis gets a card, because its fans may follow the temperature of a card. */
    if (strncmp(id, "chassis/", 8) == 0) {
        snprintf(text, size,
                 "<rig><chassis part='%s'><gpu part='gpu/generic' tdp='250 W' slots='1' slot='1' length='140 mm'>"
                 "<cooler kind='open-air'/></gpu></chassis></rig>",
                 id);
        return true;
    }
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        if (strlen(scenes[i].family) == n && strncmp(scenes[i].family, id, n) == 0) {
            snprintf(text, size, "%s<%.*s part='%s'/>%s", scenes[i].before, (int)n, id, id, scenes[i].after);
            return true;
        }
    return false;
}

static inline wsk_plan *plan_of(const char *id)
{
    char text[2048];
    assert_true(scene(id, text, sizeof text));
    wsk_plan_input in = {.path = "-", .text = text, .text_len = strlen(text), .parts_dir = "parts"};
    wsk_plan *plan = NULL;
    wsk_status status = wsk_plan_load(&plan, &in);
    assert_non_null(plan);
    if (status != WSK_OK)
        fail_msg("%s: %s", id, plan->diags.count ? plan->diags.items[0].message : "does not load");
    return plan;
}

static const wsk_elem *with_part(const wsk_elem *e, const char *id)
{
    if (e->part && strcmp(e->part, id) == 0)
        return e;
    for (const wsk_elem *c = e->child; c; c = c->next) {
        const wsk_elem *found = with_part(c, id);
        if (found)
            return found;
    }
    return NULL;
}

/* `kind` NULL: parts of every kind. Returns the number of parts. */
static inline int each(const char *family, const char *kind, void (*check)(const char *id, const void *params))
{
    list *l = parts_of(family);
    int n = 0;
    for (int i = 0; i < l->count; i++) {
        wsk_plan *plan = plan_of(l->ids[i]);
        const wsk_elem *e = with_part(plan->rig, l->ids[i]);
        if (!e)
            fail_msg("%s is not in its rig", l->ids[i]);
        else if (!kind || strcmp(e->kind->name, kind) == 0) {
            n++;
            if (check)
                check(l->ids[i], e->params);
        }
        wsk_plan_free(plan);
    }
    free(l);
    return n;
}

static inline void within(const char *id, const char *what, double value, double low, double high)
{
    if (!(value >= low && value <= high))
        fail_msg("%s: %s is %g; expected %g to %g", id, what, value, low, high);
}

#endif
