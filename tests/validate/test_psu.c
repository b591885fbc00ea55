/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured PSUs against the formula for PSU losses. Its no-load share is loss without load / loss at 10 % load. Bands:
 * docs/theory/uncertainty.md, "Bands against measurements" */
#include <stdlib.h>
#include <string.h>

#include "sim/net/psu.h"
#include "tests/support/replay.h"
#include "tests/unit/assert.h"

static const double loads[4] = {0.1, 0.2, 0.5, 1};
static const char *const columns[4] = {"eff_10", "eff_20", "eff_50", "eff_100"};

typedef struct {
    int units, refused;
    /* errors, in percentage points of efficiency, at point i of loads[] when that point is left out; square[i],
     * size[i]: sums of squares and of absolute values */
    double square[4], size[4], worst;
    int count[4];
} tally;

static const wsk_psu_ops *certified(void)
{
    for (const wsk_kind *const *k = wsk_kinds; *k; k++)
        if (strcmp((*k)->element, "psu") == 0 && strcmp((*k)->name, "certified") == 0)
            return (*k)->ops;
    fail_msg("no psu of kind certified");
    return NULL;
}

static wsk_psu_params plain(double rated_w, const double eff[4])
{
    wsk_psu_params psu = {.rated_w = rated_w,
                          .standby_w = 0.5,
                          .eff_light = NAN,
                          .eff230_light = NAN,
                          .no_load_w = NAN,
                          .no_load_share = 0.67,
                          .power_factor = 0.99,
                          .reactive = 0.07};
    for (int p = 0; p < 4; p++) {
        psu.eff[p] = eff[p];
        psu.eff230[p] = NAN;
    }
    return psu;
}

static void check_unit(const wsk_psu_ops *ops, const char *unit, double rated_w, const double eff[4])
{
    wsk_psu_params psu = plain(rated_w, eff);
    wsk_psu_law law;
    ops->prepare(&psu, 115, &law);
    double before = ops->input_w(&law, 0);
    assert_true(before >= 0);
    for (int i = 1; i <= 1100; i++) {
        double out = rated_w * i / 1000, in = ops->input_w(&law, out);
        if (!(in > before) || !(out < in)) {
            print_error("%s: %.4g W in at %.1f %% load, %.4g W before\n", unit, in, i * 0.1, before);
            fail();
        }
        before = in;
    }
    for (int p = 0; p < 4; p++)
        if (eff[p] > 0)
            assert_near(rated_w * loads[p] / ops->input_w(&law, rated_w * loads[p]), eff[p], 1e-9);
}

static double left_out(const wsk_psu_ops *ops, double rated_w, const double eff[4], int out)
{
    wsk_psu_params psu = plain(rated_w, eff);
    wsk_psu_law law;
    psu.eff[out] = NAN;
    ops->prepare(&psu, 115, &law);
    return rated_w * loads[out] / ops->input_w(&law, rated_w * loads[out]);
}

static tally whole(const char *path, const char *name_column)
{
    tally t = {0};
    const wsk_psu_ops *ops = certified();
    wsk_csv *csv = wsk_csv_read(path);
    assert_non_null(csv);
    for (int i = 0; i < wsk_csv_rows(csv); i++) {
        double eff[4], rated_w = wsk_csv_number(csv, i, "rated_w");
        bool good = rated_w > 0;
        for (int p = 0; p < 4; p++) {
            eff[p] = wsk_csv_number(csv, i, columns[p]);
            good = good && eff[p] > 0.3 && eff[p] < 0.995;
        }
        if (!good) {
            t.refused++;
            continue;
        }
        t.units++;
        check_unit(ops, wsk_csv_text(csv, i, name_column), rated_w, eff);
        check_unit(ops, wsk_csv_text(csv, i, name_column), rated_w,
                   /* most 80 PLUS ratings do not require the point at 10 % */
                   (const double[4]){NAN, eff[1], eff[2], eff[3]});
        for (int p = 0; p <= 2; p++) {
            double e = (left_out(ops, rated_w, eff, p) - eff[p]) * 100;
            t.square[p] += e * e;
            t.size[p] += fabs(e);
            t.count[p]++;
            t.worst = p && fabs(e) > t.worst ? fabs(e) : t.worst;
        }
    }
    wsk_csv_free(csv);
    return t;
}

static void judge(const char *what, const tally *t)
{
    double rms20 = sqrt(t->square[1] / t->count[1]), rms50 = sqrt(t->square[2] / t->count[2]);
    print_message(
        "%s: %d units (%d without four points), left out at 20 %% %.2f and at 50 %% %.2f points rms, worst %.2f\n",
        what, t->units, t->refused, rms20, rms50, t->worst);
    print_message("  mean absolute: %.2f points at 10 %%, %.2f at 20 %%, %.2f at 50 %%\n", t->size[0] / t->count[0],
                  t->size[1] / t->count[1], t->size[2] / t->count[2]);
    assert_true(rms20 <= 0.6);
    assert_true(rms50 <= 0.6);
    assert_true(t->size[0] / t->count[0] <= 0.8);
    assert_true((t->size[1] + t->size[2]) / (t->count[1] + t->count[2]) <= 0.5);
}

static void carried(void **state)
{
    (void)state;
    tally t = whole("tests/validate/facts/psu_points.csv", "unit");
    assert_true(t.units >= 60);
    judge("tier means and representative units", &t);
}

static void whole_list(void **state)
{
    (void)state;
    const char *dir = getenv("WATTSINK_DATA");
    wsk_buf path = {0};
    wsk_buf_printf(&path, "%s/psu/80plus_115v.csv", dir && *dir ? dir : "../shared/data");
    assert_non_null(path.data);
    wsk_csv *csv = wsk_csv_read(path.data);
    if (!csv) {
        print_message("skipped: no %s; the carried units are checked above\n", path.data);
        wsk_buf_free(&path);
        skip();
    }
    wsk_csv_free(csv);
    tally t = whole(path.data, "model");
    wsk_buf_free(&path);
    assert_true(t.units > 3000);
    judge("the whole list", &t);
}

static void supply_and_scale(void **state)
{
    (void)state;
    const wsk_psu_ops *ops = certified();
    wsk_psu_params psu = plain(850, (const double[4]){0.8584, 0.8993, 0.9119, 0.8837}), twice = psu;
    twice.rated_w *= 2;
    wsk_psu_law low, high, large;
    ops->prepare(&psu, 115, &low);
    ops->prepare(&psu, 230, &high);
    ops->prepare(&twice, 115, &large);
    for (double x = 0.013; x < 1.1; x += 0.037) {
        assert_true(ops->input_w(&high, 850 * x) < ops->input_w(&low, 850 * x));
        assert_rel(ops->input_w(&large, 1700 * x), 2 * ops->input_w(&low, 850 * x), 1e-12);
    }
}

typedef struct {
    const char *unit;
    double rated_w, volt, out, in, pf, eff[4];
} light_row;

static light_row light_at(const wsk_csv *csv, int i)
{
    light_row r = {.unit = wsk_csv_text(csv, i, "unit"),
                   .rated_w = wsk_csv_number(csv, i, "rated_w"),
                   .volt = wsk_csv_number(csv, i, "volt"),
                   .out = wsk_csv_number(csv, i, "dc_w"),
                   .in = wsk_csv_number(csv, i, "ac_w"),
                   .pf = wsk_csv_number(csv, i, "pf")};
    for (int p = 0; p < 4; p++)
        r.eff[p] = wsk_csv_number(csv, i, columns[p]);
    return r;
}

static wsk_psu_params light_unit(const light_row *r)
{
    wsk_psu_params psu = plain(r->rated_w, r->eff);
    /* the efficiencies of the row were certified at the voltage of the row */
    memcpy(psu.eff230, r->eff, sizeof psu.eff230);
    return psu;
}

static double own_share(const wsk_csv *csv, const char *unit)
{
    double top = 0, below = 0;
    for (int i = 0; i < wsk_csv_rows(csv); i++) {
        light_row r = light_at(csv, i);
        double x = r.out / (0.1 * r.rated_w), loss = (r.in - r.out) / (0.1 * r.rated_w * (1 / r.eff[0] - 1));
        if (strcmp(r.unit, unit) == 0 && x < 1) {
            top += (loss - x) * (1 - x);
            below += (1 - x) * (1 - x);
        }
    }
    return top / below;
}

/* Judges predicted efficiencies at light load. The no-load share is the program's or, with `left_out`, the mean of the
 * PSUs other than that of the row. */
static void judge_light(const wsk_csv *csv, int n_unit, const char *const units[], const double shares[],
                        bool left_out)
{
    const wsk_psu_ops *ops = certified();
    double square = 0, size = 0, worst = 0, off = 0, most = 0;
    int n = wsk_csv_rows(csv), with_pf = 0;
    for (int i = 0; i < n; i++) {
        light_row r = light_at(csv, i);
        wsk_psu_law law;
        double sum = 0, others = 0;
        for (int u = 0; u < n_unit; u++)
            if (strcmp(units[u], r.unit) != 0) {
                sum += shares[u];
                others++;
            }
        wsk_psu_params psu = light_unit(&r);
        psu.no_load_share = left_out ? sum / others : psu.no_load_share;
        ops->prepare(&psu, r.volt, &law);
        double w = ops->input_w(&law, r.out), e = 100 * (r.out / w - r.out / r.in);
        square += e * e;
        size += fabs(e);
        worst = fabs(e) > fabs(worst) ? e : worst;
        if (r.pf > 0) {
            double by = 100 * (w / wsk_psu_va(&law, w) - r.pf);
            with_pf++;
            off += fabs(by);
            most = fabs(by) > fabs(most) ? by : most;
        }
    }
    print_message("2 to 12 %% load, %s: %d points of %d units, mean absolute %.2f, %.2f points rms, worst %.2f\n",
                  left_out ? "each unit left out" : "as shipped", n, n_unit + 1, size / n, sqrt(square / n), worst);
    assert_true(sqrt(square / n) <= (left_out ? 2.8 : 2.5));
    print_message("  power factor by the class's reactive power: %d points, mean absolute %.1f points, worst %.1f\n",
                  with_pf, off / with_pf, most);
    /* a wide band, because input filters differ among PSUs */
    assert_true(with_pf >= 12 && off / with_pf <= 7 && fabs(most) <= 25);
}

/* Loads of 2 to 12 %. The AX1500i measures itself: its rows are judged, but it does not count in the mean no-load
 * share, which must be that of the program. */
static void light_loads(void **state)
{
    (void)state;
    wsk_csv *csv = wsk_csv_read("tests/validate/facts/psu_light.csv");
    assert_non_null(csv);
    const char *units[16];
    double shares[16], all = 0;
    int n_unit = 0;
    for (int i = 0; i < wsk_csv_rows(csv); i++) {
        const char *unit = wsk_csv_text(csv, i, "unit");
        if ((n_unit == 0 || strcmp(units[n_unit - 1], unit) != 0) && strcmp(unit, "Corsair AX1500i") != 0) {
            units[n_unit] = unit;
            shares[n_unit] = own_share(csv, unit);
            all += shares[n_unit];
            print_message("%s: loss without load %.2f of that at 10 %% load\n", unit, shares[n_unit]);
            n_unit++;
        }
    }
    assert_true(n_unit >= 4 && wsk_csv_rows(csv) >= 14);
    assert_near(light_unit(&(light_row){0}).no_load_share, all / n_unit, 0.01);
    judge_light(csv, n_unit, units, shares, true);
    judge_light(csv, n_unit, units, shares, false);
    wsk_csv_free(csv);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Each PSU is predicted by the median of the losses of the others, relative to rated power. `efficiency-2-230` of the
 * parts psu/cybenetics-* is that of the median of all PSUs, and its spread of 4.8 points contains about two thirds of
 * them. */
static void two_percent(void **state)
{
    (void)state;
    enum { MOST = 128 };
    wsk_csv *csv = wsk_csv_read("tests/validate/facts/psu_two_percent.csv");
    assert_non_null(csv);
    double loss[MOST], sorted[MOST], size = 0, of_rating = 0;
    int n = wsk_csv_rows(csv), held = 0;
    assert_in_range(n, 60, MOST);
    for (int i = 0; i < n; i++)
        loss[i] = sorted[i] = 0.02 * (1 / wsk_csv_number(csv, i, "eff_2") - 1);
    qsort(sorted, (size_t)n, sizeof *sorted, by_size);
    double middle = 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
    for (int i = 0; i < n; i++) {
        double others[MOST], e;
        int left = 0;
        for (int k = 0; k < n; k++)
            if (k != i)
                others[left++] = loss[k];
        qsort(others, (size_t)left, sizeof *others, by_size);
        double guess = 0.5 * (others[(left - 1) / 2] + others[left / 2]);
        e = 100 * (0.02 / (0.02 + guess) - 0.02 / (0.02 + loss[i]));
        size += fabs(e);
        of_rating += fabs(guess - loss[i]);
        held += fabs(e) <= 4.8;
    }
    wsk_csv_free(csv);
    print_message("2 %% load, each unit left out: %d units, mean absolute %.2f points of efficiency, %.3f %% of the "
                  "rating; +-4.8 points hold %d\n",
                  n, size / n, 100 * of_rating / n, held);
    assert_near(0.02 / (0.02 + middle), 0.718, 0.001);
    assert_true(of_rating / n <= 0.0016);
    assert_true(held >= 0.6 * n && held <= 0.8 * n);
}

/* At a voltage for which no efficiency at 2 % load is stated, the loss at 2 % changes in the ratio of the losses at 10
 * %. */
static void more_points(void **state)
{
    (void)state;
    const wsk_psu_ops *ops = certified();
    const double eff[4] = {0.8877, 0.91774, 0.92095, 0.88146}, high[4] = {0.89881, 0.92956, 0.93047, 0.91292};
    wsk_psu_params psu = plain(1200, eff);
    wsk_psu_law law;
    memcpy(psu.eff230, high, sizeof high);
    for (int which = 0; which < 3; which++)
        for (int volt = 115; volt <= 230; volt += 115) {
            psu.eff_light = which == 1 ? NAN : 0.72;
            psu.eff230_light = which == 0 ? NAN : 0.74075;
            ops->prepare(&psu, volt, &law);
            double scaled = (1 / high[0] - 1) / (1 / eff[0] - 1), loss = 24 / (volt == 115 ? 0.72 : 0.74075) - 24;
            if (which == 0)
                loss = (24 / 0.72 - 24) * (volt == 115 ? 1 : scaled);
            if (which == 1)
                loss = (24 / 0.74075 - 24) / (volt == 115 ? scaled : 1);
            assert_rel(ops->input_w(&law, 24), 24 + loss, 1e-9);
            for (int p = 0; p < 4; p++)
                assert_near(1200 * loads[p] / ops->input_w(&law, 1200 * loads[p]), volt == 115 ? eff[p] : high[p],
                            1e-9);
            for (int i = 1; i <= 1320; i++)
                assert_true(ops->input_w(&law, i) > ops->input_w(&law, i - 1) && ops->input_w(&law, i) > i);
        }
}

/* If neither the input power without load nor a point at 2 % is stated, the loss without load is 0.67 times the loss at
 * 10 %. */
static void watt_point(void **state)
{
    (void)state;
    const wsk_psu_ops *ops = certified();
    const double eff[4] = {0.87, 0.905, 0.92, 0.89};
    wsk_psu_params psu = plain(1000, eff);
    wsk_psu_law law;
    for (int volt = 115; volt <= 230; volt += 115) {
        psu.no_load_w = NAN;
        ops->prepare(&psu, volt, &law);
        double at_10 = ops->input_w(&law, 100) - 100;
        assert_rel(ops->input_w(&law, 0), 0.67 * at_10, 1e-9);
        psu.no_load_w = 6;
        ops->prepare(&psu, volt, &law);
        assert_rel(ops->input_w(&law, 0), 6, 1e-9);
        assert_rel(ops->input_w(&law, 50), 50 + 0.5 * (6 + at_10), 1e-9);
    }
    psu.eff_light = 0.7;
    ops->prepare(&psu, 115, &law);
    assert_rel(ops->input_w(&law, 0), 6, 1e-9);
    assert_rel(ops->input_w(&law, 20), 20 / 0.7, 1e-9);
    assert_rel(ops->input_w(&law, 60), 60 + 0.5 * (20 / 0.7 - 20 + 100 / 0.87 - 100), 1e-9);
}

/* The law of the power factor is a capacitor parallel to a resistor. One reading of watts and volt-amperes gives
 * `reactive`, which must predict the power factor of the PSU's other readings. */
static void power_factor(void **state)
{
    (void)state;
    const wsk_psu_ops *ops = certified();
    wsk_csv *csv = wsk_csv_read("tests/validate/facts/psu_light.csv");
    assert_non_null(csv);
    double q = NAN;
    for (int i = 0; i < wsk_csv_rows(csv); i++) {
        light_row r = light_at(csv, i);
        if (strcmp(r.unit, "Corsair TX750M") != 0)
            continue;
        wsk_psu_params psu = light_unit(&r);
        wsk_psu_law law;
        if (isnan(q))
            q = sqrt(r.in / r.pf * r.in / r.pf - r.in / 0.99 * r.in / 0.99) / (0.25 * r.rated_w);
        psu.reactive = q;
        ops->prepare(&psu, 115, &law);
        assert_near(r.in / wsk_psu_va(&law, r.in), r.pf, 0.015);
        ops->prepare(&psu, 230, &law);
        assert_rel(wsk_psu_va(&law, 0), q * r.rated_w, 1e-9);
    }
    wsk_csv_free(csv);
    assert_true(q > 0.05 && q < 0.2);
}

/* The CSU2000AP delivers 1,250 W at 100 V, 1,400 W from 120 to 140 V and 2,000 W from 180 V; between these voltages its
 * limit is linear. */
static void low_line(void **state)
{
    (void)state;
    wsk_psu_params psu = plain(2000, (const double[4]){0.88, 0.92, 0.93, 0.90});
    assert_same(wsk_psu_limit_w(&psu, 100), 2000);
    psu.line_rating = (wsk_curve){4, {100, 120, 140, 180}, {1250, 1400, 1400, 2000}};
    assert_near(wsk_psu_limit_w(&psu, 90), 1250, 1e-9);
    assert_near(wsk_psu_limit_w(&psu, 110), 1325, 1e-9);
    assert_near(wsk_psu_limit_w(&psu, 120), 1400, 1e-9);
    assert_near(wsk_psu_limit_w(&psu, 127), 1400, 1e-9);
    assert_near(wsk_psu_limit_w(&psu, 208), 2000, 1e-9);
    psu.line_rating = (wsk_curve){1, {180}, {1900}};
    assert_near(wsk_psu_limit_w(&psu, 240), 1900, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carried),     cmocka_unit_test(whole_list),   cmocka_unit_test(supply_and_scale),
        cmocka_unit_test(light_loads), cmocka_unit_test(two_percent),  cmocka_unit_test(more_points),
        cmocka_unit_test(watt_point),  cmocka_unit_test(power_factor), cmocka_unit_test(low_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
