/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/books/books.h"
#include "sim/step/step.h"
#include "tests/verify/workloads.h"

static char folder[256];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/wsk-log-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state)
{
    (void)state;
    char path[300];
    snprintf(path, sizeof path, "%s/smi.csv", folder);
    remove(path);
    return rmdir(folder);
}

static void put_log(const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/smi.csv", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static wsk_status load(wsk_rig **rig, const char *cards, const char *more, const char *set)
{
    char xml[8192];
    snprintf(xml, sizeof xml, RIG("%s", "<workload kind='replay' log='smi.csv' %s/>"), cards, more);
    const wsk_rig_options o = {.path = "-",
                               .text = xml,
                               .text_len = strlen(xml),
                               .parts_dir = "parts",
                               .data_dir = folder,
                               .sets = &set,
                               .set_count = set ? 1 : 0};
    return wsk_rig_load(rig, &o);
}

static wsk_run *replay(wsk_rig **rig, const char *cards, const char *more, const char *set)
{
    assert_int_equal(load(rig, cards, more, set), WSK_OK);
    return wsk_test_run(*rig, WSK_STEPPER_FAST, 3600);
}

static bool told(const wsk_rig *rig, int severity, const char *part)
{
    for (size_t i = 0; i < wsk_rig_messages(rig); i++) {
        const char *file, *text;
        int level, line, column;
        wsk_rig_message(rig, i, &level, &file, &line, &column, &text);
        if (level == severity && strstr(text, part))
            return true;
    }
    return false;
}

#define HEAD "timestamp, index, power.draw [W], temperature.gpu, fan.speed [%]\n"
/* Card 1 is read 0.4 s after card 0. Five of the eight samples lie between full seconds of the run. */
#define TWO \
    HEAD "2026/11/22 12:00:00.100, 0, 31.5 W, 30, 40 %\n2026/11/22 12:00:00.500, 1, 25.25 W, 41, 40 %\n" \
         "2026/11/22 12:00:10.250, 0, 280.5 W, 31, 40 %\n2026/11/22 12:00:10.650, 1, 120.5 W, 41, 40 %\n" \
         "2026/11/22 12:01:40.100, 0, 40 W, 60, 40 %\n2026/11/22 12:01:40.500, 1, 30 W, 50, 40 %\n" \
         "2026/11/22 12:02:00.100, 0, 40 W, 50, 40 %\n2026/11/22 12:02:00.500, 1, 30 W, 49, 40 %\n"

/* Each card draws its own recorded power: a sample holds from its time to the time of the card's next sample; the
 * first sample holds from the start of the log. */
static void test_each_card_at_its_times(void **state)
{
    (void)state;
    put_log(TWO);
    wsk_rig *rig;
    wsk_run *run = replay(&rig, CARD("1", "") CARD("5", ""), "", NULL);
    wsk_test_advance(run, 10.1);
    assert_near(run->cards[0].power_w, 31.5, 1e-9);
    wsk_test_advance(run, 11);
    assert_near(run->cards[0].power_w, 280.5, 1e-9);
    assert_near(run->cards[1].power_w, 120.5, 1e-9);
    wsk_test_advance(run, 110);
    const double first = 31.5 * 10.15 + 280.5 * (100 - 10.15) + 40 * 10,
                 second = 25.25 * 10.55 + 120.5 * (100.4 - 10.55) + 30 * 9.6;
    assert_rel(wsk_sum_value(&run->books->ledger.dc), first + second, 1e-9);
    wsk_test_drop(run, rig);
}

/* In a gap of ten minutes the last value holds, and a message says so. A log with rows of two cards but no column that
 * tells the cards apart is refused. */
static void test_holes_are_told(void **state)
{
    (void)state;
    char text[8192];
    size_t at = (size_t)snprintf(text, sizeof text, "%s", HEAD);
    for (int s = 0; s < 40; s++)
        at += (size_t)snprintf(text + at, sizeof text - at, "2026/11/22 12:%02d:%02d.100, 0, %d W, 50, 40 %%\n",
                               s < 20 ? 0 : 10, s, s < 20 ? 100 : 30);
    put_log(text);
    wsk_rig *rig;
    wsk_run *run = replay(&rig, CARD("1", ""), "", NULL);
    assert_true(
        told(rig, 1, "no power from 2026-11-22T12:00:19 to 2026-11-22T12:10:20 (10 min 1 s); the last value"));
    wsk_test_advance(run, 600);
    assert_near(run->cards[0].power_w, 100, 1e-9);
    wsk_test_drop(run, rig);
    at = (size_t)snprintf(text, sizeof text, "timestamp, power.draw [W], temperature.gpu\n");
    for (int s = 0; s < 40; s++)
        at += (size_t)snprintf(text + at, sizeof text - at, "2026/11/22 12:00:%02d.%03d, %d W, %d\n", s / 2,
                               100 + 2 * (s % 2), 100 + s % 2, 50 + 9 * (s % 2));
    put_log(text);
    assert_int_equal(load(&rig, CARD("1", ""), "", NULL), WSK_EINPUT);
    assert_true(told(rig, 0, "rows of several cards seem to be mixed here"));
    wsk_rig_free(rig);
}

/* The last sample lasts as long as the one before it, 20 s; then the log repeats. The last sample is card 1's, 120.4
 * s after the first sample, so the log repeats at 140.4 s. */
static void test_repeats(void **state)
{
    (void)state;
    put_log(TWO);
    wsk_rig *rig;
    wsk_run *run = replay(&rig, CARD("1", "") CARD("5", ""), "", NULL);
    assert_true(told(rig, 1, "the log repeats"));
    wsk_test_advance(run, 140);
    assert_near(run->cards[0].power_w, 40, 1e-9);
    wsk_test_advance(run, 141);
    assert_near(run->cards[0].power_w, 31.5, 1e-9);
    wsk_test_advance(run, 152);
    assert_near(run->cards[0].power_w, 280.5, 1e-9);
    wsk_test_drop(run, rig);
}

/* The run begins at the first temperatures of the log, whatever start= says. A card that had been idle for long nearly
 * keeps its temperature; a card that was still warm cools. */
static void test_begins_as_the_log(void **state)
{
    (void)state;
    static const char *const starts[] = {"run.start=ambient", "run.start=steady"};
    put_log(TWO);
    for (int i = 0; i < 2; i++) {
        wsk_rig *rig;
        wsk_run *run = replay(&rig, CARD("1", "") CARD("5", ""), "", starts[i]);
        assert_near(run->cards[0].die_k, 273.15 + 30, 1e-6);
        assert_near(run->cards[1].die_k, 273.15 + 41, 1e-6);
        wsk_test_advance(run, 5);
        assert_near(run->cards[0].die_k, 273.15 + 30, 2);
        assert_true(run->cards[1].die_k < 273.15 + 41);
        wsk_test_drop(run, rig);
    }
}

static void test_one_for_all(void **state)
{
    (void)state;
    put_log("timestamp,power.draw [W]\n2026/11/22 12:00:00,100 W\n2026/11/22 12:30:00,100 W\n");
    wsk_rig *rig;
    wsk_run *run =
        replay(&rig, CARD("1", "id='a'") CARD("5", "id='b'") CARD("9", "id='c'"), "gpus='a c'", "run.for=10 min");
    assert_false(told(rig, 1, "the log repeats"));
    wsk_test_advance(run, 5);
    assert_near(run->cards[0].power_w, 100, 1e-9);
    assert_near(run->cards[2].power_w, 100, 1e-9);
    assert_true(run->cards[1].power_w < 30);
    /* a log without temperatures starts at room temperature; 100 W for 5 s into 200 J/K are 2.5 K */
    assert_near(run->t[run->net->cards[0].heatsink], 298.15, 3);
    wsk_test_drop(run, rig);
}

/* A replay at a power limit of 250 W: the power is the lower of log and limit. At the default limit the log's power
 * is used, even if the log's sensor shows more than the limit. */
static void test_another_limit(void **state)
{
    (void)state;
    put_log(HEAD "2026/11/22 12:00:00, 0, 305 W, 60, 40 %\n2026/11/22 12:05:00, 0, 180 W, 60, 40 %\n"
                 "2026/11/22 12:10:00, 0, 305 W, 60, 40 %\n");
    wsk_rig *rig;
    wsk_run *run = replay(&rig, CARD("1", ""), "", NULL);
    wsk_test_advance(run, 290);
    assert_near(run->cards[0].power_w, 305, 1e-9);
    assert_int_equal(run->cards[0].reasons & WSK_REASON_POWER, 0);
    const double hot_k = run->cards[0].die_k;
    wsk_test_drop(run, rig);
    run = replay(&rig, CARD("1", "power-limit='250 W'"), "", NULL);
    wsk_test_advance(run, 290);
    assert_near(run->cards[0].power_w, 250, 1e-9);
    assert_true(run->cards[0].reasons & WSK_REASON_POWER);
    assert_true(run->cards[0].die_k < hot_k - 1);
    wsk_test_advance(run, 400);
    assert_near(run->cards[0].power_w, 180, 1e-9);
    assert_int_equal(run->cards[0].reasons & WSK_REASON_POWER, 0);
    wsk_test_drop(run, rig);
}

static bool is_near(double value, double want)
{
    return isnan(want) ? isnan(value) : fabs(value - want) < 1e-2 * want;
}

/* If a log gives the power of a card, its work is unknown, and so are its clock and its limits unless the log or the
 * rig gives them. */
static void test_what_is_known(void **state)
{
    (void)state;
    static const char watts[] = HEAD "2026/11/22 12:00:00, 0, 280 W, 60, 40 %\n"
                                     "2026/11/22 12:10:00, 0, 280 W, 60, 40 %\n",
                      clocks[] = "timestamp,index,power.draw [W],clocks.sm [MHz]\n"
                                 "2026/11/22 12:00:00,0,280 W,1000 MHz\n2026/11/22 12:10:00,0,280 W,1000 MHz\n";
    static const struct {
        const char *log, *card;
        double clock_mhz, limited_s;
    } cases[] = {{watts, CARD("1", ""), NAN, NAN},
                 {watts, CARD("1", "power-limit='250 W'"), NAN, 300},
                 {clocks, CARD("1", ""), 1000, NAN},
                 {watts, CARD("1", "power='200 W'"), NAN, NAN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_log(cases[i].log);
        wsk_rig *rig;
        wsk_summary *s;
        wsk_run *run = replay(&rig, cases[i].card, "", NULL);
        wsk_test_advance(run, 300);
        assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
        assert_true(is_near(wsk_summary_number(s, WSK_R_GPU_CLOCK_MEAN, 0), cases[i].clock_mhz));
        assert_true(isnan(wsk_summary_number(s, WSK_R_GPU_WORK, 0)));
        assert_true(is_near(wsk_summary_number(s, WSK_R_GPU_LIMITED_BY_POWER, 0), cases[i].limited_s));
        assert_true(isnan(wsk_summary_number(s, WSK_R_GPU_LIMITED_BY_HEAT, 0)));
        wsk_summary_free(s);
        wsk_test_drop(run, rig);
    }
}

static void test_fans(void **state)
{
    (void)state;
    put_log(HEAD "2026/11/22 12:00:00, 0, 100 W, 40, 40 %\n2026/11/22 12:05:00, 0, 100 W, 40, 99 %\n"
                 "2026/11/22 12:10:00, 0, 100 W, 40, 99 %\n");
    wsk_rig *rig;
    wsk_run *run = replay(&rig, CARD("1", ""), "", NULL);
    const int mover = run->net->cards[0].mover;
    const double highest = run->net->cards[0].rpm_max;
    wsk_test_advance(run, 200);
    assert_near(run->rpm[mover], 0.40 * highest, 0.01 * highest);
    wsk_test_advance(run, 400);
    assert_near(run->rpm[mover], 0.99 * highest, 0.01 * highest);
    wsk_test_drop(run, rig);
    run = replay(&rig, CARD("1", ""), "take='load'", NULL);
    wsk_test_advance(run, 200);
    /* The fan control allows no less than 2900 of 3000 rpm. */
    assert_true(run->rpm[mover] > 0.9 * highest);
    assert_near(run->cards[0].power_w, 100, 1e-9);
    wsk_test_drop(run, rig);
}

static void test_inlet(void **state)
{
    (void)state;
    put_log("t_s,gpu0.power_w.mean,room.air_c.mean\n0,50,20\n100,50,35\n200,50,35\n");
    wsk_rig *rig;
    wsk_run *run = replay(&rig, CARD("1", ""), "", NULL);
    wsk_test_advance(run, 50);
    assert_near(run->t[run->net->room], 273.15 + 20, 1e-9);
    wsk_test_advance(run, 150);
    assert_near(run->t[run->net->room], 273.15 + 35, 1e-9);
    wsk_test_drop(run, rig);
    run = replay(&rig, CARD("1", ""), "take='load'", NULL);
    wsk_test_advance(run, 150);
    assert_near(run->t[run->net->room], 273.15 + 25, 1e-9);
    wsk_test_drop(run, rig);
}

/* In a log without power, utilisation is the share of the time with work. */
static void test_utilisation(void **state)
{
    (void)state;
    put_log("timestamp,index,utilization.gpu [%]\n2026/11/22 12:00:00,0,25 %\n2026/11/22 12:00:00,1,0 %\n"
            "2026/11/22 12:01:40,0,80 %\n2026/11/22 12:01:40,1,100 %\n"
            "2026/11/22 12:03:20,0,80 %\n2026/11/22 12:03:20,1,100 %\n");
    wsk_rig *rig;
    wsk_run *run = replay(&rig, CARD("1", "") CARD("5", ""), "class='training'", NULL);
    wsk_test_advance(run, 50);
    assert_rel(wsk_test_get(run, "gpu0.utilisation"), 0.25, 1e-12);
    assert_near(wsk_test_get(run, "gpu1.utilisation"), 0, 0);
    wsk_test_advance(run, 200);
    assert_rel(wsk_test_get(run, "gpu0.utilisation"), 0.8, 1e-12);
    assert_rel(work_s(run, 0), 100 * 0.25 + 100 * 0.8, 0.01);
    assert_rel(work_s(run, 1), 100, 0.01);
    /* A steered load or power replaces the recorded utilisation. */
    assert_int_equal(wsk_run_set(run, "gpu0.utilisation", 0.5), WSK_OK);
    assert_int_equal(wsk_run_set(run, "gpu1.power_w", 1), WSK_OK);
    wsk_test_advance(run, 300);
    assert_true(fabs(wsk_test_get(run, "gpu0.utilisation") - 0.8) > 0.1 &&
                wsk_test_get(run, "gpu0.utilisation") > 0.2);
    assert_near(wsk_test_get(run, "gpu1.utilisation"), 0, 0);
    wsk_test_drop(run, rig);
}

/* The log's memory utilisation is the share of time in which memory is read or written. The memory draws 12 W without
 * traffic (a third of 36 W, which is 0.12 tdp) and 48 W more at full traffic (36 W is its power at half of the
 * bandwidth). The board power stays that of the log. memory-traffic in the rig replaces the log's. */
static void test_memory_traffic(void **state)
{
    (void)state;
    put_log("timestamp,index,power.draw [W],utilization.memory [%]\n2026/11/22 12:00:00,0,250,0 %\n"
            "2026/11/22 12:01:40,0,250,100.4 %\n2026/11/22 12:03:20,0,250,40 %\n2026/11/22 12:05:00,0,250,40 %\n");
    static const double traffic[] = {0, 1, 0.4};
    wsk_rig *rig;
    wsk_run *run = replay(&rig, CARD("1", ""), "class='training'", NULL);
    for (int i = 0; i < 3; i++) {
        wsk_test_advance(run, 100 * i + 50);
        assert_rel(run->cards[0].memory_w, 12 + 48 * traffic[i], 1e-9);
        assert_rel(run->cards[0].power_w, 250, 1e-12);
    }
    wsk_test_drop(run, rig);
    run = replay(&rig, CARD("1", ""), "class='training' memory-traffic='40 %'", NULL);
    wsk_test_advance(run, 50);
    const double stated_w = run->cards[0].memory_w;
    wsk_test_advance(run, 150);
    assert_rel(run->cards[0].memory_w, stated_w, 1e-12);
    assert_true(stated_w > 20 && stated_w < 12 + 48 * 0.4 + 1e-9);
    wsk_test_drop(run, rig);
}

#define AT_1_GHZ \
    "timestamp,index,utilization.gpu [%%],clocks.sm [MHz]\n2026/11/22 12:00:00,0,%d %%,1000 MHz\n" \
    "2026/11/22 12:05:00,0,%d %%,1000 MHz\n"

/* Utilisation u at clock f: P = idle + u (P(f) - idle). Below the knee of the voltage curve, the card of these tests
 * draws P(f) = 60 W + 110 W/GHz f. A limit of 150 W holds it at 818 MHz: the same work takes a longer share of the
 * time; if that share would exceed 1, work is lost. */
static void test_clock(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const double used = i % 2 ? 0.98 : 0.6, limit_w = i < 2 ? 300 : 150, f = i < 2 ? 1e9 : 90 / 110e-9;
        char text[400];
        snprintf(text, sizeof text, AT_1_GHZ, (int)(100 * used + 0.5), (int)(100 * used + 0.5));
        put_log(text);
        wsk_rig *rig;
        wsk_run *run =
            replay(&rig, i < 2 ? CARD("1", "") : CARD("1", "power-limit='150 W'"), "class='training'", NULL);
        const wsk_card *c = &run->net->cards[0];
        const wsk_card_state *s = &run->cards[0];
        wsk_test_advance(run, 100);
        const double asked = used * c->ops->perf_rel(&c->cls, 1e9), perf = c->ops->perf_rel(&c->cls, f),
                     busy = asked / perf < 1 ? asked / perf : 1;
        assert_rel(s->clock_hz, f, 1e-3);
        assert_rel(s->power_w, 20 + busy * (60 + 110e-9 * f - 20), 1e-3);
        assert_true(s->power_w <= limit_w);
        assert_rel(s->perf, asked < perf ? asked : perf, 1e-3);
        assert_rel(s->perf_free, asked, 1e-9);
        assert_int_equal(s->reasons & WSK_REASON_POWER, i < 2 ? 0 : WSK_REASON_POWER);
        wsk_test_drop(run, rig);
    }
}

/* A log with power and clock: the clock is the log's, unless a lower power limit holds the card below it. A limit of
 * 150 W holds this card at 818 MHz. */
static void test_clock_beside_power(void **state)
{
    (void)state;
    static const struct {
        int logged_mhz;
        const char *card;
        double clock_hz, power_w;
    } cases[] = {{1700, CARD("1", ""), 1.7e9, 250},
                 {600, CARD("1", ""), 600e6, 250},
                 {1700, CARD("1", "power-limit='150 W'"), 90 / 110e-9, 150},
                 {600, CARD("1", "power-limit='150 W'"), 600e6, 150},
                 {600, CARD("1", "power-limit='280 W'"), 600e6, 250}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "timestamp,index,power.draw [W],clocks.sm [MHz]\n2026/11/22 12:00:00,0,250 W,%d MHz\n"
                 "2026/11/22 12:05:00,0,250 W,%d MHz\n",
                 cases[i].logged_mhz, cases[i].logged_mhz);
        put_log(text);
        wsk_rig *rig;
        wsk_run *run = replay(&rig, cases[i].card, "class='training'", NULL);
        wsk_test_advance(run, 100);
        assert_rel(run->cards[0].power_w, cases[i].power_w, 1e-9);
        assert_rel(run->cards[0].clock_hz, cases[i].clock_hz, 1e-3);
        wsk_test_drop(run, rig);
    }
}

/* The host load is (card power - idle) / (highest power of the log - idle), 0 if none exceeds the idle 20 W. */
static void test_load_of_the_host(void **state)
{
    (void)state;
    static const struct {
        int first_w, second_w;
        double load; /* at the first row */
    } cases[] = {{10, 15, 0}, {20, 20, 0}, {120, 220, 0.5}, {220, 20, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "%s2026/11/22 12:00:00, 0, %d W, 30, 40 %%\n2026/11/22 12:05:00, 0, %d W, 30, 40 %%\n", HEAD,
                 cases[i].first_w, cases[i].second_w);
        put_log(text);
        wsk_rig *rig;
        wsk_run *run = replay(&rig, CARD("1", ""), "", NULL);
        wsk_test_advance(run, 100);
        assert_near(run->activity.load, cases[i].load, 1e-9);
        assert_near(run->cards[0].power_w, cases[i].first_w, 1e-9);
        wsk_test_drop(run, rig);
    }
}

static void test_steady(void **state)
{
    (void)state;
    put_log("timestamp,index,power.draw [W]\n2026/11/22 12:00:00,0,300 W\n2026/11/22 12:00:00,1,50 W\n"
            "2026/11/22 12:01:40,0,60 W\n2026/11/22 12:01:40,1,150 W\n"
            "2026/11/22 12:03:20,0,60 W\n2026/11/22 12:03:20,1,150 W\n");
    wsk_rig *rig;
    wsk_run *run = replay(&rig, CARD("1", "") CARD("5", ""), "", NULL), *steady;
    bool cycling;
    assert_int_equal(wsk_steady_solve(&steady, run->net, WSK_STEPPER_FAST, &cycling, NULL, NULL), WSK_OK);
    assert_near(steady->cards[0].power_w, (300 + 60 + 60) / 3.0, 1e-9);
    assert_near(steady->cards[1].power_w, (50 + 150 + 150) / 3.0, 1e-9);
    wsk_run_free(steady);
    wsk_test_drop(run, rig);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *told;
    } bad[] = {{"timestamp,index,temperature.gpu\n2026/11/22 12:00:00,0,40\n2026/11/22 12:00:01,0,40\n",
                "neither power nor utilisation"},
               {TWO "2026/11/22 12:02:01, 2, 30 W, 50, 40 %\n", "cards of the log: 3, working cards of the rig: 2"},
               {HEAD "2026/11/22 12:00:00.100, 0, 31.5 W, 30, 40 %\n", "one sample"},
               {"rhubarb\n", "smi.csv"},
               {"", "empty"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        wsk_rig *rig = NULL;
        put_log(bad[i].text);
        assert_int_equal(load(&rig, CARD("1", "") CARD("5", ""), "", NULL), WSK_EINPUT);
        bool found = told(rig, 0, bad[i].told);
        for (size_t k = 0; k < wsk_rig_messages(rig); k++) {
            const char *file, *text;
            int level, line, column;
            wsk_rig_message(rig, k, &level, &file, &line, &column, &text);
            found = found || (level == 0 && file && strstr(file, bad[i].told));
        }
        assert_true(found);
        wsk_rig_free(rig);
    }
}

static void test_digest(void **state)
{
    (void)state;
    char digest[2][80];
    for (int i = 0; i < 2; i++) {
        wsk_rig *rig;
        put_log(i ? "t_s,gpu0.power_w.mean\n0,50\n10,51\n" : "t_s,gpu0.power_w.mean\n0,50\n10,52\n");
        assert_int_equal(load(&rig, CARD("1", ""), "", NULL), WSK_OK);
        snprintf(digest[i], sizeof digest[i], "%s", wsk_rig_digest(rig));
        wsk_rig_free(rig);
    }
    assert_string_not_equal(digest[0], digest[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_card_at_its_times),
        cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_holes_are_told),
        cmocka_unit_test(test_begins_as_the_log),
        cmocka_unit_test(test_one_for_all),
        cmocka_unit_test(test_another_limit),
        cmocka_unit_test(test_what_is_known),
        cmocka_unit_test(test_fans),
        cmocka_unit_test(test_inlet),
        cmocka_unit_test(test_utilisation),
        cmocka_unit_test(test_memory_traffic),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_clock_beside_power),
        cmocka_unit_test(test_load_of_the_host),
        cmocka_unit_test(test_steady),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_digest),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
