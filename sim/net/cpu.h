/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of the host (processor, mainboard, memory, drives) and of other electric loads of the rig. All values
 * SI; NAN: not given. */
#ifndef WSK_CPU_H
#define WSK_CPU_H
#include "sim/net/kind.h"

typedef struct {
    wsk_params head;
    const char *name;
    double power_w, idle_w, cap_j_k, ua_w_k, flow_ref_m3s, sensor_res_k_w, board_w, limit_k, price, price_date_s;
    const char *loop; /* NULL: air cools the processor */
    double block_w_k, block_flow_m3s, block_drop_pa;
    double cores, lanes, memory_byte;
    double count, peak_w;
} wsk_cpu_params;
/* A mainboard, or memory modules or drives of one sort. power_w, idle_w, size_byte and lanes are those of one
 * unit. */
typedef struct {
    wsk_params head;
    const char *name;
    /* power_w: power while the host is busy; idle_w: power at rest, NAN: always power_w */
    double power_w, idle_w;
    double count;
    double slots, sockets, modules;
    double lanes, size_byte, price, price_date_s;
} wsk_host_params;
typedef struct {
    wsk_params head;
    const char *name;
    /* ac_w: power from the mains; dc_w: power from the PSUs of its case; both flow for the share `duty` of each
     * period_s */
    double ac_w, dc_w, duty, period_s, price, price_date_s;
    const char *on; /* NULL: the site's own circuit */
} wsk_load_params;

#endif
