/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to compilation: growing tables and the places that assemblies share. */
#ifndef WSK_COMPILE_H
#define WSK_COMPILE_H
#include "sim/net/net.h"

enum { WSK_ROOM_FOR = 1024 };
typedef struct {
    wsk_net *net;
    wsk_plan *plan;
    const wsk_elem *chassis;
    int flow_case; /* flow node of the case air */
    int *card_gap; /* flow node of each card's own gap, WSK_NO: none */
    bool full;     /* a table is full, or out of memory */
} wsk_build;

int wsk_build_node(wsk_build *b, const char *name, const wsk_elem *elem, double cap_j_k, double absurd_k);
/* A medium node that air flows through: returns the flow node. */
int wsk_build_flow_node(wsk_build *b, int node);
int wsk_build_block(wsk_build *b, int first, int count);
void wsk_build_inner(wsk_build *b, int block, int i, int j, double g);
int wsk_build_port(wsk_build *b, wsk_port port);
/* Fins in the stream of `branch` from `before` to `behind`: the forced and the natural port. */
void wsk_build_fins(wsk_build *b, wsk_port port);
int wsk_build_branch(wsk_build *b, wsk_branch branch);
int wsk_build_mover(wsk_build *b, const char *name, double ref_rpm, double rpm, double power_w, double exponent);
void wsk_build_exchange(wsk_build *b, int a, int c, int branch, double ratio, double area_m2, double height_m);
void wsk_build_cond(wsk_build *b, int a, int c, double g);
/* Loss of a sudden opening: K2 = loss rho/2 / area^2. */
double wsk_loss_k2(double loss, double area_m2);
/* Fan law of n fans from shut-off pressure, free flow and curvature. */
wsk_fan_law wsk_fan_curve(double pressure_pa, double flow_m3s, double curvature, double n);

/* Cards: geometry check, nodes, wiring (cards.c). */
void wsk_build_card_table(wsk_build *b);
void wsk_build_card_solids(wsk_build *b);
void wsk_build_card_air(wsk_build *b);

#endif
