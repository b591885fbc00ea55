/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A point: the solution of the flow network, and the conductances and streams that follow from it. It depends only on
 * the speeds of fans and pumps and on the temperatures for which natural convection was last computed. */
#ifndef WSK_POINT_H
#define WSK_POINT_H
#include "sim/net/net.h"

typedef struct {
    double *q;            /* flow of each branch, m3/s */
    double *pressure;     /* pressure of each flow node, Pa above the room */
    double *g;            /* conductance of each port, W/K */
    double *w;            /* heat-capacity flow of each branch, W/K, signed as q; reversed air: see wsk_reversal */
    double *x;            /* heat-capacity flow of each exchange, W/K */
    int *sense, *deposit; /* temperature nodes of each port, swapped if its stream runs backwards */
    int *up, *down;       /* temperature nodes where each branch's stream begins (up) and ends (down) */
    double *scratch;
    int iterations;
    double imbalance; /* largest |inflow - outflow| of a flow node, divided by the largest flow */
} wsk_point;
/* Prepares the network for wsk_point_solve, as the last step of compilation. It also solves the network once, with each
 * fan and pump (mover) at its speed wsk_mover.rpm0. Every later solution starts its iteration from these flows, or from
 * typical ones if this solution fails. False: out of memory. */
bool wsk_point_prepare(wsk_net *net);
size_t wsk_point_doubles(const wsk_net *net);
/* The caller owns `memory`, which has wsk_point_doubles doubles. */
void wsk_point_place(const wsk_net *net, wsk_point *point, double *memory);
void wsk_point_copy(wsk_point *to, const wsk_point *from); /* both points belong to one network */
/* Solves the flow network for these speeds (rpm of each mover). t: temperatures of all nodes for natural
 * convection; NULL: typical differences of 10 K (exchanges: 5 K). The iteration always starts from the flows that
 * wsk_point_prepare found, not from an earlier point, so that the result is a function of the arguments alone.
 * False: no solution found. */
bool wsk_point_solve(const wsk_net *net, const double *rpm, const double *t, wsk_point *point);

#endif
