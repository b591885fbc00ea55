/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/books/books.h"
#include "sim/step/step.h"
#include "sim/study/spread/spread.h"
#include "tests/verify/workloads.h"

static char folder[256];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/wsk-work-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state)
{
    (void)state;
    char path[300];
    snprintf(path, sizeof path, "%s/trace.csv", folder);
    remove(path);
    return rmdir(folder);
}

static void put_trace(const char *head, const double *t, const double *y, int count)
{
    char path[300];
    snprintf(path, sizeof path, "%s/trace.csv", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "%s\n", head);
    for (int i = 0; i < count; i++)
        fprintf(f, "%.3f,%.3f\n", t[i], y[i]);
    assert_int_equal(fclose(f), 0);
}

static wsk_run *replay_from(const char *start, const char *workload, double span_s, wsk_rig **rig)
{
    char xml[4096];
    snprintf(xml, sizeof xml, RIG(CARD("1", "") CARD("5", ""), "%s"), workload);
    wsk_rig_options o = {.path = "-",
                         .text = xml,
                         .text_len = strlen(xml),
                         .parts_dir = "parts",
                         .data_dir = folder,
                         .sets = &start,
                         .set_count = 1};
    assert_int_equal(wsk_rig_load(rig, &o), WSK_OK);
    wsk_run *run = wsk_test_run(*rig, WSK_STEPPER_FAST, 3600);
    wsk_test_advance(run, span_s);
    return run;
}

static wsk_run *replay(const char *workload, double span_s, wsk_rig **rig)
{
    return replay_from("run.start=ambient", workload, span_s, rig);
}

/* The rows of the trace begin between control ticks; the expected energy is computed by hand. The run starts with
 * the first row and repeats the trace; the last row lasts as long as the row before it. */
static void test_replayed_energy(void **state)
{
    (void)state;
    const double t[] = {5, 17.25, 18.5, 61.125, 240, 303.4}, w[] = {31.7, 288.4, 120.3, 402.9, 250, 77.7};
    put_trace("t_s,power_w", t, w, 6);
    wsk_rig *rig;
    const double span = 1234;
    wsk_run *run = replay("<workload kind='replay' power='trace.csv'/>", span, &rig);
    double period = 2 * t[5] - t[4] - t[0], energy = 0;
    for (double begin = 0; begin < span; begin += period)
        for (int i = 0; i < 6; i++) {
            double from = begin + t[i] - t[0], to = begin + (i < 5 ? t[i + 1] - t[0] : period);
            energy += from < span ? w[i] * ((to < span ? to : span) - from) : 0;
        }
    assert_rel(wsk_sum_value(&run->books->ledger.dc), 2 * energy, 1e-9);
    wsk_test_drop(run, rig);
}

/* No limit cuts the power of a data file, so the time limited by it is not known, which is not the same as 0 s. */
static void test_limit_of_replayed_power(void **state)
{
    (void)state;
    const double t[] = {0, 100}, w[] = {240, 240};
    put_trace("t_s,power_w", t, w, 2);
    wsk_rig *rig;
    wsk_summary *s;
    wsk_run *run = replay_from("gpu[0].power-limit=150W", "<workload kind='replay' power='trace.csv'/>", 60, &rig);
    assert_near(run->cards[0].power_w, 240, 1e-9);
    assert_true(run->cards[0].held_w < 200);
    assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
    for (size_t i = 0; i < 2; i++)
        assert_true(isnan(wsk_summary_number(s, WSK_R_GPU_LIMITED_BY_POWER, i)));
    wsk_summary_free(s);
    wsk_test_drop(run, rig);
}

static void test_replayed_utilisation(void **state)
{
    (void)state;
    const double t[] = {0, 100, 250, 300}, u[] = {0.25, 0, 0.8, 1};
    put_trace("t_s,utilisation", t, u, 4);
    wsk_rig *rig;
    wsk_run *run = replay("<workload kind='replay' class='training' utilisation='trace.csv'/>", 700, &rig);
    double once = 100 * 0.25 + 50 * 0.8 + 50 * 1;
    assert_true(run->net->cards[0].cls.ref_clock_hz > 1e9);
    assert_rel(work_s(run, 0), 2 * once, 0.01);
    assert_same(work_s(run, 0), work_s(run, 1));
    wsk_test_drop(run, rig);
}

/* The host load of a replayed power is (power - idle) / (highest power - idle), as with a log of the same power; the
 * cards' idle power is 20 W. */
static void test_host_of_replayed_power(void **state)
{
    (void)state;
    const double t[] = {0, 100, 200}, w[] = {120, 220, 10}, load[] = {0.5, 1, 0};
    put_trace("t_s,power_w", t, w, 3);
    wsk_rig *rig;
    wsk_run *run = replay("<workload kind='replay' power='trace.csv'/>", 50, &rig), *steady;
    bool cycling;
    for (int i = 0; i < 3; i++) {
        wsk_test_advance(run, 50 + 100 * i);
        assert_near(run->schedule.load, load[i], 1e-9);
    }
    assert_int_equal(wsk_steady_solve(&steady, run->net, WSK_STEPPER_FAST, &cycling, NULL, NULL), WSK_OK);
    assert_near(steady->schedule.load, ((120 + 220 + 10) / 3.0 - 20) / (220 - 20), 1e-9);
    wsk_run_free(steady);
    wsk_test_drop(run, rig);
}

/* The class of a replayed workload determines which share of the power heats the memory; the energy is that of the
 * trace. */
static void test_replayed_memory(void **state)
{
    (void)state;
    const double t[] = {0, 3600}, w[] = {250, 250};
    static const char *const work[] = {"<workload kind='replay' class='burn' power='trace.csv'/>",
                                       "<workload kind='replay' power='trace.csv'/>",
                                       "<workload kind='replay' class='stream' power='trace.csv'/>"};
    put_trace("t_s,power_w", t, w, 2);
    double last_c = 0;
    for (int i = 0; i < 3; i++) {
        wsk_rig *rig;
        wsk_run *run = replay(work[i], 3600, &rig);
        assert_true(wsk_test_get(run, "gpu0.memory_c") > last_c + 3);
        last_c = wsk_test_get(run, "gpu0.memory_c");
        assert_rel(wsk_sum_value(&run->books->ledger.dc), 2 * 250 * 3600.0, 1e-9);
        assert_true(wsk_residual(run) <= 1e-9);
        wsk_test_drop(run, rig);
    }
}

/* A run with start=steady begins at the steady point of the first row, so nothing changes while that row lasts. A
 * steady point without a run has the mean power of the trace: 300 W for 100 s, 60 W for 300 s and 300 W for 150 s. */
static void test_steady_start_of_a_trace(void **state)
{
    (void)state;
    const double t[] = {0, 100, 250, 400}, w[] = {300, 60, 60, 300};
    put_trace("t_s,power_w", t, w, 4);
    wsk_rig *rig;
    wsk_run *run = replay_from("run.start=steady", "<workload kind='replay' power='trace.csv'/>", 0, &rig), *steady;
    const double first_k = run->cards[0].die_k;
    wsk_test_advance(run, 90);
    assert_near(run->cards[0].power_w, 300, 1e-9);
    assert_near(run->cards[0].die_k, first_k, 0.2);
    bool cycling;
    assert_int_equal(wsk_steady_solve(&steady, run->net, WSK_STEPPER_FAST, &cycling, NULL, NULL), WSK_OK);
    assert_near(steady->cards[0].power_w, (100 * 300 + 300 * 60 + 150 * 300) / 550.0, 1e-9);
    assert_true(steady->cards[0].die_k < first_k - 10);
    wsk_run_free(steady);
    wsk_test_drop(run, rig);
}

/* A run with start=steady begins at the steady point of the load and of the power limit of its first hour, so that
 * nothing changes while they last. */
static void test_steady_start_of_a_day(void **state)
{
    (void)state;
    static const struct {
        const char *card, *workload;
    } rows[] = {
        {"", "<workload kind='inference' load-curve='0 h:0 %, 9 h:0 %, 9.01 h:100 %, 20 h:100 %, 20.01 h:0 %'/>"},
        {"", "<workload kind='inference' load-curve='0 h:30 %, 9 h:30 %, 9.01 h:100 %, 20 h:100 %, 20.01 h:30 %'/>"},
        {"limit-schedule='5 h:150 W, 9 h:300 W'", "<workload kind='training'/>"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const char *const sets[] = {"run.start=steady", "run.from=2026-08-03T06:00:00"};
        char xml[4096];
        snprintf(xml, sizeof xml, RIG("<gpu slot='1' part='gpu/rtx-3090' %s/>", "%s"), rows[i].card,
                 rows[i].workload);
        wsk_rig *rig = wsk_test_rig_sets(xml, sets, 2);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
        const double first_k = run->cards[0].die_k;
        double farthest_k = 0;
        for (double t = 10; t < 1800; t += 10) {
            wsk_test_advance(run, t);
            farthest_k = fmax(farthest_k, fabs(run->cards[0].die_k - first_k));
        }
        assert_true(farthest_k < 1);
        wsk_test_drop(run, rig);
    }
}

static double steady_power_w(const double *t, const double *u, int count, double *work)
{
    put_trace("t_s,utilisation", t, u, count);
    wsk_rig *rig;
    wsk_run *run = replay("<workload kind='replay' utilisation='trace.csv'/>", 0, &rig), *steady;
    bool cycling;
    assert_int_equal(wsk_steady_solve(&steady, run->net, WSK_STEPPER_FAST, &cycling, NULL, NULL), WSK_OK);
    const double power_w = steady->cards[0].power_w;
    *work = steady->cards[0].perf;
    wsk_run_free(steady);
    wsk_test_drop(run, rig);
    return power_w;
}

/* A steady point of a utilisation has its mean: 0.9 for 100 s, 0.1 for 300 s and 0.6 for 400 s are 0.45. Without any
 * utilisation the card draws its idle power. */
static void test_steady_point_of_a_utilisation(void **state)
{
    (void)state;
    const double t[] = {0, 100, 400, 600}, u[] = {0.9, 0.1, 0.6, 0.6}, mean[] = {0.45, 0.45}, none[] = {0, 0};
    double work, mean_work, no_work;
    /* the last row lasts as long as the one before it, 200 s */
    const double power_w = steady_power_w(t, u, 4, &work), mean_w = steady_power_w(t, mean, 2, &mean_work);
    assert_near(power_w, mean_w, 1e-9);
    assert_near(work, mean_work, 1e-12);
    assert_near(steady_power_w(t, none, 2, &no_work), 20, 1e-9);
    assert_same(no_work, 0);
    assert_true(mean_w > 60);
}

/* A card that is off loses the work that the log has for it, not the mean of all cards. */
static void test_lost_work_of_a_log(void **state)
{
    (void)state;
    char path[300];
    snprintf(path, sizeof path, "%s/trace.csv", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs("t_s,index,utilization.gpu [%]\n0,0,100\n0,1,20\n500,0,100\n500,1,20\n", f) >= 0);
    assert_int_equal(fclose(f), 0);
    wsk_rig *rig;
    wsk_run *run = replay("<workload kind='replay' log='trace.csv' class='training'/>", 100, &rig);
    assert_int_equal(wsk_run_set(run, "gpu1.off", 1), WSK_OK);
    wsk_test_advance(run, 400);
    assert_rel(work_s(run, 0), 400, 0.01);
    assert_rel(work_s(run, 1), 100 * 0.2, 0.01);
    assert_rel(wsk_sum_value(&run->cards[1].work_cool), 400 * 0.2, 0.01);
    assert_rel(wsk_sum_value(&run->head->work_gone), 300 * 0.2, 0.01);
    wsk_test_drop(run, rig);
}

/* A trace of dates repeats before its first row, too: half a minute before it the last row holds. */
static void test_dates_before_a_trace(void **state)
{
    (void)state;
    char path[300];
    snprintf(path, sizeof path, "%s/trace.csv", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs("time,power_w\n2026-03-01 00:01,300\n2026-03-01 00:02,60\n2026-03-01 00:03,120\n", f) >= 0);
    assert_int_equal(fclose(f), 0);
    static const struct {
        const char *from;
        double first_w, second_w;
    } cases[] = {{"run.from=2026-03-01T00:00:30", 120, 300},
                 {"run.from=2026-03-01T00:01:30", 300, 60},
                 {"run.from=2026-02-28T23:59:30", 60, 120}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_rig *rig;
        wsk_run *run = replay_from(cases[i].from, "<workload kind='replay' power='trace.csv'/>", 20, &rig);
        assert_near(run->cards[0].power_w, cases[i].first_w, 1e-9);
        wsk_test_advance(run, 50);
        assert_near(run->cards[0].power_w, cases[i].second_w, 1e-9);
        wsk_test_drop(run, rig);
    }
}

/* A trace of a leap year has its last day, too, and repeats only then. */
static void test_last_day_of_a_leap_year(void **state)
{
    (void)state;
    char path[300];
    snprintf(path, sizeof path, "%s/trace.csv", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs("time,power_w\n2024-01-01,60\n2024-12-30,120\n2024-12-31,300\n", f) >= 0);
    assert_int_equal(fclose(f), 0);
    wsk_rig *rig;
    wsk_run *run =
        replay_from("run.from=2024-12-31T23:59:30", "<workload kind='replay' power='trace.csv'/>", 20, &rig);
    assert_near(run->cards[0].power_w, 300, 1e-9);
    wsk_test_advance(run, 50);
    assert_near(run->cards[0].power_w, 60, 1e-9);
    wsk_test_drop(run, rig);
}

static void test_traces_out_of_range(void **state)
{
    (void)state;
    static const struct {
        const char *workload, *head;
        double second;
        bool told;
    } bad[] = {{"utilisation='trace.csv'", "t_s,utilisation", 1.5, true},
               {"utilisation='trace.csv'", "t_s,utilisation_percent", 150, true},
               {"utilisation='trace.csv'", "t_s,utilisation_pct", 150, true},
               {"utilisation='trace.csv'", "t_s,utilisation_pct", 50, false},
               {"utilisation='trace.csv'", "t_s,utilisation_percent", -0.5, true},
               {"power='trace.csv'", "t_s,power_w", -20, true},
               {"utilisation='trace.csv'", "t_s,utilisation_percent", 100, false}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const double t[] = {0, 10, 20}, y[] = {0, bad[i].second, 0};
        char xml[4096];
        put_trace(bad[i].head, t, y, 3);
        snprintf(xml, sizeof xml, RIG(CARD("1", ""), "<workload kind='replay' %s/>"), bad[i].workload);
        wsk_rig_options o = {
            .path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts", .data_dir = folder};
        wsk_rig *rig = NULL;
        assert_int_equal(wsk_rig_load(&rig, &o), bad[i].told ? WSK_EINPUT : WSK_OK);
        if (bad[i].told) {
            const char *file, *text;
            int severity, line, column;
            bool found = false, bare = false;
            for (size_t k = 0; k < wsk_rig_messages(rig); k++) {
                wsk_rig_message(rig, k, &severity, &file, &line, &column, &text);
                found = found || (severity == 0 && strstr(file, "trace.csv") && line == 3 && column == 8 &&
                                  strstr(text, "out of range"));
                bare = bare || strstr(text, "expected at most 1, for its column names no unit; the name of a column "
                                            "in per cent ends in _percent");
            }
            assert_true(found && bare == !strcmp(bad[i].head, "t_s,utilisation"));
        }
        wsk_rig_free(rig);
    }
}

/* Replayed watts were read from the sensors of the cards, whose error of 5 % moves the power at the wall. Replayed
 * utilisation is no reading of watts. */
static void test_replayed_watts_are_readings(void **state)
{
    (void)state;
    static const struct {
        const char *head, *workload;
        double value;
        int readings;
    } rows[] = {{"t_s,power_w", "power='trace.csv'", 240, 2},
                {"t_s,power.draw [W]", "log='trace.csv'", 240, 2},
                {"t_s,utilisation", "class='training' utilisation='trace.csv'", 1, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double t[] = {0, 100, 200}, y[] = {rows[i].value, rows[i].value, rows[i].value};
        char workload[200];
        wsk_rig *rig;
        wsk_spreads s;
        wsk_arena *arena = wsk_arena_new();
        put_trace(rows[i].head, t, y, 3);
        snprintf(workload, sizeof workload, "<workload kind='replay' %s/>", rows[i].workload);
        wsk_run *run = replay(workload, 10, &rig);
        int found = 0;
        assert_int_equal(wsk_spreads_solve(&s, arena, run->net, WSK_STEPPER_FAST), WSK_OK);
        for (int k = 0; k < s.n_source; k++)
            if (s.sources[k].reads) {
                found++;
                assert_near(s.sources[k].raised.wall_rel * s.base.wall_w, 0.05 * 240, 0.01);
            }
        assert_int_equal(found, rows[i].readings);
        wsk_arena_free(arena);
        wsk_test_drop(run, rig);
    }
}

/* Where the power of all cards is given, their work is unknown, also in a unit of the workload; it is not 0. */
static void test_given_watts_tell_no_work(void **state)
{
    (void)state;
    static const struct {
        const char *card, *workload;
        bool told;
    } rows[] = {{"", "kind='replay' power='trace.csv' rate='10' unit='samples'", false},
                {"power='200 W'", "kind='constant' rate='10' unit='samples'", false},
                {"", "kind='constant' rate='10' unit='samples'", true}};
    const double t[] = {0, 10, 20}, y[] = {100, 200, 100};
    put_trace("t_s,power_w", t, y, 3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char xml[4096], *json = NULL, *page = NULL;
        snprintf(xml, sizeof xml, RIG("<gpu slot='1' part='gpu/rtx-3090' %s/>", "<workload %s/>"), rows[i].card,
                 rows[i].workload);
        wsk_rig_options o = {
            .path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts", .data_dir = folder};
        wsk_rig *rig = NULL;
        assert_int_equal(wsk_rig_load(&rig, &o), WSK_OK);
        assert_int_equal(wsk_steady_page(rig, WSK_STEPPER_FAST, 0, NULL, &json, &page), WSK_OK);
        assert_int_equal(strstr(page, "samples a second") != NULL, rows[i].told);
        assert_int_equal(strstr(json, "\"count\": 0") != NULL, 0);
        assert_int_equal(strstr(json, "samples") != NULL, rows[i].told);
        wsk_text_free(json);
        wsk_text_free(page);
        wsk_rig_free(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limit_of_replayed_power),
        cmocka_unit_test(test_replayed_energy),
        cmocka_unit_test(test_replayed_utilisation),
        cmocka_unit_test(test_host_of_replayed_power),
        cmocka_unit_test(test_replayed_memory),
        cmocka_unit_test(test_steady_start_of_a_trace),
        cmocka_unit_test(test_steady_start_of_a_day),
        cmocka_unit_test(test_steady_point_of_a_utilisation),
        cmocka_unit_test(test_lost_work_of_a_log),
        cmocka_unit_test(test_dates_before_a_trace),
        cmocka_unit_test(test_last_day_of_a_leap_year),
        cmocka_unit_test(test_traces_out_of_range),
        cmocka_unit_test(test_replayed_watts_are_readings),
        cmocka_unit_test(test_given_watts_tell_no_work),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
