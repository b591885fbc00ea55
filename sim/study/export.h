/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heat network as flat lists, for other solvers: what holds always, and what holds over one step. */
#ifndef WSK_RUN_EXPORT_H
#define WSK_RUN_EXPORT_H
#include "sim/control/run.h"

typedef enum { WSK_TERM_CONDUCTANCE, WSK_TERM_STREAM, WSK_TERM_PORT } wsk_term_kind;
/* Heat g (T_from - T_sense) leaves `from` and enters `to`. A conductance senses where it gives. A stream senses
 * nothing: it carries g T_from, on whatever scale, since what enters a node also leaves it. A port senses the air
 * before the fins and gives to the air behind. */
typedef struct {
    wsk_term_kind kind;
    int from, sense, to; /* sense WSK_NO: a stream */
} wsk_term;

/* The network's nodes, then one die for each card: without capacity, behind the resistance to its heatsink. */
typedef struct {
    const wsk_net *net;
    wsk_arena *arena; /* owns this */
    int n_node, n_term;
    const char **name;
    const double *cap; /* J/K; 0: follows at once */
    bool *given;       /* its temperature is a boundary's */
    wsk_term *terms;   /* streams and ports in both directions: one of the two has no conductance */
} wsk_heat_net;
wsk_heat_net *wsk_heat_net_new(const wsk_run *run); /* NULL: out of memory */
void wsk_heat_net_free(wsk_heat_net *heat_net);

/* Of the step that the run has just taken: g, W/K, per term; watts per node (0 where given); degC per node at its end. */
void wsk_heat_net_read(const wsk_heat_net *heat_net, const wsk_run *run, double *g, double *heat_w, double *temp_c);

typedef struct {
    double until_s;
    const double *g, *heat_w, *temp_c; /* as wsk_heat_net_read gives them; equal g are one pointer */
} wsk_exported_step;

/* What is exported: every step from the start of a run, or one moment, as a single step. */
typedef struct {
    wsk_heat_net *heat_net; /* owns what follows */
    bool replay;
    int n_step, room;
    wsk_exported_step *steps;
    double *start_c; /* at t = 0; of a moment: its temperatures */
    bool moving;     /* a moment whose speeds did not stay the same */
    const char *rig, *digest;
} wsk_exported;
bool wsk_export_spice(const wsk_exported *e, wsk_buf *out);
bool wsk_export_json(const wsk_exported *e, wsk_buf *out);
/* replay_s 0: at the steady point. WSK_ENUMERIC: *why (in the caller's buffer) says what left the range. */
wsk_status wsk_export(const wsk_net *net, const char *digest, bool json, double replay_s, wsk_buf *out, wsk_buf *why);

#endif
