/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_WORKLOAD_TABLE_H
#define WSK_WORKLOAD_TABLE_H
#include "sim/net/workload.h"

#define WSK_WORKLOAD_ROWS(class_) \
    WSK_CHO(wsk_workload_params, cls, "class", wsk_class_names, class_, 0, \
            "class of work: its power and how far the core clock binds it"), \
        WSK_TXT(wsk_workload_params, gpus, "gpus", "all", 0, "cards that work: all, or ids separated by spaces"), \
        WSK_NUM(wsk_workload_params, clock_share, "clock-share", WSK_DIM_FRACTION, NULL, 0, 1, 0, \
                "overrides the class: share bound by the core clock"), \
        WSK_NUM(wsk_workload_params, p0_w, "p0", WSK_DIM_POWER, NULL, 0, 1e5, 0, \
                "overrides the class: intercept of board power"), \
        WSK_NUM(wsk_workload_params, c_w_hz, "c", WSK_DIM_POWER_PER_FREQ, NULL, 0, 1, 0, \
                "overrides the class: dynamic power per clock"), \
        WSK_NUM(wsk_workload_params, duty, "duty", WSK_DIM_FRACTION, NULL, 0.01, 1, 0, \
                "overrides the class: share of the time that kernels run, at the default limit; no clock changes " \
                "the rest"), \
        WSK_NUM( \
            wsk_workload_params, traffic, "memory-traffic", WSK_DIM_FRACTION, NULL, 0, 1, 0, \
            "overrides the class: share of the memory's bandwidth in use at the default limit; heats the memory"), \
        WSK_NUM(wsk_workload_params, streams, "streams", WSK_DIM_COUNT, "1", 1, 1e6, 0, \
                "decode: requests that the rig answers at the same time"), \
        WSK_NUM( \
            wsk_workload_params, batch, "batch", WSK_DIM_COUNT, NULL, 1, 1e6, 0, \
            "decode: requests that one card takes together; default: streams over the cards that do not share one"), \
        WSK_NUM(wsk_workload_params, tensor_parallel, "tensor-parallel", WSK_DIM_COUNT, "1", 1, 1000, 0, \
                "cards that work on each layer together, one group beside the other; 1: split tells"), \
        WSK_CHO(wsk_workload_params, split, "split", wsk_split_names, "none", 0, \
                "how all cards share one model: layer: each works in its turn, tensor: all on each layer"), \
        WSK_NUM(wsk_workload_params, measured_w, "measured-power", WSK_DIM_POWER, NULL, 0, 1e5, WSK_POSITIVE, \
                "mean board power of a card at its default limit, as measured: fixes how hard the load drives it"), \
        WSK_TXT(wsk_workload_params, measured_rate, "measured-rate", NULL, 0, \
                "work a second of the whole rig at the default limits, as measured: \"34.7 tok/s\""), \
        WSK_NUM(wsk_workload_params, rate_s, "rate", WSK_DIM_NONE, NULL, 0, 1e15, 0, \
                "units a second of one card at its default limit: samples, tokens"), \
        WSK_TXT(wsk_workload_params, unit, "unit", NULL, 0, \
                "unit of the work that rate counts: samples, tokens, ..."), \
        WSK_NUM(wsk_workload_params, host_load, "host-load", WSK_DIM_FRACTION, NULL, 0, 1, 0, \
                "how busy the work keeps processor, memory and drives, from idle (0 %) to power (100 %)"), \
        WSK_NUM(wsk_workload_params, swing_period_s, "swing-period", WSK_DIM_TIME, NULL, 1e-4, 3600, 0, \
                "period of the power's swing within a step, for the electrical side"), \
        WSK_NUM(wsk_workload_params, swing_high, "swing-high", WSK_DIM_FRACTION, NULL, 1, 3, 0, \
                "its high, over mean power"), \
        WSK_NUM(wsk_workload_params, swing_low, "swing-low", WSK_DIM_FRACTION, NULL, 0, 1, 0, \
                "its low, over mean power; with swing-high it tells how long the high lasts")

#define WSK_WORKLOAD_LOAD \
    WSK_NUM(wsk_workload_params, load, "load", WSK_DIM_FRACTION, "100 %", 0, 1, 0, \
            "share of the time, or of the card, that work is there")

#endif
