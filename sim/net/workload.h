/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a workload, and its activity at a time, with the time of the next change. All values SI; NAN: not
 * given. */
#ifndef WSK_WORKLOAD_H
#define WSK_WORKLOAD_H
#include "sim/net/class.h"
#include "sim/net/model.h"
#include "sim/net/recording.h"

typedef struct {
    wsk_params head;
    int cls;
    const char *gpus;
    double clock_share, p0_w, c_w_hz;
    double duty;
    double streams, batch, tensor_parallel;
    int split;
    double traffic;
    double measured_w;
    const char *measured_rate; /* of the whole rig at the default limits, "34.7 tok/s" */
    double load;
    double host_load;
    double rate_s; /* units of work per second of one card at its reference clock; NAN: not given */
    const char *unit;
    /* shares of the time of a step at the reference clock: waiting for data; communication over 16 lanes of PCI
     * Express 4 */
    double data_share, talk_share;
    int parallel; /* parallelism: 0 data, 1 pipeline */
    double micro_batches;
    double checkpoint_every_s, checkpoint_takes_s, evaluate_every_s, evaluate_takes_s;
    double mtbf_s, restart_takes_s;
    const char *model;
    int quant, engine;
    double context;
    double token_price;
    wsk_curve load_curve; /* time of day, s -> share of time with work */
    wsk_series power, utilisation;
    wsk_recording log;
    int take;
    /* power swing within a training step: its period, and its highest and lowest power, divided by mean power; for
     * the electrical side (PSU excursions), not for temperatures */
    double swing_period_s, swing_high, swing_low;
} wsk_workload_params;
/* Least share of the time of a step in which the cards compute. */
#define WSK_LEAST_COMPUTE 0.01
/* Share of the time of a step at the reference clock in which the cards compute. */
static inline double wsk_compute_share(const wsk_workload_params *w)
{
    return wsk_max(1 - w->data_share - w->talk_share, WSK_LEAST_COMPUTE);
}
/* Steps a time of synchronous work, relative to the reference. talk_share: that of the net; slowest: performance of the
 * card with the slowest step, relative to its reference; 0: it stands still. */
static inline double wsk_pace(const wsk_workload_params *w, double talk_share, double slowest)
{
    return slowest > 0 ? 1 / (wsk_compute_share(w) / slowest + w->data_share + talk_share) : 0;
}
extern const char *const wsk_split_names[];
enum { WSK_SPLIT_NONE, WSK_SPLIT_LAYER, WSK_SPLIT_TENSOR };
enum {
    WSK_TAKE_ALL,
    WSK_TAKE_LOAD
}; /* TAKE_LOAD: a log replaces only the load; TAKE_ALL: also fan speeds and inlet temperatures */
typedef enum { WSK_PHASE_IDLE, WSK_PHASE_RUN, WSK_PHASE_WAIT } wsk_phase;
typedef struct {
    wsk_phase phase;
    int64_t until_ns; /* time of the next change; INT64_MAX: none */
    const char *name;
    double load;
    bool idle_work; /* evaluation: the cards run, but their work is not counted */
    bool undo;
    int64_t saved_ns;
    /* power of each working card from a power trace, W; 0: the powers are in `log`; NAN: the simulation computes
     * them */
    double power_w;
    const wsk_recording *log;
    int64_t in_ns; /* time in the log; WSK_RECORDED_MEAN, WSK_RECORDED_OPENING: a mean over the log */
    /* Private to the code under models/workload, which searches the stretch of time between two failures: index and
     * start of the stretch found last, with which the next search begins. */
    uint64_t stretch;
    int64_t stretch_ns;
} wsk_activity;
/* A point in time. t_ns: since the start of the run; start_civil_s: start by the clock that holds at t_ns, s since
 * 1970; clock_until_ns: time of the next change of the clock; 0: none known; seed: seed of the run. */
typedef struct {
    int64_t t_ns, clock_until_ns;
    double start_civil_s;
    uint64_t seed;
} wsk_moment;
/* Returns until_ns, but not beyond the next change of the clock. */
static inline int64_t wsk_within_clock(const wsk_moment *now, int64_t until_ns)
{
    return now->clock_until_ns > now->t_ns && now->clock_until_ns < until_ns ? now->clock_until_ns : until_ns;
}
/* How the activity repeats between from_ns and until_ns: with the period period_ns (0: it is constant); daily: it
 * also repeats with the time of day. */
typedef struct {
    int64_t period_ns, from_ns, until_ns;
    bool daily;
} wsk_repeat;
typedef struct {
    bool synchronous;
    /* Writes the activity at `now` into *out; the activity depends on workload and now alone. `at` is called again at
     * until_ns with its last answer in *out; at the first call *out is zero. */
    void (*at)(const wsk_workload_params *workload, const wsk_moment *now, wsk_activity *out);
    /* Writes how the activity repeats from `now` on. last: last answer of `at`. The caller presets *out to "constant
     * for ever". NULL: the workload does not repeat. */
    void (*repeats)(const wsk_workload_params *workload, const wsk_moment *now, const wsk_activity *last,
                    wsk_repeat *out);
} wsk_workload_ops;

#endif
