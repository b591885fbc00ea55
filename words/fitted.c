/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "words/fitted.h"

#include <math.h>
#include <string.h>

wsk_fitted wsk_fitted_about(wsk_lang lang, const wsk_calibrated *v)
{
    static const struct {
        const char *name, *label, *unit;
        double si;
    } values[] = {{"p0", WSK_N("p0, fixed power"), "W", 1},
                  {"c", WSK_N("c, power per clock"), "W/GHz", 1e-9},
                  {"clock-share", WSK_N("clock-share, work by clock"), "%", 0.01},
                  {"duty", WSK_N("duty, time without long pauses"), "%", 0.01},
                  {"clock-knee", WSK_N("clock-knee, voltage rises"), "MHz", 1e6},
                  {"voltage-slope", WSK_N("voltage-slope"), "1/GHz", 1e-9},
                  {"leakage", WSK_N("leakage"), "W", 1},
                  {"board", WSK_N("board, the base load"), "W", 1},
                  {"efficiency", WSK_N("efficiency of the PSU"), "%", 0.01},
                  {"efficiency-50", WSK_N("efficiency-50 of the PSU"), "%", 0.01},
                  {"inlet", WSK_N("room, by the inlet"), "°C", 1},
                  {"conductance", WSK_N("conductance, cooler"), "W/K", 1},
                  {"block-conductance", WSK_N("block-conductance, cooler"), "W/K", 1},
                  {"die-resistance", WSK_N("die-resistance"), "K/W", 1},
                  {"capacity", WSK_N("capacity of the heatsink"), "J/K", 1},
                  {"board-capacity", WSK_N("board-capacity"), "J/K", 1},
                  {"board-conductance", WSK_N("board-conductance"), "W/K", 1},
                  {"memory-resistance", WSK_N("memory-resistance"), "K/W", 1},
                  {"memory-traffic", WSK_N("memory-traffic, under load"), "%", 0.01},
                  {"natural-factor", WSK_N("natural-factor, fan at rest"), "", 1},
                  {"rpm-min", WSK_N("rpm-min, fan at rest"), "rpm", 1},
                  {"fan-rise", WSK_N("fan-rise, time constant"), "s", 1},
                  {"fan-fall", WSK_N("fan-fall, time constant"), "s", 1}};
    wsk_fitted out = {.unit = "", .si = 1};
    const char *label = v->name;
    if (v->at > 0) {
        snprintf(out.label, sizeof out.label, wsk_tr(lang, WSK_N("fan-curve at %.0f °C")), v->at - WSK_KELVIN);
        out.unit = "rpm";
        return out;
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(values[i].name, v->name) == 0) {
            label = wsk_tr(lang, values[i].label);
            out.unit = values[i].unit;
            out.si = values[i].si;
            out.less = strcmp(v->name, "inlet") == 0 ? WSK_KELVIN : 0;
        }
    snprintf(out.label, sizeof out.label, "%s", label);
    return out;
}

int wsk_fitted_places(double spread)
{
    int places = 0;
    for (double least = 10; places < 6 && spread > 0 && spread < least; least /= 10)
        places++;
    return places;
}

const char *wsk_fitted_of(wsk_lang lang, wsk_fitted_to to)
{
    return wsk_tr(lang, to == WSK_FITTED_TO_METER ? WSK_N("this machine") : WSK_N("this card"));
}

const char *wsk_fitted_by(wsk_lang lang, wsk_fitted_to to)
{
    return wsk_tr(lang, to == WSK_FITTED_TO_ROWS    ? WSK_N("by the rows")
                        : to == WSK_FITTED_TO_METER ? WSK_N("by the meter")
                                                    : WSK_N("by the log"));
}

/* True for inlet and for the conductances if the log has only one power, and for p0 and c if it has only one clock
 * under load: such a log determines them only together. */
static bool not_apart(const wsk_calibrated *v, wsk_fitted_to to)
{
    if (to == WSK_FITTED_TO_ONE_LEVEL)
        return strcmp(v->name, "p0") == 0 || strcmp(v->name, "c") == 0;
    return to == WSK_FITTED_TO_ONE_POWER && (strcmp(v->name, "inlet") == 0 || strcmp(v->name, "conductance") == 0 ||
                                             strcmp(v->name, "block-conductance") == 0);
}

static const double partly = 0.1; /* a value of which a smaller share is learnt counts as not seen */

bool wsk_fitted_is_learnt(const wsk_calibrated *v, wsk_fitted_to to)
{
    return v->learnt >= 0.75 && !not_apart(v, to);
}

const char *wsk_fitted_learnt(wsk_lang lang, const wsk_calibrated *v, wsk_fitted_to to)
{
    return wsk_tr(lang, not_apart(v, to)              ? WSK_N("not apart")
                        : wsk_fitted_is_learnt(v, to) ? WSK_N("learnt")
                        : v->learnt >= partly         ? WSK_N("partly")
                        : to == WSK_FITTED_TO_ROWS    ? WSK_N("not determined")
                                                      : WSK_N("not seen"));
}

const char *wsk_fitted_phase(wsk_lang lang, wsk_log_phase phase)
{
    static const char *const phases[WSK_PHASES] = {WSK_N("first minute of load"), WSK_N("warming up"),
                                                   WSK_N("settled"), WSK_N("cooling down")};
    return wsk_tr(lang, phases[phase]);
}

#define say(out, lang, english, ...) \
    say_with(out, lang, english, (const wsk_arg[]){__VA_ARGS__}, \
             (int)(sizeof((const wsk_arg[]){__VA_ARGS__}) / sizeof(wsk_arg)))
static void say_plain(wsk_buf *out, wsk_lang lang, const char *english)
{
    const char *text = wsk_tr(lang, english);
    wsk_buf_put(out, text, strlen(text));
    wsk_buf_put(out, "\n", 1);
}

static void say_with(wsk_buf *out, wsk_lang lang, const char *english, const wsk_arg *args, int count)
{
    wsk_words_render(out, lang, english, args, count);
    wsk_buf_put(out, "\n", 1);
}

void wsk_fitted_proof(wsk_buf *out, wsk_lang lang, const wsk_log_fit *f)
{
    const wsk_log_error *held = &f->die[WSK_PART_HELD_OUT];
    if (held->readings) {
        const double minutes = (f->end_s - f->held_from_s) / 60;
        if (isnan(f->skill_stays) || isnan(f->skill_line))
            say(out, lang,
                WSK_N("Held out: the last %1$.0f of %2$.0f minutes; a fit without them is judged by them. Its rms "
                      "error there is %3$.2f K."),
                WSK_ARG(minutes), WSK_ARG(f->end_s / 60), WSK_ARG(held->rmse_k));
        else
            say(out, lang,
                WSK_N("Held out: the last %1$.0f of %2$.0f minutes; a fit without them is judged by them. Its rms "
                      "error there is %3$.2f K; that of the last fitted temperature is %4$.1f K, that of a line in "
                      "power %5$.1f K."),
                WSK_ARG(minutes), WSK_ARG(f->end_s / 60), WSK_ARG(held->rmse_k),
                WSK_ARG(held->rmse_k / (1 - f->skill_stays)), WSK_ARG(held->rmse_k / (1 - f->skill_line)));
        say(out, lang, WSK_N("%1$.0f %% of the readings there are within its 80 %% band, %2$.1f K to each side."),
            WSK_ARG(100 * f->within[WSK_PART_HELD_OUT]), WSK_ARG(f->band_k[WSK_PART_HELD_OUT]));
    } else {
        say(out, lang, WSK_N("Nothing was held out, so nothing proves the fit; --holdout 40% would."), {0});
    }
    say(out, lang, WSK_N("The values are those of the whole log, whose readings count as %1$.0f independent ones."),
        WSK_ARG(f->samples));
}

/* Lists the values that are far from the prior, such as "conductance, cooler 4.8 W/K, not 11.4 ± 1.1". */
static void list_far(wsk_buf *out, wsk_lang lang, const wsk_calibration *fit)
{
    for (size_t i = 0; i < fit->count; i++) {
        const wsk_calibrated *v = &fit->values[i];
        const wsk_fitted about = wsk_fitted_about(lang, v);
        const int places = wsk_fitted_places(v->prior_spread / about.si);
        char now[32], before[32], spread[32];
        if (!wsk_calibrated_is_far(v))
            continue;
        snprintf(now, sizeof now, "%.*f", wsk_fitted_places(v->spread / about.si), v->value / about.si);
        snprintf(before, sizeof before, "%.*f", places, v->prior / about.si);
        snprintf(spread, sizeof spread, "%.*f", places, v->prior_spread / about.si);
        if (out->len)
            wsk_buf_put(out, "; ", 2);
        wsk_words_render(
            out, lang, *about.unit ? WSK_N("%1$s %2$s %5$s, not %3$s ± %4$s") : WSK_N("%1$s %2$s, not %3$s ± %4$s"),
            (const wsk_arg[]){WSK_ARG((const char *)about.label), WSK_ARG((const char *)now),
                              WSK_ARG((const char *)before), WSK_ARG((const char *)spread), WSK_ARG(about.unit)},
            *about.unit ? 5 : 4);
    }
}

static void say_far(wsk_buf *out, wsk_lang lang, const wsk_calibration *fit, const char *english)
{
    wsk_buf list = {0};
    list_far(&list, lang, fit);
    if (list.len)
        say(out, lang, english, WSK_ARG((const char *)list.data));
    out->failed = out->failed || list.failed;
    wsk_buf_free(&list);
}

/* Rows this far apart, s, tell the time of a change of load well enough (docs/theory/calibration.md, "Rows far
 * apart"). */
static const double close_s = 12;

void wsk_fitted_open(wsk_buf *out, wsk_lang lang, const wsk_log_fit *f)
{
    say_far(
        out, lang, &f->fit,
        WSK_N("Far from the catalogue: %1$s. Is this log of another card, or in another case, or is a fan reading "
              "wrong?"));
    if (f->electrical.rows)
        say_far(out, lang, &f->electrical.fit,
                WSK_N("Far from the catalogue: %1$s. Is this log of another card, or of work of another class?"));
    const bool one_clock = f->electrical.rows && f->electrical.one_level,
               both = f->one_power && one_clock && wsk_calibrate_loaded(f);
    if (both)
        say_plain(out, lang,
                  WSK_N("One power: the log determines inlet and conductance only together, and p0 and c too. Half "
                        "an hour at "
                        "a power limit 30 % below would separate both pairs; ten minutes idle only the first."));
    else if (f->one_power && !wsk_calibrate_loaded(f))
        say_plain(
            out, lang,
            WSK_N("One low power: the log determines inlet and conductance only together. Half an hour of load would "
                  "separate them."));
    else if (f->one_power)
        say_plain(
            out, lang,
            WSK_N("One power: the log determines inlet and conductance only together. A stretch 30 % below that "
                  "power, or ten minutes idle, would separate them."));
    if (f->apart_s > close_s && !f->one_power)
        say(out, lang,
            WSK_N(
                "The rows are %1$.0f s apart, and when the load changed between two of them is not known: a ± may be "
                "two thirds of what it should be. Record each second."),
            WSK_ARG(f->apart_s));
    if (wsk_calibrate_too_hot(f))
        say(out, lang,
            WSK_N("The temperatures of the log reach %1$.0f °C, and this card shuts down at %2$.0f °C. Are they "
                  "degrees "
                  "Fahrenheit? Then write the unit behind the name of the column: temperature.gpu [F]."),
            WSK_ARG(f->hottest_k - WSK_KELVIN), WSK_ARG(f->shutdown_k - WSK_KELVIN));
    if (one_clock && !both)
        say_plain(
            out, lang,
            WSK_N("One clock under load: the log determines p0 and c only together, by the power at that clock. Half "
                  "an hour at a power limit 30 % below would separate them."));
    for (size_t i = 0; f->room_free && i < f->fit.count; i++)
        if (strcmp(f->fit.values[i].name, "inlet") == 0)
            say(out, lang,
                WSK_N("The room of this rig has no fixed temperature, so %1$.1f °C is not written; <room "
                      "temperature=\"%1$.1f degC\"/> holds it."),
                WSK_ARG(f->fit.values[i].value - WSK_KELVIN));
    if (f->power_modelled)
        say_plain(
            out, lang,
            WSK_N("The log has no watts: they come from clock and utilisation. The ± of each value contains their "
                  "uncertainty; a log with watts would make it smaller."));
    if (f->from_hot_spot)
        say_plain(
            out, lang,
            WSK_N("The log has no GPU temperature: it is taken from the hot spot, less what the card's part says of "
                  "that; an error there goes into the inlet."));
    if (f->residual_k > 1.5)
        say(out, lang,
            WSK_N("The model leaves %1$.1f K rms: something of the log is not in the rig, such as another load, a "
                  "door, a fan."),
            WSK_ARG(f->residual_k));
}

void wsk_fitted_unseen(wsk_buf *out, wsk_lang lang, const wsk_calibration *fit)
{
    static const char *const names[] = {"p0", "c", "clock-share", "clock-knee", "voltage-slope", "leakage"};
    wsk_buf list = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool seen = false;
        for (size_t k = 0; k < fit->count; k++)
            seen = seen || (strcmp(fit->values[k].name, names[i]) == 0 && fit->values[k].learnt >= partly);
        if (!seen)
            wsk_buf_printf(&list, "%s%s", list.len ? ", " : "", names[i]);
    }
    if (list.len)
        say(out, lang, WSK_N("Hardly seen by this log, so nearly as in the catalogue: %1$s."),
            WSK_ARG((const char *)list.data));
    out->failed = out->failed || list.failed;
    wsk_buf_free(&list);
}

static const struct {
    const char *what, *unit;
    double times;
} goals[WSK_GOALS] = {
    [WSK_GOAL_TEMPERATURE] = {WSK_N("GPU temperature at full load"), " K", 1},
    [WSK_GOAL_MEMORY] = {WSK_N("Memory temperature at full load"), " K", 1},
    [WSK_GOAL_WORK] = {WSK_N("Work at 0.7 of full power, as a share of that at full power,"), " %", 100},
    [WSK_GOAL_WATTS] = {WSK_N("Power at 0.7 of the highest clock"), " %", 100}};

/* rms residual, K, above which the model does not follow the log. The worst measured logs leave 1.2 K; a log that lasts
 * only minutes leaves 3.4 K */
static const double strange_k = 5;

void wsk_fitted_next(wsk_buf *out, wsk_lang lang, const wsk_log_fit *f, wsk_calibrate_goal goal)
{
    const int which = wsk_calibrate_next_for(f, goal);
    const char *what = wsk_tr(lang, goals[goal].what), *unit = goals[goal].unit;
    const double now = goals[goal].times * f->now[goal];
    double for_s;
    if (isnan(now)) {
        say(out, lang,
            WSK_N(
                "Not determined by this log: %1$s. The recordings of wattsink calibrate --plan determine it, if the "
                "card reports the quantities."),
            WSK_ARG(what));
        return;
    }
    if (!wsk_calibrate_loaded(f) && (goal == WSK_GOAL_TEMPERATURE || goal == WSK_GOAL_MEMORY))
        say(out, lang,
            WSK_N("The highest power of the log is %1$.0f W, full load is %2$.0f W: predictions for full load come "
                  "from the model, not from readings."),
            WSK_ARG(f->highest_w), WSK_ARG(f->full_w));
    if (which < 0 && goal == WSK_GOAL_WORK && isnan(f->electrical.fit.work_unit)) {
        say(out, lang,
            WSK_N("%1$s is known to ±%2$.1f%3$s. The log has no rate of work; rows that have one (--sweep) would "
                  "tell more."),
            WSK_ARG(what), WSK_ARG(now), WSK_ARG(unit));
        return;
    }
    if (which < 0 && f->power_modelled) {
        say(out, lang, WSK_N("%1$s is known to ±%2$.1f%3$s for given watts; a log with watts would tell more."),
            WSK_ARG(what), WSK_ARG(now), WSK_ARG(unit));
        return;
    }
    if (f->residual_k > strange_k && (goal == WSK_GOAL_TEMPERATURE || goal == WSK_GOAL_MEMORY)) {
        say(out, lang,
            WSK_N("%1$s is known to ±%2$.1f%3$s: the model does not follow the log. Are its watts, degrees and fan "
                  "speeds those of this card?"),
            WSK_ARG(what), WSK_ARG(now), WSK_ARG(unit));
        return;
    }
    if (which < 0) {
        say(out, lang,
            WSK_N("%1$s is known to ±%2$.1f%3$s by these values; another recording would hardly tell more."),
            WSK_ARG(what), WSK_ARG(now), WSK_ARG(unit));
        return;
    }
    const char *name = wsk_calibrate_next_name((wsk_calibrate_next)which, &for_s);
    say(out, lang,
        WSK_N("Record next: %1$s, %2$.0f minutes. %3$s is known to ±%4$.1f%6$s now, to about ±%5$.1f%6$s after it. "
              "Its script: wattsink calibrate --plan %1$s"),
        WSK_ARG(name), WSK_ARG(for_s / 60), WSK_ARG(what), WSK_ARG(now),
        WSK_ARG(goals[goal].times * f->then[goal][which]), WSK_ARG(unit));
}

void wsk_fitted_fan(wsk_buf *out, wsk_lang lang, const wsk_log_fit *f)
{
    const double *off = f->fan.error_rel;
    if (f->fan.untold) {
        wsk_words_said(out, lang, f->fan.untold);
        wsk_buf_put(out, "\n", 1);
    } else if (f->fan.fit.count && !isnan(off[WSK_PART_HELD_OUT])) {
        say(out, lang,
            WSK_N("Fan: mean error %1$.1f %% of its highest speed where fitted, %2$.1f %% held out, by the "
                  "measured temperature."),
            WSK_ARG(100 * off[WSK_PART_FITTED]), WSK_ARG(100 * off[WSK_PART_HELD_OUT]));
    }
}

bool wsk_fitted_meter_low(const wsk_wall_fit *f)
{
    return f->mean_w < f->cards_mean_w;
}

bool wsk_fitted_meter_high(const wsk_wall_fit *f)
{
    static const double most_rel = 0.1; /* NMBE that ASHRAE Guideline 14 allows */
    bool missed = false;
    for (int i = 0; i < WSK_LOG_PARTS; i++)
        missed = missed || (!f->power_modelled && f->error[i].nmbe > most_rel);
    return f->fit.count && (missed || (f->fit.values[0].moved > 0 && wsk_calibrated_is_far(&f->fit.values[0])));
}

void wsk_fitted_wall(wsk_buf *out, wsk_lang lang, const wsk_wall_fit *f)
{
    const wsk_wall_error *fitted = &f->error[WSK_PART_FITTED], *held = &f->error[WSK_PART_HELD_OUT];
    if (!f->clock_found)
        say_plain(
            out, lang,
            WSK_N(
                "The meter's clock could not be found from its watts, which do not follow the cards'; the clocks are "
                "taken as they are."));
    else if (isnan(f->ahead_s))
        say(out, lang,
            WSK_N("The meter began %1$+.0f ± %2$.0f s from the start of the log, by comparing their watts."),
            WSK_ARG(round(f->begins_s) + 0.0) /* not -0 */, WSK_ARG(f->begins_sd_s));
    else if (f->ahead_s < -0.5)
        say(out, lang, WSK_N("The meter's clock is %1$.0f ± %2$.0f s behind the log's, by comparing their watts."),
            WSK_ARG(-f->ahead_s), WSK_ARG(f->begins_sd_s));
    else
        say(out, lang, WSK_N("The meter's clock is %1$.0f ± %2$.0f s ahead of the log's, by comparing their watts."),
            WSK_ARG(fabs(f->ahead_s)), WSK_ARG(f->begins_sd_s));
    if (f->cards_learnt >= partly)
        say(out, lang,
            f->power_modelled
                ? WSK_N(
                      "By the meter, the cards drew %1$+.1f ± %2$.1f %% relative to the model: the log has no watts.")
                : WSK_N("By the meter, the cards drew %1$+.1f ± %2$.1f %% relative to their own readings."),
            WSK_ARG(100 * f->cards_rel), WSK_ARG(100 * f->cards_sd_rel));
    if (wsk_fitted_meter_low(f))
        say(out, lang,
            WSK_N("The meter reads %1$.0f W on average while the cards alone drew %2$.0f W. Is it at another plug, "
                  "or does it use another unit?"),
            WSK_ARG(f->mean_w), WSK_ARG(f->cards_mean_w));
    if (wsk_fitted_meter_high(f))
        say(out, lang,
            WSK_N("The meter reads %1$.0f W on average, far more than this machine is expected to draw, whose cards "
                  "drew %2$.0f W. Is another device at its plug, or does it use another unit?"),
            WSK_ARG(f->mean_w), WSK_ARG(f->cards_mean_w));
    if (fitted->minutes > 1)
        say(out, lang, WSK_N("Fitted: CV(RMSE) %1$.1f %%, NMBE %2$+.1f %% of %3$.0f W, over %4$.0f minutes."),
            WSK_ARG(100 * fitted->cv_rmse), WSK_ARG(100 * fitted->nmbe), WSK_ARG(fitted->mean_w),
            WSK_ARG((double)fitted->minutes));
    if (held->minutes > 1)
        say(out, lang, WSK_N("Held out: CV(RMSE) %1$.1f %%, NMBE %2$+.1f %% of %3$.0f W, over %4$.0f minutes."),
            WSK_ARG(100 * held->cv_rmse), WSK_ARG(100 * held->nmbe), WSK_ARG(held->mean_w),
            WSK_ARG((double)held->minutes));
}
