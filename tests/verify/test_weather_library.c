/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library of strides under weather, by the rules of docs/theory/time.md, "Strides under weather". The library is
 * filled by hand, and what the program finds in it is compared with a search through all entries. */
#include "tests/verify/weather_library.h"
#include "sim/num/scatter.h"

/* POINTS: cycles from which a reference is interpolated */
enum { POINTS = 14, EXTREME_DAYS = 4 };
static const double near_k = 1.5, alike_k = 0.3;

/* The sum of squared weights of the nearest cycles. */
static double weight2(const wsk_stride *s, int h, const ranking *r)
{
    const int n = r->n < POINTS ? r->n : POINTS;
    double x[POINTS][TRAITS], at[TRAITS], weight[POINTS], sum = 0;
    traits(h, at);
    for (int i = 0; i < n; i++)
        traits(hour_of(s, r->entry[i]), x[i]);
    wsk_scatter_weights(n, x[0], at, 0.05, weight);
    for (int i = 0; i < n; i++)
        sum += weight[i] * weight[i];
    return sum;
}

/* A cycle has a reference if eight cycles are known, the third nearest is within 1.5 K, the squared weights sum to at
 * most 2, and heat limits clocks in all of the six nearest or in none. Accounts that are linear in the traits are
 * interpolated exactly. Returns whether the cycle has one; -1: too close to a bound to tell. */
static int has_reference(const wsk_stride *s, int h)
{
    const ranking r = rank(s, h);
    int hot = 0;
    if (r.n < 8)
        return 0;
    for (int i = 0; i < 6; i++)
        hot += wsk_entry(s, r.entry[i])[WSK_TALLY_WORK + WSK_CARD_HEAT + 1] > 0;
    const double sum = weight2(s, h, &r);
    if (fabs(r.k[2] - near_k) < 0.01 || fabs(sum - 2) < 0.05 || r.k[6] - r.k[5] < 0.003)
        return -1;
    return r.k[2] <= near_k && sum <= 2 && (hot == 0 || hot == 6);
}

static void check_references(const wsk_run *run, int *with, int *without)
{
    const wsk_stride *s = run->stride;
    for (int h = 24; h < HOURS; h += 7) {
        const int expected = has_reference(s, h);
        if (expected < 0)
            continue;
        const double found = wsk_reference_of_weather(run, start_of(h));
        if (found != expected)
            fail_msg("hour %d: reference %g and not %d", h, found, expected);
        for (int k = 0; k < s->n + s->bins; k++)
            if (k < WSK_TALLY_WORK + WSK_CARD_HEAT || k >= WSK_TALLY_WORK + WSK_CARD_HEAT + 3)
                assert_near(s->wanted[k], expected ? account(h, k) : 0, 0.01);
        (*with) += expected;
        (*without) += !expected;
    }
}

static void check_libraries(const wsk_run *run)
{
    wsk_stride *s = run->stride;
    int with[4] = {0}, without[4] = {0};
    fill_library(s, 30, 6, 128, 0); /* all weather */
    check_references(run, &with[0], &without[0]);
    fill_library(s, 200, 4, 40, 0); /* the weather of a week */
    check_references(run, &with[1], &without[1]);
    fill_library(s, 200, 30, 7, 0); /* too few */
    check_references(run, &with[2], &without[2]);
    fill_library(s, 30, 6, 128, 0); /* heat limits the clock in warm weather */
    for (int i = 0; i < 128; i++)
        if (outdoor_mean[hour_of(s, i)] > 20)
            put_entry(s, i, hour_of(s, i), 500);
    check_references(run, &with[3], &without[3]);
    assert_true(with[0] > 100 && with[1] > 20 && without[1] > 20 && with[3] > 40 && without[3] > 10);
    assert_int_equal(with[2], 0);
}

/* Also where cycles begin between the points of the weather file. */
static void test_references(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig);
    follow_room(room_time_s(run), 0);
    check_libraries(run);
    follow_room(room_time_s(run), 7 * 60);
    check_libraries(run);
    wsk_test_drop(run, rig);
}

/* The cycle of the library that is most alike, and where a new cycle is kept: in place of a cycle within 0.3 K if
 * eight are within 1.5 K; else behind the last one, or, if the library is full, in place of the older one of the two
 * cycles that are closest to each other. */
static void test_places(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig);
    wsk_stride *s = run->stride;
    int replaced = 0, added = 0, dropped = 0;
    follow_room(room_time_s(run), 0);
    s->head->count = 0;
    assert_int_equal(wsk_like_weather(run, start_of(24)), 0);
    for (int turn = 0; turn < 2; turn++) {
        const int count = turn ? 128 : 60;
        fill_library(s, 40, turn ? 6 : 5, count, 0);
        double least = INFINITY;
        int64_t older = 0;
        for (int i = 0; i < count; i++)
            for (int j = 0; j < i; j++)
                if (distance(hour_of(s, i), hour_of(s, j)) < least) {
                    least = distance(hour_of(s, i), hour_of(s, j));
                    older = j;
                }
        for (int h = 24; h < HOURS; h += 5) {
            const ranking r = rank(s, h);
            assert_near(distance(h, (int)(wsk_like_weather(run, start_of(h)) / hour_ns)), r.k[0], 0.002);
            if (fabs(r.k[7] - near_k) < 0.01 || fabs(r.k[0] - alike_k) < 0.01 || r.k[1] - r.k[0] < 0.003)
                continue;
            const int64_t place = wsk_place_in_library(run, start_of(h));
            if (r.k[7] < near_k && r.k[0] < alike_k) {
                assert_int_equal(place, r.entry[0]);
                replaced++;
            } else if (turn == 0) {
                assert_int_equal(place, count);
                assert_int_equal(s->head->count, count + 1);
                added++;
            } else {
                assert_int_equal(place, older);
                dropped++;
            }
            s->head->count = count;
        }
    }
    assert_true(replaced > 20 && added > 20 && dropped > 20);
    wsk_test_drop(run, rig);
}

/* Starts of the hottest or coldest cycles (sign 1 or -1) of the four most extreme days among the cycles from..to - 1,
 * by mean temperature. The first cycles, in which the room still warms up, do not count. */
static int find_extremes(const double *mean, int sign, int from, int to, int first, int *hours)
{
    double best[DAYS + 1];
    int at[DAYS + 1], n = 0;
    for (int day = from / 24; day <= (to - 1) / 24; day++) {
        best[n] = -INFINITY;
        for (int h = 24 * day; h < 24 * day + 24; h++)
            if (h >= from && h < to && h >= first && sign * mean[h] > best[n]) {
                best[n] = sign * mean[h];
                at[n] = h;
            }
        n += best[n] > -INFINITY;
    }
    int found = 0;
    for (; found < EXTREME_DAYS && found < n; found++) {
        int most = 0;
        for (int i = 1; i < n; i++)
            most = best[i] > best[most] ? i : most;
        hours[found] = at[most];
        best[most] = -INFINITY;
    }
    return found;
}

static bool is_extreme(const wsk_stride *s, int h)
{
    for (int i = 0; i < s->n_extremes; i++)
        if (s->extremes[i] == h * hour_ns)
            return true;
    return false;
}

/* tau_s: time constant with which the room follows the weather; its first five are left out. */
static void check_extremes(const wsk_run *run, double tau_s, const int *bounds, int parts)
{
    const wsk_stride *s = run->stride;
    const int first = (int)ceil((5 * tau_s + 3600) / 3600 - 1e-9);
    int count = 0, hours[EXTREME_DAYS];
    follow_room(tau_s, 0);
    for (int part = 0; part < parts; part++)
        for (int kind = 0; kind < 4; kind++) {
            const int n = find_extremes(kind % 2 ? room_mean : outdoor_mean, kind < 2 ? 1 : -1, bounds[part],
                                        bounds[part + 1], first, hours);
            for (int i = 0; i < n; i++)
                if (!is_extreme(s, hours[i]))
                    fail_msg("hour %d, extreme %d of kind %d in part %d, is missing", hours[i], i, kind, part);
            count += n;
        }
    assert_int_equal(s->n_extremes, count);
}

static void test_extremes(void **state)
{
    (void)state;
    static const struct {
        const char *room;
        double tau_s; /* NAN: heat capacity over conductance */
    } of[] = {{"volume='150 m3' conductance='60 W/K'", NAN},
              {"volume='2 m3' conductance='2000 W/K'", 600},       /* counts as ten minutes */
              {"volume='1000 m3' conductance='1 W/K'", 2 * 86400}, /* counts as two days */
              {"volume='1000 m3' conductance='0 W/K'", 2 * 86400}};
    wsk_rig *rig;
    wsk_run *run;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        run = start_in(&rig, of[i].room, "", "2026-01-05T00:00:00");
        check_extremes(run, isnan(of[i].tau_s) ? room_time_s(run) : of[i].tau_s, (int[]){0, HOURS}, 1);
        wsk_test_drop(run, rig);
    }
    /* with a demand charge: those of each month, here of January, February and March, of which the run has 13 hours */
    run =
        start_in(&rig, of[0].room,
                 "<tariff kind='flat' price='0.2 USD/kWh'><demand price='10 USD/kW/month' window='15 min'/></tariff>",
                 "2026-01-20T13:00:00");
    check_extremes(run, room_time_s(run), (int[]){0, 12 * 24 - 13, 40 * 24 - 13, HOURS}, 3);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_references), cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_extremes)};
    return cmocka_run_group_tests(tests, write_weather, remove_weather);
}
