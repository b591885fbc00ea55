/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workloads against hand calculations: links, pipelines, unlike cards, partial load, load curves, traces of power
 * or utilisation, and failures that throw the job back. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/books/books.h"
#include "tests/support/bench.h"
#include "sim/books/observe.h"

/* A chassis that has no effect, so that cards do not warm each other, and a card whose power depends on its clock
 * only. */
#define RIG(cards, workload) RIG_AT("25 degC", cards, workload)
#define RIG_AT(room, cards, workload) \
    "<rig><site><room temperature='" room "'/></site><chassis slots='20' intake-loss='0' wall-gap='1 m'>" \
    "<vent at='side' area='100 m2'/><vent at='side' area='100 m2'/><vent at='front' area='100 m2'/>" \
    "<fan at='front' diameter='1 m' pressure='10 Pa' flow='20 m3/s' rpm='100 rpm' power='0 W'/>" cards \
    "</chassis>" workload "<run for='1 h'/></rig>"
#define CARD(slot, more) CARD_THAT_LEAKS("0 W", slot, more)
#define CARD_THAT_LEAKS(leakage, slot, more) \
    "<gpu slot='" slot "' tdp='300 W' power-limit-min='90 W' idle='20 W' clock-max='1800 MHz' clock-knee='1200 MHz'" \
    " voltage-slope='0.5 1/GHz' leakage='" leakage \
    "' boost-loss='0 MHz/K' target-temperature='80 degC' waiting='0.3' " more \
    "><class name='training' p0='60 W' c='110 W/GHz' clock-share='0.83'/>" \
    "<cooler kind='blower' conductance='20 W/K' flow='60 m3/h' drop='120 Pa' fan-pressure='400 Pa' fan-flow='80 " \
    "m3/h'" \
    " fan-rpm='3000 rpm' rpm-min='2900 rpm' capacity='200 J/K'/></gpu>"
#define FOUR(a, b, c, d) CARD("1", a) CARD("5", b) CARD("9", c) CARD("13", d)

static const double idle_w = 20, waiting = 0.3;

static wsk_run *run_of(const char *xml, double span_s, wsk_rig **rig)
{
    *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(*rig, WSK_STEPPER_FAST, span_s);
    wsk_test_advance(run, span_s);
    return run;
}

static void drop(wsk_run *run, wsk_rig *rig)
{
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static double work_s(const wsk_run *run, int card)
{
    return wsk_sum_value(&run->cards[card].work);
}

static double all_work_s(const wsk_run *run)
{
    double sum = 0;
    for (int i = 0; i < run->net->n_card; i++)
        sum += work_s(run, i);
    return sum;
}

/* Work per second and power, W, of the rig's first card after ten minutes. */
typedef struct {
    double pace, watts;
} point;

static point point_of(const char *xml)
{
    wsk_rig *rig;
    wsk_run *run = run_of(xml, 600, &rig);
    point p = {run->cards[0].perf, run->cards[0].power_w};
    drop(run, rig);
    return p;
}

static double mean_w(const wsk_run *run, int card)
{
    return wsk_var_mean(run, WSK_VAR_CARD_POWER_W, card);
}

/* ---- cards that work in step ---- */

/* Cards that work in step all do the work of the throttled one. Its speed is taken from a run in which no card
 * waits. */
static void test_the_slowest_sets_the_pace(void **state)
{
    (void)state;
    static const char alone[] = RIG(FOUR("", "", "", "mount='5'"), "<workload kind='constant' class='training'/>");
    static const char together[] = RIG(FOUR("", "", "", "mount='5'"), "<workload class='training'/>");
    wsk_rig *rig_a, *rig_b;
    wsk_run *a = run_of(alone, 3600, &rig_a), *b = run_of(together, 3600, &rig_b);
    assert_true(a->cards[3].throttle_ns[1] > 1000 * WSK_NS && a->cards[0].throttle_ns[1] == 0);
    assert_true(work_s(a, 3) < 0.9 * work_s(a, 0));
    assert_rel(all_work_s(b), 4 * work_s(a, 3), 0.005);
    for (int i = 0; i < 3; i++) {
        double busy = work_s(a, 3) / work_s(a, i), run_w = mean_w(a, i), wait_w = idle_w + waiting * (run_w - idle_w);
        assert_true(mean_w(b, i) < mean_w(a, i) - 10);
        assert_rel(mean_w(b, i), busy * run_w + (1 - busy) * wait_w, 0.01);
    }
    drop(a, rig_a);
    drop(b, rig_b);
}

static void check_link(const char *slot, const char *nvlink, double link)
{
    char xml[4096];
    const double data = 0.07, talk = 0.12, clock_hz = 1.1e9;
    snprintf(xml, sizeof xml,
             RIG(CARD("1", "clock='1100 MHz' %s %s") CARD("5", "clock='1100 MHz'"),
                 "<workload class='training' data-share='%.2f' communication='%.2f'/>"),
             slot, nvlink, data, talk);
    wsk_rig *rig;
    wsk_run *run = run_of(xml, 600, &rig);
    double perf = run->net->cards[0].ops->perf_rel(&run->net->cards[0].cls, clock_hz);
    double pace = 1 / ((1 - data - talk) / perf + data + talk / link), busy = pace * (1 - data - talk) / perf;
    double run_w = 60 + 110 * 1.1, wait_w = idle_w + waiting * (run_w - idle_w);
    assert_rel(run->cards[0].perf, pace, 1e-12);
    assert_rel(run->cards[1].perf, pace, 1e-12);
    assert_rel(run->cards[0].power_w, busy * run_w + (1 - busy) * wait_w, 1e-9);
    drop(run, rig);
}

/* The slowest link sets the time for communication; check_link's second card has 16 lanes of PCIe 4. */
static void test_links(void **state)
{
    (void)state;
    check_link("", "", 1);
    check_link("lanes='8'", "", 0.5);
    check_link("lanes='4'", "", 0.25);
    check_link("lanes='8' pcie='3'", "", 0.25);
    check_link("lanes='16' pcie='5'", "", 1);
    check_link("lanes='4'", "nvlink='yes'", 1);
}

static void test_nvlink(void **state)
{
    (void)state;
    const double talk = 0.2;
    point slow = point_of(RIG(FOUR("clock='1100 MHz'", "clock='1100 MHz'", "clock='1100 MHz'", "clock='1100 MHz'"),
                              "<workload class='training' communication='20 %'/>"));
    point fast = point_of(RIG(FOUR("clock='1100 MHz' nvlink='yes'", "clock='1100 MHz' nvlink='yes'",
                                   "clock='1100 MHz' nvlink='yes'", "clock='1100 MHz' nvlink='yes'"),
                              "<workload class='training' communication='20 %'/>"));
    assert_rel(1 / slow.pace - 1 / fast.pace, talk - talk / 8, 1e-12);
    /* a single card has no communication, but its reference step contains that share: its step is shorter */
    point one = point_of(RIG(CARD("1", "clock='1100 MHz'"), "<workload class='training' communication='20 %'/>"));
    point none = point_of(RIG(CARD("1", "clock='1100 MHz'"), "<workload class='training'/>"));
    assert_rel(one.pace, none.pace / (1 - talk), 1e-12);
}

/* In a pipeline of n cards and m micro-batches each card waits (n - 1)/(m + n - 1) of the step, at waiting power. */
static void test_pipeline(void **state)
{
    (void)state;
    static const char *const batches[] = {"4", "32"};
    for (int i = 0; i < 2; i++) {
        char xml[4096];
        snprintf(xml, sizeof xml,
                 RIG(FOUR("clock='1100 MHz'", "clock='1100 MHz'", "clock='1100 MHz'", "clock='1100 MHz'"),
                     "<workload class='training' parallel='pipeline' micro-batches='%s'/>"),
                 batches[i]);
        double rest = 3 / (atof(batches[i]) + 3), run_w = 60 + 110 * 1.1,
               wait_w = idle_w + waiting * (run_w - idle_w);
        assert_rel(point_of(xml).watts, (1 - rest) * run_w + rest * wait_w, 1e-9);
    }
}

/* A card of half the speed holds back a card of full speed: both do the same steps, and the fast one waits. */
static void test_unlike_cards(void **state)
{
    (void)state;
    static const char xml[] =
        RIG(CARD("1", "clock='1100 MHz'") CARD("5", "clock='1100 MHz' speed='0.5'"), "<workload class='training'/>");
    wsk_rig *rig;
    wsk_run *run = run_of(xml, 600, &rig);
    double perf = run->net->cards[0].ops->perf_rel(&run->net->cards[0].cls, 1.1e9), run_w = 60 + 110 * 1.1;
    assert_rel(run->cards[1].perf, perf, 1e-12);
    assert_rel(run->cards[0].perf, perf / 2, 1e-12);
    assert_rel(run->cards[1].power_w, run_w, 1e-9);
    assert_rel(run->cards[0].power_w, 0.5 * run_w + 0.5 * (idle_w + waiting * (run_w - idle_w)), 1e-9);
    drop(run, rig);
}

static void page_says(const char *xml, const char *words, const char *not_these)
{
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    char *json = NULL, *page = NULL;
    assert_int_equal(wsk_steady_json(rig, WSK_STEPPER_FAST, 0, &json, &page), WSK_OK);
    if (!strstr(page, words) || strstr(page, not_these))
        fail_msg("expected \"%s\" and no \"%s\":\n%s", words, not_these, page);
    wsk_text_free(json);
    wsk_text_free(page);
    wsk_rig_free(rig);
}

/* The text names the right cause of lost work: a locked clock is no power limit. With 4 lanes instead of 16, 30 %
 * of communication takes four times as long: 1.2 of a step of 1.9. */
static void test_the_cause_is_named(void **state)
{
    (void)state;
    const char *limits = " power limits -", *lock = " a locked clock -", *both = " power limits and a locked clock -";
    page_says(RIG(CARD("1", "lock-clock='1100 MHz'"), "<workload class='training'/>"), lock, limits);
    page_says(RIG(CARD("1", "power-limit='150 W'"), "<workload class='training'/>"), limits, lock);
    page_says(RIG(CARD("1", "power-limit='299 W' lock-clock='1100 MHz'"), "<workload class='training'/>"), lock,
              limits);
    page_says(
        RIG(CARD("1", "power-limit='150 W'") CARD("5", "lock-clock='1100 MHz'"), "<workload class='training'/>"),
        both, limits);
    page_says(RIG(CARD("1", "") CARD("5", "lanes='4'"), "<workload class='training' communication='30 %'/>"),
              "gpu1: 4 lanes of PCI Express 4 make communication 63.2 % of a step, 16 lanes of PCI Express 4 make it "
              "30 %: 47 % "
              "less work.",
              limits);
    page_says(RIG(CARD("1", "") CARD("5", ""), "<workload class='training' communication='30 %'/>"), "Heat ",
              "communication");
}

static bool warned(const char *xml, const char *words)
{
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    bool told = false;
    for (size_t k = 0; k < wsk_rig_messages(rig); k++) {
        const char *file, *text;
        int severity, line, column;
        wsk_rig_message(rig, k, &severity, &file, &line, &column, &text);
        told = told || strstr(text, words);
    }
    wsk_rig_free(rig);
    return told;
}

/* Settings of a card that have no effect give a warning. */
static void test_settings_without_a_say(void **state)
{
    (void)state;
    assert_true(warned(RIG(CARD("1", "clock='1100 MHz' lock-clock='1200 MHz'"), "<workload class='training'/>"),
                       "lock-clock has no effect: clock=\"...\" of gpu0"));
    assert_true(warned(RIG(CARD("1", "power='200 W' limit-schedule='7 h:150 W'"), "<workload class='training'/>"),
                       "limit-schedule has no effect"));
    assert_true(
        warned(RIG(CARD("1", "power-limit='180 W' limit-schedule='7 h:150 W'"), "<workload class='training'/>"),
               "power-limit has no effect"));
    assert_false(warned(
        RIG(CARD("1", "power-limit='150 W' limit-schedule='7 h:150 W'"), "<workload class='training'/>"), "no say"));
    assert_true(
        warned(RIG(CARD("1", "lock-clock='1900 MHz'"), "<workload class='training'/>"), "the nearest is used"));
    assert_false(
        warned(RIG(CARD("1", "lock-clock='1800 MHz'"), "<workload class='training'/>"), "the nearest is used"));
}

/* A card counts as limited by power while it computes, not while it waits for a slower card. */
static void test_who_waits_is_not_limited(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = run_of(RIG(CARD("1", "power-limit='150 W'") CARD("5", "power-limit='150 W' speed='0.5'"),
                              "<workload class='training'/>"),
                          600, &rig);
    assert_rel((double)run->cards[1].throttle_ns[0], 600e9, 0.01);
    assert_rel((double)run->cards[0].throttle_ns[0], 300e9, 0.01);
    drop(run, rig);
}

/* ---- cards that work independently ---- */

/* Work arrives for a share of the time, measured at reference speed. A slower card is busy longer, until it cannot
 * keep up. */
static void test_partial_load(void **state)
{
    (void)state;
    static const double loads[] = {0.15, 0.4, 0.63, 0.97};
    double run_w = 60 + 110 * 1.1;
    for (int i = 0; i < 4; i++) {
        char xml[4096];
        snprintf(xml, sizeof xml,
                 RIG(CARD("1", "clock='1100 MHz'"), "<workload kind='constant' class='training' load='%.2f'/>"),
                 loads[i]);
        wsk_rig *rig;
        wsk_run *run = run_of(xml, 600, &rig);
        double perf = run->net->cards[0].ops->perf_rel(&run->net->cards[0].cls, 1.1e9),
               busy = loads[i] / perf < 1 ? loads[i] / perf : 1;
        assert_true(perf < 0.95);
        assert_rel(work_s(run, 0), 600 * (loads[i] < perf ? loads[i] : perf), 1e-12);
        assert_rel(run->cards[0].power_w, idle_w + busy * (run_w - idle_w), 1e-9);
        drop(run, rig);
    }
}

static double leak_w(double die_c)
{
    return 12 * exp(0.041 * (die_c - 60));
}

/* A card with almost no load draws its idle power at its temperature. The power of work is added, also where the
 * card draws less while working. `idle` holds at 30 degC, p0 at 60 degC. */
static void test_little_load_idles_as_warm_as_none(void **state)
{
    (void)state;
    static const double loads[] = {0, 1e-5, 0.01, 0.3, 0.6}, p0_w[] = {60, 2};
    for (int i = 0; i < 10; i++) {
        char xml[4096];
        const double load = loads[i % 5], p0 = p0_w[i / 5], c = i < 5 ? 110 : 1;
        snprintf(xml, sizeof xml,
                 RIG_AT("62 degC", CARD_THAT_LEAKS("12 W", "1", "clock='1100 MHz' die-resistance='0 K/W'"),
                        "<workload kind='constant' class='training' p0='%.0f W' c='%.0f W/GHz' load='%g'/>"),
                 p0, c, load);
        wsk_rig *rig;
        wsk_run *run = run_of(xml, 3600, &rig);
        double die_c = wsk_test_get(run, "gpu0.die_c"), idle = idle_w + leak_w(die_c) - leak_w(30);
        double run_w = p0 + c * 1.1 + leak_w(die_c) - leak_w(60),
               busy = load / run->net->cards[0].ops->perf_rel(&run->net->cards[0].cls, 1.1e9);
        assert_true(die_c > 62 && busy < 1);
        assert_near(run->cards[0].power_w, idle + busy * (run_w - idle), 0.005);
        drop(run, rig);
    }
}

#define PROCESSOR "<cpu power='120 W' idle='30 W' board='0 W'/>"

/* Mean power of everything behind the PSU except the cards, W. */
static double processor_w(const char *xml, double span_s)
{
    wsk_rig *rig;
    wsk_run *run = run_of(xml, span_s, &rig);
    double rest_j = wsk_sum_value(&run->books->ledger.dc);
    for (int i = 0; i < run->net->n_card; i++)
        rest_j -= mean_w(run, i) * span_s;
    drop(run, rig);
    return rest_j / span_s;
}

/* The processor works for the same share of the time as the cards, and not at all where they idle. */
static void test_the_processor_works_as_long(void **state)
{
    (void)state;
    static const double loads[] = {0, 0.001, 0.25, 0.8, 1};
    for (int i = 0; i < 5; i++) {
        char xml[4096];
        snprintf(xml, sizeof xml,
                 RIG(PROCESSOR CARD("1", ""), "<workload kind='constant' class='training' load='%.3f'/>"), loads[i]);
        assert_near(processor_w(xml, 600), 30 + loads[i] * 90, 1e-6);
    }
    assert_near(processor_w(RIG(PROCESSOR CARD("1", ""), "<workload class='training'/>"), 600), 120, 1e-6);
    assert_near(processor_w(RIG(PROCESSOR CARD("1", ""), "<workload class='idle'/>"), 600), 30, 1e-6);
    assert_near(processor_w(RIG(PROCESSOR CARD("1", ""), "<workload kind='constant' class='idle'/>"), 600), 30, 1e-6);
    assert_near(processor_w(RIG(PROCESSOR CARD("1", ""), ""), 600), 30, 1e-6);
    /* Over a day with a mean load of 60 %, from rows read once a minute. */
    const char *day = RIG(PROCESSOR CARD("1", ""),
                          "<workload kind='inference' class='training' load-curve='0 h:20 %, 12 h:100 %'/>");
    assert_near(processor_w(day, 86400), 30 + 0.6 * 90, 0.01);
}

/* A processor with only `power` given draws it at any load. */
static void test_a_processor_of_one_power(void **state)
{
    (void)state;
    assert_near(processor_w(RIG("<cpu power='120 W' board='0 W'/>" CARD("1", ""),
                                "<workload kind='constant' class='training' load='0.3'/>"),
                            600),
                120, 1e-6);
}

/* The share of full load that the curve asks for at this hour; linear between its points and across midnight. */
static double asked(double day_h)
{
    static const double x[] = {-4, 4, 14, 20, 28}, y[] = {1, 0.2, 0.9, 1, 0.2};
    for (int i = 1;; i++)
        if (day_h <= x[i])
            return y[i - 1] + (y[i] - y[i - 1]) * (day_h - x[i - 1]) / (x[i] - x[i - 1]);
}

static void check_served(const char *clock, double clock_hz)
{
    char xml[4096];
    snprintf(xml, sizeof xml,
             RIG(CARD("1", "clock='%s'"),
                 "<workload kind='inference' class='training' load-curve='4 h:20 %%, 14 h:90 %%, 20 h:100 %%'/>"
                 "<run from='2026-08-03T09:30:00' for='1 d'/>"),
             clock);
    char *second = strstr(xml, "<run for='1 h'/>"); /* blanks the macro's own <run>: a rig has only one */
    memset(second, ' ', strlen("<run for='1 h'/>"));
    wsk_rig *rig;
    wsk_run *run = run_of(xml, 86400, &rig);
    double perf = run->net->cards[0].ops->perf_rel(&run->net->cards[0].cls, clock_hz), served = 0, wanted = 0;
    for (int i = 0; i < 86400; i++) {
        double a = asked(fmod(9.5 + (i + 0.5) / 3600, 24));
        wanted += a;
        served += a < perf ? a : perf;
    }
    assert_rel(work_s(run, 0), served, 2e-5);
    assert_true(work_s(run, 0) <= wanted * (1 + 1e-9));
    assert_true(perf >= 1 || served < 0.99 * wanted);
    drop(run, rig);
}

static void test_served_is_the_integral_of_the_curve(void **state)
{
    (void)state;
    check_served("1800 MHz", 1.8e9);
    check_served("900 MHz", 0.9e9);
}

/* ---- replay of a trace ---- */

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

static wsk_run *replay(const char *workload, double span_s, wsk_rig **rig)
{
    char xml[4096];
    snprintf(xml, sizeof xml, RIG(CARD("1", "") CARD("5", ""), "%s"), workload);
    wsk_rig_options o = {.path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts", .data_dir = folder};
    assert_int_equal(wsk_rig_load(rig, &o), WSK_OK);
    wsk_run *run = wsk_test_run(*rig, WSK_STEPPER_FAST, span_s);
    wsk_test_advance(run, span_s);
    return run;
}

/* A trace whose rows are not at control ticks: energy by hand. The run starts with the first row and repeats the
 * trace; the last row holds for as long as the row before it. */
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
    drop(run, rig);
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
    drop(run, rig);
}

/* Utilisation above 100 % and negative power are errors at their place in the data file. */
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

/* ---- failures that throw the job back to its checkpoint ---- */

extern const wsk_kind wsk_workload_training;

static const double mtbf_s = 86400, restart_s = 600, every_s = 3600, takes_s = 90;

/* Follows the failure schedule alone for span_s. Returns the number of failures; adds the working time since the
 * last save at each, s, to *lost_s and its square to *lost2. */
static int failures_in(uint64_t seed, double span_s, double *lost_s, double *lost2)
{
    const wsk_workload_params w = {.mtbf_s = mtbf_s,
                                   .restart_takes_s = restart_s,
                                   .checkpoint_every_s = every_s,
                                   .checkpoint_takes_s = takes_s,
                                   .evaluate_every_s = NAN};
    const wsk_workload_ops *ops = wsk_workload_training.ops;
    wsk_activity a;
    int count = 0;
    double since_save = 0;
    int64_t saved = 0;
    for (int64_t t = 0; t < (int64_t)(span_s * 1e9); t = a.until_ns) {
        ops->at(&w, &(wsk_moment){.t_ns = t, .seed = seed}, &a);
        assert_true(a.until_ns > t);
        if (a.undo) {
            count++;
            *lost_s += since_save;
            *lost2 += since_save * since_save;
            since_save = 0;
            continue;
        }
        if (a.saved_ns != saved)
            since_save = 0;
        saved = a.saved_ns;
        if (a.phase == WSK_PHASE_RUN)
            since_save += (double)(a.until_ns - t) / 1e9;
    }
    return count;
}

/* Failures are a renewal process: exponential times between failures, restarts of fixed length. Mean and variance
 * of their number, and the work lost, are compared with theory. */
static void test_failures_are_poisson(void **state)
{
    (void)state;
    const double span = 120 * 86400.0, cycle = mtbf_s + restart_s;
    const int seeds = 400;
    double sum = 0, squares = 0, lost = 0, lost2 = 0;
    for (int seed = 1; seed <= seeds; seed++) {
        int n = failures_in((uint64_t)seed, span, &lost, &lost2);
        sum += n;
        squares += (double)n * n;
    }
    double mean = sum / seeds, variance = squares / seeds - mean * mean;
    double expect =
        /* expected number by the renewal theorem */
        span / cycle + (mtbf_s * mtbf_s - cycle * cycle) / (2 * cycle * cycle);
    double spread = span * mtbf_s * mtbf_s / (cycle * cycle * cycle);
    assert_near(mean, expect, 4 * sqrt(spread / seeds));
    assert_rel(variance, spread, 4 * sqrt(2.0 / seeds));
    /* Work since the last save: a failure can fall anywhere in a cycle of work and save, and an interrupted save
     * saves nothing. */
    double whole = every_s + takes_s, share = 1 - exp(-whole / mtbf_s), decay = exp(-every_s / mtbf_s);
    double in_work = mtbf_s - (every_s + mtbf_s) * decay, in_save = every_s * (decay - exp(-whole / mtbf_s));
    double each = (in_work + in_save) / share, deviation = sqrt(lost2 / sum - (lost / sum) * (lost / sum));
    assert_near(lost / sum, each, 4 * deviation / sqrt(sum));
    assert_rel(each, every_s / 2, 0.03); /* about half of the time between saves */
}

static const char failing[] =
    RIG(CARD("1", "clock='1100 MHz'") CARD("5", "clock='1100 MHz'"),
        "<workload class='training' mtbf='3 h' restart-takes='7 min' checkpoint-every='30 min' "
        "checkpoint-takes='45 s' evaluate-every='50 min' evaluate-takes='3 min'/>");

/* Work done, work lost and number of failures of a run against the failure schedule evaluated by hand. */
static void test_failures_in_a_run(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(failing, NULL);
    const double span = 4 * 86400;
    wsk_run *run = NULL;
    const wsk_run_options o = {.duration_s = span, .seed = 11};
    assert_int_equal(wsk_run_new(&run, rig, &o), WSK_OK);
    wsk_test_advance(run, span);
    double perf = run->net->cards[0].ops->perf_rel(&run->net->cards[0].cls, 1.1e9), safe = 0, open = 0, lost = 0;
    int count = 0;
    int64_t saved = 0;
    wsk_activity a;
    for (int64_t t = 0; t < (int64_t)(span * 1e9); t = a.until_ns) {
        run->net->workload_ops->at(run->net->workload, &(wsk_moment){.t_ns = t, .seed = 11}, &a);
        if (a.saved_ns != saved && !a.undo) {
            safe += open;
            open = 0;
        }
        saved = a.undo ? saved : a.saved_ns;
        if (a.undo) {
            lost += open;
            open = 0;
            count++;
        } else if (a.phase == WSK_PHASE_RUN && !a.idle_work) {
            int64_t end = a.until_ns < (int64_t)(span * 1e9) ? a.until_ns : (int64_t)(span * 1e9);
            open += (double)(end - t) / 1e9;
        }
    }
    assert_true(count > 15);
    assert_int_equal(run->head->failures, count);
    assert_rel(work_s(run, 0), perf * (safe + open), 1e-9);
    assert_rel(run->head->redone_s, 2 * perf * lost, 1e-9);
    drop(run, rig);
}

/* A run stopped in the middle of a restart, saved and restored, or advanced in odd pieces, ends with the same
 * bytes, with one chassis and with two. */
static void test_same_bits_across_a_restart(void **state)
{
    (void)state;
    static const char two[] = "<rig><chassis id='a'><psu kind='constant' rated='900 W' efficiency='90 %'/>" CARD(
        "1",
        "") "</chassis><chassis id='b'>"
            "<psu kind='constant' rated='900 W' efficiency='90 %'/>" CARD("1", "") CARD(
                "5",
                "limit-schedule='0.2 h:150 W, 0.9 h:250 W'") "</chassis><workload class='training' mtbf='20 min' "
                                                             "restart-takes='5 min' checkpoint-every='10 min'/>"
                                                             "<run for='4 h' seed='3'/></rig>";
    const char *const xml[] = {failing, two};
    for (int i = 0; i < 2; i++) {
        wsk_rig *rig = wsk_test_rig(xml[i], NULL);
        const double span = 4 * 3600;
        wsk_run *once = wsk_test_run(rig, WSK_STEPPER_FAST, span), *first = wsk_test_run(rig, WSK_STEPPER_FAST, span),
                *second = wsk_test_run(rig, WSK_STEPPER_FAST, span), *odd = wsk_test_run(rig, WSK_STEPPER_FAST, span);
        wsk_test_advance(once, span);
        while (!first->schedule.undo && wsk_run_time(first) < span)
            wsk_test_advance(first, wsk_run_time(first) + 37);
        assert_true(first->schedule.undo && first->head->failures > 0);
        wsk_test_advance(second, span - 60); /* its state before the restore must not matter */
        size_t len, len_once, len_odd;
        char *bytes = wsk_test_save(first, &len);
        assert_int_equal(wsk_run_restore(second, bytes, len), WSK_OK);
        wsk_test_advance(second, span);
        for (uint64_t k = 0; wsk_run_time(odd) < span; k++)
            wsk_test_advance(odd, wsk_run_time(odd) + 90 * wsk_random(5, 6, k));
        wsk_text_free(bytes);
        bytes = wsk_test_save(second, &len);
        char *want = wsk_test_save(once, &len_once), *other = wsk_test_save(odd, &len_odd);
        assert_int_equal(len, len_once);
        assert_memory_equal(bytes, want, len);
        assert_memory_equal(other, want, len);
        wsk_text_free(bytes);
        wsk_text_free(want);
        wsk_text_free(other);
        wsk_run_free(odd);
        wsk_run_free(second);
        wsk_run_free(first);
        drop(once, rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_slowest_sets_the_pace),
                                       cmocka_unit_test(test_links),
                                       cmocka_unit_test(test_the_cause_is_named),
                                       cmocka_unit_test(test_who_waits_is_not_limited),
                                       cmocka_unit_test(test_settings_without_a_say),
                                       cmocka_unit_test(test_nvlink),
                                       cmocka_unit_test(test_pipeline),
                                       cmocka_unit_test(test_unlike_cards),
                                       cmocka_unit_test(test_partial_load),
                                       cmocka_unit_test(test_little_load_idles_as_warm_as_none),
                                       cmocka_unit_test(test_the_processor_works_as_long),
                                       cmocka_unit_test(test_a_processor_of_one_power),
                                       cmocka_unit_test(test_served_is_the_integral_of_the_curve),
                                       cmocka_unit_test(test_replayed_energy),
                                       cmocka_unit_test(test_replayed_utilisation),
                                       cmocka_unit_test(test_traces_out_of_range),
                                       cmocka_unit_test(test_failures_are_poisson),
                                       cmocka_unit_test(test_failures_in_a_run),
                                       cmocka_unit_test(test_same_bits_across_a_restart)};
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
