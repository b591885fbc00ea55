/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Throughput of ten language models that answer one request at a time, measured under power limits on three cards. If
 * the workload names the model, the program computes which share of a step its kernels take, and predicts the
 * throughput better than without the name (docs/theory/workload.md, "The model that a workload names"). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/net/load.h"
#include "sim/net/tokens.h"
#include "tests/support/bench.h"
#include "tests/support/replay.h"
#include "tests/support/sweep.h"
#include "tests/unit/assert.h"

enum { SHORT_CONTEXT = 1024, MODELS = 16 };

typedef struct {
    const char *load;
    wsk_model_params model;
    wsk_quant quant;
} named;
static named models[MODELS];
static int n_models, n_cards;
static wsk_sweep_card cards[WSK_SWEEP_CARDS];
static wsk_csv *csv;

static int setup(void **state)
{
    (void)state;
    csv = wsk_csv_read("tests/validate/facts/load_models.csv");
    n_cards = wsk_sweep_read(cards);
    n_models = csv ? wsk_csv_rows(csv) : 0;
    if (!n_cards || n_models < 10 || n_models > MODELS)
        return -1;
    for (int i = 0; i < n_models; i++) {
        named *m = &models[i];
        const char *quant = wsk_csv_text(csv, i, "quant");
        m->load = wsk_csv_text(csv, i, "load");
        m->model = (wsk_model_params){.parameters = wsk_csv_number(csv, i, "parameters"),
                                      .active = NAN,
                                      .layers = wsk_csv_number(csv, i, "layers"),
                                      .hidden = wsk_csv_number(csv, i, "hidden"),
                                      .vocabulary = wsk_csv_number(csv, i, "vocabulary"),
                                      .tied = wsk_csv_number(csv, i, "tied") > 0,
                                      .kv_heads = wsk_csv_number(csv, i, "kv_heads"),
                                      .head_size = wsk_csv_number(csv, i, "head_size"),
                                      .window = wsk_csv_number(csv, i, "window"),
                                      .window_layers = fmax(wsk_csv_number(csv, i, "window_layers"), 0),
                                      .latent = NAN,
                                      .experts = NAN,
                                      .experts_used = NAN};
        while (m->quant < WSK_QUANT_COUNT && strcmp(wsk_quant_names[m->quant], quant) != 0)
            m->quant++;
        if (m->quant == WSK_QUANT_COUNT)
            return -1;
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    wsk_sweep_free(cards, n_cards);
    wsk_csv_free(csv);
    return 0;
}

/* The model of a load, whose name may end with a mark such as " [batch_1]". */
static const named *find(const char *load)
{
    for (int i = 0; i < n_models; i++) {
        const size_t len = strlen(models[i].load);
        if (strncmp(load, models[i].load, len) == 0 && (!load[len] || load[len] == ' '))
            return &models[i];
    }
    return NULL;
}

static double kernels_of(const wsk_gpu_params *g, const named *m)
{
    const wsk_token_job job = {.model = &m->model, .quant = m->quant, .cards = 1, .context = SHORT_CONTEXT};
    const wsk_token_card card = wsk_token_card_of(g, g->clock_max_hz, g->clock_max_hz);
    return wsk_tokens_kernels(&job, &card);
}

/* Without its model, a load has the mean kernel share of all models. With its model, the predicted work must be nearer
 * to the measured one, on each card and for small and large models alike. */
static void models_tell_more(void **state)
{
    (void)state;
    int compared = 0;
    for (int i = 0; i < n_cards; i++) {
        double before = 0, after = 0, worst_before = 0, worst_after = 0, sum = 0;
        int n = 0;
        for (int k = 0; k < cards[i].n; k++) {
            const wsk_sweep *s = &cards[i].load[k];
            const named *m = find(s->name);
            if (!m || s->use != WSK_SWEEP_FIT)
                continue;
            const double kernels = kernels_of(cards[i].shipped, m);
            const wsk_sweep_error unnamed = wsk_sweep_shipped(&cards[i], s, NAN),
                                  with = wsk_sweep_shipped(&cards[i], s, kernels);
            print_message(
                "%s, %s: kernels %.0f %% of a step; work %.1f %% off, with the model %.1f %% (worst %.0f and "
                "%.0f)\n",
                cards[i].name, s->name, 100 * kernels, unnamed.mean, with.mean, unnamed.worst, with.worst);
            before += unnamed.mean;
            after += with.mean;
            worst_before = fmax(worst_before, unnamed.worst);
            worst_after = fmax(worst_after, with.worst);
            sum += kernels;
            n++;
        }
        if (!n)
            continue;
        wsk_gpu_class cls;
        ((const wsk_gpu_ops *)wsk_gpu_boost.ops)->classify(cards[i].shipped, WSK_CLASS_DECODE, NULL, &cls);
        print_message(
            "%s, %d loads: kernels %.1f %% of a step (part: %.1f %%); work %.2f %% off, with the model %.2f "
            "%%; worst %.0f and %.0f\n",
            cards[i].name, n, 100 * sum / n, 100 * cls.kernels, before / n, after / n, worst_before, worst_after);
        assert_near(cls.kernels, sum / n, 0.002); /* the part states the mean of its loads */
        assert_true(after <= 0.65 * before && worst_after <= 0.6 * worst_before);
        compared += n;
    }
    assert_true(compared >= 30);
}

/* Power in W of a card that generates with the model and has no power limit. The part must state its kernel-share. */
static double draw_of(const char *part, const named *m)
{
    wsk_plan *plan;
    wsk_gpu_params g;
    wsk_gpu_class cls;
    wsk_load load = wsk_load_of(NULL, 1, false);
    assert_true(wsk_sweep_class(part, "decode", NULL, &plan, &g, &cls) >= 0);
    load.kernels = kernels_of(&g, m);
    wsk_plan_free(plan);
    assert_true(wsk_sweep_class(part, "decode", &load, &plan, &g, &cls) >= 0);
    const double w = ((const wsk_gpu_ops *)wsk_gpu_boost.ops)->power_w(&g, &cls, g.clock_max_hz, WSK_WARM_K, NULL);
    wsk_plan_free(plan);
    return w;
}

/* Qwen2.5 3B, 7B and Llama 3 8B drew 291, 339 and 363 W on an A100 SXM and 262, 279 and 282 W on an RTX 6000 Ada
 * (tests/validate/facts/stranger_power.csv); nothing was fitted to these rows. */
static void larger_models_draw_more(void **state)
{
    (void)state;
    static const char *const parts[] = {"a100-sxm", "rtx-6000-ada"};
    named m[] = {{NULL, wsk_model_usual, WSK_QUANT_Q4_K_M},
                 {NULL, wsk_model_usual, WSK_QUANT_Q4_K_M},
                 {NULL, wsk_model_usual, WSK_QUANT_Q4_K_M}};
    const double numbers[2][5] = {{3.086e9, 36, 2048, 151936, 1}, {7.62e9, 28, 3584, 152064, 0}};
    for (int i = 0; i < 2; i++) {
        wsk_model_params *p = &m[i].model;
        p->parameters = numbers[i][0];
        p->layers = numbers[i][1];
        p->hidden = numbers[i][2];
        p->vocabulary = numbers[i][3];
        p->tied = numbers[i][4] > 0;
    }
    for (int i = 0; i < 2; i++) {
        const double small = draw_of(parts[i], &m[0]), middle = draw_of(parts[i], &m[1]),
                     large = draw_of(parts[i], &m[2]);
        print_message("%s: %.0f, %.0f, %.0f W without a limit\n", parts[i], small, middle, large);
        assert_true(small < middle - 10 && fabs(large / middle - 1) < 0.1);
    }
}

/* Two models with 16-bit weights on RTX 3090s (tests/validate/facts/stranger_power.csv) drew 301 and 314 W without a
 * limit; the second did 0.998 of its work at 300 W and 0.949 at 220 W. bits_exponent in sim/net/load.c was chosen by these
 * rows and by those of the card with 4 bits. */
static void wide_weights_need_the_clock_less(void **state)
{
    (void)state;
    const wsk_gpu_ops *ops = wsk_gpu_boost.ops;
    wsk_load load = wsk_load_of(NULL, 1, false);
    wsk_plan *plan;
    wsk_gpu_params g;
    wsk_gpu_class cls;
    load.bits = 16;
    assert_true(wsk_sweep_class("rtx-3090", "decode", &load, &plan, &g, &cls) >= 0);
    const double free_w = ops->power_w(&g, &cls, ops->boost_hz(&g, WSK_WARM_K), WSK_WARM_K, NULL),
                 at_300 = ops->perf_rel(&cls, wsk_sweep_clock(&g, &cls, 300)),
                 at_220 = ops->perf_rel(&cls, wsk_sweep_clock(&g, &cls, 220));
    print_message("16 bits on an RTX 3090: %.0f W, %.3f of the work at 300 W, %.3f at 220 W\n", free_w, at_300,
                  at_220);
    assert_near(free_w, (301 + 314) / 2.0, 20);
    assert_near(at_300, 0.998, 0.01);
    assert_near(at_220, 0.949, 0.025);
    wsk_plan_free(plan);
}

/* A model with weights of 4.3 bits under the power limits of an RTX 4090 (tests/validate/facts/stranger_power.csv), of
 * which no value of the card was chosen: with its bits the work is predicted better than without, and so is the power
 * that it draws without a limit. */
static void fewer_bits_need_the_clock_more(void **state)
{
    (void)state;
    static const double limit_w[] = {390, 360, 330, 300, 270, 250, 230},
                        work[] = {0.9998, 0.9923, 0.9827, 0.9654, 0.9423, 0.8924, 0.7981}, drawn_w = 393;
    enum { ROWS = sizeof work / sizeof *work };
    const wsk_gpu_ops *ops = wsk_gpu_boost.ops;
    double off[2] = {0}, free_w[2];
    for (int told = 0; told < 2; told++) {
        wsk_load load = wsk_load_of(NULL, 1, false);
        wsk_plan *plan;
        wsk_gpu_params g;
        wsk_gpu_class cls;
        load.bits = told ? 4.3 : (double)NAN;
        assert_true(wsk_sweep_class("rtx-4090-open-air", "decode", &load, &plan, &g, &cls) >= 0);
        free_w[told] = ops->power_w(&g, &cls, ops->boost_hz(&g, WSK_WARM_K), WSK_WARM_K, NULL);
        for (int i = 0; i < ROWS; i++) {
            const double model = ops->perf_rel(&cls, wsk_sweep_clock(&g, &cls, limit_w[i])) /
                                 ops->perf_rel(&cls, wsk_sweep_clock(&g, &cls, 450));
            off[told] += 100 * fabs(model / work[i] - 1) / ROWS;
        }
        wsk_plan_free(plan);
    }
    print_message(
        "4.3 bits on an RTX 4090: work %.1f %% off, without the bits %.1f %%; %.0f W (%.0f; measured %.0f)\n", off[1],
        off[0], free_w[1], free_w[0], drawn_w);
    assert_true(off[1] <= 0.7 * off[0]);
    assert_true(fabs(free_w[1] - drawn_w) < fabs(free_w[0] - drawn_w));
}

/* Qwen3.6 27B with weights of 4 bits and answers of 200 tokens in vLLM, at limits of an RTX PRO 6000 (rows
 * pro6000-27b-awq of tests/validate/facts/stranger_power.csv), of which no value was chosen. vLLM unpacks such weights
 * with half the work of llama.cpp, by its speed (docs/theory/tokens.md). */
static void engines_unpack_unlike(void **state)
{
    (void)state;
    static const int limit_w[] = {600, 450, 400, 350, 300};
    static const double work[2][5] = {{1, 0.9986, 0.9889, 0.9515, 0.8682}, {1, 1.0226, 0.9768, 0.889, 0.7647}},
                        drawn_w[2] = {511, 573};
    for (int many = 0; many < 2; many++) {
        double off = 0, full = 0, free_w = 0;
        for (int i = 0; i < 5; i++) {
            char xml[900];
            snprintf(xml, sizeof xml,
                     "<rig><site supply='230 V'><room temperature='22 degC'/></site><chassis part='chassis/"
                     "workstation-12-slot'><fan part='fan/generic-120-3000' at='front' count='3'/><psu "
                     "part='psu/tier-gold-1600'/><gpu part='gpu/rtx-pro-6000-ws' slot='1' power-limit='%d "
                     "W'/></chassis><workload kind='inference' class='decode' model='model/qwen3.6-27b' quant='AWQ' "
                     "context='512' engine='vllm' streams='%d'/></rig>",
                     limit_w[i], many ? 32 : 1);
            wsk_rig *rig = wsk_test_rig(xml, NULL);
            wsk_summary *all;
            assert_int_equal(wsk_steady_summary(&all, rig, WSK_STEPPER_FAST, 0, NULL), WSK_OK);
            const double done = wsk_summary_number(all, WSK_R_GPU_WORK, 0);
            full = i ? full : done;
            free_w = i ? free_w : wsk_summary_number(all, WSK_R_GPU_POWER_MEAN, 0);
            off += i ? 25 * fabs(done / full / work[many][i] - 1) : 0;
            wsk_summary_free(all);
            wsk_rig_free(rig);
        }
        print_message("27B in vLLM on a PRO 6000, %d at once: work %.1f %% off; %.0f W (measured %.0f)\n",
                      many ? 32 : 1, off, free_w, drawn_w[many]);
        assert_true(off <= 5);
        assert_near(free_w, drawn_w[many], 0.08 * drawn_w[many]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(models_tell_more), cmocka_unit_test(larger_models_draw_more),
                                       cmocka_unit_test(wide_weights_need_the_clock_less),
                                       cmocka_unit_test(fewer_bits_need_the_clock_more),
                                       cmocka_unit_test(engines_unpack_unlike)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
