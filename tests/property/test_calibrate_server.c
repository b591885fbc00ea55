/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passive cards in a server, fitted to generated logs whose true values are known. The fans of the chassis follow the
 * hottest card in steps, and no log has their speed. The intervals must hold the true values, and the bands the part
 * held out. docs/theory/calibration.md, "Method". WATTSINK_DRAWS: number of draws (default 12; a quarter of them for
 * eight cards). */
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

enum { CARDS = 8, VALUES = 6, SERVER_SETS = CARDS * VALUES + 2, TEXT = 64 };
/* sd: standard deviations from which true values are drawn: K of the room, else of the logarithm */
static const struct {
    const char *name, *path, *unit;
    double sd;
} values[VALUES] = {
    {"inlet", "room.temperature", "degC", 3},          {"conductance", "cooler.conductance", "W/K", 0.1},
    {"die-resistance", "die-resistance", "K/W", 0.3},  {"capacity", "cooler.capacity", "J/K", 0.05},
    {"board-capacity", "board-capacity", "J/K", 0.35}, {"board-conductance", "board-conductance", "W/K", 0.4}};

static const recording steps = {.from_s = {0, 600, 3600, 5400, 6300, NAN},
                                .power_w = {60, 345, 250, 330, 60},
                                .noise_w = 4,
                                .noise_k = 0.2,
                                .delay_s = 2,
                                .whole = true};
static const double steps_s = 7200, room_c = 24;

typedef struct {
    char text[SERVER_SETS][TEXT];
    const char *sets[SERVER_SETS];
    size_t count;
    double of[CARDS][VALUES];
} truth;

typedef struct {
    double *t_s, *power_w[CARDS], *die_k[CARDS];
    size_t n;
} server_log;

/* Sums over all cards and draws. */
typedef struct {
    int held, all;
    double worst_room, within;
} outcome;

static wsk_rig *server(int cards, const char *const *sets, size_t count)
{
    wsk_buf b = {0};
    wsk_buf_printf(&b,
                   "<rig name='server'><site supply='230 V' circuit='32 A'><room temperature='%g degC'/></site>"
                   "<chassis part='chassis/server-4u-8gpu'><psu part='psu/tier-titanium-1600' rated='6400 W'/>"
                   "<cpu name='two processors' power='200 W' idle='120 W' conductance='20 W/K' flow='80 CFM' "
                   "board='150 W'/>",
                   room_c);
    for (int i = 0; i < cards; i++)
        wsk_buf_printf(&b, "<gpu part='gpu/h100-pcie-duct' slot='%d'/>", 1 + 2 * i);
    wsk_buf_printf(&b, "</chassis><workload kind='constant' class='burn' host-load='0 %%'/>"
                       "<run for='6 h' step='1 s' start='steady'/></rig>");
    assert_non_null(b.data);
    wsk_rig *rig = wsk_test_rig_sets(b.data, sets, count);
    free(b.data);
    return rig;
}

static __attribute__((format(printf, 2, 3))) void add_set(truth *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(t->text[t->count], TEXT, format, arguments);
    va_end(arguments);
    t->sets[t->count] = t->text[t->count];
    t->count++;
}

/* Draws true values: each card has its own, all share the room. The fit scales both conductances of the board by one
 * factor. */
static void draw_truth(int cards, uint64_t seed, truth *t)
{
    wsk_dice dice = {.seed = seed};
    wsk_rig *rig = server(cards, NULL, 0);
    const wsk_card *c = &rig->net->cards[0];
    const double base[VALUES] = {room_c + WSK_KELVIN, c->cooler->ua_w_k,     c->gpu->die_res_k_w,
                                 c->cooler->cap_j_k,  c->gpu->board_cap_j_k, c->gpu->board_cond_w_k},
                 link_w_k = c->gpu->board_heatsink_cond_w_k, room_k = base[0] + values[0].sd * wsk_draw_normal(&dice);
    t->count = 0;
    add_set(t, "gpu[*].power=%g W", steps.power_w[0]);
    add_set(t, "%s=%.6g %s", values[0].path, room_k - WSK_KELVIN, values[0].unit);
    for (int i = 0; i < cards; i++) {
        t->of[i][0] = room_k;
        for (int v = 1; v < VALUES; v++) {
            const double z = fmin(fmax(wsk_draw_normal(&dice), -2), 2);
            t->of[i][v] = base[v] * exp(values[v].sd * z);
            add_set(t, "gpu[%d].%s=%.6g %s", i, values[v].path, t->of[i][v], values[v].unit);
        }
        add_set(t, "gpu[%d].board-to-heatsink=%.6g W/K", i, link_w_k * t->of[i][VALUES - 1] / base[VALUES - 1]);
    }
    wsk_rig_free(rig);
}

static void blur(double *die_k, size_t n, wsk_dice *dice)
{
    for (size_t i = n; i-- > 0;) {
        const size_t late = (size_t)steps.delay_s, at = i > late ? i - late : 0;
        die_k[i] = floor(die_k[at] + steps.noise_k * wsk_draw_normal(dice) + 0.5) + WSK_KELVIN;
    }
}

static server_log record(int cards, const truth *t, uint64_t seed)
{
    wsk_dice dice = {.seed = seed};
    server_log m = {.n = (size_t)steps_s};
    char power[CARDS][TEXT], die[CARDS][TEXT];
    wsk_rig *rig = server(cards, t->sets, t->count);
    wsk_run *run = NULL;
    m.t_s = malloc((1 + 2 * (size_t)cards) * m.n * sizeof *m.t_s);
    assert_non_null(m.t_s);
    for (int c = 0; c < cards; c++) {
        m.power_w[c] = m.t_s + (1 + 2 * (size_t)c) * m.n;
        m.die_k[c] = m.power_w[c] + m.n;
        (void)snprintf(power[c], TEXT, "gpu%d.power_w", c);
        (void)snprintf(die[c], TEXT, "gpu%d.die_c", c);
    }
    const wsk_run_options o = {.duration_s = steps_s + 1, .step_s = 1, .no_series = true};
    assert_int_equal(wsk_run_new(&run, rig, &o), WSK_OK);
    for (size_t i = 0; i < m.n; i++) {
        m.t_s[i] = (double)i;
        for (int c = 0; c < cards; c++) {
            m.power_w[c][i] = level_of(&steps, (double)i) + steps.noise_w * wsk_draw_normal(&dice);
            assert_int_equal(wsk_run_set(run, power[c], m.power_w[c][i]), WSK_OK);
        }
        assert_int_equal(wsk_run_advance(run, (double)i + 1), WSK_OK);
        for (int c = 0; c < cards; c++)
            assert_int_equal(wsk_run_get(run, die[c], &m.die_k[c][i]), WSK_OK);
    }
    for (int c = 0; c < cards; c++)
        blur(m.die_k[c], m.n, &dice);
    wsk_run_free(run);
    wsk_rig_free(rig);
    return m;
}

static void fit_server(int cards, uint64_t draw, outcome *sum)
{
    truth t;
    draw_truth(cards, 50 + draw, &t);
    const server_log m = record(cards, &t, 900 + draw);
    wsk_rig *rig = server(cards, NULL, 0);
    wsk_calibrate_trace traces[CARDS];
    wsk_log_fit fits[CARDS];
    for (int c = 0; c < cards; c++)
        traces[c] = (wsk_calibrate_trace){
            .card = (size_t)c, .power = {m.t_s, m.power_w[c], m.n}, .die = {m.t_s, m.die_k[c], m.n}};
    assert_int_equal(wsk_calibrate_log(rig, traces, (size_t)cards, NAN, fits, NULL), WSK_OK);
    for (int c = 0; c < cards; c++) {
        for (int v = 0; v < VALUES; v++) {
            const wsk_calibrated *x = value_of(&fits[c].fit, values[v].name);
            const double z =
                fabs(v ? log(x->value / t.of[c][v]) / (x->spread / x->value) : (x->value - t.of[c][v]) / x->spread);
            sum->held += z <= 1.645;
            sum->all++;
            sum->worst_room = v ? sum->worst_room : fmax(sum->worst_room, z);
        }
        sum->within += fits[c].within[WSK_PART_HELD_OUT];
    }
    wsk_rig_free(rig);
    free(m.t_s);
}

static void holds(int cards, int draws)
{
    outcome sum = {0};
    for (int k = 0; k < draws; k++)
        fit_server(cards, (uint64_t)k, &sum);
    const double within = sum.within / cards / draws;
    print_message(
        "%d cards: %d of %d intervals of 90 %% hold, the room within %.1f of its +-, held out %.0f %% within the "
        "band of 80 %%\n",
        cards, sum.held, sum.all, sum.worst_room, 100 * within);
    assert_true(sum.held >= 0.8 * sum.all);
    assert_true(sum.worst_room <= 3);
    assert_true(within >= 0.65);
}

static void one_card(void **state)
{
    (void)state;
    holds(1, draws());
}

static void eight_cards(void **state)
{
    (void)state;
    holds(CARDS, (draws() + 3) / 4);
}

/* Controllers of chassis fans read temperatures that are rounded, so that a prediction is less certain than the fit by
 * the effect of a reading up to half a degree higher: faster fans cool the die by less than that. Without fans that
 * follow the cards, and before the part held out, nothing is added. */
static void rounded_readings_widen_predictions(void **state)
{
    (void)state;
    truth t;
    draw_truth(1, 50, &t);
    const server_log m = record(1, &t, 900);
    const wsk_calibrate_trace trace = {.power = {m.t_s, m.power_w[0], m.n}, .die = {m.t_s, m.die_k[0], m.n}};
    for (int follow = 0; follow < 2; follow++) {
        wsk_rig *rig = server(1, NULL, 0);
        wsk_arena *arena = wsk_arena_new();
        wsk_thermal_log log;
        wsk_thermal th;
        wsk_thermal_fit f;
        assert_true(wsk_thermal_bins(&log, arena, rig->net, &trace, 1));
        const int until = log.bins * 3 / 10;
        assert_non_null(log.case_rpm);
        log.case_rpm = follow ? log.case_rpm : NULL;
        assert_int_equal(wsk_thermal_make(&th, arena, rig->net, &log), WSK_OK);
        assert_int_equal(wsk_thermal_fit_all(&th, until, &f), WSK_OK);
        double *held = wsk_alloc(arena, (size_t)log.bins * sizeof *held),
               *all = wsk_alloc(arena, (size_t)log.bins * sizeof *all), most = 0;
        assert_int_equal(wsk_thermal_replay(&th, 0), WSK_OK);
        assert_int_equal(wsk_thermal_doubt(&th, 0, until, &f, held), WSK_OK);
        assert_int_equal(wsk_thermal_doubt(&th, 0, log.bins, &f, all), WSK_OK);
        int wider = 0;
        for (int k = 0; k < log.bins; k++) {
            const double more_k = sqrt(fmax(held[k] * held[k] - all[k] * all[k], 0));
            assert_true(all[k] > 0 && held[k] >= all[k] - 1e-9);
            assert_true(k >= until || more_k < 1e-6);
            most = fmax(most, more_k);
            wider += more_k > 1e-3;
        }
        print_message("%d of %d bins wider, by up to %.3f K\n", wider, log.bins - until, most);
        assert_true(follow ? wider > 0 && most < 0.5 : wider == 0);
        wsk_arena_free(arena);
        wsk_rig_free(rig);
    }
    free(m.t_s);
}

/* What a card alone does not tell apart, its conductance and its room, is told better by the room that all cards share:
 * the covariance of each card has the variance of that room, and no value of a card is less certain than alone. */
static void a_common_room_tells_each_card_more(void **state)
{
    (void)state;
    enum { FOUR = 4 };
    truth t;
    draw_truth(FOUR, 51, &t);
    const server_log m = record(FOUR, &t, 901);
    wsk_rig *rig = server(FOUR, NULL, 0);
    wsk_arena *arena = wsk_arena_new();
    wsk_calibrate_trace traces[FOUR];
    wsk_thermal_fit all[FOUR], alone[FOUR];
    int surer = 0;
    for (int c = 0; c < FOUR; c++)
        traces[c] = (wsk_calibrate_trace){
            .card = (size_t)c, .power = {m.t_s, m.power_w[c], m.n}, .die = {m.t_s, m.die_k[c], m.n}};
    wsk_thermal_log log;
    wsk_thermal th;
    assert_true(wsk_thermal_bins(&log, arena, rig->net, traces, FOUR));
    assert_int_equal(wsk_thermal_make(&th, arena, rig->net, &log), WSK_OK);
    th.known_until = log.bins;
    assert_int_equal(wsk_thermal_open(&th), WSK_OK);
    for (int c = 0; c < FOUR; c++) {
        wsk_thermal_list(&th, c, &alone[c]);
        assert_int_equal(wsk_thermal_fit_card(&th, c, log.bins, &alone[c]), WSK_OK);
    }
    assert_int_equal(wsk_thermal_make(&th, arena, rig->net, &log), WSK_OK);
    assert_int_equal(wsk_thermal_fit_all(&th, log.bins, all), WSK_OK);
    for (int c = 0; c < FOUR; c++) {
        const int inlet = alone[c].at[WSK_TH_INLET], fins = alone[c].at[WSK_TH_FINS];
        const double room_k = all[c].fit.sd[inlet];
        print_message("room %.2f of %.2f K, conductance %.1f of %.1f %%\n", room_k, alone[c].fit.sd[inlet],
                      100 * all[c].fit.sd[fins], 100 * alone[c].fit.sd[fins]);
        if (room_k > 0.8 * alone[c].fit.sd[inlet])
            continue;
        assert_rel(all[c].fit.covariance[inlet][inlet], room_k * room_k, 1e-9);
        assert_true(all[c].fit.sd[fins] < 0.95 * alone[c].fit.sd[fins]);
        surer++;
    }
    assert_true(surer > 0);
    wsk_arena_free(arena);
    wsk_rig_free(rig);
    free(m.t_s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_card), cmocka_unit_test(eight_cards),
                                       cmocka_unit_test(rounded_readings_widen_predictions),
                                       cmocka_unit_test(a_common_room_tells_each_card_more)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
