/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lengths of strides under weather, and how temperatures move over them, by the rules of docs/theory/time.md, "Strides
 * under weather". The library is filled by hand. */
#include "tests/verify/weather_library.h"

/* LEAD: cycles before an extreme or unknown weather that are simulated. UNSURE: too close to a bound to tell. */
enum { LEAD = 3, UNSURE = -1 };

static bool is_known(const wsk_run *run, int h)
{
    return wsk_reference_of_weather(run, start_of(h)) > 0;
}

/* True if a stride may end at the hour `end`: no mean temperature is more than 0.3 K higher than in the last cycle,
 * and, where heat limits clocks, the weather is within 1 K of that at the start. */
static int may_end(int now, int end, bool hot)
{
    const double rise = account(end, 0) - account(now - 1, 0), k = distance(now, end);
    if (fabs(rise - 0.3) < 0.02 || (hot && fabs(k - 1) < 0.02))
        return UNSURE;
    return rise <= 0.3 && (!hot || k <= 1);
}

/* Number of cycles to skip from the hour `now` on, at most `room`: to three cycles before the first one without a
 * reference or before the next extreme, or earlier, where it may end. */
static int64_t stride_of(const wsk_run *run, int now, int room, bool hot)
{
    const wsk_stride *s = run->stride;
    int64_t most = room < s->head->reach ? room : s->head->reach, n = 0;
    for (int i = 0; i < s->n_extremes; i++) {
        const int64_t h = s->extremes[i] / hour_ns;
        if (h > now - 2 && h - now - LEAD < most)
            most = h - now - LEAD;
    }
    if (most <= 0 || !is_known(run, now - 1))
        return 0;
    while (n <= most && is_known(run, now + (int)n))
        n++;
    for (n = n > most ? most : n - LEAD; n > 0; n--) {
        const int ends = may_end(now, now + (int)n, hot);
        if (ends)
            return ends == UNSURE ? UNSURE : n;
    }
    return 0;
}

/* Fills the library for strides: mean temperatures of 1 K for each K of the traits' account, and samples of cycles
 * that agree with their references. */
static void fill_for_strides(wsk_run *run, int first, int each, int count, double heat_s)
{
    wsk_stride *s = run->stride;
    fill_library(s, first, each, count, heat_s);
    for (int64_t i = 0; i < s->head->count; i++)
        for (int k = s->nodes; k < s->n; k++)
            wsk_entry(s, i)[k] = 3600 * account(hour_of(s, i), 0);
    for (int k = 0; k < WSK_HEADLINES; k++)
        s->head->checks[k] = (wsk_check){.n = 10, .of = 1e9};
}

static void test_lengths(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig);
    wsk_stride *s = run->stride;
    int some = 0, none = 0, of_reach = 0;
    follow_room(room_time_s(run), 0);
    for (int turn = 0; turn < 4; turn++) {
        const bool hot = turn % 2;
        fill_for_strides(run, turn < 2 ? 30 : 200, turn < 2 ? 6 : 3, turn < 2 ? 128 : 50, hot ? 600 : 0);
        for (int now = 48; now < HOURS - 300; now += 3) {
            const int room = now % 5 ? 200 : 11;
            run->head->t_ns = now * hour_ns;
            s->head->reach = now % 2 ? 8 : 512;
            for (int k = 0; k < s->n; k++)
                s->fresh[k] = k < s->nodes ? account(now - 1, k) : 3600 * account(now - 1, 0);
            for (int k = 0; k < 3; k++)
                s->fresh[WSK_TALLY_WORK + WSK_CARD_HEAT + k] = hot && k == 0 ? 600e9 : 0;
            const int64_t expected = stride_of(run, now, room, hot);
            if (expected == UNSURE)
                continue;
            const int64_t limit = wsk_limit_by_weather(run, room), found = limit > 0 ? limit : 0;
            if (found != expected)
                fail_msg("turn %d, hour %d: %lld cycles and not %lld", turn, now, (long long)found,
                         (long long)expected);
            some += found > 0;
            none += found == 0;
            of_reach += found == (room < s->head->reach ? room : s->head->reach);
        }
    }
    assert_true(some > 200 && none > 50 && of_reach > 20);
    wsk_test_drop(run, rig);
}

/* No stride while the samples differ too much in energy or work, nor, if they differ in time limited by heat, over
 * cycles that have such time. */
static void test_samples_that_differ(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig);
    wsk_stride *s = run->stride;
    follow_room(room_time_s(run), 0);
    int taken = 0;
    for (int hot = 0; hot < 2; hot++)
        for (int headline = 0; headline < WSK_HEADLINES; headline++)
            for (int now = 48; now < HOURS - 300; now += 24) {
                fill_for_strides(run, 30, 6, 128, hot ? 600 : 0);
                run->head->t_ns = now * hour_ns;
                s->head->reach = 8;
                for (int k = s->nodes; k < s->n; k++)
                    s->fresh[k] = 3600 * 1e3; /* warmer than any cycle */
                const bool before = wsk_limit_by_weather(run, 100) > 0;
                s->head->checks[headline].bias = s->head->checks[headline].of;
                const bool after = wsk_limit_by_weather(run, 100) > 0;
                assert_int_equal(after, before && headline == WSK_OF_HEAT && !hot);
                taken += before;
            }
    assert_true(taken > 50);
    wsk_test_drop(run, rig);
}

/* Over a stride temperatures move by what the references of both its ends differ by: the temperature at an end is the
 * mean of the two cycles that meet there. */
static void test_shifts(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig);
    wsk_stride *s = run->stride;
    follow_room(room_time_s(run), 0);
    fill_for_strides(run, 30, 6, 128, 0);
    int moved = 0;
    for (int now = 60; now < HOURS - 300; now += 37) {
        const int to = now + 9;
        if (!is_known(run, now - 1) || !is_known(run, now) || !is_known(run, to - 1) || !is_known(run, to))
            continue;
        run->head->t_ns = now * hour_ns;
        memset(s->shift_k, 0, (size_t)run->net->n_node * sizeof *s->shift_k);
        wsk_shift_by_weather(run, to - now);
        const double expected =
            0.5 * (account(to - 1, 0) + account(to, 0)) - 0.5 * (account(now - 1, 0) + account(now, 0));
        for (int i = 0; i < run->net->n_node; i++)
            assert_near(s->shift_k[i], run->cap[i] > 0 ? expected : 0, 0.01);
        moved++;
    }
    assert_true(moved > 10);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lengths), cmocka_unit_test(test_samples_that_differ),
                                       cmocka_unit_test(test_shifts)};
    return cmocka_run_group_tests(tests, write_weather, remove_weather);
}
