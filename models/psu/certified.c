/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PSU given by the efficiencies of its 80 PLUS certificate: P_in = P_out + P_rated (a + b x + c x^2) r(x), x =
 * P_out/P_rated, from 10 % load up. a, b, c are fitted to the certified points; r(x) is the monotone cubic in ln x
 * that corrects the fit at each measured point, and is constant beyond the measured points. Below 10 % load the loss
 * consists of one or two straight lines in x. Theory: docs/theory/psu.md, "PSU: certified". Source: 3,036 units of
 * the 80 PLUS list (2021-03). */
#include <math.h>

#include "sim/net/psu_table.h"
#include "sim/num/curve.h"
#include "sim/num/lsq.h"

#define P wsk_psu_params
static const double load_points[4] = {0.1, 0.2, 0.5, 1.0};

static const wsk_param params[] = {
    WSK_NUM(P, rated_w, "rated", WSK_DIM_POWER, NULL, 1, 1e6, WSK_REQUIRED, "rated output"),
    WSK_NUM(P, eff[0], "efficiency-10", WSK_DIM_FRACTION, NULL, 0.3, 0.995, 0,
            "certified at 10 % load, 115 V; without it from 20 and 50 %"),
    WSK_NUM(P, eff[1], "efficiency-20", WSK_DIM_FRACTION, NULL, 0.3, 0.995, WSK_REQUIRED,
            "certified at 20 % load, 115 V"),
    WSK_NUM(P, eff[2], "efficiency-50", WSK_DIM_FRACTION, NULL, 0.3, 0.995, WSK_REQUIRED,
            "certified at 50 % load, 115 V"),
    WSK_NUM(P, eff[3], "efficiency-100", WSK_DIM_FRACTION, NULL, 0.3, 0.995, WSK_REQUIRED,
            "certified at 100 % load, 115 V"),
    WSK_NUM(P, eff230[0], "efficiency-10-230", WSK_DIM_FRACTION, NULL, 0.3, 0.995, 0, "measured at 10 % load, 230 V"),
    WSK_NUM(P, eff230[1], "efficiency-20-230", WSK_DIM_FRACTION, NULL, 0.3, 0.995, 0, "measured at 20 % load, 230 V"),
    WSK_NUM(P, eff230[2], "efficiency-50-230", WSK_DIM_FRACTION, NULL, 0.3, 0.995, 0, "measured at 50 % load, 230 V"),
    WSK_NUM(P, eff230[3], "efficiency-100-230", WSK_DIM_FRACTION, NULL, 0.3, 0.995, 0,
            "measured at 100 % load, 230 V"),
    WSK_NUM(P, eff_light, "efficiency-2", WSK_DIM_FRACTION, NULL, 0.3, 0.97, 0, "measured at 2 % load, 115 V"),
    WSK_NUM(P, eff230_light, "efficiency-2-230", WSK_DIM_FRACTION, NULL, 0.3, 0.97, 0, "measured at 2 % load, 230 V"),
    WSK_NUM(P, no_load_w, "no-load-power", WSK_DIM_POWER, NULL, 0.01, 1000, 0,
            "input when it is on and feeds nothing, at the voltage of this site"),
    WSK_ASSUME(P, no_load_share, "no-load-share", WSK_DIM_FRACTION, "67 %", 0, 1, 0,
               "loss without load over loss at 10 % load, where neither efficiency-2 nor no-load-power is stated",
               "53-92 % in four units read at 2-12 % load"),
    WSK_ASSUME(P, power_factor, "power-factor", WSK_DIM_FRACTION, "99 %", 0.5, 1, 0,
               "power factor at full load, without its input filter", "active correction; DS3000TE above 98 %"),
    WSK_ASSUME(
        P, reactive, "reactive", WSK_DIM_FRACTION, "7 %", 0, 1, 0,
        "share of the rating that its input filter draws as reactive VA at 230 V; falls with the voltage squared",
        "5-20 % by the power factors of three units at 20-80 W and 115 V, the middle one 7 %"),
    WSK_ASSUME(P, standby_w, "standby", WSK_DIM_POWER, "0.5 W", 0, 100, 0, "input when switched off",
               "EU 2019/1782 ceiling for off mode"),
    WSK_PSU_ROWS,
    {.name = NULL}};

/* Place of the mains voltage between 115 V (0) and 230 V (1), limited to -0.15 to 1.1. */
static double between(double supply_v)
{
    double share = (supply_v - 115) / 115;
    return share < -0.15 ? -0.15 : share > 1.1 ? 1.1 : share;
}

/* Loss at a certified point, divided by rated power, at this mains voltage. gain: efficiency at 230 V minus that at
 * 115 V, used where the PSU has no value at 230 V; source: docs/theory/psu.md, "PSU: certified" */
static double loss_at(const wsk_psu_params *psu, int point, double supply_v)
{
    static const double gain[4] = {0.011, 0.009, 0.010, 0.017};
    double more = isnan(psu->eff230[point]) ? gain[point] : psu->eff230[point] - psu->eff[point],
           e = psu->eff[point] + more * between(supply_v);
    return load_points[point] * (1 / (e > 0.995 ? 0.995 : e) - 1);
}

/* Loss at 10 % load, divided by rated power. Without a certified point, it is estimated from the losses at 20 % and
 * 50 % load by a least-squares fit to 3,036 certified units, with a mean absolute error of 0.66 points of efficiency
 * (docs/theory/psu.md, "PSU: certified"). */
static double loss_10(const wsk_psu_params *psu, double supply_v)
{
    if (psu->eff[0] > 0)
        return loss_at(psu, 0, supply_v);
    double l20 = loss_at(psu, 1, supply_v), l = 0.958 * l20 - 0.108 * loss_at(psu, 2, supply_v);
    return l > 0.5 * l20 ? l : 0.5 * l20;
}

/* Loss at 2 % load, divided by rated power. It changes with the mains voltage as the loss at 10 % load does, unless it
 * was measured at both voltages. NAN: it was not measured. */
static double loss_at_2(const wsk_psu_params *psu, double supply_v)
{
    double low = psu->eff_light, high = psu->eff230_light;
    if (low > 0 && high > 0)
        return 0.02 * (1 / (low + (high - low) * between(supply_v)) - 1);
    double read = 0.02 * (1 / (low > 0 ? low : high) - 1);
    return read * loss_10(psu, supply_v) / loss_10(psu, low > 0 ? 115 : 230);
}

/* Below 10 % load, the loss is two straight lines over the load, which meet at 2 % load. They form a single line if the
 * loss at 2 % load was not measured. */
static void prepare_light(const wsk_psu_params *psu, double supply_v, wsk_psu_law *law)
{
    double l10 = loss_10(psu, supply_v), l2 = loss_at_2(psu, supply_v), none = psu->no_load_w / psu->rated_w;
    if (isnan(none)) {
        none = l2 > 0 ? 1.25 * l2 - 0.25 * l10 : psu->no_load_share * l10;
        none = none > 0 ? none : 0;
    }
    if (!(l2 > 0))
        l2 = none + 0.2 * (l10 - none);
    law->light = none;
    law->light_slope[0] = (l2 - none) / 0.02;
    law->light_slope[1] = (l10 - l2) / 0.08;
}

static void prepare(const wsk_psu_params *psu, double supply_v, wsk_psu_law *law)
{
    double loss[WSK_PSU_POINTS], abc[3];
    *law = (wsk_psu_law){.rated_w = psu->rated_w,
                         .limit_w = wsk_psu_limit_w(psu, supply_v),
                         .standby_w = psu->standby_w,
                         .power_factor = psu->power_factor,
                         .reactive_va = psu->reactive * psu->rated_w * (supply_v / 230) * (supply_v / 230)};
    for (int p = 0; p < WSK_PSU_POINTS; p++)
        if (p == 0 || psu->eff[p] > 0) {
            law->x[law->n] = load_points[p];
            loss[law->n++] = p == 0 ? loss_10(psu, supply_v) : loss_at(psu, p, supply_v);
        }
    wsk_fit_quadratic(law->n, law->x, loss, abc);
    law->a = abc[0];
    law->b = abc[1];
    law->c = abc[2];
    for (int p = 0; p < law->n; p++) {
        law->ln_x[p] = log(law->x[p]);
        law->r[p] = loss[p] / (abc[0] + (abc[1] + abc[2] * law->x[p]) * law->x[p]);
    }
    wsk_monotone_slopes(law->n, law->ln_x, law->r, law->slope);
    prepare_light(psu, supply_v, law);
}

/* ln(x) by frexp and the series of atanh, so that the result is bit-identical with each C library. */
static double natural_log(double x)
{
    int e;
    double m = frexp(x, &e);
    if (m < 0.70710678118654752) {
        m *= 2;
        e--;
    }
    double s = (m - 1) / (m + 1), s2 = s * s, sum = 0;
    for (int k = 21; k >= 1; k -= 2)
        sum = sum * s2 + 1.0 / k;
    return 2 * s * sum + e * 0.69314718055994531;
}

static double input_w(const wsk_psu_law *law, double output_w)
{
    double x = output_w / law->rated_w, r;
    int last = law->n - 1, i = 0;
    if (x < law->x[0]) {
        double light = x < 0.02 ? x : 0.02;
        return output_w +
               law->rated_w * (law->light + law->light_slope[0] * light + law->light_slope[1] * (x - light));
    }
    if (x >= law->x[last])
        r = law->r[last];
    else {
        while (x >= law->x[i + 1])
            i++;
        r = wsk_cubic_at(law->ln_x + i, law->r + i, law->slope + i, natural_log(x));
    }
    return output_w + law->rated_w * (law->a + (law->b + law->c * x) * x) * r;
}

static const wsk_psu_ops ops = {prepare, input_w};
const wsk_kind wsk_psu_certified = {.element = "psu",
                                    .name = "certified",
                                    .is_default = true,
                                    .help = "PSU from 80 PLUS points",
                                    .size = sizeof(P),
                                    .params = params,
                                    .ops = &ops};
