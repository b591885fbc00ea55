/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exports the heat network as flat lists for other solvers: a fixed structure, and the values of each step.
 * export.c gives them, export_write.c writes them as files. Begin with this header. */
#ifndef WSK_STUDY_EXPORT_H
#define WSK_STUDY_EXPORT_H
#include "sim/control/run.h"

typedef enum { WSK_TERM_CONDUCTANCE, WSK_TERM_STREAM, WSK_TERM_PORT } wsk_term_kind;
/* Heat g (T_from - T_sense) leaves `from` and enters `to`. Conductance: `sense` is `to`. Stream: T_sense counts as 0;
 * the zero of the temperature scale does not matter, because the flow into a node equals the flow out of it. Port (fins
 * in a stream): `sense` is the fluid before the fins, `to` the fluid behind them. */
typedef struct {
    wsk_term_kind kind;
    int from, sense, to; /* indices of nodes; sense is WSK_NO for a stream */
} wsk_term;

/* Nodes: the nodes of wsk_net, then the die of each card. A die has no heat capacity; its only term leads to the
 * heatsink. */
typedef struct {
    const wsk_net *net;
    wsk_arena *arena;
    int n_node, n_term;
    const char **name;
    const double *cap; /* per node: heat capacity, J/K; 0: massless or boundary node */
    bool *given;       /* per node: true for a boundary node, whose temperature is given */
    /* each stream and port has two terms, one per direction; at any time at most one has a conductance */
    wsk_term *terms;
} wsk_heat_net;
wsk_heat_net *wsk_heat_net_new(const wsk_run *run);
void wsk_heat_net_free(wsk_heat_net *heat_net);

/* Reads the run's last step: conductance g per term, W/K; heat per node, W (0 for boundaries); temperature per
 * node at the end of the step, degC. */
void wsk_heat_net_read(const wsk_heat_net *heat_net, const wsk_run *run, double *g, double *heat_w, double *temp_c);

typedef struct {
    double until_s;
    const double *g, *heat_w, *temp_c; /* as stored by wsk_heat_net_read; steps with equal g share one array */
} wsk_exported_step;

/* An export: either a replay, which is every step of a run from its start, or the means of a settled run (steady
 * point) as a single step. */
typedef struct {
    wsk_heat_net *heat_net;
    bool replay;
    int n_step, room;
    wsk_exported_step *steps;
    /* per node, degC: temperature at t = 0 of a replay, or mean temperature of a settled run */
    double *start_c;
    /* true if a conductance of a settled run changed, so that the stored conductances are means */
    bool moving;
    const char *rig, *digest;
} wsk_exported;
bool wsk_export_spice(const wsk_exported *e, wsk_buf *out);
bool wsk_export_json(const wsk_exported *e, wsk_buf *out);
/* Writes an export as JSON or SPICE. replay_s: length of the replay, s; 0: exports the steady point instead. On
 * WSK_ENUMERIC, `why` receives the reason why the run failed, in the language of `voice`. */
wsk_status wsk_export(const wsk_net *net, const char *digest, bool json, double replay_s, const wsk_voice *voice,
                      wsk_buf *out, wsk_buf *why);

#endif
