/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a processor, and of other electric loads of the rig. All values SI; NAN: not given. */
#ifndef WSK_CPU_H
#define WSK_CPU_H
#include "sim/net/kind.h"

typedef struct {
    wsk_params head;
    const char *name;
    double power_w, idle_w, cap_j_k, ua_w_k, flow_ref_m3s, sensor_res_k_w, board_w, limit_k, price;
    const char *loop; /* id of the coolant loop that cools it; NULL: air */
    double block_w_k, block_flow_m3s, block_drop_pa;
    double cores, lanes, memory_byte; /* number of cores, number of PCI Express lanes, memory; NAN: not stated */
} wsk_cpu_params;
typedef struct {
    wsk_params head;
    const char *name;
    /* power from the mains and from the PSUs of its case; on for the share `duty` of each period_s */
    double ac_w, dc_w, duty, period_s;
} wsk_load_params;

#endif
