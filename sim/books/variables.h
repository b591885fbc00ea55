/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variables that a rig has, by the table in include/wattsink_variables.h. A handle is a row of that table and the number of its
 * owner (WSK_VAR_CARD_DIE_C of card 2); wsk_variable_at turns it into a place in the arrays. */
#ifndef WSK_VARIABLES_H
#define WSK_VARIABLES_H
#include "sim/net/net.h"

/* A variable that this rig has. */
typedef struct {
    const char *name; /* with its owner's id: "gpu0.die_c" */
    const wsk_var_row *row;
    int node; /* a temperature's, else WSK_NO */
} wsk_variable;

/* A temperature: its node, and its place among the variables. */
typedef struct {
    int node, variable;
} wsk_probe;

/* The variables that a rig has, in the order of the columns. A function of the network alone. */
typedef struct wsk_variables {
    wsk_variable *all;
    int n;
    wsk_probe *probes; /* those that are temperatures */
    int n_probe;
    int *changing; /* places of those that change at every tick */
    int n_changing;
    int *watched; /* movers whose speed is a variable, in order */
    int n_watched;
    int *place; /* of all owners' rows: place in `all`, or WSK_NO; see wsk_variable_at */
    int first[WSK_VAR_COUNT],
        stride[WSK_VAR_COUNT]; /* of a row: where in `place` its first owner's stands; how far apart */
} wsk_variables;

/* In the arena; NULL: out of memory. */
const wsk_variables *wsk_variables_make(const wsk_net *net, wsk_arena *arena);
/* The place of a variable of owner number `which` (0 for the rig), WSK_NO where this rig has none. */
static inline int wsk_variable_at(const wsk_variables *v, wsk_var row, int which)
{
    return v->place[v->first[row] + which * v->stride[row]];
}
/* The place by name, for names that come from outside; WSK_NO: unknown. */
int wsk_variable_find(const wsk_variables *v, const char *name);

#endif
