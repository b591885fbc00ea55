/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "sim/say/say.h"

static double known(double value)
{
    return isfinite(value) ? value : 0;
}

/* Returns 0 for a value that cannot be a count, as in a damaged file. */
static int count_of(double value)
{
    return value >= 0 && value <= INT_MAX ? (int)value : 0;
}

/* Time limited by heat, s. The time in hardware slowdown includes the power brake, which is not heat, so that part is
 * subtracted. */
static double heat_s(const wsk_summary *s, size_t card)
{
    return known(wsk_summary_number(s, WSK_R_GPU_LIMITED_BY_HEAT, card)) +
           known(wsk_summary_number(s, WSK_R_GPU_LIMITED_BY_MEMORY, card)) +
           known(wsk_summary_number(s, WSK_R_GPU_SLOWDOWN, card)) -
           known(wsk_summary_number(s, WSK_R_GPU_BRAKED, card));
}

static void take_cards(const wsk_summary *s, wsk_facts *f)
{
    double time = wsk_summary_number(s, WSK_R_SIMULATED, 0);
    f->cards = (int)wsk_summary_count(s, WSK_SCOPE_GPU);
    f->worst = -1;
    f->given = f->cards > 0;
    for (int i = 0; i < f->cards; i++) {
        double share = heat_s(s, (size_t)i) / time;
        f->hot += share > WSK_TOLD_HEAT;
        f->given = f->given && isnan(wsk_summary_number(s, WSK_R_GPU_LIMITED_BY_HEAT, (size_t)i));
        f->braked = f->braked || wsk_summary_number(s, WSK_R_GPU_BRAKED, (size_t)i) > 0;
        if (share > f->worst_share) {
            f->worst_share = share;
            f->worst = i;
        }
    }
    f->worst_id = f->worst < 0 ? NULL : wsk_summary_text(s, WSK_R_GPU_ID, (size_t)f->worst);
    f->cards_off = count_of(wsk_summary_number(s, WSK_R_CARDS_OFF, 0));
    f->cpus_off = count_of(wsk_summary_number(s, WSK_R_CPUS_OFF, 0));
    f->off = f->cards_off || f->cpus_off || wsk_summary_flag(s, WSK_R_SHUTS_DOWN, 0);
}

static void take_tokens(const wsk_summary *s, wsk_facts *f)
{
    f->need_gib = wsk_summary_number(s, WSK_R_TOKENS_MEMORY, 0);
    f->model = !isnan(f->need_gib);
    f->fits = wsk_summary_flag(s, WSK_R_TOKENS_FIT, 0);
    f->have_gib = wsk_summary_number(s, WSK_R_TOKENS_CARDS_MEMORY, 0);
    f->tokens_s = wsk_summary_number(s, WSK_R_TOKENS_GENERATION, 0);
    f->tokens_rel = wsk_summary_number(s, WSK_R_TOKENS_GENERATION_SPREAD, 0);
    f->tokens_low = wsk_summary_number(s, WSK_R_TOKENS_GENERATION_LOW, 0);
    f->tokens_high = wsk_summary_number(s, WSK_R_TOKENS_GENERATION_HIGH, 0);
    f->prompt_low = wsk_summary_number(s, WSK_R_TOKENS_PROMPT_LOW, 0);
    f->prompt_high = wsk_summary_number(s, WSK_R_TOKENS_PROMPT_HIGH, 0);
    f->prompt_s = wsk_summary_number(s, WSK_R_TOKENS_PROMPT, 0);
    f->prompt_rel = wsk_summary_number(s, WSK_R_TOKENS_PROMPT_SPREAD, 0);
    f->token_j = wsk_summary_number(s, WSK_R_TOKENS_ENERGY, 0);
    f->token_cost = wsk_summary_number(s, WSK_R_TOKENS_COST, 0);
    f->copies = count_of(wsk_summary_number(s, WSK_R_TOKENS_COPIES, 0));
    f->requests = count_of(wsk_summary_number(s, WSK_R_TOKENS_REQUESTS, 0));
    f->request_s = wsk_summary_number(s, WSK_R_TOKENS_EACH_REQUEST, 0);
    f->token_price = wsk_summary_number(s, WSK_R_TOKENS_PRICE, 0);
}

static bool went_off(const wsk_summary *s, size_t circuit)
{
    return wsk_summary_flag(s, WSK_R_BRANCH_TRIPPED, circuit) || wsk_summary_flag(s, WSK_R_BRANCH_FAILED, circuit);
}

static void take_power(const wsk_summary *s, wsk_facts *f)
{
    double p = wsk_summary_number(s, WSK_R_CIRCUIT_TRIP, 0), stay = 1 - known(p), left = 1;
    bool any = isfinite(p);
    f->psus = (int)wsk_summary_count(s, WSK_SCOPE_PSU);
    for (int i = 0; i < f->psus; i++) {
        p = wsk_summary_number(s, WSK_R_PSU_TRIP, (size_t)i);
        any = any || isfinite(p);
        stay *= 1 - known(p);
        left *= 1 - known(p);
        f->load = fmax(f->load, wsk_summary_number(s, WSK_R_PSU_LOAD_PEAK, (size_t)i));
    }
    f->trip = any ? 1 - stay : (double)NAN;
    for (size_t i = 0; i < wsk_summary_count(s, WSK_SCOPE_CIRCUIT); i++)
        left *= went_off(s, i) ? 1 : 1 - known(wsk_summary_number(s, WSK_R_BRANCH_TRIP, i));
    f->trip_left = any ? 1 - left : (double)NAN;
    f->over_s = wsk_summary_number(s, WSK_R_CIRCUIT_OVER_LIMIT, 0);
    if (!wsk_summary_flag(s, WSK_R_STEADY, 0))
        f->over = known(f->over_s / wsk_summary_number(s, WSK_R_SIMULATED, 0));
}

static bool any_flag(const wsk_summary *s, wsk_scope scope, wsk_result flag)
{
    for (size_t i = 0; i < wsk_summary_count(s, scope); i++)
        if (wsk_summary_flag(s, flag, i))
            return true;
    return false;
}

static double share(double value)
{
    return isnan(value) ? value : fmax(0, value);
}

/* Takes the circuit or PSU that stopped the first machine, and the time. A summary of an earlier version does not say
 * which it was. Then it was the circuit that went off, if only one did and no PSU failed. */
static void take_stops(const wsk_summary *s, int n_off, wsk_facts *f)
{
    f->machines = (int)wsk_summary_count(s, WSK_SCOPE_CASE);
    const char *by = NULL, *psu = NULL;
    double first_s = NAN;
    for (size_t i = 0; i < (size_t)f->machines; i++) {
        const char *circuit = wsk_summary_text(s, WSK_R_CASE_STOPPED_BY, i),
                   *supply = wsk_summary_text(s, WSK_R_CASE_STOPPED_PSU, i), *cause = circuit ? circuit : supply,
                   *id = wsk_summary_text(s, WSK_R_CASE_ID, i);
        const double at_s = wsk_summary_number(s, WSK_R_CASE_STOPPED_AT, i);
        if (!cause)
            continue;
        if (!by || at_s < first_s) {
            by = cause;
            psu = circuit ? NULL : supply;
            first_s = at_s;
            f->stops = 0;
        }
        if (strcmp(cause, by) == 0 && (circuit == NULL) == (psu != NULL) && !(at_s > first_s))
            f->stops_id = f->stops++ ? NULL : id;
    }
    if (!by && (n_off != 1 || any_flag(s, WSK_SCOPE_PSU, WSK_R_PSU_FAILED)))
        f->off_circuit = NULL;
    for (size_t i = 0; by && !psu && i < wsk_summary_count(s, WSK_SCOPE_CIRCUIT); i++) {
        const char *id = wsk_summary_text(s, WSK_R_BRANCH_ID, i);
        f->empty = f->empty || (id && strcmp(id, by) == 0 && first_s > wsk_summary_number(s, WSK_R_BRANCH_OFF_AT, i));
    }
    if (by) {
        f->off_circuit = psu ? NULL : by;
        f->off_psu = psu;
        f->off_s = first_s;
    }
}

/* If a machine stopped, the money of a week and a year is left out, because such a run says nothing about a year. */
static void take_circuits(const wsk_summary *s, wsk_facts *f)
{
    f->stopped = wsk_summary_number(s, WSK_R_MACHINES_STOPPED, 0) > 0;
    f->off_s = NAN;
    int n_off = 0;
    for (size_t i = 0; i < wsk_summary_count(s, WSK_SCOPE_CIRCUIT); i++) {
        double at_s = wsk_summary_number(s, WSK_R_BRANCH_OFF_AT, i);
        f->feed = fmax(f->feed, known(wsk_summary_number(s, WSK_R_BRANCH_FEED, i)));
        const bool off = went_off(s, i);
        f->failed = f->failed || wsk_summary_flag(s, WSK_R_BRANCH_FAILED, i);
        n_off += off;
        if (off && (!f->off_circuit || at_s < f->off_s)) {
            f->off_circuit = wsk_summary_text(s, WSK_R_BRANCH_ID, i);
            f->off_s = at_s;
            f->on_battery = wsk_summary_flag(s, WSK_R_BRANCH_ON_BATTERY, i);
        }
    }
    if (f->stopped)
        take_stops(s, n_off, f);
    if (f->stopped)
        f->week = f->year = f->heating = NAN;
}

/* Summaries of earlier versions have only half of the width of the range, not its ends. */
static wsk_ranged ranged(const wsk_summary *s, double value, wsk_result half, wsk_result low, wsk_result high)
{
    const double width = wsk_summary_number(s, half, 0);
    wsk_ranged out = {value, wsk_summary_number(s, low, 0), wsk_summary_number(s, high, 0)};
    if (isnan(out.low) || isnan(out.high)) {
        out.low = value - width;
        out.high = value + width;
    }
    return out;
}

/* Returns the mean noise while the machine is on, without the silence after it stopped. With several machines, of which
 * some may go on, that mean is unknown; then returns the highest noise. */
static double noise_on(const wsk_summary *s, const wsk_facts *f)
{
    const double mean = wsk_summary_number(s, WSK_R_NOISE, 0), most = wsk_summary_number(s, WSK_R_NOISE_MAX, 0),
                 on_s = wsk_summary_number(s, WSK_R_CASE_STOPPED_AT, 0),
                 time = wsk_summary_number(s, WSK_R_SIMULATED, 0);
    if (!f->stopped || f->steady)
        return mean;
    return f->machines == 1 && on_s > 0 && on_s <= time ? fmin(mean + 10 * log10(time / on_s), most) : most;
}

wsk_facts wsk_facts_of(const wsk_summary *s)
{
    const char *limits = wsk_summary_text(s, WSK_R_LOST_TO, 0);
    wsk_facts f = {
        .failed = any_flag(s, WSK_SCOPE_FAN, WSK_R_FAN_FAILED) || any_flag(s, WSK_SCOPE_PSU, WSK_R_PSU_FAILED) ||
                  wsk_summary_flag(s, WSK_R_AC_FAILED, 0),
        .steady = wsk_summary_flag(s, WSK_R_STEADY, 0),
        .failed_s = wsk_summary_number(s, WSK_R_FAILED_AT, 0),
        .slowed_s = wsk_summary_number(s, WSK_R_FAILED_TO_THROTTLE, 0),
        .shut_s = wsk_summary_number(s, WSK_R_FAILED_TO_SHUTDOWN, 0),
        .shuts_later = wsk_summary_flag(s, WSK_R_FAILED_SHUTS_LATER, 0),
        .parts_hot = wsk_summary_flag(s, WSK_R_PARTS_HOT, 0),
        .lost = share(wsk_summary_number(s, WSK_R_LOST, 0)),
        .gone = known(wsk_summary_number(s, WSK_R_LOST_TO_FAILURE, 0)),
        .dark = known(wsk_summary_number(s, WSK_R_LOST_TO_OUTAGE, 0)),
        .limited = share(wsk_summary_number(s, WSK_R_LOST_TO_LIMIT, 0)),
        .limits = limits ? limits : wsk_code_english(WSK_SAY_WORD_LIMITS),
        .listener_m = wsk_summary_number(s, WSK_R_NOISE_DISTANCE, 0),
        .stand = wsk_stand_named(wsk_summary_text(s, WSK_R_NOISE_PLACE, 0)),
        .room_c = wsk_summary_number(s, WSK_R_ROOM_MAX, 0),
        .currency = wsk_summary_text(s, WSK_R_CURRENCY, 0),
        .solar = wsk_summary_number(s, WSK_R_SOLAR_KWH, 0) /
                 (wsk_summary_number(s, WSK_R_WALL_KWH, 0) + known(wsk_summary_number(s, WSK_R_ROOM_COOLING_KWH, 0))),
        .heating = wsk_summary_number(s, WSK_R_HEATING, 0),
        .partial = wsk_summary_flag(s, WSK_R_ANNUAL_PARTIAL, 0),
        .stored = wsk_summary_number(s, WSK_R_STORED_KWH, 0) / wsk_summary_number(s, WSK_R_WALL_KWH, 0),
        .week = NAN,
        .year = NAN};
    if (!wsk_summary_flag(s, WSK_R_STEADY, 0)) {
        f.year = wsk_summary_number(s, WSK_R_ANNUAL, 0);
        f.week = f.year * 7 / 365;
    }
    const double redone = known(wsk_summary_number(s, WSK_R_REDONE, 0)),
                 done = known(wsk_summary_number(s, WSK_R_WORK, 0));
    f.undone = redone > 0 ? redone / (redone + fmax(done, 0)) : 0;
    f.lost_low = wsk_summary_number(s, WSK_R_LOST_LOW, 0);
    f.lost_high = wsk_summary_number(s, WSK_R_LOST_HIGH, 0);
    f.throttles = wsk_summary_number(s, WSK_R_THROTTLE_CHANCE, 0);
    f.die_c = ranged(s, wsk_summary_over(s, WSK_R_GPU_DIE_MAX, WSK_OVER_MAX), WSK_R_DIE_SPREAD, WSK_R_DIE_LOW,
                     WSK_R_DIE_HIGH);
    f.wall_w = ranged(s, wsk_summary_wall_w(s), WSK_R_WALL_SPREAD, WSK_R_WALL_LOW, WSK_R_WALL_HIGH);
    f.annual = ranged(s, f.year, WSK_R_ANNUAL_SPREAD, WSK_R_ANNUAL_LOW, WSK_R_ANNUAL_HIGH);
    f.doubts = wsk_summary_messages(s, WSK_R_BAND_PARTS, 0, &f.n_doubts);
    take_cards(s, &f);
    take_power(s, &f);
    take_circuits(s, &f);
    f.noise_dba = noise_on(s, &f);
    take_tokens(s, &f);
    return f;
}

/* If the range of the lost throughput is wider than this, its ends are stated instead of a point. */
static const double wide = 0.1;

bool wsk_loss_wide(const wsk_facts *f)
{
    return f->lost_high - f->lost_low > wide;
}
