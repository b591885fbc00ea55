/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variables of a rig, from the table in include/wattsink_variables.h. A variable is identified by its row in the
 * table and the number of its owner, such as WSK_VAR_CARD_DIE_C of card 2; wsk_variable_at gives its index in the
 * arrays. */
#ifndef WSK_VARIABLES_H
#define WSK_VARIABLES_H
#include "sim/net/net.h"

typedef struct {
    const char *name; /* name with the id of its owner: "gpu0.die_c" */
    const wsk_var_row *row;
    /* node whose temperature the variable is; for die, hot spot, VRM and CPU the node above which their temperature
     * rises; WSK_NO: the variable is no temperature */
    int node;
} wsk_variable;

/* A variable that is a temperature: index of its node, index among the variables. */
typedef struct {
    int node, variable;
} wsk_probe;

/* The variables of a rig, in the order of the columns of series.csv. They depend only on the network. */
typedef struct wsk_variables {
    wsk_variable *all;
    int n;
    wsk_probe *probes;
    int n_probe;
    int *changing; /* indices of the variables, other than temperatures, that may change at each tick */
    int n_changing;
    int *watched; /* indices of the fans and pumps whose speed is a variable, in order */
    int n_watched;
    /* per owner and row: index in `all`; WSK_NO: this rig does not have the variable; read by wsk_variable_at */
    int *place;
    /* Per row: position in `place` for its first owner, and distance to the next owner. */
    int first[WSK_VAR_COUNT], stride[WSK_VAR_COUNT];
} wsk_variables;

const wsk_variables *wsk_variables_make(const wsk_net *net, wsk_arena *arena);
/* wsk_count_owners: how many objects of this kind the rig has. wsk_owner_id: the id of one of them, with which the
 * names of its variables begin: "gpu0", "case" if there is only one, "circuit" for the site's own circuit; NULL for
 * the rig itself. The name of a case's CPU temperature begins with the id of the CPU instead. */
int wsk_count_owners(const wsk_net *net, wsk_owner owner);
const char *wsk_owner_id(const wsk_net *net, wsk_owner owner, int which);
/* Finds row and owner of a variable's name, such as "gpu0.energy_j", including variables that are computed only when
 * asked for. False: there is no such variable. */
bool wsk_variable_named(const wsk_net *net, const char *name, wsk_var *row, int *which);
/* Index of a recorded variable of owner number `which` (0 for the rig); WSK_NO: this rig does not have the
 * variable. */
static inline int wsk_variable_at(const wsk_variables *v, wsk_var row, int which)
{
    return v->place[v->first[row] + which * v->stride[row]];
}

#endif
