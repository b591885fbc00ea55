/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/books/bill.h"
#include "sim/books/variables.h"
#include "sim/control/run.h"

#include <string.h>

#define ROW(handle, owner_, name_, unit_, label_, standard_, change_, node_) \
    [WSK_VAR_##handle] = {.row = WSK_VAR_##handle, \
                          .owner = WSK_OF_##owner_, \
                          .name = name_, \
                          .unit = unit_, \
                          .label = label_, \
                          .standard = standard_, \
                          .change = WSK_VAR_##change_},
static const wsk_var_row rows[WSK_VAR_COUNT] = {WSK_VARIABLES(ROW) WSK_ASKED(ROW)};
#undef ROW

const wsk_var_row *wsk_var_about(wsk_var variable)
{
    return (unsigned)variable < WSK_VAR_COUNT ? &rows[variable] : NULL;
}

const char *wsk_stat_name(wsk_stat stat)
{
    static const char *const names[WSK_STATS] = {"min", "mean", "max"};
    return (unsigned)stat < WSK_STATS ? names[stat] : NULL;
}

static bool is_text(const char *name, size_t len, const char *text)
{
    return strlen(text) == len && memcmp(name, text, len) == 0;
}

static size_t last_dot(const char *name, size_t len)
{
    while (len && name[len - 1] != '.')
        len--;
    return len ? len - 1 : 0;
}

bool wsk_column_read(const char *name, size_t len, wsk_column *out)
{
    const size_t end = last_dot(name, len);
    *out = (wsk_column){.name = name, .len = end, .id_len = last_dot(name, end)};
    /* variables of the rig have no id, but their names may contain a dot: "room.air_c" */
    for (int r = 0; r < WSK_VAR_COUNT; r++)
        if (rows[r].owner == WSK_OF_RIG && is_text(name, end, rows[r].name))
            out->id_len = 0;
    for (int k = 0; end && k < WSK_STATS; k++)
        if (is_text(name + end + 1, len - end - 1, wsk_stat_name((wsk_stat)k))) {
            out->stat = (wsk_stat)k;
            return true;
        }
    return false;
}

bool wsk_column_is(const wsk_column *column, wsk_var variable)
{
    const wsk_var_row *row = wsk_var_about(variable);
    const size_t from = column->id_len + (column->id_len > 0);
    return row && (row->owner == WSK_OF_RIG) == (column->id_len == 0) &&
           is_text(column->name + from, column->len - from, row->name);
}

/* node_at[r], if variable r is a temperature at a node: offset of the member of its owner's struct (wsk_card, ...)
 * that holds the index of this node. It is 0 for all other variables. */
#define STRUCT_RIG wsk_net
#define STRUCT_CASE wsk_case
#define STRUCT_LOOP wsk_circuit
#define STRUCT_CARD wsk_card
#define NODE_HOLDS(owner, node) 0
#define NODE_TICKS(owner, node) 0
#define NODE_GROWS(owner, node) 0
#define NODE_ON_NODE(owner, node) offsetof(STRUCT_##owner, node)
#define NODE(handle, owner, name, unit, label, standard, change, node) \
    [WSK_VAR_##handle] = NODE_##change(owner, node),
static const size_t node_at[WSK_VAR_COUNT] = {WSK_VARIABLES(NODE)};
#undef NODE

int wsk_count_owners(const wsk_net *net, wsk_owner owner)
{
    switch (owner) {
    case WSK_OF_CIRCUIT: return net->n_line;
    case WSK_OF_CASE: return net->n_case;
    case WSK_OF_SUPPLY: return net->n_supply;
    case WSK_OF_LOOP: return net->n_circuit;
    case WSK_OF_MOVER: return net->n_mover;
    case WSK_OF_CARD: return net->n_card;
    default: return 1;
    }
}

static const void *owner_of(const wsk_net *net, wsk_owner owner, int which)
{
    switch (owner) {
    case WSK_OF_CASE: return &net->cases[which];
    case WSK_OF_SUPPLY: return &net->supplies[which];
    case WSK_OF_LOOP: return &net->circuits[which];
    case WSK_OF_MOVER: return &net->movers[which];
    case WSK_OF_CARD: return &net->cards[which];
    default: return net;
    }
}

/* True if the speed of fan or pump i is a variable: it has a controller or a scheduled failure, and is not a card's
 * own fan. */
static bool has_speed(const wsk_net *net, int i)
{
    const wsk_mover *m = &net->movers[i];
    for (int k = 0; k < net->n_card; k++)
        if (net->cards[k].mover == i)
            return false;
    return m->branch >= 0 && (m->control || m->fails_ns >= 0);
}

static bool has_variable(const wsk_net *net, int r, int which)
{
    switch (r) {
    case WSK_VAR_PSU_LOSS_W: return net->n_supply > 0;
    case WSK_VAR_AC_W: return net->ac != NULL;
    case WSK_VAR_COST: return net->tariff != NULL;
    case WSK_VAR_COST_OTHER: return net->tariff && wsk_bill_has_other(net->billing);
    case WSK_VAR_CASE_CPU_C: return net->cases[which].cpu != NULL;
    case WSK_VAR_CASE_DOOR_C: return net->cases[which].door != NULL;
    case WSK_VAR_MOVER_RPM: return has_speed(net, which);
    default: return true;
    }
}

const char *wsk_owner_id(const wsk_net *net, wsk_owner owner, int which)
{
    switch (owner) {
    case WSK_OF_CASE: return net->n_case == 1 ? "case" : net->cases[which].elem->id;
    case WSK_OF_SUPPLY: return net->supplies[which].elem->id;
    case WSK_OF_LOOP: return net->circuits[which].id;
    case WSK_OF_MOVER: return net->movers[which].name;
    case WSK_OF_CARD: return net->cards[which].id;
    case WSK_OF_CIRCUIT: return wsk_line_name(net, which);
    default: return NULL;
    }
}

static const char *find_prefix(const wsk_net *net, int r, int which)
{
    return r == WSK_VAR_CASE_CPU_C ? net->cases[which].cpu->head.elem->id : wsk_owner_id(net, rows[r].owner, which);
}

static void add_variable(wsk_variables *v, const wsk_net *net, wsk_arena *arena, int r, int which)
{
    const char *owner = find_prefix(net, r, which),
               *name = owner ? wsk_printf(arena, "%s.%s", owner, rows[r].name) : rows[r].name;
    const int at = v->n++;
    v->all[at] = (wsk_variable){.name = name, .row = &rows[r], .node = WSK_NO};
    if (rows[r].change == WSK_VAR_ON_NODE) {
        memcpy(&v->all[at].node, (const char *)owner_of(net, rows[r].owner, which) + node_at[r], sizeof(int));
        v->probes[v->n_probe++] = (wsk_probe){v->all[at].node, at};
    }
    if (rows[r].change == WSK_VAR_TICKS || rows[r].change == WSK_VAR_GROWS)
        v->changing[v->n_changing++] = at;
    if (r == WSK_VAR_MOVER_RPM)
        v->watched[v->n_watched++] = which;
}

#define ONE(...) +1
enum { RECORDED = 0 WSK_VARIABLES(ONE) };
#undef ONE

/* Fills first[] and stride[], and returns the number of entries of `place`. The rows of one kind of owner are
 * consecutive in the table of variables. */
static size_t lay_out_places(wsk_variables *v, const wsk_net *net)
{
    int places = 0;
    for (int from = 0, to; from < RECORDED; from = to) {
        for (to = from; to < RECORDED && rows[to].owner == rows[from].owner; to++)
            v->first[to] = places + to - from;
        for (int r = from; r < to; r++)
            v->stride[r] = to - from;
        places += wsk_count_owners(net, rows[from].owner) * (to - from);
    }
    return (size_t)places;
}

static void list_variables(wsk_variables *v, const wsk_net *net, wsk_arena *arena)
{
    int *place = v->place;
    for (int from = 0; from < RECORDED; from += v->stride[from])
        for (int i = 0; i < wsk_count_owners(net, rows[from].owner); i++)
            for (int r = from; r < from + v->stride[from]; r++) {
                const bool there = has_variable(net, r, i);
                *place++ = there ? v->n : WSK_NO;
                if (there)
                    add_variable(v, net, arena, r, i);
            }
}

const wsk_variables *wsk_variables_make(const wsk_net *net, wsk_arena *arena)
{
    wsk_variables *v = wsk_alloc(arena, sizeof *v);
    if (!v)
        return NULL;
    *v = (wsk_variables){0};
    const size_t most = lay_out_places(v, net);
    v->all = wsk_alloc(arena, most * sizeof *v->all);
    v->probes = wsk_alloc(arena, most * sizeof *v->probes);
    v->place = wsk_alloc(arena, most * sizeof *v->place);
    v->changing = wsk_alloc(arena, most * sizeof *v->changing);
    v->watched = wsk_alloc(arena, ((size_t)net->n_mover + 1) * sizeof *v->watched);
    if (wsk_arena_failed(arena))
        return NULL;
    list_variables(v, net, arena);
    return wsk_arena_failed(arena) ? NULL : v;
}

static const char *behind_id(const char *name, const char *id)
{
    const size_t len = strlen(id);
    return strncmp(name, id, len) == 0 && name[len] == '.' ? name + len + 1 : NULL;
}

bool wsk_variable_named(const wsk_net *net, const char *name, wsk_var *row, int *which)
{
    for (int r = 0; r < WSK_VAR_COUNT; r++)
        for (int i = 0; i < wsk_count_owners(net, rows[r].owner); i++) {
            if (r < RECORDED && !has_variable(net, r, i) && r != WSK_VAR_MOVER_RPM)
                continue;
            const char *id = find_prefix(net, r, i), *rest = id ? behind_id(name, id) : name;
            if (rest && strcmp(rest, rows[r].name) == 0) {
                *row = rows[r].row;
                *which = i;
                return true;
            }
        }
    return false;
}
