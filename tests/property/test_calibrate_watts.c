/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power and clocks of a card fitted to generated logs whose true values are known. The true values are drawn from
 * the prior (the values that are assumed before the fit, with their spread); each level of the log deviates by as
 * much as the fit expects; readings get noise, rounding to whole watts and degrees, and gaps.
 * docs/theory/calibration.md. WATTSINK_DRAWS: number of draws (default 40). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api.h"
#include "sim/study/calibrate/electrical.h"
#include "tests/support/bench.h"
#include "tests/support/dice.h"
#include "tests/unit/assert.h"

static const char tower[] =
    "<rig name='made log'><site><room temperature='25 degC'/></site>"
    "<chassis part='chassis/mid-tower'><fan part='fan/generic-120-1500' at='front' count='2'/>"
    "<psu part='psu/tier-gold-750'/><cpu part='cpu/generic-desktop'/>"
    "<gpu part='gpu/rtx-4070-ti-super' slot='1'/></chassis>"
    "<workload kind='constant' class='decode'/><run for='6 h' step='1 s'/></rig>";

static wsk_rig *load(const char *const *sets, size_t count)
{
    return wsk_test_rig_sets(tower, sets, count);
}

/* Levels of a log: the power limit, W (0: idle), and the temperature at which the die settles. The second level has
 * the limit of the third in a warmer room. */
typedef struct {
    double limit_w, settles_c;
} level;
static const level stairs[] = {{285, 76}, {240, 80}, {240, 62}, {200, 60}, {165, 56}, {0, 40}};
enum { LEVELS = (int)(sizeof stairs / sizeof *stairs), LEVEL_S = 1200, MOST = LEVELS * LEVEL_S };
typedef struct {
    double t_s[MOST], power_w[MOST], limit_w[MOST], busy[MOST], clock_hz[MOST], die_k[MOST], work[MOST];
    size_t n;
} made;
typedef struct {
    bool limits, rate, swings; /* limits, rate: the log contains power limits and work; swings: each level deviates by
                                * as much as the fit expects */
    int levels;
    double duty;    /* mean power / power at the clock that the limit allows, below 1 for a load with pauses; 0: no
                    * pauses */
    double lack_w;  /* power limit, W, whose levels the log lacks */
    double least_w; /* lowest power limit, W, that the card takes; 0: as its part states */
    bool no_busy, no_clock; /* the log lacks utilisation, clocks */
    size_t clock_each;      /* only each of so many rows has the clock, as of a slower sensor; 0: each */
} recording;

static void add_level(made *m, const recording *rec, const wsk_card *c, int index, wsk_dice *dice)
{
    const level *l = &stairs[index];
    const double off = rec->swings ? 1 : 0, draw = 1 + 0.02 * off * wsk_draw_normal(dice),
                 rate = 34.7 * (1 + 0.01 * off * wsk_draw_normal(dice)),
                 before = index ? stairs[index - 1].settles_c : 35;
    const bool works = l->limit_w > 0;
    for (int i = 0; i < LEVEL_S; i++) {
        const double die_k = WSK_KELVIN + l->settles_c + (before - l->settles_c) * exp(-i / 120.0);
        double hz = works ? c->ops->clock_for(c->gpu, &c->cls, l->limit_w / draw, die_k, 2e9) : 210e6;
        hz = fmin(hz, c->ops->boost_hz(c->gpu, die_k));
        const double duty = rec->duty > 0 ? rec->duty : 1,
                     watts = works ? c->ops->power_w(c->gpu, &c->cls, hz, die_k, NULL) * draw * duty : 20;
        const bool gap = wsk_draw(dice, 0, 1) < 0.05 || (index == 1 && i > 700 && i < 820);
        if (gap)
            continue;
        const size_t n = m->n++;
        m->t_s[n] = index * LEVEL_S + i;
        m->power_w[n] = floor(watts * (1 + 0.03 * wsk_draw_normal(dice)) + 0.5);
        m->limit_w[n] = works ? l->limit_w : 285;
        m->busy[n] = works ? 0.99 : 0;
        m->clock_hz[n] = floor(hz * (1 + 0.01 * wsk_draw_normal(dice)) / 15e6 + 0.5) * 15e6;
        m->die_k[n] = floor(die_k - WSK_KELVIN + 0.2 * wsk_draw_normal(dice) + 0.5) + WSK_KELVIN;
        m->work[n] = works ? rate * c->ops->perf_rel(&c->cls, hz) : 0;
    }
}

static made *make(const recording *rec, const wsk_card *c, uint64_t seed)
{
    wsk_dice dice = {.seed = seed};
    made *m = calloc(1, sizeof *m);
    assert_non_null(m);
    for (int i = 0; i < LEVELS; i++)
        if (stairs[i].limit_w != rec->lack_w && (i < rec->levels || !(stairs[i].limit_w > 0)))
            add_level(m, rec, c, i, &dice);
    return m;
}

/* next (or NULL): receives the uncertainty that would remain after each further recording. */
static wsk_log_electrical fit_next(const made *m, const recording *rec, double holdout, wsk_log_fit *next)
{
    char least[48];
    const char *sets[] = {least};
    (void)snprintf(least, sizeof least, "gpu.power-limit-min=%g W", rec->least_w);
    wsk_rig *rig = load(sets, rec->least_w > 0);
    wsk_arena *arena = wsk_arena_new();
    wsk_thermal_log log;
    wsk_log_electrical out;
    const size_t n = m->n, each = rec->clock_each ? rec->clock_each : 1;
    double *clock_s = calloc(n, sizeof *clock_s), *clock_hz = calloc(n, sizeof *clock_hz);
    assert_true(clock_s && clock_hz);
    for (size_t i = 0; i < n / each; i++) {
        clock_s[i] = m->t_s[each * i];
        clock_hz[i] = m->clock_hz[each * i];
    }
    const wsk_calibrate_trace t = {.power = {m->t_s, m->power_w, n},
                                   .utilisation = {m->t_s, m->busy, rec->no_busy ? 0 : n},
                                   .clock = {clock_s, clock_hz, rec->no_clock ? 0 : n / each},
                                   .die = {m->t_s, m->die_k, n},
                                   .limit = {m->t_s, m->limit_w, rec->limits ? n : 0},
                                   .work = {m->t_s, m->work, rec->rate ? n : 0}};
    assert_true(wsk_thermal_bins(&log, arena, rig->net, &t, 1));
    const wsk_thermal th = {.arena = arena, .net = rig->net, .log = &log};
    assert_int_equal(wsk_electrical_fit(&th, 0, (int)((1 - holdout) * log.bins), &out), WSK_OK);
    if (next) {
        *next = (wsk_log_fit){.electrical = out};
        assert_int_equal(wsk_electrical_next(&th, 0, next), WSK_OK);
    }
    wsk_arena_free(arena);
    wsk_rig_free(rig);
    free(clock_s);
    free(clock_hz);
    return out;
}

static wsk_log_electrical fit(const made *m, const recording *rec, double holdout)
{
    return fit_next(m, rec, holdout, NULL);
}

static const wsk_calibrated *value_of(const wsk_calibration *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->values[i].name, name) == 0)
            return &c->values[i];
    return NULL;
}

typedef struct {
    const char *name, *unit;
    double si, most; /* si: SI value of the unit; most: largest deviation of a draw, in standard deviations */
    bool log;
} unknown;
static const unknown unknowns[] = {
    {"p0", "W", 1, 0.8, true},
    {"c", "W/GHz", 1e-9, 1, true},
    {"clock-share", "", 1, 1.2, false},
    {"clock-knee", "MHz", 1e6, 1.4, false} /* keeps the knee at or below the highest clock */,
    {"voltage-slope", "1/GHz", 1e-9, 2, false},
    {"leakage", "W", 1, 2, true}};
enum { UNKNOWNS = (int)(sizeof unknowns / sizeof *unknowns) };

static int draws(void)
{
    const char *text = getenv("WATTSINK_DRAWS");
    return text && *text ? atoi(text) : 40;
}

static wsk_rig *draw_rig(const wsk_calibration *before, int k, double truth[UNKNOWNS])
{
    wsk_dice dice = {.seed = 177 + (uint64_t)k};
    char text[UNKNOWNS][64], first[160];
    const char *sets[UNKNOWNS];
    size_t n = 1;
    for (int i = 0; i < UNKNOWNS; i++) {
        const unknown *u = &unknowns[i];
        const wsk_calibrated *v = value_of(before, u->name);
        assert_non_null(v);
        const double z = fmin(fmax(wsk_draw_normal(&dice), -u->most), u->most);
        truth[i] = u->log ? v->prior * exp(v->prior_spread / v->prior * z) : v->prior + v->prior_spread * z;
        if (i < 3)
            continue;
        (void)snprintf(text[i], sizeof text[i], "gpu.%s=%.6g %s", u->name, truth[i] / u->si, u->unit);
        sets[n++] = text[i];
    }
    (void)snprintf(first, sizeof first,
                   "gpu.class+=name=decode p0=%.5gW c=%.5gW/GHz clock-share=%.4g traffic-power=0W", truth[0],
                   truth[1] * 1e9, truth[2]);
    sets[0] = first;
    return load(sets, n);
}

static const recording full = {.limits = true, .rate = true, .swings = true, .levels = LEVELS};

static wsk_calibration known_before(void)
{
    wsk_rig *rig = load(NULL, 0);
    made *m = make(&full, &rig->net->cards[0], 1);
    const wsk_log_electrical e = fit(m, &full, 0);
    assert_true(e.rows >= 5);
    free(m);
    wsk_rig_free(rig);
    return e.fit;
}

static double coverage(const recording *rec, int n)
{
    const wsk_calibration before = known_before();
    int held[UNKNOWNS] = {0}, all = 0, in = 0;
    double learnt[UNKNOWNS] = {0}, bias[UNKNOWNS] = {0};
    for (int k = 0; k < n; k++) {
        double truth[UNKNOWNS];
        wsk_rig *rig = draw_rig(&before, k, truth);
        made *m = make(rec, &rig->net->cards[0], 3000 + (uint64_t)k);
        const wsk_log_electrical e = fit(m, rec, 0);
        assert_true(e.rows >= 2);
        for (int i = 0; i < UNKNOWNS; i++) {
            const wsk_calibrated *v = value_of(&e.fit, unknowns[i].name);
            if (!v)
                continue;
            const double sd = unknowns[i].log ? v->spread / v->value : v->spread,
                         off = unknowns[i].log ? log(v->value / truth[i]) : v->value - truth[i];
            const bool inside = fabs(off) <= 1.645 * sd;
            held[i] += inside;
            in += inside;
            all++;
            learnt[i] += v->learnt / n;
            bias[i] += off / sd / n;
        }
        free(m);
        wsk_rig_free(rig);
    }
    for (int i = 0; i < UNKNOWNS; i++)
        print_message("%s: %d of %d within 90 %%, off by %+.2f of its spread in the mean, learnt %.2f\n",
                      unknowns[i].name, held[i], n, bias[i], learnt[i]);
    print_message("%.1f %% of %d intervals\n", 100.0 * in / all, all);
    return (double)in / all;
}

static void intervals_cover(void **state)
{
    (void)state;
    const int n = draws();
    const double slack = n < 200 ? 0.03 : 0;
    const double share = coverage(&full, n);
    assert_true(share >= 0.85 - slack && share <= 0.95 + slack);
    recording bare = full;
    bare.limits = bare.rate = false;
    const double without = coverage(&bare, n);
    assert_true(without >= 0.85 - slack && without <= 0.97 + slack);
}

static void one_level_tells_little(void **state)
{
    (void)state;
    wsk_rig *rig = load(NULL, 0);
    recording one = {.limits = true, .levels = 1};
    made *m = make(&one, &rig->net->cards[0], 7);
    const wsk_log_electrical e = fit(m, &one, 0);
    assert_true(e.rows >= 1 && e.rows <= 3);
    assert_true(value_of(&e.fit, "clock-share")->learnt < 0.1);
    assert_true(e.one_level);
    assert_true(value_of(&e.fit, "p0")->learnt < 0.5);
    assert_true(!value_of(&e.fit, "leakage") || value_of(&e.fit, "leakage")->learnt < 0.2);
    free(m);
    wsk_rig_free(rig);
}

/* The card's p0 is far above its prior. A log with one level cannot tell whether p0 or c is wrong, so the spread of p0
 * must stay wide; a log with all levels can. */
static void one_level_contradicts(void **state)
{
    (void)state;
    wsk_rig *rig =
        load((const char *[]){"gpu.class+=name=decode p0=200W c=80W/GHz clock-share=0.6 traffic-power=0W"}, 1);
    for (int levels = 1; levels <= LEVELS; levels += LEVELS - 1) {
        const recording rec = {.limits = true, .levels = levels};
        made *m = make(&rec, &rig->net->cards[0], 7);
        const wsk_log_electrical e = fit(m, &rec, 0);
        const wsk_calibrated *p0 = value_of(&e.fit, "p0");
        const double rel = p0->spread / p0->value, before = p0->prior_spread / p0->prior;
        print_message("%d levels: p0 %.0f +- %.0f W, before %.0f +- %.0f\n", levels, p0->value, p0->spread, p0->prior,
                      p0->prior_spread);
        assert_true(e.one_level == (levels == 1));
        assert_true(levels == 1 ? fabs(p0->value - 200) <= 1.645 * p0->spread && rel <= 1.001 * before
                                : rel < 0.5 * before);
        free(m);
    }
    wsk_rig_free(rig);
}

/* The held-out part has power limits that the fitted part lacks. */
static void held_out(void **state)
{
    (void)state;
    wsk_rig *rig =
        load((const char *[]){"gpu.class+=name=decode p0=70W c=90W/GHz clock-share=0.6 traffic-power=0W"}, 1);
    const recording clean = {.limits = true, .rate = true, .levels = LEVELS};
    made *m = make(&clean, &rig->net->cards[0], 11);
    const wsk_log_electrical e = fit(m, &clean, 0.4);
    const wsk_log_share *p = &e.power[WSK_PART_HELD_OUT], *c = &e.clock[WSK_PART_HELD_OUT],
                        *w = &e.work[WSK_PART_HELD_OUT];
    print_message("held out: power %.1f %%, clock %.1f %%, work %.1f %%\n", 100 * p->mae_rel, 100 * c->mae_rel,
                  100 * w->mae_rel);
    assert_true(p->readings > 20 && p->mae_rel < 0.03 && c->mae_rel < 0.05 && w->mae_rel < 0.02);
    size_t n = 0;
    for (int k = 0; k < WSK_PHASES; k++)
        n += e.power_phase[WSK_PART_HELD_OUT][k].readings;
    assert_int_equal(n, p->readings);
    free(m);
    wsk_rig_free(rig);
}

static double energy_of(const wsk_card *c, double duty, double limit_w, double die_k)
{
    const double hz = fmin(c->ops->clock_for(c->gpu, &c->cls, limit_w, die_k, 2e9), c->ops->boost_hz(c->gpu, die_k));
    return duty * c->ops->power_w(c->gpu, &c->cls, hz, die_k, NULL) / (34.7 * c->ops->perf_rel(&c->cls, hz));
}

/* Mean relative error of the energy per work that the fit predicts for a limit which the log lacks, between limits
 * that it has. The cards are drawn from the prior. */
static double energy_off(double duty, int n)
{
    const wsk_calibration before = known_before();
    double off = 0, worst = 0;
    wsk_rig *plain = load(NULL, 0);
    for (int k = 0; k < n; k++) {
        double truth[UNKNOWNS];
        const recording rec = {.limits = true,
                               .rate = true,
                               .swings = true,
                               .levels = LEVELS,
                               .duty = duty,
                               .lack_w = k % 2 ? 240 : 200};
        wsk_rig *rig = draw_rig(&before, k, truth);
        const wsk_card *c = &rig->net->cards[0];
        made *m = make(&rec, c, 5000 + (uint64_t)k);
        const wsk_log_electrical e = fit(m, &rec, 0);
        const wsk_calibrate_row row = {.limit_w = rec.lack_w,
                                       .lock_hz = NAN,
                                       .drawn_w = NAN,
                                       .clock_hz = NAN,
                                       .work = NAN,
                                       .die_k = WSK_KELVIN + 61};
        wsk_calibrate_row model;
        assert_true(e.rows >= 2);
        assert_int_equal(wsk_calibrate_predict(plain, 0, &e.fit, &row, &model), WSK_OK);
        const double error = fabs(model.drawn_w / model.work / energy_of(c, duty, rec.lack_w, row.die_k) - 1);
        off += error / n;
        worst = fmax(worst, error);
        free(m);
        wsk_rig_free(rig);
    }
    wsk_rig_free(plain);
    print_message("energy per work, mean share %.2f: %.1f %% off in the mean of %d cards, at worst %.1f %%\n", duty,
                  100 * off, n, 100 * worst);
    return off;
}

/* A load with pauses (duty below 1) draws less than the limit that lowers its clock. */
static void energy_per_work(void **state)
{
    (void)state;
    const int n = draws();
    assert_true(energy_off(1, n) <= 0.02);
    assert_true(energy_off(0.85, n) <= 0.04);
    assert_true(energy_off(0.7, n) <= 0.04);
}

/* Uncertainty that would remain after further recordings. A staircase is a recording of several power limits. */
static void next(void **state)
{
    (void)state;
    wsk_rig *rig = load(NULL, 0);
    const recording one = {.limits = true, .rate = true, .levels = 1},
                    all = {.limits = true, .rate = true, .levels = LEVELS};
    made *few = make(&one, &rig->net->cards[0], 7), *many = make(&all, &rig->net->cards[0], 8);
    wsk_log_fit open, known;
    fit_next(few, &one, 0, &open);
    fit_next(many, &all, 0, &known);
    for (int goal = 0; goal < WSK_GOALS; goal++)
        open.then[goal][WSK_NEXT_MEMORY] = NAN; /* wsk_calibrate_log sets this value so; the test does not call that
                                                 * function. */
    for (int goal = WSK_GOAL_WORK; goal <= WSK_GOAL_WATTS; goal++) {
        const double staircase = open.then[goal][WSK_NEXT_STAIRCASE];
        print_message("%s: %.2f %% by one limit, predicted %.2f by a staircase; by five %.2f, then %.2f\n",
                      wsk_calibrate_goal_name((wsk_calibrate_goal)goal), 100 * open.now[goal], 100 * staircase,
                      100 * known.now[goal], 100 * known.then[goal][WSK_NEXT_STAIRCASE]);
        for (int i = 0; i < WSK_NEXTS; i++)
            assert_true(i == WSK_NEXT_MEMORY || (open.then[goal][i] <= 1.001 * open.now[goal] &&
                                                 known.then[goal][i] <= 1.001 * known.now[goal]));
        assert_true(staircase < 0.5 * open.now[goal]);
        assert_true(known.now[goal] < 3 * staircase && known.now[goal] > staircase / 3);
        assert_true(staircase < 0.7 * open.then[goal][WSK_NEXT_SOAK]);
        assert_int_equal(wsk_calibrate_next_for(&open, (wsk_calibrate_goal)goal), WSK_NEXT_STAIRCASE);
    }
    free(few);
    free(many);
    wsk_rig_free(rig);
}

/* Without utilisation, power above idle power shows the load, if the log has the limits. Without clocks, or with
 * neither utilisation nor limits, nothing can be fitted. */
static void readings_that_are_missing(void **state)
{
    (void)state;
    static const struct {
        recording rec;
        bool fitted;
    } cases[] = {{{.limits = true, .levels = LEVELS}, true},
                 {{.limits = true, .levels = LEVELS, .no_busy = true}, true},
                 {{.limits = true, .levels = LEVELS, .clock_each = 25}, true},
                 {{.levels = LEVELS, .no_busy = true}, false},
                 {{.limits = true, .levels = LEVELS, .no_clock = true}, false}};
    wsk_rig *rig = load(NULL, 0);
    made *m = make(&cases[0].rec, &rig->net->cards[0], 21);
    double p0_w = NAN;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_log_fit then;
        const wsk_log_electrical e = fit_next(m, &cases[i].rec, 0.3, &then);
        assert_int_equal(e.rows > 0, cases[i].fitted);
        if (!cases[i].fitted)
            continue;
        const double v = value_of(&e.fit, "p0")->value;
        assert_true(isnan(p0_w) || fabs(v / p0_w - 1) < 0.05);
        p0_w = v;
        assert_true(then.now[WSK_GOAL_WORK] > 0 && then.now[WSK_GOAL_WATTS] > 0);
    }
    free(m);
    wsk_rig_free(rig);
}

/* For a load with pauses, the remaining uncertainty is predicted from its power limits, not from its power. */
static void next_of_a_load_with_pauses(void **state)
{
    (void)state;
    const recording rec = {.limits = true, .rate = true, .levels = LEVELS, .duty = 0.7};
    wsk_rig *rig = load(NULL, 0);
    made *m = make(&rec, &rig->net->cards[0], 22);
    wsk_log_fit then;
    const wsk_log_electrical e = fit_next(m, &rec, 0, &then);
    assert_true(e.rows >= 3 && then.now[WSK_GOAL_WATTS] > 0 && then.now[WSK_GOAL_WATTS] < 0.2);
    assert_true(then.then[WSK_GOAL_WATTS][WSK_NEXT_STAIRCASE] <= 1.001 * then.now[WSK_GOAL_WATTS]);
    free(m);
    wsk_rig_free(rig);
}

/* A card that takes no limit far below its default goes down no staircase, which then tells little. */
static void next_of_a_narrow_range(void **state)
{
    (void)state;
    const recording wide = {.limits = true, .rate = true, .levels = 1};
    recording narrow = wide;
    narrow.least_w = 270;
    wsk_rig *rig = load(NULL, 0);
    made *m = make(&wide, &rig->net->cards[0], 7);
    wsk_log_fit open, held;
    fit_next(m, &wide, 0, &open);
    fit_next(m, &narrow, 0, &held);
    for (int goal = WSK_GOAL_WORK; goal <= WSK_GOAL_WATTS; goal++) {
        print_message("%s: predicted %.2f %% by a staircase, %.2f where 270 W is the lowest limit\n",
                      wsk_calibrate_goal_name((wsk_calibrate_goal)goal), 100 * open.then[goal][WSK_NEXT_STAIRCASE],
                      100 * held.then[goal][WSK_NEXT_STAIRCASE]);
        assert_true(held.then[goal][WSK_NEXT_STAIRCASE] > 2 * open.then[goal][WSK_NEXT_STAIRCASE]);
    }
    free(m);
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(intervals_cover),
                                       cmocka_unit_test(one_level_tells_little),
                                       cmocka_unit_test(one_level_contradicts),
                                       cmocka_unit_test(energy_per_work),
                                       cmocka_unit_test(readings_that_are_missing),
                                       cmocka_unit_test(next_of_a_load_with_pauses),
                                       cmocka_unit_test(next_of_a_narrow_range),
                                       cmocka_unit_test(next),
                                       cmocka_unit_test(held_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
