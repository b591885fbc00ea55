/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A point: the solved flow network, and all that depends on the speeds of fans and pumps only (and on the temperatures for which
 * natural convection was last solved). */
#ifndef WSK_POINT_H
#define WSK_POINT_H
#include "sim/net/net.h"

typedef struct {
    double *q;            /* n_branch, m3/s */
    double *pressure;     /* n_flow */
    double *g;            /* n_port, W/K */
    double *w;            /* n_branch, W/K, signed as q */
    double *x;            /* n_exchange, W/K */
    int *sense, *deposit; /* n_port: as the port says, exchanged where its stream runs backwards */
    int *up, *down;       /* n_branch: temperature nodes, in the direction of the stream */
    double *scratch;
    int iterations;
    double imbalance; /* largest mass residual at a node over the largest flow */
} wsk_point;
/* The last act of building: what every solution of the flow network shares. The searches begin from the flows with all movers
 * at their settings, which is a function of the network alone. */
bool wsk_point_prepare(wsk_net *net);
size_t wsk_point_doubles(const wsk_net *net);
void wsk_point_place(const wsk_net *net, wsk_point *point, double *memory);
void wsk_point_copy(wsk_point *to, const wsk_point *from); /* of the same network */
/* Solves the flow network for these speeds (rpm per mover); t: temperatures of all nodes for natural terms.
 * The start is always the same, so the result is a function of its arguments alone. */
bool wsk_point_solve(const wsk_net *net, const double *rpm, const double *t, wsk_point *point);

#endif
