/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes tokens/s of a language model. Generation is bound by the bytes that a step reads and by the work of the
 * cores on these bytes, prompts by arithmetic. Fits, ranges and sources of each constant: docs/theory/tokens.md */
#include "sim/net/tokens.h"

#include <math.h>
#include <string.h>

#include "sim/net/load.h"

const wsk_engine_law wsk_engine_laws[WSK_ENGINES] = {
    /* fitted to 16 kinds of cards: docs/theory/tokens.md, "Fit" */
    [WSK_ENGINE_LLAMA_CPP] = {.share = 0.948,
                              .digest = 7.45,
                              .layer_s = 95.6e-6,
                              .hop_s = 207e-6,
                              .prompt = 0.339,
                              .prompt_16 = 0.509,
                              .ops_most = 2048,
                              .overlap = 1,
                              .prompt_layer_s = 530e-6,
                              .generation_rel = 0.10,
                              .hbm_rel = 0.16,
                              .mixture_rel = 0.3,
                              .together_rel = 0.25,
                              .prompt_rel = 0.32,
                              .version_rel = 0.17, /* docs/theory/tokens.md, "Bands" */
                              .mxfp4_rest_bits = 8.5,
                              .spills = true,
                              .table_on_host = true},
    /* constants of vLLM, assumed: docs/theory/constants.md, "vLLM" */
    [WSK_ENGINE_VLLM] = {.share = 0.85,
                         .whole_heads = true,
                         .safetensors = true,
                         .since_volta = true,
                         .digest = 14,
                         .layer_s = 15e-6,
                         .mixture_layer_s = 45e-6,
                         .latent_layer_s = 190e-6,
                         .hop_s = 50e-6,
                         .prompt = 0.45,
                         .prompt_16 = 0.55,
                         .ops_most = 1e6,
                         .overlap = 4,
                         .generation_rel = 0.3,
                         .hbm_rel = 0.3,
                         .mixture_rel = 0.45,
                         .together_rel = 0.35,
                         .prompt_rel = 0.45,
                         .mxfp4_rest_bits = 16}};
/* Memory that an engine keeps for itself on each card, and its error. Assumed:
 * docs/theory/constants.md, "memory that an engine keeps" */
static const double own_byte = 1.2e9, own_error_byte = 0.6e9;
/* Rate at which the host reads weights from its own memory. Assumed: docs/theory/constants.md, "host memory" */
static const double host_byte_s = 50e9;
/* Rate and latency of exchanges between cards; nvlink_share: share of the peak rate of a card's links that exchanges
 * attain. Assumed: docs/theory/constants.md, "links of cards" */
static const double nvlink_share = 0.4, pcie_byte_s = 12e9, nvlink_s = 12e-6, pcie_s = 25e-6;
static const double ubatch = 512; /* number of prompt tokens that go through the layers together */
/* Most 16-bit operations per compute unit and clock of an NVIDIA card without matrix units: 64 lanes of a P100, two
 * numbers in each, multiplied and added (NVIDIA, Pascal white paper). */
static const double lanes_most = 256;
static const double wide_bits = 15; /* weights of so many bits and more need no unpacking */

static double bits_of(wsk_quant quant)
{
    static const double bits[WSK_QUANT_COUNT] = {
#define WSK_QUANT_BITS(sym, text, b) [WSK_QUANT_##sym] = b,
        WSK_QUANT_LIST(WSK_QUANT_BITS)
#undef WSK_QUANT_BITS
    };
    return bits[quant];
}

bool wsk_engine_loads(wsk_engine engine, wsk_quant quant)
{
    return wsk_engine_laws[engine].safetensors || (quant != WSK_QUANT_FP8 && quant != WSK_QUANT_AWQ);
}

static double wide_ops(const wsk_gpu_params *g)
{
    return isnan(g->matrix_ops_16) ? g->matrix_ops : g->matrix_ops_16;
}

/* A part does not state its generation; but only cards with matrix units, which NVIDIA builds since Volta, do more than
 * lanes_most operations per compute unit and clock. */
bool wsk_engine_needs_newer(wsk_engine engine, const wsk_gpu_params *g)
{
    return wsk_engine_laws[engine].since_volta && g->stack == WSK_STACK_CUDA && wide_ops(g) <= lanes_most;
}

double wsk_model_uneven_heads(const wsk_model_params *m, int cards)
{
    const double n = cards;
    if (fmod(m->heads, n) > 0) /* false if the number of heads is unknown (NAN) */
        return m->heads;
    /* if there are fewer heads of keys and values than cards, the heads are copied */
    return fmod(wsk_max(m->kv_heads, n), wsk_min(m->kv_heads, n)) > 0 ? m->kv_heads : 0;
}

double wsk_model_cache_byte(const wsk_model_params *m, double context)
{
    const double values = isnan(m->latent) ? 2 * m->kv_heads * m->head_size : m->latent,
                 seen = isnan(m->window) ? context : wsk_min(context, m->window),
                 windows = wsk_min(m->window_layers, m->layers);
    return 2 * values * ((m->layers - windows) * context + windows * seen);
}

/* Number of weights in the embedding table if the table only looks up tokens; 0 if the output layer uses it, too. */
static double table_of(const wsk_model_params *m)
{
    return m->tied ? 0 : m->vocabulary * m->hidden;
}

static double active_of(const wsk_model_params *m)
{
    return isnan(m->active) ? m->parameters : m->active;
}

/* Number of weights in all experts; 0 if a token uses all of them, or their number is not known. */
static double experts_of(const wsk_model_params *m)
{
    const bool choice = m->experts > m->experts_used && m->experts_used > 0;
    return choice ? (m->parameters - active_of(m)) / (1 - m->experts_used / m->experts) : 0;
}

/* Number of weights in experts that no request of a step chooses. */
static double resting_of(const wsk_model_params *m, double streams)
{
    const double all = experts_of(m);
    return all > 0 ? all * pow(1 - m->experts_used / m->experts, streams) : 0;
}

double wsk_model_read(const wsk_model_params *m, double streams)
{
    const double used = experts_of(m) > 0 ? m->parameters - resting_of(m, streams) : active_of(m);
    return wsk_max(used - table_of(m), 0.1 * used);
}

/* Bits of a weight outside the experts. A mixture in MXFP4 has only its experts in it: docs/theory/tokens.md, "Bytes". */
static double bits_outside(const wsk_token_job *job)
{
    const wsk_engine_law *e = job->law ? job->law : &wsk_engine_laws[job->engine];
    return job->quant == WSK_QUANT_MXFP4 && experts_of(job->model) > 0 ? e->mxfp4_rest_bits : bits_of(job->quant);
}

/* Bytes of `weights` weights of the job's model, `experts` of them in experts. */
static double bytes_of(const wsk_token_job *job, double weights, double experts)
{
    return ((weights - experts) * bits_outside(job) + experts * bits_of(job->quant)) / 8;
}

/* Bytes of weights that a step of `streams` requests reads. */
static double weights_read_byte(const wsk_token_job *job, double streams)
{
    const wsk_model_params *m = job->model;
    return bytes_of(job, wsk_model_read(m, streams), experts_of(m) - resting_of(m, streams));
}

/* Number of copies of the cache that the group's cards hold together. Cards that share each layer share its heads of
 * keys and values; a compressed cache (MLA) is not divided, and cards beyond the number of heads hold copies. */
static double cache_copies(const wsk_token_job *job)
{
    if (job->split != WSK_SPLIT_TENSOR)
        return 1;
    return wsk_max(job->cards / (isnan(job->model->latent) ? job->model->kv_heads : 1), 1);
}

static double rounded_up(double x)
{
    return x > 1 ? ceil(x) : 1;
}

/* Number of weights with which a token is multiplied. */
static double worked_weights(const wsk_model_params *m)
{
    return wsk_max(active_of(m) - table_of(m), 0.1 * active_of(m));
}

/* Matrix operations a second of a card that the engine attains with the job's weights at a clock of 1 Hz. */
static double attained_ops(const wsk_token_job *job, const wsk_token_card *c, const wsk_engine_law *e)
{
    const bool wide = bits_of(job->quant) >= wide_bits;
    const double share = wide ? e->prompt_16 : e->prompt, ops = wide ? c->matrix_ops_16 : c->matrix_ops,
                 faster = job->quant == WSK_QUANT_FP8 && c->fp8 ? 2 : 1;
    return share * c->units * wsk_min(faster * ops, e->ops_most);
}

static double exchange_byte_s(const wsk_token_job *job)
{
    return job->nvlink_byte_s > 0 ? nvlink_share * job->nvlink_byte_s : pcie_byte_s;
}

/* Time that a card takes for its part of a step: it reads `weights` and `cache` bytes, and does `further` operations
 * for requests beside the first. */
static double kernels_s(const wsk_token_job *job, const wsk_token_card *c, const wsk_engine_law *e, double weights,
                        double cache, double further)
{
    const double move = (weights + cache) / (e->share * c->memory_byte_s),
                 unpack = weights / (e->digest * c->units * c->generation_hz),
                 multiply = further / (attained_ops(job, c, e) * c->generation_hz),
                 work = pow(pow(unpack, e->overlap) + pow(multiply, e->overlap), 1 / e->overlap);
    return sqrt(hypot(move * move, work * work));
}

/* Time, s, that all layers of a step take beside the work of the cards; it is the same on all cards. */
static double layers_s(const wsk_token_job *job, const wsk_engine_law *e)
{
    const wsk_model_params *m = job->model;
    return m->layers *
           (e->layer_s + (m->experts > 0 ? e->mixture_layer_s : 0) + (isnan(m->latent) ? 0 : e->latent_layer_s) +
            wsk_min((job->streams - 1) / ubatch, 1) * e->prompt_layer_s);
}

/* Duration of one step, in which each stream (request) gets one token, s. *busy_s: part of this duration in which at
 * least one card has work. times_s: NULL, or gets the time of each card's part. */
static double step_s(const wsk_token_job *job, const wsk_token_card *cards, const wsk_engine_law *e, double read_byte,
                     double cache_byte, double spilled, double *busy_s, double *times_s)
{
    const wsk_model_params *m = job->model;
    const int n = job->cards;
    const bool tensor = job->split == WSK_SPLIT_TENSOR && n > 1;
    const double further = 2 * worked_weights(m) * (job->streams - 1);
    double have = 0, sum = 0, slowest = 0;
    for (int i = 0; i < n; i++)
        have += cards[i].memory_byte;
    for (int i = 0; i < n; i++) {
        const double part = tensor ? 1.0 / n : cards[i].memory_byte / have,
                     t = kernels_s(job, &cards[i], e, part * (1 - spilled) * read_byte, part * cache_byte,
                                   part * (1 - spilled) * further);
        sum += t;
        slowest = wsk_max(slowest, t);
        if (times_s)
            times_s[i] = t;
    }
    const double layers = layers_s(job, e), host = spilled * read_byte / (host_byte_s / wsk_max(job->spilling, 1));
    double talk = (n - 1) * e->hop_s;
    if (tensor)
        talk = 2 * m->layers *
               ((job->nvlink_byte_s > 0 ? nvlink_s : pcie_s) +
                2.0 * (n - 1) / n * job->streams * m->hidden * 2 / exchange_byte_s(job));
    *busy_s = (tensor ? slowest : sum) + layers;
    return *busy_s + host + talk;
}

static double prompt_s(const wsk_token_job *job, const wsk_token_card *cards, const wsk_engine_law *e)
{
    const wsk_model_params *m = job->model;
    const int n = job->cards;
    const bool tensor = job->split == WSK_SPLIT_TENSOR && n > 1;
    const double tokens = job->context,
                 ops = 2 * worked_weights(m) * tokens + 2 * m->layers * m->hidden * tokens * tokens;
    double have = 0, sum = 0, slowest = 0;
    for (int i = 0; i < n; i++)
        have += cards[i].memory_byte;
    for (int i = 0; i < n; i++) {
        const wsk_token_card *c = &cards[i];
        const double t = ops / (attained_ops(job, c, e) * c->prompt_hz) * (tensor ? 1.0 / n : c->memory_byte / have);
        sum += t;
        slowest = wsk_max(slowest, t);
    }
    /* The prompt is cut into parts of `ubatch` tokens. If the cards split the layers, the parts follow each other
     * through the cards. */
    const double parts = rounded_up(tokens / ubatch), fixed = m->layers * parts * e->prompt_layer_s;
    if (tensor)
        return slowest + fixed + 4 * m->layers * (n - 1.0) / n * tokens * m->hidden * 2 / exchange_byte_s(job);
    return (sum + fixed) * (parts + n - 1) / (parts * n);
}

static wsk_token_rates find_rates(const wsk_token_job *job, const wsk_token_card *cards, double *times_s)
{
    const wsk_engine_law *e = job->law ? job->law : &wsk_engine_laws[job->engine];
    const wsk_model_params *m = job->model;
    const double held = wsk_max(m->parameters - (e->table_on_host ? table_of(m) : 0), 0.1 * m->parameters);
    wsk_token_rates r = {.weight_byte = bytes_of(job, held, experts_of(m)),
                         .cache_byte = cache_copies(job) * job->streams * wsk_model_cache_byte(m, job->context)};
    bool hbm = false, known = true;
    for (int i = 0; i < job->cards; i++) {
        r.have_byte += cards[i].memory_byte;
        hbm = hbm || cards[i].hbm;
        known = known && cards[i].cuda;
    }
    const double own = job->cards * own_byte;
    r.need_byte = r.weight_byte + r.cache_byte + own;
    r.memory_rel = hypot(job->cards * own_error_byte, 0.02 * r.weight_byte) / r.need_byte;
    r.fits = r.need_byte <= r.have_byte;
    r.spilled = r.fits ? 0 : wsk_min((r.need_byte - r.have_byte) / r.weight_byte, 1);
    r.generation_s = r.prompt_s = NAN;
    r.busy = 1;
    if (!r.fits && (!e->spills || r.cache_byte + own > r.have_byte))
        return r;
    double busy = 0;
    const double step =
        step_s(job, cards, e, weights_read_byte(job, job->streams), r.cache_byte, r.spilled, &busy, times_s);
    r.generation_s = job->streams / step;
    r.busy = busy / step;
    r.prompt_s = r.fits ? job->context / prompt_s(job, cards, e) : NAN;
    r.generation_rel = hbm ? e->hbm_rel : e->generation_rel;
    r.prompt_rel = e->prompt_rel;
    if (!known || m->experts > 0)
        r.generation_rel = wsk_max(r.generation_rel, m->experts > 0 ? e->mixture_rel : 0.3),
        r.prompt_rel = wsk_max(r.prompt_rel, 0.45);
    r.generation_rel = sqrt(r.generation_rel * r.generation_rel + e->version_rel * e->version_rel);
    if (job->streams > 1 || (job->split == WSK_SPLIT_TENSOR && job->cards > 1))
        r.generation_rel = wsk_max(r.generation_rel, e->together_rel);
    if (!r.fits)
        r.generation_rel = 0.5;
    return r;
}

double wsk_tokens_kernels(const wsk_token_job *job, const wsk_token_card *c)
{
    wsk_token_job one = *job;
    one.streams = 1;
    const wsk_engine_law *e = &wsk_engine_laws[job->engine];
    const double kernels =
        kernels_s(&one, c, e, weights_read_byte(&one, 1), wsk_model_cache_byte(job->model, job->context), 0);
    return kernels / (kernels + layers_s(&one, e));
}

const wsk_model_params wsk_model_usual = {.parameters = 8.03e9,
                                          .active = NAN,
                                          .layers = 32,
                                          .hidden = 4096,
                                          .vocabulary = 128256,
                                          .heads = 32,
                                          .kv_heads = 8,
                                          .head_size = 128,
                                          .latent = NAN,
                                          .window = NAN,
                                          .experts = NAN,
                                          .experts_used = NAN};

/* Computes kernels and kernels_usual of *out. Classes were fitted to loads in llama.cpp. For another engine, only the
 * ratio between the model and the usual model is therefore taken from that engine. */
static void find_kernels(const wsk_token_job *job, const wsk_token_card *c, wsk_token_part *out)
{
    wsk_token_job low = *job;
    low.model = &wsk_model_usual;
    low.quant = WSK_QUANT_Q4_K_M;
    const double alike = wsk_tokens_kernels(&low, c);
    low.engine = WSK_ENGINE_LLAMA_CPP;
    out->kernels_usual = wsk_tokens_kernels(&low, c);
    out->kernels = wsk_tokens_kernels(job, c) * out->kernels_usual / alike;
}

wsk_token_rates wsk_tokens(const wsk_token_job *job, const wsk_token_card *cards)
{
    return find_rates(job, cards, NULL);
}

/* A card's memory, bytes. A whole number of GB counts as GiB, because data sheets call GiB GB. */
static double memory_of(const wsk_gpu_params *g)
{
    const double whole = round(g->memory_byte / 1e9);
    return fabs(g->memory_byte / 1e9 - whole) < 1e-6 ? whole * WSK_GIB_BYTE : g->memory_byte;
}

size_t wsk_tokens_lacking(const wsk_gpu_params *g, const char *names[WSK_TOKENS_NEED])
{
    const struct {
        const char *name;
        double value;
    } needed[WSK_TOKENS_NEED] = {{"memory", g->memory_byte},
                                 {"memory-bandwidth", g->memory_byte_s},
                                 {"compute-units", g->units},
                                 {"matrix-ops", g->matrix_ops}};
    size_t n = 0;
    for (size_t i = 0; i < WSK_TOKENS_NEED; i++)
        if (!(needed[i].value > 0))
            names[n++] = needed[i].name;
    return n;
}

wsk_token_card wsk_token_card_of(const wsk_gpu_params *g, double generation_hz, double prompt_hz)
{
    return (wsk_token_card){.memory_byte = memory_of(g),
                            .memory_byte_s = g->memory_byte_s,
                            .units = g->units,
                            .matrix_ops = g->matrix_ops,
                            .matrix_ops_16 = wide_ops(g),
                            .generation_hz = generation_hz,
                            .prompt_hz = prompt_hz,
                            .hbm = g->memory_type && strncmp(g->memory_type, "HBM", 3) == 0,
                            .cuda = g->stack == WSK_STACK_CUDA,
                            .fp8 = g->fp8 == 1};
}

/* What a dense model tells of each working card alone; kernels only of cards that state enough for tokens. */
static void find_shapes(const wsk_workload_params *w, const wsk_model_params *m, const wsk_card *cards, int count,
                        wsk_token_part *parts)
{
    const wsk_token_job job = {
        .model = m, .quant = (wsk_quant)w->quant, .engine = (wsk_engine)w->engine, .context = w->context};
    const char *names[WSK_TOKENS_NEED];
    for (int i = 0; i < count && !(m->experts > 0); i++) {
        const wsk_gpu_params *g = cards[i].gpu;
        if (!cards[i].works)
            continue;
        parts[i].bits = bits_of(job.quant);
        if (parts[i].bits >= wide_bits)
            continue;
        if (job.engine != WSK_ENGINE_LLAMA_CPP)
            parts[i].unpacking = wsk_engine_laws[WSK_ENGINE_LLAMA_CPP].digest / wsk_engine_laws[job.engine].digest;
        if (wsk_tokens_lacking(g, names) > 0)
            continue;
        const wsk_token_card c = wsk_token_card_of(g, g->clock_max_hz, g->clock_max_hz);
        find_kernels(&job, &c, &parts[i]);
    }
}

bool wsk_tokens_of(const wsk_workload_params *w, const wsk_card *cards, int count, const double *clocks_hz,
                   wsk_token_rates *out, wsk_token_part *parts)
{
    const wsk_elem *e = w ? wsk_elem_child(w->head.elem, "model", NULL) : NULL;
    wsk_token_card c[WSK_TOKENS_CARDS_MOST];
    int n = 0, at[WSK_TOKENS_CARDS_MOST];
    double nvlink_byte_s = INFINITY;
    if (!e)
        return false;
    if (parts)
        find_shapes(w, e->params, cards, count, parts);
    for (int i = 0; i < count; i++) {
        const wsk_gpu_params *g = cards[i].gpu;
        if (!cards[i].works)
            continue;
        const char *names[WSK_TOKENS_NEED];
        if (n == WSK_TOKENS_CARDS_MOST || wsk_tokens_lacking(g, names) > 0)
            return false;
        double generation = g->clock_max_hz, prompt = g->clock_max_hz;
        if (clocks_hz)
            generation = clocks_hz[2 * i], prompt = clocks_hz[2 * i + 1];
        nvlink_byte_s = wsk_min(nvlink_byte_s, g->nvlink ? g->nvlink_byte_s : 0);
        at[n] = i;
        c[n] = wsk_token_card_of(g, generation, prompt);
        c[n++].memory_byte_s *= clocks_hz ? cards[i].cls.memory_speed : 1;
    }
    if (n == 0)
        return false;
    const bool tensor = w->split == WSK_SPLIT_TENSOR || w->tensor_parallel > 1;
    const int group = (int)wsk_min(wsk_load_group(w, n), n), groups = n / group;
    wsk_token_job job = {.model = e->params,
                         .quant = (wsk_quant)w->quant,
                         .engine = (wsk_engine)w->engine,
                         .split = group == 1 ? WSK_SPLIT_NONE
                                  : tensor   ? WSK_SPLIT_TENSOR
                                             : WSK_SPLIT_LAYER,
                         .cards = group,
                         .streams = !isnan(w->batch) ? w->batch : wsk_max(w->streams / groups, 1),
                         .context = w->context,
                         .nvlink_byte_s = nvlink_byte_s};
    *out = (wsk_token_rates){0};
    for (int i = 0; i < groups; i++)
        job.spilling += wsk_tokens(&job, c + i * group).spilled > 0;
    for (int i = 0; i < groups; i++) {
        double times_s[WSK_TOKENS_CARDS_MOST] = {0};
        const wsk_token_rates r = find_rates(&job, c + i * group, times_s);
        const double before = out->generation_s, before_prompt = out->prompt_s;
        const bool fits = r.fits && (i == 0 || out->fits);
        if (i == 0 || r.have_byte - r.need_byte < out->have_byte - out->need_byte)
            *out = r;
        out->fits = fits;
        out->generation_s = r.generation_s + (i ? before : 0);
        out->prompt_s = r.prompt_s + (i ? before_prompt : 0);
        out->copies = groups;
        out->requests = groups * job.streams;
        for (int k = i * group; parts && k < (i + 1) * group; k++) {
            parts[at[k]].step_s = times_s[k - i * group] > 0 ? times_s[k - i * group] : parts[at[k]].step_s;
            parts[at[k]].duty = r.fits ? parts[at[k]].duty : wsk_max(r.busy, 0.01);
        }
    }
    out->group = group;
    if (tensor && wsk_engine_laws[w->engine].whole_heads)
        out->uneven_heads = wsk_model_uneven_heads(e->params, group);
    return true;
}
