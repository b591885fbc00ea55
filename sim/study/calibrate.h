/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the power model of a card to sweeps of power limits or locked clocks: docs/theory/gpu.md, "Calibration". What is
 * known of card and load beforehand is the prior, so that two rows are enough. Temperatures are not fitted. */
#ifndef WSK_CALIBRATE_H
#define WSK_CALIBRATE_H
#include "sim/net/gpu.h"
#include "sim/num/fit.h"

/* A load before the fit: rows and prior. */
typedef struct {
    int rows;
    const wsk_calibrate_row *row; /* work: relative to that at ref_w */
    double ref_w;                 /* power held where the work counts as 1; the class' clock share refers to it */
    /* Mean of the prior. traffic_w is not fitted; NAN: memory_w of the card times 1 - a^4, a being the clock share */
    wsk_gpu_class cls;
    double p0_sd, c_sd, share_sd; /* of the prior: of ln P0, ln c, and the clock share */
    double knee_sd,
        slope_sd;      /* of the voltage curve, as shares of the highest clock and its inverse; 0: not fitted */
    double leakage_sd; /* of ln leakage; 0: not fitted */
    double scale_sd;   /* of ln(unit of the rows' work); 0: not fitted */
} wsk_calibrate_load;
typedef enum {
    WSK_FIT_P0,
    WSK_FIT_C,
    WSK_FIT_SHARE,
    WSK_FIT_KNEE,
    WSK_FIT_SLOPE,
    WSK_FIT_LEAKAGE,
    WSK_FIT_SCALE,
    WSK_FIT_VALUES
} wsk_fit_value;
typedef struct {
    wsk_gpu_class cls;
    wsk_gpu_params gpu; /* the card, with fitted voltage curve and leakage */
    wsk_fit
        fit; /* of the unknowns that were fitted; its rows are work, clock and draw of each row that states them */
    wsk_prior prior[WSK_FIT_VALUES];
    int at[WSK_FIT_VALUES]; /* index in fit and prior; -1: not fitted */
    int worst_row;          /* index of the row with the largest residual, fit.worst_r; -1: none */
} wsk_calibrate_fit;

/* Prior of a load of which nothing is known but the card's limits and clocks. */
wsk_calibrate_load wsk_calibrate_any(const wsk_gpu_params *gpu);
/* Fits one load. start: values of the unknowns to begin with; NULL: several places. r: its residuals, a number for each
 * work, clock and draw that a row states; NULL: not wanted. */
wsk_status wsk_calibrate_rows(const wsk_gpu_params *gpu, const wsk_gpu_ops *ops, const wsk_calibrate_load *load,
                              const double *start, double *r, wsk_calibrate_fit *out);
/* The number of values that a row states. */
static inline int wsk_calibrate_stated(const wsk_calibrate_row *row)
{
    return !isnan(row->work) + !isnan(row->clock_hz) + !isnan(row->drawn_w);
}
/* Fits a card to rows of one load of the class; the work may have any unit. For wsk_calibrate_sweep. */
wsk_status wsk_calibrate_card(const wsk_gpu_params *gpu, const wsk_gpu_ops *ops, const wsk_gpu_class *cls,
                              const wsk_calibrate_row *rows, size_t count, wsk_calibration *out);
/* Computes a row (power, clock, work) of the card with the values fitted by wsk_calibrate_card. */
void wsk_calibrate_row_of(const wsk_gpu_params *gpu, const wsk_gpu_ops *ops, const wsk_gpu_class *cls,
                          const wsk_calibration *fit, const wsk_calibrate_row *row, wsk_calibrate_row *out);

#endif
