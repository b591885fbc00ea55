/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "draw/series.h"
#include "tests/unit/assert.h"

static void columns_follow_the_table(void **state)
{
    (void)state;
    for (int v = 0; v < WSK_VAR_COUNT; v++)
        for (int k = 0; k < WSK_STATS; k++) {
            const wsk_var_row *row = wsk_var_about((wsk_var)v);
            const char *id = row->owner == WSK_OF_RIG ? "" : "fan0.failing";
            char name[128];
            wsk_column c;
            snprintf(name, sizeof name, "%s%s%s.%s", id, *id ? "." : "", row->name, wsk_stat_name((wsk_stat)k));
            assert_true(wsk_column_read(name, strlen(name), &c));
            assert_int_equal(c.stat, k);
            assert_int_equal(c.id_len, strlen(id));
            assert_int_equal(c.len, strlen(name) - strlen(wsk_stat_name((wsk_stat)k)) - 1);
            for (int other = 0; other < WSK_VAR_COUNT; other++) {
                const wsk_var_row *o = wsk_var_about((wsk_var)other);
                bool same = !strcmp(o->name, row->name) && (o->owner == WSK_OF_RIG) == !*id;
                assert_int_equal(wsk_column_is(&c, (wsk_var)other), same);
            }
        }
}

static void other_texts_are_no_columns(void **state)
{
    static const char *const texts[] = {"",     "t_s",        ".",           "min",
                                        ".min", "gpu0.die_c", "gpu0.die_c.", "gpu0.die_c.minimum"};
    wsk_column c;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(wsk_column_read(texts[i], strlen(texts[i]), &c));
    const char odd[] = "room.die_c.max";
    assert_true(wsk_column_read(odd, strlen(odd), &c));
    assert_false(wsk_column_is(&c, WSK_VAR_ROOM_C));
    assert_true(wsk_column_is(&c, WSK_VAR_CARD_DIE_C));
}

static void a_series_is_read(void **state)
{
    static const char *const damaged[] = {"60,1,2,3,4,5,6,7\n", "60,1,2,3,4,5,6\n60,1,2,3,4,5,6\n", "x,1,2,3,4,5,6\n",
                                          "5e9,1,2,3,4,5,6\n"};
    char csv[512];
    const wsk_record *s;
    wsk_arena *arena = wsk_arena_new();
    (void)state;
    const char *die = wsk_var_about(WSK_VAR_CARD_DIE_C)->name, *wall = wsk_var_about(WSK_VAR_WALL_W)->name;
    snprintf(csv, sizeof csv,
             "t_s,%s.min,%s.mean,%s.max,g.%s.min,g.%s.mean,g.%s.max\n60,1,2,3,4,5,6\n120,7,8,9,10,11,\n", wall, wall,
             wall, die, die, die);
    assert_int_equal(wsk_record_read(arena, csv, &s), WSK_OK);
    assert_int_equal(s->rows, 2);
    assert_int_equal(s->vars, 2);
    assert_int_equal(wsk_record_find(s, WSK_VAR_WALL_W, ""), 0);
    assert_int_equal(wsk_record_find(s, WSK_VAR_CARD_DIE_C, "g"), 1);
    assert_int_equal(wsk_record_find(s, WSK_VAR_CARD_DIE_C, "gg"), -1);
    assert_near(wsk_record_value(s, 0, 1, WSK_STAT_MAX), 6, 0);
    assert_near(wsk_record_value(s, 1, 0, WSK_STAT_MEAN), 8, 0);
    assert_true(isnan(wsk_record_value(s, 1, 1, WSK_STAT_MAX)));
    assert_near(wsk_record_start(s, 1), 60, 0);
    static const char xml[] = "<rig resolved=\"true\" id=\"rig0\" written=\"\" kind=\"rig\">"
                              "<run id=\"run0\" written=\"\" kind=\"run\" for=\"150 s\"/></rig>";
    const wsk_elements *rig = NULL;
    assert_int_equal(wsk_elements_read(xml, strlen(xml), &rig), WSK_OK);
    assert_true(wsk_record_reaches(s, 120, rig));
    assert_true(wsk_record_reaches(s, 149, rig)); /* interrupted within the third minute */
    assert_false(wsk_record_reaches(s, 150, rig));
    assert_true(wsk_record_reaches(s, 180, NULL));
    assert_false(wsk_record_reaches(s, 181, NULL));
    wsk_elements_free(rig);
    /* csv, cut at any byte behind its heading, is read only if the cut is at the end of a row */
    const char *rows = strchr(csv, '\n') + 1;
    for (size_t len = strlen(csv) - 1; len > (size_t)(rows - csv); len--) {
        char cut[512];
        snprintf(cut, sizeof cut, "%.*s", (int)len, csv);
        assert_int_equal(wsk_record_read(arena, cut, &s), cut[len - 1] == '\n' ? WSK_OK : WSK_EINPUT);
    }
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        char text[1024];
        snprintf(text, sizeof text, "%.*s%s", (int)(rows - csv), csv, damaged[i]);
        assert_int_equal(wsk_record_read(arena, text, &s), WSK_EINPUT);
    }
    assert_int_equal(wsk_record_read(arena, "t_s,a.min,a.max,a.mean\n", &s), WSK_EINPUT);
    assert_int_equal(wsk_record_read(arena, "", &s), WSK_EINPUT);
    wsk_arena_free(arena);
}

static void events_are_read(void **state)
{
    const char *at = "t_s,component,what,why,code\n90,psu,fails,\n120.5,gpu0,throttle,a b,throttle.c";
    wsk_event e;
    (void)state;
    assert_false(wsk_event_read(&at, &e));
    assert_true(wsk_event_read(&at, &e));
    assert_near(e.at_s, 90, 0);
    assert_memory_equal(e.component, "psu", e.component_len);
    assert_memory_equal(e.what, "fails", e.what_len);
    assert_int_equal(e.why_len, 0);
    assert_true(wsk_event_read(&at, &e));
    assert_null(at);
    assert_int_equal(e.component_len, 4);
    assert_int_equal(e.what_len, 8);
    assert_int_equal(e.why_len, 3);
    assert_memory_equal(e.why, "a b", 3);
}

/* Six rows of 600 s at 280 W; in one row a pause of 90 s draws 112 W. The pause is 2.5 % of the hour, so the 2nd
 * percentile of the power lies in it and the 5th does not. */
static void a_short_pause_is_outside_of_the_band(void **state)
{
    (void)state;
    wsk_span rows[6];
    for (int i = 0; i < 6; i++)
        rows[i] = (wsk_span){280, 280, 280, 600};
    rows[3] = (wsk_span){112, (510 * 280.0 + 90 * 112.0) / 600, 280, 600};
    assert_near(wsk_spans_percentile(rows, 6, 0.05, true), 280, 1e-3);
    assert_near(wsk_spans_percentile(rows, 6, 0.02, true), 112, 1e-3);
    assert_near(wsk_spans_percentile(rows, 6, 0.95, true), 280, 1e-3);
    assert_near(wsk_spans_percentile(rows, 6, 0, true), 112, 1e-3);
}

/* A die cools from 80 to 66 degC in a pause of 90 s, and t s after the pause it has 80 - 14 exp(-t / 60 s) degC.
 * Over an hour, the 5th percentile computed from rows of 600 s is within 1.5 K of that of the exact curve. */
static void percentiles_of_rows_are_those_of_the_time(void **state)
{
    (void)state;
    enum { ROWS = 6, ROW = 600 };
    wsk_span rows[ROWS];
    double all[ROWS * ROW];
    for (int i = 0; i < ROWS; i++) {
        rows[i] = (wsk_span){INFINITY, 0, -INFINITY, ROW};
        for (int t = i * ROW; t < (i + 1) * ROW; t++) {
            const double since = t - 1000, x = since < 0    ? 80
                                               : since < 90 ? 80 - 14 * since / 90
                                                            : 80 - 14 * exp(-(since - 90) / 60);
            all[t] = x;
            rows[i].min = fmin(rows[i].min, x);
            rows[i].max = fmax(rows[i].max, x);
            rows[i].mean += x / ROW;
        }
    }
    const double found = wsk_spans_percentile(rows, ROWS, 0.05, false);
    int below = 0;
    for (int t = 0; t < ROWS * ROW; t++)
        below += all[t] <= found + 1.5;
    assert_true(below >= 0.05 * ROWS * ROW);
    below = 0;
    for (int t = 0; t < ROWS * ROW; t++)
        below += all[t] < found - 1.5;
    assert_true(below <= 0.05 * ROWS * ROW);
}

static void percentiles_keep_to_the_rows(void **state)
{
    (void)state;
    const wsk_span even = {10, 15, 20, 60}, flat = {7, 7, 7, 60}, both[] = {{0, 5, 10, 60}, {0, 5, 10, 0}},
                   odd[] = {{1, 3.0000001, 3, 60}, {1, 0.9999999, 3, 60}};
    /* Values spread evenly have their percentiles on a straight line; a row of zero length has no weight. */
    for (int i = 0; i <= 10; i++) {
        assert_near(wsk_spans_percentile(&even, 1, 0.1 * i, false), 10 + i, 1e-3);
        assert_near(wsk_spans_percentile(both, 2, 0.1 * i, false), i, 1e-3);
    }
    assert_near(wsk_spans_percentile(&flat, 1, 0.5, false), 7, 0);
    /* In these rows the mean is outside minimum to maximum, as rounding can cause. */
    assert_near(wsk_spans_percentile(odd, 2, 0.25, false), 1, 1e-3);
    assert_near(wsk_spans_percentile(odd, 2, 0.75, false), 3, 1e-3);
    assert_true(isnan(wsk_spans_percentile(odd, 0, 0.5, false)));
    for (double last = 0, share = 0; share <= 1; share += 0.01) {
        const wsk_span rows[] = {{0, 9, 10, 60}, {5, 6, 20, 120}, {30, 31, 31, 10}};
        const double now = wsk_spans_percentile(rows, 3, share, false);
        assert_true(now >= last - 1e-9 && now <= 31);
        last = now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(columns_follow_the_table),
                                       cmocka_unit_test(other_texts_are_no_columns),
                                       cmocka_unit_test(a_series_is_read),
                                       cmocka_unit_test(events_are_read),
                                       cmocka_unit_test(a_short_pause_is_outside_of_the_band),
                                       cmocka_unit_test(percentiles_of_rows_are_those_of_the_time),
                                       cmocka_unit_test(percentiles_keep_to_the_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
