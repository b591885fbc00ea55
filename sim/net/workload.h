/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The role of a workload: a signal, its value now and its next change. All values SI; NAN means "not given". */
#ifndef WSK_WORKLOAD_H
#define WSK_WORKLOAD_H
#include "sim/net/class.h"

typedef struct {
    wsk_params head;
    int cls;
    const char *gpus;
    double clock_share, p0_w, c_w_hz;
    double load;   /* share of the time that work is there */
    double rate_s; /* units a second of one card at its reference; NAN: not given */
    const char *unit;
    double data_share, talk_share; /* of a step at the reference: loading, communication */
    int parallel;                  /* 0 data, 1 pipeline */
    double micro_batches;
    double checkpoint_every_s, checkpoint_takes_s, evaluate_every_s, evaluate_takes_s;
    double mtbf_s, restart_takes_s;
    wsk_curve load_curve;                         /* time of day -> share of the time that work is there */
    wsk_series power, utilisation;                /* replay */
    double swing_period_s, swing_high, swing_low; /* of a step's power, for the electrical side */
} wsk_workload_params;
typedef enum { WSK_PHASE_IDLE, WSK_PHASE_RUN, WSK_PHASE_WAIT } wsk_phase;
typedef struct {
    wsk_phase phase;
    int64_t until_ns; /* next change; INT64_MAX: none */
    const char *name; /* "step", "checkpoint", ... */
    double load;      /* share of the time that work is there, in WSK_PHASE_RUN */
    bool idle_work;   /* runs, but what it does is not counted: evaluation */
    bool undo;        /* what was done since the last save is lost */
    int64_t saved_ns; /* when work was last safe; the start of the run where it never was */
    double power_w;   /* each card's, from a trace; NAN: its own */
    uint64_t stretch; /* where the model's own search ended, and the time from which that holds: only saves time */
    int64_t stretch_ns;
} wsk_activity;
/* When it is: the run's time, local civil seconds at its start, and its seed. */
typedef struct {
    int64_t t_ns;
    double start_civil_s;
    uint64_t seed;
} wsk_moment;
typedef struct {
    bool synchronous; /* the slowest card sets the pace, the others wait */
    /* A function of its first two arguments; asked again at until_ns with what it said last in *out, or zeros. */
    void (*at)(const wsk_workload_params *workload, const wsk_moment *now, wsk_activity *out);
} wsk_workload_ops;

#endif
