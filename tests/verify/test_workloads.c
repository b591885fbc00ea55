/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/study/trip/trip.h"
#include "tests/verify/workloads.h"

static const double idle_w = 20, waiting = 0.3;

static double all_work_s(const wsk_run *run)
{
    double sum = 0;
    for (int i = 0; i < run->net->n_card; i++)
        sum += work_s(run, i);
    return sum;
}

typedef struct {
    double pace, watts;
} point;

static point point_of(const char *xml)
{
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(xml, 600, &rig);
    point p = {run->cards[0].perf, run->cards[0].power_w};
    wsk_test_drop(run, rig);
    return p;
}

static double mean_w(const wsk_run *run, int card)
{
    return wsk_var_mean(run, WSK_VAR_CARD_POWER_W, card);
}

/* The speed of the throttled card is taken from a run in which no card waits. */
static void test_the_slowest_sets_the_pace(void **state)
{
    (void)state;
    static const char alone[] = RIG(FOUR("", "", "", "mount='5'"), "<workload kind='constant' class='training'/>");
    static const char together[] = RIG(FOUR("", "", "", "mount='5'"), "<workload class='training'/>");
    wsk_rig *rig_a, *rig_b;
    wsk_run *a = wsk_test_run_to(alone, 3600, &rig_a), *b = wsk_test_run_to(together, 3600, &rig_b);
    assert_true(a->cards[3].throttle_ns[1] > 1000 * WSK_NS && a->cards[0].throttle_ns[1] == 0);
    assert_true(work_s(a, 3) < 0.9 * work_s(a, 0));
    assert_rel(all_work_s(b), 4 * work_s(a, 3), 0.005);
    for (int i = 0; i < 3; i++) {
        double busy = work_s(a, 3) / work_s(a, i), run_w = mean_w(a, i), wait_w = idle_w + waiting * (run_w - idle_w);
        assert_true(mean_w(b, i) < mean_w(a, i) - 10);
        assert_rel(mean_w(b, i), busy * run_w + (1 - busy) * wait_w, 0.01);
    }
    wsk_test_drop(a, rig_a);
    wsk_test_drop(b, rig_b);
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
    wsk_run *run = wsk_test_run_to(xml, 600, &rig);
    double perf = run->net->cards[0].ops->perf_rel(&run->net->cards[0].cls, clock_hz);
    double pace = 1 / ((1 - data - talk) / perf + data + talk / link), busy = pace * (1 - data - talk) / perf;
    double run_w = 60 + 110 * 1.1, wait_w = idle_w + waiting * (run_w - idle_w);
    assert_rel(run->cards[0].perf, pace, 1e-12);
    assert_rel(run->cards[1].perf, pace, 1e-12);
    assert_rel(run->cards[0].power_w, busy * run_w + (1 - busy) * wait_w, 1e-9);
    wsk_test_drop(run, rig);
}

/* The slowest link determines the time for communication. The second card of check_link has 16 lanes of PCIe 4. */
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
    /* a single card does not communicate, but its reference step contains the time for communication: its step is
     * shorter */
    point one = point_of(RIG(CARD("1", "clock='1100 MHz'"), "<workload class='training' communication='20 %'/>"));
    point none = point_of(RIG(CARD("1", "clock='1100 MHz'"), "<workload class='training'/>"));
    assert_rel(one.pace, none.pace / (1 - talk), 1e-12);
}

/* In a pipeline of n cards and m micro-batches, each card waits for (n - 1)/(m + n - 1) of the step, at the power of
 * a waiting card. */
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

static void test_unlike_cards(void **state)
{
    (void)state;
    static const char xml[] =
        RIG(CARD("1", "clock='1100 MHz'") CARD("5", "clock='1100 MHz' speed='0.5'"), "<workload class='training'/>");
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(xml, 600, &rig);
    double perf = run->net->cards[0].ops->perf_rel(&run->net->cards[0].cls, 1.1e9), run_w = 60 + 110 * 1.1;
    assert_rel(run->cards[1].perf, perf, 1e-12);
    assert_rel(run->cards[0].perf, perf / 2, 1e-12);
    assert_rel(run->cards[1].power_w, run_w, 1e-9);
    assert_rel(run->cards[0].power_w, 0.5 * run_w + 0.5 * (idle_w + waiting * (run_w - idle_w)), 1e-9);
    wsk_test_drop(run, rig);
}

static void page_says(const char *xml, const char *words, const char *not_these)
{
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    char *json = NULL, *page = NULL;
    assert_int_equal(wsk_steady_page(rig, WSK_STEPPER_FAST, 0, NULL, &json, &page), WSK_OK);
    if (!strstr(page, words) || strstr(page, not_these))
        fail_msg("expected \"%s\" and no \"%s\":\n%s", words, not_these, page);
    wsk_text_free(json);
    wsk_text_free(page);
    wsk_rig_free(rig);
}

/* With 4 lanes instead of 16, the 30 % of communication take four times as long: 1.2 of a step of 1.9. */
static void test_the_cause_is_named(void **state)
{
    (void)state;
    const char *limits = " power limits -", *lock = " a locked clock -", *both = " power limits and a locked clock -";
    page_says(RIG(CARD("1", "lock-clock='1100 MHz'"), "<workload class='training'/>"), lock, limits);
    page_says(RIG(CARD("1", "power-limit='150 W'"), "<workload class='training'/>"), limits, lock);
    page_says(RIG(CARD("1", "power-limit='299 W' lock-clock='1100 MHz'"), "<workload class='training'/>"), lock,
              limits);
    page_says(RIG(CARD("1", "power-limit='150 W' lock-clock='1100 MHz'"), "<workload/>"), limits, lock);
    page_says(
        RIG(CARD("1", "power-limit='150 W'") CARD("5", "lock-clock='1100 MHz'"), "<workload class='training'/>"),
        both, limits);
    page_says(RIG(CARD("1", "") CARD("5", "lanes='4'"), "<workload class='training' communication='30 %'/>"),
              "gpu1: PCI Express 4 x4 makes communication 63.2 % of a step, PCI Express 4 x16 makes it 30 %: 47 % "
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

static void test_who_waits_is_not_limited(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(RIG(CARD("1", "power-limit='150 W'") CARD("5", "power-limit='150 W' speed='0.5'"),
                                       "<workload class='training'/>"),
                                   600, &rig);
    assert_rel((double)run->cards[1].throttle_ns[0], 600e9, 0.01);
    assert_rel((double)run->cards[0].throttle_ns[0], 300e9, 0.01);
    wsk_test_drop(run, rig);
}

/* The load is the share of the time for which a card at reference speed would be busy. A slower card is busy longer,
 * until it cannot keep up. */
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
        wsk_run *run = wsk_test_run_to(xml, 600, &rig);
        double perf = run->net->cards[0].ops->perf_rel(&run->net->cards[0].cls, 1.1e9),
               busy = loads[i] / perf < 1 ? loads[i] / perf : 1;
        assert_true(perf < 0.95);
        assert_rel(work_s(run, 0), 600 * (loads[i] < perf ? loads[i] : perf), 1e-12);
        assert_rel(run->cards[0].power_w, idle_w + busy * (run_w - idle_w), 1e-9);
        wsk_test_drop(run, rig);
    }
}

static double leak_w(double die_c)
{
    return 12 * exp(0.041 * (die_c - 60));
}

/* The power is idle + busy share x (working power - idle), each at the present die temperature, also if the working
 * power is the lower one. `idle` is stated for 30 degC, p0 for 60 degC. */
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
        wsk_run *run = wsk_test_run_to(xml, 3600, &rig);
        double die_c = wsk_test_get(run, "gpu0.die_c"), idle = idle_w + leak_w(die_c) - leak_w(30);
        double run_w = p0 + c * 1.1 + leak_w(die_c) - leak_w(60),
               busy = load / run->net->cards[0].ops->perf_rel(&run->net->cards[0].cls, 1.1e9);
        assert_true(die_c > 62 && busy < 1);
        assert_near(run->cards[0].power_w, idle + busy * (run_w - idle), 0.005);
        wsk_test_drop(run, rig);
    }
}

#define PROCESSOR "<cpu power='120 W' idle='30 W' board='0 W'/>"

static double processor_w(const char *xml, double span_s)
{
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(xml, span_s, &rig);
    double rest_j = wsk_sum_value(&run->books->ledger.dc);
    for (int i = 0; i < run->net->n_card; i++)
        rest_j -= mean_w(run, i) * span_s;
    wsk_test_drop(run, rig);
    return rest_j / span_s;
}

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
    /* A day with a mean load of 60 %; the load curve is evaluated once a minute. */
    const char *day = RIG(PROCESSOR CARD("1", ""),
                          "<workload kind='inference' class='training' load-curve='0 h:20 %, 12 h:100 %'/>");
    assert_near(processor_w(day, 86400), 30 + 0.6 * 90, 0.01);
}

static void test_a_processor_of_one_power(void **state)
{
    (void)state;
    assert_near(processor_w(RIG("<cpu power='120 W' board='0 W'/>" CARD("1", ""),
                                "<workload kind='constant' class='training' load='0.3'/>"),
                            600),
                120, 1e-6);
}

/* The power of board, memory modules and drives follows the host's load; elements that the rig does not name take
 * their share of `board`. Two processors draw twice the power of one and are as warm as one. */
static void test_the_host_by_its_parts(void **state)
{
    (void)state;
#define WORK(share) "<workload kind='constant' class='training' host-load='" share "'/>"
#define NAMED "<board power='30 W' idle='20 W'/><memory power='4 W' idle='1 W' count='8'/><storage power='5 W'/>"
#define LUMP "<cpu power='120 W' idle='30 W' board='50 W'/>"
    assert_near(processor_w(RIG(LUMP CARD("1", ""), WORK("20 %")), 600), 30 + 0.2 * 90 + 50, 1e-6);
    assert_near(processor_w(RIG(LUMP "<board power='30 W' idle='20 W'/>" CARD("1", ""), WORK("20 %")), 600),
                48 + 22 + 25, 1e-6);
    assert_near(processor_w(RIG(LUMP NAMED CARD("1", ""), WORK("20 %")), 600), 48 + 22 + 8 * 1.6 + 5, 1e-6);
    assert_near(processor_w(RIG(NAMED CARD("1", ""), WORK("0 %")), 600), 20 + 8 + 5, 1e-6);
    const char *one = RIG("<cpu power='120 W' idle='30 W' board='0 W'/>" CARD("1", ""), WORK("100 %")),
               *two =
                   RIG("<cpu power='60 W' idle='15 W' count='2' board='0 W' conductance='3 W/K' capacity='225 J/K' "
                       "flow='22.5 CFM' die-resistance='0.16 K/W'/>" CARD("1", ""),
                       WORK("100 %"));
    wsk_rig *rig[2];
    wsk_run *run[2] = {wsk_test_run_to(one, 3600, &rig[0]), wsk_test_run_to(two, 3600, &rig[1])};
    assert_near(wsk_cpu_k(run[0], run[0]->net->cases), wsk_cpu_k(run[1], run[1]->net->cases), 1e-6);
    assert_near(run[0]->wall_w, run[1]->wall_w, 1e-6);
    for (int i = 0; i < 2; i++)
        wsk_test_drop(run[i], rig[i]);
}

/* How much a meter's peak exceeds the highest simulated wall power, W: 9.1 % or the stated swing of each card (root of
 * the sum of squares if they are independent), and the processor's burst x the share of time in which it is busy. */
#define BURSTS "<workload kind='constant' class='training' host-load='40 %'/>"
static double meter_rise_behind_w(const char *psus, const char *work)
{
    char xml[4096];
    snprintf(xml, sizeof xml, RIG("%s<cpu power='80 W' idle='20 W' peak='180 W' board='0 W'/>%s", "%s"), psus,
             CARD("1", "power='300 W'") CARD("5", "power='400 W'"), work);
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(xml, 60, &rig);
    double rise = wsk_wall_meter_w(run) - run->books->wall_peak_w;
    wsk_test_drop(run, rig);
    return rise;
}

static double meter_rise_w(const char *work)
{
    return meter_rise_behind_w("<psu kind='constant' rated='2000 W' efficiency='80 %'/>", work);
}

static void test_the_peak_of_a_meter(void **state)
{
    (void)state;
    assert_near(meter_rise_w(BURSTS), (0.091 * 500 + 0.4 * 100) / 0.8, 1e-6);
    assert_near(meter_rise_w("<workload class='training' host-load='0 %'/>"), 0.091 * 700 / 0.8, 1e-6);
    assert_near(meter_rise_w("<workload class='training' swing-high='120 %' swing-low='70 %' swing-period='1 s'/>"),
                (0.2 * 700 + 100) / 0.8, 1e-6);
    assert_near(meter_rise_w("<workload kind='constant' class='idle'/>"), 0, 1e-9);
}

/* A failed PSU and one without the processor take no part of its burst; without a PSU the parts draw from the wall. */
static void test_the_peak_of_a_meter_by_psus(void **state)
{
    (void)state;
#define A_PSU(more) "<psu kind='constant' rated='2000 W' efficiency='80 %' " more "/>"
    static const char *const psus[] = {A_PSU("redundant='yes'") A_PSU("redundant='yes' fails-at='1 s'"),
                                       A_PSU("id='a'") A_PSU("id='b'"), ""};
    for (size_t i = 0; i < 3; i++)
        assert_near(meter_rise_behind_w(psus[i], BURSTS), (0.091 * 500 + 0.4 * 100) / (*psus[i] ? 0.8 : 1), 0.1);
}

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
    /* Overwrites the macro's own <run> with blanks, because a rig has only one <run>. */
    char *second = strstr(xml, "<run for='1 h'/>");
    memset(second, ' ', strlen("<run for='1 h'/>"));
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(xml, 86400, &rig);
    double perf = run->net->cards[0].ops->perf_rel(&run->net->cards[0].cls, clock_hz), served = 0, wanted = 0;
    for (int i = 0; i < 86400; i++) {
        double a = asked(fmod(9.5 + (i + 0.5) / 3600, 24));
        wanted += a;
        served += a < perf ? a : perf;
    }
    assert_rel(work_s(run, 0), served, 2e-5);
    assert_true(work_s(run, 0) <= wanted * (1 + 1e-9));
    assert_true(perf >= 1 || served < 0.99 * wanted);
    wsk_test_drop(run, rig);
}

static void test_served_is_the_integral_of_the_curve(void **state)
{
    (void)state;
    check_served("1800 MHz", 1.8e9);
    check_served("900 MHz", 0.9e9);
}

/* Checkpoints and evaluations repeat after the least common multiple of their periods, 0 if there are none. The phase
 * at a time must be the same one period later. */
static void test_period_of_a_training(void **state)
{
    (void)state;
    static const struct {
        const char *work;
        double period_s;
    } cases[] = {
        {"", 0},
        {"checkpoint-every='1 h' checkpoint-takes='90 s'", 3690},
        {"checkpoint-every='1 h' checkpoint-takes='0 s'", 0},
        {"evaluate-every='50 min' evaluate-takes='10 min'", 3600},
        {"evaluate-every='50 min' evaluate-takes='0 s'", 0},
        {"checkpoint-every='1 h' checkpoint-takes='0 s' evaluate-every='50 min' evaluate-takes='10 min'", 3600},
        {"checkpoint-every='29 min' checkpoint-takes='1 min' evaluate-every='42 min' evaluate-takes='3 min'", 5400},
        /* periods of 3600.001 s and 5000.0003 s have no common multiple below a century, which is the upper bound */
        {"checkpoint-every='3600 s' checkpoint-takes='1 ms' evaluate-every='5000 s' evaluate-takes='0.3 ms'",
         3155760000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char xml[4096];
        snprintf(xml, sizeof xml, RIG(CARD("1", ""), "<workload kind='training' %s/>"), cases[i].work);
        wsk_rig *rig = wsk_test_rig(xml, NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 60);
        const wsk_workload_params *w = run->net->workload;
        const wsk_workload_ops *ops = run->net->workload_ops;
        wsk_moment now = {.t_ns = 0};
        wsk_activity first = {.phase = WSK_PHASE_IDLE}, later = {.phase = WSK_PHASE_IDLE};
        wsk_repeat repeat = {.until_ns = INT64_MAX};
        ops->at(w, &now, &first);
        ops->repeats(w, &now, &first, &repeat);
        assert_near((double)repeat.period_ns / 1e9, cases[i].period_s, 1e-6);
        for (int64_t t = 0; t < repeat.period_ns && t < 6000 * WSK_NS; t += 100 * WSK_NS) {
            now.t_ns = t;
            ops->at(w, &now, &first);
            if (cases[i].period_s < 1e6) {
                now.t_ns = t + repeat.period_ns;
                ops->at(w, &now, &later);
                assert_string_equal(first.name, later.name);
                assert_true(first.until_ns == later.until_ns - repeat.period_ns);
            }
        }
        wsk_test_drop(run, rig);
    }
}

/* A training load draws its measured power up to 95 % of the limit, although its kernels would draw more than the
 * limit by themselves: without a limit the class draws 395 W. */
static void test_measured_power_below_the_limit(void **state)
{
    (void)state;
    for (int watts = 200; watts < 285; watts += 20) {
        char xml[2048];
        snprintf(xml, sizeof xml, RIG(CARD("1", ""), "<workload class='training' measured-power='%d W'/>"), watts);
        assert_rel(point_of(xml).watts, watts, 0.003);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_slowest_sets_the_pace),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_the_cause_is_named),
        cmocka_unit_test(test_who_waits_is_not_limited),
        cmocka_unit_test(test_measured_power_below_the_limit),
        cmocka_unit_test(test_settings_without_a_say),
        cmocka_unit_test(test_nvlink),
        cmocka_unit_test(test_pipeline),
        cmocka_unit_test(test_unlike_cards),
        cmocka_unit_test(test_partial_load),
        cmocka_unit_test(test_little_load_idles_as_warm_as_none),
        cmocka_unit_test(test_the_processor_works_as_long),
        cmocka_unit_test(test_a_processor_of_one_power),
        cmocka_unit_test(test_the_host_by_its_parts),
        cmocka_unit_test(test_the_peak_of_a_meter),
        cmocka_unit_test(test_the_peak_of_a_meter_by_psus),
        cmocka_unit_test(test_period_of_a_training),
        cmocka_unit_test(test_served_is_the_integral_of_the_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
