/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/calibrate/electrical.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/calibrate/calibrate.h"
#include "sim/study/calibrate/calibrated.h"

enum { MOST_ROWS = 64 };
/* Assumed: docs/theory/constants.md, "stretches of a log". */
/* A bin is busy from the utilisation busy_share on. Without utilisation: from the share busy_power on of the range
 * from idle to highest power. side_s: half width of the time around a bin that is compared, s. least_s: least total
 * time of the bins of a row, s. */
static const double busy_share = 0.9, busy_power = 0.3, side_s = 30, least_s = 60;
/* greatest changes within a settled stretch: clock and power, relative; temperature, K */
static const double steady_clock = 0.02, steady_power = 0.05, steady_k = 1;
/* greatest differences between bins of one row: clock and limit, relative; temperature, K */
static const double alike_clock = 0.03, alike_limit = 0.01, alike_k = 7;
/* drawn power divided by limit: above this, a card at its limit has a load without pauses */
static const double keeps = 0.95;

static bool logged(const double *v, int bin)
{
    return v && !isnan(v[bin]);
}

static bool is_idle(const wsk_thermal *th, const wsk_thermal_card *c, int bin)
{
    const double rest = th->net->cards[c->card].gpu->idle_w;
    return c->busy ? c->busy[bin] < busy_share : c->drawn_w[bin] < rest + busy_power * (c->highest_w - rest);
}

/* True if the bin is known to be under load, with its power and clock. */
static bool is_busy(const wsk_thermal *th, const wsk_thermal_card *c, int bin)
{
    return logged(c->drawn_w, bin) && logged(c->clock_hz, bin) && !(c->busy && !logged(c->busy, bin)) &&
           !is_idle(th, c, bin);
}

typedef struct {
    double clock_hz, drawn_w, die_k, limit_low, limit_high;
    int busy, rated; /* busy: number of bins under load; rated: number of these with a temperature */
} side;

static side side_of(const wsk_thermal *th, const wsk_thermal_card *c, int from, int to)
{
    side s = {.limit_low = INFINITY, .limit_high = -INFINITY};
    for (int i = from; i <= to; i++) {
        if (is_idle(th, c, i))
            return (side){.busy = 0};
        if (!is_busy(th, c, i))
            continue; /* the log has a gap in this bin, of all or of some readings */
        s.busy++;
        s.clock_hz += c->clock_hz[i];
        s.drawn_w += c->drawn_w[i];
        if (logged(c->die_k, i)) {
            s.die_k += c->die_k[i];
            s.rated++;
        }
        if (logged(c->limit_w, i)) {
            s.limit_low = fmin(s.limit_low, c->limit_w[i]);
            s.limit_high = fmax(s.limit_high, c->limit_w[i]);
        }
    }
    s.clock_hz /= s.busy;
    s.drawn_w /= s.busy;
    s.die_k /= s.rated;
    return s;
}

/* True if the means of clock, power and temperature over side_s before and after the bin agree, and the limit is
 * constant. Stretches in which a card is warming up would not give independent rows. */
static bool is_settled(const wsk_thermal *th, const wsk_thermal_card *c, int bin, int until)
{
    const int reach = (int)fmax(1, side_s / th->log->bin_s);
    if (bin < reach || bin + reach >= until || !is_busy(th, c, bin))
        return false;
    const side a = side_of(th, c, bin - reach, bin), b = side_of(th, c, bin, bin + reach);
    if (!a.busy || !b.busy)
        return false;
    return fabs(a.clock_hz / b.clock_hz - 1) <= steady_clock && fabs(a.drawn_w / b.drawn_w - 1) <= steady_power &&
           fabs(a.die_k - b.die_k) <= steady_k &&
           !(fmax(a.limit_high, b.limit_high) - fmin(a.limit_low, b.limit_low) > alike_limit * a.limit_high);
}

/* Sums over the bins of a row. A row collects all bins with about the same limit, clock and temperature, at any
 * time. */
typedef struct {
    double bins, worked, limit_w, drawn_w, clock_hz, die_k, work;
} cell;

static bool is_alike(const cell *k, double limit_w, double clock_hz, double die_k)
{
    return fabs(k->limit_w / k->bins - limit_w) <= alike_limit * limit_w &&
           fabs(k->clock_hz / k->bins - clock_hz) <= alike_clock * clock_hz &&
           fabs(k->die_k / k->bins - die_k) <= alike_k;
}

static void fill_cell(const wsk_thermal_card *c, int bin, cell *cells, int *count)
{
    const double limit = logged(c->limit_w, bin) ? c->limit_w[bin] : 0;
    int i = 0;
    while (i < *count && !is_alike(&cells[i], limit, c->clock_hz[bin], c->die_k[bin]))
        i++;
    if (i == MOST_ROWS)
        return;
    if (i == *count)
        cells[(*count)++] = (cell){.bins = 0};
    cell *to = &cells[i];
    to->bins++;
    to->limit_w += limit;
    to->drawn_w += c->drawn_w[bin];
    to->clock_hz += c->clock_hz[bin];
    to->die_k += c->die_k[bin];
    if (logged(c->work, bin)) {
        to->worked++;
        to->work += c->work[bin];
    }
}

/* True if the die is so near its target temperature that temperature, not power, may lower the clock. */
static bool is_hot(const wsk_card *c, double die_k)
{
    return die_k >= c->gpu->target_k - 2;
}

/* Whether the load has long pauses: its mean power then stays below a limit that binds, and its clock at that limit is
 * lower than at a higher limit. Without pauses, the logged power is the power at the logged clock, and the limit need
 * not be known. UNSEEN: no row draws its limit, and no limit lowers the clock. */
typedef enum { NO_PAUSES, PAUSES, UNSEEN } pausing;

static pausing pauses_of(const wsk_card *c, const wsk_calibrate_row *rows, int count)
{
    const wsk_calibrate_row *low = NULL, *high = NULL;
    bool drawn = false;
    for (int i = 0; i < count; i++) {
        const double limit_w = isnan(rows[i].limit_w) ? c->limit_w : rows[i].limit_w;
        drawn = drawn || rows[i].drawn_w >= keeps * c->ops->held_w(c->gpu, limit_w);
        if (isnan(rows[i].limit_w) || is_hot(c, rows[i].die_k))
            continue;
        low = low && low->limit_w <= rows[i].limit_w ? low : &rows[i];
        high = high && high->limit_w >= rows[i].limit_w ? high : &rows[i];
    }
    if (low && low->drawn_w < keeps * c->ops->held_w(c->gpu, low->limit_w) && high->limit_w >= 1.1 * low->limit_w &&
        high->clock_hz >= 1.03 * low->clock_hz)
        return PAUSES;
    return drawn ? NO_PAUSES : UNSEEN;
}

/* With pauses, rows state the logged limit, and rows of a hot die also the clock; else they state the clock only. */
static int rows_of(const wsk_thermal *th, int card, int until, wsk_calibrate_row rows[MOST_ROWS], pausing *pauses)
{
    const wsk_thermal_card *log = &th->log->cards[card];
    const wsk_card *c = &th->net->cards[log->card];
    cell cells[MOST_ROWS];
    int found = 0, count = 0;
    *pauses = UNSEEN;
    if (!log->drawn_w || !log->clock_hz || (!log->busy && !log->limit_w))
        return 0;
    for (int i = 0; i < until; i++)
        if (logged(log->die_k, i) && is_settled(th, log, i, until))
            fill_cell(log, i, cells, &found);
    for (int i = 0; i < found; i++) {
        const cell *k = &cells[i];
        if (k->bins * th->log->bin_s >= least_s)
            rows[count++] = (wsk_calibrate_row){.limit_w = k->limit_w > 0 ? k->limit_w / k->bins : (double)NAN,
                                                .lock_hz = NAN,
                                                .drawn_w = k->drawn_w / k->bins,
                                                .clock_hz = k->clock_hz / k->bins,
                                                .work = k->worked > 0 ? k->work / k->worked : (double)NAN,
                                                .die_k = k->die_k / k->bins};
    }
    *pauses = pauses_of(c, rows, count);
    for (int i = 0; i < count; i++) {
        if (*pauses != PAUSES || is_hot(c, rows[i].die_k))
            rows[i].lock_hz = rows[i].clock_hz;
        if (*pauses != PAUSES)
            rows[i].limit_w = NAN;
    }
    return count;
}

static void count_off(wsk_log_share *e, double off)
{
    if (isnan(off))
        return;
    e->readings++;
    e->mae_rel += fabs(off);
    e->bias_rel += off;
    e->worst_rel = fabs(off) > fabs(e->worst_rel) ? off : e->worst_rel;
}

static void close_off(wsk_log_share *e)
{
    const double n = (double)e->readings;
    *e = e->readings ? (wsk_log_share){e->readings, e->mae_rel / n, e->bias_rel / n, e->worst_rel}
                     : (wsk_log_share){0, NAN, NAN, NAN};
}

/* Means of power and clock over the minute around the bin, because both fluctuate. */
static wsk_calibrate_row minute_of(const wsk_thermal *th, const wsk_thermal_card *log, int bin)
{
    const int reach = (int)fmax(1, side_s / th->log->bin_s);
    wsk_calibrate_row mean = {.limit_w = logged(log->limit_w, bin) ? log->limit_w[bin] : (double)NAN,
                              .die_k = logged(log->die_k, bin) ? log->die_k[bin] : (double)NAN,
                              .work = logged(log->work, bin) && log->work[bin] > 0 ? log->work[bin] : (double)NAN};
    int n = 0;
    for (int i = bin - reach; i <= bin + reach; i++) {
        if (i < 0 || i >= th->log->bins || !is_busy(th, log, i) ||
            (logged(log->limit_w, i) && fabs(log->limit_w[i] - mean.limit_w) > alike_limit * mean.limit_w))
            continue;
        mean.drawn_w += log->drawn_w[i];
        mean.clock_hz += log->clock_hz[i];
        n++;
    }
    mean.drawn_w /= n;
    mean.clock_hz /= n;
    return mean;
}

static void judge_bin(const wsk_thermal *th, int card, int bin, bool pauses, const wsk_calibration *fit,
                      wsk_log_part part, wsk_log_electrical *out)
{
    const wsk_thermal_card *log = &th->log->cards[card];
    const wsk_card *c = &th->net->cards[log->card];
    const wsk_log_phase phase = wsk_thermal_phase(th, card, bin);
    const wsk_calibrate_row seen = minute_of(th, log, bin);
    wsk_calibrate_row given = seen, model;
    given.lock_hz = seen.clock_hz;
    given.limit_w = NAN;
    wsk_calibrate_row_of(c->gpu, c->ops, &c->cls, fit, &given, &model);
    count_off(&out->power[part], model.drawn_w / seen.drawn_w - 1);
    count_off(&out->power_phase[part][phase], model.drawn_w / seen.drawn_w - 1);
    count_off(&out->work[part], model.work / seen.work - 1);
    given.lock_hz = NAN;
    given.limit_w = pauses ? seen.limit_w : (double)NAN;
    if (pauses && is_hot(c, seen.die_k))
        return;
    wsk_calibrate_row_of(c->gpu, c->ops, &c->cls, fit, &given, &model);
    count_off(&out->clock[part], model.clock_hz / seen.clock_hz - 1);
    count_off(&out->clock_phase[part][phase], model.clock_hz / seen.clock_hz - 1);
}

static void close_all(wsk_log_electrical *out)
{
    for (int part = 0; part < WSK_LOG_PARTS; part++) {
        close_off(&out->power[part]);
        close_off(&out->clock[part]);
        close_off(&out->work[part]);
        for (int k = 0; k < WSK_PHASES; k++) {
            close_off(&out->power_phase[part][k]);
            close_off(&out->clock_phase[part][k]);
        }
    }
}

/* Bins next to an idle bin are left out, because they contain part of the idle time. */
static void judge(const wsk_thermal *th, int card, int held, bool pauses, const wsk_calibration *fit,
                  wsk_log_electrical *out)
{
    const wsk_thermal_card *c = &th->log->cards[card];
    for (int i = 1; i + 1 < th->log->bins; i++)
        if (is_busy(th, c, i - 1) && is_busy(th, c, i) && is_busy(th, c, i + 1))
            judge_bin(th, card, i, pauses, fit, i < held ? WSK_PART_FITTED : WSK_PART_HELD_OUT, out);
}

static bool has_one_level(const wsk_calibrate_row *rows, int count)
{
    const double apart = 1.1; /* clocks of two levels: docs/theory/constants.md, "stretches of a log" */
    double least = INFINITY, most = 0;
    for (int i = 0; i < count; i++) {
        least = fmin(least, rows[i].clock_hz);
        most = fmax(most, rows[i].clock_hz);
    }
    return most < apart * least;
}

/* Enlarges the spread of p0 if the log has only one level of clocks. One level determines p0 only for a given c. If the
 * fit moved any value by more than one standard deviation of its prior, p0 or c may be wrong. The spread of p0 is then
 * multiplied by the largest such number of standard deviations, up to the spread of its prior. */
static void widen(wsk_calibration *fit)
{
    double contradiction = 1;
    for (size_t i = 0; i < fit->count; i++)
        contradiction = fmax(contradiction, fabs(fit->values[i].moved));
    for (size_t i = 0; i < fit->count; i++) {
        wsk_calibrated *v = &fit->values[i];
        const double most = v->prior_spread / v->prior * v->value, wider = fmin(v->spread * contradiction, most);
        if (strcmp(v->name, "p0") != 0 || !(wider > v->spread))
            continue;
        v->spread = wider;
        v->learnt = wsk_fit_learnt(&(wsk_prior){.sd = most}, wider);
    }
}

wsk_status wsk_electrical_fit(const wsk_thermal *th, int card, int held, wsk_log_electrical *out)
{
    const wsk_card *c = &th->net->cards[th->log->cards[card].card];
    wsk_calibrate_row rows[MOST_ROWS];
    wsk_calibration fit;
    pausing pauses;
    *out = (wsk_log_electrical){.rows = 0};
    if (wsk_calibrate_refuses(th->net, c)) {
        close_all(out);
        return WSK_OK;
    }
    int count = rows_of(th, card, held, rows, &pauses);
    wsk_status status = count ? wsk_calibrate_card(c->gpu, c->ops, &c->cls, rows, (size_t)count, &fit) : WSK_EUSAGE;
    if (status == WSK_OK)
        judge(th, card, held, pauses == PAUSES, &fit, out);
    else if (status != WSK_EUSAGE)
        return status;
    close_all(out);
    count = rows_of(th, card, th->log->bins, rows, &pauses);
    status = count ? wsk_calibrate_card(c->gpu, c->ops, &c->cls, rows, (size_t)count, &out->fit) : WSK_EUSAGE;
    out->rows = status == WSK_OK ? (size_t)count : 0;
    if (out->rows && pauses == UNSEEN)
        wsk_calibrate_open_pauses(c->gpu, c->ops, &c->cls, rows, (size_t)count, &out->fit);
    out->one_level = has_one_level(rows, count);
    if (out->rows && out->one_level)
        widen(&out->fit);
    return status == WSK_EUSAGE ? WSK_OK : status;
}

enum { LEVELS = 4 };
/* Planned recordings. limit: power limits of their stretches as shares of the highest power, at least the card's
 * lowest; 0: no further stretch. colder_k: by how much the second stretch is colder than the first, K. The recording of
 * a memory-bound load is missing here, because it says nothing about the present load. */
static const struct {
    double limit[LEVELS], colder_k;
} planned[WSK_NEXTS] = {[WSK_NEXT_SOAK] = {{1}, 0},
                        [WSK_NEXT_STAIRCASE] = {{1, 0.85, 0.7, 0.55}, 0},
                        [WSK_NEXT_FAN] = {{1, 1}, 12},
                        [WSK_NEXT_IDLE] = {{1}, 0}};

wsk_status wsk_electrical_next(const wsk_thermal *th, int card, wsk_log_fit *out)
{
    const wsk_card *c = &th->net->cards[th->log->cards[card].card];
    wsk_calibrate_row rows[MOST_ROWS], more[LEVELS];
    wsk_calibrate_doubt doubt;
    pausing pauses;
    if (!out->electrical.rows)
        return WSK_OK;
    const int count = rows_of(th, card, th->log->bins, rows, &pauses);
    double highest = 0, die_k = NAN;
    for (int i = 0; i < count; i++) {
        const double held = pauses == PAUSES && !isnan(rows[i].limit_w) ? rows[i].limit_w : rows[i].drawn_w;
        if (held > highest) {
            highest = held;
            die_k = rows[i].die_k;
        }
    }
    wsk_status status =
        wsk_calibrate_foretell(c->gpu, c->ops, &c->cls, rows, count, more, 0, pauses == PAUSES, &doubt);
    if (status != WSK_OK)
        return status == WSK_EUSAGE ? WSK_OK : status;
    out->now[WSK_GOAL_WORK] = doubt.work_rel;
    out->now[WSK_GOAL_WATTS] = doubt.power_rel;
    for (int which = 0; which < WSK_NEXTS && status == WSK_OK; which++) {
        const double least = fmin(c->limit_min_w, highest);
        int n = 0;
        for (; n < LEVELS && planned[which].limit[n] > 0; n++)
            more[n] = (wsk_calibrate_row){.limit_w = fmax(planned[which].limit[n] * highest, least),
                                          .die_k = die_k - (n ? planned[which].colder_k : 0)};
        if (!n || isnan(out->then[WSK_GOAL_TEMPERATURE][which]))
            continue;
        status = wsk_calibrate_foretell(c->gpu, c->ops, &c->cls, rows, count, more, n, pauses == PAUSES, &doubt);
        if (status != WSK_OK)
            return status == WSK_EUSAGE ? WSK_OK : status;
        out->then[WSK_GOAL_WORK][which] = doubt.work_rel;
        out->then[WSK_GOAL_WATTS][which] = doubt.power_rel;
    }
    return status;
}
