/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Properties that a rig can state of its load: pauses, requests served together, layers split over cards, measured
 * power and rate. Expected values: formulas of docs/theory/workload.md, "What the load says of itself". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/io/plan.h"
#include "sim/net/load.h"
#include "tests/unit/assert.h"
#include "wattsink.h"

extern const wsk_kind wsk_gpu_boost;

static const wsk_gpu_ops *model(void)
{
    return wsk_gpu_boost.ops;
}

typedef struct {
    wsk_elem bare;
    wsk_gpu_params gpu;
    wsk_gpu_class cls;
} sample;

static const double warm_k = 65 + WSK_KELVIN;

static wsk_load silent(void)
{
    return wsk_load_of(NULL, 1, false);
}

static void make(sample *s, wsk_class cls, const wsk_load *load)
{
    *s = (sample){.bare = {.kind = &wsk_gpu_boost},
                  .gpu = {.tdp_w = 300,
                          .limit_min_w = 100,
                          .limit_max_w = 300,
                          .idle_w = 20,
                          .clock_min_hz = 210e6,
                          .clock_max_hz = 1.8e9,
                          .limit_draw = 1,
                          .clock_step_hz = 15e6,
                          .clock_knee_hz = 1.3e9,
                          .voltage_slope_per_hz = 0.6e-9,
                          .voltage_floor_v = 0.7,
                          .leakage_w = 9,
                          .leakage_slope_per_k = 0.041,
                          .leakage_temp_k = 60 + WSK_KELVIN,
                          .boost_temp_k = 80 + WSK_KELVIN,
                          .memory_clock_hz = NAN,
                          .plateau_draw_w = NAN,
                          .plateau_high_w = NAN}};
    s->gpu.head.elem = &s->bare;
    model()->classify(&s->gpu, cls, load, &s->cls);
}

static double draw(const sample *s, double f)
{
    return model()->power_w(&s->gpu, &s->cls, f, warm_k, NULL);
}

/* If at the reference clock no kernel runs for a share s of the time, work is 1/((1 - s) g + s), where g is the time
 * per work of the kernel: at low clocks work falls less than without pauses. During a pause the card draws only P0 and
 * leakage. */
static void pauses(void **state)
{
    (void)state;
    for (double duty = 0.2; duty < 1; duty += 0.2) {
        sample plain, paused;
        wsk_load load = silent();
        make(&plain, WSK_CLASS_TRAINING, &load);
        load.duty = duty;
        make(&paused, WSK_CLASS_TRAINING, &load);
        paused.cls.ref_clock_hz = plain.cls.ref_clock_hz;
        for (double f = 0.3e9; f < 1.8e9; f += 0.1e9) {
            double g = 1 / model()->perf_rel(&plain.cls, f), want = 1 / (duty * g + 1 - duty),
                   work = model()->perf_rel(&paused.cls, f), busy = duty * g * work,
                   still = plain.cls.p0_w + draw(&plain, f) - plain.cls.p0_w;
            assert_near(work, want, 1e-12);
            plain.cls.c_w_hz = 0;
            double rest = draw(&plain, f);
            plain.cls.c_w_hz = paused.cls.c_w_hz;
            assert_near(draw(&paused, f), rest + busy * (still - rest), 1e-9 * still);
        }
    }
}

static void pauses_invert(void **state)
{
    (void)state;
    for (double duty = 0.1; duty <= 1; duty += 0.3) {
        sample s;
        wsk_load load = silent();
        load.duty = duty;
        make(&s, WSK_CLASS_DECODE, &load);
        s.cls.traffic_w = 60;
        for (double f = 0.25e9; f < 1.8e9; f += 0.05e9)
            for (double guess = 0.2e9; guess < 3e9; guess *= 3) {
                double found = model()->clock_for(&s.gpu, &s.cls, draw(&s, f), warm_k, guess);
                assert_near(found, f, 1e5);
            }
    }
}

/* The kernels of a model take r times the share of a step that the workload class assumes; r is held within 0.5 to 1.4.
 * If a step of the class takes g times as long at a lower clock, that of the model takes 1 + r (g - 1) times as long,
 * and its dynamic power at the reference clock is r times as large. This holds for decode alone, and for no load that
 * states a power of its own (p0_w). */
static void named_model(void **state)
{
    (void)state;
    for (double r = 0.4; r < 1.6; r += 0.2) {
        const double held = fmin(fmax(r, 0.5), 1.4);
        sample plain, named;
        wsk_load load = silent();
        make(&plain, WSK_CLASS_DECODE, &load);
        load.kernels_usual = 0.5;
        load.kernels = 0.5 * r;
        make(&named, WSK_CLASS_DECODE, &load);
        named.cls.ref_clock_hz = plain.cls.ref_clock_hz;
        assert_near(named.cls.traffic, fmin(held * plain.cls.traffic, 1), 1e-12);
        for (double f = 0.3e9; f < 1.8e9; f += 0.1e9) {
            const double g = 1 / model()->perf_rel(&plain.cls, f);
            assert_near(1 / model()->perf_rel(&named.cls, f), 1 + held * (g - 1), 1e-12);
            for (double guess = 0.2e9; guess < 3e9; guess *= 3)
                assert_near(model()->clock_for(&named.gpu, &named.cls, draw(&named, f), warm_k, guess), f, 1e5);
        }
        sample still = plain;
        still.cls.c_w_hz = 0;
        const double f = plain.cls.ref_clock_hz, rest = draw(&still, f);
        assert_near(draw(&named, f) - rest, held * (draw(&plain, f) - rest), 1e-9);
        load.p0_w = plain.cls.p0_w;
        make(&named, WSK_CLASS_DECODE, &load);
        assert_near(named.cls.wait, 0, 0);
        load.p0_w = NAN;
        make(&named, WSK_CLASS_PREFILL, &load);
        assert_near(named.cls.wait, 0, 0);
    }
}

static void together(void **state)
{
    (void)state;
    double share = 0, c = 0;
    for (double n = 1; n < 5000; n *= 2) {
        sample s;
        wsk_load load = silent();
        load.together = n;
        make(&s, WSK_CLASS_DECODE, &load);
        assert_true(s.cls.clock_share > share && s.cls.clock_share <= 1 && s.cls.c_w_hz > c);
        share = s.cls.clock_share;
        c = s.cls.c_w_hz;
    }
    assert_true(share > 0.99);
    sample one, many;
    wsk_load load = silent();
    make(&one, WSK_CLASS_TRAINING, &load);
    load.together = 64;
    make(&many, WSK_CLASS_TRAINING, &load);
    assert_same(one.cls.clock_share, many.cls.clock_share);
}

/* Weights of more bits take longer to read, so that many requests take less of the time from the reading: with k the
 * ratio of a step's arithmetic to its traffic, the traffic is (1 + k^4)^(-1/4) of the bandwidth, and k that of all
 * requests at these bits. With k of the class, more requests at 16 bits would draw less. */
static void together_with_bits(void **state)
{
    (void)state;
    static const double bits[] = {2.5882, 4.8944, 8.5, 16};
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        for (double n = 1; n <= 256; n *= 4) {
            wsk_gpu_class c = {.p0_w = 50,
                               .c_w_hz = 80e-9,
                               .clock_share = 0.75,
                               .traffic_w = 40,
                               .traffic = 0.7,
                               .kernels = 0.6,
                               .memory_speed = 1};
            wsk_load load = silent();
            const double k0 = 0.75 / pow(1 - pow(0.75, 4), 0.25), k1 = k0 * 4.8944 / bits[i],
                         k = k1 * (1 + (n - 1) / 64), less = pow((1 + pow(k1, 4)) / (1 + pow(k, 4)), 0.25);
            load.bits = bits[i];
            load.together = n;
            wsk_load_shape(&load, WSK_CLASS_DECODE, &c);
            assert_near(c.clock_share, k / pow(1 + pow(k, 4), 0.25), 1e-9);
            assert_near(c.traffic_w, 40 * less, 1e-9);
            assert_near(c.traffic, 0.7 * less, 1e-12);
        }
}

/* With layers split over n cards, each card draws its dynamic power for 1/n of the time, and does not reach a power
 * limit that one card with all layers would reach. */
static void layers(void **state)
{
    (void)state;
    sample one, four;
    wsk_load load = silent();
    make(&one, WSK_CLASS_PREFILL, &load);
    load.layers_over = 4;
    make(&four, WSK_CLASS_PREFILL, &load);
    assert_near(four.cls.c_w_hz, one.cls.c_w_hz / 4, 1e-12);
    assert_true(one.cls.ref_clock_hz < 1.8e9);
    assert_near(four.cls.ref_clock_hz, 1.8e9, 1);
    double limited = model()->clock_for(&four.gpu, &four.cls, 220, warm_k, 1e9);
    assert_true(limited >= 1.8e9 * (1 - 1e-9));
}

/* A tensor-parallel group waits for exchanges, longer over PCI Express than over NVLink. If the rig states a duty, that
 * value replaces the computed duty. */
static void tensor(void **state)
{
    (void)state;
    wsk_workload_params w = {.duty = NAN,
                             .p0_w = NAN,
                             .c_w_hz = NAN,
                             .clock_share = NAN,
                             .measured_w = NAN,
                             .batch = NAN,
                             .streams = 8,
                             .tensor_parallel = 2};
    wsk_load slow = wsk_load_of(&w, 4, false), fast = wsk_load_of(&w, 4, true);
    assert_true(slow.duty > 0.5 && slow.duty < fast.duty && fast.duty < 1);
    /* Eight streams are shared by two groups of two cards. */
    assert_near(slow.together, 4, 1e-12);
    w.duty = 0.7;
    assert_same(wsk_load_of(&w, 4, false).duty, 0.7);
}

static void measured(void **state)
{
    (void)state;
    for (int cls = 0; cls < WSK_CLASS_IDLE; cls++)
        for (double watts = 60; watts <= 300; watts += 20) {
            sample s;
            wsk_load load = silent();
            load.measured_w = watts;
            make(&s, (wsk_class)cls, &load);
            double now = draw(&s, s.cls.ref_clock_hz);
            if (watts < 0.95 * 300)
                assert_near(now, watts, 0.01);
            /* Near the power limit of 300 W the power may be lower, by the 8 W of one clock step. */
            assert_true(now > watts - 8);
            assert_true(s.cls.p0_w >= 0 && s.cls.c_w_hz > 0);
        }
}

/* A training load that draws less than its class has pauses between its kernels, and lighter kernels: with 0.49 of the
 * class's dynamic power, kernels run for 0.7 of the time and draw 0.7 of that power. Decoding has no such pauses, and a
 * load with a stated duty has the pauses of that duty. */
static void pauses_of_a_light_load(void **state)
{
    (void)state;
    sample heavy, light, known, stream;
    wsk_load load = silent();
    make(&heavy, WSK_CLASS_TRAINING, &load);
    const double full_w = draw(&heavy, heavy.cls.ref_clock_hz) - heavy.cls.p0_w;
    load.measured_w = heavy.cls.p0_w + 0.49 * full_w;
    make(&light, WSK_CLASS_TRAINING, &load);
    make(&stream, WSK_CLASS_DECODE, &load);
    load.duty = 0.9;
    make(&known, WSK_CLASS_TRAINING, &load);
    assert_near(1 - light.cls.pause, 0.7, 0.02);
    assert_near(light.cls.c_w_hz / heavy.cls.c_w_hz, 0.7, 0.02);
    assert_true(!(stream.cls.pause > 0));
    assert_near(known.cls.pause, 0.1, 1e-9);
    const double share = wsk_gpu_limit_share(&light.cls), busy_w = draw(&light, light.cls.ref_clock_hz) / share;
    assert_near(busy_w, light.cls.p0_w + light.cls.c_w_hz / heavy.cls.c_w_hz * full_w,
                0.04 * busy_w); /* the tolerance is for leakage */
}

/* Cards in a server's duct settle far below the temperature of a card with a fan of its own, and leak less. */
static void measured_in_a_server(void **state)
{
    (void)state;
    static const struct {
        const char *part;
        double tdp_w;
    } cards[] = {{"h100-sxm", 700}, {"h200-sxm", 700}, {"b200", 1000}, {"mi300x", 750}, {"a100-sxm", 400}};
    for (size_t k = 0; k < sizeof cards / sizeof *cards; k++)
        for (double share = 0.25; share < 0.8; share += 0.25) {
            char xml[2048];
            wsk_rig *rig = NULL;
            wsk_summary *s = NULL;
            int len = snprintf(xml, sizeof xml,
                               "<rig><site><room temperature='23 degC'/></site>"
                               "<chassis part='chassis/server-8u-hgx'>");
            for (int i = 1; i <= 8; i++)
                len +=
                    snprintf(&xml[len], sizeof xml - (size_t)len, "<gpu part='gpu/%s' slot='%d'/>", cards[k].part, i);
            const double watts = share * cards[k].tdp_w;
            snprintf(&xml[len], sizeof xml - (size_t)len,
                     "</chassis><workload kind='constant' class='decode' measured-power='%g W'/></rig>", watts);
            const wsk_rig_options options = {.path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts"};
            assert_int_equal(wsk_rig_load(&rig, &options), WSK_OK);
            assert_int_equal(wsk_steady_summary(&s, rig, WSK_STEPPER_FAST, 0, NULL), WSK_OK);
            double mean_w = 0;
            for (size_t i = 0; i < 8; i++)
                mean_w += wsk_summary_number(s, WSK_R_GPU_POWER_MEAN, i) / 8;
            assert_true(fabs(mean_w / watts - 1) < 0.05);
            wsk_summary_free(s);
            wsk_rig_free(rig);
        }
}

static wsk_status load_rig(const char *workload)
{
    char xml[512];
    snprintf(xml, sizeof xml,
             "<rig><chassis card-length='1 m'><psu kind='constant' rated='2 kW' efficiency='94 %%'/>"
             "<gpu part='gpu/rtx-3090' slot='1'/></chassis><workload class='decode' %s/><run for='1 h'/></rig>",
             workload);
    wsk_rig *rig = NULL;
    wsk_rig_options options = {.path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts"};
    wsk_status status = wsk_rig_load(&rig, &options);
    wsk_rig_free(rig);
    return status;
}

static void mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *workload;
        wsk_status status;
    } cases[] = {{"measured-power='250 W' measured-rate='34.7 tok/s'", WSK_OK},
                 {"measured-power='15 W'", WSK_EINPUT},
                 {"measured-power='900 W'", WSK_EINPUT},
                 {"measured-rate='34.7'", WSK_EINPUT},
                 {"measured-rate='tok/s'", WSK_EINPUT},
                 {"measured-rate='34.7 tok'", WSK_EINPUT},
                 {"measured-rate='34.7 /s'", WSK_EINPUT},
                 {"measured-rate='-3 tok/s'", WSK_EINPUT},
                 {"measured-rate='3 tok/s' rate='3'", WSK_EINPUT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_status status = load_rig(cases[i].workload);
        if (status != cases[i].status)
            fail_msg("%s: status %d, expected %d", cases[i].workload, (int)status, (int)cases[i].status);
    }
}

/* The reference clock of a class is the highest, in steps from the boost clock, at which the warm card keeps its power
 * limit. If the card cannot keep it, the reference clock is the lowest clock, whether or not steps end there. */
static void reference_clocks(void **state)
{
    (void)state;
    int at_boost = 0, between = 0, lowest = 0;
    for (int cls = 0; cls < WSK_CLASS_IDLE; cls++)
        for (double limit_w = 30; limit_w < 500; limit_w += 20)
            for (double min_hz = 207e6; min_hz < 220e6; min_hz += 3e6) {
                sample s;
                make(&s, (wsk_class)cls, NULL);
                s.gpu.limit_max_w = limit_w;
                s.gpu.limit_min_w = 10;
                s.gpu.clock_min_hz = min_hz;
                model()->classify(&s.gpu, (wsk_class)cls, NULL, &s.cls);
                const double boost = model()->boost_hz(&s.gpu, warm_k), ref = s.cls.ref_clock_hz,
                             held = wsk_gpu_held_mean_w(model(), &s.gpu, &s.cls,
                                                        model()->held_w(&s.gpu, wsk_gpu_default_limit_w(&s.gpu))),
                             steps = (boost - ref) / s.gpu.clock_step_hz;
                assert_true(ref >= min_hz && ref <= boost);
                if (ref > min_hz) {
                    assert_near(steps, round(steps), 1e-6);
                    assert_true(draw(&s, ref) <= held);
                }
                if (ref < boost)
                    assert_true(draw(&s, fmin(ref + s.gpu.clock_step_hz, boost)) > held);
                at_boost += ref >= boost;
                between += ref > min_hz && ref < boost;
                lowest += ref <= min_hz;
            }
    assert_true(at_boost > 0 && between > 0 && lowest > 0);
}

static void apart(void **state)
{
    (void)state;
    for (int cls = 0; cls < 2 * WSK_CLASS_IDLE; cls++)
        for (double requests = 1; requests < 300; requests *= 3)
            for (double layers = 1; layers <= 4; layers++) {
                wsk_load load = silent();
                load.together = requests;
                load.layers_over = layers;
                load.bits = cls >= WSK_CLASS_IDLE ? 16 : (double)NAN;
                const bool heavy = cls >= WSK_CLASS_IDLE && cls % WSK_CLASS_IDLE == WSK_CLASS_DECODE;
                const wsk_class name = (wsk_class)(cls % WSK_CLASS_IDLE);
                wsk_gpu_class c = {.p0_w = 50,
                                   .c_w_hz = 80e-9,
                                   .clock_share = 0.62,
                                   .traffic_w = 30,
                                   .memory_speed = 1,
                                   .arithmetic = heavy ? 4.8944 / 16 : 0,
                                   .draw = heavy ? pow(4.8944 / 16, 0.65) : 0};
                wsk_load_apart(&load, name, &c);
                assert_near(c.traffic_w, 30, 0);
                wsk_load_shape(&load, name, &c);
                assert_near(c.p0_w, 50, 0);
                assert_near(c.c_w_hz / 80e-9, 1, 1e-12);
                assert_near(c.clock_share, 0.62, 1e-9);
            }
}

/* Between long pauses a card runs as one whose load has none, whatever the load changes: exchanges of a tensor-parallel
 * group are short pauses, and kernels of a named model fill more or less of a step. A limit holds that power, so the
 * mean, with P0 in the long pauses, never exceeds it. */
static void short_pauses_within_long_ones(void **state)
{
    (void)state;
    const double k = 60 + WSK_KELVIN;
    for (double open = 0.3; open < 1; open += 0.2)
        for (double r = 0.6; r < 1.5; r += 0.2)
            for (int group = 0; group < 2; group++) {
                sample none, paused;
                wsk_load load = silent();
                load.kernels_usual = 0.5;
                load.kernels = 0.5 * r;
                load.duty = group ? 0.85 : (double)NAN;
                load.exchanges = group;
                make(&none, WSK_CLASS_DECODE, NULL);
                paused = none;
                none.cls.traffic_w = 30;
                paused.cls.traffic_w = 30 * open;
                paused.cls.pause = paused.cls.wait = paused.cls.long_pause = 1 - open;
                wsk_load_shape(&load, WSK_CLASS_DECODE, &none.cls);
                wsk_load_shape(&load, WSK_CLASS_DECODE, &paused.cls);
                for (double f = 0.4e9; f < 1.8e9; f += 0.1e9) {
                    const double busy = 1 - (1 - open) * model()->perf_rel(&paused.cls, f), p0 = none.cls.p0_w,
                                 limit = model()->power_w(&none.gpu, &none.cls, f, k, NULL),
                                 mean = model()->power_w(&paused.gpu, &paused.cls, f, k, NULL);
                    assert_near(mean, p0 + busy * (limit - p0), 1e-9 * limit);
                    assert_near(wsk_gpu_held_mean_w(model(), &paused.gpu, &paused.cls, limit), mean, 1e-4 * limit);
                    assert_true(mean < limit);
                }
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pauses),
                                       cmocka_unit_test(short_pauses_within_long_ones),
                                       cmocka_unit_test(pauses_invert),
                                       cmocka_unit_test(named_model),
                                       cmocka_unit_test(together),
                                       cmocka_unit_test(together_with_bits),
                                       cmocka_unit_test(layers),
                                       cmocka_unit_test(tensor),
                                       cmocka_unit_test(measured),
                                       cmocka_unit_test(measured_in_a_server),
                                       cmocka_unit_test(pauses_of_a_light_load),
                                       cmocka_unit_test(mistakes),
                                       cmocka_unit_test(reference_clocks),
                                       cmocka_unit_test(apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
