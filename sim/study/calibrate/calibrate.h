/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the power model of a card to sweeps of power limits or locked clocks: docs/theory/gpu.md, "Calibration". Prior
 * knowledge of card and load is used, so that two rows are enough. Logs are fitted by thermal.h (temperatures),
 * fan_fit.h, electrical.h (watts, clocks, work) and wall.h (power at the wall). rows.c looks at the
 * rows. Begin with calibrate.c. */
#ifndef WSK_CALIBRATE_H
#define WSK_CALIBRATE_H
#include "sim/net/gpu.h"
#include "sim/num/fit.h"

typedef struct {
    int rows;
    const wsk_calibrate_row *row; /* if scale_sd is 0, row[i].work is relative to the work at ref_w */
    double ref_w;                 /* power limit at which the work is 1; cls.clock_share refers to this point */
    /* Mean of the prior. traffic_w is not fitted; if it is NAN, it is computed as memory_w of the card times 1 - a^4,
     * where a is the clock share. */
    wsk_gpu_class cls;
    /* standard deviations of the prior of ln P0 (fixed power), ln c (power per Hz) and the clock share */
    double p0_sd, c_sd, share_sd;
    /* standard deviations of the prior: clock_knee_hz divided by the highest clock; voltage slope x highest clock. 0:
     * not fitted */
    double knee_sd, slope_sd;
    /* share of the time that lies between long pauses, 1 without any: mean and standard deviation of the prior; a
     * standard deviation of 0: not fitted */
    double duty, duty_sd;
    double mean_share; /* value of wsk_calibration.mean_share if no row states a power */
    /* die temperature of rows that state none, where no limit binds: it lowers the boost clock; NAN: the highest
     * clock */
    double boost_k;
    double leakage_sd; /* standard deviation of ln leakage; 0: leakage is not fitted */
    double scale_sd;   /* standard deviation of ln(unit of the rows' work); 0: not fitted */
} wsk_calibrate_load;
typedef enum {
    WSK_FIT_P0,
    WSK_FIT_C,
    WSK_FIT_SHARE,
    WSK_FIT_KNEE,
    WSK_FIT_SLOPE,
    WSK_FIT_LEAKAGE,
    WSK_FIT_DUTY,
    WSK_FIT_SCALE,
    WSK_FIT_VALUES
} wsk_fit_value;
typedef struct {
    wsk_gpu_class cls;
    wsk_gpu_params gpu;
    wsk_fit fit;
    wsk_prior prior[WSK_FIT_VALUES];
    double mean_share;      /* value for wsk_calibration.mean_share */
    int at[WSK_FIT_VALUES]; /* index of each unknown in fit.x and prior; -1: not fitted */
    int worst_row;          /* index of the row with the largest residual, fit.worst_r; -1: none */
} wsk_calibrate_fit;

/* Prior of an unknown load, from the limits and clocks of the card alone. */
wsk_calibrate_load wsk_calibrate_any(const wsk_gpu_params *gpu);
/* Prior of a load whose class of work is known. */
wsk_calibrate_load wsk_calibrate_of_class(const wsk_gpu_params *gpu, const wsk_gpu_ops *ops,
                                          const wsk_gpu_class *cls);
/* Fits one load. start: initial values of the unknowns; NULL: several built-in starts. r: receives the residuals, one
 * for each work, clock and power that a row states; NULL: not wanted. */
wsk_status wsk_calibrate_rows(const wsk_gpu_params *gpu, const wsk_gpu_ops *ops, const wsk_calibrate_load *load,
                              const double *start, double *r, wsk_calibrate_fit *out);
static inline int wsk_calibrate_stated(const wsk_calibrate_row *row)
{
    return !isnan(row->work) + !isnan(row->clock_hz) + !isnan(row->drawn_w);
}
/* True if the row has a power limit that the card kept. */
bool wsk_calibrate_keeps_limit(const wsk_gpu_params *gpu, const wsk_gpu_ops *ops, const wsk_calibrate_row *row);
/* True if the card kept the limit of the row and may have drawn it all, because no locked clock held it. */
bool wsk_calibrate_may_bind(const wsk_gpu_params *gpu, const wsk_gpu_ops *ops, const wsk_calibrate_row *row);
bool wsk_calibrate_may_have_bound(const wsk_gpu_params *gpu, const wsk_gpu_ops *ops, const wsk_calibrate_row *rows,
                                  size_t count);
/* True if a row of a sweep has a value that this card cannot have, so that a wrong unit or column was read; *out then
 * names the value and its possible range. Also true if the row states neither limit nor lock nor power. */
bool wsk_calibrate_impossible(const wsk_gpu_params *gpu, const wsk_calibrate_row *row, wsk_calibration *out);
wsk_status wsk_calibrate_card(const wsk_gpu_params *gpu, const wsk_gpu_ops *ops, const wsk_gpu_class *cls,
                              const wsk_calibrate_row *rows, size_t count, wsk_calibration *out);
/* If the rows state powers, but no limit that may have bound, they do not tell whether the load has long pauses: mean
 * power and work at a given clock are known, but not the clock at a given limit. The duty is then added to their fit:
 * 1, not learnt, with the spread that this leaves. A row that states its power alone drew its limit. */
void wsk_calibrate_open_pauses(const wsk_gpu_params *gpu, const wsk_gpu_ops *ops, const wsk_gpu_class *cls,
                               const wsk_calibrate_row *rows, size_t count, wsk_calibration *fit);
/* Standard deviations of two predictions of a card that was fitted to rows. work_rel: of (work at 70 % of the highest
 * power) / (work at the highest power). power_rel: of the power drawn at 70 % of the highest clock, relative. */
typedef struct {
    double work_rel, power_rel;
} wsk_calibrate_doubt;
/* Predicts wsk_calibrate_doubt if further rows are recorded that agree with the fit. more: power limit and
 * temperature of each of these rows. pauses: the load has pauses, so each row is fitted by its limit; false: by the
 * clock that was reached. */
wsk_status wsk_calibrate_foretell(const wsk_gpu_params *gpu, const wsk_gpu_ops *ops, const wsk_gpu_class *cls,
                                  const wsk_calibrate_row *rows, int count, const wsk_calibrate_row *more,
                                  int more_count, bool pauses, wsk_calibrate_doubt *out);
void wsk_calibrate_row_of(const wsk_gpu_params *gpu, const wsk_gpu_ops *ops, const wsk_gpu_class *cls,
                          const wsk_calibration *fit, const wsk_calibrate_row *row, wsk_calibrate_row *out);

#endif
