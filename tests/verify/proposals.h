/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the list of changes that advice proposes for a rig with given problems (wsk_propose). */
#ifndef WSK_TESTS_PROPOSALS_H
#define WSK_TESTS_PROPOSALS_H
#include <stdio.h>
#include <string.h>

#include "sim/api.h"
#include "sim/study/advice/advice.h"
#include "tests/support/bench.h"

/* says, omits: parts of the list of proposals, one a line: "change: assignment; assignment" */
typedef struct {
    const char *what, *xml;
    wsk_outcome base;
    bool heat, bare; /* bare: the catalogue has no parts for the changes */
    const char *says[4], *omits[4];
} row;

static inline void write_list(char *text, size_t size, const row *r, const wsk_rig *rig)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_variant *list = wsk_alloc(arena, WSK_VARIANTS_MAX * sizeof *list);
    wsk_plan_input input = rig->input;
    wsk_outcome base = r->base;
    assert_non_null(list);
    if (r->bare)
        input.parts_dir = NULL;
    base.cure_psu = base.cure_psu > 0 ? base.cure_psu : 1;
    base.cure_circuit = base.cure_circuit > 0 ? base.cure_circuit : 1;
    for (int i = 0; i < rig->net->n_card; i++) {
        base.die_c[i] = base.die_c[i] > 0 ? base.die_c[i] : 60 + i;
        base.card_w[i] = base.card_w[i] > 0 ? base.card_w[i] : rig->net->cards[i].held_w;
    }
    const wsk_judged judged = {.arena = arena, .net = rig->net, .input = &input};
    const size_t n = wsk_propose(&judged, &base, r->heat, list);
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        const char *what = wsk_said_english(arena, list[i].what);
        assert_true(what && *what && list[i].count > 0 && !list[i].halved);
        at += (size_t)snprintf(text + at, size - at, "%s:", what);
        for (size_t k = 0; k < list[i].count; k++)
            at += (size_t)snprintf(text + at, size - at, "%s %s", k ? ";" : "", list[i].sets[k]);
        at += (size_t)snprintf(text + at, size - at, "%s\n", list[i].bought ? " (at an unknown price)" : "");
        assert_true(at < size);
    }
    wsk_arena_free(arena);
}

static inline void check_rows(const row *rows, size_t count)
{
    static char text[1 << 16];
    for (size_t i = 0; i < count; i++) {
        wsk_rig *rig = wsk_test_rig(rows[i].xml, NULL);
        write_list(text, sizeof text, &rows[i], rig);
        for (size_t k = 0; k < 4 && rows[i].says[k]; k++)
            if (!strstr(text, rows[i].says[k]))
                fail_msg("%s: no \"%s\" in:\n%s", rows[i].what, rows[i].says[k], text);
        for (size_t k = 0; k < 4 && rows[i].omits[k]; k++)
            if (strstr(text, rows[i].omits[k]))
                fail_msg("%s: \"%s\" in:\n%s", rows[i].what, rows[i].omits[k], text);
        wsk_rig_free(rig);
    }
}
#define CHECK(rows) check_rows(rows, sizeof(rows) / sizeof *(rows))

#define ROOM "<room temperature='21 degC'/>"
#define RIG_OF(site, inside, chassis) \
    "<rig><site " site "</site><chassis " chassis ">" inside \
    "</chassis><workload class='training'/><run for='2 h'/></rig>"
#define PSU(more) "<psu kind='constant' rated='1600 W' efficiency='90 %' " more "/>"
#define CARD(id, slot, part) "<gpu id='" id "' slot='" slot "' part='gpu/" part "'/>"
#define ONE CARD("g", "1", "rtx-2080-ti")

#endif
