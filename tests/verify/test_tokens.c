/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The law of tokens per second against hand calculations: docs/theory/tokens.md */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/io/plan.h"
#include "sim/net/tokens.h"
#include "tests/support/bench.h"
#include "tests/unit/assert.h"

static const wsk_model_params llama_8b = {.parameters = 8.03e9,
                                          .active = NAN,
                                          .layers = 32,
                                          .hidden = 4096,
                                          .vocabulary = 128256,
                                          .kv_heads = 8,
                                          .head_size = 128,
                                          .latent = NAN,
                                          .window = NAN,
                                          .experts = NAN,
                                          .experts_used = NAN};
static const wsk_token_card card = {.memory_byte = 24 * 1073741824.0,
                                    .memory_byte_s = 936e9,
                                    .units = 82,
                                    .matrix_ops = 1024,
                                    .matrix_ops_16 = 1024,
                                    .generation_hz = 1.6e9,
                                    .prompt_hz = 1.6e9,
                                    .cuda = true};
static const wsk_token_job plain = {.quant = WSK_QUANT_Q4_K_M, .cards = 1, .streams = 1, .context = 8192};

static wsk_model_params llama_70b(void)
{
    wsk_model_params m = llama_8b;
    m.parameters = 70.55e9;
    m.layers = 80;
    m.hidden = 8192;
    return m;
}

static wsk_token_rates rates(const wsk_model_params *m, wsk_token_job job, wsk_token_card each)
{
    wsk_token_card cards[8];
    for (int i = 0; i < 8; i++)
        cards[i] = each;
    job.model = m;
    return wsk_tokens(&job, cards);
}

static void near_to(double a, double b, double rel)
{
    if (!(fabs(a / b - 1) <= rel))
        fail_msg("%.9g is not within %g of %.9g", a, rel, b);
}

/* Size of the keys and values of one token: 128 KiB for the 8B model and 320 KiB for the 70B model (from the
 * config.json of both models). DeepSeek V3 stores 576 values in each of 61 layers. */
static void cache(void **state)
{
    (void)state;
    wsk_model_params m = llama_70b();
    near_to(wsk_model_cache_byte(&llama_8b, 1), 131072, 1e-12);
    near_to(wsk_model_cache_byte(&m, 1), 327680, 1e-12);
    m.layers = 61;
    m.latent = 576;
    near_to(wsk_model_cache_byte(&m, 1000), 70272e3, 1e-12);
    m.latent = NAN;
    m.window = 128; /* layers with an attention window store only the last `window` tokens */
    m.window_layers = 61;
    near_to(wsk_model_cache_byte(&m, 1000), 128 * wsk_model_cache_byte(&m, 1), 1e-12);
    m.window_layers = 80; /* no more layers have windows than there are */
    near_to(wsk_model_cache_byte(&m, 1000), 128 * wsk_model_cache_byte(&m, 1), 1e-12);
    m.window_layers = 21;
    near_to(wsk_model_cache_byte(&m, 1000), (40 * 1000 + 21 * 128) / 61.0 * wsk_model_cache_byte(&m, 1), 1e-12);
    near_to(wsk_model_cache_byte(&m, 100), 100 * wsk_model_cache_byte(&m, 1), 1e-12);
}

/* Llama 3.1 8B has these sizes according to llama-quantize: 4.58 GiB at Q4_K_M, 14.96 GiB at F16. The embedding
 * table is part of these sizes, but llama.cpp does not hold it on the cards. */
static void sizes(void **state)
{
    (void)state;
    wsk_token_job job = plain;
    const double gib = 1073741824.0, table = 128256.0 * 4096;
    near_to(rates(&llama_8b, job, card).weight_byte, 4.58 * gib - table * 4.8944 / 8, 0.01);
    job.quant = WSK_QUANT_F16;
    near_to(rates(&llama_8b, job, card).weight_byte, 14.96 * gib - table * 2, 0.01);
    job.engine = WSK_ENGINE_VLLM; /* vLLM holds the embedding table on the card */
    near_to(rates(&llama_8b, job, card).weight_byte, 14.96 * gib, 0.01);
}

/* Two cards of 24 GB hold a 70B model in 4.9 bits; one card of 24 or 32 GB does not. If a model does not fit, vLLM
 * has no rate. */
static void fits(void **state)
{
    (void)state;
    const wsk_model_params m = llama_70b();
    wsk_token_job job = plain;
    wsk_token_card big = card;
    big.memory_byte = 32 * 1073741824.0;
    const wsk_token_rates one = rates(&m, job, card);
    assert_false(one.fits);
    assert_false(rates(&m, job, big).fits);
    assert_true(one.generation_s > 0 && isnan(one.prompt_s) && one.busy < 0.5);
    assert_true(rates(&m, job, big).generation_s > one.generation_s);
    job.engine = WSK_ENGINE_VLLM;
    assert_true(isnan(rates(&m, job, card).generation_s));
    job = plain;
    job.split = WSK_SPLIT_LAYER;
    job.cards = 2;
    const wsk_token_rates two = rates(&m, job, card);
    assert_true(two.fits && two.generation_s > 5 * one.generation_s);
    job.context = 131072;
    assert_false(rates(&m, job, card).fits);
}

/* If computing and fixed times cost nothing, the time of a token is its bytes / (share x memory bandwidth). */
static void bound_by_memory(void **state)
{
    (void)state;
    const wsk_engine_law law = {
        .share = 0.9, .digest = 1e9, .prompt = 0.5, .prompt_16 = 0.5, .ops_most = 1e6, .overlap = 1};
    wsk_token_job job = plain;
    job.law = &law;
    const double bytes = (8.03e9 - 128256.0 * 4096) * 4.8944 / 8 + 8192 * 131072.0;
    near_to(rates(&llama_8b, job, card).generation_s, 0.9 * 936e9 / bytes, 1e-9);
    /* layers split over two equal cards give the same rate; tensor-parallel gives twice the rate, less the time of
     * exchanges */
    job.cards = 2;
    job.split = WSK_SPLIT_LAYER;
    near_to(rates(&llama_8b, job, card).generation_s, 0.9 * 936e9 / bytes, 1e-9);
    job.split = WSK_SPLIT_TENSOR;
    const double half = bytes / (0.9 * 936e9) / 2, got = 1 / rates(&llama_8b, job, card).generation_s;
    assert_true(got > half && got < half + 64 * (25e-6 + 8192 / 12e9 + 1e-9));
    job.nvlink_byte_s = 900e9;
    assert_true(1 / rates(&llama_8b, job, card).generation_s < got);
}

/* A prompt takes 2 N T + 2 layers d T^2 operations, for N parameters without the embedding table, T tokens and width d.
 * The card does the law's share of its peak rate, which is 82 compute units x 1,024 operations per clock x clock. */
static void prompts(void **state)
{
    (void)state;
    const wsk_engine_law law = {
        .share = 0.9, .digest = 7, .prompt = 0.5, .prompt_16 = 0.25, .ops_most = 1024, .overlap = 1};
    wsk_token_job job = plain;
    job.law = &law;
    job.context = 512;
    const double ops = 2 * (8.03e9 - 128256.0 * 4096) * 512 + 2 * 32 * 4096.0 * 512 * 512,
                 rate = 512 / (ops / (0.5 * 82 * 1024 * 1.6e9));
    near_to(rates(&llama_8b, job, card).prompt_s, rate, 1e-9);
    job.quant = WSK_QUANT_F16;
    near_to(rates(&llama_8b, job, card).prompt_s, rate / 2, 1e-9);
    /* lanes that multiply four 8-bit numbers a clock, but one of 16 bit */
    wsk_token_card lanes = card;
    lanes.matrix_ops_16 = 256;
    near_to(rates(&llama_8b, job, lanes).prompt_s, rate / 8, 1e-9);
    /* a prompt of one part of 512 tokens uses two cards one after the other; with 16 parts, each card is busy for 16
     * of 17 steps */
    job.quant = WSK_QUANT_Q4_K_M;
    job.split = WSK_SPLIT_LAYER;
    job.cards = 2;
    near_to(rates(&llama_8b, job, card).prompt_s, rate, 1e-9);
    job.context = 8192;
    const double two = rates(&llama_8b, job, card).prompt_s;
    job.cards = 1;
    near_to(two / rates(&llama_8b, job, card).prompt_s, 2 * 16 / 17.0, 1e-9);
}

static void directions(void **state)
{
    (void)state;
    wsk_token_job job = plain;
    wsk_token_card better = card;
    const wsk_token_rates base = rates(&llama_8b, job, card);
    better.memory_byte_s *= 1.1;
    assert_true(rates(&llama_8b, job, better).generation_s > base.generation_s);
    better = card;
    better.generation_hz *= 1.1;
    assert_true(rates(&llama_8b, job, better).generation_s > base.generation_s);
    near_to(rates(&llama_8b, job, better).prompt_s, base.prompt_s, 1e-12);
    job.context *= 2;
    assert_true(rates(&llama_8b, job, card).generation_s < base.generation_s);
    assert_true(rates(&llama_8b, job, card).need_byte > base.need_byte);
    job = plain;
    job.streams = 8;
    const wsk_token_rates eight = rates(&llama_8b, job, card);
    assert_true(eight.generation_s > 2 * base.generation_s && eight.generation_s < 8 * base.generation_s);
    assert_true(eight.generation_rel > base.generation_rel);
    better = card;
    better.cuda = false;
    assert_true(rates(&llama_8b, plain, better).generation_rel > base.generation_rel);
}

/* Mixtral 8x7B: one stream reads the 12.9 of 46.7 billion parameters that a token uses; very many streams read all of
 * them. */
static void experts(void **state)
{
    (void)state;
    wsk_model_params m = llama_8b;
    m.parameters = 46.7e9;
    m.active = 12.9e9;
    m.vocabulary = 32000;
    m.experts = 8;
    m.experts_used = 2;
    const double table = 32000.0 * 4096;
    near_to(wsk_model_read(&m, 1), 12.9e9 - table, 1e-12);
    near_to(wsk_model_read(&m, 1000), 46.7e9 - table, 1e-9);
    near_to(wsk_model_read(&m, 2), 46.7e9 - (46.7e9 - 12.9e9) / 0.75 * 0.5625 - table, 1e-12);
    assert_true(rates(&m, plain, card).generation_rel >= 0.3);
}

/* A mixture processes a prompt as a dense model of its active parameters does. If a token uses all experts, or their
 * number is not known, each step reads the active parameters. */
static void mixtures_and_dense_models(void **state)
{
    (void)state;
    wsk_model_params m = llama_8b, dense = llama_8b;
    wsk_token_card big = card;
    big.memory_byte = 80 * 1073741824.0;
    m.parameters = 46.7e9;
    m.active = dense.parameters = 12.9e9;
    m.experts = 8;
    m.experts_used = 2;
    near_to(rates(&m, plain, big).prompt_s, rates(&dense, plain, big).prompt_s, 1e-12);
    m.experts_used = 0;
    near_to(wsk_model_read(&m, 100), wsk_model_read(&dense, 1), 1e-12);
    m.experts_used = 8;
    near_to(wsk_model_read(&m, 100), wsk_model_read(&dense, 1), 1e-12);
    /* the output layer reads a table that it shares with the input */
    dense.tied = 1;
    near_to(wsk_model_read(&dense, 1), 12.9e9, 1e-12);
}

/* One request to DeepSeek V3, of FP8 weights, over eight cards. Readings: sgl-project/sglang pull request 2643 (30.3
 * tokens/s with H200), NVIDIA's TensorRT-LLM blog of 2025 on R1 (67 with B200, before speculative decoding and FP4). */
static void a_mixture_with_latent_attention(void **state)
{
    (void)state;
    wsk_model_params m = llama_8b;
    wsk_token_card h200 = card, b200;
    m.parameters = 671.03e9, m.active = 37.55e9;
    m.layers = 61, m.hidden = 7168, m.latent = 576;
    m.experts = 256, m.experts_used = 8;
    h200.memory_byte = 141 * 1073741824.0;
    h200.memory_byte_s = 4800e9;
    h200.units = 132;
    b200 = h200;
    b200.memory_byte_s = 8000e9;
    b200.units = 148;
    wsk_token_job job = plain;
    job.engine = WSK_ENGINE_VLLM;
    job.quant = WSK_QUANT_FP8;
    job.split = WSK_SPLIT_TENSOR;
    job.cards = 8;
    job.nvlink_byte_s = 900e9;
    const wsk_token_rates of_h200 = rates(&m, job, h200), of_b200 = rates(&m, job, b200);
    assert_true(fabs(30.3 / of_h200.generation_s - 1) < of_h200.generation_rel);
    assert_true(fabs(67 / of_b200.generation_s - 1) < of_b200.generation_rel);
    assert_true(of_b200.generation_s > of_h200.generation_s);
}

static void one_card_has_nothing_to_split(void **state)
{
    (void)state;
    wsk_token_job job = plain;
    const wsk_token_rates alone = rates(&llama_8b, job, card);
    job.split = WSK_SPLIT_TENSOR;
    const wsk_token_rates split = rates(&llama_8b, job, card);
    near_to(split.generation_s, alone.generation_s, 1e-12);
    near_to(split.prompt_s, alone.prompt_s, 1e-12);
    near_to(split.generation_rel, alone.generation_rel, 1e-12);
    /* weights may stay in the host's memory, keys and values may not */
    job.context = 1e6;
    assert_true(rates(&llama_8b, job, card).cache_byte > card.memory_byte);
    assert_true(isnan(rates(&llama_8b, job, card).generation_s));
}

static wsk_run *model_run(const char *cards, const char *work, const char *says, wsk_rig **rig)
{
    char xml[1600];
    snprintf(xml, sizeof xml,
             "<rig><site supply='230 V' circuit='32 A'/><chassis kind='frame' slots='20' card-length='1 m'><psu "
             "kind='constant' rated='5 kW' efficiency='94 %%'/>%s</chassis><workload kind='inference' "
             "model='model/llama-3.1-8b' %s/><run for='1 h'/></rig>",
             cards, work);
    const wsk_rig_options o = {.path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts"};
    const wsk_status status = wsk_rig_load(rig, &o);
    bool told = !says;
    for (size_t i = 0; i < wsk_rig_messages(*rig); i++) {
        int severity, line, column;
        const char *file, *text;
        wsk_rig_message(*rig, i, &severity, &file, &line, &column, &text);
        if (status != WSK_OK)
            print_error("%s\n", text);
        told = told || strstr(text, says);
    }
    assert_int_equal(status, WSK_OK);
    if (!told)
        fail_msg("no message says %s", says);
    return wsk_test_run(*rig, WSK_STEPPER_FAST, 60);
}

static wsk_token_rates of_rig(const char *cards, const char *work, const char *says)
{
    wsk_rig *rig = NULL;
    wsk_run *run = model_run(cards, work, says, &rig);
    const wsk_token_rates rates = run->net->tokens ? *run->net->tokens : (wsk_token_rates){.generation_s = NAN};
    wsk_test_drop(run, rig);
    return rates;
}

#define GPU(id, slot, part, more) "<gpu id='" id "' part='gpu/" part "' slot='" slot "' " more "/>"
#define PAIR GPU("a", "1", "rtx-3090", "") GPU("b", "5", "rtx-3090", "")
#define FOUR PAIR GPU("c", "9", "rtx-3090", "") GPU("d", "13", "rtx-3090", "")

/* Cards of a rig as groups that hold the model once each. */
static void groups_of_a_rig(void **state)
{
    (void)state;
    const wsk_token_rates one = of_rig(GPU("a", "1", "rtx-3090", ""), "", NULL), two = of_rig(PAIR, "", NULL),
                          layers = of_rig(PAIR, "split='layer'", NULL), tensor = of_rig(PAIR, "split='tensor'", NULL),
                          groups = of_rig(FOUR, "tensor-parallel='2'", NULL);
    near_to(two.generation_s, 2 * one.generation_s, 0.02);
    assert_true(two.copies > 1.5 && layers.copies < 1.5 && tensor.copies < 1.5);
    near_to(layers.have_byte, 2 * one.have_byte, 1e-12);
    near_to(layers.generation_s, one.generation_s, 0.1);
    assert_true(tensor.generation_s > 1.2 * layers.generation_s);
    near_to(groups.copies, 2, 1e-12);
    near_to(groups.generation_s, 2 * tensor.generation_s, 0.05);
    /* `batch` counts requests of one group; `streams` those of the rig */
    near_to(of_rig(PAIR, "batch='4'", NULL).requests, 8, 1e-12);
    near_to(of_rig(PAIR, "batch='4'", NULL).generation_s, of_rig(PAIR, "streams='8'", NULL).generation_s, 0.01);
    near_to(of_rig(PAIR, "gpus='b'", NULL).generation_s, one.generation_s, 0.02);
}

/* Of unlike cards, the group with the least room tells whether the model fits. */
static void unlike_cards(void **state)
{
    (void)state;
    static const char *const orders[] = {GPU("a", "1", "rtx-3090", "") GPU("b", "5", "rtx-3090", "memory='4 GB'"),
                                         GPU("a", "1", "rtx-3090", "memory='4 GB'") GPU("b", "5", "rtx-3090", "")};
    for (size_t i = 0; i < 2; i++) {
        const wsk_token_rates r = of_rig(orders[i], "", "does not fit");
        assert_false(r.fits);
        near_to(r.have_byte, 4 * 1073741824.0, 1e-12);
    }
    /* NVLink joins a group only if all its cards have it */
    static const char links[] = GPU("a", "1", "rtx-3090", "nvlink='yes'") GPU("b", "5", "rtx-3090", "nvlink='yes'"),
                      half[] = GPU("a", "1", "rtx-3090", "nvlink='yes'") GPU("b", "5", "rtx-3090", "");
    const char *tensor = "split='tensor'";
    assert_true(of_rig(links, tensor, NULL).generation_s > 1.02 * of_rig(half, tensor, NULL).generation_s);
    near_to(of_rig(half, tensor, NULL).generation_s, of_rig(PAIR, tensor, NULL).generation_s, 1e-12);
}

#define SMALL(id, slot) GPU(id, slot, "rtx-3090", "memory='4 GB'")

/* All cards whose weights do not fit read the rest from one host. */
static void one_host_for_all_cards(void **state)
{
    (void)state;
    const double one = of_rig(SMALL("a", "1"), "", "does not fit").generation_s,
                 two = of_rig(SMALL("a", "1") SMALL("b", "5"), "", "does not fit").generation_s,
                 four = of_rig(SMALL("a", "1") SMALL("b", "5") SMALL("c", "9") SMALL("d", "13"), "", "does not fit")
                            .generation_s;
    assert_true(two > one && two < 1.2 * one);
    assert_true(four > two && four < 1.2 * one);
    /* a card on which the model fits leaves the host to the other */
    near_to(of_rig(SMALL("a", "1") GPU("b", "5", "rtx-3090", ""), "", "does not fit").generation_s,
            one + of_rig(GPU("b", "5", "rtx-3090", ""), "", NULL).generation_s, 0.02);
}

/* A card waits for the host as if it were alone, whatever other cards do. */
static void only_who_spills_waits(void **state)
{
    (void)state;
    static const char *const rigs[] = {SMALL("a", "1"), SMALL("a", "1") GPU("b", "5", "rtx-3090", ""),
                                       GPU("b", "1", "rtx-3090", "") SMALL("a", "5")};
    double pause[3], host[3];
    for (size_t i = 0; i < 3; i++) {
        wsk_rig *rig = NULL;
        wsk_run *run = model_run(rigs[i], "", "does not fit", &rig);
        pause[i] = run->net->cards[i == 2].cls.pause;
        host[i] = run->net->host_load;
        if (i)
            assert_true(run->net->cards[i == 1].cls.pause <= 0);
        wsk_test_drop(run, rig);
    }
    assert_true(pause[0] > 0.5 && host[0] > 0.5);
    for (size_t i = 1; i < 3; i++) {
        near_to(pause[i], pause[0], 1e-12);
        near_to(host[i], host[0], 1e-12);
    }
}

/* Without a card's memory, its bandwidth or its compute units there are no tokens a second, and a warning says so. */
static void unknown_cards(void **state)
{
    (void)state;
    static const struct {
        const char *known, *says;
    } cards[] = {{"", "does not say its memory, memory-bandwidth, compute-units, matrix-ops"},
                 {"memory='24 GB'", "a does not say its memory-bandwidth, compute-units, matrix-ops"},
                 {"memory='24 GB' memory-bandwidth='936 GB/s'", "a does not say its compute-units, matrix-ops"},
                 {"memory='24 GB' memory-bandwidth='936 GB/s' compute-units='82'", "a does not say its matrix-ops"},
                 {"memory='24 GB' memory-bandwidth='936 GB/s' compute-units='82' matrix-ops='1024'", NULL},
                 {"memory='23.5 GB' memory-bandwidth='936 GB/s' compute-units='82' matrix-ops='1024'", NULL}};
    double have[6];
    for (size_t i = 0; i < 6; i++) {
        char text[600];
        snprintf(
            text, sizeof text,
            "<gpu id='a' slot='1' tdp='300 W' clock-max='1900 MHz' clock-knee='1300 MHz' "
            "voltage-slope='0.5 1/GHz' %s>"
            "<cooler kind='passive' conductance='20 W/K' flow='100 m3/h' capacity='500 J/K' drop='60 Pa'/></gpu>",
            cards[i].known);
        const wsk_token_rates r = of_rig(text, "", cards[i].says);
        have[i] = r.have_byte;
        assert_true(cards[i].says ? isnan(r.generation_s) : r.generation_s > 10);
    }
    /* data sheets say GB for GiB where the number is whole */
    near_to(have[4], 24 * 1073741824.0, 1e-12);
    near_to(have[5], 23.5e9, 1e-12);
}

/* An engine has no tokens of weights that it cannot load, nor on cards that are too old for it. */
static void engines_that_do_not_run(void **state)
{
    (void)state;
    static const struct {
        const char *part, *work, *says;
    } cases[] = {{"rtx-4090", "engine='llama.cpp' quant='FP8'", "llama.cpp does not load FP8 weights"},
                 {"rtx-4090", "engine='llama.cpp' quant='AWQ'", "llama.cpp does not load AWQ weights"},
                 {"rtx-4090", "engine='llama.cpp' quant='MXFP4'", NULL},
                 {"rtx-4090", "engine='vllm' quant='AWQ'", NULL},
                 {"p40", "engine='vllm'", "vllm does not run on a, which is older than compute capability 7.0"},
                 {"p100-pcie", "engine='vllm'", "vllm does not run on a"},
                 {"p40", "engine='llama.cpp'", NULL},
                 {"v100-pcie", "engine='vllm'", NULL},
                 {"mi50-16gb", "engine='vllm'", NULL},
                 {"p40", "engine='vllm' measured-rate='20 tok/s'", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char gpu[200], work[200];
        snprintf(gpu, sizeof gpu, GPU("a", "1", "%s", ""), cases[i].part);
        snprintf(work, sizeof work, "context='1024' %s", cases[i].work);
        const wsk_token_rates r = of_rig(gpu, work, cases[i].says);
        if (cases[i].says ? !isnan(r.generation_s) : !(r.generation_s > 10))
            fail_msg("%s, %s: %g tokens a second", cases[i].part, cases[i].work, r.generation_s);
    }
}

/* A card at its power limit cannot draw more, only less. Without bands of the whole rig the energy of a token has half
 * of that range as its spread, beside that of the tokens. */
static void energy_at_a_limit(void **state)
{
    (void)state;
    double open[2], rel[2];
    for (int capped = 0; capped < 2; capped++) {
        char xml[512];
        snprintf(xml, sizeof xml,
                 "<rig><chassis part='chassis/workstation-12-slot'><psu kind='constant' rated='1 kW' efficiency='94 "
                 "%%'/><fan part='fan/generic-140-1500' at='front' count='3'/><gpu part='gpu/rtx-4090' "
                 "slot='1' power-limit='%d W'/></chassis><workload kind='inference' model='model/llama-3.1-8b'/><run "
                 "for='10 min'/></rig>",
                 capped ? 280 : 450);
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(xml, 600, &rig);
        wsk_summary *s = NULL;
        assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
        const double all = wsk_summary_number(s, WSK_R_TOKENS_ENERGY_SPREAD, 0),
                     tokens = wsk_summary_number(s, WSK_R_TOKENS_GENERATION_SPREAD, 0);
        open[capped] = sqrt(all * all - tokens * tokens);
        rel[capped] =
            wsk_summary_number(s, WSK_R_GPU_POWER_SPREAD, 0) * wsk_summary_number(s, WSK_R_GPU_POWER_MEAN, 0) * 600 /
            (3.6e6 * (wsk_summary_number(s, WSK_R_WALL_KWH, 0) - wsk_summary_number(s, WSK_R_PSU_LOSS_KWH, 0)));
        wsk_summary_free(s);
        wsk_test_drop(run, rig);
    }
    near_to(open[0], rel[0], 1e-9);
    assert_true(rel[1] > 0.05);
    near_to(open[1], rel[1] / 2, 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cache),
                                       cmocka_unit_test(sizes),
                                       cmocka_unit_test(fits),
                                       cmocka_unit_test(bound_by_memory),
                                       cmocka_unit_test(prompts),
                                       cmocka_unit_test(directions),
                                       cmocka_unit_test(experts),
                                       cmocka_unit_test(mixtures_and_dense_models),
                                       cmocka_unit_test(a_mixture_with_latent_attention),
                                       cmocka_unit_test(one_card_has_nothing_to_split),
                                       cmocka_unit_test(groups_of_a_rig),
                                       cmocka_unit_test(unlike_cards),
                                       cmocka_unit_test(one_host_for_all_cards),
                                       cmocka_unit_test(only_who_spills_waits),
                                       cmocka_unit_test(unknown_cards),
                                       cmocka_unit_test(engines_that_do_not_run),
                                       cmocka_unit_test(energy_at_a_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
