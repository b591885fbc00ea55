/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of the site: circuits, room, weather, air conditioner. All values SI; NAN: not given. */
#ifndef WSK_SITE_H
#define WSK_SITE_H
#include "sim/base/loud.h"
#include "sim/net/kind.h"

typedef struct {
    wsk_params head;
    double supply_v, circuit_a, outlet_a, altitude_m, continuous, listener_m;
    int breaker; /* a wsk_breaker_kind; -1: chosen by the voltage */
    int place;   /* a wsk_standing; -1: chosen by the chassis */
} wsk_site_params;
typedef struct {
    wsk_params head;
    /* supply_v or continuous NAN: the value of the site's own circuit */
    double supply_v, circuit_a, outlet_a, continuous;
    double fails_s;
    int breaker;
} wsk_line_params;
typedef enum { WSK_BREAKER_UL, WSK_BREAKER_B, WSK_BREAKER_C, WSK_BREAKER_D, WSK_BREAKER_JAPAN } wsk_breaker_kind;
extern const char *const wsk_breaker_names[];
typedef struct {
    wsk_params head;
    const char *currency;
    double value; /* price of one unit of `currency`, in the currency in which that price is written */
} wsk_exchange_params;
typedef struct {
    wsk_params head;
    double volume_m3, cap_j_k, cond_w_k, temp_k; /* temp_k: constant air temperature; NAN: simulated */
    double humidity;                             /* relative humidity, 0 to 1, at the room's starting temperature */
} wsk_room_params;
typedef struct {
    wsk_params head;
    double mean_k, swing_k, warmest_s;
    wsk_series file;
} wsk_outdoor_params;
/* Time, s, over which a steady point takes the mean outdoors: a run of for_s, but at least a day of it and at most its
 * first year. */
static inline double wsk_weather_span_s(double for_s)
{
    return wsk_min(wsk_max(for_s, 86400), 366 * 86400.0);
}
typedef struct {
    double (*mean_k)(const wsk_outdoor_params *outdoor);
    /* Outdoor temperature, K. civil_s: local time, s since 1970; run_s: s since the start of the run. */
    double (*temp_k)(const wsk_outdoor_params *outdoor, double civil_s, double run_s);
} wsk_outdoor_ops;
typedef struct {
    wsk_params head;
    double capacity_w, setpoint_k, cop, band_k; /* capacity_w, cop: values at 35 degC outdoors */
    wsk_curve cop_curve;
    double fails_s;
} wsk_ac_params;
typedef struct {
    double (*cop)(const wsk_ac_params *ac, double outdoor_k);
    double (*capacity_w)(const wsk_ac_params *ac, double outdoor_k);
} wsk_ac_ops;

#endif
