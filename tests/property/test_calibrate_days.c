/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A card fitted to generated logs of hours and days, whose bins are of 10 s to five minutes: the fit must find the true
 * values within the errors that it states, which must not shrink with the length of the log.
 * docs/theory/calibration.md, "Method". WATTSINK_DRAWS: number of draws (default 12; a sixth of them for each length). */
#include "sim/api.h"
#include "sim/study/calibrate/bins.h"
#include "sim/study/calibrate/thermal.h"
#include "tests/property/made_log.h"

enum { VALUES = 4, LEVELS = 7 };
static const struct {
    const char *name, *path, *unit;
    double base, sd; /* sd: K of the room, else of the logarithm */
} values[VALUES] = {{"inlet", "room.temperature", "degC", 25, 3},
                    {"conductance", "gpu.cooler.conductance", "W/K", 21.6, 0.2},
                    {"die-resistance", "gpu.die-resistance", "K/W", 0.066, 0.3},
                    {"capacity", "gpu.cooler.capacity", "J/K", 1042, 0.2}};

/* The load changes at any second, after `mean_s` in the mean; every: only each n-th second is recorded. */
static made make_days(double for_s, double mean_s, size_t every, uint64_t seed, double truth[VALUES])
{
    static const double levels_w[LEVELS] = {20, 20, 25, 90, 160, 220, 280};
    wsk_dice dice = {.seed = seed};
    char text[VALUES][64];
    const char *sets[VALUES];
    for (int v = 0; v < VALUES; v++) {
        const double z = fmin(fmax(wsk_draw_normal(&dice), -2), 2);
        truth[v] = v ? values[v].base * exp(values[v].sd * z) : values[v].base + values[v].sd * z;
        (void)snprintf(text[v], sizeof text[v], "%s=%.6g %s", values[v].path, truth[v], values[v].unit);
        sets[v] = text[v];
    }
    truth[0] += WSK_KELVIN;
    made m = {.n = (size_t)for_s};
    double level = 25, until = 0, *all = malloc(5 * m.n * sizeof *all), *clean = all + 4 * m.n;
    wsk_rig *rig = load(sets, VALUES);
    wsk_run *run = NULL;
    assert_non_null(all);
    m.t_s = all;
    m.power_w = all + m.n;
    m.die_k = all + 2 * m.n;
    m.rpm = all + 3 * m.n;
    assert_int_equal(
        wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = for_s + 1, .step_s = 1, .no_series = true}), WSK_OK);
    for (size_t i = 0; i < m.n; i++) {
        if ((double)i >= until) {
            level = levels_w[(int)(wsk_random(seed, i, 0) * LEVELS)];
            until = (double)i + mean_s * (0.3 + 1.4 * wsk_random(seed, i, 1));
        }
        m.t_s[i] = (double)i;
        m.power_w[i] = fmax(level + 8 * wsk_draw_normal(&dice), 5);
        assert_int_equal(wsk_run_set(run, "gpu0.power_w", m.power_w[i]), WSK_OK);
        assert_int_equal(wsk_run_advance(run, (double)i + 1), WSK_OK);
        assert_int_equal(wsk_run_get(run, "gpu0.die_c", &clean[i]), WSK_OK);
        assert_int_equal(wsk_run_get(run, "gpu0.fan_rpm", &m.rpm[i]), WSK_OK);
    }
    for (size_t i = 0; i < m.n; i++)
        m.die_k[i] = floor(clean[i > 2 ? i - 2 : 0] + 0.2 * wsk_draw_normal(&dice) + 0.5) + WSK_KELVIN;
    wsk_run_free(run);
    wsk_rig_free(rig);
    thin(&m, every);
    return m;
}

static void days_tell_no_more_than_they_know(void **state)
{
    (void)state;
    static const recording with_fan = {.fan = true};
    static const struct {
        double hours, mean_s;
        size_t every;
    } logs[] = {{6, 900, 1}, {20, 900, 5}, {60, 1800, 5}, {120, 1800, 10}};
    const int n = (draws() + 5) / 6;
    int held = 0, all = 0;
    for (size_t k = 0; k < sizeof logs / sizeof *logs; k++)
        for (int draw = 0; draw < n; draw++) {
            double truth[VALUES], worst = 0;
            const made m =
                make_days(3600 * logs[k].hours, logs[k].mean_s, logs[k].every, 500 + (uint64_t)draw, truth);
            const wsk_log_fit f = fit(&m, &with_fan, NAN);
            for (int v = 0; v < VALUES; v++) {
                const wsk_calibrated *x = value_of(&f.fit, values[v].name);
                const double z =
                    fabs(v ? log(x->value / truth[v]) * x->value / x->spread : (x->value - truth[v]) / x->spread);
                print_message("%.0f h: %s %.4g +- %.2g, true %.4g\n", logs[k].hours, x->name, x->value, x->spread,
                              truth[v]);
                worst = fmax(worst, z);
                held += z <= 1.645;
                all++;
            }
            assert_true(worst < 4);
            assert_true(f.within[WSK_PART_HELD_OUT] > 0.65);
            free(m.t_s);
        }
    print_message("%d of %d intervals of 90 %% hold\n", held, all);
    assert_true(held >= 0.75 * all);
}

/* Readings as far apart as bins are long come some milliseconds early or late: each has a bin of its own all the
 * same. */
static void jitter_moves_no_reading(void **state)
{
    (void)state;
    enum { BINS = 200 };
    static const double bin_s[] = {1, 10, 60};
    double t_s[BINS], value[BINS], mean[BINS];
    for (size_t k = 0; k < sizeof bin_s / sizeof *bin_s; k++) {
        wsk_dice dice = {.seed = 3};
        for (int i = 0; i < BINS; i++) {
            t_s[i] = i * bin_s[k] + (i ? 0.005 * wsk_draw_normal(&dice) : 0);
            value[i] = i;
        }
        wsk_bins_mean(mean, BINS, bin_s[k], &(wsk_readings){t_s, value, BINS});
        for (int i = 0; i < BINS; i++)
            assert_near(mean[i], i, 1e-12);
        t_s[BINS - 1] = BINS * bin_s[k]; /* the last bin takes what is left */
        wsk_bins_mean(mean, BINS, bin_s[k], &(wsk_readings){t_s, value, BINS});
        assert_near(mean[BINS - 1], BINS - 1, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(jitter_moves_no_reading),
                                       cmocka_unit_test(days_tell_no_more_than_they_know)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
