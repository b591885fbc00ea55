/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The law of tokens per second, number by number, from the formulas and tables of docs/theory/tokens.md, which are
 * written again here: bytes, the time of a step and of a prompt, what lies in the host's memory, and the bands. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "sim/net/tokens.h"
#include "tests/support/bench.h"
#include "tests/unit/assert.h"

static const wsk_token_card cards[] = {{24 * 1073741824.0, 936e9, 82, 1024, 1024, 1.6e9, 1.5e9, .cuda = true},
                                       {12 * 1073741824.0, 504e9, 46, 512, 256, 1.9e9, 1.8e9, .cuda = true},
                                       {48 * 1073741824.0, 864e9, 142, 2048, 2048, 2.2e9, 2.1e9, .cuda = true}};
enum { N = sizeof cards / sizeof *cards };

/* The columns of the table in docs/theory/tokens.md, "Fit". */
typedef struct {
    double share, digest, layer, hop, low, wide, part, p, most;
} engine;
static const engine engines[] = {
    [WSK_ENGINE_LLAMA_CPP] = {0.948, 7.45, 95.6e-6, 207e-6, 0.339, 0.509, 530e-6, 1, 2048},
    [WSK_ENGINE_VLLM] = {0.85, 14, 15e-6, 50e-6, 0.45, 0.55, 0, 4, INFINITY}};

/* weights: number of weights that a step reads; used: number that a token is multiplied with; held: number in the
 * cards' memory */
typedef struct {
    double weights, used, held, bytes; /* bytes of a weight */
} amounts;

static double exchange(const wsk_token_job *job, double tokens)
{
    const double n = job->cards, rate = job->nvlink_byte_s > 0 ? 0.4 * job->nvlink_byte_s : 12e9;
    return 2 * (n - 1) / n * tokens * job->model->hidden * 2 / rate;
}

static double ops_of(const wsk_token_job *job, const wsk_token_card *c)
{
    const engine *e = &engines[job->engine];
    const bool wide = job->quant == WSK_QUANT_F16;
    const double doubled = job->quant == WSK_QUANT_FP8 && c->fp8 ? 2 : 1;
    return (wide ? e->wide : e->low) * c->units * fmin(doubled * (wide ? c->matrix_ops_16 : c->matrix_ops), e->most);
}

static void hold(const wsk_token_job *job, const wsk_token_card *c, amounts a, double copies)
{
    const engine *e = &engines[job->engine];
    const wsk_model_params *m = job->model;
    const bool tensor = job->split == WSK_SPLIT_TENSOR;
    const double n = job->cards, b = job->streams, cache = copies * b * wsk_model_cache_byte(m, job->context);
    double have = 0, sum = 0, most = 0, prompt = 0, slowest = 0;
    for (int i = 0; i < job->cards; i++)
        have += c[i].memory_byte;
    const double weight = a.held * a.bytes, need = weight + cache + n * 1.2e9,
                 away = need > have ? (need - have) / weight : 0, t = job->context;
    for (int i = 0; i < job->cards; i++) {
        const double part = tensor ? 1 / n : c[i].memory_byte / have, w = part * (1 - away) * a.weights * a.bytes,
                     t_m = (w + part * cache) / (e->share * c[i].memory_byte_s),
                     t_w = w / (e->digest * c[i].units * c[i].generation_hz),
                     t_a = part * (1 - away) * 2 * a.used * (b - 1) / (ops_of(job, &c[i]) * c[i].generation_hz),
                     t_c = pow(pow(t_w, e->p) + pow(t_a, e->p), 1 / e->p),
                     took = pow(pow(t_m, 4) + pow(t_c, 4), 0.25),
                     read = part * (2 * a.used * t + 2 * m->layers * m->hidden * t * t) /
                            (ops_of(job, &c[i]) * c[i].prompt_hz);
        sum += took;
        prompt += read;
        most = fmax(most, took);
        slowest = fmax(slowest, read);
    }
    const double layer = e->layer + (job->engine == WSK_ENGINE_VLLM && m->experts > 0 ? 45e-6 : 0) +
                         (job->engine == WSK_ENGINE_VLLM && !isnan(m->latent) ? 190e-6 : 0) +
                         fmin((b - 1) / 512, 1) * e->part,
                 busy = (tensor ? most : sum) + m->layers * layer,
                 talk = tensor ? 2 * m->layers * ((job->nvlink_byte_s > 0 ? 12e-6 : 25e-6) + exchange(job, b))
                               : (n - 1) * e->hop,
                 step = busy + talk + away * a.weights * a.bytes * fmax(job->spilling, 1) / 50e9,
                 parts = ceil(t / 512), fixed = m->layers * parts * e->part;
    const wsk_token_rates r = wsk_tokens(job, c);
    assert_rel(r.weight_byte, weight, 1e-9);
    assert_rel(r.cache_byte, cache, 1e-9);
    assert_rel(r.need_byte, need, 1e-9);
    assert_rel(r.have_byte, have, 1e-9);
    assert_rel(r.memory_rel, hypot(n * 0.6e9, 0.02 * weight) / need, 1e-9);
    assert_int_equal(r.fits, need <= have);
    assert_true(fabs(r.spilled - away) < 1e-12);
    assert_rel(r.generation_s, b / step, 1e-9);
    assert_rel(r.busy, busy / step, 1e-9);
    if (away > 0)
        assert_true(isnan(r.prompt_s));
    else if (tensor)
        assert_rel(r.prompt_s, t / (slowest + fixed + 2 * m->layers * exchange(job, t)), 1e-9);
    else
        assert_rel(r.prompt_s, t / (prompt + fixed) * parts * n / (parts + n - 1), 1e-9);
}

static const double table = 128256.0 * 4096;

static void one_card_and_layers(void **state)
{
    (void)state;
    wsk_token_job job = {.model = &wsk_model_usual, .cards = 1, .streams = 1, .context = 2048};
    job.quant = WSK_QUANT_Q4_K_M;
    const double llama = 8.03e9 - table;
    amounts a = {llama, llama, llama, 4.8944 / 8};
    hold(&job, cards, a, 1);
    job.context = 300; /* less than one part of a prompt */
    job.streams = 40;
    hold(&job, cards, a, 1);
    job.context = 1300;
    job.split = WSK_SPLIT_LAYER;
    job.cards = N;
    hold(&job, cards, a, 1);
    job.streams = 700; /* more than the 512 tokens of a part */
    job.context = 40;
    hold(&job, cards, a, 1);
    job.streams = 2;
    job.quant = WSK_QUANT_F16;
    a.bytes = 2;
    hold(&job, cards, a, 1);
    job.engine = WSK_ENGINE_VLLM; /* holds the table of the vocabulary on the card; generation does not read it */
    a.held = 8.03e9;
    job.streams = 60;
    hold(&job, cards, a, 1);
}

static void weights_in_the_host(void **state)
{
    (void)state;
    wsk_token_job job = {.model = &wsk_model_usual, .cards = 1, .streams = 1, .context = 8192};
    job.quant = WSK_QUANT_F16;
    const double llama = 8.03e9 - table;
    const amounts a = {llama, llama, llama, 2};
    hold(&job, cards + 1, a, 1);
    job.spilling = 3; /* three groups of cards read weights from the host at the same time */
    job.streams = 2;
    hold(&job, cards + 1, a, 1);
    assert_rel(wsk_tokens(&job, cards + 1).generation_rel, 0.5, 1e-12);
}

static void tensor_parallel(void **state)
{
    (void)state;
    wsk_token_job job = {.model = &wsk_model_usual, .cards = N, .streams = 24, .context = 1024};
    wsk_token_card fast[N];
    for (int i = 0; i < N; i++) {
        fast[i] = cards[i];
        fast[i].fp8 = i > 0;
    }
    job.engine = WSK_ENGINE_VLLM;
    job.quant = WSK_QUANT_FP8;
    job.split = WSK_SPLIT_TENSOR;
    const amounts a = {8.03e9 - table, 8.03e9 - table, 8.03e9, 1};
    hold(&job, fast, a, 1);
    job.nvlink_byte_s = 600e9;
    hold(&job, fast, a, 1);
    job.streams = 300; /* bound by arithmetic */
    hold(&job, fast, a, 1);
    wsk_model_params one_head = wsk_model_usual;
    one_head.kv_heads = 1; /* each card has a copy of the keys and values */
    job.model = &one_head;
    hold(&job, fast, a, N);
}

/* Each token uses 4 of 16 experts, so five requests use a given expert with the probability 1 - (3/4)^5. */
static void mixture_with_one_compressed_cache(void **state)
{
    (void)state;
    wsk_model_params m = wsk_model_usual;
    m.parameters = 24e9, m.active = 9e9;
    m.experts = 16, m.experts_used = 4;
    m.latent = 576;
    const double in_experts = (24e9 - 9e9) / 0.75;
    wsk_token_job job = {.model = &m, .cards = N, .streams = 5, .context = 1024};
    job.engine = WSK_ENGINE_VLLM;
    job.quant = WSK_QUANT_FP8;
    job.split = WSK_SPLIT_TENSOR;
    hold(&job, cards, (amounts){24e9 - in_experts * pow(0.75, 5) - table, 9e9 - table, 24e9, 1}, N);
    job.engine = WSK_ENGINE_LLAMA_CPP;
    job.quant = WSK_QUANT_Q4_K_M;
    job.split = WSK_SPLIT_LAYER;
    hold(&job, cards, (amounts){24e9 - in_experts * pow(0.75, 5) - table, 9e9 - table, 24e9 - table, 4.8944 / 8}, 1);
}

/* The share of a step in which kernels run: the time of a step without the fixed times of the layers / that with
 * them. */
static void kernels(void **state)
{
    (void)state;
    wsk_token_job job = {.model = &wsk_model_usual, .cards = 1, .streams = 9, .context = 2048};
    job.quant = WSK_QUANT_Q4_K_M;
    const double w = (8.03e9 - table) * 4.8944 / 8, move = (w + 2048 * 131072.0) / (0.948 * 936e9),
                 work = w / (7.45 * 82 * 1.6e9), took = pow(pow(move, 4) + pow(work, 4), 0.25);
    assert_rel(wsk_tokens_kernels(&job, cards), took / (took + 32 * 95.6e-6), 1e-9);
}

/* The table in docs/theory/tokens.md, "Bands": if several rows apply, the widest counts. */
static void bands(void **state)
{
    (void)state;
    wsk_model_params mixture = wsk_model_usual;
    mixture.active = 3e9, mixture.experts = 8, mixture.experts_used = 2;
    static const struct {
        wsk_engine engine;
        double streams, generation, prompt;
        bool hbm, other, mixture, tensor;
    } of[] = {
        {WSK_ENGINE_LLAMA_CPP, 1, 0.10, 0.32, .hbm = false},    {WSK_ENGINE_LLAMA_CPP, 1, 0.16, 0.32, .hbm = true},
        {WSK_ENGINE_LLAMA_CPP, 2, 0.25, 0.32, .hbm = false},    {WSK_ENGINE_LLAMA_CPP, 1, 0.25, 0.32, .tensor = true},
        {WSK_ENGINE_LLAMA_CPP, 1, 0.30, 0.45, .mixture = true}, {WSK_ENGINE_LLAMA_CPP, 1, 0.30, 0.45, .other = true},
        {WSK_ENGINE_VLLM, 1, 0.30, 0.45, .hbm = true},          {WSK_ENGINE_VLLM, 2, 0.35, 0.45, .hbm = false},
        {WSK_ENGINE_VLLM, 1, 0.45, 0.45, .mixture = true},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        wsk_token_job job = {.model = of[i].mixture ? &mixture : &wsk_model_usual,
                             .quant = WSK_QUANT_Q4_K_M,
                             .engine = of[i].engine,
                             .split = of[i].tensor ? WSK_SPLIT_TENSOR : WSK_SPLIT_NONE,
                             .cards = of[i].tensor ? 2 : 1,
                             .streams = of[i].streams,
                             .context = 2048};
        wsk_token_card two[2] = {cards[0], cards[0]};
        two[0].hbm = of[i].hbm;
        two[0].cuda = two[1].cuda = !of[i].other;
        const double versions = of[i].engine == WSK_ENGINE_LLAMA_CPP ? 0.17 : 0,
                     wide = hypot(of[i].generation, versions);
        const bool together = of[i].tensor || of[i].streams > 1;
        const double told = together && of[i].engine == WSK_ENGINE_LLAMA_CPP
                                ? fmax(of[i].generation, hypot(0.1, 0.17))
                            : together ? of[i].generation
                                       : wide;
        const wsk_token_rates r = wsk_tokens(&job, two);
        assert_rel(r.generation_rel, told, 1e-9);
        assert_rel(r.prompt_rel, of[i].prompt, 1e-9);
    }
}

typedef struct {
    bool known;
    wsk_token_rates rates;
    wsk_token_card card[2];
    wsk_token_part part[2];
} told;

/* Rates by the law for a rig of two cards that work alone. part[] begins with 7, so a 7 shows that the law has not set
 * a value. */
static told of_rig(const char *first, const char *second, const char *work)
{
    char xml[1600];
    wsk_rig *rig;
    told x = {.part = {{7, 7, 7, 7, 7, 7}, {7, 7, 7, 7, 7, 7}}};
    snprintf(xml, sizeof xml,
             "<rig><site supply='230 V' circuit='32 A'/><chassis kind='frame' slots='20' card-length='1 m'>"
             "<psu kind='constant' rated='5 kW' efficiency='94 %%'/><gpu id='a' slot='1' part='gpu/%s/>"
             "<gpu id='b' slot='5' part='gpu/%s/></chassis><workload kind='inference' model='model/llama-3.1-8b' %s/>"
             "<run for='1 h'/></rig>",
             first, second, work);
    wsk_run *run = wsk_test_run_to(xml, 1, &rig);
    const wsk_net *net = run->net;
    assert_int_equal(net->n_card, 2);
    x.known = wsk_tokens_of(net->workload, net->cards, 2, NULL, &x.rates, x.part);
    for (int i = 0; i < 2; i++) {
        const wsk_gpu_params *g = net->cards[i].gpu;
        x.card[i] = wsk_token_card_of(g, g->clock_max_hz, g->clock_max_hz);
    }
    wsk_test_drop(run, rig);
    return x;
}

static wsk_token_job alone(wsk_quant quant, wsk_engine by)
{
    return (wsk_token_job){.model = &wsk_model_usual,
                           .quant = quant,
                           .engine = by,
                           .split = WSK_SPLIT_NONE,
                           .cards = 1,
                           .streams = 1,
                           .context = 4096};
}

/* Each of two cards holds a copy of the model: the rates add up, the memory is that of the card with the least, and
 * the model must fit on both. */
static void copies_of_a_rig(void **state)
{
    (void)state;
    static const char both[] = "quant='Q4_K_M' context='4096'", large[] = "rtx-3090'",
                      small[] = "rtx-3090' memory='4 GB'";
    const wsk_token_job job = alone(WSK_QUANT_Q4_K_M, WSK_ENGINE_LLAMA_CPP);
    const told alike = of_rig(large, large, both);
    assert_true(alike.known && alike.rates.fits);
    assert_rel(alike.rates.have_byte, 24 * 1073741824.0, 1e-12); /* GB of cards mean GiB */
    assert_rel(alike.rates.generation_rel, hypot(0.10, 0.17), 1e-9);
    assert_same(alike.part[0].duty, 7);
    for (int order = 0; order < 2; order++) {
        const told x = order ? of_rig(small, large, both) : of_rig(large, small, both);
        const int of_small = !order;
        const wsk_token_rates low = wsk_tokens(&job, &x.card[of_small]), high = wsk_tokens(&job, &x.card[!of_small]);
        assert_false(x.rates.fits);
        assert_rel(x.rates.have_byte, 4 * 1073741824.0, 1e-12);
        assert_rel(x.rates.generation_s, low.generation_s + high.generation_s, 1e-6);
        assert_rel(x.part[of_small].duty, low.busy, 1e-6);
        assert_same(x.part[!of_small].duty, 7);
    }
    assert_rel(of_rig("a100-pcie-80gb'", "a100-pcie-80gb'", both).rates.generation_rel, hypot(0.16, 0.17), 1e-9);
    assert_rel(of_rig("rx-7900-xtx'", "rx-7900-xtx'", both).rates.generation_rel, hypot(0.30, 0.17), 1e-9);
}

/* Share of kernels with another engine or quantisation, relative to Q4_K_M in the same engine, times that of Q4_K_M in
 * llama.cpp: docs/theory/workload.md, "The model that a workload names". */
static void kernels_of_a_rig(void **state)
{
    (void)state;
    static const struct {
        const char *work;
        wsk_quant quant;
        wsk_engine engine;
        double bits;
    } of[] = {{"quant='Q4_K_M' context='4096'", WSK_QUANT_Q4_K_M, WSK_ENGINE_LLAMA_CPP, 4.8944},
              {"quant='Q8_0' context='4096'", WSK_QUANT_Q8_0, WSK_ENGINE_LLAMA_CPP, 8.5},
              {"quant='FP8' engine='vllm' context='4096'", WSK_QUANT_FP8, WSK_ENGINE_VLLM, 8}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const told x = of_rig("rtx-3090'", "rtx-4090'", of[i].work);
        for (int k = 0; k < 2; k++) {
            const wsk_token_job job = alone(of[i].quant, of[i].engine), low = alone(WSK_QUANT_Q4_K_M, of[i].engine),
                                usual = alone(WSK_QUANT_Q4_K_M, WSK_ENGINE_LLAMA_CPP);
            const double base = wsk_tokens_kernels(&usual, &x.card[k]);
            assert_near(x.part[k].bits, of[i].bits, 0);
            if (of[i].engine == WSK_ENGINE_VLLM)
                assert_rel(x.part[k].unpacking, 7.4 / 14, 0.01);
            else
                assert_same(x.part[k].unpacking, 7);
            assert_rel(x.part[k].kernels_usual, base, 1e-6);
            assert_rel(x.part[k].kernels,
                       base * wsk_tokens_kernels(&job, &x.card[k]) / wsk_tokens_kernels(&low, &x.card[k]), 1e-6);
        }
    }
    const told wide = of_rig("rtx-3090'", "rtx-4090'", "quant='F16' context='4096'");
    assert_true(wide.part[0].bits == 16 && wide.part[1].bits == 16);
    assert_same(wide.part[0].kernels, 7);
}

/* A card of which too little is known for tokens changes neither the bits of the weights nor the kernels of the card
 * beside it. */
static void beside_an_unknown_card(void **state)
{
    (void)state;
    const told known = of_rig("rtx-3090'", "rtx-4090'", "quant='Q8_0' context='4096'");
    for (int order = 0; order < 2; order++) {
        static const char plain[] = "generic' tdp='250 W'";
        const told x = order ? of_rig(plain, "rtx-3090'", "quant='Q8_0' context='4096'")
                             : of_rig("rtx-3090'", plain, "quant='Q8_0' context='4096'");
        assert_false(x.known);
        assert_near(x.part[order].bits, 8.5, 0);
        assert_near(x.part[!order].bits, 8.5, 0);
        assert_rel(x.part[order].kernels, known.part[0].kernels, 1e-9);
        assert_rel(x.part[order].kernels_usual, known.part[0].kernels_usual, 1e-9);
        assert_same(x.part[!order].kernels, 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_card_and_layers),
                                       cmocka_unit_test(weights_in_the_host),
                                       cmocka_unit_test(tensor_parallel),
                                       cmocka_unit_test(mixture_with_one_compressed_cache),
                                       cmocka_unit_test(kernels),
                                       cmocka_unit_test(bands),
                                       cmocka_unit_test(copies_of_a_rig),
                                       cmocka_unit_test(kernels_of_a_rig),
                                       cmocka_unit_test(beside_an_unknown_card)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
