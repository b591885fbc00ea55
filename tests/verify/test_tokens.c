/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The law of tokens per second against hand calculations: docs/theory/tokens.md. wsk_model_usual is Llama 3.1 8B. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/io/plan.h"
#include "sim/net/tokens.h"
#include "tests/support/bench.h"
#include "tests/unit/assert.h"

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
    wsk_model_params m = wsk_model_usual;
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
    near_to(wsk_model_cache_byte(&wsk_model_usual, 1), 131072, 1e-12);
    near_to(wsk_model_cache_byte(&m, 1), 327680, 1e-12);
    m.layers = 61;
    m.latent = 576;
    near_to(wsk_model_cache_byte(&m, 1000), 70272e3, 1e-12);
    m.latent = NAN;
    m.window = 128; /* layers with an attention window store only the last `window` tokens */
    m.window_layers = 61;
    near_to(wsk_model_cache_byte(&m, 1000), 128 * wsk_model_cache_byte(&m, 1), 1e-12);
    m.window_layers = 80; /* counts as 61, because the model has 61 layers */
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
    near_to(rates(&wsk_model_usual, job, card).weight_byte, 4.58 * gib - table * 4.8944 / 8, 0.01);
    job.quant = WSK_QUANT_F16;
    near_to(rates(&wsk_model_usual, job, card).weight_byte, 14.96 * gib - table * 2, 0.01);
    job.engine = WSK_ENGINE_VLLM; /* vLLM holds the embedding table on the card */
    near_to(rates(&wsk_model_usual, job, card).weight_byte, 14.96 * gib, 0.01);
    static const struct {
        wsk_quant quant;
        double gib;
    } of[] = {{WSK_QUANT_Q4_0, 4.34},
              {WSK_QUANT_Q3_K_M, 3.74},
              {WSK_QUANT_IQ3_M, 3.52},
              {WSK_QUANT_IQ3_XXS, 3.04},
              {WSK_QUANT_IQ2_M, 2.74}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        job.quant = of[i].quant;
        near_to(rates(&wsk_model_usual, job, card).weight_byte, of[i].gib * gib, 0.003);
    }
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
    near_to(rates(&wsk_model_usual, job, card).generation_s, 0.9 * 936e9 / bytes, 1e-9);
    /* layers split over two equal cards give the same rate; tensor-parallel gives twice the rate, less the time of
     * exchanges */
    job.cards = 2;
    job.split = WSK_SPLIT_LAYER;
    near_to(rates(&wsk_model_usual, job, card).generation_s, 0.9 * 936e9 / bytes, 1e-9);
    job.split = WSK_SPLIT_TENSOR;
    const double half = bytes / (0.9 * 936e9) / 2, got = 1 / rates(&wsk_model_usual, job, card).generation_s;
    assert_true(got > half && got < half + 64 * (25e-6 + 8192 / 12e9 + 1e-9));
    job.nvlink_byte_s = 900e9;
    assert_true(1 / rates(&wsk_model_usual, job, card).generation_s < got);
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
    near_to(rates(&wsk_model_usual, job, card).prompt_s, rate, 1e-9);
    job.quant = WSK_QUANT_F16;
    near_to(rates(&wsk_model_usual, job, card).prompt_s, rate / 2, 1e-9);
    /* a compute unit with 1,024 operations a clock at 8 bit but only 256 at 16 bit */
    wsk_token_card lanes = card;
    lanes.matrix_ops_16 = 256;
    near_to(rates(&wsk_model_usual, job, lanes).prompt_s, rate / 8, 1e-9);
    /* a prompt of one part of 512 tokens uses two cards one after the other; with 16 parts, each card is busy for 16
     * of 17 steps */
    job.quant = WSK_QUANT_Q4_K_M;
    job.split = WSK_SPLIT_LAYER;
    job.cards = 2;
    near_to(rates(&wsk_model_usual, job, card).prompt_s, rate, 1e-9);
    job.context = 8192;
    const double two = rates(&wsk_model_usual, job, card).prompt_s;
    job.cards = 1;
    near_to(two / rates(&wsk_model_usual, job, card).prompt_s, 2 * 16 / 17.0, 1e-9);
}

static void directions(void **state)
{
    (void)state;
    wsk_token_job job = plain;
    wsk_token_card better = card;
    const wsk_token_rates base = rates(&wsk_model_usual, job, card);
    better.memory_byte_s *= 1.1;
    assert_true(rates(&wsk_model_usual, job, better).generation_s > base.generation_s);
    better = card;
    better.generation_hz *= 1.1;
    assert_true(rates(&wsk_model_usual, job, better).generation_s > base.generation_s);
    near_to(rates(&wsk_model_usual, job, better).prompt_s, base.prompt_s, 1e-12);
    job.context *= 2;
    assert_true(rates(&wsk_model_usual, job, card).generation_s < base.generation_s);
    assert_true(rates(&wsk_model_usual, job, card).need_byte > base.need_byte);
    job = plain;
    job.streams = 8;
    const wsk_token_rates eight = rates(&wsk_model_usual, job, card);
    assert_true(eight.generation_s > 2 * base.generation_s && eight.generation_s < 8 * base.generation_s);
    assert_true(eight.generation_rel > base.generation_rel);
    better = card;
    better.cuda = false;
    assert_true(rates(&wsk_model_usual, plain, better).generation_rel > base.generation_rel);
}

/* Mixtral 8x7B: one stream reads the 12.9 of 46.7 billion parameters that a token uses; very many streams read all of
 * them. */
static void experts(void **state)
{
    (void)state;
    wsk_model_params m = wsk_model_usual;
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
    wsk_model_params m = wsk_model_usual, dense = wsk_model_usual;
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
    /* with tied embeddings the output layer reads the table that it shares with the input */
    dense.tied = 1;
    near_to(wsk_model_read(&dense, 1), 12.9e9, 1e-12);
}

/* gpt-oss stores its experts alone as MXFP4. llama-bench shows 11.27 GiB for 20B and 59.02 GiB for 120B, whose other
 * weights have 8.5 bits there (Q8_0), and 12.83 GiB for a 20B with 16 bits, as the maker publishes it and vLLM loads it.
 * Parameters: gpt_oss/torch/model.py of github.com/openai/gpt-oss. */
static void experts_alone_in_four_bits(void **state)
{
    (void)state;
    const double gib = 1073741824.0, table = 201088.0 * 2880;
    wsk_model_params m = wsk_model_usual;
    wsk_token_job job = plain;
    job.quant = WSK_QUANT_MXFP4;
    m.parameters = 20.91e9;
    m.active = 4.19e9;
    m.layers = 24;
    m.hidden = 2880;
    m.vocabulary = 201088;
    m.experts = 32;
    m.experts_used = 4;
    near_to(rates(&m, job, card).weight_byte, 11.27 * gib - table * 8.5 / 8, 0.01);
    job.engine = WSK_ENGINE_VLLM;
    near_to(rates(&m, job, card).weight_byte, 12.83 * gib, 0.01);
    /* A token uses an eighth of the experts and all of the rest but the table. */
    job = plain;
    job.quant = WSK_QUANT_MXFP4;
    wsk_token_card pure = card;
    pure.units = 1e12; /* only the memory counts */
    wsk_engine_law law = wsk_engine_laws[WSK_ENGINE_LLAMA_CPP];
    law.share = 1;
    law.layer_s = 0;
    job.law = &law;
    const double all = (20.91e9 - 4.19e9) * 8 / 7, read = all / 8 * 4.25 / 8 + (20.91e9 - all - table) * 8.5 / 8,
                 cache = wsk_model_cache_byte(&m, job.context);
    near_to(rates(&m, job, pure).generation_s, 936e9 / (read + cache), 1e-6);
    m.parameters = 116.83e9;
    m.active = 5.71e9;
    m.experts = 128;
    near_to(rates(&m, job, card).weight_byte, 59.02 * gib - table * 8.5 / 8, 0.01);
    /* a dense model has all its weights in these bits */
    m = wsk_model_usual;
    near_to(rates(&m, job, card).weight_byte, (8.03e9 - 128256.0 * 4096) * 4.25 / 8, 1e-12);
}

/* One request to DeepSeek V3, with FP8 weights, on eight cards. Measured: sgl-project/sglang pull request 2643 (30.3
 * tokens/s with H200), NVIDIA's TensorRT-LLM blog of 2025 on R1 (67 with B200, before speculative decoding and FP4). */
static void a_mixture_with_latent_attention(void **state)
{
    (void)state;
    wsk_model_params m = wsk_model_usual;
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
    const wsk_token_rates alone = rates(&wsk_model_usual, job, card);
    job.split = WSK_SPLIT_TENSOR;
    const wsk_token_rates split = rates(&wsk_model_usual, job, card);
    near_to(split.generation_s, alone.generation_s, 1e-12);
    near_to(split.prompt_s, alone.prompt_s, 1e-12);
    near_to(split.generation_rel, alone.generation_rel, 1e-12);
    /* weights may stay in the host's memory, keys and values may not */
    job.context = 1e6;
    assert_true(rates(&wsk_model_usual, job, card).cache_byte > card.memory_byte);
    assert_true(isnan(rates(&wsk_model_usual, job, card).generation_s));
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
                                       cmocka_unit_test(experts_alone_in_four_bits),
                                       cmocka_unit_test(a_mixture_with_latent_attention),
                                       cmocka_unit_test(one_card_has_nothing_to_split)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
