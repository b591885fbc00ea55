/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cards fitted to generated logs whose true values are known. The model runs with values drawn from the prior (the
 * values that the part states, with their spread); its temperatures get noise, delay and rounding; the fit must find
 * the true values again, within the errors that it states. docs/theory/calibration.md. WATTSINK_DRAWS: number of
 * draws (default 12). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api.h"
#include "sim/study/calibrate/thermal.h"
#include "tests/property/made_log.h"
#include "tests/unit/assert.h"

typedef struct {
    const char *name, *path, *unit;
} unknown;
static const unknown unknowns[] = {{"inlet", "room.temperature", "degC"},
                                   {"conductance", "gpu.cooler.conductance", "W/K"},
                                   {"die-resistance", "gpu.die-resistance", "K/W"},
                                   {"capacity", "gpu.cooler.capacity", "J/K"},
                                   {"board-capacity", "gpu.board-capacity", "J/K"},
                                   {"board-conductance", "gpu.board-conductance", "W/K"},
                                   {"natural-factor", "gpu.cooler.natural-factor", ""}};
enum { UNKNOWNS = (int)(sizeof unknowns / sizeof *unknowns), STILL = UNKNOWNS - 1, BOARD = STILL - 1 };

/* A card whose fan never stops has no natural-factor among its unknowns. */
static int unknowns_of(const recording *rec)
{
    return rec->stops ? UNKNOWNS : STILL;
}

static made make_drawn(const recording *rec, const wsk_log_fit *before, int k, double truth[UNKNOWNS])
{
    wsk_dice dice = {.seed = 77 + (uint64_t)k};
    char text[UNKNOWNS + 1][64];
    const char *sets[UNKNOWNS + 1];
    wsk_rig *rig = rig_of(rec, NULL, 0);
    const double link_w_k = rig->net->cards[0].gpu->board_heatsink_cond_w_k;
    const int n = unknowns_of(rec);
    for (int i = 0; i < n; i++) {
        const wsk_calibrated *v = value_of(&before->fit, unknowns[i].name);
        const double z = fmin(fmax(wsk_draw_normal(&dice), -2), 2);
        truth[i] = i ? v->prior * exp(v->prior_spread / v->prior * z) : v->prior + v->prior_spread * z;
        (void)snprintf(text[i], sizeof text[i], "%s=%.6g %s", unknowns[i].path, truth[i] - (i ? 0 : WSK_KELVIN),
                       unknowns[i].unit);
        sets[i] = text[i];
    }
    /* the fit scales both conductances of the board by one factor */
    (void)snprintf(text[n], sizeof text[n], "gpu.board-to-heatsink=%.6g W/K",
                   link_w_k * truth[BOARD] / value_of(&before->fit, unknowns[BOARD].name)->prior);
    sets[n] = text[n];
    wsk_rig_free(rig);
    return make(rec, stairs_s, sets, (size_t)n + 1, 1000 + (uint64_t)k);
}

static wsk_log_fit known_before(bool stops)
{
    recording plain = stairs;
    plain.stops = stops;
    const made nominal = make(&plain, stairs_s, NULL, 0, 1);
    const wsk_log_fit before = fit(&nominal, &plain, 0);
    free(nominal.t_s);
    return before;
}

/* Share of the true values that lie inside their 90 % interval, for the unknowns from index `first` on. Of the first
 * `unbiased` unknowns the mean error is judged too. */
static double coverage(const recording *rec, int n, int first, int unbiased, double learnt[UNKNOWNS])
{
    const wsk_log_fit before = known_before(rec->stops);
    const int count = unknowns_of(rec);
    int held[UNKNOWNS] = {0}, all = 0, far = 0;
    double bias[UNKNOWNS] = {0}, off[UNKNOWNS] = {0};
    for (int k = 0; k < n; k++) {
        double truth[UNKNOWNS];
        const made m = make_drawn(rec, &before, k, truth);
        const wsk_log_fit f = fit(&m, rec, 0);
        free(m.t_s);
        size_t first_far = 0;
        while (first_far < f.fit.count && !wsk_calibrated_is_far(&f.fit.values[first_far]))
            first_far++;
        far += first_far < f.fit.count;
        for (int i = 0; i < count; i++) {
            const wsk_calibrated *v = value_of(&f.fit, unknowns[i].name);
            const double sd = i ? v->spread / v->value : v->spread,
                         error = i ? log(v->value / truth[i]) : v->value - truth[i];
            held[i] += fabs(error) <= 1.645 * sd;
            bias[i] += error / n;
            off[i] += error * error / n;
            learnt[i] += v->learnt / n;
        }
    }
    for (int i = 0; i < count; i++) {
        print_message("%s: %d of %d within 90 %%, off by %+.3f in the mean, %.3f rms, learnt %.2f\n",
                      unknowns[i].name, held[i], n, bias[i], sqrt(off[i]), learnt[i]);
        assert_true(i >= unbiased || fabs(bias[i]) < fmax(i ? 0.1 : 0.5, 3 * sqrt(off[i] / n)));
        all += i < first ? 0 : held[i];
    }
    print_message("%d of %d logs have a value far from its prior\n", far, n);
    assert_true(far <= 0.02 * n);
    const int intervals = (count - first) * n;
    print_message("%.1f %% of %d intervals\n", 100.0 * all / intervals, intervals);
    return (double)all / intervals;
}

static void intervals_cover(void **state)
{
    (void)state;
    double learnt[UNKNOWNS] = {0};
    const int n = draws();
    const double share = coverage(&stairs, n, 0, STILL, learnt);
    assert_true(share > 0.85 - slack(n) && (n < 100 || (share > 0.85 && share < 0.95)));
    /* the power levels of this log determine inlet temperature, conductance and die resistance separately */
    assert_true(learnt[0] > 0.9 && learnt[1] > 0.75 && learnt[2] > 0.9);
    /* the steps of its power determine both heat capacities, and how fast the board warms up */
    assert_true(learnt[3] > 0.75 && learnt[4] > 0.4 && learnt[BOARD] > 0.6);
}

/* With a fan that stops while the card is cool, the log also shows how the card cools without air flow. The board then
 * gives off much of the heat; its conductance is fitted too large in the mean, by less than its interval. */
static void fan_stops(void **state)
{
    (void)state;
    enum { LOADED = 4 }; /* room, fins, die and heatsink, which determine a loaded card */
    double learnt[UNKNOWNS] = {0};
    recording rests = stairs;
    const int n = draws();
    rests.stops = true;
    assert_true(coverage(&rests, n, 0, LOADED, learnt) > 0.85 - slack(n));
    assert_true(learnt[STILL] > 0.5);
}

/* In a room whose temperature drifts, the inlet temperature has no single true value, so it is not counted. */
static void drifting_room(void **state)
{
    (void)state;
    double learnt[UNKNOWNS] = {0};
    recording drift = stairs;
    const int n = draws();
    drift.drift_k = 1;
    assert_true(coverage(&drift, n, 1, 0, learnt) > 0.8 - slack(n));
}

/* Without fan speeds the fit follows the controller that the part states, which turns the fan in steps. */
static void fan_not_logged(void **state)
{
    (void)state;
    double learnt[UNKNOWNS] = {0};
    recording silent = stairs;
    const int n = draws();
    silent.fan = false;
    assert_true(coverage(&silent, n, 0, STILL, learnt) > 0.85 - slack(n));
}

/* A log without fan speeds still shows whether the fan stops while the card is cool, even if the part states the
 * opposite. If the fan stops and the part says so, the log hardly separates the board's heat from the room temperature
 * (docs/theory/calibration.md). */
static void rest_not_logged(void **state)
{
    (void)state;
    recording silent = stairs, believed = stairs;
    silent.fan = believed.fan = false;
    for (int turn = 0; turn < 4; turn++) {
        silent.stops = turn % 2;
        believed.stops = turn / 2;
        const made m = make(&silent, stairs_s, NULL, 0, 31);
        const wsk_log_fit f = fit(&m, &believed, 0);
        free(m.t_s);
        const wsk_calibrated *fins = value_of(&f.fit, "conductance"), *room = value_of(&f.fit, "inlet"),
                             *least = NULL;
        for (size_t i = 0; i < f.fit.count; i++)
            least = strcmp(f.fit.values[i].name, "rpm-min") == 0 ? &f.fit.values[i] : least;
        print_message("%s at rest, the part %s: %.0f rpm, fins %.2f +-%.2f of %.2f W/K, room %+.2f +-%.2f K, "
                      "residuals %.3f K\n",
                      silent.stops ? "stops" : "turns", believed.stops ? "stops" : "turns", least ? least->value : 0,
                      fins->value, fins->spread, fins->prior, room->value - room->prior, room->spread, f.residual_k);
        if (silent.stops == believed.stops)
            assert_null(least);
        else
            assert_true(least && fabs(least->value - (silent.stops ? 0 : 1020)) < fmax(2 * least->spread, 100));
        assert_true(fabs(fins->value - fins->prior) < 0.2 * fins->prior);
        const double apart_k = silent.stops && believed.stops ? 2.5 : 1.645 * room->spread;
        assert_true(fabs(room->value - room->prior) < apart_k);
    }
}

/* The load changes at a time between two rows that the log does not tell, so fewer intervals hold the true value.
 * First a row each quarter of a minute, and the load changes with a row. Then one row a minute, and the load changes a
 * second after a row: every change is seen a minute late. */
static void rows_far_apart(void **state)
{
    (void)state;
    double learnt[UNKNOWNS] = {0};
    recording sparse = stairs;
    const int n = draws();
    sparse.every = 15;
    assert_true(coverage(&sparse, n, 0, STILL, learnt) > 0.85 - slack(n));
    sparse.every = 60;
    sparse.from_s[1] = 601;
    sparse.from_s[2] = 2401;
    sparse.from_s[3] = 3901;
    assert_true(coverage(&sparse, n, 0, STILL, learnt) > 0.65);
}

/* A log of a single power that starts warm determines inlet and conductance only in combination. */
static void one_power(void **state)
{
    (void)state;
    recording still = stairs;
    still.power_w[0] = 280;
    still.from_s[1] = NAN;
    const made m = make(&still, 3600, NULL, 0, 5);
    const wsk_log_fit f = fit(&m, &still, 0);
    free(m.t_s);
    const wsk_calibrated *inlet = value_of(&f.fit, "inlet"), *fins = value_of(&f.fit, "conductance");
    print_message("one power: inlet +-%.2f K, with the rest known %.2f; conductance +-%.2f W/K, %.2f\n",
                  inlet->spread, inlet->apart, fins->spread, fins->apart);
    assert_true(f.one_power);
    assert_true(fabs(inlet->value - inlet->prior) < inlet->prior_spread);
    assert_true(fins->apart < 0.4 * fins->spread && inlet->apart < 0.4 * inlet->spread);
    const made both = make(&stairs, stairs_s, NULL, 0, 6);
    const wsk_log_fit g = fit(&both, &stairs, 0);
    free(both.t_s);
    assert_false(g.one_power);
    assert_true(value_of(&g.fit, "inlet")->spread < 0.5 * inlet->spread);
}

/* A log of a single power that starts settled says little of the board. A state before the log that was settled with
 * other values than those of the replay would relax in the replay, and so seem to tell the board's conductance. */
static void intervals_cover_one_power(void **state)
{
    (void)state;
    double learnt[UNKNOWNS] = {0};
    recording still = stairs;
    const int n = draws();
    still.power_w[0] = 280;
    still.from_s[1] = NAN;
    assert_true(coverage(&still, n, BOARD, 0, learnt) > 0.85 - slack(n));
    assert_true(learnt[BOARD] < 0.9);
}

static void next(void **state)
{
    (void)state;
    recording warm = stairs;
    warm.power_w[0] = 280;
    warm.from_s[1] = NAN;
    const made few = make(&warm, 900, NULL, 0, 5), many = make(&stairs, stairs_s, NULL, 0, 6);
    const wsk_log_fit open = fit(&few, &warm, 0), known = fit(&many, &stairs, 0);
    double for_s;
    for (int i = 0; i < WSK_NEXTS; i++) {
        print_message("%s: %.2f K to %.2f; after a long log %.2f to %.2f\n",
                      wsk_calibrate_next_name((wsk_calibrate_next)i, &for_s), open.now_k, open.then_k[i], known.now_k,
                      known.then_k[i]);
        assert_true(for_s >= 1800 && !(open.then_k[i] > open.now_k) && !(known.then_k[i] > known.now_k));
    }
    assert_true(isnan(open.then_k[WSK_NEXT_MEMORY])); /* the log has no memory temperature */
    assert_true(known.now_k < open.now_k);
    assert_true(wsk_calibrate_next_for(&known, WSK_GOAL_TEMPERATURE) < 0 || known.now_k >= 0.5);
    free(few.t_s);
    free(many.t_s);
}

/* A log of an idle card hardly determines the temperature at full load. Full load is that of the rig, not the highest
 * power of the log. A longer log of the idle card would not help. */
static void never_loaded(void **state)
{
    (void)state;
    recording rest = stairs;
    rest.from_s[1] = NAN;
    const made m = make(&rest, 3600, NULL, 0, 22), loaded = make(&stairs, stairs_s, NULL, 0, 6);
    const wsk_log_fit f = fit(&m, &rest, 0), g = fit(&loaded, &stairs, 0);
    print_message("at rest: +-%.2f K at full load of %.0f W, highest %.0f W; loaded: +-%.2f K at %.0f W\n", f.now_k,
                  f.full_w, f.highest_w, g.now_k, g.full_w);
    assert_rel(f.full_w, 285, 0.02);
    assert_true(f.highest_w < 60 && !wsk_calibrate_loaded(&f));
    assert_true(f.now_k > 2);
    assert_int_equal(wsk_calibrate_next_for(&f, WSK_GOAL_TEMPERATURE), WSK_NEXT_SOAK);
    assert_true(wsk_calibrate_loaded(&g) && g.now_k < 0.5);
    free(m.t_s);
    free(loaded.t_s);
}

/* A soak, which is at full load, makes the temperature there as sure as was predicted. */
static void foretold(void **state)
{
    (void)state;
    recording rest = stairs, both = stairs;
    rest.from_s[1] = 300;
    rest.power_w[1] = 120;
    rest.from_s[2] = NAN;
    both.from_s[1] = 300;
    both.power_w[1] = 120;
    both.from_s[2] = 900;
    both.power_w[2] = 25;
    both.from_s[3] = 1200;
    both.power_w[3] = 285;
    both.from_s[4] = NAN;
    const made first = make(&rest, 900, NULL, 0, 15), second = make(&both, 3000, NULL, 0, 16);
    const wsk_log_fit before = fit(&first, &rest, 0), after = fit(&second, &both, 0);
    print_message("a soak: from %.2f K to %.2f, predicted %.2f\n", before.now_k, after.now_k,
                  before.then_k[WSK_NEXT_SOAK]);
    assert_true(after.now_k < before.now_k);
    assert_true(after.now_k < 3 * before.then_k[WSK_NEXT_SOAK] && after.now_k > before.then_k[WSK_NEXT_SOAK] / 3);
    free(first.t_s);
    free(second.t_s);
}

static void held_out(void **state)
{
    (void)state;
    const char *sets[] = {"gpu.cooler.conductance=9 W/K", "room.temperature=28 degC"};
    const made m = make(&stairs, stairs_s, sets, 2, 9);
    const wsk_log_fit f = fit(&m, &stairs, NAN);
    free(m.t_s);
    const wsk_log_error *held = &f.die[WSK_PART_HELD_OUT];
    print_message("held out: %.2f K in the mean, skill %.2f and %.2f\n", held->mae_k, f.skill_stays, f.skill_line);
    assert_true(f.within[WSK_PART_HELD_OUT] > 0.6 && f.band_k[WSK_PART_HELD_OUT] < 1);
    assert_true(held->readings > 100 && held->mae_k < 0.5 && f.die[WSK_PART_FITTED].mae_k < 0.4);
    assert_true(f.skill_stays > 0.8 && f.skill_line > 0.5);
    assert_rel(f.held_from_s, 0.6 * stairs_s, 0.01);
    size_t phases = 0;
    for (int k = 0; k < WSK_PHASES; k++)
        phases += f.phase[WSK_PART_FITTED][k].readings + f.phase[WSK_PART_HELD_OUT][k].readings;
    assert_int_equal(phases, f.die[WSK_PART_FITTED].readings + held->readings);
    assert_true(f.phase[WSK_PART_FITTED][WSK_PHASE_FIRST].readings > 0 &&
                f.phase[WSK_PART_HELD_OUT][WSK_PHASE_COOL_DOWN].readings > 0);
}

/* The held-out part of the log has another power and a cool-down. */
static void bands_hold(void **state)
{
    (void)state;
    const wsk_log_fit before = known_before(false);
    const int n = draws();
    double within = 0, wide = 0, needed = 0, truth[UNKNOWNS];
    for (int k = 0; k < n; k++) {
        const made m = make_drawn(&stairs, &before, k, truth);
        const wsk_log_fit f = fit(&m, &stairs, NAN);
        free(m.t_s);
        within += f.within[WSK_PART_HELD_OUT] / n;
        wide += f.band_k[WSK_PART_HELD_OUT] / n;
        needed += f.band_needed[WSK_PART_HELD_OUT] / n;
    }
    print_message("held out: %.0f %% within +-%.2f K, needed %.2f of it\n", 100 * within, wide, needed);
    assert_true(within >= 0.75 - slack(n) && within <= 0.95 && needed >= 0.5);
}

/* The room is found from the logged inlet, whatever the room of the rig, which is 25 degC here. */
static void logged_inlet(void **state)
{
    (void)state;
    const double inlet_c = 33.6, room_c = 34;
    const char *sets[] = {"room.temperature=34 degC"};
    const made m = make(&stairs, stairs_s, sets, 1, 21);
    double *inlet_k = malloc(m.n * sizeof *inlet_k);
    assert_non_null(inlet_k);
    for (size_t i = 0; i < m.n; i++)
        inlet_k[i] = inlet_c + WSK_KELVIN + (i < m.n / 2 ? 0.2 : -0.2);
    wsk_rig *rig = load(NULL, 0);
    wsk_log_fit f;
    const wsk_calibrate_trace t = {.power = {m.t_s, m.power_w, m.n},
                                   .die = {m.t_s, m.die_k, m.n},
                                   .fan_speed = {m.t_s, m.rpm, m.n},
                                   .inlet = {m.t_s, inlet_k, m.n}};
    assert_int_equal(wsk_calibrate_log(rig, &t, 1, 0, &f, NULL), WSK_OK);
    const wsk_calibrated *inlet = value_of(&f.fit, "inlet");
    assert_near(inlet->prior - WSK_KELVIN, inlet_c, 0.01);
    assert_near(inlet->prior_spread, 1.5, 1e-6);
    assert_near(inlet->value - WSK_KELVIN, room_c, 0.4);
    wsk_rig_free(rig);
    free(inlet_k);
    free(m.t_s);
}

static void refuses(void **state)
{
    (void)state;
    wsk_rig *rig = load(NULL, 0);
    const double t[] = {0, 100, 200, 300}, v[] = {300, 310, 320, 330};
    const wsk_readings s = {t, v, 4}, brief = {t, v, 2};
    wsk_log_fit out[2];
    const wsk_calibrate_trace no_die = {.power = s}, no_power = {.die = s, .clock = s},
                              short_log = {.power = s, .die = brief},
                              twice[2] = {{.power = s, .die = s}, {.power = s, .die = s}},
                              nobody = {.card = 1, .power = s, .die = s};
    assert_int_equal(wsk_calibrate_log(rig, &no_die, 1, NAN, out, NULL), WSK_EUSAGE);
    assert_non_null(out[0].refused);
    assert_int_equal(wsk_calibrate_log(rig, &no_power, 1, NAN, out, NULL), WSK_EUSAGE);
    assert_non_null(out[0].refused);
    assert_int_equal(wsk_calibrate_log(rig, &short_log, 1, NAN, out, NULL), WSK_EUSAGE);
    assert_non_null(out[0].refused);
    assert_int_equal(wsk_calibrate_log(rig, twice, 2, NAN, out, NULL), WSK_EUSAGE);
    assert_int_equal(wsk_calibrate_log(rig, &nobody, 1, NAN, out, NULL), WSK_EUSAGE);
    assert_int_equal(wsk_calibrate_log(rig, twice, 1, 0.95, out, NULL), WSK_EUSAGE);
    assert_int_equal(wsk_calibrate_log(rig, NULL, 0, NAN, out, NULL), WSK_EUSAGE);
    wsk_rig_free(rig);
}

/* Powers of the bins of a log with a reading every every_s seconds. */
static void bin_powers(const double *watts, int n, double every_s, double *out, int bins)
{
    double t_s[1200], die_k[1200];
    wsk_rig *rig = load(NULL, 0);
    wsk_arena *arena = wsk_arena_new();
    wsk_thermal_log log;
    for (int i = 0; i < n; i++) {
        t_s[i] = i * every_s;
        die_k[i] = 60 + WSK_KELVIN;
    }
    const wsk_calibrate_trace t = {.power = {t_s, watts, (size_t)n}, .die = {t_s, die_k, (size_t)n}};
    assert_true(wsk_thermal_bins(&log, arena, rig->net, &t, 1));
    assert_int_equal(log.bins, bins);
    memcpy(out, log.cards[0].power_w, (size_t)bins * sizeof *out);
    wsk_arena_free(arena);
    wsk_rig_free(rig);
}

/* With one reading a second, noise is averaged over two readings to both sides, so that nothing comes late or early. A
 * step of the load keeps its place and its height. With more readings each bin has their plain mean. */
static void readings_of_power_are_calmed(void **state)
{
    (void)state;
    enum { BINS = 600 };
    double in[1200], back[BINS], out[1200], reversed[BINS];
    for (int i = 0; i < BINS; i++)
        in[i] = 150 + 0.25 * i; /* a slow rise */
    bin_powers(in, BINS, 1, out, BINS);
    for (int i = 2; i < BINS - 2; i++)
        assert_near(out[i], in[i], 1e-9);
    for (int i = 0; i < BINS; i++)
        in[i] = i < 300 ? 100 : 300;
    bin_powers(in, BINS, 1, out, BINS);
    for (int i = 0; i < BINS; i++)
        assert_near(out[i], in[i], 1e-9);
    for (int i = 0; i < BINS; i++)
        in[i] = 200 + (i % 2 ? 5 : -5);
    bin_powers(in, BINS, 1, out, BINS);
    for (int i = 2; i < BINS - 2; i++)
        assert_near(out[i], 200 + (in[i] - 200) / 5, 1e-9);
    wsk_dice dice = {.seed = 5};
    for (int i = 0; i < BINS; i++)
        in[i] = back[BINS - 1 - i] = level_of(&stairs, 9 * i) + 20 + 8 * wsk_draw_normal(&dice);
    bin_powers(in, BINS, 1, out, BINS);
    bin_powers(back, BINS, 1, reversed, BINS);
    for (int i = 0; i < BINS; i++)
        assert_near(out[i], reversed[BINS - 1 - i], 1e-9);
    for (int i = 0; i < 2 * BINS; i++)
        in[i] = 200 + (i % 4 < 2 ? 5 : -5);
    bin_powers(in, 2 * BINS, 0.5, out, BINS);
    for (int i = 0; i < BINS; i++)
        assert_near(out[i], in[2 * i], 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readings_of_power_are_calmed),
        cmocka_unit_test(intervals_cover),
        cmocka_unit_test(fan_stops),
        cmocka_unit_test(drifting_room),
        cmocka_unit_test(fan_not_logged),
        cmocka_unit_test(rows_far_apart),
        cmocka_unit_test(rest_not_logged),
        cmocka_unit_test(one_power),
        cmocka_unit_test(intervals_cover_one_power),
        cmocka_unit_test(next),
        cmocka_unit_test(foretold),
        cmocka_unit_test(logged_inlet),
        cmocka_unit_test(never_loaded),
        cmocka_unit_test(held_out),
        cmocka_unit_test(bands_hold),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
