/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a PSU, and its law of losses. All values SI; NAN: not given. */
#ifndef WSK_PSU_H
#define WSK_PSU_H
#include <math.h>

#include "sim/net/kind.h"

extern const char *const wsk_excursion_names[];

/* Load steps that a PSU is built to ride through: PLAIN: no stated ones; ATX3: those that ATX 3 demands with a
 * 12V-2x6 plug. */
typedef enum { WSK_EXCURSIONS_PLAIN, WSK_EXCURSIONS_ATX3 } wsk_excursions;
typedef struct {
    wsk_params head;
    double rated_w, eff[4], standby_w; /* eff: efficiencies at 10, 20, 50, 100 % load and 115 V */
    double eff230[4];
    double eff_light, eff230_light; /* efficiencies at 2 % load, 115 and 230 V; NAN: not measured */
    /* no_load_w: input without load, NAN: not measured; no_load_share: loss without load per loss at 10 % load */
    double no_load_w, no_load_share;
    double eff_const;
    /* power_factor: at full load; reactive: reactive power of the filter at 230 V divided by rated_w */
    double power_factor, reactive;
    double fan_flow_m3s, cap_j_k, cond_w_k;
    wsk_curve line_rating; /* as written: mains voltage, V -> output power, W; count 0: rated_w at every voltage */
    double supply_min_v, supply_max_v, derate_above_k, derate_per_k;
    double opp, imbalance, fails_s, cables;
    double sockets_eight, sockets_high;
    int excursions, redundant; /* excursions: a wsk_excursions; redundant: shares the load of its case, 0 no, 1 yes */
    /* on: the <branch> that supplies the PSU; NULL: the site's own circuit */
    const char *feeds, *on;
    double price, price_date_s, spread;
    const char *tier;
} wsk_psu_params;
enum { WSK_PSU_POINTS = 4 };
typedef struct {
    /* rated_w: rated power, which scales losses; limit_w: output available at the mains voltage */
    double rated_w, limit_w;
    double a, b, c; /* loss / rated = (a + b x + c x^2) r(x), x = output / rated, from x[0] up */
    /* Below x[0] the law is two straight lines: light is loss / rated at x = 0; light_slope[0] is the rise of loss /
     * rated per x up to 2 % load, light_slope[1] from there to x[0]. */
    double light, light_slope[2];
    int n;
    double x[WSK_PSU_POINTS], ln_x[WSK_PSU_POINTS], r[WSK_PSU_POINTS], slope[WSK_PSU_POINTS];
    double eff_const; /* above 0: constant efficiency, which replaces this law */
    double standby_w;
    double power_factor, reactive_va; /* apparent power = sqrt((W / power_factor)^2 + reactive_va^2), VA */
} wsk_psu_law;
/* Output available at a mains voltage, W. Where the rig states another rating than the part of the PSU, the part's
 * curve scales with it. */
double wsk_psu_limit_w(const wsk_psu_params *psu, double supply_v);
static inline double wsk_psu_va(const wsk_psu_law *law, double input_w)
{
    double active = input_w / law->power_factor;
    return sqrt(active * active + law->reactive_va * law->reactive_va);
}
typedef struct {
    void (*prepare)(const wsk_psu_params *psu, double supply_v, wsk_psu_law *law);
    /* input power at this output power, W; it must rise strictly with the output */
    double (*input_w)(const wsk_psu_law *law, double output_w);
} wsk_psu_ops;

#endif
